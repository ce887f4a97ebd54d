/* Shapes as the explorer holds them: a core of vertices and a radius, a mesh to draw, and the library's shape. */
import { makeShape } from '../../src/web/pairs.mjs';
import { hullFaces, lineEnds } from './hull.mjs';
import { add, scale, unit } from './vector.mjs';

const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((i) => [i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1]);
const triples = (numbers) => Array.from({ length: numbers.length / 3 }, (_, i) => Array.from(numbers.slice(3 * i, 3 * i + 3)));

/* Directions spread over the sphere (Fibonacci lattice). */
function directions(count) {
	return Array.from({ length: count }, (_, i) => {
		const y = 1 - (2 * i + 1) / count, angle = i * Math.PI * (3 - Math.sqrt(5)), r = Math.sqrt(1 - y * y);
		return [r * Math.cos(angle), y, r * Math.sin(angle)];
	});
}

/* The core of a record of a pair file, as src/cli/capture.h has it. */
function coreOf({ kind, param, vertices }) {
	switch (kind) {
	case 'sphere':
		return { vertices: [[0, 0, 0]], radius: param[0] };
	case 'capsule':
		return { vertices: [[0, -param[1], 0], [0, param[1], 0]], radius: param[0] };
	case 'box':
		return { vertices: corners.map((c) => c.map((sign, k) => sign * param[k])), radius: param[3] };
	case 'hull':
		return { vertices: triples(vertices), radius: param[3] };
	default:
		return null;
	}
}

/* The faces of vertices, as the library wants them. */
export function facesOf(vertices) {
	return hullFaces(triples(vertices));
}

/* What is drawn of a core and its radius: points, polygons of them, and lines where there are no polygons. */
function meshOf({ vertices, radius }) {
	const around = radius > 0 ? directions(vertices.length > 8 ? 48 : vertices.length > 1 ? 140 : 200) : [[0, 0, 0]];
	const few = vertices.length * around.length > 4000 ? around.filter((_, i) => i % 3 === 0) : around;
	const points = vertices.flatMap((vertex) => few.map((direction) => add(vertex, scale(direction, radius))));
	const faces = hullFaces(points);
	return { points, faces, line: faces.length === 0 ? lineEnds(points) : [], smooth: radius > 0 };
}

/* A record as a shape of the explorer, or null where its core has no vertices. */
export function shapeOf(wp, record) {
	const core = coreOf(record);
	if (core === null)
		return null;
	return { ...core, record, mesh: meshOf(core), made: makeShape(wp, record, facesOf) };
}

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
	Triangle: hull([1.1, -0.5, 0.2, -1, -0.6, 0, 0, 1, -0.1]),
	Segment: hull([-1, -0.2, 0, 1, 0.2, 0]),
};
