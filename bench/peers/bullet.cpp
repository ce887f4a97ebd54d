/* Bullet in single precision, without margin but for bullet_margin: boxes, hulls, cylinders and cones by setMargin(0); the
 * margin of a sphere or a capsule is its radius. */
#include "peer.hpp"

#include <BulletCollision/BroadphaseCollision/btCollisionAlgorithm.h>
#include <BulletCollision/CollisionDispatch/btCollisionDispatcher.h>
#include <BulletCollision/CollisionDispatch/btCollisionObjectWrapper.h>
#include <BulletCollision/CollisionDispatch/btDefaultCollisionConfiguration.h>
#include <BulletCollision/CollisionDispatch/btManifoldResult.h>
#include <BulletCollision/CollisionShapes/btBoxShape.h>
#include <BulletCollision/CollisionShapes/btCapsuleShape.h>
#include <BulletCollision/CollisionShapes/btConeShape.h>
#include <BulletCollision/CollisionShapes/btConvexHullShape.h>
#include <BulletCollision/CollisionShapes/btCylinderShape.h>
#include <BulletCollision/CollisionShapes/btPolyhedralConvexShape.h>
#include <BulletCollision/CollisionShapes/btSphereShape.h>
#include <BulletCollision/NarrowPhaseCollision/btContinuousConvexCollision.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkConvexCast.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpa2.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkPairDetector.h>
#include <BulletCollision/NarrowPhaseCollision/btMprPenetration.h>
#include <BulletCollision/NarrowPhaseCollision/btPersistentManifold.h>
#include <BulletCollision/NarrowPhaseCollision/btPointCollector.h>
#include <BulletCollision/NarrowPhaseCollision/btVoronoiSimplexSolver.h>
#include <LinearMath/btConvexHullComputer.h>

#include <memory>

namespace
{

/* How far a margin may move the faces of a hull, as a share of its inner radius. */
constexpr float shrink_max = 0.5f;

std::unique_ptr<btConvexInternalShape> make_hull(const peer_input &input, const peer_shape &from)
{
	auto *hull = new btConvexHullShape;
	std::unique_ptr<btConvexInternalShape> made(hull);
	for (uint32_t index = 0; index < from.vertex_count; index++) {
		const float *at = input.vertices[from.first_vertex + index];
		hull->addPoint(btVector3(at[0], at[1], at[2]), false);
	}
	hull->recalcLocalAabb();
	hull->setMargin(0.0f);
	return made;
}

/* With Bullet's default margin, or what fits into a small hull: its faces move inwards by the margin, which then rounds the
 * hull, so that it is as large as before. A flat hull has no margin. */
std::unique_ptr<btConvexInternalShape> make_rounded_hull(const peer_input &input, const peer_shape &from)
{
	btConvexHullComputer computer;
	const btScalar margin = computer.compute(&input.vertices[from.first_vertex][0], sizeof input.vertices[0],
		static_cast<int>(from.vertex_count), CONVEX_DISTANCE_MARGIN, shrink_max);
	if (!(margin > 0.0f) || computer.vertices.size() < 4)
		return make_hull(input, from);
	auto *hull = new btConvexHullShape(&computer.vertices[0].x(), computer.vertices.size());
	hull->setMargin(margin);
	return std::unique_ptr<btConvexInternalShape>(hull);
}

std::unique_ptr<btConvexInternalShape> make_shape(const peer_input &input, const peer_shape &from, bool has_margin)
{
	const float *param = from.param;
	std::unique_ptr<btConvexInternalShape> made;
	switch (from.kind) {
	case PEER_SPHERE:
		return std::unique_ptr<btConvexInternalShape>(new btSphereShape(param[0]));
	case PEER_CAPSULE:
		return std::unique_ptr<btConvexInternalShape>(new btCapsuleShape(param[0], 2.0f * param[1]));
	case PEER_BOX:
		made.reset(new btBoxShape(btVector3(param[0], param[1], param[2])));
		break;
	case PEER_CYLINDER:
		made.reset(new btCylinderShape(btVector3(param[0], param[1], param[0])));
		break;
	case PEER_CONE:
		made.reset(new btConeShape(param[0], 2.0f * param[1]));
		break;
	default:
		return (has_margin ? make_rounded_hull : make_hull)(input, from);
	}
	/* The margin of a box or a cylinder is inside, the margin of a cone outside. */
	if (!has_margin || from.kind == PEER_CONE)
		made->setMargin(0.0f);
	return made;
}

btTransform transform_of(const float position[3], const float turn[4])
{
	return btTransform(btQuaternion(turn[0], turn[1], turn[2], turn[3]).normalized(),
		btVector3(position[0], position[1], position[2]));
}

btTransform end_of(const btTransform &start, const float way[3], const float turn[4])
{
	return btTransform(btQuaternion(turn[0], turn[1], turn[2], turn[3]).normalized(),
		start.getOrigin() + btVector3(way[0], way[1], way[2]));
}

struct row_input {
	const btConvexInternalShape *a, *b;
	btTransform pose_a, pose_b;
	btTransform end_a, end_b; /* of casts */
};

struct scene {
	static bool has(uint32_t kind) { return kind <= PEER_CONE; }

