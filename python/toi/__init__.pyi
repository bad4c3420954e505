# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the libtoi authors
# Types of everything public; docstrings are in the module. tests/test_twins.py compares the two.

import os
from fractions import Fraction
from typing import Any, Callable, Generic, Iterable, Iterator, Literal, Mapping, NamedTuple, Sequence, TypedDict
from typing import TypeVar, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray
from typing_extensions import Unpack

__version__: str

Path = str | bytes | os.PathLike[str]
Kind = str | int
Norm = Literal["l2", "linf"]
Visit = Callable[[np.ndarray], bool | None]

# --- errors ---

class Error(Exception):
    status: int

class InputError(Error, ValueError): ...
class OptionError(Error, ValueError): ...
class UnsupportedError(Error): ...
class OutOfMemoryError(Error, MemoryError): ...
class FileError(Error, OSError): ...
class FormatError(Error, ValueError): ...
class PluginError(Error): ...
class CancelledError(Error): ...
class CallbackError(Error): ...
class DeviceError(Error): ...
class BusyError(Error, RuntimeError): ...

def status_text(status: int) -> str: ...

# --- records ---

class Record:
    def __init__(self, record: np.void | bytes) -> None: ...

R = TypeVar("R", bound=Record)

class Records(Generic[R]):
    def __init__(self, array: np.ndarray) -> None: ...
    def to_numpy(self) -> np.ndarray: ...
    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray: ...
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, key: int) -> R: ...
    @overload
    def __getitem__(self, key: str) -> np.ndarray: ...
    @overload
    def __getitem__(self, key: slice | np.ndarray) -> Records[R]: ...
    def __iter__(self) -> Iterator[R]: ...

# --- contexts and options ---

class Context:
    def __init__(
        self,
        threads: int = 0,
        memory_budget: int = 0,
        device: str | int | None = None,
        device_memory: int = 0,
        device_queue: int = 0,
    ) -> None: ...
    def close(self) -> None: ...
    def __enter__(self) -> Context: ...
    def __exit__(self, *_: object) -> None: ...
    @property
    def threads(self) -> int: ...
    @property
    def bytes(self) -> int: ...
    @property
    def warning(self) -> str: ...
    def device(self) -> Device | None: ...
    def plugin_load(self, path: Path) -> str: ...

class Device:
    number: int
    kind: str
    units: int
    usable: bool
    keeps_subnormals: bool
    memory: int
    largest_buffer: int
    name: str
    platform: str
    vendor: str
    version: str
    driver: str
    reason: str

def devices(test: bool = True, context: Context | None = None) -> list[Device]: ...

class Counters(Record):
    def __init__(self, record: np.void | bytes | None = None) -> None: ...
    @property
    def queries(self) -> int: ...
    @property
    def verdicts(self) -> dict[str, int]: ...
    @property
    def levels(self) -> dict[str, int]: ...

class Work(Record):
    def __init__(self, record: np.void | bytes | None = None) -> None: ...
    @property
    def candidates(self) -> dict[str, int]: ...
    @property
    def hits(self) -> dict[str, int]: ...
    @property
    def broad_ns(self) -> int: ...
    @property
    def narrow_ns(self) -> int: ...
    @property
    def passes(self) -> int: ...

class _Keywords(TypedDict, total=False):
    method: str | None
    tolerance: float
    t_max: float
    min_separation: float
    separation_fraction: float
    norm: Norm
    inclusion: Literal["obb", "aabb"]
    max_checks: int
    no_zero_toi: bool
    scene_bound: ArrayLike
    filter: Literal["float", "double"]
    counters: Counters | None
    broad: str | None
    kinds: Kind | Iterable[Kind] | None
    may_collide: Callable[[str, int, int], bool] | None
    progress: bool | Callable[[float], bool | None] | None
    work: Work | None

class Options:
    def __init__(self, base: Options | None = None, **keywords: Unpack[_Keywords]) -> None: ...

# --- two primitives ---

MISS: int
HIT: int
NEAR: int
hit_dtype: np.dtype[np.void]

class Hit(Record):
    @property
    def verdict(self) -> Literal["miss", "hit", "near"]: ...
    @property
    def t_lo(self) -> float: ...
    @property
    def t_hi(self) -> float: ...
    @property
    def t_safe(self) -> float: ...
    @property
    def u(self) -> float: ...
    @property
    def v(self) -> float: ...
    @property
    def point(self) -> NDArray[np.float64]: ...
    @property
    def normal(self) -> NDArray[np.float64]: ...
    @property
    def tolerance_reached(self) -> float: ...
    @property
    def separation(self) -> float: ...
    @property
    def distance(self) -> float: ...
    @property
    def level(self) -> str: ...
    @property
    def touching_at_start(self) -> bool: ...

def vertex_face(
    start: ArrayLike, end: ArrayLike, options: Options | None = None, **keywords: Unpack[_Keywords]
) -> Hit: ...
def edge_edge(
    start: ArrayLike, end: ArrayLike, options: Options | None = None, **keywords: Unpack[_Keywords]
) -> Hit: ...
def vertex_edge(
    start: ArrayLike, end: ArrayLike, options: Options | None = None, **keywords: Unpack[_Keywords]
) -> Hit: ...
def vertex_vertex(
    start: ArrayLike, end: ArrayLike, options: Options | None = None, **keywords: Unpack[_Keywords]
) -> Hit: ...
def query(
    kind: Kind, start: ArrayLike, end: ArrayLike, options: Options | None = None, **keywords: Unpack[_Keywords]
) -> Hit: ...
def vertex_half_space(
    start: ArrayLike,
    end: ArrayLike,
    half_space: ArrayLike | tuple[ArrayLike, float],
    options: Options | None = None,
    **keywords: Unpack[_Keywords],
) -> Hit: ...
def batch(
    kind: Kind,
    queries: ArrayLike,
    options: Options | None = None,
    *,
    out: np.ndarray | None = None,
    context: Context | None = None,
    threads: int | None = None,
    **keywords: Unpack[_Keywords],
) -> np.ndarray: ...
def batch_indexed(
    kind: Kind,
    mesh: Mesh,
    pairs: ArrayLike,
    options: Options | None = None,
    *,
    out: np.ndarray | None = None,
    context: Context | None = None,
    threads: int | None = None,
    **keywords: Unpack[_Keywords],
) -> np.ndarray: ...
def batch_hits(
    kind: Kind,
    queries: ArrayLike,
    options: Options | None = None,
    *,
    context: Context | None = None,
    threads: int | None = None,
    **keywords: Unpack[_Keywords],
) -> tuple[np.ndarray, np.ndarray]: ...
def batch_indexed_hits(
    kind: Kind,
    mesh: Mesh,
    pairs: ArrayLike,
    options: Options | None = None,
    *,
    context: Context | None = None,
    threads: int | None = None,
    **keywords: Unpack[_Keywords],
) -> tuple[np.ndarray, np.ndarray]: ...
def methods() -> tuple[str, ...]: ...
def method_promise(name: str) -> str | None: ...
def broads() -> tuple[str, ...]: ...
def broad_promise(name: str) -> str | None: ...
def kind_name(kind: Kind) -> str: ...
def kind_points(kind: Kind) -> int: ...
def verdict_name(verdict: int) -> str | None: ...
def level_name(level: int) -> str | None: ...
def version() -> str: ...

