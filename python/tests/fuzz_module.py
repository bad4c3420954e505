#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the libtoi authors
"""Calls everything public with random arguments for a time: python3 fuzz_module.py SECONDS [SEED]

Whatever the arguments are, a call gives an answer or raises an exception of the module's or of Python's own kinds; it
never crashes, hangs, or raises what only a mistake inside the module would (AttributeError, UnboundLocalError and so
on). Some calls are made on two threads at once, with the same things.
Every call has a seed of its own, which is printed with what went wrong: `fuzz_module.py 0 SEED` makes that call again,
with new things in place of those that calls before it had made; the first seed of a run repeats all of it. Run
it with a module built with -fsanitize=address to find what does not crash by itself.
"""

import faulthandler
import gc
import inspect
import math
import os
import random
import shutil
import signal
import sys
import tempfile
import threading
import time
from pathlib import Path

import numpy as np

import toi

# What the module raises by itself, and what Python raises for arguments of the wrong number or kind.
EXPECTED = (toi.Error, TypeError, ValueError, IndexError, OverflowError, MemoryError, KeyError, OSError, BufferError)
CALL_SECONDS = 20
# Plug-ins are code of their own; the others hold answers, which the module makes and nobody else.
SPARED = {"Context.plugin_load", "Record", "Records", "Proof", "Frame", "Queries", "Truth", "StencilArrays"}
ANSWERS = (toi.Records, tuple, toi.Proof)


class Raised(Exception):
    """What callbacks of this file raise; it must come out of the call as it is."""


# --- values ---

NUMBERS = (
    0,
    1,
    -1,
    2,
    3,
    0.5,
    1e-300,
    1e300,
    5e-324,
    math.inf,
    -math.inf,
    math.nan,
    2**31,
    2**32,
    2**63,
    2**64,
    -(2**70),
)
TEXTS = (
    "",
    "vf",
    "ee",
    "ve",
    "vv",
    "sphere",
    "teapot",
    "torus",
    "exact",
    "certified",
    "quad",
    "triangle",
    "u",
    "t",
    "x",
    "x^2 + y^2 - 1",
    "u*v",
    "cos(u",
    "a\0b",
    "\udc80",
    "l2",
    "linf",
    "add",
    "sin",
    "ä" * 300,
)
DTYPES = ("f8", "f4", "f2", ">f8", "i4", "i8", "u4", "u1", "u8", "?", "c16", "O", "U3", "g")


