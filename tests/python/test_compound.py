"""Compounds: their bytes, and queries against all pairs of children."""

import copy
import pickle

import numpy as np
import pytest

import widephase as wp

SHAPES = [wp.Shape.box(0.5, 0.3, 0.4), wp.Shape.sphere(0.4), wp.Shape.capsule(0.25, 0.5), wp.Shape.half_space()]


def turns(random, count):
    turn = random.normal(size=(count, 4))
    return turn / np.linalg.norm(turn, axis=1)[:, None]


def scene(count=40, seed=5):
    random = np.random.default_rng(seed)
    table = wp.ShapeTable(SHAPES)
    compounds = [wp.Compound(table, position=random.uniform(-1, 1, (children, 3)), rotation=turns(random, children),
        shape=random.integers(0, 3, children), tag=np.arange(children) + 7) for children in (1, 3, 12)]
    shape = np.where(np.arange(count) % 4 == 0, np.arange(count) % 3, wp.COMPOUND_SHAPE + np.arange(count) % 3)
    bodies = wp.Bodies.copied(position=random.uniform(-2, 2, (count, 3)), rotation=turns(random, count), shape=shape)
    pairs = random.integers(0, count, (60, 2)).astype(np.uint32)
    pairs[:, 1] += pairs[:, 1] == pairs[:, 0]
    return table, compounds, bodies, pairs % count


def spread(compounds, bodies, body, origin):
    """The children of a body as bodies, from a place on."""
    shape = int(bodies.shape[body])
    place = bodies.position[body] - origin
    if shape < wp.COMPOUND_SHAPE:
        return wp.Bodies.copied(position=[place], rotation=[bodies.rotation[body]], shape=[shape])
    return compounds[shape - wp.COMPOUND_SHAPE].child_poses(place, bodies.rotation[body])


def all_pairs(compounds, bodies, pair):
    origin = bodies.position[pair[0]]
    a, b = (spread(compounds, bodies, body, origin) for body in pair)
    every = np.array([(i, j) for i in range(len(a)) for j in range(len(b))], np.uint32)
    return a, b, every


def test_queries_have_the_answers_of_children():
    table, compounds, bodies, pairs = scene()
    statistics = wp.CompoundStatistics()
    near = wp.compound_distance(table, compounds, bodies, pairs=pairs, statistics=statistics)
    touch = wp.compound_overlap(table, compounds, bodies, pairs=pairs)
    deep = wp.compound_contact(table, compounds, bodies, pairs=pairs, max_separation=0.25)
    flat = wp.compound_contact_manifold(table, compounds, bodies, pairs=pairs, max_separation=0.25, patch_max=200)
    assert statistics.rows == len(pairs) and statistics.invalid == 0 and statistics.solved > 0
    found = 0
    for row, pair in enumerate(pairs):
        a, b, every = all_pairs(compounds, bodies, pair)
        separation = wp.distance(table, a, b, pairs=every).separation
        best = separation.argmin()
        assert near.separation[row] == separation[best] and touch.overlap[row] == (separation[best] == 0)
        assert (near.child_a[row], near.child_b[row]) == tuple(every[best])
        contacts = wp.contact_manifold(table, a, b, pairs=every, max_separation=0.25)
        touching = np.flatnonzero(contacts.count)
        assert flat.pair_count[row] == flat.patch_count[row] == len(touching)
        order = touching[np.argsort(contacts.separation[touching], kind="stable")]
        patches = flat.patches[row, :len(touching)]
        assert (patches["separation"] == contacts.separation[order]).all()
        assert (np.stack([patches["child_a"], patches["child_b"]], 1) == every[order]).all()
        assert (patches["point_count"] == contacts.count[order]).all()
        if len(touching):
            assert deep.separation[row] == flat.separation[row] == contacts.separation[order[0]]
            assert (deep.normal[row] == contacts.normal[order[0]]).all()
            found += 1
    assert 10 < found < 60


