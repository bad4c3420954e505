/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Claim: the gap is at least |a(s) - b(s)| along each axis, for all s in [0, 1].
 * Bound: on each piece of [0, 1], the larger end of the range of the difference of both edges' Taylor models in s, or
 * of their enclosures, whichever is less; over all pieces the largest. Why: lemma 18: the models stand for functions
 * that hold the coordinates, so their difference stands for the difference, and terms that are equal cancel before
 * anything is bounded. The pieces cover [0, 1]: each runs from one multiple of 2^-depth to the next, which doubles
 * hold, and the parameters are enclosed from there. */

#include "contact/solid_gap.h"

#include "base/internal.h"

/* Pieces are halved this often at most, and while the bound is more than twice what the middle shows, beside rounding.
 */
#define DEPTH 7
#define ROUNDING 0x1p-48

/* The order of the models. */
#define ORDER 6

static toi_interval fixed_of(const toi_rim *rim) {
  const toi_interval x = rim->face->domain[rim->side / 2];
  return toi_interval_point(rim->side % 2 == 0 ? x.lo : x.hi);
}

void toi_rim_place(const toi_rim *rim, double part, toi_interval uvt[3]) {
  const int axis = rim->side / 2;
  const toi_interval along = rim->face->domain[1 - axis];
  uvt[axis] = fixed_of(rim);
  uvt[1 - axis] = toi_interval_point(part == 0   ? along.lo
                                     : part == 1 ? along.hi
                                                 : along.lo * (1 - part) + along.hi * part);
  uvt[2] = toi_interval_point(0);
}

typedef struct measure {
  toi_rim a, b;
  bool alone, reversed;
  toi_taylor_space space;
  size_t room;
  toi_taylor *registers;
} measure;

/* --- by models --- */

/* lo + (hi - lo) s, or hi - (hi - lo) s. */
static void run_through(const toi_taylor_space *space, toi_interval along, bool back, const toi_taylor *s,
                        toi_taylor *out) {
  toi_taylor factor, begin;
  const toi_interval lo = toi_interval_point(along.lo), hi = toi_interval_point(along.hi);
  toi_taylor_constant(back ? toi_interval_sub(lo, hi) : toi_interval_sub(hi, lo), &factor);
  toi_taylor_constant(back ? hi : lo, &begin);
  toi_taylor_mul(space, &factor, s, out);
  toi_taylor_add(space, out, &begin, out);
}

static void model_rim(const measure *m, const toi_rim *rim, bool back, const toi_taylor *s, toi_taylor at[3]) {
  toi_taylor variables[3];
  const int axis = rim->side / 2;
  toi_taylor_constant(fixed_of(rim), &variables[axis]);
  run_through(&m->space, rim->face->domain[1 - axis], back, s, &variables[1 - axis]);
  toi_taylor_constant(toi_interval_point(0), &variables[2]);
  toi_shape_taylor(rim->face, &m->space, variables, m->registers, at);
}

static double largest(toi_interval x) {
  const double most = toi_interval_magnitude(x);
  return most <= DBL_MAX ? most : INFINITY;
}

static double bound_by_models(const measure *m, toi_interval part) {
  toi_taylor s, a[3], b[3];
  toi_taylor_variable(part, 0, &s);
  model_rim(m, &m->a, false, &s, a);
  if (m->alone)
    toi_taylor_constant(toi_interval_point(0), &s);
  model_rim(m, &m->b, m->reversed, &s, b);
  double most = 0;
  for (int k = 0; k < 3; k++) {
    toi_taylor_sub(&m->space, &a[k], &b[k], &a[k]);
    most = fmax(most, largest(toi_taylor_bounds(&m->space, &a[k])));
  }
  return most;
}

/* --- by enclosures --- */

static bool enclose(const toi_rim *rim, toi_interval part, bool back, toi_interval at[3]) {
  const int axis = rim->side / 2;
  const toi_interval along = rim->face->domain[1 - axis], lo = toi_interval_point(along.lo),
                     hi = toi_interval_point(along.hi);
  toi_interval uvt[3];
  const toi_interval length = toi_interval_mul(toi_interval_sub(hi, lo), part);
  toi_interval x = back ? toi_interval_sub(hi, length) : toi_interval_add(lo, length);
  (void)toi_interval_intersect(x, along, &x);
  uvt[axis] = fixed_of(rim);
  uvt[1 - axis] = x;
  uvt[2] = toi_interval_point(0);
  return toi_shape_jets(rim->face, uvt, 0, at);
}

static double bound_by_boxes(const measure *m, toi_interval part) {
  toi_interval a[3], b[3];
  if (!enclose(&m->a, part, false, a) || !enclose(&m->b, m->alone ? toi_interval_point(0) : part, m->reversed, b))
    return INFINITY;
  double most = 0;
  for (int k = 0; k < 3; k++)
    most = fmax(most, largest(toi_interval_sub(a[k], b[k])));
  return most;
}

/* --- all of it --- */

static double size_of(const measure *m) {
  toi_interval a[3];
  double most = 0;
  if (enclose(&m->a, (toi_interval){0, 1}, false, a))
    for (int k = 0; k < 3; k++)
      most = fmax(most, toi_interval_magnitude(a[k]));
  return most <= DBL_MAX ? most : 0;
}

static double measure_all(const measure *m) {
  struct {
    toi_interval part;
    int depth;
  } stack[DEPTH + 2] = {{{0, 1}, 0}};
  const double rounding = ROUNDING * size_of(m);
  double gap = 0;
  for (int count = 1; count > 0;) {
    const toi_interval part = stack[count - 1].part;
    const double middle = toi_interval_midpoint(part), seen = bound_by_boxes(m, toi_interval_point(middle));
    const double bound = fmin(bound_by_models(m, part), bound_by_boxes(m, part));
    const int depth = stack[count - 1].depth;
    if (bound <= gap || bound <= 2 * fmax(seen, rounding) || depth == DEPTH) {
      gap = fmax(gap, bound);
      count--;
      continue;
    }
    stack[count - 1].part = (toi_interval){middle, part.hi};
    stack[count - 1].depth = depth + 1;
    stack[count].part = (toi_interval){part.lo, middle};
    stack[count].depth = depth + 1;
    count++;
  }
  return gap;
}

toi_status toi_rim_gap(toi_context *context, const toi_rim *a, const toi_rim *b, bool reversed, double *gap) {
  measure *m = toi_allocate(context, sizeof *m);
  *gap = INFINITY;
  if (m == NULL)
    return TOI_ERROR_MEMORY;
  *m = (measure){.a = *a, .b = b == NULL ? *a : *b, .alone = b == NULL, .reversed = reversed};
  toi_taylor_space_make(&m->space, 1, ORDER);
  const size_t first = toi_shape_taylor_registers(m->a.face), second = toi_shape_taylor_registers(m->b.face);
  m->room = (first > second ? first : second) + 1;
  m->registers = toi_allocate(context, m->room * sizeof *m->registers);
  const bool fine = m->registers != NULL;
  if (fine) {
    *gap = measure_all(m);
    toi_free(context, m->registers, m->room * sizeof *m->registers);
  }
  toi_free(context, m, sizeof *m);
  return fine ? TOI_OK : TOI_ERROR_MEMORY;
}
