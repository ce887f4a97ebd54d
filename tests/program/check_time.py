#!/usr/bin/env python3
"""`widephase time` samples each variant that runs here and prints what it took.

usage: check_time.py WIDEPHASE FILE.pairs
"""

import csv
import subprocess
import sys


def main(program, pairs):
    done = subprocess.run([program, "time", pairs], capture_output=True, text=True, check=False)
    rows = list(csv.DictReader(done.stdout.splitlines()))
    info = subprocess.run([program, "info"], capture_output=True, text=True, check=True).stdout
    wanted = [line.split()[0] for line in info.splitlines() if line.endswith("runs here")] + ["reference"]
    problems = []
    if done.returncode != 0 or [row["variant"] for row in rows] != wanted:
        problems.append(f"exit {done.returncode}, wanted rows of {wanted}:\n{done.stdout}{done.stderr}")
    for row in rows:
        least, middle, noise = (float(row[name]) for name in ("min_ns_per_pair", "median_ns_per_pair", "noise"))
        if not (row["query"] == "contact" and int(row["pairs"]) > 0 and 0 < least <= middle):
            problems.append(f"not a time: {row}")
        if abs(middle / least - 1 - noise) > 0.02 * middle / least or abs(float(row["mpairs_per_s"]) * least - 1e3) > 20:
            problems.append(f"noise or pairs per second do not follow from the times: {row}")
    noisy = max((float(row["noise"]) for row in rows), default=0)
    if ("too busy" in done.stderr) != (noisy > 0.25) and abs(noisy - 0.25) > 0.001:
        problems.append(f"noise {noisy}, and on standard error: {done.stderr!r}")
    if problems:
        sys.exit("\n".join(problems))


if __name__ == "__main__":
    main(*sys.argv[1:])
