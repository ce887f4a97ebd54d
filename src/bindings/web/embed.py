#!/usr/bin/env python3
"""Writes a copy of the wrapper that holds the WebAssembly module, as base64.

usage: embed.py WRAPPER.mjs MODULE.wasm OUT CONSTANT [GLOBAL]

CONSTANT   the wrapper's name of the module
GLOBAL     one of its exported functions: the copy is a classic script that defines it, with the other exports as members
"""

import base64
import pathlib
import re
import sys

EXPORT = re.compile(r"^export (?:default )?((?:async )?(?:function|class) (\w+))", re.MULTILINE)
OF_MODULES = re.compile(r"^(?:export|import)\b|\bimport\.meta\b", re.MULTILINE)


def as_script(text, name):
    """A module without imports as a script; where it lies is the script's or the worker's address."""
    exported = [found[1] for found in EXPORT.findall(text)]
    body = EXPORT.sub(r"\1", text).replace("import.meta.url", "here")
    if name not in exported or OF_MODULES.search(body):
        raise ValueError(f"is no module without imports that exports {name}")
    others = ", ".join(other for other in exported if other != name)
    return (f"var {name} = (() => {{\n'use strict';\n"
            "const here = globalThis.document?.currentScript?.src ?? globalThis.location?.href;\n"
            f"{body}\nreturn Object.assign({name}, {{ {others} }});\n}})();\n")


def main(arguments):
    if len(arguments) not in (4, 5):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    wrapper, module, out = (pathlib.Path(name) for name in arguments[:3])
    place = f"const {arguments[3]} = '';"
    text = wrapper.read_text(encoding="utf-8")
    if text.count(place) != 1:
        print(f"{wrapper}: does not hold the line {place!r} once", file=sys.stderr)
        return 1
    encoded = base64.b64encode(module.read_bytes()).decode("ascii")
    try:
        text = as_script(text, arguments[4]) if len(arguments) == 5 else text
    except ValueError as error:
        print(f"{wrapper}: {error}", file=sys.stderr)
        return 1
    out.write_text(text.replace(place, f"const {arguments[3]} = '{encoded}';"), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
