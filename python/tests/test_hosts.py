# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the libtoi authors
"""The module inside a program: threads, visitors that raise or drop what they use, Ctrl-C, ends in any order."""

import gc
import os
import signal
import subprocess
import sys
import threading
import time
import unittest
from pathlib import Path

import numpy as np

import toi
from test_meshes import folded_sheet


BUILD = Path(os.environ.get("TOI_BUILD_DIR", Path(__file__).resolve().parents[2] / "build" / "release"))


def many_collisions(size=40):
    start, end, faces = folded_sheet(size)
    return toi.Mesh(start, end, faces=faces)


class Visitors(unittest.TestCase):
    def setUp(self):
        self.mesh = many_collisions()

    def test_what_a_visitor_raises_is_carried(self):
        class Own(Exception):
            pass

        def visit(array):
            raise Own(len(array))

        for call in (
            lambda: toi.collisions(self.mesh, visit=visit),
            lambda: toi.candidates(self.mesh, visit=visit),
            lambda: toi.proximity(self.mesh, 0.1, visit=visit),
            lambda: toi.mesh_crossings(self.mesh.replace(start=self.mesh.end), visit=visit),
            lambda: toi.stencils(self.mesh, 0.1, visit=visit),
            lambda: toi.box_pairs(np.tile([0.0, 0, 0, 1, 1, 1], (4, 1)), visit=visit),
        ):
            with self.assertRaises(Own) as caught:
                call()
            self.assertIs(type(caught.exception), Own)
        self.assertGreater(len(toi.collisions(self.mesh)), 100)

    def test_a_visitor_ends_the_call(self):
        seen = []
        self.assertIsNone(toi.candidates(self.mesh, visit=lambda array: bool(seen.append(array)), threads=1))
        self.assertEqual(len(seen), 1)

    def test_a_visitor_keeps_what_it_was_given(self):
        kept = []
        toi.collisions(self.mesh, visit=kept.append)
        gc.collect()
        np.testing.assert_array_equal(np.concatenate(kept)["first"], toi.collisions(self.mesh)["first"])

    def test_the_last_reference_is_dropped_in_a_visitor(self):
        expected = len(toi.collisions(self.mesh))
        start, end, faces = (np.array(a) for a in (self.mesh.start, self.mesh.end, self.mesh.faces))
        held = {"mesh": toi.Mesh(start, end, faces=faces), "context": toi.Context(2)}
        del start, end, faces
        count = 0

        def visit(array):
            nonlocal count
            count += len(array)
            if held:
                held.clear()
                gc.collect()

        toi.collisions(held["mesh"], visit=visit, context=held["context"])
        self.assertEqual(count, expected)

        held["scene"] = toi.Scene(len(self.mesh.start), faces=self.mesh.faces)
        count = 0
        held["scene"].collisions(self.mesh.start, self.mesh.end, visit=visit)
        self.assertEqual(count, expected)

    def test_calls_within_a_visitor(self):
        scene = toi.Scene(len(self.mesh.start), faces=self.mesh.faces)
        steps = []
        toi.collisions(self.mesh, visit=lambda array: steps.append(toi.step(self.mesh)) or False)
        self.assertEqual(steps[0], toi.step(self.mesh))
        with self.assertRaisesRegex(toi.BusyError, "another context"):
            scene.collisions(
                self.mesh.start, self.mesh.end, visit=lambda array: scene.step(self.mesh.start, self.mesh.end)
            )
        # A scene that ends while its context is in use ends later.
        with toi.Context(1) as context:
            first = toi.Scene(3, context=context)

            def visit(array):
                nonlocal first
                first = None
                return False

            toi.collisions(self.mesh, context=context, visit=visit)


