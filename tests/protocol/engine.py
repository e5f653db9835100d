"""An engine process for the tests: lines out, lines in, with a limit on patience."""
import json
import queue
import subprocess
import threading

PATIENCE = 60


class Engine:
    def __init__(self, kvern, *arguments, options=()):
        self.process = subprocess.Popen([kvern, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.lines = queue.Queue()
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()
        for name, value in options:
            self.send(f"setoption name {name} value {value}")

    def _read(self):
        for line in self.process.stdout:
            self.lines.put(line.decode("utf-8", "replace").rstrip("\n"))
        self.lines.put(None)

    def send(self, *lines):
        self.send_bytes("".join(line + "\n" for line in lines).encode())

    def send_bytes(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def line(self):
        """The next line, None at the end of the output."""
        return self.lines.get(timeout=PATIENCE)

    def until(self, *beginnings):
        """The lines up to the first that begins with one of these, that one included."""
        found = []
        while True:
            line = self.line()
            if line is None:
                raise AssertionError(f"the engine ended before {beginnings}: {found[-5:]}")
            found.append(line)
            if line.startswith(beginnings):
                return found

    def rest(self):
        """Everything up to the end of the output."""
        return list(iter(self.line, None))

    def ready(self):
        """What was written before the answer to isready."""
        self.send("isready")
        return self.until("readyok")[:-1]

    def state(self):
        self.send("state")
        return json.loads(self.until("{", "info string error")[-1])

    def go(self, words=""):
        """(the info lines, the words after bestmove)"""
        self.send(f"go {words}")
        lines = self.until("bestmove")
        return lines[:-1], lines[-1].split()[1:]

    def close_input(self):
        self.process.stdin.close()

    def wait(self):
        return self.process.wait(timeout=PATIENCE)

    def quit(self):
        """Ends it; the exit code."""
        self.send("quit")
        code = self.wait()
        self.close_input()
        self.reader.join()
        self.process.stdout.close()
        return code

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self.reader.join()
        for stream in (self.process.stdin, self.process.stdout):
            try:
                stream.close()
            except BrokenPipeError:
                pass
