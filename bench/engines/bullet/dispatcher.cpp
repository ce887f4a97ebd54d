#include "dispatcher.hpp"

#include <algorithm>
#include <cstddef>
#include <ctime>

double clock_now()
{
	timespec now;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

void timed_dispatcher::dispatchAllCollisionPairs(
	btOverlappingPairCache *cache, const btDispatcherInfo &info, btDispatcher *)
{
	const double start = clock_now();
	dispatch(cache, info);
	taken = clock_now() - start;
}

/* What the cache keeps of a pair of ours: the index of its wp_tracked and its manifold. Answers come by the batch. */
class pair_algorithm final : public btCollisionAlgorithm
{
  public:
	explicit pair_algorithm(batch_dispatcher &dispatcher)
		: btCollisionAlgorithm(btCollisionAlgorithmConstructionInfo(&dispatcher, 0)), owner(dispatcher),
		  tracked(dispatcher.take_tracked())
	{
	}
	~pair_algorithm() override { owner.give_tracked(tracked); }
	void processCollision(const btCollisionObjectWrapper *, const btCollisionObjectWrapper *, const btDispatcherInfo &,
		btManifoldResult *) override
	{
	}
	btScalar calculateTimeOfImpact(
		btCollisionObject *, btCollisionObject *, const btDispatcherInfo &, btManifoldResult *) override
	{
		return 1.0f;
	}
	void getAllContactManifolds(btManifoldArray &manifolds) override
	{
		if (owner.manifolds[tracked])
			manifolds.push_back(owner.manifolds[tracked]);
	}
	std::uint32_t index() const { return tracked; }

  private:
	batch_dispatcher &owner;
	std::uint32_t tracked;
};

class pair_collector final : public btOverlapCallback
{
  public:
	pair_collector(batch_dispatcher &dispatcher, const btDispatcherInfo &info) : to(dispatcher), of(info) {}
	bool processOverlap(btBroadphasePair &pair) override
	{
		if (!to.collect(pair))
			to.getNearCallback()(pair, to, of);
		return false;
	}

  private:
	batch_dispatcher &to;
	const btDispatcherInfo &of;
};

namespace
{

/* Bodies that need more of a contact than its points: Bullet handles them. */
constexpr int beyond_us = btCollisionObject::CF_CUSTOM_MATERIAL_CALLBACK |
                          btCollisionObject::CF_HAS_CONTACT_STIFFNESS_DAMPING |
                          btCollisionObject::CF_HAS_FRICTION_ANCHOR;

/* Prefetch distance. */
constexpr std::size_t rows_ahead = 16;

/* Marks points that are foreseen, not found. */
constexpr int part_of_meeting = -2;

btVector3 vector_of(const float from[3]) { return btVector3(from[0], from[1], from[2]); }

void store(float to[3], const btVector3 &from) { std::copy(from.m_floats, from.m_floats + 3, to); }

void store_rotation(float to[4], const btTransform &from)
{
	const btQuaternion turn = from.getRotation();
	to[0] = turn.x();
	to[1] = turn.y();
	to[2] = turn.z();
	to[3] = turn.w();
}

/* How friction and restitution of two bodies combine, at their contact. */
struct material {
	material(const btCollisionObject *a, const btCollisionObject *b)
		: friction(btManifoldResult::calculateCombinedFriction(a, b)),
		  rolling(btManifoldResult::calculateCombinedRollingFriction(a, b)),
		  spinning(btManifoldResult::calculateCombinedSpinningFriction(a, b)),
		  restitution(btManifoldResult::calculateCombinedRestitution(a, b))
	{
	}
	void store_in(btManifoldPoint &point) const
	{
		point.m_combinedFriction = friction;
		point.m_combinedRollingFriction = rolling;
		point.m_combinedSpinningFriction = spinning;
		point.m_combinedRestitution = restitution;
	}
	btScalar friction, rolling, spinning, restitution;
};

/* Bullet's index fields, which name triangles of meshes, are free in convex pairs: they keep the features. */
void store_point(btManifoldPoint &to, const wp_persistent_point &from, const btPersistentManifold &manifold,
	const btVector3 &normal_on_b)
{
	to.m_localPointA = vector_of(from.local_a);
	to.m_localPointB = vector_of(from.local_b);
	to.m_positionWorldOnA = manifold.getBody0()->getWorldTransform().getOrigin() + vector_of(from.arm_a);
	to.m_positionWorldOnB = manifold.getBody1()->getWorldTransform().getOrigin() + vector_of(from.arm_b);
	to.m_normalWorldOnB = normal_on_b;
	to.m_distance1 = from.separation;
	to.m_index0 = static_cast<int>(from.feature_a);
	to.m_index1 = static_cast<int>(from.feature_b);
}

/* Impulses stay in Bullet's points. The library's are free for the place of a point in Bullet's manifold, or -1 where it is not
 * there: wp_track leaves them with their points, and zero in new ones. */
int place_of(const wp_persistent_point &point) { return static_cast<int>(point.impulse[0]) - 1; }

void set_place(wp_persistent_point &point, int place) { point.impulse[0] = static_cast<float>(place + 1); }

/* A meeting is foreseen for its step alone. */
void drop_meeting(btPersistentManifold &manifold)
{
	for (int index = manifold.getNumContacts() - 1; index >= 0; index--)
		if (manifold.getContactPoint(index).m_partId0 == part_of_meeting)
			manifold.removeContactPoint(index);
}

/* Remove the points of a manifold that none of the pair's points goes on from. Bullet fills the gap with its last point. */
void remove_ended(btPersistentManifold &manifold, wp_persistent_manifold &contact)
{
	bool goes_on[MANIFOLD_CACHE_SIZE] = {};
	for (std::uint32_t index = 0; index < contact.count; index++)
		if (place_of(contact.points[index]) >= 0)
			goes_on[place_of(contact.points[index])] = true;
	for (int old = manifold.getNumContacts() - 1; old >= 0; old--) {
		if (goes_on[old])
			continue;
		manifold.removeContactPoint(old);
		for (std::uint32_t index = 0; index < contact.count; index++)
			if (place_of(contact.points[index]) == manifold.getNumContacts())
				set_place(contact.points[index], old);
	}
}

/* The order in which new points are added. Four of them go round, the deepest, which is the library's first, after the one
 * across from it: Bullet's solver takes them one after the other, and so a pyramid settles best. */
struct point_order {
	explicit point_order(const wp_persistent_manifold &contact)
	{
		const wp_persistent_point *points = contact.points;
		if (contact.count < MANIFOLD_CACHE_SIZE)
			return;
		const auto distance = [&](int index) {
			return (vector_of(points[index].local_a) - vector_of(points[0].local_a)).length2();
		};
		int farthest = 1;
		for (int index = 2; index < MANIFOLD_CACHE_SIZE; index++)
			if (distance(index) > distance(farthest))
				farthest = index;
		std::swap(at[2], at[farthest]);
		std::swap(at[0], at[2]);
		std::swap(at[1], at[3]);
	}
	int at[MANIFOLD_CACHE_SIZE] = {0, 1, 2, 3};
};

/* Points that go on keep impulses and age, for the solver and whoever looks at contacts; the others go by
 * Bullet's own calls, which tell its callbacks. Points further apart than `breaking` are none. */
void update(btPersistentManifold &manifold, wp_persistent_manifold &contact, btScalar breaking)
{
	const btVector3 normal_on_b = -vector_of(contact.normal);
	const material combined(manifold.getBody0(), manifold.getBody1());
	const point_order order(contact);
	drop_meeting(manifold);
	for (std::uint32_t index = 0; index < contact.count; index++)
		if (contact.points[index].separation > breaking)
			set_place(contact.points[index], -1);
	remove_ended(manifold, contact);
	for (std::uint32_t index = 0; index < contact.count; index++) {
		wp_persistent_point &from = contact.points[order.at[index]];
		if (from.separation > breaking)
			continue;
		if (place_of(from) < 0)
			set_place(from, manifold.addManifoldPoint(btManifoldPoint(btVector3(), btVector3(), btVector3(), 0.0f)));
		else
			manifold.getContactPoint(place_of(from)).m_lifeTime++;
		btManifoldPoint &point = manifold.getContactPoint(place_of(from));
		store_point(point, from, manifold, normal_on_b);
		combined.store_in(point);
	}
}

} // namespace

batch_dispatcher::batch_dispatcher(
	btCollisionConfiguration *configuration, wp_variant variant, float reuse_error_wanted)
	: timed_dispatcher(configuration), workspace_memory(WP_WORKSPACE_SIZE), reuse_error(reuse_error_wanted)
{
	must(wp_workspace_init(workspace_memory.get(), WP_WORKSPACE_SIZE, variant, &workspace));
	must(wp_track_pool_init(&pool, nullptr, 0));
}

/* ---- what is kept of pairs ----------------------------------------------------------------------------- */

std::uint32_t batch_dispatcher::take_tracked()
{
	if (pool.available == WP_TRACK_NONE && pool.used == pool.capacity) {
		tracked.resize(2 * tracked.size() + 64);
		contacts.resize(tracked.size());
		manifolds.resize(tracked.size());
		if (reuse_error > 0.0f)
			anchors.resize(tracked.size());
		pool.pairs = tracked.data();
		pool.capacity = static_cast<std::uint32_t>(tracked.size());
	}
	return wp_track_pool_take(&pool);
}

void batch_dispatcher::give_tracked(std::uint32_t index)
{
	release(index);
	wp_track_pool_give(&pool, index);
}

/* ---- collecting ---------------------------------------------------------------------------------------- */

void batch_dispatcher::read_shape(body &of, const btCollisionShape *shape)
{
	of.from = shape;
	of.shape = book.find(shape);
	if (of.shape == shape_book::none)
		return;
	btVector3 low, high;
	shape->getAabb(btTransform::getIdentity(), low, high);
	const btVector3 half = 0.5f * (high - low);
	of.thinness = half[half.minAxis()];
	of.breaking = shape->getContactBreakingThreshold(gContactBreakingThreshold);
}

/* Index of the body in the batch, its pose read once a step; shape_book::none where the library has not its
 * shape. */
std::uint32_t batch_dispatcher::read_body(const btCollisionObject &object)
{
	const int place = object.getWorldArrayIndex();
	if (place < 0 || (object.getCollisionFlags() & beyond_us) != 0)
		return shape_book::none;
	const std::uint32_t index = static_cast<std::uint32_t>(place);
	if (index >= bodies.size())
		bodies.resize(index + 1);
	body &of = bodies[index];
	if (of.step != step) {
		of.step = step;
		if (of.from != object.getCollisionShape())
			read_shape(of, object.getCollisionShape());
		const btTransform &pose = object.getWorldTransform();
		store(of.position, pose.getOrigin());
		store_rotation(of.rotation, pose);
		of.translation = object.getInterpolationWorldTransform().getOrigin() - pose.getOrigin();
	}
	return of.shape == shape_book::none ? shape_book::none : index;
}

/* False where the pair is not ours. */
bool batch_dispatcher::collect(btBroadphasePair &pair)
{
	const auto *object_a = static_cast<const btCollisionObject *>(pair.m_pProxy0->m_clientObject);
	const auto *object_b = static_cast<const btCollisionObject *>(pair.m_pProxy1->m_clientObject);
	row_bodies at = {read_body(*object_a), read_body(*object_b), WP_TRACK_NONE};
	if (at.a == shape_book::none || at.b == shape_book::none)
		return false;
	if (!needsCollision(object_a, object_b))
		return true;
	if (!pair.m_algorithm) {
		auto *made = new (allocateCollisionAlgorithm(sizeof(pair_algorithm))) pair_algorithm(*this);
		pair.m_algorithm = made;
		pair.m_internalTmpValue = static_cast<int>(made->index());
	}
	/* The index is also in the pair itself: algorithm objects lie scattered. */
	at.tracked = static_cast<std::uint32_t>(pair.m_internalTmpValue);
	const body &a = bodies[at.a], &b = bodies[at.b];
	const float thinness = std::min(a.thinness, b.thinness);
	rows.push_back({object_a, object_b, std::min(a.breaking, b.breaking),
		(a.translation - b.translation).length2() > thinness * thinness});
	pairs.push_back(at);
	return true;
}

/* ---- answering ----------------------------------------------------------------------------------------- */

wp_batch batch_dispatcher::batch_of(const std::vector<row_bodies> &of)
{
	wp_batch batch = {};
	batch.shapes = book.table();
	batch.a.position.data = bodies[0].position;
	batch.a.rotation.data = bodies[0].rotation;
	batch.a.shape.data = &bodies[0].shape;
	batch.a.position.stride = batch.a.rotation.stride = batch.a.shape.stride = sizeof(body);
	batch.a.count = bodies.size();
	batch.pair_a.data = &of[0].a;
	batch.pair_b.data = &of[0].b;
	batch.pair_a.stride = batch.pair_b.stride = sizeof(row_bodies);
	batch.count = of.size();
	return batch;
}

void batch_dispatcher::answer()
{
	float reach = 0.0f;
	for (const row &of : rows)
		reach = std::max(reach, of.breaking);
	const wp_batch batch = batch_of(pairs);
	wp_track_options options = {};
	options.max_separation = options.merging = reach;
	options.reuse_error = reuse_error;
	wp_tracked_pairs kept = {};
	kept.pairs = tracked.data();
	kept.manifolds = contacts.data();
	kept.anchors = anchors.data();
	kept.count = tracked.size();
	kept.index.data = &pairs[0].tracked;
	kept.index.stride = sizeof(row_bodies);
	/* What the solver needs is in what is kept. */
	const wp_results none = {};
	must(wp_track(workspace, &batch, &options, &kept, &none, nullptr, nullptr));
}

btPersistentManifold &batch_dispatcher::manifold_of(std::size_t index)
{
	btPersistentManifold *&manifold = manifolds[pairs[index].tracked];
	if (!manifold)
		manifold = getNewManifold(rows[index].object_a, rows[index].object_b);
	return *manifold;
}

void batch_dispatcher::release(std::uint32_t index)
{
	if (!manifolds[index])
		return;
	releaseManifold(manifolds[index]);
	manifolds[index] = nullptr;
}

/* Manifolds are scattered in memory and were last used a step ago: prefetch them. */
void batch_dispatcher::ask_for(std::size_t index) const
{
	constexpr std::size_t line = 64;
	if (index >= rows.size() || !manifolds[pairs[index].tracked])
		return;
	btPersistentManifold &manifold = *manifolds[pairs[index].tracked];
	const char *first = reinterpret_cast<const char *>(&manifold.getContactPoint(0));
	for (std::size_t at = 0; at < tracked[pairs[index].tracked].count * sizeof(btManifoldPoint); at += line)
		__builtin_prefetch(first + at, 1);
	/* The bodies and the number of points come after the points. */
	__builtin_prefetch(first + MANIFOLD_CACHE_SIZE * sizeof(btManifoldPoint), 1);
}

void batch_dispatcher::write(std::size_t index)
{
	const row &to = rows[index];
	const std::uint32_t at = pairs[index].tracked;
	wp_persistent_manifold &contact = contacts[at];
	if (to.is_fast)
		fast_rows.push_back(static_cast<std::uint32_t>(index));
	if (tracked[at].count != 0)
		update(manifold_of(index), contact, to.breaking);
	if (manifolds[at] && (tracked[at].count == 0 || manifolds[at]->getNumContacts() == 0))
		release(at);
}

/* ---- what moves fast ----------------------------------------------------------------------------------- */

void batch_dispatcher::read_motion(const btCollisionObject &object, std::uint32_t index)
{
	store(motions[index].translation, bodies[index].translation);
	store_rotation(motions[index].rotation, object.getInterpolationWorldTransform());
}

/* One point, which lets the middles of the two come as close along the normal as they are when they meet, and
 * no closer. It lies on the line through the middle of the one that moves more: a point at the corner that
 * hits would set that body spinning, and its middle would pass through what the corner hit. Four points of a
 * patch that is touched already hold it without. */
void batch_dispatcher::write_meeting(std::size_t index, const meeting &met)
{
	const row &to = rows[index];
	const row_bodies &at = pairs[index];
	const btVector3 &way_a = bodies[at.a].translation, &way_b = bodies[at.b].translation;
	const btVector3 normal = vector_of(met.normal);
	const btScalar gap = met.fraction * (way_a - way_b).dot(normal);
	if ((met.status & WP_STATUS_HIT) == 0 || gap < 0.0f)
		return;
	btPersistentManifold &manifold = manifold_of(index);
	if (manifold.getNumContacts() == MANIFOLD_CACHE_SIZE)
		return;
	const btTransform &pose_a = to.object_a->getWorldTransform(), &pose_b = to.object_b->getWorldTransform();
	const bool is_on_a = way_a.length2() >= way_b.length2();
	const btVector3 middle = is_on_a ? pose_a.getOrigin() : pose_b.getOrigin();
	const btVector3 touched = is_on_a ? pose_a * vector_of(met.local_a) : pose_b * vector_of(met.local_b);
	const btVector3 place = middle + normal * (touched - middle).dot(normal);
	const btVector3 on_a = is_on_a ? place : place - normal * gap, on_b = on_a + normal * gap;
	btManifoldPoint point(pose_a.invXform(on_a), pose_b.invXform(on_b), -normal, gap);
	point.m_positionWorldOnA = on_a;
	point.m_positionWorldOnB = on_b;
	point.m_partId0 = part_of_meeting;
	material(to.object_a, to.object_b).store_in(point);
	manifold.addManifoldPoint(point, true);
}

void batch_dispatcher::cast()
{
	const std::size_t count = fast_rows.size();
	motions.resize(bodies.size());
	fast_pairs.clear();
	for (const std::uint32_t index : fast_rows) {
		fast_pairs.push_back(pairs[index]);
		read_motion(*rows[index].object_a, pairs[index].a);
		read_motion(*rows[index].object_b, pairs[index].b);
	}
	meetings.resize(count);
	const wp_batch batch = batch_of(fast_pairs);
	wp_motions going = {};
	going.translation.data = motions[0].translation;
	going.rotation.data = motions[0].rotation;
	going.translation.stride = going.rotation.stride = sizeof(motion);
	wp_results results = {};
	results.normal.data = meetings[0].normal;
	results.local_a.data = meetings[0].local_a;
	results.local_b.data = meetings[0].local_b;
	results.status.data = &meetings[0].status;
	results.normal.stride = results.local_a.stride = results.local_b.stride = sizeof(meeting);
	results.status.stride = sizeof(meeting);
	const wp_float_column fraction = {&meetings[0].fraction, sizeof(meeting)};
	must(wp_cast(workspace, &batch, &going, nullptr, &results, &fraction, nullptr));
	for (std::size_t index = 0; index < count; index++)
		write_meeting(fast_rows[index], meetings[index]);
}

void batch_dispatcher::dispatch(btOverlappingPairCache *cache, const btDispatcherInfo &info)
{
	step++;
	rows.clear();
	pairs.clear();
	fast_rows.clear();
	pair_collector collector(*this, info);
	cache->processAllOverlappingPairs(&collector, this, info);
	if (rows.empty())
		return;
	answer();
	for (std::size_t index = 0; index < rows.size(); index++) {
		ask_for(index + rows_ahead);
		write(index);
	}
	if (!fast_rows.empty())
		cast();
}
