# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the libtoi authors
"""Rigid bodies that turn: answers with closed forms, the same through every way to ask, and what is refused."""

import json
import math
import pickle
import tempfile
import unittest
from pathlib import Path

import numpy as np

import toi

ROOT = Path(__file__).resolve().parents[2]
SWEEPS = ROOT / "examples" / "sweep"
if not SWEEPS.is_dir():
    SWEEPS = ROOT / "python" / "libtoi" / "examples" / "sweep"

QUARTER = ((0, 0, 0), (1, 0, 0, 1))
WALL = np.array([[0.0, 0, -1], [2, 2, -1], [1, 1, 2]])
DOOR = np.array([[0.0, 0, 0], [1, 0, 0], [1, 0, 0.5]])
FACE = [[0, 1, 2]]
# The door's edge is in the plane of the wall when it has turned by 45 degrees: under nlerp at sqrt(2) - 1.
TIME = math.sqrt(2) - 1


class Pairs(unittest.TestCase):
    def setUp(self):
        self.pair = toi.MovingPair(toi.MovingBody(end=QUARTER), toi.MovingBody())
        self.points = np.array([[1.0, 0, 0], *WALL])

    def test_a_door_meets_a_wall(self):
        hit = self.pair.query("vf", self.points)
        self.assertEqual(hit.verdict, "hit")
        self.assertTrue(hit.t_lo <= TIME <= hit.t_hi and hit.t_hi - hit.t_lo <= 2.0**-48)
        np.testing.assert_allclose(hit.point, [0.5**0.5, 0.5**0.5, 0], atol=1e-15)
        self.assertEqual(self.pair.query("vf", self.points, t_max=0.25).verdict, "miss")

    def test_batches_are_single_calls(self):
        queries = np.stack([self.points, self.points + [0, 0, 9], self.points[[0, 1, 3, 2]]])
        hits = self.pair.batch("vf", queries)
        for query, hit in zip(queries, hits):
            self.assertEqual(toi.Hit(hit), self.pair.query("vf", query))
        meshes = toi.Mesh(self.points[:1]), toi.Mesh(WALL, faces=FACE)
        indexed = self.pair.batch_indexed("vf", *meshes, [[0, 0], [0, 0]])
        self.assertEqual([toi.Hit(hit) for hit in indexed], [toi.Hit(hits[0])] * 2)
        self.assertEqual(len(self.pair.batch("ee", np.empty((0, 4, 3)))), 0)

    def test_forms_of_motions(self):
        start, end = np.array([0, 0, 0, 1, 0, 0, 0]), np.array([0, 0, 0, 1, 0, 0, 1])
        for body in ((start, end), np.stack([start, end]).astype(float), toi.MovingBody(start, end)):
            other = toi.MovingPair(body, toi.MovingBody.at_rest(), threads=1)
            self.assertEqual(other.query("vf", self.points), self.pair.query("vf", self.points))

    def test_bodies_follow_motions(self):
        # A link that rests one ahead of another that turns: its end at 1.5 meets the wall as the door does.
        link = (0.5, 0, 0, 1, 0, 0, 0)
        chain = toi.Motion().poses((link, link)).poses(toi.MovingBody(end=QUARTER))
        body = toi.MovingBody(motion=chain)
        hit = toi.MovingPair(body, toi.MovingBody()).query("vf", self.points)
        self.assertEqual(hit.verdict, "hit")
        self.assertTrue(abs(hit.t_lo - TIME) < 1e-15 and hit.t_hi - hit.t_lo <= 2.0**-44)
        np.testing.assert_allclose(body.at(1), [0, 0.5, 0, 0.5**0.5, 0, 0, 0.5**0.5], atol=1e-15)
        with self.assertRaisesRegex(toi.InputError, "cannot be changed"):
            chain.move((1, 0, 0))
        # Half a turn in ten seconds of the motion's own.
        turns = toi.MovingBody(motion=toi.Motion().turn((0, 0, 1), rate=math.pi / 10), times=(0, 10))
        hit = toi.MovingPair(turns, toi.MovingBody()).query("vf", self.points)
        self.assertTrue(hit.verdict == "hit" and abs(hit.t_lo - 0.25) < 1e-14)
        with self.assertRaisesRegex(toi.InputError, "two different"):
            toi.MovingPair(toi.MovingBody(motion=chain, times=(1, 1)), toi.MovingBody())
        with self.assertRaisesRegex(toi.InputError, "no motion"):
            toi.MovingBody(law="motion")
        with self.assertRaisesRegex(toi.InputError, "from 0 to 1"):
            body.at(2)

    def test_refusals(self):
        with self.assertRaisesRegex(toi.InputError, "quaternion"):
            toi.MovingPair(toi.MovingBody(end=((0, 0, 0), (0, 0, 0, 0))), toi.MovingBody())
        with self.assertRaises(toi.InputError):
            toi.MovingPair(toi.MovingBody(end=((0, math.nan, 0), (1, 0, 0, 0))), toi.MovingBody())
        with self.assertRaisesRegex(toi.InputError, "must be finite"):
            self.pair.query("vf", self.points * math.nan)
        with self.assertRaisesRegex(toi.InputError, r"shape \(4, 3\)"):
            self.pair.query("vf", self.points[:3])
        with self.assertRaisesRegex(toi.OptionError, "law is 'warp'"):
            toi.MovingBody(law="warp")
        with self.assertRaisesRegex(TypeError, "expected a toi.MovingBody"):
            toi.MovingPair(1, 2)
        with self.assertRaises(toi.UnsupportedError):
            self.pair.query("vf", self.points, method="cubic")


