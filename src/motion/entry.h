/* Where bodies of meshes and compounds go, and when they may first meet: what the casts of both share. */
#ifndef WP_MOTION_ENTRY_H
#define WP_MOTION_ENTRY_H

#include "batch/read.h"
#include "batch/workspace.h"

/* Room for rounding of a way, relative to it. */
#define WP_ENTRY_ROUNDING 1e-9

/* The key of what may be met from a fraction on. Rounded down as fractions are. */
WP_INLINE double wp_entry_key(double entry) { return entry <= 1 ? (double)wp_round_down(entry) : (double)WP_INFINITY; }

/* Read where a body goes; its rotation is known. Returns the reasons of A why it goes nowhere, or 0. */
WP_INLINE uint32_t wp_entry_read_way(
	const wp_motions *motions, const wp_side *side, wp_mesh_query_place *place, bool *turns)
{
	uint32_t invalid = 0;
	memcpy(place->end, place->rotation, sizeof place->end);
	memset(place->way, 0, sizeof place->way);
	if (motions->translation.data != NULL)
		memcpy(place->way, wp_offset(motions->translation.data, side->body * motions->translation.stride),
			sizeof place->way);
	if (motions->rotation.data != NULL)
		memcpy(place->end, wp_offset(motions->rotation.data, side->body * motions->rotation.stride), sizeof place->end);
	*turns = memcmp(place->end, place->rotation, sizeof place->end) != 0;
	for (int k = 0; k < 3; k++)
		if (!(wp_abs(side->position[k] + (double)place->way[k]) <= (double)WP_COORDINATE_MAX))
			invalid |= WP_STATUS_INVALID_POSITION_A;
	if (!wp_rotation_holds(place->end, WP_3D))
		invalid |= WP_STATUS_INVALID_ROTATION_A;
	return invalid;
}

#endif
