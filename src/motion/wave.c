/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Stages whose entries are sinusoids of one angle.
 *
 * A turn by the angle x about the unit axis n is R = P + (I - P) cos x + N sin x, with P = n n^T and N d = n x d; about
 * an axis through p, T = p - R p = (I - P) p - (I - P) p cos x - (n x p) sin x. So all entries are C + A cos x + B sin
 * x, with C, A, B known as narrow intervals. A constant matrix before or after keeps that form.
 *
 * Claim 1 (range): let f = A cos x + B sin x, f' = B cos x - A sin x and r^2 = A^2 + B^2, over an interval of x from x0
 *   to x1 that is shorter than pi. If f has its maximum r inside, f'(x0) >= 0 >= f'(x1); and f(x0) >= 0, f(x1) >= 0 if
 *   the interval is no longer than pi/2. Otherwise f is largest at one end. The same for -f and the minimum.
 * Why: f = r cos(x - m), with its maximum at m. If x0 <= m <= x1, then f'(x0) = r sin(m - x0) and f'(x1) = -r sin(x1 -
 *   m), with angles in [0, pi), and f(x0) = r cos(m - x0). If there is neither maximum nor minimum inside, f is
 *   monotone. f' is a sinusoid of the same kind, with -f as its derivative: the same claim gives its range.
 *   Where the signs are not known the maximum is counted in.
 *
 * Claim 2 (rounding): a cos x + b sin x as computed is off by less than error = (|A - a| + |B - b| + 8 u (|a| + |b|) +
 *   2^-1060) (1 + 8u), u = 2^-53, and so is it after error was added or subtracted, rounded.
 * Why: sine and cosine are off by 2 u of themselves (trigonometry.h); either product rounds by u and the sum by u of at
 *   most |a| + |b|: 4 u (|a| + |b|) to first order. Adding the error rounds by u (|a| + |b| + error). The rest of the
 *   8 u covers higher orders, and 2^-1060 underflow. Nothing overflows while |a| and |b| are below 2^400; others are
 *   computed as intervals.
 *
 * Claim 3 (rates): let the rate w be a double, 2^-200 <= |w| <= 2^200, and e an end, |e| <= 2^400. Then w e is within
 *   4 u |p| + 2^-1060 of p = w e as computed, after these were added, rounded, and so is -w^2 e of p = -(w w) e.
 * Why: w w rounds by u, the product by u and 2^-1074, the last sum by u; the fourth u is for higher orders. 2^-1060
 *   covers 2^-1074 and its roundings, also if p is 0.
 *
 * Where all of an entry is a sine or a cosine, as about the axes of coordinates, their own ranges serve, and zeros and
 * ones stay exact. */

#include "motion/stage.h"
#include "number/trigonometry.h"

/* Below pi/2 and pi. */
#define QUARTER_TURN 1.5707963
#define HALF_TURN 3.1415926

#define COEFFICIENT_MOST 0x1p400
#define RATE_MOST 0x1p200
#define RATE_LEAST 0x1p-200
#define UNDERFLOW 0x1p-1060

static const toi_interval zero = {0, 0};
static const toi_interval one = {1, 1};

/* --- making --- */

static bool is_point(toi_interval a, double x) {
  return a.lo == x && a.hi == x;
}

