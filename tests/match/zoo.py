#!/usr/bin/env python3
"""Bad programs lose, for the right reason, and hold nothing up: zoo.py KVERN_MATCH ZOO"""
import pathlib
import subprocess
import sys
import tempfile

from common import Match, endings, expect, fail, processes, records

# What each kind does wrong, and how its games end.
BAD = {
    "absent": "did not start",
    "mute": "did not start",
    "dies": "exited",
    "crashes": "exited",
    "hangs": "no answer",
    "illegal": "illegal move",
    "unreadable": "illegal move",
    "empty": "no move given",
    "none": "no move given",
    "claims": "illegal move",
    "garbage": "garbage",
    "flood": "flood",
    "line": "flood",
    "late": "time forfeit",
    "closes": "closed its output",
    "twice": "answer not asked for",
    "split": "illegal move",
}


# Those that only a limit finds out; the others do it by themselves, and the limits must not come first.
SILENT = ["mute", "hangs", "garbage"]


def bad_programs(match):
    seed = "77001"
    for kinds, limits in (([kind for kind in BAD if kind not in SILENT], ["--margin", 100]),
                          (SILENT, ["--start-time", 4, "--think-time", 4])):
        players = []
        for kind in kinds:
            players += match.engine(kind, seed=seed, more="movetime=0.2" if kind == "late" else "depth=1")
        report = match.run("--mode", "gauntlet", "-n", 2, "-c", 6, *limits, *match.engine("good", seed=seed), *players)
        expect(endings(report), {(BAD[kind], kind): 2 for kind in kinds}, "endings")
        for pairing in report["pairings"]:
            expect((pairing["wins"], pairing["games"]), (2, 2), pairing["second"])
    for kind in ["good", *BAD]:
        left = processes(match.zoo, kind, seed)
        if left:
            fail(f"{kind}: processes are left: {left}")


def two_bad_programs(match):
    report = match.run("-n", 4, *match.engine("dies", "one"), *match.engine("dies", "two"))
    expect(endings(report), {("exited", "one"): 2, ("exited", "two"): 2}, "two that die")


def a_program_that_does_not_exist(match):
    report = match.run("-n", 2, *match.engine("good"), "-e", "cmd=no-such-program-anywhere depth=1 name=missing")
    expect(endings(report), {("did not start", "missing"): 2}, "no program")


def programs_that_stay(match):
    """One that does not end when it is told to is ended."""
    match.run("-n", 4, *match.engine("stays", "a", "77002"), *match.engine("stays", "b", "77002"))
    expect(processes(match.zoo, "stays", "77002"), [], "processes that stay")


def dialects(match):
    """Answers in pieces, answers at the end of a line, words for answers: as good as others, if one knows."""
    usual = {"too few stones", "blocked", "repetition", "maximum length"}
    for kind in ["split", "one-line", "sanmill"]:
        report = match.run("-n", 20, "--random-plies", 4, *match.engine("good", "a"),
                           *match.engine(kind, "b", 5, f"depth=1 dialect={kind}"))
        expect({ending for ending, _ in endings(report)} - usual, set(), kind)
        expect(report["pairings"][0]["games"], 20, kind)
    report = match.run("-n", 2, *match.engine("good"), *match.engine("none", more="depth=1 dialect=words"))
    expect(endings(report), {("resigned", "none"): 2}, "none")
    report = match.run("-n", 2, *match.engine("good"), *match.engine("claims", more="depth=1 dialect=sanmill"))
    expect(endings(report), {("draw claimed", None): 2}, "draw, and the other sees nothing either")
    report = match.run("-n", 2, *match.engine("optimist"), *match.engine("claims", more="depth=1 dialect=words"))
    expect(endings(report), {("wrong draw claim", "claims"): 2}, "draw, but the other sees a win")


