/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Part of kernel_body.h: the roots of the cubic, guessed without checks and then verified.
 *
 * The step [0, 1] is cut at the critical points of f (at its inflection where it has none). On each piece f is
 * monotone, up to rounding, so it has at most one root there. For a root guessed at x, its zone is [x - d, x + d].
 * None of this is taken for granted. Proved are, from left to right:
 * - Gap: f has one strict sign between the last zone (or the start of the piece) and this one, or the end of the piece,
 *   by its Bernstein coefficients c0 to c3 there.
 * - Zone: f' has one strict sign in it. So f has at most one root there, and no contact happens before that root.
 * - Areas, at every time of the zone: two of them are opposite, and there is no contact in the zone; or all have one
 *   sign, and there is a contact at the root.
 * - Root: it exists, by the interval Newton test: N = x - f(x) / f'(zone) lies in the zone. f(x) is computed in twofold
 *   arithmetic, so N is a few units in the last place wide: it is the bracket.
 *
 * The gap test is sharp where one end of the gap is critical: the coefficients then have the sign of f whenever f has
 * one sign. Why: let f' = 0 at the right end (the left one is the same, mirrored) of a gap of length h, d0, d1, d2 = 0
 * the coefficients of f' there, and f > 0 (else -f).
 * - c3 = f(right) > 0, and c2 = c3 - h d2 / 3 = c3.
 * - f' / (1 - s), which is d0 (1 - s) + 2 d1 s, has one sign on [0, 1): d0 and d1 have no opposite ones.
 * - If they are positive or 0, c1 = c0 + h d0 / 3 >= c0 = f(left) > 0.
 * - If they are negative or 0, c1 = c2 - h d1 / 3 >= c2 > 0, and c0 > 0 as before. */

/* Zones are this many u V / |f'| wide: several times the noise of f(x) and the bound of the gap test. */
#define ZONE_NOISE (2048 * TOI_U)
#define ZONE_LEAST 0x1p-50
#define ZONE_MOST 0x1p-12
#define NEWTON_STEPS 16
/* A step this small leaves an error of about its square. */
#define NEWTON_CLOSE 0x1p-26
#define BRACKET_MOST 0x1p-48
/* Smaller contact times are left to the integers: products with them could underflow. */
#define TIME_LEAST 0x1p-100

/* Everything the search for one group of queries needs. */
typedef struct search {
  int n;
  const moving_hull *hull;
  const double *const *rows;       /* the query; not used where `exact` is given */
  const twofold (*exact)[3][AXES]; /* the corners that make the cubic at each time; NULL: taken from the rows */
  cubic f;
  real power[4]; /* f in powers of t */
  real slope[3]; /* f' in Bernstein form */
  real curve;    /* a bound of |f''| */
  real inflection;
  toi_explained_piece *told; /* where what is found of each piece is written, in one lane; NULL: nowhere */
} search;

/* A part of [0, 1] on which f is monotone, and f at its ends, roughly. */
typedef struct piece {
  real lo, hi, f_lo, f_hi;
  toi_explained_piece *told;
} piece;

/* A root, guessed. */
typedef struct zone {
  real x, radius, lo, hi;
  real slope;        /* f'(x) */
  real slope_spread; /* |f'(t) - slope| is at most this in the zone */
  real position[CORNERS][AXES];
  real area[AXES][CORNERS];
  real area_bound[AXES];
  mask steep, inside, outside;
} zone;

/* What was proved of the lanes. */
typedef struct findings {
  mask pending, hit;
  real t_lo, t_hi, guess, u, v, sign;
  real normal[AXES];
} findings;

TOI_INLINE real mix(real a, real b, real t) {
  return a * (1.0 - t) + b * t;
}

TOI_INLINE real cubic_at(const search *s, real t) {
  return ((s->power[3] * t + s->power[2]) * t + s->power[1]) * t + s->power[0];
}

TOI_INLINE real cubic_slope(const search *s, real t) {
  return (s->power[3] * 3.0 * t + s->power[2] * 2.0) * t + s->power[1];
}

