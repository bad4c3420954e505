# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the libtoi authors
"""Query and mesh files in and out. Data are exactly what the file says; files are written completely or not at all."""

from collections import namedtuple

import numpy as np

from ._array import FLOAT32, doubles, expect_shape, indices, packed, path_bytes, pointer, positions
from ._context import Call, Context
from ._error import InputError
from ._mesh import Mesh
from ._native import ffi, lib

Frame = namedtuple("Frame", ("vertices", "faces", "loose"))
Frame.__doc__ = """A mesh at one instant, as a file has it: vertices (n, 3), float64 or float32; faces (n, 3); loose:
edges that the file lists by themselves, (n, 2)."""
Queries = namedtuple("Queries", ("queries", "truth"))
Queries.__doc__ = """The queries of a file, (n, 8, 3) doubles for batch(), and their truth: booleans, or None."""
Truth = namedtuple("Truth", ("hit", "t_lo", "t_hi"))
Truth.__doc__ = """The truth of a query file: booleans, and the exact times' tightest doubles, or None."""


def _copy(items, count, dtype, *shape):
    """A copy of an array of the library's, which the context is about to free."""
    if items == ffi.NULL or count == 0:
        return np.empty((0, *shape), dtype)
    size = count * int(np.prod(shape, dtype=int)) * np.dtype(dtype).itemsize
    return np.frombuffer(ffi.buffer(ffi.cast("char *", items), size), dtype).reshape(count, *shape).copy()


# --- queries ---


def queries_read(path, *, context=None, threads=None):
    """Reads a query file, .csv, .csv.gz or .bin: Queries, whose .queries is an (n, 8, 3) array for batch()."""
    queries = ffi.new("toi_query_set *")
    with Call(context, threads) as call:
        call.check(lib.toi_queries_read(call.context, path_bytes(path), queries))
        try:
            truth = None if queries.truth == ffi.NULL else _copy(queries.truth, queries.count, np.uint8).astype(bool)
            return Queries(_copy(queries.queries, queries.count, np.float64, 8, 3), truth)
        finally:
            lib.toi_queries_free(call.context, queries)


def _query_set(queries, truth):
    """The struct, and the arrays that it points to."""
    array = doubles(queries, (None, 8, 3), "queries")
    struct = ffi.new("toi_query_set *")
    struct.queries, struct.count = pointer(array, "double *"), len(array)
    if truth is not None:
        truth = np.asarray(truth)
        if truth.dtype.kind not in "biu":
            raise TypeError(f"truth: expected an array of booleans, got {truth.dtype}")
        expect_shape(truth, (len(array),), "truth")
        truth = packed(truth != 0, bool)
        struct.truth = pointer(truth, "uint8_t *")
    return struct, array, truth


def queries_write(path, queries, truth=None, *, context=None):
    """Writes (n, 8, 3) queries to a .bin or .csv file; a .csv file holds their truth as well, if it is given."""
    struct, *_kept = _query_set(queries, truth)
    with Call(context) as call:
        call.check(lib.toi_queries_write(call.context, path_bytes(path), struct))


def truth_read(path, *, context=None):
    """Reads the truth of a query file: a JSON list of booleans, or CSV with the header hit,toi_lo,toi_hi."""
    truth = ffi.new("toi_truth *")
    with Call(context) as call:
        call.check(lib.toi_truth_read(call.context, path_bytes(path), truth))
        try:
            times = [None if t == ffi.NULL else _copy(t, truth.count, np.float64) for t in (truth.t_lo, truth.t_hi)]
            return Truth(_copy(truth.hit, truth.count, np.uint8).astype(bool), *times)
        finally:
            lib.toi_truth_free(call.context, truth)


# --- meshes ---


def _taken(frame):
    """A copy of a frame of the library's."""
    scalar = np.float64 if frame.scalar == lib.TOI_FLOAT64 else np.float32
    return Frame(
        _copy(frame.vertices, frame.vertex_count, scalar, 3),
        _copy(frame.faces, frame.face_count, np.uint32, 3),
        _copy(frame.loose, frame.loose_count, np.uint32, 2),
    )


def frame_read(path, *, context=None):
    """Reads a mesh at one instant, .ply or .obj, optionally with .gz: a Frame."""
    frame = ffi.new("toi_frame *")
    with Call(context) as call:
        call.check(lib.toi_frame_read(call.context, path_bytes(path), frame))
        try:
            return _taken(frame)
        finally:
            lib.toi_frame_free(call.context, frame)