class Scenes(unittest.TestCase):
    def setUp(self):
        self.scene = toi.RigidScene(threads=2)
        self.assertEqual(self.scene.add(toi.Mesh(DOOR, faces=FACE)), 0)
        self.assertEqual(self.scene.add(toi.Mesh(WALL, faces=FACE), fixed=True), 1)
        self.bodies = [toi.MovingBody(end=QUARTER), toi.MovingBody()]

    def test_first_contact_and_all(self):
        impact = self.scene.step(self.bodies)
        self.assertEqual(impact.hit.verdict, "hit")
        every = self.scene.collisions(self.bodies, method="exact")
        self.assertIn(impact.bodies, ((0, 1), (1, 0)))
        self.assertEqual(len(every), len(every.to_numpy()))
        self.assertEqual(min(contact.hit.t_lo for contact in every), impact.hit.t_lo)
        pieces = []
        self.assertIsNone(self.scene.collisions(self.bodies, method="exact", visit=pieces.append))
        for name in ("kind", "bodies", "first", "second"):
            np.testing.assert_array_equal(np.concatenate(pieces)[name], every[name])
        np.testing.assert_array_equal(np.concatenate(pieces)["hit"]["t_lo"], every["hit"]["t_lo"])
        self.assertEqual(pickle.loads(pickle.dumps(impact)), impact)
        self.scene.ignore(0, 1)
        miss = self.scene.step(self.bodies)
        self.assertEqual((miss.hit.verdict, miss.bodies, miss.first), ("miss", None, None))

    def test_a_safe_step_is_free(self):
        far = [toi.MovingBody(((0, 1e-3, 0.1), (1, 0, 0, -0.5)), ((0, 1e-3, 0.1), (1, 0, 0, 1))), self.bodies[1]]
        advance = self.scene.advance(far)
        self.assertEqual(advance.first.hit.verdict, "hit")
        self.assertTrue(0.99 * advance.first.hit.t_lo <= advance.step < advance.first.hit.t_lo)
        cut = np.stack([np.stack([body.start for body in far]), advance.poses], axis=1)
        self.assertEqual(self.scene.step(cut).hit.verdict, "miss")

    def test_how_close_they_come(self):
        # A square falls onto another until they are 0.25 apart, turning as it does.
        square = toi.Mesh(np.array([[-1.0, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]]), faces=[[0, 1, 2], [0, 2, 3]])
        scene = toi.RigidScene(threads=1)
        scene.add(square), scene.add(square, fixed=True)
        falls = toi.MovingBody(((0, 0, 2), (1, 0, 0, 0)), ((0, 0, 0.25), (1, 0, 0, 0.5)), law="slerp")
        clearance = scene.clearance([falls, toi.MovingBody()], 10)
        self.assertTrue(clearance.lo <= 0.25 * (1 + 1e-12) and clearance.hi >= 0.25 * (1 - 1e-12))
        self.assertLess(clearance.hi - clearance.lo, 1e-6)
        self.assertEqual(clearance.closest.hit.verdict, "hit")
        far = scene.clearance([falls, toi.MovingBody()], 0.2)
        self.assertEqual((far.lo, far.hi, far.closest.kind), (0.2, math.inf, None))
        with self.assertRaises(toi.OptionError):
            scene.clearance([falls, toi.MovingBody()], 0)

    def test_refusals(self):
        with self.assertRaisesRegex(toi.InputError, "motions of 1 bodies"):
            self.scene.step(self.bodies[:1])
        with self.assertRaisesRegex(toi.InputError, "no primitives"):
            self.scene.add(toi.Mesh(np.empty((0, 3))))
        with self.assertRaisesRegex(toi.InputError, "body 1 is fixed"):
            self.scene.step([self.bodies[0], self.bodies[0]])
        with self.assertRaises(toi.CancelledError):
            self.scene.step(self.bodies, progress=lambda part: False)


