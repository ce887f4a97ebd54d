#include "algorithms.hpp"

#include <typeinfo>

namespace wp::detail
{

pair_algorithm::pair_algorithm(bullet_batch &batch)
	: btCollisionAlgorithm(btCollisionAlgorithmConstructionInfo(&batch.owner, 0)), owner(batch), kept(batch.take_kept())
{
}

pair_algorithm::~pair_algorithm()
{
	if (instead) {
		instead->~btCollisionAlgorithm();
		owner.owner.freeCollisionAlgorithm(instead);
	}
	owner.give_kept(kept);
}

void pair_algorithm::processCollision(const btCollisionObjectWrapper *a, const btCollisionObjectWrapper *b,
	const btDispatcherInfo &info, btManifoldResult *result)
{
	const bool joins = owner.is_collecting() && typeid(*result) == typeid(btManifoldResult);
	if (!instead && joins && owner.take(*a, *b, kept))
		return;
	const btCollisionObject *object_a = a->getCollisionObject(), *object_b = b->getCollisionObject();
	if (!instead && !joins && owner.report(*a, *b, owner.need_manifold(kept, object_a, object_b), *result))
		return;
	/* A shape or a flag has changed while the pair was there. */
	if (!instead) {
		owner.leave_to_bullet(kept);
		instead = owner.owner.btCollisionDispatcher::findAlgorithm(a, b, nullptr, BT_CONTACT_POINT_ALGORITHMS);
	}
	instead->processCollision(a, b, info, result);
}

void pair_algorithm::getAllContactManifolds(btManifoldArray &manifolds)
{
	if (instead)
		instead->getAllContactManifolds(manifolds);
	else if (owner.manifold_of(kept))
		manifolds.push_back(owner.manifold_of(kept));
}

single_algorithm::single_algorithm(bullet_batch &batch, const btCollisionObject *a, const btCollisionObject *b)
	: btCollisionAlgorithm(btCollisionAlgorithmConstructionInfo(&batch.owner, 0)), owner(batch),
	  manifold(batch.owner.getNewManifold(a, b))
{
}

single_algorithm::~single_algorithm() { owner.owner.releaseManifold(manifold); }

void single_algorithm::processCollision(const btCollisionObjectWrapper *a, const btCollisionObjectWrapper *b,
	const btDispatcherInfo &, btManifoldResult *result)
{
	owner.report(*a, *b, *manifold, *result);
}

pair_collector::pair_collector(bullet_batch &batch, const btDispatcherInfo &of)
	: to(batch), info(of), near_callback(batch.owner.getNearCallback()),
	  is_plain(near_callback == btCollisionDispatcher::defaultNearCallback &&
			   of.m_dispatchFunc == btDispatcherInfo::DISPATCH_DISCRETE)
{
}

bool pair_collector::processOverlap(btBroadphasePair &pair)
{
	if (!is_plain || !to.collect(pair))
		near_callback(pair, to.owner, info);
	return false;
}

} // namespace wp::detail
