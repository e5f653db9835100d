#!/usr/bin/env python3
"""The program kvern-tune from outside: check_tune.py KVERN-TUNE KVERN-TB"""
import json
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ElementTree

TUNE, TB = sys.argv[1:3]
LINE = re.compile(r"(train|valid|test) (1|0|-1) (\d+) ([O@*]{8}/[O@*]{8}/[O@*]{8} w [rpmo] [ps?](?: \d){4})$")
OUTCOMES = {"win": 1, "draw": 0, "loss": -1}
complaints = []
home = pathlib.Path(tempfile.mkdtemp(prefix="kvern-tune-"))
tables, five = home / "four", home / "five"


def check(good, complaint):
    if not good:
        complaints.append(complaint)


def run(*arguments, code=0):
    """Runs the program; its standard output and standard error. A wrong exit code is a complaint."""
    done = subprocess.run([TUNE, *map(str, arguments)], capture_output=True, timeout=600, check=False)
    out, error = done.stdout.decode(), done.stderr.decode()
    check(done.returncode == code, f"{arguments}: exit code {done.returncode}, not {code}: {error.strip()}")
    return out, error


def probe(position, directory=tables):
    """What kvern-tb says: the value of the position and those of its moves, as (outcome, plies)."""
    done = subprocess.run([TB, "probe", position, "--dir", str(directory)], capture_output=True, text=True,
                          timeout=60, check=True)
    values = {}
    for line in done.stdout.splitlines():
        name, _, text = line.partition("\t")
        words = text.split()
        values[name] = (OUTCOMES[words[0]], int(words[2]) if len(words) > 1 else 0)
    return values.pop("value"), values


def images(position):
    """All images of a position under the symmetries of the board, white to move."""
    board, *_ = position.split()
    rings = board.split("/")
    for order in (rings, rings[::-1]):
        for turn in range(0, 8, 2):
            for mirror in (False, True):
                now = [ring[turn:] + ring[:turn] for ring in order]
                if mirror:
                    now = [ring[0] + ring[:0:-1] for ring in now]
                yield "/".join(now) + position[len(board):]


def read(path):
    rows = []
    for line in path.read_text().splitlines():
        match = LINE.match(line)
        if match:
            rows.append((match[1], int(match[2]), int(match[3]), match[4]))
        else:
            check(line.startswith("# kvern-tune"), f"{path.name}: {line}")
    return rows