def frame_write(path, vertices, faces=None, loose=None, *, context=None):
    """Writes a mesh at one instant, .ply or .obj, gzipped if the name ends in .gz.

    vertices: (n, 3), or a Frame, or anything with vertices and faces.
    """
    if hasattr(vertices, "vertices"):
        loose = getattr(vertices, "loose", None) if loose is None else loose
        faces = vertices.faces if faces is None else faces
        vertices = vertices.vertices
    vertices = positions(vertices, "vertices")
    vertices = packed(vertices, vertices.dtype)
    faces = indices([] if faces is None else faces, 3, "faces")
    loose = indices([] if loose is None else loose, 2, "loose")
    for name, array in (("faces", faces), ("loose", loose)):
        if array.size and int(array.max()) >= len(vertices):
            raise InputError(f"{name}: names vertex {int(array.max())}; there are {len(vertices)}")
    frame = ffi.new("toi_frame *")
    frame.vertices, frame.vertex_count = pointer(vertices), len(vertices)
    frame.scalar = lib.TOI_FLOAT32 if vertices.dtype == FLOAT32 else lib.TOI_FLOAT64
    frame.faces, frame.face_count = pointer(faces, "uint32_t (*)[3]"), len(faces)
    frame.loose, frame.loose_count = pointer(loose, "uint32_t (*)[2]"), len(loose)
    with Call(context) as call:
        call.check(lib.toi_frame_write(call.context, path_bytes(path), frame))


def read_mesh(path, *, context=None, **attributes):
    """A Mesh of one state from a .ply or .obj file; further keywords are those of toi.Mesh."""
    frame = frame_read(path, context=context)
    return Mesh(frame.vertices, None, frame.faces, loose=frame.loose, **attributes)


def read_step(start, end, *, context=None, **attributes):
    """A Mesh of two states from two files of the same connectivity; further keywords are those of toi.Mesh."""
    frames = ffi.new("toi_frame[2]")
    names = path_bytes(start), path_bytes(end)
    with Call(context) as call:
        try:
            for i in range(2):
                call.check(lib.toi_frame_read(call.context, names[i], frames + i))
            call.check(lib.toi_frames_match(call.context, frames, names[0], frames + 1, names[1]))
            first, last = _taken(frames[0]), _taken(frames[1])
        finally:
            for i in range(2):
                lib.toi_frame_free(call.context, frames + i)
    return Mesh(first.vertices, last.vertices, first.faces, loose=first.loose, **attributes)


# --- files written piece by piece ---


class Output:
    """A file that is written piece by piece, completely or not at all.

        with toi.Output("queries.bin") as output:
            output.append_queries(queries)

    At the end of the block the file appears; if the block raises, nothing remains of it. It has a context of its own,
    which no other call uses meanwhile.
    """

    __slots__ = ("_handle", "_context", "_path")

    def __init__(self, path):
        self._path, self._handle = path, None
        self._context = Context(1)
        place = ffi.new("toi_output **")
        with Call(self._context) as call:
            call.check(lib.toi_output_create(call.context, path_bytes(path), place))
        self._handle = place[0]

    def _open(self):
        """The handle; the context is in use, so that no other thread can end it."""
        if self._handle is None:
            raise InputError("the output has ended")
        return self._handle

    def append(self, data):
        """Appends bytes, or anything that has them."""
        view = memoryview(data)
        if not view.c_contiguous:
            raise InputError("data: expected packed bytes")
        with Call(self._context) as call:
            call.check(lib.toi_output_append(self._open(), ffi.from_buffer(view), view.nbytes))

    def append_queries(self, queries, truth=None):
        """Appends (n, 8, 3) queries in the format given by the ending of the name."""
        struct, *_kept = _query_set(queries, truth)
        with Call(self._context) as call:
            call.check(lib.toi_output_append_queries(self._open(), struct))

    def commit(self):
        """Makes the file appear under its name, and ends the output."""
        with Call(self._context) as call:
            handle = self._open()
            self._handle = None
            call.check(lib.toi_output_commit(handle))

    def discard(self):
        """Ends the output without a file; does nothing if it has ended."""
        with Call(self._context):
            if self._handle is not None:
                handle, self._handle = self._handle, None
                lib.toi_output_destroy(handle)

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        if kind is not None:
            self.discard()
        elif self._handle is not None:
            self.commit()

    def __del__(self):
        if getattr(self, "_handle", None) is not None:
            self.discard()

    def __repr__(self):
        return f"Output({self._path!r}{'' if self._handle is not None else ', ended'})"
