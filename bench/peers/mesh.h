/* Meshes of Bullet and of Embree, for the cells of meshes. */
#ifndef BENCH_PEERS_MESH_H
#define BENCH_PEERS_MESH_H

#include <widephase/cook.h>

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Whether Bullet was found: without it the calls are not to be made. */
#ifdef PEER_BULLET
#define peer_mesh_is_built true
#else
#define peer_mesh_is_built false
#endif

/* Whether Embree was found. */
#ifdef PEER_EMBREE
#define peer_embree_is_built true
#else
#define peer_embree_is_built false
#endif

/* The triangles, which the mesh refers to, with their tree. NULL when memory ran out. */
void *peer_mesh_make(const wp_mesh_input *input);
void peer_mesh_free(void *mesh);

/* How many triangles the peer takes for those that meet a box. */
size_t peer_mesh_box(void *mesh, const float lower[3], const float upper[3]);

/* 1 where a ray meets the mesh, and 0. */
size_t peer_mesh_ray(void *mesh, const float start[3], const float way[3]);

/* The same of Embree: its triangles copied, its rays one by one. */
void *peer_embree_make(const wp_mesh_input *input);
void peer_embree_free(void *mesh);
size_t peer_embree_ray(void *mesh, const float start[3], const float way[3]);

#ifdef __cplusplus
}
#endif

#endif
