/* ODE in the precision of its package (double on Debian): a trimesh by dCollide. Its hulls have hundreds of points or none on a
 * trimesh, so there are none here. */
#include "mesh_contact.h"

#ifdef PEER_ODE

#include <ode/ode.h>

#include <memory>

namespace
{

constexpr int contacts_max = 64;

struct ode_scene {
	dTriMeshDataID data = nullptr;
	dGeomID mesh = nullptr, body = nullptr;

	~ode_scene()
	{
		if (body)
			dGeomDestroy(body);
		if (mesh)
			dGeomDestroy(mesh);
		if (data)
			dGeomTriMeshDataDestroy(data);
	}
};

} // namespace

void *peer_ode_scene_make(const wp_mesh_input *input, const peer_body *body)
{
	static const int initialized = dInitODE2(0);
	if (!initialized || body->kind == PEER_BODY_HULL)
		return nullptr;
	auto made = std::make_unique<ode_scene>();
	made->data = dGeomTriMeshDataCreate();
	dGeomTriMeshDataBuildSingle(made->data, input->vertices.data, 12, static_cast<int>(input->vertex_count),
		input->triangles.data, static_cast<int>(3 * input->triangle_count), 12);
	made->mesh = dCreateTriMesh(nullptr, made->data, nullptr, nullptr, nullptr);
	const float *size = body->size;
	made->body = body->kind == PEER_BODY_BOX    ? dCreateBox(nullptr, 2.0 * size[0], 2.0 * size[1], 2.0 * size[2])
	           : body->kind == PEER_BODY_SPHERE ? dCreateSphere(nullptr, size[0])
	                                            : dCreateCapsule(nullptr, size[0], 2.0 * size[1]);
	return made.release();
}

void peer_ode_scene_free(void *scene) { delete static_cast<ode_scene *>(scene); }

size_t peer_ode_contact(void *scene, const float position[3], const float rotation[4])
{
	auto &s = *static_cast<ode_scene *>(scene);
	static dContactGeom contacts[contacts_max];
	const dQuaternion turn = {rotation[3], rotation[0], rotation[1], rotation[2]};
	dGeomSetPosition(s.body, position[0], position[1], position[2]);
	dGeomSetQuaternion(s.body, turn);
	return static_cast<size_t>(dCollide(s.body, s.mesh, contacts_max, contacts, sizeof contacts[0]));
}

#else

/* Never called. */
void *peer_ode_scene_make(const wp_mesh_input *, const peer_body *) { return nullptr; }
void peer_ode_scene_free(void *) {}
size_t peer_ode_contact(void *, const float[3], const float[4]) { return 0; }

#endif