/* The cubic in its forms, and the cuts of [0, 1]. */
TOI_INLINE void search_prepare(search *s, real cuts[4]) {
  s->f = hull_cubic(s->n, s->hull);
  const real *b = s->f.b;
  s->slope[0] = b[1] - b[0] * 3.0;
  s->slope[1] = b[2] - b[1];
  s->slope[2] = b[3] * 3.0 - b[2];
  real bend0 = s->slope[1] - s->slope[0], bend1 = s->slope[2] - s->slope[1];
  s->curve = most(magnitude(bend0), magnitude(bend1)) * 2.0 + s->f.volume * TOI_BOUND_CURVE;
  s->power[0] = b[0];
  s->power[1] = s->slope[0];
  s->power[2] = bend0;
  s->power[3] = (b[3] - b[0]) + (b[1] - b[2]);

  // f' = p1 + 2 p2 t + 3 p3 t^2, solved without cancellation; no real solution: the inflection twice.
  real p3 = s->power[3] * 3.0;
  s->inflection = -s->power[2] / p3;
  real square = s->power[2] * s->power[2] - p3 * s->power[1];
  real r = root(most(square, every(0)));
  real q = -(s->power[2] + choose(less(s->power[2], every(0)), -r, r));
  mask real_roots = greater(square, every(0));
  real c0 = clip_unit(choose(real_roots, q / p3, s->inflection));
  real c1 = clip_unit(choose(real_roots, s->power[1] / q, s->inflection));
  // Empty pieces last, so that lanes meet their roots in the same piece where they can.
  real first = least(c0, c1), second = most(c0, c1), zero = every(0), one = every(1);
  mask has_first = greater(first, zero);
  cuts[0] = zero;
  cuts[1] = choose(has_first, first, choose(greater(second, zero), second, one));
  cuts[2] = choose(has_first & greater(second, first), second, one);
  cuts[3] = every(1);
}

/* The Bernstein coefficients of f on [from, to] inside [0, 1]. */
TOI_INLINE void gap_coefficients(const search *s, real from, real to, real c[4]) {
  real b[4] = {s->f.b[0], s->f.b[1] * (1.0 / 3.0), s->f.b[2] * (1.0 / 3.0), s->f.b[3]};
  real x[3], y[3];
  TOI_UNROLL
  for (int i = 0; i < 3; i++) {
    x[i] = mix(b[i], b[i + 1], from);
    y[i] = mix(b[i], b[i + 1], to);
  }
  real xx[2] = {mix(x[0], x[1], from), mix(x[1], x[2], from)};
  real xy[2] = {mix(x[0], x[1], to), mix(x[1], x[2], to)};
  real yy[2] = {mix(y[0], y[1], to), mix(y[1], y[2], to)};
  c[0] = mix(xx[0], xx[1], from);
  c[1] = mix(xx[0], xx[1], to);
  c[2] = mix(xy[0], xy[1], to);
  c[3] = mix(yy[0], yy[1], to);
}

/* Whether f has one strict sign on [from, to] inside [0, 1]. */
TOI_INLINE mask gap_clear(const search *s, real from, real to) {
  real c[4];
  gap_coefficients(s, from, to, c);
  real lo = least(least(c[0], c[1]), least(c[2], c[3])), hi = most(most(c[0], c[1]), most(c[2], c[3]));
  real bound = s->f.volume * TOI_BOUND_GAP;
  return greater(lo, bound) | less(hi, -bound);
}

/* Newton's method on a monotone piece. On a piece without inflection it starts from the chord's root, and from its
 * second step on approaches the root from one side; otherwise it starts from the inflection, for the same reason. Each
 * lane stops on its own, so that its result does not depend on the others. */
TOI_INLINE real guess_root(const search *s, const piece *part, mask wanted) {
  real lo = part->lo, hi = part->hi;
  real chord = lo + (hi - lo) * (part->f_lo / (part->f_lo - part->f_hi));
  mask bends = greater(s->inflection, lo) & less(s->inflection, hi);
  real x = most(least(choose(bends, s->inflection, chord), hi), lo);
  mask moving = wanted;
  for (int step = 0; step < NEWTON_STEPS && bits_of(moving); step++) {
    real change = cubic_at(s, x) / cubic_slope(s, x);
    real next = most(least(x - change, hi), lo);
    x = choose(moving, next, x);
    moving &= greater(magnitude(change), every(NEWTON_CLOSE));
  }
  // A tiny x would take the products of residual() below what product_error() can bear; 0 serves as well.
  return choose(less(x, every(TIME_LEAST)), every(0), x);
}

