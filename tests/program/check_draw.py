#!/usr/bin/env python3
"""Checks what `widephase draw` writes: well-formed SVG with all that belongs there, for every kind and any size, the
same bytes each time and by every variant; and that it refuses what has no picture.

usage: check_draw.py WIDEPHASE cook|no-cook
"""

import math
import os
import random
import re
import struct
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

SVG = "{http://www.w3.org/2000/svg}"
STILL = "0 0 0 1"
PAGE = (1214, 862)

SHAPES = {
    "sphere": ["shape sphere 0.5 0 0 0"],
    "capsule": ["shape capsule 0.25 0.5 0 0"],
    "box": ["shape box 1 0.5 0.75 0"],
    "rounded box": ["shape box 1 0.5 0.75 0.125"],
    "hull": ["shape hull 0 0 0 0", "v 0 1 0", "v 1 -1 0", "v -1 -1 1", "v -1 -1 -1"],
    "rounded hull": ["shape hull 0 0 0 0.25", "v 0 1 0", "v 1 -1 0", "v -1 -1 1", "v -1 -1 -1"],
    "triangle": ["shape hull 0 0 0 0", "v 0 1 0", "v 1 -1 0", "v -1 -1 1"],
    "segment": ["shape hull 0 0 0 0", "v 0 1 0", "v 1 -1 0"],
    "point": ["shape hull 0 0 0 0", "v 0 0 0"],
    "flat hull": ["shape hull 0 0 0 0", "v 1 0 1", "v 1 0 -1", "v -1 0 1", "v -1 0 -1"],
    "needle": ["shape box 1e-6 4 1e-6 0"],
    "nothing": ["shape sphere 0 0 0 0"],
    "cylinder": ["shape cylinder 0.5 0.75 0 0"],
    "rounded cylinder": ["shape cylinder 0.5 0.25 0 0.125"],
    "cone": ["shape cone 1 1 0 0"],
    "rounded cone": ["shape cone 0.5 0.75 0 0.125"],
    "ellipsoid": ["shape ellipsoid 1 0.5 0.25 0"],
    "rounded ellipsoid": ["shape ellipsoid 0.25 0.75 0 0.125"],
    "disc": ["shape cylinder 0.75 0 0 0"],
    "lens": ["shape ellipsoid 1e4 1e-5 1e4 0"],
    "tiny": ["shape box 1e-5 1e-5 1e-5 0"],
    "huge": ["shape sphere 1e5 0 0 0"],
    "vast": ["shape box 1e30 1e30 1e30 0"],
    "least": ["shape box 1e-44 1e-44 1e-44 0"],
    "half-space": ["shape half-space 0 0 0 0.125"],
}
KINDS = list(SHAPES)


def pair(a, b, place, turn=STILL, from_a="0 0 0"):
    return f"pair {KINDS.index(a)} {KINDS.index(b)} {from_a} {STILL} {place} {turn}"


TURN = "0.25 0.5 0.1 0.82310388166"
SMOOTH = {kind for kind in KINDS if SHAPES[kind][0].split()[1] in ("cylinder", "cone", "ellipsoid")}
BESIDE_SMOOTH = {"box", "hull", "nothing", "vast", "least", "half-space"}
PAIRS = [pair(a, b, "0.9 0.7 -0.2", TURN) for a in KINDS for b in KINDS
         if (a == b or not {a, b} & SMOOTH or {a, b} & BESIDE_SMOOTH) and not a == b == "half-space"] + [
    pair("box", "box", "0 0 0"),                                      # the same place
    pair("nothing", "nothing", "0 0 0"),
    pair("box", "sphere", "1e9 0 3e8"),                               # far apart
    pair("box", "hull", "100000 -19999.5 300000", TURN, "100000 -20000 300000"),
    pair("least", "least", "0 1e-43 0"),
    pair("vast", "least", "0 1e30 0"),
    pair("vast", "vast", "1e30 1e30 -1e30", TURN, "-1e30 -1e30 1e30"),
]
REFUSED = {
    pair("half-space", "half-space", "0 0 0"): "invalid_shape_b",
    pair("box", "box", "nan 0 0"): "invalid_position_b",
    pair("box", "box", "0 0 inf"): "invalid_position_b",
    pair("box", "box", "0 0 0", "0 0 0 0"): "invalid_rotation_b",
}


def write(path, records):
    with open(path, "w", encoding="ascii") as file:
        file.write("\n".join(["pairs text 1", *(line for kind in KINDS for line in SHAPES[kind]), *records, ""]))


