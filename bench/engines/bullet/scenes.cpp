#include "scenes.hpp"

#include <cmath>

namespace
{

constexpr float pi = 3.14159265f;
constexpr float density = 100.0f;

btTransform at(const btVector3 &origin) { return btTransform(btQuaternion::getIdentity(), origin); }

/* ---- ground, pen and what is thrown into it ------------------------------------------------------------ */

constexpr float pen_half = 5.0f, pen_height = 40.0f;
constexpr float ground_half = 40.0f;

/* Its upper side is at height 0. */
void add_ground(world &to)
{
	to.add(to.box(btVector3(ground_half, 2.0f, ground_half)), 0.0f, at(btVector3(0.0f, -2.0f, 0.0f)));
}

void add_pen(world &to)
{
	add_ground(to);
	const float out = pen_half + 0.5f, up = 0.5f * pen_height;
	btCollisionShape *across = to.box(btVector3(pen_half + 1.0f, up, 0.5f));
	btCollisionShape *along = to.box(btVector3(0.5f, up, pen_half + 1.0f));
	to.add(across, 0.0f, at(btVector3(0.0f, up, out)));
	to.add(across, 0.0f, at(btVector3(0.0f, up, -out)));
	to.add(along, 0.0f, at(btVector3(out, up, 0.0f)));
	to.add(along, 0.0f, at(btVector3(-out, up, 0.0f)));
}

struct thing {
	btCollisionShape *shape;
	float mass;
};

thing make_box(world &to, dice &random)
{
	const float x = random.range(0.2f, 0.45f), y = random.range(0.2f, 0.45f), z = random.range(0.2f, 0.45f);
	return {to.box(btVector3(x, y, z)), density * 8.0f * x * y * z};
}

thing make_sphere(world &to, dice &random)
{
	const float radius = random.range(0.2f, 0.4f);
	return {to.sphere(radius), density * 4.0f / 3.0f * pi * radius * radius * radius};
}

thing make_capsule(world &to, dice &random)
{
	const float radius = random.range(0.15f, 0.25f), half = random.range(0.1f, 0.3f);
	return {to.capsule(radius, half), density * pi * radius * radius * (2.0f * half + 4.0f / 3.0f * radius)};
}

/* Corners on an ellipsoid, so all of them are extreme. */
thing make_hull(world &to, dice &random, int low, int high)
{
	const float x = random.range(0.25f, 0.45f), y = random.range(0.25f, 0.45f), z = random.range(0.25f, 0.45f);
	std::vector<btVector3> points(static_cast<std::size_t>(low + random.below(high - low + 1)));
	for (btVector3 &point : points)
		point = random.in_ball().normalized() * btVector3(x, y, z);
	return {to.hull(points), density * 4.0f / 3.0f * pi * x * y * z};
}

/* In layers above the pen, each body turned at random. Some damping brings what can roll to rest. */
void drop(world &to, dice &random, const std::vector<thing> &things, int count)
{
	constexpr int side = 8;
	constexpr float spacing = 1.15f;
	for (int index = 0; index < count; index++) {
		const float x = static_cast<float>(index % side) - 0.5f * (side - 1);
		const float z = static_cast<float>(index / side % side) - 0.5f * (side - 1);
		const float y = static_cast<float>(index / (side * side)) + 0.7f;
		const thing &what = things[static_cast<std::size_t>(random.below(static_cast<int>(things.size())))];
		const btTransform pose(random.rotation(), spacing * btVector3(x, y, z));
		to.add(what.shape, what.mass, pose).setDamping(0.02f, 0.1f);
	}
}

void build_pile(world &to, dice &random)
{
	add_pen(to);
	std::vector<thing> things;
	for (int index = 0; index < 16; index++)
		things.push_back(make_box(to, random));
	for (int index = 0; index < 8; index++)
		things.push_back(make_sphere(to, random));
	for (int index = 0; index < 8; index++)
		things.push_back(make_capsule(to, random));
	for (int index = 0; index < 8; index++)
		things.push_back(make_hull(to, random, 8, 24));
	drop(to, random, things, 1000);
}

void build_hulls(world &to, dice &random)
{
	add_pen(to);
	std::vector<thing> things;
	for (int index = 0; index < 20; index++)
		things.push_back(make_hull(to, random, 16, 32));
	drop(to, random, things, 500);
}

/* ---- pyramid ------------------------------------------------------------------------------------------- */

void build_pyramid(world &to, dice &random)
{
	constexpr int rows = 10;
	constexpr float half = 0.5f, pitch = 1.1f;
	add_ground(to);
	btCollisionShape *shape = to.box(btVector3(half, half, half));
	for (int row = 0; row < rows; row++) {
		for (int place = 0; place < rows - row; place++) {
			const float x = pitch * (static_cast<float>(place) - 0.5f * static_cast<float>(rows - row - 1));
			const float y = half + 2.0f * half * static_cast<float>(row);
			const float nudge = random.range(-0.001f, 0.001f);
			to.add(shape, density * 8.0f * half * half * half, at(btVector3(x + nudge, y, nudge)));
		}
	}
}

/* ---- ragdolls ------------------------------------------------------------------------------------------ */

/* Standing, arms stretched out along x; lengths of a person of 1.85. */
class ragdoll
{
  public:
	ragdoll(world &into, const btTransform &pose) : to(into), base(pose)
	{
		btRigidBody &pelvis = part(to.box(btVector3(0.15f, 0.1f, 0.1f)), 10.0f, btVector3(0.0f, 1.0f, 0.0f));
		btRigidBody &chest = part(to.box(btVector3(0.17f, 0.2f, 0.11f)), 18.0f, btVector3(0.0f, 1.34f, 0.0f));
		btRigidBody &head = part(to.sphere(0.12f), 5.0f, btVector3(0.0f, 1.72f, 0.0f));
		swing(pelvis, chest, btVector3(0.0f, 1.12f, 0.0f), btVector3(0.0f, 1.0f, 0.0f), 0.4f);
		swing(chest, head, btVector3(0.0f, 1.57f, 0.0f), btVector3(0.0f, 1.0f, 0.0f), 0.5f);
		for (const float side : {-1.0f, 1.0f}) {
			add_leg(pelvis, side);
			add_arm(chest, side);
		}
	}

