/* What is measured of a scene with one narrowphase, and how it is printed. */
#ifndef BENCH_ENGINES_BULLET_REPORT_HPP
#define BENCH_ENGINES_BULLET_REPORT_HPP

#include <cstdio>
#include <string>
#include <vector>

struct measurement {
	std::string scene, engine;
	int steps = 0;
	double narrow_median = 0.0, narrow_mean = 0.0; /* milliseconds a step */
	double total_median = 0.0, total_mean = 0.0;
	double pairs = 0.0, points = 0.0; /* a step, in the mean */
	/* At rest, that is in the later part of the run: */
	double depth_max = 0.0, depth_mean = 0.0;       /* millimetres; the mean is over pairs that overlap */
	double drift = 0.0;                             /* millimetres, of the body that went farthest */
	double kinetic_early = 0.0, kinetic_late = 0.0; /* joules a kilogram, means of both halves */
	double energy_rise = 0.0;                       /* joules a kilogram: largest rise of kinetic plus potential */
	/* Over the whole run: */
	int lost = 0, tunnelled = 0; /* bodies */
	bool is_finite = true;
};

double median_of(std::vector<double> values);
double mean_of(const std::vector<double> &values);

/* Of runs of the same scene with the same narrowphase: medians, and sums of what is counted. */
measurement middle_of(const std::vector<measurement> &repeats);

void print_table(const std::vector<measurement> &of);
void print_json(const std::vector<measurement> &of);

#endif
