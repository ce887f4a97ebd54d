/* A world of Bullet's with one of the narrowphases, and what a scene adds to it. */
#ifndef BENCH_ENGINES_BULLET_WORLD_HPP
#define BENCH_ENGINES_BULLET_WORLD_HPP

#include "clock.hpp"

#include <btBulletDynamicsCommon.h>
#include <widephase/bullet.hpp>

#include <memory>
#include <utility>
#include <vector>

/* Seconds of a step. */
constexpr float step_seconds = 1.0f / 60.0f;

enum class narrowphase {
	bullet,     /* as Bullet comes */
	continuous, /* the same with its continuous collision detection for all that moves */
	widephase,
};

const char *name_of(narrowphase kind);

class world
{
  public:
	world(narrowphase kind, float margin, const wp::bullet_options &options);
	world(const world &) = delete;
	world &operator=(const world &) = delete;
	~world();

	/* Shapes are shared by bodies and kept by the world. Lengths are of the whole shape, but
	 * hulls grow by the margin. */
	btCollisionShape *box(const btVector3 &half);
	btCollisionShape *sphere(float radius);
	btCollisionShape *capsule(float radius, float half_height);
	btCollisionShape *hull(const std::vector<btVector3> &points);

	/* Mass 0 is a body that stands still. Bodies never sleep. */
	btRigidBody &add(btCollisionShape *shape, float mass, const btTransform &pose);
	/* Bodies so joined do not collide. */
	void join(std::unique_ptr<btTypedConstraint> joint);

	void step();
	double narrow_seconds() const { return narrow_taken; }
	double total_seconds() const { return taken; }
	int pair_count();
	int point_count() const;

	btDiscreteDynamicsWorld &dynamics() { return *inner; }
	const std::vector<std::unique_ptr<btRigidBody>> &all() const { return bodies; }

  private:
	template <typename Shape> Shape *keep(Shape *shape);

	narrowphase kind;
	float margin;
	btDefaultCollisionConfiguration configuration;
	double narrow_taken = 0.0;
	std::unique_ptr<btCollisionDispatcher> dispatcher;
	btDbvtBroadphase broadphase;
	btSequentialImpulseConstraintSolver solver;
	std::unique_ptr<btDiscreteDynamicsWorld> inner;
	std::vector<std::unique_ptr<btCollisionShape>> shapes;
	std::vector<std::unique_ptr<btRigidBody>> bodies;
	std::vector<std::unique_ptr<btTypedConstraint>> joints;
	double taken = 0.0;
};

#endif