def write_binary(path, count):
    """Boxes, pair n moved by n / 1024; the last pair names a shape that is not there."""
    data = [b"PAIRS01\0", struct.pack("<4I", 1, 0, count, 0), struct.pack("<I4f2I", 2, 1, 0.5, 0.75, 0, 0, 0)]
    for row in range(count):
        data.append(struct.pack("<2I14f", 0, 7 if row == count - 1 else 0, 0, 0, 0, 0, 0, 0, 1, row / 1024, 0, 0, 0, 0, 0, 1))
    with open(path, "wb") as file:
        file.write(b"".join(data))


def draw(program, path, number, *options):
    result = subprocess.run([program, "draw", path, "--pair", str(number), *options], capture_output=True, check=False, timeout=60)
    return result.returncode, result.stdout.decode(), result.stderr.decode()


def numbers_of(root):
    """All coordinates on the page, but for the texts."""
    for element in root.iter():
        for key in ("x", "y", "cx", "cy", "r", "width", "height", "d"):
            if "%" not in element.get(key, ""):
                yield from (float(word) for word in re.findall(r"[-+]?[0-9.]+(?:e[-+]?\d+)?|nan|inf", element.get(key, "")))


def check_picture(what, text, places=4):
    """What is wrong with a picture of a valid pair."""
    try:
        root = xml.etree.ElementTree.fromstring(text.encode())
    except xml.etree.ElementTree.ParseError as error:
        return [f"{what}: {error}"]
    problems = []
    if re.search(r"\bnan\b|\binf\b", text):
        problems.append(f"{what}: a number that is none")
    if not all(math.isfinite(number) and abs(number) <= 2 * max(PAGE) for number in numbers_of(root)):
        problems.append(f"{what}: beyond the page")
    views = [group for group in root.iter(SVG + "g") if group.get("id", "").startswith("view")]
    if len(views) != places:
        problems.append(f"{what}: {len(views)} views, {places} wanted")
    for view in views:
        texts = ["".join(element.itertext()) for element in view.iter(SVG + "text")]
        if "A" not in texts[1:] and "B" not in texts[1:]:
            problems.append(f"{what}: no letter in {view.get('id')}")
        if not any(element.get("class") == "bar" for element in view.iter(SVG + "path")):
            problems.append(f"{what}: no scale bar in {view.get('id')}")
    return problems


def words_of(text):
    root = xml.etree.ElementTree.fromstring(text.encode())
    return ["".join(element.itertext()) for element in root.iter(SVG + "text")]


def check_pairs(program, path):
    problems = []
    for number in range(len(PAIRS)):
        code, text, said = draw(program, path, number)
        if code != 0:
            problems.append(f"{PAIRS[number]}: exit status {code}: {said}")
            continue
        problems += check_picture(PAIRS[number], text)
    return problems


def check_words(program, path, cook):
    """One box, half as high again above another: all that the picture has of it."""
    write(path, [pair("box", "box", "0.5 0.75 0"), pair("hull", "hull", "9 0 0")])
    problems = []
    _, text, _ = draw(program, path, 0)
    words = words_of(text)
    wanted = ["overlap, 0.25 deep", "status penetrating", "separation -0.25", "normal 0, 1, 0", "A: box, shape 2 of the file",
        "half extents 1, 0.5, 0.75; radius 0", "position 0.5, 0.75, 0", "4 points of the manifold (rings)", "manifold by the library"]
    problems += [f"no '{line}' in {words}" for line in wanted if line not in words]
    if not words[0].startswith("Pair 0 of ") or "box A and box B, overlap, 0.25 deep" not in words[0]:
        problems.append(f"title {words[0]}")
    if text.count('class="tip"') != 3 or text.count('class="normal"') != 4 or text.count('class="point"') < 12:
        problems.append("the arrow, its ring from above, or the points are missing")
    top = next(group for group in xml.etree.ElementTree.fromstring(text.encode()).iter(SVG + "g") if group.get("id") == "view0")
    unit, left, back = unit_of(top), *map(min, zip(*next(outlines_of(top))))
    rings = sorted(tuple(round(unit * float(element.get(key)) - least, 2) for key, least in (("cx", left), ("cy", back)))
        for element in top.iter(SVG + "circle") if element.get("class") == "point")
    if rings != [(0.5, 0), (0.5, 1.5), (2, 0), (2, 1.5)]:
        problems.append(f"the points of the manifold, from the corner of A: {rings}")
    answers = subprocess.run([program, "collide", path], capture_output=True, text=True, check=True).stdout.splitlines()
    _, text, _ = draw(program, path, 1)
    words, row = words_of(text), answers[2].split(",")
    if f"separation {row[2]}" not in words or f"normal {', '.join(row[3:6])}" not in words:
        problems.append(f"{row} is not what the picture tells: {words}")
    if any(f"point on {side} {', '.join(row[at:at + 3])}" not in words for side, at in (("A", 6), ("B", 9))):
        problems.append(f"the points of {row} are not what the picture tells: {words}")
    if ("stroke-dasharray=\"3 3\"" in text) != cook:
        problems.append("edges of hulls")
    return problems


