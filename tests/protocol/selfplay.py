#!/usr/bin/env python3
"""Games of the engine against itself under the eyes of a referee that has its own idea of the rules:
every position's legal moves and every result must agree, every move must be legal, every game must end
with a reason. Prints how long the moves took; --strict also fails when one took too long."""
import argparse
import random
import subprocess
import sys
import time

from engine import Engine

CHOICES = {
    "Flying": ["false", "true"],
    "MillProtection": ["unless-all", "always", "never"],
    "DoubleMill": ["one", "two"],
    "RecloseMill": ["allowed", "not-twice", "not-at-once"],
    "FirstMove": ["white", "black"],
}
CLASSIC = {"Flying": "true", "MillProtection": "unless-all", "DoubleMill": "one", "RecloseMill": "allowed",
           "FirstMove": "white", "Repetition": 3, "NoCaptureLimit": 0}
REASONS = {"few": "fewer than three stones", "blocked": "no legal move", "repetition": "repetition",
           "limit": "no capture within the limit"}
GRACE_MS = 20


class Referee:
    def __init__(self, program):
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def _ask(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        words = self.process.stdout.readline().split()
        if words == ["illegal"]:
            return None
        return {"side": words[0], "result": words[1], "moves": words[2:]}

    def new(self, rules):
        numbers = [str(CHOICES[name].index(rules[name])) for name in CHOICES]
        return self._ask("new " + " ".join(numbers + [str(rules["Repetition"]), str(rules["NoCaptureLimit"])]))

    def play(self, move):
        return self._ask("play " + move)

    def close(self):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()


def plain(move):
    """Captures in alphabetical order: two captures are one move either way round."""
    first, *captures = move.split("x")
    return "x".join([first] + sorted(captures))


def random_rules(dice):
    rules = {name: dice.choice(values) for name, values in CHOICES.items()}
    rules["Repetition"] = dice.choice([2, 3, 3, 5])
    rules["NoCaptureLimit"] = dice.choice([0, 0, 20, 100])
    return rules


def check(state, seen):
    """The engine's view of a position against the referee's; a text when they differ."""
    if state["side"] != seen["side"]:
        return f"side {state['side']}, referee {seen['side']}"
    winner, _, reason = seen["result"].partition("-")
    if state["result"] != winner or (winner != "ongoing" and state["reason"] != REASONS[reason]):
        return f"result {state['result']} {state['reason']}, referee {seen['result']}"
    ours, theirs = ({plain(move) for move in moves}
                    for moves in ([move["move"] for move in state["moves"]], seen["moves"]))
    return f"moves differ: {sorted(ours ^ theirs)}" if ours != theirs else None


def play_game(kvern, referee, rules, arguments, dice, times):
    """(result and reason, plies) of one game, or raises."""
    for name, value in rules.items():
        kvern.send(f"setoption name {name} value {value}")
    kvern.send("ucinewgame")
    errors = [line for line in kvern.ready() if "error" in line]
    if errors:
        raise AssertionError(errors[0])
    seen, moves, opening = referee.new(rules), [], dice.randrange(arguments.random_plies + 1)
    while True:
        kvern.send("position startpos" + (" moves " + " ".join(moves) if moves else ""))
        state = kvern.state()
        wrong = check(state, seen)
        if wrong:
            raise AssertionError(f"after {moves}: {wrong}")
        if state["result"] != "ongoing":
            return f"{state['result']}: {state['reason']}", len(moves)
        if len(moves) < opening:
            move = dice.choice(state["moves"])["move"]
        else:
            begin = time.monotonic()
            move = kvern.go(f"movetime {arguments.movetime}")[1][0]
            times.append((time.monotonic() - begin) * 1000)
        seen = referee.play(move)
        if seen is None:
            raise AssertionError(f"after {moves}: {move} is illegal")
        moves.append(move)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kvern")
    parser.add_argument("referee")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--movetime", type=int, default=20, help="milliseconds a move")
    parser.add_argument("--house", action="store_true", help="random house rules for each game")
    parser.add_argument("--random-plies", type=int, default=6, help="at most so many random moves first")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--strict", action="store_true", help=f"no move later than {GRACE_MS} ms after its time")
    arguments = parser.parse_args()
    results, times, plies = {}, [], 0
    referee = Referee(arguments.referee)
    with Engine(arguments.kvern, options=[("Hash", "16")]) as kvern:
        for game in range(arguments.games):
            dice = random.Random(arguments.seed * 100003 + game)
            rules = random_rules(dice) if arguments.house else CLASSIC
            try:
                result, length = play_game(kvern, referee, rules, arguments, dice, times)
            except AssertionError as wrong:
                print(f"game {game}, seed {arguments.seed}, {rules}: {wrong}")
                return 1
            results[result] = results.get(result, 0) + 1
            plies += length
        code = kvern.quit()
    referee.close()
    for result, count in sorted(results.items()):
        print(f"{count:5} {result}")
    late = sum(time > arguments.movetime + GRACE_MS for time in times)
    print(f"{arguments.games} games, {plies} plies, {len(times)} moves searched; "
          f"slowest {max(times, default=0):.1f} ms, {late} more than {GRACE_MS} ms late; exit code {code}")
    return 1 if code != 0 or (arguments.strict and late) else 0


if __name__ == "__main__":
    sys.exit(main())
