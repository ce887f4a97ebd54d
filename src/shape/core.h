/* A core: what is left of a shape without its radius, as kernels see it. */
#ifndef WP_SHAPE_CORE_H
#define WP_SHAPE_CORE_H

#include "core/base.h"
#include "core/capacity.h"

#define WP_VECTORS _Alignas(WP_ALIGNMENT_OF_VECTORS)
#define WP_ALIGNMENT_OF_VECTORS 64

typedef enum wp_core_kind {
	WP_CORE_BOX,                         /* |x|, |y|, |z| <= half[0], half[1], half[2] */
	WP_CORE_HULL,                        /* convex hull of vertices */
	WP_CORE_SEGMENT,                     /* along Y: a box without extent along X and Z; a point too */
	WP_CORE_SMOOTH,                      /* cylinder, cone or ellipsoid: a wp_form */
	WP_CORE_HALF_SPACE,                  /* y <= 0 */
	WP_CORE_KIND_COUNT,                  /* of the kinds that kernels have */
	WP_CORE_CUSTOM = WP_CORE_KIND_COUNT, /* of a support function: for the strong path alone */
	WP_CORE_INVALID
} wp_core_kind;

/* Whether a pair has a smooth core: known at compile time where the kinds are. */
WP_INLINE bool wp_is_smooth(int kind_a, int kind_b) { return kind_a == WP_CORE_SMOOTH || kind_b == WP_CORE_SMOOTH; }

/* The forms that kernels for smooth cores have for any core but a hull. */
typedef enum wp_form {
	WP_FORM_BOX,       /* a segment too */
	WP_FORM_CYLINDER,  /* along Y: half[0] is its radius, as half[2] is, half[1] half its height */
	WP_FORM_CONE,      /* the same numbers; its apex is at +Y */
	WP_FORM_ELLIPSOID, /* semi-axes half[0], half[1], half[2] */
	WP_FORM_COUNT      /* how many forms there are; not a form */
} wp_form;

/* What a ray meets; each kind has a closed form of its own. */
typedef enum wp_ray_kind {
	WP_RAY_BALL,    /* a segment without length, with a radius */
	WP_RAY_SEGMENT, /* one with a length and a radius */
	WP_RAY_BOX,
	WP_RAY_CYLINDER,
	WP_RAY_CONE,      /* without a radius, as the next two */
	WP_RAY_ELLIPSOID, /* with extents */
	WP_RAY_HULL,      /* with faces */
	WP_RAY_HALF_SPACE,
	WP_RAY_KIND_COUNT
} wp_ray_kind;

typedef struct wp_core {
	WP_VECTORS float half[3]; /* box, segment; others: of a box around it */
	float radius;
	float bound;  /* largest distance of a core point from the origin, rounded up; half-space: 0 */
	uint8_t kind; /* wp_core_kind */
	uint8_t
		has_planes; /* of a table: 1 for a hull whose faces lie in their planes, but for WP_PLANE_SLACK of its bound */
	uint8_t
		ray[2]; /* of a table: one more than the wp_ray_kind that rays of points, and of balls, have for it; 0: none */
	uint32_t count;        /* hull: vertices, 1 .. WP_HULL_VERTEX_MAX; others: a wp_form */
	uint32_t padded;       /* hull: stride between x, y and z; a multiple of WP_WIDTH_MAX */
	const float *vertices; /* hull: x[padded], y[padded], z[padded], aligned to WP_ALIGNMENT */
	union {
		const float *normals; /* hull: planes of its faces, as in wp_hull, wp_padded_faces apart; NULL without faces */
		const struct wp_custom *custom; /* custom: of shape.h */
	};
	const uint32_t *faces; /* hull: start[face_count + 1], then the indices of their vertices */
	uint32_t face_count;
	float inner; /* of a table: radius of a ball about the origin that the core holds; 0 where none is known */
} wp_core;

/* The stride between x, y and z of the normals of a hull's faces, and the distances of their planes. */
WP_INLINE uint32_t wp_padded_faces(const wp_core *core)
{
	return (core->face_count + WP_WIDTH_MAX - 1) & ~(WP_WIDTH_MAX - 1u);
}

_Static_assert(sizeof(wp_core) == 64, "one core per cache line");
_Static_assert(offsetof(wp_core, half) == 0 && offsetof(wp_core, radius) == 12, "kernels read them as a quad");

#endif
