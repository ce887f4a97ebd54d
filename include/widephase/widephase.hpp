/* widephase: the C++ header, C++17, over the calls of C; nothing to link besides the library.
 *
 * What an engine holds is described by its own types and members, and read where it lies: nothing is copied
 * or converted, and the calls are C's, inline. Nothing throws, with exceptions or without: what may
 * fail has an error() and is false in a condition, and a call that is given it returns an error. Memory that
 * an object owns is allocated when it is made and freed with it; calls allocate nothing.
 *
 * Descriptions (bodies, batches, results) are the structs of C, filled: they borrow what they describe. The headers of C
 * describe them. */
#ifndef WIDEPHASE_WIDEPHASE_HPP
#define WIDEPHASE_WIDEPHASE_HPP

#if __cplusplus < 201703L && (!defined(_MSVC_LANG) || _MSVC_LANG < 201703L)
#error "widephase.hpp needs C++17: compile with -std=c++17 or later"
#else

#include "widephase/widephase.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

namespace wp
{

/* ---- views -------------------------------------------------------------------------------------- */

/* `count` elements that lie one after the other, borrowed: of an array, a std::vector, a std::array, or
 * anything else that has data() and size(). */
template <class T> class span
{
  public:
	/* Of nothing; of `size` elements at `data`; of an array or a container. */
	constexpr span() noexcept = default;
	constexpr span(T *data, std::size_t size) noexcept : data_(data), size_(size) {}
	template <std::size_t N> constexpr span(T (&array)[N]) noexcept : data_(array), size_(N) {}
	template <class Container, class Data = decltype(std::declval<Container &>().data()),
		class = std::enable_if_t<std::is_convertible_v<std::remove_pointer_t<Data> (*)[], T (*)[]>>>
	constexpr span(Container &&container) noexcept : data_(container.data()), size_(container.size())
	{
	}

	constexpr T *data() const noexcept { return data_; }          /* the first element */
	constexpr std::size_t size() const noexcept { return size_; } /* how many there are */

	/* Element `index`, which is below the size; and for loops over all of them. */
	constexpr T &operator[](std::size_t index) const noexcept { return data_[index]; }
	constexpr T *begin() const noexcept { return data_; }
	constexpr T *end() const noexcept { return data_ + size_; }

  private:
	T *data_ = nullptr;
	std::size_t size_ = 0;
};

/* The type of the elements, deduced from the container. */
template <class T, std::size_t N> span(T (&)[N]) -> span<T>;
template <class Container>
span(Container &&container) -> span<std::remove_pointer_t<decltype(std::declval<Container &>().data())>>;

/* The numbers that a vector or a quaternion of the caller's is made of, x first: of float[3], of a type with a value_type
 * (std::array, glm, vectors of Eigen) or with a Scalar and coeffs() (quaternions of Eigen), of a struct with a member x.
 * Specialise it for another type. */
template <class T, class = void> struct scalar_of;

/* Of an array. */
template <class T, std::size_t N> struct scalar_of<T[N], void> {
	using type = T; /* its elements */
};

/* Of a number. */
template <class T> struct scalar_of<T, std::enable_if_t<std::is_arithmetic_v<T>>> {
	using type = T; /* itself */
};

/* Of a type that has a member for it. */
template <class T> struct scalar_of<T, std::void_t<typename T::value_type>> {
	using type = typename T::value_type; /* that member */
};

namespace detail
{
template <class T, class = void> struct has_value_type : std::false_type {
};
template <class T> struct has_value_type<T, std::void_t<typename T::value_type>> : std::true_type {
};

/* Whether `count` rows hold those of a batch, of convex shapes, of meshes or of compounds. */
template <class Batch> bool has_rows(const Batch &batch, std::size_t count) noexcept
{
	return batch.first <= count && batch.count <= count - batch.first;
}

template <class T, class = void> struct has_coefficients : std::false_type {
};
template <class T>
struct has_coefficients<T, std::void_t<typename T::Scalar, decltype(std::declval<const T &>().coeffs())>>
	: std::true_type {
};
} // namespace detail

/* Of a type that has coefficients of a Scalar, and no value_type. */
template <class T>
struct scalar_of<T, std::enable_if_t<!detail::has_value_type<T>::value && detail::has_coefficients<T>::value>> {
	using type = typename T::Scalar; /* their type */
};

/* Of a struct with a member x. */
template <class T>
struct scalar_of<T, std::enable_if_t<!detail::has_value_type<T>::value && !detail::has_coefficients<T>::value &&
										 !std::is_arithmetic_v<T>,
						std::void_t<decltype(std::declval<T &>().x)>>> {
	using type = std::remove_cv_t<decltype(std::declval<T &>().x)>; /* that member's */
};

namespace detail
{

/* The elements of a span. */
template <class T>
using element_of = std::remove_const_t<std::remove_pointer_t<decltype(span(std::declval<T &>()).data())>>;

/* Whether a type is a vector of N of these numbers, with or without something behind. */
template <class T, class Scalar, std::size_t N>
inline constexpr bool is_vector = std::is_same_v<typename scalar_of<T>::type, Scalar> &&
                                  sizeof(T) >= N * sizeof(Scalar);

/* An address for arrays without elements, so that calls do not take them for missing ones. */
inline constexpr double nothing[4] = {};

/* One member of the elements of a span, as a pointer to its numbers and a stride. */
template <class Scalar, std::size_t N, class T, class C, class M> Scalar *field(span<T> elements, M C::*member) noexcept
{
	static_assert(std::is_base_of_v<C, std::remove_cv_t<T>>, "the member is not one of the elements");
	static_assert(is_vector<M, std::remove_cv_t<Scalar>, N>, "a member of other numbers, or of too few");
	if (elements.size() == 0)
		return reinterpret_cast<Scalar *>(const_cast<double *>(nothing));
	return reinterpret_cast<Scalar *>(&(elements.data()->*member));
}

struct release {
	void operator()(void *memory) const noexcept { ::operator delete(memory, std::align_val_t(WP_ALIGNMENT)); }
};

/* An object made in memory of its own, or the error of making it. The memory stays in place when its owner is moved; an owner
 * that was moved from has the error of a NULL pointer, `Moved`. */
template <class T, wp_error Moved, class Release = release> class owner
{
  public:
	owner(owner &&other) noexcept
		: memory_(std::move(other.memory_)), made_(std::exchange(other.made_, nullptr)),
		  error_(std::exchange(other.error_, Moved))
	{
	}
	owner &operator=(owner &&other) noexcept
	{
		memory_ = std::move(other.memory_);
		made_ = std::exchange(other.made_, nullptr);
		error_ = std::exchange(other.error_, Moved);
		return *this;
	}

	wp_error error() const noexcept { return error_; }
	explicit operator bool() const noexcept { return error_ == WP_OK; }
	T *get() const noexcept { return made_; } /* nullptr where there is an error */

  protected:
	owner() noexcept = default;
	~owner() = default;

	/* Allocate the memory; if there is none, the error is WP_ERROR_MEMORY_TOO_SMALL. */
	bool allocate(std::size_t size) noexcept
	{
		memory_.reset(::operator new(size, std::align_val_t(WP_ALIGNMENT), std::nothrow));
		error_ = memory_ ? WP_OK : WP_ERROR_MEMORY_TOO_SMALL;
		return error_ == WP_OK;
	}

	std::unique_ptr<void, Release> memory_;
	T *made_ = nullptr;
	wp_error error_ = WP_OK;
};

} // namespace detail

/* ---- workspace, shapes -------------------------------------------------------------------------- */

/* One for each thread. */
class workspace : public detail::owner<wp_workspace, WP_ERROR_NULL_WORKSPACE>
{
  public:
	/* In memory of its own. */
	explicit workspace(wp_variant variant = WP_VARIANT_AUTO) noexcept
	{
		if (allocate(wp_workspace_size()))
			error_ = wp_workspace_init(memory_.get(), wp_workspace_size(), variant, &made_);
	}

	/* In the caller's memory, aligned to WP_ALIGNMENT, which it borrows. */
	workspace(void *memory, std::size_t size, wp_variant variant = WP_VARIANT_AUTO) noexcept
	{
		error_ = wp_workspace_init(memory, size, variant, &made_);
	}

