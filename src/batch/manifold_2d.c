#include "batch/manifold_2d.h"
#include "strong/strong_2d.h"
#include "widephase/2d.h"

_Static_assert(sizeof(wp2d_manifold_point) == WP2D_POINT_FLOATS * sizeof(float) &&
				   WP2D_MANIFOLD_POINT_MAX * WP2D_POINT_FLOATS <= WP2D_POINTS_FLOATS,
	"kernels give the numbers of a point in its order");

/* ---- of the strong path ------------------------------------------------------------------------- */

/* As in wide/2d/manifold_2d.h, but in double precision: in the frame of A, t along A's edge, counter-clockwise, and heights
 * along the normal, each side's own way outwards. */

/* The edge of a shape whose normal is nearest to the contact's, its ends in ascending order of t. Both ends of a point are
 * the point. */
typedef struct facing {
	double t[2], height[2]; /* of the ends */
	uint32_t name[2];       /* numbers of their vertices */
	double radius;
	double slope; /* of the edge; 0 without one */
	bool faces;   /* there is an edge, and its normal leans no further from the contact's than 84 degrees */
} facing;

/* The pair, and what turns and counts its points. */
typedef struct patch {
	wp_d2 n, t;         /* in the frame of A */
	wp_d2 turn_a, turn; /* of A to the world; from the frame of B to the frame of A */
	wp_d2 offset;       /* origin of B */
	facing a, b;
	double low, high; /* of t: what both edges have in common */
	double near;      /* ends as near as this along t are one */
} patch;

/* A vertex as (t, height). */
static wp_d2 over(const wp2d_core *core, uint32_t i, wp_d2 turn, wp_d2 offset, wp_d2 outward, wp_d2 t)
{
	const wp_d2 v = wp_d2_add(wp_d2_turn(turn, wp_d2_vertex(core, i)), offset);
	return (wp_d2){wp_d2_dot(v, t), wp_d2_dot(v, outward)};
}

static facing facing_of(const wp2d_core *core, wp_d2 turn, wp_d2 offset, wp_d2 outward, wp_d2 t)
{
	wp_d2 peak = over(core, 0, turn, offset, outward, t);
	uint32_t top = 0;
	for (uint32_t i = 1; i < core->count; i++) {
		const wp_d2 v = over(core, i, turn, offset, outward, t);
		if (v.y > peak.y) {
			peak = v;
			top = i;
		}
	}
	/* Of the two edges that meet there, take the one more across the normal: by the squares of cosines, as
	 * fractions. */
	const uint32_t others[2] = {top + 1 < core->count ? top + 1 : 0, (top > 0 ? top : core->count) - 1};
	wp_d2 end = peak;
	uint32_t other = top;
	double across2 = 0.0, length2 = 0.0;
	for (int i = 0; i < 2 && core->count > 1; i++) {
		const wp_d2 v = over(core, others[i], turn, offset, outward, t), way = wp_d2_sub(v, peak);
		const double way_across2 = way.x * way.x, way_length2 = wp_d2_dot(way, way);
		if (i == 0 || way_across2 * length2 > across2 * way_length2) {
			across2 = way_across2;
			length2 = way_length2;
			end = v;
			other = others[i];
		}
	}
	const double cosine_min = (double)WP_PATCH_SLOPE_MIN;
	const bool is_low = end.x<peak.x, faces = across2> 0.0 && across2 >= cosine_min * cosine_min * length2;
	const wp_d2 low = is_low ? end : peak, high = is_low ? peak : end;
	return (facing){.t = {low.x, high.x},
		.height = {low.y, high.y},
		.name = {core->names[is_low ? other : top], core->names[is_low ? top : other]},
		.radius = (double)core->radius,
		.slope = faces ? (high.y - low.y) / (high.x - low.x) : 0.0,
		.faces = faces};
}

/* Height of a rounded edge over t: the edge moved outwards, or the circles around its ends. */
static double surface_at(const facing *f, double t)
{
	const double plane = f->height[0] + f->slope * (t - f->t[0]);
	if (f->radius == 0.0)
		return plane;
	const double lengthen = wp_sqrt(1.0 + f->slope * f->slope), aside = -f->radius * f->slope / lengthen;
	const int end = t < f->t[0] + aside ? 0 : t > f->t[1] + aside ? 1 : -1;
	if (end < 0)
		return plane + f->radius * lengthen;
	const double away = t - f->t[end], left2 = f->radius * f->radius - away * away;
	return f->height[end] + (left2 > 0.0 ? wp_sqrt(left2) : 0.0);
}

