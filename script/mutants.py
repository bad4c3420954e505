# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the libtoi authors
"""Small changes of C sources: which there are, and which of them a seed chooses.

Each mutant changes one line and keeps the number of lines. Comments, strings, characters, assertions, includes and
conditions of the preprocessor are left alone. A line is chosen by a hash of the seed, its file and its text, not by its
number: an edit elsewhere leaves the choice as it is.
"""

import hashlib
import pathlib
import re
from collections import Counter, namedtuple

Mutant = namedtuple("Mutant", "file line kind old new")

# What a parser would have to know is told by the formatter: binary operators have a blank on both sides.
OPERATORS = {
    "<": ["<=", ">"], "<=": ["<", ">="], ">": [">=", "<"], ">=": [">", "<="], "==": ["!="], "!=": ["=="],
    "+": ["-"], "-": ["+"], "*": ["/"], "/": ["*"], "%": ["*"], "&&": ["||"], "||": ["&&"], "&": ["|"], "|": ["&"],
    "^": ["|"], "<<": [">>"], ">>": ["<<"], "+=": ["-="], "-=": ["+="], "*=": ["/="], "|=": ["&="], "&=": ["|="],
}
WORDS = {
    "true": "false", "false": "true", "lo": "hi", "hi": "lo", "fmin": "fmax", "fmax": "fmin", "least": "most",
    "most": "least", "smaller": "larger", "larger": "smaller", "floor": "ceil", "ceil": "floor",
    "toi_sum_up": "toi_sum_down", "toi_sum_down": "toi_sum_up", "toi_product_up": "toi_product_down",
    "toi_product_down": "toi_product_up", "t_lo": "t_hi", "t_hi": "t_lo", "start": "end", "end": "start",
}
NUMBER = r"(?<![\w.])(?:0x[0-9a-f]*\.?[0-9a-f]*p[-+]?\d+|0x[0-9a-f]+|\d+\.?\d*(?:e[-+]?\d+)?|\.\d+)(?:u|l|f)*(?![\w.])"
# Powers of two below this bound errors: twice as much is safe, and no test could object, so that only half is tried.
SMALL = -20
# To exchange the operands of these changes nothing.
SYMMETRIC = r"product|sum|add|mul|plus|times|max|min|larger|smaller|least|most|dot|equal|same|hull|distance"
SIMPLE = r"[A-Za-z_][\w.]*(?:->\w+|\[\w+\])*|\d+"


def blank(text):
    return re.sub(r"[^\n]", " ", text)


def without_balanced(code, opening):
    """Blanks `opening` with what follows in brackets."""
    while match := re.search(opening, code):
        depth, at = 0, match.end() - 1
        while at < len(code):
            depth += {"(": 1, ")": -1}.get(code[at], 0)
            at += 1
            if depth == 0:
                break
        code = code[:match.start()] + blank(code[match.start():at]) + code[at:]
    return code


def bare(source):
    """The source with everything blanked that is not to be changed; lines and columns stay."""
    hidden = r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'"
    code = re.sub(hidden, lambda m: blank(m.group()), source, flags=re.S)
    code = re.sub(r"^[ ]*#[ ]*(?!define\b)(?:\\\n|[^\n])*", lambda m: blank(m.group()), code, flags=re.M)
    code = re.sub(r"^([ ]*#[ ]*define[ ]+\w+)", lambda m: blank(m.group()), code, flags=re.M)
    return without_balanced(code, r"\b(?:assert|static_assert|_Static_assert|__attribute__|_Alignas|alignas)\s*\(")


def other_numbers(text):
    """Integers one up and one down; real numbers, which are bounds and widths mostly, twice and half."""
    digits = text.rstrip("uUlLfF") if not text.startswith("0x") else text.rstrip("uUlL")
    suffix = text[len(digits):]
    if re.fullmatch(r"\d+|0x[0-9a-fA-F]+", digits):
        value = int(digits, 16 if digits.startswith("0x") else 10)
        return [str(value + 1) + suffix] + ([str(value - 1) + suffix] if value > 0 else [])
    if re.fullmatch(r"0x1p[-+]?\d+", digits):
        power = int(digits[4:])
        half, twice = f"0x1p{power - 1}{suffix}", f"0x1p{power + 1}{suffix}"
        return [half] if power < SMALL else [half, twice]
    return [f"(2 * {text})", f"(0.5 * {text})"]


def changes_of(code, line):
    """All (kind, begin, end, replacement) of a line; `code` is its blanked form."""
    for m in re.finditer(r"(?<= )(?:[<>=!]=|<<|>>|&&|\|\||[-+*|&]=|[-+*/%<>&|^])(?= |$)", code):
        for other in OPERATORS.get(m.group(), []):
            yield "operator", m.start(), m.end(), other
    declares = re.match(r"\s*(?:(?:static|const|unsigned) )*\w+ \**\w+\[", code)
    for m in re.finditer(NUMBER, code):
        around = code[m.start() - 1:m.end() + 1]
        # What is cleared is filled in later, and room to spare hurts nobody.
        if around == "{0}":
            continue
        others = other_numbers(m.group())
        for other in others[1:] if declares and around[0] + around[-1] == "[]" else others:
            yield "constant", m.start(), m.end(), other
    for m in re.finditer(r"\b\w+\b", code):
        if m.group() in WORDS:
            yield "word", m.start(), m.end(), WORDS[m.group()]
    for m in re.finditer(r"(?<![=<>!\w)])!(?=[\w(*])", code):
        yield "negation", m.start(), m.end(), ""
    if m := re.match(r"\s*(?:\} else )?if (\(.*\))( \{)?$", code):
        yield "negation", m.start(1), m.end(1), f"(!{line[m.start(1):m.end(1)]})"
    # A statement that is a call, an assignment or a step; declarations begin with two words.
    if m := re.match(r"\s+((?:\*?[a-z_][\w.]*(?:->\w+|\[[^]]*\])*)(?:\(.*\)| [-+*/|&^]?= .*|\+\+|--)|break|continue);$", code):
        yield "dropped", m.start(1), m.end(1), ""
    for m in re.finditer(rf"(?<![\w.>\])] )\b({SIMPLE})( [-/] )({SIMPLE})(?![\w.(\[-])", code):
        yield "swapped", m.start(1), m.end(3), m.group(3) + m.group(2) + m.group(1)
    for m in re.finditer(rf"\b(\w+)\(({SIMPLE})(, )({SIMPLE})(?=[,)])", code):
        if not re.search(SYMMETRIC, m.group(1)):
            yield "swapped", m.start(2), m.end(4), m.group(4) + m.group(3) + m.group(2)


def rank(*parts):
    return hashlib.sha256("\0".join(map(str, parts)).encode()).digest()


def mutants_of(root, room, seed):
    """The mutants of a room in the order in which they are tried: one for each line that has any."""
    found = []
    for path in sorted((pathlib.Path(root) / "src" / room).glob("*.[ch]")):
        name, source, seen = path.relative_to(root).as_posix(), path.read_text(), Counter()
        for number, (line, code) in enumerate(zip(source.split("\n"), bare(source).split("\n")), 1):
            seen[line] += 1
            changes = sorted(set(changes_of(code, line)), key=lambda c: rank(seed, name, line, seen[line], c))
            for kind, begin, end, other in changes[:1]:
                new = line[:begin] + other + line[end:]
                if new != line:
                    found.append((rank(seed, name, line, seen[line]), Mutant(name, number, kind, line, new)))
    return [mutant for _, mutant in sorted(found)]
