/* widephase-cook in C++17: hulls from points and meshes from triangles, owned by objects. See widephase.hpp for errors. */
#ifndef WIDEPHASE_COOK_HPP
#define WIDEPHASE_COOK_HPP

#include "widephase/cook.h"
#include "widephase/widephase.hpp"

#if __cplusplus >= 201703L || (defined(_MSVC_LANG) && _MSVC_LANG >= 201703L)

namespace wp
{

namespace detail
{
struct release_cooked {
	void operator()(void *hull) const noexcept { wp_cook_free(static_cast<const wp_hull *>(hull)); }
};
struct release_cooked_mesh {
	void operator()(void *mesh) const noexcept { wp_cook_free_mesh(static_cast<const wp_mesh *>(mesh)); }
};
} // namespace detail

/* The convex hull of points of any type of three floats, by qhull. */
class cooked_hull : public detail::owner<const wp_hull, WP_ERROR_NULL_HULL, detail::release_cooked>
{
  public:
	/* Of points as wp_cook_points takes them. */
	template <class Points> explicit cooked_hull(const Points &points) noexcept
	{
		using point = detail::element_of<const Points>;
		static_assert(detail::is_vector<point, float, 3>, "points of three floats");
		error_ = wp_cook_points(reinterpret_cast<const float *>(span(points).data()), sizeof(point),
			span(points).size(), &made_, &bad_index_);
		memory_.reset(const_cast<wp_hull *>(made_));
	}

	std::size_t bad_index() const noexcept { return bad_index_; } /* the point at fault */

  private:
	std::size_t bad_index_ = 0;
};

/* A mesh of vertices of any type of three floats, and triangles of any type of three 32-bit indices. */
class cooked_mesh : public detail::owner<const wp_mesh, WP_ERROR_NULL_MESH, detail::release_cooked_mesh>
{
  public:
	/* Of vertices and triangles as wp_cook_mesh takes them. */
	template <class Vertices, class Triangles>
	cooked_mesh(const Vertices &vertices, const Triangles &triangles) noexcept
	{
		using vertex = detail::element_of<const Vertices>;
		using triangle = detail::element_of<const Triangles>;
		static_assert(detail::is_vector<vertex, float, 3>, "vertices of three floats");
		static_assert(detail::is_vector<triangle, std::uint32_t, 3>, "triangles of three 32-bit indices");
		wp_mesh_input input = {};
		input.vertices.data = reinterpret_cast<const float *>(span(vertices).data());
		input.vertices.stride = sizeof(vertex);
		input.vertex_count = span(vertices).size();
		input.triangles.data = reinterpret_cast<const std::uint32_t *>(span(triangles).data());
		input.triangles.stride = sizeof(triangle);
		input.triangle_count = span(triangles).size();
		error_ = wp_cook_mesh(&input, &made_, &report_);
		memory_.reset(const_cast<wp_mesh *>(made_));
	}

	const wp_mesh_report &report() const noexcept { return report_; } /* what the cook found */

  private:
	wp_mesh_report report_ = {};
};

} // namespace wp

#endif
#endif
