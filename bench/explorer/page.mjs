/* Writes the explorer as one page that needs nothing beside it:
 *   node bench/explorer/page.mjs PACKAGE OUT.html */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inlineModules } from '../../src/bindings/web/inline.mjs';

const here = fileURLToPath(new URL('.', import.meta.url)), sample = 'rec_pile_seq.pairs';

export function writePage(folder, out) {
	const base64 = readFileSync(join(here, '../data', sample)).toString('base64');
	const data = `<script id="sample-data" type="application/json">${JSON.stringify({ name: sample, base64 })}</script>`;
	const html = readFileSync(join(here, 'index.html'), 'utf8').replace('<!-- data -->', () => data);
	writeFileSync(out, inlineModules(html, join(here, 'main.mjs'), { 'widephase/single': join(folder, 'widephase.single.mjs') }));
}

if (process.argv[1] === fileURLToPath(import.meta.url))
	writePage(process.argv[2], process.argv[3]);
