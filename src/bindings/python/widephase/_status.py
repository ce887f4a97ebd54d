"""The statuses of rows, and the counts of queries."""

from __future__ import annotations

import enum
import threading
from dataclasses import dataclass, fields
from typing import Any, Dict

from widephase._library import ffi, lib


class Status(enum.IntFlag):
    """Bits of a row's status. A valid row has exactly one of the first three."""

    SEPARATED = 1 << 0  #: proven apart
    TOUCHING = 1 << 1  #: the bracket [lower, upper] contains 0
    PENETRATING = 1 << 2  #: proven to overlap
    BEYOND = 1 << 3  #: contact: proven further apart than max_separation; the points are not the nearest ones
    STRONG = 1 << 4  #: solved by the double-precision path
    ITERATION_CAP = 1 << 5  #: a loop ended at its cap; the bracket is still valid
    CAPACITY = 1 << 6  #: the polytope outgrew its buffers; the bracket is still valid
    DEGENERATE = 1 << 7  #: the Minkowski difference has no volume and contains the origin
    WIDE_BRACKET = 1 << 8  #: upper - lower is wider than the accuracy promised
    INVALID = 1 << 9  #: separation, lower and upper are NaN, vectors are zero; a reason below is set
    HIT = 1 << 10  #: cast: the shapes touch at `fraction`
    INVALID_BODY_A = 1 << 16  #: the row names a body that is not there
    INVALID_SHAPE_A = 1 << 17  #: shape index outside the table, or an invalid shape
    INVALID_POSITION_A = 1 << 18  #: NaN, infinite, or beyond 1e30
    INVALID_ROTATION_A = 1 << 19  #: NaN, infinite, zero or far from unit length
    INVALID_BODY_B = 1 << 20
    INVALID_SHAPE_B = 1 << 21
    INVALID_POSITION_B = 1 << 22
    INVALID_ROTATION_B = 1 << 23
    INVALID_TRACKED = 1 << 24  #: track: the row's index is not below len(tracked)

    @classmethod
    def _missing_(cls, value: object) -> Any:
        """Numbers of numpy are numbers too."""
        return super()._missing_(value.__index__() if hasattr(value, "__index__") else value)


def status_text(status: int) -> str:
    """The bits as words: "separated|strong".

    >>> import widephase as wp
    >>> wp.status_text(wp.Status.SEPARATED | wp.Status.STRONG)
    'separated|strong'
    """
    text = ffi.new("char[]", lib.WP_STATUS_TEXT_MAX)
    lib.wp_status_text(int(status) & 0xffffffff, text, lib.WP_STATUS_TEXT_MAX)
    words: str = ffi.string(text).decode()
    return words


@dataclass
class _Counts:
    """Sums over all calls that it was handed to; threads may share it."""

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

    Of the maxima it holds the largest; first_invalid_row means nothing while invalid is 0.
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
    """The same over the rows of queries of meshes, and over their triangles. Of mesh_contact, rows with a patch are touching."""

    triangles: int = 0  #: looked at
    behind: int = 0  #: of these: their front is away from the body
    beyond: int = 0  #: of these: proven not to matter
    solved: int = 0  #: the others: contacts of the body and one triangle
    touched: int = 0  #: triangles with points
    turned: int = 0  #: contacts at edges and corners whose normal became the triangle's
    dropped: int = 0  #: of those: a neighbour has the contact


@dataclass
class CompoundStatistics(_Counts):
    """The same over the rows of queries of compounds, and over pairs of children."""

    pairs: int = 0  #: that the trees left, whose boxes were compared
    beyond: int = 0  #: of these: proven not to be the answer
    solved: int = 0  #: answered by kernels
    touched: int = 0  #: of these: with points of a manifold
