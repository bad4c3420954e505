/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Any moving surface: parametric S(u, v, t) and implicit F(x, y, z, t), in rigid motion or deforming. When do they
 * first touch in [0, t_max], and where: at isolated points, along curves, over regions.
 *
 * Vocabulary. A shape is a surface in its own coordinates; a body is a shape with a motion. A shape that bounds a solid
 * has an outward normal: S_u x S_v, or the gradient of F, which is negative inside. Contact of two solids is contact
 * from outside: with `incoming` (the default for two solids) a contact does not count if the normals do not oppose each
 * other or the surfaces move apart, so a ball inside a hollow ball never touches it. The edges of a parametric surface
 * that is not closed belong to it.
 *
 * Surfaces that intersect at t = 0 are a hit at 0, with points of the intersection.
 *
 * With more than two bodies all pairs are searched, except pairs of resting bodies if others move. With more than eight
 * bodies the context's threads share the pairs; verdict, bracket and contacts do not depend on the number of threads,
 * counters may.
 *
 * Promise: a miss and a hit are proved. `near` is neither, and nothing touches before its t_lo. Every call ends within
 * its budget of boxes and its memory. A contact with the certificate `unique` is proved to be the only one nearby;
 * others are samples, at least `spacing` apart, such that no contact is farther than 2 `spacing` plus a box from a
 * sample. */

#ifndef TOI_CONTACT_H
#define TOI_CONTACT_H

#include <toi/formula.h>
#include <toi/motion.h>
#include <toi/narrow.h>
#include <toi/surface.h>

