#!/usr/bin/env python3
"""Checks that calls among the files of the libraries run one way, by the symbols of the objects.

usage: check_calls.py NM ROOT LIBRARY...   check static libraries that were made of the source tree at ROOT
       check_calls.py --self-test          check that every rule catches a violation

No file calls itself by way of others, and none calls into a room after its own, in the order of the rooms in
check_layers.py: includes show no order of public calls, nor of a header whose functions stand elsewhere. The tables
of the kernels come after the files that name them, so that calls go there through their pointers alone.
"""

import pathlib
import sys

sys.dont_write_bytecode = True

from check_layers import ROOMS
from check_objects import KERNEL_SYMBOLS, Object, read_symbols

NAMES_KERNELS = ("src/job/registry.c", "src/job/method_registry.c")


def sources_of(root):
    """By the name of an object, the source that Meson makes it of."""
    sources = [path.relative_to(root).as_posix() for room in ROOMS for path in sorted((root / room).glob("*.c"))]
    return {source.removeprefix("src/").replace("/", "_") + ".o": source for source in sources}


def room_of(source):
    return source.rsplit("/", 1)[0]


def calls_among(objects, sources):
    """{file: {other file: symbols of the other that it uses}}; a kernel's file is one, whatever variants it is built for."""
    defined = {symbol: sources[item.name] for item in objects for symbol in item.defined}
    calls = {sources[item.name]: {} for item in objects}
    for item in objects:
        for symbol in item.undefined & defined.keys():
            calls[sources[item.name]].setdefault(defined[symbol], set()).add(symbol)
    return calls


def reached_from(calls, start):
    reached, waiting = set(), [start]
    while waiting:
        for other in calls[waiting.pop()]:
            if other not in reached:
                reached.add(other)
                waiting.append(other)
    return reached


def circles_of(calls):
    """The largest sets of files that each call all the others, in one step or more."""
    reached = {source: reached_from(calls, source) for source in calls}
    circles = {frozenset(other for other in reached[source] if source in reached[other]) for source in calls}
    return sorted(sorted(circle) for circle in circles if len(circle) > 1)


def check_circles(calls):
    problems = []
    for circle in circles_of(calls):
        ways = [f"{source} calls {', '.join(sorted(calls[source][other]))} of {other}"
            for source in circle for other in circle if other in calls[source]]
        problems.append(f"{', '.join(circle)} call each other in a circle: " + "; ".join(ways))
    return problems


def check_rooms(calls):
    rank = {room: i for i, room in enumerate(ROOMS)}
    problems = []
    for source in sorted(calls):
        for other, symbols in sorted(calls[source].items()):
            if rank[room_of(other)] <= rank[room_of(source)]:
                continue
            tables = {symbol for symbol in symbols if source in NAMES_KERNELS and symbol.startswith(tuple(KERNEL_SYMBOLS))}
            problems += [f"{source} calls {symbol} of {other}, a room after its own" for symbol in sorted(symbols - tables)]
    return problems


def check_present(objects, sources):
    """Nothing is left out: a room of which the libraries hold one file they hold entirely."""
    names = {item.name for item in objects}
    problems = [f"{name}: an object of no source" for name in sorted(names - sources.keys())]
    rooms = {room_of(sources[name]) for name in names & sources.keys()}
    missing = sorted(source for name, source in sources.items() if room_of(source) in rooms and name not in names)
    problems += [f"{source} has no object" for source in missing]
    return problems or ([] if names else ["no objects"])


def check(objects, sources):
    problems = check_present(objects, sources)
    if problems:
        return problems
    calls = calls_among(objects, sources)
    return check_circles(calls) + check_rooms(calls)


# A small library without a violation: by object what it defines and what it uses.
CLEAN = {
    "shape_hull.c.o": ("wp_hull_build", "wp_hull_check memcpy"),
    "shape_hull_check.c.o": ("wp_hull_check", "wp_hull_vertex"),
    "shape_hull_read.c.o": ("wp_hull_vertex", ""),
    "job_registry.c.o": ("wp_registry_find", "wp_kernels_scalar"),
    "batch_run.c.o": ("wp_run_batch wp_contact", "wp_registry_find wp_hull_vertex"),
    "motion_cast.c.o": ("wp_cast", "wp_run_batch"),
    "wide_kernels.c.o": ("wp_kernels_scalar", ""),
}

# Objects that are added or replaced, or left out, and what the report must contain.
VIOLATIONS = [
    ({"shape_hull_read.c.o": ("wp_hull_vertex", "wp_hull_build")},
        "src/shape/hull.c, src/shape/hull_check.c, src/shape/hull_read.c call each other in a circle: "
        "src/shape/hull.c calls wp_hull_check of src/shape/hull_check.c; "
        "src/shape/hull_check.c calls wp_hull_vertex of src/shape/hull_read.c; "
        "src/shape/hull_read.c calls wp_hull_build of src/shape/hull.c"),
    ({"batch_run.c.o": ("wp_run_batch", "wp_cast")},
        "src/batch/run.c, src/motion/cast.c call each other in a circle: src/batch/run.c calls wp_cast of src/motion/cast.c; "
        "src/motion/cast.c calls wp_run_batch of src/batch/run.c"),
    ({"motion_cast.c.o": ("wp_cast", ""), "batch_run.c.o": ("wp_run_batch", "wp_cast")},
        "src/batch/run.c calls wp_cast of src/motion/cast.c, a room after its own"),
    ({"job_registry.c.o": ("wp_registry_find", "wp_kernels_scalar wp_contact")},
        "src/job/registry.c calls wp_contact of src/batch/run.c, a room after its own"),
    ({"shape_hull_read.c.o": ("wp_hull_vertex", "wp_kernels_scalar")},
        "src/shape/hull_read.c calls wp_kernels_scalar of src/wide/kernels.c, a room after its own"),
    ({"batch_other.c.o": ("wp_other", "")}, "batch_other.c.o: an object of no source"),
    ({"shape_hull_check.c.o": None}, "src/shape/hull_check.c has no object"),
    (dict.fromkeys(CLEAN), "no objects"),
]


def objects_of(library):
    objects = []
    for name, symbols in library.items():
        if symbols is not None:
            objects.append(Object(name))
            objects[-1].defined, objects[-1].undefined = (set(words.split()) for words in symbols)
    return objects


def self_test():
    sources = {name: "src/" + name.removesuffix(".o").replace("_", "/", 1) for name in CLEAN}
    failures = [f"clean library: {problem}" for problem in check(objects_of(CLEAN), sources)]
    for change, expected in VIOLATIONS:
        problems = check(objects_of({**CLEAN, **change}), sources)
        if expected not in problems:
            failures.append(f"not caught: {change}; reported: {problems}")
    print("\n".join(failures) or f"{len(VIOLATIONS)} violations caught")
    return 1 if failures else 0


def main(arguments):
    if arguments == ["--self-test"]:
        return self_test()
    if len(arguments) < 3 or arguments[0].startswith("-"):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    nm, root, libraries = arguments[0], pathlib.Path(arguments[1]), arguments[2:]
    objects = [item for library in libraries for item in read_symbols(nm, library)]
    problems = check(objects, sources_of(root))
    print("\n".join(problems) or f"calls run one way among {len({item.name for item in objects})} files")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
