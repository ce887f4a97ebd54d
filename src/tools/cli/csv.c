#include "csv.h"
#include "row_threads.h"
#include "progress.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the request ------------------------------------------------------------------------------------ */

enum option_key { KEY_THREADS = 't' };

static const struct argp_option options[] = {
	{"query", REQUEST_QUERY, "Q", 0,
		"overlap, distance, contact (the default), or manifold (of two shapes), which has a row for each point; "
		"of pairs with motions cast, or depth-along, the depth along the way of B as A sees it",
		0},
	{"variant", REQUEST_VARIANT, "V", 0, "auto (the default), scalar, sse2, avx2, avx512, neon, wasm or reference", 0},
	{"max-separation", REQUEST_MAX_SEPARATION, "X", 0,
		"contact: pairs proven further apart are answered by that proof alone; manifold: points further "
		"apart are left out, too (default: infinite)",
		0},
	{"points", REQUEST_POINTS, "N", 0, "manifold: most points of a pair, 1 to 8 (default: 4)", 0},
	{"threads", KEY_THREADS, "N", 0,
		"answer and write by that many threads, 1 (the default) to 256, or all that the machine has; the rows are the "
		"same bytes",
		0},
	{0},
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
	csv_order *order = state->input;
	switch (key) {
	case KEY_THREADS:
		if (!row_threads_parse(argument, &order->thread_count))
			argp_error(state, "--threads is 1 to %d, or all, not '%s'", ROW_THREADS_MAX, argument);
		return 0;
	default:
		order->query_said = order->query_said || key == REQUEST_QUERY;
		return request_parse(key, argument, &order->wanted, &order->variant, state);
	}
}

const struct argp csv_parser = {.options = options, .parser = parse};

csv_order csv_order_default(void)
{
	return (csv_order){
		.wanted = {.which = QUERY_CONTACT, .max_separation = INFINITY}, .variant = WP_VARIANT_AUTO, .thread_count = 1};
}

/* ---- lines ------------------------------------------------------------------------------------------ */

/* Nine digits read back to the same bits. The sign that printf gives a NaN has no meaning, so it is left out. */
static void print_floats(FILE *out, const float *values, int count)
{
	for (int index = 0; index < count; index++) {
		if (isnan(values[index]))
			fputs(",nan", out);
		else
			fprintf(out, ",%.9g", (double)values[index]);
	}
}

static void print_row(FILE *out, uint64_t index, const wp_row *row)
{
	char status[WP_STATUS_TEXT_MAX];
	wp_status_text(row->status, status, sizeof status);
	fprintf(out, "%llu,%s", (unsigned long long)index, status);
	print_floats(out, &row->separation, 1);
	print_floats(out, row->normal, 3);
	print_floats(out, row->point_a, 3);
	print_floats(out, row->point_b, 3);
	print_floats(out, &row->lower, 1);
	print_floats(out, &row->upper, 1);
	fprintf(out, ",%u", row->iterations);
}

/* One line per point with its own separation and points; without points, one line with the contact's. */
static void print_manifold(
	FILE *out, uint64_t index, const wp_row *row, const wp_manifold_point *points, uint32_t count)
{
	if (count == 0) {
		print_row(out, index, row);
		fputs(",0,0,nan,nan,nan,nan,nan,nan,nan,nan\n", out);
	}
	for (uint32_t which = 0; which < count; which++) {
		const wp_manifold_point *point = &points[which];
		wp_row line = *row;
		line.separation = point->separation;
		memcpy(line.point_a, point->point_a, sizeof line.point_a);
		memcpy(line.point_b, point->point_b, sizeof line.point_b);
		print_row(out, index, &line);
		fprintf(out, ",%u,%u", count, which);
		print_floats(out, point->local_a, 3);
		print_floats(out, point->local_b, 3);
		fprintf(out, ",0x%08x,0x%08x\n", point->feature_a, point->feature_b);
	}
}

static void print_rows(const csv_answers *csv, csv_share *own, size_t first, size_t count)
{
	const request *const wanted = &csv->order->wanted;
	for (size_t row = first; row < first + count; row++) {
		for (int bit = 0; bit < 32; bit++)
			own->counts[bit] += csv->rows[row].status >> bit & 1;
		if (wanted->which == QUERY_MANIFOLD) {
			print_manifold(own->text, csv->first + row, &csv->rows[row], csv->points + row * wanted->point_max,
				csv->point_counts[row]);
			continue;
		}
		print_row(own->text, csv->first + row, &csv->rows[row]);
		if (wanted->which == QUERY_CAST)
			print_floats(own->text, &csv->fractions[row], 1);
		fputc('\n', own->text);
	}
}

void csv_print_heading(FILE *out, query which)
{
	fputs("pair,status,separation,nx,ny,nz,ax,ay,az,bx,by,bz,lower,upper,iterations", out);
	if (which == QUERY_CAST)
		fputs(",fraction", out);
	if (which == QUERY_MANIFOLD)
		fputs(",count,point,local_ax,local_ay,local_az,local_bx,local_by,local_bz,feature_a,feature_b", out);
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
		.points = csv->points + first * wanted->point_max};
	run->caches = csv->capture->columns & CAPTURE_CACHES ? csv->caches + first : NULL;
	return runner_answer(run, wanted, &csv->scene, csv->pairs + first, csv->motions + first, count, &to);
}

/* One thread's rows of a chunk: answers, and their lines in memory of its own, for they are written in order.
 */
static void answer_share(void *context, uint32_t member, size_t first, size_t count)
{
	csv_answers *const csv = context;
	csv_share *const own = &csv->shares[member];
	const double start = clock_now();
	const wp_error error = answer(csv, &own->run, first, count);
	own->seconds = clock_now() - start;
	own->error = error == WP_OK ? NULL : wp_error_text(error);
	own->text = open_memstream(&own->bytes, &own->size);
	if (own->text && error == WP_OK)
		print_rows(csv, own, first, count);
	const bool whole = own->text && !ferror(own->text);
	if ((own->text && fclose(own->text) != 0) || !whole)
		own->error = "no memory for the rows";
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
	for (uint32_t member = 0; csv->shares && member < csv->order->thread_count; member++) {
		free(csv->shares[member].bytes);
		csv->shares[member].bytes = NULL;
		csv->shares[member].size = 0;
	}
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
}

static bool init_shares(csv_answers *csv)
{
	const unsigned variant = csv->order->variant;
	csv->shares = allocate(csv->order->thread_count, sizeof *csv->shares);
	for (uint32_t member = 0; member < csv->order->thread_count; member++) {
		const wp_error error = runner_init(&csv->shares[member].run, variant);
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
	if (!scene_build(&csv->scene, capture, csv->error))
		return false;
	/* Pair files hold vertices alone, manifolds need faces. */
	if (which == QUERY_MANIFOLD && !scene_add_faces(&csv->scene, capture, csv->error))
		return false;
	allocate_rows(csv);
	return init_shares(csv);
}

void csv_free(csv_answers *csv)
{
	csv_drop_lines(csv);
	for (uint32_t member = 0; csv->shares && member < csv->order->thread_count; member++)
		runner_free(&csv->shares[member].run);
	free(csv->shares);
	scene_free(&csv->scene);
	free(csv->pairs);
	free(csv->motions);
	free(csv->caches);
	free(csv->rows);
	free(csv->fractions);
	free(csv->point_counts);
	free(csv->points);
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
