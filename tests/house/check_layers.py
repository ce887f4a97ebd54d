#!/usr/bin/env python3
"""Checks which file includes which, where extensions of C stand, inline functions that nobody calls, and the first line and
the bytes of the C files.

usage: check_layers.py ROOT          check the source tree at ROOT
       check_layers.py --self-test   check that every rule catches a violation

A file of a room may include files of its own room and of the rooms that its room may use, which all stand below it in
the table; no file includes itself by way of others.
"""

import collections
import pathlib
import re
import sys
import tempfile

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]', re.MULTILINE)

C_STANDARD = set("""assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal
stdalign stdarg stdatomic stdbool stddef stdint stdio stdlib stdnoreturn string tgmath threads time uchar
wchar wctype""".split())

CXX_STANDARD = {"cstddef", "cstdint", "memory", "new", "type_traits", "utility"}

# What a header or source file of the core library may use of the C library: no allocation, no files, no
# mathematics that is not an instruction.
CORE_STANDARD = {"assert", "float", "limits", "stdbool", "stddef", "stdint", "string"}

# Headers of the machine, each for one file.
MACHINE = {"src/core/cpu.c": {"cpuid.h"}, "src/core/extensions.h": {"emmintrin.h", "intrin.h"}, "src/core/environment.h": {"fenv.h", "xmmintrin.h"},
    "src/wide/lane/vec.h": {"immintrin.h"}, "src/cook/cook.c": {"libqhull_r/qhull_ra.h"}}

# The rooms of the library in the order of a pair's way through them, and which of the rooms above each may use; of a room
# that names files, those alone.
ROOMS = {
    "src/core": [],
    "src/shape": ["src/core"],
    "src/mesh": ["src/core"],
    "src/job": ["src/core", "src/shape"],
    "src/strong": ["src/core", "src/shape"],
    "src/batch": ["src/core", "src/shape", "src/job", "src/strong"],
    "src/motion": ["src/core", "src/shape", "src/job", "src/strong", "src/batch"],
    "src/mesh_contact": ["src/core", "src/shape", "src/mesh", "src/job", "src/strong", "src/batch"],
    "src/mesh_query": ["src/core", "src/shape", "src/mesh", "src/job", "src/strong", "src/batch", "src/motion",
        "src/mesh_contact"],
    "src/compound": ["src/core", "src/shape", "src/mesh", "src/job", "src/strong", "src/batch", "src/motion",
        "src/mesh_contact", "src/mesh_query"],
    "src/wide/lane": ["src/core"],
    "src/wide/job": ["src/core", "src/wide/lane", "src/job/job.h"],
    "src/wide/support": ["src/core", "src/wide/lane", "src/wide/job"],
    "src/wide/method": ["src/core", "src/wide/lane", "src/wide/job", "src/wide/support"],
    "src/wide/closed": ["src/core", "src/wide/lane", "src/wide/job", "src/wide/support"],
    "src/wide/search": ["src/core", "src/wide/lane", "src/wide/job", "src/wide/support"],
    "src/wide/manifold": ["src/core", "src/wide/lane", "src/wide/job", "src/wide/support", "src/wide/closed"],
    "src/wide/2d": ["src/core", "src/wide/lane", "src/wide/job", "src/job/job_2d.h"],
    "src/wide": ["src/core", "src/wide/lane", "src/wide/job", "src/wide/support", "src/wide/method", "src/wide/closed",
        "src/wide/search", "src/wide/manifold", "src/wide/2d"],
    "src/reference": ["src/core/base.h", "src/core/capacity.h", "src/core/contract.h", "src/core/environment.h"],
    "src/cook": ["src/core/base.h", "src/core/double3.h", "src/core/environment.h", "src/shape/hull.h", "src/mesh/mesh.h"],
    "src/tools/system": [],
    "src/tools/capture": ["src/tools/system"],
    "src/tools/cli": ["src/core/contract.h", "src/tools/system", "src/tools/capture"],
    "src/bindings/web": ["src/strong/strong_2d.h", "src/batch/bucket_2d.h", "src/batch/manifold_2d.h", "src/motion/path.h"],
}

