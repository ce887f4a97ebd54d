"""Queries of bodies with convex shapes against meshes and height fields."""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Sequence, Tuple, Union

import numpy as np
import numpy.typing as npt

from widephase._arrays import INDEX, check_type, integer, number, sequence
from widephase._height_field import HeightField
from widephase._library import Error, ffi, lib
from widephase._mesh import Mesh
from widephase._queries import SPACE, Bodies, Motions, Out, Pairs, Results, ResultsBase, Workspace, _Call, boxes_by
from widephase._shapes import ShapeTable
from widephase._status import MeshStatistics

MESH_PATCH_MAX = 8
MESH_POINT_MAX = 4

mesh_point_dtype = np.dtype([("point_a", "f4", 3), ("point_b", "f4", 3), ("local_a", "f4", 3), ("local_b", "f4", 3),
    ("separation", "f4"), ("triangle", "u4"), ("feature_a", "u4"), ("feature_b", "u4")])

mesh_patch_dtype = np.dtype([("normal", "f4", 3), ("separation", "f4"), ("point_count", "u4"),
    ("points", mesh_point_dtype, MESH_POINT_MAX)])

Surfaces = Sequence[Union[Mesh, HeightField, None]]

_MESH_SPACE = SPACE._replace(prefix="wp_mesh_", outputs={**SPACE.outputs, "triangle": ((INDEX,), ())})


class MeshResults(Results):
    """The outputs of mesh_overlap, mesh_distance and mesh_cast.

    A row without an answer (Status.BEYOND; of overlaps and casts, no hit) has an infinite separation, and vectors of zero.

    triangle: (n,) the triangle of the answer, MESH_MISS for none.
    """

    triangle: npt.NDArray[np.uint32]


class MeshContacts(ResultsBase):
    """The outputs of mesh_contact.

    separation: (n,) the least of all patches; infinity where there is none.
    normal: (n, 3) of that patch: unit, world axes, into the mesh; zero where there is none.
    status: (n,) Status bits; Status.BEYOND with no point.
    triangle_count: (n,) triangles that have a point.
    patch_count: (n,) patches of the row.
    patches: (n, patch_max) of mesh_patch_dtype, the deepest first; those from patch_count on mean nothing.
    """

    separation: npt.NDArray[np.float32]
    normal: npt.NDArray[np.float32]
    status: npt.NDArray[np.uint32]
    triangle_count: npt.NDArray[np.uint32]
    patch_count: npt.NDArray[np.uint32]
    patches: npt.NDArray[Any]


class _MeshCall(_Call):
    statistics = MeshStatistics
    statistics_kind = "wp_mesh_statistics *"

    def __init__(self, shapes: Any, a: Any, surfaces: Surfaces, b: Any, pairs: Optional[Pairs], space: Any = _MESH_SPACE) -> None:
        check_type(b, "b", Bodies)
        super().__init__(shapes, a, b, pairs, space)
        self.pointers = _put_surfaces(self.batch, surfaces)
        self.surfaces = list(surfaces)


def _put_surfaces(batch: Any, surfaces: Surfaces) -> Any:
    """Let a batch have surfaces. Returns what it points at."""
    meshes: List[Any] = []
    fields: List[Any] = []
    for index, surface in enumerate(sequence(surfaces, "surfaces")):
        if surface is None:
            (fields if fields else meshes).append(ffi.NULL)
        elif isinstance(surface, HeightField):
            fields.append(surface._pointer)
        elif not isinstance(surface, Mesh):
            raise Error(f"surfaces[{index}]", f"a Mesh or a HeightField is needed, not {type(surface).__name__}")
        elif fields:
            raise Error(f"surfaces[{index}]", "a Mesh after a HeightField; meshes come first")
        else:
            meshes.append(surface._pointer)
    pointers = (ffi.new("wp_mesh *[]", meshes), ffi.new("wp_height_field *[]", fields))
    batch.meshes, batch.height_fields = pointers
    batch.mesh_count, batch.height_field_count = len(meshes), len(fields)
    return pointers