def test_casts():
    table = wp.ShapeTable(SHAPES)
    two = wp.Compound(table, position=[(-2, 0, 0), (2, 1, 0)], shape=[0, 1])
    bodies = wp.Bodies.copied(position=[(0, 2, 0), (0, 0, 0)], shape=[wp.COMPOUND_SHAPE, 3])
    motions = wp.Motions(translation=np.array([(0, -2, 0), (0, 0, 0)], np.float32))
    pairs = np.array([(0, 1)], np.uint32)
    found = wp.compound_cast(table, [two], bodies, motions_a=motions, pairs=pairs)
    assert found.child_a[0] == 0 and found.child_b[0] == 0 and abs(found.fraction[0] - 0.85) < 1e-6
    turned = wp.Motions(translation=motions._arrays[0][1], rotation=np.array([(0, 0.6, 0, 0.8), (0, 0, 0, 1)], np.float32))
    # About the vertical: heights do not change.
    found = wp.compound_cast(table, [two], bodies, motions_a=turned, pairs=pairs)
    assert found.child_a[0] == 0 and found.status[0] & wp.Status.HIT and abs(found.fraction[0] - 0.85) < 1e-5


def test_children_and_bytes():
    table, compounds, _, _ = scene()
    for compound in compounds:
        copy = pickle.loads(pickle.dumps(compound))
        assert copy == compound and len(copy) == len(compound) and hash(copy) == hash(compound)
        assert (copy.children == compound.children).all() and (copy.children["tag"] == np.arange(len(copy)) + 7).all()
        lower, upper = copy.bounds
        assert (lower < compound.children["position"]).all() and (upper > compound.children["position"]).all()
        copy.check(table)
        data = bytearray(compound.to_bytes())
        data[70] ^= 1
        with pytest.raises(wp.Error) as caught:
            wp.Compound.from_bytes(data)
        assert caught.value.code == "COMPOUND_CORRUPT"
    with pytest.raises(wp.Error, match="child 0: shape 2 of the table is invalid or was removed|child 0: .* is larger than it was"):
        compounds[0].check(wp.ShapeTable([wp.Shape.point()] * 2 + [None] * 2)
            if compounds[0].children["shape"][0] == 2 else wp.ShapeTable([wp.Shape.sphere(9)] * 4))
    assert repr(compounds[1]) == "<Compound of 3 shapes>"


@pytest.mark.parametrize("arguments, name", [
    ({"position": [(0, 0)]}, "position"),
    ({"position": [(0, 0, 0)], "rotation": [(0, 0, 0)]}, "rotation"),
    ({"position": [(0, 0, 0), (0, float("nan"), 0)], "shape": [0, 0]}, r"^position\[1\]: \(0.0, nan, 0.0\) is not finite$"),
    ({"position": [(0, 0, 0), (0, 2e30, 0)], "shape": [0, 0]}, r"^position\[1\]: .* is beyond 1e30$"),
    ({"position": [(0, 0, 0)] * 2, "rotation": [(0, 0, 0, 1), (0, 0, 0, 2)]}, r"^rotation\[1\]: .* has the length 2, not 1$"),
    ({"position": [(0, 0, 0)] * 2, "rotation": [(0, 0, 0, 1), (0, 0, np.inf, 1)]}, r"^rotation\[1\]: .* is not finite$"),
    ({"position": [(0, 0, 0)], "shape": [3]}, r"^shape\[0\]: shape 3 of the table is a half-space$"),
    ({"position": [(0, 0, 0)] * 2, "shape": [0, 9]}, r"^shape\[1\]: index 9 is not below 6, the number of shapes in the table$"),
    ({"position": [(0, 0, 0)] * 2, "shape": [0, 4]}, r"^shape\[1\]: shape 4 of the table is invalid or was removed$"),
    ({"position": [(0, 0, 0), (1e30, 0, 0)], "shape": [0, 5]}, r"^position\[1\]: the shape of the child reaches beyond 1e30 there$"),
    ({"position": np.zeros((0, 3))}, "position"),
    ({"position": [(0, 0, 0)], "tag": [1, 2]}, "tag"),
])
def test_bad_children(arguments, name):
    with pytest.raises(wp.Error, match=name):
        wp.Compound(wp.ShapeTable([*SHAPES, None, wp.Shape.sphere(1e29)]), **arguments)


