#!/usr/bin/env python3
"""Checks `widephase collide`, `draw` and `time` on pair files that hold meshes: answers against all triangles one by one,
triangles by their numbers in the file, convex pairs among them unchanged, the same bytes from text and binary files, by
every variant and by threads; and clear errors for bad meshes.

usage: check_meshes.py WIDEPHASE cook|no-cook
"""

import csv
import math
import pathlib
import random
import re
import struct
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

SVG = "{http://www.w3.org/2000/svg}"
SIDE = 12
RADIUS = 0.375
HALF = 0.5
STILL = "0 0 0 1"
QUERIES = ["contact", "manifold", "distance", "overlap", "cast"]
SPHERE, BOX, HULL, HILLS, FLOOR = range(5)


def single(x):
    return struct.unpack("<f", struct.pack("<f", x))[0]


def sub(a, b):
    return tuple(x - y for x, y in zip(a, b))


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def surface(height):
    """Triangles on a grid of whole numbers, counter-clockwise seen from above, in an order that no tree has."""
    corner = [[(float(x), single(height(x, z)), float(z)) for z in range(SIDE + 1)] for x in range(SIDE + 1)]
    found = []
    for x in range(SIDE):
        for z in range(SIDE):
            a, b, c, d = corner[x][z], corner[x][z + 1], corner[x + 1][z + 1], corner[x + 1][z]
            found += [(a, b, c), (a, c, d)]
    random.Random(5).shuffle(found)
    return found


HILL_TRIANGLES = surface(lambda x, z: math.sin(1.3 * x) + 0.7 * math.cos(1.1 * z))
FLOOR_TRIANGLES = surface(lambda x, z: 0.0)
TETRAHEDRON = [(0.0, 1.0, 0.0), (1.0, -1.0, 0.0), (-1.0, -1.0, 1.0), (-1.0, -1.0, -1.0)]


def distance_to(p, triangle):
    """Of a point and a triangle: to its plane where the foot is within, else to the nearest edge."""
    n = cross(sub(triangle[1], triangle[0]), sub(triangle[2], triangle[0]))
    ends = list(zip(triangle, triangle[1:] + triangle[:1]))
    if all(dot(cross(sub(b, a), sub(p, a)), n) >= 0 for a, b in ends):
        return abs(dot(sub(p, triangle[0]), n)) / math.sqrt(dot(n, n))
    least = math.inf
    for a, b in ends:
        along = sub(b, a)
        share = min(1.0, max(0.0, dot(sub(p, a), along) / dot(along, along)))
        least = min(least, math.dist(p, [x + share * y for x, y in zip(a, along)]))
    return least


def words(numbers):
    return " ".join(float(x).hex() for x in numbers)


class Pair:
    """One pair, its way down, and what it is for."""

    def __init__(self, a, b, place, down=0.0):
        self.a, self.b, self.down = a, b, single(down)
        self.place = tuple(single(x) for x in place)

    def lines(self):
        return [f"pair {self.a} {self.b} {words(self.place)} {STILL} 0 0 0 {STILL}",
            f"motion 0 {(-self.down).hex()} 0 {STILL} 0 0 0 {STILL}"]

    def records(self):
        return (struct.pack("<2I14f", self.a, self.b, *self.place, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1),
            struct.pack("<14f", 0, -self.down, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1))


def make_pairs():
    """Spheres and boxes over hills and the floor among pairs of convex shapes."""
    source, pairs = random.Random(22), []
    for index in range(240):
        x, z = source.uniform(1, SIDE - 1), source.uniform(1, SIDE - 1)
        if index % 4 == 3:
            pairs.append(Pair(BOX, HULL, (source.uniform(-2, 2), source.uniform(-2, 2), 0)))
        elif index % 4 == 2:
            pairs.append(Pair(BOX, FLOOR, (x, HALF - source.uniform(0, 0.03), z)))
        else:
            pairs.append(Pair(SPHERE, HILLS, (x, source.uniform(-1, 3), z), 8))
    return pairs


