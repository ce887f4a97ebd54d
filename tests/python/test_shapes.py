"""Shapes, hulls and tables: what comes out is what went in, bad ones are told, and nothing is freed too early."""

import copy
import gc
import itertools
import pickle
import re
import warnings

import numpy as np
import pytest
from conftest import SOURCE, needs_cook

import widephase as wp
from widephase import _capture_text, wp2d
from widephase._library import ffi, lib

CUBE = np.array(list(itertools.product((-1, 1), repeat=3)), np.float32)
CUBE_FACES = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]


def faces_of(hull):
    """Each face from its lowest index on, in order."""
    turned = [np.roll(face, -int(face.argmin())).tolist() for face in hull.faces]
    return sorted(turned)


def test_vertices_and_faces():
    for vertices in (CUBE, CUBE.astype(np.float64), CUBE.tolist(), np.asfortranarray(CUBE), np.repeat(CUBE, 2, 0)[::2]):
        hull = wp.Hull.from_vertices(vertices, CUBE_FACES)
        assert hull.vertices.dtype == np.float32 and np.array_equal(hull.vertices, CUBE)
        assert [face.tolist() for face in hull.faces] == CUBE_FACES
    assert np.array_equal(hull.face_normals, [[-1, 0, 0], [1, 0, 0], [0, -1, 0], [0, 1, 0], [0, 0, -1], [0, 0, 1]])
    for array in (hull.vertices, hull.faces[0], hull.face_normals):
        assert not array.flags.writeable
    assert repr(hull) == "<Hull of 8 vertices, 6 faces>"
    assert wp.Hull.from_vertices(CUBE).faces == ()


def test_bytes():
    hull = wp.Hull.from_vertices(CUBE, CUBE_FACES)
    data = hull.to_bytes()
    for again in (wp.Hull.from_bytes(data), wp.Hull.from_bytes(bytearray(data)),
            wp.Hull.from_bytes(np.frombuffer(data, "u1")), pickle.loads(pickle.dumps(hull)), copy.deepcopy(hull)):
        assert again == hull and again is not hull and hash(again) == hash(hull) and again.to_bytes() == data
    assert hull != wp.Hull.from_vertices(CUBE) and hull != data
    for at in range(0, len(data), 7):
        bad = bytearray(data)
        bad[at] ^= 16
        with pytest.raises(wp.Error) as caught:
            wp.Hull.from_bytes(bad)
        assert caught.value.code == "HULL_CORRUPT" and caught.value.argument == "data"
    for bad in (b"", data[:-1], data[:100], bytes(len(data))):
        with pytest.raises(wp.Error, match="intact"):
            wp.Hull.from_bytes(bad)


@pytest.mark.parametrize("vertices, faces, argument, code", [
    (np.empty((0, 3)), None, "vertices", "HULL_VERTEX_COUNT"),
    (np.zeros((65536, 3)), None, "vertices", "HULL_VERTEX_COUNT"),
    ([(0, 0, 0), (0, float("nan"), 0)], None, "vertices[1]", "HULL_VERTEX"),
    (CUBE, [[0, 1, 2], [0, 1]], "faces[1]", "HULL_FACE"),
    (CUBE, [[0, 1, 8]], "faces[0]", "HULL_FACE"),
    (CUBE, [*CUBE_FACES[:3], CUBE_FACES[3][::-1], *CUBE_FACES[4:]], "faces[3]", "HULL_FACE_WINDING"),
    (CUBE, CUBE_FACES[1:], "faces[1]", "HULL_FACE_OPEN"),
    (CUBE, [[0, 1, 0, 2]], "faces[0]", "HULL_FACE_REPEATS"),
    (CUBE, CUBE_FACES * 3, "faces", "HULL_FACES"),
    ([*CUBE, (0, 2, 0)], CUBE_FACES, "faces[3]", "HULL_FACE_CONVEX"),
    ([*CUBE[:7], (1, 1, 0.5)], CUBE_FACES, "faces[5]", "HULL_FACE_PLANE"),
    (CUBE, [[0, 1, -1]], "faces[0]", None),
    (CUBE, [[0, 1, 1.5]], "faces[0]", None),
    (CUBE, [[0, 1, 1 << 40]], "faces[0]", None),
    (CUBE, 3, "faces", None),
    (CUBE, [3], "faces[0]", None),
    ([(0, 0)], None, "vertices", None),
    ("vertices", None, "vertices", None),
    (None, None, "vertices", None),
])
def test_bad_hulls(vertices, faces, argument, code):
    with pytest.raises(wp.Error) as caught:
        wp.Hull.from_vertices(vertices, faces)
    assert (caught.value.argument, caught.value.code) == (argument, code)


