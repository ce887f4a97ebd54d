#!/usr/bin/env python3
"""Checks that `widephase compare` finds answers that are not the truth: its exit code, what it says, and the pairs that it saves.

usage: check_compare.py WIDEPHASE
"""

import os
import re
import struct
import subprocess
import sys
import tempfile

PAIRS = 1500
# In units of L + |separation|, from the contract: more than typical, of which one row in a thousand may have more.
ABOVE_TYPICAL = 2e-6


def gap_of(pair):
    """Two balls of radius 1 with a gap of it: the error's unit is its sum with 1."""
    return 0.25 * (pair % 13)


def truth_of(pair, errors):
    return gap_of(pair) + errors.get(pair, 0) * (1 + gap_of(pair))


def write_pairs(path):
    lines = ["pairs text 1", "shape sphere 1 0 0 0"]
    lines += [f"pair 0 0 0 0 0 0 0 0 1 {2 + gap_of(pair)} 0 0 0 0 0 1" for pair in range(PAIRS)]
    with open(path, "w", encoding="ascii") as file:
        file.write("\n".join(lines) + "\n")


def write_truth(path, errors, normals):
    """The truth but for the separations of some pairs, by what is added, and the normals of some."""
    with open(path, "wb") as file:
        file.write(b"TRUTH01\0" + struct.pack("<II", PAIRS, 0))
        for pair in range(PAIRS):
            file.write(struct.pack("<5d", truth_of(pair, errors), *normals.get(pair, (1, 0, 0)), 1))


def worst_of(text):
    """The numbers of the worst pairs, in their order."""
    _, found, rows = text.partition("\nWorst pairs\n")
    return [int(row.split()[0]) for row in rows.splitlines()[1:]] if found else []


# What is wrong of the truth, what is said of it, and what is not. The pairs are listed, and no others.
TYPICAL = "2 rows: separation error above the typical"
BROKEN = [
    ({3: 1e-3, 700: 0.1}, {}, "2 rows: separation\n", "angle\n"),
    ({9: 1e-3}, {8: (0, 1, 0)}, "1 rows: angle\n", "2 rows: angle"),
    ({5: ABOVE_TYPICAL, 6: ABOVE_TYPICAL}, {}, TYPICAL, "rows: separation\n"),
    ({5: ABOVE_TYPICAL}, {}, "1 rows: bracket\n", "typical"),
]


