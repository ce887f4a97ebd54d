/* The page: what is on it, how hands move it, the text of the answer. */
import load from 'widephase/single';
import { readPairs } from '../../src/bindings/web/pairs.mjs';
import { catalogue, coreInWorld, difference, shapeOf, swell } from './shapes.mjs';
import { solve } from './steps.mjs';
import { Throughput } from './throughput.mjs';
import { add, compose, dot, length, lerp, normalised, normalOf, rotate, scale, sub, turn } from './vector.mjs';
import { View } from './view.mjs';

const at = (id) => document.getElementById(id);
const colours = { a: [90, 169, 255], b: [255, 180, 84], difference: [128, 138, 178], rounded: [170, 150, 200], polytope: [95, 212, 139], nearest: [255, 224, 102] };
const [cssA, cssB, yellow, green, red, white] = ['#5aa9ff', '#ffb454', '#ffe066', '#5fd48b', '#ff7b72', '#ffffff'];

const wp = await load();
const workspaces = Object.fromEntries(wp.variants().map((variant) => [variant, new wp.Workspace(variant)]));
const views = { world: new View(at('world'), at('world-labels')), difference: new View(at('difference'), at('difference-labels')) };
views.difference.distance = 13;

const state = { shapes: [null, null], poses: [null, null], chosen: 1, mode: 'move', variant: 'wasm', step: 0, wanted: null, file: null, index: 0,
	playing: null };

/* ---- the pair ----------------------------------------------------------------------------------- */

/* Poses are float, since that is what the library is given. */
function setPose(side, position, rotation) {
	state.poses[side] = { position: position.map(Math.fround), rotation: normalised(rotation).map(Math.fround) };
}

/* Both or, where one is undefined, the other; where the library refuses one, none. */
function setShapes(records) {
	const made = [];
	try {
		records.forEach((record) => made.push(record && shapeOf(wp, record)));
	} catch (error) {
		made.forEach((shape) => shape?.made.dispose());
		throw error;
	}
	made.forEach((shape, side) => {
		if (shape === undefined)
			return;
		state.shapes[side]?.made.dispose();
		state.shapes[side] = shape;
		state.wanted = null;
	});
}

/* Both views show the pair from a distance that fits its size. */
function fit() {
	const [a, b] = state.shapes.map(({ made }) => made.bound), apart = length(sub(state.poses[1].position, state.poses[0].position));
	const size = Math.max(apart / 2 + Math.max(a, b), 1e-3);
	views.world.target = lerp(state.poses[0].position, state.poses[1].position, 0.5);
	views.world.distance = 3.2 * size;
	views.difference.distance = 3.5 * (a + b + apart / 4 || 1e-3);
}

function fitAgain() {
	fit();
	draw();
}

/* The answers of both variants and of the textbook to the pair as it is. */
function solveAgain() {
	const [a, b] = state.shapes, [poseA, poseB] = state.poses;
	state.answers = Object.fromEntries(Object.entries(workspaces).map(([variant, workspace]) =>
		[variant, workspace.contactManifoldPair(a.made, poseA, b.made, poseB, Infinity, 8)]));
	state.textbook = solve(...state.shapes.map((shape, side) => coreInWorld(shape, state.poses[side])));
	state.step = wantedStep();
	views.difference.target = scale(sub(poseA.position, poseB.position), 0.5);
	throughput.reset(a, b, poseA, poseB);
	tell();
	draw();
}

/* The difference of the cores and of the whole shapes, as they are turned now: where they are only moves it. */
let turned = {};

function differenceNow() {
	const rotations = state.poses.map(({ rotation }) => normalised(rotation)), key = rotations.join();
	if (turned.key !== key || turned.a !== state.shapes[0] || turned.b !== state.shapes[1]) {
		const [a, b] = state.shapes.map(({ core }, side) => ({ ...core, points: core.points.map((p) => rotate(rotations[side], p)) }));
		const cores = difference(a, b);
		turned = { key, a: state.shapes[0], b: state.shapes[1], cores, whole: swell(cores, state.shapes[0].radius + state.shapes[1].radius) };
	}
	return turned;
}

/* ---- drawing ------------------------------------------------------------------------------------ */

