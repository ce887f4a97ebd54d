/* libccd: EPA by ccdGJKPenetration, MPR by ccdMPRPenetration; default tolerances. It uses support functions
 * only: ours, plain loops, in the frame of A. It gives no gaps. */
#include "peer.hpp"

#include <ccd/ccd.h>
#include <ccd/quat.h>

namespace
{

/* Without a cap some pairs do not end. */
constexpr unsigned long iterations_max = 500;

struct vec {
	double x, y, z;
};

struct shape {
	uint32_t kind;
	double param[4];
	std::vector<vec> vertices;
	vec centre; /* inside */
};

/* Rotation by rows. */
struct rotation {
	double rows[3][3];
};

struct body {
	const shape *of;
	rotation turn; /* relative to A; of A itself: none */
	vec position;
};

struct pose {
	double position[3];
	double rotation[4]; /* x, y, z, w */
};

struct scene {
	static bool has(uint32_t kind) { return kind <= PEER_ELLIPSOID; }

	explicit scene(const peer_input &input);

	std::vector<shape> shapes;
	std::vector<uint32_t> a, b;
	std::vector<pose> pose_a, pose_b;
};

pose pose_of(const float position[3], const float turn[4])
{
	pose made;
	double squared = 0.0;
	for (int index = 0; index < 4; index++)
		squared += static_cast<double>(turn[index]) * turn[index];
	for (int index = 0; index < 3; index++)
		made.position[index] = position[index];
	for (int index = 0; index < 4; index++)
		made.rotation[index] = turn[index] / std::sqrt(squared);
	return made;
}

scene::scene(const peer_input &input)
{
	for (uint32_t index = 0; index < input.shape_count; index++) {
		const peer_shape &from = input.shapes[index];
		shape made{};
		made.kind = from.kind;
		for (int slot = 0; slot < 4; slot++)
			made.param[slot] = from.param[slot];
		for (uint32_t vertex = 0; vertex < from.vertex_count; vertex++) {
			const float *at = input.vertices[from.first_vertex + vertex];
			made.vertices.push_back({at[0], at[1], at[2]});
			made.centre.x += at[0] / static_cast<double>(from.vertex_count);
			made.centre.y += at[1] / static_cast<double>(from.vertex_count);
			made.centre.z += at[2] / static_cast<double>(from.vertex_count);
		}
		shapes.push_back(made);
	}
	for (size_t row = 0; row < input.pair_count; row++) {
		const peer_pair &pair = input.pairs[row];
		a.push_back(pair.a);
		b.push_back(pair.b);
		pose_a.push_back(pose_of(pair.position_a, pair.rotation_a));
		pose_b.push_back(pose_of(pair.position_b, pair.rotation_b));
	}
}

vec rim_support(double radius, double height, const vec &direction)
{
	const double length = std::sqrt(direction.x * direction.x + direction.z * direction.z);
	const double scale = length > 0.0 ? radius / length : 0.0;
	return {direction.x * scale, height, direction.z * scale};
}

vec ellipsoid_support(const double *semi, const vec &direction)
{
	const vec way = {semi[0] * direction.x, semi[1] * direction.y, semi[2] * direction.z};
	const double length = std::sqrt(way.x * way.x + way.y * way.y + way.z * way.z);
	const double scale = length > 0.0 ? 1.0 / length : 0.0;
	return {semi[0] * way.x * scale, semi[1] * way.y * scale, semi[2] * way.z * scale};
}

vec local_support(const shape &of, const vec &direction)
{
	const double *param = of.param;
	switch (of.kind) {
	case PEER_BOX:
		return {std::copysign(param[0], direction.x), std::copysign(param[1], direction.y),
			std::copysign(param[2], direction.z)};
	case PEER_SPHERE:
	case PEER_CAPSULE: {
		const double length = std::sqrt(
			direction.x * direction.x + direction.y * direction.y + direction.z * direction.z);
		const double scale = length > 0.0 ? param[0] / length : 0.0;
		const double height = of.kind == PEER_CAPSULE ? std::copysign(param[1], direction.y) : 0.0;
		return {direction.x * scale, direction.y * scale + height, direction.z * scale};
	}
	case PEER_CYLINDER:
		return rim_support(param[0], std::copysign(param[1], direction.y), direction);
	case PEER_CONE: {
		const vec rim = rim_support(param[0], -param[1], direction);
		const double along = rim.x * direction.x + rim.y * direction.y + rim.z * direction.z;
		return along > param[1] * direction.y ? rim : vec{0.0, param[1], 0.0};
	}
	case PEER_ELLIPSOID:
		return ellipsoid_support(param, direction);
	default: {
		size_t best = 0;
		double most = -HUGE_VAL;
		for (size_t index = 0; index < of.vertices.size(); index++) {
			const vec &at = of.vertices[index];
			const double along = at.x * direction.x + at.y * direction.y + at.z * direction.z;
			best = along > most ? index : best;
			most = along > most ? along : most;
		}
		return of.vertices[best];
	}
	}
}

vec turned(const rotation &by, const vec &v)
{
	const double(*r)[3] = by.rows;
	return {r[0][0] * v.x + r[0][1] * v.y + r[0][2] * v.z, r[1][0] * v.x + r[1][1] * v.y + r[1][2] * v.z,
		r[2][0] * v.x + r[2][1] * v.y + r[2][2] * v.z};
}

vec turned_back(const rotation &by, const vec &v)
{
	const double(*r)[3] = by.rows;
	return {r[0][0] * v.x + r[1][0] * v.y + r[2][0] * v.z, r[0][1] * v.x + r[1][1] * v.y + r[2][1] * v.z,
		r[0][2] * v.x + r[1][2] * v.y + r[2][2] * v.z};
}

void support_a(const void *object, const ccd_vec3_t *direction, ccd_vec3_t *point)
{
	const body *of = static_cast<const body *>(object);
	const vec at = local_support(*of->of, {direction->v[0], direction->v[1], direction->v[2]});
	ccdVec3Set(point, at.x, at.y, at.z);
}

void support_b(const void *object, const ccd_vec3_t *direction, ccd_vec3_t *point)
{
	const body *of = static_cast<const body *>(object);
	const vec local = turned_back(of->turn, {direction->v[0], direction->v[1], direction->v[2]});
	const vec at = turned(of->turn, local_support(*of->of, local));
	ccdVec3Set(point, at.x + of->position.x, at.y + of->position.y, at.z + of->position.z);
}

void centre_of_a(const void *object, ccd_vec3_t *centre)
{
	const vec &at = static_cast<const body *>(object)->of->centre;
	ccdVec3Set(centre, at.x, at.y, at.z);
}

void centre_of_b(const void *object, ccd_vec3_t *centre)
{
	const body *of = static_cast<const body *>(object);
	const vec at = turned(of->turn, of->of->centre);
	ccdVec3Set(centre, at.x + of->position.x, at.y + of->position.y, at.z + of->position.z);
}

rotation rotation_of(const double q[4])
{
	const double x = q[0], y = q[1], z = q[2], w = q[3];
	return {{{1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - z * w), 2.0 * (x * z + y * w)},
		{2.0 * (x * y + z * w), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - x * w)},
		{2.0 * (x * z - y * w), 2.0 * (y * z + x * w), 1.0 - 2.0 * (x * x + y * y)}}};
}

