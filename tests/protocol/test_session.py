#!/usr/bin/env python3
"""What transcripts cannot say: order while a search runs, huge lines, signals, JSON, legality of every
line of play. test_session.py KVERN [NAME...]"""
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import unittest

from engine import Engine

KVERN = sys.argv[1]

OPENING = "position startpos moves a1 d6 a4 f6"
FLYING = "position fen ********/******OO/@@@***O@ w m s 3 0 4 0"
HOUSE = [
    {"Flying": "false"}, {"MillProtection": "always"}, {"MillProtection": "never"}, {"DoubleMill": "two"},
    {"RecloseMill": "not-twice"}, {"RecloseMill": "not-at-once"}, {"FirstMove": "black"},
    {"DoubleMill": "two", "MillProtection": "never", "Flying": "false", "RecloseMill": "not-twice"},
    {"Repetition": "2"}, {"NoCaptureLimit": "10"},
]


def engine(*arguments, **options):
    return Engine(KVERN, *arguments, options=[("Hash", "4")] + list(options.items()))


def field(line, name):
    words = line.split()
    return words[words.index(name) + 1] if name in words else None


def pv(line):
    words = line.split()
    return words[words.index("pv") + 1:] if "pv" in words else []


class WhileSearching(unittest.TestCase):
    def test_isready_is_answered_and_the_search_goes_on(self):
        with engine() as kvern:
            kvern.send("go infinite")
            kvern.until("info depth 2")
            kvern.send("isready")
            lines = kvern.until("readyok")
            self.assertFalse([line for line in lines if line.startswith("bestmove")])
            kvern.send("stop")
            kvern.until("bestmove")
            self.assertEqual(kvern.ready(), [])

    def test_every_go_has_one_bestmove(self):
        with engine() as kvern:
            for words in ("depth 2", "nodes 100", "movetime 10", "wtime 50 btime 50", "depth x", "mate 2",
                          "searchmoves a1 depth 1", "depth 1 nodes 1 movetime 1"):
                kvern.go(words)
                self.assertEqual(kvern.ready(), [], words)

    def test_bestmove_follows_a_line_about_its_move(self):
        with engine() as kvern:
            for words in ("depth 4", "nodes 500", "movetime 20", "mate 2"):
                lines, best = kvern.go(words)
                self.assertEqual(pv(lines[-1])[0], best[0], words)
                for line in lines:
                    self.assertRegex(line, r"^info depth \d+ seldepth \d+ multipv \d+ score (cp|mate) -?\d+"
                                           r"( (lower|upper)bound)? nodes \d+ nps \d+ hashfull \d+ "
                                           r"tbhits \d+ time \d+( pv( \S+)+)?$")

    def test_options_wait_for_the_end(self):
        with engine() as kvern:
            kvern.send("position startpos moves d6", "go infinite", "setoption name DoubleMill value two",
                       "setoption name Hash value 2", "setoption name Hash value zero")
            error = kvern.until("info string error")[-1]
            self.assertIn("Hash", error)
            state = kvern.state()
            self.assertEqual(state["rules"]["DoubleMill"], "one")
            self.assertEqual(state["ply"], 1)
            kvern.send("stop")
            kvern.until("bestmove")
            state = kvern.state()
            self.assertEqual(state["rules"]["DoubleMill"], "two")
            self.assertEqual(state["ply"], 0)

    def test_a_new_game_takes_rules_that_wait(self):
        with engine() as kvern:
            kvern.send("go infinite", "setoption name Flying value false", "position startpos moves d6", "stop")
            kvern.until("bestmove")
            state = kvern.state()
            self.assertEqual((state["rules"]["Flying"], state["ply"]), (False, 1))

    def test_a_position_set_meanwhile_is_the_next_one(self):
        with engine() as kvern:
            kvern.send("go infinite", "position startpos moves d6", "stop")
            kvern.until("bestmove")
            self.assertEqual(kvern.state()["ply"], 1)

    def test_ponder_waits_for_ponderhit(self):
        with engine() as kvern:
            kvern.send("position startpos moves d6", "go ponder wtime 60 btime 60")
            kvern.send("isready")
            lines = kvern.until("readyok")
            self.assertFalse([line for line in lines if line.startswith("bestmove")])
            kvern.send("ponderhit")
            kvern.until("bestmove")
            self.assertEqual(kvern.ready(), [])

    def test_searches_of_a_script_follow_each_other(self):
        with engine() as kvern:
            kvern.send("go depth 4", "position startpos moves d6", "go depth 3", "position startpos moves d6 f4",
                       "go depth 2")
            text = "\n".join(line for _ in range(3) for line in kvern.until("bestmove"))
            depths = re.findall(r"info depth (\d+)[^\n]*\nbestmove", text)
            self.assertEqual(depths, ["4", "3", "2"])

    def test_quit_ends_an_endless_search(self):
        with engine() as kvern:
            kvern.send("go infinite")
            kvern.until("info")
            self.assertEqual(kvern.quit(), 0)

    def test_the_same_search_twice_counts_the_same(self):
        counts = set()
        for _ in range(2):
            with engine() as kvern:
                for position in ("position startpos", OPENING, FLYING):
                    kvern.send(position)
                    counts.add((position, field(kvern.go("depth 6")[0][-1], "nodes")))
        self.assertEqual(len(counts), 3)


