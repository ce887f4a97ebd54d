/* Box2D 2.4: b2Distance for overlap and distance, its functions of pairs of shapes for manifolds of circles
 * and of polygons of up to 8 vertices. Polygons have its skin of 0.01 each there, so those within 0.02 have
 * points; b2Distance is given none. */
#include "box2d.h"

#include <box2d/b2_distance.h>
#include <box2d/box2d.h>

#include <memory>
#include <vector>

namespace
{

struct shape {
	std::vector<b2Vec2> core;
	b2DistanceProxy proxy;
	b2CircleShape circle;
	b2PolygonShape polygon;
	bool is_circle = false;
};

struct scene {
	std::vector<shape> shapes;
	std::vector<const shape *> of; /* of each body */
	std::vector<b2Transform> poses;
};

bool is_polygon(const wp2d_shape &from)
{
	return from.kind == WP2D_SHAPE_POLYGON && from.vertex_count >= 3 && from.vertex_count <= b2_maxPolygonVertices &&
	       from.radius == 0.0f;
}

void make(const wp2d_shape &from, shape &to)
{
	if (from.kind == WP2D_SHAPE_CIRCLE)
		to.core = {{0.0f, 0.0f}};
	else if (from.kind == WP2D_SHAPE_CAPSULE)
		to.core = {{0.0f, -from.half_height}, {0.0f, from.half_height}};
	else if (from.kind == WP2D_SHAPE_SEGMENT)
		to.core = {{from.points[0][0], from.points[0][1]}, {from.points[1][0], from.points[1][1]}};
	for (uint32_t index = 0; from.kind == WP2D_SHAPE_POLYGON && index < from.vertex_count; index++)
		to.core.push_back({from.vertices[2 * index], from.vertices[2 * index + 1]});
	to.proxy.Set(to.core.data(), static_cast<int32>(to.core.size()), from.radius);
	to.is_circle = from.kind == WP2D_SHAPE_CIRCLE;
	to.circle.m_radius = from.radius;
	if (is_polygon(from))
		to.polygon.Set(to.core.data(), static_cast<int32>(to.core.size()));
}

void store(float *to, const b2Vec2 &from)
{
	to[0] = from.x;
	to[1] = from.y;
}

void run_distance(const scene &in, bool wants_overlap, box2d_row *rows)
{
	b2DistanceInput input;
	input.useRadii = true;
	for (size_t row = 0; 2 * row < in.of.size(); row++) {
		b2SimplexCache cache;
		b2DistanceOutput output;
		cache.count = 0;
		input.proxyA = in.of[2 * row]->proxy;
		input.proxyB = in.of[2 * row + 1]->proxy;
		input.transformA = in.poses[2 * row];
		input.transformB = in.poses[2 * row + 1];
		b2Distance(&output, &cache, &input);
		/* As in b2TestOverlap. */
		rows[row].overlaps = output.distance < 10.0f * b2_epsilon;
		if (wants_overlap)
			continue;
		rows[row].separation = output.distance;
		store(rows[row].point_a, output.pointA);
		store(rows[row].point_b, output.pointB);
	}
}

void run_manifold(const scene &in, box2d_row *rows)
{
	for (size_t row = 0; 2 * row < in.of.size(); row++) {
		const shape &a = *in.of[2 * row], &b = *in.of[2 * row + 1];
		const b2Transform &at_a = in.poses[2 * row], &at_b = in.poses[2 * row + 1];
		b2Manifold manifold;
		b2WorldManifold world;
		manifold.pointCount = 0;
		if (a.is_circle)
			b2CollideCircles(&manifold, &a.circle, at_a, &b.circle, at_b);
		else
			b2CollidePolygons(&manifold, &a.polygon, at_a, &b.polygon, at_b);
		rows[row].point_count = static_cast<uint32_t>(manifold.pointCount);
		if (manifold.pointCount == 0)
			continue;
		world.Initialize(&manifold, at_a, a.is_circle ? a.circle.m_radius : a.polygon.m_radius, at_b,
			a.is_circle ? b.circle.m_radius : b.polygon.m_radius);
		const int deepest = manifold.pointCount == 2 && world.separations[1] < world.separations[0];
		rows[row].separation = world.separations[deepest] + (a.is_circle ? 0.0f : 2.0f * b2_polygonRadius);
		store(rows[row].point_a, world.points[deepest]);
		store(rows[row].point_b, world.points[deepest]);
		store(rows[row].normal, world.normal);
	}
}

} // namespace

void *box2d_create(
	const wp2d_shape *shapes, uint32_t shape_count, const uint32_t *shape_of, const wp2d_pose *poses, size_t pair_count)
try {
	auto made = std::make_unique<scene>();
	made->shapes.resize(shape_count);
	for (uint32_t index = 0; index < shape_count; index++)
		make(shapes[index], made->shapes[index]);
	for (size_t body = 0; body < 2 * pair_count; body++) {
		b2Transform pose;
		pose.p.Set(poses[body].position[0], poses[body].position[1]);
		pose.q.c = poses[body].rotation[0];
		pose.q.s = poses[body].rotation[1];
		made->of.push_back(&made->shapes[shape_of[body]]);
		made->poses.push_back(pose);
	}
	return made.release();
} catch (...) {
	return nullptr;
}

void box2d_destroy(void *opaque) { delete static_cast<scene *>(opaque); }

void box2d_run(void *opaque, box2d_query query, box2d_row *rows)
{
	const scene &in = *static_cast<const scene *>(opaque);
	if (query == BOX2D_MANIFOLD)
		run_manifold(in, rows);
	else
		run_distance(in, query == BOX2D_OVERLAP, rows);
}
