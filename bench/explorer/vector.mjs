/* Vectors and quaternions (x, y, z, w) as arrays of numbers, in double precision. */
export const add = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const sub = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const scale = (a, s) => [a[0] * s, a[1] * s, a[2] * s];
export const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
export const length = (a) => Math.sqrt(dot(a, a));
export const lerp = (a, b, t) => add(a, scale(sub(b, a), t));

/* Of length 1; zero stays zero. */
export const unit = (a) => {
	const l = length(a);
	return l > 0 ? scale(a, 1 / l) : [0, 0, 0];
};

/* The normal of a polygon whose corners go counter-clockwise. */
export const normalOf = (corners) => {
	const arms = corners.map((corner) => sub(corner, corners[0]));
	return unit(arms.reduce((sum, arm, i) => add(sum, cross(arm, arms[(i + 1) % arms.length])), [0, 0, 0]));
};

/* Points weighted by numbers. */
export const blend = (points, weights) => points.reduce((sum, point, i) => add(sum, scale(point, weights[i])), [0, 0, 0]);

export function rotate([x, y, z, w], v) {
	const t = scale(cross([x, y, z], v), 2);
	return add(add(v, scale(t, w)), cross([x, y, z], t));
}

/* The rotation by q after that by p. */
export function compose([ax, ay, az, aw], [bx, by, bz, bw]) {
	return [aw * bx + ax * bw + ay * bz - az * by, aw * by - ax * bz + ay * bw + az * bx, aw * bz + ax * by - ay * bx + az * bw,
		aw * bw - ax * bx - ay * by - az * bz];
}

export function turn(axis, angle) {
	return [...scale(unit(axis), Math.sin(angle / 2)), Math.cos(angle / 2)];
}

export function normalised(q) {
	const l = Math.hypot(...q);
	return l > 0 ? q.map((x) => x / l) : [0, 0, 0, 1];
}