def test_bad_arguments():
    table, compounds, bodies, pairs = scene()
    with pytest.raises(wp.Error, match=r"compounds\[1\]"):
        wp.compound_overlap(table, [compounds[0], table], bodies, pairs=pairs)
    with pytest.raises(wp.Error, match="max_distance"):
        wp.compound_distance(table, compounds, bodies, pairs=pairs, max_distance=-1)
    with pytest.raises(wp.Error, match="patch_max"):
        wp.compound_contact_manifold(table, compounds, bodies, pairs=pairs, patch_max=0)
    with pytest.raises(wp.Error, match="patch_count"):
        wp.compound_contact_manifold(table, compounds, bodies, pairs=pairs, outputs=("separation", "patches"))
    with pytest.raises(wp.Error, match="statistics"):
        wp.compound_overlap(table, compounds, bodies, pairs=pairs, statistics=wp.Statistics())
    with pytest.warns(wp.InvalidWarning):
        bad = wp.compound_overlap(table, compounds[:2], bodies, pairs=pairs)
    has_third = (bodies.shape[pairs] == wp.COMPOUND_SHAPE + 2).any(1)
    assert ((bad.status & int(wp.Status.INVALID) != 0) == has_third).all()


def on_terrain(count=60, seed=9):
    """Bodies about the surface of hills, of which every fourth has a shape."""
    table, compounds, bodies, _ = scene(count, seed)
    random = np.random.default_rng(seed)
    samples = (0.3 * random.normal(size=(24, 24))).astype(np.float32)
    bodies.position[...] = random.uniform((3, -0.5, 3), (20, 1.2, 20), (count, 3))
    return table, compounds, bodies, [wp.HeightField(samples)], wp.Bodies.copied(position=[(0, 0, 0)])


def test_contacts_with_meshes_are_those_of_children():
    table, compounds, bodies, surfaces, ground = on_terrain()
    pairs = (None, np.zeros(len(bodies), np.uint32))
    options = {"max_separation": 0.05, "patch_max": 8, "soup": True}
    statistics = wp.MeshStatistics()
    found = wp.compound_mesh_contact(table, compounds, bodies, surfaces, ground, pairs=pairs, statistics=statistics, **options)
    assert (statistics.rows, statistics.invalid) == (len(bodies), 0)
    assert statistics.touching == (found.patch_count > 0).sum() > 20
    for row in range(len(bodies)):
        shape = int(bodies.shape[row])
        parts = spread(compounds, bodies, row, np.zeros(3))
        each = wp.mesh_contact(table, parts, surfaces, ground, pairs=(None, np.zeros(len(parts), np.uint32)), **options)
        assert found.separation[row] == each.separation.min() and found.triangle_count[row] == each.triangle_count.sum()
        used = np.arange(4) < found.patches["point_count"][row][:, None]
        used &= (np.arange(8) < found.patch_count[row])[:, None]
        child = found.children[row][used]
        assert not found.children[row][~used].any() and (child < len(parts)).all() and (each.patch_count[child] > 0).all()
        # A point is where its child has points: within the box of its contacts with the ground.
        places = found.patches["points"]["point_a"][row][used]
        assert (np.linalg.norm(places - parts.position[child], axis=1) < 1).all()
        if shape < wp.COMPOUND_SHAPE:
            assert found.patches[row].tobytes() == each.patches[0].tobytes() and found.status[row] == each.status[0]
    out = {name: np.zeros_like(getattr(found, name)) for name in found.names}
    for first, count in ((0, 13), (13, 40), (53, 7)):
        wp.compound_mesh_contact(table, compounds, bodies, surfaces, ground, pairs=pairs, out=out, first=first, count=count,
            **options)
    assert all(out[name].tobytes() == getattr(found, name).tobytes() for name in ("separation", "status", "patch_count"))
    written = np.arange(8) < found.patch_count[:, None]
    assert (out["children"][written] == found.children[written]).all()


def test_bad_contacts_with_meshes():
    table, compounds, bodies, surfaces, ground = on_terrain(6)
    pairs = (None, np.zeros(6, np.uint32))

    def ask(given=compounds, on=surfaces, **options):
        return wp.compound_mesh_contact(table, given, bodies, on, ground, pairs=pairs, **options)

    few = {"patch_count": np.zeros(6, np.uint32), "patches": np.zeros((6, 4), wp.mesh_patch_dtype)}
    for call, argument in ((lambda: ask([compounds[0], table]), r"compounds\[1\]"), (lambda: ask(compounds[0]), "compounds"),
            (lambda: ask(on=[table]), r"surfaces\[0\]"), (lambda: ask(patch_max=9), "patch_max"),
            (lambda: ask(max_separation=-1), "max_separation"), (lambda: ask(outputs=("patches", "children")), "outputs"),
            (lambda: ask(outputs="child_a"), "outputs"), (lambda: ask(statistics=wp.CompoundStatistics()), "statistics"),
            (lambda: ask(out={**few, "children": np.zeros((6, 3, 4), np.uint32)}), r"children"),
            (lambda: ask(out={**few, "children": np.zeros((6, 4, 4), np.int64)}), r"children"),
            (lambda: ask(out={**few, "children": bodies.shape}), r"children")):
        with pytest.raises(wp.Error, match=argument):
            call()
    with pytest.raises(AttributeError, match="children was not requested"):
        ask(outputs="separation").children
    with pytest.warns(wp.InvalidWarning, match="3 of 6 rows are Status.INVALID; the first is row 1"):
        bad = ask(compounds[:1])
    assert (bad.status[[1, 2, 5]] == int(wp.Status.INVALID | wp.Status.INVALID_SHAPE_A)).all() and not bad.patch_count[[1, 2, 5]].any()


