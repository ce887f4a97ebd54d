"""Pairs that are tracked from frame to frame."""

from __future__ import annotations

import copy
import enum
from typing import Any, ClassVar, Dict, List, Optional, Sequence, Tuple, TypeVar, Union

import numpy as np
import numpy.typing as npt

from widephase._arrays import INDEX, Indices, check_apart, check_type, integer, number, pointer, rows
from widephase._library import Error, check, ffi, lib
from widephase._queries import Bodies, Out, Pairs, Results, Workspace, _Call, _point, cache_dtype
from widephase._shapes import ShapeTable
from widephase._status import Statistics

tracked_dtype = np.dtype([("known", cache_dtype), ("body", "u4", 2), ("shape", "u4", 2), ("lever", "f4"),
    ("separation", "f4"), ("status", "u4"), ("event", "u2"), ("count", "u2")])

persistent_point_dtype = np.dtype([("arm_a", "f4", 3), ("separation", "f4"), ("arm_b", "f4", 3), ("age", "u4")])

persistent_place_dtype = np.dtype([("local_a", "f4", 3), ("feature_a", "u4"), ("local_b", "f4", 3), ("feature_b", "u4")])

persistent_manifold_dtype = np.dtype([("places", persistent_place_dtype, 4), ("points", persistent_point_dtype, 4),
    ("impulses", "f4", (4, 3)), ("normal", "f4", 3), ("count", "u4")])

_ANCHOR: np.dtype[Any] = np.dtype("V64")
_POLYTOPE: np.dtype[Any] = np.dtype("V64")

assert tracked_dtype.itemsize == ffi.sizeof("wp_tracked") and _ANCHOR.itemsize == ffi.sizeof("wp_tracked_anchor")
assert _POLYTOPE.itemsize == ffi.sizeof("wp_tracked_polytope")
assert persistent_manifold_dtype.itemsize == ffi.sizeof("wp_persistent_manifold")


class Event(enum.IntFlag):
    """Bits of a pair's event: what happened to it in the last frame.

    BEGAN: it has points, and had none in the frame before.
    ENDED: it has none any more.
    KEPT: proven apart by what was kept: nothing was searched.
    REUSED: kept its points: nothing was searched.
    """

    BEGAN = 1 << 0
    ENDED = 1 << 1
    KEPT = 1 << 2
    REUSED = 1 << 3

    @classmethod
    def _missing_(cls, value: object) -> Any:
        """Numbers of numpy are numbers too."""
        return super()._missing_(value.__index__() if hasattr(value, "__index__") else value)


AnyPool = TypeVar("AnyPool", bound="TrackedPool")


class TrackedPool:
    """Pairs in use, and the arrays of what is kept of them. Not for several threads at once, except in a query."""

    _dtypes: ClassVar[Dict[str, np.dtype[Any]]]  # of all arrays that it may have

    def __init__(self, capacity: int, **shapes: Tuple[int, ...]) -> None:
        """shapes: the arrays besides pairs; of each the shape of what one pair has there."""
        capacity = integer(capacity, "capacity", 0, lib.WP_TRACK_NONE - 1)
        self._arrays = {name: np.zeros((capacity, *shape), self._dtypes[name])
            for name, shape in (("pairs", ()), *shapes.items())}
        self._set_pool(0, lib.WP_TRACK_NONE)

    def _set_pool(self, used: int, available: int) -> None:
        self._pool = ffi.new("wp_track_pool *", {"pairs": self._at("pairs", "wp_tracked *"), "capacity": len(self),
            "used": used, "available": available})

    def _at(self, name: str, kind: str) -> Any:
        """Where C finds an array; NULL for one that is not there."""
        return address_of(self._arrays[name], kind) if name in self._arrays else ffi.NULL

    def _written(self) -> List[Tuple[str, Any]]:
        """The arrays that a frame writes."""
        return [(f"tracked.{name}", array) for name, array in self._arrays.items()]

    def _view(self, name: str) -> npt.NDArray[Any]:
        """A view, which can be written but neither moved nor resized."""
        return self._arrays[name][...]

    @property
    def pairs(self) -> npt.NDArray[Any]:
        """(capacity,) of tracked_dtype. The array is replaced when capacity grows."""
        return self._view("pairs")

    def __copy__(self: AnyPool) -> AnyPool:
        """A copy has arrays of its own."""
        return copy.deepcopy(self)

    def __getstate__(self) -> Dict[str, Any]:
        return {**self.__dict__, "_pool": (self._pool.used, self._pool.available)}

    def __setstate__(self, state: Dict[str, Any]) -> None:
        self.__dict__.update(state)
        if any(array.dtype != self._dtypes[name] or len(array) != len(self) for name, array in self._arrays.items()):
            raise Error("state", "its arrays are from another version of the package")
        self._set_pool(*state["_pool"])

    def __len__(self) -> int:
        return len(self._arrays["pairs"])

    def reserve(self, capacity: int) -> None:
        """Room for more pairs, in new arrays; what is kept and its indices stay."""
        more = integer(capacity, "capacity", 0, lib.WP_TRACK_NONE - 1) - len(self)
        if more <= 0:
            return
        self._arrays = {name: np.concatenate([array, np.zeros((more, *array.shape[1:]), array.dtype)])
            for name, array in self._arrays.items()}
        self._set_pool(self._pool.used, self._pool.available)

    def take(self, count: int) -> npt.NDArray[np.uint32]:
        """Indices of pairs of which nothing is known; there is room for more where all are in use."""
        count = integer(count, "count", 0, lib.WP_TRACK_NONE - 1)
        taken = np.empty(count, INDEX)
        for place in range(count):
            index = lib.wp_track_pool_take(self._pool)
            if index == lib.WP_TRACK_NONE:
                self.reserve(2 * len(self) + count)
                index = lib.wp_track_pool_take(self._pool)
            taken[place] = index
        return taken

    def give(self, indices: Union[int, Indices]) -> None:
        """Give pairs back, by one index or many. One that is not in use is an Error; those before it were given back."""
        for index in np.atleast_1d(np.asarray(indices)).tolist():
            check(lib.wp_track_pool_give(self._pool, integer(index, "indices", 0, lib.WP_TRACK_NONE)), "indices")


