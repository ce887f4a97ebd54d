"""The queries, for batches and for one pair."""

from __future__ import annotations

import contextlib
import math
import threading
from typing import (TYPE_CHECKING, Any, ClassVar, Dict, Iterator, List, Mapping, NamedTuple, NoReturn, Optional, Sequence,
    Tuple, Type, TypeVar, Union)

import numpy as np
import numpy.typing as npt

from widephase._arrays import (DOUBLE, FLOAT, INDEX, Numbers, check_apart, check_array, check_dtype, check_shape,
    check_type, copied, integer, number, numbers, pointer, rotations, rows)
from widephase._library import HEADER_VERSION, Error, aligned, check, ffi, lib, raised, variants, warn
from widephase._shapes import Shape, ShapeTable, shape_array
from widephase._status import Statistics, Status

row_dtype = np.dtype([("separation", "f4"), ("normal", "f4", 3), ("point_a", "f4", 3), ("point_b", "f4", 3),
    ("lower", "f4"), ("upper", "f4"), ("status", "u4"), ("iterations", "u4")])

manifold_point_dtype = np.dtype([("point_a", "f4", 3), ("point_b", "f4", 3), ("local_a", "f4", 3), ("local_b", "f4", 3),
    ("separation", "f4"), ("feature_a", "u4"), ("feature_b", "u4")])

solver_point_dtype = np.dtype([("local_a", "f4", 3), ("local_b", "f4", 3), ("separation", "f4"), ("feature_a", "u4"),
    ("feature_b", "u4")])

assert solver_point_dtype.itemsize == ffi.sizeof("wp_solver_point")

cache_dtype = np.dtype([("vertex", "u4", 4), ("axis", "f4", 3), ("count", "u4")])

MANIFOLD_POINT_MAX = 8

_BYTE: np.dtype[Any] = np.dtype(np.uint8)
_BOOL: np.dtype[Any] = np.dtype(np.bool_)

# Of each output its dtypes, the first being the one that is allocated, and the shape of a row. Points have two: that
# of the positions is allocated.
Outputs = Dict[str, Tuple[Tuple[np.dtype[Any], ...], Tuple[int, ...]]]
_OUTPUTS: Outputs = {
    "separation": ((FLOAT,), ()),
    "normal": ((FLOAT,), (3,)),
    "point_a": ((FLOAT, DOUBLE), (3,)),
    "point_b": ((FLOAT, DOUBLE), (3,)),
    "lower": ((FLOAT,), ()),
    "upper": ((FLOAT,), ()),
    "status": ((INDEX,), ()),
    "iterations": ((INDEX,), ()),
    "overlap": ((_BOOL, _BYTE), ()),
    "local_a": ((FLOAT,), (3,)),
    "local_b": ((FLOAT,), (3,)),
    "tangent_1": ((FLOAT,), (3,)),
    "tangent_2": ((FLOAT,), (3,)),
    "fraction": ((FLOAT,), ()),
}
# Outputs that only some queries have.
_SOME_HAVE = ("fraction", "triangle")
_MANIFOLD_OUTPUTS = ("count", "points", "solver_points")

Out = Union[Mapping[str, npt.NDArray[Any]], npt.NDArray[Any], "ResultsBase"]
Pairs = Union[npt.NDArray[np.uint32], Tuple[Optional[npt.NDArray[np.uint32]], Optional[npt.NDArray[np.uint32]]]]


class Workspace:
    """Scratch memory of about 400 KiB and the choice of a variant. A call uses it from its start to its end.

    Threads need one each: queries without one take one that belongs to the thread. A workspace that is in use by
    another thread is refused.

    variant: "auto", the fastest that this machine runs, or one of variants(). All give the same bits.

    copy.copy and pickle make another one of the same variant.

    >>> import widephase as wp
    >>> wp.Workspace("scalar").variant
    'scalar'
    """

    def __init__(self, variant: str = "auto") -> None:
        number, workspace = ffi.new("wp_variant *"), ffi.new("wp_workspace **")
        check(lib.wp_variant_from_name(str(variant).encode(), number), "variant",
            f"{variant!r} names no kernel variant; there are {', '.join(('auto', *variants()))}")
        size = lib.wp_workspace_size()
        self._owner, memory = aligned(size)
        check(lib.wp_workspace_init_of(memory, size, number[0], HEADER_VERSION, workspace), "variant")
        self._pointer = workspace[0]
        self._in_use = threading.Lock()

    @property
    def variant(self) -> str:
        """The variant in use, never "auto"."""
        name: str = ffi.string(lib.wp_variant_name(lib.wp_workspace_variant(self._pointer))).decode()
        return name

    def __reduce__(self) -> Tuple[Any, ...]:
        return type(self), (self.variant,)

    def __repr__(self) -> str:
        return f"<Workspace of {self.variant}>"

    @contextlib.contextmanager
    def _held(self) -> Iterator[Any]:
        """For one call, by one thread. The first exception of a support function is raised after it; a support function may
        make calls of its own, whose exceptions are theirs."""
        if not self._in_use.acquire(blocking=False):
            raise Error("workspace", "in use by another thread; each needs its own, and so do queries of support functions")
        try:
            with _raising():
                yield self._pointer
        finally:
            self._in_use.release()


@contextlib.contextmanager
def _raising() -> Iterator[None]:
    """Around one call of the library: the first exception of a support function is raised after it."""
    outer, raised.errors = raised.errors, []
    try:
        yield
    finally:
        errors, raised.errors = raised.errors, outer
    if errors:
        raise errors[0]


_of_thread = threading.local()


def _workspace(given: Optional[Workspace]) -> Workspace:
    if given is None:
        given = getattr(_of_thread, "workspace", None)
        if given is None:
            given = _of_thread.workspace = Workspace()
    check_type(given, "workspace", Workspace)
    return given


def _point(column: Any, where: int, stride: int) -> None:
    """Set the column, a struct of the library's, to an array."""
    column.data, column.stride = pointer(where, ffi.typeof(column.data)), stride


def _real_type(dtype: npt.DTypeLike) -> np.dtype[Any]:
    try:
        found = np.dtype(dtype)
    except TypeError:
        found = INDEX
    if found not in (FLOAT, DOUBLE):
        raise Error("dtype", f"float32 or float64 is needed, not {dtype!r}")
    return found


