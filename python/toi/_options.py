# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the libtoi authors
"""Options as keywords: the same names, ranges and defaults as in the library, which checks them.

Every function takes them as keywords, and as `options=`, an Options made once. Options of whole meshes (broad,
kinds, may_collide, progress, work) has no effect on single queries and batches, except progress.
"""

from ._array import Record, doubles, number, real
from ._context import name_or_null, whole
from ._error import OptionError, text
from ._native import ffi, lib

NORMS = {"l2": lib.TOI_NORM_L2, "linf": lib.TOI_NORM_LINF}
INCLUSIONS = {"obb": lib.TOI_INCLUSION_OBB, "aabb": lib.TOI_INCLUSION_AABB}
FILTERS = {"float": lib.TOI_FILTER_FLOAT, "double": lib.TOI_FILTER_DOUBLE}
KINDS = {
    "vertex-face": lib.TOI_VERTEX_FACE,
    "edge-edge": lib.TOI_EDGE_EDGE,
    "vertex-edge": lib.TOI_VERTEX_EDGE,
    "vertex-vertex": lib.TOI_VERTEX_VERTEX,
    "edge-face": lib.TOI_EDGE_FACE,
    "face-face": lib.TOI_FACE_FACE,
    "vertex-half-space": lib.TOI_VERTEX_HALF_SPACE,
}
KIND_NAMES = {code: name for name, code in KINDS.items()}
KIND_CODES = {
    **KINDS,
    **{code: code for code in KIND_NAMES},
    "vf": lib.TOI_VERTEX_FACE,
    "ee": lib.TOI_EDGE_EDGE,
    "ve": lib.TOI_VERTEX_EDGE,
    "vv": lib.TOI_VERTEX_VERTEX,
    "ef": lib.TOI_EDGE_FACE,
    "ff": lib.TOI_FACE_FACE,
    "vh": lib.TOI_VERTEX_HALF_SPACE,
}


def kind_code(kind):
    """The library's number of a kind: "vf", "vertex-face" or the number itself."""
    try:
        return KIND_CODES[kind]
    except (KeyError, TypeError):
        names = ", ".join(map(repr, KINDS))
        raise OptionError(f"kind is {kind!r}; it must be one of {names} or a short form such as 'vf'") from None


def choice(value, choices, what):
    """One of a few words, or its number."""
    if isinstance(value, str) and value in choices:
        return choices[value]
    if value in choices.values():
        return value
    raise OptionError(f"{what} is {value!r}; it must be one of {', '.join(map(repr, choices))}")


def norm_code(norm):
    return choice(norm, NORMS, "norm")


def kinds_bits(kinds):
    """A set of kinds: None for the library's choice, one name, or several; "every-vertex-edge" is one of its own."""
    if kinds is None:
        return 0
    if isinstance(kinds, str) or not hasattr(kinds, "__iter__"):
        kinds = (kinds,)
    bits = 0
    for kind in kinds:
        if kind == "every-vertex-edge":
            bits |= lib.TOI_KINDS_EVERY_VERTEX_EDGE | lib.TOI_KINDS_VERTEX_EDGE
        else:
            bits |= 1 << kind_code(kind)
    if bits == 0:
        raise OptionError("kinds is empty; name one at least, or give None")
    return bits


class Counters(Record):
    """How many queries ended in which verdict and at which level. Calls add to it: counters=toi.Counters()."""

    __slots__ = ()
    _type = "toi_counters"
    _shown = ("queries", "verdicts", "levels")

    def __init__(self, record=None):
        super().__init__(bytes(ffi.sizeof("toi_counters")) if record is None else record)

    queries = number("queries", "Queries answered.")

    @property
    def verdicts(self):
        """Queries by verdict, as a dictionary."""
        return {name: self._c.verdicts[i] for i, name in enumerate(("miss", "hit", "near"))}

    @property
    def levels(self):
        """Queries by the level that decided them, as a dictionary."""
        return {text(lib.toi_level_name(i)): self._c.levels[i] for i in range(lib.TOI_LEVEL_COUNT)}


class Work(Record):
    """What a call on a whole mesh did. Each call overwrites it: work=toi.Work()."""

    __slots__ = ()
    _type = "toi_work"
    _shown = ("candidates", "hits", "broad_ns", "narrow_ns", "passes")

    def __init__(self, record=None):
        super().__init__(bytes(ffi.sizeof("toi_work")) if record is None else record)

    broad_ns = number("broad_ns", "Wall time of the broad phase, in nanoseconds.")
    narrow_ns = number("narrow_ns", "Wall time of the narrow phase, in nanoseconds.")
    passes = number("passes", "Broad phases that were run.")

    @property
    def candidates(self):
        """Pairs that reached the narrow phase or the visitor, by kind."""
        return {name: self._c.candidates[code] for name, code in KINDS.items()}

    @property
    def hits(self):
        """Of these, hit or near, by kind; of collisions() only."""
        return {name: self._c.hits[code] for name, code in KINDS.items()}


def _of_class(kind, what):
    def check(value):
        if value is not None and not isinstance(value, kind):
            raise TypeError(f"{what}: expected a toi.{kind.__name__}, got {type(value).__name__}")
        return value

    return check