# --- distances and proofs ---

distance_dtype: np.dtype[np.void]

class Distance(Record):
    @property
    def lo(self) -> float: ...
    @property
    def hi(self) -> float: ...
    @property
    def u(self) -> float: ...
    @property
    def v(self) -> float: ...
    @property
    def first(self) -> NDArray[np.float64]: ...
    @property
    def second(self) -> NDArray[np.float64]: ...
    @property
    def on_first(self) -> tuple[int, int]: ...
    @property
    def on_second(self) -> tuple[int, int]: ...

def distance_fast(kind: Kind, points: ArrayLike, norm: Norm = "l2") -> Distance: ...
def distance_batch(
    kind: Kind,
    points: ArrayLike,
    norm: Norm = "l2",
    *,
    out: np.ndarray | None = None,
    context: Context | None = None,
    threads: int | None = None,
    progress: bool | Callable[[float], bool | None] | None = None,
) -> np.ndarray: ...
def distance_batch_indexed(
    kind: Kind,
    mesh: Mesh,
    pairs: ArrayLike,
    norm: Norm = "l2",
    *,
    out: np.ndarray | None = None,
    context: Context | None = None,
    threads: int | None = None,
    progress: bool | Callable[[float], bool | None] | None = None,
) -> np.ndarray: ...
def half_space_distance(
    point: ArrayLike, half_space: ArrayLike | tuple[ArrayLike, float], norm: Norm = "l2"
) -> Distance: ...
def distance_rational(kind: Kind, points: ArrayLike, norm: Norm = "l2") -> Fraction: ...
def distance_part(kind: Kind, points: ArrayLike, factor: float, norm: Norm = "l2") -> float: ...

class Proof:
    hit: Hit
    contact_times: int | None
    polynomial: list[int]
    lo: Fraction | None
    hi: Fraction | None
    certificate: str
    def __init__(
        self,
        hit: Hit,
        contact_times: int | None,
        polynomial: list[int],
        lo: Fraction | None,
        hi: Fraction | None,
        certificate: str,
    ) -> None: ...

def prove(
    kind: Kind,
    start: ArrayLike,
    end: ArrayLike,
    options: Options | None = None,
    *,
    certificate: bool = True,
    context: Context | None = None,
    threads: int | None = None,
    **keywords: Unpack[_Keywords],
) -> Proof: ...

class ExplainedRoot:
    t_lo: float
    t_hi: float
    u: float
    v: float
    area: NDArray[np.float64]
    area_sign: NDArray[np.int64]
    axis: int
    touching: bool
    multiplicity: int
    source: str
    element: int
    first: bool
    def __init__(self, struct: Any) -> None: ...

class ExplainedPiece:
    lo: float
    hi: float
    x: float
    zone_lo: float
    zone_hi: float
    slope: float
    slope_bound: float
    area: NDArray[np.float64]
    area_bound: NDArray[np.float64]
    t_lo: float
    t_hi: float
    crossing: bool
    gap_clear: bool
    steep: bool
    inside: bool
    outside: bool
    bracketed: bool
    rest_clear: bool
    def __init__(self, struct: Any) -> None: ...

class Explanation:
    hit: Hit
    outcomes: dict[str, str]
    roots: list[ExplainedRoot]
    pieces: list[ExplainedPiece]
    reduced: str | None
    reduced_axis: int
    reduced_corner: NDArray[np.int64]
    separation: float
    corner_count: int
    box_lo: NDArray[np.float64]
    box_hi: NDArray[np.float64]
    box_apart: NDArray[np.int64]
    size: NDArray[np.float64]
    coefficient: NDArray[np.float64]
    bound: NDArray[np.float64]
    exact: NDArray[np.float64]
    limit: NDArray[np.float64]
    coefficient_sign: NDArray[np.int64]
    half: NDArray[np.float64]
    half_bound: float
    half_limit: float
    half_clear: NDArray[np.int64]
    half_up: NDArray[np.int64]
    half_down: NDArray[np.int64]
    scale: NDArray[np.int64]
    cubic_defined: bool
    cubic_zero: bool
    in_range: bool
    scaled: bool
    def __init__(self, struct: Any) -> None: ...

def explain(
    kind: Kind, start: ArrayLike, end: ArrayLike, options: Options | None = None, **keywords: Unpack[_Keywords]
) -> Explanation: ...
def outcome_name(outcome: int) -> str | None: ...
def root_source_name(source: int) -> str | None: ...

# --- meshes ---

NO_BODY: int
pair_dtype: np.dtype[np.void]

class Mesh:
    def __init__(
        self,
        start: Any,
        end: Any = None,
        faces: ArrayLike | None = None,
        edges: ArrayLike | None = None,
        *,
        loose: ArrayLike | None = None,
        bodies: ArrayLike | None = None,
        fixed: ArrayLike | None = None,
        thickness: ArrayLike | None = None,
        body_thickness: ArrayLike | None = None,
        skipped: ArrayLike | None = None,
        body_pairs: ArrayLike | None = None,
        half_spaces: ArrayLike | None = None,
    ) -> None: ...
    def replace(self, start: ArrayLike | None = None, end: ArrayLike | None = None) -> Mesh: ...
    @property
    def start(self) -> np.ndarray: ...
    @property
    def vertices(self) -> np.ndarray: ...
    @property
    def end(self) -> np.ndarray | None: ...
    @property
    def faces(self) -> NDArray[np.uint32]: ...
    @property
    def edges(self) -> NDArray[np.uint32]: ...
    @property
    def half_spaces(self) -> NDArray[np.float64] | None: ...

