/* DART's shapes as shapes of the library. */
#include "shapes.hpp"

#include "must.hpp"
#include "read_mesh.hpp"

#include <dart/common/Console.hpp>
#include <dart/dynamics/BoxShape.hpp>
#include <dart/dynamics/CapsuleShape.hpp>
#include <dart/dynamics/ConeShape.hpp>
#include <dart/dynamics/CylinderShape.hpp>
#include <dart/dynamics/EllipsoidShape.hpp>
#include <dart/dynamics/MultiSphereConvexHullShape.hpp>
#include <dart/dynamics/PlaneShape.hpp>
#include <dart/dynamics/PyramidShape.hpp>
#include <dart/dynamics/SphereShape.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace wp::in_dart
{

namespace
{

using dart::dynamics::Shape;

/* Room in the first table. */
constexpr std::size_t first_size = 64;

void make_ball(made_shape &to, double radius)
{
	to.shape = wp_shape_sphere(static_cast<float>(radius));
	to.radius = radius;
}

bool read_sphere(made_shape &to, const Shape &from)
{
	make_ball(to, static_cast<const dart::dynamics::SphereShape &>(from).getRadius());
	return true;
}

bool read_box(made_shape &to, const Shape &from)
{
	to.half = 0.5 * static_cast<const dart::dynamics::BoxShape &>(from).getSize();
	const Eigen::Vector3f half = to.half.cast<float>();
	to.shape = wp_shape_box(half.x(), half.y(), half.z());
	return true;
}

bool read_capsule(made_shape &to, const Shape &from)
{
	const auto &capsule = static_cast<const dart::dynamics::CapsuleShape &>(from);
	to.radius = capsule.getRadius();
	to.half.z() = 0.5 * capsule.getHeight();
	to.shape = wp_shape_capsule(static_cast<float>(to.radius), static_cast<float>(to.half.z()));
	to.place = placing::turned;
	return true;
}

bool read_cylinder(made_shape &to, const Shape &from)
{
	const auto &cylinder = static_cast<const dart::dynamics::CylinderShape &>(from);
	to.half = Eigen::Vector3d(cylinder.getRadius(), cylinder.getRadius(), 0.5 * cylinder.getHeight());
	to.shape = wp_shape_cylinder(static_cast<float>(to.half.x()), static_cast<float>(to.half.z()));
	to.place = placing::turned;
	to.bounds = extent::cylinder;
	return true;
}

bool read_cone(made_shape &to, const Shape &from)
{
	const auto &cone = static_cast<const dart::dynamics::ConeShape &>(from);
	to.half = Eigen::Vector3d(cone.getRadius(), cone.getRadius(), 0.5 * cone.getHeight());
	to.shape = wp_shape_cone(static_cast<float>(to.half.x()), static_cast<float>(to.half.z()));
	to.place = placing::turned;
	to.bounds = extent::cylinder;
	return true;
}

bool read_ellipsoid(made_shape &to, const Shape &from)
{
	const auto &ellipsoid = static_cast<const dart::dynamics::EllipsoidShape &>(from);
	if (ellipsoid.isSphere()) {
		make_ball(to, ellipsoid.getRadii().x());
		return true;
	}
	to.half = ellipsoid.getRadii();
	const Eigen::Vector3f half = to.half.cast<float>();
	to.shape = wp_shape_ellipsoid(half.x(), half.y(), half.z());
	to.bounds = extent::ellipsoid;
	return true;
}

/* What turns Y to a unit vector: the shortest way for one that points up, for others half a turn about X before, which takes Y
 * to -Y. Eigen's own decomposes a matrix, at ten seconds to compile. */
Eigen::Quaterniond turn_up_to(const Eigen::Vector3d &normal)
{
	if (normal.y() < 0.0)
		return turn_up_to(-normal) * Eigen::Quaterniond(0.0, 1.0, 0.0, 0.0);
	return Eigen::Quaterniond(1.0 + normal.y(), normal.z(), 0.0, -normal.x()).normalized();
}

bool read_plane(made_shape &to, const Shape &from)
{
	const auto &plane = static_cast<const dart::dynamics::PlaneShape &>(from);
	to.shape = wp_shape_half_space();
	to.place = placing::framed;
	to.turn = turn_up_to(plane.getNormal());
	to.origin = plane.getOffset() * plane.getNormal();
	to.bounds = extent::unbounded;
	return to.origin.allFinite();
}

/* The hull of points, rounded. */
bool make_hull(made_shape &to, const std::vector<std::array<float, 3>> &points, double radius)
{
	to.hull.emplace(points);
	if (!*to.hull)
		return false;
	Eigen::AlignedBox3d box;
	for (const auto &point : points)
		box.extend(Eigen::Vector3d(point[0], point[1], point[2]));
	to.shape = wp_shape_hull(to.hull->get());
	to.shape.radius = static_cast<float>(radius);
	to.centre = box.center();
	to.half = 0.5 * box.sizes();
	to.radius = radius;
	return true;
}

bool read_pyramid(made_shape &to, const Shape &from)
{
	const auto &pyramid = static_cast<const dart::dynamics::PyramidShape &>(from);
	const float x = static_cast<float>(0.5 * pyramid.getBaseWidth()),
				y = static_cast<float>(0.5 * pyramid.getBaseDepth()), z = static_cast<float>(0.5 * pyramid.getHeight());
	return make_hull(to, {{-x, -y, -z}, {x, -y, -z}, {x, y, -z}, {-x, y, -z}, {0.0f, 0.0f, z}}, 0.0);
}

/* Of all spheres the farthest point along the direction. */
void support_spheres(const void *context, const double direction[3], double point[3])
{
	const auto &set = *static_cast<const sphere_set *>(context);
	const Eigen::Vector3d way = Eigen::Vector3d(direction[0], direction[1], direction[2]).stableNormalized();
	double farthest = -INFINITY;
	for (const auto &sphere : set.spheres) {
		const Eigen::Vector3d end = Eigen::Vector3d(sphere.centre[0], sphere.centre[1], sphere.centre[2]) +
		                            sphere.radius * way;
		if (end.dot(way) > farthest) {
			farthest = end.dot(way);
			std::copy_n(end.data(), 3, point);
		}
	}
}

/* Spheres of different radii have a support function. */
void make_custom(made_shape &to, const dart::dynamics::MultiSphereConvexHullShape::Spheres &spheres)
{
	Eigen::AlignedBox3d box;
	double bound = 0.0;
	to.spheres = std::make_unique<sphere_set>();
	for (const auto &[radius, centre] : spheres) {
		to.spheres->spheres.push_back({{centre.x(), centre.y(), centre.z()}, radius});
		box.extend(Eigen::Vector3d(centre.array() - radius));
		box.extend(Eigen::Vector3d(centre.array() + radius));
		bound = std::max(bound, centre.norm() + radius);
	}
	/* Rounded up: no point may be further away. */
	const float limit = std::nextafter(static_cast<float>(bound * (1.0 + 1e-6)), INFINITY);
	to.spheres->custom = {support_spheres, to.spheres.get(), limit};
	to.shape = wp_shape_custom(&to.spheres->custom);
	to.centre = box.center();
	to.half = 0.5 * box.sizes();
}

bool read_spheres(made_shape &to, const Shape &from)
{
	const auto &spheres = static_cast<const dart::dynamics::MultiSphereConvexHullShape &>(from).getSpheres();
	if (spheres.empty())
		return false;
	const double radius = spheres[0].first;
	std::vector<std::array<float, 3>> centres;
	for (const auto &sphere : spheres) {
		const Eigen::Vector3f centre = sphere.second.cast<float>();
		centres.push_back({centre.x(), centre.y(), centre.z()});
		if (sphere.first != radius) {
			make_custom(to, spheres);
			return true;
		}
	}
	return make_hull(to, centres, radius);
}

bool read_triangles(made_shape &to, const Shape &from)
{
	return read_mesh(to, static_cast<const dart::dynamics::MeshShape &>(from));
}

/* Types of DART and how they are read. */
using reader = bool (*)(made_shape &to, const Shape &from);
reader reader_of(const std::string &type)
{
	const std::pair<const std::string &, reader> readers[] = {
		{dart::dynamics::SphereShape::getStaticType(), read_sphere},
		{dart::dynamics::BoxShape::getStaticType(), read_box},
		{dart::dynamics::CapsuleShape::getStaticType(), read_capsule},
		{dart::dynamics::CylinderShape::getStaticType(), read_cylinder},
		{dart::dynamics::ConeShape::getStaticType(), read_cone},
		{dart::dynamics::EllipsoidShape::getStaticType(), read_ellipsoid},
		{dart::dynamics::PlaneShape::getStaticType(), read_plane},
		{dart::dynamics::PyramidShape::getStaticType(), read_pyramid},
		{dart::dynamics::MultiSphereConvexHullShape::getStaticType(), read_spheres},
		{dart::dynamics::MeshShape::getStaticType(), read_triangles}};
	for (const auto &[name, read] : readers) {
		if (type == name)
			return read;
	}
	return nullptr;
}

} // namespace

shape_book::shape_book() { grow(); }

void shape_book::warn_once(const std::string &text)
{
	if (std::find(said.begin(), said.end(), text) != said.end())
		return;
	said.push_back(text);
	dtwarn << "[wp::dart_detector] " << text << "\n";
}

/* A table with more room: indices stay. */
void shape_book::grow()
{
	const std::size_t old = shapes.size(), size = std::max(first_size, 2 * old);
	auto wider = std::make_unique<shape_table>(std::vector<wp_shape>{wp_shape_point()}, size);
	must(wider->error());
	for (std::size_t index = 1; index < old; index++) {
		if (shapes[index])
			must(wider->set(index, shapes[index]->shape));
	}
	made = std::move(wider);
	shapes.resize(size);
	mesh_of.resize(size);
	for (std::size_t index = size; index > std::max<std::size_t>(old, 1); index--)
		free.push_back(static_cast<std::uint32_t>(index - 1));
}

/* An index for a shape, which the table may refuse. */
void shape_book::put(made_shape &shape)
{
	if (free.empty())
		grow();
	const std::uint32_t index = free.back();
	if (made->set(index, shape.shape) != WP_OK)
		return;
	free.pop_back();
	shape.index = index;
	shapes[index] = &shape;
	mesh_of[index] = shape.mesh ? shape.mesh->get() : nullptr;
}

void shape_book::give(made_shape *shape)
{
	const auto found = known.find(shape->source.get());
	if (found != known.end() && found->second.expired())
		known.erase(found);
	if (shape->index != made_shape::none) {
		made->remove(shape->index);
		shapes[shape->index] = nullptr;
		mesh_of[shape->index] = nullptr;
		free.push_back(shape->index);
	}
	delete shape;
}

std::shared_ptr<const made_shape> shape_book::find(const dart::dynamics::ConstShapePtr &shape)
{
	if (const auto found = known.find(shape.get()); found != known.end()) {
		const auto old = found->second.lock();
		if (old && old->version == shape->getVersion())
			return old;
	}
	std::shared_ptr<made_shape> to(new made_shape, [this](made_shape *of) { give(of); });
	to->source = shape;
	if (!shape)
		return to;
	to->version = shape->getVersion();
	const reader read = reader_of(shape->getType());
	if (read && read(*to, *shape))
		put(*to);
	if (to->index == made_shape::none)
		warn_once("a shape of type " + shape->getType() +
				  (read ? " has numbers that the library refuses: it has no contacts."
						: " is not supported: it has no contacts."));
	known[shape.get()] = to;
	return to;
}

} // namespace wp::in_dart
