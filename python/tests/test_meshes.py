# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the libtoi authors
"""Whole meshes: answers, layouts without a copy, visitors, scenes, stencils and files."""

import os
import subprocess
import tempfile
import unittest
from fractions import Fraction
from pathlib import Path

import numpy as np

import toi

START = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.25, 0.25, 1], [0.5, 0.25, 3], [0.25, 0.5, 3]])
END = START - np.repeat([[0, 0, 0], [0, 0, 2.0]], 3, axis=0)
FACES = np.array([[0, 1, 2], [3, 4, 5]])


def folded_sheet(size=12, seed=7):
    """A sheet that is crumpled within one step: some of its parts collide."""
    random = np.random.default_rng(seed)
    u, v = np.meshgrid(np.linspace(0, 1, size), np.linspace(0, 1, size), indexing="ij")
    start = np.stack([u, v, 0.02 * random.random((size, size))], axis=-1).reshape(-1, 3)
    end = start.copy()
    end[:, 0] = np.abs(end[:, 0] - 0.5)
    end += 0.05 * random.random(end.shape)
    corner = (np.arange(size - 1)[:, None] * size + np.arange(size - 1)).reshape(-1)
    faces = np.concatenate(
        [np.stack([corner, corner + 1, corner + size], 1), np.stack([corner + 1, corner + size + 1, corner + size], 1)]
    )
    return start, end, faces