static uint32_t edge_id(const facing *f)
{
	const uint32_t i = f->name[0], j = f->name[1];
	return i < j ? i | j << 16 : j | i << 16;
}

/* The vertex at t, or the edge where there is none. */
static uint32_t feature_at(const facing *f, double t, double near)
{
	for (int i = 0; i < 2; i++)
		if (wp_abs(t - f->t[i]) <= near)
			return f->name[i] | f->name[i] << 16;
	return edge_id(f);
}

static void put_floats(wp_d2 from, float to[2])
{
	to[0] = (float)from.x;
	to[1] = (float)from.y;
}

/* A point over t, of heights along the normal. */
static void put_point(
	const patch *p, const double origin[2], double t, double height_a, double height_b, wp2d_manifold_point *point)
{
	const wp_d2 a = wp_d2_add(wp_d2_scale(p->t, t), wp_d2_scale(p->n, height_a));
	const wp_d2 b = wp_d2_add(wp_d2_scale(p->t, t), wp_d2_scale(p->n, height_b));
	const wp_d2 from = {origin[0], origin[1]};
	put_floats(wp_d2_add(from, wp_d2_turn(p->turn_a, a)), point->point_a);
	put_floats(wp_d2_add(from, wp_d2_turn(p->turn_a, b)), point->point_b);
	put_floats(a, point->local_a);
	put_floats(wp_d2_turn_back(p->turn, wp_d2_sub(b, p->offset)), point->local_b);
	point->separation = (float)(height_b - height_a);
	point->feature_a = feature_at(&p->a, t, p->near);
	point->feature_b = feature_at(&p->b, t, p->near);
	const bool both = point->feature_a != edge_id(&p->a) && point->feature_b != edge_id(&p->b);
	if (both && p->high - p->low > p->near)
		point->feature_b = edge_id(&p->b);
}

static void put_contact(const wp_input *input, const wp_output *contact, wp2d_manifold_point *point)
{
	for (int i = 0; i < 2; i++) {
		point->point_a[i] = (float)(input->a.position[i] + contact->point_a[i]);
		point->point_b[i] = (float)(input->a.position[i] + contact->point_b[i]);
		point->local_a[i] = contact->local_a[i];
		point->local_b[i] = contact->local_b[i];
	}
	point->separation = contact->separation;
}

static void put_witness(const patch *p, const wp_input *input, const wp_output *contact, wp2d_manifold_point *point)
{
	const wp_d2 a = wp_d2_turn_back(p->turn_a, (wp_d2){contact->point_a[0], contact->point_a[1]});
	const double t = wp_d2_dot(a, p->t);
	put_contact(input, contact, point);
	point->feature_a = feature_at(&p->a, t, p->near);
	point->feature_b = feature_at(&p->b, t, p->near);
}

/* The only point that a circle can have with another, at the first vertex of each, which is the only one. */
static uint32_t put_circles(
	const wp_input *input, const wp_output *contact, float max_separation, wp2d_manifold_point *point)
{
	if (!(contact->separation <= max_separation))
		return 0;
	put_contact(input, contact, point);
	point->feature_a = point->feature_b = 0;
	return 1;
}

static double lesser(double u, double v) { return u < v ? u : v; }
static double larger(double u, double v) { return u > v ? u : v; }

static void make_patch(const wp2d_core *core_a, const wp2d_core *core_b, const wp_input *input,
	const wp_output *contact, double size, patch *p)
{
	const double *const from = input->a.position, *const to = input->b.position;
	const wp_d2 turn_b = wp_d2_rotation(input->b.rotation), away = {to[0] - from[0], to[1] - from[1]};
	const wp_d2 unturned = {1.0, 0.0}, origin = {0.0, 0.0};
	p->turn_a = wp_d2_rotation(input->a.rotation);
	p->turn = wp_d2_turn_back(p->turn_a, turn_b);
	p->offset = wp_d2_turn_back(p->turn_a, away);
	p->n = wp_d2_turn_back(p->turn_a, wp_d2_rotation(contact->normal));
	p->t = wp_d2_scale(wp_d2_right(p->n), -1.0);
	p->near = (double)WP_PATCH_APART * size;
	p->a = facing_of(core_a, unturned, origin, p->n, p->t);
	p->b = facing_of(core_b, p->turn, p->offset, wp_d2_scale(p->n, -1.0), p->t);
	p->low = larger(p->a.t[0], p->b.t[0]);
	p->high = lesser(p->a.t[1], p->b.t[1]);
}

