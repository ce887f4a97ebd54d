"""The statuses of rows, and the counts of queries."""

from __future__ import annotations

import enum
import threading
from dataclasses import dataclass, fields
from typing import Any, Dict

from widephase._arrays import integer
from widephase._library import ffi, lib


class Status(enum.IntFlag):
    """Bits of a row's status. A valid row has exactly one of the first three.

    SEPARATED: proven apart.
    TOUCHING: the bracket [lower, upper] contains 0.
    PENETRATING: proven to overlap.
    BEYOND: contact: proven further apart than max_separation, distance to meshes and compounds: than max_distance; the points
        are not the nearest ones.
    STRONG: solved by the double-precision path.
    ITERATION_CAP: a loop ended at its cap; the bracket is still valid.
    CAPACITY: the polytope outgrew its buffers; the bracket is still valid.
    DEGENERATE: the Minkowski difference has no volume and contains the origin.
    WIDE_BRACKET: upper - lower is wider than the accuracy promised.
    INVALID: separation, lower and upper are NaN, vectors are zero; a reason below is set.
    HIT: cast: the shapes touch at `fraction`.
    INVALID_BODY_A: the row names a body that is not there.
    INVALID_SHAPE_A: shape index outside the table, or an invalid shape.
    INVALID_POSITION_A: NaN, infinite, or beyond 1e30.
    INVALID_ROTATION_A: NaN, infinite, zero or far from unit length.
    INVALID_BODY_B, INVALID_SHAPE_B, INVALID_POSITION_B, INVALID_ROTATION_B: the same of B.
    INVALID_TRACKED: track: the row's index is not below len(tracked).
    """

    SEPARATED = 1 << 0
    TOUCHING = 1 << 1
    PENETRATING = 1 << 2
    BEYOND = 1 << 3
    STRONG = 1 << 4
    ITERATION_CAP = 1 << 5
    CAPACITY = 1 << 6
    DEGENERATE = 1 << 7
    WIDE_BRACKET = 1 << 8
    INVALID = 1 << 9
    HIT = 1 << 10
    INVALID_BODY_A = 1 << 16
    INVALID_SHAPE_A = 1 << 17
    INVALID_POSITION_A = 1 << 18
    INVALID_ROTATION_A = 1 << 19
    INVALID_BODY_B = 1 << 20
    INVALID_SHAPE_B = 1 << 21
    INVALID_POSITION_B = 1 << 22
    INVALID_ROTATION_B = 1 << 23
    INVALID_TRACKED = 1 << 24

    @classmethod
    def _missing_(cls, value: object) -> Any:
        """Numbers of numpy are numbers too."""
        return super()._missing_(value.__index__() if hasattr(value, "__index__") else value)


def status_text(status: int) -> str:
    """The bits as words: "separated|strong". Bits that no status has are left out.

    >>> import widephase as wp
    >>> wp.status_text(wp.Status.SEPARATED | wp.Status.STRONG)
    'separated|strong'
    """
    text = ffi.new("char[]", lib.WP_STATUS_TEXT_MAX)
    lib.wp_status_text(integer(status, "status", 0, 0xffffffff), text, lib.WP_STATUS_TEXT_MAX)
    words: str = ffi.string(text).decode()
    return words


@dataclass
class _Counts:
    """Sums over all calls that it was handed to; threads may share it.

    rows: all of them, invalid ones included.
    touching, strong, invalid: rows with this bit of Status.
    first_invalid_row: the least of all calls; means nothing while invalid is 0.
    """

    rows: int = 0
    touching: int = 0
    strong: int = 0
    invalid: int = 0
    first_invalid_row: int = 0

    def __post_init__(self) -> None:
        self._lock = threading.Lock()

    def __getstate__(self) -> Dict[str, Any]:
        """The counts: a copy has a lock of its own."""
        with self._lock:
            return {name: value for name, value in self.__dict__.items() if name != "_lock"}

    def __setstate__(self, state: Dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._lock = threading.Lock()

    def _add(self, counts: Any) -> None:
        """The struct of one call."""
        with self._lock:
            if counts.invalid and (not self.invalid or counts.first_invalid_row < self.first_invalid_row):
                self.first_invalid_row = counts.first_invalid_row
            for one in fields(self):
                if one.name.endswith("_max"):
                    setattr(self, one.name, max(getattr(self, one.name), getattr(counts, one.name)))
                elif one.name != "first_invalid_row":
                    setattr(self, one.name, getattr(self, one.name) + getattr(counts, one.name))


@dataclass
class Statistics(_Counts):
    """Counts over the rows of all calls that it was handed to; threads may share it.

    rows: all of them, invalid ones included.
    separated, touching, penetrating, beyond, strong, iteration_cap, capacity, degenerate, wide_bracket, invalid: rows with this
        bit of Status.
    first_invalid_row: the least of all calls; means nothing while invalid is 0.
    gjk_iterations, epa_iterations: of all rows; gjk_iterations_max, epa_iterations_max: the most of one row, of casts
        and depths along a direction of one search of a row.
    epa_rows: rows for which EPA ran.
    lanes_issued, lanes_live: lanes of all steps of kernels, and how many of them held a pair that needed the step.
    """

    separated: int = 0
    penetrating: int = 0
    beyond: int = 0
    iteration_cap: int = 0
    capacity: int = 0
    degenerate: int = 0
    wide_bracket: int = 0
    gjk_iterations: int = 0
    gjk_iterations_max: int = 0
    epa_rows: int = 0
    epa_iterations: int = 0
    epa_iterations_max: int = 0
    lanes_issued: int = 0
    lanes_live: int = 0


@dataclass
class MeshStatistics(_Counts):
    """The same over the rows of queries of meshes, and over their triangles. Of mesh_contact, rows with a patch are touching.

    rows, touching, strong, invalid, first_invalid_row: as in Statistics.
    triangles: looked at.
    behind: of these: their front is away from the body.
    beyond: of these: proven not to matter.
    solved: the others: contacts of the body and one triangle.
    touched: triangles with points.
    turned: contacts at edges and corners whose normal became the triangle's.
    dropped: turned contacts that a neighbour has.
    """

    triangles: int = 0
    behind: int = 0
    beyond: int = 0
    solved: int = 0
    touched: int = 0
    turned: int = 0
    dropped: int = 0


@dataclass
class CompoundStatistics(_Counts):
    """The same over the rows of queries of compounds, and over pairs of children.

    rows, touching, strong, invalid, first_invalid_row: as in Statistics.
    pairs: that the trees left, whose boxes were compared.
    beyond: of these: proven not to be the answer.
    solved: answered by kernels.
    touched: of these: with points of a manifold.
    """

    pairs: int = 0
    beyond: int = 0
    solved: int = 0
    touched: int = 0
