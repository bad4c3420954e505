# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the libtoi authors
"""Contact stencils: the close pairs of a mesh, reduced to their closest features, with derivatives of the distance."""

from collections import namedtuple

import numpy as np

from ._array import (
    FLOAT64,
    Layout,
    Record,
    coordinates,
    doubles,
    number,
    packed,
    pointer,
    real,
    struct_dtype,
)
from ._context import Call
from ._error import InputError
from ._mesh import mesh_of
from ._native import ffi, lib
from ._options import KIND_NAMES, kind_code
from ._query import in_parts
from ._step import POINTS_RENAMED, Stream, _define, _Pairs, on_mesh, run_list

stencil_dtype = struct_dtype("toi_stencil", **POINTS_RENAMED)
_define("python_stencil_visitor", stencil_dtype)


def _region(region):
    return region.dimension, region.index


class Stencil(Record):
    """An active pair: two features of a mesh that are closest to each other."""

    __slots__ = ()
    _type = "toi_stencil"
    _shown = ("kind", "first", "second", "vertices", "multiplicity", "distance_squared", "weights", "normal")

    kind = number("kind", "The kind of the features.", KIND_NAMES.__getitem__)
    first = number("pair", "The number of the first feature.", lambda pair: pair.first)
    second = number("pair", "The number of the second feature.", lambda pair: pair.second)
    multiplicity = number("multiplicity", "How many close pairs of the mesh were reduced to this one.")
    on_first = number("on_first", "The feature of the closest point on the first: (dimension, index).", _region)
    on_second = number("on_second", "The feature of the closest point on the second: (dimension, index).", _region)
    mollifier_threshold = number("mollifier_threshold", "eps_x of two edges; 0: no mollifier.")
    distance_squared = number("distance_squared", "The square of the distance; 0 only if they touch, or it underflows.")
    first_point = coordinates("first", "The closest point on the first feature.")
    second_point = coordinates("second", "The closest point on the second feature.")
    normal = coordinates("normal", "Unit, from the second point to the first; zero if they touch.")
    tangents = coordinates("tangents", "Two unit vectors, with the normal a right-handed basis.", 2, 3)

    @property
    def vertices(self):
        """The vertices, in the order of a query's points."""
        return tuple(self._c.vertices[i] for i in range(self._c.vertex_count))

    @property
    def weights(self):
        """first_point - second_point is the sum of weights[i] times vertex i."""
        return np.array([self._c.weights[i] for i in range(self._c.vertex_count)])


class Stencils(_Pairs):
    """Every stencil, ordered by kind, then first, then second number."""

    __slots__ = ()
    _record = Stencil
    _word = "stencils"


class _StencilStream(Stream):
    """Stencils have additional options."""

    __slots__ = ()

    def ask(self, question, function, distance, own_options, visit):
        distance = real(distance, "distance")
        struct, _kept = own_options
        with Call(question.context, question.threads) as call:
            options = question.options._for_mesh(call)
            return run_list(
                call,
                self,
                visit,
                lambda visitor, user: function(call.context, *question.where, distance, options, struct, visitor, user),
            )


STENCILS = _StencilStream(ffi.addressof(lib, "collect_stencils"), lib.python_stencil_visitor, stencil_dtype, Stencils)


def stencil_options(layout, rest, mollifier):
    """The struct, and the array of rest positions that it points to: laid out like the start."""
    options = ffi.new("toi_stencil_options *")
    lib.toi_stencil_options_init(options, ffi.sizeof("toi_stencil_options"))
    if mollifier is not None:
        options.mollifier = real(mollifier, "mollifier")
    if rest is not None:
        rest = Layout(rest).start
        start = layout.start
        if rest.shape != start.shape:
            raise InputError(f"rest: expected an array of shape {start.shape}, as start has, got {rest.shape}")
        if rest.dtype != start.dtype or rest.strides != start.strides:
            if rest.dtype == FLOAT64 != start.dtype and not np.array_equal(rest, rest.astype(start.dtype)):
                raise InputError("rest: has doubles that are no floats, but start has floats; use one type for both")
            other = layout.like()
            other[...] = rest
            rest = other
        options.rest = pointer(rest)
    return options, rest


def stencils(mesh, distance, options=None, *, rest=None, mollifier=None, visit=None, context=None, threads=None,
             **keywords):
    """The stencils of all pairs that are at most `distance` apart in the mesh's start.

    rest: the vertices at rest, for the mollifier of nearly parallel edges; the start without it.
    mollifier: eps_x is this times the squared lengths of both edges at rest; 1e-3.
    Returns Stencils: a sequence, and with .to_numpy() a structured array of toi.stencil_dtype; visit as for
    collisions().
    """
    mesh = mesh_of(mesh)
    question = on_mesh(mesh, options, keywords, context, threads)
    own = stencil_options(mesh._layout, rest, mollifier)
    return STENCILS.ask(question, lib.toi_stencils, distance, own, visit)


