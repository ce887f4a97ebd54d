"""Pairs of bodies that may be compounds, tracked from frame to frame."""

from __future__ import annotations

from typing import Any, Optional, Sequence, Union

import numpy as np
import numpy.typing as npt

from widephase._arrays import check_type, integer, number
from widephase._compound import Compound, CompoundManifolds, _manifold_call, compound_patch_dtype
from widephase._frames import PatchTracked, changes_of, merging_of, take_kept, tracked_dtype
from widephase._library import Error, ffi, lib
from widephase._mesh_frames import mesh_tracked_point_dtype
from widephase._queries import Bodies, Out, Pairs, Workspace
from widephase._shapes import ShapeTable
from widephase._status import CompoundStatistics

compound_tracked_patch_dtype = np.dtype([("found", compound_patch_dtype), ("points", mesh_tracked_point_dtype, 4)])

_ANCHOR: np.dtype[Any] = np.dtype("V200")

assert compound_tracked_patch_dtype.itemsize == ffi.sizeof("wp_compound_tracked_patch")
assert _ANCHOR.itemsize == ffi.sizeof("wp_compound_tracked_anchor")


class CompoundTracked(PatchTracked):
    """What compound_track keeps of pairs from frame to frame, and which of them are in use: Tracked, of pairs with compounds.

    capacity: pairs that there is room for.
    patch_max: most patches of a pair, 1 to 64: as many as may touch at once, since of more the deepest stay, others in each frame.

    For one ShapeTable, as Tracked is. copy.copy and pickle make snapshots, as of Tracked.
    """

    _dtypes = {"pairs": tracked_dtype, "patches": compound_tracked_patch_dtype, "anchors": _ANCHOR,
        "room": compound_patch_dtype}

    def __init__(self, capacity: int, *, patch_max: int = 4) -> None:
        patch_max = integer(patch_max, "patch_max", 1, lib.WP_COMPOUND_TRACKED_MAX)
        super().__init__(capacity, patches=(patch_max,), anchors=(), room=(patch_max,))


class CompoundFrame(CompoundManifolds):
    """The outputs of compound_track.

    changed: rows whose pair began or ended to touch.
    """

    changed: npt.NDArray[np.uint32]


def compound_track(shapes: ShapeTable, compounds: Sequence[Compound], a: Bodies, b: Optional[Bodies] = None, *,
        tracked: CompoundTracked, max_separation: float, pairs: Optional[Pairs] = None,
        index: Optional[npt.NDArray[np.uint32]] = None, merging: Optional[float] = None,
        outputs: Union[str, Sequence[str], None] = None, out: Optional[Out] = None, first: int = 0,
        count: Optional[int] = None, workspace: Optional[Workspace] = None,
        statistics: Optional[CompoundStatistics] = None) -> CompoundFrame:
    """One frame: compound_contact_manifold of all pairs, with its bits, from what the last frame left in `tracked`.

    tracked: what is kept of the pairs; Event and Status of each are in tracked.pairs, its patches in tracked.patches.
    index: (n,) uint32, of each row the pair that it is, so that rows may come in any order; no two rows may name the same.
        None: row r is pair r.
    merging: points not further apart are the same; None: max_separation.
    outputs: none unless told; patches need patch_count.

    A row names its bodies in the same order in each frame. Other arguments are as in compound_contact_manifold.

    >>> import numpy as np, widephase as wp
    >>> table = wp.ShapeTable([wp.Shape.half_space(), wp.Shape.sphere(0.5)])
    >>> dumbbell = wp.Compound(table, position=[(-1, 0, 0), (1, 0, 0)], shape=[1, 1])
    >>> bodies = wp.Bodies.copied(position=[(0, 0, 0), (0, 0.49, 0)], shape=[0, wp.COMPOUND_SHAPE + 0])
    >>> pairs, tracked = np.array([(0, 1)], np.uint32), wp.CompoundTracked(1)
    >>> options = {"pairs": pairs, "tracked": tracked, "max_separation": 0.02}
    >>> wp.compound_track(table, [dumbbell], bodies, **options).changed.tolist()
    [0]
    >>> bodies.position[1, 0] += 0.01
    >>> wp.compound_track(table, [dumbbell], bodies, **options).changed.tolist()
    []
    >>> tracked.pairs["count"].tolist(), tracked.patches["points"]["age"][0, :2, 0].tolist()
    ([2], [1, 1])
    """
    check_type(tracked, "tracked", CompoundTracked)
    call = _manifold_call(shapes, compounds, a, b, pairs, tracked.patch_max)
    call.set_range(first, count, out)
    kept = ffi.new("wp_compound_tracked_pairs *", {"pairs": tracked._at("pairs", "wp_tracked *"), "count": len(tracked),
        "anchors": tracked._at("anchors", "wp_compound_tracked_anchor *"), "patch_max": tracked.patch_max,
        "patches": tracked._at("patches", "wp_compound_tracked_patch *"),
        "room": tracked._at("room", "wp_compound_patch *")})
    take_kept(call, kept, index, tracked._written())
    reach = number(max_separation, "max_separation")
    options = ffi.new("wp_compound_track_options *", {"max_separation": reach,
        "merging": merging_of(merging, reach)})
    told = outputs is not None or out is not None
    names = call.wanted(outputs, out, ("pair_count", "patch_count", "patches") if told else ())
    if "patches" in names and "patch_count" not in names:
        raise Error("outputs" if outputs is not None else "out", "patches need patch_count")
    arrays = call.ask(names, out)
    if out is None and "patches" in arrays:
        arrays["patches"][...] = np.zeros((), compound_patch_dtype)
    changed, changes = changes_of(call)
    call.run(lib.wp_compound_track, workspace, statistics, (options, kept), (call.manifolds, changes))
    return CompoundFrame({**arrays, "changed": changed[:changes.count]})
