/* Digests of what the native program answers:
 *   node tests/web/native.mjs PROGRAM FRAMES [FILE...] >tests/web/digests
 * PROGRAM is build/src/tools/cli/widephase, FRAMES build/tests/web_frames; all files of bench/data by default. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readPairs } from '../../src/bindings/web/pairs.mjs';
import { files, floatColumns, motionsOf, queries, RowDigest } from './digest.mjs';

const data = fileURLToPath(new URL('../../bench/data/', import.meta.url));

/* The file with motions, which the recorded ones have not. */
function writeMoving(bytes, path) {
	const file = readPairs(bytes), { translationA, endRotationA, translationB, endRotationB } = motionsOf(file);
	const motions = new Float32Array(14 * file.count);
	for (let row = 0; row < file.count; row++)
		[[translationA, 3], [endRotationA, 4], [translationB, 3], [endRotationB, 4]].reduce((at, [column, width]) => {
			motions.set(column.subarray(row * width, (row + 1) * width), at);
			return at + width;
		}, 14 * row);
	const head = Buffer.from(bytes);
	head.writeUInt32LE(1, 20);
	writeFileSync(path, Buffer.concat([head, Buffer.from(motions.buffer)]));
}

/* One query of a file by the program, hashed row by row. */
function digestOf(program, path, query) {
	const csv = execFileSync(program, ['collide', path, ...query.options, '--variant', 'scalar'],
		{ encoding: 'utf8', maxBuffer: 2 ** 28, stdio: ['ignore', 'pipe', 'ignore'] });
	const [header, ...lines] = csv.trimEnd().split('\n'), digest = new RowDigest();
	const width = floatColumns.reduce((sum, [, count]) => sum + count, 0);
	if (header.split(',').length !== 3 + width + (query.extra ? 1 : 0))
		throw new Error(`${path}: unexpected columns ${header}`);
	for (const line of lines) {
		const [, words, ...numbers] = line.split(',');
		const floats = numbers.map((text) => (text === 'nan' ? NaN : Math.fround(Number(text.replace('inf', 'Infinity')))));
		digest.add(floats.slice(0, width), Number(numbers[width]), words.split('|'), floats.slice(width + 1));
	}
	return digest.text();
}

/* Lines `FILE QUERY DIGEST`. */
export function nativeDigests(program, frames, names = files) {
	const folder = mkdtempSync(join(tmpdir(), 'widephase-'));
	try {
		return names.flatMap((name) => {
			const still = join(data, `${name}.pairs`), moving = join(folder, `${name}.pairs`);
			writeMoving(readFileSync(still), moving);
			return [...Object.entries(queries).map(([key, query]) => `${name} ${key} ${digestOf(program, query.moves ? moving : still, query)}`),
				...execFileSync(frames, [still], { encoding: 'utf8' }).trimEnd().split('\n')];
		});
	} finally {
		rmSync(folder, { recursive: true });
	}
}

if (process.argv[1] === fileURLToPath(import.meta.url))
	console.log(nativeDigests(process.argv[2], process.argv[3], process.argv.length > 4 ? process.argv.slice(4) : files).join('\n'));
