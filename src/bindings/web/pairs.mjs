/* Pair files (.pairs): recorded narrowphase queries, binary or text. The format is in src/tools/capture/capture.h. */

const kinds = ['sphere', 'capsule', 'box', 'hull', 'cylinder', 'cone', 'ellipsoid', 'half-space', 'mesh'];
const withVertices = ['hull', 'mesh'];
const binaryMagic = 'PAIRS01\0', textMagic = 'pairs text 1';
const motionColumn = 1, cacheColumn = 2;
const pairWords = 16, motionWords = 14, cacheWords = 8, shapeWords = 7, headerBytes = 24;

/* ---- binary ------------------------------------------------------------------------------------- */

/* Words of all pairs, record by record, one member's words after the other's. */
function member(words, stride, offset, width, type = Float32Array) {
	const from = new type(words.buffer, words.byteOffset, words.length), rows = words.length / stride;
	const to = new type(rows * width);
	for (let row = 0; row < rows; row++)
		to.set(from.subarray(row * stride + offset, row * stride + offset + width), row * width);
	return to;
}

/* Columns from the records of pairs, motions and caches. */
function assemble(shapes, pairs, motions, caches) {
	const file = {
		shapes,
		count: pairs.length / pairWords,
		shapeA: member(pairs, pairWords, 0, 1, Uint32Array),
		shapeB: member(pairs, pairWords, 1, 1, Uint32Array),
		positionA: member(pairs, pairWords, 2, 3),
		rotationA: member(pairs, pairWords, 5, 4),
		positionB: member(pairs, pairWords, 9, 3),
		rotationB: member(pairs, pairWords, 12, 4),
	};
	if (motions)
		Object.assign(file, {
			translationA: member(motions, motionWords, 0, 3),
			endRotationA: member(motions, motionWords, 3, 4),
			translationB: member(motions, motionWords, 7, 3),
			endRotationB: member(motions, motionWords, 10, 4),
		});
	if (caches)
		file.caches = caches;
	return file;
}

function readBinary(bytes) {
	const fail = (offset, text) => {
		throw new Error(`pair file: byte ${offset}: ${text}`);
	};
	if (bytes.length < headerBytes)
		fail(bytes.length, 'the header is cut off');
	/* A copy, since views of words must be aligned; slices of a Buffer are none. */
	const { buffer } = new Uint8Array(bytes.subarray(0, bytes.length - bytes.length % 4)), words = new Uint32Array(buffer);
	const [shapeCount, vertexCount, pairCount, columns] = words.subarray(2, 6);
	if (columns > (motionColumn | cacheColumn))
		fail(20, `unknown columns ${columns}`);
	let at = headerBytes / 4;
	const take = (count) => {
		const first = at;
		at += count;
		return words.subarray(first, at);
	};
	const size = headerBytes + 4 * (shapeCount * shapeWords + vertexCount * 3 + pairCount *
		(pairWords + (columns & motionColumn ? motionWords : 0) + (columns & cacheColumn ? cacheWords : 0)));
	if (bytes.length !== size)
		fail(Math.min(size, bytes.length), `${size} bytes are expected, there are ${bytes.length}`);
	const records = take(shapeCount * shapeWords), allVertices = take(vertexCount * 3);
	const floats = new Float32Array(buffer);
	const shapes = Array.from({ length: shapeCount }, (_, i) => {
		const [kind, , , , , first, count] = records.subarray(i * shapeWords, (i + 1) * shapeWords), offset = headerBytes + 4 * i * shapeWords;
		if (kind >= kinds.length)
			fail(offset, `unknown kind ${kind}`);
		const hasVertices = withVertices.includes(kinds[kind]);
		if (hasVertices && (count === 0 || first + count > vertexCount))
			fail(offset + 20, 'vertices out of range');
		if (kinds[kind] === 'mesh' && count % 3 !== 0)
			fail(offset + 24, `a mesh of ${count} vertices; each triangle has three`);
		const start = (allVertices.byteOffset / 4) + 3 * first, parameters = offset / 4 + 1;
		return { kind: kinds[kind], param: Array.from(floats.subarray(parameters, parameters + 4)),
			vertices: hasVertices ? floats.slice(start, start + 3 * count) : new Float32Array(0) };
	});
	const pairs = take(pairCount * pairWords), pairsAt = 4 * (at - pairs.length);
	for (let row = 0; row < pairCount; row++)
		if (pairs[row * pairWords] >= shapeCount || pairs[row * pairWords + 1] >= shapeCount)
			fail(pairsAt + 4 * row * pairWords, 'a shape out of range');
	const motions = columns & motionColumn ? take(pairCount * motionWords) : undefined;
	return assemble(shapes, pairs, motions, columns & cacheColumn ? take(pairCount * cacheWords).slice() : undefined);
}