	/* The variant in use, as by wp_workspace_variant. */
	wp_variant variant() const noexcept { return wp_workspace_variant(made_); }
};

/* A convex hull. */
class hull : public detail::owner<const wp_hull, WP_ERROR_NULL_HULL>
{
  public:
	/* Of vertices as they are (see wp_hull_input), of a type of three floats (see scalar_of). */
	template <class Vertices> explicit hull(const Vertices &vertices) noexcept : hull(vertices, {}, {}) {}

	/* With faces: the vertices of each, and all their indices one after the other, counter-clockwise. */
	template <class Vertices>
	hull(
		const Vertices &vertices, span<const std::uint32_t> face_sizes, span<const std::uint32_t> face_indices) noexcept
	{
		using vertex = detail::element_of<const Vertices>;
		static_assert(detail::is_vector<vertex, float, 3>, "vertices of three floats");
		wp_hull_input input = {};
		input.vertices.data = reinterpret_cast<const float *>(span(vertices).data());
		input.vertices.stride = sizeof(vertex);
		input.vertex_count = span(vertices).size();
		input.face_sizes = face_sizes.data();
		input.face_indices = face_indices.data();
		input.face_count = face_sizes.size();
		build(input, face_indices.size());
	}

	std::size_t bad_index() const noexcept { return bad_index_; } /* the vertex or face at fault */

  private:
	/* The sum of the faces' sizes is the number of indices that are read: there must be as many. */
	void build(const wp_hull_input &input, std::size_t index_count) noexcept
	{
		std::size_t wanted = 0;
		for (std::size_t i = 0; i < input.face_count && wanted <= index_count; i++)
			wanted += input.face_sizes[i];
		const std::size_t size = wp_hull_size(input.vertex_count, input.face_count, index_count);
		if (input.vertex_count < 1 || input.vertex_count > WP_HULL_VERTEX_MAX)
			error_ = WP_ERROR_HULL_VERTEX_COUNT;
		else if (wanted != index_count || size == 0)
			error_ = WP_ERROR_HULL_FACE;
		else if (allocate(size))
			error_ = wp_hull_build(&input, memory_.get(), size, &made_, &bad_index_);
	}

	std::size_t bad_index_ = 0;
};

/* A wp_shape with its makers. */
struct shape : wp_shape {
	shape(const wp_shape &other) noexcept : wp_shape(other) {} /* of one of C */

	/* As the calls of C of these names, wp_shape_point and so on; hulls are borrowed. */
	static shape point() noexcept { return wp_shape_point(); }
	static shape sphere(float radius) noexcept { return wp_shape_sphere(radius); }
	static shape segment(const float (&start)[3], const float (&end)[3]) noexcept
	{
		return wp_shape_segment(start, end);
	}
	static shape capsule(float radius, float half_height) noexcept { return wp_shape_capsule(radius, half_height); }
	static shape triangle(const float (&a)[3], const float (&b)[3], const float (&c)[3]) noexcept
	{
		return wp_shape_triangle(a, b, c);
	}
	static shape box(float half_x, float half_y, float half_z) noexcept { return wp_shape_box(half_x, half_y, half_z); }
	static shape cylinder(float base_radius, float half_height) noexcept
	{
		return wp_shape_cylinder(base_radius, half_height);
	}
	static shape cone(float base_radius, float half_height) noexcept { return wp_shape_cone(base_radius, half_height); }
	static shape ellipsoid(float semi_x, float semi_y, float semi_z) noexcept
	{
		return wp_shape_ellipsoid(semi_x, semi_y, semi_z);
	}
	static shape half_space() noexcept { return wp_shape_half_space(); }
	static shape hull(const wp_hull *hull) noexcept { return wp_shape_hull(hull); }

	/* Of a wp::hull, or a cooked_hull of cook.hpp: it must outlive the shape. */
	template <wp_error Moved, class Release>
	static shape hull(const detail::owner<const wp_hull, Moved, Release> &hull) noexcept
	{
		return wp_shape_hull(hull.get());
	}
	template <wp_error Moved, class Release>
	static shape hull(detail::owner<const wp_hull, Moved, Release> &&hull) = delete;

	/* The same with this rounding radius, which is the radius of spheres and capsules. */
	shape rounded(float length) const noexcept
	{
		shape other = *this;
		other.radius = length;
		return other;
	}
};
static_assert(sizeof(shape) == sizeof(wp_shape), "an array of shapes is one of wp_shape");

/* Shapes made ready for batches; hulls are borrowed. Invalid shapes are counted in report() and are not an error of the
 * table. Shapes may be added, replaced and removed while no call uses the table. */
class shape_table : public detail::owner<const wp_shape_table, WP_ERROR_NULL_BATCH_SHAPES>
{
  public:
	/* Of an array of shapes, in memory of its own, with `count` indices if that is more: the indices without a shape are
	 * invalid until they are set. */
	template <class Shapes> explicit shape_table(const Shapes &shapes, std::size_t count = 0) noexcept
	{
		using element = detail::element_of<const Shapes>;
		static_assert(std::is_base_of_v<wp_shape, element> && sizeof(element) == sizeof(wp_shape), "not shapes");
		const span elements(shapes);
		const std::size_t total = elements.size() > count ? elements.size() : count, size = wp_shape_table_size(total);
		if (!allocate(size))
			return;
		if (total == elements.size()) {
			error_ = wp_shape_table_build(elements.data(), total, memory_.get(), size, &made_, &report_);
			return;
		}
		wp_shape_table *made = nullptr;
		error_ = wp_shape_table_init(memory_.get(), size, total, &made);
		made_ = made;
		for (std::size_t i = 0; made != nullptr && i < elements.size(); i++)
			set_first(i, elements.data()[i]);
	}

	const wp_shape_report &report() const noexcept { return report_; } /* what was wrong with the shapes at first */

	/* Add or replace a shape: WP_ERROR_SHAPE where it is invalid, with the reason in *reason. */
	wp_error set(std::size_t index, const wp_shape &shape, const char **reason = nullptr) noexcept
	{
		return wp_shape_table_set(changed(), index, &shape, reason);
	}
	wp_error remove(std::size_t index) noexcept { return wp_shape_table_remove(changed(), index); }

  private:
	wp_shape_table *changed() noexcept { return const_cast<wp_shape_table *>(made_); }

	void set_first(std::size_t index, const wp_shape &shape) noexcept
	{
		const char *reason;
		if (set(index, shape, &reason) == WP_OK || report_.invalid_count++ != 0)
			return;
		report_.first_invalid = index;
		report_.reason = reason;
	}

