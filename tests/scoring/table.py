#!/usr/bin/env python3
"""The table program from outside: resuming, killing, signals, a full disk.

usage: table.py PROGRAM [--kills N]

PROGRAM is run as `PROGRAM molkky [FILE]`. Every check prints one line; the exit code is 0 only when
all of them held.
"""
import argparse
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time

failures = 0


def check(what, held, detail=""):
    global failures
    print(("ok      " if held else "FAILED  ") + what + ("" if held else ": " + repr(detail)), flush=True)
    failures += not held


def run(arguments, text, **more):
    return subprocess.run([PROGRAM, *arguments], input=text, capture_output=True, text=True, timeout=300, **more)


def entries_of(path):
    """The entry lines of a log, after the program itself has read it."""
    result = run(["molkky", path], "log\n")
    if result.returncode != 0:
        return None
    return [line for line in result.stdout.split("\n") if line.startswith("molkky throw")]


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def check_resume(directory):
    path = os.path.join(directory, "evening")
    first = run(["molkky", path], 'new "Les As"=Ann,Bo Cy\n12\nx\n3\nmolkky throw X\n')
    check("a new file is announced", f"{path} is new" in first.stdout, first.stdout)
    check("two X are announced", "* Cy has two X" in first.stdout, first.stdout)
    check("the end says where it is saved", f"Saved in {path}." in first.stdout, first.stdout)
    second = run(["molkky", path], "2\nX\n")
    check("the file is gone on with", f"Going on with {path}, 4 entries." in second.stdout, second.stdout)
    check("elimination is announced", "* Cy has three X running and is out" in second.stdout, second.stdout)
    check("a win is announced", "* Les As is the last one in and wins" in second.stdout, second.stdout)
    check("all entries are there", len(entries_of(path)) == 6, read(path))
    third = run(["molkky", path], "undo\n5\nnew A B\n1\n")
    check("a new game keeps the one before", f"The game before is kept in {path}.1." in third.stdout, third.stdout)
    check("the one before is whole", len(entries_of(path + ".1")) == 6, read(path + ".1"))
    check("the new one is in the file", len(entries_of(path)) == 1, read(path))
    run(["molkky", path], "new C D\n")
    check("and so is the next", len(entries_of(path + ".2")) == 1, os.listdir(directory))
    check("the wrong game is refused", run(["palet", path], "").returncode == 1)
    check("an unknown game is refused", run(["molkky", ""], "").returncode == 1)


