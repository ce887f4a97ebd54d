"""Every query gives the bits of the library's own program, in batches, one by one, by every variant."""

import numpy as np
import pytest
from conftest import ALL, RECORDED, check_rows, collide, has_cook, same_bits

import widephase as wp

ROW = list(wp.row_dtype.names)
BATCH = {"overlap": wp.overlap, "distance": wp.distance, "contact": wp.contact}


def recorded(name="rec_pile"):
    return next(path for path in RECORDED if path.stem == name)


def moving(random, name="rec_pile"):
    """A recorded file whose pairs move and turn."""
    capture = wp.Capture.read(recorded(name))
    motions = np.zeros(len(capture.pairs), wp.capture_motion_dtype)
    for side in "ab":
        turn = random.normal(size=(len(motions), 4))
        motions[f"translation_{side}"] = random.normal(size=(len(motions), 3))
        motions[f"rotation_{side}"] = turn / np.linalg.norm(turn, axis=1)[:, None]
    return wp.Capture(capture.shapes, capture.pairs, capture.vertices, motions)


@pytest.mark.parametrize("query", BATCH)
@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)
def test_recorded(path, query):
    capture = wp.Capture.read(path)
    results = BATCH[query](capture.shape_table(), *capture.bodies(), outputs=ROW)
    check_rows(results, collide(path, "--query", query))


def test_max_separation():
    capture = wp.Capture.read(recorded())
    results = wp.contact(capture.shape_table(), *capture.bodies(), max_separation=0.01, outputs=ROW)
    assert (results.status & wp.Status.BEYOND).any()
    check_rows(results, collide(recorded(), "--max-separation", 0.01))


@pytest.mark.parametrize("point_max", [1, 4, 8])
@pytest.mark.parametrize("name", ["rec_meshes", "rec_wall"])
def test_manifolds(name, point_max):
    capture = wp.Capture.read(recorded(name))
    columns = collide(recorded(name), "--query", "manifold", "--max-separation", 0.02, "--points", point_max)
    found = wp.contact_manifold(capture.shape_table(faces=has_cook()), *capture.bodies(), max_separation=0.02,
        point_max=point_max, outputs=ROW)
    assert found.points.shape == (len(capture.pairs), point_max)
    lines = iter(columns["lines"])
    assert not has_cook() or found.count.max() == point_max
    for row, count in enumerate(found.count):
        for k in range(max(count, 1)):
            line = next(lines)
            point = found.points[row, k] if count else {name: getattr(found, name)[row]
                for name in ("separation", "point_a", "point_b")}
            assert (int(line["pair"]), int(line["count"])) == (row, count)
            for field, short in (("point_a", "a"), ("point_b", "b"), ("local_a", "local_a"), ("local_b", "local_b")):
                if count or len(short) == 1:
                    assert same_bits(point[field], np.array([line[short + axis] for axis in "xyz"], np.float32))
            assert same_bits(point["separation"], np.float32(line["separation"]))
            if count:
                assert [f"{point[name]:#010x}" for name in ("feature_a", "feature_b")] == \
                    [line["feature_a"], line["feature_b"]]
    assert next(lines, None) is None


def test_casts(tmp_path):
    capture = moving(np.random.default_rng(1))
    capture.write(tmp_path / "moving.pairs")
    motions_a, motions_b = capture.bodies_motions()
    results = wp.cast(capture.shape_table(), *capture.bodies(), motions_a=motions_a, motions_b=motions_b,
        outputs=[*ROW, "fraction"])
    assert (results.status & wp.Status.HIT).any() and (results.fraction == 1).any()
    check_rows(results, collide(tmp_path / "moving.pairs", "--query", "cast"))


def test_depths_along(tmp_path):
    capture = moving(np.random.default_rng(2))
    capture.write(tmp_path / "moving.pairs")
    way = capture.motions["translation_b"] - capture.motions["translation_a"]
    results = wp.depth_along(capture.shape_table(), *capture.bodies(), direction=way, outputs=ROW)
    check_rows(results, collide(tmp_path / "moving.pairs", "--query", "depth-along"))