/* A place within a mesh, from its middle along a direction: half of the way to its surface. */
function placeWithin({ points, faces }, direction) {
	const middle = scale(points.reduce(add), 1 / points.length);
	const ways = faces.map((face) => {
		const normal = normalOf(face.map((i) => points[i])), along = dot(normal, direction);
		return along > 1e-9 ? Math.max(dot(normal, sub(points[face[0]], middle)), 0) / along : Infinity;
	});
	const way = Math.min(...ways);
	return Number.isFinite(way) ? add(middle, scale(direction, 0.5 * way)) : middle;
}

function drawWorld() {
	const view = views.world, answer = state.answers[state.variant], isAnswer = !Number.isNaN(answer.separation);
	view.clear();
	const away = isAnswer ? answer.normal : view.axes().right;
	state.shapes.forEach(({ mesh }, side) => {
		const { position, rotation } = state.poses[side], q = normalised(rotation), tag = side, chosen = side === state.chosen;
		const points = mesh.points.map((p) => add(rotate(q, p), position)), colour = side === 0 ? colours.a : colours.b;
		view.mesh(points, mesh.faces, colour, { alpha: 0.72, edges: chosen ? 0.9 : 0.55, sharp: mesh.sharp, faint: 0.05, tag });
		if (mesh.line.length === 2)
			view.line(mesh.line.map((i) => points[i]), side === 0 ? cssA : cssB, { width: 5 });
		if (mesh.faces.length === 0)
			view.dot(points[0], side === 0 ? cssA : cssB, { radius: 6 });
		view.label(placeWithin({ points, faces: mesh.faces }, scale(away, side === 0 ? -1 : 1)), 'AB'[side], side === 0 ? cssA : cssB, { on: true });
	});
	if (!isAnswer)
		return;
	const size = Math.max(...state.shapes.map(({ made }) => made.bound), 1e-3);
	for (const { pointA, pointB } of answer.points) {
		view.line([pointA, pointB], white, { width: 1.5 });
		view.dot(lerp(pointA, pointB, 0.5), green, { radius: 4 });
	}
	view.line([answer.pointA, answer.pointB], white, { width: 2, dash: [4, 3] });
	view.line([answer.pointA, add(answer.pointA, scale(answer.normal, 0.8 * size))], yellow, { width: 2.5, arrow: true });
	view.dot(answer.pointA, cssA, { radius: 6 });
	view.dot(answer.pointB, cssB, { radius: 4 });
	view.label(answer.pointA, 'a', cssA, { away: answer.pointB });
	view.label(answer.pointB, 'b', cssB, { away: answer.pointA });
}

function drawSimplex(view, corners) {
	const points = corners.map(({ w }) => w);
	if (points.length > 2)
		view.mesh(points, points.length === 3 ? [[0, 1, 2]] : [[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]], colours.nearest,
			{ alpha: 0.4, both: true, edges: 0 });
	points.forEach((p, i) => points.slice(i + 1).forEach((q) => view.line([p, q], yellow, { width: 2.5 })));
	points.forEach((p) => view.dot(p, yellow, { radius: 5 }));
}

function drawPolytope(view, { faces, nearest }) {
	const corners = [...new Set(faces.flatMap((face) => face.corners))], points = corners.map(({ w }) => w);
	const indices = faces.map((face) => face.corners.map((corner) => corners.indexOf(corner)));
	const best = indices[faces.indexOf(nearest)];
	view.mesh(points, indices, colours.polytope, { alpha: 0.45, edges: 0.9, light: true,
		glow: (face) => (face === best ? colours.nearest : null) });
	best.forEach((from, i) => view.line([points[from], points[best[(i + 1) % 3]]], yellow, { width: 2.5 }));
	view.line([[0, 0, 0], scale(nearest.normal, nearest.distance)], white, { width: 2, dash: [4, 3] });
}

