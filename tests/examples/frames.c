/* Frames of 10000 bodies that hop on the ground and jostle: a broadphase by sweeping, a hash map from pairs of bodies to tracked
 * pairs, and a solver that starts warm. frames.cpp and frames.py do the same in C++ and Python, by grids; their contacts have the
 * digest of this program's, on every machine. Arguments are the digest that must come out, and the number of frames. */
#include <widephase/widephase.h>

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIDE 100
#define BODIES (SIDE * SIDE + 1) /* body 0 is the ground */
#define PAIRS_MAX 65536          /* of the broadphase at once */
#define MAP_SIZE (2 * PAIRS_MAX) /* a power of two */
#define FRAMES 40
#define MAX_SEPARATION 0.02f
#define HALF 0.5f             /* half extents of every body's bounding box */
#define UNIT (1.0f / 1024.0f) /* of places, so that floats hold them exactly */
#define CYCLE 64              /* frames from hop to hop */

typedef struct body {
	float position[3], rotation[4];
	uint32_t shape;
} body;

/* A pair of the broadphase, and the pair of the pool that it is. */
typedef struct pair {
	uint32_t a, b, tracked;
} pair;

/* From pairs of bodies to pairs of the pool: open addressing. */
typedef struct pair_map {
	pair slots[MAP_SIZE]; /* `tracked` is WP_TRACK_NONE in a free one */
	uint32_t count;
} pair_map;

typedef struct engine {
	_Alignas(WP_ALIGNMENT) char workspace_memory[WP_WORKSPACE_SIZE];
	_Alignas(WP_ALIGNMENT) char table_memory[4096];
	_Alignas(WP_ALIGNMENT) wp_tracked tracked[PAIRS_MAX];
	_Alignas(WP_ALIGNMENT) wp_persistent_manifold manifolds[PAIRS_MAX];
	wp_track_pool pool;
	wp_workspace *workspace;
	const wp_shape_table *shapes;
	body bodies[BODIES];
	uint32_t order[BODIES]; /* bodies from left to right */
	pair pairs[PAIRS_MAX];
	uint32_t pair_count;
	pair_map maps[2];            /* of this frame and of the last, in turn */
	uint32_t changed[PAIRS_MAX]; /* rows whose pair began or ended to touch */
	uint32_t touching;           /* pairs that touch, counted by changes alone */
	wp_statistics counts;
} engine;

/* ---- bodies ------------------------------------------------------------------------------------- */

/* In half of a cycle a body is in the air, on a parabola; meanwhile it sways and turns to and fro. Rotations need not be of unit
 * length. */
static void move_bodies(engine *e, uint32_t frame)
{
	e->bodies[0] = (body){{0, 0, 0}, {0, 0, 0, 1}, 0};
	for (uint32_t i = 1; i < BODIES; i++) {
		const int time = (int)((frame + 7 * (i % 9)) % CYCLE), slow = (int)((2 * frame + 10 * (i % 5)) % CYCLE);
		const int hop = time < CYCLE / 2 ? time * (CYCLE / 2 - time) : 0, sway = abs(slow - CYCLE / 2) - CYCLE / 4;
		const float x = (float)((i - 1) % SIDE), z = (float)((i - 1) / SIDE), swung = UNIT * (float)sway;
		e->bodies[i] = (body){{x + swung, HALF + UNIT * (float)(hop - 5), z}, {0, swung, 0, 1}, 1 + i % 3};
	}
}

/* ---- broadphase --------------------------------------------------------------------------------- */

static int compare_left(const body *bodies, uint32_t one, uint32_t other)
{
	const float left = bodies[one].position[0], right = bodies[other].position[0];
	return left < right ? -1 : left > right;
}

/* The order of the last frame is nearly the order of this one: insertion sort. */
static void sort_bodies(engine *e)
{
	for (uint32_t i = 2; i < BODIES; i++) {
		const uint32_t moved = e->order[i];
		uint32_t at = i;
		for (; at > 1 && compare_left(e->bodies, moved, e->order[at - 1]) < 0; at--)
			e->order[at] = e->order[at - 1];
		e->order[at] = moved;
	}
}

static bool add_pair(engine *e, uint32_t one, uint32_t other)
{
	if (e->pair_count == PAIRS_MAX)
		return false;
	/* A row names its bodies in the same order in each frame. */
	e->pairs[e->pair_count++] = (pair){one < other ? one : other, one < other ? other : one, WP_TRACK_NONE};
	return true;
}

