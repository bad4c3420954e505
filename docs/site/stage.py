#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the libtoi authors
"""Gathers the sources of the site: the guides as they are in docs/, what they link to, and the references.

    stage.py XML OUT    Doxygen's XML; the folder to fill

Guides are plain Markdown whose links work in the tree. Each link to a file of the tree becomes a link to its page: a
guide, a reference, or the file itself, shown as it is. A link to what is not there is an error.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import c_reference
import python_reference

ROOT = Path(__file__).resolve().parents[2]
LANGUAGES = {".c": "c", ".h": "c", ".cpp": "cpp", ".hpp": "cpp", ".py": "python", ".json": "json", ".sh": "bash"}
# A place that a text names without a heading.
ANCHOR = re.compile(r'^<a id="([\w-]+)"></a>', re.M)
PICTURES = {".svg", ".png"}
PYTHON_TITLES = {
    "array": "Records", "contact": "Bodies of any shape", "context": "Contexts and devices", "distance": "Distances",
    "error": "Errors", "explain": "Explanations", "files": "Files", "formula": "Formulas", "mesh": "Meshes",
    "model": "Models of patches", "motion": "Motions", "options": "Options", "proof": "Proofs", "query": "Queries",
    "rigid": "Rigid bodies", "scene": "Scenes kept between calls", "shape": "Shapes", "step": "Steps of a mesh",
    "stencil": "Stencils", "surface": "Patches",
}  # fmt: skip


class Stage:
    def __init__(self, xml, out):
        self.out = out
        self.reference = c_reference.Reference(xml)
        self.headers = sorted((ROOT / "include/toi").glob("*.h*")) + sorted((ROOT / "include/toi/cpp").glob("*.hpp"))
        self.pages = {}  # file of the tree -> page, without its suffix
        self.queue = []
        self.errors = []
        self.linked = {}  # page -> fragments asked of it
        for guide in sorted((ROOT / "docs").glob("*.md")):
            if guide.name != "README.md":
                self.page_of(guide)
        for header in self.headers:
            folder = "cpp" if header.suffix == ".hpp" else "c"
            self.pages[header] = f"reference/{folder}/{header.stem}"
        for manual in (ROOT / "docs/man").glob("*.1"):
            self.pages[manual] = f"reference/{manual.stem}"
        self.pages[ROOT / "docs/README.md"] = self.pages[ROOT / "docs/site/index.md"] = "index"
        self.pages[ROOT / "docs/man"] = "reference/toi"
        self.pages[ROOT / "include/toi"] = "reference/c/toi"
        for name in ("CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"):
            self.page_of(ROOT / name)
        self.uses = self._uses()
        c_headers = [header for header in self.headers if header.suffix == ".h"]
        self.c_functions = {name for header in c_headers for name in self.reference.functions(header)}

    # --- where things go ---

    def page_of(self, path):
        """The page of a file of the tree; it is written later."""
        if path not in self.pages:
            inside = path.relative_to(ROOT)
            if inside.parts[0] == "docs" and path.suffix == ".md" and len(inside.parts) == 2:
                page = "guide/" + inside.stem
            elif path.suffix == ".md":
                page = "tree/" + str(inside.with_suffix(""))
            else:
                page = "tree/" + str(inside).replace(".", "-")
            self.pages[path] = page
            self.queue.append(path)
        return self.pages[path]

    def link(self, target, source, page):
        """A link of this source, as its page has to say it."""
        if re.match(r"[a-z]+:", target) or target.startswith("#"):
            return target
        name, _, fragment = target.partition("#")
        path = (source.parent / name).resolve()
        if not path.exists() or ROOT not in path.parents:
            self.errors.append(f"{source.relative_to(ROOT)}: no such file: {target}")
            return target
        if path.suffix in PICTURES:
            return self._copy(path, page)
        there = self.page_of(path)
        suffix = ".md" if path.suffix == ".md" or path.is_dir() and there.startswith("tree/") else ".rst"
        if there.startswith("reference/toi"):
            suffix = ".md"
        if there == "index":
            suffix = ".md"
        return os.path.relpath(there + suffix, os.path.dirname(page)) + ("#" + fragment if fragment else "")

    def _copy(self, path, page):
        place = self.out / "pictures" / path.name
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, place)
        return os.path.relpath("pictures/" + path.name, os.path.dirname(page))

    def write(self, page, suffix, text):
        place = self.out / (page + suffix)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")

    # --- Markdown ---

    def markdown(self, source, page, text):
        """The text with its links turned, outside of code."""
        out, fence = [], None
        named = ANCHOR.findall(text)
        for line in text.split("\n"):
            mark = re.match(r"\s*(```+|~~~+)(.*)", line)
            if mark and fence is None:
                fence = mark[1]
                line = line.replace("```json", "```js") if mark[2] == "json" else line
            elif mark and line.strip() == fence:
                fence = None
            elif fence is None and not line.startswith("    "):
                line = ANCHOR.sub(r"(\1)=\n", line)
                for name in named:
                    line = line.replace(f"](#{name})", f"]({name})")
                line = self._turn(line, source, page, named)
            out.append(line)
        return "\n".join(out)

    def _turn(self, line, source, page, named=()):
        parts = re.split(r"(`+[^`]*`+)", line)
        whole = "".join(part if number % 2 == 0 else f"\0{number}\0" for number, part in enumerate(parts))
        whole = re.sub(r"\[[\w./-]+\.md\]\(([^()\s]+)\)", lambda m: f"[{self._title(m[1], source)}]({m[1]})", whole)
        whole = re.sub(r"\]\(([^()\s]+)\)", lambda m: m[0] if m[1] in named else f"]({self.link(m[1], source, page)})", whole)
        return re.sub(r"\0(\d+)\0", lambda m: parts[int(m[1])], whole)

    def _title(self, target, source):
        """The heading of the page that a link leads to, to stand where the tree shows the file's name."""
        path = source.parent / target.partition("#")[0]
        found = re.search(r"^# (.*)", path.read_text(encoding="utf-8"), re.M) if path.is_file() else None
        return found[1] if found else target

    def _source_page(self, path, page):
        """A file of the tree as it is, or the list of a folder."""
        inside = str(path.relative_to(ROOT))
        if path.is_dir():
            readme = path / "README.md"
            if readme.exists():
                self.pages[readme] = page
                self.write(page, ".md", "---\norphan: true\n---\n\n" + self.markdown(readme, page, readme.read_text()))
                return
            listed = [p for p in sorted(path.iterdir()) if p.is_file() and p.suffix in LANGUAGES]
            lines = [f"- [{p.name}]({self.link(p.name, path / 'x', page)})" for p in listed]
            self.write(page, ".md", f"---\norphan: true\n---\n\n# {inside}\n\n" + "\n".join(lines) + "\n")
            return
        language = LANGUAGES.get(path.suffix, "text")
        body = "\n".join("   " + line if line else "" for line in path.read_text(encoding="utf-8").split("\n"))
        title = f"{inside}\n{'=' * len(inside)}\n"
        self.write(page, ".rst", f":orphan:\n:nosearch:\n\n{title}\n.. code-block:: {language}\n   :linenos:\n   :force:\n\n{body}\n")

    def tree_pages(self):
        while self.queue:
            path = self.queue.pop()
            page = self.pages[path]
            if path.suffix == ".md":
                text = self.markdown(path, page, path.read_text(encoding="utf-8"))
                front = "" if page.startswith("guide/") else "---\norphan: true\n---\n\n"
                self.write(page, ".md", front + text)
            else:
                self._source_page(path, page)

    # --- references ---

    def _uses(self):
        """Which programs and guides use a public function: name -> files, the best to read first."""
        programs = sorted((ROOT / "examples").glob("*.c*")) + sorted((ROOT / "docs").glob("*.md"))
        programs += sorted((ROOT / "examples").glob("*/*.c")) + sorted((ROOT / "tests").glob("*/*.c"))
        programs += sorted((ROOT / "cli").glob("*.c"))
        programs += sorted((ROOT / "tests/cluster").glob("mpi_*.c"))
        uses = {}
        for path in programs:
            text = path.read_text(encoding="utf-8")
            if path.suffix == ".md":
                text = "\n".join(re.findall(r"^```c\n(.*?)^```", text, re.S | re.M))
            for name in set(re.findall(r"\btoi_\w+", text)):
                uses.setdefault(name, []).append(path)
        for name in list(uses):
            uses.setdefault(name.replace("toi_default_", "toi_") + "_init", uses[name])
        return uses

    def _programs(self, name):
        """Programs that call the function; else those that make the object it is about."""
        return self.uses.get(name) or self.uses.get("_".join(name.replace("default_", "").split("_")[:2]) + "_create", [])

    def example(self, name, page):
        """A line with links to at most two programs that use the function."""
        found = self._programs(name)[:2]
        if not found:
            return []
        return ["Example: " + ", ".join(self._rst_link(path, page) for path in found), ""]

    def cpp_example(self, name, page):
        """Lines with the C function of the same name, which has an example, or with programs that use the function."""
        if f"toi_{name}" in self.c_functions:
            return [f"In C, with an example: :c:func:`toi_{name}`.", ""]
        programs = [ROOT / "docs/cpp.md", ROOT / "docs/migrating.md", *sorted((ROOT / "examples").glob("*.cpp"))]
        programs += sorted((ROOT / "tests/cpp").glob("*.cpp"))
        found = [path for path in programs if re.search(rf"\b{re.escape(name)}\(", path.read_text(encoding="utf-8"))]
        if not found:
            self.errors.append(f"toi::{name}: no C function of this name, and no program in C++ uses it")
            return []
        return ["Example: " + ", ".join(self._rst_link(path, page) for path in found[:2]), ""]

    def _rst_link(self, path, page):
        there = os.path.relpath(self.page_of(path), os.path.dirname(page))
        return f":doc:`{path.relative_to(ROOT)} <{there}>`"

    def references(self):
        without = []
        for header in self.headers:
            page = self.pages[header]
            if header.suffix == ".hpp":
                self.write(page, ".rst", self.reference.cpp_page(header, lambda name: self.cpp_example(name, page)))
                continue
            self.write(page, ".rst", self.reference.c_page(header, lambda name: self.example(name, page)))
            without += [name for name in self.reference.functions(header) if not self._programs(name)]
        for name in self.reference.undescribed:
            self.errors.append(f"{name}: no comment in its header")
        for name in without:
            self.errors.append(f"{name}: no program in examples/, docs/ or tests/ uses it")
        twins = self._twins()
        text = python_reference.page(ROOT / "python/toi", PYTHON_TITLES, lambda name: twins.get(name, []))
        self.write("reference/python", ".rst", text)
        for manual in sorted((ROOT / "docs/man").glob("*.1")):
            said = subprocess.run(["mandoc", "-T", "markdown", manual], check=True, capture_output=True, text=True).stdout
            self.write(f"reference/{manual.stem}", ".md", _manual(manual.stem, said))

    def _twins(self):
        """Lines that name the C function behind a Python one."""
        lines = {}
        for header in self.headers:
            for name in self.reference.functions(header) if header.suffix == ".h" else []:
                lines.setdefault(name.removeprefix("toi_"), [f"In C: :c:func:`{name}`."])
        for line in (ROOT / "python/tests/twins.txt").read_text().splitlines():
            twin = re.match(r"(toi_\w+) = (\w+)$", line)
            if twin:
                lines.setdefault(twin[2], [f"In C: :c:func:`{twin[1]}`."])
        return lines


def _manual(name, text):
    """The manual page as Markdown: one heading above those of its sections, which are not shouted."""
    lines = text.split("\n")[1:-2]
    out = [f"# {name}(1)", ""]
    for line in lines:
        heading = re.match(r"(#+) (.*)", line)
        if heading:
            line = f"#{heading[1]} {heading[2].capitalize() if heading[2].isupper() else heading[2]}"
        out.append(line)
    return "\n".join(out) + "\n"


def main():
    xml, out = map(Path, sys.argv[1:])
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    stage = Stage(xml, out)
    stage.references()
    index = ROOT / "docs/site/index.md"
    text = stage.markdown(index, "index", index.read_text(encoding="utf-8"))
    others = [page for page in sorted(stage.pages.values()) if page.startswith("guide/") and f"\n{page}\n" not in text]
    stage.write("index", ".md", text.replace("\nguide/*\n", "\n" + "\n".join(others) + "\n"))
    for toctree in sorted((ROOT / "docs/site").glob("*.rst")):
        shutil.copyfile(toctree, out / toctree.name)
    stage.tree_pages()
    for error in stage.errors:
        print(error, file=sys.stderr)
    sys.exit(bool(stage.errors))


if __name__ == "__main__":
    main()
