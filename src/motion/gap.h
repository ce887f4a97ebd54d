/* What casts in 3D and in 2D share: when a step or a gap counts as none, and how long a gap
 * lasts. */
#ifndef WP_MOTION_GAP_H
#define WP_MOTION_GAP_H

#include "core/double3.h"
#include "widephase/query.h"

/* A step shorter than this share of the cast ends it; on a way that is long beside the shapes not before it is shorter than
 * such a share of their sizes, or of the fraction, which doubles hardly tell apart. */
#define WP_STEP_MIN 0x1p-48
#define WP_STEP_OF_SIZES 0x1p-28
#define WP_STEP_OF_FRACTION 0x1p-50

/* Rounding of a position between its ends, and of a support point of a body that turns, relative to distance
 * and size. */
#define WP_WAY_ROUNDING 1.5e-7
#define WP_TURN_ROUNDING 3e-7

/* A gap this small, relative to distance and sizes, is none: rounding in double. */
#define WP_PATH_ROUNDING 1e-14

/* Besides WP_STATUS_WIDE_BRACKET, where a long way is why: for calls that choose among casts. No status of a row. */
#define WP_CAST_DOUBTFUL (1u << 11)

/* Rounding of a difference of positions on their ways, relative to all that was added and subtracted. */
#define WP_DIFFERENCE_ROUNDING 0x1p-50

/* Of casts that a row chooses among, the least key of casts which rounding may hide, `lowest`, with one cast more. */
WP_INLINE float wp_cast_lowest_doubt(float lowest, uint32_t status, double key)
{
	const float least = wp_round_down(key);
	return (status & WP_CAST_DOUBTFUL) != 0 && least < lowest ? least : lowest;
}

/* What a step decides of a row that has come to `fraction` and is free of contact until `until`: `status` where it
 * ends there. True where it moves on. */
WP_INLINE bool wp_cast_goes_on(double until, bool is_no_step, bool last, double *fraction, uint32_t *status)
{
	if (until != 1.0 && (is_no_step || last)) {
		*status = WP_STATUS_HIT | (is_no_step ? 0 : WP_STATUS_ITERATION_CAP);
		return false;
	}
	*fraction = until;
	return until != 1.0;
}

/* What turning adds to a body's reach along a direction that stands still: at most `speed` times the
 * fraction, and at most `rest` ever. */
typedef struct wp_growth {
	double speed, rest;
} wp_growth;

/* The growth of a core by the angle that it is turned by, which `speed` is counted in, about an axis that is off the
 * direction by an angle with that sine.
 *
 * Why: turned by an angle, a core reaches along n as far as it did along a direction at most that angle away.
 * It lies in the ball of its bound and below its support plane at height h. With cos x = h / bound that cap
 * of the ball reaches bound * cos(x - y) along a direction at an angle y, and the bound from y = x on; as a
 * function of y that is below its tangent at 0, whose slope is bound * sin x where h >= 0, and no steeper
 * than the bound. */
WP_INLINE wp_growth wp_growth_by_angle(double bound, double h, double sine)
{
	const double below = bound * (1.0 + WP_PATH_ROUNDING) - h;
	return (wp_growth){.speed = (h > 0.0 ? wp_sqrt(below * (bound + h)) : bound) * sine, .rest = below};
}

/* How long a point that goes from `from` by `way` stays out of a ball about the origin; 1 where it does so all the way, 0 where
 * it starts inside. The square of the least distance is found from the way across, not as a difference of squares, which
 * loses what is small beside the distance. */
WP_INLINE double wp_time_to_ball(wp_d3 from, wp_d3 way, double radius)
{
	const double way2 = wp_d3_dot(way, way), along = wp_d3_dot(from, way);
	if (!(wp_d3_dot(from, from) > radius * radius))
		return 0.0;
	if (!(along < 0.0))
		return along >= 0.0 ? 1.0 : 0.0;
	const double inverse2 = 1.0 / way2, nearest = -along * inverse2;
	const wp_d3 across = wp_d3_add(from, wp_d3_scale(way, nearest));
	const double left2 = radius * radius - wp_d3_dot(across, across);
	if (left2 < 0.0)
		return 1.0;
	const double time = nearest - wp_sqrt(left2 * inverse2);
	return time < 1.0 ? (time > 0.0 ? time : 0.0) : time >= 1.0 ? 1.0 : 0.0;
}

/* How long a gap lasts that closes at a speed. */
WP_INLINE double wp_time_of(double gap, double closing)
{
	return gap <= 0.0 ? 0.0 : closing > 0.0 ? gap / closing : 1.0;
}

/* How long two bodies stay apart: the growth of each is bounded in two ways, and any choice holds. */
WP_INLINE double wp_time_apart(double gap, double closing, wp_growth a, wp_growth b)
{
	const double gaps[4] = {gap, gap - a.rest, gap - b.rest, gap - (a.rest + b.rest)};
	const double speeds[4] = {(closing + a.speed) + b.speed, closing + b.speed, closing + a.speed, closing};
	double most = 0.0, over = 1.0;
	for (int i = 0; i < 4; i++) {
		if (!(gaps[i] > 0.0))
			continue;
		if (!(speeds[i] > 0.0))
			return 1.0;
		if (gaps[i] * over > most * speeds[i]) {
			most = gaps[i];
			over = speeds[i];
		}
	}
	return most / over;
}

/* How much of a time a height lasts that rises at a speed, and falls short of that by bend / 2 times the time
 * squared. */
WP_INLINE double wp_time_above(double height, double speed, double bend, double time)
{
	if (height + time * (speed - 0.5 * bend * time) > 0.0)
		return time;
	return height > 0.0 ? 2.0 * height / (wp_sqrt(speed * speed + 2.0 * bend * height) - speed) : 0.0;
}

#endif
