/* Shapes as the explorer holds them: a core with a support function, a radius, a mesh to draw, and the library's shape.
 * Polytopes are their vertices. What curves is drawn by points of its surface. */
import { makeShape } from '../../src/bindings/web/pairs.mjs';
import { hullFaces, lineEnds } from './hull.mjs';
import { add, cross, dot, normalised, normalOf, rotate, scale, sub, unit } from './vector.mjs';

/* Points around a rim and on an ellipsoid; directions of a ball around a core of few points, and of many; directions for the
 * outline of a difference that has too many pairs of points to take them all. Turning a shape makes a mesh in each frame. */
const rimPoints = 36, ellipsoidPoints = 160, fewPoints = 8, ballDirections = 200, coarseDirections = 80, outlineDirections = 240, pairsMax = 1200;

/* The cosine of the angle between faces that stand for a curve is more than that (33 degrees). */
const smoothCosine = 0.84;

const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((i) => [i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1]);
const triples = (numbers) => Array.from({ length: numbers.length / 3 }, (_, i) => Array.from(numbers.slice(3 * i, 3 * i + 3)));

/* Directions spread over the sphere (Fibonacci lattice). */
function directions(count) {
	return Array.from({ length: count }, (_, i) => {
		const y = 1 - (2 * i + 1) / count, angle = i * Math.PI * (3 - Math.sqrt(5)), r = Math.sqrt(1 - y * y);
		return [r * Math.cos(angle), y, r * Math.sin(angle)];
	});
}

/* ---- cores -------------------------------------------------------------------------------------- */

/* The farthest of some points along a direction. */
export function farthest(points, direction) {
	return points.reduce((best, point) => (dot(point, direction) > dot(best, direction) ? point : best));
}

const rim = (radius, y) => Array.from({ length: rimPoints }, (_, i) => {
	const angle = 2 * Math.PI * i / rimPoints;
	return [radius * Math.cos(angle), y, radius * Math.sin(angle)];
});

/* The point of a rim, or its middle where all of the rim is as far. */
function onRim([x, , z], radius, y) {
	const across = Math.hypot(x, z);
	return across > 0 ? [radius * x / across, y, radius * z / across] : [0, y, 0];
}

function cylinder([radius, half, , rounding]) {
	return { points: [...rim(radius, -half), ...rim(radius, half)], radius: rounding,
		support: (direction) => onRim(direction, radius, direction[1] < 0 ? -half : half) };
}

function cone([radius, half, , rounding]) {
	const apex = [0, half, 0];
	return { points: [apex, ...rim(radius, -half)], radius: rounding,
		support: (direction) => farthest([apex, onRim(direction, radius, -half)], direction) };
}

function ellipsoid([x, y, z, rounding]) {
	const axes = [x, y, z], support = (direction) => {
		const stretched = unit(direction.map((d, k) => d * axes[k]));
		return stretched.map((d, k) => d * axes[k]);
	};
	return { points: directions(ellipsoidPoints).map((d) => d.map((c, k) => c * axes[k])), radius: rounding, support };
}

/* The core of a record of a pair file, as src/tools/capture/capture.h has it: its vertices, or where it curves its support function
 * and points to draw it by. Null of a half-space, which has no end. */
function coreOf({ kind, param, vertices }) {
	switch (kind) {
	case 'sphere':
		return { points: [[0, 0, 0]], radius: param[0] };
	case 'capsule':
		return { points: [[0, -param[1], 0], [0, param[1], 0]], radius: param[0] };
	case 'box':
		return { points: corners.map((c) => c.map((sign, k) => sign * param[k])), radius: param[3] };
	case 'hull':
		return { points: triples(vertices), radius: param[3] };
	case 'cylinder':
		return cylinder(param);
	case 'cone':
		return cone(param);
	case 'ellipsoid':
		return ellipsoid(param);
	default:
		return null;
	}
}

/* The core of a shape at a pose, as steps.mjs wants it. */
export function coreInWorld({ points, support, radius, curved }, { position, rotation }) {
	const turned = normalised(rotation), back = [...scale(turned, -1), turned[3]];
	const world = points.map((point) => add(rotate(turned, point), position));
	return { points: world, radius, curved, support: curved
		? (direction) => add(rotate(turned, support(rotate(back, direction))), position)
		: (direction) => farthest(world, direction) };
}

/* ---- meshes ------------------------------------------------------------------------------------- */

/* Directions close to one, the same number of them all around it. */
function ring(direction, count, angle) {
	const side = unit(cross(direction, Math.abs(direction[0]) < 0.6 ? [1, 0, 0] : [0, 1, 0])), other = cross(direction, side);
	return Array.from({ length: count }, (_, i) => {
		const turned = 2 * Math.PI * (i + 0.5) / count;
		return add(direction, add(scale(side, angle * Math.cos(turned)), scale(other, angle * Math.sin(turned))));
	});
}

function withoutRepeats(points) {
	return [...new Map(points.map((point) => [point.join(), point])).values()];
}

const normalsOf = ({ points, faces }) => faces.map((face) => normalOf(face.map((i) => points[i])));

