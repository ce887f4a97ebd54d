#!/usr/bin/env python3
"""Checks what the program says of files and streams that it cannot read or write.

usage: check_files.py WIDEPHASE meshes|no-meshes
"""

import os
import pathlib
import re
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


def check_no_mesh(checker):
    """Two pair files are no two shapes, and none is cooked."""
    (checker.folder / "binary.pairs").write_bytes(b"PAIRS01" + bytes(17))
    for name in ("some.pairs", "binary.pairs"):
        checker.refused(f"{name}: a pair file, not a mesh", "collide", name, name)
        checker.refused(f"{name}: a pair file, not a mesh", "cook", name, "--out", "new.wph")


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


def check_mesh_options(checker):
    """Options for meshes are errors with a file that has none."""
    said = "some.pairs: has no meshes, for which --two-sided, --ghosts and --soup are"
    for option in ("--two-sided", "--ghosts", "--soup"):
        for arguments in (["collide"], ["collide", "--query", "manifold", "--threads", "2"], ["draw", "--pair", "0"], ["time"]):
            checker.refused(said, *arguments, "some.pairs", option)


CUBE = "".join(f"v {x} {y} {z}\n" for x in (0, 1) for y in (0, 1) for z in (0, 1)) + (
    "f 1 2 4 3\nf 5 7 8 6\nf 1 5 6 2\nf 3 4 8 7\nf 1 3 7 5\nf 2 6 8 4\n")


def check_writers(checker, meshes):
    """A name to write may be a link, to a file or to none yet, a pipe, or a place where nothing can be written. Whatever it is,
    it stays what it is, and no other file is left there."""
    writers = [("csv", ["collide", "some.pairs", "--out"]), ("svg", ["draw", "some.pairs", "--pair", "0", "--out"]),
        ("pairs", ["compare", "some.pairs", "--save"])]
    if meshes:
        checker.write("cube.obj", CUBE)
        writers += [("wph", ["cook", "cube.obj", "--out"]), ("wpm", ["cook", "cube.obj", "--mesh", "--out"])]
    for ending, arguments in writers:
        places = checker.folder / ending
        (places / "real").mkdir(parents=True)
        check_links(checker, arguments, places, ending)
        check_refusals(checker, arguments, places, ending)
        check_growth(checker, arguments, places, ending)
        check_closed(checker, arguments, places, ending)
        left = [str(path.relative_to(places)) for path in places.rglob("*") if path.suffix[1:] != ending and path.name != "real"]
        checker.check(not left, arguments, f"leaves {left}")


def check_links(checker, arguments, places, ending):
    plain = places / f"plain.{ending}"
    checker.check(checker.run([*arguments, plain]).returncode == 0, arguments, "fails")
    wanted = plain.read_bytes()

    def written(what, path, end):
        done = checker.run([*arguments, path])
        holds = done.returncode == 0 and end.exists() and end.read_bytes() == wanted
        checker.check(holds, [*arguments, path.name], f"{what}: {done.stderr}")

    real, link, chain, absolute = places / "real" / f"file.{ending}", *(places / f"{name}.{ending}" for name in ("link", "chain", "far"))
    link.symlink_to(f"real/file.{ending}")
    chain.symlink_to(link.name)
    absolute.symlink_to(real.resolve())
    for path in (link, chain, absolute):
        for contents in (None, b"of before"):
            real.unlink(missing_ok=True)
            if contents:
                real.write_bytes(contents)
                real.chmod(0o640)
            written("to a link", path, real)
            checker.check(path.is_symlink() and not real.is_symlink(), [*arguments, path.name], "the link is no more")
            if contents and real.exists():
                checker.check(real.stat().st_mode & 0o777 == 0o640, [*arguments, path.name], f"has mode {real.stat().st_mode:o}")
    long = places / f"{'x' * (254 - len(ending))}.{ending}"
    written("to a long name", long, long)
    pipe, got = places / f"pipe.{ending}", places / f"got.{ending}"
    os.mkfifo(pipe)
    with open(got, "wb") as file, subprocess.Popen(["cat", pipe], stdout=file) as reader:
        done = checker.run([*arguments, pipe])
        if done.returncode != 0:
            reader.kill()
    checker.check(done.returncode == 0 and got.read_bytes() == wanted and pipe.is_fifo(), [*arguments, "a pipe"], done.stderr)
    out = places / f"out.{ending}"
    out.symlink_to("/dev/stdout")
    done = subprocess.run([checker.program, *arguments, out], cwd=checker.folder, capture_output=True, check=False, timeout=60)
    checker.check(done.returncode == 0 and wanted in done.stdout and out.is_symlink(), [*arguments, "/dev/stdout"], done.stderr)


