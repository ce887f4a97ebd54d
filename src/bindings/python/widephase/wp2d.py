"""Circles, capsules, segments and polygons in 2D: overlap, distance, contact, contact_manifold and cast, for batches and for
one pair, as in 3D with vectors of two numbers.

>>> import numpy as np
>>> from widephase import wp2d
>>> table = wp2d.ShapeTable([wp2d.Shape.box(1, 1), wp2d.Shape.circle(0.5)])
>>> bodies = wp2d.Bodies.copied(position=[(0, 0), (0, 1.25)], shape=[0, 1])
>>> found = wp2d.contact_manifold(table, bodies, pairs=np.array([(0, 1)], np.uint32))
>>> found.separation.tolist(), found.normal.tolist(), found.count.tolist()
([-0.25], [[0.0, 1.0]], [1])

A rotation is (cosine, sine) of an angle, counter-clockwise from x to y. All else is as in 3D: Workspace, Status, Statistics
and Error are widephase's. What 2D lacks: half-spaces, custom shapes, meshes and compounds; frames, caches, tangents, methods
and directed depths.

    row_dtype: all that a query learns of a pair; an array of it is the quickest `out`.
    manifold_point_dtype: one point of a manifold, with the fields of widephase's.
    MANIFOLD_POINT_MAX, POLYGON_VERTEX_MAX: most points of a manifold, most vertices of a polygon.
"""

from __future__ import annotations

import enum
import math
from dataclasses import dataclass
from typing import Any, ClassVar, Iterable, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np
import numpy.typing as npt

from widephase._arrays import FLOAT, Numbers, address, check_shape, copied, integer, number, numbers, pointer, sequence
from widephase._library import aligned, check, ffi, lib
from widephase._queries import (CONTACT, SPACE, AnyPose, BodiesBase, MotionsBase, Out, Pairs, ResultsBase, Row, Space, Workspace,
    answer, answer_cast, answer_manifolds, answer_pair, cast_of_pair, manifold_pair, options_of)
from widephase._shapes import Table
from widephase._status import Statistics

__all__ = [
    "MANIFOLD_POINT_MAX", "POLYGON_VERTEX_MAX", "Bodies", "Kind", "Manifolds", "Motions", "Pose", "Results", "Shape",
    "ShapeTable", "cast", "cast_pair", "contact", "contact_manifold", "contact_manifold_pair", "contact_pair", "distance",
    "distance_pair", "manifold_point_dtype", "overlap", "overlap_pair", "row_dtype",
]

row_dtype = np.dtype([("separation", "f4"), ("normal", "f4", 2), ("point_a", "f4", 2), ("point_b", "f4", 2),
    ("lower", "f4"), ("upper", "f4"), ("status", "u4"), ("iterations", "u4")])

manifold_point_dtype = np.dtype([("point_a", "f4", 2), ("point_b", "f4", 2), ("local_a", "f4", 2), ("local_b", "f4", 2),
    ("separation", "f4"), ("feature_a", "u4"), ("feature_b", "u4")])

MANIFOLD_POINT_MAX = 2

POLYGON_VERTEX_MAX = 64

assert row_dtype.itemsize == ffi.sizeof("wp2d_row") and manifold_point_dtype.itemsize == ffi.sizeof("wp2d_manifold_point")

Vector = Tuple[float, float]


class Kind(enum.IntEnum):
    """What the core of a shape is."""

    CIRCLE = 0
    CAPSULE = 1
    SEGMENT = 2
    POLYGON = 3


def _vector(values: Numbers, name: str) -> Vector:
    x, y = numbers(values, name, 2)
    return x, y


