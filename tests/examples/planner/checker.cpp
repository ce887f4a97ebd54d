/* Batches of states: boxes of parts and obstacles leave the pairs that may overlap, wp_overlap answers them. */
#include "checker.hpp"

#include <ompl/base/SpaceInformation.h>
#include <ompl/base/spaces/RealVectorStateSpace.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <stdexcept>

namespace base = ompl::base;

namespace
{

/* Added to each box, in metres: more than what rounding to float leaves out. */
constexpr float padding = 1e-5f;

/* Rows of one call, shared by the undecided states, and the fewest of a state. Most states that hit something do so in their
 * first rows, and the rest of their rows need no answer. */
constexpr std::size_t rows_of_call = 256, rows_of_state = 4;

/* States that share calls, and those of an edge that are looked at first. */
constexpr std::size_t states_of_block = 64, states_of_glance = 4;

/* The axes are divided from -reach to reach, in metres; what is beyond counts as in the first or the last slot. */
constexpr float reach = 1.6f;

/* Beyond its limit a joint may be by rounding, in radians. */
constexpr double limit_rounding = 1e-9;

std::uint32_t bits_of(float number)
{
	std::uint32_t bits;
	std::memcpy(&bits, &number, sizeof bits);
	return bits;
}

const double *angles_of(const base::State *state) { return state->as<base::RealVectorStateSpace::StateType>()->values; }

} // namespace

batch_checker::batch_checker(const scene &of, wp_variant variant) : world(of), table(of.shapes), workspace(variant)
{
	if (!table || !workspace || table.report().invalid_count != 0)
		throw std::runtime_error("a shape is invalid, or there is no memory");
	for (const arm_part &part : world.parts)
		part_boxes.push_back(box_of(world.shapes[part.shape], part.offset));
	boxes.resize(world.parts.size());
	self_apart.resize(world.self_pairs.size());
	for (const obstacle &standing : world.obstacles) {
		const box about = box_of(world.shapes[standing.shape], standing.pose);
		world_box added_box;
		for (std::size_t k = 0; k < 3; k++) {
			added_box.lower[k] = about.centre[k] - (about.half[k] + about.radius);
			added_box.upper[k] = about.centre[k] + (about.half[k] + about.radius);
		}
		obstacle_boxes.push_back(added_box);
		body added = {{}, {}, standing.shape};
		std::copy_n(standing.pose.position, 3, added.position);
		std::copy_n(standing.pose.rotation, 4, added.rotation);
		bodies.push_back(added);
	}
	bodies.resize(world.obstacles.size() + states_of_block * world.parts.size());
	sort_obstacles();
}

/* The box about a shape in this pose, along the axes of the frame that the pose is in. */
batch_checker::box batch_checker::box_of(const wp_shape &shape, const wp_pose &pose)
{
	float centre[3] = {0, 0, 0}, half[3] = {shape.half_extents[0], shape.half_extents[1], shape.half_extents[2]};
	if (shape.kind == WP_SHAPE_CAPSULE || shape.kind == WP_SHAPE_CYLINDER) {
		half[0] = half[2] = shape.base_radius;
		half[1] = shape.half_height;
	} else if (shape.kind == WP_SHAPE_HULL) {
		float least[3] = {INFINITY, INFINITY, INFINITY}, most[3] = {-INFINITY, -INFINITY, -INFINITY}, vertex[3];
		for (std::size_t i = 0; i < wp_hull_vertex_count(shape.hull); i++) {
			wp_hull_vertex(shape.hull, i, vertex);
			for (std::size_t k = 0; k < 3; k++) {
				least[k] = std::min(least[k], vertex[k]);
				most[k] = std::max(most[k], vertex[k]);
			}
		}
		for (std::size_t k = 0; k < 3; k++) {
			centre[k] = (least[k] + most[k]) / 2;
			half[k] = (most[k] - least[k]) / 2;
		}
	}
	const float x = pose.rotation[0], y = pose.rotation[1], z = pose.rotation[2], w = pose.rotation[3];
	const float matrix[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)},
		{2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)},
		{2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)}};
	box about = {{}, {}, shape.radius + padding};
	for (std::size_t i = 0; i < 3; i++) {
		about.centre[i] = pose.position[i];
		for (std::size_t k = 0; k < 3; k++) {
			about.centre[i] += matrix[i][k] * centre[k];
			about.half[i] += std::fabs(matrix[i][k]) * half[k];
		}
	}
	return about;
}

std::int32_t batch_checker::slot_of(float coordinate)
{
	constexpr float scale = static_cast<float>(slots) / (2 * reach), last = static_cast<float>(slots - 1);
	const float place = (coordinate + reach) * scale, above = place > 0 ? place : 0;
	return static_cast<std::int32_t>(above < last ? above : last);
}

