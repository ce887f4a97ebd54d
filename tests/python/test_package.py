"""The package as a whole: what its README and the example show, its types, and which library it opens."""

import functools
import importlib.util
import os
import re
import subprocess
import sys

import numpy as np
import pytest
from conftest import SOURCE, has_cook

import widephase as wp
from widephase import wp2d
from widephase._library import lib

README = SOURCE / "src" / "bindings" / "python" / "README.md"
EXAMPLE = README.parent / "examples" / "robot_distances.py"
FRAMES = README.parent / "examples" / "frames.py"

USER = """
import numpy as np
import numpy.typing as npt
import widephase as wp
from widephase import wp2d

table = wp.ShapeTable([wp.Shape.box(1, 1, 1), wp.Shape.hull(wp.Hull.from_vertices(np.eye(3)))])
bodies = wp.Bodies.copied(position=[(0, 0, 0)])
found = wp.contact(table, bodies, pairs=np.zeros((1, 2), np.uint32), out=np.zeros(1, wp.row_dtype))
separation: npt.NDArray[np.float32] = found.separation
status: wp.Status = wp.contact_pair(wp.Shape.point(), wp.Pose(), wp.Shape.sphere(1), ((0, 0, 0), (0, 0, 0, 1))).status
manifolds = wp.contact_manifold(table, bodies, pairs=np.zeros((1, 2), np.uint32))
kept = np.zeros(1, wp.persistent_manifold_dtype)
wp.persistent_update(kept, bodies, pairs=np.zeros((1, 2), np.uint32), found=manifolds, thresholds=wp.Thresholds.of_size(1))
flat = wp2d.ShapeTable([wp2d.Shape.polygon([(0, 0), (1, 0), (0, 1)])], vertex_max=8)
flat.set(0, wp2d.Shape.circle(1))
touch: npt.NDArray[np.float32] = wp2d.cast(flat, wp2d.Bodies.copied(position=[(0, 0)]), pairs=np.zeros((1, 2), np.uint32)).fraction
mesh = wp.Mesh.cook(np.eye(3), [(0, 1, 2)])
hit = mesh.ray((0, 0, 0), (1, 1, 1))
where: float = 1.0 if hit is None else hit.fraction
shape: wp.Shape = wp.Shape.custom(lambda direction: (direction[0] / abs(direction[0]), 0, 0), bound=1)
field = wp.HeightField(np.zeros((3, 3), np.float32))
contacts = wp.mesh_contact(table, bodies, [mesh, field], bodies, statistics=wp.MeshStatistics())
patches: npt.NDArray[np.uint32] = contacts.patch_count
pieces = wp.Compound(table, position=[(0, 0, 0)])
children: npt.NDArray[np.uint32] = wp.compound_mesh_contact(table, [pieces], bodies, [mesh, field], bodies, soup=True).children
changed: npt.NDArray[np.uint32] = wp.compound_mesh_track(table, [pieces], bodies, [mesh], bodies, tracked=wp.MeshTracked(1), max_separation=0).changed
began: npt.NDArray[np.uint32] = wp.compound_track(table, [pieces], bodies, tracked=wp.CompoundTracked(1), max_separation=0).changed
child: npt.NDArray[np.uint32] = wp.compound_mesh_distance(table, [pieces], bodies, [mesh], bodies, max_distance=2).child
nearest: npt.NDArray[np.uint32] = wp.mesh_distance(table, bodies, [mesh], bodies).triangle
mass: float = wp.Hull.cook(np.eye(3)).mass().volume
place, turn, corners = np.zeros(3), np.eye(4, dtype=np.float32)[3], np.eye(3)
at, ball = (place, turn), wp.Shape.sphere(1)
row: wp.Row = wp.contact_pair(ball, at, ball, wp.Pose(place, turn))
row = wp.depth_along_pair(ball, at, ball, (place, (0, 0, 0, 1)), corners[0])
fraction: float = wp.cast_pair(ball, at, ball, at, at)[0]
hit = mesh.ray(corners[0], corners[1])
hit = wp.HeightField(np.zeros((3, 3), np.float32), spacing=np.ones(2)).ray(place, corners[0])
box: npt.NDArray[np.uint32] = mesh.overlap_box(place, corners[0] + corners[1])
edges = [wp.Shape.segment(place, corners[0]), wp.Shape.triangle(*corners), wp.Shape.custom(lambda way: np.sign(way), bound=2)]
same = wp.Hull.from_vertices(wp.Hull.cook(corners).vertices, wp.Hull.cook(corners).faces)
parts: wp.Bodies = pieces.child_poses(place, turn)
row = wp2d.contact_pair(wp2d.Shape.segment(place[:2], turn[:2]), (place[:2], turn[:2]), wp2d.Shape.circle(1), wp2d.Pose.turned(1, place[:2]))
wp.Tracked(1).give(np.zeros(0, np.uint32))
"""
MISTAKES = ["wp.Shape.box(1)", "found.depth", "wp.contact(table)", "wp.Hull.from_vertices()", "wp.Workspace(3)",
    "wp2d.contact(flat, bodies)", "flat.set(0, wp.Shape.sphere(1))", "wp.Shape.custom(3, 1)", "mesh.ray((0, 0, 0))", "hit.fraction",
    "wp.mesh_contact(table, bodies, [table], bodies)", "contacts.points", "wp.HeightField()", "found.triangle",
    "wp.compound_mesh_contact(table, [table], bodies, [field], bodies)", "contacts.children",
    "wp.compound_mesh_overlap(table, [pieces], bodies, [table], bodies)"]


