#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the libtoi authors
"""A line search inside scipy's minimiser: a sheet is pulled down onto a tetrahedron, and never passes through it.

scipy decides where to go; each of its rounds ends in a step that toi.Scene.line_search() allows. The next round begins
there. The energy holds the sheet's edges at their lengths and pulls its vertices down."""

import sys

import numpy as np

import toi


def sheet_over_tip(size=6):
    """A square sheet above a fixed tetrahedron: vertices, faces, and which vertices are free."""
    side = np.linspace(-1, 1, size)
    x, y = np.meshgrid(side, side, indexing="ij")
    sheet = np.stack([x.ravel(), y.ravel(), np.full(size * size, 0.6)], axis=-1)
    number = np.arange(size * size).reshape(size, size)
    corners = [number[:-1, :-1], number[1:, :-1], number[:-1, 1:], number[1:, 1:]]
    a, b, c, d = (corner.ravel() for corner in corners)
    tip = np.array([[0.03, 0.02, 0.5], [-0.5, -0.4, -0.5], [0.5, -0.4, -0.5], [0, 0.5, -0.5]])
    faces = np.vstack([np.stack([a, b, c], -1), np.stack([b, d, c], -1)])
    solid = len(sheet) + np.array([[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]])
    return np.vstack([sheet, tip]), np.vstack([faces, solid]).astype(np.uint32), len(sheet)


def energy_of(edges, lengths, count, fixed):
    """The energy of the sheet, and its gradient, as scipy takes them."""

    def energy(flat):
        points = np.vstack([flat.reshape(count, 3), fixed])
        along = points[edges[:, 1]] - points[edges[:, 0]]
        now = np.sqrt((along * along).sum(axis=1))
        stretch = now - lengths
        pull = (50 * stretch / now)[:, None] * along
        gradient = np.zeros_like(points)
        np.add.at(gradient, edges[:, 1], pull)
        np.add.at(gradient, edges[:, 0], -pull)
        gradient[:count, 2] += 1
        value = 25 * (stretch * stretch).sum() + points[:count, 2].sum()
        # Without a floor the sheet would fall for ever.
        below = np.minimum(points[:count, 2] + 0.4, 0)
        gradient[:count, 2] += 20 * below
        return value + 10 * (below * below).sum(), gradient[:count].ravel()

    return energy


def main(rounds=12):
    try:
        from scipy.optimize import minimize
    except ImportError:
        print("skipped: scipy is not installed")
        return 0
    vertices, faces, count = sheet_over_tip()
    scene = toi.Scene(len(vertices), faces=faces)
    edges = scene.edges[scene.edges.max(axis=1) < count]
    lengths = np.linalg.norm(vertices[edges[:, 1]] - vertices[edges[:, 0]], axis=1)
    energy = energy_of(edges, lengths, count, vertices[count:])
    shortened = 0
    for _ in range(rounds):
        wanted = minimize(energy, vertices[:count].ravel(), jac=True, method="L-BFGS-B", options={"maxiter": 4})
        end = np.vstack([wanted.x.reshape(count, 3), vertices[count:]])
        advance = scene.line_search(vertices, end, separation_fraction=0.1)
        shortened += advance.step < 1
        vertices = advance.positions
    crossings = toi.mesh_crossings(toi.Mesh(vertices, faces=faces))
    value = energy(vertices[:count].ravel())[0]
    print(f"energy {value:.3f} after {rounds} rounds, {shortened} of them shortened; {len(crossings)} crossings")
    return 1 if len(crossings) else 0


if __name__ == "__main__":
    sys.exit(main())
