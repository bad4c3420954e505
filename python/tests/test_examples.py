# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the libtoi authors
"""The examples do what they say: the notebook, and the scripts. What needs scipy or matplotlib is skipped without
it."""

import os
import subprocess
import sys
import tempfile
import unittest
from importlib.util import find_spec
from pathlib import Path

import numpy as np

import toi

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
HAS_PLOTS, HAS_SCIPY = find_spec("matplotlib") is not None, find_spec("scipy") is not None


class Examples(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def run_script(self, name, *arguments, code=0):
        """What it prints; its module is the one that is tested here."""
        package = str(Path(toi.__file__).resolve().parent.parent)
        space = {**os.environ, "PYTHONPATH": package, "MPLBACKEND": "Agg", "MPLCONFIGDIR": str(self.folder)}
        command = [sys.executable, str(EXAMPLES / name), *map(str, arguments)]
        done = subprocess.run(command, env=space, capture_output=True, text=True, timeout=300)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def test_notebook(self):
        printed = self.run_script("run_notebook.py", EXAMPLES / "tour.ipynb")
        self.assertIn("verdict='hit'", printed)
        self.assertIn("0 pairs", printed)
        self.assertEqual("skipped" in printed, not HAS_PLOTS)
        if not HAS_PLOTS:
            self.skipTest("matplotlib is not installed: the notebook ran without its plots")

    def test_check_mesh(self):
        flat = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0.2, 0.2, -1], [0.2, 0.3, 1], [0.3, 0.2, 1]])
        faces = np.array([[0, 1, 2], [3, 4, 5]])
        toi.frame_write(self.folder / "crossed.ply", flat, faces)
        toi.frame_write(self.folder / "apart.ply", flat + np.repeat([[0, 0, 0], [0, 0, 5]], 3, axis=0), faces)
        printed = self.run_script("check_mesh.py", self.folder / "crossed.ply", code=1)
        self.assertIn("passes through face 0", printed)
        self.run_script("check_mesh.py", self.folder / "apart.ply")
        self.assertIn("error: ", self.run_script("check_mesh.py", self.folder / "none.ply", code=1))

    def test_compare_methods(self):
        queries = np.random.default_rng(7).uniform(-1, 1, (20, 8, 3))
        truth = toi.batch("vf", queries)["verdict"] == toi.HIT
        toi.queries_write(self.folder / "queries.csv", queries, truth)
        picture = self.folder / "times.png"
        printed = self.run_script("compare_methods.py", self.folder / "queries.csv", "vf", picture)
        for line in printed.splitlines():
            if line.startswith(("certified", "exact")):
                self.assertEqual(line.split()[4], "0", line)
        self.assertEqual(picture.exists(), HAS_PLOTS)
        if not HAS_PLOTS:
            self.skipTest("matplotlib is not installed: no picture was drawn")

    def test_scipy_line_search(self):
        printed = self.run_script("scipy_line_search.py")
        if not HAS_SCIPY:
            self.assertIn("skipped", printed)
            self.skipTest("scipy is not installed")
        self.assertIn(" 0 crossings", printed)
        self.assertNotIn(" 0 of them shortened", printed)


if __name__ == "__main__":
    unittest.main()
