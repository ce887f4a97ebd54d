/* A program of the last release on today's library: every kind of call that takes or fills a struct, told exactly. What
 * the library writes has a guard behind it, since the program knows no later member. With HAVE_COOK also hulls of points. */
#include "../last_release.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static int failures;

#define EXPECT(condition) ((condition) ? (void)0 : fail(__LINE__, #condition))

static void fail(int line, const char *condition)
{
	printf("line %d: not %s\n", line, condition);
	failures++;
}

/* A struct that the library writes, and what it must not write. */
#define GUARDED(type)            \
	struct {                     \
		type value;              \
		unsigned char guard[64]; \
	}
#define IS_WHOLE(guarded) is_untouched((guarded).guard, sizeof(guarded).guard)

static bool is_untouched(const unsigned char *bytes, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (bytes[i] != 0)
			return false;
	return true;
}

/* ---- a box, a ball beside it and one that stands 0.5 into it ---------------------------------------- */

static _Alignas(WP_ALIGNMENT) unsigned char workspace_memory[WP_WORKSPACE_SIZE], table_memory[1 << 14],
	hull_memory[4096];
static wp_workspace *workspace;
static const wp_shape_table *table;

static const wp_pose poses[3] = {{{0, 0, 0}, {0, 0, 0, 1}}, {{3, 0, 0}, {0, 0, 0, 1}}, {{1.5f, 0, 0}, {0, 0, 0, 1}}};
static const uint32_t pairs[2][2] = {{0, 1}, {0, 2}};

static void support_of_point(const void *context, const double direction[3], double point[3])
{
	(void)direction;
	memcpy(point, context, 3 * sizeof *point);
}

static const double point_of_custom[3] = {0, 0, 0};
static const wp_custom custom = {support_of_point, point_of_custom, 0};
static wp_shape shapes[5];

static const wp_hull *build_hull(void)
{
	static const float corners[8][3] = {
		{-1, -1, -1}, {1, -1, -1}, {-1, 1, -1}, {1, 1, -1}, {-1, -1, 1}, {1, -1, 1}, {-1, 1, 1}, {1, 1, 1}};
	static const uint32_t sizes[6] = {4, 4, 4, 4, 4, 4};
	static const uint32_t indices[24] = {0, 4, 6, 2, 1, 3, 7, 5, 0, 1, 5, 4, 2, 6, 7, 3, 0, 2, 3, 1, 4, 5, 7, 6};
	const wp_hull_input input = {{corners[0], 0}, 8, sizes, indices, 6};
	const wp_hull *hull = NULL;
	EXPECT(wp_hull_build(&input, hull_memory, sizeof hull_memory, &hull, NULL) == WP_OK);
	EXPECT(wp_hull_vertex_count(hull) == 8 && wp_hull_face_count(hull) == 6);
	return hull;
}

static bool make_scene(void)
{
	static GUARDED(wp_shape_report) report;
	shapes[0] = wp_shape_box(1, 1, 1);
	shapes[1] = shapes[2] = wp_shape_sphere(1);
	shapes[3] = wp_shape_hull(build_hull());
	shapes[4] = wp_shape_custom(&custom);
	EXPECT(wp_shape_table_build(shapes, 5, table_memory, sizeof table_memory, &table, &report.value) == WP_OK);
	EXPECT(report.value.invalid_count == 0 && IS_WHOLE(report) && wp_shape_table_count(table) == 5);
	const wp_error error = wp_workspace_init(workspace_memory, sizeof workspace_memory, WP_VARIANT_AUTO, &workspace);
	EXPECT(error == WP_OK);
	return error == WP_OK && table != NULL;
}

static wp_batch make_batch(void)
{
	const wp_bodies bodies = {
		{poses[0].position, sizeof poses[0]}, {poses[0].rotation, sizeof poses[0]}, {NULL, 0}, 3, WP_REAL_FLOAT};
	const wp_batch batch = {.shapes = table,
		.a = bodies,
		.pair_a = {&pairs[0][0], sizeof pairs[0]},
		.pair_b = {&pairs[0][1], sizeof pairs[0]},
		.count = 2};
	return batch;
}

