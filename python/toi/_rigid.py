# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the libtoi authors
"""Rigid bodies that turn: pairs of primitives, and whole scenes. docs/turning.md describes the motions.

A pose is seven numbers, position x, y, z and quaternion w, x, y, z of any length but 0; or a pair of the two.
"""

import numpy as np

from ._array import FLOAT64, Record, Records, doubles, number, output, real, struct_dtype
from ._context import Call, Context, callback, whole
from ._error import InputError
from ._mesh import mesh_of, pair_array
from ._motion import Motion
from ._native import ffi, lib
from ._options import KIND_NAMES, kind_code, options_of
from ._query import SAFE, Hit, hit_dtype
from ._step import Stream, run_list, visitor_of
from ._thing import Thing, number_of, of_class

LAWS = ("nlerp", "slerp", "screw", "motion")
REST = (0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0)

rigid_impact_dtype = struct_dtype("toi_rigid_impact")


# --- motions ---


def _pose(value, what):
    """Seven doubles."""
    if value is None:
        return REST
    if isinstance(value, (tuple, list)) and len(value) == 2:
        position = doubles(value[0], (3,), f"{what} position").tolist()
        return (*position, *doubles(value[1], (4,), f"{what} quaternion").tolist())
    return tuple(doubles(value, (7,), what).tolist())


def _put_pose(struct, numbers):
    for i in range(3):
        struct.position[i] = numbers[i]
    for i in range(4):
        struct.quaternion[i] = numbers[3 + i]


class MovingBody:
    """How a body moves over a step: from the pose `start` to the pose `end`; without one of them it is at the origin.

        toi.MovingBody(end=((0, 0, 0), (1, 0, 0, 1)))       # turns by 90 degrees about z

    The position moves on a straight line, the orientation by a law: "nlerp", normalised linear interpolation; "slerp", at
    a constant rate; "screw", with the position on a helix. Or the body follows a toi.Motion, which cannot be changed
    any more: from the first of `times`, its own, to the second.
    """

    __slots__ = ("start", "end", "law", "motion", "times")

    def __init__(self, start=None, end=None, law="nlerp", *, motion=None, times=(0.0, 1.0)):
        self.start = np.array(_pose(start, "start"))
        self.end = np.array(_pose(end, "end"))
        if motion is not None:
            of_class(motion, Motion, "motion")._followed = True
            law = "motion"
        self.law = LAWS[number_of(LAWS, law, "law")]
        if self.law == "motion" and motion is None:
            raise InputError("law is 'motion', but no motion is given")
        self.motion, self.times = motion, tuple(doubles(times, (2,), "times").tolist())

    @classmethod
    def at_rest(cls, pose=None):
        """A body that rests."""
        return cls(pose, pose)

    def _fill(self, struct):
        lib.toi_moving_body_init(struct, ffi.sizeof("toi_moving_body"))
        _put_pose(struct.start, doubles(self.start, (7,), "start").tolist())
        _put_pose(struct.end, doubles(self.end, (7,), "end").tolist())
        struct.law = number_of(LAWS, self.law, "law")
        if self.motion is not None:
            struct.motion = self.motion._handle
            struct.motion_from, struct.motion_to = self.times

    def at(self, t):
        """Where the body is at t in [0, 1], in doubles: seven numbers. Quaternions of nlerp are not normalised."""
        body, pose = ffi.new("toi_moving_body *"), ffi.new("toi_pose *")
        self._fill(body)
        when = real(t, "t")
        if not 0 <= when <= 1:
            raise InputError(f"t is {when:g}; it must be from 0 to 1")
        if lib.toi_moving_body_at(body, when, pose) != 0:
            MovingPair(self, MovingBody())
            raise InputError("the pose was refused")
        return np.array([*ffi.unpack(pose.position, 3), *ffi.unpack(pose.quaternion, 4)])

    def __repr__(self):
        if self.motion is not None:
            return f"MovingBody(motion={self.motion!r}, times={self.times})"
        return f"MovingBody({self.start.tolist()}, {self.end.tolist()}, {self.law!r})"


