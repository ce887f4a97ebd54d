/* What Node and a browser check alike. Each check is given the loaded library, how to load it once more, and the files
 * of pairs with the digests of the native program; it throws where something is wrong. */
import { bodiesOf, makeShape } from '../../src/bindings/web/pairs.mjs';
import { floatColumns, queries, RowDigest } from './digest.mjs';

function fail(text) {
	throw new Error(text);
}

function equal(found, expected, what) {
	if (!Object.is(found, expected))
		fail(`${what}: ${found}, not ${expected}`);
}

/* Bits of two arrays of numbers, NaN by one pattern. */
function equalBits(found, expected, what) {
	equal(found.length, expected.length, `${what}: length`);
	for (let i = 0; i < found.length; i++)
		if (!Object.is(found[i], expected[i]))
			fail(`${what}[${i}]: ${found[i]}, not ${expected[i]}`);
}

function refuses(call, type, text) {
	try {
		call();
	} catch (error) {
		if (error.name !== type || !(text instanceof RegExp ? text.test(error.message) : error.message.includes(text)))
			fail(`${error.name}: ${error.message}; expected ${type} with '${text}'`);
		return;
	}
	fail(`nothing is thrown; expected ${type} with '${text}'`);
}

const identity = [0, 0, 0, 1];

/* Two boxes and a ball in a row, of which the boxes overlap. */
function sample(wp) {
	const box = wp.shape.box(1, 1, 1), ball = wp.shape.sphere(1);
	const shapes = new wp.ShapeTable([box, ball]);
	const a = { position: [0, 0, 0, 1.875, 0.25, 0, 5, 1, 0], rotation: [...identity, ...identity, ...identity], shape: [0, 0, 1] };
	return { box, ball, shapes, a, description: { shapes, a, pairs: [[0, 1], [1, 2], [0, 2]] } };
}

/* ---- bits --------------------------------------------------------------------------------------- */

/* One file by one query and variant, hashed as the rows of `widephase collide`. */
function digestOf(wp, file, query, variant) {
	const workspace = new wp.Workspace(variant);
	const shapes = file.shapes.map((shape) => makeShape(wp, shape));
	const table = new wp.ShapeTable(shapes);
	const results = query.run(wp, workspace, { shapes: table, ...bodiesOf(file) }, file);
	const digest = new RowDigest();
	for (let row = 0; row < file.count; row++)
		digest.add(floatColumns.flatMap(([name, width]) => Array.from(results[name].subarray(row * width, (row + 1) * width))),
			results.iterations[row], wp.statusWords(results.status[row]), query.extra?.(results, row));
	[table, ...shapes, workspace].forEach((thing) => thing.dispose());
	return digest.text();
}

/* Where B is, which comes nearer and goes away in so many frames, and turns a little. */
function nearerAndAway(wp, b, count) {
	const position = wp.allocate(Float32Array, b.position), rotation = wp.allocate(Float32Array, b.rotation);
	return { to: { position, rotation }, step(frame) {
		for (let i = 0; i < position.length / 3; i++) {
			position.view[3 * i + i % 3] += frame < count / 2 ? -(2 ** -7) : 2 ** -7;
			rotation.view[4 * i + i % 3] += 2 ** -12;
		}
	} };
}

/* Frames of tracked pairs, as tests/web/frames.c makes and hashes them. */
function frameDigestOf(wp, file, variant) {
	const workspace = new wp.Workspace(variant), count = 16, digest = new RowDigest();
	const shapes = file.shapes.map((shape) => makeShape(wp, shape)), table = new wp.ShapeTable(shapes);
	const { a, b } = bodiesOf(file), tracked = new wp.Tracked(file.count, { reuse: true }), move = nearerAndAway(wp, b, count);
	const batch = new wp.Batch({ shapes: table, a, b: { ...b, ...move.to } });
	for (let frame = 0; frame < count; frame++) {
		move.step(frame);
		const { changed } = workspace.track(batch, tracked, { maxSeparation: Math.fround(0.02), reuseError: Math.fround(0.001) });
		changed.forEach((row) => digest.addWord(row));
		for (let i = 0; i < file.count; i++)
			addTracked(digest, tracked.pair(i));
	}
	[batch, tracked, ...Object.values(move.to), table, ...shapes, workspace].forEach((thing) => thing.dispose());
	return digest.text();
}

function addTracked(digest, { separation, event, words, points }) {
	digest.add([separation], event, words);
	for (const point of points) {
		digest.addFloats([...point.localA, ...point.localB, ...point.armA, ...point.armB, point.separation]);
		[point.featureA, point.featureB, point.age].forEach((word) => digest.addWord(word));
	}
}

/* Hills, and places above them from a height on. */
function hillsOf(wp, side = 32) {
	return new wp.HeightField(Float32Array.from({ length: side * side }, (_, i) => ((3 * (i % side) + 5 * Math.floor(i / side)) % 7) / 8), side, side);
}

function placesOnHills(rows, height) {
	return Array.from({ length: rows }, (_, i) => [2 + 0.75 * (i * 7 % 29), height + 0.25 * (i % 4), 2 + 0.75 * (i * 5 % 23)]).flat();
}

/* Boxes of the bodies of A. */
function boxesDigestOf(wp, file) {
	const shapes = file.shapes.map((shape) => makeShape(wp, shape)), table = new wp.ShapeTable(shapes), digest = new RowDigest(), { position, rotation, shape } = bodiesOf(file).a;
	const rows = Math.min(file.count, 300), a = { position: position.subarray(0, 3 * rows), rotation: rotation.subarray(0, 4 * rows), shape: shape.subarray(0, rows) };
	const { lower, upper } = wp.bodiesBounds(table, a, Math.fround(0.02));
	for (let row = 0; row < rows; row++)
		digest.addFloats([...lower.subarray(3 * row, 3 * row + 3), ...upper.subarray(3 * row, 3 * row + 3)]);
	[table, ...shapes].forEach((thing) => thing.dispose());
	return digest.text();
}

/* Bodies on hills, with the shapes and rotations of B; `compound`, if any, is three of four of them. */
function bodiesOnHills(wp, file, table, field, height, compound) {
	const rows = Math.min(file.count, 300), position = wp.allocate(Float32Array, placesOnHills(rows, height));
	const shape = Array.from(file.shapeB.subarray(0, rows), (own, i) => (compound === undefined || i % 4 === 3 ? own : wp.compoundShape));
	const batch = new wp[compound === undefined ? 'MeshBatch' : 'CompoundMeshBatch']({ shapes: table, compounds: [compound], surfaces: [field],
		b: { position: [0, 0, 0], rotation: identity }, a: { position, rotation: file.rotationB.subarray(0, 4 * rows), shape }, pairs: shape.map((_, i) => [i, 0]) });
	return { rows, position, batch };
}

/* Tracked pairs on a height field, in the same way: bodies fall onto hills and rise again. */
function meshFrameDigestOf(wp, file, variant, hasCompounds = false) {
	const count = 16, digest = new RowDigest(), workspace = new wp.Workspace(variant), field = hillsOf(wp);
	const shapes = file.shapes.map((shape) => makeShape(wp, shape)), table = new wp.ShapeTable(shapes), compounds = hasCompounds ? [compoundOf(wp, table, file)] : [];
	const { rows, position, batch } = bodiesOnHills(wp, file, table, field, 2.5, ...compounds), tracked = new wp.MeshTracked(rows);
	for (let frame = 0; frame < count; frame++) {
		for (let i = 0; i < rows; i++)
			position.view[3 * i + 1] += frame < count / 2 ? -0.25 : 0.125;
		const { changed } = workspace[hasCompounds ? 'compoundMeshTrack' : 'meshTrack'](batch, tracked, { maxSeparation: Math.fround(0.02) });
		changed.forEach((row) => digest.addWord(row));
		for (let i = 0; i < rows; i++) {
			const { separation, event, words, patches } = tracked.pair(i);
			digest.add([separation], event, words);
			patches.forEach((patch) => addMeshPatch(digest, patch, hasCompounds));
		}
	}
	[batch, tracked, field, position, ...compounds, table, ...shapes, workspace].forEach((thing) => thing.dispose());
	return digest.text();
}

function addMeshPatch(digest, { normal, separation, points }, hasChildren) {
	digest.addFloats([...normal, separation]);
	for (const point of points) {
		digest.addFloats([...point.localA, ...point.localB, ...point.armA, ...point.armB, point.separation]);
		[point.triangle, point.featureA, point.featureB, point.age, ...(hasChildren ? [point.child] : [])].forEach((word) => digest.addWord(word));
	}
}

function compoundOf(wp, table, file) {
	const some = [0, 1, 2, 3, 4], position = some.map((i) => [0.5 * i, 0.25 * (i * i % 3), -0.25 * i]);
	return new wp.Compound(table, { position, rotation: file.rotationA.subarray(0, 20), shape: file.shapeA.subarray(0, 5), tag: some });
}

/* The same compound on the hills; every fourth body has the shape of B. */
function compoundMeshDigestOf(wp, file, variant) {
	const digest = new RowDigest(), workspace = new wp.Workspace(variant), field = hillsOf(wp);
	const shapes = file.shapes.map((shape) => makeShape(wp, shape)), table = new wp.ShapeTable(shapes), compound = compoundOf(wp, table, file);
	const { rows, position, batch } = bodiesOnHills(wp, file, table, field, 1, compound);
	const { separation, normal, status, triangleCount, manifolds } = workspace.compoundMeshContact(batch, { maxSeparation: Math.fround(0.02) });
	for (let row = 0; row < rows; row++) {
		digest.addFloats([separation[row], ...normal.subarray(3 * row, 3 * row + 3)]);
		digest.add([], triangleCount[row], wp.statusWords(status[row]));
		manifolds[row].forEach((patch) => addCompoundMeshPatch(digest, patch));
	}
	[batch, position, compound, field, table, ...shapes, workspace].forEach((thing) => thing.dispose());
	return digest.text();
}

/* By the other queries; casts go down from above, and turn. */
function compoundMeshQueriesDigestOf(wp, file, variant) {
	const digest = new RowDigest(), workspace = new wp.Workspace(variant), field = hillsOf(wp);
	const shapes = file.shapes.map((shape) => makeShape(wp, shape)), table = new wp.ShapeTable(shapes), compound = compoundOf(wp, table, file);
	const { rows, position, batch } = bodiesOnHills(wp, file, table, field, 1, compound);
	const add = (results) => addRows(wp, digest, results, rows, ['child', 'triangle']);
	add(workspace.compoundMeshOverlap(batch));
	add(workspace.compoundMeshDistance(batch));
	position.view.set(placesOnHills(rows, 2.5));
	add(workspace.compoundMeshCast(batch, { translation: Array.from({ length: rows }, () => [0.25, -3, 0]), rotation: file.rotationA.subarray(0, 4 * rows) }));
	[batch, position, compound, field, table, ...shapes, workspace].forEach((thing) => thing.dispose());
	return digest.text();
}

/* Rows, and whose answers they are. */
function addRows(wp, digest, results, rows, beside) {
	for (let row = 0; row < rows; row++) {
		digest.add(floatColumns.flatMap(([name, width]) => Array.from(results[name].subarray(row * width, (row + 1) * width))),
			results.iterations[row], wp.statusWords(results.status[row]), results.fraction ? [results.fraction[row]] : []);
		beside.forEach((name) => digest.addWord(results[name][row]));
	}
}

function addCompoundMeshPatch(digest, { normal, separation, points }) {
	digest.addFloats([...normal, separation]);
	for (const point of points) {
		digest.addFloats([...point.localA, ...point.localB, point.separation]);
		[point.triangle, point.featureA, point.featureB, point.child].forEach((word) => digest.addWord(word));
	}
}

/* A compound in the place of each A, and of every third B. */
function compoundRowsOf(wp, table, compound, file, a, b) {
	return new wp.CompoundBatch({ shapes: table, compounds: [compound], count: Math.min(file.count, 300), a: { ...a, shape: Array.from(file.shapeA, () => wp.compoundShape) },
		b: { ...b, shape: Array.from(file.shapeB, (own, i) => (i % 3 === 0 ? wp.compoundShape : own)) } });
}

/* By all queries. */
function compoundDigestOf(wp, file, variant) {
	const rows = Math.min(file.count, 300), digest = new RowDigest(), workspace = new wp.Workspace(variant);
	const shapes = file.shapes.map((shape) => makeShape(wp, shape)), table = new wp.ShapeTable(shapes), compound = compoundOf(wp, table, file);
	const { a, b } = bodiesOf(file), batch = compoundRowsOf(wp, table, compound, file, a, b);
	const add = (results) => addRows(wp, digest, results, rows, ['childA', 'childB']);
	const far = Math.fround(0.02), way = new Float32Array(3 * file.count).map((_, i) => 2 * Math.fround(file.positionA[i] - file.positionB[i]));
	add(workspace.compoundOverlap(batch));
	add(workspace.compoundDistance(batch));
	add(workspace.compoundContact(batch, far));
	for (const patch of workspace.compoundContactManifold(batch, { maxSeparation: far }).manifolds.flat())
		addCompoundPatch(digest, patch);
	add(workspace.compoundCast(batch, null, { translation: way }));
	[batch, compound, table, ...shapes, workspace].forEach((thing) => thing.dispose());
	return digest.text();
}

/* In frames, B moves as in frameDigestOf. */
function compoundFrameDigestOf(wp, file, variant) {
	const count = 16, rows = Math.min(file.count, 300), digest = new RowDigest(), workspace = new wp.Workspace(variant);
	const shapes = file.shapes.map((shape) => makeShape(wp, shape)), table = new wp.ShapeTable(shapes), compound = compoundOf(wp, table, file);
	const { a, b } = bodiesOf(file), move = nearerAndAway(wp, b, count);
	const batch = compoundRowsOf(wp, table, compound, file, a, { ...b, ...move.to }), tracked = new wp.CompoundTracked(rows);
	for (let frame = 0; frame < count; frame++) {
		move.step(frame);
		workspace.compoundTrack(batch, tracked, { maxSeparation: Math.fround(0.02) }).changed.forEach((row) => digest.addWord(row));
		for (let i = 0; i < rows; i++) {
			const { separation, event, words, patches } = tracked.pair(i);
			digest.add([separation], event, words);
			for (const patch of patches) {
				addCompoundPatch(digest, patch);
				for (const { armA, armB, age } of patch.points) {
					digest.addFloats([...armA, ...armB]);
					digest.addWord(age);
				}
			}
		}
	}
	[batch, tracked, ...Object.values(move.to), compound, table, ...shapes, workspace].forEach((thing) => thing.dispose());
	return digest.text();
}

function addCompoundPatch(digest, { normal, separation, childA, childB, words, points }) {
	digest.addFloats([...normal, separation]);
	[childA, childB, ...words.join('|')].forEach((word) => digest.addWord(typeof word === 'number' ? word : word.charCodeAt(0)));
	for (const point of points) {
		digest.addFloats([...point.pointA, ...point.pointB, ...point.localA, ...point.localB, point.separation]);
		[point.featureA, point.featureB].forEach((word) => digest.addWord(word));
	}
}

const digestsBeside = { boxes: boxesDigestOf, frames: frameDigestOf, 'mesh-frames': meshFrameDigestOf, compounds: compoundDigestOf,
	'compound-frames': compoundFrameDigestOf, 'compound-meshes': compoundMeshDigestOf, 'compound-mesh-queries': compoundMeshQueriesDigestOf,
	'compound-mesh-frames': (wp, file, variant) => meshFrameDigestOf(wp, file, variant, true) };

function checkDigests({ wp, files, digests }) {
	let checked = 0;
	for (const [key, expected] of digests) {
		const [name, query] = key.split(' ');
		if (!files.has(name))
			continue;
		for (const variant of wp.variants())
			equal(digestsBeside[query]?.(wp, files.get(name), variant) ?? digestOf(wp, files.get(name), queries[query], variant), expected,
				`${key} by ${variant}`);
		checked++;
	}
	if (checked === 0)
		fail('no digest was checked');
}

/* A digest must notice one bit, and a file another position. */
function checkDigestNotices({ wp, files, digests }) {
	const digest = (value) => {
		const rows = new RowDigest();
		rows.add([0, value], 1, ['separated']);
		return rows.text();
	};
	if (digest(1) === digest(1 + 2 ** -23) || digest(0) === digest(-0))
		fail('another bit has the same digest');
	const file = files.get('rec_wall'), positionB = file.positionB.slice();
	positionB[1] += 1e-3;
	if (digestOf(wp, { ...file, positionB }, queries.contact, 'auto') === digests.get('rec_wall contact'))
		fail('another position has the same digest');
}

function checkVariants({ wp }) {
	equal(wp.variants().join(), 'scalar,wasm', 'variants');
	equal(new wp.Workspace().variant, 'wasm', 'the variant of auto');
	equal(/^\d+\.\d+\.\d+$/.test(wp.version()), true, `version ${wp.version()}`);
}

/* Casts, directed depths and manifolds: one pair, batches in the module's memory and ordinary arrays, either variant. */
function checkForms({ wp }) {
	const { box, ball, a, description } = sample(wp);
	const shapes = [box, box, ball], pose = (i) => ({ position: a.position.slice(3 * i, 3 * i + 3), rotation: identity });
	const batch = new wp.Batch({ ...description, a: { position: wp.allocate(Float32Array, a.position),
		rotation: wp.allocate(Float32Array, a.rotation), shape: wp.allocate(Uint32Array, a.shape) },
		pairs: wp.allocate(Uint32Array, [0, 1, 1, 2, 0, 2]) });
	const translation = [0, 0, 0, 0.5, 0, 0, -3, 0, 0], direction = [1, 2, 3, 1, 2, 3, 1, 2, 3], d = [1, 2, 3];
	const moved = (i) => ({ ...pose(i), position: pose(i).position.map((x, k) => x + translation[3 * i + k]) });
	const forms = [
		['overlap', (w, b, r) => w.overlap(b, r), (w, i, k) => w.overlapPair(shapes[i], pose(i), shapes[k], pose(k))],
		['distance', (w, b, r) => w.distance(b, r), (w, i, k) => w.distancePair(shapes[i], pose(i), shapes[k], pose(k))],
		['contact', (w, b, r) => w.contact(b, 0.5, r), (w, i, k) => w.contactPair(shapes[i], pose(i), shapes[k], pose(k), 0.5)],
		['contactManifold', (w, b, r) => w.contactManifold(b, 0.5, r),
			(w, i, k) => w.contactManifoldPair(shapes[i], pose(i), shapes[k], pose(k), 0.5)],
		['cast', (w, b, r) => w.cast(b, { translation }, undefined, r),
			(w, i, k) => w.castPair(shapes[i], pose(i), shapes[k], pose(k), moved(i), moved(k))],
		['depthAlong', (w, b, r) => w.depthAlong(b, direction, r),
			(w, i, k) => w.depthAlongPair(shapes[i], pose(i), shapes[k], pose(k), d)],
	];
	for (const [name, run, runPair] of forms)
		for (const variant of wp.variants()) {
			const workspace = new wp.Workspace(variant);
			const results = new wp.Results(3, ['separation', 'normal', 'pointA', 'pointB', 'lower', 'upper', 'status', 'iterations',
				'fraction', 'manifold']);
			equal(run(workspace, batch, results), results, `${name}: what a call with results returns`);
			const copied = run(workspace, description);
			description.pairs.forEach(([i, k], row) => {
				const single = runPair(workspace, i, k);
				for (const [field, width] of [...floatColumns, ['status', 1]]) {
					const what = `${name} by ${variant}, row ${row}, ${field}`, expected = [single[field]].flat();
					equalBits(results[field].subarray(row * width, (row + 1) * width), expected, what);
					equalBits(copied[field].subarray(row * width, (row + 1) * width), expected, `${what}, copied`);
				}
				if (name === 'cast')
					equal(results.fraction[row], single.fraction, `${name} by ${variant}, row ${row}, fraction`);
				if (name === 'contactManifold') {
					equal(JSON.stringify(results.manifold(row)), JSON.stringify(single.points), `row ${row}, points`);
					equal(JSON.stringify(copied.manifolds[row]), JSON.stringify(single.points), `row ${row}, copied points`);
				}
			});
			equal(results.statistics.rows, 3, `${name}: rows counted`);
		}
}

