/* FCL in double precision, by both of its solvers: contact and overlap by fcl::collide, distance and signed
 * distance by fcl::distance. Signed distance by GST_INDEP ends in a failed assertion of the library. */
#include "peer.hpp"

#include <fcl/fcl.h>

#include <memory>
#include <stdexcept>

namespace
{

using geometry = std::shared_ptr<fcl::CollisionGeometryd>;

geometry make_hull(const peer_input &input, const peer_shape &from)
{
	const peer_hull hull = peer_cook(input, from);
	auto vertices = std::make_shared<std::vector<fcl::Vector3d>>();
	for (unsigned index = 0; index < hull.point_count; index++)
		vertices->emplace_back(&hull.points[3 * index]);
	auto faces = std::make_shared<std::vector<int>>(hull.polygons.begin(), hull.polygons.end());
	return std::make_shared<fcl::Convexd>(vertices, static_cast<int>(hull.face_count), faces);
}

geometry make_shape(const peer_input &input, const peer_shape &from)
{
	const float *param = from.param;
	switch (from.kind) {
	case PEER_SPHERE:
		return std::make_shared<fcl::Sphered>(param[0]);
	case PEER_CAPSULE:
		return std::make_shared<fcl::Capsuled>(param[0], 2.0 * param[1]);
	case PEER_BOX:
		return std::make_shared<fcl::Boxd>(2.0 * param[0], 2.0 * param[1], 2.0 * param[2]);
	case PEER_CYLINDER:
		return std::make_shared<fcl::Cylinderd>(param[0], 2.0 * param[1]);
	case PEER_CONE:
		return std::make_shared<fcl::Coned>(param[0], 2.0 * param[1]);
	case PEER_ELLIPSOID:
		return std::make_shared<fcl::Ellipsoidd>(param[0], param[1], param[2]);
	default:
		return make_hull(input, from);
	}
}

/* Its capsules, cylinders and cones lie along Z. */
fcl::Transform3d transform_of(const peer_shape &of, const float position[3], const float turn[4])
{
	fcl::Transform3d made = fcl::Transform3d::Identity();
	Eigen::Quaterniond rotation(turn[3], turn[0], turn[1], turn[2]);
	made.linear() = rotation.normalized().toRotationMatrix();
	made.translation() = fcl::Vector3d(position[0], position[1], position[2]);
	if (of.kind == PEER_CAPSULE || of.kind == PEER_CYLINDER || of.kind == PEER_CONE) {
		fcl::Matrix3d onto;
		onto << 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, -1.0, 0.0;
		made.linear() = (made.linear() * onto).eval();
	}
	return made;
}

struct row_input {
	const fcl::CollisionGeometryd *a, *b;
	fcl::Transform3d pose_a, pose_b;
};

struct scene {
	static bool has(uint32_t kind) { return kind <= PEER_ELLIPSOID; }

	explicit scene(const peer_input &input)
	{
		for (uint32_t index = 0; index < input.shape_count; index++) {
			shapes.push_back(make_shape(input, input.shapes[index]));
			shapes.back()->computeLocalAABB();
		}
		for (size_t row = 0; row < input.pair_count; row++) {
			const peer_pair &pair = input.pairs[row];
			rows.push_back({shapes[pair.a].get(), shapes[pair.b].get(),
				transform_of(input.shapes[pair.a], pair.position_a, pair.rotation_a),
				transform_of(input.shapes[pair.b], pair.position_b, pair.rotation_b)});
		}
	}

