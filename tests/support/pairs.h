/* Pair files and their truths, read whole, for tests. Pairs with kinds that this version has no shape
 * for are left out and counted. */
#ifndef TESTS_SUPPORT_PAIRS_H
#define TESTS_SUPPORT_PAIRS_H

#include "widephase/query.h"
#include "widephase/shape.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct pairs_record {
	uint32_t shape_a, shape_b;
	wp_pose pose_a, pose_b;
} pairs_record;

typedef struct pairs_truth {
	double separation;
	double normal[3];      /* unit, from A to B */
	double unique;         /* 1 where the normal is */
} pairs_truth;

typedef struct pairs_file {
	size_t shape_count;
	size_t pair_count;
	size_t skipped;        /* pairs left out */
	wp_shape *shapes;
	pairs_record *pairs;
	pairs_truth *truths;   /* NULL where there is no truth file */
	void *hull_memory;
} pairs_file;

/* Read pairs_path and, unless it is NULL, truth_path. False, and a sentence on standard error, when one
 * of them is not what it should be. */
bool pairs_load(const char *pairs_path, const char *truth_path, pairs_file *file);
void pairs_free(pairs_file *file);

#endif
