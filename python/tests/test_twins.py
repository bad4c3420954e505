# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the libtoi authors
"""The module is whole: every public function of the headers is there, or says why not; so are docstrings and types."""

import ast
import inspect
import re
import subprocess
import sys
import unittest
from pathlib import Path

import toi

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import declarations

ROOT = HERE.parent / "libtoi" if (HERE.parent / "libtoi").is_dir() else HERE.parent.parent
PACKAGE = Path(toi.__file__).resolve().parent


def listed():
    """The lines of twins*.txt: places by function, and reasons by function."""
    places, reasons = {}, {}
    for path in sorted(HERE.glob("twins*.txt")):
        for line in path.read_text().splitlines():
            if match := re.match(r"(toi_\w+) = (\S+)$", line):
                places[match[1]] = match[2]
            elif match := re.match(r"(toi_\w+): (.+)$", line):
                reasons[match[1]] = match[2]
            elif line and not line.startswith("#"):
                raise ValueError(f"{path.name}: neither a place nor a reason: {line}")
    return places, reasons


def place_of(dotted):
    thing = toi
    for name in dotted.split("."):
        thing = getattr(thing, name)
    return thing


def public_classes():
    return [(name, thing) for name in toi.__all__ if inspect.isclass(thing := getattr(toi, name))]


class Twins(unittest.TestCase):
    def test_every_function_has_a_twin_or_a_reason(self):
        places, reasons = listed()
        functions = declarations.functions(ROOT / "include")
        self.assertGreater(len(functions), 150)
        sources = "".join(path.read_text() for path in PACKAGE.glob("*.py"))
        for function in functions:
            with self.subTest(function=function):
                if function in reasons:
                    continue
                thing = place_of(places.get(function, function[len("toi_") :]))
                self.assertIsNotNone(thing)
                self.assertRegex(sources, r"\blib\." + function + r"\b", "its twin does not call it")

    def test_no_line_is_out_of_date(self):
        places, reasons = listed()
        functions = set(declarations.functions(ROOT / "include"))
        self.assertEqual(set(places) & set(reasons), set())
        self.assertEqual((set(places) | set(reasons)) - functions, set(), "no such functions")

    def test_headers_and_exported_symbols_agree(self):
        libraries = sorted((ROOT / "build").glob("release/libtoi.so"))
        if not libraries:
            self.skipTest("no shared library was built")
        command = ["nm", "-D", "--defined-only", libraries[0]]
        symbols = subprocess.run(command, capture_output=True, text=True, check=True)
        exported = set(re.findall(r" [TW] (toi_\w+)$", symbols.stdout, re.MULTILINE))
        self.assertEqual(exported - set(declarations.functions(ROOT / "include")), set())


class Documented(unittest.TestCase):
    def test_everything_public_has_a_docstring(self):
        for name in toi.__all__:
            thing = getattr(toi, name)
            if inspect.isclass(thing) or inspect.isroutine(thing):
                with self.subTest(name=name):
                    self.assertTrue(thing.__doc__ and thing.__doc__ is not object.__doc__)
        for name, kind in public_classes():
            for member, thing in vars(kind).items():
                if not member.startswith("_") and (inspect.isfunction(thing) or isinstance(thing, property)):
                    with self.subTest(name=f"{name}.{member}"):
                        self.assertTrue(thing.__doc__)


class Types(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.stubs = {}
        for node in ast.parse((PACKAGE / "__init__.pyi").read_text()).body:
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                cls.stubs[node.name] = node
            elif isinstance(node, ast.AnnAssign):
                cls.stubs[node.target.id] = node

    def compare(self, stub, function):
        """The same parameters in the same order."""
        arguments = stub.args
        described = [*arguments.posonlyargs, *arguments.args, *([arguments.vararg] if arguments.vararg else [])]
        described += [*arguments.kwonlyargs, *([arguments.kwarg] if arguments.kwarg else [])]
        self.assertEqual([a.arg for a in described], list(inspect.signature(function).parameters))

    def test_everything_public_has_types(self):
        self.assertTrue((PACKAGE / "py.typed").exists())
        for name in toi.__all__:
            with self.subTest(name=name):
                self.assertIn(name, self.stubs)
                if inspect.isfunction(getattr(toi, name)):
                    self.compare(self.stubs[name], getattr(toi, name))

    def test_classes_have_the_members_that_their_types_say(self):
        for name, kind in public_classes():
            stub = self.stubs[name]
            members = {node.name: node for node in stub.body if isinstance(node, ast.FunctionDef)}
            fields = {node.target.id for node in stub.body if isinstance(node, ast.AnnAssign)}
            for base in (self.stubs.get(base.__name__) for base in kind.__mro__[1:]):
                for node in getattr(base, "body", ()):
                    if isinstance(node, ast.FunctionDef):
                        members.setdefault(node.name, node)
                    elif isinstance(node, ast.AnnAssign):
                        fields.add(node.target.id)
            bases = [base for base in kind.__mro__ if base.__module__.startswith("toi")]
            public = {member for base in bases for member in vars(base) if member[0] != "_"}
            with self.subTest(name=name):
                self.assertEqual(public - set(members) - fields, set(), "without types")
                self.assertEqual({m for m in members if m[0] != "_"} - public, set(), "types of nothing")
                for member, node in members.items():
                    function = inspect.getattr_static(kind, member, None)
                    if inspect.isfunction(function) and "overload" not in ast.dump(node):
                        self.compare(node, function)


if __name__ == "__main__":
    unittest.main()