def moving_body(value, what="body"):
    """A MovingBody of what was given: one, or an array of two poses, or a pair of poses."""
    if isinstance(value, MovingBody):
        return value
    if isinstance(value, np.ndarray):
        return MovingBody(*doubles(value, (2, 7), what))
    if isinstance(value, (tuple, list)) and len(value) == 2:
        return MovingBody(*value)
    raise TypeError(f"{what}: expected a toi.MovingBody or two poses, got {type(value).__name__}")


def _bodies(values):
    """An array of structs, one for each body."""
    if isinstance(values, np.ndarray):
        values = doubles(values, (None, 2, 7), "bodies")
    if not hasattr(values, "__len__") or isinstance(values, (str, bytes)):
        raise TypeError(f"bodies: expected a motion for each body, got {type(values).__name__}")
    array = ffi.new("toi_moving_body[]", max(len(values), 1))
    for i, value in enumerate(values):
        moving_body(value, f"bodies[{i}]")._fill(array + i)
    return array, len(values)


# --- two bodies ---


class MovingPair(Thing):
    """Two bodies in motion, made once for all queries between their primitives.

        pair = toi.MovingPair(door, wall)
        hit = pair.query("vf", points)      # a vertex of the door and a face of the wall, each in its body's frame

    context: a Context of your own; otherwise the pair makes its own, with `threads` threads.
    """

    __slots__ = ("_first", "_second")

    def __init__(self, first, second, *, context=None, threads=None):
        if context is not None and threads is not None:
            raise InputError("threads and context are both given; a context has its own number of threads")
        self._first, self._second = moving_body(first, "first"), moving_body(second, "second")
        both, _count = _bodies((self._first, self._second))
        self._begin(Context(threads) if threads is not None else context)
        self._make("moving_pair", lambda call, place: lib.toi_moving_pair_create(call, both, both + 1, place))

    def query(self, kind, points, options=None, **keywords):
        """One query: 4, 4, 3 or 2 points for "vf", "ee", "ve" or "vv". Returns a Hit, in world coordinates."""
        code, count = _kind_of(kind)
        given = doubles(points, (count, 3), "points")
        chosen = options_of(options, keywords)
        hit = ffi.new("toi_hit *")
        if lib.toi_moving_pair_query(self._handle, code, ffi.from_buffer("double[][3]", given), chosen._c, hit) != 0:
            self.batch(kind, given.reshape(1, count, 3), chosen)
            raise InputError("the query was refused")
        return Hit._of(hit)

    def batch(self, kind, queries, options=None, *, out=None, **keywords):
        """Many queries of one kind, (n, 4, 3) points each; (n, 3, 3) for "ve", (n, 2, 3) for "vv".

        Returns a structured array of toi.hit_dtype, the same bits as single calls.
        """
        code, count = _kind_of(kind)
        given = doubles(queries, (None, count, 3), "queries")
        hits = output(out, (len(given),), hit_dtype, "out")
        inputs = ffi.from_buffer("double[]", given)

        def ask(options, place):
            return lib.toi_moving_pair_batch(self._handle, code, inputs, len(given), options, place)

        return self._ask(hits, options_of(options, keywords), ask)

    def batch_indexed(self, kind, first, second, pairs, options=None, *, out=None, **keywords):
        """As batch(), with the points of two meshes, whose start is in their bodies' frames: pairs is (n, 2) numbers of
        primitives of the first and of the second."""
        code, _count = _kind_of(kind)
        meshes = [mesh_of(first), mesh_of(second)]
        both = ffi.new("toi_mesh *[2]", [mesh._c for mesh in meshes])
        given = pair_array(pairs)
        hits = output(out, (len(given),), hit_dtype, "out")
        inputs = ffi.from_buffer("toi_pair[]", given)

        def ask(options, place):
            return lib.toi_moving_pair_batch_indexed(self._handle, code, both, inputs, len(given), options, place)

        return self._ask(hits, options_of(options, keywords), ask)

    def _ask(self, hits, options, ask):
        if len(hits) == 0:
            return hits
        place = ffi.from_buffer("toi_hit[]", hits, require_writable=True)
        try:
            with Call(self._context) as call:
                call.check(ask(options._c, place))
        except BaseException:
            hits[...] = SAFE
            raise
        return hits

    def __repr__(self):
        return f"MovingPair({self._first!r}, {self._second!r})"


