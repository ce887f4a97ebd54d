#include "support/cast_table.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>

static const char *const names[CAST_SCENARIO_COUNT] = {
	"meet", "glance", "slide", "leave", "rest", "slow", "fast", "wander", "ray", "follow"};

const char *cast_scenario_name(cast_scenario scenario) { return names[scenario]; }

cast_scenario cast_scenario_of(uint64_t turn) { return (cast_scenario)(turn % CAST_SCENARIO_COUNT); }

uint32_t cast_turning_of(uint64_t turn) { return (uint32_t)(turn / CAST_SCENARIO_COUNT % 4); }

cast_tally *cast_table_find(cast_table *table, uint64_t turn)
{
	return (cast_turning_of(turn) != 0 ? table->turning : table->straight) + cast_scenario_of(turn);
}

void cast_tally_print(const char *name, const cast_tally *t)
{
	const uint64_t counts[] = {
		t->pairs, t->hits, t->at_start, t->misses, t->either, t->capped, t->undecided, t->broken};
	printf("%-18s", name);
	for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
		printf(" %9" PRIu64, counts[i]);
	printf(" %9.2g %9.2g\n", t->error_max, t->capped_max);
}

static uint64_t print_rows(const cast_tally tallies[CAST_SCENARIO_COUNT], const char *suffix)
{
	uint64_t broken = 0;
	for (int s = 0; s < CAST_SCENARIO_COUNT; s++) {
		char name[64];
		snprintf(name, sizeof name, "%s%s", names[s], suffix);
		cast_tally_print(name, &tallies[s]);
		broken += tallies[s].broken;
	}
	return broken;
}

uint64_t cast_table_print(const cast_table *table)
{
	printf("%-18s %9s %9s %9s %9s %9s %9s %9s %9s %9s %9s\n", "casts", "pairs", "hits", "at start", "misses", "either",
		"capped", "undecided", "broken", "error", "of capped");
	const uint64_t straight = print_rows(table->straight, "");
	return straight + print_rows(table->turning, " turning");
}
