/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The floating-point levels of the cascade, as SIMD kernels over queries.
 *
 * A kernel proves an answer or passes the query on; it never guesses. The same source (kernel_body.h) is compiled for
 * one lane (the reference), two (SSE2 or NEON) and four (AVX2); all give the same bits. Kernels know nothing of GMP,
 * contexts or options, so that their test stands alone. */

#ifndef TOI_NARROW_KERNEL_H
#define TOI_NARROW_KERNEL_H

#include <stddef.h>
#include <stdint.h>

/* What the filter says of a query. */
typedef enum toi_filter_code {
  TOI_FILTER_BOX = 0, /* miss: all corners of F strictly on one side of 0 on an axis */
  TOI_FILTER_SIGN,    /* miss: the coplanarity cubic has one strict sign */
  TOI_FILTER_OPEN     /* neither, or the arithmetic is out of its range, or a coordinate is not finite */
} toi_filter_code;

/* Queries in memory, and which of them: row i is queries + numbers[i] * row_size. */
typedef struct toi_rows {
  const double *queries;
  size_t row_size;         /* doubles from one query to the next */
  const uint32_t *numbers; /* count of them */
  size_t count;
} toi_rows;

/* What the root kernel found. */
typedef enum toi_root_code {
  TOI_ROOT_OPEN = 0, /* not settled; guess may help to settle it */
  TOI_ROOT_MISS,     /* no contact in [0, 1] */
  TOI_ROOT_HIT       /* first contact in [t_lo, t_hi], 0 < t_lo, t_hi <= 1 */
} toi_root_code;

/* All but code and guess are 0 unless it is a hit. */
typedef struct toi_root_answer {
  double t_lo, t_hi;
  double guess; /* near a root of the cubic, if the query is finite and in range; NaN otherwise, or if there is none */
  double u, v;  /* contact parameters, in [0, 1] */
  double normal[3]; /* not unit; its sign is that of the height just before contact */
  toi_root_code code;
} toi_root_answer;

/* A hull of two corners p and q, whose coordinates on one axis are 0 throughout: does 0 lie between them? Thickened
 * along that axis to the corners p - e, q - e, q + e, p + e, e its unit vector, it becomes a parallelogram that holds 0
 * exactly when the segment does, so the kernels for edge-edge decide it, in general position again. */
typedef struct toi_planar {
  const double *row;       /* the query: its points at t = 0, then at t = 1 */
  int points;              /* of the query at one time */
  int first[2], second[2]; /* p and q, each as a point minus a point of the query */
  int axis;
} toi_planar;

/* Kernels for vertex-face (corner_count 3) and edge-edge (4); rows of 24 doubles as toi_batch takes them. */
typedef struct toi_kernels {
  /* The filter over `count` queries lying back to back: codes[i] for each. */
  void (*filter)(int corner_count, const double *queries, size_t count, uint8_t *codes);

  /* The same for coming within separation[i] >= 0, in either norm. */
  void (*filter_separated)(int corner_count, const double *queries, const double *separation, size_t count,
                           uint8_t *codes);

  /* One plane that turns through the step, or one through each half, between the hull and the ball (or, if `cube`, the
   * cube) of radius separation[number]: miss[i] = 1 if there are. */
  void (*planes)(int corner_count, const toi_rows *rows, const double *separation, int cube, uint8_t *miss);

  /* As projection below, beyond separation[number]. */
  void (*projection_separated)(int corner_count, const toi_rows *rows, const double *separation, uint8_t *miss);

  /* Areas of opposite sign in a projection, or the cubic's sign, on each half of the step: miss[i] = 1 if proved. */
  void (*projection)(int corner_count, const toi_rows *rows, uint8_t *miss);

  /* Roots of the cubic, bracketed and verified. */
  void (*root)(int corner_count, const toi_rows *rows, toi_root_answer *answers);

  /* The same for segments in a plane; u runs from p to q. */
  void (*planar)(const toi_planar *segments, size_t count, toi_root_answer *answers);
} toi_kernels;

extern const toi_kernels toi_kernels_scalar;
extern const toi_kernels toi_kernels_two;
#if defined(__x86_64__)
extern const toi_kernels toi_kernels_avx2;
#endif

/* One query whose magnitudes are out of the kernels' range: as projection and root, after scaling each axis by a power
 * of two. corner_count may be 2 (vertex-edge, rows of 18 doubles), where only projection is tried. */
typedef struct toi_scaled_answer {
  toi_root_answer root;
  int projection_miss;
} toi_scaled_answer;
void toi_kernel_scaled(int corner_count, const double *row, toi_scaled_answer *answer);

/* What the kernels compute of one query, of 1 to 4 corners: box, coefficients, halves and pieces of *explanation, with
 * separation d (toi/explain.h). */
struct toi_explanation;
void toi_kernel_explain(int corner_count, const double *row, double d, struct toi_explanation *explanation);

/* A hull that stays in the plane where `axis` is 0, at t = 0: 1 if 0 lies strictly inside (then *u and *v say where),
 * -1 if it lies outside, 0 if neither is proved. */
int toi_kernel_start_in_plane(int corner_count, const double *row, int axis, double *u, double *v);

#endif
