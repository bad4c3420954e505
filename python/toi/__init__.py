# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the libtoi authors
"""Certified continuous collision detection: two things move; when do they first touch?

    import numpy as np, toi
    start = np.array([[0.25, 0.25, 1], [0, 0, 0], [1, 0, 0], [0, 1, 0]])
    end = start - [[0, 0, 2], [0, 0, 0], [0, 0, 0], [0, 0, 0]]
    toi.vertex_face(start, end)                     # a hit, between t_lo and t_hi, around 0.5

The names are those of the C library without the prefix. Arrays are not copied if their
layout allows it; options are keywords (toi.Options lists them); failures raise a toi.Error with the library's message.
Python's lock is released while the library works, and Ctrl-C ends long calls.
"""

from ._array import Record, Records
from ._contact import (
    Body,
    ContactAnswer,
    ContactOptions,
    ContactPoint,
    Contacts,
    ContactScene,
    contact,
    contact_certificate_name,
    contact_end_name,
    contact_inside,
    contact_interval_dtype,
    contact_intervals,
    contact_point_dtype,
    contact_scene_read,
)
from ._context import Context, Device, devices
from ._distance import (
    Distance,
    distance_batch,
    distance_batch_indexed,
    distance_dtype,
    distance_fast,
    distance_part,
    distance_rational,
    half_space_distance,
)
from ._error import (
    BusyError,
    CallbackError,
    CancelledError,
    DeviceError,
    Error,
    FileError,
    FormatError,
    InputError,
    OptionError,
    OutOfMemoryError,
    PluginError,
    UnsupportedError,
    status_text,
)
from ._files import (
    Frame,
    Output,
    Queries,
    Truth,
    frame_read,
    frame_write,
    queries_read,
    queries_write,
    read_mesh,
    read_step,
    truth_read,
)
from ._explain import ExplainedPiece, ExplainedRoot, Explanation, explain, outcome_name, root_source_name
from ._formula import Bounds, Formula, Term, operator_name
from ._mesh import NO_BODY, Mesh, mesh_check, mesh_edges, pair_dtype
from ._model import (
    Model,
    ModelContacts,
    model_contacts,
    model_names,
    model_pair,
    rigid_pair,
)
from ._motion import Motion, Pose, chebyshev_node
from ._options import Counters, Options, Work
from ._proof import Proof, prove
from ._query import (
    HIT,
    MISS,
    NEAR,
    Hit,
    batch,
    batch_hits,
    batch_indexed,
    batch_indexed_hits,
    broad_promise,
    broads,
    edge_edge,
    hit_dtype,
    kind_name,
    kind_points,
    level_name,
    method_promise,
    methods,
    query,
    verdict_name,
    version,
    vertex_edge,
    vertex_face,
    vertex_half_space,
    vertex_vertex,
)
from ._rigid import (
    MovingBody,
    MovingPair,
    RigidAdvance,
    RigidClearance,
    RigidCollisions,
    RigidImpact,
    RigidScene,
    rigid_impact_dtype,
)
from ._scene import Scene
from ._shape import Extent, Shape, ShapeValue, shape_kinds
from ._stencil import (
    Stencil,
    StencilArrays,
    Stencils,
    stencil_batch,
    stencil_derivatives,
    stencil_dtype,
    stencil_mollifier,
    stencils,
)
from ._step import (
    Advance,
    Candidate,
    Candidates,
    Collision,
    Collisions,
    Crossing,
    Crossings,
    Impact,
    Intersection,
    Proximal,
    Proximity,
    box_pairs,
    candidate_dtype,
    candidates,
    collision_dtype,
    collisions,
    crossing_dtype,
    line_search,
    mesh_crossings,
    mesh_intersects,
    proximal_dtype,
    proximity,
    safe_displacements,
    step,
)
from ._surface import (
    Patch,
    PatchCase,
    SurfaceHit,
    SurfaceHits,
    SurfaceOptions,
    SurfacePoint,
    cases_read,
    cases_write,
    patch_batch,
    patch_pair,
    patch_points,
    surface_end_name,
    surface_hit_dtype,
    surface_method_promise,
    surface_methods,
)
from ._sweep import SweepAnswer, SweepContact, SweepFree, SweepScene, sweep, sweep_scene_read
from ._track import (
    TrackAnswer,
    track_begin,
    track_dtype,
    track_event_name,
    track_make,
    track_rest,
    track_state_name,
    track_step,
)

__version__ = version()
__all__ = [name for name in dir() if not name.startswith("_")]
