/* The explorer: its textbook against the library on recorded pairs, its hulls, and the page in a browser, by mouse, touch
 * and keyboard. WIDEPHASE_SHOTS names a folder for pictures of the page. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { hullFaces } from '../../bench/explorer/hull.mjs';
import { writePage } from '../../bench/explorer/page.mjs';
import { catalogue, facesOf, shapeOf } from '../../bench/explorer/shapes.mjs';
import { solve } from '../../bench/explorer/steps.mjs';
import { add, cross, dot, length, normalised, rotate, scale, sub, unit } from '../../bench/explorer/vector.mjs';
import { readPairs } from '../../src/web/pairs.mjs';
import { browser, withPage } from './chromium.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = resolve(process.env.WIDEPHASE_PACKAGE ?? join(root, 'build-web/package'));
const { default: load } = await import(pathToFileURL(join(folder, 'widephase.mjs')).href);
const wp = await load();
const readData = (name) => readPairs(readFileSync(join(root, 'bench/data', `${name}.pairs`)));

/* ---- the textbook ------------------------------------------------------------------------------- */

const inWorld = ({ vertices, radius }, { position, rotation }) =>
	({ vertices: vertices.map((v) => add(rotate(normalised(rotation), v), position)), radius });

/* The largest error of the textbook against the library, in units of size plus distance; `where` it lies. */
function judge(workspace, shapes, poses, what, worst) {
	const found = solve(inWorld(shapes[0], poses[0]), inWorld(shapes[1], poses[1]));
	const answer = workspace.contactPair(shapes[0].made, poses[0], shapes[1].made, poses[1]);
	const size = Math.max(shapes[0].made.bound, shapes[1].made.bound) + Math.abs(answer.separation);
	const error = Math.abs(found.separation - answer.separation) / size;
	assert.ok(error <= 3e-6, `${what}: ${found.separation}, library ${answer.separation}`);
	assert.ok(found.steps.length > 0 && found.steps.length <= 130);
	if (found.normal)
		assert.ok(Math.abs(dot(found.normal, sub(found.pointB, found.pointA)) - found.separation) <= 1e-6 * size, `${what}: points`);
	return Math.max(worst, error);
}

test('the textbook agrees with the library on recorded pairs', () => {
	const workspace = new wp.Workspace();
	for (const name of ['rec_pile', 'rec_wall', 'rec_ragdoll', 'rec_meshes']) {
		const file = readData(name), shapes = file.shapes.map((record) => shapeOf(wp, { ...record }));
		const part = (column, width, row) => Array.from(column.subarray(row * width, (row + 1) * width));
		let worst = 0;
		for (let row = 0; row < file.count; row += 16)
			worst = judge(workspace, [shapes[file.shapeA[row]], shapes[file.shapeB[row]]],
				[{ position: part(file.positionA, 3, row), rotation: part(file.rotationA, 4, row) },
					{ position: part(file.positionB, 3, row), rotation: part(file.rotationB, 4, row) }], `${name} ${row}`, worst);
	}
});

test('the textbook agrees with the library on all shapes of the page', () => {
	const workspace = new wp.Workspace(), shapes = Object.values(catalogue).map((record) => shapeOf(wp, record));
	let seed = 7, worst = 0;
	const next = () => {
		seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
		return Math.fround(seed / 2 ** 31 - 1);
	};
	for (const a of shapes)
		for (const b of shapes)
			for (let i = 0; i < 6; i++) {
				const pose = () => ({ position: [next(), next(), next()], rotation: normalised([next(), next(), next(), next()]).map(Math.fround) });
				worst = judge(workspace, [a, b], [pose(), pose()], `${a.record.kind} ${b.record.kind} ${i}`, worst);
			}
});

/* ---- hulls -------------------------------------------------------------------------------------- */

const unitCube = [0, 1, 2, 3, 4, 5, 6, 7].map((i) => [i & 1, i >> 1 & 1, i >> 2]);

