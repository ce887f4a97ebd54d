/* The arm, the furniture and the clutter about it. */
#include "scene.hpp"

#include <cmath>

namespace
{

using vector = std::array<double, 3>;
using quaternion = std::array<double, 4>;

/* Clear space about the arm at its start and its goal, in metres. */
constexpr float clearance = 0.01f;

vector cross(const quaternion &a, const vector &b)
{
	return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

vector rotated(const quaternion &by, const vector &v)
{
	const vector across = cross(by, v), twice = cross(by, across);
	return {v[0] + 2 * (by[3] * across[0] + twice[0]), v[1] + 2 * (by[3] * across[1] + twice[1]),
		v[2] + 2 * (by[3] * across[2] + twice[2])};
}

wp_pose pose_at(const vector &position, const quaternion &rotation)
{
	wp_pose pose;
	for (std::size_t i = 0; i < 3; i++)
		pose.position[i] = static_cast<float>(position[i]);
	for (std::size_t i = 0; i < 4; i++)
		pose.rotation[i] = static_cast<float>(rotation[i]);
	return pose;
}

quaternion random_rotation(std::mt19937 &random)
{
	for (;;) {
		quaternion turn;
		double length = 0;
		for (double &number : turn) {
			number = uniform(random, -1, 1);
			length += number * number;
		}
		if (length > 1 || length < 0.01)
			continue;
		for (double &number : turn)
			number /= std::sqrt(length);
		return turn;
	}
}

std::uint32_t add_shape(scene &to, const wp::shape &shape)
{
	to.shapes.push_back(shape);
	return static_cast<std::uint32_t>(to.shapes.size() - 1);
}

/* The hull of `count` points in a box: near its surface, so that most are vertices. */
std::uint32_t add_hull(scene &to, std::mt19937 &random, std::size_t count, const vector &half)
{
	std::vector<std::array<float, 3>> points;
	for (std::size_t i = 0; i < count; i++) {
		const vector point = rotated(random_rotation(random), {0, 0, 1});
		points.push_back({static_cast<float>(half[0] * point[0]), static_cast<float>(half[1] * point[1]),
			static_cast<float>(half[2] * point[2])});
	}
	to.hulls.emplace_back(points);
	return add_shape(to, wp::shape::hull(to.hulls.back().get()));
}

void add_arm(scene &to, std::mt19937 &random)
{
	const quaternion straight = {0, 0, 0, 1}, upright = {std::sqrt(0.5), 0, 0, std::sqrt(0.5)}; /* Y to Z */
	const auto add = [&](std::size_t link, const wp::shape &shape, const vector &position, const quaternion &rotation) {
		to.parts.push_back({link, add_shape(to, shape), pose_at(position, rotation)});
	};
	const auto add_cover = [&](std::size_t link, const vector &half, const vector &position) {
		to.parts.push_back({link, add_hull(to, random, 24, half), pose_at(position, straight)});
	};
	add(0, wp::shape::cylinder(0.1f, 0.07f), {0, 0, 0.07}, upright);
	add(1, wp::shape::capsule(0.07f, 0.05f), {0, 0, 0.1}, upright);
	add_cover(2, {0.08, 0.08, 0.09}, {0, 0.02, 0.03});
	add(2, wp::shape::capsule(0.06f, 0.06f), {0, 0, 0.13}, upright);
	add(3, wp::shape::capsule(0.06f, 0.05f), {0, 0, 0.1}, upright);
	add_cover(4, {0.075, 0.075, 0.085}, {0, -0.02, 0.03});
	add(4, wp::shape::capsule(0.055f, 0.06f), {0, 0, 0.13}, upright);
	add(5, wp::shape::capsule(0.05f, 0.05f), {0, 0, 0.1}, upright);
	add_cover(6, {0.06, 0.06, 0.06}, {0, 0, 0});
	add(7, wp::shape::cylinder(0.04f, 0.015f), {0, 0, 0.015}, upright);
	add(7, wp::shape::box(0.03f, 0.1f, 0.03f), {0, 0, 0.06}, straight);
	add(7, wp::shape::box(0.01f, 0.01f, 0.03f), {0, 0.05, 0.12}, straight);
	add(7, wp::shape::box(0.01f, 0.01f, 0.03f), {0, -0.05, 0.12}, straight);

	for (std::uint32_t first = 0; first < to.parts.size(); first++)
		for (std::uint32_t second = first + 1; second < to.parts.size(); second++)
			if (to.parts[second].link >= to.parts[first].link + 3)
				to.self_pairs.push_back({first, second});
}

/* Whether an obstacle leaves room for the arm at its start and its goal. */
bool is_clear(const scene &of, wp_workspace *workspace, const obstacle &added)
{
	std::vector<wp_pose> poses(of.parts.size());
	for (const joint_angles *joints : {&of.start, &of.goal}) {
		of.place(joints->data(), poses.data());
		for (std::size_t i = 0; i < poses.size(); i++) {
			wp_row row;
			wp_distance_pair(
				workspace, &of.shapes[of.parts[i].shape], &poses[i], &of.shapes[added.shape], &added.pose, &row);
			/* The base stands on the floor. */
			if (!(row.separation > clearance) && of.parts[i].link > 0)
				return false;
		}
	}
	return true;
}

void add_box(scene &to, const vector &half, const vector &position)
{
	const wp::shape box = wp::shape::box(
		static_cast<float>(half[0]), static_cast<float>(half[1]), static_cast<float>(half[2]));
	to.obstacles.push_back({pose_at(position, {0, 0, 0, 1}), add_shape(to, box)});
}

/* The floor, a table, and two shelves of four boards and two sides. */
void add_furniture(scene &to)
{
	add_box(to, {2, 2, 0.05}, {0, 0, -0.06});
	add_box(to, {0.25, 0.4, 0.02}, {0.65, 0, 0.25});
	for (const double side : {-1.0, 1.0}) {
		for (int board = 0; board < 4; board++)
			add_box(to, {0.3, 0.15, 0.01}, {0, side * 0.8, 0.2 + 0.3 * board});
		for (const double end : {-0.31, 0.31})
			add_box(to, {0.01, 0.15, 0.6}, {end, side * 0.8, 0.6});
	}
}

void add_clutter(scene &to, std::mt19937 &random, std::size_t clutter)
{
	wp::workspace workspace;
	/* A dozen of shapes of each kind, as assets of a world are. */
	std::vector<std::uint32_t> assets;
	for (int i = 0; i < 12; i++) {
		const auto size = [&] { return static_cast<float>(uniform(random, 0.02, 0.07)); };
		const float x = size(), y = size(), z = size();
		assets.push_back(add_shape(to, wp::shape::box(x, y, z)));
		assets.push_back(add_shape(to, wp::shape::cylinder(x, y)));
		assets.push_back(add_hull(to, random, 16 + 2 * static_cast<std::size_t>(i), {x, y, z}));
	}
	const std::size_t wanted = to.obstacles.size() + clutter;
	while (to.obstacles.size() < wanted) {
		const double angle = uniform(random, -3.14159, 3.14159), distance = uniform(random, 0.35, 1.1);
		const vector position = {distance * std::cos(angle), distance * std::sin(angle), uniform(random, 0.02, 1.3)};
		const obstacle added = {
			pose_at(position, random_rotation(random)), assets[to.obstacles.size() % assets.size()]};
		if (is_clear(to, workspace.get(), added))
			to.obstacles.push_back(added);
	}
}

} // namespace

double uniform(std::mt19937 &random, double from, double to) { return from + (to - from) * random() / 4294967295.0; }

void scene::place(const double *joints, wp_pose *poses) const
{
	link_frames<1> frames;
	turn_links(joints, frames);
	for (std::size_t i = 0; i < parts.size(); i++)
		poses[i] = pose_of(parts[i], frames, 0);
}

scene make_scene(std::size_t clutter, std::uint32_t seed)
{
	std::mt19937 random(seed);
	scene made;
	/* The hand in one shelf, and in the other. */
	made.start = {-1.57, 0.3, 0, 1.5, 0, -0.23, 0};
	made.goal = {1.57, 0.3, 0, 1.5, 0, -0.23, 0};
	add_arm(made, random);
	add_furniture(made);
	add_clutter(made, random, clutter);
	return made;
}
