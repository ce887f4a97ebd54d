#!/usr/bin/env python3
"""Writes the drop-in: the library as one C file and its headers, to be compiled without a build system.

usage: drop_in.py ROOT VERSION OUT_FOLDER SOURCE...

SOURCE are the C files of the core library and the reference. Written are widephase.c, widephase.h, widephase.hpp and
widephase.c.d, which names all files read. The kernels are in it twice: of one lane, and of as many as the compiler's
flags allow. A name that two files have to themselves gets the name of its file behind it.
"""

import pathlib
import re
import sys

TOKEN = re.compile(r"""//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|<[a-z0-9_/]+\.h>"""
    r"""|[A-Za-z_]\w*|\.?[0-9](?:[eEpP][+-]|[\w.])*|->|\s+|.""", re.DOTALL)
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"][^\n]*\n', re.MULTILINE)
GUARD = re.compile(r"^#ifndef (\w+_H)\n#define \1\n(.*)^#endif\n\Z", re.MULTILINE | re.DOTALL)
MACRO = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", re.MULTILINE)
DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n\\]|\\.)*\n", re.MULTILINE | re.DOTALL)
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)

# Words that make a function or an array a file's own.
STATIC = {"static", "WP_INLINE", "WP_NOINLINE", "WP_INLINE_LARGE", "WP_INLINE_NATIVE"}
STATIC_MACRO = re.compile(r"^#define (\w+) WP_(?:NO)?INLINE$", re.MULTILINE)

# The header of four lanes where the machine is not x86.
SIMDE = "simde/x86/sse2.h"

# What the opening of the drop-in includes for all files; another header needs its place there.
OPENED = {"assert.h", "cpuid.h", "fenv.h", "float.h", "limits.h", "math.h", "stdbool.h", "stddef.h", "stdint.h", "string.h",
    "emmintrin.h", "immintrin.h", "intrin.h", "xmmintrin.h", "simde/x86/avx512.h", SIMDE}

# Stands before all else, so that it alone is heard where it refuses.
COMPILER = "src/core/compiler.h"

# Square roots that are instructions, whatever the flags for errno.
ROOTS = {"__builtin_sqrtf": "wp_drop_in_sqrtf", "__builtin_sqrt": "wp_drop_in_sqrt", "sqrt": "wp_drop_in_sqrt"}

