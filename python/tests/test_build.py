# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the libtoi authors
"""The module is compiled as the library is: the same sources, and the flags that its proofs rest on."""

import json
import os
import re
import subprocess
import sys
import unittest
from pathlib import Path

from toi import _native

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
try:
    import build_module
except ImportError:
    build_module = None
BUILD = Path(os.environ.get("TOI_BUILD_DIR", HERE.parents[1] / "build" / "release"))
# Flags that change what the code computes, or whether it runs.
ESSENTIAL = re.compile(r"^-(ffp-contract=|ffast-math|m[a-z0-9]|O[0-9s]|Ofast|std=|fvisibility=)")

# The functions that cffi's modules call, all of them in the stable ABI of Python 3.9 (Misc/stable_abi.txt there).
STABLE = set(
    """PyArg_UnpackTuple PyBool_FromLong PyErr_Occurred PyEval_RestoreThread PyEval_SaveThread PyFloat_AsDouble
    PyFloat_FromDouble PyImport_ImportModule PyLong_FromLong PyLong_FromUnsignedLong PyLong_FromVoidPtr
    PyObject_CallMethod PyObject_Free PyObject_Malloc _Py_Dealloc _Py_NoneStruct""".split()
)


class Plan(unittest.TestCase):
    @unittest.skipUnless((BUILD / "compile_commands.json").exists() and build_module, "no CMake build to compare with")
    def test_same_sources_and_flags_as_cmake(self):
        expected = {}
        for command in json.loads((BUILD / "compile_commands.json").read_text()):
            path = Path(command["file"])
            if build_module.SOURCE / "src" in path.parents and "toi_objects" in command["command"]:
                expected[path] = {word for word in command["command"].split() if ESSENTIAL.match(word)}
        self.assertGreater(len(expected), 100)
        planned = {path: set(build_module.FLAGS + flags) for path, flags in build_module.plan()}
        self.assertEqual(set(planned), set(expected))
        cache = (BUILD / "CMakeCache.txt").read_text()
        release = re.search(r"^CMAKE_BUILD_TYPE:\w+=Release$", cache, re.MULTILINE)
        for path, flags in expected.items():
            ours = {word for word in planned[path] if ESSENTIAL.match(word)}
            if not release:
                ours, flags = ({w for w in words if not w.startswith("-O")} for words in (ours, flags))
            self.assertEqual(ours, flags, path)

    def test_other_machines_leave_out_their_instructions(self):
        if build_module is None:
            self.skipTest("cffi cannot build here")
        self.assertFalse([path for path, _ in build_module.plan("aarch64") if "avx2" in path.name])


class StableInterface(unittest.TestCase):
    def test_name_and_symbols(self):
        path = _native.__file__
        self.assertTrue(path.endswith(".abi3.so"), path)
        listed = subprocess.run(["nm", "-D", "--undefined-only", path], capture_output=True, text=True)
        if listed.returncode != 0:
            self.skipTest("nm is not there")
        used = set(re.findall(r" U (_?Py\w+)", listed.stdout))
        self.assertTrue(used)
        self.assertEqual(used - STABLE, set(), "not in the stable ABI of Python 3.9")

    def test_needs_no_library_but_the_system_s(self):
        if os.environ.get("TOI_STATIC_LIBRARY") or BUILD.resolve() in Path(_native.__file__).resolve().parents:
            self.skipTest("linked with a library that may need GMP")
        listed = subprocess.run(["readelf", "-d", _native.__file__], capture_output=True, text=True)
        if listed.returncode != 0:
            self.skipTest("readelf is not there")
        needed = set(re.findall(r"NEEDED.*\[(.+)\]", listed.stdout))
        allowed = {"libc", "libm", "libz", "libpthread", "libdl", "ld-linux-x86-64", "ld-linux-aarch64"}
        self.assertLessEqual({name.split(".so")[0] for name in needed}, allowed)


if __name__ == "__main__":
    unittest.main()
