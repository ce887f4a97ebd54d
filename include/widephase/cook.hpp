/* widephase-cook in C++17: hulls from points, owned by an object. See widephase.hpp for errors. */
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

} // namespace wp

#endif
#endif