class Steps(unittest.TestCase):
    def setUp(self):
        self.mesh = toi.Mesh(START, END, faces=FACES)

    def test_first_impact(self):
        impact = toi.step(self.mesh, threads=0)
        self.assertEqual((impact.kind, impact.first, impact.second), ("vertex-face", 3, 0))
        self.assertEqual((impact.hit.verdict, impact.hit.t_lo, impact.hit.t_hi), ("hit", 0.5, 0.5))
        miss = toi.step(self.mesh, t_max=0.25)
        self.assertEqual((miss.hit.verdict, miss.kind, miss.first), ("miss", None, None))

    def test_collisions_in_every_form(self):
        collisions = toi.collisions(self.mesh)
        self.assertEqual(len(collisions), 1)
        self.assertEqual([c.kind for c in collisions], ["vertex-face"])
        self.assertEqual(collisions[0].hit, toi.Hit(collisions.to_numpy()["hit"][0]))
        np.testing.assert_array_equal(collisions[-1].first_point, END[3])
        self.assertEqual(repr(collisions), "Collisions(1 pairs: 1 vertex-face)")
        self.assertEqual(len(collisions[:0]), 0)
        self.assertEqual(len(toi.collisions(self.mesh, t_max=0.1)), 0)

    def test_line_search_writes_positions(self):
        advance = toi.line_search(self.mesh, separation_fraction=0.25)
        self.assertGreater(advance.step, 0.37)
        self.assertLess(advance.step, 0.375)
        moved = self.mesh.replace(end=advance.positions)
        self.assertEqual(toi.step(moved).hit.verdict, "miss")
        self.assertEqual(advance.first.kind, "vertex-face")
        out = np.empty_like(START)
        self.assertIs(toi.line_search(self.mesh, out=out).positions, out)
        for wrong, message in (
            (START[:3].copy(), "shape"),
            (START.astype("f4"), "float64"),
            (np.asfortranarray(START), "strides"),
            (START, "shares memory"),
            (np.broadcast_to(out[:1], out.shape), "read-only"),
        ):
            with self.subTest(message=message), self.assertRaisesRegex(toi.InputError, message):
                toi.line_search(self.mesh, out=wrong)

    def test_state_that_crosses_itself(self):
        self.assertFalse(toi.mesh_intersects(self.mesh))
        crossed = self.mesh.replace(start=END)
        found = toi.mesh_intersects(crossed)
        self.assertTrue(found and found.crossing)
        crossings = toi.mesh_crossings(crossed)
        self.assertEqual({(c.kind, c.second) for c in crossings}, {("edge-face", 0)})
        self.assertEqual((crossings[0].first, crossings[0].second), (found.first, found.second))

    def test_close_pairs_distances_and_displacements(self):
        close = toi.proximity(self.mesh, 1.0)
        self.assertEqual([(c.kind, c.first, c.second) for c in close], [("vertex-face", 3, 0)])
        self.assertLessEqual(close[0].distance.lo, 1.0)
        pairs = close.to_numpy()[["first", "second"]]
        self.assertEqual(toi.Distance(toi.distance_batch_indexed("vf", self.mesh, pairs)[0]), close[0].distance)
        safe = toi.safe_displacements(self.mesh, 0.0, 10.0)
        self.assertEqual(safe.shape, (6,))
        self.assertEqual(safe[3], 0.5)
        points = START[[3, 0, 1, 2]]
        self.assertEqual(toi.distance_fast("vf", points), toi.Distance(toi.distance_batch("vf", points[None])[0]))
        self.assertEqual(toi.distance_rational("vf", points), Fraction(1))
        self.assertEqual(toi.distance_part("vf", points, 0.5), 0.5)
        self.assertEqual(toi.half_space_distance([0, 0, 2], ([0, 0, 1], 1)).on_second, (2, 0))

    def test_candidates_and_boxes(self):
        candidates = toi.candidates(self.mesh)
        by_visit = []
        toi.candidates(self.mesh, visit=by_visit.append)
        self.assertEqual(sorted(np.concatenate(by_visit).tolist()), candidates.to_numpy().tolist())
        self.assertEqual(len(toi.candidates(self.mesh, kinds="vf")), 1)
        boxes = [[0, 0, 0, 1, 1, 1], [1, 1, 1, 2, 2, 2], [3, 3, 3, 4, 4, 4]]
        self.assertEqual(toi.box_pairs(boxes).tolist(), [[0, 1]])

    def test_options_of_meshes(self):
        work, seen = toi.Work(), []
        toi.collisions(self.mesh, work=work, broad="brute", progress=lambda done: None)
        self.assertEqual(work.hits["vertex-face"], 1)
        refuse = lambda kind, first, second: seen.append((kind, first, second))  # noqa: E731
        self.assertEqual(toi.step(self.mesh, may_collide=refuse).hit.verdict, "miss")
        self.assertIn(("vertex-face", 3, 0), seen)
        with self.assertRaises(ZeroDivisionError):
            toi.step(self.mesh, may_collide=lambda *pair: 1 / 0)

    def test_attributes(self):
        def verdict(**attributes):
            return toi.step(toi.Mesh(START, END, faces=FACES, **attributes)).hit.verdict

        self.assertEqual(verdict(bodies=[0] * 6), "miss")
        self.assertEqual(verdict(bodies=[0, 0, 0, -1, -1, -1]), "hit")
        self.assertEqual(verdict(fixed=[True] * 6), "miss")
        self.assertEqual(verdict(skipped=[3]), "miss")
        self.assertEqual(verdict(skipped=[False] * 3 + [True] + [False] * 2), "miss")
        bodies = [0, 0, 0, 1, 1, 1]
        self.assertEqual(verdict(bodies=bodies, body_pairs=[[False, False], [False, False]]), "miss")
        self.assertEqual(verdict(bodies=bodies, body_pairs=[[False, True], [False, False]]), "hit")
        thick = toi.step(toi.Mesh(START, END, faces=FACES, thickness=0.25))
        self.assertEqual(thick.hit.t_lo, 0.25)
        floor = toi.step(toi.Mesh(START, END, faces=FACES, bodies=[0] * 6, half_spaces=[[0, 0, 1, -0.5]]))
        self.assertEqual((floor.kind, floor.first, floor.second, floor.hit.t_lo), ("vertex-half-space", 3, 0, 0.75))


