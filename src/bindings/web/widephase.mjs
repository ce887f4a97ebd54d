/* widephase for JavaScript: the library as WebAssembly, scalar and SIMD128 kernels in one module, for Node and
 * browsers. widephase.d.mts describes every call; frames, units and accuracy as in the C headers.
 *
 * All memory is the module's: what C reads lies in it. Structs are written by the names that exports.c gives the
 * offsets of. A view of that memory is made anew once the memory has grown, which detaches all older ones. */

/* widephase.single.mjs is this file with the module here, in base64, widephase-2d.single.mjs with the one of 2D. The files .js
 * beside them are the same as classic scripts. */
const embedded = '';
const embedded2d = '';

const f32 = Float32Array, f64 = Float64Array, i16 = Int16Array, u32 = Uint32Array, u8 = Uint8Array;

/* What the library refused, with the number of its wp_error. */
export class WidephaseError extends Error {
	constructor(message, code) {
		super(message);
		this.name = 'WidephaseError';
		this.code = code;
	}
}

/* ---- loading ------------------------------------------------------------------------------------ */

async function read(url) {
	if (url.protocol === 'file:' && typeof process === 'object' && process.versions?.node) {
		const files = await import(/* webpackIgnore: true */ /* @vite-ignore */ 'node:fs/promises');
		return files.readFile(url);
	}
	const response = await fetch(url);
	if (!response.ok)
		throw new Error(`widephase: ${url}: status ${response.status}`);
	return response.arrayBuffer();
}

/* Servers answer a page where a bundler has moved the script away from its modules. */
async function readModule(url) {
	const bytes = await read(url);
	if (String.fromCharCode(...new u8(bytes.buffer ?? bytes, bytes.byteOffset ?? 0, Math.min(4, bytes.byteLength))) !== '\0asm')
		throw new Error(`widephase: ${url} is no WebAssembly module; does a bundler leave it behind? ` +
			"Vite's development server needs optimizeDeps: { exclude: ['widephase'] }");
	return bytes;
}

async function compile(wasm, held, beside) {
	if (wasm instanceof WebAssembly.Module)
		return wasm;
	if (wasm === undefined && held !== '')
		wasm = Uint8Array.from(atob(held), (letter) => letter.charCodeAt(0));
	if (wasm === undefined)
		wasm = beside();
	if (typeof wasm === 'string')
		wasm = new URL(wasm, import.meta.url);
	return WebAssembly.compile(wasm instanceof URL ? await readModule(wasm) : wasm);
}

/* ---- the module and its memory ------------------------------------------------------------------ */

const statusTextSize = 512; // bytes, for the word of one bit

class Library {
	#buffer;

	/* In 2D calls and structs have the names of 3D, without the 2d. */
	constructor(exports, dimension) {
		this.c = Object.fromEntries(Object.entries(exports).map(([name, call]) => [name.replace('wp2d_', 'wp_'), call]));
		this.dimension = dimension; // 0 of the module that cooks hulls
		this.turn = dimension === 3 ? 4 : 2;
		this.unturned = dimension === 3 ? [0, 0, 0, 1] : [1, 0];
		this.names = this.readNames();
		this.structs = new Map();
		if (dimension === 0)
			return;
		this.variants = Array.from({ length: this.number('WP_VARIANT_COUNT') }, (_, i) => this.text(this.c.wp_variant_name(i)));
		this.status = {};
		for (const [name, number] of this.names)
			if (name.startsWith('WP_STATUS_'))
				this.status[name.slice('WP_STATUS_'.length)] = number >>> 0;
		this.events = {};
		for (const name of dimension === 3 ? ['BEGAN', 'ENDED', 'KEPT', 'REUSED'] : [])
			this.events[name] = this.number(`WP_TRACK_${name}`);
		this.wordsOfStatus = new Map();
		this.outputs = outputsOf(this);
		this.reserve();
	}

	/* The numbers of exports.c by name; a name that begins with a dot is a field of the struct before it. */
	readNames() {
		const found = new Map(), first = (this.c.wp_web_numbers() >>> 0) / 4;
		let struct = '';
		this.text(this.c.wp_web_names()).trimEnd().split(' ').forEach((name, i) => {
			struct = name.startsWith('.') ? struct : name;
			found.set(name.startsWith('.') ? struct + name : name, this.uints[first + i] | 0);
		});
		return found;
	}

	/* Memory that single calls use again and again. */
	reserve() {
		const size = (name) => this.allocate(this.number(name), name);
		this.poses = [0, 1, 2, 3].map(() => size('pose'));
		this.row = size('row');
		this.statistics = size('statistics');
		this.motions = [size('motions'), size('motions')];
		this.manifolds = size('manifolds');
		this.column = size('float_column');
		this.options = size('contact_options');
		this.clear(this.options, 'contact_options');
		this.optionsAt = this.number('contact_options.max_separation') / 4;
		this.points = this.allocate(this.number('WP_MANIFOLD_POINT_MAX') * this.number('manifold_point'), 'points');
		if (this.dimension === 3) {
			this.trackOptions = size('track_options');
			this.trackChanges = size('track_changes');
			this.hullInput = size('hull_input');
			this.thresholds = size('persistent_thresholds');
			this.meshOptions = size('mesh_options');
			this.distanceOptions = size('mesh_distance_options');
			this.meshStatistics = size('mesh_statistics');
			this.meshTrackOptions = size('mesh_track_options');
			this.compoundStatistics = size('compound_statistics');
			this.compoundDistanceOptions = size('compound_distance_options');
			this.compoundTrackOptions = size('compound_track_options');
			this.children = size('child_columns');
			this.child = size('compound_child');
			this.place = this.allocate(48, 'places in double');
			this.ray = this.allocate(24, 'a ray');
			this.hit = size('mesh_hit');
			this.triangle = this.allocate(36, 'a triangle');
			this.triangleColumn = size('float_column');
			this.childColumn = size('float_column');
			this.columns = [0, 1, 2].map(() => size('float_column')); // of one call
			this.bounds = size('bounds');
			this.meshMiss = this.number('WP_MESH_MISS') >>> 0;
			this.compoundShape = this.number('WP_COMPOUND') >>> 0;
			this.compoundMiss = this.number('WP_COMPOUND_MISS') >>> 0;
		}
		this.word = this.allocate(4, 'a word');
		this.statusText = this.allocate(statusTextSize, 'a status');
		this.vector = this.allocate(12, 'a vector');
		this.vertexMax = this.dimension === 3 ? 0 : this.number('WP_POLYGON_VERTEX_MAX');
		this.table = this.allocate(this.tableSize(1, this.vertexMax), 'a table');
		this.poseAt = { position: this.number('pose.position') / 4, rotation: this.number('pose.rotation') / 4 };
		const at = (field) => (this.number(`row.${field}`) / 4);
		this.rowAt = { separation: at('separation'), normal: at('normal'), pointA: at('point_a'), pointB: at('point_b'),
			lower: at('lower'), upper: at('upper'), status: at('status'), iterations: at('iterations') };
	}

	/* Bytes of a table of shapes, whose polygons have up to `vertexMax` vertices in 2D. */
	tableSize(shapes, vertexMax) {
		return (this.dimension === 3 ? this.c.wp_shape_table_size(shapes) : this.c.wp_shape_table_init_size(shapes, vertexMax)) >>> 0;
	}

	/* An empty table in this memory. */
	makeTable(where, pointer, shapes, vertexMax) {
		const size = this.tableSize(shapes, vertexMax);
		this.check(this.dimension === 3 ? this.c.wp_shape_table_init(pointer, size, shapes, this.word)
			: this.c.wp_shape_table_init(pointer, size, shapes, vertexMax, this.word), where);
	}

	/* A vector of a row. */
	vectorAt(floats, at) {
		return this.dimension === 3 ? [floats[at], floats[at + 1], floats[at + 2]] : [floats[at], floats[at + 1]];
	}

	/* Names of the variants that the module holds and the machine runs, without the choice of one. */
	variantsHere() {
		return this.variants.filter((_, i) => i > 0 && this.c.wp_variant_available(i) === 0);
	}

	/* The wp_real of an array's type. */
	realOf(type) {
		return this.number(type === f64 ? 'WP_REAL_DOUBLE' : 'WP_REAL_FLOAT');
	}

	/* The struct of a contact's options. */
	contactOptions(maxSeparation) {
		this.floats[this.options / 4 + this.optionsAt] = maxSeparation;
		return this.options;
	}

	/* A column: where its array is, and bytes from element to element. */
	fillColumn(column, pointer, stride = 0) {
		this.putWord(column, 'float_column.data', pointer);
		this.putWord(column, 'float_column.stride', stride);
		return column;
	}

	/* A column of a struct. */
	putColumn(struct, name, pointer, stride = 0) {
		return this.fillColumn(struct + this.number(name), pointer, stride);
	}

	/* Where the fields of a struct lie, in words, and its own size: looked up once, for what is read point by point. */
	words(struct) {
		let found = this.structs.get(struct);
		if (found === undefined) {
			const ofFields = [...this.names].filter(([name]) => name.startsWith(`${struct}.`)).map(([name, bytes]) => [name.slice(struct.length + 1), bytes / 4]);
			found = { ...Object.fromEntries(ofFields), size: this.number(struct) / 4 };
			this.structs.set(struct, found);
		}
		return found;
	}

	/* The same of statistics, with the names that they have here. */
	counts(struct) {
		let found = this.structs.get(`${struct}.`);
		if (found === undefined) {
			const { size, ...fields } = this.words(struct);
			found = Object.entries(fields).map(([name, offset]) => [name.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase()), offset]);
			this.structs.set(`${struct}.`, found);
		}
		return found;
	}

	/* The number of a name of exports.c. */
	number(name) {
		const number = this.names.get(name);
		if (number === undefined)
			throw new Error(`widephase: the module does not know ${name}`);
		return number;
	}

	refresh() {
		const buffer = this.c.memory.buffer;
		if (buffer === this.#buffer)
			return;
		this.#buffer = buffer;
		this.allFloats = new f32(buffer);
		this.allWords = new u32(buffer);
		this.allBytes = new u8(buffer);
	}

	get floats() {
		this.refresh();
		return this.allFloats;
	}

	get uints() {
		this.refresh();
		return this.allWords;
	}

	get bytes() {
		this.refresh();
		return this.allBytes;
	}

	allocate(size, what) {
		const pointer = size < 2 ** 32 ? this.c.wp_web_allocate(size) >>> 0 : 0;
		if (pointer === 0)
			throw new WidephaseError(`${what}: no memory for ${size} bytes`, this.number('WP_ERROR_MEMORY_TOO_SMALL'));
		return pointer;
	}

	release(pointer) {
		this.c.wp_web_release(pointer);
	}

	text(pointer) {
		const bytes = this.bytes;
		return String.fromCharCode(...bytes.subarray(pointer >>> 0, bytes.indexOf(0, pointer >>> 0)));
	}

	putWord(struct, name, value) {
		this.uints[(struct + this.number(name)) / 4] = value;
	}

	putFloats(struct, name, values) {
		this.floats.set(values, (struct + this.number(name)) / 4);
	}

	/* A new struct, all zero. */
	struct(type) {
		const pointer = this.allocate(this.number(type), type);
		this.clear(pointer, type);
		return pointer;
	}

	clear(pointer, type) {
		this.bytes.fill(0, pointer, pointer + this.number(type));
	}

	check(code, where) {
		if (code !== 0)
			throw new WidephaseError(`${where}: ${this.text(this.c.wp_error_text(code))}`, code);
	}

	/* The words of a status, which repeat much. Allocates nothing: callers hold views of the memory. */
	statusWords(status) {
		let words = this.wordsOfStatus.get(status);
		if (words === undefined) {
			words = Object.freeze(Object.values(this.status).filter((bit) => (status & bit) !== 0).map((bit) => this.bitWord(bit)));
			this.wordsOfStatus.set(status, words);
		}
		return words;
	}

	bitWord(bit) {
		this.c.wp_status_text(bit, this.statusText, statusTextSize);
		return this.text(this.statusText);
	}
}

/* ---- checks of arguments ------------------------------------------------------------------------ */

/* Copy them into `to`, unless they are not exactly `count` numbers. */
function copyNumbers(values, count, to, at) {
	if (values === null || typeof values !== 'object' || values.length !== count)
		return false;
	for (let i = 0; i < count; i++) {
		if (typeof values[i] !== 'number')
			return false;
		to[at + i] = values[i];
	}
	return true;
}

function numbers(where, values, count) {
	const list = [];
	if (!copyNumbers(values, count, list, 0))
		throw new TypeError(`${where} must be ${count} numbers`);
	return list;
}

function length(where, value) {
	if (typeof value !== 'number')
		throw new TypeError(`${where} must be a number`);
	return value;
}

/* A length that may be Infinity, but not below 0. */
function limit(where, value) {
	if (!(length(where, value) >= 0))
		throw new RangeError(`${where} must be 0 or more, but is ${value}`);
	return value;
}

function count(where, value, max) {
	if (!Number.isInteger(value) || value < 0 || value > max)
		throw new RangeError(`${where} must be a whole number from 0 to ${max}`);
	return value;
}

/* Values that are copied, where they are no typed array: what is no number would become NaN or 0 without a word. */
function numbersAlone(where, values) {
	const bad = ArrayBuffer.isView(values) ? -1 : Array.prototype.findIndex.call(values ?? [], (value) => typeof value !== 'number');
	if (bad >= 0)
		throw new TypeError(`${where} must be numbers, but number ${bad} is ${String(values[bad])}`);
	return values;
}

/* A caller's array of `what`, in which holes are undefined: calls like forEach leave holes out. */
function listOf(where, values, what) {
	if (!Array.isArray(values))
		throw new TypeError(`${where} must be an array of ${what}`);
	return [...values];
}

/* Options that a caller gave as an object, which has no other names than these. `what`: what they are called, `or`: what may be
 * in their place. */
function optionsOf(where, options, names, what = 'options', or = '') {
	if (options === undefined)
		return {};
	if (Object.prototype.toString.call(options) !== '[object Object]' || options instanceof Owned)
		throw new TypeError(`${where}: ${what} must be ${or}an object with ${names.join(', ')}`);
	refuseOthers(`${where}: ${what}`, options, names);
	return options;
}

/* What has another name would be left out without a word. */
function refuseOthers(where, object, names) {
	for (const name in object)
		if (!names.includes(name))
			throw new TypeError(`${where}: '${name}' is none of ${names.join(', ')}`);
}

/* The same of contacts, where a number is maxSeparation. */
function contactOptionsOf(where, options, names) {
	return typeof options === 'number' ? { maxSeparation: options }
		: optionsOf(where, options, ['maxSeparation', ...names], 'options', 'a number, which is maxSeparation, or ');
}

/* Something of the module that the caller disposes of. */
class Owned {
	constructor(library) {
		this.library = library;
		this.pointer = 0;
		this.users = 0;
	}

	get disposed() {
		return this.pointer === 0;
	}

	dispose() {
		if (this.users > 0)
			throw new Error(`${this.constructor.name}.dispose: still in use`);
		if (this.pointer !== 0)
			this.library.release(this.pointer);
		this.pointer = 0;
	}
}

function isOwn(library, value, type) {
	return value instanceof type && value.library === library && !value.disposed;
}

/* `value`, which must be an undisposed `type` of this module. */
function own(library, where, value, type) {
	if (!(value instanceof type))
		throw new TypeError(`${where} must be a ${type.name}`);
	if (value.library !== library)
		throw new TypeError(`${where} belongs to another module`);
	if (value.disposed)
		throw new Error(`${where} is disposed`);
	return value;
}

/* ---- arrays in the module's memory -------------------------------------------------------------- */

const isTyped = (value) => ArrayBuffer.isView(value) && !(value instanceof DataView);

/* An array of a caller. A call that allocates may detach a view of the module's memory, so a copy replaces it. */
function still(library, value) {
	return isTyped(value) && value.buffer === library.c.memory.buffer ? value.slice() : value;
}

