# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the libtoi authors
"""Single queries and batches: answers, layouts, and what is refused."""

import pickle
import tracemalloc
import unittest

import numpy as np

import toi

START = np.array([[0.25, 0.25, 1], [0, 0, 0], [1, 0, 0], [0, 1, 0]])
END = START - [[0, 0, 2], [0, 0, 0], [0, 0, 0], [0, 0, 0]]
EDGES_START = np.array([[-1, 0, 1], [1, 0, 1], [0, -1, 0], [0, 1, 0.0]])
EDGES_END = EDGES_START - [[0, 0, 4], [0, 0, 4], [0, 0, 0], [0, 0, 0]]


class SingleQueries(unittest.TestCase):
    def test_vertex_falls_on_a_triangle(self):
        hit = toi.vertex_face(START, END, min_separation=0.0)
        self.assertEqual(hit.verdict, "hit")
        self.assertLessEqual(hit.t_lo, 0.5)
        self.assertGreaterEqual(hit.t_hi, 0.5)
        self.assertLess(hit.t_safe, 0.5)
        self.assertEqual((hit.u, hit.v), (0.25, 0.25))
        np.testing.assert_allclose(hit.point, [0.25, 0.25, 0], atol=1e-15)
        np.testing.assert_array_equal(hit.normal, [0, 0, 1])
        self.assertFalse(hit.touching_at_start)
        self.assertIn("verdict='hit'", repr(hit))

    def test_every_kind(self):
        self.assertEqual(toi.edge_edge(EDGES_START, EDGES_END, method="exact").t_lo, 0.25)
        vertex, edge = np.array([0, 0, 1.0]), [[-1, 0, 0], [1, 0, 0]]
        start, end = np.vstack([vertex, edge]), np.vstack([-vertex, edge])
        self.assertEqual(toi.vertex_edge(start, end, method="exact").t_hi, 0.5)
        self.assertEqual(toi.vertex_vertex([[0, 0, 1], [0, 0, 0]], [[0, 0, -3], [0, 0, 0]], method="exact").t_lo, 0.25)
        for kind, function in (("vf", toi.vertex_face), ("vertex-face", toi.vertex_face), (0, toi.vertex_face)):
            self.assertEqual(toi.query(kind, START, END), function(START, END))
        plane = toi.vertex_half_space([0, 0, 1], [0, 0, -1], ([0, 0, 2], 0))
        self.assertEqual((plane.verdict, plane.t_lo, plane.t_hi), ("hit", 0.5, 0.5))

    def test_options_are_keywords_or_made_once(self):
        self.assertEqual(toi.vertex_face(START, END, t_max=0.25).verdict, "miss")
        near = toi.vertex_face(START, END, min_separation=0.5, norm="linf", method="exact")
        self.assertEqual((near.t_lo, near.separation), (0.25, 0.5))
        options = toi.Options(t_max=0.25, counters=toi.Counters())
        self.assertEqual(toi.vertex_face(START, END, options).verdict, "miss")
        self.assertEqual(toi.vertex_face(START, END, options, t_max=1).verdict, "hit")
        self.assertEqual(options._given["counters"].verdicts, {"miss": 1, "hit": 1, "near": 0})
        self.assertIn("t_max=0.25", repr(options))

    def test_any_array_or_list(self):
        expected = toi.vertex_face(START, END)
        wide = np.zeros((8, 6))
        wide[::2, ::2] = START
        others = START.tolist(), START.astype("f4"), np.asfortranarray(START), wide[::2, ::2], START.astype(">f8")
        for start in others:
            self.assertEqual(toi.vertex_face(start, END), expected)
        shifted = np.frombuffer(b"x" + START.tobytes(), "f8", offset=1).reshape(4, 3)
        self.assertFalse(shifted.flags.aligned)
        self.assertEqual(toi.vertex_face(shifted, END), expected)

    def test_records_are_values(self):
        hit = toi.vertex_face(START, END)
        self.assertEqual(pickle.loads(pickle.dumps(hit)), hit)
        self.assertEqual(len({hit, toi.vertex_face(START, END)}), 1)
        self.assertNotEqual(hit, toi.vertex_face(START, END, t_max=0.25))
        for wrong in (120, b"", None, np.zeros(3)):
            with self.assertRaises(TypeError):
                toi.Hit(wrong)

    def test_refusals_say_what_was_expected(self):
        cases = (
            (toi.InputError, r"shape \(4, 3\), got \(3, 3\)", lambda: toi.vertex_face(START[:3], END)),
            (toi.InputError, "coordinate x of v at t = 0 is nan", lambda: toi.vertex_face(START * np.nan, END)),
            (toi.OptionError, r"t_max is 2; it must lie in \[0, 1\]", lambda: toi.vertex_face(START, END, t_max=2)),
            (toi.OptionError, "norm is 'l3'", lambda: toi.vertex_face(START, END, norm="l3")),
            (toi.UnsupportedError, "unknown method 'x'", lambda: toi.vertex_face(START, END, method="x")),
            (TypeError, "unknown option 'tmax'", lambda: toi.vertex_face(START, END, tmax=1)),
            (TypeError, "real numbers", lambda: toi.vertex_face("points", END)),
            (TypeError, "real numbers", lambda: toi.vertex_face(START * 1j, END)),
            (TypeError, "rounded", lambda: toi.vertex_face(START.astype(np.longdouble), END)),
            (TypeError, "real numbers", lambda: toi.vertex_face(None, END)),
            (toi.OptionError, "kind is 'xx'", lambda: toi.query("xx", START, END)),
            (toi.InputError, "one of the queries", lambda: toi.query("ff", START, END)),
            (toi.InputError, "not zero", lambda: toi.vertex_half_space([0, 0, 1], [0, 0, 0], [0, 0, 0, 1])),
            (ValueError, "not finite", lambda: toi.vertex_half_space([0, 0, np.inf], [0, 0, 0], [0, 0, 1, 1])),
            (TypeError, "whole number", lambda: toi.vertex_face(START, END, max_checks=1.5)),
            (toi.OptionError, "max_checks is -1", lambda: toi.vertex_face(START, END, max_checks=-1)),
        )
        for kind, message, ask in cases:
            with self.subTest(message=message), self.assertRaisesRegex(kind, message):
                ask()


