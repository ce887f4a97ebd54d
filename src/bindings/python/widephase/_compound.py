"""Compounds, bodies of several convex shapes, and queries of them."""

from __future__ import annotations

from functools import cached_property
from typing import Any, Dict, List, Optional, Sequence, Tuple, Union

import numpy as np
import numpy.typing as npt

from widephase._arrays import (FLOAT, INDEX, Numbers, address, check_shape, check_type, copied, frozen, integer,
    number, numbers, pointer, rotations, sequence)
from widephase._library import Error, aligned, check, ffi, lib
from widephase._mesh_queries import (MESH_PATCH_MAX, MESH_POINT_MAX, ContactCall, MeshContacts, MeshResults, Surfaces,
    _MeshCall, flags_of)
from widephase._queries import (SPACE, Bodies, Motions, Out, Pairs, Results, Workspace, _Call, boxes_by,
    manifold_point_dtype)
from widephase._shapes import Mass, ShapeTable, mass_of
from widephase._status import CompoundStatistics, MeshStatistics

COMPOUND_SHAPE = 0x80000000

COMPOUND_MISS = 0xffffffff

# Largest coordinate, and how far the length of a rotation may be from 1.
_COORDINATE_MAX = np.float32(1e30)
_UNIT_ERROR = 1e-2

compound_child_dtype = np.dtype([("position", "f4", 3), ("rotation", "f4", 4), ("shape", "u4"), ("tag", "u4")])

compound_patch_dtype = np.dtype([("normal", "f4", 3), ("separation", "f4"), ("child_a", "u4"), ("child_b", "u4"),
    ("status", "u4"), ("point_count", "u4"), ("points", manifold_point_dtype, 4)])

_CHILD = {name: ((INDEX,), ()) for name in ("child_a", "child_b")}
_COMPOUND_SPACE = SPACE._replace(prefix="wp_compound_", outputs={**SPACE.outputs, **_CHILD})


def _cause_of_pose(child: Any) -> Tuple[str, str]:
    """What is wrong with the pose of a child: the argument, and the cause."""
    place, turn = child["position"], child["rotation"]
    if not (np.abs(place) <= _COORDINATE_MAX).all():
        return "position", f"{tuple(place.tolist())} is {'beyond 1e30' if np.isfinite(place).all() else 'not finite'}"
    if not np.isfinite(turn).all():
        return "rotation", f"{tuple(turn.tolist())} is not finite"
    length = float(np.linalg.norm(turn.astype(np.float64)))
    if abs(length - 1) > _UNIT_ERROR:
        return "rotation", f"{tuple(turn.tolist())} has the length {length:.6g}, not 1"
    return "position", "the shape of the child reaches beyond 1e30 there"


def _cause_of_shape(shapes: ShapeTable, shape: int) -> str:
    """What is wrong with the shape of a child."""
    if shape >= len(shapes):
        return f"index {shape} is not below {len(shapes)}, the number of shapes in the table"
    bound = lib.wp_shape_table_bound(shapes._pointer, shape)
    # The bound of a valid shape is 0 for a point alone, which fits everywhere.
    return (f"shape {shape} of the table is a half-space" if bound == float("inf") else
        f"shape {shape} of the table is invalid or was removed" if bound == 0 else
        f"shape {shape} of the table is larger than it was when the compound was made")


