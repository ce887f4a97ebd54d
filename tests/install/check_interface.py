#!/usr/bin/env python3
"""Checks that programs of the last release would run on this library: its calls, structs and numbers are as they were.

usage: check_interface.py SOURCE VERSION NM OBJDUMP [LIBRARY...] -- COMPILER...
       check_interface.py --renew     make last_release.h of today's headers, before a release

last_release.h, beside this file, declares the C interface of the last release. The compiler says where its structs have
their members and which values its constants have, and the same of today's headers; it compares the declarations of the
calls; the shared libraries must export them. What is new is allowed, and so is a higher count at the end of an enumeration.
"""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
RELEASED = pathlib.Path(__file__).resolve().parent / "last_release.h"
RENEW = "python3 tests/install/check_interface.py --renew"

sys.path[:0] = [str(RELEASED.parent), str(ROOT / "src" / "package")]
from check_exports import exports_of
from drop_in import COMMENT, Tree, public_text

BANNER = """/* The C interface of the last release: users of then are compiled with it. Made of the headers by
 * check_interface.py --renew. */
"""
STRUCT = re.compile(r"^typedef struct (\w+) \{\n(.*?)^\} \1;", re.MULTILINE | re.DOTALL)
ENUM = re.compile(r"^typedef enum (\w+) \{\n(.*?)^\} \1;", re.MULTILINE | re.DOTALL)
ALIAS = re.compile(r"^typedef (\w+) (\w+);", re.MULTILINE)
NUMBER = re.compile(r"^#define (WP(?!_VERSION_)\w+) +[\d(].*$", re.MULTILINE)
CALL = re.compile(r"^WP_API\s[^;(]*?\b(\w+)\([^;]*;", re.MULTILINE)
MEMBER = re.compile(r"\(\*(\w+)\)|(\w+)\s*(?:\[[^\]]*\]\s*)*$")


def interface_of(root):
    """All C headers in the order in which they include one another, without comments."""
    tree, seen = Tree(root), set()
    text = "".join(public_text(tree, f"widephase/{name}.h", seen) for name in ("widephase", "cook"))
    return re.sub(r"\n{3,}", "\n\n", re.sub(r"[ \t]+$", "", COMMENT.sub("", text), flags=re.MULTILINE)).strip() + "\n"


def version_of(text):
    return tuple(int(re.search(rf"#define WP_VERSION_{part} (\d+)", text)[1]) for part in ("MAJOR", "MINOR", "PATCH"))


def series_of(version):
    return ".".join(str(number) for number in (version[:2] if version[0] == 0 else version[:1]))


def members_of(body):
    for statement in body.split(";"):
        names = [statement] if "(*" in statement else statement.split(",")
        yield from (found[1] or found[2] for found in map(MEMBER.search, names) if found)


def facts_of(text):
    """{name: the expressions whose values a program has compiled in}"""
    facts = {}
    for struct, body in STRUCT.findall(text):
        facts[struct] = [f"sizeof({struct})"]
        for member in members_of(body):
            facts[f"{struct}.{member}"] = [f"offsetof({struct}, {member})", f"sizeof((({struct} *)0)->{member})"]
    for enum, body in ENUM.findall(text):
        facts[enum] = [f"sizeof({enum})"]
        facts.update({name: [name] for name in (part.split("=")[0].strip() for part in body.split(",")) if name})
    facts.update({alias: [f"sizeof({alias})"] for _, alias in ALIAS.findall(text)})
    facts.update({name: [name] for name in NUMBER.findall(text)})
    return facts


def ends_of(text):
    """The last names of enumerations, which count what is before them."""
    return {names[-1] for names in (re.findall(r"\bWP\w+", body) for _, body in ENUM.findall(text))
        if names[-1].endswith("_COUNT")}


def run(command, text=None):
    return subprocess.run([str(part) for part in command], input=text, capture_output=True, text=True, check=False)


def values(compiler, folder, header, facts):
    """{name: its numbers} in a program that includes this text."""
    lines = [f'\tprintf("{name}{" %.17g" * len(fact)}\\n", {", ".join(f"(double)({number})" for number in fact)});\n'
        for name, fact in facts.items()]
    text = f"{header}\n#include <stdio.h>\nint main(void)\n{{\n{''.join(lines)}\treturn 0;\n}}\n"
    done = run([*compiler, "-std=c17", "-x", "c", "-", "-o", folder / "facts"], text)
    if done.returncode != 0:
        sys.exit(done.stderr)
    return {name: " ".join(numbers) for name, *numbers in map(str.split, run([folder / "facts"]).stdout.splitlines())}