/* Boxes that overlap once they have grown by the separation. */
static bool find_pairs(engine *e)
{
	const float reach = 2 * HALF + MAX_SEPARATION;
	sort_bodies(e);
	e->pair_count = 0;
	for (uint32_t i = 1; i < BODIES; i++) {
		const float *at = e->bodies[e->order[i]].position;
		if (at[1] <= HALF + MAX_SEPARATION && !add_pair(e, 0, e->order[i]))
			return false;
		for (uint32_t j = i + 1; j < BODIES; j++) {
			const float *to = e->bodies[e->order[j]].position;
			if (to[0] - at[0] > reach)
				break;
			if (fabsf(to[1] - at[1]) <= reach && fabsf(to[2] - at[2]) <= reach &&
				!add_pair(e, e->order[i], e->order[j]))
				return false;
		}
	}
	return true;
}

/* ---- tracked pairs ------------------------------------------------------------------------------ */

static void clear_map(pair_map *map)
{
	for (uint32_t i = 0; i < MAP_SIZE; i++)
		map->slots[i].tracked = WP_TRACK_NONE;
	map->count = 0;
}

/* The slot of a pair of bodies, or the free one where it belongs. */
static pair *find_slot(pair_map *map, uint32_t a, uint32_t b)
{
	uint32_t at = (a * 0x9e3779b1u ^ b * 0x85ebca77u) % MAP_SIZE;
	while (map->slots[at].tracked != WP_TRACK_NONE && (map->slots[at].a != a || map->slots[at].b != b))
		at = (at + 1) % MAP_SIZE;
	return &map->slots[at];
}

/* Each pair of the broadphase is the one that it was in the last frame, or a new one; pairs that the broadphase has no more are
 * given back. */
static bool match_pairs(engine *e, pair_map *last, pair_map *now)
{
	clear_map(now);
	for (uint32_t i = 0; i < e->pair_count; i++) {
		pair *const of = &e->pairs[i];
		const pair *const old = find_slot(last, of->a, of->b);
		of->tracked = old->tracked != WP_TRACK_NONE ? old->tracked : wp_track_pool_take(&e->pool);
		if (of->tracked == WP_TRACK_NONE)
			return false;
		*find_slot(now, of->a, of->b) = *of;
		now->count++;
	}
	for (uint32_t i = 0; i < MAP_SIZE; i++) {
		const pair *const old = &last->slots[i];
		if (old->tracked == WP_TRACK_NONE || find_slot(now, old->a, old->b)->tracked != WP_TRACK_NONE)
			continue;
		/* Such a pair may have points still, and no row reports their end. */
		e->touching -= e->tracked[old->tracked].count != 0;
		if (wp_track_pool_give(&e->pool, old->tracked) != WP_OK)
			return false;
	}
	return true;
}

/* ---- narrowphase and solver --------------------------------------------------------------------- */

static wp_error find_contacts(engine *e)
{
	const size_t stride = sizeof e->bodies[0];
	const wp_batch batch = {.shapes = e->shapes,
		.a = {.position = {e->bodies->position, stride},
			.rotation = {e->bodies->rotation, stride},
			.shape = {&e->bodies->shape, stride},
			.count = BODIES},
		.pair_a = {&e->pairs->a, sizeof(pair)},
		.pair_b = {&e->pairs->b, sizeof(pair)},
		.count = e->pair_count};
	const wp_track_options options = {.max_separation = MAX_SEPARATION, .merging = MAX_SEPARATION};
	const wp_tracked_pairs tracked = {.pairs = e->tracked,
		.manifolds = e->manifolds,
		.count = PAIRS_MAX,
		.index = {&e->pairs->tracked, sizeof(pair)}};
	const wp_results none = {0}; /* all that a solver needs is in what is kept */
	wp_track_changes changes = {.rows = e->changed, .capacity = PAIRS_MAX};
	const wp_error error = wp_track(e->workspace, &batch, &options, &tracked, &none, &changes, &e->counts);
	for (size_t i = 0; error == WP_OK && i < changes.count; i++)
		e->touching += e->tracked[e->pairs[e->changed[i]].tracked].event & WP_TRACK_BEGAN ? 1u : UINT32_MAX;
	return error;
}

/* A solver goes on from the impulse that a point had. Here each step adds 1, so that the impulse tells how long a point has
 * lived, as its age does. */
static bool solve(engine *e, uint32_t *kept, uint32_t *touching)
{
	*kept = *touching = 0;
	for (uint32_t i = 0; i < e->pair_count; i++) {
		const wp_tracked *const of = &e->tracked[e->pairs[i].tracked];
		wp_persistent_manifold *const manifold = &e->manifolds[e->pairs[i].tracked];
		*kept += (of->event & WP_TRACK_KEPT) != 0;
		*touching += of->count != 0;
		for (uint32_t point = 0; point < of->count; point++) {
			float *const impulse = manifold->impulses[point];
			impulse[0] += 1;
			if (impulse[0] != (float)(manifold->points[point].age + 1))
				return false;
		}
	}
	return true;
}

