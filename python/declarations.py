# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the libtoi authors
"""What the public headers declare, in the form that cffi reads.

Nothing is written down twice: the build reads the headers, and the tests compare the module with the same list.

    python3 declarations.py [INCLUDE]    prints the declarations
"""

import re
import sys
from pathlib import Path

# Declared for others to define: a plug-in exports it, the library does not.
NOT_IN_THE_LIBRARY = ("toi_plugin_entry",)


def headers(include):
    """The headers in the order in which toi.h includes them, each after those that it includes itself."""
    order = []

    def visit(path):
        if path in order:
            return
        for name in re.findall(r"^#include <(toi/[^>]+)>", path.read_text(), re.MULTILINE):
            visit(include / name)
        order.append(path)

    visit(Path(include) / "toi" / "toi.h")
    return order


def without_bodies(text):
    """Inline functions become declarations: in API mode the compiler sees the bodies."""
    pieces = []
    at = 0
    for match in re.finditer(r"static inline ([^{;]*?\))\s*\{", text):
        pieces.append(text[at : match.start()])
        depth, end = 1, match.end()
        while depth > 0:
            depth += {"{": 1, "}": -1}.get(text[end], 0)
            end += 1
        pieces.append(match.group(1) + ";\n")
        at = end
    pieces.append(text[at:])
    return "".join(pieces)


def constants(text):
    """The macros that stand for whole numbers."""
    lines = []
    for name, value in re.findall(r"^#define (TOI_[A-Z0-9_]+) +([0-9]+u?|UINT32_MAX)$", text, re.MULTILINE):
        literal = value.rstrip("u")
        lines.append(f"#define {name} {literal if literal.isdigit() else '...'}")
    return lines


def of_header(text):
    """The declarations of one header."""
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.DOTALL)
    text = text.replace("\\\n", " ")
    defined = constants(text)
    text = re.sub(r"^#ifdef __cplusplus\n.*?^#endif", "", text, flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"^#.*$", "", text, flags=re.MULTILINE)
    text = re.sub(r"\bTOI_(API|MUST_USE)\b", "", text)
    text = without_bodies(text)
    # cffi writes pointers to arrays of constants in a way that no compiler reads.
    text = re.sub(r"\bconst (\w+ (\(\*|\w+\[\w+\]\[))", r"\1", text)
    for name in NOT_IN_THE_LIBRARY:
        text = re.sub(r"^[^;\n]*\b" + name + r"\(void\);$", "", text, flags=re.MULTILINE)
    text = re.sub(r"[ \t]+", " ", text)
    text = re.sub(r"\n\s*\n+", "\n", text)
    return "\n".join(defined) + "\n" + text.strip() + "\n"


def declarations(include):
    """All declarations, for ffi.cdef()."""
    return "\n".join(of_header(path.read_text()) for path in headers(Path(include)))


def functions(include):
    """The names of all public functions, inline ones among them, in order."""
    text = re.sub(r"\{[^{}]*\}", "", declarations(include))
    return [name for name in re.findall(r"^[^\n(]*?\b(toi_[a-z0-9_]+)\(", text, re.MULTILINE) if "typedef" not in name]


def callbacks(text):
    """Functions that the module defines in Python, one for each kind of function that the library calls.

    Those are the function pointers whose first parameter is `void *user`; a NAME becomes python_NAME. Memory is not
    taken from Python: the allocator is left out.
    """
    found = {}
    pattern = r"(?:typedef )?(\w+) \(\*(?:toi_)?(\w+)\)(\(void \*user[^)]*\));"
    for result, name, parameters in re.findall(pattern, re.sub(r"\s+", " ", text)):
        found[name] = f'extern "Python" {result} python_{name}{parameters};'
    return "\n".join(found.values()) + "\n"


if __name__ == "__main__":
    here = Path(__file__).resolve().parent
    everything = declarations(sys.argv[1] if len(sys.argv) > 1 else here.parent / "include")
    print(everything + callbacks(everything), end="")
