"""How numpy arrays become a pointer and a stride, or an error that names them. Nothing is ever copied or converted:
what does not fit is refused, with the way to convert it."""

from __future__ import annotations

import math
import operator
from typing import Any, Iterable, List, Optional, Sequence, Tuple, TypeVar, Union

import numpy as np
import numpy.typing as npt

from widephase._library import Error, ffi

# A few numbers or indices of one object: numpy's arrays are no Sequence.
Numbers = Union[Sequence[float], npt.NDArray[Any]]
Indices = Union[Sequence[int], npt.NDArray[Any]]

AnyArray = TypeVar("AnyArray", bound="np.ndarray[Any, Any]")

FLOAT: np.dtype[Any] = np.dtype(np.float32)
DOUBLE: np.dtype[Any] = np.dtype(np.float64)
INDEX: np.dtype[Any] = np.dtype(np.uint32)

# How far products of a matrix's rows may be off 1 and 0: quaternions may be 1e-2 off unit length.
MATRIX_ERROR = 2e-2

# Steps that numpy may take to find out whether two arrays share memory. Fields of one structured array need few.
SHARING_WORK = 10_000

_TooHard: Any = getattr(np, "exceptions", np).TooHardError


def check_array(array: Any, name: str, dtype: Optional[np.dtype[Any]] = None) -> None:
    """dtype: the type that it has to have, for the error."""
    if not isinstance(array, np.ndarray):
        of_type = f"(..., {_type_name(dtype)})" if dtype is not None else ""
        raise Error(name, f"a numpy array is needed, not {type(array).__name__}; numpy.asarray{of_type} makes one")
    _check_mask(array, name)


def _type_name(dtype: np.dtype[Any]) -> str:
    """As it is written in Python, but of structured types, which have no short one."""
    return f"'{dtype}'" if dtype.names is None else "..."


def _check_mask(array: Any, name: str) -> None:
    if isinstance(array, np.ma.MaskedArray):
        raise Error(name, "a masked array, whose mask would not be read; .filled(...) makes an array without one")


def check_dtype(array: Any, name: str, *dtypes: np.dtype[Any], writeable: bool = False) -> None:
    """writeable: results go there, so that a copy would not help."""
    check_array(array, name, dtypes[0])
    if array.dtype not in dtypes:
        wanted = " or ".join(str(dtype) for dtype in dtypes)
        remedy = "" if writeable else f"; .astype({_type_name(dtypes[0])}) makes a copy of that type"
        raise Error(name, f"dtype is {array.dtype}, not {wanted}{remedy}")


def check_shape(array: Any, name: str, shape: Tuple[Optional[int], ...]) -> None:
    """`shape` has None where any number does."""
    if not _fits(array.shape, shape):
        letters = iter("nm")
        wanted = ", ".join(next(letters) if size is None else str(size) for size in shape)
        raise Error(name, f"shape is {array.shape}, not ({wanted}{',' * (len(shape) == 1)}){_remedy(array, shape)}")


def _fits(sizes: Tuple[int, ...], shape: Tuple[Optional[int], ...]) -> bool:
    return len(sizes) == len(shape) and all(want in (None, size) for want, size in zip(shape, sizes))


def _remedy(array: Any, shape: Tuple[Optional[int], ...]) -> str:
    """How an array with the right numbers gets this shape."""
    if _fits(array.shape[::-1], shape):
        return "; its rows are columns: numpy.ascontiguousarray(array.T) turns them"
    if len(shape) > 1 and shape.count(None) == 1 and _fits((1, *array.shape), shape):
        return "; array[None] is the same as one row"
    if len(shape) > 1 and array.shape == shape[1:]:
        return f"; numpy.tile(array, ({shape[0]}, 1)) repeats it in each row"
    if len(shape) == 1 and _fits(array.shape[:1], shape) and array.size == len(array):
        return "; array.ravel() is the same without the last axis"
    return ""


