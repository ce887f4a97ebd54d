#!/usr/bin/env python3
"""Checks rows of `widephase collide` against exact answers, and its summary against the rows.

usage: check_rows.py WIDEPHASE
"""

import collections
import csv
import math
import subprocess
import sys
import tempfile

QUERIES = ["overlap", "distance", "contact", "manifold", "cast", "depth-along"]
STILL = "0 0 0 1"
RADIUS_A, RADIUS_B = 0.5, 0.25

SHAPES = [f"shape sphere {RADIUS_A} 0 0 0", f"shape sphere {RADIUS_B} 0 0 0", "shape hull 0 0 0 0",
    *(f"v {x} {y} {z}" for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)), "shape sphere nan 0 0 0"]
BALL_A, BALL_B, HULL, NONE = range(4)

# Shapes, the place of B beside A, and the ways of both.
PAIRS = [
    (BALL_A, BALL_B, (0.25, 0.125, 0), (0, 0, -1), (0, 3, -1)),
    (BALL_A, BALL_B, (0.25, 0.125, 0), (2, 0, 0), (0, 0, 0)),
    (BALL_B, BALL_A, (0, 0, 0.5), (0, 0, 0), (1, -2, 0)),
    (BALL_A, BALL_B, (4, 0, 0), (3, 0, 0), (-2, 0, 0)),
    (HULL, HULL, (0.5, 1.75, 0.25), (0, 0, 0), (0, 1, 0)),
    (HULL, HULL, (0.5, 2.25, 0.25), (0, 0, 0), (0, 1, 0)),
    (HULL, NONE, (0, 0, 0), (0, 0, 0), (0, 1, 0)),
]


def capture():
    lines = ["pairs text 1", *SHAPES]
    for a, b, place, *ways in PAIRS:
        lines.append(f"pair {a} {b} 0 0 0 {STILL} {' '.join(map(str, place))} {STILL}")
        lines.append("motion " + " ".join(f"{' '.join(map(str, way))} {STILL}" for way in ways))
    return "\n".join([*lines, ""])


def collide(program, path, *options):
    done = subprocess.run([program, "collide", path, *options], check=True, capture_output=True, text=True)
    return list(csv.DictReader(done.stdout.splitlines())), done.stderr


def free_after(place, way_a, way_b):
    """How far B goes along its way, as A sees it, until balls that overlap touch."""
    way = [q - p for p, q in zip(way_a, way_b)]
    along = sum(x * y for x, y in zip(place, way)) / math.hypot(*way)
    return math.sqrt(along ** 2 + (RADIUS_A + RADIUS_B) ** 2 - math.hypot(*place) ** 2) - along


def check_depths(rows):
    wanted = [free_after(*pair[2:]) for pair in PAIRS[:3]]
    found = [-float(row["separation"]) for row in rows[:3]]
    if all(abs(x - y) < 1e-5 for x, y in zip(found, wanted)):
        return []
    return [f"depth-along: balls are free after {found}, not {wanted}"]


def check_reference(rows, contacts):
    """The reference counts its iterations, and has the separations of the contacts."""
    problems = [f"the reference: {row} beside {known}" for row, known in zip(rows, contacts)
        if row["status"] != known["status"] or abs(float(row["separation"]) - float(known["separation"])) > 1e-5]
    if any(int(row["iterations"]) == 0 for row in rows[4:6]):
        problems.append(f"the reference needs no iterations for hulls: {rows[4:6]}")
    return problems


def check_summary(rows, said, path, query):
    """Each bit of the rows' statuses with its pairs and their share, in the order of bits."""
    first, *lines = said.splitlines()
    counts = collections.Counter(bit for status in {row["pair"]: row["status"] for row in rows}.values() for bit in status.split("|"))
    wanted = {bit: [str(count), f"{100 * count / len(PAIRS):.2f}", "%"] for bit, count in counts.items()}
    problems = []
    if {line.split()[0]: line.split()[1:] for line in lines} != wanted:
        problems.append(f"{query}: the summary is {lines}, of the rows {wanted}")
    if not first.startswith(f"{path}: {len(PAIRS)} pairs, {query} by ") or " ns a pair" not in first:
        problems.append(f"{query}: the summary begins with {first}")
    return problems


def main(arguments):
    if len(arguments) != 1:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    program, problems, answers = arguments[0], [], {}
    with tempfile.NamedTemporaryFile("w", suffix=".pairs") as pairs:
        pairs.write(capture())
        pairs.flush()
        for query in QUERIES:
            answers[query], said = collide(program, pairs.name, "--query", query)
            problems += check_summary(answers[query], said, pairs.name, query)
            rows, said = collide(program, pairs.name, "--query", query, "--threads", "3")
            problems += check_summary(rows, said, pairs.name, query)
        problems += check_depths(answers["depth-along"])
        known = [row for row in answers["contact"] if row["pair"] != str(len(PAIRS) - 1)]
        problems += check_reference(collide(program, pairs.name, "--variant", "reference")[0], known)
    print("\n".join(problems) or f"{len(PAIRS)} pairs hold")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