def check_files(program, folder):
    """A truth file has a row for each pair: fewer, more, or the same twice in another's place are found. No file that is read is
    written over."""
    pairs, truth = (os.path.join(folder, name) for name in ("all.pairs", "all.truth"))
    write_truth(truth, {}, {})
    with open(truth, "rb") as file:
        whole = file.read()
    problems = []

    def refuse(contents, said, *options):
        with open(truth, "wb") as file:
            file.write(contents)
        before = [open(path, "rb").read() for path in (pairs, truth)]
        done = subprocess.run([program, "compare", pairs, truth, *options], check=False, capture_output=True, text=True)
        if done.returncode != 2 or done.stdout or done.stderr != f"widephase: {said}\n":
            problems.append(f"not '{said}': exit code {done.returncode}\n{done.stdout}{done.stderr}")
        if [open(path, "rb").read() for path in (pairs, truth)] != before:
            problems.append(f"{options}: a file that is read has changed")

    def counted(rows):
        return whole[:8] + struct.pack("<II", rows, 0)

    size = len(whole)
    promise = f"the header promises {size} bytes ({PAIRS} rows), the file has"
    refuse(counted(PAIRS - 1) + whole[16:-40], f"{truth}: offset 8: {PAIRS - 1} rows, but the pair file has {PAIRS} pairs")
    refuse(counted(PAIRS + 1) + whole[16:] + whole[-40:], f"{truth}: offset 8: {PAIRS + 1} rows, but the pair file has {PAIRS} pairs")
    refuse(whole[:-40], f"{truth}: offset {size - 40}: {promise} {size - 40}")
    refuse(whole + whole[-40:], f"{truth}: offset {size}: {promise} {size + 40}")
    nan = struct.pack("<d", float("nan"))
    refuse(whole[:56] + nan + whole[64:], f"{truth}: offset 56: row 1: the separation is not finite")
    refuse(b"", f"{truth}: offset 0: the file ends here, 16 bytes are missing")
    for saved, named in ((pairs, pairs), (truth, truth), (truth.replace(".truth", ".pairs"), pairs), (truth[:-6], truth)):
        refuse(whole, f"{named}: is a file that is read: it would be written over", "--save", saved)
    broken = os.path.join(folder, "broken.pairs")
    with open(broken, "wb") as file:
        file.write(b"PAIRS01\0" + struct.pack("<4I", 1, 0, 1, 0) + struct.pack("<I4f2I", 0, 1, 0, 0, 0, 0, 0) +
            struct.pack("<2I14f", 0, 7, *2 * (0, 0, 0, 0, 0, 0, 1)))
    done = subprocess.run([program, "compare", broken], check=False, capture_output=True, text=True)
    if done.returncode != 2 or done.stdout or "pair 0 names shape 7 as B" not in done.stderr:
        problems.append(f"a pair that is broken: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    with open(truth, "wb") as file:
        file.write(whole[:16 + 40] + whole[16:16 + 40] + whole[16 + 80:])
    done = subprocess.run([program, "compare", pairs, truth], check=False, capture_output=True, text=True)
    if done.returncode != 1 or worst_of(done.stdout) != [1]:
        problems.append(f"row 0 twice, in the place of row 1: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return problems


def check_unjudged(program, folder):
    """Where no pair is judged, no contract holds: a file without pairs is an error, and invalid pairs are counted."""
    path = os.path.join(folder, "unjudged.pairs")
    still = "0 0 0 0 0 0 1"
    turned = [f"pair 0 0 {still} 0 0 0 0 0 0 {w}" for w in (1, 0)]
    cases = [([], 2, None), (turned[1:], 0, "1 of 1 pairs"), (turned, 0, "1 of 2 pairs"), (turned[:1], 0, None)]
    problems = []
    for lines, code, counted in cases:
        with open(path, "w", encoding="ascii") as file:
            file.write("\n".join(["pairs text 1", "shape sphere 1 0 0 0", *lines]) + "\n")
        done = subprocess.run([program, "compare", path, "--save", path + ".saved"], check=False, capture_output=True, text=True)
        said = done.stderr == f"widephase: {path}: no pairs\n" and not done.stdout if code == 2 else not done.stderr
        found = f"  invalid input, which has no figures: {counted}\n" if counted else "invalid input"
        if done.returncode != code or not said or (found in done.stdout) != (counted is not None):
            problems.append(f"{lines}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
        if code == 2 and os.path.exists(path + ".saved"):
            problems.append("a file without pairs has worst pairs")
    return problems


# Ellipsoids that the reference knows less well than the library's bracket does: both brackets hold the truth.
NEEDLES = [
    "shape ellipsoid 1.11142768e-05 509.721763 0.000499173422 0", "shape ellipsoid 26601.4282 0.000694512111 0.000706176268 0",
    "shape ellipsoid 0.80972585 1.5837644e-05 0.00017423489 0", "shape ellipsoid 4.61441482e-06 14.7966315 46399.5192 0",
    "pair 0 1 0 0 0 0.0827231949 0.831527262 0.541970697 -0.0893702869"
    " 0.000142503934 -0.00128172065 0.00131991541 -0.165177314 0.136343215 -0.184871706 0.959139945",
    "pair 2 3 0 0 0 0.570836826 -0.130909265 -0.444774174 0.677631181"
    " -0.000303186983 0.000152919565 -0.00032131492 -0.71685241 0.522851442 -0.332027917 0.320166292",
]


def check_needles(program, folder):
    """The reference stands in for the truth no better than its own bracket does."""
    path = os.path.join(folder, "needles.pairs")
    with open(path, "w", encoding="ascii") as file:
        file.write("\n".join(["pairs text 1", *NEEDLES]) + "\n")
    done = subprocess.run([program, "compare", path], check=False, capture_output=True, text=True)
    return [] if done.returncode == 0 else [f"needles: exit code {done.returncode}\n{done.stdout}{done.stderr}"]


def check(program, folder):
    pairs, truth, saved = (os.path.join(folder, name) for name in ("all.pairs", "all.truth", "worst.pairs"))
    write_pairs(pairs)
    problems = []

    def compare(errors, normals, *options):
        write_truth(truth, errors, normals)
        return subprocess.run([program, "compare", pairs, truth, *options], check=False, capture_output=True, text=True)

    result = subprocess.run([program, "compare", pairs], check=False, capture_output=True, text=True)
    if result.returncode != 0 or "\nAgainst the reference;" not in result.stdout:
        problems.append(f"without a truth file: exit code {result.returncode}\n{result.stdout}{result.stderr}")
    result = compare({}, {})
    if result.returncode != 0 or "Contract holds" not in result.stdout or "Worst pairs" in result.stdout:
        problems.append(f"the truth: exit code {result.returncode}\n{result.stdout}{result.stderr}")
    for errors, normals, said, unsaid in BROKEN:
        result = compare(errors, normals)
        if result.returncode != 1 or "Contract broken" not in result.stdout or said not in result.stdout:
            problems.append(f"no '{said}', exit code {result.returncode}\n{result.stdout}{result.stderr}")
        if unsaid in result.stdout:
            problems.append(f"'{unsaid}', too\n{result.stdout}")
        if set(re.findall(r"^ +\d+  (\w+)", result.stdout.partition("\nWorst pairs\n")[2], re.MULTILINE)) != {"scalar"}:
            problems.append(f"all answers are the same, and the first is not the one that is listed\n{result.stdout}")
        if sorted(worst_of(result.stdout)) != sorted([*errors, *normals]):
            problems.append(f"the worst pairs are {worst_of(result.stdout)}, not {[*errors, *normals]}")
    errors = {3: 1e-3, 700: 0.1}
    result = compare(errors, {}, "--save", saved)
    off = sorted(abs(truth_of(pair, errors) - gap_of(pair)) / (1 + truth_of(pair, errors)) for pair in errors)
    figures = [f"{PAIRS}", f"{off[1]:.2e}", f"{off[0]:.2e}", f"{sum(off) / PAIRS:.2e}"]
    found = re.findall(r"^  (?:scalar|reference) (.*)$", result.stdout.partition("\nAgainst the truth;")[2], re.MULTILINE)
    if [line.split()[:4] for line in found[:2]] != 2 * [figures]:
        problems.append(f"pairs, most, 99.9 % and mean are not {figures}\n{result.stdout}")
    with open(saved.replace(".pairs", ".truth"), "rb") as file:
        rows = file.read()[16:]
    if [struct.unpack_from("<d", rows, 40 * i)[0] for i in range(2)] != [truth_of(pair, errors) for pair in (700, 3)]:
        problems.append("the pairs that are saved are not the worst ones, the worst first")
    again = subprocess.run(
        [program, "compare", saved, saved.replace(".pairs", ".truth")], check=False, capture_output=True, text=True)
    if again.returncode != 1 or worst_of(again.stdout) != [0, 1]:
        problems.append(f"the pairs that are saved are fine\n{again.stdout}{again.stderr}")
    return problems


def main():
    with tempfile.TemporaryDirectory() as folder:
        problems = [problem for part in (check, check_files, check_unjudged, check_needles) for problem in part(sys.argv[1], folder)]
    print("\n".join(problems) or "compare finds what is wrong")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