/* Every point lies behind every face, edges meet twice, and Euler's formula holds. */
function checkHull(points, faces, what) {
	const edges = new Set(faces.flatMap((face) => face.map((i, k) => `${i},${face[(k + 1) % face.length]}`)));
	assert.ok([...edges].every((edge) => edges.has(edge.split(',').reverse().join())), `${what}: an open edge`);
	const used = new Set(faces.flat());
	assert.equal(used.size - edges.size / 2 + faces.length, 2, `${what}: Euler's formula`);
	const size = Math.max(...points.map(length));
	for (const face of faces) {
		const corners = face.map((i) => points[i]), first = corners[0];
		const arms = corners.map((p) => sub(p, first));
		const normal = unit(arms.reduce((sum, arm, i) => add(sum, cross(arm, arms[(i + 1) % arms.length])), [0, 0, 0]));
		for (const point of points)
			assert.ok(dot(normal, sub(point, first)) <= 1e-5 * size, `${what}: a point outside by ${dot(normal, sub(point, first)) / size}`);
	}
}

test('hulls of points', () => {
	const sides = hullFaces(unitCube);
	assert.deepEqual(sides.map((face) => face.length), [4, 4, 4, 4, 4, 4]);
	checkHull(unitCube, sides, 'a cube');
	const double = unitCube.flatMap((p) => unitCube.map((q) => sub(p, scale(q, 2))));
	assert.deepEqual(hullFaces(double).map((face) => face.length), [4, 4, 4, 4, 4, 4]);
	assert.equal(hullFaces([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0.5, 0.5, 0]]).length, 2);
	assert.equal(hullFaces([[0, 0, 0], [1, 1, 1], [2, 2, 2]]).length, 0);
	assert.equal(hullFaces([[1, 2, 3]]).length, 0);
	for (const name of ['rec_pile', 'rec_meshes'])
		readData(name).shapes.filter(({ kind }) => kind === 'hull').forEach(({ vertices }, i) => {
			const points = Array.from({ length: vertices.length / 3 }, (_, k) => Array.from(vertices.slice(3 * k, 3 * k + 3)));
			checkHull(points, facesOf(vertices), `${name} ${i}`);
		});
});

/* ---- the page ----------------------------------------------------------------------------------- */

const place = mkdtempSync(join(tmpdir(), 'widephase-')), page = join(place, 'explorer.html');
const skip = !browser && 'no Chromium';
after(() => rmSync(place, { recursive: true }));

async function explore(size, work) {
	writePage(folder, page);
	await withPage(pathToFileURL(page).href, size, async (tab) => {
		await tab.until(`document.documentElement.dataset.ready === 'true'`);
		await tab.frame();
		const text = (id) => tab.evaluate(`document.getElementById('${id}').textContent`);
		const click = (id) => tab.evaluate(`document.getElementById('${id}').click()`);
		const press = async (key, modifiers = 0) => {
			for (const type of ['keyDown', 'keyUp'])
				await tab.send('Input.dispatchKeyEvent', { type, key, modifiers, text: type === 'keyDown' && key.length === 1 ? key : undefined });
		};
		const shot = async (name) => {
			if (!process.env.WIDEPHASE_SHOTS)
				return;
			mkdirSync(process.env.WIDEPHASE_SHOTS, { recursive: true });
			await tab.frame();
			const { data } = await tab.send('Page.captureScreenshot', { format: 'png' });
			writeFileSync(join(process.env.WIDEPHASE_SHOTS, `${name}.png`), Buffer.from(data, 'base64'));
		};
		/* What must hold whatever is on the page. */
		const holds = async (what) => {
			assert.match(await text('same'), /^✓/, what);
			assert.match(await text('apart'), /^✓/, what);
			assert.deepEqual(tab.problems, [], what);
		};
		const choose = (a, b) => tab.evaluate(`['A', 'B'].forEach((side, i) => { const list = document.getElementById('kind' + side);
			list.value = ['${a}', '${b}'][i]; list.dispatchEvent(new Event('change')); })`);
		await work({ tab, text, click, press, shot, holds, choose });
	});
}

/* Where a shape of the page is drawn: a place on which a press chooses it. */
const middle = (side) => `(() => { const box = document.getElementById('world').getBoundingClientRect();
	return [box.left + box.width * ${side === 'A' ? 0.36 : 0.66}, box.top + box.height * 0.52]; })()`;

