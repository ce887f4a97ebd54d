"""Height fields: terrain as samples in an array of the caller's, from which no triangle is ever made."""

from __future__ import annotations

from typing import Any, Dict, Optional

import numpy as np
import numpy.typing as npt

from widephase._arrays import FLOAT, Numbers, address, check_dtype, integer, number, numbers, pointer, rows
from widephase._library import check, ffi, lib
from widephase._mesh import MeshHit, one_ray, rays

_INT16: np.dtype[Any] = np.dtype(np.int16)


class HeightField:
    """Terrain over a grid: a view of the caller's samples, which every query reads, so they may change between calls.

    In its own frame +y is up: samples[row, column] is the vertex (column * spacing[0], height, row * spacing[1]). A cell has
    two triangles, whose fronts are up: 2 * cell and 2 * cell + 1, the number of a cell being row * (columns - 1) + column.
    The triangles around a hole are not there.

    samples: (rows, columns), float32: heights; or int16: the height is offset + scale * sample. The numbers of a row must
        be adjacent, rows may have any distance.
    spacing: between columns and between rows, positive.
    other_diagonal: cells are split from (0, 0) to (1, 1), not from (1, 0) to (0, 1).

    HOLE, HOLE_INT16: the sample that is a hole.

    copy.copy is another view of the samples; a deep copy or a pickle has samples of its own.

    >>> import numpy as np, widephase as wp
    >>> hill = wp.HeightField(np.array([[0, 0, 0], [0, 1, 0], [0, 0, 0]], np.float32), spacing=(2, 2))
    >>> len(hill), hill.ray((2, 5, 2), (0, -10, 0)).fraction
    (8, 0.4000000059604645)
    """

    HOLE: np.float32 = np.finfo(np.float32).max
    HOLE_INT16: np.int16 = np.int16(-32768)

    def __init__(self, samples: npt.NDArray[Any], *, spacing: Numbers = (1.0, 1.0), scale: float = 1.0,
            offset: float = 0.0, other_diagonal: bool = False) -> None:
        self._samples = samples
        self._set_view(spacing, scale, offset, other_diagonal)
        self.check()

    def _set_view(self, spacing: Any, scale: Any, offset: Any, other_diagonal: Any) -> None:
        """The wp_height_field."""
        samples = self._samples
        check_dtype(samples, "samples", FLOAT, _INT16)
        where, stride = rows(samples, "samples", samples.dtype, (None, None))
        across, along = numbers(spacing, "spacing", 2)
        self._pointer = ffi.new("wp_height_field *", {"samples": pointer(where), "row_stride": stride,
            "columns": samples.shape[1], "rows": samples.shape[0],
            "format": lib.WP_HEIGHT_INT16 if samples.dtype == _INT16 else lib.WP_HEIGHT_FLOAT,
            "flags": lib.WP_HEIGHT_OTHER_DIAGONAL if other_diagonal else 0, "spacing": (across, along),
            "scale": number(scale, "scale"), "offset": number(offset, "offset")})

    def __getstate__(self) -> Dict[str, Any]:
        """What is copied and pickled: numbers in the place of the struct for C, which is made anew."""
        field = self._pointer
        return {**self.__dict__, "_pointer": (tuple(field.spacing), field.scale, field.offset,
            field.flags & lib.WP_HEIGHT_OTHER_DIAGONAL)}

    def __setstate__(self, state: Dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._set_view(*state["_pointer"])

    def check(self) -> None:
        """Look at all samples, as the constructor did; for samples that have changed. Queries take any sample that is no
        height for a hole."""
        error = lib.wp_height_field_check(self._pointer)
        names = {lib.WP_ERROR_HEIGHT_SPACING: "spacing", lib.WP_ERROR_HEIGHT_SCALE: "scale, offset"}
        name = names.get(error, "samples")
        if error == lib.WP_ERROR_HEIGHT_SAMPLE:
            bad = ~(np.abs(self._samples) <= 1e30) & (self._samples != self.HOLE)
            row, column = np.argwhere(bad)[0]
            name = f"samples[{row}, {column}]"
        check(error, name)

    @property
    def samples(self) -> npt.NDArray[Any]:
        """The array that was given."""
        return self._samples

    def __len__(self) -> int:
        """Triangles, holes included."""
        return int(lib.wp_height_field_triangle_count(self._pointer))

    def triangle(self, index: int) -> Optional[npt.NDArray[np.float32]]:
        """(3, 3), the corners of a triangle, counter-clockwise seen from above; None in a hole."""
        corners = np.empty((3, 3), FLOAT)
        found = lib.wp_height_field_triangle(self._pointer, integer(index, "index", 0, len(self) - 1),
            pointer(address(corners), "float(*)[3]"))
        return corners if found else None

    def normal(self, index: int) -> npt.NDArray[np.float32]:
        """(3,), unit, upwards; zero in a hole."""
        normal = np.empty(3, FLOAT)
        lib.wp_height_field_normal(self._pointer, integer(index, "index", 0, len(self) - 1), pointer(address(normal), "float *"))
        return normal

    def ray(self, start: Numbers, way: Numbers) -> Optional[MeshHit]:
        """The first triangle on the way from start to start + way, from either side; None where there is none."""
        return one_ray(lib.wp_height_field_ray, self._pointer, start, way)

    def rays(self, start: npt.NDArray[np.float32], way: npt.NDArray[np.float32]) -> npt.NDArray[Any]:
        """The same of many: (n, 3) float32 each; (n,) of mesh_hit_dtype. The first that cannot be used is an Error."""
        return rays(lib.wp_height_field_rays, self._pointer, start, way)

    def __repr__(self) -> str:
        return f"<HeightField of {self._samples.shape[0]} x {self._samples.shape[1]} samples>"