def write_text(path, pairs, hills=HILL_TRIANGLES):
    lines = ["pairs text 1", f"shape sphere {RADIUS} 0 0 0", f"shape box {HALF} {HALF} {HALF} 0", "shape hull 0 0 0 0"]
    lines += ["v " + words(vertex) for vertex in TETRAHEDRON]
    for triangles in (hills, FLOOR_TRIANGLES):
        lines += ["shape mesh 0 0 0 0", *("v " + words(vertex) for triangle in triangles for vertex in triangle)]
    lines += [line for pair in pairs for line in pair.lines()]
    with open(path, "w", encoding="ascii") as file:
        file.write("\n".join([*lines, ""]))


def write_binary(path, pairs, hill_count=None):
    meshes = [[vertex for triangle in triangles for vertex in triangle] for triangles in (HILL_TRIANGLES, FLOOR_TRIANGLES)]
    vertices = TETRAHEDRON + meshes[0] + meshes[1]
    shapes = [(0, RADIUS, 0, 0, 0, 0, 0), (2, HALF, HALF, HALF, 0, 0, 0), (3, 0, 0, 0, 0, 0, 4),
        (8, 0, 0, 0, 0, 4, len(meshes[0]) if hill_count is None else hill_count), (8, 0, 0, 0, 0, 4 + len(meshes[0]), len(meshes[1]))]
    data = [b"PAIRS01\0", struct.pack("<4I", len(shapes), len(vertices), len(pairs), 1)]
    data += [struct.pack("<I4f2I", *shape) for shape in shapes] + [struct.pack("<3f", *vertex) for vertex in vertices]
    data += [pair.records()[0] for pair in pairs] + [pair.records()[1] for pair in pairs]
    with open(path, "wb") as file:
        file.write(b"".join(data))


def run(program, *arguments):
    result = subprocess.run([program, *arguments], capture_output=True, check=False)
    return result.returncode, result.stdout.decode(), result.stderr.decode()


def rows_of(program, path, query, *options):
    code, out, said = run(program, "collide", path, "--query", query, *options)
    if code != 0:
        raise SystemExit(f"{query}: exit status {code}: {said}")
    return list(csv.DictReader(out.splitlines()))


def check_spheres(pairs, rows, query):
    """Distances and overlaps of spheres, of all triangles; the triangle is one that has the least."""
    problems = []
    for index, (pair, row) in enumerate(zip(pairs, rows, strict=True)):
        if pair.b != HILLS:
            continue
        gaps = [distance_to(pair.place, triangle) - RADIUS for triangle in HILL_TRIANGLES]
        least, bound = min(gaps), 3e-5
        what = f"{query}, pair {index}: {row['status']}, separation {row['separation']}, triangle {row['triangle']}; {least} wanted"
        if abs(least) > bound and ("penetrating" in row["status"]) != (least < 0):
            problems.append(what)
        elif query == "distance" and least > 0 and abs(float(row["separation"]) - least) > bound:
            problems.append(what)
        elif least < -bound and (row["triangle"] == "" or gaps[int(row["triangle"])] > bound):
            problems.append(what + "; not a triangle that overlaps")
        elif query == "distance" and least > 0 and gaps[int(row["triangle"])] > least + bound:
            problems.append(what + "; another triangle is nearer")
    return problems


def check_casts(pairs, rows):
    """At the fraction the sphere touches, and its triangle is the one."""
    problems, hits = [], 0
    for index, (pair, row) in enumerate(zip(pairs, rows, strict=True)):
        if pair.b != HILLS or "penetrating" in row["status"]:
            continue
        fraction = float(row["fraction"])
        place = (pair.place[0], pair.place[1] - fraction * pair.down, pair.place[2])
        gaps = [distance_to(place, triangle) - RADIUS for triangle in HILL_TRIANGLES]
        hits += "hit" in row["status"]
        if "hit" in row["status"] and (abs(min(gaps)) > 3e-4 or gaps[int(row["triangle"])] > 3e-4):
            problems.append(f"cast, pair {index}: fraction {fraction}, {min(gaps)} from the mesh there")
        if "hit" not in row["status"] and (row["triangle"] != "" or fraction != 1):
            problems.append(f"cast, pair {index}: no hit, but {row}")
    return problems + (["cast: few hits"] if hits < 40 else [])