/* The same for some members of an object. */
function stillMembers(library, object, names) {
	if (object === null || typeof object !== 'object')
		return object;
	return Object.fromEntries(names.map((name) => [name, still(library, object[name])]));
}

/* Old views have length 0, so what they had would be lost without a word. */
function refuseDetached(where, value) {
	if (!isTyped(value) || value.length > 0)
		return;
	try {
		new u8(value.buffer);
	} catch {
		throw new TypeError(`${where} is a view of memory that has grown since; take MemoryArray.view anew, or pass the MemoryArray`);
	}
}

const arrayTypes = [f32, f64, i16, u32, u8];

class MemoryArray extends Owned {
	#view;

	/* Of `length` zeros, or a copy of what is array-like; `within`: the same memory as another one. */
	constructor(library, where, type, lengthOrValues, within) {
		super(library);
		if (!arrayTypes.includes(type))
			throw new TypeError(`${where}: type must be Float32Array, Float64Array, Int16Array, Uint32Array or Uint8Array`);
		this.type = type;
		this.within = within;
		refuseDetached(where, lengthOrValues);
		const isLength = typeof lengthOrValues === 'number', values = still(library, lengthOrValues);
		this.length = count(`${where}: length`, isLength ? values : values?.length, 2 ** 32 / type.BYTES_PER_ELEMENT);
		this.pointer = within ? within.pointer : library.allocate(this.length * type.BYTES_PER_ELEMENT, where);
		if (within)
			return;
		try {
			isLength ? this.view.fill(0) : this.view.set(values);
		} catch (error) {
			this.dispose();
			throw error;
		}
	}

	get disposed() {
		return this.within ? this.within.disposed : super.disposed;
	}

	get view() {
		if (this.disposed)
			throw new Error('MemoryArray.view: the array is disposed');
		if (this.#view?.buffer !== this.library.c.memory.buffer)
			this.#view = new this.type(this.library.c.memory.buffer, this.pointer, this.length);
		return this.#view;
	}

	as(type) {
		const bytes = this.length * this.type.BYTES_PER_ELEMENT;
		return new MemoryArray(this.library, 'MemoryArray.as', type, Math.floor(bytes / (type?.BYTES_PER_ELEMENT ?? 1)), this.within ?? this);
	}

	column(offset, stride) {
		count('MemoryArray.column: offset', offset, this.length);
		count('MemoryArray.column: stride', stride, this.length);
		if (stride === 0)
			throw new RangeError('MemoryArray.column: stride must not be 0');
		return new Column(this, offset, stride);
	}

	dispose() {
		if (this.within)
			throw new Error('MemoryArray.dispose: the memory belongs to another array, which is to be disposed of');
		super.dispose();
	}
}

/* A struct of the module and arrays after it, in one piece of memory. */
class Block extends Owned {
	#arrays = {};

	/* Of a class, views of arrays by their names: undefined of those that an instance has not. */
	static showArrays(names) {
		for (const name of names)
			Object.defineProperty(this.prototype, name, { get() {
				return this.array(name);
			} });
	}

	/* `arrays`: the type and the length of each. All is zero at first. */
	place(where, struct, arrays) {
		const { library } = this, aligned = (bytes) => 64 * Math.ceil(bytes / 64);
		let size = aligned(library.number(struct));
		for (const name in arrays) {
			const [type, length] = arrays[name];
			count(`${where}: ${name}: length`, length, 2 ** 32 / type.BYTES_PER_ELEMENT);
			this.#arrays[name] = { type, length, offset: size, view: undefined };
			size += aligned(length * type.BYTES_PER_ELEMENT);
		}
		this.pointer = library.allocate(size, where);
		library.bytes.fill(0, this.pointer, this.pointer + size);
	}

	array(name) {
		const array = this.#arrays[name], { buffer } = this.library.c.memory;
		if (array === undefined)
			return undefined;
		if (this.disposed)
			throw new Error('MemoryArray.view: the array is disposed');
		if (array.view?.buffer !== buffer)
			array.view = new array.type(buffer, this.pointer + array.offset, array.length);
		return array.view;
	}

	/* Where an array lies; 0 where there is none. */
	arrayAt(name) {
		const array = this.#arrays[name];
		return array === undefined ? 0 : this.pointer + array.offset;
	}

	/* Ordinary arrays by their names. */
	copyArrays() {
		const copied = {};
		for (const name in this.#arrays)
			copied[name] = this.array(name).slice();
		return copied;
	}
}

/* Every `stride`-th number of an array, from `offset` on: one member of an array of structs. */
class Column {
	constructor(array, offset, stride) {
		this.array = array;
		this.offset = offset;
		this.stride = stride;
	}
}

/* The type of an array in the module's memory or of an ordinary typed one; undefined of ordinary numbers. */
function typeOf(value) {
	const array = value instanceof Column ? value.array : value;
	return array instanceof MemoryArray ? array.type : arrayTypes.find((type) => array instanceof type);
}

/* Where the numbers of an argument lie, `width` of them a row: those in the module's memory stay there, others are
 * copied to it, as the first of `types` unless they have one of the others. Rows are at least `least` numbers apart. */
class Input {
	constructor(library, where, value, types, width, least = width) {
		this.where = where;
		if (value instanceof MemoryArray || value instanceof Column) {
			const { array, offset, stride } = value instanceof Column ? value : new Column(value, 0, width);
			this.array = own(library, where, array, MemoryArray);
			this.offset = offset;
			this.stride = stride;
		} else {
			this.array = new MemoryArray(library, where, ...Input.ordinary(where, value, types, width));
			this.offset = 0;
			this.stride = width;
			this.owned = true;
		}
		const { type, length } = this.array;
		if (this.stride < least)
			this.refuse(RangeError, `must have a stride of ${least} or more, but has ${this.stride}`);
		if (!types.includes(type))
			this.refuse(TypeError, `must be a ${types.map((t) => t.name).join(' or ')}`);
		if (this.owned && length % width !== 0 || value instanceof MemoryArray && length % width !== 0)
			this.refuse(RangeError, `must have ${width} numbers a row, but has ${length}`);
		this.rows = length < this.offset + width ? 0 : Math.floor((length - this.offset - width) / this.stride) + 1;
		this.pointer = this.array.pointer + this.offset * type.BYTES_PER_ELEMENT;
		this.strideBytes = this.stride * type.BYTES_PER_ELEMENT;
	}

	static ordinary(where, value, types, width) {
		if (!Array.isArray(value) && !isTyped(value))
			throw new TypeError(`${where} must be an array of numbers`);
		refuseDetached(where, value);
		const type = types.find((t) => value instanceof t) ?? types[0];
		const uneven = Array.isArray(value) ? value.findIndex((row) => Array.isArray(row) && row.length % width !== 0) : -1;
		if (uneven >= 0)
			throw new RangeError(`${where} must have ${width} numbers a row, but row ${uneven} has ${value[uneven].length}`);
		/* A hole is undefined: flat() alone would leave it out, and the rows after it would move up. */
		const flat = Array.isArray(value) ? [...value].map((row) => (Array.isArray(row) ? [...row] : row)).flat() : value;
		const isNumber = type === u32 ? (n) => Number.isInteger(n) && n >= 0 && n < 2 ** 32 : (n) => typeof n === 'number';
		const bad = flat instanceof type ? -1 : flat.findIndex((number) => !isNumber(number));
		if (bad >= 0)
			throw new TypeError(`${where} must be an array of ${type === u32 ? 'indices' : 'numbers'}, but row ${Math.floor(bad / width)} has ${String(flat[bad])}`);
		return [type, flat];
	}

	refuse(error, text) {
		this.dispose();
		throw new error(`${this.where} ${text}`);
	}

	/* At least `rows` rows. */
	reach(rows) {
		if (this.rows < rows)
			this.refuse(RangeError, `must have ${rows} rows, but has ${this.rows}`);
		return this;
	}

	check() {
		if (this.array.disposed)
			throw new Error(`${this.where} is disposed`);
	}

	dispose() {
		if (this.owned)
			this.array.dispose();
	}
}

/* ---- shapes ------------------------------------------------------------------------------------- */

class Shape extends Owned {
	#points = 0;

	/* `fields`: numbers by their names in wp_shape. `points`: memory of a hull, in 2D of `corners` vertices. */
	constructor(library, where, kind, fields, points = 0, corners = 0) {
		super(library);
		this.kind = kind;
		this.corners = corners;
		this.#points = points;
		try {
			this.pointer = library.struct('shape');
			library.putWord(this.pointer, 'shape.kind', library.number(`WP_SHAPE_${kind.toUpperCase()}`));
			library.putWord(this.pointer, library.dimension === 3 ? 'shape.hull' : 'shape.vertices', points);
			if (library.dimension === 2)
				library.putWord(this.pointer, 'shape.vertex_count', corners);
			for (const name in fields)
				library.putFloats(this.pointer, `shape.${name}`, [fields[name]].flat());
			this.#judge(where);
		} catch (error) {
			this.dispose();
			throw error;
		}
	}

	/* The library's own judgement, by a table of this shape alone. */
	#judge(where) {
		const { library } = this;
		library.makeTable(where, library.table, 1, library.vertexMax);
		if (library.c.wp_shape_table_set(library.table, 0, this.pointer, library.word) !== 0)
			throw new RangeError(`${where}: ${library.text(library.uints[library.word / 4])}`);
		this.bound = library.c.wp_shape_table_bound(library.table, 0);
	}

	dispose() {
		super.dispose();
		this.library.release(this.#points);
		this.#points = 0;
	}
}

function buildHull(library, vertices, faces) {
	const where = 'shape.hull';
	const inputs = [];
	const add = (name, value, types, width) => {
		inputs.push(new Input(library, `${where}: ${name}`, value, types, width));
		return inputs.at(-1);
	};
	let hull = 0;
	try {
		const points = add('vertices', vertices, [f32], 3);
		if (!Array.isArray(faces) || !faces.every(Array.isArray))
			throw new TypeError(`${where}: faces must be an array of arrays of indices`);
		const sizes = add('faces', faces.map((face) => face.length), [u32], 1);
		const indices = add('faces', faces.map((face) => [...face]).flat(), [u32], 1);
		const size = library.c.wp_hull_size(points.rows, sizes.rows, indices.rows) >>> 0;
		hull = size > 0 ? library.allocate(size, where) : 0;
		const input = library.hullInput;
		library.clear(input, 'hull_input');
		library.putColumn(input, 'hull_input.vertices', points.pointer, points.strideBytes);
		library.putWord(input, 'hull_input.vertex_count', points.rows);
		library.putWord(input, 'hull_input.face_sizes', sizes.pointer);
		library.putWord(input, 'hull_input.face_indices', indices.pointer);
		library.putWord(input, 'hull_input.face_count', sizes.rows);
		/* Where no size fits, the counts are at fault: the call returns their error before it reads the memory. */
		const none = 0xffffffff;
		library.uints[library.word / 4] = none;
		const code = library.c.wp_hull_build(input, hull === 0 ? library.table : hull, size, library.vector, library.word);
		if (code !== 0) {
			const index = library.uints[library.word / 4];
			throw new WidephaseError(`${where}: ${library.text(library.c.wp_error_text(code))}${index === none ? '' : `: number ${index}`}`, code);
		}
		return hull;
	} catch (error) {
		library.release(hull);
		throw error;
	} finally {
		inputs.forEach((input) => input.dispose());
	}
}

/* Each kind of shape, by the arguments of its constructor in C. */
function makeFactories(library) {
	const make = (kind, fields) => {
		if ('radius' in fields)
			length(`shape.${kind}: radius`, fields.radius);
		return new Shape(library, `shape.${kind}`, kind, fields);
	};
	const point = (kind, name, value) => numbers(`shape.${kind}: ${name}`, value, 3);
	const lengths = (kind, values) => Object.entries(values).map(([name, value]) => length(`shape.${kind}: ${name}`, value));
	const upright = (kind) => (baseRadius, halfHeight, radius = 0) => {
		const [base_radius, half_height] = lengths(kind, { baseRadius, halfHeight });
		return make(kind, { base_radius, half_height, radius });
	};
	return Object.freeze({
		point: () => make('point', {}),
		sphere: (radius) => make('sphere', { radius }),
		segment: (start, end, radius = 0) =>
			make('segment', { points: [...point('segment', 'start', start), ...point('segment', 'end', end)], radius }),
		capsule: (radius, halfHeight) => make('capsule', { radius, half_height: length('shape.capsule: halfHeight', halfHeight) }),
		triangle: (a, b, c, radius = 0) => make('triangle',
			{ points: [...point('triangle', 'a', a), ...point('triangle', 'b', b), ...point('triangle', 'c', c)], radius }),
		box: (halfX, halfY, halfZ, radius = 0) => make('box', { half_extents: lengths('box', { halfX, halfY, halfZ }), radius }),
		halfSpace: (radius = 0) => make('half_space', { radius }),
		hull: (vertices, faces = [], radius = 0) =>
			new Shape(library, 'shape.hull', 'hull', { radius: length('shape.hull: radius', radius) }, buildHull(library, vertices, faces)),
		cylinder: upright('cylinder'),
		cone: upright('cone'),
		ellipsoid: (semiX, semiY, semiZ, radius = 0) =>
			make('ellipsoid', { half_extents: lengths('ellipsoid', { semiX, semiY, semiZ }), radius }),
	});
}

/* The same in 2D. */
function makeFactories2d(library) {
	const make = (kind, fields) => new Shape(library, `shape.${kind}`, kind, fields);
	const radiusOf = (kind, radius) => length(`shape.${kind}: radius`, radius);
	const polygon = (where, vertices, radius) => {
		const input = new Input(library, `${where}: vertices`, vertices, [f32], 2);
		let memory = 0;
		try {
			const floats = Array.from({ length: 2 * input.rows }, (_, i) =>
				library.floats[input.pointer / 4 + (i >> 1) * input.stride + (i & 1)]);
			memory = library.allocate(8 * Math.max(input.rows, 1), where);
			library.floats.set(floats, memory / 4);
		} finally {
			input.dispose();
		}
		return new Shape(library, where, 'polygon', { radius: radiusOf('polygon', radius) }, memory, input.rows);
	};
	const point = (name, value) => numbers(`shape.segment: ${name}`, value, 2);
	return Object.freeze({
		circle: (radius) => make('circle', { radius: radiusOf('circle', radius) }),
		capsule: (radius, halfHeight) => make('capsule',
			{ radius: radiusOf('capsule', radius), half_height: length('shape.capsule: halfHeight', halfHeight) }),
		segment: (start, end, radius = 0) =>
			make('segment', { points: [...point('start', start), ...point('end', end)], radius: radiusOf('segment', radius) }),
		polygon: (vertices, radius = 0) => polygon('shape.polygon', vertices, radius),
		box: (halfX, halfY, radius = 0) => {
			const [x, y] = [length('shape.box: halfX', halfX), length('shape.box: halfY', halfY)];
			return polygon('shape.box', [-x, -y, x, -y, x, y, -x, y], radius);
		},
	});
}

class ShapeTable extends Owned {
	#shapes = [];

	/* vertexMax: in 2D, most vertices of polygons that may come. */
	constructor(library, shapes, options) {
		super(library);
		const { vertexMax } = optionsOf('ShapeTable', options, ['vertexMax']);
		const given = listOf('ShapeTable: shapes', shapes, 'shapes');
		given.forEach((shape, i) => shape === null || own(library, `ShapeTable: shapes[${i}]`, shape, Shape));
		const most = vertexMax === undefined ? Math.max(1, ...given.map((shape) => shape?.corners ?? 0))
			: count('ShapeTable: vertexMax', vertexMax, library.vertexMax);
		if (most === 0)
			throw new RangeError(`ShapeTable: vertexMax must be 1 to ${library.vertexMax}`);
		this.pointer = library.allocate(library.tableSize(given.length, most), 'ShapeTable');
		this.count = given.length;
		this.#shapes = given.map(() => null);
		library.makeTable('ShapeTable', this.pointer, given.length, most);
		given.forEach((shape, i) => shape === null || this.#set('ShapeTable', i, shape));
	}

	/* A shape is valid since it was made, but a polygon may have too many vertices for the table. */
	#set(where, index, shape) {
		const { library } = this;
		if (library.c.wp_shape_table_set(this.pointer, index, shape.pointer, library.word) !== 0)
			throw new RangeError(`${where}: ${library.text(library.uints[library.word / 4])}`);
		shape.users++;
		this.#release(index);
		this.#shapes[index] = shape;
	}

