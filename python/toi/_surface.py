# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the libtoi authors
"""Curved surfaces: Bezier patches, polynomial or rational, whose control points move with constant velocity."""

from collections import namedtuple

import numpy as np

from ._array import Record, Records, characters, coordinates, doubles, number, output, path_bytes, real, struct_dtype
from ._context import Call, callback, name_or_null, whole
from ._error import InputError, text
from ._native import ffi, lib
from ._options import INCLUSIONS, NORMS, choice
from ._query import VERDICTS
from ._step import Stream
from ._thing import StructOptions, of_class, real_field, word_field

PATCH_SHAPES = ("quad", "triangle")
_VERDICT = VERDICTS.__getitem__
ACCEPTS = ("world", "parameter")
SURFACE_ENDS = tuple(text(lib.toi_surface_end_name(i)) for i in range(lib.TOI_SURFACE_END_COUNT))

SurfacePoint = namedtuple("SurfacePoint", ("point", "normal"))
SurfacePoint.__doc__ = """A point of a surface, rounded, and its unit normal there, zero if it is not defined."""
PatchCase = namedtuple("PatchCase", ("a", "b", "t_max"), defaults=(1.0,))
PatchCase.__doc__ = """Two patches and a time: the question is when they first touch in [0, t_max]."""

surface_hit_dtype = struct_dtype("toi_surface_hit")


class SurfaceOptions(StructOptions):
    """Options of questions about patches and models, made once: toi.SurfaceOptions(tolerance=1e-8).

    method: a name that toi.surface_methods() lists; "time-inclusion".
    tolerance: positive: when pieces count as touching without a proof; 1e-6.
    accept: what the tolerance bounds: "world", a distance, or "parameter", a width.
    t_max: >= 0: the call covers [0, t_max]; 1.
    min_separation: d >= 0: contact is "distance <= d"; 0.
    norm: of the separation: "l2" or "linf".
    inclusion: the axes along which pieces are separated: "obb" or "aabb".
    max_checks: the largest number of pairs of pieces checked; 0: the method's default.
    simultaneity: model_contacts() gives contacts up to this time after the first; 0.
    spacing: the distance between them; 0.1.
    progress: True, or a function of the completed fraction; returning False ends the call with CancelledError.
    """

    __slots__ = ()
    _type = "toi_surface_options"
    _init = staticmethod(lib.toi_surface_options_init)
    _fields = {
        "method": lambda value, keep: name_or_null(value, "method", keep),
        **{name: real_field(name) for name in ("tolerance", "t_max", "min_separation", "simultaneity", "spacing")},
        "accept": word_field(ACCEPTS, "accept"),
        "norm": lambda value, keep: choice(value, NORMS, "norm"),
        "inclusion": lambda value, keep: choice(value, INCLUSIONS, "inclusion"),
        "max_checks": lambda value, keep: whole(value, "max_checks", 2**64),
    }


class SurfaceHit(Record):
    """The first contact of two patches or models; toi.SurfaceHit(hits[i]) makes one of an element of a batch.

    For a miss t_lo and t_hi are infinite, t_safe is t_max, parameters are NaN, and point and normals zero.
    """

    __slots__ = ()
    _type = "toi_surface_hit"
    _shown = ("verdict", "t_lo", "t_hi", "t_safe", "patch_a", "a", "patch_b", "b", "point", "end")

    verdict = number("verdict", '"hit": contact is proved; "miss": there is none, proved; "near": neither.', _VERDICT)
    t_lo = number("t_lo", "A lower bound of the first time of contact; nothing touches before it.")
    t_hi = number("t_hi", "An upper bound of the first time of contact.")
    t_safe = number("t_safe", "Strictly before contact; 0 if they may touch at the start.")
    a = coordinates("a", "u, v of the contact on the first patch.", 2)
    b = coordinates("b", "u, v of the contact on the second patch.", 2)
    point = coordinates("point", "The contact, half way between the two.")
    normal_a = coordinates("normal_a", "The unit normal of the first patch; zero if it is not defined.")
    normal_b = coordinates("normal_b", "The unit normal of the second patch; zero if it is not defined.")
    distance = number("distance", "Between the two points, as computed; NaN for a miss.")
    tolerance_reached = number("tolerance_reached", "Of a near: how close they are known to come; else 0.")
    checks = number("checks", "Pairs of pieces checked.")
    pieces = number("pieces", "Pieces that patches were split into.")
    patch_a = number("patch_a", "The number of the first patch in its model.")
    patch_b = number("patch_b", "The number of the second patch in its model.")
    end = number("end", "Why the search ended; see toi.surface_end_name().", SURFACE_ENDS.__getitem__)
    touching_at_start = number("touching_at_start", "Proved: they touch at t = 0.", bool)


class SurfaceHits(Records):
    """Contacts of models: a sequence of SurfaceHit over one structured array."""

    __slots__ = ()
    _record = SurfaceHit
    _word = "contacts"


# --- patches ---


