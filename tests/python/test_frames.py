"""Tracked pairs: frames give the separations and points of manifolds, keep impulses, and report what changed."""

import copy
import pickle

import numpy as np
import pytest
from conftest import same_bits

import widephase as wp

REACH = 0.02


class World:
    """Boxes and balls in a row, which jostle, and pairs in an order that changes."""

    def __init__(self, count=200, seed=1):
        self.random = np.random.default_rng(seed)
        self.table = wp.ShapeTable([wp.Shape.box(0.5, 0.5, 0.5), wp.Shape.sphere(0.5), wp.Shape.capsule(0.3, 0.2)])
        self.position = np.zeros((count, 3), np.float32)
        self.position[:, 0] = np.arange(count)
        rotation = np.tile(np.array([0, 0, 0, 1], np.float32), (count, 1))
        self.bodies = wp.Bodies(position=self.position, rotation=rotation, shape=np.arange(count, dtype=np.uint32) % 3)
        first = np.arange(count - 1, dtype=np.uint32)
        self.pairs = np.stack([first, first + 1], axis=1)
        self.tracked = wp.Tracked(16, reuse=True)
        self.index = self.tracked.take(len(self.pairs))

    def step(self, way=0.01):
        self.position[:, :2] += self.random.uniform(-way, way, (len(self.position), 2)).astype(np.float32)
        order = self.random.permutation(len(self.pairs))
        self.pairs, self.index = np.ascontiguousarray(self.pairs[order]), np.ascontiguousarray(self.index[order])

    def track(self, **more):
        return wp.track(self.table, self.bodies, pairs=self.pairs, tracked=self.tracked, index=self.index,
            max_separation=REACH, **more)


def test_two_rows_that_name_one_pair():
    world = World(count=50)
    world.index[7] = world.index[3]
    before = world.tracked.pairs.copy()
    with pytest.raises(wp.Error, match=f"^index: rows 3 and 7 name the same pair, {world.index[3]}$"):
        world.track()
    assert (world.tracked.pairs == before).all()
    out = {"separation": np.empty(len(world.pairs), np.float32)}
    with pytest.raises(wp.Error, match="rows 3 and 7"):
        world.track(out=out, first=2, count=6)
    world.track(out=out, first=4)
    world.track(out=out, first=0, count=7)


def test_rows_of_no_pair_may_name_the_same():
    world = World(count=50)
    world.index[[2, 5]], world.index[[8, 9]] = len(world.tracked), 2**32 - 1
    with pytest.warns(wp.InvalidWarning):
        frame = world.track(outputs="status")
    assert np.flatnonzero(frame.status & wp.Status.INVALID_TRACKED).tolist() == [2, 5, 8, 9]


def test_frames():
    world, touched, kept, statistics = World(), None, 0, wp.Statistics()
    for _ in range(20):
        world.step()
        last = None if touched is None else dict(zip(*touched))
        frame = world.track(outputs=("separation", "status"), statistics=statistics)
        now = world.tracked.pairs[world.index]
        cold = wp.contact_manifold(world.table, world.bodies, pairs=world.pairs, max_separation=REACH)
        truth = wp.contact(world.table, world.bodies, pairs=world.pairs).separation
        beyond = (frame.status & wp.Status.BEYOND) != 0
        assert same_bits(frame.separation, now["separation"]) and (frame.status == now["status"]).all()
        assert (now["count"] == cold.count).all() and (beyond == (now["count"] == 0)).all()
        assert (frame.separation[beyond] <= truth[beyond] + 1e-6).all()
        assert np.abs(frame.separation - truth)[~beyond].max() < 1e-5
        assert ((now["event"] & wp.Event.KEPT == 0) | beyond).all()
        kept += np.count_nonzero(now["event"] & wp.Event.KEPT)
        has = {row for row, pair in enumerate(world.index) if last is not None and last[pair]}
        changed = {row for row in range(len(now)) if (now["count"][row] > 0) != (row in has)}
        assert set(frame.changed.tolist()) == changed and len(frame.changed) == len(changed)
        touched = world.index.copy(), now["count"] > 0
        kept_points = world.tracked.manifolds[world.index]
        live = np.arange(4) < now["count"][:, None]
        assert (kept_points["impulses"][live, 0] == kept_points["points"]["age"][live]).all()
        kept_points["impulses"][live, 0] += 1
        world.tracked.manifolds[world.index] = kept_points
    assert kept > 0 and statistics.rows == 20 * len(world.pairs)


