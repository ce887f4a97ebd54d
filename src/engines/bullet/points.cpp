#include "points.hpp"

#include <algorithm>

namespace wp::bullet
{

namespace
{

/* Objects whose points are made anew in every step, as callbacks may change them. */
constexpr int makes_anew = btCollisionObject::CF_CUSTOM_MATERIAL_CALLBACK |
                           btCollisionObject::CF_HAS_CONTACT_STIFFNESS_DAMPING;

btVector3 vector_of(const float from[3]) { return btVector3(from[0], from[1], from[2]); }

/* Impulses stay in Bullet's points. The library's impulses are free for the place of a point in Bullet's manifold, plus one:
 * wp_track leaves them with their points, and zero for new ones. */
int place_of(const wp_persistent_manifold &contact, std::uint32_t index)
{
	return static_cast<int>(contact.impulses[index][0]) - 1;
}

void set_place(wp_persistent_manifold &contact, std::uint32_t index, int place)
{
	contact.impulses[index][0] = static_cast<float>(place + 1);
}

/* Remove the points of a manifold from which none of the pair's points goes on, all but the first `spared`. Bullet fills the
 * gap with its last point. */
void remove_ended(btPersistentManifold &manifold, wp_persistent_manifold &contact, int spared)
{
	bool goes_on[MANIFOLD_CACHE_SIZE] = {};
	for (std::uint32_t index = 0; index < contact.count; index++)
		if (place_of(contact, index) >= 0)
			goes_on[place_of(contact, index)] = true;
	for (int old = manifold.getNumContacts() - 1; old >= spared; old--) {
		if (goes_on[old])
			continue;
		manifold.removeContactPoint(old);
		for (std::uint32_t index = 0; index < contact.count; index++)
			if (place_of(contact, index) == manifold.getNumContacts())
				set_place(contact, index, old);
	}
}

/* The order in which new points are added. Four of them go round, the deepest, which is the library's first, after the one
 * across from it: Bullet's solver takes them one after the other, and so a pyramid settles best. */
struct point_order {
	explicit point_order(const wp_persistent_manifold &contact)
	{
		const wp_persistent_place *places = contact.places;
		if (contact.count < MANIFOLD_CACHE_SIZE)
			return;
		const auto distance = [&](int index) {
			return (vector_of(places[index].local_a) - vector_of(places[0].local_a)).length2();
		};
		int farthest = 1;
		for (int index = 2; index < MANIFOLD_CACHE_SIZE; index++)
			if (distance(index) > distance(farthest))
				farthest = index;
		std::swap(at[2], at[farthest]);
		std::swap(at[0], at[2]);
		std::swap(at[1], at[3]);
	}
	std::uint32_t at[MANIFOLD_CACHE_SIZE] = {0, 1, 2, 3};
};

btVector3 in_object(const contact_side &side, const float local[3])
{
	return side.is_framed ? side.frame * vector_of(local) : vector_of(local);
}

} // namespace

contact_writer::contact_writer(btPersistentManifold &manifold, const contact_side &side_a, const contact_side &side_b)
	: to(manifold), a(side_a), b(side_b), flags(a.object->getCollisionFlags() | b.object->getCollisionFlags()),
	  friction(gCalculateCombinedFrictionCallback(a.object, b.object)),
	  rolling(gCalculateCombinedRollingFrictionCallback(a.object, b.object)),
	  spinning(gCalculateCombinedSpinningFrictionCallback(a.object, b.object)),
	  restitution(gCalculateCombinedRestitutionCallback(a.object, b.object))
{
}

bool contact_writer::calls_back() const
{
	return gContactAddedCallback || gContactProcessedCallback || gContactDestroyedCallback || gContactStartedCallback ||
	       gContactEndedCallback || (flags & btCollisionObject::CF_HAS_CONTACT_STIFFNESS_DAMPING) != 0;
}

void contact_writer::set_material(btManifoldPoint &point) const
{
	point.m_combinedFriction = friction;
	point.m_combinedRollingFriction = rolling;
	point.m_combinedSpinningFriction = spinning;
	point.m_combinedRestitution = restitution;
}

void contact_writer::place(btManifoldPoint &point, const contact_point &from, const btVector3 &normal_on_b) const
{
	point.m_localPointA = in_object(a, from.place.local_a);
	point.m_localPointB = in_object(b, from.place.local_b);
	point.m_positionWorldOnA = vector_of(a.position) + vector_of(from.now.arm_a);
	point.m_positionWorldOnB = vector_of(b.position) + vector_of(from.now.arm_b);
	point.m_normalWorldOnB = normal_on_b;
	point.m_distance1 = from.now.separation;
	set_material(point);
}

btManifoldPoint contact_writer::make_point(const contact_point &from, const btVector3 &normal_on_b) const
{
	btManifoldPoint point(btVector3(0.0f, 0.0f, 0.0f), btVector3(0.0f, 0.0f, 0.0f), normal_on_b, from.now.separation);
	place(point, from, normal_on_b);
	point.m_lifeTime = 1;
	return point;
}

/* The user may change a point in the callback: friction and restitution of one part of a body, say. */
void contact_writer::call_added(int at)
{
	if (!gContactAddedCallback || (flags & btCollisionObject::CF_CUSTOM_MATERIAL_CALLBACK) == 0)
		return;
	const btCollisionObjectWrapper of_a(nullptr, a.shape, a.object, *a.world, a.part, a.index);
	const btCollisionObjectWrapper of_b(nullptr, b.shape, b.object, *b.world, b.part, b.index);
	gContactAddedCallback(to.getContactPoint(at), &of_a, a.part, a.index, &of_b, b.part, b.index);
}

/* Put a new point into a place; `point` lacks what only objects that make points anew have. */
void contact_writer::replace(int at, const btManifoldPoint &point)
{
	btManifoldPoint &made = to.getContactPoint(at);
	made = point;
	made.m_partId0 = a.part;
	made.m_partId1 = b.part;
	made.m_index0 = a.index;
	made.m_index1 = b.index;
	btPlaneSpace1(made.m_normalWorldOnB, made.m_lateralFrictionDir1, made.m_lateralFrictionDir2);
	if ((flags & btCollisionObject::CF_HAS_CONTACT_STIFFNESS_DAMPING) != 0) {
		made.m_combinedContactDamping1 = gCalculateCombinedContactDampingCallback(a.object, b.object);
		made.m_combinedContactStiffness1 = gCalculateCombinedContactStiffnessCallback(a.object, b.object);
		made.m_contactPointFlags |= BT_CONTACT_FLAG_CONTACT_STIFFNESS_DAMPING;
	}
	call_added(at);
}

int contact_writer::add(btManifoldPoint point, bool is_predictive)
{
	const bool is_first = to.getNumContacts() == 0;
	const int at = to.addManifoldPoint(point, is_predictive);
	replace(at, point);
	if (is_first && gContactStartedCallback)
		gContactStartedCallback(&to);
	return at;
}

/* A point that goes on. */
void contact_writer::renew(int at, const contact_point &from, const btVector3 &normal_on_b)
{
	btManifoldPoint &old = to.getContactPoint(at);
	if ((flags & makes_anew) == 0) {
		place(old, from, normal_on_b);
		old.m_lifeTime++;
		/* The solver may keep directions of friction that a point has, which lean out of the plane where the normal is another one. */
		old.m_contactPointFlags &= ~BT_CONTACT_FLAG_LATERAL_FRICTION_INITIALIZED;
		btPlaneSpace1(normal_on_b, old.m_lateralFrictionDir1, old.m_lateralFrictionDir2);
		return;
	}
	btManifoldPoint point = make_point(from, normal_on_b);
	point.m_lifeTime = old.m_lifeTime + 1;
	point.m_userPersistentData = old.m_userPersistentData;
	point.m_appliedImpulse = old.m_appliedImpulse;
	point.m_prevRHS = old.m_prevRHS;
	point.m_appliedImpulseLateral1 = old.m_appliedImpulseLateral1;
	point.m_appliedImpulseLateral2 = old.m_appliedImpulseLateral2;
	replace(at, point);
}

void contact_writer::update(wp_persistent_manifold &contact, btScalar breaking, int left)
{
	const btVector3 normal_on_b = -vector_of(contact.normal);
	const point_order order(contact);
	const bool is_as_left = to.getNumContacts() == left;
	bool goes_on = false, is_touching = false;
	for (std::uint32_t index = 0; index < contact.count; index++) {
		const bool is_near = contact.points[index].separation <= breaking;
		if (!is_as_left || !is_near)
			set_place(contact, index, -1);
		goes_on |= place_of(contact, index) >= 0;
		is_touching |= is_near;
	}
	/* A pair that goes on touching, by other points, has neither ended nor begun: one point is replaced, not removed. */
	bool is_vacant = is_touching && !goes_on && to.getNumContacts() > 0;
	remove_ended(to, contact, is_vacant ? 1 : 0);
	for (std::uint32_t index = 0; index < contact.count; index++) {
		const std::uint32_t at = order.at[index];
		const contact_point from = {contact.points[at], contact.places[at]};
		if (from.now.separation > breaking)
			continue;
		if (place_of(contact, at) >= 0) {
			renew(place_of(contact, at), from, normal_on_b);
		} else if (is_vacant) {
			to.clearUserCache(to.getContactPoint(0));
			replace(0, make_point(from, normal_on_b));
			set_place(contact, at, 0);
			is_vacant = false;
		} else {
			set_place(contact, at, add(make_point(from, normal_on_b), false));
		}
	}
}

void contact_writer::add_foreseen(
	const btVector3 &on_a, const btVector3 &on_b, const btVector3 &normal_on_b, btScalar distance)
{
	btManifoldPoint point(a.object->getWorldTransform().invXform(on_a), b.object->getWorldTransform().invXform(on_b),
		normal_on_b, distance);
	point.m_positionWorldOnA = on_a;
	point.m_positionWorldOnB = on_b;
	point.m_lifeTime = 1;
	set_material(point);
	add(point, true);
}

void contact_writer::finish()
{
	if (!gContactProcessedCallback)
		return;
	for (int index = to.getNumContacts() - 1; index >= 0; index--)
		gContactProcessedCallback(to.getContactPoint(index), const_cast<btCollisionObject *>(a.object),
			const_cast<btCollisionObject *>(b.object));
}

} // namespace wp::bullet
