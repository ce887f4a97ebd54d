/* The axes of the boxes about two geoms (the face axes of Gottschalk 1996), then the line between their centres, along which
 * round geoms reach less far than their boxes. */
#include "apart.h"

#include <math.h>

/* Geoms must be apart by this share of their sizes more: far more than rounding of the axes, and than sizes that the library
 * has rounded to float. */
#define ROUNDING 1e-6

/* Two boxes in the world; the axes are columns of the geoms' rotations. */
typedef struct box_pair {
	geom_box boxes[2];
	const mjtNum *turns[2];
	mjtNum way[3]; /* from the middle of the first to the middle of the second */
	mjtNum wanted; /* gap that proves it */
} box_pair;

/* The middle of a geom's box in the world. */
static void centre_of(const mjData *d, int geom, const geom_box *box, mjtNum centre[3])
{
	const mjtNum *const turn = d->geom_xmat + 9 * geom, *const at = d->geom_xpos + 3 * geom;
	for (int row = 0; row < 3; row++)
		centre[row] = at[row] + turn[3 * row] * box->centre[0] + turn[3 * row + 1] * box->centre[1] +
		              turn[3 * row + 2] * box->centre[2];
}

static mjtNum along_column(const mjtNum vector[3], const mjtNum turn[9], int column)
{
	return vector[0] * turn[column] + vector[1] * turn[3 + column] + vector[2] * turn[6 + column];
}

static bool axes_separate(const box_pair *of)
{
	const mjtNum *const p = of->turns[0], *const q = of->turns[1];
	const geom_box *const a = &of->boxes[0], *const b = &of->boxes[1];
	mjtNum reach_b[3] = {b->half[0], b->half[1], b->half[2]};
	for (int i = 0; i < 3; i++) {
		mjtNum reach_a = a->half[i];
		for (int k = 0; k < 3; k++) {
			const mjtNum along = fabs(p[i] * q[k] + p[3 + i] * q[3 + k] + p[6 + i] * q[6 + k]);
			reach_a += along * b->half[k];
			reach_b[k] += along * a->half[i];
		}
		if (fabs(along_column(of->way, p, i)) - reach_a > of->wanted)
			return true;
	}
	for (int k = 0; k < 3; k++)
		if (fabs(along_column(of->way, q, k)) - reach_b[k] > of->wanted)
			return true;
	return false;
}

/* How far a geom reaches from the middle of its box along a unit direction, either way: for a mesh, its box. */
static mjtNum reach_along(
	const mjModel *m, int geom, const geom_box *box, const mjtNum turn[9], const mjtNum direction[3])
{
	const mjtNum *const size = m->geom_size + 3 * geom;
	const mjtNum u[3] = {
		along_column(direction, turn, 0), along_column(direction, turn, 1), along_column(direction, turn, 2)};
	switch (m->geom_type[geom]) {
	case mjGEOM_SPHERE:
		return size[0];
	case mjGEOM_CAPSULE:
		return size[0] + size[1] * fabs(u[2]);
	case mjGEOM_CYLINDER:
		return size[0] * sqrt(u[0] * u[0] + u[1] * u[1]) + size[1] * fabs(u[2]);
	case mjGEOM_ELLIPSOID:
		return sqrt(
			size[0] * size[0] * u[0] * u[0] + size[1] * size[1] * u[1] * u[1] + size[2] * size[2] * u[2] * u[2]);
	default:
		return box->half[0] * fabs(u[0]) + box->half[1] * fabs(u[1]) + box->half[2] * fabs(u[2]);
	}
}

/* Whether a geom reaches less far than its box along some directions. */
static bool is_round(int type) { return type != mjGEOM_BOX && type != mjGEOM_MESH; }

static bool line_separates(const mjModel *m, const int geoms[2], const box_pair *of)
{
	const mjtNum length = sqrt(of->way[0] * of->way[0] + of->way[1] * of->way[1] + of->way[2] * of->way[2]);
	const mjtNum direction[3] = {of->way[0] / length, of->way[1] / length, of->way[2] / length};
	mjtNum gap = length;
	for (int i = 0; i < 2; i++)
		gap -= reach_along(m, geoms[i], &of->boxes[i], of->turns[i], direction);
	return gap > of->wanted;
}

bool geoms_apart(const prepared_model *of, const mjModel *m, const mjData *d, const int geoms[2], mjtNum margin)
{
	box_pair pair = {.wanted = margin > 0 ? margin : 0};
	mjtNum centres[2][3];
	for (int i = 0; i < 2; i++) {
		if (!model_box(of, m, geoms[i], &pair.boxes[i]))
			return false;
		pair.turns[i] = d->geom_xmat + 9 * geoms[i];
		centre_of(d, geoms[i], &pair.boxes[i], centres[i]);
		for (int k = 0; k < 3; k++)
			pair.wanted += ROUNDING * pair.boxes[i].half[k];
	}
	for (int k = 0; k < 3; k++)
		pair.way[k] = centres[1][k] - centres[0][k];
	if (axes_separate(&pair))
		return true;
	return (is_round(m->geom_type[geoms[0]]) || is_round(m->geom_type[geoms[1]])) && line_separates(m, geoms, &pair);
}
