#!/usr/bin/env python3
"""Commands in a random order and without waiting: every go must be answered exactly once, and the engine
must end as usual. Worth most in a build with a thread sanitizer. storm.py KVERN [SEED [COMMANDS]]"""
import random
import sys

from engine import Engine

POSITIONS = [
    "position startpos",
    "position startpos moves a1 d6 a4 f6 a7",
    "position startpos moves a1 d6 d6",
    "position fen ********/******OO/@@@***O@ w m s 3 0 4 0",
    "position fen ******O*/***O**O*/@@@*@*O@ w m s 4 0 5 0",
    "position fen ********/********/@@@***OO w o ? 2 0 3 0",
]
SEARCHES = ["go infinite", "go ponder", "go ponder wtime 20 btime 20", "go depth 3", "go depth 6", "go movetime 3",
            "go nodes 300", "go wtime 30 btime 30", "go mate 1", "go", "go depth x"]
OPTIONS = ["Hash value 1", "Hash value 2", "Hash value 3", "Clear Hash", "Threads value 1", "Threads value 2",
           "Threads value 3", "MultiPV value 1", "MultiPV value 4", "Flying value false", "Flying value true",
           "DoubleMill value two", "DoubleMill value one", "Skill Level value 3", "Skill Level value 20",
           "Split Captures value true", "Split Captures value false", "Hash value x", "UCI_ShowWDL value true"]
QUESTIONS = ["isready", "d", "state", "moves", "eval", "query result", "perft 1", "uci", "ucinewgame", "# storm",
             "nonsense", "help"]
REFUSED = "info string error go: a search is running"


def command(dice):
    kind = dice.random()
    if kind < 0.25:
        return dice.choice(SEARCHES)
    if kind < 0.50:
        return dice.choice(["stop", "stop", "ponderhit"])
    if kind < 0.65:
        return dice.choice(POSITIONS)
    if kind < 0.80:
        return "setoption name " + dice.choice(OPTIONS)
    return dice.choice(QUESTIONS)


def main():
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    commands = int(sys.argv[3]) if len(sys.argv) > 3 else 600
    dice = random.Random(seed)
    asked = answered = 0
    with Engine(sys.argv[1], options=[("Hash", "1")]) as kvern:
        for number in range(commands):
            line = command(dice)
            asked += line.startswith("go")
            kvern.send(line)
            # catch up now and then, so that not everything is refused
            if number % 16 == 15:
                kvern.send("stop", "isready")
                lines = kvern.until("readyok")
                answered += sum(found.startswith(("bestmove", REFUSED)) for found in lines)
        while answered < asked:
            kvern.send("stop")
            answered += kvern.until("bestmove", REFUSED)[-1].startswith(("bestmove", REFUSED))
        late = [line for line in kvern.ready() if line.startswith("bestmove")]
        code = kvern.quit()
    print(f"seed {seed}: {commands} commands, {asked} go, {answered} answered, {len(late)} too many, exit code {code}")
    return 1 if late or code else 0


if __name__ == "__main__":
    sys.exit(main())
