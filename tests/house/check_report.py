#!/usr/bin/env python3
"""Checks the charts that bench/report makes of a small measurement. Skipped where there is no gnuplot.

usage: check_report.py REPORT
"""

import json
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

SKIPPED = 77
SVG = "{http://www.w3.org/2000/svg}"
BLUE, ORANGE = (8, 48, 107), (213, 94, 0)  # of AVX-512, and of bullet_gjk and Bullet
FLOOR = 10  # nanoseconds, where bars start

TIMES = {"box": 20, "hull8": 200, "hull32": 2000, "hull128": 20000}  # nanoseconds


def entry(name, nanoseconds, repetition, **more):
    return {"run_name": name, "name": name, "run_type": "iteration", "repetition_index": repetition, "threads": 1,
        "per_pair": nanoseconds * 1e-9, **more}


def measurement():
    cells = []
    for kind, time in TIMES.items():
        # The least of three is the time, whatever the others are.
        for repetition, factor in enumerate((3, 1, 50)):
            cells.append(entry(f"contact/{kind}/engine/avx512", time * factor, repetition, err_max=1e-6, err_p999=1e-7))
            cells.append(entry(f"contact/{kind}/engine/bullet_gjk", 2 * time * factor, repetition, err_max=1e-3, err_p999=0.0))
            cells.append(entry(f"contact/{kind}/engine/bullet_faces", 5 * time * factor, repetition))
            cells.append(entry(f"overlap/{kind}/engine/ccd_mpr", time * factor, repetition))
            cells.append(entry(f"manifold/{kind}/engine/avx512", time * factor / 10, repetition, points=2.5))
            cells.append(entry(f"manifold/{kind}/engine/bullet_algorithm", 3 * time * factor, repetition, points=1))
            cells.append(entry(f"manifold/{kind}/engine/bullet_faces", (2 if kind == "box" else 4) * time * factor, repetition, points=4))
    cells += [entry(f"signed/{kind}/deep/avx512", 20, 0, err_max=1e-6, err_p999=1e-7) for kind in ("box", "cone")]
    cells += [entry(f"threads/box/engine/avx2/real_time/threads:{count}", 60 / count, 0, threads=count) for count in (1, 2, 4)]
    cells += [entry("contact/box/engine/scalar", 5, 0, error_occurred=True), entry("cast/box/separated/avx2", 5, 0),
        entry("contact/box/engine/ode", 30, 0, err_max=float("nan"), err_p999=float("inf"))]
    cells += [entry(f"manifold_2d/{kind}/near/{variant}", time, repetition, points=1.5) for kind in ("circle", "polygon8")
        for variant, time in (("avx512", 40), ("box2d", 80)) for repetition in range(4)]
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


def check_bars(name, root, floor, ours, peer, problems):
    """Bars of both colours, from left to right and without the legend, are as high as their times over the floor say."""
    found = [boxes(root, colour)[:len(TIMES)] for colour in (BLUE, ORANGE)]
    bottoms = {round(bottom, 1) for bars in found for _, _, bottom in bars}
    if len(bottoms) != 1 or any(len(bars) != len(TIMES) for bars in found):
        problems.append(f"{name}: bars {found}")
        return
    tenfold = found[0][0][1] - found[0][1][1]  # the first two kinds
    for bars, times in zip(found, (ours, peer)):
        for (_, top, bottom), time in zip(bars, times):
            if tenfold < 50 or abs(bottom - top - tenfold * math.log10(time / floor)) > 0.3:
                problems.append(f"{name}: a bar of {time} ns from {bottom} to {top}, a factor of ten is {tenfold}")
    if not {f"nanoseconds per pair, log scale, bars start at {floor}", str(floor)} <= set(texts(root)):
        problems.append(f"{name}: the axis does not say where bars start: {texts(root)}")


def check_contract(root):
    """The line of the contract is at 3e-6 above the box and at 1e-5 above the cone, on the scale of two bars of 1e-6."""
    group = next(group for group in root.iter(SVG + "g") if group.findtext(SVG + "title") == "contract")
    paths = [re.findall(r"[\d.]+,([\d.]+)", path.get("d")) for path in group.iter(SVG + "path")]
    line = [float(y) for y in max(paths, key=len)][2:]  # the first two are in the key
    bars = boxes(root, BLUE)[:2]
    if len(bars) != 2 or len(line) < 4:
        return [f"the contract: line {line}, bars {bars}"]
    _, top, bottom = bars[0]
    decade = (bottom - top) / 2
    wanted = [bottom - decade * math.log10(error / 1e-8) for error in (3e-6, 1e-5)]
    if abs(line[0] - wanted[0]) > 0.5 or abs(line[-1] - wanted[1]) > 0.5:
        return [f"the contract is drawn at {line}, not at {wanted}"]
    return []


