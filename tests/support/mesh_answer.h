/* What contacts with meshes answer of a row, all of it. */
#ifndef TESTS_SUPPORT_MESH_ANSWER_H
#define TESTS_SUPPORT_MESH_ANSWER_H

#include "widephase/mesh.h"

#define MESH_ANSWER(patches)                          \
	struct {                                          \
		float separation, normal[3];                  \
		uint32_t status, triangle_count, patch_count; \
		wp_mesh_patch patch[patches];                 \
	}

/* Results that are an array of MESH_ANSWER(patches). */
#define MESH_ANSWERS(answers)                                                     \
	((wp_mesh_results){.separation = {&(answers)->separation, sizeof *(answers)}, \
		.normal = {(answers)->normal, sizeof *(answers)},                         \
		.status = {&(answers)->status, sizeof *(answers)},                        \
		.triangle_count = {&(answers)->triangle_count, sizeof *(answers)},        \
		.patch_count = {&(answers)->patch_count, sizeof *(answers)},              \
		.patches = {(answers)->patch, sizeof *(answers)},                         \
		.patch_max = sizeof((answers)->patch) / sizeof((answers)->patch[0])})

#endif
