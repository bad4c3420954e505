/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Contact stencils: the data that a Newton iteration with a barrier needs about the close pairs of a mesh.
 *
 * Every close pair is reduced to its closest features, its active pair: a vertex and a face whose nearest point lies on
 * an edge of the face become a vertex and an edge, two edges that are nearest at their ends become two vertices, and so
 * on. Pairs that reduce to the same two features become one stencil, which counts them.
 *
 * The distance function of a stencil is that of its active features without their borders: two points (vertex-vertex),
 * a point and a line (vertex-edge), a point and a plane (vertex-face), two lines (edge-edge). As long as the features
 * stay the active ones this is the distance of the pair; where they change, value and gradient stay continuous. For a
 * vertex and a half-space it is that of a point and a plane; such pairs are not reduced. */

#ifndef TOI_STENCIL_H
#define TOI_STENCIL_H

#include <toi/distance.h>

#ifdef __cplusplus
extern "C" {
#endif

/* An active pair at one instant. */
typedef struct toi_stencil {
  toi_kind kind;         /* of the features; edge-edge also if their mollifier is below 1 */
  toi_pair pair;         /* their numbers in the mesh; for two vertices the smaller one first */
  uint32_t vertices[4];  /* in the order of a query's points (narrow.h), vertex_count of them; then zeroes */
  uint32_t vertex_count; /* 2, 3 or 4; 1 with a half-space */
  uint32_t multiplicity; /* how many close pairs of the mesh were reduced to this one */
  toi_region
      on_first; /* the regions of the closest points. In a mollified edge-edge stencil they may be at an end of */
  toi_region on_second; /* an edge: its distance function is that of these features; other vertices have weight 0 */
  double mollifier_threshold; /* eps_x of an edge-edge stencil; 0: it has no mollifier */
  double distance_squared;    /* relative error at most 2^-16; 0 only if they touch, or if the square underflows */
  double weights[4];     /* first - second = sum of weights[i] * x[vertices[i]]; those of each side are in [-1, 1] and
                            sum to 1 or -1. With a half-space first = x[vertices[0]], and second is fixed */
  double first[3];       /* the closest points, rounded: on the first feature */
  double second[3];      /* and on the second */
  double normal[3];      /* unit, from the second point to the first; zero, like the tangents, if they touch, or are too
                            close for doubles to give a direction; that of a half-space is never zero */
  double tangents[2][3]; /* unit, with the normal a right-handed basis: normal = tangents[0] x tangents[1] */
  uint32_t reserved[12];
} toi_stencil;

/* Make it with toi_default_stencil_options(): other structs are refused. */
typedef struct toi_stencil_options {
  size_t size;      /* set by toi_default_stencil_options() */
  const void *rest; /* the vertices at rest, laid out like mesh->start; NULL: the start */
  double mollifier; /* eps_x is this times the squared lengths of both edges at rest; finite, not negative; 1e-3 */
} toi_stencil_options;

/* Sets the defaults, for languages that cannot call inline functions; size: sizeof(toi_stencil_options). */
TOI_API void toi_stencil_options_init(toi_stencil_options *options, size_t size);

/* The defaults of all fields; change the ones you need. */
static inline toi_stencil_options toi_default_stencil_options(void) {
  toi_stencil_options options;
  toi_stencil_options_init(&options, sizeof options);
  return options;
}

/* Return TOI_OK to continue; any other status ends the call, which returns it. Called from the calling thread. */
typedef toi_status (*toi_stencil_visitor)(void *user, const toi_stencil *stencils, size_t count);

/* The stencils of all pairs that toi_proximity() gives for this distance in the Euclidean norm (another norm is
 * TOI_ERROR_UNSUPPORTED): each once, ordered by kind, then first, then second number, the same bits for any number of
 * threads, memory budget and broad phase. stencil_options may be NULL for the defaults.
 *
 * Two edges with c < eps_x, where c = |ea x eb|^2 is the square of their cross product, are nearly parallel: the
 * gradient of their distance jumps where the closest points jump along them. They stay an edge-edge stencil, whatever
 * their active features are (on_first, on_second), and a barrier must be multiplied by their mollifier. All other
 * edge-edge pairs are reduced; those that remain have mollifier 1 here.
 *
 * Degenerate features are reduced further: a face whose sides at its first corner enclose an angle with a sine of at
 * most 2^-20, or two such edges, to the nearest of their edges and ends; an edge shorter than 2^-63 of the size of the
 * pair, to its first vertex. So every stencil has derivatives where it was found. Where a closest point lies on the
 * border of two features, within rounding, either may be chosen. */
TOI_API TOI_MUST_USE toi_status toi_stencils(toi_context *context, const toi_mesh *mesh, double distance,
                                             const toi_options *options, const toi_stencil_options *stencil_options,
                                             toi_stencil_visitor visit, void *user);

/* The square of the distance function of two features, its gradient and its Hessian with respect to the coordinates of
 * all points in the order of a query: n = 3 * toi_kind_points(kind) of them. gradient has room for n doubles, hessian
 * for n * n, row by row, symmetric to the last bit; each output may be NULL.
 *
 * Errors, with u = 2^-53, a and b the two sides (of the face at its first corner; the two edges; for vertex-edge the
 * one edge and k = 1), M the longest of a, b and the vector between their first points,
 * k = |a| |b| / |a x b|, s = 1 + 2 k M / min(|a|, |b|):
 *   the root of *squared    at most 2^5 k u M
 *   a gradient's component  at most 2^8 k u s M
 *   a Hessian's entry       at most 2^10 k u s^2
 * TOI_ERROR_INPUT, and zeroes, if derivatives have no meaning: a side shorter than 2^-64 M, 1 / k <= 2^-42 (no area;
 * parallel edges), a coordinate that is not finite, a result beyond the largest double. */
TOI_API TOI_MUST_USE toi_status toi_stencil_derivatives(toi_kind kind, const double (*points)[3], double *squared,
                                                        double *gradient, double *hessian);

/* The mollifier of two edges, points ea0, ea1, eb0, eb1: m = c/e (2 - c/e) if c < e, else 1, where e is the threshold;
 * gradient of 12, Hessian of 144 doubles as above; each may be NULL. The gradient is continuous too.
 *
 * Errors, with E = max(1, |a|^2 |b|^2 / e) and L the shorter edge: at most 2^5 u E (value), 2^7 u E / L, 2^9 u E^1.5 /
 * L^2. TOI_ERROR_INPUT, and zeroes, if the threshold is not positive and finite, a coordinate is not finite, or a
 * result is beyond the largest double. */
TOI_API TOI_MUST_USE toi_status toi_stencil_mollifier(const double (*points)[3], double threshold, double *value,
                                                      double *gradient, double *hessian);

/* Arrays for the derivatives of many stencils; each may be NULL. Start from zeroes, or from toi_stencil_arrays_init().
 * For stencil i, gradients[i] and hessians[i] begin with the output of toi_stencil_derivatives() for its kind:
 * 3 * vertex_count, and as many squared, doubles; the rest is not written. */
typedef struct toi_stencil_arrays {
  size_t size; /* 0 stands for the first layout of this struct, which this one is */
  double *squared;
  double (*gradients)[12];
  double (*hessians)[144];
  double *mollifiers; /* 1, with derivatives of 0, for stencils without a threshold */
  double (*mollifier_gradients)[12];
  double (*mollifier_hessians)[144];
} toi_stencil_arrays;

/* Sets everything to zero, and the size: for languages that have no initialisers. */
TOI_API void toi_stencil_arrays_init(toi_stencil_arrays *arrays, size_t size);

/* Squared distances, mollifiers and derivatives of stencils, with the coordinates of the mesh's start. Kind, vertices,
 * regions and threshold are taken from each stencil; the mesh needs no edges and faces, but the half-spaces that
 * stencils name. Uses threads and SIMD; the same bits as single calls. A mollified edge-edge stencil has the distance
 * function of its regions: 12 components, 0 for the vertices that take no part. That of a half-space has 3, h^2 / |n|^2
 * with h = n . x - c, and no derivatives if a vertex is so far behind the plane that the square overflows. On failure
 * the error names the first stencil that has no derivatives, and all arrays hold zeroes. */
TOI_API TOI_MUST_USE toi_status toi_stencil_batch(toi_context *context, const toi_mesh *mesh,
                                                  const toi_stencil *stencils, size_t count,
                                                  const toi_stencil_arrays *arrays);

#ifdef __cplusplus
}
#endif

#endif
