#include "mesh.h"
#include "capture.h"

#include <stdio.h>

const mesh_limits mesh_default_limits = {.megabytes = 8192, .seconds = 60, .vertices = 100000000};

#ifdef HAVE_MESHES

#include <widephase/query.h>

#include <assimp/cimport.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <errno.h>
#include <float.h>
#include <math.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* Sanitizers take terabytes of address space. */
#ifdef __has_feature
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer) || __has_feature(thread_sanitizer)
#define HAS_SHADOW_MEMORY
#endif
#endif
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define HAS_SHADOW_MEMORY
#endif

/* Nodes within nodes: files have some tens at most, and each takes a stack frame. */
#define NODE_DEPTH_MAX 1000

/* Bytes within which the header of a PLY file ends: some hundred are usual. */
#define PLY_HEADER_MAX 65536

/* Rows of a matrix that places points: what is left of it is 0 0 0 1. */
typedef struct placement {
	double row[3][4];
} placement;

typedef struct reader {
	const struct aiScene *scene;
	const char *path;
	const mesh_limits *limits;
	double scale;
	double largest; /* of all coordinates so far, scaled, without signs */
	bool is_zero;   /* all coordinates so far are 0 before they are scaled */
	mesh_vertices *out;
	size_t capacity, triangle_capacity;
	bool with_triangles;
	char *error;
} reader;

static bool fail(const reader *r, const char *reason)
{
	snprintf(r->error, CAPTURE_ERROR_MAX, "%.255s: %.240s", r->path, reason);
	return false;
}

static placement placement_within(const placement *outer, const struct aiMatrix4x4 *m)
{
	const double inner[4][4] = {
		{m->a1, m->a2, m->a3, m->a4}, {m->b1, m->b2, m->b3, m->b4}, {m->c1, m->c2, m->c3, m->c4}, {0, 0, 0, 1}};
	placement result = {0};
	for (int row = 0; row < 3; row++) {
		for (int column = 0; column < 4; column++) {
			for (int i = 0; i < 4; i++)
				result.row[row][column] += outer->row[row][i] * inner[i][column];
		}
	}
	return result;
}

/* What the option raises, and by how much the file may have it. */
static bool fail_at_limit(const reader *r, const char *more_than, uint32_t limit, const char *unit, const char *option)
{
	char reason[160];
	snprintf(reason, sizeof reason, "%s %lu%s; widephase cook %s allows more", more_than, (unsigned long)limit, unit,
		option);
	return fail(r, reason);
}

static bool fail_at_vertices(const reader *r)
{
	return fail_at_limit(r, "has more vertices than", r->limits->vertices, "", "--max-mesh-vertices");
}

static bool fail_at_memory(const reader *r)
{
	return fail_at_limit(r, "reading it takes more memory than", r->limits->megabytes, " MiB", "--max-memory");
}

static bool reserve(reader *r, size_t more)
{
	if (more > r->limits->vertices - r->out->count)
		return fail_at_vertices(r);
	const size_t needed = r->out->count + more;
	if (needed <= r->capacity)
		return true;
	const size_t twice = r->capacity < SIZE_MAX / sizeof *r->out->at / 2 ? 2 * r->capacity : needed;
	const size_t capacity = twice > needed ? twice : needed;
	void *const memory = capacity <= SIZE_MAX / sizeof *r->out->at ? realloc(r->out->at, capacity * sizeof *r->out->at)
	                                                               : NULL;
	if (!memory)
		return fail_at_memory(r);
	r->out->at = memory;
	r->capacity = capacity;
	return true;
}

static bool reserve_triangles(reader *r, size_t more)
{
	const size_t needed = r->out->triangle_count + more;
	if (needed <= r->triangle_capacity)
		return true;
	const size_t capacity = 2 * r->triangle_capacity > needed ? 2 * r->triangle_capacity : needed;
	void *const memory = capacity <= SIZE_MAX / sizeof *r->out->triangles
	                       ? realloc(r->out->triangles, capacity * sizeof *r->out->triangles)
	                       : NULL;
	if (!memory)
		return fail_at_memory(r);
	r->out->triangles = memory;
	r->triangle_capacity = capacity;
	return true;
}

