# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the libtoi authors
"""Two primitives whose points move on straight lines: single queries, batches, and the methods that answer them."""

import time

import numpy as np

from ._array import FLOAT64, Record, coordinates, doubles, expect_shape, number, numbers, output, struct_dtype
from ._context import Call
from ._error import InputError, text
from ._native import ffi, lib
from ._options import DEFAULT, kind_code, options_of

VERDICTS = ("miss", "hit", "near")
LEVELS = tuple(text(lib.toi_level_name(i)) for i in range(lib.TOI_LEVEL_COUNT))
MISS, HIT, NEAR = lib.TOI_MISS, lib.TOI_HIT, lib.TOI_NEAR

hit_dtype = struct_dtype("toi_hit")


class Hit(Record):
    """The answer to one query; toi.Hit(hits[i]) makes one of an element of a batch.

    For a miss t_lo and t_hi are infinite, t_safe is t_max, u and v are NaN, and point and normal are zero.
    """

    __slots__ = ()
    _type = "toi_hit"
    _shown = ("verdict", "t_lo", "t_hi", "t_safe", "u", "v", "point", "normal")

    verdict = number("verdict", '"hit" and "miss", both proved; "near": neither is.', VERDICTS.__getitem__)
    t_lo = number("t_lo", "A lower bound of the first time of contact; nothing touches before it.")
    t_hi = number("t_hi", "An upper bound of the first time of contact.")
    t_safe = number("t_safe", "A time strictly before contact: step no further. 0 if they touch at the start.")
    u = number("u", "Parameter on the primitives: see toi.query().")
    v = number("v", "Parameter on the primitives: see toi.query().")
    point = coordinates("point", "The contact point.")
    normal = coordinates("normal", "Unit, from the second primitive to the first just before contact, or zero.")
    tolerance_reached = number("tolerance_reached", "Of a near: how close they are known to come; else 0.")
    separation = number("separation", "d: what min_separation and separation_fraction make of it.")
    distance = number("distance", "Of a hit, the distance of the two at the time of contact; else NaN.")
    level = number("level", "The level of the cascade that decided the query.", LEVELS.__getitem__)
    touching_at_start = number("touching_at_start", "They touch, or are within d, at the start.", bool)


# --- single queries ---

_POINTS = ffi.typeof("double[][3]")
_HIT = ffi.typeof("toi_hit *")
_from_buffer, _new = ffi.from_buffer, ffi.new


def _points(value, shape, what):
    """(n, 3) doubles in place, if they are packed; a copy otherwise."""
    if type(value) is np.ndarray and value.dtype is FLOAT64 and value.shape == shape:
        flags = value.flags
        if flags.c_contiguous and flags.aligned:
            return _from_buffer(_POINTS, value)
    return _from_buffer(_POINTS, doubles(value, shape, what))


def _refuse(kind, start, end, options, context=None):
    """Raises the library's message: single queries have no context to hold it, so a batch of one is run instead."""
    query_of_one = np.concatenate([np.asarray(start, FLOAT64), np.asarray(end, FLOAT64)])
    array, hits = _from_buffer("double[]", query_of_one), _new("toi_hit[1]")
    with Call(context) as call:
        call.check(lib.toi_batch(call.context, kind, array, 1, options._c, hits))
    raise InputError("the query was refused")


def _single(function, kind, count):
    shape = (count, 3)

    def ask(start, end, options=None, **keywords):
        chosen = DEFAULT if options is None and not keywords else options_of(options, keywords)
        hit = _new(_HIT)
        if function(_points(start, shape, "start"), _points(end, shape, "end"), chosen._c, hit) != 0:
            _refuse(kind, start, end, chosen)
        return Hit._of(hit)

    return ask


vertex_face = _single(lib.toi_vertex_face, lib.TOI_VERTEX_FACE, 4)
vertex_face.__name__ = vertex_face.__qualname__ = "vertex_face"
vertex_face.__doc__ = """A vertex and a triangle: start and end are (4, 3) arrays of v, f0, f1, f2.

    Contact is at f0 + u (f1 - f0) + v (f2 - f0). Options are keywords; see toi.Options. Returns a Hit.
    """
