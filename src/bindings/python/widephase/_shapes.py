"""Shapes, convex hulls, and the table that batches name shapes by."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Iterable, List, NamedTuple, Optional, Sequence, Tuple

import numpy as np
import numpy.typing as npt

from widephase._arrays import FLOAT, INDEX, address, check_shape, integer, numbers, pointer, sequence
from widephase._library import Error, aligned, check, cook_library, ffi, lib, warn

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
    HALF_SPACE = 11


def _vertices(points: npt.ArrayLike, name: str) -> npt.NDArray[np.float32]:
    """Hulls copy what they are built from, so points may come in any form; they are rounded to float32."""
    try:
        found = np.ascontiguousarray(points, dtype=FLOAT)
    except (TypeError, ValueError) as problem:
        raise Error(name, f"not an array of numbers ({problem})") from None
    check_shape(found, name, (None, 3))
    return found


def _frozen(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    array.flags.writeable = False
    return array


def _face_lists(faces: Iterable[Sequence[int]]) -> Tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint32]]:
    """Sizes of all faces, and their indices one after the other."""
    lists = []
    for number, face in enumerate(sequence(faces, "faces")):
        name = f"faces[{number}]"
        lists.append([integer(index, name, 0, 0xffffffff) for index in sequence(face, name)])
    return np.array([len(face) for face in lists], INDEX), np.array([i for face in lists for i in face], INDEX)


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
    def from_vertices(cls, vertices: npt.ArrayLike, faces: Optional[Iterable[Sequence[int]]] = None) -> Hull:
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
        error = lib.wp_hull_build(given, memory, size, hull, bad_index)
        names = {lib.WP_ERROR_HULL_VERTEX: f"vertices[{bad_index[0]}]", lib.WP_ERROR_HULL_FACES: "faces"}
        names.update((code, f"faces[{bad_index[0]}]") for code in (lib.WP_ERROR_HULL_FACE,
            lib.WP_ERROR_HULL_FACE_REPEATS, lib.WP_ERROR_HULL_FACE_WINDING, lib.WP_ERROR_HULL_FACE_PLANE,
            lib.WP_ERROR_HULL_FACE_CONVEX, lib.WP_ERROR_HULL_FACE_OPEN))
        check(error, names.get(error, "vertices"))
        return cls(owner, hull[0])

    @classmethod
    def cook(cls, points: npt.ArrayLike) -> Hull:
        """The convex hull of any points, (n, 3), by qhull, with its faces. Vertices that are left keep their order.

        Needs widephase-cook, which a build without qhull lacks: then Error names it.
        """
        cook = cook_library()
        found = _vertices(points, "points")
        hull, bad_index = ffi.new("wp_hull **"), ffi.new("size_t *")
        error = cook.wp_cook_points(pointer(address(found), "float *"), 0, len(found), hull, bad_index)
        check(error, f"points[{bad_index[0]}]" if error == lib.WP_ERROR_HULL_VERTEX else "points")
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
        return _frozen(vertices)

    @cached_property
    def faces(self) -> Tuple[npt.NDArray[np.uint32], ...]:
        """Of each face the indices of its vertices, counter-clockwise seen from outside; empty where unknown."""
        size, faces = ffi.new("size_t *"), []
        for index in range(lib.wp_hull_face_count(self._pointer)):
            first = lib.wp_hull_face(self._pointer, index, size)
            faces.append(_frozen(np.frombuffer(bytes(ffi.buffer(first, size[0] * INDEX.itemsize)), INDEX)))
        return tuple(faces)

    @cached_property
    def face_normals(self) -> npt.NDArray[np.float32]:
        """(faces, 3), unit, pointing outwards; zero for a face without area; read-only."""
        normals = np.empty((lib.wp_hull_face_count(self._pointer), 3), FLOAT)
        first = pointer(address(normals), "float *")
        for index in range(len(normals)):
            lib.wp_hull_face_normal(self._pointer, index, first + 3 * index)
        return _frozen(normals)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Hull) and self.to_bytes() == other.to_bytes()

    def __hash__(self) -> int:
        return hash(self.to_bytes())

    def __repr__(self) -> str:
        vertices, faces = lib.wp_hull_vertex_count(self._pointer), lib.wp_hull_face_count(self._pointer)
        return f"<Hull of {vertices} vertices, {faces} faces>"

    def __reduce__(self) -> Tuple[Any, ...]:
        return Hull.from_bytes, (self.to_bytes(),)


@dataclass(frozen=True)
class Shape:
    """A core and the radius around it: the set of points not further than `radius` from the core.

    The class methods make shapes; each may be rounded by a radius. Numbers are not judged here: a shape that is
    negative or not finite is counted by the report of its table, and pairs that name it are Status.INVALID.

    >>> import widephase as wp
    >>> wp.Shape.box(1, 2, 3, radius=0.5).half_extents
    (1.0, 2.0, 3.0)
    """

    kind: int
    radius: float = 0.0
    half_height: float = 0.0
    half_extents: Vector = _ZERO
    base_radius: float = 0.0
    points: Tuple[Vector, Vector, Vector] = (_ZERO, _ZERO, _ZERO)
    core: Optional[Hull] = None

    @classmethod
    def point(cls, radius: float = 0.0) -> Shape:
        """The origin of the body."""
        return cls(Kind.POINT, float(radius))

    @classmethod
    def sphere(cls, radius: float) -> Shape:
        return cls(Kind.SPHERE, float(radius))

    @classmethod
    def segment(cls, start: Sequence[float], end: Sequence[float], radius: float = 0.0) -> Shape:
        return cls(Kind.SEGMENT, float(radius), points=(_vector(start, "start"), _vector(end, "end"), _ZERO))

    @classmethod
    def capsule(cls, radius: float, half_height: float) -> Shape:
        """Along the body's Y axis: its segment goes from -half_height to half_height."""
        return cls(Kind.CAPSULE, float(radius), half_height=float(half_height))

    @classmethod
    def triangle(cls, a: Sequence[float], b: Sequence[float], c: Sequence[float], radius: float = 0.0) -> Shape:
        return cls(Kind.TRIANGLE, float(radius), points=(_vector(a, "a"), _vector(b, "b"), _vector(c, "c")))

    @classmethod
    def box(cls, half_x: float, half_y: float, half_z: float, radius: float = 0.0) -> Shape:
        return cls(Kind.BOX, float(radius), half_extents=(float(half_x), float(half_y), float(half_z)))

    @classmethod
    def cylinder(cls, base_radius: float, half_height: float, radius: float = 0.0) -> Shape:
        """Around the body's Y axis, from -half_height to half_height."""
        return cls(Kind.CYLINDER, float(radius), half_height=float(half_height), base_radius=float(base_radius))

    @classmethod
    def cone(cls, base_radius: float, half_height: float, radius: float = 0.0) -> Shape:
        """Around the body's Y axis: its base is at -half_height, its point at half_height."""
        return cls(Kind.CONE, float(radius), half_height=float(half_height), base_radius=float(base_radius))

    @classmethod
    def ellipsoid(cls, half_x: float, half_y: float, half_z: float, radius: float = 0.0) -> Shape:
        """Its half axes lie along the body's."""
        return cls(Kind.ELLIPSOID, float(radius), half_extents=(float(half_x), float(half_y), float(half_z)))

    @classmethod
    def half_space(cls, radius: float = 0.0) -> Shape:
        """All that lies below the body's position along its Y axis: a ground plane, everything under it solid. Pairs with
        every other kind; two half-spaces make a row invalid."""
        return cls(Kind.HALF_SPACE, float(radius))

    @classmethod
    def hull(cls, hull: Hull, radius: float = 0.0) -> Shape:
        if not isinstance(hull, Hull):
            raise Error("hull", f"a Hull is needed, not {type(hull).__name__}")
        return cls(Kind.HULL, float(radius), core=hull)

    def _write(self, to: Any) -> None:
        """Into a wp_shape, which borrows the hull."""
        to.kind = integer(self.kind, "kind", 0, 0xffffffff)
        to.radius, to.half_height = numbers((self.radius, self.half_height), "radius, half_height", 2)
        to.half_extents = numbers(self.half_extents, "half_extents", 3)
        to.base_radius, = numbers((self.base_radius,), "base_radius", 1)
        to.points = [numbers(point, "points", 3) for point in self.points]
        if self.core is not None and not isinstance(self.core, Hull):
            raise Error("core", f"a Hull is needed, not {type(self.core).__name__}")
        to.hull = ffi.NULL if self.core is None else self.core._pointer