def check_refusals(checker, arguments, places, ending):
    loop, folder, kept, to_read = (places / f"{name}.{ending}" for name in ("loop", "folder", "kept", "read"))
    loop.symlink_to(loop.name)
    folder.mkdir()
    read = checker.folder / arguments[1]
    before = read.read_bytes()
    to_read.symlink_to(read)
    named = "is a file that is read" if arguments[0] == "compare" else "is the file that is read"
    refused = [(loop, "cannot create: Too many levels of symbolic links"), (folder, "cannot create: Is a directory"),
        (places / "none" / f"file.{ending}", "cannot create: No such file or directory"),
        (to_read, f"{named}: it would be written over")]
    kept.write_bytes(b"kept")
    kept.chmod(0o444)
    if not os.access(kept, os.W_OK):
        refused.append((kept, "cannot create: Permission denied"))
    for path, reason in refused:
        done = checker.run([*arguments, path])
        checker.check(done.returncode == 2 and done.stderr == f"widephase: {path}: {reason}\n", [*arguments, path.name],
            f"exit status {done.returncode}, {done.stderr!r}, not {reason!r}")
    checker.check(read.read_bytes() == before, arguments, "the file that is read has changed")
    checker.check(kept.read_bytes() == b"kept" or os.access(kept, os.W_OK), arguments, "a file that may not be written has changed")


def check_closed(checker, arguments, places, ending):
    """Whatever streams are closed, the file is the same, and no file has what was meant for a stream."""
    wanted, out = (places / f"plain.{ending}").read_bytes(), places / f"closed.{ending}"
    for streams in ((0,), (1,), (2,), (0, 1), (0, 2), (1, 2), (0, 1, 2)):
        if arguments[0] == "compare" and 1 in streams:
            continue
        out.unlink(missing_ok=True)
        command = [*arguments, str(out)]
        shell = f'exec "$@" {" ".join(f"{stream}>&-" for stream in streams)}'
        done = subprocess.run(["sh", "-c", shell, "sh", checker.program, *command], cwd=checker.folder, capture_output=True,
            check=False, timeout=60)
        holds = done.returncode == 0 and out.exists() and out.read_bytes() == wanted
        checker.check(holds, [*command, f"with {streams} closed"], f"exit status {done.returncode}, {done.stderr}")
        left = [path.name for path in places.iterdir() if path.name.startswith(".")]
        checker.check(not left, [*command, f"with {streams} closed"], f"leaves {left}")


def check_growth(checker, arguments, places, ending):
    """Where a file may not grow, the error names it, and what cook replaces as a whole is as it was."""
    def limit():
        import resource  # Windows has none

        resource.setrlimit(resource.RLIMIT_FSIZE, (64, 64))

    old = places / f"old.{ending}"
    old.write_bytes(b"of before")
    done = checker.run([*arguments, old], preexec_fn=limit, restore_signals=False)
    said = f"widephase: {old}: (offset \\d+: )?cannot write: File too large\n"
    checker.check(done.returncode == 2 and re.fullmatch(said, done.stderr), [*arguments, old.name], done.stderr)
    checker.check(arguments[0] != "cook" or old.read_bytes() == b"of before", [*arguments, old.name], "half a file")


def check_full(checker, name, *arguments):
    with open("/dev/full", "wb") as full:
        done = checker.run(arguments, stdout=full)
    check_lost(checker, name, arguments, done, "No space left on device", ">/dev/full")
    read_end, write_end = os.pipe()
    os.close(read_end)
    done = checker.run(arguments, stdout=write_end, restore_signals=False)
    os.close(write_end)
    check_lost(checker, name, arguments, done, "Broken pipe", "| true")
    done = subprocess.run(["sh", "-c", 'exec "$@" >&-', "sh", checker.program, *arguments], cwd=checker.folder, text=True,
        stderr=subprocess.PIPE, check=False, timeout=60)
    check_lost(checker, name, arguments, done, "Bad file descriptor", ">&-")


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
        check_mesh_options(checker)
        if meshes == "meshes":
            check_no_mesh(checker)
        if hasattr(os, "mkfifo"):
            check_writers(checker, meshes == "meshes")
        if os.path.exists("/dev/full"):
            check_output(checker)
    print("\n".join(checker.problems) or "the program names what it cannot read or write")
    return 1 if checker.problems else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
