# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the libtoi authors
"""Formulas: terms built by operators or parsed from text, and proved bounds on their values."""

from collections import namedtuple

import numpy as np

from ._array import characters, doubles, real
from ._context import Call, whole
from ._error import InputError, error_of, text
from ._native import ffi, lib
from ._thing import Thing, domain, interval, of_class

OPERATORS = tuple(text(lib.toi_operator_name(i)) for i in range(lib.TOI_OP_COUNT))
# The words for operators: those that text has signs for have a name of their own, which is the constant's.
_BY_WORD = {
    **{word: i for i, word in enumerate(OPERATORS)},
    **dict(
        neg=lib.TOI_OP_NEG,
        add=lib.TOI_OP_ADD,
        sub=lib.TOI_OP_SUB,
        mul=lib.TOI_OP_MUL,
        div=lib.TOI_OP_DIV,
        pow=lib.TOI_OP_POW,
    ),
}
_BY_WORD["-"] = lib.TOI_OP_SUB
_ONE_ARGUMENT = range(lib.TOI_OP_NEG, lib.TOI_OP_LOG + 1)

Bounds = namedtuple("Bounds", ("jet", "defined"))
Bounds.__doc__ = """Enclosures of a term over a box: jet, (n, 2) doubles, rows of lower and upper bounds; and defined:
proved that the term is defined in all of the box."""


def operator_name(op):
    """The sign or name of an operator's number, such as "+" or "sin"; None for an unknown one."""
    return OPERATORS[op] if isinstance(op, int) and 0 <= op < len(OPERATORS) else None


