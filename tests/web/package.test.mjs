/* The package in Node; run by `node --test`. WIDEPHASE_PACKAGE is the folder that holds it, build-web/package by
 * default; with WIDEPHASE_PROGRAM and WIDEPHASE_FRAMES, the native program and tests/web_frames, the digests are those that
 * they have now. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { checks } from './checks.mjs';
import { files as fileNames } from './digest.mjs';
import { nativeDigests } from './native.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = resolve(process.env.WIDEPHASE_PACKAGE ?? join(root, 'build-web/package'));
const moduleAt = (name) => import(pathToFileURL(join(folder, name)).href);
const { default: load, widephase2d, widephaseCook, WidephaseError } = await moduleAt('widephase.mjs');
const { bodiesOf, makeShape, meshBodiesOf, readPairs } = await moduleAt('pairs.mjs');
const readData = (name) => readFileSync(join(root, 'bench/data', name));
const files = new Map(fileNames.map((name) => [name, readPairs(readData(`${name}.pairs`))]));
const digestLines = readFileSync(new URL('digests', import.meta.url), 'utf8').trimEnd().split('\n');
const digests = new Map(digestLines.map((line) => [line.slice(0, line.lastIndexOf(' ')), line.slice(line.lastIndexOf(' ') + 1)]));

for (const [name, check] of Object.entries(checks))
	test(name, async () => check({ wp: await load(), wp2d: await widephase2d(), load, files, digests }));

const native = [process.env.WIDEPHASE_PROGRAM, process.env.WIDEPHASE_FRAMES];

test('the native program has the same digests', { skip: !native.every(Boolean) && 'no WIDEPHASE_PROGRAM' }, () => {
	assert.deepEqual(nativeDigests(...native.map((path) => resolve(path))), digestLines);
});

test('one file, bytes, a compiled module', async () => {
	const { default: loadSingle } = await moduleAt('widephase.single.mjs');
	const { widephase2d: loadSingle2d } = await moduleAt('widephase-2d.single.mjs');
	const flat = await widephase2d();
	for (const wp2d of [await loadSingle2d(), await widephase2d({ wasm: flat.module }), await widephase2d({ wasm: join(folder, 'widephase-2d.wasm') })])
		checks['2D answers known by hand']({ wp2d, wp: await load() });
	const bytes = readFileSync(join(folder, 'widephase.wasm'));
	const first = await load({ wasm: bytes });
	for (const wp of [await loadSingle(), await load({ wasm: first.module }), await load({ wasm: join(folder, 'widephase.wasm') }), first])
		checks['answers known by hand']({ wp });
	await assert.rejects(load({ wasm: bytes.subarray(0, 100) }), WebAssembly.CompileError);
	await assert.rejects(load({ wasm: pathToFileURL(join(folder, 'none.wasm')) }), /none\.wasm/);
	await assert.rejects(load({ wasm: pathToFileURL(join(folder, 'LICENSE')) }), /LICENSE is no WebAssembly module; .*optimizeDeps/);
	assert.ok(new WidephaseError('', 1) instanceof Error);
});

/* ---- cooking ------------------------------------------------------------------------------------ */

const cookFile = join(folder, 'widephase-cook.wasm');
const withoutCook = !existsSync(cookFile) && !process.env.CI && 'built without the sources of qhull';

test('hulls are cooked', { skip: withoutCook }, async () => {
	const wp = await load(), cook = await widephaseCook(), workspace = new wp.Workspace();
	assert.equal(cook.version(), wp.version());
	const cube = [0, 1, 2, 3, 4, 5, 6, 7].map((i) => [i & 1 ? 3 : 1, i & 2 ? 1 : -1, i & 4 ? 1 : -1]);
	const inside = Array.from({ length: 100 }, (_, i) => [2 + 0.9 * Math.sin(i), 0.9 * Math.sin(3 * i + 1), 0.9 * Math.sin(7 * i + 2)]);
	const { vertices, faces, mass, error } = cook.hull([...inside, ...cube]);
	assert.deepEqual([...vertices], cube.flat());
	assert.deepEqual(faces.map((face) => face.length), [4, 4, 4, 4, 4, 4]);
	assert.equal(error, 0);
	assert.ok(Math.abs(mass.volume - 8) < 1e-12 && Math.abs(mass.centroid[0] - 2) < 1e-12 && Math.abs(mass.inertia[1][1] - 16 / 3) < 1e-12);
	const found = workspace.contactManifoldPair(wp.shape.hull(vertices, faces), {}, wp.shape.hull(vertices, faces), { position: [0, 1.75, 0] });
	assert.deepEqual([found.points.length, found.separation], [4, -0.25]);
	const ball = new Float32Array(Array.from({ length: 600 }, (_, i) => [Math.sin(i) * Math.cos(3 * i), Math.sin(i) * Math.sin(3 * i), Math.cos(i)]).flat());
	const few = cook.hull(ball, { maxVertices: 24 });
	assert.ok(few.vertices.length <= 72 && few.error > 0.01 && few.error < 0.5);
	assert.deepEqual(cook.hull([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.2, 0.2, 0]]).faces.map((face) => face.length), [3, 3]);
	assert.equal(cook.hull([[0, 0, 0], [1, 1, 1]]).mass, undefined);
	assert.throws(() => cook.hull([[0, 0, 0], [0, NaN, 0]]), /hull: .*not finite.*: number 1$/);
	assert.throws(() => cook.hull([]), WidephaseError);
	assert.throws(() => cook.hull(ball, { maxVertices: 3 }), /^RangeError: hull: maxVertices must be 4 or more, but is 3$/);
	assert.throws(() => cook.hull([1, 2]), /hull: points must have 3 numbers a row/);
	assert.throws(() => cook.hull(ball, { max: 8 }), /^TypeError: hull: options: 'max' is none of maxVertices$/);
	for (let i = 0; i < 300; i++)
		cook.hull(ball);
	const again = await widephaseCook({ wasm: cook.module });
	assert.deepEqual(again.hull(ball), cook.hull(ball));
});