def data():
    for population, count in (("uniform", 4000), ("played", 2000), ("near", 2000)):
        path = home / f"{population}.txt"
        options = ["data", "-d", tables, "--population", population, "-n", count, "-q"]
        run(*options, "-o", path, "-s", 5)
        first = path.read_bytes()
        rows = read(path)
        check(len(rows) == count, f"{population}: {len(rows)} positions")
        for more in (["-t", 2], ["--cache", 1]):
            run(*options, "-o", path, "-s", 5, *more)
            check(path.read_bytes() == first, f"{population} {more}: other bytes for the same seed")
        out, _ = run(*options, "-s", 6)
        check(out.encode() != first and out.count("\n") == count + 1, f"{population}: another seed, or no --out")
        for _, outcome, plies, position in rows[::count // 25]:
            check(probe(position)[0] == (outcome, plies), f"{population}: {position}: {outcome} {plies}")
        seen = {}
        for split, _, _, position in rows:
            check(position not in seen, f"{population}: {position} is an image of one in {seen.get(position)}")
            seen.update((image, split) for image in images(position))
        shares = [sum(row[0] == split for row in rows) / count for split in ("train", "valid", "test")]
        check(all(abs(a - b) < 0.03 for a, b in zip(shares, (0.8, 0.1, 0.1))), f"{population}: shares {shares}")
        hands = {row[3].split()[5] != "0" for row in rows}
        check(hands == {True, False}, f"{population}: phases")


def data_missing():
    """Where a subspace is missing its positions are left out and counted."""
    part = home / "part"
    shutil.copytree(tables, part)
    for path in [*part.glob("3-4.*"), *part.glob("4-3.*")]:
        path.unlink()
    _, error = run("data", "-d", part, "-n", 500, "-o", home / "part.txt")
    missing = re.search(r"(\d+) not in the tables", error)
    check(missing and int(missing[1]) > 0, f"missing subspace: {error}")
    check(not any(row[3].split()[4:] == ["3", "0", "4", "0"] for row in read(home / "part.txt")), "3-4 is there")


def data_exhausted():
    """Asked for more than there are, it finds them all: 3-3 with a stone in one hand at most."""
    few = home / "few"
    few.mkdir()
    for path in (*tables.glob("2-3+1-0.*"), *tables.glob("0-1+3-2.*")):
        shutil.copy(path, few)
    stats = subprocess.run([TB, "stats", "--dir", str(few), "-f", "csv"], capture_output=True, text=True, check=True)
    there = sum(int(line.split(",")[1]) for line in stats.stdout.splitlines()[1:])
    _, error = run("data", "-d", few, "--population", "uniform", "-n", 10**7, "-q", "-o", home / "few.txt", code=1)
    found = len(read(home / "few.txt"))
    check(f"only {found} of" in error and found == there > 0, f"{found} of {there}: {error}")


def grade():
    """Every number of a report against what kvern-tb says of the positions."""
    common = ["-d", five, "--nodes", 1, "--play-nodes", 0, "-f", "json", "-e", 1000]
    positions = home / "positions.txt"
    out, _ = run("grade", *common, "-n", 60, "-s", 3, "-o", positions, "-q")
    report = json.loads(out)
    total, examples = report["rows"][-1], {row["position"]: row for row in report["examples"]}
    lines = positions.read_text().splitlines()
    won = drawn = 0
    worse = []
    thrown = {"win_to_draw": 0, "win_to_loss": 0, "draw_to_loss": 0}
    for line in lines:
        (outcome, plies), moves = probe(line, five)
        won, drawn = won + (outcome == 1), drawn + (outcome == 0)
        worse.append(sum(value[0] < outcome for value in moves.values()) / len(moves))
        check(0 < worse[-1] < 1, f"not critical: {line}")
        if line in examples:
            row = examples[line]
            words = {1: "win", 0: "draw", -1: "loss"}
            after = moves[row["move"]]
            check((row["before"], row["before_plies"] or 0) == (words[outcome], plies), f"before: {row}")
            check((row["after"], row["after_plies"] or 0) == (words[after[0]], after[1]), f"after: {row}")
            thrown[f"{row['before']}_to_{row['after']}"] += 1
    check(len(lines) == 60 == total["positions"] and total["phase"] == "all", f"count: {total}")
    check((total["won"], total["drawn"]) == (won, drawn), f"won {won}, drawn {drawn}: {total}")
    check(all(total[name] == thrown[name] for name in thrown), f"{thrown}: {total}")
    check(len(examples) == sum(thrown.values()) > 3, f"{len(examples)} of {thrown}")
    check(abs(total["random_percent"] - 100 * sum(worse) / 60) < 1e-6, f"random: {total}")
    check(abs(total["thrown_percent"] - 100 * sum(thrown.values()) / 60) < 1e-6, f"thrown: {total}")
    again = json.loads(run("grade", *common, positions, "-n", 1000, "-q")[0])
    check(again["rows"] == report["rows"], "the same positions from a file are graded otherwise")
    out, _ = run("grade", "-d", five, "--nodes", 1, positions, "-n", 60, "-f", "csv", "-q")
    check(out.splitlines()[-1].startswith("all,all,60,"), f"csv: {out}")


def grade_by_hand():
    """White flies from b2 to d7, closes a mill and has won. In the second position nothing is at stake."""
    path = home / "hand.txt"
    path.write_text("# by hand\nO*******/O****O**/***@*@*@ w m s 3 0 3 0\n\n"
                    "********/********/******** w p p 0 4 0 4\n")
    report = json.loads(run("grade", "-d", five, "--time", 20, "-f", "json", path, "-q")[0])
    total = report["rows"][-1]
    check((total["positions"], total["won"], total["win_to_draw"] + total["win_to_loss"]) == (1, 1, 0),
          f"by hand: {total}")


def soak():
    out, _ = run("soak", "-d", five, "--nodes", 1, "--games", 12, "-s", 2, "-q")
    total = re.search(r"12 games at 1 nodes.*: (\d+) won, (\d+) drawn, (\d+) lost; .* in (\d+)$", out.strip())
    check(total and total[1] == "0" and sum(int(total[i]) for i in (1, 2, 3)) == 12, f"soak: {out}")
    faults = re.findall(r"  (\S+) at ply \d+: (\w+) -> loss in (\d+), at (.*)", out)
    check(total and len(faults) == int(total[3]) == out.count("game "), f"lost games: {out}")
    check(len(faults) > 2, f"too few lost games to look at: {out}")
    for move, before, plies, position in faults:
        value, moves = probe(position, five)
        check(value[0] == OUTCOMES[before] and moves[move] == (-1, int(plies)), f"{move} at {position}")
    check(run("soak", "-d", five, "--nodes", 1, "--games", 12, "-s", 2, "-q")[0] == out, "soak: not repeated")
    run("soak", "-d", five, "--nodes", 50, "--games", 4, "--phase", "moving", "-q")


def fit_and_report():
    path, weights, picture = home / "invented.txt", home / "weights.h", home / "curve.svg"
    lines = (home / "uniform.txt").read_text().splitlines()
    for number, line in enumerate(lines):
        if number:
            split, _, plies, position = line.split(maxsplit=3)
            stones = [int(field) for field in position.split()[4:8]]
            more = stones[0] + stones[1] - stones[2] - stones[3] if number % 4 else 0
            lines[number] = f"{split} {(more > 0) - (more < 0)} {plies} {position}"
    path.write_text("\n".join(lines) + "\n")
    run("fit", path, "-o", weights, "-q")
    first = weights.read_bytes()
    check(b"kvern-tune fit invented.txt" in first and b"seed 5" in first, "the weights do not say where from")
    run("fit", path, "-o", weights, "-q")
    check(weights.read_bytes() == first, "fit: other bytes for the same data")
    out, _ = run("report", path, "--weights", weights, "--svg", picture, "-f", "csv")
    rows = [line.split(",") for line in out.splitlines()]
    totals = {row[0]: row for row in rows if row[1:3] == ["all", "all"]}
    tests = sum(row[0] == "test" for row in read(path))
    check(all(int(row[3]) == tests for row in totals.values()), f"report: {totals}")
    check(float(totals["file"][7]) < float(totals["built-in"][7]), f"fitting made it worse: {totals}")
    stones = sum(int(row[3]) for row in rows if row[0] == "file" and row[2].isdigit())
    check(stones == tests, f"{stones} of {tests} positions by stones")
    check(ElementTree.parse(picture).getroot().tag.endswith("svg"), "no picture")
    check(len(json.loads(run("report", path, "-f", "json")[0])) > 5, "report as JSON")


def invented_game(dice):
    """A position of the nine-stone game, and a result that its stones alone decide."""
    own, other = dice.randint(3, 9), dice.randint(3, 9)
    points = ["O"] * own + ["@"] * other + ["*"] * (24 - own - other)
    dice.shuffle(points)
    board = "/".join("".join(points[ring:ring + 8]) for ring in (0, 8, 16))
    return f"{(own > other) - (own < other)} 9 {board} w m s {own} 0 {other} 0"


def net():
    path, file = home / "stones.txt", home / "stones.kvn"
    dice = random.Random(4)
    splits = ["train"] * 8 + ["valid", "test"]
    path.write_text("".join(f"{dice.choice(splits)} {invented_game(dice)}\n" for _ in range(20000)))
    options = ["net", path, "--epochs", 25, "-q", "-o", file]
    out, _ = run(*options)
    first = file.read_bytes()
    right = re.search(r"test: on \d+ positions loss [\d.]+, ([\d.]+) % of results right", out)
    check(right and float(right[1]) > 90, f"net: {out}")
    check(out.count("epoch") == 25, f"net: {out}")
    rows = [line.split(",") for line in run("report", path, "-f", "csv")[0].splitlines()]
    check({row[0] for row in rows if row[1:3] == ["all", "all"]} == {"built-in", "network"}, f"report: {rows[-2:]}")
    run(*options)
    check(file.read_bytes() == first, "net: other bytes for the same data and seed")
    run(*options, "-s", 2)
    check(file.read_bytes() != first, "net: the same bytes for another seed")
    check("--out" in run("net", path, code=2)[1], "net: no --out")
    check("nine stones" in run("net", home / "uniform.txt", "-o", file, code=1)[1], "net: four stones")
    path.write_text("train 0 0 O*******/********/@******* w p p 1 8 1 8\n")
    check("at least" in run("net", path, "-o", file, code=1)[1], "net: one position")


def wrong_use():
    for arguments in ([], ["bake"], ["data", "--count", "0"], ["fit"], ["data"], ["soak", "-d", tables],
                      ["grade", "-d", tables, "--nodes", 5, "-f", "xml"], ["fit", "a", "b"]):
        _, error = run(*arguments, code=2)
        check("kvern-tune" in error, f"{arguments}: {error}")
    check("/no/such" in run("data", "-d", "/no/such", code=1)[1], "no directory")
    check("no table" in run("data", "-d", home, code=1)[1], "an empty directory")
    bad = home / "bad.txt"
    bad.write_text("train 1 5 O@O@***O/***O**O*/******** w m s 5 0 2 1\ntrain 2 5 x\n")
    for command in ("fit", "report", "net"):
        check(re.search(r"line [12]", run(command, bad, "-o", home / "out", code=1)[1]), f"{command}: which line?")
    check("--tables" in run("--help")[0] and "kvern-tune" in run("--version")[0], "help")


def stopped():
    path = home / "stopped.txt"
    process = subprocess.Popen([TUNE, "data", "-d", str(tables), "-n", "1000000000", "--play-nodes", "2000", "-q",
                                "-o", str(path)])
    for _ in range(600):
        time.sleep(0.1)
        if path.exists() and path.stat().st_size > 0:
            break
    process.send_signal(signal.SIGINT)
    check(process.wait(timeout=60) == 130, f"stopped: exit code {process.returncode}")
    check(path.read_text().endswith("\n") and len(read(path)) > 0, "stopped: half a file")


try:
    for stones, directory in (("4", tables), ("5", five)):
        subprocess.run([TB, "build", "--stones", stones, "--dir", str(directory), "-q"], stdout=subprocess.DEVNULL,
                       timeout=300, check=True)
    for part in (data, data_missing, data_exhausted, grade, grade_by_hand, soak, fit_and_report, net, wrong_use, stopped):
        part()
finally:
    shutil.rmtree(home)
print("\n".join(complaints) or "as it should be")
sys.exit(bool(complaints))
