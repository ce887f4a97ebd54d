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

/* What the cache keeps of a pair of ours: its manifold, as long as the pair touches. Answers come by the
 * batch. */
class pair_algorithm final : public btCollisionAlgorithm
{
  public:
	explicit pair_algorithm(btDispatcher *dispatcher)
		: btCollisionAlgorithm(btCollisionAlgorithmConstructionInfo(dispatcher, 0))
	{
	}
	~pair_algorithm() override
	{
		if (manifold)
			m_dispatcher->releaseManifold(manifold);
	}
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
		if (manifold)
			manifolds.push_back(manifold);
	}

	btPersistentManifold *manifold = nullptr;
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
void store_point(btManifoldPoint &to, const wp_manifold_point &from, const btVector3 &normal_on_b)
{
	to.m_localPointA = vector_of(from.local_a);
	to.m_localPointB = vector_of(from.local_b);
	to.m_positionWorldOnA = vector_of(from.point_a);
	to.m_positionWorldOnB = vector_of(from.point_b);
	to.m_normalWorldOnB = normal_on_b;
	to.m_distance1 = from.separation;
	to.m_index0 = static_cast<int>(from.feature_a);
	to.m_index1 = static_cast<int>(from.feature_b);
}

/* The witness points of the contact, which no features name: the patch has no point as deep. */
bool is_witness(const wp_manifold_point &point)
{
	return point.feature_a == WP_FEATURE_FACE && point.feature_b == WP_FEATURE_FACE;
}

bool has_features_of(const btManifoldPoint &kept, const wp_manifold_point &now)
{
	return !is_witness(now) && kept.m_index0 == static_cast<int>(now.feature_a) &&
	       kept.m_index1 == static_cast<int>(now.feature_b);
}

/* Which kept point each new one goes on from, or -1: the one of the same features, else the nearest of the
 * rest, on A, within the reach. */
class succession
{
  public:
	succession(const btPersistentManifold &kept, const wp_manifold_point *now, int now_count, btScalar reach)
		: kept_count(kept.getNumContacts())
	{
		for (int index = 0; index < now_count; index++)
			for (int old = 0; old < kept_count && heir_of(index) < 0; old++)
				if (!is_taken[old] && has_features_of(kept.getContactPoint(old), now[index]))
					take(index, old);
		for (int index = 0; index < now_count; index++)
			if (heir_of(index) < 0)
				take_nearest(kept, now[index], index, reach);
	}
	int heir_of(int index) const { return from[index]; }
	bool has_heir(int old) const { return is_taken[old]; }

  private:
	void take(int index, int old)
	{
		from[index] = old;
		is_taken[old] = true;
	}
	void take_nearest(const btPersistentManifold &kept, const wp_manifold_point &now, int index, btScalar reach)
	{
		const btVector3 at = vector_of(now.local_a);
		btScalar least = reach * reach;
		int nearest = -1;
		for (int old = 0; old < kept_count; old++) {
			const btScalar apart = (kept.getContactPoint(old).m_localPointA - at).length2();
			if (!is_taken[old] && apart < least) {
				least = apart;
				nearest = old;
			}
		}
		if (nearest >= 0)
			take(index, nearest);
	}

	int kept_count;
	int from[MANIFOLD_CACHE_SIZE] = {-1, -1, -1, -1};
	bool is_taken[MANIFOLD_CACHE_SIZE] = {};
};

/* A meeting is foreseen for its step alone. */
void drop_meeting(btPersistentManifold &manifold)
{
	for (int index = manifold.getNumContacts() - 1; index >= 0; index--)
		if (manifold.getContactPoint(index).m_partId0 == part_of_meeting)
			manifold.removeContactPoint(index);
}

/* Points that go on keep impulses and age, for the solver and whoever looks at contacts; the others go by
 * Bullet's own calls, which tell its callbacks. */