/* A bumpy square of triangles, in an order that no tree has. */
const bumps = (side) => {
	const vertices = [], triangles = [];
	for (let x = 0; x <= side; x++)
		for (let z = 0; z <= side; z++)
			vertices.push([x, Math.sin(1.3 * x) + Math.cos(1.1 * z), z]);
	for (let x = 0; x < side; x++)
		for (let z = 0; z < side; z++) {
			const at = x * (side + 1) + z;
			triangles.push([at, at + 1, at + side + 2], [at, at + side + 2, at + side + 1]);
		}
	const mixed = triangles.map((_, i) => triangles[(i * 7) % triangles.length]);
	assert.equal(new Set(mixed).size, triangles.length, 'triangles are in the order once where their number is no multiple of 7');
	return { vertices, triangles: mixed };
};

test('meshes are cooked and queried', { skip: withoutCook }, async () => {
	const wp = await load(), cook = await widephaseCook(), workspace = new wp.Workspace(), side = 12;
	const { vertices, triangles } = bumps(side), { bytes, report } = cook.mesh(vertices, triangles);
	assert.deepEqual(report, { welded: 0, dropped: 0, unused: 0, boundaryEdges: 4 * side, crowdedEdges: 0, turnedEdges: 0 });
	const mesh = new wp.Mesh(bytes), soup = cook.mesh(triangles.flatMap((three) => three.map((index) => vertices[index])));
	assert.equal(soup.report.welded, 3 * triangles.length - vertices.length);
	assert.deepEqual([mesh.triangleCount, mesh.vertexCount, mesh.lower[0], mesh.upper[2]], [triangles.length, vertices.length, 0, side]);
	const sources = Array.from({ length: mesh.triangleCount }, (_, i) => mesh.triangle(i).source);
	assert.deepEqual(sources.toSorted?.((p, q) => p - q) ?? [...sources].sort((p, q) => p - q), triangles.map((_, i) => i));
	for (let i = 0; i < mesh.triangleCount; i += 17) {
		const { corners, normal, source } = mesh.triangle(i), given = triangles[source].map((index) => vertices[index].map(Math.fround));
		assert.deepEqual(new Set(corners.map(String)), new Set(given.map(String)));
		assert.ok(normal[1] > 0 && Math.abs(Math.hypot(...normal) - 1) < 1e-6);
	}

	/* Balls against each triangle as a shape of its own. */
	const balls = Array.from({ length: 60 }, (_, i) => [1 + (i * 7.3) % (side - 2), -1 + (i * 0.61) % 4, 1 + (i * 3.7) % (side - 2)]);
	const turn = balls.map(() => [0, 0, 0, 1]), ball = wp.shape.sphere(0.4);
	const shapes = new wp.ShapeTable([ball, ...sources.map((_, i) => wp.shape.triangle(...mesh.triangle(i).corners))]);
	const a = { position: balls, rotation: turn, shape: balls.map(() => 0) }, b = { position: [0, 0, 0], rotation: [0, 0, 0, 1] };
	const batch = new wp.MeshBatch({ shapes, a, b, surfaces: [mesh], pairs: balls.map((_, i) => [i, 0]) });
	const near = workspace.meshDistance(batch), touch = workspace.meshOverlap(batch);
	const pieces = { position: sources.map(() => [0, 0, 0]), rotation: sources.map(() => [0, 0, 0, 1]), shape: sources.map((_, i) => i + 1) };
	let touching = 0;
	balls.forEach((_, row) => {
		const { separation } = workspace.distance({ shapes, a, b: pieces, pairs: sources.map((__, i) => [row, i]) });
		const least = Math.min(...separation);
		touching += least === 0;
		assert.ok(Math.abs(near.separation[row] - least) < 1e-5, `row ${row}: ${near.separation[row]}, ${least} wanted`);
		assert.equal(touch.overlap[row] === 1, least === 0);
		assert.equal(touch.triangle[row], least === 0 ? separation.indexOf(0) : wp.meshMiss);
		assert.ok(separation[near.triangle[row]] < least + 1e-5);
	});
	assert.ok(touching > 5 && touching < 55);

	/* A cast of a point is a ray. */
	const points = new wp.ShapeTable([wp.shape.point()]), way = balls.map((_, i) => [0.3 * (i % 5), -7, 0.2 * (i % 3)]);
	const cast = workspace.meshCast({ shapes: points, a, b, surfaces: [mesh], pairs: balls.map((_, i) => [i, 0]) }, { translation: way });
	balls.forEach((start, row) => {
		const hit = mesh.ray(start, way[row]);
		assert.equal(cast.triangle[row], hit?.triangle ?? wp.meshMiss);
		assert.ok(Math.abs(cast.fraction[row] - (hit?.fraction ?? 1)) < 1e-5);
	});

	/* Many rays at once, in ordinary arrays and in columns, and some that are none. */
	const starts = [...balls, [NaN, 0, 0], [2e38, 0, 0], [5, 0, 5]], ways = [...way, [0, -1, 0], [0, -1, 0], [0, 0, 0]];
	const both = wp.allocate(Float32Array, starts.flatMap((start, row) => [...start, ...ways[row]]));
	for (const hits of [mesh.rays(starts, ways), mesh.rays(both.column(0, 6), both.column(3, 6))]) {
		balls.forEach((start, row) => {
			const hit = mesh.ray(start, way[row]) ?? { triangle: wp.meshMiss, isFront: false, fraction: 0, weights: [0, 0, 0] };
			assert.deepEqual([hits.triangle[row], hits.isFront[row] === 1, hits.fraction[row], ...hits.weights.subarray(3 * row, 3 * row + 3)],
				[hit.triangle, hit.isFront, hit.fraction, ...hit.weights]);
		});
		assert.deepEqual([...hits.triangle.subarray(60)], [wp.meshMiss, wp.meshMiss, wp.meshMiss]);
		assert.deepEqual([...hits.fraction.subarray(60)], [NaN, NaN, 0]);
		assert.deepEqual([hits.triangle, hits.isFront, hits.fraction, hits.weights].map(({ constructor, length }) => `${constructor.name} ${length}`),
			['Uint32Array 63', 'Uint8Array 63', 'Float32Array 63', 'Float32Array 189']);
	}
	assert.equal(mesh.rays([], []).triangle.length, 0);
	assert.throws(() => mesh.rays([0, 0], [0, 1, 0]), /^RangeError: Mesh.rays: start must have 3 numbers a row/);
	assert.throws(() => mesh.rays(starts, way), /^RangeError: Mesh.rays: way must have 63 rows, but has 60$/);
	assert.throws(() => mesh.rays(starts), /^TypeError: Mesh.rays: way must be an array of numbers$/);

	/* Triangles whose boxes meet a box. */
	const boxes = sources.map((_, i) => mesh.triangle(i).corners).map((corners) => [Math.min, Math.max].map((end) => [0, 1, 2].map((k) => end(...corners.map((corner) => corner[k])))));
	for (const [lower, upper] of [[[2, -9, 3], [4.5, 9, 3]], [[0, -9, 0], [side, 9, side]], [[-9, 5, 0], [9, 9, 9]], [[3, 0, 3], [3, 0, 3]], [[-Infinity, 0.5, -Infinity], [Infinity, 1, Infinity]]]) {
		const expected = boxes.flatMap(([low, high], i) => ([0, 1, 2].every((k) => low[k] <= upper[k] && high[k] >= lower[k]) ? [i] : []));
		const found = mesh.overlapBox(lower, upper);
		assert.ok(found instanceof Uint32Array);
		assert.deepEqual([...found], expected);
	}
	assert.equal(mesh.overlapBox([-99, -99, -99], [99, 99, 99]).length, mesh.triangleCount);
	assert.throws(() => mesh.overlapBox([0, 0], [1, 1, 1]), /^TypeError: Mesh.overlapBox: lower must be 3 numbers$/);
	assert.throws(() => mesh.overlapBox([0, 0, 0], [1, NaN, 1]), /^WidephaseError: Mesh.overlapBox: /);
	assert.throws(() => mesh.overlapBox([0, 0, 0], [1, -1, 1]), /^WidephaseError: Mesh.overlapBox: /);
	assert.throws(() => cook.mesh([[0, 0, 0], [1, 0, NaN], [0, 1, 0]]), /mesh: .*not finite.*: number 1$/);
	assert.throws(() => cook.mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2], [0, 1, 3]]), /mesh: .*: number 1$/);
	assert.throws(() => cook.mesh([[0, 0, 0], [1, 0, 0]]), /mesh: vertices: 2 are not three for each triangle/);
	assert.throws(() => cook.mesh([[0, 0, 0], [1, 0, 0], [2, 0, 0]]), /mesh: the mesh has no triangle with an area/);
	assert.throws(() => new wp.Mesh(bytes.map((byte, i) => (i === 500 ? byte ^ 1 : byte))), WidephaseError);
	assert.throws(() => mesh.dispose(), /Mesh.dispose: still in use/);
});

