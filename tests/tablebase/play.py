#!/usr/bin/env python3
"""Games from sampled positions with tables: play.py KVERN KVERN-TB [DIRECTORY], without
a directory with those of the four-stone game. Every win of the moving phase
must be brought home against the engine's own best defence in exactly as many plies as the tables say, and
no drawn position may be spoiled; counts how many of those could have been."""
import argparse
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "protocol"))
from engine import Engine  # noqa: E402


def sample(options, seed):
    """(position, words of its value), without end"""
    while True:
        run = subprocess.run([options.tool, "sample", "2000", "--dir", options.directory, "--seed", str(seed)],
                             capture_output=True, text=True, check=True)
        for line in run.stdout.splitlines():
            position, value = line.split("\t")
            yield position.removesuffix("ids:nodes").strip(), value.split()
        seed += 1


def is_moving(position):
    fields = position.split()
    return fields[5] == fields[7] == "0"


def play_out(engine, position):
    """(plies, winner) of the game in which the engine plays both sides"""
    moves = []
    while True:
        engine.send(f"position fen {position}" + (" moves " + " ".join(moves) if moves else ""))
        best = engine.go("depth 1")[1][0]
        if best == "(none)":
            return len(moves), engine.state()["result"]
        moves.append(best)


def check_wins(engine, options):
    played = longest = 0
    for position, value in sample(options, options.seed):
        if value[0] != "win" or not is_moving(position):
            continue
        side = position.split()[1]
        plies, result = play_out(engine, position)
        if plies != int(value[2]) or result != {"w": "white", "b": "black"}[side]:
            return f"{position}: {' '.join(value)}, but {result} wins after {plies} plies"
        longest = max(longest, plies)
        played += 1
        if played == options.wins:
            print(f"{played} wins in exactly the stated plies, the longest in {longest}")
            return None


def values_of_moves(engine):
    engine.send("probe")
    engine.send("isready")
    lines = engine.until("readyok")
    return {words[0]: words[1] for words in map(str.split, lines) if len(words) > 1 and words[1] in
            ("win", "draw", "loss")}


def check_draws(engine, options):
    held = critical = 0
    for position, value in sample(options, options.seed + 1000000):
        if value[0] != "draw":
            continue
        engine.send(f"position fen {position}")
        values = values_of_moves(engine)
        best = engine.go("depth 2")[1][0]
        if values.get(best) != "draw":
            return f"{position}: {best} spoils a draw: {values}"
        critical += "loss" in values.values()
        held += 1
        if held == options.draws:
            print(f"{held} draws held; in {critical} of them a move loses")
            return None


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kvern")
    parser.add_argument("tool")
    parser.add_argument("directory", nargs="?")
    parser.add_argument("--wins", type=int, default=1000)
    parser.add_argument("--draws", type=int, default=10000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    own = tempfile.TemporaryDirectory()
    if options.directory is None:
        options.directory = own.name
        subprocess.run([options.tool, "build", "--stones", "4", "--quiet", "--dir", own.name],
                       stdout=subprocess.DEVNULL, check=True)
    with Engine(options.kvern, options=[("TablebasePath", options.directory)]) as engine:
        fault = check_wins(engine, options) or check_draws(engine, options)
    if fault:
        sys.exit(fault)


main()
