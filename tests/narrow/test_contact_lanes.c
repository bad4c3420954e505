/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The contact filter decides alike in every number of lanes and on every machine: one hash of what it leaves open of
 * pairs that touch and of others like them. Needs nothing but the filter, so that it runs under emulation too. */

#include "narrow/filter_block.h"
#include "narrow/touching_pairs.h"

#define ROUNDS 160
#define EXPECTED UINT64_C(0xfd5cc80b96d6945)

/* Touching pairs in one round, and in the next others of the same digits: the first primitive moved by less and less.
 */
static void draw_block(uint64_t *state, uint64_t round, filter_block *b) {
  touching_scene s = {.state = state, .kind = (toi_kind)(round / 2 % 2), .bits = 6 + (int)(round % 16)};
  s.spread = round % 3 ? s.bits + 14 : 0;
  s.shift = round % 5 == 0 && s.spread ? s.spread + 5 : 0;
  b->kind = s.kind;
  b->count = BLOCK_PAIRS;
  const int points = b->kind == TOI_EDGE_EDGE ? 2 : 1;
  for (size_t i = 0; i < b->count; i++) {
    touching_make(&s, b->queries[i]);
    for (int time = 0; round % 2 && time < 2; time++)
      for (int k = 0; k < points; k++)
        b->queries[i][12 * time + 3 * k + (int)(i % 3)] += ldexp(1, s.bits + 4 - (int)(i % 20));
  }
  filter_block_lay_out(b);
}

static void one_hash_for_all_lanes_and_machines(void **unused) {
  (void)unused;
  toi_context *context = test_context(1);
  uint64_t state = 1907, hash = UINT64_C(14695981039346656037);
  static filter_block b;
  bool open[2][BLOCK_PAIRS];
  size_t left = 0;
  for (uint64_t round = 0; round < ROUNDS; round++) {
    draw_block(&state, round, &b);
    assert_true(filter_block_run(context, &b, open));
    for (size_t i = 0; i < b.count; i++) {
      if (round % 2 == 0)
        assert_true(open[0][i] && open[1][i]);
      hash = (hash ^ open[0][i]) * UINT64_C(1099511628211);
      left += open[0][i];
    }
  }
  print_message("%zu of %d open, hash %#llx\n", left, ROUNDS * BLOCK_PAIRS, (unsigned long long)hash);
  toi_context_destroy(context);
  assert_true(hash == EXPECTED);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(one_hash_for_all_lanes_and_machines)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
