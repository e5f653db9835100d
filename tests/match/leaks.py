#!/usr/bin/env python3
"""Many fast games leave nothing behind: no process, no descriptor, no memory. leaks.py KVERN_MATCH ZOO GAMES

Half of the games are against programs that fail, so that starting and ending programs is part of it.
"""
import json
import os
import pathlib
import subprocess
import sys
import time

from common import Match, expect, fail, processes

SEED = "77004"


def sample(pid):
    """Descriptors, memory in kB and children of a process."""
    folder = pathlib.Path(f"/proc/{pid}")
    status = (folder / "status").read_text(encoding="utf-8")
    memory = int(status.split("VmRSS:")[1].split()[0])
    children = sum(len((task / "children").read_text().split()) for task in (folder / "task").iterdir())
    return len(os.listdir(folder / "fd")), memory, children


def main():
    match, games = Match(sys.argv[1], sys.argv[2]), int(sys.argv[3])
    command = match.command("-n", games // 2, "-c", 2, "--mode", "gauntlet", "--random-plies", 4, "--max-plies", 60,
                            "--report", 0, *match.engine("good", "a", SEED), *match.engine("good", "b", SEED),
                            *match.engine("dies", "c", SEED))
    running = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    samples = []
    while running.poll() is None:
        try:
            samples.append(sample(running.pid))
        except (OSError, IndexError):
            pass
        time.sleep(0.05)
    report = running.stdout.read()
    expect(running.returncode, 0, "exit code")
    for pairing in json.loads(report)["pairings"]:
        expect(pairing["games"], games // 2, "games")
    expect(processes(match.zoo, "good", SEED) + processes(match.zoo, "dies", SEED), [], "programs left")
    if len(samples) < 10:
        fail("too few samples")
    early, late = samples[len(samples) // 5:len(samples) // 2], samples[-len(samples) // 4:]
    for what, column, slack in (("descriptors", 0, 0), ("memory in kB", 1, 2048), ("children", 2, 0)):
        before, after = max(s[column] for s in early), max(s[column] for s in late)
        print(f"{what}: at most {before} in the first half, at most {after} in the last quarter")
        if after > before + slack:
            fail(f"{what} grew")


main()
