"""2D: answers against numpy's own, batches against single pairs, and the wrong arguments."""

import copy
import json
import pathlib
import pickle

import numpy as np
import pytest
from conftest import same_bits

import widephase as wp
from widephase import wp2d

ROW = ["separation", "normal", "point_a", "point_b", "lower", "upper", "status", "iterations"]
ALL = [name for name in wp2d.Results.__annotations__ if name != "fraction"]


def polygon(random, count):
    """Its corners on an ellipse, so that it is convex."""
    angle = np.sort(random.uniform(0, 2 * np.pi, count))
    return np.stack([np.cos(angle) * random.uniform(0.3, 1), np.sin(angle) * random.uniform(0.3, 1)], 1)


class Scene:
    def __init__(self, seed=3, count=200, rows=1500):
        random = np.random.default_rng(seed)
        self.shapes = [wp2d.Shape.circle(0.5), wp2d.Shape.circle(0), wp2d.Shape.capsule(0.25, 0.5),
            wp2d.Shape.segment((-1, 0), (0.5, 0.25)), wp2d.Shape.box(0.75, 0.5), wp2d.Shape.box(0.5, 0.25, radius=0.125),
            *(wp2d.Shape.polygon(polygon(random, corners)) for corners in (3, 7, 20, 64))]
        self.table = wp2d.ShapeTable(self.shapes)
        angle = random.uniform(-np.pi, np.pi, count)
        self.position = random.uniform(-2, 2, (count, 2)).astype(np.float32)
        self.rotation = np.stack([np.cos(angle), np.sin(angle)], 1).astype(np.float32)
        self.shape = random.integers(0, len(self.table), count).astype(np.uint32)
        self.bodies = wp2d.Bodies(position=self.position, rotation=self.rotation, shape=self.shape)
        self.pairs = random.integers(0, count, (rows, 2)).astype(np.uint32)

    def pose(self, body):
        return wp2d.Pose(self.position[body], self.rotation[body])

    def pair(self, row):
        a, b = self.pairs[row]
        return self.shapes[self.shape[a]], self.pose(a), self.shapes[self.shape[b]], self.pose(b)

    def core(self, body):
        """Corners of a body's core in the world, in double."""
        shape = self.shapes[self.shape[body]]
        corners = {wp2d.Kind.CIRCLE: [(0, 0)], wp2d.Kind.SEGMENT: shape.points, wp2d.Kind.POLYGON: shape.vertices,
            wp2d.Kind.CAPSULE: [(0, -shape.half_height), (0, shape.half_height)]}[shape.kind]
        c, s = self.rotation[body].astype(float) / np.linalg.norm(self.rotation[body].astype(float))
        return np.array(corners, float) @ np.array([[c, s], [-s, c]]) + self.position[body]


def gap_along(p, q, normals):
    """The widest gap between the support lines of two point sets, over some directions."""
    return ((q @ normals.T).min(0) - (p @ normals.T).max(0)).max()


def true_separation(p, q):
    """For two convex polygons: by the normals of all edges of both, and by the ways between all corners and edges."""
    normals, nearest = [np.array([1.0, 0.0])], np.inf
    for corners, others, sign in ((p, q, 1), (q, p, -1)):
        for start, end in zip(corners, np.roll(corners, -1, 0)):
            edge = end - start
            length = np.hypot(*edge)
            if length > 0:
                across = sign * np.array([edge[1], -edge[0]]) / length
                normals += [across] if len(corners) > 2 else [across, -across]
            for other in others:
                where = start + edge * np.clip((other - start) @ edge / max(length, 1e-150) ** 2, 0, 1)
                way = sign * (other - where)
                nearest = min(nearest, np.hypot(*way))
                if np.hypot(*way) > 0:
                    normals.append(way / np.hypot(*way))
    gap = gap_along(p, q, np.array(normals))
    return nearest if gap > 1e-9 else gap


