/* A small renderer on a 2D canvas: polygons from back to front, then lines and dots over them, and labels, which are
 * elements of the page. A few hundred convex faces need no more, and it runs wherever a page does, without a graphics
 * driver. */
import { add, cross, dot, normalOf, scale, sub, unit } from './vector.mjs';

const light = unit([0.4, 0.9, 0.55]);
const nearest = 0.05;

/* How far labels stand from what they name, in pixels, nearest first, in how many directions. */
const labelGaps = [16, 26, 38, 52], labelDirections = 12;

export class View {
	/* `overlay` is an element as large as the canvas, for the labels. */
	constructor(canvas, overlay) {
		this.canvas = canvas;
		this.overlay = overlay;
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
		this.labels = [];
	}

	/* A closed mesh: `faces` are polygons of indices into `points`. Colours are [r, g, b]. `sharp` has a boolean per edge of
	 * each face: edges that only stand for a curve are drawn by the share `faint`. Null: all edges are sharp. */
	mesh(points, faces, colour, { alpha = 1, edges = 0.5, tag = null, both = false, glow = null, light = false, sharp = null, faint = 0.15 } = {}) {
		faces.forEach((corners, i) => {
			const polygon = corners.map((corner) => points[corner]);
			this.faces.push({ polygon, colour: glow?.(corners) ?? colour, alpha, edges, tag, both, light, sharp: sharp?.[i], faint });
		});
	}

	line(points, colour, { width = 2, dash = [], arrow = false } = {}) {
		this.marks.push({ points, colour, width, dash, arrow });
	}

	dot(point, colour, { radius = 4, ring = false } = {}) {
		this.marks.push({ point, colour, radius, ring });
	}

	/* Words at a point: on it, or beside it on the side that is `away` from another point. Those that come first have the
	 * better places. */
	label(point, text, colour, { on = false, away = null } = {}) {
		this.labels.push({ point, text, colour, on, away });
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
		this.putLabels();
	}

	/* A polygon on the canvas, or null where it looks away. */
	place({ polygon, colour, alpha, edges, tag, both, light: isLight, sharp, faint }) {
		const normal = normalOf(polygon);
		const faces = dot(normal, sub(this.eye, polygon[0])) > 0;
		if (!faces && !both)
			return null;
		const shade = 0.55 + 0.45 * Math.abs(dot(normal, light)) * (dot(normal, light) > 0 ? 1 : 0.35);
		const corners = polygon.map((p) => this.project(p)), ink = colour.map((c) => c * (isLight ? 1 : 0.35));
		return { corners, tag, sharp, depth: corners.reduce((sum, c) => sum + c.depth, 0) / corners.length,
			fill: rgba(colour.map((c) => c * shade), faces ? alpha : alpha * 0.35),
			stroke: rgba(ink, edges), faint: rgba(ink, faint * edges) };
	}

	path(corners) {
		this.context.beginPath();
		corners.forEach(({ x, y }, i) => (i === 0 ? this.context.moveTo(x, y) : this.context.lineTo(x, y)));
	}

	paint({ corners, fill, stroke, faint, sharp }) {
		const { context } = this;
		this.path(corners);
		context.closePath();
		context.fillStyle = fill;
		context.fill();
		context.strokeStyle = sharp ? faint : stroke;
		context.lineWidth = 1;
		context.lineJoin = 'round';
		context.stroke();
		if (!sharp)
			return;
		context.strokeStyle = stroke;
		corners.forEach((corner, i) => {
			if (!sharp[i])
				return;
			this.path([corner, corners[(i + 1) % corners.length]]);
			context.stroke();
		});
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

	paintDot({ point, colour, radius, ring }) {
		const { context } = this, { x, y } = this.project(point);
		context.beginPath();
		context.arc(x, y, radius, 0, 2 * Math.PI);
		context.fillStyle = context.strokeStyle = colour;
		context.lineWidth = 2;
		ring ? context.stroke() : context.fill();
	}

	/* ---- labels --------------------------------------------------------------------------------- */

	/* Each gets an element, at the first of its places that is on the canvas and free of those before and of what they name. */
	putLabels() {
		const anchors = this.labels.map(({ point }) => this.project(point));
		const taken = this.labels.flatMap(({ on }, i) => (on ? [] : [{ x: anchors[i].x, y: anchors[i].y, width: 12, height: 12 }]));
		while (this.overlay.children.length > this.labels.length)
			this.overlay.lastChild.remove();
		this.labels.forEach((label, i) => {
			const element = this.overlay.children[i] ?? this.overlay.appendChild(document.createElement('span'));
			element.textContent = label.text;
			element.className = label.on ? 'label on' : 'label';
			element.style.color = label.colour;
			const box = { width: element.offsetWidth, height: element.offsetHeight };
			const places = label.on ? [this.placeInside(anchors[i], box)] : this.placesBeside(anchors[i], label.away, box);
			const place = places.find((at) => this.isFree({ ...at, ...box }, taken)) ?? places[0];
			taken.push({ x: place.x, y: place.y, ...box });
			element.style.transform = `translate(${(place.x - box.width / 2).toFixed(1)}px, ${(place.y - box.height / 2).toFixed(1)}px)`;
		});
	}

	/* The middle of a box on the canvas that is nearest to a place. */
	placeInside({ x, y }, { width, height }) {
		const within = (at, size, all) => Math.max(size / 2, Math.min(all - size / 2, at));
		return { x: within(x, width, this.width), y: within(y, height, this.height) };
	}

	/* Middles of a box beside a place: away from a point, and then the more towards it, the further out. */
	placesBeside({ x, y }, away, { width }) {
		const from = away ? this.project(away) : { x: x - 1, y: y + 1 };
		const straight = Math.hypot(x - from.x, y - from.y) > 0.5 ? Math.atan2(y - from.y, x - from.x) : -Math.PI / 4;
		const turns = Array.from({ length: labelDirections }, (_, i) => (i % 2 ? 1 : -1) * Math.ceil(i / 2) * 2 * Math.PI / labelDirections);
		return labelGaps.flatMap((gap) => turns.map((turn) => ({ x: x + (gap + width / 2 - 6) * Math.cos(straight + turn),
			y: y + gap * Math.sin(straight + turn) })));
	}

	isFree(box, taken) {
		const apart = (p, q, side, size) => Math.abs(p[side] - q[side]) >= (p[size] + q[size]) / 2;
		return box.x >= box.width / 2 && box.x <= this.width - box.width / 2 && box.y >= box.height / 2 &&
			box.y <= this.height - box.height / 2 &&
			taken.every((other) => apart(box, other, 'x', 'width') || apart(box, other, 'y', 'height'));
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
