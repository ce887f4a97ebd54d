"""Pairs of bodies with meshes and height fields that are tracked from frame to frame."""

from __future__ import annotations

from typing import Any, Optional, Sequence, Union

import numpy as np
import numpy.typing as npt

from widephase._arrays import INDEX, check_type, integer, number
from widephase._compound import Compound, CompoundMeshContacts, _CompoundMeshCall
from widephase._frames import PatchTracked, changes_of, merging_of, take_kept, tracked_dtype
from widephase._library import ffi, lib
from widephase._mesh_queries import (MESH_PATCH_MAX, MESH_POINT_MAX, ContactCall, MeshContacts, Surfaces, flags_of,
    mesh_patch_dtype)
from widephase._queries import Bodies, Out, Pairs, Workspace
from widephase._shapes import ShapeTable
from widephase._status import MeshStatistics

mesh_tracked_point_dtype = np.dtype([("arm_a", "f4", 3), ("arm_b", "f4", 3), ("age", "u4"), ("impulse", "f4", 3)])

mesh_tracked_patch_dtype = np.dtype([("found", mesh_patch_dtype), ("points", mesh_tracked_point_dtype, MESH_POINT_MAX)])

_ANCHOR: np.dtype[Any] = np.dtype("V96")

assert mesh_tracked_patch_dtype.itemsize == ffi.sizeof("wp_mesh_tracked_patch")
assert _ANCHOR.itemsize == ffi.sizeof("wp_mesh_tracked_anchor")


class MeshTracked(PatchTracked):
    """What mesh_track and compound_mesh_track keep of pairs from frame to frame, and which of them are in use: Tracked, of pairs with meshes.

    capacity: pairs that there is room for.
    patch_max: most patches of a pair, 1 to 8; of more the deepest stay.

    For one ShapeTable, as Tracked is. After samples of a height field have changed, or another one has its place, use query_all.

    copy.copy and pickle make snapshots, as of Tracked.
    """

    _dtypes = {"pairs": tracked_dtype, "patches": mesh_tracked_patch_dtype, "anchors": _ANCHOR, "children": INDEX}

    def __init__(self, capacity: int, *, patch_max: int = 4) -> None:
        patch_max = integer(patch_max, "patch_max", 1, MESH_PATCH_MAX)
        super().__init__(capacity, patches=(patch_max,), anchors=(), children=(patch_max, MESH_POINT_MAX))

    @property
    def children(self) -> npt.NDArray[np.uint32]:
        """(capacity, patch_max, 4), by compound_mesh_track: the child of each point; 0 of a shape. The array is replaced when
        capacity grows."""
        return self._view("children")


class MeshFrame(MeshContacts):
    """The outputs of mesh_track.

    changed: rows whose pair began or ended to touch.
    """

    changed: npt.NDArray[np.uint32]


class CompoundMeshFrame(CompoundMeshContacts):
    """The outputs of compound_mesh_track.

    changed: rows whose pair began or ended to touch.
    """

    changed: npt.NDArray[np.uint32]


def _needs_tracked(tracked: Any) -> MeshTracked:
    check_type(tracked, "tracked", MeshTracked)
    found: MeshTracked = tracked
    return found


def _kept_of(call: ContactCall, tracked: MeshTracked, index: Optional[npt.NDArray[np.uint32]]) -> Any:
    kept = ffi.new("wp_mesh_tracked_pairs *", {"pairs": tracked._at("pairs", "wp_tracked *"), "count": len(tracked),
        "anchors": tracked._at("anchors", "wp_mesh_tracked_anchor *"), "patch_max": tracked.patch_max,
        "patches": tracked._at("patches", "wp_mesh_tracked_patch *")})
    take_kept(call, kept, index, tracked._written())
    return kept


def _options_of(max_separation: float, merging: Optional[float], flags: int, query_all: bool) -> Any:
    reach = number(max_separation, "max_separation")
    return ffi.new("wp_mesh_track_options *", {"max_separation": reach, "flags": flags,
        "merging": merging_of(merging, reach), "query_all": bool(query_all)})


