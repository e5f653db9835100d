#!/usr/bin/env python3
"""Every rule with its values stands in the rules document, every option and command in the protocol
document: check_documented.py [ENGINE]. Without the engine only the rules are checked.
"""
import re
import subprocess
import sys

from common import ROOT, complain, finish


def check_rules():
    source = (ROOT / "src/board/rules.c").read_text(encoding="utf-8")
    document = (ROOT / "src/board/RULES.md").read_text(encoding="utf-8")
    rules = re.findall(r'^\s*\{"(\w+)", KV_RULE_(\w+)', source, re.M)
    words = re.findall(r"static const char \*const \w+\[\] = \{(.*?), NULL\};", source)
    if len(rules) < 7 or len(words) < 4:
        complain("src/board/rules.c", 0, "the table of rules was not recognised")
    for name in [name for name, _ in rules] + re.findall(r'"([\w-]+)"', ", ".join(words)):
        if f"`{name}`" not in document:
            complain("src/board/RULES.md", 0, f"does not describe `{name}`")


def check_protocol(engine):
    document = (ROOT / "src/protocol/PROTOCOL.md").read_text(encoding="utf-8")
    answer = subprocess.run([engine], input="uci\nquit\n", capture_output=True, text=True, timeout=60,
                            check=True).stdout
    options = re.findall(r"^option name (.+?) type ", answer, re.M)
    if len(options) < 10:
        complain("uci", 0, f"only {len(options)} options were listed")
    for name in options:
        if f"`{name}`" not in document:
            complain("src/protocol/PROTOCOL.md", 0, f"does not describe the option `{name}`")


check_rules()
if len(sys.argv) > 1 and (ROOT / "src/protocol/PROTOCOL.md").exists():
    check_protocol(sys.argv[1])
finish()