# Rooms for users of an engine, in C++ or in C: public headers, their own room, the language's library and the engine's own headers.
ENGINE_ROOMS = {"src/engines/bullet": ("btBulletCollisionCommon.h", "BulletCollision/", "BulletDynamics/", "LinearMath/"),
    "src/engines/dart": ("dart/", "fcl/", "assimp/"), "src/engines/mujoco": ("mujoco/",)}
ENGINE_STANDARD = {"algorithm", "array", "cmath", "cstddef", "cstdint", "cstdlib", "cstring", "memory", "new", "optional",
    "stdexcept", "string", "typeinfo", "unordered_map", "utility", "vector"}

# Public headers that are for users of an engine.
ENGINE_HEADERS = {"include/widephase/bullet.hpp": ENGINE_ROOMS["src/engines/bullet"],
    "include/widephase/dart.hpp": ENGINE_ROOMS["src/engines/dart"],
    "include/widephase/mujoco.h": ENGINE_ROOMS["src/engines/mujoco"]}

# Rooms without allocation, files and mathematics that is not an instruction; and rooms of programs.
CORE_ROOMS = ("src/core", "src/shape", "src/mesh", "src/job", "src/strong", "src/batch", "src/motion",
    "src/mesh_contact", "src/mesh_query", "src/compound")
PROGRAM_ROOMS = ("src/tools/system", "src/tools/capture", "src/tools/cli")

# Words of one compiler, and the files that may have them: extensions of C with MSVC's beside GNU's, and what belongs to a
# machine: its rounding, which CPU it is, and in the lanes an instruction that GCC does not make of its intrinsic.
EXTENSION = re.compile(r"\b(?:__attribute__|__builtin_\w+|__asm__|__asm|asm|__extension__|_Pragma|__declspec|__forceinline)\b")
EXTENSION_FILES = {"src/core/extensions.h", "src/core/environment.h", "src/core/cpu.c", "src/wide/lane/vec.h"}
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
INLINE = re.compile(r"^(?:WP_INLINE\w*|static inline) [\w *]*?\b(\w+)\(", re.MULTILINE)
WORD = re.compile(r"\w+")

# The one file that includes SIMDe.
SIMDE_FILE = "src/wide/lane/vec.h"

HYGIENE_FOLDERS = ("include", "src", "tests", "bench")
HYGIENE_SUFFIXES = {".c", ".h", ".cpp", ".hpp"}


def standard_of(room):
    """The headers of the C library that a room may include."""
    if room in CORE_ROOMS:
        return CORE_STANDARD
    if room == "src/reference":
        return CORE_STANDARD | {"math"}
    return set() if room.startswith("src/wide") else C_STANDARD


