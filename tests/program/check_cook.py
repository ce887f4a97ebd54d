#!/usr/bin/env python3
"""Checks `widephase cook` and `widephase collide` of two shapes, on meshes that it writes itself.

usage: check_cook.py WIDEPHASE meshes|no-meshes [sanitized]     without a limit of memory
"""

import base64
import itertools
import json
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

CORNERS = [tuple(map(float, corner)) for corner in itertools.product((-1, 1), repeat=3)]
QUADS = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
TRIANGLES = [(q[0], q[i], q[i + 1]) for q in QUADS for i in (1, 2)]
TIPS = [tuple(sign * 1.125 * (axis == k) for k in range(3)) for axis in range(3) for sign in (-1, 1)]
HALF_TURN = (0.0, 0.0, 1.0, 0.0)

problems = []


def expect(condition, what):
    if not condition:
        problems.append(what)


# ---- meshes ------------------------------------------------------------------------------------------


def moved(points, by):
    return [tuple(c + d for c, d in zip(point, by)) for point in points]


def obj(points, faces):
    lines = ["v {} {} {}".format(*point) for point in points]
    return "\n".join(lines + ["f " + " ".join(str(i + 1) for i in face) for face in faces]) + "\n"


def stl(points, faces):
    triangles = [b"".join(struct.pack("<3f", *v) for v in [(0, 0, 0), *(points[i] for i in face)]) for face in faces]
    return bytes(80) + struct.pack("<I", len(faces)) + b"".join(t + b"\0\0" for t in triangles)


def ply(points, faces):
    head = ["ply", "format ascii 1.0", f"element vertex {len(points)}", *(f"property float {axis}" for axis in "xyz"),
        f"element face {len(faces)}", "property list uchar int vertex_indices", "end_header"]
    rows = [" ".join(map(str, point)) for point in points]
    return "\n".join(head + rows + [f"{len(face)} " + " ".join(map(str, face)) for face in faces]) + "\n"


def gltf(points, faces, nodes):
    """Nodes that all name the one mesh."""
    places = b"".join(struct.pack("<3f", *point) for point in points)
    indices = b"".join(struct.pack("<3H", *face) for face in faces)
    document = {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": nodes,
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": len(points), "type": "VEC3",
                "min": [min(column) for column in zip(*points)], "max": [max(column) for column in zip(*points)]},
            {"bufferView": 1, "componentType": 5123, "count": 3 * len(faces), "type": "SCALAR"},
        ],
        "bufferViews": [{"buffer": 0, "byteOffset": 0, "byteLength": len(places)},
            {"buffer": 0, "byteOffset": len(places), "byteLength": len(indices)}],
        "buffers": [{"byteLength": len(places) + len(indices),
            "uri": "data:application/octet-stream;base64," + base64.b64encode(places + indices).decode()}],
    }
    return json.dumps(document)


# ---- the program -------------------------------------------------------------------------------------


class Program:
    def __init__(self, path, folder):
        self.path = pathlib.Path(path).resolve()
        self.folder = folder

    def write(self, name, contents):
        (self.folder / name).write_bytes(contents if isinstance(contents, bytes) else contents.encode())

    def run(self, *arguments):
        return subprocess.run([self.path, *arguments], cwd=self.folder, capture_output=True, text=True, check=False,
            timeout=60)

    def refuses(self, said, *arguments):
        """Exit status 2, the reason on standard error, nothing on standard output, and no new file."""
        before = {path.name: path.stat().st_mtime_ns for path in self.folder.iterdir()}
        result = self.run(*arguments)
        after = {path.name: path.stat().st_mtime_ns for path in self.folder.iterdir()}
        expect(result.returncode == 2, f"{arguments}: exit status {result.returncode}")
        expect(said in result.stderr, f"{arguments}: says {result.stderr!r}, not {said!r}")
        expect(result.stdout == "", f"{arguments}: prints {result.stdout!r}")
        expect(before == after, f"{arguments}: files {sorted(set(after) ^ set(before))}")

    def cook(self, mesh, *options):
        """The report on the hull: numbers by name."""
        result = self.run("cook", mesh, "--out", "out.wph", *options)
        if result.returncode != 0:
            problems.append(f"cook {mesh} {options}: {result.stderr}")
            return None
        said = {"text": result.stderr}
        for name, pattern in PATTERNS.items():
            found = re.search(pattern, result.stderr, re.MULTILINE)
            said[name] = [float(number) for number in found.groups()] if found else None
        size = (self.folder / "out.wph").stat().st_size
        expect(said["hull"] and said["hull"][2] == size, f"cook {mesh}: {size} bytes, {result.stderr}")
        return said

    def collide(self, *arguments):
        result = self.run("collide", *arguments)
        expect(result.returncode == 0, f"collide {arguments}: {result.stderr}")
        return result.stdout


