/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The distance of 0 to a point, segment, triangle or parallelogram in integers.
 *
 * Euclidean: the closest point is strictly inside the face, if N . (c_k x c_(k+1)) > 0 for all sides k; then the square
 * is f^2 / |N|^2. Otherwise it is on the boundary: the least of |c_k x c_(k+1)|^2 / |e|^2 over the segments that have
 * the foot of their line strictly inside (-c_k . e > 0, c_(k+1) . e > 0), and |c_k|^2 over the corners. (Letters as in
 * exact_apart_euclidean.c.)
 *
 * Maximum norm. Claim: the distance is the largest of 0 and of min_k (v . c_k) / (|v_x| + |v_y| + |v_z|) over the
 * directions v = +-x, +-y, +-z, +-N and +-(e_k x an axis). Why: it is not less than any of these, since v . x <= |v|_1
 * max |x_i|. And for every d below the distance D, hull and cube [-d, d]^3 are apart, so that one of these directions
 * keeps them apart (exact_apart_maximum.c): min_k v . c_k > d |v|_1. There are finitely many, so one does for d
 * arbitrarily close to D, and its quotient is at least D. The corners that attain the minimum span the feature.
 *
 * Claim: toi_exact_distance_scratch suffices. Coordinates are integers of b bits on the common scale, so that corners
 * have b + 1, products of two corners 2 b + 4, N 2 b + 6, f 3 b + 9, f^2 6 b + 18, |N|^2 4 b + 14 bits. Two rationals
 * are compared by products of 10 b + 32 bits, factors and doubles by 106 bits more, and by shifts only where both sides
 * have the same number of bits. 24 coordinates, 24 differences, 12 areas of 3, 4 segments of 8 products each, the
 * text's shifted and reduced copies, a gcd: fewer than 256 integers of 10 b + 160 bits. In text numerator and
 * denominator are shifted by the exponent, at most 2 * 1074 bits or twice the largest exponent. A share is compared by
 * x - lift + factor base, whose bits lie between 2^-2148 and 2^2049: 4200 of them, and twice as many in its square. It
 * takes its terms, their shifts and sums, the square and the products of a comparison: 16 integers at most. */

#include "narrow/exact_distance.h"

#include <float.h>
#include <math.h>

#include "narrow/exact_hull.h"
#include "number/interval.h"

enum { KEPT = 256, EXPONENT_BITS = 2200, SHARED = 16, SHARE_BITS = 2 * 4200 };

/* The hull at the instant, on one scale. */
typedef struct hull {
  toi_arena *arena;
  int count, segments;
  toi_integer c[TOI_MOST_CORNERS][TOI_AXES];
} hull;

/* A candidate for the distance. */
typedef struct quotient {
  toi_integer numerator, denominator;
  int dimension, feature;
} quotient;

/* --- vectors --- */

static toi_integer dot(toi_arena *arena, const toi_integer a[TOI_AXES], const toi_integer b[TOI_AXES]) {
  const toi_integer pairs[TOI_AXES][2] = {{a[0], b[0]}, {a[1], b[1]}, {a[2], b[2]}};
  return toi_integer_dot(arena, pairs, TOI_AXES);
}

static void cross(toi_arena *arena, const toi_integer a[TOI_AXES], const toi_integer b[TOI_AXES],
                  toi_integer out[TOI_AXES]) {
  for (int axis = 0; axis < TOI_AXES; axis++) {
    int y = (axis + 1) % TOI_AXES, z = (axis + 2) % TOI_AXES;
    out[axis] = toi_integer_determinant(arena, a[y], b[z], a[z], b[y]);
  }
}

static void subtract(toi_arena *arena, const toi_integer a[TOI_AXES], const toi_integer b[TOI_AXES],
                     toi_integer out[TOI_AXES]) {
  for (int axis = 0; axis < TOI_AXES; axis++)
    out[axis] = toi_integer_subtract(arena, a[axis], b[axis]);
}