/* ---- text --------------------------------------------------------------------------------------- */

const decimalNumber = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
const hexNumber = /^([+-]?)0x([0-9a-f]*)\.?([0-9a-f]*)(?:p([+-]?\d+))?$/i;
const wordNumber = /^[+-]?(inf|infinity|nan(\(\w*\))?)$/i;

/* A number in double, undefined where it is none. Made float, it has the bits that strtof gives for hex floats and for
 * decimals of up to nine digits; longer ones may be rounded twice. */
function parseNumber(word) {
	if (decimalNumber.test(word))
		return Number(word);
	const hex = hexNumber.exec(word);
	if (hex && hex[2] + hex[3] !== '') {
		const value = Number(BigInt(`0x${hex[2]}${hex[3]}`)) * 2 ** (Number(hex[4] ?? 0) - 4 * hex[3].length);
		return hex[1] === '-' ? -value : value;
	}
	if (!wordNumber.test(word))
		return undefined;
	return /nan/i.test(word) ? NaN : word.startsWith('-') ? -Infinity : Infinity;
}

/* The reader of lines: `words` are the words of the current one, after its name. */
class TextReader {
	constructor() {
		this.shapes = [];
		this.vertices = [];
		this.pairs = [];
		this.motions = [];
		this.caches = [];
		this.line = 1;
	}

	fail(text) {
		throw new Error(`pair file: line ${this.line}: ${text}`);
	}

	numbers(words) {
		return words.map((word, i) => parseNumber(word) ?? this.fail(`number ${i + 1} of ${words.length} is missing`));
	}

	/* Exactly that many words. */
	expect(words, count) {
		if (words.length !== count)
			this.fail(words.length < count ? `number ${words.length + 1} of ${count} is missing` : 'more than its numbers');
	}

	read(line) {
		const [name, ...words] = line.replace(/\r$/, '').match(/[^ \t]+/g) ?? ['#'];
		if (name.startsWith('#'))
			return;
		if (!['shape', 'v', 'pair', 'motion', 'cache'].includes(name))
			this.fail(`starts with none of shape, v, pair, motion, cache: ${line.slice(0, 40)}`);
		this[name](words);
	}

	shape([kind, ...words]) {
		if (!kinds.includes(kind))
			this.fail(`no kind of shape: ${kind}`);
		this.expect(words, 4);
		this.shapes.push({ kind, param: this.numbers(words).map(Math.fround) });
		this.vertices.push([]);
	}

	v(words) {
		if (!withVertices.includes(this.shapes.at(-1)?.kind))
			this.fail('a vertex that follows no hull and no mesh');
		this.expect(words, 3);
		this.vertices.at(-1).push(...this.numbers(words));
	}

	pair(words) {
		this.expect(words, pairWords);
		const indices = words.slice(0, 2).map((word) => (/^\d+$/.test(word) ? Number(word) : Infinity));
		if (indices.some((index) => index >= this.shapes.length))
			this.fail(`a shape's number below ${this.shapes.length} is missing`);
		this.pairs.push({ indices, numbers: this.numbers(words.slice(2)) });
	}

	motion(words) {
		if (this.pairs.length === 0 || this.motions[this.pairs.length - 1])
			this.fail('a motion that follows no pair');
		this.expect(words, motionWords);
		this.motions[this.pairs.length - 1] = this.numbers(words);
	}

	cache(words) {
		if (this.pairs.length === 0 || this.caches[this.pairs.length - 1])
			this.fail('a cache that follows no pair');
		this.expect(words, cacheWords);
		const whole = [0, 1, 2, 3, 7], numbers = this.numbers(words);
		for (const i of whole)
			if (!/^(0x[\da-f]+|\d+)$/i.test(words[i]) || numbers[i] >= 2 ** 32)
				this.fail('a number below 2^32 is missing');
		const record = new Uint32Array(numbers);
		new Float32Array(record.buffer).set(numbers.slice(4, 7), 4);
		this.caches[this.pairs.length - 1] = record;
	}

