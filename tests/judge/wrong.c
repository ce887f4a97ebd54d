/* Narrowphases that are wrong in one way each, which the judge must find: the mode says which. All but that is the answer of
 * the library. */
#include "narrowphase.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void *right_open(const narrowphase_input *input);
void right_query(void *opened, narrowphase_row *rows);
void right_close(void *opened);

#define narrowphase_open right_open
#define narrowphase_query right_query
#define narrowphase_close right_close
#include "own.c"
#undef narrowphase_open
#undef narrowphase_query
#undef narrowphase_close

/* One of so many pairs is answered wrongly. */
#define EVERY 256u

typedef struct opened_wrong {
	void *right;
	narrowphase_input input;
	char mode[16];
} opened_wrong;

void *narrowphase_open(const narrowphase_input *input)
{
	narrowphase_input plain = *input;
	plain.mode = "";
	if (strcmp(input->mode, "boxless") == 0)
		for (uint32_t index = 0; index < input->shape_count; index++)
			if (input->shapes[index].kind == NARROWPHASE_BOX)
				return NULL;
	opened_wrong *on = calloc(1, sizeof *on);
	if (!on)
		return NULL;
	strncpy(on->mode, input->mode, sizeof on->mode - 1);
	on->input = *input;
	on->right = right_open(&plain);
	return on;
}

/* Whether this is the pair that is answered wrongly, whatever the others are. */
static int is_chosen(const narrowphase_pair *pair)
{
	uint32_t a[3], b[3];
	memcpy(a, pair->position_a, sizeof a);
	memcpy(b, pair->position_b, sizeof b);
	const uint32_t bits = a[0] ^ a[1] ^ a[2] ^ b[0] ^ b[1] ^ b[2];
	return (bits * 2654435761u >> 16) % EVERY == 0;
}

static void spoil(const char *mode, narrowphase_row *row)
{
	if (strcmp(mode, "ends") == 0)
		abort();
	if (strcmp(mode, "none") == 0)
		row->answer = NARROWPHASE_NONE;
	if (row->answer != NARROWPHASE_SEPARATION)
		return;
	if (strcmp(mode, "nan") == 0)
		row->separation = NAN;
	if (strcmp(mode, "side") == 0)
		row->separation = -row->separation;
	if (strcmp(mode, "deep") == 0)
		row->separation -= 0.1;
	for (int axis = 0; axis < 3 && strcmp(mode, "normal") == 0; axis++)
		row->normal[axis] = -row->normal[axis];
}

void narrowphase_query(void *opened, narrowphase_row *rows)
{
	opened_wrong *on = opened;
	right_query(on->right, rows);
	for (size_t row = 0; row < on->input.pair_count; row++)
		if (is_chosen(&on->input.pairs[row]))
			spoil(on->mode, &rows[row]);
}

void narrowphase_close(void *opened)
{
	opened_wrong *on = opened;
	right_close(on->right);
	free(on);
}