def stencil_derivatives(kind, points):
    """The squared distance of two features without their borders, its gradient and its Hessian.

    points: (n, 3), in the order of a query. Returns the number, (3 n,) and (3 n, 3 n) arrays.
    """
    code = kind_code(kind)
    size = 3 * lib.toi_kind_points(code)
    if size == 0:
        raise InputError(f"kind is {kind!r}; it must be one of the queries: vf, ee, ve or vv")
    given = doubles(points, (size // 3, 3), "points")
    squared, gradient, hessian = ffi.new("double *"), np.empty(size), np.empty((size, size))
    status = lib.toi_stencil_derivatives(
        code,
        ffi.from_buffer("double[][3]", given),
        squared,
        ffi.from_buffer("double[]", gradient),
        ffi.cast("double *", ffi.from_buffer(hessian)),
    )
    if status != lib.TOI_OK:
        raise InputError("these points have no derivatives: no area, parallel edges, or a number that is not finite")
    return squared[0], gradient, hessian


def stencil_mollifier(points, threshold):
    """The mollifier of two edges, points ea0, ea1, eb0, eb1: its value, gradient (12,) and Hessian (12, 12)."""
    given = doubles(points, (4, 3), "points")
    value, gradient, hessian = ffi.new("double *"), np.empty(12), np.empty((12, 12))
    status = lib.toi_stencil_mollifier(
        ffi.from_buffer("double[][3]", given),
        real(threshold, "threshold"),
        value,
        ffi.from_buffer("double[]", gradient),
        ffi.cast("double *", ffi.from_buffer(hessian)),
    )
    if status != lib.TOI_OK:
        raise InputError("the threshold must be positive and finite, and so must the points and the results be finite")
    return value[0], gradient, hessian


StencilArrays = namedtuple(
    "StencilArrays", ("squared", "gradients", "hessians", "mollifiers", "mollifier_gradients", "mollifier_hessians")
)
StencilArrays.__doc__ = """Derivatives of many stencils; None for those that were not asked for.

Of stencil i gradients[i] and hessians[i] hold 3 * vertex_count, and as many squared, numbers from their beginning; the
rest is zero.
"""
_SHAPES = {
    "squared": ((), "double *"),
    "gradients": ((12,), "double (*)[12]"),
    "hessians": ((144,), "double (*)[144]"),
    "mollifiers": ((), "double *"),
    "mollifier_gradients": ((12,), "double (*)[12]"),
    "mollifier_hessians": ((144,), "double (*)[144]"),
}


def stencil_batch(mesh, stencils, *, wanted=("squared", "gradients", "hessians"), context=None, threads=None):
    """Squared distances, mollifiers and derivatives of stencils, with the coordinates of the mesh's start.

    stencils: Stencils, or a structured array of toi.stencil_dtype. wanted: which arrays of StencilArrays. Returns a
    StencilArrays.
    """
    mesh = mesh_of(mesh)
    given = stencils.to_numpy() if isinstance(stencils, Stencils) else np.asarray(stencils)
    if given.dtype != stencil_dtype or given.ndim != 1:
        raise TypeError(f"stencils: expected toi.Stencils, or an array of toi.stencil_dtype, got {given.dtype}")
    given = packed(given, stencil_dtype)
    wanted = (wanted,) if isinstance(wanted, str) else tuple(wanted)
    unknown = set(wanted) - set(_SHAPES)
    if unknown:
        raise InputError(f"wanted: {unknown.pop()!r} is not one of {', '.join(_SHAPES)}")
    count = len(given)
    results = {name: np.zeros((count, *_SHAPES[name][0])) for name in wanted}
    inputs = ffi.from_buffer("toi_stencil[]", given)
    arrays = ffi.new("toi_stencil_arrays *")
    with Call(context, threads) as call:

        def part(begin, size):
            lib.toi_stencil_arrays_init(arrays, ffi.sizeof("toi_stencil_arrays"))
            for name, array in results.items():
                setattr(arrays, name, pointer(array[begin:], _SHAPES[name][1]))
            return lib.toi_stencil_batch(call.context, mesh._c, inputs + begin, size, arrays)

        in_parts(call, count, None, part)
    return StencilArrays(*(results.get(name) for name in StencilArrays._fields))
