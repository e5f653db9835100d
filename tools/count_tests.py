#!/usr/bin/env python3
"""Sums up meson test logs: count_tests.py STATUS testlog.json [STATUS testlog.json]...

Prints one line, 'N passed, N failed', and exits with 1 when anything failed. STATUS is the exit code
of the run that wrote the log: one that failed without a failed test in its log counts as a failure.
Skipped tests are named on a line before.
"""
import json
import sys


def main():
    passed = failed = 0
    skipped = []
    pairs = zip(sys.argv[1::2], sys.argv[2::2])
    for status, name in pairs:
        failed_here = 0
        try:
            with open(name, encoding="utf-8") as log:
                for line in log:
                    test = json.loads(line)
                    if test["result"] in ("OK", "EXPECTEDFAIL"):
                        passed += 1
                    elif test["result"] == "SKIP":
                        skipped.append(test["name"])
                    else:
                        failed_here += 1
        except OSError:
            pass
        if status != "0" and failed_here == 0:
            failed_here = 1
        failed += failed_here
    if passed + failed + len(skipped) == 0:
        print("no test ran")
        failed = 1
    if skipped:
        print("skipped: " + ", ".join(skipped))
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


sys.exit(main())
