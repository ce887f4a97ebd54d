/* Tangents of a normal. Kernels have the same operations in the same order. */
#include "core/environment.h"
#include "widephase/query.h"

void wp_tangents(const float normal[3], float tangent_1[3], float tangent_2[3])
{
	const float x = normal[0], y = normal[1], z = normal[2];
	for (int i = 0; i < 3; i++)
		tangent_1[i] = tangent_2[i] = 0.0f;
	if (x == 0.0f && y == 0.0f && z == 0.0f)
		return;
	const wp_environment before = wp_environment_enter();
	const float sign = wp_with_sign_float(1.0f, z), a = -(1.0f / (sign + z)), b = (x * y) * a, x_signed = sign * x;
	tangent_1[0] = 1.0f + (x_signed * x) * a;
	tangent_1[1] = sign * b;
	tangent_1[2] = -x_signed;
	tangent_2[0] = b;
	tangent_2[1] = sign + (y * y) * a;
	tangent_2[2] = -y;
	wp_environment_leave(before);
}
