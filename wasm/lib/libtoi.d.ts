// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the libtoi authors

/** libtoi for the web: certified continuous collision detection in WebAssembly.
 *
 * Names are those of the C headers in camel case, and mean what is said there. Typed arrays in and out. What goes wrong
 * is a ToiError with the library's status and its own sentence; the module lives on. */

// --- errors and names ---

export type Status =
  | "input" | "option" | "unsupported" | "memory" | "file" | "format" | "plugin" | "cancelled" | "callback";

/** message is the library's own sentence: what was wrong, where, and what to do. */
export class ToiError extends Error {
  constructor(status: Status, message: string);
  readonly status: Status;
}

/** What queries are about, in the order in which ties are broken. */
export type QueryKind = "vertex-face" | "edge-edge" | "vertex-edge" | "vertex-vertex";
export type Kind = QueryKind | "edge-face" | "face-face" | "vertex-half-space";
/** Kinds may be given by these short names too. */
export type ShortKind = "vf" | "ee" | "ve" | "vv";
export type Verdict = "miss" | "hit" | "near";
export type Level =
  | "box" | "sign" | "projection" | "root" | "reduction" | "plane" | "exact" | "search" | "outside";
export type Norm = "l2" | "linf";
export type Point = [number, number, number];
/** Numbers one after the other, three per point; arrays of numbers are copied, typed arrays too. */
export type Numbers = Float64Array | readonly number[];

// --- loading ---

/** A compiled module, its bytes, a response, or where to fetch it. Left out: the file beside the library (node reads it
 * from the disk, a page fetches it). */
export type ModuleSource = WebAssembly.Module | BufferSource | Response | Promise<Response> | URL | string;

export interface LoadOptions {
  module?: ModuleSource;
  /** Bytes that the library may hold at a time; 0: 1 GiB. */
  memoryBudget?: number;
  /** Bytes that the module may grow to; left out: 4 GiB, all that it can address. */
  memoryMaximum?: number;
}

/** Queries, meshes and their readers. */
export function load(options?: LoadOptions): Promise<Toi>;
/** Patches, NURBS, and any moving surface: a module of its own, loaded on demand. */
export function loadCurved(options?: LoadOptions): Promise<Curved>;

// --- options and answers ---

/** How many queries each level settled: calls add to what is there. Made by toi.counters(). */
export interface Counters {
  queries: number;
  verdicts: Record<Verdict, number>;
  levels: Record<Level, number>;
}

/** What a call on a whole mesh did. Filled in by the call. */
export interface Work {
  candidates: Record<Kind, number>;
  hits: Record<Kind, number>;
  broadNs: number;
  narrowNs: number;
  passes: number;
}

/** toi_options; what is left out has the library's default. */
export interface QueryOptions {
  method?: string;
  tolerance?: number;
  tMax?: number;
  minSeparation?: number;
  separationFraction?: number;
  norm?: Norm;
  inclusion?: "obb" | "aabb";
  maxChecks?: number;
  noZeroToi?: boolean;
  sceneBound?: Numbers;
  filter?: "float" | "double";
  counters?: Counters;
}

/** toi_mesh_options besides. */
export interface MeshOptions extends QueryOptions {
  broad?: string;
  kinds?: readonly (Kind | ShortKind | "every-vertex-edge")[];
  mayCollide?: (kind: Kind, first: number, second: number) => boolean;
  /** done in [0, 1]; false ends the call with a ToiError of status "cancelled". */
  progress?: (done: number) => boolean | void;
  work?: Partial<Work>;
}

/** toi_hit. For a miss tLo = tHi = Infinity and u = v = NaN. */
export interface Hit {
  tLo: number;
  tHi: number;
  tSafe: number;
  u: number;
  v: number;
  point: Point;
  normal: Point;
  toleranceReached: number;
  separation: number;
  distance: number;
  verdict: Verdict;
  level: Level;
  touchingAtStart: boolean;
}

/** Many answers, in one block of memory of their own. */
export interface Records<T> extends Iterable<T> {
  readonly length: number;
  at(index: number): T;
  toArray(): T[];
  /** One field of all of them, as "tLo" or "hit.tLo"; verdicts, levels and kinds are numbers here, as in C; three
   * numbers per answer for points. */
  column(field: string): Float64Array | Uint32Array | Uint8Array;
}

