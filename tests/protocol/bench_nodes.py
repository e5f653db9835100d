#!/usr/bin/env python3
"""The node total of `kvern bench` is the one that was written down: bench_nodes.py KVERN FILE [--update]

A change that is not meant to alter the search may not move it; one that is moves it with --update, and
its commit says why. Lines of the file that begin with # are for people.
"""
import pathlib
import re
import subprocess
import sys


def main():
    kvern, path = sys.argv[1], pathlib.Path(sys.argv[2])
    answer = subprocess.run([kvern, "bench"], stdout=subprocess.PIPE, check=True, text=True).stdout
    found = int(re.search(r"^(\d+) nodes \d+ nps$", answer, re.M).group(1))
    lines = path.read_text(encoding="utf-8").splitlines()
    comments = [line for line in lines if line.startswith("#")]
    wanted = int([line for line in lines if line and line not in comments][0])
    if "--update" in sys.argv[3:]:
        path.write_text("\n".join(comments + [str(found)]) + "\n", encoding="utf-8")
    elif found != wanted:
        print(f"{found} nodes, but {path.name} says {wanted}")
        return 1
    print(f"{found} nodes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
