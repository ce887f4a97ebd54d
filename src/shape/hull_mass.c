/* Volume, centre and inertia of hulls.
 *
 * Method: a solid within triangles is the sum of the tetrahedra between them and any point; the second
 * moments of a tetrahedron are a sum over its corners (Blow, Binstock 2004, How to find the inertia tensor of
 * a 3D solid body represented by a triangle mesh). The point is within the hull, where no tetrahedron is
 * negative and nothing is lost by cancellation: first a vertex, then the centroid itself. */
#include "core/environment.h"
#include "shape/mass.h"
#include "shape/shape.h"
#include "shape/vertices.h"

/* Rounding of a determinant of differences, relative to the sum of the magnitudes of its products. */
#define DETERMINANT_ROUNDING 0x1p-49

/* Fewest faces around a volume. */
#define FACES_MIN 4

/* Integrals over the solid, of places relative to a point. */
typedef struct moments {
	double volume;
	double magnitude;    /* of all products that the volume is made of */
	double first[3];     /* of x */
	double second[3][3]; /* of x times x, transposed */
} moments;

/* Add the tetrahedron between the point and a triangle whose corners are relative to it. */
static void add_tetrahedron(const double corner[3][3], moments *sum)
{
	double across[3], whole[3];
	wp_cross3(corner[1], corner[2], across);
	const double determinant = wp_dot3(corner[0], across);
	for (int k = 0; k < 3; k++) {
		const int j = (k + 1) % 3, i = (k + 2) % 3;
		sum->magnitude += wp_abs(corner[0][k]) *
		                  (wp_abs(corner[1][j] * corner[2][i]) + wp_abs(corner[1][i] * corner[2][j])) / 6.0;
		whole[k] = corner[0][k] + corner[1][k] + corner[2][k];
		sum->first[k] += determinant / 24.0 * whole[k];
	}
	sum->volume += determinant / 6.0;
	for (int i = 0; i < 3; i++) {
		for (int k = 0; k < 3; k++) {
			double products = whole[i] * whole[k];
			for (int vertex = 0; vertex < 3; vertex++)
				products += corner[vertex][i] * corner[vertex][k];
			sum->second[i][k] += determinant / 120.0 * products;
		}
	}
}

/* The moments about a point; faces count as the triangles between their first vertex and their edges. */
static moments moments_about(const wp_core *core, wp_d3 point)
{
	const uint32_t *const start = core->faces, *const index = start + core->face_count + 1;
	moments sum = {0};
	for (uint32_t face = 0; face < core->face_count; face++) {
		double corner[3][3];
		for (uint32_t i = 0; i < start[face + 1] - start[face]; i++) {
			const wp_d3 vertex = wp_core_vertex(core, index[start[face] + i]);
			wp_d3_put(wp_d3_sub(vertex, point), corner[i < 2 ? i : 2]);
			if (i < 2)
				continue;
			add_tetrahedron((const double(*)[3])corner, &sum);
			memcpy(corner[1], corner[2], sizeof corner[1]);
		}
	}
	return sum;
}

/* Whether a solid about its centroid can have these moments: where corners are further off the planes of their faces than the
 * hull is thick, what the triangles enclose is none. */
static bool is_solid(const wp_core *core, const double centroid[3], const moments *sum)
{
	for (uint32_t k = 0; k < 3; k++) {
		double least = (double)WP_INFINITY, most = -(double)WP_INFINITY;
		for (uint32_t i = 0; i < core->count; i++) {
			const double at = (double)core->vertices[(size_t)k * core->padded + i];
			least = at < least ? at : least;
			most = at > most ? at : most;
		}
		if (!(centroid[k] >= least && centroid[k] <= most && sum->second[k][k] > 0))
			return false;
	}
	return true;
}

wp_error wp_mass_of_hull(const wp_core *core, wp_mass *mass)
{
	if (core->face_count < FACES_MIN)
		return WP_ERROR_HULL_VOLUME;
	double centroid[3];
	wp_d3_put(wp_core_vertex(core, 0), centroid);
	const moments rough = moments_about(core, wp_d3_at(centroid));
	if (!(rough.volume > DETERMINANT_ROUNDING * rough.magnitude))
		return WP_ERROR_HULL_VOLUME;
	for (int k = 0; k < 3; k++)
		centroid[k] += rough.first[k] / rough.volume;
	const moments sum = moments_about(core, wp_d3_at(centroid));
	if (!(sum.volume > DETERMINANT_ROUNDING * sum.magnitude) || !is_solid(core, centroid, &sum))
		return WP_ERROR_HULL_VOLUME;

	mass->volume = sum.volume;
	memcpy(mass->centroid, centroid, sizeof centroid);
	for (int i = 0; i < 3; i++) {
		const int j = (i + 1) % 3, k = (i + 2) % 3;
		mass->inertia[i][i] = sum.second[j][j] + sum.second[k][k];
		mass->inertia[j][k] = mass->inertia[k][j] = 0.0 - sum.second[j][k];
	}
	return WP_OK;
}

wp_error wp_hull_mass(const wp_hull *hull, wp_mass *mass)
{
	if (mass == NULL)
		return WP_ERROR_NULL_MASS;
	memset(mass, 0, sizeof *mass);
	if (hull == NULL)
		return WP_ERROR_NULL_HULL;
	const wp_shape shape = wp_shape_hull(hull);
	wp_core core;
	WP_VECTORS float small[WP_SMALL_CORE_FLOATS];
	const wp_environment before = wp_environment_enter();
	wp_error error = WP_ERROR_HULL_CORRUPT;
	if (wp_core_of_shape(&shape, &core, small, NULL) == NULL)
		error = wp_mass_of_hull(&core, mass);
	wp_environment_leave(before);
	return error;
}