/** toi_region: 0 a point, 1 an edge, 2 the face. */
export interface Region {
  dimension: number;
  index: number;
}

/** toi_distance. */
export interface Distance {
  lo: number;
  hi: number;
  u: number;
  v: number;
  first: Point;
  second: Point;
  onFirst: Region;
  onSecond: Region;
}

/** toi_proof. */
export interface Proof {
  hit: Hit;
  /** Different times of contact; Infinity: a whole interval of time. */
  contactTimes: number;
  /** Integer coefficients, constant term first; empty for a miss. */
  polynomial: bigint[];
  /** "numerator/denominator" of the isolating interval; "" for a miss. */
  lo: string;
  hi: string;
  certificate: string;
}

/** toi_hit_list. */
export interface HitList {
  numbers: Uint32Array;
  hits: Records<Hit>;
}

/** Queries of one kind and their answers in the module's memory, for those who ask again and again: nothing is copied.
 * free() it, or leave it to the garbage collector. */
export interface QueryBuffer {
  readonly count: number;
  /** A view into the module's memory: fill it in. Any call may move the memory: get it again after each. */
  readonly queries: Float64Array;
  /** The answers are a view, too: until the next batch() of this buffer, or free(). */
  batch(options?: QueryOptions): Records<Hit>;
  free(): void;
}

// --- why: toi_explain() ---

export type Outcome = "absent" | "skipped" | "open" | "miss" | "hit" | "near";

/** toi_explained_root: a time at which the four points are coplanar, exactly. */
export interface ExplainedRoot {
  tLo: number;
  tHi: number;
  u: number;
  v: number;
  area: [number, number, number, number];
  areaSign: [number, number, number, number];
  axis: number;
  touching: boolean;
  multiplicity: number;
  source: "cubic" | "start" | "area" | "corner";
  element: number;
  first: boolean;
}

/** toi_explained_piece: a part of [0, 1] on which the cubic is monotone, in floating point. */
export interface ExplainedPiece {
  lo: number;
  hi: number;
  x: number;
  zoneLo: number;
  zoneHi: number;
  slope: number;
  slopeBound: number;
  /** Three rows of four: by projection axis, then by boundary segment. */
  area: number[];
  areaBound: Point;
  tLo: number;
  tHi: number;
  crossing: boolean;
  gapClear: boolean;
  steep: boolean;
  inside: boolean;
  outside: boolean;
  bracketed: boolean;
  restClear: boolean;
}

/** toi_explanation; include/toi/explain.h says what each number means. */
export interface Explanation {
  hit: Hit;
  boxLo: Point;
  boxHi: Point;
  separation: number;
  size: Point;
  coefficient: number[];
  bound: number[];
  exact: number[];
  limit: number[];
  /** Four coefficients on [0, 1/2], then four on [1/2, 1]. */
  half: number[];
  halfBound: number;
  halfLimit: number;
  /** Those that were used. */
  pieces: ExplainedPiece[];
  roots: ExplainedRoot[];
  outcomes: Record<Level, Outcome>;
  coefficientSign: number[];
  boxApart: boolean[];
  cornerCount: number;
  halfClear: number[];
  halfUp: number[];
  halfDown: number[];
  cubicDefined: boolean;
  cubicZero: boolean;
  inRange: boolean;
  reduced: "all" | "none" | "corner" | "segment" | "plane" | "not-asked";
  reducedAxis: number;
  reducedCorner: number[];
  scale: number[];
  scaled: boolean;
}

// --- meshes ---

/** toi_mesh: three numbers per vertex, three per face, two per edge. */
export interface MeshData {
  start: Float64Array | Float32Array | readonly number[];
  /** Left out where one instant is asked about; of the same type as start. */
  end?: Float64Array | Float32Array | readonly number[];
  faces?: Uint32Array | readonly number[];
  /** Every edge of every face among them, once. Left out: those of the faces and the loose ones, numbered as
   * toi_mesh_edges() does. */
  edges?: Uint32Array | readonly number[];
  /** Edges besides those of the faces, merged into the numbering. */
  loose?: Uint32Array | readonly number[];
  bodies?: Uint32Array | readonly number[];
  fixed?: Uint8Array | readonly number[];
  thickness?: Numbers;
  bodyThickness?: Numbers;
  /** Numbers of vertices that take no part. */
  skipped?: Iterable<number>;
  /** Which bodies may collide, as pairs of numbers, [i, j, i, j, ...]; left out: all different bodies. */
  bodyPairs?: Uint32Array | readonly number[];
  /** normal x, y, z and offset, four numbers per half-space. */
  halfSpaces?: Numbers;
}

