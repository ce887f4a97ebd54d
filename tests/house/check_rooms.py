#!/usr/bin/env python3
"""Checks src/README.md, the page that shows the way of a pair, against the code.

usage: check_rooms.py ROOT COMPILER...                check the page of the source tree at ROOT
       check_rooms.py --self-test ROOT COMPILER...    check that every rule catches a violation

The page has three forms, and nothing in backticks has another:

  `name` (file)       a function, struct, union, enum, enumerator or macro that this file defines, not one that it declares
  `folder/file`       a file or folder, which exists; folders end in a slash
  `expression` = 96   what the compiler finds the same, with the headers of HEADERS

In the picture, which is in a block of code, the first form has no backticks. Files are as seen from src, or from the top of
the tree. No other number stands on the page. It names each folder of src and of src/wide, and is short.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

PAGE = "src/README.md"
LINE_MAX = 150
PICTURE_COLUMN_MAX = 100
HEADERS = ("batch/read.h", "batch/workspace.h", "batch/write.h", "widephase/mesh_track.h", "widephase/compound_track.h")

BLOCK = re.compile(r"^```\n(.*?)^```\n", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\[[^\]]*\]\(([^)]+)\)")
NAMED = re.compile(r"(?:`(\w+)`|\b(\w+)) \(([\w./-]+\.\w+)\)")
SPAN = re.compile(r"`([^`]*)`( \([\w./-]+\.\w+\)| = \d+\b)?")
PATH = re.compile(r"[\w.-]+/|(?:[\w.-]+/)+[\w.-]+/?")
NUMBER = re.compile(r"(?<![\w.])\d+\b")
LIBRARY_NAME = re.compile(r"\b(?:wp|wp2d|WP|WP2D)_\w+")


def is_function(text, name):
    """Whether a function of this name has a body here: `name(` on a line that is not indented, and `{` behind its brackets."""
    for match in re.finditer(rf"^[A-Za-z][^\n;={{]*?\b{name}\(", text, re.MULTILINE):
        depth, at = 1, match.end()
        while depth != 0 and at < len(text):
            depth += {"(": 1, ")": -1}.get(text[at], 0)
            at += 1
        if text[at:].lstrip().startswith("{"):
            return True
    return False


def defines(text, name):
    kinds = "struct|union|enum"
    return (is_function(text, name)
        or re.search(rf"^(?:typedef )?(?:{kinds}) {name} {{", text, re.MULTILINE) is not None
        or re.search(rf"^[ \t]*#[ \t]*define {name}\b", text, re.MULTILINE) is not None
        or re.search(rf"^\t{name}\b(?: = [^,\n]*)?,?(?: */\*.*)?$", text, re.MULTILINE) is not None)


class Checker:
    def __init__(self, root, compiler):
        self.root = pathlib.Path(root)
        self.compiler = compiler
        self.problems = []
        self.values = []

    def find(self, name):
        """The file or folder that a path means, or None."""
        for folder in (self.root / "src", self.root):
            path = folder / name
            if path.is_dir() if name.endswith("/") else path.is_file():
                return path
        return None

    def check_name(self, name, file):
        path = self.find(file)
        if path is None:
            self.problems.append(f"{file}: no such file")
        elif not defines(path.read_text(encoding="utf-8"), name):
            self.problems.append(f"{name}: not defined in {file}")

    def check_picture(self, picture):
        for line in picture.splitlines():
            if len(line) > PICTURE_COLUMN_MAX:
                self.problems.append(f"more than {PICTURE_COLUMN_MAX} columns: {line}")
        self.check_named(picture)

    def check_named(self, text):
        for quoted, bare, file in NAMED.findall(text):
            self.check_name(quoted or bare, file)
        for name in LIBRARY_NAME.findall(NAMED.sub("", text)):
            self.problems.append(f"{name}: without its file")

    def check_text(self, text):
        for match in SPAN.finditer(text):
            span, behind = match.group(1), match.group(2) or ""
            if behind.startswith(" ="):
                self.values.append((span, behind.removeprefix(" = ")))
            elif PATH.fullmatch(span):
                if self.find(span) is None:
                    self.problems.append(f"{span}: no such file or folder")
            elif not behind:
                self.problems.append(f"`{span}`: neither a path, nor a name with its file, nor a value")
        rest = SPAN.sub("", LINK.sub("", NAMED.sub("", text)))
        self.problems += [f"{number}: a number that nothing holds" for number in NUMBER.findall(rest)]
        self.check_named(SPAN.sub(lambda match: match.group(0) if (match.group(2) or "").startswith(" (") else "", text))

    def check_links(self, text):
        for target in LINK.findall(text):
            if not (self.root / "src" / target).exists():
                self.problems.append(f"{target}: a link to nothing")

    def check_folders(self, text):
        for parent in ("src", "src/wide"):
            for path in sorted((self.root / parent).iterdir()):
                name = path.relative_to(self.root / "src").as_posix() + "/"
                if path.is_dir() and path.name != "__pycache__" and f"`{name}`" not in text:
                    self.problems.append(f"{name}: a folder that the page does not name")

    def accepts(self, values):
        lines = ["#include <stddef.h>", *(f'#include "{header}"' for header in HEADERS)]
        lines += [f'_Static_assert(({expression}) == {value}, "");' for expression, value in values]
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "value.c"
            path.write_text("\n".join(lines) + "\n", encoding="utf-8")
            command = [*self.compiler, "-std=gnu17", "-fsyntax-only", f"-I{self.root / 'include'}", f"-I{self.root / 'src'}", path]
            return subprocess.run(command, check=False, capture_output=True).returncode == 0

    def check_values(self):
        if not self.accepts(self.values):
            wrong = [(expression, value) for expression, value in self.values if not self.accepts([(expression, value)])]
            self.problems += [f"{expression}: not {value}" for expression, value in wrong]

    def run(self, page):
        if page.count("\n") > LINE_MAX:
            self.problems.append(f"more than {LINE_MAX} lines")
        pictures = BLOCK.findall(page)
        if len(pictures) != 1:
            self.problems.append(f"{len(pictures)} pictures, not one")
        text = BLOCK.sub("", page)
        for picture in pictures:
            self.check_picture(picture)
        self.check_text(text)
        self.check_links(text)
        self.check_folders(text)
        self.check_values()
        return self.problems


# What is put at the end of the page, or in the place of a part of it, and what the report must contain.
VIOLATIONS = [
    (None, "`batch/none.c`", "batch/none.c: no such file or folder"),
    (None, "`nowhere/`", "nowhere/: no such file or folder"),
    (None, "`batch/run.c/`", "batch/run.c/: no such file or folder"),
    (None, "`wp_run_batch` (batch/none.c)", "batch/none.c: no such file"),
    (None, "`wp_run_batch` (batch/run.h)", "wp_run_batch: not defined in batch/run.h"),
    (None, "`wp_run_batch` (motion/advance.c)", "wp_run_batch: not defined in motion/advance.c"),
    (None, "`wp_workspace` (include/widephase/workspace.h)", "wp_workspace: not defined in include/widephase/workspace.h"),
    (None, "`WP_JOB_STRONG` (batch/write.c)", "WP_JOB_STRONG: not defined in batch/write.c"),
    (None, "`WP_LANE_ROW_MAX` (job/job.h)", "WP_LANE_ROW_MAX: not defined in job/job.h"),
    (None, "`wp_run_batch`", "`wp_run_batch`: neither a path, nor a name with its file, nor a value"),
    (None, "`some words`", "`some words`: neither a path, nor a name with its file, nor a value"),
    (None, "wp_run_batch", "wp_run_batch: without its file"),
    (None, "`sizeof(wp_row)` = 57", "sizeof(wp_row): not 57"),
    (None, "`sizeof(wp_none)` = 56", "sizeof(wp_none): not 56"),
    (None, "56 bytes", "56: a number that nothing holds"),
    (None, "[page](../NONE.md)", "../NONE.md: a link to nothing"),
    (None, "\n" * LINE_MAX, f"more than {LINE_MAX} lines"),
    (None, "```\na second one\n```", "2 pictures, not one"),
    (BLOCK, "", "0 pictures, not one"),
    (re.compile(r"^```\n", re.MULTILINE), "```\n" + PICTURE_COLUMN_MAX * "-" + ">\n",
        f"more than {PICTURE_COLUMN_MAX} columns: " + PICTURE_COLUMN_MAX * "-" + ">"),
    (re.compile(r"^```\n", re.MULTILINE), "```\nwp_none (batch/run.c)\n", "wp_none: not defined in batch/run.c"),
    (re.compile(r"^```\n", re.MULTILINE), "```\nwp_none\n", "wp_none: without its file"),
    (re.compile(r"^\| `motion/` .*\n", re.MULTILINE), "", "motion/: a folder that the page does not name"),
    (re.compile(r"^\| `wide/closed/` .*\n", re.MULTILINE), "", "wide/closed/: a folder that the page does not name"),
]


def self_test(root, compiler):
    page = (pathlib.Path(root) / PAGE).read_text(encoding="utf-8")
    own = Checker(root, compiler).run(page)
    failures = []
    for part, text, expected in VIOLATIONS:
        changed = page + text + "\n" if part is None else part.sub(lambda match, text=text: text, page, count=1)
        problems = [problem for problem in Checker(root, compiler).run(changed) if problem not in own]
        if problems != [expected]:
            failures.append(f"not {expected!r} alone for {text!r}: {problems}")
    print("\n".join(failures) or f"{len(VIOLATIONS)} violations caught")
    return 1 if failures else 0


def main(arguments):
    if arguments[:1] == ["--self-test"] and len(arguments) >= 3:
        return self_test(arguments[1], arguments[2:])
    if len(arguments) < 2 or arguments[0].startswith("-"):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    page = (pathlib.Path(arguments[0]) / PAGE).read_text(encoding="utf-8")
    problems = Checker(arguments[0], arguments[1:]).run(page)
    print("\n".join(problems) or "the page holds")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