def mesh_edges(
    faces: ArrayLike, loose: ArrayLike | None = None, *, context: Context | None = None
) -> NDArray[np.uint32]: ...
def mesh_check(mesh: Mesh, *, context: Context | None = None, threads: int | None = None) -> None: ...

class Impact(Record):
    @property
    def hit(self) -> Hit: ...
    @property
    def kind(self) -> str | None: ...
    @property
    def first(self) -> int | None: ...
    @property
    def second(self) -> int | None: ...

class Collision(Record):
    @property
    def kind(self) -> str: ...
    @property
    def first(self) -> int: ...
    @property
    def second(self) -> int: ...
    @property
    def hit(self) -> Hit: ...
    @property
    def first_point(self) -> NDArray[np.float64]: ...
    @property
    def second_point(self) -> NDArray[np.float64]: ...

class Proximal(Record):
    @property
    def kind(self) -> str: ...
    @property
    def first(self) -> int: ...
    @property
    def second(self) -> int: ...
    @property
    def distance(self) -> Distance: ...

class Crossing(Record):
    @property
    def crossing(self) -> bool: ...
    @property
    def behind(self) -> bool: ...
    @property
    def kind(self) -> str: ...
    @property
    def first(self) -> int: ...
    @property
    def second(self) -> int: ...

class Candidate(Record):
    @property
    def kind(self) -> str: ...
    @property
    def first(self) -> int: ...
    @property
    def second(self) -> int: ...

class Intersection(Record):
    @property
    def found(self) -> bool: ...
    @property
    def crossing(self) -> bool: ...
    @property
    def behind(self) -> bool: ...
    @property
    def kind(self) -> str: ...
    @property
    def first(self) -> int: ...
    @property
    def second(self) -> int: ...
    def __bool__(self) -> bool: ...

class Advance(Record):
    positions: np.ndarray
    @property
    def step(self) -> float: ...
    @property
    def fraction(self) -> float: ...
    @property
    def tries(self) -> int: ...
    @property
    def first(self) -> Impact: ...

class Collisions(Records[Collision]): ...
class Proximity(Records[Proximal]): ...
class Candidates(Records[Candidate]): ...
class Crossings(Records[Crossing]): ...

collision_dtype: np.dtype[np.void]
proximal_dtype: np.dtype[np.void]
crossing_dtype: np.dtype[np.void]
candidate_dtype: np.dtype[np.void]

def step(
    mesh: Mesh,
    options: Options | None = None,
    *,
    context: Context | None = None,
    threads: int | None = None,
    **keywords: Unpack[_Keywords],
) -> Impact: ...
def collisions(
    mesh: Mesh,
    options: Options | None = None,
    *,
    visit: Visit | None = None,
    context: Context | None = None,
    threads: int | None = None,
    **keywords: Unpack[_Keywords],
) -> Collisions: ...
def proximity(
    mesh: Mesh,
    distance: float,
    options: Options | None = None,
    *,
    visit: Visit | None = None,
    context: Context | None = None,
    threads: int | None = None,
    **keywords: Unpack[_Keywords],
) -> Proximity: ...
def safe_displacements(
    mesh: Mesh,
    min_distance: float,
    radius: float,
    options: Options | None = None,
    *,
    out: np.ndarray | None = None,
    context: Context | None = None,
    threads: int | None = None,
    **keywords: Unpack[_Keywords],
) -> NDArray[np.float64]: ...
def line_search(
    mesh: Mesh,
    options: Options | None = None,
    *,
    out: np.ndarray | None = None,
    context: Context | None = None,
    threads: int | None = None,
    **keywords: Unpack[_Keywords],
) -> Advance: ...
def mesh_intersects(
    mesh: Mesh,
    options: Options | None = None,
    *,
    context: Context | None = None,
    threads: int | None = None,
    **keywords: Unpack[_Keywords],
) -> Intersection: ...
def mesh_crossings(
    mesh: Mesh,
    options: Options | None = None,
    *,
    visit: Visit | None = None,
    context: Context | None = None,
    threads: int | None = None,
    **keywords: Unpack[_Keywords],
) -> Crossings: ...
def candidates(
    mesh: Mesh,
    options: Options | None = None,
    *,
    visit: Visit | None = None,
    context: Context | None = None,
    threads: int | None = None,
    **keywords: Unpack[_Keywords],
) -> Candidates: ...
def box_pairs(
    boxes: ArrayLike,
    options: Options | None = None,
    *,
    visit: Visit | None = None,
    context: Context | None = None,
    threads: int | None = None,
    **keywords: Unpack[_Keywords],
) -> NDArray[np.uint32]: ...

class Scene:
    def __init__(
        self,
        vertex_count: int,
        faces: ArrayLike | None = None,
        edges: ArrayLike | None = None,
        *,
        bodies: ArrayLike | None = None,
        fixed: ArrayLike | None = None,
        thickness: ArrayLike | None = None,
        body_thickness: ArrayLike | None = None,
        skipped: ArrayLike | None = None,
        body_pairs: ArrayLike | None = None,
        half_spaces: ArrayLike | None = None,
        context: Context | None = None,
        threads: int | None = None,
    ) -> None: ...
    @classmethod
    def of_mesh(cls, mesh: Mesh, *, context: Context | None = None, threads: int | None = None) -> Scene: ...
    @property
    def vertex_count(self) -> int: ...
    @property
    def edges(self) -> NDArray[np.uint32]: ...
    def step(
        self, start: ArrayLike, end: ArrayLike, options: Options | None = None, **keywords: Unpack[_Keywords]
    ) -> Impact: ...
    def collisions(
        self,
        start: ArrayLike,
        end: ArrayLike,
        options: Options | None = None,
        *,
        visit: Visit | None = None,
        **keywords: Unpack[_Keywords],
    ) -> Collisions: ...
    def proximity(
        self,
        start: ArrayLike,
        distance: float,
        options: Options | None = None,
        *,
        visit: Visit | None = None,
        **keywords: Unpack[_Keywords],
    ) -> Proximity: ...
    def stencils(
        self,
        start: ArrayLike,
        distance: float,
        options: Options | None = None,
        *,
        rest: ArrayLike | None = None,
        mollifier: float | None = None,
        visit: Visit | None = None,
        **keywords: Unpack[_Keywords],
    ) -> Stencils: ...
    def safe_displacements(
        self,
        start: ArrayLike,
        min_distance: float,
        radius: float,
        options: Options | None = None,
        *,
        out: np.ndarray | None = None,
        **keywords: Unpack[_Keywords],
    ) -> NDArray[np.float64]: ...
    def line_search(
        self,
        start: ArrayLike,
        end: ArrayLike,
        options: Options | None = None,
        *,
        out: np.ndarray | None = None,
        **keywords: Unpack[_Keywords],
    ) -> Advance: ...
    def candidates(
        self,
        start: ArrayLike,
        end: ArrayLike,
        options: Options | None = None,
        *,
        visit: Visit | None = None,
        **keywords: Unpack[_Keywords],
    ) -> Candidates: ...
    def intersects(
        self, start: ArrayLike, options: Options | None = None, **keywords: Unpack[_Keywords]
    ) -> Intersection: ...
    def crossings(
        self,
        start: ArrayLike,
        options: Options | None = None,
        *,
        visit: Visit | None = None,
        **keywords: Unpack[_Keywords],
    ) -> Crossings: ...

