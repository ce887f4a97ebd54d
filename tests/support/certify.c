#include "certify.h"

#include "core/contract.h"
#include "faceted_surface.h"
#include "gen.h"
#include "half_space_oracle.h"
#include "shape_core.h"
#include "turned_surface.h"

#include <math.h>

static double dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/* v turned by a quaternion, or back by it. */
static void turn(const float rotation[4], double back, const double v[3], double out[3])
{
	double q[4], length2 = 0;
	for (int i = 0; i < 4; i++)
		length2 += (double)rotation[i] * (double)rotation[i];
	for (int i = 0; i < 4; i++)
		q[i] = (double)rotation[i] / sqrt(length2) * (i < 3 ? back : 1.0);
	double t[3];
	for (int i = 0; i < 3; i++)
		t[i] = 2 * (q[(i + 1) % 3] * v[(i + 2) % 3] - q[(i + 2) % 3] * v[(i + 1) % 3]);
	for (int i = 0; i < 3; i++)
		out[i] = v[i] + q[3] * t[i] + q[(i + 1) % 3] * t[(i + 2) % 3] - q[(i + 2) % 3] * t[(i + 1) % 3];
}

static bool is_half_space(const wp_shape *s) { return s->kind == WP_SHAPE_HALF_SPACE; }

/* How far a shape reaches along a unit direction of its own frame, from its origin. Of a half-space that is its normal. */
static double reach_in_frame(const wp_shape *s, const double d[3])
{
	const v3 along = v3_of(d[0], d[1], d[2]);
	return (double)s->radius + v3_dot(shape_core_point(s, along), along);
}

/* The same along a direction of the world. */
static double reach(const wp_shape *s, const float rotation[4], const double n[3])
{
	double d[3];
	turn(rotation, -1, n, d);
	return reach_in_frame(s, d);
}

static double bound(const wp_shape *s) { return shape_core_bound(s) + (double)s->radius; }

double certify_contract_of(const wp_shape *a, const wp_shape *b, uint32_t status)
{
	return !shape_core_is_smooth(a) && !shape_core_is_smooth(b) ? WP_CONTRACT
	     : status & WP_STATUS_WIDE_BRACKET                      ? WP_CONTRACT_SMOOTH_WIDE
	                                                            : WP_CONTRACT_SMOOTH;
}

typedef struct certify_ways {
	double n[CERTIFY_WAYS][3]; /* unit directions */
	bool are_drawn;
} certify_ways;

static const certify_ways *ways(void)
{
	static certify_ways drawn;
	gen_random random;
	gen_seed(&random, 1);
	for (int k = 0; k < CERTIFY_WAYS && !drawn.are_drawn; k++) {
		double *const n = drawn.n[k];
		for (int i = 0; i < 3; i++)
			n[i] = gen_range(&random, -1, 1);
		const double length = sqrt(dot(n, n));
		for (int i = 0; i < 3; i++)
			n[i] /= length;
	}
	drawn.are_drawn = true;
	return &drawn;
}

certify_pair certify_prepare(
	const wp_shape *a, const wp_pose *pose_a, const wp_shape *b, const wp_pose *pose_b, const wp_row *row)
{
	certify_pair p = {.shape = {a, b}, .pose = {pose_a, pose_b}, .length = fmax(bound(a), bound(b))};
	double far = 0;
	for (int i = 0; i < 3; i++) {
		p.offset[i] = (double)pose_b->position[i] - (double)pose_a->position[i];
		far = fmax(far, fmax(fabs((double)row->point_a[i]), fabs((double)row->point_b[i])));
	}
	const double unit = p.length + fabs((double)row->separation);
	p.contract = certify_contract_of(a, b, row->status) * unit + 0x1p-147;
	p.point_contract = shape_core_is_smooth(a) || shape_core_is_smooth(b) ? WP_CONTRACT_SMOOTH_POINT * unit + 0x1p-147
	                                                                      : p.contract;
	p.far = is_half_space(a) || is_half_space(b) ? sqrt(dot(p.offset, p.offset)) : 0;
	p.rounding = 2e-7 * far + WP_CONTRACT_FAR * p.far + 0x1p-147;
	for (int side = 0; side < 2; side++)
		for (int k = 0; k < CERTIFY_WAYS && !is_half_space(p.shape[side]); k++)
			p.reach[side][k] = reach_in_frame(p.shape[side], ways()->n[k]);
	return p;
}

