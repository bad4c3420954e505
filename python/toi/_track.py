# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the libtoi authors
"""Contacts that last: bodies that rest on each other, slide or roll, and what happens next."""

import numpy as np

from ._array import Record, is_path, number, real, struct_dtype
from ._contact import CONTACT_ENDS, CONTACTS, ContactOptions, Contacts, ContactScene, _body_of, contact_point_dtype
from ._error import text
from ._native import ffi, lib
from ._query import VERDICTS
from ._step import run_list
from ._thing import Together, explained

TRACK_STATES = tuple(text(lib.toi_track_state_name(i)) for i in range(4))
TRACK_EVENTS = tuple(text(lib.toi_track_event_name(i)) for i in range(3))
_VERDICT, _EVENT = VERDICTS.__getitem__, TRACK_EVENTS.__getitem__
track_dtype = struct_dtype("toi_track")

# Contacts at rest that there is room for.
_ROOM = 1024


def track_state_name(state):
    """The name of a track's state, from its number in track arrays; None for an unknown number."""
    return text(lib.toi_track_state_name(int(state))) if 0 <= int(state) < len(TRACK_STATES) else None


def track_event_name(event):
    """The name of the event that ended a step, from its number; None for an unknown number."""
    return text(lib.toi_track_event_name(int(event))) if 0 <= int(event) < len(TRACK_EVENTS) else None


class TrackAnswer(Record):
    """What ended a step of tracked contacts, and the new contacts of that moment."""

    __slots__ = ("contacts",)
    _type = "toi_track_answer"
    _shown = ("verdict", "event", "track", "t_lo", "t_hi", "t_safe", "contacts")

    verdict = number("verdict", '"miss": nothing happened; "hit": the event is proved; "near": neither.', _VERDICT)
    event = number("event", '"nothing", "contact": one that is not tracked, or "lost": a track.', _EVENT)
    track = number("track", "The track that is lost; else 0.")
    end = number("end", "Why the search for contacts ended.", CONTACT_ENDS.__getitem__)
    t_lo = number("t_lo", "A lower bound of the event's time; infinite where there is none.")
    t_hi = number("t_hi", "An upper bound of the event's time; infinite where there is none.")
    t_safe = number("t_safe", "All is proved up to here; the tracks are as of this time.")
    contact_count = number("contacts", "How many new contacts there are, also where they were visited.")
    ended = number("ended", "Tracks that ended by t_safe.")
    boxes = number("boxes", "Boxes processed.")
    pieces = number("pieces", "Pieces of time in which boxes did not move, of all tracks.")
    seconds = number("seconds", "How long it took.")

    @classmethod
    def _with(cls, struct, contacts):
        answer = cls._of(struct)
        answer.contacts = contacts
        return answer

    def __init__(self, record, contacts=None):
        super().__init__(record)
        self.contacts = contacts

    def __reduce__(self):
        return type(self), (ffi.buffer(self._c)[:], self.contacts)


class _Asked:
    """Bodies, options and times of a question, as the library takes them."""

    def __init__(self, bodies, options, keywords, t_from):
        if is_path(bodies):
            bodies = ContactScene(bodies)
        if isinstance(bodies, ContactScene):
            self.options = ContactOptions(bodies.options if options is None else options, **keywords)
        else:
            self.options = ContactOptions._of(options, keywords)
        # What a body has now: another thread may give it another motion meanwhile.
        parts = [(body.shape, body.motion) for body in map(_body_of, bodies)]
        self.parts = parts
        self.things = [thing for pair in parts for thing in pair if thing is not None]
        self.owns = list({id(shape._own): shape._own for shape, _motion in parts if shape._own is not None}.values())
        self.array = ffi.new("toi_body[]", max(len(parts), 1))
        for i, (shape, motion) in enumerate(parts):
            lib.toi_body_init(self.array + i, ffi.sizeof("toi_body"))
            self.array[i].shape = shape._handle
            self.array[i].motion = ffi.NULL if motion is None else motion._handle
        self.scene = ffi.new("toi_track_scene *")
        lib.toi_track_scene_init(self.scene, ffi.sizeof("toi_track_scene"))
        self.scene.bodies, self.scene.body_count = self.array, len(parts)
        self.scene.t_from = real(t_from, "t_from")

    def with_tracks(self, tracks):
        """A copy of the tracks for the library to write to."""
        if not isinstance(tracks, np.ndarray) or tracks.dtype != track_dtype or tracks.ndim != 1:
            raise TypeError("tracks: expected a one-dimensional array of toi.track_dtype")
        raw = bytearray(np.ascontiguousarray(tracks).tobytes())
        self.scene.tracks, self.scene.track_count = ffi.from_buffer("toi_track[]", raw), len(tracks)
        return raw

    def settle(self, call, status):
        for own in self.owns:
            own.settle()
        explained(call, status, self.things)
        return status