class Compound:
    """Convex shapes with poses, as one body, and a tree of boxes: immutable, for any number of threads.

    position: (n, 3), of each shape's origin in the compound's frame.
    rotation: (n, 4), unit quaternions x, y, z, w, or (n, 3, 3), matrices; None: none is turned.
    shape: (n,), indices into the table, of any kind but a half-space; None: child i has shape i.
    tag: (n,), anything that is kept; None: zeros.

    >>> import widephase as wp
    >>> table = wp.ShapeTable([wp.Shape.box(1, 1, 1), wp.Shape.half_space()])
    >>> dumbbell = wp.Compound(table, position=[(-2, 0, 0), (2, 0, 0)], shape=[0, 0])
    >>> bodies = wp.Bodies.copied(position=[(0, 0.75, 0), (0, 0, 0)], shape=[wp.COMPOUND_SHAPE + 0, 1])
    >>> found = wp.compound_contact_manifold(table, [dumbbell], bodies, pairs=np.array([(0, 1)], np.uint32))
    >>> found.patch_count.tolist(), found.patches["child_a"][0, :2].tolist(), found.separation.tolist()
    ([2], [0, 1], [-0.25])
    """

    def __init__(self, shapes: ShapeTable, *, position: npt.ArrayLike, rotation: Optional[npt.ArrayLike] = None,
            shape: Optional[npt.ArrayLike] = None, tag: Optional[npt.ArrayLike] = None) -> None:
        check_type(shapes, "shapes", ShapeTable)
        places = copied(position, "position", FLOAT, 3)
        check_shape(places, "position", (None, 3))
        count = len(places)
        children = np.zeros(count, compound_child_dtype)
        unturned = np.tile(np.array((0, 0, 0, 1), FLOAT), (count, 1))
        given: Any = (("rotation", FLOAT, unturned if rotation is None else rotation, (4,)),
            ("shape", INDEX, np.arange(count) if shape is None else shape, ()),
            ("tag", INDEX, np.zeros(count, INDEX) if tag is None else tag, ()))
        children["position"] = places
        for name, dtype, values, numbers_ in given:
            column = rotations(values, name, 4) if numbers_ else copied(values, name, dtype)
            check_shape(column, name, (count, *numbers_))
            children[name] = column
        size = lib.wp_compound_size(count)
        self._owner, memory = aligned(size)
        made, bad = ffi.new("wp_compound **"), ffi.new("size_t *")
        first = pointer(address(children), "wp_compound_child *")
        error = lib.wp_compound_build(first, count, shapes._pointer, memory, size, made, bad)
        if error == lib.WP_ERROR_COMPOUND_POSE:
            name, cause = _cause_of_pose(children[bad[0]])
            check(error, f"{name}[{bad[0]}]", cause)
        if error == lib.WP_ERROR_COMPOUND_SHAPE:
            check(error, f"shape[{bad[0]}]", _cause_of_shape(shapes, int(children["shape"][bad[0]])))
        check(error, "position")
        self._pointer = made[0]

    @classmethod
    def from_bytes(cls, data: Any) -> Compound:
        """What to_bytes gave, checked in every byte: anything else is an Error whose code is "COMPOUND_CORRUPT"."""
        try:
            found = memoryview(data).tobytes()
        except TypeError:
            raise Error("data", f"bytes are needed, not {type(data).__name__}") from None
        self = cls.__new__(cls)
        self._owner, memory = aligned(len(found))
        ffi.memmove(memory, found, len(found))
        compound = ffi.new("wp_compound **")
        check(lib.wp_compound_from_memory(memory, len(found), compound), "data")
        self._pointer = compound[0]
        return self

    def to_bytes(self) -> bytes:
        """All of the compound, to be written to a file; a C program may map it."""
        return bytes(ffi.buffer(self._pointer, lib.wp_compound_byte_size(self._pointer)))

    def _cause_of(self, error: int, shapes: ShapeTable, child: int) -> Optional[str]:
        """What is wrong with the shape of a child, if that is the error."""
        return _cause_of_shape(shapes, int(self.children["shape"][child])) if error == lib.WP_ERROR_COMPOUND_SHAPE else None

    def check(self, shapes: ShapeTable) -> None:
        """An Error where the table has no such shapes as the compound was made for, or larger ones."""
        check_type(shapes, "shapes", ShapeTable)
        bad = ffi.new("size_t *")
        error = lib.wp_compound_check(self._pointer, shapes._pointer, bad)
        if error != lib.WP_OK:
            check(error, f"shapes, for child {bad[0]}", self._cause_of(error, shapes, bad[0]))

    def __len__(self) -> int:
        """Children."""
        return int(lib.wp_compound_child_count(self._pointer))

    @cached_property
    def bounds(self) -> Tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
        """Lower and upper corner of the smallest box around the boxes of all children."""
        corners = np.empty((2, 3), FLOAT)
        first = pointer(address(corners), "float *")
        lib.wp_compound_bounds(self._pointer, first, first + 3)
        return frozen(corners[0]), frozen(corners[1])

    @cached_property
    def children(self) -> npt.NDArray[Any]:
        """(n,) of compound_child_dtype, as they were given; read-only."""
        children = np.empty(len(self), compound_child_dtype)
        first = pointer(address(children), "wp_compound_child *")
        for index in range(len(children)):
            lib.wp_compound_child_at(self._pointer, index, first + index)
        return frozen(children)

    def child_poses(self, position: Numbers, rotation: Numbers = (0, 0, 0, 1)) -> Bodies:
        """The children as bodies of their own, if the compound is at this place: the ones that queries have."""
        place = ffi.new("double[3]", numbers(position, "position", 3))
        turn = ffi.new("float[4]", numbers(rotation, "rotation", 4))
        places, turns = np.empty((len(self), 3)), np.empty((len(self), 4), FLOAT)
        to, turned = pointer(address(places), "double *"), pointer(address(turns), "float *")
        for index in range(len(self)):
            lib.wp_compound_child_pose(self._pointer, index, place, turn, to + 3 * index, turned + 4 * index)
        return Bodies(position=places, rotation=turns, shape=self.children["shape"].copy())

    def mass(self, shapes: ShapeTable, density: Optional[npt.ArrayLike] = None) -> Mass:
        """Mass, centroid and inertia of all children, in the compound's frame, by the parallel axis theorem. Where children
        overlap, both count.

        shapes: of the children.
        density: (n,) of each child, finite and not negative; 0 leaves a child out. None: 1 of all.

        >>> import widephase as wp
        >>> table = wp.ShapeTable([wp.Shape.box(1, 1, 1)])
        >>> mass = wp.Compound(table, position=[(0, 0, 0), (4, 0, 0)], shape=[0, 0]).mass(table, density=[1, 3])
        >>> mass.volume, mass.centroid.tolist()
        (32.0, [3.0, 0.0, 0.0])
        """
        check_type(shapes, "shapes", ShapeTable)
        column, bad = ffi.new("wp_const_float_column *"), ffi.new("size_t *")
        if density is not None:
            told = copied(density, "density", FLOAT)
            check_shape(told, "density", (len(self),))
            column.data = pointer(address(told), "float *")
        mass = ffi.new("wp_mass *")
        error = lib.wp_compound_mass(self._pointer, shapes._pointer, column, mass, bad)
        if error in (lib.WP_ERROR_DENSITY, lib.WP_ERROR_COMPOUND_SHAPE, lib.WP_ERROR_SHAPE_MASS, lib.WP_ERROR_HULL_VOLUME):
            check(error, f"density[{bad[0]}]" if error == lib.WP_ERROR_DENSITY else f"shapes, for child {bad[0]}",
                self._cause_of(error, shapes, bad[0]))
        check(error, "compound")
        return mass_of(mass)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Compound) and self.to_bytes() == other.to_bytes()

    def __hash__(self) -> int:
        return hash(self.to_bytes())

    def __repr__(self) -> str:
        return f"<Compound of {len(self)} shapes>"

    def __reduce__(self) -> Tuple[Any, ...]:
        return Compound.from_bytes, (self.to_bytes(),)