class PatchTracked(TrackedPool):
    """Pairs in use that have patches."""

    @property
    def patch_max(self) -> int:
        """Most patches of a pair."""
        return self._arrays["patches"].shape[1]

    @property
    def patches(self) -> npt.NDArray[Any]:
        """(capacity, patch_max) of mesh_tracked_patch_dtype or compound_tracked_patch_dtype; a pair has as many as its count says. The
        array is replaced when capacity grows."""
        return self._view("patches")


class Tracked(TrackedPool):
    """What is kept of pairs from frame to frame, and which of them are in use. Not for several threads at once, except in track.

    capacity: pairs that there is room for.
    reuse: room for what track needs to reuse points, too (reuse_error above 0).
    polytopes: room for what track needs to prove depths again, too: frames of hulls that overlap take less time, and their
        separation and normal are as near to the truth, but may differ from contact's in the last bits.

    It is for one ShapeTable, which may change: with another one, bodies that overlap may be answered as apart. Begin a new Tracked then.

    copy.copy and pickle make snapshots: a copy has arrays and indices of its own, and continues from this frame. It is for the
    same ShapeTable, or one of the same shapes.

    >>> import widephase as wp
    >>> tracked = wp.Tracked(100)
    >>> tracked.take(3).tolist()
    [0, 1, 2]
    >>> tracked.give(1)
    >>> tracked.take(2).tolist()
    [1, 3]
    """

    _dtypes = {"pairs": tracked_dtype, "manifolds": persistent_manifold_dtype, "anchors": _ANCHOR, "polytopes": _POLYTOPE}

    def __init__(self, capacity: int, *, reuse: bool = False, polytopes: bool = False) -> None:
        others: Dict[str, Tuple[int, ...]] = {"anchors": ()} if reuse else {}
        if polytopes:
            others["polytopes"] = ()
        super().__init__(capacity, manifolds=(), **others)

    @property
    def manifolds(self) -> npt.NDArray[Any]:
        """(capacity,) of persistent_manifold_dtype: the points of each pair. The array is replaced when capacity grows."""
        return self._view("manifolds")


def address_of(array: npt.NDArray[Any], kind: str) -> Any:
    return pointer(array.__array_interface__["data"][0], kind)


def take_kept(call: _Call, kept: Any, index: Optional[npt.NDArray[np.uint32]], written: List[Tuple[str, Any]]) -> None:
    """Let a call write what is kept, and read which pair each row is."""
    if index is not None:
        _point(kept.index, *rows(index, "index", INDEX, (call.rows,)))
        _check_once(index, call.batch.first, call.batch.count, kept.count)
        call.inputs.append(("index", index))
    check_apart(written, call.inputs)
    call.inputs += written


