/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Two bodies, and the equations that their contact fulfils, enclosed over boxes of unknowns.
 *
 * Unknowns, time last:
 *   parametric-parametric   u1 v1 u2 v2 t
 *   parametric-implicit     u v t             the first body is the parametric one
 *   implicit-implicit       x y z t           in the coordinates of the first body
 * and the same where implicit bodies are Boolean shapes: boolean_pair.c.
 * All is seen from the second body: a point s of the first lies at M(t) s + D(t) there, M = R2^T R1 and
 * D = R2^T (T1 - T2).
 *
 * Equations. Contact: M s1 + D - s2 = 0; F2(M s1 + D) = 0; F1(x) = 0 and F2(M x + D) = 0. Tangency, of two surfaces
 * that are smooth around the point, with p = M s1 + D:
 *   parametric-parametric   p_u . n2 = p_v . n2 = n1 . s2_u = n1 . s2_v = 0,  n = the cross product of the tangents
 *   parametric-implicit     the derivatives of F2(p) by u and v are 0
 *   implicit-implicit       the gradients' cross product is 0
 * Incoming: two numbers that are not negative: how fast the surfaces approach along the normal, and the normals'
 * product with the sign changed.
 *
 * A stratum is what is left of a surface when some of its parameters are frozen at a real edge: a face, an edge, a
 * corner. Frozen parameters have no equation of tangency; an edge has the one along it, against a face only. */

#ifndef TOI_CONTACT_BODY_PAIR_H
#define TOI_CONTACT_BODY_PAIR_H

#include "contact/shape.h"
#include "motion/motion.h"
#include "solve/linear.h"

typedef enum toi_body_pair_kind {
  TOI_BODY_PAIR_PP = 0,
  TOI_BODY_PAIR_PI,
  TOI_BODY_PAIR_II,
  TOI_BODY_PAIR_PB, /* the second one is a Boolean shape */
  TOI_BODY_PAIR_BB  /* both are implicit, and one of them, or both, are Boolean shapes */
} toi_body_pair_kind;

/* A box of unknowns. */
typedef struct toi_box {
  toi_interval x[TOI_UNKNOWNS];
} toi_box;

/* Position and derivatives by u, v, t: p, u, v, t, uu, uv, ut, vv, vt, tt, each a vector. */
typedef struct toi_surface_jet {
  toi_interval d[TOI_JET3][3];
} toi_surface_jet;

/* A face, a rim or a vertex of a Boolean shape: the functions that are 0 there, bit i for primitive i, and a box that
 * holds it. convex: they meet in intersections alone. Of another implicit shape: all of it. */
typedef struct toi_solid_feature {
  uint32_t active;
  bool convex;
  toi_interval hull[3];
} toi_solid_feature;

/* A body as the search sees it. */
typedef struct toi_body_surface {
  const toi_shape *shape;
  const toi_motion *motion;
  const toi_shape *given;      /* of which `shape` is the straight one, or which it is itself */
  toi_interval frame[3][3];    /* how the shape is turned before it moves, if it is the straight one */
  uint32_t body, piece;        /* which one, and which of its surfaces */
  struct toi_jet_memory *jets; /* that were asked for lately, of all surfaces of the body; its first one's */
  toi_interval bounds[3];      /* of the shape, in its own coordinates */
  double centre[3], radius;
  const toi_solid_feature *features; /* of a Boolean shape; else NULL, and there is one: */
  size_t feature_count;
  toi_solid_feature whole;
  toi_solid_feature *owned; /* features that are freed with this */
  bool backwards;           /* time runs from `span` down: of shapes that do not deform */
  double span;
  bool failed; /* a function of the user's did, when it was asked this: */
  toi_interval asked[4];
  unsigned asked_order;
} toi_body_surface;

typedef struct toi_body_pair {
  toi_body_pair_kind kind;
  uint32_t body[2]; /* their numbers; the first one below may be the greater */
  toi_body_surface *surface[2];
  toi_interval window;               /* times at which they can touch at all */
  toi_interval moment;               /* the time, or times, of problems at the start */
  bool shifts;                       /* neither turns */
  bool incoming;                     /* is asked for */
  const toi_interval *shift;         /* of the first body, as the second one sees it, beside its motion; NULL: none */
  struct toi_motion_memory *motions; /* that were asked for lately, of all pairs */
} toi_body_pair;

/* One stratum of each. */
typedef struct toi_problem {
  toi_body_pair *pair;
  uint32_t frozen;                     /* bit i: unknown i has one value */
  const toi_solid_feature *feature[2]; /* of implicit bodies, where one of them is a Boolean shape */
  bool at_start;  /* the question is about one time, the pair's moment: no tangency. Where that is an interval, what is
                     refuted is so at all of its times, and what is proved to touch touches at all of them */
  toi_box domain; /* all of it */
  toi_box first;  /* where contacts can be */
} toi_problem;