/* ---- batches ---------------------------------------------------------------------------------------- */

static struct {
	wp_row row[2];
	float local_a[2][3], local_b[2][3], tangent_1[2][3], tangent_2[2][3];
	wp_cache cache[2];
	uint8_t overlap[2];
	unsigned char guard[64];
} out;

static wp_results all_results(void)
{
	wp_results results = wp_results_of_rows(out.row);
	results.overlap.data = out.overlap;
	results.local_a.data = out.local_a[0];
	results.local_b.data = out.local_b[0];
	results.tangent_1.data = out.tangent_1[0];
	results.tangent_2.data = out.tangent_2[0];
	results.cache.data = out.cache;
	return results;
}

static bool is_row(const wp_row *row, float separation, float normal_x)
{
	return row->separation == separation && row->normal[0] == normal_x && row->lower <= row->upper;
}

static void ask_batches(const wp_batch *batch)
{
	static GUARDED(wp_statistics) statistics;
	const wp_results results = all_results();
	const wp_contact_options options = {.max_separation = 2};
	EXPECT(wp_overlap(workspace, batch, &results, &statistics.value) == WP_OK);
	EXPECT(out.overlap[0] == 0 && out.overlap[1] == 1);
	EXPECT(wp_distance(workspace, batch, &results, &statistics.value) == WP_OK);
	EXPECT(is_row(&out.row[0], 1, 1) && is_row(&out.row[1], 0, 0));
	EXPECT(wp_contact(workspace, batch, &options, &results, &statistics.value) == WP_OK);
	EXPECT(is_row(&out.row[0], 1, 1) && is_row(&out.row[1], -0.5f, 1));
	EXPECT(out.row[0].status == WP_STATUS_SEPARATED && out.row[1].status == WP_STATUS_PENETRATING);
	EXPECT(
		out.row[0].point_a[0] == 1 && out.row[0].point_b[0] == 2 && out.local_b[0][0] == -1 && out.local_a[0][0] == 1);
	EXPECT(out.tangent_1[0][0] == 0 && out.tangent_2[0][0] == 0);

	GUARDED(wp_manifold_point) points[2][4] = {0};
	uint32_t counts[2];
	const wp_manifolds manifolds = {{counts, 0}, {&points[0][0].value, sizeof points[0]}, 1, {NULL, 0}};
	EXPECT(wp_contact_manifold(workspace, batch, &options, &results, &manifolds, &statistics.value) == WP_OK);
	EXPECT(counts[0] == 1 && counts[1] == 1 && points[1][0].value.separation == -0.5f && IS_WHOLE(points[1][0]));

	static const float ways[3][3] = {{0, 0, 0}, {-2, 0, 0}, {0, 0, 0}}, directions[2][3] = {{1, 0, 0}, {1, 0, 0}};
	const wp_motions motions = {.translation.data = ways[0]};
	float fractions[2];
	const wp_float_column fraction = {fractions, 0};
	EXPECT(wp_cast(workspace, batch, &motions, NULL, &results, &fraction, &statistics.value) == WP_OK);
	EXPECT(fractions[0] > 0.4999f && fractions[0] <= 0.5f && fractions[1] == 0 && (out.row[0].status & WP_STATUS_HIT));
	const wp_const_float_column direction = {directions[0], 0};
	EXPECT(wp_depth_along(workspace, batch, &direction, &results, &statistics.value) == WP_OK);
	EXPECT(out.row[1].separation > -0.5001f && out.row[1].separation < -0.4999f);
	EXPECT(statistics.value.rows == 12 && statistics.value.invalid == 0 && IS_WHOLE(statistics) && IS_WHOLE(out));

	static GUARDED(wp_reference_row) reference[2];
	EXPECT(wp_reference_contact(batch, shapes, 5, &reference[0].value) == WP_OK);
	EXPECT(reference[0].value.separation > 0.999999 && reference[0].value.separation < 1.000001);
}