class Layouts(unittest.TestCase):
    def test_no_copy_where_strides_describe_it(self):
        start, end, faces = folded_sheet()
        expected = toi.collisions(toi.Mesh(start, end, faces=faces)).to_numpy().tobytes()
        wide = np.zeros((2, 2 * len(start), 5))
        wide[0, ::2, 1:4], wide[1, ::2, 1:4] = start, end
        for first, last in (
            (start, end),
            (np.asfortranarray(start), np.asfortranarray(end)),
            (wide[0, ::2, 1:4], wide[1, ::2, 1:4]),
        ):
            mesh = toi.Mesh(first, last, faces=faces.astype("u4"))
            self.assertIs(mesh.start, first)
            self.assertIs(mesh.end, last)
            self.assertEqual(toi.collisions(mesh).to_numpy().tobytes(), expected)
            self.assertEqual(toi.line_search(mesh).positions.strides, first.strides)
        window = np.lib.stride_tricks.as_strided(np.linspace(0, 1, len(start) + 4), start.shape, (8, 16))
        for first, last in (
            (start[::-1].copy()[::-1], end),
            (np.asfortranarray(start), end),
            (start.astype(">f8"), end),
        ):
            self.assertEqual(toi.collisions(toi.Mesh(first, last, faces=faces)).to_numpy().tobytes(), expected)
        self.assertEqual(toi.Mesh(window, window + 1).start.strides, (24, 8), "numbers that lie on each other")
        single = toi.Mesh(start.astype("f4"), end.astype("f4"), faces=faces)
        self.assertEqual(single.start.dtype, np.float32)
        widened = toi.Mesh(single.start.astype("f8"), single.end.astype("f8"), faces=faces)
        self.assertEqual(toi.step(single), toi.step(widened))

    def test_types_of_indices(self):
        start, end, faces = folded_sheet(6)
        expected = toi.step(toi.Mesh(start, end, faces=faces))
        for kind in ("u4", "i4", "i8", "u8", "i2"):
            for array in (faces.astype(kind), np.asfortranarray(faces.astype(kind))):
                self.assertEqual(toi.step(toi.Mesh(start, end, faces=array)), expected)
                self.assertEqual(toi.Scene(len(start), faces=array).step(start, end), expected)
        as_is = faces.astype("i4")
        self.assertTrue(np.shares_memory(toi.Mesh(start, end, faces=as_is).faces, as_is))

    def test_arrays_live_as_long_as_the_mesh(self):
        start, end, faces = folded_sheet(6)
        mesh = toi.Mesh(start.copy(), end.copy(), faces=faces.astype("u4"))
        expected = toi.step(toi.Mesh(start, end, faces=faces))
        del start, end, faces
        junk = [np.full((36, 3), np.nan) for _ in range(50)]
        self.assertEqual(toi.step(mesh), expected)
        del junk

    def test_refusals_say_what_was_expected(self):
        mesh = toi.Mesh(START, END, faces=FACES)
        cases = (
            (toi.InputError, r"shape \(n, 3\), got \(6, 2\)", lambda: toi.Mesh(START[:, :2])),
            (toi.InputError, r"shape \(6, 3\), as start has", lambda: toi.Mesh(START, END[:5])),
            (TypeError, "whole numbers", lambda: toi.Mesh(START, END, faces=FACES * 1.0)),
            (toi.InputError, "names vertex -1", lambda: toi.Mesh(START, END, faces=[[0, 1, -1]])),
            (toi.InputError, "vertex 6", lambda: toi.step(toi.Mesh(START, END, faces=[[0, 1, 6]]))),
            (toi.InputError, "x at the start is not a number", lambda: toi.step(toi.Mesh(START * np.nan, END))),
            (toi.InputError, "end", lambda: toi.step(toi.Mesh(START, faces=FACES))),
            (TypeError, "expected a toi.Mesh", lambda: toi.step(START)),
            (TypeError, "real numbers", lambda: toi.Mesh([["a", "b", "c"]])),
            (toi.InputError, r"shape \(6,\)", lambda: toi.Mesh(START, END, bodies=[0])),
            (toi.InputError, "names vertex 9", lambda: toi.Mesh(START, END, skipped=[9])),
            (toi.InputError, "square", lambda: toi.Mesh(START, END, body_pairs=[[True, False]])),
            (toi.InputError, r"shape \(n, 4\)", lambda: toi.Mesh(START, END, half_spaces=[[0, 0, 1]])),
            (toi.InputError, "thickness", lambda: toi.step(toi.Mesh(START, END, faces=FACES, thickness=-1.0))),
            (toi.OptionError, "separation_fraction", lambda: toi.line_search(mesh, separation_fraction=2.0)),
            (TypeError, "a number", lambda: toi.proximity(mesh, "far")),
            (toi.InputError, "distance|finite", lambda: toi.proximity(mesh, np.nan)),
            (TypeError, "expected a function", lambda: toi.collisions(mesh, visit=3)),
            (TypeError, "toi.Context", lambda: toi.step(mesh, context=3)),
            (toi.Error, "nope", lambda: toi.step(mesh, broad="nope")),
            (toi.Error, "edge", lambda: toi.mesh_check(toi.Mesh(START, END, faces=FACES, edges=[[0, 1]]))),
            (toi.Error, "", lambda: toi.step(toi.Mesh(np.empty((0, 3)), np.empty((0, 3)), faces=FACES))),
            (toi.InputError, r"shape \(n, 6\)", lambda: toi.box_pairs([[0, 0, 0]])),
        )
        for kind, message, ask in cases:
            with self.subTest(message=message), self.assertRaisesRegex(kind, message):
                ask()

    def test_empty(self):
        nothing = toi.Mesh(np.empty((0, 3)), np.empty((0, 3)))
        try:
            self.assertEqual(toi.step(nothing).hit.verdict, "miss")
        except toi.Error as error:
            self.assertTrue(str(error))
        self.assertEqual(toi.mesh_edges([]).shape, (0, 2))
        self.assertEqual(len(toi.batch_indexed("vf", nothing, np.empty((0, 2), int))), 0)


