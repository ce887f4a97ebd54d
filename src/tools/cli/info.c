/* widephase info: version, variants in this build, which this machine runs, which `auto` takes; or what a mesh holds. */
#include "capture.h"
#include "commands.h"
#include "mesh_file.h"
#include "options.h"
#include "runner.h"

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

static int print_mesh(const char *path)
{
	mesh_file file;
	char error[CAPTURE_ERROR_MAX];
	if (!mesh_file_read(path, &file, error))
		return report_error("%s", error);
	printf("%s: a mesh\n", path);
	mesh_file_print(file.mesh, stdout);
	mesh_file_free(&file);
	return 0;
}

static void print_build(void)
{
	printf("widephase %s\n\n%-10s %5s\n", wp_version(), "variant", "lanes");
	for (wp_variant variant = WP_VARIANT_SCALAR; variant < WP_VARIANT_COUNT; variant++)
		printf("%-10s %5u  %s\n", wp_variant_name(variant), wp_variant_width(variant), availability(variant));
	printf("%-10s %5u  double precision, for checking\n", "reference", 1u);
	printf("\nauto takes %s\n", wp_variant_name(wp_variant_best()));
}

int command_info(int argc, char **argv)
{
	const command_line line = {.name = "widephase info",
		.arguments = "[MESH.wpm]",
		.about =
			"Print the version and the variants of this build; or check a mesh that `widephase cook --mesh' wrote, and "
			"print what it holds.",
		.most = 1,
		.too_many = "one mesh at a time"};
	const int first = command_line_parse(&line, argc, argv);
	if (first < argc)
		return print_mesh(argv[first]);
	print_build();
	return 0;
}