class CompoundResults(Results):
    """The outputs of compound_overlap, compound_distance, compound_contact and compound_cast.

    A row without an answer (Status.BEYOND; of overlaps and casts, no hit) has an infinite separation, and vectors of zero.

    child_a: (n,) the child of A that gives the answer, COMPOUND_MISS for none; 0 of a shape.
    child_b: (n,) the child of B.
    """

    child_a: npt.NDArray[np.uint32]
    child_b: npt.NDArray[np.uint32]


class CompoundManifolds(Results):
    """The outputs of compound_contact_manifold.

    pair_count: (n,) pairs of children with points, also beyond patch_max.
    patch_count: (n,) patches of the row.
    patches: (n, patch_max) of compound_patch_dtype, the deepest first; others mean nothing.
    """

    pair_count: npt.NDArray[np.uint32]
    patch_count: npt.NDArray[np.uint32]
    patches: npt.NDArray[Any]


class CompoundMeshContacts(MeshContacts):
    """The outputs of compound_mesh_contact.

    children: (n, patch_max, 4) the child of each point; 0 of a body that has a shape itself.
    """

    children: npt.NDArray[np.uint32]


class CompoundMeshResults(MeshResults):
    """The outputs of compound_mesh_overlap, compound_mesh_distance and compound_mesh_cast.

    child: (n,) the child that gives the answer, COMPOUND_MISS for none; 0 of a shape.
    triangle: (n,) its triangle, MESH_MISS for none.
    """

    child: npt.NDArray[np.uint32]
    triangle: npt.NDArray[np.uint32]


