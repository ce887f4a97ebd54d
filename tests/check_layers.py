#!/usr/bin/env python3
"""Checks which file includes which, and the bytes of the C files.

usage: check_layers.py ROOT          check the source tree at ROOT
       check_layers.py --self-test   check that every rule catches a violation

A file of a ranked folder may include a file of that folder only if its own rank is higher; a .c file
has the rank of its header, or its own.
"""

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
MACHINE = {"src/cpu.c": {"cpuid.h"}, "src/environment.h": {"xmmintrin.h"}, "src/wide/vec.h": {"immintrin.h"},
    "src/cook/cook.c": {"libqhull_r/qhull_ra.h"}}

# Rank of the files in src and in the folders of the host's side, lowest layer first.
SRC_LAYERS = [
    ["compiler.h", "contract.h"],
    ["base.h"],
    ["capacity.h", "double3.h", "environment.h", "length.h", "rounded.h"],
    ["bundle.h", "cpu.h", "hull.h"],
    ["half_space.h", "hull_check.c", "plane_bundle.h", "vertices.h"],
    ["directions.h", "persist.c", "registry.h", "shape.h", "tangents.c", "text.c"],
    ["plane_shape.h"],
    ["plane_strong.h", "strong.h"],
    ["strong_internal.h", "workspace.h"],
    ["batch/call.h", "motion/gap.h", "strong.c", "strong_epa.c", "strong_gjk.c"],
    ["batch/cache.h", "batch/read.h", "path.h", "plane_path.h"],
    ["batch/write.h"],
    ["batch/manifold.h", "batch/single.h", "plane/manifold.h"],
    ["batch/pack.h"],
    ["batch/bucket.h", "plane/jobs.h"],
    ["batch/run.h"],
    ["batch/pair.h", "motion/advance.h"],
    ["motion/cast.c", "motion/depth.c"],
]
HOST_FOLDERS = ("src", "src/batch", "src/motion", "src/plane")

WIDE_LAYERS = [
    ["emulate.h", "terms.h"],
    ["vec.h"],
    ["bracket.h", "exact.h", "scale.h", "vec2.h", "vec3.h"],
    ["lanes.h", "plane_lanes.h", "prepare.h"],
    ["answer.h", "plane_gjk.h", "refill.h"],
    ["boxes.h", "plane_epa.h", "store.h", "vertex.h"],
    ["plane_answer.h", "support.h"],
    ["plane_circles.h", "segments.h", "shrink.h", "simplex.h"],
    ["apart.h", "closed.h", "face.h", "half_space.h", "plane.c", "tetrahedron.h"],
    ["hull_face.h", "polytope.h", "recall.h", "round.h"],
    ["clip.h", "epa.h", "finish.h", "gjk.h", "smooth_face.h"],
    ["reduce.h", "sampled.h", "solve.h"],
    ["manifold.h"],
    ["half_space_manifold.h"],
    ["kernels.c", "manifolds.c"],
]

REFERENCE_LAYERS = [
    ["vector.h"],
    ["difference.h"],
    ["simplex.h"],
    ["gjk.h"],
    ["epa.h"],
    ["reference.c"],
]

# Files of src that the folders below it may use.
SHARED = {
    "src/wide": {"base.h", "bundle.h", "capacity.h", "plane_bundle.h"},
    "src/reference": {"base.h", "capacity.h"},
    "src/cook": {"base.h", "double3.h", "hull.h", "shape.h"},
    "src/cli": {"contract.h"},
    "src/web": set(),
}

# The one file that includes SIMDe.
SIMDE_FILE = "src/wide/vec.h"

HYGIENE_FOLDERS = ("include", "src", "tests", "bench")
HYGIENE_SUFFIXES = {".c", ".h", ".cpp", ".hpp"}


