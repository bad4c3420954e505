# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the libtoi authors
"""Models: many patches; NURBS surfaces and common shapes as such models; contact of models, and of one with itself."""

from collections import namedtuple

import numpy as np

from ._array import characters, doubles, path_bytes, real
from ._context import Call
from ._error import InputError, OutOfMemoryError, text
from ._motion import Motion
from ._native import ffi, lib
from ._step import run_list
from ._surface import MODEL_CONTACTS, Patch, SurfaceHit, SurfaceOptions, _degree, patch_of
from ._thing import Thing, Together, of_class, vector_or_null

ModelContacts = namedtuple("ModelContacts", ("first", "contacts"))
ModelContacts.__doc__ = """The first contact of two models, a SurfaceHit, and all contacts of that moment,
SurfaceHits."""


class Model(Thing):
    """Many patches: toi.Model([patch, ...]), or one that the library makes: toi.Model.sphere(1), toi.Model.read(path).

    A sequence of Patch. domains: (n, 4) numbers u_lo, u_hi, v_lo, v_hi: the rectangle of each patch in the surface from
    which it was cut. Calls only read models, so many threads may use one at once.
    """

    __slots__ = ("_model", "_patches", "_domains")

    def __init__(self, patches, domains=None):
        self._patches = [patch_of(patch, "patches") for patch in patches]
        array = ffi.new("toi_patch[]", max(len(self._patches), 1))
        for i, patch in enumerate(self._patches):
            array[i] = patch._c[0]
        self._model = ffi.new("toi_model *")
        self._model.patches, self._model.patch_count = array, len(self._patches)
        self._domains = None
        if domains is not None:
            self._domains = doubles(domains, (len(self._patches), 4), "domains")
            self._model.domains = ffi.from_buffer("double[][4]", self._domains)
        self._kept, self._handle, self._context = array, self._model, None

    @classmethod
    def _made(cls, make, context=None):
        """make(context, place) is the call of the library's that makes it."""
        model = cls.__new__(cls)
        model._patches = model._domains = None
        model._begin(context)
        place = ffi.new("toi_model *")
        with Call(model._context) as call:
            call.check(make(call.context, place))
            copy = lib.copy_of(place, ffi.sizeof("toi_model"))
            if copy == ffi.NULL:
                lib.toi_model_free(call.context, place)
                raise OutOfMemoryError("no memory for a model")
            model._kept = call.holder.own(copy, "model")
        model._model = model._handle = ffi.cast("toi_model *", copy)
        return model

    @classmethod
    def _in_scene(cls, scene, handle):
        """The model of a body of a scene that was read."""
        model = cls.__new__(cls)
        model._patches = model._domains = None
        model._context, model._kept = scene._context, (scene._kept, scene)
        model._model = model._handle = ffi.cast("toi_model *", handle)
        return model

    @classmethod
    def from_nurbs(cls, degree, knots, points, velocities=None, weights=None, *, periodic=(False, False), context=None):
        """A NURBS surface, cut at its knots into Bezier patches whose errors bound the rounding.

        degree: 1 to 9, in u and v, or one for both. knots: two lists. points: (n, m, 3) control points, v runs fastest;
        velocities likewise; weights (n, m). Periodic directions have n + 1 knots, and their control points wrap around.
        """
        nurbs = ffi.new("toi_nurbs *")
        lib.toi_nurbs_init(nurbs, ffi.sizeof("toi_nurbs"))
        nurbs.degree = _degree(degree)
        if not hasattr(knots, "__len__") or len(knots) != 2 or not hasattr(periodic, "__len__") or len(periodic) != 2:
            raise InputError("knots, periodic: expected two of each, in u and in v")
        vectors = [doubles(vector, (None,), "knots") for vector in knots]
        nurbs.knots = [ffi.from_buffer("double[]", vector) for vector in vectors]
        nurbs.knot_count = [len(vector) for vector in vectors]
        nurbs.periodic = [bool(flag) for flag in periodic]
        net = doubles(points, (None, None, 3), "points")
        nurbs.count, nurbs.points = net.shape[:2], ffi.from_buffer("double[][3]", net)
        if velocities is not None:
            velocities = doubles(velocities, net.shape, "velocities")
            nurbs.velocities = ffi.from_buffer("double[][3]", velocities)
        if weights is not None:
            weights = doubles(weights, net.shape[:2], "weights")
            nurbs.weights = ffi.from_buffer("double[]", weights)
        return cls._made(lambda call, place: lib.toi_model_from_nurbs(call, nurbs, place), context)

    @classmethod
    def from_hermite(cls, corners, velocities=None, *, context=None):
        """A bicubic Hermite patch: (4, 4, 3) numbers: for the corners (0, 0), (0, 1), (1, 0), (1, 1) position, d/du,
        d/dv, d2/dudv; and the velocities of all of these."""
        numbers = doubles(corners, (4, 4, 3), "corners")
        moving = None if velocities is None else doubles(velocities, (4, 4, 3), "velocities")
        given = [
            ffi.NULL if array is None else ffi.from_buffer("double[4][4][3]", array) for array in (numbers, moving)
        ]
        return cls._made(lambda call, place: lib.toi_model_from_hermite(call, *given, place), context)

    @classmethod
    def sphere(cls, radius, *, context=None):
        """A sphere about the origin, exact."""
        return cls._made(lambda call, place: lib.toi_model_sphere(call, real(radius, "radius"), place), context)

    @classmethod
    def cylinder(cls, radius, height, *, context=None):
        """A cylinder about z, exact, open, from z = -height/2 to height/2."""
        sizes = real(radius, "radius"), real(height, "height")
        return cls._made(lambda call, place: lib.toi_model_cylinder(call, *sizes, place), context)

    @classmethod
    def torus(cls, ring_radius, tube_radius, *, context=None):
        """A torus about z, exact but for the sum of its radii."""
        sizes = real(ring_radius, "ring_radius"), real(tube_radius, "tube_radius")
        return cls._made(lambda call, place: lib.toi_model_torus(call, *sizes, place), context)

    @classmethod
    def teapot(cls, *, context=None):
        """The Utah teapot: 32 bicubic patches, z upwards, 3.15 high."""
        return cls._made(lambda call, place: lib.toi_model_teapot(call, place), context)

    @classmethod
    def named(cls, name, *, context=None):
        """A model by one of the names that toi.model_names() lists."""
        taken = characters(name, "name")
        return cls._made(lambda call, place: lib.toi_model_named(call, taken, place), context)

    @classmethod
    def read(cls, path, *, context=None):
        """A model from a JSON file: patches, NURBS, Hermite patches or a shape, optionally gzipped."""
        name = path_bytes(path)
        return cls._made(lambda call, place: lib.toi_model_read(call, name, place), context)

    def write(self, path, *, context=None):
        """Writes the patches to a JSON file; reading gives the same doubles."""
        with Call(context) as call:
            call.check(lib.toi_model_write(call.context, path_bytes(path), self._model))

    def moved(self, shift, velocity=None, *, context=None):
        """A copy, shifted and with a velocity added; rounding is included in the patches' errors."""
        by = ffi.new("double[3]", doubles(shift, (3,), "shift").tolist()), vector_or_null(velocity, "velocity")
        return type(self)._made(lambda call, place: lib.toi_model_moved(call, self._model, *by, place), context)

    @property
    def domains(self):
        """The rectangle of each patch in the surface from which it was cut, (n, 4): u_lo, u_hi, v_lo, v_hi; None: unknown."""
        if self._model.domains == ffi.NULL or len(self) == 0:
            return None
        raw = ffi.buffer(ffi.cast("char *", self._model.domains), 32 * len(self))
        return np.frombuffer(raw).reshape(-1, 4).copy()

    def __len__(self):
        return self._model.patch_count

    def __getitem__(self, number):
        """A patch, with arrays of its own."""
        if not hasattr(number, "__index__"):
            raise TypeError(f"expected the number of a patch, got {type(number).__name__}")
        number = number.__index__()
        if not -len(self) <= number < len(self):
            raise IndexError(f"patch {number} does not exist; the model has {len(self)}")
        if self._patches is not None:
            return self._patches[number]
        return Patch._copy(lib.toi_model_patch(self._model, number % len(self)))

    def __iter__(self):
        return (self[i] for i in range(len(self)))

    def __repr__(self):
        return f"Model({len(self)} {'patch' if len(self) == 1 else 'patches'})"