	explicit scene(const peer_input &input, bool has_margin = false)
	{
		for (uint32_t index = 0; index < input.shape_count; index++)
			shapes.push_back(make_shape(input, input.shapes[index], has_margin));
		for (size_t row = 0; row < input.pair_count; row++) {
			const peer_pair &pair = input.pairs[row];
			const btTransform pose_a = transform_of(pair.position_a, pair.rotation_a),
							  pose_b = transform_of(pair.position_b, pair.rotation_b);
			row_input on = {shapes[pair.a].get(), shapes[pair.b].get(), pose_a, pose_b, pose_a, pose_b};
			if (input.motions) {
				const peer_motion &motion = input.motions[row];
				on.end_a = end_of(pose_a, motion.translation_a, motion.rotation_a);
				on.end_b = end_of(pose_b, motion.translation_b, motion.rotation_b);
			}
			rows.push_back(on);
		}
	}

	std::vector<std::unique_ptr<btConvexInternalShape>> shapes;
	std::vector<row_input> rows;
};

void store(double *to, const btVector3 &from) { peer_store(to, from.x(), from.y(), from.z()); }

void store_answer(
	peer_row &row, double separation, const btVector3 &normal, const btVector3 &point_a, const btVector3 &point_b)
{
	row.separation = separation;
	row.answer = PEER_SEPARATION;
	store(row.normal, normal);
	store(row.point_a, point_a);
	store(row.point_b, point_b);
}

/* ---- btGjkPairDetector, by default with btGjkEpaPenetrationDepthSolver --------------------------------- */

void detect(const scene &in, double max_separation, btConvexPenetrationDepthSolver *depth_solver, peer_answer otherwise,
	peer_row *rows)
{
	btVoronoiSimplexSolver simplex;
	for (size_t row = 0; row < in.rows.size(); row++) {
		const row_input &on = in.rows[row];
		btGjkPairDetector detector(on.a, on.b, on.a->getShapeType(), on.b->getShapeType(), on.a->getMargin(),
			on.b->getMargin(), &simplex, depth_solver);
		btGjkPairDetector::ClosestPointInput input;
		input.m_transformA = on.pose_a;
		input.m_transformB = on.pose_b;
		if (max_separation >= 0.0) {
			const btScalar reach = on.a->getMargin() + on.b->getMargin() + static_cast<btScalar>(max_separation);
			input.m_maximumDistanceSquared = reach * reach;
		}
		btPointCollector found;
		detector.getClosestPoints(input, found, nullptr);
		/* It reports gaps up to the reach, those beyond max_separation by a bound; a manifold drops them. */
		if (!found.m_hasResult || (max_separation >= 0.0 && found.m_distance > max_separation)) {
			peer_answer_only(rows[row], otherwise);
			continue;
		}
		store_answer(rows[row], found.m_distance, -found.m_normalOnBInWorld,
			found.m_pointInWorld + found.m_normalOnBInWorld * found.m_distance, found.m_pointInWorld);
	}
}

void run_gjk_contact(void *opaque, peer_row *rows)
{
	btGjkEpaPenetrationDepthSolver depth_solver;
	detect(*static_cast<const scene *>(opaque), PEER_MAX_SEPARATION, &depth_solver, PEER_APART, rows);
}

void run_gjk_signed(void *opaque, peer_row *rows)
{
	btGjkEpaPenetrationDepthSolver depth_solver;
	detect(*static_cast<const scene *>(opaque), -1.0, &depth_solver, PEER_NONE, rows);
}

/* Without a depth solver nothing comes back for cores that overlap. */
void run_gjk_distance(void *opaque, peer_row *rows)
{
	const scene &in = *static_cast<const scene *>(opaque);
	detect(in, -1.0, nullptr, PEER_OVERLAP, rows);
	for (size_t row = 0; row < in.rows.size(); row++)
		rows[row].separation = btMax(rows[row].separation, 0.0);
}

/* ---- btGjkEpaSolver2: gaps are between the cores ----------------------------------------------------- */

template <bool has_depth> void run_epa2(void *opaque, peer_row *rows)
{
	const scene &in = *static_cast<const scene *>(opaque);
	for (size_t row = 0; row < in.rows.size(); row++) {
		const row_input &on = in.rows[row];
		const btVector3 guess = on.pose_b.getOrigin() - on.pose_a.getOrigin();
		btGjkEpaSolver2::sResults found;
		btScalar radius_a = 0.0f, radius_b = 0.0f;
		bool good = btGjkEpaSolver2::Distance(on.a, on.pose_a, on.b, on.pose_b, guess, found);
		if (good) {
			radius_a = on.a->getMargin();
			radius_b = on.b->getMargin();
		} else if (has_depth) {
			good = btGjkEpaSolver2::Penetration(on.a, on.pose_a, on.b, on.pose_b, guess, found);
			/* Neither apart nor overlapping, by its own account. */
			if (!good && found.status == btGjkEpaSolver2::sResults::Separated) {
				peer_answer_only(rows[row], PEER_APART);
				continue;
			}
		}
		if (!good) {
			peer_answer_only(rows[row], has_depth ? PEER_NONE : PEER_OVERLAP);
			continue;
		}
		const btScalar separation = found.distance - radius_a - radius_b;
		/* Its normal is in the frame of A, from B to A. */
		const btVector3 normal = -(on.pose_a.getBasis() * found.normal);
		store_answer(rows[row], has_depth ? separation : btMax(separation, 0.0f), normal,
			found.witnesses[0] + normal * radius_a, found.witnesses[1] - normal * radius_b);
	}
}

/* ---- MPR: overlaps alone ------------------------------------------------------------------------------ */

struct mpr_convex {
	const btConvexInternalShape *shape;
	const btTransform &pose;

