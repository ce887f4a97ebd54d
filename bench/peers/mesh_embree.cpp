/* A scene of Embree with one mesh, built as by default, in one thread; the first hit of each ray. */
#include "mesh.h"

#ifdef PEER_EMBREE

#include <embree3/rtcore.h>

#include <cstring>
#include <memory>

namespace
{

struct embree_mesh {
	RTCDevice device = nullptr;
	RTCScene scene = nullptr;
	~embree_mesh()
	{
		rtcReleaseScene(scene);
		rtcReleaseDevice(device);
	}
};

/* Of packed arrays. */
bool add_triangles(const wp_mesh_input &input, RTCGeometry geometry)
{
	const size_t corners = 3 * sizeof(unsigned), places = 3 * sizeof(float);
	void *const vertices = rtcSetNewGeometryBuffer(
		geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, places, input.vertex_count);
	void *const triangles = rtcSetNewGeometryBuffer(
		geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, corners, input.triangle_count);
	if (!vertices || !triangles)
		return false;
	std::memcpy(vertices, input.vertices.data, places * input.vertex_count);
	std::memcpy(triangles, input.triangles.data, corners * input.triangle_count);
	rtcCommitGeometry(geometry);
	return true;
}

} // namespace

void *peer_embree_make(const wp_mesh_input *input)
{
	auto made = std::make_unique<embree_mesh>();
	made->device = rtcNewDevice("threads=1");
	made->scene = rtcNewScene(made->device);
	const RTCGeometry geometry = rtcNewGeometry(made->device, RTC_GEOMETRY_TYPE_TRIANGLE);
	const bool has = add_triangles(*input, geometry);
	rtcAttachGeometry(made->scene, geometry);
	rtcReleaseGeometry(geometry);
	rtcCommitScene(made->scene);
	return has && rtcGetDeviceError(made->device) == RTC_ERROR_NONE ? made.release() : nullptr;
}

void peer_embree_free(void *mesh) { delete static_cast<embree_mesh *>(mesh); }

size_t peer_embree_ray(void *mesh, const float start[3], const float way[3])
{
	RTCIntersectContext context;
	RTCRayHit ray = {};
	rtcInitIntersectContext(&context);
	ray.ray.org_x = start[0];
	ray.ray.org_y = start[1];
	ray.ray.org_z = start[2];
	ray.ray.dir_x = way[0];
	ray.ray.dir_y = way[1];
	ray.ray.dir_z = way[2];
	ray.ray.tfar = 1.0f;
	ray.ray.mask = ~0u;
	ray.hit.geomID = ray.hit.instID[0] = RTC_INVALID_GEOMETRY_ID;
	rtcIntersect1(static_cast<embree_mesh *>(mesh)->scene, &context, &ray);
	return ray.hit.geomID != RTC_INVALID_GEOMETRY_ID;
}

#else

/* Never called. */
void *peer_embree_make(const wp_mesh_input *) { return nullptr; }
void peer_embree_free(void *) {}
size_t peer_embree_ray(void *, const float[3], const float[3]) { return 0; }

#endif