	finish() {
		const records = new Uint32Array(this.pairs.length * pairWords), floats = new Float32Array(records.buffer);
		this.pairs.forEach(({ indices, numbers }, row) => {
			records.set(indices, row * pairWords);
			floats.set(numbers, row * pairWords + 2);
		});
		const still = ({ numbers }) => [0, 0, 0, ...numbers.slice(3, 7), 0, 0, 0, ...numbers.slice(10, 14)];
		const motions = this.motions.length === 0 ? undefined
			: new Float32Array(this.pairs.flatMap((pair, row) => this.motions[row] ?? still(pair)));
		const caches = this.caches.length === 0 ? undefined : new Uint32Array(this.pairs.length * cacheWords);
		this.caches.forEach((record, row) => caches.set(record, row * cacheWords));
		const shapes = this.shapes.map((shape, i) => ({ ...shape, vertices: new Float32Array(this.vertices[i]) }));
		shapes.forEach(({ kind, vertices }, i) => {
			if (withVertices.includes(kind) && vertices.length === 0)
				this.fail(`shape ${i} is a ${kind} without vertices`);
			if (kind === 'mesh' && vertices.length % 9 !== 0)
				this.fail(`shape ${i} is a mesh of ${vertices.length / 3} vertices; each triangle has three`);
		});
		return assemble(shapes, records, motions && new Uint32Array(motions.buffer), caches);
	}
}

/* ---- the file ----------------------------------------------------------------------------------- */

/* Read a whole file, from its bytes. An error names the byte or line at fault. */
export function readPairs(bytes) {
	bytes = bytes instanceof ArrayBuffer ? new Uint8Array(bytes) : bytes;
	const head = String.fromCharCode(...bytes.subarray(0, textMagic.length));
	if (head.startsWith(binaryMagic))
		return readBinary(bytes);
	if (head !== textMagic)
		throw new Error('pair file: byte 0: neither a binary nor a text pair file');
	const [first, ...lines] = new TextDecoder().decode(bytes).split('\n');
	const reader = new TextReader();
	if (first.trimEnd() !== textMagic)
		reader.fail('more than its name');
	for (const line of lines) {
		reader.line++;
		reader.read(line);
	}
	return reader.finish();
}

/* One shape of a file as a shape of the library. `facesOf(vertices)`, if given, makes the faces of a hull, as shape.hull
 * wants them. A mesh is no convex shape: null, an empty place of a table. */
export function makeShape(wp, { kind, param, vertices }, facesOf = () => []) {
	switch (kind) {
	case 'sphere':
		return wp.shape.sphere(param[0]);
	case 'capsule':
		return wp.shape.capsule(param[0], param[1]);
	case 'half-space':
		return wp.shape.halfSpace(param[3]);
	case 'mesh':
		return null;
	case 'hull':
		return wp.shape.hull(vertices, facesOf(vertices), param[3]);
	case 'cylinder':
	case 'cone':
		return wp.shape[kind](param[0], param[1], param[3]);
	default: /* box, ellipsoid */
		return wp.shape[kind](...param);
	}
}

/* The bodies of all pairs, as Batch wants them: row r is pair r. */
export function bodiesOf(file) {
	return { a: { position: file.positionA, rotation: file.rotationA, shape: file.shapeA },
		b: { position: file.positionB, rotation: file.rotationB, shape: file.shapeB } };
}

/* Of the pairs whose B is a mesh: their numbers, their bodies, and all meshes of the file, by whose places the bodies of B
 * name them, as MeshBatch wants them. */
export function meshBodiesOf(file) {
	const rows = Array.from(file.shapeB.keys()).filter((row) => file.shapes[file.shapeB[row]].kind === 'mesh');
	const meshes = file.shapes.filter(({ kind }) => kind === 'mesh');
	const pick = (column, width) => Float32Array.from(rows.flatMap((row) => [...column.subarray(width * row, width * (row + 1))]));
	const numbered = ({ shapes, shapeB }) => Uint32Array.from(rows, (row) => meshes.indexOf(shapes[shapeB[row]]));
	return { rows, meshes,
		a: { position: pick(file.positionA, 3), rotation: pick(file.rotationA, 4), shape: Uint32Array.from(rows, (row) => file.shapeA[row]) },
		b: { position: pick(file.positionB, 3), rotation: pick(file.rotationB, 4), shape: numbered(file) } };
}
