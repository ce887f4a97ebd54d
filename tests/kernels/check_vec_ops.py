#!/usr/bin/env python3
"""Checks what the compiler made of the lanes' operations: vector instructions, and no more than it takes.

usage: check_vec_ops.py OBJDUMP OBJECT

OBJECT is tests/kernels/vec_ops.c, compiled for NEON: a function op_NAME for each operation. None may branch or call, so
none is a loop over lanes; none does arithmetic on single lanes or puts a general register into one; none has
more instructions than the table says. Where the disassembler does not know the object's machine: exit 77, which
is a skipped test.
"""

import re
import subprocess
import sys

SKIPPED = 77

# Most instructions of each operation besides the return, with loads of constants and copies of registers, and those
# of which it needs one. Where GCC and clang differ, the larger number stands.
OPERATIONS = {
    "vf_set": (1, "dup"), "vf_load": (1, "ldr"), "vf_store": (1, "str"),
    "vf_add": (1, "fadd"), "vf_sub": (1, "fsub"), "vf_mul": (1, "fmul"), "vf_div": (1, "fdiv"), "vf_sqrt": (1, "fsqrt"),
    "vf_min": (2, "fcmgt"), "vf_max": (2, "fcmgt"), "vf_select": (3, "bsl bit bif orr"),
    "vf_lt": (1, "fcmgt"), "vf_le": (1, "fcmge"), "vf_gt": (1, "fcmgt"), "vf_ge": (1, "fcmge"),
    "vf_neg": (2, "eor fneg"), "vf_abs": (2, "bic fabs"), "vf_with_sign": (3, "orr bsl bit bif"),
    "vf_flip_sign": (3, "eor"), "vf_from_int": (1, "scvtf"),
    "vf_from_bits": (0, ""), "vi_from_bits": (0, ""),
    "vi_set": (1, "dup"), "vi_load": (1, "ldr"), "vi_store": (1, "str"),
    "vi_add": (1, "add"), "vi_sub": (1, "sub"), "vi_and": (1, "and"), "vi_or": (1, "orr"), "vi_xor": (1, "eor"),
    "vi_eq": (1, "cmeq"), "vi_gt": (1, "cmgt"), "vi_select": (3, "bsl bit bif orr"),
    "vi_max": (1, "smax"), "vi_top": (2, "smaxv"), "vi_element": (4, "shl"), "vi_lowest_bit": (5, "clz"),
    "vi_from_bytes": (6, "zip1 ushll uxtl"), "vf_pick": (6, "tbl"),
    "vi_shift_left": (1, "shl"), "vi_shift_right": (2, "ushr ushl"),
    "vm_and": (1, "and"), "vm_or": (1, "orr"), "vm_andnot": (1, "bic"), "vm_xor": (1, "eor"), "vm_not": (1, "mvn not"),
    "vm_bits": (5, "addv"), "vm_from_bits": (4, "cmtst"), "vm_any": (4, "xtn"),
    # Four moves of indices to general registers, four loads or stores, and what brings four values together.
    "vf_gather": (14, "ldr"), "vi_gather": (14, "ldr"), "vf_scatter": (14, "str"), "vi_scatter": (14, "str"),
    "vf4_gather": (21, "zip1"), "vf4_scatter": (21, "zip1"), "vf_transpose_rows": (18, "zip1"), "vf_tops": (18, "zip1"),
}

BRANCH = re.compile(r"^(?:b|bl|br|blr|b\..*|cbn?z|tbn?z)$")
# Arithmetic on single lanes, and general registers put into lanes.
SINGLE = re.compile(r"^(?:f(?:add|sub|mul|div|sqrt|min|max|cmpe?|csel)|[su]cvtf) [sd]\d|^(?:mov|ins) v\d+\.s\[\d\], w")


def read_functions(objdump, path):
    """Name to the list of instructions, each with its operands; None where the machine is unknown."""
    done = subprocess.run([objdump, "-d", "--no-show-raw-insn", path], capture_output=True, text=True)
    if done.returncode != 0:
        return None
    functions, current = {}, None
    for line in done.stdout.splitlines():
        match = re.match(r"[0-9a-f]+ <op_(\w+)>:", line)
        if match:
            current = functions.setdefault(match.group(1), [])
        match = re.match(r"\s+[0-9a-f]+:\s+(.*)", line)
        if match and current is not None:
            text = " ".join(match.group(1).split("//")[0].split())
            if text not in ("ret", "nop"):
                current.append(text)
    return functions


def check(name, instructions):
    most, needed = OPERATIONS[name]
    mnemonics = [text.split()[0] for text in instructions]
    problems = [f"{name}: {text}" for text in instructions if BRANCH.match(text.split()[0]) or SINGLE.match(text)]
    if len(instructions) > most:
        problems.append(f"{name}: {len(instructions)} instructions, not {most} or fewer")
    if needed and not set(needed.split()) & set(mnemonics):
        problems.append(f"{name}: none of {needed}")
    return problems


def main(arguments):
    if len(arguments) != 2:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    functions = read_functions(*arguments)
    if functions is None:
        print("the disassembler does not know this machine")
        return SKIPPED
    problems = [f"{name}: {'not compiled' if name in OPERATIONS else 'no row in the table'}"
        for name in sorted(OPERATIONS.keys() ^ functions.keys())]
    for name in OPERATIONS:
        if name not in functions:
            continue
        problems += check(name, functions[name])
        print(f"{name:<18} {len(functions[name]):>3}  {'; '.join(functions[name])}")
    print("\n".join(problems) or f"{len(functions)} operations hold")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