class Contexts(unittest.TestCase):
    def test_two_threads_on_one_context(self):
        mesh, context = many_collisions(), toi.Context(1)
        entered, leave = threading.Event(), threading.Event()

        def wait(array):
            entered.set()
            leave.wait(60)

        thread = threading.Thread(target=lambda: toi.collisions(mesh, context=context, visit=wait))
        thread.start()
        self.assertTrue(entered.wait(60))
        with self.assertRaises(toi.BusyError):
            toi.step(mesh, context=context)
        leave.set()
        thread.join()
        self.assertEqual(toi.step(mesh, context=context).hit.verdict, "hit")

    def test_many_threads_without_a_context(self):
        mesh = many_collisions(16)
        expected, answers = toi.step(mesh), []
        threads = [threading.Thread(target=lambda: answers.append(toi.step(mesh, threads=1))) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(answers, [expected] * 8)

    def test_threads_that_fight_over_one_context(self):
        mesh, context = many_collisions(16), toi.Context(2)
        expected = toi.step(mesh)
        counts = {"answered": 0, "busy": 0}
        stop = time.monotonic() + 0.3

        def fight():
            while time.monotonic() < stop:
                try:
                    self.assertEqual(toi.step(mesh, context=context), expected)
                    counts["answered"] += 1
                except toi.BusyError:
                    counts["busy"] += 1
                toi.Scene(3)

        threads = [threading.Thread(target=fight) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertGreater(counts["answered"], 0)

    def test_ends_in_any_order(self):
        context = toi.Context(2)
        scene = toi.Scene(3, faces=[[0, 1, 2]], context=context)
        context.close()
        with self.assertRaisesRegex(toi.InputError, "closed"):
            scene.step(np.zeros((3, 3)), np.ones((3, 3)))
        del scene
        with toi.Context(1, memory_budget=1 << 16) as small:
            with self.assertRaises(toi.OutOfMemoryError):
                toi.step(many_collisions(), context=small)
        self.assertEqual(repr(small), "Context(closed)")
        with self.assertRaisesRegex(toi.OptionError, "both given"):
            toi.step(many_collisions(4), context=toi.Context(1), threads=1)

    def test_plugins_that_cannot_be_loaded(self):
        with self.assertRaisesRegex(toi.PluginError, "no-such-file.so"):
            toi.Context(1).plugin_load("no-such-file.so")

    def test_plugin_among_the_methods_of_its_context(self):
        path = BUILD / "sampling.so"
        if not path.exists():
            self.skipTest("no plug-in was built")
        context = toi.Context(2)
        name = context.plugin_load(path)
        queries = np.random.default_rng(2).random((100, 8, 3))
        by_plugin = toi.batch("vf", queries, method=name, context=context)
        exact = toi.batch("vf", queries)
        self.assertEqual({toi.level_name(level) for level in by_plugin["level"]}, {"outside"})
        self.assertFalse(((by_plugin["verdict"] == toi.HIT) & (exact["verdict"] == toi.MISS)).any())
        with self.assertRaises(toi.UnsupportedError):
            toi.batch("vf", queries, method=name)

    def test_end_of_the_process_with_everything_alive(self):
        program = (
            "import toi, numpy as np, threading\n"
            "c = toi.Context(2); s = toi.Scene(3, faces=[[0, 1, 2]], context=c)\n"
            "s.step(np.zeros((3, 3)), np.ones((3, 3)))\n"
            "loop = [c, s]; loop.append(loop); o = toi.Output('/dev/null'); del c, s, loop\n"
        )
        done = subprocess.run([sys.executable, "-X", "dev", "-c", program], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_child_of_fork(self):
        mesh = many_collisions(8)
        expected = toi.step(mesh)
        child = os.fork()
        if child == 0:
            os._exit(0 if toi.step(mesh) == expected else 1)
        self.assertEqual(os.waitpid(child, 0)[1], 0)


class Interrupts(unittest.TestCase):
    def setUp(self):
        # A process that a shell started in the background ignores Ctrl-C.
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        self.addCleanup(signal.signal, signal.SIGINT, before)

    def interrupted(self, work):
        """Ctrl-C shortly after the work began ends it."""
        timer = threading.Timer(0.1, lambda: os.kill(os.getpid(), signal.SIGINT))
        timer.start()
        began = time.monotonic()
        try:
            with self.assertRaises(KeyboardInterrupt):
                while time.monotonic() - began < 60:
                    work()
        finally:
            timer.join()
        self.assertLess(time.monotonic() - began, 20)

    def test_in_calls_on_meshes(self):
        mesh = many_collisions(60)
        self.interrupted(lambda: toi.collisions(mesh, broad="brute", threads=1))
        self.interrupted(lambda: toi.candidates(mesh, broad="brute", kinds=("ee", "ff")))

    def test_in_batches(self):
        queries = np.random.default_rng(5).random((200_000, 8, 3))
        self.interrupted(lambda: toi.batch("ee", queries, method="exact", threads=1))

    def test_progress_that_returns_false(self):
        mesh = many_collisions(60)
        with self.assertRaises(toi.CancelledError):
            while True:
                toi.collisions(mesh, broad="brute", threads=1, progress=lambda done: False)


class Progress(unittest.TestCase):
    def test_bar_of_tqdm_where_it_is_installed(self):
        class Bar:
            shown = []

            def __init__(self, total, bar_format):
                self.n = 0

            def update(self, more):
                self.n += more
                self.shown.append(self.n)

            def close(self):
                self.shown.append("closed")

        module = type(sys)("tqdm.auto")
        module.tqdm = Bar
        before = {name: sys.modules.get(name) for name in ("tqdm", "tqdm.auto")}
        sys.modules["tqdm"], sys.modules["tqdm.auto"] = type(sys)("tqdm"), module
        try:
            toi.batch("vf", np.random.default_rng(5).random((50_000, 8, 3)), progress=True)
            self.assertEqual(Bar.shown[-1], "closed")
            self.assertEqual(Bar.shown[:-1], sorted(Bar.shown[:-1]))
            sys.modules["tqdm"] = sys.modules["tqdm.auto"] = None
            self.assertEqual(len(toi.batch("vf", np.zeros((1, 8, 3)), progress=True)), 1)
        finally:
            for name, value in before.items():
                if value is None:
                    sys.modules.pop(name, None)
                else:
                    sys.modules[name] = value
        with self.assertRaisesRegex(TypeError, "progress"):
            toi.batch("vf", np.zeros((1, 8, 3)), progress=3)


if __name__ == "__main__":
    unittest.main()
