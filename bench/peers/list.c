/* All peers that this build has. */
#include "peer.h"

const peer *const peer_list[] = {
#ifdef PEER_BULLET
	&peer_bullet_gjk,
	&peer_bullet_epa2,
	&peer_bullet_mpr,
	&peer_bullet_algorithm,
	&peer_bullet_margin,
	&peer_bullet_faces,
	&peer_bullet_ccd,
#endif
#ifdef PEER_CCD
	&peer_ccd_epa,
	&peer_ccd_mpr,
#endif
#ifdef PEER_FCL
	&peer_fcl_ccd,
	&peer_fcl_indep,
#endif
#ifdef PEER_ODE
	&peer_ode,
#endif
#ifdef PEER_MUJOCO
	&peer_mujoco,
	&peer_mujoco_margin,
#endif
	NULL,
};

const peer_frames *const peer_frames_list[] = {
#ifdef PEER_BULLET
	&peer_bullet_algorithm_frames,
	&peer_bullet_faces_frames,
#endif
#ifdef PEER_ODE
	&peer_ode_frames,
#endif
	NULL,
};