# --- stencils ---

stencil_dtype: np.dtype[np.void]

class Stencil(Record):
    @property
    def kind(self) -> str: ...
    @property
    def first(self) -> int: ...
    @property
    def second(self) -> int: ...
    @property
    def vertices(self) -> tuple[int, ...]: ...
    @property
    def multiplicity(self) -> int: ...
    @property
    def on_first(self) -> tuple[int, int]: ...
    @property
    def on_second(self) -> tuple[int, int]: ...
    @property
    def mollifier_threshold(self) -> float: ...
    @property
    def distance_squared(self) -> float: ...
    @property
    def weights(self) -> NDArray[np.float64]: ...
    @property
    def first_point(self) -> NDArray[np.float64]: ...
    @property
    def second_point(self) -> NDArray[np.float64]: ...
    @property
    def normal(self) -> NDArray[np.float64]: ...
    @property
    def tangents(self) -> NDArray[np.float64]: ...

class Stencils(Records[Stencil]): ...

class StencilArrays(NamedTuple):
    squared: NDArray[np.float64] | None
    gradients: NDArray[np.float64] | None
    hessians: NDArray[np.float64] | None
    mollifiers: NDArray[np.float64] | None
    mollifier_gradients: NDArray[np.float64] | None
    mollifier_hessians: NDArray[np.float64] | None

def stencils(
    mesh: Mesh,
    distance: float,
    options: Options | None = None,
    *,
    rest: ArrayLike | None = None,
    mollifier: float | None = None,
    visit: Visit | None = None,
    context: Context | None = None,
    threads: int | None = None,
    **keywords: Unpack[_Keywords],
) -> Stencils: ...
def stencil_derivatives(
    kind: Kind, points: ArrayLike
) -> tuple[float, NDArray[np.float64], NDArray[np.float64]]: ...
def stencil_mollifier(
    points: ArrayLike, threshold: float
) -> tuple[float, NDArray[np.float64], NDArray[np.float64]]: ...
def stencil_batch(
    mesh: Mesh,
    stencils: Stencils | np.ndarray,
    *,
    wanted: str | Sequence[str] = ...,
    context: Context | None = None,
    threads: int | None = None,
) -> StencilArrays: ...

# --- files ---

class Frame(NamedTuple):
    vertices: np.ndarray
    faces: NDArray[np.uint32]
    loose: NDArray[np.uint32]

class Queries(NamedTuple):
    queries: NDArray[np.float64]
    truth: NDArray[np.bool_] | None

class Truth(NamedTuple):
    hit: NDArray[np.bool_]
    t_lo: NDArray[np.float64] | None
    t_hi: NDArray[np.float64] | None

def queries_read(path: Path, *, context: Context | None = None, threads: int | None = None) -> Queries: ...
def queries_write(
    path: Path, queries: ArrayLike, truth: ArrayLike | None = None, *, context: Context | None = None
) -> None: ...
def truth_read(path: Path, *, context: Context | None = None) -> Truth: ...
def frame_read(path: Path, *, context: Context | None = None) -> Frame: ...
def frame_write(
    path: Path,
    vertices: Any,
    faces: ArrayLike | None = None,
    loose: ArrayLike | None = None,
    *,
    context: Context | None = None,
) -> None: ...
def read_mesh(path: Path, *, context: Context | None = None, **attributes: Any) -> Mesh: ...
def read_step(start: Path, end: Path, *, context: Context | None = None, **attributes: Any) -> Mesh: ...

class Output:
    def __init__(self, path: Path) -> None: ...
    def append(self, data: bytes | bytearray | memoryview | np.ndarray) -> None: ...
    def append_queries(self, queries: ArrayLike, truth: ArrayLike | None = None) -> None: ...
    def commit(self) -> None: ...
    def discard(self) -> None: ...
    def __enter__(self) -> Output: ...
    def __exit__(self, kind: Any, *_: object) -> None: ...

# --- patches and models ---

surface_hit_dtype: np.dtype[np.void]

class _SurfaceKeywords(TypedDict, total=False):
    method: str | None
    tolerance: float
    t_max: float
    min_separation: float
    accept: Literal["world", "parameter"]
    norm: Norm
    inclusion: Literal["obb", "aabb"]
    max_checks: int
    simultaneity: float
    spacing: float
    progress: bool | Callable[[float], bool | None] | None

class SurfaceOptions:
    def __init__(self, base: SurfaceOptions | None = None, **keywords: Unpack[_SurfaceKeywords]) -> None: ...

class SurfacePoint(NamedTuple):
    point: NDArray[np.float64]
    normal: NDArray[np.float64]