class Checker:
    def __init__(self, root):
        self.root = pathlib.Path(root)
        self.problems = []
        self.simde_files = set()

    def problem(self, path, text):
        self.problems.append(f"{path}: {text}")

    def sources(self, folder, pattern="*.[ch]"):
        return sorted((self.root / folder).glob(pattern))

    def name_of(self, path):
        return path.relative_to(self.root).as_posix()

    def includes(self, path):
        """(is_system, target) of every include of a file."""
        text = path.read_text(encoding="utf-8", errors="replace")
        return [(kind == "<", target) for kind, target in INCLUDE.findall(text)]

    def is_public(self, target):
        return target.startswith("widephase/") and (self.root / "include" / target).is_file()

    def check_system(self, name, target, standard):
        """A system header: a standard one, one of the machine for this file, or SIMDe."""
        if target.startswith("simde/"):
            self.simde_files.add(name)
        elif target not in MACHINE.get(name, set()) and target.removesuffix(".h") not in standard:
            self.problem(name, f"must not include <{target}>")

    def found(self, name, target):
        """The file of src that a quoted include means: beside it, in a room that it may use, or by its path in src."""
        room = name.rsplit("/", 1)[0]
        for folder in (room, *ROOMS.get(room, ()), "src"):
            if (self.root / folder / target).is_file():
                return f"{folder}/{target}"
        return None

    def check_public(self):
        for path in self.sources("include/widephase", "*.[ch]*"):
            standard = CXX_STANDARD if path.suffix == ".hpp" else C_STANDARD
            name = self.name_of(path)
            for is_system, target in self.includes(path):
                if is_system and target.startswith("simde/"):
                    self.simde_files.add(name)
                elif is_system and target.removesuffix(".h") not in standard:
                    if not target.startswith(ENGINE_HEADERS.get(name, "\0")):
                        self.problem(name, f"must not include <{target}>")
                elif not is_system and not self.is_public(target):
                    self.problem(name, f'must not include "{target}"')

    def check_rooms(self):
        files = sorted(path for path in (self.root / "src").rglob("*.[ch]"))
        graph = {}
        for path in files:
            name = self.name_of(path)
            room = name.rsplit("/", 1)[0]
            if room in ENGINE_ROOMS:
                continue
            if room not in ROOMS:
                self.problem(name, "is in no room of the table of tests/house/check_layers.py")
                continue
            graph[name] = [self.check_include(name, room, is_system, target) for is_system, target in self.includes(path)]
        self.check_circles(graph)

    def check_include(self, name, room, is_system, target):
        """The file of src that is included, or None."""
        if is_system and self.is_public(target):
            return None
        if is_system and room in PROGRAM_ROOMS and not target.startswith("simde/"):
            if list((self.root / "src").rglob(target)):
                self.problem(name, f"must not include <{target}>")
        elif is_system:
            self.check_system(name, target, standard_of(room))
        elif self.is_public(target):
            if room.startswith("src/wide"):
                self.problem(name, f'must not include "{target}"')
        else:
            other = self.found(name, target)
            allowed = [room, *ROOMS[room]]
            if other is None or not any(other == place or other.rsplit("/", 1)[0] == place for place in allowed):
                self.problem(name, f'must not include "{target}"')
            return other
        return None

    def check_circles(self, graph):
        state = {}

        def visit(name, way):
            if state.get(name) == "done":
                return
            if name in way:
                circle = way[way.index(name):]
                for i, member in enumerate(circle):
                    self.problem(member, "includes itself by way of " + ", ".join(circle[i + 1:] + circle[:i]))
                return
            for other in graph.get(name, ()):
                if other is not None:
                    visit(other, [*way, name])
            state[name] = "done"

        for name in graph:
            visit(name, [])

    def check_engines(self):
        for path in sorted([*(self.root / "src").rglob("*.[ch]pp"), *(self.root / "src" / "engines").rglob("*.[ch]")]):
            name = self.name_of(path)
            room = name.rsplit("/", 1)[0]
            if room not in ENGINE_ROOMS:
                self.problem(name, "is in no room of the table of tests/house/check_layers.py")
                continue
            for is_system, target in self.includes(path):
                is_standard = target in ENGINE_STANDARD if path.suffix.endswith("pp") else target.removesuffix(".h") in C_STANDARD
                if is_system and not (self.is_public(target) or is_standard or target.startswith(ENGINE_ROOMS[room])):
                    self.problem(name, f"must not include <{target}>")
                elif not is_system and ("/" in target or not (path.parent / target).is_file()):
                    self.problem(name, f'must not include "{target}"')

    def check_oracle(self):
        for path in [*self.sources("tests/support", "*oracle.*"), *self.sources("tests/support", "shape_core.*")]:
            name = self.name_of(path)
            for is_system, target in self.includes(path):
                if is_system:
                    self.check_system(name, target, C_STANDARD)
                elif not self.is_public(target) and ("/" in target or not (path.parent / target).is_file()):
                    self.problem(name, f'must not include "{target}"')

    def check_extensions(self):
        """The rooms of the library, which MSVC may compile too."""
        for room in (*CORE_ROOMS, *(room for room in ROOMS if room.startswith("src/wide")), "src/reference", "src/cook"):
            for path in self.sources(room):
                name = self.name_of(path)
                words = set(EXTENSION.findall(COMMENT.sub("", path.read_text(encoding="utf-8", errors="replace"))))
                if words and name not in EXTENSION_FILES:
                    self.problem(name, f"has {', '.join(sorted(words))}: extensions of C stand in src/core/extensions.h")

    def check_unused(self):
        """Inline functions of headers, of which compilers say nothing: somebody in src names each once more."""
        headers, words = {}, collections.Counter()
        for path in sorted((self.root / "src").rglob("*")):
            if path.suffix in HYGIENE_SUFFIXES and path.is_file():
                text = COMMENT.sub("", path.read_text(encoding="utf-8", errors="replace"))
                words.update(WORD.findall(text))
                if path.suffix == ".h":
                    headers[self.name_of(path)] = INLINE.findall(text)
        for name, functions in headers.items():
            for function in functions:
                if words[function] == 1:
                    self.problem(name, f"nobody calls {function}")

    def check_simde(self):
        for folder in HYGIENE_FOLDERS:
            for path in sorted((self.root / folder).rglob("*")):
                if path.suffix in HYGIENE_SUFFIXES and path.is_file():
                    if any(target.startswith("simde/") for _, target in self.includes(path)):
                        self.simde_files.add(self.name_of(path))
        for name in sorted(self.simde_files - {SIMDE_FILE}):
            self.problem(name, f"must not include SIMDe; only {SIMDE_FILE} does")
        if SIMDE_FILE not in self.simde_files:
            self.problem(SIMDE_FILE, "does not include SIMDe")

    def check_purposes(self):
        """The first line of a file says what it is for; its header's does for both."""
        for folder in HYGIENE_FOLDERS:
            for path in sorted((self.root / folder).rglob("*")):
                if path.suffix in HYGIENE_SUFFIXES and path.is_file():
                    places = [path, *(path.with_suffix(suffix) for suffix in (".h", ".hpp"))]
                    if not any(one.is_file() and one.read_bytes().startswith((b"/*", b"//")) for one in places):
                        self.problem(self.name_of(path), "does not begin with what it is for")

    def check_bytes(self):
        for folder in HYGIENE_FOLDERS:
            for path in sorted((self.root / folder).rglob("*")):
                if path.suffix in HYGIENE_SUFFIXES and path.is_file():
                    self.check_bytes_of(self.name_of(path), path.read_bytes())

    def check_bytes_of(self, name, data):
        if data and not data.endswith(b"\n"):
            self.problem(name, "no newline at the end")
        if data.endswith(b"\n\n"):
            self.problem(name, "empty line at the end")
        for number, line in enumerate(data.split(b"\n"), 1):
            if b"\r" in line:
                self.problem(f"{name}:{number}", "carriage return")
            elif line != line.rstrip():
                self.problem(f"{name}:{number}", "blanks at the end")
            if re.match(rb"\t* +\t", line):
                self.problem(f"{name}:{number}", "blank before a tab")

    def run(self):
        self.check_public()
        self.check_rooms()
        self.check_engines()
        self.check_oracle()
        self.check_extensions()
        self.check_unused()
        self.check_simde()
        self.check_purposes()
        self.check_bytes()
        return self.problems


