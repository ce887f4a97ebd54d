#!/usr/bin/env python3
"""Checks that documents and charts have the figures that were measured.

usage: check_figures.py ROOT [RESULTS.md of the benchmark, README.md, RESULTS.md of the tests]

  - a table in bench/RESULTS.md that follows "`bench/report FILE.csv --table NAME`" is what that prints;
  - a chart of times that bench/RESULTS.md shows has bars of AVX-512 as high as bench/charts/measured.csv says, and the
    means beside the fastest peer, which follow it, are as in that file;
  - the README's table of times has the times and means of that file, and its frames take as long as in bench/RESULTS.md,
    where the shares of peers that keep manifolds are as in their table;
  - the runs of the campaign, by seed, that the README and the summary of tests/RESULTS.md name have as many pairs and broken
    promises as the table of runs in tests/RESULTS.md, and the README's other checks are as in that summary.

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
CHART = re.compile(r"\]\((charts/(?:time|best)-(\w+)-(\w+)\.svg)\)")
MEANS = re.compile(r"geometric means: AVX-512 ([\d.]+), AVX2 ([\d.]+), SSE2 ([\d.]+), one lane ([\d.]+)\.")
TIMES = re.compile(r"^\| (contact|manifold)s of ([^|]+) \|" + r" (\d+) \|" * 4 + r" (\d+) \((\w+)\) \|$", re.MULTILINE)
MEAN_ROW = re.compile(r"^\| (contact|manifold)s, (all kinds|recorded) \|" + r" ([\d.]+) \|" * 4 + r" 1 \|$", re.MULTILINE)
# The kind of a row of the README's table, what its query is called besides, and the regime.
KINDS = {"boxes": ("box", "", "engine"), "capsules": ("capsule", "", "engine"), "hulls, 32 vertices": ("hull32", "", "engine"),
    "2D polygons, 8 vertices": ("polygon8", "_2d", "near")}
REGIMES = {"all kinds": "engine", "recorded": "recorded"}
VARIANTS = ("avx512", "avx2", "sse2", "scalar")
KEPT = re.compile(r"PhysX took ([\d.]+) to ([\d.]+) and Box3D ([\d.]+) to ([\d.]+) of it\.")
TRACKED = re.compile(r"the same points, ([\d.]+) to ([\d.]+) \(AVX2\), with separations proven within 4 mm ([\d.]+) to ([\d.]+); Bullet's "
    r"kept manifolds ([\d.]+) to ([\d.]+) ")
TRACKED_ROW = re.compile(r"^\| \w+, AVX2 \| [\d.]+ \| [\d.]+ \| ([\d.]+) \| [\d.]+ \| ([\d.]+) \| ([\d.]+) \|", re.MULTILINE)
FRAMES = r"^\| {}[^|]* \| (\d+) \| (\d+) \| (\d+) \|"
ROW = re.compile(r"^\| ([^|]+) \| ([\d ]+[^|]*) \| ([^|]+) \| ([^|]+) \|$", re.MULTILINE)
SEED = re.compile(r"^\| [^|]*\| ([\d ]+) \(seed (\d+)\) \| ([^|]+) \|", re.MULTILINE)


def report_of(root):
    """bench/report, which has the peers' ways."""
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