	#release(index) {
		if (this.#shapes[index] !== null)
			this.#shapes[index].users--;
		this.#shapes[index] = null;
	}

	#index(where, index) {
		own(this.library, `${where}: this`, this, ShapeTable);
		return count(`${where}: index`, index, this.count - 1);
	}

	get dimension() {
		return this.library.dimension;
	}

	bound(index) {
		return this.library.c.wp_shape_table_bound(this.pointer, this.#index('ShapeTable.bound', index));
	}

	set(index, shape) {
		const at = this.#index('ShapeTable.set', index);
		this.#set('ShapeTable.set', at, own(this.library, 'ShapeTable.set: shape', shape, Shape));
	}

	remove(index) {
		const at = this.#index('ShapeTable.remove', index);
		this.library.check(this.library.c.wp_shape_table_remove(this.pointer, at), 'ShapeTable.remove');
		this.#release(at);
	}

	dispose() {
		super.dispose();
		this.#shapes.forEach((_, i) => this.#release(i));
	}
}

/* Two shapes of a table, which validated them: calls for them do not read all of their bytes again. */
class Pair extends Owned {
	constructor(library, shapes, shapeA, shapeB, options) {
		super(library);
		const { cache = false } = optionsOf('Pair', options, ['cache']);
		this.shapes = own(library, 'Pair: shapes', shapes, ShapeTable);
		this.shapeA = count('Pair: shapeA', shapeA, shapes.count - 1);
		this.shapeB = count('Pair: shapeB', shapeB, shapes.count - 1);
		this.cache = 0;
		try {
			this.pointer = library.struct('pair');
			this.cache = cache ? library.struct('cache') : 0;
		} catch (error) {
			this.#release();
			throw error;
		}
		const at = (slot, field) => library.poses[slot] + 4 * library.poseAt[field];
		const values = { shapes: shapes.pointer, shape_a: shapeA, shape_b: shapeB, position_a: at(0, 'position'),
			rotation_a: at(0, 'rotation'), position_b: at(1, 'position'), rotation_b: at(1, 'rotation') };
		for (const field in values)
			library.putWord(this.pointer, `pair.${field}`, values[field]);
		this.shapes.users++;
	}

	forget() {
		own(this.library, 'Pair.forget: this', this, Pair);
		if (this.cache !== 0)
			this.library.clear(this.cache, 'cache');
	}

	#release() {
		this.library.release(this.cache);
		this.cache = 0;
		super.dispose();
	}

	dispose() {
		if (!this.disposed)
			this.shapes.users--;
		this.#release();
	}
}

/* ---- batches and results ------------------------------------------------------------------------ */

/* Descriptions may have what another query reads, but no other names. */
const bodyNames = ['position', 'rotation', 'shape'], batchNames = ['shapes', 'a', 'b', 'pairs', 'first', 'count'];
const batchNames3d = [...batchNames, 'cache', 'surfaces', 'compounds'];

class Batch extends Owned {
	static struct = 'batch';
	#inputs = [];
	#lists = [];
	#compounds = [];

	constructor(library, description) {
		super(library);
		if (description === null || typeof description !== 'object')
			throw new TypeError(this.named('the description must be an object'));
		refuseOthers(new.target.name, description, library.dimension === 3 ? batchNames3d : batchNames);
		const [a, b] = ['a', 'b'].map((side) => this.#bodies(side, description[side]));
		const arrays = { a, b, pairs: still(library, description.pairs) };
		try {
			this.pointer = library.struct(this.struct);
			this.shapes = own(library, this.named('shapes'), description.shapes, ShapeTable);
			this.#write(arrays, description);
			this.shapes.users++;
		} catch (error) {
			this.#release();
			throw error;
		}
	}

	get struct() {
		return this.constructor.struct;
	}

	/* An argument as its caller knows it. */
	named(name) {
		return `Batch: ${name}`;
	}

	#bodies(side, bodies) {
		if (bodies !== null && typeof bodies === 'object')
			refuseOthers(this.named(side), bodies, bodyNames);
		return stillMembers(this.library, bodies, bodyNames);
	}

	#write({ a, b, pairs }, { first = 0, count: rows, cache }) {
		const { library, pointer, struct } = this;
		/* Ordinary numbers are double if the other side is: a call reads one type. */
		const types = [a, b].some((bodies) => typeOf(bodies?.position) === f64) ? [f64, f32] : [f32, f64];
		const positionA = this.#writeBodies('a', a, types), positionB = b === undefined ? positionA : this.#writeBodies('b', b, types);
		const [typeA, typeB] = [positionA, positionB].map(({ array }) => array.type.name);
		if (typeA !== typeB)
			throw new TypeError(`Batch: a.position is a ${typeA}, but b.position a ${typeB}; give both as ${f64.name}`);
		this.bodiesA = positionA.rows;
		this.bodiesB = positionB.rows;
		let end = Math.min(this.bodiesA, this.bodiesB);
		if (pairs !== undefined) {
			const input = this.#add('pairs', pairs, [u32], 2, 1); // rows of a chain share indices
			library.putColumn(pointer, `${struct}.pair_a`, input.pointer, input.strideBytes);
			library.putColumn(pointer, `${struct}.pair_b`, input.pointer + 4, input.strideBytes);
			end = input.rows;
		} else if (b === undefined)
			this.checkWithoutPairs();
		this.first = count('Batch: first', first, end);
		this.count = count('Batch: count', rows ?? end - first, end - first);
		if (cache !== undefined) {
			if (!(cache instanceof MemoryArray))
				throw new TypeError('Batch: cache must be a MemoryArray, since it is written');
			this.cache = this.#add('cache', cache, [u32], library.number('cache') / 4).reach(end);
		}
		library.putWord(pointer, `${struct}.shapes`, this.shapes.pointer);
		library.putWord(pointer, `${struct}.first`, this.first);
		library.putWord(pointer, `${struct}.count`, this.count);
	}

	/* Row r would have body r twice. */
	checkWithoutPairs() {
		throw new TypeError(this.named('pairs are needed where there is no b'));
	}

	#add(name, value, types, width, least = width) {
		this.#inputs.push(new Input(this.library, this.named(name), value, types, width, least));
		return this.#inputs.at(-1);
	}

	/* Returns where the positions are, of one of `types`. */
	#writeBodies(side, bodies, types) {
		const { library } = this;
		if (bodies === null || typeof bodies !== 'object')
			throw new TypeError(`${this.named(side)} must be an object with position and rotation`);
		const offset = library.number(`${this.struct}.${side}`);
		const position = this.#add(`${side}.position`, bodies.position, types, library.dimension);
		const put = (field, input) => library.putColumn(this.pointer + offset, `bodies.${field}`, input.pointer, input.strideBytes);
		put('position', position);
		put('rotation', this.#add(`${side}.rotation`, bodies.rotation, [f32], library.turn).reach(position.rows));
		if (bodies.shape !== undefined)
			put('shape', this.#add(`${side}.shape`, bodies.shape, [u32], 1).reach(position.rows));
		library.putWord(this.pointer + offset, 'bodies.count', position.rows);
		library.putWord(this.pointer + offset, 'bodies.position_real', library.realOf(position.array.type));
		return position;
	}

	get dimension() {
		return this.library.dimension;
	}

	/* Nothing that C will read is gone. */
	check() {
		own(this.library, 'batch: shapes', this.shapes, ShapeTable);
		this.#inputs.forEach((input) => input.check());
	}

	/* A list of pointers. */
	addList(field, pointers) {
		this.#lists.push(new MemoryArray(this.library, `${this.constructor.name}: ${field}`, u32, pointers));
		return this.#lists.at(-1).pointer;
	}

	/* The same in the struct, and how many there are. */
	writeList(field, countField, pointers) {
		const { library, pointer, struct } = this;
		library.putWord(pointer, `${struct}.${field}`, this.addList(field, pointers));
		library.putWord(pointer, `${struct}.${countField}`, pointers.length);
	}

	/* A list of compounds, which are in use from now on. */
	addCompounds(compounds) {
		const { name } = this.constructor;
		const given = listOf(`${name}: compounds`, compounds, 'compounds');
		this.compoundsPointer = this.addList('compounds', given.map((compound, i) => own(this.library, `${name}: compounds[${i}]`, compound, Compound).pointer));
		given.forEach((compound) => compound.users++);
		this.#compounds = given;
		this.compoundCount = given.length;
	}

	#release() {
		[...this.#inputs, ...this.#lists].forEach((memory) => memory.dispose());
		this.#compounds.forEach((compound) => compound.users--);
		this.#inputs = [];
		this.#lists = [];
		this.#compounds = [];
		super.dispose();
	}

	dispose() {
		if (!this.disposed)
			this.shapes.users--;
		this.#release();
	}
}

/* Bodies alone, for their boxes. */
class BodiesOfBounds extends Batch {
	named(name) {
		return `bodiesBounds: ${name.replace(/^a\b/, 'bodies')}`;
	}

	checkWithoutPairs() {}
}

/* Boxes of bodies into arrays of the caller's, which it returns, or new ones. */
function bodiesBounds(library, shapes, bodies, maxSeparation = 0, bounds = undefined) {
	const where = 'bodiesBounds', given = optionsOf(where, bounds, ['lower', 'upper'], 'bounds'), made = [], inputs = [];
	limit(`${where}: maxSeparation`, maxSeparation);
	try {
		const batch = new BodiesOfBounds(library, { shapes, a: bodies });
		made.push(batch);
		const arrays = ['lower', 'upper'].map((name) => {
			const what = `${where}: bounds.${name}`, array = bounds === undefined ? new MemoryArray(library, what, f32, 3 * batch.count) : given[name];
			if (bounds === undefined)
				made.push(array);
			if (!(array instanceof MemoryArray || array instanceof Column))
				throw new TypeError(`${what} must be a MemoryArray or a column of one, since it is written`);
			const input = new Input(library, what, array, [f32, f64], 3).reach(batch.count);
			library.putColumn(library.bounds, `bounds.${name}`, input.pointer, input.strideBytes);
			inputs.push(input);
			return array;
		});
		const [{ type }, upper] = inputs.map((input) => input.array);
		if (upper.type !== type)
			throw new TypeError(`${where}: bounds.lower is a ${type.name}, but bounds.upper a ${upper.type.name}`);
		library.putWord(library.bounds, 'bounds.real', library.realOf(type));
		library.check(library.c.wp_bodies_bounds(batch.pointer, library.contactOptions(maxSeparation), library.bounds), where);
		return bounds ?? { lower: arrays[0].view.slice(), upper: arrays[1].view.slice() };
	} finally {
		made.forEach((thing) => thing.dispose());
	}
}

/* The outputs of a row: its type; whether it is a vector. Points may be double, tangents are for 3D. */
const outputs = {
	separation: [f32], normal: [f32, true], pointA: [f32, true], pointB: [f32, true], lower: [f32], upper: [f32],
	status: [u32], iterations: [u32], overlap: [u8], localA: [f32, true], localB: [f32, true], tangent1: [f32, true],
	tangent2: [f32, true], fraction: [f32], triangle: [u32], child: [u32], childA: [u32], childB: [u32],
};
/* Those that are no columns of wp_results. */
const outputsBeside = ['fraction', 'triangle', 'child', 'childA', 'childB'];
const rowOutputs = ['separation', 'normal', 'pointA', 'pointB', 'lower', 'upper', 'status', 'iterations'];
const usualPoints = (library) => Math.min(4, library.number('WP_MANIFOLD_POINT_MAX'));
const inC = (name) => name.replace(/[A-Z]|\d/g, (letter) => `_${letter.toLowerCase()}`);

/* Those of a module: the type, the numbers a row, and where the column of wp_results is. */
function outputsOf(library) {
	const { dimension } = library, known = Object.entries(outputs).filter(([name]) => dimension === 3 || !/^(?:tangent|triangle|child)/.test(name));
	return new Map(known.map(([name, [type, isVector]]) => [name, { type, width: isVector ? dimension : 1,
		column: outputsBeside.includes(name) ? undefined : library.number(`results.${inC(name)}`) }]));
}

class Results extends Block {
	constructor(library, rows, fields = rowOutputs, options = undefined) {
		super(library);
		const { pointMax = usualPoints(library), doublePoints = false } = optionsOf('Results', options, ['pointMax', 'doublePoints']);
		this.rows = count('Results: rows', rows, 2 ** 32 - 1);
		const names = listOf('Results: fields', fields, 'names'), hasManifold = names.includes('manifold');
		const columns = names.filter((name) => name !== 'manifold'), arrays = {};
		for (const name of columns) {
			const { type, width } = this.#output(name);
			arrays[name] = [doublePoints && name.startsWith('point') ? f64 : type, this.rows * width];
		}
		this.pointMax = hasManifold ? this.#pointMax(pointMax) : 0;
		if (hasManifold)
			Object.assign(arrays, { pointCount: [u32, this.rows], points: [f32, this.rows * pointMax * library.number('manifold_point') / 4] });
		this.place('Results', 'results', arrays);
		for (const name of columns) {
			const { column } = this.#output(name);
			if (column !== undefined)
				library.fillColumn(this.pointer + column, this.arrayAt(name));
		}
		library.putWord(this.pointer, 'results.point_real', library.realOf(doublePoints ? f64 : f32));
	}

	#output(name) {
		const { outputs: known } = this.library;
		if (!known.has(name))
			throw new RangeError(`Results: fields: '${name}' is none of ${[...known.keys(), 'manifold'].join(', ')}`);
		return known.get(name);
	}

	#pointMax(pointMax) {
		const most = this.library.number('WP_MANIFOLD_POINT_MAX');
		if (count('Results: pointMax', pointMax, most) === 0)
			throw new RangeError(`Results: pointMax must be 1 to ${most}`);
		return pointMax;
	}

	/* The struct of where manifolds go. */
	writeManifolds() {
		const { library } = this;
		if (this.pointMax === 0)
			throw new TypeError("contactManifold: results has no field 'manifold'");
		library.clear(library.manifolds, 'manifolds');
		library.putColumn(library.manifolds, 'manifolds.count', this.arrayAt('pointCount'));
		library.putColumn(library.manifolds, 'manifolds.points', this.arrayAt('points'));
		library.putWord(library.manifolds, 'manifolds.point_max', this.pointMax);
		return library.manifolds;
	}

	/* The column of where the fractions of casts go. */
	writeFractions() {
		return this.library.fillColumn(this.library.column, this.arrayAt('fraction'));
	}

	/* The same for the triangles of queries of meshes. */
	writeTriangles() {
		return this.library.fillColumn(this.library.triangleColumn, this.arrayAt('triangle'));
	}

	/* And for the children of queries of compounds. */
	writeChildren() {
		const { library } = this;
		library.putColumn(library.children, 'child_columns.a', this.arrayAt('childA'));
		library.putColumn(library.children, 'child_columns.b', this.arrayAt('childB'));
		return library.children;
	}

	/* And for the child of queries of compounds and meshes. */
	writeChild() {
		return this.library.fillColumn(this.library.childColumn, this.arrayAt('child'));
	}

	manifold(row) {
		count('Results.manifold: row', row, this.rows - 1);
		if (this.pointMax === 0)
			throw new TypeError("Results.manifold: there is no field 'manifold'");
		const first = this.arrayAt('points') + row * this.pointMax * this.library.number('manifold_point');
		return pointsAt(this.library, first, this.pointCount[row]);
	}

	copy() {
		const copied = { statistics: this.statistics, ...this.copyArrays() };
		if (this.pointMax > 0)
			copied.manifolds = Array.from({ length: this.rows }, (_, row) => this.manifold(row));
		return copied;
	}
}

