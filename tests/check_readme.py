#!/usr/bin/env python3
"""Compiles and runs every block of C and C++ in a document; pair files that they write are answered and compared.

usage: check_readme.py DOCUMENT PROGRAM LIBRARY INCLUDE -- COMPILER... -- C++-COMPILER...
"""

import pathlib
import re
import subprocess
import sys
import tempfile

BLOCK = re.compile(r"^```(c|cpp)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def run(what, command, folder):
    result = subprocess.run([str(part) for part in command], cwd=folder, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        sys.exit(f"{what}: exit status {result.returncode}\n{result.stdout}{result.stderr}")
    return result.stdout


def main():
    split = sys.argv.index("--")
    document, program, library, include = (pathlib.Path(name).resolve() for name in sys.argv[1:split])
    second = sys.argv.index("--", split + 1)
    compilers = {"c": sys.argv[split + 1:second] + ["-std=c17"], "cpp": sys.argv[second + 1:] + ["-std=c++17"]}
    blocks = BLOCK.findall(document.read_text(encoding="utf-8"))
    if {language for language, _ in blocks} != set(compilers):
        sys.exit(f"{document}: no blocks of C, or none of C++")
    for number, (language, block) in enumerate(blocks, 1):
        what = f"{document.name}, block {number}"
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            source = folder / f"main.{language}"
            source.write_text(block, encoding="utf-8")
            run(what, compilers[language] + ["-Wall", "-Wextra", "-Werror", f"-I{include}", source, "-o", "main", library],
                folder)
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
