/* A small capture with its truth: what the tests of the reader and writer of pair files work on. */
#ifndef TESTS_SUPPORT_CAPTURE_SAMPLE_H
#define TESTS_SUPPORT_CAPTURE_SAMPLE_H

#include "capture.h"

enum { SHAPES = 6, VERTICES = 5, PAIRS = 4 };

/* Where parts of the pair file begin, and its size. */
enum {
	AT_SHAPES = CAPTURE_HEADER_SIZE,
	AT_HULL = AT_SHAPES + 28,
	AT_VERTICES = AT_SHAPES + SHAPES * 28,
	AT_PAIRS = AT_VERTICES + VERTICES * 12,
	FILE_SIZE = AT_PAIRS + PAIRS * 64,
	AT_MOTIONS = FILE_SIZE,
	MOVING_FILE_SIZE = AT_MOTIONS + PAIRS * 56,
};

static const capture_shape shapes[SHAPES] = {
	{CAPTURE_BOX, {1, 2, 3, 0.5f}, 0, 0},
	{CAPTURE_HULL, {0, 0, 0, 0.25f}, 0, 4},
	{CAPTURE_CAPSULE, {0.5f, 1, 0, 0}, 0, 0},
	{CAPTURE_CONE, {1, 2, 0, 0}, 0, 0},
	{CAPTURE_HULL, {0, 0, 0, 0}, 4, 1},
	{CAPTURE_SPHERE, {0.5f, 0, 0, 0}, 0, 0},
};
static const float vertices[VERTICES][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {3, 3, 3}};
static const capture_pair pairs[PAIRS] = {
	{0, 1, {0, 0, 0}, {0, 0, 0, 1}, {3, 0, 0}, {0, 0, 0, 1}},
	{1, 2, {1, 2, 3}, {1, 0, 0, 0}, {4, 5, 6}, {0, 0, 1, 0}},
	{3, 2, {0, 0, 0}, {0, 0, 0, 1}, {0, 9, 0}, {0, 0, 0, 1}},
	{4, 0, {0.25f, 0, 0}, {0, 0.6f, 0, 0.8f}, {0, 0.5f, 0}, {0, 0, 0, 1}},
};
static const capture_truth truth[PAIRS] = {
	{1.5, {1, 0, 0}, 1},
	{-0.25, {0, 1, 0}, 0},
	{7, {0, 0.6, 0.8}, 1},
	{0, {0, 0, -1}, 0},
};
static const capture_motion motions[PAIRS] = {
	{{0, 0, 0}, {0, 0, 0, 1}, {-4, 0, 0}, {0, 0.6f, 0, 0.8f}},
	{{1, 2, 3}, {1, 0, 0, 0}, {0, 0.125f, 0}, {0, 0, 1, 0}},
	{{0, 0, 0}, {0, 0, 0, 1}, {0, -9, 0}, {0, 0, 0, 1}},
	{{0.25f, 0, 0}, {0, 0.6f, 0, 0.8f}, {0, 0.5f, 0}, {0, 0, 0, 1}},
};
static const capture_contents contents = {shapes, vertices, pairs, SHAPES, VERTICES, PAIRS, NULL, NULL};
static const capture_contents moving = {shapes, vertices, pairs, SHAPES, VERTICES, PAIRS, motions, NULL};

#endif