edge_edge = _single(lib.toi_edge_edge, lib.TOI_EDGE_EDGE, 4)
edge_edge.__name__ = edge_edge.__qualname__ = "edge_edge"
edge_edge.__doc__ = """Two edges: start and end are (4, 3) arrays of ea0, ea1, eb0, eb1.

    Contact is at ea0 + u (ea1 - ea0) and eb0 + v (eb1 - eb0). Options are keywords; see toi.Options. Returns a Hit.
    """
vertex_edge = _single(lib.toi_vertex_edge, lib.TOI_VERTEX_EDGE, 3)
vertex_edge.__name__ = vertex_edge.__qualname__ = "vertex_edge"
vertex_edge.__doc__ = """A vertex and an edge: start and end are (3, 3) arrays of v, e0, e1.

    Contact is at e0 + u (e1 - e0). Options are keywords; see toi.Options. Returns a Hit.
    """
vertex_vertex = _single(lib.toi_vertex_vertex, lib.TOI_VERTEX_VERTEX, 2)
vertex_vertex.__name__ = vertex_vertex.__qualname__ = "vertex_vertex"
vertex_vertex.__doc__ = """Two vertices: start and end are (2, 3) arrays.

    Options are keywords; see toi.Options. Returns a Hit.
    """
for _function in (vertex_face, edge_edge, vertex_edge, vertex_vertex):
    _function.__module__ = "toi"


def query(kind, start, end, options=None, **keywords):
    """One query of any kind: "vf", "ee", "ve", "vv" or the long name.

    start and end are arrays of the query's points, 4, 4, 3 or 2 of them. Options are keywords; see toi.Options. Returns
    a Hit.
    """
    code = kind_code(kind)
    count = lib.toi_kind_points(code)
    if count == 0:
        raise InputError(f"kind is {kind!r}; it must be one of the queries: vf, ee, ve or vv")
    chosen = options_of(options, keywords)
    hit = _new(_HIT)
    if lib.toi_query(code, _points(start, (count, 3), "start"), _points(end, (count, 3), "end"), chosen._c, hit) != 0:
        _refuse(code, start, end, chosen)
    return Hit._of(hit)


def half_space_of(value):
    """A half-space as the library takes it: normal and offset, (4,) numbers or a pair."""
    if isinstance(value, (tuple, list)) and len(value) == 2:
        value = [*doubles(value[0], (3,), "half_space normal").tolist(), value[1]]
    numbers_of = doubles(value, (4,), "half_space").tolist()
    return ffi.new("toi_half_space *", {"normal": numbers_of[:3], "offset": numbers_of[3]})


def vertex_half_space(start, end, half_space, options=None, **keywords):
    """A vertex and an obstacle that does not move: all x with normal . x <= offset.

    start and end are points; half_space is (normal, offset), or the four numbers. Decided exactly, whatever the method.
    Returns a Hit.
    """
    chosen = options_of(options, keywords)
    start, end = doubles(start, (3,), "start"), doubles(end, (3,), "end")
    obstacle = half_space_of(half_space)
    hit = _new(_HIT)
    status = lib.toi_vertex_half_space(
        _from_buffer("double[]", start), _from_buffer("double[]", end), obstacle, chosen._c, hit
    )
    if status != 0:
        if not (np.isfinite(start).all() and np.isfinite(end).all()):
            raise InputError("a coordinate of the vertex is not finite")
        zeros = np.zeros((2, 3))
        normal = np.array(list(obstacle.normal))
        if not np.isfinite(normal).all() or not normal.any() or not np.isfinite(obstacle.offset):
            raise InputError("half_space: its numbers must be finite, and its normal not zero")
        _refuse(lib.TOI_VERTEX_VERTEX, zeros, zeros, chosen)
    return Hit._of(hit)


# --- batches ---

