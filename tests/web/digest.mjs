/* Digests of answers: 64 bits over all rows of a query, as the native program prints them and as the package gives them. */

/* The float outputs in the order of `widephase collide`. */
export const floatColumns = [['separation', 1], ['normal', 3], ['pointA', 3], ['pointB', 3], ['lower', 1], ['upper', 1]];

/* Two FNV-1a of 32 bits, from different starts, over words; NaN by one pattern. */
export class RowDigest {
	#high = 0x811c9dc5;
	#low = 0x2f1ce84a;
	#float = new Float32Array(1);
	#word = new Uint32Array(this.#float.buffer);

	addWord(word) {
		for (let shift = 0; shift < 32; shift += 8) {
			const byte = (word >>> shift) & 0xff;
			this.#high = Math.imul(this.#high ^ byte, 0x01000193);
			this.#low = Math.imul(this.#low ^ byte ^ shift, 0x01000193);
		}
	}

	addFloats(values) {
		for (const value of values) {
			this.#float[0] = value;
			this.addWord(Number.isNaN(value) ? 0x7fc00000 : this.#word[0]);
		}
	}

	/* A row: its floats, whole numbers and words, and more floats where the query has some. */
	add(floats, iterations, words, more = []) {
		this.addFloats([...floats, ...more]);
		this.addWord(iterations);
		for (const letter of words.join('|'))
			this.addWord(letter.charCodeAt(0));
	}

	text() {
		return [this.#high, this.#low].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('');
	}
}

/* Each body goes past the other; A turns to B's rotation. */
export function motionsOf(file) {
	const to = file.positionB.map((x, i) => file.positionA[i] - x);
	return { translationA: new Float32Array(to.length), endRotationA: file.rotationB, translationB: to.map((x) => 2 * x),
		endRotationB: file.rotationB };
}

/* What is compared: options of `widephase collide`, the call of the package, the files where hulls have no part
 * (faces are not in the files), and further columns of a row. */
export const queries = {
	overlap: { options: ['--query', 'overlap'], run: (wp, workspace, batch) => workspace.overlap(batch) },
	distance: { options: ['--query', 'distance'], run: (wp, workspace, batch) => workspace.distance(batch) },
	contact: { options: [], run: (wp, workspace, batch) => workspace.contact(batch) },
	speculative: { options: ['--max-separation', '0.02'], run: (wp, workspace, batch) => workspace.contact(batch, Math.fround(0.02)) },
	cast: { options: ['--query', 'cast'], moves: true, extra: (results, row) => [results.fraction[row]],
		run: (wp, workspace, batch, file) => {
			const motions = motionsOf(file);
			return workspace.cast(batch, { translation: motions.translationA, rotation: motions.endRotationA },
				{ translation: motions.translationB, rotation: motions.endRotationB });
		} },
	'depth-along': { options: ['--query', 'depth-along'], moves: true,
		run: (wp, workspace, batch, file) => workspace.depthAlong(batch, motionsOf(file).translationB) },
};

export const files = ['rec_pile', 'rec_pile_seq', 'rec_wall', 'rec_ragdoll', 'rec_meshes', 'rec_meshes256'];
