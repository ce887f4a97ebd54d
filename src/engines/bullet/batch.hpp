/* The pairs of a step: collected, answered by one wp_track, written into Bullet's manifolds. */
#ifndef WP_ENGINES_BULLET_BATCH_HPP
#define WP_ENGINES_BULLET_BATCH_HPP

#include "points.hpp"
#include "shapes.hpp"

#include <widephase/bullet.hpp>
#include <widephase/track.h>

#include <cstdint>
#include <vector>

namespace wp::detail
{

/* Each pair owns its wp_tracked and its manifold through the algorithm object that Bullet's cache keeps of it, so that both go
 * when the pair does.
 *
 * Pairs that may pass through each other within the step, because they move further than the thinner of the two is from its
 * middle to its side, are cast along their motion. If they meet, a contact for this step keeps their middles from coming
 * closer than they are there. It is where the bodies will be, so nothing is stopped that would pass by.
 *
 * Contact callbacks may query the world and change it, as with Bullet's own dispatcher. So no reference into the book or into
 * what is kept of pairs outlives one; rows of pairs that have gone are left out; a dispatch within a dispatch answers one pair
 * at a time. */
class bullet_batch
{
  public:
	bullet_batch(bullet_dispatcher &dispatcher, const bullet_options &options);

	/* All pairs of a cache. */
	void dispatch(btOverlappingPairCache &cache, const btDispatcherInfo &info);

	/* Whether pairs are collected now. */
	bool is_collecting() const { return collecting; }

	/* Take a pair of a cache; false if it is not ours. */
	bool collect(btBroadphasePair &pair);

	/* Take a pair of objects, or of children of compounds, for the pair at this index; false if it is not ours. */
	bool take(const btCollisionObjectWrapper &a, const btCollisionObjectWrapper &b, std::uint32_t tracked_index);

	/* Find the contacts of one pair now, and report its points to `result`; false if it is not ours. */
	bool report(const btCollisionObjectWrapper &a, const btCollisionObjectWrapper &b, btPersistentManifold &manifold,
		btManifoldResult &result);

	/* Whether both are ours; their shapes are read again if their points have changed. */
	bool answers(const btCollisionObjectWrapper &a, const btCollisionObjectWrapper &b);
	bool answers_for(const btCollisionShape *shape) { return book.find(shape, step) != bullet::shape_book::none; }
	void forget(const btCollisionShape *shape) { book.forget(shape); }

	/* What is kept of a pair. */
	std::uint32_t take_kept();
	void give_kept(std::uint32_t index);
	/* A pair is Bullet's from now on, as long as it is there: it keeps nothing of ours. */
	void leave_to_bullet(std::uint32_t index);
	btPersistentManifold *manifold_of(std::uint32_t index) const { return kept[index].manifold; }
	btPersistentManifold &need_manifold(std::uint32_t index, const btCollisionObject *a, const btCollisionObject *b);

	bullet_dispatcher &owner;

  private:
	/* A body of the batch, at its index in the world; or a child of a compound, after all of these, or a body whose index another
	 * one had in this step. */
	struct body {
		float position[3], rotation[4];
		std::uint32_t shape = bullet::shape_book::none;
		std::uint32_t step = 0;    /* in which the pose was read */
		std::uint32_t reading = 0; /* of the shape */
		std::uint32_t child = bullet::shape_book::none;
		const btCollisionShape *from = nullptr;
		const btCollisionObject *object = nullptr; /* which the index in the world named */
		int revision = 0;      /* Bullet's, of the object: it goes up when the object gets a shape, and when it moves */
		float thinness = 0.0f; /* from the middle to the nearest side */
		float disc = 0.0f;     /* contact breaking threshold of the shape, as a multiple of Bullet's */
		bool is_half_space = false, is_framed = false;
		btVector3 translation; /* over the step, as predicted */
	};
	/* Where a child of a compound is. */
	struct child {
		btTransform world, frame; /* in the world; in its object, of the library's shape */
		int part, index;
	};
	/* Where a body goes within the step, for casts. */
	struct motion {
		float translation[3], rotation[4];
		std::uint32_t step = 0; /* in which it was found */
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
	struct kept_pair {
		btPersistentManifold *manifold = nullptr; /* as long as the pair touches */
		int left = 0;                             /* points that we left in it */
		bool is_used = false;                     /* by an algorithm object, of a pair that is still there */
		bool is_left = false;                     /* to Bullet */
		bool is_new = false;                      /* no row of its algorithm object yet */
	};

	void read_shape(body &to, std::uint32_t found, const btCollisionObject &object);
	void read_pose(body &to, const btTransform &world);
	void read_body(const btCollisionObject &object, body &of);
	std::uint32_t body_of(const btCollisionObject &object, bool is_new);
	std::uint32_t read_child(const btCollisionObjectWrapper &from);
	std::uint32_t read(const btCollisionObjectWrapper &from, bool is_new);
	const body &body_at(std::uint32_t index) const;
	bool check_body(const btCollisionObject &object, std::uint32_t index);
	void add_row(const btCollisionObject *object_a, const body &a, const btCollisionObject *object_b, const body &b,
		const row_bodies &at);
	void append_children();
	wp_batch batch_of(const std::vector<row_bodies> &of);
	void forget_pairs();
	void find_rows(btOverlappingPairCache &cache, const btDispatcherInfo &info);
	void answer();
	void prefetch(std::size_t index) const;
	bullet::contact_side side_of(const btCollisionObject *object, std::uint32_t at) const;
	void write_points(const row &to, const row_bodies &at);
	void write(std::size_t index);
	void cast();
	void read_motion(const btCollisionObject &object, std::uint32_t index);
	bool has_pair(const row_bodies &of) const { return kept[of.tracked].is_used; }
	void give_back_ended();
	void write_meeting(std::size_t index, const meeting &met);
	void release(std::uint32_t index);

	bullet::aligned_memory workspace_memory;
	wp_workspace *workspace = nullptr;
	bullet::shape_book book;
	bool casts;
	bool collecting = false;
	bool is_in_step = false;
	const btPersistentManifold *written = nullptr; /* now, from the rows */
	float time_step = 0.0f;
	float default_breaking = 0.0f; /* Bullet's contact breaking threshold */
	bool is_relative = true;       /* whether it is a multiple of the size of shapes */
	std::uint32_t step = 0;
	std::vector<body> bodies, child_bodies;
	std::size_t object_count = 0; /* of the bodies, those that are no children */
	std::vector<child> children;
	std::vector<motion> motions;
	std::vector<row> rows;
	std::vector<row_bodies> pairs;
	/* What is kept of each pair, by the index that its algorithm object has from the pool. */
	float reuse_error;
	wp_track_pool pool = {};
	std::vector<wp_tracked> tracked;
	std::vector<wp_tracked_anchor> anchors;
	bool proves_depths;
	std::vector<wp_tracked_polytope> polytopes;
	std::vector<wp_persistent_manifold> contacts;
	std::vector<kept_pair> kept;
	std::vector<std::uint32_t> ended; /* of pairs that went within the step: the pool has them before the next */
	std::uint32_t table = 0;          /* the table of shapes for which all wp_tracked hold */
	/* Of casts: which rows, and where they meet. */
	std::vector<std::uint32_t> fast_rows;
	std::vector<row_bodies> fast_pairs;
	std::vector<meeting> meetings;
};

} // namespace wp::detail

#endif