def check_manifolds(program, path, pairs):
    """A sunk box has four points on a flat floor, their normals straight down; with --ghosts some lean."""
    problems = []
    for options, lean in (((), False), (("--ghosts",), True)):
        lines = {}
        for row in rows_of(program, path, "manifold", *options):
            lines.setdefault(int(row["pair"]), []).append(row)
        ghosts = 0
        for index, pair in enumerate(pairs):
            if pair.b != FLOOR:
                continue
            rows = lines[index]
            ghosts += any(row["ny"] != "-1" for row in rows)
            if not lean and (len(rows) != 4 or int(rows[0]["count"]) != 4 or [int(row["point"]) for row in rows] != [0, 1, 2, 3]):
                problems.append(f"manifold, pair {index}: {len(rows)} lines")
            for row in rows:
                corners = FLOOR_TRIANGLES[int(row["triangle"])]
                x, z = float(row["bx"]), float(row["bz"])
                if not (min(c[0] for c in corners) <= x <= max(c[0] for c in corners)
                        and min(c[2] for c in corners) <= z <= max(c[2] for c in corners)):
                    problems.append(f"manifold, pair {index}: {x}, {z} is not on triangle {row['triangle']}")
                if not lean and abs(float(row["separation"]) - (pair.place[1] - HALF)) > 1e-5:
                    problems.append(f"manifold, pair {index}: separation {row['separation']} at {pair.place[1]}")
        if (ghosts > 0) != lean:
            problems.append(f"{options}: {ghosts} boxes with a normal that leans")
    return problems


def strips():
    """A flat floor of two strips, whose triangles meet in T-junctions."""
    found = []
    for near, far, count in ((0.0, SIDE / 2, SIDE), (SIDE / 2, float(SIDE), 9)):
        ends = [single(SIDE * k / count) for k in range(count + 1)]
        for x, y in zip(ends, ends[1:]):
            a, b, c, d = (x, 0.0, near), (x, 0.0, far), (y, 0.0, far), (y, 0.0, near)
            found += [(a, b, c), (a, c, d)]
    return found


def check_soup(program, folder):
    """Spheres across a seam of T-junctions are pushed aside, but with --soup."""
    path, problems = folder + "/strips.pairs", []
    write_text(path, [Pair(SPHERE, HILLS, (1.5 + 0.1 * i, RADIUS - 0.03, SIDE / 2 + 0.13 * math.sin(i))) for i in range(90)], strips())
    for options, lean in (((), True), (("--soup",), False)):
        rows = rows_of(program, path, "manifold", *options)
        if any(float(row["ny"]) > -0.9999 for row in rows) != lean or len({row["pair"] for row in rows}) != 90:
            problems.append(f"T-junctions, {options}: {sum(float(row['ny']) > -0.9999 for row in rows)} of {len(rows)} points lean")
    return problems


def check_ghosts(program, folder):
    """The picture of ghosts is what its script draws."""
    charts = pathlib.Path(__file__).resolve().parents[2] / "bench" / "charts"
    out = pathlib.Path(folder) / "ghosts.svg"
    run = subprocess.run([sys.executable, charts / "ghosts", program, out], capture_output=True, text=True, check=False)
    if run.returncode != 0 or out.read_bytes() != (charts / "ghosts.svg").read_bytes():
        return [f"bench/charts/ghosts draws another picture than ghosts.svg: {run.stderr}"]
    return [] if "The rule: 0 of " in out.read_text(encoding="ascii") else ["bench/charts/ghosts.svg: ghosts in spite of the rule"]