Results.showArrays([...Object.keys(outputs), 'pointCount', 'points']);

/* `count` points of a manifold as objects. */
function pointsAt(library, pointer, count) {
	const { floats, uints } = library, of = library.words('manifold_point');
	return Array.from({ length: count }, (_, i) => {
		const at = pointer / 4 + i * of.size, vector = (offset) => library.vectorAt(floats, at + offset);
		return { separation: floats[at + of.separation], pointA: vector(of.point_a), pointB: vector(of.point_b), localA: vector(of.local_a),
			localB: vector(of.local_b), featureA: uints[at + of.feature_a], featureB: uints[at + of.feature_b] };
	});
}

/* ---- meshes and height fields ------------------------------------------------------------------- */

/* What a mesh and a height field have in common: triangles, and rays that find them. */
class Surface extends Owned {
	/* A ray by one of the library's calls; undefined where it meets nothing. */
	castRay(where, call, surface, start, way) {
		const { library } = this, { ray, hit } = library;
		own(library, `${where}: this`, this, Surface).alive();
		library.floats.set([...numbers(`${where}: start`, start, 3), ...numbers(`${where}: way`, way, 3)], ray / 4);
		library.check(call(surface, ray, ray + 12, hit), where);
		const of = library.words('mesh_hit'), at = hit / 4, { floats, uints } = library, triangle = uints[at + of.triangle];
		return triangle === library.meshMiss ? undefined
			: { triangle, isFront: uints[at + of.is_front] === 1, fraction: floats[at + of.fraction], weights: library.vectorAt(floats, at + of.weights) };
	}

	/* Rays by a call of the library. One that is none meets nothing, at NaN. */
	castRays(where, call, start, way) {
		const { library } = this, { columns } = library, size = library.number('mesh_hit'), [from, along] = [start, way].map((value) => still(library, value)), made = [];
		const add = (name, value) => {
			made.push(new Input(library, `${where}: ${name}`, value, [f32], 3));
			return made.at(-1);
		};
		own(library, `${where}: this`, this, Surface).alive();
		try {
			const starts = add('start', from), ways = add('way', along).reach(starts.rows), { rows } = starts;
			const hits = new MemoryArray(library, `${where}: hits`, u32, rows * size / 4);
			made.push(hits);
			[[starts.pointer, starts.strideBytes], [ways.pointer, ways.strideBytes], [hits.pointer, 0]].forEach((column, i) => library.fillColumn(columns[i], ...column));
			library.check(call(this.pointer, columns[0], columns[1], rows, columns[2]), where);
			return readHits(library, hits.pointer, rows);
		} finally {
			made.forEach((thing) => thing.dispose());
		}
	}

	/* Nothing that C will read is gone. */
	alive() {}

	/* The index of a triangle, checked. */
	index(where, index) {
		own(this.library, `${where}: this`, this, Surface).alive();
		return count(`${where}: index`, index, this.triangleCount - 1);
	}

	/* Vectors of the scratch memory of triangles. */
	vectors(from, to) {
		const { library } = this;
		return Array.from({ length: to - from }, (_, i) => library.vectorAt(library.floats, library.triangle / 4 + 3 * (from + i)));
	}
}

/* Hits as an array for each of their members. */
function readHits(library, pointer, rows) {
	const { floats, uints } = library, of = library.words('mesh_hit');
	const column = (type, words, offset, width = 1) => {
		const first = pointer / 4 + offset, found = new type(rows * width);
		for (let i = 0; i < found.length; i++)
			found[i] = words[first + Math.floor(i / width) * of.size + i % width];
		return found;
	};
	return { triangle: column(u32, uints, of.triangle), isFront: column(u8, uints, of.is_front), fraction: column(f32, floats, of.fraction),
		weights: column(f32, floats, of.weights, 3) };
}

class Mesh extends Surface {
	/* `bytes`: what a cook wrote. */
	constructor(library, bytes) {
		super(library);
		const given = bytes instanceof ArrayBuffer ? new u8(bytes) : still(library, bytes);
		if (!(given instanceof u8))
			throw new TypeError('Mesh: bytes must be a Uint8Array or an ArrayBuffer');
		refuseDetached('Mesh: bytes', given);
		this.pointer = library.allocate(given.length, 'Mesh');
		library.bytes.set(given, this.pointer);
		const code = library.c.wp_mesh_from_memory(this.pointer, given.length, library.word);
		if (code !== 0)
			this.dispose();
		library.check(code, 'Mesh');
		this.triangleCount = library.c.wp_mesh_triangle_count(this.pointer);
		this.vertexCount = library.c.wp_mesh_vertex_count(this.pointer);
		library.c.wp_mesh_bounds(this.pointer, library.triangle, library.triangle + 12);
		[this.lower, this.upper] = this.vectors(0, 2);
	}

	triangle(index) {
		const at = this.index('Mesh.triangle', index), { c, triangle } = this.library;
		c.wp_mesh_triangle(this.pointer, at, triangle);
		const indices = Array.from(this.library.uints.subarray(triangle / 4, triangle / 4 + 3));
		indices.forEach((vertex, i) => c.wp_mesh_vertex(this.pointer, vertex, triangle + 12 * i));
		const corners = this.vectors(0, 3);
		c.wp_mesh_normal(this.pointer, at, triangle);
		return { indices, corners, normal: this.vectors(0, 1)[0], source: c.wp_mesh_source(this.pointer, at) >>> 0 };
	}

	ray(start, way) {
		return this.castRay('Mesh.ray', this.library.c.wp_mesh_ray, this.pointer, start, way);
	}

	rays(start, way) {
		return this.castRays('Mesh.rays', this.library.c.wp_mesh_rays, start, way);
	}

	/* Parts of the answer, until the cursor is past the last triangle. */
	overlapBox(lower, upper) {
		const where = 'Mesh.overlapBox', { library, triangleCount } = this, { c, ray, word, vector } = library, found = [];
		own(library, `${where}: this`, this, Mesh);
		library.floats.set([...numbers(`${where}: lower`, lower, 3), ...numbers(`${where}: upper`, upper, 3)], ray / 4);
		const part = new MemoryArray(library, `${where}: triangles`, u32, Math.min(triangleCount, 4096));
		try {
			library.uints[word / 4] = 0;
			while (library.uints[word / 4] < triangleCount) {
				library.check(c.wp_mesh_overlap_box(this.pointer, ray, ray + 12, word, part.pointer, part.length, vector), where);
				found.push(part.view.slice(0, library.uints[vector / 4]));
			}
		} finally {
			part.dispose();
		}
		const all = new u32(found.reduce((sum, { length: n }) => sum + n, 0));
		found.reduce((at, some) => (all.set(some, at), at + some.length), 0);
		return all;
	}
}

class HeightField extends Surface {
	static HOLE = Math.fround(3.402823466e38);
	static HOLE_INT16 = -32768;
	#samples;

	constructor(library, samples, columns, rows, options) {
		super(library);
		const { spacing = [1, 1], otherDiagonal = false, scale = 1, offset = 0 } =
			optionsOf('HeightField', options, ['spacing', 'otherDiagonal', 'scale', 'offset']);
		count('HeightField: columns', columns, 2 ** 32 - 1);
		count('HeightField: rows', rows, 2 ** 32 - 1);
		const steps = numbers('HeightField: spacing', spacing, 2);
		const heights = numbers('HeightField: scale and offset', [scale, offset], 2);
		this.#samples = new Input(library, 'HeightField: samples', samples, [f32, i16], 1).reach(columns * rows);
		const format = this.#samples.array.type === i16 ? library.number('WP_HEIGHT_INT16') : 0;
		this.columns = columns;
		this.rows = rows;
		try {
			if (this.#samples.stride !== 1)
				throw new TypeError('HeightField: samples must lie side by side');
			this.pointer = library.struct('height_field');
			for (const [field, value] of [['samples', this.#samples.pointer], ['columns', columns], ['rows', rows], ['format', format],
				['flags', otherDiagonal ? library.number('WP_HEIGHT_OTHER_DIAGONAL') : 0]])
				library.putWord(this.pointer, `height_field.${field}`, value);
			library.putFloats(this.pointer, 'height_field.spacing', steps);
			['scale', 'offset'].forEach((field, i) => library.putFloats(this.pointer, `height_field.${field}`, [heights[i]]));
			this.check();
		} catch (error) {
			this.dispose();
			throw error;
		}
		this.triangleCount = library.c.wp_height_field_triangle_count(this.pointer);
	}

	alive() {
		this.#samples.check();
	}

	/* All samples, which may have changed. */
	check() {
		this.alive();
		this.library.check(this.library.c.wp_height_field_check(this.pointer), 'HeightField');
	}

	triangle(index) {
		const at = this.index('HeightField.triangle', index), { c, triangle } = this.library;
		if (c.wp_height_field_triangle(this.pointer, at, triangle) === 0)
			return undefined;
		const corners = this.vectors(0, 3);
		c.wp_height_field_normal(this.pointer, at, triangle);
		return { corners, normal: this.vectors(0, 1)[0] };
	}

	ray(start, way) {
		return this.castRay('HeightField.ray', this.library.c.wp_height_field_ray, this.pointer, start, way);
	}

	rays(start, way) {
		return this.castRays('HeightField.rays', this.library.c.wp_height_field_rays, start, way);
	}

	dispose() {
		super.dispose();
		this.#samples.dispose();
	}
}

/* Rows of bodies with shapes and of bodies with surfaces. */
class MeshBatch extends Batch {
	static struct = 'mesh_batch';
	#surfaces = [];

	constructor(library, description) {
		if (description?.b === undefined)
			throw new TypeError('MeshBatch: b must be an object with position and rotation');
		super(library, description);
		try {
			this.#write(description.surfaces);
		} catch (error) {
			this.dispose();
			throw error;
		}
	}

	/* Meshes have the lower numbers: a body's shape is an index of `surfaces`. */
	#write(surfaces) {
		const { library } = this;
		const given = listOf('MeshBatch: surfaces', surfaces, 'meshes and height fields');
		given.forEach((surface, i) => {
			own(library, `MeshBatch: surfaces[${i}]`, surface, Surface);
			if (surface instanceof Mesh && given[i - 1] instanceof HeightField)
				throw new TypeError(`MeshBatch: surfaces[${i}] is a Mesh after a HeightField; meshes come first`);
		});
		const pointersOf = (type) => given.filter((surface) => surface instanceof type).map((surface) => surface.pointer);
		this.writeList('meshes', 'mesh_count', pointersOf(Mesh));
		this.writeList('height_fields', 'height_field_count', pointersOf(HeightField));
		given.forEach((surface) => surface.users++);
		this.#surfaces = given;
		this.surfaceCount = given.length;
	}

	check() {
		super.check();
		this.#surfaces.forEach((surface) => surface.alive());
	}

	dispose() {
		this.#surfaces.forEach((surface) => surface.users--);
		this.#surfaces = [];
		super.dispose();
	}
}

/* Where contacts in patches go: columns of a row, and most patches of one. */
class PatchResults extends Block {
	constructor(library, rows, options, most) {
		super(library);
		const { name } = new.target, { patchMax = 4 } = optionsOf(name, options, ['patchMax']);
		this.rows = count(`${name}: rows`, rows, 2 ** 32 - 1);
		this.patchMax = count(`${name}: patchMax`, patchMax, most);
		if (patchMax === 0)
			throw new RangeError(`${name}: patchMax must be 1 to ${most}`);
	}

	/* `columns`: the type, and the numbers of a row. */
	placeColumns(struct, columns) {
		const arrays = {};
		for (const name in columns) {
			const [type, width] = columns[name];
			arrays[name] = [type, this.rows * width];
		}
		this.place(this.constructor.name, struct, arrays);
	}

	/* Where columns go is told by the struct that has them. */
	putColumns(struct, pointer, columns) {
		for (const name in columns)
			this.library.putColumn(pointer, `${struct}.${inC(name)}`, this.arrayAt(name));
	}

	/* The patches of a row as objects. */
	patch(row) {
		count(`${this.constructor.name}.patch: row`, row, this.rows - 1);
		const { struct, read } = this.kind, size = this.library.number(struct);
		const first = this.arrayAt('patches') + row * this.patchMax * size;
		return Array.from({ length: this.patchCount[row] }, (_, i) => read(this.library, first + i * size));
	}

	copy() {
		const copied = { statistics: this.statistics, ...this.copyArrays() };
		if (copied.patches !== undefined)
			copied.manifolds = Array.from({ length: this.rows }, (_, row) => this.patch(row));
		return copied;
	}
}

PatchResults.showArrays(['separation', 'normal', 'status', 'patchCount', 'patches']);

/* Contacts with meshes. Those that track fills, where a caller wants no results, have no columns. `more`: columns that are none of
 * wp_mesh_results. */
class MeshContacts extends PatchResults {
	constructor(library, rows, options, hasColumns = true, more = () => ({})) {
		super(library, rows, options, library.number('WP_MESH_PATCH_MAX'));
		const { patchMax } = this, columns = !hasColumns ? {} : { separation: [f32, 1], normal: [f32, 3], status: [u32, 1],
			triangleCount: [u32, 1], patchCount: [u32, 1], patches: [f32, patchMax * library.number('mesh_patch') / 4] };
		this.placeColumns('mesh_results', { ...columns, ...hasColumns && more(patchMax) });
		this.putColumns('mesh_results', this.pointer, columns);
		library.putWord(this.pointer, 'mesh_results.patch_max', patchMax);
	}

	get kind() {
		return { struct: 'mesh_patch', read: meshPatch };
	}
}

MeshContacts.showArrays(['triangleCount']);

function meshPatch(library, pointer) {
	const { floats, uints } = library, of = library.words('mesh_patch'), at = pointer / 4, { size } = library.words('mesh_point');
	return { normal: library.vectorAt(floats, at + of.normal), separation: floats[at + of.separation],
		points: Array.from({ length: uints[at + of.point_count] }, (_, k) => meshPoint(library, at + of.points + k * size)) };
}

/* `at`: in words. */
function meshPoint(library, at) {
	const { floats, uints } = library, of = library.words('mesh_point'), vector = (offset) => library.vectorAt(floats, at + offset);
	return { separation: floats[at + of.separation], pointA: vector(of.point_a), pointB: vector(of.point_b), localA: vector(of.local_a),
		localB: vector(of.local_b), triangle: uints[at + of.triangle], featureA: uints[at + of.feature_a], featureB: uints[at + of.feature_b] };
}

/* ---- compounds ---------------------------------------------------------------------------------- */

const childNames = ['position', 'rotation', 'shape', 'tag'];

/* Convex shapes with poses, as one body, and a tree of boxes around them. */
class Compound extends Owned {
	/* A table and children, or the bytes of one. */
	constructor(library, shapes, children) {
		super(library);
		try {
			if (shapes instanceof ArrayBuffer || shapes instanceof u8)
				this.#read(shapes instanceof u8 ? still(library, shapes) : new u8(shapes));
			else
				this.#build(own(library, 'Compound: shapes', shapes, ShapeTable), children);
		} catch (error) {
			this.dispose();
			throw error;
		}
		this.childCount = library.c.wp_compound_child_count(this.pointer);
		library.c.wp_compound_bounds(this.pointer, library.place, library.place + 12);
		[this.lower, this.upper] = [0, 3].map((i) => library.vectorAt(library.floats, library.place / 4 + i));
	}

	#read(bytes) {
		const { library } = this;
		refuseDetached('Compound: bytes', bytes);
		this.pointer = library.allocate(bytes.length, 'Compound');
		library.bytes.set(bytes, this.pointer);
		library.check(library.c.wp_compound_from_memory(this.pointer, bytes.length, library.word), 'Compound');
	}

