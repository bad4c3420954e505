# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the libtoi authors
"""Any moving surface: when do bodies, shapes with motions, first touch, and where."""

import time

import numpy as np

from ._array import Record, Records, coordinates, doubles, is_path, number, path_bytes, real, struct_dtype
from ._context import Call, callback, whole
from ._error import InputError, OutOfMemoryError, text
from ._model import Model, model_contacts, rigid_pair
from ._motion import Motion
from ._native import ffi, lib
from ._query import VERDICTS
from ._shape import Shape
from ._step import Stream, run_list
from ._thing import StructOptions, Thing, Together, explained, flag_field, of_class, real_field, word_field

CONTACT_ENDS = ("done", "boxes", "seconds", "memory")
CERTIFICATES = ("unique", "singular")
_VERDICT, _CERTIFICATE = VERDICTS.__getitem__, CERTIFICATES.__getitem__
ORDERS = ("lower", "upper", "race")
NEWTONS = ("linear", "krawczyk", "none")
INCOMINGS = ("auto", "off", "on")

INSIDE = tuple(text(lib.toi_inside_name(i)) for i in range(3))
contact_point_dtype = struct_dtype("toi_contact_point")
contact_interval_dtype = struct_dtype("toi_contact_interval")


def contact_end_name(end):
    """The name of the reason why a search ended, from its number; None for an unknown number."""
    return text(lib.toi_contact_end_name(int(end))) if 0 <= int(end) < len(CONTACT_ENDS) else None


def contact_certificate_name(certificate):
    """The name of a certificate, from its number in structured arrays; None for an unknown number."""
    known = 0 <= int(certificate) < len(CERTIFICATES)
    return text(lib.toi_contact_certificate_name(int(certificate))) if known else None


class ContactOptions(StructOptions):
    """Options of toi.contact(), made once: toi.ContactOptions(t_max=2, spacing=0.01).

    t_max: >= 0: the call covers [0, t_max]; 1.
    tolerance: positive: pieces smaller than this distance count as touching without a proof; 1e-6.
    simultaneity: positive: contacts up to this time after the first are reported; 1e-6.
    spacing: positive: the distance of samples on curves and regions of contact; 0.1.
    incoming: contact from outside only: "auto", for two solids; "off"; "on".
    order: which box is next: "lower", "upper" or "race". newton: how one is shrunk: "linear", "krawczyk" or "none".
    tangency, mean_value, spheres, guesses, polish, clearance: may be switched off to measure their effect.
    max_boxes: 0: 2,000,000. max_seconds: 0: no limit.
    progress: True, or a function of the completed fraction; returning False ends the call with CancelledError.
    """

    __slots__ = ()
    _type = "toi_contact_options"
    _init = staticmethod(lib.toi_contact_options_init)
    _fields = {
        **{name: real_field(name) for name in ("t_max", "tolerance", "simultaneity", "spacing", "max_seconds")},
        "incoming": word_field(INCOMINGS, "incoming"),
        "order": word_field(ORDERS, "order"),
        "newton": word_field(NEWTONS, "newton"),
        **{name: flag_field(name) for name in ("tangency", "mean_value", "spheres", "guesses", "polish", "clearance")},
        "max_boxes": lambda value, keep: whole(value, "max_boxes", 2**64),
    }


class ContactPoint(Record):
    """A contact of two bodies."""

    __slots__ = ()
    _type = "toi_contact_point"
    _shown = ("a", "b", "certificate", "proved", "t_lo", "t_hi", "point", "error", "normal_a")

    a = number("a", "The number of the first body.")
    b = number("b", "The number of the second body; larger than a.")
    certificate = number("certificate", '"unique": proved to be the only one nearby; or "singular".', _CERTIFICATE)
    proved = number("proved", "The surfaces are proved to touch within `error` of the point, in [t_lo, t_hi].")
    t_lo = number("t_lo", "A lower bound of its time.")
    t_hi = number("t_hi", "An upper bound of its time.")
    point = coordinates("point", "Where.")
    error = number("error", "Of proved contacts: a bound on the error of the point. Of others: the tolerance reached.")
    normal_a = coordinates("normal_a", "The unit normal of the first surface; zero if there is none.")
    normal_b = coordinates("normal_b", "The unit normal of the second surface; zero if there is none.")
    parameters_a = coordinates("parameters_a", "u, v on the first surface; NaN for an implicit one.", 2)
    parameters_b = coordinates("parameters_b", "u, v on the second surface; NaN for an implicit one.", 2)
    patch_a = number("patch_a", "The number of the patch in its model; 0 for other shapes.")
    patch_b = number("patch_b", "The number of the patch in its model; 0 for other shapes.")


class Contacts(Records):
    """Contacts of bodies: a sequence of ContactPoint over one structured array."""

    __slots__ = ()
    _record = ContactPoint
    _word = "contacts"


