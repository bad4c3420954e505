/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The narrow phase: two primitives whose points move on straight lines from start (t = 0) to end (t = 1).
 * When do they first touch?
 *
 * Vocabulary. A query is `points` points at the start, then the same points at the end:
 *   vertex-face    v, f0, f1, f2         contact at f0 + u (f1 - f0) + v (f2 - f0)
 *   edge-edge      ea0, ea1, eb0, eb1    contact at ea0 + u (ea1 - ea0) and eb0 + v (eb1 - eb0)
 *   vertex-edge    v, e0, e1             contact at e0 + u (e1 - e0), v = 0
 *   vertex-vertex  a, b                  u = v = 0
 * Contact is closed: touching counts, so do t = 0 and t = t_max. Points, segments and triangles without area are
 * allowed, and motions that stay in one plane (set z = 0 for two dimensions).
 *
 * With a separation d > 0 "touch" means "come within distance d" throughout: t_lo and t_hi enclose the first time at
 * which the distance is d, u, v and point give the closest point on the second primitive, and the closest point on the
 * first is point + distance * normal (Euclidean norm).
 *
 * Promise of the methods `certified` and `exact`: the verdict is right for every finite input, of any magnitude,
 * without a tolerance. */

#ifndef TOI_NARROW_H
#define TOI_NARROW_H

#include <toi/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The pairs of primitives, in the order in which ties are broken. */
typedef enum toi_kind {
  TOI_VERTEX_FACE = 0,
  TOI_EDGE_EDGE,
  TOI_VERTEX_EDGE,
  TOI_VERTEX_VERTEX,
  TOI_KIND_COUNT, /* the number of kinds that are queries: those above */

  /* Candidates only (broad.h), not queries. */
  TOI_EDGE_FACE = 8,
  TOI_FACE_FACE,

  /* A vertex and a half-space that it must stay in: see toi_half_space. */
  TOI_VERTEX_HALF_SPACE
} toi_kind;

/* Points of a query of this kind at one time: 4, 4, 3, 2; 0 for kinds that are not queries of points alone. */
TOI_API uint32_t toi_kind_points(toi_kind kind);

/* "vertex-face", "edge-edge", "vertex-edge", "vertex-vertex", "edge-face", "face-face", "vertex-half-space"; NULL for
 * an unknown kind. */
TOI_API const char *toi_kind_name(toi_kind kind);

typedef enum toi_verdict {
  TOI_MISS = 0, /* proved: nothing touches in [0, t_max] */
  TOI_HIT,      /* proved: they touch, first at a time in [t_lo, t_hi] */
  TOI_NEAR      /* neither proved nor refuted; proved: nothing touches before t_lo */
} toi_verdict;

/* "miss", "hit", "near"; NULL for an unknown verdict. */
TOI_API const char *toi_verdict_name(toi_verdict verdict);

typedef enum toi_norm { TOI_NORM_L2 = 0, TOI_NORM_LINF } toi_norm;

/* The boxes around a moving piece: along the axes, or along the piece's own directions. */
typedef enum toi_inclusion { TOI_INCLUSION_OBB = 0, TOI_INCLUSION_AABB } toi_inclusion;

/* The precision in which misses are proved first, for coordinates that come from a mesh. */
typedef enum toi_filter { TOI_FILTER_FLOAT = 0, TOI_FILTER_DOUBLE } toi_filter;

/* The level of the cascade that decided a query, cheapest first. */
typedef enum toi_level {
  TOI_LEVEL_BOX = 0,    /* the signs of the corners on an axis */
  TOI_LEVEL_SIGN,       /* the sign of the coplanarity cubic */
  TOI_LEVEL_PROJECTION, /* areas of opposite sign in a projection, over both halves of the step */
  TOI_LEVEL_ROOT,       /* a root bracketed and verified in floating point */
  TOI_LEVEL_REDUCTION,  /* exact comparisons left a smaller problem, or none */
  TOI_LEVEL_PLANE,      /* separating planes that turn, over parts of the step; with a separation */
  TOI_LEVEL_EXACT,      /* integers */
  TOI_LEVEL_SEARCH,     /* an inclusion method's search; `cubic` */
  TOI_LEVEL_OUTSIDE,    /* a plug-in */
  TOI_LEVEL_COUNT
} toi_level;