/* Of rounded shapes the cores' difference, in which GJK walks, within the whole shapes' difference. */
function drawDifference() {
	const view = views.difference, step = state.textbook.steps[state.step], { cores, whole } = differenceNow();
	const offset = sub(state.poses[0].position, state.poses[1].position), placed = ({ points }) => points.map((p) => add(p, offset));
	const points = placed(cores);
	view.clear();
	if (whole !== cores)
		view.mesh(placed(whole), whole.faces, colours.rounded, { alpha: 0.16, edges: 0.5, light: true, sharp: whole.sharp });
	view.mesh(points, cores.faces, colours.difference, { alpha: 0.3, edges: 0.55, light: true, sharp: cores.sharp });
	if (cores.line.length === 2)
		view.line(cores.line.map((i) => points[i]), '#808ab2', { width: 3 });
	if (cores.faces.length === 0)
		view.dot(points[0], '#808ab2', { radius: 4 });
	step.faces ? drawPolytope(view, step) : drawSimplex(view, step.simplex);
	if (step.closest && length(step.closest) > 0) {
		view.line([[0, 0, 0], step.closest], white, { width: 2, dash: [4, 3] });
		view.dot(step.closest, white, { radius: 3 });
	}
	view.dot([0, 0, 0], white, { radius: 5 });
	view.label([0, 0, 0], 'origin', white, { away: step.closest ?? (step.nearest && scale(step.nearest.normal, step.nearest.distance)) });
	if (step.newest) {
		view.dot(step.newest.w, red, { radius: 6, ring: true });
		view.label(step.newest.w, 'support', red, { away: scale(sub(state.poses[0].position, state.poses[1].position), 0.5) });
	}
}

let wanted = false;

function draw() {
	if (wanted)
		return;
	wanted = true;
	requestAnimationFrame(drawNow);
}

/* The page shows the state: nothing to do if it was drawn since the state last changed. */
function drawNow() {
	if (!wanted)
		return;
	wanted = false;
	drawWorld();
	drawDifference();
	Object.values(views).forEach((view) => view.draw());
}

/* ---- words -------------------------------------------------------------------------------------- */

const isPlain = (x) => x === 0 || Math.abs(x) >= 1e-4 && Math.abs(x) < 1e5;
const show = (x) => (isPlain(x) ? x.toFixed(6) : Number.isFinite(x) ? x.toExponential(4) : String(x));
const hexOf = (x) => new Uint32Array(new Float32Array([x]).buffer)[0].toString(16).padStart(8, '0');

/* Every number of an answer, by its bits. */
function bitsOf({ separation, normal, pointA, pointB, lower, upper, status, iterations, points }) {
	const all = [separation, ...normal, ...pointA, ...pointB, lower, upper, ...points.flatMap((p) => [p.separation, ...p.pointA, ...p.pointB,
		...p.localA, ...p.localB])];
	return [...all.map(hexOf), status, iterations, ...points.flatMap((p) => [p.featureA, p.featureB])].join();
}

function feature(id) {
	if (id === 0xffffffff)
		return 'face';
	const [i, j] = [id & 0xffff, id >>> 16];
	return i === j ? `v${i}` : `e${i}-${j}`;
}