# A small tree without a violation: path to contents.
CLEAN = {
    "include/widephase/base.h": "#include <stdint.h>\n",
    "include/widephase/shape.hpp": '#include "widephase/shape.h"\n#include <memory>\n',
    "include/widephase/shape.h": '#include "widephase/base.h"\n',
    "src/core/base.h": "#include <stddef.h>\n",
    "src/core/extensions.h": "/* __asm */\n#include <intrin.h>\n#define WP_INLINE static __forceinline\n",
    "src/core/contract.h": "",
    "src/core/cpu.c": '#include "core/base.h"\n#include <cpuid.h>\n',
    "src/shape/shape.h": '#include "core/base.h"\n#include "widephase/shape.h"\n',
    "src/shape/shape.c": '#include "shape/shape.h"\n',
    "src/job/job.h": '#include "core/base.h"\n',
    "src/job/registry.h": '#include "job/job.h"\n',
    "src/batch/call.h": '#include "shape/shape.h"\n',
    "src/batch/run.h": '#include "batch/call.h"\n',
    "src/motion/cast.c": '#include "batch/run.h"\n',
    "src/wide/lane/vec.h": '#include "core/base.h"\n#include <simde/x86/sse2.h>\n',
    "src/wide/lane/vec3.h": '#include "wide/lane/vec.h"\n',
    "src/wide/job/lanes.h": '#include "job/job.h"\n#include "wide/lane/vec3.h"\n',
    "src/wide/search/gjk.h": '#include "wide/job/lanes.h"\n',
    "src/wide/search/epa.h": '#include "wide/search/gjk.h"\n',
    "src/wide/kernels.c": '#include "wide/search/gjk.h"\n',
    "src/reference/vector.h": "#include <math.h>\n",
    "src/reference/gjk.h": '#include "core/base.h"\n#include "vector.h"\n',
    "src/reference/gjk.c": '#include "gjk.h"\n',
    "src/tools/capture/capture.h": "#include <widephase/shape.h>\n",
    "src/tools/cli/main.c": '#include "capture.h"\n#include "core/contract.h"\n#include <stdio.h>\n#include <unistd.h>\n',
    "src/cook/cook.c": '#include "core/base.h"\n#include <stdlib.h>\n#include <libqhull_r/qhull_ra.h>\n',
    "include/widephase/bullet.hpp": '#include "widephase/base.h"\n#include <BulletCollision/btWorld.h>\n',
    "src/engines/bullet/batch.hpp": "#include <widephase/bullet.hpp>\n#include <vector>\n",
    "src/engines/bullet/batch.cpp": '#include "batch.hpp"\n#include <LinearMath/btTransform.h>\n',
    "include/widephase/dart.hpp": '#include "widephase/base.h"\n#include <dart/collision/CollisionDetector.hpp>\n',
    "src/engines/dart/batch.cpp": "#include <widephase/dart.hpp>\n#include <fcl/broadphase.h>\n#include <array>\n",
    "include/widephase/mujoco.h": '#include "widephase/base.h"\n#include <mujoco/mjmodel.h>\n',
    "src/engines/mujoco/collide.c": '#include "pool.h"\n#include <mujoco/mujoco.h>\n#include <string.h>\n#include <widephase/mujoco.h>\n',
    "src/engines/mujoco/pool.h": "#include <stdatomic.h>\n",
    "src/bindings/web/exports.c": "#include <stdlib.h>\n#include <widephase/shape.h>\n",
    "tests/support/vector.h": "#include <math.h>\n",
    "tests/support/oracle.c": '#include "vector.h"\n#include "widephase/shape.h"\n',
}

