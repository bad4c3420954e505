# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the libtoi authors
"""A scene kept between calls: connectivity is checked once, and data from the last positions are reused."""

import numpy as np

from ._array import UINT32, Layout, expect_shape, pointer, real
from ._context import Call, Context, whole
from ._error import InputError
from ._mesh import Attributes, Mesh
from ._native import ffi, lib
from ._options import options_of
from ._step import (
    CANDIDATES,
    COLLISIONS,
    CROSSINGS,
    PROXIMITY,
    Impact,
    Intersection,
    Question,
)
from ._stencil import STENCILS, stencil_options

_INDEX_TYPES = {
    np.dtype("uint32"): lib.TOI_UINT32,
    np.dtype("int32"): lib.TOI_INT32,
    np.dtype("uint64"): lib.TOI_UINT64,
    np.dtype("int64"): lib.TOI_INT64,
}


def _index_array(value, columns, what):
    """Numbers of vertices in any of the four types, in a layout that the library reads."""
    array = np.asarray([] if value is None else value)
    if array.size == 0 and array.ndim <= 2:
        return np.empty((0, columns), UINT32)
    if array.dtype.kind not in "iu":
        raise TypeError(f"{what}: expected an array of whole numbers, got {array.dtype}")
    expect_shape(array, (None, columns), what)
    if array.dtype not in _INDEX_TYPES or not array.dtype.isnative:
        array = array.astype(np.int64 if array.dtype.kind == "i" else np.uint64)
    if min(array.strides) < array.itemsize or not array.flags.aligned:
        array = np.ascontiguousarray(array)
    return array