@pytest.mark.parametrize("vertices, faces, message", [
    ([(0, 0, 0), (0, float("nan"), 0)], None, "vertices[1]: (0.0, nan, 0.0) is not finite"),
    ([(0, 0, 0), (0, 2.0 ** 101, 0)], None, "vertices[1]: (0.0, 2.535301200456459e+30, 0.0) is beyond 1e30"),
    (CUBE, [[0, 1, 2], [0, 1]], "faces[1]: a face has 3 vertices or more, not 2"),
    (CUBE, [[0, 1, 2], [0, 1, 8, 9]], "faces[1]: index 8 is not below 8, the number of vertices")])
def test_causes(vertices, faces, message):
    with pytest.raises(wp.Error) as caught:
        wp.Hull.from_vertices(vertices, faces)
    assert str(caught.value) == message


def test_inside_out():
    assert wp.Hull.from_vertices(CUBE, [face[::-1] for face in CUBE_FACES]).faces[0].tolist() == CUBE_FACES[0]


@needs_cook
def test_cooking():
    inside = np.random.default_rng(4).uniform(-0.9, 0.9, (100, 3))
    points = np.concatenate([inside[:50], CUBE, inside[50:]])
    hull = wp.Hull.cook(points)
    assert np.array_equal(hull.vertices, CUBE)
    assert faces_of(hull) == faces_of(wp.Hull.from_vertices(CUBE, CUBE_FACES))
    whole = wp.Hull.with_cooked_faces(points)
    assert np.array_equal(whole.vertices, points.astype(np.float32))
    assert faces_of(whole) == sorted([[50 + i for i in face] for face in faces_of(hull)])
    with pytest.raises(wp.Error) as caught:
        wp.Hull.cook([(0, 0, 0), (0, 0, float("inf"))])
    assert (caught.value.argument, caught.value.code) == ("points[1]", "HULL_VERTEX")


@needs_cook
def test_simplified():
    """Within the whole hull, and the whole hull within the error of it."""
    points = np.random.default_rng(6).normal(size=(400, 3)) * (3, 1, 1)
    whole = wp.Hull.cook(points)
    hull, error = wp.Hull.simplified(points, 12)
    assert len(hull.vertices) <= 12 < len(whole.vertices) and error > 0
    assert {vertex.tobytes() for vertex in hull.vertices} <= {vertex.tobytes() for vertex in whole.vertices}
    few, pose = wp.Shape.hull(hull), wp.Pose()
    reach = [wp.distance_pair(few, pose, wp.Shape.point(), wp.Pose(vertex)).separation for vertex in whole.vertices]
    assert 0.99 * error <= max(reach) <= error * (1 + 1e-5)
    same, nothing = wp.Hull.simplified(points, 500)
    assert same == whole and nothing < 1e-12
    with pytest.raises(wp.Error) as caught:
        wp.Hull.simplified(points, 3)
    assert (caught.value.argument, caught.value.code) == ("max_vertices", "MAX_VERTICES")
    with pytest.raises(wp.Error) as caught:
        wp.Hull.simplified([(0, 0, 0), (0, 0, float("inf"))], 4)
    assert (caught.value.argument, caught.value.code) == ("points[1]", "HULL_VERTEX")