/* Whether each edge of each face is sharp: whether faces meet there at a larger angle than those that stand for a curve. */
function sharpEdges(mesh) {
	const normals = normalsOf(mesh), edges = mesh.faces.map((face) => face.map((from, k) => [from, face[(k + 1) % face.length]]));
	const faceAt = new Map(edges.flatMap((all, i) => all.map((edge) => [edge.join(), i])));
	return edges.map((all, i) => all.map(([from, to]) => {
		const other = faceAt.get([to, from].join());
		return other === undefined || dot(normals[i], normals[other]) < smoothCosine;
	}));
}

/* Points, polygons of them, and the ends of the line where there are no polygons. `round`: some of them stand for a curve,
 * and `sharp` marks which edges are edges. */
function meshOf(points, round = false) {
	const faces = hullFaces(points), mesh = { points, faces, line: faces.length === 0 ? lineEnds(points) : [], round };
	return round ? { ...mesh, sharp: sharpEdges(mesh) } : mesh;
}

/* The mesh of all places within `radius` of another: each point that is the farthest along about a direction is moved
 * along it. Normals of faces are among the directions, so that faces stay flat and whole. */
export function swell(mesh, radius) {
	if (!(radius > 0))
		return mesh;
	const count = mesh.points.length <= fewPoints ? ballDirections : coarseDirections, spacing = Math.sqrt(4 * Math.PI / count);
	const normals = normalsOf(mesh), around = directions(count).flatMap((direction) => {
		const near = [direction, ...ring(direction, 4, 0.6 * spacing)];
		return [...new Set(near.map((d) => farthest(mesh.points, d)))].map((point) => add(point, scale(direction, radius)));
	});
	const lifted = mesh.faces.flatMap((face, i) => face.map((corner) => add(mesh.points[corner], scale(normals[i], radius))));
	return meshOf(withoutRepeats([...lifted, ...around]), true);
}

/* The mesh of all differences of a point of one mesh and a point of the other: of few points all are taken, of more those
 * farthest along directions all around and just beside the normals of faces. */
export function difference(a, b) {
	if (a.points.length * b.points.length <= pairsMax)
		return meshOf(a.points.flatMap((p) => b.points.map((q) => sub(p, q))), a.round || b.round);
	const normals = [...normalsOf(a), ...normalsOf(b).map((normal) => scale(normal, -1))];
	const all = [...directions(outlineDirections), ...normals.flatMap((normal) => ring(normal, 8, 1e-3))];
	return meshOf(withoutRepeats(all.map((d) => sub(farthest(a.points, d), farthest(b.points, scale(d, -1))))), a.round || b.round);
}

/* The faces of vertices, as the library wants them. */
export function facesOf(vertices) {
	return hullFaces(triples(vertices));
}

/* A record as a shape of the explorer, or null where it has no end: `core` is the mesh of its core, `mesh` that with the
 * radius. */
export function shapeOf(wp, record) {
	const form = coreOf(record);
	if (form === null)
		return null;
	const curved = form.support !== undefined, core = meshOf(form.points, curved);
	return { ...form, curved, record, core, mesh: swell(core, form.radius), made: makeShape(wp, record, facesOf) };
}

/* ---- what can be chosen ------------------------------------------------------------------------- */

/* A solid of points on a sphere, each moved in or out by a fixed sequence. */
function rock(count) {
	let seed = 12345;
	const next = () => {
		seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
		return seed / 2 ** 32;
	};
	return directions(count).flatMap((d) => {
		const stretched = unit([d[0] + 0.3 * (next() - 0.5), d[1] + 0.3 * (next() - 0.5), d[2] + 0.3 * (next() - 0.5)]);
		return [stretched[0] * 1.1, stretched[1] * 0.85, stretched[2]];
	});
}

const hull = (numbers, radius = 0) => ({ kind: 'hull', param: [0, 0, 0, radius], vertices: new Float32Array(numbers) });
const plain = (kind, ...param) => ({ kind, param: [...param, 0, 0, 0, 0].slice(0, 4).map(Math.fround), vertices: new Float32Array(0) });

/* What can be chosen by name. */
export const catalogue = {
	Box: plain('box', 1, 0.7, 0.8),
	'Rounded box': plain('box', 0.8, 0.5, 0.6, 0.2),
	Tetrahedron: hull([0, 1.2, 0, 1.1, -0.6, 0.6, -1.1, -0.6, 0.6, 0, -0.6, -1.2]),
	Rock: hull(rock(32)),
	Prism: hull([0, 1, 2, 3, 4, 5].flatMap((i) => [0.7, -0.7].flatMap((y) => [Math.cos(i * Math.PI / 3), y, Math.sin(i * Math.PI / 3)]))),
	Sphere: plain('sphere', 0.9),
	Capsule: plain('capsule', 0.45, 0.8),
	Cylinder: plain('cylinder', 0.7, 0.8),
	'Rounded cylinder': plain('cylinder', 0.6, 0.6, 0, 0.2),
	Cone: plain('cone', 0.9, 0.9),
	Ellipsoid: plain('ellipsoid', 1.2, 0.6, 0.8),
	Triangle: hull([1.1, -0.5, 0.2, -1, -0.6, 0, 0, 1, -0.1]),
	Segment: hull([-1, -0.2, 0, 1, 0.2, 0]),
};
