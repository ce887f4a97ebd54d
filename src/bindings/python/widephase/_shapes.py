"""Shapes, convex hulls, and the table that batches name shapes by."""

from __future__ import annotations

import enum
import itertools
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Callable, ClassVar, Dict, Generic, Iterable, List, NamedTuple, Optional, Sequence, Tuple, TypeVar

import numpy as np
import numpy.typing as npt

from widephase._arrays import (FLOAT, INDEX, Indices, Numbers, address, check_shape, check_type, copied, frozen,
    integer, number, numbers, pointer, sequence)
from widephase._library import Error, aligned, check, cook_library, ffi, lib, raised, warn

Vector = Tuple[float, float, float]
_ZERO: Vector = (0.0, 0.0, 0.0)


class Kind(enum.IntEnum):
    """What the core of a shape is."""

    POINT = 0
    SPHERE = 1
    SEGMENT = 2
    CAPSULE = 3
    TRIANGLE = 4
    BOX = 5
    HULL = 6
    CYLINDER = 7
    CONE = 8
    ELLIPSOID = 9
    CUSTOM = 10
    HALF_SPACE = 11


def _vertices(points: npt.ArrayLike, name: str) -> npt.NDArray[np.float32]:
    """Hulls copy what they are built from, so points may come in any form; they are rounded to float32."""
    found: npt.NDArray[np.float32] = copied(points, name, FLOAT, 3)
    check_shape(found, name, (None, 3))
    return found


def _cause_of_vertex(vertex: npt.NDArray[np.float32]) -> str:
    return f"{tuple(vertex.tolist())} is {'beyond 1e30' if np.isfinite(vertex).all() else 'not finite'}"


def _cause_of_face(face: npt.NDArray[np.uint32], count: int) -> str:
    """What is wrong with the indices of a face of a hull with so many vertices."""
    if len(face) < 3:
        return f"a face has 3 vertices or more, not {len(face)}"
    return f"index {face[face >= count][0]} is not below {count}, the number of vertices"


def _face_lists(faces: Iterable[Indices]) -> Tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint32]]:
    """Sizes of all faces, and their indices one after the other."""
    lists = []
    for number, face in enumerate(sequence(faces, "faces")):
        name = f"faces[{number}]"
        lists.append([integer(index, name, 0, 0xffffffff) for index in sequence(face, name)])
    return np.array([len(face) for face in lists], INDEX), np.array([i for face in lists for i in face], INDEX)


class Mass(NamedTuple):
    """What a solid of density 1 weighs; for another density, multiply volume and inertia by it.

    volume: the mass, of a compound with the densities of its children.
    centroid: (3,), in the frame of the shape, hull or compound.
    inertia: (3, 3), symmetric, about the centroid, along the axes of that frame.
    """

    volume: float
    centroid: npt.NDArray[np.float64]
    inertia: npt.NDArray[np.float64]


def mass_of(mass: Any) -> Mass:
    """A wp_mass."""
    return Mass(mass.volume, np.array(list(mass.centroid)), np.array([list(row) for row in mass.inertia]))


