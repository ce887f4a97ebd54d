#!/usr/bin/env python3
"""Checks the command lines of the program: help, abbreviations, and errors that name the argument.

usage: check_options.py WIDEPHASE

MESON_EXE_WRAPPER, if it is set, is the command that runs the program.
"""

import os
import re
import shlex
import subprocess
import sys

COMMANDS = ("collide", "cook", "compare", "draw", "time", "info")

QUERIES = "overlap, distance, contact, manifold, cast or depth-along"
VARIANTS = "auto, scalar, sse2, avx2, avx512, neon, wasm"

# Arguments, and what standard error has of them.
WRONG = [
    ([], ["which command?"]),
    (["bogus"], ["unknown command 'bogus'; there are collide, cook, compare, draw, time and info"]),
    (["help"], ["unknown command 'help'; there are collide, cook, compare, draw, time and info"]),
    (["--nix"], ["nix"]),
    (["collide"], ["which pair file, or which two shapes?"]),
    (["collide", "a", "b", "c"], ["one pair file, or two shapes"]),
    (["collide", "a", "--nix"], ["nix"]),
    (["collide", "a", "-x"], ["x"]),
    (["collide", "--pose", "1,2,3", "a", "b"], ["ambiguous", "pose"]),
    (["collide", "a", "--points"], ["argument", "points"]),
    (["collide", "a", "--points=9"], ["--points is 1 to 8, not '9'"]),
    (["collide", "a", "--points", "-1"], ["--points is 1 to 8, not '-1'"]),
    (["collide", "a", "--points=2x"], ["--points is 1 to 8, not '2x'"]),
    (["collide", "a", "--points", " 4"], ["--points is 1 to 8, not ' 4'"]),
    (["collide", "a", "--points", "+4"], ["--points is 1 to 8, not '+4'"]),
    (["collide", "a", "--points", "0x4"], ["--points is 1 to 8, not '0x4'"]),
    (["collide", "a", "--points", "18446744073709551617"], ["--points is 1 to 8, not '18446744073709551617'"]),
    (["collide", "a", "--threads", "18446744073709551617"], ["--threads is 1 to 256, or all, not '18446744073709551617'"]),
    (["collide", "a", "--threads", " 2"], ["--threads is 1 to 256, or all, not ' 2'"]),
    (["collide", "a", "--threads", "+2"], ["--threads is 1 to 256, or all, not '+2'"]),
    (["draw", "a", "--pair", "-0"], ["--pair is 0 to 4294967295, not '-0'"]),
    (["draw", "a", "--pair", "1e1"], ["--pair is 0 to 4294967295, not '1e1'"]),
    (["collide", "a", "--max-separation", " 1"], ["--max-separation is a number from 0 to inf, not ' 1'"]),
    (["collide", "a", "--max-separation", "1e39"], ["--max-separation is a number from 0 to inf, not '1e39'"]),
    (["collide", "a", "--max-separation", "nan"], ["--max-separation is a number from 0 to inf, not 'nan'"]),
    (["draw", "a", "--pair="], ["--pair is 0 to 4294967295, not ''"]),
    (["collide", "a", "--threads", "many"], ["--threads is 1 to 256, or all, not 'many'"]),
    (["collide", "a", "--query", "nothing"], [f"--query is {QUERIES}, not 'nothing'"]),
    (["draw", "a", "--query", "nothing"], [f"--query is {QUERIES}, not 'nothing'"]),
    (["time", "a", "--query", "nothing"], ["--query is overlap, distance, manifold or contact, not 'nothing'"]),
    (["collide", "a", "-v", "mmx"], [f"--variant is {VARIANTS} or reference, not 'mmx'"]),
    (["collide", "a", "--variant", "avx"], [f"--variant is {VARIANTS} or reference, not 'avx'"]),
    (["draw", "a", "--variant", "AVX2"], [f"--variant is {VARIANTS} or reference, not 'AVX2'"]),
    (["time", "a", "--variant", ""], [f"--variant is {VARIANTS}, reference or all, not ''"]),
    (["collide", "a", "--max-separation", "-1"], ["--max-separation is a number from 0 to inf, not '-1'"]),
    (["collide", "a", "b", "--pose-a", "1,2"], ["--pose-a is X,Y,Z or X,Y,Z,QX,QY,QZ,QW, of numbers up to 1e30 and no quaternion of zeros, not '1,2'"]),
    (["collide", "a", "--pose-b=1,2,3"], ["--pose-a and --pose-b go with two shapes"]),
    (["collide", "a", "b", "--out", "c"], ["--out goes with a pair file"]),
    (["collide", "a", "--points", "1"], ["--points goes with --query manifold"]),
    (["collide", "a", "--points", "8"], ["--points goes with --query manifold"]),
    (["collide", "a", "b", "--two-sided"], ["--two-sided, --ghosts and --soup go with a pair file that has meshes"]),
    (["collide", "a", "b", "--ghosts"], ["--two-sided, --ghosts and --soup go with a pair file that has meshes"]),
    (["collide", "a", "b", "--soup"], ["--two-sided, --ghosts and --soup go with a pair file that has meshes"]),
    (["draw", "a", "--pair", "0", "--query", "cast", "--soup"], ["--two-sided, --ghosts and --soup go with --query contact or manifold"]),
    (["time", "a", "--variant", "reference", "--ghosts"], ["the reference answers no meshes, for which --two-sided, --ghosts and --soup are"]),
    (["collide", "a", "--query", "overlap", "--max-separation", "inf"], ["--max-separation goes with --query contact or manifold"]),
    (["cook"], ["which mesh?"]),
    (["cook", "a"], ["where to? --out HULL.wph"]),
    (["compare"], ["which pair file?"]),
    (["compare", "a", "b", "c"], ["one pair file and one truth file at a time"]),
    (["draw", "a"], ["which pair? --pair N"]),
    (["draw", "a", "--pair", "4294967296"], ["--pair is 0 to 4294967295, not '4294967296'"]),
    (["time", "a", "b"], ["one pair file at a time"]),
    (["time", "a", "--query", "cast"], ["--query cast is not timed"]),
    (["cook", "a", "--mesh"], ["where to? --out MESH.wpm"]),
    (["cook", "a", "-g", "--out", "a.wph"], ["'a.wph' does not end in .wpm"]),
    (["cook", "a", "--out", "a.wpm"], ["'a.wpm' does not end in .wph"]),
    (["cook", "a", "--mesh", "--out", "a.wpm", "--max-vertices", "8"], ["--max-vertices is for hulls, not for --mesh"]),
    (["info", "a", "b"], ["one mesh at a time"]),
]