static const char *check_finite(const wp_row *row)
{
	bool finite = isfinite(row->separation) && isfinite(row->lower) && !isnan(row->upper);
	for (int i = 0; i < 3; i++)
		finite = finite && isfinite(row->normal[i]) && isfinite(row->point_a[i]) && isfinite(row->point_b[i]);
	if (row->status & WP_STATUS_INVALID)
		return "a valid pair is answered";
	return finite ? NULL : "all numbers are finite";
}

static const char *check_bracket(const certify_pair *p, const wp_row *row)
{
	const uint32_t state = row->status & (WP_STATUS_SEPARATED | WP_STATUS_TOUCHING | WP_STATUS_PENETRATING);
	if (state != (row->lower > 0 ? WP_STATUS_SEPARATED : row->upper < 0 ? WP_STATUS_PENETRATING : WP_STATUS_TOUCHING))
		return "the state is what the bracket proves";
	if (!(row->lower <= row->separation && row->separation <= row->upper))
		return "the bracket holds the separation";
	/* A wide one of smooth shapes has a contract, too, and one of a half-space is as wide as double makes it. */
	const bool is_wide = row->status & WP_STATUS_WIDE_BRACKET,
			   is_polytope = !shape_core_is_smooth(p->shape[0]) && !shape_core_is_smooth(p->shape[1]);
	const double doubt = is_wide ? 3e-15 * p->far : 0;
	if (!(is_wide && is_polytope) && (double)row->upper - (double)row->lower > p->contract + doubt)
		return "the bracket is narrow";
	return NULL;
}

static const char *check_normal(const certify_pair *p, const wp_row *row)
{
	double n[3], back[3];
	for (int i = 0; i < 3; i++) {
		n[i] = (double)row->normal[i];
		back[i] = -n[i];
	}
	if (!(fabs(sqrt(dot(n, n)) - 1) < WP_CONTRACT_UNIT))
		return "the normal has unit length";
	for (int side = 0; side < 2; side++) {
		if (!is_half_space(p->shape[side]))
			continue;
		const v3 up = half_space_normal(p->pose[side]->rotation), own = v3_scale(up, side ? -1 : 1);
		if (!(v3_length(v3_sub(own, v3_of(n[0], n[1], n[2]))) < WP_CONTRACT_UNIT))
			return "the normal is the half-space's";
		const double exact[3] = {own.x, own.y, own.z};
		for (int i = 0; i < 3; i++) {
			n[i] = exact[i];
			back[i] = -exact[i];
		}
	}
	const double gap = dot(n, p->offset) - reach(p->shape[0], p->pose[0]->rotation, n) -
	                   reach(p->shape[1], p->pose[1]->rotation, back);
	const double allowed = p->contract + WP_CONTRACT_FAR * p->far;
	return fabs(gap - (double)row->separation) <= allowed ? NULL : "the normal proves the separation";
}

/* Whether a point lies in a shape, but for `allowed`, judged by support planes: across the normal and some forty
 * others. */
static bool lies_near(const certify_pair *p, int side, const float point[3], const wp_row *row, double allowed)
{
	const wp_shape *const shape = p->shape[side];
	const float *const rotation = p->pose[side]->rotation;
	const v3 from = v3_sub(v3_of_floats(point), v3_of_floats(p->pose[side]->position));
	if (is_half_space(shape))
		return v3_dot(half_space_normal(rotation), from) <= (double)shape->radius + allowed;
	double world[3] = {from.x, from.y, from.z}, local[3], n[3];
	for (int i = 0; i < 3; i++)
		n[i] = (double)row->normal[i] * (side ? -1 : 1);
	const double length = sqrt(dot(n, n));
	for (int i = 0; i < 3; i++)
		n[i] /= length;
	if (!(dot(n, world) <= reach(shape, rotation, n) + allowed))
		return false;
	turn(rotation, -1, world, local);
	const certify_ways *const all = ways();
	for (int k = 0; k < CERTIFY_WAYS; k++)
		if (!(dot(all->n[k], local) <= p->reach[side][k] + allowed))
			return false;
	return true;
}