/* The bodies of a row in the frame of A, and the rotation of that frame. */
rotation place(const scene &in, size_t row, body &a, body &b)
{
	const pose &pose_a = in.pose_a[row], &pose_b = in.pose_b[row];
	const rotation frame = rotation_of(pose_a.rotation), other = rotation_of(pose_b.rotation);
	a.of = &in.shapes[in.a[row]];
	b.of = &in.shapes[in.b[row]];
	for (int line = 0; line < 3; line++)
		for (int column = 0; column < 3; column++) {
			double sum = 0.0;
			for (int index = 0; index < 3; index++)
				sum += frame.rows[index][line] * other.rows[index][column];
			b.turn.rows[line][column] = sum;
		}
	b.position = turned_back(frame, {pose_b.position[0] - pose_a.position[0], pose_b.position[1] - pose_a.position[1],
										pose_b.position[2] - pose_a.position[2]});
	return frame;
}

ccd_t settings()
{
	ccd_t ccd;
	CCD_INIT(&ccd);
	ccd.support1 = support_a;
	ccd.support2 = support_b;
	ccd.center1 = centre_of_a;
	ccd.center2 = centre_of_b;
	ccd.max_iterations = iterations_max;
	return ccd;
}

using penetration = int(const void *, const void *, const ccd_t *, ccd_real_t *, ccd_vec3_t *, ccd_vec3_t *);
using intersection = int(const void *, const void *, const ccd_t *);

template <penetration *query> void run_contact(void *opaque, peer_row *rows)
{
	const scene &in = *static_cast<const scene *>(opaque);
	const ccd_t ccd = settings();
	for (size_t row = 0; row < in.a.size(); row++) {
		body a{}, b{};
		ccd_real_t depth;
		ccd_vec3_t direction, position;
		const rotation frame = place(in, row, a, b);
		const int code = query(&a, &b, &ccd, &depth, &direction, &position);
		if (code != 0) {
			peer_answer_only(rows[row], code == -1 ? PEER_APART : PEER_NONE);
			continue;
		}
		const vec normal = turned(frame, {direction.v[0], direction.v[1], direction.v[2]});
		const vec at = turned(frame, {position.v[0], position.v[1], position.v[2]});
		const double *origin = in.pose_a[row].position;
		rows[row].separation = -depth;
		rows[row].answer = PEER_SEPARATION;
		peer_store(rows[row].normal, normal.x, normal.y, normal.z);
		peer_store(rows[row].point_a, at.x + origin[0], at.y + origin[1], at.z + origin[2]);
		peer_store(rows[row].point_b, at.x + origin[0], at.y + origin[1], at.z + origin[2]);
	}
}

template <intersection *query> void run_overlap(void *opaque, peer_row *rows)
{
	const scene &in = *static_cast<const scene *>(opaque);
	const ccd_t ccd = settings();
	for (size_t row = 0; row < in.a.size(); row++) {
		body a{}, b{};
		place(in, row, a, b);
		peer_answer_only(rows[row], query(&a, &b, &ccd) ? PEER_OVERLAP : PEER_APART);
	}
}

} // namespace

const peer peer_ccd_epa = {"ccd_epa", peer_create<scene>, peer_destroy<scene>,
	{run_overlap<ccdGJKIntersect>, nullptr, run_contact<ccdGJKPenetration>, nullptr}, {}};
const peer peer_ccd_mpr = {"ccd_mpr", peer_create<scene>, peer_destroy<scene>,
	{run_overlap<ccdMPRIntersect>, nullptr, run_contact<ccdMPRPenetration>, nullptr}, {}};
