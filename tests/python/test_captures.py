"""Pair files of both forms: what is read and written is what the program reads and writes, and what it refuses."""

import pathlib
import pickle
import struct

import numpy as np
import pytest
from conftest import RECORDED, check_rows, collide, has_cook, program, same_bits

import widephase as wp

CASES = sorted((pathlib.Path(__file__).parent.parent / "cases").glob("*.pairs"))
ROW = list(wp.row_dtype.names)

TEXT = b"""pairs text 1
# a remark
shape sphere 0x1p-1 0 0 0
shape hull 0 0 0 0.125
v 0 0 0
 v\t1 0 0
v 0 1 0\r
pair 0 1 1 2 3 0 0 0 1 -1 -2 -3 0 0 0 1
motion 1 0 0 0 0 0 1 0 0 0 0 0 0 1
cache 0x10 2 010 4294967295 1 0 0 3

pair 1 0 nan inf -inf 0 0 0 1 -0 1e-50 1e50 0 0 0 1
"""


def everything(random):
    """A capture with all that a file may have."""
    recorded = wp.Capture.read(RECORDED[0])
    pairs = recorded.pairs[:300].copy()
    motions, caches = np.zeros(len(pairs), wp.capture_motion_dtype), np.zeros(len(pairs), wp.cache_dtype)
    for field in motions.dtype.names:
        motions[field] = random.normal(size=motions[field].shape)
    caches["vertex"] = random.integers(0, 1 << 32, (len(pairs), 4))
    caches["axis"], caches["count"] = random.normal(size=(len(pairs), 3)), random.integers(0, 5, len(pairs))
    pairs["position_a"][:7, 0] = [np.nan, np.inf, -np.inf, -0.0, 1e-45, 3.4e38, -1e-40]
    return wp.Capture(recorded.shapes, pairs, recorded.vertices, motions, caches)


def used_vertices(capture):
    """Those that shapes name, which is what the text form has."""
    return np.concatenate([capture.vertices[first:first + count]
        for first, count in zip(capture.shapes["first_vertex"], capture.shapes["vertex_count"])])


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)
def test_binary_round_trip(path, tmp_path):
    capture, mapped = wp.Capture.read(path), wp.Capture.read(path, mmap=True)
    assert capture.to_bytes() == mapped.to_bytes() == path.read_bytes()
    assert not capture.pairs.flags.writeable and not mapped.pairs.flags.writeable
    a, _ = capture.bodies()
    assert np.shares_memory(a.position, capture.pairs) and a.position.strides == (64, 4)
    capture.write(tmp_path / "again.pairs")
    assert (tmp_path / "again.pairs").read_bytes() == path.read_bytes()


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)
def test_text_round_trip(path, tmp_path):
    capture = wp.Capture.read(path)
    capture.write_text(tmp_path / "text.pairs")
    again = wp.Capture.read(tmp_path / "text.pairs")
    assert again.pairs.tobytes() == capture.pairs.tobytes()
    assert again.shapes[["kind", "param", "vertex_count"]].tobytes() == \
        capture.shapes[["kind", "param", "vertex_count"]].tobytes()
    assert again.vertices.tobytes() == used_vertices(capture).tobytes()
    assert collide(tmp_path / "text.pairs")["lines"] == collide(path)["lines"]


def test_columns_round_trip():
    capture = everything(np.random.default_rng(1))
    for again in (wp.Capture.from_bytes(capture.to_bytes()), wp.Capture.from_bytes(capture.to_text().encode())):
        for field in ("motions", "caches", "pairs"):
            assert getattr(again, field).tobytes() == getattr(capture, field).tobytes()
    assert repr(capture).endswith("300 pairs, motions, caches>")