class Scene:
    """Connectivity that stays the same from call to call, with everything else as in a Mesh.

        scene = toi.Scene(len(vertices), faces=faces)
        advance = scene.line_search(start, end, separation_fraction=0.1)

    The answers are those of the calls on a mesh, bit by bit; calls are faster if vertices move little in between.
    faces and edges may be of 32 or 64 bits, signed or not, by rows or by columns; they are copied. context: a Context
    of your own; otherwise the scene makes its own, with `threads` threads. One call at a time: a second one, on another
    thread or in a visitor, raises BusyError.
    """

    __slots__ = ("_handle", "_kept", "_context", "_count", "__weakref__")

    def __init__(self, vertex_count, faces=None, edges=None, *, bodies=None, fixed=None, thickness=None,
                 body_thickness=None, skipped=None, body_pairs=None, half_spaces=None, context=None, threads=None):
        if isinstance(vertex_count, Mesh):
            raise TypeError("vertex_count: expected a number, got a Mesh; toi.Scene.of_mesh(mesh) makes a scene of one")
        count = whole(vertex_count, "vertex_count", 2**32)
        if context is not None and threads is not None:
            raise InputError("threads and context are both given; a context has its own number of threads")
        self._context = Context(0 if threads is None else threads) if context is None else context
        self._count = count
        attributes = Attributes(
            count, bodies, fixed, thickness, body_thickness, skipped, body_pairs, half_spaces
        )
        self._create(_index_array(faces, 3, "faces"), _index_array(edges, 2, "edges"), attributes)

    @classmethod
    def of_mesh(cls, mesh, *, context=None, threads=None):
        """A scene of a Mesh's connectivity, bodies, thickness and so on."""
        if not isinstance(mesh, Mesh):
            raise TypeError(f"mesh: expected a toi.Mesh, got {type(mesh).__name__}")
        if context is not None and threads is not None:
            raise InputError("threads and context are both given; a context has its own number of threads")
        scene = cls.__new__(cls)
        scene._context = Context(0 if threads is None else threads) if context is None else context
        scene._count = len(mesh.start)
        edges = np.empty((0, 2), UINT32) if mesh._edges is None else mesh._edges
        scene._create(mesh._faces, edges, mesh._attributes)
        return scene

    def _create(self, faces, edges, attributes):
        if faces.dtype != edges.dtype:
            common = np.promote_types(faces.dtype, edges.dtype)
            if common not in _INDEX_TYPES:
                common = np.dtype("int64")
            faces, edges = faces.astype(common), edges.astype(common)
        topology = ffi.new("toi_topology *")
        lib.toi_topology_init(topology, ffi.sizeof("toi_topology"))
        topology.vertex_count = self._count
        topology.index = _INDEX_TYPES[faces.dtype]
        for name, array in (("face", faces), ("edge", edges)):
            if len(array):
                setattr(topology, name + "s", pointer(array))
                setattr(topology, name + "_count", len(array))
                setattr(topology, name + "_stride", array.strides[0])
                setattr(topology, name + "_component_stride", array.strides[1])
        attributes.fill(topology)
        place = ffi.new("toi_scene **")
        with Call(self._context) as call:
            call.check(lib.toi_scene_create(call.context, topology, place))
            self._kept = call.holder.own(place[0], "scene")
        self._handle = place[0]

    @property
    def vertex_count(self):
        """The number of vertices."""
        return self._count

    @property
    def edges(self):
        """The edges in the order of their numbers, (n, 2) uint32."""
        place = ffi.new("const uint32_t (**)[2]")
        count = lib.toi_scene_edges(self._handle, place)
        if count == 0:
            return np.empty((0, 2), UINT32)
        return np.frombuffer(ffi.buffer(place[0], 8 * count), UINT32).reshape(-1, 2).copy()

    def __repr__(self):
        return f"Scene({self._count} vertices, {len(self.edges)} edges)"

    def _ask(self, start, end, options, keywords):
        """A question about these positions, and their layout, which holds the arrays."""
        layout = Layout(start, end)
        if len(layout.start) != self._count:
            raise InputError(f"start: expected an array of shape ({self._count}, 3), got {layout.start.shape}")
        positions = ffi.new("toi_positions *")
        lib.toi_positions_init(positions, ffi.sizeof("toi_positions"))
        positions.start = pointer(layout.start)
        positions.end = ffi.NULL if layout.end is None else pointer(layout.end)
        positions.scalar, positions.stride = layout.scalar, layout.stride
        positions.component_stride, positions.vertex_count = layout.component_stride, self._count
        where = (self._handle, positions)
        return Question(where, options_of(options, keywords), self._context, None), layout

    def step(self, start, end, options=None, **keywords):
        """As toi.step()."""
        question, _layout = self._ask(start, end, options, keywords)
        return Impact._of(question.one(lib.toi_scene_step, "toi_impact"))

    def collisions(self, start, end, options=None, *, visit=None, **keywords):
        """As toi.collisions()."""
        question, _layout = self._ask(start, end, options, keywords)
        return question.listed(lib.toi_scene_collisions, COLLISIONS, visit)

    def proximity(self, start, distance, options=None, *, visit=None, **keywords):
        """As toi.proximity()."""
        question, _layout = self._ask(start, None, options, keywords)
        return question.listed(lib.toi_scene_proximity, PROXIMITY, visit, real(distance, "distance"))

    def stencils(self, start, distance, options=None, *, rest=None, mollifier=None, visit=None, **keywords):
        """As toi.stencils()."""
        question, layout = self._ask(start, None, options, keywords)
        return STENCILS.ask(question, lib.toi_scene_stencils, distance, stencil_options(layout, rest, mollifier), visit)

    def safe_displacements(self, start, min_distance, radius, options=None, *, out=None, **keywords):
        """As toi.safe_displacements()."""
        question, _layout = self._ask(start, None, options, keywords)
        numbers = real(min_distance, "min_distance"), real(radius, "radius")
        return question.displacements(lib.toi_scene_safe_displacements, self._count, numbers, out)

    def line_search(self, start, end, options=None, *, out=None, **keywords):
        """As toi.line_search()."""
        question, layout = self._ask(start, end, options, keywords)
        return question.line_search(lib.toi_scene_line_search, layout, out)

    def candidates(self, start, end, options=None, *, visit=None, **keywords):
        """As toi.candidates()."""
        question, _layout = self._ask(start, end, options, keywords)
        return question.listed(lib.toi_scene_candidates, CANDIDATES, visit)

    def intersects(self, start, options=None, **keywords):
        """As toi.mesh_intersects()."""
        question, _layout = self._ask(start, None, options, keywords)
        return Intersection._of(question.one(lib.toi_scene_intersects, "toi_intersection"))

    def crossings(self, start, options=None, *, visit=None, **keywords):
        """As toi.mesh_crossings()."""
        question, _layout = self._ask(start, None, options, keywords)
        return question.listed(lib.toi_scene_crossings, CROSSINGS, visit)
