/* widephase draw: one pair and its contact as a picture, for bug reports. */
#include "commands.h"
#include "mesh_rows.h"
#include "picture.h"
#include "runner.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK_PAIRS 4096
/* Characters of a file's name in the title. */
#define NAME_MAX_SHOWN 48
#define ANSWER_MAX 64

typedef struct draw {
	const char *pairs_path, *out_path;
	request wanted;
	bool query_said;
	unsigned variant;
	bool pair_said;
	uint32_t index;
	capture_file capture;
	capture_scene scene;
	runner run;
	capture_pair pair;
	capture_motion motion;
	capture_cache cache;
	wp_row row;
	double points[2][3]; /* witness points, world */
	float fraction;
	uint32_t manifold_count;
	wp_manifold_point manifold[PICTURE_POINT_MAX];
	wp_mesh_patch patches[RUNNER_PATCH_MAX]; /* on a mesh */
	uint32_t patch_count, triangle;          /* the same */
	picture drawn;
} draw;

static bool option_drawn_query(const option_row *row, const char *argument, void *to)
{
	draw *const job = to;
	job->query_said = true;
	return option_query(row, argument, &job->wanted.which);
}

static bool option_pair(const option_row *row, const char *argument, void *to)
{
	draw *const job = to;
	job->pair_said = true;
	return option_count(row, argument, &job->index);
}

static const option_row options[] = {
	{.name = "pair",
		.letter = 'p',
		.argument = "N",
		.help = "which pair of the file, the first one being 0",
		.read = option_pair,
		.most = UINT32_MAX},
	{.name = "query",
		.letter = 'q',
		.argument = "Q",
		.help = "manifold (the default), contact, distance or overlap; of pairs with motions cast, which shows where "
				"they touch first, or depth-along, the way of B as A sees it",
		.read = option_drawn_query,
		.possible = QUERY_NAMES},
	OPTION_VARIANT(draw),
	OPTION_MAX_SEPARATION(draw, "infinite; with meshes 0.02"),
	OPTION_POINTS(draw),
	OPTION_TWO_SIDED(draw),
	OPTION_GHOSTS(draw),
	OPTION_SOUP(draw),
	{.name = "out",
		.letter = 'o',
		.argument = "PAIR.svg",
		.help = "write the picture there (default: standard output)",
		.read = option_text,
		.offset = offsetof(draw, out_path)},
	{.name = NULL},
};

static void parse_arguments(draw *job, int argc, char **argv)
{
	const command_line line = {.name = "widephase draw",
		.arguments = "FILE.pairs",
		.about = "Draw one pair of FILE.pairs and its contact as SVG: from three sides and close up, with all numbers.",
		.least = 1,
		.most = 1,
		.too_few = "which pair file?",
		.too_many = "one pair file at a time",
		.tables = {{options, job}}};
	job->pairs_path = argv[command_line_parse(&line, argc, argv)];
	if (!job->pair_said)
		command_line_refuse(&line, "which pair? --pair N");
	if (!job->query_said && job->variant == VARIANT_REFERENCE)
		job->wanted.which = QUERY_CONTACT;
	request_finish(&job->wanted, job->variant, &line);
}

/* ---- the answer ------------------------------------------------------------------------------------- */

/* Read on to the pair that is wanted, with its motion and cache. */
static bool find_pair(draw *job)
{
	capture_file *const capture = &job->capture;
	capture_pair *const pairs = allocate(CHUNK_PAIRS, sizeof *pairs);
	size_t count = 0;
	bool found = false, good = true;
	while (!found && good) {
		const uint64_t left = job->index - capture->pair_next;
		found = left == 0;
		good = capture_read(capture, pairs, found ? 1 : left < CHUNK_PAIRS ? left : CHUNK_PAIRS, &count);
	}
	job->pair = pairs[0];
	free(pairs);
	return good && capture_read_motions(capture, &job->pair, &job->motion, 1) &&
	       capture_read_caches(capture, &job->cache, 1);
}

