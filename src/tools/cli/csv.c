#include "csv.h"
#include "mesh_rows.h"
#include "row_threads.h"
#include "progress.h"
#include "system.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* Room for the lines of a share, in bytes, which grows. */
#define LINES_SIZE 65536

/* ---- the request ------------------------------------------------------------------------------------ */

/* The query of a csv_order. */
static bool option_order_query(const option_row *row, const char *argument, void *to)
{
	csv_order *const order = to;
	order->query_said = true;
	return option_query(row, argument, &order->wanted.which);
}

static bool option_threads(const option_row *row, const char *argument, void *to)
{
	(void)row;
	return row_threads_parse(argument, to);
}

const option_row csv_options[] = {
	{.name = "query",
		.letter = 'q',
		.argument = "Q",
		.help = "overlap, distance, contact (the default of a file), or manifold (the default of A B), which has a row "
				"for each point; of pairs with motions cast, or depth-along, the depth along the way of B as A sees it",
		.read = option_order_query,
		.possible = QUERY_NAMES},
	OPTION_VARIANT(csv_order),
	OPTION_MAX_SEPARATION(csv_order, "infinite; with meshes 0.02"),
	OPTION_POINTS(csv_order),
	OPTION_TWO_SIDED(csv_order),
	OPTION_GHOSTS(csv_order),
	OPTION_SOUP(csv_order),
	{.name = "threads",
		.letter = 't',
		.argument = "N",
		.help = "answer and write by that many threads, 1 (the default) to 256, or all that the machine has; the rows "
				"are the same bytes",
		.read = option_threads,
		.offset = offsetof(csv_order, thread_count),
		.possible = "1 to 256, or all"},
	{.name = NULL},
};

csv_order csv_order_default(void)
{
	return (csv_order){
		.wanted = {.which = QUERY_CONTACT, .max_separation = NAN}, .variant = WP_VARIANT_AUTO, .thread_count = 1};
}

/* ---- lines ------------------------------------------------------------------------------------------ */

/* Twice the room for lines. False, and the share has the error, if there is none. */
static bool grow(csv_share *own)
{
	char *const bytes = own->capacity <= SIZE_MAX / 2 ? realloc(own->bytes, 2 * own->capacity) : NULL;
	if (!bytes) {
		own->error = "no memory for the rows";
		return false;
	}
	own->bytes = bytes;
	own->capacity *= 2;
	return true;
}

/* printf to the end of the lines. */
SYSTEM_PRINTF(2, 3) static void print(csv_share *own, const char *format, ...)
{
	do {
		va_list arguments;
		va_start(arguments, format);
		const int length = vsnprintf(own->bytes + own->size, own->capacity - own->size, format, arguments);
		va_end(arguments);
		if ((size_t)length < own->capacity - own->size) {
			own->size += (size_t)length;
			return;
		}
	} while (grow(own));
}

/* Nine digits read back to the same bits. The sign that printf gives a NaN has no meaning, so it is left out. */
static void print_floats(csv_share *own, const float *values, int count)
{
	for (int index = 0; index < count; index++) {
		if (isnan(values[index]))
			print(own, ",nan");
		else
			print(own, ",%.9g", (double)values[index]);
	}
}

static void print_row(csv_share *own, uint64_t index, const wp_row *row)
{
	char status[WP_STATUS_TEXT_MAX];
	wp_status_text(row->status, status, sizeof status);
	print(own, "%llu,%s", (unsigned long long)index, status);
	print_floats(own, &row->separation, 1);
	print_floats(own, row->normal, 3);
	print_floats(own, row->point_a, 3);
	print_floats(own, row->point_b, 3);
	print_floats(own, &row->lower, 1);
	print_floats(own, &row->upper, 1);
	print(own, ",%u", row->iterations);
}

/* The end of a line: in files with meshes a triangle, or nothing for none. */
static void print_end(const csv_answers *csv, csv_share *own, uint32_t triangle)
{
	if (csv->triangles && triangle != WP_MESH_MISS)
		print(own, ",%u\n", triangle);
	else
		print(own, csv->triangles ? ",\n" : "\n");
}

/* Point `which` of `count`, with its own separation and positions, and the rest of the row. */
static void print_point(
	csv_share *own, uint64_t index, const wp_row *row, const wp_manifold_point *point, uint32_t count, uint32_t which)
{
	wp_row line = *row;
	line.separation = point->separation;
	memcpy(line.point_a, point->point_a, sizeof line.point_a);
	memcpy(line.point_b, point->point_b, sizeof line.point_b);
	print_row(own, index, &line);
	print(own, ",%u,%u", count, which);
	print_floats(own, point->local_a, 3);
	print_floats(own, point->local_b, 3);
	print(own, ",0x%08x,0x%08x", point->feature_a, point->feature_b);
}

