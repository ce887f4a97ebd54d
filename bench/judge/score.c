#include "score.h"

#include "judge.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Pairs whose shapes are nearer to touching, in units of e, may be called either. */
#define TOUCHING 1e-4

/* ---- gathering ------------------------------------------------------------------------------------- */

static bool push_error(score *to, double error)
{
	if (to->measured == to->capacity) {
		const size_t capacity = 2 * to->capacity + 1024;
		double *grown = realloc(to->separations, capacity * sizeof *grown);
		if (!grown)
			return false;
		to->separations = grown;
		to->capacity = capacity;
	}
	to->separations[to->measured++] = error;
	return true;
}

/* Keeps the worst, in descending order. */
static void push_worst(score *to, const score_worst *bad)
{
	int at = to->worst_count;
	if (at == SCORE_WORST_MAX && !(bad->badness > to->worst[at - 1].badness))
		return;
	if (at == SCORE_WORST_MAX)
		at--;
	else
		to->worst_count++;
	for (; at > 0 && bad->badness > to->worst[at - 1].badness; at--)
		to->worst[at] = to->worst[at - 1];
	to->worst[at] = *bad;
}

static void add_bad(score *to, const pair_set *set, size_t row, const char *reason, double said)
{
	score_worst bad = {.set = set, .row = row, .badness = INFINITY, .truth = set->truth[row], .said = said, .gap = NAN};
	snprintf(bad.reason, sizeof bad.reason, "%s", reason);
	push_worst(to, &bad);
}

/* ---- one pair -------------------------------------------------------------------------------------- */

static bool is_finite_row(const narrowphase_row *row)
{
	double sum = row->separation;
	for (int axis = 0; axis < 3; axis++)
		sum += row->normal[axis] + row->point_a[axis] + row->point_b[axis];
	return isfinite(sum);
}

/* The judge of this project's own answers takes them as rows of the reference. */
static verdict judge_row(const pair_set *set, size_t row, const narrowphase_row *from)
{
	const capture_file file = {.shapes = set->shapes, .vertices = set->vertices, .shape_count = set->shape_count};
	const capture_truth truth = {.separation = set->truth[row]};
	wp_reference_row as = {.separation = from->separation, .lower = from->separation, .upper = from->separation};
	judged_pair pair;
	memcpy(as.normal, from->normal, sizeof as.normal);
	memcpy(as.point_a, from->point_a, sizeof as.point_a);
	memcpy(as.point_b, from->point_b, sizeof as.point_b);
	judge_prepare(&pair, &file, &set->scene, &set->pairs[row], &truth);
	return judge_contact(&pair, &as, 0x1p-24);
}

static bool add_separation(score *to, const pair_set *set, size_t row, const narrowphase_row *said)
{
	const verdict found = judge_row(set, row, said);
	const bool is_off = !(found.separation_error <= SCORE_OFF), misleads = !(found.support_gap_error <= SCORE_OFF);
	const bool has_points = memcmp(said->point_a, said->point_b, sizeof said->point_a) != 0;
	to->off += is_off;
	to->misleading += misleads;
	to->separation_max = fmax(to->separation_max, found.separation_error);
	to->gap_max = fmax(to->gap_max, found.support_gap_error);
	if (has_points)
		to->point_max = fmax(to->point_max, found.point_error);
	score_worst bad = {.set = set,
		.row = row,
		.badness = fmax(found.separation_error, found.support_gap_error),
		.truth = set->truth[row],
		.said = said->separation,
		.gap = found.support_gap_error * set->unit[row]};
	snprintf(bad.reason, sizeof bad.reason, "%s", is_off ? "separation" : misleads ? "normal" : "");
	push_worst(to, &bad);
	return push_error(to, found.separation_error);
}

static bool add_row(score *to, const pair_set *set, size_t row, const narrowphase_row *said)
{
	const double truth = set->truth[row];
	if (said->answer == NARROWPHASE_NONE || said->answer > NARROWPHASE_SEPARATION ||
		(said->answer == NARROWPHASE_SEPARATION && !is_finite_row(said))) {
		to->none++;
		add_bad(to, set, row, "no answer", NAN);
		return true;
	}
	const bool is_apart = said->answer == NARROWPHASE_APART ||
	                      (said->answer == NARROWPHASE_SEPARATION && said->separation > 0.0);
	const double separation = said->answer == NARROWPHASE_SEPARATION ? said->separation : NAN;
	if (fabs(truth) > TOUCHING * set->unit[row] && is_apart != (truth > 0.0)) {
		to->wrong_side++;
		add_bad(to, set, row, is_apart ? "called apart" : "called overlapping", separation);
	}
	return said->answer != NARROWPHASE_SEPARATION || add_separation(to, set, row, said);
}

bool score_add(score *to, const pair_set *set, const trial *of)
{
	to->seconds += of->seconds;
	to->timed += of->answered;
	for (size_t row = 0; row < set->count; row++) {
		if (isnan(set->truth[row]))
			continue;
		to->pairs++;
		if (of->states[row] == TRIAL_REFUSED) {
			to->refused++;
		} else if (of->states[row] == TRIAL_ENDED) {
			to->ended++;
			add_bad(to, set, row, "ended", NAN);
		} else if (!add_row(to, set, row, &of->rows[row])) {
			return false;
		}
	}
	return true;
}

/* ---- all of them ----------------------------------------------------------------------------------- */

bool score_join(score *to, const score *of)
{
	for (size_t index = 0; index < of->measured; index++)
		if (!push_error(to, of->separations[index]))
			return false;
	to->pairs += of->pairs;
	to->refused += of->refused;
	to->ended += of->ended;
	to->none += of->none;
	to->wrong_side += of->wrong_side;
	to->off += of->off;
	to->misleading += of->misleading;
	to->separation_max = fmax(to->separation_max, of->separation_max);
	to->gap_max = fmax(to->gap_max, of->gap_max);
	to->point_max = fmax(to->point_max, of->point_max);
	to->seconds += of->seconds;
	to->timed += of->timed;
	for (int index = 0; index < of->worst_count; index++)
		push_worst(to, &of->worst[index]);
	return true;
}

static int ascending(const void *left, const void *right)
{
	const double a = *(const double *)left, b = *(const double *)right;
	return (a > b) - (a < b);
}

double score_quantile(score *of, double share)
{
	if (of->measured == 0)
		return (double)NAN;
	qsort(of->separations, of->measured, sizeof *of->separations, ascending);
	return of->separations[(size_t)ceil(share * (double)of->measured) - 1];
}

void score_free(score *of) { free(of->separations); }