def jet_size(variables, order):
    """How many intervals a jet has: the value; of order 1 and the gradient; of order 2 and the second derivatives."""
    return (1, 1 + variables, 1 + variables + variables * (variables + 1) // 2)[order]


class Term:
    """A term of a Formula. Terms take part in arithmetic: (2 + 0.5 * v.cos()) * u.cos(); numbers become constants."""

    __slots__ = ("_formula", "_number")
    __array_ufunc__ = None

    def __init__(self, formula, number):
        if not isinstance(formula, Formula):
            raise TypeError(f"formula: expected a toi.Formula, got {type(formula).__name__}")
        number = whole(number, "number", 2**32)
        self._formula, self._number = formula, number

    @property
    def formula(self):
        """The formula that the term belongs to."""
        return self._formula

    @property
    def number(self):
        """Its number in the formula; equal terms are stored once and have the same one."""
        return self._number

    def bounds(self, box, order=0):
        """As Formula.bounds()."""
        return self._formula.bounds(self, box, order)

    def __eq__(self, other):
        if not isinstance(other, Term):
            return NotImplemented
        return self._formula is other._formula and self._number == other._number

    def __hash__(self):
        return hash((id(self._formula), self._number))

    def __repr__(self):
        return f"Term({self._number} of {self._formula!r})"

    def __pos__(self):
        return self

    def __neg__(self):
        return self._formula.apply("neg", self)

    def __abs__(self):
        return self._formula.apply("abs", self)


def _binary(op):
    def forward(self, other):
        return self._formula.apply(op, self, other) if _is_operand(other) else NotImplemented

    def backward(self, other):
        return self._formula.apply(op, other, self) if _is_operand(other) else NotImplemented

    return forward, backward


def _is_operand(value):
    return isinstance(value, (Term, int, float, np.integer, np.floating))


def _unary(op):
    def method(self):
        return self._formula.apply(op, self)

    method.__name__, method.__doc__ = op, f"{op} of the term."
    return method


for _name, _op in (("add", "add"), ("sub", "sub"), ("mul", "mul"), ("truediv", "div"), ("pow", "pow")):
    _forward, _backward = _binary(_op)
    setattr(Term, f"__{_name}__", _forward)
    setattr(Term, f"__r{_name}__", _backward)
for _name in ("sqrt", "sin", "cos", "tan", "atan", "exp", "log"):
    setattr(Term, _name, _unary(_name))


class Formula(Thing):
    """Terms over a few named variables, four at most.

        f = toi.Formula("u", "v", "t")
        x = f.parse("(2 + 0.5*cos(v))*cos(u)")
        x.bounds([(0, 1), (0, 1), (0, 0)], order=1)

    Bounds enclose the function and its derivatives over the whole box, and have the same bits on every machine.
    context: a Context of your own; a formula has one by itself otherwise.
    """

    __slots__ = ("_variables", "_names")

    def __init__(self, *variables, context=None):
        if len(variables) == 1 and not isinstance(variables[0], str) and hasattr(variables[0], "__iter__"):
            variables = tuple(variables[0])
        self._variables, self._names = tuple(variables), []
        names = [ffi.new("char[]", characters(name, "variable")) for name in self._variables]
        array = ffi.new("char *[]", names) if names else ffi.NULL
        self._begin(context)
        self._make("formula", lambda call, place: lib.toi_formula_create(call, array, len(names), place))

    @property
    def variables(self):
        """The names of the variables."""
        return self._variables

    def __repr__(self):
        return f"Formula({', '.join(map(repr, self._variables))})"

    def _term(self, make, trial=False):
        """make(formula) is the call of the library's that makes a term.

        A formula of the library's keeps its first failure for good. What can fail is therefore tried on another one
        with the same names first, so that this one stays as it was.
        """
        with Call(self._context) as call:
            if trial:
                self._try(call, make)
            number = make(self._handle)
            if number == lib.TOI_NO_TERM:
                raise error_of(lib.toi_formula_status(self._handle), call.context)
            return Term(self, number)

    def _try(self, call, make):
        variables = [ffi.new("char[]", name.encode()) for name in self._variables]
        place = ffi.new("toi_formula **")
        call.check(lib.toi_formula_create(call.context, ffi.new("char *[]", variables), len(variables), place))
        try:
            # Terms are numbers: those that are named in the formula itself need only be there.
            stand_in = lib.toi_formula_enclosed(place[0], {"lo": 1, "hi": 2})
            for name in self._names:
                call.check(lib.toi_formula_name(place[0], name, stand_in))
            if make(place[0]) == lib.TOI_NO_TERM:
                raise error_of(lib.toi_formula_status(place[0]), call.context)
        finally:
            lib.toi_formula_destroy(place[0])

    def variable(self, which):
        """A variable as a term, by its name or its number."""
        if isinstance(which, str):
            if which not in self._variables:
                known = ", ".join(self._variables) or "none"
                raise InputError(f"{which!r} is no variable of the formula; it has {known}")
            number = self._variables.index(which)
        else:
            number = whole(which, "variable", 2**32)
        if number >= len(self._variables):
            raise InputError(f"variable {number} does not exist; the formula has {len(self._variables)}")
        return self._term(lambda formula: lib.toi_formula_variable(formula, number))

    def constant(self, value):
        """A number as a term."""
        value = real(value, "constant")
        if not np.isfinite(value):
            raise InputError(f"the constant {value:g} of a formula is not finite")
        return self._term(lambda formula: lib.toi_formula_constant(formula, value))

    def enclosed(self, value):
        """A constant that lies in the interval (lo, hi), such as pi: the same number wherever the term is used."""
        taken = domain(value, "enclosed")
        return self._term(lambda formula: lib.toi_formula_enclosed(formula, taken), trial=True)

    def _number(self, value, what):
        if not isinstance(value, Term):
            return self.constant(value)._number
        if value._formula is not self:
            raise InputError(f"{what}: the term belongs to another formula")
        return value._number

    def apply(self, op, a, b=None):
        """An operator: neg abs sqrt sin cos tan atan exp log of one term, add sub mul div pow min max atan2 of two."""
        code = _BY_WORD.get(op) if isinstance(op, str) else op
        if not isinstance(code, int) or not 0 <= code < lib.TOI_OP_COUNT:
            raise InputError(f"unknown operator {op!r}; the operators are {', '.join(sorted(_BY_WORD))}")
        if (b is None) != (code in _ONE_ARGUMENT):
            raise InputError(f"{op}: expected {'one term' if code in _ONE_ARGUMENT else 'two terms'}")
        first = self._number(a, "a")
        second = lib.TOI_NO_TERM if b is None else self._number(b, "b")
        return self._term(lambda formula: lib.toi_formula_apply(formula, code, first, second))

    def series(self, x, over, coefficients, error=None):
        """A Chebyshev series c0 + c1 T1(s) + ... of the term x in the interval `over`, s from -1 to 1.

        error: bounds of what the function meant and its first two derivatives may differ from the series; 0.
        """
        argument = self._number(x, "x")
        taken = domain(over, "over")
        numbers = doubles(coefficients, (None,), "coefficients")
        bounds = ffi.NULL if error is None else ffi.new("double[3]", doubles(error, (3,), "error").tolist())
        array = ffi.from_buffer("double[]", numbers)

        def make(formula):
            there = argument if formula == self._handle else lib.toi_formula_constant(formula, 0.5)
            return lib.toi_formula_series(formula, there, taken, array, len(numbers), bounds)

        return self._term(make, trial=True)

    def parse(self, formula):
        """A term from text: numbers, variables, names, pi, e, + - * / ^, parentheses and functions.

        A number means exactly what it says: 0.1 is a tenth. What is wrong raises InputError with the column.
        """
        taken = characters(formula, "formula")
        return self._term(lambda handle: lib.toi_formula_parse(handle, taken), trial=True)

    def name(self, name, term):
        """Text parsed later may call the term so."""
        taken = characters(name, "name")
        number = self._number(term, "term")
        with Call(self._context) as call:

            def make(formula):
                there = number if formula == self._handle else lib.toi_formula_constant(formula, 0.5)
                return lib.TOI_NO_TERM if lib.toi_formula_name(formula, taken, there) != lib.TOI_OK else there

            self._try(call, make)
            call.check(lib.toi_formula_name(self._handle, taken, number))
            self._names.append(taken)

    def bounds(self, term, box, order=0):
        """Bounds of a term and its derivatives over a box: an interval, or a number, for each variable.

        order 0: the value; 1: then the gradient; 2: then the second derivatives, row by row: for three variables uu uv
        ut vv vt tt. Returns Bounds.
        """
        number = self._number(term, "term")
        if order not in (0, 1, 2):
            raise InputError(f"order is {order!r}; it must be 0, 1 or 2")
        size = len(self._variables)
        if not hasattr(box, "__len__") or len(box) != size:
            raise InputError(f"box: expected {size} intervals, one for each of {', '.join(self._variables)}")
        sides = [dict(zip(("lo", "hi"), interval(side, "box"))) for side in box]
        place = ffi.new("toi_interval[]", sides) if sides else ffi.new("toi_interval[1]")
        jet = np.empty((jet_size(size, int(order)), 2))
        defined = ffi.new("bool *")
        with Call(self._context) as call:
            jets = ffi.from_buffer("toi_interval[]", jet, require_writable=True)
            call.check(lib.toi_formula_bounds(self._handle, number, place, int(order), jets, defined))
        return Bounds(jet, bool(defined[0]))


def term_numbers(formula, terms, size, what):
    """The numbers of so many terms of one formula; texts are parsed, and numbers become constants."""
    of_class(formula, Formula, "formula")
    if isinstance(terms, (str, Term)) or not hasattr(terms, "__len__") or len(terms) != size:
        raise InputError(f"{what}: expected {size} terms")
    made = [formula.parse(term) if isinstance(term, str) else term for term in terms]
    return [formula._number(term, what) for term in made]
