/* Textbook GJK and EPA in double precision, which keep every step for the eye. Written to be read, not to be fast; the
 * explorer shows its answer beside the library's.
 *
 * Both work on the cores, in the world frame, which they know by their supports alone: the radii of rounded shapes come in
 * at the end. The difference is A - B; its points are { w, a, b } with w = a - b.
 *
 * GJK: Gilbert, Johnson, Keerthi 1988; the closest point of a simplex by regions: Ericson 2005, Real-Time Collision
 * Detection, section 5.1. EPA: van den Bergen 2001, Proximity Queries and Penetration Depth Computation. */
import { add, blend, cross, dot, length, scale, sub, unit } from './vector.mjs';

/* Most steps of either; polytopes of a few hundred vertices need about twenty. Where a core curves, each step comes nearer
 * and none is the last: they end at shares of the size below which progress is none. `touching`: gaps below that are none. */
const limits = { polytopes: { gjk: 64, epa: 64, progress: 1e-12, reach: 1e-10, touching: 1e-12 },
	curves: { gjk: 64, epa: 128, progress: 1e-8, reach: 1e-7, touching: 1e-9 } };

/* A face, or a tetrahedron, with that share of the area, or the volume, of its sides is flat; a point that is less than
 * that share of the size above a face is on it. */
const flat = 1e-9, rounding = 1e-13;

function support(a, b, direction) {
	const onA = a.support(direction), onB = b.support(scale(direction, -1));
	return { w: sub(onA, onB), a: onA, b: onB };
}

/* ---- the closest point of a simplex to the origin ----------------------------------------------- */

/* Each gives { corners, weights }: the corners that carry the closest point, and how much of each it is. */

function closestOfSegment([a, b]) {
	const along = sub(b.w, a.w), t = -dot(a.w, along);
	if (t <= 0)
		return { corners: [a], weights: [1] };
	const whole = dot(along, along);
	return t >= whole ? { corners: [b], weights: [1] } : { corners: [a, b], weights: [1 - t / whole, t / whole] };
}

function closestOfTriangle([a, b, c]) {
	const ab = sub(b.w, a.w), ac = sub(c.w, a.w);
	const d1 = -dot(ab, a.w), d2 = -dot(ac, a.w), d3 = -dot(ab, b.w), d4 = -dot(ac, b.w), d5 = -dot(ab, c.w), d6 = -dot(ac, c.w);
	if (d1 <= 0 && d2 <= 0)
		return { corners: [a], weights: [1] };
	if (d3 >= 0 && d4 <= d3)
		return { corners: [b], weights: [1] };
	if (d6 >= 0 && d5 <= d6)
		return { corners: [c], weights: [1] };
	const forC = d1 * d4 - d3 * d2, forB = d5 * d2 - d1 * d6, forA = d3 * d6 - d5 * d4;
	if (forC <= 0 && d1 >= 0 && d3 <= 0)
		return closestOfSegment([a, b]);
	if (forB <= 0 && d2 >= 0 && d6 <= 0)
		return closestOfSegment([a, c]);
	if (forA <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0)
		return closestOfSegment([b, c]);
	const sum = forA + forB + forC;
	return { corners: [a, b, c], weights: [forA / sum, forB / sum, forC / sum] };
}

/* Inside, or the closest of the faces that the origin is in front of. */
function closestOfTetrahedron([a, b, c, d]) {
	const volume = (p, q, r, s) => dot(sub(p.w, s.w), cross(sub(q.w, s.w), sub(r.w, s.w)));
	const origin = { w: [0, 0, 0] }, all = volume(a, b, c, d);
	const weights = [volume(origin, b, c, d), volume(a, origin, c, d), volume(a, b, origin, d), volume(a, b, c, origin)].map((v) => v / all);
	if (all !== 0 && weights.every((weight) => weight >= 0))
		return { corners: [a, b, c, d], weights };
	const faces = [[a, b, c], [a, c, d], [a, b, d], [b, c, d]].map(closestOfTriangle);
	return faces.reduce((best, face) => (length(pointOf(face)) < length(pointOf(best)) ? face : best));
}

function closest(simplex) {
	const itself = ([a]) => ({ corners: [a], weights: [1] });
	return [null, itself, closestOfSegment, closestOfTriangle, closestOfTetrahedron][simplex.length](simplex);
}

