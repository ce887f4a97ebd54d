#include "motion/choice.h"
#include "motion/gap.h"

/* ---- answers in --------------------------------------------------------------------------------- */

/* Whether an answer is better than the best one. */
static bool is_better(const wp_choice *c, double value, double separation, const uint32_t order[2])
{
	if (!c->has_best)
		return value < (double)WP_INFINITY;
	if (value != c->value)
		return value < c->value;
	return separation != c->separation ? separation < c->separation : wp_choice_is_lower(order, c->order);
}

/* What all parts together are proven to be apart. An answer's bound is no better than what was proven before it, which stands
 * for the parts that no kernel has looked at. */
static void keep_bound(wp_choice *c, const wp_cast_contact *contact, double key)
{
	const float before = wp_round_down(key);
	const float lower = key > 0 && contact->lower < before ? before : contact->lower;
	if (lower < c->lowest) {
		c->lowest = lower;
		c->lowest_status = contact->status;
	} else if (lower == c->lowest) {
		c->lowest_status |= contact->status;
	}
}

bool wp_choice_take(
	wp_choice *c, bool is_cast, const wp_cast_contact *contact, double value, double key, const uint32_t order[2])
{
	const double separation = is_cast ? (double)contact->separation : value;
	if (is_cast)
		c->lowest = wp_cast_lowest_doubt(c->lowest, contact->status, key);
	else
		keep_bound(c, contact, key);
	if (!is_better(c, value, separation, order))
		return false;
	c->has_best = true;
	c->value = value;
	c->separation = separation;
	c->contact = *contact;
	c->contact.status &= ~WP_CAST_DOUBTFUL;
	memcpy(c->order, order, sizeof c->order);
	return true;
}

void wp_choice_spoil(wp_choice *c, double key, const uint32_t order[2], uint32_t status)
{
	const bool is_before = key != c->spoilt_key ? key < c->spoilt_key : wp_choice_is_lower(order, c->spoilt);
	if (c->invalid != 0 && !is_before)
		return;
	c->invalid = status;
	c->spoilt_key = key;
	memcpy(c->spoilt, order, sizeof c->spoilt);
}

/* ---- the answer out ----------------------------------------------------------------------------- */

/* The status of a cast that may hit parts before that fraction which rounding hides. */
static uint32_t doubt_of(const wp_choice *c, bool is_cast, double fraction)
{
	return is_cast && (double)c->lowest <= fraction ? WP_STATUS_WIDE_BRACKET : 0;
}

static void put_no_answer(uint32_t status, wp_output *output)
{
	memset(output, 0, sizeof *output);
	output->separation = output->upper = WP_INFINITY;
	output->status = WP_STATUS_SEPARATED | status;
}

void wp_choice_put_none(const wp_choice *c, bool is_cast, wp_output *output)
{
	put_no_answer(doubt_of(c, is_cast, 1), output);
}

void wp_choice_put_beyond(float lower, wp_output *output)
{
	put_no_answer(WP_STATUS_BEYOND, output);
	output->lower = lower;
}

void wp_choice_put_best(const wp_choice *c, bool is_cast, wp_output *output)
{
	const wp_cast_contact *const best = &c->contact;
	*output = (wp_output){.separation = best->separation,
		.lower = best->lower,
		.upper = best->upper,
		.status = best->status | doubt_of(c, is_cast, c->value),
		.iterations = best->iterations};
	memcpy(output->normal, best->normal, sizeof output->normal);
	memcpy(output->point_a, best->point[0], sizeof output->point_a);
	memcpy(output->point_b, best->point[1], sizeof output->point_b);
}

void wp_choice_put_bounds(const wp_choice *c, wp_output *output)
{
	if (!(c->lowest < output->lower))
		return;
	output->lower = c->lowest;
	output->status |= c->lowest_status & WP_STATUS_WIDE_BRACKET;
	if (!(output->lower > 0.0f) && (output->status & WP_STATUS_SEPARATED) != 0)
		output->status = (output->status & ~(uint32_t)WP_STATUS_SEPARATED) | WP_STATUS_TOUCHING;
}
