/* Convex hulls of points, to draw shapes and their difference, and to give hulls of pair files their faces.
 *
 * Incremental: each point outside removes the faces it sees and joins the horizon (Barber et al. 1996, Quickhull,
 * section 2, without its lists of outside points). Points are joggled first, by less than what counts as flat, so that
 * no four lie in a plane (its option QJ); which face is whose is found so, and faces in one plane are then merged by the
 * points as they are. */
import { cross, dot, length, sub, unit } from './vector.mjs';

/* Shares of the size: distances below that count as none; how far points are joggled at first; and how often a hull that
 * does not close is tried again, joggled three times as far. */
const flatness = 2e-6, joggle = 2e-7, tries = 6;

function sizeOf(points) {
	const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
	for (const point of points)
		for (let k = 0; k < 3; k++) {
			low[k] = Math.min(low[k], point[k]);
			high[k] = Math.max(high[k], point[k]);
		}
	return points.length > 0 ? length(sub(high, low)) : 0;
}

const farthest = (points, measure) => points.reduce((best, point, i) => (measure(point) > measure(points[best]) ? i : best), 0);

/* Up to four points that span as much as there is to span: two, three, four. Fewer where all are one, a line, a plane. */
function spread(points, tolerance) {
	const first = farthest(points, (p) => p[0] + 1e-3 * p[1] + 1e-6 * p[2]), a = points[first];
	const second = farthest(points, (p) => length(sub(p, a))), along = sub(points[second], a);
	if (length(along) <= tolerance)
		return [first];
	const third = farthest(points, (p) => length(cross(unit(along), sub(p, a)))), across = cross(along, sub(points[third], a));
	if (length(cross(unit(along), sub(points[third], a))) <= tolerance)
		return [first, second];
	const normal = unit(across), fourth = farthest(points, (p) => Math.abs(dot(normal, sub(p, a))));
	const height = dot(normal, sub(points[fourth], a));
	if (Math.abs(height) <= tolerance)
		return [first, second, third];
	return height > 0 ? [first, third, second, fourth] : [first, second, third, fourth];
}

function makeFace(points, corners) {
	const [a, b, c] = corners.map((i) => points[i]), normal = unit(cross(sub(b, a), sub(c, a)));
	return { corners, normal, offset: dot(normal, a) };
}

const edgesOf = (corners) => corners.map((from, i) => [from, corners[(i + 1) % corners.length]]);
const key = (from, to) => from * 65536 + to;

/* Every edge once in each direction. */
function closes(faces) {
	const edges = faces.flatMap(({ corners }) => edgesOf(corners).map(([i, j]) => key(i, j))), all = new Set(edges);
	return all.size === edges.length && edges.every((edge) => all.has(key(edge % 65536, Math.floor(edge / 65536))));
}

/* Triangles of points in general position, counter-clockwise seen from outside, from a tetrahedron of them. */
function triangulate(points, [a, b, c, d]) {
	let faces = [[a, b, c], [a, d, b], [b, d, c], [c, d, a]].map((corners) => makeFace(points, corners));
	points.forEach((point, index) => {
		const seen = faces.filter((face) => dot(face.normal, point) > face.offset && !face.corners.includes(index));
		if (seen.length === 0 || [a, b, c, d].includes(index))
			return;
		const edges = new Set(seen.flatMap(({ corners }) => edgesOf(corners).map(([i, j]) => key(i, j)))), gone = new Set(seen);
		faces = faces.filter((face) => !gone.has(face));
		for (const edge of edges) {
			const i = Math.floor(edge / 65536), j = edge % 65536;
			if (!edges.has(key(j, i)))
				faces.push(makeFace(points, [i, j, index]));
		}
	});
	return faces;
}

/* The same of any points: their triangles by what they are when joggled; [] where that never closes. */
function triangulateAny(points, start, size) {
	let seed = 1, faces = [];
	const next = () => {
		seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
		return seed / 2 ** 31 - 1;
	};
	for (let round = 0; round < tries; round++) {
		const reach = joggle * 3 ** round * size;
		faces = triangulate(points.map((point) => point.map((x) => x + reach * next())), start);
		if (closes(faces))
			return faces.map(({ corners }) => makeFace(points, corners));
	}
	return [];
}