	#build(shapes, given) {
		const { library } = this, { c, vector, word } = library, inputs = [];
		if (given === null || typeof given !== 'object')
			throw new TypeError('Compound: children must be an object with position');
		refuseOthers('Compound: children', given, childNames);
		const children = stillMembers(library, given, childNames);
		const add = (name, types, width) => {
			inputs.push(new Input(library, `Compound: children.${name}`, children[name], types, width));
			return inputs.at(-1);
		};
		let made = 0;
		try {
			const position = add('position', [f32], 3), { rows } = position;
			const columns = { position, ...Object.fromEntries(Object.entries({ rotation: [[f32], 4], shape: [[u32], 1], tag: [[u32], 1] })
				.filter(([name]) => children[name] !== undefined).map(([name, [types, width]]) => [name, add(name, types, width).reach(rows)])) };
			made = library.allocate(rows * library.number('compound_child'), 'Compound: children');
			this.#writeChildren(made, rows, columns);
			const size = c.wp_compound_size(rows) >>> 0;
			/* Where no size fits, the count is at fault: the call returns its error before it reads the memory. */
			this.pointer = library.allocate(size, 'Compound');
			const code = c.wp_compound_build(made, rows, shapes.pointer, this.pointer, size, vector, word);
			const isNamed = ['POSE', 'SHAPE'].some((name) => code === library.number(`WP_ERROR_COMPOUND_${name}`));
			if (code !== 0)
				throw new WidephaseError(`Compound: children: ${library.text(c.wp_error_text(code))}` +
					(isNamed ? `: number ${library.uints[word / 4]}` : ''), code);
		} finally {
			library.release(made);
			inputs.forEach((input) => input.dispose());
		}
	}

	/* Children as C has them, of columns that may be anywhere. */
	#writeChildren(made, rows, columns) {
		const { library } = this, { uints, floats } = library, size = library.number('compound_child');
		const usual = { rotation: (row, to) => floats.set(library.unturned, to), shape: (row, to) => (uints[to] = row),
			tag: (row, to) => (uints[to] = 0) };
		for (const [name, width] of [['position', 3], ['rotation', 4], ['shape', 1], ['tag', 1]]) {
			const input = columns[name], at = made + library.number(`compound_child.${name}`);
			for (let row = 0; row < rows; row++) {
				const to = (at + row * size) / 4, from = input && input.pointer / 4 + row * input.stride;
				input === undefined ? usual[name](row, to) : uints.copyWithin(to, from, from + width);
			}
		}
	}

	/* A child as it was given. */
	child(index) {
		const { library } = this, { child } = library;
		own(library, 'Compound.child: this', this, Compound);
		library.c.wp_compound_child_at(this.pointer, count('Compound.child: index', index, this.childCount - 1), child);
		const { floats, uints } = library, at = (field) => (child + library.number(`compound_child.${field}`)) / 4;
		return { position: library.vectorAt(floats, at('position')), rotation: Array.from(floats.subarray(at('rotation'), at('rotation') + 4)),
			shape: uints[at('shape')], tag: uints[at('tag')] };
	}

	/* Where a child is if the compound is at a pose. */
	childPose(index, pose) {
		const where = 'Compound.childPose', { library } = this, { c, place, poseAt, poses } = library;
		own(library, `${where}: this`, this, Compound);
		count(`${where}: index`, index, this.childCount - 1);
		writePose(library, where, 'pose', pose, 0);
		new f64(c.memory.buffer, place, 3).set(pose.position ?? origin);
		const turn = poses[1] + 4 * poseAt.rotation;
		c.wp_compound_child_pose(this.pointer, index, place, poses[0] + 4 * poseAt.rotation, place + 24, turn);
		return { position: Array.from(new f64(c.memory.buffer, place + 24, 3)),
			rotation: Array.from(library.floats.subarray(turn / 4, turn / 4 + 4)) };
	}

	/* Whether the table has the shapes that the compound was made for. */
	check(shapes) {
		const { library } = this;
		own(library, 'Compound.check: this', this, Compound);
		own(library, 'Compound.check: shapes', shapes, ShapeTable);
		const code = library.c.wp_compound_check(this.pointer, shapes.pointer, library.word);
		library.check(code, `Compound.check: the shape of child ${library.uints[library.word / 4]}`);
	}

	get bytes() {
		const { library } = this;
		own(library, 'Compound.bytes: this', this, Compound);
		return library.bytes.slice(this.pointer, this.pointer + (library.c.wp_compound_byte_size(this.pointer) >>> 0));
	}
}

/* Rows of bodies with shapes or compounds. */
class CompoundBatch extends Batch {
	static struct = 'compound_batch';

	constructor(library, description) {
		super(library, description);
		try {
			this.addCompounds(description.compounds);
			library.putWord(this.pointer, 'compound_batch.compounds', this.compoundsPointer);
			library.putWord(this.pointer, 'compound_batch.compound_count', this.compoundCount);
		} catch (error) {
			this.dispose();
			throw error;
		}
	}
}

/* Rows of bodies with shapes or compounds and of bodies with surfaces. */
class CompoundMeshBatch extends MeshBatch {
	constructor(library, description) {
		super(library, description);
		try {
			this.addCompounds(description.compounds);
		} catch (error) {
			this.dispose();
			throw error;
		}
	}
}

/* Contacts with meshes, and the child of each point. */
class CompoundMeshContacts extends MeshContacts {
	constructor(library, rows, options, hasColumns = true) {
		super(library, rows, options, hasColumns, (patchMax) => ({ children: [u32, patchMax * library.number('WP_MESH_POINT_MAX')] }));
	}

	/* The column of where the children go. */
	writeChildren() {
		return this.library.fillColumn(this.library.column, this.arrayAt('children'));
	}

	patch(row) {
		const patches = super.patch(row), { children, library } = this, most = library.number('WP_MESH_POINT_MAX');
		patches.forEach(({ points }, i) => points.forEach((point, k) => (point.child = children[(row * this.patchMax + i) * most + k])));
		return patches;
	}
}

CompoundMeshContacts.showArrays(['children']);

/* Contacts with compounds: the deepest of each row, and a patch for each pair of children. Without columns as above. */
class CompoundContacts extends PatchResults {
	constructor(library, rows, options, hasColumns = true) {
		super(library, rows, options, library.number('WP_COMPOUND_PATCH_MAX'));
		const { patchMax } = this;
		const ofRows = !hasColumns ? {} : { separation: [f32, 1], normal: [f32, 3], status: [u32, 1] };
		const ofPatches = !hasColumns ? {} : { pairCount: [u32, 1], patchCount: [u32, 1], patches: [f32, patchMax * library.number('compound_patch') / 4] };
		this.patchesPointer = library.struct('compound_patches');
		try {
			this.placeColumns('results', { ...ofRows, ...ofPatches });
		} catch (error) {
			this.dispose();
			throw error;
		}
		this.putColumns('results', this.pointer, ofRows);
		this.putColumns('compound_patches', this.patchesPointer, ofPatches);
		library.putWord(this.patchesPointer, 'compound_patches.patch_max', patchMax);
	}

	get kind() {
		return { struct: 'compound_patch', read: compoundPatch };
	}

	dispose() {
		this.library.release(this.patchesPointer);
		this.patchesPointer = 0;
		super.dispose();
	}
}

CompoundContacts.showArrays(['pairCount']);

function compoundPatch(library, pointer) {
	const { floats, uints } = library, of = library.words('compound_patch'), at = pointer / 4, status = uints[at + of.status];
	return { normal: library.vectorAt(floats, at + of.normal), separation: floats[at + of.separation], childA: uints[at + of.child_a],
		childB: uints[at + of.child_b], status, words: library.statusWords(status),
		points: pointsAt(library, 4 * (at + of.points), uints[at + of.point_count]) };
}

/* ---- tracked pairs ------------------------------------------------------------------------------ */

/* What is kept of pairs from frame to frame, and which of them are in use. */
class TrackedPool extends Owned {
	#arrays = {};
	#taken = new Set();
	#given = [];

	/* `options`: of the caller. `struct`: of the arrays, but for one of children. `sizes`: words of each pair in an array, by the
	 * array's name. */
	constructor(library, capacity, options, struct, sizes) {
		super(library);
		this.options = options;
		this.struct = struct;
		this.sizes = sizes;
		this.capacity = 0;
		try {
			this.pointer = library.struct(struct);
			this.reserve(capacity);
		} catch (error) {
			this.dispose();
			throw error;
		}
	}

	get pairs() {
		return this.array('pairs');
	}

	/* The view of an array by its name, and where a pair has its part of it. */
	array(name) {
		own(this.library, `${this.constructor.name}.${name}: this`, this, TrackedPool);
		return this.#arrays[name].view;
	}

	partAt(name, index) {
		return this.#arrays[name].pointer + 4 * index * this.sizes[name];
	}

	/* Room for more pairs; what is kept, and its indices, stay. */
	reserve(capacity) {
		const { library, struct } = this, { name: type } = this.constructor, larger = {};
		own(library, `${type}.reserve: this`, this, TrackedPool);
		if (count(`${type}: capacity`, capacity, 2 ** 32 - 2) <= this.capacity && this.#arrays.pairs !== undefined)
			return;
		try {
			for (const name in this.sizes)
				larger[name] = new MemoryArray(library, `${type}: ${name}`, ['pairs', 'children'].includes(name) ? u32 : f32, capacity * this.sizes[name]);
		} catch (error) {
			Object.values(larger).forEach((array) => array.dispose());
			throw error;
		}
		for (const name in larger) {
			larger[name].view.set(this.#arrays[name]?.view ?? []);
			if (name !== 'children')
				library.putWord(this.pointer, `${struct}.${name}`, larger[name].pointer);
		}
		library.putWord(this.pointer, `${struct}.count`, capacity);
		Object.values(this.#arrays).forEach((array) => array.dispose());
		this.#arrays = larger;
		this.capacity = capacity;
	}

	/* The index of a pair of which nothing is known. */
	take() {
		own(this.library, `${this.constructor.name}.take: this`, this, TrackedPool);
		const index = this.#given.pop() ?? this.#taken.size;
		if (index === this.capacity)
			this.reserve(2 * this.capacity + 1);
		this.pairs.fill(0, index * this.sizes.pairs, (index + 1) * this.sizes.pairs);
		this.#taken.add(index);
		return index;
	}

	give(index) {
		if (!this.#taken.delete(index))
			throw new RangeError(`${this.constructor.name}.give: pair ${index} is not in use`);
		this.#given.push(index);
	}

	/* A snapshot to roll back to: it has arrays and indices of its own, and continues from this frame. */
	copy() {
		own(this.library, `${this.constructor.name}.copy: this`, this, TrackedPool);
		const copied = new this.constructor(this.capacity, this.options);
		for (const name in this.sizes)
			copied.#arrays[name].view.set(this.#arrays[name].view);
		copied.#taken = new Set(this.#taken);
		copied.#given = [...this.#given];
		return copied;
	}

	/* What is known of a pair after a frame, but its points; `count` of these, or of patches. A tracked pair has its count after
	 * its event in one word. */
	known(method, index) {
		const { library } = this, where = `${this.constructor.name}.${method}`;
		own(library, `${where}: this`, this, TrackedPool);
		const at = this.partAt('pairs', count(`${where}: index`, index, this.capacity - 1)), { floats, uints } = library;
		const of = library.words('tracked'), event = uints[at / 4 + of.event];
		return { where, separation: floats[at / 4 + of.separation], status: uints[at / 4 + of.status], event: event & 0xffff, count: event >>> 16 };
	}

	dispose() {
		Object.values(this.#arrays).forEach((array) => array.dispose());
		this.#arrays = {};
		super.dispose();
	}
}

class Tracked extends TrackedPool {
	constructor(library, capacity, options) {
		const { reuse = false, polytopes = false } = optionsOf('Tracked', options, ['reuse', 'polytopes']);
		const words = (struct) => library.number(struct) / 4;
		super(library, capacity, { reuse, polytopes }, 'tracked_pairs', { pairs: words('tracked'), manifolds: words('persistent_manifold'),
			...(reuse && { anchors: words('tracked_anchor') }), ...(polytopes && { polytopes: words('tracked_polytope') }) });
	}

	get manifolds() {
		return this.array('manifolds');
	}

	pair(index) {
		const { library } = this, { count: pointCount, separation, status, event } = this.known('pair', index);
		return { separation, status, words: library.statusWords(status), event,
			...persistentManifold(library, this.partAt('manifolds', index), pointCount) };
	}

	setImpulse(index, point, impulse) {
		const { where, count: pointCount } = this.known('setImpulse', index), { library } = this;
		if (pointCount === 0)
			throw new RangeError(`${where}: pair ${index} has no points`);
		putImpulse(library, this.partAt('manifolds', index), where, pointCount, point, impulse);
	}
}

/* The same of pairs that have patches of points. */
class PatchTracked extends TrackedPool {
	/* `kind`: what the names of the structs begin with. `beside`: words of each patch in further arrays. `read`: a patch as it was
	 * found, by where it is. */
	constructor(library, capacity, options, most, kind, beside, read) {
		const { name } = new.target, { patchMax = 4 } = optionsOf(name, options, ['patchMax']), words = (struct) => library.number(struct) / 4;
		if (count(`${name}: patchMax`, patchMax, most) === 0)
			throw new RangeError(`${name}: patchMax must be 1 to ${most}`);
		const ofPatches = { patches: words(`${kind}_tracked_patch`), ...beside };
		super(library, capacity, { patchMax }, `${kind}_tracked_pairs`, { pairs: words('tracked'), anchors: words(`${kind}_tracked_anchor`),
			...Object.fromEntries(Object.entries(ofPatches).map(([array, size]) => [array, patchMax * size])) });
		this.kind = kind;
		this.read = read;
		this.patchMax = patchMax;
		library.putWord(this.pointer, `${kind}_tracked_pairs.patch_max`, patchMax);
	}

	get patches() {
		return this.array('patches');
	}

	#patchAt(index, patch) {
		return this.partAt('patches', index) + patch * this.library.number(`${this.kind}_tracked_patch`);
	}

	#pointAt(patch, point) {
		const { library } = this;
		return patch + library.number(`${this.kind}_tracked_patch.points`) + point * library.number('mesh_tracked_point');
	}

	/* A patch begins with what was found, and its points have what was kept beside that. */
	#patch(index, patch) {
		const { library } = this, at = this.#patchAt(index, patch), found = this.read(library, at, index, patch), { floats, uints } = library;
		const of = library.words('mesh_tracked_point');
		found.points.forEach((point, i) => {
			const kept = this.#pointAt(at, i) / 4, vector = (offset) => library.vectorAt(floats, kept + offset);
			point.armA = vector(of.arm_a);
			point.armB = vector(of.arm_b);
			point.age = uints[kept + of.age];
			point.impulse = vector(of.impulse);
		});
		return found;
	}

	pair(index) {
		const { count: patchCount, separation, status, event } = this.known('pair', index);
		return { separation, status, words: this.library.statusWords(status), event,
			patches: Array.from({ length: patchCount }, (_, i) => this.#patch(index, i)) };
	}

	setImpulse(index, patch, point, impulse) {
		const { where, count: patchCount } = this.known('setImpulse', index), { library } = this;
		if (patchCount === 0)
			throw new RangeError(`${where}: pair ${index} has no patches`);
		const at = this.#patchAt(index, count(`${where}: patch`, patch, patchCount - 1));
		count(`${where}: point`, point, library.uints[(at + library.number(`${this.kind}_patch.point_count`)) / 4] - 1);
		library.putFloats(this.#pointAt(at, point), 'mesh_tracked_point.impulse', numbers(`${where}: impulse`, impulse, 3));
	}
}

/* Of pairs with meshes, whose points may have children. */
class MeshTracked extends PatchTracked {
	constructor(library, capacity, options) {
		const most = library.number('WP_MESH_POINT_MAX');
		super(library, capacity, options, library.number('WP_MESH_PATCH_MAX'), 'mesh', { children: most }, (_, pointer, index, patch) => {
			const found = meshPatch(library, pointer), children = this.partAt('children', index) / 4 + patch * most;
			found.points.forEach((point, i) => (point.child = library.uints[children + i]));
			return found;
		});
	}

	get children() {
		return this.array('children');
	}
}

/* Of pairs of compounds and shapes. */
class CompoundTracked extends PatchTracked {
	constructor(library, capacity, options) {
		const room = library.number('compound_patch') / 4; // where a frame puts new patches
		super(library, capacity, options, library.number('WP_COMPOUND_TRACKED_MAX'), 'compound', { room }, compoundPatch);
	}
}

/* ---- persistent manifolds ----------------------------------------------------------------------- */

const thresholdNames = ['breaking', 'sideways', 'merging'];

/* All three for shapes of a size. */
function thresholdsOf(library, size) {
	library.c.wp_persistent_thresholds_of(library.thresholds, limit('thresholds: size', size));
	const at = (name) => library.floats[(library.thresholds + library.number(`persistent_thresholds.${name}`)) / 4];
	return Object.fromEntries(thresholdNames.map((name) => [name, at(name)]));
}

/* What is kept of a pair, as pair() tells it: see wp_persistent_manifold, whose points and places are two vectors each with a
 * number after it. */
function persistentManifold(library, pointer, pointCount) {
	const { floats, uints } = library, part = (name) => (pointer + library.number(`persistent_manifold.${name}`)) / 4;
	const vector = (at) => library.vectorAt(floats, at);
	const point = (_, i) => {
		const now = part('points') + 8 * i, place = part('places') + 8 * i;
		return { localA: vector(place), localB: vector(place + 4), armA: vector(now), armB: vector(now + 4), separation: floats[now + 3],
			featureA: uints[place + 3], featureB: uints[place + 7], age: uints[now + 7], impulse: vector(part('impulses') + 3 * i) };
	};
	return { normal: pointCount > 0 ? vector(part('normal')) : undefined, points: Array.from({ length: pointCount }, point) };
}

function putImpulse(library, pointer, where, pointCount, point, impulse) {
	count(`${where}: point`, point, pointCount - 1);
	library.putFloats(pointer + 12 * point, 'persistent_manifold.impulses', numbers(`${where}: impulse`, impulse, 3));
}

/* What is kept of pairs whose contacts the caller finds. */
class Persistent extends Owned {
	constructor(library, capacity) {
		super(library);
		this.capacity = count('Persistent: capacity', capacity, 2 ** 32 - 1);
		this.size = library.number('persistent_manifold');
		const bytes = capacity * this.size;
		this.pointer = library.allocate(bytes, 'Persistent');
		library.bytes.fill(0, this.pointer, this.pointer + bytes);
	}

	#at(where, index) {
		own(this.library, `${where}: this`, this, Persistent);
		return this.pointer + count(`${where}: index`, index, this.capacity - 1) * this.size;
	}

	#count(at) {
		return this.library.uints[(at + this.library.number('persistent_manifold.count')) / 4];
	}

	#thresholds(where, thresholds) {
		const { library } = this;
		if (thresholds === null || typeof thresholds !== 'object')
			throw new TypeError(`${where}: thresholds must be an object with ${thresholdNames.join(', ')}`);
		for (const name of thresholdNames)
			library.putFloats(library.thresholds, `persistent_thresholds.${name}`, [length(`${where}: thresholds.${name}`, thresholds[name])]);
		return library.thresholds;
	}

	#normal(where, normal) {
		const { floats, vector } = this.library;
		if (!copyNumbers(normal, 3, floats, vector / 4))
			throw new TypeError(`${where}: normal must be 3 numbers`);
		return vector;
	}

	/* Points of a manifold as C has them. */
	#points(where, points) {
		const { library } = this, size = library.number('manifold_point');
		if (!Array.isArray(points) || points.length > library.number('WP_MANIFOLD_POINT_MAX'))
			throw new TypeError(`${where}: points must be an array of at most ${library.number('WP_MANIFOLD_POINT_MAX')} points`);
		[...points].forEach((point, i) => {
			const at = library.points + i * size, fieldOf = (name) => `manifold_point.${inC(name)}`;
			const put = (name, values, n) => {
				if (!copyNumbers(values, n, library.floats, (at + library.number(fieldOf(name))) / 4))
					throw new TypeError(`${where}: points[${i}].${name} must be ${n === 1 ? 'a number' : '3 numbers'}`);
			};
			put('localA', point?.localA, 3);
			put('localB', point?.localB, 3);
			put('separation', [point.separation], 1);
			for (const name of ['featureA', 'featureB'])
				library.putWord(at, fieldOf(name), count(`${where}: points[${i}].${name}`, point[name], 2 ** 32 - 1));
		});
		return library.points;
	}

