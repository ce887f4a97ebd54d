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

/* Whether a type is one index of a list of them. */
template <class T> inline constexpr bool is_index = std::is_same_v<T, std::uint32_t>;

template <class T, class = void> struct has_scalar : std::false_type {
};
template <class T> struct has_scalar<T, std::void_t<typename scalar_of<T>::type>> : std::true_type {
};

/* Whether a type is three indices: by scalar_of, or as a plain struct of their size. */
template <class T> constexpr bool is_triangle() noexcept
{
	if constexpr (has_scalar<T>::value)
		return is_vector<T, std::uint32_t, 3>;
	else
		return std::is_class_v<T> && std::is_trivially_copyable_v<T> && std::is_standard_layout_v<T> &&
		       sizeof(T) == 3 * sizeof(std::uint32_t) && alignof(T) == alignof(std::uint32_t);
}

/* Numbers of the elements of a span, which are none, not missing, where it has no element. */
template <class Scalar, class T> const Scalar *numbers_of(span<T> elements) noexcept
{
	return elements.size() == 0 ? reinterpret_cast<const Scalar *>(nothing)
	                            : reinterpret_cast<const Scalar *>(elements.data());
}

struct release_cooked_mesh {
	void operator()(void *mesh) const noexcept { wp_cook_free_mesh(static_cast<const wp_mesh *>(mesh)); }
};
} // namespace detail

/* The convex hull of points of a type of three floats (see scalar_of), by qhull. */
class cooked_hull : public detail::owner<const wp_hull, WP_ERROR_NULL_HULL, detail::release_cooked>
{
  public:
	/* Of points as wp_cook_points takes them. */
	template <class Points> explicit cooked_hull(const Points &points) noexcept
	{
		using point = detail::element_of<const Points>;
		static_assert(detail::is_vector<point, float, 3>, "points of three floats");
		error_ = wp_cook_points(
			detail::numbers_of<float>(span(points)), sizeof(point), span(points).size(), &made_, &bad_index_);
		memory_.reset(const_cast<wp_hull *>(made_));
	}

	std::size_t bad_index() const noexcept { return bad_index_; } /* the point at fault */

  private:
	std::size_t bad_index_ = 0;
};

/* A mesh of vertices of a type of three floats (see scalar_of), and triangles of 32-bit indices: elements of three, also of
 * plain structs of no other member, or one index after the other. */
class cooked_mesh : public detail::owner<const wp_mesh, WP_ERROR_NULL_MESH, detail::release_cooked_mesh>
{
  public:
	/* Of vertices and triangles as wp_cook_mesh takes them. Indices that end within a triangle are WP_ERROR_MESH_INDEX, and
	 * without any there is no mesh: WP_ERROR_MESH_EMPTY. */
	template <class Vertices, class Triangles>
	cooked_mesh(const Vertices &vertices, const Triangles &triangles) noexcept
	{
		using vertex = detail::element_of<const Vertices>;
		using element = detail::element_of<const Triangles>;
		static_assert(detail::is_vector<vertex, float, 3>, "vertices of three floats");
		static_assert(detail::is_triangle<element>() || detail::is_index<element>, "triangles of three 32-bit indices");
		constexpr std::size_t elements = detail::is_index<element> ? 3 : 1; /* of a triangle */
		wp_mesh_input input = {};
		input.vertices.data = detail::numbers_of<float>(span(vertices));
		input.vertices.stride = sizeof(vertex);
		input.vertex_count = span(vertices).size();
		input.triangles.data = detail::numbers_of<std::uint32_t>(span(triangles));
		input.triangles.stride = elements * sizeof(element);
		input.triangle_count = span(triangles).size() / elements;
		if (span(triangles).size() % elements != 0) {
			error_ = WP_ERROR_MESH_INDEX;
			report_.bad_index = input.triangle_count;
			return;
		}
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