  private:
	void add_leg(btRigidBody &pelvis, float side)
	{
		const btVector3 down(0.0f, -1.0f, 0.0f);
		const float x = 0.1f * side;
		btRigidBody &upper = part(to.capsule(0.08f, 0.12f), 7.0f, btVector3(x, 0.69f, 0.0f));
		btRigidBody &lower = part(to.capsule(0.07f, 0.13f), 4.0f, btVector3(x, 0.26f, 0.0f));
		swing(pelvis, upper, btVector3(x, 0.89f, 0.0f), down, 0.8f);
		hinge(upper, lower, btVector3(x, 0.47f, 0.0f), btVector3(1.0f, 0.0f, 0.0f));
	}
	void add_arm(btRigidBody &chest, float side)
	{
		const btVector3 out(side, 0.0f, 0.0f);
		btCollisionShape *bone = to.capsule(0.055f, 0.1f);
		btRigidBody &upper = part(bone, 2.5f, btVector3(0.35f * side, 1.48f, 0.0f), true);
		btRigidBody &lower = part(bone, 1.5f, btVector3(0.67f * side, 1.48f, 0.0f), true);
		swing(chest, upper, btVector3(0.19f * side, 1.48f, 0.0f), out, 1.0f);
		hinge(upper, lower, btVector3(0.51f * side, 1.48f, 0.0f), btVector3(0.0f, 1.0f, 0.0f));
	}
	btRigidBody &part(btCollisionShape *shape, float mass, const btVector3 &place, bool is_along_x = false)
	{
		btTransform pose = at(place);
		if (is_along_x)
			pose.setRotation(btQuaternion(btVector3(0.0f, 0.0f, 1.0f), 0.5f * pi));
		btRigidBody &body = to.add(shape, mass, base * pose);
		body.setDamping(0.05f, 0.5f);
		return body;
	}
	/* A frame at the joint, one of its axes (0 is x, 2 is z) along a direction. */
	btTransform frame(const btVector3 &place, const btVector3 &direction, int axis) const
	{
		btVector3 next, last;
		btPlaneSpace1(direction, next, last);
		btMatrix3x3 turn;
		for (int row = 0; row < 3; row++) {
			turn[row][axis] = direction[row];
			turn[row][(axis + 1) % 3] = next[row];
			turn[row][(axis + 2) % 3] = last[row];
		}
		return base * btTransform(turn, place);
	}
	void swing(btRigidBody &a, btRigidBody &b, const btVector3 &place, const btVector3 &bone, float span)
	{
		const btTransform joint = frame(place, bone, 0);
		auto made = std::make_unique<btConeTwistConstraint>(
			a, b, a.getWorldTransform().inverse() * joint, b.getWorldTransform().inverse() * joint);
		made->setLimit(span, span, 0.5f * span);
		to.join(std::move(made));
	}
	void hinge(btRigidBody &a, btRigidBody &b, const btVector3 &place, const btVector3 &axis)
	{
		const btTransform joint = frame(place, axis, 2);
		auto made = std::make_unique<btHingeConstraint>(
			a, b, a.getWorldTransform().inverse() * joint, b.getWorldTransform().inverse() * joint);
		made->setLimit(-2.0f, 0.05f);
		to.join(std::move(made));
	}