/* An obstacle may meet what is between two slots of each axis if it begins before the end of the second one and ends after
 * the beginning of the first one. Slots grow with the coordinate, so comparing slots leaves nothing out. */
void batch_checker::sort_obstacles()
{
	words = (obstacle_boxes.size() + 63) / 64;
	for (std::size_t k = 0; k < 3; k++) {
		begun[k].assign(slots * words, 0);
		unended[k].assign(slots * words, 0);
		for (std::size_t i = 0; i < obstacle_boxes.size(); i++) {
			const std::uint64_t bit = std::uint64_t(1) << i % 64;
			const auto first = static_cast<std::size_t>(slot_of(obstacle_boxes[i].lower[k]));
			const auto last = static_cast<std::size_t>(slot_of(obstacle_boxes[i].upper[k]));
			for (std::size_t slot = first; slot < slots; slot++)
				begun[k][slot * words + i / 64] |= bit;
			for (std::size_t slot = 0; slot <= last; slot++)
				unended[k][slot * words + i / 64] |= bit;
		}
	}
}

/* The boxes of one part in all lanes, along the axes of the world; `turned` has the columns of its link's rotations. */
void batch_checker::bound_part(std::size_t part, const lane_matrices &turned)
{
	const box about = part_boxes[part];
	const auto &at = frames.position[world.parts[part].link];
	lane_boxes made;
	for (std::size_t i = 0; i < 3; i++)
		for (std::size_t lane = 0; lane < lanes; lane++) {
			const float x = turned.row[i][0][lane], y = turned.row[i][1][lane], z = turned.row[i][2][lane];
			const float centre = at[i][lane] + x * about.centre[0] + y * about.centre[1] + z * about.centre[2];
			const float half = about.radius + std::fabs(x) * about.half[0] + std::fabs(y) * about.half[1] +
			                   std::fabs(z) * about.half[2];
			made.lower[i][lane] = centre - half;
			made.upper[i][lane] = centre + half;
			made.first_slot[i][lane] = slot_of(centre - half);
			made.last_slot[i][lane] = slot_of(centre + half);
		}
	boxes[part] = made;
}

/* The boxes of all parts in all lanes. */
void batch_checker::bound_parts()
{
	lane_matrices turned;
	for (std::size_t part = 0; part < world.parts.size(); part++) {
		const std::size_t link = world.parts[part].link;
		if (part == 0 || world.parts[part - 1].link != link) {
			const auto &turn = frames.rotation[link];
			for (std::size_t lane = 0; lane < lanes; lane++) {
				const float x = turn[0][lane], y = turn[1][lane], z = turn[2][lane], w = turn[3][lane];
				turned.row[0][0][lane] = 1 - 2 * (y * y + z * z);
				turned.row[0][1][lane] = 2 * (x * y - z * w);
				turned.row[0][2][lane] = 2 * (x * z + y * w);
				turned.row[1][0][lane] = 2 * (x * y + z * w);
				turned.row[1][1][lane] = 1 - 2 * (x * x + z * z);
				turned.row[1][2][lane] = 2 * (y * z - x * w);
				turned.row[2][0][lane] = 2 * (x * z - y * w);
				turned.row[2][1][lane] = 2 * (y * z + x * w);
				turned.row[2][2][lane] = 1 - 2 * (x * x + y * y);
			}
		}
		bound_part(part, turned);
	}
}

/* Which pairs of parts may overlap, of each lane: first the differences of all boxes, then those that are not apart. */
void batch_checker::meet_selves()
{
	const std::size_t count = world.self_pairs.size();
	for (std::size_t i = 0; i < count; i++) {
		const lane_boxes &a = boxes[world.self_pairs[i].first], &b = boxes[world.self_pairs[i].second];
		/* A difference below zero has its sign bit set. */
		std::uint32_t apart[lanes] = {};
		for (std::size_t k = 0; k < 3; k++)
			for (std::size_t lane = 0; lane < lanes; lane++)
				apart[lane] |= bits_of(a.upper[k][lane] - b.lower[k][lane]) |
				               bits_of(b.upper[k][lane] - a.lower[k][lane]);
		std::copy_n(apart, lanes, self_apart[i].lane);
	}
	for (std::vector<part_pair> &found : self_found)
		found.clear();
	for (std::size_t i = 0; i < count; i++) {
		const std::uint32_t *const apart = self_apart[i].lane;
		for (std::size_t lane = 0; ((apart[0] & apart[1] & apart[2] & apart[3]) >> 31) == 0 && lane < lanes; lane++)
			if (apart[lane] >> 31 == 0)
				self_found[lane].push_back(world.self_pairs[i]);
	}
}

