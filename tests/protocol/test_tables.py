#!/usr/bin/env python3
"""Endgame tables as a front end meets them, built in and on file. test_tables.py KVERN KVERN_TB"""
import pathlib
import subprocess
import sys
import tempfile
import unittest

from engine import Engine

KVERN, KVERN_TB = sys.argv[1:3]
BUILT_IN = "position fen ********/******OO/@@@***O@ w m s 3 0 4 0"
ON_FILE = "position fen ********/*@****OO/@*@***OO w m s 4 0 3 0"
FOUR = "position fen *@******/*@****OO/@*@***OO w m s 4 0 4 0"
OPENING = "position startpos"


def engine(**options):
    return Engine(KVERN, options=[("Hash", "4")] + list(options.items()))


def probe(kvern, position):
    """{"position": words, move: words...}"""
    kvern.send(position, "probe")
    return {line.split()[0]: line.split()[1:] for line in kvern.ready()}


def best_of(values):
    """What the values of the moves say of the position."""
    wins = [int(value[1]) for value in values if value[0] == "win"]
    if wins:
        return ["win", str(min(wins))]
    if any(value[0] == "draw" for value in values):
        return ["draw"]
    return ["loss", str(max(int(value[1]) for value in values))]


class Tables(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.directory = tempfile.TemporaryDirectory()
        subprocess.run([KVERN_TB, "build", "-d", cls.directory.name, "-q", "-n", "8"], check=True,
                       stdout=subprocess.DEVNULL)

    @classmethod
    def tearDownClass(cls):
        cls.directory.cleanup()

    def test_a_position_is_worth_its_best_move(self):
        with engine(TablebasePath=self.directory.name) as kvern:
            self.assertRegex(kvern.ready()[0], r"^info string TablebasePath: \d+ tables in use$")
            for position in (BUILT_IN, ON_FILE, FOUR):
                values = probe(kvern, position)
                position = values.pop("position")
                self.assertNotIn(["unknown"], values.values())
                self.assertEqual(position, best_of(list(values.values())))

    def test_files_and_built_in_tables_agree(self):
        with engine() as plain, engine(TablebasePath=self.directory.name) as filed:
            filed.ready()
            for position in (BUILT_IN, ON_FILE):
                self.assertEqual(probe(plain, position), probe(filed, position))
            self.assertEqual(probe(plain, FOUR)["position"], ["unknown"])

    def test_a_search_keeps_to_the_exact_value(self):
        with engine(TablebasePath=self.directory.name) as kvern:
            kvern.ready()
            for position in (BUILT_IN, ON_FILE, FOUR):
                values = probe(kvern, position)
                kvern.send(position)
                _, best = kvern.go("depth 4")
                self.assertEqual(values[best[0]], values["position"])

    def test_the_same_search_counts_the_same(self):
        counts = set()
        for _ in range(2):
            with engine(TablebasePath=self.directory.name) as kvern:
                kvern.ready()
                for position in (OPENING, FOUR, BUILT_IN):
                    kvern.send("ucinewgame", position)
                    line = kvern.go("depth 5")[0][-1].split()
                    counts.add((position, line[line.index("nodes") + 1]))
        self.assertEqual(len(counts), 3)

    def test_other_rules_have_other_tables(self):
        with engine(TablebasePath=self.directory.name) as kvern:
            kvern.ready()
            kvern.send("setoption name Flying value false")
            self.assertEqual(probe(kvern, FOUR)["position"], ["unknown"])
            kvern.send("setoption name RecloseMill value not-twice")
            self.assertEqual(probe(kvern, FOUR)["position"], ["unknown"])
            kvern.send("setoption name RecloseMill value allowed", "setoption name Flying value true")
            self.assertNotEqual(probe(kvern, FOUR)["position"], ["unknown"])

    def test_a_bad_path_leaves_the_good_one(self):
        with engine(TablebasePath=self.directory.name) as kvern:
            kvern.ready()
            kvern.send("setoption name TablebasePath value /no/such/directory")
            self.assertIn("info string error setoption: TablebasePath: ", kvern.ready()[0])
            self.assertNotEqual(probe(kvern, FOUR)["position"], ["unknown"])
            kvern.send("setoption name TablebasePath value <empty>")
            self.assertEqual(probe(kvern, FOUR)["position"], ["unknown"])

    def test_a_damaged_file_is_named(self):
        with tempfile.TemporaryDirectory() as directory:
            for path in pathlib.Path(self.directory.name).iterdir():
                data = path.read_bytes()
                if path.name.startswith("4-4"):
                    data = data[:len(data) // 2]
                (pathlib.Path(directory) / path.name).write_bytes(data)
            with engine(TablebasePath=directory) as kvern:
                lines = kvern.ready()
                self.assertTrue(any("4-4" in line for line in lines), lines)
                self.assertFalse(any("error" in line and "setoption" in line for line in lines), lines)
                self.assertEqual(probe(kvern, FOUR)["position"], ["unknown"])
                self.assertNotEqual(probe(kvern, ON_FILE)["position"], ["unknown"])

    def test_a_search_on_a_clock_does_not_wait_for_them(self):
        with engine() as kvern:
            kvern.send(BUILT_IN)
            self.assertIn(kvern.go("movetime 20")[1][0], [move["move"] for move in kvern.state()["moves"]])

    def nodes_of_the_opening(self, kvern):
        kvern.send("ucinewgame", OPENING)
        lines, answer = kvern.go("depth 9")
        return lines[-1].split(" nodes ")[1].split()[0], answer

    def test_the_opening_counts_the_same_whatever_else_is_there(self):
        with engine() as plain, engine(TablebasePath=self.directory.name) as filed:
            filed.ready()
            first = self.nodes_of_the_opening(plain)
            self.assertNotEqual(probe(plain, BUILT_IN)["position"], ["unknown"])
            self.assertEqual(self.nodes_of_the_opening(plain), first)
            self.assertEqual(self.nodes_of_the_opening(filed), first)

    def test_a_seed_varies_the_opening(self):
        with engine(**{"Random Seed": "1"}) as kvern:
            moves = set()
            for seed in range(1, 21):
                kvern.send(f"setoption name Random Seed value {seed}", "ucinewgame", OPENING + " moves a1 d6")
                move = kvern.go("depth 3")[1][0]
                self.assertEqual(kvern.go("depth 3")[1][0], move)
                self.assertNotIn(move, "e3 c3 f2 b6 g1 d1 a4 a7".split())
                moves.add(move)
            self.assertGreater(len(moves), 3)

    def test_stop_ends_the_wait_for_them(self):
        with engine() as kvern:
            kvern.send(BUILT_IN, "go infinite", "stop")
            kvern.until("bestmove")
            self.assertEqual(kvern.ready(), [])


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]] + sys.argv[3:])
