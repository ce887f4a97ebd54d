"""Triangle meshes: boxes and rays against numpy's own answers, neighbours, and bytes."""

import pickle

import numpy as np
import pytest
from conftest import needs_cook

import widephase as wp

pytestmark = needs_cook


def hills(side=24):
    x, z = np.meshgrid(np.arange(side, dtype=float), np.arange(side, dtype=float), indexing="ij")
    vertices = np.stack([x, np.sin(x) + np.cos(0.7 * z), z], 2).reshape(-1, 3).astype(np.float32)
    corner = (np.arange(side - 1)[:, None] * side + np.arange(side - 1)).reshape(-1)
    squares = np.stack([corner, corner + 1, corner + side + 1, corner, corner + side + 1, corner + side], 1)
    return vertices, squares.reshape(-1, 3)


def test_what_comes_in_goes_out():
    vertices, triangles = hills()
    mesh = wp.Mesh.cook(vertices, triangles)
    assert len(mesh) == len(triangles) and mesh.report == (0, 0, 0, 4 * 23, 0, 0)
    assert sorted(mesh.sources.tolist()) == list(range(len(triangles)))
    given = vertices[triangles[mesh.sources]]
    for turn in range(3):  # the first corner may be another
        given = np.where((given == mesh.vertices[mesh.triangles]).all((1, 2))[:, None, None], given, np.roll(given, 1, 1))
    assert np.array_equal(given, mesh.vertices[mesh.triangles])
    assert np.array_equal(mesh.bounds, [vertices.min(0), vertices.max(0)])
    cross = np.cross(given[:, 1] - given[:, 0], given[:, 2] - given[:, 0])
    assert np.allclose(mesh.normals, cross / np.linalg.norm(cross, axis=1)[:, None], atol=1e-6)
    soup = wp.Mesh.cook(vertices[triangles].reshape(-1, 3))
    assert soup.report.welded == 3 * len(triangles) - len(vertices) and soup.report[1:] == mesh.report[1:]
    for array in (mesh.vertices, mesh.triangles, mesh.sources, mesh.normals, mesh.edges):
        assert not array.flags.writeable


def test_edges():
    vertices, triangles = hills()
    mesh = wp.Mesh.cook(vertices, triangles)
    kinds, boundary = mesh.edges[..., 0], mesh.edges[..., 0] == wp.EdgeKind.BOUNDARY
    assert np.count_nonzero(boundary) == mesh.report.boundary_edges and {0, 1, 2, 3} >= set(np.unique(kinds).tolist()) > {1, 2}
    for triangle, number in np.argwhere(~boundary):
        kind, neighbour, edge = mesh.edges[triangle, number]
        assert mesh.edges[neighbour, edge].tolist() == [kind, triangle, number]
        ends = mesh.triangles[triangle][[number, (number + 1) % 3]], mesh.triangles[neighbour][[(edge + 1) % 3, edge]]
        assert np.array_equal(*ends)
        apex = mesh.vertices[mesh.triangles[neighbour][(edge + 2) % 3]] - mesh.vertices[ends[0][0]]
        height = apex @ mesh.normals[triangle]
        assert kind == wp.EdgeKind.FLAT or (height < 0) == (kind == wp.EdgeKind.CONVEX)
    assert not any(mesh.is_face_only(index) for index in range(len(mesh)) if boundary[index].any())
    valley = wp.Mesh.cook([(-1, 1, -9), (-1, 1, 9), (0, 0, -9), (0, 0, 9), (1, 1, -9), (1, 1, 9)],
        [(0, 1, 3), (0, 3, 2), (2, 3, 5), (2, 5, 4)])
    assert sorted(valley.edges[..., 0].ravel().tolist()) == [0] * 4 + [2] * 2 + [3] * 6


def test_boxes():
    random = np.random.default_rng(8)
    mesh = wp.Mesh.cook(*hills())
    corners = mesh.vertices[mesh.triangles]
    lowest, highest = corners.min(1), corners.max(1)
    sizes = set()
    for _ in range(200):
        middle, half = random.uniform((-2, -2, -2), (25, 2, 25)), random.exponential(3, 3)
        lower, upper = (middle - half).astype(np.float32), (middle + half).astype(np.float32)
        found = mesh.overlap_box(lower, upper)
        assert found.tolist() == np.flatnonzero(((lowest <= upper) & (highest >= lower)).all(1)).tolist()
        sizes.add(len(found) > 64)
    assert sizes == {False, True}
    assert mesh.overlap_box([-np.inf] * 3, [np.inf] * 3).tolist() == list(range(len(mesh)))
    assert mesh.overlap_box((0, 5, 0), (1, 6, 1)).dtype == np.uint32