static bool is_on_mesh(const draw *job) { return mesh_rows_has(&job->scene, &job->pair); }

/* Points of all patches one after the other. */
static void take_patches(draw *job)
{
	_Static_assert(RUNNER_PATCH_MAX * WP_MESH_POINT_MAX <= PICTURE_POINT_MAX, "all points have room");
	for (uint32_t patch = 0; patch < job->patch_count; patch++) {
		for (uint32_t index = 0; index < job->patches[patch].point_count; index++) {
			const wp_mesh_point *const from = &job->patches[patch].points[index];
			wp_manifold_point *const to = &job->manifold[job->manifold_count];
			double *const normal = job->drawn.manifold_normals[job->manifold_count++];
			*to = (wp_manifold_point){
				.separation = from->separation, .feature_a = from->feature_a, .feature_b = from->triangle};
			memcpy(to->local_a, from->local_a, sizeof to->local_a);
			memcpy(to->local_b, from->local_b, sizeof to->local_b);
			for (int axis = 0; axis < 3; axis++)
				normal[axis] = job->patches[patch].normal[axis];
		}
	}
}

static wp_error answer_on_mesh(draw *job)
{
	const answers to = {.rows = &job->row,
		.fractions = &job->fraction,
		.patches = job->patches,
		.patch_counts = &job->patch_count,
		.triangles = &job->triangle};
	const wp_error error = runner_answer(&job->run, &job->wanted, &job->scene, &job->pair, &job->motion, 1, &to);
	for (int axis = 0; axis < 3; axis++) {
		job->points[0][axis] = job->row.point_a[axis];
		job->points[1][axis] = job->row.point_b[axis];
	}
	if (error == WP_OK && job->wanted.which == QUERY_MANIFOLD)
		take_patches(job);
	return error;
}

/* As widephase collide does, but for points in double. */
static wp_error answer(draw *job)
{
	runner *const run = &job->run;
	if (run->variant == VARIANT_REFERENCE) {
		const answers to = {.rows = &job->row};
		const wp_error error = runner_answer(run, &job->wanted, &job->scene, &job->pair, NULL, 1, &to);
		memcpy(job->points[0], run->reference_rows->point_a, sizeof job->points[0]);
		memcpy(job->points[1], run->reference_rows->point_b, sizeof job->points[1]);
		return error;
	}
	if (is_on_mesh(job) && job->wanted.which != QUERY_DEPTH_ALONG)
		return answer_on_mesh(job);
	const wp_batch batch = scene_batch(&job->scene, &job->pair, 1);
	wp_results results = wp_results_of_rows(&job->row);
	results.point_a.data = job->points[0];
	results.point_b.data = job->points[1];
	results.point_real = WP_REAL_DOUBLE;
	results.cache.data = job->capture.columns & CAPTURE_CACHES ? (void *)&job->cache : NULL;
	const wp_float_column fraction = {&job->fraction, 0};
	const wp_manifolds manifolds = {
		.count = {&job->manifold_count}, .points = {job->manifold}, .point_max = job->wanted.point_max};
	return runner_query(run, &job->wanted, &batch, &job->motion, &results, &fraction, &manifolds);
}

/* ---- where things are ------------------------------------------------------------------------------- */

/* A or B at a fraction of its motion, relative to where A stands in the file. */
static model_pose pose_at(const draw *job, int body, double fraction)
{
	const capture_pair *pair = &job->pair;
	const float *position = body == 0 ? pair->position_a : pair->position_b;
	const float *way = body == 0 ? job->motion.translation_a : job->motion.translation_b;
	const float *ends[2] = {
		body == 0 ? pair->rotation_a : pair->rotation_b, body == 0 ? job->motion.rotation_a : job->motion.rotation_b};
	double lengths[2] = {0.0, 0.0}, along = 0.0;
	model_pose pose;
	for (int index = 0; index < 4; index++) {
		along += (double)ends[0][index] * ends[1][index];
		for (int end = 0; end < 2; end++)
			lengths[end] += (double)ends[end][index] * ends[end][index];
	}
	/* The blend of the unit quaternions, the shorter way round. */
	for (int index = 0; index < 4; index++)
		pose.rotation[index] = (1.0 - fraction) * ends[0][index] / sqrt(lengths[0]) +
		                       copysign(fraction, along) * ends[1][index] / sqrt(lengths[1]);
	for (int axis = 0; axis < 3; axis++)
		pose.position[axis] = (double)position[axis] - pair->position_a[axis] + fraction * way[axis];
	return pose;
}

