#!/usr/bin/env python3
"""Checks the object code: exported and undefined symbols, vector widths, fused and approximate instructions, size.

usage: check_objects.py [--plain] [--unaligned] [--sized] [--nm=NM] [--objdump=OBJDUMP] NAME=LIBRARY... CORE

NAME=LIBRARY are the static libraries of the kernel variants, several of one name together, CORE is the static core library, which holds
the kernels' objects too. Without --plain (the build is an optimised one, without sanitizers or coverage)
nothing can be said of the code: exit 77, which is a skipped test. So it is where the tools are missing. With
--unaligned the stack is aligned to 16 bytes alone, and no move of wider vectors may ask for more. With --sized the build
is of the compiler and flags that TEXT_MAX is for. NM and OBJDUMP are for libraries of another machine.
"""

import os
import re
import shutil
import subprocess
import sys

SKIPPED = 77

OPTIONS = ("--plain", "--unaligned", "--sized")

# What compilers call of their own library where ARM and RISC-V have no instruction: conversions between double and integers
# of 64 bits, divisions, the lowest and the highest set bit.
COMPILER_CALLS = {"__aeabi_d2ulz", "__aeabi_ul2d", "__aeabi_uidivmod", "__clzdi2", "__ctzdi2"}

# What baseline objects may call of the C library: bytes and strings, and what hardened builds make of
# them; on Windows what touches the pages of a large frame one by one; where core/environment.h, which alone may, has no
# instructions for it, the floating-point environment. No allocation, no printing, no mathematics.
ALLOWED_UNDEFINED = {"memcpy", "memmove", "memset", "memcmp", "strcmp", "strlen", "__memcpy_chk", "__memmove_chk",
    "__memset_chk", "__stack_chk_fail", "_GLOBAL_OFFSET_TABLE_", "___chkstk_ms", "feholdexcept", "fesetround", "fesetenv"} | COMPILER_CALLS

# Instructions with one rounding instead of two, and approximations: x86, AArch64, ARM, RISC-V, s390x.
FORBIDDEN = re.compile(r"^(?:vfn?m(?:add|sub)\w*|v?rcp[ps]s|v?rsqrt[ps]s|vrcp(?:14|28)\w*|vrsqrt(?:14|28)\w*"
    r"|fml[as]|fn?m(?:add|sub)|frecpe|frsqrte"
    r"|vfn?m[as]\w*\.\w+|vrecp[es]\.\w+|vrsqrt[es]\.\w+"
    r"|fn?m(?:add|sub)\.[sdqh]"
    r"|m[as][edx]br?|vfn?m[as](?:db|sb)?|wfn?m[as][sdx]b)$")

# Moves between memory and registers of more than 16 bytes that fault where the memory is not aligned to them.
ALIGNED_MOVE = re.compile(r"vmov(?:ap[sd]|dqa(?:32|64)?|ntp[sd]|ntdqa?) .*(?:%[yz]mm.*\)|\).*%[yz]mm)")

# Whether a variant's kernels use ymm and zmm registers: True must, False must not, None either.
REGISTERS = {"scalar": (False, False), "sse2": (False, False), "avx2": (True, False), "avx512": (None, True),
    "neon": (False, False)}
BASELINE = (False, False)

# What kernels of vectors do not do lane by lane, on AArch64: floating-point arithmetic, and putting what general
# registers hold into a lane.
SINGLE_LANE = re.compile(r"(?:f(?:add|sub|n?mul|div|sqrt)|[su]cvtf) +[sd]\d|(?:mov|ins) +v\d+\.[bhs]\[\d+\], *w")

# But for these: a face of a hull that has too many corners is looked at in one lane, so are sides of a ray's face until one is
# passed, and what is the same in all lanes.
WALKS = ("wp_list_extremes", "wp_ray_choose_triangles", "wp_is_exact")

