/* Contacts of bodies with a mesh by Bullet and ODE, for the cells of meshes. */
#ifndef BENCH_PEERS_MESH_CONTACT_H
#define BENCH_PEERS_MESH_CONTACT_H

#include <widephase/cook.h>

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum peer_body_kind { PEER_BODY_BOX, PEER_BODY_SPHERE, PEER_BODY_CAPSULE, PEER_BODY_HULL } peer_body_kind;

/* A body's shape. */
typedef struct peer_body {
	peer_body_kind kind;
	float size[3];            /* half extents of a box, radius, radius and half height */
	const float (*points)[3]; /* of a hull */
	size_t point_count;
} peer_body;

/* What a peer has: a mesh and one shape. NULL where it was not found, has no such shapes or memory ran out. */
void *peer_bullet_scene_make(const wp_mesh_input *input, const peer_body *body);
void peer_bullet_scene_free(void *scene);
void *peer_ode_scene_make(const wp_mesh_input *input, const peer_body *body);
void peer_ode_scene_free(void *scene);

/* How many contact points the shape has with the mesh, at a pose. */
size_t peer_bullet_contact(void *scene, const float position[3], const float rotation[4]);
size_t peer_ode_contact(void *scene, const float position[3], const float rotation[4]);

/* The fraction of the way after which the shape hits the mesh; 1 where it does not. */
float peer_bullet_cast(void *scene, const float position[3], const float rotation[4], const float way[3]);

/* Bodies with one shape and a mesh, whose contacts are kept from frame to frame. */
void *peer_bullet_frames_make(const wp_mesh_input *input, const peer_body *body, size_t count);
void peer_bullet_frames_free(void *frames);

/* How many contact points a body has at its pose in this frame, after the manifold of the last frame is brought up to date. */
size_t peer_bullet_frame(void *frames, size_t body, const float position[3], const float rotation[4]);

#ifdef __cplusplus
}
#endif

#endif