/* The number of unknowns; time is the last. */
static inline size_t toi_body_pair_unknowns(const toi_body_pair *pair) {
  static const size_t unknowns[] = {5, 3, 4, 3, 4};
  return unknowns[pair->kind];
}

static inline size_t toi_body_pair_time(const toi_body_pair *pair) {
  return toi_body_pair_unknowns(pair) - 1;
}

/* Whether the unknowns are a place and the time. */
static inline bool toi_body_pair_in_space(const toi_body_pair *pair) {
  return pair->kind == TOI_BODY_PAIR_II || pair->kind == TOI_BODY_PAIR_BB;
}

/* Whether its bounds are finite. */
static inline bool toi_body_surface_is_bounded(const toi_body_surface *surface) {
  for (int k = 0; k < 3; k++)
    if (!(surface->bounds[k].lo >= -DBL_MAX && surface->bounds[k].hi <= DBL_MAX))
      return false;
  return true;
}

/* Whether the shape is the straight one of another. */
static inline bool toi_body_surface_is_turned(const toi_body_surface *surface) {
  return surface->given != NULL && surface->given != surface->shape;
}

/* Whether a place, in the coordinates of a surface, can lie within its bounds. */
bool toi_body_surface_reaches(const toi_body_surface *surface, const toi_interval place[3]);

/* The equations over a box. Rows of slopes have a column for each unknown, frozen ones too. */
typedef struct toi_system {
  size_t contact, tangency; /* rows: those of contact come first */
  toi_interval value[TOI_EQUATIONS];
  toi_interval_row slope[TOI_EQUATIONS];
  double size[TOI_EQUATIONS]; /* of tangency: its value is the cosine of an angle times at most this, rounded */
  toi_interval incoming[2];
  toi_interval sides;        /* of functions that are not 0 here: negative: no contact; positive: proved to be one */
  bool inside;               /* of solids: proved that they met before, wherever in the box they touch */
  bool vector;               /* contact: the coordinates of one vector */
  toi_interval place[3];     /* of the first surface, as the second body sees it */
  toi_interval own[3];       /* the same in its own coordinates; from order SLOPES on */
  toi_interval normal[2][3]; /* of both, not of unit length, likewise */
} toi_system;

/* Tangent planes that differ by an angle below this are taken as parallel by what discards boxes: data that were turned
 * are off by rounding, and what touches along a curve or over a region then does so up to that. */
#define TOI_PARALLEL 0x1p-40

/* The value of an equation of tangency, widened by what is taken as parallel. */
static inline toi_interval toi_system_tangency(const toi_system *system, size_t row) {
  double slack = TOI_PARALLEL * system->size[row];
  return (toi_interval){system->value[row].lo - slack, system->value[row].hi + slack};
}

/* What is asked for. Each includes those before it. */
typedef enum toi_system_order {
  TOI_SYSTEM_VALUES = 0, /* values of contact */
  TOI_SYSTEM_SLOPES,     /* and their slopes, values and sizes of tangency, incoming, normals */
  TOI_SYSTEM_ALL         /* and the slopes of tangency */
} toi_system_order;

/* False: a function of the user's gave up, or gave no interval. */
bool toi_system_at(const toi_problem *problem, const toi_box *box, toi_system_order order, toi_system *system);

/* The equations of contact over a box, with their second derivatives where these are asked for: order 1 or 2. */
typedef struct toi_expansion {
  size_t m;
  toi_interval value[3];
  toi_interval_row slope[3];
  toi_interval_row second[3][TOI_UNKNOWNS];
} toi_expansion;

/* False: as above. */
bool toi_expand(const toi_problem *problem, const toi_box *box, unsigned order, toi_expansion *e);

/* --- inside --- */

bool toi_expand_parametric(const toi_problem *problem, const toi_box *box, unsigned order, toi_expansion *e);
bool toi_expand_mixed(const toi_problem *problem, const toi_box *box, unsigned order, toi_expansion *e);
bool toi_expand_implicit(const toi_problem *problem, const toi_box *box, unsigned order, toi_expansion *e);
bool toi_expand_boolean(const toi_problem *problem, const toi_box *box, unsigned order, toi_expansion *e);
bool toi_system_parametric(const toi_problem *problem, const toi_box *box, toi_system_order order, toi_system *system);
bool toi_system_mixed(const toi_problem *problem, const toi_box *box, toi_system_order order, toi_system *system);
bool toi_system_implicit(const toi_problem *problem, const toi_box *box, toi_system_order order, toi_system *system);
bool toi_system_boolean(const toi_problem *problem, const toi_box *box, toi_system_order order, toi_system *system);