/* -1, 0, 1 as p <, =, > q. */
static int compare_quotients(toi_arena *arena, const quotient *p, const quotient *q) {
  toi_limb *mark = toi_arena_mark(arena);
  toi_integer left = toi_integer_multiply(arena, p->numerator, q->denominator);
  int order = toi_integer_compare(left, toi_integer_multiply(arena, q->numerator, p->denominator));
  toi_arena_release(arena, mark);
  return order;
}

/* --- the hull --- */

static int least_exponent(const double *points, int count) {
  int least = INT32_MAX;
  for (int i = 0; i < count; i++) {
    int exponent;
    if (toi_double_split(points[i], &exponent) != 0)
      least = exponent < least ? exponent : least;
  }
  return least == INT32_MAX ? 0 : least;
}

static int make_hull(toi_arena *arena, toi_kind kind, const double *points, hull *out) {
  int least = least_exponent(points, TOI_AXES * (int)toi_kind_points(kind));
  const toi_corner *corners = toi_corners(kind);
  out->arena = arena;
  out->count = (int)toi_corner_count(kind);
  out->segments = out->count > 2 ? out->count : out->count - 1;
  for (int k = 0; k < out->count; k++) {
    for (int axis = 0; axis < TOI_AXES; axis++) {
      toi_integer first = toi_integer_from_double(arena, points[TOI_AXES * corners[k].first + axis], least);
      toi_integer second = toi_integer_from_double(arena, points[TOI_AXES * corners[k].second + axis], least);
      out->c[k][axis] = toi_integer_subtract(arena, first, second);
    }
  }
  return least;
}

static const toi_integer *corner_after(const hull *h, int k) {
  return h->c[k + 1 < h->count ? k + 1 : 0];
}

static void make_normal(const hull *h, toi_integer normal[TOI_AXES]) {
  toi_integer a[TOI_AXES], b[TOI_AXES];
  subtract(h->arena, h->c[1], h->c[0], a);
  subtract(h->arena, h->c[h->count - 1], h->c[0], b);
  cross(h->arena, a, b, normal);
}

/* --- Euclidean --- */

static bool closest_in_face(const hull *h, quotient *out) {
  toi_integer normal[TOI_AXES];
  make_normal(h, normal);
  for (int k = 0; k < h->count; k++) {
    toi_integer area[TOI_AXES];
    cross(h->arena, h->c[k], corner_after(h, k), area);
    if (dot(h->arena, normal, area).size <= 0)
      return false;
  }
  toi_integer f = dot(h->arena, normal, h->c[0]);
  *out = (quotient){toi_integer_multiply(h->arena, f, f), dot(h->arena, normal, normal), 2, 0};
  return true;
}

static bool closest_in_segment(const hull *h, int k, quotient *out) {
  const toi_integer *p = h->c[k], *q = corner_after(h, k);
  toi_integer e[TOI_AXES], area[TOI_AXES];
  subtract(h->arena, q, p, e);
  if (dot(h->arena, p, e).size >= 0 || dot(h->arena, q, e).size <= 0)
    return false;
  cross(h->arena, p, q, area);
  *out = (quotient){dot(h->arena, area, area), dot(h->arena, e, e), 1, k};
  return true;
}

static quotient euclidean(const hull *h) {
  quotient best, own;
  if (h->count >= 3 && closest_in_face(h, &best))
    return best;
  toi_integer one = toi_integer_from_u64(h->arena, 1);
  best = (quotient){dot(h->arena, h->c[0], h->c[0]), one, 0, 0};
  for (int k = 1; k < h->count; k++) {
    own = (quotient){dot(h->arena, h->c[k], h->c[k]), one, 0, k};
    best = compare_quotients(h->arena, &own, &best) < 0 ? own : best;
  }
  for (int k = 0; k < h->segments; k++)
    if (closest_in_segment(h, k, &own) && compare_quotients(h->arena, &own, &best) < 0)
      best = own;
  return best;
}

/* --- maximum norm --- */