class ContactAnswer(Record):
    """The first contact of bodies: verdict, times, and all contacts of that moment."""

    __slots__ = ("contacts", "names")
    _type = "toi_contact_answer"
    _shown = ("verdict", "t_lo", "t_hi", "t_safe", "contacts", "end")

    verdict = number("verdict", '"hit": contact is proved; "miss": there is none, proved; "near": neither.', _VERDICT)
    end = number("end", 'Why the search ended: "done", or the budget that ran out.', CONTACT_ENDS.__getitem__)
    t_lo = number("t_lo", "A lower bound of the first time of contact; infinite for a miss.")
    t_hi = number("t_hi", "An upper bound of the first time of contact; infinite for a miss.")
    t_safe = number("t_safe", "Strictly before contact, 0 if they touch at 0; t_max for a miss.")
    touching_at_start = number("touching_at_start", "Proved: they touch at t = 0.")
    inside_at_start = number(
        "inside_at_start", 'Whether a body starts inside another one: "no", "yes" or "unknown".', INSIDE.__getitem__
    )
    tolerance_reached = number("tolerance_reached", "Of a near: how close they are known to come.")
    contact_count = number("contacts", "The number of contacts, also if they were visited.")
    boxes = number("boxes", "Boxes processed.")
    pairs = number("pairs", "Pairs of bodies.")
    culled = number("culled", "Of these, decided by boxes and spheres alone.")
    seconds = number("seconds", "How long it took.")

    @classmethod
    def _with(cls, struct, contacts, names):
        answer = cls._of(struct)
        answer.contacts, answer.names = contacts, names
        return answer

    def __init__(self, record, contacts=None, names=()):
        super().__init__(record)
        self.contacts, self.names = contacts, names

    def __reduce__(self):
        return type(self), (ffi.buffer(self._c)[:], self.contacts, self.names)


# --- bodies ---


class Body:
    """A shape with a motion; without one it rests. name: what answers call it."""

    __slots__ = ("shape", "motion", "name")

    def __init__(self, shape, motion=None, name=None):
        self.shape = of_class(shape, Shape, "shape")
        self.motion = motion if motion is None else of_class(motion, Motion, "motion")
        if name is not None and not isinstance(name, str):
            raise TypeError(f"name: expected a string, got {type(name).__name__}")
        self.name = name

    def __repr__(self):
        name = "" if self.name is None else f"{self.name!r}, "
        return f"Body({name}{self.shape!r}{'' if self.motion is None else f', {self.motion!r}'})"


def _body_of(value):
    if isinstance(value, Body):
        return value
    if isinstance(value, Shape):
        return Body(value)
    if isinstance(value, tuple) and 1 <= len(value) <= 3:
        return Body(*value)
    raise TypeError(f"bodies: expected toi.Body, toi.Shape or (shape, motion), got {type(value).__name__}")


class ContactScene(Thing):
    """The content of a scene file: bodies with their names, and options. toi.contact(scene) answers; so does
    toi.contact(path).

    A sequence of Body. min_separation: 0: contact; else "within this distance".
    """

    __slots__ = ("_scene", "_bodies", "_path")

    def __init__(self, path, *, context=None):
        self._path = path
        self._begin(context)
        place = ffi.new("toi_contact_scene *")
        with Call(self._context) as call:
            call.check(lib.toi_contact_scene_read(call.context, path_bytes(path), place))
            copy = lib.copy_of(place, ffi.sizeof("toi_contact_scene"))
            if copy == ffi.NULL:
                lib.toi_contact_scene_free(call.context, place)
                raise OutOfMemoryError("no memory for a scene")
            self._kept = call.holder.own(copy, "contact_scene")
        self._scene = self._handle = ffi.cast("toi_contact_scene *", copy)
        self._bodies = None

    @property
    def title(self):
        """The title in the file; "" if there is none."""
        return text(self._scene.title)

    @property
    def names(self):
        """The names of the bodies."""
        return tuple(text(self._scene.names[i]) for i in range(len(self)))

    @property
    def min_separation(self):
        """0: contact; else "within this distance"."""
        return self._scene.min_separation

    @property
    def options(self):
        """The options in the file: a ContactOptions."""
        found = lib.toi_contact_scene_options(self._scene)
        words = {"incoming": INCOMINGS, "order": ORDERS, "newton": NEWTONS}
        given = {name: getattr(found, name) for name in ContactOptions._fields}
        return ContactOptions(**{name: words[name][value] if name in words else value for name, value in given.items()})

    @property
    def bodies(self):
        """The bodies, which belong to the scene and keep it."""
        if self._bodies is None:
            self._bodies = tuple(self._body(i, name) for i, name in enumerate(self.names))
        return self._bodies

    def _body(self, i, name):
        body = lib.toi_contact_scene_body(self._scene, i)
        motion = None if body.motion == ffi.NULL else Motion._in_scene(self, body.motion)
        return Body(Shape._part(body.shape, self, None, name), motion, name)

    def model(self, number):
        """The Model of a body made of patches; None for other bodies."""
        if not 0 <= whole(number, "number", 2**63) < len(self):
            raise IndexError(f"body {number} does not exist; the scene has {len(self)}")
        if self._scene.patches == ffi.NULL or self._scene.patches[number].model == ffi.NULL:
            return None
        return Model._in_scene(self, self._scene.patches[number].model)

    def _placed(self, i):
        """The model of a body of patches, and its motion; None: at rest."""
        model = self.model(i)
        if model is None:
            raise InputError(f"min_separation: body {self.names[i]!r} is not made of patches")
        return model, self.bodies[i].motion

    def __len__(self):
        return self._scene.count

    def __getitem__(self, number):
        return self.bodies[number]

    def __iter__(self):
        return iter(self.bodies)

    def __repr__(self):
        return f"ContactScene({self._path!r}, {len(self)} bodies: {', '.join(self.names)})"