# Arguments that are read, so that the file is what is wrong.
READ = [["draw", "a", "--pair", "010"], ["collide", "a", "--threads", "08"], ["collide", "a", "--max-separation", "inf"],
    ["collide", "a", "--max-separation", "0x1p-6"], ["collide", "a", "--max-separation", "1e-50"],
    ["collide", "a", "--query", "manifold", "--points", "08"]]

# Arguments that are right, and what standard output begins with.
RIGHT = [
    (["--version"], r"widephase \d+\.\d+\.\d+\n$"),
    (["-V"], r"widephase \d"),
    (["--vers"], r"widephase \d"),
    (["collide", "a", "--version"], r"widephase \d"),
    (["info"], r"widephase \d[^\n]*\n\nvariant"),
    (["--", "info"], r"widephase \d"),
    (["-h"], r"Usage: widephase \[OPTION\.\.\.\] COMMAND"),
    (["collide", "-h"], r"Usage: widephase collide \[OPTION\.\.\.\] FILE\.pairs\n  or:  widephase collide \[OPTION\.\.\.\] A B\n"),
    (["compare", "-h"], r"(?s)Usage: .*\n\nExit code 1 when the contract is broken, 2 on errors\.\n$"),
    (["time", "-h"], r"(?s)Usage: .*\n  -h, --help                 print this help\n"),
    (["collide", "-h"], r"(?s)Usage: .*\n  -a, --pose-a=X,Y,Z\[,QX,QY,QZ,QW\]\n {29}of two shapes"),
    (["collide", "--usage"], r"Usage: widephase collide \[--query=Q\] \[--variant=V\] "),
]