def check_charts(folder):
    problems = []
    roots = {name: xml.etree.ElementTree.parse(f"{folder}/{name}.svg").getroot() for name in ("time-contact-engine",
        "best-contact-engine", "best-manifold-engine", "best-manifold_2d-near", "size-contact-engine", "error-contact-engine",
        "error-signed-deep", "threads")}
    words = texts(roots["time-contact-engine"])
    wanted = {*TIMES, "AVX-512", "bullet_gjk", "ode *", "Contact, pairs that a broadphase lets through: time per pair"}
    if not wanted <= set(words) or not any("a machine_of {1} \"core\" & <more>; * answers overlaps alone" in word for word in words):
        problems.append(f"texts of the times: {words}")
    times = list(TIMES.values())
    check_bars("times", roots["time-contact-engine"], FLOOR, times, [2 * time for time in times], problems)
    # The faster of two ways; the floor is a tenth of the usual one where a bar would be shorter than none.
    check_bars("best", roots["best-contact-engine"], FLOOR, times, [2 * time for time in times], problems)
    check_bars("manifolds", roots["best-manifold-engine"], FLOOR // 10, [time / 10 for time in times],
        [(2 if time == TIMES["box"] else 3) * time for time in times], problems)
    words = texts(roots["best-manifold_2d-near"])
    if not {"circle", "polygon8", "AVX-512", "Box2D", "Manifold in 2D, pairs nearly touching: time per pair, each peer's fastest way"} <= set(words):
        problems.append(f"texts of the manifolds in 2D: {words}")
    for name, absent in (("best-contact-engine", "bullet_gjk"), ("best-manifold-engine", "bullet_faces")):
        words = texts(roots[name])
        if not {*TIMES, "AVX-512", "Bullet"} <= set(words) or absent in words or not any("each peer's fastest way" in word for word in words):
            problems.append(f"texts of {name}: {words}")
    if "ODE *" not in texts(roots["best-contact-engine"]):
        problems.append("a peer that answers overlaps alone has no star")
    problems += check_contract(roots["error-signed-deep"])
    sizes = set(texts(roots["size-contact-engine"]))
    if not {"8", "32", "128", "Bullet"} <= sizes or "bullet_gjk" in sizes:
        problems.append(f"sizes of hulls: {sizes}")
    error_words = texts(roots["error-contact-engine"])
    if not {"widephase", "bullet_gjk", "contract"} <= set(error_words) or "ode *" in error_words:
        problems.append(f"texts of the errors: {error_words}")
    if not {"1", "2", "4", "box, AVX2"} <= set(texts(roots["threads"])):
        problems.append(f"threads: {texts(roots['threads'])}")
    return problems


CHARTS = ["best-contact-engine", "best-manifold-engine", "best-manifold_2d-near", "best-overlap-engine", "error-contact-engine", "error-signed-deep",
    "size-contact-engine", "size-manifold-engine", "size-overlap-engine", "threads", "time-contact-engine",
    "time-manifold-engine", "time-manifold_2d-near", "time-overlap-engine", "time-signed-deep"]
TABLE = """| | AVX-512 | Bullet | ODE * |
|---|---|---|---|
| box | **20 (1e-6)** | 40 | 30 |
| hull8 | **200 (1e-6)** | 400 | - |
| hull32 | **2000 (1e-6)** | 4000 | - |
| hull128 | **20000 (1e-6)** | 40000 | - |

| | AVX-512 | bullet_algorithm | bullet_faces |
|---|---|---|---|
| box | **2 (2.5)** | 60 (1) | 40 (4) |
| hull8 | **20 (2.5)** | 600 (1) | 800 (4) |
| hull32 | **200 (2.5)** | 6000 (1) | 8000 (4) |
| hull128 | **2000 (2.5)** | 60000 (1) | 80000 (4) |
"""


def contents(folder):
    return {name: open(f"{folder}/{name}", "rb").read() for name in sorted(os.listdir(folder))}


def check_csv(program, folder, measured, charts):
    """Charts and tables of the rows that were written equal the measurement's own."""
    rows, problems = f"{folder}/out.csv", []
    code, said, wrong = report(program, measured, "--csv", rows)
    lines = open(rows, encoding="utf-8").read().splitlines() if code == 0 else []
    if "contact,hull8,engine,avx512,1,3,600,200,3.000,2.000,1e-06,1e-07,," not in lines:
        return [f"--csv: exit status {code}, {said}{wrong}, rows {lines}"]
    report(program, rows, f"{folder}/again", "--machine", "a machine_of {1} \"core\" & <more>")
    if contents(f"{folder}/again") != charts:
        problems.append("other charts of the rows than of the measurement")
    for source in (measured, rows):
        code, said, wrong = report(program, source, "--table", "best-contact-engine", "--table", "time-manifold-engine")
        if code != 0 or said != TABLE:
            problems.append(f"--table of {source}: exit status {code}, {wrong}, {said}")
    with open(f"{folder}/other.csv", "w", encoding="utf-8") as file:
        file.write("query,kind\ncontact,box\n")
    for arguments, word in (([f"{folder}/other.csv"], "the columns are not"), ([f"{folder}/absent.csv"], "report: "),
            ([rows, "--table", "threads"], "no numbers of threads")):
        code, said, wrong = report(program, *arguments)
        if code == 0 or word not in wrong:
            problems.append(f"{arguments}: exit status {code}, {wrong}")
    return problems


def check(program, folder):
    measured, out = f"{folder}/out.json", f"{folder}/charts"
    with open(measured, "w", encoding="utf-8") as file:
        json.dump(measurement(), file)
    code, said, wrong = report(program, measured, out, "--machine", "a machine_of {1} \"core\" & <more>")
    if not wrong.startswith(f"too busy to tell: {7 * len(TIMES)} of ") or "contact/box/engine/avx512, " not in wrong or "_2d" in wrong:
        return [f"cells whose repetitions disagree: {wrong}"]
    made = sorted(os.listdir(out)) if code == 0 else []
    if made != [f"{name}.svg" for name in CHARTS]:
        return [f"exit status {code}, {said}{wrong}, charts {made}"]
    problems = check_charts(out)
    if "left out" not in said or "time-distance-*" not in said or "time-contact-deep" not in said:
        problems.append(f"not told what is left out: {said}")
    before = contents(out)
    report(program, measured, out, "--machine", "a machine_of {1} \"core\" & <more>")
    if before != contents(out):
        problems.append("other bytes of the same charts")
    problems += check_csv(program, folder, measured, before)
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
