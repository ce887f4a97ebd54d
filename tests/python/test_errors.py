"""What cannot be used is refused by name, before anything is written; no argument ends the process."""

import pickle

import numpy as np
import pytest
from conftest import SOURCE

import widephase as wp
from widephase import wp2d

POSES = {"position": np.zeros((4, 3), np.float32), "rotation": np.tile(np.float32([0, 0, 0, 1]), (4, 1)),
    "shape": np.zeros(4, np.uint32)}
PAIRS = np.zeros((5, 2), np.uint32)
TABLE = wp.ShapeTable([wp.Shape.sphere(1)])


def bodies(**changes):
    return wp.Bodies(**{**POSES, **changes})


def frozen(array):
    array.flags.writeable = False
    return array


def overlapping(shape, dtype, strides):
    return np.lib.stride_tricks.as_strided(np.zeros(100, dtype), shape, strides)


BAD_BODIES = [
    ("position", POSES["position"].tolist(), "numpy array is needed, not list"),
    ("position", np.zeros((4, 3), np.int32), "dtype is int32, not float32 or float64"),
    ("position", np.zeros((4, 3), ">f4"), "dtype is >f4"),
    ("position", np.zeros((4, 2), np.float32), r"shape is \(4, 2\), not \(n, 3\)"),
    ("position", np.zeros(12, np.float32), r"shape is \(12,\)"),
    ("position", np.float32(1), "not float32"),
    ("position", np.zeros((3, 4), np.float32).T, "not adjacent"),
    ("position", np.zeros((4, 6), np.float32)[:, ::2], "not adjacent"),
    ("position", np.zeros((4, 3), np.float32)[:, ::-1], "not adjacent"),
    ("position", np.zeros((4, 3), np.float32)[::-1], "backwards"),
    ("position", np.broadcast_to(np.zeros(3, np.float32), (4, 3)), "in the same place"),
    ("rotation", np.zeros((4, 4)), "dtype is float64, not float32; .astype"),
    ("rotation", np.zeros((3, 4), np.float32), r"shape is \(3, 4\), not \(4, 4\)"),
    ("rotation", None, "not NoneType"),
    ("shape", np.zeros(4, np.int64), "dtype is int64, not uint32"),
    ("shape", np.zeros(5, np.uint32), r"shape is \(5,\), not \(4,\)"),
    ("shape", np.zeros(4, np.uint32)[::-1], "backwards"),
]


@pytest.mark.parametrize("name, value, says", BAD_BODIES)
def test_bodies(name, value, says):
    with pytest.raises(wp.Error, match=says) as caught:
        bodies(**{name: value})
    assert caught.value.argument == f"bodies.{name}" and caught.value.code is None


