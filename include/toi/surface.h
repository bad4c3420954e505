/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Curved surfaces: Bezier patches, polynomial or rational, whose control points move with constant velocity; models
 * made of many of them; NURBS surfaces and common shapes as such models.
 *
 * When do two patches, or two models, first touch in [0, t_max]? Patches are used as they are, without a mesh.
 * Contact is closed: touching counts, so do t = 0 and t = t_max, and the patches' edges and corners belong to them.
 *
 * Promise: a miss and a hit are proved. `near` is neither, and nothing touches before its t_lo: the answer for surfaces
 * that graze exactly, that rest on each other, or whose search ran out of budget. Every call ends within its budget of
 * checks, which also bounds its memory.
 *
 * With a separation d > 0 "touch" means "come within distance d" throughout. */

#ifndef TOI_SURFACE_H
#define TOI_SURFACE_H

#include <toi/motion.h>
#include <toi/narrow.h>

#ifdef __cplusplus
extern "C" {
#endif

/* --- patches --- */

typedef enum toi_patch_shape {
  TOI_PATCH_QUAD = 0, /* a tensor product over u, v in [0, 1]; of degree [m, 0] a curve, of degree [0, 0] a point */
  TOI_PATCH_TRIANGLE  /* over u, v >= 0, u + v <= 1; w = 1 - u - v is the third barycentric coordinate */
} toi_patch_shape;

#define TOI_PATCH_DEGREE_MOST 9

/* A patch; the arrays stay the caller's. The surface at time t is
 *   sum B_i(u, v) w_i (points_i + t velocities_i) / sum B_i(u, v) w_i.
 * Control points, quad: number i (n + 1) + j belongs to B_i(u) B_j(v), v runs fastest. Triangle of degree n: outer loop
 * over the power of v, from 0, inner loop over that of u, from 0. Start from zeroes, as in
 * `toi_patch patch = {.shape = ...}`, and set the size of the first element of an array: it is the stride. */
typedef struct toi_patch {
  size_t size; /* sizeof(toi_patch); 0: the first layout */
  toi_patch_shape shape;
  uint32_t degree[2];            /* quad: in u and in v; triangle: its degree, the second is not used */
  const double (*points)[3];     /* at t = 0 */
  const double (*velocities)[3]; /* NULL: at rest */
  const double *weights;         /* positive, the same at all times; NULL: polynomial */
  /* The intended surface, continuous in parameters and time, stays within error + t velocity_error (Euclidean) of the
   * given one, at the same parameters and time t >= 0. Both are finite and >= 0; 0 and 0: the given surface is meant.
   */
  double error;
  double velocity_error;
} toi_patch;
TOI_API void toi_patch_init(toi_patch *patch, size_t size); /* sets zeroes, and the size */

/* The number of control points of a patch; 0 if there is no such patch. */
TOI_API size_t toi_patch_points(toi_patch_shape shape, const uint32_t degree[2]);

/* A point of a patch at a time, rounded, and its unit normal (d/du x d/dv; zero if it is not defined). Either output
 * may be NULL. */
TOI_API TOI_MUST_USE toi_status toi_patch_point(toi_context *context, const toi_patch *patch, double u, double v,
                                                double t, double point[3], double normal[3]);

/* --- questions and answers --- */

/* When the search may treat two pieces as touching without a proof. */
typedef enum toi_accept {
  TOI_ACCEPT_WORLD = 0, /* both are smaller than the tolerance, a distance */
  TOI_ACCEPT_PARAMETER  /* both are narrower than the tolerance in each parameter */
} toi_accept;

typedef struct toi_surface_options {
  size_t size;             /* set by toi_default_surface_options() */
  toi_norm norm;           /* of the separation; TOI_NORM_L2 */
  const char *method;      /* a name that toi_surface_method_name() lists; NULL: "time-inclusion" */
  double tolerance;        /* > 0, finite: see toi_accept; a hit's bracket is at most 2^-10 of it wide, as a distance
                              (world) or fraction of t_max (parameter), unless the search ends before; 1e-6 */
  double t_max;            /* >= 0, finite: the call covers [0, t_max]; 0: the start only; 1 */
  double min_separation;   /* d >= 0: contact is "distance <= d"; 0 */
  toi_accept accept;       /* TOI_ACCEPT_WORLD */
  toi_inclusion inclusion; /* axes along which pieces are separated: TOI_INCLUSION_OBB */
  uint64_t max_checks;     /* the largest number of pairs of pieces checked; 0: the method's default */
  double simultaneity;     /* >= 0: toi_model_contacts gives contacts up to this time after the first; 0 */
  double spacing;          /* > 0: the distance between them; 0.1 */
  bool (*progress)(void *user, double done); /* NULL: none. From the calling thread, done in [0, 1]; false: stop */
  void *progress_user;
} toi_surface_options;

/* Sets the defaults, for languages that cannot call inline functions; size: sizeof(toi_surface_options). */
TOI_API void toi_surface_options_init(toi_surface_options *options, size_t size);

/* The defaults of all fields; change the ones you need. */
static inline toi_surface_options toi_default_surface_options(void) {
  toi_surface_options options;
  toi_surface_options_init(&options, sizeof options);
  return options;
}

/* Why a search ended. */
typedef enum toi_surface_end {
  TOI_SURFACE_REFUTED = 0, /* all checked pairs of patches are apart: see toi_model_pair() */
  TOI_SURFACE_BRACKETED,   /* a contact is proved, and nothing earlier than the required bracket is left */
  TOI_SURFACE_ACCEPTED,    /* the earliest pieces left are within the tolerance */
  TOI_SURFACE_BUDGET,      /* max_checks were made */
  TOI_SURFACE_MEMORY,      /* the pieces filled the available memory */
  TOI_SURFACE_EXACT,       /* flat triangles: decided by the exact narrow phase */
  TOI_SURFACE_END_COUNT
} toi_surface_end;

/* "refuted", "bracketed" and so on, like the constants; NULL for an unknown number. */
TOI_API const char *toi_surface_end_name(toi_surface_end end);

/* The answer. For a miss t_lo = t_hi = infinity, t_safe = t_max, parameters are NaN, and point and normals zero. */
typedef struct toi_surface_hit {
  double t_lo, t_hi;  /* hit: the first contact lies between them. near: nothing touches before t_lo */
  double t_safe;      /* strictly before contact, 0 if they may touch at the start */
  double a[2], b[2];  /* u, v of the contact on the first and on the second patch */
  double point[3];    /* there, at t_hi (near: t_lo), half way between the two */
  double normal_a[3]; /* unit normals of the two patches there (d/du x d/dv); zero where not defined */
  double normal_b[3];
  double distance;           /* between the two points, as computed; NaN for a miss */
  double tolerance_reached;  /* 0 for miss and hit; near: how close they are known to come, as a distance */
  uint64_t checks;           /* pairs of pieces checked */
  uint64_t pieces;           /* pieces that patches were split into */
  uint32_t patch_a, patch_b; /* numbers in their models; 0 for toi_patch_pair */
  uint8_t verdict;           /* toi_verdict */
  uint8_t end;               /* toi_surface_end */
  uint8_t touching_at_start; /* proved: they touch at t = 0 */
  uint8_t reserved[37];      /* zero */
} toi_surface_hit;

/* First contact of two patches. On failure the hit is the safe answer: near, from 0. */
TOI_API TOI_MUST_USE toi_status toi_patch_pair(toi_context *context, const toi_patch *a, const toi_patch *b,
                                               const toi_surface_options *options, toi_surface_hit *hit);

/* Two patches and a time. Set the size of the first element of an array: it is the stride. */
typedef struct toi_patch_case {
  size_t size; /* sizeof(toi_patch_case); 0: the first layout */
  const toi_patch *a, *b;
  double t_max; /* >= 0, finite */
} toi_patch_case;
TOI_API void toi_patch_case_init(toi_patch_case *one, size_t size); /* sets zeroes, and the size */

/* Many pairs, each with its own time, on all threads; options->t_max is ignored. The answers are those of single calls.
 * On failure the context says which case, and all hits are the safe answer. */
TOI_API TOI_MUST_USE toi_status toi_patch_batch(toi_context *context, const toi_patch_case *cases, size_t count,
                                                const toi_surface_options *options, toi_surface_hit *hits);

/* The methods, by number from 0; NULL past the last. */
TOI_API const char *toi_surface_method_name(size_t number);

/* What a method promises, in a sentence or two; NULL for an unknown name. */
TOI_API const char *toi_surface_method_promise(const char *name);

/* --- models --- */

/* Many patches. The caller may fill it in, from zeroes, with its own arrays (owned = NULL); models made by the library
 * belong to the context, and toi_model_free() frees them. */
typedef struct toi_model {
  const toi_patch *patches; /* with a stride of patches->size bytes: see toi_model_patch() */
  size_t patch_count;
  const double (*domains)[4]; /* u_lo, u_hi, v_lo, v_hi: the rectangle of each patch in the surface from which it was
                                 cut; NULL: not known */
  void *owned;
  size_t owned_bytes;
  uint64_t reserved[4]; /* zero */
} toi_model;

/* A patch of a model. The library that made the model may know a longer toi_patch than the caller's compiler: read it
 * in place, and set the size of a copy to that of the copy. */
static inline const toi_patch *toi_model_patch(const toi_model *model, size_t number) {
  const size_t step = model->patches->size == 0 ? sizeof(toi_patch) : model->patches->size;
  return (const toi_patch *)(const void *)((const char *)model->patches + number * step);
}

/* Frees what the library allocated and empties the model. */
TOI_API void toi_model_free(toi_context *context, toi_model *model);

/* First contact of two models, over all pairs of patches. b NULL: of one model with itself.
 *
 * Self-contact skips each patch with itself, and pairs of neighbours: patches that share a corner with the same
 * position and the same velocity (as numbers, without any tolerance; missing velocities are zeroes). So a patch that
 * folds onto itself, and two neighbours that fold onto each other, are not found, and may be a miss: cut patches where
 * that matters. Patches that meet without such a corner, at a T-joint or at corners that differ in their last digits,
 * are not neighbours: they touch from the start. A model given twice, as a and as b, is two models, which touch from
 * the start. */
TOI_API TOI_MUST_USE toi_status toi_model_pair(toi_context *context, const toi_model *a, const toi_model *b,
                                               const toi_surface_options *options, toi_surface_hit *hit);

/* Return TOI_OK to continue; any other status ends the call, which returns it. Called from the calling thread. */
typedef toi_status (*toi_model_visitor)(void *user, const toi_surface_hit *contact);

/* All contacts of the first moment: from the first contact to `simultaneity` after it (plus the bracket's width), at
 * least `spacing` apart, so that no contact is farther than 2 `spacing` plus the size of an accepted piece from a
 * reported one. `first` is the answer of toi_model_pair(); its end is budget or memory if there may be more contacts
 * than were found. visit is called for each contact; if it ends the call, `first` stays valid. A contact that is not
 * proved has the verdict near. Only with the method time-inclusion. */
TOI_API TOI_MUST_USE toi_status toi_model_contacts(toi_context *context, const toi_model *a, const toi_model *b,
                                                   const toi_surface_options *options, toi_surface_hit *first,
                                                   toi_model_visitor visit, void *user);

/* First contact of two models in rigid motion; their patches have no velocities of their own. NULL: at rest. The motion
 * is approximated piece by piece by a linear one, with a bound on the difference; where parts nearly fit and turn at a
 * constant rate about an axis that moves at a constant velocity, it is followed exactly. So the answer holds for the
 * true motion. A motion can be used by one call at a time. */
TOI_API TOI_MUST_USE toi_status toi_rigid_pair(toi_context *context, const toi_model *a, const toi_motion *motion_a,
                                               const toi_model *b, const toi_motion *motion_b,
                                               const toi_surface_options *options, toi_surface_hit *hit);

/* --- making models --- */

/* A NURBS surface. Control point i goes with the basis function that begins at knot i. Knots do not decrease. With a
 * knot vector of count + degree + 1 knots, the surface is defined over [knot_degree, knot_count]; its ends need not be
 * repeated (unclamped), and an inner knot repeated more than `degree` times tears it. Periodic: there are count + 1
 * knots (at least two control points), the last minus the first is the period, and control points wrap around. */
typedef struct toi_nurbs {
  size_t size;        /* sizeof(toi_nurbs); 0: the first layout */
  uint32_t degree[2]; /* 1 to 9, in u and v */
  size_t count[2];    /* control points in u and v; number i count[1] + j, v runs fastest */
  const double *knots[2];
  size_t knot_count[2];
  bool periodic[2];
  const double (*points)[3];
  const double (*velocities)[3]; /* NULL: at rest */
  const double *weights;         /* from 2^-400 to 2^400; NULL: all 1 */
} toi_nurbs;
TOI_API void toi_nurbs_init(toi_nurbs *nurbs, size_t size); /* sets zeroes, and the size */

/* Cuts it at its knots into Bezier patches, whose `error` and `velocity_error` bound the rounding; domains say where
 * each came from. The patches are in order of u, then v; neighbours share their edges bit for bit. The errors are 0
 * where nothing needs to be computed; weights that are all equal are dropped. */
TOI_API TOI_MUST_USE toi_status toi_model_from_nurbs(toi_context *context, const toi_nurbs *nurbs, toi_model *model);

/* A bicubic Hermite patch as a Bezier patch: for corners (u, v) = (0, 0), (0, 1), (1, 0), (1, 1): position, d/du, d/dv,
 * d2/dudv, each with its velocity (NULL: at rest). */
TOI_API TOI_MUST_USE toi_status toi_model_from_hermite(toi_context *context, const double corners[4][4][3],
                                                       const double velocities[4][4][3], toi_model *model);

/* A copy of a model with all patches shifted and a velocity added (NULL: none); rounding is included in `error` and
 * `velocity_error`. */
TOI_API TOI_MUST_USE toi_status toi_model_moved(toi_context *context, const toi_model *model, const double shift[3],
                                                const double velocity[3], toi_model *moved);

/* Exact rational shapes around the origin, axis z; made of quarter circles with weights 1, 1, 2. All sizes are
 * positive; u goes around the axis, normals point outwards. The sum of a torus's radii may round, which is included in
 * `error`; a ring radius smaller than the tube's gives a torus that passes through itself. */
TOI_API TOI_MUST_USE toi_status toi_model_sphere(toi_context *context, double radius, toi_model *model);
TOI_API TOI_MUST_USE toi_status toi_model_cylinder(toi_context *context, double radius, double height,
                                                   toi_model *model); /* open, from z = -height/2 to height/2 */
TOI_API TOI_MUST_USE toi_status toi_model_torus(toi_context *context, double ring_radius, double tube_radius,
                                                toi_model *model);

/* The Utah teapot: 32 bicubic patches, z upwards, 3.15 high, mirrored at the plane y = 0; normals point outwards. */
TOI_API TOI_MUST_USE toi_status toi_model_teapot(toi_context *context, toi_model *model);

/* A model by its name: "teapot", "sphere" (of radius 1), "cylinder" (radius 1, height 2) or "torus" (radii 2 and 0.5).
 * toi_model_name() lists them; NULL after the last. */
TOI_API TOI_MUST_USE toi_status toi_model_named(toi_context *context, const char *name, toi_model *model);
TOI_API const char *toi_model_name(size_t number);

#ifdef __cplusplus
}
#endif

#endif
