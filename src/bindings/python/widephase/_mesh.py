"""Triangle meshes: cooked of any triangles, kept as bytes, searched by a box or a ray."""

from __future__ import annotations

import enum
from functools import cached_property
from typing import Any, NamedTuple, Optional, Tuple

import numpy as np
import numpy.typing as npt

from widephase._arrays import (FLOAT, INDEX, Numbers, address, check_shape, copied, frozen, integer, numbers, pointer,
    rows)
from widephase._library import Error, aligned, check, cook_library, ffi, lib

MESH_MISS = 0xffffffff

mesh_hit_dtype = np.dtype([("triangle", "u4"), ("is_front", "u4"), ("fraction", "f4"), ("weights", "f4", 3)])


def _corners(values: npt.ArrayLike, name: str, dtype: np.dtype[Any]) -> npt.NDArray[Any]:
    found: npt.NDArray[Any] = copied(values, name, dtype, 3)
    check_shape(found, name, (None, 3))
    return found


class EdgeKind(enum.IntEnum):
    """What two triangles make of the edge between them, seen from their fronts.

    FLAT: within a thousandth of a radian.
    CONVEX: a ridge.
    CONCAVE: a valley.
    BOUNDARY: no neighbour, or several, or one whose front is on the other side.
    """

    FLAT = 0
    CONVEX = 1
    CONCAVE = 2
    BOUNDARY = 3


class MeshReport(NamedTuple):
    """What Mesh.cook found; counts of edges are of edges, not of their sides.

    welded: vertices at the place of an earlier one, which stands for them.
    dropped: triangles without an area.
    unused: distinct vertices in no triangle that was kept: dropped, too.
    boundary_edges: edges of one triangle.
    crowded_edges: edges of three triangles or more.
    turned_edges: edges of two triangles with their fronts on different sides.
    """

    welded: int
    dropped: int
    unused: int
    boundary_edges: int
    crowded_edges: int
    turned_edges: int


class MeshHit(NamedTuple):
    """Where a ray meets a mesh or a height field.

    triangle: its index.
    is_front: whether the ray comes from the triangle's front.
    fraction: of the way, 0 to 1.
    weights: of the triangle's corners; the point is their weighted mean.
    """

    triangle: int
    is_front: bool
    fraction: float
    weights: Tuple[float, float, float]


def one_ray(function: Any, surface: Any, start: Numbers, way: Numbers) -> Optional[MeshHit]:
    """A ray by a function of the library's."""
    hit = ffi.new("wp_mesh_hit *")
    check(function(surface, numbers(start, "start", 3), numbers(way, "way", 3), hit), "start, way")
    if hit.triangle == MESH_MISS:
        return None
    x, y, z = hit.weights
    return MeshHit(hit.triangle, bool(hit.is_front), hit.fraction, (x, y, z))


def rays(function: Any, surface: Any, start: npt.NDArray[np.float32], way: npt.NDArray[np.float32]) -> npt.NDArray[Any]:
    """Many of them; the first that cannot be used is an Error."""
    starts, ways = rows(start, "start", FLOAT, (None, 3)), rows(way, "way", FLOAT, (len(start), 3))
    hits = np.empty(len(start), mesh_hit_dtype)
    columns = [ffi.new("wp_const_float_column *", (pointer(where, "float *"), stride)) for where, stride in (starts, ways)]
    hit = ffi.new("wp_mesh_hit_column *", (pointer(address(hits), "wp_mesh_hit *"), 0))
    check(function(surface, *columns, len(hits), hit), "start, way")
    for row in np.flatnonzero(np.isnan(hits["fraction"]))[:1]:
        check(lib.WP_ERROR_MESH_RAY, f"start[{row}], way[{row}]")
    return hits