OUT = {"separation": np.zeros(5, np.float32)}
BAD_CALLS = [
    ("shapes", {"shapes": [wp.Shape.sphere(1)]}, "ShapeTable is needed, not list"),
    ("a", {"a": POSES}, "Bodies are needed"),
    ("b", {"b": PAIRS}, "Bodies are needed, not ndarray; pairs are given by name: pairs="),
    ("b", {"b": bodies(position=np.zeros((4, 3)))}, "float64, but of a float32; convert one of them, as Bodies.copied"),
    ("pairs", {"pairs": None}, "needed"),
    ("pairs", {"pairs": None, "b": bodies(**{name: array[:3] for name, array in POSES.items()})}, "same number"),
    ("pairs", {"pairs": PAIRS.tolist()}, r"not list; numpy.asarray\(..., 'uint32'\) makes one"),
    ("pairs", {"pairs": PAIRS.astype(int)}, r"dtype is int64, not uint32; .astype\('uint32'\) makes"),
    ("pairs", {"pairs": PAIRS[:, :1]}, r"shape is \(5, 1\), not \(n, 2\)"),
    ("pairs", {"pairs": PAIRS[::-1]}, "backwards"),
    ("pairs", {"pairs": (PAIRS[:, 0],)}, "a tuple"),
    ("pairs", {"pairs": (None, None)}, "a tuple"),
    ("pairs[1]", {"pairs": (PAIRS[:, 0], PAIRS[:4, 1])}, r"shape is \(4,\), not \(5,\)"),
    ("max_separation", {"max_separation": np.nan}, "NaN or negative"),
    ("max_separation", {"max_separation": -1}, "NaN or negative"),
    ("max_separation", {"max_separation": "far"}, "a number is needed, not 'far'"),
    ("outputs", {"outputs": ("normals",)}, "'normals' is no output of this query; there are separation, normal"),
    ("outputs", {"outputs": "fraction"}, "no output of this query"),
    ("out", {"out": OUT["separation"]}, "structured array is needed"),
    ("out", {"out": [OUT["separation"]]}, "not list"),
    ("out", {"out": {"depth": OUT["separation"]}}, "'depth' is no output"),
    ("out", {"out": OUT, "outputs": ("normal",)}, "has no normal"),
    ("out['separation']", {"out": {"separation": np.zeros(4, np.float32)}}, r"shape is \(4,\), not \(5,\)"),
    ("out['separation']", {"out": {"separation": np.zeros(5)}}, "dtype is float64, not float32$"),
    ("out['separation']", {"out": {"separation": [0.0] * 5}}, "not list"),
    ("out['separation']", {"out": {"separation": frozen(np.zeros(5, np.float32))}}, "read-only"),
    ("out['normal']", {"out": {"normal": overlapping((5, 3), np.float32, (4, 4))}}, "over each other"),
    ("out['normal']", {"out": {"normal": np.zeros((5, 3), np.float32)[::-1]}}, r"backwards \(strides \(-12, 4\)\)$"),
    ("out['point_b']", {"out": {"point_a": np.zeros((5, 3)), "point_b": np.zeros((5, 3), np.float32)}}, "same dtype"),
    ("out['status']", {"out": {"status": PAIRS[:, 1]}}, "memory of pairs"),
    ("first", {"first": -1, "out": OUT}, "-1 is not in 0 .. 5"),
    ("first", {"first": 6, "out": OUT}, "6 is not in"),
    ("first", {"first": 1.0, "out": OUT}, "not float"),
    ("count", {"first": 3, "count": 3, "out": OUT}, "3 is not in 0 .. 2"),
    ("first, count", {"first": 3}, "needs `out`"),
    ("cache", {"cache": np.zeros((5, 32), np.uint8)}, r"dtype is uint8, .*; .astype\(...\) makes"),
    ("cache", {"cache": np.zeros(4, wp.cache_dtype)}, r"shape is \(4,\)"),
    ("cache", {"cache": frozen(np.zeros(5, wp.cache_dtype))}, "read-only"),
    ("method", {"method": "core"}, "a Method is needed, not str"),
    ("method", {"method": wp.Method(9)}, "not a wp_method"),
    ("method", {"method": wp.Method.core(-1)}, "NaN, negative"),
    ("method", {"method": wp.Method.core("thick")}, "a number is needed, not 'thick'"),
    ("method", {"method": wp.Method.sampled(5)}, "directions is below 6 or above 256"),
    ("method", {"method": wp.Method.sampled(257)}, "directions is below 6 or above 256"),
    ("method", {"method": wp.Method.sampled(-1)}, "-1 is not in"),
    ("method", {"method": wp.Method.sampled(6.5)}, "not float"),
    ("workspace", {"workspace": "avx2"}, "not str"),
    ("statistics", {"statistics": {}}, "not dict"),
]


@pytest.mark.parametrize("argument, changes, says", BAD_CALLS)
def test_calls(argument, changes, says):
    call = {"shapes": TABLE, "a": bodies(), "pairs": PAIRS, **changes}
    with pytest.raises(wp.Error, match=says) as caught:
        wp.contact(call.pop("shapes"), call.pop("a"), call.pop("b", None), **call)
    assert caught.value.argument == argument
    assert not OUT["separation"].any()


