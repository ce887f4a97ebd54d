/* The lowest point of a body straight above or below a triangle, along a direction. It is where the direction's line through the
 * origin leaves the difference of triangle and body: the highest weighted mean of its points without a part across the normal.
 * Method: the simplex method of linear programming. Three points around the line have weights. Their plane bounds the answer
 * where no other point of the difference is beyond it. Otherwise the farthest one takes the place of one of the three, as in
 * portal refinement (Snethen 2008, XenoCollide). */
#include "mesh_contact/internal.h"

/* How far above the plane the farthest point may be, of the body's size: far below what contacts are exact to. */
#define PRISM_EXACT 1e-9

#define PRISM_STEPS_MAX 128

/* More than a third: the square of a unit vector's largest part is as much at least, or nearly. */
#define PRISM_THIRD 0.34

/* How far aside of a triangle the body may be, of L or less: half of what points promise. */
#define PRISM_ASIDE 5e-6

/* The search begins with three points that are none, around the line, and so much lower than all others. */
#define PRISM_BELOW 0x1p22

/* Weights that are this large together may make up an answer: the line meets the difference. */
#define PRISM_WEIGHT 0.5

/* A point of the difference of triangle and body; and where it is on the body, if that has it. Of one that is none `at` is how far
 * it is from the line: weights know nothing of how low it is, which they would be rounded by. */
typedef struct difference_point {
	wp_d3 at, body;
	bool is_real;
} difference_point;

/* The weights of three points whose mean is straight above or below a place. */
static void find_weights(const difference_point point[3], wp_d3 up, wp_d3 place, double weight[3])
{
	double sum = 0;
	for (int i = 0; i < 3; i++) {
		const wp_d3 a = wp_d3_sub(point[(i + 1) % 3].at, place), b = wp_d3_sub(point[(i + 2) % 3].at, place);
		weight[i] = wp_d3_dot(up, wp_d3_cross(a, b));
		sum += weight[i];
	}
	for (int i = 0; i < 3; i++)
		weight[i] /= sum;
}

/* Let a point take the place of that one of three whose weight is zero first on the way to it. */
static void exchange(difference_point point[3], wp_d3 up, const double weight[3], const difference_point *next)
{
	double share[3], least = (double)WP_INFINITY;
	int leaves = 0;
	find_weights(point, up, next->at, share);
	for (int i = 0; i < 3; i++)
		if (share[i] > 0 && weight[i] < least * share[i]) {
			least = weight[i] / share[i];
			leaves = i;
		}
	point[leaves] = *next;
}

/* The farthest point along a direction. */
static difference_point farthest_along(const wp_mesh_row *row, const wp_mesh_candidate *c, wp_d3 direction)
{
	const wp_d3 body = wp_mesh_support(row, wp_d3_negate(direction));
	int top = 0;
	for (int i = 1; i < 3; i++)
		top = wp_d3_dot(direction, wp_d3_sub(c->corner[i], c->corner[top])) > 0 ? i : top;
	return (difference_point){wp_d3_sub(c->corner[top], body), body, true};
}

bool wp_mesh_find_lowest(const wp_mesh_row *row, const wp_mesh_candidate *c, const wp_d3 *up, wp_mesh_spot *spot)
{
	difference_point point[3];
	double weight[3], sum = 0, length = row->reach, height = 0;
	for (int i = 0; i < 3; i++) {
		const double half = wp_d3_length(wp_d3_sub(c->corner[(i + 1) % 3], c->corner[i])) / 2;
		length = half > length ? half : length;
	}
	/* The two axes that are the most across the direction. */
	const bool is_x = up->x * up->x > PRISM_THIRD, is_z = !is_x && up->z * up->z > PRISM_THIRD;
	const double low = -PRISM_BELOW * length;
	point[0] = point[1] = point[2] = (difference_point){.is_real = false};
	*(is_x ? &point[0].at.y : &point[0].at.x) += length;
	*(is_z ? &point[1].at.y : &point[1].at.z) += length;
	*(is_x ? &point[2].at.y : &point[2].at.x) -= length;
	*(is_z ? &point[2].at.y : &point[2].at.z) -= length;
	for (int step = 0; step < PRISM_STEPS_MAX; step++) {
		/* From a point of the difference on, if there is one: the others are so low that what is near them is rounding. */
		const int base = point[0].is_real ? 0 : point[1].is_real ? 1 : point[2].is_real ? 2 : 0;
		wp_d3 place[3];
		for (int i = 0; i < 3; i++)
			place[i] = wp_d3_add(point[i].at, wp_d3_scale(*up, point[i].is_real ? 0 : low));
		const wp_d3 first = place[base];
		const wp_d3 next_edge = wp_d3_sub(place[(base + 1) % 3], first);
		const wp_d3 across = wp_d3_cross(next_edge, wp_d3_sub(place[(base + 2) % 3], first));
		const wp_d3 normal = wp_d3_scale(across, 1 / wp_d3_dot(across, *up));
		const difference_point next = farthest_along(row, c, normal);
		find_weights(point, *up, wp_d3_zero(), weight);
		if (!(wp_d3_dot(normal, wp_d3_sub(next.at, first)) > PRISM_EXACT * row->reach))
			break;
		exchange(point, *up, weight, &next);
	}
	/* The body is as far aside of the triangle as points that are none move the mean across the direction. */
	wp_d3 aside = wp_d3_zero(), lowest = wp_d3_zero();
	for (int i = 0; i < 3; i++) {
		const double share = point[i].is_real ? weight[i] : 0;
		sum += share;
		height += share * wp_d3_dot(*up, point[i].at);
		lowest = wp_d3_add(lowest, wp_d3_scale(point[i].body, weight[i]));
		aside = wp_d3_add(aside, wp_d3_scale(point[i].at, weight[i] - share));
	}
	aside = wp_d3_sub(aside, wp_d3_scale(*up, wp_d3_dot(*up, aside)));
	if (!(sum > PRISM_WEIGHT && wp_d3_length(aside) <= PRISM_ASIDE * length))
		return false;
	spot->at = wp_d3_scale(lowest, 1 / sum);
	spot->separation = -height / sum;
	wp_d3_put_floats(wp_d33_turn_back(&row->axes, spot->at), spot->local);
	return true;
}
