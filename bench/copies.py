#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the libtoi authors
"""Copies of the frames of a step side by side in binary PLY files: scenes as large as one wants, for docs/scaling.md.
copies.py N M K IN.ply OUT.ply [IN.ply OUT.ply ...]    N x M x K copies, a tenth of the mesh's size apart"""

import array
import struct
import sys

SIZES = {"char": 1, "uchar": 1, "short": 2, "ushort": 2, "int": 4, "uint": 4, "float": 4, "double": 8}


def read(path):
    """Points and faces; x, y and z are floats in front, faces have three corners each."""
    data = open(path, "rb").read()
    begin = data.index(b"end_header\n") + len(b"end_header\n")
    lines = data[:begin].decode().split("\n")
    order = ">" if "big" in lines[1] else "<"
    counts, row, element = {}, 0, ""
    for line in lines:
        words = line.split()
        if words[:1] == ["element"]:
            element, counts[words[1]] = words[1], int(words[2])
        elif words[:1] == ["property"] and element == "vertex":
            row += SIZES[words[1]]
    points = [struct.unpack_from(order + "3f", data, begin + i * row) for i in range(counts["vertex"])]
    begin += counts["vertex"] * row
    faces = [struct.unpack_from(order + "3i", data, begin + 13 * i + 1) for i in range(counts["face"])]
    return points, faces


def write(target, points, faces, places):
    with open(target, "wb") as out:
        out.write(
            f"ply\nformat binary_little_endian 1.0\nelement vertex {len(points) * len(places)}\nproperty float x\n"
            f"property float y\nproperty float z\nelement face {len(faces) * len(places)}\n"
            "property list uchar int vertex_indices\nend_header\n".encode()
        )
        for place in places:
            out.write(array.array("f", (p[k] + place[k] for p in points for k in range(3))).tobytes())
        for number in range(len(places)):
            first = number * len(points)
            out.write(b"".join(struct.pack("<B3i", 3, a + first, b + first, c + first) for a, b, c in faces))


def main():
    counts, paths = [int(n) for n in sys.argv[1:4]], sys.argv[4:]
    meshes = [read(path) for path in paths[::2]]
    # All frames are shifted alike.
    ends = [[bound(p[k] for points, _ in meshes for p in points) for bound in (min, max)] for k in range(3)]
    steps = [float(int(1.1 * (high - low)) + 1) for low, high in ends]
    places = [
        (steps[0] * i, steps[1] * j, steps[2] * k)
        for i in range(counts[0])
        for j in range(counts[1])
        for k in range(counts[2])
    ]
    for (points, faces), target in zip(meshes, paths[1::2]):
        write(target, points, faces, places)


if __name__ == "__main__":
    main()
