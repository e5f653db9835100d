#!/usr/bin/env python3
"""Killed at any moment, a match goes on and comes to the same end: state.py KVERN_MATCH ZOO KILLS"""
import pathlib
import random
import subprocess
import sys
import tempfile
import time

from common import Match, endings, expect, fail, processes, records

GAMES = 60
SEED = "77003"


def arguments(match, folder, *more):
    return ["-n", GAMES, "-c", 2, "--random-plies", 4, "--state", folder / "state", "--pgn", folder / "games.pgn",
            "--jsonl", folder / "games.jsonl", *match.engine("good", "a", SEED), *match.engine("good", "b", SEED),
            *more]


def outcome(path):
    """What every game of a file came to, by its number."""
    found = {}
    for record in records(path):
        number = int(record["tags"]["Game"])
        if number in found:
            fail(f"{path}: game {number} is there twice")
        found[number] = (record["tags"]["White"], record["result"], record["tags"]["Termination"],
                         [move["move"] for move in record["moves"]])
    return found


def kills(match, folder, count):
    whole, cut = folder / "whole", folder / "cut"
    whole.mkdir()
    cut.mkdir()
    start = time.monotonic()
    expected = match.run(*arguments(match, whole))
    length = time.monotonic() - start
    games = outcome(whole / "state")
    expect(sorted(games), list(range(1, GAMES + 1)), "games of an undisturbed match")

    generator = random.Random(5)
    hits = tries = 0
    while hits < count and tries < 20 * count:
        tries += 1
        running = subprocess.Popen(list(map(str, match.command(*arguments(match, cut)))), stdout=subprocess.DEVNULL)
        time.sleep(generator.uniform(0.1, 0.8) * length / count)
        met = running.poll() is None
        hits += met
        running.kill()
        running.wait()
        time.sleep(0.05)
        expect(processes(match.zoo, "good", SEED), [], f"programs left after kill {hits}")
        if (cut / "state").exists() and (cut / "state").stat().st_size:
            for number, game in outcome_of_whole_lines(cut / "state").items():
                expect(game, games[number], f"game {number} after kill {hits}")
        if not met:  # it was over before: begin another
            length *= 0.7
            for path in cut.iterdir():
                path.unlink()
    report = match.run(*arguments(match, cut))
    expect(outcome(cut / "state"), games, "games of the resumed match")
    expect(outcome(cut / "games.jsonl"), games, "its lines of JSON")
    expect(report, expected, "its report")
    text = (cut / "games.pgn").read_text(encoding="utf-8")
    expect(text.count("[Result "), GAMES, "its records as text")
    print(f"{hits} of {tries} kills met a running match")
    if hits < count:
        fail(f"only {hits} kills met a running match")
    return whole


def outcome_of_whole_lines(path):
    """The same for a file whose last line may be cut off."""
    data = path.read_bytes()
    copy = path.with_suffix(".copy")
    copy.write_bytes(data[:data.rfind(b"\n") + 1])
    return outcome(copy)


def half_a_line(match, folder, whole):
    """Every way to cut the last line is the same as not having it."""
    data = (whole / "state").read_bytes()
    last = data.rfind(b"\n", 0, -1) + 1
    expected = outcome(whole / "state")
    for cut in (last, last + 1, (last + len(data)) // 2, len(data) - 1):
        (folder / "state").write_bytes(data[:cut])
        match.run(*arguments(match, folder))
        expect(outcome(folder / "state"), expected, f"cut at byte {cut}")


def damage(match, folder, whole):
    lines = (whole / "state").read_bytes().split(b"\n")
    state = folder / "state"
    for bad in ([b"not a header", *lines[1:]], [*lines[:3], b"nonsense", *lines[3:]], [*lines[:3], lines[2], *lines[3:]],
                lines[1:]):
        state.write_bytes(b"\n".join(bad))
        match.run(*arguments(match, folder), code=1)
        expect(state.read_bytes(), b"\n".join(bad), "a refused state file")
    state.write_bytes(b"\n".join(lines))
    match.run(*arguments(match, folder, "--max-plies", 50), code=1)
    match.run(*arguments(match, folder, "--seed", 2), code=1)
    longer = match.run(*arguments(match, folder, "-n", GAMES + 4))
    expect(longer["pairings"][0]["games"], GAMES + 4, "a match made longer")


def interrupted(match, folder):
    """Ctrl-C ends it with a report and its exit code, and the match can go on."""
    running = subprocess.Popen(list(map(str, match.command(*arguments(match, folder, "-n", 2000)))),
                               stdout=subprocess.PIPE, text=True)
    while not (folder / "state").exists() or not records(folder / "state"):
        time.sleep(0.01)
    running.send_signal(2)
    output = running.communicate()[0]
    expect(running.returncode, 130, "exit code after an interrupt")
    expect('"type":"report"' in output, True, "a report after an interrupt")
    expect(processes(match.zoo, "good", SEED), [], "programs after an interrupt")
    outcome(folder / "state")


def merge(match, folder, whole):
    expected = match.run("merge", whole / "state", code=0)
    parts = []
    for part in (1, 2, 3):
        parts.append(folder / f"part{part}")
        match.run("-n", GAMES, "-c", 2, "--random-plies", 4, "--part", f"{part}/3", "--state", parts[-1],
                  *match.engine("good", "a", SEED), *match.engine("good", "b", SEED))
    report = match.run("merge", *parts, "-o", folder / "all")
    expect(report, expected, "the report of merged parts")
    expect(outcome(folder / "all"), outcome(whole / "state"), "the games of merged parts")
    match.run("merge", parts[0], parts[0], code=1)
    other = folder / "other"
    match.run("-n", 4, "--random-plies", 4, "--seed", 9, "--state", other, *match.engine("good", "a", SEED),
              *match.engine("good", "b", SEED))
    both = match.run("merge", *parts, other)
    expect(both["pairings"][0]["games"], GAMES + 4, "games of two seeds")
    match.run("merge", parts[0], other, "-o", folder / "both", code=1)
    match.run("merge", folder / "missing", code=1)
    expect(sum(endings(both).values()), GAMES + 4, "endings of two seeds")


def main():
    match = Match(sys.argv[1], sys.argv[2])
    match.command = lambda *words: ([match.program, "merge", "--json", *map(str, words[1:])] if words[0] == "merge" else
                                    Match.command(match, *words))
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        whole = kills(match, folder, int(sys.argv[3]))
        for test in (half_a_line, damage, merge):
            (folder / test.__name__).mkdir()
            test(match, folder / test.__name__, whole)
            print(f"{test.__name__}: good")
        (folder / "interrupted").mkdir()
        interrupted(match, folder / "interrupted")


main()
