#!/usr/bin/env python3
"""Replays conversations with the engine and compares what it answers.

    transcript.py KVERN NAME.in...         each with the answers expected in NAME.out
    transcript.py KVERN --document FILE    the examples of a document: blocks fenced with ```kvern,
                                           in which lines sent begin with "> "
    transcript.py KVERN --show NAME.in     only prints what is answered

In expected lines … stands for any text; a line … by itself stands for any number of lines.
Lines of a .in file that begin with "#!" are not sent but obeyed:

    #! wait TEXT      wait for a line that begins with TEXT before going on
    #! arguments ...  start the engine with these arguments, quoted as in a shell
    #! code N         the exit code expected (default 0)

In a document every go is waited for, but those that say infinite or ponder only at the stop.
"""
import pathlib
import re
import shlex
import subprocess
import sys
import threading

PATIENCE = 60  # seconds for one conversation
SHOWN = 60  # lines of an answer that is wrong


def pattern_of(expected):
    """One regular expression for all the expected lines."""
    parts = []
    for line in expected:
        if line == "…":
            parts.append(r"(?:[^\n]*\n)*?")
        else:
            parts.append("[^\n]*?".join(re.escape(piece) for piece in line.split("…")) + "\n")
    return re.compile("".join(parts) + r"\Z")


def converse(kvern, script):
    """Sends the script's lines and returns (text answered, exit code, exit code expected)."""
    arguments, code = [], 0
    for line in script:
        if line.startswith("#! arguments "):
            arguments = shlex.split(line[len("#! arguments "):])
        elif line.startswith("#! code "):
            code = int(line[len("#! code "):])
    process = subprocess.Popen([kvern] + arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    watchdog = threading.Timer(PATIENCE, process.kill)
    watchdog.start()
    answered = []

    def read_until(prefix):
        while True:
            line = process.stdout.readline().decode("utf-8", "replace")
            answered.append(line)
            if not line or (prefix is not None and line.startswith(prefix)):
                return

    try:
        for line in script:
            if line.startswith("#! wait "):
                process.stdin.flush()
                read_until(line[len("#! wait "):])
            elif not line.startswith("#!"):
                process.stdin.write(line.encode() + b"\n")
        process.stdin.close()
    except BrokenPipeError:
        pass
    read_until(None)
    status = process.wait()
    watchdog.cancel()
    process.stdout.close()
    return "".join(answered), status, code


def compare(kvern, name, script, expected):
    """True when the conversation goes as expected; otherwise prints where it does not."""
    answered, status, code = converse(kvern, script)
    good = True
    if not pattern_of(expected).match(answered):
        lines, matched = answered.splitlines(), 0
        # the longest beginning of the expectation that fits a beginning of the answer
        while matched < len(expected) and re.match(pattern_of(expected[:matched + 1]).pattern[:-2], answered):
            matched += 1
        print(f"{name}: expected line {matched + 1} not found:")
        print("  " + (expected[matched] if matched < len(expected) else "(the end)"))
        print("answered:")
        print("\n".join("  " + line for line in lines[:SHOWN]) + ("\n  ..." if len(lines) > SHOWN else ""))
        good = False
    if status != code:
        print(f"{name}: exit code {status}, expected {code}")
        good = False
    return good


def examples_of(path):
    """(name, script, expected) of every example block of a document."""
    number, script, expected, inside, endless = 0, [], [], False, False
    for line in path.read_text(encoding="utf-8").splitlines():
        if not inside and line.startswith("```kvern"):
            number, script, expected, inside, endless = number + 1, [], [], True, False
        elif inside and line.startswith("```"):
            inside = False
            yield f"{path.name} example {number}", script, expected
        elif inside and line.startswith("> "):
            command = line[2:]
            script.append(command)
            is_go = command.split()[:1] == ["go"] and "perft" not in command
            endless = endless or (is_go and re.search(r"\b(infinite|ponder)\b", command) is not None)
            if (is_go and not endless) or command in ("stop", "ponderhit"):
                script.append("#! wait bestmove")
                endless = False
        elif inside:
            expected.append(line)


def main():
    kvern, rest = sys.argv[1], sys.argv[2:]
    if rest[0] == "--show":
        script = pathlib.Path(rest[1]).read_text(encoding="utf-8").splitlines()
        print(converse(kvern, script)[0], end="")
        return 0
    if rest[0] == "--document":
        cases = list(examples_of(pathlib.Path(rest[1])))
    else:
        cases = []
        for name in rest:
            path = pathlib.Path(name)
            cases.append((path.name, path.read_text(encoding="utf-8").splitlines(),
                          path.with_suffix(".out").read_text(encoding="utf-8").splitlines()))
    failed = [case[0] for case in cases if not compare(kvern, *case)]
    print(f"{len(cases)} conversations, {len(failed)} failed")
    return 1 if failed or not cases else 0


if __name__ == "__main__":
    sys.exit(main())