	wp_shape_report report_ = {};
};

/* ---- batches ------------------------------------------------------------------------------------ */

/* Bodies as an engine holds them, by the members of its struct: position of three floats or doubles, rotation
 * of four floats x, y, z, w. Body i has shape i where no member says which. */
template <class Bodies, class P, class InP, class R, class InR>
wp_bodies bodies_of(const Bodies &bodies, P InP::*position, R InR::*rotation) noexcept
{
	using real = typename scalar_of<P>::type;
	static_assert(std::is_same_v<real, float> || std::is_same_v<real, double>, "positions are float or double");
	const span elements(bodies);
	wp_bodies view = {};
	view.position.data = detail::field<const real, 3>(elements, position);
	view.rotation.data = detail::field<const float, 4>(elements, rotation);
	view.position.stride = view.rotation.stride = sizeof *elements.data();
	view.count = elements.size();
	view.position_real = std::is_same_v<real, double> ? WP_REAL_DOUBLE : WP_REAL_FLOAT;
	return view;
}

/* The same, with the member that has the index into the shape table. */
template <class Bodies, class P, class InP, class R, class InR, class InS>
wp_bodies bodies_of(const Bodies &bodies, P InP::*position, R InR::*rotation, std::uint32_t InS::*shape) noexcept
{
	wp_bodies view = wp::bodies_of(bodies, position, rotation);
	view.shape.data = detail::field<const std::uint32_t, 1>(span(bodies), shape);
	view.shape.stride = view.position.stride;
	return view;
}

/* Where bodies go, by a member of the same struct: three floats, the translation. */
template <class Bodies, class T, class InT> wp_motions motions_of(const Bodies &bodies, T InT::*translation) noexcept
{
	const span elements(bodies);
	wp_motions view = {};
	view.translation.data = detail::field<const float, 3>(elements, translation);
	view.translation.stride = sizeof *elements.data();
	return view;
}

/* The same, with the member that has the rotation at the end: four floats. */
template <class Bodies, class T, class InT, class R, class InR>
wp_motions motions_of(const Bodies &bodies, T InT::*translation, R InR::*rotation) noexcept
{
	wp_motions view = wp::motions_of(bodies, translation);
	view.rotation.data = detail::field<const float, 4>(span(bodies), rotation);
	view.rotation.stride = view.translation.stride;
	return view;
}

/* A row for each element of `pairs`, whose members name the body of A and the body of B. */
template <class Pairs, class InA, class InB>
wp_batch batch_of(const shape_table &shapes, const wp_bodies &bodies, const Pairs &pairs, std::uint32_t InA::*a,
	std::uint32_t InB::*b) noexcept
{
	const span elements(pairs);
	wp_batch batch = {};
	batch.shapes = shapes.get();
	batch.a = bodies;
	batch.pair_a.data = detail::field<const std::uint32_t, 1>(elements, a);
	batch.pair_b.data = detail::field<const std::uint32_t, 1>(elements, b);
	batch.pair_a.stride = batch.pair_b.stride = sizeof *elements.data();
	batch.count = elements.size();
	return batch;
}

/* A row for each element of `pairs`, which is two numbers: the body of A and the body of B. */
template <class Pairs>
wp_batch batch_of(const shape_table &shapes, const wp_bodies &bodies, const Pairs &pairs) noexcept
{
	const span elements(pairs);
	using pair = detail::element_of<const Pairs>;
	static_assert(detail::is_vector<pair, std::uint32_t, 2> && sizeof(pair) == 2 * sizeof(std::uint32_t),
		"pairs of two std::uint32_t; of others, name the members");
	wp_batch batch = {};
	batch.shapes = shapes.get();
	batch.a = bodies;
	batch.pair_a.data = elements.size() == 0 ? reinterpret_cast<const std::uint32_t *>(detail::nothing)
	                                         : reinterpret_cast<const std::uint32_t *>(elements.data());
	batch.pair_b.data = batch.pair_a.data + 1;
	batch.pair_a.stride = batch.pair_b.stride = sizeof(pair);
	batch.count = elements.size();
	return batch;
}

/* Where results go: members of the elements of an array, one for each row. Outputs that are not named are not computed.
 * A batch of more rows than there are elements is refused by WP_ERROR_MEMORY_TOO_SMALL. */
template <class T> class results
{
	static_assert(!std::is_const_v<T>, "results are written");

  public:
	/* Rows of wp_row are written whole; of others, the members named below. */
	explicit results(span<T> rows) noexcept : rows_(rows), count_(rows.size())
	{
		if constexpr (std::is_same_v<T, wp_row>)
			all_ = wp_results_of_rows(rows.data());
	}

	/* Where the column of that name in wp_results goes, the fractions of casts, and the triangles of queries of meshes: the
	 * member of its numbers, three of a vector. */
	template <class C> results &separation(float C::*m) noexcept { return set<1>(all_.separation, m); }
	template <class C> results &lower(float C::*m) noexcept { return set<1>(all_.lower, m); }
	template <class C> results &upper(float C::*m) noexcept { return set<1>(all_.upper, m); }
	template <class C> results &fraction(float C::*m) noexcept { return set<1>(fraction_, m); }
	template <class C, class M> results &normal(M C::*m) noexcept { return set<3>(all_.normal, m); }
	template <class C, class M> results &local_a(M C::*m) noexcept { return set<3>(all_.local_a, m); }
	template <class C, class M> results &local_b(M C::*m) noexcept { return set<3>(all_.local_b, m); }
	template <class C> results &status(std::uint32_t C::*m) noexcept { return set<1>(all_.status, m); }
	template <class C> results &triangle(std::uint32_t C::*m) noexcept { return set<1>(triangle_, m); }
	template <class C> results &iterations(std::uint32_t C::*m) noexcept { return set<1>(all_.iterations, m); }
	template <class C> results &overlap(std::uint8_t C::*m) noexcept { return set<1>(all_.overlap, m); }

	/* Both tangents, of three floats each. */
	template <class C, class M, class D> results &tangents(M C::*one, M D::*two) noexcept
	{
		set<3>(all_.tangent_1, one);
		return set<3>(all_.tangent_2, two);
	}

	/* Both witness points, of three floats or doubles each. */
	template <class C, class M, class D> results &points(M C::*a, M D::*b) noexcept
	{
		using real = typename scalar_of<M>::type;
		static_assert(std::is_same_v<real, float> || std::is_same_v<real, double>, "points are float or double");
		all_.point_a.data = detail::field<real, 3>(rows_, a);
		all_.point_b.data = detail::field<real, 3>(rows_, b);
		all_.point_a.stride = all_.point_b.stride = sizeof(T);
		all_.point_real = std::is_same_v<real, double> ? WP_REAL_DOUBLE : WP_REAL_FLOAT;
		return *this;
	}

	/* The cache of each row's pair, which is read, then written: a member, or an array of its own, one for each row. */
	template <class C> results &cache(wp_cache C::*m) noexcept
	{
		if (rows_.size() != 0)
			all_.cache.data = &(rows_.data()->*m);
		all_.cache.stride = sizeof(T);
		return *this;
	}
	results &cache(span<wp_cache> caches) noexcept
	{
		all_.cache.data = caches.data();
		all_.cache.stride = sizeof(wp_cache);
		count_ = caches.size() < count_ ? caches.size() : count_;
		return *this;
	}

	const wp_results *get() const noexcept { return &all_; }                  /* the struct of C */
	const wp_float_column *fractions() const noexcept { return &fraction_; }  /* of casts: where the fractions go */
	const wp_uint32_column *triangles() const noexcept { return &triangle_; } /* of meshes: where the triangles go */

	/* Of compounds: the numbers of both children, and the patches of a row, as many as the array has, with the number of
	 * those written. */
	template <class C, class D> results &children(std::uint32_t C::*a, std::uint32_t D::*b) noexcept
	{
		set<1>(children_.a, a);
		return set<1>(children_.b, b);
	}
	/* Of compounds and meshes: the number of the child. */
	template <class C> results &child(std::uint32_t C::*m) noexcept { return set<1>(children_.a, m); }
	template <class C, class D, std::size_t N>
	results &patches(wp_compound_patch (C::*m)[N], std::uint32_t D::*count) noexcept
	{
		static_assert(N <= WP_COMPOUND_PATCH_MAX, "at most WP_COMPOUND_PATCH_MAX patches");
		if (rows_.size() != 0)
			patches_.patches.data = rows_.data()->*m;
		patches_.patches.stride = sizeof(T);
		patches_.patch_max = N;
		return set<1>(patches_.patch_count, count);
	}
	const wp_child_columns *columns_of_children() const noexcept { return &children_; } /* the structs of C */
	const wp_compound_patches *columns_of_patches() const noexcept { return &patches_; }

	std::size_t size() const noexcept { return count_; } /* rows there is room for */

	/* Whether there is an element for each row of a batch, of convex shapes, of meshes or of compounds. */
	template <class Batch> bool holds(const Batch &batch) const noexcept { return detail::has_rows(batch, count_); }

  private:
	template <std::size_t N, class Column, class C, class M> results &set(Column &column, M C::*member) noexcept
	{
		using scalar = std::remove_pointer_t<decltype(column.data)>;
		column.data = detail::field<scalar, N>(rows_, member);
		column.stride = sizeof(T);
		return *this;
	}

	span<T> rows_;
	wp_results all_ = {};
	wp_float_column fraction_ = {};
	wp_uint32_column triangle_ = {};
	wp_child_columns children_ = {};
	wp_compound_patches patches_ = {};
	std::size_t count_ = 0;
};

/* Results into the elements of an array or a container. */
template <class Rows> auto results_of(Rows &rows) noexcept
{
	return results<std::remove_pointer_t<decltype(span(rows).data())>>(span(rows));
}

/* ---- boxes of bodies ---------------------------------------------------------------------------- */

/* Where boxes of bodies go: members of the elements of an array, one for each body. More bodies than there are elements are
 * refused by WP_ERROR_MEMORY_TOO_SMALL. */
class bounds
{
  public:
	/* The struct of C, of so many elements. */
	bounds(const wp_bounds &columns, std::size_t size) noexcept : all_(columns), size_(size) {}