NUMBER = r"(\S+)"
PATTERNS = {
    "mesh": r": (\d+) vertices in (\d+) mesh",
    "hull": r"^out\.wph: (\d+) vertices, (\d+) faces, (\d+) bytes$",
    "error": rf"^  error +{NUMBER}, {NUMBER} of the diagonal",
    "volume": rf"^  volume +{NUMBER}$",
    "centroid": rf"^  centroid +{NUMBER} {NUMBER} {NUMBER}$",
    "inertia": "^  inertia +" + r"\s+".join([NUMBER] * 9) + "$",
}


def is_near(values, expected, tolerance=1e-6):
    return values is not None and len(values) == len(expected) and all(
        abs(a - b) <= tolerance for a, b in zip(values, expected))


def check_box(name, said, half, centre):
    """A box by the report on it; corners are exact in float."""
    if said is None:
        return
    x, y, z = half
    volume = 8 * x * y * z
    moments = [volume / 3 * (y * y + z * z), 0, 0, 0, volume / 3 * (z * z + x * x), 0, 0, 0, volume / 3 * (x * x + y * y)]
    expect(said["hull"] and said["hull"][:2] == [8, 6], f"{name}: {said['text']}")
    expect(is_near(said["volume"], [volume]), f"{name}: volume {said['volume']}, not {volume}")
    expect(is_near(said["centroid"], centre), f"{name}: centroid {said['centroid']}, not {centre}")
    expect(is_near(said["inertia"], moments), f"{name}: inertia {said['inertia']}, not {moments}")


# ---- cook ----------------------------------------------------------------------------------------------


def check_formats(program):
    program.write("cube.obj", obj(CORNERS, QUADS))
    program.write("cube.stl", stl(CORNERS, TRIANGLES))
    program.write("cube.ply", ply(CORNERS, QUADS))
    program.write("cube.gltf", gltf(CORNERS, TRIANGLES, [{"mesh": 0}]))
    for name in ("cube.obj", "cube.stl", "cube.ply", "cube.gltf"):
        check_box(name, program.cook(name), (1, 1, 1), (0, 0, 0))
        said = program.cook(name, "--scale", "0.5", "--max-vertices", "8")
        check_box(f"{name}, half", said, (0.5, 0.5, 0.5), (0, 0, 0))
        expect(said and said["error"][0] < 1e-13, f"{name}: {said}")
    # Nodes within nodes: moved, turned by half a turn, stretched; the mesh stands twice.
    nodes = [{"children": [1, 2], "translation": [10, 0, 0]}, {"mesh": 0, "scale": [1, 2, 3]},
        {"children": [3], "rotation": HALF_TURN}, {"mesh": 0, "translation": [4, 0, 0], "scale": [1, 2, 3]}]
    program.write("nodes.gltf", gltf(CORNERS, TRIANGLES, nodes))
    said = program.cook("nodes.gltf")
    check_box("nodes.gltf", said, (3, 2, 3), (8, 0, 0))
    expect(said and said["mesh"] == [16, 2], f"nodes.gltf: {said}")
    # Two meshes of one file make one hull.
    program.write("two.obj", "o a\n" + obj(CORNERS, QUADS) + "o b\n" + "".join(
        "v {} {} {}\n".format(*point) for point in moved(CORNERS, (6, 0, 0))) + "".join(
        "f " + " ".join(str(i + 9) for i in face) + "\n" for face in QUADS))
    check_box("two.obj", program.cook("two.obj"), (4, 1, 1), (3, 0, 0))


def check_few(program):
    fans = [(8 + tip, i, j) for tip in range(6) for i, j in ((0, 1), (2, 3))]
    program.write("tips.obj", obj(CORNERS + TIPS, QUADS + fans))
    said = program.cook("tips.obj", "--max-vertices", "8")
    check_box("tips.obj", said, (1, 1, 1), (0, 0, 0))
    expect(said and is_near(said["error"], [0.125, 0.125 / (3 * 2.25 ** 2) ** 0.5], 1e-3), f"tips.obj: {said}")
    said = program.cook("tips.obj")
    expect(said and said["hull"][:2] == [14, 24] and said["error"] is None, f"tips.obj: {said}")


