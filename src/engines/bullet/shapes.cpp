#include "shapes.hpp"

#include <BulletCollision/CollisionShapes/btConvexPointCloudShape.h>
#include <BulletCollision/CollisionShapes/btTetrahedronShape.h>
#include <BulletCollision/CollisionShapes/btTriangleShape.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace wp::bullet
{

namespace
{

/* Steps after which a shape that no body with a pair has may be dropped. */
constexpr std::uint32_t old_age = 256;

/* Room in the first table. */
constexpr std::size_t first_size = 64;

/* Quarter turns that bring Y to the axis: a cyclic exchange of the axes, exact but for the rounding of a half. */
btQuaternion turn_to(int axis)
{
	constexpr btScalar half = 0.5f;
	if (axis == 0)
		return btQuaternion(-half, -half, -half, half);                                    /* X to Z, Y to X, Z to Y */
	return axis == 2 ? btQuaternion(half, half, half, half) : btQuaternion::getIdentity(); /* X to Y, Y to Z, Z to X */
}

void put(shape_numbers &to, const btVector3 &vector)
{
	for (int axis = 0; axis < 3; axis++)
		to.values[axis] = vector[axis];
}

/* FNV-1a over the numbers of all points, bit by bit the same or not. */
std::uint64_t fingerprint_of(const btVector3 *points, int count)
{
	std::uint64_t hash = 14695981039346656037u;
	for (int index = 0; index < count; index++) {
		for (int axis = 0; axis < 3; axis++) {
			std::uint32_t bits;
			std::memcpy(&bits, &points[index].m_floats[axis], sizeof bits);
			hash = (hash ^ bits) * 1099511628211u;
		}
	}
	return hash;
}

/* The corners of a triangle or a tetrahedron; returns how many there are. */
int corners_of(const btCollisionShape &shape, btVector3 corners[4])
{
	if (shape.getShapeType() == TRIANGLE_SHAPE_PROXYTYPE) {
		std::copy_n(static_cast<const btTriangleShape &>(shape).m_vertices1, 3, corners);
		return 3;
	}
	const auto &simplex = static_cast<const btBU_Simplex1to4 &>(shape);
	for (int index = 0; index < simplex.getNumVertices(); index++)
		simplex.getVertex(index, corners[index]);
	return simplex.getNumVertices();
}

const btVector3 *points_of(const btCollisionShape &shape)
{
	if (shape.getShapeType() == CONVEX_HULL_SHAPE_PROXYTYPE)
		return static_cast<const btConvexHullShape &>(shape).getUnscaledPoints();
	if (shape.getShapeType() == CONVEX_POINT_CLOUD_SHAPE_PROXYTYPE)
		return static_cast<const btConvexPointCloudShape &>(shape).getUnscaledPoints();
	return nullptr;
}

/* The numbers of a shape about an axis: `count` is the axis. */
void put_turned(shape_numbers &to, const btCollisionShape &shape)
{
	if (to.type == CAPSULE_SHAPE_PROXYTYPE) {
		const auto &capsule = static_cast<const btCapsuleShape &>(shape);
		to.count = capsule.getUpAxis();
		to.values[0] = capsule.getRadius();
		to.values[1] = capsule.getHalfHeight();
	} else if (to.type == CYLINDER_SHAPE_PROXYTYPE) {
		const auto &cylinder = static_cast<const btCylinderShape &>(shape);
		to.count = cylinder.getUpAxis();
		to.values[0] = cylinder.getRadius();
		to.values[1] = cylinder.getHalfExtentsWithMargin()[to.count];
	} else {
		const auto &cone = static_cast<const btConeShape &>(shape);
		to.count = cone.getConeUpIndex();
		to.values[0] = cone.getRadius();
		to.values[1] = 0.5f * cone.getHeight();
		to.values[2] = cone.getMargin();
	}
}

/* Numbers of a shape whose kind the library has; of others the type INVALID_SHAPE_PROXYTYPE. */
shape_numbers numbers_of(const btCollisionShape &shape)
{
	shape_numbers to;
	to.type = shape.getShapeType();
	switch (to.type) {
	case SPHERE_SHAPE_PROXYTYPE:
		to.values[0] = static_cast<const btSphereShape &>(shape).getRadius();
		break;
	case BOX_SHAPE_PROXYTYPE:
		put(to, static_cast<const btBoxShape &>(shape).getHalfExtentsWithMargin());
		break;
	case CAPSULE_SHAPE_PROXYTYPE:
	case CYLINDER_SHAPE_PROXYTYPE:
	case CONE_SHAPE_PROXYTYPE:
		put_turned(to, shape);
		break;
	case STATIC_PLANE_PROXYTYPE: {
		const auto &plane = static_cast<const btStaticPlaneShape &>(shape);
		put(to, plane.getPlaneNormal());
		to.values[3] = plane.getPlaneConstant();
		break;
	}
	case TRIANGLE_SHAPE_PROXYTYPE:
	case TETRAHEDRAL_SHAPE_PROXYTYPE: {
		btVector3 corners[4];
		to.count = corners_of(shape, corners);
		to.fingerprint = fingerprint_of(corners, to.count);
		to.values[3] = shape.getMargin();
		break;
	}
	case CONVEX_HULL_SHAPE_PROXYTYPE:
	case CONVEX_POINT_CLOUD_SHAPE_PROXYTYPE:
		to.count = to.type == CONVEX_HULL_SHAPE_PROXYTYPE
		             ? static_cast<const btConvexHullShape &>(shape).getNumPoints()
		             : static_cast<const btConvexPointCloudShape &>(shape).getNumPoints();
		to.points = points_of(shape);
		put(to, shape.getLocalScaling());
		to.values[3] = shape.getMargin();
		break;
	default:
		to.type = INVALID_SHAPE_PROXYTYPE;
	}
	return to;
}

bool are_equal(const shape_numbers &a, const shape_numbers &b)
{
	return a.type == b.type && a.count == b.count && a.points == b.points && a.fingerprint == b.fingerprint &&
	       std::memcmp(a.values, b.values, sizeof a.values) == 0;
}

wp_shape capsule_of(const shape_numbers &from)
{
	if (from.count == 1)
		return wp_shape_capsule(from.values[0], from.values[1]);
	float end[3] = {0.0f, 0.0f, 0.0f}, start[3] = {0.0f, 0.0f, 0.0f};
	end[from.count] = from.values[1];
	start[from.count] = -from.values[1];
	wp_shape segment = wp_shape_segment(start, end);
	segment.radius = from.values[0];
	return segment;
}

wp_shape cone_of(const shape_numbers &from)
{
	wp_shape cone = wp_shape_cone(from.values[0], from.values[1]);
	cone.radius = from.values[2];
	return cone;
}

wp_shape triangle_of(const btCollisionShape &shape)
{
	btVector3 corners[4];
	corners_of(shape, corners);
	wp_shape triangle = wp_shape_triangle(corners[0], corners[1], corners[2]);
	triangle.radius = shape.getMargin();
	return triangle;
}

/* The hull of points, which all have the scale; nothing where it cannot be made. */
hull_handle cook(const btVector3 *points, int count, const btVector3 &scale)
{
	std::vector<float> scaled;
	for (int index = 0; index < count; index++) {
		const btVector3 at = points[index] * scale;
		scaled.insert(scaled.end(), {at.x(), at.y(), at.z()});
	}
	const wp_hull *cooked = nullptr;
	if (count < 1 || wp_cook_points(scaled.data(), 0, scaled.size() / 3, &cooked, nullptr) != WP_OK)
		return nullptr;
	return hull_handle(cooked);
}

hull_handle hull_of(const btCollisionShape &shape, const shape_numbers &of)
{
	if (of.type != TETRAHEDRAL_SHAPE_PROXYTYPE)
		return cook(points_of(shape), of.count, shape.getLocalScaling());
	btVector3 corners[4];
	return cook(corners, corners_of(shape, corners), btVector3(1.0f, 1.0f, 1.0f));
}

wp_shape rounded_hull(const wp_hull *hull, float radius)
{
	wp_shape shape = wp_shape_hull(hull);
	shape.radius = radius;
	return shape;
}

bool has_hull(int type)
{
	return type == CONVEX_HULL_SHAPE_PROXYTYPE || type == CONVEX_POINT_CLOUD_SHAPE_PROXYTYPE ||
	       type == TETRAHEDRAL_SHAPE_PROXYTYPE;
}

/* `hull` of a shape that has one. */
wp_shape shape_of(const btCollisionShape &shape, const shape_numbers &from, const wp_hull *hull)
{
	const btScalar *value = from.values;
	switch (from.type) {
	case SPHERE_SHAPE_PROXYTYPE:
		return wp_shape_sphere(value[0]);
	case CAPSULE_SHAPE_PROXYTYPE:
		return capsule_of(from);
	case BOX_SHAPE_PROXYTYPE:
		return wp_shape_box(value[0], value[1], value[2]);
	case CYLINDER_SHAPE_PROXYTYPE:
		return wp_shape_cylinder(value[0], value[1]);
	case CONE_SHAPE_PROXYTYPE:
		return cone_of(from);
	case STATIC_PLANE_PROXYTYPE:
		return wp_shape_half_space();
	case TRIANGLE_SHAPE_PROXYTYPE:
		return triangle_of(shape);
	default:
		return rounded_hull(hull, value[3]);
	}
}

/* The frame of a shape in its body: its Y is the axis of a cylinder or a cone, or the normal of a plane. */
btTransform frame_of(const shape_numbers &from)
{
	if (from.type == STATIC_PLANE_PROXYTYPE) {
		const btVector3 normal(from.values[0], from.values[1], from.values[2]);
		return btTransform(shortestArcQuat(btVector3(0.0f, 1.0f, 0.0f), normal), normal * from.values[3]);
	}
	return btTransform(turn_to(from.count));
}

bool is_framed(const shape_numbers &from)
{
	const bool stands = from.type == CYLINDER_SHAPE_PROXYTYPE || from.type == CONE_SHAPE_PROXYTYPE;
	return from.type == STATIC_PLANE_PROXYTYPE || (stands && from.count != 1);
}

float thinness_of(const btCollisionShape &shape)
{
	if (shape.isInfinite())
		return INFINITY;
	btVector3 low, high;
	shape.getAabb(btTransform::getIdentity(), low, high);
	const btVector3 half = 0.5f * (high - low);
	return half[half.minAxis()];
}

} // namespace

/* A table with more room: its indices stay, but what wp_track keeps of its pairs does not hold for it. */
void shape_book::grow()
{
	const std::size_t size = std::max(first_size, 2 * entries.size()), bytes = wp_shape_table_size(size);
	memory = std::make_unique<aligned_memory>(bytes);
	must(wp_shape_table_init(memory->get(), bytes, size, &made));
	tables++;
	for (std::uint32_t index = 0; index < entries.size(); index++)
		if (entries[index].is_known)
			set(index);
	for (std::uint32_t index = static_cast<std::uint32_t>(size); index > entries.size(); index--)
		free.push_back(index - 1);
	entries.resize(size);
	shapes.resize(size);
}

void shape_book::drop_old(std::uint32_t step)
{
	for (std::uint32_t index = 0; index < entries.size(); index++) {
		if (!entries[index].key || step - entries[index].seen < old_age)
			continue;
		must(wp_shape_table_remove(made, index));
		known.erase(entries[index].key);
		entries[index] = entry();
		shapes[index] = made_shape();
		free.push_back(index);
	}
}

/* A free index. Half of the old shapes must go, or the table grows, so that it seldom searches them all. */
std::uint32_t shape_book::take(std::uint32_t step)
{
	if (free.empty()) {
		drop_old(step);
		if (free.size() <= entries.size() / 2)
			grow();
	}
	const std::uint32_t index = free.back();
	free.pop_back();
	return index;
}

bool shape_book::set(std::uint32_t index)
{
	return wp_shape_table_set(made, index, &shapes[index].found.shape, nullptr) == WP_OK;
}

void shape_book::read(std::uint32_t index)
{
	entry &of = entries[index];
	made_shape &to = shapes[index];
	const btCollisionShape &shape = *of.key;
	of.numbers = numbers_of(shape);
	to.fingerprint = of.numbers.points ? fingerprint_of(points_of(shape), of.numbers.count) : 0;
	hull_handle hull = has_hull(of.numbers.type) ? hull_of(shape, of.numbers) : nullptr;
	to.found.shape = shape_of(shape, of.numbers, hull.get());
	to.found.is_framed = is_framed(of.numbers);
	to.found.frame = to.found.is_framed ? frame_of(of.numbers) : btTransform::getIdentity();
	to.found.thinness = thinness_of(shape);
	of.reading = ++readings;
	/* The table refuses what the library cannot answer, and then it has no shape here. */
	of.is_known = set(index);
	if (!of.is_known)
		must(wp_shape_table_remove(made, index));
	to.hull = std::move(hull);
}

std::uint32_t shape_book::find(const btCollisionShape *shape, std::uint32_t step)
{
	if (numbers_of(*shape).type == INVALID_SHAPE_PROXYTYPE)
		return none;
	const auto found = known.find(shape);
	if (found != known.end())
		return find_again(found->second, shape, step);
	const std::uint32_t index = take(step);
	known.emplace(shape, index);
	entries[index].key = shape;
	entries[index].seen = step;
	read(index);
	return result(index);
}

std::uint32_t shape_book::find_again(std::uint32_t index, const btCollisionShape *shape, std::uint32_t step)
{
	if (index >= entries.size() || entries[index].key != shape)
		return find(shape, step);
	entries[index].seen = step;
	const shape_numbers now = numbers_of(*shape);
	if (now.type == INVALID_SHAPE_PROXYTYPE)
		return none;
	if (!are_equal(now, entries[index].numbers))
		read(index);
	return result(index);
}

void shape_book::check_points(std::uint32_t index)
{
	const entry &of = entries[index];
	if (of.numbers.points && fingerprint_of(points_of(*of.key), of.numbers.count) != shapes[index].fingerprint)
		read(index);
}

void shape_book::forget(const btCollisionShape *shape)
{
	const auto found = known.find(shape);
	if (found != known.end())
		entries[found->second].numbers.type = INVALID_SHAPE_PROXYTYPE;
}

} // namespace wp::bullet
