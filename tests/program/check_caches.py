#!/usr/bin/env python3
"""Checks that `widephase collide` and `compare` start from the caches of a pair file.

usage: check_caches.py WIDEPHASE
"""

import csv
import math
import random
import subprocess
import sys
import tempfile

PAIRS = 200
QUERIES = ["contact", "distance", "overlap", "manifold"]
NUMBERS = ["separation", "nx", "ny", "nz", "ax", "ay", "az", "bx", "by", "bz", "lower", "upper"]

# From the contract: the separation's error in units of size plus distance; and no less than the ones here.
ERROR = 3e-6
REACH = 4.0


def hull(source, count):
    """Lines of a hull with its vertices on a sphere: convex as they are."""
    lines = ["shape hull 0 0 0 0"]
    for _ in range(count):
        way = [source.gauss(0, 1) for _ in range(3)]
        lines.append("v " + " ".join((x / math.hypot(*way)).hex() for x in way))
    return lines


def pair(source):
    turn = [source.gauss(0, 1) for _ in range(4)]
    turn = [x / math.hypot(*turn) for x in turn]
    place = [source.uniform(-1.6, 1.6) for _ in range(3)]
    return "pair 0 1 0 0 0 0 0 0 1 " + " ".join(x.hex() for x in place + turn)


def write(path, lines):
    with open(path, "w", encoding="ascii") as file:
        file.write("\n".join(["pairs text 1", *lines, ""]))


def collide(program, path, query):
    """The first line of each pair."""
    result = subprocess.run([program, "collide", path, "--query", query], check=True, capture_output=True, text=True)
    rows = {}
    for row in csv.DictReader(result.stdout.splitlines()):
        rows.setdefault(row["pair"], row)
    return list(rows.values())


def check_query(program, query, paths):
    cold, empty, warm, wild = (collide(program, path, query) for path in paths)
    problems = []
    if [[row[key] for key in NUMBERS] for row in empty] != [[row[key] for key in NUMBERS] for row in cold]:
        problems.append(f"{query}: caches that know nothing change answers")
    for name, rows in (("true axes", warm), ("random bytes", wild)):
        for index, (row, known) in enumerate(zip(rows, cold)):
            off = abs(float(row["separation"]) - float(known["separation"]))
            if query in ("contact", "distance") and not off <= 2 * ERROR * REACH:
                problems.append(f"{query}, {name}, pair {index}: {row['separation']}, cold {known['separation']}")
    before, after = (sum(int(row["iterations"]) for row in rows) for rows in (cold, warm))
    print(f"{query}: {before} iterations cold, {after} from the axes")
    if query in ("contact", "overlap") and not after < before:
        problems.append(f"{query}: {after} iterations from the axes, {before} cold")
    return problems


def check(program, folder):
    source = random.Random(1)
    shapes = hull(source, 24) + hull(source, 24)
    pairs = [pair(source) for _ in range(PAIRS)]
    paths = [f"{folder}/{name}.pairs" for name in ("cold", "empty", "warm", "wild")]
    write(paths[0], shapes + pairs)
    axes = [[row["nx"], row["ny"], row["nz"]] for row in collide(program, paths[0], "contact")]
    nothing = ["cache 0 0 0 0 0 0 0 0"] * PAIRS
    known = [f"cache 0 0 0 0 {' '.join(axis)} 0" for axis in axes]
    wild = ["cache " + " ".join(f"{source.getrandbits(32):#x}" for _ in range(4)) + f" nan {source.gauss(0, 1e9)} -inf "
        f"{source.getrandbits(32)}" for _ in pairs]
    for path, caches in zip(paths[1:], (nothing, known, wild)):
        write(path, shapes + [line for lines in zip(pairs, caches) for line in lines])
    problems = [problem for query in QUERIES for problem in check_query(program, query, paths)]
    for path in paths:
        result = subprocess.run([program, "compare", path], check=False, capture_output=True, text=True)
        if result.returncode != 0:
            problems.append(f"compare {path}: exit code {result.returncode}\n{result.stdout}{result.stderr}")
    return problems


def main(arguments):
    if len(arguments) != 1:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as folder:
        problems = check(arguments[0], folder)
    print("\n".join(problems) or "caches hold")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
