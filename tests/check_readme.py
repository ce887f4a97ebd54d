#!/usr/bin/env python3
"""Compiles and runs every block of C in a document; pair files that they write are answered and compared.

usage: check_readme.py DOCUMENT PROGRAM LIBRARY INCLUDE -- COMPILER...
"""

import pathlib
import re
import subprocess
import sys
import tempfile

BLOCK = re.compile(r"^```c\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def run(what, command, folder):
    result = subprocess.run([str(part) for part in command], cwd=folder, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        sys.exit(f"{what}: exit status {result.returncode}\n{result.stdout}{result.stderr}")
    return result.stdout


def main():
    split = sys.argv.index("--")
    document, program, library, include = (pathlib.Path(name).resolve() for name in sys.argv[1:split])
    compiler = sys.argv[split + 1:]
    blocks = BLOCK.findall(document.read_text(encoding="utf-8"))
    if not blocks:
        sys.exit(f"{document}: no blocks of C")
    for number, block in enumerate(blocks, 1):
        what = f"{document.name}, block {number}"
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "main.c").write_text(block, encoding="utf-8")
            run(what, compiler + ["-std=c17", "-Wall", "-Wextra", "-Werror", f"-I{include}", "main.c", "-o", "main", library,
                f"-Wl,-rpath,{library.parent}"], folder)
            print(run(what, [folder / "main"], folder), end="")
            for pairs in sorted(folder.glob("*.pairs")):
                answers = run(what, [program, "collide", pairs], folder)
                run(what, [program, "compare", pairs], folder)
                run(what, [program, "collide", pairs, "--query", "manifold"], folder)
                if "\nmotion " in pairs.read_text(encoding="utf-8"):
                    run(what, [program, "collide", pairs, "--query", "cast"], folder)
                print(f"{pairs.name}: {len(answers.splitlines()) - 1} pairs")
    print(f"{len(blocks)} blocks compile and run")


if __name__ == "__main__":
    main()