function tellAnswer() {
	const answer = state.answers[state.variant], first = answer.words[0];
	at('separation').textContent = show(answer.separation);
	at('status').innerHTML = answer.words.map((word) => `<span class="chip ${word}">${word}</span>`).join(' ');
	at('normal').textContent = answer.normal.map((x) => x.toFixed(4)).join(', ');
	at('bounds').textContent = `${show(answer.lower)} … ${show(answer.upper)}`;
	at('bits').textContent = [answer.separation, ...answer.normal].map(hexOf).join(' ');
	const same = bitsOf(state.answers.scalar) === bitsOf(state.answers.wasm);
	at('same').textContent = same ? '✓ scalar and SIMD: the same bits' : '✗ scalar and SIMD differ';
	at('same').className = same ? 'good' : 'bad';
	const line = (...cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
	at('points').innerHTML = answer.points.map((p, i) =>
		line(i + 1, show(p.separation), `${feature(p.featureA)}, ${feature(p.featureB)}`)).join('') || `<tr><td colspan="3">${first === 'invalid' ? 'no answer' : 'no points'}</td></tr>`;
}

/* How far the textbook is from the library, beside what the library promises, in units of size plus distance, and what the
 * textbook leaves in doubt where a core curves. */
function tellTextbook() {
	const { separation, doubt } = state.textbook, answer = state.answers[state.variant];
	const size = Math.max(...state.shapes.map(({ made }) => made.bound)), curved = state.shapes.some((shape) => shape.curved);
	const promise = (curved ? 1e-5 : 3e-6) * (size + Math.abs(separation));
	const apart = Math.max(separation - doubt - answer.separation, answer.separation - separation, 0), holds = apart <= promise;
	at('textbook').textContent = Number.isNaN(answer.separation) ? '–' : show(separation);
	if (Number.isNaN(answer.separation)) {
		at('apart').textContent = '–';
		return;
	}
	const [mark, kind] = holds ? ['✓', 'good'] : ['✗', 'bad'];
	at('apart').innerHTML = `<span class="${kind}">${mark} ${apart.toExponential(1)}</span> of ${promise.toExponential(1)} promised` +
		(doubt > promise ? `, beyond ${doubt.toExponential(1)} that the textbook leaves open` : '');
}

function tellStep() {
	const { steps } = state.textbook, step = steps[state.step];
	const { number } = nameOf(state.step);
	at('slider').max = steps.length - 1;
	at('slider').value = state.step;
	at('position').textContent = `${state.step + 1} / ${steps.length}`;
	at('text').innerHTML = `<span class="phase ${step.phase}">${step.phase.toUpperCase()} ${number}</span>`;
	at('text').append(step.text);
	at('play').textContent = state.playing ? 'Pause' : 'Play';
}

function tell() {
	tellAnswer();
	tellTextbook();
	tellStep();
	const isRounded = state.shapes.some(({ radius }) => radius > 0);
	at('flavour').textContent = isRounded ? 'inside: without the radii, where GJK searches; outside: with them'
		: 'its point nearest to the origin is the contact';
	at('rounded-legend').hidden = !isRounded;
}

/* ---- steps -------------------------------------------------------------------------------------- */

/* A step by its phase and its number there. */
function nameOf(step) {
	const { steps } = state.textbook, { phase } = steps[step];
	return { phase, number: steps.slice(0, step + 1).filter((other) => other.phase === phase).length };
}

/* The step to show: that which was chosen, the last of its phase where that has fewer now, the last of all where none was
 * chosen or its phase is gone. */
function wantedStep() {
	const { steps } = state.textbook, { phase, number } = state.wanted ?? {};
	const known = steps.map((_, step) => step).filter((step) => steps[step].phase === phase);
	return known[Math.min(number, known.length) - 1] ?? steps.length - 1;
}

function goTo(step) {
	const last = state.textbook.steps.length - 1;
	state.step = Math.max(0, Math.min(last, step));
	state.wanted = state.step < last ? nameOf(state.step) : null;
	tellStep();
	draw();
}

function play(on) {
	clearInterval(state.playing);
	state.playing = null;
	if (on) {
		if (state.step === state.textbook.steps.length - 1)
			state.step = 0;
		state.playing = setInterval(() => {
			goTo(state.step + 1);
			if (state.step === state.textbook.steps.length - 1)
				play(false);
		}, 700);
	}
	goTo(state.step);
}

/* ---- hands -------------------------------------------------------------------------------------- */

function moveShape(side, way) {
	setPose(side, add(state.poses[side].position, way), state.poses[side].rotation);
	solveAgain();
}

function turnShape(side, axis, angle) {
	setPose(side, state.poses[side].position, compose(turn(axis, angle), normalised(state.poses[side].rotation)));
	solveAgain();
}

function drag(name, tag, dx, dy, turning) {
	const view = views[name], { right, up } = view.axes();
	if (tag === null)
		view.orbit(dx, dy);
	else if (turning)
		turnShape(tag, add(scale(right, dy), scale(up, dx)), Math.hypot(dx, dy) * 0.01);
	else
		moveShape(tag, view.unproject(state.poses[tag].position, dx, dy));
	draw();
}

/* Mouse and touch: one pointer drags, two zoom. */
function listenToPointers(name) {
	const { canvas } = views[name], pointers = new Map();
	let tag = null;
	const spread = () => {
		const [p, q] = [...pointers.values()];
		return Math.hypot(p.x - q.x, p.y - q.y);
	};
	canvas.addEventListener('pointerdown', (event) => {
		canvas.setPointerCapture(event.pointerId);
		pointers.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
		if (pointers.size > 1 || name !== 'world')
			return;
		drawNow();
		tag = views.world.pick(event.offsetX, event.offsetY);
		if (tag !== null)
			state.chosen = tag;
		draw();
	});
	canvas.addEventListener('pointermove', (event) => {
		const before = pointers.get(event.pointerId);
		if (before === undefined)
			return;
		const wide = pointers.size === 2 ? spread() : 0, dx = event.offsetX - before.x, dy = event.offsetY - before.y;
		pointers.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
		if (pointers.size === 2)
			views[name].zoom(wide / Math.max(spread(), 1));
		else if (dx !== 0 || dy !== 0)
			drag(name, tag, dx, dy, (state.mode === 'turn') !== event.shiftKey);
		draw();
	});
	const leave = (event) => {
		pointers.delete(event.pointerId);
		tag = pointers.size === 0 ? null : tag;
	};
	canvas.addEventListener('pointerup', leave);
	canvas.addEventListener('pointercancel', leave);
	canvas.addEventListener('wheel', (event) => {
		event.preventDefault();
		views[name].zoom(Math.exp(event.deltaY * 0.0012));
		draw();
	}, { passive: false });
}

const ways = { ArrowLeft: [-1, 0, 0], ArrowRight: [1, 0, 0], ArrowUp: [0, 1, 0], ArrowDown: [0, -1, 0],
	PageUp: [0, 0, -1], PageDown: [0, 0, 1] };

/* An arrow key: the chosen shape in the world, the eye on the difference. */
function arrow(key, shift) {
	const [x, y, z] = ways[key];
	if (document.activeElement === views.difference.canvas)
		return drag('difference', null, -12 * x, 12 * y, false);
	const { right, up, back } = views.world.axes(), size = state.shapes[state.chosen].made.bound;
	const way = add(add(scale(right, x), scale(up, y)), scale(back, z));
	if (shift)
		return turnShape(state.chosen, add(add(scale(up, x), scale(right, -y)), scale(back, z)), Math.PI / 36);
	moveShape(state.chosen, scale(way, 0.02 * size));
}

const keys = {
	1: () => choose(0), 2: () => choose(1), ',': () => goTo(state.step - 1), '.': () => goTo(state.step + 1), p: () => play(!state.playing),
	'[': () => showPair(state.index - 1), ']': () => showPair(state.index + 1), '+': () => zoomBoth(0.9), '=': () => zoomBoth(0.9),
	'-': () => zoomBoth(1 / 0.9), f: fitAgain,
};

function choose(side) {
	state.chosen = side;
	draw();
}

function zoomBoth(factor) {
	Object.values(views).forEach((view) => view.zoom(factor));
	draw();
}

document.addEventListener('keydown', (event) => {
	if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT)$/.test(event.target.tagName))
		return;
	if (event.key in ways)
		arrow(event.key, event.shiftKey);
	else if (event.key.toLowerCase() in keys)
		keys[event.key.toLowerCase()]();
	else
		return;
	event.preventDefault();
});

