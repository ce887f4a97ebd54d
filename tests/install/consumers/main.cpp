// The same in C++, with the types of an engine.
#ifdef DROP_IN
#include "widephase.hpp"
#else
#include <widephase/widephase.hpp>
#endif
#ifdef HAVE_COOK
#include <widephase/cook.hpp>
#endif
#include <array>
#include <cstdio>
#include <vector>

struct body {
	std::array<float, 3> position;
	std::array<float, 4> rotation;
};

struct contact {
	float separation;
	std::array<float, 3> normal;
};

int main()
{
	std::vector<std::array<float, 3>> corners;
	for (int i = 0; i < 8; i++)
		corners.push_back({i & 1 ? 4.0f : -4.0f, i & 2 ? 4.0f : -4.0f, i & 4 ? 4.0f : -4.0f});
#ifdef HAVE_COOK
	const wp::cooked_hull hull(corners);
#else
	const wp::hull hull(corners);
#endif
	const wp::shape shapes[] = {wp::shape::box(16, 1, 16), wp::shape::hull(hull.get()), wp::shape::sphere(0.5f)};
	const wp::shape_table table(shapes);
	wp::workspace workspace;
	if (!hull || !table || !workspace)
		return 1;

	const std::vector<body> bodies = {
		{{0, 0, 0}, {0, 0, 0, 1}}, {{0, 3, 0}, {0, 0, 0, 1}}, {{0, 2.5f, 8}, {0, 0, 0, 1}}};
	const std::vector<std::array<std::uint32_t, 2>> pairs = {{0, 1}, {0, 2}};
	std::vector<contact> contacts(pairs.size());
	const wp_batch batch = wp::batch_of(table, wp::bodies_of(bodies, &body::position, &body::rotation), pairs);
	auto results = wp::results_of(contacts);
	results.separation(&contact::separation).normal(&contact::normal);
	if (wp::contact(workspace, batch, wp::up_to(2), results) != WP_OK)
		return 1;
	std::printf("widephase %s in C++: %g %g\n", wp_version(), static_cast<double>(contacts[0].separation),
		static_cast<double>(contacts[1].separation));
	return contacts[0].separation != -2 || contacts[1].separation != 1 || contacts[0].normal[1] != 1;
}
