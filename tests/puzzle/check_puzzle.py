#!/usr/bin/env python3
"""The program kvern-puzzle from outside: check_puzzle.py PROGRAM DIRECTORY"""
import json
import pathlib
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

PROGRAM, HERE = sys.argv[1], pathlib.Path(sys.argv[2])
complaints = []


def run(*arguments, text="", code=0):
    """Runs the program; its standard output, standard error. A wrong exit code is a complaint."""
    done = subprocess.run([PROGRAM, *arguments], input=text.encode(), capture_output=True, timeout=600)
    out, error = done.stdout.decode(), done.stderr.decode()
    check(done.returncode == code, f"{arguments}: exit code {done.returncode}, not {code}: {error.strip()}")
    return out, error


def check(good, complaint):
    if not good:
        complaints.append(complaint)


def images(position):
    """All images of a position text under the symmetries of the board and of the colours."""
    board, side, _, _, *hands = position.split()[:8]
    rings = board.split("/")
    counts = {"O": hands[0:2], "@": hands[2:4]}
    for colours in ("O@", "@O"):
        for swap in (False, True):
            for turn in range(0, 8, 2):
                for mirror in (False, True):
                    now = [ring[turn:] + ring[:turn] for ring in (rings[::-1] if swap else rings)]
                    if mirror:
                        now = [ring[0] + ring[:0:-1] for ring in now]
                    text = "/".join(now).translate(str.maketrans("O@", colours))
                    mover = "O" if side == "w" else "@"
                    yield text, colours["O@".index(mover)], *counts[colours[0]], *counts[colours[1]]


def solve_known():
    out, _ = run("solve", "--json", str(HERE / "known.txt"))
    lines = [json.loads(line) for line in out.splitlines()]
    check("summary" in lines[-1] and lines[-1]["summary"]["right"] == len(lines) - 1, "known.txt: " + out)
    for line in lines[:-1]:
        check(line["answer"] == "right", f"{line['id']}: {line['answer']}")
        check(line["known"] in ("rules", "table", "proof"), f"{line['id']}: known by {line['known']}")
    again, _ = run("solve", "-b", "-", text="\n".join(json.dumps({k: line[k] for k in ("fen", "value", "plies")})
                                                     for line in lines[:-1]))
    check(f"{len(lines) - 1} right, 0 wrong" in again, "values do not come back: " + again)


def solve_wrong():
    first = next(line for line in (HERE / "known.txt").read_text().splitlines() if line and line[0] != "#")
    position = first.split(" bm ")[0]
    out, _ = run("solve", "--no-tables", "-", text=f"{position}; value loss;\n", code=1)
    check("expected answer wrong" in out, "a wrong value passes: " + out)
    out, _ = run("solve", "--no-tables", "--nodes", "2000", "-", text="startpos; value draw;\n", code=5)
    check("not proven" in out, "the start position is proven within 2000 nodes: " + out)


def solve_bad_lines():
    for number, line in enumerate((HERE / "bad.txt").read_text().splitlines()):
        if not line or line[0] == "#":
            continue
        _, error = run("solve", "--no-tables", "--nodes", "100", "-", text=f"# first\n\n{line}\nstartpos\n", code=3)
        check("-:3: " in error and error.count("\n") == 1, f"bad.txt:{number + 1}: {line}: {error!r}")


def draw():
    position = "***O@***/O**@*O**/@*O***@* w m s 4 0 4 0"
    for extra in ([], ["--played", "d6-b6"], ["--move", "e3-e4"], ["--arrow", "a1-a4:bad", "--mark", "G7:good"],
                  ["--bare", "--mills", "--title", "a <b> & \"c\""]):
        out, _ = run("diagram", position, *extra)
        tree = ElementTree.fromstring(out)
        stones = [c for c in tree.iter("{http://www.w3.org/2000/svg}circle") if c.get("r") == "21"]
        check(tree.tag.endswith("svg") and len(stones) == 8, f"diagram {extra}: {len(stones)} stones")
    ElementTree.fromstring(run("diagram", "startpos")[0])
    run("diagram", "nonsense", code=3)
    run("diagram", "startpos", "--mark", "d9", code=2)
    run("diagram", "startpos", "--move", "a1-a4", code=3)
    run("diagram", "startpos", "-o", "/no/such/directory/x.svg", code=4)


def annotate():
    game = str(HERE / "game.txt")
    quick = ["--no-tables", "--nodes", "3000", "--engine-nodes", "500"]
    with tempfile.TemporaryDirectory() as directory:
        page, record = directory + "/game.html", directory + "/game.pgn"
        run("annotate", game, *quick, "-o", page)
        text = pathlib.Path(page).read_text()
        tree = ElementTree.fromstring(text.split("\n", 1)[1])
        check(len(list(tree.iter("article"))) == 43, "html: not an article a turn")
        check("http" not in text.replace("http://www.w3.org/2000/svg", ""), "html: the page needs others")
        run("annotate", game, *quick, "-o", record)
        out, _ = run("annotate", record, *quick, "--json")
    data = json.loads(out)
    check(len(data["moves"]) == 43 and data["result"] == "1-0", "the annotated record reads differently")
    last = data["moves"][-1]["after"]
    check(last["value"] == "win" and last["plies"] == 1 and last["known"] == "rules", f"last move: {last}")
    proven = [move for move in data["moves"] if move["before"]["known"] == "proof"]
    check(len(proven) > 0, "nothing is proven")
    out, _ = run("annotate", game, *quick)
    check("closes the mill" in out and "stops " in out, "text: mills are not explained")
    run("annotate", "-", *quick, text="1. d6 d6 *\n", code=3)
    run("annotate", game, *quick, "--game", "2", code=3)


def make():
    seen = set()
    for kind, count, length, extra in (("win", 4, "3-9", []), ("draw", 4, "2-30", []),
                                       ("placing", 1, "3-7", ["--no-tables"])):
        options = ["make", "--kind", kind, "--length", length, "--count", str(count), "--nodes", "20000",
                   "--seed", "7", *extra]
        out, _ = run(*options)
        check(kind != "win" or out == run(*options)[0], f"{kind}: the same seed makes other puzzles")
        lines = out.splitlines()
        check(len(lines) == count, f"{kind}: {len(lines)} puzzles")
        for line in lines:
            check(not seen & set(images(line)), "twice under symmetry: " + line)
            seen.add(next(iter(images(line))))
        solved, _ = run("solve", "-b", "-", *extra, text=out)
        check(f"{count} right, 0 wrong, 0 not proven" in solved, f"{kind}: {solved}")
    out, _ = run("make", "--json", "--count", "1", "--attempts", "1", "--kind", "placing", "--length", "1-1",
                 "--no-tables", code=1)
    check(out == "", "a puzzle from one attempt: " + out)


def usage():
    for arguments in ([], ["nonsense"], ["solve"], ["solve", "a", "b"], ["make", "--kind", "x"],
                      ["make", "--length", "9-3"], ["annotate", "--format", "x", "y"], ["diagram"],
                      ["solve", "--rule", "Flying", "-"], ["solve", "--rule", "Flying=maybe", "-"]):
        run(*arguments, code=2)
    run("solve", "no-such-file", code=4)
    for arguments in (["--help"], ["--version"], ["solve", "--help"], ["annotate", "--help"], ["make", "--help"],
                      ["diagram", "--help"]):
        out, _ = run(*arguments)
        check("kvern-puzzle" in out, f"{arguments}: {out}")


for test in (usage, draw, solve_bad_lines, solve_known, solve_wrong, annotate, make):
    test()
print("\n".join(complaints))
sys.exit(1 if complaints else 0)