/* The pose of a part that has rows. */
void batch_checker::put_body(std::size_t state, std::size_t part, std::size_t lane)
{
	body &to = bodies[world.obstacles.size() + state * world.parts.size() + part];
	const wp_pose pose = world.pose_of(world.parts[part], frames, lane);
	std::copy_n(pose.position, 3, to.position);
	std::copy_n(pose.rotation, 4, to.rotation);
	to.shape = world.parts[part].shape;
}

/* Rows of one body of the arm and the obstacles whose boxes meet its box; whether there are any. */
bool batch_checker::find_obstacles(const lane_boxes &of, std::size_t lane, std::uint32_t body_index)
{
	const std::uint64_t *sets[6];
	float from[3], to[3];
	for (std::size_t k = 0; k < 3; k++) {
		from[k] = of.lower[k][lane];
		to[k] = of.upper[k][lane];
		sets[k] = &begun[k][static_cast<std::size_t>(of.last_slot[k][lane]) * words];
		sets[k + 3] = &unended[k][static_cast<std::size_t>(of.first_slot[k][lane]) * words];
	}
	/* Room for all obstacles, taken once. */
	const std::size_t before = row_end;
	if (rows.size() < row_end + obstacle_boxes.size())
		rows.resize(2 * (row_end + obstacle_boxes.size()));
	row *end = rows.data() + row_end;
	for (std::size_t word = 0; word < words; word++) {
		std::uint64_t found = sets[0][word] & sets[1][word] & sets[2][word] & sets[3][word] & sets[4][word] &
		                      sets[5][word];
		for (; found != 0; found &= found - 1) {
			const std::size_t i = 64 * word + static_cast<std::size_t>(__builtin_ctzll(found));
			const world_box &about = obstacle_boxes[i];
			std::uint32_t apart = 0;
			for (std::size_t k = 0; k < 3; k++)
				apart |= bits_of(to[k] - about.lower[k]) | bits_of(about.upper[k] - from[k]);
			/* Written in any case, and kept if the boxes meet. */
			*end = {body_index, static_cast<std::uint32_t>(i)};
			end += apart >> 31 == 0;
		}
	}
	row_end = static_cast<std::size_t>(end - rows.data());
	return row_end > before;
}

/* The rows of one state: parts and obstacles, and parts among themselves. The base stands still. The hand comes first: it is
 * where most states hit something. */
void batch_checker::find_rows(std::size_t state, std::size_t lane)
{
	const auto first = static_cast<std::uint32_t>(world.obstacles.size() + state * world.parts.size());
	for (std::size_t part = world.parts.size(); part-- > 0;)
		if (world.parts[part].link > 0 && find_obstacles(boxes[part], lane, first + static_cast<std::uint32_t>(part)))
			put_body(state, part, lane);
	for (const part_pair &pair : self_found[lane]) {
		if (row_end == rows.size())
			rows.resize(2 * row_end + 1);
		rows[row_end++] = {first + pair.first, first + pair.second};
		put_body(state, pair.first, lane);
		put_body(state, pair.second, lane);
	}
}

/* Place the arm in all states and find the rows. */
void batch_checker::begin(const double *joints, std::size_t count)
{
	row_end = 0;
	ends.clear();
	next.clear();
	hit.assign(count, 0);
	for (std::size_t start = 0; start < count; start += lanes) {
		/* The last lanes repeat the last state. */
		double angles[lanes * joint_count];
		const std::size_t used = std::min(lanes, count - start);
		for (std::size_t lane = 0; lane < lanes; lane++)
			std::copy_n(
				joints + (start + std::min(lane, used - 1)) * joint_count, joint_count, angles + lane * joint_count);
		turn_links(angles, frames);
		bound_parts();
		meet_selves();
		for (std::size_t lane = 0; lane < used; lane++) {
			bool is_inside = true;
			for (std::size_t k = 0; k < joint_count; k++)
				is_inside = is_inside && std::fabs(angles[lane * joint_count + k]) <= joint_limits[k] + limit_rounding;
			next.push_back(row_end);
			if (is_inside)
				find_rows(start + lane, lane);
			else
				hit[start + lane] = 1;
			ends.push_back(row_end);
		}
	}
	states_asked += count;
}

