/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Why a query is answered as it is: what each level of the cascade concluded, the coplanarity cubic with its proved
 * error bounds, its roots, and the inside test at each root. For people who study a single query: to learn, to debug a
 * simulation, to draw it. All numbers come from the code that decides.
 *
 * The hull. Two primitives touch at a time if and only if 0 lies in the convex hull of their corners, the differences
 * of a point of the first and a point of the second, in cyclic order: vertex-face    v - f0, v - f1, v - f2 boundary
 * segment k joins corner k and the next one edge-edge      ea0 - eb0, ea1 - eb0, ea1 - eb1, ea0 - eb1 vertex-edge    v
 * - e0, v - e1 vertex-vertex  a - b The cubic, f(t), is the determinant of the first, second and last corner at time t,
 * for vertex-face and edge-edge: it is 0 at every contact. The area of a boundary segment in the projection along an
 * axis is the two-dimensional cross product of its two corners: at a root of f, 0 is in the hull if no two areas have
 * opposite signs. docs/guarantees.md has the proofs. */

#ifndef TOI_EXPLAIN_H
#define TOI_EXPLAIN_H

#include <toi/narrow.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a level of the cascade concluded. */
typedef enum toi_outcome {
  TOI_OUTCOME_ABSENT = 0, /* there is no such level for this kind, method or separation */
  TOI_OUTCOME_SKIPPED,    /* not reached: an earlier level had decided */
  TOI_OUTCOME_OPEN,       /* it proved nothing, and passed the query on */
  TOI_OUTCOME_MISS,       /* it decided */
  TOI_OUTCOME_HIT,
  TOI_OUTCOME_NEAR
} toi_outcome;

/* "absent", "skipped", "open", "miss", "hit", "near"; NULL for an unknown outcome. */
TOI_API const char *toi_outcome_name(toi_outcome outcome);

/* The polynomial of which a time is a root. All but the first are for motions whose cubic is 0 at all times. */
typedef enum toi_root_source {
  TOI_ROOT_OF_CUBIC = 0,
  TOI_ROOT_AT_START,  /* t = 0, which is examined separately */
  TOI_ROOT_OF_AREA,   /* an area of boundary segment `element` */
  TOI_ROOT_OF_CORNER, /* a coordinate of corner `element` */
  TOI_ROOT_SOURCES
} toi_root_source;

/* "cubic", "start", "area", "corner"; NULL for an unknown source. */
TOI_API const char *toi_root_source_name(toi_root_source source);

/* A time in [0, 1] at which they may touch, decided in integers. Times are the tightest doubles; signs are exact. */
typedef struct toi_explained_root {
  double t_lo, t_hi;    /* equal if the time is a double */
  double u, v;          /* contact parameters of 0 in the plane of the hull; outside the primitive if they do not touch;
                           NaN if the hull has no area */
  double area[4];       /* of the boundary segments, in the projection along `axis`, as fractions of the hull's area (of
                           the largest one, if that is 0); relative errors at most 2^-40 within the range of doubles */
  int8_t area_sign[4];  /* -1, 0, 1; two opposite signs prove that 0 is outside */
  int8_t axis;          /* -1: all corners lie on one line through 0, and areas are 0 */
  uint8_t touching;     /* 1: contact */
  uint8_t multiplicity; /* as a root of its polynomial: 1, 2 or 3 */
  uint8_t source;       /* toi_root_source */
  uint8_t element;      /* number of the boundary segment or corner; 0 for the others */
  uint8_t first;        /* 1: the first contact in [0, 1] */
  uint8_t reserved[6];
} toi_explained_root;

/* A part of [0, 1] on which the cubic is monotone, and what the floating-point level `root` found about it. Lengths are
 * on the scaled axes: see toi_explanation.scale. */
typedef struct toi_explained_piece {
  double lo, hi;             /* the piece */
  double x;                  /* a guessed root; NaN, and all below 0, if the cubic does not change sign on the piece */
  double zone_lo, zone_hi;   /* the zone around it that is examined */
  double slope, slope_bound; /* f'(x); f' differs from it by at most slope_bound in the zone */
  double area[3][4];         /* of the boundary segments at x, by axis of projection */
  double area_bound[3];      /* an area beyond this keeps its sign in the whole zone */
  double t_lo, t_hi;         /* the bracket by the interval Newton test; 0 unless `bracketed` */
  uint8_t used;              /* 0: the piece is empty, or a contact was found before it; everything else is 0 */
  uint8_t crossing;          /* the cubic changes sign on the piece, up to rounding */
  uint8_t gap_clear;         /* proved: no root between the start of the piece and the zone */
  uint8_t steep;             /* proved: at most one root in the zone */
  uint8_t inside;            /* proved: a root of the cubic in the zone is a contact */
  uint8_t outside;           /* proved: no contact in the zone */
  uint8_t bracketed;         /* proved: a contact in [t_lo, t_hi], the first of all */
  uint8_t rest_clear;        /* proved: no root in the rest of the piece */
} toi_explained_piece;

