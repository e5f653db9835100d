#!/usr/bin/env python3
"""Texts of the project: no leftovers, no paths of some particular machine; only the entries that belong
there at the top; no source file out of all size.

    check_words.py          checks that
    check_words.py --names  checks that every file of the project that is named somewhere exists
"""
import re
import sys

from common import ROOT, TEXT, complain, files, finish

TOP = {"meson.build", "meson_options.txt", "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "src",
       "include", "tests", "bench", "tools"}
LEFTOVERS = re.compile(r"\b(?:" + "|".join(["TO" "DO", "FIX" "ME", "X" "XX", "place" "holder", "HA" "CK"]) + r")\b")
MACHINE = re.compile(r"(?<![\w.\]}$])/(?:home|root|work|Users|mnt)/\w")
NAMED = re.compile(r"(?<![\w/.$}-])((?:src|include|tests|bench|tools|board|base|eval|search|engine|protocol|"
                   r"scoring|tablebase|shared)/[\w./-]*\w\.(?:c|h|md|txt|py))\b")
FILE_LINES = 600


def check_text(path):
    data = path.read_bytes()
    if b"\0" in data:
        return
    text = data.decode("utf-8", errors="replace")
    for number, line in enumerate(text.splitlines(), 1):
        if LEFTOVERS.search(line):
            complain(path, number, "something is left to do here")
        if MACHINE.search(line):
            complain(path, number, "a path that exists on one machine only")
        if line != line.rstrip() and path.suffix != ".txt":
            complain(path, number, "blanks at the end of the line")
    if path.relative_to(ROOT).parts[0] in ("src", "tools") and text.count("\n") > FILE_LINES:
        complain(path, text.count("\n"), f"more than {FILE_LINES} lines")


def check_names(path):
    homes = [ROOT, ROOT / "src", ROOT / "tests", ROOT / "include", path.parent]
    text = path.read_bytes().decode("utf-8", errors="replace")
    for number, line in enumerate(text.splitlines(), 1):
        for match in NAMED.finditer(line):
            name = match[1]
            made = "NAME" in name or "board_tables" in name
            if not made and not any((home / name).exists() for home in homes):
                complain(path, number, f"there is no {name}")


if "--names" in sys.argv:
    for file in files(*TEXT):
        check_names(file)
else:
    for entry in ROOT.iterdir():
        if not entry.name.startswith((".", "build")) and entry.name not in TOP:
            complain(entry, 0, "does not belong at the top level")
    for file in files(*TEXT):
        check_text(file)
finish()