class EndOfInput(unittest.TestCase):
    def run_text(self, text, *arguments):
        return subprocess.run([KVERN, *arguments], input=text.encode(), stdout=subprocess.PIPE, timeout=60)

    def test_a_bounded_search_is_finished(self):
        done = self.run_text("go depth 6\n")
        self.assertEqual(done.returncode, 0)
        self.assertRegex(done.stdout.decode(), r"info depth 6 [^\n]*\nbestmove \S+[^\n]*\n$")

    def test_an_unbounded_one_is_stopped(self):
        for words in ("go", "go infinite", "go ponder wtime 100000 btime 100000"):
            done = self.run_text(words + "\n")
            self.assertEqual(done.returncode, 0)
            self.assertEqual(done.stdout.decode().count("bestmove"), 1)

    def test_the_last_line_needs_no_end(self):
        done = self.run_text("isready\r\nisready")
        self.assertEqual(done.stdout, b"readyok\nreadyok\n")

    def test_nothing_is_nothing(self):
        self.assertEqual(self.run_text("").stdout, b"")
        self.assertEqual(self.run_text("\n\r\n  \n").stdout, b"")

    def test_closed_output_ends_it(self):
        process = subprocess.Popen([KVERN], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        process.stdout.close()
        process.stdin.write(b"go infinite\n")
        process.stdin.flush()
        self.assertEqual(process.wait(timeout=60), 2)
        process.stdin.close()

    def test_closed_streams_end_it(self):
        for shell, code in (("exec {} <&-", 0), ("exec {} isready >&-", 2), ("exec {} isready >/dev/full", 2),
                            ("exec {} isready <&- 2>&-", 0)):
            done = subprocess.run(["sh", "-c", shell.format(f"'{KVERN}'")], stdin=subprocess.DEVNULL,
                                  stdout=subprocess.DEVNULL, timeout=60)
            self.assertEqual(done.returncode, code, shell)

    def test_signals_end_it(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            with engine() as kvern:
                kvern.send("go infinite")
                kvern.until("info depth")
                kvern.process.send_signal(number)
                self.assertIn("bestmove", kvern.rest()[-1])
                self.assertEqual(kvern.wait(), 128 + number)
        with engine() as kvern:
            kvern.ready()
            kvern.send("perft 11")
            kvern.process.send_signal(signal.SIGINT)
            self.assertEqual(kvern.wait(), 130)


class Lines(unittest.TestCase):
    def test_of_any_length(self):
        with engine() as kvern:
            kvern.send("x" * 10_000_000)
            self.assertIn("unknown command", kvern.line())
            kvern.send("#" * 10_000_000, "position startpos moves " + "d6 " * 3_000_000)
            self.assertIn("move 2 'd6': point occupied", kvern.line())
            self.assertEqual(kvern.ready(), [])

    def test_of_thousands_of_moves(self):
        shuffle = ["b4-f4", "g4-g1", "f4-b4", "g1-g4"] * 5000
        with engine(Repetition=0) as kvern:
            kvern.send(FLYING + " moves " + " ".join(shuffle))
            state = kvern.state()
            self.assertEqual(state["ply"], 20000)
            self.assertEqual(state["repetitions"], 5001)
            kvern.go("depth 3")

    def test_with_any_bytes(self):
        noise = random.Random(5)
        with engine() as kvern:
            kvern.send_bytes(b"\0\0isready\n\0\xff\xfe d6\n" + b"\0" * 100_000 + b"\nis\0ready\n")
            for _ in range(200):
                data = bytes(noise.randrange(256) for _ in range(noise.randrange(80)))
                kvern.send_bytes(b"zz" + data.replace(b"\n", b"") + b"\n")
            kvern.send("isready")
            lines = kvern.until("readyok")
            self.assertTrue(all(line.startswith("info string error unknown command") for line in lines[:-1]))
            self.assertGreaterEqual(len(lines), 200)

    def test_are_logged(self):
        with tempfile.TemporaryDirectory() as directory:
            path = os.path.join(directory, "log")
            with engine() as kvern:
                kvern.send(f"setoption name Debug Log File value {path}", "isready", "go depth 1")
                kvern.until("bestmove")
                kvern.send("setoption name Debug Log File value <empty>", "uci")
                kvern.until("uciok")
                kvern.quit()
            with open(path, encoding="utf-8") as log:
                lines = log.read().splitlines()
        self.assertIn(">> isready", lines)
        self.assertIn("<< readyok", lines)
        self.assertIn(">> go depth 1", lines)
        self.assertNotIn("<< uciok", lines)


class State(unittest.TestCase):
    def check(self, kvern):
        state = kvern.state()
        kvern.send("moves")
        moves = kvern.line().split()
        texts = [move["move"] for move in state["moves"]]
        self.assertEqual(texts, [] if moves == ["(none)"] else moves)
        self.assertEqual(len(set(texts)), len(texts))
        for move in state["moves"]:
            text = ("" if move["from"] is None else move["from"] + "-") + (move["to"] or "")
            self.assertEqual(move["move"], text + "".join("x" + point for point in move["captures"]))
        for side in ("white", "black"):
            self.assertEqual(state["counts"][side], list(state["points"].values()).count(side))
        self.assertEqual(len(state["points"]), 24)
        self.assertEqual(state["result"] == "ongoing", bool(state["moves"]))
        self.assertEqual(state["result"] == "ongoing", state["reason"] == "none")
        kvern.send("query gameover")
        self.assertEqual(kvern.line(), "response " + ("false" if state["moves"] else "true"))
        return state

    def test_of_random_games_under_all_rules(self):
        dice = random.Random(3)
        for rules in [{}] + HOUSE:
            with engine(**rules) as kvern:
                moves = []
                for _ in range(120):
                    kvern.send("position startpos" + (" moves " + " ".join(moves) if moves else ""))
                    state = self.check(kvern)
                    if state["result"] != "ongoing":
                        break
                    kvern.send("position fen " + state["fen"])
                    again = self.check(kvern)
                    for name in ("fen", "moves", "key", "side", "phase", "ply"):
                        self.assertEqual(again[name], state[name], name)
                    captures = [move for move in state["moves"] if move["captures"]]
                    move = dice.choice(captures or state["moves"])
                    # captures as words of their own, now and then
                    moves.append(move["move"].replace("x", " x") if dice.random() < 0.3 else move["move"])

    def test_while_captures_are_due(self):
        with engine(DoubleMill="two", MillProtection="never") as kvern:
            kvern.send("position startpos moves a1 d6 a4 f6 d7 b4 g7 f4 a7")
            state = self.check(kvern)
            self.assertEqual((state["due"], state["side"]), (2, "white"))
            self.assertTrue(all(move["to"] is None for move in state["moves"]))
            self.assertEqual(state["last"]["move"], "a7")
            kvern.send("position fen " + state["fen"] + " moves xd6")
            self.assertEqual(self.check(kvern)["due"], 1)
            kvern.send("position fen " + state["fen"] + " moves xd6 xf6")
            self.assertEqual(self.check(kvern)["side"], "black")


class Play(unittest.TestCase):
    def follow(self, kvern, position, line):
        """Every move of a line of play is legal, and the game is not over before its end."""
        moves = pv(line)
        start = position + ("" if " moves " in position else " moves")
        for length in range(len(moves) + 1):
            kvern.send(start + "".join(" " + move for move in moves[:length]) if length else position)
            if length < len(moves):
                self.assertEqual(kvern.state()["result"], "ongoing", line)
            else:
                kvern.state()

    def test_lines_of_play_are_legal(self):
        positions = ["position startpos", OPENING, OPENING + " a7", FLYING,
                     "position fen @@****@*/@*****O*/@**O*O*O w m s 4 0 5 0",
                     "position fen *@*O*O**/OO*@@OOO/*O**@*** b m s 8 0 4 0"]
        for rules in [{}] + HOUSE:
            for split in ("false", "true"):
                with engine(MultiPV=3, **rules) as kvern:
                    kvern.send(f"setoption name Split Captures value {split}")
                    for position in positions:
                        kvern.send(position)
                        lines, _ = kvern.go("depth 5")
                        for line in lines:
                            self.follow(kvern, position, line)

    def test_searchmoves_in_any_spelling(self):
        with engine() as kvern:
            kvern.send(OPENING)
            for words, answers in (("A7XD6", {"a7xd6"}), ("a7 xf6", {"a7xf6"}), ("a7", {"a7xd6", "a7xf6"}),
                                   ("zz x9 g1", {"g1"}), ("b4 A7xf6 depth 3 searchmoves G1", {"b4", "a7xf6", "g1"})):
                _, best = kvern.go("depth 2 searchmoves " + words)
                self.assertIn(best[0], answers)
            kvern.send(FLYING)
            for words in ("b4f4", "B4-F4", "b4-f4"):
                self.assertEqual(kvern.go("depth 2 searchmoves " + words)[1][0], "b4-f4")

    def test_split_captures_keep_to_the_first_choice(self):
        for rules in ({}, {"DoubleMill": "two", "MillProtection": "never"}):
            with engine(**rules) as kvern:
                kvern.send("setoption name Split Captures value true")
                game, words = "position startpos moves a1 d6 a4 f6 d7 b4 g7 f4", "depth 4 searchmoves a7"
                kvern.send(game)
                lines, best = kvern.go(words)
                plan, played = pv(lines[-1]), []
                due = 2 if rules else 1
                self.assertEqual(best, ["a7"])
                played.append("a7")
                for _ in range(due):
                    kvern.send(game + " " + " ".join(played))
                    self.assertGreater(kvern.state()["due"], 0)
                    _, best = kvern.go("movetime 10")
                    played.append(best[0])
                self.assertEqual(played, plan[:1 + due])
                kvern.send(game + " " + " ".join(played))
                self.assertEqual(kvern.state()["side"], "black")

    def test_mates_count_moves_in_uci_and_plies_in_ugi(self):
        # white takes the third of black's last stones: one move, one ply; black loses one move later
        won = "position fen ********/*OO****@/@*****O@ w m s 3 0 3 0"
        with engine() as kvern:
            for hello, unit in (("uci", 2), ("ugi", 1)):
                kvern.send(hello)
                kvern.until(hello + "ok")
                kvern.send("ucinewgame", won)
                lines, best = kvern.go("depth 8")
                self.assertEqual(len(best) > 1, hello == "uci" and len(pv(lines[-1])) > 1)
                plies = len(pv(lines[-1]))
                if field(lines[-1], "mate"):
                    self.assertEqual(int(field(lines[-1], "mate")), (plies + 1) // 2 if unit == 2 else plies)

    def test_ugi_answers_two_words(self):
        with engine() as kvern:
            kvern.send("ugi")
            kvern.until("ugiok")
            _, best = kvern.go("depth 6")
            self.assertEqual(len(best), 1)
            kvern.send("uci")
            kvern.until("uciok")
            _, best = kvern.go("depth 6")
            self.assertEqual((len(best), best[1]), (3, "ponder"))

    def test_wdl_is_shown_on_request(self):
        with engine() as kvern:
            kvern.send("setoption name UCI_ShowWDL value true")
            for line in kvern.go("depth 3")[0]:
                words = line.split()
                at = words.index("wdl")
                self.assertEqual(sum(map(int, words[at + 1:at + 4])), 1000)

    def test_p1_is_who_places_first(self):
        with engine(FirstMove="black") as kvern:
            kvern.send("ugi")
            kvern.until("ugiok")
            kvern.send("position startpos", "query p1turn")
            self.assertEqual(kvern.line(), "response true")
            # black's clock: a search on it ends by itself
            kvern.go("p1time 100 p2time 100000")


class Bench(unittest.TestCase):
    def test_counts_the_same_twice(self):
        texts = [subprocess.run([KVERN, "bench", "4"], stdout=subprocess.PIPE, timeout=60).stdout.decode()
                 for _ in range(2)]
        totals = [re.search(r"^(\d+) nodes \d+ nps\n\Z", text, re.M).group(1) for text in texts]
        self.assertEqual(totals[0], totals[1])
        self.assertEqual(int(totals[0]), sum(map(int, re.findall(r"^Position \d+/\d+: (\d+) nodes", texts[0], re.M))))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]] + sys.argv[2:])
