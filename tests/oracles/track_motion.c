#include "track_motion.h"

#include "support/gen.h"

#include <math.h>
#include <string.h>

/* Positions stay within this, which is within WP_COORDINATE_MAX. */
#define FARTHEST 1e29

const char *track_motion_name(track_motion motion)
{
	static const char *const names[TRACK_MOTION_COUNT] = {"rest", "creep", "slide", "roll", "spin", "approach",
		"depart", "explode", "wander", "together", "shake", "carousel"};
	return names[motion];
}

track_motion track_motion_of(uint64_t index)
{
	return (track_motion)(index / GEN_CONSTRUCTION_COUNT % TRACK_MOTION_COUNT);
}

static v3 v3_of_doubles(const double v[3]) { return v3_of(v[0], v[1], v[2]); }

static void place(v3 at, track_body *body)
{
	const double to[3] = {at.x, at.y, at.z};
	for (int i = 0; i < 3; i++)
		body->position[i] = fmax(-FARTHEST, fmin(FARTHEST, to[i]));
}

static void shift(v3 way, track_body *body) { place(v3_add(v3_of_doubles(body->position), way), body); }

void track_turn(v3 axis, double half, double length, float rotation[4])
{
	const double x = axis.x * half, y = axis.y * half, z = axis.z * half;
	const double px = (double)rotation[0], py = (double)rotation[1], pz = (double)rotation[2], pw = (double)rotation[3];
	const double size = sqrt((x * x + y * y + z * z + 1) * (px * px + py * py + pz * pz + pw * pw)) / length;
	rotation[0] = gen_rounded((px + x * pw + y * pz - z * py) / size);
	rotation[1] = gen_rounded((py + y * pw + z * px - x * pz) / size);
	rotation[2] = gen_rounded((pz + z * pw + x * py - y * px) / size);
	rotation[3] = gen_rounded((pw - x * px - y * py - z * pz) / size);
}

double track_any_turn(gen_random *random)
{
	if (gen_below(random, 2))
		return gen_magnitude(random, 1e-7, 1) * (gen_below(random, 2) ? 1 : -1);
	const double some = gen_range(random, -1, 1);
	return gen_below(random, 2) ? some : 1 / (some + (some < 0 ? -1e-9 : 1e-9));
}

/* Now and then a rotation is as far from unit length as may be. */
static void turn_by(gen_random *random, v3 axis, double half, track_body *body)
{
	const double off = gen_below(random, 8) == 0 ? 9e-3 : 0;
	track_turn(axis, half, 1 + gen_range(random, -off, off), body->rotation);
}

/* A vector turned about an axis, `half` being the tangent of half the angle. */
static v3 turned_about(v3 axis, double half, v3 v)
{
	const double c = (1 - half * half) / (1 + half * half), s = 2 * half / (1 + half * half);
	return v3_add(v3_add(v3_scale(v, c), v3_scale(v3_cross(axis, v), s)), v3_scale(axis, v3_dot(axis, v) * (1 - c)));
}

/* Both bodies as one, about a place. */
static void move_together(gen_random *random, double size, track_body bodies[2])
{
	const v3 axis = gen_direction(random),
			 way = v3_scale(gen_direction(random), size * gen_magnitude(random, 1e-3, 10));
	const double half = track_any_turn(random);
	const v3 between = v3_sub(v3_of_doubles(bodies[1].position), v3_of_doubles(bodies[0].position));
	shift(way, &bodies[0]);
	place(v3_add(v3_of_doubles(bodies[0].position), turned_about(axis, half, between)), &bodies[1]);
	for (int side = 0; side < 2; side++)
		turn_by(random, axis, half, &bodies[side]);
}

/* B around A, now and then much further off or nearer. */
static void carry_around(gen_random *random, double size, track_body bodies[2])
{
	const v3 from = v3_of_doubles(bodies[0].position), between = v3_sub(v3_of_doubles(bodies[1].position), from);
	const v3 axis = gen_direction(random);
	const double half = track_any_turn(random);
	v3 to = turned_about(axis, half, between);
	if (gen_below(random, 4) == 0)
		to = v3_scale(v3_unit(to), size * gen_magnitude(random, 0.5, 1e5));
	place(v3_add(from, to), &bodies[1]);
	turn_by(random, axis, gen_below(random, 2) ? half : track_any_turn(random), &bodies[1]);
}

static void shake(gen_random *random, uint32_t frame, double size, track_body bodies[2])
{
	if (frame % 2 == 0 || gen_below(random, 2)) {
		for (int side = 0; side < 2; side++)
			for (int k = 0; k < 4; k++)
				bodies[side].rotation[k] = -bodies[side].rotation[k];
		return;
	}
	shift(v3_scale(gen_direction(random), size * gen_magnitude(random, 1e-6, 1e-2)), &bodies[1]);
}

static void roll(gen_random *random, double size, v3 normal, v3 across, track_body *body)
{
	const double way = size * gen_magnitude(random, 1e-5, 0.3);
	shift(v3_scale(across, way), body);
	turn_by(random, v3_cross(normal, across), size > 0 ? way / size : 0, body);
}

/* Any way and any turn, of a part of the bodies. */
static void wander(gen_random *random, double size, double most, track_body bodies[2])
{
	const uint32_t who = 1 + gen_below(random, 3);
	for (uint32_t side = 0; side < 2; side++) {
		if (!(who >> side & 1))
			continue;
		shift(v3_scale(gen_direction(random), size * gen_magnitude(random, 1e-7, most)), &bodies[side]);
		if (gen_below(random, 3) != 0)
			turn_by(random, gen_direction(random), gen_magnitude(random, 1e-7, most), &bodies[side]);
	}
}

void track_move(gen_random *random, track_motion motion, uint32_t frame, double size, v3 normal, track_body bodies[2])
{
	const uint32_t who = gen_below(random, 2);
	const v3 n = v3_length(normal) > 0.5 ? normal : gen_direction(random);
	const v3 across = v3_unit(v3_cross(n, gen_direction(random))), out = v3_scale(n, who == 0 ? -1 : 1);
	track_body *const one = &bodies[who];
	switch (motion) {
	case TRACK_CREEP:
		wander(random, size, 1e-5, bodies);
		break;
	case TRACK_SLIDE:
		shift(v3_scale(across, size * gen_magnitude(random, 1e-5, 0.3)), one);
		break;
	case TRACK_ROLL:
		roll(random, size, n, across, one);
		break;
	case TRACK_SPIN:
		turn_by(random, gen_below(random, 2) ? n : gen_direction(random), track_any_turn(random), one);
		break;
	case TRACK_APPROACH:
		shift(v3_scale(out, -size * gen_magnitude(random, 1e-4, 0.3)), one);
		break;
	case TRACK_DEPART:
		shift(v3_scale(out, size * gen_magnitude(random, 1e-4, 0.3)), one);
		break;
	case TRACK_EXPLODE:
		shift(v3_scale(out, size * gen_range(random, 0.01, 0.1) * ldexp(1, (int)frame)), one);
		turn_by(random, gen_direction(random), track_any_turn(random), one);
		break;
	case TRACK_WANDER:
		wander(random, size, 1.5, bodies);
		break;
	case TRACK_TOGETHER:
		move_together(random, size, bodies);
		break;
	case TRACK_SHAKE:
		shake(random, frame, size, bodies);
		break;
	case TRACK_CAROUSEL:
		carry_around(random, size, bodies);
		break;
	default:
		break;
	}
}
