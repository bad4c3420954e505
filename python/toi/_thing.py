# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the libtoi authors
"""What formulas, motions, shapes and models have in common: each is made with a context, and ends before it does.

By default each has a context of its own, of one thread and a few kilobytes. A thing serves one call at a time, like its
context: a second call on it, from another thread or from a function that the first one calls, raises BusyError. Calls
that use several things take all of their contexts for their time.
"""

import math

from ._array import characters, doubles, real
from ._context import Call, Context
from ._error import InputError, OptionError, error_of
from ._native import ffi, lib

WHOLE_LINE = (-math.inf, math.inf)


class Thing:
    """Something of the library's that was made with a context."""

    __slots__ = ("_context", "_handle", "_kept", "__weakref__")

    def _begin(self, context):
        """Takes the context that is given, or one of its own. The context stays in use if the caller closes it."""
        if context is None:
            self._context = Context(1)
        elif isinstance(context, Context):
            self._context = Context.__new__(Context)
            self._context._holder = context._get()
        else:
            raise TypeError(f"context: expected a toi.Context, got {type(context).__name__}")

    def _make(self, kind, make):
        """make(context, place) is the call of the library's that makes it."""
        place = ffi.new(f"toi_{kind} **")
        with Call(self._context) as call:
            call.check(make(call.context, place))
            self._kept = call.holder.own(place[0], kind)
        self._handle = place[0]


class Together:
    """One call that uses several things: a Call, with the contexts of the things taken too.

    with Together([shape, motion], context, threads) as call:
        call.check(lib.toi_...(call.context, ...))
    """

    __slots__ = ("_call", "_taken")

    def __init__(self, things, context=None, threads=None):
        self._taken = []
        self._call = Call(context, threads)
        try:
            seen = {id(self._call.holder)}
            for thing in things:
                holder = thing._context._get()
                if id(holder) not in seen:
                    seen.add(id(holder))
                    holder.acquire()
                    self._taken.append(holder)
        except BaseException:
            self.__exit__()
            raise

    def __enter__(self):
        return self._call

    def __exit__(self, *_):
        while self._taken:
            self._taken.pop().release()
        self._call.__exit__()


def explained(call, status, things):
    """Raises what went wrong. The library may have left its sentence with the context of a thing that took part."""
    if status != lib.TOI_OK and call.exception is None and not call.stopped:
        for thing in things:
            handle = thing._context._get().handle
            if not ffi.string(lib.toi_context_error(call.context)) and ffi.string(lib.toi_context_error(handle)):
                raise error_of(status, handle)
    call.check(status)


# --- arguments ---


def interval(value, what):
    """Two numbers, or one for both: lo and hi."""
    if isinstance(value, (int, float)):
        return float(value), float(value)
    lo, hi = doubles(value, (2,), what).tolist()
    return lo, hi


def domain(value, what):
    """An interval that is not empty, as a dictionary for cffi. The library says which others it refuses."""
    lo, hi = interval(value, what)
    if math.isnan(lo) or math.isnan(hi) or lo > hi:
        raise InputError(f"{what} is [{lo:g}, {hi:g}]; expected two numbers, the lower one first")
    return {"lo": lo, "hi": hi}


def vector_or_null(value, what):
    """Three doubles, or NULL for None."""
    return ffi.NULL if value is None else ffi.new("double[3]", doubles(value, (3,), what).tolist())


def texts(values, size, what):
    """So many strings: an array of pointers, and what it points to."""
    if isinstance(values, str) or not hasattr(values, "__len__") or len(values) != size:
        raise InputError(f"{what}: expected {size} formulas, got {values!r}")
    kept = [ffi.new("char[]", characters(value, what)) for value in values]
    return ffi.new("char *[]", kept), kept


def of_class(value, kind, what):
    if not isinstance(value, kind):
        raise TypeError(f"{what}: expected a toi.{kind.__name__}, got {type(value).__name__}")
    return value


def number_of(names, value, what):
    """The number of a word in a tuple of words, or that number itself."""
    if isinstance(value, str):
        if value in names:
            return names.index(value)
    elif isinstance(value, int) and 0 <= value < len(names):
        return int(value)
    raise OptionError(f"{what} is {value!r}; it must be one of {', '.join(map(repr, names))}")


class StructOptions:
    """Options made once, for many calls; each keyword is a field of a struct of the library's, which checks them."""

    __slots__ = ("_c", "_given", "_keep")
    _type = ""
    _init = None
    _fields = {}

    def __init__(self, base=None, **keywords):
        kind = type(self)
        if base is not None and type(base) is not kind:
            raise TypeError(f"options: expected a toi.{kind.__name__}, got {type(base).__name__}")
        self._given = {**(base._given if base is not None else {}), **keywords}
        self._keep = []
        self._c = ffi.new(self._type + " *")
        self._init(self._c, ffi.sizeof(self._type))
        for name, value in self._given.items():
            if name == "progress":
                if value is not None and not isinstance(value, bool) and not callable(value):
                    raise TypeError(f"progress: expected True, False or a function, got {type(value).__name__}")
            elif name not in self._fields:
                raise TypeError(f"unknown option {name!r}; the options are {', '.join((*self._fields, 'progress'))}")
            else:
                setattr(self._c, name, self._fields[name](value, self._keep))

    def _for(self, call):
        """A copy of the struct for one call, with progress, so that Ctrl-C is noticed. The call keeps it."""
        options = ffi.new(self._type + " *", self._c[0])
        call.keep = (self, options)
        call.watch(self._given.get("progress"))
        options.progress = lib.python_progress
        options.progress_user = call.handle()
        return options

    @classmethod
    def _of(cls, options, keywords):
        return options if type(options) is cls and not keywords else cls(options, **keywords)

    def __repr__(self):
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self._given.items())})"


def real_field(name):
    return lambda value, keep: real(value, name)


def flag_field(name):
    def convert(value, keep):
        if not isinstance(value, (bool, int)) and type(value).__name__ not in ("bool_", "bool"):
            raise TypeError(f"{name}: expected True or False, got {type(value).__name__}")
        return bool(value)

    return convert


def word_field(names, name):
    return lambda value, keep: number_of(names, value, name)