class Source:
    """Random arguments; things that calls made come back as arguments of others."""

    def __init__(self, seed, folder):
        self.random, self.folder, self.made = random.Random(seed), folder, []
        self.numpy = np.random.default_rng(seed)

    def keep(self, value):
        if value is not None and not isinstance(value, (int, float, str, bool)):
            self.made.append(value)
            if len(self.made) > 40:
                # In one step: another thread may take things away.
                self.made[:] = self.random.sample(self.made, 39)

    def array(self):
        r = self.random
        shape = r.choice(
            [
                (4, 3),
                (3, 3),
                (2, 3),
                (3,),
                (4,),
                (2,),
                (5, 8, 3),
                (6, 4, 3),
                (2, 2, 3),
                (4, 4, 3),
                (0, 3),
                (),
                (0,),
                (7, 3),
                (6, 2),
                (3, 2),
                (2, 4, 2, 3),
                (4, 24),
                (1, 3),
                (3, 0),
                (9,),
                (3, 4),
            ]
        )
        dtype = r.choice(DTYPES if r.random() < 0.3 else ("f8", "f8", "f4", "i4", "u4"))
        size = int(np.prod(shape, dtype=int))
        if np.dtype(dtype).kind in "iu":
            values = self.numpy.integers(0, r.choice([2, 4, 8, 100]), size).astype(dtype)
        else:
            values = (
                (self.numpy.uniform(-1, 1, size) * r.choice([1, 1, 1, 1e-9, 1e9, 1e200])).astype("f8").astype(dtype)
            )
        array = values.reshape(shape)
        if size and r.random() < 0.1:
            spoiled = array.reshape(-1)
            if spoiled.dtype.kind in "fiu":
                with np.errstate(all="ignore"):
                    spoiled[r.randrange(size)] = r.choice([0, 1, np.nan, np.inf]) if spoiled.dtype.kind == "f" else 127
        return self.layout(array)

    def records(self):
        """A structured array of the module's, with a few bytes that no call would have written."""
        dtypes = [getattr(toi, name) for name in toi.__all__ if name.endswith("_dtype")]
        chosen = self.random.choice(dtypes)
        raw = bytearray(self.random.randrange(4) * chosen.itemsize)
        for _ in range(self.random.randrange(8) if raw else 0):
            raw[self.random.randrange(len(raw))] = self.random.randrange(256)
        return np.frombuffer(raw, chosen)

    def stencils(self):
        """Stencils of a mesh, as they are or with wrong numbers in them."""
        found = toi.stencils(self.whole_thing(toi.Mesh), 1.0).to_numpy().copy()
        raw = found.view(np.uint8).reshape(-1)
        for _ in range(self.random.randrange(4) if len(raw) else 0):
            raw[self.random.randrange(len(raw))] = self.random.randrange(256)
        return found

    def layout(self, array):
        """The same numbers, laid out in another way."""
        way = self.random.randrange(8)
        if way == 0:
            return np.asfortranarray(array)
        if way == 1 and array.ndim:
            return np.repeat(array, 2, axis=0)[::2]
        if way == 2 and array.ndim:
            return array[::-1]
        if way == 3:
            array.flags.writeable = False
        if way == 4 and array.dtype != object:
            shifted = np.frombuffer(b"x" + array.tobytes(), array.dtype, offset=1)
            return shifted.reshape(array.shape)
        if way == 5 and array.ndim:
            return np.broadcast_to(array[:1], array.shape) if array.shape[0] else array
        if way == 6 and array.dtype != object:
            return array.tolist()
        return array

    def callback(self):
        """A function that answers, raises, collects garbage, or calls the module again."""
        way, r = self.random.choice([0, 0, 0, 1, 2, 3, 4, 5, 6]), self.random

        def function(*arguments):
            if way == 0:
                raise Raised("from a callback")
            if way == 1:
                self.made.clear()
                gc.collect()
            if way == 2:
                return r.choice([None, False, True, 1, "x", np.zeros((5, 2)), np.zeros((3, 4, 2))])
            if way == 3:
                return toi.vertex_face(np.eye(4, 3), np.ones((4, 3))).verdict == "hit"
            if way == 4 and len(arguments) == 2 and isinstance(arguments[0], np.ndarray):
                sizes = {3: (1, 4, 10), 4: (1, 5, 15)}.get(len(arguments[0]), (1, 1, 1))
                rows = sizes[min(arguments[1], 2)] * (3 if len(arguments[0]) == 3 else 1)
                return np.tile([-10.0, 10.0], (rows, 1))
            if way == 5:
                with toi.Context(1):
                    pass
            return None

        return function

    def path(self):
        files = sorted(self.folder.iterdir())
        name = self.random.choice(
            [
                *files,
                self.folder / "new.ply",
                self.folder / "new.json",
                self.folder / "new.csv",
                self.folder / "new.bin",
                self.folder / "none" / "new.obj",
                self.folder,
            ]
        )
        return self.random.choice([name, str(name), os.fsencode(name)])

    def whole_thing(self, kind):
        """Something of a public class, made as its users make it."""
        r = self.random
        ready = [value for value in self.made if isinstance(value, kind)]
        if ready and r.random() < 0.7:
            return r.choice(ready)
        grid = self.numpy.uniform(-1, 1, (6, 3))
        faces = np.array([[0, 1, 2], [1, 3, 2], [3, 4, 5]])
        makers = {
            toi.Context: lambda: toi.Context(r.randrange(3)),
            toi.Mesh: lambda: toi.Mesh(grid, grid + self.numpy.uniform(-1, 1, (6, 3)), faces=faces),
            toi.Scene: lambda: toi.Scene(6, faces=faces, threads=1),
            toi.Options: lambda: toi.Options(t_max=0.5),
            toi.Patch: lambda: toi.Patch(self.numpy.uniform(-1, 1, (2, 2, 3)), self.numpy.uniform(-1, 1, (2, 2, 3))),
            toi.Model: lambda: toi.Model.sphere(1),
            toi.SurfaceOptions: lambda: toi.SurfaceOptions(max_checks=500),
            toi.ContactOptions: lambda: toi.ContactOptions(max_boxes=200),
            toi.Formula: lambda: toi.Formula("u", "v", "t"),
            toi.Term: lambda: toi.Formula("t").parse("t^2"),
            toi.Motion: lambda: toi.Motion().move((0, 0, 2), (0, 0, -2)),
            toi.Shape: lambda: toi.Shape.library("sphere", 1),
            toi.Body: lambda: toi.Body(toi.Shape.library("sphere", 1), toi.Motion().move((0, 0, 3), (0, 0, -3))),
            toi.ContactScene: lambda: toi.contact_scene_read(self.folder / "scene.json"),
            toi.Output: lambda: toi.Output(self.folder / "output.bin"),
            toi.Counters: toi.Counters,
            toi.Work: toi.Work,
            toi.Hit: lambda: toi.vertex_face(self.numpy.uniform(-1, 1, (4, 3)), self.numpy.uniform(-1, 1, (4, 3))),
            toi.Collisions: lambda: toi.collisions(self.whole_thing(toi.Mesh)),
            toi.Impact: lambda: toi.step(self.whole_thing(toi.Mesh)),
            toi.ContactAnswer: lambda: toi.contact(self.folder / "scene.json"),
            toi.Contacts: lambda: toi.contact(self.folder / "scene.json").contacts,
            toi.SurfaceHit: lambda: toi.patch_pair(
                self.whole_thing(toi.Patch), self.whole_thing(toi.Patch), max_checks=300
            ),
        }
        made = makers.get(kind, lambda: None)()
        self.keep(made)
        return made

    def value(self, name=""):
        """An argument; its parameter's name says what it should be, and it mostly is."""
        r = self.random
        named = BY_NAME.get(name)
        if named is not None and r.random() < 0.8:
            return named(self)
        return r.choice(
            [
                lambda: None,
                lambda: r.choice(NUMBERS),
                lambda: r.choice(TEXTS),
                self.array,
                self.records,
                self.callback,
                self.path,
                lambda: r.choice([True, False]),
                lambda: r.randrange(-2, 9),
                lambda: r.uniform(-1, 1),
                lambda: [self.value() for _ in range(r.randrange(4))],
                lambda: tuple(r.uniform(-1, 1) for _ in range(r.randrange(5))),
                lambda: r.choice([object(), *self.made]),
                lambda: b"bytes",
                lambda: {"r": "1 + t"},
                object,
                lambda: self.whole_thing(r.choice([toi.Mesh, toi.Shape, toi.Model, toi.Formula, toi.Motion])),
            ]
        )()