	btVector3 getObjectCenterInWorld() const { return pose.getOrigin(); }
	const btTransform &getWorldTransform() const { return pose; }
	btVector3 getLocalSupportWithMargin(const btVector3 &direction) const
	{
		return shape->localGetSupportingVertex(direction);
	}
};

void run_mpr(void *opaque, peer_row *rows)
{
	const scene &in = *static_cast<const scene *>(opaque);
	const btMprCollisionDescription description;
	for (size_t row = 0; row < in.rows.size(); row++) {
		const row_input &on = in.rows[row];
		btMprDistanceInfo found;
		const mpr_convex a{on.a, on.pose_a}, b{on.b, on.pose_b};
		if (btComputeMprPenetration(a, b, description, &found) != 0) {
			peer_answer_only(rows[row], PEER_APART);
			continue;
		}
		store_answer(rows[row], found.m_distance, -found.m_normalBtoA, found.m_pointOnA, found.m_pointOnB);
	}
}

/* ---- its own algorithm objects: whole manifolds ----------------------------------------------------------
 */

struct algorithm_scene : scene {
	explicit algorithm_scene(const peer_input &input, bool has_margin = false)
		: scene(input, has_margin), dispatcher(&configuration), objects(2 * rows.size()), algorithms(rows.size())
	{
		for (size_t row = 0; row < rows.size(); row++) {
			btCollisionObject &a = objects[2 * row], &b = objects[2 * row + 1];
			a.setCollisionShape(shapes[input.pairs[row].a].get());
			b.setCollisionShape(shapes[input.pairs[row].b].get());
			a.setWorldTransform(rows[row].pose_a);
			b.setWorldTransform(rows[row].pose_b);
			const btCollisionObjectWrapper of_a(nullptr, a.getCollisionShape(), &a, a.getWorldTransform(), -1, -1);
			const btCollisionObjectWrapper of_b(nullptr, b.getCollisionShape(), &b, b.getWorldTransform(), -1, -1);
			algorithms[row] = dispatcher.findAlgorithm(&of_a, &of_b, nullptr, BT_CONTACT_POINT_ALGORITHMS);
		}
		info.m_dispatchFunc = btDispatcherInfo::DISPATCH_DISCRETE;
	}

	algorithm_scene(const algorithm_scene &) = delete;
	algorithm_scene &operator=(const algorithm_scene &) = delete;

	~algorithm_scene()
	{
		for (btCollisionAlgorithm *algorithm : algorithms) {
			algorithm->~btCollisionAlgorithm();
			dispatcher.freeCollisionAlgorithm(algorithm);
		}
	}

