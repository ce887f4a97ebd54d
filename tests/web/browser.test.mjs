/* The package in a browser: one page, opened from a folder, runs the checks and writes what comes out into itself. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