/* ---- one pair --------------------------------------------------------------------------------------- */

static void ask_pairs(void)
{
	static GUARDED(wp_row) row;
	static GUARDED(wp_cache) cache;
	static GUARDED(wp_manifold_point) point;
	const wp_contact_options options = {.max_separation = 2};
	static const float along[3] = {1, 0, 0}, way[3] = {-2, 0, 0};
	uint32_t count;
	float fraction;
	EXPECT(wp_overlap_pair(workspace, &shapes[3], &poses[0], &shapes[1], &poses[1], &row.value) == WP_OK);
	EXPECT(row.value.status & WP_STATUS_SEPARATED);
	EXPECT(wp_distance_pair(workspace, &shapes[3], &poses[0], &shapes[4], &poses[1], &row.value) == WP_OK);
	EXPECT(row.value.separation > 1.9999f && row.value.separation < 2.0001f);
	EXPECT(wp_contact_pair(workspace, &shapes[0], &poses[0], &shapes[2], &poses[2], &options, &row.value) == WP_OK);
	EXPECT(is_row(&row.value, -0.5f, 1));
	EXPECT(wp_contact_manifold_pair(workspace, &shapes[0], &poses[0], &shapes[2], &poses[2], NULL, &row.value,
			   &point.value, 1, &count) == WP_OK);
	EXPECT(count == 1 && point.value.separation == -0.5f);
	EXPECT(wp_cast_pair(workspace, &shapes[0], &poses[0], &shapes[1], &poses[1], NULL, &poses[0], &row.value,
			   &fraction) == WP_OK);
	EXPECT(fraction > 0.333f && fraction < 0.3334f);
	EXPECT(wp_depth_along_pair(workspace, &shapes[0], &poses[0], &shapes[2], &poses[2], along, &row.value) == WP_OK);

	const wp_pair pair = {
		table, 3, 1, poses[0].position, poses[0].rotation, poses[1].position, poses[1].rotation, WP_REAL_FLOAT};
	const wp_motions motion = {.translation.data = way};
	EXPECT(wp_overlap_prepared(workspace, &pair, &cache.value, &row.value) == WP_OK);
	EXPECT(wp_distance_prepared(workspace, &pair, &cache.value, &row.value) == WP_OK);
	EXPECT(wp_contact_prepared(workspace, &pair, &options, &cache.value, &row.value) == WP_OK);
	EXPECT(row.value.separation == 1 && cache.value.count != 0);
	EXPECT(wp_contact_manifold_prepared(
			   workspace, &pair, &options, &cache.value, &row.value, &point.value, 1, &count) == WP_OK);
	EXPECT(wp_cast_prepared(workspace, &pair, NULL, &motion, &row.value, &fraction) == WP_OK);
	EXPECT(fraction > 0.4999f && fraction <= 0.5f);
	EXPECT(wp_depth_along_prepared(workspace, &pair, along, &row.value) == WP_OK);
	EXPECT(IS_WHOLE(row) && IS_WHOLE(cache) && IS_WHOLE(point));

	static GUARDED(wp_reference_row) reference;
	static const double origin[3], beside[3] = {3, 0, 0};
	EXPECT(wp_reference_contact_pair(&shapes[0], origin, poses[0].rotation, &shapes[1], beside, poses[1].rotation,
			   &reference.value) == WP_OK);
	EXPECT(reference.value.separation > 0.999999 && reference.value.separation < 1.000001 && IS_WHOLE(reference));
}

/* ---- frames ----------------------------------------------------------------------------------------- */

