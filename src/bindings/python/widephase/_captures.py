"""Pair files: recorded queries, as the program `widephase` reads and writes them.

A binary file is "PAIRS01" and a zero byte, the numbers of shapes, vertices and pairs and a set of columns, each as
uint32; then arrays of shapes, of vertices, of pairs and, for each bit of the columns, one of motions and one of caches; all
numbers little-endian.
A text file starts with the line "pairs text 1". The library's src/tools/capture/capture.h describes both.
"""

from __future__ import annotations

import os
import struct
from typing import Any, Dict, List, NoReturn, Optional, Tuple, Union

import numpy as np
import numpy.typing as npt

from widephase import _capture_text as text
from widephase._arrays import FLOAT, INDEX, check_dtype, check_shape, integer
from widephase._library import Error
from widephase._mesh import Mesh
from widephase._queries import Bodies, Motions, Pairs, cache_dtype, indices_of
from widephase._shapes import Hull, Kind, Shape, ShapeTable

capture_shape_dtype = np.dtype([("kind", "u4"), ("param", "f4", 4), ("first_vertex", "u4"), ("vertex_count", "u4")])

capture_pair_dtype = np.dtype([("a", "u4"), ("b", "u4"), ("position_a", "f4", 3), ("rotation_a", "f4", 4),
    ("position_b", "f4", 3), ("rotation_b", "f4", 4)])

capture_motion_dtype = np.dtype([("translation_a", "f4", 3), ("rotation_a", "f4", 4), ("translation_b", "f4", 3),
    ("rotation_b", "f4", 4)])

_MAGIC = b"PAIRS01\0"
_HEADER = struct.Struct("<8s4I")
_MOTIONS, _CACHES = 1, 2

# Hulls and meshes may share vertices, so a small damaged file could ask for more than all memory.
_VERTEX_TOTAL_MAX = 1 << 28

_SPHERE, _CAPSULE, _BOX, _HULL, _CYLINDER, _CONE, _ELLIPSOID, _HALF_SPACE, _MESH = range(9)

Path = Union[str, "os.PathLike[str]"]


class CaptureError(Error):
    """A pair file that cannot be read; nothing of it is used.

    offset: byte of a binary file at which it is wrong, or None. line: line of a text file, or None.
    """

    def __init__(self, argument: str, reason: str, offset: Optional[int] = None, line: Optional[int] = None) -> None:
        where = f"offset {offset}: " if offset is not None else f"line {line}: "
        super().__init__(argument, where + reason)
        self.offset = offset
        self.line = line

    def __reduce__(self) -> Tuple[Any, ...]:
        reason = self.reason.split(": ", 1)[1]
        return CaptureError, (self.argument, reason, self.offset, self.line)


