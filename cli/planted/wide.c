/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Queries with exponents from the whole range: eight families in turn, from wholly random coordinates to small integers
 * with a single coordinate of any magnitude. Signs and zeros are drawn such that hits, and degenerate ones, are
 * frequent. */

#include "planted/wide.h"

#include <math.h>

#include "planted/planted.h"
#include "planted/random.h"

enum { LEAST = -1074, MOST = 1023 };

typedef struct draw {
  planted_random random;
  uint64_t family;
  uint32_t chosen; /* the coordinate that is of another magnitude */
  bool flat;       /* nothing leaves the plane z = 0 */
  double pool[4];
} draw;

/* 2^exponent, times a random number in [1, 2) if there is room for its bits; of either sign. */
static double of_exponent(planted_random *random, int exponent, bool power) {
  double mantissa = 1;
  if (!power)
    mantissa += ldexp((double)(planted_bits(random) >> 12), -52);
  return (double)planted_sign(random) * ldexp(mantissa, exponent);
}

static double any_magnitude(planted_random *random, bool power) {
  return of_exponent(random, (int)planted_between(random, LEAST, MOST), power);
}

static double small_integer(planted_random *random) {
  return (double)planted_between(random, -3, 3);
}

static double coordinate(draw *d, uint32_t number) {
  planted_random *random = &d->random;
  switch (d->family) {
  case 0: /* all of any magnitude */
    return any_magnitude(random, false);
  case 1: /* powers of two */
    return any_magnitude(random, true);
  case 2: /* small integers, one coordinate of any magnitude */
    return number == d->chosen ? any_magnitude(random, true) : small_integer(random);
  case 3: /* zero half of the time */
    return planted_once_in(random, 2) ? 0 : any_magnitude(random, true);
  case 4: /* small integers and a few of any magnitude */
    return planted_once_in(random, 4) ? any_magnitude(random, planted_once_in(random, 2)) : small_integer(random);
  case 5: /* small integers, one coordinate next to the smallest */
    return number == d->chosen ? of_exponent(random, LEAST + (int)planted_between(random, 0, 60), false)
                               : small_integer(random);
  case 6: /* few different values */
    return d->pool[planted_bits(random) % 4] * (double)planted_between(random, -1, 1);
  default: /* two magnitudes, far apart */
    return d->pool[planted_bits(random) % 2] * ldexp((double)planted_between(random, -64, 64), -6);
  }
}

toi_kind planted_wide(toi_kind kind, uint64_t seed, uint64_t index, double points[24]) {
  draw d = {.random = planted_seed(seed, 77, index), .family = index % 8};
  const uint64_t bits = planted_bits(&d.random);
  if (kind == PLANTED_ANY)
    kind = bits % 8 == 0   ? TOI_VERTEX_VERTEX
           : bits % 8 == 1 ? TOI_VERTEX_EDGE
           : bits % 2      ? TOI_EDGE_EDGE
                           : TOI_VERTEX_FACE;
  const uint32_t count = 6 * planted_points(kind);
  d.flat = planted_once_in(&d.random, 8);
  d.chosen = (uint32_t)(planted_bits(&d.random) % count);
  for (int i = 0; i < 4; i++)
    d.pool[i] = any_magnitude(&d.random, planted_once_in(&d.random, 2));
  for (uint32_t i = 0; i < count; i++) {
    points[i] = coordinate(&d, i);
    if (d.flat && i % 3 == 2)
      points[i] = 0;
  }
  return kind;
}
