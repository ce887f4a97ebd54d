/* Bullet's dispatcher with a clock, and the one whose convex pairs the library answers, all in one call a
 * step. */
#ifndef BENCH_ENGINES_BULLET_DISPATCHER_HPP
#define BENCH_ENGINES_BULLET_DISPATCHER_HPP

#include "shapes.hpp"

#include <btBulletDynamicsCommon.h>
#include <widephase/track.h>
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

/* The pairs of shapes that the library has are collected from the broadphase's cache, answered by one wp_track, and written
 * into Bullet's manifolds, where the solver finds them as ever. All other pairs go Bullet's own way. Each pair owns its
 * wp_tracked and its manifold through the algorithm object that the cache keeps of it, so that both go when the pair does.
 *
 * Impulses stay with the points that wp_track finds again, so that the solver starts warm.
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
	/* `reuse_error` as in wp_track_options. */
	batch_dispatcher(btCollisionConfiguration *configuration, wp_variant variant, float reuse_error);

  protected:
	void dispatch(btOverlappingPairCache *cache, const btDispatcherInfo &info) override;

  private:
	friend class pair_collector;
	friend class pair_algorithm;

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
		const btCollisionObject *object_a, *object_b;
		float breaking; /* points further apart are none */
		bool is_fast;
	};
	struct row_bodies {
		std::uint32_t a, b;
		std::uint32_t tracked; /* index of what is kept of the pair */
	};

	std::uint32_t read_body(const btCollisionObject &object);
	void read_shape(body &of, const btCollisionShape *shape);
	bool collect(btBroadphasePair &pair);
	std::uint32_t take_tracked();
	void give_tracked(std::uint32_t index);
	wp_batch batch_of(const std::vector<row_bodies> &of);
	void answer();
	void ask_for(std::size_t index) const;
	void write(std::size_t index);
	void cast();
	void read_motion(const btCollisionObject &object, std::uint32_t index);
	void write_meeting(std::size_t index, const meeting &met);
	btPersistentManifold &manifold_of(std::size_t index);
	void release(std::uint32_t tracked_index);

	aligned_memory workspace_memory;
	wp_workspace *workspace = nullptr;
	shape_book book;
	std::uint32_t step = 0;
	std::vector<body> bodies;
	std::vector<motion> motions;
	std::vector<row> rows;
	std::vector<row_bodies> pairs;
	/* What is kept of each pair of the broadphase, by the index that its algorithm object has from the pool. */
	float reuse_error;
	wp_track_pool pool = {};
	std::vector<wp_tracked> tracked;
	std::vector<wp_tracked_anchor> anchors;
	std::vector<wp_persistent_manifold> contacts;
	std::vector<btPersistentManifold *> manifolds; /* Bullet's, as long as the pair touches */
	/* Of casts: which rows, and where they meet. */
	std::vector<std::uint32_t> fast_rows;
	std::vector<row_bodies> fast_pairs;
	std::vector<meeting> meetings;
};

#endif