class SurfaceHit(Record):
    @property
    def verdict(self) -> Literal["miss", "hit", "near"]: ...
    @property
    def t_lo(self) -> float: ...
    @property
    def t_hi(self) -> float: ...
    @property
    def t_safe(self) -> float: ...
    @property
    def a(self) -> NDArray[np.float64]: ...
    @property
    def b(self) -> NDArray[np.float64]: ...
    @property
    def point(self) -> NDArray[np.float64]: ...
    @property
    def normal_a(self) -> NDArray[np.float64]: ...
    @property
    def normal_b(self) -> NDArray[np.float64]: ...
    @property
    def distance(self) -> float: ...
    @property
    def tolerance_reached(self) -> float: ...
    @property
    def checks(self) -> int: ...
    @property
    def pieces(self) -> int: ...
    @property
    def patch_a(self) -> int: ...
    @property
    def patch_b(self) -> int: ...
    @property
    def end(self) -> str: ...
    @property
    def touching_at_start(self) -> bool: ...

class SurfaceHits(Records[SurfaceHit]): ...

class Patch:
    def __init__(
        self,
        points: ArrayLike,
        velocities: ArrayLike | None = None,
        weights: ArrayLike | None = None,
        *,
        shape: Literal["quad", "triangle"] = "quad",
        degree: int | Sequence[int] | None = None,
        error: float = 0.0,
        velocity_error: float = 0.0,
    ) -> None: ...
    @property
    def shape(self) -> Literal["quad", "triangle"]: ...
    @property
    def degree(self) -> int | tuple[int, int]: ...
    @property
    def points(self) -> NDArray[np.float64]: ...
    @property
    def velocities(self) -> NDArray[np.float64] | None: ...
    @property
    def weights(self) -> NDArray[np.float64] | None: ...
    @property
    def error(self) -> float: ...
    @property
    def velocity_error(self) -> float: ...
    def point(self, u: float, v: float, t: float = 0.0, *, context: Context | None = None) -> SurfacePoint: ...

class PatchCase(NamedTuple):
    a: Patch
    b: Patch
    t_max: float = 1.0

def patch_points(shape: Literal["quad", "triangle"], degree: int | Sequence[int]) -> int: ...
def patch_pair(
    a: Patch,
    b: Patch,
    options: SurfaceOptions | None = None,
    *,
    context: Context | None = None,
    threads: int | None = None,
    **keywords: Unpack[_SurfaceKeywords],
) -> SurfaceHit: ...
def patch_batch(
    cases: Iterable[PatchCase | tuple[Any, ...]],
    options: SurfaceOptions | None = None,
    *,
    out: np.ndarray | None = None,
    context: Context | None = None,
    threads: int | None = None,
    **keywords: Unpack[_SurfaceKeywords],
) -> np.ndarray: ...
def cases_read(path: Path, *, context: Context | None = None) -> list[PatchCase]: ...
def cases_write(
    path: Path, cases: Iterable[PatchCase | tuple[Any, ...]], *, context: Context | None = None
) -> None: ...
def surface_methods() -> tuple[str, ...]: ...
def surface_method_promise(name: str) -> str | None: ...
def surface_end_name(end: int) -> str | None: ...

class Model:
    def __init__(self, patches: Iterable[Patch], domains: ArrayLike | None = None) -> None: ...
    @classmethod
    def from_nurbs(
        cls,
        degree: int | Sequence[int],
        knots: Sequence[ArrayLike],
        points: ArrayLike,
        velocities: ArrayLike | None = None,
        weights: ArrayLike | None = None,
        *,
        periodic: Sequence[bool] = (False, False),
        context: Context | None = None,
    ) -> Model: ...
    @classmethod
    def from_hermite(
        cls, corners: ArrayLike, velocities: ArrayLike | None = None, *, context: Context | None = None
    ) -> Model: ...
    @classmethod
    def sphere(cls, radius: float, *, context: Context | None = None) -> Model: ...
    @classmethod
    def cylinder(cls, radius: float, height: float, *, context: Context | None = None) -> Model: ...
    @classmethod
    def torus(cls, ring_radius: float, tube_radius: float, *, context: Context | None = None) -> Model: ...
    @classmethod
    def teapot(cls, *, context: Context | None = None) -> Model: ...
    @classmethod
    def named(cls, name: str, *, context: Context | None = None) -> Model: ...
    @classmethod
    def read(cls, path: Path, *, context: Context | None = None) -> Model: ...
    def write(self, path: Path, *, context: Context | None = None) -> None: ...
    def moved(
        self, shift: ArrayLike, velocity: ArrayLike | None = None, *, context: Context | None = None
    ) -> Model: ...
    @property
    def domains(self) -> NDArray[np.float64] | None: ...
    def __len__(self) -> int: ...
    def __getitem__(self, number: int) -> Patch: ...
    def __iter__(self) -> Iterator[Patch]: ...

class ModelContacts(NamedTuple):
    first: SurfaceHit
    contacts: SurfaceHits | None

def model_names() -> tuple[str, ...]: ...
def model_pair(
    a: Model | Patch | str,
    b: Model | Patch | str | None = None,
    options: SurfaceOptions | None = None,
    *,
    context: Context | None = None,
    threads: int | None = None,
    **keywords: Unpack[_SurfaceKeywords],
) -> SurfaceHit: ...
def model_contacts(
    a: Model | Patch | str,
    b: Model | Patch | str | None = None,
    options: SurfaceOptions | None = None,
    *,
    visit: Callable[[SurfaceHit], bool | None] | None = None,
    context: Context | None = None,
    threads: int | None = None,
    **keywords: Unpack[_SurfaceKeywords],
) -> ModelContacts: ...
def rigid_pair(
    a: Model | Patch | str,
    b: Model | Patch | str,
    motion_a: Motion | None = None,
    motion_b: Motion | None = None,
    options: SurfaceOptions | None = None,
    *,
    context: Context | None = None,
    threads: int | None = None,
    **keywords: Unpack[_SurfaceKeywords],
) -> SurfaceHit: ...

# --- formulas and motions ---

Interval = float | Sequence[float] | NDArray[np.float64]

class Bounds(NamedTuple):
    jet: NDArray[np.float64]
    defined: bool

