#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the libtoi authors
"""Compares the methods on a file of queries: python3 compare_methods.py QUERIES.csv vf|ee [PLOT.png]

Prints verdicts, what is wrong of them where the file has the truth, and nanoseconds a query; draws the latter."""

import sys
import time

import numpy as np

import toi


def measure(method, kind, queries):
    """Hits, and nanoseconds a query: the least of three."""
    times = []
    for _ in range(3):
        begin = time.process_time_ns()
        hits = toi.batch(kind, queries, method=method, threads=1)
        times.append((time.process_time_ns() - begin) / max(len(queries), 1))
    return hits, min(times)


def main(path, kind, picture=None):
    queries, truth = toi.queries_read(path)
    print(f"{path}: {len(queries)} queries")
    print(f"{'method':24}{'hit':>8}{'miss':>8}{'near':>8}{'missed':>8}{'ns/query':>12}")
    names, costs = [], []
    for method in toi.methods():
        try:
            hits, cost = measure(method, kind, queries)
        except toi.UnsupportedError:
            continue
        verdicts = [np.count_nonzero(hits["verdict"] == code) for code in (toi.HIT, toi.MISS, toi.NEAR)]
        missed = "-" if truth is None else np.count_nonzero(truth & (hits["verdict"] == toi.MISS))
        print(f"{method:24}{verdicts[0]:8}{verdicts[1]:8}{verdicts[2]:8}{missed:>8}{cost:12.0f}")
        names.append(method)
        costs.append(cost)
    if picture is not None:
        draw(names, costs, picture)
    return 0


def draw(names, costs, picture):
    try:
        import matplotlib
    except ImportError:
        print("matplotlib is not installed: no picture")
        return
    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(layout="constrained")
    axes.barh(names, costs)
    axes.set_xscale("log")
    axes.set_xlabel("nanoseconds a query")
    figure.savefig(picture)
    print(f"{picture}: drawn")


if __name__ == "__main__":
    if not 3 <= len(sys.argv) <= 4:
        sys.exit(f"usage: {sys.argv[0]} QUERIES.csv vf|ee [PLOT.png]")
    try:
        sys.exit(main(*sys.argv[1:]))
    except toi.Error as error:
        sys.exit(f"error: {error}")