	btDefaultCollisionConfiguration configuration;
	btCollisionDispatcher dispatcher;
	btDispatcherInfo info;
	std::vector<btCollisionObject> objects;
	std::vector<btCollisionAlgorithm *> algorithms;
};

/* The same with Bullet's default margins, as users have them: where no deeper than these, GJK alone answers. */
struct margin_scene : algorithm_scene {
	explicit margin_scene(const peer_input &input) : algorithm_scene(input, true) {}
};

/* The same scene with the faces of boxes and hulls: Bullet clips two such shapes to up to four points in one call. */
struct faces_scene : algorithm_scene {
	explicit faces_scene(const peer_input &input) : algorithm_scene(input)
	{
		for (const std::unique_ptr<btConvexInternalShape> &shape : shapes)
			if (shape->isPolyhedral())
				static_cast<btPolyhedralConvexShape *>(shape.get())->initializePolyhedralFeatures();
	}
};

/* The deepest point of the manifold speaks for the row. */
void store_manifold(const btPersistentManifold &manifold, bool is_swapped, peer_row &row)
{
	int deepest = 0;
	for (int index = 1; index < manifold.getNumContacts(); index++)
		if (manifold.getContactPoint(index).getDistance() < manifold.getContactPoint(deepest).getDistance())
			deepest = index;
	const btManifoldPoint &point = manifold.getContactPoint(deepest);
	const btVector3 &on_a = point.getPositionWorldOnA(), &on_b = point.getPositionWorldOnB();
	if (is_swapped)
		store_answer(row, point.getDistance(), point.m_normalWorldOnB, on_b, on_a);
	else
		store_answer(row, point.getDistance(), -point.m_normalWorldOnB, on_a, on_b);
}

void clear_manifold(const algorithm_scene &in, size_t row, btManifoldArray &manifolds)
{
	manifolds.resizeNoInitialize(0);
	in.algorithms[row]->getAllContactManifolds(manifolds);
	for (int index = 0; index < manifolds.size(); index++)
		manifolds[index]->clearManifold();
}

void process(algorithm_scene &in, size_t row, btManifoldArray &manifolds, peer_row &answer)
{
	btCollisionObject &a = in.objects[2 * row], &b = in.objects[2 * row + 1];
	const btCollisionObjectWrapper of_a(nullptr, a.getCollisionShape(), &a, a.getWorldTransform(), -1, -1);
	const btCollisionObjectWrapper of_b(nullptr, b.getCollisionShape(), &b, b.getWorldTransform(), -1, -1);
	btManifoldResult result(&of_a, &of_b);
	in.algorithms[row]->processCollision(&of_a, &of_b, in.info, &result);
	manifolds.resizeNoInitialize(0);
	in.algorithms[row]->getAllContactManifolds(manifolds);
	const int count = manifolds.size() == 0 ? 0 : manifolds[0]->getNumContacts();
	answer.point_count = static_cast<uint32_t>(count);
	if (count == 0)
		peer_answer_only(answer, PEER_APART);
	else
		store_manifold(*manifolds[0], manifolds[0]->getBody0() != &a, answer);
}

/* Cold. */
template <typename Scene> void run_algorithm(void *opaque, peer_row *rows)
{
	algorithm_scene &in = *static_cast<Scene *>(opaque);
	btManifoldArray manifolds;
	for (size_t row = 0; row < in.rows.size(); row++) {
		clear_manifold(in, row, manifolds);
		process(in, row, manifolds, rows[row]);
	}
}

/* The manifold of each pair is kept from frame to frame. */
template <typename Scene> struct frames_scene : Scene {
	frames_scene(const peer_input &input, size_t frame_pairs) : Scene(peer_first_frame(input, frame_pairs))
	{
		for (size_t row = 0; row < input.pair_count; row++) {
			const peer_pair &pair = input.pairs[row];
			poses.push_back(transform_of(pair.position_a, pair.rotation_a));
			poses.push_back(transform_of(pair.position_b, pair.rotation_b));
		}
	}
	std::vector<btTransform> poses; /* of all frames: of A, of B, row by row */
};

template <typename Scene> void forget(void *opaque)
{
	const frames_scene<Scene> &in = *static_cast<frames_scene<Scene> *>(opaque);
	btManifoldArray manifolds;
	for (size_t row = 0; row < in.rows.size(); row++)
		clear_manifold(in, row, manifolds);
}

template <typename Scene> void play(void *opaque, size_t frame, peer_row *rows)
{
	frames_scene<Scene> &in = *static_cast<frames_scene<Scene> *>(opaque);
	const btTransform *poses = &in.poses[frame * in.objects.size()];
	btManifoldArray manifolds;
	for (size_t row = 0; row < in.rows.size(); row++) {
		in.objects[2 * row].setWorldTransform(poses[2 * row]);
		in.objects[2 * row + 1].setWorldTransform(poses[2 * row + 1]);
		process(in, row, manifolds, rows[row]);
	}
}

/* ---- casts: the first along translations alone, the second turns at a steady rate -------------------------
 */

template <typename caster> void cast_row(caster &&cast, const row_input &on, peer_row &row)
{
	btConvexCast::CastResult found;
	if (!cast.calcTimeOfImpact(on.pose_a, on.end_a, on.pose_b, on.end_b, found)) {
		peer_answer_only(row, PEER_APART);
		return;
	}
	const btVector3 &point = found.m_hitPoint;
	store_answer(row, found.m_fraction, -found.m_normal, point, point);
}

void run_gjk_cast(void *opaque, peer_row *rows)
{
	const scene &in = *static_cast<const scene *>(opaque);
	btVoronoiSimplexSolver simplex;
	for (size_t row = 0; row < in.rows.size(); row++)
		cast_row(btGjkConvexCast(in.rows[row].a, in.rows[row].b, &simplex), in.rows[row], rows[row]);
}

void run_continuous(void *opaque, peer_row *rows)
{
	const scene &in = *static_cast<const scene *>(opaque);
	btVoronoiSimplexSolver simplex;
	btGjkEpaPenetrationDepthSolver depth_solver;
	for (size_t row = 0; row < in.rows.size(); row++)
		cast_row(btContinuousConvexCollision(in.rows[row].a, in.rows[row].b, &simplex, &depth_solver), in.rows[row],
			rows[row]);
}

} // namespace

