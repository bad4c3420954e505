# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the libtoi authors
"""Rigid motions: a body's point p is at R(t) p + T(t), R a rotation."""

from collections import namedtuple

import numpy as np

from ._array import characters, doubles, real
from ._context import Call, whole
from ._error import InputError
from ._formula import Formula, term_numbers
from ._native import ffi, lib
from ._thing import Thing, Together, domain, of_class, texts, vector_or_null

Pose = namedtuple("Pose", ("rotation", "translation"))
Pose.__doc__ = """Where a motion is over a time: rotation (3, 3, 2) and translation (3, 2), lower and upper bounds
last."""


def chebyshev_node(t_from, t_to, number, count):
    """The time of sample `number` of `count`, as required by Motion.fitted(); NaN if there is none."""
    return lib.toi_chebyshev_node(
        real(t_from, "t_from"), real(t_to, "t_to"), whole(number, "number", 2**64), whole(count, "count", 2**64)
    )


class Motion(Thing):
    """A rigid motion. It starts at rest at the origin, and each call adds a step.

        spin = toi.Motion().turn((0, 0, 1), rate=2.5).move((4, 0, 0), velocity=(-1, 0, 0))

    A step applies to the body as moved so far, in world axes. Rotations stay rotations in spite of rounding.
    context: a Context of your own; otherwise the motion makes its own.
    """

    __slots__ = ("_steps", "_scene", "_followed")

    def __init__(self, *, context=None):
        self._steps, self._scene, self._followed = [], None, False
        self._begin(context)
        self._make("motion", lambda call, place: lib.toi_motion_create(call, place))

    @classmethod
    def _in_scene(cls, scene, handle):
        """The motion of a body of a scene that was read."""
        motion = cls.__new__(cls)
        motion._context, motion._handle, motion._kept = scene._context, ffi.cast("toi_motion *", handle), scene._kept
        motion._steps, motion._scene, motion._followed = [], scene, False
        return motion

    def __repr__(self):
        if self._scene is not None:
            return f"Motion(of {self._scene!r})"
        return f"Motion({', '.join(self._steps) or 'rest'})"

    def _go(self, name, function, *arguments, using=()):
        if self._scene is not None:
            raise InputError("the motion belongs to a scene that was read, and cannot be changed")
        if self._followed:
            raise InputError("a body follows the motion, which cannot be changed any more; make another one")
        with Together((self, *using), self._context) as call:
            call.check(function(self._handle, *arguments))
            self._steps.append(name)
        return self

    def move(self, shift=None, velocity=None):
        """A displacement by shift + t velocity. Returns the motion, so that calls can follow each other."""
        return self._go(
            "move", lib.toi_motion_move, vector_or_null(shift, "shift"), vector_or_null(velocity, "velocity")
        )

    def turn(self, axis, angle=0.0, rate=0.0, through=None):
        """A rotation by angle + t rate, radians, counterclockwise about the axis through a point (None: the origin).

        angle: a number, a formula in t as text, or a Term of a formula whose one variable is t.
        """
        direction = ffi.new("double[3]", doubles(axis, (3,), "axis").tolist())
        rate = real(rate, "rate")
        if isinstance(angle, str) or hasattr(angle, "formula"):
            if rate != 0 or through is not None:
                raise InputError("an angle by a formula takes no rate and no point; write the rate into the formula")
            if isinstance(angle, str):
                return self._go("turn", lib.toi_motion_turn_formula, direction, characters(angle, "angle"))
            formula = of_class(angle.formula, Formula, "angle")
            number = angle.number
            return self._go("turn", lib.toi_motion_turn_term, direction, formula._handle, number, using=(formula,))
        point = vector_or_null(through, "through")
        return self._go("turn", lib.toi_motion_turn, direction, point, real(angle, "angle"), rate)

    def spin(self, rate, through=None):
        """A rotation at a constant rate: about the axis `rate` through a point (None: the origin), by its length."""
        axis = ffi.new("double[3]", doubles(rate, (3,), "rate").tolist())
        return self._go("spin", lib.toi_motion_spin, axis, vector_or_null(through, "through"))

    def screw(self, axis, through=(0.0, 0.0, 0.0), angle=0.0, rate=0.0, shift=0.0, speed=0.0):
        """As turn, with a displacement along the axis by shift + t speed at the same time."""
        screw = ffi.new("toi_screw *")
        lib.toi_screw_init(screw, ffi.sizeof("toi_screw"))
        screw.axis = doubles(axis, (3,), "axis").tolist()
        screw.through = doubles(through, (3,), "through").tolist()
        screw.angle, screw.rate = real(angle, "angle"), real(rate, "rate")
        screw.shift, screw.speed = real(shift, "shift"), real(speed, "speed")
        return self._go("screw", lib.toi_motion_screw, screw)

    def formula(self, quaternion=None, translation=None):
        """By formulas in t, as text: quaternion w, x, y, z, of any length but 0, and translation; None: none."""
        turned = (ffi.NULL,) if quaternion is None else texts(quaternion, 4, "quaternion")
        shifted = (ffi.NULL,) if translation is None else texts(translation, 3, "translation")
        return self._go("formula", lib.toi_motion_formula, turned[0], shifted[0])

    def terms(self, formula, quaternion=None, translation=None):
        """The same by terms of a Formula whose one variable is t."""
        of_class(formula, Formula, "formula")
        turned = shifted = ffi.NULL
        if quaternion is not None:
            turned = ffi.new("toi_term[4]", term_numbers(formula, quaternion, 4, "quaternion"))
        if translation is not None:
            shifted = ffi.new("toi_term[3]", term_numbers(formula, translation, 3, "translation"))
        return self._go("terms", lib.toi_motion_terms, formula._handle, turned, shifted, using=(formula,))

    def chebyshev(self, over, quaternion=None, translation=None):
        """Chebyshev series over the times `over`: c0 + c1 T1(s) + ..., s from -1 to 1.

        quaternion: (4, n) coefficients of w, x, y, z; translation: (3, n); None: none. The series is the motion itself.
        """
        series, *_kept = _series(over, quaternion, translation)
        return self._go("chebyshev", lib.toi_motion_chebyshev, series)

    def fitted(self, over, quaternion=None, translation=None, derivative_bound=None):
        """A series through samples of a motion at the n times chebyshev_node(), the first one first.

        quaternion: (4, n) samples; translation: (3, n). derivative_bound: at least the n-th derivative of every
        component of the true motion; then answers hold for the true motion. None: the series is the motion.
        """
        samples, *_kept = _series(over, quaternion, translation)
        bound = ffi.NULL
        if derivative_bound is not None:
            bound = ffi.new("double *", real(derivative_bound, "derivative_bound"))
        return self._go("fitted", lib.toi_motion_fitted, samples, bound)

    def poses(self, body):
        """As a toi.MovingBody goes between its poses, over the motion's times from 0 to 1: so chains of links are made,
        the last link first."""
        from ._rigid import moving_body  # which needs this module

        link = ffi.new("toi_moving_body *")
        moving_body(body)._fill(link)
        return self._go("poses", lib.toi_motion_poses, link)

    def linear(self):
        """(shift, velocity) if the motion is exactly a displacement by shift + t velocity; else None."""
        shift, velocity = ffi.new("double[3]"), ffi.new("double[3]")
        with Call(self._context):
            found = lib.toi_motion_linear(self._handle, shift, velocity)
        return (np.array(list(shift)), np.array(list(velocity))) if found else None

    def at(self, t):
        """Enclosures of the rotation and the translation at a time, or over an interval of times: a Pose."""
        time = domain(t, "t")
        rotation, translation = np.empty((3, 3, 2)), np.empty((3, 2))
        with Call(self._context) as call:
            arrays = rotation, translation
            places = [ffi.from_buffer("toi_interval[]", array, require_writable=True) for array in arrays]
            call.check(lib.toi_motion_at(self._handle, time, *places))
        return Pose(rotation, translation)


def _series(over, quaternion, translation):
    """The struct, and the arrays that it points to."""
    series = ffi.new("toi_chebyshev *")
    lib.toi_chebyshev_init(series, ffi.sizeof("toi_chebyshev"))
    times = domain(over, "over")
    series.t_from, series.t_to = times["lo"], times["hi"]
    kept, count = [], None
    for name, rows, values in (("quaternion", 4, quaternion), ("translation", 3, translation)):
        if values is None:
            continue
        array = doubles(values, (rows, count), name)
        count = array.shape[1]
        kept.append(array)
        place = ffi.from_buffer("double[]", array)
        setattr(series, name, [place + row * count for row in range(rows)])
    series.count = 0 if count is None else count
    return series, kept