/* The shape's jets over a box, as toi_shape_jets gives them; a failure is remembered. */
bool toi_body_surface_ask(toi_body_surface *surface, const toi_interval *box, unsigned order, toi_interval *jets);
/* Remembers that an implicit one failed. */
void toi_body_surface_fail(toi_body_surface *surface, const toi_interval place[3], toi_interval t, unsigned order);
/* Jets of a parametric surface in its own coordinates; NULL: as above. Valid until the next call. */
const toi_surface_jet *toi_body_surface_jet(toi_body_surface *surface, const toi_interval uvt[3], unsigned order);
/* Of the first body's, at the stratum with these frozen parameters, as the second one sees it. */
bool toi_body_pair_jet(const toi_body_pair *pair, uint32_t frozen, const toi_interval uvt[3], unsigned order,
                       toi_surface_jet *jet);
/* The place of the first body's surface in its own coordinates. */
bool toi_body_pair_own(const toi_body_pair *pair, const toi_interval uvt[3], toi_interval own[3]);
/* The motion of a surface, that of its frame included. */
void toi_body_surface_motion(const toi_body_surface *surface, toi_interval t, unsigned order, toi_motion_jet *jet);
/* The relative motion. */
const toi_motion_jet *toi_body_pair_motion(const toi_body_pair *pair, toi_interval t, unsigned order);

/* A function of up to four unknowns, time the last: value, slopes and second derivatives. */
typedef struct toi_field {
  toi_interval value, slope[4], second[4][4];
} toi_field;
/* An implicit surface's, of x, y, z, t in its own coordinates. False: as above. */
bool toi_field_at(toi_body_surface *surface, const toi_interval place[3], toi_interval t, unsigned order, toi_field *f);
/* That function at a place with these derivatives by n unknowns; second ones in the lower half, NULL: zero. */
typedef struct toi_place_jet {
  size_t n;
  const toi_interval *first[4], *second[4][4];
} toi_place_jet;
void toi_field_along(const toi_field *f, const toi_place_jet *p, unsigned order, toi_field *g);
/* From value, slopes and second derivatives one after the other, as shapes give them. */
void toi_field_unpack(const toi_interval *jet, unsigned order, toi_field *f);
/* A place x that does not move, as a body in motion sees it, M x + D, with the columns of M and M', w_t = M' x + D' and
 * w_tt = M'' x + D'' that its derivatives by x and t are. */
typedef struct toi_seen_place {
  toi_place_jet jet;
  toi_interval column[3][3][3], by_time[3][3];
} toi_seen_place;
void toi_see_place(const toi_motion_jet *m, const toi_interval x[3], unsigned order, toi_seen_place *place);
/* As equation k of an expansion. */
void toi_expansion_row(const toi_field *f, size_t n, unsigned order, size_t k, toi_expansion *e);

/* The problems of a pair: all pairs of strata, or the one at its moment, with time in [0, t_max], of which contacts can
 * only be in its window. Gives their number; problems NULL: nothing else. */
size_t toi_body_pair_problems(toi_body_pair *pair, bool at_start, double t_max, toi_problem *problems);
/* The same of smooth surfaces, or where the features of a Boolean shape are left out. */
size_t toi_body_pair_strata(toi_body_pair *pair, bool at_start, double t_max, toi_problem *problems);

/* Narrows the times to those at which the bodies' boxes (and, with spheres, their balls) meet, to within `fine`; false:
 * they never do. */
bool toi_body_pair_window(const toi_body_pair *pair, toi_interval times, double fine, bool spheres,
                          toi_interval *window);
/* Whether they are proved to be apart at all these times. */
bool toi_body_pair_apart(const toi_body_pair *pair, toi_interval t, bool spheres);

/* The memories; freed with toi_motions_end and toi_body_surface_end, also after a failure. */
toi_status toi_motions_begin(toi_context *context, struct toi_motion_memory **motions);
void toi_motions_end(toi_context *context, struct toi_motion_memory *motions);
toi_status toi_jets_begin(toi_context *context, struct toi_jet_memory **jets);
void toi_jets_end(toi_context *context, struct toi_jet_memory *jets);
/* Forgets what is in them. */
void toi_motions_clear(struct toi_motion_memory *motions);
void toi_jets_clear(struct toi_jet_memory *jets);
toi_status toi_body_surface_begin(toi_context *context, toi_body_surface *surface);
void toi_body_surface_end(toi_context *context, toi_body_surface *surface);

#endif