test('the page on a laptop', { skip }, async () => {
	await explore({ width: 1440, height: 900 }, async ({ tab, text, click, press, shot, holds }) => {
		await holds('at first');
		await shot('laptop');
		/* Every pair of kinds. */
		const choose = (a, b) => tab.evaluate(`['A', 'B'].forEach((side, i) => { const list = document.getElementById('kind' + side);
			list.value = ['${a}', '${b}'][i]; list.dispatchEvent(new Event('change')); })`);
		for (const a of Object.keys(catalogue))
			for (const b of Object.keys(catalogue)) {
				await choose(a, b);
				await holds(`${a} and ${b}`);
			}
		/* The mouse moves and turns a shape, also where the frame that shows it, and not the one before, is late. */
		await choose('Segment', 'Segment');
		await tab.frame();
		await tab.evaluate('window.frame = requestAnimationFrame; window.requestAnimationFrame = (call) => setTimeout(call, 300); 0');
		await click('reset');
		const before = await text('separation'), [x, y] = await tab.evaluate(middle('B'));
		const mouse = (type, dx, dy, modifiers = 0) =>
			tab.send('Input.dispatchMouseEvent', { type, x: x + dx, y: y + dy, button: 'left', buttons: 1, clickCount: 1, modifiers });
		await mouse('mousePressed', 0, 0);
		await mouse('mouseMoved', 40, -20);
		await mouse('mouseReleased', 40, -20);
		const moved = await text('separation');
		assert.notEqual(moved, before);
		await mouse('mousePressed', 40, -20, 8);
		await mouse('mouseMoved', 60, 0, 8);
		await mouse('mouseReleased', 60, 0, 8);
		assert.notEqual(await text('separation'), moved);
		await holds('after the mouse');
		await tab.evaluate('window.requestAnimationFrame = frame; 0');
		/* Keys: the shapes, the steps. */
		const still = await text('separation');
		await press('2');
		for (let i = 0; i < 60; i++)
			await press('ArrowRight');
		assert.notEqual(await text('separation'), still);
		assert.match(await text('status'), /separated/);
		await holds('far apart');
		await press('ArrowUp', 8);
		await holds('turned by a key');
		await shot('laptop-apart');
		await click('reset');
		const steps = Number((await text('position')).split(' / ')[1]);
		assert.ok(steps > 3);
		await press(',');
		assert.equal(await text('position'), `${steps - 1} / ${steps}`);
		await click('first');
		assert.match(await text('text'), /^GJK 1/);
		await press('.');
		assert.match(await text('text'), /^GJK 2/);
		await shot('laptop-gjk');
		await click('play');
		await tab.until(`document.getElementById('play').textContent === 'Play'`);
		assert.match(await text('text'), /^EPA/);
		await tab.evaluate(`(() => { const slider = document.getElementById('slider'); slider.value = Number(slider.max) - 3;
			slider.dispatchEvent(new Event('input')); })()`);
		await shot('laptop-epa');
		/* Scalar and SIMD. */
		const bits = await text('bits');
		await click('scalar');
		assert.equal(await text('bits'), bits);
		assert.equal(await tab.evaluate(`document.getElementById('scalar').getAttribute('aria-pressed')`), 'true');
		/* Throughput. */
		await click('measure');
		await tab.until(`/million/.test(document.getElementById('rate-wasm').textContent)`);
		assert.match(await text('rate-scalar'), /^\d+ ns a pair/);
		await click('measure');
	});
});

/* Clocks as browsers round them, up to a tenth of a second, and one that stands still. */
test('throughput by clocks of all kinds', { skip }, async () => {
	await explore({ width: 1440, height: 900 }, async ({ tab, text, click, choose }) => {
		const rate = /^\d+ ns a pair · (\d+\.\d\d) million a second$/;
		await tab.evaluate('window.exact = performance.now.bind(performance); 0');
		await choose('Sphere', 'Sphere');
		for (const clock of ['exact()', 'Math.floor(exact())', 'Math.floor(exact() / 100) * 100']) {
			await tab.evaluate(`performance.now = () => ${clock}; 0`);
			await click('measure');
			await tab.until(`/second$/.test(document.getElementById('rate-wasm').textContent)`);
			await click('measure');
			for (const id of ['rate-scalar', 'rate-wasm']) {
				const [, millions] = rate.exec(await text(id)) ?? [];
				assert.ok(Number(millions) > 0 && Number(millions) < 500, `${clock}: ${await text(id)}`);
			}
			await click('reset');
			await choose('Sphere', 'Sphere');
			await tab.evaluate(`['rate-scalar', 'rate-wasm'].forEach((id) => document.getElementById(id).textContent = ''); 0`);
		}
		await tab.evaluate('performance.now = () => 5; 0');
		await click('measure');
		await tab.until(`/still$/.test(document.getElementById('rate-wasm').textContent)`);
		await click('measure');
	});
});