/* The signs of the areas over the zone. */
TOI_INLINE void zone_areas(const search *s, zone *z) {
  const moving_hull *hull = s->hull;
  TOI_UNROLL
  for (int k = 0; k < s->n; k++)
    TOI_UNROLL
  for (int axis = 0; axis < AXES; axis++) {
    real start = hull->at[0][k][axis];
    z->position[k][axis] = start + z->x * (hull->at[1][k][axis] - start);
  }
  mask none = less(every(1), every(0));
  z->inside = z->outside = none;
  TOI_UNROLL
  for (int axis = 0; axis < AXES; axis++) {
    int i = (axis + 1) % 3, j = (axis + 2) % 3;
    real bound = (hull->size[i] * hull->size[j]) * (z->radius * TOI_BOUND_AREA_DRIFT + TOI_BOUND_POINT_AREA);
    z->area_bound[axis] = bound;
    mask up = none, down = none, all_up = all_true(), all_down = all_true();
    TOI_UNROLL
    for (int k = 0; k < s->n; k++) {
      const real *p = z->position[k], *q = z->position[(k + 1) % s->n];
      real area = p[i] * q[j] - p[j] * q[i];
      mask plus = greater(area, bound), minus = less(area, -bound);
      up |= plus;
      down |= minus;
      all_up &= plus;
      all_down &= minus;
      z->area[axis][k] = area;
    }
    z->outside |= up & down;
    z->inside |= all_up | all_down;
  }
}

TOI_INLINE void zone_make(const search *s, zone *z) {
  z->slope = mix(mix(s->slope[0], s->slope[1], z->x), mix(s->slope[1], s->slope[2], z->x), z->x);
  z->radius = s->f.volume * ZONE_NOISE / magnitude(z->slope) + ZONE_LEAST;
  z->lo = z->x - z->radius;
  z->hi = z->x + z->radius;
  z->slope_spread = (s->f.volume * TOI_BOUND_SLOPE + z->radius * s->curve) * 1.01;
  z->steep = less(z->slope_spread * 4.0, magnitude(z->slope)) & less(z->radius, every(ZONE_MOST));
  zone_areas(s, z);
}

/* The corners that make the cubic, exactly: low parts included. */
TOI_INLINE void exact_corners(const search *s, int time, twofold c[3][AXES]) {
  real points[12];
  load_points(s->n, s->rows, time, points);
  TOI_UNROLL
  for (int k = 0; k < 3; k++) {
    int first, second;
    corner_points(s->n, k < 2 ? k : last_corner(s->n), &first, &second);
    TOI_UNROLL
    for (int axis = 0; axis < AXES; axis++)
      c[k][axis].hi = difference_exact(points[3 * first + axis], points[3 * second + axis], &c[k][axis].lo);
  }
}

/* f(x) to about 700 u^2 V. */
TOI_INLINE twofold residual(const search *s, real x) {
  twofold p[3][AXES], c[TIMES][3][AXES];
  TOI_UNROLL
  for (int time = 0; time < TIMES; time++)
    if (s->exact)
      memcpy(c[time], s->exact[time], sizeof(c[time]));
    else
      exact_corners(s, time, c[time]);
  TOI_UNROLL
  for (int k = 0; k < 3; k++)
    TOI_UNROLL
  for (int axis = 0; axis < AXES; axis++) {
    twofold d = twofold_flush(twofold_sub(c[1][k][axis], c[0][k][axis]), TOI_FLUSH_POSITION);
    twofold moved = twofold_add(c[0][k][axis], twofold_mul((twofold){x, every(0)}, d));
    p[k][axis] = twofold_flush(moved, TOI_FLUSH_POSITION);
  }
  twofold sum = {every(0), every(0)};
  TOI_UNROLL
  for (int axis = 0; axis < AXES; axis++) {
    int i = (axis + 1) % 3, j = (axis + 2) % 3;
    twofold cross_part = twofold_sub(twofold_mul(p[1][i], p[2][j]), twofold_mul(p[1][j], p[2][i]));
    sum = twofold_add(sum, twofold_mul(p[0][axis], twofold_flush(cross_part, TOI_FLUSH_CROSS)));
  }
  return sum;
}