def python(*arguments, **environment):
    return subprocess.run([sys.executable, *map(str, arguments)], capture_output=True, text=True, check=False,
        env={**os.environ, **environment})


def test_names():
    assert sorted(wp.__all__, key=str.lower) == sorted(set(wp.__all__), key=str.lower)
    assert all(hasattr(wp, name) for name in wp.__all__)
    assert {name for name in vars(wp) if not name.startswith("_")} == set(wp.__all__)
    for name in wp.__all__:
        thing = getattr(wp, name)
        assert not (callable(thing) and thing.__module__.startswith("widephase")) or thing.__doc__, name
    assert wp.version() == wp.__version__ == re.search(r"version: '([^']+)'", (SOURCE / "meson.build").read_text())[1]


# What their names say: kinds of shapes.
PLAIN = (wp.Kind, wp2d.Kind)


def test_help():
    """help() describes each field, bit, method, dtype and constant: comments it does not show."""
    for module in (wp, wp2d):
        for name in module.__all__:
            thing = getattr(module, name)
            if isinstance(thing, (np.dtype, int)):
                assert re.search(rf"^    (\w+, )*{name}\b", module.__doc__, re.MULTILINE), name
            if not isinstance(thing, type) or thing in PLAIN:
                continue
            described = "".join(one.__doc__ or "" for one in thing.__mro__ if one.__module__.startswith("widephase"))
            if f"as in widephase.{name}" in described:
                described += getattr(wp, name).__doc__
            fields = {*getattr(thing, "__annotations__", {}), *getattr(thing, "__members__", {})}
            for field in sorted(field for field in fields if not field.startswith("_")):
                assert re.search(rf"^ +(\w+, |\w+: [^\n]*; )*{field}(, \w+)*:", described, re.MULTILINE), f"{name}.{field}"
            for member in (member for member in dir(thing) if not member.startswith("_")):
                value = getattr(thing, member)
                if callable(value) or isinstance(value, (property, functools.cached_property)):
                    assert value.__doc__, f"{name}.{member}"
    size = round(lib.wp_workspace_size() / 1024, -2)
    assert f"about {size:.0f} KiB" in wp.Workspace.__doc__


