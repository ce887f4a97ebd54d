/* Heaps of convex bodies in MuJoCo: the time of mj_collision, and of its pairs alone, by the library's functions and by MuJoCo's,
 * which take turns on the same states, and the errors of both against the reference in double precision. */
#include "support/mujoco_geom.h"

#include <widephase/mujoco.h>

#include <stdbool.h>
#include <time.h>

#define SIDE 4 /* bodies of a heap along each axis at the start */
#define BODIES (SIDE * SIDE * SIDE)
#define STATES 16
#define ROUNDS 15
#define PAIRS_MAX 20000
#define TEXT_MAX 40000

/* Errors above this share of size plus distance count as wrong. */
#define WRONG 1e-3

typedef mjfCollision functions[mjNGEOMTYPES][mjNGEOMTYPES];

/* What one side found. */
typedef struct side {
	const char *name;
	functions table;
	double collision, pairs; /* seconds, over all states: sums of the least of each state */
	long contacts, judged, wrong, missed;
	double largest;
} side;

typedef struct asked_pair {
	int geom1, geom2;
	mjtNum margin;
} asked_pair;

static asked_pair asked[PAIRS_MAX];
static int asked_count;

static uint64_t seed = 1;

static double draw(double from, double to)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return from + (to - from) * (double)(seed >> 11) / 9007199254740992.0;
}

