/* The best of many answers of a row, of bodies that have several parts: pairs of children, or children and triangles. What queries
 * of meshes and of compounds share.
 *
 * Of answers that are as good, the lowest order has the row: both children, or the child and the number of the triangle. Before it
 * is asked, each pair of parts has a key, what its answer is at least. */
#ifndef WP_MOTION_CHOICE_H
#define WP_MOTION_CHOICE_H

#include "batch/workspace.h"
#include "batch/write.h"

WP_INLINE bool wp_choice_is_lower(const uint32_t order[2], const uint32_t other[2])
{
	return order[0] != other[0] ? order[0] < other[0] : order[1] < other[1];
}

/* Whether no answer is better than the best one, of a query that has none below zero: only lower orders count then. */
WP_INLINE bool wp_choice_is_least(const wp_choice *choice) { return choice->has_best && !(choice->value > 0); }

/* Take the answer of parts with a key. True where it is the best one now: then the limit is the caller's to lower. */
bool wp_choice_take(
	wp_choice *choice, bool is_cast, const wp_cast_contact *contact, double value, double key, const uint32_t order[2]);

/* Parts with a key have no answer: of several the first ones stay, by their keys, then by their orders. If they count at the end,
 * the row is invalid. */
void wp_choice_spoil(wp_choice *choice, double key, const uint32_t order[2], uint32_t status);

/* The output of a row without an answer; where all parts are too far, with what is proven of them; and of the best answer, but for
 * local points. */
void wp_choice_put_none(const wp_choice *choice, bool is_cast, wp_output *output);
void wp_choice_put_beyond(float lower, wp_output *output);
void wp_choice_put_best(const wp_choice *choice, bool is_cast, wp_output *output);

/* The bounds of a separation hold for all parts; the status is what they prove. */
void wp_choice_put_bounds(const wp_choice *choice, wp_output *output);

#endif
