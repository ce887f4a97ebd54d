"""Persistent manifolds: the same points as track keeps, impulses that stay with them, and poses without a query."""

import numpy as np
import pytest

import widephase as wp

REACH = 0.02
LIMITS = wp.Thresholds(breaking=REACH, sideways=np.inf, merging=REACH)


class Pile:
    """Boxes that rock on a ground, and one that is far away."""

    def __init__(self, count=40, dtype=np.float32):
        self.random = np.random.default_rng(2)
        self.table = wp.ShapeTable([wp.Shape.half_space(), wp.Shape.box(0.5, 0.5, 0.5), wp.Shape.capsule(0.25, 0.25)])
        self.position = np.zeros((count, 3), dtype)
        self.position[:, 0] = 2 * np.arange(count)
        self.position[1:, 1] = 0.495
        self.position[-1, 1] = 9
        self.rotation = np.tile(np.array([0, 0, 0, 1], np.float32), (count, 1))
        shape = (1 + np.arange(count, dtype=np.uint32) % 2)
        shape[0] = 0
        self.bodies = wp.Bodies(position=self.position, rotation=self.rotation, shape=shape)
        self.pairs = np.stack([np.zeros(count - 1, np.uint32), np.arange(1, count, dtype=np.uint32)], 1)
        self.manifolds = np.zeros(count - 1, wp.persistent_manifold_dtype)

    def step(self):
        self.position[1:] += self.random.uniform(-0.004, 0.004, (len(self.position) - 1, 3))

    def update(self, **more):
        found = wp.contact_manifold(self.table, self.bodies, pairs=self.pairs, max_separation=REACH)
        wp.persistent_update(self.manifolds, self.bodies, pairs=self.pairs, found=found, thresholds=LIMITS, **more)
        return found


def test_like_track():
    """What a frame of track keeps, bit for bit, where it begins its searches anew."""
    pile, lasted = Pile(), 0
    tracked = wp.Tracked(len(pile.pairs))
    for _ in range(15):
        pile.step()
        found = pile.update()
        tracked.pairs["known"]["count"] = 0
        wp.track(pile.table, pile.bodies, pairs=pile.pairs, tracked=tracked, max_separation=REACH)
        assert (pile.manifolds["count"] == found.count).all() and (tracked.pairs["count"] == found.count).all()
        live = np.arange(4) < found.count[:, None]
        for name in ("points", "places", "impulses"):
            assert pile.manifolds[name][live].tobytes() == tracked.manifolds[name][live].tobytes(), name
        for kept in (pile.manifolds, tracked.manifolds):
            kept["impulses"][live] += (1, 2, 3)
        lasted = max(lasted, pile.manifolds["points"]["age"][live].max())
    assert lasted > 5 and pile.manifolds["count"][-1] == 0


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_refresh(dtype):
    pile = Pile(dtype=dtype)
    pile.position[:] += dtype(2 ** 20 if dtype == np.float64 else 0)
    pile.update()
    before = pile.manifolds.copy()
    pile.position[1:, 1] += 0.0078125
    wp.persistent_refresh(pile.manifolds, pile.bodies, pairs=pile.pairs, thresholds=LIMITS)
    assert (pile.manifolds["count"] == before["count"]).all()
    for now, old in zip(pile.manifolds, before):
        points = now["points"][:now["count"]]
        assert np.allclose(points["separation"], old["points"]["separation"][:now["count"]] + 0.0078125, atol=1e-6)
        assert (points["age"] == 1).all()
    pile.position[1:, 1] += 0.03125
    limits = np.tile(np.array([REACH, 1, REACH], np.float32), (len(pile.pairs), 1))
    limits[0] = 1
    wp.persistent_refresh(pile.manifolds, pile.bodies, pairs=pile.pairs, thresholds=limits,
        normal=np.tile(np.array([0, 1, 0], np.float32), (len(pile.pairs), 1)))
    assert pile.manifolds["count"][0] == before["count"][0] and not pile.manifolds["count"][1:].any()