/* What is not given as A and B of an entry follows from them. */
static void settle_entry(toi_wave_entry *e) {
  bool no_cosine = is_point(e->cosine, 0), no_sine = is_point(e->sine, 0);
  e->still = no_cosine && no_sine;
  e->a = toi_interval_midpoint(e->cosine);
  e->b = toi_interval_midpoint(e->sine);
  toi_interval off_a = toi_interval_sub(e->cosine, toi_interval_point(e->a));
  toi_interval off_b = toi_interval_sub(e->sine, toi_interval_point(e->b));
  double off = toi_sum_up(toi_interval_magnitude(off_a), toi_interval_magnitude(off_b));
  double rounding = toi_sum_up(toi_product_up(8 * TOI_UNIT, toi_sum_up(fabs(e->a), fabs(e->b))), UNDERFLOW);
  e->error = toi_product_up(toi_sum_up(off, rounding), 1 + 8 * TOI_UNIT);
  toi_interval square = toi_interval_add(toi_interval_square(e->cosine), toi_interval_square(e->sine));
  double sum = toi_sum_up(toi_interval_magnitude(e->cosine), toi_interval_magnitude(e->sine));
  e->amplitude = fmin(toi_interval_sqrt(square).hi, sum);
  bool unit = (no_sine && fabs(e->a) == 1) || (no_cosine && fabs(e->b) == 1);
  e->mixed = !e->still && !(unit && off == 0) && fabs(e->a) < COEFFICIENT_MOST && fabs(e->b) < COEFFICIENT_MOST &&
             e->error < COEFFICIENT_MOST;
}

static void settle(toi_wave *w) {
  w->turns = w->plain = w->mixed = false;
  w->identity = true;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 4; j++) {
      toi_wave_entry *e = &w->entry[i][j];
      settle_entry(e);
      w->mixed = w->mixed || e->mixed;
      w->plain = w->plain || (!e->still && !e->mixed);
      if (j < 3)
        w->identity = w->identity && e->still && is_point(e->constant, i == j);
    }
  w->turns = w->mixed || w->plain;
}

static void make_rest(toi_wave *w) {
  *w = (toi_wave){.identity = true};
  for (int i = 0; i < 3; i++)
    w->entry[i][i].constant = one;
}

void toi_wave_shift(const double shift[3], const double velocity[3], toi_wave *wave) {
  make_rest(wave);
  for (int i = 0; i < 3; i++) {
    wave->entry[i][3].constant = toi_interval_point(shift ? shift[i] : 0);
    wave->velocity[i] = toi_interval_point(velocity ? velocity[i] : 0);
  }
  wave->in_place = !shift || (shift[0] == 0 && shift[1] == 0 && shift[2] == 0);
  settle(wave);
}

/* n, n n^T and I - n n^T of an axis, and its length. */
typedef struct axis {
  toi_interval n[3], along[3][3], across[3][3], length;
} axis;

/* One of the axes of coordinates, exactly. */
static void make_coordinate_axis(int k, double length, axis *a) {
  *a = (axis){.length = toi_interval_point(fabs(length))};
  a->n[k] = toi_interval_point(length < 0 ? -1 : 1);
  a->along[k][k] = one;
  for (int i = 0; i < 3; i++)
    a->across[i][i] = i == k ? zero : one;
}

static void make_axis(const double direction[3], axis *a) {
  double most = 0;
  int where = 0, others = 0;
  for (int i = 0; i < 3; i++) {
    others += direction[i] != 0;
    if (fabs(direction[i]) > most) {
      most = fabs(direction[i]);
      where = i;
    }
  }
  assert(others > 0);
  if (others == 1) {
    make_coordinate_axis(where, direction[where], a);
    return;
  }

  // Scaled by a power of two, so that squares neither over- nor underflow.
  int exponent;
  frexp(most, &exponent);
  toi_interval d[3], square[3];
  for (int i = 0; i < 3; i++) {
    d[i] = toi_interval_scale(toi_interval_point(direction[i]), -exponent);
    square[i] = toi_interval_square(d[i]);
  }
  toi_interval length_square = toi_interval_add(square[0], toi_interval_add(square[1], square[2]));
  toi_interval length = toi_interval_sqrt(length_square);
  a->length = toi_interval_scale(length, exponent);
  for (int i = 0; i < 3; i++) {
    a->n[i] = toi_interval_div(d[i], length);
    for (int j = 0; j < 3; j++) {
      a->along[i][j] = toi_interval_div(i == j ? square[i] : toi_interval_mul(d[i], d[j]), length_square);
      a->across[i][j] = toi_interval_neg(a->along[i][j]);
    }
    a->across[i][i] = toi_interval_div(toi_interval_add(square[(i + 1) % 3], square[(i + 2) % 3]), length_square);
  }
}