/* Triangles in groups that lie in one plane each, the largest triangle first, since its plane is the surest. */
function groupByPlane(points, triangles, tolerance) {
	const area = ({ corners: [i, j, k] }) => length(cross(sub(points[j], points[i]), sub(points[k], points[i])));
	const byEdge = new Map(triangles.flatMap((face) => edgesOf(face.corners).map(([i, j]) => [key(i, j), face])));
	const free = new Set([...triangles].sort((p, q) => area(q) - area(p))), groups = [];
	for (const seed of free) {
		const group = [seed], near = ({ corners }) => corners.every((i) => Math.abs(dot(seed.normal, points[i]) - seed.offset) <= tolerance);
		free.delete(seed);
		for (const face of group)
			for (const [i, j] of edgesOf(face.corners)) {
				const other = byEdge.get(key(j, i));
				if (free.has(other) && near(other) && free.delete(other))
					group.push(other);
			}
		groups.push(group);
	}
	return groups;
}

/* The corners around a group of triangles, in order; null where they are no simple polygon. */
function outline(group) {
	const edges = group.flatMap(({ corners }) => edgesOf(corners)), all = new Set(edges.map(([i, j]) => key(i, j)));
	const border = edges.filter(([i, j]) => !all.has(key(j, i))), next = new Map(border), loop = [border[0][0]];
	for (let at = next.get(loop[0]); at !== loop[0]; at = next.get(at)) {
		if (at === undefined || loop.length > border.length)
			return null;
		loop.push(at);
	}
	return loop.length === border.length ? loop : null;
}

/* Without the corners that lie on the line of their neighbours in every polygon that has them. */
function withoutFlatCorners(points, loops, tolerance) {
	const sharp = new Set();
	for (const loop of loops)
		loop.forEach((corner, i) => {
			const before = points[loop.at(i - 1)], after = points[loop[(i + 1) % loop.length]];
			if (length(cross(unit(sub(after, before)), sub(points[corner], before))) > tolerance)
				sharp.add(corner);
		});
	return loops.map((loop) => loop.filter((corner) => sharp.has(corner))).filter((loop) => loop.length >= 3);
}

/* The faces of the hull of `points`, polygons of indices, counter-clockwise seen from outside. Of flat points both sides
 * of one polygon; [] of a line or a point. */
export function hullFaces(points) {
	const size = sizeOf(points), tolerance = flatness * size, start = spread(points, tolerance);
	if (start.length < 4)
		return flatFaces(points, start, tolerance);
	const groups = groupByPlane(points, triangulateAny(points, start, size), tolerance);
	const loops = groups.flatMap((group) => {
		const loop = outline(group);
		return loop ? [loop] : group.map((face) => face.corners);
	});
	return withoutFlatCorners(points, loops, tolerance);
}

/* Both sides of a polygon: its corners by the angle around their middle, those inside left out (Graham 1972). */
function flatFaces(points, start, tolerance) {
	if (start.length < 3)
		return [];
	const [a, b, c] = start.map((i) => points[i]), x = unit(sub(b, a)), normal = unit(cross(x, sub(c, a))), y = cross(normal, x);
	const flat = points.map((point, index) => ({ index, u: dot(x, point), v: dot(y, point) }));
	flat.sort((p, q) => p.u - q.u || p.v - q.v);
	const half = (list) => {
		const chain = [];
		for (const p of list) {
			while (chain.length >= 2) {
				const [o, q] = chain.slice(-2);
				if ((q.u - o.u) * (p.v - o.v) - (q.v - o.v) * (p.u - o.u) > tolerance * tolerance)
					break;
				chain.pop();
			}
			chain.push(p);
		}
		return chain.slice(0, -1);
	};
	const loop = [...half(flat), ...half([...flat].reverse())].map(({ index }) => index);
	return loop.length >= 3 ? [loop, [...loop].reverse()] : [];
}

/* The two ends of points on a line. */
export function lineEnds(points) {
	return spread(points, flatness * sizeOf(points)).slice(0, 2);
}