def rows(array: Any, name: str, dtype: np.dtype[Any], shape: Tuple[Optional[int], ...],
        writeable: bool = False) -> Tuple[int, int]:
    """Address of the first row of an array, and bytes from row to row.

    Rows may lie anywhere: in a slice, or as a field of a structured array. The numbers of one row must be adjacent.
    """
    check_dtype(array, name, dtype)
    check_shape(array, name, shape)
    if writeable and not array.flags.writeable:
        raise Error(name, "is read-only, and results go there")
    size = dtype.itemsize * math.prod(array.shape[1:])
    if len(array) == 0:
        return address(array), size
    adjacent = dtype.itemsize
    for axis in range(array.ndim - 1, 0, -1):
        if array.shape[axis] > 1 and array.strides[axis] != adjacent:
            remedy = "" if writeable else "; numpy.ascontiguousarray makes a copy in which they are"
            raise Error(name, f"the numbers of a row are not adjacent (strides {array.strides}){remedy}")
        adjacent *= array.shape[axis]
    if len(array) == 1:
        return address(array), size
    stride: int = array.strides[0]
    if stride <= 0 or (writeable and stride < size):
        where = "backwards" if stride < 0 else "in the same place" if stride == 0 else "over each other"
        remedy = "" if writeable else "; numpy.ascontiguousarray makes a copy"
        raise Error(name, f"rows lie {where} (strides {array.strides}){remedy}")
    return address(array), stride


def address(array: Any) -> int:
    where: int = array.__array_interface__["data"][0]
    return where


def pointer(where: int, kind: str = "void *") -> Any:
    return ffi.cast(kind, where)


def check_apart(outputs: Iterable[Tuple[str, Any]], inputs: Iterable[Tuple[str, Any]],
        others: Iterable[Tuple[str, Any]] = ()) -> None:
    """Refuse outputs that lie where inputs, each other or other outputs do. Fields of one structured array are apart."""
    read, written = list(inputs), list(others)
    for name, output in outputs:
        for arrays, reason in ((read, ", which is read while results are written"), (written, ", where results go, too")):
            for other, array in arrays:
                if array is not None and np.may_share_memory(output, array) and _shares(output, array):
                    raise Error(name, f"lies in the memory of {other}{reason}")
        written.append((name, output))


def _shares(a: Any, b: Any) -> bool:
    try:
        return bool(np.shares_memory(a, b, max_work=SHARING_WORK))
    except _TooHard:
        return False


def frozen(array: AnyArray) -> AnyArray:
    array.flags.writeable = False
    return array


def copied(values: Any, name: str, dtype: Optional[np.dtype[Any]], width: int = 0) -> Any:
    """An array of a type that C reads, of numbers in any form. dtype None: float64, or float32 where they are that. width:
    numbers of a row, which an empty list does not tell; 0: rows are numbers."""
    _check_mask(values, name)
    try:
        found = np.array(values)
        if found.shape == (0,) and width:
            found = found.reshape(0, width)
        if dtype == INDEX and found.size:
            if found.dtype.kind not in "iu":
                raise Error(name, f"indices are needed, integers from 0 to 2^32 - 1; dtype is {found.dtype}")
            wrong = np.argwhere((found < 0) | (found > 0xffffffff))
            if len(wrong):
                place = tuple(wrong[0].tolist())
                raise Error(name, f"indices are needed, integers from 0 to 2^32 - 1, not {found[place]} in place {place}")
        if found.dtype.kind == "O":
            found = np.array([number(value, name) for value in found.flat]).reshape(found.shape)
        elif found.dtype.kind not in "biuf":
            raise TypeError(f"dtype is {found.dtype}")
        return np.ascontiguousarray(found, dtype or (FLOAT if found.dtype == FLOAT else DOUBLE))
    except Error:
        raise
    except (TypeError, ValueError) as problem:
        raise Error(name, f"not an array of numbers ({problem})") from None


