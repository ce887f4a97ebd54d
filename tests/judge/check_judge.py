#!/usr/bin/env python3
"""The judge finds what is wrong with narrowphases, and nothing with the library.

usage: check_judge.py JUDGE PLUGIN-OF-THE-LIBRARY WRONG SPHERES DATA [PEER.so:MODE...]

Pairs of DATA/rec_pile.pairs, and of the judge's own corpus. Peers only have to be answered for.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

COLUMNS = ["name", "answered", "ended", "none", "side", "off", "normal", "p999", "separation", "gap", "point", "ns"]
ERROR_MAX = 1e-5


def judge(program, *arguments):
    done = subprocess.run([program, "--quick", *arguments], capture_output=True, text=True, check=False)
    tables, title = {}, None
    for line in done.stdout.splitlines():
        heading = re.fullmatch(r"(.*), (\d+) pairs", line)
        if heading:
            title = heading[1]
            tables[title] = {}
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if title and len(cells) == len(COLUMNS) and cells[0] and not cells[0].startswith("-"):
            tables[title][cells[0]] = dict(zip(COLUMNS, cells))
    return done, tables


def expect(condition, *what):
    if not condition:
        sys.exit("\n".join(str(part) for part in what))


def check_right(program, right):
    done, tables = judge(program, "--strict", right, right + ":scalar", right + ":reference")
    expect(done.returncode == 0 and len(tables) == 4, done.returncode, done.stdout, done.stderr)
    for title, rows in tables.items():
        expect(set(rows) == {"widephase", "scalar", "reference"}, title, rows)
        for name, row in rows.items():
            expect(float(row["separation"]) <= ERROR_MAX and float(row["gap"]) <= ERROR_MAX, title, name, row)
    print({title: rows["widephase"]["answered"] for title, rows in tables.items()})


def check_wrong(program, wrong, data):
    pile = str(data / "rec_pile.pairs")
    with tempfile.TemporaryDirectory() as folder:
        modes = ("plain", "ends", "none", "nan", "side", "deep", "normal", "boxless")
        done, tables = judge(program, "--worst", folder, *(f"{wrong}:{mode}" for mode in modes), pile)
        expect(done.returncode == 0, done.returncode, done.stdout, done.stderr)
        rows = {name: {key: int(row[key]) for key in COLUMNS[1:7]} for name, row in tables["Files"].items()}
        written = {path.stem for path in pathlib.Path(folder).iterdir()}
        expect(set(modes) <= written, written)
        again, _ = judge(program, wrong + ":deep", f"{folder}/deep.pairs")
        expect(re.search(r"\| deep \| 10 \| 0 \| 0 \| \d+ \| 10 \| 0 ", again.stdout), again.stdout, again.stderr)
    print(rows)
    faults = ("ended", "none", "side", "off", "normal")
    expect(all(rows["plain"][fault] == 0 for fault in faults), rows["plain"])
    for mode, fault in (("ends", "ended"), ("none", "none"), ("nan", "none"), ("side", "side"), ("deep", "off"), ("normal", "normal")):
        expect(5 <= rows[mode][fault] <= 60, mode, rows[mode])
        others = set(faults) - {fault} - ({"off"} if mode == "side" else {"side"} if mode == "deep" else set())
        expect(all(rows[mode][other] == 0 for other in others), mode, rows[mode])
    expect(rows["ends"]["answered"] == rows["plain"]["answered"] - rows["ends"]["ended"], rows["ends"])
    expect(0 < rows["boxless"]["answered"] < rows["plain"]["answered"], rows["boxless"])
    done, _ = judge(program, "--strict", wrong + ":normal", pile)
    expect(done.returncode == 1, done.returncode, done.stdout)


def check_spheres(program, spheres, data):
    done, tables = judge(program, "--strict", spheres, str(data / "rec_pile.pairs"))
    row = tables["Files"]["narrowphase"]
    expect(done.returncode == 0 and 20 < int(row["answered"]) < 2000, done.returncode, done.stdout)


def check_errors(program, data):
    for arguments in (["nowhere.so"], [str(data / "rec_pile.pairs")], [program]):
        done, _ = judge(program, *arguments)
        expect(done.returncode == 2 and "widephase-judge: " in done.stderr, arguments, done.returncode, done.stderr)


def check_peers(program, peers, data):
    if not peers:
        return
    done, tables = judge(program, *peers, str(data / "rec_pile.pairs"))
    expect(done.returncode == 0, done.returncode, done.stdout, done.stderr)
    for name, row in tables["Files"].items():
        print(row)
        expect(int(row["answered"]) > 1000 and int(row["side"]) < 200, name, row)


def main(arguments):
    program, right, wrong, spheres, data, *peers = arguments
    data = pathlib.Path(data)
    check_right(program, right)
    check_wrong(program, wrong, data)
    check_spheres(program, spheres, data)
    check_errors(program, data)
    check_peers(program, peers, data)


if __name__ == "__main__":
    main(sys.argv[1:])