def test_inputs_that_are_outputs():
    state = np.zeros(5, [("p", "f4", 3), ("q", "f4", 4), ("separation", "f4"), ("normal", "f4", 3)])
    state["q"][:, 3] = 1
    view = wp.Bodies(position=state["p"], rotation=state["q"])
    table = wp.ShapeTable([wp.Shape.sphere(1)] * 5)
    wp.contact(table, view, view, out=state, outputs=("separation", "normal"))
    assert (state["separation"] == -2).all()
    with pytest.raises(wp.Error, match="memory of bodies.position") as caught:
        wp.contact(table, view, view, out={"normal": state["p"]})
    assert caught.value.argument == "out['normal']"


def test_outputs_that_share_memory():
    a, b = (wp.Bodies.copied(position=[(0, 0, 0), (x, 0, 0), (9, 0, 0)]) for x in (1, 2))
    table, found = wp.ShapeTable([wp.Shape.sphere(1)] * 3), np.zeros(4, np.float32)
    counts, points = np.zeros(3, np.uint32), np.zeros((3, 2), wp.manifold_point_dtype)
    for call, name in ((lambda: wp.contact(table, a, b, out={"separation": found[:3], "lower": found[1:]}), "lower"),
            (lambda: wp.contact(table, a, b, out={"upper": found[:3], "separation": found[:3]}), "separation"),
            (lambda: wp.contact_manifold(table, a, b, point_max=2, out={"status": counts, "count": counts, "points": points}), "count"),
            (lambda: wp.compound_distance(table, [], a, b, out={"child_a": counts, "child_b": counts}), "child_b"),
            (lambda: wp.track(table, a, b, tracked=wp.Tracked(3), index=wp.Tracked(3).take(3), max_separation=0,
                out={"separation": found[:3], "upper": found[:3]}), "upper")):
        with pytest.raises(wp.Error, match=rf"^out\['{name}'\]: lies in the memory of out\[.*\], where results go, too"):
            call()
    rows = np.zeros(3, wp.row_dtype)
    wp.contact(table, a, b, out={name: rows[name] for name in rows.dtype.names})
    assert rows["separation"].tolist() == wp.contact(table, a, b).separation.tolist()