def test_reuse():
    world, reused = World(), 0
    for _ in range(10):
        world.step(1e-4)
        frame = world.track(reuse_error=0.002, outputs=("separation", "lower", "upper"))
        now = world.tracked.pairs[world.index]
        exact = wp.contact(world.table, world.bodies, pairs=world.pairs).separation
        again = now["event"] & wp.Event.REUSED != 0
        reused += np.count_nonzero(again)
        assert np.abs(frame.separation - exact)[again].max(initial=0) <= 0.002 + 1e-5
        assert (frame.lower <= exact + 1e-5).all() and (frame.upper >= exact - 1e-5).all()
    assert reused > 0


def prism(corners):
    turn = 2 * np.pi * np.arange(corners) / corners
    ring = np.stack([np.cos(turn), np.zeros(corners), np.sin(turn)], axis=1) * 0.5
    sides = [(i, corners + i, corners + (i + 1) % corners, (i + 1) % corners) for i in range(corners)]
    faces = [tuple(range(corners)), tuple(reversed(range(corners, 2 * corners))), *sides]
    return wp.Shape.hull(wp.Hull.from_vertices(np.concatenate([ring - (0, 0.5, 0), ring + (0, 0.5, 0)]), faces))


def move_prisms(polytopes):
    """Prisms that overlap and move a little in each frame: separations, those of contact, and rows that EPA ran for."""
    random, table = np.random.default_rng(3), wp.ShapeTable([prism(8), prism(7)])
    position = np.array([(0, 0, 0), (0.1, 0.8, 0)], np.float32)
    rotation = np.array([(0, 0, 0, 1), (0.28, 0, 0, 0.96)], np.float32)
    bodies = wp.Bodies(position=position, rotation=rotation, shape=np.array([0, 1], np.uint32))
    pairs, statistics, found, exact = np.array([(0, 1)], np.uint32), wp.Statistics(), [], []
    tracked = wp.Tracked(1, polytopes=polytopes)
    for _ in range(100):
        position[1] += random.uniform(-1e-3, 1e-3, 3).astype(np.float32)
        found += wp.track(table, bodies, pairs=pairs, tracked=tracked, max_separation=REACH, outputs="separation",
            statistics=statistics).separation.tolist()
        exact += wp.contact(table, bodies, pairs=pairs).separation.tolist()
        tracked.reserve(len(tracked) + 1)
    return np.array(found, np.float32), np.array(exact, np.float32), statistics.epa_rows


def test_polytopes():
    """Depths are proven again: most frames search for none, and separations are as near to the truth."""
    found, exact, searched = move_prisms(True)
    plain, _, all_searched = move_prisms(False)
    assert exact.max() < 0 and all_searched == len(found) and 0 < searched < all_searched / 2
    assert np.abs(found - exact).max() < 6e-6 and np.abs(plain - exact).max() < 6e-6
    assert same_bits(found, move_prisms(True)[0])


def test_ranges():
    """Two ranges have the bits of one call; each has its own changes, in an order of its own."""
    whole, parts = World(), World()
    for _ in range(5):
        whole.step()
        parts.step()
        frame = whole.track()
        middle = len(parts.pairs) // 2
        low, high = parts.track(out={}, count=middle), parts.track(out={}, first=middle)
        assert whole.tracked.pairs.tobytes() == parts.tracked.pairs.tobytes()
        assert sorted(frame.changed) == sorted(low.changed) + sorted(high.changed)


def test_pool():
    tracked = wp.Tracked(2)
    taken = tracked.take(5)
    assert sorted(taken.tolist()) == list(range(5)) and len(tracked) >= 5
    tracked.pairs["separation"] = 7
    tracked.give(taken[1:3])
    with pytest.raises(wp.Error, match="indices"):
        tracked.give(taken[1])
    again = tracked.take(2)
    assert set(again.tolist()) == {1, 2} and (tracked.pairs[again]["separation"] == 0).all()
    tracked.reserve(1000)
    assert len(tracked) == 1000 and (tracked.pairs[[0, 3, 4]]["separation"] == 7).all()
    assert tracked.take(1).tolist() == [5]
    with pytest.raises(wp.Error, match="capacity"):
        wp.Tracked(-1)


COPIES = [copy.copy, copy.deepcopy, lambda tracked: pickle.loads(pickle.dumps(tracked))]


@pytest.mark.parametrize("make", COPIES, ids=["copy", "deepcopy", "pickle"])
@pytest.mark.parametrize("tracked", [wp.Tracked(4), wp.Tracked(4, reuse=True, polytopes=True), wp.MeshTracked(4, patch_max=2)],
    ids=["plain", "all", "mesh"])
