"""Queries of meshes and height fields: against contacts with each triangle, rays one by one, and each other."""

import numpy as np
import pytest
from conftest import needs_cook, same_bits
from test_mesh import hills

import widephase as wp

SIDE = 24


def field(**options):
    """The samples of hills() as a height field, whose columns go along x."""
    vertices, _ = hills(SIDE)
    return wp.HeightField(np.ascontiguousarray(vertices[:, 1].reshape(SIDE, SIDE).T), **options)


def mesh_of(terrain):
    corners = [terrain.triangle(index) for index in range(len(terrain))]
    return wp.Mesh.cook(np.concatenate([three for three in corners if three is not None]))


def bodies_above(count, seed=3):
    random = np.random.default_rng(seed)
    place = random.uniform((1, -1.5, 1), (SIDE - 2, 3, SIDE - 2), (count, 3))
    turn = random.normal(size=(count, 4))
    turn /= np.linalg.norm(turn, axis=1)[:, None]
    table = wp.ShapeTable([wp.Shape.box(0.5, 0.25, 0.75), wp.Shape.sphere(0.6), wp.Shape.capsule(0.3, 0.6)])
    return table, wp.Bodies.copied(position=place, rotation=turn, shape=np.arange(count) % 3)


GROUND = wp.Bodies.copied(position=[(0, 0, 0)])


def all_on_ground(bodies):
    return (None, np.zeros(len(bodies), np.uint32))


@needs_cook
def test_against_each_triangle():
    mesh = wp.Mesh.cook(*hills(SIDE))
    table, bodies = bodies_above(120)
    pairs = all_on_ground(bodies)
    outputs = ("separation", "lower", "upper", "triangle", "status", "overlap")
    near = wp.mesh_distance(table, bodies, [mesh], GROUND, pairs=pairs, outputs=outputs)
    touch = wp.mesh_overlap(table, bodies, [mesh], GROUND, pairs=pairs, outputs=outputs)
    solids = wp.ShapeTable([wp.Shape.box(0.5, 0.25, 0.75), wp.Shape.sphere(0.6), wp.Shape.capsule(0.3, 0.6),
        *(wp.Shape.triangle(*three) for three in mesh.vertices[mesh.triangles])])
    pieces = wp.Bodies.copied(position=np.zeros((len(mesh), 3)), shape=np.arange(len(mesh)) + 3)
    overlaps = 0
    for row in range(len(bodies)):
        every = np.stack([np.full(len(mesh), row), np.arange(len(mesh))], 1).astype(np.uint32)
        found = wp.distance(solids, bodies, pieces, pairs=every)
        least = found.separation.min()
        overlaps += least == 0
        assert touch.overlap[row] == (least == 0) and (near.separation[row] == 0) == (least == 0)
        assert abs(near.separation[row] - least) < 1e-5 and near.lower[row] <= least + 1e-5
        if least > 0:
            assert found.separation[near.triangle[row]] < least + 1e-5 and touch.triangle[row] == wp.MESH_MISS
        else:
            assert touch.triangle[row] == np.flatnonzero(found.separation == 0)[0]
    assert 20 < overlaps < 100
    beyond = wp.mesh_distance(table, bodies, [mesh], GROUND, pairs=pairs, max_distance=0.25)
    far = near.separation > 0.2501
    assert far.any() and np.isinf(beyond.separation[far]).all() and (beyond.triangle[far] == wp.MESH_MISS).all()
    assert (beyond.status[far] == int(wp.Status.SEPARATED | wp.Status.BEYOND)).all()