@needs_cook
def test_mass():
    box = CUBE * (1, 2, 3) + (5, 0, 0)
    volume, centroid, inertia = wp.Hull.from_vertices(box, CUBE_FACES).mass()
    assert abs(volume - 48) < 1e-9 and np.allclose(centroid, (5, 0, 0), atol=1e-9)
    assert np.allclose(inertia, np.diag([16 * (4 + 9), 16 * (1 + 9), 16 * (1 + 4)]), atol=1e-9)
    random = np.random.default_rng(7).normal(size=(50, 3))
    hull = wp.Hull.cook(random)
    inside = np.random.default_rng(8).uniform(random.min(0), random.max(0), (200_000, 3))
    normals, first = hull.face_normals.astype(float), hull.vertices[[face[0] for face in hull.faces]]
    inside = inside[(inside @ normals.T <= (normals * first).sum(1)).all(1)]
    assert abs(len(inside) / 200_000 * np.prod(np.ptp(random, 0)) - hull.mass().volume) < 0.02 * hull.mass().volume
    assert np.allclose(inside.mean(0), hull.mass().centroid, atol=0.02)
    for flat in (wp.Hull.from_vertices(CUBE), wp.Hull.cook([(0, 0, 0), (1, 0, 0), (0, 1, 0)])):
        with pytest.raises(wp.Error) as caught:
            flat.mass()
        assert (caught.value.argument, caught.value.code) == ("hull", "HULL_VOLUME")


def test_mass_of_shapes():
    corners = [(0, 0, 0), (1, 0, 0), (0, 1, 0)]
    for shape, volume, height in ((wp.Shape.sphere(2), 32 * np.pi / 3, 0), (wp.Shape.box(1, 2, 3), 48, 0),
            (wp.Shape.cylinder(2, 3), 24 * np.pi, 0), (wp.Shape.cone(2, 3), 8 * np.pi, -1.5),
            (wp.Shape.ellipsoid(1, 2, 3), 8 * np.pi, 0), (wp.Shape.capsule(1, 2), (4 + 4 / 3) * np.pi, 0),
            (wp.Shape.box(1, 1, 1, radius=1), 8 + 24 + 6 * np.pi + 4 * np.pi / 3, 0)):
        mass = shape.mass()
        assert abs(mass.volume - volume) < 1e-12 * volume and np.allclose(mass.centroid, (0, height, 0), atol=1e-12)
    assert np.allclose(wp.Shape.box(1, 2, 3).mass().inertia, np.diag([16 * 13, 16 * 10, 16 * 5]), rtol=1e-12)
    for shape, code in ((wp.Shape.half_space(), "SHAPE_MASS"), (wp.Shape.triangle(*corners), "SHAPE_VOLUME"),
            (wp.Shape.triangle(*corners, radius=1), "SHAPE_MASS"), (wp.Shape.sphere(-1), "SHAPE")):
        with pytest.raises(wp.Error) as caught:
            shape.mass()
        assert (caught.value.argument, caught.value.code) == ("shape", code)


def no_body(direction):
    return 0, 0, 0


def test_kinds():
    """All of the library's, by its numbers and names; in pair files by those of the program's reader."""
    for kinds, count, name in ((wp.Kind, lib.WP_SHAPE_KIND_COUNT, lib.wp_shape_kind_name),
            (wp2d.Kind, lib.WP2D_SHAPE_KIND_COUNT, lib.wp2d_shape_kind_name)):
        assert [int(kind) for kind in kinds] == list(range(count))
        assert [kind.name.lower().replace("_", "-") for kind in kinds] == [
            ffi.string(name(kind)).decode() for kind in range(count)]
    header = (SOURCE / "src" / "tools" / "capture" / "capture.h").read_text()
    body = re.search(r"typedef enum capture_kind \{(.*?)\} capture_kind;", header, re.DOTALL)[1]
    names = re.findall(r"^\tCAPTURE_(\w+)", body, re.MULTILINE)
    assert [*(name.lower().replace("_", "-") for name in names[:-1])] == list(_capture_text.KINDS)
    assert names[-1] == "KIND_COUNT"