/* More triangles than a part of the answer has, and memory that is given back. */
test('a box around a large mesh', { skip: withoutCook }, async () => {
	const wp = await load(), cook = await widephaseCook(), side = 71, { vertices, triangles } = bumps(side), mesh = new wp.Mesh(cook.mesh(vertices, triangles).bytes);
	const all = mesh.overlapBox([-1, -9, -1], [side + 1, 9, side + 1]), start = new Float32Array(3 * 20000).fill(0.5), bytes = wp.memory.buffer.byteLength;
	assert.deepEqual(all, Uint32Array.from({ length: 2 * side * side }, (_, i) => i));
	start.forEach((_, i) => (start[i] = i % 3 === 1 ? 9 : 0.25 + i % side));
	for (let i = 0; i < 200; i++) {
		mesh.overlapBox([0, 0, 0], [side, 0, side]);
		assert.throws(() => mesh.overlapBox([0, 0, 0], [NaN, 0, 0]), WidephaseError);
	}
	const { triangle } = mesh.rays(start, start.map((x, i) => (i % 3 === 1 ? -20 : 0)));
	assert.ok(triangle.every((index) => index < mesh.triangleCount));
	assert.ok(wp.memory.buffer.byteLength - bytes < 4e6);
	mesh.dispose();
	assert.throws(() => mesh.overlapBox([0, 0, 0], [1, 1, 1]), /Mesh.overlapBox: this is disposed/);
	assert.throws(() => mesh.rays([0, 0, 0], [1, 1, 1]), /Mesh.rays: this is disposed/);
});