def test_rays():
    random = np.random.default_rng(9)
    mesh = wp.Mesh.cook(*hills())
    a, b, c = np.moveaxis(mesh.vertices[mesh.triangles].astype(float), 1, 0)
    hits = 0
    for _ in range(200):
        start, way = random.uniform((0, -4, 0), (23, 4, 23)).astype(np.float32), random.normal(size=3).astype(np.float32) * 8
        # Moeller and Trumbore, of all triangles.
        across = np.cross(way, c - a)
        det = ((b - a) * across).sum(1)
        u = ((start - a) * across).sum(1) / det
        along = np.cross(start - a, b - a)
        v, t = (along @ way) / det, ((c - a) * along).sum(1) / det
        met = np.where((u >= 0) & (v >= 0) & (u + v <= 1) & (t >= 0) & (t <= 1), t, np.inf)
        hit = mesh.ray(start, way)
        if hit is None:
            assert not np.isfinite(met).any()
            continue
        hits += 1
        assert hit.triangle == met.argmin() and abs(hit.fraction - met.min()) < 1e-6
        assert hit.is_front == (mesh.normals[hit.triangle] @ way < 0)
        assert np.allclose(np.array(hit.weights) @ mesh.vertices[mesh.triangles[hit.triangle]], start + hit.fraction * way, atol=1e-4)
    assert 50 < hits < 200


def test_bytes():
    mesh = wp.Mesh.cook(*hills(6))
    data = mesh.to_bytes()
    for again in (wp.Mesh.from_bytes(data), wp.Mesh.from_bytes(bytearray(data)), pickle.loads(pickle.dumps(mesh))):
        assert again == mesh and hash(again) == hash(mesh) and again.to_bytes() == data and again.report is None
    assert repr(mesh) == "<Mesh of 50 triangles>" and mesh != data
    for at in range(0, len(data), 11):
        bad = bytearray(data)
        bad[at] ^= 16
        with pytest.raises(wp.Error) as caught:
            wp.Mesh.from_bytes(bad)
        assert (caught.value.argument, caught.value.code) == ("data", "MESH_CORRUPT")


@pytest.mark.parametrize("vertices, triangles, argument, code", [
    ([(0, 0, 0), (1, 0, np.nan), (0, 1, 0)], [(0, 1, 2)], "vertices[1]", "MESH_VERTEX"),
    ([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2), (0, 1, 3)], "triangles[1]", "MESH_INDEX"),
    ([(0, 0, 0), (1, 0, 0), (2, 0, 0)], None, "triangles", "MESH_EMPTY"),
    (np.zeros((0, 3)), None, "triangles", "MESH_EMPTY"),
    (np.zeros((4, 3)), None, "vertices", None), (np.zeros((4, 2)), None, "vertices", None),
    (np.zeros((4, 3)), [(0, 1, -1)], "triangles", None), (np.zeros((4, 3)), [(0.0, 1.0, 2.0)], "triangles", None),
    (np.zeros((4, 3)), [(0, 1)], "triangles", None), ("mesh", None, "vertices", None),
])
def test_bad_meshes(vertices, triangles, argument, code):
    with pytest.raises(wp.Error) as caught:
        wp.Mesh.cook(vertices, triangles)
    assert (caught.value.argument, caught.value.code) == (argument, code)


def test_bad_queries():
    mesh = wp.Mesh.cook([(0, 0, 0), (1, 0, 0), (0, 1, 0)])
    for lower, upper in (((0, 0, np.nan), (1, 1, 1)), ((0, 0, 2), (1, 1, 1))):
        with pytest.raises(wp.Error) as caught:
            mesh.overlap_box(lower, upper)
        assert caught.value.code == "MESH_BOX"
    for start, way in (((0, 0, np.inf), (1, 1, 1)), ((0, 0, 2), (1, 1, np.nan))):
        with pytest.raises(wp.Error) as caught:
            mesh.ray(start, way)
        assert caught.value.code == "MESH_RAY"
    with pytest.raises(wp.Error, match="3 numbers are needed"):
        mesh.ray((0, 0), (1, 1, 1))
    with pytest.raises(wp.Error, match="triangle"):
        mesh.is_face_only(1)
    assert mesh.ray((0, 0, 1), (0, 0, 1)) is None


def test_against_shapes():
    """Triangles near a ball, found by its box, then by contacts: the way to collide with a mesh."""
    mesh = wp.Mesh.cook(*hills())
    corners = mesh.vertices[mesh.triangles]
    table = wp.ShapeTable([wp.Shape.sphere(1), *(wp.Shape.triangle(*three) for three in corners)])
    bodies = wp.Bodies.copied(position=[(10.3, 0.8, 9.2), *np.zeros((len(mesh), 3))])
    near = mesh.overlap_box(bodies.position[0] - 1, bodies.position[0] + 1)
    pairs = np.stack([np.zeros_like(near), near + np.uint32(1)], 1)
    touching = wp.overlap(table, bodies, pairs=pairs).overlap
    everything = np.stack([np.zeros(len(mesh), np.uint32), np.arange(1, len(mesh) + 1, dtype=np.uint32)], 1)
    assert near[touching].tolist() == np.flatnonzero(wp.overlap(table, bodies, pairs=everything).overlap).tolist()
    assert 0 < touching.sum() <= len(near) < len(mesh)