/* Processor time of this thread, in seconds. */
static double clock_now(void)
{
	struct timespec now;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* In place of a collision function: notes the pair. */
static int note(const mjModel *m, const mjData *d, mjContact *contacts, int geom1, int geom2, mjtNum margin)
{
	(void)m, (void)d, (void)contacts;
	if (asked_count < PAIRS_MAX)
		asked[asked_count++] = (asked_pair){geom1, geom2, margin};
	return 0;
}

/* ---- heaps ---- */

static size_t add_mesh(char *text, size_t size)
{
	size_t at = (size_t)snprintf(text, size, "<mesh name='rock' vertex='");
	for (int i = 0; i < 32; i++) {
		mjtNum v[3] = {draw(-1, 1), draw(-1, 1), draw(-1, 1)};
		mju_normalize3(v);
		at += (size_t)snprintf(text + at, size - at, "%.4f %.4f %.4f ", 0.25 * v[0], 0.2 * v[1], 0.15 * v[2]);
	}
	return at + (size_t)snprintf(text + at, size - at, "'/>");
}

/* The MJCF text of a heap in a pit of four walls; bodies take turns with the geoms. */
static void write_heap(char *text, const char *const *geoms, int geom_count)
{
	size_t at = (size_t)snprintf(
		text, TEXT_MAX, "<mujoco><size njmax='4000' nconmax='1000'/><option timestep='0.002'/><asset>");
	at += add_mesh(text + at, TEXT_MAX - at);
	at += (size_t)snprintf(text + at, TEXT_MAX - at,
		"</asset><worldbody><geom type='plane' size='5 5 1'/><geom type='box' size='0.1 1.6 1' pos='1.4 0 1'/>"
		"<geom type='box' size='0.1 1.6 1' pos='-1.4 0 1'/><geom type='box' size='1.6 0.1 1' pos='0 1.4 1'/>"
		"<geom type='box' size='1.6 0.1 1' pos='0 -1.4 1'/>");
	for (int i = 0; i < BODIES; i++)
		at += (size_t)snprintf(text + at, TEXT_MAX - at,
			"<body pos='%.4f %.4f %.4f' euler='%.1f %.1f %.1f'><freejoint/><geom %s/></body>",
			0.6 * (i % SIDE) - 0.9 + draw(-0.03, 0.03), 0.6 * (i / SIDE % SIDE) - 0.9 + draw(-0.03, 0.03),
			0.5 + 0.6 * (i / SIDE / SIDE), draw(0, 360), draw(0, 360), draw(0, 360), geoms[i % geom_count]);
	snprintf(text + at, TEXT_MAX - at, "</worldbody></mujoco>");
}

/* ---- one state ---- */

static double least(const mjContact *contacts, int count)
{
	double found = INFINITY;
	for (int i = 0; i < count; i++)
		found = fmin(found, contacts[i].dist);
	return found;
}

static void judge(side *of, const mjModel *m, const mjData *d, const wp_hull *const *hulls)
{
	for (int i = 0; i < asked_count; i++) {
		const asked_pair *const pair = &asked[i];
		mjContact contacts[mjMAXCONPAIR];
		const int count = of->table[m->geom_type[pair->geom1]][m->geom_type[pair->geom2]](
			m, d, contacts, pair->geom1, pair->geom2, pair->margin);
		const double size = geom_pair_size(m, pair->geom1, pair->geom2);
		const double truth = geom_separation(m, d, pair->geom1, pair->geom2, hulls, 1e-5 * size);
		if (isnan(truth))
			continue;
		const double unit = size + fabs(truth);
		of->contacts += count;
		of->judged++;
		if (count == 0) {
			of->missed += truth < pair->margin - WRONG * unit;
			continue;
		}
		const double off = fabs(least(contacts, count) - truth) / unit;
		of->largest = fmax(of->largest, off);
		of->wrong += off > WRONG;
	}
}

static double time_pairs(const side *of, const mjModel *m, const mjData *d)
{
	const double start = clock_now();
	for (int i = 0; i < asked_count; i++) {
		mjContact contacts[mjMAXCONPAIR];
		of->table[m->geom_type[asked[i].geom1]][m->geom_type[asked[i].geom2]](
			m, d, contacts, asked[i].geom1, asked[i].geom2, asked[i].margin);
	}
	return clock_now() - start;
}

static double time_collision(const side *of, const mjModel *m, mjData *d)
{
	memcpy(mjCOLLISIONFUNC, of->table, sizeof of->table);
	const double start = clock_now();
	mj_collision(m, d);
	return clock_now() - start;
}

/* The pairs that the two sides answer by different functions. */
static void note_pairs(const mjModel *m, mjData *d, const side sides[2])
{
	asked_count = 0;
	for (int i = 0; i < mjNGEOMTYPES; i++)
		for (int k = 0; k < mjNGEOMTYPES; k++)
			mjCOLLISIONFUNC[i][k] = sides[0].table[i][k] != sides[1].table[i][k] ? note : NULL;
	mj_collision(m, d);
}

static void measure_state(const mjModel *m, mjData *d, side sides[2], const wp_hull *const *hulls)
{
	double collision[2] = {INFINITY, INFINITY}, pairs[2] = {INFINITY, INFINITY};
	note_pairs(m, d, sides);
	for (int round = 0; round < ROUNDS; round++)
		for (int i = 0; i < 2; i++) {
			collision[i] = fmin(collision[i], time_collision(&sides[i], m, d));
			pairs[i] = fmin(pairs[i], time_pairs(&sides[i], m, d));
		}
	for (int i = 0; i < 2; i++) {
		sides[i].collision += collision[i];
		sides[i].pairs += pairs[i];
		judge(&sides[i], m, d, hulls);
	}
}

/* ---- one heap ---- */

static void measure_heap(const char *name, const char *const *geoms, int geom_count)
{
	static char text[TEXT_MAX];
	static side sides[2];
	memset(sides, 0, sizeof sides);
	sides[0].name = "widephase";
	sides[1].name = "MuJoCo";
	write_heap(text, geoms, geom_count);
	mjModel *const m = load_text(text);
	mjData *const d = mj_makeData(m);
	const wp_hull **const hulls = cook_hulls(m);
	long pair_count = 0;
	memcpy(sides[1].table, mjCOLLISIONFUNC, sizeof sides[1].table);
	wp_mujoco_install(NULL);
	wp_mujoco_add_model(m);
	memcpy(sides[0].table, mjCOLLISIONFUNC, sizeof sides[0].table);
	for (int state = 0; state < STATES; state++) {
		memcpy(mjCOLLISIONFUNC, sides[0].table, sizeof sides[0].table);
		for (int step = 0; step < 100; step++)
			mj_step(m, d);
		mj_kinematics(m, d);
		mj_comPos(m, d);
		measure_state(m, d, sides, hulls);
		pair_count += asked_count;
	}
	printf("%s: %ld pairs a state\n", name, pair_count / STATES);
	for (int i = 0; i < 2; i++)
		printf("  %-9s mj_collision %6.1f us, a pair %5.0f ns, %4ld contacts; of %ld pairs %ld off by more than 1e-3, "
			   "largest error %.1e, missed %ld\n",
			sides[i].name, 1e6 * sides[i].collision / STATES, 1e9 * sides[i].pairs / (double)pair_count,
			sides[i].contacts / STATES, sides[i].judged, sides[i].wrong, sides[i].largest, sides[i].missed);
	printf("  MuJoCo's time over widephase's: mj_collision %.2f, pairs %.2f\n", sides[1].collision / sides[0].collision,
		sides[1].pairs / sides[0].pairs);
	wp_mujoco_restore();
	free_hulls(m, hulls);
	mj_deleteData(d);
	mj_deleteModel(m);
}

int main(void)
{
	static const char *const box = "type='box' size='0.2 0.15 0.1'",
							 *const cylinder = "type='cylinder' size='0.15 0.15'",
							 *const ellipsoid = "type='ellipsoid' size='0.2 0.15 0.12'",
							 *const capsule = "type='capsule' size='0.1 0.15'", *const rock = "type='mesh' mesh='rock'";
	measure_heap("boxes", &box, 1);
	measure_heap("cylinders", &cylinder, 1);
	measure_heap("ellipsoids", &ellipsoid, 1);
	measure_heap("hulls of 32 vertices", &rock, 1);
	measure_heap("capsules and boxes", (const char *const[]){capsule, box}, 2);
	measure_heap("all kinds", (const char *const[]){box, cylinder, ellipsoid, capsule, rock}, 5);
	return 0;
}