# A file that is added or replaced, and what the report on it must contain.
VIOLATIONS = [
    ("include/widephase/base.h", '#include "base.h"\n', 'must not include "base.h"'),
    ("include/widephase/base.h", "#include <unistd.h>\n", "must not include <unistd.h>"),
    ("include/widephase/base.h", '#include "widephase/none.h"\n', 'must not include "widephase/none.h"'),
    ("include/widephase/shape.hpp", "#include <vector>\n", "must not include <vector>"),
    ("src/core/base.h", '#include "job/job.h"\n', 'must not include "job/job.h"'),
    ("src/core/base.h", '#  include "shape/shape.h"\n', 'must not include "shape/shape.h"'),
    ("src/shape/shape.h", '#include "batch/call.h"\n', 'must not include "batch/call.h"'),
    ("src/batch/call.h", '#include "motion/cast.c"\n', 'must not include "motion/cast.c"'),
    ("src/batch/call.h", '#include "batch/run.h"\n', "includes itself by way of"),
    ("src/job/job.h", '#include "job/registry.h"\n', "includes itself by way of"),
    ("src/shape/shape.c", '#include "wide/lane/vec.h"\n', 'must not include "wide/lane/vec.h"'),
    ("src/shape/shape.c", '#include "reference/gjk.h"\n', 'must not include "reference/gjk.h"'),
    ("src/shape/shape.c", "#include <stdlib.h>\n", "must not include <stdlib.h>"),
    ("src/shape/shape.c", "#include <math.h>\n", "must not include <math.h>"),
    ("src/shape/shape.c", "#include <cpuid.h>\n", "must not include <cpuid.h>"),
    ("src/shape/shape.c", "#include <fenv.h>\n", "must not include <fenv.h>"),
    ("src/unknown.c", '#include "core/base.h"\n', "in no room"),
    ("src/wide/unknown/unknown.h", '#include "core/base.h"\n', "in no room"),
    ("src/wide/lane/vec.h", '#include "wide/lane/vec3.h"\n#include <simde/x86/sse2.h>\n', "includes itself by way of"),
    ("src/wide/search/gjk.h", '#include "wide/search/epa.h"\n', "includes itself by way of"),
    ("src/wide/lane/vec3.h", '#include "wide/job/lanes.h"\n', 'must not include "wide/job/lanes.h"'),
    ("src/wide/job/lanes.h", '#include "job/registry.h"\n', 'must not include "job/registry.h"'),
    ("src/wide/lane/vec3.h", '#include "shape/shape.h"\n', 'must not include "shape/shape.h"'),
    ("src/wide/lane/vec3.h", '#include "widephase/shape.h"\n', 'must not include "widephase/shape.h"'),
    ("src/wide/lane/vec3.h", "#include <math.h>\n", "must not include <math.h>"),
    ("src/wide/lane/vec3.h", "#include <simde/x86/avx2.h>\n", "SIMDe"),
    ("src/wide/lane/vec.h", '#include "core/base.h"\n', "does not include SIMDe"),
    ("src/tools/cli/main.c", '#include "simde/x86/sse2.h"\n', "SIMDe"),
    ("src/tools/cli/main.c", "#include <simde/x86/sse2.h>\n", "SIMDe"),
    ("tests/kernels/test_vec.c", "#include <simde/x86/sse2.h>\n", "SIMDe"),
    ("src/reference/gjk.c", '#include "shape/shape.h"\n', 'must not include "shape/shape.h"'),
    ("src/reference/gjk.c", '#include "wide/lane/vec.h"\n', 'must not include "wide/lane/vec.h"'),
    ("src/reference/vector.h", '#include "gjk.h"\n', "includes itself by way of"),
    ("include/widephase/shape.hpp", "#include <BulletCollision/btWorld.h>\n", "must not include <BulletCollision/btWorld.h>"),
    ("src/engines/bullet/batch.cpp", '#include "core/base.h"\n', 'must not include "core/base.h"'),
    ("src/engines/bullet/batch.cpp", '#include "none.hpp"\n', 'must not include "none.hpp"'),
    ("src/engines/bullet/batch.cpp", "#include <iostream>\n", "must not include <iostream>"),
    ("src/engines/dart/batch.cpp", "#include <LinearMath/btTransform.h>\n", "must not include <LinearMath/btTransform.h>"),
    ("src/engines/mujoco/pool.h", "#include <dart/dart.hpp>\n", "must not include <dart/dart.hpp>"),
    ("src/engines/mujoco/pool.h", '#include "shape/shape.h"\n', 'must not include "shape/shape.h"'),
    ("src/engines/mujoco/pool.h", "#include <unistd.h>\n", "must not include <unistd.h>"),
    ("src/engines/none/pool.c", "#include <string.h>\n", "in no room"),
    ("src/engines/none/batch.cpp", "#include <vector>\n", "in no room"),
    ("src/tools/cli/main.c", '#include "core/base.h"\n', 'must not include "core/base.h"'),
    ("src/tools/cli/main.c", "#include <shape.h>\n", "must not include <shape.h>"),
    ("src/tools/cli/main.c", '#include "../../shape/shape.h"\n', 'must not include "../../shape/shape.h"'),
    ("src/tools/capture/capture.h", '#include "core/contract.h"\n', 'must not include "core/contract.h"'),
    ("src/cook/cook.c", '#include "job/job.h"\n', 'must not include "job/job.h"'),
    ("src/cook/cook.c", "#include <unistd.h>\n", "must not include <unistd.h>"),
    ("src/bindings/web/exports.c", '#include "shape/shape.h"\n', 'must not include "shape/shape.h"'),
    ("src/bindings/web/exports.c", "#include <emscripten.h>\n", "must not include <emscripten.h>"),
    ("tests/support/oracle.c", '#include "shape/shape.h"\n', 'must not include "shape/shape.h"'),
    ("tests/support/oracle.c", '#include "../../src/shape/shape.h"\n', 'must not include "../../src/shape/shape.h"'),
    ("tests/support/oracle.c", '#include "reference/gjk.h"\n', 'must not include "reference/gjk.h"'),
    ("src/shape/shape.c", "double a(double b) { return __builtin_sqrt(b); }\n", "has __builtin_sqrt"),
    ("src/wide/lane/vec3.h", "typedef float v __attribute__((vector_size(16)));\n", "has __attribute__"),
    ("src/cook/cook.c", "__declspec(noinline) int a(void);\n", "has __declspec"),
    ("src/shape/shape.h", "/* wp_a */\nWP_INLINE double wp_a(double b) { return b; }\n", "nobody calls wp_a"),
    ("src/shape/shape.h", "\nint a;\n", "does not begin with what it is for"),
    ("src/core/cpu.c", "\nint a;\n", "does not begin with what it is for"),
    ("src/engines/bullet/pool.cpp", "\nint a;\n", "does not begin with what it is for"),
    ("tests/support/shape_core.c", '#include "shape/shape.h"\n', 'must not include "shape/shape.h"'),
    ("src/shape/shape.c", "int a; \n", "blanks at the end"),
    ("src/shape/shape.c", "int a;\t\n", "blanks at the end"),
    ("src/shape/shape.c", "int a;\r\n", "carriage return"),
    ("src/shape/shape.c", "int a;", "no newline"),
    ("src/shape/shape.c", "int a;\n\n", "empty line at the end"),
    ("tests/kernels/test_vec.c", "  \tint a;\n", "blank before a tab"),
]


def report_of(files):
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            path = pathlib.Path(folder) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            purpose = "" if text.startswith("\n") else "/* A purpose. */\n"
            path.write_bytes((purpose + text).encode())
        return Checker(folder).run()


def self_test():
    failures = [f"clean tree: {problem}" for problem in report_of(CLEAN)]
    for name, text, expected in VIOLATIONS:
        problems = report_of({**CLEAN, name: text})
        if not any(problem.startswith(name) and expected in problem for problem in problems):
            failures.append(f"not caught: {name} with {text!r}; reported: {problems}")
    print("\n".join(failures) or f"{len(VIOLATIONS)} violations caught")
    return 1 if failures else 0


def main(arguments):
    if arguments == ["--self-test"]:
        return self_test()
    if len(arguments) != 1 or arguments[0].startswith("-"):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    root = pathlib.Path(arguments[0])
    if not (root / "include" / "widephase").is_dir() or not (root / "src" / "wide").is_dir():
        print(f"{root} is not the source tree", file=sys.stderr)
        return 2
    problems = Checker(root).run()
    print("\n".join(problems) or "layers hold")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
