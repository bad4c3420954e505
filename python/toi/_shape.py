# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the libtoi authors
"""Shapes: surfaces in their own coordinates, by formulas, of the library, of patches, or by functions in Python.

A function in Python encloses a surface over a box. The library calls it while C frames wait below: what it raises is
kept with the shape, and continues above those frames.
"""

from collections import namedtuple
from collections.abc import Mapping

import numpy as np

from ._array import characters, doubles, real
from ._context import Call, callback, whole
from ._error import InputError, OptionError, text
from ._formula import Formula, Term, jet_size, term_numbers
from ._model import model_of
from ._motion import Motion
from ._native import ffi, lib
from ._surface import SurfacePoint
from ._thing import WHOLE_LINE, Thing, Together, domain, number_of, of_class

SHAPE_KINDS = tuple(text(lib.toi_shape_kind_name(i)) for i in range(lib.TOI_SHAPE_KIND_COUNT))
BOOLEAN_OPERATIONS = tuple(text(lib.toi_boolean_operation_name(i)) for i in range(3))
SHAPE_FORMS = ("default", "parametric", "implicit")
EDGES = {
    "u-lo": lib.TOI_EDGE_U_LO,
    "u-hi": lib.TOI_EDGE_U_HI,
    "v-lo": lib.TOI_EDGE_V_LO,
    "v-hi": lib.TOI_EDGE_V_HI,
    "u": lib.TOI_EDGES_U,
    "v": lib.TOI_EDGES_V,
}

Extent = namedtuple("Extent", ("implicit", "solid", "edges", "u", "v", "bounds"))
Extent.__doc__ = """What a shape is drawn over. implicit, solid: what it is; edges: the real ones, by name; u, v: of a
parametric shape, (lo, hi); bounds: of an implicit one, (3, 2)."""
ShapeValue = namedtuple("ShapeValue", ("value", "normal"))
ShapeValue.__doc__ = """The function of an implicit shape at a point, and the unit normal there, zero where there
is none."""


def edge_bits(edges):
    """A set of edges: names such as "u-lo" or "u", for both; () for none."""
    if isinstance(edges, str):
        edges = (edges,)
    if not hasattr(edges, "__iter__"):
        raise TypeError(f"edges: expected names of edges, got {type(edges).__name__}")
    bits = 0
    for edge in edges:
        if not isinstance(edge, str) or edge not in EDGES:
            raise OptionError(f"edges: {edge!r} is none; they are {', '.join(map(repr, EDGES))}")
        bits |= EDGES[edge]
    return bits


def shape_kinds():
    """The names of the library's shapes, for toi.Shape.library(), and how many sizes each has."""
    return {name: lib.toi_shape_kind_sizes(i) for i, name in enumerate(SHAPE_KINDS)}


class Enclosure:
    """A function of the caller's that encloses a surface: what the library calls, and what it raised last."""

    __slots__ = ("function", "implicit", "exception", "user", "__weakref__")

    def __init__(self, function, implicit):
        if not callable(function):
            raise TypeError(f"enclose: expected a function, got {type(function).__name__}")
        self.function, self.implicit, self.exception = function, implicit, None
        self.user = ffi.new_handle(self)

    def enclose(self, box, order, jets):
        variables = 4 if self.implicit else 3
        sides = np.frombuffer(ffi.buffer(box, 16 * variables)).reshape(variables, 2).copy()
        answer = self.function(sides, order)
        if answer is None:
            return False
        size = jet_size(variables, order)
        if not self.implicit:
            given = np.asarray(answer)
            answer = given.reshape(-1, 2) if given.shape == (3, size, 2) else given
            size *= 3
        bounds = doubles(answer, (size, 2), "what the function of a shape gives")
        ffi.buffer(jets, 16 * size)[:] = bounds.tobytes()
        return True

    def settle(self):
        """Raises what the function raised."""
        if self.exception is not None:
            exception, self.exception = self.exception, None
            raise exception


@callback(False)
def python_enclose(user, box, order, jets):
    return ffi.from_handle(user).enclose(box, order, jets)


def _formula_of(formula, terms, variables, let):
    """The formula that terms belong to: the one given, that of the first term, or a new one for text."""
    of_terms = next((term.formula for term in terms if isinstance(term, Term)), None)
    if formula is None:
        formula = Formula(*variables) if of_terms is None else of_terms
    of_class(formula, Formula, "formula")
    if let is not None and not isinstance(let, Mapping):
        raise TypeError(f"let: expected names and formulas, got {type(let).__name__}")
    for name, value in (let or {}).items():
        formula.name(name, formula.parse(value) if isinstance(value, str) else value)
    return formula


