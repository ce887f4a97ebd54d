/* Every cell of the benchmark, by subject. Each function registers its cells and returns false when memory
 * ran out; nothing is loaded before a cell runs. */
#ifndef BENCH_CELLS_H
#define BENCH_CELLS_H

#include "peers/peer.h"
#include "work.h"

/* QUERY/KIND/REGIME/VARIANT: the library on every set of pairs. */
bool cells_add_library(void);

/* QUERY/KIND/REGIME/PEER: other libraries on the same pairs. */
bool cells_add_peers(void);
void cells_free_peers(void);

/* batch/KIND/engine/VARIANT/SIZE: contacts by calls of that many rows. */
bool cells_add_batches(void);

/* threads/KIND/engine/VARIANT: contacts of one batch by several threads, each with a workspace. */
bool cells_add_threads(void);

/* cold/KIND/ORDER/VARIANT: contacts of bodies and hulls too many for the caches. */
bool cells_add_cold(void);
void cells_free_cold(void);

/* QUERY/KIND/REGIME/VARIANT of casts and directed depths, by the library and by peers. */
bool cells_add_casts(void);

/* manifold/KIND/REGIME/VARIANT: contacts with up to four points, by the library and by peers. */
bool cells_add_manifolds(void);
void cells_free_manifolds(void);

/* frame/SEQUENCE/MODE/VARIANT: the same pairs frame by frame, with what is kept of them, by the library and by peers. */
bool cells_add_frames(void);
void cells_free_frames(void);

/* method/KIND/REGIME/METHOD: contacts by each wp_method, by the best variant. */
bool cells_add_methods(void);
void cells_free_methods(void);

/* QUERY_2d/KIND/REGIME/VARIANT: 2D pairs, by the library and by Box2D. */
bool cells_add_2d(void);
void cells_free_2d(void);

/* mesh_WHAT/terrain/LIBRARY: meshes cooked, checked, and searched by boxes and rays; where widephase-cook is built. */
bool cells_add_meshes(void);
void cells_free_meshes(void);

/* mesh_contact/KIND.SIZE/LIBRARY, mesh_distance/.., mesh_cast/..: bodies on a mesh or above it; where widephase-cook is built. */
bool cells_add_mesh_contacts(void);
void cells_free_mesh_contacts(void);

/* compound/KIND.CHILDREN/LIBRARY: manifolds of compounds, by the library and by Bullet. */
bool cells_add_compounds(void);
void cells_free_compounds(void);

/* compound_mesh/QUERY.CHILDREN/WAY: compounds near a mesh, child by child or together; compound_frame/MOTION.CHILDREN/WAY: their
 * frames; where widephase-cook is built. */
bool cells_add_compound_meshes(void);
void cells_free_compound_meshes(void);

void cells_free(void);

/* ---- for the parts of cells ----------------------------------------------------------------------- */

#define CELLS_NAME_MAX 160

/* Context of cells, freed by cells_free. NULL when memory ran out. */
void *cells_allocate(size_t size);

/* A set of pairs as a peer holds it, with the motions of casts or NULL, freed by cells_free_peers. NULL, and
 * report->error has the reason. */
void *cells_peer_scene(const peer *of, const pair_set *set, const peer_motion *motions, bench_report *report);

/* Room for a peer's answers: [count], the same memory for all cells, as for work_rows. */
peer_row *cells_peer_rows(size_t count);

/* A scene of a loaded set whose hulls have faces, freed by scene_free. False, and report->error has the reason. */
bool cells_build_faces(pair_set *set, capture_scene *scene, bench_report *report);

/* Call `use` for each kind and regime that cells are timed on; false where it is. */
bool cells_each_set(bool (*use)(pair_set *set, void *context), void *context);

#endif