def model_names():
    """The names for toi.Model.named()."""
    names = []
    while (name := text(lib.toi_model_name(len(names)))) is not None:
        names.append(name)
    return tuple(names)


def model_of(value, what):
    """A Model; patches make one, and so does a name."""
    if isinstance(value, str):
        return Model.named(value)
    if isinstance(value, Patch):
        return Model([value])
    return of_class(value, Model, what)


def _two(a, b):
    """The models of a call, and their structs; b None: of one with itself."""
    a, b = model_of(a, "a"), None if b is None else model_of(b, "b")
    return (a, b), (a._model, ffi.NULL if b is None else b._model)


def model_pair(a, b=None, options=None, *, context=None, threads=None, **keywords):
    """The first contact of two models, over all pairs of patches; b None: of one model with itself. A SurfaceHit.

    Self-contact skips each patch with itself, and neighbours: patches that have a corner with the same position and
    velocity. Options are keywords; see toi.SurfaceOptions.
    """
    _kept, models = _two(a, b)
    chosen = SurfaceOptions._of(options, keywords)
    hit = ffi.new("toi_surface_hit *")
    with Call(context, threads) as call:
        call.check(lib.toi_model_pair(call.context, *models, chosen._for(call), hit))
    return SurfaceHit._of(hit)


def model_contacts(a, b=None, options=None, *, visit=None, context=None, threads=None, **keywords):
    """All contacts of the first moment: from the first one to `simultaneity` after it, at least `spacing` apart.

    Returns ModelContacts: the first one, as of model_pair(), and the list. visit: a function called with each contact
    instead of a list, a SurfaceHit; returning False ends the call.
    """
    _kept, models = _two(a, b)
    chosen = SurfaceOptions._of(options, keywords)
    first = ffi.new("toi_surface_hit *")
    with Call(context, threads) as call:
        given = chosen._for(call)
        contacts = run_list(
            call,
            MODEL_CONTACTS,
            visit,
            lambda visitor, user: lib.toi_model_contacts(call.context, *models, given, first, visitor, user),
        )
    return ModelContacts(SurfaceHit._of(first), contacts)


def rigid_pair(a, b, motion_a=None, motion_b=None, options=None, *, context=None, threads=None, **keywords):
    """The first contact of two models in rigid motion, each a Motion or None: at rest. A SurfaceHit.

    The patches have no velocities of their own. The answer holds for the true motion. Options are keywords; see
    toi.SurfaceOptions.
    """
    _kept, models = _two(a, b)
    given_motions = [None if by is None else of_class(by, Motion, "motion") for by in (motion_a, motion_b)]
    motions = [ffi.NULL if by is None else by._handle for by in given_motions]
    chosen = SurfaceOptions._of(options, keywords)
    hit = ffi.new("toi_surface_hit *")
    with Together([by for by in given_motions if by is not None], context, threads) as call:
        given = chosen._for(call)
        call.check(lib.toi_rigid_pair(call.context, models[0], motions[0], models[1], motions[1], given, hit))
    return SurfaceHit._of(hit)