def test_separations_and_manifolds():
    scene = Scene(rows=500)
    found = wp2d.contact_manifold(scene.table, scene.bodies, pairs=scene.pairs, outputs=ALL)
    bound = np.array([scene.table.bound(index) for index in range(len(scene.table))])
    seen = set()
    for row, (a, b) in enumerate(scene.pairs):
        radius = scene.shapes[scene.shape[a]].radius + scene.shapes[scene.shape[b]].radius
        p, q = scene.core(a), scene.core(b)
        truth = true_separation(p, q) - radius
        size = bound[scene.shape[[a, b]]].max() + abs(truth)
        if a == b or (len(p) < 3 and len(q) < 3 and truth + radius <= 1e-6):
            continue  # corners upon corners, and lines that cross: no direction of the oracle's is the best
        assert abs(found.separation[row] - truth) <= 1e-5 * size, (row, found.separation[row], truth)
        assert found.lower[row] <= truth + 1e-6 * size and truth <= found.upper[row] + 1e-6 * size
        assert abs(np.linalg.norm(found.normal[row]) - 1) < 1e-5
        assert bool(found.overlap[row]) == (found.lower[row] <= 0)
        assert 1 <= found.count[row] <= 2
        for point in found.points[row, :found.count[row]]:
            assert np.allclose(point["point_a"] + point["separation"] * found.normal[row], point["point_b"], atol=1e-5)
            c, s = scene.rotation[a]
            local = np.array([[c, s], [-s, c]]) @ (point["point_a"] - scene.position[a])
            assert np.allclose(local, point["local_a"], atol=1e-5)
        seen.add((int(found.count[row]), truth > 0))
    assert len(seen) == 4


@pytest.mark.parametrize("query", ["overlap", "distance", "contact", "contact_manifold", "cast"])
@pytest.mark.parametrize("variant", wp.variants())
def test_batches_have_the_bits_of_pairs(query, variant):
    scene, workspace = Scene(5), wp.Workspace(variant)
    more = {"max_separation": 0.25} if query.startswith("contact") else {}
    motions = wp2d.Motions(translation=np.ascontiguousarray(-scene.position), rotation=np.roll(scene.rotation, 1, 0))
    moves = {"motions_a": motions} if query == "cast" else {}
    names = [*ROW, *(["fraction"] if moves else [])]
    batch = getattr(wp2d, query)(scene.table, scene.bodies, pairs=scene.pairs, outputs=names, workspace=workspace, **more, **moves)
    for row in range(0, len(scene.pairs), 7):
        if moves:
            ends = [wp2d.Pose(scene.position[body] + motions._arrays[0][1][body], motions._arrays[1][1][body])
                for body in scene.pairs[row]]
            fraction, single = wp2d.cast_pair(*scene.pair(row), *ends, workspace=workspace)
            assert same_bits(np.float32(fraction), batch.fraction[row])
        elif query == "contact_manifold":
            single, points = wp2d.contact_manifold_pair(*scene.pair(row), workspace=workspace, **more)
            assert points.tobytes() == batch.points[row, :batch.count[row]].tobytes()
        else:
            single = getattr(wp2d, f"{query}_pair")(*scene.pair(row), workspace=workspace, **more)
        for name, value in zip(ROW, single):
            assert same_bits(np.array(value, getattr(batch, name).dtype), getattr(batch, name)[row]), (name, row)


def test_casts():
    """Where a cast hits, the shapes touch; circles hit where spheres do."""
    scene = Scene(6)
    target = wp2d.Motions(translation=np.ascontiguousarray(2 * scene.position[::-1]))
    found = wp2d.cast(scene.table, scene.bodies, motions_a=target, pairs=scene.pairs, outputs=["fraction", "separation", "status"])
    hit = (found.status & wp.Status.HIT) != 0
    assert 0 < np.count_nonzero(hit) < len(hit) and (found.fraction[~hit] == 1).all()
    moved = hit & (found.fraction > 0)
    assert np.count_nonzero(moved) > 100 and np.abs(found.separation[moved]).max() < 1e-4
    ball = wp2d.Shape.circle(1)
    fraction, row = wp2d.cast_pair(ball, wp2d.Pose(), ball, wp2d.Pose((6, 0)), None, wp2d.Pose((2, 0)))
    solid, _ = wp.cast_pair(wp.Shape.sphere(1), wp.Pose(), wp.Shape.sphere(1), wp.Pose((6, 0, 0)), None, wp.Pose((2, 0, 0)))
    assert abs(fraction - 1) < 1e-6 and abs(fraction - solid) < 1e-6 and row.normal == (1, 0)
    spoke = wp2d.Shape.segment((0, 0), (2, 0))
    fraction, _ = wp2d.cast_pair(spoke, wp2d.Pose(), wp2d.Shape.circle(0.5), wp2d.Pose((0, 1.5)), wp2d.Pose.turned(np.pi / 2))
    assert 0.5 < fraction < 1


