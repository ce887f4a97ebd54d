/* widephase-bullet: scenes simulated by Bullet, with its own narrowphase and with the library in its place,
 * side by side. */
#include "judge.hpp"
#include "options.h"
#include "report.hpp"
#include "scenes.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <limits>

namespace
{

constexpr int exit_broken = 1, exit_error = OPTIONS_EXIT_CODE;

/* Largest number of steps, of repeats, and seed. */
constexpr int count_max = 1000000;

/* Steps from one look at all depths to the next. */
constexpr int depth_interval = 30;

/* What --check allows. The fastest bodies of the piles land at 20 m/s, 0.3 m a step, so for some steps they
 * are deep in what they hit, with either narrowphase; at rest nothing is. */
constexpr double allowed_depth = 250.0;

struct options {
	std::vector<scene> scenes;
	int steps = 0; /* 0: as many as the scene has */
	int repeats = 1;
	std::uint32_t seed = 1;
	float margin = 0.04f;
	wp::bullet_options ours;
	bool json = false, check = false;
};

/* One world, and what is seen of it as it goes. */
class run
{
  public:
	run(const scene &scene_of, narrowphase kind, const options &with, int steps, std::uint32_t seed)
		: of(scene_of), simulated(kind, with.margin, with.ours), step_count(steps),
		  settled(static_cast<int>(static_cast<long>(steps) * of.settled / of.steps)), engine(name_of(kind))
	{
		dice random(seed);
		of.build(simulated, random);
		through.resize(simulated.all().size());
	}
	void step(int index);
	measurement result();

  private:
	void look_at_rest(int index);