static bool is_mirror(const placement *place)
{
	const double(*const m)[4] = place->row;
	return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
	           m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]) <
	       0.0;
}

/* The triangles of a mesh whose vertices begin at `first`. */
static bool add_triangles(reader *r, const struct aiMesh *mesh, const placement *place, uint32_t first)
{
	if (!reserve_triangles(r, mesh->mNumFaces))
		return false;
	const unsigned second = is_mirror(place) ? 2 : 1;
	for (unsigned index = 0; index < mesh->mNumFaces; index++) {
		const struct aiFace *const face = &mesh->mFaces[index];
		if (face->mNumIndices != 3)
			continue;
		uint32_t *const to = r->out->triangles[r->out->triangle_count++];
		const unsigned corners[3] = {face->mIndices[0], face->mIndices[second], face->mIndices[3 - second]};
		for (int k = 0; k < 3; k++) {
			if (corners[k] >= mesh->mNumVertices)
				return fail(r, "a face names a vertex that is not there");
			to[k] = first + corners[k];
		}
	}
	return true;
}

/* How a scale fails, with its own argument in the sentence. */
static bool fail_by_scale(const reader *r, const char *result)
{
	char reason[160];
	snprintf(reason, sizeof reason, "--scale %.9g %s", r->scale, result);
	return fail(r, reason);
}

/* A coordinate in the file, placed, to what is kept. */
static bool take_coordinate(reader *r, double placed, float *to)
{
	const double value = r->scale * placed;
	if (!(fabs(value) <= (double)WP_COORDINATE_MAX))
		return fabs(placed) <= (double)WP_COORDINATE_MAX ? fail_by_scale(r, "moves a vertex beyond 1e30")
		                                                 : fail(r, "a vertex is not finite or beyond 1e30");
	r->largest = fmax(r->largest, fabs(value));
	r->is_zero = r->is_zero && placed == 0.0;
	*to = (float)value;
	return true;
}

/* Below the smallest normal float, coordinates lose the digits that the file has. */
static bool check_scale(const reader *r)
{
	const bool is_lost = r->scale < 1.0 && !r->is_zero && r->largest < (double)FLT_MIN;
	return !is_lost || fail_by_scale(r, "makes all coordinates smaller than floats hold (1.2e-38)");
}

static bool add_mesh(reader *r, const struct aiMesh *mesh, const placement *place)
{
	if (mesh->mNumVertices == 0 || !mesh->mVertices)
		return true;
	if (!reserve(r, mesh->mNumVertices))
		return false;
	const uint32_t first = (uint32_t)r->out->count;
	r->out->meshes++;
	for (unsigned index = 0; index < mesh->mNumVertices; index++) {
		const struct aiVector3D *from = &mesh->mVertices[index];
		float *to = r->out->at[r->out->count++];
		for (int axis = 0; axis < 3; axis++) {
			const double *row = place->row[axis];
			if (!take_coordinate(r, row[0] * from->x + row[1] * from->y + row[2] * from->z + row[3], &to[axis]))
				return false;
		}
	}
	return !r->with_triangles || add_triangles(r, mesh, place, first);
}

static bool add_node(reader *r, const struct aiNode *node, const placement *outer, int depth)
{
	if (depth > NODE_DEPTH_MAX)
		return fail(r, "its nodes are nested too deep");
	const placement place = placement_within(outer, &node->mTransformation);
	for (unsigned index = 0; index < node->mNumMeshes; index++) {
		if (node->mMeshes[index] >= r->scene->mNumMeshes)
			return fail(r, "a node names a mesh that is not there");
		if (!add_mesh(r, r->scene->mMeshes[node->mMeshes[index]], &place))
			return false;
	}
	for (unsigned index = 0; index < node->mNumChildren; index++) {
		if (!add_node(r, node->mChildren[index], &place, depth + 1))
			return false;
	}
	return true;
}