def rank_of(layers, name):
    """Rank of a file by its name or by its header's; None where the table has neither."""
    for candidate in (name, re.sub(r"\.c$", ".h", name)):
        for rank, names in enumerate(layers):
            if candidate in names:
                return rank
    return None


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

    def check_ranked(self, name, layers, target):
        """An include of a file of the same folder, which has a table."""
        own_name = self.ranked_name(name, layers)
        own, other = rank_of(layers, own_name), rank_of(layers, target)
        if other is None:
            self.problem(name, f'must not include "{target}"')
        elif target == re.sub(r"\.c$", ".h", own_name):
            return
        elif own is not None and other >= own:
            self.problem(name, f'must not include "{target}", which is not of a lower layer')

    def ranked_name(self, name, layers):
        """How a table names a file: the host's by its path in src, others by their own name."""
        return name.removeprefix("src/") if layers is SRC_LAYERS else name.rsplit("/", 1)[1]

    def check_known(self, name, layers):
        if rank_of(layers, self.ranked_name(name, layers)) is None:
            self.problem(name, "has no layer in the table of tests/check_layers.py")

    def check_public(self):
        for path in self.sources("include/widephase", "*.[ch]*"):
            standard = CXX_STANDARD if path.suffix == ".hpp" else C_STANDARD
            name = self.name_of(path)
            for is_system, target in self.includes(path):
                if is_system and target.startswith("simde/"):
                    self.simde_files.add(name)
                elif is_system and target.removesuffix(".h") not in standard:
                    self.problem(name, f"must not include <{target}>")
                elif not is_system and not self.is_public(target):
                    self.problem(name, f'must not include "{target}"')

    def check_src(self):
        for path in [path for folder in HOST_FOLDERS for path in self.sources(folder)]:
            name = self.name_of(path)
            self.check_known(name, SRC_LAYERS)
            for is_system, target in self.includes(path):
                if is_system:
                    self.check_system(name, target, CORE_STANDARD)
                elif not self.is_public(target):
                    self.check_ranked(name, SRC_LAYERS, target)

    def check_wide(self):
        for path in self.sources("src/wide"):
            name = self.name_of(path)
            self.check_known(name, WIDE_LAYERS)
            for is_system, target in self.includes(path):
                if is_system:
                    self.check_system(name, target, set())
                elif target.startswith("wide/"):
                    self.check_ranked(name, WIDE_LAYERS, target.removeprefix("wide/"))
                elif target not in SHARED["src/wide"]:
                    self.problem(name, f'must not include "{target}"')

    def check_reference(self):
        for path in self.sources("src/reference"):
            name = self.name_of(path)
            self.check_known(name, REFERENCE_LAYERS)
            for is_system, target in self.includes(path):
                if is_system:
                    self.check_system(name, target, CORE_STANDARD | {"math"})
                elif not self.is_public(target) and target not in SHARED["src/reference"]:
                    self.check_ranked(name, REFERENCE_LAYERS, target)

    def check_guests(self, folder, any_system):
        """A folder of users of the library: public headers, its own, and those shared with it."""
        for path in self.sources(folder):
            name = self.name_of(path)
            for is_system, target in self.includes(path):
                if self.is_public(target):
                    continue
                if is_system and any_system and not target.startswith("simde/"):
                    if (self.root / "src" / target).exists():
                        self.problem(name, f"must not include <{target}>")
                elif is_system:
                    self.check_system(name, target, C_STANDARD)
                elif target not in SHARED[folder] and not (path.parent / target).is_file():
                    self.problem(name, f'must not include "{target}"')
                elif "/" in target:
                    self.problem(name, f'must not include "{target}"')

    def check_oracle(self):
        for path in self.sources("tests/support", "*oracle.*"):
            name = self.name_of(path)
            for is_system, target in self.includes(path):
                if is_system:
                    self.check_system(name, target, C_STANDARD)
                elif not self.is_public(target) and ("/" in target or not (path.parent / target).is_file()):
                    self.problem(name, f'must not include "{target}"')

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
        self.check_src()
        self.check_wide()
        self.check_reference()
        self.check_guests("src/cli", any_system=True)
        self.check_guests("src/cook", any_system=False)
        self.check_guests("src/web", any_system=False)
        self.check_oracle()
        self.check_simde()
        self.check_bytes()
        return self.problems


# A small tree without a violation: path to contents.
CLEAN = {
    "include/widephase/base.h": "#include <stdint.h>\n",
    "include/widephase/shape.hpp": '#include "widephase/shape.h"\n#include <memory>\n',
    "include/widephase/shape.h": '#include "widephase/base.h"\n',
    "src/base.h": "#include <stddef.h>\n",
    "src/bundle.h": '#include "base.h"\n',
    "src/shape.h": '#include "base.h"\n#include "widephase/shape.h"\n',
    "src/shape.c": '#include "shape.h"\n',
    "src/wide/vec.h": '#include "base.h"\n#include <simde/x86/sse2.h>\n',
    "src/wide/vec3.h": '#include "wide/vec.h"\n',
    "src/wide/kernels.c": '#include "bundle.h"\n#include "wide/vec3.h"\n',
    "src/reference/vector.h": "#include <math.h>\n",
    "src/reference/gjk.h": '#include "base.h"\n#include "vector.h"\n',
    "src/reference/gjk.c": '#include "gjk.h"\n',
    "src/cli/scene.h": "#include <widephase/shape.h>\n",
    "src/cli/main.c": '#include "scene.h"\n#include <stdio.h>\n#include <unistd.h>\n',
    "src/cook/cook.c": '#include "base.h"\n#include <stdlib.h>\n#include <libqhull_r/qhull_ra.h>\n',
    "src/web/exports.c": "#include <stdlib.h>\n#include <widephase/shape.h>\n",
    "tests/support/vector.h": "#include <math.h>\n",
    "tests/support/oracle.c": '#include "vector.h"\n#include "widephase/shape.h"\n',
}