/** A mesh in the module's memory, for many calls. free() it, or leave it to the garbage collector. */
export interface Mesh {
  readonly vertexCount: number;
  readonly faceCount: number;
  readonly edgeCount: number;
  /** Copies. */
  readonly start: Float64Array | Float32Array;
  readonly end: Float64Array | Float32Array | null;
  readonly faces: Uint32Array;
  readonly edges: Uint32Array;
  /** Puts the vertices elsewhere: whole arrays of the same length and type. */
  move(positions: { start?: Float64Array | Float32Array; end?: Float64Array | Float32Array }): void;
  /** Puts one vertex elsewhere, at one end of the step. */
  moveVertex(vertex: number, at: "start" | "end", point: Numbers): void;
  free(): void;
}

/** Where a mesh is wanted, a description does: it is copied for that call. */
export type MeshLike = Mesh | MeshData;

/** toi_impact; first and second are the numbers of the pair, null for a miss. */
export interface Impact {
  hit: Hit;
  kind: Kind | null;
  first: number | null;
  second: number | null;
}

/** toi_collision; firstPoint and secondPoint are the contact's points at the end of the step. */
export interface Collision {
  hit: Hit;
  firstPoint: Point;
  secondPoint: Point;
  kind: Kind;
  first: number;
  second: number;
}

export interface Proximal {
  distance: Distance;
  kind: Kind;
  first: number;
  second: number;
}

/** toi_crossing: crossing says that an edge (first) passes through a face (second), kind is then "vertex-face" and
 * means nothing; else the two primitives touch. */
export interface Crossing {
  crossing: boolean;
  behind: boolean;
  kind: Kind;
  first: number;
  second: number;
}

export interface Intersection extends Crossing {
  found: boolean;
}

/** Pairs of one kind: first, second, first, second, ..., sorted. */
export type Candidates = Partial<Record<Kind, Uint32Array>>;

/** toi_advance. */
export interface Advance {
  step: number;
  fraction: number;
  first: Impact;
  tries: number;
  /** The rounded positions at the end of the safe step, of the mesh's type. */
  positions: Float64Array | Float32Array;
}

/** toi_frame: a mesh file. */
export interface Frame {
  vertices: Float64Array | Float32Array;
  faces: Uint32Array;
  loose: Uint32Array;
}

export interface QuerySet {
  /** 24 numbers per query, as batch() takes them. */
  queries: Float64Array;
  truth: Uint8Array | null;
  count: number;
}

export interface Truth {
  hit: Uint8Array;
  tLo: Float64Array | null;
  tHi: Float64Array | null;
  count: number;
}

/** The core module. Calls are synchronous and take one thread; see startWorker() for long ones. */
export interface Toi {
  readonly version: string;
  /** Bytes of memory that the module has; it does not shrink. */
  readonly memoryBytes: number;

  vertexFace(start: Numbers, end: Numbers, options?: QueryOptions): Hit;
  edgeEdge(start: Numbers, end: Numbers, options?: QueryOptions): Hit;
  vertexEdge(start: Numbers, end: Numbers, options?: QueryOptions): Hit;
  vertexVertex(start: Numbers, end: Numbers, options?: QueryOptions): Hit;
  query(kind: QueryKind | ShortKind, start: Numbers, end: Numbers, options?: QueryOptions): Hit;
  /** halfSpace: normal x, y, z and offset. */
  vertexHalfSpace(start: Numbers, end: Numbers, halfSpace: Numbers, options?: QueryOptions): Hit;
  /** Many queries of one kind, back to back: the points at the start, then at the end. */
  batch(kind: QueryKind | ShortKind, queries: Float64Array, options?: QueryOptions): Records<Hit>;
  /** pairs: first, second, first, second, ... */
  batchIndexed(kind: Kind | ShortKind, mesh: MeshLike, pairs: Uint32Array, options?: QueryOptions): Records<Hit>;
  /** Those of a batch that are not misses, with the number of their query: misses take neither time nor memory. */
  batchHits(kind: QueryKind | ShortKind, queries: Float64Array, options?: QueryOptions): HitList;
  batchIndexedHits(kind: Kind | ShortKind, mesh: MeshLike, pairs: Uint32Array, options?: QueryOptions): HitList;
  /** Room for many queries in the module's memory. */
  queryBuffer(kind: QueryKind | ShortKind, count: number): QueryBuffer;
  /** Why a query is answered as it is. */
  explain(kind: QueryKind | ShortKind, start: Numbers, end: Numbers, options?: QueryOptions): Explanation;
  prove(
    kind: QueryKind | ShortKind,
    start: Numbers,
    end: Numbers,
    options?: QueryOptions & { certificate?: boolean },
  ): Proof;
  /** points: of one instant. */
  distanceFast(kind: QueryKind | ShortKind, points: Numbers, norm?: Norm): Distance;