class Hull:
    """A convex hull: immutable, made ready once, used by any number of shapes.

    >>> import widephase as wp
    >>> hull = wp.Hull.from_vertices([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)])
    >>> hull.vertices.shape, len(hull.faces)
    ((4, 3), 0)
    >>> wp.Hull.from_bytes(hull.to_bytes()) == hull
    True
    """

    def __init__(self, owner: Any, pointer_: Any) -> None:
        """Not for callers: the class methods make hulls."""
        self._owner = owner
        self._pointer = pointer_

    @classmethod
    def from_vertices(cls, vertices: npt.ArrayLike, faces: Optional[Iterable[Indices]] = None) -> Hull:
        """A hull of the vertices as they are given, in their order.

        vertices: (n, 3), n from 1 to 65535, finite; vertices of a convex polyhedron, which may be flat. They are copied.
        faces: of each the indices of its vertices, counter-clockwise seen from outside; faces that are all clockwise
            are turned. They must be the whole surface of the hull. Without them all queries work, but
            contact_manifold has one point.
        """
        points = _vertices(vertices, "vertices")
        sizes, indices = _face_lists(() if faces is None else faces)
        given = ffi.new("wp_hull_input *", {
            "vertices": {"data": pointer(address(points), "float *")}, "vertex_count": len(points),
            "face_sizes": pointer(address(sizes), "uint32_t *"), "face_count": len(sizes),
            "face_indices": pointer(address(indices), "uint32_t *")})
        size = max(lib.wp_hull_size(len(points), len(sizes), len(indices)), lib.WP_ALIGNMENT)
        owner, memory = aligned(size)
        hull, bad_index = ffi.new("wp_hull **"), ffi.new("size_t *")
        error, cause = lib.wp_hull_build(given, memory, size, hull, bad_index), None
        if error == lib.WP_ERROR_HULL_VERTEX:
            cause = _cause_of_vertex(points[bad_index[0]])
        elif error == lib.WP_ERROR_HULL_FACE:
            cause = _cause_of_face(np.split(indices, np.cumsum(sizes))[bad_index[0]], len(points))
        names = {lib.WP_ERROR_HULL_VERTEX: f"vertices[{bad_index[0]}]", lib.WP_ERROR_HULL_FACES: "faces"}
        names.update((code, f"faces[{bad_index[0]}]") for code in (lib.WP_ERROR_HULL_FACE,
            lib.WP_ERROR_HULL_FACE_REPEATS, lib.WP_ERROR_HULL_FACE_WINDING, lib.WP_ERROR_HULL_FACE_PLANE,
            lib.WP_ERROR_HULL_FACE_CONVEX, lib.WP_ERROR_HULL_FACE_OPEN))
        check(error, names.get(error, "vertices"), cause)
        return cls(owner, hull[0])

    @classmethod
    def cook(cls, points: npt.ArrayLike) -> Hull:
        """The convex hull of any points, (n, 3), by qhull, with its faces. Vertices that are left keep their order.

        Needs widephase-cook, which a build without qhull lacks: then Error names it.
        """
        return cls._cooked(points, lambda cook, first, count, hull, bad_index:
            cook.wp_cook_points(first, 0, count, hull, bad_index))

    @classmethod
    def simplified(cls, points: npt.ArrayLike, max_vertices: int) -> Tuple[Hull, float]:
        """A hull of at most `max_vertices` of the points, 4 or more, which lies within the hull that cook makes; and how
        far the points reach out of it at most. With that as its radius, the shape contains all points."""
        most, error = integer(max_vertices, "max_vertices", 0, 2 ** 31), ffi.new("float *")
        hull = cls._cooked(points, lambda cook, first, count, hull, bad_index:
            cook.wp_cook_simplified(first, 0, count, most, hull, error, bad_index))
        return hull, error[0]

    @classmethod
    def _cooked(cls, points: npt.ArrayLike, function: Callable[..., Any]) -> Hull:
        cook = cook_library()
        found = _vertices(points, "points")
        hull, bad_index = ffi.new("wp_hull **"), ffi.new("size_t *")
        error = function(cook, pointer(address(found), "float *"), len(found), hull, bad_index)
        names = {lib.WP_ERROR_HULL_VERTEX: f"points[{bad_index[0]}]", lib.WP_ERROR_MAX_VERTICES: "max_vertices"}
        check(error, names.get(error, "points"),
            _cause_of_vertex(found[bad_index[0]]) if error == lib.WP_ERROR_HULL_VERTEX else None)
        data = bytes(ffi.buffer(hull[0], lib.wp_hull_byte_size(hull[0])))
        cook.wp_cook_free(hull[0])
        return cls.from_bytes(data)

    @classmethod
    def with_cooked_faces(cls, vertices: npt.ArrayLike) -> Hull:
        """A hull of all vertices in their order, as by from_vertices, with the faces that cook finds around them."""
        points = _vertices(vertices, "vertices")
        cooked = cls.cook(points)
        places = [vertex.tobytes() for vertex in points]
        sources: List[int] = []
        for vertex in cooked.vertices:
            # Cooking keeps the order and, of equal vertices, the first.
            sources.append(places.index(vertex.tobytes(), sources[-1] + 1 if sources else 0))
        return cls.from_vertices(points, [[sources[index] for index in face] for face in cooked.faces])

    @classmethod
    def from_bytes(cls, data: Any) -> Hull:
        """What to_bytes gave, checked in every byte: anything else is an Error whose code is "HULL_CORRUPT"."""
        try:
            found = memoryview(data).tobytes()
        except TypeError:
            raise Error("data", f"bytes are needed, not {type(data).__name__}") from None
        owner, memory = aligned(len(found))
        ffi.memmove(memory, found, len(found))
        hull = ffi.new("wp_hull **")
        check(lib.wp_hull_from_memory(memory, len(found), hull), "data")
        return cls(owner, hull[0])

    def to_bytes(self) -> bytes:
        """All of the hull, to be written to a file or sent to another process; it may be mapped by a C program."""
        return bytes(ffi.buffer(self._pointer, lib.wp_hull_byte_size(self._pointer)))

    @cached_property
    def vertices(self) -> npt.NDArray[np.float32]:
        """(n, 3), read-only."""
        vertices = np.empty((lib.wp_hull_vertex_count(self._pointer), 3), FLOAT)
        first = pointer(address(vertices), "float *")
        for index in range(len(vertices)):
            lib.wp_hull_vertex(self._pointer, index, first + 3 * index)
        return frozen(vertices)

    @cached_property
    def faces(self) -> Tuple[npt.NDArray[np.uint32], ...]:
        """The indices of each face's vertices, counter-clockwise seen from outside; empty where unknown."""
        size, faces = ffi.new("size_t *"), []
        for index in range(lib.wp_hull_face_count(self._pointer)):
            first = lib.wp_hull_face(self._pointer, index, size)
            faces.append(frozen(np.frombuffer(bytes(ffi.buffer(first, size[0] * INDEX.itemsize)), INDEX)))
        return tuple(faces)

    @cached_property
    def face_normals(self) -> npt.NDArray[np.float32]:
        """(faces, 3), unit, pointing outwards; zero for a face without area; read-only."""
        normals = np.empty((lib.wp_hull_face_count(self._pointer), 3), FLOAT)
        first = pointer(address(normals), "float *")
        for index in range(len(normals)):
            lib.wp_hull_face_normal(self._pointer, index, first + 3 * index)
        return frozen(normals)

    def mass(self) -> Mass:
        """Volume, centroid and inertia of the solid hull. Its faces must be known and enclose a volume, as cook's do; else
        the code of the Error is "HULL_VOLUME"."""
        mass = ffi.new("wp_mass *")
        check(lib.wp_hull_mass(self._pointer, mass), "hull")
        return mass_of(mass)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Hull) and self.to_bytes() == other.to_bytes()

    def __hash__(self) -> int:
        return hash(self.to_bytes())

    def __repr__(self) -> str:
        vertices, faces = lib.wp_hull_vertex_count(self._pointer), lib.wp_hull_face_count(self._pointer)
        return f"<Hull of {vertices} vertices, {faces} faces>"

    def __reduce__(self) -> Tuple[Any, ...]:
        return Hull.from_bytes, (self.to_bytes(),)


