"""The text form of pair files. Numbers are read to the bits that C's strtof gives, and written like its %a."""

from __future__ import annotations

import math
import re
from fractions import Fraction
from typing import Any, Callable, Dict, List, NoReturn, Optional, Tuple

KINDS = ("sphere", "capsule", "box", "hull", "cylinder", "cone", "ellipsoid", "half-space", "mesh")
HULL, MESH = KINDS.index("hull"), KINDS.index("mesh")
WITH_VERTICES = (HULL, MESH)
MAGIC = b"pairs text 1\n"
LINE_MAX = 1023
HULL_VERTEX_MAX = 65535

_NUMBER = re.compile(
    r"[+-]?(?:(?P<hex>0x(?:[0-9a-f]+\.?[0-9a-f]*|\.[0-9a-f]+)(?:p[+-]?[0-9]+)?)"
    r"|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?|inf(?:inity)?|nan(?P<payload>\([0-9a-z_]*\))?)", re.IGNORECASE | re.ASCII)
_HEX = re.compile(r"([+-]?)0x([0-9a-f]*)\.?([0-9a-f]*)(?:p([+-]?[0-9]+))?", re.IGNORECASE | re.ASCII)
_WORD = re.compile(r"0x[0-9a-f]+|[0-9]+", re.IGNORECASE | re.ASCII)


def is_text(head: bytes) -> bool:
    """Whether a file begins with the line of a text file, whatever system wrote it."""
    return head.startswith((MAGIC, MAGIC[:-1] + b"\r\n"))


class Wrong(Exception):
    """What is wrong with a line."""


def _exact(word: str) -> Fraction:
    match = _HEX.fullmatch(word)
    if match is None:
        return Fraction(word)
    sign, whole, part, power = match.groups()
    scale = int(power or 0) - 4 * len(part)
    return Fraction(int(f"{sign}{whole}{part}", 16)) * Fraction(2) ** scale


def _is_halfway(value: float) -> bool:
    """Whether a double lies in the middle between two floats, where rounding twice may go wrong."""
    if not math.isfinite(value):
        return False
    half_units = math.ldexp(value, 1 - max(math.frexp(value)[1] - 24, -149))
    return half_units.is_integer() and int(half_units) & 1 == 1


def number(word: str) -> float:
    """A double that rounds to the float32 nearest to the number."""
    match = _NUMBER.fullmatch(word)
    if match is None:
        raise Wrong(f"no number: {word[:40]}")
    if match["payload"]:
        return math.nan
    try:
        value = float.fromhex(word) if match["hex"] else float(word)
    except OverflowError:
        return -math.inf if word.startswith("-") else math.inf
    if _is_halfway(value):
        exact = _exact(word)
        if exact != value:
            return math.nextafter(value, math.inf if exact > value else -math.inf)
    return value


def hexadecimal(value: float) -> str:
    """As C's %a prints a float."""
    if not math.isfinite(value):
        return ("-" if math.copysign(1.0, value) < 0 else "") + ("nan" if math.isnan(value) else "inf")
    digits, power = value.hex().split("p")
    return f"{digits.rstrip('0').rstrip('.') if '.' in digits else digits}p{power}"


