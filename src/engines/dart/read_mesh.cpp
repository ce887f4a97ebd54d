/* The triangles of a mesh of DART: convex or not. */
#include "read_mesh.hpp"

#include <assimp/scene.h>

#include <array>
#include <cmath>
#include <utility>

namespace wp::in_dart
{

namespace
{

/* A closed mesh fills its hull if their volumes differ by no more, relatively. */
constexpr double same_volume = 1e-4;

struct triangles {
	std::vector<std::array<float, 3>> vertices;
	std::vector<std::array<std::uint32_t, 3>> corners;
};

/* All meshes of a scene in one. DART has no transforms of a scene's nodes. */
triangles collect(const aiScene &scene, const Eigen::Vector3d &scale)
{
	triangles to;
	for (unsigned number = 0; number < scene.mNumMeshes; number++) {
		const aiMesh &mesh = *scene.mMeshes[number];
		const std::uint32_t first = static_cast<std::uint32_t>(to.vertices.size());
		for (unsigned index = 0; index < mesh.mNumVertices; index++) {
			const aiVector3D &at = mesh.mVertices[index];
			to.vertices.push_back({static_cast<float>(double(at.x) * scale[0]),
				static_cast<float>(double(at.y) * scale[1]), static_cast<float>(double(at.z) * scale[2])});
		}
		for (unsigned index = 0; index < mesh.mNumFaces; index++) {
			const aiFace &face = mesh.mFaces[index];
			if (face.mNumIndices == 3)
				to.corners.push_back({first + face.mIndices[0], first + face.mIndices[1], first + face.mIndices[2]});
		}
	}
	return to;
}

Eigen::Vector3d vector_of(const std::array<float, 3> &from) { return Eigen::Vector3d(from[0], from[1], from[2]); }

/* Of a closed mesh: positive where its fronts are outside. */
double volume_of(const triangles &of)
{
	double sum = 0.0;
	const Eigen::Vector3d start = vector_of(of.vertices[of.corners[0][0]]);
	for (const auto &corner : of.corners) {
		const Eigen::Vector3d a = vector_of(of.vertices[corner[0]]) - start,
							  b = vector_of(of.vertices[corner[1]]) - start,
							  c = vector_of(of.vertices[corner[2]]) - start;
		sum += a.dot(b.cross(c)) / 6.0;
	}
	return sum;
}

void bound(made_shape &to, const wp_hull &hull)
{
	Eigen::AlignedBox3d box;
	for (std::size_t index = 0; index < wp_hull_vertex_count(&hull); index++) {
		float at[3];
		wp_hull_vertex(&hull, index, at);
		box.extend(Eigen::Vector3d(at[0], at[1], at[2]));
	}
	to.centre = box.center();
	to.half = 0.5 * box.sizes();
}

/* Vertices that the triangles have, so that others do not widen the hull. */
std::vector<std::array<float, 3>> used_vertices(const triangles &of)
{
	std::vector<std::array<float, 3>> used;
	std::vector<char> is_used(of.vertices.size(), 0);
	for (const auto &corner : of.corners) {
		for (const std::uint32_t index : corner) {
			if (!std::exchange(is_used[index], char(1)))
				used.push_back(of.vertices[index]);
		}
	}
	return used;
}

} // namespace

bool read_mesh(made_shape &to, const dart::dynamics::MeshShape &from)
{
	if (!from.getMesh())
		return false;
	triangles all = collect(*from.getMesh(), from.getScale());
	if (all.corners.empty())
		return false;
	for (const auto &corner : all.corners) {
		for (const std::uint32_t index : corner) {
			if (index >= all.vertices.size())
				return false;
		}
	}
	cooked_mesh mesh(all.vertices, all.corners);
	to.hull.emplace(used_vertices(all));
	if (!mesh || !*to.hull)
		return false;
	to.shape = wp_shape_hull(to.hull->get());
	bound(to, *to.hull->get());
	to.is_two_sided = mesh.report().boundary_edges + mesh.report().crowded_edges + mesh.report().turned_edges > 0;
	const double volume = to.is_two_sided ? 0.0 : volume_of(all);
	wp_mass mass;
	if (!to.is_two_sided && wp_cook_mass(to.hull->get(), &mass) == WP_OK &&
		std::fabs(std::fabs(volume) - mass.volume) <= same_volume * mass.volume)
		return true;
	if (volume < 0.0) {
		for (auto &corner : all.corners)
			std::swap(corner[1], corner[2]);
		mesh = cooked_mesh(all.vertices, all.corners);
	}
	to.mesh.emplace(std::move(mesh));
	return bool(*to.mesh);
}

} // namespace wp::in_dart