# A point of a convex body that is farthest along a direction, which has any length but zero.
Support = Callable[[Vector], Numbers]


@dataclass(frozen=True)
class Shape:
    """A core and the radius around it: the set of points not further than `radius` from the core.

    The class methods make shapes; each may be rounded by a radius. Numbers are not judged here: a shape that is
    negative or not finite is counted by the report of its table, and pairs that name it are Status.INVALID.

    kind: a Kind.
    radius: of the rounding; of spheres and capsules their own.
    half_height: of capsules, cylinders and cones, along the body's Y axis.
    half_extents: of boxes along the body's axes; of ellipsoids the half axes.
    base_radius: of cylinders and cones.
    points: the ends of a segment, or the corners of a triangle.
    core: the Hull.
    support, bound: of Shape.custom.

    >>> import widephase as wp
    >>> wp.Shape.box(1, 2, 3, radius=0.5).half_extents
    (1.0, 2.0, 3.0)
    """

    kind: int = Kind.POINT
    radius: float = 0.0
    half_height: float = 0.0
    half_extents: Vector = _ZERO
    base_radius: float = 0.0
    points: Tuple[Vector, Vector, Vector] = (_ZERO, _ZERO, _ZERO)
    core: Optional[Hull] = None
    support: Optional[Support] = None
    bound: float = 0.0

    _struct: ClassVar[str] = "wp_shape"

    @classmethod
    def point(cls, radius: float = 0.0) -> Shape:
        """The origin of the body."""
        return cls(Kind.POINT, number(radius, "radius"))

    @classmethod
    def sphere(cls, radius: float) -> Shape:
        """Around the origin of the body."""
        return cls(Kind.SPHERE, number(radius, "radius"))

    @classmethod
    def segment(cls, start: Numbers, end: Numbers, radius: float = 0.0) -> Shape:
        """From start to end, in the body's frame; with a radius a capsule that lies anywhere."""
        return cls(Kind.SEGMENT, number(radius, "radius"), points=(_vector(start, "start"), _vector(end, "end"), _ZERO))

    @classmethod
    def capsule(cls, radius: float, half_height: float) -> Shape:
        """Along the body's Y axis: its segment goes from -half_height to half_height."""
        return cls(Kind.CAPSULE, number(radius, "radius"), half_height=number(half_height, "half_height"))

    @classmethod
    def triangle(cls, a: Numbers, b: Numbers, c: Numbers, radius: float = 0.0) -> Shape:
        """Flat, with the corners a, b and c in the body's frame."""
        return cls(Kind.TRIANGLE, number(radius, "radius"), points=(_vector(a, "a"), _vector(b, "b"), _vector(c, "c")))

    @classmethod
    def box(cls, half_x: float, half_y: float, half_z: float, radius: float = 0.0) -> Shape:
        """Half extents: along the body's X axis from -half_x to half_x, and a radius makes it larger by as much."""
        return cls(Kind.BOX, number(radius, "radius"), half_extents=_halves(half_x, half_y, half_z))

    @classmethod
    def cylinder(cls, base_radius: float, half_height: float, radius: float = 0.0) -> Shape:
        """Around the body's Y axis, from -half_height to half_height."""
        return cls(Kind.CYLINDER, number(radius, "radius"), half_height=number(half_height, "half_height"),
            base_radius=number(base_radius, "base_radius"))

    @classmethod
    def cone(cls, base_radius: float, half_height: float, radius: float = 0.0) -> Shape:
        """Around the body's Y axis: its base is at -half_height, its point at half_height."""
        return cls(Kind.CONE, number(radius, "radius"), half_height=number(half_height, "half_height"),
            base_radius=number(base_radius, "base_radius"))

    @classmethod
    def ellipsoid(cls, half_x: float, half_y: float, half_z: float, radius: float = 0.0) -> Shape:
        """Its half axes lie along the body's."""
        return cls(Kind.ELLIPSOID, number(radius, "radius"), half_extents=_halves(half_x, half_y, half_z))

    @classmethod
    def half_space(cls, radius: float = 0.0) -> Shape:
        """All that lies below the body's position along its Y axis: a ground plane, everything under it solid. Pairs with
        every other kind; two half-spaces make a row invalid."""
        return cls(Kind.HALF_SPACE, number(radius, "radius"))

    @classmethod
    def hull(cls, hull: Hull, radius: float = 0.0) -> Shape:
        """A Hull in the body's frame, which any number of shapes may share."""
        check_type(hull, "hull", Hull)
        return cls(Kind.HULL, number(radius, "radius"), core=hull)

    @classmethod
    def custom(cls, support: Support, bound: float, radius: float = 0.0) -> Shape:
        """Any convex body by its support function.

        support: called with a direction (x, y, z) in the shape's frame, of any length but zero; returns a point of the
            body that is farthest along it, the same one in each call. Its errors should be below 1e-13 of the bound.
        bound: of the distance of the body's points from the shape's origin, rather small.

        Pairs with such a shape are solved one at a time, and each calls the function some dozens of times. It runs in the
        thread that made the query, which then holds the interpreter's lock; several threads may be in it by turns. The
        first exception of a query is raised by that query, and the function is not called again; rows before it have
        their answers in `out`. A point that is not finite or beyond the bound makes its row Status.INVALID.

        >>> import math, widephase as wp
        >>> def disc(direction):
        ...     x, y, z = direction
        ...     length = math.hypot(x, y)
        ...     return (x / length, y / length, 0) if length > 0 else (1, 0, 0)
        >>> row = wp.distance_pair(wp.Shape.custom(disc, bound=1), wp.Pose(), wp.Shape.sphere(1), wp.Pose((4, 0, 0)))
        >>> round(row.separation, 5)
        2.0
        """
        if not callable(support):
            raise Error("support", f"a function is needed, not {type(support).__name__}")
        return cls(Kind.CUSTOM, number(radius, "radius"), support=support, bound=number(bound, "bound"))

    def mass(self) -> Mass:
        """Volume, centroid and inertia of the solid shape, its rounding included. An Error for a shape without a volume (its
        code is "SHAPE_VOLUME" or "HULL_VOLUME"), and for half-spaces, support functions, and ellipsoids, triangles and
        hulls with a radius ("SHAPE_MASS").

        >>> import widephase as wp
        >>> mass = wp.Shape.cone(1, 2).mass()
        >>> round(mass.volume, 6), mass.centroid.round(6).tolist()
        (4.18879, [0.0, -1.0, 0.0])
        """
        shape, mass = ffi.new("wp_shape *"), ffi.new("wp_mass *")
        self._write(shape)
        check(lib.wp_shape_mass(shape, mass), "shape")
        return mass_of(mass)

    def __post_init__(self) -> None:
        """The wp_custom, and what C calls for it, which lives as long."""
        if self.support is not None:
            number(self.bound, "bound")
            called = ffi.callback(dict(ffi.typeof("wp_custom").fields)["support"].type, _called(self.support), onerror=_keep)
            self.__dict__["_custom"] = ffi.new("wp_custom *", {"support": called, "bound": self.bound}), called

    def __getstate__(self) -> Dict[str, Any]:
        """Pickles do not have what was made for C."""
        return {name: value for name, value in self.__dict__.items() if name != "_custom"}

    def __setstate__(self, state: Dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.__post_init__()

    def _write(self, to: Any) -> None:
        """Into a wp_shape, which borrows the hull and the support function."""
        to.kind = integer(self.kind, "kind", 0, 0xffffffff)
        to.radius, to.half_height = number(self.radius, "radius"), number(self.half_height, "half_height")
        to.half_extents = numbers(self.half_extents, "half_extents", 3)
        to.base_radius = number(self.base_radius, "base_radius")
        to.points = [numbers(point, "points", 3) for point in self.points]
        if self.core is not None:
            check_type(self.core, "core", Hull)
        to.hull = ffi.NULL if self.core is None else self.core._pointer
        to.custom = ffi.NULL if self.support is None else self.__dict__["_custom"][0]


def _keep(kind: Any, error: BaseException, traceback: Any) -> None:
    """An exception of a support function, for the query that called it."""
    raised.errors.append(error.with_traceback(traceback))


def _called(support: Any) -> Callable[[Any, Any, Any], None]:
    """What C calls in the place of a support function. After an exception all rows with such shapes are invalid."""
    def call(_: Any, direction: Any, point: Any) -> None:
        point[0] = point[1] = point[2] = float("nan")
        if not raised.errors:
            x, y, z = support((direction[0], direction[1], direction[2]))
            point[0], point[1], point[2] = x, y, z
    return call


def _vector(values: Numbers, name: str) -> Vector:
    x, y, z = numbers(values, name, 3)
    return x, y, z


def _halves(half_x: float, half_y: float, half_z: float) -> Vector:
    return number(half_x, "half_x"), number(half_y, "half_y"), number(half_z, "half_z")


def shape_array(shapes: Sequence[Any], names: Iterable[str], of: Any = Shape) -> Any:
    """An array of wp_shape, in 2D of wp2d_shape; what it points at lives as long as the shapes. names: of each, in errors."""
    array = ffi.new(f"{of._struct}[]", len(shapes))
    for index, (shape, name) in enumerate(zip(shapes, names)):
        check_type(shape, name, of)
        try:
            shape._write(array[index])
        except (TypeError, IndexError, ValueError) as problem:
            raise Error(name, str(problem)) from None
    return array


class ShapeReport(NamedTuple):
    """What is wrong with the shapes of a table.

    invalid_count: shapes that no pair may use.
    first_invalid: the first of them.
    reason: what is wrong with that one.
    """

    invalid_count: int
    first_invalid: Optional[int]
    reason: Optional[str]


AnyShape = TypeVar("AnyShape")


class Table(Generic[AnyShape]):
    """What the tables of shapes in 3D and in 2D have in common."""

    _prefix: ClassVar[str]
    _of: ClassVar[Any]

    def __init__(self, shapes: Iterable[Optional[AnyShape]]) -> None:
        self._shapes: List[Optional[AnyShape]] = list(sequence(shapes, "shapes"))
        array = shape_array([self._of() if shape is None else shape for shape in self._shapes],
            (f"shapes[{index}]" for index in itertools.count()), self._of)
        self._owner, self._pointer = self._make(len(self._shapes))
        reason, faults = ffi.new("char **"), []
        for index, shape in enumerate(self._shapes):
            if shape is not None and self._call("set")(self._pointer, index, array + index, reason) != lib.WP_OK:
                faults.append((index, ffi.string(reason[0]).decode()))
        self.report = ShapeReport(len(faults), *(faults[0] if faults else (None, None)))
        if faults:
            warn(f"{len(faults)} of {len(self._shapes)} shapes cannot be used; the first is "
                f"shapes[{self.report.first_invalid}]: {self.report.reason}")

    def _make(self, count: int) -> Tuple[Any, Any]:
        """Memory of an empty table, and the table in it."""
        raise NotImplementedError

    def _call(self, name: str) -> Any:
        return getattr(lib, self._prefix + name)

    @property
    def shapes(self) -> Tuple[Optional[AnyShape], ...]:
        """What is in the table, which keeps their hulls and support functions alive."""
        return tuple(self._shapes)

    def set(self, index: int, shape: AnyShape) -> None:
        """Add a shape, or replace the one of this index; an invalid one is an Error, and the old one stays. No query may
        use the table meanwhile, in any thread. Caches and tracked pairs stay right; their pairs are queried again."""
        index = integer(index, "index", 0, len(self._shapes) - 1)
        array, reason = shape_array([shape], ["shape"], self._of), ffi.new("char **")
        if self._call("set")(self._pointer, index, array, reason) != lib.WP_OK:
            raise Error("shape", ffi.string(reason[0]).decode(), "SHAPE")
        self._shapes[index] = shape

    def remove(self, index: int) -> None:
        """Remove a shape: pairs with it are Status.INVALID until another is set. No query may use the table meanwhile."""
        index = integer(index, "index", 0, len(self._shapes) - 1)
        check(self._call("remove")(self._pointer, index), "index")
        self._shapes[index] = None

    def __len__(self) -> int:
        return len(self._shapes)

    def bound(self, index: int) -> float:
        """Bounding radius of a shape about its origin, the length unit of the accuracy; infinite of a half-space, 0 of an
        invalid one."""
        return float(self._call("bound")(self._pointer, integer(index, "index", 0, len(self._shapes) - 1)))

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {len(self._shapes)} shapes, {self.report.invalid_count} invalid>"

    def __reduce__(self) -> Tuple[Any, ...]:
        return type(self), (self.shapes,)


class ShapeTable(Table[Shape]):
    """Shapes made ready for batches, which name them by their index. Threads may share it, as long as none changes it.

    None is a place without a shape: until one is set there, pairs with it are Status.INVALID. A shape that cannot be used does not stop the others: an InvalidWarning and `report` name the first, and pairs with
    it are Status.INVALID.

    >>> import warnings, widephase as wp
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore", wp.InvalidWarning)
    ...     table = wp.ShapeTable([wp.Shape.sphere(1), wp.Shape.box(1, -1, 1)])
    >>> len(table), table.report.invalid_count, table.report.first_invalid
    (2, 1, 1)
    >>> table = wp.ShapeTable([wp.Shape.sphere(1)] + [None] * 9)
    >>> table.set(5, wp.Shape.box(1, 1, 1))
    >>> table.remove(0)
    >>> len(table), table.bound(0), table.shapes[5].kind.name
    (10, 0.0, 'BOX')
    """

    _prefix = "wp_shape_table_"
    _of = Shape

    def _make(self, count: int) -> Tuple[Any, Any]:
        size, table = lib.wp_shape_table_size(count), ffi.new("wp_shape_table **")
        owner, memory = aligned(size)
        check(lib.wp_shape_table_init(memory, size, count, table), "shapes")
        return owner, table[0]