/* Answers known by hand. */
function checkAnswers({ wp }) {
	const { box, ball } = sample(wp), workspace = new wp.Workspace(), at = (x, y, z) => ({ position: [x, y, z] });
	const near = (found, expected, what) => Math.abs(found - expected) <= 1e-5 || fail(`${what}: ${found}, not ${expected}`);
	const contact = workspace.contactManifoldPair(box, {}, box, at(0, 1.75, 0), 0.1);
	near(contact.separation, -0.25, 'two boxes');
	near(contact.normal[1], 1, 'their normal');
	equal(contact.points.length, 4, 'their points');
	equal(contact.words.join(), 'penetrating', 'their words');
	near(workspace.contactPair(ball, {}, box, at(3, 0, 0)).separation, 1, 'a sphere and a box');
	near(workspace.castPair(ball, at(0, 0, 0), ball, at(6, 0, 0), at(4, 0, 0)).fraction, 1, 'a cast');
	near(workspace.depthAlongPair(box, {}, box, at(1.5, 0, 0), [0, 1, 0]).separation, -2, 'depth along y');
	const kinds = { point: [], sphere: [1], segment: [[0, -1, 0], [0, 1, 0], 0.5], capsule: [0.5, 1],
		triangle: [[1, 0, 0], [-1, 0, 0], [0, 1, 0], 0.1], box: [1, 2, 3, 0.5], hull: [[0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1], [], 0.25],
		cylinder: [3, 4, 0.5], cone: [1, 2, 0.25], ellipsoid: [1, 2, 0.5, 0.125] };
	const bounds = { point: 0, sphere: 1, segment: 1.5, capsule: 1.5, triangle: 1.1, box: Math.sqrt(14) + 0.5, hull: 1.25,
		cylinder: 5.5, cone: Math.sqrt(5) + 0.25, ellipsoid: 2.125 };
	near(workspace.contactPair(wp.shape.cylinder(1, 2), {}, ball, at(0, 4, 0)).separation, 1, 'a cylinder and a sphere above it');
	near(workspace.contactPair(wp.shape.cylinder(1, 2, 0.5), {}, ball, at(4, 1, 0)).separation, 1.5, 'and beside it, rounded');
	near(workspace.contactPair(wp.shape.cone(1, 2), {}, ball, at(0, 4, 0)).separation, 1, 'a cone and a sphere above it');
	near(workspace.contactPair(wp.shape.cone(3, 2), {}, ball, at(4, 3, 0)).separation, 3.8 - 1, 'a cone and a sphere beside its slope');
	near(workspace.contactPair(wp.shape.ellipsoid(1, 2, 3), {}, ball, at(0, 0, 5)).separation, 1, 'an ellipsoid and a sphere');
	for (const kind in kinds) {
		const shape = wp.shape[kind](...kinds[kind]);
		equal(shape.kind, kind, 'kind');
		near(shape.bound, bounds[kind], `bound of a ${kind}`);
		near(workspace.contactPair(wp.shape.point(), at(0, 100, 0), shape, at(0, 100, 0)).normal.reduce((s, x) => s + x * x, 0), 1, kind);
	}
}

/* ---- memory ------------------------------------------------------------------------------------- */

/* Everything that was made before the memory grew works after it. */
function checkGrowth({ wp }) {
	const { description } = sample(wp), workspace = new wp.Workspace();
	const positions = wp.allocate(Float32Array, description.a.position);
	const batch = new wp.Batch({ ...description, a: { ...description.a, position: positions } });
	const results = new wp.Results(3), before = workspace.contact(batch, Infinity, results).copy();
	const view = positions.view, bytes = wp.memory.buffer.byteLength;
	const large = wp.allocate(Float32Array, 16 * 2 ** 20);
	if (wp.memory.buffer.byteLength <= bytes)
		fail('the memory has not grown');
	equal(view.length, 0, 'length of an old view');
	equalBits(positions.view, new Float32Array(description.a.position), 'positions');
	equalBits(results.separation, before.separation, 'results of before');
	equalBits(workspace.contact(batch, Infinity, results).normal, before.normal, 'results of after');
	large.view[large.length - 1] = 1;
	large.dispose();
	refuses(() => wp.allocate(Float64Array, 2 ** 29 - 1), 'WidephaseError', 'allocate: no memory for');
	equalBits(workspace.contact(batch).separation, before.separation, 'after memory was refused');
}

/* A module of its own after `prepare`, whose memory has no room for the smallest block. How many blocks fit is known from
 * modules that were filled until they grew. */
async function fullModule(wp, load, prepare) {
	const counts = [], sizes = [65536, 512, 1];
	const start = async () => {
		const fresh = await load({ wasm: wp.module }), prepared = prepare(fresh);
		counts.forEach((count, i) => Array.from({ length: count }, () => fresh.allocate(Uint8Array, sizes[i])));
		return { fresh, prepared };
	};
	for (const size of sizes) {
		const { fresh } = await start(), { memory } = fresh, bytes = memory.buffer.byteLength;
		let count = -1;
		for (; memory.buffer.byteLength === bytes; count++)
			fresh.allocate(Uint8Array, size);
		counts.push(count);
	}
	return start();
}

/* Calls whose memory grows while they run: `run` is given what `prepare` made, and returns numbers. */
const growing = {
	'views of a batch': [(wp) => {
		const { shapes, a } = sample(wp), w = new wp.Workspace();
		const [position, rotation] = [a.position, a.rotation].map((values) => wp.allocate(Float32Array, values));
		const [shape, pairs] = [a.shape, [0, 1, 1, 2, 0, 2]].map((values) => wp.allocate(Uint32Array, values));
		return { w, shapes, position, rotation, shape, pairs };
	}, ({ w, shapes, position, rotation, shape, pairs }) => {
		const bodies = () => ({ position: position.view, rotation: rotation.view, shape: shape.view });
		return w.contact({ shapes, a: bodies(), b: bodies(), pairs: pairs.view }).separation;
	}],
	'views of motions': [(wp) => ({ w: new wp.Workspace(), description: sample(wp).description, way: wp.allocate(Float32Array, [0, 0, 0, 1, 0, 0, -4, 0, 0]) }),
		({ w, description, way }) => w.cast(description, { translation: way.view }, null).fraction],
	'a view of directions': [(wp) => ({ w: new wp.Workspace(), description: sample(wp).description, way: wp.allocate(Float32Array, [1, 0, 0, 1, 1, 0, 0, 1, 0]) }),
		({ w, description, way }) => w.depthAlong(description, way.view).separation],
	'a view of indices': [(wp) => ({ w: new wp.Workspace(), description: sample(wp).description, tracked: new wp.Tracked(3), index: wp.allocate(Uint32Array, [2, 0, 1]) }),
		({ w, description, tracked, index }) => w.track(description, tracked, { maxSeparation: 0.5, index: index.view }).changed],
	'views of motions on terrain': [(wp) => ({ w: new wp.Workspace(), description: terrain(wp).description, way: wp.allocate(Float32Array, 12) }),
		({ w, description, way }) => {
			way.view.fill(-3);
			return w.meshCast(description, { translation: way.view }).fraction;
		}],
	'views of motions of compounds': [(wp) => ({ w: new wp.Workspace(), description: dumbbells(wp).description, way: wp.allocate(Float32Array, 12) }),
		({ w, description, way }) => {
			way.view.fill(-3);
			return w.compoundCast(description, { translation: way.view }).fraction;
		}],
	'a view of indices on terrain': [(wp) => ({ w: new wp.Workspace(), description: terrain(wp).description, tracked: new wp.MeshTracked(4), index: wp.allocate(Uint32Array, [3, 2, 0, 1]) }),
		({ w, description, tracked, index }) => w.meshTrack(description, tracked, { maxSeparation: 0.02, index: index.view }).changed],
	'views of children': [(wp) => ({ wp, shapes: sample(wp).shapes, position: wp.allocate(Float32Array, [0, 0, 0, 4, 0, 0]), tag: wp.allocate(Uint32Array, [5, 6]) }),
		({ wp, shapes, position, tag }) => {
			const made = new wp.Compound(shapes, { position: position.view, tag: tag.view });
			return [made.childCount, made.upper[0], made.child(1).tag];
		}],
	'a view of indices of compounds': [(wp) => ({ w: new wp.Workspace(), description: dumbbells(wp).description, tracked: new wp.CompoundTracked(4), index: wp.allocate(Uint32Array, [3, 2, 0, 1]) }),
		({ w, description, tracked, index }) => w.compoundTrack(description, tracked, { maxSeparation: 0.02, index: index.view }).changed],
	'a view of the bytes of a compound': [(wp) => {
		const { bell } = dumbbells(wp);
		return { wp, bytes: wp.allocate(Uint8Array, bell.bytes) };
	}, ({ wp, bytes }) => new wp.Compound(bytes.view).upper],
	'views of bodies with boxes': [(wp) => {
		const { shapes, a } = sample(wp), [position, rotation] = [a.position, a.rotation].map((values) => wp.allocate(Float32Array, values));
		return { wp, shapes, position, rotation, shape: wp.allocate(Uint32Array, a.shape) };
	}, ({ wp, shapes, position, rotation, shape }) =>
		wp.bodiesBounds(shapes, { position: position.view, rotation: rotation.view, shape: shape.view }, 0.5).lower],
	'views of rays': [(wp) => {
		const { field } = terrain(wp), start = [5, 9, 5, 4, 9, 6, 14.5, 20, 9], way = [0, -10, 0, 0, -10, 0, 0, -40, 0];
		return { field, start: wp.allocate(Float32Array, start), way: wp.allocate(Float32Array, way) };
	}, ({ field, start, way }) => field.rays(start.view, way.view).fraction],
	'views of motions of compounds on terrain': [(wp) => ({ w: new wp.Workspace(), description: tables(wp).description, way: wp.allocate(Float32Array, 9) }),
		({ w, description, way }) => {
			way.view.fill(-3);
			return w.compoundMeshCast(description, { translation: way.view }).fraction;
		}],
	'a view of indices of compounds on terrain': [(wp) => ({ w: new wp.Workspace(), description: tables(wp).description, tracked: new wp.MeshTracked(3), index: wp.allocate(Uint32Array, [2, 0, 1]) }),
		({ w, description, tracked, index }) => w.compoundMeshTrack(description, tracked, { maxSeparation: 0.02, index: index.view }).changed],
	'a view of heights': [(wp) => ({ wp, heights: wp.allocate(Float32Array, [1, 2, 3, 4]) }),
		({ wp, heights }) => new wp.HeightField(heights.view, 2, 2).triangle(0).corners.flat()],
	'a view of what an array has': [(wp) => ({ wp, values: wp.allocate(Float32Array, [1, 2, 3, 4]) }),
		({ wp, values }) => wp.allocate(Float64Array, values.view).view],
};

async function checkGrowthInside({ wp, load }) {
	for (const [name, [prepare, run]] of Object.entries(growing)) {
		const { fresh, prepared } = await fullModule(wp, load, prepare), bytes = fresh.memory.buffer.byteLength;
		const found = run(prepared);
		equal(fresh.memory.buffer.byteLength > bytes, true, `${name}: the memory grows`);
		equalBits(found, run(prepare(await load({ wasm: wp.module }))), name);
	}
}

/* What is read from results has all of its points, also where a status is put in words for the first time. */
async function checkGrowthAtWords({ wp, load }) {
	const touch = (own) => {
		const { description } = dumbbells(own), results = new own.CompoundContacts(4);
		return new own.Workspace().compoundContactManifold(description, { maxSeparation: 0.02 }, results);
	};
	const { prepared } = await fullModule(wp, load, touch);
	equalBits(prepared.patch(0).map(({ points }) => points.length), [4, 4], 'points of patches');
	equal(JSON.stringify((await fullModule(wp, load, touch)).prepared.copy().manifolds), JSON.stringify(touch(wp).copy().manifolds), 'all patches');
}

/* A view of before the memory grew has no numbers: nothing takes it for an empty array. */
function checkOldViews({ wp }) {
	const { shapes, a, description, bell } = dumbbells(wp), w = new wp.Workspace(), flat = a.position.flat();
	const position = wp.allocate(Float32Array, flat), double = wp.allocate(Float64Array, flat), bytes = wp.allocate(Uint8Array, bell.bytes);
	const old = [position.view, double.view, bytes.view];
	wp.memory.grow(1);
	const text = 'is a view of memory that has grown since; take MemoryArray.view anew, or pass the MemoryArray';
	refuses(() => w.compoundContact({ ...description, a: { ...a, position: old[0] } }), 'TypeError', `Batch: a.position ${text}`);
	refuses(() => new wp.Compound(shapes, { position: old[1] }), 'TypeError', `Compound: children.position ${text}`);
	refuses(() => new wp.Compound(old[2]), 'TypeError', `Compound: bytes ${text}`);
	refuses(() => new wp.Mesh(old[2]), 'TypeError', `Mesh: bytes ${text}`);
	refuses(() => wp.bodiesBounds(shapes, { ...a, position: old[0] }), 'TypeError', `bodiesBounds: bodies.position ${text}`);
	refuses(() => terrain(wp).field.rays([0, 0, 0], old[0]), 'TypeError', `HeightField.rays: way ${text}`);
	refuses(() => wp.allocate(Float32Array, old[0]), 'TypeError', `allocate ${text}`);
	equal(w.compoundContact({ ...description, a: { ...a, position: position.view } }).statistics.touching, 3, 'a view of now');
	equal(wp.allocate(Float32Array, new Float32Array(0)).length, 0, 'an empty array');
	refuses(() => w.contact({ shapes, a: { ...a, position: new DataView(wp.memory.buffer) } }), 'TypeError', 'Batch: a.position must be an array');
}

/* Arrays of results are apart from each other, zero at first, also in memory that was in use, and there alone where they were requested. */
function checkArraysOfResults({ wp, wp2d }) {
	const made = {
		Results: [() => new wp.Results(5, ['overlap', 'pointA', 'status', 'manifold', 'status', 'childB', 'tangent2'], { pointMax: 3, doublePoints: true }),
			{ overlap: 'Uint8Array 5', pointA: 'Float64Array 15', status: 'Uint32Array 5', pointCount: 'Uint32Array 5', childB: 'Uint32Array 5',
				tangent2: 'Float32Array 15', points: `Float32Array ${15 * wp.pointWords}`, normal: undefined, fraction: undefined }],
		'Results of 2D': [() => new wp2d.Results(5, ['pointA', 'fraction']), { pointA: 'Float32Array 10', fraction: 'Float32Array 5', points: undefined, child: undefined }],
		MeshContacts: [() => new wp.MeshContacts(5), { separation: 'Float32Array 5', normal: 'Float32Array 15', status: 'Uint32Array 5', triangleCount: 'Uint32Array 5',
			patchCount: 'Uint32Array 5', children: undefined }],
		CompoundContacts: [() => new wp.CompoundContacts(5), { separation: 'Float32Array 5', normal: 'Float32Array 15', status: 'Uint32Array 5', pairCount: 'Uint32Array 5',
			patchCount: 'Uint32Array 5', triangleCount: undefined }],
		CompoundMeshContacts: [() => new wp.CompoundMeshContacts(5, { patchMax: 2 }), { children: 'Uint32Array 40', patchCount: 'Uint32Array 5', pairCount: undefined }],
	};
	for (const [name, [make, arrays]] of Object.entries(made)) {
		const names = Object.keys(arrays).filter((array) => arrays[array] !== undefined), { memory } = name.endsWith('2D') ? wp2d : wp;
		for (let round = 0; round < 3; round++) {
			const results = make();
			for (const array in arrays)
				equal(results[array] && `${results[array].constructor.name} ${results[array].length}`, arrays[array], `${name}: ${array}`);
			names.forEach((array) => equal(results[array].every((number) => Object.is(number, 0)), true, `${name}: zeros of ${array}`));
			names.forEach((array, i) => results[array].fill(i + 1));
			const view = results[names[0]];
			equal(results[names[0]], view, `${name}: the same view`);
			memory.grow(1);
			equal(view.length, 0, `${name}: a view of before`);
			names.forEach((array, i) => equal(results[array].every((number) => number === i + 1), true, `${name}: ${array} by itself`));
			results.dispose();
			refuses(() => results[names[0]], 'Error', 'MemoryArray.view: the array is disposed');
			equal(results.disposed, true, 'disposed');
		}
	}
	refuses(() => new wp.Results(2 ** 32 - 1, ['separation']), 'RangeError', 'Results: separation: length must be a whole number from 0 to 1073741824');
	refuses(() => new wp.MeshContacts(2 ** 31), 'RangeError', 'MeshContacts: separation: length must be a whole number from 0 to 1073741824');
	refuses(() => new wp.Results(2 ** 29, ['separation', 'lower']), 'WidephaseError', 'Results: no memory for 4294967');
}

