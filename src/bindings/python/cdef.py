#!/usr/bin/env python3
"""Writes what cffi needs of the library as a Python module, from the public headers themselves.

usage: cdef.py OUTPUT.py HEADER...

The headers must come in the order in which they include one another. Of their preprocessor lines only plain
integers count: what stands inside #if is for compilers, and everything else is a declaration that cffi reads.
"""

import contextlib
import io
import re
import sys

import cffi

COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
# A function of the header alone: programs in other languages call what it calls.
INLINE = re.compile(r"^static inline .*?^}\n", re.DOTALL | re.MULTILINE)
INTEGER = re.compile(r"#define (\w+) (\d+|0x[0-9a-f]+)u?$")


def declarations(text):
    """What a header declares, without comments, includes, its guard, inline functions, and what only compilers look at."""
    depth, kept = 0, []
    for line in INLINE.sub("", COMMENT.sub("", text)).splitlines():
        if line.startswith("#if") and not line.startswith("#ifndef WIDEPHASE_"):
            depth += 1
        elif line.startswith("#endif"):
            depth = max(depth - 1, 0)
        elif depth == 0 and line.startswith("#"):
            kept += ["#define {} {}".format(*match.groups()) for match in [INTEGER.match(line.rstrip())] if match]
        elif depth == 0:
            kept.append(line.replace("WP_API ", ""))
    return "\n".join(kept)


def main():
    output, headers = sys.argv[1], sys.argv[2:]
    builder = cffi.FFI()
    for header in headers:
        with open(header, encoding="utf-8") as file:
            builder.cdef(declarations(file.read()))
    builder.set_source("widephase._abi", None)
    with contextlib.redirect_stdout(io.StringIO()):  # it tells what it writes
        builder.emit_python_code(output)
    # What cffi writes is not typed; whether a checker minds depends on the stubs that it finds for cffi.
    with open(output, encoding="utf-8") as file:
        generated = file.read()
    with open(output, "w", encoding="utf-8") as file:
        file.write("# mypy: ignore-errors\n" + generated)


main()