	world &to;
	btTransform base;
};

void build_ragdolls(world &to, dice &random)
{
	add_ground(to);
	for (int index = 0; index < 20; index++) {
		const float x = 1.1f * static_cast<float>(index % 4), z = 1.1f * static_cast<float>(index / 4 % 2);
		const float y = 1.5f + 2.2f * static_cast<float>(index / 8);
		ragdoll(to, btTransform(random.rotation(), btVector3(x, y, z)));
	}
}

/* ---- wall ---------------------------------------------------------------------------------------------- */

constexpr float wall_half = 0.05f;

/* Boxes thrown at a thin wall: the slowest move five times their own size in a step. */
void build_wall(world &to, dice &random)
{
	add_ground(to);
	to.add(to.box(btVector3(wall_half, 4.0f, 8.0f)), 0.0f, at(btVector3(0.0f, 4.0f, 0.0f)));
	btCollisionShape *shape = to.box(btVector3(0.1f, 0.1f, 0.1f));
	for (int index = 0; index < 64; index++) {
		const float y = 1.0f + 0.6f * static_cast<float>(index / 8);
		const float z = 1.2f * (static_cast<float>(index % 8) - 3.5f);
		const btTransform pose(random.rotation(), btVector3(random.range(-8.0f, -4.0f), y, z));
		btRigidBody &body = to.add(shape, 1.0f, pose);
		body.setLinearVelocity(btVector3(random.range(60.0f, 300.0f), random.range(-2.0f, 2.0f), 0.0f));
		body.setAngularVelocity(10.0f * random.in_ball());
	}
}

} // namespace

btVector3 dice::in_ball()
{
	for (;;) {
		const float x = range(-1.0f, 1.0f), y = range(-1.0f, 1.0f), z = range(-1.0f, 1.0f);
		const btVector3 at(x, y, z);
		if (at.length2() <= 1.0f && at.length2() >= 0.01f)
			return at;
	}
}

btQuaternion dice::rotation()
{
	const btVector3 axis = in_ball().normalized();
	return btQuaternion(axis, range(0.0f, 2.0f * pi));
}

const std::vector<scene> &all_scenes()
{
	using kinds = std::vector<narrowphase>;
	const kinds both = {narrowphase::bullet, narrowphase::widephase};
	const kinds with_ccd = {narrowphase::bullet, narrowphase::continuous, narrowphase::widephase};
	static const std::vector<scene> scenes = {
		{"pyramid", "a pyramid of 55 boxes, 10 high; 60 seconds at rest", 3900, 300, ground_half, both, build_pyramid},
		{"pile", "1000 boxes, spheres, capsules and hulls dropped into a pen", 900, 600, pen_half, both, build_pile},
		{"hulls", "500 hulls of 16 to 32 vertices dropped into the pen", 900, 600, pen_half, both, build_hulls},
		{"ragdolls", "20 ragdolls of 11 bodies and 10 joints, dropped", 900, 600, ground_half, both, build_ragdolls},
		{"wall", "64 small boxes thrown at a thin wall at 60 to 300 m/s", 120, 60, 1e9f, with_ccd, build_wall},
	};
	return scenes;
}

bool is_lost(const scene &of, const btVector3 &at)
{
	return !(at.y() > 0.0f && std::fabs(at.x()) < of.reach && std::fabs(at.z()) < of.reach);
}

bool is_through(const btVector3 &at) { return at.x() > wall_half + 0.1f; }