class Scenes(unittest.TestCase):
    def test_same_answers_as_calls_on_meshes(self):
        start, end, faces = folded_sheet()
        mesh, scene = toi.Mesh(start, end, faces=faces), toi.Scene(len(start), faces=faces)
        other = toi.Scene.of_mesh(mesh, threads=1)
        for kept in (scene, other):
            self.assertEqual(kept.step(start, end), toi.step(mesh))
            for part in (0.01, 0.5):
                same = mesh.replace(end=start + part * (end - start))
                found = kept.collisions(same.start, same.end).to_numpy()
                self.assertEqual(found.tobytes(), toi.collisions(same).to_numpy().tobytes())
            advance = kept.line_search(start, end, separation_fraction=0.1)
            np.testing.assert_array_equal(advance.positions, toi.line_search(mesh, separation_fraction=0.1).positions)
            self.assertEqual(len(kept.proximity(start, 0.05)), len(toi.proximity(mesh, 0.05)))
            self.assertEqual(len(kept.crossings(end)), len(toi.mesh_crossings(mesh.replace(start=end))))
            self.assertEqual(kept.intersects(end).found, bool(toi.mesh_intersects(mesh.replace(start=end))))
            self.assertEqual(len(kept.candidates(start, end)), len(toi.candidates(mesh)))
            self.assertEqual(
                kept.safe_displacements(start, 0, 0.1).tolist(), toi.safe_displacements(mesh, 0, 0.1).tolist()
            )
            np.testing.assert_array_equal(kept.edges, mesh.edges)
            found = kept.stencils(start, 0.05)
            self.assertEqual(found.to_numpy().tobytes(), toi.stencils(mesh, 0.05).to_numpy().tobytes())

    def test_refusals(self):
        scene = toi.Scene(6, faces=FACES)
        with self.assertRaisesRegex(toi.InputError, r"shape \(6, 3\)"):
            scene.step(START[:5], END[:5])
        with self.assertRaisesRegex(toi.InputError, "face 1 names vertex 5"):
            toi.Scene(5, faces=FACES)
        with self.assertRaisesRegex(toi.InputError, "-1|negative"):
            toi.Scene(6, faces=[[0, 1, -1]])
        with self.assertRaises(TypeError):
            toi.Scene("6", faces=FACES)