def _of(kind):
    return lambda source: source.whole_thing(kind)


def _points(*shape):
    return lambda source: source.layout(source.numpy.uniform(-1, 1, shape))


def _interval(source):
    return tuple(sorted(source.numpy.uniform(-1, 1, 2).tolist()))


def _bodies(source):
    if source.random.random() < 0.3:
        return source.random.choice([source.folder / "scene.json", source.whole_thing(toi.ContactScene)])
    return [source.whole_thing(toi.Body), source.whole_thing(source.random.choice([toi.Shape, toi.Body]))]


BY_NAME = {
    "mesh": _of(toi.Mesh),
    "context": lambda source: source.random.choice([None, None, source.whole_thing(toi.Context)]),
    "model": _of(toi.Model),
    "formula": _of(toi.Formula),
    "motion": _of(toi.Motion),
    "term": _of(toi.Term),
    "threads": lambda source: source.random.choice([None, 0, 1, 2]),
    "kind": lambda source: source.random.choice(TEXTS[1:7]),
    "start": _points(6, 3),
    "end": _points(6, 3),
    "queries": _points(5, 8, 3),
    "points": _points(4, 3),
    "axis": _points(3),
    "velocity": _points(3),
    "shift": _points(3),
    "point": _points(3),
    "over": _interval,
    "t": _interval,
    "u": lambda source: source.random.choice([_interval, lambda s: s.random.random()])(source),
    "v": lambda source: source.random.choice([_interval, lambda s: s.random.random()])(source),
    "bounds": lambda source: [(-1, 1)] * 3,
    "path": Source.path,
    "visit": Source.callback,
    "enclose": Source.callback,
    "a": lambda source: source.whole_thing(source.random.choice([toi.Patch, toi.Model, toi.Term])),
    "b": lambda source: source.whole_thing(source.random.choice([toi.Patch, toi.Model, toi.Term])),
    "bodies": _bodies,
    "shape": _of(toi.Shape),
    "faces": lambda source: [[0, 1, 2], [1, 3, 2]],
    "distance": lambda source: 0.3,
    "patches": lambda source: [source.whole_thing(toi.Patch)],
    "record": lambda source: source.numpy.bytes(200),
    "cases": lambda source: [(source.whole_thing(toi.Patch), source.whole_thing(toi.Patch))],
    "order": lambda source: 1,
    "vertex_count": lambda source: 6,
    "name": lambda source: source.random.choice(TEXTS),
    "progress": lambda source: source.random.choice([source.callback(), source.callback(), True, None]),
    "may_collide": Source.callback,
    "method": lambda source: source.random.choice([*toi.methods(), *toi.surface_methods(), None]),
    "broad": lambda source: source.random.choice([*toi.broads(), None]),
    "norm": lambda source: source.random.choice(["l2", "linf"]),
    "kinds": lambda source: source.random.choice(["vf", ("vf", "ee"), "every-vertex-edge", None]),
    "t_max": lambda source: source.random.choice([0, 0.5, 1]),
    "tolerance": lambda source: source.random.choice([1e-3, 1e-6, 1]),
    "min_separation": lambda source: source.random.choice([0, 1e-3, 0.5]),
    "separation_fraction": lambda source: source.random.choice([0, 0.1, 0.9]),
    "spacing": lambda source: source.random.choice([0.3, 1]),
    "counters": _of(toi.Counters),
    "work": _of(toi.Work),
    "options": lambda source: source.whole_thing(
        source.random.choice([toi.Options, toi.SurfaceOptions, toi.ContactOptions])
    ),
    "stencils": lambda source: source.random.choice([source.stencils, source.records])(),
    "pairs": lambda source: source.random.choice([[[0, 1]], source.numpy.integers(0, 9, (3, 2)), source.records()]),
    "sizes": lambda source: source.random.choice([0.25, 0.5, 1]),
    "motion_a": _of(toi.Motion),
    "motion_b": _of(toi.Motion),
    "x": _of(toi.Term),
    "radius": lambda source: 0.5,
    "count": lambda source: source.random.randrange(6),
    "number": lambda source: source.random.randrange(6),
}
# Keywords that **keywords take; what makes searches short keeps the calls short.
KEYWORDS = (
    "t_max",
    "tolerance",
    "min_separation",
    "method",
    "norm",
    "progress",
    "may_collide",
    "kinds",
    "counters",
    "work",
    "separation_fraction",
    "spacing",
    "order",
    "broad",
    "incoming",
    "max_checks",
    "max_boxes",
)
BRIEF = {"max_boxes": 300, "max_checks": 300, "spacing": 0.5, "max_seconds": 0.2}


