#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the libtoi authors
"""Runs the code cells of a notebook one after the other, without Jupyter: python3 run_notebook.py NOTEBOOK.ipynb

Cells tagged "plot" are left out where matplotlib is not installed, with a line that says so."""

import json
import os
import sys
from importlib.util import find_spec


def run(path):
    """Runs it; returns what its cells define, and how many cells were left out."""
    os.environ.setdefault("MPLBACKEND", "Agg")
    with open(path, encoding="utf-8") as file:
        cells = json.load(file)["cells"]
    plots = find_spec("matplotlib") is not None
    space, skipped = {"__name__": "__main__"}, 0
    for number, cell in enumerate(cells, 1):
        if cell["cell_type"] != "code":
            continue
        if "plot" in cell["metadata"].get("tags", ()) and not plots:
            print(f"skipped: cell {number} draws, and matplotlib is not installed")
            skipped += 1
            continue
        source = "".join(cell["source"])
        exec(compile(source, f"{os.path.basename(path)}, cell {number}", "exec"), space)
    return space, skipped


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(f"usage: {sys.argv[0]} NOTEBOOK.ipynb")
    run(sys.argv[1])