def test_ranges_structs_and_statistics():
    scene, statistics = Scene(), wp.Statistics()
    whole = wp2d.contact(scene.table, scene.bodies, pairs=scene.pairs, outputs=ROW, statistics=statistics)
    rows = np.zeros(len(scene.pairs), wp2d.row_dtype)
    for first in range(0, len(rows), 400):
        wp2d.contact(scene.table, scene.bodies, pairs=scene.pairs, out=rows, first=first, count=min(400, len(rows) - first))
    assert all(same_bits(rows[name], getattr(whole, name)) for name in ROW)
    assert statistics.rows == len(rows) and statistics.penetrating > 0
    far = wp2d.Bodies(position=scene.position.astype(np.float64) + 1e6, rotation=scene.rotation, shape=scene.shape)
    apart = wp2d.contact(scene.table, far, pairs=scene.pairs)
    assert apart.point_a.dtype == np.float64 and np.abs(apart.separation - whole.separation).max() < 1e-6
    assert (wp2d.distance(scene.table, far, far).separation == 0).all()


def test_tables():
    table = wp2d.ShapeTable([wp2d.Shape.circle(1), None, None], vertex_max=8)
    bodies = wp2d.Bodies.copied(position=[(0, 0), (1.5, 0)], shape=[0, 1])
    pairs = np.array([(0, 1)], np.uint32)
    with pytest.warns(wp.InvalidWarning):
        assert wp2d.contact(table, bodies, pairs=pairs).status[0] & wp.Status.INVALID_SHAPE_B
    table.set(1, wp2d.Shape.box(1, 1))
    assert wp2d.contact(table, bodies, pairs=pairs).separation[0] == -0.5
    table.set(1, wp2d.Shape.polygon(polygon(np.random.default_rng(1), 8)))
    table.set(1, wp2d.Shape.box(0.25, 1))
    assert wp2d.contact(table, bodies, pairs=pairs).separation[0] == 0.25
    for shape in (wp2d.Shape.polygon(polygon(np.random.default_rng(1), 9)), wp2d.Shape.circle(-1), wp2d.Shape(7),
            wp2d.Shape.polygon([(0, 0), (0, 1), (1, 0)])):
        with pytest.raises(wp.Error) as caught:
            table.set(1, shape)
        assert (caught.value.argument, caught.value.code) == ("shape", "SHAPE")
    assert table.bound(0) == 1 and table.shapes[1].vertices[2] == (0.25, 1)
    for again in (pickle.loads(pickle.dumps(table)), copy.deepcopy(table)):
        assert again.shapes == table.shapes and again.vertex_max == 8
    table.remove(1)
    assert table.bound(1) == 0 and table.shapes[1] is None
    assert repr(table) == "<ShapeTable of 3 shapes, 0 invalid>"
    with pytest.warns(wp.InvalidWarning, match=r"1 of 2 shapes cannot be used; the first is shapes\[1\]"):
        assert wp2d.ShapeTable([wp2d.Shape.circle(1), wp2d.Shape.capsule(1, -1)]).report.first_invalid == 1
    assert len(wp2d.ShapeTable([])) == 0


CASES = pathlib.Path(__file__).parent.parent / "cases" / "hard_cases.ndjson"


def hard_cases():
    """Cases in 2D from other libraries' bug reports and tests."""
    with open(CASES, encoding="utf-8") as file:
        return [case for case in map(json.loads, file) if case["dim"] == 2]


def shape_of(side):
    """Its shape; polygons anticlockwise, of one corner a circle and of two a segment."""
    if side["kind"] == "circle":
        return wp2d.Shape.circle(side["radius"])
    if side["kind"] == "capsule":
        return wp2d.Shape.capsule(side["radius"], side["half_height"])
    if side["kind"] == "box":
        return wp2d.Shape.box(*side["half_extents"])
    corners = np.array(side["vertices"])
    if len(corners) == 2:
        return wp2d.Shape.segment(*corners)
    next_corners = np.roll(corners, -1, 0)
    area = (corners[:, 0] * next_corners[:, 1] - corners[:, 1] * next_corners[:, 0]).sum()
    return wp2d.Shape.polygon(corners if area > 0 else corners[::-1])


