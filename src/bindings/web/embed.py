#!/usr/bin/env python3
"""Writes a copy of the wrapper that holds the WebAssembly module, as base64.

usage: embed.py WRAPPER.mjs MODULE.wasm OUT.mjs CONSTANT      CONSTANT: the wrapper's name of the module
"""

import base64
import pathlib
import sys


def main(arguments):
    if len(arguments) != 4:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    wrapper, module, out = (pathlib.Path(name) for name in arguments[:3])
    place = f"const {arguments[3]} = '';"
    text = wrapper.read_text(encoding="utf-8")
    if text.count(place) != 1:
        print(f"{wrapper}: does not hold the line {place!r} once", file=sys.stderr)
        return 1
    encoded = base64.b64encode(module.read_bytes()).decode("ascii")
    out.write_text(text.replace(place, f"const {arguments[3]} = '{encoded}';"), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