def check_same(program, folder, pairs, path):
    """The same bytes from a binary file, by each variant and by threads; convex pairs as in a file of their own."""
    problems = []
    binary, convex = folder + "/binary.pairs", folder + "/convex.pairs"
    write_binary(binary, pairs)
    write_text(convex, [pair for pair in pairs if pair.b == HULL])
    variants = re.findall(r"(\w+) +\d+  runs here", run(program, "info")[1])
    for query in QUERIES:
        wanted = run(program, "collide", path, "--query", query)[1]
        for name, options in (("binary", ()), ("threads", ("--threads", "3")), *((v, ("--variant", v)) for v in variants)):
            if run(program, "collide", binary if name == "binary" else path, "--query", query, *options)[1] != wanted:
                problems.append(f"{query}: other bytes, {name}")
        among = [{**row, "pair": ""} for row in rows_of(program, path, query) if pairs[int(row["pair"])].b == HULL]
        if among != [{**row, "pair": ""} for row in rows_of(program, convex, query)]:
            problems.append(f"{query}: convex pairs among meshes have other answers")
    return problems


def check_pictures(program, path, pairs):
    problems = []
    for number in (0, 2, 3):
        code, text, said = run(program, "draw", path, "--pair", str(number))
        if code != 0 or re.search(r"\b(nan|inf)\b", re.sub("separation inf", "", text)):
            problems.append(f"draw {number}: exit status {code}: {said}")
            continue
        root = xml.etree.ElementTree.fromstring(text.encode())
        texts = ["".join(element.itertext()) for element in root.iter(SVG + "text")]
        top = next(group for group in root.iter(SVG + "g") if group.get("id") == "view0")
        faces = sum(element.get("fill-opacity") is not None for element in top.iter(SVG + "path"))
        if pairs[number].b == HULL:
            if faces != 2:
                problems.append(f"draw {number}: {faces} outlines of two convex bodies")
        elif not 3 <= faces < len(HILL_TRIANGLES) or f"triangles: {len(HILL_TRIANGLES)}, of which those near A are drawn" not in texts:
            problems.append(f"draw {number}: {faces} outlines, {texts}")
        if number == 2 and ("4 points of 1 patch (rings, with normals)" not in texts or text.count('class="point"') < 12):
            problems.append(f"draw {number}: no patch in {texts}")
    for query in ("distance", "overlap", "cast"):
        code, text, said = run(program, "draw", path, "--pair", "1", "--query", query)
        if code != 0 or "sphere A and mesh B" not in text:
            problems.append(f"draw, {query}: exit status {code}: {said}")
    return problems


def check_times(program, path):
    code, out, said = run(program, "time", path, "--query", "distance", "--variant", "scalar")
    rows = list(csv.DictReader(out.splitlines()))
    if code == 0 and len(rows) == 1 and rows[0]["pairs"] == "240" and float(rows[0]["min_ns_per_pair"]) > 100:
        return []
    return [f"time: exit status {code}: {said}{out}"]