/* The bracket by the interval Newton test. The root is x - f(x) / f'(y) for a y in the zone; with f'(y) = slope (1 +
 * e), |e| <= w = slope_spread / |slope| <= 1/4, 1 / (1 + e) is within 4/3 w of 1, and f(x) is known to TWOFOLD: the
 * root is within |q| 4/3 w + 4/3 TWOFOLD / |slope| + 3 u |q| of x - q, q the computed quotient; rounding x - q and the
 * bracket's ends adds 2 u of their size. */
TOI_INLINE mask bracket_root(const search *s, const zone *z, real *t_lo, real *t_hi) {
  real steepness = magnitude(z->slope);
  twofold value = residual(s, z->x);
  real q = (value.hi + value.lo) / z->slope;
  real spread = magnitude(q) * (z->slope_spread / steepness * 2.0 + 8 * TOI_U);
  real t = z->x - q;
  real radius = (spread + s->f.volume * (2 * TOI_BOUND_TWOFOLD) / steepness) + magnitude(t) * (3 * TOI_U);
  *t_lo = t - radius;
  *t_hi = t + radius;
  mask exists = less(magnitude(q) + radius, z->radius * 0.5);
  return exists & greater(*t_lo, every(TIME_LEAST)) & less(*t_hi, every(1)) & less(*t_hi - *t_lo, every(BRACKET_MOST));
}

/* Contact parameters and normal, from the projection in which the areas are largest. */
TOI_INLINE void contact_place(const search *s, const zone *z, findings *found, mask hits) {
  real best = every(-1), u = every(0), v = every(0);
  TOI_UNROLL
  for (int axis = 0; axis < AXES; axis++) {
    const real *a = z->area[axis];
    real sum = s->n == 4 ? ((a[0] + a[1]) + (a[2] + a[3])) * 0.5 : (a[0] + a[1]) + a[2];
    real relative = magnitude(sum) * s->hull->size[axis];
    mask better = greater(relative, best);
    u = choose(better, a[s->n - 1] / sum, u);
    v = choose(better, a[0] / sum, v);
    best = choose(better, relative, best);
    found->normal[axis] = choose(hits, sum, found->normal[axis]);
  }
  found->u = choose(hits, clip_unit(u), found->u);
  found->v = choose(hits, clip_unit(v), found->v);
}

/* Writes down what is known of the first lane's zone: for toi_explain. */
TOI_INLINE void tell_zone(const search *s, const zone *z, mask before, toi_explained_piece *told) {
  told->crossing = 1;
  told->x = lane(z->x, 0);
  told->zone_lo = lane(z->lo, 0);
  told->zone_hi = lane(z->hi, 0);
  told->slope = lane(z->slope, 0);
  told->slope_bound = lane(z->slope_spread, 0);
  for (int axis = 0; axis < AXES; axis++) {
    told->area_bound[axis] = lane(z->area_bound[axis], 0);
    for (int k = 0; k < s->n; k++)
      told->area[axis][k] = lane(z->area[axis][k], 0);
  }
  told->gap_clear = bits_of(before) & 1;
  told->steep = bits_of(z->steep) & 1;
  told->inside = bits_of(z->inside) & 1;
  told->outside = bits_of(z->outside) & 1;
}

/* A root guessed on a piece, for the lanes `crossing`: what is proved of it. Returns where the rest of the piece
 * begins. */