/* A frame after frame of copies must not use up the memory. */
function checkNoLeak({ wp }) {
	const { description, box } = sample(wp), workspace = new wp.Workspace(), many = { pairs: new Uint32Array(4000), first: 2000, count: 0 };
	const frame = () => {
		const shape = wp.shape.hull([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]), table = new wp.ShapeTable([shape, box]);
		workspace.contactManifold({ ...description, shapes: table }, 1);
		workspace.contact({ ...description, shapes: table, ...many }, 1, null);
		workspace.cast(description, { translation: new Float32Array(9), rotation: description.a.rotation });
		const compound = new wp.Compound(table, { position: [[0, 0, 0], [1, 0, 0]] });
		workspace.compoundContactManifold({ ...description, shapes: table, compounds: [compound] }, { maxSeparation: 1 });
		refuses(() => workspace.compoundOverlap({ ...description, shapes: table, compounds: [compound, 1] }), 'TypeError', 'compounds[1]');
		refuses(() => new wp.Compound(table, { position: [NaN, 0, 0] }), 'WidephaseError', 'Compound: children');
		const field = new wp.HeightField([0, 0, 0, 0], 2, 2), on = { ...description, shapes: table, surfaces: [field], b: { position: [0, 0, 0], rotation: identity } };
		workspace.compoundMeshContact({ ...on, compounds: [compound], pairs: [[0, 0]] });
		refuses(() => workspace.compoundMeshContact({ ...on, compounds: [compound, 1] }), 'TypeError', 'compounds[1]');
		workspace.compoundMeshDistance({ ...on, compounds: [compound], pairs: [[0, 0]] });
		refuses(() => workspace.compoundMeshCast({ ...on, compounds: [compound] }, { translation: [0] }), 'RangeError', 'motionsA.translation');
		const pool = new wp.MeshTracked(100), pairs = new wp.CompoundTracked(100);
		workspace.compoundTrack({ ...description, shapes: table, compounds: [compound] }, pairs, { maxSeparation: 1 });
		refuses(() => workspace.compoundTrack({ ...description, shapes: table, compounds: [compound] }, pairs, { maxSeparation: 1, index: [0] }), 'RangeError', 'index');
		pairs.dispose();
		workspace.compoundMeshTrack({ ...on, compounds: [compound], pairs: [[0, 0]] }, pool, { maxSeparation: 0 });
		wp.bodiesBounds(table, description.a);
		refuses(() => wp.bodiesBounds(table, description.a, 0, { lower: [] }), 'TypeError', 'bounds.lower');
		field.rays(new Float32Array(300), new Float32Array(300));
		refuses(() => field.rays(new Float32Array(300), [0]), 'RangeError', 'way');
		workspace.meshContact({ ...on, ...many }, 0, null);
		field.dispose();
		compound.dispose();
		pool.dispose();
		table.dispose();
		shape.dispose();
		new wp.Workspace('scalar').dispose();
		new wp.Results(1000, ['manifold']).dispose();
		refuses(() => workspace.contact({ ...description, pairs: [0, 1, 2] }), 'RangeError', 'pairs');
		refuses(() => wp.shape.hull([0, 0, NaN]), 'WidephaseError', 'shape.hull');
		refuses(() => wp.shape.sphere(-1), 'RangeError', 'shape.sphere');
	};
	frame();
	const bytes = wp.memory.buffer.byteLength;
	for (let i = 0; i < 500; i++)
		frame();
	equal(wp.memory.buffer.byteLength, bytes, 'bytes of memory');
}

/* Bodies as an engine keeps them, one struct after the other, floats and indices mixed. */
function checkColumns({ wp }) {
	const { description } = sample(wp), workspace = new wp.Workspace();
	const bodies = wp.allocate(Float32Array, 30), words = bodies.as(Uint32Array);
	for (let i = 0; i < 3; i++) {
		bodies.view.set([...description.a.position.slice(3 * i, 3 * i + 3), ...identity], 10 * i);
		words.view[10 * i + 8] = description.a.shape[i];
	}
	const a = { position: bodies.column(0, 10), rotation: bodies.column(3, 10), shape: words.column(8, 10) };
	const batch = new wp.Batch({ ...description, a });
	equalBits(workspace.contact(batch).separation, workspace.contact(description).separation, 'separation');
	bodies.view[10] = 1.5;
	if (workspace.contact(batch).separation[0] > -0.4)
		fail('a batch does not see what changed in its memory');
	const row = workspace.contact({ ...description, a, first: 1, count: 1 });
	equal(row.statistics.rows, 1, 'rows of a range');
	equal(row.status[0], 0, 'status of a row before the range');
	const chain = wp.allocate(Uint32Array, [0, 1, 2]);
	equalBits(workspace.contact({ ...description, a, pairs: chain.column(0, 1) }).separation,
		workspace.contact({ ...description, a, pairs: [[0, 1], [1, 2]] }).separation, 'pairs of a chain');
	refuses(() => workspace.contact({ ...description, a: { ...a, rotation: bodies.column(3, 2) } }), 'RangeError',
		'Batch: a.rotation must have a stride of 4 or more, but has 2');
}

/* Vertices as a renderer keeps them, with numbers between. */
function checkHullColumns({ wp, wp2d }) {
	const corners = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], faces = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
	const vertices = wp.allocate(Float32Array, [9, ...corners.flatMap((corner) => [...corner, 9, 9])]), { box } = sample(wp);
	const shape = wp.shape.hull(vertices.column(1, 5), faces), packed = wp.shape.hull(corners, faces), w = new wp.Workspace();
	equal(shape.bound, 1, 'bound');
	equal(JSON.stringify(w.contactManifoldPair(shape, {}, box, { position: [0, 1.5, 0] })),
		JSON.stringify(w.contactManifoldPair(packed, {}, box, { position: [0, 1.5, 0] })), 'a contact');
	refuses(() => wp.shape.hull(vertices.column(1, 2), faces), 'RangeError', 'shape.hull: vertices must have a stride of 3 or more, but has 2');
	const flat = wp2d.allocate(Float32Array, [0, 0, 9, 1, 0, 9, 0, 1, 9]);
	equal(wp2d.shape.polygon(flat.column(0, 3)).bound, 1, 'bound of a polygon');
}

function checkDouble({ wp }) {
	const { description } = sample(wp), workspace = new wp.Workspace(), far = 1e9;
	const position = new Float64Array(description.a.position.map((x) => Math.fround(x) + far));
	const near = workspace.contact(description);
	const results = new wp.Results(3, ['separation', 'pointA'], { doublePoints: true });
	workspace.contact({ ...description, a: { ...description.a, position } }, Infinity, results);
	for (let row = 0; row < 3; row++)
		if (Math.abs(results.separation[row] - near.separation[row]) > 1e-6 ||
			Math.abs(results.pointA[3 * row] - far - near.pointA[3 * row]) > 1e-5)
			fail(`row ${row}: ${results.separation[row]} at ${results.pointA[3 * row]}`);

	/* Ordinary numbers follow the other side; two typed arrays of different types are refused. */
	const { a } = description, rows = { shapes: description.shapes, pairs: description.pairs }, numbers = Array.from(position);
	const both = workspace.contact({ ...rows, a: { ...a, position }, b: { ...a, position } }).separation;
	const column = wp.allocate(Float64Array, position).column(0, 3);
	for (const [one, other] of [[position, numbers], [numbers, position], [numbers, column]])
		equalBits(workspace.contact({ ...rows, a: { ...a, position: one }, b: { ...a, position: other } }).separation, both, 'double and ordinary numbers');
	refuses(() => workspace.contact({ ...rows, a: { ...a, position }, b: { ...a, position: new Float32Array(9) } }), 'TypeError',
		'Batch: a.position is a Float64Array, but b.position a Float32Array; give both as Float64Array');
}

function checkCaches({ wp, files }) {
	const file = files.get('rec_meshes'), workspace = new wp.Workspace();
	const shapes = new wp.ShapeTable(file.shapes.map((shape) => makeShape(wp, shape)));
	const cache = wp.allocate(Uint32Array, file.count * wp.cacheWords);
	const cold = workspace.contact({ shapes, ...bodiesOf(file) });
	const batch = new wp.Batch({ shapes, ...bodiesOf(file), cache });
	equalBits(workspace.contact(batch).separation, cold.separation, 'separation with empty caches');
	const warm = workspace.contact(batch), sum = (array) => array.reduce((total, x) => total + x, 0);
	if (sum(warm.iterations) > 0.6 * sum(cold.iterations))
		fail(`${sum(warm.iterations)} steps with caches, ${sum(cold.iterations)} without`);
}

/* Shapes of a table: the bits of the other calls, a cache that helps, and a table that is held. */
function checkPrepared({ wp }) {
	const { box, ball, shapes } = sample(wp), a = {}, b = { position: [1.75, 0.5, 0.25], rotation: [0.6, 0, 0, 0.8] };
	const away = { position: [5, 0.5, 0.25], rotation: b.rotation }, direction = [1, 2, 3];
	const calls = [
		['overlap', (w) => w.overlapPair(box, a, ball, b), (w, p) => w.overlapPrepared(p, a, b)],
		['distance', (w) => w.distancePair(box, a, ball, b), (w, p) => w.distancePrepared(p, a, b)],
		['contact', (w) => w.contactPair(box, a, ball, b, 0.5), (w, p) => w.contactPrepared(p, a, b, 0.5)],
		['contactManifold', (w) => w.contactManifoldPair(box, a, ball, b, 0.5), (w, p) => w.contactManifoldPrepared(p, a, b, 0.5)],
		['cast', (w) => w.castPair(box, a, ball, away, null, b), (w, p) => w.castPrepared(p, a, away, null, b)],
		['depthAlong', (w) => w.depthAlongPair(box, a, ball, b, direction), (w, p) => w.depthAlongPrepared(p, a, b, direction)],
	];
	for (const variant of wp.variants())
		for (const [name, run, runPrepared] of calls) {
			const workspace = new wp.Workspace(variant), pair = new wp.Pair(shapes, 0, 1);
			equal(JSON.stringify(runPrepared(workspace, pair)), JSON.stringify(run(workspace)), `${name} of a prepared pair by ${variant}`);
			pair.dispose();
		}
	/* A barrel of 64 vertices: the cache keeps which of them were nearest. */
	const barrel = Array.from({ length: 64 }, (_, i) => [Math.cos(i * Math.PI / 16), (i >> 5) - 0.5, Math.sin(i * Math.PI / 16)]);
	const workspace = new wp.Workspace(), barrels = new wp.ShapeTable([wp.shape.hull(barrel), wp.shape.hull(barrel, [], 0.25)]);
	const pair = new wp.Pair(barrels, 0, 1, { cache: true }), ask = () => workspace.contactPrepared(pair, a, away);
	const cold = ask(), warm = ask();
	if (warm.iterations >= cold.iterations)
		fail(`${warm.iterations} steps with a cache, ${cold.iterations} without`);
	pair.forget();
	equal(JSON.stringify(ask()), JSON.stringify(cold), 'a pair that was forgotten');
	refuses(() => barrels.dispose(), 'Error', 'ShapeTable.dispose: still in use');
	refuses(() => new wp.Pair(barrels, 2, 0), 'RangeError', 'Pair: shapeA');
	refuses(() => workspace.contactPrepared(pair, a, { position: [1] }), 'TypeError', 'contactPrepared: poseB.position');
	refuses(() => workspace.contactPrepared(pair, a, away, -1), 'RangeError', 'contactPrepared: maxSeparation must be 0 or more');
	refuses(() => workspace.overlapPrepared({}, a, away), 'TypeError', 'overlapPrepared: pair must be a Pair');
	pair.dispose();
	pair.dispose();
	refuses(() => workspace.contactPrepared(pair, a, away), 'Error', 'contactPrepared: pair is disposed');
	barrels.dispose();
}

/* ---- tracked pairs ------------------------------------------------------------------------------ */

/* A box that lies, is lifted, and lies again, and one that is far away: events, ages, impulses, indices in any order. */
function checkTracked({ wp }) {
	const workspace = new wp.Workspace(), shapes = new wp.ShapeTable([wp.shape.halfSpace(), wp.shape.box(1, 1, 1)]);
	const position = wp.allocate(Float32Array, [0, 0, 0, 0, 0.99, 0, 0, 3, 0]);
	const batch = new wp.Batch({ shapes, a: { position, rotation: [...identity, ...identity, ...identity], shape: [0, 1, 1] },
		pairs: [[0, 1], [0, 2]] });
	const tracked = new wp.Tracked(1), index = [tracked.take(), tracked.take()].reverse(), [lying, far] = index;
	equal(`${index} of ${tracked.capacity}`, '1,0 of 3', 'indices');
	const frame = () => workspace.track(batch, tracked, { maxSeparation: 0.02, index });
	equal(frame().changed.join(), '0', 'rows that began');
	equal(tracked.pair(lying).event, wp.Event.BEGAN, 'the first event');
	equal(tracked.pair(lying).points.length, 4, 'points');
	equal(tracked.pair(lying).normal.join(), '0,1,0', 'the normal');
	tracked.setImpulse(lying, 2, [1, 2, 3]);
	tracked.reserve(100);
	const { changed, statistics } = frame();
	equal(`${changed.length} of ${statistics.rows}`, '0 of 2', 'rows that changed');
	equal(tracked.pair(lying).points.map(({ age }) => age).join(), '1,1,1,1', 'ages');
	equal(tracked.pair(lying).points[2].impulse.join(), '1,2,3', 'an impulse');
	equal(tracked.pair(far).event, wp.Event.KEPT, 'the event of what is far away');
	equal(tracked.pair(far).normal, undefined, 'its normal');
	position.view[4] = 2;
	const results = new wp.Results(2);
	equal(workspace.track(batch, tracked, { maxSeparation: 0.02, index }, results).changed.join(), '0', 'rows that ended');
	equal(tracked.pair(lying).event & wp.Event.ENDED, wp.Event.ENDED, 'the last event');
	equal(results.separation[1], tracked.pair(far).separation, 'the separation in the results');
	tracked.give(lying);
	equal(tracked.take(), lying, 'an index that was given back');
	equal(tracked.pairs.subarray(lying * wp.trackedWords, (lying + 1) * wp.trackedWords).every((word) => word === 0), true, 'zeros');
	refuses(() => tracked.give(7), 'RangeError', 'Tracked.give: pair 7 is not in use');
	refuses(() => tracked.pair(100), 'RangeError', 'Tracked.pair: index');
	refuses(() => tracked.setImpulse(far, 0, [0, 0, 0]), 'RangeError', 'has no points');
	refuses(() => workspace.track(batch, tracked), 'TypeError', 'track: options');
	refuses(() => workspace.track(batch, tracked, {}), 'TypeError', 'track: maxSeparation');
	refuses(() => workspace.track(batch, tracked, { maxSeparation: NaN, merging: 0 }), 'RangeError', 'track: maxSeparation must be 0 or more, but is NaN');
	refuses(() => workspace.track(batch, tracked, { maxSeparation: 1, merging: -1 }), 'RangeError', 'track: merging must be 0 or more, but is -1');
	refuses(() => workspace.track(batch, tracked, { maxSeparation: 1, reuseError: NaN }), 'RangeError', 'track: reuseError must be 0 or more');
	refuses(() => workspace.track(batch, tracked, { maxSeparation: 1, index: [0] }), 'RangeError', 'track: index must have 2 rows');
	refuses(() => workspace.track(batch, {}, { maxSeparation: 1 }), 'TypeError', 'track: tracked must be a Tracked');
	refuses(() => workspace.track(batch, tracked, { maxSeparation: 1, reuseError: 1 }), 'TypeError',
		'track: a reuseError above 0 needs new Tracked(capacity, { reuse: true })');
	const short = new wp.Tracked(1), outside = new wp.Results(2, ['status']);
	workspace.track(batch, short, { maxSeparation: 1 }, outside);
	equal((outside.status[1] & wp.Status.INVALID_TRACKED) !== 0, true, 'a row whose pair is out of range');
	short.dispose();
	refuses(() => short.pair(0), 'Error', 'Tracked.pair: this is disposed');
	refuses(() => workspace.track(batch, short, { maxSeparation: 1 }), 'Error', 'track: tracked is disposed');
}

/* A pool goes on from its snapshot as it did the first time, and has other arrays and indices. */
function checkSnapshots({ wp }) {
	const workspace = new wp.Workspace(), shapes = new wp.ShapeTable([wp.shape.box(1, 1, 1)]);
	const position = wp.allocate(Float32Array, [0, 0, 0, 0, 1.99, 0]);
	const mesh = new wp.HeightField(new Float32Array(81), 9, 9);
	const child = new wp.Compound(shapes, { position: [0, 0, 0] }), a = { position, rotation: [...identity, ...identity], shape: [0, 0] };
	const ground = { position: [-4, -0.99, -4], rotation: identity };
	const bodies = new wp.Batch({ shapes, a, pairs: [[0, 1]] }), grounded = new wp.MeshBatch({ shapes, surfaces: [mesh], a, b: ground, pairs: [[0, 0]] });
	const whole = new wp.CompoundBatch({ shapes, compounds: [child], a: { ...a, shape: [wp.compoundShape, 0] }, pairs: [[0, 1]] });
	const kinds = [['track', bodies, new wp.Tracked(1, { reuse: true, polytopes: true }), [0]], ['meshTrack', grounded, new wp.MeshTracked(1, { patchMax: 2 }), [0, 0]],
		['compoundTrack', whole, new wp.CompoundTracked(1, { patchMax: 3 }), [0, 0]]];
	for (const [call, batch, tracked, at] of kinds) {
		const index = [tracked.take()], frame = (pool) => workspace[call](batch, pool, { maxSeparation: 0.02, index });
		const bits = (pool) => JSON.stringify(pool.pair(index[0]));
		frame(tracked);
		tracked.setImpulse(index[0], ...at, [1, 2, 3]);
		const snapshot = tracked.copy(), before = bits(tracked);
		equal(`${snapshot instanceof tracked.constructor} ${snapshot.capacity} ${snapshot.patchMax}`, `true ${tracked.capacity} ${tracked.patchMax}`, `${call}: a copy`);
		equal(bits(snapshot), before, `${call}: what is kept`);
		position.view[1] = 0.001;
		frame(tracked);
		const after = bits(tracked);
		equal(after !== before, true, `${call}: a frame`);
		equal(bits(snapshot), before, `${call}: arrays of its own`);
		frame(snapshot);
		equal(bits(snapshot), after, `${call}: the same frame again`);
		position.view[1] = 0;
		snapshot.give(index[0]);
		equal(`${snapshot.take()},${snapshot.take()} of ${snapshot.capacity}, ${tracked.capacity}`, '0,1 of 3, 1', `${call}: indices of its own`);
		tracked.dispose();
		equal(snapshot.pair(1).status, 0, `${call}: after the other one was disposed`);
		refuses(() => tracked.copy(), 'Error', `${tracked.constructor.name}.copy: this is disposed`);
	}
}

