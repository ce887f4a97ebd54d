/* Distances and rays. */
#include "batch.hpp"
#include "must.hpp"

#include <dart/collision/DistanceFilter.hpp>

#include <algorithm>
#include <cmath>

namespace wp::detail
{

using dart::collision::DistanceOption;
using dart::collision::DistanceResult;
using dart::collision::RaycastOption;
using dart::collision::RaycastResult;
using dart::collision::RayHit;
using in_dart::body;
using in_dart::box;
using in_dart::extent;
using in_dart::made_shape;
using in_dart::must;
using in_dart::pair;
using in_dart::shape_group;
using in_dart::sides;

namespace
{

/* Rows that a search for the least distance answers at once: few enough that the first ones spare others. */
constexpr std::size_t rows_at_once = 128;

/* No shapes of two boxes are nearer. */
double gap_of(const box &a, const box &b)
{
	return (a.lower - b.upper).cwiseMax(b.lower - a.upper).cwiseMax(0.0).norm();
}

bool is_nearer(const RayHit &a, const RayHit &b) { return a.mFraction < b.mFraction; }

} // namespace

/* A way from a point, and the part of it about a box: it is cast alone, so a ray that comes from far loses no digits to
 * floats. */
struct dart_batch::ray {
	Eigen::Vector3d from, way;
	double enter = 0.0, leave = 1.0;
	Eigen::Vector3d start() const { return from + enter * way; }
	Eigen::Vector3d part() const { return (leave - enter) * way; }
	/* Of the way, for one of the part. */
	double fraction(float of_part) const { return enter + (leave - enter) * double(of_part); }