def test_every_shape():
    hull = wp.Hull.from_vertices(CUBE)
    shapes = [wp.Shape.point(), wp.Shape.sphere(2), wp.Shape.segment((0, 0, 0), (0, 3, 0), 1), wp.Shape.capsule(1, 2),
        wp.Shape.triangle((3, 0, 0), (0, 3, 0), (0, 0, 3)), wp.Shape.box(1, 2, 2, radius=1), wp.Shape.hull(hull, 0.5),
        wp.Shape.cylinder(3, 4, 1), wp.Shape.cone(3, 4), wp.Shape.ellipsoid(1, 3, 2, 0.5), wp.Shape.custom(no_body, 2, 1),
        wp.Shape.half_space(1)]
    assert [shape.kind for shape in shapes] == list(wp.Kind)
    table = wp.ShapeTable(shapes)
    assert table.report == (0, None, None) and len(table) == 12 and table.shapes == tuple(shapes)
    bounds = [table.bound(index) for index in range(12)]
    assert np.allclose(bounds, [0, 2, 4, 3, 3, 4, 3 ** 0.5 + 0.5, 6, 5, 3.5, 3, np.inf], rtol=1e-6)
    assert repr(pickle.loads(pickle.dumps(table))) == repr(table) == "<ShapeTable of 12 shapes, 0 invalid>"


@pytest.mark.parametrize("shape, reason", [
    (wp.Shape.sphere(float("nan")), "radius"), (wp.Shape.sphere(-1), "radius"),
    (wp.Shape.box(1, 1, 1e300), "half_extents"), (wp.Shape.capsule(1, -1), "half_height"), (wp.Shape(99), "kind"), (wp.Shape(wp.Kind.HULL), "hull"),
])
def test_reports(shape, reason):
    with pytest.warns(wp.InvalidWarning, match=r"^2 of 3 shapes cannot be used; the first is shapes\[1\]: ") as caught:
        table = wp.ShapeTable([wp.Shape.point(), shape, shape])
    assert caught[0].filename == __file__ and table.report.reason in str(caught[0].message)
    assert table.report[:2] == (2, 1) and reason in table.report.reason
    row = wp.contact_pair(shape, wp.Pose(), wp.Shape.point(), wp.Pose())
    assert row.status == wp.Status.INVALID | wp.Status.INVALID_SHAPE_A and np.isnan(row.separation)


def test_shapes_are_constant():
    shape = wp.Shape.sphere(1)
    with pytest.raises(AttributeError):
        shape.radius = 2
    table = wp.ShapeTable([shape])
    with pytest.raises(AttributeError):
        table.shapes = ()


def test_shapes_come_and_go():
    box, ball = wp.Shape.box(1, 1, 1), wp.Shape.sphere(0.5)
    table = wp.ShapeTable([box, None])
    assert len(table) == 2 and table.shapes == (box, None) and table.report == (0, None, None) and table.bound(1) == 0
    bodies = wp.Bodies.copied(position=np.array([(0, 0, 0), (0, 2, 0)], np.float32))
    pairs = np.array([(0, 1)], np.uint32)

    def separation():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", wp.InvalidWarning)
            answers = wp.contact(table, bodies, pairs=pairs, max_separation=9)
        return answers.separation[0] if not answers.status[0] & wp.Status.INVALID_SHAPE_B else None

    assert separation() is None
    table.set(1, ball)
    assert separation() == 0.5 and table.shapes == (box, ball)
    table.set(1, wp.Shape.hull(wp.Hull.from_vertices(CUBE)))
    gc.collect()
    assert separation() == pytest.approx(0, abs=1e-5)
    for bad in wp.Shape.sphere(-1), wp.Shape(99):
        with pytest.raises(wp.Error) as caught:
            table.set(1, bad)
        assert (caught.value.argument, caught.value.code) == ("shape", "SHAPE")
        assert separation() == pytest.approx(0, abs=1e-5)
    with pytest.raises(wp.Error, match="a Shape is needed, not NoneType"):
        table.set(1, None)
    copy = pickle.loads(pickle.dumps(table))
    table.remove(1)
    assert separation() is None and table.shapes == (box, None) and copy.bound(1) > 0
    assert pickle.loads(pickle.dumps(table)).shapes == table.shapes
    with pytest.raises(wp.Error, match="shapes.1.: there is none"):
        wp.Capture.of(table, bodies, pairs=pairs)
    for index in -1, 2:
        with pytest.raises(wp.Error, match="index"):
            table.set(index, ball)
        with pytest.raises(wp.Error, match="index"):
            table.remove(index)