def check_flat(program):
    program.write("flat.obj", obj([(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)], [(0, 1, 2, 3)]))
    said = program.cook("flat.obj")
    expect(said and said["hull"][:2] == [4, 2] and "volume    none: " in said["text"], f"flat.obj: {said}")


def check_scales(program):
    """A scale that leaves the range of floats is named, and any other error is not blamed on it."""
    program.write("far.obj", obj([*CORNERS[:7], (2e30, 1, 1)], QUADS))
    program.write("origin.obj", "v 0 0 0\nv 0 0 0\nv 0 0 0\nf 1 2 3\n")
    for form in (("--out", "new.wph"), ("--mesh", "--out", "new.wpm")):
        for scale in ("1e-300", "1.1754e-38"):
            program.refuses(f"cube.obj: --scale {scale} makes all coordinates smaller than floats hold",
                "cook", "cube.obj", *form, "--scale", scale)
        for scale, named in (("1.1e30", "1.1e+30"), ("1e300", "1e+300"), ("1e308", "1e+308")):
            program.refuses(f"cube.obj: --scale {named} moves a vertex beyond 1e30", "cook", "cube.obj", *form, "--scale", scale)
        program.refuses("far.obj: a vertex is not finite or beyond 1e30", "cook", "far.obj", *form, "--scale", "1")
    said = program.cook("far.obj", "--scale", "0.1")
    expect(said and said["hull"][0] == 5, f"far.obj, a tenth as large: {said}")
    for scale in ("1.1755e-38", "1e-30", "1e30"):
        said = program.cook("cube.obj", "--scale", scale)
        expect(said and said["hull"][:2] == [8, 6], f"cube.obj, {scale} times as large: {said}")
    said = program.cook("origin.obj", "--scale", "1e-300")
    expect(said and said["hull"][:2] == [1, 0], f"origin.obj: {said}")


def check_errors(program):
    program.write("broken.obj", "v 1 2\nf 1 2 3 4 5 6\n")
    program.write("words.ply", "ply\nformat ascii 1.0\n")
    program.write("word.ply", ply(CORNERS, QUADS).replace("end_header\n", "end_header"))
    program.write("empty.obj", "# nothing\n")
    program.write("none.stl", stl([], []))
    program.write("nan.ply", ply([*CORNERS[:7], ("nan", 0, 0)], QUADS))
    program.write("cube.xyz", "1 2 3\n")
    for mesh in ("absent.obj", "broken.obj", "words.ply", "word.ply", "empty.obj", "none.stl", "nan.ply", "cube.xyz", "."):
        program.refuses(f"widephase: {mesh}: ", "cook", mesh, "--out", "new.wph")
    program.refuses("beyond 1e30", "cook", "cube.obj", "--out", "new.wph", "--scale", "2e30")
    check_scales(program)
    program.refuses("which mesh?", "cook", "--out", "new.wph")
    program.refuses("where to?", "cook", "cube.obj")
    program.refuses("one mesh at a time", "cook", "cube.obj", "cube.obj", "--out", "new.wph")
    program.refuses("does not end in .wph", "cook", "cube.obj", "--out", "cube.obj")
    for count in ("3", "65536", "-1", "x", "8x", ""):
        program.refuses("--max-vertices is 4 to 65535", "cook", "cube.obj", "--out", "new.wph", f"--max-vertices={count}")
    for scale in ("0", "-1", "nan", "inf", "x", "1x", "", " 1", "1 ", "1e400", "1e-400"):
        program.refuses("--scale is a finite number above 0, not '", "cook", "cube.obj", "--out", "new.wph", f"--scale={scale}")


# A face of 2^31 corners in 229 bytes: assimp 5.2 takes a minute and 17 GB of memory for it.
LARGE_FACE = """ply
format ascii 1.0
element vertex 5
property float x
property float perty float z
element face 4
property list uchar int vertex_indices
end_header
0 0 \x00\x00\x00\x000 0
0 1 0
1 1
3 0 10 0 1
1 1 1
3 0 1 2
3 0 1 3
2147483648 0 2 3
3 1 2 4
"""

