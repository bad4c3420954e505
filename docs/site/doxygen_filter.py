#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the libtoi authors
"""Doxygen's view of a header: the plain comments of include/toi become comments that Doxygen reads.

The first comment after the licence describes the file. A comment that stands directly above declarations describes all
of them up to the next empty line or comment; one behind a declaration describes that one. Indented lines, such as
tables, are kept as they are.
"""

import re
import sys

LIST_ITEM = re.compile(r"\s*(-|\d+\.) ")


def body(comment):
    """The lines of a comment without its frame."""
    inside = comment.strip()[2:-2]
    lines = [re.sub(r"^\s*\* ?", "", line) if number else line.lstrip() for number, line in enumerate(inside.split("\n"))]
    return [line.rstrip() for line in lines]


def escape(line):
    """A line of plain text for Doxygen: nothing in it is a command, an entity or a heading."""
    parts = re.split(r"(`[^`]*`)", line)
    for number in range(0, len(parts), 2):
        text = re.sub(r"([\\@#%])", r"\\\1", parts[number])
        text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
        text = re.sub(r"([*_])(?=\w)", lambda m: m[1] if m[1] == "_" else r"\*", text)
        parts[number] = text
    return "".join(parts)


def described(lines):
    """The lines of a description: tables verbatim, lists with empty lines around them."""
    out, verbatim, in_list = [], False, False
    for line in lines:
        item = LIST_ITEM.match(line)
        if not line:
            in_list = False
        table = line.startswith("  ") and not in_list and not item
        if item and not in_list:
            out.append("")
            in_list = True
        if table != verbatim and (line or not table):
            out.append("@verbatim" if table else "@endverbatim")
            verbatim = table
        out.append(line if table else escape(line))
    if verbatim:
        out.append("@endverbatim")
    return out


def as_block(lines, first=""):
    return "/** " + first + "\n".join(described(lines)) + "\n */"


def blocks(text):
    """Comments and what is between them, in order."""
    position = 0
    for comment in re.finditer(r"/\*.*?\*/", text, re.S):
        yield False, text[position : comment.start()]
        yield True, comment.group()
        position = comment.end()
    yield False, text[position:]


def declarations(code):
    """Ends of the top-level declarations at the front of this code, up to the first empty line."""
    paragraph = code.split("\n\n")[0]
    depth, ends = 0, []
    for position, letter in enumerate(paragraph):
        depth += (letter in "{(") - (letter in "})")
        if letter == ";" and depth == 0:
            ends.append(position + 1)
    return ends


def repeat(comment, code):
    """The comment again above each further function that it stands over."""
    ends = declarations(code)
    if len(ends) < 2 or "{" in code[: ends[-1]]:
        return code
    out, position = "", 0
    for end in ends:
        piece = code[position:end]
        out += piece if position == 0 or not piece.strip() else "\n" + comment + piece
        position = end
    return out + code[position:]


def translate(text):
    out, comments, last, shared = [], 0, None, None
    depth = 0
    for is_comment, piece in blocks(text):
        if not is_comment:
            if shared and declarations(piece[1:]) and "{" not in piece.split("\n\n")[0]:
                piece = "\n" + shared + piece
            out.append(repeat(last, piece) if last and depth == 0 else piece)
            shared = last if "{" not in piece else None
            depth += piece.replace('extern "C" {', "").count("{") - piece.count("}")
            last = None
            continue
        comments += 1
        lines = body(piece)
        before = out[-1].rsplit("\n", 1)[-1]
        if "SPDX" in piece or lines[0].startswith("---"):
            out.append(re.sub(r"[^\n]", "", piece))
        elif comments == 2:
            out.append(as_block(lines, "@file\n"))
        elif before.strip():
            out.append("/**< " + " ".join(escape(line) for line in lines) + " */")
            continue
        else:
            last = as_block(lines)
            out.append(last)
        shared = None
    return "".join(out)


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as header:
        sys.stdout.write(translate(header.read()))