/* Both bodies at their poses. A half-space is drawn where the other one is, and so is a mesh. */
static void make_bodies(const draw *job, const model_pose poses[2], model made[2])
{
	const uint32_t shapes[2] = {job->pair.a, job->pair.b};
	const capture_shape *const all = job->capture.shapes;
	for (int body = 0; body < 2; body++)
		if (all[shapes[body]].kind != CAPTURE_HALF_SPACE && all[shapes[body]].kind != CAPTURE_MESH)
			model_make(&made[body], &job->capture, &job->scene, shapes[body], &poses[body]);
	for (int body = 0; body < 2; body++)
		if (all[shapes[body]].kind == CAPTURE_HALF_SPACE)
			model_make_ground(&made[body], &all[shapes[body]], &poses[body], &made[1 - body]);
	if (is_on_mesh(job))
		model_make_surface(&made[1], job->scene.meshes[shapes[1]], &poses[1], &made[0]);
}

/* Casts: both where they touch first, and dashed where they started. Depths along a way: B dashed where it is
 * free. */
static void place_bodies(draw *job)
{
	const bool casts = job->wanted.which == QUERY_CAST;
	const model_pose start[2] = {pose_at(job, 0, 0.0), pose_at(job, 1, 0.0)};
	const model_pose stop[2] = {pose_at(job, 0, job->fraction), pose_at(job, 1, job->fraction)};
	make_bodies(job, casts ? stop : start, job->drawn.bodies);
	if (casts)
		make_bodies(job, start, job->drawn.ghosts);
	if (job->wanted.which == QUERY_DEPTH_ALONG && job->row.status & WP_STATUS_PENETRATING) {
		const capture_shape *const shape = &job->capture.shapes[job->pair.b];
		model_pose freed = start[1];
		for (int axis = 0; axis < 3; axis++)
			freed.position[axis] += job->points[0][axis] - job->points[1][axis];
		if (shape->kind == CAPTURE_HALF_SPACE)
			model_make_ground(&job->drawn.ghosts[1], shape, &freed, &job->drawn.bodies[0]);
		else
			model_make(&job->drawn.ghosts[1], &job->capture, &job->scene, job->pair.b, &freed);
	}
}

static void place_contact(draw *job)
{
	picture *const drawn = &job->drawn;
	const model_pose poses[2] = {pose_at(job, 0, 0.0), pose_at(job, 1, 0.0)};
	drawn->has_witnesses = job->wanted.which != QUERY_OVERLAP && !(job->row.status & WP_STATUS_BEYOND);
	for (int axis = 0; axis < 3; axis++) {
		drawn->origin[axis] = job->pair.position_a[axis];
		drawn->normal[axis] = job->row.normal[axis];
		for (int body = 0; drawn->has_witnesses && body < 2; body++)
			drawn->witnesses[body][axis] = job->points[body][axis] - drawn->origin[axis];
	}
	drawn->manifold_count = job->manifold_count;
	for (uint32_t point = 0; point < job->manifold_count; point++) {
		const float *local[2] = {job->manifold[point].local_a, job->manifold[point].local_b};
		for (int body = 0; body < 2; body++) {
			const double wide[3] = {local[body][0], local[body][1], local[body][2]};
			double turned[3];
			model_turn(poses[body].rotation, wide, turned);
			for (int axis = 0; axis < 3; axis++)
				drawn->manifold[point][axis] += 0.5 * (turned[axis] + poses[body].position[axis]);
		}
	}
}

/* ---- words ------------------------------------------------------------------------------------------ */

