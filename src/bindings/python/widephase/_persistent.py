"""Contact points that are kept from frame to frame, of pairs that the caller queries."""

from __future__ import annotations

from typing import Any, Callable, Iterator, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np
import numpy.typing as npt

from widephase._arrays import FLOAT, INDEX, check_dtype, check_shape, check_type, number, pointer, rows
from widephase._frames import persistent_manifold_dtype
from widephase._library import Error, check, ffi, lib
from widephase._queries import Bodies, Manifolds, Pairs, indices_of, manifold_point_dtype


class Thresholds(NamedTuple):
    """When points stop being the same. Lengths, each >= 0; infinity means never.

    breaking: a point further apart than this along the normal is dropped; no less than max_separation.
    sideways: a point whose ends have slid apart by more than this across the normal is dropped.
    merging: a new point not further than this from an old one, on A or on B, is the old one.

    >>> import widephase as wp
    >>> round(wp.Thresholds.of_size(5).merging, 6)
    0.1
    """

    breaking: float
    sideways: float
    merging: float

    @classmethod
    def of_size(cls, size: float) -> Thresholds:
        """All three as 0.02 of a size, the smaller bound of two shapes (ShapeTable.bound)."""
        found = lib.wp_persistent_thresholds_of(number(size, "size"))
        return cls(found.breaking, found.sideways, found.merging)


def persistent_update(manifolds: npt.NDArray[Any], a: Bodies, b: Optional[Bodies] = None, *, found: Manifolds,
        thresholds: Union[Thresholds, npt.NDArray[np.float32]], pairs: Optional[Pairs] = None) -> None:
    """Take the points that contact_manifold found at these poses in the place of all old ones, where they are the same
    keep their impulses and ages.

    manifolds: (n,) of persistent_manifold_dtype, one for each row, zeros at first: what is kept, and the answer. Row for
        row they must belong to the same pairs in each frame; manifolds[index] copies them into another order.
    a, b, pairs: as of the query.
    found: has normal, count and points; rows that are invalid or beyond max_separation have none.
    thresholds: for all rows, or (n, 3) float32, a row for each, in the order of Thresholds.

    New points that have the features of an old one are that one, and then the nearest new and old ones within merging are
    each other. A row takes a few microseconds, one after the other; track does all of it in one call.

    >>> import numpy as np, widephase as wp
    >>> table = wp.ShapeTable([wp.Shape.half_space(), wp.Shape.box(1, 1, 1)])
    >>> bodies = wp.Bodies.copied(position=[(0, 0, 0), (0, 0.99, 0)])
    >>> pairs, manifolds = np.array([(0, 1)], np.uint32), np.zeros(1, wp.persistent_manifold_dtype)
    >>> for frame in range(2):
    ...     found = wp.contact_manifold(table, bodies, pairs=pairs, max_separation=0.02)
    ...     wp.persistent_update(manifolds, bodies, pairs=pairs, found=found, thresholds=wp.Thresholds.of_size(1))
    ...     manifolds["impulses"][:, :, 0] += 1
    >>> manifolds["count"].tolist(), manifolds["points"]["age"][0].tolist(), manifolds["impulses"][0, 0].tolist()
    ([4], [1, 1, 1, 1], [2.0, 0.0, 0.0])
    """
    for name in ("normal", "count", "points"):
        if name not in getattr(found, "names", ()):
            raise Error("found", f"has no {name}")
    call = _Rows(manifolds, a, b, pairs, thresholds)
    normal, points = call.column(found.normal, "found.normal", FLOAT, 3, "float *"), found.points
    check_dtype(points, "found.points", manifold_point_dtype)
    check_shape(points, "found.points", (call.count, None))
    first, stride = rows(points, "found.points", manifold_point_dtype, points.shape)
    counts = call.integers(found.count, "found.count", points.shape[1])
    call.run(lambda row, manifold, pose_a, pose_b, limits: lib.wp_persistent_update(manifold, pose_a, pose_b, normal(row),
        pointer(first + row * stride, "wp_manifold_point *"), counts[row], limits))


