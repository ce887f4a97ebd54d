/* Workspaces that threads take turns with: a collision function of MuJoCo has no place of its own to keep one. */
#ifndef ENGINES_MUJOCO_POOL_H
#define ENGINES_MUJOCO_POOL_H

#include <widephase/widephase.h>

#include <stdatomic.h>
#include <stdbool.h>

/* One workspace, and room for a table of the two shapes of a pair that is not prepared. */
typedef struct place {
	_Alignas(WP_ALIGNMENT) atomic_bool is_taken;
	wp_workspace *workspace;
	void *pair_table; /* wp_shape_table_size(2) bytes */
} place;

/* Allocate `count` places; false where memory ran out. */
bool pool_make(uint32_t count);

/* Release them; no thread may hold one. */
void pool_release(void);

/* A place that no other thread has until it is given back. Waits for one: a call that holds a place ends, since every row of
 * the library does. A thread gets the place that it had before, if it can. */
place *pool_take(void);
void pool_give_back(place *taken);

/* Memory of WP_ALIGNMENT, for free_aligned; NULL where it ran out. */
void *allocate_aligned(size_t size);
void free_aligned(void *memory);

#endif