@needs_cook
def test_contacts_of_fields_and_meshes():
    """A field has the contacts of a mesh with its triangles; far from the origin, turned, in any order of rows."""
    for options in ({}, {"other_diagonal": True}):
        terrain = field(**options)
        mesh = mesh_of(terrain)
        table, bodies = bodies_above(150)
        grounds = wp.Bodies.copied(position=[(0, 0, 0)] * 2, shape=[0, 1])
        rows = [(row, ground) for ground in (0, 1) for row in range(150)]
        statistics = wp.MeshStatistics()
        found = wp.mesh_contact(table, bodies, [mesh, terrain], grounds, pairs=np.array(rows, np.uint32), max_separation=0.05,
            patch_max=8, statistics=statistics)
        on_mesh, on_field = ({name: getattr(found, name)[part] for name in found.names}
            for part in (slice(0, 150), slice(150, 300)))
        assert np.allclose(on_mesh["separation"], on_field["separation"], atol=1e-5) and (on_mesh["patch_count"] > 0).sum() > 20
        assert np.array_equal(on_mesh["triangle_count"], on_field["triangle_count"])
        assert np.array_equal(on_mesh["patch_count"], on_field["patch_count"])
        assert (statistics.rows, statistics.invalid) == (300, 0) and statistics.touching == (found.patch_count > 0).sum()
        assert statistics.solved > statistics.touched >= found.triangle_count.sum() // 2 > 0
        for row in np.flatnonzero(found.patch_count):
            patches = found.patches[row, :found.patch_count[row]]
            assert patches["separation"].min() == found.separation[row]
            assert np.allclose(np.linalg.norm(patches["normal"], axis=1), 1, atol=1e-6)
            for patch in patches:
                points = patch["points"][:patch["point_count"]]
                gap = (points["point_b"] - points["point_a"]) @ patch["normal"]
                assert len(points) and np.allclose(gap, points["separation"], atol=1e-5)
                if row >= 150:
                    corners = terrain.triangle(int(points["triangle"][0]))
                    height = (points["local_b"][0] - corners[0]) @ terrain.normal(int(points["triangle"][0]))
                    assert abs(height) < 1e-4
        assert (found.patches[found.patch_count == 0]["point_count"] == 0).all()


def test_no_ghosts():
    """A box that slides over a flat floor is pushed straight up; with ghosts not always."""
    floor = wp.HeightField(np.zeros((30, 30), np.float32))
    places = np.stack([np.linspace(2, 27, 400), np.full(400, 0.48), np.linspace(3, 20, 400)], 1)
    bodies = wp.Bodies.copied(position=places, shape=np.zeros(400, int))
    table = wp.ShapeTable([wp.Shape.box(0.5, 0.5, 0.5)])
    pairs = all_on_ground(bodies)
    clean = wp.mesh_contact(table, bodies, [floor], GROUND, pairs=pairs)
    assert np.array_equal(clean.normal, np.tile(np.array([0, -1, 0], np.float32), (400, 1)))
    assert (clean.patch_count == 1).all() and (clean.patches["point_count"][:, 0] == 4).all()
    counts = wp.MeshStatistics()
    raw = wp.mesh_contact(table, bodies, [floor], GROUND, pairs=pairs, ghosts=True, statistics=counts)
    used = np.arange(4) < raw.patch_count[:, None]
    assert (raw.patches["normal"][used][:, 1] > -0.9).any() and counts.turned == 0
    below = wp.Bodies.copied(position=places - (0, 0.96, 0), shape=np.zeros(400, int))
    assert not wp.mesh_contact(table, below, [floor], GROUND, pairs=pairs).patch_count.any()
    above = wp.mesh_contact(table, below, [floor], GROUND, pairs=pairs, two_sided=True)
    assert (above.patch_count > 0).all() and (above.normal[:, 1] == 1).all()