class Term:
    def __init__(self, formula: Formula, number: int) -> None: ...
    @property
    def formula(self) -> Formula: ...
    @property
    def number(self) -> int: ...
    def bounds(self, box: Sequence[Interval], order: int = 0) -> Bounds: ...
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...
    def sqrt(self) -> Term: ...
    def sin(self) -> Term: ...
    def cos(self) -> Term: ...
    def tan(self) -> Term: ...
    def atan(self) -> Term: ...
    def exp(self) -> Term: ...
    def log(self) -> Term: ...
    def __add__(self, other: Term | float) -> Term: ...
    def __radd__(self, other: Term | float) -> Term: ...
    def __sub__(self, other: Term | float) -> Term: ...
    def __rsub__(self, other: Term | float) -> Term: ...
    def __mul__(self, other: Term | float) -> Term: ...
    def __rmul__(self, other: Term | float) -> Term: ...
    def __truediv__(self, other: Term | float) -> Term: ...
    def __rtruediv__(self, other: Term | float) -> Term: ...
    def __pow__(self, other: Term | float) -> Term: ...
    def __rpow__(self, other: Term | float) -> Term: ...
    def __neg__(self) -> Term: ...
    def __pos__(self) -> Term: ...
    def __abs__(self) -> Term: ...

class Formula:
    def __init__(self, *variables: str, context: Context | None = None) -> None: ...
    @property
    def variables(self) -> tuple[str, ...]: ...
    def variable(self, which: str | int) -> Term: ...
    def constant(self, value: float) -> Term: ...
    def enclosed(self, value: Interval) -> Term: ...
    def apply(self, op: str | int, a: Term | float, b: Term | float | None = None) -> Term: ...
    def series(
        self, x: Term | float | str, over: Interval, coefficients: ArrayLike, error: ArrayLike | None = None
    ) -> Term: ...
    def parse(self, formula: str) -> Term: ...
    def name(self, name: str, term: Term | float) -> None: ...
    def bounds(self, term: Term | float, box: Sequence[Interval], order: int = 0) -> Bounds: ...

def operator_name(op: int) -> str | None: ...

class Pose(NamedTuple):
    rotation: NDArray[np.float64]
    translation: NDArray[np.float64]

class Motion:
    def __init__(self, *, context: Context | None = None) -> None: ...
    def move(self, shift: ArrayLike | None = None, velocity: ArrayLike | None = None) -> Motion: ...
    def turn(
        self, axis: ArrayLike, angle: float | str | Term = 0.0, rate: float = 0.0, through: ArrayLike | None = None
    ) -> Motion: ...
    def spin(self, rate: ArrayLike, through: ArrayLike | None = None) -> Motion: ...
    def poses(self, body: MotionLike) -> Motion: ...
    def linear(self) -> tuple[NDArray[np.float64], NDArray[np.float64]] | None: ...
    def screw(
        self,
        axis: ArrayLike,
        through: ArrayLike = (0.0, 0.0, 0.0),
        angle: float | str | Term = 0.0,
        rate: float = 0.0,
        shift: float = 0.0,
        speed: float = 0.0,
    ) -> Motion: ...
    def formula(self, quaternion: Sequence[str] | None = None, translation: Sequence[str] | None = None) -> Motion: ...
    def terms(
        self,
        formula: Formula,
        quaternion: Sequence[Term | str | float] | None = None,
        translation: Sequence[Term | str | float] | None = None,
    ) -> Motion: ...
    def chebyshev(
        self, over: Interval, quaternion: ArrayLike | None = None, translation: ArrayLike | None = None
    ) -> Motion: ...
    def fitted(
        self,
        over: Interval,
        quaternion: ArrayLike | None = None,
        translation: ArrayLike | None = None,
        derivative_bound: float | None = None,
    ) -> Motion: ...
    def at(self, t: Interval) -> Pose: ...

def chebyshev_node(t_from: float, t_to: float, number: int, count: int) -> float: ...

# --- shapes and contact ---

class Extent(NamedTuple):
    implicit: bool
    solid: bool
    edges: tuple[str, ...]
    u: tuple[float, float] | None
    v: tuple[float, float] | None
    bounds: NDArray[np.float64] | None

class ShapeValue(NamedTuple):
    value: float
    normal: NDArray[np.float64]

class Shape:
    @classmethod
    def parametric(
        cls,
        x: Term | float | str,
        y: Term | float | str,
        z: str,
        u: Interval,
        v: Interval,
        *,
        edges: Iterable[str] = ("u", "v"),
        solid: bool = False,
        formula: Formula | None = None,
        let: Mapping[str, str | Term | float] | None = None,
        context: Context | None = None,
    ) -> Shape: ...
    @classmethod
    def implicit(
        cls,
        f: str | Term,
        bounds: Sequence[Interval] | None = None,
        *,
        solid: bool = False,
        formula: Formula | None = None,
        let: Mapping[str, str | Term | float] | None = None,
        context: Context | None = None,
    ) -> Shape: ...
    @classmethod
    def own(
        cls,
        enclose: Callable[[NDArray[np.float64], int], ArrayLike | None],
        *,
        u: Interval | None = None,
        v: Interval | None = None,
        edges: Iterable[str] = ("u", "v"),
        bounds: Sequence[Interval] | None = None,
        solid: bool = False,
        context: Context | None = None,
    ) -> Shape: ...
    @classmethod
    def library(cls, kind: str, *sizes: float, form: str = "default", context: Context | None = None) -> Shape: ...
    @classmethod
    def boolean(
        cls,
        operation: Literal["union", "intersection", "difference"],
        operands: Sequence[Shape | tuple[Shape, Motion | None]],
        bounds: Sequence[Interval] | None = None,
        *,
        context: Context | None = None,
    ) -> Shape: ...
    @classmethod
    def revolution(
        cls,
        radius: str,
        height: str,
        v: Interval,
        *,
        edges: Iterable[str] = ("v",),
        solid: bool = False,
        context: Context | None = None,
    ) -> Shape: ...
    @classmethod
    def prism(cls, polygon: ArrayLike, height: float, *, context: Context | None = None) -> Shape: ...
    @classmethod
    def turned(cls, profile: ArrayLike, *, context: Context | None = None) -> Shape: ...
    @classmethod
    def faces(cls, shapes: Iterable[Shape], *, tolerance: float = ..., context: Context | None = None) -> Shape: ...
    @classmethod
    def height_field(cls, z: str, u: Interval, v: Interval, *, context: Context | None = None) -> Shape: ...
    @classmethod
    def patches(cls, model: Model | Patch | str, *, context: Context | None = None) -> Shape: ...
    def __len__(self) -> int: ...
    def piece(self, number: int) -> Shape: ...
    @property
    def extent(self) -> Extent: ...
    def holds(self, u: float, v: float) -> bool: ...
    def point(self, u: float, v: float, t: float = 0.0) -> SurfacePoint: ...
    def value(self, point: ArrayLike, t: float = 0.0) -> ShapeValue: ...