/* A constant angle leaves constants only. */
static void stop(toi_wave *w) {
  toi_interval sine, cosine;
  toi_interval_sin_cos(w->angle, &sine, &cosine);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 4; j++) {
      toi_wave_entry *e = &w->entry[i][j];
      e->constant = toi_plus_product(toi_plus_product(e->constant, e->cosine, cosine), e->sine, sine);
      if (j < 3)
        e->constant = toi_rotation_entry(e->constant);
      e->cosine = e->sine = zero;
    }
  w->angle = zero;
}

/* C, A, B of the turn about the axis through p. */
static void make_turn(const axis *a, const double p[3], toi_wave *w) {
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    for (int column = 0; column < 3; column++) {
      w->entry[i][column].constant = a->along[i][column];
      w->entry[i][column].cosine = a->across[i][column];
    }
    w->entry[i][j].sine = toi_interval_neg(a->n[k]);
    w->entry[i][k].sine = a->n[j];

    toi_interval across = zero;
    for (int column = 0; column < 3; column++)
      across = toi_plus_product(across, a->across[i][column], toi_interval_point(p[column]));
    toi_interval product = toi_plus_product(zero, a->n[k], toi_interval_point(p[j]));
    w->entry[i][3].constant = across;
    w->entry[i][3].cosine = toi_interval_neg(across);
    w->entry[i][3].sine = toi_plus_product(product, toi_interval_neg(a->n[j]), toi_interval_point(p[k]));
  }
}

/* About the axis of this length, or direction, through a point. */
static void set_spin(const axis *a, toi_interval rate, const double through[3], toi_wave *w) {
  w->spins = true;
  for (int i = 0; i < 3; i++) {
    w->spin[i] = toi_times(a->n[i], rate);
    w->centre[i] = toi_interval_point(through[i]);
  }
}

void toi_wave_screw(const toi_screw *screw, toi_tape *tape, toi_wave *wave) {
  axis a;
  make_axis(screw->axis, &a);
  make_rest(wave);
  wave->tape = tape;
  if (tape || screw->angle != 0 || screw->rate != 0)
    make_turn(&a, screw->through, wave);
  wave->angle = toi_interval_point(screw->angle);
  wave->rate = toi_interval_point(screw->rate);
  if (!tape && screw->rate == 0)
    stop(wave);
  if (screw->rate != 0 && !tape)
    set_spin(&a, wave->rate, screw->through, wave);
  wave->in_place = !tape && screw->angle == 0 && screw->shift == 0;
  for (int i = 0; i < 3; i++) {
    toi_interval *shift = &wave->entry[i][3].constant;
    *shift = toi_plus_product(*shift, a.n[i], toi_interval_point(screw->shift));
    wave->velocity[i] = toi_plus_product(zero, a.n[i], toi_interval_point(screw->speed));
  }
  settle(wave);
}

void toi_wave_spin(const double spin[3], const double through[3], toi_wave *wave) {
  axis a;
  make_axis(spin, &a);
  make_rest(wave);
  make_turn(&a, through, wave);
  wave->rate = a.length;
  set_spin(&a, a.length, through, wave);
  for (int i = 0; i < 3; i++)
    wave->spin[i] = toi_interval_point(spin[i]);
  wave->in_place = true;
  settle(wave);
}

/* --- joining --- */

bool toi_wave_is_constant(const toi_wave *w) {
  return !w->turns && is_point(w->velocity[0], 0) && is_point(w->velocity[1], 0) && is_point(w->velocity[2], 0);
}

/* C, A or B of an entry. */
static toi_interval *part(toi_wave_entry *e, int which) {
  return which == 0 ? &e->constant : which == 1 ? &e->cosine : &e->sine;
}

static toi_interval part_of(const toi_wave *w, int i, int j, int which) {
  const toi_wave_entry *e = &w->entry[i][j];
  return which == 0 ? e->constant : which == 1 ? e->cosine : e->sine;
}