def unit_of(view):
    """The length of a pixel, by the scale bar."""
    bar = next(element for element in view.iter(SVG + "path") if element.get("class") == "bar")
    length = next(element for element in view.iter(SVG + "text") if element.get("class") == "halo")
    return float("".join(length.itertext())) / float(re.search(r"h([0-9.]+)", bar.get("d"))[1])


def outlines_of(view):
    """Both bodies as a view shows them, in units of length, each as corners in the sense of the page."""
    unit = unit_of(view)
    for element in view.iter(SVG + "path"):
        if element.get("fill-opacity"):
            corners = [float(word) * unit for word in re.findall(r"[-0-9.]+", element.get("d"))]
            yield list(zip(corners[::2], corners[1::2]))


def area_of(corners):
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(corners, corners[1:] + corners[:1])) / 2


def reach_of(shape, direction):
    """How far a body about the origin reaches, the axis of cylinders and cones being Y."""
    kind, params = shape.split()[1], [float(word) for word in shape.split()[2:]]
    x, y, z = direction
    if kind == "ellipsoid":
        return math.sqrt(sum((param * part) ** 2 for param, part in zip(params, direction))) + params[3]
    disc, along = params[0] * math.hypot(x, z), params[1] * y
    return (disc + abs(along) if kind == "cylinder" else max(disc - along, along)) + params[3]


def turned(rotation, v):
    x, y, z, w = rotation
    length = x * x + y * y + z * z + w * w
    cross = (y * v[2] - z * v[1], z * v[0] - x * v[2], x * v[1] - y * v[0])
    twice = (y * cross[2] - z * cross[1], z * cross[0] - x * cross[2], x * cross[1] - y * cross[0])
    return tuple(v[axis] + 2 / length * (w * cross[axis] + twice[axis]) for axis in range(3))


def check_outlines(program, path):
    """Cylinders, cones and ellipsoids from the top, the front and the right: areas as they stand, extents as turned."""
    pi = math.pi
    areas = {  # seen from +y, from +z, from +x
        "cylinder": (pi / 4, 1.5, 1.5),
        "rounded cylinder": (pi * 0.625**2, 1 * 0.5 + 3 * 0.125 + pi / 64, 1 * 0.5 + 3 * 0.125 + pi / 64),
        "cone": (pi, 2, 2),
        "rounded cone": (pi * 0.625**2, *[0.75 + (1 + math.sqrt(10)) * 0.125 + pi / 64] * 2),
        "ellipsoid": (pi / 4, pi / 2, pi / 8),
    }
    rotation = [float(word) for word in TURN.split()]
    back = [-rotation[0], -rotation[1], -rotation[2], rotation[3]]
    axes = ((1, 0, 0), (0, 0, 1)), ((1, 0, 0), (0, 1, 0)), ((0, 0, 1), (0, 1, 0))
    write(path, [pair(kind, kind, "1 0.5 0.25", TURN) for kind in areas])
    problems = []
    for number, (kind, wanted) in enumerate(areas.items()):
        root = xml.etree.ElementTree.fromstring(draw(program, path, number)[1].encode())
        views = [group for group in root.iter(SVG + "g") if group.get("id", "") in ("view0", "view1", "view2")]
        for view, area, across in zip(views, wanted, axes, strict=True):
            still, other = outlines_of(view)
            if abs(area_of(still) - area) > 2e-3 * area:
                problems.append(f"{kind}, {view.get('id')}: area {area_of(still)}, {area} wanted")
            for axis, direction in enumerate(across):
                places = [corner[axis] for corner in other]
                extent = sum(reach_of(SHAPES[kind][0], turned(back, [sign * part for part in direction])) for sign in (-1, 1))
                if abs(max(places) - min(places) - extent) > 2e-3 * extent:
                    problems.append(f"{kind}, {view.get('id')}: {max(places) - min(places)} wide, {extent} wanted")
        words = words_of(draw(program, path, number)[1])
        said = "semi-axes 1, 0.5, 0.25; radius 0" if kind == "ellipsoid" else "base radius"
        if not any(line.startswith(said) for line in words):
            problems.append(f"{kind}: no '{said}' in {words}")
    return problems