/* The numbers of a shape, each after its name. */
static void describe_shape(const capture_shape *shape, char *text, size_t size)
{
	static const char *const names[][4] = {
		[CAPTURE_SPHERE] = {"radius "},
		[CAPTURE_CAPSULE] = {"radius ", ", half height "},
		[CAPTURE_BOX] = {"half extents ", ", ", ", ", "; radius "},
		[CAPTURE_HULL] = {NULL, NULL, NULL, "; radius "},
		[CAPTURE_CYLINDER] = {"base radius ", ", half height ", NULL, "; radius "},
		[CAPTURE_CONE] = {"base radius ", ", half height ", NULL, "; radius "},
		[CAPTURE_ELLIPSOID] = {"semi-axes ", ", ", ", ", "; radius "},
		[CAPTURE_HALF_SPACE] = {NULL, NULL, NULL, "all below its surface, of which a piece is drawn; radius "},
		[CAPTURE_MESH] = {NULL},
	};
	_Static_assert(sizeof names / sizeof *names == CAPTURE_KIND_COUNT, "names for each kind");
	int used = 0;
	if (shape->kind == CAPTURE_HULL)
		used = snprintf(text, size, "vertices: %u", shape->vertex_count);
	else if (shape->kind == CAPTURE_MESH)
		used = snprintf(text, size, "triangles: %u, of which those near A are drawn", shape->vertex_count / 3);
	for (int param = 0; param < 4; param++)
		if (names[shape->kind][param])
			used += snprintf(
				text + used, size - (size_t)used, "%s%.9g", names[shape->kind][param], (double)shape->param[param]);
}

static void say_body(draw *job, int body)
{
	const uint32_t index = body == 0 ? job->pair.a : job->pair.b;
	const float *position = body == 0 ? job->pair.position_a : job->pair.position_b;
	const float *rotation = body == 0 ? job->pair.rotation_a : job->pair.rotation_b;
	const capture_shape *shape = &job->capture.shapes[index];
	char text[PICTURE_TEXT_MAX];
	describe_shape(shape, text, sizeof text);
	picture_say(&job->drawn, PICTURE_HEADING, "%c: %s, shape %u of the file", 'A' + body,
		capture_kind_name(shape->kind), index);
	picture_say(&job->drawn, PICTURE_PLAIN, "%s", text);
	picture_say(&job->drawn, PICTURE_PLAIN, "position %.9g, %.9g, %.9g", (double)position[0], (double)position[1],
		(double)position[2]);
	picture_say(&job->drawn, PICTURE_PLAIN, "rotation %.9g, %.9g, %.9g, %.9g", (double)rotation[0], (double)rotation[1],
		(double)rotation[2], (double)rotation[3]);
	if (!query_moves(job->wanted.which))
		return;
	const float *way = body == 0 ? job->motion.translation_a : job->motion.translation_b;
	const float *end = body == 0 ? job->motion.rotation_a : job->motion.rotation_b;
	picture_say(
		&job->drawn, PICTURE_PLAIN, "moves by %.9g, %.9g, %.9g", (double)way[0], (double)way[1], (double)way[2]);
	picture_say(&job->drawn, PICTURE_PLAIN, "rotation at the end %.9g, %.9g, %.9g, %.9g", (double)end[0],
		(double)end[1], (double)end[2], (double)end[3]);
}

/* The answer in words. */
static void say_answer(const draw *job, char *text, size_t size)
{
	const wp_row *row = &job->row;
	const double separation = row->separation;
	if (job->wanted.which == QUERY_CAST)
		snprintf(text, size, row->status & WP_STATUS_HIT ? "touch first at fraction %.4g" : "do not touch",
			(double)job->fraction);
	else if (job->wanted.which == QUERY_DEPTH_ALONG && isinf(row->separation))
		snprintf(text, size, "B is never free along its way");
	else if (job->wanted.which == QUERY_DEPTH_ALONG && row->status & WP_STATUS_PENETRATING)
		snprintf(text, size, "B is free %.4g along its way", -separation);
	else if (row->status & WP_STATUS_SEPARATED)
		snprintf(text, size, row->upper > row->lower && isinf(row->upper) ? "at least %.4g apart" : "%.4g apart",
			isinf(separation) ? (double)row->lower : separation);
	else if (row->status & WP_STATUS_PENETRATING)
		snprintf(text, size,
			query_is_plain(job->wanted.which) && job->wanted.which != QUERY_CONTACT ? "overlap" : "overlap, %.4g deep",
			-separation);
	else
		snprintf(text, size, "touch, within the bounds");
}