def check_charts(root, results):
    """Bars start at one floor on a logarithmic axis: so many pixels for each factor of time."""
    with open(root / "bench" / "charts" / "measured.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    problems, found = [], CHART.findall(results)
    for path, query, regime in found:
        times = [math.log(float(row["least_ns"])) for row in rows
            if (row["query"], row["regime"], row["variant"]) == (query, regime, "avx512")]
        heights = sorted(bars_of(root / "bench" / path))
        if len(times) < 2 or len(times) != len(heights):
            problems.append(f"{path}: {len(heights)} bars of {len(times)} times")
            continue
        times.sort()
        scale = (heights[-1] - heights[0]) / (times[-1] - times[0])
        off = max(abs(height - heights[0] - scale * (time - times[0])) for height, time in zip(heights, times))
        if off > 0.5:
            problems.append(f"{path}: bars are {off:.1f} pixels off the times that were measured")
    return problems if found else ["no chart of times"]


def means_of(table, peers):
    """How many times as fast each variant is as the fastest peer, in the geometric mean over kinds."""
    kinds = {kind for kind, variant in table if variant in peers}
    fastest = {kind: min(time for (k, variant), time in table.items() if k == kind and variant in peers) for kind in kinds}
    return [math.exp(math.fsum(math.log(fastest[kind] / table[(kind, variant)]) for kind in kinds) / len(kinds))
        for variant in VARIANTS]


class Measured:
    """Times of bench/charts/measured.csv, each peer by its fastest way."""

    def __init__(self, root):
        report = report_of(root)
        self.ways = report.WAYS
        cells = report.Cells(report.rows_of(str(root / "bench" / "charts" / "measured.csv"), None))
        self.table = lambda query, regime: report.best_ways(cells.of(cells.times, query, regime))

    def means(self, query, regime):
        return [f"{mean:.1f}" for mean in means_of(self.table(query, regime), self.ways)]

    def times(self, query, name):
        """Times of each variant, and of the fastest peer with its name."""
        kind, suffix, regime = KINDS[name]
        table = self.table(query + suffix, regime)
        time, peer = min((table[(kind, peer)], peer) for peer in self.ways if (kind, peer) in table)
        return [*(f"{table[(kind, variant)]:.0f}" for variant in VARIANTS), f"{time:.0f}", peer.lower()]


def check_means(measured, results):
    """The means after each chart of best ways, in the order of the charts."""
    charts, means, problems = CHART.findall(results), MEANS.findall(results), []
    if len(charts) != len(means):
        problems.append(f"{len(means)} means after {len(charts)} charts")
    for (path, query, regime), said in zip(charts, means):
        now = measured.means(query, regime)
        if now != list(said):
            problems.append(f"{path}: means {', '.join(said)} in the text, {', '.join(now)} measured")
    return problems


def check_readme(measured, readme, results):
    problems, rows, means = [], TIMES.findall(readme), MEAN_ROW.findall(readme)
    for query, name, *said in rows:
        now = measured.times(query, name) if name in KINDS else ["no such kind"]
        if now != [*said[:-1], said[-1].lower()]:
            problems.append(f"README, {query}s of {name}: {', '.join(said)}; {', '.join(now)} measured")
    for query, pairs, *said in means:
        now = measured.means(query, REGIMES[pairs])
        if now != said:
            problems.append(f"README, {query}s, {pairs}: means {', '.join(said)}; {', '.join(now)} measured")
    if not rows or {row[:2] for row in means} != {("contact", "all kinds"), ("manifold", "all kinds"), ("manifold", "recorded")}:
        problems.append("README: no table of times with means of contacts and manifolds")
    return problems + check_frames(readme, results)


def span(values, digits):
    return [f"{min(values):.{digits}f}", f"{max(values):.{digits}f}"]


def check_frames(readme, results):
    """Times of frames, as shares of manifolds with caches and matched points."""
    problems = []
    kept, (ours, physx, box3d) = KEPT.search(results), (re.search(FRAMES.format(name), results, re.MULTILINE)
        for name in ("and `wp_persistent_update`", "PhysX, persistent manifold", "Box3D, recycling"))
    shares = [[int(other) / int(time) for time, other in zip(ours.groups(), peer.groups())] for peer in (physx, box3d)]
    now = span(shares[0], 2) + span(shares[1], 2)
    if kept is None or list(kept.groups()) != now:
        problems.append(f"frames: peers that keep manifolds take {', '.join(now)}")
    tracked, rows = TRACKED.search(readme), TRACKED_ROW.findall(results)
    exact, reused, bullet = ([float(row[column]) for row in rows] for column in range(3))
    now = span(exact, 2) + span(reused, 2) + span(bullet, 1)
    if tracked is None or list(tracked.groups()) != now:
        problems.append(f"README: tracked frames take {', '.join(now)}")
    return problems


def check_seeds(name, text, results):
    problems, found = [], SEED.findall(text)
    for pairs, seed, broken in found:
        if not re.search(rf"^\| {seed} \| {pairs} \| {re.escape(broken.strip())} \|", results, re.MULTILINE):
            problems.append(f"{name}, seed {seed}: {pairs} pairs, broken {broken}: no such run in tests/RESULTS.md")
    return problems if found else [f"{name}: names no seed"]


def check_checks(readme, results):
    """Sizes, broken promises and errors of the README's table stand in one row of the summary."""
    summary = results.partition("\n## ")[2].partition("\n## ")[0]
    known = {row[1:] for row in ROW.findall(summary)}
    said = ROW.findall(readme.partition("\n## How right\n")[2].partition("\n## ")[0])
    problems = [f"README, {name}: {', '.join(row)}: not in the summary of tests/RESULTS.md" for name, *row in said
        if tuple(row) not in known]
    return problems if len(said) > 1 else ["README: no table of checks"]


def main(arguments):
    if len(arguments) not in (1, 4):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    root = pathlib.Path(arguments[0])
    paths = arguments[1:] or [root / "bench" / "RESULTS.md", root / "README.md", root / "tests" / "RESULTS.md"]
    bench, readme, tests = (pathlib.Path(path).read_text(encoding="utf-8") for path in paths)
    measured = Measured(root)
    problems = check_tables(root, bench) + check_charts(root, bench) + check_means(measured, bench)
    problems += check_readme(measured, readme, bench) + check_checks(readme, tests)
    problems += check_seeds("README", readme, tests) + check_seeds("tests/RESULTS.md", tests, tests)
    print("\n".join(problems) or "figures agree")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
