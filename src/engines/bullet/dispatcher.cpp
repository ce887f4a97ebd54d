/* The dispatcher: which pairs of Bullet the library answers, each by an algorithm of its own, and a step of them as one batch. */
#include "algorithms.hpp"

namespace wp
{

bullet_dispatcher::bullet_dispatcher(btCollisionConfiguration *configuration, const bullet_options &options)
	: btCollisionDispatcher(configuration), batch(std::make_unique<detail::bullet_batch>(*this, options))
{
}

bullet_dispatcher::~bullet_dispatcher() = default;

btCollisionAlgorithm *bullet_dispatcher::findAlgorithm(const btCollisionObjectWrapper *object_a,
	const btCollisionObjectWrapper *object_b, btPersistentManifold *shared, ebtDispatcherQueryType type)
{
	/* Triangles of a mesh share the manifold of the mesh. */
	if (shared || !batch->answers(*object_a, *object_b))
		return btCollisionDispatcher::findAlgorithm(object_a, object_b, shared, type);
	if (type == BT_CONTACT_POINT_ALGORITHMS)
		return new (allocateCollisionAlgorithm(sizeof(detail::pair_algorithm))) detail::pair_algorithm(*batch);
	return new (allocateCollisionAlgorithm(sizeof(detail::single_algorithm)))
		detail::single_algorithm(*batch, object_a->getCollisionObject(), object_b->getCollisionObject());
}

void bullet_dispatcher::dispatchAllCollisionPairs(
	btOverlappingPairCache *cache, const btDispatcherInfo &info, btDispatcher *)
{
	batch->dispatch(*cache, info);
}

bool bullet_dispatcher::answers_for(const btCollisionShape *shape) { return batch->answers_for(shape); }

void bullet_dispatcher::forget(const btCollisionShape *shape) { batch->forget(shape); }

} // namespace wp