	const wp_bounds *get() const noexcept { return &all_; } /* the struct of C */
	std::size_t size() const noexcept { return size_; }     /* bodies there is room for */

  private:
	wp_bounds all_;
	std::size_t size_;
};

/* Boxes into the elements of an array or a container, by the members of their corners: three floats or doubles each. */
template <class Boxes, class L, class InL, class U, class InU>
bounds bounds_of(Boxes &boxes, L InL::*lower, U InU::*upper) noexcept
{
	using real = typename scalar_of<L>::type;
	static_assert(std::is_same_v<real, float> || std::is_same_v<real, double>, "corners are float or double");
	const span elements(boxes);
	static_assert(!std::is_const_v<std::remove_pointer_t<decltype(elements.data())>>, "boxes are written");
	wp_bounds all = {};
	all.lower.data = detail::field<real, 3>(elements, lower);
	all.upper.data = detail::field<real, 3>(elements, upper);
	all.lower.stride = all.upper.stride = sizeof *elements.data();
	all.real = std::is_same_v<real, double> ? WP_REAL_DOUBLE : WP_REAL_FLOAT;
	return {all, elements.size()};
}

/* Boxes of all of these bodies, as by wp_bodies_bounds. */
inline wp_error bodies_bounds(
	const shape_table &shapes, const wp_bodies &bodies, const wp_contact_options &options, const bounds &boxes) noexcept
{
	wp_batch batch = {};
	batch.shapes = shapes.get();
	batch.a = bodies;
	batch.count = bodies.count;
	return detail::has_rows(batch, boxes.size()) ? wp_bodies_bounds(&batch, &options, boxes.get())
	                                             : WP_ERROR_MEMORY_TOO_SMALL;
}

/* The same of bodies that have a shape, or WP_COMPOUND + an index into `compounds`, as by wp_compound_bodies_bounds. */
inline wp_error compound_bodies_bounds(const shape_table &shapes, span<const wp_compound *const> compounds,
	const wp_bodies &bodies, const wp_contact_options &options, const bounds &boxes) noexcept
{
	wp_compound_batch batch = {};
	batch.shapes = shapes.get();
	batch.compounds = compounds.data();
	batch.compound_count = compounds.size();
	batch.a = bodies;
	batch.count = bodies.count;
	return detail::has_rows(batch, boxes.size()) ? wp_compound_bodies_bounds(&batch, &options, boxes.get())
	                                             : WP_ERROR_MEMORY_TOO_SMALL;
}

/* The same of bodies with meshes, and with height fields, whose numbers follow the ones of meshes, as by
 * wp_mesh_bodies_bounds. */
inline wp_error mesh_bodies_bounds(span<const wp_mesh *const> meshes, span<const wp_height_field *const> fields,
	const wp_bodies &grounds, const wp_contact_options &options, const bounds &boxes) noexcept
{
	wp_mesh_batch batch = {};
	batch.meshes = meshes.data();
	batch.mesh_count = meshes.size();
	batch.height_fields = fields.data();
	batch.height_field_count = fields.size();
	batch.b = grounds;
	batch.count = grounds.count;
	return detail::has_rows(batch, boxes.size()) ? wp_mesh_bodies_bounds(&batch, &options, boxes.get())
	                                             : WP_ERROR_MEMORY_TOO_SMALL;
}

/* ---- meshes ------------------------------------------------------------------------------------- */

/* A row for each element of `pairs`, whose members name a body with a shape and one of `grounds`, bodies with meshes: their
 * member for a shape is an index into `meshes`. */
template <class Pairs, class InA, class InB>
wp_mesh_batch mesh_batch_of(const shape_table &shapes, const wp_bodies &bodies, span<const wp_mesh *const> meshes,
	const wp_bodies &grounds, const Pairs &pairs, std::uint32_t InA::*a, std::uint32_t InB::*b) noexcept
{
	const wp_batch plain = wp::batch_of(shapes, bodies, pairs, a, b);
	wp_mesh_batch batch = {};
	batch.shapes = plain.shapes;
	batch.meshes = meshes.data();
	batch.mesh_count = meshes.size();
	batch.a = bodies;
	batch.b = grounds;
	batch.pair_a = plain.pair_a;
	batch.pair_b = plain.pair_b;
	batch.count = plain.count;
	return batch;
}

/* The same with height fields: the grounds' member for a shape is an index into `fields`. */
template <class Pairs, class InA, class InB>
wp_mesh_batch height_batch_of(const shape_table &shapes, const wp_bodies &bodies,
	span<const wp_height_field *const> fields, const wp_bodies &grounds, const Pairs &pairs, std::uint32_t InA::*a,
	std::uint32_t InB::*b) noexcept
{
	wp_mesh_batch batch = wp::mesh_batch_of(shapes, bodies, {}, grounds, pairs, a, b);
	batch.height_fields = fields.data();
	batch.height_field_count = fields.size();
	return batch;
}

/* Where contacts with meshes go, as results: members of the elements of an array, one for each row. */
template <class T> class mesh_results
{
	static_assert(!std::is_const_v<T>, "results are written");

  public:
	/* Of these rows, the members named below. */
	explicit mesh_results(span<T> rows) noexcept : rows_(rows) {}

	/* Where the column of that name in wp_mesh_results goes. */
	template <class C> mesh_results &separation(float C::*m) noexcept { return set<1>(all_.separation, m); }
	template <class C, class M> mesh_results &normal(M C::*m) noexcept { return set<3>(all_.normal, m); }
	template <class C> mesh_results &status(std::uint32_t C::*m) noexcept { return set<1>(all_.status, m); }
	template <class C> mesh_results &triangle_count(std::uint32_t C::*m) noexcept
	{
		return set<1>(all_.triangle_count, m);
	}

	/* The patches of a row, as many as the array has, and the number of those written. */
	template <class C, class D, std::size_t N>
	mesh_results &patches(wp_mesh_patch (C::*m)[N], std::uint32_t D::*count) noexcept
	{
		static_assert(N <= WP_MESH_PATCH_MAX, "at most WP_MESH_PATCH_MAX patches");
		if (rows_.size() != 0)
			all_.patches.data = rows_.data()->*m;
		all_.patches.stride = sizeof(T);
		all_.patch_max = N;
		return set<1>(all_.patch_count, count);
	}

	/* The same, and of compounds the child of each point; mesh_contact leaves the children alone. */
	template <class C, class D, class E, std::size_t N>
	mesh_results &patches(
		wp_mesh_patch (C::*m)[N], std::uint32_t D::*count, std::uint32_t (E::*children)[N][WP_MESH_POINT_MAX]) noexcept
	{
		if (rows_.size() != 0)
			children_.data = (rows_.data()->*children)[0];
		children_.stride = sizeof(T);
		return patches(m, count);
	}

	const wp_mesh_results *get() const noexcept { return &all_; }                      /* the struct of C */
	const wp_uint32_column *column_of_children() const noexcept { return &children_; } /* where the children go */

	std::size_t size() const noexcept { return rows_.size(); } /* rows there is room for */

	/* Whether there is an element for each row. */
	bool holds(const wp_mesh_batch &batch) const noexcept { return detail::has_rows(batch, rows_.size()); }

  private:
	template <std::size_t N, class Column, class C, class M> mesh_results &set(Column &column, M C::*member) noexcept
	{
		using scalar = std::remove_pointer_t<decltype(column.data)>;
		column.data = detail::field<scalar, N>(rows_, member);
		column.stride = sizeof(T);
		return *this;
	}

	span<T> rows_;
	wp_mesh_results all_ = {};
	wp_uint32_column children_ = {};
};

/* Results of contacts with meshes into the elements of an array or a container. */
template <class Rows> auto mesh_results_of(Rows &rows) noexcept
{
	return mesh_results<std::remove_pointer_t<decltype(span(rows).data())>>(span(rows));
}

/* ---- compounds ---------------------------------------------------------------------------------- */

/* Several shapes as one body, in memory of its own. */
class compound : public detail::owner<const wp_compound, WP_ERROR_NULL_COMPOUND>
{
  public:
	/* Of an array of children, whose shapes are in this table. */
	template <class Children> compound(const Children &children, const shape_table &shapes) noexcept
	{
		static_assert(std::is_same_v<detail::element_of<const Children>, wp_compound_child>, "not children");
		const span elements(children);
		const std::size_t size = wp_compound_size(elements.size());
		if (size == 0)
			error_ = WP_ERROR_COMPOUND_COUNT;
		else if (allocate(size))
			error_ = wp_compound_build(
				elements.data(), elements.size(), shapes.get(), memory_.get(), size, &made_, &bad_child_);
	}