def _pointers_of(compounds: Sequence[Compound]) -> Any:
    pointers: List[Any] = []
    for index, compound in enumerate(compounds):
        check_type(compound, f"compounds[{index}]", Compound)
        pointers.append(compound._pointer)
    return ffi.new("wp_compound *[]", pointers)


class _CompoundCall(_Call):
    statistics = CompoundStatistics
    statistics_kind = "wp_compound_statistics *"
    aside = ("fraction", "child_a", "child_b", "pair_count", "patch_count", "patches")

    def __init__(self, shapes: Any, compounds: Sequence[Compound], a: Any, b: Any, pairs: Optional[Pairs],
            space: Any = _COMPOUND_SPACE) -> None:
        super().__init__(shapes, a, b, pairs, space)
        self.compounds = list(sequence(compounds, "compounds"))
        self.pointers = _pointers_of(self.compounds)
        self.batch.compounds, self.batch.compound_count = self.pointers, len(self.compounds)
        self.children = ffi.new("wp_child_columns *")
        self.child_a, self.child_b = self.children.a, self.children.b
        self.manifolds = ffi.new("wp_compound_patches *")
        self.pair_count, self.patch_count, self.patches = (
            self.manifolds.pair_count, self.manifolds.patch_count, self.manifolds.patches)


def _answer(name: str, usual: Sequence[str], shapes: Any, compounds: Sequence[Compound], a: Any, b: Any,
        pairs: Optional[Pairs], outputs: Union[str, Sequence[str], None], out: Optional[Out], first: int,
        count: Optional[int], workspace: Optional[Workspace], statistics: Optional[CompoundStatistics],
        *options: Any) -> Dict[str, npt.NDArray[Any]]:
    call = _CompoundCall(shapes, compounds, a, b, pairs)
    call.set_range(first, count, out)
    arrays = call.ask(call.wanted(outputs, out, (*usual, "child_a", "child_b", "status")), out)
    call.run(call.space.call(name), workspace, statistics, options, (call.children,))
    return arrays