/* Both ends of what the edges have in common. Returns how many of them are kept. */
static uint32_t put_ends(const patch *p, const double origin[2], float max_separation, wp2d_manifold_point *points)
{
	const double ends[2] = {p->low, p->high};
	uint32_t count = 0;
	if (p->high - p->low <= p->near || !p->a.faces || !p->b.faces)
		return 0;
	for (int i = 0; i < 2; i++) {
		put_point(p, origin, ends[i], surface_at(&p->a, ends[i]), -surface_at(&p->b, ends[i]), &points[count]);
		count += points[count].separation <= max_separation;
	}
	return count;
}

/* The points of a contact that is valid and not beyond max_separation. Returns how many they are. */
static uint32_t make_manifold(const wp_call *call, const wp_input *input, const wp_output *contact,
	wp2d_manifold_point points[WP2D_MANIFOLD_POINT_MAX])
{
	const wp2d_core *const a = &call->cores_2d[input->a.shape], *const b = &call->cores_2d[input->b.shape];
	const float max_separation = call->max_separation;
	const double reach_a = (double)a->bound + (double)a->radius, reach_b = (double)b->bound + (double)b->radius;
	const double size = larger(reach_a, reach_b);
	wp2d_manifold_point ends[WP2D_MANIFOLD_POINT_MAX];
	patch p;
	if (a->count == 1 && b->count == 1)
		return put_circles(input, contact, max_separation, points);
	make_patch(a, b, input, contact, size, &p);
	const uint32_t count = put_ends(&p, input->a.position, max_separation, ends);
	const double deepest = (double)contact->separation + (double)WP_PATCH_DEEPER * size;
	const uint32_t best = count == 2 && ends[1].separation < ends[0].separation;
	uint32_t made = 0;
	if (count == 0 || !((double)ends[best].separation <= deepest)) {
		if (!(contact->separation <= max_separation))
			return 0;
		put_witness(&p, input, contact, &points[made++]);
		if (count != 0)
			points[made++] = ends[best];
		return made;
	}
	for (; made < count; made++)
		points[made] = ends[made];
	return made;
}

/* ---- writing ------------------------------------------------------------------------------------ */

static unsigned char *points_of_row(const wp_point_rows *to, size_t row)
{
	return to->points + row * to->points_stride;
}

WP_INLINE void write_count(const wp_point_rows *to, size_t row, uint32_t count)
{
	memcpy((char *)to->count + row * to->count_stride, &count, sizeof count);
}

/* The deeper of two points, the first of equally deep ones. */
static const unsigned char *deeper_of(const unsigned char *points)
{
	const unsigned char *const second = points + sizeof(wp2d_manifold_point);
	float separation[2];
	memcpy(&separation[0], points + offsetof(wp2d_manifold_point, separation), sizeof separation[0]);
	memcpy(&separation[1], second + offsetof(wp2d_manifold_point, separation), sizeof separation[1]);
	return separation[1] < separation[0] ? second : points;
}

/* How many points a row has, and the points; in two copies of lengths that are known, not one of any length. */
WP_INLINE void write_points(const wp_point_rows *to, size_t row, const void *points, uint32_t count)
{
	if (count > to->point_max) {
		points = deeper_of(points);
		count = to->point_max;
	}
	write_count(to, row, count);
	if (count > 1)
		memcpy(points_of_row(to, row), points, 2 * sizeof(wp2d_manifold_point));
	else if (count == 1)
		memcpy(points_of_row(to, row), points, sizeof(wp2d_manifold_point));
}

void wp2d_write_manifold(const wp_call *call, uint32_t row, const wp_input *input, const wp_output *output)
{
	wp2d_manifold_point points[WP2D_MANIFOLD_POINT_MAX] = {{.separation = 0.0f}};
	uint32_t count = 0;
	if (!(output->status & (WP_STATUS_INVALID | WP_STATUS_BEYOND)))
		count = make_manifold(call, input, output, points);
	write_points(&call->manifolds, call->first + row, points, count);
}