@dataclass(frozen=True)
class Shape:
    """A core and the radius around it. The class methods make shapes; each may be rounded by a radius.

    kind: a Kind.
    radius: of the rounding; of circles and capsules their own.
    half_height: of capsules, along the body's Y axis.
    points: the ends of a segment.
    vertices: of a polygon, counter-clockwise.

    >>> from widephase import wp2d
    >>> wp2d.Shape.box(2, 1).vertices
    ((-2.0, -1.0), (2.0, -1.0), (2.0, 1.0), (-2.0, 1.0))
    """

    kind: int = Kind.CIRCLE
    radius: float = 0.0
    half_height: float = 0.0
    points: Tuple[Vector, Vector] = ((0.0, 0.0), (0.0, 0.0))
    vertices: Tuple[Vector, ...] = ()

    _struct: ClassVar[str] = "wp2d_shape"

    @classmethod
    def circle(cls, radius: float) -> Shape:
        """Of radius 0, a point."""
        return cls(Kind.CIRCLE, number(radius, "radius"))

    @classmethod
    def capsule(cls, radius: float, half_height: float) -> Shape:
        """Along the body's Y axis: its segment goes from -half_height to half_height."""
        return cls(Kind.CAPSULE, number(radius, "radius"), half_height=number(half_height, "half_height"))

    @classmethod
    def segment(cls, start: Numbers, end: Numbers, radius: float = 0.0) -> Shape:
        """From start to end, in the body's frame; with a radius a capsule that lies anywhere."""
        return cls(Kind.SEGMENT, number(radius, "radius"), points=(_vector(start, "start"), _vector(end, "end")))

    @classmethod
    def polygon(cls, vertices: npt.ArrayLike, radius: float = 0.0) -> Shape:
        """vertices: (n, 2), n from 1 to POLYGON_VERTEX_MAX, convex and counter-clockwise; rounded to float32."""
        found = copied(vertices, "vertices", FLOAT, 2)
        check_shape(found, "vertices", (None, 2))
        return cls(Kind.POLYGON, number(radius, "radius"), vertices=tuple((x, y) for x, y in found.tolist()))

    @classmethod
    def box(cls, half_x: float, half_y: float, radius: float = 0.0) -> Shape:
        """A polygon of these half extents: from -half_x to half_x, and a radius makes it larger by as much."""
        half_x, half_y = number(half_x, "half_x"), number(half_y, "half_y")
        return cls.polygon([(-half_x, -half_y), (half_x, -half_y), (half_x, half_y), (-half_x, half_y)], radius)

    def __post_init__(self) -> None:
        """The vertices, where C reads them."""
        self.__dict__["_array"] = np.array([_vector(vertex, "vertices") for vertex in self.vertices], FLOAT).reshape(-1, 2)

    def _write(self, to: Any) -> None:
        """Into a wp2d_shape, which borrows the vertices."""
        to.kind = integer(self.kind, "kind", 0, 0xffffffff)
        to.radius, to.half_height = number(self.radius, "radius"), number(self.half_height, "half_height")
        to.points = [numbers(point, "points", 2) for point in self.points]
        to.vertices, to.vertex_count = pointer(address(self.__dict__["_array"]), "float *"), len(self.vertices)


class ShapeTable(Table[Shape]):
    """Shapes made ready for batches, as widephase.ShapeTable.

    vertex_max: most vertices of a polygon that `set` will be given, up to POLYGON_VERTEX_MAX; None: as many as the
        largest of these shapes has.

    >>> from widephase import wp2d
    >>> table = wp2d.ShapeTable([wp2d.Shape.circle(1), None], vertex_max=8)
    >>> table.set(1, wp2d.Shape.box(3, 4))
    >>> table.bound(1)
    5.0
    """

    _prefix = "wp2d_shape_table_"
    _of = Shape

    def __init__(self, shapes: Iterable[Optional[Shape]], *, vertex_max: Optional[int] = None) -> None:
        listed = sequence(shapes, "shapes")
        largest = max([1, *(len(shape.vertices) for shape in listed if isinstance(shape, Shape))])
        self.vertex_max = (min(largest, POLYGON_VERTEX_MAX) if vertex_max is None
            else integer(vertex_max, "vertex_max", 1, POLYGON_VERTEX_MAX))
        super().__init__(listed)

    def _make(self, count: int) -> Tuple[Any, Any]:
        size, table = lib.wp2d_shape_table_init_size(count, self.vertex_max), ffi.new("wp2d_shape_table **")
        owner, memory = aligned(size)
        check(lib.wp2d_shape_table_init(memory, size, count, self.vertex_max, table), "shapes")
        return owner, table[0]

    def __reduce__(self) -> Tuple[Any, ...]:
        return _table_again, (self.shapes, self.vertex_max)


