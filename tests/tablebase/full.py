#!/usr/bin/env python3
"""A disk that fills up while tables are written, as a limit on the size of files: full.py KVERN-TB. Expects an
error that names the file, nothing half written, and the same files as ever when there is room again."""
import hashlib
import pathlib
import resource
import signal
import subprocess
import sys
import tempfile


def limit(size):
    def before():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
    return before


def run(arguments, size=None):
    return subprocess.run([*arguments, "--quiet"], capture_output=True, text=True, check=False,
                          preexec_fn=limit(size) if size else None)


def sums(directory, ending):
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest()
            for file in pathlib.Path(directory).iterdir() if file.suffix == ending}


def check(commands, directory, ending, expected, largest):
    """Runs the command with ever more room."""
    failures = 0
    for size in [1, 1000, 5000, largest - 1]:
        result = run(commands, size)
        assert result.returncode == 1, (size, result)
        assert ending in result.stderr and "too large" in result.stderr.lower(), result.stderr
        left = sums(directory, ending)
        assert all(expected[name] == left[name] for name in left), "a file that is whole, but other than it should be"
        assert not list(pathlib.Path(directory).glob("*.part")), "half a file was left"
        failures += 1
    assert run(commands).returncode == 0
    assert sums(directory, ending) == expected
    print(f"{failures} times no room for {ending}, then {len(expected)} files as they should be")


def main():
    tool = sys.argv[1]
    with tempfile.TemporaryDirectory() as place:
        for name in ["whole", "small"]:
            pathlib.Path(place, name).mkdir()
        build = [tool, "build", "--stones", "3"]
        assert run([*build, "--dir", f"{place}/whole"]).returncode == 0
        assert run([tool, "pack", f"{place}/small", "--dir", f"{place}/whole"]).returncode == 0
        check([*build, "--dir", f"{place}/again"], f"{place}/again", ".dtm", sums(f"{place}/whole", ".dtm"),
              pathlib.Path(place, "whole", "3-3.dtm").stat().st_size)
        check([tool, "pack", f"{place}/packed", "--dir", f"{place}/whole"], f"{place}/packed", ".wdl",
              sums(f"{place}/small", ".wdl"), pathlib.Path(place, "small", "3-3.wdl").stat().st_size)


main()
