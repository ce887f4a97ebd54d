"""Threads share a batch by ranges of its rows; the interpreter runs others while one is in a query."""

import concurrent.futures
import copy
import pickle
import subprocess
import sys
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


# Another thread writes the inputs of queries: indices out of range, numbers that are none.
RACE = """
import threading
import numpy as np
import widephase as wp

random = np.random.default_rng(3)
table = wp.ShapeTable([wp.Shape.box(1, 1, 1), wp.Shape.capsule(.5, 1), wp.Shape.sphere(1), wp.Shape.cylinder(.5, .5)])
count, rows = 400, 20_000
position = random.normal(size=(count, 3)).astype(np.float32) * 3
rotation = np.tile(np.float32([0, 0, 0, 1]), (count, 1))
shape = random.integers(0, 4, count).astype(np.uint32)
pairs = random.integers(0, count, (rows, 2)).astype(np.uint32)
cache = np.zeros(rows, wp.cache_dtype)
over = False

good_pairs, good_shape = pairs.copy(), shape.copy()
bad_pairs = random.choice(np.array([0, 5, count, 2**31, 2**32 - 1], np.uint32), pairs.shape)
bad_shape = random.choice(np.array([0, 1, 3, 9, 2**31, 2**32 - 1], np.uint32), shape.shape)
bad_position = random.choice(np.float32([0, 1, np.nan, np.inf, 1e30]), position.shape)

def write():
    own = np.random.default_rng(4)
    while not over:
        # Whole arrays, so that every row of them changes every few microseconds.
        for _ in range(50):
            np.copyto(pairs, bad_pairs)
            np.copyto(shape, bad_shape)
            np.copyto(pairs, good_pairs)
            np.copyto(shape, good_shape)
        np.copyto(position[::7], bad_position[::7])
        cache.view(np.uint8)[own.integers(0, cache.nbytes, 500)] = own.integers(0, 256, 500)

writer = threading.Thread(target=write)
writer.start()
bodies = wp.Bodies(position=position, rotation=rotation, shape=shape)
for turn in range(20):
    wp.contact(table, bodies, pairs=pairs, cache=cache)
    wp.contact_manifold(table, bodies, pairs=pairs, max_separation=1.0)
    if turn % 4 == 0:
        wp.cast(table, bodies, pairs=pairs[:2000], motions_a=wp.Motions(translation=position))
over = True
writer.join()
print("alive")
"""


def test_inputs_may_change_during_a_query():
    for _ in range(3):
        result = subprocess.run([sys.executable, "-c", RACE], capture_output=True, text=True, check=False)
        assert result.returncode == 0 and result.stdout == "alive\n", result.stderr


@pytest.mark.parametrize("remake", [copy.copy, copy.deepcopy, lambda workspace: pickle.loads(pickle.dumps(workspace))])
def test_a_copied_workspace_is_another_one(remake):
    table = wp.ShapeTable([wp.Shape.box(1, 1, 1), wp.Shape.sphere(1)])
    bodies = wp.Bodies.copied(position=[(0, 0, 0), (1.5, 0, 0)], shape=[0, 1])
    workspace = wp.Workspace("scalar")
    with workspace._held():  # what another thread does during a query
        other = remake(workspace)
    assert other.variant == "scalar"
    pairs = np.array([(0, 1)], np.uint32)
    assert wp.contact(table, bodies, pairs=pairs, workspace=other).separation[0] < 0
    with workspace._held():
        wp.contact(table, bodies, pairs=pairs, workspace=other)