class Capture:
    """Recorded pairs: shapes, vertices of hulls, poses, and what else a file has of each pair.

    shapes: (s,) of capture_shape_dtype. kind: 0 sphere, 1 capsule, 2 box, 3 hull, 4 cylinder, 5 cone, 6 ellipsoid,
        7 half-space, 8 mesh. param: of spheres the radius, of capsules radius and half height, of boxes three half extents
        and the rounding radius, of hulls the rounding radius in its last place. Hulls and meshes have a range of the
        vertices, meshes three for each triangle.
    vertices: (v, 3) float32.
    pairs: (p,) of capture_pair_dtype: a and b are indices of shapes.
    motions: (p,) of capture_motion_dtype, how each pair moves in a cast, with the rotations at the end; or None.
    caches: (p,) of cache_dtype, or None.

    Arrays that were read are read-only views of the file.

    >>> import widephase as wp
    >>> capture = wp.Capture.from_bytes(b'''pairs text 1
    ... shape sphere 1 0 0 0
    ... pair 0 0 0 0 0 0 0 0 1 3 0 0 0 0 0 1
    ... ''')
    >>> a, b = capture.bodies()
    >>> wp.contact(capture.shape_table(), a, b).separation.tolist()
    [1.0]
    """

    def __init__(self, shapes: npt.NDArray[Any], pairs: npt.NDArray[Any],
            vertices: Optional[npt.NDArray[np.float32]] = None, motions: Optional[npt.NDArray[Any]] = None,
            caches: Optional[npt.NDArray[Any]] = None) -> None:
        self.shapes, self.pairs, self.motions, self.caches = shapes, pairs, motions, caches
        self.vertices = np.empty((0, 3), FLOAT) if vertices is None else vertices
        self._check("capture")

    def _check(self, name: str) -> None:
        """What a reader would refuse of the file that these arrays make."""
        for field, array, dtype, shape in (("shapes", self.shapes, capture_shape_dtype, (None,)),
                ("vertices", self.vertices, FLOAT, (None, 3)), ("pairs", self.pairs, capture_pair_dtype, (None,)),
                ("motions", self.motions, capture_motion_dtype, (len(self.pairs),)),
                ("caches", self.caches, cache_dtype, (len(self.pairs),))):
            if array is not None:
                check_dtype(array, field, dtype)
                check_shape(array, field, shape)
                integer(len(array), f"len({field})", 0, 0xffffffff)
        shapes_at = _HEADER.size
        pairs_at = shapes_at + self.shapes.nbytes + self.vertices.nbytes
        self._check_shapes(name, shapes_at)
        for offset, field in ((0, "a"), (4, "b")):
            bad = self.pairs[field] >= len(self.shapes)
            if bad.any():
                row = int(bad.argmax())
                raise CaptureError(name, f"pair {row} names shape {self.pairs[field][row]} as {field.upper()}, "
                    f"the file has {len(self.shapes)}", pairs_at + row * self.pairs.itemsize + offset)

    def _check_shapes(self, name: str, start: int) -> None:
        kind, first, count = (self.shapes[field].astype(np.int64) for field in ("kind", "first_vertex", "vertex_count"))
        has_hull, has_mesh = kind == _HULL, kind == _MESH
        plain = ~(has_hull | has_mesh)
        for bad, offset, reason in (
                (kind >= len(text.KINDS), 0, "has an unknown kind, {kind}"),
                (plain & (first != 0), 20, "is no hull, but its first vertex is {first}"),
                (plain & (count != 0), 24, "is no hull, but has {count} vertices"),
                (has_hull & ((count == 0) | (count > text.HULL_VERTEX_MAX)), 24,
                    f"has {{count}} vertices; 1 to {text.HULL_VERTEX_MAX} are possible"),
                (has_mesh & ((count == 0) | (count % 3 != 0)), 24, "is a mesh of {count} vertices; each triangle has three"),
                (~plain & (first + count > len(self.vertices)), 20,
                    f"takes {{count}} vertices from {{first}} on, the file has {len(self.vertices)}")):
            if bad.any():
                row = int(bad.argmax())
                raise CaptureError(name, f"shape {row} " + reason.format(kind=kind[row], first=first[row],
                    count=count[row]), start + row * self.shapes.itemsize + offset)
        if count.sum() > _VERTEX_TOTAL_MAX:
            raise CaptureError(name, f"hulls and meshes have {count.sum()} vertices altogether; {_VERTEX_TOTAL_MAX} are "
                "possible", start)

    # ---- files ----

    @classmethod
    def read(cls, path: Path, mmap: bool = False) -> Capture:
        """Read a file of either form. A CaptureError names the place where it is wrong.

        mmap: map a binary file instead of reading it, for files larger than memory. The file must keep its size as
            long as the capture lives, or the operating system ends the process.
        """
        if mmap and os.path.getsize(path) >= _HEADER.size:
            return cls._of_data(np.memmap(path, np.uint8, "r"), os.fspath(path))
        with open(path, "rb") as file:
            return cls.from_bytes(file.read(), os.fspath(path))

    @classmethod
    def from_bytes(cls, data: bytes, name: str = "data") -> Capture:
        """The same of a file's contents; errors call them `name`."""
        return cls._of_data(np.frombuffer(data, np.uint8), name)

    @classmethod
    def _of_data(cls, data: npt.NDArray[np.uint8], name: str) -> Capture:
        if text.is_text(data[:len(text.MAGIC) + 1].tobytes()):
            return cls._of_text(data.tobytes(), name)
        if not _MAGIC.startswith(data[:len(_MAGIC)].tobytes()):
            raise CaptureError(name, f"not a pair file: it starts with neither PAIRS01 nor the line '{text.MAGIC.decode().rstrip()}'", 0)
        if len(data) < _HEADER.size:
            raise CaptureError(name, f"the file ends here, {_HEADER.size - len(data)} bytes are missing", len(data))
        _, shape_count, vertex_count, pair_count, columns = _HEADER.unpack(data[:_HEADER.size].tobytes())
        if columns & ~(_MOTIONS | _CACHES):
            raise CaptureError(name, f"columns that are not known, {columns:#x}", 20)
        blocks: List[Tuple[np.dtype[Any], int]] = [
            (capture_shape_dtype, shape_count), (np.dtype((FLOAT, 3)), vertex_count),
            (capture_pair_dtype, pair_count), (capture_motion_dtype, pair_count if columns & _MOTIONS else 0),
            (cache_dtype, pair_count if columns & _CACHES else 0)]
        expected = _HEADER.size + sum(dtype.itemsize * count for dtype, count in blocks)
        if len(data) != expected:
            raise CaptureError(name, f"the header promises {expected} bytes ({shape_count} shapes, {vertex_count} "
                f"vertices, {pair_count} pairs), the file has {len(data)}", min(len(data), expected))
        arrays, at = [], _HEADER.size
        for dtype, count in blocks:
            base = dtype.base
            block = data[at:at + dtype.itemsize * count].view(base.newbyteorder("<")).reshape((count, *dtype.shape))
            arrays.append(block.astype(base, copy=False))
            at += dtype.itemsize * count
        capture = cls.__new__(cls)
        capture.shapes, capture.vertices, capture.pairs = arrays[:3]
        capture.motions = arrays[3] if columns & _MOTIONS else None
        capture.caches = arrays[4] if columns & _CACHES else None
        capture._check(name)
        return capture

    @classmethod
    def _of_text(cls, data: bytes, name: str) -> Capture:
        def fail(line: int, reason: str) -> NoReturn:
            raise CaptureError(name, reason, line=line) from None

        reader = text.Reader()
        reader.read(data, fail)
        with np.errstate(over="ignore"):
            vertices = np.array(reader.vertices, FLOAT).reshape(-1, 3)
            pairs = np.array(reader.pairs, capture_pair_dtype)
            motions, caches = np.zeros(len(pairs), capture_motion_dtype), np.zeros(len(pairs), cache_dtype)
            for field in ("rotation_a", "rotation_b"):
                motions[field] = pairs[field]
            for row, motion in reader.motions.items():
                motions[row] = motion
            for row, cache in reader.caches.items():
                caches[row] = cache
            shapes = np.array(reader.shapes, capture_shape_dtype)
        return cls(shapes, pairs, vertices, motions if reader.motions else None, caches if reader.caches else None)

    def to_bytes(self) -> bytes:
        """The binary form."""
        self._check("capture")
        columns = (self.motions is not None) * _MOTIONS | (self.caches is not None) * _CACHES
        header = _HEADER.pack(_MAGIC, len(self.shapes), len(self.vertices), len(self.pairs), columns)
        arrays = (self.shapes, self.vertices, self.pairs, self.motions, self.caches)
        return header + b"".join(array.astype(array.dtype.newbyteorder("<"), copy=False).tobytes()
            for array in arrays if array is not None)

    def to_text(self, remark: str = "written by widephase for Python") -> str:
        """The text form, in which every number keeps its bits; `remark` is one line."""
        self._check("capture")
        if "\n" in remark or "\0" in remark:
            raise Error("remark", "one line is possible")
        return text.write(self.shapes, self.vertices, self.pairs, self.motions, self.caches, remark)

    def write(self, path: Path) -> None:
        """Write the binary form."""
        with open(path, "wb") as file:
            file.write(self.to_bytes())

    def write_text(self, path: Path, remark: str = "written by widephase for Python") -> None:
        """Write the text form."""
        contents = self.to_text(remark)
        with open(path, "w", encoding="utf-8", newline="\n") as file:
            file.write(contents)

    # ---- to and from queries ----

    @classmethod
    def of(cls, shapes: ShapeTable, a: Bodies, b: Optional[Bodies] = None, *, pairs: Optional[Pairs] = None) -> Capture:
        """Record what a query is asked: its shapes, and the poses of each pair. Positions must be float32.

        Points become spheres, segments and triangles hulls of their corners; the answers keep their bits.
        """
        b = a if b is None else b
        for name, bodies in (("a", a), ("b", b)):
            if bodies.position.dtype != FLOAT:
                raise Error(f"{name}.position", "pair files hold float32, and rounding would make other pairs")
        vertices: List[Tuple[float, ...]] = []
        records = np.array([_record(shape, vertices, index) for index, shape in enumerate(shapes.shapes)],
            capture_shape_dtype)
        columns = indices_of(pairs, len(a))
        rows = np.zeros(len(columns[0]), capture_pair_dtype)
        for side, bodies, column in zip("ab", (a, b), columns):
            if column.size and column.max() >= len(bodies):
                raise Error("pairs", f"names body {column.max()} of {side}, there are {len(bodies)}")
            rows[f"position_{side}"], rows[f"rotation_{side}"] = bodies.position[column], bodies.rotation[column]
            rows[side] = column if bodies.shape is None else bodies.shape[column]
        return cls(records, rows, np.array(vertices, FLOAT).reshape(-1, 3))

    def shape_table(self, faces: bool = False) -> ShapeTable:
        """The shapes by their numbers in the file. A mesh is no convex shape, so its place is an invalid one.

        faces: give hulls faces by widephase-cook, as manifolds need them; vertices keep their numbers.
        """
        return ShapeTable([self._shape(record, faces) for record in self.shapes.tolist()])

    def _shape(self, record: Tuple[Any, ...], faces: bool) -> Shape:
        kind, (x, y, z, radius), first, count = record
        if kind == _SPHERE:
            return Shape.sphere(x)
        if kind == _CAPSULE:
            return Shape.capsule(x, y)
        if kind == _BOX:
            return Shape.box(x, y, z, radius)
        if kind == _CYLINDER:
            return Shape.cylinder(x, y, radius)
        if kind == _CONE:
            return Shape.cone(x, y, radius)
        if kind == _ELLIPSOID:
            return Shape.ellipsoid(x, y, z, radius)
        if kind == _HALF_SPACE:
            return Shape.half_space(radius)
        if kind == _MESH:
            return Shape(Kind.HULL, core=None)
        return Shape(Kind.HULL, radius, core=_hull(self.vertices[first:first + count], faces))

    def bodies(self) -> Tuple[Bodies, Bodies]:
        """Bodies of both sides, row for row, as views of the pairs: a query needs no `pairs` with them."""
        a, b = (Bodies(position=self.pairs[f"position_{side}"], rotation=self.pairs[f"rotation_{side}"],
            shape=self.pairs[side]) for side in "ab")
        return a, b

    def mesh_bodies(self) -> Tuple[npt.NDArray[np.intp], Bodies, List[Optional[Mesh]], Bodies]:
        """Of the pairs whose B is a mesh: their numbers, their bodies A, all meshes of the file, their bodies B.

        Bodies are row for row; bodies of B name the meshes by their place in the list, as mesh_contact and the other
        queries of meshes want them. In the place of a mesh that is refused (all of its triangles have no area, say) there is None:
        its rows are invalid. Needs widephase-cook. The triangles of answers have numbers of the cooked mesh;
        Mesh.sources has the file's.

        >>> import widephase as wp
        >>> capture = wp.Capture.from_bytes(b'''pairs text 1
        ... shape sphere 1 0 0 0
        ... shape mesh 0 0 0 0
        ... v -5 0 -5
        ... v 0 0 5
        ... v 5 0 -5
        ... pair 0 1 0 0.75 0 0 0 0 1 0 0 0 0 0 0 1
        ... ''')
        >>> rows, a, meshes, b = capture.mesh_bodies()
        >>> rows.tolist(), wp.mesh_contact(capture.shape_table(), a, meshes, b).separation.tolist()
        ([0], [-0.25])
        """
        kinds = self.shapes["kind"]
        rows = np.flatnonzero(kinds[self.pairs["b"]] == _MESH)
        pairs = self.pairs[rows]
        shapes = self.shapes[kinds == _MESH]
        number = (np.cumsum(kinds == _MESH) - 1).astype(INDEX)
        meshes = [_mesh(self.vertices[first:first + count])
            for first, count in zip(shapes["first_vertex"], shapes["vertex_count"])]
        a = Bodies(position=pairs["position_a"], rotation=pairs["rotation_a"], shape=pairs["a"])
        return rows, a, meshes, Bodies(position=pairs["position_b"], rotation=pairs["rotation_b"], shape=number[pairs["b"]])

    def bodies_motions(self) -> Tuple[Motions, Motions]:
        """How these bodies move in a cast, as views of the motions."""
        if self.motions is None:
            raise Error("capture", "has no motions")
        a, b = (Motions(translation=self.motions[f"translation_{side}"], rotation=self.motions[f"rotation_{side}"])
            for side in "ab")
        return a, b

    def __repr__(self) -> str:
        more = [name for name in ("motions", "caches") if getattr(self, name) is not None]
        return (f"<Capture of {len(self.shapes)} shapes, {len(self.vertices)} vertices, {len(self.pairs)} pairs"
            f"{''.join(f', {name}' for name in more)}>")


