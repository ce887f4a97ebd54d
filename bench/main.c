/* widephase-bench [--data FOLDER] [OPTION OF GOOGLE BENCHMARK...] */
#include "cells.h"

#include <stdlib.h>
#include <string.h>

/* Takes "--data FOLDER" or "--data=FOLDER" out of the command line. */
static const char *take_folder(int *argc, char **argv)
{
	static const char flag[] = "--data";
	const size_t length = sizeof flag - 1;
	const char *folder = getenv("WIDEPHASE_BENCH_DATA");
	int kept = 1;
	for (int index = 1; index < *argc; index++) {
		if (strcmp(argv[index], flag) == 0 && index + 1 < *argc)
			folder = argv[++index];
		else if (strncmp(argv[index], flag, length) == 0 && argv[index][length] == '=')
			folder = argv[index] + length + 1;
		else
			argv[kept++] = argv[index];
	}
	*argc = kept;
	argv[kept] = NULL;
	return folder;
}

#ifndef BENCH_HAVE_COOK
bool cells_add_meshes(void) { return true; }
void cells_free_meshes(void) {}
bool cells_add_mesh_contacts(void) { return true; }
void cells_free_mesh_contacts(void) {}
bool cells_add_compound_meshes(void) { return true; }
void cells_free_compound_meshes(void) {}
#endif

int main(int argc, char **argv)
{
	sets_use_folder(take_folder(&argc, argv));
	bench_note("widephase_version", wp_version());
	bench_note("widephase_best_variant", wp_variant_name(wp_variant_best()));
	const bool added = cells_add_library() && cells_add_peers() && cells_add_batches() && cells_add_threads() &&
	                   cells_add_cold() && cells_add_casts() && cells_add_manifolds() && cells_add_frames() &&
	                   cells_add_methods() && cells_add_2d() && cells_add_meshes() && cells_add_mesh_contacts() &&
	                   cells_add_compounds() && cells_add_compound_meshes();
	int code = 2;
	if (added)
		code = bench_run(argc, argv);
	else
		fputs("widephase-bench: no memory for the cells\n", stderr);
	cells_free_peers();
	cells_free_cold();
	cells_free_manifolds();
	cells_free_frames();
	cells_free_methods();
	cells_free_2d();
	cells_free_meshes();
	cells_free_mesh_contacts();
	cells_free_compounds();
	cells_free_compound_meshes();
	cells_free();
	work_free();
	sets_free();
	return code;
}
