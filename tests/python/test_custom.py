"""Support functions in Python: answers, exceptions, threads and lifetimes."""

import concurrent.futures
import gc
import itertools
import math
import pickle
import sys
import threading
import weakref

import numpy as np
import pytest

import widephase as wp

CUBE = list(itertools.product((-1.0, 1.0), repeat=3))


def cube(direction):
    return max(CUBE, key=lambda corner: sum(x * y for x, y in zip(corner, direction)))


def ball(direction):
    length = math.sqrt(sum(x * x for x in direction))
    return [x / length for x in direction]


def test_answers():
    """A cube by its corners is a box; a ball is a sphere."""
    random = np.random.default_rng(3)
    turns = random.normal(size=(60, 4))
    table = wp.ShapeTable([wp.Shape.custom(cube, 1.7320509), wp.Shape.box(1, 1, 1), wp.Shape.custom(ball, 1, radius=0.25),
        wp.Shape.sphere(1.25), wp.Shape.capsule(0.5, 1)])
    assert table.report.invalid_count == 0 and table.bound(2) == 1.25 and table.shapes[0].kind == wp.Kind.CUSTOM
    bodies = {shape: wp.Bodies.copied(position=[(0, 0, 0), *random.uniform(-2.5, 2.5, (60, 3))],
        rotation=[(0, 0, 0, 1), *(turns / np.linalg.norm(turns, axis=1)[:, None])], shape=[4, *[shape] * 60]) for shape in range(4)}
    pairs = np.stack([np.zeros(60, np.uint32), np.arange(1, 61, dtype=np.uint32)], 1)
    for by_function, known in ((0, 1), (2, 3)):
        for part in bodies.values():
            part.position[:] = bodies[0].position
            part.rotation[:] = bodies[0].rotation
        found = wp.contact(table, bodies[by_function], pairs=pairs, outputs=["separation", "lower", "upper", "normal"])
        truth = wp.contact(table, bodies[known], pairs=pairs)
        assert np.abs(found.separation - truth.separation).max() < 1e-4
        assert (found.lower <= truth.separation + 1e-5).all() and (found.upper >= truth.separation - 1e-5).all()
        assert (truth.separation > 0).any() and (truth.separation < 0).any()
    fraction, _ = wp.cast_pair(table.shapes[0], wp.Pose(), table.shapes[4], wp.Pose((5, 0, 0)), None, wp.Pose((1, 0, 0)))
    assert abs(fraction - 0.875) < 1e-4


class Trouble(Exception):
    pass


def raises_after(count, error=Trouble):
    """A ball that raises from its call `count` on, and how often it was called."""
    calls = [0]

    def support(direction):
        calls[0] += 1
        if calls[0] > count:
            raise error(f"call {calls[0]}")
        return ball(direction)
    return support, calls


@pytest.mark.parametrize("count", [0, 1, 5])
@pytest.mark.parametrize("error", [Trouble, KeyboardInterrupt, SystemExit])
def test_exceptions(count, error, capfd):
    support, calls = raises_after(count, error)
    table = wp.ShapeTable([wp.Shape.custom(support, 1), wp.Shape.box(1, 1, 1)])
    bodies = wp.Bodies.copied(position=[(x, 0.3, 0.1) for x in range(20)], shape=[0, 1] * 10)
    pairs = np.array([(a, a + 1) for a in range(19)], np.uint32)
    with pytest.raises(error, match=f"call {count + 1}") as caught:
        wp.contact(table, bodies, pairs=pairs)
    assert calls[0] == count + 1 and caught.traceback[-1].name == "support"
    assert capfd.readouterr() == ("", "")
    # The next call is as if nothing had been.
    assert wp.distance_pair(wp.Shape.sphere(1), wp.Pose(), wp.Shape.sphere(1), wp.Pose((3, 0, 0))).separation == 1
    support, _ = raises_after(count, error)
    with pytest.raises(error):
        wp.overlap_pair(wp.Shape.custom(support, 1), wp.Pose(), wp.Shape.box(1, 1, 1), wp.Pose((1.5, 0.2, 0.1)))


@pytest.mark.parametrize("answer, error", [(None, TypeError), ((1, 2), ValueError), ((1, "2", 3), TypeError), ("abc", TypeError)])
def test_what_is_no_point(answer, error, capfd):
    with pytest.raises(error):
        wp.contact_pair(wp.Shape.custom(lambda direction: answer, 1), wp.Pose(), wp.Shape.sphere(1), wp.Pose((1, 0, 0)))
    assert capfd.readouterr() == ("", "")


def test_bad_points_are_invalid_rows():
    for point in ((math.nan, 0, 0), (math.inf, 0, 0), (3, 0, 0)):
        row = wp.contact_pair(wp.Shape.custom(lambda direction, point=point: point, 1), wp.Pose(), wp.Shape.sphere(1), wp.Pose((4, 0, 0)))
        assert row.status & wp.Status.INVALID_SHAPE_A and math.isnan(row.separation)
    assert wp.ShapeTable([wp.Shape.custom(ball, 0)]).report.invalid_count == 0
    with pytest.warns(wp.InvalidWarning, match="bound"):
        wp.ShapeTable([wp.Shape.custom(ball, -1)])
    with pytest.warns(wp.InvalidWarning, match="custom is NULL"):
        wp.ShapeTable([wp.Shape(wp.Kind.CUSTOM)])
    with pytest.raises(wp.Error, match="support: a function is needed, not int"):
        wp.Shape.custom(3, 1)


