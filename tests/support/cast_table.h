/* How pairs are on their way in the programs that hold casts against an oracle, and the table of what was
 * seen of them. */
#ifndef TESTS_SUPPORT_CAST_TABLE_H
#define TESTS_SUPPORT_CAST_TABLE_H

#include <stdint.h>

/* Where a pair is on its way when its poses are those that it was made with. */
typedef enum cast_scenario {
	CAST_MEET = 0, /* B comes from afar and goes on */
	CAST_GLANCE,   /* across the normal, at a small gap or depth */
	CAST_SLIDE,    /* across the normal from the start */
	CAST_LEAVE,
	CAST_REST,   /* nothing moves, or turns alone */
	CAST_SLOW,   /* a hundredth of the size and less */
	CAST_FAST,   /* 30 to 1000 sizes */
	CAST_WANDER, /* both, anywhere */
	CAST_RAY,    /* A is a point, or small and round */
	CAST_FOLLOW, /* CAST_MEET, with both moving */
	CAST_SCENARIO_COUNT
} cast_scenario;

const char *cast_scenario_name(cast_scenario scenario);

/* Of the pairs of a turn of all constructions: scenarios take turns, and those with no, one or both bodies
 * turning, of which bit k is set where body k does. */
cast_scenario cast_scenario_of(uint64_t turn);
uint32_t cast_turning_of(uint64_t turn);

/* How near the fraction of a hit must be to the first touch. */
#define CAST_FRACTION_ERROR 1e-4

typedef struct cast_tally {
	uint64_t pairs, hits, at_start, misses, either, capped, undecided, broken;
	double error_max, capped_max;
} cast_tally;

typedef struct cast_table {
	cast_tally straight[CAST_SCENARIO_COUNT], turning[CAST_SCENARIO_COUNT];
} cast_table;

cast_tally *cast_table_find(cast_table *table, uint64_t turn);

/* Below a heading a row for each scenario, straight and turning. Returns how many promises were broken. */
uint64_t cast_table_print(const cast_table *table);

/* One more row. */
void cast_tally_print(const char *name, const cast_tally *tally);

#endif
