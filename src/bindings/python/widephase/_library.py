"""Finds the shared library, opens it, and turns its error codes into exceptions.

cffi out of line, without a compiler: the declarations come from the public headers when the project is built, so
that no layout is written twice, and the package is Python alone, for any version of it. A call releases the
interpreter's lock while the library runs.
"""

from __future__ import annotations

import functools
import os
import pathlib
import re
import sys
import threading
import warnings
from typing import Any, List, Optional, Tuple

from widephase._abi import ffi as _ffi

try:
    from widephase import _config
except ImportError:  # a copy of the sources, beside which nothing was configured
    _config = None  # type: ignore[assignment]


ffi: Any = _ffi


class Error(ValueError):
    """An argument that cannot be used, or what the library refused.

    argument: its name, as in the call ("out['normal']", "bodies.position").
    code: name of the library's error ("HULL_CORRUPT"), or None where this package found the fault itself.
    """

    def __init__(self, argument: str, reason: str, code: Optional[str] = None) -> None:
        super().__init__(f"{argument}: {reason}")
        self.argument = argument
        self.reason = reason
        self.code = code

    def __reduce__(self) -> Tuple[Any, ...]:
        return type(self), (self.argument, self.reason, self.code)


class InvalidWarning(RuntimeWarning):
    """Shapes of a table, or rows of a call, cannot be used; all others are right."""


def warn(text: str) -> None:
    """An InvalidWarning at the line outside of this package that called it."""
    level, frame = 2, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith("widephase."):
        level, frame = level + 1, frame.f_back
    warnings.warn(text, InvalidWarning, stacklevel=level)


def _candidates() -> List[str]:
    """Names to open, the first that can be is it. WIDEPHASE_LIBRARY names the file; there is no second guess then."""
    named = os.environ.get("WIDEPHASE_LIBRARY")
    if named:
        return [named]
    if _config is None:
        header = ffi.dlopen(None)
        series = [header.WP_VERSION_MAJOR] if header.WP_VERSION_MAJOR else [0, header.WP_VERSION_MINOR]
        return [".".join(["libwidephase.so", *map(str, series)])]
    beside = os.path.join(os.path.dirname(_config.__file__), _config.SONAME)
    return [path for path in (beside, _config.LIBRARY) if os.path.exists(path)] + [_config.SONAME]


def _open(names: List[str]) -> Tuple[Any, str]:
    problems = []
    for name in names:
        try:
            return ffi.dlopen(name), name
        except OSError as problem:
            problems.append(str(problem))
    raise ImportError("the shared library of widephase cannot be opened, WIDEPHASE_LIBRARY may name its file: "
        + "; ".join(problems))


def _open_same_series() -> Tuple[Any, str]:
    """All patch releases of one minor version have the same calls and structs."""
    library, name = _open(_candidates())
    wanted = library.WP_VERSION_MAJOR, library.WP_VERSION_MINOR
    try:
        found = ffi.string(library.wp_version()).decode()
    except ffi.error as problem:
        raise ImportError(f"{name} is not the library of widephase: {problem}") from None
    if tuple(int(number) for number in found.split(".")[:2]) != wanted:
        raise ImportError(f"{name} is version {found}, this package is made for {wanted[0]}.{wanted[1]}")
    return library, name


lib, _name = _open_same_series()

# The WP_VERSION_NUMBER of the headers that the declarations were made from.
HEADER_VERSION: int = lib.WP_VERSION_MAJOR * 10000 + lib.WP_VERSION_MINOR * 100 + lib.WP_VERSION_PATCH


@functools.lru_cache(maxsize=None)
def cook_library() -> Any:
    """widephase-cook, which lies beside the library where it was built."""
    path = pathlib.Path(_name)
    cook = path.with_name(path.name.replace("widephase", "widephase-cook", 1))
    try:
        return ffi.dlopen(str(cook))
    except OSError as problem:
        raise Error("widephase-cook", f"not there, and only it makes hulls of points ({problem})") from None


def check(error: int, argument: str, cause: Optional[str] = None) -> None:
    """Raise what the library returned, unless that is WP_OK. cause: what is wrong, where it is known better."""
    if error != lib.WP_OK:
        name = ffi.typeof("wp_error").elements.get(error, "WP_ERROR_UNKNOWN")
        text = _in_python(ffi.string(lib.wp_error_text(error)).decode(), argument) if cause is None else cause
        raise Error(argument, text, name.replace("WP_ERROR_", "", 1))


# Constants that the declarations lack.
_REALS = {"WP_COORDINATE_MAX": "1e30"}


def _in_python(text: str, argument: str) -> str:
    """Members of structs in C are arguments in Python; a constant has its value."""
    text = re.sub(r"\b\w+->", "", text)
    text = re.sub(r"\bWP(?:2D)?_[A-Z0-9_]+\b", lambda name: str(getattr(lib, name[0], _REALS.get(name[0], name[0]))), text)
    return text[len(argument) + 1:] if text.startswith(f"{argument} is ") else text


class _Raised(threading.local):
    """Exceptions of support functions in the calls of this thread, of which C knows nothing."""

    def __init__(self) -> None:
        self.errors: List[BaseException] = []


raised = _Raised()


def aligned(size: int) -> Tuple[Any, Any]:
    """Zeroed memory: its owner, to be kept, and the place in it that the library is given."""
    owner = ffi.new("char[]", size + lib.WP_ALIGNMENT)
    return owner, owner + -int(ffi.cast("uintptr_t", owner)) % lib.WP_ALIGNMENT


def version() -> str:
    """Version of the library that was found: "major.minor.patch"."""
    text: str = ffi.string(lib.wp_version()).decode()
    return text


def variants() -> List[str]:
    """Names of the kernel variants that this build holds and this machine runs, the narrowest first."""
    numbers = range(lib.WP_VARIANT_AUTO + 1, lib.WP_VARIANT_COUNT)
    return [ffi.string(lib.wp_variant_name(number)).decode() for number in numbers
        if lib.wp_variant_available(number) == lib.WP_OK]