/* The product of both matrices, of which only `which` of `first`, or of `next`, is not constant. */
static toi_interval joined(const toi_wave *first, const toi_wave *next, int i, int j, const int which[2]) {
  toi_interval sum = zero;
  for (int k = 0; k < 3; k++)
    sum = toi_plus_product(sum, part_of(next, i, k, which[1]), part_of(first, k, j, which[0]));
  return sum;
}

bool toi_wave_join(const toi_wave *first, const toi_wave *next, toi_wave *both) {
  bool next_is_still = !next->turns;
  if (!next_is_still && !toi_wave_is_constant(first))
    return false;
  const toi_wave *turning = next_is_still ? first : next;
  toi_wave w = {.angle = turning->angle, .rate = turning->rate, .tape = turning->tape};
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 4; j++)
      for (int p = 0; p < 3; p++) {
        int which[2] = {next_is_still ? p : 0, next_is_still ? 0 : p};
        toi_interval sum = joined(first, next, i, j, which);
        if (j == 3 && (p == 0 || !next_is_still))
          sum = toi_interval_add(sum, part_of(next, i, 3, p));
        *part(&w.entry[i][j], p) = sum;
      }
    w.velocity[i] = next->velocity[i];
    for (int k = 0; k < 3; k++)
      w.velocity[i] = toi_plus_product(w.velocity[i], next->entry[i][k].constant, first->velocity[k]);
  }
  settle(&w);
  w.in_place = first->in_place && next->in_place;
  w.spins = turning->spins;
  for (int i = 0; i < 3; i++) {
    w.spin[i] = next_is_still ? zero : next->spin[i];
    w.centre[i] = next_is_still ? next->entry[i][3].constant : next->centre[i];
    for (int k = 0; k < 3 && next_is_still; k++) {
      w.spin[i] = toi_plus_product(w.spin[i], next->entry[i][k].constant, first->spin[k]);
      w.centre[i] = toi_plus_product(w.centre[i], next->entry[i][k].constant, first->centre[k]);
    }
  }
  *both = w;
  return true;
}

/* --- enclosing --- */

/* An angle's range, with what its ends and the whole of it give; and its derivatives by time. */
typedef struct arc {
  bool known;  /* the ends are angles that sines are computed of */
  bool steady; /* the rate is one number, and squares neither over- nor underflow */
  double width;
  double sin[2], cos[2];
  toi_interval sine, cosine;
  toi_interval angle[3]; /* and its derivatives */
  toi_interval square;   /* of the first one */
} arc;

static void find_angle(const toi_wave *w, toi_interval t, unsigned order, arc *x) {
  if (w->tape) {
    toi_tape_bounds(w->tape, &t, order, x->angle);
  } else {
    double rate = fabs(w->rate.lo);
    x->steady = w->rate.lo == w->rate.hi && rate >= RATE_LEAST && rate <= RATE_MOST;
    x->angle[0] = toi_plus_product(w->angle, w->rate, t);
    x->angle[1] = w->rate;
  }
  if (order >= 2)
    x->square = toi_branchless_square(x->angle[1]);
}

static void find_ends(const toi_wave *w, arc *x) {
  toi_interval angle = x->angle[0];
  x->known = angle.lo >= -TOI_ANGLE_MOST && angle.hi <= TOI_ANGLE_MOST;
  x->width = toi_interval_width(angle);
  if (w->plain)
    toi_interval_sin_cos(angle, &x->sine, &x->cosine);
  if (!w->mixed || !x->known)
    return;
  toi_sine_cosine ends[2] = {toi_sin_cos(angle.lo)};
  ends[1] = angle.lo < angle.hi ? toi_sin_cos(angle.hi) : ends[0];
  for (int k = 0; k < 2; k++) {
    x->sin[k] = ends[k].sin;
    x->cos[k] = ends[k].cos;
  }
}

/* Claim 1, of a function and its derivative at both ends. Which way they lie is a toss: no branch should depend on it.
 */
