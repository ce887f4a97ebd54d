/* Errors of the library as exceptions. */
#ifndef WP_ENGINES_DART_MUST_HPP
#define WP_ENGINES_DART_MUST_HPP

#include <widephase/base.h>

#include <stdexcept>

namespace wp::in_dart
{

/* An error of these calls is a misuse or missing memory, never a pair. */
inline void must(wp_error error)
{
	if (error != WP_OK)
		throw std::runtime_error(wp_error_text(error));
}

} // namespace wp::in_dart

#endif
