/* Collisions: pairs found by boxes, filtered, answered by batches, written into DART's results. */
#include "batch.hpp"

#include "must.hpp"

#include <dart/collision/CollisionFilter.hpp>

#include <algorithm>

namespace wp::detail
{

using dart::collision::CollisionFilter;
using dart::collision::CollisionOption;
using dart::collision::CollisionResult;
using dart::collision::Contact;
using in_dart::body;
using in_dart::body_rules;
using in_dart::made_shape;
using in_dart::mesh_rows;
using in_dart::must;
using in_dart::pair;
using in_dart::result_size;
using in_dart::shape_group;
using in_dart::sides;

namespace
{

/* Rows of a part, and points of a row: enough for a face upon a face. */
constexpr std::size_t part_max = 512;
constexpr std::uint32_t point_max = 4;

/* Rows of a part where one contact is enough. */
constexpr std::size_t part_of_few = 64;

/* Patches of a row with a mesh. */
constexpr std::uint32_t patch_max = 4;

/* The parts of a result that its addContact fills, of which the sets of bodies and frames are filled once for each object
 * here. */
class open_result : public CollisionResult
{
  public:
	static std::vector<Contact> &contacts_of(CollisionResult &result) { return result.*(&open_result::mContacts); }
	static void add_object(CollisionResult &result, const shape_group &of, std::uint32_t index)
	{
		(result.*(&open_result::mCollidingShapeFrames)).insert(of.object(index).getShapeFrame());
		if (const auto *body = of.rules().body(index))
			(result.*(&open_result::mCollidingBodyNodes)).insert(body);
	}
	/* Room for as many as the last result had. */
	static void reserve(CollisionResult &result, const result_size &size)
	{
		(result.*(&open_result::mContacts)).reserve(size.contacts);
		widen(result.*(&open_result::mCollidingShapeFrames), size.frames);
		widen(result.*(&open_result::mCollidingBodyNodes), size.bodies);
	}
	static result_size size_of(const CollisionResult &result)
	{
		return {
			result.getNumContacts(), result.getCollidingShapeFrames().size(), result.getCollidingBodyNodes().size()};
	}

  private:
	template <typename Set> static void widen(Set &set, std::size_t count)
	{
		if (set.bucket_count() < count)
			set.reserve(count);
	}
};

/* A plane, of which the body has the normal along Y. */
struct plane_in_world {
	explicit plane_in_world(const body &of)
		: normal(Eigen::Quaternionf(of.rotation).cast<double>() * Eigen::Vector3d::UnitY()), at(of.position)
	{
	}
	/* Whether a box reaches below it. */
	bool meets(const in_dart::box &box) const
	{
		const Eigen::Vector3d half = 0.5 * (box.upper - box.lower), from = 0.5 * (box.lower + box.upper) - at;
		/* The rotation is rounded to float: a share of the distance along the plane is in doubt. */
		const double doubt = 1e-6 * (from.cwiseAbs().sum() + half.sum());
		return !(normal.dot(from) - normal.cwiseAbs().dot(half) > doubt);
	}

	Eigen::Vector3d normal, at;
};

Eigen::Vector3d vector_of(const float from[3]) { return Eigen::Vector3d(from[0], from[1], from[2]); }

/* Points halfway between both surfaces, from those in the frame of one body: the library's world points are floats, too coarse
 * far from the origin, and so are points in the frames of planes and meshes, far from the origins of these. */
struct halfway {
	halfway(const body &of, const Eigen::Vector3d &to_other)
		: turn(Eigen::Quaternionf(of.rotation).cast<double>().toRotationMatrix()), at(of.position), way(to_other)
	{
	}
	Eigen::Vector3d point(const float local[3], float separation) const
	{
		return at + turn * vector_of(local) + 0.5 * double(separation) * way;
	}