def test_caches(tmp_path):
    """A file with what a first query left: the program starts from it, and so does the package."""
    capture = wp.Capture.read(recorded("rec_meshes"))
    table, (a, b) = capture.shape_table(), capture.bodies()
    cache = np.zeros(len(capture.pairs), wp.cache_dtype)
    cold = wp.contact(table, a, b, cache=cache, outputs=ROW)
    assert cache["count"].any()
    warm_capture = wp.Capture(capture.shapes, capture.pairs, capture.vertices, caches=cache.copy())
    warm_capture.write(tmp_path / "warm.pairs")
    warm = wp.contact(table, a, b, cache=cache, outputs=ROW)
    assert warm.iterations.sum() < cold.iterations.sum() / 2
    check_rows(warm, collide(tmp_path / "warm.pairs"))


def test_methods():
    """Each method brackets what the others find, and only the automatic one is meant where none is named."""
    capture = wp.Capture.read(recorded("rec_pile"))
    table, (a, b) = capture.shape_table(), capture.bodies()
    exact = wp.contact(table, a, b, outputs=ROW)
    assert same_bits(exact.separation, wp.contact(table, a, b, outputs=ROW, method=wp.Method()).separation)
    for method in (wp.Method.gjk_epa(), wp.Method.core(0.01), wp.Method.sampled(32)):
        rows = wp.contact(table, a, b, outputs=ROW, method=method)
        assert (rows.lower <= exact.upper).all() and (exact.lower <= rows.upper).all()
        assert not same_bits(rows.separation, exact.separation)


def pose(bodies, index):
    return wp.Pose(bodies.position[index].tolist(), bodies.rotation[index].tolist())


def check_pair(row, results, index):
    for name in ROW:
        assert same_bits(np.array(getattr(row, name), results_dtype(name)), getattr(results, name)[index]), name


def results_dtype(name):
    return np.uint32 if name in ("status", "iterations") else np.float32


def test_points_for_solvers(scene):
    """They have the bits of the same members of points."""
    usual = wp.contact_manifold(scene.table, scene.bodies, pairs=scene.pairs, max_separation=0.1)
    out = {"count": np.zeros(len(scene.pairs), np.uint32), "normal": np.zeros((len(scene.pairs), 3), np.float32),
        "solver_points": np.zeros((len(scene.pairs), 4), wp.solver_point_dtype)}
    found = wp.contact_manifold(scene.table, scene.bodies, pairs=scene.pairs, max_separation=0.1, out=out)
    assert found.solver_points is out["solver_points"] and (found.count == usual.count).all() and found.count.max() == 4
    assert same_bits(found.normal, usual.normal)
    for name in wp.solver_point_dtype.names:
        assert same_bits(found.solver_points[name], usual.points[name])
    with pytest.raises(AttributeError, match="points was not requested"):
        found.points
    out["points"] = usual.points
    with pytest.raises(wp.Error, match="both points and solver_points"):
        wp.contact_manifold(scene.table, scene.bodies, pairs=scene.pairs, out=out)
    del out["points"]
    out["solver_points"] = out["solver_points"][:, ::2]
    with pytest.raises(wp.Error, match="solver_points"):
        wp.contact_manifold(scene.table, scene.bodies, pairs=scene.pairs, out=out)


def test_pairs_have_the_bits_of_batches(scene):
    bodies, shapes = scene.bodies, [scene.table.shapes[shape] for shape in scene.shape]
    random = np.random.default_rng(3)
    way = random.normal(size=(len(scene.pairs), 3)).astype(np.float32)
    direction = np.zeros((len(scene.position), 3), np.float32)
    direction[:len(way)] = way[:len(direction)]
    common = {"pairs": scene.pairs, "outputs": ROW}
    motions = wp.Motions(translation=direction)
    batches = {name: query(scene.table, bodies, **common) for name, query in BATCH.items()}
    manifolds = wp.contact_manifold(scene.table, bodies, **common)
    depths = wp.depth_along(scene.table, bodies, direction=way, **common)
    casts = wp.cast(scene.table, bodies, motions_a=motions, pairs=scene.pairs, outputs=[*ROW, "fraction"])
    for index, (a, b) in enumerate(scene.pairs[:200]):
        pair = shapes[a], pose(bodies, a), shapes[b], pose(bodies, b)
        for name, query in (("overlap", wp.overlap_pair), ("distance", wp.distance_pair), ("contact", wp.contact_pair)):
            check_pair(query(*pair), batches[name], index)
        row, points = wp.contact_manifold_pair(*pair)
        check_pair(row, manifolds, index)
        assert points.tobytes() == manifolds.points[index, :manifolds.count[index]].tobytes()
        check_pair(wp.depth_along_pair(*pair, way[index].tolist()), depths, index)
        # The end of a motion is the start plus the translation, in float32: only ends that give it back compare.
        ends = [wp.Pose((bodies.position[i] + direction[i]).tolist(), pose(bodies, i).rotation) for i in (a, b)]
        if all(np.array_equal(np.float32(end.position) - bodies.position[i], direction[i])
                for i, end in zip((a, b), ends)):
            fraction, row = wp.cast_pair(pair[0], pair[1], pair[2], pair[3], ends[0], ends[1])
            check_pair(row, casts, index)
            assert same_bits(np.float32(fraction), casts.fraction[index])
    fraction, row = wp.cast_pair(wp.Shape.point(), wp.Pose(), wp.Shape.sphere(1), wp.Pose((3, 0, 0)),
        wp.Pose((4, 0, 0)))
    assert abs(fraction - 0.5) < 1e-6 and wp.Status.HIT in row.status


