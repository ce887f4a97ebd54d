#!/usr/bin/env python3
"""Checks the charts that bench/report makes of a small measurement. Skipped where there is no gnuplot.

usage: check_report.py REPORT
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

SKIPPED = 77
SVG = "{http://www.w3.org/2000/svg}"
BLUE, ORANGE = (8, 48, 107), (213, 94, 0)  # of AVX-512 and bullet_gjk

TIMES = {"box": 10, "hull8": 100, "hull32": 1000, "hull128": 10000}  # nanoseconds


def entry(name, nanoseconds, repetition, **more):
    return {"run_name": name, "name": name, "run_type": "iteration", "repetition_index": repetition, "threads": 1,
        "per_pair": nanoseconds * 1e-9, **more}


def measurement():
    cells = []
    for kind, time in TIMES.items():
        # The median of three is the time, whatever the others are.
        for repetition, factor in enumerate((1, 50, 0.5)):
            cells.append(entry(f"contact/{kind}/engine/avx512", time * factor, repetition, err_max=1e-6, err_p999=1e-7))
            cells.append(entry(f"contact/{kind}/engine/bullet_gjk", 2 * time * factor, repetition, err_max=1e-3, err_p999=0.0))
            cells.append(entry(f"overlap/{kind}/engine/ccd_mpr", time * factor, repetition))
    cells += [entry(f"threads/box/engine/avx2/real_time/threads:{count}", 60 / count, 0, threads=count) for count in (1, 2, 4)]
    cells += [entry("contact/box/engine/scalar", 5, 0, error_occurred=True), entry("cast/box/separated/avx2", 5, 0),
        entry("contact/box/engine/ode", 30, 0, err_max=float("nan"), err_p999=float("inf"))]
    cells.append({"run_name": "contact/box/engine/avx2", "run_type": "aggregate", "aggregate_name": "median", "per_pair": 1})
    return {"context": {}, "benchmarks": cells}


def report(program, *arguments, **options):
    result = subprocess.run([sys.executable, program, *arguments], capture_output=True, text=True, check=False, **options)
    return result.returncode, result.stdout, result.stderr


def boxes(root, colour):
    """(left, top, bottom) of the bars of a colour, from left to right."""
    found = []
    for polygon in root.iter(SVG + "polygon"):
        if tuple(int(number) for number in re.findall(r"\d+", polygon.get("fill", ""))) == colour:
            points = [tuple(map(float, point.split(","))) for point in polygon.get("points").split()]
            found.append((min(x for x, _ in points), min(y for _, y in points), max(y for _, y in points)))
    return sorted(found)


def texts(root):
    return ["".join(text.itertext()).strip() for text in root.iter(SVG + "text")]


def check_charts(folder):
    problems = []
    roots = {name: xml.etree.ElementTree.parse(f"{folder}/{name}.svg").getroot()
        for name in ("time-contact-engine", "size-contact-engine", "error-contact-engine", "threads")}
    words = texts(roots["time-contact-engine"])
    wanted = {*TIMES, "AVX-512", "bullet_gjk", "ode *", "nanoseconds a pair, log scale", "Contact, pairs that a broadphase lets through: time a pair"}
    if not wanted <= set(words) or not any("a machine_of {1} \"core\" & <more>; * answers overlaps alone" in word for word in words):
        problems.append(f"texts of the times: {words}")
    # One bar for each kind, and one in the legend; each ten times as high as the last one, on a logarithmic scale.
    ours, peer = (boxes(roots["time-contact-engine"], colour)[:4] for colour in (BLUE, ORANGE))
    steps = [before[1] - after[1] for before, after in zip(ours, ours[1:])]
    if len(ours) != 4 or max(steps) - min(steps) > 0.3 or min(steps) < 50:
        problems.append(f"bars {ours}")
    twice = [a[1] - b[1] for a, b in zip(ours, peer)]
    if any(abs(step - 0.30103 * steps[0]) > 0.3 for step in twice):
        problems.append(f"bars of twice the time {peer}")
    if not {"8", "32", "128"} <= set(texts(roots["size-contact-engine"])):
        problems.append("sizes of hulls")
    error_words = texts(roots["error-contact-engine"])
    if not {"widephase", "bullet_gjk", "contract"} <= set(error_words) or "ode *" in error_words:
        problems.append(f"texts of the errors: {error_words}")
    if not {"1", "2", "4", "box, AVX2"} <= set(texts(roots["threads"])):
        problems.append(f"threads: {texts(roots['threads'])}")
    return problems


def check(program, folder):
    measured, out = f"{folder}/out.json", f"{folder}/charts"
    with open(measured, "w", encoding="utf-8") as file:
        json.dump(measurement(), file)
    code, said, wrong = report(program, measured, out, "--machine", "a machine_of {1} \"core\" & <more>")
    made = sorted(os.listdir(out)) if code == 0 else []
    if made != [f"{name}.svg" for name in ("error-contact-engine", "size-contact-engine", "size-overlap-engine", "threads",
            "time-contact-engine", "time-overlap-engine")]:
        return [f"exit status {code}, {said}{wrong}, charts {made}"]
    problems = check_charts(out)
    if "left out" not in said or "time-distance-*" not in said or "time-contact-deep" not in said:
        problems.append(f"not told what is left out: {said}")
    before = {name: open(f"{out}/{name}", "rb").read() for name in made}
    report(program, measured, out, "--machine", "a machine_of {1} \"core\" & <more>")
    if before != {name: open(f"{out}/{name}", "rb").read() for name in made}:
        problems.append("other bytes of the same charts")
    report(program, measured, f"{folder}/one", "--chart", "threads")
    if os.listdir(f"{folder}/one") != ["threads.svg"]:
        problems.append("--chart draws others, too")
    for arguments, word, options in (([measured, out, "--chart", "none"], "no chart is called none", {}),
            ([f"{folder}/absent.json"], "report: ", {}), ([measured, out], "gnuplot-nox", {"env": {"PATH": folder}})):
        code, said, wrong = report(program, *arguments, **options)
        if code == 0 or word not in wrong:
            problems.append(f"{arguments}: exit status {code}, {wrong}")
    with open(measured, "w", encoding="utf-8") as file:
        json.dump({"benchmarks": []}, file)
    if report(program, measured, f"{folder}/none")[0] != 1:
        problems.append("no charts at all are no error")
    return problems


def main(arguments):
    if len(arguments) != 1:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    if not shutil.which("gnuplot"):
        print("no gnuplot")
        return SKIPPED
    with tempfile.TemporaryDirectory() as folder:
        problems = check(arguments[0], folder)
    print("\n".join(problems) or "charts hold")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
