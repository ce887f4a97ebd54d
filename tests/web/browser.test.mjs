/* The package in a browser: one page, opened from a folder, runs the checks and writes what comes out into itself. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { inlineModules } from '../../src/web/inline.mjs';
import { checks } from './checks.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = resolve(process.env.WIDEPHASE_PACKAGE ?? join(root, 'build-web/package'));
const browser = ['chromium', 'chromium-browser', 'google-chrome'].find((name) => !spawnSync(name, ['--version']).error);

/* One recorded file of each kind is enough here: Node has them all. */
const names = ['rec_pile_seq', 'rec_wall', 'rec_meshes'];

test('the checks hold in a browser', { skip: !browser && 'no Chromium' }, () => {
	const data = JSON.stringify({
		digests: readFileSync(join(root, 'tests/web/digests'), 'utf8'),
		files: names.map((name) => [name, readFileSync(join(root, 'bench/data', `${name}.pairs`)).toString('base64')]),
	});
	const html = `<!doctype html><meta charset="utf-8"><title>widephase</title><pre id="report">running</pre>
<script id="data" type="application/json">${data}</script>\n<!-- modules -->\n`;
	const place = mkdtempSync(join(tmpdir(), 'widephase-'));
	try {
		writeFileSync(join(place, 'page.html'), inlineModules(html, join(root, 'tests/web/page.mjs'),
			{ 'widephase/single': join(folder, 'widephase.single.mjs') }));
		const dom = execFileSync(browser, ['--headless', '--no-sandbox', '--disable-gpu', `--user-data-dir=${join(place, 'profile')}`,
			'--virtual-time-budget=120000', '--dump-dom', pathToFileURL(join(place, 'page.html')).href],
		{ encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 2 ** 28, timeout: 300000 });
		const report = dom.match(/<pre id="report">([^<]*)<\/pre>/)?.[1] ?? 'no report';
		const expected = Object.keys(checks).map((name) => `ok ${name}`);
		assert.deepEqual(report.trimEnd().split('\n'), [...expected, `${expected.length} checks, 0 failed`]);
	} finally {
		rmSync(place, { recursive: true, maxRetries: 5, retryDelay: 200 });
	}
});
