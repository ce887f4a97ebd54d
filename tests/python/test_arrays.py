"""Arrays stay where they are: any layout that has strides, nothing copied, what does not fit refused by name."""

import copy
import dataclasses
import decimal
import fractions
import pickle
import tracemalloc
import warnings

import numpy as np
import pytest
from conftest import ALL, has_cook, same_bits

import widephase as wp
from widephase import wp2d

ENGINE = np.dtype([("p", "f4", 3), ("mass", "f4"), ("q", "f4", 4), ("shape", "u4"), ("velocity", "f8", 3)])
# Nothing in it is aligned.
PACKED = np.dtype([("flag", "u1"), ("p", "f4", 3), ("q", "f4", 4), ("shape", "u4")])


def structured(scene, dtype):
    state = np.zeros(len(scene.position), dtype)
    state["p"], state["q"], state["shape"] = scene.position, scene.rotation, scene.shape
    return state


def every_second(array):
    wide = np.zeros((2 * len(array), *array.shape[1:]), array.dtype)
    wide[::2] = array
    return wide[::2]


def contact(scene, position, rotation, shape, pairs=None, **more):
    bodies = wp.Bodies(position=position, rotation=rotation, shape=shape)
    return wp.contact(scene.table, bodies, pairs=scene.pairs if pairs is None else pairs, **more)


@pytest.fixture(name="wanted")
def make_wanted(scene):
    return wp.contact(scene.table, scene.bodies, pairs=scene.pairs, outputs=ALL)


@pytest.mark.parametrize("dtype", [ENGINE, PACKED], ids=["engine", "packed"])
def test_fields_of_structs(scene, wanted, dtype):
    state = structured(scene, dtype)
    found = contact(scene, state["p"], state["q"], state["shape"], outputs=ALL)
    assert all(same_bits(getattr(found, name), getattr(wanted, name)) for name in ALL)


def test_slices_and_orders(scene, wanted):
    rows = [every_second(array) for array in (scene.position, scene.rotation, scene.shape)]
    for pairs in (every_second(scene.pairs), np.asfortranarray(scene.pairs), scene.pairs[:, ::-1][:, ::-1]):
        found = contact(scene, *rows, pairs=pairs, outputs=ALL)
        assert all(same_bits(getattr(found, name), getattr(wanted, name)) for name in ALL)
    wide = np.zeros((len(scene.position), 8), np.float32)
    wide[:, 1:4], wide[:, 4:] = scene.position, scene.rotation
    found = contact(scene, wide[:, 1:4], wide[:, 4:], scene.shape)
    assert same_bits(found.point_a, wanted.point_a)


def test_results_into_structs(scene, wanted):
    layout = [(name, getattr(wanted, name).dtype, getattr(wanted, name).shape[1:]) for name in ALL]
    for dtype in (np.dtype([("id", "u8"), *layout]), np.dtype([("flag", "u1"), *layout]), np.dtype(layout, align=True)):
        out = np.zeros(len(scene.pairs), dtype)
        others = [name for name in dtype.names if name not in ALL]
        for name in others:
            out[name] = 77
        found = contact(scene, scene.position, scene.rotation, scene.shape, out=out)
        assert set(found.names) == set(ALL)
        assert all(same_bits(out[name], getattr(wanted, name)) for name in ALL)
        assert all((out[name] == 77).all() for name in others)
        assert all(np.shares_memory(getattr(found, name), out) for name in ALL)


def test_rows(scene, wanted):
    out = np.zeros(len(scene.pairs), wp.row_dtype)
    contact(scene, scene.position, scene.rotation, scene.shape, out=out)
    assert all(same_bits(out[name], getattr(wanted, name)) for name in wp.row_dtype.names)
    some = np.zeros(len(scene.pairs), wp.row_dtype)
    found = contact(scene, scene.position, scene.rotation, scene.shape, out=some, outputs=("normal", "status"))
    assert found.names == ("normal", "status") and same_bits(some["normal"], wanted.normal)
    assert not some["separation"].any() and not some["point_a"].any()


