/* Contacts of compounds by Bullet, for the cells of compounds. */
#ifndef BENCH_PEERS_COMPOUND_H
#define BENCH_PEERS_COMPOUND_H

#include <widephase/compound.h>

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Pairs of bodies, 2 i and 2 i + 1, that all have the same compound of boxes, capsules and hulls of these points. */
typedef struct peer_compounds {
	const wp_shape *shapes; /* of the children; hulls have the points below */
	const float (*points)[3];
	size_t point_count;
	const wp_compound_child *children;
	size_t child_count;
	const wp_pose *poses; /* [2 * pair_count] */
	size_t pair_count;
} peer_compounds;

/* NULL where Bullet was not found, or memory ran out. */
void *peer_bullet_compounds_make(const peer_compounds *compounds);
void peer_bullet_compounds_free(void *scene);

/* Contacts of all pairs once: how many points they have within 0.02. */
size_t peer_bullet_compounds_contact(void *scene);

#ifdef __cplusplus
}
#endif

#endif
