#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the libtoi authors
"""Checks a mesh for self-crossings: python3 check_mesh.py MESH.ply. Exits with 1 if there are any.

Every edge that passes through a face is listed, decided exactly; so is every pair that merely touches."""

import sys

import toi


def main(path):
    mesh = toi.read_mesh(path)
    crossings = toi.mesh_crossings(mesh)
    print(f"{path}: {mesh!r}: {crossings!r}")
    for crossing in crossings[:20]:
        if crossing.crossing:
            a, b = mesh.edges[crossing.first]
            print(f"  the edge of vertices {a} and {b} passes through face {crossing.second}")
        else:
            print(f"  {crossing.kind} {crossing.first}, {crossing.second} touch")
    if len(crossings) > 20:
        print(f"  and {len(crossings) - 20} more")
    return 1 if len(crossings) else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(f"usage: {sys.argv[0]} MESH.ply")
    try:
        sys.exit(main(sys.argv[1]))
    except toi.Error as error:
        sys.exit(f"error: {error}")