OPENING = r"""
#ifdef __cplusplus
#error "widephase.c is C: compile it as such, and include widephase.hpp or widephase.h in C++"
#endif

#include <float.h>

@COMPILER@

/* No fused multiply-adds: their bits are others. Clang's -ffp-contract=fast would override this. GCC 12 fuses a product
 * with a sum in one lane and a difference in the next all the same, when it makes vectors of straight code. */
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#elif defined(__FMA__) || defined(__AVX512F__)
#pragma GCC optimize("fp-contract=off", "no-tree-slp-vectorize")
#else
#pragma GCC optimize("fp-contract=off")
#endif

#ifndef WP_DROP_IN_ASSERTIONS
#undef NDEBUG
#define NDEBUG
#endif
#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The kernels beside the one-lane kernels, by the flags of the compiler. */
#if defined(WP_DROP_IN_SCALAR)
#elif defined(__x86_64__) && defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512DQ__) && \
	defined(__AVX512VL__)
#define WP_DROP_IN_WIDTH 16
#define WP_DROP_IN_VARIANT avx512
#define WP_HAVE_AVX512
#elif defined(__x86_64__) && defined(__AVX2__)
#define WP_DROP_IN_WIDTH 8
#define WP_DROP_IN_VARIANT avx2
#define WP_HAVE_AVX2
#elif defined(__x86_64__) || defined(__i386__)
#define WP_DROP_IN_WIDTH 4
#define WP_DROP_IN_VARIANT sse2
#define WP_HAVE_SSE2
#elif defined(__aarch64__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define WP_DROP_IN_WIDTH 4
#define WP_DROP_IN_VARIANT neon
#define WP_HAVE_NEON
#elif defined(__wasm_simd128__)
#define WP_DROP_IN_WIDTH 4
#define WP_DROP_IN_VARIANT wasm
#define WP_HAVE_WASM
#endif
#define WP_HAVE_SCALAR

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#elif !defined(__wasm__)
#include <fenv.h>
#endif

#if defined(WP_DROP_IN_WIDTH) && !defined(__x86_64__) && !defined(__i386__)
#if defined(__has_include) && !__has_include(@SIMDE@)
#error "SIMDe is not in the include path: add it, or compile with -DWP_DROP_IN_SCALAR for one lane"
#else
#define SIMDE_ENABLE_NATIVE_ALIASES
#include @SIMDE@
#endif
#endif

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC visibility push(hidden)

/* Square roots as instructions, whatever the flags for errno. */
static inline float wp_drop_in_sqrtf(float value)
{
#if defined(__x86_64__) || defined(__i386__)
	return _mm_cvtss_f32(_mm_sqrt_ss(_mm_set_ss(value)));
#elif defined(__aarch64__)
	return vget_lane_f32(vsqrt_f32(vdup_n_f32(value)), 0);
#else
	return __builtin_sqrtf(value);
#endif
}

static inline double wp_drop_in_sqrt(double value)
{
#if defined(__x86_64__) || defined(__i386__)
	return _mm_cvtsd_f64(_mm_sqrt_sd(_mm_set_sd(value), _mm_set_sd(value)));
#elif defined(__aarch64__)
	return vget_lane_f64(vsqrt_f64(vdup_n_f64(value)), 0);
#else
	return __builtin_sqrt(value);
#endif
}
"""


class Piece:
    """One file: its text without includes and guard, what it includes, and the names it has to itself."""

    def __init__(self, tree, name):
        self.name = name
        self.suffix = "_" + "_".join(pathlib.PurePath(name).with_suffix("").parts[1:])
        text = tree.read(name)
        self.includes = []
        for kind, target in INCLUDE.findall(text):
            if kind == '"' and not target.startswith("widephase/"):
                self.includes.append(tree.piece(tree.find(name, target)))
            elif kind == "<" and target not in OPENED:
                sys.exit(f"{name}: the opening of the drop-in does not include <{target}>")
        text = INCLUDE.sub("", text)
        guarded = GUARD.search(text)
        self.text = text[:guarded.start()] + guarded.group(2) if guarded else text
        inherited = set().union(*(piece.visible for piece in self.includes))
        self.own = own_names(self.text) - inherited
        self.visible = self.own | inherited

    def closure(self):
        """This piece after all that it includes, each once."""
        pieces = []
        for piece in self.includes:
            pieces += [other for other in piece.closure() if other not in pieces]
        return pieces + [self]


class Tree:
    def __init__(self, root):
        self.root = root
        self.pieces = {}
        self.files = set()

    def read(self, name):
        self.files.add(self.root / name)
        return (self.root / name).read_text(encoding="utf-8")

    def find(self, name, target):
        """A quoted include: beside the file, or in src."""
        beside = f"{pathlib.PurePath(name).parent}/{target}"
        return beside if (self.root / beside).is_file() else f"src/{target}"

    def piece(self, name):
        if name not in self.pieces:
            self.pieces[name] = Piece(self, name)
        return self.pieces[name]


def own_names(text):
    """Names of file scope that other files do not mean: macros, types, enumerators, static functions and objects."""
    names = set(MACRO.findall(text))
    static = STATIC | set(STATIC_MACRO.findall(text))
    tokens = [token for token in TOKEN.findall(COMMENT.sub(" ", DIRECTIVE.sub("\n", text))) if not token.isspace()]
    statement, depth = [], 0
    for token in tokens:
        depth += token in "{(["
        statement.append((token, depth))
        depth -= token in "})]"
        if depth == 0 and (token == ";" or (token == "}" and is_function(statement))):
            names |= names_of(statement, static)
            statement = []
    return names