def test_indices_may_have_strides_of_their_own(scene):
    pairs = (scene.pairs[:, 0], np.ascontiguousarray(scene.pairs[:, 1]))
    apart = wp.contact(scene.table, scene.bodies, pairs=pairs, outputs=ALL)
    together = wp.contact(scene.table, scene.bodies, pairs=scene.pairs, outputs=ALL)
    assert all(same_bits(getattr(apart, name), getattr(together, name)) for name in ALL)


def test_variants_agree(scene):
    assert "scalar" in wp.variants()
    first = wp.contact(scene.table, scene.bodies, pairs=scene.pairs, outputs=ALL, workspace=wp.Workspace("scalar"))
    for variant in wp.variants():
        workspace = wp.Workspace(variant)
        assert workspace.variant == variant
        again = wp.contact(scene.table, scene.bodies, pairs=scene.pairs, outputs=ALL, workspace=workspace)
        assert all(same_bits(getattr(first, name), getattr(again, name)) for name in ALL)


def test_outputs_are_those_asked_for(scene):
    everything = wp.contact(scene.table, scene.bodies, pairs=scene.pairs, outputs=ALL)
    assert everything.names == tuple(ALL)
    for name in ALL:
        alone = wp.contact(scene.table, scene.bodies, pairs=scene.pairs, outputs=name)
        assert alone.names == (name,) and same_bits(getattr(alone, name), getattr(everything, name))
        with pytest.raises(AttributeError, match="not requested" if name != "status" else "lower was not"):
            getattr(alone, "status" if name != "status" else "lower")
    usual = wp.contact(scene.table, scene.bodies, pairs=scene.pairs)
    assert usual.names == ("separation", "normal", "point_a", "point_b", "status")
    assert wp.overlap(scene.table, scene.bodies, pairs=scene.pairs).overlap.dtype == np.bool_
    assert wp.contact(scene.table, scene.bodies, pairs=scene.pairs, outputs=()).names == ()


def test_positions_in_double_give_points_in_double(scene):
    far = np.array([1e9, -1e9, 1e9])
    near = wp.Bodies.copied(position=scene.position.astype(np.float64), rotation=scene.rotation, shape=scene.shape)
    away = wp.Bodies.copied(position=scene.position + far, rotation=scene.rotation, shape=scene.shape)
    here = wp.contact(scene.table, near, pairs=scene.pairs, outputs=ALL)
    there = wp.contact(scene.table, away, pairs=scene.pairs, outputs=ALL)
    assert here.point_a.dtype == there.point_a.dtype == np.float64
    assert np.abs(here.separation - there.separation).max() < 1e-5
    assert np.abs(there.point_a - far - here.point_a)[here.separation > 0.1].max() < 1e-4
    points = np.zeros((len(scene.pairs), 3), np.float32)
    wp.contact(scene.table, near, pairs=scene.pairs, out={"point_a": points})
    assert np.abs(points - here.point_a).max() < 1e-6