def patch_points(shape, degree):
    """The number of control points of a patch: a "quad" of degree (m, n), or a "triangle" of degree n; 0: there is none
    such."""
    return lib.toi_patch_points(_shape_code(shape), _degree(degree))


def _shape_code(shape):
    if shape not in PATCH_SHAPES:
        raise InputError(f"shape is {shape!r}; it must be 'quad' or 'triangle'")
    return PATCH_SHAPES.index(shape)


def _degree(degree):
    """One degree, or that in u and in v."""
    pair = (degree, degree) if not hasattr(degree, "__len__") else tuple(degree)
    if len(pair) != 2:
        raise InputError(f"degree: expected one number or two, got {degree!r}")
    return ffi.new("uint32_t[2]", [whole(part, "degree", 2**32) for part in pair])


def _triangle_degree(count):
    """The degree of a triangle with so many control points."""
    degree = int((np.sqrt(8.0 * count + 1) - 3) / 2 + 0.5)
    if count < 1 or (degree + 1) * (degree + 2) // 2 != count:
        raise InputError(f"points: {count} control points make no triangle; it has (n + 1)(n + 2)/2 of them")
    return degree


class Patch:
    """A Bezier patch whose control points move with constant velocity.

        toi.Patch(points)                             # a quad: (m + 1, n + 1, 3) control points, v runs fastest
        toi.Patch(points, shape="triangle")           # ((n + 1)(n + 2)/2, 3): the power of v outside, that of u inside

    velocities: of the shape of points; None: at rest. weights: one for each point, positive; None: polynomial.
    degree: of quads whose points are given as one list. error, velocity_error: the intended patch stays
    within error + t velocity_error of the given one. Packed arrays of float64 are not copied.
    """

    __slots__ = ("_c", "_points", "_velocities", "_weights", "__weakref__")

    def __init__(
        self, points, velocities=None, weights=None, *, shape="quad", degree=None, error=0.0, velocity_error=0.0
    ):
        code = _shape_code(shape)
        array = np.asarray(points)
        if array.ndim == 3 and shape == "quad":
            if 0 in array.shape[:2]:
                raise InputError(f"points: expected one control point at least, got an array of shape {array.shape}")
            self._points = doubles(array, (None, None, 3), "points")
            found = array.shape[0] - 1, array.shape[1] - 1
            if degree is not None and list(_degree(degree)) != list(found):
                raise InputError(f"degree is {degree}; points of shape {array.shape} are of degree {found}")
            degree = found
        else:
            self._points = doubles(array, (None, 3), "points")
            if degree is None and shape == "quad":
                raise InputError("points: expected an array of shape (m + 1, n + 1, 3), or give the degree")
            degree = _triangle_degree(len(array)) if degree is None else degree
        layout = self._points.shape
        self._velocities = None if velocities is None else doubles(velocities, layout, "velocities")
        self._weights = None if weights is None else doubles(weights, layout[:-1], "weights")
        self._describe(code, _degree(degree), real(error, "error"), real(velocity_error, "velocity_error"))

    def _describe(self, code, degree, error, velocity_error):
        count = self._points.size // 3
        if lib.toi_patch_points(code, degree) != count:
            kind = f"a {PATCH_SHAPES[code]} of degree {list(degree)}"
            most = f"degrees are {lib.TOI_PATCH_DEGREE_MOST} at most"
            raise InputError(f"points: {count} control points do not make {kind}; {most}")
        self._c = ffi.new("toi_patch *")
        lib.toi_patch_init(self._c, ffi.sizeof("toi_patch"))
        self._c.shape, self._c.degree = code, degree
        self._c.points = ffi.from_buffer("double[][3]", self._points)
        if self._velocities is not None:
            self._c.velocities = ffi.from_buffer("double[][3]", self._velocities)
        if self._weights is not None:
            self._c.weights = ffi.from_buffer("double[]", self._weights)
        self._c.error, self._c.velocity_error = error, velocity_error

    @classmethod
    def _copy(cls, struct):
        """Of a patch of the library's, with arrays of its own."""
        patch = cls.__new__(cls)
        degree = ffi.new("uint32_t[2]", list(struct.degree))
        count = lib.toi_patch_points(struct.shape, degree)
        shape = (degree[0] + 1, degree[1] + 1, 3) if struct.shape == lib.TOI_PATCH_QUAD else (count, 3)

        def taken(place, layout):
            if place == ffi.NULL:
                return None
            size = int(np.prod(layout)) * 8
            return np.frombuffer(ffi.buffer(ffi.cast("char *", place), size)).reshape(layout).copy()

        patch._points, patch._velocities = taken(struct.points, shape), taken(struct.velocities, shape)
        patch._weights = taken(struct.weights, shape[:-1])
        patch._describe(struct.shape, degree, struct.error, struct.velocity_error)
        return patch

    @property
    def shape(self):
        """ "quad" or "triangle"."""
        return PATCH_SHAPES[self._c.shape]

    @property
    def degree(self):
        """The degree: (m, n) of a quad, n of a triangle."""
        return tuple(self._c.degree) if self.shape == "quad" else self._c.degree[0]

    @property
    def points(self):
        """The control points at t = 0."""
        return self._points

    @property
    def velocities(self):
        """Their velocities; None: at rest."""
        return self._velocities

    @property
    def weights(self):
        """Their weights; None: polynomial."""
        return self._weights

    @property
    def error(self):
        """A bound on the distance of the intended patch from the given one, at t = 0."""
        return self._c.error

    @property
    def velocity_error(self):
        """By how much this bound grows per unit of time."""
        return self._c.velocity_error

    def point(self, u, v, t=0.0, *, context=None):
        """A point of the patch at a time, and its unit normal: a SurfacePoint."""
        point, normal = np.empty(3), np.empty(3)
        places = [ffi.from_buffer("double[]", array, require_writable=True) for array in (point, normal)]
        with Call(context) as call:
            call.check(lib.toi_patch_point(call.context, self._c, real(u, "u"), real(v, "v"), real(t, "t"), *places))
        return SurfacePoint(point, normal)

    def __repr__(self):
        kind = "rational " if self._weights is not None else ""
        return f"Patch({kind}{self.shape} of degree {self.degree}{'' if self._velocities is None else ', moving'})"


