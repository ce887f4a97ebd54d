#!/usr/bin/env python3
"""Checks the verdicts of bench/compare on small measurements.

usage: check_compare.py COMPARE
"""

import json
import statistics
import subprocess
import sys
import tempfile

QUIET = [1.00, 1.01, 1.02, 1.01, 1.00, 1.02, 1.01, 1.00, 1.01]
NOISY = [1.0, 1.5, 1.1, 1.9, 1.3, 1.0, 1.2, 1.4, 1.6]    # the median is 1.3
DRIFTING = [1.00, 1.01, 1.02, 1.00, 1.06, 1.06, 1.07, 1.06, 1.07]
LOADED = [1.00, 1.11, 1.12, 1.11, 1.10, 1.01, 1.11, 1.10, 1.11]  # other work, but for two


def times(factor, samples):
    return [factor * sample for sample in samples]


# Name of a cell, its repetitions before and after, the ratio and the verdict.
CELLS = [
    ("contact/box/engine/avx2", QUIET, QUIET, "1.000", "same"),
    ("contact/capsule/engine/avx2", QUIET, times(1.1, QUIET), "1.100", "slower"),
    ("contact/hull8/engine/avx2", QUIET, times(0.9, QUIET), "0.900", "faster"),
    ("contact/hull16/engine/avx2", QUIET, NOISY, "-", "too busy to tell"),
    ("contact/hull32/engine/avx2", times(3, NOISY), QUIET, "-", "too busy to tell"),
    ("contact/hull64/engine/avx2", QUIET, times(3, DRIFTING), "-", "too busy to tell"),
    ("contact/hull128/engine/avx2", QUIET, LOADED, "1.000", "same"),
    ("contact/hull256/engine/avx2", QUIET, times(2, LOADED), "2.000", "slower"),
    ("contact/tri/engine/avx2", QUIET[:2], QUIET[:2], "1.000", "?"),
]


def write(path, side):
    entries = [{"run_name": cell[0], "run_type": "iteration", "repetition_index": repetition,
        "per_pair": 1e-8 * time, "steps": 3.0 + side * (index == 0)}
        for index, cell in enumerate(CELLS) for repetition, time in enumerate(cell[1 + side])]
    entries.reverse()
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"benchmarks": entries}, file)


def lines_of(program, *arguments):
    done = subprocess.run([sys.executable, program, *arguments], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{arguments}: exit status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout.splitlines()


def check(program, before, after):
    problems = []
    lines = lines_of(program, before, after, "--all")
    for name, first, second, ratio, verdict in CELLS:
        fields = next((line for line in lines if line.startswith(name + " ")), "").split()
        wanted = [f"{10 * time:.2f}" for of in (min, statistics.median) for time in (of(first), of(second))] + [ratio]
        if fields[1:6] != wanted or " ".join(fields[7:]) != verdict:
            problems.append(f"wanted {wanted}, {verdict}: {fields}")
    if f"{len(CELLS)} cells in both, 3 changed, 3 too busy to tell; only in A: 0, only in B: 0" not in lines:
        problems.append(f"no such end: {lines[-1]}")
    if not any(line.split() == [CELLS[0][0], "steps", "3", "->", "4"] for line in lines):
        problems.append("a difference of steps is missing")
    shown = {line.split()[0] for line in lines_of(program, before, after) if "%" in line}
    if shown != {name for name, *_, verdict in CELLS if verdict not in ("same", "?")}:
        problems.append(f"without --all: {shown}")
    return problems


def main(program):
    with tempfile.TemporaryDirectory() as folder:
        before, after = f"{folder}/a.json", f"{folder}/b.json"
        write(before, 0)
        write(after, 1)
        problems = check(program, before, after)
    if problems:
        sys.exit("\n".join(problems))


if __name__ == "__main__":
    main(*sys.argv[1:])