def _table_again(shapes: Iterable[Optional[Shape]], vertex_max: int) -> ShapeTable:
    return ShapeTable(shapes, vertex_max=vertex_max)


class Bodies(BodiesBase):
    """Where bodies are, and what shape each has: a view of the caller's arrays, as widephase.Bodies.

    position: (n, 2) float32 or float64.
    rotation: (n, 2) float32, cosine and sine, a unit vector within 1e-2.
    shape: (n,) uint32, index into the shape table; None: body i has shape i.
    """

    _position = 2
    _unturned = (1, 0)


class Motions(MotionsBase):
    """Where bodies go in a cast, row for row beside a Bodies.

    translation: (n, 2) float32, how far the origin moves; None: nowhere.
    rotation: (n, 2) float32, the rotation at the end, which is reached the shorter way; None: as before.
    """

    _translation = 2
    _rotation = 2


class Results(ResultsBase):
    """The outputs of a query: of each that was requested an array, row for row as the pairs are.

    Names and meanings are as in widephase.Results, vectors have two numbers, and there are no tangents.
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
    fraction: npt.NDArray[np.float32]


class Manifolds(Results):
    """The outputs of contact_manifold.

    count: (n,) points of the row.
    points: (n, point_max) of manifold_point_dtype; those from count on mean nothing.
    """

    count: npt.NDArray[np.uint32]
    points: npt.NDArray[Any]


_SPACE = Space("wp2d_", ffi.typeof("wp2d_pose *"), ffi.typeof("wp2d_row *"), ShapeTable, Bodies, Motions, Shape,
    {name: (dtypes, shape and (2,)) for name, (dtypes, shape) in SPACE.outputs.items() if "tangent" not in name},
    manifold_point_dtype, MANIFOLD_POINT_MAX)

Names = Union[str, Sequence[str], None]


def overlap(shapes: ShapeTable, a: Bodies, b: Optional[Bodies] = None, *, pairs: Optional[Pairs] = None,
        outputs: Names = None, out: Optional[Out] = None, first: int = 0, count: Optional[int] = None,
        workspace: Optional[Workspace] = None, statistics: Optional[Statistics] = None) -> Results:
    """Do the shapes of each pair share a point? Usual outputs: overlap, status. Arguments as of widephase.overlap."""
    return Results(answer(_SPACE, "overlap", ("overlap", "status"), shapes, a, b, pairs, outputs, out, first, count, None,
        workspace, statistics))


def distance(shapes: ShapeTable, a: Bodies, b: Optional[Bodies] = None, *, pairs: Optional[Pairs] = None,
        outputs: Names = None, out: Optional[Out] = None, first: int = 0, count: Optional[int] = None,
        workspace: Optional[Workspace] = None, statistics: Optional[Statistics] = None) -> Results:
    """How far apart are the shapes of each pair? 0 where they overlap. Usual outputs: separation, status."""
    return Results(answer(_SPACE, "distance", ("separation", "status"), shapes, a, b, pairs, outputs, out, first, count, None,
        workspace, statistics))


def contact(shapes: ShapeTable, a: Bodies, b: Optional[Bodies] = None, *, pairs: Optional[Pairs] = None,
        max_separation: float = math.inf, outputs: Names = None, out: Optional[Out] = None, first: int = 0,
        count: Optional[int] = None, workspace: Optional[Workspace] = None,
        statistics: Optional[Statistics] = None) -> Results:
    """Signed separation, normal and witness points. Usual outputs: these and status. max_separation: rows proven further
    apart are Status.BEYOND, with that proof for a separation."""
    return Results(answer(_SPACE, "contact", CONTACT, shapes, a, b, pairs, outputs, out, first, count, None, workspace,
        statistics, (options_of(max_separation),)))


def contact_manifold(shapes: ShapeTable, a: Bodies, b: Optional[Bodies] = None, *, pairs: Optional[Pairs] = None,
        max_separation: float = math.inf, point_max: int = MANIFOLD_POINT_MAX, outputs: Names = None,
        out: Optional[Out] = None, first: int = 0, count: Optional[int] = None, workspace: Optional[Workspace] = None,
        statistics: Optional[Statistics] = None) -> Manifolds:
    """Contacts, and the points in which the shapes of each pair face each other: the results' count and points.

    max_separation: points further apart are left out.
    point_max: most points wanted of a row, 1 or 2.
    out: has to have count, (n,) uint32, and points, (n, point_max) of manifold_point_dtype, too.
    """
    return Manifolds(answer_manifolds(_SPACE, shapes, a, b, pairs, max_separation, point_max, outputs, out, first, count,
        None, workspace, statistics))


def cast(shapes: ShapeTable, a: Bodies, b: Optional[Bodies] = None, *, motions_a: Optional[Motions] = None,
        motions_b: Optional[Motions] = None, pairs: Optional[Pairs] = None, outputs: Names = None,
        out: Optional[Out] = None, first: int = 0, count: Optional[int] = None, workspace: Optional[Workspace] = None,
        statistics: Optional[Statistics] = None) -> Results:
    """When do the shapes of each pair first touch, as they move? Usual outputs: fraction, normal, status. Arguments as of
    widephase.cast. A cast of Shape.circle(0) is a ray."""
    return Results(answer_cast(_SPACE, shapes, a, b, motions_a, motions_b, pairs, outputs, out, first, count, workspace,
        statistics))


# ---- one pair -------------------------------------------------------------------------------------


class Pose(NamedTuple):
    """Where a body is: a rotation, then a translation. Any pair of sequences or arrays serves as one.

    position: of the shape's origin.
    rotation: cosine and sine.
    """

    position: Numbers = (0.0, 0.0)
    rotation: Numbers = (1.0, 0.0)

    @classmethod
    def turned(cls, angle: float, position: Numbers = (0.0, 0.0)) -> Pose:
        """By an angle in radians, counter-clockwise.

        >>> from widephase import wp2d
        >>> wp2d.contact_pair(wp2d.Shape.capsule(1, 4), wp2d.Pose.turned(0.5), wp2d.Shape.circle(1), wp2d.Pose()).separation
        -2.0
        """
        return cls(position, (math.cos(angle), math.sin(angle)))


def overlap_pair(shape_a: Shape, pose_a: AnyPose, shape_b: Shape, pose_b: AnyPose, *,
        workspace: Optional[Workspace] = None) -> Row:
    """overlap of one pair, with the bits of the batch call. A bad number gives Status.INVALID, no exception."""
    return answer_pair(_SPACE, "overlap_pair", shape_a, pose_a, shape_b, pose_b, workspace)


def distance_pair(shape_a: Shape, pose_a: AnyPose, shape_b: Shape, pose_b: AnyPose, *,
        workspace: Optional[Workspace] = None) -> Row:
    """distance of one pair, with the same arguments."""
    return answer_pair(_SPACE, "distance_pair", shape_a, pose_a, shape_b, pose_b, workspace)


def contact_pair(shape_a: Shape, pose_a: AnyPose, shape_b: Shape, pose_b: AnyPose, *,
        max_separation: float = math.inf, workspace: Optional[Workspace] = None) -> Row:
    """contact of one pair, with the same arguments."""
    return answer_pair(_SPACE, "contact_pair", shape_a, pose_a, shape_b, pose_b, workspace, [options_of(max_separation)])


def contact_manifold_pair(shape_a: Shape, pose_a: AnyPose, shape_b: Shape, pose_b: AnyPose, *,
        max_separation: float = math.inf, point_max: int = MANIFOLD_POINT_MAX,
        workspace: Optional[Workspace] = None) -> Tuple[Row, npt.NDArray[Any]]:
    """contact_manifold of one pair: its contact, and its points, of manifold_point_dtype."""
    return manifold_pair(_SPACE, shape_a, pose_a, shape_b, pose_b, max_separation, point_max, workspace)


def cast_pair(shape_a: Shape, pose_a: AnyPose, shape_b: Shape, pose_b: AnyPose, end_a: Optional[AnyPose] = None,
        end_b: Optional[AnyPose] = None, *, workspace: Optional[Workspace] = None) -> Tuple[float, Row]:
    """cast of one pair, from a pose to a pose: the fraction, and the contact there. An end of None is the start."""
    return cast_of_pair(_SPACE, shape_a, pose_a, shape_b, pose_b, end_a, end_b, workspace)
