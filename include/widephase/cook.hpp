/* widephase-cook in C++17: hulls from points, owned by an object. See widephase.hpp for errors. */
#ifndef WIDEPHASE_COOK_HPP
#define WIDEPHASE_COOK_HPP

#include "widephase/cook.h"
#include "widephase/widephase.hpp"

namespace wp
{

/* The convex hull of points of any type of three floats, by qhull. */
class cooked_hull
{
public:
	template <class Points> explicit cooked_hull(const Points &points) noexcept
	{
		const span elements(points);
		using point = std::remove_const_t<std::remove_pointer_t<decltype(elements.data())>>;
		static_assert(std::is_same_v<typename scalar_of<point>::type, float> && sizeof(point) >= 3 * sizeof(float),
			"points of three floats");
		const wp_hull *hull = nullptr;
		error_ = wp_cook_points(reinterpret_cast<const float *>(elements.data()), sizeof(point), elements.size(), &hull,
			&bad_index_);
		hull_.reset(hull);
	}

	wp_error error() const noexcept { return error_; }
	explicit operator bool() const noexcept { return hull_ != nullptr; }
	std::size_t bad_index() const noexcept { return bad_index_; } /* the point at fault */
	const wp_hull *get() const noexcept { return hull_.get(); }   /* nullptr where there is an error, or moved from */

private:
	struct release {
		void operator()(const wp_hull *hull) const noexcept { wp_cook_free(hull); }
	};
	std::unique_ptr<const wp_hull, release> hull_;
	std::size_t bad_index_ = 0;
	wp_error error_ = WP_OK;
};

} // namespace wp

#endif
