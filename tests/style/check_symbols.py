#!/usr/bin/env python3
"""Every global symbol of the library starts with kv_: check_symbols.py LIBRARY.a"""
import re
import subprocess
import sys

from common import complain, finish

# What compilers add when they instrument: __odr_asan..., __sanitizer_..., __gcov_...
INSTRUMENTATION = re.compile(r"^(__|_GLOBAL_|gcov_|mangle_path)")

listing = subprocess.run(["nm", "--extern-only", "--defined-only", sys.argv[1]], check=True,
                         capture_output=True, text=True).stdout
symbols = [line.split()[-1] for line in listing.splitlines() if len(line.split()) == 3]
if len(symbols) < 20:
    complain("library", 0, f"only {len(symbols)} symbols: is {sys.argv[1]} the library?")
for symbol in symbols:
    if not symbol.startswith("kv_") and not INSTRUMENTATION.match(symbol):
        complain("library", 0, f"exports {symbol}")
finish()