def test_other_queries():
    a = bodies()
    for argument, says, call in (
            ("motions_a", "3 rows for 4 bodies", lambda: wp.cast(TABLE, a, pairs=PAIRS,
                motions_a=wp.Motions(translation=np.zeros((3, 3), np.float32)))),
            ("motions_b", "Motions are needed", lambda: wp.cast(TABLE, a, pairs=PAIRS, motions_b=PAIRS)),
            ("motions_b", "would not be read, as b is None", lambda: wp.cast(TABLE, a, pairs=PAIRS,
                motions_b=wp.Motions(translation=np.zeros((4, 3), np.float32)))),
            ("motions_b", "would not be read, as b is None", lambda: wp.compound_cast(TABLE, [], a, pairs=PAIRS,
                motions_b=wp.Motions(translation=np.zeros((4, 3), np.float32)))),
            ("motions.rotation", "dtype is float64", lambda: wp.Motions(rotation=np.zeros((4, 4)))),
            ("direction", r"shape is \(3,\), not \(5, 3\); numpy.tile\(array, \(5, 1\)\) repeats it in each row",
                lambda: wp.depth_along(TABLE, a, pairs=PAIRS, direction=np.zeros(3, np.float32))),
            ("point_max", "9 is not in 1 .. 8", lambda: wp.contact_manifold(TABLE, a, pairs=PAIRS, point_max=9)),
            ("out", "has no count", lambda: wp.contact_manifold(TABLE, a, pairs=PAIRS, out=OUT)),
            ("out['points']", r"shape is \(5, 2\), not \(5, 4\)", lambda: wp.contact_manifold(TABLE, a, pairs=PAIRS,
                out={"count": np.zeros(5, np.uint32), "points": np.zeros((5, 2), wp.manifold_point_dtype)})),
            ("variant", "'avx' names no kernel variant; there are auto, scalar", lambda: wp.Workspace("avx")),
            ("variant", "is not in this build", lambda: wp.Workspace("wasm")),
            ("index", "1 is not in 0 .. 0", lambda: TABLE.bound(1)),
            ("shapes[1]", "a Shape is needed, not int", lambda: wp.ShapeTable([wp.Shape.point(), 3])),
            ("shapes[0]", "3 numbers are needed", lambda: wp.ShapeTable([wp.Shape(5, half_extents=(1, 2))])),
            ("pose_a", "a position and a rotation",
                lambda: wp.contact_pair(wp.Shape.point(), 1, wp.Shape.point(), wp.Pose())),
            ("pose_b.rotation", "4 numbers are needed, not 3",
                lambda: wp.contact_pair(wp.Shape.point(), wp.Pose(), wp.Shape.point(), ((0, 0, 0), (0, 0, 1)))),
            ("shape_b", "a Shape is needed", lambda: wp.contact_pair(wp.Shape.point(), wp.Pose(), TABLE, wp.Pose())),
            ("bodies.shape", r"indices are needed, .* not -1 in place \(1,\)",
                lambda: wp.Bodies.copied(position=[(0, 0, 0)] * 2, shape=[0, -1])),
            ("bodies.shape", "indices are needed, .*; dtype is float64",
                lambda: wp.Bodies.copied(position=[(0, 0, 0)], shape=[1.0])),
            ("bodies.position", r"shape is \(3,\), not \(n, 3\); array\[None\] is the same as one row",
                lambda: wp.Bodies.copied(position=[1, 2, 3])),
            ("bodies.position", r"shape is \(3, 9\), not \(n, 3\); its rows are columns: numpy.ascontiguousarray\(array.T\)",
                lambda: wp.Bodies.copied(position=np.zeros((3, 9)))),
            ("bodies.shape", r"shape is \(1, 1\), not \(1,\); array.ravel\(\) is the same",
                lambda: wp.Bodies.copied(position=[(0, 0, 0)], shape=[[0]])),
            ("samples", r"shape is \(4,\), not \(n, m\)", lambda: wp.HeightField(np.zeros(4, np.float32))),
            ("compounds", "a sequence is needed, not int; a list makes one of it",
                lambda: wp.compound_overlap(TABLE, 3, a, pairs=PAIRS)),
            ("bodies.position", "not an array of numbers", lambda: wp.Bodies.copied(position=[("x", "y", "z")]))):
        with pytest.raises(wp.Error, match=says) as caught:
            call()
        assert caught.value.argument == argument


S = wp.Shape
BAD_SHAPES = [
    ("radius", lambda bad: S.point(bad)), ("radius", lambda bad: S.sphere(bad)), ("radius", lambda bad: S.capsule(bad, 1)),
    ("half_height", lambda bad: S.capsule(1, bad)), ("radius", lambda bad: S.segment((0, 0, 0), (1, 1, 1), bad)),
    ("radius", lambda bad: S.triangle((0, 0, 0), (1, 1, 1), (2, 0, 0), bad)), ("half_x", lambda bad: S.box(bad, 1, 1)),
    ("half_y", lambda bad: S.box(1, bad, 1)), ("half_z", lambda bad: S.box(1, 1, bad)), ("radius", lambda bad: S.box(1, 1, 1, bad)),
    ("base_radius", lambda bad: S.cylinder(bad, 1)), ("half_height", lambda bad: S.cylinder(1, bad)),
    ("base_radius", lambda bad: S.cone(bad, 1)), ("half_height", lambda bad: S.cone(1, bad)), ("radius", lambda bad: S.cone(1, 1, bad)),
    ("half_z", lambda bad: S.ellipsoid(1, 1, bad)), ("radius", lambda bad: S.half_space(bad)),
    ("radius", lambda bad: S.hull(wp.Hull.from_vertices(np.eye(3)), bad)), ("bound", lambda bad: S.custom(len, bad)),
    ("radius", lambda bad: S.custom(len, 1, bad)), ("radius", lambda bad: wp2d.Shape.circle(bad)),
    ("half_height", lambda bad: wp2d.Shape.capsule(1, bad)), ("radius", lambda bad: wp2d.Shape.segment((0, 0), (1, 0), bad)),
    ("half_y", lambda bad: wp2d.Shape.box(1, bad)), ("radius", lambda bad: wp2d.Shape.polygon([(0, 0)], bad)),
    ("shapes[0]", lambda bad: wp.ShapeTable([S(wp.Kind.SPHERE, bad)])), ("shape_a", lambda bad: wp.overlap_pair(
        S(wp.Kind.CAPSULE, 1, half_height=bad), wp.Pose(), S.point(), wp.Pose())),
    ("scale", lambda bad: wp.HeightField(np.zeros((3, 3), np.int16), scale=bad)), ("size", lambda bad: wp.Thresholds.of_size(bad)),
]


