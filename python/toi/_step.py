# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the libtoi authors
"""Whole meshes: the earliest impact of a step, every collision, pairs that are close, safe steps, self-intersection.

Each question is written once, in a Question: a call on a mesh and the same call on a Scene differ in the function and
in how they say where the vertices are.
"""

import numpy as np

from ._array import FLOAT64, Record, Records, coordinates, doubles, number, output, pointer, real, records, struct_dtype
from ._context import Call, callback
from ._error import InputError, text
from ._mesh import mesh_of
from ._native import ffi, lib
from ._options import KIND_NAMES, options_of
from ._query import Hit, hit_dtype
from ._distance import Distance

POINTS_RENAMED = {"first": "first_point", "second": "second_point"}
collision_dtype = struct_dtype("toi_collision", **POINTS_RENAMED)
proximal_dtype = struct_dtype("toi_proximal")
crossing_dtype = struct_dtype("toi_crossing")
candidate_dtype = struct_dtype("collected_pair")


class _Pair(Record):
    """A record with a kind and two numbers."""

    __slots__ = ()

    kind = number("kind", 'The kind of the pair: "vertex-face", "edge-edge", ...', KIND_NAMES.__getitem__)
    first = number("pair", "The number of the first primitive.", lambda pair: pair.first)
    second = number("pair", "The number of the second primitive.", lambda pair: pair.second)


class Impact(Record):
    """The first impact of a step: its Hit, and the pair that touches first, which is None for a miss."""

    __slots__ = ()
    _type = "toi_impact"
    _shown = ("hit", "kind", "first", "second")

    @property
    def kind(self):
        """The kind of the pair: "vertex-face", "edge-edge", ..."""
        return KIND_NAMES[self._c.kind] if self._c.hit.verdict != lib.TOI_MISS else None

    @property
    def first(self):
        """The number of the first primitive."""
        return self._c.pair.first if self._c.hit.verdict != lib.TOI_MISS else None

    @property
    def second(self):
        """The number of the second primitive."""
        return self._c.pair.second if self._c.hit.verdict != lib.TOI_MISS else None

    @property
    def hit(self):
        """The answer: a miss if nothing touches."""
        return Hit._of(ffi.new("toi_hit *", self._c.hit))


class Collision(_Pair):
    """A pair that touches during the step."""

    __slots__ = ()
    _type = "toi_collision"
    _shown = ("kind", "first", "second", "hit")

    @property
    def hit(self):
        """The answer: hit or near."""
        return Hit._of(ffi.new("toi_hit *", self._c.hit))

    first_point = coordinates("first", "The contact's point on the first primitive at t = 1.")
    second_point = coordinates("second", "The contact's point on the second primitive at t = 1.")


class Proximal(_Pair):
    """A pair that is close at one instant."""

    __slots__ = ()
    _type = "toi_proximal"
    _shown = ("kind", "first", "second", "distance")

    @property
    def distance(self):
        """The distance, and where the two are closest."""
        return Distance._of(ffi.new("toi_distance *", self._c.distance))


class Crossing(Record):
    """A pair that meets in one state of a mesh: an edge that passes through a face, or two primitives that touch."""

    __slots__ = ()
    _type = "toi_crossing"
    _shown = ("crossing", "kind", "first", "second", "behind")

    crossing = number("crossing", "True: edge `first` passes through face `second`.", bool)
    behind = number("behind", "True: of a vertex and a half-space, the vertex is strictly behind the plane.", bool)
    first = number("pair", "The number of the first primitive.", lambda pair: pair.first)
    second = number("pair", "The number of the second primitive.", lambda pair: pair.second)

    @property
    def kind(self):
        """The kind of the pair; "edge-face" for a crossing."""
        return "edge-face" if self._c.crossing else KIND_NAMES[self._c.kind]


class Candidate(Record):
    """A pair whose swept boxes overlap."""

    __slots__ = ()
    _type = "collected_pair"
    _shown = ("kind", "first", "second")

    kind = number("kind", 'The kind of the pair: "vertex-face", "edge-edge", ...', KIND_NAMES.__getitem__)
    first = number("first", "The number of the first primitive.")
    second = number("second", "The number of the second primitive.")


class _Pairs(Records):
    __slots__ = ()
    _word = "pairs"

    def _summary(self):
        codes, counts = np.unique(self._array["kind"], return_counts=True)
        parts = [f"{count} {KIND_NAMES.get(int(code), code)}" for code, count in zip(codes, counts)]
        return ": " + ", ".join(parts) if parts else ""


