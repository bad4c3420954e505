/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* What a motion is made of: stages, one after the other.
 *
 * A wave is a stage whose matrix (R, and T as a fourth column) is C + A cos(angle) + B sin(angle), plus t times a
 * velocity in T: shifts, turns and screws, and all of these before or after constant ones, which are joined into them.
 * Its entries are enclosed as tightly as sines are. Any other stage goes from one pose to another (poses.h), or is a
 * tape that tells a quaternion and a translation. */

#ifndef TOI_MOTION_STAGE_H
#define TOI_MOTION_STAGE_H

#include "motion/motion.h"
#include "number/interval_branchless.h"
#include "number/tape.h"

/* --- waves --- */

/* constant + cosine cos(angle) + sine sin(angle). */
typedef struct toi_wave_entry {
  toi_interval constant, cosine, sine;
  bool still;   /* cosine and sine are 0 */
  bool mixed;   /* what follows says more than the intervals: nothing to gain where it is a sine or a cosine alone */
  double a, b;  /* near cosine and sine */
  double error; /* a cos + b sin, as computed, is off by no more */
  double amplitude; /* at least the root of cosine^2 + sine^2 */
} toi_wave_entry;

typedef struct toi_wave {
  toi_wave_entry entry[3][4];
  toi_interval velocity[3];
  toi_interval angle, rate; /* the angle is angle + rate t, or else: */
  toi_tape *tape;           /* of one term, the angle */
  bool turns;               /* the angle matters */
  bool plain, mixed;        /* there are entries that are not still, of either kind */
  bool identity;            /* R is the identity, exactly, at all times */
  bool in_place;            /* at t = 0 it is the identity, exactly */
  bool spins;               /* it turns about an axis in the world: by this vector for each unit of time, */
  toi_interval spin[3];
  toi_interval centre[3]; /* through this point at t = 0 */
} toi_wave;

/* A shift by shift + t velocity. */
void toi_wave_shift(const double shift[3], const double velocity[3], toi_wave *wave);

/* A screw about an axis that is not zero; everything finite. tape: NULL, or in place of angle and rate. */
void toi_wave_screw(const toi_screw *screw, toi_tape *tape, toi_wave *wave);

/* A turn about an axis through a point, which is not zero, by its length for each unit of time. */
void toi_wave_spin(const double spin[3], const double through[3], toi_wave *wave);

/* `next` after `first` as one wave: where one of them is constant, or `next` turns nothing. Otherwise false. *both may
 * be either of them; it takes the tape that matters. */
bool toi_wave_join(const toi_wave *first, const toi_wave *next, toi_wave *both);

/* Whether nothing moves or turns. */
bool toi_wave_is_constant(const toi_wave *wave);

void toi_wave_jet(const toi_wave *wave, toi_interval t, unsigned order, toi_motion_jet *jet);

/* --- all stages --- */

typedef struct toi_stage {
  toi_wave wave;  /* if there is no tape */
  toi_tape *tape; /* the quaternion w, x, y, z, if it turns, and the translation, if it moves */
  bool turns, moves;
  struct toi_poses *poses; /* or the way from one pose to another (motion/poses.h): owned */
} toi_stage;

/* What was added by one call, as it was given: stages join, and their numbers are rounded. */
typedef enum toi_motion_part_kind {
  TOI_PART_SHIFT, /* shift in `through`, velocity in `axis` */
  TOI_PART_SCREW,
  TOI_PART_SPIN, /* the rate in `axis` */
  TOI_PART_STAGE /* all of a stage that is never joined */
} toi_motion_part_kind;

typedef struct toi_motion_part {
  toi_motion_part_kind kind;
  toi_screw given;
  const toi_tape *angle; /* of a screw, in place of angle and rate; or NULL */
  size_t stage;
} toi_motion_part;

struct toi_motion {
  toi_context *context;
  toi_stage *stages; /* the first happens first */
  size_t count, capacity;
  toi_motion_part *parts; /* likewise */
  size_t part_count, part_capacity;
  toi_interval domain; /* where all its series are given */
};

/* The one wave that a motion is, of a rate that does not change; NULL: it is something else, or rest. */
const toi_wave *toi_motion_wave(const toi_motion *motion);

/* All of a public function that adds to a motion: see TOI_CALL. */
#define TOI_MOTION_CALL(motion, work)                                                                                  \
  do {                                                                                                                 \
    if (!(motion))                                                                                                     \
      return TOI_ERROR_INPUT;                                                                                          \
    TOI_CALL((motion)->context, work);                                                                                 \
  } while (0)

/* Adds a stage, joined to the one before where that can be, and the part that it is; NULL: of the kind STAGE. Takes the
 * stage's tapes and poses, also on failure. */
toi_status toi_motion_add(toi_motion *motion, const toi_stage *stage, const toi_motion_part *part);

/* Adds a stage made of terms of a formula in t; q or translation may be NULL. */
toi_status toi_motion_add_terms(toi_motion *motion, const toi_formula *formula, const toi_term *quaternion,
                                const toi_term *translation);

/* How far a component may be from its series, as toi_formula_series takes it. */
typedef struct toi_series_error {
  double of[3];
} toi_series_error;

/* Adds a stage of Chebyshev series, with errors of w, x, y, z and the translation; NULL: none. */
toi_status toi_motion_add_series(toi_motion *motion, const toi_chebyshev *series, const toi_series_error error[7]);

/* A copy of a series of the caller's, whatever its layout; fails with a sentence unless its numbers are there, and
 * finite. */
toi_status toi_chebyshev_take(toi_context *context, const toi_chebyshev *given, toi_chebyshev *taken);

/* Not zero, and: */
toi_status toi_motion_check_axis(toi_context *context, const double *axis);
/* Three finite numbers; NULL is fine if it `may_miss`. Else a sentence that names them. */
toi_status toi_motion_check_vector(toi_context *context, const char *name, const double *vector, bool may_miss);

/* The quaternion's |q|^2 over a time; the stage turns. */
toi_interval toi_stage_length(const toi_stage *stage, toi_interval t);

void toi_stage_jet(const toi_stage *stage, toi_interval t, unsigned order, toi_motion_jet *jet);

/* The rotation of a quaternion of any length but 0, from its components and their derivatives; as Taylor models. */
void toi_quaternion_jet(const toi_interval q[4][3], unsigned order, toi_motion_jet *to);
void toi_quaternion_taylor(const toi_taylor_space *space, const toi_taylor q[4], toi_taylor rotation[3][3]);

/* --- products of jets --- */

/* a b. Factors of 0, 1 and -1, which are many, cost little. */
static inline toi_interval toi_times(toi_interval a, toi_interval b) {
  if (a.lo == a.hi) {
    if (a.lo == 0)
      return a;
    if (a.lo == 1)
      return b;
    if (a.lo == -1)
      return toi_interval_neg(b);
  }
  return b.lo == 0 && b.hi == 0 ? b : toi_branchless_mul(a, b);
}

/* sum + a b. */
static inline toi_interval toi_plus_product(toi_interval sum, toi_interval a, toi_interval b) {
  return toi_branchless_add(sum, toi_times(a, b));
}

/* An entry of a rotation lies in [-1, 1]. */
static inline toi_interval toi_rotation_entry(toi_interval a) {
  toi_interval common = {-1, 1};
  return toi_interval_intersect(a, common, &common) ? common : (toi_interval){-1, 1};
}

/* What `next` makes of the motion so far. */
void toi_motion_jet_after(const toi_motion_jet *next, unsigned order, toi_motion_jet *jet);

#endif
