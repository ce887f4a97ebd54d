/* widephase info: version, variants in this build, which this machine runs, which `auto` takes. */
#include "commands.h"
#include "options.h"

#include <widephase/base.h>

#include <stdio.h>

static const char *availability(wp_variant variant)
{
	switch (wp_variant_available(variant)) {
	case WP_OK:
		return "runs here";
	case WP_ERROR_VARIANT_NOT_BUILT:
		return "not in this build";
	case WP_ERROR_VARIANT_NOT_SUPPORTED:
		return "built, but this machine cannot run it";
	default:
		return "built by flags that change its bits";
	}
}

int command_info(int argc, char **argv)
{
	const command_line line = {.name = "widephase info",
		.arguments = "",
		.about = "Print the version and the variants of this build.",
		.too_many = "takes no arguments"};
	command_line_parse(&line, argc, argv);
	printf("widephase %s\n\n%-10s %5s\n", wp_version(), "variant", "lanes");
	for (wp_variant variant = WP_VARIANT_SCALAR; variant < WP_VARIANT_COUNT; variant++)
		printf("%-10s %5u  %s\n", wp_variant_name(variant), wp_variant_width(variant), availability(variant));
	printf("%-10s %5u  double precision, for checking\n", "reference", 1u);
	printf("\nauto takes %s\n", wp_variant_name(wp_variant_best()));
	return 0;
}