def _function(value):
    if value is not None and not callable(value):
        raise TypeError(f"may_collide: expected a function, got {type(value).__name__}")
    return value


# What becomes of each keyword: a value for the field of toi_options of that name.
_NARROW = {
    "tolerance": lambda value: real(value, "tolerance"),
    "t_max": lambda value: real(value, "t_max"),
    "min_separation": lambda value: real(value, "min_separation"),
    "separation_fraction": lambda value: real(value, "separation_fraction"),
    "norm": norm_code,
    "inclusion": lambda value: choice(value, INCLUSIONS, "inclusion"),
    "max_checks": lambda value: whole(value, "max_checks", 2**64),
    "no_zero_toi": bool,
    "scene_bound": lambda value: doubles(value, (3,), "scene_bound").tolist(),
    "filter": lambda value: choice(value, FILTERS, "filter"),
}
# And those that are not fields of their own, or belong to one call.
_OTHERS = {
    "method": lambda value: value,
    "counters": _of_class(Counters, "counters"),
    "broad": lambda value: value,
    "kinds": kinds_bits,
    "may_collide": _function,
    "progress": lambda value: value,
    "work": _of_class(Work, "work"),
}
NAMES = (*_NARROW, *_OTHERS)


class Options:
    """Options made once, for many calls: toi.Options(method="exact", t_max=0.5).

    method: a name that toi.methods() lists, or a loaded plug-in's; "certified".
    tolerance: positive; toi.method_promise() says what it bounds; 1e-6.
    t_max: in [0, 1]: the call covers [0, t_max]; 1.
    min_separation: d >= 0: contact is "distance <= d"; 0.
    separation_fraction: d is this fraction of each pair's initial distance; 0.
    norm: of the separation: "l2" or "linf".
    inclusion: the boxes of `time-inclusion`: "obb" or "aabb".
    max_checks: limit of the methods that search; 0: the method's default.
    no_zero_toi: inclusion methods refine further before they answer t_lo = 0.
    scene_bound: `tight-inclusion`: the largest |x|, |y|, |z| of the scene.
    filter: `certified` on meshes: the precision in which misses are proved first, "float" or "double"; same answers.
    counters: a Counters that calls add to.

    On whole meshes:
    broad: a name that toi.broads() lists; "auto".
    kinds: which kinds of pairs take part, such as ("vf", "ee"); "every-vertex-edge" for two dimensions.
    may_collide: a function of kind, first and second: may these two collide? Called for every candidate.
    progress: True: a bar of tqdm where that is installed; or a function of the completed fraction, in [0, 1];
        returning False ends the call with CancelledError.
    work: a Work that the call fills in.
    """

    __slots__ = ("_c", "_keep", "_given", "_base")

    def __init__(self, base=None, **keywords):
        if base is not None and not isinstance(base, Options):
            raise TypeError(f"options: expected a toi.Options, got {type(base).__name__}")
        self._base = base
        self._given = dict(base._given) if base is not None else {}
        self._keep = []
        if base is None:
            self._c = ffi.new("toi_options *")
            lib.toi_options_init(self._c, ffi.sizeof("toi_options"))
        else:
            self._c = ffi.new("toi_options *", base._c[0])
        for name, value in keywords.items():
            self._set(name, value)

    def _set(self, name, value):
        if name in _NARROW:
            setattr(self._c, name, _NARROW[name](value))
        elif name not in _OTHERS:
            raise TypeError(f"unknown option {name!r}; the options are {', '.join(NAMES)}")
        else:
            taken = _OTHERS[name](value)
            if name == "method":
                self._c.method = name_or_null(taken, "method", self._keep)
            elif name == "counters":
                self._c.counters = ffi.NULL if taken is None else taken._c
        self._given[name] = value

    def _for_mesh(self, call):
        """A copy of the struct for one call on a mesh: with progress, so that Ctrl-C is noticed. The call keeps it."""
        given = self._given
        on_mesh = ffi.new("toi_mesh_options *")
        lib.toi_mesh_options_init(on_mesh, ffi.sizeof("toi_mesh_options"))
        options = ffi.new("toi_options *", self._c[0])
        options.on_mesh = on_mesh
        call.keep = keep = [self, on_mesh, options]
        call.watch(given.get("progress"))
        on_mesh.progress = lib.python_progress
        on_mesh.progress_user = on_mesh.may_collide_user = call.handle()
        if given.get("may_collide") is not None:
            call.may_collide = given["may_collide"]
            on_mesh.may_collide = lib.python_may_collide
        if given.get("broad") is not None:
            on_mesh.broad = name_or_null(given["broad"], "broad", keep)
        if given.get("kinds") is not None:
            on_mesh.kinds = kinds_bits(given["kinds"])
        if given.get("work") is not None:
            on_mesh.work = given["work"]._c
        return options

    def __repr__(self):
        return f"Options({', '.join(f'{name}={value!r}' for name, value in self._given.items())})"


DEFAULT = Options()


def options_of(options, keywords):
    """The options of one call: `options` with the keywords in place of what it says."""
    if keywords:
        return Options(options, **keywords)
    if options is None:
        return DEFAULT
    if not isinstance(options, Options):
        raise TypeError(f"options: expected a toi.Options, got {type(options).__name__}")
    return options