	Eigen::Matrix3d turn;
	Eigen::Vector3d at, way;
};

wp_bodies view_of(const shape_group &of)
{
	wp_bodies view = {};
	const std::vector<body> &bodies = of.bodies();
	view.position = {bodies[0].position, sizeof(body)};
	view.rotation = {bodies[0].rotation, sizeof(body)};
	view.shape = {&bodies[0].shape, sizeof(body)};
	view.count = bodies.size();
	view.position_real = WP_REAL_DOUBLE;
	return view;
}

} // namespace

dart_batch::dart_batch(const dart_options &options) : memory(options.variant)
{
	must(memory.error());
	for (int kind = 0; kind < 4; kind++) {
		meshes[kind].is_two_sided = (kind & 1) != 0;
		meshes[kind].is_mesh_first = (kind & 2) != 0;
	}
}

bool dart_batch::sink::is_full() const
{
	if (!result)
		return found;
	return result->getNumContacts() >= option.maxNumContacts;
}

/* Ask the filter of a pair. */
void dart_batch::take(const sides &of, const CollisionFilter *filter, std::uint32_t a, std::uint32_t b)
{
	if (of.is_one() && a > b)
		std::swap(a, b);
	const auto &object_a = of.a.object(a), &object_b = of.b.object(b);
	if (object_a.getShapeFrame() == object_b.getShapeFrame() ||
		(filter && filter->ignoresCollision(&object_a, &object_b)))
		return;
	sort_pair(of, a, b);
}

/* Put a pair where it is answered. */
void dart_batch::sort_pair(const sides &of, std::uint32_t a, std::uint32_t b)
{
	if (!of.a.has_meshes() && !of.b.has_meshes()) {
		pairs.push_back({a, b});
		return;
	}
	const made_shape &shape_a = of.a.shape(a), &shape_b = of.b.shape(b);
	const bool has_plane = shape_a.bounds == in_dart::extent::unbounded || shape_b.bounds == in_dart::extent::unbounded;
	if (has_plane || (!shape_a.mesh && !shape_b.mesh)) {
		pairs.push_back({a, b});
		return;
	}
	if ((shape_a.mesh && shape_b.mesh) || shape_a.spheres || shape_b.spheres) {
		book.warn_once(
			"two meshes that are not convex, or such a mesh and spheres of several radii, have no contacts.");
		return;
	}
	const made_shape &mesh = shape_a.mesh ? shape_a : shape_b;
	mesh_rows &to = meshes[(mesh.is_two_sided ? 1 : 0) + (shape_a.mesh ? 2 : 0)];
	to.rows.push_back(shape_a.mesh ? pair{b, a} : pair{a, b});
}

void dart_batch::take_plane(const sides &of, const CollisionFilter *filter, std::uint32_t plane, bool is_plane_first)
{
	const shape_group &planes = is_plane_first ? of.a : of.b, &others = is_plane_first ? of.b : of.a;
	const plane_in_world at(planes.bodies()[plane]);
	for (const std::uint32_t other : others.bounded()) {
		if (!at.meets(others.box_of(other)))
			continue;
		if (is_plane_first)
			take(of, filter, plane, other);
		else
			take(of, filter, other, plane);
	}
}

/* Pairs are kept from query to query; which of them meet, and what the filter ignores, is asked anew. */
void dart_batch::find_pairs_of_one(shape_group &of, const CollisionFilter *filter)
{
	const sides both = {of, of};
	const auto *const exact = body_rules::exact(filter);
	of.move_tree();
	for (const pair &near : of.near_pairs(exact != nullptr)) {
		if (!boxes_meet(of.box_of(near.a), of.box_of(near.b)))
			continue;
		if (!exact || of.rules().of(near.a, near.b) == body_rules::answer::open)
			take(both, filter, near.a, near.b);
		else if (!of.rules().is_listed(*exact, near.a, near.b))
			sort_pair(both, near.a, near.b);
	}
}

void dart_batch::find_pairs_of_two(const sides &of, const CollisionFilter *filter)
{
	of.a.move_tree();
	of.b.move_tree();
	if (!of.a.boxes_tree() || !of.b.boxes_tree())
		return;
	/* FCL calls a plain function with a pointer. */
	struct context {
		const sides &of;
		std::vector<pair> &found;
	} data = {of, found};
	const auto visit = [](fcl::CollisionObject<double> *first, fcl::CollisionObject<double> *second, void *passed) {
		const context &to = *static_cast<context *>(passed);
		const std::uint32_t a = shape_group::index_of(*first), b = shape_group::index_of(*second);
		if (boxes_meet(to.of.a.box_of(a), to.of.b.box_of(b)))
			to.found.push_back({a, b});
		return false;
	};
	found.clear();
	of.a.boxes_tree()->collide(of.b.boxes_tree(), &data, visit);
	/* The order of FCL's trees tells how their objects moved. */
	std::sort(found.begin(), found.end());
	for (const pair &each : found)
		take(of, filter, each.a, each.b);
}

void dart_batch::find_pairs(const sides &of, const CollisionFilter *filter)
{
	pairs.clear();
	for (mesh_rows &kind : meshes)
		kind.rows.clear();
	for (const std::uint32_t plane : of.a.planes())
		take_plane(of, filter, plane, true);
	if (of.is_one()) {
		find_pairs_of_one(of.a, filter);
		return;
	}
	for (const std::uint32_t plane : of.b.planes())
		take_plane(of, filter, plane, false);
	find_pairs_of_two(of, filter);
}

wp_batch dart_batch::batch_of(
	const sides &of, const std::vector<pair> &from, std::size_t first, std::size_t count) const
{
	wp_batch batch = {};
	batch.shapes = book.table();
	batch.a = view_of(of.a);
	if (!of.is_one())
		batch.b = view_of(of.b);
	batch.pair_a = {&from[first].a, sizeof(pair)};
	batch.pair_b = {&from[first].b, sizeof(pair)};
	batch.count = count;
	return batch;
}

/* The sets of the result have each object once, however many contacts it has. */
void dart_batch::touch(sink &to, std::uint32_t a, std::uint32_t b)
{
	const bool is_one = to.of.is_one();
	if (!std::exchange(is_touched[0][a], char(1)))
		open_result::add_object(*to.result, to.of.a, a);
	if (!std::exchange(is_touched[is_one ? 0 : 1][b], char(1)))
		open_result::add_object(*to.result, to.of.b, b);
}

void dart_batch::name_pair(sink &to, std::uint32_t a, std::uint32_t b)
{
	to.found = true;
	if (!to.result || to.is_full())
		return;
	Contact contact;
	contact.collisionObject1 = &to.of.a.object(a);
	contact.collisionObject2 = &to.of.b.object(b);
	open_result::contacts_of(*to.result).push_back(contact);
	touch(to, a, b);
}

void dart_batch::answer_overlaps(sink &to, std::size_t first, std::size_t count)
{
	const wp_batch batch = batch_of(to.of, pairs, first, count);
	overlaps.resize(part_max);
	wp_results results = {};
	results.overlap = {overlaps.data(), 0};
	must(wp_overlap(memory.get(), &batch, &results, nullptr));
	for (std::size_t row = 0; row < count && !to.is_full(); row++) {
		if (overlaps[row])
			name_pair(to, pairs[first + row].a, pairs[first + row].b);
	}
}

/* Halfway between two objects of which rounding decides whether they touch: they overlap, so they have a contact, of depth 0. */
Eigen::Vector3d dart_batch::touch_of(const sides &of, std::size_t row)
{
	const wp_batch batch = batch_of(of, pairs, row, 1);
	in_dart::witnesses at = {};
	wp_results results = {};
	results.point_a = {at.a, 0};
	results.point_b = {at.b, 0};
	results.point_real = WP_REAL_DOUBLE;
	must(wp_contact(memory.get(), &batch, nullptr, &results, nullptr));
	return 0.5 * (Eigen::Vector3d(at.a) + Eigen::Vector3d(at.b));
}

/* The points of a pair, as far as the result has room. */
void dart_batch::write_points(
	sink &to, const pair &at, Contact &contact, const wp_manifold_point *first, std::uint32_t count)
{
	if (count == 0)
		return;
	const bool is_on_b = vector_of(first->local_b).squaredNorm() < vector_of(first->local_a).squaredNorm();
	const halfway from = is_on_b ? halfway(to.of.b.bodies()[at.b], contact.normal)
	                             : halfway(to.of.a.bodies()[at.a], -contact.normal);
	for (std::uint32_t index = 0; index < count && !to.is_full(); index++) {
		const wp_manifold_point &point = first[index];
		contact.point = from.point(is_on_b ? point.local_b : point.local_a, point.separation);
		contact.penetrationDepth = -double(point.separation);
		open_result::contacts_of(*to.result).push_back(contact);
	}
}

void dart_batch::answer_contacts(sink &to, std::size_t first, std::size_t count)
{
	const wp_batch batch = batch_of(to.of, pairs, first, count);
	normals.resize(3 * part_max);
	counts.resize(part_max);
	points.resize(point_max * part_max);
	statuses.resize(part_max);
	wp_results results = {};
	results.normal = {normals.data(), 0};
	results.status = {statuses.data(), 0};
	const wp_manifolds manifolds = {{counts.data(), 0}, {points.data(), 0}, point_max, {}};
	must(wp_contact_manifold(memory.get(), &batch, nullptr, &results, &manifolds, nullptr));
	for (std::size_t row = 0; row < count; row++) {
		if (counts[row] == 0 && (statuses[row] & WP_STATUS_TOUCHING) == 0)
			continue;
		const pair at = pairs[first + row];
		Contact contact;
		contact.collisionObject1 = &to.of.a.object(at.a);
		contact.collisionObject2 = &to.of.b.object(at.b);
		contact.normal = -vector_of(&normals[3 * row]);
		if (counts[row] == 0) {
			contact.point = touch_of(to.of, first + row);
			open_result::contacts_of(*to.result).push_back(contact);
		}
		write_points(to, at, contact, &points[point_max * row], counts[row]);
		touch(to, at.a, at.b);
		if (to.is_full())
			return;
	}
}

void dart_batch::write_patches(sink &to, const mesh_rows &of, std::size_t row, std::size_t at)
{
	const pair objects = of.rows[row];
	const std::uint32_t a = of.is_mesh_first ? objects.b : objects.a, b = of.is_mesh_first ? objects.a : objects.b;
	if (counts[at] == 0)
		return;
	if (!to.result || !to.option.enableContact) {
		name_pair(to, a, b);
		return;
	}
	const made_shape &mesh = of.is_mesh_first ? to.of.a.shape(a) : to.of.b.shape(b);
	const body &convex = of.is_mesh_first ? to.of.b.bodies()[b] : to.of.a.bodies()[a];
	for (std::uint32_t number = 0; number < counts[at]; number++) {
		const wp_mesh_patch &patch = patches[patch_max * at + number];
		Contact contact;
		contact.collisionObject1 = &to.of.a.object(a);
		contact.collisionObject2 = &to.of.b.object(b);
		contact.normal = (of.is_mesh_first ? 1.0 : -1.0) * vector_of(patch.normal);
		const halfway from(convex, vector_of(patch.normal));
		for (std::uint32_t index = 0; index < patch.point_count && !to.is_full(); index++) {
			const wp_mesh_point &point = patch.points[index];
			contact.point = from.point(point.local_a, point.separation);
			contact.penetrationDepth = -double(point.separation);
			(of.is_mesh_first ? contact.triID1 : contact.triID2) = static_cast<int>(
				wp_mesh_source(mesh.mesh->get(), point.triangle));
			open_result::contacts_of(*to.result).push_back(contact);
			touch(to, a, b);
		}
	}
}

void dart_batch::answer_meshes(sink &to, const mesh_rows &of, std::size_t first, std::size_t count)
{
	wp_mesh_batch batch = {};
	batch.shapes = book.table();
	batch.meshes = book.meshes().data();
	batch.mesh_count = book.meshes().size();
	batch.a = view_of(of.is_mesh_first ? to.of.b : to.of.a);
	batch.b = view_of(of.is_mesh_first ? to.of.a : to.of.b);
	batch.pair_a = {&of.rows[first].a, sizeof(pair)};
	batch.pair_b = {&of.rows[first].b, sizeof(pair)};
	batch.count = count;
	counts.resize(part_max);
	patches.resize(patch_max * part_max);
	wp_mesh_options options = {};
	options.flags = of.is_two_sided ? static_cast<std::uint32_t>(WP_MESH_TWO_SIDED) : 0u;
	wp_mesh_results results = {};
	results.patch_count = {counts.data(), 0};
	results.patches = {patches.data(), 0};
	results.patch_max = patch_max;
	must(wp_mesh_contact(memory.get(), &batch, &options, &results, nullptr));
	for (std::size_t row = 0; row < count && !to.is_full(); row++)
		write_patches(to, of, first + row, row);
}

bool dart_batch::collide(const sides &of, const CollisionOption &option, CollisionResult *result)
{
	of.a.read();
	if (!of.is_one())
		of.b.read();
	find_pairs(of, option.collisionFilter.get());
	is_touched[0].assign(of.a.size(), 0);
	is_touched[1].assign(of.b.size(), 0);
	sink to = {of, option, result};
	if (result) {
		open_result::reserve(
			*result, {std::min(last_size.contacts, option.maxNumContacts), last_size.frames, last_size.bodies});
	}
	const bool wants_points = result && option.enableContact;
	const std::size_t part = !result || option.maxNumContacts <= part_of_few ? part_of_few : part_max;
	for (std::size_t first = 0; first < pairs.size() && !to.is_full(); first += part) {
		const std::size_t count = std::min(part, pairs.size() - first);
		if (wants_points)
			answer_contacts(to, first, count);
		else
			answer_overlaps(to, first, count);
	}
	for (const mesh_rows &kind : meshes) {
		for (std::size_t first = 0; first < kind.rows.size() && !to.is_full(); first += part)
			answer_meshes(to, kind, first, std::min(part, kind.rows.size() - first));
	}
	if (!result)
		return to.found;
	last_size = open_result::size_of(*result);
	return result->isCollision();
}

} // namespace wp::detail
