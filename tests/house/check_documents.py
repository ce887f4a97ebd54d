#!/usr/bin/env python3
"""Runs every block of code of the documents, or names the test that does, and checks their links and names of files.

usage: check_documents.py KEY=VALUE... DOCUMENT... -- COMPILER... -- C++-COMPILER...
       check_documents.py --self-test KEY=VALUE... -- COMPILER... -- C++-COMPILER...    check that each rule catches

keys  root      the top of the tree
      program   the program, widephase
      library   the library, to link
      cook      widephase-cook, to link; empty where it is not built
      bullet    widephase-bullet, to link; empty where it is not built
      dart      widephase-dart, in the same way
      mujoco    widephase-mujoco, in the same way
      mpi       widephase-mpi; empty where it is not built
      meshes    anything where the program reads meshes; else empty
      package   the folder that Python finds the package in; empty where it is not built
      python    the Python that it is for

Blocks of a document run one after the other in one folder, so one may go on with the files of another:

  c, cpp       compiled with all warnings as errors, read with Clang's too where there is one, and run; pair files that they
               write are answered and compared
  python       run; left out where the package is not built
  js           read by Node for its syntax; tests/web/package.test.mjs runs it in builds for WebAssembly
  sh           run, with `widephase` and `cc` of this build; but in src/package/README.md, whose blocks
               tests/install/check_install.py runs, and of the Python package, which check_pip.py beside it runs, and but scripts of the tree, which may install packages and take
               long: those .ci/run must run
  cmake, meson in that document alone
  (none)       what the program, or widephase-mpi, can be asked: all its commands, and options that its --help has

Another language, a block without an end, and one that is indented, which nothing would look at, are errors. So are a
README of more than README_WORD_MAX words, a README.md with blocks that is not among the documents, and links of the pages
in NOT_RUN that lead to nothing.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

README_WORD_MAX = 1000  # as wc -w counts: code and tables, too
PIP_DOCUMENT = "src/bindings/python/README.md"  # DOCUMENT of tests/install/check_pip.py, in tests/meson.build
INSTALLED_DOCUMENT = "src/package/README.md"  # DOCUMENT of tests/install/check_install.py, in tests/meson.build
# Links alone: news and figures, which name files of their time, commands of a measured build, which take long, and a picture.
NOT_RUN = ("NEWS.md", "bench/README.md", "bench/judge/README.md", "bench/judge/REPORTS.md", "bench/RESULTS.md", "bench/TRIED.md", "bench/data/README.md", "src/README.md", "tests/RESULTS.md")
WARNINGS = ("-Wall", "-Wextra", "-Wpedantic", "-Werror")
LANGUAGES = {"c", "cpp", "python", "js", "sh", "cmake", "meson", ""}
TREE_COMMAND = re.compile(r"(?:\.ci|bench|src|tests)/[\w./]+(?= |$)")
LINK = re.compile(r"\]\(([^)\s]+)\)")
FILE_NAME = re.compile(r"`((?:\.ci|bench|include|src|tests)/[\w./-]*)[^`]*`")
OPTION = re.compile(r"(?<![\w-])--[a-z][\w-]*")


class Block:
    def __init__(self, number, language, text):
        self.number, self.language, self.text = number, language, text


def blocks_of(text):
    """(the blocks, the lines outside of them, what is wrong with the fences)"""
    blocks, outside, problems = [], [], []
    fence, lines, before = None, [], ""
    for line in text.splitlines():
        if line.lstrip().startswith("```"):
            if fence is None:
                fence, lines = line.strip().removeprefix("```"), []
            else:
                blocks.append(Block(len(blocks) + 1, fence, "".join(f"{line}\n" for line in lines)))
                fence = None
        elif fence is not None:
            lines.append(line)
        else:
            if re.match(r"    |\t", line) and not before.strip():
                problems.append(f"a block that is indented: {line.strip()}")
            outside.append(line)
        before = line
    if fence is not None:
        problems.append("a block without an end")
    return blocks, outside, problems


def anchors(lines):
    """The names that headings have as the ends of links."""
    titles = (line.lstrip("#").strip() for line in lines if re.match(r"#+ ", line))
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}


def check_links(path, lines):
    """Links within the tree."""
    problems = []
    for target in LINK.findall("\n".join(lines)):
        if "://" in target:
            continue
        name, _, anchor = target.partition("#")
        other = (path.parent / name).resolve() if name else path
        if not other.exists():
            problems.append(f"no {target}")
        elif anchor and anchor not in anchors(blocks_of(other.read_text(encoding="utf-8"))[1]):
            problems.append(f"no heading for {target}")
    return problems


def check_names(lines, root):
    """Names of files of the tree."""
    return [f"no {name}" for name in FILE_NAME.findall("\n".join(lines)) if not (root / name).exists()]


class Place:
    """A folder in which the blocks of one document run, and what they find there."""

    def __init__(self, folder, document, build, compilers):
        self.folder, self.build, self.compilers = folder, build, compilers
        self.by_pip = document == (build["root"] / PIP_DOCUMENT).resolve()
        self.installed = document == (build["root"] / INSTALLED_DOCUMENT).resolve()
        tools = folder / ".tools"
        tools.mkdir()
        (tools / "widephase").symlink_to(build["program"])
        for name, command in zip(("cc", "c++"), compilers):
            found = " ".join(shutil.which(word) or word for word in command)
            (tools / name).write_text(f"#!/bin/sh\nexec {found} \"$@\"\n", encoding="utf-8")
            (tools / name).chmod(0o755)
        self.environment = {**os.environ, "PATH": f"{tools}:{os.environ['PATH']}", "PYTHONPATH": str(build["package"] or ""),
            "PYTHONDONTWRITEBYTECODE": "1"}

    def run(self, *command):
        done = subprocess.run([str(part) for part in command], cwd=self.folder, env=self.environment, capture_output=True,
            text=True, check=False)
        if done.returncode != 0:
            raise RuntimeError(f"exit status {done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout


def run_compiled(place, block):
    needs_bullet = "widephase/bullet.hpp" in block.text
    needs_dart = "widephase/dart.hpp" in block.text
    needs_mujoco = "widephase/mujoco.h" in block.text
    needs_cook = "widephase/cook.h" in block.text or needs_bullet or needs_dart or needs_mujoco
    if needs_bullet and not place.build["bullet"]:
        return "left out: this build has no widephase-bullet"
    if needs_dart and not place.build["dart"]:
        return "left out: this build has no widephase-dart"
    if needs_mujoco and not place.build["mujoco"]:
        return "left out: this build has no widephase-mujoco"
    if needs_cook and not place.build["cook"]:
        return "left out: this build has no widephase-cook"
    source = place.folder / f"main.{block.language}"
    source.write_text(block.text, encoding="utf-8")
    libraries, headers = [place.build["library"], "-lm", "-pthread"], []
    if needs_cook:
        libraries = [place.build["cook"], *place.run("pkg-config", "--libs", "qhull_r").split(), *libraries]
    if needs_bullet:
        headers = [flag.replace("-I", "-isystem") for flag in place.run("pkg-config", "--cflags", "bullet").split()]
        libraries = [place.build["bullet"], *libraries, *place.run("pkg-config", "--libs", "bullet").split()]
    if needs_dart:
        headers = [flag.replace("-I", "-isystem") for flag in place.run("pkg-config", "--cflags", "eigen3").split()]
        libraries = [place.build["dart"], *libraries, "-ldart", "-lfcl"]
    if needs_mujoco:
        libraries = [place.build["mujoco"], *libraries, "-lmujoco"]
    compiler, other, standard = ("cc", "clang", "-std=c17") if block.language == "c" else ("c++", "clang++", "-std=c++17")
    flags = [standard, *WARNINGS, f"-I{place.build['root'] / 'include'}", *headers]
    old = set(place.folder.glob("*.pairs"))
    place.run(compiler, *flags, source, "-o", "main", *libraries)
    if shutil.which(other) is not None:
        place.run(other, *flags, "-fsyntax-only", source)
    print(place.run(place.folder / "main"), end="")
    for pairs in sorted(set(place.folder.glob("*.pairs")) - old):
        place.run("widephase", "compare", pairs)
        queries = ["contact", "manifold"] + (["cast"] if "\nmotion " in pairs.read_text(encoding="utf-8") else [])
        for query in queries:
            answers = place.run("widephase", "collide", pairs, "--query", query).splitlines()
            print(f"{pairs.name}, {query}: {len(answers) - 1} rows")
    return "compiled and run"


def run_python(place, block):
    if not place.build["package"]:
        return "left out: this build has no Python package"
    if "Hull.cook(" in block.text and not place.build["cook"]:
        return "left out: this build makes no hulls"
    (place.folder / "main.py").write_text(block.text, encoding="utf-8")
    print(place.run(place.build["python"], "main.py"), end="")
    return "run"


def check_js(place, block):
    if shutil.which("node") is None:
        return "left out: no Node; run by tests/web/package.test.mjs"
    (place.folder / "main.mjs").write_text(block.text, encoding="utf-8")
    place.run("node", "--check", "main.mjs")
    return "read; run by tests/web/package.test.mjs"


def run_shell(place, block):
    commands = [TREE_COMMAND.match(line) for line in block.text.splitlines() if line and not line.startswith("#")]
    if place.installed:
        return "run by tests/install/check_install.py"
    if place.by_pip:
        return "run by tests/install/check_pip.py"
    if any(commands):
        for command in commands:
            name = command[0] if command else None
            if name is None or not os.access(place.build["root"] / name, os.X_OK):
                raise RuntimeError(f"{name or 'a command'}: no script of the tree, beside others that are")
            if name not in (place.build["root"] / ".ci" / "run").read_text(encoding="utf-8"):
                raise RuntimeError(f"{name}: .ci/run does not run it")
        return "scripts of the tree; run by .ci/run"
    if "widephase cook" in block.text and not place.build["meshes"]:
        return "left out: the program of this build reads no meshes"
    (place.folder / "main.sh").write_text(block.text, encoding="utf-8")
    print(place.run("sh", "-e", "main.sh"), end="")
    return "run"


def check_asked(place, block):
    """The options of each command, continued on lines that begin with blanks."""
    said = set()
    for line in re.findall(r"^\S(?:.|\n(?= ))*", block.text, re.MULTILINE):
        found = re.match(r"widephase (\w+)|mpirun -n \w+ (widephase-mpi)\b", line)
        if found is None:
            raise RuntimeError(f"not a command of the program: {line}")
        if found[2] and not place.build["mpi"]:
            return "left out: this build has no widephase-mpi"
        asked = [place.build["mpi"]] if found[2] else ["widephase", found[1]]
        unknown = set(OPTION.findall(line)) - set(OPTION.findall(place.run(*asked, "--help")))
        if unknown:
            raise RuntimeError(f"{found[0]} has no {', '.join(sorted(unknown))}")
        said |= {found[1]} - {None}
    known = set(re.findall(r"^  (\w+)  ", place.run("widephase", "--help"), re.MULTILINE))
    if said and said != known:
        raise RuntimeError(f"commands {', '.join(sorted(said ^ known))}: in the program or in the document, not in both")
    return "as --help says"


def check_block(place, block):
    if block.language not in LANGUAGES:
        raise RuntimeError("no rule for this language")
    if block.language in ("cmake", "meson"):
        if not place.installed:
            raise RuntimeError(f"outside of {INSTALLED_DOCUMENT}, where nothing runs it")
        return "run by tests/install/check_install.py"
    rules = {"c": run_compiled, "cpp": run_compiled, "python": run_python, "js": check_js, "sh": run_shell, "": check_asked}
    return rules[block.language](place, block)


def check_not_run(root):
    pages = {name: blocks_of((root / name).read_text(encoding="utf-8"))[1] for name in NOT_RUN}
    return [f"{name}: {problem}" for name, lines in pages.items() for problem in check_links((root / name).resolve(), lines)]


def name_of(path, build):
    root = build["root"].resolve()
    return path.relative_to(root) if root in path.parents else path.name


def check_length(path, text, root):
    count = len(text.split())
    if path == (root / "README.md").resolve() and count > README_WORD_MAX:
        return [f"{count} words, where {README_WORD_MAX} are the limit: other pages have room"]
    return []


def check_document(path, build, compilers):
    text = path.read_text(encoding="utf-8")
    blocks, lines, problems = blocks_of(text)
    problems += check_links(path, lines) + check_names(lines, build["root"]) + check_length(path, text, build["root"])
    with tempfile.TemporaryDirectory() as folder:
        place = Place(pathlib.Path(folder).resolve(), path, build, compilers)
        for block in blocks:
            what = f"{name_of(path, build)}, block {block.number} ({block.language or 'no language'})"
            try:
                print(f"{what}: {check_block(place, block)}", flush=True)
            except RuntimeError as error:
                problems.append(f"{what}: {error}")
    return len(blocks), [f"{name_of(path, build)}: {problem}" for problem in problems]


def forgotten(documents, root):
    """READMEs of folders whose blocks no test would run."""
    paths = (path.relative_to(root).as_posix() for top in ("bench", "include", "src", "tests")
        for path in (root / top).rglob("README.md"))
    listed = {path.relative_to(root).as_posix() for path in documents if root in path.parents}
    return [f"{path}: not among the documents" for path in sorted(set(paths) - listed - set(NOT_RUN))
        if "```" in (root / path).read_text(encoding="utf-8")]


# What must not pass, and a word of its report.
WRONG = {
    "```c\nint main(void) { return 1; }\n```\n": "exit status 1",
    "```cpp\nint main() { unused; }\n```\n": "unused",
    "```c\nint main(void) { return 0; };\n```\n": "outside of a function",
    "```sh\ntrue\nfalse\n```\n": "exit status 1",
    "```sh\nbench/run\nls\n```\n": "no script",
    "```sh\nbench/measure\n```\n": "does not run it",
    "```cmake\nproject(main)\n```\n": "outside",
    "```rust\nfn main() {}\n```\n": "no rule",
    "```\nwidephase collide --nonsense\n```\n": "--nonsense",
    "```\nwidephase collide\n```\n": "not in both",
    "```\nls\n```\n": "not a command",
    "```c\nint main(void) {}\n": "without an end",
    "Look:\n\n    bench/run\n": "indented",
    "[text](nowhere.md)\n": "nowhere.md",
    "[text](#nowhere)\n\n# Somewhere\n": "no heading",
    "In `tests/nowhere.c`.\n": "tests/nowhere.c",
}


# What Clang alone warns of.
if shutil.which("clang") is not None:
    WRONG["```c\nstruct { struct { int data, stride; } column; } a = {.column = {1}};\nint main(void) { return a.column.stride; }\n```\n"] = \
        "missing field"


def self_test(build, compilers):
    missed = []
    for text, word in WRONG.items():
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "wrong.md"
            path.write_text(text, encoding="utf-8")
            found = "\n".join(check_document(path, build, compilers)[1])
            if word not in found:
                missed.append(f"not caught: {text!r}: {found}")
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder).resolve()
        (root / "README.md").write_text("word " * (README_WORD_MAX + 1), encoding="utf-8")
        if not check_document(root / "README.md", {**build, "root": root}, compilers)[1]:
            missed.append(f"not caught: a README of {README_WORD_MAX + 1} words")
        (root / "src").mkdir()
        (root / "src" / "README.md").write_text("", encoding="utf-8")
        (root / "src" / "new").mkdir()
        (root / "src" / "new" / "README.md").write_text("```sh\nfalse\n```\n", encoding="utf-8")
        if forgotten([root / "README.md"], root) != ["src/new/README.md: not among the documents"]:
            missed.append("not caught: a README that is not among the documents")
    print("\n".join(missed) or f"{len(WRONG) + 2} mistakes are caught")
    return 1 if missed else 0


def main(arguments):
    first = arguments.index("--")
    second = arguments.index("--", first + 1)
    compilers = arguments[first + 1:second], arguments[second + 1:]
    build = dict(argument.split("=", 1) for argument in arguments[:first] if "=" in argument)
    build = {key: pathlib.Path(value).absolute() if value else None for key, value in build.items()}
    if arguments[0] == "--self-test":
        return self_test(build, compilers)
    documents = [pathlib.Path(name).resolve() for name in arguments[:first] if "=" not in name]
    count, problems = 0, forgotten(documents, build["root"].resolve()) + check_not_run(build["root"])
    for path in documents:
        blocks, found = check_document(path, build, compilers)
        count += blocks
        problems += found
    if problems or count == 0:
        sys.exit("\n".join(problems) or "no blocks")
    print(f"{count} blocks of {len(documents)} documents")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
