/* MuJoCo, by the functions of mjCOLLISIONFUNC on a model that holds nothing but geoms: closed forms, and libccd's portal
 * refinement for other pairs, with MuJoCo's default options. `mujoco` has no margin, and so no gaps; `mujoco_margin` has the
 * distance of the contact query as its margin. A mesh is moved to its centre, as MuJoCo's compiler moves it; its support
 * point is sought among all vertices. Of several contacts the deepest is the row's. */
#include "peer.hpp"

#include <mujoco/mujoco.h>

#include <algorithm>
#include <array>

namespace
{

struct vector {
	double x, y, z;
};

struct scene {
	static bool has(uint32_t kind) { return kind != PEER_CONE && kind <= PEER_ELLIPSOID; }

	explicit scene(const peer_input &input);
	scene(const scene &) = delete;
	scene &operator=(const scene &) = delete;

	void add(const peer_shape &of, uint32_t index, const float at[3], const float turn[4]);
	void connect();

	mjModel model{};
	mjData data{};
	/* Of each shape: where its vertices begin, and their centre. */
	std::vector<int> first_vertex, vertex_count;
	std::vector<vector> centres;
	std::vector<float> vertices;
	std::vector<int> graphs;
	/* Geom 2 i is A of row i, 2 i + 1 its B. */
	std::vector<int> types, meshes;
	std::vector<mjtNum> sizes, bounds, positions, turns;
};

int type_of(uint32_t kind)
{
	switch (kind) {
	case PEER_SPHERE:
		return mjGEOM_SPHERE;
	case PEER_CAPSULE:
		return mjGEOM_CAPSULE;
	case PEER_BOX:
		return mjGEOM_BOX;
	case PEER_CYLINDER:
		return mjGEOM_CYLINDER;
	case PEER_ELLIPSOID:
		return mjGEOM_ELLIPSOID;
	default:
		return mjGEOM_MESH;
	}
}

scene::scene(const peer_input &input)
{
	mj_defaultOption(&model.opt);
	for (uint32_t index = 0; index < input.shape_count; index++) {
		const peer_shape &of = input.shapes[index];
		const auto *const from = input.vertices + of.first_vertex;
		vector centre = {0, 0, 0};
		for (uint32_t i = 0; i < of.vertex_count; i++) {
			centre.x += from[i][0] / static_cast<double>(of.vertex_count);
			centre.y += from[i][1] / static_cast<double>(of.vertex_count);
			centre.z += from[i][2] / static_cast<double>(of.vertex_count);
		}
		first_vertex.push_back(static_cast<int>(vertices.size() / 3));
		vertex_count.push_back(static_cast<int>(of.vertex_count));
		centres.push_back(centre);
		graphs.push_back(-1);
		for (uint32_t i = 0; i < of.vertex_count; i++) {
			vertices.push_back(static_cast<float>(from[i][0] - centre.x));
			vertices.push_back(static_cast<float>(from[i][1] - centre.y));
			vertices.push_back(static_cast<float>(from[i][2] - centre.z));
		}
	}
	for (size_t row = 0; row < input.pair_count; row++) {
		const peer_pair &pair = input.pairs[row];
		add(input.shapes[pair.a], pair.a, pair.position_a, pair.rotation_a);
		add(input.shapes[pair.b], pair.b, pair.position_b, pair.rotation_b);
	}
	connect();
}

/* Its capsules and cylinders are along Z. */
void scene::add(const peer_shape &of, uint32_t index, const float at[3], const float turn[4])
{
	const bool is_along_z = of.kind == PEER_CAPSULE || of.kind == PEER_CYLINDER;
	mjtNum quaternion[4] = {turn[3], turn[0], turn[1], turn[2]}, m[9];
	mju_normalize4(quaternion);
	mju_quat2Mat(m, quaternion);
	types.push_back(type_of(of.kind));
	meshes.push_back(static_cast<int>(index));
	const vector &centre = centres[index];
	for (int row = 0; row < 3; row++) {
		const mjtNum *const r = m + 3 * row;
		sizes.push_back(of.param[row]);
		positions.push_back(at[row] + r[0] * centre.x + r[1] * centre.y + r[2] * centre.z);
		turns.push_back(r[0]);
		turns.push_back(is_along_z ? -r[2] : r[1]);
		turns.push_back(is_along_z ? r[1] : r[2]);
	}
	bounds.push_back(1.0); /* MuJoCo's own functions use it for several contacts alone */
}

void scene::connect()
{
	model.ngeom = static_cast<int>(types.size());
	model.nmesh = static_cast<int>(first_vertex.size());
	model.geom_type = types.data();
	model.geom_dataid = meshes.data();
	model.geom_size = sizes.data();
	model.geom_rbound = bounds.data();
	model.mesh_vertadr = first_vertex.data();
	model.mesh_vertnum = vertex_count.data();
	model.mesh_graphadr = graphs.data();
	model.mesh_vert = vertices.data();
	data.geom_xpos = positions.data();
	data.geom_xmat = turns.data();
}

void collide(const scene &in, size_t row, mjtNum margin, peer_row &answer)
{
	const int a = static_cast<int>(2 * row), b = a + 1;
	/* The geom of the lower type comes first. */
	const bool is_turned = in.types[2 * row] > in.types[2 * row + 1];
	const int first = is_turned ? b : a, second = is_turned ? a : b;
	std::array<mjContact, mjMAXCONPAIR> contacts;
	const mjfCollision function = mjCOLLISIONFUNC[in.model.geom_type[first]][in.model.geom_type[second]];
	const int count = function(&in.model, &in.data, contacts.data(), first, second, margin);
	answer.point_count = static_cast<uint32_t>(count);
	if (count == 0) {
		peer_answer_only(answer, PEER_APART);
		return;
	}
	const mjContact &found = *std::min_element(contacts.begin(), contacts.begin() + count,
		[](const mjContact &one, const mjContact &other) { return one.dist < other.dist; });
	const double sign = is_turned ? -1 : 1;
	answer.separation = found.dist;
	answer.answer = PEER_SEPARATION;
	peer_store(answer.normal, sign * found.frame[0], sign * found.frame[1], sign * found.frame[2]);
	peer_store(answer.point_a, found.pos[0], found.pos[1], found.pos[2]);
	peer_store(answer.point_b, found.pos[0], found.pos[1], found.pos[2]);
}

void run_all(void *opaque, peer_row *rows, mjtNum margin)
{
	const scene &in = *static_cast<const scene *>(opaque);
	for (size_t row = 0; 2 * row < in.types.size(); row++)
		collide(in, row, margin, rows[row]);
}

void run_overlaps(void *opaque, peer_row *rows) { run_all(opaque, rows, 0); }

void run_with_margin(void *opaque, peer_row *rows) { run_all(opaque, rows, PEER_MAX_SEPARATION); }

} // namespace

const peer peer_mujoco = {"mujoco", peer_create<scene>, peer_destroy<scene>,
	{nullptr, nullptr, run_overlaps, nullptr, nullptr, nullptr, nullptr}, {"cone", "smoothmixed", "spherecone"}};
const peer peer_mujoco_margin = {"mujoco_margin", peer_create<scene>, peer_destroy<scene>,
	{nullptr, nullptr, run_with_margin, nullptr, nullptr, nullptr, nullptr}, {"cone", "smoothmixed", "spherecone"}};
