/* The detector, as DART calls it. */
#include "batch.hpp"

#include <dart/common/Console.hpp>

namespace wp
{

using dart::collision::CollisionDetector;
using dart::collision::CollisionGroup;
using dart::collision::CollisionObject;
using dart::collision::CollisionOption;
using dart::collision::CollisionResult;
using dart::collision::DistanceOption;
using dart::collision::DistanceResult;
using dart::collision::RaycastOption;
using dart::collision::RaycastResult;
using in_dart::shape_group;
using in_dart::shape_object;

namespace
{

/* A group of this detector; none, with an error as DART's detectors print it, of another's. */
shape_group *own(const CollisionDetector &detector, CollisionGroup *group)
{
	if (group->getCollisionDetector().get() == &detector)
		return static_cast<shape_group *>(group);
	dterr << "[wp::dart_detector] a collision group was made by another collision detector.\n";
	return nullptr;
}

} // namespace

bool dart_detector::add_to_factory()
{
	CollisionDetector::getFactory()->registerCreator(
		dart_detector::getStaticType(), []() -> std::shared_ptr<CollisionDetector> { return dart_detector::create(); });
	return true;
}

dart_detector::dart_detector(const dart_options &with)
	: options(with), batch(std::make_unique<detail::dart_batch>(with))
{
	mCollisionObjectManager.reset(new ManagerForUnsharableCollisionObjects(this));
}

dart_detector::~dart_detector() = default;

std::shared_ptr<dart_detector> dart_detector::create(const dart_options &options)
{
	return std::shared_ptr<dart_detector>(new dart_detector(options));
}

std::shared_ptr<CollisionDetector> dart_detector::cloneWithoutCollisionObjects() const { return create(options); }

const std::string &dart_detector::getType() const { return getStaticType(); }

const std::string &dart_detector::getStaticType()
{
	static const std::string type = "widephase";
	return type;
}

std::unique_ptr<CollisionGroup> dart_detector::createCollisionGroup()
{
	return std::make_unique<shape_group>(shared_from_this(), batch->book);
}

std::unique_ptr<CollisionObject> dart_detector::createCollisionObject(const dart::dynamics::ShapeFrame *frame)
{
	return std::make_unique<shape_object>(this, frame, batch->book.find(frame->getShape()));
}

/* Groups look at shapes before each query. */
void dart_detector::refreshCollisionObject(CollisionObject *) {}

bool dart_detector::collide(CollisionGroup *group, const CollisionOption &option, CollisionResult *result)
{
	return collide(group, group, option, result);
}

bool dart_detector::collide(
	CollisionGroup *group1, CollisionGroup *group2, const CollisionOption &option, CollisionResult *result)
{
	if (result)
		result->clear();
	shape_group *const a = own(*this, group1), *const b = own(*this, group2);
	if (option.maxNumContacts == 0 || !a || !b)
		return false;
	return batch->collide({*a, *b}, option, result);
}

double dart_detector::distance(CollisionGroup *group, const DistanceOption &option, DistanceResult *result)
{
	return distance(group, group, option, result);
}

double dart_detector::distance(
	CollisionGroup *group1, CollisionGroup *group2, const DistanceOption &option, DistanceResult *result)
{
	if (result)
		result->clear();
	shape_group *const a = own(*this, group1), *const b = own(*this, group2);
	return a && b ? batch->distance({*a, *b}, option, result) : 0.0;
}

bool dart_detector::raycast(CollisionGroup *group, const Eigen::Vector3d &from, const Eigen::Vector3d &to,
	const RaycastOption &option, RaycastResult *result)
{
	if (result)
		result->clear();
	shape_group *const of = own(*this, group);
	return of && batch->raycast(*of, from, to, option, result);
}

} // namespace wp
