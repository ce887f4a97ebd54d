/* FCL in double precision, as planners use it: a DynamicAABBTreeCollisionManager of the obstacles, asked part by part until
 * one hits; parts among themselves where their boxes overlap. */
#include "fcl_checker.hpp"

#include <fcl/fcl.h>

namespace
{

using geometry = std::shared_ptr<fcl::CollisionGeometryd>;

geometry hull_of(const wp_hull &hull)
{
	auto vertices = std::make_shared<std::vector<fcl::Vector3d>>();
	for (std::size_t i = 0; i < wp_hull_vertex_count(&hull); i++) {
		float vertex[3];
		wp_hull_vertex(&hull, i, vertex);
		vertices->emplace_back(vertex[0], vertex[1], vertex[2]);
	}
	auto faces = std::make_shared<std::vector<int>>();
	const std::size_t count = wp_hull_face_count(&hull);
	for (std::size_t i = 0; i < count; i++) {
		std::size_t size;
		const std::uint32_t *const face = wp_hull_face(&hull, i, &size);
		faces->push_back(static_cast<int>(size));
		faces->insert(faces->end(), face, face + size);
	}
	return std::make_shared<fcl::Convexd>(vertices, static_cast<int>(count), faces);
}

geometry geometry_of(const wp_shape &shape)
{
	switch (shape.kind) {
	case WP_SHAPE_BOX:
		return std::make_shared<fcl::Boxd>(
			2.0 * shape.half_extents[0], 2.0 * shape.half_extents[1], 2.0 * shape.half_extents[2]);
	case WP_SHAPE_CAPSULE:
		return std::make_shared<fcl::Capsuled>(shape.radius, 2.0 * shape.half_height);
	case WP_SHAPE_CYLINDER:
		return std::make_shared<fcl::Cylinderd>(shape.base_radius, 2.0 * shape.half_height);
	default:
		return hull_of(*shape.hull);
	}
}

/* Its capsules and cylinders lie along Z. */
fcl::Transform3d transform_of(const wp_shape &shape, const wp_pose &pose)
{
	const float *const turn = pose.rotation;
	fcl::Transform3d made = fcl::Transform3d::Identity();
	made.linear() = Eigen::Quaterniond(turn[3], turn[0], turn[1], turn[2]).normalized().toRotationMatrix();
	made.translation() = fcl::Vector3d(pose.position[0], pose.position[1], pose.position[2]);
	if (shape.kind == WP_SHAPE_CAPSULE || shape.kind == WP_SHAPE_CYLINDER) {
		fcl::Matrix3d onto;
		onto << 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, -1.0, 0.0;
		made.linear() = (made.linear() * onto).eval();
	}
	return made;
}

struct question {
	fcl::CollisionRequestd request;
	fcl::CollisionResultd result;
};

bool overlap(const fcl::CollisionObjectd &a, const fcl::CollisionObjectd &b, const fcl::CollisionRequestd &request)
{
	fcl::CollisionResultd result;
	return fcl::collide(&a, &b, request, result) > 0;
}

/* Called by the manager for each pair whose boxes overlap; true ends its search. */
bool answer(fcl::CollisionObjectd *a, fcl::CollisionObjectd *b, void *data)
{
	question &asked = *static_cast<question *>(data);
	return fcl::collide(a, b, asked.request, asked.result) > 0;
}

} // namespace

struct fcl_checker::objects {
	std::vector<std::unique_ptr<fcl::CollisionObjectd>> parts, obstacles;
	fcl::DynamicAABBTreeCollisionManagerd manager;
	fcl::CollisionRequestd request;
};

fcl_checker::fcl_checker(const scene &of, bool by_libccd)
	: world(of), own(std::make_unique<objects>()), poses(of.parts.size())
{
	own->request.gjk_solver_type = by_libccd ? fcl::GST_LIBCCD : fcl::GST_INDEP;
	std::vector<geometry> geometries;
	for (const wp::shape &shape : world.shapes)
		geometries.push_back(geometry_of(shape));
	for (const arm_part &part : world.parts)
		own->parts.push_back(std::make_unique<fcl::CollisionObjectd>(geometries[part.shape]));
	for (const obstacle &standing : world.obstacles) {
		own->obstacles.push_back(std::make_unique<fcl::CollisionObjectd>(
			geometries[standing.shape], transform_of(world.shapes[standing.shape], standing.pose)));
		own->obstacles.back()->computeAABB();
		own->manager.registerObject(own->obstacles.back().get());
	}
	own->manager.setup();
}

fcl_checker::~fcl_checker() = default;

void fcl_checker::place(const double *joints)
{
	world.place(joints, poses.data());
	for (std::size_t i = 0; i < poses.size(); i++) {
		own->parts[i]->setTransform(transform_of(world.shapes[world.parts[i].shape], poses[i]));
		own->parts[i]->computeAABB();
	}
}

bool fcl_checker::is_free(const double *joints)
{
	place(joints);
	question asked = {own->request, {}};
	for (std::size_t part = world.parts.size(); part-- > 0;) {
		if (world.parts[part].link > 0)
			own->manager.collide(own->parts[part].get(), &asked, answer);
		if (asked.result.isCollision())
			return false;
	}
	for (const part_pair &pair : world.self_pairs)
		if (own->parts[pair.first]->getAABB().overlap(own->parts[pair.second]->getAABB()) &&
			hits_part(pair.first, pair.second))
			return false;
	return true;
}

bool fcl_checker::hits_obstacle(std::size_t part, std::size_t obstacle) const
{
	return overlap(*own->parts[part], *own->obstacles[obstacle], own->request);
}

bool fcl_checker::hits_part(std::size_t first, std::size_t second) const
{
	return overlap(*own->parts[first], *own->parts[second], own->request);
}
