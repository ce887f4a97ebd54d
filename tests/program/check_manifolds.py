#!/usr/bin/env python3
"""Checks what `widephase collide --query manifold` writes, on pairs whose contact points are known.

usage: check_manifolds.py WIDEPHASE cook|no-cook
"""

import csv
import itertools
import struct
import subprocess
import sys
import tempfile

CONTACT = ["status", "nx", "ny", "nz", "lower", "upper", "iterations"]
POINT = [side + axis for side in "ab" for axis in "xyz"]
FACE = 0xffffffff
STILL = "0 0 0 1"

# Vertices 0 and 4 are no corners, 9 is 1 again: the corners of the cube are 1, 2, 3, 5, 6, 7, 8 and 10.
INSIDE = [(0, 0, 0), (0.25, 0, 0.5)]
CORNERS = list(itertools.product((-1, 1), repeat=3))
CUBE = [INSIDE[0], *CORNERS[:3], INSIDE[1], *CORNERS[3:7], CORNERS[0], CORNERS[7]]
TOP = {number for number, corner in enumerate(CUBE) if corner[1] == 1 and number not in (0, 4, 9)}

SHAPES = ["shape box 1 1 1 0", "shape hull 0 0 0 0", *(f"v {x} {y} {z}" for x, y, z in CUBE), "shape sphere 0.5 0 0 0",
    "shape box 3 1 3 0", "shape cone 1 1 0 0", "shape hull 0 0 0 0", *(f"v {x} -1 0" for x in range(4))]
BOX, HULL, SPHERE, FLOOR, CONE, LINE = range(6)

# A stands below; B above it, its faces not parallel to any side of A's. The name, the pair, the number of points.
CASES = [
    ("box on floor", FLOOR, BOX, (0.125, 1.99, 0), 4),
    ("hull on floor", FLOOR, HULL, (0.125, 1.99, 0), 4),
    ("floor on hull", HULL, FLOOR, (0.125, 1.99, 0), 4),
    ("sphere on floor", FLOOR, SPHERE, (0.125, 1.49, 0), 1),
    ("box beyond", FLOOR, BOX, (0, 9, 0), 0),
    ("cone on floor", FLOOR, CONE, (0.125, 1.99, 0), 8),
    ("line on floor", FLOOR, LINE, (-1.5, 1.99, 0), 1),
]
HULLS = {"hull on floor", "floor on hull"}


def collide(program, pairs, *options):
    result = subprocess.run([program, "collide", pairs, *options], check=True, capture_output=True, text=True)
    return list(csv.DictReader(result.stdout.splitlines())), result.stderr


def as_float(value):
    return struct.unpack("f", struct.pack("f", value))[0]


def check_point(name, line, contact, cook):
    """What is wrong with one line of a pair."""
    problems = [f"{key} {line[key]}, of the contact {contact[key]}" for key in CONTACT if line[key] != contact[key]]
    a, b = ([float(line[side + axis]) for axis in "xyz"] for side in "ab")
    normal, separation = [float(line["n" + axis]) for axis in "xyz"], float(line["separation"])
    if max(abs(p + separation * n - q) for p, n, q in zip(a, normal, b)) > 1e-5:
        problems.append(f"{a} and {b} are not {separation} apart along {normal}")
    if abs(separation - -0.01) > 1e-5:
        problems.append(f"separation {separation}")
    if any(value != repr_of(value) for value in (line[key] for key in POINT)):
        problems.append("a number does not read back to the same bits")
    features = {int(line["feature_a"], 16), int(line["feature_b"], 16)}
    if name == "floor on hull" and cook and not features & {number * 0x10001 for number in TOP}:
        problems.append(f"no vertex of the hull's top among features {line['feature_a']}, {line['feature_b']}")
    return problems


def repr_of(text):
    return f"{as_float(float(text)):.9g}"


def check(case, lines, contact, cook, point_max):
    name, count = case[0], case[4] if cook or case[0] not in HULLS else 1
    count = min(count, point_max)
    if [line["point"] for line in lines] != [str(point) for point in range(max(count, 1))]:
        return [f"{name}: points {[line['point'] for line in lines]}, {count} wanted"]
    if {line["count"] for line in lines} != {str(count)}:
        return [f"{name}: counts {[line['count'] for line in lines]}, {count} wanted"]
    if count == 0:
        same = all(lines[0][key] == value for key, value in contact.items())
        return [] if same and lines[0]["feature_a"] == "nan" else [f"{name}: {lines[0]} is not {contact}"]
    return [f"{name}: {problem}" for line in lines for problem in check_point(name, line, contact, cook)]


def main():
    program, cook = sys.argv[1], sys.argv[2] == "cook"
    records = [f"pair {a} {b} 0 0 0 {STILL} {x} {y} {z} {STILL}" for _, a, b, (x, y, z), _ in CASES]
    problems = []
    with tempfile.NamedTemporaryFile("w", suffix=".pairs") as pairs:
        pairs.write("\n".join(["pairs text 1", *SHAPES, *records]) + "\n")
        pairs.flush()
        contacts, _ = collide(program, pairs.name, "--max-separation", "0.02")
        for point_max in (None, 8, 4, 3, 2, 1):
            options = ["--points", str(point_max)] if point_max else []
            lines, said = collide(program, pairs.name, "--query", "manifold", "--max-separation", "0.02", *options)
            faceless = "at most: 1\n" if cook else "at most: 2 (built without widephase-cook)\n"
            if f"hulls without faces, whose pairs have one point {faceless}" not in said:
                problems.append(f"standard error says {said}")
            for number, case in enumerate(CASES):
                own = [line for line in lines if line["pair"] == str(number)]
                problems += check(case, own, contacts[number], cook, point_max or 4)
        for options in (["--points", "2"], ["--query", "manifold", "--points", "9"],
                ["--query", "manifold", "--variant", "reference"]):
            result = subprocess.run([program, "collide", pairs.name, *options], capture_output=True, check=False)
            if result.returncode != 2:
                problems.append(f"{options}: exit status {result.returncode}")
    print("\n".join(problems) or f"{len(CASES)} pairs hold")
    return 1 if problems else 0


sys.exit(main())