def _parametric(u, v, edges, solid):
    taken = ffi.new("toi_parametric *")
    lib.toi_parametric_init(taken, ffi.sizeof("toi_parametric"))
    taken.u, taken.v = domain(u, "u"), domain(v, "v")
    taken.edges, taken.solid = edge_bits(edges), bool(solid)
    return taken


def _implicit(bounds, solid):
    taken = ffi.new("toi_implicit *")
    lib.toi_implicit_init(taken, ffi.sizeof("toi_implicit"))
    sides = (WHOLE_LINE,) * 3 if bounds is None else bounds
    if not hasattr(sides, "__len__") or len(sides) != 3:
        raise InputError("bounds: expected three intervals, for x, y and z")
    taken.bounds = [domain(side, "bounds") for side in sides]
    taken.solid = bool(solid)
    return taken


class Shape(Thing):
    """A surface in its own coordinates, made by one of the functions below.

        toi.Shape.library("sphere", 1)
        toi.Shape.parametric("r*cos(u)", "v", "r*sin(u)", u=(0, 6.3), v=(-1, 1), let={"r": "0.3 + 0.05*t*cos(3*v)"})
        toi.Shape.implicit("x^4 + y^4 + (2*z)^4 - 1", bounds=[(-1, 1)] * 3, solid=True)

    edges: those of the rectangle of parameters at which the surface ends, of "u-lo", "u-hi", "v-lo", "v-hi", "u", "v";
    the others are seams, beyond which it continues smoothly. solid: it is closed and bounds a solid.
    context: a Context of your own; otherwise the shape makes its own.
    """

    __slots__ = ("_own", "_name", "_whole", "_operands")

    def __init__(self, *_):
        raise TypeError("a shape is made by Shape.library(), .parametric(), .implicit(), .own(), .patches() and so on")

    @classmethod
    def _made(cls, name, make, context, own=None, using=()):
        shape = cls.__new__(cls)
        shape._own, shape._name, shape._whole = own, name, None
        shape._begin(context)
        place = ffi.new("toi_shape **")
        with Together(using, shape._context) as call:
            status = make(call.context, place)
            if own is not None:
                own.settle()
            call.check(status)
            shape._kept = call.holder.own(place[0], "shape")
        shape._handle = place[0]
        return shape

    @classmethod
    def _part(cls, handle, whole_thing, own, name):
        """A shape that belongs to another one, or to a scene that was read."""
        shape = cls.__new__(cls)
        shape._own, shape._name, shape._whole = own, name, whole_thing
        shape._context, shape._kept = whole_thing._context, whole_thing._kept
        shape._handle = ffi.cast("toi_shape *", handle)
        return shape

    @classmethod
    def parametric(
        cls, x, y, z, u, v, *, edges=("u", "v"), solid=False, triangle=False, formula=None, let=None, context=None
    ):
        """S(u, v, t): x, y and z are formulas in u, v, t, as text or as terms of one Formula.

        u, v: intervals. let: names for parts of the formulas. triangle: over the half of the rectangle at its low
        corner; answers tell s in place of u, u = u[0] + (s - u[0]) (v[1] - v) / (v[1] - v[0]).
        """
        taken = _parametric(u, v, edges, solid)
        taken.edges |= lib.TOI_TRIANGLE if triangle else 0
        formula = _formula_of(formula, (x, y, z), ("u", "v", "t"), let)
        taken.at = term_numbers(formula, (x, y, z), 3, "x, y, z")
        taken.formula = formula._handle
        make = lambda call, place: lib.toi_shape_parametric(call, taken, place)
        return cls._made("parametric", make, context, using=(formula,))

    @classmethod
    def implicit(cls, f, bounds=None, *, solid=False, formula=None, let=None, context=None):
        """F(x, y, z, t) = 0, negative inside a solid: a formula in x, y, z, t, as text or as a term.

        bounds: three intervals in which contacts are searched; None: everywhere, for surfaces that meet a
        bounded one.
        """
        taken = _implicit(bounds, solid)
        formula = _formula_of(formula, (f,), ("x", "y", "z", "t"), let)
        (taken.function,) = term_numbers(formula, (f,), 1, "f")
        taken.formula = formula._handle
        make = lambda call, place: lib.toi_shape_implicit(call, taken, place)
        return cls._made("implicit", make, context, using=(formula,))

    @classmethod
    def own(cls, enclose, *, u=None, v=None, edges=("u", "v"), bounds=None, solid=False, context=None):
        """A surface by a function of your own, enclose(box, order), which gives proved bounds over a box.

        With u and v it is parametric: box is (3, 2) for u, v, t, and the answer (3, n, 2): the jets of x, y and z.
        Without it is implicit: box is (4, 2) for x, y, z, t, and the answer (n, 2). Jets are as of Formula.bounds():
        the value, of order 1 and the gradient, of order 2 and the second derivatives. Returning None gives up, and
        the call raises CallbackError. An exception that it raises is raised by the call.
        """
        if (u is None) != (v is None):
            raise InputError("give u and v for a parametric surface, or neither")
        own = Enclosure(enclose, u is None)
        parametric = ffi.NULL if u is None else _parametric(u, v, edges, solid)
        implicit = _implicit(bounds, solid) if u is None else ffi.NULL
        if u is not None and bounds is not None:
            raise InputError("bounds are of implicit surfaces; a parametric one has u and v")

        def make(call, place):
            return lib.toi_shape_own(call, lib.python_enclose, own.user, parametric, implicit, place)

        return cls._made("own", make, context, own=own)

    @classmethod
    def library(cls, kind, *sizes, form="default", context=None):
        """One of the library's shapes, around the origin, axis z; toi.shape_kinds() lists them.

        plane: none, or size in x and y of the parametric form. sphere: radius. ellipsoid: three half axes. cylinder,
        cone: radius, height. torus: radius of the ring, of the tube. superquadric: three half axes, two exponents.
        bumpy-sphere: radius, height of the bumps, their two numbers. box, wedge: three lengths. capped-cylinder,
        capsule, capped-cone: radius, height. form: "default", "parametric" or "implicit".
        """
        code, which = number_of(SHAPE_KINDS, kind, "kind"), number_of(SHAPE_FORMS, form, "form")
        expected = lib.toi_shape_kind_sizes(code)
        if code == lib.TOI_SHAPE_PLANE:
            expected = 2 if which == lib.TOI_SHAPE_FORM_PARAMETRIC else 0
        if len(sizes) != expected:
            raise InputError(f"{SHAPE_KINDS[code]}: expected {expected} sizes, got {len(sizes)}")
        numbers = ffi.new("double[8]", [real(size, "size") for size in sizes])
        make = lambda call, place: lib.toi_shape_library(call, code, which, numbers, place)
        return cls._made(SHAPE_KINDS[code], make, context)

    @classmethod
    def boolean(cls, operation, operands, bounds=None, *, context=None):
        """A "union", an "intersection" or a "difference", of the first operand minus the others, of implicit solids.

        operands: shapes, or (shape, motion) with a motion that does not depend on time; Boolean shapes are allowed. All are
        copied.
        bounds: three intervals in which contacts are searched, if the operands' own bounds do not contain everything.
        """
        taken = ffi.new("toi_boolean *")
        lib.toi_boolean_init(taken, ffi.sizeof("toi_boolean"))
        taken.operation = number_of(BOOLEAN_OPERATIONS, operation, "operation")
        pairs = [each if isinstance(each, tuple) else (each, None) for each in operands]
        bodies = ffi.new("toi_body[]", max(len(pairs), 1))
        for body, pair in zip(bodies, pairs):
            if len(pair) != 2:
                raise InputError("operands: expected shapes, or pairs of a shape and a motion")
            shape, motion = of_class(pair[0], Shape, "operands"), pair[1]
            body.size, body.shape = ffi.sizeof("toi_body"), shape._handle
            body.motion = ffi.NULL if motion is None else of_class(motion, Motion, "operands")._handle
        taken.count, taken.operands = len(pairs), bodies
        if bounds is not None:
            if not hasattr(bounds, "__len__") or len(bounds) != 3:
                raise InputError("bounds: expected three intervals, for x, y and z")
            taken.bounds = [domain(side, "bounds") for side in bounds]
        make = lambda call, place: lib.toi_shape_boolean(call, taken, place)
        using = [thing for pair in pairs for thing in pair if thing is not None]
        made = cls._made("boolean", make, context, using=using)
        made._operands = tuple(shape for shape, _ in pairs)
        return made

    @classmethod
    def faces(cls, shapes, *, tolerance=1e-6, context=None):
        """A solid joined from faces along the edges that they have in common: open parametric shapes and patches.

        Each points outwards, u to v counterclockwise seen from outside. Edges that belong together are at most the
        tolerance apart, which is proved. The shapes are copied.
        """
        given = [of_class(shape, Shape, "shapes") for shape in shapes]
        taken = ffi.new("toi_faces *")
        lib.toi_faces_init(taken, ffi.sizeof("toi_faces"))
        handles = ffi.new("const toi_shape *[]", [shape._handle for shape in given] or [ffi.NULL])
        taken.count, taken.shapes, taken.tolerance = len(given), handles, real(tolerance, "tolerance")
        make = lambda call, place: lib.toi_shape_faces(call, taken, place)
        return cls._made("faces", make, context, using=given)

    @classmethod
    def revolution(cls, radius, height, v, *, edges=("v",), solid=False, context=None):
        """A profile rotated about z: radius and height are formulas in v and t, as text; v an interval."""
        profile = characters(radius, "radius"), characters(height, "height")
        taken, bits = domain(v, "v"), edge_bits(edges)
        make = lambda call, place: lib.toi_shape_revolution(call, *profile, taken, bits, bool(solid), place)
        return cls._made("revolution", make, context)

    @classmethod
    def prism(cls, polygon, height, *, context=None):
        """A solid: a polygon, (n, 2), extruded along z from -height/2 to height/2."""
        corners = doubles(polygon, (None, 2), "polygon")
        points, length = ffi.cast("const double (*)[2]", ffi.from_buffer(corners)), real(height, "height")
        make = lambda call, place: lib.toi_shape_prism(call, points, len(corners), length, place)
        return cls._made("prism", make, context)

    @classmethod
    def turned(cls, profile, *, context=None):
        """A solid: straight segments through the points (radius, height) of a profile, (n, 2), rotated about z."""
        points = doubles(profile, (None, 2), "profile")
        rows = ffi.cast("const double (*)[2]", ffi.from_buffer(points))
        make = lambda call, place: lib.toi_shape_turned(call, rows, len(points), place)
        return cls._made("turned", make, context)

    @classmethod
    def height_field(cls, z, u, v, *, context=None):
        """(u, v, z): z is a formula in u, v, t, as text; u and v are intervals."""
        height, sides = characters(z, "z"), (domain(u, "u"), domain(v, "v"))
        make = lambda call, place: lib.toi_shape_height_field(call, height, *sides, place)
        return cls._made("height-field", make, context)

    @classmethod
    def patches(cls, model, *, context=None):
        """The patches of a Model, or of a name such as "teapot", as one body. They are copied."""
        model = model_of(model, "model")
        make = lambda call, place: lib.toi_shape_patches(call, model._model, place)
        return cls._made("patches", make, context)

    def __len__(self):
        """How many surfaces it is made of: the patches of a model, 1 for any other shape."""
        return lib.toi_shape_pieces(self._handle)

    def piece(self, number):
        """One of its surfaces, as a shape."""
        handle = lib.toi_shape_piece(self._handle, whole(number, "number", 2**63))
        if handle == ffi.NULL:
            raise IndexError(f"piece {number} does not exist; the shape has {len(self)}")
        return Shape._part(handle, self, self._own, self._name)

    @property
    def extent(self):
        """Its domain: an Extent."""
        found = lib.toi_shape_extent(self._handle)
        pair = lambda side: (side.lo, side.hi)
        if found.implicit:
            bounds = np.array([pair(side) for side in found.bounds])
            return Extent(True, found.solid, (), None, None, bounds)
        edges = tuple(name for name, bit in EDGES.items() if len(name) > 1 and found.edges & bit)
        return Extent(False, found.solid, edges, pair(found.u), pair(found.v), None)

    def _ask(self, ask):
        with Call(self._context) as call:
            status = ask()
            if self._own is not None:
                self._own.settle()
            call.check(status)

    def holds(self, u, v):
        """Whether a point of the rectangle belongs to the surface, and is not outside the outline of a flat face."""
        return bool(lib.toi_shape_holds(self._handle, real(u, "u"), real(v, "v")))

    def point(self, u, v, t=0.0):
        """A point of a parametric shape in its own coordinates, and its unit normal: a SurfacePoint."""
        point, normal = np.zeros(3), np.zeros(3)
        places = [ffi.from_buffer("double[]", array, require_writable=True) for array in (point, normal)]
        where = real(u, "u"), real(v, "v"), real(t, "t")
        self._ask(lambda: lib.toi_shape_point(self._handle, *where, *places))
        return SurfacePoint(point, normal)

    def value(self, point, t=0.0):
        """The function of an implicit shape at a point of its own coordinates, and its unit normal: a ShapeValue."""
        at = ffi.new("double[3]", doubles(point, (3,), "point").tolist())
        normal, value, time = np.zeros(3), ffi.new("double *"), real(t, "t")
        place = ffi.from_buffer("double[]", normal, require_writable=True)
        self._ask(lambda: lib.toi_shape_value(self._handle, at, time, value, place))
        return ShapeValue(value[0], normal)

    def __repr__(self):
        extent = self.extent
        kind = "implicit" if extent.implicit else f"{len(self)} pieces" if len(self) > 1 else "parametric"
        return f"Shape({self._name}, {kind}{', solid' if extent.solid else ''})"