def compound_bodies_bounds(shapes: ShapeTable, compounds: Sequence[Compound], bodies: Bodies, *, max_separation: float = 0.0
        ) -> Tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """bodies_bounds of bodies that have a shape or a compound, as in compound_overlap: boxes around all children.

    >>> import widephase as wp
    >>> shapes = wp.ShapeTable([wp.Shape.box(1, 2, 3)])
    >>> pair = wp.Compound(shapes, position=[(0, 0, 0), (10, 0, 0)], shape=[0, 0])
    >>> bodies = wp.Bodies.copied(position=[(0, 0, 5)], shape=[wp.COMPOUND_SHAPE + 0])
    >>> lower, upper = wp.compound_bodies_bounds(shapes, [pair], bodies)
    >>> lower.round(3).tolist(), upper.round(3).tolist()
    ([[-1.0, -2.0, 2.0]], [[11.0, 2.0, 8.0]])
    """
    check_type(shapes, "shapes", ShapeTable)
    check_type(bodies, "bodies", Bodies)
    pointers = _pointers_of(sequence(compounds, "compounds"))
    batch = ffi.new("wp_compound_batch *", {"shapes": shapes._pointer, "compounds": pointers,
        "compound_count": len(pointers), "a": bodies._view[0], "count": len(bodies)})
    return boxes_by(lib.wp_compound_bodies_bounds, batch, bodies, max_separation)


def compound_overlap(shapes: ShapeTable, compounds: Sequence[Compound], a: Bodies, b: Optional[Bodies] = None, *,
        pairs: Optional[Pairs] = None, outputs: Union[str, Sequence[str], None] = None, out: Optional[Out] = None,
        first: int = 0, count: Optional[int] = None, workspace: Optional[Workspace] = None,
        statistics: Optional[CompoundStatistics] = None) -> CompoundResults:
    """Do the bodies share a point? Usual outputs: overlap, child_a, child_b (the lowest pair that overlaps), status.

    shapes: of bodies and children.
    compounds: those that bodies name by their `shape`, COMPOUND_SHAPE + the place in this list. A body with an index into the
        table has that shape itself; a row may pair any two bodies.

    Other arguments, bad rows and errors as of overlap.
    """
    return CompoundResults(_answer("overlap", ("overlap",), shapes, compounds, a, b, pairs, outputs, out, first, count,
        workspace, statistics))


def compound_distance(shapes: ShapeTable, compounds: Sequence[Compound], a: Bodies, b: Optional[Bodies] = None, *,
        pairs: Optional[Pairs] = None, max_distance: float = 0.0, outputs: Union[str, Sequence[str], None] = None,
        out: Optional[Out] = None, first: int = 0, count: Optional[int] = None, workspace: Optional[Workspace] = None,
        statistics: Optional[CompoundStatistics] = None) -> CompoundResults:
    """How far are the nearest children apart? Usual outputs: separation, child_a, child_b, status.

    max_distance: children further apart do not count; 0: all count. The smaller, the faster.

    Other arguments as of compound_overlap.
    """
    options = ffi.new("wp_compound_distance_options *", {"max_distance": number(max_distance, "max_distance")})
    return CompoundResults(_answer("distance", ("separation",), shapes, compounds, a, b, pairs, outputs, out, first, count,
        workspace, statistics, options))


def _manifold_call(shapes: Any, compounds: Sequence[Compound], a: Any, b: Any, pairs: Optional[Pairs],
        patch_max: int) -> _CompoundCall:
    sizes: Any = {**SPACE.outputs, "pair_count": ((INDEX,), ()), "patch_count": ((INDEX,), ()),
        "patches": ((compound_patch_dtype,), (patch_max,))}
    call = _CompoundCall(shapes, compounds, a, b, pairs, _COMPOUND_SPACE._replace(outputs=sizes))
    call.manifolds.patch_max = patch_max
    return call


def _contact_options(max_separation: float) -> Any:
    return ffi.new("wp_contact_options *", {"max_separation": number(max_separation, "max_separation")})


def compound_contact(shapes: ShapeTable, compounds: Sequence[Compound], a: Bodies, b: Optional[Bodies] = None, *,
        pairs: Optional[Pairs] = None, max_separation: float = 0.0, outputs: Union[str, Sequence[str], None] = None,
        out: Optional[Out] = None, first: int = 0, count: Optional[int] = None, workspace: Optional[Workspace] = None,
        statistics: Optional[CompoundStatistics] = None) -> CompoundResults:
    """The deepest contact of all pairs of children. Usual outputs: separation, normal, child_a, child_b, status.

    max_separation: pairs that are proven further apart do not count; the default leaves those that touch, while contact's is
        infinite.

    Other arguments as of compound_overlap.
    """
    return CompoundResults(_answer("contact", ("separation", "normal"), shapes, compounds, a, b, pairs, outputs, out, first,
        count, workspace, statistics, _contact_options(max_separation)))