/* "box", "sign" and so on, like the constants; NULL for an unknown level. */
TOI_API const char *toi_level_name(toi_level level);

/* The length of arrays indexed by an enum: the enum may gain values, the array does not change. */
#define TOI_COUNTERS 16

/* How many queries each level decided. Calls add to the numbers, failed calls possibly too; the caller sets them to
 * zero. */
typedef struct toi_counters {
  uint64_t queries;
  uint64_t verdicts[TOI_COUNTERS]; /* by toi_verdict */
  uint64_t levels[TOI_COUNTERS];   /* by toi_level */
  uint64_t reserved[3];
} toi_counters;

/* The options of the narrow phase. Make them with toi_default_options(): other structs are refused. */
typedef struct toi_options {
  size_t size;                /* set by toi_default_options() */
  const char *method;         /* a name that toi_method_name() lists, or a loaded plug-in's; NULL: "certified" */
  double tolerance;           /* > 0, finite; toi_method_promise() says what it bounds; 1e-6 */
  double t_max;               /* in [0, 1]: the call covers [0, t_max]; 1 */
  double min_separation;      /* d >= 0: contact is "distance <= d"; 0 */
  double separation_fraction; /* F >= 0: d is this fraction of the initial distance d0 of each query; 0. With D =
                                 min_separation > 0 d is D + F (d0 - D), and D if d0 <= D; rounded down once */
  toi_norm norm;              /* of the separation; TOI_NORM_L2 */
  toi_inclusion inclusion;    /* boxes of `time-inclusion`; TOI_INCLUSION_OBB */
  uint64_t max_checks;        /* limit of checks of the methods that search; 0: the method's default */
  bool no_zero_toi;           /* inclusion methods: refine further before they answer t_lo = 0; false */
  toi_counters *counters;     /* if not NULL, added to */
  const struct toi_mesh_options *on_mesh; /* for calls on whole meshes, see broad.h; NULL: their defaults */
  double scene_bound[3]; /* `tight-inclusion`: the largest |x|, |y|, |z| of the scene, for one filter for all queries;
                            0: each query has its own */
  toi_filter filter;     /* `certified` without a separation, for coordinates from a mesh: the precision in which misses
                            are proved first. Both have proved bounds: the answers differ only in the level of a miss;
                            TOI_FILTER_FLOAT, which is faster */
} toi_options;

/* Sets the defaults, for languages that cannot call inline functions; size: sizeof(toi_options). */
TOI_API void toi_options_init(toi_options *options, size_t size);

/* The defaults of all fields; change the ones you need. */
static inline toi_options toi_default_options(void) {
  toi_options options;
  toi_options_init(&options, sizeof options);
  return options;
}

/* The answer to one query. For a miss t_lo = t_hi = infinity, t_safe = t_max, u = v = NaN, and point and normal are
 * zero. */
typedef struct toi_hit {
  double t_lo;               /* t_lo <= t* <= t_hi, t* the first time of contact. `exact`: the tightest doubles; */
  double t_hi;               /* `certified`: at most 2^-48 apart, a function of the coordinates only, not of t_max */
  double t_safe;             /* strictly before contact, 0 if touching at the start: step no further */
  double u, v;               /* on the primitives; if there are many, the smallest u, then the smallest v */
  double point[3];           /* the contact point at t* */
  double normal[3];          /* unit, from the second primitive to the first just before contact; zero if undefined */
  double tolerance_reached;  /* 0 for miss and hit; for near, how close they are known to come */
  double separation;         /* d, from min_separation and separation_fraction */
  double distance;           /* of a hit, between the two at t*: d, or less if they start closer than d; else NaN */
  uint8_t verdict;           /* toi_verdict */
  uint8_t level;             /* toi_level */
  uint8_t touching_at_start; /* or within d at the start */
  uint8_t reserved[5];
} toi_hit;