@pytest.mark.parametrize("argument, make", BAD_SHAPES)
@pytest.mark.parametrize("bad", [None, "h", "1", b"1", (1, 2), 1j, np.complex64(1), 10 ** 400, np.ma.masked, [], wp], ids=lambda bad: str(bad)[:9])
def test_single_numbers(argument, make, bad):
    with pytest.raises(wp.Error, match="a number is needed, not ") as caught:
        make(bad)
    assert caught.value.argument == argument


def test_numbers_of_numpy():
    for one in (np.float32(0.5), np.float64(0.5), np.array(0.5), np.int8(3), True, np.inf, -1):
        assert wp.Shape.sphere(one).radius == float(one)


def test_shapes_of_the_other_module():
    """Classes of the same name are named with their modules."""
    flat, solid, pose = wp2d.Shape.circle(1), wp.Shape.sphere(1), wp.Pose()
    table = wp.ShapeTable([solid])
    for argument, says, call in (
            ("shapes[1]", "a Shape is needed, not Shape of widephase.wp2d", lambda: wp.ShapeTable([solid, flat])),
            ("shape", "a Shape is needed, not Shape of widephase.wp2d", lambda: table.set(0, flat)),
            ("shape_a", "a Shape is needed, not Shape of widephase.wp2d", lambda: wp.contact_pair(flat, pose, solid, pose)),
            ("shapes[0]", "a Shape is needed, not Shape of widephase", lambda: wp2d.ShapeTable([solid])),
            ("shape_b", "a Shape is needed, not Shape of widephase",
                lambda: wp2d.distance_pair(flat, wp2d.Pose(), solid, wp2d.Pose())),
            ("shapes", "a ShapeTable is needed, not ShapeTable of widephase.wp2d",
                lambda: wp.Compound(wp2d.ShapeTable([flat]), position=[(0, 0, 0)]))):
        with pytest.raises(wp.Error) as caught:
            call()
        assert str(caught.value) == f"{argument}: {says}"


def test_errors_of_the_library_have_their_codes():
    with pytest.raises(ValueError) as caught:
        wp.contact(TABLE, bodies(), pairs=PAIRS, max_separation=-1)
    again = pickle.loads(pickle.dumps(caught.value))
    assert again.code == caught.value.code == "MAX_SEPARATION"
    assert str(again) == "max_separation: is NaN or negative"


