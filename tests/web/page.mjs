/* The module of the page that browser.test.mjs opens. */
import load from 'widephase/single';
import { widephase2d } from 'widephase/2d/single';
import { readPairs } from '../../src/bindings/web/pairs.mjs';
import { checks } from './checks.mjs';

const report = document.getElementById('report');
const data = JSON.parse(document.getElementById('data').textContent);
const bytes = (base64) => Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
const files = new Map(data.files.map(([name, base64]) => [name, readPairs(bytes(base64))]));
const digests = new Map(data.digests.trimEnd().split('\n').map((line) => {
	const [file, query, digest] = line.split(' ');
	return [`${file} ${query}`, digest];
}));

const lines = [];
let failed = 0;
for (const [name, check] of Object.entries(checks)) {
	try {
		await check({ wp: await load(), wp2d: await widephase2d(), load, files, digests });
		lines.push(`ok ${name}`);
	} catch (error) {
		failed++;
		lines.push(`not ok ${name}: ${error.message}`);
	}
}
report.textContent = [...lines, `${lines.length} checks, ${failed} failed`].join('\n');
