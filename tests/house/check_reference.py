#!/usr/bin/env python3
"""Makes the API reference by Doxygen, which must print nothing, and checks that it has what the headers have.

usage: check_reference.py DOXYGEN DOXYFILE INCLUDE      INCLUDE is the folder of the public headers

Every header must be on the main page, every function on its header's page with all words of its comment, and every
member of the reference must have a description. A header without one of its comments must be refused. Exit 77 where
there is no Doxygen (DOXYGEN is "").
"""

import html
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

SKIPPED = 77
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
# Lines without an empty one between them, and the calls among them.
PARAGRAPH = re.compile(r"(?:.+\n)+")
# Where Doxygen would take a paragraph for a part of the last item.
LIST_WITHOUT_END = re.compile(r"^\s*\*  +- .*\n(?:\s*\*   +.*\n)*\s*\* (?! )(?=\S)", re.MULTILINE)
CALL = re.compile(r"^(?:WP_API|static inline)\s[^;(]*?\b(\w+)\([^;]*;(?:[ \t]*(/\*.*?\*/))?", re.MULTILINE | re.DOTALL)


def words(text):
    return " ".join(re.findall(r"[A-Za-z0-9]+", text))


def generate(doxygen, doxyfile, out, **settings):
    """(exit status, what Doxygen printed)"""
    changed = {"OUTPUT_DIRECTORY": f'"{out}"', "GENERATE_XML": "YES", **settings}
    text = pathlib.Path(doxyfile).read_text(encoding="utf-8") + "".join(f"{key} = {value}\n" for key, value in changed.items())
    done = subprocess.run([doxygen, "-"], input=text, cwd=out, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        check=False)
    return done.returncode, done.stdout


def calls(header):
    """(name, comment) of every call of a header: the one behind it, or the one before the lines it is among."""
    for paragraph in PARAGRAPH.findall(header.read_text(encoding="utf-8")):
        before = COMMENT.match(paragraph)
        for name, behind in CALL.findall(paragraph):
            yield name, behind or (before[0] if before else "")


def shown(page, name):
    """The words of a page that stand by a call: in the list and in the part with the details."""
    pieces = re.split(r'(?=<tr class="memitem:|<h2 class="memtitle">)', page)
    texts = (html.unescape(re.sub(r"<[^>]*>", " ", piece)) for piece in pieces)
    return words(" ".join(text for text in texts if re.search(rf"\b{name}\s*\(", text)))


def check_pages(out, include):
    main = (out / "html" / "index.html").read_text(encoding="utf-8")
    problems = [f"{header.name}: not on the main page" for header in include.glob("*.h*") if f">{header.name}<" not in main]
    count = 0
    for header in sorted(include.glob("*.h*")):
        for found in LIST_WITHOUT_END.findall(header.read_text(encoding="utf-8")):
            problems.append(f"{header.name}: no empty line after the list that ends with {words(found)[-60:]}")
    for header in sorted(include.glob("*.h")):
        stem = header.stem.replace("_", "__")
        page = (out / "html" / f"{stem}_8h.html").read_text(encoding="utf-8")
        for name, comment in calls(header):
            count += 1
            if not comment:
                problems.append(f"{header.name}: {name} has no comment")
            elif words(comment) not in shown(page, name):
                problems.append(f"{header.name}: {name} is not shown with \"{words(comment)[:60]}...\"")
    return count, problems


def check_members(out):
    """What Doxygen does not warn of: values of enumerations, say."""
    count, problems = 0, []
    for path in sorted((out / "xml").glob("*_8h*.xml")) + sorted((out / "xml").glob("*wp*.xml")):
        for member in ElementTree.parse(path).iter():
            if member.tag not in ("memberdef", "enumvalue") or member.get("prot") == "private":
                continue
            count += 1
            parts = (member.find("briefdescription"), member.find("detaileddescription"))
            if not any("".join(part.itertext()).strip() for part in parts if part is not None):
                problems.append(f"{path.stem}: {member.findtext('name')} has no description")
    return count, problems


def check_control(doxygen, doxyfile, include, folder):
    """A call without its comment is refused, by name."""
    source, out = folder / "control", folder / "control-out"
    source.mkdir()
    out.mkdir()
    text = (include / "base.h").read_text(encoding="utf-8")
    bare = re.sub(r"/\* Version of the library[^/]*\*/\n", "\n", text)
    (source / "base.h").write_text(bare, encoding="utf-8")
    status, said = generate(doxygen, doxyfile, out, INPUT=f'"{source}"')
    return [] if bare != text and status != 0 and "wp_version" in said else [f"not refused: wp_version without a comment\n{said}"]


def main(arguments):
    doxygen, doxyfile, include = arguments[0], arguments[1], pathlib.Path(arguments[2])
    if not doxygen:
        print("no Doxygen")
        return SKIPPED
    with tempfile.TemporaryDirectory() as name:
        out = pathlib.Path(name)
        status, said = generate(doxygen, doxyfile, out)
        if status != 0 or said:
            sys.exit(f"Doxygen, exit status {status}\n{said}")
        call_count, problems = check_pages(out, include)
        member_count, more = check_members(out)
        problems += more + check_control(doxygen, doxyfile, include, out)
    if problems or call_count == 0 or member_count < call_count:
        sys.exit("\n".join(problems) or "no calls")
    print(f"{call_count} calls are shown with their text, {member_count} members have a description")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
