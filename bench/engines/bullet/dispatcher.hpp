/* Bullet's dispatcher with a clock, and the one whose convex pairs the library answers, all in one call a
 * step. */
#ifndef BENCH_ENGINES_BULLET_DISPATCHER_HPP
#define BENCH_ENGINES_BULLET_DISPATCHER_HPP

#include "shapes.hpp"

#include <btBulletDynamicsCommon.h>
#include <widephase/manifold.h>
#include <widephase/widephase.h>

#include <cstdint>
#include <vector>

/* Processor time of this thread. */
double clock_now();

/* Bullet as it is, but that it says how long dispatchAllCollisionPairs took last. */
class timed_dispatcher : public btCollisionDispatcher
{
  public:
	using btCollisionDispatcher::btCollisionDispatcher;
	void dispatchAllCollisionPairs(
		btOverlappingPairCache *cache, const btDispatcherInfo &info, btDispatcher *dispatcher) override;
	double seconds() const { return taken; }

  protected:
	virtual void dispatch(btOverlappingPairCache *cache, const btDispatcherInfo &info)
	{
		btCollisionDispatcher::dispatchAllCollisionPairs(cache, info, this);
	}

  private:
	double taken = 0.0;
};

/* The pairs of shapes that the library has are collected from the broadphase's cache, answered by one
 * wp_contact_manifold, and written into Bullet's manifolds, where the solver finds them as ever. All other
 * pairs go Bullet's own way. Each pair owns its manifold through the algorithm object that the cache keeps of
 * it, so that the manifold goes when the pair does.
 *
 * Impulses stay with the points whose features stay, and else with the nearest point within the breaking
 * threshold, so that the solver starts warm.
 *
 * Pairs that may pass through each other within the step, as they move further than the thinner of the two is
 * from its middle to its side, are cast along their motion. Where they meet, a contact of its own keeps their
 * middles from coming closer than they are there. It is found where the bodies will be, so nothing is held up
 * that would pass by.
 *
 * What a body's shape and flags ask for must stay as it is while the body has pairs, as Bullet's own
 * algorithms want it too; shapes outlive the dispatcher. */
class batch_dispatcher final : public timed_dispatcher
{
  public:
	batch_dispatcher(btCollisionConfiguration *configuration, wp_variant variant);

  protected:
	void dispatch(btOverlappingPairCache *cache, const btDispatcherInfo &info) override;

  private:
	friend class pair_collector;

	/* A body of the batch, at its index in the world. */
	struct body {
		float position[3], rotation[4];
		std::uint32_t shape = shape_book::none;
		std::uint32_t step = 0; /* in which the pose was read */
		const btCollisionShape *from = nullptr;
		float thinness = 0.0f; /* from the middle to the nearest side */
		float breaking = 0.0f; /* contact breaking threshold of the shape */
		btVector3 translation; /* over the step, as predicted */
	};
	/* Where a body goes within the step, for casts. */
	struct motion {
		float translation[3], rotation[4];
	};
	/* Where a cast ends. */
	struct meeting {
		float normal[3], local_a[3], local_b[3], fraction;
		std::uint32_t status;
	};
	/* A pair of the batch. */
	struct row {
		btBroadphasePair *pair;
		const btCollisionObject *object_a, *object_b;
		float breaking; /* points further apart are none */
		bool is_fast;
	};
	struct row_bodies {
		std::uint32_t a, b;
	};

	std::uint32_t read_body(const btCollisionObject &object);
	void read_shape(body &of, const btCollisionShape *shape);
	bool collect(btBroadphasePair &pair);
	wp_batch batch_of(const std::vector<row_bodies> &of);
	void answer();
	void ask_for(std::size_t index) const;
	void write(std::size_t index);
	void cast();
	void read_motion(const btCollisionObject &object, std::uint32_t index);
	void write_meeting(const row &to, const row_bodies &at, const meeting &met);
	btPersistentManifold &manifold_of(const row &to);
	void release(btBroadphasePair &of);
	static void set_manifold(btBroadphasePair &of, btPersistentManifold *manifold);

	aligned_memory workspace_memory;
	wp_workspace *workspace = nullptr;
	shape_book book;
	std::uint32_t step = 0;
	std::vector<body> bodies;
	std::vector<motion> motions;
	std::vector<row> rows;
	std::vector<row_bodies> pairs;
	std::vector<float> normals;
	std::vector<std::uint32_t> point_counts;
	std::vector<wp_manifold_point> points;
	/* Of casts: which rows, and where they meet. */
	std::vector<std::uint32_t> fast_rows;
	std::vector<row_bodies> fast_pairs;
	std::vector<meeting> meetings;
};

#endif
