/* Contacts of recorded pairs from JavaScript: this package beside Jolt's and Rapier's, where they are installed.
 *   node bench/web/compare.mjs PACKAGE [FOLDER]
 * PACKAGE is the folder of src/bindings/web/build; FOLDER has a node_modules with jolt-physics, @dimforge/rapier3d-compat or
 * @dimforge/rapier3d-simd-compat.
 *
 * Everyone gives one contact of each pair within 0.02: separation, normal, both points. Poses come from the same typed
 * arrays and shapes are made before. Rounded corners are off. A peer is called pair by pair, since it has no other way;
 * this package that way too, and by batches. Times are processor time, medians of rounds in turn, after some to warm up;
 * errors of the separation, in units of size plus distance, are over the pairs of which a peer says one, against the
 * exact answers beside the recorded pairs. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { bodiesOf, makeShape, readPairs } from '../../src/bindings/web/pairs.mjs';

const maxSeparation = Math.fround(0.02), rounds = 25, warmUp = 5;
const data = fileURLToPath(new URL('../data/', import.meta.url));
const part = (column, width, row) => column.subarray(row * width, (row + 1) * width);

function readTruth(name) {
	const bytes = readFileSync(join(data, `${name}.truth`)), view = new DataView(bytes.buffer, bytes.byteOffset);
	return Float64Array.from({ length: view.getUint32(8, true) }, (_, row) => view.getFloat64(16 + 40 * row, true));
}

/* ---- libraries: each gives run(separations), which fills in the separations, NaN for none ------------------------ */

function ours(wp, file, variant) {
	const workspace = new wp.Workspace(variant), shapes = file.shapes.map((shape) => makeShape(wp, shape));
	const table = new wp.ShapeTable(shapes), inMemory = (side) => Object.fromEntries(Object.entries(side).map(([name, array]) =>
		[name, wp.allocate(array.constructor, array)]));
	const bodies = bodiesOf(file), batch = new wp.Batch({ shapes: table, a: inMemory(bodies.a), b: inMemory(bodies.b) });
	const results = new wp.Results(file.count, ['separation', 'normal', 'pointA', 'pointB', 'status']);
	return { workspace, shapes, bounds: shapes.map((shape) => shape.bound), run(separations) {
		workspace.contact(batch, maxSeparation, results);
		separations.set(results.separation);
	} };
}

function oursByPair({ workspace, shapes }, file) {
	return { run(separations) {
		for (let row = 0; row < file.count; row++)
			separations[row] = workspace.contactPair(shapes[file.shapeA[row]],
				{ position: part(file.positionA, 3, row), rotation: part(file.rotationA, 4, row) }, shapes[file.shapeB[row]],
				{ position: part(file.positionB, 3, row), rotation: part(file.rotationB, 4, row) }, maxSeparation).separation;
	} };
}

function rapier(library, file) {
	const world = new library.World({ x: 0, y: 0, z: 0 });
	const describe = ({ kind, param, vertices }) => ({ sphere: () => library.ColliderDesc.ball(param[0]),
		capsule: () => library.ColliderDesc.capsule(param[1], param[0]),
		box: () => library.ColliderDesc.cuboid(param[0], param[1], param[2]),
		hull: () => library.ColliderDesc.convexHull(vertices) })[kind]();
	const [a, b] = [0, 1].map(() => file.shapes.map((shape) => world.createCollider(describe(shape))));
	const place = (collider, position, rotation, row) => {
		collider.setTranslation({ x: position[3 * row], y: position[3 * row + 1], z: position[3 * row + 2] });
		collider.setRotation({ x: rotation[4 * row], y: rotation[4 * row + 1], z: rotation[4 * row + 2], w: rotation[4 * row + 3] });
		return collider;
	};
	return { run(separations) {
		for (let row = 0; row < file.count; row++)
			separations[row] = place(a[file.shapeA[row]], file.positionA, file.rotationA, row).contactCollider(
				place(b[file.shapeB[row]], file.positionB, file.rotationB, row), maxSeparation)?.distance ?? NaN;
	} };
}

function jolt(library, file) {
	const scale = new library.Vec3(1, 1, 1), zero = new library.RVec3(0, 0, 0), settings = new library.CollideShapeSettings();
	settings.mMaxSeparationDistance = maxSeparation;
	const hull = (vertices) => {
		const description = new library.ConvexHullShapeSettings();
		for (let i = 0; i < vertices.length; i += 3)
			description.mPoints.push_back(new library.Vec3(vertices[i], vertices[i + 1], vertices[i + 2]));
		description.mMaxConvexRadius = 0;
		const made = description.Create();
		if (made.HasError())
			throw new Error(`Jolt: ${made.GetError().c_str()}`);
		return made.Get();
	};
	const make = ({ kind, param, vertices }) => ({ sphere: () => new library.SphereShape(param[0]),
		capsule: () => new library.CapsuleShape(param[1], param[0]),
		box: () => new library.BoxShape(new library.Vec3(param[0], param[1], param[2]), 0), hull: () => hull(vertices) })[kind]();
	const sides = [0, 1].map(() => file.shapes.map((record) => {
		const shape = make(record), placed = new library.TransformedShape();
		shape.AddRef();
		placed.mShape = shape;
		return { shape, placed };
	}));
	const collector = new library.CollideShapeClosestHitCollisionCollector(), filter = new library.ShapeFilter();
	const position = new library.RVec3(), rotation = new library.Quat();
	const place = ({ placed }, positions, rotations, row) => {
		position.Set(positions[3 * row], positions[3 * row + 1], positions[3 * row + 2]);
		rotation.Set(rotations[4 * row], rotations[4 * row + 1], rotations[4 * row + 2], rotations[4 * row + 3]);
		placed.SetWorldTransform(position, rotation, scale);
		return placed;
	};
	return { run(separations) {
		for (let row = 0; row < file.count; row++) {
			const b = place(sides[1][file.shapeB[row]], file.positionB, file.rotationB, row);
			const a = place(sides[0][file.shapeA[row]], file.positionA, file.rotationA, row);
			collector.Reset();
			a.CollideShape(b.mShape, scale, b.GetCenterOfMassTransform(), settings, zero, collector, filter);
			separations[row] = collector.HadHit() ? -collector.mHit.mPenetrationDepth : NaN;
		}
	} };
}