	std::size_t bad_child() const noexcept { return bad_child_; } /* the child at fault */

  private:
	std::size_t bad_child_ = 0;
};

/* A row for each element of `pairs`, whose members name two bodies: their member for a shape is an index into the table, or
 * WP_COMPOUND + an index into `compounds`. */
template <class Pairs, class InA, class InB>
wp_compound_batch compound_batch_of(const shape_table &shapes, const wp_bodies &bodies,
	span<const wp_compound *const> compounds, const Pairs &pairs, std::uint32_t InA::*a, std::uint32_t InB::*b) noexcept
{
	const wp_batch plain = wp::batch_of(shapes, bodies, pairs, a, b);
	wp_compound_batch batch = {};
	batch.shapes = plain.shapes;
	batch.compounds = compounds.data();
	batch.compound_count = compounds.size();
	batch.a = bodies;
	batch.pair_a = plain.pair_a;
	batch.pair_b = plain.pair_b;
	batch.count = plain.count;
	return batch;
}

/* ---- tracked pairs ------------------------------------------------------------------------------ */

namespace detail
{

/* Pairs in memory of their own, which are taken and given back by index. */
class pair_pool : public owner<wp_tracked, WP_ERROR_NULL_TRACKED_PAIRS>
{
  public:
	/* As wp_track_pool_take and wp_track_pool_give. */
	std::uint32_t take() noexcept { return made_ == nullptr ? WP_TRACK_NONE : wp_track_pool_take(&pool_); }
	wp_error give(std::uint32_t index) noexcept
	{
		return made_ == nullptr ? error_ : wp_track_pool_give(&pool_, index);
	}

	std::uint32_t capacity() const noexcept
	{
		return made_ == nullptr ? 0 : pool_.capacity;
	} /* pairs there is room for */

	/* What is kept of a pair; `index` is below the capacity. */
	wp_tracked &operator[](std::uint32_t index) noexcept { return made_[index]; }
	const wp_tracked &operator[](std::uint32_t index) const noexcept { return made_[index]; }

  protected:
	pair_pool() noexcept = default;

	/* Memory for `capacity` pairs, and `more` bytes for each of them: returns where these begin, or nullptr. */
	void *start(std::uint32_t capacity, std::size_t more) noexcept
	{
		const std::size_t each = sizeof(wp_tracked) + more;
		error_ = capacity == WP_TRACK_NONE                   ? WP_ERROR_POOL_CAPACITY
		       : capacity > (SIZE_MAX - WP_ALIGNMENT) / each ? WP_ERROR_MEMORY_TOO_SMALL
		                                                     : WP_OK;
		if (error_ != WP_OK || !allocate(each * capacity + WP_ALIGNMENT))
			return nullptr;
		made_ = static_cast<wp_tracked *>(memory_.get());
		error_ = wp_track_pool_init(&pool_, made_, capacity);
		return made_ + capacity;
	}

	/* The pairs of a smaller pool. Returns how many of them were ever taken. */
	std::uint32_t copy_pairs(const pair_pool &from) noexcept
	{
		for (std::uint32_t i = 0; i < from.pool_.used; i++)
			made_[i] = from.made_[i];
		pool_.used = from.pool_.used;
		pool_.available = from.pool_.available;
		return pool_.used;
	}

	/* What both views of a pool have. */
	template <class View> View view() noexcept
	{
		View view = {};
		view.pairs = made_;
		view.count = capacity();
		return view;
	}

	template <class View, class Pairs, class In>
	static View with_index(View view, const Pairs &pairs, std::uint32_t In::*index) noexcept
	{
		const span elements(pairs);
		view.index.data = detail::field<const std::uint32_t, 1>(elements, index);
		view.index.stride = sizeof *elements.data();
		return view;
	}

	wp_track_pool pool_ = {};
};

/* Pairs with patches. Of each pair there is an anchor, room for so many patches, and what else a pool has for each patch. */
template <class Anchor, class Patch, class More> class patch_pool : public pair_pool
{
  public:
	/* The patches that a pair has; `index` is below the capacity. */
	span<Patch> patches(std::uint32_t index) noexcept
	{
		return {patches_ + std::size_t(index) * patch_max_, made_[index].count};
	}
	span<const Patch> patches(std::uint32_t index) const noexcept
	{
		return {patches_ + std::size_t(index) * patch_max_, made_[index].count};
	}

  protected:
	/* An error where patch_max is above `most`; 0 = 4. */
	patch_pool(std::uint32_t capacity, std::uint32_t patch_max, std::uint32_t most, std::size_t more_of_patch,
		wp_error error) noexcept
		: patch_max_(patch_max != 0 ? patch_max : 4)
	{
		if (patch_max > most) {
			error_ = error;
			return;
		}
		const std::size_t of_patch = sizeof(Patch) + more_of_patch * sizeof(More);
		void *const after = start(capacity, sizeof(Anchor) + patch_max_ * of_patch);
		if (after == nullptr)
			return;
		anchors_ = static_cast<Anchor *>(after);
		patches_ = reinterpret_cast<Patch *>(anchors_ + capacity);
		more_ = reinterpret_cast<More *>(patches_ + std::size_t(capacity) * patch_max_);
	}

	/* The pairs of a smaller pool, but for `more_`. Returns how many of them were ever taken. */
	std::uint32_t copy_patches(const patch_pool &from) noexcept
	{
		const std::uint32_t used = copy_pairs(from);
		for (std::uint32_t i = 0; i < used; i++)
			anchors_[i] = from.anchors_[i];
		for (std::size_t i = 0; i < std::size_t(used) * patch_max_; i++)
			patches_[i] = from.patches_[i];
		return used;
	}

	template <class View> View patch_view() noexcept
	{
		View all = view<View>();
		all.anchors = anchors_;
		all.patches = patches_;
		all.patch_max = patch_max_;
		return all;
	}

	Anchor *anchors_ = nullptr;
	Patch *patches_ = nullptr;
	More *more_ = nullptr;
	std::uint32_t patch_max_ = 0;
};

/* Make room for more pairs in a pool of another capacity that `make` makes. */
template <class Pool, class Make> wp_error reserve(Pool &pool, std::uint32_t capacity, const Make &make) noexcept
{
	if (pool.get() == nullptr)
		return pool.error();
	if (capacity <= pool.capacity())
		return WP_OK;
	Pool larger = make();
	if (!larger)
		return larger.error();
	larger.copy(pool);
	pool = std::move(larger);
	return WP_OK;
}

} // namespace detail

/* What is kept of pairs from frame to frame, in memory of its own: a pool of pairs, which are taken and given back by index. */
class tracked_pairs : public detail::pair_pool
{
  public:
	/* Room for `capacity` pairs; for points that are reused (wp_track_options) only if `reuses`, for depths that are proven
	 * again (wp_tracked_polytope) only if `proves`. Polytopes hold for one table of shapes: another needs other pairs. */
	explicit tracked_pairs(std::uint32_t capacity, bool reuses = false, bool proves = false) noexcept
		: reuses_(reuses), proves_(proves)
	{
		const std::size_t anchors = reuses_ ? sizeof(wp_tracked_anchor) : 0;
		const std::size_t polytopes = proves_ ? sizeof(wp_tracked_polytope) : 0;
		void *const after = start(capacity, anchors + polytopes + sizeof(wp_persistent_manifold));
		if (after == nullptr)
			return;
		void *const from = static_cast<char *>(after) + anchors * capacity;
		void *const last = static_cast<char *>(from) + polytopes * capacity;
		anchors_ = reuses_ ? static_cast<wp_tracked_anchor *>(after) : nullptr;
		polytopes_ = proves_ ? static_cast<wp_tracked_polytope *>(from) : nullptr;
		manifolds_ = static_cast<wp_persistent_manifold *>(last);
		for (std::uint32_t i = 0; proves_ && i < capacity; i++)
			polytopes_[i] = {};
		for (std::uint32_t i = 0; i < capacity; i++)
			manifolds_[i] = {};
	}

