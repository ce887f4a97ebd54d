/* widephase-dart: a collision detector for DART, the robotics simulator, by which this library answers the pairs of a group.
 *
 *     world->getConstraintSolver()->setCollisionDetector(wp::dart_detector::create());
 *
 * Worlds, skeletons, shapes, filters, solvers and results stay DART's. All pairs of a group that its broadphase finds, and its
 * filter lets through, are answered by one batch. A program that includes this header also has the detector in DART's factory,
 * under the name "widephase".
 *
 * The library answers for spheres, boxes, capsules, cylinders, cones, ellipsoids, planes, pyramids, convex hulls of spheres
 * and meshes. A shape of another type has no contacts; a warning names the type once.
 *
 * For DART 6, C++17. A separate library, which links DART, FCL, widephase and widephase-cook. */
#ifndef WIDEPHASE_DART_HPP
#define WIDEPHASE_DART_HPP

#include "widephase/base.h"

#include <dart/collision/CollisionDetector.hpp>

#include <memory>

namespace wp
{

namespace detail
{
class dart_batch;
} // namespace detail

/* How a dart_detector answers. */
struct dart_options {
	/* The kernels to use. */
	wp_variant variant = WP_VARIANT_AUTO;
};

/* A CollisionDetector of DART, to be used in the same way, by one thread at a time. The hull or the mesh of a MeshShape is made
 * when the shape first comes into a group, and again when its version changes.
 *
 * create() throws std::runtime_error where the variant is not available, and std::bad_alloc; both may leave all other calls
 * where memory runs out. A pair that the library cannot answer (a pose that is not finite) has no contacts. */
class WP_API dart_detector final : public dart::collision::CollisionDetector
{
  public:
	using CollisionDetector::createCollisionGroup;

	/* A detector of its own memory. */
	static std::shared_ptr<dart_detector> create(const dart_options &options = dart_options());
	~dart_detector() override; /* groups keep it alive */

	/* Put the detector into DART's factory, as this header does by itself; true. */
	static bool add_to_factory();

	/* Another one with the same options. */
	std::shared_ptr<CollisionDetector> cloneWithoutCollisionObjects() const override;

	/* The name in DART's factory, "widephase". */
	const std::string &getType() const override;
	static const std::string &getStaticType(); /* the same */

	/* An empty group. */
	std::unique_ptr<dart::collision::CollisionGroup> createCollisionGroup() override;

	/* The contacts of all pairs of a group: up to 4 points of two convex shapes, up to 16 of a shape and a mesh. Normals point from
	 * the second object to the first, points lie halfway between both surfaces, depths are 0 or more. Of pairs without
	 * contact information (enableContact is false) there is one contact that names the objects alone. */
	bool collide(dart::collision::CollisionGroup *group,
		const dart::collision::CollisionOption &option = dart::collision::CollisionOption(false, 1u, nullptr),
		dart::collision::CollisionResult *result = nullptr) override;

	/* The contacts of all pairs of one object of each group. A shape frame has none with itself. */
	bool collide(dart::collision::CollisionGroup *group1, dart::collision::CollisionGroup *group2,
		const dart::collision::CollisionOption &option = dart::collision::CollisionOption(false, 1u, nullptr),
		dart::collision::CollisionResult *result = nullptr) override;

	/* The least distance of all pairs of a group, but no less than distanceLowerBound, which is 0 in `option` by default; with a
	 * lower one it is negative where two overlap: the depth of the deepest pair found. Meshes that are not convex have
	 * none; 0 where there is no pair at all. */
	double distance(dart::collision::CollisionGroup *group,
		const dart::collision::DistanceOption &option = dart::collision::DistanceOption(false, 0.0, nullptr),
		dart::collision::DistanceResult *result = nullptr) override;

	/* The same of all pairs of one object of each group. */
	double distance(dart::collision::CollisionGroup *group1, dart::collision::CollisionGroup *group2,
		const dart::collision::DistanceOption &option = dart::collision::DistanceOption(false, 0.0, nullptr),
		dart::collision::DistanceResult *result = nullptr) override;

	/* The first object on the way from a point to another one, or all of them. A ray that starts within a shape meets it at
	 * fraction 0. */
	bool raycast(dart::collision::CollisionGroup *group, const Eigen::Vector3d &from, const Eigen::Vector3d &to,
		const dart::collision::RaycastOption &option = dart::collision::RaycastOption(),
		dart::collision::RaycastResult *result = nullptr) override;

  protected:
	/* What DART calls for each shape frame of a group. */
	std::unique_ptr<dart::collision::CollisionObject> createCollisionObject(
		const dart::dynamics::ShapeFrame *frame) override;
	void refreshCollisionObject(dart::collision::CollisionObject *object) override; /* nothing: groups see it */

  private:
	explicit dart_detector(const dart_options &options);

	dart_options options;
	std::unique_ptr<detail::dart_batch> batch;
};

namespace detail
{
inline const bool has_dart_detector = dart_detector::add_to_factory();
} // namespace detail

} // namespace wp

#endif
