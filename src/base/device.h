/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* How the rooms above `device` reach a device: a table of functions, which that room fills in.
 *
 * The device joins two lists of blocks of eight boxes, as the tree of `broad` has them, refutes what it can by the
 * contact filter of `narrow`, and hands the other pairs to the caller. */

#ifndef TOI_BASE_DEVICE_H
#define TOI_BASE_DEVICE_H

#include <toi/device.h>

#include <stdatomic.h>

#include "base/internal.h"

/* A device that was opened: its own room's. */
typedef struct toi_device toi_device;

/* What the context's options say of it. */
typedef struct toi_device_request {
  char name[128];         /* "" or "cpu": none */
  uint64_t memory, queue; /* bytes; 0: the default */
} toi_device_request;

#define TOI_DEVICE_LANES 8

/* A pair that a device left open, by places in the order of the sides. */
typedef struct toi_device_pair {
  uint32_t target, query; /* the top bit of `query` marks boxes that touch without overlapping strictly */
} toi_device_pair;
#define TOI_DEVICE_TIE 0x80000000u

/* One side of a join: blocks of eight primitives; in the last one places may be empty. */
typedef struct toi_device_side {
  size_t count;             /* primitives, below 2^31 */
  size_t blocks;            /* of them */
  unsigned points;          /* vertices of a primitive: 1, 2 or 3 */
  const float *boxes;       /* 6 x 8 of each block: lo x y z, -hi x y z; NaN where a place is empty */
  const uint32_t *vertices; /* points x 8 of each block */
} toi_device_side;

/* The coordinates of the vertices for the contact filter: see narrow/float_mesh.h. */
typedef struct toi_device_floats {
  const float *high, *low; /* rows of 8; high NULL: nothing is refuted; low NULL: all are 0 */
  float coarse[3], fine[3];
  bool fine_first;
} toi_device_floats;

/* How many pairs the device refuted: by box, sign and projection. */
typedef struct toi_device_counts {
  uint64_t by_box, by_sign, by_projection;
} toi_device_counts;

/* Which pairs of blocks were handed on when a device was lost: those of a target block before `target_begin`, and of
 * one before target_end with a query block before `query`, or with that one and a target block before `target`. */
typedef struct toi_device_done {
  size_t target_begin, target_end, query, target;
} toi_device_done;

typedef struct toi_device_join {
  toi_device_side query, target; /* the same twice in a self join, which gives pairs of query place < target place */
  bool self;
  bool ties;      /* floats do not decide alone: pairs that touch without overlapping strictly are left open, marked */
  bool of_points; /* boxes are those of the coordinates in `floats` */
  bool sweep;     /* by sweep and tiniest queue instead of a tree: blocks are in the order of their lower ends ... */
  unsigned axis;  /* ... along this axis */
  toi_device_floats floats;

  /* With floats, where only the earliest contact is asked for: pairs that touch nowhere up to this time may be left
   * out, counted as refuted by box. May fall while the join runs; NULL: none. */
  const _Atomic double *limit;

  /* Some open pairs, sorted, and what was refuted beside them; on the calling thread. Each pair comes once. */
  toi_status (*take)(void *user, const toi_device_pair *pairs, size_t count, const toi_device_counts *counts);
  void *user;

  /* The outcome. */
  bool lost; /* the device failed: what is not in `done` is still to be done */
  toi_device_done done;
} toi_device_join;

/* --- intervals: the method `interval-queue` (narrow/interval_device.c) --- */

/* A query's row of floats: p, a and b at the start, then at the end, x y z each; then these. device/intervals.cl has
 * the same. */
#define TOI_DEVICE_ROW 32
#define TOI_DEVICE_ROW_END 9
#define TOI_DEVICE_ROW_FILTER 18
#define TOI_DEVICE_ROW_REACH 21
#define TOI_DEVICE_ROW_KAPPA 24
#define TOI_DEVICE_ROW_BALL 27
#define TOI_DEVICE_ROW_TOLERANCE 28

/* Bits of `flags`. */
#define TOI_DEVICE_WITH_TIME 1u
#define TOI_DEVICE_WITH_U 2u
#define TOI_DEVICE_WITH_V 4u
#define TOI_DEVICE_TRIANGLE 8u
#define TOI_DEVICE_NO_ZERO 16u

/* An interval: for t, u and v, the halvings of its width above, the number of that width where it begins below. */
#define TOI_DEVICE_HALVINGS_SHIFT 24
typedef struct toi_device_box {
  uint32_t query, at[3];
} toi_device_box;

typedef struct toi_device_search {
  const float *rows;
  size_t count;
  uint32_t flags, most_checks;

  /* What was found of some queries, in any order, the earliest of each among it. A query of which nothing is handed on
   * touches nothing. */
  void (*take)(void *user, const toi_device_box *found, size_t count);
  /* A query that fills a queue alone: it is still to be answered. */
  void (*full)(void *user, size_t query);
  void *user;

  /* The outcome. */
  bool lost;   /* the device failed: */
  size_t done; /* queries from here on are still to be answered */
} toi_device_search;

/* The table. Functions of a status write the context's error. */
typedef struct toi_device_driver {
  toi_status (*count)(toi_context *context, size_t *count);
  toi_status (*describe)(toi_context *context, size_t number, bool test, toi_device_info *info);
  toi_status (*open)(toi_context *context, const toi_device_request *request, toi_device **device);
  void (*close)(toi_context *context, toi_device *device);
  const toi_device_info *(*info)(const toi_device *device);
  toi_status (*join)(toi_context *context, toi_device *device, toi_device_join *join);
  toi_status (*search)(toi_context *context, toi_device *device, toi_device_search *search);
} toi_device_driver;

/* Filled in by the room `device`. */
extern const toi_device_driver toi_device_driver_built;

/* Whether the options ask for a device. */
bool toi_device_asked(const toi_context *context);

/* The context's device, opened at the first call; *device is NULL where the CPU works alone. TOI_ERROR_DEVICE if it is
 * not there or fails its self-test. On the calling thread. */
toi_status toi_device_ready(toi_context *context, toi_device **device);

/* The device failed; the sentence becomes the warning, and the CPU works alone from now on. */
void toi_device_give_up(toi_context *context, const char *sentence);

/* Writes the warning, which stays until the next call. */
void toi_warn(toi_context *context, const char *format, ...) TOI_PRINTF(2, 3);

/* At the end of a context. */
void toi_device_close(toi_context *context);

#endif
