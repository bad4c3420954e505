# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the libtoi authors
"""Patches, models, formulas, motions, shapes and contact: answers that are known, and what goes wrong."""

import gc
import json
import math
import pickle
import tempfile
import threading
import unittest
import weakref
from pathlib import Path

import numpy as np

import toi

SQUARE = np.array([[[0.0, 0, 0], [0, 1, 0]], [[1, 0, 0], [1, 1, 0]]])


def above(height=1.0, speed=-2.0):
    """The square again, above itself and falling."""
    return toi.Patch(SQUARE + [0, 0, height], np.broadcast_to([0.0, 0, speed], SQUARE.shape))


class Patches(unittest.TestCase):
    def test_a_square_falls_on_another(self):
        hit = toi.patch_pair(toi.Patch(SQUARE), above())
        self.assertEqual(hit.verdict, "hit")
        self.assertTrue(hit.t_lo <= 0.5 <= hit.t_hi and hit.t_safe < 0.5)
        self.assertLess(hit.t_hi - hit.t_lo, 1e-8)
        self.assertIn("verdict='hit'", repr(hit))
        self.assertEqual(pickle.loads(pickle.dumps(hit)), hit)

    def test_separation_and_time(self):
        ball = toi.Model.sphere(1)
        hit = toi.model_pair(ball, ball.moved((4, 0, 0), (-2, 0, 0)), min_separation=1)
        self.assertAlmostEqual(hit.t_hi, 0.5, 6)
        self.assertEqual(toi.patch_pair(toi.Patch(SQUARE), above(), t_max=0.25).verdict, "miss")

    def test_forms_of_points(self):
        flat = toi.Patch(SQUARE.reshape(4, 3), degree=(1, 1))
        self.assertEqual(flat.degree, (1, 1))
        self.assertIs(toi.Patch(SQUARE).points, SQUARE)
        triangle = toi.Patch([[0, 0, 0], [1, 0, 0], [0, 1, 0]], shape="triangle", weights=[1, 1, 2])
        self.assertEqual((triangle.degree, triangle.shape), (1, "triangle"))
        self.assertEqual(repr(triangle), "Patch(rational triangle of degree 1)")
        self.assertEqual(toi.patch_points("triangle", 3), 10)
        self.assertEqual(toi.patch_points("quad", (2, 3)), 12)
        fortran = toi.Patch(np.asfortranarray(SQUARE).astype(np.float32))
        np.testing.assert_array_equal(fortran.point(0.5, 0.25).point, [0.5, 0.25, 0])
        np.testing.assert_array_equal(fortran.point(0.5, 0.25).normal, [0, 0, 1])

    def test_refusals(self):
        for arguments, keywords in (
            ((SQUARE.reshape(4, 3),), {}),
            ((SQUARE.reshape(4, 3),), {"degree": (2, 1)}),
            ((np.zeros((0, 2, 3)),), {}),
            ((np.zeros((4, 3)),), {"shape": "triangle"}),
            ((SQUARE, np.zeros((2, 3))), {}),
            ((SQUARE,), {"shape": "ring"}),
            ((SQUARE,), {"weights": [1, 2]}),
            ((np.zeros((11, 2, 3)),), {}),
        ):
            with self.subTest(keywords=keywords), self.assertRaises(toi.InputError):
                toi.Patch(*arguments, **keywords)
        with self.assertRaisesRegex(toi.InputError, "must be finite"):
            toi.patch_pair(toi.Patch(SQUARE * np.nan), above())
        with self.assertRaisesRegex(TypeError, "expected a toi.Patch"):
            toi.patch_pair(SQUARE, above())
        with self.assertRaisesRegex(TypeError, "unknown option"):
            toi.patch_pair(above(), above(), colour=1)
        with self.assertRaises(toi.OptionError):
            toi.patch_pair(above(), above(), tolerance=-1)
        with self.assertRaises(toi.OptionError):
            toi.patch_pair(above(), above(), method="no such method")

    def test_batches_are_single_calls(self):
        cases = [(toi.Patch(SQUARE), above(height), 1.0) for height in (0.5, 1.0, 3.0)]
        hits = toi.patch_batch(cases)
        self.assertEqual(hits.dtype, toi.surface_hit_dtype)
        for one, case in zip(toi.SurfaceHits(hits), cases):
            self.assertEqual(one, toi.patch_pair(*case[:2]))
        self.assertEqual([toi.verdict_name(v) for v in hits["verdict"]], ["hit", "hit", "miss"])
        self.assertEqual(len(toi.patch_batch([])), 0)
        with self.assertRaisesRegex(toi.InputError, "read-only"):
            hits.flags.writeable = False
            toi.patch_batch(cases, out=hits)

    def test_files(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "cases.jsonl"
            toi.cases_write(path, [toi.PatchCase(toi.Patch(SQUARE / 3), above(), 0.75)])
            (case,) = toi.cases_read(path)
            np.testing.assert_array_equal(case.a.points, SQUARE / 3)
            np.testing.assert_array_equal(case.b.velocities, above().velocities)
            self.assertEqual(case.t_max, 0.75)
            with self.assertRaises(toi.FileError):
                toi.cases_read(Path(folder) / "none.jsonl")
            path.write_text('{"a": 1}\n')
            with self.assertRaisesRegex(toi.FormatError, "cases.jsonl:1"):
                toi.cases_read(path)

    def test_words(self):
        self.assertIn("time-inclusion", toi.surface_methods())
        self.assertIn(".", toi.surface_method_promise("time-inclusion"))
        self.assertIsNone(toi.surface_method_promise("no such method"))
        self.assertEqual(toi.surface_end_name(0), "refuted")
        self.assertIsNone(toi.surface_end_name(99))


class Models(unittest.TestCase):
    def test_balls(self):
        ball = toi.Model.sphere(1)
        self.assertEqual((len(ball), repr(ball), len(list(ball))), (8, "Model(8 patches)", 8))
        hit = toi.model_pair(ball, ball.moved((3, 0, 0), (-2, 0, 0)))
        self.assertTrue(hit.verdict == "hit" and hit.t_lo <= 0.5 + 1e-12 and hit.t_hi >= 0.5 - 1e-12)
        spins = toi.Motion().spin((0, 0, 1), (0, 3, 0))
        turned = toi.rigid_pair(ball, ball.moved((0, 3, 0)), None, spins)
        self.assertEqual(turned.verdict, "miss")
        self.assertEqual(toi.model_pair("teapot", ball, options=toi.SurfaceOptions(t_max=0)).verdict, "hit")

    def test_self_contact_and_all_contacts(self):
        self.assertEqual(toi.model_pair(toi.Model([toi.Patch(SQUARE), above()])).verdict, "hit")
        self.assertEqual(toi.model_pair(toi.Model.sphere(1)).verdict, "miss")
        ring = toi.Model.torus(2, 0.5)
        first, contacts = toi.model_contacts(ring, ring.moved((0, 0, 2), (0, 0, -2)), simultaneity=1e-3, spacing=1)
        self.assertEqual(first.verdict, "hit")
        self.assertGreater(len(contacts), 5)
        np.testing.assert_allclose(np.linalg.norm(contacts["point"][:, :2], axis=1), 2, atol=0.05)
        seen = []
        toi.model_contacts(ring, ring.moved((0, 0, 2), (0, 0, -2)), simultaneity=1e-3, spacing=1, visit=seen.append)
        self.assertEqual(seen, list(contacts))

    def test_visitors_that_raise_and_stop(self):
        ring = toi.Model.torus(2, 0.5)
        seen = []

        def raises(contact):
            seen.append(contact)
            raise KeyError("enough")

        falling = ring.moved((0, 0, 2), (0, 0, -2))
        with self.assertRaisesRegex(KeyError, "enough"):
            toi.model_contacts(ring, falling, simultaneity=1e-3, spacing=1, visit=raises)
        self.assertEqual(len(seen), 1)
        first, _none = toi.model_contacts(ring, falling, spacing=1, visit=lambda contact: False)
        self.assertEqual(first.verdict, "hit")
        with self.assertRaises(ZeroDivisionError):
            toi.model_contacts(ring, falling, simultaneity=1e-3, spacing=0.05, progress=lambda done: 1 / 0)

    def test_nurbs_and_hermite(self):
        knots = [0, 0, 0, 1, 2, 2, 2]
        net = np.zeros((4, 4, 3))
        net[..., 0], net[..., 1] = np.meshgrid(np.arange(4.0), np.arange(4.0), indexing="ij")
        model = toi.Model.from_nurbs(2, (knots, knots), net)
        self.assertEqual(len(model), 4)
        np.testing.assert_array_equal(model.domains[3], [1, 2, 1, 2])
        wrapped = toi.Model.from_nurbs((2, 1), ([0, 1, 2, 3, 4], [0, 0, 1, 1]), net[:, :2], periodic=(True, False))
        self.assertEqual(len(wrapped), 4)
        corners = np.zeros((4, 4, 3))
        corners[:, 0, :2] = [[0, 0], [0, 1], [1, 0], [1, 1]]
        corners[:, 1, 0] = corners[:, 2, 1] = 1
        np.testing.assert_allclose(
            toi.Model.from_hermite(corners)[0].point(0.25, 0.5).point, [0.25, 0.5, 0], atol=1e-15
        )
        with self.assertRaises(toi.InputError):
            toi.Model.from_nurbs(2, (knots, knots[:-1]), net)
        with self.assertRaises(toi.InputError):
            toi.Model.from_nurbs(2, knots, net)

    def test_files_and_names(self):
        self.assertEqual(len(toi.Model.named("teapot")), 32)
        self.assertIn("torus", toi.model_names())
        with tempfile.TemporaryDirectory() as folder:
            toi.Model.cylinder(1, 2).write(Path(folder) / "tube.json")
            again = toi.Model.read(Path(folder) / "tube.json")
            np.testing.assert_array_equal(again[1].weights, toi.Model.cylinder(1, 2)[1].weights)
            with self.assertRaises(toi.FileError):
                toi.Model.read(folder + "/none.json")
        for bad in (0, -1, math.nan, math.inf):
            with self.assertRaises(toi.InputError):
                toi.Model.sphere(bad)
        with self.assertRaises(IndexError):
            again[len(again)]
        with self.assertRaises(toi.InputError):
            toi.model_pair(toi.Model([]), again)

    def test_patches_outlive_what_made_them(self):
        patch = toi.Model.teapot()[31]
        points = patch.points.copy()
        gc.collect()
        np.testing.assert_array_equal(patch.points, points)
        context = toi.Context(1)
        model = toi.Model.teapot(context=context)
        context.close()
        del context
        gc.collect()
        self.assertEqual(toi.model_pair(model, model, t_max=0).verdict, "hit")


class Formulas(unittest.TestCase):
    def test_bounds_enclose(self):
        f = toi.Formula("u", "v")
        u, v = f.variable("u"), f.variable(1)
        term = (2 + 0.5 * v.cos()) * u.cos() / (1 + u**2)
        self.assertEqual(term, f.parse("(2 + 0.5*cos(v))*cos(u)/(1 + u^2)"))
        jet, defined = term.bounds([(0, 0.5), (1, 2)], order=2)
        self.assertTrue(defined)
        self.assertEqual(jet.shape, (6, 2))
        for x, y in np.random.default_rng(1).uniform((0, 1), (0.5, 2), (50, 2)):
            value = (2 + 0.5 * math.cos(y)) * math.cos(x) / (1 + x * x)
            slope = -0.5 * math.sin(y) * math.cos(x) / (1 + x * x)
            self.assertTrue(jet[0, 0] <= value <= jet[0, 1] and jet[2, 0] <= slope <= jet[2, 1])
        point = term.bounds([0.25, 1.5]).jet[0]
        self.assertLess(point[1] - point[0], 1e-14)

    def test_text_and_names(self):
        f = toi.Formula("t")
        f.name("r", f.parse("1 + t"))
        jet, _ = f.parse("r^2 - pi").bounds([(1, 1)], 1)
        self.assertTrue(jet[0, 0] <= 4 - math.pi <= jet[0, 1] and jet[1, 0] <= 4 <= jet[1, 1])
        tenth = f.parse("0.1").bounds([0]).jet[0]
        self.assertLess(tenth[0], tenth[1])
        self.assertFalse(f.parse("sqrt(t)").bounds([(-1, 1)]).defined)

    def test_a_failure_leaves_the_formula_as_it_was(self):
        f = toi.Formula("t")
        for wrong, column in (("1 +", 4), ("t + (2", 7), ("t + w", 5)):
            with self.assertRaisesRegex(toi.InputError, f"column {column}"):
                f.parse(wrong)
        with self.assertRaisesRegex(toi.InputError, "already in use"):
            f.name("t", f.constant(1))
        f.name("q", f.constant(1))
        with self.assertRaisesRegex(toi.InputError, "already in use"):
            f.name("q", f.constant(2))
        for make in (
            lambda: f.constant(math.nan),
            lambda: f.enclosed((2, 1)),
            lambda: f.variable("s"),
            lambda: f.variable(1),
            lambda: f.apply("sin", 1, 2),
            lambda: f.apply("twist", 1),
            lambda: f.apply("add", 1),
            lambda: f.apply(99, 1),
            lambda: f.constant(1).bounds([]),
            lambda: f.constant(1).bounds([(1, 0)]),
            lambda: f.constant(1).bounds([0], 3),
            lambda: f.series(f.variable(0), (0, 1), []),
            lambda: f.constant(1) + toi.Formula("t").constant(1),
        ):
            with self.assertRaises(toi.InputError):
                make()
        self.assertEqual(f.parse("t + q").bounds([1]).jet[0].tolist(), [2, 2])
        with self.assertRaises(toi.InputError):
            toi.Formula("a", "b", "c", "d", "e")
        with self.assertRaises(TypeError):
            toi.Formula(1)

    def test_series(self):
        f = toi.Formula("t")
        series = f.series(f.variable(0), (0, 2), [1, 2, 3], error=(0.5, 0, 0))
        jet = series.bounds([2]).jet
        self.assertTrue(jet[0, 0] <= 5.5 and jet[0, 1] >= 6.5)
        self.assertEqual(toi.operator_name(0), "-")
        self.assertIsNone(toi.operator_name(99))


class Motions(unittest.TestCase):
    def check(self, motion, t, translation, rotation=None):
        pose = motion.at(t)
        for array, expected in ((pose.translation, translation), (pose.rotation, rotation)):
            if expected is not None:
                expected = np.asarray(expected, float)
                self.assertTrue((array[..., 0] <= expected + 1e-12).all() and (array[..., 1] >= expected - 1e-12).all())
                self.assertLess((array[..., 1] - array[..., 0]).max(), 1e-9)

    def test_steps(self):
        quarter = [[0, -1, 0], [1, 0, 0], [0, 0, 1]]
        z = (0, 0, 1)
        self.check(toi.Motion(), 1, (0, 0, 0), np.eye(3))
        self.check(toi.Motion().move((4, 0, 0), (-1, 0, 0)), 0.5, (3.5, 0, 0), np.eye(3))
        self.check(toi.Motion().turn(z, rate=math.pi).move((1, 2, 3)), 0.5, (1, 2, 3), quarter)
        self.check(toi.Motion().turn(z, angle=math.pi / 2, through=(1, 0, 0)), 0, (1, -1, 0), quarter)
        self.check(toi.Motion().turn(z, "pi*t"), 0.5, (0, 0, 0), quarter)
        self.check(toi.Motion().screw(z, rate=math.pi, speed=2), 0.5, (0, 0, 1), quarter)
        self.check(toi.Motion().formula(("1", "0", "0", "t"), ("t", "t^2", "1")), 1, (1, 1, 1), quarter)
        f = toi.Formula("t")
        self.check(toi.Motion().terms(f, translation=("t", 2 * f.variable(0), 1)), 1, (1, 2, 1), np.eye(3))
        self.check(toi.Motion().turn(z, f.parse("pi*t")), 0.5, (0, 0, 0), quarter)

    def test_series(self):
        flat = [[1, 1], [2, 0], [0, 0]]
        self.check(toi.Motion().chebyshev((0, 1), translation=flat), 1, (2, 2, 0))
        times = [toi.chebyshev_node(0, 1, i, 4) for i in range(4)]
        samples = [times, np.square(times), np.zeros(4)]
        self.check(toi.Motion().fitted((0, 1), translation=samples), 0.3, (0.3, 0.09, 0))
        wider = toi.Motion().fitted((0, 1), translation=samples, derivative_bound=0.1).at(0.3).translation
        self.assertGreater(wider[0, 1] - wider[0, 0], 1e-6)
        self.assertTrue(math.isnan(toi.chebyshev_node(0, 1, 4, 4)))
        with self.assertRaises(toi.InputError):
            toi.Motion().chebyshev((0, 1), translation=flat).at(2)

    def test_refusals(self):
        motion = toi.Motion()
        for make in (
            lambda: motion.move((math.nan, 0, 0)),
            lambda: motion.turn((0, 0, 0)),
            lambda: motion.turn((1, 0)),
            lambda: motion.formula(("1", "0", "0")),
            lambda: motion.formula(translation=("t", "q", "0")),
            lambda: motion.terms(toi.Formula("t", "s"), translation=("t", "t", "t")),
            lambda: motion.at((1, 0)),
            lambda: motion.at(math.inf),
            lambda: motion.chebyshev((0, 1), translation=[[], [], []]),
            lambda: motion.chebyshev((0, 1), np.ones((4, 2)), np.ones((3, 3))),
        ):
            with self.assertRaises(toi.InputError):
                make()
        self.check(motion, 0.5, (0, 0, 0), np.eye(3))
        self.assertEqual(repr(motion), "Motion(rest)")


def enclosed_ball(box, order):
    """x^2 + y^2 + z^2 - 1 over a box, with bounds that are a little wider than they need be."""
    lo, hi = box[:3, 0], box[:3, 1]
    most = np.maximum(lo * lo, hi * hi)
    least = np.where((lo <= 0) & (hi >= 0), 0, np.minimum(lo * lo, hi * hi))
    jet = [[least.sum() - 1 - 1e-9, most.sum() - 1 + 1e-9]]
    if order >= 1:
        jet += [*np.stack([2 * lo - 1e-12, 2 * hi + 1e-12], -1).tolist(), [0, 0]]
    if order >= 2:
        jet += [[2, 2] if i == j < 3 else [0, 0] for i in range(4) for j in range(i, 4)]
    return np.array(jet)


class Shapes(unittest.TestCase):
    def test_kinds(self):
        kinds = toi.shape_kinds()
        self.assertEqual((kinds["sphere"], kinds["superquadric"]), (1, 5))
        sphere = toi.Shape.library("sphere", 2, form="parametric")
        self.assertEqual(repr(sphere), "Shape(sphere, parametric, solid)")
        self.assertAlmostEqual(float(np.linalg.norm(sphere.point(0.3, 0.4).point)), 2)
        ball = toi.Shape.library("sphere", 2)
        self.assertTrue(ball.extent.implicit and ball.extent.solid)
        self.assertLess(ball.value((0, 0, 0)).value, 0)
        np.testing.assert_allclose(ball.value((0, 2, 0)).normal, [0, 1, 0], atol=1e-12)
        self.assertEqual(
            toi.Shape.library("plane", 1, 2, form="parametric").extent.edges, ("u-lo", "u-hi", "v-lo", "v-hi")
        )
        with self.assertRaisesRegex(toi.InputError, "operands.1..shape is not implicit"):
            toi.Shape.boolean("union", [ball, sphere])
        hollow = toi.Shape.boolean("difference", [ball, (toi.Shape.library("sphere", 1), toi.Motion().move((1, 0, 0)))])
        self.assertEqual(hollow.value((1, 0, 0)).value, 1)
        self.assertEqual(hollow.value((-1, 0, 0)).value, -3)
        self.assertTrue(hollow.extent.solid)

        teapot = toi.Shape.patches("teapot")
        self.assertEqual(len(teapot), 32)
        corner = toi.Model.teapot()[3].point(0, 0).point
        np.testing.assert_allclose(teapot.piece(3).point(0, 0).point, corner, atol=1e-12)

    def test_formulas(self):
        tube = toi.Shape.parametric(
            "r*cos(u)", "v", "r*sin(u)", u=(0, 2 * math.pi), v=(-1, 1), let={"r": "0.3 + 0.05*t*cos(3*v)"}
        )
        np.testing.assert_allclose(tube.point(0, 0, 1).point, [0.35, 0, 0])
        f = toi.Formula("x", "y", "z", "t")
        x, y, z = (f.variable(name) for name in "xyz")
        cube = toi.Shape.implicit(x**4 + y**4 + z**4 - 1, [(-1, 1)] * 3, solid=True)
        self.assertEqual(cube.value((1, 0, 0)).value, 0)
        gable = toi.Shape.prism([(0, 0), (2, 0), (1, 1)], 3)
        self.assertEqual(len(gable), 5)
        self.assertTrue(gable.piece(4).holds(1, 0.5) and not gable.piece(4).holds(0.1, 0.9))
        with self.assertRaises(toi.InputError):
            toi.Shape.prism([(0, 0), (1, 1), (1, 0), (0, 1)], 1)
        self.assertEqual(len(toi.Shape.turned([(1, 0), (1, 2), (0, 3)])), 3)
        sides = [
            toi.Shape.parametric(*at, (0, 1), (0, 1), triangle=True)
            for at in (("v", "u", "0"), ("u", "0", "v"), ("0", "v", "u"), ("u", "v", "1 - u - v"))
        ]
        corner = toi.Shape.faces(sides)
        self.assertEqual(len(corner), 4)
        self.assertEqual(toi.contact_inside(toi.Body(corner), (0.1, 0.1, 0.1)), "yes")
        with self.assertRaisesRegex(toi.InputError, "meets no other edge"):
            toi.Shape.faces(sides[:3])
        vase = toi.Shape.revolution("1 + 0.2*sin(v)", "v", (0, 3))
        self.assertEqual(vase.extent.edges, ("v-lo", "v-hi"))
        field = toi.Shape.height_field("u*v + t", (0, 1), (0, 1))
        np.testing.assert_allclose(field.point(0.5, 0.5, 1).point, [0.5, 0.5, 1.25])

    def test_refusals(self):
        for make in (
            lambda: toi.Shape.library("sphere"),
            lambda: toi.Shape.library("sphere", -1),
            lambda: toi.Shape.library("egg", 1),
            lambda: toi.Shape.implicit("x +"),
            lambda: toi.Shape.height_field("u", (0, math.inf), (0, 1)),
            lambda: toi.Shape.height_field("u", (1, 0), (0, 1)),
            lambda: toi.Shape.parametric("u", "v", "0", (0, 1), (0, 1), edges=("w",)),
            lambda: toi.Shape.own(enclosed_ball, u=(0, 1)),
            lambda: toi.Shape.library("sphere", 1).point(0, 0),
            lambda: toi.Shape.library("torus", 2, 1).value((0, 0, 0)),
            lambda: toi.Shape.library("torus", 2, 1).point(7, 0),
        ):
            with self.assertRaises((toi.InputError, toi.OptionError)):
                make()
        with self.assertRaises(toi.UnsupportedError):
            toi.Shape.library("cone", 1, 2, form="implicit")
        with self.assertRaises(IndexError):
            toi.Shape.library("sphere", 1).piece(1)
        with self.assertRaises(TypeError):
            toi.Shape()

    def test_a_function_of_ones_own(self):
        own = toi.Shape.own(enclosed_ball, bounds=[(-2, 2)] * 3, solid=True)
        ball = toi.Shape.library("sphere", 0.5)
        falls = toi.Motion().move((0, 0, 3), (0, 0, -3))
        answer = toi.contact([own, (ball, falls)], tolerance=1e-4)
        self.assertTrue(answer.verdict in ("hit", "near") and answer.t_lo <= 0.5 <= answer.t_hi + 1e-3)

    def test_a_function_that_raises_gives_up_or_breaks_its_contract(self):
        ball, falls = toi.Shape.library("sphere", 0.5), toi.Motion().move((0, 0, 3), (0, 0, -3))

        def raises(box, order):
            raise KeyError("no more")

        for function, error, words in (
            (raises, KeyError, "no more"),
            (lambda box, order: None, toi.CallbackError, "gave up"),
            (lambda box, order: enclosed_ball(box, order) * np.nan, toi.CallbackError, "not an interval"),
            (lambda box, order: np.zeros((2, 2)), toi.InputError, "expected an array of shape"),
            (lambda box, order: "bounds", TypeError, "real numbers"),
        ):
            with self.subTest(words=words), self.assertRaisesRegex(error, words):
                own = toi.Shape.own(function, bounds=[(-2, 2)] * 3, solid=True)
                toi.contact([own, (ball, falls)])
        again = toi.contact([toi.Shape.library("sphere", 1), (ball, falls)])
        self.assertEqual(again.verdict, "hit")

    def test_a_function_that_asks_about_its_own_shape(self):
        shapes = []

        def asks(box, order):
            return shapes[0].value((0, 0, 0)) if shapes else enclosed_ball(box, order)

        own = toi.Shape.own(asks, bounds=[(-2, 2)] * 3, solid=True)
        shapes.append(own)
        with self.assertRaises(toi.BusyError):
            toi.contact([own, (toi.Shape.library("sphere", 0.5), toi.Motion().move((0, 0, 3), (0, 0, -3)))])
        shapes.clear()

    def test_shapes_end_with_their_functions(self):
        class Ball:
            def __call__(self, box, order):
                return enclosed_ball(box, order)

        function = Ball()
        gone = weakref.ref(function)
        shape = toi.Shape.own(function, bounds=[(-2, 2)] * 3)
        function.shape = shape
        del function, shape
        gc.collect()
        self.assertIsNone(gone())


class Contact(unittest.TestCase):
    def setUp(self):
        self.target = toi.Body(toi.Shape.library("sphere", 1), name="target")
        self.ball = toi.Body(toi.Shape.library("sphere", 0.5), toi.Motion().move((4, 0, 0), (-5, 0, 0)), "ball")

    def test_two_balls(self):
        answer = toi.contact([self.target, self.ball])
        self.assertEqual(
            (answer.verdict, answer.t_lo, answer.end, answer.names), ("hit", 0.5, "done", ("target", "ball"))
        )
        (point,) = answer.contacts
        self.assertEqual((point.certificate, point.proved), ("unique", True))
        np.testing.assert_allclose(point.point, [1, 0, 0], atol=1e-9)
        self.assertEqual(toi.contact([self.target, self.ball], t_max=0.25).verdict, "miss")
        same = pickle.loads(pickle.dumps(answer))
        self.assertEqual((same, same.contacts[0], same.names), (answer, point, answer.names))

    def test_contacts_over_time(self):
        # In until the centres are 0.5 apart, and out again.
        found = toi.contact_intervals([self.target, self.ball], t_max=2)
        np.testing.assert_allclose(found["begin_lo"], [0.5, 0.9], atol=1e-12)
        np.testing.assert_allclose(found["end_hi"], [0.7, 1.1], atol=1e-12)
        self.assertTrue(found["proved"].all())
        rows = []
        toi.contact_intervals([self.target, self.ball], t_max=2, visit=rows.append)
        self.assertEqual([row.tobytes() for row in rows], [row.tobytes() for row in found])

    def test_tracked_contacts(self):
        # A block rests on a plane, slides, and meets a ball that is at rest.
        block, plane = toi.Shape.library("box", 1, 1, 0.5), toi.Shape.library("plane")
        rests = [(block, toi.Motion().move((0, 0, 0.25))), plane]
        tracks = toi.track_rest(rests, margin=0.1)
        self.assertEqual((len(tracks), tracks.dtype), (1, toi.track_dtype))
        answer = toi.track_step(rests, tracks)
        self.assertEqual((answer.verdict, answer.event, answer.t_safe), ("miss", "nothing", 1))
        slides = toi.Motion().move((0, 0, 0.25), (1, 0, 0))
        ball = (toi.Shape.library("sphere", 0.25), toi.Motion().move((1.25, 0, 0.3)))
        bodies = [(block, slides), plane, ball]
        answer = toi.track_step(bodies, tracks, t_max=2)
        self.assertEqual((answer.verdict, answer.event), ("hit", "contact"))
        self.assertAlmostEqual(answer.t_hi, 0.5, 12)
        self.assertEqual((answer.contacts[0].a, answer.contacts[0].b), (0, 2))
        self.assertEqual(toi.track_state_name(tracks["state"][0]), "holds")
        self.assertEqual((pickle.loads(pickle.dumps(answer)), toi.track_event_name(9)), (answer, None))
        seen = []
        again = toi.track_make(rests, toi.contact(rests, t_max=0).contacts, margin=0.1)
        toi.track_begin(rests, again)
        toi.track_step(bodies, again, t_max=2, visit=seen.append)
        self.assertEqual(len(seen), answer.contact_count)
        with self.assertRaisesRegex(toi.InputError, "no contact"):
            toi.track_begin([(block, toi.Motion().move((0, 0, 1))), plane], again)
        with self.assertRaises(TypeError):
            toi.track_step(bodies, [1, 2])

    def test_patches_meet_formulas(self):
        cone = toi.Shape.implicit("z + sqrt(x^2 + y^2 + 0.01)", [(-3, 3), (-3, 3), (-3.2, 1)])
        falls = toi.Motion().move((0, 0, 3), (0, 0, -4))
        answer = toi.contact([cone, (toi.Shape.patches(toi.Model.sphere(1)), falls)], spacing=1)
        self.assertEqual(answer.verdict, "hit")

    def test_scene_files(self):
        scene = {
            "title": "A ball hits a larger one",
            "bodies": [
                {"name": "target", "shape": {"sphere": {"radius": 1}}},
                {
                    "name": "ball",
                    "shape": {"sphere": {"radius": 0.5}},
                    "motion": [{"move": {"shift": [4, 0, 0], "velocity": [-5, 0, 0]}}],
                },
            ],
            "spacing": 0.25,
        }
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "scene.json"
            path.write_text(json.dumps(scene))
            answer = toi.contact(path)
            self.assertEqual((answer.verdict, answer.t_lo, answer.names), ("hit", 0.5, ("target", "ball")))
            read = toi.contact_scene_read(str(path))
            self.assertEqual((read.title, read.names, len(read)), (scene["title"], ("target", "ball"), 2))
            self.assertIn("spacing=0.25", repr(read.options))
            self.assertEqual(toi.contact(read, t_max=0.25).verdict, "miss")
            ball = read.bodies[1]
            del read
            gc.collect()
            self.assertEqual(ball.motion.at(0).translation[0].tolist(), [4, 4])
            self.assertEqual(toi.contact([self.target, ball]).verdict, "hit")
            with self.assertRaisesRegex(toi.InputError, "belongs to a scene"):
                ball.motion.move((1, 0, 0))
            with self.assertRaisesRegex(toi.InputError, "not made of patches"):
                toi.contact(path, min_separation=0.1)
            path.write_text("[1, 2")
            with self.assertRaises(toi.FormatError):
                toi.contact(path)
        with self.assertRaises(toi.FileError):
            toi.contact("no such scene.json")

    def test_separation_and_self_contact_of_scenes(self):
        ball = {"name": "ball", "shape": {"model": {"shape": "sphere", "radius": 1}}}
        other = {**ball, "name": "other", "motion": {"move": {"shift": [4, 0, 0], "velocity": [-2, 0, 0]}}}
        turning = {
            **other,
            "motion": [
                {"move": {"shift": [4, 0, 0]}},
                {"spin": {"rate": [0, 0, 1], "through": [4, 0, 0]}},
                {"move": {"velocity": [-2, 0, 0]}},
            ],
        }
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "scene.json"
            for second in (other, turning):
                path.write_text(json.dumps({"bodies": [ball, second], "min_separation": 1}))
                answer = toi.contact(path)
                self.assertTrue(answer.verdict == "hit" and abs(answer.t_hi - 0.5) < 1e-6 and len(answer.contacts) >= 1)
            seen = []
            self.assertIsNone(toi.contact(path, visit=seen.append).contacts)
            self.assertEqual(len(seen), 1)
            path.write_text(json.dumps({"bodies": [ball]}))
            self.assertEqual(toi.contact(path).verdict, "miss")

    def test_visitors(self):
        seen = []
        answer = toi.contact([self.target, self.ball], visit=seen.append)
        self.assertTrue(answer.contacts is None and answer.contact_count == 1 and len(seen) == 1)

        def drops(contact):
            self.target = self.ball = None
            gc.collect()
            raise KeyError("dropped")

        with self.assertRaisesRegex(KeyError, "dropped"):
            toi.contact([self.target, self.ball], visit=drops)

    def test_refusals(self):
        for make, error in (
            (lambda: toi.contact([1, 2]), TypeError),
            (lambda: toi.contact(None), TypeError),
            (lambda: toi.contact([self.target, self.ball], t_max=math.nan), toi.OptionError),
            (lambda: toi.contact([self.target, self.ball], order="random"), toi.OptionError),
            (lambda: toi.contact([self.target, self.ball], polish="yes"), TypeError),
            (lambda: toi.contact([self.target, self.ball], visit=3), TypeError),
            (lambda: toi.contact([self.target, self.ball], min_separation=1), toi.InputError),
            (lambda: toi.Body(1), TypeError),
            (lambda: toi.Body(self.target.shape, 1), TypeError),
        ):
            with self.assertRaises(error):
                make()
        pole = toi.Shape.parametric("u", "v", "1/u", (0, 1), (0, 1))
        with self.assertRaisesRegex(toi.InputError, r"bodies\[0\].*divides"):
            toi.contact([pole, self.ball])
        self.assertEqual(toi.contact([]).verdict, "miss")

    def test_two_threads_on_one_shape(self):
        entered, leave = threading.Event(), threading.Event()

        def waits(contact):
            entered.set()
            leave.wait(10)

        thread = threading.Thread(target=lambda: toi.contact([self.target, self.ball], visit=waits))
        thread.start()
        try:
            self.assertTrue(entered.wait(10))
            with self.assertRaises(toi.BusyError):
                toi.contact([self.target, self.ball])
            with self.assertRaises(toi.BusyError):
                self.ball.motion.move((1, 0, 0))
        finally:
            leave.set()
            thread.join()
        self.assertEqual(toi.contact([self.target, self.ball]).verdict, "hit")

    def test_one_context_for_all(self):
        with toi.Context(1) as context:
            ball = toi.Shape.library("sphere", 1, context=context)
            falls = toi.Motion(context=context).move((0, 0, 4), (0, 0, -4))
            self.assertEqual(toi.contact([ball, (ball, falls)], context=context).t_lo, 0.5)
        self.assertEqual(toi.contact([ball, (ball, falls)]).t_lo, 0.5)
        self.assertEqual(toi.contact_end_name(0), "done")
        self.assertEqual(toi.contact_certificate_name(1), "singular")


if __name__ == "__main__":
    unittest.main()