static inline toi_interval range(const double value[2], const double slope[2], const toi_wave_entry *e, double width) {
  double r = e->amplitude, error = e->error;
  if (!(width <= HALF_TURN))
    return (toi_interval){-r, r};
  bool swapped = value[0] > value[1], is_long = width > QUARTER_TURN;
  double least = swapped ? value[1] : value[0], most = swapped ? value[0] : value[1];
  bool top = (slope[0] >= -error) & (slope[1] <= error) & (is_long | (least >= -error));
  bool bottom = (slope[0] <= error) & (slope[1] >= -error) & (is_long | (most <= error));
  double lo = bottom ? -r : least - error, hi = top ? r : most + error;
  return (toi_interval){lo < -r ? -r : lo, hi > r ? r : hi};
}

/* The ranges of A cos x + B sin x and of its derivative. */
static inline void swing(const toi_wave_entry *e, const arc *x, toi_interval *value, toi_interval *slope) {
  if (!e->mixed) {
    *value = toi_plus_product(toi_times(e->cosine, x->cosine), e->sine, x->sine);
    *slope = toi_plus_product(toi_times(e->sine, x->cosine), toi_interval_neg(e->cosine), x->sine);
    return;
  }
  if (!x->known) {
    *value = *slope = (toi_interval){-e->amplitude, e->amplitude};
    return;
  }
  double f[2] = {e->a * x->cos[0] + e->b * x->sin[0], e->a * x->cos[1] + e->b * x->sin[1]};
  double g[2] = {e->b * x->cos[0] - e->a * x->sin[0], e->b * x->cos[1] - e->a * x->sin[1]};
  double h[2] = {-f[0], -f[1]};
  *value = range(f, g, e, x->width);
  *slope = range(g, h, e, x->width);
}

/* Claim 3: p, near a multiple of an end, moved outward; what is zero stays. */
static inline double outward(double p, double end, double side) {
  return end == 0 ? 0 : p + side * (fabs(p) * (4 * TOI_UNIT) + UNDERFLOW);
}

static inline toi_interval scaled(toi_interval a, double factor) {
  double lo = factor < 0 ? a.hi : a.lo, hi = factor < 0 ? a.lo : a.hi;
  return (toi_interval){outward(lo * factor, lo, -1), outward(hi * factor, hi, 1)};
}

/* An entry that is not still, and its derivatives: f + C, f' w, -f w^2 + f' w', w the rate. */
static inline void entry_jet(const toi_wave_entry *e, const arc *x, unsigned order, toi_interval of[3]) {
  toi_interval value, slope;
  swing(e, x, &value, &slope);
  of[0] = toi_branchless_add(e->constant, value);
  if (x->steady && e->amplitude <= COEFFICIENT_MOST) {
    double rate = x->angle[1].lo;
    of[1] = scaled(slope, rate);
    of[2] = scaled(value, -(rate * rate));
    return;
  }
  of[1] = order >= 1 ? toi_times(x->angle[1], slope) : zero;
  of[2] = order >= 2 ? toi_plus_product(toi_times(x->angle[2], slope), toi_interval_neg(x->square), value) : zero;
}

void toi_wave_jet(const toi_wave *wave, toi_interval t, unsigned order, toi_motion_jet *jet) {
  arc x = {0};
  if (wave->turns) {
    find_angle(wave, t, order, &x);
    find_ends(wave, &x);
  }
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 4; j++) {
      const toi_wave_entry *e = &wave->entry[i][j];
      toi_interval of[3] = {e->constant, zero, zero};
      if (!e->still)
        entry_jet(e, &x, order, of);
      if (j < 3)
        of[0] = toi_rotation_entry(of[0]);
      for (unsigned k = 0; k <= order; k++)
        *(j < 3 ? &jet->rotation[k][i][j] : &jet->translation[k][i]) = of[k];
    }
  for (int i = 0; i < 3; i++) {
    jet->translation[0][i] = toi_plus_product(jet->translation[0][i], wave->velocity[i], t);
    if (order >= 1)
      jet->translation[1][i] = toi_interval_add(jet->translation[1][i], wave->velocity[i]);
  }
}
