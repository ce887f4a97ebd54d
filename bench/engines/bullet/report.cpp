#include "report.hpp"

#include <algorithm>
#include <numeric>

namespace
{

/* A column: its name in JSON, its head in the table, its format, its value. */
struct column {
	const char *name, *head;
	int width, digits;
	double measurement::*value;
};

const column columns[] = {
	{"narrow_ms_median", "narrow ms", 10, 3, &measurement::narrow_median},
	{"narrow_ms_mean", "mean", 8, 3, &measurement::narrow_mean},
	{"step_ms_median", "step ms", 8, 2, &measurement::total_median},
	{"step_ms_mean", "mean", 8, 2, &measurement::total_mean},
	{"pairs", "pairs", 7, 0, &measurement::pairs},
	{"points", "points", 7, 0, &measurement::points},
	{"depth_mm_max", "depth mm", 9, 2, &measurement::depth_max},
	{"depth_mm_mean", "mean", 7, 3, &measurement::depth_mean},
	{"drift_mm", "drift mm", 9, 3, &measurement::drift},
	{"kinetic_early", "J/kg early", 11, 7, &measurement::kinetic_early},
	{"kinetic_late", "late", 10, 7, &measurement::kinetic_late},
	{"energy_rise", "rise", 10, 7, &measurement::energy_rise},
};

} // namespace

double median_of(std::vector<double> values)
{
	if (values.empty())
		return 0.0;
	const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
	std::nth_element(values.begin(), middle, values.end());
	return *middle;
}

double mean_of(const std::vector<double> &values)
{
	if (values.empty())
		return 0.0;
	return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

measurement middle_of(const std::vector<measurement> &repeats)
{
	measurement made = repeats.front();
	for (const column &of : columns) {
		std::vector<double> values;
		for (const measurement &one : repeats)
			values.push_back(one.*of.value);
		made.*of.value = median_of(values);
	}
	made.lost = made.tunnelled = 0;
	for (const measurement &one : repeats) {
		made.lost += one.lost;
		made.tunnelled += one.tunnelled;
		made.is_finite = made.is_finite && one.is_finite;
	}
	return made;
}

void print_table(const std::vector<measurement> &of)
{
	std::printf("%-9s %-12s %5s", "scene", "narrowphase", "steps");
	for (const column &shown : columns)
		std::printf(" %*s", shown.width, shown.head);
	std::printf(" %5s %5s\n", "lost", "through");
	for (const measurement &row : of) {
		std::printf("%-9s %-12s %5d", row.scene.c_str(), row.engine.c_str(), row.steps);
		for (const column &shown : columns)
			std::printf(" %*.*f", shown.width, shown.digits, row.*shown.value);
		std::printf(" %5d %5d%s\n", row.lost, row.tunnelled, row.is_finite ? "" : " NOT FINITE");
	}
}

void print_json(const std::vector<measurement> &of)
{
	std::printf("[");
	const char *before = "\n";
	for (const measurement &row : of) {
		std::printf("%s  {\"scene\": \"%s\", \"narrowphase\": \"%s\", \"steps\": %d", before, row.scene.c_str(),
			row.engine.c_str(), row.steps);
		for (const column &shown : columns)
			std::printf(", \"%s\": %.9g", shown.name, row.*shown.value);
		std::printf(", \"lost\": %d, \"tunnelled\": %d, \"finite\": %s}", row.lost, row.tunnelled,
			row.is_finite ? "true" : "false");
		before = ",\n";
	}
	std::printf("\n]\n");
}