def check_same(program, path):
    """The same bytes again, to a file, and by each variant; another picture by the reference, of the same contact."""
    problems, first = [], draw(program, path, 1)[1]
    out = path + ".svg"
    if draw(program, path, 1)[1] != first or draw(program, path, 1, "--variant", "scalar")[1] != first:
        problems.append("another picture of the same pair")
    code, text, _ = draw(program, path, 1, "-o", out)
    with open(out, encoding="ascii") as file:
        if code != 0 or text != "" or file.read() != first:
            problems.append("another picture in a file")
    os.link(path, path + ".link")
    code, _, said = draw(program, path, 1, "-o", path + ".link")
    if code != 2 or "would be written over" not in said or draw(program, path, 1)[1] != first:
        problems.append(f"a picture in the place of its pair file: {said}")
    code, text, said = draw(program, path, 1, "--variant", "reference")
    if code != 0 or "contact by the reference" not in words_of(text):
        problems.append(f"no picture by the reference: {said}")
    return problems


def check_queries(program, path):
    motion = f"motion 0 0 0 {STILL} -4 0.5 0 {TURN}"
    write(path, [pair("box", "hull", "3 0 0"), motion, pair("capsule", "rounded box", "0.2 0 0"), motion])
    problems = []
    for query, number, places, word in (("contact", 0, 4, "apart"), ("distance", 0, 4, "apart"), ("distance", 1, 3, "overlap"),
            ("overlap", 0, 3, "apart"), ("overlap", 1, 3, "overlap"), ("cast", 0, 4, "touch first at fraction"),
            ("depth-along", 1, 4, "B is free"), ("depth-along", 0, 4, "apart")):
        code, text, said = draw(program, path, number, "--query", query)
        if code != 0 or word not in words_of(text)[0]:
            problems.append(f"{query}, pair {number}: exit status {code}: {said}{text[:600]}")
            continue
        problems += check_picture(f"{query}, pair {number}", text, places)
        if ("moves by -4, 0.5, 0" in words_of(text)) != (query in ("cast", "depth-along")):
            problems.append(f"{query}, pair {number}: motions")
        ghosts = text.count('class="ghost"')
        if (ghosts > 0) != (query == "cast" or (query, number) == ("depth-along", 1)):
            problems.append(f"{query}, pair {number}: {ghosts} dashed outlines")
    _, text, _ = draw(program, path, 0, "--max-separation", "0.125")
    problems += check_picture("beyond", text, 3)
    return problems


def check_far(program, path):
    """A point so far away that its grid's lines are one number: the picture ends."""
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"pairs text 1\nshape hull 0 0 0 0\nv 1e17 0 0\npair 0 0 0 0 0 {STILL} 0 0 0 {STILL}\n")
    code, text, said = draw(program, path, 0)
    return [] if code == 0 and len(text) < 100000 else [f"far: exit status {code}, {len(text)} letters: {said}"]


def check_refused(program, path):
    write(path, list(REFUSED))
    problems = []
    for number, (record, word) in enumerate(REFUSED.items()):
        code, text, said = draw(program, path, number)
        if code != 2 or text != "" or word not in said:
            problems.append(f"{record}: exit status {code}, {said}")
    for options in (["--pair", str(len(REFUSED))], ["--pair", "-1"], ["--pair", "1x"], ["--pair", ""], [],
            ["--pair", "0", "--query", "cast"], ["--pair", "0", "--query", "none"], ["--pair", "0", "--points", "9"],
            ["--pair", "0", "--variant", "reference", "--query", "manifold"], ["--pair", "0", "-o", "/nowhere/pair.svg"]):
        result = subprocess.run([program, "draw", path, *options], capture_output=True, check=False)
        if result.returncode != 2 or result.stdout or not result.stderr:
            problems.append(f"{options}: exit status {result.returncode}")
    return problems


def check_binary(program, path):
    """Pairs of other chunks than the first; what is behind the pair is not read."""
    write_binary(path, 10000)
    problems = []
    for number in (0, 4095, 4096, 9998):
        words = words_of(draw(program, path, number)[1])
        if f"position {number / 1024:.9g}, 0, 0" not in words:
            problems.append(f"pair {number} of a binary file: {words}")
    code, _, said = draw(program, path, 9999)
    if code != 2 or "names shape 7" not in said:
        problems.append(f"a pair that is broken: exit status {code}, {said}")
    return problems


def check_name(program, folder):
    path = f"{folder}/a&b<c>\"d\" \u00e9 {random.Random(1).getrandbits(200)}{'x' * 60}.pairs"
    write(path, [pair("box", "box", "1 0 0")])
    _, text, _ = draw(program, path, 0)
    return check_picture("a strange name", text)


def main(arguments):
    if len(arguments) != 2:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    program, cook = arguments[0], arguments[1] == "cook"
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/some.pairs"
        write(path, PAIRS)
        problems = check_pairs(program, path) + check_same(program, path)
        problems += check_outlines(program, path)
        problems += check_words(program, path, cook) + check_queries(program, path) + \
            check_far(program, path) + check_refused(program, path)
        problems += check_binary(program, path) + check_name(program, folder)
    print("\n".join(problems) or f"{len(PAIRS)} pairs have pictures")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
