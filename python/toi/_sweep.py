# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the libtoi authors
"""Scenes of rigid bodies on paths and joints, as files hold them: what `toi sweep` answers."""

import math

import numpy as np

from ._array import path_bytes, is_path
from ._context import Call, Context, whole
from ._error import InputError, OutOfMemoryError, text
from ._mesh import Mesh
from ._native import ffi, lib
from ._options import Options, options_of
from ._rigid import RigidImpact, RigidScene
from ._thing import Thing

_JOINTS = (None, "revolute", "prismatic", "screw")
# The largest part of a joint's range that is asked about at a time.
_JOINT_PIECE = 1.0


class SweepScene(Thing):
    """A scene file: rigid bodies with their meshes, on paths or joints. toi.sweep(scene) answers; so does
    toi.sweep(path). docs/turning.md describes every field.

    context: a Context of your own; otherwise the scene makes its own, with `threads` threads.
    """

    __slots__ = ("_scene", "_rigid", "_path")

    def __init__(self, path, *, context=None, threads=None):
        if context is not None and threads is not None:
            raise InputError("threads and context are both given; a context has its own number of threads")
        self._path, self._rigid = path, None
        self._begin(Context(0 if threads is None else threads) if context is None else context)
        place = ffi.new("toi_sweep_scene *")
        with Call(self._context) as call:
            call.check(lib.toi_sweep_scene_read(call.context, path_bytes(path), place))
            copy = lib.copy_of(place, ffi.sizeof("toi_sweep_scene"))
            if copy == ffi.NULL:
                lib.toi_sweep_scene_free(call.context, place)
                raise OutOfMemoryError("no memory for a scene")
            self._kept = call.holder.own(copy, "sweep_scene")
        self._scene = self._handle = ffi.cast("toi_sweep_scene *", copy)

    def __len__(self):
        return self._scene.count

    @property
    def names(self):
        """The names of the bodies."""
        return tuple(text(self._scene.names[i]) for i in range(len(self)))

    @property
    def times(self):
        """The scene's own times between which every body moves by one law: one more than there are pieces."""
        return np.array(ffi.unpack(self._scene.times, self._scene.piece_count + 1))

    @property
    def fixed(self):
        """Which bodies rest all the time: booleans."""
        return np.array(ffi.unpack(self._scene.fixed, len(self)), dtype=bool)

    @property
    def min_separation(self):
        """0: contact; else "within this distance"."""
        return self._scene.min_separation

    def mesh(self, number):
        """The Mesh of a body, in its own frame: a copy."""
        if not 0 <= whole(number, "number", 2**63) < len(self):
            raise IndexError(f"body {number} does not exist; the scene has {len(self)}")
        mesh = self._scene.meshes[number]
        vertices = np.array(ffi.unpack(ffi.cast("double *", mesh.start), 3 * mesh.vertex_count)).reshape(-1, 3)
        tables = []
        for place, count, columns in ((mesh.faces, mesh.face_count, 3), (mesh.edges, mesh.edge_count, 2)):
            flat = ffi.unpack(ffi.cast("uint32_t *", place), columns * count) if count else []
            tables.append(np.array(flat, np.uint32).reshape(-1, columns))
        return Mesh(vertices, faces=tables[0], edges=tables[1] if len(tables[1]) else None)

    def poses(self, piece):
        """The start and end pose of every body in a piece: an (n, 2, 7) array for RigidScene.step()."""
        if not 0 <= whole(piece, "piece", 2**63) < self._scene.piece_count:
            raise IndexError(f"piece {piece} does not exist; the scene has {self._scene.piece_count}")
        return _poses_of(self._scene.motions + piece * len(self), len(self))

    def rigid(self):
        """The RigidScene of these bodies, made when it is first used."""
        if self._rigid is None:
            made = RigidScene(context=self._context)
            for i in range(len(self)):
                made.add(self.mesh(i), fixed=bool(self._scene.fixed[i]))
            for i in range(self._scene.ignored_count):
                made.ignore(*ffi.unpack(self._scene.ignored[i], 2))
            self._rigid = made
        return self._rigid

    def __repr__(self):
        return f"SweepScene({self._path!r}, {len(self)} bodies: {', '.join(self.names)})"