def test_frames_with_meshes():
    """Frames have the bits of contacts; points keep what a solver left; what lies still or flies is not queried."""
    table, compounds, bodies, surfaces, ground = on_terrain()
    pairs, count = (None, np.zeros(len(bodies), np.uint32)), len(bodies)
    tracked, statistics, touched = wp.MeshTracked(8, patch_max=8), wp.MeshStatistics(), np.zeros(count, bool)
    index, events = tracked.take(count)[::-1].copy(), np.zeros(2, int)
    bodies.position[:10, 1] += 6
    options = {"pairs": pairs, "max_separation": 0.05, "soup": True}
    for frame in range(8):
        cold = wp.compound_mesh_contact(table, compounds, bodies, surfaces, ground, patch_max=8, **options)
        found = wp.compound_mesh_track(table, compounds, bodies, surfaces, ground, tracked=tracked, index=index,
            outputs=tuple(cold.names), statistics=statistics, **options)
        assert all(getattr(found, name).tobytes() == getattr(cold, name).tobytes() for name in cold.names if name != "patches")
        used = np.arange(8) < cold.patch_count[:, None]
        assert (found.patches[used] == cold.patches[used]).all() and (tracked.children[index][used] == cold.children[used]).all()
        now = tracked.pairs[index]
        assert sorted(found.changed) == np.flatnonzero(touched != (now["count"] > 0)).tolist()
        touched = now["count"] > 0
        events += [np.count_nonzero(now["event"] & event) for event in (wp.Event.KEPT, wp.Event.REUSED)]
        points, live = tracked.patches[index]["points"], np.arange(4) < tracked.patches[index]["found"]["point_count"][..., None]
        live &= used[..., None]
        assert (points["impulse"][live, 0] == points["age"][live]).all() and points["age"][live].max() == frame
        points["impulse"][live, 0] += 1
        tracked.patches["points"][index] = points
        bodies.position[::2] += (0.01, -0.004, 0.01)
    assert (statistics.rows, statistics.invalid) == (8 * count, 0) and (events > 20).all()
    for argument, wrong in (("tracked", {"tracked": wp.Tracked(count)}), ("merging", {"merging": -1}),
            ("max_separation", {"max_separation": -1}),
            (r"compounds\[0\]", {"compounds": [table]})):
        asked = {"compounds": compounds, "tracked": tracked, **options, **wrong}
        with pytest.raises(wp.Error, match=argument):
            wp.compound_mesh_track(table, asked.pop("compounds"), bodies, surfaces, ground, **asked)