/* The feature that the corners with the least value span, of `count` corners in a cycle. */
static void span_of(const bool least[TOI_MOST_CORNERS], int count, quotient *out) {
  int corners = 0;
  out->feature = 0;
  for (int k = 0; k < count; k++) {
    corners += least[k];
    int before = k > 0 ? k - 1 : count - 1;
    out->feature = least[k] && !least[before] ? k : out->feature;
  }
  out->dimension = corners < 3 ? corners - 1 : 2;
  out->feature = corners < 3 ? out->feature : 0;
}

/* What the direction v or -v says, if it is more than the best so far. */
static void try_direction(const hull *h, const toi_integer v[TOI_AXES], quotient *best) {
  toi_integer at[TOI_MOST_CORNERS] = {TOI_INTEGER_ZERO}, norm = TOI_INTEGER_ZERO;
  int sides = 0;
  for (int k = 0; k < h->count; k++) {
    at[k] = dot(h->arena, v, h->c[k]);
    sides += toi_integer_sign(at[k]);
  }
  if (sides != h->count && sides != -h->count)
    return;
  int low = 0;
  for (int k = 0; k < h->count; k++) {
    at[k] = toi_integer_absolute(at[k]);
    low = toi_integer_compare(at[k], at[low]) < 0 ? k : low;
  }
  for (int axis = 0; axis < TOI_AXES; axis++)
    norm = toi_integer_add(h->arena, norm, toi_integer_absolute(v[axis]));
  quotient own = {at[low], norm, 0, 0};
  if (compare_quotients(h->arena, &own, best) <= 0)
    return;
  bool least[TOI_MOST_CORNERS];
  for (int k = 0; k < h->count; k++)
    least[k] = toi_integer_compare(at[k], at[low]) == 0;
  span_of(least, h->count, &own);
  *best = own;
}

static quotient maximum(const hull *h) {
  toi_integer one = toi_integer_from_u64(h->arena, 1);
  quotient best = {TOI_INTEGER_ZERO, one, h->count > 2 ? 2 : h->count - 1, 0};
  for (int axis = 0; axis < TOI_AXES; axis++) {
    toi_integer v[TOI_AXES] = {TOI_INTEGER_ZERO, TOI_INTEGER_ZERO, TOI_INTEGER_ZERO};
    v[axis] = one;
    try_direction(h, v, &best);
  }
  for (int k = 0; k < h->segments; k++) {
    toi_integer e[TOI_AXES];
    subtract(h->arena, corner_after(h, k), h->c[k], e);
    for (int axis = 0; axis < TOI_AXES; axis++) {
      toi_integer v[TOI_AXES] = {TOI_INTEGER_ZERO, TOI_INTEGER_ZERO, TOI_INTEGER_ZERO};
      v[(axis + 1) % TOI_AXES] = e[(axis + 2) % TOI_AXES];
      v[(axis + 2) % TOI_AXES] = toi_integer_negate(e[(axis + 1) % TOI_AXES]);
      try_direction(h, v, &best);
    }
  }
  if (h->count >= 3) {
    toi_integer normal[TOI_AXES];
    make_normal(h, normal);
    try_direction(h, normal, &best);
  }
  return best;
}

/* --- for callers --- */

/* Bits of the largest integers without a share. */
static size_t most_bits(toi_kind kind, const double *points) {
  int values = TOI_AXES * (int)toi_kind_points(kind), least = least_exponent(points, values), high = least;
  for (int i = 0; i < values; i++) {
    int top;
    frexp(points[i], &top);
    high = points[i] != 0 && top > high ? top : high;
  }
  return 10 * (size_t)(high - least) + 160;
}

size_t toi_exact_distance_scratch(toi_kind kind, const double *points) {
  const size_t bits = most_bits(kind, points);
  return (KEPT * (bits / 64 + 2) + 8 * ((bits + EXPONENT_BITS) / 64 + 2)) * sizeof(toi_limb);
}

size_t toi_exact_share_scratch(toi_kind kind, const double *points, const toi_share *share) {
  const size_t size = toi_exact_distance_scratch(kind, points);
  if (share->base == 0 && share->lift == 0)
    return size;
  return size + SHARED * ((most_bits(kind, points) + SHARE_BITS) / 64 + 2) * sizeof(toi_limb);
}