/* Whether a line of the text is the end of a PLY header. */
static bool has_end(const char *text)
{
	static const char end[] = "end_header";
	for (const char *at = strstr(text, end); at; at = strstr(at + 1, end)) {
		const char before = at == text ? '\n' : at[-1], after = at[strlen(end)];
		if ((before == '\n' || before == '\r') && (after == '\n' || after == '\r'))
			return true;
	}
	return false;
}

/* Number of vertices in a PLY header; 0 without one. */
static unsigned long long vertices_of(const char *header)
{
	static const char element[] = "element vertex ";
	const char *const at = strstr(header, element);
	return at ? strtoull(at + strlen(element), NULL, 10) : 0;
}

/* Whether the file can be opened, of which assimp gives no reason; whether it is no pair file, two of which may be given for two
 * shapes; and whether the header of a PLY file ends, which assimp 5.2 would search for ever, and is within the limits. */
static bool check_header(const reader *r)
{
	static const char magic[] = "ply";
	uint64_t size;
	FILE *const file = capture_open_sized(r->path, &size, r->error);
	char *const header = file ? calloc(PLY_HEADER_MAX + 1, 1) : NULL;
	bool done = file != NULL;
	if (header) {
		(void)!fread(header, 1, PLY_HEADER_MAX, file);
		if (strncmp(header, CAPTURE_TEXT_MAGIC, strlen(CAPTURE_TEXT_MAGIC)) == 0 ||
			strncmp(header, CAPTURE_MAGIC, strlen(CAPTURE_MAGIC)) == 0)
			done = fail(r, "a pair file, not a mesh");
		else if (memcmp(header, magic, strlen(magic)) == 0 && !has_end(header))
			done = fail(r, "the header of a PLY file has no end");
		else if (memcmp(header, magic, strlen(magic)) == 0 && vertices_of(header) > r->limits->vertices)
			done = fail_at_vertices(r);
	}
	if (file)
		fclose(file);
	free(header);
	return done;
}

static bool import(reader *r)
{
	const placement whole = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
	r->scene = aiImportFile(r->path, r->with_triangles ? aiProcess_Triangulate : 0);
	if (!r->scene)
		return strstr(aiGetErrorString(), "bad_alloc") ? fail_at_memory(r) : fail(r, aiGetErrorString());
	const bool done = !r->scene->mRootNode || add_node(r, r->scene->mRootNode, &whole, 0);
	aiReleaseImport(r->scene);
	if (done && r->out->count == 0)
		return fail(r, "has no vertices");
	if (done && !check_scale(r))
		return false;
	return done && r->with_triangles && r->out->triangle_count == 0 ? fail(r, "has no triangles") : done;
}

/* ---- a process with limits -------------------------------------------------------------------------- */

/* What the process writes first: the vertices and the triangles follow, or nothing. */
typedef struct answer {
	size_t count, meshes, triangle_count;
	char error[CAPTURE_ERROR_MAX];
} answer;

static bool write_whole(int to, const void *bytes, size_t size)
{
	for (size_t done = 0; done < size;) {
		const ssize_t written = write(to, (const char *)bytes + done, size - done);
		if (written < 0 && errno != EINTR)
			return false;
		done += written > 0 ? (size_t)written : 0;
	}
	return true;
}

static bool read_whole(int from, void *bytes, size_t size)
{
	for (size_t done = 0; done < size;) {
		const ssize_t got = read(from, (char *)bytes + done, size - done);
		if (got == 0 || (got < 0 && errno != EINTR))
			return false;
		done += got > 0 ? (size_t)got : 0;
	}
	return true;
}

static void set_limit(int resource, rlim_t soft, rlim_t hard)
{
	const struct rlimit limit = {soft, hard};
	(void)setrlimit(resource, &limit);
}

