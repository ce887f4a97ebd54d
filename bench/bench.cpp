#include "bench.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstring>
#include <mutex>
#include <string>
#include <vector>

namespace
{

std::mutex preparing;

using counter = benchmark::Counter;

void measure(benchmark::State &state, const bench_cell &cell)
{
	const auto thread = static_cast<unsigned>(state.thread_index());
	const auto threads = static_cast<unsigned>(state.threads());
	bench_report report{};
	{
		std::lock_guard<std::mutex> guard(preparing);
		if (!cell.prepare(cell.context, thread, threads, &report)) {
			state.SkipWithError(report.error);
			return;
		}
	}
	/* The timer starts with the first call of KeepRunningBatch and stops with the last. */
	const benchmark::IterationCount at_once = cell.rewind ? 1 : state.max_iterations;
	while (state.KeepRunningBatch(at_once)) {
		if (cell.rewind) {
			state.PauseTiming();
			cell.rewind(cell.context);
			state.ResumeTiming();
		}
		cell.run(cell.context, thread, threads, static_cast<uint64_t>(at_once));
	}
	state.SetItemsProcessed(static_cast<int64_t>(static_cast<double>(state.max_iterations) * report.items));
	/* Counters of threads are summed, and iterations too. */
	const auto flags = counter::kIsIterationInvariantRate | counter::kInvert | counter::kAvgThreads;
	state.counters["per_pair"] = counter(report.items, flags);
	for (size_t index = 0; index < report.counter_count; index++)
		state.counters[report.counters[index].name] = counter(report.counters[index].value, counter::kAvgThreads);
}

double least(const std::vector<double> &values) { return *std::min_element(values.begin(), values.end()); }

bool has_flag(const std::vector<std::string> &arguments, const char *flag)
{
	for (const std::string &argument : arguments)
		if (argument.compare(0, std::strlen(flag), flag) == 0)
			return true;
	return false;
}

} // namespace

void bench_add(const bench_cell *cell)
{
	const bench_cell copy = *cell;
	auto *made = benchmark::RegisterBenchmark(cell->name, [copy](benchmark::State &state) { measure(state, copy); });
	made->Unit(benchmark::kMicrosecond);
	made->ComputeStatistics("min", least);
	if (cell->threads > 0)
		made->Threads(static_cast<int>(cell->threads))->UseRealTime();
}

void bench_count(bench_report *report, const char *name, double value)
{
	if (report->counter_count < BENCH_COUNTER_MAX)
		report->counters[report->counter_count++] = bench_counter{name, value};
}

void bench_note(const char *key, const char *value) { benchmark::AddCustomContext(key, value); }

int bench_run(int argc, char **argv)
{
	/* The repetitions of a cell are spread over the whole run, so that what else the machine does hits all
	 * cells alike. */
	static const char *const defaults[][2] = {
		{"--benchmark_enable_random_interleaving", "true"},
		{"--benchmark_repetitions", "9"},
		{"--benchmark_min_time", "0.05"},
		{"--benchmark_display_aggregates_only", "true"},
	};
	std::vector<std::string> arguments(argv, argv + argc);
	for (const auto &pair : defaults)
		if (!has_flag(arguments, pair[0]))
			arguments.push_back(std::string(pair[0]) + "=" + pair[1]);
	std::vector<char *> pointers;
	for (std::string &argument : arguments)
		pointers.push_back(&argument[0]);
	pointers.push_back(nullptr);
	int count = static_cast<int>(arguments.size());
	benchmark::Initialize(&count, pointers.data());
	if (benchmark::ReportUnrecognizedArguments(count, pointers.data()))
		return 2;
	benchmark::RunSpecifiedBenchmarks();
	benchmark::Shutdown();
	return 0;
}