/* Upright, with as many vertices around. */
function prismOf(wp, around) {
	const ring = (y) => Array.from({ length: around }, (_, i) => 2 * Math.PI * i / around).flatMap((turn) => [0.5 * Math.cos(turn), y, 0.5 * Math.sin(turn)]);
	const bottom = Array.from({ length: around }, (_, i) => i), top = bottom.map((i) => around + i).reverse();
	return wp.shape.hull([...ring(-0.5), ...ring(0.5)], [bottom, top, ...bottom.map((i) => [i, around + i, around + (i + 1) % around, (i + 1) % around])]);
}

/* A pool goes over to another table, or to another surface at the same index, once its pairs are zero. */
function checkTrackedAnew({ wp }) {
	const w = new wp.Workspace(), a = { position: [5, 1.5, 5, 0, 0, 0], rotation: [...identity, ...identity], shape: [0, 1] }, b = { position: [0, 0, 0], rotation: identity };
	const tracked = new wp.Tracked(1), meshTracked = new wp.MeshTracked(1), compoundTracked = new wp.CompoundTracked(1), limit = { maxSeparation: 0.02 };
	for (const size of [1, 2]) {
		const shapes = new wp.ShapeTable([wp.shape.box(size, size, size), wp.shape.halfSpace()]), surfaces = [new wp.HeightField(new Float32Array(144).fill(size - 1), 12, 12)];
		const of = { shapes, a, pairs: [[0, 1]] }, compounds = [new wp.Compound(shapes, { position: [0, 0, 0], shape: [0] })];
		const onMesh = { shapes, a, b, surfaces, pairs: [[0, 0]] }, ofCompounds = { ...of, compounds, a: { ...a, shape: [wp.compoundShape, 1] } };
		[tracked, meshTracked, compoundTracked].forEach((pool) => pool.pairs.fill(0));
		w.track(of, tracked, limit);
		w.meshTrack(onMesh, meshTracked, limit);
		w.compoundTrack(ofCompounds, compoundTracked, limit);
		equal(tracked.pair(0).points.length, size === 1 ? 0 : 4, `track: a box of ${size}`);
		equal(meshTracked.pair(0).separation, w.meshContact(onMesh, limit).separation[0], `meshTrack: a box of ${size}`);
		equal(compoundTracked.pair(0).separation, w.compoundContact(ofCompounds, 0.02).separation[0], `compoundTrack: a box of ${size}`);
	}
}

/* Prisms that overlap and move a little in each frame: their depths are proven again, so that most frames search for none. */
function checkPolytopes({ wp }) {
	const workspace = new wp.Workspace(), prisms = [prismOf(wp, 8), prismOf(wp, 7)], shapes = new wp.ShapeTable(prisms);
	const frames = (options) => {
		const position = wp.allocate(Float32Array, [0, 0, 0, 0.1, 0.8, 0]), tracked = new wp.Tracked(1, options), found = [];
		const batch = new wp.Batch({ shapes, a: { position, rotation: [...identity, 0.28, 0, 0, 0.96], shape: [0, 1] }, pairs: [[0, 1]] });
		let searched = 0;
		for (let frame = 0; frame < 100; frame++) {
			position.view[3] += frame % 4 < 2 ? 0.001 : -0.001;
			position.view[4] += frame % 6 < 3 ? 0.001 : -0.001;
			searched += Number(workspace.track(batch, tracked, { maxSeparation: 0.02 }).statistics.epaRows);
			const { separation } = tracked.pair(0);
			equal(separation < 0 && Math.abs(separation - workspace.contact(batch).separation[0]) < 6e-6, true, `depth ${separation} of frame ${frame}`);
			found.push(separation);
			tracked.reserve(tracked.capacity + 1);
		}
		[batch, position, tracked].forEach((thing) => thing.dispose());
		return { searched, found };
	};
	const proven = frames({ polytopes: true }), { searched } = frames();
	equal(proven.searched > 0 && 2 * proven.searched < searched, true, `${proven.searched} rows of ${searched} searched`);
	equalBits(frames({ polytopes: true }).found, proven.found, 'the same once more');
	[shapes, ...prisms, workspace].forEach((thing) => thing.dispose());
}

/* ---- persistent manifolds ----------------------------------------------------------------------- */

/* The same points as track keeps, where both find contacts anew; poses without a query; points added one by one. */
function checkPersistent({ wp }) {
	const workspace = new wp.Workspace(), ground = wp.shape.halfSpace(), box = wp.shape.box(1, 1, 1);
	const shapes = new wp.ShapeTable([ground, box]), position = wp.allocate(Float32Array, [0, 0, 0, 0, 0.99, 0]);
	const batch = new wp.Batch({ shapes, a: { position, rotation: [...identity, ...identity] }, pairs: [[0, 1]] });
	const tracked = new wp.Tracked(1), kept = new wp.Persistent(2), limits = { breaking: 0.02, sideways: Infinity, merging: 0.02 };
	const poseB = () => ({ position: Array.from(position.view.subarray(3, 6)) });
	for (let frame = 0; frame < 4; frame++) {
		position.view[4] += frame % 2 === 0 ? 0.004 : -0.004;
		workspace.track(batch, tracked, { maxSeparation: Math.fround(0.02) });
		tracked.pairs.fill(0, 0, wp.cacheWords);
		const { normal, points } = workspace.contactManifoldPair(ground, {}, box, poseB(), 0.02);
		kept.update(1, {}, poseB(), normal, points, limits);
		const { normal: n, points: p } = tracked.pair(0);
		equal(JSON.stringify(kept.pair(1)), JSON.stringify({ normal: n, points: p }), `what is kept in frame ${frame}`);
		[tracked, kept].forEach((one, i) => one.setImpulse(i, 2, [frame, 2, 3]));
	}
	equal(kept.pair(1).points.map(({ age }) => age).join(), '3,3,3,3', 'ages');
	equal(kept.pair(1).points[2].impulse.join(), '3,2,3', 'an impulse');
	equal(kept.pair(0).points.length, 0, 'points of another pair');
	const before = kept.pair(1).points[0].separation;
	position.view[4] += 0.0078125;
	kept.refresh(1, {}, poseB(), limits);
	equal(Math.abs(kept.pair(1).points[0].separation - before - 0.0078125) < 1e-6, true, 'a separation found anew');
	position.view[4] += 1;
	kept.refresh(1, {}, poseB(), limits, [0, 1, 0]);
	equal(JSON.stringify(kept.pair(1)), '{"points":[]}', 'what has come apart');
	for (const [x, z] of [[1, 1], [1, -1], [-1, 1], [-1, -1], [1, 1]])
		kept.add(1, {}, { position: [0, 1, 0] }, [0, 1, 0],
			{ localA: [x, 0, z], localB: [x, -1, z], separation: 0, featureA: 0, featureB: 0 }, { ...limits, sideways: 0.1 });
	equal(kept.pair(1).points.length, 4, 'points added');
	kept.update(1, {}, {}, [0, 0, 0], [], limits);
	equal(kept.pair(1).points.length, 0, 'points after none were found');
	equal(JSON.stringify(wp.thresholds(5)), JSON.stringify(Object.fromEntries(['breaking', 'sideways', 'merging'].map((name) =>
		[name, Math.fround(Math.fround(0.02) * 5)]))), 'thresholds of a size');
	for (const size of [-1, NaN])
		refuses(() => wp.thresholds(size), 'RangeError', `thresholds: size must be 0 or more, but is ${size}`);
	refuses(() => wp.thresholds('1'), 'TypeError', 'thresholds: size must be a number');
	const point = { localA: [0, 0, 0], localB: [0, 0, 0], separation: 0, featureA: 0, featureB: 0 }, up = [0, 1, 0];
	refuses(() => kept.update(2, {}, {}, up, [], limits), 'RangeError', 'Persistent.update: index');
	refuses(() => kept.update(0, {}, { position: [0] }, up, [], limits), 'TypeError', 'Persistent.update: poseB.position');
	refuses(() => kept.update(0, {}, {}, up, {}, limits), 'TypeError', 'Persistent.update: points');
	refuses(() => kept.update(0, {}, {}, up, Array(9).fill(point), limits), 'TypeError', 'at most 8');
	refuses(() => kept.update(0, {}, {}, up, [{ ...point, localB: [0, 0] }], limits), 'TypeError', 'points[0].localB must be 3 numbers');
	refuses(() => kept.update(0, {}, {}, up, [{ ...point, featureB: -1 }], limits), 'RangeError', 'points[0].featureB');
	refuses(() => kept.update(0, {}, {}, [0, 2, 0], [point], limits), 'WidephaseError', 'Persistent.update: a normal');
	refuses(() => kept.refresh(0, {}, {}), 'TypeError', 'Persistent.refresh: thresholds');
	refuses(() => kept.refresh(0, {}, {}, { ...limits, merging: -1 }), 'WidephaseError', 'threshold');
	refuses(() => kept.add(0, {}, {}, [0, 1], point, limits), 'TypeError', 'Persistent.add: normal must be 3 numbers');
	refuses(() => kept.setImpulse(0, 0, up), 'RangeError', 'has no points');
	kept.add(0, {}, {}, up, point, limits);
	kept.forget(0);
	equal(kept.pair(0).points.length, 0, 'points of a pair that was forgotten');
	kept.dispose();
	refuses(() => kept.pair(0), 'Error', 'Persistent.pair: this is disposed');
}

/* ---- boxes of bodies ---------------------------------------------------------------------------- */

function checkBounds({ wp, files }) {
	const shapes = new wp.ShapeTable([wp.shape.box(1, 2, 3), wp.shape.sphere(0.5), wp.shape.halfSpace()]), half = Math.SQRT1_2;
	const a = { position: [[0, 0, 5], [1, 1, 1], [0, 0, 0], [0, 0, 0], [NaN, 0, 0], [0, 0, 0]],
		rotation: [[0, 0, half, half], identity, identity, identity, identity, [0, 0, 0, 2]], shape: [0, 1, 2, 9, 0, 0] };
	const { lower, upper } = wp.bodiesBounds(shapes, a, 0.5);
	const near = (found, expected, what) => found.forEach((x, i) => x === expected[i] || Math.abs(x - expected[i]) < 1e-6 || fail(`${what}: ${found}, not ${expected}`));
	near([...lower.subarray(0, 6), ...upper.subarray(0, 6)], [-2.25, -1.25, 1.75, 0.25, 0.25, 0.25, 2.25, 1.25, 8.25, 1.75, 1.75, 1.75], 'boxes');
	equal(lower.every((x, i) => i >= 6 || x <= [-2.25, -1.25, 1.75, 0.25, 0.25, 0.25][i]), true, 'rounded outwards');
	equalBits([...lower.subarray(6, 9), ...upper.subarray(6, 9)], [-1, -1, -1, 1, 1, 1].map((x) => x * Infinity), 'of a half-space');
	for (const body of [3, 4, 5])
		equalBits([lower[3 * body], upper[3 * body + 2]], [Infinity, -Infinity], `of an invalid body ${body}`);

	/* Side by side in the module's memory, as a broadphase has them. */
	const boxes = wp.allocate(Float32Array, 36), bounds = { lower: boxes.column(0, 6), upper: boxes.column(3, 6) };
	equal(wp.bodiesBounds(shapes, a, 0.5, bounds), bounds, 'what a call with bounds returns');
	for (let i = 0; i < 6; i++)
		equalBits(boxes.view.subarray(6 * i, 6 * i + 6), [...lower.subarray(3 * i, 3 * i + 3), ...upper.subarray(3 * i, 3 * i + 3)], `box ${i}`);
	const shifted = (way) => new Float64Array(a.position.flat().map((x) => x + way)), far = shifted(2 ** 30), doubles = wp.allocate(Float64Array, 36);
	near([...wp.bodiesBounds(shapes, { ...a, position: far }, 0.5).upper.subarray(0, 3)], [2.25, 1.25, 8.25].map((x) => Math.fround(x + 2 ** 30 + 64)), 'far away');
	wp.bodiesBounds(shapes, { ...a, position: shifted(2 ** 24) }, 0.5, { lower: doubles.column(0, 6), upper: doubles.column(3, 6) });
	near([...doubles.view.subarray(0, 12)].map((x) => x - 2 ** 24), [-2.25, -1.25, 1.75, 2.25, 1.25, 8.25, 0.25, 0.25, 0.25, 1.75, 1.75, 1.75], 'far away in double');
	equalBits([...doubles.view.subarray(12, 18)], [-1, -1, -1, 1, 1, 1].map((x) => x * Infinity), 'of a half-space in double');
	equal(wp.bodiesBounds(shapes, { position: [], rotation: [] }).lower.length, 0, 'no bodies');

	/* Of recorded pairs: the boxes overlap where there is a contact. */
	const file = files.get('rec_wall'), table = new wp.ShapeTable(file.shapes.map((shape) => makeShape(wp, shape))), bodies = bodiesOf(file);
	const { separation } = new wp.Workspace().contact({ shapes: table, ...bodies }), [boxA, boxB] = [bodies.a, bodies.b].map((side) => wp.bodiesBounds(table, side, 0.125));
	let met = 0;
	for (let row = 0; row < file.count; row++) {
		const apart = [0, 1, 2].some((k) => boxA.lower[3 * row + k] > boxB.upper[3 * row + k] || boxB.lower[3 * row + k] > boxA.upper[3 * row + k]);
		equal(apart && separation[row] <= 0.125, false, `row ${row} is apart at ${separation[row]}`);
		met += !apart;
	}
	equal(met > file.count / 4, true, `${met} boxes meet`);
	refuses(() => wp.bodiesBounds([], a), 'TypeError', 'bodiesBounds: shapes must be a ShapeTable');
	refuses(() => wp.bodiesBounds(shapes), 'TypeError', 'bodiesBounds: bodies must be an object with position and rotation');
	refuses(() => wp.bodiesBounds(shapes, { ...a, rotation: identity }), 'RangeError', 'bodiesBounds: bodies.rotation must have 6 rows, but has 1');
	refuses(() => wp.bodiesBounds(shapes, a, -1), 'RangeError', 'bodiesBounds: maxSeparation must be 0 or more, but is -1');
	refuses(() => wp.bodiesBounds(shapes, a, 0, { ...bounds, upper: new Float32Array(18) }), 'TypeError', 'bodiesBounds: bounds.upper must be a MemoryArray or a column of one, since it is written');
	refuses(() => wp.bodiesBounds(shapes, a, 0, { ...bounds, lower: wp.allocate(Float32Array, 15) }), 'RangeError', 'bodiesBounds: bounds.lower must have 6 rows, but has 5');
	refuses(() => wp.bodiesBounds(shapes, a, 0, { ...bounds, lower: wp.allocate(Float64Array, 18) }), 'TypeError', 'bodiesBounds: bounds.lower is a Float64Array, but bounds.upper a Float32Array');
	refuses(() => wp.bodiesBounds(shapes, a, 0, { ...bounds, lower: wp.allocate(Uint32Array, 18) }), 'TypeError', 'bodiesBounds: bounds.lower must be a Float32Array or Float64Array');
}

/* ---- 2D ----------------------------------------------------------------------------------------- */

/* Two boxes, a circle and a capsule, some of which overlap. */
function sample2d(wp) {
	const box = wp.shape.box(1, 1), circle = wp.shape.circle(1), capsule = wp.shape.capsule(0.5, 1), bar = wp.shape.segment([-3, 0], [3, 0]);
	const shapes = new wp.ShapeTable([box, circle, capsule, bar]), c = Math.fround(Math.cos(0.5)), s = Math.fround(Math.sin(0.5));
	const a = { position: [0, 0, 1.875, 0.25, 5, 1, 0, -1.25, 0.25, 4], rotation: [1, 0, c, s, 0, 1, 0, 1, c, s], shape: [0, 0, 1, 2, 3] };
	const pairs = [0, 1, 2, 3, 4].flatMap((i) => [0, 1, 2, 3, 4].filter((k) => k > i).map((k) => [i, k]));
	return { list: [box, box, circle, capsule, bar], shapes, a, description: { shapes, a, pairs } };
}

function check2d({ wp2d: wp }) {
	const { list, shapes, a, description } = sample2d(wp), pose = (i) =>
		({ position: a.position.slice(2 * i, 2 * i + 2), rotation: a.rotation.slice(2 * i, 2 * i + 2) });
	const moved = (i) => ({ ...pose(i), position: pose(i).position.map((x, k) => x + translation[2 * i + k]) });
	const translation = [0, 0, -1, 0, -4, 0, 0, 1, 0, -3];
	const forms = [
		['overlap', (w, b, r) => w.overlap(b, r), (w, i, k) => w.overlapPair(list[i], pose(i), list[k], pose(k))],
		['distance', (w, b, r) => w.distance(b, r), (w, i, k) => w.distancePair(list[i], pose(i), list[k], pose(k))],
		['contact', (w, b, r) => w.contact(b, 0.5, r), (w, i, k) => w.contactPair(list[i], pose(i), list[k], pose(k), 0.5)],
		['contactManifold', (w, b, r) => w.contactManifold(b, 0.5, r),
			(w, i, k) => w.contactManifoldPair(list[i], pose(i), list[k], pose(k), 0.5)],
		['cast', (w, b, r) => w.cast(b, { translation }, undefined, r),
			(w, i, k) => w.castPair(list[i], pose(i), list[k], pose(k), moved(i), moved(k))],
	];
	const batch = new wp.Batch({ ...description, a: { position: wp.allocate(Float32Array, a.position),
		rotation: wp.allocate(Float32Array, a.rotation), shape: wp.allocate(Uint32Array, a.shape) } });
	const answers = new Map();
	for (const [name, run, runPair] of forms)
		for (const variant of wp.variants()) {
			const workspace = new wp.Workspace(variant), rows = description.pairs.length;
			const results = new wp.Results(rows, ['separation', 'normal', 'pointA', 'pointB', 'lower', 'upper', 'status', 'iterations',
				'localA', 'localB', 'overlap', 'fraction', 'manifold']);
			equal(run(workspace, batch, results), results, `${name}: what a call with results returns`);
			const copied = run(workspace, description);
			description.pairs.forEach(([i, k], row) => {
				const single = runPair(workspace, i, k), what = `${name} in 2D by ${variant}, row ${row}`;
				for (const [field, width] of [['separation', 1], ['normal', 2], ['pointA', 2], ['pointB', 2], ['lower', 1], ['upper', 1], ['status', 1]]) {
					equalBits(results[field].subarray(row * width, (row + 1) * width), [single[field]].flat(), `${what}, ${field}`);
					equalBits(copied[field].subarray(row * width, (row + 1) * width), [single[field]].flat(), `${what}, ${field} copied`);
				}
				if (name === 'cast')
					equal(results.fraction[row], single.fraction, `${what}, fraction`);
				if (name === 'contactManifold')
					equal(JSON.stringify(results.manifold(row)), JSON.stringify(single.points), `${what}, points`);
			});
			const bits = JSON.stringify([results.copy().separation, results.copy().normal, results.copy().manifolds]);
			equal(bits, answers.get(name) ?? bits, `${name} in 2D by ${variant}`);
			answers.set(name, bits);
		}
	equal(new wp.Workspace().track, undefined, 'track in 2D');
	equal(shapes.dimension + batch.dimension, 4, 'dimensions');
	const far = new wp.Workspace().contact({ ...description, a: { ...a, position: Float64Array.from(a.position, (x) => x + 2 ** 30) } });
	equal(far.separation.every((x, row) => Math.abs(x - new wp.Workspace().contact(description).separation[row]) < 1e-6), true, 'far away');
}