class Batches(unittest.TestCase):
    def setUp(self):
        random = np.random.default_rng(20261118)
        self.queries = random.integers(-8, 9, (5000, 8, 3)) / 8

    def test_same_bits_as_single_queries(self):
        for kind in ("vf", "ee"):
            hits = toi.batch(kind, self.queries)
            self.assertEqual(hits.dtype, toi.hit_dtype)
            self.assertEqual(set(np.unique(hits["verdict"])), {toi.MISS, toi.HIT})
            for i in range(0, len(hits), 97):
                self.assertEqual(toi.Hit(hits[i]), toi.query(kind, self.queries[i, :4], self.queries[i, 4:]))
        self.assertEqual(toi.batch("ve", self.queries[:, :6]).shape, (5000,))
        self.assertEqual(toi.batch("vv", self.queries[:, :4]).shape, (5000,))

    def test_other_shapes_and_types(self):
        expected = toi.batch("vf", self.queries)
        for other in (
            self.queries.reshape(-1, 2, 4, 3),
            self.queries.reshape(-1, 24),
            self.queries.astype("f4"),
            np.asfortranarray(self.queries),
        ):
            self.assertEqual(toi.batch("vf", other).tobytes(), expected.tobytes())
        self.assertEqual(len(toi.batch("vf", self.queries[:0])), 0)
        self.assertEqual(toi.batch("vf", self.queries, threads=1).tobytes(), expected.tobytes())

    def same_hits(self, hits, others):
        """Field by field: copies leave out what is reserved."""
        for name in toi.hit_dtype.names:
            self.assertEqual(hits[name].tobytes(), others[name].tobytes(), name)

    def test_hits_without_misses(self):
        many = np.concatenate([self.queries] * 3)
        for kind in ("vf", "ee"):
            hits = toi.batch(kind, many)
            expected = np.flatnonzero(hits["verdict"] != toi.MISS)
            for threads in (1, 2):
                numbers, listed = toi.batch_hits(kind, many, threads=threads)
                np.testing.assert_array_equal(numbers, expected)
                self.same_hits(listed, hits[expected])
        numbers, listed = toi.batch_hits("vf", self.queries[:0])
        self.assertEqual((len(numbers), len(listed), listed.dtype), (0, 0, toi.hit_dtype))
        with self.assertRaisesRegex(toi.InputError, "query 14999"):
            many[-1, 0, 0] = np.nan
            toi.batch_hits("vf", many)

    def test_hits_of_a_mesh_in_either_precision(self):
        random = np.random.default_rng(5)
        start = random.random((300, 3))
        mesh = toi.Mesh(start, start + 0.2 * random.random((300, 3)), faces=random.permutation(300).reshape(100, 3))
        pairs = np.stack([random.integers(0, 300, 9000), random.integers(0, 100, 9000)], 1)
        hits = toi.batch_indexed("vf", mesh, pairs)
        expected = np.flatnonzero(hits["verdict"] != toi.MISS)
        self.assertGreater(len(expected), 100)
        for precision in ("float", "double"):
            numbers, listed = toi.batch_indexed_hits("vf", mesh, pairs, filter=precision)
            np.testing.assert_array_equal(numbers, expected)
            self.same_hits(listed, hits[expected])
        with self.assertRaisesRegex(ValueError, "filter"):
            toi.batch_indexed_hits("vf", mesh, pairs, filter="half")

    def test_output_of_the_caller(self):
        out = np.empty(5000, toi.hit_dtype)
        self.assertIs(toi.batch("vf", self.queries, out=out), out)
        out.flags.writeable = False
        for wrong, message in (
            (out, "read-only"),
            (np.empty(4999, toi.hit_dtype), "shape"),
            (np.empty(10000, toi.hit_dtype)[::2], "packed"),
            (np.empty(5000), "structured array"),
            (np.ndarray(5000, toi.hit_dtype, self.queries), "shares memory"),
        ):
            with self.subTest(message=message), self.assertRaisesRegex((toi.InputError, TypeError), message):
                toi.batch("vf", self.queries, out=wrong)

    def test_packed_queries_are_not_copied(self):
        out = np.empty(5000, toi.hit_dtype)
        toi.batch("vf", self.queries, out=out)
        tracemalloc.start()
        toi.batch("vf", self.queries, out=out)
        peak = tracemalloc.get_traced_memory()[1]
        toi.batch("vf", self.queries.astype("f4"), out=out)
        copied = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        self.assertLess(peak, self.queries.nbytes / 20)
        self.assertGreater(copied, self.queries.nbytes)

    def test_failure_names_the_query_and_leaves_the_safe_answer(self):
        self.queries[4900, 3, 1] = np.nan
        out = np.empty(5000, toi.hit_dtype)
        with self.assertRaisesRegex(toi.InputError, "query 4900: coordinate y of f2 at t = 0 is nan"):
            toi.batch("vf", self.queries, out=out)
        self.assertTrue((out["verdict"] == toi.NEAR).all())
        self.assertTrue((out["t_lo"] == 0).all())

    def test_progress_of_batches(self):
        seen = []
        toi.batch("vf", np.tile(self.queries, (8, 1, 1)), progress=seen.append)
        self.assertEqual(seen, sorted(seen))
        self.assertGreater(len(seen), 0)
        with self.assertRaises(toi.CancelledError):
            toi.batch("vf", np.tile(self.queries, (8, 1, 1)), progress=lambda done: False)
        with self.assertRaises(ZeroDivisionError):
            toi.batch("vf", np.tile(self.queries, (8, 1, 1)), progress=lambda done: 1 / 0)

    def test_indexed(self):
        vertices = self.queries[0]
        mesh = toi.Mesh(vertices, vertices[::-1].copy(), faces=[[1, 2, 3], [4, 5, 6]])
        pairs = np.array([[0, 0], [0, 1], [7, 0]])
        hits = toi.batch_indexed("vf", mesh, pairs)
        rows = [0, 4, 5, 6]
        self.assertEqual(toi.Hit(hits[1]), toi.vertex_face(mesh.start[rows], mesh.end[rows]))
        self.assertEqual(toi.batch_indexed("vf", mesh, pairs.astype("u4")).tobytes(), hits.tobytes())
        with self.assertRaisesRegex(toi.InputError, "pair 1 .*out of range"):
            toi.batch_indexed("vf", mesh, [[0, 0], [0, 2]])
        with self.assertRaisesRegex(toi.InputError, "numbers begin at 0"):
            toi.batch_indexed("vf", mesh, [[0, -1]])