def shape_kinds() -> dict[str, int]: ...

class Body:
    def __init__(self, shape: Shape, motion: Motion | None = None, name: str | None = None) -> None: ...
    motion: Motion | None
    name: str | None
    shape: Shape

contact_point_dtype: np.dtype[np.void]
contact_interval_dtype: np.dtype[np.void]

class _ContactKeywords(TypedDict, total=False):
    t_max: float
    tolerance: float
    simultaneity: float
    spacing: float
    max_seconds: float
    incoming: Literal["auto", "off", "on"]
    order: Literal["lower", "upper", "race"]
    newton: Literal["linear", "krawczyk", "none"]
    tangency: bool
    mean_value: bool
    spheres: bool
    guesses: bool
    polish: bool
    clearance: bool
    max_boxes: int
    progress: bool | Callable[[float], bool | None] | None

class ContactOptions:
    def __init__(self, base: ContactOptions | None = None, **keywords: Unpack[_ContactKeywords]) -> None: ...

class ContactPoint(Record):
    @property
    def a(self) -> int: ...
    @property
    def b(self) -> int: ...
    @property
    def certificate(self) -> str: ...
    @property
    def proved(self) -> bool: ...
    @property
    def t_lo(self) -> float: ...
    @property
    def t_hi(self) -> float: ...
    @property
    def point(self) -> NDArray[np.float64]: ...
    @property
    def error(self) -> float: ...
    @property
    def normal_a(self) -> NDArray[np.float64]: ...
    @property
    def normal_b(self) -> NDArray[np.float64]: ...
    @property
    def parameters_a(self) -> NDArray[np.float64]: ...
    @property
    def parameters_b(self) -> NDArray[np.float64]: ...
    @property
    def patch_a(self) -> int: ...
    @property
    def patch_b(self) -> int: ...

class Contacts(Records[ContactPoint]): ...

class ContactAnswer(Record):
    def __init__(
        self, record: np.void | bytes, contacts: Contacts | None = None, names: tuple[str, ...] = ()
    ) -> None: ...
    @property
    def verdict(self) -> Literal["miss", "hit", "near"]: ...
    @property
    def end(self) -> str: ...
    @property
    def t_lo(self) -> float: ...
    @property
    def t_hi(self) -> float: ...
    @property
    def t_safe(self) -> float: ...
    @property
    def touching_at_start(self) -> bool: ...
    @property
    def inside_at_start(self) -> Literal["no", "yes", "unknown"]: ...
    @property
    def tolerance_reached(self) -> float: ...
    @property
    def contact_count(self) -> int: ...
    @property
    def boxes(self) -> int: ...
    @property
    def pairs(self) -> int: ...
    @property
    def culled(self) -> int: ...
    @property
    def seconds(self) -> float: ...
    contacts: Contacts | None
    names: tuple[str, ...]

class ContactScene:
    def __init__(self, path: Path, *, context: Context | None = None) -> None: ...
    @property
    def title(self) -> str: ...
    @property
    def names(self) -> tuple[str, ...]: ...
    @property
    def min_separation(self) -> float: ...
    @property
    def options(self) -> ContactOptions: ...
    @property
    def bodies(self) -> tuple[Body, ...]: ...
    def model(self, number: int) -> Model | None: ...
    def __len__(self) -> int: ...
    def __getitem__(self, number: int) -> Body: ...
    def __iter__(self) -> Iterator[Body]: ...

def contact_scene_read(path: Path, *, context: Context | None = None) -> ContactScene: ...
def contact(
    bodies: Path | ContactScene | Iterable[Body | Shape | tuple[Any, ...]],
    options: ContactOptions | None = None,
    *,
    min_separation: float | None = None,
    visit: Callable[[ContactPoint], bool | None] | None = None,
    context: Context | None = None,
    threads: int | None = None,
    **keywords: Unpack[_ContactKeywords],
) -> ContactAnswer: ...
def contact_inside(
    body: Body | Shape | tuple[Shape, Motion | None],
    point: ArrayLike,
    t: float = 0.0,
    *,
    context: Context | None = None,
) -> Literal["no", "yes", "unknown"]: ...
def contact_intervals(
    bodies: Path | ContactScene | Iterable[Body | Shape | tuple[Any, ...]],
    options: ContactOptions | None = None,
    *,
    visit: Callable[[np.void], bool | None] | None = None,
    context: Context | None = None,
    threads: int | None = None,
    **keywords: Unpack[_ContactKeywords],
) -> np.ndarray: ...

track_dtype: np.dtype[np.void]

class TrackAnswer(Record):
    def __init__(self, record: np.void | bytes, contacts: Contacts | None = None) -> None: ...
    @property
    def verdict(self) -> Literal["miss", "hit", "near"]: ...
    @property
    def event(self) -> Literal["nothing", "contact", "lost"]: ...
    @property
    def track(self) -> int: ...
    @property
    def end(self) -> str: ...
    @property
    def t_lo(self) -> float: ...
    @property
    def t_hi(self) -> float: ...
    @property
    def t_safe(self) -> float: ...
    @property
    def contact_count(self) -> int: ...
    @property
    def ended(self) -> int: ...
    @property
    def boxes(self) -> int: ...
    @property
    def pieces(self) -> int: ...
    @property
    def seconds(self) -> float: ...
    contacts: Contacts | None

