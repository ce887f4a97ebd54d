#!/usr/bin/env python3
"""Checks that documents and charts have the figures that were measured.

usage: check_figures.py ROOT [RESULTS.md of the benchmark, README.md, RESULTS.md of the tests]

  - a table in bench/RESULTS.md that follows "`bench/report FILE.csv --table NAME`" is what that prints;
  - a chart of times that the README shows has bars of AVX-512 as high as bench/charts/measured.csv says, and the means
    beside the fastest peer, which follow it, are those of that file;
  - the README's runs of the campaign, by seed, have as many pairs and broken promises as tests/RESULTS.md.

The documents may be others than ROOT's.
"""

import csv
import importlib.machinery
import importlib.util
import math
import pathlib
import re
import subprocess
import sys
import xml.etree.ElementTree

SVG = "{http://www.w3.org/2000/svg}"
AVX512 = (8, 48, 107)
TABLE = re.compile(r"`bench/report (bench/charts/[\w.]+) --table ([\w-]+)`[^\n]*\n\n((?:\|[^\n]*\n)+)")
CHART = re.compile(r"\]\((bench/charts/(?:time|best)-(\w+)-(\w+)\.svg)\)")
MEANS = re.compile(r"geometric means: AVX-512 ([\d.]+), AVX2 ([\d.]+), SSE2 ([\d.]+), one lane ([\d.]+)\.")
SEED = re.compile(r"^\| [^|]*\| ([\d ]+) \(seed (\d+)\) \| ([^|]+) \|", re.MULTILINE)


def report_of(root):
    """bench/report, which knows the peers' ways."""
    sys.dont_write_bytecode = True
    loader = importlib.machinery.SourceFileLoader("report", str(root / "bench" / "report"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("report", loader))
    loader.exec_module(module)
    return module


def check_tables(root, results):
    problems, found = [], TABLE.findall(results)
    for file, name, table in found:
        done = subprocess.run([sys.executable, root / "bench" / "report", root / file, "--table", name], capture_output=True,
            text=True, check=False)
        if done.stdout != table:
            problems.append(f"the table of {name} differs from {file}:\n{done.stderr}{done.stdout}{table}")
    return problems if found else ["no table names its file"]


def bars_of(path):
    """Heights of the bars of AVX-512, from left to right, and of the key, which has the last one."""
    bars = []
    for polygon in xml.etree.ElementTree.parse(path).getroot().iter(SVG + "polygon"):
        if tuple(int(number) for number in re.findall(r"\d+", polygon.get("fill", ""))) == AVX512:
            points = [tuple(map(float, point.split(","))) for point in polygon.get("points").split()]
            bars.append((min(x for x, _ in points), max(y for _, y in points) - min(y for _, y in points)))
    return [height for _, height in sorted(bars)][:-1]


def check_charts(root, readme):
    """Bars start at one floor on a logarithmic axis: so many pixels for each factor of time."""
    with open(root / "bench" / "charts" / "measured.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    problems, found = [], CHART.findall(readme)
    for path, query, regime in found:
        times = [math.log(float(row["least_ns"])) for row in rows
            if (row["query"], row["regime"], row["variant"]) == (query, regime, "avx512")]
        heights = sorted(bars_of(root / path))
        if len(times) < 2 or len(times) != len(heights):
            problems.append(f"{path}: {len(heights)} bars of {len(times)} times")
            continue
        times.sort()
        scale = (heights[-1] - heights[0]) / (times[-1] - times[0])
        off = max(abs(height - heights[0] - scale * (time - times[0])) for height, time in zip(heights, times))
        if off > 0.5:
            problems.append(f"{path}: bars are {off:.1f} pixels off the times that were measured")
    return problems if found else ["the README shows no chart of times"]


def means_of(table, peers):
    """How many times as fast each variant is as the fastest peer, in the geometric mean over kinds."""
    kinds = {kind for kind, variant in table if variant in peers}
    fastest = {kind: min(time for (k, variant), time in table.items() if k == kind and variant in peers) for kind in kinds}
    return [math.exp(math.fsum(math.log(fastest[kind] / table[(kind, variant)]) for kind in kinds) / len(kinds))
        for variant in ("avx512", "avx2", "sse2", "scalar")]


def check_means(root, readme):
    """The means after each chart of best ways, in the order of the charts."""
    report = report_of(root)
    cells = report.Cells(report.rows_of(str(root / "bench" / "charts" / "measured.csv"), None))
    charts, means, problems = CHART.findall(readme), MEANS.findall(readme), []
    if len(charts) != len(means):
        problems.append(f"{len(means)} means after {len(charts)} charts")
    for (path, query, regime), said in zip(charts, means):
        now = [f"{mean:.1f}" for mean in means_of(report.best_ways(cells.of(cells.times, query, regime)), report.WAYS)]
        if now != list(said):
            problems.append(f"{path}: means {', '.join(said)} in the README, {', '.join(now)} measured")
    return problems


def check_seeds(readme, results):
    problems, found = [], SEED.findall(readme)
    for pairs, seed, broken in found:
        if not re.search(rf"^\| {seed} \| {pairs} \| {re.escape(broken.strip())} \|", results, re.MULTILINE):
            problems.append(f"seed {seed}: {pairs} pairs, broken {broken}: not so in tests/RESULTS.md")
    return problems if found else ["the README names no seed"]


def main(arguments):
    if len(arguments) not in (1, 4):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    root = pathlib.Path(arguments[0])
    paths = arguments[1:] or [root / "bench" / "RESULTS.md", root / "README.md", root / "tests" / "RESULTS.md"]
    bench, readme, tests = (pathlib.Path(path).read_text(encoding="utf-8") for path in paths)
    problems = check_tables(root, bench) + check_charts(root, readme) + check_means(root, readme) + check_seeds(readme, tests)
    print("\n".join(problems) or "figures agree")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