@needs_cook
def test_casts_and_rays():
    terrain = field()
    random = np.random.default_rng(4)
    start = np.ascontiguousarray(random.uniform((1, 2, 1), (SIDE - 2, 4, SIDE - 2), (200, 3)), np.float32)
    way = np.ascontiguousarray(random.normal(size=(200, 3)) * 3 - (0, 5, 0), np.float32)
    mesh = mesh_of(terrain)
    hits, on_field = mesh.rays(start, way), terrain.rays(start, way)
    assert hits.dtype == wp.mesh_hit_dtype and 50 < (hits["triangle"] != wp.MESH_MISS).sum() < 200
    assert np.allclose(hits["fraction"], on_field["fraction"], atol=1e-6)
    for row in range(200):
        for surface, all_hits in ((mesh, hits), (terrain, on_field)):
            one = surface.ray(start[row], way[row])
            if one is None:
                assert all_hits["triangle"][row] == wp.MESH_MISS and not all_hits["weights"][row].any()
            else:
                assert (one.triangle, one.is_front, one.fraction, one.weights) == (all_hits["triangle"][row],
                    bool(all_hits["is_front"][row]), all_hits["fraction"][row], tuple(all_hits["weights"][row]))
    assert same_bits(mesh.rays(start[::2], way[::2])["fraction"], hits["fraction"][::2])
    bodies = wp.Bodies.copied(position=start.astype(float), shape=np.zeros(200, int))
    cast = wp.mesh_cast(wp.ShapeTable([wp.Shape.point(), wp.Shape.sphere(0.25)]), bodies, [mesh], GROUND,
        pairs=all_on_ground(bodies), motions_a=wp.Motions(translation=way))
    missed = cast.triangle == wp.MESH_MISS
    assert np.array_equal(missed, hits["triangle"] == wp.MESH_MISS) and (cast.fraction[missed] == 1).all()
    assert np.allclose(cast.fraction[~missed], hits["fraction"][~missed], atol=1e-5)
    assert ((cast.status & wp.Status.HIT != 0) == ~missed).all()
    balls = wp.Bodies.copied(position=start.astype(float), shape=np.ones(200, int))
    early = wp.mesh_cast(wp.ShapeTable([wp.Shape.point(), wp.Shape.sphere(0.25)]), balls, [mesh], GROUND,
        pairs=all_on_ground(balls), motions_a=wp.Motions(translation=way))
    assert (early.fraction <= cast.fraction + 1e-5).all()


@needs_cook
def test_outputs_and_ranges():
    mesh = wp.Mesh.cook(*hills(SIDE))
    table, bodies = bodies_above(64)
    pairs = all_on_ground(bodies)
    whole = wp.mesh_contact(table, bodies, [mesh], GROUND, pairs=pairs, max_separation=0.05)
    out = {name: np.zeros_like(getattr(whole, name)) for name in whole.names}
    for first, count in ((0, 13), (13, 50), (63, 1)):
        for name, array in out.items():
            before = array[first + count:].copy()
            wp.mesh_contact(table, bodies, [mesh], GROUND, pairs=pairs, max_separation=0.05, out=out, first=first, count=count)
            assert array[first + count:].tobytes() == before.tobytes(), name
    assert all(same_bits(out[name], getattr(whole, name)) for name in ("separation", "normal", "status", "patch_count"))
    written = np.arange(4) < whole.patch_count[:, None]
    assert out["patches"][written].tobytes() == whole.patches[written].tobytes()
    rows = np.zeros(64, wp.row_dtype)
    found = wp.mesh_distance(table, bodies, [mesh], GROUND, pairs=pairs, out=rows)
    assert "triangle" not in found.names and same_bits(rows["separation"],
        wp.mesh_distance(table, bodies, [mesh], GROUND, pairs=pairs).separation)
    with pytest.raises(AttributeError, match="triangle was not requested"):
        found.triangle
    for variant in wp.variants():
        again = wp.mesh_contact(table, bodies, [mesh], GROUND, pairs=pairs, max_separation=0.05, workspace=wp.Workspace(variant))
        assert again.patches.tobytes() == whole.patches.tobytes()


def test_fields():
    samples = np.array([[0, 1, 2, 3], [4, 5, -32768, 7], [8, 9, 10, 11]], np.int16)
    terrain = wp.HeightField(samples, spacing=(2, 3), scale=0.5, offset=1)
    assert len(terrain) == 12 and repr(terrain) == "<HeightField of 3 x 4 samples>" and terrain.samples is samples
    assert terrain.triangle(0).tolist() == [[0, 1, 0], [0, 3, 3], [2, 1.5, 0]] and terrain.triangle(3) is None
    assert terrain.normal(3).tolist() == [0, 0, 0] and terrain.normal(0)[1] > 0
    assert terrain.ray((0.5, 9, 0.5), (0, -10, 0)).triangle == 0 and terrain.ray((4, 9, 3), (0, -10, 0)) is None
    samples[1, 2] = 6
    assert terrain.ray((4, 9, 3), (0, -10, 0)) is not None and terrain.triangle(3) is not None
    wide = np.zeros((4, 9), np.float32)
    assert len(wp.HeightField(wide[:, :5])) == 24 and len(wp.HeightField(wide[::2, :2])) == 2