def _kind_of(kind):
    code = kind_code(kind)
    count = lib.toi_kind_points(code)
    if count == 0:
        raise InputError(f"kind is {kind!r}; it must be one of the queries: vf, ee, ve or vv")
    return code, count


# --- whole scenes ---


class RigidImpact(Record):
    """A contact of primitives of two bodies; kind, bodies, first and second are None for a miss."""

    __slots__ = ()
    _type = "toi_rigid_impact"
    _shown = ("hit", "kind", "bodies", "first", "second")

    @property
    def hit(self):
        """The answer, in world coordinates."""
        return Hit._of(ffi.new("toi_hit *", self._c.hit))

    def _if_any(self, value):
        return None if self._c.hit.verdict == lib.TOI_MISS else value

    @property
    def kind(self):
        """The kind of the pair: "vertex-face", "edge-edge", ..."""
        return self._if_any(KIND_NAMES[self._c.kind])

    @property
    def bodies(self):
        """The numbers of the body of the first primitive and of that of the second."""
        return self._if_any((self._c.bodies[0], self._c.bodies[1]))

    @property
    def first(self):
        """The number of the first primitive in the mesh of bodies[0]."""
        return self._if_any(self._c.pair.first)

    @property
    def second(self):
        """The number of the second primitive in the mesh of bodies[1]."""
        return self._if_any(self._c.pair.second)


class RigidCollisions(Records):
    """Every pair of primitives that touches, ordered by kind, bodies, then first and second number."""

    __slots__ = ()
    _record = RigidImpact
    _word = "pairs"


class RigidAdvance(Record):
    """A safe step.

    poses: an (n, 7) array: the motion from each start to its row is proved free.
    """

    __slots__ = ("poses",)
    _type = "toi_rigid_advance"
    _shown = ("step", "tries", "first")

    step = number("step", "Fraction of the motion; 0 only if two bodies touch at the start.")
    tries = number("tries", "Rounded poses that were tried.")

    @property
    def first(self):
        """The first contact of the whole step, a RigidImpact."""
        return RigidImpact._of(ffi.new("toi_rigid_impact *", self._c.first))


class RigidClearance(Record):
    """How close bodies come over a step."""

    __slots__ = ()
    _type = "toi_rigid_clearance"
    _shown = ("lo", "hi", "closest")

    lo = number("lo", "Proved: bodies never come closer.")
    hi = number("hi", "Proved: they come as close. Infinite: not within `most`.")
    tries = number("tries", "Distances that were tried.")

    @property
    def closest(self):
        """The first time at which something is within hi, and what: a RigidImpact."""
        return RigidImpact._of(ffi.new("toi_rigid_impact *", self._c.closest))


_visitor = visitor_of(rigid_impact_dtype)
_visitor.__name__ = "python_rigid_visitor"
callback(lib.TOI_ERROR_CALLBACK)(_visitor)
IMPACTS = Stream(
    ffi.addressof(lib, "collect_rigid_impacts"), lib.python_rigid_visitor, rigid_impact_dtype, RigidCollisions
)


