/* DART's filter of body nodes, of which most is read once for each object instead of once for each pair. */
#ifndef WP_ENGINES_DART_RULES_HPP
#define WP_ENGINES_DART_RULES_HPP

#include <dart/collision/CollisionFilter.hpp>
#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/ShapeFrame.hpp>

#include <cstdint>
#include <memory>
#include <vector>

namespace wp::in_dart
{

/* What a BodyNodeCollisionFilter asks of the bodies of a group's objects: all but its blacklist, and which bodies of a skeleton
 * a joint connects. */
class body_rules
{
  public:
	/* What is known of a pair without a look at the filter. */
	enum class answer { ignored, taken, open };

	/* The objects' frames, by index. */
	void assign(const std::vector<const dart::dynamics::ShapeFrame *> &frames);

	/* Read what may have changed since; whether anything has. */
	bool read();

	answer of(std::uint32_t a, std::uint32_t b) const
	{
		const object &one = objects[a], &other = objects[b];
		if (!one.body || !other.body)
			return answer::taken;
		const unsigned both = one.flags & other.flags;
		if (one.body == other.body || (both & collidable) == 0 || ((one.flags | other.flags) & mobile) == 0)
			return answer::ignored;
		if (one.skeleton != other.skeleton)
			return answer::taken;
		return (both & checked) == 0 ? answer::ignored : answer::open;
	}

	/* None for a frame that no body has. */
	const dart::dynamics::BodyNode *body(std::uint32_t index) const { return objects[index].body; }

	/* The filter, if it is one whose questions these are, of this very type; otherwise none. */
	static const dart::collision::BodyNodeCollisionFilter *exact(const dart::collision::CollisionFilter *filter);

	/* Whether the filter's blacklist has a pair that is taken. */
	bool is_listed(const dart::collision::BodyNodeCollisionFilter &filter, std::uint32_t a, std::uint32_t b) const;

  private:
	static constexpr unsigned collidable = 1, mobile = 2, checked = 4; /* the skeleton checks its own bodies */
	struct object {
		const dart::dynamics::BodyNode *body = nullptr;
		std::uint32_t skeleton = 0;
		unsigned flags = 0;
	};
	struct skeleton {
		std::weak_ptr<const dart::dynamics::Skeleton> owner; /* keeps the address from being used again */
		const dart::dynamics::Skeleton *at;
		unsigned flags;
	};

	void find_skeletons();
	bool has_moved() const;

	std::vector<object> objects;
	std::vector<skeleton> skeletons;
};

} // namespace wp::in_dart

#endif
