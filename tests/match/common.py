"""What the tests of kvern-match share: running it, reading what it says, and finding what it left behind."""
import json
import os
import pathlib
import subprocess
import sys


class Match:
    """kvern-match with a zoo: Match(PROGRAM, ZOO)."""

    def __init__(self, program, zoo):
        self.program, self.zoo = os.path.realpath(program), os.path.realpath(zoo)

    def engine(self, kind, name=None, seed=0, more="depth=1"):
        return ["-e", f"cmd='{self.zoo} {kind} {seed}' name={name or kind} {more}"]

    def command(self, *arguments):
        return [self.program, "--json", "--quiet", *map(str, arguments)]

    def run(self, *arguments, code=0):
        """Runs a match to its end; the last report."""
        done = subprocess.run(self.command(*arguments), capture_output=True, text=True, timeout=3000, check=False)
        if done.returncode != code:
            fail(f"exit code {done.returncode} instead of {code}: {arguments}\n{done.stdout}{done.stderr}")
        lines = done.stdout.splitlines()
        return json.loads(lines[-1]) if lines else None


def fail(text):
    print(text)
    sys.exit(1)


def expect(found, expected, what):
    if found != expected:
        fail(f"{what}: expected {expected}, found {found}")


def endings(report):
    """{(ending, loser): games}"""
    return {(row["ending"], row["loser"]): row["games"] for row in report["endings"]}


def processes(*words):
    """The ids of running processes whose arguments are exactly so."""
    wanted = b"\0".join(word.encode() for word in words) + b"\0"
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            try:
                if (entry / "cmdline").read_bytes() == wanted:
                    found.append(int(entry.name))
            except OSError:
                pass
    return found


def records(path):
    """The games of a state file or of lines of JSON."""
    lines = pathlib.Path(path).read_text(encoding="utf-8").splitlines()
    return [record for record in map(json.loads, lines) if "moves" in record]