def test_pairs_by_columns_and_by_rows(scene):
    wanted = wp.contact(scene.table, scene.bodies, pairs=scene.pairs)
    columns = tuple(np.ascontiguousarray(scene.pairs.T))
    a, b = (wp.Bodies(position=scene.position[i], rotation=scene.rotation[i], shape=scene.shape[i]) for i in columns)
    for found in (wp.contact(scene.table, scene.bodies, pairs=columns), wp.contact(scene.table, a, b),
            wp.contact(scene.table, scene.bodies, b, pairs=(columns[0], None)),
            wp.contact(scene.table, a, scene.bodies, pairs=(None, columns[1])),
            wp.contact(scene.table, scene.bodies, scene.bodies, pairs=np.asfortranarray(scene.pairs))):
        assert same_bits(found.separation, wanted.separation) and same_bits(found.point_b, wanted.point_b)


def test_bad_rows_spoil_no_others(scene):
    position, pairs = scene.position.copy(), scene.pairs.copy()
    position[5] = np.nan
    pairs[7] = (1 << 31, 0)
    bodies = wp.Bodies(position=position, rotation=scene.rotation, shape=scene.shape)
    with pytest.warns(wp.InvalidWarning) as caught:
        found = wp.contact(scene.table, bodies, pairs=pairs)
    wanted = wp.contact(scene.table, scene.bodies, pairs=scene.pairs)
    bad = (pairs == 5).any(axis=1)
    bad[7] = True
    assert [str(one.message) for one in caught] == [
        f"{bad.sum()} of {len(pairs)} rows are Status.INVALID; the first is row {bad.argmax()}: "
        f"INVALID_BODY_A, there is no body {1 << 31} of a"]
    assert caught[0].filename == __file__
    assert np.array_equal((found.status & wp.Status.INVALID) != 0, bad)
    assert wp.Status(found.status[7]) == wp.Status.INVALID | wp.Status.INVALID_BODY_A
    assert same_bits(found.separation[~bad], wanted.separation[~bad])


def test_statistics(scene):
    counts = wp.Statistics()
    found = wp.contact(scene.table, scene.bodies, pairs=scene.pairs, statistics=counts)
    once = {name: int(((found.status & getattr(wp.Status, name.upper())) != 0).sum())
        for name in ("separated", "touching", "penetrating", "strong", "invalid")}
    assert counts.rows == len(scene.pairs) and once["penetrating"] > 0
    assert {name: getattr(counts, name) for name in once} == once
    longest = counts.gjk_iterations_max
    wp.contact(scene.table, scene.bodies, pairs=scene.pairs, statistics=counts)
    assert counts.rows == 2 * len(scene.pairs) and counts.gjk_iterations_max == longest
    assert 0 < counts.lanes_live <= counts.lanes_issued
    pairs = scene.pairs.copy()
    pairs[40], pairs[60] = 1 << 30, 1 << 30
    wp.contact(scene.table, scene.bodies, pairs=pairs, statistics=counts)
    assert (counts.invalid, counts.first_invalid_row) == (2, 40)


def test_nothing_to_do(scene):
    empty = np.empty((0, 2), np.uint32)
    nobody = wp.Bodies.copied(position=np.empty((0, 3)))
    assert wp.contact(scene.table, scene.bodies, pairs=empty).separation.shape == (0,)
    assert wp.contact_manifold(scene.table, scene.bodies, pairs=empty).points.shape == (0, 4)
    assert wp.contact(wp.ShapeTable([]), nobody, nobody).normal.shape == (0, 3)
    one = np.zeros((1, 2), np.uint32)
    assert wp.contact(wp.ShapeTable([]), nobody, pairs=one).status[0] & wp.Status.INVALID_BODY_A


@pytest.mark.parametrize("ask", [
    lambda *given, **more: wp.overlap(*given, outputs="overlap", **more),
    lambda *given, **more: wp.distance(*given, outputs="separation", **more),
    wp.contact, wp.contact_manifold, wp.cast,
    lambda *given, **more: wp.depth_along(*given, direction=np.float32([[0, 1, 0]] * 3), **more)])
def test_indices_out_of_range_warn(scene, ask):
    pairs = np.array([(0, 1), (0, len(scene.bodies)), (1, 1 << 31)], np.uint32)
    with pytest.warns(wp.InvalidWarning, match="^2 of 3 rows are Status.INVALID; the first is row 1[;:]") as caught:
        found = ask(scene.table, scene.bodies, pairs=pairs)
    assert len(caught) == 1 and caught[0].filename == __file__
    reason = f": INVALID_BODY_B, there is no body {len(scene.bodies)} of a" if "status" in found.names \
        else '; the output "status" has the reason'
    assert str(caught[0].message).endswith(f"row 1{reason}")