def contact_scene_read(path, *, context=None):
    """Reads a scene file, JSON, optionally gzipped: a ContactScene. docs/contact-format.md describes every field."""
    return ContactScene(path, context=context)


# --- the question ---


@callback(lib.TOI_ERROR_CALLBACK)
def python_contact_visitor(user, contact):
    return ffi.from_handle(user).show(ContactPoint(ffi.buffer(contact)[:]))


@callback(lib.TOI_ERROR_CALLBACK)
def python_contact_interval_visitor(user, interval):
    return ffi.from_handle(user).show(np.frombuffer(ffi.buffer(interval)[:], contact_interval_dtype)[0])


INTERVALS = Stream(
    ffi.addressof(lib, "collect_contact_intervals"),
    lib.python_contact_interval_visitor,
    contact_interval_dtype,
    np.asarray,
)
CONTACTS = Stream(ffi.addressof(lib, "collect_contacts"), lib.python_contact_visitor, contact_point_dtype, Contacts)


def contact_inside(body, point, t=0.0, *, context=None):
    """Whether a point of the world is inside a solid at the time t: "no", "yes" (both proved) or "unknown".

    body: a toi.Body, toi.Shape or (shape, motion); its shape is a solid.
    """
    taken = _body_of(body)
    struct, inside = ffi.new("toi_body *"), ffi.new("toi_inside *")
    lib.toi_body_init(struct, ffi.sizeof("toi_body"))
    struct.shape = taken.shape._handle
    struct.motion = ffi.NULL if taken.motion is None else taken.motion._handle
    at = ffi.new("double[3]", [float(x) for x in doubles(point, (3,), "point")])
    things = [thing for thing in (taken.shape, taken.motion) if thing is not None]
    with Together(things, context) as call:
        status = lib.toi_contact_inside(call.context, struct, real(t, "t"), at, inside)
        if taken.shape._own is not None:
            taken.shape._own.settle()
        call.check(status)
    return INSIDE[inside[0]]


def contact(bodies, options=None, *, min_separation=None, visit=None, context=None, threads=None, **keywords):
    """The first contact of any two of the bodies: a ContactAnswer, with all contacts of that moment.

    bodies: a list of toi.Body, toi.Shape or (shape, motion); or a scene: the name of its file, or a ContactScene, whose
    own options are overridden by the keywords. Options are keywords; see toi.ContactOptions. visit: a function called
    with each contact, a ContactPoint, instead of a list; returning False ends the call.
    min_separation: of scenes of one or two bodies made of patches: contact is "distance <= this".

    A shape or motion can be used by one call at a time; a second call meanwhile raises BusyError.
    """
    if is_path(bodies):
        bodies = ContactScene(bodies)
    if isinstance(bodies, ContactScene):
        chosen = ContactOptions(bodies.options if options is None else options, **keywords)
        separation = bodies.min_separation if min_separation is None else min_separation
        if separation != 0 or len(bodies) == 1:
            return _of_patches(bodies, separation, chosen, visit, context, threads)
    elif min_separation is not None and min_separation != 0:
        raise InputError("min_separation: only scenes of bodies made of patches have one")
    else:
        chosen = ContactOptions._of(options, keywords)
    if not hasattr(bodies, "__iter__"):
        raise TypeError(f"bodies: expected a list of bodies, a scene or its file, got {type(bodies).__name__}")
    taken = [_body_of(body) for body in bodies]
    return _of_bodies(taken, chosen, visit, context, threads)