def test_text_is_that_of_the_program():
    """The campaign wrote these files; those that a hand has changed since are left out."""
    written = {path: path.read_bytes() for path in CASES}
    written = {path: data.decode() for path, data in written.items() if data.startswith(b"pairs text 1")}
    written = {path: text for path, text in written.items() if text.count("#") == 1 and "000p" not in text}
    assert len(written) >= 5
    for path, contents in written.items():
        remark = contents.splitlines()[1].removeprefix("# ")
        assert wp.Capture.read(path).to_text(remark) == contents


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_cases(path):
    capture = wp.Capture.read(path)
    check_rows(wp.contact(capture.shape_table(), *capture.bodies(), outputs=ROW), collide(path))


def test_what_a_text_says():
    capture = wp.Capture.from_bytes(TEXT)
    assert capture.shapes["kind"].tolist() == [0, 3] and capture.shapes["vertex_count"].tolist() == [0, 3]
    assert capture.shapes["param"].tolist() == [[0.5, 0, 0, 0], [0, 0, 0, 0.125]]
    assert capture.vertices.tolist() == [[0, 0, 0], [1, 0, 0], [0, 1, 0]]
    assert capture.caches[0].tobytes() == struct.pack("<4I3fI", 16, 2, 10, 0xffffffff, 1, 0, 0, 3)
    assert not capture.caches[1:].tobytes().strip(b"\0")
    assert capture.motions["translation_a"].tolist() == [[1, 0, 0], [0, 0, 0]]
    assert capture.motions["rotation_b"].tolist() == [[0, 0, 0, 1]] * 2
    position = capture.pairs[1]["position_a"].tolist() + capture.pairs[1]["position_b"].tolist()
    assert str(position) == "[nan, inf, -inf, -0.0, 0.0, inf]"
    other = wp.Capture.from_bytes(TEXT.replace(b"\r", b"").replace(b"\n", b"\r\n"))
    assert other.pairs.tobytes() == capture.pairs.tobytes() and other.caches.tobytes() == capture.caches.tobytes()


@pytest.mark.parametrize("word, is_read", [("nan(1)", True), ("NAN()", True), ("nan(0x_1f)", True), ("nan(", False), ("nan(1", False),
    ("nan(-)", False), ("1\v", False), ("0x", False), ("0x.p1", False), ("1e", False), ("infinit", False), ("1_0", False), ("-.5e-3", True)])
def test_words_are_numbers_for_both_or_neither(word, is_read, tmp_path):
    path = tmp_path / "word.pairs"
    path.write_bytes(TEXT.replace(b"0 0 0 0.125", f"0 0 {word} 0.125".encode()))
    assert (program("collide", path).returncode == 0) == is_read
    if is_read:
        assert len(wp.Capture.read(path).pairs) == 2
    else:
        with pytest.raises(wp.CaptureError, match="no number"):
            wp.Capture.read(path)