test('cooked meshes have the bytes of the native program', { skip: withoutCook || !native[0] && 'no WIDEPHASE_PROGRAM' }, async () => {
	const cook = await widephaseCook(), place = mkdtempSync(join(tmpdir(), 'widephase-'));
	try {
		const { vertices, triangles } = bumps(9), round = vertices.map((vertex) => vertex.map((x) => Math.round(4096 * x) / 4096));
		writeFileSync(join(place, 'mesh.obj'), round.map((vertex) => `v ${vertex.join(' ')}\n`).join('') +
			triangles.map((three) => `f ${three.map((index) => index + 1).join(' ')}\n`).join(''));
		const program = spawnSync(resolve(native[0]), ['cook', 'mesh.obj', '--mesh', '--out', 'mesh.wpm'], { cwd: place, encoding: 'utf8' });
		assert.equal(program.status, 0, program.stderr);
		const { bytes } = cook.mesh(triangles.flatMap((three) => three.map((index) => round[index])));
		assert.deepEqual(Buffer.from(bytes), readFileSync(join(place, 'mesh.wpm')));
	} finally {
		rmSync(place, { recursive: true });
	}
});

/* Sets of points of which many are in one plane, among others. */
test('cooked hulls have the bits of the native program', { skip: withoutCook || !native[0] && 'no WIDEPHASE_PROGRAM' }, async () => {
	const cook = await widephaseCook(), place = mkdtempSync(join(tmpdir(), 'widephase-'));
	let state = 1;
	const random = () => (state = Math.imul(state, 1664525) + 1013904223 >>> 0) / 2 ** 32;
	try {
		for (let set = 0; set < 12; set++) {
			const scale = [1, 1, set % 3 === 0 ? 2 ** -8 : 1], size = 10 + 40 * set;
			const points = Array.from({ length: size }, () => scale.map((s) => s * (set % 2 === 0 ? Math.round(4 * random()) : Math.round(4096 * random()) / 1024)));
			writeFileSync(join(place, 'points.obj'), points.map((point) => `v ${point.join(' ')}\n`).join('') +
				points.slice(2).map((_, i) => `f ${i + 1} ${i + 2} ${i + 3}\n`).join(''));
			const program = spawnSync(resolve(native[0]), ['cook', 'points.obj', '--out', 'points.wph'], { cwd: place, encoding: 'utf8' });
			assert.equal(program.status, 0, program.stderr);
			assert.deepEqual(Buffer.from(cook.hull(points).bytes), readFileSync(join(place, 'points.wph')), `set ${set}`);
		}
	} finally {
		rmSync(place, { recursive: true });
	}
});

/* ---- pair files --------------------------------------------------------------------------------- */

const hex = (bits) => {
	const float = new Float32Array(new Uint32Array([bits]).buffer)[0];
	const sign = bits >>> 31 ? '-' : '', exponent = (bits >>> 23 & 0xff) - 127, digits = ((bits & 0x7fffff) << 1).toString(16).padStart(6, '0');
	return Number.isFinite(float) && exponent > -127 ? `${sign}0x1.${digits}p${exponent}` : String(float);
};