function pointOf({ corners, weights }) {
	return blend(corners.map(({ w }) => w), weights);
}

/* ---- GJK ---------------------------------------------------------------------------------------- */

const names = ['', 'a point', 'a segment', 'a triangle', 'a tetrahedron'];
const number = (x) => x.toPrecision(6);

/* Ends with the simplex that is closest to the origin, or contains it (v is zero); the difference is closer by `doubt` at
 * most. */
function gjk(a, b, steps, size, { gjk: stepMax, progress, touching }) {
	let simplex = [support(a, b, sub(b.points[0], a.points[0]))], feature = closest(simplex), v = pointOf(feature), least = 0;
	for (let step = 1; step <= stepMax; step++) {
		const found = { phase: 'gjk', simplex: feature.corners, closest: v };
		if (feature.corners.length === 4 || length(v) <= touching * size) {
			steps.push({ ...found, closest: [0, 0, 0], text: `${names[feature.corners.length]} contains the origin: the cores overlap` });
			return { feature, v: [0, 0, 0], doubt: 0 };
		}
		const direction = scale(v, -1), newest = support(a, b, direction);
		const lower = dot(newest.w, unit(v));
		least = Math.max(least, lower);
		const done = length(v) - lower <= progress * size || feature.corners.some(({ w }) => length(sub(w, newest.w)) === 0);
		steps.push({ ...found, direction, newest: done ? undefined : newest,
			text: done ? `nothing is closer than ${names[feature.corners.length]}, at distance ${number(length(v))}`
				: `${names[feature.corners.length]} at distance ${number(length(v))}, lower bound ${number(Math.max(lower, 0))}` });
		if (done)
			break;
		simplex = [...feature.corners, newest];
		feature = closest(simplex);
		v = pointOf(feature);
	}
	return { feature, v, doubt: Math.max(length(v) - least, 0) };
}

/* ---- EPA ---------------------------------------------------------------------------------------- */

/* Corners on a line have no normal: such a face is never the nearest one. */
function makeFace(corners) {
	const [p, q, r] = corners.map(({ w }) => w), u = sub(q, p), v = sub(r, p), across = cross(u, v);
	if (length(across) <= flat * length(u) * length(v))
		return { corners, normal: [0, 0, 0], distance: Infinity };
	const normal = unit(across);
	return { corners, normal, distance: dot(normal, p) };
}

/* Of four corners; infinite of fewer. */
function volumeOf(corners) {
	const [p, q, r, s] = corners.map(({ w }) => w);
	return s === undefined ? Infinity : Math.abs(dot(sub(s, p), cross(sub(q, p), sub(r, p))));
}

/* A tetrahedron with volume around the simplex that GJK ended with, or null where the difference is flat. */
function startOfPolytope(a, b, simplex, size) {
	let corners = volumeOf(simplex) <= flat * size ** 3 ? simplex.slice(0, 3) : [...simplex];
	const tryPoint = (direction, isFar) => {
		for (const side of [direction, scale(direction, -1)]) {
			const point = support(a, b, side);
			if (isFar(point.w)) {
				corners = [...corners, point];
				return true;
			}
		}
		return false;
	};
	const axes = [[1, 0, 0], [0, 1, 0], [0, 0, 1]], far = 1e-9 * size;
	if (corners.length === 1 && !axes.some((axis) => tryPoint(axis, (w) => length(sub(w, corners[0].w)) > far)))
		return null;
	if (corners.length === 2) {
		const along = unit(sub(corners[1].w, corners[0].w));
		if (!axes.some((axis) => tryPoint(cross(along, axis), (w) => length(cross(along, sub(w, corners[0].w))) > far)))
			return null;
	}
	if (corners.length === 3) {
		const [p, q, r] = corners.map(({ w }) => w), normal = unit(cross(sub(q, p), sub(r, p)));
		if (!tryPoint(normal, (w) => Math.abs(dot(normal, sub(w, p))) > far))
			return null;
	}
	const [p, q, r, s] = corners.map(({ w }) => w);
	return dot(sub(s, p), cross(sub(q, p), sub(r, p))) > 0 ? [corners[0], corners[2], corners[1], corners[3]] : corners;
}

