"""What the style checks share: the files of the project and a way to say what is wrong."""
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
TEXT = {".c", ".h", ".md", ".txt", ".py", ".sh", ".build", ""}
LEFT_OUT = {"corpus", ".git", "__pycache__"}

_complaints = []


def files(*suffixes):
    """Every file of the project (build directories and corpora left out), sorted."""
    found = []
    for path in sorted(ROOT.rglob("*")):
        parts = path.relative_to(ROOT).parts
        if not path.is_file() or any(p in LEFT_OUT for p in parts) or parts[0].startswith("build"):
            continue
        if path.suffix in suffixes:
            found.append(path)
    return found


def complain(path, line, what):
    name = path.relative_to(ROOT) if isinstance(path, pathlib.Path) else path
    _complaints.append(f"{name}:{line}: {what}")


def finish():
    for text in _complaints:
        print(text)
    print(f"{len(_complaints)} complaints")
    sys.exit(1 if _complaints else 0)
