#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the libtoi authors
"""The programs of the documents do what the documents say, copied as a reader would.

    snippets.py [--fill] LANGUAGE... -- FILE...    languages: c, cpp, python, json, sh

A block that is followed by `It prints` and a block marked `text` is a program: it is compiled, run, and its output
compared; --fill writes the output into the document instead. Other blocks must compile: of C with the names that
fragments.h declares. JSON is a value, values one a line, or a part of a list or of an object. Environment: CC, CXX,
TOI_BUILD_DIR, and for Python PYTHONPATH.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```\n(?:\nIt prints\n\n```text\n(.*?)^```\n)?", re.S | re.M)
BUILD = Path(os.environ.get("TOI_BUILD_DIR", "build/release")).resolve()
STRICT = ["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-I", "include"]


def run(command, **more):
    """What it prints; its complaint ends this program."""
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, **more)
    if done.returncode != 0:
        sys.exit(f"{command[0]} failed on:\n{more.get('input', '')}\n{done.stdout}{done.stderr}")
    return done.stdout


def output(language, program):
    with tempfile.TemporaryDirectory() as folder:
        binary, space = f"{folder}/program", {**os.environ, "LD_LIBRARY_PATH": str(BUILD)}
        if language == "python":
            return run([sys.executable, "-"], input=program)
        compiler, standard = ("CC", "c17") if language == "c" else ("CXX", "c++17")
        command = [os.environ.get(compiler) or {"CC": "cc", "CXX": "c++"}[compiler], f"-std={standard}", *STRICT]
        run([*command, "-x", "c" if language == "c" else "c++", "-", "-L", str(BUILD), "-ltoi", "-o", binary], input=program)
        return run([binary], env=space)


def is_json(text):
    text = text.strip().rstrip(",")
    for whole in (text, f"[{text}]", f"{{{text}}}", "[" + ",".join(text.splitlines()) + "]"):
        try:
            json.loads(whole)
            return True
        except ValueError:
            continue
    return False


def fault(language, text, path):
    """What is wrong with a block that is no program; None if nothing is."""
    if language == "python":
        compile(text, str(path), "exec")
    elif language == "json":
        return None if is_json(text) else "is not JSON"
    elif language == "sh":
        return subprocess.run(["bash", "-n"], input=text, capture_output=True, text=True).stderr or None
    elif language == "c":
        whole = text
        if "int main" not in text:
            whole = f'#include "tests/package/fragments.h"\nvoid fragment(void);\nvoid fragment(void) {{\n{text}}}\n'
        command = [os.environ.get("CC") or "cc", "-std=gnu17", "-Wall", "-Werror", "-Wno-unused", "-Wno-unused-result"]
        command += ["-Wno-uninitialized", "-I", "include", "-I", "src", "-I", ".", "-fsyntax-only", "-x", "c", "-"]
        return subprocess.run(command, input=whole, capture_output=True, text=True).stderr or None
    return None


def check(path, languages, fill):
    """How many programs ran; differences are printed, and counted."""
    text, wrong, count = path.read_text(encoding="utf-8"), 0, 0
    for block in list(BLOCK.finditer(text)):
        language, program, expected = block.groups()
        if language not in languages:
            continue
        if expected is None:
            said = fault(language, program, path)
            if said:
                wrong += 1
                print(f"{path}: the block that begins {program[:60]!r}: {said}")
            continue
        count += 1
        printed = output(language, program)
        if fill:
            whole = block.group(0)
            text = text.replace(whole, whole[: whole.rindex("```text\n") + 8] + printed + "```\n")
        elif printed != expected:
            wrong += 1
            print(f"{path}: the program that begins {program[:60]!r} prints\n{printed}and not\n{expected}")
    if fill:
        path.write_text(text, encoding="utf-8")
    return count, wrong


def main():
    words = sys.argv[1:]
    fill = "--fill" in words
    cut = words.index("--")
    languages, files = set(words[:cut]) - {"--fill"}, words[cut + 1 :]
    results = [check(Path(file), languages, fill) for file in files]
    programs, wrong = sum(count for count, _ in results), sum(count for _, count in results)
    print(f"{programs} programs of {len(files)} documents ran; {wrong} of all blocks are wrong")
    sys.exit(wrong > 0 or programs == 0)


if __name__ == "__main__":
    main()
