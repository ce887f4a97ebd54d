#include "shapes.hpp"

#include <BulletCollision/CollisionShapes/btTriangleShape.h>

namespace
{

wp_shape capsule_of(const btCapsuleShape &shape)
{
	if (shape.getUpAxis() == 1)
		return wp_shape_capsule(shape.getRadius(), shape.getHalfHeight());
	float end[3] = {0.0f, 0.0f, 0.0f}, start[3] = {0.0f, 0.0f, 0.0f};
	end[shape.getUpAxis()] = shape.getHalfHeight();
	start[shape.getUpAxis()] = -shape.getHalfHeight();
	wp_shape segment = wp_shape_segment(start, end);
	segment.radius = shape.getRadius();
	return segment;
}

wp_shape box_of(const btBoxShape &shape)
{
	const btVector3 half = shape.getHalfExtentsWithMargin();
	return wp_shape_box(half.x(), half.y(), half.z());
}

wp_shape triangle_of(const btTriangleShape &shape)
{
	const btVector3 *corner = shape.m_vertices1;
	wp_shape triangle = wp_shape_triangle(corner[0], corner[1], corner[2]);
	triangle.radius = shape.getMargin();
	return triangle;
}

} // namespace

wp_shape shape_book::hull_of(const btConvexHullShape &shape)
{
	std::vector<float> points;
	for (int index = 0; index < shape.getNumPoints(); index++) {
		const btVector3 at = shape.getScaledPoint(index);
		points.insert(points.end(), {at.x(), at.y(), at.z()});
	}
	const wp_hull *cooked = nullptr;
	must(wp_cook_points(points.data(), 0, points.size() / 3, &cooked, nullptr));
	hulls.emplace_back(cooked);
	wp_shape hull = wp_shape_hull(cooked);
	hull.radius = shape.getMargin();
	return hull;
}

std::uint32_t shape_book::add(const btCollisionShape *shape)
{
	wp_shape made;
	switch (shape->getShapeType()) {
	case SPHERE_SHAPE_PROXYTYPE:
		made = wp_shape_sphere(static_cast<const btSphereShape *>(shape)->getRadius());
		break;
	case CAPSULE_SHAPE_PROXYTYPE:
		made = capsule_of(*static_cast<const btCapsuleShape *>(shape));
		break;
	case BOX_SHAPE_PROXYTYPE:
		made = box_of(*static_cast<const btBoxShape *>(shape));
		break;
	case CONVEX_HULL_SHAPE_PROXYTYPE:
		made = hull_of(*static_cast<const btConvexHullShape *>(shape));
		break;
	case TRIANGLE_SHAPE_PROXYTYPE:
		made = triangle_of(*static_cast<const btTriangleShape *>(shape));
		break;
	default:
		return none;
	}
	shapes.push_back(made);
	built = nullptr;
	return static_cast<std::uint32_t>(shapes.size() - 1);
}

std::uint32_t shape_book::find(const btCollisionShape *shape)
{
	const auto found = known.find(shape);
	if (found != known.end())
		return found->second;
	const std::uint32_t index = add(shape);
	known.emplace(shape, index);
	return index;
}

const wp_shape_table *shape_book::table()
{
	if (!built) {
		const std::size_t size = wp_shape_table_size(shapes.size());
		table_memory = std::make_unique<aligned_memory>(size);
		must(wp_shape_table_build(shapes.data(), shapes.size(), table_memory->get(), size, &built, nullptr));
	}
	return built;
}