def test_results_are_the_callers_arrays(scene, wanted):
    separation, normal = np.zeros(2 * len(scene.pairs), np.float32)[::2], np.zeros((len(scene.pairs), 3), np.float32)
    out = {"separation": separation, "normal": normal}
    found = contact(scene, scene.position, scene.rotation, scene.shape, out=out)
    assert found.separation is separation and found.normal is normal and found.names == ("separation", "normal")
    assert same_bits(separation, wanted.separation) and same_bits(normal, wanted.normal)
    separation[:], normal[:] = 0, 0
    again = contact(scene, scene.position, scene.rotation, scene.shape, out=found)
    assert again.separation is separation and same_bits(normal, wanted.normal)
    flags = np.full(len(scene.pairs), 9, np.uint8)
    wp.overlap(scene.table, scene.bodies, pairs=scene.pairs, out={"overlap": flags})
    assert same_bits(flags, wanted.overlap.astype(np.uint8))


def test_manifolds_into_structs(scene):
    dtype = np.dtype([("id", "u2"), ("count", "u4"), ("points", wp.manifold_point_dtype, 8), ("separation", "f4")])
    out = np.zeros(len(scene.pairs), dtype)
    found = wp.contact_manifold(scene.table, scene.bodies, pairs=scene.pairs, point_max=8, out=out)
    wanted = wp.contact_manifold(scene.table, scene.bodies, pairs=scene.pairs, point_max=8)
    assert found.names == ("separation", "count", "points") and np.shares_memory(found.points, out)
    assert np.array_equal(out["count"], wanted.count) and out["points"].tobytes() == wanted.points.tobytes()


def test_views_follow_their_arrays(scene):
    """Bodies are read anew in each call."""
    position = scene.position.copy()
    bodies = wp.Bodies(position=position, rotation=scene.rotation, shape=scene.shape)
    before = wp.distance(scene.table, bodies, pairs=scene.pairs).separation
    position *= 3
    after = wp.distance(scene.table, bodies, pairs=scene.pairs).separation
    assert bodies.position is position and bodies.rotation is scene.rotation and bodies.shape is scene.shape
    assert not np.array_equal(before, after)
    assert same_bits(after, contact_of_copies(scene, position))


def contact_of_copies(scene, position):
    bodies = wp.Bodies.copied(position=position, rotation=scene.rotation.tolist(), shape=scene.shape.astype(np.int64))
    assert not np.shares_memory(bodies.position, position)
    return wp.distance(scene.table, bodies, pairs=scene.pairs).separation


def test_read_only_inputs_are_fine(scene, wanted):
    arrays = [scene.position, scene.rotation, scene.shape, scene.pairs]
    for array in arrays:
        array.flags.writeable = False
    before = [array.tobytes() for array in arrays]
    found = contact(scene, *arrays[:3], outputs=ALL)
    assert same_bits(found.normal, wanted.normal)
    assert before == [array.tobytes() for array in arrays]


def test_a_call_allocates_nothing_of_the_size_of_its_arrays(scene):
    state, pairs = np.tile(structured(scene, ENGINE), 100), np.tile(scene.pairs, (200, 1))
    out = np.zeros(len(pairs), wp.row_dtype)
    bodies = wp.Bodies(position=state["p"], rotation=state["q"], shape=state["shape"])
    wp.overlap(scene.table, bodies, pairs=pairs[:1])
    tracemalloc.start()
    wp.contact(scene.table, bodies, pairs=pairs, out=out)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert out["status"].all()
    assert peak < 20_000 < min(state.nbytes, pairs.nbytes, out.nbytes) / 50


def test_ranges_write_their_rows_alone(scene, wanted):
    out = np.zeros(len(scene.pairs), wp.row_dtype)
    wp.contact(scene.table, scene.bodies, pairs=scene.pairs, out=out, first=100, count=50)
    assert same_bits(out["separation"][100:150], wanted.separation[100:150])
    assert not out["status"][:100].any() and not out["status"][150:].any()
    wp.contact(scene.table, scene.bodies, pairs=scene.pairs, out=out, first=150)
    assert out["status"][150:].all() and not out["status"][:100].any()


def pickled(value):
    return pickle.loads(pickle.dumps(value))