class RigidScene(Thing):
    """Rigid bodies with their meshes, numbered from 0. Motions are given to every call, one for each body: a list of
    toi.MovingBody, or an (n, 2, 7) array of start and end poses.

        scene = toi.RigidScene()
        scene.add(door)                            # a Mesh or a file; its start is in the body's frame
        scene.add(wall, fixed=True)
        impact = scene.step([toi.MovingBody(end=((0, 0, 0), (1, 0, 0, 1))), toi.MovingBody()])

    context: a Context of your own; otherwise the scene makes its own, with `threads` threads.
    """

    __slots__ = ("_count",)

    def __init__(self, *, context=None, threads=None):
        if context is not None and threads is not None:
            raise InputError("threads and context are both given; a context has its own number of threads")
        self._begin(Context(0 if threads is None else threads) if context is None else context)
        self._make("rigid_scene", lambda call, place: lib.toi_rigid_scene_create(call, place))
        self._count = 0

    def add(self, mesh, *, fixed=False):
        """Adds a body and returns its number. Its mesh is copied. fixed: the body rests, and pairs of fixed bodies are
        skipped."""
        mesh = mesh_of(mesh)
        place = ffi.new("uint32_t *")
        with Call(self._context) as call:
            call.check(lib.toi_rigid_scene_add(self._handle, mesh._c, bool(fixed), place))
        self._count = place[0] + 1
        return place[0]

    def ignore(self, first, second):
        """The two bodies may overlap from now on."""
        pair = whole(first, "first", 2**32), whole(second, "second", 2**32)
        with Call(self._context) as call:
            call.check(lib.toi_rigid_scene_ignore(self._handle, *pair))

    def __len__(self):
        return self._count

    def step(self, bodies, options=None, **keywords):
        """The first contact of the step: a RigidImpact."""
        return self._step(*_bodies(bodies), options_of(options, keywords))

    def _step(self, array, count, options):
        impact = ffi.new("toi_rigid_impact *")
        with Call(self._context) as call:
            call.check(lib.toi_rigid_scene_step(self._handle, array, count, options._for_mesh(call), impact))
        return RigidImpact._of(impact)

    def collisions(self, bodies, options=None, *, visit=None, **keywords):
        """Every pair of primitives that touches in the step, with its own first contact.

        Returns RigidCollisions: a sequence, and with .to_numpy() a structured array of toi.rigid_impact_dtype; visit as
        for toi.collisions().
        """
        return self._collisions(*_bodies(bodies), options_of(options, keywords), visit)

    def _collisions(self, array, count, options, visit=None):
        with Call(self._context) as call:
            given = options._for_mesh(call)

            def ask(visitor, user):
                return lib.toi_rigid_scene_collisions(self._handle, array, count, given, visitor, user)

            return run_list(call, IMPACTS, visit, ask)

    def advance(self, bodies, options=None, *, out=None, **keywords):
        """The largest safe step: a RigidAdvance. out: an (n, 7) array for its poses."""
        array, count = _bodies(bodies)
        chosen = options_of(options, keywords)
        poses = output(out, (count, 7), FLOAT64, "out")
        place = ffi.from_buffer("toi_pose[]", poses, require_writable=True) if count else ffi.NULL
        advance = ffi.new("toi_rigid_advance *")
        with Call(self._context) as call:
            call.check(lib.toi_rigid_scene_advance(self._handle, array, count, chosen._for_mesh(call), place, advance))
        answer = RigidAdvance._of(advance)
        answer.poses = poses
        return answer

    def clearance(self, bodies, most, options=None, **keywords):
        """The least distance of any two bodies over the step, searched up to `most`: a RigidClearance. tolerance: the
        width of its bracket, relative."""
        array, count = _bodies(bodies)
        return self._clearance(array, count, real(most, "most"), options_of(options, keywords))

    def _clearance(self, array, count, most, options):
        answer = ffi.new("toi_rigid_clearance *")
        with Call(self._context) as call:
            given = options._for_mesh(call)
            call.check(lib.toi_rigid_scene_clearance(self._handle, array, count, most, given, answer))
        return RigidClearance._of(answer)

    def __repr__(self):
        return f"RigidScene({self._count} bodies)"