def test_frames():
    """Frames have the bits of manifolds; points keep what a solver left; what lies still or flies is not queried."""
    random = np.random.default_rng(5)
    table = wp.ShapeTable([wp.Shape.half_space(), wp.Shape.box(1, 1, 1), wp.Shape.sphere(0.4), wp.Shape.box(0.5, 2, 0.5)])
    compounds = [wp.Compound(table, position=random.uniform(-1, 1, (n, 3)), shape=random.integers(1, 4, n)) for n in (2, 5)]
    count, rows, patch_max = 14, 30, 3
    shape = np.where(np.arange(count) % 3 == 0, 1 + np.arange(count) % 3, wp.COMPOUND_SHAPE + np.arange(count) % 2)
    bodies = wp.Bodies.copied(position=np.vstack([[(0, -2, 0)], random.uniform(-2.5, 2.5, (count, 3))]), shape=[0, *shape],
        rotation=np.vstack([[(0, 0, 0, 1)], np.tile((0, 0, 0, 1), (count, 1))]))
    pairs = np.array([(a, b) for a in range(count + 1) for b in range(a + 1, count + 1)], np.uint32)[:rows]
    tracked, statistics, touched = wp.CompoundTracked(8, patch_max=patch_max), wp.CompoundStatistics(), np.zeros(rows, bool)
    index, events = tracked.take(rows)[::-1].copy(), np.zeros(2, int)
    options = {"pairs": pairs, "max_separation": 0.05}
    for frame in range(8):
        cold = wp.compound_contact_manifold(table, compounds, bodies, patch_max=patch_max, **options)
        found = wp.compound_track(table, compounds, bodies, tracked=tracked, index=index, outputs=tuple(cold.names),
            statistics=statistics, **options)
        assert all(getattr(found, name).tobytes() == getattr(cold, name).tobytes() for name in cold.names)
        now = tracked.pairs[index]
        assert sorted(found.changed) == np.flatnonzero(touched != (now["count"] > 0)).tolist()
        touched = now["count"] > 0
        events += [np.count_nonzero(now["event"] & event) for event in (wp.Event.KEPT, wp.Event.REUSED)]
        live = np.arange(patch_max) < cold.patch_count[:, None]
        points = tracked.patches[index]["points"]
        live = live[..., None] & (np.arange(4) < tracked.patches[index]["found"]["point_count"][..., None])
        assert (points["impulse"][live, 0] == points["age"][live]).all() and points["age"][live].max() == frame
        points["impulse"][live, 0] += 1
        tracked.patches["points"][index] = points
        if frame == 3:
            tracked = copy.copy(tracked)
        if frame % 2 == 1:
            bodies.position[1::2] += (0.01, -0.004, 0.01)
    assert (statistics.rows, statistics.invalid) == (8 * rows, 0) and (events > 10).all()
    for argument, wrong in (("tracked", {"tracked": wp.Tracked(rows)}), ("merging", {"merging": -1}),
            ("max_separation", {"max_separation": -1}), ("outputs", {"outputs": ["patches"]}), ("index", {"index": index[1:]}),
            ("outputs", {"outputs": "children"}), (r"compounds\[0\]", {"compounds": [table]})):
        asked = {"compounds": compounds, "tracked": tracked, **options, **wrong}
        with pytest.raises(wp.Error, match=argument):
            wp.compound_track(table, asked.pop("compounds"), bodies, **asked)
    with pytest.raises(wp.Error, match="patch_max"):
        wp.CompoundTracked(1, patch_max=65)


def best_of(counts, *keys):
    """The child with the least answer, by these numbers one after the other, of those that count; None: none."""
    return min(np.flatnonzero(counts).tolist(), key=lambda i: [float(key[i]) for key in keys], default=None)


def test_other_queries_of_meshes_are_those_of_children():
    table, compounds, bodies, surfaces, ground = on_terrain()
    pairs = (None, np.zeros(len(bodies), np.uint32))
    way = np.tile(np.array((0.5, -0.75, 0), np.float32), (len(bodies), 1))
    bodies.position[:, 1] += 1
    statistics = wp.MeshStatistics()
    near = wp.compound_mesh_distance(table, compounds, bodies, surfaces, ground, pairs=pairs, statistics=statistics,
        outputs=("separation", "point_a", "lower", "child", "triangle", "status"))
    touch = wp.compound_mesh_overlap(table, compounds, bodies, surfaces, ground, pairs=pairs)
    cast = wp.compound_mesh_cast(table, compounds, bodies, surfaces, ground, pairs=pairs, motions_a=wp.Motions(translation=way))
    assert (statistics.rows, statistics.invalid) == (len(bodies), 0)
    assert 0 < touch.overlap.sum() < len(bodies) and 10 < (cast.child != wp.COMPOUND_MISS).sum() < len(bodies)
    for row in range(len(bodies)):
        parts = spread(compounds, bodies, row, np.zeros(3))
        to = {"pairs": (None, np.zeros(len(parts), np.uint32))}
        each = wp.mesh_distance(table, parts, surfaces, ground, **to, outputs=("separation", "point_a", "triangle", "status"))
        child = best_of(np.isfinite(each.separation), each.separation)
        assert (near.child[row], near.separation[row]) == (child, each.separation[child])
        assert near.triangle[row] == each.triangle[child] and (near.point_a[row] == each.point_a[child]).all()
        each = wp.mesh_overlap(table, parts, surfaces, ground, **to)
        child = best_of(each.overlap)
        assert touch.overlap[row] == (child is not None)
        assert touch.child[row] == (wp.COMPOUND_MISS if child is None else child)
        moves = wp.Motions(translation=np.tile(way[row], (len(parts), 1)))
        each = wp.mesh_cast(table, parts, surfaces, ground, **to, motions_a=moves,
            outputs=("fraction", "separation", "triangle"))
        child = best_of(each.triangle != wp.MESH_MISS, each.fraction, each.separation)
        assert cast.child[row] == (wp.COMPOUND_MISS if child is None else child)
        assert cast.fraction[row] == (1 if child is None else each.fraction[child])


