#!/usr/bin/env python3
"""Checks that every C and C++ file is as clang-format makes it, by the version that .clang-format names.

usage: check_format.py CLANG_FORMAT ROOT

Other versions make other files of them: then nothing is said, exit 77, which is a skipped test.
"""

import pathlib
import re
import subprocess
import sys

SKIPPED = 77
FILES = ("*.c", "*.h", "*.hpp", "*.cpp")


def version_of(clang_format):
    found = re.search(r"version (\d+)", subprocess.run([clang_format, "--version"], capture_output=True, text=True,
        check=True).stdout)
    return int(found.group(1))


def files_of(root):
    """Files that are tracked; where the tree is no repository, all but what builds made."""
    listed = subprocess.run(["git", "-C", root, "ls-files", "-z", *FILES], capture_output=True, text=True, check=False)
    if listed.returncode == 0:
        return sorted(root / name for name in listed.stdout.split("\0") if name)
    return sorted(path for folder in ("include", "src", "bench", "tests") for pattern in FILES
        for path in (root / folder).rglob(pattern))


def main(arguments):
    if len(arguments) != 2:
        sys.exit(__doc__.strip())
    clang_format, root = arguments[0], pathlib.Path(arguments[1])
    if not clang_format:
        print("no clang-format")
        return SKIPPED
    wanted = int(re.search(r"by clang-format (\d+)", (root / ".clang-format").read_text(encoding="utf-8")).group(1))
    if version_of(clang_format) != wanted:
        print(f"clang-format {version_of(clang_format)}, not {wanted}")
        return SKIPPED
    files = files_of(root)
    result = subprocess.run([clang_format, "--dry-run", "-Werror", *files], capture_output=True, text=True, check=False)
    print(result.stderr[:4000] or f"{len(files)} files")
    return result.returncode or not files


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