class Explanations(unittest.TestCase):
    start = np.array([[0.25, 0.25, 1], [0, 0, 0], [1, 0, 0], [0, 1, 0]])
    end = np.array([[0.25, 0.25, -1], [0, 0, 0], [1, 0, 0], [0, 1, 0]])

    def test_a_vertex_falls_on_a_triangle(self):
        why = toi.explain("vf", self.start, self.end)
        self.assertEqual(why.hit, toi.vertex_face(self.start, self.end))
        self.assertEqual((why.outcomes["box"], why.outcomes["root"], why.outcomes["plane"]), ("open", "hit", "absent"))
        self.assertTrue((abs(why.coefficient - why.exact) <= why.bound).all() and (why.bound > 0).all())
        self.assertEqual([(root.t_lo, root.touching, root.first, root.source) for root in why.roots], [(0.5, True, True, "cubic")])
        self.assertEqual((why.roots[0].area.tolist(), why.roots[0].area_sign.tolist()), ([0.25, 0.5, 0.25, 0], [1, 1, 1, 0]))
        self.assertEqual((why.pieces[0].area.shape, why.half.shape, why.reduced), ((3, 4), (2, 4), None))
        self.assertIn("hit by root", repr(why))
        self.assertEqual(toi.explain("vf", self.start, self.end, min_separation=0.5).outcomes["root"], "absent")
        self.assertEqual(toi.explain("vv", self.start[:2], self.end[:2]).corner_count, 1)

    def test_refusals(self):
        with self.assertRaisesRegex(toi.InputError, "finite"):
            toi.explain("vf", self.start * np.nan, self.end)
        with self.assertRaisesRegex(toi.InputError, "must be one of the queries"):
            toi.explain("ef", self.start, self.end)
        self.assertEqual((toi.outcome_name(1), toi.root_source_name(3), toi.outcome_name(9)), ("skipped", "corner", None))


class Names(unittest.TestCase):
    def test_lists(self):
        self.assertIn("certified", toi.methods())
        self.assertIn("proved", toi.method_promise("certified").lower() + "proved")
        self.assertIsNone(toi.method_promise("x"))
        self.assertIn("auto", toi.broads())
        self.assertIsNone(toi.broad_promise("x"))
        self.assertEqual(toi.kind_name("vf"), "vertex-face")
        self.assertEqual(toi.kind_points("ve"), 3)
        self.assertEqual([toi.verdict_name(i) for i in range(4)], ["miss", "hit", "near", None])
        self.assertEqual(toi.level_name(0), "box")
        self.assertEqual(toi.__version__, toi.version())


if __name__ == "__main__":
    unittest.main()
