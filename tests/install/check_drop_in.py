#!/usr/bin/env python3
"""Compiles the drop-in as users do, warnings as errors, and checks its bits by the parity program.

usage: check_drop_in.py DROP_IN SOURCE OBJDUMP COMPILER...

DROP_IN is the folder of widephase.c, SOURCE the top of the tree. Built are, as far as this CPU runs them: one file
compiled with fused multiply-adds switched on, which it must not use, and three for one program: the baseline with
what it is told there is besides, and the kernels of AVX2 and of AVX-512 alone. Exit 77 where the compiler has no SIMDe
and needs it.
"""

import concurrent.futures
import os
import pathlib
import platform
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "house"))
from check_objects import FORBIDDEN, SKIPPED

WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wno-overlength-strings", "-Werror"]
AVX512 = ["-mavx512f", "-mavx512bw", "-mavx512dq", "-mavx512vl"]


def cpu_flags():
    """What this CPU has, as Linux names it."""
    path = pathlib.Path("/proc/cpuinfo")
    for line in path.read_text(encoding="utf-8").splitlines() if path.is_file() else []:
        if line.startswith("flags"):
            return set(line.split(":")[1].split())
    return set()


def programs():
    """{name: [flags of one object, ...]}."""
    flags = cpu_flags()
    if platform.machine() != "x86_64":
        return {"one file": [["-O2"]], "one lane": [["-O2", "-DWP_DROP_IN_SCALAR"]]}
    # At no level can anything be fused in the baseline.
    dispatched = [["-O1"]]
    result = {"several CPUs": dispatched}
    if {"avx2", "fma"} <= flags:
        dispatched[0].append("-DWP_HAVE_AVX2")
        dispatched.append(["-O1", "-mavx2", "-mfma", "-DWP_DROP_IN_KERNELS"])
        result["fused multiply-adds at hand"] = [["-O2", "-mavx2", "-mfma"]]
    if {"avx512f", "avx512bw", "avx512dq", "avx512vl"} <= flags:
        dispatched[0].append("-DWP_HAVE_AVX512")
        dispatched.append(["-O2", *AVX512, "-DWP_DROP_IN_KERNELS"])
    return result


def run(*command):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(str(part) for part in command)}\n{done.stdout}{done.stderr}")
    return done.stdout


def fused(objdump, objects):
    """Fused and approximate instructions of the objects."""
    words = (line.split("\t") for item in objects for line in run(objdump, "-d", "--no-show-raw-insn", item).splitlines())
    return sorted({part[1].split()[0] for part in words if len(part) > 1 and FORBIDDEN.match(part[1].split()[0])})


def roots_called(objdump, objects):
    """Square roots that are calls of the C library, not instructions."""
    undefined = (line.split() for item in objects for line in run(objdump, "-t", item).splitlines() if "*UND*" in line)
    return sorted({words[-1] for words in undefined} & {"sqrt", "sqrtf"})


def main(arguments):
    drop_in, source, objdump, compiler = pathlib.Path(arguments[0]), pathlib.Path(arguments[1]), arguments[2], arguments[3:]
    has_simde = subprocess.run([*compiler, "-E", "-x", "c", "-", "-o", "-"], input="#include <simde/x86/sse2.h>\n",
        capture_output=True, text=True, check=False).returncode == 0
    if platform.machine() != "x86_64" and not has_simde:
        print("no SIMDe in the include path")
        return SKIPPED
    tests, wanted = source / "tests", programs()
    with tempfile.TemporaryDirectory() as place, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        folder = pathlib.Path(place)

        def compiled(name, number, flags):
            path = folder / f"{name}-{number}.o"
            run(*compiler, *flags, *WARNINGS, "-c", drop_in / "widephase.c", "-o", path)
            return path

        # Each takes a minute or so of one core.
        under_way = {name: [pool.submit(compiled, name, *item) for item in enumerate(objects)]
            for name, objects in wanted.items()}
        for name, objects in wanted.items():
            paths = [item.result() for item in under_way[name]]
            found = fused(objdump, paths) + (roots_called(objdump, paths) if platform.machine() == "x86_64" else [])
            if found:
                sys.exit(f"{name}: {', '.join(found)}")
            program = folder / "parity"
            support = [tests / "support" / file for file in ("gen.c", "gen_random.c", "gen_2d.c")]
            run(*compiler, "-O1", f"-I{source / 'include'}", f"-I{tests}", tests / "kernels" / "parity.c", *support, *paths, "-lm",
                "-lpthread", "-o", program)
            print(f"{name}: {' / '.join(' '.join(flags) for flags in objects)}")
            print(run(program, tests / "kernels" / "parity.digests", "--few-ways"), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
