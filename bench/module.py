# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the libtoi authors
"""What Python adds to the library's own time, with the same work in C measured in turn in the same run.

    python3 bench/module.py [--baseline build/release/toi-bench-module] [--data DIR] [--runs 5] [--check]

Prints CPU time on one thread: the first impact of the scene rod-twist, a batch of a million queries and what memory it
takes, and single queries. --check: fails where the bounds of docs/python.md do not hold.
"""

import argparse
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

import toi

ROOT = Path(__file__).resolve().parents[1]
SINGLES = 100_000


def frames(data):
    """Two frames of rod-twist; of a crumpled sheet where there are no data."""
    found = sorted((data / "scenes" / "rod-twist").rglob("*.ply")) if data else []
    return (found[0], found[1]) if len(found) >= 2 else None


def sheet(folder):
    """A stand-in for the scene."""
    size = 200
    random = np.random.default_rng(1)
    u, v = np.meshgrid(np.linspace(0, 1, size), np.linspace(0, 1, size), indexing="ij")
    start = np.stack([u, v, 0.01 * random.random((size, size))], axis=-1).reshape(-1, 3)
    end = start + 0.01 * random.random(start.shape)
    corner = (np.arange(size - 1)[:, None] * size + np.arange(size - 1)).reshape(-1)
    faces = np.concatenate(
        [np.stack([corner, corner + 1, corner + size], 1), np.stack([corner + 1, corner + size + 1, corner + size], 1)]
    )
    paths = Path(folder) / "start.ply", Path(folder) / "end.ply"
    for path, vertices in zip(paths, (start, end)):
        toi.frame_write(path, vertices, faces)
    return paths


def measure(work):
    begin = time.process_time()
    work()
    return time.process_time() - begin


def peak_bytes():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


class Baseline:
    """The C program: one line asks, one line answers."""

    def __init__(self, program, *arguments):
        self.process = subprocess.Popen(
            [program, *map(str, arguments)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def __call__(self, word):
        self.process.stdin.write(word + "\n")
        self.process.stdin.flush()
        return float(self.process.stdout.readline())


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--baseline", default=ROOT / "build" / "release" / "toi-bench-module", type=Path)
    parser.add_argument("--data", default=ROOT.parent / "shared" / "data", type=Path)
    parser.add_argument("--queries", default=1_000_000, type=int)
    parser.add_argument("--runs", default=5, type=int)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()

    with tempfile.TemporaryDirectory() as folder:
        start, end = frames(options.data) or sheet(folder)
        queries = np.random.default_rng(20261118).random((options.queries, 8, 3))
        path = Path(folder) / "queries.bin"
        toi.queries_write(path, queries)
        baseline = Baseline(options.baseline, start, end, path, SINGLES)

        mesh, context = toi.read_step(start, end), toi.Context(1)
        # Its pages are there before memory is measured.
        out = np.full(len(queries) * toi.hit_dtype.itemsize, 1, np.uint8).view(toi.hit_dtype)
        pairs = [(queries[i % len(queries), :4], queries[i % len(queries), 4:]) for i in range(SINGLES)]

        def single():
            ask = toi.vertex_face
            for first, last in pairs:
                ask(first, last)

        works = {
            "step": lambda: toi.step(mesh, context=context),
            "batch": lambda: toi.batch("vf", queries, out=out, context=context),
            "single": single,
        }
        times = {word: ([], []) for word in works}
        before = grown = None
        for run in range(options.runs + 1):
            for word, work in works.items():
                c = baseline(word)
                before = peak_bytes()
                python = measure(work)
                if word == "batch":
                    grown = max(grown or 0, peak_bytes() - before)
                if run > 0:  # the first one warms both up
                    times[word][0].append(c)
                    times[word][1].append(python)

    names = {"step": f"step, {start.name}", "batch": f"batch of {options.queries:,}", "single": "single query"}
    versions = f"{toi.version()}, Python {sys.version.split()[0]}"
    print(f"CPU time on one thread, median of {options.runs} runs in turn; {versions}")
    print(f"{'':24}{'C':>12}{'Python':>12}{'more':>12}")
    failed = []
    for word, (c, python) in times.items():
        c, python = statistics.median(c), statistics.median(python)
        if word == "single":
            more = (python - c) / SINGLES * 1e6
            print(f"{names[word]:24}{c / SINGLES * 1e6:9.3f} us{python / SINGLES * 1e6:9.3f} us{more:9.3f} us")
            failed += ["single"] if more >= 3 else []
        else:
            more = python / c - 1
            print(f"{names[word]:24}{c * 1e3:9.2f} ms{python * 1e3:9.2f} ms{more:+11.1%}")
            failed += [word] if more >= 0.05 else []
    size = queries.nbytes
    print(f"the batch's {size / 2**20:.0f} MiB of queries: {grown / 2**20:.1f} MiB more in use meanwhile")
    failed += ["memory"] if grown > size / 10 else []
    if options.check and failed:
        sys.exit(f"beyond the bounds: {', '.join(failed)}")


if __name__ == "__main__":
    main()