# A file that is added or replaced, and what the report must say of it.
VIOLATIONS = [
    ("include/widephase/base.h", '#include "base.h"\n', 'must not include "base.h"'),
    ("include/widephase/base.h", "#include <unistd.h>\n", "must not include <unistd.h>"),
    ("include/widephase/base.h", '#include "widephase/none.h"\n', 'must not include "widephase/none.h"'),
    ("src/base.h", '#include "bundle.h"\n', "lower layer"),
    ("src/bundle.h", '#  include "shape.h"\n', "lower layer"),
    ("src/hull.h", '#include "bundle.h"\n', "lower layer"),
    ("src/workspace.h", '#include "batch/call.h"\n', "lower layer"),
    ("src/batch/read.c", '#include "batch/run.h"\n', "lower layer"),
    ("src/shape.c", '#include "motion/cast.c"\n', "lower layer"),
    ("src/shape.c", '#include "wide/vec.h"\n', 'must not include "wide/vec.h"'),
    ("src/shape.c", '#include "reference/gjk.h"\n', 'must not include "reference/gjk.h"'),
    ("src/shape.c", "#include <stdlib.h>\n", "must not include <stdlib.h>"),
    ("include/widephase/shape.hpp", "#include <vector>\n", "must not include <vector>"),
    ("src/shape.c", "#include <math.h>\n", "must not include <math.h>"),
    ("src/shape.c", "#include <cpuid.h>\n", "must not include <cpuid.h>"),
    ("src/unknown.c", '#include "base.h"\n', "no layer"),
    ("src/wide/unknown.h", '#include "base.h"\n', "no layer"),
    ("src/reference/unknown.h", '#include "base.h"\n', "no layer"),
    ("src/wide/vec.h", '#include "wide/vec3.h"\n#include <simde/x86/sse2.h>\n', "lower layer"),
    ("src/wide/gjk.h", '#include "wide/epa.h"\n', "lower layer"),
    ("src/wide/prepare.h", '#include "wide/lanes.h"\n', "lower layer"),
    ("src/wide/vec3.h", '#include "shape.h"\n', 'must not include "shape.h"'),
    ("src/wide/vec3.h", '#include "widephase/shape.h"\n', 'must not include "widephase/shape.h"'),
    ("src/wide/vec3.h", "#include <math.h>\n", "must not include <math.h>"),
    ("src/wide/vec3.h", "#include <simde/x86/avx2.h>\n", "SIMDe"),
    ("src/wide/vec.h", '#include "base.h"\n', "does not include SIMDe"),
    ("src/cli/main.c", '#include "simde/x86/sse2.h"\n', "SIMDe"),
    ("src/cli/main.c", "#include <simde/x86/sse2.h>\n", "SIMDe"),
    ("tests/test_vec.c", "#include <simde/x86/sse2.h>\n", "SIMDe"),
    ("src/reference/gjk.c", '#include "shape.h"\n', 'must not include "shape.h"'),
    ("src/reference/gjk.c", '#include "wide/vec.h"\n', 'must not include "wide/vec.h"'),
    ("src/reference/vector.h", '#include "gjk.h"\n', "lower layer"),
    ("src/cli/main.c", '#include "base.h"\n', 'must not include "base.h"'),
    ("src/cli/main.c", "#include <shape.h>\n", "must not include <shape.h>"),
    ("src/cli/main.c", '#include "../shape.h"\n', 'must not include "../shape.h"'),
    ("src/cook/cook.c", '#include "bundle.h"\n', 'must not include "bundle.h"'),
    ("src/cook/cook.c", "#include <unistd.h>\n", "must not include <unistd.h>"),
    ("src/web/exports.c", '#include "shape.h"\n', 'must not include "shape.h"'),
    ("src/web/exports.c", "#include <emscripten.h>\n", "must not include <emscripten.h>"),
    ("tests/support/oracle.c", '#include "shape.h"\n', 'must not include "shape.h"'),
    ("tests/support/oracle.c", '#include "../../src/shape.h"\n', 'must not include "../../src/shape.h"'),
    ("tests/support/oracle.c", '#include "reference/gjk.h"\n', 'must not include "reference/gjk.h"'),
    ("src/shape.c", "int a; \n", "blanks at the end"),
    ("src/shape.c", "int a;\t\n", "blanks at the end"),
    ("src/shape.c", "int a;\r\n", "carriage return"),
    ("src/shape.c", "int a;", "no newline"),
    ("src/shape.c", "int a;\n\n", "empty line at the end"),
    ("tests/test_vec.c", "  \tint a;\n", "blank before a tab"),
]


def report_of(files):
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            path = pathlib.Path(folder) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode())
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
