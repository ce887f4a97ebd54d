/* An arm of seven joints in clutter: the shapes of its parts and of the obstacles, and where the joints put the parts. */
#ifndef EXAMPLES_PLANNER_SCENE_HPP
#define EXAMPLES_PLANNER_SCENE_HPP

#include <widephase/cook.hpp>
#include <widephase/widephase.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

constexpr std::size_t joint_count = 7, link_count = joint_count + 1;

/* Angles of the joints, in radians. */
using joint_angles = std::array<double, joint_count>;

/* One convex body of the arm: a shape, fixed to a link. Link 0 stands still, joint i turns link i + 1. */
struct arm_part {
	std::size_t link;
	std::uint32_t shape;
	wp_pose offset; /* in the frame of the link */
};

struct obstacle {
	wp_pose pose;
	std::uint32_t shape;
};

/* Two parts of the arm that may hit each other. */
struct part_pair {
	std::uint32_t first, second;
};

/* Where the links of `lanes` states are: one state in each lane, so that compilers make vectors of the loops. */
template <std::size_t lanes> struct link_frames {
	float position[link_count][3][lanes];
	float rotation[link_count][4][lanes];
};

struct scene {
	std::vector<wp::cooked_hull> hulls;
	std::vector<wp::shape> shapes;
	std::vector<arm_part> parts;
	std::vector<part_pair> self_pairs;
	std::vector<obstacle> obstacles;
	joint_angles start = {}, goal = {};

	/* The pose of a part, of the state in this lane. */
	template <std::size_t lanes>
	wp_pose pose_of(const arm_part &part, const link_frames<lanes> &frames, std::size_t lane) const;

	/* The pose of each part of one state, parts.size() of them. */
	void place(const double *joints, wp_pose *poses) const;
};

/* How far each joint turns, either way. */
constexpr joint_angles joint_limits = {2.9, 2.0, 2.9, 2.0, 2.9, 2.0, 3.0};

/* Where each joint is in the frame of the link before it, along Z, in metres; the first turns about Z, the next about Y, and so
 * on. */
constexpr float joint_heights[joint_count] = {0.15f, 0.19f, 0.21f, 0.19f, 0.21f, 0.19f, 0.08f};

/* A number from `from` to `to`, the same on all machines. */
double uniform(std::mt19937 &random, double from, double to);

/* The arm on a floor, between two shelves, a table, and `clutter` boxes, cylinders and hulls, none of them within 1 cm of the arm
 * at its start and its goal. */
scene make_scene(std::size_t clutter, std::uint32_t seed);

/* Forward kinematics. `joints` has joint_count angles of each lane. The bits of a lane do not depend on the number of lanes. */
template <std::size_t lanes> void turn_links(const double *joints, link_frames<lanes> &frames)
{
	for (std::size_t lane = 0; lane < lanes; lane++) {
		for (std::size_t k = 0; k < 3; k++)
			frames.position[0][k][lane] = frames.rotation[0][k][lane] = 0;
		frames.rotation[0][3][lane] = 1;
	}
	for (std::size_t i = 0; i < joint_count; i++) {
		const auto &at = frames.position[i];
		const auto &from = frames.rotation[i];
		auto &next = frames.position[i + 1];
		auto &to = frames.rotation[i + 1];
		const float is_z = i % 2 == 0 ? 1 : 0, is_y = 1 - is_z;
		float half[lanes];
		for (std::size_t lane = 0; lane < lanes; lane++)
			half[lane] = 0.5f * static_cast<float>(joints[lane * joint_count + i]);
		for (std::size_t lane = 0; lane < lanes; lane++) {
			/* Series of half of an angle within the joint limits, to the last bits of float. */
			const float h = half[lane], q = h * h;
			const float sine = h *
			                   (1 + q * (-1 / 6.0f +
											q * (1 / 120.0f +
													q * (-1 / 5040.0f + q * (1 / 362880.0f - q * (1 / 39916800.0f))))));
			const float cosine = 1 + q * (-0.5f + q * (1 / 24.0f + q * (-1 / 720.0f +
																		   q * (1 / 40320.0f +
																				   q * (-1 / 3628800.0f +
																						   q * (1 / 479001600.0f))))));
			const float x = from[0][lane], y = from[1][lane], z = from[2][lane], w = from[3][lane],
						h_next = joint_heights[i];
			next[0][lane] = at[0][lane] + h_next * (2 * (x * z + y * w));
			next[1][lane] = at[1][lane] + h_next * (2 * (y * z - x * w));
			next[2][lane] = at[2][lane] + h_next * (1 - 2 * (x * x + y * y));
			/* The product with a turn about Z, or about Y. */
			const float sine_z = is_z * sine, sine_y = is_y * sine;
			to[0][lane] = x * cosine + y * sine_z - z * sine_y;
			to[1][lane] = y * cosine - x * sine_z + w * sine_y;
			to[2][lane] = z * cosine + w * sine_z + x * sine_y;
			to[3][lane] = w * cosine - z * sine_z - y * sine_y;
		}
	}
}

template <std::size_t lanes>
wp_pose scene::pose_of(const arm_part &part, const link_frames<lanes> &frames, std::size_t lane) const
{
	const auto &at = frames.position[part.link];
	const auto &turn = frames.rotation[part.link];
	const float x = turn[0][lane], y = turn[1][lane], z = turn[2][lane], w = turn[3][lane];
	const float *const p = part.offset.position, *const r = part.offset.rotation;
	const float across[3] = {y * p[2] - z * p[1], z * p[0] - x * p[2], x * p[1] - y * p[0]};
	return {{at[0][lane] + p[0] + 2 * (w * across[0] + (y * across[2] - z * across[1])),
				at[1][lane] + p[1] + 2 * (w * across[1] + (z * across[0] - x * across[2])),
				at[2][lane] + p[2] + 2 * (w * across[2] + (x * across[1] - y * across[0]))},
		{w * r[0] + x * r[3] + y * r[2] - z * r[1], w * r[1] - x * r[2] + y * r[3] + z * r[0],
			w * r[2] + x * r[1] - y * r[0] + z * r[3], w * r[3] - x * r[0] - y * r[1] - z * r[2]}};
}

#endif