/* ---- recorded pairs ----------------------------------------------------------------------------- */

function openFile(bytes, name) {
	try {
		const file = readPairs(bytes);
		if (file.count === 0)
			throw new Error('pair file: it has no pairs');
		state.file = file;
		at('walk').hidden = false;
		at('index').max = file.count - 1;
		at('total').textContent = `of ${file.count}`;
		at('file-note').textContent = `${name}: ${file.count} pairs of ${file.shapes.length} shapes`;
		at('file-note').className = 'note';
		showPair(0);
	} catch (error) {
		at('file-note').textContent = `${name}: ${error.message.replace('pair file: ', '')}`;
		at('file-note').className = 'note bad';
	}
}

function showPair(index) {
	const { file } = state;
	if (file === null)
		return;
	const pair = state.index = Math.max(0, Math.min(file.count - 1, Math.round(index) || 0));
	at('index').value = pair;
	const records = [file.shapes[file.shapeA[pair]], file.shapes[file.shapeB[pair]]];
	const without = { 'half-space': 'a half-space has no end', mesh: 'a mesh is not convex' };
	const odd = records.find(({ kind }) => kind in without);
	if (odd) {
		at('file-note').textContent = `pair ${pair}: ${without[odd.kind]}, and so has no difference to draw`;
		return;
	}
	try {
		setShapes(records);
	} catch (error) {
		at('file-note').textContent = `pair ${pair}: ${error.message}`;
		return;
	}
	const part = (column, width) => Array.from(column.subarray(pair * width, (pair + 1) * width));
	state.poses[0] = { position: part(file.positionA, 3), rotation: part(file.rotationA, 4) };
	state.poses[1] = { position: part(file.positionB, 3), rotation: part(file.rotationB, 4) };
	['A', 'B'].forEach((side, i) => {
		at(`kind${side}`).options[0].textContent = `${records[i].kind}, recorded`;
		at(`kind${side}`).options[0].hidden = false;
		at(`kind${side}`).value = '';
	});
	fit();
	solveAgain();
}