class Sweeps(unittest.TestCase):
    def test_the_door_jams_before_its_stop(self):
        answer = toi.sweep(SWEEPS / "door.json", all=True, free="door")
        self.assertEqual(answer.verdict, "hit")
        self.assertEqual({answer.first.a, answer.first.b}, {"door", "chest"})
        self.assertEqual(len(answer.hits), 1)
        self.assertAlmostEqual(math.degrees(answer.free.hi), 102, 4)
        self.assertIsNone(answer.free.below)
        self.assertEqual(answer.free.above.a, answer.first.a)

    def test_other_scenes(self):
        for name, verdict in (("gears", "miss"), ("gears-loose", "hit"), ("chain", "hit"), ("arm", "miss")):
            with self.subTest(name=name):
                scene = toi.SweepScene(SWEEPS / f"{name}.json", threads=1)
                answer = toi.sweep(scene)
                self.assertEqual(answer.verdict, verdict)
                self.assertEqual(scene.poses(0).shape, (len(scene), 2, 7))
                self.assertEqual(len(scene.mesh(0).vertices) > 0, True)

    def test_chains_are_proved(self):
        self.assertEqual(toi.sweep(SWEEPS / "arm.json").verdict, "miss")
        answer = toi.sweep(SWEEPS / "arm.json", min_separation=0.05, all=True)
        self.assertEqual((answer.verdict, answer.first.verdict), ("hit", "hit"))
        self.assertLess(answer.t_hi - answer.t_lo, 1e-9)
        self.assertTrue(all(contact.verdict == "hit" for contact in answer.hits))

    def test_times_are_the_scenes_own(self):
        flat = {"vertices": [[-1, -1, 0], [1, -1, 0], [0, 1, 0]], "faces": [[0, 1, 2]]}
        path = [{"t": t, "position": [0, 0, z]} for t, z in ((10, 3), (12, 1), (20, -1))]
        bodies = [{"name": "a", "mesh": flat}, {"name": "b", "mesh": {"vertices": [[0, 0, 0]]}, "path": path}]
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "scene.json"
            file.write_text(json.dumps({"bodies": bodies}))
            answer = toi.sweep(file)
            self.assertTrue(answer.t_safe <= answer.t_lo <= 16 <= answer.t_hi)
            self.assertLess(answer.t_hi - answer.t_lo, 1e-13)
            with self.assertRaisesRegex(toi.InputError, "no such body"):
                toi.sweep(file, free="c")
            with self.assertRaisesRegex(toi.InputError, "has no joint"):
                toi.sweep(file, free="b")
            file.write_text(json.dumps({"bodies": bodies[:1]}))
            with self.assertRaisesRegex(toi.FormatError, "scene.json:1"):
                toi.sweep(file)


if __name__ == "__main__":
    unittest.main()
