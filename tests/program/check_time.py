#!/usr/bin/env python3
"""`widephase time` samples each variant that runs here and prints what it took, of any query that does not move shapes.

usage: check_time.py WIDEPHASE FILE.pairs
"""

import csv
import subprocess
import sys


# Options, the query that the rows name, whether the reference is among the variants.
TIMED = [
    ([], "contact", True),
    (["--max-separation", "inf"], "contact", True),
    (["--query", "manifold", "--points", "8", "--max-separation", "0.5"], "manifold", False),
    (["--query", "distance", "--variant", "scalar"], "distance", False),
]

REFUSED = [
    (["--query", "cast"], "--query cast is not timed"),
    (["--query", "distance", "--max-separation", "1"], "--max-separation goes with"),
    (["--points", "4"], "--points goes with"),
    (["--variant", "reference", "--max-separation", "1"], "the reference knows no"),
    (["--query", "manifold", "--variant", "reference"], "the reference answers"),
]


def check_rows(rows, query):
    problems = []
    for row in rows:
        least, middle, noise = (float(row[name]) for name in ("min_ns_per_pair", "median_ns_per_pair", "noise"))
        if not (row["query"] == query and int(row["pairs"]) > 0 and 0 < least <= middle):
            problems.append(f"not a time of {query}: {row}")
        if abs(middle / least - 1 - noise) > 0.02 * middle / least or abs(float(row["mpairs_per_s"]) * least - 1e3) > 20:
            problems.append(f"noise or pairs per second do not follow from the times: {row}")
    return problems


def run(program, pairs, options):
    return subprocess.run([program, "time", pairs, *options], capture_output=True, text=True, check=False)


def main(program, pairs):
    info = subprocess.run([program, "info"], capture_output=True, text=True, check=True).stdout
    variants = [line.split()[0] for line in info.splitlines() if line.endswith("runs here")]
    problems = []
    for options, query, has_reference in TIMED:
        done = run(program, pairs, options)
        rows = list(csv.DictReader(done.stdout.splitlines()))
        wanted = ["scalar"] if "--variant" in options else variants + has_reference * ["reference"]
        if done.returncode != 0 or [row["variant"] for row in rows] != wanted:
            problems.append(f"{options}: exit {done.returncode}, wanted rows of {wanted}:\n{done.stdout}{done.stderr}")
        problems += check_rows(rows, query)
        noisy = max((float(row["noise"]) for row in rows), default=0)
        if ("too busy" in done.stderr) != (noisy > 0.25) and abs(noisy - 0.25) > 0.001:
            problems.append(f"noise {noisy}, and on standard error: {done.stderr!r}")
    for options, reason in REFUSED:
        done = run(program, pairs, options)
        if done.returncode != 2 or reason not in done.stderr:
            problems.append(f"{options}: exit {done.returncode}, {done.stderr!r}")
    if problems:
        sys.exit("\n".join(problems))


if __name__ == "__main__":
    main(*sys.argv[1:])