def test_what_is_used_lives_on():
    """A table holds its hulls, bodies their arrays; objects go in any order."""
    def make():
        random = np.random.default_rng(5)
        hulls = [wp.Hull.from_vertices(random.normal(size=(500, 3))) for _ in range(20)]
        table = wp.ShapeTable([wp.Shape.hull(hull) for hull in hulls])
        places = random.uniform(-3, 3, (20, 3))
        return table, wp.Bodies.copied(position=places), np.stack(np.triu_indices(20, 1), 1).astype(np.uint32)

    def fill():
        return [np.full(20_000, 1e38, np.float32) for _ in range(100)]

    table, bodies, pairs = make()
    gc.collect()
    litter = fill()
    first = wp.contact(table, bodies, pairs=pairs)
    assert not (first.status & wp.Status.INVALID).any()
    shape = table.shapes[3]
    del table, bodies, litter
    gc.collect()
    litter = fill()
    row = wp.contact_pair(shape, wp.Pose(), shape, wp.Pose())
    assert row.status & wp.Status.PENETRATING
    again = wp.contact(*make()[:2], pairs=pairs)
    assert again.separation.tobytes() == first.separation.tobytes() and len(litter) == 100


@needs_cook
def test_cooked_hulls_outlive_everything():
    hulls = [wp.Hull.cook(np.random.default_rng(seed).normal(size=(50, 3))) for seed in range(20)]
    for _ in range(20):
        hulls.pop()
        gc.collect()
        wp.Hull.cook(CUBE)


def test_status():
    found = wp.Status(np.uint32(wp.Status.SEPARATED | wp.Status.STRONG))
    assert found == wp.Status.SEPARATED | wp.Status.STRONG and isinstance(found, wp.Status)
    for status in wp.Status:
        assert wp.status_text(status) == status.name.lower()
    assert wp.status_text(0) == "" and wp.status_text(np.uint32(3)) == "separated|touching"
    assert wp.status_text(2**32 - 1).startswith("separated|touching|") and wp.status_text(1 << 31) == ""
    for status in (2**32, 2**32 + 1, 2**64, -1, 1.0, np.float64(2), "1", None):
        with pytest.raises(wp.Error, match="^status: "):
            wp.status_text(status)


def test_numbers_are_those_of_the_headers():
    """What is written twice, here and in the headers."""
    from widephase._library import ffi, lib
    for numbers, prefix, last in ((wp.Status, "WP_STATUS_", "wp_status"), (wp.Kind, "WP_SHAPE_", "wp_shape_kind"),
            (wp2d.Kind, "WP2D_SHAPE_", "wp2d_shape_kind"), (wp.EdgeKind, "WP_EDGE_", "wp_edge_kind")):
        names = {name for name in ffi.typeof(last).relements if not name.endswith("KIND_COUNT")}
        assert {prefix + one.name: one.value for one in numbers} == {name: getattr(lib, name) for name in names}
    for dtype, struct in ((wp.row_dtype, "wp_row"), (wp.cache_dtype, "wp_cache"),
            (wp.manifold_point_dtype, "wp_manifold_point"), (wp2d.row_dtype, "wp2d_row"),
            (wp2d.manifold_point_dtype, "wp2d_manifold_point"), (wp.persistent_point_dtype, "wp_persistent_point"),
            (wp.persistent_place_dtype, "wp_persistent_place"), (wp.persistent_manifold_dtype, "wp_persistent_manifold")):
        fields = ffi.typeof(struct).fields
        assert {name: field.offset for name, field in fields} == {name: dtype.fields[name][1] for name in dtype.names}
        assert ffi.sizeof(struct) == dtype.itemsize
    assert (wp2d.POLYGON_VERTEX_MAX, wp2d.MANIFOLD_POINT_MAX) == (lib.WP2D_POLYGON_VERTEX_MAX, lib.WP2D_MANIFOLD_POINT_MAX)
    # Fractions are an argument of casts, and caches are read, too.
    results = {name for name, _ in ffi.typeof("wp_results").fields} - {"point_real", "cache"}
    assert results == set(wp.Results.__annotations__) - {"fraction"}
    counts = {name for name, _ in ffi.typeof("wp_statistics").fields}
    assert counts == {name for name in vars(wp.Statistics()) if name != "_lock"}
    assert lib.WP_MANIFOLD_POINT_MAX == wp.MANIFOLD_POINT_MAX
