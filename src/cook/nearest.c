#include <math.h>

#include "internal.h"
#include "nearest.h"

/* Bracket of the distance within which a point counts as the nearest: a few roundings of coordinates up to 2.
 */
#define GAIN_TOLERANCE 0x1p-50

/* Bracket above which a search that is stuck is not believed: of a slender body, rounding along the long axis
 * can outweigh the short ones in the choice of the next vertex. */
#define DOUBT NEAREST_ROUNDING

/* Edges of a simplex that are shorter than this share of themselves, once what others span is taken away, add
 * no direction of their own. */
#define SLIVER 0x1p-45

nearest wp_nearest_begin(const double (*vertex)[3], uint32_t corner, const double point[3])
{
	nearest found = {.corner = {corner}, .count = 1};
	subtract(vertex[corner], point, found.away);
	found.square = wp_dot3(found.away, found.away);
	return found;
}

/* How much lower than `away` itself the vertex lies along `away`, times its length. */
static double gain_of(const nearest *found, const double vertex[3], const double point[3])
{
	double d[3];
	subtract(vertex, point, d);
	return found->square - wp_dot3(found->away, d);
}

bool wp_nearest_gains(const nearest *found, const double vertex[3], const double point[3])
{
	return gain_of(found, vertex, point) > GAIN_TOLERANCE * sqrt(found->square);
}

/* Take what `unit` spans out of `edge`, twice, since once leaves the rounding of a long edge in a short rest;
 * along[i] is what was taken of unit[i]. */
static void take_out(const double (*unit)[3], uint32_t count, double edge[3], double along[3])
{
	for (uint32_t i = 0; i < count; i++)
		along[i] = 0.0;
	for (int pass = 0; pass < 2; pass++) {
		for (uint32_t i = 0; i < count; i++) {
			const double part = wp_dot3(unit[i], edge);
			along[i] += part;
			for (int k = 0; k < 3; k++)
				edge[k] -= part * unit[i][k];
		}
	}
}

/* Weights of corners 1.. of the point nearest to the given one in the flat through the corners: least squares
 * by Gram-Schmidt. to[i] leads from the given point to corner i. False for a simplex without a flat of its
 * dimension. */
static bool weigh(const double (*to)[3], uint32_t edges, double weight[4])
{
	double unit[3][3], share[3][3], along[3], rest[3];
	for (uint32_t i = 0; i < edges; i++) {
		subtract(to[i + 1], to[0], unit[i]);
		const double full = wp_length3(unit[i]);
		take_out((const double(*)[3])unit, i, unit[i], share[i]);
		const double length = wp_length3(unit[i]);
		if (!(length > SLIVER * full))
			return false;
		for (int k = 0; k < 3; k++)
			unit[i][k] /= length;
		share[i][i] = length;
	}
	memcpy(rest, to[0], sizeof rest);
	take_out((const double(*)[3])unit, edges, rest, along);
	for (uint32_t i = edges; i-- > 0;) {
		double value = -along[i];
		for (uint32_t k = i + 1; k < edges; k++)
			value -= share[k][i] * weight[k + 1];
		weight[i + 1] = value / share[i][i];
	}
	return true;
}

/* Nearest point of the flat through found->corner[0 .. count), if it lies within the simplex. */
static bool solve(const double (*vertex)[3], const double point[3], nearest *found)
{
	double to[4][3], weight[4];
	for (uint32_t i = 0; i < found->count; i++)
		subtract(vertex[found->corner[i]], point, to[i]);
	if (!weigh((const double(*)[3])to, found->count - 1, weight))
		return false;
	weight[0] = 1.0;
	for (uint32_t i = 1; i < found->count; i++)
		weight[0] -= weight[i];
	memset(found->away, 0, sizeof found->away);
	for (uint32_t i = 0; i < found->count; i++) {
		if (!(weight[i] >= 0.0))
			return false;
		for (int k = 0; k < 3; k++)
			found->away[k] += weight[i] * to[i][k];
	}
	found->square = wp_dot3(found->away, found->away);
	return true;
}

/* Best of all simplices of the entering vertex and up to three old corners. False where none is nearer. */
static bool enter(const double (*vertex)[3], const double point[3], uint32_t entering, nearest *found)
{
	const nearest old = *found;
	for (uint32_t set = 0; set < 1u << old.count; set++) {
		nearest candidate = {.corner = {entering}, .count = 1};
		for (uint32_t i = 0; i < old.count; i++) {
			if (set >> i & 1 && candidate.count < 4)
				candidate.corner[candidate.count++] = old.corner[i];
		}
		if (solve(vertex, point, &candidate) && candidate.square < found->square)
			*found = candidate;
	}
	return found->square < old.square;
}

/* The vertex that lies lowest along `away`. */
static uint32_t lowest(const double (*vertex)[3], uint32_t count, const double away[3])
{
	uint32_t best = 0;
	double least = INFINITY;
	for (uint32_t i = 0; i < count; i++) {
		const double along = wp_dot3(away, vertex[i]);
		if (along < least) {
			least = along;
			best = i;
		}
	}
	return best;
}

static bool enter_any(const double (*vertex)[3], uint32_t count, const double point[3], nearest *found)
{
	for (uint32_t i = 0; i < count; i++) {
		if (enter(vertex, point, i, found))
			return true;
	}
	return false;
}

void wp_nearest_improve(const double (*vertex)[3], uint32_t count, const double point[3], double enough, nearest *found)
{
	for (int step = 0; step < NEAREST_STEP_MAX && found->square > enough; step++) {
		const uint32_t entering = lowest(vertex, count, found->away);
		const double gain = gain_of(found, vertex[entering], point);
		if (!(gain > GAIN_TOLERANCE * sqrt(found->square)))
			return;
		if (enter(vertex, point, entering, found))
			continue;
		const bool is_rounding = found->square <= NEAREST_ROUNDING * NEAREST_ROUNDING;
		if (is_rounding || !(gain > DOUBT * sqrt(found->square)) || !enter_any(vertex, count, point, found))
			return;
	}
}
