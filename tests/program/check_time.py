#!/usr/bin/env python3
"""`widephase time` samples each variant that runs here and prints what it took, of any query that does not move shapes.
While all cores run busy loops, its ratios are as on a quiet machine, or it says that it cannot tell them.

usage: check_time.py WIDEPHASE FEW.pairs MANY.pairs
"""

import contextlib
import csv
import os
import subprocess
import sys

TOO_BUSY = "too busy to tell"
NOISE_MAX, DRIFT_MAX = 0.25, 0.05
ROUNDING = 0.001  # of noise and drift as they are printed
# Two ratios of least times that are each within DRIFT_MAX differ by less than four such shares.
RATIO_SHARE = 4 * DRIFT_MAX

# Options, the query that the rows name, whether the reference is among the variants. LAST: the last that runs here.
TIMED = [
    ([], "contact", True),
    (["--max-separation", "inf"], "contact", True),
    (["--query", "manifold", "--points", "8", "--max-separation", "0.5"], "manifold", False),
    (["--query", "distance", "--variant", "scalar"], "distance", False),
    (["--query", "overlap"], "overlap", False),
    (["--query", "overlap", "--variant", "LAST"], "overlap", False),
]

REFUSED = [
    (["--query", "cast"], "--query cast is not timed"),
    (["--query", "distance", "--max-separation", "1"], "--max-separation goes with"),
    (["--points", "4"], "--points goes with"),
    (["--variant", "reference", "--max-separation", "1"], "the reference has no"),
    (["--query", "manifold", "--variant", "reference"], "the reference answers"),
]


def check_ratio(row, scalar):
    """The ratio to scalar follows from the times, or cannot be told, by the rule."""
    noise, drift = (max(float(r[name]) for r in (row, scalar)) for name in ("noise", "drift"))
    if abs(noise - NOISE_MAX) <= ROUNDING or abs(drift - DRIFT_MAX) <= ROUNDING:
        return True
    if noise > NOISE_MAX or drift > DRIFT_MAX:
        return row["times_scalar"] == TOO_BUSY
    ratio = float(scalar["min_ns_per_pair"]) / float(row["min_ns_per_pair"])
    return abs(float(row["times_scalar"]) / ratio - 1) < 0.02


def check_rows(rows, query):
    problems = []
    scalar = next((row for row in rows if row["variant"] == "scalar"), None)
    for row in rows:
        least, middle, noise = (float(row[name]) for name in ("min_ns_per_pair", "median_ns_per_pair", "noise"))
        if not (row["query"] == query and int(row["pairs"]) > 0 and 0 < least <= middle and float(row["drift"]) >= 0):
            problems.append(f"not a time of {query}: {row}")
        if row["clock"] != rows[0]["clock"] or row["clock"] not in ("thread", "wall"):
            problems.append(f"no clock, or another than in other rows: {row}")
        if abs(middle / least - 1 - noise) > 0.02 * middle / least or abs(float(row["mpairs_per_s"]) * least - 1e3) > 20:
            problems.append(f"noise or pairs per second do not follow from the times: {row}")
        if row["times_scalar"] != "" if scalar is None else not check_ratio(row, scalar):
            problems.append(f"a wrong ratio to {scalar}: {row}")
    return problems


def run(program, pairs, options):
    return subprocess.run([program, "time", pairs, *options], capture_output=True, text=True, check=False)


def check_few(program, pairs, variants):
    problems = []
    for template, query, has_reference in TIMED:
        options = [variants[-1] if option == "LAST" else option for option in template]
        done = run(program, pairs, options)
        rows = list(csv.DictReader(done.stdout.splitlines()))
        named = options[options.index("--variant") + 1] if "--variant" in options else ""
        wanted = [named] if named else variants + has_reference * ["reference"]
        if done.returncode != 0 or [row["variant"] for row in rows] != wanted:
            problems.append(f"{options}: exit {done.returncode}, wanted rows of {wanted}:\n{done.stdout}{done.stderr}")
            continue
        problems += check_rows(rows, query)
        if TOO_BUSY in done.stdout and TOO_BUSY not in done.stderr:
            problems.append(f"{done.stdout}\nand on standard error: {done.stderr!r}")
    for options, reason in REFUSED:
        done = run(program, pairs, options)
        if done.returncode != 2 or reason not in done.stderr:
            problems.append(f"{options}: exit {done.returncode}, {done.stderr!r}")
    return problems


@contextlib.contextmanager
def busy_loops():
    """One on each core."""
    loops = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(os.cpu_count() or 1)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


def ratios(program, pairs):
    """{variant: how many times as fast as scalar}, of those that can be told."""
    done = run(program, pairs, [])
    return {row["variant"]: float(row["times_scalar"]) for row in csv.DictReader(done.stdout.splitlines())
        if row["times_scalar"] != TOO_BUSY}


def check_busy(program, pairs):
    quiet = ratios(program, pairs)
    with busy_loops():
        busy = ratios(program, pairs)
    return [f"{variant}: {busy[variant]} times as fast as scalar beside busy loops, {quiet[variant]} without"
        for variant in quiet.keys() & busy.keys() if abs(busy[variant] / quiet[variant] - 1) > RATIO_SHARE]


def main(program, few, many):
    info = subprocess.run([program, "info"], capture_output=True, text=True, check=True).stdout
    variants = [line.split()[0] for line in info.splitlines() if line.endswith("runs here")]
    problems = check_few(program, few, variants) + check_busy(program, many)
    if problems:
        sys.exit("\n".join(problems))


if __name__ == "__main__":
    main(*sys.argv[1:])
