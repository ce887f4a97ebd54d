/* Bullet's view of the batch: algorithm objects of pairs, and the visitor of a pair cache. */
#ifndef WP_ENGINES_BULLET_ALGORITHMS_HPP
#define WP_ENGINES_BULLET_ALGORITHMS_HPP

#include "batch.hpp"

namespace wp::detail
{

/* What Bullet's cache keeps of a pair of ours: the index of what the batch keeps of it. */
class pair_algorithm final : public btCollisionAlgorithm
{
  public:
	explicit pair_algorithm(bullet_batch &batch);
	~pair_algorithm() override;
	std::uint32_t index() const { return kept; }

	/* In a step the pair joins the batch. Outside of one, and for a result of a class of its own, it is answered now. */
	void processCollision(const btCollisionObjectWrapper *a, const btCollisionObjectWrapper *b,
		const btDispatcherInfo &info, btManifoldResult *result) override;
	btScalar calculateTimeOfImpact(
		btCollisionObject *, btCollisionObject *, const btDispatcherInfo &, btManifoldResult *) override
	{
		return 1.0f;
	}
	void getAllContactManifolds(btManifoldArray &manifolds) override;

  private:
	bullet_batch &owner;
	std::uint32_t kept;
	btCollisionAlgorithm *instead = nullptr; /* Bullet's, once the pair is not ours any more */
};

/* A pair that is answered once, for contactTest and contactPairTest. */
class single_algorithm final : public btCollisionAlgorithm
{
  public:
	single_algorithm(bullet_batch &batch, const btCollisionObject *a, const btCollisionObject *b);
	~single_algorithm() override;
	void processCollision(const btCollisionObjectWrapper *a, const btCollisionObjectWrapper *b,
		const btDispatcherInfo &info, btManifoldResult *result) override;
	btScalar calculateTimeOfImpact(
		btCollisionObject *, btCollisionObject *, const btDispatcherInfo &, btManifoldResult *) override
	{
		return 1.0f;
	}
	void getAllContactManifolds(btManifoldArray &manifolds) override { manifolds.push_back(manifold); }

  private:
	bullet_batch &owner;
	btPersistentManifold *manifold;
};

/* Collects the pairs of a cache; pairs that are not ours, or have a near callback of the user's, go Bullet's way. */
class pair_collector final : public btOverlapCallback
{
  public:
	pair_collector(bullet_batch &batch, const btDispatcherInfo &of);
	bool processOverlap(btBroadphasePair &pair) override;

  private:
	bullet_batch &to;
	const btDispatcherInfo &info;
	btNearCallback near_callback;
	bool is_plain;
};

} // namespace wp::detail

#endif
