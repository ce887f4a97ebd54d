#!/usr/bin/env python3
"""One line about a run of Meson's tests: how many passed, failed and were skipped, and why those were.

usage: summarize.py TESTLOG.json [NOTE [REASONS]]
       summarize.py --self-test

REASONS is a regular expression: a test that is skipped for another reason than those fails the run. A test that Meson counts as skipped prints the reason last. Tests inside a program that passes are counted too: those
that Criterion skips (CRITERION_VERBOSITY_LEVEL=1), that Node skips and that pytest skips (-rs).
"""

import collections
import json
import re
import sys

INSIDE = (
    re.compile(r"^\[SKIP\] (?P<name>\S+): (?P<why>.*)$", re.M),
    re.compile(r"^\s*ok \d+ - (?P<name>.*) # SKIP (?P<why>.*)$", re.M),
    re.compile(r"^SKIPPED \[(?P<count>\d+)\] (?P<name>\S+): (?P<why>.*)$", re.M),
)


def skipped(test):
    """(reason, how many) of what one entry of the log skips."""
    output = test.get("stdout", "") + "\n" + test.get("stderr", "")
    if test["result"] == "SKIP":
        lines = test.get("stdout", "").split("\n")
        yield ([line for line in lines if line.strip()] or ["no reason"])[-1], 1
        return
    for pattern in INSIDE:
        for found in pattern.finditer(output):
            yield found["why"].strip(), int(found.groupdict().get("count", 1))


def summary(tests, note=""):
    results = collections.Counter(test["result"] for test in tests)
    reasons = {}
    for test in tests:
        name = re.sub(r"^.* / ", "", test["name"])
        for why, count in skipped(test):
            reasons.setdefault(why, collections.Counter())[name] += count
    total = sum(sum(names.values()) for names in reasons.values())
    listed = "; ".join(f"{why} ({', '.join(n if k == 1 else f'{n} x{k}' for n, k in names.items())})"
        for why, names in sorted(reasons.items()))
    passed = results["OK"] + results["EXPECTEDFAIL"]
    failed = len(tests) - passed - results["SKIP"]
    return f"{passed} passed, {failed} failed, {total} skipped" + (f": {listed}" if listed else "") + note


def self_test():
    tests = [{"name": "w:a / one", "result": "OK", "stdout": "[SKIP] s::x: no AVX\n[SKIP] s::y: no AVX\n"},
        {"name": "w:a / two", "result": "SKIP", "stdout": "text\nno MPI\n"}, {"name": "three", "result": "SKIP"},
        {"name": "four", "result": "OK", "stdout": "    ok 7 - page # SKIP no Chromium\n", "stderr": ""},
        {"name": "five", "result": "OK", "stdout": "SKIPPED [3] a.py:7: no cook\n"},
        {"name": "six", "result": "TIMEOUT"}, {"name": "seven", "result": "FAIL"}]
    wanted = ("3 passed, 2 failed, 8 skipped: no AVX (one x2); no Chromium (four); no MPI (two); no cook (five x3); "
        "no reason (three), left out")
    found = summary(tests, ", left out")
    if found != wanted:
        sys.exit(f"wanted {wanted}\nfound  {found}")
    if unexpected(tests, "no (AVX|MPI|cook)") != ["no Chromium (four)", "no reason (three)"] or unexpected(tests, ".*"):
        sys.exit(f"unexpected: {unexpected(tests, 'no (AVX|MPI|cook)')}")


def unexpected(tests, reasons):
    """What is skipped for none of these reasons."""
    return sorted({f"{why} ({re.sub('^.* / ', '', test['name'])})" for test in tests for why, _ in skipped(test)
        if not re.fullmatch(reasons, why)})


def main(arguments):
    if arguments == ["--self-test"]:
        return self_test()
    with open(arguments[0], encoding="utf-8") as file:
        tests = [json.loads(line) for line in file]
    print("\n" + summary(tests, "".join(arguments[1:2])))
    skips = unexpected(tests, arguments[2]) if len(arguments) > 2 and arguments[2] else []
    if skips:
        sys.exit(f"skipped, though nothing is missing for them: {'; '.join(skips)}")
    return None


if __name__ == "__main__":
    main(sys.argv[1:])
