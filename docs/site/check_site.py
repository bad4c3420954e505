#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the libtoi authors
"""Checks the built site, page by page: every link within it leads to an existing page and anchor, nothing is loaded from
elsewhere, style sheets and what they name included, and no page weighs over a million bytes with all that it loads.

    check_site.py HTML              the checks
    check_site.py HTML --self-test  also checks that faults planted in a copy are found
"""

import re
import shutil
import sys
import tempfile
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LIMIT = 1_000_000
# An option whose two dashes became one long one: no shell knows it.
DASHED = re.compile(r"(?<![\w\s])\u2013[a-z][a-z-]+")
# What a style sheet names: imports and pictures; fonts are loaded only where a page uses them.
NAMED = re.compile(r"url\(\s*[\"']?([^)\"']+)|@import\s+[\"']([^\"']+)")


class Page(HTMLParser):
    """Anchors, links, and what is loaded."""

    def __init__(self, path):
        super().__init__()
        self.anchors, self.links, self.loaded, self.unnamed = set(), [], [], []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attrs):
        have = dict(attrs)
        self.anchors.update(have[key] for key in ("id", "name") if have.get(key))
        if tag == "a" and have.get("href"):
            self.links.append(have["href"])
        elif tag == "link" and have.get("rel") in ("stylesheet", "icon", "shortcut icon"):
            self.loaded.append(have["href"])
        elif tag in ("script", "img", "source", "iframe") and have.get("src"):
            self.loaded.append(have["src"])
        if tag == "img" and not have.get("alt"):
            self.unnamed.append(have.get("src"))


def check_styles(root):
    """Faults of style sheets: files that they name and that are not there."""
    faults = []
    for path in sorted(root.rglob("*.css")):
        for found in NAMED.finditer(path.read_text(encoding="utf-8")):
            url = urlsplit((found[1] or found[2]).strip())
            if url.scheme == "data" or not (url.path or url.netloc):
                continue
            if url.scheme or url.netloc or url.path.startswith("/"):
                faults.append(f"{path.relative_to(root)}: names {url.geturl()} elsewhere")
            elif not (path.parent / unquote(url.path)).is_file():
                faults.append(f"{path.relative_to(root)}: no {url.path}")
    return faults


def check(root):
    """Faults, one line each, and the heaviest page."""
    pages = {path: Page(path) for path in sorted(root.rglob("*.html"))}
    faults, heaviest = [], (0, None)
    for path, page in pages.items():
        name = path.relative_to(root)
        for link in page.links:
            there = urlsplit(link)
            if there.scheme or there.netloc:
                continue
            target = (path.parent / unquote(there.path)).resolve() if there.path else path
            if not target.is_file():
                faults.append(f"{name}: {link} leads nowhere")
            elif there.fragment and target in pages and unquote(there.fragment) not in pages[target].anchors:
                faults.append(f"{name}: {link}: no such place on that page")
        weight = path.stat().st_size
        for url in dict.fromkeys(page.loaded):
            there = urlsplit(url)
            if there.scheme in ("http", "https") or there.netloc:
                faults.append(f"{name}: loads {url} from elsewhere")
            elif not there.scheme:
                file = (path.parent / unquote(there.path)).resolve()
                weight += file.stat().st_size if file.is_file() else faults.append(f"{name}: no {url}") or 0
        heaviest = max(heaviest, (weight, name), key=lambda pair: pair[0])
        if weight > LIMIT:
            faults.append(f"{name}: {weight} bytes with what it loads; at most {LIMIT}")
        faults += [f"{name}: picture {source} has no text" for source in page.unnamed]
        dashed = DASHED.search(path.read_text(encoding="utf-8"))
        if dashed:
            faults.append(f"{name}: {dashed[0]} is an option without its two dashes")
    faults += check_styles(root)
    if len(pages) < 60:
        faults.append(f"only {len(pages)} pages")
    return faults, f"{len(pages)} pages; the heaviest, {heaviest[1]}, has {heaviest[0]} bytes"


def self_test(root):
    """Each planted fault must be found; returns those that are not."""
    planted = {
        "leads nowhere": '<a href="nowhere.html">x</a>',
        "no such place": '<a href="#nowhere-at-all">x</a>',
        "from elsewhere": '<script src="https://example.org/x.js"></script>',
        "at most": "<p>" + "x" * LIMIT + "</p>",
        "has no text": '<img src="_static/pygments.css">',
        "without its two dashes": "<b>\u2013kind</b>",
    }
    missed = []
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder).resolve() / "html"
        shutil.copytree(root, copy)
        index = copy / "index.html"
        whole = index.read_text(encoding="utf-8")
        for sentence, fault in planted.items():
            index.write_text(whole.replace("</body>", fault + "</body>"), encoding="utf-8")
            if not any(sentence in found for found in check(copy)[0]):
                missed.append(f"planted and not found: {fault[:60]}")
        index.write_text(whole, encoding="utf-8")
        (copy / "_static/planted.css").write_text('@import "/nowhere.css"; p { background: url(nowhere.png) }', encoding="utf-8")
        found = check(copy)[0]
        if not any("names /nowhere.css" in line for line in found) or not any("no nowhere.png" in line for line in found):
            missed.append("planted and not found: what a style sheet names")
    return missed


def main():
    root = Path(sys.argv[1]).resolve()
    faults, summary = check(root)
    if sys.argv[2:] == ["--self-test"]:
        faults += self_test(root)
    print(*faults, sep="\n", file=sys.stderr)
    print(summary)
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