/* One line per point of each patch, with the patch's normal. Returns how many there are. */
static uint32_t print_patches(const csv_answers *csv, csv_share *own, size_t row)
{
	const wp_mesh_patch *const patches = csv->patches + row * RUNNER_PATCH_MAX;
	uint32_t count = 0, which = 0;
	for (uint32_t patch = 0; patch < csv->patch_counts[row]; patch++)
		count += patches[patch].point_count;
	for (uint32_t patch = 0; patch < csv->patch_counts[row]; patch++) {
		wp_row line = csv->rows[row];
		memcpy(line.normal, patches[patch].normal, sizeof line.normal);
		for (uint32_t k = 0; k < patches[patch].point_count; k++, which++) {
			const wp_mesh_point *const from = &patches[patch].points[k];
			wp_manifold_point point = {
				.separation = from->separation, .feature_a = from->feature_a, .feature_b = from->feature_b};
			memcpy(point.point_a, from->point_a, sizeof point.point_a);
			memcpy(point.point_b, from->point_b, sizeof point.point_b);
			memcpy(point.local_a, from->local_a, sizeof point.local_a);
			memcpy(point.local_b, from->local_b, sizeof point.local_b);
			print_point(own, csv->first + row, &line, &point, count, which);
			print_end(csv, own, from->triangle);
		}
	}
	return count;
}

/* One line per point; without points, one line with the contact's. */
static void print_manifold(const csv_answers *csv, csv_share *own, size_t row)
{
	const bool is_mesh = mesh_rows_has(&csv->scene, &csv->pairs[row]);
	uint32_t count = is_mesh ? print_patches(csv, own, row) : csv->point_counts[row];
	if (count == 0) {
		print_row(own, csv->first + row, &csv->rows[row]);
		print(own, ",0,0,nan,nan,nan,nan,nan,nan,nan,nan");
		print_end(csv, own, WP_MESH_MISS);
	}
	for (uint32_t which = 0; !is_mesh && which < count; which++) {
		print_point(own, csv->first + row, &csv->rows[row], &csv->points[row * csv->order->wanted.point_max + which],
			count, which);
		print_end(csv, own, WP_MESH_MISS);
	}
}

static void print_rows(const csv_answers *csv, csv_share *own, size_t first, size_t count)
{
	const request *const wanted = &csv->order->wanted;
	for (size_t row = first; row < first + count; row++) {
		for (int bit = 0; bit < 32; bit++)
			own->counts[bit] += csv->rows[row].status >> bit & 1;
		if (wanted->which == QUERY_MANIFOLD) {
			print_manifold(csv, own, row);
			continue;
		}
		print_row(own, csv->first + row, &csv->rows[row]);
		if (wanted->which == QUERY_CAST)
			print_floats(own, &csv->fractions[row], 1);
		print_end(csv, own, csv->triangles ? csv->triangles[row] : WP_MESH_MISS);
	}
}

void csv_print_heading(FILE *out, query which, bool has_meshes)
{
	fputs("pair,status,separation,nx,ny,nz,ax,ay,az,bx,by,bz,lower,upper,iterations", out);
	if (which == QUERY_CAST)
		fputs(",fraction", out);
	if (which == QUERY_MANIFOLD)
		fputs(",count,point,local_ax,local_ay,local_az,local_bx,local_by,local_bz,feature_a,feature_b", out);
	if (has_meshes)
		fputs(",triangle", out);
	fputc('\n', out);
}

/* ---- answers ---------------------------------------------------------------------------------------- */

static bool fail(csv_answers *csv, const char *reason)
{
	snprintf(csv->error, sizeof csv->error, "%s", reason);
	return false;
}

static wp_error answer(csv_answers *csv, runner *run, size_t first, size_t count)
{
	const request *const wanted = &csv->order->wanted;
	const answers to = {.rows = csv->rows + first,
		.fractions = csv->fractions + first,
		.counts = csv->point_counts + first,
		.points = csv->points + first * wanted->point_max,
		.patches = csv->patches ? csv->patches + first * RUNNER_PATCH_MAX : NULL,
		.patch_counts = csv->patch_counts ? csv->patch_counts + first : NULL,
		.triangles = csv->triangles ? csv->triangles + first : NULL};
	run->caches = csv->capture->columns & CAPTURE_CACHES ? csv->caches + first : NULL;
	return runner_answer(run, wanted, &csv->scene, csv->pairs + first, csv->motions + first, count, &to);
}

/* One thread's rows of a chunk: answers, and their lines in memory of its own, for they are written in order. */
static void answer_share(void *context, uint32_t member, size_t first, size_t count)
{
	csv_answers *const csv = context;
	csv_share *const own = &csv->shares[member];
	const double start = clock_now();
	const wp_error error = answer(csv, &own->run, first, count);
	own->seconds = clock_now() - start;
	own->error = error == WP_OK ? NULL : wp_error_text(error);
	if (error == WP_OK)
		print_rows(csv, own, first, count);
}