def compound_contact_manifold(shapes: ShapeTable, compounds: Sequence[Compound], a: Bodies, b: Optional[Bodies] = None, *,
        pairs: Optional[Pairs] = None, max_separation: float = 0.0, patch_max: int = 4,
        outputs: Union[str, Sequence[str], None] = None, out: Optional[Out] = None, first: int = 0,
        count: Optional[int] = None, workspace: Optional[Workspace] = None,
        statistics: Optional[CompoundStatistics] = None) -> CompoundManifolds:
    """The deepest contact, and a patch for each pair of children: usual outputs separation, normal, status, pair_count,
    patch_count, patches.

    max_separation: points are made up to this separation.
    patch_max: most patches of a row; of more the deepest stay.

    Other arguments as of compound_overlap. patch_count and patches are needed.
    """
    call = _manifold_call(shapes, compounds, a, b, pairs, integer(patch_max, "patch_max", 1, lib.WP_COMPOUND_PATCH_MAX))
    call.set_range(first, count, out)
    names = call.wanted(outputs, out, ("separation", "normal", "status", "pair_count", "patch_count", "patches"))
    if "patches" not in names or "patch_count" not in names:
        raise Error("outputs" if outputs is not None else "out", "patch_count and patches are needed")
    arrays = call.ask(names, out)
    if out is None:
        arrays["patches"][...] = np.zeros((), compound_patch_dtype)
    call.run(lib.wp_compound_contact_manifold, workspace, statistics, (_contact_options(max_separation),), (call.manifolds,))
    return CompoundManifolds(arrays)


def compound_cast(shapes: ShapeTable, compounds: Sequence[Compound], a: Bodies, b: Optional[Bodies] = None, *,
        motions_a: Optional[Motions] = None, motions_b: Optional[Motions] = None, pairs: Optional[Pairs] = None,
        outputs: Union[str, Sequence[str], None] = None, out: Optional[Out] = None, first: int = 0,
        count: Optional[int] = None, workspace: Optional[Workspace] = None,
        statistics: Optional[CompoundStatistics] = None) -> CompoundResults:
    """When do the moving bodies first touch? Usual outputs: fraction, normal, child_a, child_b, status.

    motions_a, motions_b: where the bodies go; None: nowhere. Where b is None, its bodies and motions are taken from a. A
        compound that turns takes its children along.

    Other arguments as of compound_overlap.
    """
    call = _CompoundCall(shapes, compounds, a, b, pairs)
    call.set_range(first, count, out)
    moves = call.both_motions(motions_a, motions_b, a, b)
    arrays = call.ask(call.wanted(outputs, out, ("fraction", "normal", "child_a", "child_b", "status")), out)
    call.run(lib.wp_compound_cast, workspace, statistics, moves, (call.fraction, call.children))
    return CompoundResults(arrays)


class _CompoundMeshCall(ContactCall):
    aside = ("fraction", "triangle", "children")

    def __init__(self, shapes: Any, compounds: Sequence[Compound], a: Any, surfaces: Surfaces, b: Any, pairs: Optional[Pairs],
            patch_max: int) -> None:
        super().__init__(shapes, a, surfaces, b, pairs, patch_max)
        self.compounds = list(sequence(compounds, "compounds"))
        self.compound_pointers = _pointers_of(self.compounds)
        self.children = ffi.new("wp_uint32_column *")
        sizes: Any = {**self.space.outputs, "children": ((INDEX,), (patch_max, MESH_POINT_MAX))}
        self.space = self.space._replace(outputs=sizes)