def test_add():
    """A box that tips from corner to corner gathers them one by one."""
    table = wp.ShapeTable([wp.Shape.half_space(), wp.Shape.box(1, 1, 1)])
    manifolds, point = np.zeros(1, wp.persistent_manifold_dtype), np.zeros(1, wp.manifold_point_dtype)
    pairs = np.array([(0, 1)], np.uint32)
    for x, z in ((1, 1), (1, -1), (-1, 1), (-1, -1), (1, 1)):
        turn = np.array([0.002 * z, 0, -0.002 * x, 1], np.float32)
        bodies = wp.Bodies(position=np.array([(0, 0, 0), (0, 1.001, 0)], np.float32),
            rotation=np.stack([np.array([0, 0, 0, 1], np.float32), turn / np.linalg.norm(turn)]), shape=np.array([0, 1], np.uint32))
        found = wp.contact(table, bodies, pairs=pairs, outputs=["separation", "normal", "local_a", "local_b"])
        for name in ("local_a", "local_b", "separation"):
            point[name] = getattr(found, name)
        wp.persistent_add(manifolds, bodies, pairs=pairs, normal=found.normal, points=point,
            thresholds=wp.Thresholds(0.1, 0.1, 0.1))
    assert manifolds["count"].tolist() == [4]
    corners = manifolds["places"]["local_b"][0]
    assert sorted(map(tuple, np.round(corners[:, [0, 2]]).tolist())) == [(-1, -1), (-1, 1), (1, -1), (1, 1)]


def test_rows():
    """Rows without points empty their manifold, even at a NaN; a stride is kept; the number of rows may be none."""
    pile = Pile(4)
    held = np.zeros(3, [("other", "u4"), ("kept", wp.persistent_manifold_dtype)])
    held["other"] = 7
    pile.manifolds = held["kept"]
    pile.update()
    assert pile.manifolds["count"][0] > 0
    pile.position[1, 0] = np.nan
    with pytest.warns(wp.InvalidWarning):
        pile.update()
    assert pile.manifolds["count"].tolist()[0] == 0 and (held["other"] == 7).all()
    wp.persistent_refresh(np.zeros(0, wp.persistent_manifold_dtype), pile.bodies, pairs=np.zeros((0, 2), np.uint32), thresholds=LIMITS)


def test_arguments():
    pile = Pile(4)
    found = pile.update()
    normal = found.normal

    def refused(match, call, *more, **changes):
        given = {"pairs": pile.pairs, "thresholds": LIMITS, **changes}
        before = pile.manifolds.tobytes()
        with pytest.raises(wp.Error, match=match):
            call(*(more or (pile.manifolds, pile.bodies)), **given)
        assert pile.manifolds.tobytes() == before

    refused("found: has no count", wp.persistent_update, found=wp.contact(pile.table, pile.bodies, pairs=pile.pairs))
    refused("found: has no normal", wp.persistent_update,
        found=wp.contact_manifold(pile.table, pile.bodies, pairs=pile.pairs, outputs="status"))
    refused(r"manifolds: shape", wp.persistent_refresh, pile.manifolds[1:], pile.bodies)
    refused(r"manifolds: dtype", wp.persistent_refresh, normal, pile.bodies)
    refused(r"a: Bodies are needed", wp.persistent_refresh, pile.manifolds, pile.table)
    refused(r"thresholds: a numpy array", wp.persistent_refresh, thresholds=0.1)
    refused(r"row 0: .*threshold", wp.persistent_refresh, thresholds=wp.Thresholds(-1, 0, 0))
    refused(r"row 0: .*normal", wp.persistent_refresh, normal=2 * normal)
    refused(r"pairs: row 0 names body 9 of 4", wp.persistent_refresh, pairs=pile.pairs + np.uint32(9))
    refused(r"normal: shape", wp.persistent_refresh, normal=normal[1:])
    counts = wp.Manifolds({"normal": normal, "count": found.count + np.uint32(5), "points": found.points})
    refused(r"found.count: a row has 9 points, but there are 4", wp.persistent_update, found=counts)
    bad = np.zeros(3, wp.manifold_point_dtype)
    bad["local_a"][0] = np.inf
    refused(r"row 0: .*contact point", wp.persistent_add, normal=normal, points=bad)