/* A binary file as text, with hex floats. */
function asText(file) {
	const words = (array, row, width) => Array.from(new Uint32Array(array.buffer).subarray(row * width, (row + 1) * width), hex).join(' ');
	const lines = ['pairs text 1', '# of a binary one'];
	for (const { kind, param, vertices } of file.shapes) {
		lines.push(`shape ${kind} ${param.join(' ')}`);
		for (let i = 0; i < vertices.length / 3; i++)
			lines.push(`v ${words(vertices, i, 3)}`);
	}
	for (let row = 0; row < file.count; row++)
		lines.push(`pair ${file.shapeA[row]} ${file.shapeB[row]} ${words(file.positionA, row, 3)} ${words(file.rotationA, row, 4)} ` +
			`${words(file.positionB, row, 3)} ${words(file.rotationB, row, 4)}`);
	return new TextEncoder().encode(lines.join('\n'));
}

test('text and binary pair files are the same', () => {
	for (const name of ['rec_pile_seq', 'rec_ragdoll'])
		assert.deepEqual(readPairs(asText(files.get(name))), files.get(name));
});

test('pair files have the kinds of the program', () => {
	const header = readFileSync(join(root, 'src/tools/capture/capture.h'), 'utf8').match(/typedef enum capture_kind \{([^]*?)\} capture_kind;/)[1];
	const kinds = [...header.matchAll(/^\tCAPTURE_(\w+)/gm)].map(([, name]) => name.toLowerCase().replace('_', '-'));
	assert.equal(kinds.pop(), 'kind-count');
	for (const [number, kind] of kinds.entries()) {
		const words = new Uint32Array(16), vertices = kind === 'hull' || kind === 'mesh' ? 3 : 0;
		new Uint8Array(words.buffer).set(Buffer.from('PAIRS01\0'));
		words.set([1, vertices, 0, 0, number, 0, 0, 0, 0, 0, vertices], 2);
		/* Node reads small files into parts of a Buffer that many share. */
		const part = Buffer.concat([Buffer.alloc(4), new Uint8Array(words.buffer, 0, 24 + 28), Buffer.alloc(12 * vertices)]).subarray(4);
		assert.equal(readPairs(part).shapes[0].kind, kind);
	}
});