class Collisions(_Pairs):
    """Every pair that is hit or near, ordered by kind, then first, then second number."""

    __slots__ = ()
    _record = Collision


class Proximity(_Pairs):
    """Every pair that is close, ordered by kind, then first, then second number."""

    __slots__ = ()
    _record = Proximal


class Candidates(_Pairs):
    """Every candidate of the broad phase, ordered by kind, then first, then second number."""

    __slots__ = ()
    _record = Candidate


class Crossings(Records):
    """Every pair that meets in one state: crossings first, then pairs that touch."""

    __slots__ = ()
    _record = Crossing
    _word = "pairs"

    def _summary(self):
        through = int(np.count_nonzero(self._array["crossing"]))
        return f": {through} crossings, {len(self) - through} touching" if len(self) else ""


class Intersection(Record):
    """Whether one state of a mesh intersects itself, and the first pair that does. True if it does."""

    __slots__ = ()
    _type = "toi_intersection"
    _shown = ("found", "crossing", "kind", "first", "second", "behind")

    found = number("found", "Whether it intersects itself.", bool)
    crossing = number("crossing", "True: edge `first` passes through face `second`; False: two primitives touch.", bool)
    behind = number("behind", "True: vertex `first` is strictly behind half-space `second`.", bool)
    first = number("pair", "The number of the first primitive.", lambda pair: pair.first)
    second = number("pair", "The number of the second primitive.", lambda pair: pair.second)

    @property
    def kind(self):
        """The kind of the pair; "edge-face" for a crossing."""
        return "edge-face" if self._c.crossing else KIND_NAMES[self._c.kind]

    def __bool__(self):
        return bool(self._c.found)


class Advance(Record):
    """A safe step.

    step: fraction of the displacement from start to end; 0 only if a pair touches at the start.
    fraction: every pair keeps more than this fraction of its initial distance until the written positions.
    first: the Impact of the pair that reaches the fraction first; a miss if none does.
    tries: rounded end positions that were tried.
    positions: the vertices after the step: the promise holds for the straight motion to these very numbers.
    """

    __slots__ = ("positions",)
    _type = "toi_advance"
    _shown = ("step", "fraction", "tries", "first")

    step = number("step", "Fraction of the displacement from start to end.")
    fraction = number("fraction", "Every pair keeps more than this fraction of its initial distance.")
    tries = number("tries", "Rounded end positions that were tried.")

    @property
    def first(self):
        """The pair that reaches the fraction first on the whole step."""
        return Impact._of(ffi.new("toi_impact *", self._c.first))


# --- lists, collected in C or handed to a visitor in Python ---


class Stream:
    """A list that the library hands out in pieces: the two visitors for it, and what a piece is."""

    __slots__ = ("collect", "visitor", "dtype", "whole")

    def __init__(self, collect, visitor, dtype, whole):
        self.collect, self.visitor, self.dtype, self.whole = collect, visitor, dtype, whole


def visitor_of(dtype):
    """A visitor that hands copies to Python: the caller may keep them."""

    def visitor(user, items, count):
        return ffi.from_handle(user).show(records(items, count, dtype))

    return visitor


def _define(name, dtype):
    visitor = visitor_of(dtype)
    visitor.__name__ = name
    callback(lib.TOI_ERROR_CALLBACK)(visitor)


_define("python_collisions_visitor", collision_dtype)
_define("python_proximity_visitor", proximal_dtype)
_define("python_crossings_visitor", crossing_dtype)


@callback(lib.TOI_ERROR_CALLBACK)
def python_pairs_visitor(user, kind, pairs, count):
    array = np.empty(count, candidate_dtype)
    numbers = np.frombuffer(ffi.buffer(pairs, 8 * count), np.uint32).reshape(-1, 2)
    array["kind"], array["first"], array["second"] = kind, numbers[:, 0], numbers[:, 1]
    return ffi.from_handle(user).show(array)