def mesh_bodies_bounds(surfaces: Surfaces, bodies: Bodies, *, max_separation: float = 0.0
        ) -> Tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """bodies_bounds of bodies with meshes or height fields: boxes around all corners, or all samples that are no holes.

    surfaces: those that bodies name by their `shape`, as `b` of mesh_contact.

    A body without a valid surface or pose, or with a field of nothing but holes, has lower = inf and upper = -inf. A
    height field takes time for each sample: keep the box of one that stands still.

    >>> import numpy as np, widephase as wp
    >>> field = wp.HeightField(np.array([(0, 1), (2, 0)], np.float32), spacing=(3, 4))
    >>> lower, upper = wp.mesh_bodies_bounds([field], wp.Bodies.copied(position=[(0, 0, 5)]), max_separation=0.5)
    >>> lower.round(3).tolist(), upper.round(3).tolist()
    ([[-0.25, -0.25, 4.75]], [[3.25, 2.25, 9.25]])
    """
    check_type(bodies, "bodies", Bodies)
    batch = ffi.new("wp_mesh_batch *", {"b": bodies._view[0], "count": len(bodies)})
    pointers = _put_surfaces(batch, surfaces)
    boxes = boxes_by(lib.wp_mesh_bodies_bounds, batch, bodies, max_separation)
    del pointers
    return boxes


class ContactCall(_MeshCall):
    """A query that writes patches."""

    results_kind = "wp_mesh_results *"

    def __init__(self, shapes: Any, a: Any, surfaces: Surfaces, b: Any, pairs: Optional[Pairs], patch_max: int) -> None:
        sizes: Any = {name: SPACE.outputs[name] for name in ("separation", "normal", "status")}
        sizes.update(triangle_count=((INDEX,), ()), patch_count=((INDEX,), ()), patches=((mesh_patch_dtype,), (patch_max,)))
        super().__init__(shapes, a, surfaces, b, pairs, _MESH_SPACE._replace(outputs=sizes))
        self.results.patch_max = patch_max

    def ask_patches(self, outputs: Union[str, Sequence[str], None], out: Optional[Out],
            usual: Sequence[str]) -> Dict[str, npt.NDArray[Any]]:
        names = self.wanted(outputs, out, usual)
        if "patches" in names and "patch_count" not in names:
            raise Error("outputs" if outputs is not None else "out", "patches need patch_count, too")
        arrays = self.ask(names, out)
        if out is None and "patches" in arrays:
            arrays["patches"][...] = np.zeros((), mesh_patch_dtype)
        return arrays


def flags_of(two_sided: bool, ghosts: bool, soup: bool) -> int:
    """Bits of wp_mesh_flag."""
    bits = ((two_sided, lib.WP_MESH_TWO_SIDED), (ghosts, lib.WP_MESH_GHOSTS), (soup, lib.WP_MESH_SOUP))
    return sum(bit for wanted, bit in bits if wanted)


def mesh_contact(shapes: ShapeTable, a: Bodies, surfaces: Surfaces, b: Bodies, *, pairs: Optional[Pairs] = None,
        max_separation: float = 0.0, patch_max: int = 4, two_sided: bool = False, ghosts: bool = False, soup: bool = False,
        outputs: Union[str, Sequence[str], None] = None, out: Optional[Out] = None, first: int = 0,
        count: Optional[int] = None, workspace: Optional[Workspace] = None,
        statistics: Optional[MeshStatistics] = None) -> MeshContacts:
    """Contacts of convex shapes with meshes and height fields, without ghosts at edges between triangles.

    shapes, a: the convex bodies. Half-spaces and custom shapes have no contacts with meshes.
    surfaces, b: what the bodies of b name by their `shape`: meshes first, then height fields. A row of a body that names a None
        among them is invalid.
    pairs: of each row the body of a and the body of b, as in overlap.
    max_separation: points are made up to this separation, by default of what touches. Each triangle that is so near is answered,
        so distances to what is far are mesh_distance's.
    patch_max: most patches of a row, 1 to 8; of more the deepest stay.
    two_sided: triangles face the body, whichever side it is on. Otherwise a body whose centre is behind a triangle has no
        contact with it.
    ghosts: leave contacts at edges and corners inside of a surface as they are.
    soup: borders of a mesh are none where others of its triangles lie along them: for seams whose vertices differ.

    Usual outputs: all. Other arguments, bad rows and errors as of overlap.

    >>> import numpy as np, widephase as wp
    >>> floor = wp.HeightField(np.zeros((9, 9), np.float32))
    >>> found = wp.mesh_contact(wp.ShapeTable([wp.Shape.box(1, 1, 1)]), wp.Bodies.copied(position=[(4.3, 0.75, 4.1)]),
    ...     [floor], wp.Bodies.copied(position=[(0, 0, 0)]))
    >>> found.separation.tolist(), found.normal.tolist(), found.patch_count.tolist(), found.patches["point_count"][0, 0]
    ([-0.25], [[0.0, -1.0, 0.0]], [1], 4)
    """
    patch_max = integer(patch_max, "patch_max", 1, MESH_PATCH_MAX)
    call = ContactCall(shapes, a, surfaces, b, pairs, patch_max)
    call.set_range(first, count, out)
    arrays = call.ask_patches(outputs, out, tuple(call.space.outputs))
    options = ffi.new("wp_mesh_options *", {"max_separation": number(max_separation, "max_separation"),
        "flags": flags_of(two_sided, ghosts, soup)})
    call.run(lib.wp_mesh_contact, workspace, statistics, (options,))
    return MeshContacts(arrays)


