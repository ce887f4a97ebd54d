/* What the JavaScript wrapper cannot find out by itself: where the fields of structs lie, the numbers behind
 * names, and memory. The queries are exported as they are. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <widephase/2d.h>
#include <widephase/cook.h>
#include <widephase/widephase.h>

/* A struct has its name without wp_, a field a dot before its own: it belongs to the struct that was named last. */
#define FIELD(type, field) "." #field " "
#define SIZE(type) #type " "
#define CONSTANT(name) #name " "
#define FIELD_OF FIELD
#define SIZE_OF SIZE
#define CONSTANT_OF(name) "WP_" #name " "
static const char names[] =
#include "names.h"
	;
#undef FIELD
#undef SIZE
#undef CONSTANT
#undef FIELD_OF
#undef SIZE_OF
#undef CONSTANT_OF

#define FIELD(type, field) offsetof(wp_##type, field),
#define SIZE(type) sizeof(wp_##type),
#define CONSTANT(name) name,
/* What has the same name in 2D, where this is the module of 2D. */
#ifdef WP_WITHOUT_3D
#define FIELD_OF(type, field) offsetof(wp2d_##type, field),
#define SIZE_OF(type) sizeof(wp2d_##type),
#define CONSTANT_OF(name) WP2D_##name,
#else
#define FIELD_OF FIELD
#define SIZE_OF SIZE
#define CONSTANT_OF(name) WP_##name,
#endif
static const uint32_t numbers[] = {
#include "names.h"
};

WP_API const char *wp_web_names(void);
WP_API const uint32_t *wp_web_numbers(void);
WP_API void *wp_web_allocate(size_t size);
WP_API void wp_web_release(void *memory);

/* All names, with a space after each, and the number of each. */
const char *wp_web_names(void) { return names; }
const uint32_t *wp_web_numbers(void) { return numbers; }

/* Memory aligned to WP_ALIGNMENT, or NULL where there is none. */
void *wp_web_allocate(size_t size)
{
	/* aligned_alloc wants a multiple of the alignment, and a size of 0 may give NULL. */
	return size <= SIZE_MAX - WP_ALIGNMENT ? aligned_alloc(WP_ALIGNMENT, (size / WP_ALIGNMENT + 1) * WP_ALIGNMENT)
	                                       : NULL;
}

/* NULL is legal. */
void wp_web_release(void *memory) { free(memory); }