def _check_once(index: npt.NDArray[np.uint32], first: int, count: int, capacity: int) -> None:
    """Two rows that name one pair would write over each other what it keeps. The library does not look for them. Pairs that are
    not there are its to refuse, row by row."""
    named = index[first:first + count]
    ordered = np.sort(named)
    twice = ordered[1:][ordered[1:] == ordered[:-1]]
    if twice.size > 0 and twice[0] < capacity:
        pair = int(twice[0])
        one, other = np.flatnonzero(named == pair)[:2] + first
        raise Error("index", f"rows {one} and {other} name the same pair, {pair}")


def merging_of(merging: Optional[float], reach: float) -> float:
    """None: the reach, of which a wrong one is an error of its own."""
    return number(merging, "merging") if merging is not None else reach if reach > 0 else 0.0


def changes_of(call: _Call) -> Tuple[npt.NDArray[np.uint32], Any]:
    """Room for the rows that change, and the struct that points at it."""
    changed = np.empty(call.batch.count, INDEX)
    return changed, ffi.new("wp_track_changes *", {"rows": address_of(changed, "uint32_t *"), "capacity": len(changed)})


class Frame(Results):
    """The outputs of track.

    changed: rows whose pair began or ended to touch.
    """

    changed: npt.NDArray[np.uint32]


def track(shapes: ShapeTable, a: Bodies, b: Optional[Bodies] = None, *, tracked: Tracked, max_separation: float,
        pairs: Optional[Pairs] = None, index: Optional[npt.NDArray[np.uint32]] = None,
        merging: Optional[float] = None, reuse_error: float = 0.0, outputs: Union[str, Sequence[str], None] = None,
        out: Optional[Out] = None, first: int = 0, count: Optional[int] = None, workspace: Optional[Workspace] = None,
        statistics: Optional[Statistics] = None) -> Frame:
    """One frame: the contacts of all pairs, from what the last frame left in `tracked`, where the answers are.

    tracked: what is kept of the pairs; Event and Status of each are in tracked.pairs, its points in tracked.manifolds.
    max_separation: points are made up to this separation.
    index: (n,) uint32, of each row the pair that it is, so that rows may come in any order; no two rows may name the same.
        None: row r is pair r.
    merging: points not further apart are the same; None: max_separation.
    reuse_error: above 0, pairs that touch keep their points while the separation is proven to be that near to the true
        one.
    outputs: none unless told.

    A row names its bodies in the same order in each frame. Other arguments are as in contact.

    >>> import numpy as np, widephase as wp
    >>> table = wp.ShapeTable([wp.Shape.half_space(), wp.Shape.box(1, 1, 1)])
    >>> bodies = wp.Bodies.copied(position=[(0, 0, 0), (0, 0.99, 0), (0, 3, 0)], shape=[0, 1, 1])
    >>> pairs, tracked = np.array([(0, 1), (0, 2)], np.uint32), wp.Tracked(2)
    >>> wp.track(table, bodies, pairs=pairs, tracked=tracked, max_separation=0.02).changed.tolist()
    [0]
    >>> frame = wp.track(table, bodies, pairs=pairs, tracked=tracked, max_separation=0.02)
    >>> tracked.pairs["count"].tolist(), [wp.Event(event) for event in tracked.pairs["event"]]
    ([4, 0], [<Event: 0>, <Event.KEPT: 4>])
    >>> tracked.manifolds["points"]["age"][0].tolist()
    [1, 1, 1, 1]
    """
    check_type(tracked, "tracked", Tracked)
    reuse_error = number(reuse_error, "reuse_error")
    call = _Call(shapes, a, b, pairs)
    call.set_range(first, count, out)
    if reuse_error > 0 and "anchors" not in tracked._arrays:
        raise Error("tracked", "has no room to reuse points, for a reuse_error above 0; make it with reuse=True")
    kept = ffi.new("wp_tracked_pairs *", {"pairs": tracked._at("pairs", "wp_tracked *"), "count": len(tracked),
        "manifolds": tracked._at("manifolds", "wp_persistent_manifold *"),
        "anchors": tracked._at("anchors", "wp_tracked_anchor *"),
        "polytopes": tracked._at("polytopes", "wp_tracked_polytope *")})
    take_kept(call, kept, index, tracked._written())
    reach = number(max_separation, "max_separation")
    options = ffi.new("wp_track_options *", {"max_separation": reach, "reuse_error": reuse_error,
        "merging": merging_of(merging, reach)})
    arrays = call.ask(call.wanted(outputs, out, ()), out)
    changed, changes = changes_of(call)
    call.run(lib.wp_track, workspace, statistics, (options, kept), (changes,))
    return Frame({**arrays, "changed": changed[:changes.count]})
