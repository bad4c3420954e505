/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The memory of exact separations and distances: what they say they need is enough, for exponents of all kinds, and GMP
 * takes none behind their back. Bytes after the scratch are watched; debug builds also assert every push to the arena.
 */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <gmp.h>

#include "narrow/exact_distance.h"
#include "narrow/exact_separation.h"
#include "narrow/gmp_counter.h"
#include "support/support.h"

#define GUARD 64
#define FILL 0xa5
#define MEMORY_SIZE (64u << 20)

static unsigned char *memory;

static int make_memory(void **state) {
  (void)state;
  memory = aligned_alloc(64, MEMORY_SIZE + GUARD);
  return memory ? 0 : -1;
}

static int free_memory(void **state) {
  (void)state;
  free(memory);
  return 0;
}

/* Extremes, coordinates as meshes have them, or small integers. */
static double draw(uint64_t *state, int style) {
  uint64_t bits = test_random(state);
  switch (style) {
  case 4:
    return ldexp(test_random_unit(state) - 0.5, (int)(bits % 60));
  case 5:
    return (double)(bits % 9) - 4;
  default:
    return test_random_extreme(state, style);
  }
}

static double draw_separation(uint64_t *state, const double *query, int values) {
  uint64_t choice = test_random(state) % 6;
  double own = fabs(query[test_random(state) % (uint64_t)values]);
  double d = choice == 0   ? 0x1p-1074
             : choice == 1 ? 1e300
             : choice == 2 ? own
             : choice == 3 ? own / 3
             : choice == 4 ? ldexp(1, (int)(test_random(state) % 2000) - 1000)
                           : (double)(1 + test_random(state) % 3);
  return d > 0 && isfinite(d) ? d : 1;
}

static toi_kind draw_query(uint64_t *state, double query[24], double *d) {
  toi_kind kind = (toi_kind)(test_random(state) % TOI_KIND_COUNT);
  int values = 6 * (int)toi_kind_points(kind), style = (int)(test_random(state) % 6);
  for (int i = 0; i < values; i++) {
    query[i] = draw(state, style);
    // Motion through the origin, so that there is something to find.
    if (i >= values / 2 && test_random(state) % 2)
      query[i] = -query[i - values / 2];
  }
  *d = draw_separation(state, query, values);
  return kind;
}

static void expect_guard(toi_kind kind, const double *query, size_t size) {
  for (size_t i = 0; i < GUARD; i++)
    if (memory[size + i] != FILL) {
      test_print_query(kind, query);
      fail_msg("written past %zu bytes", size);
    }
}

static void scratch_is_enough_for_all_exponents(void **unused) {
  (void)unused;
  uint64_t state = test_seed(1), hits[2] = {0, 0}, late[2] = {0, 0};
  for (uint64_t round = 0; round < test_count_from(400, 40); round++) {
    double query[24], d;
    toi_kind kind = draw_query(&state, query, &d);
    for (int norm = 0; norm < 2; norm++) {
      size_t size = toi_exact_separation_scratch(kind, query, d, (toi_norm)norm);
      assert_true(size <= MEMORY_SIZE);
      memset(memory + size, FILL, GUARD);
      toi_hit hit;
      toi_exact_separation(kind, query, d, (toi_norm)norm, 1, NAN, memory, &hit);
      expect_guard(kind, query, size);
      hits[norm] += hit.verdict == TOI_HIT;
      late[norm] += hit.verdict == TOI_HIT && hit.t_hi > 0;
    }
  }
  assert_true(hits[0] > 0 && hits[1] > 0 && late[0] > 0 && late[1] > 0);
}

/* Plain fractions, and shares beyond a base, of all exponents. */
static toi_share draw_share(uint64_t *state, double d) {
  toi_share share = {.factor = test_random_unit(state)};
  const uint64_t choice = test_random(state) % 4;
  if (choice == 0)
    return share;
  share.base = d;
  share.lift = choice == 1 ? 0 : d;
  if (choice == 3) {
    share.factor = fabs(test_random_extreme(state, 0));
    share.base = fabs(test_random_extreme(state, 1));
  }
  return share;
}

static void distances_keep_to_their_memory(void **unused) {
  (void)unused;
  uint64_t state = test_seed(2);
  for (uint64_t round = 0; round < test_count(3000); round++) {
    double query[24], d;
    toi_kind kind = draw_query(&state, query, &d);
    const toi_share share = draw_share(&state, d);
    size_t size = toi_exact_share_scratch(kind, query, &share);
    memset(memory + size, FILL, GUARD);
    toi_exact_distance distance;
    toi_exact_distance_at(kind, query, (toi_norm)(round % 2), toi_arena_make(memory, size), &distance);
    double value = toi_exact_share(&distance, &share);
    assert_true(value >= share.lift && isfinite(value));
    assert_true(toi_exact_share_compare(&distance, &share, value) >= 0);
    static char text[1 << 16];
    assert_true(toi_exact_distance_text(&distance, text, sizeof text) <= sizeof text);
    expect_guard(kind, query, size);
  }
}

static void gmp_allocates_nothing(void **unused) {
  (void)unused;
  gmp_count_allocations();
  uint64_t state = test_seed(3);
  for (uint64_t round = 0; round < test_count(300); round++) {
    double query[24], d;
    toi_kind kind = draw_query(&state, query, &d);
    toi_hit hit;
    toi_norm norm = (toi_norm)(round % 2);
    toi_exact_separation(kind, query, d, norm, 1, NAN, memory, &hit);
    toi_exact_distance distance;
    toi_exact_distance_at(kind, query, norm, toi_arena_make(memory, MEMORY_SIZE), &distance);
    const toi_share share = draw_share(&state, d);
    toi_exact_share(&distance, &share);
    toi_exact_distance_text(&distance, NULL, 0);
  }
  mp_set_memory_functions(NULL, NULL, NULL);
  assert_int_equal(gmp_allocations, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(scratch_is_enough_for_all_exponents),
      cmocka_unit_test(distances_keep_to_their_memory),
      cmocka_unit_test(gmp_allocates_nothing),
  };
  return cmocka_run_group_tests(tests, make_memory, free_memory);
}