TOI_INLINE real settle_root(const search *s, const piece *part, mask crossing, findings *found) {
  real lo = part->lo;
  zone z;
  z.x = guess_root(s, part, crossing);
  zone_make(s, &z);
  mask before = gap_clear(s, lo, most(z.lo, lo)) | ~less(lo, z.lo);
  mask proved = crossing & before & z.steep;
  found->guess = choose(crossing, z.x, found->guess);
  mask hits = proved & z.inside;
  if (part->told)
    tell_zone(s, &z, before, part->told);
  if (bits_of(hits)) {
    real t_lo, t_hi;
    hits &= bracket_root(s, &z, &t_lo, &t_hi);
    if (part->told && bits_of(hits)) {
      part->told->bracketed = 1;
      part->told->t_lo = lane(t_lo, 0);
      part->told->t_hi = lane(t_hi, 0);
    }
    found->t_lo = choose(hits, t_lo, found->t_lo);
    found->t_hi = choose(hits, t_hi, found->t_hi);
    // Before the root f has the sign opposite to its slope.
    found->sign = choose(hits, -z.slope, found->sign);
    contact_place(s, &z, found, hits);
    found->hit |= hits;
  }
  found->pending &= ~crossing | (proved & z.outside);
  return choose(crossing, least(most(z.hi, lo), part->hi), lo);
}

TOI_INLINE void search_run(search *s, mask active, findings *found) {
  real cuts[4];
  search_prepare(s, cuts);
  found->pending = active;
  found->hit = less(every(1), every(0));
  found->guess = every(NAN);
  found->t_lo = found->t_hi = found->u = found->v = found->sign = every(0);
  TOI_UNROLL
  for (int axis = 0; axis < AXES; axis++)
    found->normal[axis] = every(0);
  for (int i = 0; i < 3; i++) {
    piece p = {cuts[i], cuts[i + 1], cubic_at(s, cuts[i]), cubic_at(s, cuts[i + 1]), NULL};
    mask here = found->pending & less(p.lo, p.hi);
    if (!bits_of(here))
      continue;
    if (s->told) {
      p.told = &s->told[i];
      *p.told = (toi_explained_piece){.lo = lane(p.lo, 0), .hi = lane(p.hi, 0), .x = NAN, .used = 1};
    }
    real from = p.lo;
    mask crossing = here & less(p.f_lo * p.f_hi, every(0));
    if (bits_of(crossing))
      from = settle_root(s, &p, crossing, found);
    // What is left of the piece has no root.
    mask rest = found->pending & here & less(from, p.hi);
    if (p.told)
      p.told->rest_clear = bits_of(~less(from, p.hi)) & 1;
    if (!bits_of(rest))
      continue;
    mask open = rest & ~gap_clear(s, from, p.hi);
    if (p.told)
      p.told->rest_clear = !bits_of(open);
    real nearer = choose(less(magnitude(p.f_lo), magnitude(p.f_hi)), p.lo, p.hi);
    found->guess = choose(open, nearer, found->guess);
    found->pending &= ~open;
  }
}

TOI_INLINE void answer_lane(const findings *found, unsigned j, toi_root_answer *answer) {
  unsigned hits = bits_of(found->hit), misses = bits_of(found->pending);
  *answer = (toi_root_answer){.code = misses >> j & 1 ? TOI_ROOT_MISS : TOI_ROOT_OPEN, .guess = lane(found->guess, j)};
  if (!(hits >> j & 1))
    return;
  answer->code = TOI_ROOT_HIT;
  answer->t_lo = lane(found->t_lo, j);
  answer->t_hi = lane(found->t_hi, j);
  answer->u = lane(found->u, j);
  answer->v = lane(found->v, j);
  double sign = lane(found->sign, j) < 0 ? -1 : 1;
  for (int axis = 0; axis < AXES; axis++)
    answer->normal[axis] = sign * lane(found->normal[axis], j);
}

TOI_INLINE void root_kind(int n, const toi_rows *rows, toi_root_answer *answers) {
  for (size_t i = 0; i < rows->count; i += TOI_LANES) {
    const double *row[TOI_LANES];
    group_rows(rows, i, row);
    moving_hull hull;
    hull_load(n, row, &hull);
    hull_box(n, every(0), &hull);
    search s = {.n = n, .hull = &hull, .rows = row};
    findings found;
    search_run(&s, hull_in_range(&hull) & hull_finite(n, &hull), &found);
    for (unsigned j = 0; j < TOI_LANES && i + j < rows->count; j++)
      answer_lane(&found, j, &answers[i + j]);
  }
}

static void root_rows(int n, const toi_rows *rows, toi_root_answer *answers) {
  if (n == 3)
    root_kind(3, rows, answers);
  else
    root_kind(4, rows, answers);
}