def _mesh(vertices: npt.NDArray[np.float32]) -> Optional[Mesh]:
    """None where the library refuses the triangles."""
    try:
        return Mesh.cook(vertices)
    except Error as error:
        if error.code is None:
            raise
        return None


def _hull(vertices: npt.NDArray[np.float32], faces: bool) -> Optional[Hull]:
    """None where the library refuses the vertices (one is NaN): the shape is invalid then."""
    try:
        hull = Hull.from_vertices(vertices)
    except Error:
        return None
    if not faces or len(vertices) <= 3:
        return hull
    try:
        return Hull.with_cooked_faces(vertices)
    except Error as error:
        if error.code is None:
            raise
        return hull  # all vertices on a line, say


def _record(shape: Optional[Shape], vertices: List[Tuple[float, ...]], index: int) -> Tuple[Any, ...]:
    """A record of a capture's shapes; its vertices are added to those that there are."""
    if shape is None:
        raise Error(f"shapes[{index}]", "there is none, and pair files have no empty places")
    half_extents, radius = shape.half_extents, shape.radius
    if shape.kind in (Kind.POINT, Kind.SPHERE):
        return _SPHERE, (radius, 0, 0, 0), 0, 0
    if shape.kind == Kind.CAPSULE:
        return _CAPSULE, (radius, shape.half_height, 0, 0), 0, 0
    if shape.kind in (Kind.BOX, Kind.ELLIPSOID):
        return _BOX if shape.kind == Kind.BOX else _ELLIPSOID, (*half_extents, radius), 0, 0
    if shape.kind in (Kind.CYLINDER, Kind.CONE):
        kind = _CYLINDER if shape.kind == Kind.CYLINDER else _CONE
        return kind, (shape.base_radius, shape.half_height, 0, radius), 0, 0
    if shape.kind == Kind.HALF_SPACE:
        return _HALF_SPACE, (0, 0, 0, radius), 0, 0
    points: Dict[int, Any] = {Kind.SEGMENT: shape.points[:2], Kind.TRIANGLE: shape.points,
        Kind.HULL: () if shape.core is None else shape.core.vertices.tolist()}
    if not points.get(shape.kind):
        raise Error(f"shapes[{index}]", "is invalid, and pair files cannot hold it")
    first = len(vertices)
    vertices += points[shape.kind]
    return _HULL, (0, 0, 0, radius), first, len(vertices) - first
