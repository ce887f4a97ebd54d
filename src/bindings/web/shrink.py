#!/usr/bin/env python3
"""Writes a copy of a WebAssembly module in which constant vectors of equal lanes are splats of an integer: 4 to 13 bytes each
instead of 18. V8 makes as many instructions of these as of a constant: one of zero, three of others. Of all ones it makes one if
they are a constant, and of floats that are splat it makes more: so these are none.

Before that wasm-opt, where it is given, goes over the module once more: emscripten's own run of it leaves what a second one
finds. Then it makes a local of a constant that a function repeats, which is 1.1 % of the module; V8's code takes the same time.

Places in the code change, so debug information of lines would be wrong.

usage: shrink.py MODULE.wasm OUT.wasm [WASM_OPT]
"""

import pathlib
import struct
import subprocess
import sys

MAGIC = b"\0asm\1\0\0\0"
CODE = 10

# What follows an opcode: so many LEB128 numbers, and so many bytes.
NUMBERS = {opcode: count for opcodes, count in (
    ((0x02, 0x03, 0x04, 0x0c, 0x0d, 0x10, 0x20, 0x21, 0x22, 0x23, 0x24, 0x3f, 0x40, 0x41, 0x42), 1),
    ((0x11, *range(0x28, 0x3f)), 2)) for opcode in opcodes}
BYTES = {0x43: 4, 0x44: 8}
TABLE_BRANCH, TYPED_SELECT, MORE, VECTOR = 0x0e, 0x1c, 0xfc, 0xfd
PLAIN = {0x00, 0x01, 0x05, 0x0b, 0x0f, 0x1a, 0x1b, *range(0x45, 0xc5)}
# Of memory and tables, beside the conversions 0 to 7.
MORE_NUMBERS = {8: 2, 9: 1, 10: 2, 11: 1}
VECTOR_CONSTANT, VECTOR_SHUFFLE = 12, 13
# Opcodes of the splats, after VECTOR.
INT32_SPLAT, INT64_SPLAT = 17, 18
ALL_ONES = b"\xff" * 16


def unsigned(number):
    """A number as LEB128."""
    made = bytearray()
    while number > 0x7f:
        made.append(number & 0x7f | 0x80)
        number >>= 7
    return bytes(made + bytes([number]))


def signed(number):
    made = bytearray()
    while not -0x40 <= number < 0x40:
        made.append(number & 0x7f | 0x80)
        number >>= 7
    return bytes(made + bytes([number & 0x7f]))


def splat_of(vector):
    """The shortest code for a vector of 16 bytes."""
    ways = [bytes([VECTOR, VECTOR_CONSTANT]) + vector]
    if vector == vector[:4] * 4 and vector != ALL_ONES:
        ways.append(b"\x41" + signed(struct.unpack("<i", vector[:4])[0]) + bytes([VECTOR, INT32_SPLAT]))
    if vector == vector[:8] * 2 and vector != ALL_ONES:
        ways.append(b"\x42" + signed(struct.unpack("<q", vector[:8])[0]) + bytes([VECTOR, INT64_SPLAT]))
    return min(ways, key=len)


class Reader:
    """Code, from a place on."""

    def __init__(self, data, at=0):
        self.data = data
        self.at = at

    def number(self):
        number = shift = 0
        while True:
            byte = self.data[self.at]
            self.at += 1
            number |= (byte & 0x7f) << shift
            shift += 7
            if byte < 0x80:
                return number

    def take(self, size):
        self.at += size
        return self.data[self.at - size:self.at]

    def vector(self):
        """After VECTOR: the constant, if it is one."""
        opcode = self.number()
        if opcode == VECTOR_CONSTANT:
            return self.take(16)
        if opcode == VECTOR_SHUFFLE:
            self.take(16)
        elif opcode < VECTOR_CONSTANT or 84 <= opcode <= 93:
            self.number()
            self.number()
            self.take(1 if 84 <= opcode <= 91 else 0)
        elif 21 <= opcode <= 34:
            self.take(1)
        return None

    def instruction(self):
        """Past the next one; its vector, if it is a constant one."""
        opcode = self.take(1)[0]
        if opcode == VECTOR:
            return self.vector()
        if opcode == MORE:
            which = self.number()
            if which > max(MORE_NUMBERS):
                raise ValueError(f"unknown opcode {MORE:#x} {which}")
            count = MORE_NUMBERS.get(which, 0)
        elif opcode in (TABLE_BRANCH, TYPED_SELECT):
            count = self.number() + (opcode == TABLE_BRANCH)
        elif opcode in NUMBERS or opcode in BYTES or opcode in PLAIN:
            count = NUMBERS.get(opcode, 0)
            self.take(BYTES.get(opcode, 0))
        else:
            raise ValueError(f"unknown opcode {opcode:#x}")
        for _ in range(count):
            self.number()
        return None


def shrink_body(body):
    reader = Reader(body)
    for _ in range(reader.number()):  # runs of locals: how many, of which type
        reader.number()
        reader.take(1)
    made = bytearray(body[:reader.at])
    while reader.at < len(body):
        start = reader.at
        vector = reader.instruction()
        made += body[start:reader.at] if vector is None else splat_of(vector)
    return bytes(made)


def shrink_code(section):
    reader = Reader(section)
    count = reader.number()
    made = bytearray(unsigned(count))
    for _ in range(count):
        body = shrink_body(reader.take(reader.number()))
        made += unsigned(len(body)) + body
    return bytes(made)


def shrink(module):
    if not module.startswith(MAGIC):
        raise ValueError("no WebAssembly module")
    reader, made = Reader(module, len(MAGIC)), bytearray(MAGIC)
    while reader.at < len(module):
        kind = reader.take(1)
        section = reader.take(reader.number())
        section = shrink_code(section) if kind[0] == CODE else section
        made += kind + unsigned(len(section)) + section
    return bytes(made)


def main(arguments):
    if len(arguments) not in (2, 3):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    module, out, *optimizer = (pathlib.Path(name) for name in arguments)
    if optimizer:
        subprocess.run([*optimizer, "--enable-simd", "-Os", "--const-hoisting", "--reorder-locals", module, "-o", out], check=True)
        module = out
    out.write_bytes(shrink(module.read_bytes()))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