/* Answers known by hand, and what is refused. */
function checkAnswers2d({ wp2d: wp, wp: solid }) {
	const workspace = new wp.Workspace(), box = wp.shape.box(1, 1), circle = wp.shape.circle(1), at = (x, y) => ({ position: [x, y] });
	const near = (found, expected, what) => Math.abs(found - expected) <= 1e-5 || fail(`${what}: ${found}, not ${expected}`);
	const contact = workspace.contactManifoldPair(box, {}, box, at(0, 1.75), 0.1);
	near(contact.separation, -0.25, 'two boxes');
	equal(`${contact.normal}`, '0,1', 'their normal');
	equal(contact.points.map(({ localA }) => localA.length).join(), '2,2', 'their points');
	near(workspace.contactPair(circle, {}, box, at(3, 0)).separation, 1, 'a circle and a box');
	near(workspace.contactPair(wp.shape.capsule(0.5, 2), { rotation: [0, 1] }, circle, at(4, 0)).separation, 0.5, 'a capsule that lies');
	near(workspace.castPair(circle, at(0, 0), circle, at(6, 0), at(4, 0)).fraction, 1, 'a cast');
	near(workspace.castPair(box, {}, wp.shape.circle(0), at(0, 5), null, at(0, -5)).fraction, 0.4, 'a ray');
	near(workspace.contactPair(wp.shape.polygon([[0, 0], [4, 0], [0, 3]], 0.25), {}, circle, at(0.6 + 2, 0.8 + 1.5)).separation,
		Math.hypot(0.6, 0.8) - 1.25, 'a rounded triangle and a circle beside its slope');
	equal([box, circle].map(({ kind, bound }) => `${kind} ${bound.toFixed(4)}`).join(), 'polygon 1.4142,circle 1.0000', 'kinds and bounds');
	const table = new wp.ShapeTable([circle, null], { vertexMax: 4 }), description = { shapes: table,
		a: { position: [0, 0, 1.5, 0], rotation: [1, 0, 1, 0] }, pairs: [[0, 1]] };
	equal(workspace.contact(description).statistics.invalid, 1, 'rows without a shape');
	table.set(1, box);
	near(workspace.contact(description).separation[0], -0.5, 'a shape that was added');
	const round = wp.shape.polygon(Array.from({ length: 12 }, (_, i) => [Math.cos(i * Math.PI / 6), Math.sin(i * Math.PI / 6)]));
	refuses(() => table.set(1, round), 'RangeError', 'ShapeTable.set: ');
	near(workspace.contact(description).separation[0], -0.5, 'after a refusal');
	table.remove(1);
	equal(table.bound(1), 0, 'bound of a shape that was removed');
	refuses(() => circle.dispose(), 'Error', 'Shape.dispose: still in use');
	refuses(() => wp.shape.polygon([[0, 0], [0, 1], [1, 0]]), 'RangeError', 'shape.polygon: ');
	refuses(() => wp.shape.polygon([]), 'RangeError', 'shape.polygon: ');
	refuses(() => wp.shape.polygon([0, 0, 1]), 'RangeError', '2 numbers a row');
	refuses(() => wp.shape.circle(), 'TypeError', 'shape.circle: radius');
	refuses(() => wp.shape.circle(-1), 'RangeError', 'radius');
	refuses(() => wp.shape.segment([0, 0, 0], [1, 1]), 'TypeError', 'shape.segment: start must be 2 numbers');
	refuses(() => workspace.contactPair(circle, { rotation: [0, 0, 0, 1] }, circle, {}), 'TypeError', 'poseA.rotation must be 2 numbers');
	refuses(() => new wp.Results(1, ['tangent1']), 'RangeError', "'tangent1' is none of");
	refuses(() => new wp.Results(1, ['manifold'], { pointMax: 3 }), 'RangeError', 'pointMax');
	refuses(() => new wp.ShapeTable([], { vertexMax: 65 }), 'RangeError', 'vertexMax');
	refuses(() => new wp.ShapeTable([], { vertexMax: 0 }), 'RangeError', 'vertexMax');
	refuses(() => workspace.contactPair(solid.shape.sphere(1), {}, circle, {}), 'TypeError', /shapeA (belongs to another module|must be a Shape)/);
	refuses(() => workspace.contact({ ...description, a: { position: [0, 0, 1], rotation: [1, 0] } }), 'RangeError', '2 numbers a row');
	const bytes = wp.memory.buffer.byteLength;
	for (let i = 0; i < 2000; i++) {
		wp.shape.box(1, 1).dispose();
		new wp.ShapeTable([round, circle]).dispose();
		refuses(() => wp.shape.polygon([[0, 0], [0, 1], [1, 0]]), 'RangeError', 'shape.polygon: ');
	}
	equal(wp.memory.buffer.byteLength, bytes, 'bytes of memory');
}

/* ---- errors ------------------------------------------------------------------------------------- */

function checkArguments({ wp }) {
	const { box, shapes, a, description } = sample(wp), w = new wp.Workspace(), pair = (...rest) => w.contactPair(box, {}, box, ...rest);
	refuses(() => new wp.Workspace('avx2'), 'RangeError', 'Workspace: variant must be one of auto, scalar');
	refuses(() => new wp.Workspace('fast'), 'RangeError', 'Workspace: variant');
	refuses(() => wp.allocate(Int8Array, 1), 'TypeError', 'allocate: type');
	refuses(() => wp.allocate(Float32Array, -1), 'RangeError', 'allocate: length');
	refuses(() => wp.shape.sphere(), 'TypeError', 'shape.sphere: radius');
	refuses(() => wp.shape.sphere('1'), 'TypeError', 'shape.sphere: radius');
	refuses(() => wp.shape.sphere(NaN), 'RangeError', 'radius');
	refuses(() => wp.shape.capsule(1), 'TypeError', 'shape.capsule: halfHeight');
	refuses(() => wp.shape.box(1, '1', 1), 'TypeError', 'shape.box: halfY');
	refuses(() => wp.shape.cylinder(1), 'TypeError', 'shape.cylinder: halfHeight');
	refuses(() => wp.shape.cone(NaN, 1), 'RangeError', 'base_radius');
	refuses(() => wp.shape.cone(1, 1, '1'), 'TypeError', 'shape.cone: radius');
	refuses(() => wp.shape.ellipsoid(1, -1, 1), 'RangeError', 'half_extents');
	refuses(() => wp.shape.triangle([0, 0, 0], [0, 0], [0, 0, 0]), 'TypeError', 'shape.triangle: b');
	refuses(() => wp.shape.hull([1, 2]), 'RangeError', 'shape.hull: vertices must have 3 numbers a row');
	refuses(() => wp.shape.hull([]), 'WidephaseError',
		/^shape\.hull: the number of hull vertices is 0 or above WP_HULL_VERTEX_MAX$/);
	refuses(() => wp.shape.hull([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1], [[0, 2, 1], [0, 1, 3], [0, 2, 3], [1, 2, 3]]), 'WidephaseError',
		/clockwise seen from outside, and others are not: number 2$/);
	refuses(() => wp.shape.hull([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1], [[0, 2, 1], [0, 1, 3], [0, 3, 2]]), 'WidephaseError',
		/no face on its other side: number 0$/);
	refuses(() => wp.shape.hull([0, 0, 0, 1, 0, 0], [[0, 1, 2]]), 'WidephaseError', 'hull face');
	refuses(() => wp.shape.hull([0, 0, 0], [[0, -1, 0]]), 'TypeError', 'faces must be an array of indices');
	refuses(() => new wp.ShapeTable([box, 1]), 'TypeError', 'ShapeTable: shapes[1]');
	refuses(() => shapes.bound(2), 'RangeError', 'ShapeTable.bound: index');
	refuses(() => shapes.set(2, box), 'RangeError', 'ShapeTable.set: index');
	refuses(() => shapes.set(0, null), 'TypeError', 'ShapeTable.set: shape must be a Shape');
	refuses(() => shapes.remove(-1), 'RangeError', 'ShapeTable.remove: index');
	refuses(() => pair({ position: [0, 0] }), 'TypeError', 'contactPair: poseB.position');
	refuses(() => pair({ rotation: [0, 0, 0, '1'] }), 'TypeError', 'contactPair: poseB.rotation');
	refuses(() => pair(null), 'TypeError', 'contactPair: poseB');
	refuses(() => w.castPair(box, {}, box, {}, { position: 1 }), 'TypeError', 'castPair: endA.position');
	refuses(() => w.depthAlongPair(box, {}, box, {}, [1, 0]), 'TypeError', 'depthAlongPair: direction');
	refuses(() => pair({}, -1), 'RangeError', 'contactPair: maxSeparation must be 0 or more, but is -1');
	refuses(() => pair({}, '1'), 'TypeError', 'contactPair: maxSeparation');
	refuses(() => w.contactPair({}, {}, box, {}), 'TypeError', 'contactPair: shapeA must be a Shape');
	refuses(() => w.contactManifoldPair(box, {}, box, {}, 1, 9), 'RangeError', 'pointMax');
	refuses(() => w.contact({ ...description, shapes: [box] }), 'TypeError', 'Batch: shapes must be a ShapeTable');
	refuses(() => w.contact({ ...description, a: { ...a, rotation: identity } }), 'RangeError', 'Batch: a.rotation must have 3 rows');
	refuses(() => w.contact({ ...description, a: { ...a, position: undefined } }), 'TypeError', 'Batch: a.position');
	refuses(() => w.contact({ ...description, a: { ...a, shape: wp.allocate(Float32Array, 3) } }), 'TypeError', 'Batch: a.shape');
	refuses(() => w.contact({ ...description, pairs: [0, -1] }), 'TypeError', 'Batch: pairs must be an array of indices');
	refuses(() => w.contact({ ...description, pairs: [[0, 1], [1, 2.5]] }), 'TypeError', 'Batch: pairs must be an array of indices, but row 1 has 2.5');
	refuses(() => w.contact({ ...description, a: { ...a, position: [0, 0, 0, 1, 1, 1, 2, undefined, 2] } }), 'TypeError',
		'Batch: a.position must be an array of numbers, but row 2 has undefined');
	refuses(() => w.contact({ ...description, a: { ...a, position: [[0, 0, 0], [1, 1], [2, 2, 2, 2]] } }), 'RangeError',
		'Batch: a.position must have 3 numbers a row, but row 1 has 2');
	refuses(() => w.contact({ ...description, first: 4 }), 'RangeError', 'Batch: first');
	refuses(() => w.contact({ ...description, count: 4 }), 'RangeError', 'Batch: count');
	refuses(() => w.contact({ ...description, cache: new Uint32Array(24) }), 'TypeError', 'Batch: cache');
	refuses(() => w.contact(description, NaN), 'RangeError', 'contact: maxSeparation must be 0 or more, but is NaN');
	refuses(() => w.contact(description, 1, new wp.Results(2)), 'RangeError', 'contact: results must have 3 rows');
	refuses(() => w.contactManifold(description, 1, new wp.Results(3)), 'TypeError', "has no field 'manifold'");
	refuses(() => new wp.Results(3, ['depth']), 'RangeError', "Results: fields: 'depth' is none of separation, normal, pointA");
	refuses(() => new wp.Results(3, ['toString']), 'RangeError', "Results: fields: 'toString' is none of");
	refuses(() => w.depthAlong(description, [1, 0, 0]), 'RangeError', 'depthAlong: direction must have 3 rows');
	refuses(() => w.cast(description, { translation: [1] }), 'RangeError', 'cast: motionsA.translation');
	refuses(() => wp.statusWords(-1), 'RangeError', 'statusWords: status');

	/* A row that is missing is no row, and does not let those after it move up. */
	const rows = [[0, 0, 0], [5, 0, 0], [9, 0, 0]], turns = rows.map(() => identity);
	delete rows[1];
	refuses(() => w.contact({ shapes, a: { position: rows, rotation: turns } }), 'TypeError', 'Batch: a.position must be an array of numbers, but row 1 has undefined');
	const lined = Array.from({ length: 9 }, (_, i) => i);
	[3, 4, 5].forEach((i) => delete lined[i]);
	refuses(() => w.contact({ shapes, a: { position: lined, rotation: turns } }), 'TypeError', 'Batch: a.position must be an array of numbers, but row 1 has undefined');
	const within = turns.map((turn) => [...turn]);
	within.forEach((turn) => delete turn[0]);
	refuses(() => w.contact({ shapes, a: { position: lined.slice(0, 3), rotation: within.concat([within[0]]) } }), 'TypeError', 'Batch: a.rotation must be an array of numbers, but row 0 has undefined');
	refuses(() => w.contact({ ...description, pairs: Object.assign(new Array(2), { 1: [0, 1] }) }), 'TypeError', 'Batch: pairs must be an array of indices, but row 0 has undefined');

	const corners = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], face = [0, 2, 1];
	delete face[1];
	refuses(() => wp.shape.hull(corners, [face]), 'TypeError', 'shape.hull: faces must be an array of indices, but row 1 has undefined');

	/* A hole of a list is nothing of the kind, and leaves nothing in use. */
	const holed = (value) => Object.assign(new Array(2), { 1: value }), fields = terrain(wp), bells = dumbbells(wp);
	refuses(() => new wp.ShapeTable(holed(box)), 'TypeError', 'ShapeTable: shapes[0] must be a Shape');
	refuses(() => new wp.MeshBatch({ ...fields.description, surfaces: holed(fields.field) }), 'TypeError', 'MeshBatch: surfaces[0] must be a Surface');
	refuses(() => w.meshOverlap({ ...fields.description, surfaces: holed(fields.field) }), 'TypeError', 'MeshBatch: surfaces[0] must be a Surface');
	refuses(() => new wp.CompoundBatch({ ...bells.description, compounds: holed(bells.bell) }), 'TypeError', 'CompoundBatch: compounds[0] must be a Compound');
	refuses(() => new wp.Results(1, holed('normal')), 'RangeError', "Results: fields: 'undefined' is none of");
	fields.field.dispose();
	bells.bell.dispose();
	const kept = new wp.Persistent(1), found = { localA: [0, 0, 0], localB: [0, 0, 0], separation: 0, featureA: 0, featureB: 0 };
	refuses(() => kept.update(0, {}, {}, [0, 1, 0], holed(found), wp.thresholds(1)), 'TypeError', 'Persistent.update: points[0].localA must be 3 numbers');

	/* A radius is a number, not what lies behind it as well. */
	for (const radius of [[1], [1, 2, 3], new Array(9).fill(7), new Float32Array(1)]) {
		refuses(() => wp.shape.sphere(radius), 'TypeError', 'shape.sphere: radius must be a number');
		refuses(() => wp.shape.box(1, 1, 1, radius), 'TypeError', 'shape.box: radius must be a number');
		refuses(() => wp.shape.segment([0, 0, 0], [1, 0, 0], radius), 'TypeError', 'shape.segment: radius must be a number');
		refuses(() => wp.shape.cone(1, 1, radius), 'TypeError', 'shape.cone: radius must be a number');
	}

	/* What is copied has numbers alone, and takes no memory where it has not. */
	const bytes = wp.memory.buffer.byteLength, big = new BigInt64Array(300000);
	for (const value of [1n, undefined, null, '1', [1], Symbol('one')])
		refuses(() => wp.allocate(Float32Array, [0, NaN, value]), 'TypeError', `allocate must be numbers, but number 2 is ${String(value)}`);
	refuses(() => wp.allocate(Float32Array, [0, , 0]), 'TypeError', 'allocate must be numbers, but number 1 is undefined');
	refuses(() => wp.allocate(Float32Array, '12'), 'TypeError', 'allocate must be numbers, but number 0 is 1');
	for (let i = 0; i < 60; i++)
		refuses(() => wp.allocate(Float32Array, big), 'TypeError', 'BigInt');
	equal(wp.memory.buffer.byteLength - bytes < 4e6, true, 'memory of arrays that are refused');
	equalBits(Array.from(wp.allocate(Float64Array, { length: 2, 0: NaN, 1: -0 }).view), [NaN, -0], 'what is like an array');
}

