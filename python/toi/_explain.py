# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the libtoi authors
"""Why a query is answered as it is: levels, the coplanarity cubic with its bounds, its roots, the inside tests."""

import numpy as np

from ._error import InputError, OutOfMemoryError, text
from ._native import ffi, lib
from ._options import kind_code, options_of
from ._query import LEVELS, Hit, _points, _refuse

_REDUCED = ("all", "none", "corner", "segment", "plane", None)


def outcome_name(outcome):
    """The name of an outcome's number: "absent", "skipped", "open", "miss", "hit", "near"; None for an unknown one."""
    return text(lib.toi_outcome_name(int(outcome))) if 0 <= int(outcome) < 256 else None


def root_source_name(source):
    """The name of a root's source: "cubic", "start", "area", "corner"; None for an unknown number."""
    return text(lib.toi_root_source_name(int(source))) if 0 <= int(source) < 256 else None


def _array(values):
    return np.array([list(row) if isinstance(row, ffi.CData) else row for row in values])


def _fill(thing, struct, numbers=(), arrays=(), flags=()):
    for name in numbers:
        setattr(thing, name, getattr(struct, name))
    for name in arrays:
        setattr(thing, name, _array(getattr(struct, name)))
    for name in flags:
        setattr(thing, name, bool(getattr(struct, name)))


class ExplainedRoot:
    """A time in [0, 1] at which two primitives may touch, decided in integers.

    t_lo, t_hi: the tightest doubles around it. u, v: where 0 is in the hull's plane; NaN where the hull has no area.
    area, area_sign, axis: the areas of the boundary segments in the projection along the axis, as fractions of the
        hull's; two of opposite sign prove that 0 is outside. axis is -1 if all corners lie on one line through 0.
    touching: it is a contact. first: the first one. multiplicity: as a root. source, element: of which polynomial.
    """

    __slots__ = ("t_lo", "t_hi", "u", "v", "area", "area_sign", "axis", "touching", "multiplicity", "source", "element")
    __slots__ += ("first",)

    def __init__(self, struct):
        _fill(self, struct, ("t_lo", "t_hi", "u", "v", "axis", "multiplicity", "element"), ("area", "area_sign"))
        _fill(self, struct, flags=("touching", "first"))
        self.source = root_source_name(struct.source)

    def __repr__(self):
        what = "contact" if self.touching else "no contact"
        return f"ExplainedRoot({self.source}, {self.t_lo!r} <= t <= {self.t_hi!r}, {what})"


class ExplainedPiece:
    """A part of [0, 1] on which the cubic is monotone, and what the floating-point level `root` proved of it.

    x: a root, guessed, or NaN; zone_lo, zone_hi: what is examined around it; t_lo, t_hi: the bracket, if `bracketed`.
    area, area_bound: areas of the boundary segments at x by axis of projection; beyond the bound the sign is proved.
    """

    __slots__ = ("lo", "hi", "x", "zone_lo", "zone_hi", "slope", "slope_bound", "area", "area_bound", "t_lo", "t_hi")
    __slots__ += ("crossing", "gap_clear", "steep", "inside", "outside", "bracketed", "rest_clear")

    def __init__(self, struct):
        _fill(self, struct, ("lo", "hi", "x", "zone_lo", "zone_hi", "slope", "slope_bound", "t_lo", "t_hi"))
        _fill(self, struct, arrays=("area", "area_bound"))
        _fill(self, struct, flags=("crossing", "gap_clear", "steep", "inside", "outside", "bracketed", "rest_clear"))

    def __repr__(self):
        return f"ExplainedPiece([{self.lo!r}, {self.hi!r}], x={self.x!r})"


class Explanation:
    """Why a query is answered as it is; toi/explain.h in C says what each number is.

    hit: the answer. outcomes: what each level concluded, by its name: "absent", "skipped", "open", "miss", "hit", "near".
    coefficient, bound: Bernstein coefficients of the coplanarity cubic, and how far off they may be; exact: from integers.
    roots, pieces: lists of ExplainedRoot and ExplainedPiece.
    """

    _NUMBERS = ("separation", "half_bound", "half_limit", "corner_count", "reduced_axis")
    _ARRAYS = ("box_lo", "box_hi", "size", "coefficient", "bound", "exact", "limit", "half", "coefficient_sign")
    _ARRAYS += ("box_apart", "half_clear", "half_up", "half_down", "reduced_corner", "scale")
    _FLAGS = ("cubic_defined", "cubic_zero", "in_range", "scaled")
    __slots__ = ("hit", "outcomes", "roots", "pieces", "reduced", *_NUMBERS, *_ARRAYS, *_FLAGS)

    def __init__(self, struct):
        self.hit = Hit._of(ffi.new("toi_hit *", struct.hit))
        self.outcomes = {level: outcome_name(struct.outcomes[i]) for i, level in enumerate(LEVELS)}
        self.roots = [ExplainedRoot(struct.roots[i]) for i in range(struct.root_count)]
        self.pieces = [ExplainedPiece(piece) for piece in struct.pieces if piece.used]
        self.reduced = _REDUCED[struct.reduced]
        _fill(self, struct, self._NUMBERS, self._ARRAYS, self._FLAGS)

    def __repr__(self):
        return f"Explanation({self.hit.verdict} by {self.hit.level}, {len(self.roots)} roots)"


def explain(kind, start, end, options=None, **keywords):
    """Why a query of this kind ("vf", "ee", "ve", "vv") is answered as it is: an Explanation.

    start and end are arrays of the query's points, as query() takes them. Options are keywords; see toi.Options.
    """
    code = kind_code(kind)
    count = lib.toi_kind_points(code)
    if count == 0:
        raise InputError(f"kind is {kind!r}; it must be one of the queries: vf, ee, ve or vv")
    chosen = options_of(options, keywords)
    place = ffi.new("toi_explanation *")
    first, last = _points(start, (count, 3), "start"), _points(end, (count, 3), "end")
    status = lib.toi_explain(code, first, last, chosen._c, place)
    if status == lib.TOI_ERROR_MEMORY:
        raise OutOfMemoryError("no memory to explain the query")
    if status != 0:
        _refuse(code, start, end, chosen)
    return Explanation(place)