def check_damage(directory):
    path = os.path.join(directory, "damaged")
    run(["molkky", path], "new A B\n1\n2\n3\n")
    whole = read(path)
    with open(path, "w", encoding="utf-8") as file:
        file.write(whole[: len(whole) // 2])
    cut = read(path)
    result = run(["molkky", path], "new C D\n1\n")
    check("a damaged file ends the program with 1", result.returncode == 1, result)
    check("with one line that says so", "the file is left as it is" in result.stdout, result.stdout)
    check("and is left as it is", read(path) == cut)


def check_others(directory):
    path = os.path.join(directory, "shared")
    with subprocess.Popen([PROGRAM, "molkky", path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as one:
        one.stdin.write("new A B\n1\n")
        one.stdin.flush()
        while "Next: B" not in one.stdout.readline():
            pass
        run(["molkky", path], "2\n3\n")
        out, _ = one.communicate("9\n")
    check("a file that somebody else changed is not written over", len(entries_of(path)) == 3, read(path))
    check("and that is said", "was changed by somebody else" in out and one.returncode == 1, out)
    check("with the log, so that nothing is lost", "molkky throw 9" in out, out)


def check_no_file():
    result = run(["palet"], "new A B\noo\nquit\n")
    check("without a file, quit asks first", "save FILE first" in result.stdout, result.stdout)
    check("and the log is shown at the end", "# kvern palet 1\n" in result.stdout, result.stdout)
    result = run(["jakkolo"], "new A\n7 7 9 7\n0 0 1 1\nquit\nquit\n")
    check("bonus discs are announced", "* A has all discs in and throws 2 bonus discs" in result.stdout)
    check("a bonus throw needs no word", "153" in result.stdout, result.stdout)
    result = run(["palet"], "new A B\no\nq\no\n")
    check("a validated queen is announced", "* A has validated the queen" in result.stdout, result.stdout)
    result = run(["palet"], "udno\nnew A B\nudno\n")
    check("what cannot be read is explained", "'udno' is no command (try help)" in result.stdout, result.stdout)


def kill_once(path, rounds):
    """Sends entries and kills the program after some of the answers. Returns the number of the last
    entry that was answered, and how many were sent."""
    with subprocess.Popen([PROGRAM, "molkky", path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as child:
        for _ in range(rounds):
            child.stdin.write("12\n")  # 48, then 25, 37, 49, 25: a game without an end
        child.stdin.flush()
        answers = random.randrange(rounds - 5)
        text = ""
        while answers > 0:
            line = child.stdout.readline()
            text += line
            answers -= line.startswith("Next: ")
        time.sleep(random.random() * 0.004)
        child.kill()
        text += child.stdout.read()
    answered = [int(line.split()[1]) for line in text.split("\n") if line.startswith("entry ")]
    return answered[-1] if answered else 0, rounds


def check_kills(directory, kills):
    path = os.path.join(directory, "killed")
    run(["molkky", path], "new A B C D E F\n")
    lost = damaged = middle = beside = 0
    for _ in range(kills):
        before = entries_of(path)
        answered, sent = kill_once(path, 30)
        after = entries_of(path)
        if after is None:
            damaged += 1
            break
        lost += len(after) < answered or after[: len(before)] != before
        middle += len(after) < len(before) + sent
        for name in os.listdir(directory):
            if name.startswith("killed.") and name.endswith(".new"):
                beside += 1
                os.unlink(os.path.join(directory, name))
        if len(after) > 300:
            os.unlink(path)
            run(["molkky", path], "new A B C D E F\n")
    check(f"killed {kills} times, the file always loads", damaged == 0, damaged)
    check("and lacks at most the entry in progress", lost == 0, lost)
    check(f"{middle} of them in the middle of entries, {beside} of the file being written", middle > kills // 2, middle)


def check_signals(directory):
    path = os.path.join(directory, "signals")
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        with subprocess.Popen([PROGRAM, "molkky", path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as child:
            child.stdin.write("new A B\n5\n7\n")
            child.stdin.flush()
            seen = ""
            while "entry 2 " not in seen:
                seen += child.stdout.readline()
            time.sleep(0.2)
            child.send_signal(number)
            try:
                seen += child.stdout.read()
                code = child.wait(timeout=60)
            finally:
                child.stdin.close()
        check(f"{number.name} ends the evening in good order", code == 0 and "Saved in" in seen, (code, seen))
        check("and loses nothing", len(entries_of(path)) == 2, read(path))
        os.unlink(path)


def limit_files(size):
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))


def check_full(directory):
    path = os.path.join(directory, "full")
    run(["molkky", path], "new A B\n" + "1\n" * 20)
    old = read(path)
    result = run(["molkky", path], "2\n3\n", preexec_fn=lambda: limit_files(len(old) - 40))
    check("a full disk is an error", "error: not saved: " in result.stdout and result.returncode == 1, result)
    check("the old file is intact", read(path) == old)
    check("nothing is left beside it", [n for n in os.listdir(directory) if n.startswith("full.")] == [])
    check("the log is shown instead", result.stdout.count("molkky throw 3\n") == 1, result.stdout)


def main():
    global PROGRAM
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("program")
    parser.add_argument("--kills", type=int, default=20)
    arguments = parser.parse_args()
    PROGRAM = os.path.abspath(arguments.program)
    random.seed(1)
    with tempfile.TemporaryDirectory() as directory:
        check_resume(directory)
        check_damage(directory)
        check_others(directory)
        check_no_file()
        check_signals(directory)
        check_full(directory)
        check_kills(directory, arguments.kills)
    return 1 if failures else 0


sys.exit(main())
