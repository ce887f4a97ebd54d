/* Contacts of the library as points of Bullet's manifolds. */
#ifndef WP_ENGINES_BULLET_POINTS_HPP
#define WP_ENGINES_BULLET_POINTS_HPP

#include <btBulletCollisionCommon.h>
#include <widephase/persist.h>

namespace wp::bullet
{

static_assert(
	WP_PERSISTENT_POINT_MAX == MANIFOLD_CACHE_SIZE, "a manifold of either has room for the points of the other");

/* One of the two bodies of a contact. */
struct contact_side {
	const btCollisionObject *object;
	const btCollisionShape *shape; /* of the object, or of a child of it */
	const float *position;         /* where the frame of the library's shape is in the world */
	const btTransform *world;      /* of `shape` */
	int part, index;               /* of a child, as in a btCollisionObjectWrapper; else -1 */
	bool is_framed;                /* the frame of the library's shape is another than the object's */
	btTransform frame;             /* of it in the object, if so */
};

/* A point of a pair: as it is now, and where it is in both of its shapes. */
struct contact_point {
	const wp_persistent_point &now;
	const wp_persistent_place &place;
};

/* Writes points into a manifold and calls Bullet's contact callbacks as Bullet's own algorithms do. */
class contact_writer
{
  public:
	/* The manifold is of the objects of A and B, in this order. */
	contact_writer(btPersistentManifold &manifold, const contact_side &a, const contact_side &b);

	/* Whether update and finish call any function of the user's. */
	bool calls_back() const;

	/* Make the points of `contact` that are not further apart than `breaking` the points of the manifold. Points that go on
	 * keep impulses, lifetime and user data. `left` is how many points the last update left: if others have removed
	 * some, all points are new. */
	void update(wp_persistent_manifold &contact, btScalar breaking, int left);

	/* Add a point that is foreseen, for this step only: the next update removes it. */
	void add_foreseen(const btVector3 &on_a, const btVector3 &on_b, const btVector3 &normal_on_b, btScalar distance);

	/* Call gContactProcessedCallback for all points. */
	void finish();

  private:
	btManifoldPoint make_point(const contact_point &from, const btVector3 &normal_on_b) const;
	void place(btManifoldPoint &point, const contact_point &from, const btVector3 &normal_on_b) const;
	void set_material(btManifoldPoint &point) const;
	int add(btManifoldPoint point, bool is_predictive);
	void renew(int at, const contact_point &from, const btVector3 &normal_on_b);
	void replace(int at, const btManifoldPoint &point);
	void call_added(int at);

	btPersistentManifold &to;
	const contact_side &a, &b;
	int flags; /* of both objects */
	btScalar friction, rolling, spinning, restitution;
};

} // namespace wp::bullet

#endif