def test_bad_queries_of_meshes():
    table, compounds, bodies, surfaces, ground = on_terrain(6)
    pairs = (None, np.zeros(6, np.uint32))

    def ask(given=compounds, on=surfaces, **options):
        return wp.compound_mesh_distance(table, given, bodies, on, ground, pairs=pairs, **options)

    for call, argument in ((lambda: ask([compounds[0], table]), r"compounds\[1\]"), (lambda: ask(compounds[0]), "compounds"),
            (lambda: ask(on=[table]), r"surfaces\[0\]"), (lambda: ask(max_distance=-1), "max_distance"),
            (lambda: ask(outputs="child_a"), "outputs"), (lambda: ask(statistics=wp.CompoundStatistics()), "statistics"),
            (lambda: ask(out={"child": np.zeros(6, np.int64)}), "child"), (lambda: ask(out={"child": bodies.shape}), "child")):
        with pytest.raises(wp.Error, match=argument):
            call()
    with pytest.raises(AttributeError, match="triangle was not requested"):
        ask(outputs="separation").triangle
    with pytest.warns(wp.InvalidWarning, match="3 of 6 rows are Status.INVALID; the first is row 1"):
        bad = ask(compounds[:1])
    assert (bad.child[[1, 2, 5]] == wp.COMPOUND_MISS).all() and not (bad.status[[0, 3, 4]] & int(wp.Status.INVALID)).any()


def test_boxes_are_of_all_children():
    shapes, compounds, bodies, _ = scene()
    lower, upper = wp.compound_bodies_bounds(shapes, compounds, bodies, max_separation=0.5)
    plain, judged = wp.bodies_bounds(shapes, bodies, max_separation=0.5), 0
    for i in range(len(bodies)):
        number = int(bodies.shape[i])
        if number < wp.COMPOUND_SHAPE:
            assert (lower[i] == plain[0][i]).all() and (upper[i] == plain[1][i]).all()
            continue
        children = compounds[number - wp.COMPOUND_SHAPE].child_poses(bodies.position[i], bodies.rotation[i])
        low, high = wp.bodies_bounds(shapes, children, max_separation=0.5)
        np.testing.assert_allclose(lower[i], low.min(0), rtol=1e-6)
        np.testing.assert_allclose(upper[i], high.max(0), rtol=1e-6)
        judged += 1
    assert judged > 10
    with pytest.raises(wp.Error, match="max_separation"):
        wp.compound_bodies_bounds(shapes, compounds, bodies, max_separation=-1)
    with pytest.raises(wp.Error, match=r"compounds\[0\]"):
        wp.compound_bodies_bounds(shapes, [None], bodies)


def test_mass():
    shapes = wp.ShapeTable([wp.Shape.box(1, 1, 1), wp.Shape.sphere(1), wp.Shape.ellipsoid(1, 2, 3, radius=1)])
    half = np.sqrt(0.5)
    body = wp.Compound(shapes, position=[(0, 0, 0), (3, 0, 0), (9, 9, 9)], rotation=[(0, 0, half, half)] * 3)
    mass = body.mass(shapes, density=[1, 6 / np.pi, 0])
    assert abs(mass.volume - 16) < 1e-6 and np.allclose(mass.centroid, (1.5, 0, 0))
    across = 8 * 2 / 3 + 8 * 2 / 5 + 16 * 1.5 ** 2
    assert np.allclose(mass.inertia, np.diag([8 * 2 / 3 + 8 * 2 / 5, across, across]), atol=1e-5)
    for density, argument, code in (([1, 1, 1], "shapes, for child 2", "SHAPE_MASS"), ([1, -1, 0], "density[1]", "DENSITY"),
            ([0, 0, 0], "compound", "SHAPE_VOLUME"), ([1, 1], "density", None)):
        with pytest.raises(wp.Error) as caught:
            body.mass(shapes, density)
        assert (caught.value.argument, caught.value.code) == (argument, code)