def mesh_track(shapes: ShapeTable, a: Bodies, surfaces: Surfaces, b: Bodies, *, tracked: MeshTracked,
        max_separation: float, pairs: Optional[Pairs] = None, index: Optional[npt.NDArray[np.uint32]] = None,
        merging: Optional[float] = None, two_sided: bool = False, ghosts: bool = False, soup: bool = False,
        query_all: bool = False, outputs: Union[str, Sequence[str], None] = None, out: Optional[Out] = None,
        first: int = 0, count: Optional[int] = None, workspace: Optional[Workspace] = None,
        statistics: Optional[MeshStatistics] = None) -> MeshFrame:
    """One frame: mesh_contact of all pairs, with its bits, from what the last frame left in `tracked`.

    tracked: what is kept of the pairs; Event and Status of each are in tracked.pairs, its patches in tracked.patches.
    index: (n,) uint32, of each row the pair that it is, so that rows may come in any order; no two rows may name the same.
        None: row r is pair r.
    merging: points not further apart are the same; None: max_separation.
    query_all: answer all rows anew: for the next frame after samples of a height field have changed.
    outputs: none unless told.

    Other arguments are as in mesh_contact.

    >>> import numpy as np, widephase as wp
    >>> floor = wp.HeightField(np.zeros((9, 9), np.float32))
    >>> boxes, tracked = wp.ShapeTable([wp.Shape.box(1, 1, 1)]), wp.MeshTracked(2)
    >>> bodies = wp.Bodies.copied(position=[(4.3, 0.99, 4.1), (4.3, 5, 4.1)], shape=[0, 0])
    >>> ground, pairs = wp.Bodies.copied(position=[(0, 0, 0)]), (None, np.zeros(2, np.uint32))
    >>> wp.mesh_track(boxes, bodies, [floor], ground, pairs=pairs, tracked=tracked, max_separation=0.02).changed.tolist()
    [0]
    >>> frame = wp.mesh_track(boxes, bodies, [floor], ground, pairs=pairs, tracked=tracked, max_separation=0.02)
    >>> tracked.pairs["count"].tolist(), [wp.Event(event) for event in tracked.pairs["event"]]
    ([1, 0], [<Event.REUSED: 8>, <Event.KEPT: 4>])
    >>> tracked.patches["points"]["age"][0, 0].tolist()
    [1, 1, 1, 1]
    """
    call = ContactCall(shapes, a, surfaces, b, pairs, _needs_tracked(tracked).patch_max)
    call.set_range(first, count, out)
    kept = _kept_of(call, tracked, index)
    options = _options_of(max_separation, merging, flags_of(two_sided, ghosts, soup), query_all)
    arrays = call.ask_patches(outputs, out, ())
    changed, changes = changes_of(call)
    call.run(lib.wp_mesh_track, workspace, statistics, (options, kept), (changes,))
    return MeshFrame({**arrays, "changed": changed[:changes.count]})


def compound_mesh_track(shapes: ShapeTable, compounds: Sequence[Compound], a: Bodies, surfaces: Surfaces, b: Bodies, *,
        tracked: MeshTracked, max_separation: float, pairs: Optional[Pairs] = None,
        index: Optional[npt.NDArray[np.uint32]] = None, merging: Optional[float] = None, two_sided: bool = False,
        ghosts: bool = False, soup: bool = False, query_all: bool = False, outputs: Union[str, Sequence[str], None] = None,
        out: Optional[Out] = None, first: int = 0, count: Optional[int] = None, workspace: Optional[Workspace] = None,
        statistics: Optional[MeshStatistics] = None) -> CompoundMeshFrame:
    """One frame: compound_mesh_contact of all pairs, with its bits, from what the last frame left in `tracked`.

    A compound is one body: its children's points are in the patches of its pair, the child of each in tracked.children. Points
    are the same by child, triangle and features first.

    compounds: as in compound_mesh_contact.

    Other arguments are as in mesh_track.

    >>> import numpy as np, widephase as wp
    >>> floor = wp.HeightField(np.zeros((9, 9), np.float32))
    >>> table, tracked = wp.ShapeTable([wp.Shape.sphere(0.5)]), wp.MeshTracked(1)
    >>> dumbbell = wp.Compound(table, position=[(-1, 0, 0), (1, 0, 0)], shape=[0, 0])
    >>> lying = wp.Bodies.copied(position=[(4.3, 0.49, 4.1)], shape=[wp.COMPOUND_SHAPE + 0])
    >>> ground = wp.Bodies.copied(position=[(0, 0, 0)])
    >>> options = {"tracked": tracked, "max_separation": 0.02}
    >>> wp.compound_mesh_track(table, [dumbbell], lying, [floor], ground, **options).changed.tolist()
    [0]
    >>> lying.position[0, 0] += 0.01
    >>> wp.compound_mesh_track(table, [dumbbell], lying, [floor], ground, **options).changed.tolist()
    []
    >>> sorted(tracked.children[0, 0, :2].tolist()), tracked.patches["points"]["age"][0, 0, :2].tolist()
    ([0, 1], [1, 1])
    """
    call = _CompoundMeshCall(shapes, compounds, a, surfaces, b, pairs, _needs_tracked(tracked).patch_max)
    call.set_range(first, count, out)
    kept = _kept_of(call, tracked, index)
    options = _options_of(max_separation, merging, flags_of(two_sided, ghosts, soup), query_all)
    arrays = call.ask_patches(outputs, out, () if outputs is None and out is None else ("children",))
    if out is None and "children" in arrays:
        arrays["children"][...] = 0
    changed, changes = changes_of(call)
    call.run(lib.wp_compound_mesh_track, workspace, statistics, (call.compound_pointers, len(call.compounds), options, kept,
        tracked._at("children", "uint32_t *")), (call.children, changes))
    return CompoundMeshFrame({**arrays, "changed": changed[:changes.count]})