void update(btPersistentManifold &manifold, const wp_manifold_point *now, int now_count, const btVector3 &normal_on_b,
	btScalar reach)
{
	const btCollisionObject *a = manifold.getBody0(), *b = manifold.getBody1();
	const material combined(a, b);
	drop_meeting(manifold);
	const succession heirs(manifold, now, now_count, reach);
	for (int index = 0; index < now_count; index++) {
		if (heirs.heir_of(index) < 0)
			continue;
		btManifoldPoint &point = manifold.getContactPoint(heirs.heir_of(index));
		store_point(point, now[index], normal_on_b);
		combined.store_in(point);
		point.m_lifeTime++;
	}
	for (int old = manifold.getNumContacts() - 1; old >= 0; old--)
		if (!heirs.has_heir(old))
			manifold.removeContactPoint(old);
	for (int index = 0; index < now_count; index++) {
		if (heirs.heir_of(index) >= 0)
			continue;
		btManifoldPoint point(btVector3(), btVector3(), btVector3(), 0.0f);
		store_point(point, now[index], normal_on_b);
		combined.store_in(point);
		manifold.addManifoldPoint(point);
	}
}

/* Four points in the order in which they go round, the deepest, which is the library's first, after the one
 * across from it: Bullet's solver takes them one after the other, and so a pyramid settles best. */
void order_round(wp_manifold_point *points)
{
	const auto distance = [&](int index) {
		return (vector_of(points[index].local_a) - vector_of(points[0].local_a)).length2();
	};
	int farthest = 1;
	for (int index = 2; index < MANIFOLD_CACHE_SIZE; index++)
		if (distance(index) > distance(farthest))
			farthest = index;
	std::swap(points[2], points[farthest]);
	std::swap(points[0], points[2]);
	std::swap(points[1], points[3]);
}

} // namespace

batch_dispatcher::batch_dispatcher(btCollisionConfiguration *configuration, wp_variant variant)
	: timed_dispatcher(configuration), workspace_memory(WP_WORKSPACE_SIZE)
{
	must(wp_workspace_init(workspace_memory.get(), WP_WORKSPACE_SIZE, variant, &workspace));
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
	const row_bodies at = {read_body(*object_a), read_body(*object_b)};
	if (at.a == shape_book::none || at.b == shape_book::none)
		return false;
	if (!needsCollision(object_a, object_b))
		return true;
	if (!pair.m_algorithm)
		pair.m_algorithm = new (allocateCollisionAlgorithm(sizeof(pair_algorithm))) pair_algorithm(this);
	const body &a = bodies[at.a], &b = bodies[at.b];
	const float thinness = std::min(a.thinness, b.thinness);
	rows.push_back({&pair, object_a, object_b, std::min(a.breaking, b.breaking),
		(a.translation - b.translation).length2() > thinness * thinness});
	pairs.push_back(at);
	return true;
}

/* ---- answering ----------------------------------------------------------------------------------------- */

wp_batch batch_dispatcher::batch_of(const std::vector<row_bodies> &of)
{
	wp_batch batch = {};
	batch.shapes = book.table();
	batch.a.position = bodies[0].position;
	batch.a.rotation = bodies[0].rotation;
	batch.a.shape = &bodies[0].shape;
	batch.a.position_stride = batch.a.rotation_stride = batch.a.shape_stride = sizeof(body);
	batch.a.count = bodies.size();
	batch.pair_a = &of[0].a;
	batch.pair_b = &of[0].b;
	batch.pair_stride = sizeof(row_bodies);
	batch.count = of.size();
	return batch;
}

void batch_dispatcher::answer()
{
	float reach = 0.0f;
	for (const row &of : rows)
		reach = std::max(reach, of.breaking);
	normals.resize(3 * rows.size());
	point_counts.resize(rows.size());
	points.resize(MANIFOLD_CACHE_SIZE * rows.size());
	const wp_batch batch = batch_of(pairs);
	wp_results results = {};
	results.normal = normals.data();
	wp_manifolds manifolds = {};
	manifolds.count = point_counts.data();
	manifolds.points = points.data();
	manifolds.point_max = MANIFOLD_CACHE_SIZE;
	must(wp_contact_manifold(workspace, &batch, reach, &results, &manifolds, nullptr));
}