# --- calls ---


def targets():
    """Everything public that can be called: functions, classes, and their methods."""
    found = []
    for name in toi.__all__:
        thing = getattr(toi, name)
        if inspect.isclass(thing) and issubclass(thing, BaseException):
            continue
        if callable(thing) and name not in SPARED and not (inspect.isclass(thing) and issubclass(thing, ANSWERS)):
            found.append((name, None, thing))
        if inspect.isclass(thing):
            for member in dir(thing):
                attribute = inspect.getattr_static(thing, member)
                special = member in (
                    "__len__",
                    "__getitem__",
                    "__iter__",
                    "__repr__",
                    "__eq__",
                    "__hash__",
                    "__add__",
                    "__pow__",
                )
                if f"{name}.{member}" in SPARED or (member.startswith("_") and not special):
                    continue
                if isinstance(attribute, classmethod):
                    found.append((f"{name}.{member}", None, getattr(thing, member)))
                elif isinstance(attribute, property) or inspect.isfunction(attribute):
                    found.append((f"{name}.{member}", thing, attribute))
    return found


def weighted(found):
    """Those that search, and so call functions of the caller's own, more often than the rest."""
    return [target for target in found for _ in range(8 if searches(target[2]) else 1)]


def searches(function):
    if isinstance(function, property) or inspect.isclass(function):
        return False
    return any(one.kind is one.VAR_KEYWORD or one.name in ("visit", "enclose") for one in parameters_of(function))


def parameters_of(function):
    try:
        return list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return []


def arguments_for(source, function, skip_first):
    positional, keywords = [], {}
    for parameter in parameters_of(function)[1 if skip_first else 0 :]:
        if parameter.kind is parameter.VAR_POSITIONAL:
            positional += [source.value(parameter.name) for _ in range(source.random.randrange(3))]
        elif parameter.kind is parameter.VAR_KEYWORD:
            for name in source.random.sample(KEYWORDS, source.random.randrange(3)):
                keywords[name] = source.value(name)
        elif parameter.default is parameter.empty:
            positional.append(source.value(parameter.name))
        elif source.random.random() < 0.3:
            keywords[parameter.name] = source.value(parameter.name)
    if source.random.random() < 0.02 and positional:
        positional.pop()
    return positional, keywords


def brief(name, keywords):
    """Searches with small budgets, so that no call takes long."""
    if name == "contact":
        keywords.setdefault("max_boxes", BRIEF["max_boxes"])
        keywords.setdefault("max_seconds", BRIEF["max_seconds"])
    if name in ("model_pair", "model_contacts", "rigid_pair", "patch_pair", "patch_batch"):
        keywords.setdefault("max_checks", BRIEF["max_checks"])
    if name in ("box_pairs", "step", "collisions") and "method" not in keywords:
        keywords.setdefault("t_max", 0.5)


