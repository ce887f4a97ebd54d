/* The pairs of a query: found by boxes, filtered, answered by batches, written into DART's results. */
#ifndef WP_ENGINES_DART_BATCH_HPP
#define WP_ENGINES_DART_BATCH_HPP

#include "group.hpp"
#include "shapes.hpp"

#include <widephase/dart.hpp>

#include <vector>

namespace wp::in_dart
{

/* Pairs of a mesh with a convex shape: by whether the mesh is two-sided, and whether it is the first object. */
struct mesh_rows {
	std::vector<pair> rows; /* the convex shape, the mesh */
	bool is_two_sided, is_mesh_first;
};

/* Both sides of a query. */
struct sides {
	shape_group &a, &b;
	bool is_one() const { return &a == &b; }
};

/* The nearest or deepest points of two objects in the world. */
struct witnesses {
	double a[3], b[3];
};

/* What a result has. */
struct result_size {
	std::size_t contacts = 0, frames = 0, bodies = 0;
};

} // namespace wp::in_dart

namespace wp::detail
{

/* Pairs are answered in parts, so that a query that wants few contacts ends early. */
class dart_batch
{
  public:
	explicit dart_batch(const dart_options &options);

	bool collide(const in_dart::sides &of, const dart::collision::CollisionOption &option,
		dart::collision::CollisionResult *result);
	double distance(const in_dart::sides &of, const dart::collision::DistanceOption &option,
		dart::collision::DistanceResult *result);
	bool raycast(in_dart::shape_group &group, const Eigen::Vector3d &from, const Eigen::Vector3d &to,
		const dart::collision::RaycastOption &option, dart::collision::RaycastResult *result);

	in_dart::shape_book book;

  private:
	/* Where contacts go, and when there are enough. */
	struct sink {
		const in_dart::sides &of;
		const dart::collision::CollisionOption &option;
		dart::collision::CollisionResult *result;
		bool found = false;
		bool is_full() const;
	};
	struct least_distance;
	struct ray;

	void find_pairs(const in_dart::sides &of, const dart::collision::CollisionFilter *filter);
	void find_pairs_of_one(in_dart::shape_group &of, const dart::collision::CollisionFilter *filter);
	void find_pairs_of_two(const in_dart::sides &of, const dart::collision::CollisionFilter *filter);
	void take(
		const in_dart::sides &of, const dart::collision::CollisionFilter *filter, std::uint32_t a, std::uint32_t b);
	void sort_pair(const in_dart::sides &of, std::uint32_t a, std::uint32_t b);
	void take_plane(const in_dart::sides &of, const dart::collision::CollisionFilter *filter, std::uint32_t plane,
		bool is_plane_first);
	wp_batch batch_of(
		const in_dart::sides &of, const std::vector<in_dart::pair> &pairs, std::size_t first, std::size_t count) const;
	void answer_overlaps(sink &to, std::size_t first, std::size_t count);
	void answer_contacts(sink &to, std::size_t first, std::size_t count);
	Eigen::Vector3d touch_of(const in_dart::sides &of, std::size_t row);
	void write_points(sink &to, const in_dart::pair &at, dart::collision::Contact &contact,
		const wp_manifold_point *first, std::uint32_t count);
	void answer_meshes(sink &to, const in_dart::mesh_rows &of, std::size_t first, std::size_t count);
	void write_patches(sink &to, const in_dart::mesh_rows &of, std::size_t row, std::size_t at);
	void name_pair(sink &to, std::uint32_t a, std::uint32_t b);
	void touch(sink &to, std::uint32_t a, std::uint32_t b);
	void measure(least_distance &to);
	void measure_all(least_distance &to);
	void cast(in_dart::shape_group &group, const Eigen::Vector3d &from, const Eigen::Vector3d &way,
		std::vector<dart::collision::RayHit> &hits);
	void cast_mesh(
		in_dart::shape_group &group, std::uint32_t index, const ray &by, std::vector<dart::collision::RayHit> &hits);

	workspace memory;
	std::vector<in_dart::pair> pairs;
	std::vector<in_dart::pair> found; /* of two groups, whose boxes meet */
	in_dart::mesh_rows meshes[4];
	std::vector<char> is_touched[2]; /* objects that the result has already, by side */
	in_dart::result_size last_size;  /* of the last query with a result */
	/* Answers of a part. */
	std::vector<float> normals, fractions;
	std::vector<std::uint8_t> overlaps;
	std::vector<std::uint32_t> counts, statuses;
	std::vector<wp_manifold_point> points;
	std::vector<wp_mesh_patch> patches;
	std::vector<wp_row> rows;
	std::vector<in_dart::witnesses> nearest;
};

} // namespace wp::detail

#endif
