# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the libtoi authors
"""The reference of the Python module, from its sources alone: names from __init__.py, signatures from __init__.pyi,
descriptions from docstrings. Nothing is imported, so that nothing needs to be built."""

import ast
import re


def _parse(path):
    return ast.parse(path.read_text(encoding="utf-8"))


def _escape(text):
    """Plain text as reStructuredText; what stands in backquotes stays code."""
    text = re.sub(r"(?<!`)`([^`]+)`(?!`)", r"``\1``", text)
    parts = re.split(r"(``[^`]+``)", text)
    parts[::2] = [re.sub(r"([\\*_|])", r"\\\1", part) for part in parts[::2]]
    return "".join(parts)


def _text(doc, indent):
    """A docstring: paragraphs, and indented blocks as code."""
    if not doc:
        return []
    out, code = [], False
    for line in doc.strip("\n").splitlines():
        deep = line.startswith("    ")
        if deep and not code:
            out += ["", ".. code-block:: python", ""]
        if code and line.strip() and not deep:
            out.append("")
        if line.strip() or code:
            code = deep or (code and not line.strip())
        out.append(line if deep else _escape(line))
    return [indent + line if line else "" for line in ["", *out, ""]]


class Module:
    """What the package's files say: definitions and docstrings by name."""

    def __init__(self, folder):
        self.defined, self.docs = {}, {}
        for path in sorted(folder.glob("_*.py")):
            for node in _parse(path).body:
                self._take(node)
        self.typed = {}
        for node in _parse(folder / "__init__.pyi").body:
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                self.typed.setdefault(node.name, []).append(node)
        self.sections = []
        for node in _parse(folder / "__init__.py").body:
            if isinstance(node, ast.ImportFrom) and node.level:
                self.sections.append((node.module.lstrip("_"), [alias.name for alias in node.names]))
        self.intros = {path.stem.lstrip("_"): ast.get_docstring(_parse(path)) for path in folder.glob("_*.py")}

    def _take(self, node):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            self.defined[node.name] = node
            self.docs.setdefault(node.name, ast.get_docstring(node))
        elif isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Attribute) and target.attr == "__doc__" and isinstance(target.value, ast.Name):
                    if isinstance(node.value, ast.Constant):
                        self.docs[target.value.id] = node.value.value.replace("\n    ", "\n")
                for name in ast.walk(target):
                    if isinstance(name, ast.Name):
                        self.defined.setdefault(name.id, node)

    def members(self, name):
        """(name, description) of what a class documents: methods, properties, and fields of records."""
        node = self.defined.get(name)
        if not isinstance(node, ast.ClassDef):
            return
        for item in node.body:
            if isinstance(item, ast.FunctionDef) and not item.name.startswith("_"):
                is_property = any(isinstance(d, ast.Name) and d.id == "property" for d in item.decorator_list)
                yield item.name, ast.get_docstring(item), None if is_property else item
            elif isinstance(item, ast.Assign) and isinstance(item.value, ast.Call) and len(item.value.args) > 1:
                said = [a.value for a in item.value.args if isinstance(a, ast.Constant) and isinstance(a.value, str)]
                if isinstance(item.targets[0], ast.Name) and len(said) > 1:
                    yield item.targets[0].id, said[1], None

    def signatures(self, name):
        """What the stub says; the plain definition where it says nothing."""
        found = []
        for node in self.typed.get(name, []):
            if isinstance(node, ast.ClassDef):
                starts = [item for item in node.body if isinstance(item, ast.FunctionDef) and item.name == "__init__"]
                found += [_arguments(item.args, True) for item in starts] or [""]
            else:
                back = f" -> {ast.unparse(node.returns)}" if node.returns else ""
                found.append(_arguments(node.args, False) + back)
        return found or [None]


def _arguments(arguments, bound):
    """The parameters as they are written, without self and without types: these are in the stub."""
    plain = ast.parse(f"def f({ast.unparse(arguments)}): ...").body[0].args
    for argument in [*plain.posonlyargs, *plain.args, *plain.kwonlyargs, plain.vararg, plain.kwarg]:
        if argument is not None:
            argument.annotation = None
    if bound and plain.args:
        plain.args.pop(0)
    return f"({ast.unparse(plain)})"


def _entry(module, name, seen_in):
    node = module.defined.get(name)
    is_class = isinstance(node, ast.ClassDef)
    signatures = module.signatures(name)
    if signatures == [None] and not isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        lines = [f".. py:data:: {name}", ""]
    else:
        role = "class" if is_class else "function"
        first, *others = [name + (signature or ("" if is_class else "()")) for signature in signatures]
        lines = [f".. py:{role}:: {first}", *(f"              {other}" for other in others), ""]
    lines += _text(module.docs.get(name), "   ")
    lines += [f"   {said}" for said in seen_in(name)] + [""]
    for member, doc, method in module.members(name):
        head = f"py:method:: {member}{_arguments(method.args, True)}" if method else f"py:attribute:: {member}"
        lines += [f"   .. {head}", *_text(doc, "      ")]
    return lines


def page(folder, titles, seen_in):
    """The whole reference as one page; titles[file] is the heading of what comes from that file."""
    module = Module(folder)
    lines = ["Python reference", "================", ""]
    lines += ["``import toi``. Options are keywords everywhere; :py:class:`toi.Options` lists them.", ""]
    lines += [".. py:module:: toi", ""]
    for section, names in module.sections:
        title = titles.get(section, section.capitalize())
        lines += ["", title, "-" * len(title), *_text(module.intros.get(section), "")]
        for name in sorted(names, key=str.lower):
            lines += _entry(module, name, seen_in)
    return "\n".join(lines)