def contact_intervals(bodies, options=None, *, visit=None, context=None, threads=None, **keywords):
    """When the surfaces of each pair of bodies touch, from t = 0 to t_max: a structured array, one row per interval.

    bodies and options: as of toi.contact(). Fields: a, b the numbers of the bodies; begin_lo, begin_hi, end_lo, end_hi;
    proved; doubt, for how long of it contact is not proved. visit: a function called with each row instead; returning
    False ends the call.
    """
    if is_path(bodies):
        bodies = ContactScene(bodies)
    if isinstance(bodies, ContactScene):
        chosen = ContactOptions(bodies.options if options is None else options, **keywords)
    else:
        chosen = ContactOptions._of(options, keywords)
    taken = [_body_of(body) for body in bodies]
    history = ffi.new("toi_contact_history *")
    return _ask_bodies(taken, chosen, (lib.toi_contact_intervals, history, INTERVALS), visit, context, threads)


def _of_bodies(taken, chosen, visit, context, threads):
    answer = ffi.new("toi_contact_answer *")
    contacts = _ask_bodies(taken, chosen, (lib.toi_contact, answer, CONTACTS), visit, context, threads)
    names = tuple(str(i) if body.name is None else body.name for i, body in enumerate(taken))
    return ContactAnswer._with(answer, contacts, names)


def _ask_bodies(taken, chosen, question, visit, context, threads):
    function, answer, stream = question
    # What a body has now: another thread may give it another motion meanwhile.
    parts = [(body.shape, body.motion) for body in taken]
    array = ffi.new("toi_body[]", max(len(parts), 1))
    for i, (shape, motion) in enumerate(parts):
        lib.toi_body_init(array + i, ffi.sizeof("toi_body"))
        array[i].shape = shape._handle
        array[i].motion = ffi.NULL if motion is None else motion._handle
    things = [thing for pair in parts for thing in pair if thing is not None]
    owns = {id(shape._own): shape._own for shape, _motion in parts if shape._own is not None}.values()
    with Together(things, context, threads) as call:
        given = chosen._for(call)

        def ask(visitor, user):
            status = function(call.context, array, len(parts), given, answer, visitor, user)
            for own in owns:
                own.settle()
            explained(call, status, things)
            return status

        return run_list(call, stream, visit, ask)


# --- separations, and bodies with themselves ---


def _of_patches(scene, separation, chosen, visit, context, threads):
    """By the solvers of patches; the answer has the form of all others: boxes are pairs of pieces."""
    if len(scene) > 2:
        raise InputError(f"min_separation: for two bodies made of patches, not {len(scene)}")
    asked = chosen._c
    options = dict(t_max=asked.t_max, tolerance=asked.tolerance, simultaneity=asked.simultaneity, spacing=asked.spacing)
    options.update(max_checks=asked.max_boxes, min_separation=separation, progress=chosen._given.get("progress"))
    clock = time.perf_counter()
    placed = [scene._placed(i) for i in range(len(scene))]
    itself = len(placed) == 1
    ways = [(np.zeros(3), np.zeros(3)) if motion is None else motion.linear() for _model, motion in placed]
    if any(way is None for way in ways) and not itself:
        (a, by_a), (b, by_b) = placed
        first = rigid_pair(a, b, by_a, by_b, context=context, threads=threads, **options)
        found = [] if first.verdict == "miss" else [first]
    else:
        moved = [model.moved(*way) for (model, _motion), way in zip(placed, ways)]
        first, found = model_contacts(*moved, context=context, threads=threads, **options)
        found = list(found) or ([] if first.verdict == "miss" else [first])
    points = np.zeros(len(found), contact_point_dtype)
    for point, hit in zip(points, found):
        _take_contact(point, hit, itself)
    contacts = Contacts(points)
    answer = ffi.new("toi_contact_answer *")
    answer.verdict, answer.end = VERDICTS.index(first.verdict), {"budget": 1, "memory": 3}.get(first.end, 0)
    answer.t_lo, answer.t_hi, answer.t_safe = first.t_lo, first.t_hi, first.t_safe
    answer.touching_at_start, answer.tolerance_reached = first.touching_at_start, first.tolerance_reached
    answer.contacts, answer.boxes, answer.pairs = len(found), first.checks, 1
    answer.seconds = time.perf_counter() - clock
    if visit is not None:
        for point in contacts:
            if visit(point) is False:
                break
        contacts = None
    return ContactAnswer._with(answer, contacts, scene.names)


def _take_contact(point, hit, itself):
    point["b"] = 0 if itself else 1
    point["certificate"], point["proved"] = CERTIFICATES.index("singular"), hit.verdict == "hit"
    point["error"] = hit.distance
    point["parameters_a"], point["parameters_b"] = hit.a, hit.b
    for name in ("t_lo", "t_hi", "point", "normal_a", "normal_b", "patch_a", "patch_b"):
        point[name] = getattr(hit, name)