def mesh_overlap(shapes: ShapeTable, a: Bodies, surfaces: Surfaces, b: Bodies, *, pairs: Optional[Pairs] = None,
        outputs: Union[str, Sequence[str], None] = None, out: Optional[Out] = None, first: int = 0,
        count: Optional[int] = None, workspace: Optional[Workspace] = None,
        statistics: Optional[MeshStatistics] = None) -> MeshResults:
    """Does the body share a point with any triangle? Usual outputs: overlap, triangle (the lowest that it overlaps), status.

    A mesh is a surface, whose triangles have two sides. Arguments as of mesh_contact.
    """
    return MeshResults(_answer("overlap", ("overlap", "triangle", "status"), shapes, a, surfaces, b, pairs, outputs, out,
        first, count, workspace, statistics))


def mesh_distance(shapes: ShapeTable, a: Bodies, surfaces: Surfaces, b: Bodies, *, pairs: Optional[Pairs] = None,
        max_distance: float = 0.0, outputs: Union[str, Sequence[str], None] = None, out: Optional[Out] = None,
        first: int = 0, count: Optional[int] = None, workspace: Optional[Workspace] = None,
        statistics: Optional[MeshStatistics] = None) -> MeshResults:
    """How far is the body from the nearest triangle? Usual outputs: separation, triangle, status.

    max_distance: triangles further away do not count; 0: all count. The smaller, the faster.

    Arguments as of mesh_contact.
    """
    options = ffi.new("wp_mesh_distance_options *", {"max_distance": number(max_distance, "max_distance")})
    return MeshResults(_answer("distance", ("separation", "triangle", "status"), shapes, a, surfaces, b, pairs, outputs, out,
        first, count, workspace, statistics, options))


def mesh_cast(shapes: ShapeTable, a: Bodies, surfaces: Surfaces, b: Bodies, *, motions_a: Optional[Motions] = None,
        motions_b: Optional[Motions] = None, pairs: Optional[Pairs] = None,
        outputs: Union[str, Sequence[str], None] = None, out: Optional[Out] = None, first: int = 0,
        count: Optional[int] = None, workspace: Optional[Workspace] = None,
        statistics: Optional[MeshStatistics] = None) -> MeshResults:
    """When does the moving body first touch a triangle? Usual outputs: fraction, normal, triangle, status.

    motions_a, motions_b: where the bodies go; None: nowhere. A cast of Shape.point is a ray.

    Arguments as of mesh_contact.
    """
    call = _MeshCall(shapes, a, surfaces, b, pairs)
    call.set_range(first, count, out)
    moves = (call.motions("motions_a", motions_a, a), call.motions("motions_b", motions_b, b))
    arrays = call.ask(call.wanted(outputs, out, ("fraction", "normal", "triangle", "status")), out)
    call.run(lib.wp_mesh_cast, workspace, statistics, moves, (call.fraction, call.triangle))
    return MeshResults(arrays)


def _answer(name: str, usual: Sequence[str], shapes: Any, a: Any, surfaces: Surfaces, b: Any, pairs: Optional[Pairs],
        outputs: Union[str, Sequence[str], None], out: Optional[Out], first: int, count: Optional[int],
        workspace: Optional[Workspace], statistics: Optional[MeshStatistics],
        *options: Any) -> Dict[str, npt.NDArray[Any]]:
    call = _MeshCall(shapes, a, surfaces, b, pairs)
    call.set_range(first, count, out)
    arrays = call.ask(call.wanted(outputs, out, usual), out)
    call.run(call.space.call(name), workspace, statistics, options, (call.triangle,))
    return arrays