	/* The manifold, and the poses as structs: what the calls begin with. */
	#begin(where, index, poseA, poseB) {
		const at = this.#at(where, index);
		return [at, writePose(this.library, where, 'poseA', poseA, 0), writePose(this.library, where, 'poseB', poseB, 1)];
	}

	update(index, poseA, poseB, normal, points, thresholds) {
		const where = 'Persistent.update', begin = this.#begin(where, index, poseA, poseB), { library } = this;
		const found = this.#points(where, points);
		library.check(library.c.wp_persistent_update(...begin, this.#normal(where, normal), found, points.length,
			this.#thresholds(where, thresholds)), where);
	}

	refresh(index, poseA, poseB, thresholds, normal = undefined) {
		const where = 'Persistent.refresh', begin = this.#begin(where, index, poseA, poseB), { library } = this;
		library.check(library.c.wp_persistent_refresh(...begin, normal === undefined ? 0 : this.#normal(where, normal),
			this.#thresholds(where, thresholds)), where);
	}

	add(index, poseA, poseB, normal, point, thresholds) {
		const where = 'Persistent.add', begin = this.#begin(where, index, poseA, poseB), { library } = this;
		library.check(library.c.wp_persistent_add(...begin, this.#normal(where, normal), this.#points(where, [point]),
			this.#thresholds(where, thresholds)), where);
	}

	pair(index) {
		const at = this.#at('Persistent.pair', index), { library } = this, pointCount = this.#count(at);
		return persistentManifold(library, at, pointCount);
	}

	setImpulse(index, point, impulse) {
		const where = 'Persistent.setImpulse', at = this.#at(where, index), pointCount = this.#count(at), { library } = this;
		if (pointCount === 0)
			throw new RangeError(`${where}: pair ${index} has no points`);
		putImpulse(library, at, where, pointCount, point, impulse);
	}

	forget(index) {
		const at = this.#at('Persistent.forget', index);
		this.library.bytes.fill(0, at, at + this.size);
	}
}

/* What was counted in the last call, which started from zero. */
function readStatistics(library, struct = 'statistics', pointer = library.statistics, size = 8) {
	const statistics = {}, { uints } = library;
	for (const [key, offset] of library.counts(struct))
		statistics[key] = uints[pointer / 4 + offset] + (size === 8 ? 2 ** 32 * uints[pointer / 4 + offset + 1] : 0);
	return statistics;
}

/* ---- queries ------------------------------------------------------------------------------------ */

const origin = [0, 0, 0], origin2d = [0, 0], poseNames = ['position', 'rotation'];
const meshFlagNames = ['twoSided', 'ghosts', 'soup'];

/* A Map, say, has no members, which would be a pose at the origin. */
function isPlain(object) {
	const made = Object.getPrototypeOf(object);
	return made === null || made === Object.prototype;
}

/* The pose as a struct, one of four. Words are made where something is wrong alone: the calls for a pair are short. */
function writePose(library, name, argument, pose, slot) {
	const { floats, poses, poseAt, dimension, turn } = library, at = poses[slot] / 4;
	if (pose === null || typeof pose !== 'object')
		throw new TypeError(`${name}: ${argument} must be an object with position and rotation`);
	for (const key in pose)
		if (key !== 'position' && key !== 'rotation')
			refuseOthers(`${name}: ${argument}`, pose, poseNames);
	if (pose.position === undefined && pose.rotation === undefined && !isPlain(pose))
		throw new TypeError(`${name}: ${argument} must be an object with position and rotation`);
	if (!copyNumbers(pose.position ?? (dimension === 3 ? origin : origin2d), dimension, floats, at + poseAt.position))
		throw new TypeError(`${name}: ${argument}.position must be ${dimension} numbers`);
	if (!copyNumbers(pose.rotation ?? library.unturned, turn, floats, at + poseAt.rotation))
		throw new TypeError(`${name}: ${argument}.rotation must be ${turn} numbers`);
	return poses[slot];
}

/* A batch of another query. */
function refuseBatch(name, batch, type) {
	throw new TypeError(`${name}: batch is a ${batch.constructor.name}, but must be a ${type.name} or the description of one`);
}

class Workspace extends Owned {
	constructor(library, variant = 'auto') {
		super(library);
		const number = library.variants.indexOf(variant), known = [library.variants[0], ...library.variantsHere()];
		if (!known.includes(variant))
			throw new RangeError(`Workspace: variant must be one of ${known.join(', ')}`);
		const size = library.c.wp_workspace_size();
		this.pointer = library.allocate(size, 'Workspace');
		const code = library.c.wp_workspace_init_of(this.pointer, size, number, library.number('WP_VERSION_NUMBER'),
			library.word);
		if (code !== 0)
			this.dispose();
		library.check(code, 'Workspace');
		this.variant = library.variants[library.c.wp_workspace_variant(this.pointer)];
	}

	/* Run `call` on the batch, or on one made of its description; into the results, or into copies of the fields. */
	#query(name, batch, results, fields, call) {
		const { library } = this, temporary = [];
		own(library, `${name}: this`, this, Workspace);
		try {
			if (!(batch instanceof Batch))
				temporary.push(batch = new Batch(library, batch));
			if (batch.struct !== 'batch')
				refuseBatch(name, batch, Batch);
			own(library, `${name}: batch`, batch, Batch).check();
			const end = batch.first + batch.count;
			const wanted = results ?? new Results(library, end, fields);
			if (wanted !== results)
				temporary.push(wanted);
			own(library, `${name}: results`, wanted, Results);
			if (wanted.rows < end)
				throw new RangeError(`${name}: results must have ${end} rows, but has ${wanted.rows}`);
			library.putColumn(wanted.pointer, 'results.cache', batch.cache?.pointer ?? 0, batch.cache?.strideBytes ?? 0);
			library.clear(library.statistics, 'statistics');
			library.check(call(batch, wanted, temporary), name);
			wanted.statistics = readStatistics(library);
			return results ?? wanted.copy();
		} finally {
			temporary.forEach((thing) => thing.dispose());
		}
	}

	/* The same for meshes and compounds, whose batches are of `type`. `make` makes results of so many rows where there are none. */
	#pairQuery(name, type, batch, results, resultsType, make, call) {
		const { library } = this, temporary = [], [struct, counts] = type === CompoundBatch
			? ['compound_statistics', library.compoundStatistics] : ['mesh_statistics', library.meshStatistics];
		own(library, `${name}: this`, this, Workspace);
		try {
			if (batch instanceof Batch && !(batch instanceof type))
				refuseBatch(name, batch, type);
			if (!(batch instanceof type))
				temporary.push(batch = new type(library, batch));
			own(library, `${name}: batch`, batch, type).check();
			const end = batch.first + batch.count, wanted = results ?? make(end);
			if (wanted !== results)
				temporary.push(wanted);
			own(library, `${name}: results`, wanted, resultsType);
			if (wanted.rows < end)
				throw new RangeError(`${name}: results must have ${end} rows, but has ${wanted.rows}`);
			library.clear(counts, struct);
			library.check(call(batch, wanted, temporary, counts), name);
			wanted.statistics = readStatistics(library, struct, counts);
			return results ?? wanted.copy();
		} finally {
			temporary.reverse().forEach((thing) => thing.dispose());
		}
	}

	/* With the results of convex shapes. */
	#pairRows(name, type, batch, results, fields, call) {
		const beside = type === CompoundBatch ? ['childA', 'childB'] : type === MeshBatch ? ['triangle'] : ['child', 'triangle'];
		return this.#pairQuery(name, type, batch, results, Results, (rows) => new Results(this.library, rows, [...rowOutputs, ...fields, ...beside]),
			(b, r, temporary, counts) => {
				this.library.putColumn(r.pointer, 'results.cache', 0);
				return call(b.pointer, r, type === CompoundBatch ? r.writeChildren() : r.writeTriangles(), counts, b, temporary);
			});
	}

	/* ---- meshes and height fields --------------------------------------------------------------- */

	#meshFlags({ twoSided = false, ghosts = false, soup = false }) {
		const { library } = this;
		return (twoSided ? library.number('WP_MESH_TWO_SIDED') : 0) | (ghosts ? library.number('WP_MESH_GHOSTS') : 0) |
			(soup ? library.number('WP_MESH_SOUP') : 0);
	}

	/* `call` is given the batch, the struct of the options, the results and the counts. */
	#meshContacts(name, type, batch, options, results, resultsType, call) {
		const { library } = this, chosen = contactOptionsOf(name, options, ['patchMax', ...meshFlagNames]), { maxSeparation = 0, patchMax } = chosen;
		limit(`${name}: maxSeparation`, maxSeparation);
		return this.#pairQuery(name, type, batch, results, resultsType, (rows) => new resultsType(library, rows, { patchMax }),
			(b, r, _, counts) => {
				library.putFloats(library.meshOptions, 'mesh_options.max_separation', [maxSeparation]);
				library.putWord(library.meshOptions, 'mesh_options.flags', this.#meshFlags(chosen));
				return call(b, library.meshOptions, r, counts);
			});
	}

	meshContact(batch, options = undefined, results = undefined) {
		return this.#meshContacts('meshContact', MeshBatch, batch, options, results, MeshContacts, (b, chosen, r, counts) =>
			this.library.c.wp_mesh_contact(this.pointer, b.pointer, chosen, r.pointer, counts));
	}

	meshOverlap(batch, results = undefined) {
		return this.#pairRows('meshOverlap', MeshBatch, batch, results, ['overlap'], (b, r, triangles, counts) =>
			this.library.c.wp_mesh_overlap(this.pointer, b, r.pointer, triangles, counts));
	}

	/* maxDistance 0: all triangles count. */
	meshDistance(batch, maxDistance = 0, results = undefined) {
		const { library } = this, { distanceOptions } = library;
		limit('meshDistance: maxDistance', maxDistance);
		return this.#pairRows('meshDistance', MeshBatch, batch, results, [], (b, r, triangles, counts) => {
			library.putFloats(distanceOptions, 'mesh_distance_options.max_distance', [maxDistance]);
			return library.c.wp_mesh_distance(this.pointer, b, distanceOptions, r.pointer, triangles, counts);
		});
	}

	meshCast(batch, motionsA, motionsB = undefined, results = undefined) {
		const name = 'meshCast', a = this.#motions(name, 'A', motionsA), other = this.#motions(name, 'B', motionsB);
		return this.#pairRows(name, MeshBatch, batch, results, ['fraction'], (b, r, triangles, counts, { bodiesA, bodiesB }, temporary) =>
			this.library.c.wp_mesh_cast(this.pointer, b, this.#writeMotions(name, 'A', a, bodiesA, temporary),
				this.#writeMotions(name, 'B', other, bodiesB, temporary), r.pointer, r.writeFractions(), triangles, counts));
	}

	/* ---- compounds ------------------------------------------------------------------------------ */

	compoundOverlap(batch, results = undefined) {
		return this.#pairRows('compoundOverlap', CompoundBatch, batch, results, ['overlap'], (b, r, children, counts) =>
			this.library.c.wp_compound_overlap(this.pointer, b, r.pointer, children, counts));
	}

	/* maxDistance 0: all children count. */
	compoundDistance(batch, maxDistance = 0, results = undefined) {
		const { library } = this, { compoundDistanceOptions: options } = library;
		limit('compoundDistance: maxDistance', maxDistance);
		return this.#pairRows('compoundDistance', CompoundBatch, batch, results, [], (b, r, children, counts) => {
			library.putFloats(options, 'compound_distance_options.max_distance', [maxDistance]);
			return library.c.wp_compound_distance(this.pointer, b, options, r.pointer, children, counts);
		});
	}

	compoundContact(batch, maxSeparation = 0, results = undefined) {
		const { library } = this;
		limit('compoundContact: maxSeparation', maxSeparation);
		return this.#pairRows('compoundContact', CompoundBatch, batch, results, [], (b, r, children, counts) =>
			library.c.wp_compound_contact(this.pointer, b, library.contactOptions(maxSeparation), r.pointer, children, counts));
	}

	compoundContactManifold(batch, options = undefined, results = undefined) {
		const { library } = this, name = 'compoundContactManifold';
		const { maxSeparation = 0, patchMax } = contactOptionsOf(name, options, ['patchMax']);
		limit(`${name}: maxSeparation`, maxSeparation);
		return this.#pairQuery(name, CompoundBatch, batch, results, CompoundContacts,
			(rows) => new CompoundContacts(library, rows, { patchMax }), (b, r, _, counts) =>
				library.c.wp_compound_contact_manifold(this.pointer, b.pointer, library.contactOptions(maxSeparation), r.pointer,
					r.patchesPointer, counts));
	}

	compoundMeshContact(batch, options = undefined, results = undefined) {
		return this.#meshContacts('compoundMeshContact', CompoundMeshBatch, batch, options, results, CompoundMeshContacts,
			(b, chosen, r, counts) => this.library.c.wp_compound_mesh_contact(this.pointer, b.pointer, b.compoundsPointer, b.compoundCount,
				chosen, r.pointer, r.writeChildren(), counts));
	}

	compoundMeshOverlap(batch, results = undefined) {
		return this.#pairRows('compoundMeshOverlap', CompoundMeshBatch, batch, results, ['overlap'], (b, r, triangles, counts, { compoundsPointer, compoundCount }) =>
			this.library.c.wp_compound_mesh_overlap(this.pointer, b, compoundsPointer, compoundCount, r.pointer, r.writeChild(), triangles, counts));
	}

	/* maxDistance 0: all triangles count. */
	compoundMeshDistance(batch, maxDistance = 0, results = undefined) {
		const { library } = this, { distanceOptions } = library;
		limit('compoundMeshDistance: maxDistance', maxDistance);
		return this.#pairRows('compoundMeshDistance', CompoundMeshBatch, batch, results, [], (b, r, triangles, counts, { compoundsPointer, compoundCount }) => {
			library.putFloats(distanceOptions, 'mesh_distance_options.max_distance', [maxDistance]);
			return library.c.wp_compound_mesh_distance(this.pointer, b, compoundsPointer, compoundCount, distanceOptions, r.pointer, r.writeChild(),
				triangles, counts);
		});
	}

	compoundMeshCast(batch, motionsA, motionsB = undefined, results = undefined) {
		const name = 'compoundMeshCast', a = this.#motions(name, 'A', motionsA), other = this.#motions(name, 'B', motionsB);
		return this.#pairRows(name, CompoundMeshBatch, batch, results, ['fraction'], (b, r, triangles, counts, rows, temporary) =>
			this.library.c.wp_compound_mesh_cast(this.pointer, b, rows.compoundsPointer, rows.compoundCount,
				this.#writeMotions(name, 'A', a, rows.bodiesA, temporary), this.#writeMotions(name, 'B', other, rows.bodiesB, temporary), r.pointer,
				r.writeFractions(), r.writeChild(), triangles, counts));
	}

	compoundCast(batch, motionsA, motionsB = undefined, results = undefined) {
		const name = 'compoundCast', a = this.#motions(name, 'A', motionsA), other = this.#motions(name, 'B', motionsB);
		return this.#pairRows(name, CompoundBatch, batch, results, ['fraction'], (b, r, children, counts, { bodiesA, bodiesB }, temporary) =>
			this.library.c.wp_compound_cast(this.pointer, b, this.#writeMotions(name, 'A', a, bodiesA, temporary),
				this.#writeMotions(name, 'B', other, bodiesB, temporary), r.pointer, r.writeFractions(), children, counts));
	}

	/* ---- convex shapes -------------------------------------------------------------------------- */

	overlap(batch, results) {
		return this.#query('overlap', batch, results, [...rowOutputs, 'overlap'], (b, r) =>
			this.library.c.wp_overlap(this.pointer, b.pointer, r.pointer, this.library.statistics));
	}

	distance(batch, results) {
		return this.#query('distance', batch, results, rowOutputs, (b, r) =>
			this.library.c.wp_distance(this.pointer, b.pointer, r.pointer, this.library.statistics));
	}

	contact(batch, maxSeparation = Infinity, results = undefined) {
		limit('contact: maxSeparation', maxSeparation);
		return this.#query('contact', batch, results, rowOutputs, (b, r) =>
			this.library.c.wp_contact(this.pointer, b.pointer, this.library.contactOptions(maxSeparation), r.pointer,
				this.library.statistics));
	}

	contactManifold(batch, maxSeparation = Infinity, results = undefined) {
		limit('contactManifold: maxSeparation', maxSeparation);
		return this.#query('contactManifold', batch, results, [...rowOutputs, 'manifold'], (b, r) =>
			this.library.c.wp_contact_manifold(this.pointer, b.pointer, this.library.contactOptions(maxSeparation), r.pointer,
				r.writeManifolds(), this.library.statistics));
	}

	/* How one side moves, before anything is allocated. */
	#motions(name, side, motions) {
		const names = ['translation', 'rotation'];
		return motions === undefined || motions === null ? undefined
			: stillMembers(this.library, optionsOf(name, motions, names, `motions${side}`), names);
	}

	/* The struct of it; 0 where the side stands still. */
	#writeMotions(name, side, motions, bodies, temporary) {
		const { library } = this, pointer = library.motions[side === 'A' ? 0 : 1];
		if (motions === undefined)
			return 0;
		library.clear(pointer, 'motions');
		for (const [field, width] of [['translation', library.dimension], ['rotation', library.turn]]) {
			if (motions[field] === undefined)
				continue;
			const input = new Input(library, `${name}: motions${side}.${field}`, motions[field], [f32], width).reach(bodies);
			temporary.push(input);
			library.putColumn(pointer, `motions.${field}`, input.pointer, input.strideBytes);
		}
		return pointer;
	}

	cast(batch, motionsA, motionsB = undefined, results = undefined) {
		const a = this.#motions('cast', 'A', motionsA), other = this.#motions('cast', 'B', motionsB);
		return this.#query('cast', batch, results, [...rowOutputs, 'fraction'], (b, r, temporary) =>
			this.library.c.wp_cast(this.pointer, b.pointer, this.#writeMotions('cast', 'A', a, b.bodiesA, temporary),
				this.#writeMotions('cast', 'B', other, b.bodiesB, temporary), r.pointer, r.writeFractions(), this.library.statistics));
	}

	depthAlong(batch, direction, results = undefined) {
		const { library } = this, given = still(library, direction);
		return this.#query('depthAlong', batch, results, rowOutputs, (b, r, temporary) => {
			const input = new Input(library, 'depthAlong: direction', given, [f32], 3).reach(b.first + b.count);
			temporary.push(input);
			return library.c.wp_depth_along(this.pointer, b.pointer, library.fillColumn(library.column, input.pointer, input.strideBytes), r.pointer,
				library.statistics);
		});
	}

	/* ---- tracked pairs -------------------------------------------------------------------------- */

	/* The lengths of a frame's options; `names` are those that only this call has. */
	#lengthsOf(name, options, names) {
		if (options === undefined)
			throw new TypeError(`${name}: options must be an object with maxSeparation`);
		optionsOf(name, options, ['maxSeparation', 'merging', 'index', ...names]);
		const { maxSeparation, merging = maxSeparation, reuseError = 0 } = options;
		return { max_separation: limit(`${name}: maxSeparation`, maxSeparation), merging: limit(`${name}: merging`, merging),
			reuse_error: limit(`${name}: reuseError`, reuseError) };
	}

	/* Run one frame of a batch by `call`, which is given where the rows that change are listed. */
	#frame(name, batch, tracked, index, temporary, call) {
		const { library } = this, { trackChanges } = library, rows = new MemoryArray(library, `${name}: changed`, u32, batch.count);
		temporary.push(rows);
		const input = index === undefined ? undefined : new Input(library, `${name}: index`, index, [u32], 1).reach(batch.first + batch.count);
		if (input !== undefined)
			temporary.push(input);
		library.putColumn(tracked.pointer, `${tracked.struct}.index`, input?.pointer ?? 0, input?.strideBytes ?? 0);
		library.clear(trackChanges, 'track_changes');
		library.putWord(trackChanges, 'track_changes.rows', rows.pointer);
		library.putWord(trackChanges, 'track_changes.capacity', batch.count);
		const code = call(trackChanges);
		return { code, changed: rows.view.slice(0, library.uints[(trackChanges + library.number('track_changes.count')) / 4]) };
	}

	track(batch, tracked, options, results = undefined) {
		const { library } = this, name = 'track', { trackOptions } = library;
		let frame;
		own(library, `${name}: tracked`, tracked, Tracked);
		const lengths = this.#lengthsOf(name, options, ['reuseError']), index = still(library, options.index);
		if (lengths.reuse_error > 0 && tracked.sizes.anchors === undefined)
			throw new TypeError(`${name}: a reuseError above 0 needs new Tracked(capacity, { reuse: true })`);
		const { statistics } = this.#query(name, batch, results, [], (b, r, temporary) => {
			for (const field in lengths)
				library.putFloats(trackOptions, `track_options.${field}`, [lengths[field]]);
			frame = this.#frame(name, b, tracked, index, temporary, (changes) =>
				library.c.wp_track(this.pointer, b.pointer, trackOptions, tracked.pointer, r.pointer, changes, library.statistics));
			return frame.code;
		});
		return { changed: frame.changed, statistics };
	}

	/* A frame of pairs with patches: `call` is given the batch, the results, and what the call ends with. */
	#patchFrame(name, type, batch, tracked, index, results, resultsType, call) {
		const { library } = this, { patchMax } = tracked, indices = still(library, index);
		let frame;
		const { statistics } = this.#pairQuery(name, type, batch, results, resultsType,
			(rows) => new resultsType(library, rows, { patchMax }, false), (b, r, temporary, counts) => {
				if (r.patchMax !== patchMax)
					throw new RangeError(`${name}: results must have the patchMax of tracked, ${patchMax}, but has ${r.patchMax}`);
				frame = this.#frame(name, b, tracked, indices, temporary, (changes) => call(b, r, changes, counts));
				return frame.code;
			});
		return { changed: frame.changed, statistics };
	}

	/* The same with meshes: `call` is given the struct of the options after the batch. */
	#meshFrame(name, type, batch, tracked, options, results, resultsType, call) {
		const { library } = this, { meshTrackOptions } = library;
		own(library, `${name}: tracked`, tracked, MeshTracked);
		const { max_separation, merging } = this.#lengthsOf(name, options, ['queryAll', ...meshFlagNames]);
		return this.#patchFrame(name, type, batch, tracked, options.index, results, resultsType, (b, r, changes, counts) => {
			library.putFloats(meshTrackOptions, 'mesh_track_options.max_separation', [max_separation]);
			library.putFloats(meshTrackOptions, 'mesh_track_options.merging', [merging]);
			library.putWord(meshTrackOptions, 'mesh_track_options.flags', this.#meshFlags(options));
			library.putWord(meshTrackOptions, 'mesh_track_options.query_all', options.queryAll ? 1 : 0);
			return call(b, meshTrackOptions, r, changes, counts);
		});
	}

	meshTrack(batch, tracked, options, results = undefined) {
		return this.#meshFrame('meshTrack', MeshBatch, batch, tracked, options, results, MeshContacts, (b, chosen, r, changes, counts) =>
			this.library.c.wp_mesh_track(this.pointer, b.pointer, chosen, tracked.pointer, r.pointer, changes, counts));
	}

	compoundMeshTrack(batch, tracked, options, results = undefined) {
		return this.#meshFrame('compoundMeshTrack', CompoundMeshBatch, batch, tracked, options, results, CompoundMeshContacts,
			(b, chosen, r, changes, counts) => this.library.c.wp_compound_mesh_track(this.pointer, b.pointer, b.compoundsPointer, b.compoundCount,
				chosen, tracked.pointer, tracked.partAt('children', 0), r.pointer, r.writeChildren(), changes, counts));
	}

	compoundTrack(batch, tracked, options, results = undefined) {
		const { library } = this, name = 'compoundTrack', { compoundTrackOptions } = library;
		own(library, `${name}: tracked`, tracked, CompoundTracked);
		const { max_separation, merging } = this.#lengthsOf(name, options, []);
		return this.#patchFrame(name, CompoundBatch, batch, tracked, options.index, results, CompoundContacts, (b, r, changes, counts) => {
			library.putFloats(compoundTrackOptions, 'compound_track_options.max_separation', [max_separation]);
			library.putFloats(compoundTrackOptions, 'compound_track_options.merging', [merging]);
			return library.c.wp_compound_track(this.pointer, b.pointer, compoundTrackOptions, tracked.pointer, r.pointer, r.patchesPointer, changes, counts);
		});
	}

	/* ---- one pair ------------------------------------------------------------------------------- */

	/* The pose as a struct, one of four. */
	#pose(name, argument, pose, slot) {
		return writePose(this.library, name, argument, pose, slot);
	}

	/* What the calls of all queries begin with: the poses are the first two after it. */
	#pair(name, shapeA, poseA, shapeB, poseB) {
		const { library } = this;
		if (this.pointer === 0)
			throw new Error(`${name}: this is disposed`);
		if (!isOwn(library, shapeA, Shape))
			own(library, `${name}: shapeA`, shapeA, Shape);
		if (!isOwn(library, shapeB, Shape))
			own(library, `${name}: shapeB`, shapeB, Shape);
		this.#pose(name, 'poseA', poseA, 0);
		this.#pose(name, 'poseB', poseB, 1);
		return library;
	}

	#row(name, code) {
		const { library } = this, { floats, uints, rowAt } = library, at = library.row / 4;
		library.check(code, name);
		const vector = (first) => library.vectorAt(floats, first);
		const status = uints[at + rowAt.status];
		return { separation: floats[at + rowAt.separation], normal: vector(at + rowAt.normal), pointA: vector(at + rowAt.pointA),
			pointB: vector(at + rowAt.pointB), lower: floats[at + rowAt.lower], upper: floats[at + rowAt.upper], status,
			iterations: uints[at + rowAt.iterations], words: library.statusWords(status) };
	}

	overlapPair(shapeA, poseA, shapeB, poseB) {
		const { c, poses, row } = this.#pair('overlapPair', shapeA, poseA, shapeB, poseB);
		return this.#row('overlapPair', c.wp_overlap_pair(this.pointer, shapeA.pointer, poses[0], shapeB.pointer, poses[1], row));
	}

	distancePair(shapeA, poseA, shapeB, poseB) {
		const { c, poses, row } = this.#pair('distancePair', shapeA, poseA, shapeB, poseB);
		return this.#row('distancePair', c.wp_distance_pair(this.pointer, shapeA.pointer, poses[0], shapeB.pointer, poses[1], row));
	}

	contactPair(shapeA, poseA, shapeB, poseB, maxSeparation = Infinity) {
		const library = this.#pair('contactPair', shapeA, poseA, shapeB, poseB), { c, poses, row } = library;
		limit('contactPair: maxSeparation', maxSeparation);
		return this.#row('contactPair', c.wp_contact_pair(this.pointer, shapeA.pointer, poses[0], shapeB.pointer, poses[1],
			library.contactOptions(maxSeparation), row));
	}

	contactManifoldPair(shapeA, poseA, shapeB, poseB, maxSeparation = Infinity, pointMax = usualPoints(this.library)) {
		const library = this.#pair('contactManifoldPair', shapeA, poseA, shapeB, poseB), { c, poses, row, points, word } = library;
		limit('contactManifoldPair: maxSeparation', maxSeparation);
		count('contactManifoldPair: pointMax', pointMax, library.number('WP_MANIFOLD_POINT_MAX'));
		const answer = this.#row('contactManifoldPair', c.wp_contact_manifold_pair(this.pointer, shapeA.pointer, poses[0],
			shapeB.pointer, poses[1], library.contactOptions(maxSeparation), row, points, pointMax, word));
		answer.points = pointsAt(library, points, library.uints[word / 4]);
		return answer;
	}

	castPair(shapeA, poseA, shapeB, poseB, endA, endB) {
		const library = this.#pair('castPair', shapeA, poseA, shapeB, poseB), { c, poses, row, word } = library;
		const end = (argument, pose, slot) => (pose === undefined || pose === null ? 0 : this.#pose('castPair', argument, pose, slot));
		const answer = this.#row('castPair', c.wp_cast_pair(this.pointer, shapeA.pointer, poses[0], shapeB.pointer, poses[1],
			end('endA', endA, 2), end('endB', endB, 3), row, word));
		answer.fraction = library.floats[word / 4];
		return answer;
	}

	depthAlongPair(shapeA, poseA, shapeB, poseB, direction) {
		const { c, poses, row, vector, floats } = this.#pair('depthAlongPair', shapeA, poseA, shapeB, poseB);
		if (!copyNumbers(direction, 3, floats, vector / 4))
			throw new TypeError('depthAlongPair: direction must be 3 numbers');
		return this.#row('depthAlongPair', c.wp_depth_along_pair(this.pointer, shapeA.pointer, poses[0], shapeB.pointer, poses[1],
			vector, row));
	}

	/* ---- one pair whose shapes are in a table --------------------------------------------------- */

	#prepared(name, pair, poseA, poseB) {
		const { library } = this;
		if (this.pointer === 0)
			throw new Error(`${name}: this is disposed`);
		if (!isOwn(library, pair, Pair))
			own(library, `${name}: pair`, pair, Pair);
		this.#pose(name, 'poseA', poseA, 0);
		this.#pose(name, 'poseB', poseB, 1);
		return library;
	}

	overlapPrepared(pair, poseA, poseB) {
		const { c, row } = this.#prepared('overlapPrepared', pair, poseA, poseB);
		return this.#row('overlapPrepared', c.wp_overlap_prepared(this.pointer, pair.pointer, pair.cache, row));
	}

	distancePrepared(pair, poseA, poseB) {
		const { c, row } = this.#prepared('distancePrepared', pair, poseA, poseB);
		return this.#row('distancePrepared', c.wp_distance_prepared(this.pointer, pair.pointer, pair.cache, row));
	}

	contactPrepared(pair, poseA, poseB, maxSeparation = Infinity) {
		const library = this.#prepared('contactPrepared', pair, poseA, poseB), { c, row } = library;
		limit('contactPrepared: maxSeparation', maxSeparation);
		return this.#row('contactPrepared', c.wp_contact_prepared(this.pointer, pair.pointer, library.contactOptions(maxSeparation),
			pair.cache, row));
	}

	contactManifoldPrepared(pair, poseA, poseB, maxSeparation = Infinity, pointMax = 4) {
		const library = this.#prepared('contactManifoldPrepared', pair, poseA, poseB), { c, row, points, word } = library;
		limit('contactManifoldPrepared: maxSeparation', maxSeparation);
		count('contactManifoldPrepared: pointMax', pointMax, library.number('WP_MANIFOLD_POINT_MAX'));
		const answer = this.#row('contactManifoldPrepared', c.wp_contact_manifold_prepared(this.pointer, pair.pointer,
			library.contactOptions(maxSeparation), pair.cache, row, points, pointMax, word));
		answer.points = pointsAt(library, points, library.uints[word / 4]);
		return answer;
	}

	/* The struct of how one side goes from its pose to an end; 0 where there is none. */
	#writeMotion(name, side, end) {
		if (end === undefined || end === null)
			return 0;
		const { library } = this, { floats, poses, poseAt } = library, pointer = library.motions[side];
		const at = this.#pose(name, side === 0 ? 'endA' : 'endB', end, 2 + side) + 4 * poseAt.position;
		for (let axis = 0; axis < 3; axis++)
			floats[at / 4 + axis] -= floats[poses[side] / 4 + poseAt.position + axis];
		library.clear(pointer, 'motions');
		library.putColumn(pointer, 'motions.translation', at);
		library.putColumn(pointer, 'motions.rotation', poses[2 + side] + 4 * poseAt.rotation);
		return pointer;
	}

	castPrepared(pair, poseA, poseB, endA, endB) {
		const library = this.#prepared('castPrepared', pair, poseA, poseB), { c, row, word } = library;
		const answer = this.#row('castPrepared', c.wp_cast_prepared(this.pointer, pair.pointer,
			this.#writeMotion('castPrepared', 0, endA), this.#writeMotion('castPrepared', 1, endB), row, word));
		answer.fraction = library.floats[word / 4];
		return answer;
	}

	depthAlongPrepared(pair, poseA, poseB, direction) {
		const { c, row, vector, floats } = this.#prepared('depthAlongPrepared', pair, poseA, poseB);
		if (!copyNumbers(direction, 3, floats, vector / 4))
			throw new TypeError('depthAlongPrepared: direction must be 3 numbers');
		return this.#row('depthAlongPrepared', c.wp_depth_along_prepared(this.pointer, pair.pointer, vector, row));
	}
}