# And for these, of each block or call so many at most: values that are the same in all lanes, which compilers compute once and
# spread. The centre of a body in its axes; the square of a segment's length, and numbers of edges; how a face of a hull lies to
# a line, whose edges are in lanes.
SAME_IN_ALL_LANES = {"cull_triangles": 16, "measure_segment": 10, "measure_ball": 4, "wp_find_places": 4, "wp_shaft_in_hull": 20}

# What kernels may: what compilers need of it for copies anyway, and where one of their tables names another.
KERNELS_UNDEFINED = {"memcpy", "memmove", "memset", "__memcpy_chk", "__memmove_chk", "__memset_chk", "_GLOBAL_OFFSET_TABLE_",
    "___chkstk_ms"} | COMPILER_CALLS

# On Windows: pointers to symbols of other objects, and constants, of which the linker keeps one each.
MERGED = (".refptr.", "__real@", "__xmm@", "__ymm@", "__zmm@")

# The one symbol of each of a variant's objects, and whether it is data: the tables of 2D and of 3D, of which the
# latter names the others.
KERNEL_SYMBOLS = {"wp2d_kernels_": True, "wp_closed_kernels_": True, "wp_kernels_": True, "wp_manifold_kernels_": True,
    "wp_ray_kernels_": True, "wp_mesh_kernels_": True, "wp_method_kernels_": True,
    "wp_polytope_kernels_": True, "wp_kept_polytope_kernels_": True}
NAMED_BY = {"wp_kernels_": ("wp_closed_kernels_", "wp_manifold_kernels_", "wp_ray_kernels_", "wp_mesh_kernels_",
    "wp_polytope_kernels_"), "wp_closed_kernels_": ("wp_kept_polytope_kernels_",)}

# Bytes of instructions that the kernels of a variant may have together, from GCC 12 for x86-64 with -O3 and no other flags: what
# they had when a limit was set, and 1 % more. Code that nobody noticed growing is slow in caches: whoever raises a limit gives the
# reason in the commit.
TEXT_MAX = {"scalar": 338_800, "sse2": 432_000, "avx2": 459_900, "avx512": 550_000}

# What programs that do not call it leave out of a static link, since no other object names it: how its names begin, and where
# they are named.
OPTIONAL = {"wp_method_kernels_": "job_method_registry.c", "wp_method_tables": "batch_contact_by_method.c",
    "wp_directions_of": "batch_contact_by_method.c", "wp_contact_by_method": ""}


class Object:
    """One object file of a library."""

    def __init__(self, name):
        self.name = name
        self.defined = set()    # global
        self.data = set()       # the symbols that are data
        self.undefined = set()
        self.instructions = self.ymm = self.zmm = 0
        self.forbidden = {}
        self.single_lane = 0
        self.aligned_moves = 0

    def kernel(self):
        """The prefix of the kernels' symbol here and the name of their variant, or two times None."""
        for symbol in self.defined:
            for prefix, is_data in KERNEL_SYMBOLS.items():
                if symbol.startswith(prefix) and (symbol in self.data) == is_data:
                    return prefix, symbol.removeprefix(prefix)
        return None, None

    def variant(self):
        return self.kernel()[1]


def output_of(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True,
        env={**os.environ, "LC_ALL": "C"}).stdout


def read_symbols(nm, library):
    """The library's objects in order, with their global symbols."""
    objects = []
    for line in output_of(nm, "-g", library).splitlines():
        if line.endswith(":"):
            objects.append(Object(re.sub(r"\.obj$", ".o", os.path.basename(line[:-1]))))
        elif line.strip() and not line.split()[-1].startswith(MERGED):
            kind, symbol = line.split()[-2:]
            if kind in "Uwv":
                objects[-1].undefined.add(symbol)
            else:
                objects[-1].defined.add(symbol)
                if kind in "DR":
                    objects[-1].data.add(symbol)
    return objects