def _vector(values: Sequence[float], name: str) -> Vector:
    x, y, z = numbers(values, name, 3)
    return x, y, z


def shape_array(shapes: Sequence[Shape], name: str) -> Any:
    """wp_shape[]; the hulls that it names live as long as the shapes."""
    array = ffi.new("wp_shape[]", len(shapes))
    for index, shape in enumerate(shapes):
        if not isinstance(shape, Shape):
            raise Error(f"{name}[{index}]", f"a Shape is needed, not {type(shape).__name__}")
        try:
            shape._write(array[index])
        except (TypeError, IndexError, ValueError) as problem:
            raise Error(f"{name}[{index}]", str(problem)) from None
    return array


class ShapeReport(NamedTuple):
    """What is wrong with the shapes of a table."""

    invalid_count: int  #: shapes that no pair may use
    first_invalid: Optional[int]  #: the first of them
    reason: Optional[str]  #: what is wrong with that one


class ShapeTable:
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

    def __init__(self, shapes: Iterable[Optional[Shape]]) -> None:
        self._shapes: List[Optional[Shape]] = list(sequence(shapes, "shapes"))
        array = shape_array([Shape.point() if shape is None else shape for shape in self._shapes], "shapes")
        size = lib.wp_shape_table_size(len(self._shapes))
        self._owner, memory = aligned(size)
        table, reason = ffi.new("wp_shape_table **"), ffi.new("char **")
        check(lib.wp_shape_table_init(memory, size, len(self._shapes), table), "shapes")
        self._pointer = table[0]
        faults = []
        for index, shape in enumerate(self._shapes):
            if shape is not None and lib.wp_shape_table_set(self._pointer, index, array + index, reason) != lib.WP_OK:
                faults.append((index, ffi.string(reason[0]).decode()))
        self.report = ShapeReport(len(faults), *(faults[0] if faults else (None, None)))
        if faults:
            warn(f"{len(faults)} of {len(self._shapes)} shapes cannot be used; the first is "
                f"shapes[{self.report.first_invalid}]: {self.report.reason}")

    @property
    def shapes(self) -> Tuple[Optional[Shape], ...]:
        """What is in the table, which keeps their hulls alive."""
        return tuple(self._shapes)

    def set(self, index: int, shape: Shape) -> None:
        """Add a shape, or replace the one of this index; an invalid one is an Error, and the old one stays. No query may
        use the table meanwhile, in any thread. Caches and tracked pairs stay right; their pairs are queried again."""
        index = integer(index, "index", 0, len(self._shapes) - 1)
        array, reason = shape_array([shape], "shape"), ffi.new("char **")
        if lib.wp_shape_table_set(self._pointer, index, array, reason) != lib.WP_OK:
            raise Error("shape", ffi.string(reason[0]).decode(), "SHAPE")
        self._shapes[index] = shape

    def remove(self, index: int) -> None:
        """Remove a shape: pairs with it are Status.INVALID until another is set. No query may use the table meanwhile."""
        index = integer(index, "index", 0, len(self._shapes) - 1)
        check(lib.wp_shape_table_remove(self._pointer, index), "index")
        self._shapes[index] = None

    def __len__(self) -> int:
        return len(self._shapes)

    def bound(self, index: int) -> float:
        """Bounding radius of a shape about its origin, the length unit of the accuracy; infinite of a half-space, 0 of an
        invalid one."""
        return float(lib.wp_shape_table_bound(self._pointer, integer(index, "index", 0, len(self._shapes) - 1)))

    def __repr__(self) -> str:
        return f"<ShapeTable of {len(self._shapes)} shapes, {self.report.invalid_count} invalid>"

    def __reduce__(self) -> Tuple[Any, ...]:
        return ShapeTable, (self.shapes,)
