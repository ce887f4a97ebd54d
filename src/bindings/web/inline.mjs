/* Makes one page of a page and its modules. Browsers refuse to load a module beside a page that was opened from a
 * folder, but not one that the page holds: each becomes a data: URL, which an import map gives a name. */
import { readFileSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const importLine = /^(import\b[^'"]*|export\b[^'"]*\bfrom\s*)'([^']+)';/gm;
const place = '<!-- modules -->';

/* `html` with the module `entry` and all that it imports in the place of its line `<!-- modules -->`. `named`: paths of
 * modules by the names that others import them by. */
export function inlineModules(html, entry, named = {}) {
	const imports = {}, names = new Map();
	const add = (path) => {
		if (names.has(path))
			return names.get(path);
		const name = `page/${names.size}/${basename(path)}`;
		names.set(path, name);
		const text = readFileSync(path, 'utf8').replace(importLine, (_, words, from) => {
			if (named[from] === undefined && !from.startsWith('.'))
				throw new Error(`${path}: imports '${from}', which has no path`);
			return `${words}'${add(resolve(named[from] ?? resolve(dirname(path), from)))}';`;
		});
		imports[name] = `data:text/javascript;base64,${Buffer.from(text).toString('base64')}`;
		return name;
	};
	const first = add(resolve(entry)), map = JSON.stringify({ imports }, null, '\n');
	if (html.split(place).length !== 2)
		throw new Error(`${pathToFileURL(entry)}: the page does not hold the line ${place} once`);
	return html.replace(place, () =>
		`<script type="importmap">${map}</script>\n<script type="module">import '${first}';</script>`);
}
