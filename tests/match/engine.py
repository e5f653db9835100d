#!/usr/bin/env python3
"""Matches of the engine itself: engine.py KVERN_MATCH KVERN [--long]

Limits are depths and nodes, so that every game is the same on every machine; where there is a clock, the margin is
too long to matter.
"""
import pathlib
import subprocess
import sys
import tempfile

from common import Match, endings, expect, fail, records

PLAYED_OUT = {"too few stones", "blocked", "repetition", "maximum length"}


def player(engine, name, more):
    return ["-e", f"cmd='{engine}' name={name} {more}"]


def fair(report, games):
    """So many games, and nobody did anything wrong."""
    expect(report["pairings"][0]["games"], games, "games")
    expect({ending for ending, _ in endings(report)} - PLAYED_OUT, set(), "endings")


def ways_to_talk(match, engine):
    """UCI, UGI and split captures are ways to say the same: the same games."""
    with tempfile.TemporaryDirectory() as folder:
        found = []
        for name, more in (("uci", ""), ("ugi", "dialect=ugi"),
                           ("split", "dialect=split option.'Split Captures'=true")):
            state = pathlib.Path(folder) / name
            report = match.run("-n", 6, "-c", 2, "--random-plies", 6, "--state", state,
                               *player(engine, "a", "depth=3"), *player(engine, "b", f"depth=2 {more}"))
            fair(report, 6)
            found.append({r["tags"]["Game"]: [move["move"] for move in r["moves"]] for r in records(state)})
        expect(found[1], found[0], "games by UGI")
        expect(found[2].keys(), found[0].keys(), "games with split captures")


def limits(match, engine):
    for more in ("nodes=300", "tc=0.4+0.004", "tc=10/0.2", "movetime=0.003", "tc=1 odds=0.5 nodes=200"):
        report = match.run("-n", 2, "--random-plies", 8, "--margin", 30000, *player(engine, "a", more),
                           *player(engine, "b", "depth=1"))
        fair(report, 2)


def table(match, engine):
    """The opening, which is known too, ends no game."""
    with tempfile.TemporaryDirectory() as folder:
        state = pathlib.Path(folder) / "state"
        report = match.run("-n", 6, "--random-plies", 4, "--table", "--state", state,
                           *player(engine, "a", "depth=3"), *player(engine, "b", "depth=1"))
        expect(report["pairings"][0]["games"], 6, "games")
        lengths = [len(record["moves"]) for record in records(state)]
        expect([length for length in lengths if length <= 12], [], "games that hardly began")


def house_rules(match, engine):
    for rules in (["Flying=false", "MillProtection=never"], ["DoubleMill=two", "RecloseMill=not-twice"],
                  ["MillProtection=always", "RecloseMill=not-at-once", "FirstMove=black"]):
        words = [word for rule in rules for word in ("--rule", rule)]
        fair(match.run("-n", 4, "-c", 2, "--random-plies", 4, *words, *player(engine, "a", "depth=2"),
                       *player(engine, "b", "nodes=100")), 4)


def tests_that_stop(match, engine):
    """A real improvement is accepted, its opposite is not, and none is not either."""
    sprt = ["--sprt", "elo0=0 elo1=100", "-n", 2000, "-c", 2, "--random-plies", 6]
    better = [*player(engine, "deep", "depth=4"), *player(engine, "flat", "depth=1")]
    worse = [*player(engine, "flat", "depth=1"), *player(engine, "deep", "depth=4")]
    for players, code, verdict in ((better, 0, "H1"), (worse, 3, "H0")):
        report = match.run(*sprt, *players, code=code)
        expect(report["sprt"]["verdict"], verdict, "verdict")
        if report["pairings"][0]["games"] >= 2000:
            fail("the test did not stop by itself")
    report = match.run("--sprt", "elo0=0 elo1=1", "-n", 4, *better, code=4)
    expect(report["sprt"]["verdict"], "undecided", "verdict of four games")


def long_matches(match, engine):
    with tempfile.TemporaryDirectory() as folder:
        text = pathlib.Path(folder) / "games.pgn"
        report = match.run("-n", 200, "-c", 2, "--random-plies", 4, "--margin", 30000, "--pgn", text,
                           *player(engine, "a", "movetime=0.05"), *player(engine, "b", "movetime=0.05 option.Hash=1"))
        expect(report["pairings"][0]["games"], 200, "games")
        expect(text.read_text(encoding="utf-8").count("[Result "), 200, "records")
    report = match.run("--sprt", "elo0=0 elo1=20", "-n", 20000, "-c", 2, "--random-plies", 6,
                       *player(engine, "a", "depth=2"), *player(engine, "b", "depth=2"), code=3)
    expect(report["sprt"]["verdict"], "H0", "two of the same")


def manual(match):
    """The manual names every option that --help lists."""
    page = (pathlib.Path(__file__).parent / "../../tools/kvern-match.1").read_text(encoding="utf-8")
    shown = subprocess.run([match.program, "--help"], capture_output=True, text=True, check=True).stdout
    words = {word.split("=")[0].rstrip(",") for word in shown.split() if word.startswith("--")}
    for word in words - {"--help", "--help`.", "--usage", "--version"}:
        if word.replace("-", "\\-") not in page:
            fail(f"the manual does not describe {word}")


def main():
    match, engine = Match(sys.argv[1], sys.argv[2]), str(pathlib.Path(sys.argv[2]).resolve())
    if "--long" in sys.argv:
        long_matches(match, engine)
        return
    manual(match)
    for test in (ways_to_talk, limits, table, house_rules, tests_that_stop):
        test(match, engine)
        print(f"{test.__name__}: good")


main()
