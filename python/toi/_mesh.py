# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the libtoi authors
"""Meshes: two states of vertices, with faces, edges and the other properties that calls on whole meshes use."""

import numpy as np

from ._array import UINT32, Layout, doubles, expect_shape, indices, is_path, numbers, packed, pointer
from ._context import Call
from ._error import InputError
from ._native import ffi, lib

NO_BODY = lib.TOI_NO_BODY
pair_dtype = np.dtype([("first", "u4"), ("second", "u4")], align=True)


def pair_array(pairs):
    """Pairs as the library takes them: (n, 2) numbers, or a structured array with first and second."""
    given = np.asarray(pairs)
    if given.dtype == pair_dtype:
        expect_shape(given, (None,), "pairs")
        return packed(given, pair_dtype)
    if given.dtype.names is not None and {"first", "second"} <= set(given.dtype.names):
        given = np.stack([given["first"], given["second"]], axis=-1)
    return indices(given, 2, "pairs").reshape(-1).view(pair_dtype)


# --- what is known per vertex or body ---


def bodies_of(value, count):
    """The body of each vertex; -1 and toi.NO_BODY: of none."""
    if value is None:
        return None
    array = np.asarray(value)
    if array.dtype.kind not in "iu":
        raise TypeError(f"bodies: expected an array of whole numbers, got {array.dtype}")
    expect_shape(array, (count,), "bodies")
    if array.dtype == UINT32:
        return packed(array, UINT32)
    if count and (int(array.min()) < -1 or int(array.max()) > NO_BODY):
        raise InputError("bodies: numbers begin at 0, and -1 stands for none")
    return packed(np.where(array < 0, NO_BODY, array), UINT32)


def fixed_of(value, count):
    """True for vertices that do not move by themselves."""
    if value is None:
        return None
    array = np.asarray(value)
    if array.dtype.kind not in "biu":
        raise TypeError(f"fixed: expected an array of booleans, got {array.dtype}")
    expect_shape(array, (count,), "fixed")
    if array.dtype.itemsize == 1:
        return packed(array, array.dtype).view(np.uint8)
    return (array != 0).astype(np.uint8)


def thickness_of(value, count, what):
    """A thickness for each, or one for all."""
    if value is None:
        return None
    array = numbers(value, what)
    if array.ndim == 0:
        array = np.full(count, float(array))
    return doubles(array, (count,), what)


