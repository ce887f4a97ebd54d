#!/usr/bin/env python3
"""Runs numbers from other libraries' bug reports and tests, and from articles, against their exact answers.

usage: hard_cases.py WIDEPHASE CASES.ndjson
       hard_cases.py --write FOLDER CASES.ndjson    write FOLDER/hard_cases.pairs and .truth, for other programs

The fastest variant, scalar and the reference answer all cases of the kinds that there are, casts by the former two; the others
are counted. Cases in 2D are for tests/python/test_2d.py.
Positions are taken relative to A, so that floats hold them. Each case has its own tolerance; where its
exact answer lies within that, either answer to "do they overlap?" is right.
"""

import csv
import json
import math
import pathlib
import struct
import subprocess
import sys
import tempfile

KINDS = {"sphere", "capsule", "box", "hull", "cylinder", "cone", "ellipsoid"}
SMOOTH = {"cylinder", "cone", "ellipsoid"}
ANGLE_MAX = math.radians(0.1)  # of a unique normal, where the separation is not small
SMOOTH_ANGLE_MAX = math.radians(1)  # the same of pairs with a smooth shape
FRACTION_ERROR = 1e-7  # a fraction is a float


def numbers(values):
    return " ".join(float(v).hex() for v in values)


def shape_lines(shape):
    kind = shape["kind"]
    param = {"sphere": lambda: [shape["radius"], 0, 0, 0],
        "capsule": lambda: [shape["radius"], shape["half_height"], 0, 0],
        "box": lambda: [*shape["half_extents"], shape.get("radius", 0)],
        "cylinder": lambda: [shape["radius"], shape["half_height"], 0, 0],
        "cone": lambda: [shape["radius"], shape["half_height"], 0, 0],
        "ellipsoid": lambda: [*shape["semi_axes"], 0],
        "hull": lambda: [0, 0, 0, shape.get("radius", 0)]}[kind]()
    return [f"shape {kind} {numbers(param)}"] + [f"v {numbers(v)}" for v in shape.get("vertices", [])]


def capture_of(cases, with_motions=False):
    """All cases as one text capture: pair i has shapes 2 i and 2 i + 1. With motions those of B, which has one in each case."""
    lines = ["pairs text 1"]
    for case in cases:
        lines += shape_lines(case["a"]) + shape_lines(case["b"])
    for i, case in enumerate(cases):
        a, b = case["a"], case["b"]
        offset = [q - p for p, q in zip(a["pos"], b["pos"])]
        lines.append(f"pair {2 * i} {2 * i + 1} {numbers([0, 0, 0])} {numbers(a['quat'])} {numbers(offset)} {numbers(b['quat'])}")
        if with_motions:
            lines.append(f"motion {numbers([0, 0, 0])} {numbers(a['quat'])} "
                f"{numbers(case['expect']['cast']['b_translation'])} {numbers(b['quat'])}")
    return "\n".join(lines) + "\n"


def rows_of(program, capture, *options):
    output = subprocess.run([program, "collide", capture, *options], check=True, capture_output=True, text=True).stdout
    return list(csv.DictReader(output.splitlines()))


def check(case, contact, overlap):
    """What is wrong with the answers to one case."""
    expect, problems = case["expect"], []
    separation, truth = float(contact["separation"]), expect["signed_distance"]
    if not abs(separation - truth) <= expect["tolerance"]:
        problems.append(f"separation {separation}, not {truth} within {expect['tolerance']}")
    if not expect["touching"]:
        apart = not expect["hit"]
        if ("separated" in contact["status"]) != apart or (overlap and ("separated" in overlap["status"]) != apart):
            problems.append(f"called {contact['status']}, {overlap['status'] if overlap else ''}")
    normal = expect.get("normal")
    if normal and abs(truth) > 1e3 * expect["tolerance"]:
        n = [float(contact[k]) for k in ("nx", "ny", "nz")]
        cross = math.hypot(n[1] * normal[2] - n[2] * normal[1], n[2] * normal[0] - n[0] * normal[2],
            n[0] * normal[1] - n[1] * normal[0])
        angle = math.atan2(cross, sum(x * y for x, y in zip(n, normal)))
        is_smooth = {case["a"]["kind"], case["b"]["kind"]} & SMOOTH
        if not angle <= (SMOOTH_ANGLE_MAX if is_smooth else ANGLE_MAX):
            problems.append(f"normal {n}, not {normal}: {math.degrees(angle):.3f} degrees")
    return problems


def check_cast(case, row):
    """The same of its cast."""
    cast, fraction = case["expect"]["cast"], float(row["fraction"])
    length = math.hypot(*cast["b_translation"])
    is_hit = "hit" in row["status"].split("|")
    if cast["fraction"] is None:
        return [] if not is_hit and fraction == 1 else [f"a hit at {fraction}, where there is none"]
    allowed = case["expect"]["tolerance"] / length + FRACTION_ERROR
    return [] if is_hit and abs(fraction - cast["fraction"]) <= allowed else \
        [f"{row['status']} at {fraction}, not at {cast['fraction']} within {allowed}"]


def read(path):
    """All cases, and those whose kinds there are."""
    with open(path, encoding="utf-8") as file:
        cases = [json.loads(line) for line in file]
    return cases, [c for c in cases if c["dim"] == 3 and {c["a"]["kind"], c["b"]["kind"]} <= KINDS]


def write(folder, known):
    """A pair file and its truth file (src/tools/capture/capture.h)."""
    (folder / "hard_cases.pairs").write_text(capture_of(known), encoding="utf-8")
    rows = (struct.pack("<5d", c["expect"]["signed_distance"], *(c["expect"].get("normal") or (1, 0, 0)), 0) for c in known)
    (folder / "hard_cases.truth").write_bytes(b"TRUTH01\0" + struct.pack("<2I", len(known), 0) + b"".join(rows))


def main():
    if sys.argv[1] == "--write":
        write(pathlib.Path(sys.argv[2]), read(sys.argv[3])[1])
        return 0
    program, path = sys.argv[1:]
    cases, known = read(path)
    casts = [case for case in known if "cast" in case["expect"]]
    failures = runs = 0
    with tempfile.NamedTemporaryFile("w", suffix=".pairs") as capture:
        capture.write(capture_of(known))
        capture.flush()
        for variant in ("auto", "scalar", "reference"):
            contacts = rows_of(program, capture.name, "--variant", variant)
            overlaps = [None] * len(known) if variant == "reference" else \
                rows_of(program, capture.name, "--variant", variant, "--query", "overlap")
            for case, contact, overlap in zip(known, contacts, overlaps, strict=True):
                runs += 1
                for problem in check(case, contact, overlap):
                    failures += 1
                    print(f"{case['name']} by {variant}: {problem}")
    with tempfile.NamedTemporaryFile("w", suffix=".pairs") as capture:
        capture.write(capture_of(casts, with_motions=True))
        capture.flush()
        for variant in ("auto", "scalar"):
            rows = rows_of(program, capture.name, "--variant", variant, "--query", "cast")
            for case, row in zip(casts, rows, strict=True):
                runs += 1
                for problem in check_cast(case, row):
                    failures += 1
                    print(f"{case['name']} by {variant}: {problem}")
    print(f"{len(known)} of {len(cases)} cases have kinds that there are, {len(casts)} are casts; {runs} runs, {failures} problems")
    return 1 if failures or not known or not casts else 0


sys.exit(main())