def test_readme(tmp_path):
    blocks = re.findall(r"^```python\n(.*?)^```$", README.read_text(), re.MULTILINE | re.DOTALL)
    shown = ["[-0.25, 1.5] [[0.0, 1.0, 0.0], [1.0, 0.0, 0.0]]\n", "10 [0 1] BEGAN\n50 [0 2] BEGAN\n", "[-0.125, -0.10000000149011612] [1, 2]\n", "0.45 [0.0, 1.0, 0.0]\n", "0.4000000059604645 2 True True\n",
        "0 [0.0, 1.0, 0.0] 4 -0.01\n1 [-0.71, 0.71, 0.0] 1 -0.533\n[513, 603] [0.9, 0.8]\n", "[4] [1, 2, 3, 4] -0.001\n"]
    assert len(blocks) == len(shown)
    for block, output in zip(blocks, shown):
        if "Hull.cook(" in block and not has_cook():
            continue
        (tmp_path / "readme.py").write_text(block)
        result = python(tmp_path / "readme.py")
        assert (result.stdout, result.stderr) == (output, "")


def example():
    specification = importlib.util.spec_from_file_location("robot_distances", EXAMPLE)
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def test_example_links_hang_together():
    """The head of a link is the foot of the next, by a rotation of our own."""
    robot = example()
    position, rotation = robot.pose_links(np.random.default_rng(1).uniform(-3, 3, (50, 7)))
    x, y, z, w = (rotation[..., i] for i in range(4))
    turned = np.stack([2 * (x * y - w * z), w * w + y * y - x * x - z * z, 2 * (y * z + w * x)], -1)
    half = turned * (robot.LENGTH / 2)[:, None]
    assert np.abs(np.linalg.norm(rotation, axis=-1) - 1).max() < 1e-6
    assert np.abs((position - half)[:, 0]).max() < 1e-6
    assert np.abs((position + half)[:, :-1] - (position - half)[:, 1:]).max() < 1e-6
    straight = robot.pose_links(np.zeros((1, 7)))[0][0]
    assert np.allclose(straight[-1], [0, robot.LENGTH.sum() - robot.LENGTH[-1] / 2, 0])


def test_example_runs():
    outputs = []
    for threads in (1, 3):
        result = python(EXAMPLE, "--configurations", 400, "--threads", threads)
        assert result.returncode == 0, result.stderr
        lines = result.stdout.splitlines()
        assert re.fullmatch(rf"67200 pairs, threads: {threads}, \w+: [\d.e+]+ pairs a second", lines[0])
        assert len(lines) == 7 and re.fullmatch(r"\d+ of 400 configurations touch something", lines[1])
        outputs.append(lines[1:])
    assert outputs[0] == outputs[1]


def test_example_frames():
    """The contacts of 40 frames have the bits that programs in C and C++ give them."""
    result = python(FRAMES)
    lines = result.stdout.splitlines()
    assert result.returncode == 0 and len(lines) == 2, result.stderr
    assert lines[1] == (SOURCE / "tests" / "examples" / "frames.digest").read_text().strip()
    assert re.fullmatch(r"10001 bodies; of \d+ pairs \d+ touch, \d+ are kept apart; [\d.]+ ms a frame", lines[0])


def test_types(tmp_path):
    if "CI" not in os.environ:
        pytest.importorskip("mypy")
    package = os.path.dirname(wp.__file__)
    lines = USER.splitlines()
    (tmp_path / "user.py").write_text("\n".join(lines + MISTAKES) + "\n")
    result = python("-m", "mypy", "--strict", "--ignore-missing-imports", "--no-error-summary", "--cache-dir", tmp_path,
        package, EXAMPLE, FRAMES, tmp_path / "user.py")
    errors = [line for line in result.stdout.splitlines() if "user.py:" in line and " error: " in line]
    found = {int(line.split(":")[1]) for line in errors}
    assert found == set(range(len(lines) + 1, len(lines) + len(MISTAKES) + 1)), result.stdout
    assert len(errors) == len(MISTAKES) == len(result.stdout.splitlines()), result.stdout


def opened(library):
    return python("-c", "import widephase; print(widephase.version())", WIDEPHASE_LIBRARY=str(library))


def test_which_library(tmp_path):
    from widephase._library import _name
    assert os.path.exists(_name) and opened(_name).stdout == f"{wp.version()}\n"
    for library, says in ((tmp_path / "none.so", "cannot be opened, WIDEPHASE_LIBRARY may name its file"),
            ("libm.so.6", "libm.so.6 is not the library of widephase")):
        result = opened(library)
        assert result.returncode == 1 and "ImportError" in result.stderr and says in result.stderr
