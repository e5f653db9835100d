#!/usr/bin/env python3
"""Includes go downward only: which room of src/ may include which. The table is the one of src/README.md.

    check_layers.py          checks the project
    check_layers.py --self   checks that forbidden includes are noticed
"""
import re
import sys

from common import ROOT, complain, files, finish

MAY_INCLUDE = {
    "base": [],
    "board": ["base"],
    "record": ["base", "board"],
    "eval": ["base", "board"],
    "tablebase": ["base", "board"],
    "search": ["base", "board", "eval", "tablebase", "kvern/engine.h"],  # limits and reports
    "engine": ["base", "board", "eval", "tablebase", "search"],
    "scoring": ["base"],
    "protocol": ["base", "engine", "scoring", "board/picture.h"],
    "main.c": ["base", "protocol", "scoring"],
}
# The public headers, by the room they belong to; kvern.h names them all.
PORCH = {
    "base.h": "base",
    "position.h": "board",
    "engine.h": "engine",
    "tablebase.h": "tablebase",
    "scoring.h": "scoring",
    "kvern.h": None,
}
# The engine hands out positions and moves, so whoever may use it may use their words too.
PORCH_OF_ENGINE = {"engine": ["board", "tablebase"]}
# Those in angle brackets are the system's and other libraries'.
INCLUDE = re.compile(r'^\s*#\s*include\s+(?:"([^"]+)"|<(kvern/[^>]+)>)')


def allowed(room, include):
    """Is `include`, written as in the source, allowed in `room`?"""
    parts = include.split("/")
    if len(parts) == 1:
        return True  # the same directory
    if include in MAY_INCLUDE[room]:
        return True
    if parts[0] == "kvern":
        owner = PORCH.get(parts[1], "?")
        if owner == "?":
            return False
        if owner is None:
            return room in ("protocol", "main.c")
        rooms = [room, *MAY_INCLUDE[room]]
        for r in list(rooms):
            rooms += PORCH_OF_ENGINE.get(r, [])
        return owner in rooms
    if parts[0] in MAY_INCLUDE:
        return parts[0] == room or parts[0] in MAY_INCLUDE[room]
    return False


def check_self():
    bad = [("base", "board/movegen.h"), ("board", "eval/eval.h"), ("search", "engine/engine.h"),
           ("scoring", "kvern/position.h"), ("protocol", "search/search.h"), ("protocol", "board/movegen.h"),
           ("board", "kvern/engine.h"), ("main.c", "search/search.h"), ("engine", "protocol/protocol.h"),
           ("board", "tools/make-tables.c"), ("base", "kvern/unknown.h")]
    good = [("board", "base/bits.h"), ("board", "kvern/position.h"), ("search", "eval/eval.h"),
            ("protocol", "board/picture.h"), ("protocol", "kvern/position.h"), ("base", "span.h"),
            ("scoring", "kvern/scoring.h"), ("engine", "board/movegen.h")]
    for room, include in bad:
        if allowed(room, include):
            complain("check_layers", 0, f"{room} may not include {include}, but it is let through")
    for room, include in good:
        if not allowed(room, include):
            complain("check_layers", 0, f"{room} may include {include}, but it is refused")


def check_project():
    for path in files(".c", ".h"):
        parts = path.relative_to(ROOT).parts
        if parts[0] == "src":
            room = parts[1]
            if room not in MAY_INCLUDE:
                complain(path, 1, f"src/{room} is no room of the table")
                continue
        elif parts[0] == "include":
            room = "porch"
        else:
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            match = INCLUDE.match(line)
            if not match:
                continue
            include = match[1] or match[2]
            if room == "porch":
                if "/" in include and not include.startswith("kvern/"):
                    complain(path, number, f"a public header may not include {include}")
            elif not allowed(room, include):
                complain(path, number, f"{room} may not include {include}")


if "--self" in sys.argv:
    check_self()
else:
    check_project()
finish()