	/* Room for more pairs. What is kept, and its indices, stay; references to it do not. An error leaves all as it was. */
	wp_error reserve(std::uint32_t capacity) noexcept
	{
		return detail::reserve(*this, capacity, [&] { return tracked_pairs(capacity, reuses_, proves_); });
	}

	/* The points of a pair; `index` is below the capacity. */
	wp_persistent_manifold &manifold(std::uint32_t index) noexcept { return manifolds_[index]; }
	const wp_persistent_manifold &manifold(std::uint32_t index) const noexcept { return manifolds_[index]; }

	/* For a batch whose row r is pair r. */
	wp_tracked_pairs rows() noexcept
	{
		wp_tracked_pairs all = view<wp_tracked_pairs>();
		all.manifolds = manifolds_;
		all.anchors = anchors_;
		all.polytopes = polytopes_;
		return all;
	}

	/* For a batch of these pairs, whose member is the index of the pair: no two may have the same (wp_tracked_pairs). */
	template <class Pairs, class In> wp_tracked_pairs rows(const Pairs &pairs, std::uint32_t In::*index) noexcept
	{
		return with_index(rows(), pairs, index);
	}

  private:
	template <class Pool, class Make> friend wp_error detail::reserve(Pool &, std::uint32_t, const Make &) noexcept;

	void copy(const tracked_pairs &from) noexcept
	{
		const std::uint32_t used = copy_pairs(from);
		for (std::uint32_t i = 0; i < used; i++) {
			manifolds_[i] = from.manifolds_[i];
			if (reuses_)
				anchors_[i] = from.anchors_[i];
			if (proves_)
				polytopes_[i] = from.polytopes_[i];
		}
	}

	wp_tracked_anchor *anchors_ = nullptr;
	wp_tracked_polytope *polytopes_ = nullptr;
	wp_persistent_manifold *manifolds_ = nullptr;
	bool reuses_ = false, proves_ = false;
};

/* The same of pairs of bodies with shapes or compounds and bodies with meshes, for mesh_track and compound_mesh_track. */
class mesh_tracked_pairs : public detail::patch_pool<wp_mesh_tracked_anchor, wp_mesh_tracked_patch, std::uint32_t>
{
  public:
	/* Room for `capacity` pairs, each with up to `patch_max` patches, 1 to WP_MESH_PATCH_MAX; 0 = 4. */
	explicit mesh_tracked_pairs(std::uint32_t capacity, std::uint32_t patch_max = 4) noexcept
		: patch_pool(capacity, patch_max, WP_MESH_PATCH_MAX, WP_MESH_POINT_MAX, WP_ERROR_TRACKED_PATCH_MAX)
	{
	}

	/* As of tracked_pairs. */
	wp_error reserve(std::uint32_t capacity) noexcept
	{
		return detail::reserve(*this, capacity, [&] { return mesh_tracked_pairs(capacity, patch_max_); });
	}

	/* The children of points of compounds, for compound_mesh_track; and the children of one pair: point p of patch k has
	 * element WP_MESH_POINT_MAX k + p. */
	std::uint32_t *children() noexcept { return more_; }
	span<const std::uint32_t> children(std::uint32_t index) const noexcept
	{
		const std::size_t first = index, count = made_[index].count;
		return {more_ + first * patch_max_ * WP_MESH_POINT_MAX, count * WP_MESH_POINT_MAX};
	}

	/* For a batch whose row r is pair r. */
	wp_mesh_tracked_pairs rows() noexcept { return patch_view<wp_mesh_tracked_pairs>(); }

	/* For a batch of these pairs, whose member is the index of the pair: no two may have the same (wp_tracked_pairs). */
	template <class Pairs, class In> wp_mesh_tracked_pairs rows(const Pairs &pairs, std::uint32_t In::*index) noexcept
	{
		return with_index(rows(), pairs, index);
	}

  private:
	template <class Pool, class Make> friend wp_error detail::reserve(Pool &, std::uint32_t, const Make &) noexcept;

	void copy(const mesh_tracked_pairs &from) noexcept
	{
		const std::uint32_t used = copy_patches(from);
		for (std::size_t i = 0; i < std::size_t(used) * patch_max_ * WP_MESH_POINT_MAX; i++)
			more_[i] = from.more_[i];
	}
};

/* The same of pairs of bodies with shapes or compounds, for compound_track. */
class compound_tracked_pairs
	: public detail::patch_pool<wp_compound_tracked_anchor, wp_compound_tracked_patch, wp_compound_patch>
{
  public:
	/* Room for `capacity` pairs, each with up to `patch_max` patches, 1 to WP_COMPOUND_TRACKED_MAX; 0 = 4. */
	explicit compound_tracked_pairs(std::uint32_t capacity, std::uint32_t patch_max = 4) noexcept
		: patch_pool(capacity, patch_max, WP_COMPOUND_TRACKED_MAX, 1, WP_ERROR_COMPOUND_TRACKED_MAX)
	{
	}

	/* As of tracked_pairs. */
	wp_error reserve(std::uint32_t capacity) noexcept
	{
		return detail::reserve(*this, capacity, [&] { return compound_tracked_pairs(capacity, patch_max_); });
	}

	/* For a batch whose row r is pair r. */
	wp_compound_tracked_pairs rows() noexcept
	{
		wp_compound_tracked_pairs all = patch_view<wp_compound_tracked_pairs>();
		all.room = more_;
		return all;
	}

	/* For a batch of these pairs, whose member is the index of the pair: no two may have the same (wp_tracked_pairs). */
	template <class Pairs, class In>
	wp_compound_tracked_pairs rows(const Pairs &pairs, std::uint32_t In::*index) noexcept
	{
		return with_index(rows(), pairs, index);
	}

  private:
	template <class Pool, class Make> friend wp_error detail::reserve(Pool &, std::uint32_t, const Make &) noexcept;

	void copy(const compound_tracked_pairs &from) noexcept { copy_patches(from); }
};

/* ---- queries ------------------------------------------------------------------------------------ */

namespace detail
{

/* Where the answers of a query go: of `results`, or of a wp_results, whose size is unknown and which has no other columns. */
class row_target
{
  public:
	template <class T>
	row_target(const results<T> &rows) noexcept
		: rows_(rows.get()), fractions_(rows.fractions()), triangles_(rows.triangles()),
		  children_(rows.columns_of_children()), count_(rows.size()), is_counted_(true)
	{
	}
	row_target(const wp_results &rows) noexcept : rows_(&rows) {}

	/* The call that `call` makes with the columns, unless they have too few elements. */
	template <class Batch, class Call> wp_error write(const Batch &batch, const Call &call) const noexcept
	{
		return !is_counted_ || detail::has_rows(batch, count_) ? call(rows_) : WP_ERROR_MEMORY_TOO_SMALL;
	}

	const wp_float_column *fractions() const noexcept { return fractions_; }
	const wp_uint32_column *triangles() const noexcept { return triangles_; }
	const wp_child_columns *children() const noexcept { return children_; }
	const wp_uint32_column *child() const noexcept { return children_ != nullptr ? &children_->a : nullptr; }

  private:
	const wp_results *rows_;
	const wp_float_column *fractions_ = nullptr;
	const wp_uint32_column *triangles_ = nullptr;
	const wp_child_columns *children_ = nullptr;
	std::size_t count_ = 0;
	bool is_counted_ = false;
};

/* The same of contacts with meshes: of `mesh_results`, or of a wp_mesh_results. */
class mesh_row_target
{
  public:
	template <class T>
	mesh_row_target(const mesh_results<T> &rows) noexcept
		: rows_(rows.get()), children_(rows.column_of_children()), count_(rows.size()), is_counted_(true)
	{
	}
	mesh_row_target(const wp_mesh_results &rows) noexcept : rows_(&rows) {}

	template <class Call> wp_error write(const wp_mesh_batch &batch, const Call &call) const noexcept
	{
		return !is_counted_ || detail::has_rows(batch, count_) ? call(rows_) : WP_ERROR_MEMORY_TOO_SMALL;
	}

	const wp_uint32_column *children() const noexcept { return children_; }

