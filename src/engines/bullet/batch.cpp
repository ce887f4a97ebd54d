#include "batch.hpp"
#include "algorithms.hpp"

#include <BulletDynamics/Dynamics/btRigidBody.h>

#include <algorithm>
#include <cstddef>
#include <utility>

namespace wp::detail
{

using bullet::contact_side;
using bullet::contact_writer;
using bullet::must;
using bullet::shape_book;

namespace
{

/* Bodies that need more of a contact than points that are found anew: Bullet handles them. */
constexpr int beyond_us = btCollisionObject::CF_HAS_FRICTION_ANCHOR;

/* Prefetch distance. */
constexpr std::size_t rows_ahead = 16;

/* Marks the index of a child until all bodies of the step are known. */
constexpr std::uint32_t child_bit = 0x80000000u;

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

wp_pose pose_of(const btTransform &from)
{
	wp_pose pose;
	store(pose.position, from.getOrigin());
	store_rotation(pose.rotation, from);
	return pose;
}

/* Another value of a flag until the end of a block. */
class set_within
{
  public:
	set_within(bool &of, bool value) : flag(of), before(std::exchange(of, value)) {}
	set_within(const set_within &) = delete;
	set_within &operator=(const set_within &) = delete;
	~set_within() { flag = before; }

  private:
	bool &flag;
	bool before;
};

/* The body that moves by its velocities in the step, or NULL. */
const btRigidBody *moving(const btCollisionObject &object)
{
	const btRigidBody *body = btRigidBody::upcast(&object);
	return body && !body->isStaticOrKinematicObject() ? body : nullptr;
}

} // namespace

bullet_batch::bullet_batch(bullet_dispatcher &dispatcher, const bullet_options &options)
	: owner(dispatcher), workspace_memory(WP_WORKSPACE_SIZE), casts(options.casts_fast_pairs),
	  reuse_error(options.reuse_error), proves_depths(options.proves_depths)
{
	must(wp_workspace_init(workspace_memory.get(), WP_WORKSPACE_SIZE, options.variant, &workspace));
	must(wp_track_pool_init(&pool, nullptr, 0));
}

/* ---- what is kept of pairs ----------------------------------------------------------------------------- */

std::uint32_t bullet_batch::take_kept()
{
	if (pool.available == WP_TRACK_NONE && pool.used == pool.capacity) {
		tracked.resize(2 * tracked.size() + 64);
		contacts.resize(tracked.size());
		kept.resize(tracked.size());
		ended.reserve(tracked.size());
		if (reuse_error > 0.0f)
			anchors.resize(tracked.size());
		if (proves_depths)
			polytopes.resize(tracked.size());
		pool.pairs = tracked.data();
		pool.capacity = static_cast<std::uint32_t>(tracked.size());
	}
	const std::uint32_t index = wp_track_pool_take(&pool);
	kept[index].is_used = kept[index].is_new = true;
	kept[index].is_left = false;
	return index;
}

void bullet_batch::give_kept(std::uint32_t index)
{
	release(index);
	kept[index].is_used = false;
	if (is_in_step) {
		tracked[index] = {};
		ended.push_back(index);
	} else {
		must(wp_track_pool_give(&pool, index));
	}
}

void bullet_batch::leave_to_bullet(std::uint32_t index)
{
	release(index);
	kept[index].is_left = true;
}

btPersistentManifold &bullet_batch::need_manifold(
	std::uint32_t index, const btCollisionObject *a, const btCollisionObject *b)
{
	btPersistentManifold *&manifold = kept[index].manifold;
	if (!manifold)
		manifold = owner.getNewManifold(a, b);
	return *manifold;
}

void bullet_batch::release(std::uint32_t index)
{
	/* Callbacks for its end do not find it here any more. */
	kept[index].left = 0;
	if (btPersistentManifold *const manifold = std::exchange(kept[index].manifold, nullptr))
		owner.releaseManifold(manifold);
}

/* ---- collecting ---------------------------------------------------------------------------------------- */

bool bullet_batch::answers(const btCollisionObjectWrapper &a, const btCollisionObjectWrapper &b)
{
	const int flags = a.getCollisionObject()->getCollisionFlags() | b.getCollisionObject()->getCollisionFlags();
	const std::uint32_t first = book.find(a.getCollisionShape(), step), second = book.find(b.getCollisionShape(), step);
	if ((flags & beyond_us) != 0 || first == shape_book::none || second == shape_book::none)
		return false;
	book.check_points(first);
	book.check_points(second);
	return true;
}

void bullet_batch::read_shape(body &to, std::uint32_t found, const btCollisionObject &object)
{
	to.shape = found;
	if (found == shape_book::none)
		return;
	to.reading = book.reading_of(found);
	to.thinness = book[found].thinness;
	to.is_framed = book[found].is_framed;
	to.is_half_space = book[found].shape.kind == WP_SHAPE_HALF_SPACE;
	to.disc = object.getCollisionShape()->getContactBreakingThreshold(1.0f);
}

void bullet_batch::read_pose(body &to, const btTransform &world)
{
	const btTransform pose = to.is_framed ? world * book[to.shape].frame : world;
	store(to.position, pose.getOrigin());
	store_rotation(to.rotation, pose);
}

/* Read the body's shape and pose for this step. */
void bullet_batch::read_body(const btCollisionObject &object, body &of)
{
	const btCollisionShape *shape = object.getCollisionShape();
	const bool is_ours = (object.getCollisionFlags() & beyond_us) == 0;
	const std::uint32_t found = is_ours ? book.find_again(of.shape, shape, step) : shape_book::none;
	/* A hull that was given to the body may lie where a deleted one lay, with its points where that one's were. */
	if (found != shape_book::none && (of.object != &object || of.revision != object.getUpdateRevisionInternal()))
		book.check_points(found);
	if (of.from != shape || of.shape != found || found == shape_book::none || of.reading != book.reading_of(found))
		read_shape(of, found, object);
	of.step = step;
	of.from = shape;
	of.object = &object;
	of.revision = object.getUpdateRevisionInternal();
	if (found == shape_book::none)
		return;
	read_pose(of, object.getWorldTransform());
	const btRigidBody *mover = moving(object);
	of.translation = mover ? mover->getLinearVelocity() * time_step : btVector3(0.0f, 0.0f, 0.0f);
}

/* Index of the body in the batch, read once a step, and for each pair that is new in it; shape_book::none if it is not ours, or
 * in no world.
 *
 * Callbacks may have removed and added bodies since pairs were collected. Where the index named another object, a pair may
 * have that one's body, so this one is read like a child. A new object may lie where one was that is gone: its pairs
 * are new. */
inline std::uint32_t bullet_batch::body_of(const btCollisionObject &object, bool is_new)
{
	const int place = object.getWorldArrayIndex();
	if (place < 0)
		return shape_book::none;
	const std::uint32_t index = static_cast<std::uint32_t>(place);
	if (index >= bodies.size())
		bodies.resize(index + 1);
	body &of = bodies[index];
	if (of.step == step && of.object != &object)
		return read_child({nullptr, object.getCollisionShape(), &object, object.getWorldTransform(), -1, -1});
	if (of.step != step || is_new)
		read_body(object, of);
	return of.shape == shape_book::none ? shape_book::none : index;
}

/* The same for a child of a compound, or an object that is in no world. */
std::uint32_t bullet_batch::read_child(const btCollisionObjectWrapper &from)
{
	const btCollisionObject &object = *from.getCollisionObject();
	const std::uint32_t found = book.find(from.getCollisionShape(), step);
	if ((object.getCollisionFlags() & beyond_us) != 0 || found == shape_book::none)
		return shape_book::none;
	body of;
	of.from = from.getCollisionShape();
	of.child = static_cast<std::uint32_t>(children.size());
	read_shape(of, found, object);
	read_pose(of, from.getWorldTransform());
	const btRigidBody *mover = moving(object);
	of.translation = mover ? mover->getLinearVelocity() * time_step : btVector3(0.0f, 0.0f, 0.0f);
	children.push_back({from.getWorldTransform(),
		object.getWorldTransform().inverseTimes(from.getWorldTransform()) * book[found].frame, from.m_partId,
		from.m_index});
	child_bodies.push_back(of);
	return child_bit | of.child;
}

std::uint32_t bullet_batch::read(const btCollisionObjectWrapper &from, bool is_new)
{
	const btCollisionObject &object = *from.getCollisionObject();
	const bool is_whole = from.getCollisionShape() == object.getCollisionShape() && object.getWorldArrayIndex() >= 0;
	return is_whole ? body_of(object, is_new) : read_child(from);
}

const bullet_batch::body &bullet_batch::body_at(std::uint32_t index) const
{
	return (index & child_bit) == 0 ? bodies[index] : child_bodies[index & ~child_bit];
}

/* The points of a hull may have changed in place before a pair of it is new: then its body reads it again. False if it is not ours
 * any more. */
bool bullet_batch::check_body(const btCollisionObject &object, std::uint32_t index)
{
	body &of = (index & child_bit) == 0 ? bodies[index] : child_bodies[index & ~child_bit];
	book.check_points(of.shape);
	const std::uint32_t found = book.find_again(of.shape, of.from, step);
	if (found == shape_book::none || of.reading != book.reading_of(found))
		read_shape(of, found, object);
	return found != shape_book::none;
}

inline void bullet_batch::add_row(const btCollisionObject *object_a, const body &a, const btCollisionObject *object_b,
	const body &b, const row_bodies &at)
{
	/* Two half-spaces are no pair. */
	if (a.is_half_space && b.is_half_space)
		return;
	const float thinness = std::min(a.thinness, b.thinness);
	const bool is_fast = casts && (a.translation - b.translation).length2() > thinness * thinness &&
	                     owner.needsResponse(object_a, object_b);
	const float breaking = is_relative ? std::min(a.disc, b.disc) * default_breaking : default_breaking;
	rows.push_back({object_a, object_b, breaking, is_fast});
	pairs.push_back(at);
}

bool bullet_batch::collect(btBroadphasePair &pair)
{
	const auto *object_a = static_cast<const btCollisionObject *>(pair.m_pProxy0->m_clientObject);
	const auto *object_b = static_cast<const btCollisionObject *>(pair.m_pProxy1->m_clientObject);
	/* The place of a pair of ours is also in the pair itself, plus one: algorithm objects lie scattered. */
	if (!pair.m_algorithm)
		pair.m_internalTmpValue = 0;
	else if (pair.m_internalTmpValue == 0 || kept[static_cast<std::size_t>(pair.m_internalTmpValue) - 1].is_left)
		return false;
	const bool is_new = !pair.m_algorithm;
	row_bodies at = {body_of(*object_a, is_new), body_of(*object_b, is_new), WP_TRACK_NONE};
	if (at.a == shape_book::none || at.b == shape_book::none)
		return false;
	if (!owner.needsCollision(object_a, object_b))
		return true;
	if (is_new && !(check_body(*object_a, at.a) && check_body(*object_b, at.b)))
		return false;
	if (is_new) {
		const auto *made = new (owner.allocateCollisionAlgorithm(sizeof(pair_algorithm))) pair_algorithm(*this);
		pair.m_algorithm = const_cast<pair_algorithm *>(made);
		pair.m_internalTmpValue = static_cast<int>(made->index()) + 1;
	}
	at.tracked = static_cast<std::uint32_t>(pair.m_internalTmpValue - 1);
	add_row(object_a, body_at(at.a), object_b, body_at(at.b), at);
	return true;
}

bool bullet_batch::take(
	const btCollisionObjectWrapper &a, const btCollisionObjectWrapper &b, std::uint32_t tracked_index)
{
	const bool is_new = std::exchange(kept[tracked_index].is_new, false);
	const row_bodies at = {read(a, is_new), read(b, is_new), tracked_index};
	if (at.a == shape_book::none || at.b == shape_book::none)
		return false;
	add_row(a.getCollisionObject(), body_at(at.a), b.getCollisionObject(), body_at(at.b), at);
	return true;
}

/* Children come after all bodies that have a place of their own. */
void bullet_batch::append_children()
{
	object_count = bodies.size();
	if (child_bodies.empty())
		return;
	for (row_bodies &at : pairs) {
		if ((at.a & child_bit) != 0)
			at.a = static_cast<std::uint32_t>(object_count) + (at.a & ~child_bit);
		if ((at.b & child_bit) != 0)
			at.b = static_cast<std::uint32_t>(object_count) + (at.b & ~child_bit);
	}
	bodies.insert(bodies.end(), child_bodies.begin(), child_bodies.end());
}

/* ---- answering ----------------------------------------------------------------------------------------- */

wp_batch bullet_batch::batch_of(const std::vector<row_bodies> &of)
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

/* What is known of a pair does not hold for another table. */
void bullet_batch::forget_pairs()
{
	table = book.generation();
	for (std::size_t index = 0; index < kept.size(); index++)
		if (kept[index].is_used)
			tracked[index] = {};
	std::fill(polytopes.begin(), polytopes.end(), wp_tracked_polytope{});
}

void bullet_batch::answer()
{
	if (table != book.generation())
		forget_pairs();
	float reach = 0.0f;
	for (const row &of : rows)
		reach = std::max(reach, of.breaking);
	const wp_batch batch = batch_of(pairs);
	wp_track_options options = {};
	options.max_separation = options.merging = reach;
	options.reuse_error = reuse_error;
	wp_tracked_pairs of_pairs = {};
	of_pairs.pairs = tracked.data();
	of_pairs.manifolds = contacts.data();
	of_pairs.anchors = anchors.data();
	of_pairs.polytopes = proves_depths ? polytopes.data() : nullptr;
	of_pairs.count = tracked.size();
	of_pairs.index.data = &pairs[0].tracked;
	of_pairs.index.stride = sizeof(row_bodies);
	/* What the solver needs is in what is kept. */
	const wp_results none = {};
	must(wp_track(workspace, &batch, &options, &of_pairs, &none, nullptr, nullptr));
}

/* Manifolds are scattered in memory and were last used a step ago: prefetch them. */
void bullet_batch::prefetch(std::size_t index) const
{
	constexpr std::size_t line = 64;
	if (index >= rows.size() || !kept[pairs[index].tracked].manifold)
		return;
	const btPersistentManifold &manifold = *kept[pairs[index].tracked].manifold;
	const char *first = reinterpret_cast<const char *>(&manifold);
	for (std::size_t at = 0; at < tracked[pairs[index].tracked].count * sizeof(btManifoldPoint); at += line)
		__builtin_prefetch(first + at, 1);
	/* The bodies and the number of points come after the points. */
	__builtin_prefetch(first + sizeof(btPersistentManifold) - line, 1);
}

contact_side bullet_batch::side_of(const btCollisionObject *object, std::uint32_t at) const
{
	const body &of = bodies[at];
	if (of.child != shape_book::none) {
		const child &in = children[of.child];
		return {object, of.from, of.position, &in.world, in.part, in.index, true, in.frame};
	}
	contact_side side = {object, of.from, of.position, &object->getWorldTransform(), -1, -1, of.is_framed, {}};
	if (of.is_framed)
		side.frame = book[of.shape].frame;
	return side;
}

void bullet_batch::write_points(const row &to, const row_bodies &at)
{
	btPersistentManifold &manifold = need_manifold(at.tracked, to.object_a, to.object_b);
	const contact_side a = side_of(to.object_a, at.a), b = side_of(to.object_b, at.b);
	contact_writer writer(manifold, a, b);
	if (writer.calls_back()) {
		wp_persistent_manifold contact = contacts[at.tracked];
		written = &manifold;
		writer.update(contact, to.breaking, kept[at.tracked].left);
		writer.finish();
		written = nullptr;
		if (!has_pair(at))
			return;
		contacts[at.tracked] = contact;
	} else {
		writer.update(contacts[at.tracked], to.breaking, kept[at.tracked].left);
	}
	kept[at.tracked].left = manifold.getNumContacts();
	if (manifold.getNumContacts() == 0)
		release(at.tracked);
}

inline void bullet_batch::write(std::size_t index)
{
	const std::uint32_t at = pairs[index].tracked;
	if (!has_pair(pairs[index]))
		return;
	if (rows[index].is_fast)
		fast_rows.push_back(static_cast<std::uint32_t>(index));
	if (tracked[at].count != 0)
		write_points(rows[index], pairs[index]);
	else
		release(at);
}

/* ---- what moves fast ----------------------------------------------------------------------------------- */

/* Once for each body. The shape goes with its object, wherever in it it is. */
void bullet_batch::read_motion(const btCollisionObject &object, std::uint32_t index)
{
	if (motions[index].step == step)
		return;
	motions[index].step = step;
	const body &of = bodies[index];
	const btTransform start(
		btQuaternion(of.rotation[0], of.rotation[1], of.rotation[2], of.rotation[3]), vector_of(of.position));
	btTransform end = start;
	if (const btRigidBody *mover = moving(object)) {
		btTransform moved;
		btTransformUtil::integrateTransform(
			object.getWorldTransform(), mover->getLinearVelocity(), mover->getAngularVelocity(), time_step, moved);
		end = moved * object.getWorldTransform().inverseTimes(start);
	}
	store(motions[index].translation, end.getOrigin() - start.getOrigin());
	store_rotation(motions[index].rotation, end);
}

/* One point, which lets the middles of the two come as close along the normal as they are when they meet, and
 * no closer. It lies on the line through the middle of the one that moves more: a point at the corner that
 * hits would set that body spinning, and its middle would pass through what the corner hit. Four points of a
 * patch that is touched already hold it without. */
void bullet_batch::write_meeting(std::size_t index, const meeting &met)
{
	const row &to = rows[index];
	const row_bodies &at = pairs[index];
	if (!has_pair(at))
		return;
	const btVector3 &way_a = bodies[at.a].translation, &way_b = bodies[at.b].translation;
	const btVector3 normal = vector_of(met.normal);
	const btScalar gap = met.fraction * (way_a - way_b).dot(normal);
	if ((met.status & WP_STATUS_HIT) == 0 || gap < 0.0f)
		return;
	btPersistentManifold &manifold = need_manifold(at.tracked, to.object_a, to.object_b);
	if (manifold.getNumContacts() == MANIFOLD_CACHE_SIZE)
		return;
	const contact_side a = side_of(to.object_a, at.a), b = side_of(to.object_b, at.b);
	const bool is_on_a = way_a.length2() >= way_b.length2();
	const contact_side &mover = is_on_a ? a : b;
	const btVector3 local = vector_of(is_on_a ? met.local_a : met.local_b);
	const btTransform &pose = mover.object->getWorldTransform();
	const btVector3 middle = pose.getOrigin(), touched = pose * (mover.is_framed ? mover.frame * local : local);
	const btVector3 place = middle + normal * (touched - middle).dot(normal);
	const btVector3 on_a = is_on_a ? place : place - normal * gap, on_b = on_a + normal * gap;
	written = &manifold;
	contact_writer(manifold, a, b).add_foreseen(on_a, on_b, -normal, gap);
	written = nullptr;
	if (has_pair(at))
		kept[at.tracked].left = manifold.getNumContacts();
}

void bullet_batch::cast()
{
	const auto has_none = [&](std::uint32_t index) { return !has_pair(pairs[index]); };
	fast_rows.erase(std::remove_if(fast_rows.begin(), fast_rows.end(), has_none), fast_rows.end());
	const std::size_t count = fast_rows.size();
	if (count == 0)
		return;
	motions.resize(object_count);
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

void bullet_batch::find_rows(btOverlappingPairCache &cache, const btDispatcherInfo &info)
{
	bodies.resize(object_count);
	children.clear();
	child_bodies.clear();
	rows.clear();
	pairs.clear();
	fast_rows.clear();
	pair_collector collector(*this, info);
	const set_within of(collecting, true);
	cache.processAllOverlappingPairs(&collector, &owner, info);
}

/* What was kept of pairs that went within the last step, whose rows were still there, is the pool's again. */
void bullet_batch::give_back_ended()
{
	for (const std::uint32_t index : ended)
		must(wp_track_pool_give(&pool, index));
	ended.clear();
}

void bullet_batch::dispatch(btOverlappingPairCache &cache, const btDispatcherInfo &info)
{
	/* A callback of ours or of Bullet's has another world, or this one, find contacts. */
	if (is_in_step) {
		const set_within of(collecting, false);
		owner.btCollisionDispatcher::dispatchAllCollisionPairs(&cache, info, &owner);
		return;
	}
	give_back_ended();
	const set_within of(is_in_step, true);
	step++;
	time_step = info.m_timeStep;
	default_breaking = gContactBreakingThreshold;
	is_relative = (owner.getDispatcherFlags() & btCollisionDispatcher::CD_USE_RELATIVE_CONTACT_BREAKING_THRESHOLD) != 0;
	find_rows(cache, info);
	append_children();
	if (rows.empty())
		return;
	answer();
	for (std::size_t index = 0; index < rows.size(); index++) {
		prefetch(index + rows_ahead);
		write(index);
	}
	if (!fast_rows.empty())
		cast();
}

/* ---- one pair ------------------------------------------------------------------------------------------ */

bool bullet_batch::report(const btCollisionObjectWrapper &a, const btCollisionObjectWrapper &b,
	btPersistentManifold &manifold, btManifoldResult &result)
{
	const std::uint32_t first = book.find(a.getCollisionShape(), step), second = book.find(b.getCollisionShape(), step);
	if (first == shape_book::none || second == shape_book::none)
		return false;
	const wp_pose pose_a = pose_of(a.getWorldTransform() * book[first].frame),
				  pose_b = pose_of(b.getWorldTransform() * book[second].frame);
	wp_contact_options options = {};
	options.max_separation = manifold.getContactBreakingThreshold() + result.m_closestPointDistanceThreshold;
	wp_row contact;
	wp_manifold_point points[MANIFOLD_CACHE_SIZE];
	std::uint32_t count = 0;
	must(wp_contact_manifold_pair(workspace, &book[first].shape, &pose_a, &book[second].shape, &pose_b, &options,
		&contact, points, MANIFOLD_CACHE_SIZE, &count));
	result.setPersistentManifold(&manifold);
	for (std::uint32_t index = 0; index < count; index++)
		result.addContactPoint(-vector_of(contact.normal), vector_of(points[index].point_b), points[index].separation);
	/* Points of an earlier call may not hold any more, unless a step is about to replace them. */
	if (&manifold != written)
		result.refreshContactPoints();
	return true;
}

} // namespace wp::detail