# Between two parts of a batch Python looks for Ctrl-C. Parts begin small, for methods that take milliseconds per query,
# and grow until one takes this long.
_PART_SECONDS = 0.05
_FIRST_PART = 4096


def in_parts(call, count, progress, part):
    """Calls part(begin, size) over `count` items, a fraction of a second at a time."""
    call.watch(progress)
    begin, size = 0, _FIRST_PART
    while True:
        taken = min(size, count - begin)
        clock = time.perf_counter()
        call.check(part(begin, taken), begin)
        begin += taken
        if begin >= count:
            return
        if not call.advance(begin / count):
            call.check(lib.TOI_ERROR_CANCELLED)
        clock = time.perf_counter() - clock
        if clock < _PART_SECONDS:
            size *= 2
        elif clock > 4 * _PART_SECONDS and size > 64:
            size //= 2


def _query_array(kind, queries):
    """The kind's code and points, and the queries as doubles."""
    code = kind_code(kind)
    points = lib.toi_kind_points(code)
    if points == 0:
        raise InputError(f"kind is {kind!r}; it must be one of the queries: vf, ee, ve or vv")
    given = numbers(queries, "queries")
    if given.ndim == 4:
        expect_shape(given, (None, 2, points, 3), "queries")
    elif given.ndim == 2:
        expect_shape(given, (None, 6 * points), "queries")
    else:
        expect_shape(given, (None, 2 * points, 3), "queries")
    return code, points, doubles(given, given.shape, "queries")


def batch(kind, queries, options=None, *, out=None, context=None, threads=None, **keywords):
    """Many queries of one kind, with threads and SIMD; the same bits as single calls.

    queries: (n, 8, 3) doubles for "vf" and "ee", start before end; (n, 6, 3) for "ve", (n, 4, 3) for "vv". (n, 2, k, 3)
    and (n, 24) are taken as well. A packed array of float64 is not copied.
    out: an array of toi.hit_dtype to write to; a new one if it is not given.
    Options are keywords; see toi.Options. Returns the structured array: hits["verdict"] == toi.HIT, hits["t_lo"], ...
    """
    code, points, given = _query_array(kind, queries)
    chosen = options_of(options, keywords)
    count = len(given)
    hits = output(out, (count,), hit_dtype, "out")
    if np.may_share_memory(hits, given):
        raise InputError("out: shares memory with the queries; expected an array of its own")
    if count == 0:
        return hits
    inputs, outputs = _from_buffer("double[]", given), _from_buffer("toi_hit[]", hits, require_writable=True)
    with Call(context, threads) as call:

        def part(begin, size):
            return lib.toi_batch(call.context, code, inputs + begin * 6 * points, size, chosen._c, outputs + begin)

        _all_or_nothing(call, hits, count, chosen._given.get("progress"), part)
    return hits


def _all_or_nothing(call, hits, count, progress, part):
    """In parts; if one fails, every answer becomes the safe one."""
    try:
        in_parts(call, count, progress, part)
    except BaseException:
        hits[...] = SAFE
        raise


SAFE = np.zeros((), hit_dtype)
SAFE["verdict"] = lib.TOI_NEAR
SAFE["u"] = SAFE["v"] = SAFE["distance"] = np.nan
SAFE["tolerance_reached"] = np.inf


def batch_indexed(kind, mesh, pairs, options=None, *, out=None, context=None, threads=None, **keywords):
    """As batch(), with the coordinates of a Mesh: pairs is an (n, 2) array of numbers of primitives.

    Vertex and face, two edges, vertex and edge, two vertices, or vertex and half-space.
    """
    from ._mesh import mesh_of, pair_array

    code = kind_code(kind)
    mesh = mesh_of(mesh)
    chosen = options_of(options, keywords)
    given = pair_array(pairs)
    count = len(given)
    hits = output(out, (count,), hit_dtype, "out")
    inputs, outputs = _from_buffer("toi_pair[]", given), _from_buffer("toi_hit[]", hits, require_writable=True)
    with Call(context, threads) as call:

        def part(begin, size):
            return lib.toi_batch_indexed(call.context, code, mesh._c, inputs + begin, size, chosen._c, outputs + begin)

        _all_or_nothing(call, hits, count, chosen._given.get("progress"), part)
    return hits