static void ask_frames(const wp_batch *batch)
{
	static GUARDED(wp_persistent_manifold) manifold;
	static GUARDED(wp_pose) pose[2];
	const wp_persistent_thresholds thresholds = wp_persistent_thresholds_of(1);
	static const float normal[3] = {1, 0, 0};
	static const double origin[3], beside[3] = {1.5, 0, 0};
	EXPECT(wp_persistent_poses(origin, poses[0].rotation, beside, poses[2].rotation, &pose[0].value, &pose[1].value) ==
		   WP_OK);
	EXPECT(pose[1].value.position[0] - pose[0].value.position[0] == 1.5f && IS_WHOLE(pose[0]) && IS_WHOLE(pose[1]));
	wp_row row;
	wp_manifold_point point;
	uint32_t count;
	EXPECT(wp_contact_manifold_pair(
			   workspace, &shapes[0], &poses[0], &shapes[2], &poses[2], NULL, &row, &point, 1, &count) == WP_OK);
	EXPECT(wp_persistent_update(&manifold.value, &poses[0], &poses[2], normal, &point, 1, &thresholds) == WP_OK);
	EXPECT(wp_persistent_add(&manifold.value, &poses[0], &poses[2], normal, &point, &thresholds) == WP_OK);
	EXPECT(wp_persistent_refresh(&manifold.value, &poses[0], &poses[2], NULL, &thresholds) == WP_OK);
	EXPECT(manifold.value.count == 1 && manifold.value.points[0].separation == -0.5f && IS_WHOLE(manifold));

	static GUARDED(wp_track_pool) pool;
	static GUARDED(wp_track_changes) changes;
	static struct {
		wp_tracked pairs[2];
		unsigned char guard[64];
	} known;
	static wp_persistent_manifold manifolds[2];
	static wp_tracked_anchor anchors[2];
	uint32_t began[2];
	EXPECT(wp_track_pool_init(&pool.value, known.pairs, 2) == WP_OK);
	EXPECT(wp_track_pool_take(&pool.value) == 0 && wp_track_pool_take(&pool.value) == 1);
	changes.value.rows = began;
	changes.value.capacity = 2;
	const wp_tracked_pairs tracked = {known.pairs, manifolds, anchors, 2, {NULL, 0}, NULL};
	const wp_track_options options = {.max_separation = 0.5f, .merging = 0.02f, .reuse_error = 0.001f};
	const wp_results results = all_results();
	EXPECT(wp_track(workspace, batch, &options, &tracked, &results, &changes.value, NULL) == WP_OK);
	EXPECT(
		changes.value.count == 1 && began[0] == 1 && known.pairs[1].count == 1 && known.pairs[1].separation == -0.5f);
	EXPECT(wp_track(workspace, batch, &options, &tracked, &results, &changes.value, NULL) == WP_OK);
	EXPECT(
		changes.value.count == 0 && known.pairs[0].event == WP_TRACK_KEPT && known.pairs[1].event == WP_TRACK_REUSED);
	EXPECT(wp_track_pool_give(&pool.value, 1) == WP_OK && IS_WHOLE(pool) && IS_WHOLE(changes) && IS_WHOLE(known));
}

/* ---- 2D --------------------------------------------------------------------------------------------- */