void toi_exact_distance_at(toi_kind kind, const double *points, toi_norm norm, toi_arena arena,
                           toi_exact_distance *distance) {
  hull h = {.arena = &arena};
  int least = make_hull(&arena, kind, points, &h);
  quotient q = norm == TOI_NORM_L2 ? euclidean(&h) : maximum(&h);
  *distance = (toi_exact_distance){.arena = arena,
                                   .norm = norm,
                                   .numerator = q.numerator,
                                   .denominator = q.denominator,
                                   .exponent = norm == TOI_NORM_L2 ? 2 * least : least,
                                   .dimension = q.dimension,
                                   .feature = q.feature};
}

/* -1, 0, 1 as a 2^k <, =, > b 2^l, both not negative. */
static int compare_scaled(toi_arena *arena, toi_integer a, int k, toi_integer b, int l) {
  if (a.size == 0 || b.size == 0)
    return toi_integer_compare(a, b);
  int top_a = (int)toi_integer_bits(a) + k, top_b = (int)toi_integer_bits(b) + l;
  if (top_a != top_b)
    return top_a < top_b ? -1 : 1;
  return toi_integer_compare(toi_integer_shift_left(arena, a, k > l ? (uint32_t)(k - l) : 0),
                             toi_integer_shift_left(arena, b, l > k ? (uint32_t)(l - k) : 0));
}

/* -1, 0, 1 as factor times the distance <, =, > r 2^l, which is not negative. */
static int compare_multiple(toi_arena *arena, const toi_exact_distance *distance, double factor, toi_integer r, int l) {
  int k, power = distance->norm == TOI_NORM_L2 ? 2 : 1;
  toi_integer left = distance->numerator, right = distance->denominator;
  toi_integer m = toi_integer_from_i64(arena, toi_double_split(factor, &k));
  // factor^power numerator 2^exponent against r^power denominator.
  for (int i = 0; i < power; i++) {
    left = toi_integer_multiply(arena, left, m);
    right = toi_integer_multiply(arena, right, r);
  }
  return compare_scaled(arena, left, distance->exponent + power * k, right, power * l);
}

int toi_exact_distance_compare(const toi_exact_distance *distance, double factor, double x) {
  toi_arena arena = distance->arena;
  int l;
  toi_integer r = toi_integer_from_i64(&arena, toi_double_split(x, &l));
  return compare_multiple(&arena, distance, factor, r, l);
}

/* --- shares --- */

/* x - lift + factor base, as an integer times 2^exponent. */
static toi_integer without_lift(toi_arena *arena, const toi_share *share, double x, int *exponent) {
  int e[4], least = INT32_MAX;
  const int64_t m[4] = {toi_double_split(x, &e[0]), -toi_double_split(share->lift, &e[1]),
                        toi_double_split(share->factor, &e[2]), toi_double_split(share->base, &e[3])};
  toi_integer term[3] = {toi_integer_from_i64(arena, m[0]), toi_integer_from_i64(arena, m[1]), TOI_INTEGER_ZERO};
  term[2] = toi_integer_multiply(arena, toi_integer_from_i64(arena, m[2]), toi_integer_from_i64(arena, m[3]));
  e[2] += e[3];
  for (int i = 0; i < 3; i++)
    least = term[i].size != 0 && e[i] < least ? e[i] : least;
  toi_integer sum = TOI_INTEGER_ZERO;
  for (int i = 0; i < 3; i++)
    if (term[i].size != 0)
      sum = toi_integer_add(arena, sum, toi_integer_shift_left(arena, term[i], (uint32_t)(e[i] - least)));
  *exponent = sum.size == 0 ? 0 : least;
  return sum;
}

/* The same of a distance beyond the base. */
static int compare_beyond(const toi_exact_distance *distance, const toi_share *share, double x) {
  toi_arena arena = distance->arena;
  int exponent;
  toi_integer r = without_lift(&arena, share, x, &exponent);
  return r.size < 0 ? 1 : compare_multiple(&arena, distance, share->factor, r, exponent);
}

