/* DART's filter of body nodes, of which most is read once for each object instead of once for each pair. */
#include "rules.hpp"

#include <dart/dynamics/ShapeNode.hpp>
#include <dart/dynamics/Skeleton.hpp>

#include <typeinfo>
#include <unordered_map>
#include <utility>

namespace wp::in_dart
{

namespace
{

using dart::collision::BodyNodeCollisionFilter;
using dart::dynamics::BodyNode;
using dart::dynamics::Skeleton;
using black_list = dart::collision::detail::UnorderedPairs<BodyNode>;

/* The skeleton of a body, without a count of its references. */
class open_body : public dart::dynamics::SkeletonRefCountingBase
{
  public:
	static const std::weak_ptr<Skeleton> &skeleton_of(const BodyNode &body) { return body.*(&open_body::mSkeleton); }
};

/* DART's question whether a pair is on the list counts references eight times. The list is private to the filter, which is
 * no bar to the argument of an explicit instantiation. */
const black_list &list_of(const BodyNodeCollisionFilter &filter);
template <black_list BodyNodeCollisionFilter::*list> struct open_filter {
	friend const black_list &list_of(const BodyNodeCollisionFilter &filter) { return filter.*list; }
};
template struct open_filter<&BodyNodeCollisionFilter::mBodyNodeBlackList>;

template <typename A, typename B> bool is_same(const std::weak_ptr<A> &a, const std::weak_ptr<B> &b)
{
	return !a.owner_before(b) && !b.owner_before(a);
}

} // namespace

const BodyNodeCollisionFilter *body_rules::exact(const dart::collision::CollisionFilter *filter)
{
	if (!filter)
		return nullptr;
	const auto &of = *filter;
	return typeid(of) == typeid(BodyNodeCollisionFilter) ? static_cast<const BodyNodeCollisionFilter *>(filter)
	                                                     : nullptr;
}

bool body_rules::is_listed(const BodyNodeCollisionFilter &filter, std::uint32_t a, std::uint32_t b) const
{
	return objects[a].body && objects[b].body && list_of(filter).contains(objects[a].body, objects[b].body);
}

void body_rules::assign(const std::vector<const dart::dynamics::ShapeFrame *> &frames)
{
	objects.assign(frames.size(), object());
	for (std::size_t index = 0; index < frames.size(); index++) {
		/* A node stays with its body. */
		if (const auto *node = frames[index]->asShapeNode())
			objects[index].body = node->getBodyNodePtr().get();
	}
	find_skeletons();
}

void body_rules::find_skeletons()
{
	skeletons.clear();
	std::unordered_map<const Skeleton *, std::uint32_t> known;
	for (object &each : objects) {
		if (!each.body)
			continue;
		const std::weak_ptr<Skeleton> &owner = open_body::skeleton_of(*each.body);
		const Skeleton *at = owner.lock().get();
		const auto [found, is_new] = known.emplace(at, static_cast<std::uint32_t>(skeletons.size()));
		if (is_new)
			skeletons.push_back({owner, at, 0});
		each.skeleton = found->second;
	}
}

/* Whether a body went to another skeleton. */
bool body_rules::has_moved() const
{
	for (const object &each : objects) {
		if (each.body && !is_same(open_body::skeleton_of(*each.body), skeletons[each.skeleton].owner))
			return true;
	}
	return false;
}

bool body_rules::read()
{
	bool is_changed = has_moved();
	if (is_changed)
		find_skeletons();
	for (skeleton &each : skeletons) {
		each.flags = !each.at
		               ? 0
		               : (each.at->isMobile() ? mobile : 0) | (each.at->isEnabledSelfCollisionCheck() ? checked : 0);
	}
	for (object &each : objects) {
		if (!each.body)
			continue;
		const unsigned flags = skeletons[each.skeleton].flags | (each.body->isCollidable() ? collidable : 0);
		is_changed |= std::exchange(each.flags, flags) != flags;
	}
	return is_changed;
}

} // namespace wp::in_dart
