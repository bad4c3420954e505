# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the libtoi authors
"""The distance of two primitives at one instant: enclosed in doubles, or exactly as a rational number."""

from fractions import Fraction

import numpy as np

from ._array import Record, coordinates, doubles, number, output, real, struct_dtype
from ._context import Call
from ._error import InputError, error_of
from ._native import ffi, lib
from ._options import kind_code, norm_code
from ._query import half_space_of, in_parts

distance_dtype = struct_dtype("toi_distance")


class Distance(Record):
    """A distance between two primitives, where they are closest, and in which features.

    on_first and on_second are (dimension, index): 0 a point, 1 an edge from point `index` to the next, 2 the face.
    """

    __slots__ = ()
    _type = "toi_distance"
    _shown = ("lo", "hi", "u", "v", "first", "second", "on_first", "on_second")

    lo = number("lo", "Proved: not above the distance.")
    hi = number("hi", "Proved: not below the distance.")
    u = number("u", "Parameter of the closest points, as of a query.")
    v = number("v", "Parameter of the closest points, as of a query.")
    first = coordinates("first", "The closest point on the first primitive.")
    second = coordinates("second", "The closest point on the second primitive.")
    on_first = number("on_first", "The feature of the first: (dimension, index).", lambda r: (r.dimension, r.index))
    on_second = number("on_second", "The feature of the second: (dimension, index).", lambda r: (r.dimension, r.index))


def _instant(kind, points):
    """Kind and points of one pair, checked."""
    code = kind_code(kind)
    count = lib.toi_kind_points(code)
    if count == 0:
        raise InputError(f"kind is {kind!r}; it must be one of the queries: vf, ee, ve or vv")
    array = doubles(points, (count, 3), "points")
    if not np.isfinite(array).all():
        raise InputError("points: a coordinate is not finite")
    return code, ffi.from_buffer("double[][3]", array)


def distance_fast(kind, points, norm="l2"):
    """The distance of two primitives at one instant, in doubles with proved bounds.

    points: those of a query at one time, (4, 3), (3, 3) or (2, 3). Returns a Distance.
    """
    code, array = _instant(kind, points)
    answer = ffi.new("toi_distance *")
    status = lib.toi_distance_fast(code, array, norm_code(norm), answer)
    if status != lib.TOI_OK:
        raise error_of(status)
    return Distance._of(answer)


def distance_batch(kind, points, norm="l2", *, out=None, context=None, threads=None, progress=None):
    """Many distances of one kind: points is (n, 4, 3) for "vf" and "ee", (n, 3, 3), (n, 2, 3).

    Returns a structured array of toi.distance_dtype: "lo", "hi", "u", "v", "first", "second", ...
    """
    code = kind_code(kind)
    count = lib.toi_kind_points(code)
    if count == 0:
        raise InputError(f"kind is {kind!r}; it must be one of the queries: vf, ee, ve or vv")
    given = doubles(points, (None, count, 3), "points")
    answers = output(out, (len(given),), distance_dtype, "out")
    inputs = ffi.from_buffer("double[]", given)
    outputs = ffi.from_buffer("toi_distance[]", answers, require_writable=True)
    chosen = norm_code(norm)
    with Call(context, threads) as call:

        def part(begin, size):
            return lib.toi_distance_batch(call.context, code, inputs + begin * 3 * count, size, chosen, outputs + begin)

        in_parts(call, len(given), progress, part)
    return answers


def distance_batch_indexed(kind, mesh, pairs, norm="l2", *, out=None, context=None, threads=None, progress=None):
    """As distance_batch(), with the points of a mesh at its start; pairs: (n, 2) numbers of primitives."""
    from ._mesh import mesh_of, pair_array

    code, mesh, given = kind_code(kind), mesh_of(mesh), pair_array(pairs)
    answers = output(out, (len(given),), distance_dtype, "out")
    inputs = ffi.from_buffer("toi_pair[]", given)
    outputs = ffi.from_buffer("toi_distance[]", answers, require_writable=True)
    chosen = norm_code(norm)
    with Call(context, threads) as call:

        def part(begin, size):
            return lib.toi_distance_batch_indexed(
                call.context, code, mesh._c, inputs + begin, size, chosen, outputs + begin
            )

        in_parts(call, len(given), progress, part)
    return answers


def half_space_distance(point, half_space, norm="l2"):
    """The distance of a vertex and a half-space, which is (normal, offset) or the four numbers. Returns a Distance."""
    place = doubles(point, (3,), "point")
    answer = ffi.new("toi_distance *")
    obstacle = half_space_of(half_space)
    status = lib.toi_half_space_distance(ffi.from_buffer("double[]", place), obstacle, norm_code(norm), answer)
    if status != lib.TOI_OK:
        raise InputError("point and half_space must be finite, and the normal not zero") from error_of(status)
    return Distance._of(answer)


def distance_rational(kind, points, norm="l2"):
    """Exactly, as a Fraction: the square of the distance ("l2"), or the distance ("linf")."""
    code, array = _instant(kind, points)
    chosen = norm_code(norm)
    size = ffi.new("size_t *", 4096)
    buffer = ffi.new("char[]", size[0])
    status = lib.toi_distance_rational(code, array, chosen, buffer, size)
    if status == lib.TOI_ERROR_MEMORY and size[0] > 4096:
        buffer = ffi.new("char[]", size[0])
        status = lib.toi_distance_rational(code, array, chosen, buffer, size)
    if status != lib.TOI_OK:
        raise error_of(status)
    numerator, denominator = ffi.string(buffer).decode().split("/")
    return Fraction(int(numerator, 16), int(denominator, 16))


def distance_part(kind, points, factor, norm="l2"):
    """The largest double not above factor times the distance: as separation_fraction uses it."""
    code, array = _instant(kind, points)
    factor = real(factor, "factor")
    part = ffi.new("double *")
    status = lib.toi_distance_part(code, array, norm_code(norm), factor, part)
    if status != lib.TOI_OK:
        raise InputError(f"factor is {factor}; it must be finite and not negative") from error_of(status)
    return part[0]
