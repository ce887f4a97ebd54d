/* What the peers share. */
#ifndef BENCH_PEERS_PEER_HPP
#define BENCH_PEERS_PEER_HPP

#include "peer.h"

#include <cmath>
#include <vector>

/* Whether all shapes are such as the peer has; with a rounding radius of their own they are beyond all peers.
 */
inline bool peer_has_all(const peer_input &input, bool (*has)(uint32_t kind))
{
	for (uint32_t index = 0; index < input.shape_count; index++) {
		const peer_shape &of = input.shapes[index];
		if (!has(of.kind) || (of.kind != PEER_SPHERE && of.kind != PEER_CAPSULE && of.param[3] != 0.0f))
			return false;
	}
	return true;
}

/* One C++ type for each peer's scenes, which lists the kinds it has; nothing may leave as an exception. */
template <typename Scene> void *peer_create(const peer_input *input)
{
	try {
		return peer_has_all(*input, Scene::has) ? new Scene(*input) : nullptr;
	} catch (...) {
		return nullptr;
	}
}

/* The same for scenes of several frames. */
template <typename Scene> void *peer_create_frames(const peer_input *input, size_t frame_pairs)
{
	try {
		return peer_has_all(*input, Scene::has) ? new Scene(*input, frame_pairs) : nullptr;
	} catch (...) {
		return nullptr;
	}
}

/* The first frame. */
inline peer_input peer_first_frame(peer_input input, size_t frame_pairs)
{
	input.pair_count = frame_pairs;
	return input;
}

template <typename Scene> void peer_destroy(void *scene) { delete static_cast<Scene *>(scene); }

inline void peer_store(double *to, double x, double y, double z)
{
	to[0] = x;
	to[1] = y;
	to[2] = z;
}

inline void peer_answer_only(peer_row &row, peer_answer answer)
{
	row.separation = std::nan("");
	row.answer = answer;
}

/* Faces of the hulls of an input, for peers that want more than vertices. */
struct peer_hull {
	std::vector<double> points;     /* x, y, z of each vertex */
	std::vector<unsigned> polygons; /* for each face: its size, then its vertices counter-clockwise */
	std::vector<double> planes;     /* for each face: its outward unit normal and offset */
	unsigned point_count = 0, face_count = 0;
};

/* Throws std::runtime_error where the hull has no faces, or the build no qhull. */
peer_hull peer_cook(const peer_input &input, const peer_shape &shape);

#endif