static void ask_2d(void)
{
	static _Alignas(WP_ALIGNMENT) unsigned char memory[1 << 12];
	static const float corners[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}, ways[2][2] = {{0, 0}, {-2, 0}};
	static const wp2d_pose at[2] = {{{0, 0}, {1, 0}}, {{3, 0}, {1, 0}}};
	static const uint32_t first = 0, second = 1;
	static GUARDED(wp2d_row) row;
	static GUARDED(wp2d_manifold_point) point;
	static GUARDED(wp_statistics) statistics;
	static GUARDED(wp_shape_report) report;
	const wp2d_shape both[2] = {wp2d_shape_polygon(corners[0], 4), wp2d_shape_circle(1)};
	const wp2d_shape_table *made = NULL;
	EXPECT(wp2d_shape_table_build(both, 2, memory, sizeof memory, &made, &report.value) == WP_OK && IS_WHOLE(report));
	const wp2d_batch batch = {.shapes = made,
		.a = {{at[0].position, sizeof at[0]}, {at[0].rotation, sizeof at[0]}, {NULL, 0}, 2, WP_REAL_FLOAT},
		.pair_a.data = &first,
		.pair_b.data = &second,
		.count = 1};
	const wp2d_results results = wp2d_results_of_rows(&row.value);
	const wp_contact_options options = {.max_separation = 2};
	uint32_t count = 0;
	float fraction = 0;
	const wp2d_manifolds manifolds = {{&count, 0}, {&point.value, 0}, 1};
	const wp2d_motions motions = {.translation.data = ways[0]};
	const wp_float_column fractions = {&fraction, 0};
	EXPECT(wp2d_overlap(workspace, &batch, &results, &statistics.value) == WP_OK);
	EXPECT(wp2d_distance(workspace, &batch, &results, &statistics.value) == WP_OK && row.value.separation == 1);
	EXPECT(wp2d_contact(workspace, &batch, &options, &results, &statistics.value) == WP_OK && row.value.normal[0] == 1);
	EXPECT(wp2d_contact_manifold(workspace, &batch, &options, &results, &manifolds, &statistics.value) == WP_OK);
	EXPECT(count == 1 && point.value.separation == 1);
	EXPECT(wp2d_cast(workspace, &batch, &motions, NULL, &results, &fractions, &statistics.value) == WP_OK);
	EXPECT(fraction > 0.4999f && fraction <= 0.5f && statistics.value.rows == 5);
	EXPECT(wp2d_overlap_pair(workspace, &both[0], &at[0], &both[1], &at[1], &row.value) == WP_OK);
	EXPECT(wp2d_distance_pair(workspace, &both[0], &at[0], &both[1], &at[1], &row.value) == WP_OK);
	EXPECT(wp2d_contact_pair(workspace, &both[0], &at[0], &both[1], &at[1], &options, &row.value) == WP_OK);
	EXPECT(row.value.separation == 1);
	EXPECT(wp2d_contact_manifold_pair(
			   workspace, &both[0], &at[0], &both[1], &at[1], &options, &row.value, &point.value, 1, &count) == WP_OK);
	EXPECT(wp2d_cast_pair(workspace, &both[0], &at[0], &both[1], &at[1], NULL, &at[0], &row.value, &fraction) == WP_OK);
	EXPECT(IS_WHOLE(row) && IS_WHOLE(point) && IS_WHOLE(statistics));
}

/* ---- widephase-cook --------------------------------------------------------------------------------- */

static void ask_cook(void)
{
#ifdef HAVE_COOK
	static const float corners[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
	static GUARDED(wp_mass) mass;
	const wp_hull *hull = NULL, *simple = NULL;
	float error = 1;
	EXPECT(wp_cook_points(corners[0], 0, 4, &hull, NULL) == WP_OK);
	EXPECT(wp_cook_simplified(corners[0], 0, 4, 4, &simple, &error, NULL) == WP_OK);
	EXPECT(wp_cook_mass(hull, &mass.value) == WP_OK);
	EXPECT(mass.value.volume > 0.16666 && mass.value.volume < 0.16667 && IS_WHOLE(mass));
	wp_cook_free(simple);
	wp_cook_free(hull);
#endif
}

int main(void)
{
	if (!make_scene())
		return 1;
	const wp_batch batch = make_batch();
	ask_batches(&batch);
	ask_pairs();
	ask_frames(&batch);
	ask_2d();
	ask_cook();
	printf("compiled with %d.%d.%d, run on %s: %d failures\n", WP_VERSION_MAJOR, WP_VERSION_MINOR, WP_VERSION_PATCH,
		wp_version(), failures);
	return failures != 0;
}