def test_reasons_of_invalid_rows():
    table = wp.ShapeTable([wp.Shape.sphere(1), wp.Shape.half_space()])
    turn = np.tile(np.float32([0, 0, 0, 1]), (4, 1))
    turn[2] *= 2
    place = np.float32([(0, 0, 0), (9, 0, 0), (0, 9, 0), (np.inf, 0, 0)])
    a = wp.Bodies(position=place, rotation=turn, shape=np.uint32([0, 1, 0, 7]))
    longer = ", body 2 of {} has a rotation whose length is not 1"
    for pairs, b, reason in (
            ([(0, 2)], None, "INVALID_ROTATION_B" + longer.format("a")),
            ([(2, 0)], a, "INVALID_ROTATION_A" + longer.format("a")),
            ([(0, 2)], a, "INVALID_ROTATION_B" + longer.format("b")),
            ([(3, 0)], None, "INVALID_SHAPE_A, body 3 of a has a shape .*; INVALID_POSITION_A, body 3 of a has a position"),
            ([(1, 1)], None, "INVALID_SHAPE_A, body 1 .*; INVALID_SHAPE_B, body 1 of a has a shape .* not for this query")):
        with pytest.warns(wp.InvalidWarning, match=f"^1 of 1 rows are Status.INVALID; the first is row 0: {reason}"):
            wp.distance(table, a, b, pairs=np.array(pairs, np.uint32))
    with pytest.warns(wp.InvalidWarning, match="first is row 2: INVALID_ROTATION_A, body 2 of a .*_B, body 2 of b"):
        wp.distance(table, a, a, out={"status": np.zeros(4, np.uint32)}, first=2, count=1)
    with pytest.warns(wp.InvalidWarning, match="row 0: INVALID_POSITION_B, body 0 of a .* of a direction, zero"):
        wp.depth_along(table, a, pairs=np.uint32([(0, 0)]), direction=np.zeros((1, 3), np.float32))


def test_boxes_of_bodies():
    shapes = wp.ShapeTable([wp.Shape.sphere(0.5), wp.Shape.cylinder(1, 2), wp.Shape.half_space()])
    half = np.sqrt(0.5)
    bodies = wp.Bodies.copied(position=[(1, 2, 3), (0, 0, 0), (0, 0, 0), (np.nan, 0, 0)],
        rotation=[(0, 0, 0, 1), (0, 0, half, half), (0, 0, 0, 1), (0, 0, 0, 1)], shape=[0, 1, 2, 0], dtype=np.float32)
    lower, upper = wp.bodies_bounds(shapes, bodies)
    assert lower.dtype == np.float32 and lower.shape == upper.shape == (4, 3)
    np.testing.assert_allclose(lower[:2], [(0.5, 1.5, 2.5), (-2, -1, -1)], rtol=1e-6)
    np.testing.assert_allclose(upper[:2], [(1.5, 2.5, 3.5), (2, 1, 1)], rtol=1e-6)
    assert (lower[2] == -np.inf).all() and (upper[2] == np.inf).all()
    assert (lower[3] == np.inf).all() and (upper[3] == -np.inf).all()
    grown, _ = wp.bodies_bounds(shapes, bodies, max_separation=0.5)
    np.testing.assert_allclose(grown[:2], lower[:2] - 0.25, rtol=1e-6)
    assert wp.bodies_bounds(shapes, wp.Bodies.copied(position=np.zeros((0, 3))))[0].shape == (0, 3)
    with pytest.raises(wp.Error, match="max_separation"):
        wp.bodies_bounds(shapes, bodies, max_separation=-1)
    with pytest.raises(wp.Error, match="Bodies are needed"):
        wp.bodies_bounds(shapes, None)


def test_boxes_far_away_are_double():
    shapes = wp.ShapeTable([wp.Shape.box(1, 2, 3)])
    place = np.array([(2.0**40 + 0.25, -2.0**40, 0.5)])
    lower, upper = wp.bodies_bounds(shapes, wp.Bodies.copied(position=place))
    assert lower.dtype == upper.dtype == np.float64
    np.testing.assert_allclose(lower - place, [(-1, -2, -3)], atol=0.03)
    np.testing.assert_allclose(upper - place, [(1, 2, 3)], atol=0.03)