	const scene &of;
	world simulated;
	depth_judge judge;
	std::vector<double> narrow_times, total_times; /* milliseconds */
	int step_count, settled;
	std::string engine;
	double pair_sum = 0.0, point_sum = 0.0;
	depths rest;
	std::vector<btVector3> rest_places;
	double rest_drift = 0.0, least_energy = std::numeric_limits<double>::infinity(), energy_rise = 0.0;
	std::vector<double> kinetic;
	std::vector<bool> through;
};

void run::step(int index)
{
	simulated.step();
	narrow_times.push_back(1e3 * simulated.narrow_seconds());
	total_times.push_back(1e3 * simulated.total_seconds());
	pair_sum += simulated.pair_count();
	point_sum += simulated.point_count();
	const std::vector<btVector3> places = places_of(simulated);
	for (std::size_t body = 0; body < places.size(); body++)
		if (!simulated.all()[body]->isStaticObject() && is_through(places[body]))
			through[body] = true;
	if (index >= settled)
		look_at_rest(index);
}

void run::look_at_rest(int index)
{
	const std::vector<btVector3> places = places_of(simulated);
	if (rest_places.empty())
		rest_places = places;
	rest_drift = std::max(rest_drift, farthest(rest_places, places));
	const energy now = energy_of(simulated);
	kinetic.push_back(now.kinetic);
	least_energy = std::min(least_energy, now.total);
	energy_rise = std::max(energy_rise, now.total - least_energy);
	if ((step_count - 1 - index) % depth_interval != 0)
		return;
	const depths seen = judge.measure(simulated);
	rest.most = std::max(rest.most, seen.most);
	rest.sum += seen.sum;
	rest.count += seen.count;
}

measurement run::result()
{
	measurement made;
	made.scene = of.name;
	made.engine = engine;
	made.steps = step_count;
	made.narrow_median = median_of(narrow_times);
	made.narrow_mean = mean_of(narrow_times);
	made.total_median = median_of(total_times);
	made.total_mean = mean_of(total_times);
	made.pairs = pair_sum / step_count;
	made.points = point_sum / step_count;
	made.depth_max = 1e3 * rest.most;
	made.depth_mean = rest.count == 0 ? 0.0 : 1e3 * rest.sum / static_cast<double>(rest.count);
	made.drift = 1e3 * rest_drift;
	const auto middle = kinetic.begin() + static_cast<std::ptrdiff_t>(kinetic.size() / 2);
	made.kinetic_early = mean_of(std::vector<double>(kinetic.begin(), middle));
	made.kinetic_late = mean_of(std::vector<double>(middle, kinetic.end()));
	made.energy_rise = energy_rise;
	made.is_finite = is_finite(simulated);
	for (const auto &body : simulated.all())
		if (!body->isStaticObject() && is_lost(of, body->getWorldTransform().getOrigin()))
			made.lost++;
	if (std::strcmp(of.name, "wall") == 0)
		made.tunnelled = static_cast<int>(std::count(through.begin(), through.end(), true));
	return made;
}

/* The worlds of a scene take their steps in turn, so that whatever else the machine does hits all of them
 * alike; who begins changes. */
std::vector<measurement> measure_once(const scene &of, const options &with, std::uint32_t seed)
{
	const int steps = with.steps > 0 ? with.steps : of.steps;
	std::vector<std::unique_ptr<run>> runs;
	for (const narrowphase kind : of.kinds)
		runs.push_back(std::make_unique<run>(of, kind, with, steps, seed));
	for (int index = 0; index < steps; index++)
		for (std::size_t turn = 0; turn < runs.size(); turn++)
			runs[(turn + static_cast<std::size_t>(index)) % runs.size()]->step(index);
	std::vector<measurement> made;
	for (const auto &done : runs)
		made.push_back(done->result());
	return made;
}

/* Scenes are chaotic, so one run tells little of depths and drifts: repeats have seeds of their own, and what
 * is reported is the middle of them. */
std::vector<measurement> measure(const scene &of, const options &with)
{
	std::vector<std::vector<measurement>> of_kind(of.kinds.size());
	for (int repeat = 0; repeat < with.repeats; repeat++) {
		const auto made = measure_once(of, with, with.seed + static_cast<std::uint32_t>(repeat));
		for (std::size_t kind = 0; kind < made.size(); kind++)
			of_kind[kind].push_back(made[kind]);
	}
	std::vector<measurement> made;
	for (const std::vector<measurement> &repeats : of_kind)
		made.push_back(middle_of(repeats));
	return made;
}

/* Only what the library answered is held to account. */
bool is_stable(const measurement &of)
{
	if (of.engine != name_of(narrowphase::widephase))
		return true;
	return of.is_finite && of.lost == 0 && of.tunnelled == 0 && of.depth_max <= allowed_depth;
}

/* ---- command line ---------------------------------------------------------------------------------------
 */

options &given(void *to) { return *static_cast<options *>(to); }

bool read_count(const option_row *row, const char *text, int &count)
{
	std::uint32_t value;
	count = option_count(row, text, &value) ? static_cast<int>(value) : 0;
	return count != 0;
}

bool read_length(const char *text, float &length)
{
	char *end;
	length = std::strtof(text, &end);
	return end != text && *end == '\0' && length >= 0.0f && length <= 0.1f;
}

bool add_scene(const char *name, std::vector<scene> &scenes)
{
	for (const scene &known : all_scenes()) {
		if (std::strcmp(known.name, name) == 0) {
			scenes.push_back(known);
			return true;
		}
	}
	return false;
}

const option_row option_list[] = {
	{"scene", 's', "NAME", "pyramid, pile, hulls, ragdolls, wall; may be given again; by default all",
		[](const option_row *, const char *text, void *to) { return add_scene(text, given(to).scenes); }, 0, "scene", 0,
		0},
	{"steps", 'n', "N", "steps of 1/60 s, a scene's own number by default",
		[](const option_row *row, const char *text, void *to) { return read_count(row, text, given(to).steps); }, 0,
		nullptr, 1, count_max},
	{"repeat", 'r', "N", "run each scene N times from seeds of their own; the middle of them is printed",
		[](const option_row *row, const char *text, void *to) { return read_count(row, text, given(to).repeats); }, 0,
		nullptr, 1, count_max},
	{"seed", 0, "N", "the first seed, 1 by default",
		[](const option_row *row, const char *text, void *to) { return option_count(row, text, &given(to).seed); }, 0,
		nullptr, 1, count_max},
	{"variant", 'v', "V", "auto (the default), scalar, sse2, avx2, avx512, neon",
		[](const option_row *, const char *text, void *to) {
			return wp_variant_from_name(text, &given(to).ours.variant) == WP_OK;
		},
		0, "variant", 0, 0},
	{"margin", 'm', "M", "Bullet's margin of boxes and hulls, 0.04 by default",
		[](const option_row *, const char *text, void *to) { return read_length(text, given(to).margin); }, 0,
		"length from 0 to 0.1", 0, 0},
	{"reuse", 0, "LENGTH",
		"reuse points of the library while its separations are within LENGTH, up to 0.1; 0 by default: reuse none",
		[](const option_row *, const char *text, void *to) { return read_length(text, given(to).ours.reuse_error); }, 0,
		"length from 0 to 0.1", 0, 0},
	{"proven", 0, nullptr, "prove depths of hulls again by what is kept of pairs",
		[](const option_row *, const char *, void *to) { return given(to).ours.proves_depths = true; }, 0, nullptr, 0,
		0},
	{"json", 0, nullptr, "print JSON", [](const option_row *, const char *, void *to) { return given(to).json = true; },
		0, nullptr, 0, 0},
	{"check", 0, nullptr,
		"fail where a body simulated with the library is not finite, lost, through the wall or deep in another",
		[](const option_row *, const char *, void *to) { return given(to).check = true; }, 0, nullptr, 0, 0},
	{},
};

void parse(int argc, char **argv, options &with)
{
	command_line line = {};
	line.name = "widephase-bullet";
	line.arguments = "";
	line.about = "Simulates scenes by Bullet with its own narrowphase and with widephase in its place.";
	line.too_many = "takes options alone";
	line.tables[0] = {option_list, &with};
	command_line_parse(&line, argc, argv);
}

int run_all(const options &with)
{
	std::vector<measurement> all;
	for (const scene &of : with.scenes) {
		const std::vector<measurement> made = measure(of, with);
		all.insert(all.end(), made.begin(), made.end());
	}
	if (with.json)
		print_json(all);
	else
		print_table(all);
	if (!with.check || std::all_of(all.begin(), all.end(), is_stable))
		return 0;
	std::fputs("widephase-bullet: a scene is not stable\n", stderr);
	return exit_broken;
}

} // namespace

int main(int argc, char **argv)
{
	options with;
	parse(argc, argv, with);
	if (with.scenes.empty())
		with.scenes = all_scenes();
	try {
		return run_all(with);
	} catch (const std::exception &problem) {
		std::fprintf(stderr, "widephase-bullet: %s\n", problem.what());
		return exit_error;
	}
}