# 10^11 vertices in 300 bytes, by the words of a header and the bytes behind it.
MANY_VERTICES = b"""ply
format binary_little_endian -2147483649
element vertex 99999999999
property float x
property float y
property float z
element face 4
property list uchar int vertex_indices
end_header
""" + bytes.fromhex(
        "0000000000000000000000000000803f0000000000000000000000000000803f0000000000000000000000000000803f0010"
        "803f0000803f0000803f03000000000100000002000000030000000001000000030000000300000000020000000300000003"
        "010000000200000004000000")


def check_limits(program, sanitized):
    """Short files that need more than there is end with one sentence: the file, the limit, the option."""
    program.write("face.ply", LARGE_FACE)
    program.write("vertices.ply", MANY_VERTICES)
    program.refuses("vertices.ply: has more vertices than 100000000; widephase cook --max-mesh-vertices allows more\n",
        "cook", "vertices.ply", "--out", "new.wph")
    program.refuses("vertices.ply: has more vertices than 100000000; ", "collide", "vertices.ply", "cube.obj")
    for name in ("cube.obj", "cube.ply", "cube.stl"):
        program.write("cube.ply", ply(CORNERS, QUADS))
        program.write("cube.stl", stl(CORNERS, TRIANGLES))
        program.refuses(f"{name}: has more vertices than 7; ", "cook", name, "--out", "new.wph", "--max-mesh-vertices=7")
    expect(program.cook("cube.ply", "--max-mesh-vertices=100"), "100 vertices are enough for a cube")
    if not sanitized:
        program.refuses("face.ply: reading it takes more memory than 8192 MiB; widephase cook --max-memory allows more\n",
            "cook", "face.ply", "--out", "new.wph")
        program.refuses("face.ply: reading it takes more memory than 1024 MiB; ",
            "cook", "face.ply", "--out", "new.wph", "--max-memory=1024")
    program.refuses("face.ply: reading it takes longer than 1 s; widephase cook --max-time allows more\n",
        "cook", "face.ply", "--out", "new.wph", "--max-time=1", "--max-memory=100000")
    expect(program.cook("cube.obj", "--max-time=1", "--max-memory=1024"), "1 s and 1024 MiB are enough for a cube")
    for option in ("max-memory", "max-time", "max-mesh-vertices"):
        for value in ("0", "-1", "1000000001", "x", ""):
            program.refuses(f"--{option} is 1 to 1000000000", "cook", "cube.obj", "--out", "new.wph", f"--{option}={value}")


def check_writing(program):
    """A hull is replaced as a whole, or left as it was."""
    program.cook("cube.obj")
    hull = program.folder / "out.wph"
    old = hull.read_bytes()
    program.refuses("absent.obj", "cook", "absent.obj", "--out", "out.wph")
    expect(hull.read_bytes() == old, "a failure changed the file")
    program.refuses("absent/new.wph: cannot create: No such file", "cook", "cube.obj", "--out", "absent/new.wph")
    (program.folder / "folder.wph").mkdir()
    program.refuses("folder.wph: cannot create: Is a directory", "cook", "cube.obj", "--out", "folder.wph")
    (program.folder / "folder.wph").rmdir()
    (program.folder / "full.wph").symlink_to("/dev/full")
    program.refuses("full.wph: cannot write: No space left", "cook", "cube.obj", "--out", "full.wph")
    (program.folder / "full.wph").unlink()
    expect(hull.stat().st_mode & 0o777 == 0o666 & ~UMASK, f"the hull has mode {hull.stat().st_mode:o}")


MESH_PATTERNS = {
    "file": r": (\d+) vertices, (\d+) triangles in (\d+) mesh",
    "welded": r"^  welded +(\d+) vertices$",
    "dropped": r"^  dropped +(\d+) triangles without area, (\d+) unused vertices$",
    "open": r"^  open +(\d+) edges of one triangle, (\d+) of three or more, (\d+) of two with fronts on different sides$",
    "triangles": r"^  triangles (\d+), (\d+) of them",
    "vertices": r"^  vertices +(\d+)$",
    "sides": r"^  sides +(\d+) flat, (\d+) convex, (\d+) concave, (\d+) boundary$",
    "bytes": r"^  bytes +(\d+), ",
}


def numbers_in(patterns, text):
    found = {name: re.search(pattern, text, re.MULTILINE) for name, pattern in patterns.items()}
    return {name: [int(number) for number in match.groups()] if match else None for name, match in found.items()}