/* ---- the package -------------------------------------------------------------------------------- */

/* A class as users see it: its instances belong to this module. */
function bind(type, library) {
	const bound = { [type.name]: class extends type {
		constructor(...values) {
			super(library, ...values);
		}
	} };
	return bound[type.name];
}

/* `beside`: where the module lies beside this file. Bundlers look for these words, and bring the file along. */
async function instantiate(where, options, held, beside, dimension) {
	const { wasm } = optionsOf(where, options, ['wasm']);
	const module = await compile(wasm, held, beside);
	const imports = { env: { emscripten_notify_memory_growth() {} } };
	const { exports } = await WebAssembly.instantiate(module, dimension === 0 ? cookImports(module, () => exports) : imports);
	exports._initialize();
	return { module, library: new Library(exports, dimension) };
}

/* What both packages have. */
function common(module, library) {
	return {
		version: () => library.text(library.c.wp_version()),
		variants: () => library.variantsHere(),
		statusWords: (status) => [...library.statusWords(count('statusWords: status', status, 2 ** 32 - 1))],
		Status: Object.freeze(library.status),
		pointWords: library.number('manifold_point') / 4,
		memory: library.c.memory,
		module,
		allocate: (type, lengthOrValues) => new MemoryArray(library, 'allocate', type, numbersAlone('allocate', lengthOrValues)),
		Workspace: bind(Workspace, library),
		ShapeTable: bind(ShapeTable, library),
		Batch: bind(Batch, library),
		Results: bind(Results, library),
	};
}

