/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Shapes as the search sees them: functions that enclose themselves and their derivatives over a box. */

#ifndef TOI_CONTACT_SHAPE_H
#define TOI_CONTACT_SHAPE_H

#include "contact/patch_nets.h"
#include "number/interval.h"
#include "number/tape.h"

#include <toi/contact.h>

/* A jet by u, v, t: value, u, v, t, uu, uv, ut, vv, vt, tt. */
#define TOI_JET3 10
/* A jet by x, y, z, t: value, x, y, z, t, xx, xy, xz, xt, yy, yz, yt, zz, zt, tt. */
#define TOI_JET4 15

struct toi_shape {
  toi_context *context;
  bool implicit;
  bool solid;
  bool deforming;             /* it depends on time */
  bool triangle;              /* parametric: the tape is over a triangle, shape_triangle.c */
  uint32_t edges;             /* parametric: the real ones */
  uint32_t stops;             /* and those of the others beyond which it is not known to be the surface again */
  toi_interval domain[2];     /* parametric: u and v */
  toi_interval bounds[3];     /* implicit: where to look, as given */
  double reach;               /* known: no farther from the origin; infinite: nothing is said */
  bool known;                 /* of the library: it closes where it says so, and is not inside out */
  const char *const *parts;   /* what sentences call its terms */
  struct toi_shape *straight; /* the same in axes of its own, or NULL: shape_frame.h; it belongs to this one, and so */
  toi_motion *frame;          /* does what takes its points to those of this one, a turn */
  toi_tape *tape;             /* or: */
  toi_enclose enclose;
  void *user;
  toi_patch_nets *nets;        /* or: a patch */
  bool joins;                  /* which is one of several, so that its edges may be those of others */
  struct toi_joints *joints;   /* a solid of several faces, and each of them: how they join, solid.h */
  const struct toi_face *face; /* one of these faces */
  /* or: patches or faces, each a shape of its own, in one block with this one, which has none of the above */
  struct toi_shape *pieces;
  size_t piece_count;
  struct toi_boolean_tree *boolean; /* or: copies of other shapes */
};

/* What every maker does first: fails unless there are a context, a description, of this name, and a place for the
 * shape.
 */
toi_status toi_shape_begin(toi_context *context, const void *description, const char *name, toi_shape **shape);

/* Of patches that the library knows in full: their pieces. *shape is to be destroyed, also on failure. */
toi_status toi_shape_make_pieces(toi_context *context, const toi_model *model, toi_shape **shape);

/* "u in [0, 1], v in ...", or "u = 0.5, v = ..." for the middle. */
#define TOI_PLACE_SIZE 240
void toi_shape_name_place(const toi_shape *shape, const toi_interval *box, bool middle, char text[TOI_PLACE_SIZE]);

/* parametric: jets[3][TOI_JET3] by u, v, t, of which `order` says how many each; densely packed as of that order, so
 * that component k begins at jets + k TOI_JET_SIZE(3, order). implicit: one jet by x, y, z, t. False: a function of the
 * user's gave up, or gave no interval. */
bool toi_shape_jets(const toi_shape *shape, const toi_interval *box, unsigned order, toi_interval *jets);

/* Taylor models of its terms, from those of its variables; not of a function of the user's. registers: as many models
 * as the next function says. */
void toi_shape_taylor(const toi_shape *shape, const toi_taylor_space *space, const toi_taylor *variables,
                      toi_taylor *registers, toi_taylor *terms);
size_t toi_shape_taylor_registers(const toi_shape *shape);

/* The same of a tape over a triangle, seen as a square; false: the tape is not proved to be defined there. */
bool toi_triangle_jets(const toi_shape *shape, const toi_interval box[3], unsigned order, toi_interval *jets);
void toi_triangle_taylor(const toi_shape *shape, const toi_taylor_space *space, const toi_taylor *variables,
                         toi_taylor *registers, toi_taylor *terms);

/* After toi_shape_jets was false: asks once more, writes the sentence, and returns a failure in any case. */
toi_status toi_shape_explain(const toi_shape *shape, const toi_interval *box, unsigned order, const char *what);

/* Once a question, for times [0, t_max]: fails with a sentence unless the shape is defined and finite over its domain;
 * tells a box and a ball that hold it then (infinite where there is none); a solid that is inside out is refused.
 * `what` begins the sentence, such as "bodies[1].shape". */
toi_status toi_shape_check(const toi_shape *shape, double t_max, const char *what, toi_interval bounds[3],
                           double centre[3], double *radius);

/* The edges that samples at t = 0 show to be a single point, or that cannot be told. */
uint32_t toi_shape_poles(const toi_shape *shape);

/* x, y, z of a profile (radius, height) turned about z, once as the first variable goes from 0 to 1. */
void toi_shape_turn_profile(toi_formula *formula, const toi_term profile[2], toi_term at[3]);

/* Three times the volume between the surface and c, the integral of (S - c) . (S_u x S_v), times the square of
 * `pieces`, and the same of what is integrated taken positive: about, from so many pieces along u and along v. */
toi_status toi_shape_volume(const toi_shape *shape, const double c[3], int pieces, const char *what, double sums[2]);

/* A part of it, for parametric shapes whose values are finite: fails where samples show that an edge is no seam, or
 * that a solid is open or inside out. */
toi_status toi_shape_check_seams(const toi_shape *shape, double t_max, const char *what);

#endif