def compound_mesh_contact(shapes: ShapeTable, compounds: Sequence[Compound], a: Bodies, surfaces: Surfaces, b: Bodies, *,
        pairs: Optional[Pairs] = None, max_separation: float = 0.0, patch_max: int = 4, two_sided: bool = False,
        ghosts: bool = False, soup: bool = False, outputs: Union[str, Sequence[str], None] = None, out: Optional[Out] = None,
        first: int = 0, count: Optional[int] = None, workspace: Optional[Workspace] = None,
        statistics: Optional[MeshStatistics] = None) -> CompoundMeshContacts:
    """Contacts of compounds with meshes and height fields: mesh_contact of all children, their patches merged by normal.

    compounds: those that bodies of a name by their `shape`, COMPOUND_SHAPE + the place in this list. A body with an index into
        the table has that shape itself, and the bits of mesh_contact.

    Usual outputs: all. Other arguments, bad rows and errors as of mesh_contact.

    >>> import numpy as np, widephase as wp
    >>> floor = wp.HeightField(np.zeros((9, 9), np.float32))
    >>> table = wp.ShapeTable([wp.Shape.box(1, 0.0625, 1), wp.Shape.box(0.0625, 0.5, 0.0625)])
    >>> legs = [(x, -0.5, z) for x in (-0.875, 0.875) for z in (-0.875, 0.875)]
    >>> furniture = wp.Compound(table, position=[(0, 0, 0), *legs], shape=[0, 1, 1, 1, 1])
    >>> standing = wp.Bodies.copied(position=[(4.3, 0.75, 4.1)], shape=[wp.COMPOUND_SHAPE + 0])
    >>> found = wp.compound_mesh_contact(table, [furniture], standing, [floor], wp.Bodies.copied(position=[(0, 0, 0)]))
    >>> found.separation.tolist(), found.patch_count.tolist(), sorted(found.children[0, 0].tolist())
    ([-0.25], [1], [1, 2, 3, 4])
    """
    patch_max = integer(patch_max, "patch_max", 1, MESH_PATCH_MAX)
    call = _CompoundMeshCall(shapes, compounds, a, surfaces, b, pairs, patch_max)
    call.set_range(first, count, out)
    arrays = call.ask_patches(outputs, out, tuple(call.space.outputs))
    if out is None and "children" in arrays:
        arrays["children"][...] = 0
    options = ffi.new("wp_mesh_options *", {"max_separation": number(max_separation, "max_separation"),
        "flags": flags_of(two_sided, ghosts, soup)})
    call.run(lib.wp_compound_mesh_contact, workspace, statistics, (call.compound_pointers, len(call.compounds), options),
        (call.children,))
    return CompoundMeshContacts(arrays)


class _CompoundAskCall(_MeshCall):
    aside = ("fraction", "triangle", "child")

    def __init__(self, shapes: Any, compounds: Sequence[Compound], a: Any, surfaces: Surfaces, b: Any,
            pairs: Optional[Pairs]) -> None:
        super().__init__(shapes, a, surfaces, b, pairs)
        self.compounds = list(sequence(compounds, "compounds"))
        self.compound_pointers = _pointers_of(self.compounds)
        self.child = ffi.new("wp_uint32_column *")
        self.space = self.space._replace(outputs={**self.space.outputs, "child": ((INDEX,), ())})


def _ask(function: Any, usual: Sequence[str], call: _CompoundAskCall, outputs: Union[str, Sequence[str], None],
        out: Optional[Out], first: int, count: Optional[int], workspace: Optional[Workspace],
        statistics: Optional[MeshStatistics], options: Sequence[Any] = (), fraction: Sequence[Any] = ()) -> CompoundMeshResults:
    call.set_range(first, count, out)
    arrays = call.ask(call.wanted(outputs, out, (*usual, "child", "triangle", "status")), out)
    call.run(function, workspace, statistics, (call.compound_pointers, len(call.compounds), *options),
        (*fraction, call.child, call.triangle))
    return CompoundMeshResults(arrays)