static void say_patches(draw *job)
{
	picture_say(&job->drawn, PICTURE_HEADING, "%u point%s of %u patch%s (rings, with normals)", job->manifold_count,
		job->manifold_count == 1 ? "" : "s", job->patch_count, job->patch_count == 1 ? "" : "es");
	for (uint32_t point = 0; point < job->manifold_count; point++) {
		const double *const normal = job->drawn.manifold_normals[point];
		picture_say(&job->drawn, PICTURE_PLAIN, "%u: separation %.6g, triangle %u, normal %.3g, %.3g, %.3g", point + 1,
			(double)job->manifold[point].separation, job->manifold[point].feature_b, normal[0], normal[1], normal[2]);
	}
}

static void say_contact(draw *job)
{
	picture *const drawn = &job->drawn;
	const wp_row *row = &job->row;
	char status[WP_STATUS_TEXT_MAX], answer_text[ANSWER_MAX];
	const char *letters[2] = {"A", "B"};
	wp_status_text(row->status, status, sizeof status);
	say_answer(job, answer_text, sizeof answer_text);
	picture_say(drawn, PICTURE_HEADING, "%s", answer_text);
	picture_say(drawn, PICTURE_PLAIN, "%s by %s", query_name(job->wanted.which),
		job->variant == VARIANT_REFERENCE ? "the reference" : "the library");
	picture_say(drawn, PICTURE_PLAIN, "status %s", status);
	picture_say(drawn, PICTURE_PLAIN, "separation %.9g", (double)row->separation);
	if (isinf(row->upper))
		picture_say(drawn, PICTURE_PLAIN, "bounds %.9g to infinity", (double)row->lower);
	else if (!isnan(row->upper))
		picture_say(drawn, PICTURE_PLAIN, "bounds %.9g to %.9g", (double)row->lower, (double)row->upper);
	picture_say(drawn, PICTURE_PLAIN, "normal %.9g, %.9g, %.9g", (double)row->normal[0], (double)row->normal[1],
		(double)row->normal[2]);
	if (isfinite(job->wanted.max_separation))
		picture_say(drawn, PICTURE_PLAIN, "answered up to a separation of %.9g", (double)job->wanted.max_separation);
	for (int body = 0; drawn->has_witnesses && body < 2; body++)
		picture_say(drawn, body == 0 ? PICTURE_SIDE_A : PICTURE_SIDE_B, "point on %s %.9g, %.9g, %.9g", letters[body],
			(double)(float)job->points[body][0], (double)(float)job->points[body][1],
			(double)(float)job->points[body][2]);
	if (is_on_mesh(job) && job->triangle != WP_MESH_MISS)
		picture_say(drawn, PICTURE_PLAIN, "triangle %u of the mesh", job->triangle);
	if (job->wanted.which != QUERY_MANIFOLD)
		return;
	if (is_on_mesh(job))
		say_patches(job);
	else
		picture_say(drawn, PICTURE_HEADING, "%u point%s of the manifold (rings)", job->manifold_count,
			job->manifold_count == 1 ? "" : "s");
	for (uint32_t point = 0; point < job->manifold_count && !is_on_mesh(job); point++)
		picture_say(drawn, PICTURE_PLAIN, "%u: separation %.9g, features %08x %08x", point + 1,
			(double)job->manifold[point].separation, job->manifold[point].feature_a, job->manifold[point].feature_b);
}

