/* Vertices of cores in double precision. */
#ifndef WP_SHAPE_VERTICES_H
#define WP_SHAPE_VERTICES_H

#include "core/double3.h"
#include "shape/core.h"

/* A vertex of a hull, or a corner of a box, which a segment is too, in the core's own frame. The bits of a corner's index name
 * the axes on whose negative side it lies. */
WP_INLINE wp_d3 wp_core_vertex(const wp_core *core, uint32_t index)
{
	if (core->kind != WP_CORE_HULL) {
		const double x = (double)core->half[0], y = (double)core->half[1], z = (double)core->half[2];
		return wp_d3_of(index & 1 ? -x : x, index & 2 ? -y : y, index & 4 ? -z : z);
	}
	const float *const x = core->vertices + index, *const y = x + core->padded, *const z = y + core->padded;
	return wp_d3_of((double)*x, (double)*y, (double)*z);
}

#endif