/* ---- the controls ------------------------------------------------------------------------------- */

const throughput = new Throughput(wp, workspaces, (variant, text, share) => {
	at(`rate-${variant}`).textContent = text;
	at(`meter-${variant}`).value = share;
});

function press(names, chosen) {
	names.forEach((name) => at(name).setAttribute('aria-pressed', String(name === chosen)));
}

function reset() {
	Object.assign(at('kindA'), { value: 'Rock' });
	Object.assign(at('kindB'), { value: 'Box' });
	setShapes([catalogue.Rock, catalogue.Box]);
	setPose(0, [-0.75, 0, 0], turn([1, 2, 0.5], 0.5));
	setPose(1, [1.15, 0.55, 0.1], turn([0.3, 1, 0.6], 0.7));
	fit();
	solveAgain();
}

function shuffle() {
	const any = () => 2 * Math.random() - 1, reach = state.shapes[0].made.bound + state.shapes[1].made.bound;
	state.poses.forEach((_, side) => setPose(side, [any(), any(), any()].map((x) => x * 0.35 * reach), [any(), any(), any(), any()]));
	fit();
	solveAgain();
}

function listen() {
	['A', 'B'].forEach((side, i) => {
		at(`kind${side}`).append(Object.assign(new Option('', ''), { hidden: true }),
			...Object.keys(catalogue).map((name) => new Option(name, name)));
		at(`kind${side}`).addEventListener('change', ({ target }) => {
			setShapes(i === 0 ? [catalogue[target.value], undefined] : [undefined, catalogue[target.value]]);
			solveAgain();
		});
	});
	Object.keys(views).forEach(listenToPointers);
	const onClick = { reset, shuffle, fit: fitAgain, first: () => goTo(0), last: () => goTo(Infinity), back: () => goTo(state.step - 1),
		forward: () => goTo(state.step + 1), play: () => play(!state.playing), before: () => showPair(state.index - 1),
		next: () => showPair(state.index + 1) };
	Object.entries(onClick).forEach(([id, call]) => at(id).addEventListener('click', call));
	['move', 'turn'].forEach((mode) => at(mode).addEventListener('click', () => press(['move', 'turn'], state.mode = mode)));
	['scalar', 'wasm'].forEach((variant) => at(variant).addEventListener('click', () => {
		press(['scalar', 'wasm'], state.variant = variant);
		tell();
		draw();
	}));
	at('slider').addEventListener('input', ({ target }) => goTo(Number(target.value)));
	at('index').addEventListener('change', ({ target }) => showPair(Number(target.value)));
	const openBlob = async (blob) => openFile(new Uint8Array(await blob.arrayBuffer()), blob.name);
	at('file').addEventListener('change', ({ target }) => target.files.length > 0 && openBlob(target.files[0]));
	at('sample').addEventListener('click', () => {
		const { name, base64 } = JSON.parse(at('sample-data').textContent);
		openFile(Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0)), name);
	});
	document.addEventListener('dragover', (event) => event.preventDefault());
	document.addEventListener('drop', (event) => {
		event.preventDefault();
		if (event.dataTransfer.files.length > 0)
			openBlob(event.dataTransfer.files[0]);
	});
	at('measure').addEventListener('click', () => at('measure').setAttribute('aria-pressed', String(throughput.toggle())));
	window.addEventListener('resize', draw);
}

at('intro').open = window.matchMedia('(min-width: 821px)').matches;
listen();
reset();
document.documentElement.dataset.ready = 'true';