/* Jolt's table of who collides with whom is made with a world, whatever is in that. */
function startJolt(library) {
	const settings = new library.JoltSettings(), pairs = new library.ObjectLayerPairFilterTable(1);
	const layer = new library.BroadPhaseLayer(0), layers = new library.BroadPhaseLayerInterfaceTable(1, 1);
	pairs.EnableCollision(0, 0);
	layers.MapObjectToBroadPhaseLayer(0, layer);
	settings.mObjectLayerPairFilter = pairs;
	settings.mBroadPhaseLayerInterface = layers;
	settings.mObjectVsBroadPhaseLayerFilter = new library.ObjectVsBroadPhaseLayerFilterTable(layers, 1, pairs, 1);
	return new library.JoltInterface(settings);
}

/* ---- measuring ---------------------------------------------------------------------------------- */

async function findPeers(folder) {
	const require = createRequire(pathToFileURL(join(resolve(folder), 'package.json'))), found = [];
	const open = async (name, start) => {
		try {
			const path = require.resolve(name), description = join(resolve(folder), 'node_modules', name, 'package.json');
			const { version } = JSON.parse(readFileSync(description, 'utf8'));
			found.push([`${name} ${version}`, await start(await import(pathToFileURL(path).href))]);
		} catch (error) {
			console.error(`${name}: ${error.code === 'MODULE_NOT_FOUND' ? 'not installed' : error.message}`);
		}
	};
	for (const name of ['@dimforge/rapier3d-compat', '@dimforge/rapier3d-simd-compat'])
		await open(name, async ({ default: library }) => {
			await library.init();
			return (file) => rapier(library, file);
		});
	await open('jolt-physics', async ({ default: start }) => {
		const library = await start();
		startJolt(library);
		return (file) => jolt(library, file);
	});
	return found;
}

/* Processor time of all that the process does, in runs that take long enough for its clock. */
function timePerPair(run, count) {
	const start = process.cpuUsage();
	for (let runs = 1;; runs++) {
		run();
		const { user, system } = process.cpuUsage(start);
		if (user + system > 5000)
			return (user + system) * 1000 / (runs * count);
	}
}

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

/* How far a peer's separations are from the truth, over the pairs within the limit. */
function judge(separations, truth, units) {
	const errors = [];
	let none = 0, wrong = 0;
	truth.forEach((exact, row) => {
		if (exact > maxSeparation)
			return;
		if (Number.isNaN(separations[row])) {
			none += exact < maxSeparation - 1e-4 * units[row];
			return;
		}
		errors.push(Math.abs(separations[row] - exact) / units[row]);
		wrong += Math.abs(exact) > 1e-4 * units[row] && Math.sign(separations[row]) !== Math.sign(exact);
	});
	errors.sort((a, b) => a - b);
	return { p999: errors[Math.floor(0.999 * (errors.length - 1))], max: errors.at(-1), none, wrong };
}

function measure(wp, peers, name) {
	const file = readPairs(readFileSync(join(data, `${name}.pairs`))), truth = readTruth(name), wide = ours(wp, file, 'wasm');
	const all = [['widephase, a batch, SIMD', wide], ['widephase, a batch, scalar', ours(wp, file, 'scalar')],
		['widephase, pair by pair', oursByPair(ours(wp, file, 'auto'), file)], ...peers.map(([title, make]) => [title, make(file)])];
	const separations = all.map(() => new Float64Array(file.count)), times = all.map(() => []);
	for (let round = -warmUp; round < rounds; round++)
		all.forEach(([, { run }], i) => {
			const nanoseconds = timePerPair(() => run(separations[i]), file.count);
			if (round >= 0)
				times[i].push(nanoseconds);
		});
	const units = truth.map((exact, row) => Math.max(wide.bounds[file.shapeA[row]], wide.bounds[file.shapeB[row]]) + Math.abs(exact));
	console.log(`\n| ${name}, ${file.count} pairs | ns a pair | times the first | error 99.9 % | error max | none | wrong side |`);
	console.log('|---|---|---|---|---|---|---|');
	all.forEach(([title], i) => {
		const { p999, max, none, wrong } = judge(separations[i], truth, units), ns = median(times[i]);
		const ratio = (ns / median(times[0])).toFixed(1), errors = [p999, max].map((error) => error.toExponential(1)).join(' | ');
		console.log(`| ${title} | ${ns.toFixed(0)} | ${ratio} | ${errors} | ${none} | ${wrong} |`);
	});
}

const [folder, peersFolder = '.'] = process.argv.slice(2);
if (folder === undefined) {
	console.error('usage: node bench/web/compare.mjs PACKAGE [FOLDER]');
	process.exit(2);
}
const { default: load } = await import(pathToFileURL(join(resolve(folder), 'widephase.mjs')).href);
const wp = await load(), peers = await findPeers(peersFolder);
for (const name of ['rec_wall', 'rec_ragdoll', 'rec_pile', 'rec_meshes'])
	measure(wp, peers, name);