	std::vector<geometry> shapes;
	std::vector<row_input, Eigen::aligned_allocator<row_input>> rows;
};

void store(double *to, const fcl::Vector3d &from) { peer_store(to, from.x(), from.y(), from.z()); }

constexpr size_t manifold_max = 4;

fcl::CollisionResultd collide_up_to(
	size_t contacts_max, const row_input &on, fcl::GJKSolverType solver, bool with_contact)
{
	fcl::CollisionRequestd request(contacts_max, with_contact);
	request.gjk_solver_type = solver;
	fcl::CollisionResultd result;
	fcl::collide(on.a, on.pose_a, on.b, on.pose_b, request, result);
	return result;
}

void store_contact(const fcl::Contactd &contact, peer_row &row)
{
	/* The sign of the depth differs from solver to solver. */
	row.separation = -std::fabs(contact.penetration_depth);
	row.answer = PEER_SEPARATION;
	store(row.normal, contact.normal);
	store(row.point_a, contact.pos);
	store(row.point_b, contact.pos);
}

void collide(const row_input &on, fcl::GJKSolverType solver, bool with_contact, peer_row &row)
{
	const fcl::CollisionResultd result = collide_up_to(1, on, solver, with_contact);
	if (!result.isCollision() || !with_contact)
		peer_answer_only(row, result.isCollision() ? PEER_OVERLAP : PEER_APART);
	else
		store_contact(result.getContact(0), row);
}

/* The deepest point speaks for the row. */
void touch(const row_input &on, fcl::GJKSolverType solver, bool with_contact, peer_row &row)
{
	const fcl::CollisionResultd result = collide_up_to(manifold_max, on, solver, with_contact);
	const size_t count = result.numContacts();
	row.point_count = static_cast<uint32_t>(count);
	if (count == 0) {
		peer_answer_only(row, PEER_APART);
		return;
	}
	size_t deepest = 0;
	for (size_t index = 1; index < count; index++)
		if (std::fabs(result.getContact(index).penetration_depth) >
			std::fabs(result.getContact(deepest).penetration_depth))
			deepest = index;
	store_contact(result.getContact(deepest), row);
}

void measure(const row_input &on, fcl::GJKSolverType solver, bool with_depth, peer_row &row)
{
	fcl::DistanceRequestd request(true, with_depth);
	request.gjk_solver_type = solver;
	fcl::DistanceResultd result;
	fcl::distance(on.a, on.pose_a, on.b, on.pose_b, request, result);
	row.separation = with_depth ? result.min_distance : std::fmax(result.min_distance, 0.0);
	row.answer = PEER_SEPARATION;
	store(row.point_a, result.nearest_points[0]);
	store(row.point_b, result.nearest_points[1]);
	fcl::Vector3d between = result.nearest_points[1] - result.nearest_points[0];
	if (result.min_distance < 0.0)
		between = with_depth ? fcl::Vector3d(-between) : fcl::Vector3d::Zero();
	store(row.normal, between / std::fmax(between.norm(), 1e-300));
}

/* It throws where its EPA meets what it does not expect. */
template <void (*query)(const row_input &, fcl::GJKSolverType, bool, peer_row &), fcl::GJKSolverType solver, bool with>
void run(void *opaque, peer_row *rows)
{
	const scene &in = *static_cast<const scene *>(opaque);
	for (size_t row = 0; row < in.rows.size(); row++) {
		try {
			query(in.rows[row], solver, with, rows[row]);
		} catch (const std::exception &) {
			peer_answer_only(rows[row], PEER_NONE);
		}
	}
}

} // namespace

const peer peer_fcl_ccd = {"fcl_ccd", peer_create<scene>, peer_destroy<scene>,
	{run<collide, fcl::GST_LIBCCD, false>, run<measure, fcl::GST_LIBCCD, false>, run<collide, fcl::GST_LIBCCD, true>,
		run<measure, fcl::GST_LIBCCD, true>, nullptr, nullptr, run<touch, fcl::GST_LIBCCD, true>},
	{}};
const peer peer_fcl_indep = {"fcl_indep", peer_create<scene>, peer_destroy<scene>,
	{run<collide, fcl::GST_INDEP, false>, run<measure, fcl::GST_INDEP, false>, run<collide, fcl::GST_INDEP, true>,
		nullptr},
	{}};
