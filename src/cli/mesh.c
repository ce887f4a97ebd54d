#include "mesh.h"
#include "capture.h"

#include <stdio.h>

#ifdef HAVE_MESHES

#include <widephase/query.h>

#include <assimp/cimport.h>
#include <assimp/scene.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
	mesh_vertices *out;
	size_t capacity;
	char *error;
} reader;

static bool fail(const reader *r, const char *reason)
{
	snprintf(r->error, CAPTURE_ERROR_MAX, "%.255s: %.240s", r->path, reason);
	return false;
}

static placement placement_within(const placement *outer, const struct aiMatrix4x4 *m)
{
	const double inner[4][4] = {{m->a1, m->a2, m->a3, m->a4}, {m->b1, m->b2, m->b3, m->b4},
	    {m->c1, m->c2, m->c3, m->c4}, {0, 0, 0, 1}};
	placement result = {0};
	for (int row = 0; row < 3; row++) {
		for (int column = 0; column < 4; column++) {
			for (int i = 0; i < 4; i++)
				result.row[row][column] += outer->row[row][i] * inner[i][column];
		}
	}
	return result;
}

static bool reserve(reader *r, size_t more)
{
	if (more > SIZE_MAX / sizeof *r->out->at - r->out->count)
		return fail(r, "too many vertices");
	const size_t needed = r->out->count + more;
	if (needed <= r->capacity)
		return true;
	const size_t twice = r->capacity < SIZE_MAX / sizeof *r->out->at / 2 ? 2 * r->capacity : needed;
	const size_t capacity = twice > needed ? twice : needed;
	void *const memory = realloc(r->out->at, capacity * sizeof *r->out->at);
	if (!memory)
		return fail(r, "no memory for its vertices");
	r->out->at = memory;
	r->capacity = capacity;
	return true;
}

static bool add_mesh(reader *r, const struct aiMesh *mesh, const placement *place)
{
	if (mesh->mNumVertices == 0 || !mesh->mVertices)
		return true;
	if (!reserve(r, mesh->mNumVertices))
		return false;
	r->out->meshes++;
	for (unsigned index = 0; index < mesh->mNumVertices; index++) {
		const struct aiVector3D *from = &mesh->mVertices[index];
		float *to = r->out->at[r->out->count++];
		for (int axis = 0; axis < 3; axis++) {
			const double *row = place->row[axis];
			const double value = row[0] * from->x + row[1] * from->y + row[2] * from->z + row[3];
			if (!(fabs(value) <= (double)WP_COORDINATE_MAX))
				return fail(r, "a vertex is not finite or beyond 1e30");
			to[axis] = (float)value;
		}
	}
	return true;
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

/* Whether this is a PLY file whose header does not end: assimp 5.2 would never come back from it. */
static bool is_endless_ply(const char *path)
{
	static const char magic[] = "ply";
	char *const header = calloc(PLY_HEADER_MAX + 1, 1);
	FILE *const file = header ? fopen(path, "rb") : NULL;
	bool endless = false;
	if (file) {
		(void)!fread(header, 1, PLY_HEADER_MAX, file);
		endless = memcmp(header, magic, strlen(magic)) == 0 && !has_end(header);
		fclose(file);
	}
	free(header);
	return endless;
}

bool mesh_read(const char *path, double scale, mesh_vertices *vertices, char *error)
{
	const placement whole = {{{scale, 0, 0, 0}, {0, scale, 0, 0}, {0, 0, scale, 0}}};
	reader r = {.path = path, .out = vertices, .error = error};
	memset(vertices, 0, sizeof *vertices);
	if (is_endless_ply(path))
		return fail(&r, "the header of a PLY file has no end");
	r.scene = aiImportFile(path, 0);
	if (!r.scene)
		return fail(&r, aiGetErrorString());
	bool done = !r.scene->mRootNode || add_node(&r, r.scene->mRootNode, &whole, 0);
	aiReleaseImport(r.scene);
	if (done && vertices->count == 0)
		done = fail(&r, "has no vertices");
	if (!done) {
		free(vertices->at);
		memset(vertices, 0, sizeof *vertices);
	}
	return done;
}

#else

bool mesh_read(const char *path, double scale, mesh_vertices *vertices, char *error)
{
	(void)scale;
	(void)vertices;
	snprintf(error, CAPTURE_ERROR_MAX, "%.255s: this build has no assimp, which reads meshes", path);
	return false;
}

#endif