def agreed_scores(match):
    good, other = match.engine("good", "a"), match.engine("good", "b", 9)
    report = match.run("-n", 2, "--draw", "5,3,10", good[0], good[1], *other)
    expect(endings(report), {("draw by agreed scores", None): 2}, "draw")
    report = match.run("-n", 2, "--resign", "3,500", *match.engine("optimist"), *match.engine("pessimist"))
    expect(endings(report), {("win by agreed scores", "pessimist"): 2}, "win")
    report = match.run("-n", 2, "--resign", "3,500", "--max-plies", 30, *match.engine("optimist"), *good)
    expect(("win by agreed scores", "a") in endings(report), False, "one alone does not decide")
    report = match.run("-n", 2, "--max-plies", 7, *good, *other)
    expect(endings(report), {("maximum length", None): 2}, "length")


def house_rules(match):
    report = match.run("-n", 20, "--rule", "NoCaptureLimit=4", "--rule", "Flying=false", "--rule", "DoubleMill=two",
                       *match.engine("good", "a"), *match.engine("good", "b", 9))
    expect(report["pairings"][0]["games"], 20, "games")
    if ("no capture", None) not in endings(report):
        fail(f"no game ended by the limit: {endings(report)}")


def round_robin(match):
    players = [word for name in "abcd" for word in match.engine("good", name, ord(name))]
    report = match.run("-n", 6, "-c", 3, "--random-plies", 2, *players)
    expect([(p["first"] + p["second"], p["games"], sum(p["pairs"])) for p in report["pairings"]],
           [(pair, 6, 3) for pair in ["ab", "ac", "ad", "bc", "bd", "cd"]], "pairings")


def openings(match):
    """Openings from a file are played by both sides; a bad line is named."""
    players = [*match.engine("good", "a"), *match.engine("good", "b", 9)]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        file, state = folder / "openings", folder / "state"
        fen = "********/@@******/***OO*** b p p 2 7 2 7 0 0 -1 -1 -1 -1 0 0 3 ids:nodes"
        file.write_text(f"# two\n\n1. d6 f4 2. f6 d2\n{fen} moves a7 d7\n{fen}\r\n", encoding="utf-8")
        match.run("-n", 8, "-o", file, "--state", state, *players)
        starts = [(r.get("fen"), [m["move"] for m in r["moves"] if isinstance(m, dict) and m.get("comment") == "book"])
                  for r in records(state)]
        moves = (None, ["d6", "f4", "f6", "d2"])
        expect(starts, 2 * [moves] + 2 * [(fen, ["a7", "d7"])] + 2 * [(fen, [])] + 2 * [moves], "openings")
        for bad, place in (("d6\nd6 d6\n", "line 2"), ("#\n\n********/*\n", "line 3"), ("#\n", "no openings"),
                           ("***@****/@*******/***OOO** b o ? 3 0 2 0\n", "line 1")):
            file.write_text(bad, encoding="utf-8")
            done = subprocess.run(match.command("-o", file, *players), capture_output=True, text=True, check=False)
            expect((done.returncode, place in done.stderr), (1, True), f"{bad!r}: {done.stderr}")


def usage(match):
    for words in (["-e", "cmd=x depth=1"], ["-e", "cmd=x", "-e", "cmd=y"], ["-e", "cmd=x depth=0"], ["--nonsense"],
                  ["-e", "cmd=x depth=1 name=a", "-e", "cmd=y depth=1 name=a"], ["-n", "0"], ["--part", "3/2"],
                  ["-e", "cmd='x depth=1"], ["--sprt", "elo0=5 elo1=5"], ["--rule", "Wings=true"], ["merge"]):
        match.run(*words, code=2)
    match.run(*match.engine("good", "a"), *match.engine("good", "b"), "-o", "/nonexistent/openings", code=1)
    match.run(*match.engine("good", "a"), *match.engine("good", "b"), "--state", "/nonexistent/state", code=1)


def main():
    match = Match(sys.argv[1], sys.argv[2])
    for test in (bad_programs, two_bad_programs, a_program_that_does_not_exist, programs_that_stay, dialects,
                 agreed_scores, house_rules, round_robin, openings, usage):
        test(match)
        print(f"{test.__name__}: good")


main()
