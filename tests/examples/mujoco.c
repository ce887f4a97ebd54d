/* MuJoCo with contacts by this library: columns of cylinders and of bricks, which are convex meshes, stand on a plane. The last
 * lines say how far they have moved, by MuJoCo's own functions and by the library's. */
#include <widephase/mujoco.h>

#include <mujoco/mujoco.h>

#include <stdio.h>
#include <string.h>

static const char columns[] = "<mujoco><asset><mesh name='brick' vertex='0 0 0  1 0 0  0 0.6 0  1 0.6 0  0 0 0.3  1 0 "
							  "0.3  0 0.6 0.3  1 0.6 0.3'/></asset>"
							  "<worldbody><geom type='plane' size='5 5 1'/>"
							  "<body pos='0 0 0.2'><freejoint/><geom type='cylinder' size='0.3 0.2'/></body>"
							  "<body pos='0 0 0.6'><freejoint/><geom type='cylinder' size='0.3 0.2'/></body>"
							  "<body pos='0 0 1.0'><freejoint/><geom type='cylinder' size='0.3 0.2'/></body>"
							  "<body pos='2 0 0.0'><freejoint/><geom type='mesh' mesh='brick'/></body>"
							  "<body pos='2 0 0.3'><freejoint/><geom type='mesh' mesh='brick'/></body>"
							  "<body pos='2 0 0.6'><freejoint/><geom type='mesh' mesh='brick'/></body>"
							  "</worldbody></mujoco>";

static mjModel *load(const char *text)
{
	static mjVFS files; /* large */
	char reason[1000];
	mj_defaultVFS(&files);
	mj_makeEmptyFileVFS(&files, "columns.xml", (int)strlen(text));
	memcpy(files.filedata[0], text, strlen(text));
	mjModel *const model = mj_loadXML("columns.xml", &files, reason, sizeof reason);
	mj_deleteVFS(&files);
	if (!model)
		fprintf(stderr, "%s\n", reason);
	return model;
}

/* The largest distance of a body from where it began, after two seconds. */
static double simulate(const mjModel *model, const char *name)
{
	mjData *const data = mj_makeData(model);
	double moved = 0;
	while (data->time < 2)
		mj_step(model, data);
	for (int body = 0; body < model->nbody - 1; body++)
		moved = mju_max(moved, mju_dist3(data->qpos + 7 * body, model->qpos0 + 7 * body));
	printf("%s: %d contacts, moved by at most %.3f m\n", name, data->ncon, moved);
	mj_deleteData(data);
	return moved;
}

int main(void)
{
	mjModel *const model = load(columns);
	if (!model)
		return 1;
	simulate(model, "MuJoCo");

	const char *wrong = wp_mujoco_install(NULL);
	if (!wrong)
		wrong = wp_mujoco_add_model(model);
	if (wrong)
		fprintf(stderr, "%s\n", wrong);
	const double moved = wrong ? 1 : simulate(model, "widephase");
	wp_mujoco_remove_model(model);
	wp_mujoco_restore();
	mj_deleteModel(model);
	return moved > 0.01; /* contacts are soft: bodies sink by millimetres */
}