test('recorded pairs on the page', { skip }, async () => {
	await explore({ width: 1440, height: 900 }, async ({ tab, text, click, press, shot, holds }) => {
		await click('sample');
		for (let i = 0; i < 40; i++) {
			await holds(`pair ${i} of the sample`);
			await press(']');
		}
		assert.equal(await tab.evaluate(`document.getElementById('index').value`), '40');
		await shot('laptop-recorded');
		const { root: { nodeId } } = await tab.send('DOM.getDocument');
		const { nodeId: input } = await tab.send('DOM.querySelector', { nodeId, selector: '#file' });
		const open = async (path, expected) => {
			await tab.send('DOM.setFileInputFiles', { nodeId: input, files: [path] });
			await tab.until(`${expected}.test(document.getElementById('file-note').textContent)`);
		};
		await open(join(root, 'tests/cases/triangle_beside_a_long_segment.pairs'), '/^triangle_beside_a_long_segment.pairs: 1 pairs/');
		await holds('a text file');
		await open(join(root, 'bench/data/rec_meshes.pairs'), '/^rec_meshes.pairs: 4096 pairs/');
		await holds('meshes');
		await tab.evaluate(`(() => { const i = document.getElementById('index'); i.value = 4000; i.dispatchEvent(new Event('change')); })()`);
		await holds('pair 4000 of meshes');
		const bad = join(place, 'bad.pairs');
		writeFileSync(bad, 'pairs text 1\nshape ball 1 0 0 0\n');
		await open(bad, '/line 2: no kind of shape: ball/');
		await holds('after a file that is none');
		/* What is no pose, no shape or no size neither stops the page nor stays on it. */
		const hard = join(place, 'hard.pairs'), sphere = 'shape sphere 1 0 0 0', turned = '0 0 0 1';
		writeFileSync(hard, ['pairs text 1', sphere, 'shape hull 0 0 0 0', 'v nan 0 0', 'shape box 0 0 0 0', 'shape cone 1 1 0 0',
			'shape box 1e29 1 1 0',
			`pair 0 0 nan 0 0 ${turned} 0 0 0 ${turned}`, `pair 0 0 0 0 0 0 0 0 0 1 0 0 ${turned}`, `pair 0 1 0 0 0 ${turned} 0 0 0 ${turned}`,
			`pair 2 2 0 0 0 ${turned} 0 0 0 ${turned}`, `pair 0 3 0 0 0 ${turned} 0 0 0 ${turned}`, `pair 4 4 0 0 0 ${turned} 1e28 0 0 ${turned}`,
			`pair 0 0 0 0 0 ${turned} 1.5 0 0 ${turned}`].join('\n'));
		await open(hard, '/^hard.pairs: 7 pairs/');
		assert.match(await text('status'), /invalid/);
		const expected = [/invalid/, null, /touching/, null, /touching/, /penetrating/];
		for (const status of expected) {
			await tab.evaluate('document.activeElement.blur()');
			await press(']');
			if (status !== null)
				assert.match(await text('status'), status);
			else
				assert.match(await text('file-note'), /^pair \d: /);
			assert.deepEqual(tab.problems, []);
		}
		await holds('after hard pairs');
	});
});

test('the page on a phone', { skip }, async () => {
	await explore({ width: 390, height: 844, mobile: true }, async ({ tab, text, shot, holds }) => {
		assert.ok(await tab.evaluate('document.documentElement.scrollWidth <= 390'), 'nothing is wider than the screen');
		await shot('phone');
		const before = await text('separation'), [x, y] = await tab.evaluate(middle('B'));
		const touch = (type, ...points) => tab.send('Input.dispatchTouchEvent', { type,
			touchPoints: points.map(([px, py], id) => ({ x: px, y: py, id })) });
		await touch('touchStart', [x, y]);
		await touch('touchMove', [x + 30, y - 20]);
		await touch('touchEnd');
		assert.notEqual(await text('separation'), before);
		await touch('touchStart', [x - 60, y], [x + 60, y]);
		await touch('touchMove', [x - 90, y], [x + 90, y]);
		await touch('touchEnd');
		await holds('after touches');
		await shot('phone-moved');
		await tab.evaluate(`document.querySelector('aside').scrollIntoView()`);
		await shot('phone-panel');
	});
});
