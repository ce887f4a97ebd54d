#!/usr/bin/env python3
"""Checks that widephase-mpi writes the bytes of `widephase collide --out`, and says the same, whatever the number of
ranks, and that errors end all ranks with one sentence.

usage: check_mpi.py WIDEPHASE WIDEPHASE_MPI MPIRUN ROOT     ROOT is the source tree
"""

import os
import pathlib
import resource
import subprocess
import sys
import tempfile

from check_threads import CACHES, CHUNK, MOTIONS, counts_of, write

SECONDS = 120  # of one run, which takes one or two: beyond them it hangs
HEADER, PAIR = 24, 64  # bytes of a pair file
LIMIT = 12 << 20  # bytes of a disk that is full; MPI itself has files of some MiB

# Ranks on a machine of few cores, also for root, as in a container, where they may not read each other's memory.
# What MPI has not freed at the end is no leak of ours. A rank that waits lets others have its core.
ENVIRONMENT = {**os.environ, "OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_mpi_yield_when_idle": "1",
    "OMPI_MCA_btl_vader_single_copy_mechanism": "none", "ASAN_OPTIONS": "detect_leaks=0"}


class Checker:
    def __init__(self, program, parallel, mpirun, folder):
        self.program, self.parallel, self.mpirun, self.folder = program, parallel, mpirun, pathlib.Path(folder)
        self.problems, self.runs = [], 0

    def run(self, command):
        try:
            result = subprocess.run(command, capture_output=True, check=False, timeout=SECONDS, env=ENVIRONMENT)
        except subprocess.TimeoutExpired:
            return None, f"no end after {SECONDS} s"
        return result.returncode, result.stderr.decode()

    def ranks(self, count, *command):
        self.runs += 1
        return self.run([self.mpirun, "-n", str(count), *command])

    def same(self, path, *options, ranks=(1, 2, 3)):
        """The bytes, and the counts of the summary, of one process."""
        what = f"{pathlib.Path(path).name} {' '.join(options)}"
        one, many = self.folder / "one.csv", self.folder / "many.csv"
        code, said = self.run([self.program, "collide", path, *options, "--out", one])
        if code != 0:
            self.problems.append(f"{what}: collide ends with {code}: {said}")
            return
        for count in ranks:
            many.write_bytes(b"longer than any output of before\n" * 1000)
            other, other_said = self.ranks(count, self.parallel, path, *options, "--out", many)
            if other != 0:
                self.problems.append(f"{what}: {count} ranks end with {other}: {other_said}")
            elif many.read_bytes() != one.read_bytes():
                self.problems.append(f"{what}: {count} ranks write other bytes")
            elif counts_of(other_said) != counts_of(said):
                self.problems.append(f"{what}: {count} ranks say {other_said}, and collide {said}")

    def refused(self, sentence, *arguments, ranks=(3,), before=()):
        """All ranks end, one of them with the reason."""
        for count in ranks:
            code, said = self.ranks(count, *before, self.parallel, *arguments)
            lines = [line for line in said.splitlines() if line.startswith("widephase")]
            if code != 2 or len(lines) != 1 or sentence not in lines[0]:
                self.problems.append(f"{' '.join(map(str, arguments))}: {count} ranks end with {code}, not 2 and "
                    f"one '{sentence}':\n{said}")


def check_answers(checker, folder, data, cases):
    checker.same(data / "rec_wall.pairs")
    checker.same(data / "rec_meshes.pairs", "--query", "manifold", "--points", "8", "--max-separation", "0.1")
    checker.same(data / "rec_ragdoll.pairs", "--query", "distance", "--variant", "scalar", ranks=(2,))
    checker.same(data / "rec_ragdoll.pairs", "--threads", "2", ranks=(1, 2))
    checker.same(cases / "box_beside_a_cone.pairs")  # text, one pair
    for count in (0, 1, 2, 7):
        path = folder / f"{count}.pairs"
        write(path, count)
        checker.same(path, ranks=(3,))
    path = folder / "columns.pairs"
    write(path, 500, MOTIONS | CACHES)
    for query in ("contact", "cast", "depth-along"):
        checker.same(path, "--query", query, ranks=(3,))
    path = folder / "text.pairs"
    path.write_text("pairs text 1\nshape sphere 1 0 0 0\n" + "".join(
        f"pair 0 0 0 0 0 0 0 0 1 {1 + row / 10} 0 0 0 0 0 1\n"
        f"motion 0 0 0 0 0 0 1 {-row} 0 0 0 0 0 1\n" for row in range(20)), encoding="utf-8")
    checker.same(path, "--query", "cast", ranks=(3,))
    path = folder / "rounds.pairs"
    write(path, 2 * CHUNK + 100)
    checker.same(path)


def check_errors(checker, folder, data):
    whole = (data / "rec_wall.pairs").read_bytes()
    out, path = folder / "out.csv", folder / "damaged.pairs"
    path.write_bytes(whole[:-100])
    checker.refused("the header promises", path, "--out", out)
    path.write_bytes(whole[:HEADER - 1])
    checker.refused("the file ends here", path, "--out", out)
    path.write_bytes(b"")
    checker.refused("the file ends here", path, "--out", out)
    path.write_bytes(b"x" * 1000)
    checker.refused("not a pair file", path, "--out", out)
    path.write_bytes(whole[:-2 * PAIR] + b"\xff" * 4 + whole[-2 * PAIR + 4:])
    checker.refused("names shape 4294967295 as A", path, "--out", out)
    write(path, 4 * CHUNK, broken=3 * CHUNK + 3)
    checker.refused(f"pair {3 * CHUNK + 3} names shape 99 as A", path, "--out", out, ranks=(1, 2, 3))
    checker.refused("cannot open", folder / "none.pairs", "--out", out)
    wall = data / "rec_wall.pairs"
    checker.refused("cannot create", wall, "--out", folder / "none" / "out.csv")
    checker.refused("not a regular file", wall, "--out", "/dev/full")
    os.mkfifo(folder / "pipe.csv")
    checker.refused("not a regular file", wall, "--out", folder / "pipe.csv")
    write(path, 10)
    checker.refused("would be written over", path, "--out", folder / ".." / folder.name / path.name)
    checker.same(path)
    checker.refused("has no motions", wall, "--out", out, "--query", "cast")
    checker.refused("where to?", wall)

    # A disk that is full, as MPI sees it: where a file may not grow, nothing more is written.
    shapes = len(whole) - 4096 * PAIR - HEADER
    path.write_bytes(whole[:16] + (24 * 4096).to_bytes(4, "little") + whole[20:HEADER + shapes] +
        whole[HEADER + shapes:] * 24)
    checker.refused("cannot write", path, "--out", out, before=(sys.executable, __file__, "--full"))


def main(arguments):
    if arguments[:1] == ["--full"]:
        resource.setrlimit(resource.RLIMIT_FSIZE, (LIMIT, LIMIT))  # its signal is ignored, as Python has it
        os.execv(arguments[1], arguments[1:])
    if len(arguments) != 4:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    root = pathlib.Path(arguments[3])
    data, cases = root / "bench" / "data", root / "tests" / "cases"
    with tempfile.TemporaryDirectory() as folder:
        checker = Checker(*arguments[:3], folder)
        check_answers(checker, pathlib.Path(folder), data, cases)
        check_errors(checker, pathlib.Path(folder), data)
    print("\n".join(checker.problems) or f"{checker.runs} runs write and say what one process does")
    return 1 if checker.problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