def test_copies_of_bodies(scene, wanted):
    """A copy is a view of the same arrays; a deep copy and a pickle have their own. All are bodies."""
    state = structured(scene, PACKED)
    bodies = wp.Bodies(position=state["p"], rotation=state["q"], shape=state["shape"])
    shared, *apart = copy.copy(bodies), copy.deepcopy(bodies), pickled(bodies)
    assert shared.position is bodies.position and not any(np.shares_memory(one.position, state) for one in apart)
    for one in (shared, *apart):
        found = wp.contact(scene.table, one, pairs=scene.pairs, outputs=ALL)
        assert all(same_bits(getattr(found, name), getattr(wanted, name)) for name in ALL)
    state["p"] += 1
    assert (shared.position == state["p"]).all() and all((one.position == scene.position).all() for one in apart)
    double = pickled(wp.Bodies.copied(position=scene.position.astype(float)))
    assert double.position.dtype == np.float64 and double.shape is None
    flat = copy.deepcopy(wp2d.Bodies.copied(position=[(0, 0), (1, 0)]))
    touch = wp2d.distance(wp2d.ShapeTable([wp2d.Shape.circle(0.25)] * 2), flat, pairs=np.array([(0, 1)], np.uint32))
    assert touch.separation.tolist() == [0.5]


def test_copies_of_motions(scene):
    count = len(scene.position)
    for motions in (wp.Motions(), wp.Motions(translation=np.ones((count, 3), np.float32)),
            wp.Motions(translation=np.ones((count, 3), np.float32)[::-1].copy(), rotation=scene.rotation)):
        found = [wp.cast(scene.table, scene.bodies, pairs=scene.pairs, motions_a=one).fraction.tobytes()
            for one in (motions, copy.copy(motions), copy.deepcopy(motions), pickled(motions))]
        assert len(set(found)) == 1
    assert pickled(wp2d.Motions(translation=np.ones((2, 2), np.float32)))._view.translation.stride == 8


def test_copies_of_fields():
    samples = np.array([[0, 1, 2, 3], [4, 5, -32768, 7], [8, 9, 10, 11]], np.int16)
    terrain = wp.HeightField(samples, spacing=iter((2, 3)), scale=0.3, offset=1, other_diagonal=True)
    shared, *apart = copy.copy(terrain), copy.deepcopy(terrain), pickled(terrain)
    for one in (shared, *apart):
        assert [repr(one.triangle(index)) for index in range(len(one))] == [repr(terrain.triangle(i)) for i in range(len(terrain))]
    samples[1, 2] = 6
    assert shared.samples is samples and all(one.triangle(3) is None for one in apart) and shared.triangle(3) is not None
    heights = np.zeros((3, 3), np.float32)
    field = wp.HeightField(heights)
    heights[1, 1] = np.nan  # a hole, by queries
    assert copy.deepcopy(field).triangle(1) is None


def test_copies_of_statistics(scene):
    for counts, fill in ((wp.Statistics(), lambda counts: wp.contact(scene.table, scene.bodies, pairs=scene.pairs, statistics=counts)),
            (wp.MeshStatistics(), lambda counts: None), (wp.CompoundStatistics(), lambda counts: None)):
        fill(counts)
        for again in (copy.copy(counts), copy.deepcopy(counts), pickled(counts), dataclasses.replace(counts)):
            assert again == counts and type(again) is type(counts)
            fill(again)
            assert again.rows == 2 * counts.rows
        assert "_lock" not in dataclasses.asdict(counts) and dataclasses.asdict(counts)["rows"] == counts.rows


def test_copied_types():
    """Positions are as near to what they were as is told; grounds of lists serve bodies in float32."""
    lists, single = [(0, 0, 0)], np.zeros((1, 3), np.float32)
    for position, dtype, wanted in ((lists, None, "f8"), (single, None, "f4"), (single.astype(float), None, "f8"),
            (lists, np.float32, "f4"), (single, "float64", "f8"), (single.astype(">f8"), "f4", "f4")):
        assert wp.Bodies.copied(position=position, dtype=dtype).position.dtype == np.dtype(wanted)
    assert wp2d.Bodies.copied(position=[(0, 0)], dtype="f4").position.dtype == np.float32
    field, table = wp.HeightField(np.zeros((9, 9), np.float32)), wp.ShapeTable([wp.Shape.sphere(1)])
    body = wp.Bodies.copied(position=np.array([(4, 0.5, 4)], np.float32))
    with pytest.raises(wp.Error, match=r"; convert one of them, as Bodies.copied\(..., dtype='float32'\) does"):
        wp.mesh_contact(table, body, [field], wp.Bodies.copied(position=lists))
    found = wp.mesh_contact(table, body, [field], wp.Bodies.copied(position=lists, dtype=np.float32))
    assert found.separation.tolist() == [-0.5]
    for dtype in ("f2", int, ">f4", "real", "c8"):
        with pytest.raises(wp.Error, match="dtype: float32 or float64 is needed"):
            wp.Bodies.copied(position=lists, dtype=dtype)