static bool lies_in(const certify_pair *p, int side, const float point[3], const wp_row *row)
{
	return lies_near(p, side, point, row, p->point_contract + p->rounding);
}

static const char *check_points(const certify_pair *p, const wp_row *row)
{
	double miss2 = 0;
	for (int i = 0; i < 3; i++) {
		const double miss = (double)row->point_b[i] - (double)row->point_a[i] -
		                    (double)row->separation * (double)row->normal[i];
		miss2 += miss * miss;
	}
	if (!(sqrt(miss2) <= p->point_contract + p->rounding))
		return "point_a + separation * normal is point_b";
	if (!lies_in(p, 0, row->point_a, row))
		return "point_a is in A";
	return lies_in(p, 1, row->point_b, row) ? NULL : "point_b is in B";
}

const char *certify_contact(const certify_pair *p, const wp_row *contact)
{
	const char *broken = check_finite(contact);
	broken = broken ? broken : check_bracket(p, contact);
	broken = broken ? broken : check_normal(p, contact);
	return broken ? broken : check_points(p, contact);
}

const char *certify_depth_along(const certify_pair *p, const wp_row *row, const double u[3])
{
	const char *broken = check_finite(row);
	if (broken)
		return broken;
	double n[3], back[3], miss2 = 0;
	for (int i = 0; i < 3; i++) {
		n[i] = (double)row->normal[i];
		back[i] = -n[i];
		const double miss = (double)row->point_b[i] - (double)row->point_a[i] - (double)row->separation * u[i];
		miss2 += miss * miss;
	}
	if (!(fabs(sqrt(dot(n, n)) - 1) < WP_CONTRACT_UNIT))
		return "the normal has unit length";
	if (!(dot(n, u) > 0))
		return "the normal leads along the direction";
	if (!(row->lower <= row->separation && row->separation <= row->upper))
		return "the bracket holds the separation";
	if (!(sqrt(miss2) <= p->point_contract + p->rounding))
		return "point_a + separation * direction is point_b";
	const double gap = dot(n, p->offset) - (double)row->separation * dot(n, u) -
	                   reach(p->shape[0], p->pose[0]->rotation, n) - reach(p->shape[1], p->pose[1]->rotation, back);
	if (!is_half_space(p->shape[0]) && !is_half_space(p->shape[1]) && !(fabs(gap) <= p->contract))
		return "the normal is the one where B touches";
	if (!lies_in(p, 0, row->point_a, row))
		return "point_a is in A";
	return lies_in(p, 1, row->point_b, row) ? NULL : "point_b is in B";
}

const char *certify_near(const certify_pair *p, const wp_row *near, float max_separation, const wp_row *contact)
{
	const char *broken = check_finite(near);
	if (broken)
		return broken;
	if (!(near->status & WP_STATUS_BEYOND)) {
		if (!(fabs((double)near->separation - (double)contact->separation) <= p->contract))
			return "a speculative contact is the full one";
		return certify_contact(p, near);
	}
	if (!(near->lower > max_separation && near->separation == near->lower && near->status & WP_STATUS_SEPARATED))
		return "beyond is proven";
	return near->lower <= contact->upper && contact->lower <= near->upper ? NULL : "beyond agrees with the contact";
}