# --- batches without their misses ---

_LIST_ROOM = 4096


def _list_hits(call, count, progress, ask):
    """All hits and their numbers: ask(begin, size, list) writes some of them."""
    hits, places = np.zeros(_LIST_ROOM, hit_dtype), np.zeros(_LIST_ROOM, np.uintp)
    found = ffi.new("toi_hit_list *")
    found.hits = _from_buffer("toi_hit[]", hits, require_writable=True)
    found.numbers = _from_buffer("size_t[]", places, require_writable=True)
    found.room = _LIST_ROOM
    listed = ([places[:0].astype(np.int64)], [hits[:0]])

    def part(begin, size):
        end = begin + size
        while begin < end:
            call.check(ask(begin, end - begin, found), begin)
            listed[0].append(places[: found.count].astype(np.int64) + begin)
            listed[1].append(hits[: found.count].copy())
            begin += found.answered
        return lib.TOI_OK

    if count > 0:
        in_parts(call, count, progress, part)
    return np.concatenate(listed[0]), np.concatenate(listed[1])


def batch_hits(kind, queries, options=None, *, context=None, threads=None, **keywords):
    """As batch(), but misses are not written: (numbers, hits), the queries that hit, or come near, and their answers."""
    code, points, given = _query_array(kind, queries)
    chosen = options_of(options, keywords)
    inputs = _from_buffer("double[]", given)
    with Call(context, threads) as call:

        def ask(begin, size, found):
            return lib.toi_batch_hits(call.context, code, inputs + begin * 6 * points, size, chosen._c, found)

        return _list_hits(call, len(given), chosen._given.get("progress"), ask)


def batch_indexed_hits(kind, mesh, pairs, options=None, *, context=None, threads=None, **keywords):
    """As batch_hits(), with the coordinates of a Mesh: pairs is an (n, 2) array of numbers of primitives."""
    from ._mesh import mesh_of, pair_array

    code = kind_code(kind)
    mesh = mesh_of(mesh)
    chosen = options_of(options, keywords)
    given = pair_array(pairs)
    inputs = _from_buffer("toi_pair[]", given)
    with Call(context, threads) as call:

        def ask(begin, size, found):
            return lib.toi_batch_indexed_hits(call.context, code, mesh._c, inputs + begin, size, chosen._c, found)

        return _list_hits(call, len(given), chosen._given.get("progress"), ask)


# --- names ---


def _listed(function):
    names = []
    while (name := text(function(len(names)))) is not None:
        names.append(name)
    return tuple(names)


def methods():
    """The names of the methods that answer queries."""
    return _listed(lib.toi_method_name)


def method_promise(name):
    """What a method promises and what its tolerance bounds; None for an unknown name."""
    return text(lib.toi_method_promise(str(name).encode()))


def broads():
    """The names of the broad phases."""
    return _listed(lib.toi_broad_name)


def broad_promise(name):
    """What a broad phase does; None for an unknown name."""
    return text(lib.toi_broad_promise(str(name).encode()))


def kind_name(kind):
    """The long name of a kind, such as "vertex-face", of its number or its short name."""
    return text(lib.toi_kind_name(kind_code(kind)))


def kind_points(kind):
    """Points in a query of this kind at one time: 4, 4, 3, 2; 0 for kinds that are not queries of points alone."""
    return lib.toi_kind_points(kind_code(kind))


def verdict_name(verdict):
    """The name of a verdict's number, as in structured arrays; None for an unknown one."""
    return text(lib.toi_verdict_name(int(verdict))) if 0 <= int(verdict) < 256 else None


def level_name(level):
    """The name of a level's number, as in structured arrays; None for an unknown one."""
    return text(lib.toi_level_name(int(level))) if 0 <= int(level) < 256 else None


def version():
    """The library's version, as "major.minor.patch"."""
    return text(lib.toi_version())