@pytest.mark.parametrize("case", hard_cases(), ids=lambda case: case["name"])
def test_hard_cases(case):
    expect, sides = case["expect"], [case["a"], case["b"]]
    home = np.array(sides[0]["pos"])
    shapes, poses = [], []
    for side in sides:
        is_point = len(side.get("vertices", ())) == 1
        place = np.array(side["pos"]) - home + (side["vertices"][0] if is_point else 0)
        shapes.append(wp2d.Shape.circle(0) if is_point else shape_of(side))
        poses.append(wp2d.Pose.turned(side["angle"], place))
    row = wp2d.contact_pair(shapes[0], poses[0], shapes[1], poses[1])
    assert abs(row.separation - expect["signed_distance"]) <= expect["tolerance"]
    assert (wp.Status.PENETRATING in wp.Status(row.status)) == expect["hit"]
    if expect["normal"]:
        assert np.hypot(*(np.array(row.normal) - expect["normal"])) <= np.radians(0.1)
    if "cast" in expect:
        way = np.array(expect["cast"]["b_translation"])
        fraction, _ = wp2d.cast_pair(shapes[0], poses[0], shapes[1], poses[1], end_b=poses[1]._replace(position=place + way))
        assert abs(fraction - expect["cast"]["fraction"]) <= expect["tolerance"] / np.hypot(*way) + 1e-7


def test_arguments():
    table, solid = wp2d.ShapeTable([wp2d.Shape.circle(1)]), wp.ShapeTable([wp.Shape.sphere(1)])
    bodies, others = wp2d.Bodies.copied(position=[(0, 0)]), wp.Bodies.copied(position=[(0, 0, 0)])
    pairs = np.zeros((1, 2), np.uint32)
    with pytest.raises(wp.Error, match="a ShapeTable is needed, not ShapeTable of widephase$"):
        wp2d.contact(solid, bodies, pairs=pairs)
    with pytest.raises(wp.Error, match="a ShapeTable is needed, not ShapeTable of widephase.wp2d"):
        wp.contact(table, others, pairs=pairs)
    with pytest.raises(wp.Error, match="Bodies are needed, not Bodies of widephase$"):
        wp2d.contact(table, others, pairs=pairs)
    with pytest.raises(wp.Error, match="Bodies are needed, not Bodies of widephase.wp2d"):
        wp.contact(solid, bodies, pairs=pairs)
    with pytest.raises(wp.Error, match="motions_a: Motions are needed"):
        wp2d.cast(table, bodies, motions_a=wp.Motions(), pairs=pairs)
    with pytest.raises(wp.Error, match="a Shape is needed"):
        wp2d.ShapeTable([wp.Shape.sphere(1)])
    with pytest.raises(wp.Error, match="'tangent_1' is no output of this query"):
        wp2d.contact(table, bodies, pairs=pairs, outputs="tangent_1")
    with pytest.raises(wp.Error, match="'fraction' is no output of this query"):
        wp2d.contact(table, bodies, pairs=pairs, outputs="fraction")
    with pytest.raises(wp.Error, match="point_max"):
        wp2d.contact_manifold(table, bodies, pairs=pairs, point_max=3)
    with pytest.raises(wp.Error, match=r"pose_b.rotation: 2 numbers are needed"):
        wp2d.contact_pair(wp2d.Shape.circle(1), wp2d.Pose(), wp2d.Shape.circle(1), ((0, 0), (0, 0, 0, 1)))
    with pytest.raises(wp.Error, match="bodies.position: shape is"):
        wp2d.Bodies.copied(position=[(0, 0, 0)])
    with pytest.raises(wp.Error, match="vertices: shape is"):
        wp2d.Shape.polygon([(0, 0, 0)])
    with pytest.raises(wp.Error, match="vertex_max"):
        wp2d.ShapeTable([], vertex_max=65)
    with pytest.raises(AttributeError, match="normal was not requested"):
        wp2d.overlap(table, bodies, pairs=pairs).normal
    assert wp2d.contact_pair(wp2d.Shape.circle(float("nan")), wp2d.Pose(), wp2d.Shape.circle(1), wp2d.Pose()).status & wp.Status.INVALID