#define TOI_EXPLAIN_PIECES 3
#define TOI_EXPLAIN_ROOTS 12

/* What the level `reduction` leaves of a query by exact comparisons. */
typedef enum toi_reduced {
  TOI_REDUCED_TO_ALL = 0, /* everything: nothing was gained */
  TOI_REDUCED_TO_NONE,    /* no corner can take part: miss */
  TOI_REDUCED_TO_CORNER,  /* contact in corner reduced_corner[0], at the start or the end */
  TOI_REDUCED_TO_SEGMENT, /* the segment between two corners, which stays in a plane perpendicular to reduced_axis */
  TOI_REDUCED_TO_PLANE,   /* a hull that stays in such a plane */
  TOI_REDUCED_NOT_ASKED   /* this level was not reached, or is absent */
} toi_reduced;

/* With a separation d > 0, box, coefficients and halves are compared beyond d; pieces and roots are those of contact
 * itself, at distance 0, as a hint where to look. */
typedef struct toi_explanation {
  toi_hit hit; /* the answer of toi_query(); hit.level is the level that decided */

  /* Level box: the least and the largest coordinate of a corner over both times, each off by one rounding; its sign is
   * exact. */
  double box_lo[3], box_hi[3];
  double separation; /* d */

  /* Level sign: the cubic's Bernstein coefficients on [0, 1], for vertex-face and edge-edge. The exact ones lie within
   * `bound` of `coefficient`, which is computed in floating point; `exact` is rounded from integers, with a relative
   * error of at most 2^-51 unless it is subnormal. NaN if cubic_defined is 0; coefficient and bound also if corners
   * overflow. */
  double size[3]; /* the largest |coordinate| of a corner on each axis: bounds are multiples of their product */
  double coefficient[4];
  double bound[4];
  double exact[4];
  double limit[4]; /* what a separation adds to the bound before a coefficient counts as positive or negative; else 0 */

  /* Level projection: the coefficients on [0, 1/2] and [1/2, 1], in the order of time, within half_bound; half_limit is
   * like limit. */
  double half[2][4];
  double half_bound, half_limit;

  /* Level root, whether or not the cascade reached it; and the integers. */
  toi_explained_piece pieces[TOI_EXPLAIN_PIECES];
  toi_explained_root roots[TOI_EXPLAIN_ROOTS]; /* root_count of them, by time; by source if cubic_zero */

  uint8_t outcomes[TOI_COUNTERS];   /* toi_outcome, by toi_level */
  int8_t coefficient_sign[4];       /* proved sign of each coefficient, beyond its bound and limit: -1, 1; 0: none */
  uint8_t box_apart[3];             /* 1: all corners are on one side, beyond d, on this axis */
  uint8_t corner_count;             /* 3, 4, 2, 1 */
  uint8_t half_clear[2];            /* why there is no contact on each half: 0 unknown, 1 + axis: two areas in that
                                       projection have opposite signs, 4: the sign of the cubic */
  uint8_t half_up[2], half_down[2]; /* those two boundary segments */
  uint8_t cubic_defined;            /* 1: vertex-face, edge-edge */
  uint8_t cubic_zero;               /* 1: it is 0 at all times, exactly: a motion in a plane, or a flat hull */
  uint8_t in_range; /* 1: floating point is used on the coordinates as they are; 0: on scaled axes, if at all */
  uint8_t root_count;
  uint8_t reduced;           /* toi_reduced */
  uint8_t reduced_axis;      /* of a segment and a plane */
  uint8_t reduced_corner[2]; /* of a corner and a segment */
  int16_t scale[3];          /* coefficients, halves and pieces are of coordinates times 2^scale on each axis */
  uint8_t scaled;            /* 1: projection or root decided on scaled axes, after the reduction */
  uint8_t padding[3];
  uint64_t reserved[8];
} toi_explanation;

/* Explains one query, given as for toi_query(), with any built-in method. If the method is not `certified`, all levels
 * but the one that answered are absent; the cubic, its pieces and its roots are the same. On failure explanation->hit
 * is the safe answer, near from 0, and everything else is 0. There is no context: temporary memory for the integers
 * comes from malloc. */
TOI_API TOI_MUST_USE toi_status toi_explain(toi_kind kind, const double (*start)[3], const double (*end)[3],
                                            const toi_options *options, toi_explanation *explanation);

#ifdef __cplusplus
}
#endif

#endif