def run_list(call, stream, visit, ask):
    """ask(visitor, user) makes the call: into one array, or to the given visitor."""
    if visit is not None:
        if not callable(visit):
            raise TypeError(f"visit: expected a function, got {type(visit).__name__}")
        call.visit = visit
        call.check(ask(stream.visitor, call.handle()))
        return None
    collected = ffi.new("collector *")
    try:
        call.check(ask(stream.collect, collected))
        count = collected.count
        if count == 0:
            return stream.whole(np.empty(0, stream.dtype))
        items = ffi.gc(lib.collect_take(collected, stream.dtype.itemsize), lib.collect_free)
        return stream.whole(np.frombuffer(ffi.buffer(items, count * stream.dtype.itemsize), stream.dtype))
    finally:
        lib.collect_free(collected.items)


COLLISIONS = Stream(
    ffi.addressof(lib, "collect_collisions"), lib.python_collisions_visitor, collision_dtype, Collisions
)
PROXIMITY = Stream(ffi.addressof(lib, "collect_proximity"), lib.python_proximity_visitor, proximal_dtype, Proximity)
CROSSINGS = Stream(ffi.addressof(lib, "collect_crossings"), lib.python_crossings_visitor, crossing_dtype, Crossings)


def _sorted_candidates(array):
    return Candidates(array[np.lexsort((array["second"], array["first"], array["kind"]))])


CANDIDATES = Stream(ffi.addressof(lib, "collect_pairs"), lib.python_pairs_visitor, candidate_dtype, _sorted_candidates)


# --- the questions ---


class Question:
    """Whom to ask, where the vertices are, and with which options: `ask` is a function of the library's that takes the
    context, `where`, and then what the question adds."""

    __slots__ = ("where", "options", "context", "threads")

    def __init__(self, where, options, context, threads):
        self.where, self.options, self.context, self.threads = where, options, context, threads

    def one(self, function, ctype):
        """A question with one struct for an answer."""
        answer = ffi.new(ctype + " *")
        with Call(self.context, self.threads) as call:
            call.check(function(call.context, *self.where, self.options._for_mesh(call), answer))
        return answer

    def listed(self, function, stream, visit, *before):
        """A question with a list for an answer."""
        with Call(self.context, self.threads) as call:
            options = self.options._for_mesh(call)
            return run_list(
                call,
                stream,
                visit,
                lambda visitor, user: function(call.context, *self.where, *before, options, visitor, user),
            )

    def displacements(self, function, count, numbers, out):
        answer = output(out, (count,), FLOAT64, "out")
        place = ffi.from_buffer("double[]", answer, require_writable=True)
        with Call(self.context, self.threads) as call:
            call.check(function(call.context, *self.where, *numbers, self.options._for_mesh(call), place))
        return answer

    def line_search(self, function, layout, out):
        place = layout.like() if out is None else _like(out, layout)
        answer = ffi.new("toi_advance *")
        with Call(self.context, self.threads) as call:
            call.check(function(call.context, *self.where, self.options._for_mesh(call), pointer(place), answer))
        advance = Advance._of(answer)
        advance.positions = place
        return advance


def _like(out, layout):
    """An array of the caller's for positions: of the layout of start and end, so that the library can write to it."""
    start = layout.start
    if not isinstance(out, np.ndarray) or out.dtype != start.dtype or out.shape != start.shape:
        raise InputError(f"out: expected an array of {start.dtype} of shape {start.shape}")
    if not out.flags.writeable:
        raise InputError("out: expected an array to write to, got a read-only one")
    if out.strides != start.strides or not out.flags.aligned:
        raise InputError(f"out: expected the strides of start, {start.strides}, got {out.strides}")
    if np.may_share_memory(out, start) or (layout.end is not None and np.may_share_memory(out, layout.end)):
        raise InputError("out: shares memory with start or end; expected an array of its own")
    return out


def on_mesh(mesh, options, keywords, context, threads):
    return Question((mesh._c,), options_of(options, keywords), context, threads)


def step(mesh, options=None, *, context=None, threads=None, **keywords):
    """The earliest impact of a mesh between its two states, certified.

    mesh: a Mesh with start and end. Options are keywords; see toi.Options. threads: 0: one for each CPU. Returns an
    Impact: impact.hit, and the pair that touches first as impact.kind, impact.first, impact.second.
    """
    mesh = mesh_of(mesh)
    return Impact._of(on_mesh(mesh, options, keywords, context, threads).one(lib.toi_step, "toi_impact"))


def collisions(mesh, options=None, *, visit=None, context=None, threads=None, **keywords):
    """Every pair that touches during the step, ordered by kind, then first, then second number.

    Returns Collisions: a sequence, and with .to_numpy() a structured array of toi.collision_dtype. With visit, a
    function of such arrays, they are passed on in pieces instead; returning False ends the call.
    """
    mesh = mesh_of(mesh)
    return on_mesh(mesh, options, keywords, context, threads).listed(lib.toi_collisions, COLLISIONS, visit)