export default async function widephase(options) {
	const { module, library } = await instantiate('widephase', options, embedded, () => new URL('./widephase.wasm', import.meta.url), 3);
	return Object.freeze({
		...common(module, library),
		Event: Object.freeze(library.events),
		cacheWords: library.number('cache') / 4,
		trackedWords: library.number('tracked') / 4,
		persistentWords: library.number('persistent_manifold') / 4,
		shape: makeFactories(library),
		thresholds: (size) => thresholdsOf(library, size),
		bodiesBounds: (...values) => bodiesBounds(library, ...values),
		Pair: bind(Pair, library),
		Tracked: bind(Tracked, library),
		Persistent: bind(Persistent, library),
		Mesh: bind(Mesh, library),
		HeightField: bind(HeightField, library),
		MeshBatch: bind(MeshBatch, library),
		MeshContacts: bind(MeshContacts, library),
		MeshTracked: bind(MeshTracked, library),
		meshMiss: library.meshMiss,
		Compound: bind(Compound, library),
		CompoundBatch: bind(CompoundBatch, library),
		CompoundContacts: bind(CompoundContacts, library),
		CompoundTracked: bind(CompoundTracked, library),
		CompoundMeshBatch: bind(CompoundMeshBatch, library),
		CompoundMeshContacts: bind(CompoundMeshContacts, library),
		compoundShape: library.compoundShape,
		compoundMiss: library.compoundMiss,
	});
}

const queriesOf3d = ['depthAlong', 'track', 'meshContact', 'meshOverlap', 'meshDistance', 'meshCast', 'meshTrack', 'compoundOverlap',
	'compoundDistance', 'compoundContact', 'compoundContactManifold', 'compoundCast', 'compoundTrack', 'compoundMeshContact', 'compoundMeshOverlap',
	'compoundMeshDistance', 'compoundMeshCast', 'compoundMeshTrack', 'depthAlongPair', 'overlapPrepared', 'distancePrepared', 'contactPrepared', 'contactManifoldPrepared', 'castPrepared', 'depthAlongPrepared'];

export async function widephase2d(options) {
	const { module, library } = await instantiate('widephase2d', options, embedded2d, () => new URL('./widephase-2d.wasm', import.meta.url), 2);
	const made = { ...common(module, library), shape: makeFactories2d(library) };
	queriesOf3d.forEach((name) => Object.defineProperty(made.Workspace.prototype, name, { value: undefined }));
	return Object.freeze(made);
}

/* ---- hulls of points ---------------------------------------------------------------------------- */

/* What qhull needs of its host: half of the number that a jump brings, and files, of which there are none: what it writes is
 * dropped. All else that it could call fails. */
function cookImports(module, exportsOf) {
	let half = 0;
	const made = { env: {}, wasi_snapshot_preview1: {} };
	for (const { module: from, name } of WebAssembly.Module.imports(module))
		made[from][name] = () => (from === 'env' ? -1 : 8); // EPERM; EBADF
	const known = {
		env: { emscripten_notify_memory_growth() {}, getTempRet0: () => half, setTempRet0: (value) => (half = value) },
		wasi_snapshot_preview1: { fd_close: () => 0,
			fd_write(_, vectors, vectorCount, written) {
				const words = new u32(exportsOf().memory.buffer);
				let bytes = 0;
				for (let i = 0; i < vectorCount; i++)
					bytes += words[vectors / 4 + 2 * i + 1];
				words[written / 4] = bytes;
				return 0;
			},
			clock_time_get(_, __, time) {
				new u32(exportsOf().memory.buffer).fill(0, time / 4, time / 4 + 2);
				return 0;
			},
			proc_exit(code) {
				throw new Error(`widephase: qhull gave up (${code})`);
			} },
	};
	for (const from in known)
		Object.assign(made[from], known[from]);
	return made;
}

/* A hull as arrays; undefined mass where it has no volume. */
function readHull(library, hull, scratch) {
	const { c } = library, vertices = new f32(3 * c.wp_hull_vertex_count(hull));
	for (let i = 0; i < vertices.length / 3; i++) {
		c.wp_hull_vertex(hull, i, scratch);
		vertices.set(library.floats.subarray(scratch / 4, scratch / 4 + 3), 3 * i);
	}
	const faces = Array.from({ length: c.wp_hull_face_count(hull) }, (_, i) => {
		const first = (c.wp_hull_face(hull, i, scratch) >>> 0) / 4;
		return Array.from(library.uints.subarray(first, first + library.uints[scratch / 4]));
	});
	const solid = c.wp_cook_mass(hull, scratch) === 0;
	const [volume, ...rest] = new f64(c.memory.buffer, scratch, 13);
	const mass = { volume, centroid: rest.slice(0, 3), inertia: [rest.slice(3, 6), rest.slice(6, 9), rest.slice(9, 12)] };
	const bytes = library.bytes.slice(hull, hull + c.wp_hull_byte_size(hull));
	return { vertices, faces, mass: solid ? mass : undefined, bytes };
}

function cookHull(library, points, options) {
	const where = 'hull', { c } = library, none = 0xffffffff, { maxVertices } = optionsOf(where, options, ['maxVertices']);
	const most = maxVertices === undefined ? none : count(`${where}: maxVertices`, maxVertices, none);
	if (most < 4)
		throw new RangeError(`${where}: maxVertices must be 4 or more, but is ${most}`);
	const input = new Input(library, `${where}: points`, points, [f32], 3);
	let scratch = 0, hull = 0;
	try {
		scratch = library.allocate(128, where);
		library.uints.set([0, none, 0], scratch / 4);
		const arguments_ = [input.pointer, input.strideBytes, input.rows];
		const code = maxVertices === undefined ? c.wp_cook_points(...arguments_, scratch, scratch + 4)
			: c.wp_cook_simplified(...arguments_, most, scratch, scratch + 8, scratch + 4);
		if (code !== 0) {
			const index = library.uints[scratch / 4 + 1];
			throw new WidephaseError(`${where}: ${library.text(c.wp_error_text(code))}${index === none ? '' : `: number ${index}`}`, code);
		}
		hull = library.uints[scratch / 4];
		const error = library.floats[scratch / 4 + 2];
		return { ...readHull(library, hull, scratch), error };
	} finally {
		c.wp_cook_free(hull);
		library.release(scratch);
		input.dispose();
	}
}

/* A mesh as the bytes that wp_mesh_from_memory reads. */
function cookMesh(library, vertices, triangles) {
	const where = 'mesh', { c } = library, inputs = [], made = [];
	const add = (name, value, type) => {
		inputs.push(new Input(library, `${where}: ${name}`, value, [type], 3));
		return inputs.at(-1);
	};
	let mesh = 0;
	try {
		const points = add('vertices', vertices, f32), corners = triangles === undefined ? undefined : add('triangles', triangles, u32);
		if (corners === undefined && points.rows % 3 !== 0)
			throw new RangeError(`${where}: vertices: ${points.rows} are not three for each triangle`);
		for (const type of ['mesh_input', 'mesh_report', 'float_column'])
			made.push(library.struct(type));
		const [input, report, out] = made;
		library.putColumn(input, 'mesh_input.vertices', points.pointer, points.strideBytes);
		library.putWord(input, 'mesh_input.vertex_count', points.rows);
		library.putColumn(input, 'mesh_input.triangles', corners?.pointer ?? 0, corners?.strideBytes ?? 0);
		library.putWord(input, 'mesh_input.triangle_count', corners?.rows ?? points.rows / 3);
		const code = c.wp_cook_mesh(input, out, report);
		const reported = readStatistics(library, 'mesh_report', report, 4), { badIndex, ...rest } = reported;
		if (code !== 0) {
			const isNamed = [library.number('WP_ERROR_MESH_VERTEX'), library.number('WP_ERROR_MESH_INDEX')].includes(code);
			throw new WidephaseError(`${where}: ${library.text(c.wp_error_text(code))}${isNamed ? `: number ${badIndex}` : ''}`, code);
		}
		mesh = library.uints[out / 4];
		return { bytes: library.bytes.slice(mesh, mesh + (c.wp_mesh_byte_size(mesh) >>> 0)), report: rest };
	} finally {
		c.wp_cook_free_mesh(mesh);
		made.forEach((struct) => library.release(struct));
		inputs.forEach((input) => input.dispose());
	}
}

export async function widephaseCook(options) {
	const { module, library } = await instantiate('widephaseCook', options, '', () => new URL('./widephase-cook.wasm', import.meta.url), 0);
	return Object.freeze({
		version: () => library.text(library.c.wp_version()),
		module,
		hull: (points, options) => cookHull(library, points, options),
		mesh: (vertices, triangles) => cookMesh(library, vertices, triangles),
	});
}
