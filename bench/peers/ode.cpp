/* ODE in the precision of its package (double on Debian), by dCollide: a manifold of up to four points, of
 * which the deepest is the row's. It gives no gaps. */
#include "peer.hpp"

#include <ode/ode.h>

#include <algorithm>

namespace
{

constexpr int contacts_max = 4;

/* dCreateConvex keeps pointers to these. */
struct convex {
	std::vector<dReal> planes, points;
	std::vector<unsigned> polygons;
	unsigned plane_count, point_count;
};

struct library {
	library() { dInitODE2(0); }
};

struct scene {
	static bool has(uint32_t kind) { return kind <= PEER_CYLINDER; }

	explicit scene(const peer_input &input);
	scene(const scene &) = delete;
	scene &operator=(const scene &) = delete;
	~scene()
	{
		for (dGeomID geom : geoms)
			dGeomDestroy(geom);
	}

	dGeomID make(const peer_shape &of, uint32_t index);

	std::vector<convex> hulls;  /* of each shape; empty where it is no hull */
	std::vector<dGeomID> geoms; /* 2 i is A of row i, 2 i + 1 its B: a geom carries its pose */
};

convex make_hull(const peer_input &input, const peer_shape &from)
{
	const peer_hull hull = peer_cook(input, from);
	convex made;
	made.planes.assign(hull.planes.begin(), hull.planes.end());
	made.points.assign(hull.points.begin(), hull.points.end());
	made.polygons = hull.polygons;
	made.plane_count = hull.face_count;
	made.point_count = hull.point_count;
	return made;
}

dGeomID scene::make(const peer_shape &of, uint32_t index)
{
	const float *param = of.param;
	convex &hull = hulls[index];
	switch (of.kind) {
	case PEER_SPHERE:
		return dCreateSphere(nullptr, param[0]);
	case PEER_CAPSULE:
		return dCreateCapsule(nullptr, param[0], 2.0 * param[1]);
	case PEER_BOX:
		return dCreateBox(nullptr, 2.0 * param[0], 2.0 * param[1], 2.0 * param[2]);
	case PEER_CYLINDER:
		return dCreateCylinder(nullptr, param[0], 2.0 * param[1]);
	default:
		return dCreateConvex(
			nullptr, hull.planes.data(), hull.plane_count, hull.points.data(), hull.point_count, hull.polygons.data());
	}
}

struct pose {
	dReal position[3];
	dQuaternion rotation;
};

/* Its capsules and cylinders lie along Z. */
pose pose_of(const peer_shape &of, const float position[3], const float turn[4])
{
	const double half = std::sqrt(0.5);
	const dQuaternion rotation = {turn[3], turn[0], turn[1], turn[2]}, onto = {half, -half, 0.0, 0.0};
	dQuaternion product;
	dQMultiply0(product, rotation, onto);
	const bool is_turned = of.kind == PEER_CAPSULE || of.kind == PEER_CYLINDER;
	pose made = {{position[0], position[1], position[2]}, {}};
	std::copy_n(is_turned ? product : rotation, 4, made.rotation);
	return made;
}

void set_pose(dGeomID geom, const pose &of)
{
	dGeomSetPosition(geom, of.position[0], of.position[1], of.position[2]);
	dGeomSetQuaternion(geom, of.rotation);
}

scene::scene(const peer_input &input)
{
	static const library loaded;
	for (uint32_t index = 0; index < input.shape_count; index++) {
		const peer_shape &of = input.shapes[index];
		hulls.push_back(of.kind == PEER_HULL ? make_hull(input, of) : convex{});
	}
	for (size_t row = 0; row < input.pair_count; row++) {
		const peer_pair &pair = input.pairs[row];
		geoms.push_back(make(input.shapes[pair.a], pair.a));
		geoms.push_back(make(input.shapes[pair.b], pair.b));
		set_pose(geoms[2 * row], pose_of(input.shapes[pair.a], pair.position_a, pair.rotation_a));
		set_pose(geoms[2 * row + 1], pose_of(input.shapes[pair.b], pair.position_b, pair.rotation_b));
	}
}

void collide(const scene &in, size_t row, peer_row &answer)
{
	dContactGeom contacts[contacts_max];
	const int count = dCollide(in.geoms[2 * row], in.geoms[2 * row + 1], contacts_max, contacts, sizeof contacts[0]);
	answer.point_count = static_cast<uint32_t>(count);
	if (count == 0) {
		peer_answer_only(answer, PEER_APART);
		return;
	}
	int deepest = 0;
	for (int index = 1; index < count; index++)
		deepest = contacts[index].depth > contacts[deepest].depth ? index : deepest;
	const dContactGeom &found = contacts[deepest];
	answer.separation = -found.depth;
	answer.answer = PEER_SEPARATION;
	peer_store(answer.normal, -found.normal[0], -found.normal[1], -found.normal[2]);
	peer_store(answer.point_a, found.pos[0], found.pos[1], found.pos[2]);
	peer_store(answer.point_b, found.pos[0], found.pos[1], found.pos[2]);
}

void run_contact(void *opaque, peer_row *rows)
{
	const scene &in = *static_cast<const scene *>(opaque);
	for (size_t row = 0; 2 * row < in.geoms.size(); row++)
		collide(in, row, rows[row]);
}

/* It keeps nothing; its geoms carry the poses of the frame. */
struct frames_scene : scene {
	frames_scene(const peer_input &input, size_t frame_pairs) : scene(peer_first_frame(input, frame_pairs))
	{
		for (size_t row = 0; row < input.pair_count; row++) {
			const peer_pair &pair = input.pairs[row];
			poses.push_back(pose_of(input.shapes[pair.a], pair.position_a, pair.rotation_a));
			poses.push_back(pose_of(input.shapes[pair.b], pair.position_b, pair.rotation_b));
		}
	}
	std::vector<pose> poses; /* of all frames: of A, of B, row by row */
};

void play(void *opaque, size_t frame, peer_row *rows)
{
	const frames_scene &in = *static_cast<const frames_scene *>(opaque);
	const pose *poses = &in.poses[frame * in.geoms.size()];
	for (size_t row = 0; 2 * row < in.geoms.size(); row++) {
		set_pose(in.geoms[2 * row], poses[2 * row]);
		set_pose(in.geoms[2 * row + 1], poses[2 * row + 1]);
		collide(in, row, rows[row]);
	}
}

} // namespace

const peer peer_ode = {"ode", peer_create<scene>, peer_destroy<scene>,
	{nullptr, nullptr, run_contact, nullptr, nullptr, nullptr, run_contact},
	{"tri", "cone", "ellipsoid", "smoothmixed", "spherecone", "sphereellipsoid"}};
const peer_frames peer_ode_frames = {
	"ode", "cold", peer_create_frames<frames_scene>, peer_destroy<frames_scene>, nullptr, play};