static void set_limits(const mesh_limits *limits)
{
	/* At the soft limit of time a signal ends the process, a second later another that cannot be caught. */
	set_limit(RLIMIT_CPU, limits->seconds, (rlim_t)limits->seconds + 1);
	set_limit(RLIMIT_CORE, 0, 0);
	/* Handlers of the parent are not for what assimp does. */
	static const int crashes[] = {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGXCPU};
	for (size_t i = 0; i < sizeof crashes / sizeof crashes[0]; i++)
		signal(crashes[i], SIG_DFL);
#ifndef HAS_SHADOW_MEMORY
	const rlim_t bytes = (rlim_t)limits->megabytes << 20;
	set_limit(RLIMIT_AS, bytes, bytes);
#endif
}

static void answer_and_exit(reader *r, int to)
{
	answer result = {0};
	r->error = result.error;
	/* The one sentence is the parent's. */
	(void)!freopen("/dev/null", "w", stderr);
	set_limits(r->limits);
	if (import(r)) {
		result.count = r->out->count;
		result.meshes = r->out->meshes;
		result.triangle_count = r->out->triangle_count;
	}
	const bool done = write_whole(to, &result, sizeof result) &&
	                  write_whole(to, r->out->at, result.count * sizeof *r->out->at) &&
	                  write_whole(to, r->out->triangles, result.triangle_count * sizeof *r->out->triangles);
	_exit(done ? 0 : 1);
}

static bool read_answer(reader *r, int from, bool *said)
{
	answer result;
	*said = false;
	if (!read_whole(from, &result, sizeof result))
		return false;
	/* What reads files of strangers may say anything. */
	if (result.count > r->limits->vertices || result.triangle_count > SIZE_MAX / sizeof *r->out->triangles - 1)
		return false;
	result.error[sizeof result.error - 1] = '\0';
	if (result.count == 0) {
		memcpy(r->error, result.error, sizeof result.error);
		*said = true;
		return false;
	}
	r->out->at = malloc(result.count * sizeof *r->out->at);
	r->out->triangles = malloc((result.triangle_count + 1) * sizeof *r->out->triangles);
	if (!r->out->at || !r->out->triangles) {
		*said = true;
		return fail(r, "no memory for its vertices");
	}
	r->out->count = result.count;
	r->out->meshes = result.meshes;
	r->out->triangle_count = result.triangle_count;
	return read_whole(from, r->out->at, result.count * sizeof *r->out->at) &&
	       read_whole(from, r->out->triangles, result.triangle_count * sizeof *r->out->triangles);
}

/* Why a process ended that gave no reason. */
static bool fail_by_status(const reader *r, int status)
{
	if (WIFSIGNALED(status) && (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL))
		return fail_at_limit(r, "reading it takes longer than", r->limits->seconds, " s", "--max-time");
	return fail(r, "assimp crashes on it");
}

bool mesh_read(const char *path, double scale, bool with_triangles, const mesh_limits *limits, mesh_vertices *vertices,
	char *error)
{
	reader r = {.path = path,
		.limits = limits,
		.scale = scale,
		.is_zero = true,
		.out = vertices,
		.with_triangles = with_triangles,
		.error = error};
	int ends[2], status = 0;
	bool said;
	memset(vertices, 0, sizeof *vertices);
	if (!check_header(&r))
		return false;
	if (pipe(ends) != 0)
		return fail(&r, strerror(errno));
	fflush(NULL);
	const pid_t child = fork();
	if (child == 0) {
		close(ends[0]);
		answer_and_exit(&r, ends[1]);
	}
	close(ends[1]);
	bool done = child > 0 && read_answer(&r, ends[0], &said);
	close(ends[0]);
	if (child < 0)
		return fail(&r, strerror(errno));
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	if (!done && !said)
		fail_by_status(&r, status);
	if (!done) {
		free(vertices->at);
		free(vertices->triangles);
		memset(vertices, 0, sizeof *vertices);
	}
	return done;
}

#else

bool mesh_read(const char *path, double scale, bool with_triangles, const mesh_limits *limits, mesh_vertices *vertices,
	char *error)
{
	(void)scale;
	(void)with_triangles;
	(void)limits;
	(void)vertices;
	return capture_fail(error, path, "this build has no assimp, which reads meshes", "");
}

#endif