class Checker:
    def __init__(self, program):
        wrapper = shlex.split(os.environ.get("MESON_EXE_WRAPPER", ""))
        self.emulated = bool(wrapper)
        self.command = [*wrapper, program]
        self.problems = []

    def run(self, arguments):
        """Code, output and errors. Wine was seen to lose what a program prints, once in thousands of runs: as each command
        line here prints something, one that an emulator ran in silence is run again."""
        for _ in range(2 if self.emulated else 1):
            done = subprocess.run([*self.command, *arguments], capture_output=True, text=True, check=False)
            if done.stdout or done.stderr:
                break
        return done.returncode, done.stdout, done.stderr

    def check(self, holds, arguments, answer):
        if not holds:
            self.problems.append(f"widephase {' '.join(arguments)}: {answer}")

    def check_wrong(self, arguments, words):
        answer = code, out, said = self.run(arguments)
        told = ["widephase", "--help", *words]
        self.check(code == 2 and not out and all(word in said for word in told), arguments, answer)

    def check_right(self, arguments, pattern):
        answer = code, out, _ = self.run(arguments)
        self.check(code == 0 and re.match(pattern, out) is not None, arguments, answer)

    def check_help(self, command):
        """No line is too long, or ends before a word that fits, and the usage has the options of the help."""
        told, used = self.run([command, "--help"]), self.run([command, "--usage"])
        help_text, usage = told[1], used[1]
        options = re.findall(r"^  (?:-\w, |    )(--[\w-]+(?:=\S+)?)", help_text, re.MULTILINE)
        self.check(told[0] == 0 and "--help" in options, [command, "--help"], told)
        self.check(used[0] == 0 and re.findall(r"\[(--\S+)\](?=\s)", usage) == options, [command, "--usage"], used)
        lines = help_text.splitlines()
        for line, after in zip(lines, lines[1:]):
            goes_on = line[28:29] == " " and after.startswith(" " * 29)
            self.check(not goes_on or len(line) + 1 + len(after.split()[0]) >= 80, [command, "--help"], line)
        for line in (help_text + usage).splitlines():
            self.check(len(line) < 80, [command, "--help"], line)


    def check_names(self):
        """Errors name what there is: each name is one, and each variant has a name."""
        for name in re.split(", | or ", QUERIES):
            code, _, said = self.run(["collide", "a", "--query", name])
            self.check(code == 2 and "--query is" not in said, ["collide", "a", "--query", name], said)
        info = self.run(["info"])[1].split("lanes\n")[1].split("\n\n")[0]
        named = VARIANTS.split(", ")[1:] + ["reference"]
        self.check([line.split()[0] for line in info.splitlines()] == named, ["info"], info)

    def check_commands(self):
        """The error of an unknown command names those that the help describes."""
        described = re.findall(r"^  (\w+) ", self.run(["--help"])[1], re.MULTILINE)
        self.check(sorted(described) == sorted(COMMANDS), ["--help"], described)


def main(arguments):
    if len(arguments) != 1:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    checker = Checker(arguments[0])
    for given, words in WRONG:
        checker.check_wrong(given, words)
    for given in READ:
        checker.check(checker.run(given) == (2, "", "widephase: a: cannot open: No such file or directory\n"), given, checker.run(given))
    for given, pattern in RIGHT:
        checker.check_right(given, pattern)
    for command in COMMANDS:
        checker.check_help(command)
    checker.check_names()
    checker.check_commands()
    print("\n".join(checker.problems) or "the command lines are as expected")
    return 1 if checker.problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