class Stencils(unittest.TestCase):
    def test_derivatives_of_stencils(self):
        mesh = toi.Mesh(START, faces=FACES)
        stencils = toi.stencils(mesh, 1.5)
        first = stencils[0]
        self.assertEqual((first.kind, first.vertices), ("vertex-face", (3, 0, 1, 2)))
        np.testing.assert_allclose(first.weights @ START[list(first.vertices)], first.first_point - first.second_point)
        arrays = toi.stencil_batch(mesh, stencils, wanted=("squared", "gradients", "hessians", "mollifiers"))
        squared, gradient, hessian = toi.stencil_derivatives("vf", START[[3, 0, 1, 2]])
        self.assertEqual(arrays.squared[0], squared)
        np.testing.assert_array_equal(arrays.gradients[0], gradient)
        np.testing.assert_array_equal(arrays.hessians[0].reshape(12, 12), hessian)
        self.assertIsNone(arrays.mollifier_gradients)
        value, *_ = toi.stencil_mollifier(START[[0, 1, 2, 3]], 1e-3)
        self.assertTrue(0 <= value <= 1)
        self.assertEqual(len(toi.stencils(mesh, 1.5, rest=START.astype("f4"), mollifier=0.0)), len(stencils))
        with self.assertRaisesRegex(toi.InputError, "no derivatives"):
            toi.stencil_derivatives("vf", np.zeros((4, 3)))
        with self.assertRaisesRegex(TypeError, "stencil_dtype"):
            toi.stencil_batch(mesh, [1, 2])
        with self.assertRaisesRegex(toi.InputError, "'norms' is not one of"):
            toi.stencil_batch(mesh, stencils, wanted=["norms"])


class Proofs(unittest.TestCase):
    def test_contact_time_as_an_algebraic_number(self):
        start, end = START[[3, 0, 1, 2]], END[[3, 0, 1, 2]]
        proof = toi.prove("vf", start, end)
        self.assertEqual((proof.polynomial, proof.lo, proof.hi), ([-1, 2], Fraction(1, 2), Fraction(1, 2)))
        self.assertTrue(proof.certificate.startswith("toi-certificate"))
        self.assertEqual(proof.contact_times, 1)
        self.assertEqual(toi.prove("vf", start, end, certificate=False).certificate, "")
        self.assertEqual(toi.prove("vf", start, start).polynomial, [])
        self.assertIsNone(toi.prove("vv", np.zeros((2, 3)), np.zeros((2, 3))).contact_times)
        if os.environ.get("TOI_VERIFY_BIN"):
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / "certificate"
                path.write_text(proof.certificate)
                checked = subprocess.run([os.environ["TOI_VERIFY_BIN"], path], capture_output=True, text=True)
                self.assertEqual(checked.returncode, 0, checked.stderr)
        with self.assertRaisesRegex(toi.UnsupportedError, "zero separation"):
            toi.prove("vf", start, end, min_separation=1.0)


