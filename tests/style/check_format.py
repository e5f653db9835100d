#!/usr/bin/env python3
"""C sources are formatted as .clang-format says. Skipped where clang-format is missing."""
import shutil
import subprocess
import sys

from common import ROOT, complain, files, finish

if not shutil.which("clang-format"):
    print("clang-format is not installed")
    sys.exit(77)
run = subprocess.run(["clang-format", "--dry-run", "--Werror", *map(str, files(".c", ".h"))], cwd=ROOT,
                     capture_output=True, text=True, check=False)
for line in run.stderr.splitlines():
    if ": error:" in line:
        complain(line.split(": error:")[0].replace(f"{ROOT}/", ""), 0, "not formatted: run clang-format -i")
finish()