int toi_exact_share_compare(const toi_exact_distance *distance, const toi_share *share, double x) {
  if (toi_exact_distance_compare(distance, 1, share->base) <= 0)
    return (share->lift > x) - (share->lift < x);
  return compare_beyond(distance, share, x);
}

/* About factor times the distance; the largest double where that is too large. */
static double multiple_about(const toi_exact_distance *distance, double factor) {
  int up, down, own;
  double a = toi_integer_approximate(distance->numerator, &up);
  double b = toi_integer_approximate(distance->denominator, &down);
  int exponent = up - down + distance->exponent;
  double ratio = a / b, f = frexp(factor, &own);
  if (distance->norm == TOI_NORM_L2) {
    ratio = exponent % 2 == 0 ? sqrt(ratio) : sqrt(2 * ratio);
    exponent = (exponent - (exponent % 2 != 0)) / 2;
  }
  return fmin(ldexp(ratio * f, exponent + own), DBL_MAX);
}

double toi_exact_share(const toi_exact_distance *distance, const toi_share *share) {
  if (share->factor == 0 || toi_exact_distance_compare(distance, 1, share->base) <= 0)
    return share->lift;
  // A rounded value to start from; then by exact comparisons, on the bits of doubles: further and further on the side
  // where the share is, and halves of what that leaves. The share is not below `low`, and below `high`.
  double about = share->lift + (multiple_about(distance, share->factor) - share->factor * share->base);
  about = about > share->lift ? fmin(about, DBL_MAX) : fabs(share->lift);
  uint64_t low = toi_bits(fabs(share->lift)), high = toi_bits(INFINITY), at = toi_bits(about);
  const bool upwards = compare_beyond(distance, share, about) >= 0;
  *(upwards ? &low : &high) = at;
  bool passed = false;
  for (uint64_t step = 1; !passed && step < high - low; step *= 2) {
    at = upwards ? low + step : high - step;
    const bool reached = compare_beyond(distance, share, toi_from_bits(at)) >= 0;
    *(reached ? &low : &high) = at;
    passed = reached != upwards;
  }
  while (high - low > 1) {
    at = low + (high - low) / 2;
    *(compare_beyond(distance, share, toi_from_bits(at)) >= 0 ? &low : &high) = at;
  }
  return toi_from_bits(low);
}

static size_t hex_digits(toi_integer a) {
  return a.size == 0 ? 1 : (toi_integer_bits(a) + 3) / 4;
}

static char *write_hex(toi_integer a, char *text) {
  for (size_t i = hex_digits(a); i-- > 0;) {
    toi_limb limb = a.size == 0 ? 0 : a.limb[i / 16];
    *text++ = "0123456789abcdef"[limb >> (4 * (i % 16)) & 15];
  }
  return text;
}

size_t toi_exact_distance_text(const toi_exact_distance *distance, char *text, size_t size) {
  toi_arena arena = distance->arena;
  toi_integer top = distance->numerator, bottom = distance->denominator;
  toi_integer common = toi_integer_gcd(&arena, top, bottom);
  top = toi_integer_divide_exact(&arena, top, common);
  bottom = toi_integer_divide_exact(&arena, bottom, common);
  // The power of two, after those that are there already.
  int e = top.size == 0 ? 0 : distance->exponent;
  uint32_t zeros = e >= 0 ? toi_integer_trailing_zeros(bottom) : top.size == 0 ? 0 : toi_integer_trailing_zeros(top);
  uint32_t shift = (uint32_t)(e < 0 ? -e : e), out = zeros < shift ? zeros : shift;
  if (e >= 0) {
    bottom = toi_integer_shift_right(&arena, bottom, out);
    top = toi_integer_shift_left(&arena, top, shift - out);
  } else {
    top = toi_integer_shift_right(&arena, top, out);
    bottom = toi_integer_shift_left(&arena, bottom, shift - out);
  }
  size_t needed = hex_digits(top) + hex_digits(bottom) + 2;
  if (size < needed)
    return needed;
  text = write_hex(top, text);
  *text++ = '/';
  *write_hex(bottom, text) = '\0';
  return needed;
}
