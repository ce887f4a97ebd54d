/* The package in a browser: one page, opened from a folder, runs the checks and writes what comes out into itself. */
import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { inlineModules } from '../../src/bindings/web/inline.mjs';
import { checks } from './checks.mjs';
import { browser, withPage } from './chromium.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = resolve(process.env.WIDEPHASE_PACKAGE ?? join(root, 'build-web/package'));

/* One recorded file of each kind is enough here: Node has them all. */
const names = ['rec_pile_seq', 'rec_wall', 'rec_meshes'];

test('the checks hold in a browser', { skip: !browser && 'no Chromium' }, async () => {
	const data = JSON.stringify({
		digests: readFileSync(join(root, 'tests/web/digests'), 'utf8'),
		files: names.map((name) => [name, readFileSync(join(root, 'bench/data', `${name}.pairs`)).toString('base64')]),
	});
	const html = `<!doctype html><meta charset="utf-8"><title>widephase</title><pre id="report"></pre>
<script id="data" type="application/json">${data}</script>\n<!-- modules -->\n`;
	const place = mkdtempSync(join(tmpdir(), 'widephase-')), path = join(place, 'page.html');
	try {
		writeFileSync(path, inlineModules(html, join(root, 'tests/web/page.mjs'),
			{ 'widephase/single': join(folder, 'widephase.single.mjs'), 'widephase/2d/single': join(folder, 'widephase-2d.single.mjs') }));
		await withPage(pathToFileURL(path).href, { width: 800, height: 600 }, async (page) => {
			await page.until(`document.getElementById('report').textContent !== ''`);
			const report = await page.evaluate(`document.getElementById('report').textContent`);
			const expected = Object.keys(checks).map((name) => `ok ${name}`);
			assert.deepEqual(report.split('\n'), [...expected, `${expected.length} checks, 0 failed`]);
			assert.deepEqual(page.problems, []);
		});
	} finally {
		rmSync(place, { recursive: true });
	}
});

/* A module is refused in a page that was opened from a folder; the README has these scripts for such pages. */
test('scripts work in a page from a folder, modules do not', { skip: !browser && 'no Chromium' }, async () => {
	const names = ['widephase.single.js', 'widephase-2d.single.js', 'widephase.single.mjs'];
	const tags = names.slice(0, 2).map((name) => `<script src="${name}"></script>`);
	const readme = readFileSync(join(root, 'src/bindings/web/README.md'), 'utf8');
	for (const shown of [tags[0], ...names.slice(0, 2)])
		assert.ok(readme.includes(shown), shown);
	const place = mkdtempSync(join(tmpdir(), 'widephase-')), path = join(place, 'page.html');
	try {
		names.forEach((name) => copyFileSync(join(folder, name), join(place, name)));
		writeFileSync(path, `<!doctype html><meta charset="utf-8"><title>widephase</title>
${tags.join('\n')}
<script>
const report = (async () => {
	const wp = await widephase(), box = wp.shape.box(1, 1, 1), flat = await widephase2d(), circle = flat.shape.circle(1);
	const refused = await widephase({ typo: 1 }).catch((error) => error.name);
	return [new wp.Workspace().contactPair(box, {}, box, { position: [1.5, 0, 0] }).separation,
		new flat.Workspace().contactPair(circle, {}, circle, { position: [0, 2.5] }).separation,
		widephase.WidephaseError.name, refused, typeof widephase.widephaseCook, typeof widephase2d.widephaseCook];
})();
</script>
<script type="module" src="widephase.single.mjs" onload="module = 'loaded'" onerror="module = 'refused'"></script>
`);
		await withPage(pathToFileURL(path).href, { width: 800, height: 600 }, async (page) => {
			assert.deepEqual(await page.evaluate('report'), [-0.5, 0.5, 'WidephaseError', 'TypeError', 'function', 'function']);
			await page.until('globalThis.module !== undefined');
			assert.equal(await page.evaluate('module'), 'refused');
		});
	} finally {
		rmSync(place, { recursive: true });
	}
});
