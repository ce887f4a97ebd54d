/* Aligned memory, and errors of the library as exceptions. */
#ifndef WP_ENGINES_BULLET_MEMORY_HPP
#define WP_ENGINES_BULLET_MEMORY_HPP

#include <widephase/base.h>

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <stdexcept>

namespace wp::bullet
{

/* Memory of a size, aligned to WP_ALIGNMENT. */
class aligned_memory
{
  public:
	explicit aligned_memory(std::size_t size)
		: at(std::aligned_alloc(WP_ALIGNMENT, (size + WP_ALIGNMENT - 1) / WP_ALIGNMENT * WP_ALIGNMENT), std::free)
	{
		if (!at)
			throw std::bad_alloc();
	}
	void *get() const { return at.get(); }

  private:
	std::unique_ptr<void, decltype(&std::free)> at;
};

/* An error of these calls is a misuse or missing memory, never a pair. */
inline void must(wp_error error)
{
	if (error != WP_OK)
		throw std::runtime_error(wp_error_text(error));
}

} // namespace wp::bullet

#endif