def compound_mesh_overlap(shapes: ShapeTable, compounds: Sequence[Compound], a: Bodies, surfaces: Surfaces, b: Bodies, *,
        pairs: Optional[Pairs] = None, outputs: Union[str, Sequence[str], None] = None, out: Optional[Out] = None,
        first: int = 0, count: Optional[int] = None, workspace: Optional[Workspace] = None,
        statistics: Optional[MeshStatistics] = None) -> CompoundMeshResults:
    """Does the body share a point with any triangle? Usual outputs: overlap, child (the lowest that overlaps), triangle, status.

    Arguments as of compound_mesh_contact.
    """
    call = _CompoundAskCall(shapes, compounds, a, surfaces, b, pairs)
    return _ask(lib.wp_compound_mesh_overlap, ("overlap",), call, outputs, out, first, count, workspace, statistics)


def compound_mesh_distance(shapes: ShapeTable, compounds: Sequence[Compound], a: Bodies, surfaces: Surfaces, b: Bodies, *,
        pairs: Optional[Pairs] = None, max_distance: float = 0.0, outputs: Union[str, Sequence[str], None] = None,
        out: Optional[Out] = None, first: int = 0, count: Optional[int] = None, workspace: Optional[Workspace] = None,
        statistics: Optional[MeshStatistics] = None) -> CompoundMeshResults:
    """How far is the nearest child from the nearest triangle? Usual outputs: separation, child, triangle, status.

    max_distance: triangles further away do not count; 0: all count. The smaller, the faster.

    Other arguments as of compound_mesh_contact.

    >>> import numpy as np, widephase as wp
    >>> floor = wp.HeightField(np.zeros((9, 9), np.float32))
    >>> table = wp.ShapeTable([wp.Shape.sphere(0.5)])
    >>> tilted = wp.Compound(table, position=[(-1, 0, 0), (1, -0.5, 0)], shape=[0, 0])
    >>> above = wp.Bodies.copied(position=[(4.3, 3, 4.1)], shape=[wp.COMPOUND_SHAPE + 0])
    >>> found = wp.compound_mesh_distance(table, [tilted], above, [floor], wp.Bodies.copied(position=[(0, 0, 0)]))
    >>> found.separation.tolist(), found.child.tolist()
    ([2.0], [1])
    """
    call = _CompoundAskCall(shapes, compounds, a, surfaces, b, pairs)
    options = ffi.new("wp_mesh_distance_options *", {"max_distance": number(max_distance, "max_distance")})
    return _ask(lib.wp_compound_mesh_distance, ("separation",), call, outputs, out, first, count, workspace, statistics,
        (options,))


def compound_mesh_cast(shapes: ShapeTable, compounds: Sequence[Compound], a: Bodies, surfaces: Surfaces, b: Bodies, *,
        motions_a: Optional[Motions] = None, motions_b: Optional[Motions] = None, pairs: Optional[Pairs] = None,
        outputs: Union[str, Sequence[str], None] = None, out: Optional[Out] = None, first: int = 0,
        count: Optional[int] = None, workspace: Optional[Workspace] = None,
        statistics: Optional[MeshStatistics] = None) -> CompoundMeshResults:
    """When does the moving body first touch a triangle? Usual outputs: fraction, normal, child, triangle, status.

    motions_a, motions_b: where the bodies go; None: nowhere. A compound that turns takes its children along.

    Other arguments as of compound_mesh_contact.
    """
    call = _CompoundAskCall(shapes, compounds, a, surfaces, b, pairs)
    moves = (call.motions("motions_a", motions_a, a), call.motions("motions_b", motions_b, b))
    return _ask(lib.wp_compound_mesh_cast, ("fraction", "normal"), call, outputs, out, first, count, workspace, statistics,
        moves, (call.fraction,))