def matrix_of(quaternion):
    x, y, z, w = quaternion
    return np.array([(1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
        (2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
        (2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y))])


def test_copied_matrices():
    """Rotations may be matrices, also half turns and those near to them, where some numbers of the quaternion vanish."""
    random = np.random.default_rng(3)
    wanted = random.normal(size=(400, 4)) * np.where(random.uniform(size=(400, 4)) < 0.3, 1e-9, 1)
    wanted = np.concatenate([np.eye(4), wanted])
    wanted /= np.linalg.norm(wanted, axis=1, keepdims=True)
    matrices = np.array([matrix_of(quaternion) for quaternion in wanted])
    found = wp.Bodies.copied(position=np.zeros((404, 3)), rotation=matrices).rotation
    assert found.dtype == np.float32 and found.shape == (404, 4)
    assert (np.abs((found * wanted).sum(1)) > 1 - 1e-7).all()
    found = [matrix_of(quaternion) for quaternion in found.astype(float)]
    assert np.abs(np.array(found) - matrices).max() < 5e-7
    assert wp.Bodies.copied(position=[], rotation=np.zeros((0, 3, 3))).rotation.shape == (0, 4)

    table = wp.ShapeTable([wp.Shape.box(1, 2, 3)])
    pairs = np.array([(0, 1)], np.uint32)
    by_matrix = wp.Bodies.copied(position=[(0, 0, 0), (4, 0, 0)], rotation=[np.eye(3), matrix_of((0, 0.6, 0, 0.8))], shape=[0, 0])
    by_quaternion = wp.Bodies.copied(position=[(0, 0, 0), (4, 0, 0)], rotation=[(0, 0, 0, 1), (0, 0.6, 0, 0.8)], shape=[0, 0])
    assert wp.contact(table, by_matrix, pairs=pairs).separation == pytest.approx(
        wp.contact(table, by_quaternion, pairs=pairs).separation, abs=1e-6)
    pair = {"position": [(0, 0, 0), (4, 0, 0)], "shape": [0, 0]}
    assert (wp.Compound(table, **pair, rotation=[np.eye(3), matrix_of((0, 0.6, 0, 0.8))]).bounds[1] == pytest.approx(
        wp.Compound(table, **pair, rotation=[(0, 0, 0, 1), (0, 0.6, 0, 0.8)]).bounds[1], abs=1e-5))


@pytest.mark.parametrize("bad", [np.diag([1, 1, -1]), 2 * np.eye(3), np.ones((3, 3)), np.zeros((3, 3))], ids=str)
def test_copied_matrices_that_are_no_rotations(bad):
    with pytest.raises(wp.Error, match=r"bodies.rotation\[1\]: a matrix that is no rotation"):
        wp.Bodies.copied(position=np.zeros((2, 3)), rotation=[np.eye(3), bad])
    with pytest.raises(wp.Error, match=r"rotation\[1\]: a matrix that is no rotation"):
        wp.Compound(wp.ShapeTable([wp.Shape.sphere(1)]), position=np.zeros((2, 3)), rotation=[np.eye(3), bad], shape=[0, 0])


def test_copied_matrices_of_nan():
    """An invalid row, as of a quaternion of NaN."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        bodies = wp.Bodies.copied(position=np.zeros((2, 3)), rotation=[np.eye(3), np.full((3, 3), np.nan)], shape=[0, 0])
    with pytest.warns(wp.InvalidWarning, match="INVALID_ROTATION_B"):
        wp.contact(wp.ShapeTable([wp.Shape.sphere(1)]), bodies, pairs=np.array([(0, 1)], np.uint32))


def test_copied_motions():
    table, pairs = wp.ShapeTable([wp.Shape.box(1, 2, 3)]), np.array([(0, 1)], np.uint32)
    bodies = wp.Bodies.copied(position=[(0, 0, 0), (9, 0, 0)], shape=[0, 0])
    ways, turn = [(0, 0, 0), (-8, 0, 0)], (0, 0.6, 0, 0.8)
    exact = wp.Motions(translation=np.array(ways, np.float32), rotation=np.array([(0, 0, 0, 1), turn], np.float32))
    wanted = wp.cast(table, bodies, motions_a=exact, pairs=pairs).fraction
    assert 0 < wanted[0] < 1
    for made in (wp.Motions.copied(translation=ways, rotation=[(0, 0, 0, 1), turn]),
            wp.Motions.copied(translation=np.array(ways), rotation=np.array([(0, 0, 0, 1), turn]))):
        assert same_bits(wp.cast(table, bodies, motions_a=made, pairs=pairs).fraction, wanted)
    by_matrix = wp.Motions.copied(translation=ways, rotation=[np.eye(3), matrix_of(turn)])
    assert wp.cast(table, bodies, motions_a=by_matrix, pairs=pairs).fraction == pytest.approx(wanted, abs=1e-6)
    assert wp.Motions.copied()._view.translation.data == wp.Motions()._view.translation.data
    flat = wp2d.Motions.copied(translation=[(1, 0)], rotation=[(0, 1)])
    assert flat._arrays[0][1].dtype == flat._arrays[1][1].dtype == np.float32
    for bad, reason in (({"translation": [(1, 2)]}, r"motions.translation: shape is \(1, 2\), not \(n, 3\)"),
            ({"rotation": ["a"]}, "motions.rotation: not an array of numbers"),
            ({"rotation": [2 * np.eye(3)]}, r"motions.rotation\[0\]: a matrix that is no rotation")):
        with pytest.raises(wp.Error, match=reason):
            wp.Motions.copied(**bad)


def test_nothing_is_copied():
    """Empty lists have the shape of what is missing."""
    for nobody in (wp.Bodies.copied(position=[]), wp.Bodies.copied(position=(), rotation=[], shape=[])):
        assert len(nobody) == 0 and nobody.position.shape == (0, 3) and nobody.rotation.shape == (0, 4)
    assert wp2d.Bodies.copied(position=[], rotation=[]).rotation.shape == (0, 2)
    for make, code in ((wp.Hull.from_vertices, "HULL_VERTEX_COUNT"), (wp.Hull.cook, "HULL_VERTEX_COUNT"),
            (lambda none: wp.Mesh.cook(none, none), "MESH_EMPTY"),
            (lambda none: wp.Compound(wp.ShapeTable([]), position=none, rotation=none, shape=none), "COMPOUND_COUNT")):
        if make in (wp.Hull.from_vertices,) or has_cook():
            with pytest.raises(wp.Error) as caught:
                make([])
            assert caught.value.code == code
    with pytest.raises(wp.Error, match="shape is"):
        wp.Bodies.copied(position=[[]])


@pytest.mark.parametrize("bad", [None, 1j, np.complex64(1), "1", b"1", np.datetime64("2020-01-01")], ids=str)
def test_copied_numbers(bad):
    """What has no value as a number is refused; what has one is not."""
    for argument, make in (("bodies.position", lambda: wp.Bodies.copied(position=[(0, bad, 0)])),
            ("bodies.rotation", lambda: wp.Bodies.copied(position=[(0, 0, 0)], rotation=[(0, bad, 0, 1)])),
            ("vertices", lambda: wp.Hull.from_vertices(np.array([(0, 0, 0), (bad, bad, bad)], object))),
            ("vertices", lambda: wp2d.Shape.polygon([(0, bad)])),
            ("bodies.shape", lambda: wp.Bodies.copied(position=[(0, 0, 0)], shape=[bad]))):
        with pytest.raises(wp.Error, match="number|indices") as caught:
            make()
        assert caught.value.argument == argument
    exact = [(fractions.Fraction(1, 2), decimal.Decimal("0.25"), 10 ** 20)]
    assert wp.Bodies.copied(position=exact).position.tolist() == [[0.5, 0.25, 1e20]]


def test_masks():
    position, shape = np.ma.zeros((2, 3), np.float32), np.ma.array([0, 0], np.uint32, mask=[0, 1])
    rotation = np.tile(np.array([0, 0, 0, 1], np.float32), (2, 1))
    for argument, make in (("bodies.position", lambda: wp.Bodies(position=position, rotation=rotation)),
            ("bodies.position", lambda: wp.Bodies.copied(position=position)),
            ("bodies.shape", lambda: wp.Bodies.copied(position=rotation[:, :3], shape=shape)),
            ("samples", lambda: wp.HeightField(np.ma.masked_less(np.zeros((3, 3), np.float32), 1))),
            ("vertices", lambda: wp.Hull.from_vertices(position))):
        with pytest.raises(wp.Error, match="a masked array, whose mask would not be read; .filled") as caught:
            make()
        assert caught.value.argument == argument