@pytest.mark.parametrize("samples, options, argument, code", [
    (np.zeros((3, 3)), {}, "samples", None), (np.zeros(3, np.float32), {}, "samples", None), ([[0, 0], [0, 0]], {}, "samples", None),
    (np.zeros((3, 6), np.float32)[:, ::2], {}, "samples", None), (np.zeros((1, 3), np.float32), {}, "samples", "HEIGHT_COUNT"),
    (np.zeros((3, 3), np.float32), {"spacing": (1, 0)}, "spacing", "HEIGHT_SPACING"),
    (np.zeros((3, 3), np.float32), {"spacing": (1,)}, "spacing", None),
    (np.zeros((3, 3), np.int16), {"scale": np.inf}, "scale, offset", "HEIGHT_SCALE"),
    (np.array([[0, 1], [0, np.nan]], np.float32), {}, "samples[1, 1]", "HEIGHT_SAMPLE"),
    (np.array([[0, 1], [2e30, 3]], np.float32), {}, "samples[1, 0]", "HEIGHT_SAMPLE"),
])
def test_bad_fields(samples, options, argument, code):
    with pytest.raises(wp.Error) as caught:
        wp.HeightField(samples, **options)
    assert (caught.value.argument, caught.value.code) == (argument, code)


@needs_cook
def test_bad_calls():
    mesh, terrain = wp.Mesh.cook(*hills(4)), wp.HeightField(np.zeros((3, 3), np.float32))
    table, bodies = bodies_above(3)
    pairs = all_on_ground(bodies)
    for surfaces, argument in (((terrain, mesh), "surfaces[1]"), ([mesh, table], "surfaces[1]"), (mesh, "surfaces")):
        with pytest.raises(wp.Error) as caught:
            wp.mesh_overlap(table, bodies, surfaces, GROUND, pairs=pairs)
        assert caught.value.argument == argument
    for options, argument in (({"patch_max": 9}, "patch_max"), ({"patch_max": 0}, "patch_max"), ({"max_separation": -1}, "max_separation"),
            ({"max_separation": "x"}, "max_separation"), ({"outputs": "depth"}, "outputs"), ({"outputs": ["patches"]}, "outputs"),
            ({"outputs": "lower"}, "outputs"), ({"statistics": wp.Statistics()}, "statistics")):
        with pytest.raises(wp.Error) as caught:
            wp.mesh_contact(table, bodies, [mesh], GROUND, pairs=pairs, **options)
        assert caught.value.argument == argument
    with pytest.raises(wp.Error, match="max_distance"):
        wp.mesh_distance(table, bodies, [mesh], GROUND, pairs=pairs, max_distance=-1)
    with pytest.raises(wp.Error, match="b: Bodies are needed"):
        wp.mesh_contact(table, bodies, [mesh], None, pairs=pairs)
    with pytest.raises(wp.Error, match=r"start\[1\], way\[1\]") as caught:
        mesh.rays(np.array([(0, 0, 0), (0, 0, np.nan)], np.float32), np.ones((2, 3), np.float32))
    assert caught.value.code == "MESH_RAY"
    with pytest.raises(wp.Error, match="way: shape"):
        mesh.rays(np.zeros((2, 3), np.float32), np.ones((1, 3), np.float32))
    grounds = wp.Bodies.copied(position=[(0, 0, 0), (0, np.inf, 0), (0, 0, 0)], shape=[0, 0, 7])
    with pytest.warns(wp.InvalidWarning, match="2 of 3 rows are Status.INVALID; the first is row 1"):
        found = wp.mesh_contact(table, bodies, [mesh], grounds)
    assert (found.status & wp.Status.INVALID != 0).tolist() == [False, True, True]
    assert found.status[1] & wp.Status.INVALID_POSITION_B and found.status[2] & wp.Status.INVALID_SHAPE_B