  /** A mesh that is kept for many calls. */
  mesh(data: MeshData): Mesh;
  meshEdges(faces: Uint32Array, loose?: Uint32Array): Uint32Array;
  meshCheck(mesh: MeshLike): void;
  step(mesh: MeshLike, options?: MeshOptions): Impact;
  collisions(mesh: MeshLike, options?: MeshOptions): Records<Collision>;
  candidates(mesh: MeshLike, options?: MeshOptions): Candidates;
  proximity(mesh: MeshLike, distance: number, options?: MeshOptions): Records<Proximal>;
  lineSearch(mesh: MeshLike, options?: MeshOptions): Advance;
  safeDisplacements(mesh: MeshLike, minDistance: number, radius: number, options?: MeshOptions): Float64Array;
  intersects(mesh: MeshLike, options?: MeshOptions): Intersection;
  crossings(mesh: MeshLike, options?: MeshOptions): Records<Crossing>;

  /** Files from memory, by the ending of their name; those that end in .gz are decompressed by the platform. Errors name
   * the file as it is named here, and say what the command says. */
  readFrame(bytes: Uint8Array, name: string): Promise<Frame>;
  /** A mesh at one instant; attributes are the other fields of MeshData. */
  readMesh(bytes: Uint8Array, name: string, attributes?: Partial<MeshData>): Promise<Mesh>;
  /** Two states of one mesh. */
  readStep(
    start: Uint8Array, startName: string, end: Uint8Array, endName: string, attributes?: Partial<MeshData>,
  ): Promise<Mesh>;
  readQueries(bytes: Uint8Array, name: string): Promise<QuerySet>;
  readTruth(bytes: Uint8Array, name: string): Promise<Truth>;

  methods(): string[];
  methodPromise(name: string): string | null;
  broads(): string[];
  broadPromise(name: string): string | null;
  kindPoints(kind: Kind | ShortKind): number;
  counters(): Counters;
  /** The options of a query with the library's defaults. */
  defaults(): Required<Omit<QueryOptions, "counters" | "method">> & { method: string };
}

// --- curved surfaces ---

/** toi_surface_options. */
export interface SurfaceOptions {
  method?: string;
  norm?: Norm;
  tolerance?: number;
  tMax?: number;
  minSeparation?: number;
  accept?: "world" | "parameter";
  inclusion?: "obb" | "aabb";
  maxChecks?: number;
  simultaneity?: number;
  spacing?: number;
  progress?: (done: number) => boolean | void;
}

/** toi_surface_hit. */
export interface SurfaceHit {
  tLo: number;
  tHi: number;
  tSafe: number;
  a: [number, number];
  b: [number, number];
  point: Point;
  normalA: Point;
  normalB: Point;
  distance: number;
  toleranceReached: number;
  checks: number;
  pieces: number;
  patchA: number;
  patchB: number;
  verdict: Verdict;
  end: "refuted" | "bracketed" | "accepted" | "budget" | "memory" | "exact";
  touchingAtStart: boolean;
}

/** toi_contact_options. */
export interface ContactOptions {
  tMax?: number;
  tolerance?: number;
  simultaneity?: number;
  spacing?: number;
  incoming?: "auto" | "off" | "on";
  order?: "lower" | "upper" | "race";
  newton?: "linear" | "krawczyk" | "none";
  tangency?: boolean;
  meanValue?: boolean;
  spheres?: boolean;
  guesses?: boolean;
  polish?: boolean;
  clearance?: boolean;
  maxBoxes?: number;
  maxSeconds?: number;
  /** Contact is "within this distance": for two bodies of patches in rigid motion. */
  minSeparation?: number;
  progress?: (done: number) => boolean | void;
}

