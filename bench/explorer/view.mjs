/* A small renderer on a 2D canvas: polygons from back to front, then lines, dots and words over them. A few hundred
 * convex faces need no more, and it runs wherever a page does, without a graphics driver. */
import { add, cross, dot, scale, sub, unit } from './vector.mjs';

const light = unit([0.4, 0.9, 0.55]);
const nearest = 0.05;

export class View {
	constructor(canvas) {
		this.canvas = canvas;
		this.context = canvas.getContext('2d');
		this.yaw = 0.55;
		this.pitch = 0.35;
		this.distance = 8;
		this.target = [0, 0, 0];
		this.clear();
	}

	/* ---- what is to be drawn -------------------------------------------------------------------- */

	clear() {
		this.faces = [];
		this.marks = [];
	}

	/* A closed mesh: `faces` are polygons of indices into `points`. Colours are [r, g, b]. */
	mesh(points, faces, colour, { alpha = 1, edges = 0.5, tag = null, both = false, glow = null, light = false } = {}) {
		for (const corners of faces) {
			const polygon = corners.map((i) => points[i]);
			this.faces.push({ polygon, colour: glow?.(corners) ?? colour, alpha, edges, tag, both, light });
		}
	}

	line(points, colour, { width = 2, dash = [], arrow = false } = {}) {
		this.marks.push({ points, colour, width, dash, arrow });
	}

	dot(point, colour, { radius = 4, label = '', ring = false } = {}) {
		this.marks.push({ point, colour, radius, label, ring });
	}

	/* ---- the camera ----------------------------------------------------------------------------- */

	/* Its axes: right, up, and back towards the eye. */
	axes() {
		const back = [Math.sin(this.yaw) * Math.cos(this.pitch), Math.sin(this.pitch), Math.cos(this.yaw) * Math.cos(this.pitch)];
		const right = [Math.cos(this.yaw), 0, -Math.sin(this.yaw)];
		return { right, up: cross(back, right), back };
	}

	orbit(dx, dy) {
		this.yaw -= dx * 0.008;
		this.pitch = Math.max(-1.5, Math.min(1.5, this.pitch + dy * 0.008));
	}

	zoom(factor) {
		this.distance = Math.max(1e-3, Math.min(1e6, this.distance * factor));
	}

	/* Fit the canvas to its place on the page, and take the camera as it is now. */
	prepare() {
		const { canvas } = this, ratio = window.devicePixelRatio || 1;
		this.width = canvas.clientWidth;
		this.height = canvas.clientHeight;
		const [width, height] = [Math.round(this.width * ratio), Math.round(this.height * ratio)];
		if (canvas.width !== width || canvas.height !== height)
			Object.assign(canvas, { width, height });
		this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
		this.now = this.axes();
		this.eye = add(this.target, scale(this.now.back, this.distance));
		this.focal = 1.5 * Math.min(this.width, this.height);
	}

	/* Place on the canvas and distance from the eye. */
	project(point) {
		const from = sub(point, this.eye), depth = Math.max(-dot(from, this.now.back), nearest * this.distance);
		return { x: this.width / 2 + this.focal * dot(from, this.now.right) / depth,
			y: this.height / 2 - this.focal * dot(from, this.now.up) / depth, depth };
	}

	/* The way in the world that (dx, dy) on the canvas is, at the depth of a point. */
	unproject(point, dx, dy) {
		const step = this.project(point).depth / this.focal;
		return add(scale(this.now.right, dx * step), scale(this.now.up, -dy * step));
	}

	/* The tag of the mesh under (x, y), or null. */
	pick(x, y) {
		for (const { corners, tag } of [...this.painted].reverse())
			if (tag !== null && contains(corners, x, y))
				return tag;
		return null;
	}

	/* ---- drawing -------------------------------------------------------------------------------- */

	draw() {
		this.prepare();
		this.context.clearRect(0, 0, this.width, this.height);
		this.painted = this.faces.map((face) => this.place(face)).filter((face) => face !== null).sort((a, b) => b.depth - a.depth);
		this.painted.forEach((face) => this.paint(face));
		this.marks.forEach((mark) => ('points' in mark ? this.paintLine(mark) : this.paintDot(mark)));
	}

	/* A polygon on the canvas, or null where it looks away. */
	place({ polygon, colour, alpha, edges, tag, both, light: isLight }) {
		const arms = polygon.map((p) => sub(p, polygon[0]));
		const normal = unit(arms.reduce((sum, arm, i) => add(sum, cross(arm, arms[(i + 1) % arms.length])), [0, 0, 0]));
		const faces = dot(normal, sub(this.eye, polygon[0])) > 0;
		if (!faces && !both)
			return null;
		const shade = 0.55 + 0.45 * Math.abs(dot(normal, light)) * (dot(normal, light) > 0 ? 1 : 0.35);
		const corners = polygon.map((p) => this.project(p));
		return { corners, tag, depth: corners.reduce((sum, c) => sum + c.depth, 0) / corners.length,
			fill: rgba(colour.map((c) => c * shade), faces ? alpha : alpha * 0.35),
			stroke: rgba(colour.map((c) => c * (isLight ? 1 : 0.35)), edges) };
	}

	path(corners) {
		this.context.beginPath();
		corners.forEach(({ x, y }, i) => (i === 0 ? this.context.moveTo(x, y) : this.context.lineTo(x, y)));
	}

	paint({ corners, fill, stroke }) {
		this.path(corners);
		this.context.closePath();
		this.context.fillStyle = fill;
		this.context.fill();
		this.context.strokeStyle = stroke;
		this.context.lineWidth = 1;
		this.context.lineJoin = 'round';
		this.context.stroke();
	}

	paintLine({ points, colour, width, dash, arrow }) {
		const { context } = this, corners = points.map((p) => this.project(p));
		this.path(corners);
		context.strokeStyle = colour;
		context.lineWidth = width;
		context.setLineDash(dash);
		context.stroke();
		context.setLineDash([]);
		const [from, to] = corners.slice(-2), angle = Math.atan2(to.y - from.y, to.x - from.x);
		if (!arrow || Math.hypot(to.x - from.x, to.y - from.y) < 2)
			return;
		const side = (turn) => ({ x: to.x - 10 * Math.cos(angle + turn), y: to.y - 10 * Math.sin(angle + turn) });
		this.path([side(0.4), to, side(-0.4)]);
		context.fillStyle = colour;
		context.fill();
	}

	paintDot({ point, colour, radius, label, ring }) {
		const { context } = this, { x, y } = this.project(point);
		context.beginPath();
		context.arc(x, y, radius, 0, 2 * Math.PI);
		context.fillStyle = context.strokeStyle = colour;
		context.lineWidth = 2;
		ring ? context.stroke() : context.fill();
		if (label === '')
			return;
		context.font = '600 12px system-ui, sans-serif';
		context.lineWidth = 3;
		context.strokeStyle = 'rgba(10, 14, 22, 0.85)';
		context.strokeText(label, x + radius + 4, y - radius - 2);
		context.fillText(label, x + radius + 4, y - radius - 2);
	}
}

function rgba(colour, alpha) {
	return `rgba(${colour.map((c) => Math.round(c)).join(', ')}, ${alpha})`;
}

/* Is (x, y) in a convex polygon of the canvas? */
function contains(corners, x, y) {
	const sides = corners.map((p, i) => {
		const q = corners[(i + 1) % corners.length];
		return (q.x - p.x) * (y - p.y) - (q.y - p.y) * (x - p.x);
	});
	return sides.every((side) => side >= 0) || sides.every((side) => side <= 0);
}
