#!/usr/bin/env python3
"""How soon the engine answers, and how much memory it takes. Prints figures and asserts nothing: they
belong to one machine and one hour. Takes a minute or two on an idle processor."""
import argparse
import random
import statistics
import subprocess
import time

from engine import Engine

POSITIONS = [
    "position startpos",
    "position startpos moves d6 f4 b4 d2 a1 g7",
    "position fen *@****O@/***@O*@*/*OOO@*O* w p p 6 3 5 3",
    "position fen *@*O*O**/OO*@@OOO/*O**@*** b m s 8 0 4 0",
    "position fen @@****@*/@*****O*/@**O*O*O w m s 4 0 5 0",
    "position fen ********/******OO/@@@***O@ w m s 3 0 4 0",
]


def show(name, times, wanted):
    times = sorted(times)
    print(f"{name:28} {len(times):5} times: median {statistics.median(times):8.2f}, "
          f"99 % {times[int(len(times) * 0.99)]:8.2f}, worst {times[-1]:8.2f} ms  ({wanted})", flush=True)


def since(begin):
    return (time.monotonic() - begin) * 1000


def start_to_uciok(kvern):
    begin = time.monotonic()
    with Engine(kvern) as engine:
        engine.send("uci")
        engine.until("uciok")
        took = since(begin)
        engine.quit()
    return took


def movetime(engine, position, words):
    engine.send(position)
    engine.ready()
    begin = time.monotonic()
    engine.go(words)
    return since(begin)


def stop(engine, position, wait):
    engine.send(position, "go infinite")
    time.sleep(wait)
    begin = time.monotonic()
    engine.send("stop")
    engine.until("bestmove")
    return since(begin)


def isready(engine, count):
    engine.send("position startpos", "go infinite")
    times = []
    for _ in range(count):
        time.sleep(0.01)
        begin = time.monotonic()
        engine.send("isready")
        engine.until("readyok")
        times.append(since(begin))
    engine.send("stop")
    engine.until("bestmove")
    return times


def resident_mb(engine):
    with open(f"/proc/{engine.process.pid}/status", encoding="ascii") as status:
        for line in status:
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) / 1024
    return 0


def memory(kvern, hash_mb, words, position):
    with Engine(kvern, options=[("Hash", hash_mb)]) as engine:
        engine.send(position)
        engine.go(words)
        return resident_mb(engine)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kvern")
    parser.add_argument("--movetime", type=int, default=100)
    parser.add_argument("--times", type=int, default=200, help="how often go movetime is tried")
    parser.add_argument("--hash", type=int, default=64)
    arguments = parser.parse_args()
    dice = random.Random(1)
    version = subprocess.run([arguments.kvern, "--version"], capture_output=True, text=True, check=True).stdout
    print(version.strip())
    show("start to uciok", [start_to_uciok(arguments.kvern) for _ in range(20)], "wanted: 50")
    with Engine(arguments.kvern, options=[("Hash", arguments.hash)]) as engine:
        show(f"go movetime {arguments.movetime}", [movetime(engine, dice.choice(POSITIONS),
                                                            f"movetime {arguments.movetime}")
                                                  for _ in range(arguments.times)],
             f"wanted: {arguments.movetime + 20}")
        show("stop", [stop(engine, dice.choice(POSITIONS), dice.uniform(0, 0.2)) for _ in range(50)], "wanted: 20")
        show("isready during a search", isready(engine, 200), "wanted: 5")
        engine.quit()
    for hash_mb in (1, 16, 64):
        for name, position in (("opening", POSITIONS[0]), ("endgame with tables", POSITIONS[-1])):
            used = memory(arguments.kvern, hash_mb, "nodes 3000000", position)
            print(f"resident with Hash {hash_mb:3}: {used:7.1f} MiB = Hash + {used - hash_mb:5.1f}, {name}"
                  f"  (wanted: Hash + 16)", flush=True)


if __name__ == "__main__":
    main()
