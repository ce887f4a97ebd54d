#!/usr/bin/env python3
"""Checks that a shared library exports the calls of its public headers, all of them and nothing else.

usage: check_exports.py NM OBJDUMP LIBRARY HEADER...

OBJDUMP is asked of a DLL, NM of others.
"""

import pathlib
import re
import subprocess
import sys

DECLARED = re.compile(r"^WP_API\s[^;(]*?\b(\w+)\(", re.MULTILINE)
PREFIXES = ("wp_", "wp2d_")
DLL_EXPORT = re.compile(r"^\s+\[ *\d+\](?: \+base\[ *\d+\])?(?: +[0-9a-f]+)? (\w+)$", re.MULTILINE)


def exports_of(nm, objdump, library):
    command = [objdump, "-p"] if library.endswith(".dll") else [nm, "-D", "--defined-only"]
    listed = subprocess.run([*command, library], check=True, capture_output=True, text=True).stdout
    if library.endswith(".dll"):
        return set(DLL_EXPORT.findall(listed.split("[Ordinal/Name Pointer] Table")[-1]))
    return {line.split()[-1].split("@")[0] for line in listed.splitlines() if line.strip()}


def main(arguments):
    nm, objdump, library, headers = *arguments[:3], arguments[3:]
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