def test_numbers_have_the_bits_of_the_program(tmp_path):
    """Also numbers beside the middle between two floats, where rounding twice goes wrong."""
    random = np.random.default_rng(2)
    words = ["0x1.000001p0", "0x1.0000010000000000001p0", "0x1.000003p0", "0x1.0000030000000001p+0", "0x0.8p-149",
        "0x1.1p-150", "16777217", "16777217.0000000000000000000001", "16777219", "16777218.9999999999999999999999999999999999999999",
        "7.00649232162408535461864791644958e-46", "7.00649232162408535461864791644959e-46", ".5", "5.", "1E5", "0X1P4",
        "340282356779733661637539395458142568447", "340282356779733661637539395458142568448", "1e39", "-1e400",
        "0x1p1024", "0x.8", "0xA.8p0", "1e-400", "-inf", "INFINITY", "-0"]
    floats = (10.0 ** random.uniform(-45, 30, 60)).astype(np.float32)
    with np.errstate(over="ignore"):
        middles = [(float(value) + float(np.nextafter(value, np.float32(np.inf)))) / 2 for value in floats]
    words += [f"{middle:.60g}{end}" for middle in middles if "e" not in f"{middle:.60g}" for end in ("", "01")]
    words = words[:len(words) // 3 * 3]
    assert len(words) > 60
    lines = ["pairs text 1", "shape sphere 1 0 0 0"]
    lines += [f"pair 0 0 {' '.join(words[i:i + 3])} 0 0 0 1 0 0 0 0 0 0 1" for i in range(0, len(words), 3)]
    (tmp_path / "numbers.pairs").write_text("\n".join(lines) + "\n")
    capture = wp.Capture.read(tmp_path / "numbers.pairs")
    # The program says whether its positions give the same answers, and the C library what the bits are.
    found = wp.contact(capture.shape_table(), *capture.bodies(), outputs=ROW)
    check_rows(found, collide(tmp_path / "numbers.pairs"))
    import ctypes
    strtof = ctypes.CDLL(None).strtof
    strtof.restype, strtof.argtypes = ctypes.c_float, [ctypes.c_char_p, ctypes.c_void_p]
    wanted = np.array([strtof(word.encode(), None) for word in words], np.float32)
    assert same_bits(capture.pairs["position_a"].ravel(), wanted)


BINARY = wp.Capture.from_bytes(TEXT).to_bytes()
SHAPES, VERTICES, PAIRS = 24, 24 + 2 * 28, 24 + 2 * 28 + 3 * 12


def patched(offset, value):
    return BINARY[:offset] + struct.pack("<I", value) + BINARY[offset + 4:]


@pytest.mark.parametrize("data, offset, says", [
    (b"", 0, "24 bytes are missing"),
    (BINARY[:20], 20, "4 bytes are missing"),
    (b"PAIRS02" + BINARY[7:], 0, "not a pair file"),
    (b"x", 0, "not a pair file"),
    (b"pairs text 2\n", 0, "starts with neither PAIRS01 nor the line 'pairs text 1'$"),
    (patched(20, 4), 20, "columns that are not known, 0x4"),
    (BINARY[:-1], len(BINARY) - 1, "promises"),
    (BINARY + b"x", len(BINARY), "promises"),
    (patched(8, 0xffffffff), len(BINARY), "promises"),
    (patched(SHAPES, 99), SHAPES, "shape 0 has an unknown kind, 99"),
    (patched(SHAPES + 20, 1), SHAPES + 20, "shape 0 is no hull, but its first vertex is 1"),
    (patched(SHAPES + 24, 1), SHAPES + 24, "shape 0 is no hull, but has 1 vertices"),
    (patched(SHAPES + 28 + 24, 0), SHAPES + 28 + 24, "shape 1 has 0 vertices"),
    (patched(SHAPES + 28 + 24, 65536), SHAPES + 28 + 24, "shape 1 has 65536 vertices"),
    (patched(SHAPES + 28, 8)[:SHAPES + 28 + 24] + struct.pack("<I", 2) + BINARY[SHAPES + 28 + 28:], SHAPES + 28 + 24,
        "shape 1 is a mesh of 2 vertices"),
    (patched(SHAPES + 28 + 20, 0xffffffff), SHAPES + 28 + 20, "shape 1 takes 3 vertices from 4294967295 on"),
    (patched(PAIRS + 64, 2), PAIRS + 64, "pair 1 names shape 2 as A, the file has 2"),
    (patched(PAIRS + 4, 9), PAIRS + 4, "pair 0 names shape 9 as B"),
])
def test_corrupt_binary_files(data, offset, says, tmp_path):
    path = tmp_path / "bad.pairs"
    path.write_bytes(data)
    for mmap in (False, True):
        with pytest.raises(wp.CaptureError, match=says) as caught:
            wp.Capture.read(path, mmap=mmap)
        assert (caught.value.argument, caught.value.offset, caught.value.line) == (str(path), offset, None)
    refused = program("collide", path)
    assert refused.returncode == 2 and f"offset {offset}: " in refused.stderr


@pytest.mark.parametrize("line, text, says", [
    (2, "shape ball 1 0 0 0", "no kind of shape: ball"),
    (2, "shape", "no kind of shape"),
    (2, "shape box 1 1 1", "4 numbers are needed, not 3"),
    (2, "shape box 1 1 1 0 0", "4 numbers are needed, not 5"),
    (2, "shape box 1 1 1 1x", "no number: 1x"),
    (2, "shape box 1 1 1 1_0", "no number: 1_0"),
    (2, "v 1 2 3", "follows no hull"),
    (2, "hello", "starts with none of shape, v, pair, motion, cache: hello"),
    (2, "pair 0 0 0 0 0 0 0 0 1 0 0 0 0 0 0 1", "below 0 is missing"),
    (2, "motion 0 0 0 0 0 0 1 0 0 0 0 0 0 1", "motion that follows no pair"),
    (2, "cache 0 0 0 0 0 0 0 0", "cache that follows no pair"),
    (2, "x" * 1024, "longer than 1023"),
    (2, "# \0", "zero byte"),
    (3, "shape sphere 1 0 0 0\npair 0 -1 0 0 0 0 0 0 1 0 0 0 0 0 0 1", "below 1 is missing"),
    (3, "shape sphere 1 0 0 0\npair 0", "below 1 is missing"),
    (3, "shape sphere 1 0 0 0\npair 0 0 0 0 0 0 0 0 1 0 0 0 0 0 0", "14 numbers are needed, not 13"),
    (4, "shape sphere 1 0 0 0\npair 0 0 0 0 0 0 0 0 1 0 0 0 0 0 0 1\ncache 4294967296 0 0 0 0 0 0 0", "below 2\\^32"),
    (4, "shape sphere 1 0 0 0\npair 0 0 0 0 0 0 0 0 1 0 0 0 0 0 0 1\ncache 0 0 0 0 0 0 0 0x", "below 2\\^32"),
    (2, "shape sphere 1 0 0 \v0", "no number: \v0"),
    (5, "shape sphere 1 0 0 0\npair 0 0 0 0 0 0 0 0 1 0 0 0 0 0 0 1\n" + "cache 0 0 0 0 0 0 0 0\n" * 2, "follows no"),
    (3, "shape hull 0 0 0 0\n", "shape 0 is a hull without vertices"),
    (3, "shape mesh 0 0 0 0\n", "shape 0 is a mesh without vertices"),
    (5, "shape mesh 0 0 0 0\nv 0 0 0\nv 1 0 0\n", "shape 0 is a mesh of 2 vertices"),
])
def test_corrupt_text_files(line, text, says, tmp_path):
    path = tmp_path / "bad.pairs"
    path.write_bytes(b"pairs text 1\n" + text.encode() + b"\n" * (not text.endswith("\n")))
    with pytest.raises(wp.CaptureError, match=says) as caught:
        wp.Capture.read(path)
    assert (caught.value.line, caught.value.offset) == (line, None)
    again = pickle.loads(pickle.dumps(caught.value))
    assert str(again) == str(caught.value) and again.line == line
    refused = program("collide", path)
    assert refused.returncode == 2 and f"line {line}: " in refused.stderr


def test_damaged_files_are_refused_or_read(tmp_path):
    """Random damage: a CaptureError where the program refuses too, the same answers where it does not."""
    random = np.random.default_rng(3)
    path, refusals = tmp_path / "damaged.pairs", 0
    for form in (BINARY, TEXT):
        for _ in range(60):
            data = bytearray(form)
            for at in random.integers(0, len(data), random.integers(1, 4)):
                data[at] = random.integers(256)
            path.write_bytes(data[:random.integers(len(data) // 2, len(data) + 1)] if random.random() < 0.3 else data)
            refused = program("collide", path).returncode == 2
            try:
                capture = wp.Capture.read(path)
            except wp.CaptureError:
                assert refused, path.read_bytes()
                refusals += 1
                continue
            assert not refused, path.read_bytes()
            a, b = capture.bodies()
            if len(a):
                found = wp.contact(capture.shape_table(), a, b, cache=None if capture.caches is None
                    else capture.caches.copy(), outputs=["status"])
                wanted = collide(path)["status"]
                assert [wp.status_text(status) for status in found.status] == list(wanted)
    assert refusals > 20


def test_smooth_shapes():
    data = (b"pairs text 1\nshape cone 1 1 0 0.5\nshape cylinder 1 2 0 0\nshape ellipsoid 1 2 3 0.25\n"
        b"pair 0 1 0 0 0 0 0 0 1 0 3.25 0 0 0 0 1\npair 1 2 0 0 0 0 0 0 1 0 4.5 0 0 0 0 1\n")
    capture = wp.Capture.from_bytes(data)
    table = capture.shape_table()
    assert table.shapes == (wp.Shape.cone(1, 1, 0.5), wp.Shape.cylinder(1, 2), wp.Shape.ellipsoid(1, 2, 3, 0.25))
    assert np.allclose(wp.contact(table, *capture.bodies()).separation, (-0.25, 0.25), atol=1e-4)
    assert wp.Capture.of(table, *capture.bodies()).shapes.tobytes() == capture.shapes.tobytes()


def test_half_spaces():
    data = (b"pairs text 1\nshape half-space 0 0 0 0.5\nshape sphere 1 0 0 0\n"
        b"pair 0 1 100 0 0 0 0 0 1 0 2 0 0 0 0 1\npair 1 0 0 0 0 0 0 0 1 0 2 0 0 0 0 1\npair 0 0 0 0 0 0 0 0 1 0 2 0 0 0 0 1\n")
    capture = wp.Capture.from_bytes(data)
    table = capture.shape_table()
    assert table.shapes == (wp.Shape.half_space(0.5), wp.Shape.sphere(1))
    found = wp.contact(table, *capture.bodies())
    assert found.separation[:2].tolist() == [0.5, -3.5] and np.isnan(found.separation[2])
    assert found.normal[:2].tolist() == [[0, 1, 0], [0, -1, 0]]
    assert found.status[2] == wp.Status.INVALID | wp.Status.INVALID_SHAPE_A | wp.Status.INVALID_SHAPE_B
    assert wp.Capture.of(table, *capture.bodies()).shapes.tobytes() == capture.shapes.tobytes()


@pytest.mark.skipif(not has_cook(), reason="built without widephase-cook")
def test_meshes(tmp_path):
    """Pairs with meshes among others, in both forms: the answers of the program, by triangles of the file."""
    random = np.random.default_rng(22)
    lines = ["pairs text 1", "shape sphere 0.375 0 0 0", "shape mesh 0 0 0 0"]
    corners = [(x, z) for x in range(6) for z in range(6)]
    heights = random.uniform(0, 1, (7, 7)).astype(np.float32)
    for x, z in corners:
        for dx, dz in ((0, 0), (0, 1), (1, 1), (0, 0), (1, 1), (1, 0)):
            lines.append(f"v {x + dx} {heights[x + dx, z + dz]} {z + dz}")
    lines += ["shape box 0.5 0.5 0.5 0", "shape mesh 0 0 0 0", "v 0 0 0", "v 0 0 9", "v 9 0 0"]
    for row in range(60):
        place = " ".join(map(repr, random.uniform((1, 0, 1), (5, 1.5, 5)).tolist()))
        lines.append(f"pair {row % 2 * 2} {(1, 3, 0)[row % 3]} {place} 0 0 0 1 0 0 0 0 0 0 1")
    path = tmp_path / "meshes.pairs"
    path.write_text("\n".join([*lines, ""]))
    capture = wp.Capture.read(path)
    capture.write(tmp_path / "binary.pairs")
    again = wp.Capture.read(tmp_path / "binary.pairs")
    assert again.to_text() == capture.to_text() and again.pairs.tobytes() == capture.pairs.tobytes()
    wanted, table = collide(path), capture.shape_table()
    rows, a, meshes, b = capture.mesh_bodies()
    assert rows.tolist() == [row for row in range(60) if row % 3 < 2] and [len(mesh) for mesh in meshes] == [72, 1]
    found = wp.mesh_contact(table, a, meshes, b, max_separation=0.02)
    touching = found.patch_count > 0
    assert touching.any()
    assert same_bits(found.separation[touching], wanted["separation"][rows][touching])
    for row in np.flatnonzero(touching):
        mesh = meshes[b.shape[row]]
        triangle = found.patches[row, 0]["points"][0]["triangle"]
        assert mesh.sources[triangle] == int(wanted["lines"][rows[row]]["triangle"])
    convex = wp.contact(table, *capture.bodies())
    assert np.isfinite(convex.separation[2::3]).all() and (convex.status[rows] & wp.Status.INVALID_SHAPE_B != 0).all()


def test_meshes_that_are_refused():
    """The other meshes of the file have their answers."""
    capture = wp.Capture.from_bytes(b"""pairs text 1
shape sphere 1 0 0 0
shape mesh 0 0 0 0
v 0 0 0
v 1 1 1
v 2 2 2
shape mesh 0 0 0 0
v -5 0 -5
v 0 0 5
v 5 0 -5
pair 0 1 0 0.75 0 0 0 0 1 0 0 0 0 0 0 1
pair 0 2 0 0.75 0 0 0 0 1 0 0 0 0 0 0 1
""")
    rows, a, meshes, b = capture.mesh_bodies()
    assert rows.tolist() == [0, 1] and meshes[0] is None and b.shape.tolist() == [0, 1]
    with pytest.warns(wp.InvalidWarning, match="the first is row 0"):
        found = wp.mesh_contact(capture.shape_table(), a, meshes, b)
    assert found.status[0] == wp.Status.INVALID | wp.Status.INVALID_SHAPE_B and found.separation[1] == -0.25
    with pytest.warns(wp.InvalidWarning):
        fields = wp.mesh_contact(capture.shape_table(), a, [wp.HeightField(np.zeros((3, 3), np.float32)), None], b)
    assert (fields.status & wp.Status.INVALID != 0).tolist() == [False, True]


def test_arrays_that_are_no_capture():
    good = wp.Capture.from_bytes(TEXT)
    for field, value in (("shapes", good.pairs), ("pairs", good.shapes), ("vertices", np.zeros((3, 3))),
            ("motions", good.motions[:1]), ("caches", [])):
        arrays = {name: getattr(good, name) for name in ("shapes", "pairs", "vertices", "motions", "caches")}
        with pytest.raises(wp.Error) as caught:
            wp.Capture(**{**arrays, field: value})
        assert caught.value.argument == field
    with pytest.raises(wp.Error, match="one line"):
        good.to_text("a\nb")
    with pytest.raises(wp.Error, match="has no motions"):
        wp.Capture(good.shapes, good.pairs, good.vertices).bodies_motions()
    with pytest.raises(FileNotFoundError):
        wp.Capture.read("none.pairs")


def test_recording(scene, tmp_path):
    """The queries of a script become a file that the program answers with the same bits."""
    path = tmp_path / "recorded.pairs"
    wp.Capture.of(scene.table, scene.bodies, pairs=scene.pairs).write(path)
    wanted = wp.contact(scene.table, scene.bodies, pairs=scene.pairs, outputs=ROW)
    check_rows(wanted, collide(path))
    assert program("compare", path).returncode == 0
    columns = tuple(np.ascontiguousarray(scene.pairs.T))
    sides = [wp.Bodies(position=scene.position[i], rotation=scene.rotation[i], shape=scene.shape[i]) for i in columns]
    for again in (wp.Capture.of(scene.table, *sides),
            wp.Capture.of(scene.table, sides[0], scene.bodies, pairs=(None, columns[1]))):
        assert again.to_bytes() == path.read_bytes()
    double = wp.Bodies.copied(position=[(0.0, 0, 0)])
    for says, call in (("float32", lambda: wp.Capture.of(scene.table, double, sides[1])),
            ("names body 300 of b", lambda: wp.Capture.of(scene.table, scene.bodies, pairs=np.uint32([[0, 300]]))),
            ("cannot hold", lambda: wp.Capture.of(wp.ShapeTable([wp.Shape(99)]), *sides))):
        with pytest.raises(wp.Error, match=says):
            call()