  private:
	const wp_mesh_results *rows_;
	const wp_uint32_column *children_ = nullptr;
	std::size_t count_ = 0;
	bool is_counted_ = false;
};

} // namespace detail

/* The queries of C; each returns the error of its call. Answers go to `results`, contacts with meshes to `mesh_results`. They
 * may also go to the struct of C, a wp_results or a wp_mesh_results: its size is not checked, and it has no place for fractions,
 * triangles, children and the patches of compounds, so these are not written. */

/* Options of contacts up to a separation, by the automatic method. Without it, {} makes contacts of shapes that touch. */
inline wp_contact_options up_to(float max_separation) noexcept
{
	wp_contact_options options = {};
	options.max_separation = max_separation;
	return options;
}

/* wp_overlap of the batch. */
inline wp_error overlap(workspace &workspace, const wp_batch &batch, const detail::row_target &results,
	wp_statistics *statistics = nullptr) noexcept
{
	return results.write(
		batch, [&](const wp_results *rows) { return wp_overlap(workspace.get(), &batch, rows, statistics); });
}

/* wp_distance of the batch. */
inline wp_error distance(workspace &workspace, const wp_batch &batch, const detail::row_target &results,
	wp_statistics *statistics = nullptr) noexcept
{
	return results.write(
		batch, [&](const wp_results *rows) { return wp_distance(workspace.get(), &batch, rows, statistics); });
}

/* wp_contact of the batch. */
inline wp_error contact(workspace &workspace, const wp_batch &batch, const wp_contact_options &options,
	const detail::row_target &results, wp_statistics *statistics = nullptr) noexcept
{
	return results.write(
		batch, [&](const wp_results *rows) { return wp_contact(workspace.get(), &batch, &options, rows, statistics); });
}

/* wp_contact_manifold of the batch. */
inline wp_error contact_manifold(workspace &workspace, const wp_batch &batch, const wp_contact_options &options,
	const detail::row_target &results, const wp_manifolds &manifolds, wp_statistics *statistics = nullptr) noexcept
{
	return results.write(batch, [&](const wp_results *rows) {
		return wp_contact_manifold(workspace.get(), &batch, &options, rows, &manifolds, statistics);
	});
}

/* wp_mesh_contact of the batch. */
inline wp_error mesh_contact(workspace &workspace, const wp_mesh_batch &batch, const wp_mesh_options &options,
	const detail::mesh_row_target &results, wp_mesh_statistics *statistics = nullptr) noexcept
{
	return results.write(batch, [&](const wp_mesh_results *rows) {
		return wp_mesh_contact(workspace.get(), &batch, &options, rows, statistics);
	});
}

/* wp_mesh_overlap of the batch. */
inline wp_error mesh_overlap(workspace &workspace, const wp_mesh_batch &batch, const detail::row_target &results,
	wp_mesh_statistics *statistics = nullptr) noexcept
{
	return results.write(batch, [&](const wp_results *rows) {
		return wp_mesh_overlap(workspace.get(), &batch, rows, results.triangles(), statistics);
	});
}

/* wp_mesh_distance of the batch; {} finds all distances. */
inline wp_error mesh_distance(workspace &workspace, const wp_mesh_batch &batch, const wp_mesh_distance_options &options,
	const detail::row_target &results, wp_mesh_statistics *statistics = nullptr) noexcept
{
	return results.write(batch, [&](const wp_results *rows) {
		return wp_mesh_distance(workspace.get(), &batch, &options, rows, results.triangles(), statistics);
	});
}

/* wp_mesh_cast of the batch, with motions of the bodies and of the meshes; {} of what stands still. */
inline wp_error mesh_cast(workspace &workspace, const wp_mesh_batch &batch, const wp_motions &motions_a,
	const wp_motions &motions_b, const detail::row_target &results, wp_mesh_statistics *statistics = nullptr) noexcept
{
	return results.write(batch, [&](const wp_results *rows) {
		return wp_mesh_cast(workspace.get(), &batch, &motions_a, &motions_b, rows, results.fractions(),
			results.triangles(), statistics);
	});
}

/* wp_compound_overlap of the batch. */
inline wp_error compound_overlap(workspace &workspace, const wp_compound_batch &batch,
	const detail::row_target &results, wp_compound_statistics *statistics = nullptr) noexcept
{
	return results.write(batch, [&](const wp_results *rows) {
		return wp_compound_overlap(workspace.get(), &batch, rows, results.children(), statistics);
	});
}

/* wp_compound_distance of the batch; {} finds all distances. */
inline wp_error compound_distance(workspace &workspace, const wp_compound_batch &batch,
	const wp_compound_distance_options &options, const detail::row_target &results,
	wp_compound_statistics *statistics = nullptr) noexcept
{
	return results.write(batch, [&](const wp_results *rows) {
		return wp_compound_distance(workspace.get(), &batch, &options, rows, results.children(), statistics);
	});
}

/* wp_compound_contact of the batch: the deepest one. */
inline wp_error compound_contact(workspace &workspace, const wp_compound_batch &batch,
	const wp_contact_options &options, const detail::row_target &results,
	wp_compound_statistics *statistics = nullptr) noexcept
{
	return results.write(batch, [&](const wp_results *rows) {
		return wp_compound_contact(workspace.get(), &batch, &options, rows, results.children(), statistics);
	});
}

/* wp_compound_contact_manifold of the batch; the results name patches, so a wp_results is not enough. */
template <class T>
wp_error compound_contact_manifold(workspace &workspace, const wp_compound_batch &batch,
	const wp_contact_options &options, const results<T> &results, wp_compound_statistics *statistics = nullptr) noexcept
{
	return results.holds(batch) ? wp_compound_contact_manifold(workspace.get(), &batch, &options, results.get(),
									  results.columns_of_patches(), statistics)
	                            : WP_ERROR_MEMORY_TOO_SMALL;
}

/* wp_compound_cast of the batch, with motions of the bodies; {} of what stands still. */
inline wp_error compound_cast(workspace &workspace, const wp_compound_batch &batch, const wp_motions &motions_a,
	const wp_motions &motions_b, const detail::row_target &results,
	wp_compound_statistics *statistics = nullptr) noexcept
{
	return results.write(batch, [&](const wp_results *rows) {
		return wp_compound_cast(
			workspace.get(), &batch, &motions_a, &motions_b, rows, results.fractions(), results.children(), statistics);
	});
}

/* wp_compound_mesh_contact of a batch of meshes, whose bodies of A have an index into the table, or WP_COMPOUND + an index into
 * `compounds`. */
inline wp_error compound_mesh_contact(workspace &workspace, const wp_mesh_batch &batch,
	span<const wp_compound *const> compounds, const wp_mesh_options &options, const detail::mesh_row_target &results,
	wp_mesh_statistics *statistics = nullptr) noexcept
{
	return results.write(batch, [&](const wp_mesh_results *rows) {
		return wp_compound_mesh_contact(workspace.get(), &batch, compounds.data(), compounds.size(), &options, rows,
			results.children(), statistics);
	});
}

/* wp_compound_mesh_overlap of such a batch. */
inline wp_error compound_mesh_overlap(workspace &workspace, const wp_mesh_batch &batch,
	span<const wp_compound *const> compounds, const detail::row_target &results,
	wp_mesh_statistics *statistics = nullptr) noexcept
{
	return results.write(batch, [&](const wp_results *rows) {
		return wp_compound_mesh_overlap(workspace.get(), &batch, compounds.data(), compounds.size(), rows,
			results.child(), results.triangles(), statistics);
	});
}

/* wp_compound_mesh_distance of such a batch; {} finds all distances. */
inline wp_error compound_mesh_distance(workspace &workspace, const wp_mesh_batch &batch,
	span<const wp_compound *const> compounds, const wp_mesh_distance_options &options,
	const detail::row_target &results, wp_mesh_statistics *statistics = nullptr) noexcept
{
	return results.write(batch, [&](const wp_results *rows) {
		return wp_compound_mesh_distance(workspace.get(), &batch, compounds.data(), compounds.size(), &options, rows,
			results.child(), results.triangles(), statistics);
	});
}

/* wp_compound_mesh_cast of such a batch, with motions of the bodies and of the meshes; {} of what stands still. */
inline wp_error compound_mesh_cast(workspace &workspace, const wp_mesh_batch &batch,
	span<const wp_compound *const> compounds, const wp_motions &motions_a, const wp_motions &motions_b,
	const detail::row_target &results, wp_mesh_statistics *statistics = nullptr) noexcept
{
	return results.write(batch, [&](const wp_results *rows) {
		return wp_compound_mesh_cast(workspace.get(), &batch, compounds.data(), compounds.size(), &motions_a,
			&motions_b, rows, results.fractions(), results.child(), results.triangles(), statistics);
	});
}

/* wp_track of the batch; `tracked` is as tracked_pairs::rows gives it. */
inline wp_error track(workspace &workspace, const wp_batch &batch, const wp_track_options &options,
	const wp_tracked_pairs &tracked, const detail::row_target &results, wp_track_changes *changes = nullptr,
	wp_statistics *statistics = nullptr) noexcept
{
	return results.write(batch, [&](const wp_results *rows) {
		return wp_track(workspace.get(), &batch, &options, &tracked, rows, changes, statistics);
	});
}

/* The same without results: what a solver needs is in the tracked pairs. */
inline wp_error track(workspace &workspace, const wp_batch &batch, const wp_track_options &options,
	const wp_tracked_pairs &tracked, wp_track_changes *changes = nullptr) noexcept
{
	const wp_results none = {};
	return wp_track(workspace.get(), &batch, &options, &tracked, &none, changes, nullptr);
}

/* wp_mesh_track of the batch; `tracked` is as mesh_tracked_pairs::rows gives it. */
inline wp_error mesh_track(workspace &workspace, const wp_mesh_batch &batch, const wp_mesh_track_options &options,
	const wp_mesh_tracked_pairs &tracked, const detail::mesh_row_target &results, wp_track_changes *changes = nullptr,
	wp_mesh_statistics *statistics = nullptr) noexcept
{
	return results.write(batch, [&](const wp_mesh_results *rows) {
		return wp_mesh_track(workspace.get(), &batch, &options, &tracked, rows, changes, statistics);
	});
}

/* The same without results: what a solver needs is in the tracked pairs. */
inline wp_error mesh_track(workspace &workspace, const wp_mesh_batch &batch, const wp_mesh_track_options &options,
	const wp_mesh_tracked_pairs &tracked, wp_track_changes *changes = nullptr) noexcept
{
	const wp_mesh_results none = {};
	return wp_mesh_track(workspace.get(), &batch, &options, &tracked, &none, changes, nullptr);
}

/* wp_compound_mesh_track of the batch, whose bodies are as in compound_mesh_contact; `tracked` and `tracked_children` are as
 * rows and children of mesh_tracked_pairs give them. */
inline wp_error compound_mesh_track(workspace &workspace, const wp_mesh_batch &batch,
	span<const wp_compound *const> compounds, const wp_mesh_track_options &options,
	const wp_mesh_tracked_pairs &tracked, std::uint32_t *tracked_children, const detail::mesh_row_target &results,
	wp_track_changes *changes = nullptr, wp_mesh_statistics *statistics = nullptr) noexcept
{
	return results.write(batch, [&](const wp_mesh_results *rows) {
		return wp_compound_mesh_track(workspace.get(), &batch, compounds.data(), compounds.size(), &options, &tracked,
			tracked_children, rows, results.children(), changes, statistics);
	});
}

/* The same without results: what a solver needs is in the tracked pairs. */
inline wp_error compound_mesh_track(workspace &workspace, const wp_mesh_batch &batch,
	span<const wp_compound *const> compounds, const wp_mesh_track_options &options,
	const wp_mesh_tracked_pairs &tracked, std::uint32_t *tracked_children, wp_track_changes *changes = nullptr) noexcept
{
	const wp_mesh_results none = {};
	return wp_compound_mesh_track(workspace.get(), &batch, compounds.data(), compounds.size(), &options, &tracked,
		tracked_children, &none, nullptr, changes, nullptr);
}

/* wp_compound_track of the batch; `tracked` is as compound_tracked_pairs::rows gives it. */
template <class T>
wp_error compound_track(workspace &workspace, const wp_compound_batch &batch, const wp_compound_track_options &options,
	const wp_compound_tracked_pairs &tracked, const results<T> &results, wp_track_changes *changes = nullptr,
	wp_compound_statistics *statistics = nullptr) noexcept
{
	return results.holds(batch) ? wp_compound_track(workspace.get(), &batch, &options, &tracked, results.get(),
									  results.columns_of_patches(), changes, statistics)
	                            : WP_ERROR_MEMORY_TOO_SMALL;
}

/* The same without results: what a solver needs is in the tracked pairs. */
inline wp_error compound_track(workspace &workspace, const wp_compound_batch &batch,
	const wp_compound_track_options &options, const wp_compound_tracked_pairs &tracked,
	wp_track_changes *changes = nullptr) noexcept
{
	const wp_results none = {};
	return wp_compound_track(workspace.get(), &batch, &options, &tracked, &none, nullptr, changes, nullptr);
}

/* wp_cast of the batch; B's bodies are A's. */
inline wp_error cast(workspace &workspace, const wp_batch &batch, const wp_motions &motions,
	const detail::row_target &results, wp_statistics *statistics = nullptr) noexcept
{
	return results.write(batch, [&](const wp_results *rows) {
		return wp_cast(workspace.get(), &batch, &motions, nullptr, rows, results.fractions(), statistics);
	});
}

/* wp_cast with bodies of their own for B, which batch.b has. */
inline wp_error cast(workspace &workspace, const wp_batch &batch, const wp_motions &motions_a,
	const wp_motions &motions_b, const detail::row_target &results, wp_statistics *statistics = nullptr) noexcept
{
	return results.write(batch, [&](const wp_results *rows) {
		return wp_cast(workspace.get(), &batch, &motions_a, &motions_b, rows, results.fractions(), statistics);
	});
}

/* wp_depth_along of the batch. `direction`: one vector of three floats for each row. */
template <class Directions>
wp_error depth_along(workspace &workspace, const wp_batch &batch, const Directions &direction,
	const detail::row_target &results, wp_statistics *statistics = nullptr) noexcept
{
	const span elements(direction);
	using vector = detail::element_of<const Directions>;
	static_assert(detail::is_vector<vector, float, 3>, "directions of three floats");
	if (batch.first > elements.size() || batch.count > elements.size() - batch.first)
		return WP_ERROR_MEMORY_TOO_SMALL;
	return results.write(batch, [&](const wp_results *rows) {
		const wp_const_float_column ways = {reinterpret_cast<const float *>(elements.data()), sizeof(vector)};
		return wp_depth_along(workspace.get(), &batch, &ways, rows, statistics);
	});
}

/* One pair, by wp_overlap_pair. */
inline wp_error overlap(workspace &workspace, const wp_shape &a, const wp_pose &pose_a, const wp_shape &b,
	const wp_pose &pose_b, wp_row &row) noexcept
{
	return wp_overlap_pair(workspace.get(), &a, &pose_a, &b, &pose_b, &row);
}

/* One pair, by wp_distance_pair. */
inline wp_error distance(workspace &workspace, const wp_shape &a, const wp_pose &pose_a, const wp_shape &b,
	const wp_pose &pose_b, wp_row &row) noexcept
{
	return wp_distance_pair(workspace.get(), &a, &pose_a, &b, &pose_b, &row);
}

/* One pair, by wp_contact_pair. */
inline wp_error contact(workspace &workspace, const wp_shape &a, const wp_pose &pose_a, const wp_shape &b,
	const wp_pose &pose_b, const wp_contact_options &options, wp_row &row) noexcept
{
	return wp_contact_pair(workspace.get(), &a, &pose_a, &b, &pose_b, &options, &row);
}

/* One pair of shapes of a table, by wp_overlap_prepared; `cache` may be nullptr. */
inline wp_error overlap(workspace &workspace, const wp_pair &pair, wp_cache *cache, wp_row &row) noexcept
{
	return wp_overlap_prepared(workspace.get(), &pair, cache, &row);
}

/* One pair of shapes of a table, by wp_distance_prepared; `cache` may be nullptr. */
inline wp_error distance(workspace &workspace, const wp_pair &pair, wp_cache *cache, wp_row &row) noexcept
{
	return wp_distance_prepared(workspace.get(), &pair, cache, &row);
}

/* One pair of shapes of a table, by wp_contact_prepared; `cache` may be nullptr. */
inline wp_error contact(
	workspace &workspace, const wp_pair &pair, const wp_contact_options &options, wp_cache *cache, wp_row &row) noexcept
{
	return wp_contact_prepared(workspace.get(), &pair, &options, cache, &row);
}

} // namespace wp

#endif
#endif