def sweep_scene_read(path, *, context=None, threads=None):
    """Reads a scene file, JSON, optionally gzipped: a SweepScene."""
    return SweepScene(path, context=context, threads=threads)


def _poses_of(motions, count):
    rows = np.empty((count, 2, 7))
    for i in range(count):
        for k, pose in enumerate((motions[i].start, motions[i].end)):
            rows[i, k, :3] = ffi.unpack(pose.position, 3)
            rows[i, k, 3:] = ffi.unpack(pose.quaternion, 4)
    return rows


# --- answers ---


class SweepContact:
    """A contact of two bodies, in the scene's time: a and b are their names, kind, first and second the primitives,
    impact the RigidImpact in the time of its piece, pairs how many pairs of primitives touch in it. verdict is "near"
    where a contact is possible and not proved."""

    __slots__ = ("verdict", "a", "b", "kind", "first", "second", "t_lo", "t_hi", "t_safe", "point", "normal", "impact", "pairs")

    def __init__(self, impact, names, times, pairs=1):
        # times: t_lo, t_hi and t_safe
        hit = impact.hit
        self.verdict = hit.verdict
        self.a, self.b = (names[i] for i in impact.bodies)
        self.kind, self.first, self.second = impact.kind, impact.first, impact.second
        self.t_lo, self.t_hi, self.t_safe = times
        self.point, self.normal = hit.point, hit.normal
        self.impact, self.pairs = impact, pairs

    def __repr__(self):
        return f"SweepContact({self.a!r}, {self.b!r}, {self.kind} {self.first} {self.second}, t_lo={self.t_lo!r})"


class SweepFree:
    """The largest interval of a joint in which nothing touches: lo, hi; below and above are the SweepContacts that end
    it, None where its limit does."""

    __slots__ = ("body", "lo", "hi", "below", "above")

    def __init__(self, body):
        self.body, self.lo, self.hi, self.below, self.above = body, 0.0, 0.0, None, None

    def __repr__(self):
        return f"SweepFree({self.body!r}, lo={self.lo!r}, hi={self.hi!r})"


class SweepAnswer:
    """What toi.sweep() found: verdict, t_lo, t_hi, t_safe, first (a SweepContact, or None), hits and free, if
    requested."""

    __slots__ = ("verdict", "t_lo", "t_hi", "t_safe", "first", "hits", "free")

    def __init__(self, verdict, first, end):
        self.verdict, self.first = verdict, first
        self.t_lo, self.t_hi, self.t_safe = (
            (math.inf, math.inf, end) if first is None else (first.t_lo, first.t_hi, first.t_safe)
        )
        self.hits = self.free = None

    def __repr__(self):
        return f"SweepAnswer({self.verdict!r}, t_lo={self.t_lo!r}, t_hi={self.t_hi!r}, first={self.first!r})"


# --- the question ---