def patch_of(value, what):
    return value if isinstance(value, Patch) else of_class(value, Patch, what)


def patch_pair(a, b, options=None, *, context=None, threads=None, **keywords):
    """The first contact of two patches: a SurfaceHit. Options are keywords; see toi.SurfaceOptions."""
    patch_of(a, "a"), patch_of(b, "b")
    chosen = SurfaceOptions._of(options, keywords)
    hit = ffi.new("toi_surface_hit *")
    with Call(context, threads) as call:
        call.check(lib.toi_patch_pair(call.context, a._c, b._c, chosen._for(call), hit))
    return SurfaceHit._of(hit)


def _case_array(cases):
    """Cases as the library takes them, and what they point to."""
    taken = [case if isinstance(case, PatchCase) else PatchCase(*case) for case in cases]
    array = ffi.new("toi_patch_case[]", max(len(taken), 1))
    for i, case in enumerate(taken):
        lib.toi_patch_case_init(array + i, ffi.sizeof("toi_patch_case"))
        array[i].a, array[i].b = patch_of(case.a, "a")._c, patch_of(case.b, "b")._c
        array[i].t_max = real(case.t_max, "t_max")
    return array, taken


def patch_batch(cases, options=None, *, out=None, context=None, threads=None, **keywords):
    """Many pairs of patches, on all threads: a list of PatchCase, or of (a, b) or (a, b, t_max).

    Each has its own time; the option t_max is ignored. Returns an array of toi.surface_hit_dtype.
    """
    array, taken = _case_array(cases)
    chosen = SurfaceOptions._of(options, keywords)
    hits = output(out, (len(taken),), surface_hit_dtype, "out")
    if not taken:
        return hits
    place = ffi.from_buffer("toi_surface_hit[]", hits, require_writable=True)
    with Call(context, threads) as call:
        call.check(lib.toi_patch_batch(call.context, array, len(taken), chosen._for(call), place))
    return hits


def cases_read(path, *, context=None):
    """Reads a file of cases, JSON Lines, optionally gzipped: a list of PatchCase."""
    found = ffi.new("toi_case_set *")
    with Call(context) as call:
        call.check(lib.toi_cases_read(call.context, path_bytes(path), found))
        try:
            cases = (lib.toi_case_set_case(found, i) for i in range(found.count))
            return [PatchCase(Patch._copy(case.a), Patch._copy(case.b), case.t_max) for case in cases]
        finally:
            lib.toi_cases_free(call.context, found)


def cases_write(path, cases, *, context=None):
    """Writes a file of cases, as toi.patch_batch() takes them; reading gives the same doubles."""
    array, taken = _case_array(cases)
    given = ffi.new("toi_case_set *")
    given.cases, given.count = array, len(taken)
    with Call(context) as call:
        call.check(lib.toi_cases_write(call.context, path_bytes(path), given))


# --- words ---


def surface_methods():
    """The names of the methods for patches and models."""
    names = []
    while (name := text(lib.toi_surface_method_name(len(names)))) is not None:
        names.append(name)
    return tuple(names)


def surface_method_promise(name):
    """What a method promises, in a sentence or two; None for an unknown name."""
    return text(lib.toi_surface_method_promise(characters(name, "name")))


def surface_end_name(end):
    """The name of the reason why a search ended, from its number in structured arrays; None for an unknown number."""
    return text(lib.toi_surface_end_name(int(end))) if 0 <= int(end) < lib.TOI_SURFACE_END_COUNT else None


# --- lists of contacts ---


@callback(lib.TOI_ERROR_CALLBACK)
def python_model_visitor(user, contact):
    return ffi.from_handle(user).show(SurfaceHit(ffi.buffer(contact)[:]))


MODEL_CONTACTS = Stream(
    ffi.addressof(lib, "collect_model_contacts"), lib.python_model_visitor, surface_hit_dtype, SurfaceHits
)