def is_function(statement):
    """Whether a statement that a brace closes is done: a type or an initialiser goes on."""
    first = next(i for i, (token, _) in enumerate(statement) if token == "{")
    return first > 0 and statement[first - 1][0] == ")"


def names_of(statement, static):
    """What a statement of file scope declares for its file alone; `static` are words for that."""
    outer = [token for token, depth in statement if depth == 0]
    words = [token for token, _ in statement]
    names = set()
    for i, word in enumerate(words[:-2]):
        if word in ("struct", "union", "enum") and words[i + 2] == "{":
            names.add(words[i + 1])
    if "enum" in outer and "{" in words:
        body = words[words.index("{") + 1:]
        names |= {word for before, word in zip(["{"] + body, body) if before in "{," and word.isidentifier()}
    if outer[0] == "typedef":
        names.add(outer[-2])
    elif static & set(outer):
        # The name stands before the first bracket, or the first sign of a value.
        end = next(i for i, word in enumerate(words) if word in ("(", "[", "=", ";") and words[i - 1] not in ("__attribute__", "_Alignas"))
        names.add(words[end - 1])
    return names


def renamed(piece, names):
    """The text with other names, but for members and what is inside strings and comments."""
    out, before = [], ""
    for token in TOKEN.findall(piece.text):
        out.append(names.get(token, token) if before not in (".", "->") else token)
        if not token.isspace():
            before = token
    return "".join(out)


def section(piece, names):
    return f"\n/* ==== {piece.name} ==== */\n\n{renamed(piece, names).strip()}\n"


def names_in(piece, clashes):
    """What clashing names are called in a piece: after the file that they are of."""
    names = dict(ROOTS)
    for other in piece.closure():
        names.update({name: name + other.suffix for name in other.own & clashes})
    return names


def core_text(tree, sources):
    """The headers of src, all names, and the texts of these headers and of all other files."""
    pieces = []
    for source in sources:
        pieces += [piece for piece in tree.piece(source).closure() if piece not in pieces]
    seen, clashes = set(), set()
    for piece in pieces:
        clashes |= piece.own & seen
        seen |= piece.own
    headers = [piece for piece in pieces if piece.name.endswith(".h") and not piece.name.startswith("src/reference/")]
    texts = ["".join(section(piece, names_in(piece, clashes)) for piece in group if piece.name != COMPILER)
        for group in (headers, [piece for piece in pieces if piece not in headers])]
    return headers, seen, texts


def kernel_section(tree, headers, source, names, fresh, suffix, taken):
    """What one file of kernels adds: of all that it includes the pieces in `fresh`, with a suffix to their names,
    all or those that are taken, and others' names as they are called already."""
    pieces = [piece for piece in tree.piece(source).closure() if piece.name not in headers]
    names = dict(names)
    for piece in pieces:
        if not piece.name.startswith("src/wide/"):
            sys.exit(f"{piece.name}: the kernels include it, the core does not")
        if fresh(piece):
            names.update({name: name + suffix for name in (piece.own & taken if taken else piece.own)})
    return "".join(section(piece, names) for piece in pieces if fresh(piece)), names


def kernels_text(tree, headers, suffix, taken):
    """All kernels of one width: the 3D kernels, then what the other files add to them."""
    headers = {piece.name for piece in headers}
    shared = {piece.name for piece in tree.piece("src/wide/kernels.c").closure()}
    text, names = kernel_section(tree, headers, "src/wide/kernels.c", ROOTS, lambda piece: True, suffix, taken)
    for room in ("closed", "kept_polytopes", "manifolds", "rays", "meshes", "methods", "proven_depths", "kernels_2d"):
        text += kernel_section(tree, headers, f"src/wide/{room}.c", names, lambda piece: piece.name not in shared,
            f"{suffix}_{room}", None)[0]
    return text