const peer peer_bullet_gjk = {"bullet_gjk", peer_create<scene>, peer_destroy<scene>,
	{nullptr, run_gjk_distance, run_gjk_contact, run_gjk_signed, run_gjk_cast}, {"ellipsoid", "sphereellipsoid"}};
const peer peer_bullet_epa2 = {"bullet_epa2", peer_create<scene>, peer_destroy<scene>,
	{nullptr, run_epa2<false>, nullptr, run_epa2<true>}, {"ellipsoid", "sphereellipsoid"}};
const peer peer_bullet_mpr = {"bullet_mpr", peer_create<scene>, peer_destroy<scene>,
	{nullptr, nullptr, run_mpr, nullptr}, {"ellipsoid", "sphereellipsoid"}};
const peer peer_bullet_algorithm = {"bullet_algorithm", peer_create<algorithm_scene>, peer_destroy<algorithm_scene>,
	{nullptr, nullptr, run_algorithm<algorithm_scene>, nullptr, nullptr, nullptr, run_algorithm<algorithm_scene>},
	{"ellipsoid", "sphereellipsoid"}};
const peer peer_bullet_margin = {"bullet_margin", peer_create<margin_scene>, peer_destroy<margin_scene>,
	{nullptr, nullptr, run_algorithm<margin_scene>, nullptr, nullptr, nullptr, run_algorithm<margin_scene>},
	{"ellipsoid", "sphereellipsoid"}};
const peer peer_bullet_faces = {"bullet_faces", peer_create<faces_scene>, peer_destroy<faces_scene>,
	{nullptr, nullptr, run_algorithm<faces_scene>, nullptr, nullptr, nullptr, run_algorithm<faces_scene>},
	{"ellipsoid", "sphereellipsoid"}};
const peer peer_bullet_ccd = {"bullet_ccd", peer_create<scene>, peer_destroy<scene>,
	{nullptr, nullptr, nullptr, nullptr, run_continuous, run_continuous}, {"ellipsoid", "sphereellipsoid"}};
const peer_frames peer_bullet_algorithm_frames = {"bullet_algorithm", "kept",
	peer_create_frames<frames_scene<algorithm_scene>>, peer_destroy<frames_scene<algorithm_scene>>,
	forget<algorithm_scene>, play<algorithm_scene>};
const peer_frames peer_bullet_faces_frames = {"bullet_faces", "kept", peer_create_frames<frames_scene<faces_scene>>,
	peer_destroy<frames_scene<faces_scene>>, forget<faces_scene>, play<faces_scene>};
