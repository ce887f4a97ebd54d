/* Time of 10 000 contacts like the one on the page, by each variant: A with copies of B, each moved and turned a little. */
import { normalised } from './vector.mjs';

const count = 10000, period = 300;

/* Browsers round the clock, to a tenth of a second where they hide most: what is timed is repeated until that many
 * milliseconds have passed, or that often where the clock stands still. */
const leastTime = 10, mostPasses = 200;

export class Throughput {
	#timer = null;
	#best = {};

	/* `report(variant, text, share)`: a text for it, and its speed as a share of the fastest. */
	constructor(wp, workspaces, report) {
		this.wp = wp;
		this.workspaces = workspaces;
		this.report = report;
		this.position = wp.allocate(Float32Array, 3 * count);
		this.rotation = wp.allocate(Float32Array, 4 * count);
		this.pairs = wp.allocate(Uint32Array, Array.from({ length: 2 * count }, (_, i) => (i % 2 ? (i - 1) / 2 : 0)));
		this.shapeB = wp.allocate(Uint32Array, new Uint32Array(count).fill(1));
		this.results = new wp.Results(count);
	}

	/* The pair to copy. */
	reset(a, b, poseA, poseB) {
		this.pair = { a, b, poseA, poseB };
		this.#best = {};
	}

	/* Whether it runs from now on. */
	toggle() {
		clearInterval(this.#timer);
		this.#timer = this.#timer === null ? setInterval(() => this.measure(), period) : null;
		return this.#timer !== null;
	}

	#scatter({ b, poseB }) {
		let seed = 1;
		const next = () => {
			seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
			return seed / 2 ** 31 - 1;
		};
		const position = this.position.view, rotation = this.rotation.view, step = 0.1 * (b.made.bound || 1);
		for (let i = 0; i < count; i++) {
			poseB.position.forEach((x, k) => (position[3 * i + k] = x + step * next()));
			rotation.set(normalised(poseB.rotation.map((x) => x + 0.1 * next())), 4 * i);
		}
	}

	/* Milliseconds of one pass; none where the clock stands still. */
	#time(workspace, batch) {
		const start = performance.now();
		let passes = 0, passed = 0;
		while (passed < leastTime && passes < mostPasses) {
			workspace.contact(batch, Infinity, this.results);
			passes++;
			passed = performance.now() - start;
		}
		return passed > 0 ? passed / passes : undefined;
	}

	/* One run of each variant; reports the fastest since the pair changed. */
	measure() {
		const { wp, pair } = this, shapes = new wp.ShapeTable([pair.a.made, pair.b.made]);
		this.#scatter(pair);
		const batch = new wp.Batch({ shapes, pairs: this.pairs,
			a: { position: pair.poseA.position, rotation: normalised(pair.poseA.rotation), shape: [0] },
			b: { position: this.position, rotation: this.rotation, shape: this.shapeB } });
		for (const [variant, workspace] of Object.entries(this.workspaces)) {
			const ms = this.#time(workspace, batch);
			if (ms !== undefined)
				this.#best[variant] = Math.min(this.#best[variant] ?? Infinity, ms);
		}
		batch.dispose();
		shapes.dispose();
		const fastest = Math.min(...Object.values(this.#best));
		for (const variant of Object.keys(this.workspaces)) {
			const ms = this.#best[variant];
			if (ms === undefined)
				this.report(variant, 'the clock of this browser stands still', 0);
			else
				this.report(variant, `${(ms * 1e6 / count).toFixed(0)} ns a pair · ${(count / ms / 1000).toFixed(2)} million a second`, fastest / ms);
		}
	}
}
