"""Threads share a batch by ranges of its rows; the interpreter runs others while one is in a query."""

import concurrent.futures
import threading
import time

import numpy as np
import pytest
from conftest import ALL, same_bits

import widephase as wp


def heavy():
    """Hulls that overlap: a row takes a microsecond and more."""
    random = np.random.default_rng(6)
    table = wp.ShapeTable([wp.Shape.hull(wp.Hull.from_vertices(random.normal(size=(200, 3))))])
    bodies = wp.Bodies.copied(position=random.uniform(-1, 1, (100, 3)), shape=np.zeros(100, np.uint32))
    return table, bodies, random.integers(0, 100, (40_000, 2)).astype(np.uint32)


def test_ranges(scene):
    wanted = wp.contact(scene.table, scene.bodies, pairs=scene.pairs, outputs=ALL)
    out = {name: np.zeros_like(getattr(wanted, name)) for name in ALL}
    counts = wp.Statistics()

    def run(first):
        wp.contact(scene.table, scene.bodies, pairs=scene.pairs, out=out, first=first, count=50, statistics=counts)

    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        list(pool.map(run, range(0, len(scene.pairs), 50)))
    assert all(same_bits(out[name], getattr(wanted, name)) for name in ALL)
    assert counts.rows == len(scene.pairs)


def test_others_run_during_a_call():
    table, bodies, pairs = heavy()
    started, ended = threading.Event(), threading.Event()

    def run():
        started.set()
        wp.contact(table, bodies, pairs=pairs, workspace=wp.Workspace("scalar"))
        ended.set()

    thread = threading.Thread(target=run)
    thread.start()
    started.wait()
    turns = 0
    while not ended.is_set():
        time.sleep(0.001)
        turns += 1
    thread.join()
    # With the lock of the interpreter held there would be a few turns before the call alone.
    assert turns > 30


def test_a_workspace_serves_one_call_at_a_time():
    table, bodies, pairs = heavy()
    workspace = wp.Workspace("scalar")

    def run(**more):
        return wp.contact(table, bodies, pairs=pairs[:1], workspace=workspace, **more).status[0]

    def refused():
        with pytest.raises(wp.Error) as caught:
            run()
        return caught.value.argument

    with workspace._held(), concurrent.futures.ThreadPoolExecutor(1) as pool:
        assert pool.submit(refused).result() == "workspace"
    status = run()
    with pytest.raises(wp.Error, match="NaN or negative"):
        run(max_separation=-1)
    assert run() == status


def test_threads_have_workspaces_of_their_own():
    table, bodies, pairs = heavy()
    wanted = wp.contact(table, bodies, pairs=pairs[:5000]).separation
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: wp.contact(table, bodies, pairs=pairs[:5000]).separation, range(8)))
    assert all(same_bits(separation, wanted) for separation in found)