def check_mesh(program):
    """Cubes of all formats are one mesh of 12 triangles, and `info` prints the same as `cook`."""
    program.write("cube.stl", stl(CORNERS, TRIANGLES))
    program.write("cube.ply", ply(CORNERS, QUADS))
    mirrored = [{"children": [1]}, {"mesh": 0, "scale": [-1, 1, 1]}]
    program.write("mirror.gltf", gltf(CORNERS, TRIANGLES, mirrored))
    program.write("cube.gltf", gltf(CORNERS, TRIANGLES, [{"mesh": 0}]))
    for name in ("cube.obj", "cube.stl", "cube.ply", "cube.gltf", "mirror.gltf"):
        result = program.run("cook", name, "--mesh", "--out", "out.wpm")
        if result.returncode != 0:
            problems.append(f"cook {name} --mesh: {result.stderr}")
            continue
        said = numbers_in(MESH_PATTERNS, result.stderr)
        size = (program.folder / "out.wpm").stat().st_size
        expect(said["triangles"] == [12, 0] and said["vertices"] == [8] and said["bytes"] == [size], result.stderr)
        expect(said["file"] and said["file"][1:] == [12, 1], result.stderr)
        expect(said["sides"] == [12, 24, 0, 0] and said["open"] == [0, 0, 0] and said["dropped"] == [0, 0], result.stderr)
        expect(said["welded"] == [said["file"][0] - 8], result.stderr)
        info = program.run("info", "out.wpm")
        expect(info.returncode == 0 and info.stdout.splitlines()[1:] == result.stderr.splitlines()[5:],
            f"{info.stdout} {info.stderr} after {result.stderr}")
    mesh = (program.folder / "out.wpm").read_bytes()
    program.write("bit.wpm", mesh[:100] + bytes([mesh[100] ^ 1]) + mesh[101:])
    program.write("short.wpm", mesh[:-1])
    program.write("flat.obj", obj([(0, 0, 0), (1, 1, 1), (2, 2, 2)], [(0, 1, 2)]))
    program.write("points.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\np 1 2 3\n")
    for name in ("bit.wpm", "short.wpm"):
        program.refuses(f"{name}: the memory does not hold an intact mesh", "info", name)
    program.refuses("absent.wpm: ", "info", "absent.wpm")
    program.refuses("one mesh at a time", "info", "out.wpm", "out.wpm")
    program.refuses("flat.obj: the mesh has no triangle with an area", "cook", "flat.obj", "--mesh", "--out", "new.wpm")
    program.refuses("points.obj: has no triangles", "cook", "points.obj", "--mesh", "--out", "new.wpm")
    program.refuses("does not end in .wpm", "cook", "cube.obj", "--mesh", "--out", "new.wph")
    program.refuses("does not end in .wph", "cook", "cube.obj", "--out", "new.wpm")
    program.refuses("is for hulls", "cook", "cube.obj", "--mesh", "--out", "new.wpm", "--max-vertices", "8")


# ---- collide -------------------------------------------------------------------------------------------


def numbers_after(name, text):
    found = re.search(rf"^{re.escape(name)} +(.*)$", text, re.MULTILINE)
    return [float(word) for word in found.group(1).split() if word != "to"] if found else None