const char *certify_distance(const certify_pair *p, const wp_row *distance, const wp_row *contact)
{
	const char *broken = check_finite(distance);
	if (broken)
		return broken;
	if (!(fabs((double)distance->separation - fmax((double)contact->separation, 0)) <= p->contract))
		return "the distance is the contact's, or zero";
	if (!(distance->lower >= 0 && distance->lower <= distance->separation && distance->separation <= distance->upper))
		return "the bracket of the distance";
	if (!(distance->status & WP_STATUS_PENETRATING))
		return check_points(p, distance);
	const wp_row along = {.normal = {0, 1, 0}};
	if (distance->separation != 0)
		return "an overlap has no distance";
	for (int i = 0; i < 3; i++)
		if (distance->point_a[i] != distance->point_b[i])
			return "an overlap has one common point";
	return lies_in(p, 0, distance->point_a, &along) && lies_in(p, 1, distance->point_b, &along)
	         ? NULL
	         : "the common point is in both";
}

const char *certify_overlap(const certify_pair *p, const wp_row *overlap, const wp_row *contact)
{
	const char *broken = check_finite(overlap);
	if (broken)
		return broken;
	if (overlap->status & WP_STATUS_SEPARATED && !(contact->upper > 0 && overlap->lower > 0))
		return "apart is proven";
	if (overlap->status & WP_STATUS_PENETRATING && (double)contact->lower > p->contract)
		return "an overlap is one";
	return overlap->lower <= contact->upper && contact->lower <= overlap->upper ? NULL : "the brackets meet";
}

static void widen(const float v[3], double out[3])
{
	for (int i = 0; i < 3; i++)
		out[i] = (double)v[i];
}

/* What rounding may have done to a normal's length, and to a tangent. */
#define TANGENT_ROUNDING 2e-6

/* What it may have done to a point on its way to the frame of its body, relative to the sizes: a few roundings of
 * the rotation and of the sums. World coordinates have theirs in certify_pair. */
#define LOCAL_ROUNDING 4e-7

static const char *check_tangents(const float normal[3], const float tangent_1[3], const float tangent_2[3])
{
	double n[3], u[3], v[3];
	widen(normal, n);
	widen(tangent_1, u);
	widen(tangent_2, v);
	const double one = dot(n, n) > 0 ? 1 : 0;
	if (!(fabs(sqrt(dot(u, u)) - one) <= TANGENT_ROUNDING && fabs(sqrt(dot(v, v)) - one) <= TANGENT_ROUNDING))
		return "tangents have unit length, or none";
	if (!(fabs(dot(u, v)) <= TANGENT_ROUNDING && fabs(dot(u, n)) <= TANGENT_ROUNDING &&
			fabs(dot(v, n)) <= TANGENT_ROUNDING))
		return "tangents and normal are at right angles";
	for (int i = 0; i < 3; i++)
		if (!(fabs(u[(i + 1) % 3] * v[(i + 2) % 3] - u[(i + 2) % 3] * v[(i + 1) % 3] - n[i]) <= TANGENT_ROUNDING))
			return "tangents and normal are right-handed";
	return NULL;
}

const char *certify_details(const certify_pair *p, const wp_row *row, const float details[4][3], bool has_points)
{
	const char *broken = check_tangents(row->normal, details[2], details[3]);
	if (broken)
		return broken;
	double local[2][3], turned[2][3], miss2 = 0;
	for (int side = 0; side < 2; side++) {
		widen(details[side], local[side]);
		turn(p->pose[side]->rotation, 1, local[side], turned[side]);
		const double all = fabs(local[side][0]) + fabs(local[side][1]) + fabs(local[side][2]);
		if (!isfinite(all) || (!has_points && all > 0))
			return "local points are finite, and zero where there are none";
	}
	for (int i = 0; i < 3 && has_points; i++) {
		const double between = p->offset[i] + turned[1][i] - turned[0][i];
		const double miss = between - (double)row->separation * (double)row->normal[i];
		miss2 += row->status & WP_STATUS_BEYOND ? 0 : miss * miss;
		const double off_a = (double)p->pose[0]->position[i] + turned[0][i] - (double)row->point_a[i];
		const double off_b = (double)p->pose[1]->position[i] + turned[1][i] - (double)row->point_b[i];
		const double allowed = p->contract + p->rounding + LOCAL_ROUNDING * p->far;
		if (!(fabs(off_a) <= allowed && fabs(off_b) <= allowed))
			return "local points are the world ones";
	}
	return sqrt(miss2) <= p->point_contract + LOCAL_ROUNDING * (p->length + 2 * p->far)
	         ? NULL
	         : "local points are apart by separation and normal";
}