def persistent_refresh(manifolds: npt.NDArray[Any], a: Bodies, b: Optional[Bodies] = None, *,
        thresholds: Union[Thresholds, npt.NDArray[np.float32]], normal: Optional[npt.NDArray[np.float32]] = None,
        pairs: Optional[Pairs] = None) -> None:
    """At new poses, without a query: find arms and separations of all points anew, and drop those that have come apart.

    normal: (n, 3) float32, unit, world axes; None: each manifold's own serves on.

    Other arguments as of persistent_update.
    """
    call = _Rows(manifolds, a, b, pairs, thresholds)
    given: Callable[[int], Any] = ((lambda row: ffi.NULL) if normal is None
        else call.column(normal, "normal", FLOAT, 3, "float *"))
    call.run(lambda row, manifold, pose_a, pose_b, limits: lib.wp_persistent_refresh(manifold, pose_a, pose_b, given(row),
        limits))


def persistent_add(manifolds: npt.NDArray[Any], a: Bodies, b: Optional[Bodies] = None, *,
        normal: npt.NDArray[np.float32], points: npt.NDArray[Any],
        thresholds: Union[Thresholds, npt.NDArray[np.float32]], pairs: Optional[Pairs] = None) -> None:
    """Add one point to each row, found at these poses, by contact with local_a and local_b say.

    normal: (n, 3) float32, unit, world axes.
    points: (n,) of manifold_point_dtype, of which local_a, local_b, separation and the features are read.

    One further apart than `breaking` is not added; one within `merging` of an old point replaces it. Of five points four are
    kept. Other arguments as of persistent_update.
    """
    call = _Rows(manifolds, a, b, pairs, thresholds)
    normals = call.column(normal, "normal", FLOAT, 3, "float *")
    point = call.column(points, "points", manifold_point_dtype, 0, "wp_manifold_point *")
    call.run(lambda row, manifold, pose_a, pose_b, limits: lib.wp_persistent_add(manifold, pose_a, pose_b, normals(row),
        point(row), limits))


class _Rows:
    """The rows of a call, one after the other."""

    def __init__(self, manifolds: Any, a: Any, b: Any, pairs: Any, thresholds: Any) -> None:
        for name, bodies in (("a", a), ("b", a if b is None else b)):
            check_type(bodies, name, Bodies)
        self.bodies = a, a if b is None else b
        self.indices = [column.tolist() for column in indices_of(pairs, len(a))]
        self.count = len(self.indices[0])
        self.manifolds = self.column(manifolds, "manifolds", persistent_manifold_dtype, 0, "wp_persistent_manifold *", True)
        if isinstance(thresholds, Thresholds):
            one = ffi.new("wp_persistent_thresholds *", [number(value, f"thresholds.{name}")
                for name, value in zip(Thresholds._fields, thresholds)])
            self.limits: Callable[[int], Any] = lambda row: one
        else:
            self.limits = self.column(thresholds, "thresholds", FLOAT, 3, "wp_persistent_thresholds *")

    def column(self, array: Any, name: str, dtype: np.dtype[Any], width: int, kind: str,
            writeable: bool = False) -> Callable[[int], Any]:
        """Where each row has its element."""
        first, stride = rows(array, name, dtype, (self.count, width) if width else (self.count,), writeable)
        return lambda row: pointer(first + row * stride, kind)

    def integers(self, array: Any, name: str, most: int) -> Sequence[int]:
        check_dtype(array, name, INDEX)
        check_shape(array, name, (self.count,))
        if len(array) and array.max() > most:
            raise Error(name, f"a row has {array.max()} points, but there are {most}")
        values: Sequence[int] = array.tolist()
        return values

    def _places(self) -> Iterator[Tuple[int, Any, Any]]:
        """The poses of each row's bodies, B's relative to A's."""
        pose_a, pose_b = ffi.new("wp_pose *"), ffi.new("wp_pose *")
        for row in range(self.count):
            where = []
            for bodies, indices in zip(self.bodies, self.indices):
                if not indices[row] < len(bodies):
                    raise Error("pairs", f"row {row} names body {indices[row]} of {len(bodies)}")
                where += [bodies.position[indices[row]].tolist(), bodies.rotation[indices[row]].tolist()]
            check(lib.wp_persistent_poses(*where, pose_a, pose_b), f"bodies of row {row}")
            yield row, pose_a, pose_b

    def run(self, function: Callable[[int, Any, Any, Any, Any], Any]) -> None:
        for row, pose_a, pose_b in self._places():
            check(function(row, self.manifolds(row), pose_a, pose_b, self.limits(row)), f"row {row}")