/* Options, motions and how to load: what is no object, another name, null. */
async function checkOptions({ wp, wp2d, load }) {
	const { shapes, description } = sample(wp), w = new wp.Workspace(), ground = terrain(wp).description, bells = dumbbells(wp).description;
	const onGround = { ...ground, compounds: [] }, tracked = new wp.Tracked(3), meshTracked = new wp.MeshTracked(4), bellsTracked = new wp.CompoundTracked(4);
	const contacts = { meshContact: ground, compoundContactManifold: bells, compoundMeshContact: onGround };
	for (const [name, batch] of Object.entries(contacts)) {
		const byNumber = JSON.stringify(w[name](batch, 1.5).manifolds);
		equal(byNumber === JSON.stringify(w[name](batch, { maxSeparation: 1.5 }).manifolds), true, `${name} by a number`);
		equal(byNumber === JSON.stringify(w[name](batch).manifolds), false, `${name}: the number counts`);
		refuses(() => w[name](batch, { max_separation: 0.02 }), 'TypeError', new RegExp(`^${name}: options: 'max_separation' is none of maxSeparation, patchMax`));
		for (const bad of [null, '1', [1], new Float32Array(1), tracked])
			refuses(() => w[name](batch, bad), 'TypeError', `${name}: options must be a number, which is maxSeparation, or an object with maxSeparation, patchMax`);
	}
	const calls = {
		ShapeTable: ['options', (options) => new wp.ShapeTable([], options), 'vertexMax'],
		'ShapeTable ': ['options', (options) => new wp2d.ShapeTable([], options), 'vertexMax'],
		Pair: ['options', (options) => new wp.Pair(shapes, 0, 1, options), 'cache'],
		Results: ['options', (options) => new wp.Results(1, ['manifold'], options), 'pointMax, doublePoints'],
		HeightField: ['options', (options) => new wp.HeightField([0, 0, 0, 0], 2, 2, options), 'spacing, otherDiagonal, scale, offset'],
		MeshContacts: ['options', (options) => new wp.MeshContacts(1, options), 'patchMax'],
		CompoundContacts: ['options', (options) => new wp.CompoundContacts(1, options), 'patchMax'],
		CompoundMeshContacts: ['options', (options) => new wp.CompoundMeshContacts(1, options), 'patchMax'],
		Tracked: ['options', (options) => new wp.Tracked(1, options), 'reuse, polytopes'],
		MeshTracked: ['options', (options) => new wp.MeshTracked(1, options), 'patchMax'],
		CompoundTracked: ['options', (options) => new wp.CompoundTracked(1, options), 'patchMax'],
		compoundTrack: ['options', (options) => w.compoundTrack(bells, bellsTracked, options), 'maxSeparation, merging, index'],
		track: ['options', (options) => w.track(description, tracked, options), 'maxSeparation, merging, index, reuseError'],
		meshTrack: ['options', (options) => w.meshTrack(ground, meshTracked, options), 'maxSeparation, merging, index, queryAll, twoSided, ghosts, soup'],
		compoundMeshTrack: ['options', (options) => w.compoundMeshTrack(onGround, meshTracked, options), 'maxSeparation, merging, index, queryAll, twoSided, ghosts, soup'],
		bodiesBounds: ['bounds', (bounds) => wp.bodiesBounds(shapes, description.a, 0, bounds), 'lower, upper'],
		cast: ['motionsA', (motions) => w.cast(description, motions), 'translation, rotation'],
		meshCast: ['motionsB', (motions) => w.meshCast(ground, null, motions), 'translation, rotation'],
		compoundCast: ['motionsA', (motions) => w.compoundCast(bells, motions), 'translation, rotation'],
		compoundMeshCast: ['motionsB', (motions) => w.compoundMeshCast(onGround, null, motions), 'translation, rotation'],
	};
	for (const [name, [what, call, names]] of Object.entries(calls)) {
		refuses(() => call({ typo: 1 }), 'TypeError', `${name.trim()}: ${what}: 'typo' is none of ${names}`);
		for (const bad of [1, 'text', [], ...(what.startsWith('motions') ? [] : [null])])
			refuses(() => call(bad), 'TypeError', `${name.trim()}: ${what} must be an object with ${names}`);
	}
	for (const bad of [null, 'widephase.wasm', new ArrayBuffer(8), wp.module])
		refuses(await load(bad).then(() => () => 0, (error) => () => {
			throw error;
		}), 'TypeError', 'widephase: options must be an object with wasm');
	equal(new wp.Results(1, ['manifold'], Object.create(null)).pointMax, 4, 'options without a prototype');
}

/* Members of other names would be left out without a word: an angle, indices of shapes that are misspelt. */
function checkNames({ wp, wp2d }) {
	const { box, shapes, a, description } = sample(wp), w = new wp.Workspace(), surface = { surfaces: [new wp.HeightField([0, 0, 0, 0], 2, 2)], b: a };
	const flat = sample2d(wp2d), v = new wp2d.Workspace(), pair = new wp.Pair(shapes, 0, 1), ofPose = "is none of position, rotation";
	refuses(() => w.contactPair(box, { angle: 0.3 }, box, {}), 'TypeError', `contactPair: poseA: 'angle' ${ofPose}`);
	refuses(() => w.castPair(box, {}, box, {}, { position: [1, 0, 0] }, { orientation: identity }), 'TypeError', `castPair: endB: 'orientation' ${ofPose}`);
	refuses(() => w.contactPair(box, new Map([['position', [1, 0, 0]]]), box, {}), 'TypeError', 'contactPair: poseA must be an object with position and rotation');
	refuses(() => w.contactPair(box, {}, box, []), 'TypeError', 'contactPair: poseB must be an object with position and rotation');
	w.contactPair(box, Object.create(null), box, new (class { position = [1, 0, 0]; })());
	refuses(() => w.distancePrepared(pair, {}, [1, 0, 0]), 'TypeError', `distancePrepared: poseB: '0' ${ofPose}`);
	refuses(() => v.contactPair(flat.list[0], { position: [1, 0], angle: 0.3 }, flat.list[0], {}), 'TypeError', `contactPair: poseA: 'angle' ${ofPose}`);
	refuses(() => new wp.Compound(shapes, { position: [0, 0, 0] }).childPose(0, { translation: [1, 0, 0] }), 'TypeError', `childPose: pose: 'translation' ${ofPose}`);
	refuses(() => new wp.Persistent(1).update(0, {}, { pos: [0, 0, 0] }, [0, 1, 0], [], wp.thresholds(1)), 'TypeError', `poseB: 'pos' ${ofPose}`);

	const ofBodies = 'is none of position, rotation, shape', ofFlat = 'is none of shapes, a, b, pairs, first, count', ofBatch = `${ofFlat}, cache, surfaces, compounds`;
	refuses(() => w.contact({ ...description, a: { ...a, shapes: [0, 0, 1] } }), 'TypeError', `Batch: a: 'shapes' ${ofBodies}`);
	refuses(() => w.contact({ ...description, b: { ...a, shapes: [0, 0, 1] } }), 'TypeError', `Batch: b: 'shapes' ${ofBodies}`);
	refuses(() => wp.bodiesBounds(shapes, { ...a, positions: [] }), 'TypeError', `bodiesBounds: bodies: 'positions' ${ofBodies}`);
	refuses(() => w.contact({ ...description, pair: [[0, 1]] }), 'TypeError', `Batch: 'pair' ${ofBatch}`);
	refuses(() => v.contact({ ...flat.description, cache: wp2d.allocate(Uint32Array, 80) }), 'TypeError', `Batch: 'cache' ${ofFlat}`);
	refuses(() => w.meshContact({ ...description, ...surface, surface: [] }), 'TypeError', `MeshBatch: 'surface' ${ofBatch}`);
	refuses(() => w.compoundContact({ ...description, compound: [] }), 'TypeError', `CompoundBatch: 'compound' ${ofBatch}`);
	refuses(() => w.compoundMeshContact({ ...description, ...surface, mesh: [] }), 'TypeError', `CompoundMeshBatch: 'mesh' ${ofBatch}`);
	equal(w.meshContact({ ...description, ...surface, compounds: [], pairs: [[0, 0]] }).separation.length, 1, 'a description for another query, too');
	refuses(() => new wp.Compound(shapes, { positions: [0, 0, 0] }), 'TypeError', "Compound: children: 'positions' is none of position, rotation, shape, tag");

	/* Row r would be body r and itself. */
	for (const [name, ask] of [['Batch', () => w.contact({ shapes, a })], ['Batch', () => v.overlap({ shapes: flat.shapes, a: flat.a })],
		['Batch', () => w.compoundContact({ shapes, a, compounds: [] })]])
		refuses(ask, 'TypeError', `${name}: pairs are needed where there is no b`);
	equal(w.contact({ shapes, a, b: { ...a, position: a.position.map((x) => x + 1) } }).separation.length, 3, 'rows of a and b');
}

/* A bad row is a value, and the others have their answers. */
function checkInvalidRows({ wp }) {
	const { box, description } = sample(wp), workspace = new wp.Workspace(), good = workspace.contact(description);
	const bad = workspace.contact({ ...description, a: { ...description.a, shape: [0, 0, 7] } });
	equal(wp.statusWords(bad.status[1])[0], 'invalid', 'word of a bad row');
	equal((bad.status[1] & wp.Status.INVALID_SHAPE_B) !== 0, true, 'its reason');
	equal(bad.separation[1], NaN, 'its separation');
	equal(bad.separation[0], good.separation[0], 'the row before it');
	equal(bad.statistics.invalid, 2, 'invalid rows counted');
	const row = workspace.contactPair(box, {}, box, { position: [NaN, 0, 0] });
	equal(row.separation, NaN, 'separation of a pair at NaN');
	equal((row.status & wp.Status.INVALID_POSITION_B) !== 0, true, 'its reason');
}

/* Shapes of a table come and go; those that are in it may not be disposed. */
function checkChanges({ wp }) {
	const { box, ball, shapes, description } = sample(wp), workspace = new wp.Workspace();
	const table = new wp.ShapeTable([null, null]), batch = new wp.Batch({ ...description, shapes: table });
	const good = workspace.contact(description), separations = () => Array.from(workspace.contact(batch).separation);
	equal(table.bound(0), 0, 'bound without a shape');
	equal(workspace.contact(batch).statistics.invalid, 3, 'rows without shapes');
	table.set(0, ball);
	table.set(0, box);
	table.set(1, ball);
	equalBits(separations(), Array.from(good.separation), 'with the shapes of another table');
	const large = wp.shape.box(1, 1, 1, 0.5);
	table.set(0, large);
	equal(separations()[0] < good.separation[0], true, 'a larger shape in its place');
	refuses(() => large.dispose(), 'Error', 'Shape.dispose: still in use');
	table.remove(0);
	large.dispose();
	equal((workspace.contact(batch).status[0] & wp.Status.INVALID_SHAPE_A) !== 0, true, 'a shape removed');
	[batch, table, shapes, ball, box, workspace].forEach((thing) => thing.dispose());
	refuses(() => table.set(0, box), 'Error', 'ShapeTable.set: this is disposed');
}

async function checkDisposal({ wp, load }) {
	const { box, shapes, description } = sample(wp), w = new wp.Workspace(), batch = new wp.Batch(description);
	refuses(() => box.dispose(), 'Error', 'Shape.dispose: still in use');
	refuses(() => shapes.dispose(), 'Error', 'ShapeTable.dispose: still in use');
	batch.dispose();
	batch.dispose();
	refuses(() => w.contact(batch), 'Error', 'contact: batch is disposed');
	shapes.dispose();
	refuses(() => w.contact(description), 'Error', 'Batch: shapes is disposed');
	box.dispose();
	refuses(() => w.contactPair(box, {}, box, {}), 'Error', 'contactPair: shapeA is disposed');
	const fresh = sample(wp), position = wp.allocate(Float32Array, fresh.a.position), words = position.as(Uint32Array);
	const borrowing = new wp.Batch({ ...fresh.description, a: { ...fresh.a, position } });
	refuses(() => words.dispose(), 'Error', 'another array');
	position.dispose();
	refuses(() => position.view, 'Error', 'is disposed');
	refuses(() => words.view, 'Error', 'is disposed');
	refuses(() => w.contact(borrowing), 'Error', 'Batch: a.position is disposed');
	const other = await load(), foreign = other.shape.sphere(1);
	refuses(() => w.contactPair(foreign, {}, foreign, {}), 'TypeError', 'contactPair: shapeA belongs to another module');
	w.dispose();
	refuses(() => w.contactPair(fresh.box, {}, fresh.box, {}), 'Error', 'contactPair: this is disposed');
}

/* Terrain with a ramp and a hole, and bodies on it. */
function terrain(wp) {
	const heights = wp.allocate(Float32Array, 20 * 12), field = new wp.HeightField(heights, 20, 12, { spacing: [1, 2] });
	heights.view.forEach((_, i) => (heights.view[i] = i % 20 < 10 ? 0 : i % 20 - 9));
	heights.view[3 * 20 + 4] = wp.HeightField.HOLE;
	const shapes = new wp.ShapeTable([wp.shape.box(0.5, 0.5, 0.5), wp.shape.sphere(0.5), wp.shape.point()]);
	const turn = [0, 0, 0, 1], a = { position: [[6.3, 0.49, 12.2], [14.6, 6.25, 9.3], [7, 3, 9], [4, 0.4, 6]], rotation: [turn, turn, turn, turn], shape: [0, 1, 2, 1] };
	const b = { position: [[0, 0, 0], [1000, 0, 0]], rotation: [turn, turn], shape: [0, 0] };
	return { heights, field, shapes, description: { shapes, a, b, surfaces: [field], pairs: [[0, 0], [1, 0], [2, 0], [3, 0]] } };
}

function checkTerrain({ wp }) {
	const { heights, field, description } = terrain(wp), w = new wp.Workspace(), half = Math.SQRT1_2;
	equal(field.triangleCount, 2 * 19 * 11, 'triangles');
	equalBits(field.triangle(0).corners.flat(), [0, 0, 0, 0, 0, 2, 1, 0, 0], 'corners');
	equal(field.triangle(2 * (2 * 19 + 4) + 1), undefined, 'a triangle in a hole');
	const found = w.meshContact(description, { maxSeparation: 0.02 });
	equalBits(Array.from(found.patchCount), [1, 1, 0, 0], 'patches');
	equalBits(found.manifolds[0][0].normal, [0, -1, 0], 'normal on the floor');
	equal(found.manifolds[0][0].points.length, 4, 'points on the floor');
	equal(Math.abs(found.separation[0] + 0.01) < 1e-6, true, 'depth');
	equal(Math.hypot(found.normal[3] - half, found.normal[4] + half, found.normal[5]) < 1e-6, true, 'normal on the ramp');
	equal(Math.abs(found.separation[1] - ((6.25 - 5.6) * half - 0.5)) < 1e-5, true, 'depth in the ramp');
	equal(wp.statusWords(found.status[2]).join(), 'separated,beyond', 'above');
	const { statistics } = found;
	equalBits([statistics.rows, statistics.touching, statistics.invalid], [4, 2, 0], 'counts');
	equal(statistics.solved >= statistics.touched && statistics.touched > 0, true, 'triangles counted');
	const batch = new wp.MeshBatch(description), results = new wp.MeshContacts(4, { patchMax: 8 });
	equal(w.meshContact(batch, { maxSeparation: 0.02 }, results), results, 'results');
	equalBits(Array.from(results.normal), Array.from(found.normal), 'the same bits in results');
	equalBits(results.patch(0)[0].points.flatMap(({ pointB, triangle }) => [...pointB, triangle]),
		found.manifolds[0][0].points.flatMap(({ pointB, triangle }) => [...pointB, triangle]), 'the same points');
	for (const variant of wp.variants())
		equalBits(Array.from(new wp.Workspace(variant).meshContact(batch, { maxSeparation: 0.02 }).patches.slice(0, 40)),
			Array.from(found.patches.slice(0, 40)), `patches of ${variant}`);
	equal(field.ray([5, 9, 5], [0, -10, 0]).fraction, Math.fround(0.9), 'a ray');
	equal(field.ray([4, 9, 6], [0, -10, 0]), undefined, 'a ray into the hole');
	const starts = [[5, 9, 5], [4, 9, 6], [14.5, 20, 9], [NaN, 0, 0], [3, -4, 3]], ways = [[0, -10, 0], [0, -10, 0], [0, -40, 0], [0, -1, 0], [0.5, 8, 0]];
	const { triangle, isFront, fraction, weights } = field.rays(starts, ways);
	for (const row of [0, 1, 2, 4]) {
		const hit = field.ray(starts[row], ways[row]) ?? { triangle: wp.meshMiss, isFront: false, fraction: 0, weights: [0, 0, 0] };
		equalBits([triangle[row], isFront[row], fraction[row], ...weights.subarray(3 * row, 3 * row + 3)], [hit.triangle, Number(hit.isFront), hit.fraction, ...hit.weights], `ray ${row}`);
	}
	equalBits([triangle[3], isFront[3], fraction[3], weights[9]], [wp.meshMiss, 0, NaN, 0], 'a ray that is none');
	equalBits([isFront[0], isFront[4], field.rays([], []).triangle.length], [1, 0, 0], 'fronts, and no rays');
	heights.view[3 * 20 + 4] = 0;
	equal(field.ray([4, 9, 6], [0, -10, 0]).isFront, true, 'the hole is filled');
	equal(w.meshContact(batch).patchCount[3], 1, 'a body where the hole was');
	heights.view[0] = NaN;
	refuses(() => field.check(), 'WidephaseError', 'HeightField: a sample');
	refuses(() => field.dispose(), 'Error', 'HeightField.dispose: still in use');
	heights.dispose();
	refuses(() => w.meshContact(batch), 'Error', 'HeightField: samples is disposed');
	[batch, field].forEach((thing) => thing.dispose());
	refuses(() => field.ray([0, 1, 0], [0, -1, 0]), 'Error', 'HeightField.ray: this is disposed');
	refuses(() => field.rays([0, 1, 0], [0, -1, 0]), 'Error', 'HeightField.rays: this is disposed');
}

/* Integers with a scale are the heights that floats are. */
function checkIntegerHeights({ wp }) {
	const { heights, field, description } = terrain(wp), w = new wp.Workspace();
	const whole = Int16Array.from(heights.view, (height) => (height === wp.HeightField.HOLE ? wp.HeightField.HOLE_INT16 : 4 * height - 12));
	const integers = new wp.HeightField(whole, 20, 12, { spacing: [1, 2], scale: 0.25, offset: 3 });
	for (let i = 0; i < field.triangleCount; i++)
		equalBits(integers.triangle(i)?.corners.flat() ?? [], field.triangle(i)?.corners.flat() ?? [], `corners of triangle ${i}`);
	const found = w.meshContact({ ...description, surfaces: [integers] }, { maxSeparation: 0.02 });
	equalBits(Array.from(found.patches), Array.from(w.meshContact(description, { maxSeparation: 0.02 }).patches), 'patches');
	const kept = wp.allocate(Int16Array, 4), flat = new wp.HeightField(kept, 2, 2);
	kept.view.fill(7);
	equal(flat.ray([0.5, 9, 0.5], [0, -4, 0]).fraction, 0.5, 'a scale of 1, and samples that change');
	refuses(() => new wp.HeightField(kept, 2, 2, { scale: 1e30 }), 'WidephaseError', 'HeightField: ');
	refuses(() => new wp.HeightField(kept, 2, 2, { offset: '1' }), 'TypeError', 'HeightField: scale and offset');
}