def test_copies_are_apart(make, tracked):
    tracked = copy.copy(tracked)
    tracked.give(tracked.take(4)[1:3])
    tracked.pairs["separation"][3] = 7
    again = make(tracked)
    assert type(again) is type(tracked) and again.pairs["separation"].tolist() == tracked.pairs["separation"].tolist()
    tracked.pairs["separation"] = 0
    tracked.reserve(10 ** 5)
    del tracked
    assert again.take(8).tolist() == [2, 1, *range(4, 10)] and again.pairs["separation"][3] == 7
    with pytest.raises(wp.Error, match="indices"):
        again.give([0, 0])


def test_snapshots():
    """Frames after a snapshot, and the same frames from it, have the same bits."""
    world = World()
    for _ in range(5):
        world.step(1e-3)
        world.track(reuse_error=0.002)
    snapshots = [make(world.tracked) for make in COPIES]
    position, ends = world.position.copy(), []
    for tracked in (world.tracked, *snapshots):
        world.tracked, world.random = tracked, np.random.default_rng(9)
        world.position[:] = position
        pairs, index = world.pairs, world.index
        for _ in range(5):
            world.step(1e-3)
            world.track(reuse_error=0.002)
        ends.append(tracked.pairs.tobytes() + tracked.manifolds.tobytes())
        world.pairs, world.index = pairs, index
    assert len(set(ends)) == 1


def test_arrays_stay():
    """The arrays of what is kept are written in place; none is replaced, resized or of another type."""
    for tracked, names in ((wp.Tracked(10), ("pairs", "manifolds")),
            (wp.MeshTracked(10), ("pairs", "patches", "children", "patch_max"))):
        for name in names:
            with pytest.raises(AttributeError):
                setattr(tracked, name, getattr(tracked, name))
        for name in set(names) - {"patch_max"}:
            with pytest.raises(ValueError):
                getattr(tracked, name).resize(0)
            getattr(tracked, name).shape = (2, 5, *getattr(tracked, name).shape[1:])
            assert len(getattr(tracked, name)) == 10
        tracked.pairs["separation"] = 7
        assert (tracked.pairs["separation"] == 7).all()
    tracked = pickle.dumps(wp.Tracked(1)).replace(b"separation", b"Separation")
    with pytest.raises(wp.Error, match="another version"):
        pickle.loads(tracked)


def test_room_made_by_a_support_function():
    """The arrays that a frame writes live until it ends."""
    tracked, litter = wp.Tracked(2, reuse=True), []

    def support(direction):
        if len(tracked) < 20:
            tracked.reserve(len(tracked) + 1)
            litter.append([np.full(32, 1e38, np.float32) for _ in range(50)])
        return tuple(np.sign(direction))
    table = wp.ShapeTable([wp.Shape.custom(support, bound=2), wp.Shape.box(1, 1, 1)])
    bodies = wp.Bodies.copied(position=[(0, 0, 0), (0, 1.9, 0), (1, 3.8, 0)], shape=[0, 1, 1])
    wp.track(table, bodies, pairs=np.array([(0, 1), (1, 2)], np.uint32), tracked=tracked, max_separation=0, reuse_error=0.01)
    assert all((array == np.float32(1e38)).all() for some in litter for array in some) and len(tracked) > 2


def test_arguments():
    world = World()
    with pytest.raises(wp.Error, match="tracked"):
        wp.track(world.table, world.bodies, pairs=world.pairs, tracked=world.tracked.pairs, max_separation=0)
    with pytest.raises(wp.Error, match="max_separation"):
        wp.track(world.table, world.bodies, pairs=world.pairs, tracked=world.tracked, max_separation=-1)
    for name in ("merging", "reuse_error"):
        with pytest.raises(wp.Error, match=name):
            world.track(**{name: -1.0})
    with pytest.raises(wp.Error, match="tracked"):
        wp.track(world.table, world.bodies, pairs=world.pairs, tracked=wp.Tracked(200), max_separation=0, reuse_error=1)
    with pytest.raises(wp.Error, match="index"):
        wp.track(world.table, world.bodies, pairs=world.pairs, tracked=world.tracked, max_separation=0,
            index=world.index[1:])
    with pytest.raises(wp.Error, match="tracked"):
        world.track(outputs="status", out={"status": world.tracked.pairs["status"][:len(world.pairs)]})
    with pytest.warns(wp.InvalidWarning):
        frame = wp.track(world.table, world.bodies, pairs=world.pairs, tracked=wp.Tracked(1), max_separation=0,
            outputs="status")
    assert (frame.status[1:] & wp.Status.INVALID_TRACKED).all() and not frame.status[0] & wp.Status.INVALID
    with pytest.raises(AttributeError, match="normal was not requested"):
        frame.normal
