#!/usr/bin/env python3
"""Checks that a shared library exports the calls of its public headers, all of them and nothing else.

usage: check_exports.py NM OBJDUMP LIBRARY HEADER...

OBJDUMP is asked of a DLL, NM of others. If the headers are C++, the library exports what belongs to their classes, and
otherwise only weak symbols, which compilers make of the standard library.
"""

import pathlib
import re
import subprocess
import sys

DECLARED = re.compile(r"^WP_API\s[^;(]*?\b(\w+)\(", re.MULTILINE)
CLASS = re.compile(r"^class WP_API (\w+)", re.MULTILINE)
STRONG = re.compile(r"^[0-9a-f]+ [A-UX-Z] (.*)$", re.MULTILINE)
PREFIXES = ("wp_", "wp2d_")
# The linker's own, exported where another shared library, which is linked, exports them.
LINKER_SYMBOLS = {"__bss_start", "_edata", "_end"}
DLL_EXPORT = re.compile(r"^\s+\[ *\d+\](?: \+base\[ *\d+\])?(?: +[0-9a-f]+)? (\w+)$", re.MULTILINE)


def exports_of(nm, objdump, library):
    command = [objdump, "-p"] if library.endswith(".dll") else [nm, "-D", "--defined-only"]
    listed = subprocess.run([*command, library], check=True, capture_output=True, text=True).stdout
    if library.endswith(".dll"):
        return set(DLL_EXPORT.findall(listed.split("[Ordinal/Name Pointer] Table")[-1]))
    return {line.split()[-1].split("@")[0] for line in listed.splitlines() if line.strip()} - LINKER_SYMBOLS


def check_classes(nm, library, headers):
    classes = {name for header in headers for name in CLASS.findall(pathlib.Path(header).read_text(encoding="utf-8"))}
    listed = subprocess.run([nm, "-DC", "--defined-only", library], check=True, capture_output=True, text=True).stdout
    symbols = STRONG.findall(listed)
    owned = re.compile(rf"(?:(?:vtable|typeinfo(?: name)?) for )?wp::(?:{'|'.join(classes)})\b")
    problems = [f"{symbol}: exported, of no public class" for symbol in symbols if not owned.match(symbol)]
    if not classes or not symbols:
        problems.append("no public classes, or nothing exported")
    print("\n".join(problems) or f"{len(symbols)} symbols of {len(classes)} classes exported")
    return 1 if problems else 0


def main(arguments):
    nm, objdump, library, headers = *arguments[:3], arguments[3:]
    if all(header.endswith(".hpp") for header in headers):
        return check_classes(nm, library, headers)
    declared = {name for header in headers for name in DECLARED.findall(pathlib.Path(header).read_text(encoding="utf-8"))}
    exported = exports_of(nm, objdump, library)
    problems = [f"{name}: declared, not exported" for name in sorted(declared - exported)]
    problems += [f"{name}: exported, not declared" for name in sorted(exported - declared)]
    problems += [f"{name}: a name without the prefix" for name in sorted(exported) if not name.startswith(PREFIXES)]
    if not declared:
        problems.append("no calls in the headers")
    print("\n".join(problems) or f"{len(exported)} calls exported")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
