#!/usr/bin/env python3
"""Checks that `widephase collide --threads` writes the same bytes for any number of threads, before an error in the
middle of a file too.

usage: check_threads.py WIDEPHASE
"""

import math
import random
import struct
import subprocess
import sys
import tempfile

THREADS = ["2", "3", "7"]
CHUNK = 16384  # pairs that the program reads at once
MOTIONS, CACHES = 1, 2
SPHERE, CAPSULE, BOX, HULL, CONE = 0, 1, 2, 3, 5
QUERIES = ["contact", "distance", "overlap", "manifold", "cast", "depth-along"]


def turn(source):
    way = [source.gauss(0, 1) for _ in range(4)]
    return [x / math.hypot(*way) for x in way]


def write(path, count, columns=0, broken=None):
    """Random pairs of each kind, one of them not supported, and rows with numbers that are none. Pair `broken` names
    a shape that is not there."""
    source = random.Random(count)
    vertices = [[source.gauss(0, 1) for _ in range(3)] for _ in range(12)]
    vertices = [[x / math.hypot(*vertex) for x in vertex] for vertex in vertices]
    shapes = [(SPHERE, 0.5, 0, 0, 0), (CAPSULE, 0.25, 0.5, 0, 0), (BOX, 1, 0.5, 0.75, 0.125), (HULL, 0, 0, 0, 0),
        (CONE, 1, 1, 0, 0)]
    data = [b"PAIRS01\0", struct.pack("<4I", len(shapes), len(vertices), count, columns)]
    data += [struct.pack("<I4f2I", *shape, 0, len(vertices) if shape[0] == HULL else 0) for shape in shapes]
    data += [struct.pack("<3f", *vertex) for vertex in vertices]
    rows = []
    for row in range(count):
        a, b = source.randrange(4), source.randrange(4) if row % 97 else 4
        place = [source.uniform(-1, 1) if row % 101 else math.nan for _ in range(3)]
        rows.append((0, 0, 0, *turn(source), *place, *turn(source)))
        data.append(struct.pack("<2I14f", a if row != broken else 99, b, *rows[-1]))
    if columns & MOTIONS:
        for row in rows:
            way = [source.uniform(-2, 2) for _ in range(3)]
            data.append(struct.pack("<14f", 0, 0, 0, *row[3:7], *way, *turn(source)))
    if columns & CACHES:
        data += [struct.pack("<4I3fI", 0, 0, 0, 0, *turn(source)[:3], 0) for _ in rows]
    with open(path, "wb") as file:
        file.write(b"".join(data))


def collide(program, path, *options):
    result = subprocess.run([program, "collide", path, *options], capture_output=True, check=False)
    return result.returncode, result.stdout, result.stderr.decode()


def counts_of(said):
    """The summary, without the line that has the time."""
    return [line for line in said.splitlines() if " ns a pair" not in line]


def check(program, path, rows, code, *options):
    """Every number of threads against one; `rows` lines and this exit code are right."""
    what = f"{path.rsplit('/', 1)[1]} {' '.join(options)}"
    one = collide(program, path, *options)
    problems = []
    if one[0] != code:
        problems.append(f"{what}: exit status {one[0]}, {code} wanted: {one[2]}")
    written = len({line.split(b",")[0] for line in one[1].splitlines()[1:]})
    if written != rows:
        problems.append(f"{what}: {written} pairs written, {rows} wanted")
    for threads in ["1", *THREADS, "all"]:
        other = collide(program, path, *options, "--threads", threads)
        if other[:2] != one[:2] or counts_of(other[2]) != counts_of(one[2]):
            problems.append(f"{what}: {threads} threads write other rows\n{other[2]}")
    return problems


def main(arguments):
    if len(arguments) != 1:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    program, problems = arguments[0], []
    with tempfile.TemporaryDirectory() as folder:
        for count in (0, 1, 2, 6, 7, 8, 500):
            path = f"{folder}/{count}.pairs"
            write(path, count)
            problems += check(program, path, count, 0)
        path = f"{folder}/chunks.pairs"
        write(path, 2 * CHUNK + 100)
        problems += check(program, path, 2 * CHUNK + 100, 0)
        with open(path, "rb") as file:
            whole = file.read()
        code, _, said = collide(program, path, "--out", f"{folder}/../{folder.rsplit('/', 1)[1]}/chunks.pairs")
        with open(path, "rb") as file:
            if code != 2 or "would be written over" not in said or file.read() != whole:
                problems.append(f"rows in the place of their pair file: {said}")
        path = f"{folder}/columns.pairs"
        write(path, 2000, MOTIONS | CACHES)
        for query in QUERIES:
            problems += check(program, path, 2000, 0, "--query", query)
        problems += check(program, path, 2000, 0, "--query", "manifold", "--points", "8", "--max-separation", "0.1")
        problems += check(program, path, 2000, 0, "--variant", "reference")
        path = f"{folder}/broken.pairs"
        write(path, 2 * CHUNK, broken=CHUNK + 3)
        problems += check(program, path, CHUNK, 2)
        for text in ("0", "257", "-1", "2x", "", "many"):
            if collide(program, path, "--threads", text)[0] != 2:
                problems.append(f"--threads '{text}' is not refused")
    print("\n".join(problems) or f"{', '.join(THREADS)} threads write what one writes")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
