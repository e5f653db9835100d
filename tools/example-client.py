#!/usr/bin/env python3
"""A front end in one page: plays a game of nine men's morris and knows no rules of it.

Everything it has to know (whose turn it is, which moves are legal, what stands where, whether the game
is over and why) comes from the engine's `state` command, one line of JSON.
"""
import argparse
import json
import pathlib
import subprocess
import sys


class Engine:
    """An engine process and the few commands a front end needs."""

    def __init__(self, command, options):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.send("uci")
        self.answer("uciok")
        for name, value in options:
            self.send(f"setoption name {name} value {value}")
        self.send("isready")
        for line in self.answer("readyok"):
            if line.startswith("info string error"):
                sys.exit(line)

    def send(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def answer(self, last):
        """The lines up to the one that begins with `last`, that one included."""
        lines = []
        while not lines or not lines[-1].startswith(last):
            line = self.process.stdout.readline()
            if not line:
                sys.exit("the engine has gone")
            lines.append(line.rstrip("\n"))
        return lines

    def state(self, moves):
        self.send("position startpos" + (" moves " + " ".join(moves) if moves else ""))
        self.send("state")
        return json.loads(self.answer("{")[-1])

    def best_move(self, limit):
        self.send("go " + limit)
        return self.answer("bestmove")[-1].split()[1]

    def close(self):
        self.send("quit")
        self.process.wait()


def draw(points):
    """The board as text: a point's name says where it is."""
    signs = {"white": "O", "black": "@", None: "*"}
    for rank in "7654321":
        print(rank, "  ".join(signs[points[f + rank]] if f + rank in points else " " for f in "abcdefg"))
    print("  a  b  c  d  e  f  g")


def ask(state):
    """A move from the person at the keyboard: any legal one, typed as listed."""
    legal = [move["move"] for move in state["moves"]]
    draw(state["points"])
    while True:
        print(f"{state['side']} ({state['phase']}, {state['hands'][state['side']]} in hand), your move:")
        line = sys.stdin.readline()
        if not line:
            sys.exit("no more input")
        if line.strip() in legal:
            return line.strip()
        print("legal moves:", " ".join(legal))


def play(engines, human, limit, quiet):
    """Plays until the state says that the game is over, and returns that state and the moves."""
    moves = []
    while True:
        state = engines["white"].state(moves)
        if state["result"] != "ongoing":
            return state, moves
        side = state["side"]
        if side != human and engines[side] is not engines["white"]:
            engines[side].state(moves)  # the other engine has to know the position too
        move = ask(state) if side == human else engines[side].best_move(limit)
        if move not in [legal["move"] for legal in state["moves"]]:
            sys.exit(f"{side} answered {move}, which is not legal")
        moves.append(move)
        if not quiet:
            print(f"{len(moves):3} {side} {move}", flush=True)


def main():
    run = str(pathlib.Path(__file__).resolve().parent / "run")
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", default=run, help="the engine's program (default: tools/run)")
    parser.add_argument("--opponent", help="another program for black (default: the same one)")
    parser.add_argument("--human", choices=["white", "black"], help="play this colour yourself")
    parser.add_argument("--go", default="movetime 100", help="what follows 'go' (default: movetime 100)")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE",
                        help="an engine option or house rule; may be repeated")
    parser.add_argument("--quiet", action="store_true", help="print the result only")
    arguments = parser.parse_args()
    options = [option.partition("=")[::2] for option in arguments.option]
    white = Engine([arguments.engine], options)
    black = Engine([arguments.opponent], options) if arguments.opponent else white
    state, moves = play({"white": white, "black": black}, arguments.human, arguments.go, arguments.quiet)
    if arguments.human:
        draw(state["points"])
    print(f"result: {state['result']} ({state['reason']}) after {len(moves)} moves")
    for engine in {white, black}:
        engine.close()


if __name__ == "__main__":
    main()