def changes(compiler, released, today):
    """What a program compiled with the one would find otherwise in the other."""
    old, new = facts_of(released), facts_of(today)
    problems = [f"{name}: gone" for name in old if name not in new]
    with tempfile.TemporaryDirectory() as name:
        common = {name: fact for name, fact in old.items() if name in new}
        before, now = (values(compiler, pathlib.Path(name), text, common) for text in (released, today))
    for name in common:
        if name in ends_of(released) and float(now[name]) >= float(before[name]):
            continue
        if before[name] != now[name]:
            problems.append(f"{name}: was {before[name]}, is {now[name]}")

    old_calls, calls = ({found[1]: found[0] for found in CALL.finditer(text)} for text in (released, today))
    problems += [f"{name}: not declared any more" for name in old_calls if name not in calls]
    for name in old_calls:
        if name in calls and " ".join(calls[name].split()) != " ".join(old_calls[name].split()):
            done = run([*compiler, "-std=c17", "-fsyntax-only", "-x", "c", "-"], f"{released}\n{calls[name]}\n")
            if done.returncode != 0:
                problems.append(f"{name}: was {old_calls[name]}, is {calls[name]}")
    return problems


def not_exported(released, nm, objdump, libraries):
    exported = set().union(*(exports_of(nm, objdump, library) for library in libraries))
    has_cook = any("cook" in library for library in libraries)
    wanted = [name for name in CALL.findall(released) if has_cook or not name.startswith("wp_cook_")]
    return [f"{name}: not exported any more" for name in wanted if libraries and name not in exported]


def check_control(compiler, today):
    """Every change of one kind is found, and what is added is not."""
    edits = {
        "wp_row.lower": ("\tfloat lower;\n\tfloat upper;\n", "\tfloat upper;\n\tfloat lower;\n"),
        "wp_statistics": ("\tuint64_t first_invalid_row;\n", "\tuint64_t first_invalid_row;\n\tuint64_t more;\n"),
        "WP_ERROR_NULL_MEMORY": ("\tWP_ERROR_NULL_MEMORY,\n", "\tWP_ERROR_NEW,\n\tWP_ERROR_NULL_MEMORY,\n"),
        "WP_WORKSPACE_SIZE": ("#define WP_WORKSPACE_SIZE (", "#define WP_WORKSPACE_SIZE (2 * "),
        "wp_shape_table_bound": ("wp_shape_table_bound(", "wp_shape_table_bounding("),
        "wp_hull_turned": ("int wp_hull_turned(", "float wp_hull_turned("),
        "": ("WP_API wp_variant wp_variant_best(void);", "WP_API wp_variant wp_variant_best(void);\n\nWP_API void wp_new(void);"),
        None: ("uint32_t wp_variant_width(wp_variant variant)", "uint32_t wp_variant_width(wp_variant other)"),
    }
    text = today
    for old, new in edits.values():
        if old not in text:
            sys.exit(f"the control changes {old!r}, which the headers do not have")
        text = text.replace(old, new, 1)
    found = {problem.split(":")[0] for problem in changes(compiler, today, text)}
    problems = [f"control: {name} has changed, and was not found" for name in edits if name and name not in found]
    wrong = found & {"wp_new", "wp_variant_best", "wp_variant_width", "WP_ERROR_COUNT"}
    return problems + [f"control: found {name}, which may change so" for name in sorted(wrong)]


def renew():
    RELEASED.write_text(BANNER + interface_of(ROOT), encoding="utf-8")
    if shutil.which("clang-format"):
        subprocess.run(["clang-format", "-i", RELEASED], check=True)
    print(f"{RELEASED.relative_to(ROOT)}: {'.'.join(map(str, version_of(RELEASED.read_text(encoding='utf-8'))))}")


def main(arguments):
    if arguments == ["--renew"]:
        return renew()
    if "--" not in arguments:
        sys.exit(__doc__.strip())
    (root, version, nm, objdump, *libraries), compiler = (
        arguments[:arguments.index("--")], arguments[arguments.index("--") + 1:])
    released, today = RELEASED.read_text(encoding="utf-8"), interface_of(pathlib.Path(root).resolve())
    numbers = version_of(today)
    if version != ".".join(map(str, numbers)):
        sys.exit(f"meson.build has version {version}, base.h {'.'.join(map(str, numbers))}")
    series, old_series = series_of(numbers), series_of(version_of(released))
    if series != old_series:
        sys.exit(f"this is {series}, and {RELEASED.name} is of {old_series}: {RENEW}")
    problems = changes(compiler, released, today) + not_exported(released, nm, objdump, libraries)
    if problems:
        print("\n".join(problems))
        sys.exit(f"\nPrograms of {series} would not run. If {series} has been released, raise the minor version in meson.build and "
            f"include/widephase/base.h (CONTRIBUTING.md, When a struct grows). Then {RENEW}")
    problems = check_control(compiler, today)
    print("\n".join(problems) or f"{len(facts_of(released))} structs, members and numbers and {len(CALL.findall(released))} calls are "
        f"as in {'.'.join(map(str, version_of(released)))}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