function checkMeshArguments({ wp }) {
	const { field, description } = terrain(wp), w = new wp.Workspace();
	refuses(() => new wp.Mesh([1, 2]), 'TypeError', 'Mesh: bytes must be');
	refuses(() => new wp.Mesh(new Uint8Array(1000)), 'WidephaseError', 'Mesh: ');
	refuses(() => new wp.HeightField([0, 0, 0], 2, 2), 'RangeError', 'HeightField: samples must have 4 rows');
	refuses(() => new wp.HeightField([0, 0, 0, 0], 4, 1), 'WidephaseError', 'HeightField: the height field has fewer than two');
	refuses(() => new wp.HeightField([0, 0, 0, 0], 2, 2, { spacing: [0, 1] }), 'WidephaseError', 'HeightField: a spacing');
	refuses(() => field.triangle(field.triangleCount), 'RangeError', 'HeightField.triangle: index');
	refuses(() => field.ray([0, 0], [0, 1, 0]), 'TypeError', 'HeightField.ray: start must be 3 numbers');
	refuses(() => field.ray([0, NaN, 0], [0, 1, 0]), 'WidephaseError', 'HeightField.ray: ');
	refuses(() => field.rays([0, 0], [0, 1, 0]), 'RangeError', 'HeightField.rays: start must have 3 numbers a row');
	refuses(() => field.rays([0, 0, 0, 1, 1, 1], [0, 1, 0]), 'RangeError', 'HeightField.rays: way must have 2 rows, but has 1');
	refuses(() => w.meshContact({ ...description, b: undefined }), 'TypeError', 'MeshBatch: b must be');
	refuses(() => w.meshContact({ ...description, surfaces: field }), 'TypeError', 'MeshBatch: surfaces must be an array');
	refuses(() => w.meshContact({ ...description, surfaces: [field, {}] }), 'TypeError', 'MeshBatch: surfaces[1] must be a Surface');
	refuses(() => w.meshContact(description, { maxSeparation: -1 }), 'RangeError', 'meshContact: maxSeparation must be 0 or more');
	refuses(() => w.meshContact(description, { patchMax: 9 }), 'RangeError', 'MeshContacts: patchMax');
	refuses(() => w.meshContact(description, {}, new wp.MeshContacts(3)), 'RangeError', 'meshContact: results must have 4 rows');
	refuses(() => w.meshOverlap(description, new wp.MeshContacts(4)), 'TypeError', 'meshOverlap: results must be a Results');
	refuses(() => w.meshDistance(description, -1), 'RangeError', 'meshDistance: maxDistance must be 0 or more');
	refuses(() => w.contact(new wp.MeshBatch(description)), 'TypeError', 'contact: batch is a MeshBatch, but must be a Batch or the description of one');
	const bad = w.meshContact({ ...description, a: { ...description.a, shape: [9, 1, 2, 1] } });
	equalBits([bad.statistics.invalid, bad.statistics.firstInvalidRow], [1, 0], 'an invalid row');
	equal((bad.status[0] & wp.Status.INVALID_SHAPE_A) !== 0, true, 'its reason');
}

/* A dumbbell of two boxes, on the ground and near another one. */
function dumbbells(wp) {
	const box = wp.shape.box(1, 1, 1), ground = wp.shape.halfSpace(), ball = wp.shape.sphere(0.5);
	const shapes = new wp.ShapeTable([box, ground, ball]);
	const children = { position: [[-2, 0, 0], [2, 0, 0]], shape: [0, 0], tag: [7, 9] }, bell = new wp.Compound(shapes, children);
	const a = { position: [[0, 0.75, 0], [0, 0, 0], [5.5, 0.75, 0.5], [2, 3, 0]], rotation: [identity, identity, identity, identity],
		shape: [wp.compoundShape, 1, wp.compoundShape, 2] };
	return { box, shapes, children, bell, a, description: { shapes, compounds: [bell], a, pairs: [[0, 1], [0, 2], [0, 3], [1, 0]] } };
}

function checkCompounds({ wp }) {
	const { shapes, children, bell, description } = dumbbells(wp), w = new wp.Workspace(), { compoundMiss: miss } = wp;
	equal(bell.childCount, 2, 'children');
	equalBits([...bell.lower, ...bell.upper].map(Math.round), [-3, -1, -1, 3, 1, 1], 'bounds');
	equal(JSON.stringify(bell.child(1)), JSON.stringify({ position: [2, 0, 0], rotation: identity, shape: 0, tag: 9 }), 'a child');
	const turned = bell.childPose(1, { position: [1e9 + 0.5, 0, 0], rotation: [0, 0, Math.SQRT1_2, Math.SQRT1_2] });
	equal(Math.hypot(turned.position[0] - 1e9 - 0.5, turned.position[1] - 2) < 1e-6, true, 'the place of a child');
	const again = new wp.Compound(bell.bytes);
	equalBits(again.bytes, bell.bytes, 'bytes of a copy');
	again.check(shapes);
	again.dispose();

	const found = w.compoundContactManifold(description, { maxSeparation: 0.02 });
	equalBits(Array.from(found.patchCount), [2, 1, 0, 2], 'patches');
	equalBits(Array.from(found.separation), [-0.25, -0.5, Infinity, -0.25], 'separations');
	equalBits(found.manifolds[0].map(({ childA }) => childA), [0, 1], 'both boxes on the ground');
	equalBits(found.manifolds[3].map(({ childB }) => childB), [0, 1], 'and as B');
	equal(found.manifolds[0][1].points.length, 4, 'points');
	equal(found.manifolds[0][1].words.join(), 'penetrating', 'words');
	equalBits(found.manifolds[1].map(({ childA, childB }) => [childA, childB]).flat(), [1, 0], 'the near boxes');
	equalBits([found.statistics.rows, found.statistics.touching, found.statistics.invalid], [4, 3, 0], 'counts');
	const near = w.compoundDistance(description), touch = w.compoundOverlap(description), deepest = w.compoundContact(description);
	equalBits(Array.from(near.separation), [0, 0, 0.75, 0], 'distances');
	equalBits(Array.from(touch.overlap), [1, 1, 0, 1], 'overlaps');
	equalBits(Array.from(touch.childA), [0, 1, miss, 0], 'which');
	equalBits([near.childA[2], near.childB[2]], [1, 0], 'the near box, and the ball itself');
	equalBits(Array.from(deepest.separation), Array.from(found.separation), 'the deepest');
	equalBits(Array.from(w.compoundDistance(description, 0.5).childA), [0, 1, miss, 0], 'a largest distance');

	/* Its children as bodies of their own, and casts. */
	const pose = { position: [0, 0.75, 0] }, place = bell.childPose(1, pose);
	equal(w.contactPair(wp.shape.box(1, 1, 1), place, wp.shape.sphere(0.5), { position: [2, 3, 0] }).separation, near.separation[2], 'a child by itself');
	const cast = w.compoundCast({ ...description, pairs: [[3, 0]] }, { translation: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1.5, 0] });
	equal(Math.abs(cast.fraction[0] - 0.5) < 1e-5, true, `a cast: ${cast.fraction[0]}`);
	equal(cast.childB[0], 1, 'what it hits');
	/* A quarter about z, in all of the time, raises the box to the ball. */
	const quarter = { translation: new Float32Array(12), rotation: [0, 0, Math.SQRT1_2, Math.SQRT1_2, ...identity, ...identity, ...identity] };
	const lifted = w.compoundCast({ ...description, pairs: [[0, 3]] }, quarter);
	equalBits([lifted.childA[0], lifted.statistics.invalid], [1, 0], 'what a compound that turns hits');
	equal((lifted.status[0] & wp.Status.HIT) !== 0 && lifted.fraction[0] > 0.05 && lifted.fraction[0] < 0.5, true, `when: ${lifted.fraction[0]}`);
	const batch = new wp.CompoundBatch(description), results = new wp.CompoundContacts(4, { patchMax: 1 });
	equal(w.compoundContactManifold(batch, { maxSeparation: 0.02 }, results), results, 'results');
	equalBits([...results.pairCount, ...results.patchCount], [2, 1, 0, 2, 1, 1, 0, 1], 'pairs and patches');
	equal(JSON.stringify(results.patch(1)), JSON.stringify(found.manifolds[1]), 'the same patch');
	equalBits([batch.compoundCount, results.patchMax], [1, 1], 'counts');
	refuses(() => bell.dispose(), 'Error', 'Compound.dispose: still in use');
	[batch, results].forEach((thing) => thing.dispose());
	checkCompoundArguments(wp, w, { shapes, children, bell, description });
	bell.dispose();
	refuses(() => w.compoundOverlap(description), 'Error', 'CompoundBatch: compounds[0] is disposed');
}

function checkCompoundArguments(wp, w, { shapes, children, bell, description }) {
	const build = (other) => () => new wp.Compound(shapes, { ...children, ...other });
	refuses(() => new wp.Compound([1]), 'TypeError', 'Compound: shapes must be a ShapeTable');
	refuses(() => new wp.Compound(shapes), 'TypeError', 'Compound: children must be an object');
	refuses(build({ position: undefined }), 'TypeError', 'Compound: children.position must be an array');
	refuses(build({ rotation: identity }), 'RangeError', 'Compound: children.rotation must have 2 rows, but has 1');
	refuses(build({ position: [] }), 'WidephaseError', 'Compound: children: a compound has no child');
	refuses(build({ position: [[0, 0, 0], [NaN, 0, 0]] }), 'WidephaseError', /^Compound: children: .*: number 1$/);
	refuses(build({ shape: [0, 1] }), 'WidephaseError', /^Compound: children: .*: number 1$/);
	refuses(() => new wp.Compound(new Uint8Array(100)), 'WidephaseError', 'Compound: ');
	refuses(() => bell.child(2), 'RangeError', 'Compound.child: index');
	refuses(() => bell.childPose(0, { position: [0] }), 'TypeError', 'Compound.childPose: pose.position');
	refuses(() => bell.check(new wp.ShapeTable([wp.shape.box(1, 2, 1)])), 'WidephaseError', 'Compound.check: the shape of child 0: ');
	refuses(() => w.compoundOverlap({ ...description, compounds: bell }), 'TypeError', 'CompoundBatch: compounds must be an array');
	refuses(() => w.compoundOverlap({ ...description, compounds: [{}] }), 'TypeError', 'CompoundBatch: compounds[0] must be a Compound');
	refuses(() => w.compoundContact(description, -1), 'RangeError', 'compoundContact: maxSeparation must be 0 or more');
	refuses(() => w.compoundDistance(description, NaN), 'RangeError', 'compoundDistance: maxDistance must be 0 or more');
	refuses(() => w.compoundContactManifold(description, -1), 'RangeError', 'compoundContactManifold: maxSeparation must be 0 or more');
	refuses(() => w.compoundContactManifold(description, { patchMax: 0 }), 'RangeError', 'CompoundContacts: patchMax');
	refuses(() => w.compoundContactManifold(description, {}, new wp.CompoundContacts(3)), 'RangeError', 'results must have 4 rows');
	refuses(() => w.compoundDistance(description, 0, new wp.CompoundContacts(4)), 'TypeError', 'compoundDistance: results must be a Results');
	refuses(() => w.compoundCast(description, { translation: [1] }), 'RangeError', 'compoundCast: motionsA.translation');
	const batch = new wp.CompoundBatch(description);
	refuses(() => w.contact(batch), 'TypeError', 'contact: batch is a CompoundBatch');
	refuses(() => w.meshOverlap(batch), 'TypeError', 'meshOverlap: batch is a CompoundBatch, but must be a MeshBatch or the description of one');
	batch.dispose();
	const bad = w.compoundContact({ ...description, a: { ...description.a, shape: [wp.compoundShape + 1, 1, 2, 2] } });
	equal(bad.statistics.invalid, 4, 'invalid rows');
	equal((bad.status[0] & wp.Status.INVALID_SHAPE_A) !== 0, true, 'their reason');
}

/* A table of a slab and four legs on terrain, a ball by itself, and a table above. */
/* A table above terrain, a ball in its ramp, and a table high above. */
function tables(wp) {
	const { heights, field, description: of } = terrain(wp);
	const shapes = new wp.ShapeTable([wp.shape.box(1.25, 0.0625, 1.25), wp.shape.box(0.0625, 0.5, 0.0625), wp.shape.sphere(0.5)]);
	const legs = [[-1, -0.5, -1], [1, -0.5, -1], [-1, -0.5, 1], [1, -0.5, 1]];
	const made = new wp.Compound(shapes, { position: [[0, 0, 0], ...legs], shape: [0, 1, 1, 1, 1] });
	const a = { position: [[6.3, 0.99, 12.2], [14.6, 6.25, 9.3], [6.3, 3, 12.2]], rotation: [identity, identity, identity],
		shape: [wp.compoundShape, 2, wp.compoundShape] };
	return { heights, field, shapes, made, a, description: { shapes, compounds: [made], a, b: of.b, surfaces: [field], pairs: [[0, 0], [1, 0], [2, 0]] } };
}

function checkCompoundsOnMeshes({ wp }) {
	const { heights, field, made, a, description } = tables(wp), w = new wp.Workspace(), limit = { maxSeparation: 0.02 };
	const found = w.compoundMeshContact(description, limit), [patch] = found.manifolds[0];
	equalBits(Array.from(found.patchCount), [1, 1, 0], 'patches');
	equal(Math.abs(found.separation[0] + 0.01) < 1e-6 && patch.normal[1] === -1, true, `depth: ${found.separation[0]}`);
	equalBits(patch.points.map(({ child }) => child).sort(), [1, 2, 3, 4], 'a point of each leg');
	equalBits(Array.from(found.children.subarray(0, 4)), patch.points.map(({ child }) => child), 'the column');
	equalBits([found.statistics.rows, found.statistics.touching, found.statistics.invalid], [3, 2, 0], 'counts');
	equal(found.statistics.triangles > 0, true, 'triangles counted');
	const plain = w.meshContact(description, limit), [{ points: [{ child, ...point }] }] = found.manifolds[1];
	equal(JSON.stringify(plain.manifolds[1][0].points[0]), JSON.stringify(point), 'a ball has the contact of meshContact');
	equal(child, 0, 'and no child');
	equalBits(Array.from(plain.status, (status) => status & wp.Status.INVALID), [wp.Status.INVALID, 0, wp.Status.INVALID], 'meshContact knows no compounds');

	const batch = new wp.CompoundMeshBatch({ ...description, first: 1 }), results = new wp.CompoundMeshContacts(3, { patchMax: 1 });
	equal(w.compoundMeshContact(batch, limit, results), results, 'results');
	equalBits([batch.compoundCount, batch.surfaceCount, results.patchMax, results.patchCount[0], results.patchCount[1]], [1, 1, 1, 0, 1], 'rows from the first on');
	equal(JSON.stringify(results.patch(1)), JSON.stringify(found.manifolds[1]), 'the same patch');
	equal(results.children.length, 12, 'room for children');
	refuses(() => made.dispose(), 'Error', 'Compound.dispose: still in use');
	refuses(() => w.compoundMeshContact({ ...description, compounds: made }), 'TypeError', 'CompoundMeshBatch: compounds must be an array');
	refuses(() => w.compoundMeshContact({ ...description, compounds: [made, {}] }), 'TypeError', 'CompoundMeshBatch: compounds[1] must be a Compound');
	refuses(() => w.compoundMeshContact({ ...description, surfaces: [made] }), 'TypeError', 'MeshBatch: surfaces[0] must be a Surface');
	refuses(() => w.compoundMeshContact(description, { maxSeparation: -1 }), 'RangeError', 'compoundMeshContact: maxSeparation must be 0 or more');
	refuses(() => w.compoundMeshContact(description, { maxSeparation: '1' }), 'TypeError', 'compoundMeshContact: maxSeparation');
	refuses(() => w.compoundMeshContact(description, { patchMax: 9 }), 'RangeError', 'CompoundMeshContacts: patchMax');
	refuses(() => w.compoundMeshContact(description, {}, new wp.CompoundMeshContacts(2)), 'RangeError', 'compoundMeshContact: results must have 3 rows');
	refuses(() => w.compoundMeshContact(description, {}, new wp.MeshContacts(3)), 'TypeError', 'compoundMeshContact: results must be a CompoundMeshContacts');
	refuses(() => w.compoundOverlap(batch), 'TypeError', 'compoundOverlap: batch is a CompoundMeshBatch, but must be a CompoundBatch or the description of one');
	const bad = w.compoundMeshContact({ ...description, a: { ...a, shape: [wp.compoundShape + 1, 2, 9] } }, limit);
	equalBits([bad.statistics.invalid, bad.statistics.firstInvalidRow, bad.patchCount[0]], [2, 0, 0], 'invalid rows');
	equal((bad.status[0] & wp.Status.INVALID_SHAPE_A) !== 0, true, 'their reason');
	[batch, results, made, field, heights].forEach((thing) => thing.dispose());
	refuses(() => w.compoundMeshContact(description), 'Error', 'disposed');
}

/* A box that lies on terrain, a ball that falls onto it. */
function checkMeshTracked({ wp }) {
	const { heights, description } = terrain(wp), w = new wp.Workspace(), tracked = new wp.MeshTracked(1, { patchMax: 2 });
	const position = wp.allocate(Float32Array, description.a.position.flat()), a = { ...description.a, position };
	const batch = new wp.MeshBatch({ ...description, a, pairs: [[0, 0], [1, 0]] }), limit = { maxSeparation: 0.02 };
	const index = [tracked.take(), tracked.take()], frame = () => w.meshTrack(batch, tracked, { ...limit, index });
	equal(tracked.capacity >= 2, true, 'room for another pair');
	position.view[4] = 9;
	equalBits(Array.from(frame().changed), [0], 'the box began to touch');
	equal(tracked.pair(index[0]).event, wp.Event.BEGAN, 'its event');
	tracked.setImpulse(index[0], 0, 2, [3, 2, 1]);
	const { statistics, changed } = frame(), box = tracked.pair(index[0]), { points } = box.patches[0];
	equalBits([changed.length, statistics.rows, statistics.touching], [0, 2, 1], 'nothing changed');
	equalBits([box.event, tracked.pair(index[1]).event], [wp.Event.REUSED, wp.Event.KEPT], 'events of what lies and of what is away');
	equalBits(points.map(({ age }) => age), [1, 1, 1, 1], 'ages');
	equalBits(points[2].impulse, [3, 2, 1], 'an impulse');
	equal(Math.abs(points[0].armA[1] + 0.5) < 1e-6, true, 'an arm');
	position.view[4] = 6.25;
	equalBits(Array.from(frame().changed), [1], 'the ball began to touch');
	const found = w.meshContact(batch, limit), results = new wp.MeshContacts(2, { patchMax: 2 });
	const bits = ({ normal, separation, points: all }) => [...normal, separation, ...all.flatMap(({ localA, triangle }) => [...localA, triangle])];
	equalBits(tracked.pair(index[1]).patches.flatMap(bits), found.manifolds[1].flatMap(bits), 'the contact of a frame');
	w.meshTrack(batch, tracked, { ...limit, index }, results);
	equalBits(Array.from(results.separation), Array.from(found.separation), 'results of a frame');
	heights.view.fill(-1);
	equal(frame().changed.length, 0, 'samples that changed are not noticed');
	equalBits(Array.from(w.meshTrack(batch, tracked, { ...limit, index, queryAll: true }).changed).sort(), [0, 1], 'but are where all is queried');
	equal(tracked.pair(index[0]).event & wp.Event.ENDED, wp.Event.ENDED, 'the end');
	equal(tracked.pairs.length, tracked.capacity * wp.trackedWords, 'words');
	refuses(() => w.meshTrack(batch, new wp.Tracked(2), limit), 'TypeError', 'meshTrack: tracked must be a MeshTracked');
	refuses(() => w.meshTrack(batch, tracked), 'TypeError', 'meshTrack: options must be an object');
	refuses(() => w.meshTrack(batch, tracked, {}), 'TypeError', 'meshTrack: maxSeparation must be a number');
	refuses(() => w.meshTrack(batch, tracked, { ...limit, index: [0] }), 'RangeError', 'meshTrack: index must have 2 rows');
	refuses(() => w.meshTrack(batch, tracked, limit, new wp.MeshContacts(2)), 'RangeError', 'meshTrack: results must have the patchMax of tracked, 2, but has 4');
	refuses(() => new wp.MeshTracked(1, { patchMax: 9 }), 'RangeError', 'MeshTracked: patchMax');
	refuses(() => tracked.setImpulse(index[0], 0, 0, [0, 0, 0]), 'RangeError', `MeshTracked.setImpulse: pair ${index[0]} has no patches`);
	refuses(() => tracked.pair(99), 'RangeError', 'MeshTracked.pair: index');
	refuses(() => tracked.give(50), 'RangeError', 'MeshTracked.give: pair 50 is not in use');
	tracked.give(index[0]);
	[batch, tracked, results].forEach((thing) => thing.dispose());
	refuses(() => tracked.pair(0), 'Error', 'MeshTracked.pair: this is disposed');
}