bool csv_answer(csv_answers *csv, uint64_t first, size_t count)
{
	const uint32_t thread_count = csv->order->thread_count;
	double slowest = 0.0;
	csv->first = first;
	row_threads_run(thread_count, count, answer_share, csv);
	for (uint32_t member = 0; member < thread_count; member++)
		slowest = fmax(slowest, csv->shares[member].seconds);
	csv->seconds += slowest;
	for (uint32_t member = 0; member < thread_count; member++)
		if (csv->shares[member].error)
			return fail(csv, csv->shares[member].error);
	return true;
}

void csv_drop_lines(csv_answers *csv)
{
	for (uint32_t member = 0; member < csv->order->thread_count; member++)
		csv->shares[member].size = 0;
}

/* ---- before and after ------------------------------------------------------------------------------- */

static void allocate_rows(csv_answers *csv)
{
	csv->pairs = allocate(CSV_CHUNK, sizeof *csv->pairs);
	csv->motions = allocate(CSV_CHUNK, sizeof *csv->motions);
	csv->caches = allocate(CSV_CHUNK, sizeof *csv->caches);
	csv->rows = allocate(CSV_CHUNK, sizeof *csv->rows);
	csv->fractions = allocate(CSV_CHUNK, sizeof *csv->fractions);
	csv->point_counts = allocate(CSV_CHUNK, sizeof *csv->point_counts);
	csv->points = allocate((size_t)CSV_CHUNK * csv->order->wanted.point_max, sizeof *csv->points);
	if (!csv->scene.meshes)
		return;
	csv->triangles = allocate(CSV_CHUNK, sizeof *csv->triangles);
	csv->patch_counts = allocate(CSV_CHUNK, sizeof *csv->patch_counts);
	csv->patches = allocate((size_t)CSV_CHUNK * RUNNER_PATCH_MAX, sizeof *csv->patches);
}

static bool init_shares(csv_answers *csv)
{
	const unsigned variant = csv->order->variant;
	csv->shares = allocate(csv->order->thread_count, sizeof *csv->shares);
	for (uint32_t member = 0; member < csv->order->thread_count; member++) {
		csv_share *const own = &csv->shares[member];
		own->capacity = LINES_SIZE;
		own->bytes = allocate(own->capacity, 1);
		const wp_error error = runner_init(&own->run, variant);
		if (error == WP_OK)
			continue;
		snprintf(csv->error, sizeof csv->error, "%s: %s", variant_name(variant), wp_error_text(error));
		return false;
	}
	return true;
}

bool csv_init(csv_answers *csv, const csv_order *order, const capture_file *capture)
{
	const query which = order->wanted.which;
	memset(csv, 0, sizeof *csv);
	csv->order = order;
	csv->capture = capture;
	if (query_moves(which) && !(capture->columns & CAPTURE_MOTIONS)) {
		snprintf(csv->error, sizeof csv->error, "%.255s: has no motions, which --query %s needs", capture->path,
			query_name(which));
		return false;
	}
	if (!scene_build(&csv->scene, capture, csv->error) || !scene_add_meshes(&csv->scene, capture, csv->error) ||
		!mesh_rows_fit(&order->wanted, &csv->scene, capture->path, csv->error))
		return false;
	/* Pair files hold vertices alone, manifolds need faces. */
	if (which == QUERY_MANIFOLD && !scene_add_faces(&csv->scene, capture, csv->error))
		return false;
	allocate_rows(csv);
	return init_shares(csv);
}

void csv_free(csv_answers *csv)
{
	for (uint32_t member = 0; csv->shares && member < csv->order->thread_count; member++) {
		runner_free(&csv->shares[member].run);
		free(csv->shares[member].bytes);
	}
	free(csv->shares);
	scene_free(&csv->scene);
	free(csv->pairs);
	free(csv->motions);
	free(csv->caches);
	free(csv->rows);
	free(csv->fractions);
	free(csv->point_counts);
	free(csv->points);
	free(csv->triangles);
	free(csv->patch_counts);
	free(csv->patches);
}

csv_totals csv_sum(const csv_answers *csv)
{
	csv_totals totals = {.seconds = csv->seconds, .variant = variant_name(csv->shares[0].run.variant)};
	for (uint32_t member = 0; member < csv->order->thread_count; member++)
		for (int bit = 0; bit < 32; bit++)
			totals.counts[bit] += csv->shares[member].counts[bit];
	return totals;
}

void csv_print_summary(const csv_answers *csv, const csv_totals *totals, const char *how)
{
	const uint64_t count = csv->capture->pair_count;
	fprintf(stderr, "%s: %llu pairs, %s by %s, %.0f ns a pair%s\n", csv->capture->path, (unsigned long long)count,
		query_name(csv->order->wanted.which), totals->variant, count ? totals->seconds * 1e9 / (double)count : 0.0,
		how);
	for (int bit = 0; bit < 32; bit++) {
		char text[WP_STATUS_TEXT_MAX];
		if (totals->counts[bit] == 0)
			continue;
		wp_status_text(UINT32_C(1) << bit, text, sizeof text);
		fprintf(stderr, "  %-20s %10llu  %6.2f %%\n", text, (unsigned long long)totals->counts[bit],
			100.0 * (double)totals->counts[bit] / (double)count);
	}
}