def _without_view(self: Any) -> Dict[str, Any]:
    """What is copied and pickled: all but the struct for C, which is made anew."""
    return {name: value for name, value in self.__dict__.items() if name != "_view"}


AnyBodies = TypeVar("AnyBodies", bound="BodiesBase")


class BodiesBase:
    """What bodies in 3D and in 2D have in common."""

    _position: ClassVar[int]  # numbers of a position, and of no rotation
    _unturned: ClassVar[Tuple[int, ...]]

    def __init__(self, *, position: npt.NDArray[Any], rotation: npt.NDArray[np.float32],
            shape: Optional[npt.NDArray[np.uint32]] = None) -> None:
        self._arrays = (("bodies.position", position), ("bodies.rotation", rotation), ("bodies.shape", shape))
        self._set_view()

    def _set_view(self) -> None:
        """The wp_bodies."""
        arrays: Any = self._arrays
        position, rotation, shape = (array for _, array in arrays)
        check_dtype(position, "bodies.position", FLOAT, DOUBLE)
        where, stride = rows(position, "bodies.position", position.dtype, (None, self._position))
        count = len(position)
        self._view = ffi.new("wp_bodies *", {"position": {"data": pointer(where), "stride": stride}, "count": count,
            "position_real": lib.WP_REAL_DOUBLE if position.dtype == DOUBLE else lib.WP_REAL_FLOAT})
        where, stride = rows(rotation, "bodies.rotation", FLOAT, (count, len(self._unturned)))
        _point(self._view.rotation, where, stride)
        if shape is not None:
            where, stride = rows(shape, "bodies.shape", INDEX, (count,))
            _point(self._view.shape, where, stride)

    def __getstate__(self) -> Dict[str, Any]:
        return _without_view(self)

    def __setstate__(self, state: Dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._set_view()

    @classmethod
    def copied(cls: Type[AnyBodies], *, position: npt.ArrayLike, rotation: Optional[npt.ArrayLike] = None,
            shape: Optional[npt.ArrayLike] = None, dtype: npt.DTypeLike = None) -> AnyBodies:
        """Bodies of copies in the right types: of lists, of arrays in double, of integers of any kind.

        dtype: of the positions, float32 or float64; None: float32 of an array of float32, float64 of all else. All bodies of a
            call need the same. Rotations are rounded to float32.
        rotation: in 3D also matrices, (n, 3, 3); None: none is turned.
        """
        places = copied(position, "bodies.position", None if dtype is None else _real_type(dtype), cls._position)
        count = len(places) if places.ndim else 0
        turns = np.tile(np.array(cls._unturned, FLOAT), (count, 1)) if rotation is None else rotation
        return cls(position=places, rotation=rotations(turns, "bodies.rotation", len(cls._unturned)),
            shape=None if shape is None else copied(shape, "bodies.shape", INDEX))

    @property
    def position(self) -> npt.NDArray[Any]:
        """The array that was given."""
        return self._arrays[0][1]

    @property
    def rotation(self) -> npt.NDArray[np.float32]:
        """The array that was given."""
        return self._arrays[1][1]

    @property
    def shape(self) -> Optional[npt.NDArray[np.uint32]]:
        """The array that was given, or None."""
        return self._arrays[2][1]

    def __len__(self) -> int:
        count: int = self._view.count
        return count

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {len(self)} bodies, positions {self.position.dtype}>"


class Bodies(BodiesBase):
    """Where bodies are, and what shape each has: a view of the caller's arrays, which are read in every call.

    position: (n, 3) float32 or float64, world position of the shape's origin.
    rotation: (n, 4) float32, unit quaternions x, y, z, w, within 1e-2.
    shape: (n,) uint32, index into the shape table; None: body i has shape i.

    Rows may have any distance: slices and fields of structured arrays are fine. Nothing is copied, so arrays of other
    types are refused; Bodies.copied converts them once. copy.copy is another view of these arrays, a deep copy or a pickle
    has arrays of its own.

    >>> import numpy as np, widephase as wp
    >>> state = np.zeros(4, [("p", "f4", 3), ("q", "f4", 4), ("mass", "f4"), ("shape", "u4")])
    >>> len(wp.Bodies(position=state["p"], rotation=state["q"], shape=state["shape"]))
    4
    """

    _position = 3
    _unturned = (0, 0, 0, 1)


AnyMotions = TypeVar("AnyMotions", bound="MotionsBase")


class MotionsBase:
    """What motions in 3D and in 2D have in common."""

    _translation: ClassVar[int]  # numbers of each
    _rotation: ClassVar[int]

    def __init__(self, *, translation: Optional[npt.NDArray[np.float32]] = None,
            rotation: Optional[npt.NDArray[np.float32]] = None) -> None:
        self._arrays = (("motions.translation", translation), ("motions.rotation", rotation))
        self._set_view()

    def _set_view(self) -> None:
        """The wp_motions."""
        self._view = ffi.new("wp_motions *")
        arrays: Any = self._arrays
        translation, rotation = (array for _, array in arrays)
        if translation is not None:
            where, stride = rows(translation, "motions.translation", FLOAT, (None, self._translation))
            _point(self._view.translation, where, stride)
        if rotation is not None:
            where, stride = rows(rotation, "motions.rotation", FLOAT, (None, self._rotation))
            _point(self._view.rotation, where, stride)

    def __getstate__(self) -> Dict[str, Any]:
        return _without_view(self)

    def __setstate__(self, state: Dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._set_view()

    @classmethod
    def copied(cls: Type[AnyMotions], *, translation: Optional[npt.ArrayLike] = None,
            rotation: Optional[npt.ArrayLike] = None) -> AnyMotions:
        """Motions of copies in the right types, as Bodies.copied makes them; in 3D rotations may be matrices, (n, 3, 3)."""
        return cls(
            translation=None if translation is None else copied(translation, "motions.translation", FLOAT, cls._translation),
            rotation=None if rotation is None else rotations(rotation, "motions.rotation", cls._rotation))

    def _check(self, name: str, count: int) -> None:
        for _, array in self._arrays:
            if array is not None and len(array) != count:
                raise Error(name, f"{len(array)} rows for {count} bodies")


class Motions(MotionsBase):
    """Where bodies go in a cast, row for row beside a Bodies; the same rules hold for the arrays.

    translation: (n, 3) float32, how far the origin moves, world axes; None: nowhere.
    rotation: (n, 4) float32, the rotation at the end; None: as before.

    Motions.copied converts arrays of other types and lists.

    >>> import numpy as np, widephase as wp
    >>> shapes = wp.ShapeTable([wp.Shape.sphere(1)])
    >>> bodies = wp.Bodies.copied(position=[(0, 0, 0), (5, 0, 0)], shape=[0, 0])
    >>> moves = wp.Motions.copied(translation=[(6, 0, 0), (0, 0, 0)])
    >>> wp.cast(shapes, bodies, motions_a=moves, pairs=np.array([(0, 1)], np.uint32)).fraction.round(3).tolist()
    [0.5]
    """

    _translation = 3
    _rotation = 4


class ResultsBase:
    """What the outputs of queries in 3D and in 2D have in common."""

    def __init__(self, arrays: Mapping[str, npt.NDArray[Any]]) -> None:
        self.__dict__.update(arrays)

    @property
    def names(self) -> Tuple[str, ...]:
        """The outputs that are there."""
        return tuple(self.__dict__)

    if not TYPE_CHECKING:
        def __getattr__(self, name: str) -> NoReturn:
            if name in _OUTPUTS or name in _MANIFOLD_OUTPUTS or name in type(self).__annotations__:
                raise AttributeError(f"{name} was not requested; add it to outputs")
            raise AttributeError(name)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {', '.join(self.names)}>"


class Results(ResultsBase):
    """The outputs of a query: of each that was requested an array, row for row as the pairs are.

    Asking for another is an AttributeError that names it.

    separation: (n,) > 0 a gap, < 0 minus the depth of an overlap.
    normal: (n, 3) unit, world axes, from A to B.
    point_a: (n, 3) witness point on A, world axes, of the type of the positions.
    point_b: (n, 3) witness point on B: point_a + separation * normal.
    lower: (n,) proven lower bound of the separation.
    upper: (n,) proven upper bound of the separation.
    status: (n,) Status bits.
    iterations: (n,) support evaluations of both shapes that the row took.
    overlap: (n,) True unless the shapes are proven apart; False in an invalid row.
    local_a: (n, 3) point_a in the frame of its own body.
    local_b: (n, 3) point_b in the frame of its own body.
    tangent_1: (n, 3) unit, across the normal.
    tangent_2: (n, 3) tangent_1 x tangent_2 = normal.
    fraction: (n,) cast only: how far both may move.
    """

    separation: npt.NDArray[np.float32]
    normal: npt.NDArray[np.float32]
    point_a: npt.NDArray[Any]
    point_b: npt.NDArray[Any]
    lower: npt.NDArray[np.float32]
    upper: npt.NDArray[np.float32]
    status: npt.NDArray[np.uint32]
    iterations: npt.NDArray[np.uint32]
    overlap: npt.NDArray[np.bool_]
    local_a: npt.NDArray[np.float32]
    local_b: npt.NDArray[np.float32]
    tangent_1: npt.NDArray[np.float32]
    tangent_2: npt.NDArray[np.float32]
    fraction: npt.NDArray[np.float32]


class Manifolds(Results):
    """The outputs of contact_manifold.

    count: (n,) points of the row.
    points: (n, point_max) of manifold_point_dtype; those from count on mean nothing.
    solver_points: (n, point_max) of solver_point_dtype, where `out` has them instead of points.
    """

    count: npt.NDArray[np.uint32]
    points: npt.NDArray[Any]
    solver_points: npt.NDArray[Any]


class Method(NamedTuple):
    """How contact finds its rows. The automatic choice is the most accurate, and mostly the fastest.

    number, margin, directions: as the class methods set them; Method() is the automatic choice.
    """

    number: int = lib.WP_METHOD_AUTO
    margin: float = 0.0
    directions: int = 0

    @classmethod
    def gjk_epa(cls) -> "Method":
        """GJK and EPA alone, without closed forms."""
        return cls(lib.WP_METHOD_GJK_EPA)

    @classmethod
    def core(cls, margin: float) -> "Method":
        """Boxes, and hulls with faces, shrunk by the margin and rounded by it again."""
        return cls(lib.WP_METHOD_CORE, margin)

    @classmethod
    def sampled(cls, directions: int) -> "Method":
        """Some directions alone, 6 to 256: approximate, with a proven bracket."""
        return cls(lib.WP_METHOD_SAMPLED, 0.0, directions)


# ---- the arguments of a call ----------------------------------------------------------------------


class Space(NamedTuple):
    """What calls in 3D and in 2D differ by."""

    prefix: str  # of the calls and structs
    pose: Any  # pointers to these structs
    row: Any
    table: Any
    bodies: Any
    motions: Any
    shape: Any
    outputs: Outputs
    points: np.dtype[Any]  # of manifolds
    point_max: int

    def call(self, name: str) -> Any:
        return getattr(lib, self.prefix + name)


SPACE = Space("wp_", ffi.typeof("wp_pose *"), ffi.typeof("wp_row *"), ShapeTable, Bodies, Motions, Shape, _OUTPUTS,
    manifold_point_dtype, MANIFOLD_POINT_MAX)


class _Call:
    """The structs of one call, and what they point at."""

    results_kind = "wp_results *"
    statistics: ClassVar[Type[Any]] = Statistics
    statistics_kind = "wp_statistics *"
    aside: ClassVar[Tuple[str, ...]] = _SOME_HAVE  # columns of this object, not of the results

    def __init__(self, shapes: Any, a: Any, b: Any, pairs: Optional[Pairs], space: Space = SPACE) -> None:
        self.space = space
        check_type(shapes, "shapes", space.table)
        self.batch = ffi.new(f"{space.prefix}batch *", {"shapes": shapes._pointer})
        self.results = ffi.new(self.results_kind)
        self.fraction, self.triangle = ffi.new("wp_float_column *"), ffi.new("wp_uint32_column *")
        self.inputs: List[Tuple[str, Any]] = []
        self.outputs: List[Tuple[str, Any]] = []  # the caller's
        self.keeps = (shapes, a, b, pairs)
        self._set_bodies("a", a)
        if b is not None:
            self._set_bodies("b", b)
            if a._view.position_real != b._view.position_real:
                raise Error("b", f"positions are {b.position.dtype}, but of a {a.position.dtype}; convert one of them, as "
                    f"Bodies.copied(..., dtype='{a.position.dtype}') does")
        self.rows = self._set_pairs(a, b, pairs)
        self.points: np.dtype[Any] = DOUBLE if a._view.position_real == lib.WP_REAL_DOUBLE else FLOAT

    def _set_bodies(self, name: str, bodies: Any) -> None:
        if name == "b" and isinstance(bodies, np.ndarray):
            raise Error(name, "Bodies are needed, not ndarray; pairs are given by name: pairs=...")
        check_type(bodies, name, self.space.bodies)
        setattr(self.batch, name, bodies._view[0])
        self.inputs += bodies._arrays

    def _set_pairs(self, a: Any, b: Any, pairs: Optional[Pairs]) -> int:
        """Number of rows."""
        if pairs is None:
            if b is None or len(a) != len(b):
                raise Error("pairs", "needed, but where a and b have the same number of bodies, one for each row")
            return len(a)
        count: Optional[int] = None
        for field, (name, column) in zip(("pair_a", "pair_b"), _columns(pairs)):
            if column is None:
                continue
            where, stride = rows(column, name, INDEX, (count,))
            count = len(column)
            _point(getattr(self.batch, field), where, stride)
            self.inputs.append((name, column))
        return count or 0

    def set_range(self, first: int, count: Optional[int], out: Optional[Out]) -> None:
        first = integer(first, "first", 0, self.rows)
        count = self.rows - first if count is None else integer(count, "count", 0, self.rows - first)
        if out is None and count != self.rows:
            raise Error("first, count", "a range of the rows needs `out`, arrays for all of them")
        self.batch.first, self.batch.count = first, count

    def set_cache(self, cache: Optional[npt.NDArray[Any]]) -> None:
        if cache is not None:
            where, stride = rows(cache, "cache", cache_dtype, (self.rows,), writeable=True)
            check_apart([("cache", cache)], self.inputs)
            _point(self.results.cache, where, stride)
            self.inputs.append(("cache", cache))

    def direction(self, direction: npt.NDArray[np.float32]) -> Any:
        where, stride = rows(direction, "direction", FLOAT, (self.rows, 3))
        self.inputs.append(("direction", direction))
        column = ffi.new("wp_const_float_column *")
        _point(column, where, stride)
        return column

    def motions(self, name: str, motions: Any, bodies: Any) -> Any:
        if motions is None:
            return ffi.NULL
        check_type(motions, name, self.space.motions)
        motions._check(name, len(bodies))
        self.inputs += motions._arrays
        return motions._view

    def both_motions(self, motions_a: Any, motions_b: Any, a: Any, b: Any) -> Tuple[Any, Any]:
        """Where b is None all bodies are in a, and cannot go two ways."""
        moves = self.motions("motions_a", motions_a, a), self.motions("motions_b", motions_b, a if b is None else b)
        if b is None and motions_b is not None and motions_b is not motions_a:
            raise Error("motions_b", "would not be read, as b is None: all bodies are in a and go by motions_a; give b, too")
        return moves

    def wanted(self, outputs: Union[str, Sequence[str], None], out: Optional[Out],
            usual: Sequence[str]) -> Sequence[str]:
        """Names of the outputs: the requested ones; the ones that `out` has; the usual ones of the query."""
        possible = [name for name in self.space.outputs if name not in self.aside or name in usual]
        strange: List[Any]
        if outputs is not None:
            if not isinstance(outputs, (str, list, tuple)):
                raise Error("outputs", f"names are needed, not {type(outputs).__name__}")
            names = (outputs,) if isinstance(outputs, str) else tuple(outputs)
            strange = [name for name in names if not isinstance(name, str) or name not in possible]
        elif out is None:
            return usual
        else:
            names = tuple(name for name in _names_of(out) if name in possible)
            # An array of structs may hold more than the query writes; a mapping was made for it.
            known = (*possible, *_MANIFOLD_OUTPUTS)
            strange = [name for name in out if name not in known] if isinstance(out, Mapping) else []
        if strange:
            raise Error("outputs" if outputs is not None else "out",
                f"{strange[0]!r} is no output of this query; there are {', '.join(possible)}")
        return names

    def ask(self, names: Sequence[str], out: Optional[Out]) -> Dict[str, npt.NDArray[Any]]:
        """Arrays of the outputs, allocated or the caller's, with the results pointing at them."""
        arrays = {name: self._allocate(name) if out is None else _given(out, name) for name in names}
        for name, array in arrays.items():
            dtypes, shape = self.space.outputs[name]
            label = _label(name, out)
            check_dtype(array, label, *dtypes, writeable=True)
            where, stride = rows(array, label, array.dtype, (self.rows, *shape), writeable=True)
            _point(getattr(self if name in self.aside else self.results, name), where, stride)
        types = {arrays[name].dtype for name in ("point_a", "point_b") if name in arrays}
        if len(types) > 1:
            raise Error(_label("point_b", out), "point_a and point_b must have the same dtype")
        if "point_a" in self.space.outputs:
            self.results.point_real = lib.WP_REAL_DOUBLE if DOUBLE in types else lib.WP_REAL_FLOAT
        self._check_apart(arrays, out)
        return arrays

    def _allocate(self, name: str) -> npt.NDArray[Any]:
        dtypes, shape = self.space.outputs[name]
        array: npt.NDArray[Any] = np.empty((self.rows, *shape), self.points if self.points in dtypes else dtypes[0])
        return array

    def ask_manifolds(self, point_max: int, out: Optional[Out]) -> Tuple[Any, Dict[str, npt.NDArray[Any]]]:
        """The wp_manifolds, and its arrays. What is not written of allocated points is zero."""
        point_max = integer(point_max, "point_max", 1, self.space.point_max)
        name, dtype = "points", self.space.points
        if out is not None and self.space is SPACE and "solver_points" in _names_of(out):
            name, dtype = "solver_points", solver_point_dtype
            if "points" in _names_of(out):
                raise Error("out", "has both points and solver_points")
        if out is None:
            count, points = np.zeros(self.rows, INDEX), np.zeros((self.rows, point_max), dtype)
        else:
            count, points = _given(out, "count"), _given(out, name)
        counts = rows(count, _label("count", out), INDEX, (self.rows,), writeable=True)
        places = rows(points, _label(name, out), dtype, (self.rows, point_max), writeable=True)
        arrays = {"count": count, name: points}
        self._check_apart(arrays, out)
        manifolds = ffi.new(f"{self.space.prefix}manifolds *", {"point_max": point_max})
        _point(manifolds.count, *counts)
        _point(getattr(manifolds, name), *places)
        return manifolds, arrays

    def _check_apart(self, arrays: Mapping[str, npt.NDArray[Any]], out: Optional[Out]) -> None:
        if out is not None:
            written = [(_label(name, out), array) for name, array in arrays.items()]
            if isinstance(out, np.ndarray):  # its fields are apart
                for field in written:
                    check_apart([field], self.inputs)
            else:
                check_apart(written, self.inputs, self.outputs)
                self.outputs += written

    def run(self, function: Any, workspace: Optional[Workspace], statistics: Any,
            before: Tuple[Any, ...] = (), after: Tuple[Any, ...] = ()) -> None:
        """before: the arguments between the batch and the results; after: those that follow the results."""
        if statistics is not None:
            check_type(statistics, "statistics", self.statistics)
        counts = ffi.new(self.statistics_kind)
        with _workspace(workspace)._held() as scratch:
            error = function(scratch, self.batch, *before, self.results, *after, counts)
        check(error, _ARGUMENT_OF.get(error, "batch"))
        if statistics is not None:
            statistics._add(counts)
        if counts.invalid:
            first = counts.first_invalid_row
            warn(f"{counts.invalid} of {counts.rows} rows are Status.INVALID; the first is row {first}{self._reason(first)}")

    def _reason(self, row: int) -> str:
        """Why a row is invalid, as its status tells, where that was requested."""
        column = self.results.status
        if column.data == ffi.NULL:
            return '; the output "status" has the reason'
        bits = ffi.cast("uint32_t *", ffi.cast("char *", column.data) + row * column.stride)[0]
        reasons = [f"{name}, {text.format(self._body(row, name))}" for name, text in _REASONS.items() if bits & Status[name]]
        return f": {'; '.join(reasons)}"

    def _body(self, row: int, reason: str) -> str:
        """The body that is the reason, as it is in the arrays."""
        _, _, b, pairs = self.keeps
        side = reason.endswith("_B")
        column = None if pairs is None else _columns(pairs)[side][1]
        return f"body {row if column is None else column[row]} of {'b' if side and b is not None else 'a'}"


# Bits of the status of invalid rows, and what each tells of a body.
_REASONS = {f"INVALID_{what}_{side}": text for side in "AB" for what, text in (
    ("BODY", "there is no {}"),
    ("SHAPE", "{} has a shape that is not there, is invalid or not for this query"),
    ("POSITION", "{} has a position, motion or direction that is not finite, beyond 1e30 or, of a direction, zero"),
    ("ROTATION", "{} has a rotation whose length is not 1"))}
_REASONS["INVALID_TRACKED"] = "`index` names no tracked pair"

# What the library judges itself.
_ARGUMENT_OF = {lib.WP_ERROR_MAX_SEPARATION: "max_separation", lib.WP_ERROR_PAIR_RANGE: "pairs",
    lib.WP_ERROR_METHOD: "method", lib.WP_ERROR_METHOD_MARGIN: "method", lib.WP_ERROR_METHOD_DIRECTIONS: "method",
    lib.WP_ERROR_MERGING: "merging", lib.WP_ERROR_MAX_DISTANCE: "max_distance", lib.WP_ERROR_REUSE_ERROR: "reuse_error"}


def _columns(pairs: Pairs) -> Tuple[Tuple[str, Any], Tuple[str, Any]]:
    """The indices of A and of B."""
    if isinstance(pairs, tuple):
        if len(pairs) != 2 or (pairs[0] is None and pairs[1] is None):
            raise Error("pairs", "a tuple is one array of indices for a, one for b; one of them may be None")
        return ("pairs[0]", pairs[0]), ("pairs[1]", pairs[1])
    check_dtype(pairs, "pairs", INDEX)
    check_shape(pairs, "pairs", (None, 2))
    return ("pairs", pairs[:, 0]), ("pairs", pairs[:, 1])


def indices_of(pairs: Optional[Pairs], count: int) -> Tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """The same with the numbers of the rows, `count` of them without pairs, where no indices are given."""
    given: Sequence[Any] = (None, None) if pairs is None else [column for _, column in _columns(pairs)]
    sizes = [len(column) for column in given if column is not None] or [count]
    if len(set(sizes)) > 1:
        raise Error("pairs", "both arrays must have the same length")
    a, b = (np.arange(sizes[0]) if column is None else column for column in given)
    return a, b


def _label(name: str, out: Optional[Out]) -> str:
    return name if out is None else f"out[{name!r}]"


def _names_of(out: Out) -> Tuple[str, ...]:
    if isinstance(out, ResultsBase):
        return out.names
    if isinstance(out, np.ndarray) and out.dtype.names is not None:
        return out.dtype.names
    if isinstance(out, Mapping):
        return tuple(out)
    raise Error("out", f"a mapping of arrays or a structured array is needed, not {type(out).__name__}")


def _given(out: Out, name: str) -> npt.NDArray[Any]:
    if name not in _names_of(out):
        raise Error("out", f"has no {name}")
    array: npt.NDArray[Any] = getattr(out, name) if isinstance(out, ResultsBase) else out[name]
    check_array(array, f"out[{name!r}]")
    return array


# ---- batches --------------------------------------------------------------------------------------


def overlap(shapes: ShapeTable, a: Bodies, b: Optional[Bodies] = None, *, pairs: Optional[Pairs] = None,
        outputs: Union[str, Sequence[str], None] = None, out: Optional[Out] = None, first: int = 0,
        count: Optional[int] = None, cache: Optional[npt.NDArray[Any]] = None, workspace: Optional[Workspace] = None,
        statistics: Optional[Statistics] = None) -> Results:
    """Do the shapes of each pair share a point? The cheapest query; usual outputs: overlap, status.

    shapes: what the bodies name.
    a, b: where the bodies are; b None: the bodies of a.
    pairs: (n, 2) uint32, of each row the body of a and the body of b; or a tuple of two arrays, in
        which None stands for the number of the row. None: row r pairs body r of a with body r of b.
    outputs: names of what is wanted, attributes of Results; every other output is not computed.
    out: where to write them, instead of new arrays: a mapping of arrays, a structured array (one of row_dtype is the
        quickest), or the results of a call before. Without `outputs`, all outputs that it has. Outputs may not lie
        in the memory of inputs; where they overlap each other, the last one written remains.
    first, count: the rows to be answered, all unless told. They go to the same rows of `out`, so threads can share
        everything but the workspace. The interpreter runs other threads meanwhile; none of them may write to inputs.
    cache: (n,) of cache_dtype, read and written: what the last query of each pair found.
    workspace: None: one that belongs to the thread.
    statistics: counts the rows by their status.

    Bad rows (a body that is not there, a NaN) are Status.INVALID, an InvalidWarning has their number and the first, and
    all others are right; arguments that cannot be used
    are an Error, and nothing is written.

    separation, lower and upper hold what was proven on the way, normal the direction of a gap; points are zero.
    """
    return Results(answer(SPACE, "overlap", ("overlap", "status"), shapes, a, b, pairs, outputs, out, first, count, cache,
        workspace, statistics))


def distance(shapes: ShapeTable, a: Bodies, b: Optional[Bodies] = None, *, pairs: Optional[Pairs] = None,
        outputs: Union[str, Sequence[str], None] = None, out: Optional[Out] = None, first: int = 0,
        count: Optional[int] = None, cache: Optional[npt.NDArray[Any]] = None, workspace: Optional[Workspace] = None,
        statistics: Optional[Statistics] = None) -> Results:
    """How far apart are the shapes of each pair? 0 where they overlap. Usual outputs: separation, status.

    Arguments as of overlap.

    >>> import numpy as np, widephase as wp
    >>> table = wp.ShapeTable([wp.Shape.sphere(1), wp.Shape.box(1, 1, 1)])
    >>> bodies = wp.Bodies.copied(position=[(0, 0, 0), (4, 0, 0), (1, 0, 0)], shape=[0, 1, 1])
    >>> wp.distance(table, bodies, pairs=np.array([(0, 1), (0, 2)], np.uint32)).separation.tolist()
    [2.0, 0.0]
    """
    return Results(answer(SPACE, "distance", ("separation", "status"), shapes, a, b, pairs, outputs, out, first, count, cache,
        workspace, statistics))


CONTACT = ("separation", "normal", "point_a", "point_b", "status")


def contact(shapes: ShapeTable, a: Bodies, b: Optional[Bodies] = None, *, pairs: Optional[Pairs] = None,
        max_separation: float = math.inf, outputs: Union[str, Sequence[str], None] = None, out: Optional[Out] = None,
        first: int = 0, count: Optional[int] = None, cache: Optional[npt.NDArray[Any]] = None,
        workspace: Optional[Workspace] = None, statistics: Optional[Statistics] = None,
        method: Method = Method()) -> Results:
    """Signed separation, normal and witness points. Usual outputs: these and status.

    max_separation: rows proven further apart are Status.BEYOND, with that proof for a separation, and end early: 0 for contacts
        of shapes that touch or overlap. The usual math.inf has the exact separation of all.
    method: how rows are found; the automatic choice, or another Method.

    Other arguments as of overlap.
    """
    check_type(method, "method", Method)
    name = "contact"
    options: Tuple[Any, ...] = (options_of(max_separation),)
    if method != Method():
        name = "contact_by_method"
        options += (ffi.new("wp_method_options *", {"method": method.number,
            "margin": number(method.margin, "method"), "directions": integer(method.directions, "method", 0, 2**32 - 1)}),)
    return Results(answer(SPACE, name, CONTACT, shapes, a, b, pairs, outputs, out, first, count, cache, workspace,
        statistics, options))


def contact_manifold(shapes: ShapeTable, a: Bodies, b: Optional[Bodies] = None, *, pairs: Optional[Pairs] = None,
        max_separation: float = math.inf, point_max: int = 4, outputs: Union[str, Sequence[str], None] = None,
        out: Optional[Out] = None, first: int = 0, count: Optional[int] = None,
        cache: Optional[npt.NDArray[Any]] = None, workspace: Optional[Workspace] = None,
        statistics: Optional[Statistics] = None) -> Manifolds:
    """Contacts, and all points in which the shapes of each pair face each other: the results' count and points.

    max_separation: points further apart are left out, and rows are as of contact. The usual math.inf makes points of all,
        however far apart.
    point_max: most points wanted of a row, 1 to 8.
    out: has to have count, (n,) uint32, and points, (n, point_max) of manifold_point_dtype, too; or solver_points, of
        solver_point_dtype, for the same points without the world frame.

    Other arguments as of contact. Hulls need their faces; cylinders and cones have points of their caps and sides.
    """
    arrays = answer_manifolds(SPACE, shapes, a, b, pairs, max_separation, point_max, outputs, out, first, count, cache,
        workspace, statistics)
    return Manifolds(arrays)


def cast(shapes: ShapeTable, a: Bodies, b: Optional[Bodies] = None, *, motions_a: Optional[Motions] = None,
        motions_b: Optional[Motions] = None, pairs: Optional[Pairs] = None,
        outputs: Union[str, Sequence[str], None] = None, out: Optional[Out] = None, first: int = 0,
        count: Optional[int] = None, workspace: Optional[Workspace] = None,
        statistics: Optional[Statistics] = None) -> Results:
    """When do the shapes of each pair first touch, as they move? Usual outputs: fraction, normal, status.

    motions_a, motions_b: where the bodies of a and b go; None: nowhere. Where b is None, its bodies and motions are
        taken from a.

    Rows whose status has Status.HIT are free of contact before `fraction`, where the outputs are as of contact;
    others have fraction 1. A cast of Shape.point is a ray. Other arguments as of overlap.
    """
    return Results(answer_cast(SPACE, shapes, a, b, motions_a, motions_b, pairs, outputs, out, first, count, workspace,
        statistics))


def depth_along(shapes: ShapeTable, a: Bodies, b: Optional[Bodies] = None, *, direction: npt.NDArray[np.float32],
        pairs: Optional[Pairs] = None, outputs: Union[str, Sequence[str], None] = None, out: Optional[Out] = None,
        first: int = 0, count: Optional[int] = None, workspace: Optional[Workspace] = None,
        statistics: Optional[Statistics] = None) -> Results:
    """How far must B move along a direction to be free of A? Usual outputs: separation, status.

    direction: (n, 3) float32, one for each row, of any length but zero, world axes.

    separation is minus that distance where the shapes overlap, and elsewhere the outputs are as of contact. Other
    arguments as of overlap.
    """
    call = _Call(shapes, a, b, pairs)
    call.set_range(first, count, out)
    way = call.direction(direction)
    arrays = call.ask(call.wanted(outputs, out, ("separation", "status")), out)
    call.run(lib.wp_depth_along, workspace, statistics, (way,))
    return Results(arrays)


def bodies_bounds(shapes: ShapeTable, bodies: Bodies, *, max_separation: float = 0.0
        ) -> Tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """Boxes of bodies, for the broadphase: (lower, upper), each (n, 3) of the type of the positions, along the axes of the world.

    max_separation: each box holds its body and half of this more on each side, so that the boxes of bodies overlap that
        contacts up to this separation are made of.

    Those of half-spaces are infinite. Bodies with compounds have compound_bodies_bounds, bodies with meshes
    mesh_bodies_bounds. A body without a valid shape or pose has lower = inf and upper = -inf.

    >>> import widephase as wp
    >>> shapes = wp.ShapeTable([wp.Shape.box(1, 2, 3)])
    >>> lower, upper = wp.bodies_bounds(shapes, wp.Bodies.copied(position=[(0, 0, 5)]), max_separation=0.5)
    >>> lower.round(3).tolist(), upper.round(3).tolist()
    ([[-1.25, -2.25, 1.75]], [[1.25, 2.25, 8.25]])
    """
    check_type(shapes, "shapes", SPACE.table)
    check_type(bodies, "bodies", SPACE.bodies)
    batch = ffi.new("wp_batch *", {"shapes": shapes._pointer, "a": bodies._view[0], "count": len(bodies)})
    return boxes_by(lib.wp_bodies_bounds, batch, bodies, max_separation)


def boxes_by(function: Any, batch: Any, bodies: Bodies, max_separation: float
        ) -> Tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """The boxes that a call finds for the bodies of a batch."""
    real, dtype = bodies._view.position_real, bodies.position.dtype
    lower, upper = np.empty((len(bodies), 3), dtype), np.empty((len(bodies), 3), dtype)
    bounds = ffi.new("wp_bounds *", {"real": real})
    for column, box in ((bounds.lower, lower), (bounds.upper, upper)):
        _point(column, *rows(box, "bodies", dtype, (len(bodies), 3), writeable=True))
    with _raising():
        error = function(batch, options_of(max_separation), bounds)
    check(error, _ARGUMENT_OF.get(error, "bodies"))
    return lower, upper


def answer(space: Space, name: str, usual: Sequence[str], shapes: Any, a: Any, b: Any, pairs: Optional[Pairs],
        outputs: Union[str, Sequence[str], None], out: Optional[Out], first: int, count: Optional[int],
        cache: Optional[npt.NDArray[Any]], workspace: Optional[Workspace], statistics: Optional[Statistics],
        arguments: Tuple[Any, ...] = ()) -> Dict[str, npt.NDArray[Any]]:
    """A query of a batch, in 3D or 2D: the arrays of its outputs."""
    call = _Call(shapes, a, b, pairs, space)
    call.set_range(first, count, out)
    call.set_cache(cache)
    arrays = call.ask(call.wanted(outputs, out, usual), out)
    call.run(space.call(name), workspace, statistics, arguments)
    return arrays


def answer_manifolds(space: Space, shapes: Any, a: Any, b: Any, pairs: Optional[Pairs], max_separation: float,
        point_max: int, outputs: Union[str, Sequence[str], None], out: Optional[Out], first: int, count: Optional[int],
        cache: Optional[npt.NDArray[Any]], workspace: Optional[Workspace],
        statistics: Optional[Statistics]) -> Dict[str, npt.NDArray[Any]]:
    call = _Call(shapes, a, b, pairs, space)
    call.set_range(first, count, out)
    call.set_cache(cache)
    arrays = call.ask(call.wanted(outputs, out, CONTACT), out)
    manifolds, more = call.ask_manifolds(point_max, out)
    call.run(space.call("contact_manifold"), workspace, statistics, (options_of(max_separation),), (manifolds,))
    return {**arrays, **more}


def answer_cast(space: Space, shapes: Any, a: Any, b: Any, motions_a: Any, motions_b: Any, pairs: Optional[Pairs],
        outputs: Union[str, Sequence[str], None], out: Optional[Out], first: int, count: Optional[int],
        workspace: Optional[Workspace], statistics: Optional[Statistics]) -> Dict[str, npt.NDArray[Any]]:
    call = _Call(shapes, a, b, pairs, space)
    call.set_range(first, count, out)
    moves = call.both_motions(motions_a, motions_b, a, b)
    arrays = call.ask(call.wanted(outputs, out, ("fraction", "normal", "status")), out)
    call.run(space.call("cast"), workspace, statistics, moves, (call.fraction,))
    return arrays


def options_of(max_separation: float) -> Any:
    return ffi.new("wp_contact_options *", {"max_separation": number(max_separation, "max_separation")})


# ---- one pair -------------------------------------------------------------------------------------


class Pose(NamedTuple):
    """Where a body is: a rotation, then a translation. Any pair of sequences or arrays serves as one.

    position: of the shape's origin.
    rotation: unit quaternion x, y, z, w.
    """

    position: Numbers = (0.0, 0.0, 0.0)
    rotation: Numbers = (0.0, 0.0, 0.0, 1.0)


class Row(NamedTuple):
    """All that a query learns of one pair.

    separation, normal, point_a, point_b, lower, upper, status, iterations: as in Results, vectors as tuples.
    """

    separation: float
    normal: Tuple[float, ...]
    point_a: Tuple[float, ...]
    point_b: Tuple[float, ...]
    lower: float
    upper: float
    status: Status
    iterations: int


AnyPose = Union[Pose, Tuple[Numbers, Numbers]]


def pose_of(space: Space, pose: AnyPose, name: str) -> Any:
    try:
        position, rotation = pose
    except (TypeError, ValueError):
        raise Error(name, f"a position and a rotation are needed, not {pose!r}") from None
    return ffi.new(space.pose, {"position": numbers(position, f"{name}.position", space.bodies._position),
        "rotation": numbers(rotation, f"{name}.rotation", len(space.bodies._unturned))})


def answer_pair(space: Space, name: str, shape_a: Any, pose_a: AnyPose, shape_b: Any, pose_b: AnyPose,
        workspace: Optional[Workspace], after: Sequence[Any] = (), tail: Sequence[Any] = ()) -> Row:
    """A query of one pair, in 3D or 2D. after, tail: the arguments before the row and those that follow it."""
    array_a = shape_array((shape_a,), ("shape_a",), space.shape)
    array_b = shape_array((shape_b,), ("shape_b",), space.shape)
    at_a, at_b = pose_of(space, pose_a, "pose_a"), pose_of(space, pose_b, "pose_b")
    row = ffi.new(space.row)
    with _workspace(workspace)._held() as scratch:
        error = space.call(name)(scratch, array_a, at_a, array_b, at_b, *after, row, *tail)
    check(error, _ARGUMENT_OF.get(error, "pair"))
    return Row(row.separation, tuple(row.normal), tuple(row.point_a), tuple(row.point_b), row.lower, row.upper,
        Status(row.status), row.iterations)


def manifold_pair(space: Space, shape_a: Any, pose_a: AnyPose, shape_b: Any, pose_b: AnyPose, max_separation: float,
        point_max: int, workspace: Optional[Workspace]) -> Tuple[Row, npt.NDArray[Any]]:
    points = np.zeros(integer(point_max, "point_max", 1, space.point_max), space.points)
    count = ffi.new("uint32_t *")
    where = pointer(points.__array_interface__["data"][0], f"{space.prefix}manifold_point *")
    row = answer_pair(space, "contact_manifold_pair", shape_a, pose_a, shape_b, pose_b, workspace,
        [options_of(max_separation)], [where, len(points), count])
    return row, points[:count[0]]


def cast_of_pair(space: Space, shape_a: Any, pose_a: AnyPose, shape_b: Any, pose_b: AnyPose, end_a: Optional[AnyPose],
        end_b: Optional[AnyPose], workspace: Optional[Workspace]) -> Tuple[float, Row]:
    fraction = ffi.new("float *")
    ends = [ffi.NULL if end is None else pose_of(space, end, name) for end, name in ((end_a, "end_a"), (end_b, "end_b"))]
    row = answer_pair(space, "cast_pair", shape_a, pose_a, shape_b, pose_b, workspace, ends, [fraction])
    return fraction[0], row


def overlap_pair(shape_a: Shape, pose_a: AnyPose, shape_b: Shape, pose_b: AnyPose, *,
        workspace: Optional[Workspace] = None) -> Row:
    """overlap of one pair, with the bits of the batch call. A bad number gives Status.INVALID, no exception."""
    return answer_pair(SPACE, "overlap_pair", shape_a, pose_a, shape_b, pose_b, workspace)


def distance_pair(shape_a: Shape, pose_a: AnyPose, shape_b: Shape, pose_b: AnyPose, *,
        workspace: Optional[Workspace] = None) -> Row:
    """distance of one pair, with the same arguments."""
    return answer_pair(SPACE, "distance_pair", shape_a, pose_a, shape_b, pose_b, workspace)


def contact_pair(shape_a: Shape, pose_a: AnyPose, shape_b: Shape, pose_b: AnyPose, *,
        max_separation: float = math.inf, workspace: Optional[Workspace] = None) -> Row:
    """contact of one pair, with the same arguments.

    >>> import widephase as wp
    >>> box = wp.Shape.box(1, 1, 1)
    >>> row = wp.contact_pair(box, wp.Pose(), box, wp.Pose((1.5, 0, 0)))
    >>> row.separation, row.normal, row.status
    (-0.5, (1.0, 0.0, 0.0), <Status.PENETRATING: 4>)
    """
    return answer_pair(SPACE, "contact_pair", shape_a, pose_a, shape_b, pose_b, workspace, [options_of(max_separation)])


def contact_manifold_pair(shape_a: Shape, pose_a: AnyPose, shape_b: Shape, pose_b: AnyPose, *,
        max_separation: float = math.inf, point_max: int = 4,
        workspace: Optional[Workspace] = None) -> Tuple[Row, npt.NDArray[Any]]:
    """contact_manifold of one pair: its contact, and its points, of manifold_point_dtype."""
    return manifold_pair(SPACE, shape_a, pose_a, shape_b, pose_b, max_separation, point_max, workspace)


def cast_pair(shape_a: Shape, pose_a: AnyPose, shape_b: Shape, pose_b: AnyPose, end_a: Optional[AnyPose] = None,
        end_b: Optional[AnyPose] = None, *, workspace: Optional[Workspace] = None) -> Tuple[float, Row]:
    """cast of one pair, from a pose to a pose: the fraction, and the contact there. An end of None is the start."""
    return cast_of_pair(SPACE, shape_a, pose_a, shape_b, pose_b, end_a, end_b, workspace)


def depth_along_pair(shape_a: Shape, pose_a: AnyPose, shape_b: Shape, pose_b: AnyPose, direction: Numbers, *,
        workspace: Optional[Workspace] = None) -> Row:
    """depth_along of one pair."""
    return answer_pair(SPACE, "depth_along_pair", shape_a, pose_a, shape_b, pose_b, workspace, [ffi.new("float[3]", numbers(direction, "direction", 3))])
