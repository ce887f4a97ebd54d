#!/usr/bin/env python3
"""Writes the module-definition file of a DLL: all calls of its public headers.

usage: exports.py OUT HEADER...
"""

import pathlib
import re
import sys

CALL = re.compile(r"^WP_API\s[^;(]*?\b(\w+)\(", re.MULTILINE)


def main(arguments):
    if len(arguments) < 2:
        sys.exit(__doc__.strip())
    out, headers = pathlib.Path(arguments[0]), arguments[1:]
    calls = sorted({call for header in headers for call in CALL.findall(pathlib.Path(header).read_text(encoding="utf-8"))})
    out.write_text("EXPORTS\n" + "".join(f"\t{call}\n" for call in calls), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