def rotations(values: Any, name: str, width: int) -> Any:
    """Rotations as C reads them, float32 of `width` numbers each: of the same in any form, or in 3D of matrices."""
    found = copied(values, name, None, width)
    if width == 4 and found.shape[1:] == (3, 3):
        found = _quaternions(found.astype(DOUBLE), name)
    return np.ascontiguousarray(found, FLOAT)


def _quaternions(matrices: npt.NDArray[Any], name: str) -> npt.NDArray[Any]:
    """Of matrices (n, 3, 3); NaN of what is not finite."""
    with np.errstate(all="ignore"):
        off = np.abs(matrices @ matrices.transpose(0, 2, 1) - np.eye(3)).max((1, 2), initial=0)
        mirrors = (np.cross(matrices[:, 0], matrices[:, 1]) * matrices[:, 2]).sum(1) < 0
    wrong = np.flatnonzero((off > MATRIX_ERROR) | mirrors)
    if len(wrong):
        raise Error(f"{name}[{wrong[0]}]", "a matrix that is no rotation: its rows are not unit vectors at right angles, or it mirrors")
    # Four times the products of the numbers of the quaternion: the row of the largest number loses no digits.
    x, y, z = np.moveaxis(matrices, (1, 2), (0, 1))
    products = np.array([(1 + x[0] - y[1] - z[2], x[1] + y[0], x[2] + z[0], z[1] - y[2]),
        (x[1] + y[0], 1 - x[0] + y[1] - z[2], y[2] + z[1], x[2] - z[0]),
        (x[2] + z[0], y[2] + z[1], 1 - x[0] - y[1] + z[2], y[0] - x[1]),
        (z[1] - y[2], x[2] - z[0], y[0] - x[1], 1 + x[0] + y[1] + z[2])])
    largest = np.argmax(np.einsum("iin->in", products), 0)
    found = products[largest, :, np.arange(len(matrices))]
    quaternions: npt.NDArray[Any] = found / np.linalg.norm(found, axis=1, keepdims=True)
    return quaternions


def sequence(values: Any, name: str) -> List[Any]:
    try:
        return list(values)
    except TypeError:
        raise Error(name, f"a sequence is needed, not {type(values).__name__}; a list makes one of it") from None


def integer(value: Any, name: str, least: int, most: int) -> int:
    try:
        number = operator.index(value)
    except TypeError:
        raise Error(name, f"an integer is needed, not {type(value).__name__}") from None
    if not least <= number <= most:
        raise Error(name, f"{number} is not in {least} .. {most}")
    return number


def check_type(value: Any, name: str, wanted: Any) -> None:
    """Classes in 2D and in 3D have the same names: of the other ones the module is named, too."""
    if not isinstance(value, wanted):
        needed = f"{wanted.__name__} are" if wanted.__name__.endswith("s") else f"a {wanted.__name__} is"
        module = type(value).__module__
        where = f" of {'widephase' if module.startswith('widephase._') else module}" * (type(value).__name__ == wanted.__name__)
        raise Error(name, f"{needed} needed, not {type(value).__name__}{where}")


def _real(value: Any) -> float:
    if isinstance(value, (str, bytes, np.complexfloating)) or value is np.ma.masked:
        raise TypeError
    return float(value)


def number(value: Any, name: str) -> float:
    """One number, which may be NaN or infinite."""
    try:
        return _real(value)
    except (TypeError, ValueError, OverflowError):
        raise Error(name, f"a number is needed, not {value!r}") from None


def numbers(values: Any, name: str, count: int) -> Tuple[float, ...]:
    """A few numbers of one pair: any sequence of them."""
    try:
        found = tuple(_real(value) for value in values)
    except (TypeError, ValueError, OverflowError):
        raise Error(name, f"{count} numbers are needed, not {values!r}") from None
    if len(found) != count:
        raise Error(name, f"{count} numbers are needed, not {len(found)}")
    return found