test('cases in text', () => {
	const text = readPairs(readFileSync(join(root, 'tests/cases/nearly_parallel_segments.pairs')));
	assert.ok(text.count >= 1 && text.shapes.length >= 2);
	const lines = (...more) => new TextEncoder().encode(['pairs text 1', 'shape sphere 1 0 0 0', ...more].join('\n'));
	const pair = 'pair 0 0 0 0 0 0 0 0 1 0x1.8p1 nan -inf 0 0 0 1';
	const file = readPairs(lines(pair, 'motion 1 2 3 0 0 0 1 4 5 6 0 0 1 0', `${pair} `, 'cache 0x10 2 3 4 1 0 0 4'));
	assert.deepEqual([...file.positionB], [3, NaN, -Infinity, 3, NaN, -Infinity]);
	assert.deepEqual([...file.translationB], [4, 5, 6, 0, 0, 0]);
	assert.deepEqual([...file.endRotationA], [0, 0, 0, 1, 0, 0, 0, 1]);
	assert.deepEqual([...file.caches.subarray(8, 12)], [16, 2, 3, 4]);
	assert.deepEqual([...readPairs(lines(`${pair}\r`, '\r', ' \t', 'cache 010 0X0f 09 4294967295 0 0 0 01\r')).caches.subarray(0, 4)],
		[10, 15, 9, 2 ** 32 - 1]);
	for (const [line, expected] of [['pair 0 1 0 0 0 0 0 0 1 0 0 0 0 0 0 1', /line 3: a shape's number below 1/],
		['pair 0 0 1', /line 3: number 4/], [`${pair} 1`, /line 3: more than/], ['v 0 0 0', /line 3: a vertex that follows no hull and no mesh/],
		['motion 1', /line 3: a motion that follows no pair/],
		['shape ball 1 0 0 0', /line 3: no kind/], ['shape sphere 1x 0 0 0', /line 3: number 1 of 4/], ['lines', /line 3: starts with none/],
		['shape hull 0 0 0 0', /shape 1 is a hull without vertices/], ['shape mesh 0 0 0 0', /shape 1 is a mesh without vertices/],
		['shape mesh 0 0 0 0\nv 0 0 0', /shape 1 is a mesh of 1 vertices/], ['shape sphere 1 0 0 0\v', /line 3: number 4 of 4/],
		['shape sphere 1 0 0 0\r\r', /line 3: number 4 of 4/],
		...['-0', '1e0', '1.0', '0x1p3', '0x', '4294967296', '+1'].map((word) => [`${pair}\ncache 0 ${word} 0 0 0 0 0 0`, /line 4: a? ?number/])])
		assert.throws(() => readPairs(lines(line)), expected);
});

test('pairs with meshes', { skip: withoutCook }, async () => {
	const wp = await load(), cook = await widephaseCook(), still = '0 0 0 1 0 0 0 0 0 0 1';
	const file = readPairs(new TextEncoder().encode(['pairs text 1', 'shape mesh 0 0 0 0', 'v 0 0 0', 'v 0 0 9', 'v 9 0 0',
		'shape sphere 1 0 0 0', 'shape mesh 0 0 0 0', 'v -9 1 -9', 'v 0 1 9', 'v 9 1 -9', `pair 1 2 0 1.75 0 ${still}`, `pair 1 1 1 1 1 ${still}`,
		`pair 1 0 2 0.5 2 ${still}`].join('\n')));
	const { rows, meshes, a, b } = meshBodiesOf(file), shapes = new wp.ShapeTable(file.shapes.map((shape) => makeShape(wp, shape)));
	assert.deepEqual(rows, [0, 2]);
	const surfaces = meshes.map(({ vertices }) => new wp.Mesh(cook.mesh(vertices).bytes));
	assert.deepEqual(surfaces.map(({ triangleCount }) => triangleCount), [1, 1]);
	const workspace = new wp.Workspace();
	assert.deepEqual([...workspace.meshContact({ shapes, a, b, surfaces }).separation], [-0.25, -0.5]);
	const { status, separation } = workspace.contact({ shapes, ...bodiesOf(file) });
	assert.deepEqual([...status].map((bits) => wp.statusWords(bits).includes('invalid')), [true, false, true]);
	assert.ok(separation[1] < 0);
});

test('recorded cylinders, cones and ellipsoids', async () => {
	const wp = await load(), read = (name) => readFileSync(join(root, 'tests/cases', name));
	const file = readPairs(read('smooth.pairs')), truth = read('smooth.truth'), shapes = file.shapes.map((shape) => makeShape(wp, shape));
	assert.equal(new Set(shapes.map(({ kind }) => kind).filter((kind) => ['cylinder', 'cone', 'ellipsoid'].includes(kind))).size, 3);
	const batch = { shapes: new wp.ShapeTable(shapes), ...bodiesOf(file) };
	const found = new wp.Workspace('wasm').contact(batch);
	assert.deepEqual(new wp.Workspace('scalar').contact(batch).separation, found.separation);
	for (let row = 0; row < file.count; row++) {
		const separation = truth.readDoubleLE(16 + 40 * row);
		const size = Math.max(shapes[file.shapeA[row]].bound, shapes[file.shapeB[row]].bound) + Math.abs(separation);
		assert.ok(Math.abs(found.separation[row] - separation) <= 1e-5 * size, `pair ${row}: ${found.separation[row]}, truth ${separation}`);
	}
});

test('broken binary pair files are refused', () => {
	const bytes = readData('rec_pile_seq.pairs');
	for (const size of [0, 7, 8, 23, 24, 100, bytes.length - 1])
		assert.throws(() => readPairs(bytes.subarray(0, size)), /pair file: byte \d+/);
	const change = (offset, value) => {
		const copy = Buffer.from(bytes);
		copy.writeUInt32LE(value, offset);
		return copy;
	};
	assert.throws(() => readPairs(change(20, 4)), /unknown columns 4/);
	assert.throws(() => readPairs(change(8, 1e6)), /bytes are expected/);
	assert.throws(() => readPairs(change(24, 99)), /byte 24: unknown kind 99/);
	assert.throws(() => readPairs(change(bytes.length - 64, 1e6)), /a shape out of range/);
});

/* ---- the package as a whole --------------------------------------------------------------------- */

/* A project with the package in it, by npm: from the tarball that npm makes of the folder, without a network. */
function installed(run) {
	const place = mkdtempSync(join(tmpdir(), 'widephase-'));
	const npm = (...words) => execFileSync('npm', [...words, '--offline', '--no-audit', '--no-fund', '--cache', join(place, 'cache')],
		{ cwd: place, encoding: 'utf8' });
	try {
		writeFileSync(join(place, 'package.json'), '{ "name": "user", "private": true, "type": "module" }');
		const [{ filename, files: packed }] = JSON.parse(npm('pack', folder, '--json'));
		npm('install', `./${filename}`);
		return run(place, packed.map(({ path }) => path));
	} finally {
		rmSync(place, { recursive: true });
	}
}

test('the tarball has all that its exports name', () => installed((place, packed) => {
	const at = join(place, 'node_modules/widephase'), { exports, main, types, files: listed } = JSON.parse(readFileSync(join(at, 'package.json'), 'utf8'));
	const named = [main, types, ...Object.values(exports).flatMap((one) => (typeof one === 'string' ? [one] : Object.values(one)))];
	const left = withoutCook ? ['widephase-cook.wasm', 'qhull-COPYING.txt'] : [];
	assert.deepEqual(new Set([...packed, ...left]), new Set([...listed, 'package.json', 'LICENSE', 'README.md']));
	named.forEach((name) => assert.ok([...packed, ...left].includes(name.replace('./', '')), name));
	writeFileSync(join(place, 'user.mjs'), `import widephase, { widephase2d } from 'widephase';
import single from 'widephase/single';
import { widephase2d as single2d } from 'widephase/2d/single';
for (const wp of [await widephase(), await single(), await widephase2d(), await single2d()])
	console.log(wp.version(), wp.variants().join());`);
	const { version } = JSON.parse(readFileSync(join(at, 'package.json'), 'utf8'));
	assert.equal(execFileSync(process.execPath, ['user.mjs'], { cwd: place, encoding: 'utf8' }), `${version} scalar,wasm\n`.repeat(4));
}));

test('the modules stay small', () => {
	const size = (name) => readFileSync(join(folder, name)).length;
	assert.ok(size('widephase.wasm') < 800e3, `widephase.wasm: ${size('widephase.wasm')} bytes`);
	if (!withoutCook)
		assert.ok(size('widephase-cook.wasm') < 420e3, `widephase-cook.wasm: ${size('widephase-cook.wasm')} bytes`);
	assert.ok(size('widephase-2d.wasm') < 220e3, `widephase-2d.wasm: ${size('widephase-2d.wasm')} bytes`);
});

test('what the documents show runs on the installed package', () => {
	const documents = ['README.md', 'src/bindings/web/README.md', 'include/widephase/GUIDE.md']
		.map((name) => readFileSync(join(root, name), 'utf8'));
	const blocks = [...documents.join('\n').matchAll(/^```js\n(.*?)^```$/gms)].map(([, code]) => code)
		.filter((code) => !withoutCook || !code.includes('widephaseCook'));
	assert.ok(blocks.length > 0);
	installed((place) => blocks.forEach((code, i) => {
		writeFileSync(join(place, `block${i}.mjs`), code);
		assert.notEqual(execFileSync(process.execPath, [`block${i}.mjs`], { cwd: place, encoding: 'utf8' }), '');
	}));
});

const compiler = spawnSync('tsc', ['--version'], { encoding: 'utf8' });

test('the types hold', { skip: compiler.error && !process.env.CI && 'no tsc' }, () => {
	installed((place) => {
		copyFileSync(new URL('types.mts', import.meta.url), join(place, 'types.mts'));
		writeFileSync(join(place, 'tsconfig.json'), JSON.stringify({ compilerOptions: { noEmit: true, strict: true, target: 'es2022',
			lib: ['es2022', 'dom'], types: [], module: 'nodenext', moduleResolution: 'nodenext' }, files: ['types.mts'] }));
		const run = spawnSync('tsc', ['--project', '.'], { cwd: place, encoding: 'utf8' });
		assert.equal(run.stdout, '');
		assert.equal(run.status, 0);
	});
});

test('every export has a type and every type an export', async () => {
	const wp = await load(), wp2d = await widephase2d(), types = readFileSync(join(folder, 'widephase.d.mts'), 'utf8');
	const body = (name) => types.match(new RegExp(`export interface ${name} [^{]*\\{(.*?)^\\}`, 'ms'))[1];
	const declared = (name) => [...body(name).matchAll(/^\t(?:readonly )?(\w+)(?=[<(:?])/gm)].map(([, member]) => member);
	for (const [made, name] of [[wp, 'Widephase'], [wp2d, 'Widephase2d']])
		assert.deepEqual(new Set([...declared('Common'), ...declared(name)]), new Set(Object.keys(made)));
	const property = (of, name) => Object.getOwnPropertyDescriptor(of, name) ?? property(Object.getPrototypeOf(of), name);
	const methods = (of) => Object.getOwnPropertyNames(Object.getPrototypeOf(of.prototype))
		.filter((name) => name !== 'constructor' && (property(of.prototype, name).get ?? of.prototype[name]) !== undefined);
	for (const [of, name] of [[wp.Workspace, 'Workspace'], [wp2d.Workspace, 'Workspace2d']])
		assert.deepEqual(new Set(declared(name)), new Set([...methods(of), 'variant']));
	assert.deepEqual(new Set(declared('Persistent')), new Set([...methods(wp.Persistent), 'capacity']));
	const results = new wp.Results(1, ['separation']);
	const a = { position: [0, 0, 0], rotation: [0, 0, 0, 1] };
	new wp.Workspace().contact({ shapes: new wp.ShapeTable([wp.shape.point()]), a, pairs: [[0, 0]] }, 1, results);
	assert.deepEqual(new Set(declared('Statistics')), new Set(Object.keys(results.statistics)));
	const field = new wp.HeightField([0, 0, 0, 0], 2, 2);
	const { statistics } = new wp.Workspace().meshContact({ shapes: new wp.ShapeTable([wp.shape.sphere(1)]), a, b: a, surfaces: [field] });
	assert.deepEqual(new Set(declared('MeshStatistics')), new Set(Object.keys(statistics)));
	const shapes = new wp.ShapeTable([wp.shape.sphere(1)]), compound = new wp.Compound(shapes, { position: [0, 0, 0] });
	const { statistics: counts } = new wp.Workspace().compoundContact({ shapes, compounds: [compound], a, pairs: [[0, 0]] });
	assert.deepEqual(new Set(declared('CompoundStatistics')), new Set(Object.keys(counts)));
	assert.deepEqual(new Set(declared('Compound')), new Set([...methods(wp.Compound), 'childCount', 'lower', 'upper']));
	const base = Object.getPrototypeOf(Object.getPrototypeOf(wp.CompoundTracked));
	assert.deepEqual(new Set(declared('PatchTracked<Pair>')), new Set([...Object.getOwnPropertyNames(base.prototype).filter((name) => name !== 'constructor'), 'patchMax']));
	assert.deepEqual(declared('MeshTracked'), methods(wp.MeshTracked));
	assert.deepEqual(methods(wp.CompoundTracked), []);
});

/* Public calls that no module exports, and why: words of the README, or what JavaScript does itself. */
const lacking = [
	[/^wp_shape_custom$/, 'support functions'], [/^wp_mesh_edge_of$/, 'edges of the triangles of a mesh'], [/^wp_hull_from_memory$/, 'hulls from the bytes of a file'],
	[/^wp_(?:shape|hull|compound)_mass$/, 'mass of shapes and compounds'], [/^wp_(?:compound|mesh)_bodies_bounds$/, 'boxes of bodies with compounds, meshes or height fields'],
	[/^wp_contact_by_method$/, 'contacts by other methods'], [/^wp_reference_/, 'the reference'],
	[/^wp(?:2d)?_shape_(?!custom|mass)\w+$/], [/^wp_track_pool_/], [/^wp_variant_(?:best|width)$/], [/^wp_version_number$/], [/^wp_tangents$/], [/^wp_persistent_poses$/],
	[/^wp_hull_(?:face_normal|turned)$/], [/^wp_mesh_(?:depth|is_face_only|node_count)$/],
];

test('the README names what the package lacks', { skip: withoutCook }, async () => {
	const place = join(root, 'include/widephase'), headers = readdirSync(place).filter((name) => name.endsWith('.h') && name !== 'mujoco.h');
	const calls = headers.flatMap((name) => [...readFileSync(join(place, name), 'utf8').matchAll(/^WP_API [^;(]*?\b(wp(?:2d)?_\w+)\(/gm)].map(([, call]) => call));
	const made = [await load(), await widephase2d(), await widephaseCook()];
	const exported = new Set(made.flatMap(({ module }) => WebAssembly.Module.exports(module).map(({ name }) => name)));
	const readme = readFileSync(join(root, 'src/bindings/web/README.md'), 'utf8').match(/^Not in the package.*$/m)[0], missing = calls.filter((call) => !exported.has(call));
	assert.deepEqual(missing.filter((call) => !lacking.some(([pattern]) => pattern.test(call))), []);
	for (const [pattern, words = ''] of lacking)
		assert.ok(missing.some((call) => pattern.test(call)) && readme.includes(words), `${pattern} ${words}`);
	assert.ok(readme.includes('solver_points') && !readFileSync(join(folder, 'widephase.d.mts'), 'utf8').match(/solver_?points/i));
});

/* A module with a function for each vector, which returns a lane. */
test('vectors of the module are splats of the same bits', () => {
	const vectors = [[0, 0], [-1, -1], [0x3f800000, 0x3f800000], [0x80000000, 0x80000000], [1, 2], [0, 0x3ff00000], [64, 0], [0x7fc00001, 0x7fc00001]]
		.map(([low, high], i) => (i === 4 ? [1, 2, 3, 4] : [low, high, low, high]));
	const text = (word) => [word.length, ...Buffer.from(word)];
	const section = (id, ...parts) => [id, ...leb(parts.flat().length), ...parts.flat()];
	const leb = (number) => (number < 0x80 ? [number] : [number & 0x7f | 0x80, ...leb(number >> 7)]);
	const bodies = vectors.flatMap((words) => [0, 1, 2, 3].map((lane) => [0, 0xfd, 12, ...new Uint8Array(Int32Array.from(words).buffer), 0xfd, 27, lane, 0x0b]));
	const module = Uint8Array.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, ...section(1, [1, 0x60, 0, 1, 0x7f]), ...section(3, [bodies.length], bodies.map(() => 0)),
		...section(7, [bodies.length], ...bodies.map((_, i) => [...text(`f${i}`), 0, i])),
		...section(10, [bodies.length], ...bodies.map((body) => [body.length, ...body]))]);
	const lanes = (bytes) => {
		const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes));
		return bodies.map((_, i) => exports[`f${i}`]() >>> 0);
	};
	const place = mkdtempSync(join(tmpdir(), 'widephase-'));
	try {
		const shrink = (bytes) => {
			writeFileSync(join(place, 'in.wasm'), bytes);
			const run = spawnSync('python3', [join(root, 'src/bindings/web/shrink.py'), join(place, 'in.wasm'), join(place, 'out.wasm')], { encoding: 'utf8' });
			return run.status === 0 ? readFileSync(join(place, 'out.wasm')) : run.stderr;
		};
		const small = shrink(module);
		assert.deepEqual(lanes(small), lanes(module));
		assert.deepEqual(lanes(module), vectors.flatMap((words) => words.map((word) => word >>> 0)));
		/* Bytes that are saved of each vector. */
		assert.ok(module.length - small.length >= 4 * (14 + 0 + 10 + 10 + 0 + 5 + 13 + 10), `${module.length - small.length} bytes less`);
		assert.match(shrink(module.map((byte, i) => (i === module.length - 1 ? 0xff : byte))), /unknown opcode 0xff/);
	} finally {
		rmSync(place, { recursive: true });
	}
});