/* Both points of a contact or of a place in a manifold, relative to the position of A, moved to where that is. */
static void move_points(const double origin[3], float points[2 * WP_2D])
{
	for (int i = 0; i < 2 * WP_2D; i++)
		points[i] = (float)(origin[i % WP_2D] + (double)points[i]);
}

/* Where the points of manifolds are relative to positions in double. */
static void move_jobs(wp2d_jobs *jobs)
{
	for (uint32_t job = 0; job < jobs->count; job++) {
		float *const points = jobs->points + (size_t)WP2D_POINTS_FLOATS * job;
		if (jobs->are_circles)
			move_points(jobs->origin[job], jobs->output + (size_t)WP2D_OUTPUT_COUNT * job + WP2D_OUTPUT_POINT_A);
		for (int32_t k = 0; k < jobs->point_count[job] && !jobs->are_circles; k++)
			move_points(jobs->origin[job], points + (size_t)WP2D_POINT_FLOATS * (size_t)k);
	}
}

_Static_assert(offsetof(wp2d_manifold_point, local_a) == 4 * sizeof(float) &&
				   offsetof(wp2d_manifold_point, separation) == 8 * sizeof(float) &&
				   offsetof(wp2d_manifold_point, feature_a) == 9 * sizeof(float) &&
				   (int)WP2D_OUTPUT_POINT_B == (int)WP2D_OUTPUT_POINT_A + 2,
	"where a point has the numbers of a contact");

/* The contact of a job as the point of a row: all that circles have. */
WP_INLINE void write_contact(const wp2d_jobs *jobs, uint32_t job, unsigned char *at)
{
	const float *const output = jobs->rows + (size_t)WP2D_OUTPUT_COUNT * job;
	memcpy(at, output + WP2D_OUTPUT_POINT_A, 4 * sizeof(float));
	memcpy(at + 4 * sizeof(float), jobs->detail + (size_t)WP2D_DETAIL_COUNT * job, 4 * sizeof(float));
	memcpy(at + 8 * sizeof(float), output + WP2D_OUTPUT_SEPARATION, sizeof(float));
	memset(at + 9 * sizeof(float), 0, 2 * sizeof(float));
}

static bool are_consecutive(const wp2d_jobs *jobs)
{
	return jobs->row[jobs->count - 1] - jobs->row[0] == jobs->count - 1;
}

static void write_counts(const wp_call *call, const wp2d_jobs *jobs)
{
	const wp_point_rows *const to = &call->manifolds;
	if (to->count_stride == sizeof(uint32_t) && are_consecutive(jobs)) {
		memcpy(to->count + call->first + jobs->row[0], jobs->point_count, jobs->count * sizeof(uint32_t));
		return;
	}
	for (uint32_t job = 0; job < jobs->count; job++)
		write_count(to, call->first + jobs->row[job], (uint32_t)jobs->point_count[job]);
}

/* The points that kernels did not write. */
static void write_contacts(const wp_call *call, const wp2d_jobs *jobs)
{
	const wp_point_rows to = call->manifolds;
	for (uint32_t first = 0; first < jobs->count; first += 32) {
		for (uint32_t left = jobs->unwritten[first / 32]; left != 0; left &= left - 1) {
			const uint32_t job = first + wp_lowest_bit(left);
			if (job < jobs->count) /* lanes past the last job do what the first one does */
				write_contact(jobs, job, points_of_row(&to, call->first + jobs->row[job]));
		}
	}
}

unsigned char *wp2d_point_rows_of_jobs(const wp_call *call, const wp2d_jobs *jobs)
{
	const bool are_there = jobs->wants_manifolds && jobs->has_float_points && are_consecutive(jobs);
	return are_there ? points_of_row(&call->manifolds, call->first + jobs->row[0]) : NULL;
}

static void write_manifolds(const wp_call *call, const wp2d_jobs *jobs)
{
	const wp_point_rows to = call->manifolds;
	for (uint32_t job = 0; job < jobs->count; job++)
		write_points(&to, call->first + jobs->row[job], jobs->points + (size_t)WP2D_POINTS_FLOATS * job,
			(uint32_t)jobs->point_count[job]);
}

void wp2d_write_manifolds(const wp_call *call, wp2d_jobs *jobs)
{
	if (!jobs->has_float_points)
		move_jobs(jobs);
	if (!jobs->are_circles) {
		write_manifolds(call, jobs);
		return;
	}
	write_counts(call, jobs);
	write_contacts(call, jobs);
}