def test_frames():
    """Frames have the bits of contacts, and keep impulses; what lies or flies is not queried."""
    floor = wp.HeightField(np.zeros((30, 30), np.float32))
    table = wp.ShapeTable([wp.Shape.box(0.5, 0.5, 0.5), wp.Shape.sphere(0.5)])
    random = np.random.default_rng(5)
    position = random.uniform((5, 0.45, 5), (25, 3, 25), (60, 3))
    bodies = wp.Bodies(position=position, rotation=np.tile(np.array([0, 0, 0, 1], np.float32), (60, 1)),
        shape=np.arange(60, dtype=np.uint32) % 2)
    grounds = wp.Bodies(position=np.zeros((1, 3)), rotation=np.array([[0, 0, 0, 1]], np.float32))
    pairs = all_on_ground(bodies)
    tracked, statistics, touched = wp.MeshTracked(8, patch_max=2), wp.MeshStatistics(), np.zeros(60, bool)
    index = tracked.take(60)[::-1].copy()
    for frame in range(12):
        options = {"pairs": pairs, "max_separation": 0.02}
        cold = wp.mesh_contact(table, bodies, [floor], grounds, patch_max=2, **options)
        found = wp.mesh_track(table, bodies, [floor], grounds, tracked=tracked, index=index, outputs=tuple(cold.names),
            statistics=statistics, query_all=frame == 7, **options)
        assert all(getattr(found, name).tobytes() == getattr(cold, name).tobytes() for name in cold.names)
        now = tracked.pairs[index]
        assert (now["count"] == cold.patch_count).all() and (now["status"] == cold.status).all()
        assert sorted(found.changed) == np.flatnonzero(touched != (now["count"] > 0)).tolist()
        touched = now["count"] > 0
        assert frame == 0 or (now["event"][40:] != 0).all() == (frame != 7)
        points = tracked.patches[index]["points"][:, 0]
        live = (np.arange(4) < tracked.patches[index]["found"]["point_count"][:, :1]) & touched[:, None]
        assert (points["impulse"][live, 0] == points["age"][live]).all() and points["age"][live].max(initial=0) == frame
        points["impulse"][live, 0] += 1
        tracked.patches["points"][index, 0] = points
        position[:20] += (0.01, -0.004, 0.01)
        position[20:40, 1] -= 0.01
    assert statistics.rows == 12 * 60 and statistics.invalid == 0
    with pytest.raises(wp.Error, match="tracked"):
        wp.mesh_track(table, bodies, [floor], grounds, tracked=wp.Tracked(60), max_separation=0)
    with pytest.raises(wp.Error, match="merging"):
        wp.mesh_track(table, bodies, [floor], grounds, tracked=tracked, merging=-1, **options)
    with pytest.raises(wp.Error, match="patch_max"):
        wp.MeshTracked(3, patch_max=9)
    with pytest.warns(wp.InvalidWarning):
        wp.mesh_track(table, bodies, [floor], grounds, tracked=wp.MeshTracked(59), **options)


@needs_cook
def test_boxes():
    ground = field()
    mesh = mesh_of(ground)
    _, bodies = bodies_above(30)
    bodies = wp.Bodies.copied(position=bodies.position, rotation=bodies.rotation, shape=np.arange(30, dtype=np.uint32) % 3)
    lower, upper = wp.mesh_bodies_bounds([mesh, None, ground], bodies, max_separation=0.5)
    for i in range(30):
        if i % 3 == 1:
            assert (lower[i] == np.inf).all() and (upper[i] == -np.inf).all()
            continue
        x, y, z, w = bodies.rotation[i].astype(float)
        turn = np.array([(1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)),
            (2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)),
            (2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y))])
        places = mesh.vertices.astype(float) @ turn.T + bodies.position[i]
        np.testing.assert_allclose(lower[i], places.min(0) - 0.25, rtol=1e-5, atol=1e-5)
        np.testing.assert_allclose(upper[i], places.max(0) + 0.25, rtol=1e-5, atol=1e-5)
    with pytest.raises(wp.Error, match="max_separation"):
        wp.mesh_bodies_bounds([mesh], bodies, max_separation=-1)
    with pytest.raises(wp.Error, match=r"surfaces\[0\]"):
        wp.mesh_bodies_bounds([3], bodies)
    with pytest.raises(wp.Error, match="Bodies are needed"):
        wp.mesh_bodies_bounds([mesh], None)