	/* Whether the way meets a box, about which it keeps the part (Kay, Kajiya 1986, Ray tracing complex scenes: slabs). */
	bool cut(const box &of)
	{
		for (int axis = 0; axis < 3; axis++) {
			if (way[axis] == 0.0) {
				if (from[axis] < of.lower[axis] || from[axis] > of.upper[axis])
					return false;
				continue;
			}
			const double one = (of.lower[axis] - from[axis]) / way[axis],
						 other = (of.upper[axis] - from[axis]) / way[axis];
			enter = std::max(enter, std::min(one, other));
			leave = std::min(leave, std::max(one, other));
		}
		if (!(enter <= leave))
			return false;
		/* A flat box has no inside, and rounding may leave one out. */
		const double more = (of.upper - of.lower).norm() / way.norm();
		enter = std::max(0.0, enter - more);
		leave = std::min(1.0, leave + more);
		return true;
	}
};

/* A search for the least distance, and where it is. */
struct dart_batch::least_distance {
	const sides &of;
	const DistanceOption &option;
	double distance = INFINITY;
	pair at = {};
	in_dart::witnesses points = {};
	bool is_found = false;
	/* What is low enough ends the search. */
	bool is_done() const { return is_found && distance <= option.distanceLowerBound; }
	bool wants(std::uint32_t a, std::uint32_t b) const
	{
		const auto &object_a = of.a.object(a), &object_b = of.b.object(b);
		if (object_a.getShapeFrame() == object_b.getShapeFrame())
			return false;
		return !option.distanceFilter || option.distanceFilter->needDistance(&object_a, &object_b);
	}
};

/* Answer the pairs that were collected. */
void dart_batch::measure(least_distance &to)
{
	if (pairs.empty())
		return;
	const wp_batch batch = batch_of(to.of, pairs, 0, pairs.size());
	rows.resize(pairs.size());
	wp_results results = wp_results_of_rows(rows.data());
	/* In double: floats are too coarse far from the origin. */
	nearest.resize(pairs.size());
	results.point_a = {nearest[0].a, sizeof(in_dart::witnesses)};
	results.point_b = {nearest[0].b, sizeof(in_dart::witnesses)};
	results.point_real = WP_REAL_DOUBLE;
	wp_contact_options options = {};
	options.max_separation = INFINITY;
	must(wp_contact(memory.get(), &batch, &options, &results, nullptr));
	for (std::size_t row = 0; row < pairs.size(); row++) {
		if ((rows[row].status & WP_STATUS_INVALID) != 0 || double(rows[row].separation) >= to.distance)
			continue;
		to.is_found = true;
		to.distance = double(rows[row].separation);
		to.at = pairs[row];
		to.points = nearest[row];
	}
	pairs.clear();
}

/* Boxes in the order of their lower ends along X: of each only those that begin within the least distance so far follow. */
void dart_batch::measure_all(least_distance &to)
{
	struct end {
		double lower;
		std::uint32_t index;
		bool is_b;
	};
	std::vector<end> ends;
	for (int side = 0; side < (to.of.is_one() ? 1 : 2); side++) {
		const shape_group &group = side == 0 ? to.of.a : to.of.b;
		for (const std::uint32_t index : group.bounded())
			if (!group.shape(index).mesh)
				ends.push_back({group.box_of(index).lower.x(), index, side != 0});
	}
	std::sort(ends.begin(), ends.end(), [](const end &a, const end &b) { return a.lower < b.lower; });
	for (std::size_t first = 0; first < ends.size(); first++) {
		const auto &group = ends[first].is_b ? to.of.b : to.of.a;
		const box &around = group.box_of(ends[first].index);
		for (std::size_t next = first + 1; next < ends.size(); next++) {
			if (ends[next].lower - around.upper.x() > to.distance)
				break;
			if (!to.of.is_one() && ends[first].is_b == ends[next].is_b)
				continue;
			const auto &other = ends[next].is_b ? to.of.b : to.of.a;
			std::uint32_t a = ends[first].index, b = ends[next].index;
			/* Boxes have gaps alone: of pairs that overlap any may be deeper than what is known. */
			if (gap_of(around, other.box_of(b)) > std::max(to.distance, 0.0))
				continue;
			if (to.of.is_one() ? a > b : ends[first].is_b)
				std::swap(a, b);
			if (!to.wants(a, b))
				continue;
			pairs.push_back({a, b});
			if (pairs.size() == rows_at_once)
				measure(to);
			if (to.is_done())
				return;
		}
	}
}

double dart_batch::distance(const sides &of, const DistanceOption &option, DistanceResult *result)
{
	of.a.read();
	if (!of.is_one())
		of.b.read();
	pairs.clear();
	least_distance to = {of, option};
	if (of.a.has_meshes() || of.b.has_meshes())
		book.warn_once("meshes that are not convex have no distances.");
	for (const std::uint32_t plane : of.a.planes())
		for (const std::uint32_t other : of.b.bounded())
			if (!of.b.shape(other).mesh && to.wants(plane, other))
				pairs.push_back({plane, other});
	if (!of.is_one()) {
		for (const std::uint32_t plane : of.b.planes())
			for (const std::uint32_t other : of.a.bounded())
				if (!of.a.shape(other).mesh && to.wants(other, plane))
					pairs.push_back({other, plane});
	}
	measure(to);
	if (!to.is_done())
		measure_all(to);
	measure(to);
	pairs.clear();
	if (!to.is_found)
		return 0.0;
	const double clamped = std::max(to.distance, option.distanceLowerBound);
	if (result) {
		result->minDistance = clamped;
		result->unclampedMinDistance = to.distance;
		result->shapeFrame1 = of.a.object(to.at.a).getShapeFrame();
		result->shapeFrame2 = of.b.object(to.at.b).getShapeFrame();
		if (option.enableNearestPoints) {
			result->nearestPoint1 = Eigen::Vector3d(to.points.a);
			result->nearestPoint2 = Eigen::Vector3d(to.points.b);
		}
	}
	return clamped;
}

/* A ray and a mesh, in the frame of the mesh. */
void dart_batch::cast_mesh(shape_group &group, std::uint32_t index, const ray &by, std::vector<RayHit> &hits)
{
	const Eigen::Isometry3d &pose = group.object(index).getTransform();
	const wp_mesh *mesh = group.shape(index).mesh->get();
	const Eigen::Vector3f start = (pose.inverse() * by.start()).cast<float>(),
						  along = (pose.linear().transpose() * by.part()).cast<float>();
	wp_mesh_hit met;
	if (wp_mesh_ray(mesh, start.data(), along.data(), &met) != WP_OK || met.triangle == WP_MESH_MISS)
		return;
	Eigen::Vector3f normal;
	wp_mesh_normal(mesh, met.triangle, normal.data());
	RayHit hit;
	hit.mCollisionObject = &group.object(index);
	hit.mFraction = by.fraction(met.fraction);
	hit.mPoint = by.from + hit.mFraction * by.way;
	hit.mNormal = pose.linear() * normal.cast<double>() * (met.is_front ? 1.0 : -1.0);
	hits.push_back(hit);
}

/* The cast of a point against all objects whose boxes it meets. */
void dart_batch::cast(
	shape_group &group, const Eigen::Vector3d &from, const Eigen::Vector3d &way, std::vector<RayHit> &hits)
{
	std::vector<ray> rays;
	std::vector<body> starts;
	std::vector<Eigen::Vector3f> parts;
	pairs.clear();
	const auto add = [&](std::uint32_t index, const ray &by) {
		const Eigen::Vector3d start = by.start();
		pairs.push_back({static_cast<std::uint32_t>(rays.size()), index});
		rays.push_back(by);
		starts.push_back(
			{{start.x(), start.y(), start.z()}, {0.0f, 0.0f, 0.0f, 1.0f}, in_dart::shape_book::point_index});
		parts.push_back(by.part().cast<float>());
	};
	for (const std::uint32_t plane : group.planes())
		add(plane, {from, way});
	for (const std::uint32_t index : group.bounded()) {
		ray by = {from, way};
		if (!by.cut(group.box_of(index)))
			continue;
		if (group.shape(index).mesh)
			cast_mesh(group, index, by, hits);
		else
			add(index, by);
	}
	if (pairs.empty())
		return;
	wp_batch batch = batch_of({group, group}, pairs, 0, pairs.size());
	batch.b = batch.a;
	batch.a.position.data = starts[0].position;
	batch.a.rotation.data = starts[0].rotation;
	batch.a.shape.data = &starts[0].shape;
	batch.a.count = starts.size();
	wp_motions motions = {};
	motions.translation = {parts[0].data(), sizeof(parts[0])};
	rows.resize(pairs.size());
	fractions.resize(pairs.size());
	const wp_results results = wp_results_of_rows(rows.data());
	const wp_float_column fraction = {fractions.data(), 0};
	must(wp_cast(memory.get(), &batch, &motions, nullptr, &results, &fraction, nullptr));
	for (std::size_t row = 0; row < pairs.size(); row++) {
		if ((rows[row].status & WP_STATUS_HIT) == 0)
			continue;
		RayHit hit;
		hit.mCollisionObject = &group.object(pairs[row].b);
		hit.mFraction = rays[row].fraction(fractions[row]);
		hit.mPoint = from + hit.mFraction * way;
		hit.mNormal = -Eigen::Map<const Eigen::Vector3f>(rows[row].normal).cast<double>();
		hits.push_back(hit);
	}
}

bool dart_batch::raycast(shape_group &group, const Eigen::Vector3d &from, const Eigen::Vector3d &to,
	const RaycastOption &option, RaycastResult *result)
{
	group.read();
	std::vector<RayHit> hits;
	if (from.allFinite() && to.allFinite())
		cast(group, from, to - from, hits);
	if (!result)
		return !hits.empty();
	if (!option.mEnableAllHits && !hits.empty())
		hits = {*std::min_element(hits.begin(), hits.end(), is_nearer)};
	else if (option.mSortByClosest)
		std::stable_sort(hits.begin(), hits.end(), is_nearer);
	result->mRayHits = std::move(hits);
	return result->hasHit();
}

} // namespace wp::detail