class Mesh:
    """Triangles with their neighbours and a tree of boxes: immutable, for any number of threads.

    Triangles and vertices are numbered anew: those near each other have near numbers. Edge e of a triangle goes from its
    corner e to the next one.

    report: what cook found, a MeshReport; None of a mesh that came as bytes.
    """

    report: Optional[MeshReport] = None

    def __init__(self, owner: Any, pointer_: Any) -> None:
        """Not for callers: the class methods make meshes."""
        self._owner = owner
        self._pointer = pointer_

    @classmethod
    def cook(cls, vertices: npt.ArrayLike, triangles: Optional[npt.ArrayLike] = None) -> Mesh:
        """A mesh of any triangles, connected or not. Needs widephase-cook.

        vertices: (n, 3), finite, rounded to float32; equal ones become one.
        triangles: (m, 3), indices of vertices, counter-clockwise seen from the front; None: each three vertices are one.
        """
        points, cook = _corners(vertices, "vertices", FLOAT), cook_library()
        given = ffi.new("wp_mesh_input *", {"vertices": {"data": pointer(address(points), "float *")},
            "vertex_count": len(points), "triangle_count": len(points) // 3})
        if triangles is None and len(points) % 3 != 0:
            raise Error("vertices", f"{len(points)} are not three for each triangle")
        if triangles is not None:
            corners = _corners(triangles, "triangles", INDEX)
            given.triangles.data, given.triangle_count = pointer(address(corners), "uint32_t *"), len(corners)
        mesh, report = ffi.new("wp_mesh **"), ffi.new("wp_mesh_report *")
        error = cook.wp_cook_mesh(given, mesh, report)
        names = {lib.WP_ERROR_MESH_VERTEX: f"vertices[{report.bad_index}]",
            lib.WP_ERROR_MESH_INDEX: f"triangles[{report.bad_index}]"}
        check(error, names.get(error, "triangles"))
        found = cls(ffi.gc(mesh[0], cook.wp_cook_free_mesh), mesh[0])
        found.report = MeshReport(*(getattr(report, name) for name in MeshReport._fields))
        return found

    @classmethod
    def from_bytes(cls, data: Any) -> Mesh:
        """What to_bytes gave, checked in every byte: anything else is an Error whose code is "MESH_CORRUPT"."""
        try:
            found = memoryview(data).tobytes()
        except TypeError:
            raise Error("data", f"bytes are needed, not {type(data).__name__}") from None
        owner, memory = aligned(len(found))
        ffi.memmove(memory, found, len(found))
        mesh = ffi.new("wp_mesh **")
        check(lib.wp_mesh_from_memory(memory, len(found), mesh), "data")
        return cls(owner, mesh[0])

    def to_bytes(self) -> bytes:
        """All of the mesh, to be written to a file; a C program may map it."""
        return bytes(ffi.buffer(self._pointer, lib.wp_mesh_byte_size(self._pointer)))

    def __len__(self) -> int:
        """Triangles."""
        return int(lib.wp_mesh_triangle_count(self._pointer))

    @cached_property
    def bounds(self) -> Tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
        """Lower and upper corner of the smallest box around the mesh."""
        corners = np.empty((2, 3), FLOAT)
        first = pointer(address(corners), "float *")
        lib.wp_mesh_bounds(self._pointer, first, first + 3)
        return frozen(corners[0]), frozen(corners[1])

    @cached_property
    def vertices(self) -> npt.NDArray[np.float32]:
        """(n, 3), distinct; read-only."""
        vertices = np.empty((lib.wp_mesh_vertex_count(self._pointer), 3), FLOAT)
        first = pointer(address(vertices), "float *")
        for index in range(len(vertices)):
            lib.wp_mesh_vertex(self._pointer, index, first + 3 * index)
        return frozen(vertices)

    @cached_property
    def triangles(self) -> npt.NDArray[np.uint32]:
        """(triangles, 3), indices of vertices, counter-clockwise seen from the front; read-only."""
        triangles = np.empty((len(self), 3), INDEX)
        first = pointer(address(triangles), "uint32_t *")
        for index in range(len(triangles)):
            lib.wp_mesh_triangle(self._pointer, index, first + 3 * index)
        return frozen(triangles)

    @cached_property
    def sources(self) -> npt.NDArray[np.uint32]:
        """(triangles,): which triangle of the input each was; read-only."""
        return frozen(np.array([lib.wp_mesh_source(self._pointer, index) for index in range(len(self))], INDEX))

    @cached_property
    def normals(self) -> npt.NDArray[np.float32]:
        """(triangles, 3), unit, to the fronts; read-only."""
        normals = np.empty((len(self), 3), FLOAT)
        first = pointer(address(normals), "float *")
        for index in range(len(normals)):
            lib.wp_mesh_normal(self._pointer, index, first + 3 * index)
        return frozen(normals)

    @cached_property
    def edges(self) -> npt.NDArray[np.uint32]:
        """(triangles, 3, 3): of each edge its EdgeKind, the triangle on the other side, and which of its edges it is there;
        read-only. The last two mean nothing of a boundary."""
        edges = np.empty((len(self), 3, 3), INDEX)
        for index in range(len(edges)):
            for number in range(3):
                edge = lib.wp_mesh_edge_of(self._pointer, index, number)
                edges[index, number] = edge.kind, edge.neighbour, edge.neighbour_edge
        return frozen(edges)

    def is_face_only(self, triangle: int) -> bool:
        """Whether a body in front of a triangle can touch it along its normal alone: no edge at its corners is convex or a
        boundary."""
        return bool(lib.wp_mesh_is_face_only(self._pointer, integer(triangle, "triangle", 0, len(self) - 1)))

    def overlap_box(self, lower: Numbers, upper: Numbers) -> npt.NDArray[np.uint32]:
        """Triangles whose own boxes meet a box, in ascending order. Corners may be infinite."""
        corners = [ffi.new("float[3]", numbers(corner, name, 3)) for corner, name in ((lower, "lower"), (upper, "upper"))]
        cursor, count, parts = ffi.new("uint32_t *"), ffi.new("size_t *"), []
        size = 64
        while cursor[0] < len(self):
            part = np.empty(size, INDEX)
            check(lib.wp_mesh_overlap_box(self._pointer, *corners, cursor, pointer(address(part), "uint32_t *"), size, count),
                "lower, upper")
            parts.append(part[:count[0]])
            size = min(2 * size, 1 << 20)
        return np.concatenate(parts) if len(parts) != 1 else parts[0]

    def ray(self, start: Numbers, way: Numbers) -> Optional[MeshHit]:
        """The first triangle on the way from start to start + way, from either side; None where there is none."""
        return one_ray(lib.wp_mesh_ray, self._pointer, start, way)

    def rays(self, start: npt.NDArray[np.float32], way: npt.NDArray[np.float32]) -> npt.NDArray[Any]:
        """The same of many: (n, 3) float32 each; (n,) of mesh_hit_dtype. The first that cannot be used is an Error."""
        return rays(lib.wp_mesh_rays, self._pointer, start, way)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Mesh) and self.to_bytes() == other.to_bytes()

    def __hash__(self) -> int:
        return hash(self.to_bytes())

    def __repr__(self) -> str:
        return f"<Mesh of {len(self)} triangles>"

    def __reduce__(self) -> Tuple[Any, ...]:
        return Mesh.from_bytes, (self.to_bytes(),)