def track_make(
    bodies: Path | ContactScene | Iterable[Body | Shape | tuple[Any, ...]],
    contacts: Contacts | NDArray[np.void],
    options: ContactOptions | None = None,
    *,
    delta: float = 1e-6,
    margin: float = 0.05,
    t_from: float = 0.0,
    context: Context | None = None,
    **keywords: Unpack[_ContactKeywords],
) -> NDArray[np.void]: ...
def track_rest(
    bodies: Path | ContactScene | Iterable[Body | Shape | tuple[Any, ...]],
    options: ContactOptions | None = None,
    *,
    delta: float = 1e-6,
    margin: float = 0.05,
    t_from: float = 0.0,
    context: Context | None = None,
    **keywords: Unpack[_ContactKeywords],
) -> NDArray[np.void]: ...
def track_begin(
    bodies: Path | ContactScene | Iterable[Body | Shape | tuple[Any, ...]],
    tracks: NDArray[np.void],
    options: ContactOptions | None = None,
    *,
    t_from: float = 0.0,
    context: Context | None = None,
    **keywords: Unpack[_ContactKeywords],
) -> None: ...
def track_step(
    bodies: Path | ContactScene | Iterable[Body | Shape | tuple[Any, ...]],
    tracks: NDArray[np.void],
    options: ContactOptions | None = None,
    *,
    t_from: float = 0.0,
    visit: Callable[[ContactPoint], bool | None] | None = None,
    context: Context | None = None,
    **keywords: Unpack[_ContactKeywords],
) -> TrackAnswer: ...
def track_state_name(state: int) -> str | None: ...
def track_event_name(event: int) -> str | None: ...
def contact_end_name(end: int) -> str | None: ...
def contact_certificate_name(certificate: int) -> str | None: ...

# --- rigid bodies that turn ---

PoseLike = ArrayLike | tuple[ArrayLike, ArrayLike]
MotionLike = MovingBody | np.ndarray | tuple[PoseLike, PoseLike]
Motions = Sequence[MotionLike] | np.ndarray

class MovingBody:
    start: NDArray[np.float64]
    end: NDArray[np.float64]
    law: str
    motion: Motion | None
    times: tuple[float, float]
    def __init__(
        self,
        start: PoseLike | None = None,
        end: PoseLike | None = None,
        law: str = "nlerp",
        *,
        motion: Motion | None = None,
        times: Interval = (0.0, 1.0),
    ) -> None: ...
    def at(self, t: float) -> NDArray[np.float64]: ...
    @classmethod
    def at_rest(cls, pose: PoseLike | None = None) -> MovingBody: ...

class MovingPair:
    def __init__(
        self, first: MotionLike, second: MotionLike, *, context: Context | None = None, threads: int | None = None
    ) -> None: ...
    def query(
        self, kind: Kind, points: ArrayLike, options: Options | None = None, **keywords: Unpack[_Keywords]
    ) -> Hit: ...
    def batch(
        self,
        kind: Kind,
        queries: ArrayLike,
        options: Options | None = None,
        *,
        out: np.ndarray | None = None,
        **keywords: Unpack[_Keywords],
    ) -> np.ndarray: ...
    def batch_indexed(
        self,
        kind: Kind,
        first: Mesh,
        second: Mesh,
        pairs: ArrayLike,
        options: Options | None = None,
        *,
        out: np.ndarray | None = None,
        **keywords: Unpack[_Keywords],
    ) -> np.ndarray: ...

rigid_impact_dtype: np.dtype

class RigidImpact(Record):
    @property
    def hit(self) -> Hit: ...
    @property
    def kind(self) -> str | None: ...
    @property
    def bodies(self) -> tuple[int, int] | None: ...
    @property
    def first(self) -> int | None: ...
    @property
    def second(self) -> int | None: ...

class RigidCollisions(Records[RigidImpact]): ...

class RigidAdvance(Record):
    poses: NDArray[np.float64]
    @property
    def step(self) -> float: ...
    @property
    def tries(self) -> int: ...
    @property
    def first(self) -> RigidImpact: ...

class RigidClearance(Record):
    @property
    def lo(self) -> float: ...
    @property
    def hi(self) -> float: ...
    @property
    def tries(self) -> int: ...
    @property
    def closest(self) -> RigidImpact: ...

class RigidScene:
    def __init__(self, *, context: Context | None = None, threads: int | None = None) -> None: ...
    def add(self, mesh: Mesh | Path, *, fixed: bool = False) -> int: ...
    def ignore(self, first: int, second: int) -> None: ...
    def __len__(self) -> int: ...
    def step(
        self, bodies: Motions, options: Options | None = None, **keywords: Unpack[_Keywords]
    ) -> RigidImpact: ...
    def collisions(
        self,
        bodies: Motions,
        options: Options | None = None,
        *,
        visit: Callable[[np.ndarray], object] | None = None,
        **keywords: Unpack[_Keywords],
    ) -> RigidCollisions | None: ...
    def advance(
        self,
        bodies: Motions,
        options: Options | None = None,
        *,
        out: NDArray[np.float64] | None = None,
        **keywords: Unpack[_Keywords],
    ) -> RigidAdvance: ...
    def clearance(
        self, bodies: Motions, most: float, options: Options | None = None, **keywords: Unpack[_Keywords]
    ) -> RigidClearance: ...

class SweepScene:
    def __init__(self, path: Path, *, context: Context | None = None, threads: int | None = None) -> None: ...
    def __len__(self) -> int: ...
    @property
    def names(self) -> tuple[str, ...]: ...
    @property
    def times(self) -> NDArray[np.float64]: ...
    @property
    def fixed(self) -> NDArray[np.bool_]: ...
    @property
    def min_separation(self) -> float: ...
    def mesh(self, number: int) -> Mesh: ...
    def poses(self, piece: int) -> NDArray[np.float64]: ...
    def rigid(self) -> RigidScene: ...

def sweep_scene_read(path: Path, *, context: Context | None = None, threads: int | None = None) -> SweepScene: ...

class SweepContact:
    verdict: Literal["hit", "near"]
    a: str
    b: str
    kind: str
    first: int
    second: int
    t_lo: float
    t_hi: float
    t_safe: float
    point: NDArray[np.float64]
    normal: NDArray[np.float64]
    impact: RigidImpact
    pairs: int
    def __init__(
        self, impact: RigidImpact, names: Sequence[str], times: tuple[float, float, float], pairs: int = 1
    ) -> None: ...

class SweepFree:
    body: str
    lo: float
    hi: float
    below: SweepContact | None
    above: SweepContact | None
    def __init__(self, body: str) -> None: ...

class SweepAnswer:
    verdict: Literal["miss", "hit", "near"]
    t_lo: float
    t_hi: float
    t_safe: float
    first: SweepContact | None
    hits: list[SweepContact] | None
    free: SweepFree | None
    def __init__(self, verdict: str, first: SweepContact | None, end: float) -> None: ...

def sweep(
    scene: SweepScene | Path,
    options: Options | None = None,
    *,
    all: bool = False,
    free: str | None = None,
    threads: int | None = None,
    **keywords: Unpack[_Keywords],
) -> SweepAnswer: ...
