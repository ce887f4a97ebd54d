/* Shapes of the caller's own, by their support functions: a superquadric, which is between an ellipsoid and a box, and
 * the sum of a segment and a disc. */
#include <widephase/widephase.h>

#include <math.h>
#include <stdio.h>

/* ---- |x / semi[0]|^power + |y / semi[1]|^power + |z / semi[2]|^power <= 1 ---------------------------------- */

typedef struct superquadric {
	double semi[3], power; /* power > 1; 2 is an ellipsoid */
} superquadric;

/* Where the gradient of the left side points along the direction (Barr, "Superquadrics and angle-preserving
 * transformations", 1981). Divided by the largest number first, so that no power under- or overflows. */
static void support_superquadric(const void *context, const double direction[3], double point[3])
{
	const superquadric *body = context;
	const double dual = body->power / (body->power - 1);
	double u[3], largest = 0, sum = 0;
	for (int i = 0; i < 3; i++) {
		u[i] = body->semi[i] * direction[i];
		largest = fmax(largest, fabs(u[i]));
	}
	for (int i = 0; i < 3; i++)
		sum += largest > 0 ? pow(fabs(u[i]) / largest, dual) : 0;
	for (int i = 0; i < 3; i++) {
		const double share = largest > 0 ? pow(fabs(u[i]) / largest / pow(sum, 1 / dual), dual - 1) : 0;
		point[i] = copysign(body->semi[i] * share, u[i]);
	}
}

/* ---- a disc across Y, swept along a segment ------------------------------------------------------------------ */

typedef struct slot {
	double radius, half[3]; /* of the disc; half of the segment */
} slot;

/* The support function of a sum is the sum of the support functions. */
static void support_slot(const void *context, const double direction[3], double point[3])
{
	const slot *body = context;
	const double *const half = body->half, length = hypot(direction[0], direction[2]);
	const double along = direction[0] * half[0] + direction[1] * half[1] + direction[2] * half[2];
	for (int i = 0; i < 3; i++) {
		point[i] = copysign(1, along) * half[i];
		if (i != 1 && length > 0)
			point[i] += body->radius * direction[i] / length;
	}
}

/* ---- both over a floor --------------------------------------------------------------------------------------- */

static int check(const char *what, const wp_row *row, double expected)
{
	printf("%s: separation %.7g, normal %.3g %.3g %.3g\n", what, (double)row->separation, (double)row->normal[0],
		(double)row->normal[1], (double)row->normal[2]);
	return fabs((double)row->separation - expected) > 1e-5;
}

int main(void)
{
	static _Alignas(WP_ALIGNMENT) char memory[WP_WORKSPACE_SIZE];
	wp_workspace *workspace;
	if (wp_workspace_init(memory, sizeof memory, WP_VARIANT_AUTO, &workspace) != WP_OK)
		return 1;

	/* No point of either is further from the origin than the bound. */
	const superquadric pillow = {{1, 0.5, 1}, 4};
	const slot lens = {0.75, {0.5, 0.25, 0}};
	const wp_custom pillow_function = {support_superquadric, &pillow, 1.5f};
	const wp_custom lens_function = {support_slot, &lens, 1.5f};

	const wp_shape floor = wp_shape_box(10, 1, 10), body = wp_shape_custom(&pillow_function);
	wp_shape rounded = wp_shape_custom(&lens_function);
	rounded.radius = 0.125f;
	const wp_pose ground = {{0, -1, 0}, {0, 0, 0, 1}}, above = {{2, 0.75f, 1}, {0, 0, 0, 1}};
	const wp_pose within = {{2, 0.25f, 1}, {0, 0, 0, 1}};
	wp_row row;
	int failures = 0;
	wp_contact_pair(workspace, &floor, &ground, &body, &above, &(wp_contact_options){.max_separation = INFINITY}, &row);
	failures += check("superquadric above the floor", &row, 0.25);
	wp_contact_pair(
		workspace, &floor, &ground, &rounded, &within, &(wp_contact_options){.max_separation = INFINITY}, &row);
	failures += check("slot in the floor", &row, 0.25 - 0.25 - 0.125);
	return failures;
}