/* The manifold of a pair is its algorithm object's; where it is also stands in the pair itself, so that the
 * many pairs that do not touch need not look at their objects, which lie scattered. */
void batch_dispatcher::set_manifold(btBroadphasePair &of, btPersistentManifold *manifold)
{
	static_cast<pair_algorithm *>(of.m_algorithm)->manifold = manifold;
	of.m_internalInfo1 = manifold;
}

btPersistentManifold &batch_dispatcher::manifold_of(const row &to)
{
	if (!to.pair->m_internalInfo1)
		set_manifold(*to.pair, getNewManifold(to.object_a, to.object_b));
	return *static_cast<btPersistentManifold *>(to.pair->m_internalInfo1);
}

void batch_dispatcher::release(btBroadphasePair &of)
{
	if (!of.m_internalInfo1)
		return;
	releaseManifold(static_cast<btPersistentManifold *>(of.m_internalInfo1));
	set_manifold(of, nullptr);
}

/* Manifolds are scattered in memory and were last used a step ago: prefetch them. */
void batch_dispatcher::ask_for(std::size_t index) const
{
	constexpr std::size_t line = 64;
	if (index >= rows.size() || !rows[index].pair->m_internalInfo1)
		return;
	auto *manifold = static_cast<btPersistentManifold *>(rows[index].pair->m_internalInfo1);
	const char *first = reinterpret_cast<const char *>(&manifold->getContactPoint(0));
	for (std::size_t at = 0; at < point_counts[index] * sizeof(btManifoldPoint); at += line)
		__builtin_prefetch(first + at, 1);
	/* The bodies and the number of points come after the points. */
	__builtin_prefetch(first + MANIFOLD_CACHE_SIZE * sizeof(btManifoldPoint), 1);
}

void batch_dispatcher::write(std::size_t index)
{
	const row &to = rows[index];
	wp_manifold_point *first = &points[MANIFOLD_CACHE_SIZE * index];
	const wp_manifold_point *end = std::remove_if(first, first + point_counts[index],
		[&](const wp_manifold_point &point) { return point.separation > to.breaking; });
	const int count = static_cast<int>(end - first);
	if (to.is_fast)
		fast_rows.push_back(static_cast<std::uint32_t>(index));
	if (count == 0) {
		release(*to.pair);
		return;
	}
	if (count == MANIFOLD_CACHE_SIZE)
		order_round(first);
	update(manifold_of(to), first, count, -vector_of(&normals[3 * index]), to.breaking);
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
void batch_dispatcher::write_meeting(const row &to, const row_bodies &at, const meeting &met)
{
	const btVector3 &way_a = bodies[at.a].translation, &way_b = bodies[at.b].translation;
	const btVector3 normal = vector_of(met.normal);
	const btScalar gap = met.fraction * (way_a - way_b).dot(normal);
	if ((met.status & WP_STATUS_HIT) == 0 || gap < 0.0f)
		return;
	btPersistentManifold &manifold = manifold_of(to);
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
	going.translation = motions[0].translation;
	going.rotation = motions[0].rotation;
	going.translation_stride = going.rotation_stride = sizeof(motion);
	wp_results results = {};
	results.normal = meetings[0].normal;
	results.local_a = meetings[0].local_a;
	results.local_b = meetings[0].local_b;
	results.status = &meetings[0].status;
	results.fraction = &meetings[0].fraction;
	results.normal_stride = results.local_a_stride = results.local_b_stride = sizeof(meeting);
	results.status_stride = results.fraction_stride = sizeof(meeting);
	must(wp_cast(workspace, &batch, &going, nullptr, &results, nullptr));
	for (std::size_t index = 0; index < count; index++)
		write_meeting(rows[fast_rows[index]], fast_pairs[index], meetings[index]);
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