def check_bad(program, folder, pairs):
    """Bad meshes, by shape and vertex; the other pairs have their answers."""
    path, problems = folder + "/bad.pairs", []
    bad = [*HILL_TRIANGLES]
    bad[7] = (bad[7][0], (0.0, math.nan, 0.0), bad[7][2])
    write_text(path, [Pair(BOX, FLOOR, (3, 0.49, 3)), Pair(SPHERE, HILLS, (3, 0, 3)), Pair(HILLS, BOX, (3, 0, 3))], bad)
    code, out, said = run(program, "collide", path)
    status = [row["status"] for row in csv.DictReader(out.splitlines())]
    if code != 0 or status != ["penetrating", "invalid|invalid_shape_b", "invalid|invalid_shape_a"] or "shape 3: vertex 22" not in said:
        problems.append(f"a NaN in a mesh: {code}, {status}, {said}")
    code, out, said = run(program, "draw", path, "--pair", "1")
    if code != 2 or out or "invalid_shape_b" not in said or "shape 3: vertex 22" not in said:
        problems.append(f"a picture of a NaN: {code}, {said}")
    flat = [((float(x), 0.0, 0.0), (float(x + 1), 0.0, 0.0), (float(x + 2), 0.0, 0.0)) for x in range(9)]
    write_text(path, pairs[:3], flat)
    code, out, said = run(program, "collide", path)
    if code != 0 or "shape 3: the mesh has no triangle with an area" not in said or "invalid" not in out:
        problems.append(f"a mesh without an area: {code}, {said}")
    for count, word in ((len(HILL_TRIANGLES) * 3 - 1, "a mesh of"), (0, "a mesh of 0"), (9 + 3 * 1000, "takes vertices")):
        write_binary(path, pairs, count)
        code, _, said = run(program, "collide", path)
        if code != 2 or word not in said or "shape 3 " not in said or "offset" not in said:
            problems.append(f"a mesh of {count} vertices: {code}, {said}")
    write_text(path, pairs)
    with open(path, encoding="ascii") as file:
        lines = file.read().splitlines()
    at = lines.index("shape mesh 0 0 0 0")
    with open(path, "w", encoding="ascii") as file:
        file.write("\n".join([*lines[:at + 2], *lines[at + 3:], ""]))
    code, _, said = run(program, "collide", path)
    if code != 2 or f"shape 3 is a mesh of {len(HILL_TRIANGLES) * 3 - 1} vertices" not in said:
        problems.append(f"a vertex too few: {code}, {said}")
    write_text(path, pairs)
    for arguments, word in ((("compare", path), "has meshes"), (("collide", path, "--query", "distance", "--ghosts"), "--ghosts"),
            (("time", path, "--query", "overlap", "--two-sided"), "--two-sided"),
            (("collide", path, "--max-separation", "inf"), "need a finite --max-separation"),
            (("collide", path, "--query", "manifold", "--max-separation", "inf"), "need a finite --max-separation"),
            (("draw", path, "--pair", "0", "--max-separation", "inf"), "need a finite --max-separation"),
            (("time", path, "--max-separation", "inf"), "need a finite --max-separation"),
            (("time", path, "--variant", "reference"), "has meshes, which the reference does not answer")):
        code, out, said = run(program, *arguments)
        if code != 2 or out or word not in said:
            problems.append(f"{arguments[0]} {arguments[2:]}: {code}, {said}")
    below = [Pair(BOX, FLOOR, (3, -HALF + 0.01, 3))]
    write_text(path, below)
    one, two = (rows_of(program, path, "contact", *options)[0] for options in ((), ("--two-sided",)))
    if "beyond" not in one["status"] or two["status"] != "penetrating" or float(two["ny"]) != 1:
        problems.append(f"a box below the floor: {one}, {two}")
    return problems


def check_no_cook(program, folder, pairs):
    path = folder + "/all.pairs"
    write_text(path, pairs)
    code, out, said = run(program, "collide", path)
    found = [row["status"] for row in csv.DictReader(out.splitlines())]
    good = all(("invalid_shape_b" in status) == (pair.b != HULL) for status, pair in zip(found, pairs, strict=True))
    return [] if code == 0 and good and "without widephase-cook" in said else [f"without widephase-cook: {code}, {said}"]


def main():
    program, cook = sys.argv[1], sys.argv[2] == "cook"
    pairs = make_pairs()
    with tempfile.TemporaryDirectory() as folder:
        if not cook:
            problems = check_no_cook(program, folder, pairs)
        else:
            path = folder + "/all.pairs"
            write_text(path, pairs)
            problems = check_same(program, folder, pairs, path)
            for query in ("overlap", "distance"):
                problems += check_spheres(pairs, rows_of(program, path, query), query)
            problems += check_casts(pairs, rows_of(program, path, "cast"))
            problems += check_manifolds(program, path, pairs) + check_soup(program, folder) + check_ghosts(program, folder)
            problems += check_pictures(program, path, pairs) + check_times(program, path) + check_bad(program, folder, pairs)
    for problem in problems:
        print(problem)
    print(f"{len(pairs)} pairs, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