def one_call(seed, everything, source):
    source.random.seed(seed)
    source.numpy = np.random.default_rng(seed)
    on = owner = object
    while owner is not None and (on is object or on is None):
        name, owner, function = source.random.choice(everything)
        on = None if owner is None else source.whole_thing(owner)
    if isinstance(function, property):
        source.keep(function.fget(on))
        return name, "answered"
    positional, keywords = arguments_for(source, function, owner is not None)
    brief(name, keywords)
    if name == "Shape.__len__" or name.endswith("__iter__"):
        positional, keywords = [], {}
    result = function(on, *positional, **keywords) if owner is not None else function(*positional, **keywords)
    repr(result)
    source.keep(result)
    return name, "answered"


def two_calls(seed, everything, source):
    """Two calls at once, on things that both know; what is wrong with either is raised."""
    other = Source(seed, source.folder)
    other.made = source.made
    raised = []

    def work():
        try:
            one_call(seed + 2**32, everything, other)
        except (*EXPECTED, Raised):
            pass
        except Exception as error:
            raised.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    try:
        return one_call(seed, everything, source)
    finally:
        thread.join()
        if raised:
            raise raised[0]


def tidy(folder):
    """The files that calls may read; what they wrote goes."""
    for path in folder.iterdir():
        if path.name not in FILES:
            path.unlink() if path.is_file() else shutil.rmtree(path)
    for name, text in FILES.items():
        (folder / name).write_text(text)


FILES = {
    "scene.json": '{"bodies": [{"name": "a", "shape": {"sphere": {"radius": 1}}}, {"name": "b", "shape": {"sphere": '
    '{"radius": 1}}, "motion": {"move": {"shift": [4, 0, 0], "velocity": [-4, 0, 0]}}}]}',
    "mesh.obj": "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\n",
    "model.json": '{"shape": "torus", "ring_radius": 2, "tube_radius": 0.5}',
    "queries.csv": "1,1,1,1,0,1\n" * 8,
    "broken.json": '{"bodies": [',
    "case.jsonl": '{"a": {"type": "quad", "degree": [1, 1], "points": [[0,0,0],[0,1,0],[1,0,0],[1,1,0]]}, "b": 3}\n',
}


def main(seconds, first_seed=None):
    faulthandler.enable()
    faulthandler.register(signal.SIGALRM, all_threads=True, chain=False)
    seed = int.from_bytes(os.urandom(4), "little") if first_seed is None else first_seed
    print(f"seed {seed}, for {seconds:g} s", flush=True)
    found = targets()
    everything = weighted(found)
    tally, slowest, wrong, calls = {}, (0.0, ""), 0, 0
    end = time.monotonic() + seconds
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        # Files that calls write land here, whatever they are called.
        os.chdir(folder)
        source = Source(seed, folder)
        while calls == 0 or time.monotonic() < end:
            if calls % 500 == 0:
                tidy(folder)
                gc.collect()
            signal.setitimer(signal.ITIMER_REAL, CALL_SECONDS)
            begin = time.monotonic()
            try:
                call = two_calls if seed % 16 == 0 else one_call
                what, outcome = call(seed, everything, source)
            except (*EXPECTED, Raised) as error:
                what, outcome = "", type(error).__name__
            except Exception as error:  # anything else is a mistake
                wrong += 1
                what, outcome = "", type(error).__name__
                print(f"seed {seed}: {type(error).__name__}: {error}", flush=True)
                faulthandler_line(error)
            signal.setitimer(signal.ITIMER_REAL, 0)
            slowest = max(slowest, (time.monotonic() - begin, f"{what or outcome}, seed {seed}"))
            tally[outcome] = tally.get(outcome, 0) + 1
            calls, seed = calls + 1, seed + 1
        os.chdir("/")
    print(f"{calls} calls of {len(found)} kinds: " + ", ".join(f"{k} {v}" for k, v in sorted(tally.items())))
    print(f"slowest: {slowest[0]:.2f} s ({slowest[1]}); threads left: {threading.active_count()}; wrong: {wrong}")
    return 1 if wrong else 0


def faulthandler_line(error):
    """Where a mistake came from."""
    import traceback

    print("".join(traceback.format_exception(type(error), error, error.__traceback__)[-3:]), flush=True)


if __name__ == "__main__":
    if not 2 <= len(sys.argv) <= 3:
        sys.exit(f"usage: {sys.argv[0]} SECONDS [SEED]")
    sys.exit(main(float(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) == 3 else None))