/* One call of the library, for the rows in `asked`. */
void batch_checker::ask()
{
	overlaps.resize(asked.size());
	const wp_batch batch = wp::batch_of(
		table, wp::bodies_of(bodies, &body::position, &body::rotation, &body::shape), asked, &row::a, &row::b);
	wp_results results = {};
	results.overlap.data = overlaps.data();
	wp_statistics counts = {};
	const wp_error error = wp_overlap(workspace.get(), &batch, &results, &counts);
	if (error != WP_OK || counts.invalid != 0)
		throw std::runtime_error(error != WP_OK ? wp_error_text(error) : "a pair is invalid");
	rows_asked += asked.size();
}

/* Ask rows of the undecided states, a few of each, until all are decided, or one hits something. Whether one does. */
bool batch_checker::decide(std::size_t count, bool stops_at_first)
{
	bool any = std::find(hit.begin(), hit.end(), 1) != hit.end();
	if (any && stops_at_first)
		return true;
	for (std::size_t undecided = count;;) {
		const std::size_t share = std::max(rows_of_state, rows_of_call / undecided);
		asked.clear();
		states.clear();
		undecided = 0;
		for (std::size_t state = 0; state < count; state++) {
			if (hit[state] != 0 || next[state] == ends[state])
				continue;
			const std::size_t stop = std::min(next[state] + share, ends[state]);
			for (; next[state] < stop; next[state]++) {
				asked.push_back(rows[next[state]]);
				states.push_back(state);
			}
			undecided++;
		}
		if (undecided == 0)
			return any;
		ask();
		for (std::size_t i = 0; i < asked.size(); i++)
			if (overlaps[i] != 0) {
				hit[states[i]] = 1;
				any = true;
			}
		if (any && stops_at_first)
			return true;
	}
}

void batch_checker::check(const double *joints, std::size_t count, std::uint8_t *is_free)
{
	for (std::size_t start = 0; start < count; start += states_of_block) {
		const std::size_t block = std::min(states_of_block, count - start);
		begin(joints + start * joint_count, block);
		decide(block, false);
		for (std::size_t i = 0; i < block; i++)
			is_free[start + i] = hit[i] == 0;
	}
}

/* The last state and a few all along the edge come first, then those between them. */
bool batch_checker::all_free(const double *joints, std::size_t count)
{
	const std::size_t step = std::max<std::size_t>(1, count / states_of_glance);
	spread.clear();
	for (std::size_t offset = 0; offset < step; offset++)
		for (std::size_t i = offset; i < count; i += step)
			spread.insert(spread.end(), joints + (count - 1 - i) * joint_count, joints + (count - i) * joint_count);
	std::size_t start = 0, block = states_of_glance;
	while (start < count) {
		block = std::min(block, count - start);
		begin(&spread[start * joint_count], block);
		if (decide(block, true))
			return false;
		start += block;
		block = states_of_block;
	}
	return true;
}

bool batch_validity::isValid(const base::State *state) const
{
	return pool.with([&](batch_checker &checker) { return checker.all_free(angles_of(state), 1); });
}

std::vector<double> states_of_edge(
	const base::SpaceInformation &information, const base::State *from, const base::State *to)
{
	const unsigned count = std::max(1u, information.getStateSpace()->validSegmentCount(from, to));
	std::vector<double> joints(count * joint_count);
	const double *const start = angles_of(from), *const end = angles_of(to);
	for (unsigned i = 0; i < count; i++)
		for (std::size_t k = 0; k < joint_count; k++)
			joints[i * joint_count + k] = start[k] + (end[k] - start[k]) * (i + 1) / count;
	return joints;
}

bool batch_motions::checkMotion(const base::State *from, const base::State *to) const
{
	const std::vector<double> joints = states_of_edge(*si_, from, to);
	const bool is_free = pool.with(
		[&](batch_checker &checker) { return checker.all_free(joints.data(), joints.size() / joint_count); });
	(is_free ? valid_ : invalid_)++;
	return is_free;
}

bool batch_motions::checkMotion(
	const base::State *from, const base::State *to, std::pair<base::State *, double> &last_valid) const
{
	const std::vector<double> joints = states_of_edge(*si_, from, to);
	const std::size_t count = joints.size() / joint_count;
	std::vector<std::uint8_t> is_free(count);
	const std::size_t first_hit = pool.with([&](batch_checker &checker) {
		checker.check(joints.data(), count, is_free.data());
		return static_cast<std::size_t>(std::find(is_free.begin(), is_free.end(), 0) - is_free.begin());
	});
	if (first_hit == count) {
		valid_++;
		return true;
	}
	last_valid.second = static_cast<double>(first_hit) / static_cast<double>(count);
	if (last_valid.first != nullptr)
		si_->getStateSpace()->interpolate(from, to, last_valid.second, last_valid.first);
	invalid_++;
	return false;
}
