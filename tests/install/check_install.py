#!/usr/bin/env python3
"""Installs a build, moves it elsewhere, and builds and runs users of it by the commands that a document shows.

usage: check_install.py DOCUMENT BUILD SOURCE cook|no-cook bullet|no-bullet dart|no-dart mujoco|no-mujoco program|no-program -- MESON... -- COMPILER... -- C++-COMPILER...

The document has the commands: blocks of sh for the installation (of which the build is there already), with pkg-config and
for the drop-in, one of cmake and one of meson. They build tests/install/consumers/main.c and main.cpp, which check an exact
answer, and bullet.cpp, dart.cpp and mujoco.c of tests/examples. If a tool is missing, its consumer is left out with a message; if none is, every block must have been used.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

# Libraries for users of an engine, each with an example of its name.
ENGINES = {"bullet": "bullet.cpp", "dart": "dart.cpp", "mujoco": "mujoco.c"}

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class Place:
    """A temporary folder, the installation in it, and what all commands find there."""

    def __init__(self, folder, document, source, cook, engines, compilers):
        self.folder = folder
        self.source = source
        self.consumers = source / "tests" / "install" / "consumers"
        self.cook = cook
        self.engines = {name: source / "tests" / "examples" / ENGINES[name] for name in engines}
        self.blocks = BLOCK.findall(document.read_text(encoding="utf-8"))
        self.used = set()
        # The document says cc and c++.
        tools = folder / "tools"
        tools.mkdir()
        for name, command in zip(("cc", "c++"), compilers):
            found = " ".join(shutil.which(word) or word for word in command)  # by its place: this folder comes first
            (tools / name).write_text(f"#!/bin/sh\nexec {found} \"$@\"\n", encoding="utf-8")
            (tools / name).chmod(0o755)
        self.environment = {**os.environ, "PATH": f"{tools}:{os.environ['PATH']}", "CC": "cc", "CXX": "c++"}
        for name in ("DESTDIR", "CFLAGS", "CXXFLAGS", "LDFLAGS"):
            self.environment.pop(name, None)
        # Where meson is, ninja is; make may not be.
        if shutil.which("ninja"):
            self.environment["CMAKE_GENERATOR"] = "Ninja"

    def block(self, language, word):
        for found, text in self.blocks:
            if found == language and word in text:
                self.used.add(text)
                return text
        return sys.exit(f"no block of {language} with {word}")

    def run(self, folder, *command):
        done = subprocess.run([str(part) for part in command], cwd=folder, env=self.environment, capture_output=True,
            text=True, check=False)
        if done.returncode != 0:
            sys.exit(f"{' '.join(str(part) for part in command)}: exit status {done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout

    def install(self, meson, build, program):
        """Staged by DESTDIR, then moved to another folder."""
        stage = self.folder / "stage"
        command = self.block("sh", "meson install").strip().partition(" && ")[2]
        if not command.startswith("meson install") or not command.endswith("-C build"):
            sys.exit(f"not how to install: {command}")
        options = command.removeprefix("meson").removesuffix("build").split()
        self.run(build, *meson, *options, build, "--no-rebuild", "--destdir", stage)
        prefix = next(stage.rglob("include/widephase/base.h")).parent.parent.parent
        self.prefix = self.folder / "moved"
        prefix.rename(self.prefix)
        libraries = next(self.prefix.rglob("libwidephase.*")).parent
        self.static = (libraries / "libwidephase.a").is_file()
        self.shared = (libraries / "libwidephase.so").exists()
        # Programs name the series that they need: the minor version below 1.0, from then on the major version.
        base = (self.prefix / "include" / "widephase" / "base.h").read_text(encoding="utf-8")
        major, minor = (re.search(rf"#define WP_VERSION_{part} (\d+)", base)[1] for part in ("MAJOR", "MINOR"))
        self.series = f"0.{minor}" if major == "0" else major
        self.environment["PKG_CONFIG_PATH"] = str(libraries / "pkgconfig")
        self.environment["LD_LIBRARY_PATH"] = str(libraries)
        self.environment["CMAKE_PREFIX_PATH"] = str(self.prefix)
        if program:
            print(self.run(self.folder, self.prefix / "bin" / "widephase", "info").splitlines()[0])

    def consumer(self, name, *files):
        folder = self.folder / name
        folder.mkdir()
        for file in files:
            shutil.copy(file, folder)
        return folder


def has_archives(place):
    """Whether a program can be linked with all of widephase-cook statically."""
    return place.cook and place.static and place.shared and subprocess.run(
        ["pkg-config", "--exists", "qhullstatic_r"], check=False).returncode == 0


def by_pkg_config(place):
    folder = place.consumer("pkg-config", place.consumers / "main.c")
    place.run(folder, "sh", "-e", "-c", place.block("sh", "pkg-config"))
    print(place.run(folder, "./main"), end="")
    if place.shared and f"\0libwidephase.so.{place.series}\0".encode() not in (folder / "main").read_bytes():
        sys.exit(f"a program does not ask for libwidephase.so.{place.series}")
    if place.cook:
        place.run(folder, "sh", "-e", "-c", place.block("sh", "pkg-config").replace("libs widephase", "libs widephase-cook")
            .replace("cc ", "cc -DHAVE_COOK "))
        print(place.run(folder, "./main"), end="")
    if has_archives(place):
        place.run(folder, "sh", "-e", "-c", place.block("sh", "pkg-config").replace("--libs widephase", "--static --libs widephase-cook")
            .replace("cc ", "cc -static -DHAVE_COOK "))
        print(place.run(folder, "env", "-u", "LD_LIBRARY_PATH", "./main"), end="")
    for name, example in place.engines.items():
        folder = place.consumer(f"pkg-config-{name}", example)
        place.run(folder, "sh", "-e", "-c", place.block("sh", "pkg-config").replace("libs widephase", f"libs widephase-{name}")
            .replace("cc main.c", f"cc {example.name}" if example.suffix == ".c" else f"c++ -std=c++17 {example.name}"))
        print(place.run(folder, "./main"), end="")
        if place.shared and f"\0libwidephase-{name}.so.{place.series}\0".encode() not in (folder / "main").read_bytes():
            sys.exit(f"a program does not ask for libwidephase-{name}.so.{place.series}")


def by_cmake(place):
    block = place.block("cmake", "find_package")
    static = block.replace("::widephase)", "::widephase_static)").replace("(main ", "(main_static ")
    cook = block.replace("REQUIRED", "REQUIRED COMPONENTS cook").replace("::widephase)", "::cook)")
    text = "cmake_minimum_required(VERSION 3.16)\nproject(main C CXX)\nset(CMAKE_CXX_STANDARD 17)\n"
    programs = {"main": block}
    if place.static:
        programs["main_static"] = static
    if place.cook:
        programs["main_cook"] = cook.replace("(main ", "(main_cook ")
    if place.cook and place.static:
        programs["main_cook_static"] = cook.replace("(main ", "(main_cook_static ").replace("::cook)", "::cook_static)")
    # It needs nothing of the shared library itself: the linker need not name it.
    if place.cook and place.static and place.shared:
        programs["main_mixed_cook"] = cook.replace("(main ", "(main_mixed_cook ").replace("::cook)",
            "::cook widephase::widephase_static)") + "target_link_options(main_mixed_cook PRIVATE -Wl,--as-needed)\n"
    sources = {}
    for engine, example in place.engines.items():
        lines = block.replace("REQUIRED", f"REQUIRED COMPONENTS {engine}").replace("::widephase)", f"::{engine})")
        programs[f"main_{engine}"] = lines.replace("(main ", f"(main_{engine} ")
        sources[f"main_{engine}"] = example.name
        if place.static:
            programs[f"main_{engine}_static"] = programs[f"main_{engine}"].replace(f"main_{engine}", f"main_{engine}_static") \
                .replace(f"::{engine})", f"::{engine}_static)")
            # They differ in what is linked alone.
            sources[f"main_{engine}_static"] = f"$<TARGET_OBJECTS:main_{engine}>"
    for name, lines in programs.items():
        text += f"add_executable({name} {sources.get(name, 'main.cpp')})\n{lines}"
        text += f"target_compile_definitions({name} PRIVATE HAVE_COOK)\n" if "cook" in name else ""
    # Ranges hold the version, or not.
    for right in ("0.1...0.1.0", "0.1...<0.2", "0.0.5...9"):
        text += f"find_package(widephase {right} REQUIRED)\n"
    # What is not there must not be found: other versions, other components.
    for wrong in ("9.0", "0.0.1", "0.2", "0.0.5...<0.1.0", "0.0.1...0.0.9", "0.2...0.3", "0.1 COMPONENTS nonsense") + (() if place.cook else ("0.1 COMPONENTS cook",)) \
            + tuple(f"0.1 COMPONENTS {engine}" for engine in ENGINES if engine not in place.engines):
        text += f"find_package(widephase {wrong} QUIET)\nif(widephase_FOUND)\n\tmessage(FATAL_ERROR \"{wrong}\")\nendif()\n"
    folder = place.consumer("cmake", place.consumers / "main.cpp", *place.engines.values())
    (folder / "CMakeLists.txt").write_text(text, encoding="utf-8")
    place.run(folder, "cmake", "-S", ".", "-B", "build")
    place.run(folder, "cmake", "--build", "build")
    # They find their libraries without being told.
    for name in programs:
        print(place.run(folder, "env", "-u", "LD_LIBRARY_PATH", f"build/{name}"), end="")
    if has_archives(place):
        build_archives(place, cook)


def build_archives(place, lines):
    """A program that needs no shared library, by the setting that the document names."""
    text = "cmake_minimum_required(VERSION 3.16)\nproject(main C CXX)\nset(CMAKE_CXX_STANDARD 17)\nset(WIDEPHASE_QHULL qhullstatic_r)\n"
    text += "add_executable(main main.cpp)\n" + lines.replace("::cook)", "::cook_static)")
    text += "target_compile_definitions(main PRIVATE HAVE_COOK)\ntarget_link_options(main PRIVATE -static)\n"
    folder = place.consumer("cmake-archives", place.consumers / "main.cpp")
    (folder / "CMakeLists.txt").write_text(text, encoding="utf-8")
    place.run(folder, "cmake", "-S", ".", "-B", "build")
    place.run(folder, "cmake", "--build", "build")
    print(place.run(folder, "env", "-u", "LD_LIBRARY_PATH", "build/main"), end="")


def by_subproject(place, meson):
    folder = place.consumer("subproject", place.consumers / "main.c")
    (folder / "subprojects").mkdir()
    (folder / "subprojects" / "widephase").symlink_to(place.source)
    (folder / "meson.build").write_text("project('main', 'c')\n" + place.block("meson", "dependency(")
        + "executable('main', 'main.c', dependencies: widephase)\n", encoding="utf-8")
    # One variant, and little optimisation: this is about the linking.
    # pkg-config would find the installation.
    place.run(folder, *meson, "setup", "build", "--force-fallback-for=widephase", "-Dwidephase:variants=scalar",
        "-Dwidephase:cook=disabled", "-Dwidephase:optimization=1")
    targets = place.run(folder, "ninja", "-C", "build", "-t", "query", "all")
    others = [word for word in ("tools/", "engines/", "package/widephase.c", "python") if word in targets]
    if others or "libwidephase.a" not in targets:
        sys.exit(f"a subproject builds more than the libraries: {others}\n{targets}")
    place.run(folder, "ninja", "-C", "build", "main")
    print(place.run(folder, "build/main"), end="")


def by_drop_in(place):
    files = [place.prefix / "share" / "widephase" / name for name in ("widephase.c", "widephase.h", "widephase.hpp")]
    folder = place.consumer("drop-in", place.consumers / "main.c", place.consumers / "main.cpp", *files)
    # The test of the drop-in has more optimisation, and lanes.
    commands = place.block("sh", "-c widephase.c").replace("-O2", "-O1").replace("cc main", "cc -DDROP_IN main")
    commands = commands.replace("-mavx2", "-DWP_DROP_IN_SCALAR")
    place.run(folder, "sh", "-e", "-c", commands)
    print(place.run(folder, "./main"), end="")
    place.run(folder, "c++", "-std=c++17", "-DDROP_IN", "main.cpp", "widephase.o", "-o", "main")
    print(place.run(folder, "./main"), end="")


def split(arguments):
    parts = [[]]
    for argument in arguments:
        if argument == "--":
            parts.append([])
        else:
            parts[-1].append(argument)
    return parts


def main(arguments):
    (document, build, source, cook, bullet, dart, mujoco, program), meson, *compilers = split(arguments)
    with tempfile.TemporaryDirectory() as folder:
        place = Place(pathlib.Path(folder).resolve(), pathlib.Path(document), pathlib.Path(source).resolve(),
            cook == "cook", [name for name in ENGINES if name in (bullet, dart, mujoco)], compilers)
        place.install(meson, pathlib.Path(build).resolve(), program == "program")
        consumers = {"pkg-config": by_pkg_config, "cmake": by_cmake, "ninja": lambda place: by_subproject(place, meson),
            "cc": by_drop_in}
        left_out = []
        for tool, consumer in consumers.items():
            if shutil.which(tool, path=place.environment["PATH"]) is None:
                print(f"no {tool}: its consumer is left out")
                left_out.append(tool)
            else:
                consumer(place)
        unused = [text for _, text in place.blocks if text not in place.used]
        if unused and not left_out:
            sys.exit("shown, but used by no consumer:\n" + "".join(unused))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