const edgesOf = ({ corners: [p, q, r] }) => [[p, q], [q, r], [r, p]];

/* The faces that `point` sees, `nearest` and all that hang together with it, give way to those that it makes with their
 * outline. */
function expand(faces, nearest, point, tolerance) {
	const sees = (face) => dot(face.normal, sub(point.w, face.corners[0].w)) > tolerance;
	const seen = sees(nearest) ? [nearest] : [], hidden = new Set(faces.filter((face) => face !== nearest));
	for (const face of seen)
		for (const [p, q] of edgesOf(face)) {
			const other = [...hidden].find((one) => one.corners.includes(p) && one.corners.includes(q));
			if (other && sees(other) && hidden.delete(other))
				seen.push(other);
		}
	const edges = seen.flatMap(edgesOf), outline = edges.filter(([p, q]) => !edges.some(([r, s]) => p === s && q === r));
	return [...faces.filter((face) => !seen.includes(face)), ...outline.map(([p, q]) => makeFace([p, q, point]))];
}

/* Ends with the face of the polytope that is nearest to the origin, and by how much the difference is deeper at most; null
 * where the difference is flat. */
function epa(a, b, simplex, steps, size, { epa: stepMax, reach }) {
	const start = startOfPolytope(a, b, simplex, size);
	if (start === null) {
		steps.push({ phase: 'epa', simplex, text: 'the difference has no volume: there is nothing to expand' });
		return null;
	}
	const [p, q, r, s] = start;
	let faces = [[p, q, r], [p, s, q], [q, s, r], [r, s, p]].map(makeFace), nearest, most = Infinity;
	for (let step = 1; step <= stepMax; step++) {
		nearest = faces.reduce((best, face) => (face.distance < best.distance ? face : best));
		const newest = support(a, b, nearest.normal), upper = dot(newest.w, nearest.normal);
		most = Math.min(most, upper);
		const next = expand(faces, nearest, newest, rounding * size), isSame = next.length === faces.length && next.every((face, i) => face === faces[i]);
		const done = isSame || upper - nearest.distance <= reach * size, last = done || step === stepMax;
		steps.push({ phase: 'epa', faces, nearest, newest: last ? undefined : newest, direction: nearest.normal,
			text: done ? `the nearest of ${faces.length} faces is one of the difference, at depth ${number(nearest.distance)}`
				: last ? `${stepMax} steps are enough: the depth is between ${number(nearest.distance)} and ${number(most)}`
				: `nearest of ${faces.length} faces at ${number(nearest.distance)}, the difference reaches ${number(upper)}` });
		if (last)
			break;
		faces = next;
	}
	return { nearest, doubt: Math.max(most - nearest.distance, 0) };
}

/* ---- both --------------------------------------------------------------------------------------- */

/* The contact of two cores, { points, support, radius, curved } each, in the world frame, with its steps. The separation may
 * be `doubt` less. Without volume to expand, separation is minus the radii and the normal is missing. */
export function solve(a, b) {
	const steps = [], radii = a.radius + b.radius, limit = a.curved || b.curved ? limits.curves : limits.polytopes;
	const size = [...a.points, ...b.points].reduce((most, point) => Math.max(most, length(sub(point, a.points[0]))), 1e-30);
	const { feature, v, doubt } = gjk(a, b, steps, size, limit);
	const finish = (carrier, normal, gap, left) => ({ steps, separation: gap - radii, doubt: left, normal,
		pointA: add(blend(carrier.corners.map((c) => c.a), carrier.weights), scale(normal, a.radius)),
		pointB: sub(blend(carrier.corners.map((c) => c.b), carrier.weights), scale(normal, b.radius)) });
	if (length(v) > 0)
		return finish(feature, scale(unit(v), -1), length(v), doubt);
	const found = epa(a, b, feature.corners, steps, size, limit);
	if (found === null)
		return { steps, separation: -radii, doubt: 0 };
	const { nearest } = found;
	const moved = nearest.corners.map((corner) => ({ ...corner, w: sub(corner.w, scale(nearest.normal, nearest.distance)) }));
	return finish(closestOfTriangle(moved), nearest.normal, -nearest.distance, found.doubt);
}
