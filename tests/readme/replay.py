#!/usr/bin/env python3
"""Replays the blocks of a document: replay.py ENGINE DOCUMENT.md [--failures N]

A ```console block is a conversation with a shell:

    $ command                 is run by bash in a copy of the project's top level
    > text                    is a line typed into that command
    anything else             is expected, line by line; … matches any text within a line, and
                              a line that is only … matches any number of lines

Typed lines are sent when everything expected before them has arrived, as a person would. A command has
to end with exit code 0 when its input ends, with nothing left over. A ```sh block is run line by line
and has to succeed. Blocks after a comment <!-- not replayed: REASON --> are left out.

`tools/run` stands for the engine that is being tested, build/release for the build it is from, and `tools/test` does nothing, so that a test does
not build the project again. With --failures N exactly N blocks have to fail: the test of this test.
"""
import os
import pathlib
import queue
import re
import shutil
import subprocess
import sys
import tempfile
import threading

PATIENCE = 120  # seconds


class Mismatch(Exception):
    pass


def matches(pattern, line):
    parts = [re.escape(part) for part in pattern.rstrip().split("…")]
    return re.fullmatch(".*".join(parts), line.rstrip()) is not None


def blocks(text):
    """(line number, language, lines) of every fenced block that is replayed."""
    found, language, start, lines, skip = [], None, 0, [], False
    for number, line in enumerate(text.splitlines(), 1):
        if language is None:
            if "<!-- not replayed:" in line:
                skip = True
            elif line.startswith("```"):
                language, start, lines = line[3:].strip() or "text", number, []
            elif line.strip():
                skip = False
        elif line.startswith("```"):
            if not skip:
                found.append((start, language, lines))
            language, skip = None, False
        else:
            lines.append(line)
    return found


class Conversation:
    """One command: typed lines go in, lines come out."""

    def __init__(self, command, directory):
        self.command = command
        self.process = subprocess.Popen(["bash", "-c", command], cwd=directory, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                        bufsize=1, encoding="utf-8")
        self.lines = queue.Queue()
        threading.Thread(target=self.listen, daemon=True).start()
        self.any_number = False  # the last expectation was a lone …

    def listen(self):
        for line in self.process.stdout:
            self.lines.put(line.rstrip("\n"))
        self.lines.put(None)

    def next_line(self):
        try:
            return self.lines.get(timeout=PATIENCE)
        except queue.Empty:
            self.process.kill()
            raise Mismatch(f"'{self.command}' says nothing more") from None

    def expect(self, pattern):
        if pattern.strip() == "…":
            self.any_number = True
            return
        while True:
            line = self.next_line()
            if line is not None and matches(pattern, line):
                break
            if line is None or not self.any_number:
                raise Mismatch(f"expected '{pattern}', found '{'the end' if line is None else line}'")
        self.any_number = False

    def type(self, text):
        try:
            self.process.stdin.write(text + "\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            raise Mismatch(f"'{self.command}' has ended before '{text}'") from None

    def finish(self):
        try:
            self.process.stdin.close()
        except BrokenPipeError:
            pass
        while (line := self.next_line()) is not None:
            if not self.any_number:
                self.process.kill()
                raise Mismatch(f"'{line}' is not expected")
        code = self.process.wait(timeout=PATIENCE)
        if code != 0:
            raise Mismatch(f"'{self.command}' ends with exit code {code}")


def replay_console(lines, directory):
    conversation = None
    for line in lines:
        if line.startswith("$ "):
            if conversation:
                conversation.finish()
            conversation = Conversation(line[2:], directory)
        elif conversation is None:
            raise Mismatch(f"'{line}' before any command")
        elif line == ">" or line.startswith("> "):
            conversation.type(line[2:])
        else:
            conversation.expect(line)
    if conversation:
        conversation.finish()


def replay_shell(lines, directory):
    run = subprocess.run(["bash", "-e", "-c", "\n".join(lines)], cwd=directory, stdin=subprocess.DEVNULL,
                         capture_output=True, text=True, timeout=600, check=False)
    if run.returncode != 0:
        raise Mismatch(f"exit code {run.returncode}\n{run.stdout}{run.stderr}")


def copy_of_the_project(root, engine, directory):
    for entry in root.iterdir():
        if entry.name not in ("tools", ".git") and not entry.name.startswith("build"):
            os.symlink(entry, directory / entry.name)
    tools = directory / "tools"
    tools.mkdir()
    for entry in (root / "tools").iterdir():
        if entry.name not in ("run", "test"):
            os.symlink(entry, tools / entry.name)
    (directory / "build").mkdir()
    os.symlink(engine.parents[1], directory / "build" / "release")
    for name, text in (("run", f'exec "{engine}" "$@"'), ("test", ":")):
        (tools / name).write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
        (tools / name).chmod(0o755)


def main():
    root = pathlib.Path(__file__).resolve().parents[2]
    engine, document = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
    directory = pathlib.Path(tempfile.mkdtemp())
    replayed = failures = 0
    try:
        copy_of_the_project(root, engine, directory)
        for number, language, lines in blocks(document.read_text(encoding="utf-8")):
            if language not in ("console", "sh"):
                continue
            replayed += 1
            try:
                (replay_console if language == "console" else replay_shell)(lines, directory)
            except Mismatch as mismatch:
                failures += 1
                print(f"{document.name}:{number}: {mismatch}")
    finally:
        shutil.rmtree(directory)
    print(f"{replayed} blocks replayed, {failures} failures")
    wanted = int(sys.argv[4]) if sys.argv[3:4] == ["--failures"] else 0
    return 1 if failures != wanted or replayed == 0 else 0


sys.exit(main())