/* What the points of a manifold may be off by in their separations, relative to L, where faces lean most. */
#define MANIFOLD_DEPTH 1e-4

/* Points of hulls with faces, of caps, and of lines along the sides of cylinders and cones, are neither outside nor
 * inside. */
static bool lies_on_surface(const wp_shape *shape, const float local[3], double allowed)
{
	const v3 point = v3_of_floats(local);
	if (faceted_surface_is(shape))
		return fabs(faceted_surface_distance(shape, point)) <= allowed;
	return !turned_surface_is(shape) || fabs(turned_surface_distance(shape, point)) <= allowed;
}

static const char *check_manifold_point(const certify_pair *p, const wp_row *row, const wp_manifold_point *point)
{
	double local[2][3], far = 0, world2 = 0, own2 = 0, off2 = 0;
	widen(point->local_a, local[0]);
	widen(point->local_b, local[1]);
	turn(p->pose[0]->rotation, 1, local[0], local[0]);
	turn(p->pose[1]->rotation, 1, local[1], local[1]);
	for (int i = 0; i < 3; i++) {
		const double a = (double)point->point_a[i], b = (double)point->point_b[i];
		const double way = (double)point->separation * (double)row->normal[i];
		const double off_a = (double)p->pose[0]->position[i] + local[0][i] - a;
		const double off_b = (double)p->pose[1]->position[i] + local[1][i] - b;
		const double world = b - a - way, apart = p->offset[i] + local[1][i] - local[0][i] - way;
		far = fmax(far, fmax(fabs(a), fabs(b)));
		world2 += world * world;
		own2 += apart * apart;
		off2 += off_a * off_a + off_b * off_b;
	}
	/* The witness points are what they are in the contact. */
	const bool is_witness = point->feature_a == WP_FEATURE_FACE && point->feature_b == WP_FEATURE_FACE;
	const double contract = is_witness ? p->point_contract : p->contract;
	const double allowed = WP_CONTRACT_MANIFOLD * p->length + contract,
				 rounding = 4e-7 * far + WP_CONTRACT_FAR * p->far + 0x1p-147;
	const double own = allowed + 2 * LOCAL_ROUNDING * p->far;
	if (!(sqrt(own2) <= own))
		return "local points of a manifold are apart by separation and normal";
	if (!(sqrt(world2) <= allowed + rounding))
		return "points of a manifold are apart by separation and normal";
	if (!(sqrt(off2) <= own + rounding))
		return "local points of a manifold are the world ones";
	if (!lies_near(p, 0, point->point_a, row, allowed + rounding) ||
		!lies_near(p, 1, point->point_b, row, allowed + rounding))
		return "points of a manifold are in their shapes";
	if (!is_witness &&
		!(lies_on_surface(p->shape[0], point->local_a, own) && lies_on_surface(p->shape[1], point->local_b, own)))
		return "points of a manifold are on their shapes";
	return NULL;
}

const char *certify_manifold(
	const certify_pair *p, const wp_row *row, float max_separation, const wp_manifold_point *points, uint32_t count)
{
	const bool is_near = !(row->status & WP_STATUS_BEYOND) && row->separation <= max_separation;
	double deepest = INFINITY;
	if (is_near != (count > 0))
		return "a manifold has points where the shapes are near";
	for (uint32_t k = 0; k < count; k++) {
		const char *const broken = check_manifold_point(p, row, &points[k]);
		if (broken)
			return broken;
		if (!(points[k].separation <= max_separation))
			return "points of a manifold are near";
		deepest = fmin(deepest, (double)points[k].separation);
	}
	const double off = fabs(deepest - (double)row->separation);
	return count == 0 || off <= MANIFOLD_DEPTH * p->length + p->contract ? NULL
	                                                                     : "a manifold is as deep as its contact";
}
