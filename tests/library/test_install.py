#!/usr/bin/env python3
"""Installs the project somewhere new, builds a program with nothing but what pkg-config says of it, and
runs that: test_install.py BUILD SOURCE.c COMPILER..."""
import os
import pathlib
import subprocess
import sys
import tempfile


def main():
    build, source, compiler = sys.argv[1], sys.argv[2], sys.argv[3:]
    with tempfile.TemporaryDirectory() as directory:
        root = pathlib.Path(directory)
        subprocess.run(["meson", "install", "-C", build, "--no-rebuild", "--quiet", "--destdir", directory],
                       check=True, stdout=subprocess.DEVNULL)
        configs = list(root.rglob("kvern.pc"))
        if len(configs) != 1:
            print(f"{len(configs)} pkg-config files")
            return 1
        environment = dict(os.environ, PKG_CONFIG_PATH=str(configs[0].parent), PKG_CONFIG_SYSROOT_DIR=directory)
        flags = subprocess.run(["pkg-config", "--cflags", "--libs", "kvern"], env=environment, check=True,
                               capture_output=True, text=True).stdout.split()
        library = next(root.rglob("libkvern.so"))
        program = root / "embed"
        subprocess.run([*compiler, "-std=c11", "-Wall", "-Wextra", "-Werror", source, "-o", str(program), *flags],
                       check=True)
        environment = dict(os.environ, LD_LIBRARY_PATH=str(library.parent))
        subprocess.run([str(program)], env=environment, check=True)
        answer = subprocess.run([str(next(root.rglob("bin/kvern"))), "--version"], check=True,
                                capture_output=True, text=True).stdout
        pages = list(root.rglob("kvern.6"))
        print(f"{answer.strip()}, {len(pages)} manual page")
        return 0 if answer.startswith("Kvern ") and len(pages) == 1 else 1


if __name__ == "__main__":
    sys.exit(main())