def test_errors_of_the_library_are_in_terms_of_python():
    a = bodies()
    track = {"a": a, "pairs": PAIRS[:1], "max_separation": 0.02}
    for text, call in (
            ("tracked: has no room to reuse points, for a reuse_error above 0; make it with reuse=True",
                lambda: wp.track(TABLE, tracked=wp.Tracked(1), reuse_error=0.01, **track)),
            ("reuse_error: is NaN or negative", lambda: wp.track(TABLE, tracked=wp.Tracked(1), reuse_error=np.nan, **track)),
            ("reuse_error: a number is needed, not 'x'", lambda: wp.track(TABLE, tracked=wp.Tracked(1), reuse_error="x", **track)),
            ("merging: is NaN or negative", lambda: wp.track(TABLE, tracked=wp.Tracked(1), merging=-1, **track)),
            ("max_distance: is NaN or negative", lambda: wp.compound_distance(TABLE, [], a, pairs=PAIRS, max_distance=-1)),
            ("max_separation: is NaN or negative", lambda: wp.contact_pair(
                wp.Shape.point(), wp.Pose(), wp.Shape.point(), wp.Pose(), max_separation=np.nan)),
            ("method: is not a wp_method", lambda: wp.contact(TABLE, a, pairs=PAIRS, method=wp.Method(9))),
            ("vertices: the number of hull vertices is 0 or above 65535", lambda: wp.Hull.from_vertices(np.zeros((0, 3)))),
            ("scale, offset: scale is zero, or scale or offset is not finite or leads beyond 1e30",
                lambda: wp.HeightField(np.zeros((2, 2), np.int16), scale=np.inf))):
        with pytest.raises(wp.Error) as caught:
            call()
        assert str(caught.value) == text
    assert "#define WP_COORDINATE_MAX 1e30f" in (SOURCE / "include" / "widephase" / "query.h").read_text()


DTYPES = ["f4", "f8", "u4", "i4", "u1", "?", ">f4", "f2", "c8", "O", "S4", "V32"]
SLICES = [slice(None), slice(None, None, 2), slice(None, None, -2)]


def one_of(random, choices):
    return choices[random.integers(len(choices))]


def random_array(random):
    """Any array: of any type, shape, stride and flags."""
    array = np.zeros(random.integers(0, 11, size=random.integers(0, 4)), one_of(random, DTYPES))
    array = array[(..., *(one_of(random, SLICES) for _ in array.shape))]
    array = array.T if random.random() < 0.2 else array
    if array.dtype.kind == "f" and random.random() < 0.5:
        array[...] = one_of(random, [1, np.nan, np.inf, -6e4])
    elif array.dtype.kind in "iu":
        array[...] = random.integers(0, 128)
    array.flags.writeable = bool(random.random() < 0.8)
    return array


def random_argument(random, right):
    """Mostly the right one, else another right one of some argument, or anything."""
    if random.random() < 0.8:
        return right
    strange = [None, 3, -1, 1e30, "x", (), {}, [1.0], object(), PAIRS, POSES["position"], bodies(), TABLE, wp.Status]
    return random_array(random) if random.random() < 0.7 else one_of(random, strange)


def test_random_arguments():
    """Either an answer or an Error: no other exception, and no crash."""
    random = np.random.default_rng(11)
    answers = errors = 0
    for _ in range(4000):
        def pick(right):
            return random_argument(random, right)  # pylint: disable=cell-var-from-loop
        try:
            a, b = (wp.Bodies(**{name: pick(array) for name, array in POSES.items()}) for _ in range(2))
            call = {"b": pick(b), "pairs": pick(PAIRS), "outputs": pick(("normal", "status")),
                "out": pick(None), "first": pick(0), "count": pick(None), "workspace": pick(None)}
            query = random.integers(4)
            if query == 0:
                wp.contact(pick(TABLE), pick(a), **call, cache=pick(None), max_separation=pick(1.0))
            elif query == 1:
                wp.contact_manifold(pick(TABLE), pick(a), **call, point_max=pick(4))
            elif query == 2:
                moves = wp.Motions(translation=pick(POSES["position"]), rotation=pick(POSES["rotation"]))
                wp.cast(pick(TABLE), pick(a), **call, motions_a=pick(moves), motions_b=pick(moves))
            else:
                wp.depth_along(pick(TABLE), pick(a), **call, direction=pick(np.ones((5, 3), np.float32)))
            answers += 1
        except wp.Error:
            errors += 1
    assert answers > 100 and errors > 2000