def public_text(tree, name, seen):
    """A public header, those that it includes before it."""
    if name in seen:
        return ""
    seen.add(name)
    text = tree.read(f"include/{name}")
    before = "".join(public_text(tree, target, seen) for kind, target in INCLUDE.findall(text) if kind == '"')
    return before + INCLUDE.sub(lambda include: "" if '"' in include.group(0) else include.group(0), text) + "\n"


def banner(tree, version, about):
    licence = tree.read("LICENSE").strip().replace("\n", "\n * ").replace(" * \n", " *\n")
    return f"/* widephase {version}: {about}\n *\n * {licence} */\n"


USE = """the library in one file, generated from its sources.
 *
 *   cc -O2 -mavx2 -c widephase.c
 *
 * compiles the kernels of one lane and the kernels of the widest instruction set that the flags allow, with the bits of all
 * other builds. -DWP_DROP_IN_SCALAR leaves one lane alone. On x86 it needs the C library, elsewhere SIMDe in the
 * include path for more than one lane. Machines with one lane link it with -lm. On 32-bit x86 add -msse2 -mfpmath=sse. One
 * program for several CPUs: compile this file for the oldest of them, with -DWP_HAVE_AVX2 for what else there is, and once
 * more for that, with -mavx2 -DWP_DROP_IN_KERNELS, which leaves out all but its kernels; the workspace then takes what the
 * machine runs. GCC on Windows needs -Wa,-muse-unaligned-vector-move for more than 4 lanes (binutils 2.38), since its stack
 * is not aligned to them. A DLL of it is compiled with -DWP_SHARED -DWP_BUILDING. Assertions are for
 * -DWP_DROP_IN_ASSERTIONS."""


def main(arguments):
    if len(arguments) < 4:
        sys.exit(__doc__.strip())
    root, version, out = pathlib.Path(arguments[0]).resolve(), arguments[1], pathlib.Path(arguments[2])
    tree = Tree(root)
    headers, taken, (header_text, core) = core_text(tree,
        [pathlib.Path(source).resolve().relative_to(root).as_posix() for source in arguments[3:]])
    scalar = kernels_text(tree, headers, "_scalar", None)
    wide = kernels_text(tree, headers, "_wide", taken)
    text = banner(tree, version, USE) + OPENING.replace("@COMPILER@", tree.piece(COMPILER).text.strip()).replace("@SIMDE@", f"<{SIMDE}>")
    text = text.replace("\n#ifdef __cplusplus", '\n#include "widephase.h"\n\n#ifdef __cplusplus', 1) + header_text
    text += "\n#ifndef WP_DROP_IN_KERNELS\n" + core
    text += "\n/* ==== the kernels, one lane ==== */\n\n#define WP_WIDTH 1\n#define WP_VARIANT scalar\n" + scalar
    text += "\n#undef WP_WIDTH\n#undef WP_VARIANT\n#endif\n\n#ifdef WP_DROP_IN_WIDTH\n\n/* ==== the kernels, many lanes ==== */\n"
    text += "\n#define WP_WIDTH WP_DROP_IN_WIDTH\n#define WP_VARIANT WP_DROP_IN_VARIANT\n" + wide
    text += "\n#endif\n\n#pragma GCC visibility pop\n#pragma GCC diagnostic pop\n"
    (out / "widephase.c").write_text(text, encoding="utf-8")

    public = public_text(tree, "widephase/widephase.h", set())
    (out / "widephase.h").write_text(banner(tree, version, "all public headers, for widephase.c.") + "\n" + public,
        encoding="utf-8")
    plus = tree.read("include/widephase/widephase.hpp").replace('"widephase/widephase.h"', '"widephase.h"')
    (out / "widephase.hpp").write_text(banner(tree, version, "the C++ header, for widephase.c.") + "\n" + plus,
        encoding="utf-8")
    depends = " ".join(str(path).replace(" ", "\\ ") for path in sorted(tree.files))
    (out / "widephase.c.d").write_text(f"{out / 'widephase.c'}: {depends}\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
