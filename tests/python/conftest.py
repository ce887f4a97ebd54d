"""What the tests of the Python package share. Meson names the program and where the sources lie."""

import csv
import os
import pathlib
import subprocess

import numpy as np
import pytest

import widephase as wp

PROGRAM = os.environ["WIDEPHASE_PROGRAM"]
SOURCE = pathlib.Path(os.environ["WIDEPHASE_SOURCE"])
RECORDED = sorted((SOURCE / "bench" / "data").glob("*.pairs"))

VECTORS = {"normal": "n", "point_a": "a", "point_b": "b", "local_a": "local_a", "local_b": "local_b"}
SCALARS = ["separation", "lower", "upper", "fraction"]


def program(*arguments):
    if not PROGRAM:
        pytest.skip("the program is left out")
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, errors="replace",
        check=False)


def collide(path, *options):
    """The rows of `widephase collide` as arrays by the names of the package; words of the status as text."""
    result = program("collide", path, *options)
    assert result.returncode == 0, result.stderr
    lines = list(csv.DictReader(result.stdout.splitlines()))
    assert lines
    columns = {name: np.array([line[name] for line in lines], np.float32) for name in SCALARS if name in lines[0]}
    for name, short in VECTORS.items():
        if f"{short}x" in lines[0]:
            columns[name] = np.array([[line[short + axis] for axis in "xyz"] for line in lines], np.float32)
    columns["status"] = [line["status"] for line in lines]
    columns["iterations"] = np.array([line["iterations"] for line in lines], np.uint32)
    columns["lines"] = lines
    return columns


def same_bits(found, wanted):
    """Equal bit for bit; any NaN is like any other."""
    found, wanted = np.asarray(found), np.asarray(wanted)
    if found.dtype.kind != "f":
        return found.shape == wanted.shape and bool((found == wanted).all())
    bits = np.dtype(f"u{found.dtype.itemsize}")
    nan = np.isnan(found)
    return (found.dtype == wanted.dtype and found.shape == wanted.shape and np.array_equal(nan, np.isnan(wanted))
        and np.array_equal(np.ascontiguousarray(found).view(bits)[~nan], np.ascontiguousarray(wanted).view(bits)[~nan]))


def check_rows(results, columns):
    """All columns that the program wrote are outputs with the same bits."""
    for name in columns:
        if name == "status":
            assert [wp.status_text(status) for status in results.status] == columns["status"]
        elif name != "lines":
            assert same_bits(getattr(results, name), columns[name]), name


def has_cook():
    try:
        wp.Hull.cook(np.eye(3))
    except wp.Error:
        return False
    return True


needs_cook = pytest.mark.skipif(not has_cook(), reason="built without widephase-cook")


@pytest.fixture(name="scene")
def make_scene():
    """A table of every kind, and bodies and pairs of it: many touch, overlap, and are apart."""
    random = np.random.default_rng(7)
    hull = wp.Hull.from_vertices(random.normal(size=(20, 3)))
    table = wp.ShapeTable([wp.Shape.point(), wp.Shape.sphere(0.5), wp.Shape.segment((0, 0, 0), (1, 1, 0), 0.1),
        wp.Shape.capsule(0.25, 0.5), wp.Shape.triangle((0, 0, 0), (1, 0, 0), (0, 1, 0)), wp.Shape.box(0.5, 0.6, 0.7),
        wp.Shape.box(0.5, 0.6, 0.7, radius=0.1), wp.Shape.hull(hull), wp.Shape.hull(hull, radius=0.2)])
    return Scene(table, random)


class Scene:
    def __init__(self, table, random, count=300, rows=1000):
        turns = random.normal(size=(count, 4))
        self.table = table
        self.position = random.uniform(-2, 2, (count, 3)).astype(np.float32)
        self.rotation = (turns / np.linalg.norm(turns, axis=1)[:, None]).astype(np.float32)
        self.shape = random.integers(0, len(table), count).astype(np.uint32)
        self.pairs = random.integers(0, count, (rows, 2)).astype(np.uint32)
        self.bodies = wp.Bodies(position=self.position, rotation=self.rotation, shape=self.shape)


#: All outputs that a contact can have.
ALL = [name for name in wp.Results.__annotations__ if name != "fraction"]
