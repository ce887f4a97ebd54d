/* widephase-bullet: a collision dispatcher for Bullet, by which this library answers the pairs of Bullet's broadphase.
 *
 *     wp::bullet_dispatcher dispatcher(&configuration);    // in place of btCollisionDispatcher
 *
 * Worlds, bodies, shapes, solvers and callbacks stay Bullet's. All pairs of a step whose shapes the library has are answered
 * by one wp_track; the points go into Bullet's manifolds, where the solver and whoever looks at contacts find them. A point
 * that goes on from step to step keeps its impulses, its lifetime and its m_userPersistentData.
 *
 * The library answers for spheres, boxes, capsules, cylinders, cones, convex hulls, point clouds, tetrahedra, triangles and
 * static planes, and for these as children of compounds. Bullet answers, as before, for all other shapes (triangle meshes,
 * height fields, spheres of several radii, soft bodies) and for bodies with friction anchors.
 *
 * For Bullet in single precision, C++17. A separate library, which links Bullet, widephase and widephase-cook. */
#ifndef WIDEPHASE_BULLET_HPP
#define WIDEPHASE_BULLET_HPP

#include "widephase/base.h"

#include <BulletCollision/CollisionDispatch/btCollisionDispatcher.h>

#include <memory>

#ifdef BT_USE_DOUBLE_PRECISION
#error "widephase-bullet is for Bullet in single precision"
#endif

namespace wp
{

namespace detail
{
class bullet_batch;
}

/* What a bullet_dispatcher does beyond finding contacts. */
struct bullet_options {
	/* The kernels to use. */
	wp_variant variant = WP_VARIANT_AUTO;

	/* As in wp_track_options, a length: pairs that touch keep their points while the reported separation is proven to be within
	 * it of the true one. 0: all pairs that touch are queried in every step. */
	float reuse_error = 0.0f;

	/* Cast pairs in which a body moves in a step by more than half the thickness of the thinner shape. If they meet, a contact
	 * for this step stops their centres there, so that nothing passes through thin walls. */
	bool casts_fast_pairs = true;

	/* Hulls that overlap by more than their margins have their depth proven again by what is kept of the pair
	 * (wp_tracked_polytope), mostly without a search: for worlds where many do. Depths are as near to the truth, but may differ
	 * in the last bits. */
	bool proves_depths = false;
};

/* A btCollisionDispatcher, to be used in the same way, by one thread at a time. A shape is read when a body with it first has a
 * pair, and again when its dimensions, scaling or margin change; points of a hull that change in place need forget().
 *
 * The constructor throws std::runtime_error where the variant is not available, and std::bad_alloc; both may leave
 * dispatchAllCollisionPairs too where memory runs out. A pair that the library cannot answer (a pose that is not finite) has
 * no points. */
class WP_API bullet_dispatcher : public btCollisionDispatcher
{
  public:
	/* `configuration` is borrowed, as by btCollisionDispatcher. */
	explicit bullet_dispatcher(
		btCollisionConfiguration *configuration, const bullet_options &options = bullet_options());
	bullet_dispatcher(const bullet_dispatcher &) = delete;            /* pairs point to it */
	bullet_dispatcher &operator=(const bullet_dispatcher &) = delete; /* pairs point to it */
	~bullet_dispatcher() override;                                    /* worlds that use it go first */

	/* The algorithm for two objects. Both kinds of algorithm find the contacts by the library, where it has both shapes: in
	 * dispatchAllCollisionPairs together with all others of the step, else (contactTest, contactPairTest) at once. */
	btCollisionAlgorithm *findAlgorithm(const btCollisionObjectWrapper *object_a,
		const btCollisionObjectWrapper *object_b, btPersistentManifold *shared, ebtDispatcherQueryType type) override;

	/* Find the contacts of all pairs of a cache. A near callback of the caller's is called for every pair; without one, pairs
	 * are collected faster. */
	void dispatchAllCollisionPairs(
		btOverlappingPairCache *cache, const btDispatcherInfo &info, btDispatcher *dispatcher) override;

	/* Whether the library answers for this shape, and not Bullet. */
	bool answers_for(const btCollisionShape *shape);

	/* Read this shape again, because its points have changed in place. */
	void forget(const btCollisionShape *shape);

  private:
	std::unique_ptr<detail::bullet_batch> batch;
};

} // namespace wp

#endif