def check_collide(program):
    for a, b in (("out.wph", "out.wph"), ("out.wph", "cube.stl"), ("cube.obj", "out.wph"), ("cube.ply", "cube.gltf")):
        said = program.collide(a, b, "--pose-a", "1,1,1", "--pose-b=1,2.75,1,0,0,0,2")
        expect("\noverlapping, 0.25 deep\n" in said, f"{a}, {b}: {said}")
        expect(f"A: {a}, 8 vertices, 6 faces" in said and f"B: {b}, 8 vertices, 6 faces" in said, said)
        expect(said.count(", the hull of the mesh") == 2 - (a, b).count("out.wph"), said)
        expect(is_near(numbers_after("separation", said), [-0.25]), said)
        expect(is_near(numbers_after("normal", said), [0, 1, 0]), said)
        expect(is_near(numbers_after("bounds", said), [-0.25, -0.25], 1e-5), said)
        expect("manifold     4 points, each with its separation\n" in said, said)
        expect(all(is_near(numbers_after(f"  {point}", said), [-0.25]) for point in range(4)), said)
        corners = {tuple(round(float(c)) for c in line.split()) for line in re.findall("^    on A +(.*)$", said, re.M)}
        expect(corners == {(x, 2, z) for x in (0, 2) for z in (0, 2)}, f"{corners} of {said}")
    apart = ("out.wph", "out.wph", "--pose-b", "0,0,-5")
    expect("\napart, by 3\n" in program.collide(*apart), "apart")
    expect("manifold     1 point, its separation\n" in program.collide(*apart, "--points", "1"), "one point")
    expect("\napart\n" in program.collide(*apart, "--query", "overlap"), "overlap")
    said = program.collide(*apart, "--query", "distance")
    expect(is_near(numbers_after("point on A", said)[2:], [-1]) and is_near(numbers_after("point on B", said)[2:], [-4]), said)
    said = program.collide(*apart, "--max-separation", "0.5")
    expect("which is beyond --max-separation" in said and "manifold     0 points" in said, said)
    said = program.collide("out.wph", "out.wph", "--query", "distance")
    expect("\noverlapping\n" in said, said)
    said = program.collide("out.wph", "out.wph", "--pose-b", "2,0,0")
    expect("\ntouching, within rounding\n" in said, said)
    words = [program.collide(*apart, "--variant", name) for name in ("scalar", "auto")]
    expect(words[0] == words[1], f"scalar and auto differ: {words}")
    expect("\napart, by 3\n" in program.collide(*apart, "--variant", "reference"), "reference")
    for name in re.findall(r"^(\w+) +\d+  (?!runs here|double precision)", program.run("info").stdout, re.MULTILINE):
        program.refuses(f"{name}: ", "collide", *apart, "--variant", name)


def check_collide_errors(program):
    pair = ("collide", "out.wph", "out.wph")
    hull = (program.folder / "out.wph").read_bytes()
    program.write("short.wph", hull[:-1])
    program.write("bit.wph", hull[:100] + bytes([hull[100] ^ 1]) + hull[101:])
    program.write("words.wph", "pairs text 1\n")
    program.write("nothing.wph", "")
    program.write("some.pairs", "pairs text 1\nshape sphere 1 0 0 0\npair 0 0 0 0 0 0 0 0 1 0 1 0 0 0 0 1\n")
    for name in ("short.wph", "bit.wph", "words.wph", "nothing.wph"):
        program.refuses(f"{name}: the memory does not hold an intact hull", "collide", name, "out.wph")
    program.refuses("absent.wph: ", "collide", "out.wph", "absent.wph")
    program.refuses("absent.obj: ", "collide", "out.wph", "absent.obj")
    program.refuses("one pair file, or two shapes", *pair, "out.wph")
    program.refuses("which pair file, or which two shapes?", "collide")
    program.refuses("go with two shapes", "collide", "some.pairs", "--pose-a", "1,2,3")
    program.refuses("--out goes with a pair file", *pair, "--out", "new.csv")
    program.refuses("two shapes have no motions", *pair, "--query", "cast")
    program.refuses("the reference answers --query contact alone", *pair, "--variant", "reference", "--query", "manifold")
    for pose in ("1,2", "1,2,3,4", "1,2,3,0,0,0,0", "1,2,nan", "1,2,inf", "1,2,3,", "1 2 3", "1,2,3x", "1,2,1e31", "",
            "1,2,3,4,5,6,7,8"):
        program.refuses(f"--pose-b is X,Y,Z or X,Y,Z,QX,QY,QZ,QW, of numbers up to 1e30 and no quaternion of zeros, not '{pose}'", *pair, f"--pose-b={pose}")
    lines = program.collide("some.pairs").splitlines()
    expect(len(lines) == 2 and lines[1].startswith("0,touching,") or lines[1].startswith("0,penetrating,"), f"{lines}")


UMASK = os.umask(0)
os.umask(UMASK)


def main():
    program_path, meshes = sys.argv[1], sys.argv[2] == "meshes"
    with tempfile.TemporaryDirectory() as folder:
        program = Program(program_path, pathlib.Path(folder))
        program.write("cube.obj", obj(CORNERS, QUADS))
        if not meshes:
            program.refuses("cube.obj: this build has no ", "cook", "cube.obj", "--out", "out.wph")
            program.refuses("cube.obj: this build has no ", "collide", "cube.obj", "cube.obj")
        else:
            check_formats(program)
            check_few(program)
            check_flat(program)
            check_errors(program)
            check_limits(program, "sanitized" in sys.argv[3:])
            check_writing(program)
            check_mesh(program)
            check_collide(program)
            check_collide_errors(program)
    print("\n".join(problems) or "hulls of meshes hold")
    return 1 if problems else 0


sys.exit(main())
