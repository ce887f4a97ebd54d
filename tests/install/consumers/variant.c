/* A user who checks whether the library runs here at all. */
#ifdef DROP_IN
#include "widephase.h"
#else
#include <widephase/widephase.h>
#endif
#include <stdio.h>

int main(void)
{
	static _Alignas(WP_ALIGNMENT) char memory[WP_WORKSPACE_SIZE];
	wp_workspace *workspace;
	puts(wp_error_text(wp_workspace_init(memory, sizeof memory, WP_VARIANT_AUTO, &workspace)));
	return 0;
}
