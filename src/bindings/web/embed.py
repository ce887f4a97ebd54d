#!/usr/bin/env python3
"""Writes a copy of the wrapper that holds the WebAssembly module, as base64.

usage: embed.py WRAPPER.mjs MODULE.wasm OUT.mjs
"""

import base64
import pathlib
import sys

PLACE = "const embedded = '';"


def main(arguments):
    if len(arguments) != 3:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    wrapper, module, out = (pathlib.Path(name) for name in arguments)
    text = wrapper.read_text(encoding="utf-8")
    if text.count(PLACE) != 1:
        print(f"{wrapper}: does not hold the line {PLACE!r} once", file=sys.stderr)
        return 1
    encoded = base64.b64encode(module.read_bytes()).decode("ascii")
    out.write_text(text.replace(PLACE, f"const embedded = '{encoded}';"), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