def test_exceptions_of_boxes():
    """They are raised after the call, and are gone for the next one."""
    support, calls = raises_after(2)
    table = wp.ShapeTable([wp.Shape.custom(support, 10)])
    bodies = wp.Bodies.copied(position=[(0, 0, 0)] * 3)
    with pytest.raises(Trouble, match="call 3"):
        wp.bodies_bounds(table, bodies)
    calls[0] = -100
    lower, upper = wp.bodies_bounds(table, bodies)
    assert (upper < 1.001).all() and (lower > -1.001).all()


def test_queries_within_functions():
    """They need a workspace of their own; their exceptions are theirs."""
    inner, workspace = wp.Shape.custom(raises_after(0)[0], 1), wp.Workspace()

    def support(direction):
        with pytest.raises(Trouble):
            wp.distance_pair(inner, wp.Pose(), wp.Shape.box(1, 1, 1), wp.Pose((3, 0, 0)), workspace=workspace)
        assert wp.distance_pair(wp.Shape.sphere(1), wp.Pose(), wp.Shape.sphere(1), wp.Pose((3, 0, 0)), workspace=workspace).separation == 1
        return ball(direction)

    def greedy(direction):
        wp.distance_pair(wp.Shape.sphere(1), wp.Pose(), wp.Shape.sphere(1), wp.Pose((3, 0, 0)))

    row = wp.distance_pair(wp.Shape.custom(support, 1), wp.Pose(), wp.Shape.sphere(1), wp.Pose((4, 0, 0)))
    assert abs(row.separation - 2) < 1e-4
    with pytest.raises(wp.Error, match="so do queries of support functions"):
        wp.distance_pair(wp.Shape.custom(greedy, 1), wp.Pose(), wp.Shape.sphere(1), wp.Pose((4, 0, 0)))


def test_threads():
    """Many threads in one table: each has its own exception, and the others their answers. The interpreter runs other
    threads in a query: one that waits for another in a support function would stay there for ever if it did not."""
    meeting, first = threading.Barrier(4, timeout=30), threading.local()

    def support(direction):
        if not getattr(first, "met", False):
            first.met = True
            meeting.wait()
        if threading.current_thread().name.endswith("_2"):
            raise Trouble(threading.current_thread().name)
        return ball(direction)

    table = wp.ShapeTable([wp.Shape.custom(support, 1), wp.Shape.box(1, 1, 1)])
    bodies = wp.Bodies.copied(position=[(x, 0.3, 0.1) for x in range(40)], shape=[0, 1] * 20)
    pairs = np.array([(a, a + 1) for a in range(39)], np.uint32)

    def run(_):
        try:
            return wp.contact(table, bodies, pairs=pairs).separation.tolist()
        except Trouble as trouble:
            return str(trouble)

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        with concurrent.futures.ThreadPoolExecutor(4, "pool") as pool:
            answers = list(pool.map(run, range(4)))
    finally:
        sys.setswitchinterval(before)
    right = [answer for answer in answers if isinstance(answer, list)]
    assert len(right) == 3 and right[0] == right[1] == right[2] and "pool_2" in answers


def test_lifetimes():
    """A table keeps the functions of its shapes; when it goes, or another shape comes in its place, so do they."""
    def table_of(count):
        def support(direction):
            return ball(direction)
        return wp.ShapeTable([wp.Shape.custom(support, 1) for _ in range(count)] + [None]), weakref.ref(support)

    table, alive = table_of(3)
    gc.collect()
    bodies, pairs = wp.Bodies.copied(position=[(0, 0, 0), (3, 0, 0)]), np.array([(0, 1)], np.uint32)
    assert abs(wp.distance(table, bodies, pairs=pairs).separation[0] - 1) < 1e-4
    for index in range(3):
        table.set(index, wp.Shape.sphere(1))
    gc.collect()
    assert alive() is None and wp.distance(table, bodies, pairs=pairs).separation[0] == 1
    table.set(3, wp.Shape.custom(ball, 1))
    again = pickle.loads(pickle.dumps(table))
    assert again.shapes[3].support is ball and again.shapes == table.shapes
    assert abs(wp.distance(again, wp.Bodies.copied(position=[(0, 0, 0), (3, 0, 0)], shape=[3, 0]), pairs=pairs).separation[0] - 1) < 1e-4


def test_recording():
    bodies = wp.Bodies.copied(position=np.zeros((1, 3), np.float32))
    with pytest.raises(wp.Error, match="cannot hold"):
        wp.Capture.of(wp.ShapeTable([wp.Shape.custom(ball, 1)]), bodies, bodies)
