#!/usr/bin/env python3
"""Checks that a shared library exports the calls of its public headers, all of them and nothing else.

usage: check_exports.py NM LIBRARY HEADER...
"""

import pathlib
import re
import subprocess
import sys

DECLARED = re.compile(r"^WP_API\s[^;(]*?\b(\w+)\(", re.MULTILINE)
PREFIXES = ("wp_", "wp2d_")


def main(arguments):
    nm, library, headers = arguments[0], arguments[1], arguments[2:]
    declared = {name for header in headers for name in DECLARED.findall(pathlib.Path(header).read_text(encoding="utf-8"))}
    symbols = subprocess.run([nm, "-D", "--defined-only", library], check=True, capture_output=True, text=True).stdout
    exported = {line.split()[-1].split("@")[0] for line in symbols.splitlines() if line.strip()}
    problems = [f"{name}: declared, not exported" for name in sorted(declared - exported)]
    problems += [f"{name}: exported, not declared" for name in sorted(exported - declared)]
    problems += [f"{name}: a name without the prefix" for name in sorted(exported) if not name.startswith(PREFIXES)]
    if not declared:
        problems.append("no calls in the headers")
    print("\n".join(problems) or f"{len(exported)} calls exported")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