/* ---- the digest --------------------------------------------------------------------------------- */

/* FNV-1a by words. */
static uint64_t hash_words(uint64_t hash, const void *from, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		uint32_t word;
		memcpy(&word, (const char *)from + i * sizeof word, sizeof word);
		hash = (hash ^ word) * 0x100000001b3u;
	}
	return hash;
}

/* All that a frame found, whatever the order of the pairs and the places of their states. */
static uint64_t digest_frame(const engine *e)
{
	uint64_t sum = 0;
	for (uint32_t i = 0; i < e->pair_count; i++) {
		const wp_tracked *const of = &e->tracked[e->pairs[i].tracked];
		const wp_persistent_manifold *const manifold = &e->manifolds[e->pairs[i].tracked];
		const uint32_t answer[] = {e->pairs[i].a, e->pairs[i].b, of->status, of->event, of->count};
		uint64_t hash = hash_words(0xcbf29ce484222325u, answer, sizeof answer / sizeof *answer);
		hash = hash_words(hash, &of->separation, 1);
		if (of->count != 0)
			hash = hash_words(hash, manifold->normal, 3);
		for (uint32_t point = 0; point < of->count; point++) {
			hash = hash_words(hash, &manifold->points[point], sizeof *manifold->points / sizeof(uint32_t));
			hash = hash_words(hash, &manifold->places[point], sizeof *manifold->places / sizeof(uint32_t));
			hash = hash_words(hash, manifold->impulses[point], 3);
		}
		sum += hash;
	}
	return sum;
}

/* ---- the loop ----------------------------------------------------------------------------------- */

static int fail(const char *reason, uint32_t frame)
{
	printf("frames: %s in frame %u\n", reason, frame);
	return 1;
}

int main(int count, char **arguments)
{
	static engine e;
	const wp_shape shapes[] = {
		wp_shape_half_space(), wp_shape_box(HALF, HALF, HALF), wp_shape_sphere(HALF), wp_shape_capsule(0.3f, 0.2f)};
	if (wp_workspace_init(e.workspace_memory, sizeof e.workspace_memory, WP_VARIANT_AUTO, &e.workspace) != WP_OK ||
		wp_shape_table_build(shapes, 4, e.table_memory, sizeof e.table_memory, &e.shapes, NULL) != WP_OK ||
		wp_track_pool_init(&e.pool, e.tracked, PAIRS_MAX) != WP_OK)
		return fail("no start", 0);
	clear_map(&e.maps[1]);
	for (uint32_t i = 0; i < BODIES; i++)
		e.order[i] = i;

	const uint32_t frames = count > 2 ? (uint32_t)strtoul(arguments[2], NULL, 10) : FRAMES;
	uint32_t kept = 0, touching = 0, pairs = 0, most = 0;
	uint64_t digest = 0;
	for (uint32_t frame = 0; frame < frames; frame++) {
		move_bodies(&e, frame);
		if (!find_pairs(&e) || !match_pairs(&e, &e.maps[1 - frame % 2], &e.maps[frame % 2]))
			return fail("too many pairs", frame);
		if (find_contacts(&e) != WP_OK || e.counts.invalid != 0)
			return fail("no contacts", frame);
		if (!solve(&e, &kept, &touching))
			return fail("an impulse was lost", frame);
		if (touching != e.touching)
			return fail("a change was not reported", frame);
		digest = digest * 0x100000001b3u + digest_frame(&e);
		pairs += e.pair_count;
		most = e.pair_count > most ? e.pair_count : most;
	}
	printf("frames: %d bodies, %u pairs in %u frames; in the last one %u of %u touch, %u are kept apart; %016" PRIx64
		   "\n",
		BODIES, pairs, frames, touching, e.pair_count, kept, digest);
	if (count > 1 && digest != strtoull(arguments[1], NULL, 16))
		return fail("other contacts", frames);

	/* Without bodies all pairs are given back: as many as were in use can be taken, and none of them is a new one. */
	e.pair_count = 0;
	if (!match_pairs(&e, &e.maps[1 - frames % 2], &e.maps[frames % 2]) || e.touching != 0)
		return fail("a pair was not given back", frames);
	const uint32_t used = e.pool.used;
	for (uint32_t i = 0; i < used; i++)
		if (wp_track_pool_take(&e.pool) >= used)
			return fail("a pair was not given back", frames);
	return used > most + BODIES || kept == 0 || touching == 0;
}
