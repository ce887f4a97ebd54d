#!/usr/bin/env python3
"""Shows the comments of a public header to Doxygen, which takes none but marked ones for documentation.

usage: comments.py HEADER      the header as Doxygen wants it, on standard output, line for line

The headers have plain comments, and this is what each is about:
  - the first one of a file: the file; so is one with an empty line after it;
  - one behind code: what is on its line;
  - any other: what follows up to the next empty line, all declarations there that have none of their own.
Headings between dashes are for readers of the header alone. In a list of `name   text` lines each is an item.
"""

import pathlib
import re
import sys

COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
HEADING = re.compile(r"/\* -{4}")
# Where what one comment is about ends: an empty line, another comment, the end of a struct, a directive.
END = re.compile(r"(?:\s*\n|(?<=\n))[ \t]*(?=\n|/\*|\}|#(?!define)|static_assert|\w+:\s*\n)|\s*\Z")
BEHIND = re.compile(r"[ \t]*/\*")
DIRECTIVE = re.compile(r"\s*#(?!define)")
# Fields that one comment behind them describes: Doxygen would take it for the last one's alone.
SEVERAL = re.compile(r"[^(){}<]*,[^(){}]*;\s*\Z")
ITEM = re.compile(r"^( \* {1,2})(?! )(\w+) {2,}(?=\S)", re.MULTILINE)


def statement_end(text, start):
    """Past the declaration or the macro that comes next."""
    start = re.compile(r"\s*").match(text, start).end()
    if text.startswith("#define", start):
        return text.index("\n", start) + 1
    depth = 0
    for position in range(start, len(text)):
        letter = text[position]
        depth += (letter in "({[") - (letter in ")}]")
        closes = letter == ";" or (letter == "}" and text[position + 1] == "\n")
        if depth == 0 and closes:
            return position + 1
    return len(text)


def code(text):
    """The text with blanks for comments, so that positions stay."""
    return COMMENT.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)


def run_end(plain, text, start):
    """(where the declarations that start there end, how many there are); one with a comment of its own ends them"""
    if DIRECTIVE.match(text, start):
        return start, 1
    count, end = 0, start
    while count == 0 or not END.match(text, end):
        after = statement_end(plain, end)
        if count > 0 and BEHIND.match(text, after):
            break
        count, end = count + 1, after
    return end, count


def shown(text, name):
    """The text of the header of that name, with its comments marked."""
    plain = code(text)
    pieces = []  # (where, length of what is there, what to put there)
    for number, found in enumerate(COMMENT.finditer(text)):
        start, end = found.span()
        line = text.rfind("\n", 0, start) + 1
        body = ITEM.sub(r"\1- `\2`: ", found[0][2:]).replace(" .. ", "..")  # no end of a sentence
        if HEADING.match(found[0]):
            continue
        if SEVERAL.match(text[line:start]):
            pieces += [(line, 0, "/**@{*//**" + body), (start, end - start, "/**@}*/")]
        elif text[line:start].strip():
            pieces.append((start, end - start, "/**<" + body))
        elif number == 0:
            pieces.append((start, end - start, f"/** @file {name}" + body))
        elif text.startswith("\n\n", end):
            pieces.append((start, end - start, f"/*! @file {name}" + body))  # more of it, without a short form
        else:
            last, count = run_end(plain, text, end)
            several = count > 1 or SEVERAL.match(plain[end:last])
            pieces.append((start, end - start, ("/**@{*/" if several else "") + "/**" + body))
            if several:
                pieces.append((last, 0, "/**@}*/"))
    out, position = "", 0
    for start, length, piece in sorted(pieces):
        out += text[position:start] + piece
        position = start + length
    return out + text[position:]


def main(arguments):
    path = pathlib.Path(arguments[0])
    print(shown(path.read_text(encoding="utf-8"), path.name), end="")


if __name__ == "__main__":
    main(sys.argv[1:])