def proximity(mesh, distance, options=None, *, visit=None, context=None, threads=None, **keywords):
    """Every pair that is at most `distance` apart in the mesh's start, decided exactly.

    Returns Proximity: a sequence, and with .to_numpy() a structured array of toi.proximal_dtype; visit as for
    collisions().
    """
    mesh, distance = mesh_of(mesh), real(distance, "distance")
    return on_mesh(mesh, options, keywords, context, threads).listed(lib.toi_proximity, PROXIMITY, visit, distance)


def safe_displacements(mesh, min_distance, radius, options=None, *, out=None, context=None, threads=None, **keywords):
    """How far each vertex may move on its own, at most `radius`, such that no pair comes within min_distance.

    Returns an array of one number per vertex, decided exactly in the mesh's start.
    """
    mesh = mesh_of(mesh)
    numbers = real(min_distance, "min_distance"), real(radius, "radius")
    question = on_mesh(mesh, options, keywords, context, threads)
    return question.displacements(lib.toi_safe_displacements, len(mesh.start), numbers, out)


def line_search(mesh, options=None, *, out=None, context=None, threads=None, **keywords):
    """The largest safe step from start towards end. No pair comes within min_separation, thickness, and
    separation_fraction of its initial distance.

    out: where the positions go, laid out like start and end. Returns an Advance: .step, .positions, .first, ...
    """
    mesh = mesh_of(mesh)
    return on_mesh(mesh, options, keywords, context, threads).line_search(lib.toi_line_search, mesh._layout, out)


def mesh_intersects(mesh, options=None, *, context=None, threads=None, **keywords):
    """Does the mesh's start intersect itself? Decided exactly. Returns an Intersection, which is true if it does."""
    mesh = mesh_of(mesh)
    question = on_mesh(mesh, options, keywords, context, threads)
    return Intersection._of(question.one(lib.toi_mesh_intersects, "toi_intersection"))


def mesh_crossings(mesh, options=None, *, visit=None, context=None, threads=None, **keywords):
    """Every pair of the mesh's start that meets: edges that pass through faces, then pairs that touch.

    Returns Crossings: a sequence, and with .to_numpy() a structured array of toi.crossing_dtype; visit as for
    collisions().
    """
    mesh = mesh_of(mesh)
    return on_mesh(mesh, options, keywords, context, threads).listed(lib.toi_mesh_crossings, CROSSINGS, visit)


def candidates(mesh, options=None, *, visit=None, context=None, threads=None, **keywords):
    """Every pair whose swept boxes overlap: the broad phase alone.

    Returns Candidates, sorted; with visit, a function of structured arrays of toi.candidate_dtype, they are passed on
    as they are found, in no particular order and from any thread, one piece at a time.
    """
    mesh = mesh_of(mesh)
    return on_mesh(mesh, options, keywords, context, threads).listed(lib.toi_candidates, CANDIDATES, visit)


# --- boxes ---


@callback(lib.TOI_ERROR_CALLBACK)
def python_box_visitor(user, pairs, count):
    array = np.frombuffer(ffi.buffer(pairs, 8 * count), np.uint32).reshape(-1, 2).copy()
    return ffi.from_handle(user).show(array)


def _sorted_boxes(array):
    pairs = array.view(np.uint32).reshape(-1, 2)
    return pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))]


BOXES = Stream(ffi.addressof(lib, "collect_box_pairs"), lib.python_box_visitor, np.dtype("u8"), _sorted_boxes)


def box_pairs(boxes, options=None, *, visit=None, context=None, threads=None, **keywords):
    """Every pair of closed boxes that overlap. boxes: (n, 6): lo x y z, then hi x y z.

    Returns an (n, 2) array of numbers, first < second, sorted; visit as for candidates().
    """
    given = doubles(boxes, (None, 6), "boxes")
    chosen = options_of(options, keywords)
    array = ffi.from_buffer("double[][6]", given)
    with Call(context, threads) as call:
        on_boxes = chosen._for_mesh(call).on_mesh
        return run_list(
            call,
            BOXES,
            visit,
            lambda visitor, user: lib.toi_box_pairs(call.context, array, len(given), on_boxes, visitor, user),
        )