class _Sweep:
    """A scene under way."""

    def __init__(self, scene, options):
        self.scene, self.options = scene, options
        self.rigid, self.names, self.times = scene.rigid(), scene.names, scene.times.tolist()

    def contact(self, contact):
        impact = RigidImpact._of(ffi.new("toi_rigid_impact *", contact.impact))
        return SweepContact(impact, self.names, (contact.t_lo, contact.t_hi, contact.t_safe), contact.pairs)

    def contact_in_joint(self, impact):
        hit = impact.hit
        return SweepContact(impact, self.names, (hit.t_lo, hit.t_hi, hit.t_safe))

    def step(self, motions):
        return self.rigid._step(motions, len(self.scene), self.options)

    def path(self):
        c = self.scene._scene
        path = ffi.new("toi_rigid_path *")
        path.size, path.times, path.bodies = ffi.sizeof("toi_rigid_path"), c.times, c.motions
        path.count, path.piece_count = len(self.scene), c.piece_count
        return path

    def first(self):
        found = ffi.new("toi_rigid_contact *")
        with Call(self.scene._context) as call:
            options = self.options._for_mesh(call)
            call.check(lib.toi_rigid_scene_path_step(self.rigid._handle, self.path(), options, found))
        if found.impact.hit.verdict == lib.TOI_MISS:
            return "miss", None
        contact = self.contact(found)
        return contact.verdict, contact

    def all(self):
        """The first contact of every pair of bodies, by time; only the first piece in which two bodies touch counts."""
        collected = ffi.new("collector *")
        try:
            with Call(self.scene._context) as call:
                options, visit = self.options._for_mesh(call), ffi.addressof(lib, "collect_rigid_contacts")
                call.check(
                    lib.toi_rigid_scene_path_contacts(self.rigid._handle, self.path(), options, visit, collected)
                )
            found = ffi.cast("toi_rigid_contact *", collected.items)
            return [self.contact(found[i]) for i in range(collected.count)]
        finally:
            lib.collect_free(collected.items)

    def joint(self, body, span=None, pieces=0):
        """Limits and start of a joint; or motions over a range of it."""
        limits, start = ffi.new("double[2]"), ffi.new("double *")
        motions = ffi.new("toi_moving_body[]", max(1, pieces * len(self.scene)))
        given = ffi.NULL if span is None else ffi.new("double[2]", span)
        with Call(self.scene._context) as call:
            call.check(
                lib.toi_sweep_scene_joint(call.context, self.scene._scene, body, given, pieces, motions, limits, start)
            )
        return motions if pieces else (limits[0], limits[1], start[0])

    def free(self, name):
        if name not in self.names:
            raise InputError(f"free is {name!r}; the scene has no such body")
        body = self.names.index(name)
        lo, hi, start = self.joint(body)
        if math.isinf(lo) or math.isinf(hi):
            raise InputError(f"free: the joint of {name!r} has no limits; give it \"limits\": [from, to]")
        answer = SweepFree(name)
        answer.lo, answer.below = self.side(body, start, lo)
        answer.hi, answer.above = self.side(body, start, hi)
        return answer

    def side(self, body, start, limit):
        """How far the joint goes towards a limit, and what stops it."""
        pieces = math.ceil(abs(limit - start) / _JOINT_PIECE)
        if pieces > 0:
            motions = self.joint(body, (start, limit), pieces)
        for k in range(pieces):
            impact = self.step(motions + k * len(self.scene))
            if impact.hit.verdict == "miss":
                continue
            span = [start + (limit - start) * (i / pieces) for i in (k, k + 1)]
            slides = _JOINTS[self.scene._scene.joints[body]] == "prismatic"
            return _value_at(slides, *span, impact.hit.t_safe), self.contact_in_joint(impact)
        return limit, None


def _value_at(slides, start, end, t):
    """The value that nlerp has reached at t: of an angle, the tangent of its half is rational in time. Rounded towards
    the start."""
    half = 0.5 * (end - start)
    gone = t * (end - start) if slides else 2 * math.atan2(t * math.sin(half), 1 - t + t * math.cos(half))
    slack = 2.0**-48 * (abs(start) + abs(end))
    return max(start, start + gone - slack) if end > start else min(start, start + gone + slack)


def sweep(scene, options=None, *, all=False, free=None, threads=None, **keywords):
    """The first contact of the bodies of a scene: a SweepAnswer.

    scene: the name of a file, or a SweepScene. all: every pair of bodies that touch, as .hits. free: the name of a body
    with a joint: the largest interval in which nothing touches, everything else as at the start, as .free. Options are
    keywords; see toi.Options. min_separation is the scene's unless it is given.
    """
    if is_path(scene):
        scene = SweepScene(scene, threads=threads)
    elif not isinstance(scene, SweepScene):
        raise TypeError(f"scene: expected the name of a file or a toi.SweepScene, got {type(scene).__name__}")
    elif threads is not None:
        raise InputError("threads: a scene has its own number of threads; give it to toi.SweepScene")
    chosen = options_of(options, keywords)
    if "min_separation" not in chosen._given:
        chosen = Options(chosen, min_separation=scene.min_separation)
    asked = _Sweep(scene, chosen)
    verdict, first = asked.first()
    answer = SweepAnswer(verdict, first, asked.times[-1])
    if all:
        answer.hits = asked.all()
    if free is not None:
        answer.free = asked.free(free)
    return answer