static void say_all(draw *job)
{
	const char *slash = strrchr(job->pairs_path, '/');
	const char *name = slash ? slash + 1 : job->pairs_path;
	char answer_text[ANSWER_MAX];
	say_answer(job, answer_text, sizeof answer_text);
	snprintf(job->drawn.title, sizeof job->drawn.title, "Pair %llu of %.*s: %s A and %s B, %s",
		(unsigned long long)job->index, NAME_MAX_SHOWN, name, capture_kind_name(job->capture.shapes[job->pair.a].kind),
		capture_kind_name(job->capture.shapes[job->pair.b].kind), answer_text);
	say_contact(job);
	say_body(job, 0);
	say_body(job, 1);
	picture_say(&job->drawn, PICTURE_HEADING, "widephase %s", wp_version());
	picture_say(
		&job->drawn, PICTURE_PLAIN, "The arrow is the normal, from A to B, of no certain length. A ring around");
	picture_say(&job->drawn, PICTURE_PLAIN, "the point on A is its tip, a ring with a cross its tail.");
	if (query_moves(job->wanted.which))
		picture_say(&job->drawn, PICTURE_PLAIN, "Dashed outlines: %s",
			job->wanted.which == QUERY_CAST ? "where A and B start." : "where B is free.");
}

/* ---- the command ------------------------------------------------------------------------------------ */

static int write_picture(const draw *job)
{
	const char *name = job->out_path ? job->out_path : "standard output";
	if (job->out_path && report_same_file(job->out_path, job->capture.path))
		return EXIT_ERROR;
	FILE *out = job->out_path ? fopen(job->out_path, "wb") : stdout;
	if (!out)
		return report_error("%s: cannot create: %s", name, strerror(errno));
	picture_write(out, &job->drawn);
	const bool failed = ferror(out) != 0;
	if ((job->out_path ? fclose(out) : fflush(out)) != 0 || failed)
		return report_error("%s: cannot write: %s", name, strerror(errno));
	return 0;
}

static int run(draw *job)
{
	char status[WP_STATUS_TEXT_MAX];
	capture_file *const capture = &job->capture;
	if (job->index >= capture->pair_count)
		return report_error("%s: has %u pairs, numbered from 0, so there is no pair %llu", job->pairs_path,
			capture->pair_count, (unsigned long long)job->index);
	if (query_moves(job->wanted.which) && !(capture->columns & CAPTURE_MOTIONS))
		return report_error(
			"%s: has no motions, which --query %s needs", job->pairs_path, query_name(job->wanted.which));
	if (!scene_build(&job->scene, capture, capture->error) || !find_pair(job) ||
		!scene_add_faces(&job->scene, capture, capture->error) ||
		!scene_add_meshes(&job->scene, capture, capture->error) ||
		!mesh_rows_fit(&job->wanted, &job->scene, capture->path, capture->error))
		return report_error("%s", capture->error);
	report_scene(&job->scene, job->pairs_path);
	wp_error error = runner_init(&job->run, job->variant);
	if (error != WP_OK)
		return report_error("%s: %s", variant_name(job->variant), wp_error_text(error));
	error = answer(job);
	if (error != WP_OK)
		return report_error("%s", wp_error_text(error));
	if (job->row.status & WP_STATUS_INVALID) {
		wp_status_text(job->row.status, status, sizeof status);
		return report_error(
			"%s: pair %llu has no picture: %s", job->pairs_path, (unsigned long long)job->index, status);
	}
	place_bodies(job);
	place_contact(job);
	say_all(job);
	return write_picture(job);
}

int command_draw(int argc, char **argv)
{
	draw job = {.wanted = {.which = QUERY_MANIFOLD, .max_separation = NAN}, .variant = WP_VARIANT_AUTO};
	parse_arguments(&job, argc, argv);
	if (!capture_open(&job.capture, job.pairs_path))
		return report_error("%s", job.capture.error);
	int code = run(&job);
	picture_free(&job.drawn);
	runner_free(&job.run);
	scene_free(&job.scene);
	capture_close(&job.capture);
	return code;
}