def read_code(objdump, library, objects):
    """Count registers and forbidden instructions, object by object in the order of the symbols."""
    current = -1
    walks = False
    spared = 0
    for line in output_of(objdump, "-d", "--no-show-raw-insn", library).splitlines():
        if ":     file format " in line:
            current += 1
            continue
        function = re.match(r"[0-9a-f]+ <(\w+)", line)
        if function:
            walks = function.group(1).startswith(WALKS)
            spared = SAME_IN_ALL_LANES.get(function.group(1), 0)
        match = re.match(r"\s+[0-9a-f]+:\s+(\S+)(.*)", line)
        if match:
            is_single = count_instruction(objects[current], match.group(1), match.group(2), walks or spared > 0)
            spared -= is_single
    if current + 1 != len(objects):
        raise ValueError(f"{library}: nm sees {len(objects)} objects, objdump {current + 1}")


def count_instruction(item, mnemonic, operands, walks):
    """Returns whether it works on a single lane."""
    item.instructions += 1
    item.ymm += "%ymm" in operands
    item.zmm += "%zmm" in operands
    if FORBIDDEN.match(mnemonic):
        item.forbidden[mnemonic] = item.forbidden.get(mnemonic, 0) + 1
    item.aligned_moves += ALIGNED_MOVE.match(f"{mnemonic} {operands.strip()}") is not None
    is_single = SINGLE_LANE.match(f"{mnemonic} {operands.strip()}") is not None
    item.single_lane += not walks and is_single
    return is_single


def read_text(objdump, library):
    """Bytes of instructions of all objects."""
    sizes = re.findall(r"^ *\d+ \.text\S* +([0-9a-f]+) ", output_of(objdump, "-h", library), re.MULTILINE)
    return sum(int(size, 16) for size in sizes)


def check_text(name, size):
    """No more than the limit of the variant, and some: a limit that holds for nothing is none."""
    if name not in TEXT_MAX:
        return [f"{name}: no limit of its text, which is {size} bytes"]
    if not 0 < size <= TEXT_MAX[name]:
        return [f"{name}: {size} bytes of text, limit {TEXT_MAX[name]}"]
    return []


def read_library(tools, library):
    objects = read_symbols(tools["nm"], library)
    read_code(tools["objdump"], library, objects)
    return objects


def check_registers(item, where, rules):
    problems = []
    for register, count, rule in (("ymm", item.ymm, rules[0]), ("zmm", item.zmm, rules[1])):
        if rule is True and count == 0:
            problems.append(f"{where}: no {register} register")
        if rule is False and count > 0:
            problems.append(f"{where}: {count} instructions with {register} registers")
    return problems


def check_code(item, where, unaligned):
    """Rules of every object; the registers' by the variant it is of."""
    problems = [f"{where}: {count} {mnemonic}" for mnemonic, count in sorted(item.forbidden.items())]
    if unaligned and item.aligned_moves:
        problems.append(f"{where}: {item.aligned_moves} moves of vectors that must be aligned, on a stack that is not")
    variant = item.variant()
    if variant is None:
        return problems + check_registers(item, where, BASELINE)
    if variant not in REGISTERS:
        return problems + [f"{where}: no rule for the variant {variant}"]
    if item.single_lane and variant != "scalar":
        problems.append(f"{where}: {item.single_lane} instructions on single lanes")
    return problems + check_registers(item, where, REGISTERS[variant])


def check_kernel_symbols(item, where):
    problems = []
    prefix, variant = item.kernel()
    if item.defined != {prefix + variant}:
        problems.append(f"{where}: exports {sorted(item.defined)}, not {prefix + variant} alone")
    foreign = item.undefined - {other + variant for other in NAMED_BY.get(prefix, ())} - KERNELS_UNDEFINED
    if foreign:
        problems.append(f"{where}: undefined {', '.join(sorted(foreign))}")
    return problems