#ifdef __cplusplus
extern "C" {
#endif

/* --- shapes --- */

typedef struct toi_shape toi_shape;

/* The edges of the rectangle over which a parametric surface is defined. An edge that is not named is a seam: the
 * surface continues smoothly beyond it, as where a cylinder closes and at the poles of a sphere, and so does the
 * formula: a little beyond a seam it gives points of the same surface again, or is undefined. Beyond poles it is not
 * used. */
enum {
  TOI_EDGE_U_LO = 1,
  TOI_EDGE_U_HI = 2,
  TOI_EDGE_V_LO = 4,
  TOI_EDGE_V_HI = 8,
  TOI_EDGES_U = 3,
  TOI_EDGES_V = 12,
  TOI_EDGES = 15,
  TOI_TRIANGLE = 16 /* no edge: the formula is drawn over the triangle with the corners (u.lo, v.lo), (u.hi, v.lo) and
                       (u.lo, v.hi) of its rectangle, over all of which it is defined. All its edges are real. Answers
                       tell s and v, where u = u.lo + (s - u.lo) (v.hi - v) / (v.hi - v.lo) */
};

/* Terms of a formula in u, v, t. The shape copies what it needs; the formula stays the caller's. */
typedef struct toi_parametric {
  size_t size; /* sizeof(toi_parametric); 0: the first layout */
  const toi_formula *formula;
  toi_term at[3];    /* x, y, z */
  toi_interval u, v; /* finite */
  uint32_t edges;    /* real edges: TOI_EDGES for an open patch, 0 for a closed surface */
  bool solid;        /* closed, and S_u x S_v points outwards */
} toi_parametric;
TOI_API void toi_parametric_init(toi_parametric *parametric, size_t size); /* sets zeroes, and the size */
/* A surface given by formulas. On failure *shape is NULL. */
TOI_API TOI_MUST_USE toi_status toi_shape_parametric(toi_context *context, const toi_parametric *parametric,
                                                     toi_shape **shape);

/* A term of a formula in x, y, z, t. Contacts are searched within the bounds. Bounds are not edges: if they cut the
 * surface, contact that begins outside and moves in is not found, so they must contain everything that may be touched.
 */
typedef struct toi_implicit {
  size_t size; /* sizeof(toi_implicit); 0: the first layout */
  const toi_formula *formula;
  toi_term function;
  toi_interval bounds[3]; /* finite; or all of them the whole line, for surfaces that meet a bounded one */
  bool solid;             /* negative inside */
} toi_implicit;
TOI_API void toi_implicit_init(toi_implicit *implicit, size_t size); /* sets zeroes, and the size */
/* A surface given as the zeros of a formula. On failure *shape is NULL. */
TOI_API TOI_MUST_USE toi_status toi_shape_implicit(toi_context *context, const toi_implicit *implicit,
                                                   toi_shape **shape);

/* A function of the caller. It encloses value (order 0), gradient (1) and second derivatives (2) over a box, in the
 * layout of toi_formula_bounds(): for a parametric surface the jets of x, y, z by u, v, t, one after the other; for an
 * implicit surface that of F by x, y, z, t. Returning false gives up, and the call fails with TOI_ERROR_CALLBACK, as it
 * does for NaN and lo > hi. Called from the calling thread, in the default floating-point state. */
typedef bool (*toi_enclose)(void *user, const toi_interval *box, unsigned order, toi_interval *jets);

/* parametric (or implicit) gives the other properties; its formula is NULL. The other pointer is NULL. */
TOI_API TOI_MUST_USE toi_status toi_shape_own(toi_context *context, toi_enclose enclose, void *user,
                                              const toi_parametric *parametric, const toi_implicit *implicit,
                                              toi_shape **shape);

/* The library of shapes, around the origin, axis z. Sizes are positive. Cylinders, cones and bumpy spheres have no
 * implicit form, superquadrics no parametric form; requesting it is TOI_ERROR_UNSUPPORTED. Parameters go from 0 to 1.
 */
typedef enum toi_shape_form {
  TOI_SHAPE_FORM_DEFAULT = 0, /* implicit for planes, spheres, ellipsoids and superquadrics, parametric for the rest */
  TOI_SHAPE_FORM_PARAMETRIC,
  TOI_SHAPE_FORM_IMPLICIT
} toi_shape_form;

typedef enum toi_shape_kind {
  TOI_SHAPE_PLANE = 0,    /* z = 0, solid below. Implicit: all of it, no sizes. Parametric: size[0] by size[1], open */
  TOI_SHAPE_SPHERE,       /* size[0] radius */
  TOI_SHAPE_ELLIPSOID,    /* size[0..2] half axes */
  TOI_SHAPE_CYLINDER,     /* size[0] radius, size[1] height, from -size[1]/2; open at both ends */
  TOI_SHAPE_CONE,         /* size[0] radius at z = 0, size[1] height of the apex, v = 1; open below */
  TOI_SHAPE_TORUS,        /* size[0] radius of the ring, size[1] of the tube, which is smaller */
  TOI_SHAPE_SUPERQUADRIC, /* size[0..2] half axes, size[3], size[4] exponents e1 (along z) and e2, 0.01 to 2: 1, 1 an
                             ellipsoid */
  TOI_SHAPE_BUMPY_SPHERE, /* size[0] radius, size[1] height h of the bumps, |h| < 1, size[2], size[3] their numbers a,
                             any, and b, even: radius (1 + h cos(a pi u) sin(pi u)^2 cos(b pi v)), u down, v around */
  TOI_SHAPE_BOX,          /* size[0..2] lengths along x, y, z; a solid of several faces, as those with "capped" */
  TOI_SHAPE_CAPPED_CYLINDER, /* size[0] radius, size[1] height, from -size[1]/2 */
  TOI_SHAPE_CAPSULE,     /* size[0] radius, size[1] height of the cylinder between the half balls; implicit, smooth */
  TOI_SHAPE_CAPPED_CONE, /* size[0] radius at z = 0, size[1] height of the tip */
  TOI_SHAPE_WEDGE,       /* half of a box of these lengths, where x/size[0] + y/size[1] <= 0 */
  TOI_SHAPE_KIND_COUNT
} toi_shape_kind;
/* A shape of the library in one of its forms. size: toi_shape_kind_sizes(kind) numbers. On failure *shape is NULL. */
TOI_API TOI_MUST_USE toi_status toi_shape_library(toi_context *context, toi_shape_kind kind, toi_shape_form form,
                                                  const double *size, toi_shape **shape);
/* "plane" and so on, and its number of sizes; NULL and 0 for an unknown kind. */
TOI_API const char *toi_shape_kind_name(toi_shape_kind kind);
TOI_API size_t toi_shape_kind_sizes(toi_shape_kind kind);

/* A profile (radius, height) given by formulas in v and t, v in [v.lo, v.hi], rotated about z. edges: the real ones of
 * TOI_EDGES_V (a profile that ends on the axis at a right angle has none). solid: the outside is to the right of the
 * profile as v grows. */
TOI_API TOI_MUST_USE toi_status toi_shape_revolution(toi_context *context, const char *radius, const char *height,
                                                     toi_interval v, uint32_t edges, bool solid, toi_shape **shape);

/* --- solids of several faces: their edges and vertices can touch too, in any of the six situations --- */

/* A polygon in x and y, extruded along z from -height/2 to height/2. Its corners are given in either direction; each
 * side must meet only the next one, and the polygon must turn at each corner; anything else is TOI_ERROR_INPUT. */
TOI_API TOI_MUST_USE toi_status toi_shape_prism(toi_context *context, const double (*polygon)[2], size_t count,
                                                double height, toi_shape **shape);

/* A profile of straight segments through these points (radius, height), rotated about z. If it ends where it begins it
 * is a ring; otherwise its ends lie on the axis, or flat ends are added to close it. It must not meet itself or the
 * axis elsewhere, and must turn at each point. */
TOI_API TOI_MUST_USE toi_status toi_shape_turned(toi_context *context, const double (*points)[2], size_t count,
                                                 toi_shape **shape);

/* Faces that are given, joined into one solid along the edges that they have in common. */
typedef struct toi_faces {
  size_t size; /* sizeof(toi_faces); 0: the first layout */
  size_t count;
  const toi_shape *const *shapes; /* open parametric shapes by formulas, and patches, of which each is a face; copied */
  const void *trim;               /* NULL: kept for trimming curves, which are refused for now */
  double tolerance;               /* how far apart edges that belong together may be; 0: 1e-6 */
} toi_faces;
TOI_API void toi_faces_init(toi_faces *faces, size_t size); /* zeroes, the size, and a tolerance of 1e-6 */
/* The solid. S_u x S_v points outwards on each face, which does not deform. Each real edge is that of exactly one other
 * face (or of another end of its own), both running evenly through it in the same or in opposite directions; one that
 * is a single point is a tip. How far such edges are apart at most is proved, and refused where it is more than the
 * tolerance; the edge is as thick as that then, and the solid is closed there in any way that is no thicker. Patches of
 * one model are joined like others. What is not a solid is TOI_ERROR_INPUT, with the numbers of the faces. */
TOI_API TOI_MUST_USE toi_status toi_shape_faces(toi_context *context, const toi_faces *faces, toi_shape **shape);

/* (u, v, z): z a formula in u, v, t. Open. */
TOI_API TOI_MUST_USE toi_status toi_shape_height_field(toi_context *context, const char *height, toi_interval u,
                                                       toi_interval v, toi_shape **shape);

/* The patches of a model, as one body: Bezier and NURBS surfaces. All of them are copied. Each patch is defined over
 * the square of its parameters, [0, 1] x [0, 1]; a triangle's u and v are s (1 - t) and t of its square. Its four edges
 * are real: contact is with a surface, not with a solid, from either side. Degrees are at least 1.
 *
 * Patches with an `error` stand for surfaces whose control points are within it of those given, and whose weights are
 * within 2 error / D of theirs, where D is the largest extent of the control points along an axis. Models made by this
 * library are such patches. */
TOI_API TOI_MUST_USE toi_status toi_shape_patches(toi_context *context, const toi_model *model, toi_shape **shape);

/* Boolean shapes: solids that are unions, intersections and differences of implicit ones. */
typedef enum toi_boolean_operation {
  TOI_BOOLEAN_UNION = 0,
  TOI_BOOLEAN_INTERSECTION,
  TOI_BOOLEAN_DIFFERENCE /* the first operand minus the others */
} toi_boolean_operation;
TOI_API const char *toi_boolean_operation_name(toi_boolean_operation operation); /* "union" and so on; NULL: unknown */

typedef struct toi_body toi_body;

/* operands: two or more implicit solids, placed by motions that do not depend on time, or Boolean shapes; the shape
 * holds them, so they may be destroyed. There are at most 16 primitives in all, and 5 nested operations. A function
 * counts wherever the shape is searched, even beyond the bounds of its own shape. bounds: the region of the search, in
 * addition to what follows from the operands; {0, 0} each: nothing else. Everything that may be touched must lie within
 * finite bounds.
 *
 * The solid is where the expression of minima (union) and maxima (intersection) is not positive. Its rims, where two
 * primitives meet, and vertices, where three meet, are found and proved like faces; surfaces inside the solid do not
 * count. Operands should overlap or be apart: a common face of two operands is inside the union, but not proved so. */
typedef struct toi_boolean {
  size_t size; /* sizeof(toi_boolean); 0: the first layout */
  toi_boolean_operation operation;
  size_t count;
  const toi_body *operands;
  toi_interval bounds[3];
} toi_boolean;
TOI_API void toi_boolean_init(toi_boolean *boolean, size_t size); /* sets zeroes, and the size */
/* The union, intersection or difference of solids. On failure *shape is NULL. */
TOI_API TOI_MUST_USE toi_status toi_shape_boolean(toi_context *context, const toi_boolean *boolean, toi_shape **shape);

/* The number of surfaces of a shape: the patches of a model, the faces of a solid, 1 for any other shape; and one of
 * them, which belongs to the shape (NULL: there is none). */
TOI_API size_t toi_shape_pieces(const toi_shape *shape);
TOI_API const toi_shape *toi_shape_piece(const toi_shape *shape, size_t number);

TOI_API void toi_shape_destroy(toi_shape *shape); /* NULL is ignored */

/* A point of a parametric shape in its own coordinates, rounded, and its unit normal (zero if there is none). */
TOI_API TOI_MUST_USE toi_status toi_shape_point(const toi_shape *shape, double u, double v, double t, double point[3],
                                                double normal[3]);

/* Whether a point of the rectangle belongs to the surface: false outside the outline of a flat face that is cut out of
 * its plane, such as the end of a cylinder; also for NULL, implicit shapes and shapes of several pieces. */
TOI_API bool toi_shape_holds(const toi_shape *shape, double u, double v);

/* The domain of a shape. */
typedef struct toi_extent {
  bool implicit, solid;
  uint32_t edges;         /* parametric: the real ones */
  toi_interval u, v;      /* parametric */
  toi_interval bounds[3]; /* implicit: as given */
  uint64_t reserved[4];   /* zero */
} toi_extent;
/* The extent of a shape, as it was given. */
TOI_API toi_extent toi_shape_extent(const toi_shape *shape);

/* The function of an implicit shape at a point of its own coordinates, rounded, and the unit normal there (zero if
 * there is none). */
TOI_API TOI_MUST_USE toi_status toi_shape_value(const toi_shape *shape, const double point[3], double t, double *value,
                                                double normal[3]);

/* --- the search --- */

/* Set the size of the first element of an array: it is the stride. */
struct toi_body {
  size_t size; /* sizeof(toi_body); 0: the first layout */
  const toi_shape *shape;
  const toi_motion *motion; /* NULL: at rest */
};
TOI_API void toi_body_init(toi_body *body, size_t size); /* sets zeroes, and the size */

/* Which box is processed next. */
typedef enum toi_contact_order {
  TOI_CONTACT_LOWER = 0, /* the one whose time begins first: fewest boxes for isolated contacts */
  TOI_CONTACT_UPPER,     /* the one whose time ends first */
  TOI_CONTACT_RACE       /* both alternate, on separate queues with a common bound; the first to end answers */
} toi_contact_order;

/* How a box is shrunk. */
typedef enum toi_contact_newton {
  TOI_NEWTON_LINEAR = 0, /* the interval linear equation: row by row, and by the interval inverse */
  TOI_NEWTON_KRAWCZYK,   /* the operator of Krawczyk and Moore */
  TOI_NEWTON_NONE        /* only split */
} toi_contact_newton;

typedef enum toi_incoming { TOI_INCOMING_AUTO = 0, TOI_INCOMING_OFF, TOI_INCOMING_ON } toi_incoming;

typedef struct toi_contact_options {
  size_t size;             /* set by toi_default_contact_options() */
  double t_max;            /* >= 0, finite: the call covers [0, t_max]; 0: the start only; 1 */
  double tolerance;        /* > 0: pieces of both surfaces smaller than this distance count as touching without a proof
                              (near); 1e-6 */
  double simultaneity;     /* > 0: contacts up to this time after the first are reported; 1e-6 */
  double spacing;          /* > 0: the distance of samples on curves and regions of contact; 0.1 */
  toi_incoming incoming;   /* AUTO: for two solids; ON: others are refused */
  toi_contact_order order; /* TOI_CONTACT_LOWER */
  toi_contact_newton newton; /* TOI_NEWTON_LINEAR */
  bool tangency;             /* these may be switched off to measure their effect; the answer stays right */
  bool mean_value;           /* enclosures centred in the box, besides the plain ones; LINEAR always has them */
  bool spheres;              /* a bound on the time from bounding spheres */
  bool guesses;              /* contacts found by Newton's method in floating point and then proved */
  bool polish;               /* proved contacts are refined to the last digits */
  bool clearance;            /* Taylor models separate surfaces a small gap apart, if both are formulas */
  uint64_t max_boxes;        /* 0: 2,000,000 */
  double max_seconds;        /* 0: no limit. A search that it ends is `near` or `hit`, and may differ between runs */
  bool (*progress)(void *user, double done); /* NULL: none. From the calling thread, done in [0, 1]; false: stop */
  void *progress_user;
} toi_contact_options;

/* Sets the defaults, for languages that cannot call inline functions; size: sizeof(toi_contact_options). */
TOI_API void toi_contact_options_init(toi_contact_options *options, size_t size);

/* The defaults of all fields; change the ones you need. */
static inline toi_contact_options toi_default_contact_options(void) {
  toi_contact_options options;
  toi_contact_options_init(&options, sizeof options);
  return options;
}

typedef enum toi_contact_certificate {
  TOI_CONTACT_UNIQUE = 0, /* proved: a contact, and the only one in a box around it */
  TOI_CONTACT_SINGULAR    /* a contact on a curve, in a region, or one that only grazes */
} toi_contact_certificate;
TOI_API const char *toi_contact_certificate_name(toi_contact_certificate certificate); /* "unique", "singular" */

typedef struct toi_contact_point {
  uint32_t a, b; /* the bodies, a < b */
  toi_contact_certificate certificate;
  bool proved;        /* the surfaces are proved to touch within `error` of the point, at a time in [t_lo, t_hi] */
  uint8_t padding[3]; /* zero */
  double t_lo, t_hi;
  double point[3];
  double error;                    /* proved contacts: bounds the error of the point. Others: the tolerance reached */
  double normal_a[3], normal_b[3]; /* unit, of each surface there; zero if there is none */
  double parameters_a[2], parameters_b[2]; /* u, v; NaN for implicit surfaces */
  uint32_t patch_a, patch_b;               /* the patch of a model, or the face of a solid; 0 for other shapes */
  uint64_t reserved[3];                    /* zero */
} toi_contact_point;

/* Why a search ended. */
typedef enum toi_contact_end {
  TOI_CONTACT_DONE = 0, /* every box was decided */
  TOI_CONTACT_BOXES,    /* max_boxes */
  TOI_CONTACT_SECONDS,  /* max_seconds */
  TOI_CONTACT_MEMORY    /* the context's budget */
} toi_contact_end;
TOI_API const char *toi_contact_end_name(toi_contact_end end); /* "done", "boxes", "seconds", "memory" */

/* Whether a point or body is inside a solid. Yes and no are proved. */
typedef enum toi_inside { TOI_INSIDE_NO = 0, TOI_INSIDE_YES, TOI_INSIDE_UNKNOWN } toi_inside;
TOI_API const char *toi_inside_name(toi_inside inside); /* "no", "yes", "unknown"; NULL for other numbers */

typedef struct toi_contact_answer {
  toi_verdict verdict;
  toi_contact_end end;
  double t_lo, t_hi;        /* as in toi_hit; infinite for a miss */
  double t_safe;            /* strictly before contact, 0 if they touch at 0; t_max for a miss */
  bool touching_at_start;   /* proved: they touch at t = 0 */
  double tolerance_reached; /* of a near: how close they are known to come; infinite if a budget ran out */
  size_t contacts;          /* the number of contacts found */
  uint64_t boxes;           /* processed */
  uint64_t pairs, culled;   /* of bodies; those decided by boxes and spheres alone */
  double seconds;
  toi_inside inside_at_start; /* yes: at t = 0 a point of one body lies in another's solid; no: none does. It does not
                                 affect the contacts. Pairs that rest while others move are left out. */
  uint8_t padding[4];         /* zero */
  uint64_t reserved[7];       /* zero */
} toi_contact_answer;

/* Return TOI_OK to continue; any other status ends the call, which returns it. Called from the calling thread. */
typedef toi_status (*toi_contact_visitor)(void *user, const toi_contact_point *contact);

/* The first contact of any two of the bodies. visit (NULL: contacts are only counted) is called for each contact at the
 * end of the search, ordered by bodies and then by time; if it ends the call, the answer stays valid. On failure the
 * answer is the safe one: near, from 0. */
TOI_API TOI_MUST_USE toi_status toi_contact(toi_context *context, const toi_body *bodies, size_t count,
                                            const toi_contact_options *options, toi_contact_answer *answer,
                                            toi_contact_visitor visit, void *user);

/* Whether a point of the world lies in a solid at the time t, finite and not negative: by the sign of an implicit
 * solid's function, or by the crossings of a ray with a closed parametric surface or the faces of a solid. Unknown on
 * the surface, very close to it, and if every ray that is tried grazes. Shapes that are not solids are refused. */
TOI_API TOI_MUST_USE toi_status toi_contact_inside(toi_context *context, const toi_body *body, double t,
                                                   const double point[3], toi_inside *inside);

/* --- contacts over time --- */

/* A time during which the surfaces of two bodies touch: from begin to end, each known to lie in [lo, hi]. */
typedef struct toi_contact_interval {
  uint32_t a, b;             /* the bodies, a < b */
  double begin_lo, begin_hi; /* 0, 0: they touch at the start */
  double end_lo, end_hi;     /* t_max, t_max: they still touch at the end */
  bool proved; /* they touch at all times from begin_hi to end_lo, except for `doubt`; if begin_hi is later than end_lo,
                  at some time in [begin_lo, end_hi]. False: it is not known whether they touch in [begin_lo, end_hi] */
  uint8_t padding[7]; /* zero */
  double doubt; /* the total time between begin_hi and end_lo in which it is not proved that they touch: just after
                   they begin, just before they end, and where they may part for a moment */
  uint64_t reserved[4]; /* zero */
} toi_contact_interval;

typedef struct toi_contact_history {
  uint64_t pairs, touching; /* of bodies; pairs with an interval */
  uint64_t intervals, open; /* of all pairs; intervals that are not proved */
  uint64_t boxes;           /* processed */
  double resolution;        /* shorter times were not halved */
  bool complete;            /* neither boxes, seconds nor memory ended a search */
  uint8_t padding[7];       /* zero */
  double seconds;
  uint64_t reserved[8]; /* zero */
} toi_contact_history;

/* Return TOI_OK to continue; any other status ends the call, which returns it. Called from the calling thread. */
typedef toi_status (*toi_contact_interval_visitor)(void *user, const toi_contact_interval *interval);

/* For each pair of bodies the intervals of time, in [0, t_max], in which their surfaces touch or intersect, from either
 * side: `incoming` plays no part. Ordered by bodies, then by time. Promise: outside the intervals of a pair, from
 * begin_lo to end_hi, its surfaces are proved not to touch. A begin is found as a first contact, an end as a first
 * contact with time reversed, with brackets as narrow as these have; but ends of shapes that deform are only as narrow
 * as the resolution, the simultaneity or a 4,096th of t_max. max_boxes is per pair. Surfaces that rest on each other
 * without crossing are left open. Pairs and threads are as for toi_contact(). On failure the history is all zero. */
TOI_API TOI_MUST_USE toi_status toi_contact_intervals(toi_context *context, const toi_body *bodies, size_t count,
                                                      const toi_contact_options *options, toi_contact_history *history,
                                                      toi_contact_interval_visitor visit, void *user);

#ifdef __cplusplus
}
#endif

#endif