def words_of(flags):
    """A set as the library takes it: bit i % 64 of word i / 64."""
    flat = np.ascontiguousarray(flags, dtype=bool).reshape(-1)
    padded = np.zeros(-(-len(flat) // 64) * 64, bool)
    padded[: len(flat)] = flat
    return np.packbits(padded, bitorder="little").view("<u8").astype(np.uint64)


def skipped_of(value, count):
    """A set of vertices: one boolean for each, or the numbers of those that are in it."""
    if value is None:
        return None
    array = np.asarray(value)
    if array.dtype.kind == "b":
        expect_shape(array, (count,), "skipped")
        return words_of(array)
    if array.size and array.dtype.kind not in "iu":
        raise TypeError(f"skipped: expected booleans, one for each vertex, or numbers of vertices, got {array.dtype}")
    flags = np.zeros(count, bool)
    for vertex in array.reshape(-1).tolist():
        if not 0 <= vertex < count:
            raise InputError(f"skipped: names vertex {vertex}; there are {count}")
        flags[int(vertex)] = True
    return words_of(flags)


def body_pairs_of(value):
    """Which bodies may collide: a square matrix of booleans, of which the upper half with its diagonal is used."""
    if value is None:
        return None, 0
    array = np.asarray(value)
    if array.dtype.kind != "b" or array.ndim != 2 or array.shape[0] != array.shape[1]:
        raise InputError(f"body_pairs: expected a square array of booleans, got {array.dtype} of shape {array.shape}")
    return words_of(array), len(array)


def half_spaces_of(value):
    """Half-spaces as rows of normal and offset: (n, 4)."""
    if value is None:
        return None
    return doubles(value, (None, 4), "half_spaces")


class Attributes:
    """What topologies and meshes have in common: faces, edges, and what is known per vertex and body."""

    __slots__ = ("bodies", "fixed", "thickness", "body_thickness", "body_count", "skipped", "body_pairs", "half_spaces")

    def __init__(self, count, bodies, fixed, thickness, body_thickness, skipped, body_pairs, half_spaces):
        self.bodies = bodies_of(bodies, count)
        self.fixed = fixed_of(fixed, count)
        self.thickness = thickness_of(thickness, count, "thickness")
        self.body_pairs, self.body_count = body_pairs_of(body_pairs)
        if body_thickness is not None:
            known = self.body_count or len(numbers(body_thickness, "body_thickness").reshape(-1))
            self.body_thickness = thickness_of(body_thickness, known, "body_thickness")
            self.body_count = known
        else:
            self.body_thickness = None
        self.skipped = skipped_of(skipped, count)
        self.half_spaces = half_spaces_of(half_spaces)

    def fill(self, struct):
        """Into a toi_mesh or a toi_topology."""
        for name, ctype in (
            ("bodies", "uint32_t *"),
            ("fixed", "uint8_t *"),
            ("thickness", "double *"),
            ("body_thickness", "double *"),
            ("skipped", "uint64_t *"),
            ("body_pairs", "uint64_t *"),
            ("half_spaces", "toi_half_space *"),
        ):
            array = getattr(self, name)
            if array is not None and array.size:
                setattr(struct, name, pointer(array, ctype))
        struct.body_count = self.body_count
        struct.half_space_count = 0 if self.half_spaces is None else len(self.half_spaces)


# --- meshes ---


def _opened(value, what):
    """Vertices, faces and loose edges of a file or of an object that has them; vertices alone of anything else."""
    if is_path(value):
        from ._files import frame_read

        frame = frame_read(value)
        return frame.vertices, frame.faces, frame.loose
    if isinstance(value, Mesh):
        return value.start, value.faces, None
    if hasattr(value, "vertices"):
        if not hasattr(value, "faces"):
            raise TypeError(f"{what}: {type(value).__name__} has vertices, but no faces")
        return np.asarray(value.vertices), np.asarray(value.faces), None
    return value, None, None


class Mesh:
    """Two states of one mesh, or one: start and end are (n, 3) arrays of float64 or float32.

        toi.Mesh(start, end, faces=faces)
        toi.Mesh("start.ply", "end.ply")
        toi.Mesh(anything_with_vertices_and_faces)

    Arrays are not copied if they can be described: positions in any layout of positive strides, the same for both
    states; packed faces and edges of uint32 or int32. The mesh keeps them alive; do not change their contents while a
    call is under way on another thread.

    faces: (n, 3) numbers of vertices.
    edges: (n, 2): all edges, those of the faces among them. Without it they are found, as toi.mesh_edges() does.
    loose: (n, 2): edges besides those of the faces, instead of `edges`.
    bodies: the body of each vertex: pairs within one body are skipped; -1: of none.
    fixed: booleans: pairs whose vertices are all fixed are skipped.
    thickness: of each vertex, or one number for all.
    body_thickness: of each body, added to that of its vertices.
    skipped: vertices whose primitives take no part: booleans, or their numbers.
    body_pairs: which bodies may collide: a square array of booleans; the diagonal for pairs within one body.
    half_spaces: (n, 4) rows of normal and offset: every vertex must stay in normal . x >= offset.
    """

    __slots__ = ("_c", "_layout", "_faces", "_edges", "_attributes", "__weakref__")

    def __init__(self, start, end=None, faces=None, edges=None, *, loose=None, bodies=None, fixed=None, thickness=None,
                 body_thickness=None, skipped=None, body_pairs=None, half_spaces=None):
        start, own_faces, own_loose = _opened(start, "start")
        if end is not None:
            end, other_faces, _ = _opened(end, "end")
            if own_faces is not None and other_faces is not None and not np.array_equal(own_faces, other_faces):
                raise InputError("end: its faces are not those of start; both must be states of one mesh")
        faces = own_faces if faces is None else faces
        loose = own_loose if loose is None else loose
        self._layout = Layout(start, end)
        count = len(self._layout.start)
        self._faces = indices([] if faces is None else faces, 3, "faces")
        if edges is not None and loose is not None and len(loose):
            raise InputError("edges and loose are both given; edges are all of them, loose those of no face")
        if edges is None and loose is not None and len(loose):
            edges = mesh_edges(self._faces, loose)
        self._edges = None if edges is None else indices(edges, 2, "edges")
        self._attributes = Attributes(
            count, bodies, fixed, thickness, body_thickness, skipped, body_pairs, half_spaces
        )
        self._c = self._describe()

    def _describe(self):
        mesh = ffi.new("toi_mesh *")
        lib.toi_mesh_init(mesh, ffi.sizeof("toi_mesh"))
        layout = self._layout
        mesh.start = pointer(layout.start)
        mesh.end = ffi.NULL if layout.end is None else pointer(layout.end)
        mesh.scalar, mesh.stride, mesh.component_stride = layout.scalar, layout.stride, layout.component_stride
        mesh.vertex_count = len(layout.start)
        if len(self._faces):
            mesh.faces, mesh.face_count = pointer(self._faces, "uint32_t (*)[3]"), len(self._faces)
        if self._edges is not None and len(self._edges):
            mesh.edges, mesh.edge_count = pointer(self._edges, "uint32_t (*)[2]"), len(self._edges)
        self._attributes.fill(mesh)
        return mesh

    def replace(self, start=None, end=None):
        """The same mesh in other states; faces, edges and the rest are shared, not copied or checked again."""
        other = Mesh.__new__(Mesh)
        other._layout = Layout(
            self._layout.start if start is None else start, self._layout.end if end is None else end
        )
        if other._layout.start.shape != self._layout.start.shape:
            raise InputError(f"expected an array of shape {self._layout.start.shape}, got {other._layout.start.shape}")
        other._faces, other._edges, other._attributes = self._faces, self._edges, self._attributes
        other._c = other._describe()
        return other

    @property
    def start(self):
        """The vertices at t = 0."""
        return self._layout.start

    vertices = start

    @property
    def end(self):
        """The vertices at t = 1; None if there is one state only."""
        return self._layout.end

    @property
    def faces(self):
        """The faces, (n, 3) uint32."""
        return self._faces

    @property
    def edges(self):
        """All edges, (n, 2) uint32, numbered as pairs of edges name them."""
        return mesh_edges(self._faces) if self._edges is None else self._edges

    @property
    def half_spaces(self):
        """The half-spaces, (n, 4); None if there are none."""
        return self._attributes.half_spaces

    def __repr__(self):
        states = 1 if self.end is None else 2
        edges = "" if self._edges is None else f"{len(self._edges)} edges, "
        return f"Mesh({len(self.start)} vertices, {edges}{len(self._faces)} faces, {states} state{'s' * (states > 1)})"


def mesh_of(value):
    """A Mesh, or what one can be made of without a second state."""
    if isinstance(value, Mesh):
        return value
    if is_path(value) or hasattr(value, "vertices"):
        return Mesh(value)
    kind = type(value).__name__
    raise TypeError(f"mesh: expected a toi.Mesh, a file or an object with vertices and faces, got {kind}")


def mesh_edges(faces, loose=None, *, context=None):
    """The edges of faces and loose edges: an (n, 2) array of unique pairs i < j, ordered by j, then by i."""
    faces = indices(faces, 3, "faces")
    loose = indices([] if loose is None else loose, 2, "loose")
    place, count = ffi.new("uint32_t (**)[2]"), ffi.new("size_t *")
    with Call(context) as call:
        call.check(
            lib.toi_mesh_edges(
                call.context,
                pointer(faces, "uint32_t (*)[3]"),
                len(faces),
                pointer(loose, "uint32_t (*)[2]"),
                len(loose),
                place,
                count,
            )
        )
        if count[0] == 0:
            return np.empty((0, 2), UINT32)
        edges = np.frombuffer(ffi.buffer(place[0], count[0] * 8), UINT32).copy().reshape(-1, 2)
        lib.toi_mesh_edges_free(call.context, place[0], count[0])
    return edges


def mesh_check(mesh, *, context=None, threads=None):
    """Checks everything in a mesh that could be wrong, and raises an InputError that names the first error."""
    mesh = mesh_of(mesh)
    with Call(context, threads) as call:
        call.check(lib.toi_mesh_check(call.context, mesh._c))