/** toi_contact_point; a and b are numbers of bodies. */
export interface ContactPoint {
  a: number;
  b: number;
  certificate: "unique" | "singular";
  proved: boolean;
  tLo: number;
  tHi: number;
  point: Point;
  error: number;
  normalA: Point;
  normalB: Point;
  parametersA: [number, number];
  parametersB: [number, number];
  patchA: number;
  patchB: number;
}

/** toi_contact_answer, with the contacts. */
export interface ContactAnswer {
  verdict: Verdict;
  end: "done" | "boxes" | "seconds" | "memory";
  tLo: number;
  tHi: number;
  tSafe: number;
  touchingAtStart: boolean;
  /** Whether a body starts inside another one. */
  insideAtStart: "no" | "yes" | "unknown";
  toleranceReached: number;
  boxes: number;
  pairs: number;
  culled: number;
  seconds: number;
  contacts: ContactPoint[];
  /** Of the bodies. */
  names: string[];
}

/** Triangles for the eye only: samples of a surface, joined. Nothing is decided with them. */
export interface Sampled {
  /** Three numbers per vertex. */
  positions: Float32Array;
  /** Unit normals; zero where there is none. */
  normals: Float32Array;
  /** Three per triangle. */
  indices: Uint32Array;
  /** The patch of each triangle; 0 for shapes that are one surface. */
  patches: Uint32Array;
}

export interface SampleOptions {
  /** Pieces along each parameter of a patch (default 16) or of another surface with parameters (default 64), or cells
   * along the longest side of an implicit surface's bounds (default 48). */
  detail?: number;
  /** Where an implicit surface without bounds, such as a plane, is drawn: lo x, y, z, hi x, y, z. Left out: around what
   * the other bodies have. */
  bounds?: Numbers;
  /** A body of a scene in its own coordinates: pose() says where these are. A shape whose formula does not name t is
   * sampled once, then. */
  own?: boolean;
}

/** Files that a scene or model names, by the name it gives them. */
export type Files = Record<string, Uint8Array>;

export interface SceneBody {
  name: string;
  implicit: boolean;
  solid: boolean;
  /** Surfaces that it is made of: the patches of a model, else 1. */
  pieces: number;
}

/** A scene of `toi contact`; docs/contact-format.md has the form. */
export interface ContactScene {
  readonly title: string;
  readonly bodies: readonly SceneBody[];
  readonly minSeparation: number;
  /** As the scene gives them. */
  readonly options: Required<Omit<ContactOptions, "progress" | "minSeparation">>;
  /** options override the scene's. */
  contact(options?: ContactOptions): ContactAnswer;
  /** A body at a time, in the scene's coordinates. */
  sample(body: number, t: number, options?: SampleOptions): Sampled;
  /** Where its motion puts a body: x is at rotation x + translation, the rotation row by row. */
  pose(body: number, t: number): { rotation: number[]; translation: number[] };
  free(): void;
}

/** Cases of `toi surface`: pairs of patches. */
export interface CaseSet {
  readonly count: number;
  tMax(number: number): number;
  /** The answer of each case. */
  surface(options?: SurfaceOptions): Records<SurfaceHit>;
  one(number: number, options?: SurfaceOptions): SurfaceHit;
  sample(number: number, which: "a" | "b", t: number, options?: SampleOptions): Sampled;
  free(): void;
}

/** A rigid motion: shifted, then turned at the rate `spin` (about its direction, by its length per unit of time) about
 * an axis through `centre`, then moved on with `velocity`. */
export interface Rigid {
  shift?: Numbers;
  spin?: Numbers;
  centre?: Numbers;
  velocity?: Numbers;
}

/** toi_model: patches whose control points move. */
export interface Model {
  readonly patchCount: number;
  moved(shift: Numbers, velocity?: Numbers): Model;
  sample(t: number, options?: SampleOptions & { motion?: Rigid }): Sampled;
  free(): void;
}

/** The curved module. */
export interface Curved {
  readonly version: string;
  readonly memoryBytes: number;

