/* Processor time, and dispatchers that measure it. */
#ifndef BENCH_ENGINES_BULLET_CLOCK_HPP
#define BENCH_ENGINES_BULLET_CLOCK_HPP

#include <btBulletCollisionCommon.h>

#include <ctime>
#include <utility>

/* Processor time of this thread, in seconds. */
inline double clock_now()
{
	timespec now;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/* A dispatcher that writes how long dispatchAllCollisionPairs took last. */
template <typename Dispatcher> class timed final : public Dispatcher
{
  public:
	template <typename... Arguments>
	explicit timed(double &seconds, Arguments &&...arguments)
		: Dispatcher(std::forward<Arguments>(arguments)...), taken(seconds)
	{
	}
	void dispatchAllCollisionPairs(
		btOverlappingPairCache *cache, const btDispatcherInfo &info, btDispatcher *dispatcher) override
	{
		const double start = clock_now();
		Dispatcher::dispatchAllCollisionPairs(cache, info, dispatcher);
		taken = clock_now() - start;
	}

  private:
	double &taken;
};

#endif