/* One query of any kind. start and end hold toi_kind_points(kind) points each. On failure, such as an unknown kind, the
 * hit is the safe answer: near, from 0. There is no context: a query whose coordinates span hundreds of binary digits
 * takes temporary memory from malloc. */
TOI_API TOI_MUST_USE toi_status toi_query(toi_kind kind, const double (*start)[3], const double (*end)[3],
                                          const toi_options *options, toi_hit *hit);

/* The same, one function for each kind. */
TOI_API TOI_MUST_USE toi_status toi_vertex_face(const double start[4][3], const double end[4][3],
                                                const toi_options *options, toi_hit *hit);
TOI_API TOI_MUST_USE toi_status toi_edge_edge(const double start[4][3], const double end[4][3],
                                              const toi_options *options, toi_hit *hit);
TOI_API TOI_MUST_USE toi_status toi_vertex_edge(const double start[3][3], const double end[3][3],
                                                const toi_options *options, toi_hit *hit);
TOI_API TOI_MUST_USE toi_status toi_vertex_vertex(const double start[2][3], const double end[2][3],
                                                  const toi_options *options, toi_hit *hit);

/* An obstacle that does not move: all x with normal . x >= offset are free, all x with normal . x <= offset are the
 * obstacle. The normal need not be of length 1; its components and the offset are finite, and the normal is not 0. The
 * distance of a vertex is (normal . x - offset) / |normal|, where |normal| in the maximum norm is the sum of the
 * magnitudes, and 0 behind the plane. */
typedef struct toi_half_space {
  double normal[3];
  double offset;
} toi_half_space;

/* One vertex and one half-space. Whatever method the options name (it must be known), the answer is exact, and its
 * bracket is the tightest: t_lo and t_hi are equal or neighbouring doubles. u = v = 0, point is on the plane (or at the
 * vertex, if it starts behind the plane), normal is the unit normal of the half-space. */
TOI_API TOI_MUST_USE toi_status toi_vertex_half_space(const double start[3], const double end[3],
                                                      const toi_half_space *half_space, const toi_options *options,
                                                      toi_hit *hit);

/* Many queries of one kind, back to back: 2 * toi_kind_points(kind) * 3 doubles each, start before end. Uses threads
 * and SIMD; the answers are the same bits as those of single calls. On failure the context says which query, and every
 * hit is the safe answer: near, from 0. */
TOI_API TOI_MUST_USE toi_status toi_batch(toi_context *context, toi_kind kind, const double *queries, size_t count,
                                          const toi_options *options, toi_hit *hits);

typedef enum toi_scalar { TOI_FLOAT64 = 0, TOI_FLOAT32 } toi_scalar;

/* Two states of one mesh; the arrays stay the caller's. Floats are converted exactly. Start from zeroes, as in
 * `toi_mesh mesh = {.start = ...}`, or from toi_mesh_init(): fields that are not set are absent.
 *
 * Faces, edges and vertices may be mixed freely: a vertex in no edge and no face (except one made of this vertex alone)
 * is a loose point, an edge of no face a loose edge. Calls on whole meshes (broad.h, scene.h) require every edge of
 * every face among the edges, once; with edges NULL they find the edges of the faces by themselves, in every call,
 * numbered as by toi_mesh_edges(). */