class Reader:
    """Collects the records of a text file, line by line."""

    def __init__(self) -> None:
        self.shapes: List[Tuple[Any, ...]] = []
        self.vertices: List[Tuple[float, ...]] = []
        self.pairs: List[Tuple[Any, ...]] = []
        self.motions: Dict[int, Tuple[Any, ...]] = {}
        self.caches: Dict[int, Tuple[Any, ...]] = {}
        self._records: Dict[str, Callable[[List[str]], None]] = {"shape": self._shape, "v": self._vertex,
            "pair": self._pair, "motion": self._motion, "cache": self._cache}

    def read(self, data: bytes, fail: Callable[[int, str], NoReturn]) -> None:
        """`fail` is called with the number of the first line that is wrong."""
        lines = data.split(b"\n")
        for at, line in enumerate(lines[1:], 2):
            try:
                self._line(line)
            except Wrong as wrong:
                fail(at, str(wrong))
        for index, shape in enumerate(self.shapes):
            if shape[0] in WITH_VERTICES and shape[3] == 0:
                fail(len(lines), f"shape {index} is a {KINDS[shape[0]]} without vertices")
            if shape[0] == MESH and shape[3] % 3 != 0:
                fail(len(lines), f"shape {index} is a mesh of {shape[3]} vertices; each triangle has three")

    def _line(self, line: bytes) -> None:
        if len(line) > LINE_MAX:
            raise Wrong(f"longer than {LINE_MAX} characters")
        if b"\0" in line:
            raise Wrong("holds a zero byte")
        text = line[:-1] if line.endswith(b"\r") else line
        words = [word for word in re.split(r"[ \t]+", text.decode("latin-1")) if word]
        if not words or words[0].startswith("#"):
            return
        if words[0] not in self._records:
            raise Wrong(f"starts with none of {', '.join(self._records)}: {words[0][:40]}")
        self._records[words[0]](words[1:])

    def _shape(self, words: List[str]) -> None:
        if not words or words[0] not in KINDS:
            raise Wrong(f"no kind of shape: {' '.join(words)[:40]}")
        kind = KINDS.index(words[0])
        self.shapes.append((kind, _numbers(words[1:], 4), len(self.vertices) if kind in WITH_VERTICES else 0, 0))

    def _vertex(self, words: List[str]) -> None:
        if not self.shapes or self.shapes[-1][0] not in WITH_VERTICES:
            raise Wrong("a vertex that follows no hull and no mesh")
        self.vertices.append(_numbers(words, 3))
        kind, params, first, count = self.shapes[-1]
        if kind == HULL and count == HULL_VERTEX_MAX:
            raise Wrong(f"a hull of more than {HULL_VERTEX_MAX} vertices")
        self.shapes[-1] = (kind, params, first, count + 1)

    def _pair(self, words: List[str]) -> None:
        indices = tuple(_integer(word, len(self.shapes)) for word in words[:2])
        if len(indices) < 2:
            raise Wrong(f"a shape's number below {len(self.shapes)} is missing")
        self.pairs.append(indices + _split(_numbers(words[2:], 14), (3, 4, 3, 4)))

    def _motion(self, words: List[str]) -> None:
        self._of_pair(self.motions, "motion", _split(_numbers(words, 14), (3, 4, 3, 4)))

    def _cache(self, words: List[str]) -> None:
        if len(words) != 8:
            raise Wrong(f"8 numbers are needed, not {len(words)}")
        self._of_pair(self.caches, "cache",
            (tuple(_word(word) for word in words[:4]), _numbers(words[4:7], 3), _word(words[7])))

    def _of_pair(self, column: Dict[int, Tuple[Any, ...]], name: str, record: Tuple[Any, ...]) -> None:
        last = len(self.pairs) - 1
        if last < 0 or last in column:
            raise Wrong(f"a {name} that follows no pair")
        column[last] = record


def _numbers(words: List[str], count: int) -> Tuple[float, ...]:
    if len(words) != count:
        raise Wrong(f"{count} numbers are needed, not {len(words)}")
    return tuple(number(word) for word in words)


def _split(values: Tuple[float, ...], sizes: Tuple[int, ...]) -> Tuple[Tuple[float, ...], ...]:
    parts, at = [], 0
    for size in sizes:
        parts.append(values[at:at + size])
        at += size
    return tuple(parts)


def _integer(word: str, limit: int) -> int:
    if not (word.isascii() and word.isdigit()) or int(word) >= limit:
        raise Wrong(f"a shape's number below {limit} is missing")
    return int(word)


def _word(word: str) -> int:
    """A number of 32 bits: decimal, whatever zeros it begins with, or hexadecimal."""
    if _WORD.fullmatch(word):
        value = int(word, 16 if word[:2].lower() == "0x" else 10)
        if value < 1 << 32:
            return value
    raise Wrong(f"a number below 2^32 is missing: {word[:40]}")


def write(shapes: Any, vertices: Any, pairs: Any, motions: Optional[Any], caches: Optional[Any], remark: str) -> str:
    """All records as text; the arrays are as in a Capture. Fields that are vectors stay arrays in tolist."""
    lines = [MAGIC.decode().rstrip("\n"), f"# {remark}"]
    for kind, params, first, count in shapes.tolist():
        lines.append(f"shape {KINDS[kind]} {_words(params)}")
        lines += [f"v {_words(vertex)}" for vertex in vertices[first:first + count]]
    for index, (a, b, *poses) in enumerate(pairs.tolist()):
        lines.append(f"pair {a} {b} {' '.join(map(_words, poses))}")
        if motions is not None:
            lines.append(f"motion {' '.join(map(_words, motions[index].tolist()))}")
        if caches is not None:
            vertex, axis, count = caches[index].tolist()
            indices = " ".join(f"{word:#x}" if word else "0" for word in vertex.tolist())
            lines.append(f"cache {indices} {_words(axis)} {count}")
    return "\n".join(lines) + "\n"


def _words(values: Any) -> str:
    return " ".join(hexadecimal(value) for value in values.tolist())