def _make(function, asked, points, delta, margin, context):
    contacts, made = ffi.new("toi_track_contacts *"), ffi.new("size_t *")
    lib.toi_track_contacts_init(contacts, ffi.sizeof("toi_track_contacts"))
    contacts.delta, contacts.margin = real(delta, "delta"), real(margin, "margin")
    if points is not None:
        raw = np.ascontiguousarray(points).tobytes()
        kept = ffi.from_buffer("toi_contact_point[]", raw)
        contacts.points, contacts.count = kept, len(points)
    # As many tracks as there are contacts are enough.
    room = _ROOM if points is None else max(len(points), 1)
    tracks = bytearray(room * track_dtype.itemsize)
    asked.scene.tracks = ffi.from_buffer("toi_track[]", tracks)
    contacts.room = room
    with Together(asked.things, context) as call:
        asked.settle(call, function(call.context, asked.scene, asked.options._for(call), contacts, made))
    return np.frombuffer(bytes(tracks[: made[0] * track_dtype.itemsize]), track_dtype).copy()


def track_make(bodies, contacts, options=None, *, delta=1e-6, margin=0.05, t_from=0.0, context=None, **keywords):
    """Tracks of contacts, such as toi.contact() reports: an array of toi.track_dtype, one for all contacts of two
    bodies with similar normals.

    bodies: as of toi.contact(). contacts: toi.Contacts, or an array of
    toi.contact_point_dtype. delta: how deep the bodies may be in each other, and how far apart. margin: how far the
    boxes reach beyond a contact. A point that is not a contact at t_from raises InputError.
    """
    points = contacts.to_numpy() if isinstance(contacts, Contacts) else np.asarray(contacts, contact_point_dtype)
    asked = _Asked(bodies, options, keywords, t_from)
    return _make(lib.toi_track_make, asked, points, delta, margin, context)


def track_rest(bodies, options=None, *, delta=1e-6, margin=0.05, t_from=0.0, context=None, **keywords):
    """Tracks of all contacts at t_from; 1,024 at most. See toi.track_make()."""
    asked = _Asked(bodies, options, keywords, t_from)
    return _make(lib.toi_track_rest, asked, None, delta, margin, context)


def track_begin(bodies, tracks, options=None, *, t_from=0.0, context=None, **keywords):
    """Fits the boxes of tracks to their contacts at t_from, in place; one that is not a contact raises InputError."""
    asked = _Asked(bodies, options, keywords, t_from)
    raw = asked.with_tracks(tracks)
    with Together(asked.things, context) as call:
        asked.settle(call, lib.toi_track_begin(call.context, asked.scene, asked.options._for(call)))
    tracks[:] = np.frombuffer(bytes(raw), track_dtype)


def track_step(bodies, tracks, options=None, *, t_from=0.0, visit=None, context=None, **keywords):
    """The next event, from t_from to t_max: a TrackAnswer. The tracks, an array, are updated in place.

    bodies and options: as of toi.contact(). visit: a function called with each new contact instead of a list.
    """
    asked = _Asked(bodies, options, keywords, t_from)
    raw = asked.with_tracks(tracks)
    answer = ffi.new("toi_track_answer *")
    with Together(asked.things, context) as call:
        given = asked.options._for(call)

        def ask(visitor, user):
            return asked.settle(call, lib.toi_track_step(call.context, asked.scene, given, answer, visitor, user))

        contacts = run_list(call, CONTACTS, visit, ask)
    tracks[:] = np.frombuffer(bytes(raw), track_dtype)
    return TrackAnswer._with(answer, contacts)