typedef struct toi_mesh {
  size_t size;       /* 0 stands for the first layout of this struct, which is this one */
  const void *start; /* vertex i at start + i * stride: three scalars x, y, z */
  const void *end;
  toi_scalar scalar;
  size_t
      stride; /* bytes from one vertex to the next, three scalars at least (one, with a component_stride); 0: three */
  size_t vertex_count;
  const uint32_t (*edges)[2];
  size_t edge_count;
  const uint32_t (*faces)[3];
  size_t face_count;

  /* For calls on whole meshes; each may be NULL. */
  const uint32_t *bodies;       /* body of each vertex: pairs within one body are skipped; TOI_NO_BODY: none */
  const uint8_t *fixed;         /* 1: the vertex is fixed; pairs whose vertices are all fixed are skipped */
  const double *thickness;      /* of each vertex, in [0, 2^1020]; a primitive has that of its thickest vertex */
  const double *body_thickness; /* of each body, in the same range, added to that of its vertices; body_count of them */
  size_t body_count;            /* bodies have numbers below this if body_thickness or body_pairs is given */
  size_t component_stride;      /* bytes from x to y and from y to z, for matrices stored by columns; 0: one scalar */

  /* Sets: bit i is bit i % 64 of word i / 64. */
  const uint64_t *skipped; /* a set of vertices: primitives with such a vertex take no part */
  /* Which bodies may collide: bit i * body_count + j for bodies i <= j, i = j within one body. A pair is skipped if no
   * vertex of one primitive may collide with a vertex of the other; vertices of no body may collide with all. NULL: all
   * different bodies. */
  const uint64_t *body_pairs;

  /* Half-spaces that every vertex must stay in, numbered from 0; edges and faces then stay in them too. */
  const toi_half_space *half_spaces;
  size_t half_space_count;
} toi_mesh;

#define TOI_NO_BODY UINT32_MAX

/* Sets everything to zero, and the size: for languages that have no initialisers. */
TOI_API void toi_mesh_init(toi_mesh *mesh, size_t size);

/* vertex-face: vertex and face; edge-edge: two edges; vertex-edge: vertex and edge; vertex-vertex: two vertices;
 * vertex-half-space: vertex and half-space. */
typedef struct toi_pair {
  uint32_t first, second;
} toi_pair;

/* As toi_batch(), with the coordinates of a mesh. */
TOI_API TOI_MUST_USE toi_status toi_batch_indexed(toi_context *context, toi_kind kind, const toi_mesh *mesh,
                                                  const toi_pair *pairs, size_t count, const toi_options *options,
                                                  toi_hit *hits);

/* The answers of a batch that are not misses, in arrays of the caller. */
typedef struct toi_hit_list {
  toi_hit *hits;   /* given: an array of `room` hits */
  size_t *numbers; /* given: an array of `room` numbers, of the queries that the hits answer */
  size_t room;     /* given; at least 1 */
  size_t count;    /* how many were written, in the order of their queries */
  size_t answered; /* how many queries were answered, from the first on: those of them that are not listed are misses */
  size_t reserved[3];
} toi_hit_list;

/* As toi_batch() and toi_batch_indexed(), but misses are not written: where most queries miss, most of the time goes
 * into writing 120 bytes for each. The listed hits have the same bits. If the list has no room for a hit, the call ends
 * early, with `answered` below count: call again with the remaining queries; numbers count from the first query of each
 * call. Counters may count queries twice that are answered again. On failure the list is empty, and nothing is
 * answered. `certified` proves most misses among many pairs of a mesh in single precision (toi_filter). */
TOI_API TOI_MUST_USE toi_status toi_batch_hits(toi_context *context, toi_kind kind, const double *queries, size_t count,
                                               const toi_options *options, toi_hit_list *list);
TOI_API TOI_MUST_USE toi_status toi_batch_indexed_hits(toi_context *context, toi_kind kind, const toi_mesh *mesh,
                                                       const toi_pair *pairs, size_t count, const toi_options *options,
                                                       toi_hit_list *list);

/* The built-in methods, by number from 0; NULL past the last. */
TOI_API const char *toi_method_name(size_t number);

/* What a method promises and what its tolerance bounds, in one or more sentences; NULL for an unknown name. */
TOI_API const char *toi_method_promise(const char *name);

#ifdef __cplusplus
}
#endif

#endif