class Files(unittest.TestCase):
    def test_meshes_out_and_in(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in ("a.ply", "a.obj", "a.ply.gz"):
                path = Path(folder) / name
                toi.frame_write(path, START, FACES, [[0, 5]])
                frame = toi.frame_read(os.fsencode(path))
                np.testing.assert_array_equal(frame.vertices, START)
                np.testing.assert_array_equal(frame.faces, FACES)
                self.assertEqual(frame.loose.tolist(), [[0, 5]])
            toi.frame_write(Path(folder) / "b.ply", END, FACES, [[0, 5]])
            mesh = toi.read_step(Path(folder) / "a.ply", Path(folder) / "b.ply")
            self.assertEqual(toi.step(mesh).kind, "vertex-face")
            self.assertEqual(len(mesh.edges), 7)
            self.assertEqual(toi.step(toi.Mesh(Path(folder) / "a.ply", Path(folder) / "b.ply")), toi.step(mesh))
            self.assertEqual(len(toi.read_mesh(Path(folder) / "a.obj").faces), 2)
            self.assertFalse(toi.mesh_intersects(Path(folder) / "a.ply"))
            toi.frame_write(Path(folder) / "c.ply", START[:3], FACES[:1])
            with self.assertRaisesRegex(toi.Error, "c.ply"):
                toi.read_step(Path(folder) / "a.ply", Path(folder) / "c.ply")
            with self.assertRaisesRegex(toi.FileError, "missing.ply"):
                toi.read_mesh(Path(folder) / "missing.ply")
            (Path(folder) / "d.ply").write_text("ply\nnonsense\n")
            with self.assertRaisesRegex(toi.FormatError, "d.ply"):
                toi.read_mesh(Path(folder) / "d.ply")
        with self.assertRaises(TypeError):
            toi.read_mesh(3)

    def test_any_object_with_vertices_and_faces(self):
        class Thing:
            vertices, faces = START, FACES

        self.assertEqual(repr(toi.Mesh(Thing())), "Mesh(6 vertices, 2 faces, 1 state)")
        self.assertEqual(toi.step(toi.Mesh(Thing(), END)).first, 3)
        self.assertFalse(toi.mesh_intersects(Thing()))

    def test_queries_out_and_in(self):
        queries = np.random.default_rng(3).integers(-4, 5, (10, 8, 3)) / 4
        truth = toi.batch("vf", queries)["verdict"] == toi.HIT
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "vf.csv"
            toi.queries_write(path, queries, truth)
            read = toi.queries_read(path)
            np.testing.assert_array_equal(read.queries, queries)
            np.testing.assert_array_equal(read.truth, truth)
            with toi.Output(Path(folder) / "vf.bin") as output:
                output.append_queries(queries[:5])
                output.append_queries(queries[5:])
            np.testing.assert_array_equal(toi.queries_read(Path(folder) / "vf.bin").queries, queries)
            with self.assertRaises(ZeroDivisionError), toi.Output(Path(folder) / "none.bin") as output:
                output.append(b"12345678")
                raise ZeroDivisionError
            self.assertFalse((Path(folder) / "none.bin").exists())
            with self.assertRaisesRegex(toi.InputError, "ended"):
                output.append(b"x")
            (Path(folder) / "truth.json").write_text("[true, false]")
            self.assertEqual(toi.truth_read(Path(folder) / "truth.json").hit.tolist(), [True, False])


DATA = Path(os.environ.get("TOI_DATA_DIR", Path(__file__).resolve().parents[3] / "shared" / "data"))


@unittest.skipUnless((DATA / "scenes").is_dir(), "no data sets")
class RealData(unittest.TestCase):
    def test_sample_queries_have_their_truth(self):
        paths = sorted((DATA / "sample-queries").rglob("*.csv"))[:6]
        self.assertTrue(paths)
        for path in paths:
            kind = "vf" if "vertex-face" in str(path) else "ee"
            read = toi.queries_read(path)
            hits = toi.batch(kind, read.queries)
            self.assertTrue(set(np.unique(hits["verdict"])) <= {toi.MISS, toi.HIT})
            if read.truth is not None:
                np.testing.assert_array_equal(hits["verdict"] == toi.HIT, read.truth)


if __name__ == "__main__":
    unittest.main()