/* A dumbbell that lies on the ground, is pushed, lifted and dropped onto another one. */
function checkCompoundTracked({ wp }) {
	const { bell, a, description } = dumbbells(wp), w = new wp.Workspace(), tracked = new wp.CompoundTracked(1, { patchMax: 2 }), limit = { maxSeparation: 0.02 };
	const position = wp.allocate(Float32Array, a.position.flat()), pairs = [[0, 1], [0, 2]], batch = new wp.CompoundBatch({ ...description, pairs, a: { ...a, position } });
	const index = [tracked.take(), tracked.take()].reverse(), frame = (...more) => w.compoundTrack(batch, tracked, { ...limit, index }, ...more);
	position.view[6] = 9;
	equalBits(Array.from(frame().changed), [0], 'the first dumbbell began to touch');
	equalBits([tracked.pair(index[0]).event, tracked.pair(index[1]).patches.length], [wp.Event.BEGAN, 0], 'its event');
	equalBits(tracked.pair(index[0]).patches.map(({ childA, childB, points }) => 100 * childA + 10 * childB + points.length), [4, 104], 'a patch of each child');
	equal(tracked.pair(index[1]).separation, Infinity, 'no bound of what is away');
	tracked.setImpulse(index[0], 1, 2, [3, 2, 1]);
	equalBits(Array.from(frame().changed), [], 'nothing moved');
	equalBits([tracked.pair(index[0]).event, tracked.pair(index[1]).event], [wp.Event.REUSED, wp.Event.KEPT], 'events of what lies and of what is away');
	position.view[0] += 2 ** -8;
	const results = new wp.CompoundContacts(2, { patchMax: 2 }), { statistics, changed } = frame(results);
	equalBits([changed.length, statistics.rows, statistics.touching], [0, 2, 1], 'nothing changed');
	const [left, right] = tracked.pair(index[0]).patches, found = w.compoundContactManifold(batch, { ...limit, patchMax: 2 });
	equalBits([...left.points, ...right.points].map(({ age }) => age), [2, 2, 2, 2, 2, 2, 2, 2], 'ages');
	equalBits(right.points.flatMap(({ impulse }) => impulse), [0, 0, 0, 0, 0, 0, 3, 2, 1, 0, 0, 0], 'the impulse of a point');
	equalBits(right.points[2].armA, right.points[2].pointA.map((x, axis) => Math.fround(x - position.view[axis])), 'an arm');
	equal(JSON.stringify([0, 1].map((row) => results.patch(row))), JSON.stringify(found.manifolds), 'results of a frame');
	const bits = (patches) => JSON.stringify(patches.map(({ points, ...patch }) => [patch, points.map(({ armA, armB, age, impulse, ...point }) => point)]));
	equal(bits([left, right]), bits(found.manifolds[0]), 'what is kept of it');
	equalBits(Array.from(results.separation), Array.from(found.separation), 'separations');
	const bytes = wp.memory.buffer.byteLength;
	tracked.reserve(9 + Math.ceil(bytes / 1600));
	equal(wp.memory.buffer.byteLength > bytes, true, 'memory has grown');
	equal(JSON.stringify(tracked.pair(index[0]).patches), JSON.stringify([left, right]), 'with room for more');
	position.view.set([0, 3.01, 0, 0, 0, 0, 0, 1, 0]);
	equalBits(Array.from(frame().changed), [0, 1], 'one ended, and one began');
	equalBits([tracked.pair(index[0]).event & wp.Event.ENDED, tracked.pair(index[1]).event], [wp.Event.ENDED, wp.Event.BEGAN], 'their events');
	equalBits(tracked.pair(index[1]).patches.flatMap(({ childA, childB }) => [childA, childB]), [0, 0, 1, 1], 'children of both');
	equal(tracked.patches.length % (2 * tracked.capacity), 0, 'the array of patches');
	refuses(() => w.compoundTrack(batch, new wp.MeshTracked(2), limit), 'TypeError', 'compoundTrack: tracked must be a CompoundTracked');
	refuses(() => w.compoundTrack(batch, tracked), 'TypeError', 'compoundTrack: options must be an object with maxSeparation');
	refuses(() => w.compoundTrack(batch, tracked, {}), 'TypeError', 'compoundTrack: maxSeparation must be a number');
	refuses(() => w.compoundTrack(batch, tracked, { maxSeparation: 0, merging: -1 }), 'RangeError', 'compoundTrack: merging must be 0 or more');
	refuses(() => w.compoundTrack(batch, tracked, { ...limit, index: [0] }), 'RangeError', 'compoundTrack: index must have 2 rows');
	refuses(() => w.compoundTrack(new wp.Batch(sample(wp).description), tracked, limit), 'TypeError', 'compoundTrack: batch is a Batch, but must be a CompoundBatch');
	refuses(() => frame(new wp.Results(2)), 'TypeError', 'compoundTrack: results must be a CompoundContacts');
	refuses(() => frame(new wp.CompoundContacts(2)), 'RangeError', 'compoundTrack: results must have the patchMax of tracked, 2, but has 4');
	for (const patchMax of [0, 65])
		refuses(() => new wp.CompoundTracked(1, { patchMax }), 'RangeError', 'CompoundTracked: patchMax');
	equal(new wp.CompoundTracked(1, { patchMax: 64 }).patchMax, 64, 'the most patches');
	refuses(() => tracked.setImpulse(index[1], 2, 0, [0, 0, 0]), 'RangeError', 'CompoundTracked.setImpulse: patch');
	refuses(() => tracked.setImpulse(index[1], 0, 4, [0, 0, 0]), 'RangeError', 'CompoundTracked.setImpulse: point');
	refuses(() => tracked.setImpulse(index[0], 0, 0, [0, 0, 0]), 'RangeError', `CompoundTracked.setImpulse: pair ${index[0]} has no patches`);
	equal((tracked.pair(index[1]).status & wp.Status.INVALID), 0, 'a status');
	w.compoundTrack(batch, tracked, { ...limit, index: [index[0], 2 ** 32 - 1] }, results);
	equal((results.status[1] & wp.Status.INVALID_TRACKED) !== 0, true, 'a pair that is none');
	tracked.give(index[0]);
	refuses(() => tracked.give(index[0]), 'RangeError', `CompoundTracked.give: pair ${index[0]} is not in use`);
	equal(tracked.take(), index[0], 'a pair that was given back');
	equal(tracked.pair(index[0]).patches.length, 0, 'of which nothing is known');
	[batch, tracked, results].forEach((thing) => thing.dispose());
	refuses(() => tracked.patches, 'Error', 'CompoundTracked.patches: this is disposed');
	bell.dispose();
}

/* Each child by itself as a body of meshDistance and the others, the ball as what it is. */
function checkCompoundMeshQueries({ wp }) {
	const { made, a, description } = tables(wp), w = new wp.Workspace(), { compoundMiss, meshMiss } = wp, alone = { ...description, a: { ...a, shape: [1, 2, 1] } };
	const places = (row) => Array.from({ length: made.childCount }, (_, i) => made.childPose(i, { position: a.position[row] }));
	const ofChildren = (row, query, ...more) => w[query]({ ...description, a: { position: places(row).map(({ position }) => position.map(Math.fround)),
		rotation: places(row).map(({ rotation }) => rotation), shape: places(row).map((_, i) => made.child(i).shape) }, pairs: places(row).map((_, i) => [i, 0]) }, ...more);
	const touch = w.compoundMeshOverlap(description), near = w.compoundMeshDistance(description);
	equalBits(Array.from(touch.overlap), [1, 1, 0], 'overlaps');
	equalBits(Array.from(touch.child), [ofChildren(0, 'meshOverlap').overlap.indexOf(1), 0, compoundMiss], 'children that overlap');
	equalBits([touch.triangle[0], touch.triangle[2]], [ofChildren(0, 'meshOverlap').triangle[touch.child[0]], meshMiss], 'their triangles');
	const away = ofChildren(2, 'meshDistance');
	equal(near.separation[2], Math.min(...away.separation), 'the nearest');
	equalBits([near.child[2], near.triangle[2]], [away.separation.indexOf(near.separation[2]), away.triangle[near.child[2]]], 'which is a leg');
	equal(Math.abs(near.separation[2] - 2) < 1e-5 && near.child[2] > 0, true, `how far: ${near.separation[2]}`);
	equalBits(Array.from(w.compoundMeshDistance(description, 1.5).child), [near.child[0], 0, compoundMiss], 'a largest distance');
	equalBits([near.statistics.rows, near.statistics.touching, near.statistics.invalid], [3, 2, 0], 'counts');
	const way = { translation: [[0, 1, 0], [0, 1, 0], [0, -4, 0]] }, cast = w.compoundMeshCast(description, way);
	equal(Math.abs(cast.fraction[2] - 0.5) < 1e-5 && cast.child[2] > 0 && cast.triangle[2] !== meshMiss, true, `a cast: ${cast.fraction[2]}`);
	equal((cast.status[2] & wp.Status.HIT) !== 0, true, 'hits');
	/* Without the turn it would fall for 0.8 of the time; its corner is first. */
	const over = { rotation: [identity, identity, [0, 0, Math.SQRT1_2, Math.SQRT1_2]], translation: [[0, 0, 0], [0, 0, 0], [0, -2.5, 0]] };
	const turned = w.compoundMeshCast(description, over);
	equal(turned.fraction[2] > 0.55 && turned.fraction[2] < 0.75 && turned.statistics.invalid === 0, true, `a cast that turns: ${turned.fraction[2]}`);
	equal(w.compoundMeshCast(description).fraction[2], 1, 'a body that stays');

	/* Rows with a shape, results that stay, ranges, variants. */
	for (const [query, ...more] of [['Overlap'], ['Distance'], ['Cast', way]]) {
		const found = w[`compoundMesh${query}`](description, ...more), plain = w[`mesh${query}`](alone, ...more);
		for (const name of ['separation', 'status', 'iterations', 'triangle'])
			equal(found[name][1], plain[name][1], `${name} of a ball by compoundMesh${query}`);
		equal(found.child[1], found.triangle[1] === meshMiss ? compoundMiss : 0, 'its child');
		const batch = new wp.CompoundMeshBatch({ ...description, first: 1 }), results = new wp.Results(3, ['separation', 'child', 'triangle', 'fraction']);
		const given = query === 'Cast' ? [...more, null] : query === 'Distance' ? [0] : [];
		for (const variant of wp.variants()) {
			equal(new wp.Workspace(variant)[`compoundMesh${query}`](batch, ...given, results), results, 'results');
			for (const name of ['separation', 'child', 'triangle'])
				equalBits([results[name][0], results[name][2]], [0, found[name][2]], `${name} of results by ${variant}`);
		}
		[batch, results].forEach((thing) => thing.dispose());
		const bad = w[`compoundMesh${query}`]({ ...description, a: { ...a, shape: [wp.compoundShape + 1, 2, 9] } }, ...more);
		equalBits([bad.statistics.invalid, bad.statistics.firstInvalidRow, bad.child[0], bad.triangle[2]], [2, 0, compoundMiss, meshMiss], 'invalid rows');
	}
	refuses(() => w.compoundMeshOverlap({ ...description, compounds: made }), 'TypeError', 'CompoundMeshBatch: compounds must be an array');
	refuses(() => w.compoundMeshOverlap(description, new wp.MeshContacts(3)), 'TypeError', 'compoundMeshOverlap: results must be a Results');
	refuses(() => w.compoundMeshDistance(description, -1), 'RangeError', 'compoundMeshDistance: maxDistance must be 0 or more');
	refuses(() => w.compoundMeshCast(description, { translation: [1] }), 'RangeError', 'compoundMeshCast: motionsA.translation must have 3 numbers a row');
	refuses(() => w.compoundMeshCast(new wp.MeshBatch(alone)), 'TypeError', 'compoundMeshCast: batch is a MeshBatch, but must be a CompoundMeshBatch or the description of one');
}

/* A table that stands, is lifted, and a ball that lies in the ramp. */
function checkCompoundMeshTracked({ wp }) {
	const { made, a, description } = tables(wp), w = new wp.Workspace(), tracked = new wp.MeshTracked(1, { patchMax: 2 }), limit = { maxSeparation: 0.02 };
	const position = wp.allocate(Float32Array, a.position.flat()), batch = new wp.CompoundMeshBatch({ ...description, a: { ...a, position } });
	const index = [tracked.take(), tracked.take(), tracked.take()], frame = (...more) => w.compoundMeshTrack(batch, tracked, { ...limit, index }, ...more);
	equalBits(Array.from(frame().changed).sort(), [0, 1], 'the table and the ball began to touch');
	const [table] = tracked.pair(index[0]).patches, which = table.points.findIndex(({ child }) => child === 3);
	equalBits(table.points.map(({ child }) => child).sort(), [1, 2, 3, 4], 'a point of each leg');
	equal(tracked.pair(index[1]).patches[0].points[0].child, 0, 'and the ball itself');
	tracked.setImpulse(index[0], 0, which, [3, 2, 1]);
	position.view[0] += 2 ** -8;
	const results = new wp.CompoundMeshContacts(3, { patchMax: 2 }), { statistics, changed } = frame(results);
	equalBits([changed.length, statistics.rows, statistics.touching], [0, 3, 2], 'nothing changed');
	const kept = tracked.pair(index[0]).patches[0].points;
	equalBits(kept.map(({ age }) => age), [1, 1, 1, 1], 'ages');
	equalBits(kept.find(({ child }) => child === 3).impulse, [3, 2, 1], 'the impulse of a leg');
	const found = w.compoundMeshContact(batch, { ...limit, patchMax: 2 });
	equal(JSON.stringify([0, 1, 2].map((row) => results.patch(row))), JSON.stringify(found.manifolds), 'results of a frame');
	equalBits(Array.from(results.separation), Array.from(found.separation), 'their separations');
	const first = 8 * index[0];
	equalBits(Array.from(tracked.children.subarray(first, first + 4)), kept.map(({ child }) => child), 'the array of children');
	tracked.reserve(9);
	equal(JSON.stringify(tracked.pair(index[0]).patches[0].points), JSON.stringify(kept), 'with room for more');
	position.view[1] += 2;
	equalBits(Array.from(frame().changed), [0], 'the table is lifted');
	equal(tracked.pair(index[0]).event & wp.Event.ENDED, wp.Event.ENDED, 'the end');
	refuses(() => w.compoundMeshTrack(batch, new wp.Tracked(3), limit), 'TypeError', 'compoundMeshTrack: tracked must be a MeshTracked');
	refuses(() => w.compoundMeshTrack(batch, tracked), 'TypeError', 'compoundMeshTrack: options must be an object');
	refuses(() => w.compoundMeshTrack(batch, tracked, { ...limit, index: [0] }), 'RangeError', 'compoundMeshTrack: index must have 3 rows');
	refuses(() => w.compoundMeshTrack(batch, tracked, { maxSeparation: NaN }), 'RangeError', 'compoundMeshTrack: maxSeparation must be 0 or more');
	refuses(() => frame(new wp.MeshContacts(3, { patchMax: 2 })), 'TypeError', 'compoundMeshTrack: results must be a CompoundMeshContacts');
	refuses(() => frame(new wp.CompoundMeshContacts(3)), 'RangeError', 'compoundMeshTrack: results must have the patchMax of tracked, 2, but has 4');
	[batch, tracked, results].forEach((thing) => thing.dispose());
	refuses(() => tracked.children, 'Error', 'MeshTracked.children: this is disposed');
	refuses(() => tracked.pairs, 'Error', 'MeshTracked.pairs: this is disposed');
	made.dispose();
}

export const checks = {
	'variants and version': checkVariants,
	'answers known by hand': checkAnswers,
	'the bits of the native program': checkDigests,
	'a digest notices one bit': checkDigestNotices,
	'the same bits in every form': checkForms,
	'memory grows': checkGrowth,
	'memory grows inside calls': checkGrowthInside,
	'memory grows where words are made': checkGrowthAtWords,
	'views of before memory grew': checkOldViews,
	'arrays of results': checkArraysOfResults,
	'nothing leaks': checkNoLeak,
	'columns of structs': checkColumns,
	'columns of vertices': checkHullColumns,
	'double positions': checkDouble,
	'caches': checkCaches,
	'prepared pairs': checkPrepared,
	'tracked pairs': checkTracked,
	'tracked pairs of another table': checkTrackedAnew,
	'snapshots of tracked pairs': checkSnapshots,
	'depths that are proven again': checkPolytopes,
	'persistent manifolds': checkPersistent,
	'boxes of bodies': checkBounds,
	'2D in every form': check2d,
	'2D answers known by hand': checkAnswers2d,
	'wrong arguments are named': checkArguments,
	'options are checked by name': checkOptions,
	'members of poses, bodies and batches are checked by name': checkNames,
	'invalid rows are values': checkInvalidRows,
	'shapes come and go': checkChanges,
	'disposal': checkDisposal,
	'terrain': checkTerrain,
	'heights in integers': checkIntegerHeights,
	'wrong arguments of meshes are named': checkMeshArguments,
	'tracked pairs with meshes': checkMeshTracked,
	compounds: checkCompounds,
	'tracked compounds': checkCompoundTracked,
	'compounds on meshes': checkCompoundsOnMeshes,
	'queries of compounds and meshes': checkCompoundMeshQueries,
	'tracked compounds on meshes': checkCompoundMeshTracked,
};
