/* The rule by which `widephase time` trusts a least time, on samples that are made up. */
#include "samples.h"

#include <criterion/criterion.h>
#include <stdint.h>
#include <string.h>

static uint32_t random_state = 7;

static double random_unit(void)
{
	random_state = random_state * 1664525u + 1013904223u;
	return (double)(random_state >> 8) * 0x1p-24;
}

static samples_summary summary_of(const double *taken, size_t count)
{
	static samples all;
	all.count = 0;
	for (size_t i = 0; i < count; i++)
		samples_add(&all, taken[i]);
	return samples_summarize(&all);
}

#define SUMMARY(...) summary_of((const double[]){__VA_ARGS__}, sizeof((const double[]){__VA_ARGS__}) / sizeof(double))

static void expect(samples_summary of, double least, double median, double drift, bool is_steady)
{
	const double noise = median / least - 1.0;
	cr_expect_float_eq(of.least, least, 1e-12, "least %a, not %a", of.least, least);
	cr_expect_float_eq(of.median, median, 1e-12, "median %a, not %a", of.median, median);
	cr_expect_float_eq(of.noise, noise, 1e-12, "noise %a, not %a", of.noise, noise);
	cr_expect_float_eq(of.drift, drift, 1e-12, "drift %a, not %a", of.drift, drift);
	cr_expect_eq(of.is_steady, is_steady, "steady: %d, not %d", of.is_steady, is_steady);
}

Test(samples, least_median_noise_and_drift)
{
	expect(SUMMARY(3), 3, 3, 0, true);
	expect(SUMMARY(4, 4.125), 4, 4.0625, 0.03125, true);
	expect(SUMMARY(4, 8, 6), 4, 6, 0.5, false);
	/* With an odd number the second half has one more. */
	expect(SUMMARY(4, 4.5, 5, 4.125, 4.25), 4, 4.25, 0.03125, true);
	/* Half of the samples took 26 % longer; both halves have the same least. */
	expect(SUMMARY(100, 126, 126, 100, 126, 126), 100, 126, 0, false);
	expect(SUMMARY(100, 124, 124, 100, 124, 124), 100, 124, 0, true);
	/* One sample of one half ran undisturbed; the order of the halves does not matter. */
	expect(SUMMARY(100, 110, 110, 110, 110, 110), 100, 110, 0.1, false);
	expect(SUMMARY(110, 110, 110, 110, 110, 100), 100, 110, 0.1, false);
	/* Other work began when half of the samples were taken. */
	expect(SUMMARY(100, 100, 100, 106, 106, 106), 100, 103, 0.06, false);
	expect(SUMMARY(100, 100, 100, 104, 104, 104), 100, 102, 0.04, true);
}

Test(samples, keeps_the_first_that_fit)
{
	static samples all;
	for (int i = 0; i < SAMPLES_MAX; i++)
		samples_add(&all, 2);
	samples_add(&all, 1);
	cr_expect_eq(all.count, SAMPLES_MAX);
	expect(samples_summarize(&all), 2, 2, 0, true);
}

#define ROUNDS 40
#define TRIALS 20000

/* Rounds of two codes, the second twice as fast. A share of the samples is disturbed, and takes up to 3 times as long. */
static void take_disturbed(double share, double taken[2][ROUNDS])
{
	for (int code = 0; code < 2; code++)
		for (int round = 0; round < ROUNDS; round++) {
			const double own = (code == 0 ? 200.0 : 100.0) * (1.0 + 0.02 * random_unit());
			taken[code][round] = random_unit() < share ? own * (1.0 + 2.0 * random_unit()) : own;
		}
}

/* Ratios that are told are right, whatever share of the samples is disturbed; and where few are, ratios are told. */
Test(samples, ratios_of_disturbed_samples)
{
	static const double shares[] = {0.0, 0.2, 0.4, 0.6, 0.8, 0.95, 1.0};
	for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
		int told = 0;
		for (int trial = 0; trial < TRIALS; trial++) {
			double taken[2][ROUNDS];
			take_disturbed(shares[i], taken);
			const samples_summary slow = summary_of(taken[0], ROUNDS), fast = summary_of(taken[1], ROUNDS);
			const double ratio = slow.least / fast.least;
			if (!slow.is_steady || !fast.is_steady)
				continue;
			told++;
			cr_assert(
				ratio > 2.0 / 1.12 && ratio < 2.0 * 1.12, "share %g, trial %d: ratio %a", shares[i], trial, ratio);
		}
		cr_expect(shares[i] > 0.2 || told == TRIALS, "share %g: %d of %d told", shares[i], told, TRIALS);
	}
}
