#!/usr/bin/env python3
"""Checks what the program says of files and streams that it cannot read or write.

usage: check_files.py WIDEPHASE meshes|no-meshes
"""

import os
import pathlib
import subprocess
import sys
import tempfile

PAIRS = """pairs text 1
shape box 0.5 0.5 0.5 0
shape sphere 1 0 0 0
pair 0 0 0 0 0 0 0 0 1 0.9 0 0 0 0 0 1
pair 0 1 0 0 0 0 0 0 1 1.6 0 0 0 0 0 1
"""
MISSING = "cannot open: No such file or directory"


class Checker:
    def __init__(self, program, folder):
        self.program, self.folder = pathlib.Path(program).resolve(), folder
        self.problems = []

    def write(self, name, text):
        (self.folder / name).write_text(text, encoding="ascii")

    def run(self, arguments, **streams):
        streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **streams}
        return subprocess.run([self.program, *arguments], cwd=self.folder, text=True, check=False, timeout=60, **streams)

    def check(self, holds, arguments, answer):
        if not holds:
            self.problems.append(f"widephase {' '.join(arguments)}: {answer}")

    def refused(self, said, *arguments, **streams):
        """Exit status 2 and this one sentence."""
        done = self.run(arguments, **streams)
        self.check(done.returncode == 2 and done.stderr == f"widephase: {said}\n", arguments,
            f"exit status {done.returncode}, {done.stderr!r}, not {said!r}")


def check_open(checker, meshes):
    """The name of the file, and the system's reason."""
    for arguments in (["collide"], ["compare"], ["time"], ["draw", "--pair", "0"]):
        checker.refused(f"none: {MISSING}", *arguments, "none")
        checker.refused("some.pairs/none: cannot open: Not a directory", *arguments, "some.pairs/none")
        checker.refused(".: not a regular file", *arguments, ".")
    checker.refused(f"none: {MISSING}", "compare", "some.pairs", "none")
    checker.refused(f"none: {MISSING}", "info", "none")
    checker.refused(f"none.wph: {MISSING}", "collide", "none.wph", "none.wph")
    if meshes:
        checker.refused(f"none.obj: {MISSING}", "collide", "none.obj", "none.obj")
        checker.refused(f"none.obj: {MISSING}", "cook", "none.obj", "--out", "new.wph")
        checker.refused(f"none.obj: {MISSING}", "cook", "none.obj", "--mesh", "--out", "new.wpm")
        checker.refused(".: not a regular file", "cook", ".", "--out", "new.wph")


def check_kind(checker):
    """Short files of another kind are no pair files that were cut."""
    said = "offset 0: not a pair file: it starts with neither PAIRS01 nor the line 'pairs text 1'"
    for text in ("x", "pairs text 2\n", "pairs text 1", "\ufeffpairs text 1\n", "PAIRS02", "a,b\n" * 20):
        (checker.folder / "other").write_text(text, encoding="utf-8")
        for command in ("collide", "compare", "time"):
            checker.refused(f"other: {said}", command, "other")
    for size in range(24):
        (checker.folder / "cut").write_bytes((b"PAIRS01" + bytes(17))[:size])
        checker.refused(f"cut: offset {size}: the file ends here, {24 - size} bytes are missing", "collide", "cut")


def check_output(checker):
    """What standard output does not take is an error, of each command and of the help."""
    for arguments in ([], ["info"], ["collide"], ["time"]):
        for option in ("--help", "--usage", "--version"):
            check_full(checker, f"widephase {arguments[0]}" if arguments else "widephase", *arguments, option)
    for arguments in (["info"], ["collide", "some.pairs"], ["collide", "some.pairs", "--query", "manifold"],
            ["compare", "some.pairs"], ["time", "some.pairs", "--variant", "scalar"], ["draw", "some.pairs", "--pair", "0"]):
        check_full(checker, "widephase", *arguments)
    checker.refused("/dev/full: cannot write: No space left on device", "collide", "some.pairs", "--out", "/dev/full")
    checker.refused("/dev/full: cannot write: No space left on device", "draw", "some.pairs", "--pair", "0", "--out", "/dev/full")


def check_full(checker, name, *arguments):
    with open("/dev/full", "wb") as full:
        done = checker.run(arguments, stdout=full)
    check_lost(checker, name, arguments, done, "No space left on device", ">/dev/full")
    read_end, write_end = os.pipe()
    os.close(read_end)
    done = checker.run(arguments, stdout=write_end, restore_signals=False)
    os.close(write_end)
    check_lost(checker, name, arguments, done, "Broken pipe", "| true")


def check_lost(checker, name, arguments, done, reason, into):
    # The command time may have a warning about the machine before.
    said = [line for line in done.stderr.splitlines() if not line.startswith("widephase: the machine is too busy")]
    checker.check(done.returncode == 2 and said == [f"{name}: standard output: cannot write: {reason}"], [*arguments, into],
        f"exit status {done.returncode}, {done.stderr!r}")


def main(program, meshes):
    with tempfile.TemporaryDirectory() as folder:
        checker = Checker(program, pathlib.Path(folder))
        checker.write("some.pairs", PAIRS)
        check_open(checker, meshes == "meshes")
        check_kind(checker)
        if os.path.exists("/dev/full"):
            check_output(checker)
    print("\n".join(checker.problems) or "the program names what it cannot read or write")
    return 1 if checker.problems else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
