/* Pairs of files on trial: every query by every variant, against the certificates, the oracle and the reference. What the
 * campaign wrote of a broken promise is judged here as it was there.
 *
 *   cases FILE.pairs...
 *
 * The exit code is 1 where a promise is broken, 2 where a file cannot be read. */
#include "capture.h"
#include "scene.h"
#include "support/trial.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool fail(const char *error)
{
	fprintf(stderr, "cases: %s\n", error);
	exit(2);
}

static trial trial_of(const capture_scene *scene, const capture_pair *pair)
{
	trial t;
	memset(&t, 0, sizeof t);
	t.shape[0] = scene->shapes[pair->a];
	t.shape[1] = scene->shapes[pair->b];
	memcpy(t.pose[0].position, pair->position_a, sizeof pair->position_a);
	memcpy(t.pose[0].rotation, pair->rotation_a, sizeof pair->rotation_a);
	memcpy(t.pose[1].position, pair->position_b, sizeof pair->position_b);
	memcpy(t.pose[1].rotation, pair->rotation_b, sizeof pair->rotation_b);
	return t;
}

/* Two half-spaces are no pair; a file has some, to be refused. */
static bool is_pair(const trial *t)
{
	return t->shape[0].kind != WP_SHAPE_HALF_SPACE || t->shape[1].kind != WP_SHAPE_HALF_SPACE;
}

/* Returns how many pairs of a file break a promise. */
static unsigned judge_file(const char *path)
{
	capture_file file;
	capture_scene scene;
	capture_pair pair;
	char error[CAPTURE_ERROR_MAX];
	size_t count = 0;
	unsigned broken = 0, index = 0;
	if (!capture_open(&file, path))
		fail(file.error);
	if (!scene_build(&scene, &file, error))
		fail(error);
	while ((capture_read(&file, &pair, 1, &count) || fail(file.error)) && count != 0) {
		const trial t = trial_of(&scene, &pair);
		const unsigned oracle = trial_suits_oracle(&t) ? TRIAL_ORACLE : 0;
		const char *const promise = is_pair(&t) ? trial_check(&t, oracle | TRIAL_REFERENCE | TRIAL_METHODS) : NULL;
		if (promise != NULL) {
			printf("%s, pair %u: broken: %s\n", path, index, promise);
			broken++;
		}
		index++;
	}
	scene_free(&scene);
	capture_close(&file);
	printf("%s: %u pairs, %u broken\n", path, index, broken);
	return broken;
}

int main(int argc, char **argv)
{
	unsigned broken = 0;
	if (argc < 2) {
		fputs("usage: cases FILE.pairs...\n", stderr);
		return 2;
	}
	for (int i = 1; i < argc; i++)
		broken += judge_file(argv[i]);
	return broken != 0;
}