  readScene(scene: Uint8Array | string, name: string, files?: Files): Promise<ContactScene>;
  /** A scene of two models, or of one with itself, of the form that `toi surface` takes. */
  readSurfaceScene(scene: Uint8Array | string, name: string, files?: Files): Promise<ContactScene>;
  /** Reads a scene and asks it. */
  contact(scene: Uint8Array | string, files?: Files, options?: ContactOptions & { name?: string }): Promise<ContactAnswer>;

  readCases(bytes: Uint8Array | string, name: string): Promise<CaseSet>;
  /** Reads cases and answers them. */
  surface(
    bytes: Uint8Array | string, name: string, options?: SurfaceOptions,
  ): Promise<Records<SurfaceHit>>;

  readModel(bytes: Uint8Array | string, name: string, files?: Files): Promise<Model>;
  /** "teapot", "sphere", "cylinder" or "torus". */
  model(name: string): Model;
  modelNames(): string[];
  /** Left out: the first model with itself. */
  modelPair(a: Model, b?: Model | null, options?: SurfaceOptions): SurfaceHit;
  modelContacts(a: Model, b?: Model | null, options?: SurfaceOptions): { first: SurfaceHit; contacts: SurfaceHit[] };
  rigidPair(
    a: Model, motionA: Rigid | null, b: Model, motionB: Rigid | null, options?: SurfaceOptions,
  ): SurfaceHit;
  surfaceMethods(): string[];
  surfaceMethodPromise(name: string): string | null;
}

// --- a worker for long work ---

export interface WorkerOptions {
  /** Makes a worker that runs "libtoi/worker"; called again after a cancel. Left out: the file beside the library. A page
   * that is one file bundles that module and makes a worker of a blob. */
  create?: () => Worker | Promise<Worker>;
  /** Modules for the worker, where it cannot fetch them itself: bytes or compiled. */
  module?: WebAssembly.Module | BufferSource;
  curvedModule?: WebAssembly.Module | BufferSource;
  memoryBudget?: number;
  memoryMaximum?: number;
}

export interface RunOptions {
  progress?: (done: number) => void;
  /** Aborting rejects the promise with a ToiError "cancelled"; a call that is under way ends with its worker, and the
   * calls that wait behind it go to a new one. */
  signal?: AbortSignal;
}

/** Calls that a worker answers; each takes what the function of that name takes, meshes as descriptions, without
 * functions among the options. `work` and `counters` are filled in when the promise is. */
export interface WorkerJobs {
  query(kind: QueryKind | ShortKind, start: Numbers, end: Numbers, options?: QueryOptions): Hit;
  batch(kind: QueryKind | ShortKind, queries: Float64Array, options?: QueryOptions): Records<Hit>;
  step(mesh: MeshData, options?: MeshOptions): Impact;
  collisions(mesh: MeshData, options?: MeshOptions): Records<Collision>;
  candidates(mesh: MeshData, options?: MeshOptions): Candidates;
  proximity(mesh: MeshData, distance: number, options?: MeshOptions): Records<Proximal>;
  lineSearch(mesh: MeshData, options?: MeshOptions): Advance;
  intersects(mesh: MeshData, options?: MeshOptions): Intersection;
  crossings(mesh: MeshData, options?: MeshOptions): Records<Crossing>;
  meshEdges(faces: Uint32Array, loose?: Uint32Array): Uint32Array;
  readFrame(bytes: Uint8Array, name: string): Frame;
  readStep(
    start: Uint8Array, startName: string, end: Uint8Array, endName: string, attributes?: Partial<MeshData>,
  ): MeshData & { start: Float64Array | Float32Array; end: Float64Array | Float32Array; faces: Uint32Array; edges: Uint32Array };
  readQueries(bytes: Uint8Array, name: string): QuerySet;
  contact(scene: Uint8Array | string, files?: Files, options?: ContactOptions & { name?: string }): ContactAnswer;
  surface(bytes: Uint8Array | string, name: string, options?: SurfaceOptions): Records<SurfaceHit>;
}

export interface ToiWorker {
  /** One call after the other, in the order of run(). */
  run<K extends keyof WorkerJobs>(
    job: K, args: Parameters<WorkerJobs[K]>, options?: RunOptions,
  ): Promise<ReturnType<WorkerJobs[K]>>;
  /** Ends the worker for good; what is under way is rejected as cancelled. */
  end(): void;
}

export function startWorker(options?: WorkerOptions): ToiWorker;
