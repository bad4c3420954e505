/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The memory of the exact method: what it says it needs is enough, for exponents of all kinds, and GMP takes none
 * behind its back. Bytes after the scratch are watched; debug builds also assert every push to the arena. */

#include "narrow/exact_cases.h"

#include <gmp.h>

#include <toi/proof.h>

#include "narrow/exact_hull.h"
#include "narrow/gmp_counter.h"

#define GUARD 64
#define FILL 0xa5

static _Alignas(64) unsigned char memory[(1u << 23) + GUARD];

static toi_kind draw_query(uint64_t *state, double query[24]) {
  toi_kind kind = (toi_kind)(test_random(state) % TOI_KIND_COUNT);
  int values = 6 * (int)toi_kind_points(kind), style = (int)(test_random(state) % 4);
  for (int i = 0; i < values; i++) {
    query[i] = test_random_extreme(state, style);
    // Motion through the origin, so that there is something to find.
    if (i >= values / 2 && test_random(state) % 2)
      query[i] = -query[i - values / 2];
  }
  return kind;
}

static void expect_guard(size_t size) {
  for (size_t i = 0; i < GUARD; i++)
    assert_int_equal(memory[size + i], FILL);
}

static void scratch_is_enough_for_all_exponents(void **unused) {
  (void)unused;
  uint64_t state = test_seed(1), hits = 0;
  for (uint64_t round = 0; round < test_count(3000); round++) {
    double query[24];
    toi_kind kind = draw_query(&state, query);
    size_t size = toi_exact_scratch(kind, query);
    assert_true(size + GUARD <= sizeof memory);
    memset(memory + size, FILL, GUARD);
    toi_hit hit;
    toi_exact(kind, query, 1, NAN, memory, &hit);
    expect_guard(size);
    hits += hit.verdict == TOI_HIT;
  }
  assert_true(hits > 0);
}

static void counting_agrees_with_the_verdict_in_its_memory(void **unused) {
  (void)unused;
  uint64_t state = test_seed(2);
  for (uint64_t round = 0; round < test_count(600); round++) {
    double query[24];
    toi_kind kind = draw_query(&state, query);
    toi_exact_bound bound = toi_exact_bound_of(kind, query);
    size_t size = toi_exact_count_bytes(&bound);
    assert_true(size + GUARD <= sizeof memory);
    memset(memory + size, FILL, GUARD);
    toi_arena arena = toi_arena_make(memory, size);
    toi_exact_hull frame;
    toi_exact_hull_make(&arena, kind, query, &bound, &frame);
    if (frame.count >= 3)
      toi_exact_hull_coplanarity(&frame);
    toi_exact_first first;
    toi_exact_first_contact(&frame, 1, NAN, &first);
    uint32_t contacts = toi_exact_count(&frame, 1, &first);
    expect_guard(size);
    if ((contacts > 0) != first.touching) {
      test_print_query(kind, query);
      fail_msg("%u contact times, touching %d", contacts, first.touching);
    }
  }
}

static void common_queries_need_little(void **unused) {
  (void)unused;
  // Coordinates of 53 bits within a factor of 2^11: what meshes have. The bound is what callers put on the stack.
  uint64_t state = test_seed(3);
  for (int round = 0; round < 1000; round++) {
    double query[24];
    for (int i = 0; i < 24; i++)
      query[i] = ldexp(test_random_unit(&state) - 0.5, (int)(test_random(&state) % 6));
    assert_true(toi_exact_scratch(TOI_VERTEX_FACE, query) <= 32768);
  }
}

static void gmp_allocates_nothing(void **unused) {
  (void)unused;
  gmp_count_allocations();
  uint64_t state = test_seed(4);
  for (uint64_t round = 0; round < test_count(2000); round++) {
    double query[24];
    toi_kind kind = draw_query(&state, query);
    toi_hit hit;
    toi_exact(kind, query, 1, NAN, memory, &hit);
  }
  assert_int_equal(gmp_allocations, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(scratch_is_enough_for_all_exponents),
      cmocka_unit_test(counting_agrees_with_the_verdict_in_its_memory),
      cmocka_unit_test(common_queries_need_little),
      cmocka_unit_test(gmp_allocates_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