def check_kernels(name, objects, unaligned):
    kernels = sorted(item.kernel() for item in objects if item.variant() is not None)
    if len(objects) != len(KERNEL_SYMBOLS) or kernels != [(prefix, name) for prefix in sorted(KERNEL_SYMBOLS)]:
        return [f"{name}: {len(objects)} objects with the kernels {kernels}, not one of each kind"]
    problems = []
    for item in objects:
        where = f"kernels {name}, {item.name}"
        problems += check_kernel_symbols(item, where) + check_code(item, where, unaligned)
    return problems


def check_core(objects, names, unaligned):
    problems = []
    own = set().union(*(item.defined for item in objects))
    found = sorted(item.variant() for item in objects if item.variant() is not None)
    if found != sorted(len(KERNEL_SYMBOLS) * list(names)):
        problems.append(f"core: holds the kernels {found}, not {len(KERNEL_SYMBOLS)} of each of {sorted(names)}")
    for item in objects:
        where = f"core, {item.name}"
        problems += check_code(item, where, unaligned)
        if item.variant() is not None:
            problems += check_kernel_symbols(item, where)
        foreign = item.undefined - own - ALLOWED_UNDEFINED
        if foreign:
            problems.append(f"{where}: undefined {', '.join(sorted(foreign))}")
        named = [symbol for symbol in sorted(item.undefined) for prefix, by in OPTIONAL.items()
            if symbol.startswith(prefix) and not (by and by in item.name)]
        if named:
            problems.append(f"{where}: links what is optional: {', '.join(named)}")
    return problems


def print_table(rows):
    print(f"{'library':<10} {'object':<28} {'instructions':>12} {'ymm':>6} {'zmm':>6} {'exports':>8} {'undefined':>9}")
    for library, item in rows:
        print(f"{library:<10} {item.name:<28} {item.instructions:>12} {item.ymm:>6} {item.zmm:>6}"
            f" {len(item.defined):>8} {len(item.undefined):>9}")


def parse(arguments):
    """(set of options, {tool: program}, {name: libraries}, core), or None."""
    options = {argument for argument in arguments if argument in OPTIONS}
    tools = {"nm": "nm", "objdump": "objdump"}
    paths = []
    for argument in arguments:
        name, equals, program = argument.removeprefix("--").partition("=")
        if argument.startswith("--") and equals and name in tools:
            tools[name] = program
        elif argument not in OPTIONS:
            paths.append(argument)
    if len(paths) < 2 or any(path.startswith("-") for path in paths) or "=" in os.path.basename(paths[-1]):
        return None
    if not all("=" in path for path in paths[:-1]):
        return None
    kernels = {}
    for path in paths[:-1]:
        name, _, library = path.partition("=")
        kernels.setdefault(name, []).append(library)
    return options, tools, kernels, paths[-1]


def main(arguments):
    parsed = parse(arguments)
    if parsed is None:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    options, tools, kernels, core = parsed
    unaligned = "--unaligned" in options
    if "--plain" not in options:
        print("not a plain release build")
        return SKIPPED
    for tool in tools.values():
        if shutil.which(tool) is None:
            print(f"no {tool}")
            return SKIPPED
    if not core.endswith(".a"):
        print("the core library is not a static one")
        return SKIPPED

    problems, rows, sizes = [], [], []
    for name, libraries in kernels.items():
        objects = [item for library in libraries for item in read_library(tools, library)]
        rows += [(name, item) for item in objects]
        problems += check_kernels(name, objects, unaligned)
        size = sum(read_text(tools["objdump"], library) for library in libraries)
        sizes.append(f"{name:<10} {size:>8} bytes of text" + (f" of {TEXT_MAX.get(name)}" if "--sized" in options else ""))
        problems += check_text(name, size) if "--sized" in options else []
    objects = read_library(tools, core)
    rows += [("core", item) for item in objects]
    problems += check_core(objects, kernels.keys(), unaligned)
    print_table(rows)
    print("\n".join(sizes))
    print("\n".join(problems) or "object code holds")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
