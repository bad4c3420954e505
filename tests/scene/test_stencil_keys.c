/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Keys of stencils in bounded memory, pass by pass, and numbers of edges by their vertices, against plain lists. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scene/edge_index.h"
#include "scene/stencil_keys.h"
#include "support/support.h"

enum { ADDED = 6000, KINDS = TOI_KIND_COUNT, FIRSTS = 40, SECONDS = 30 };

/* How often each key was added; of two edges 0, or a note and one. */
typedef struct counts {
  uint32_t of[KINDS][FIRSTS][SECONDS];
} counts;

static void add_all(toi_stencil_keys *keys, const uint32_t (*given)[3], uint32_t threads) {
  for (size_t i = 0; i < ADDED; i++) {
    const uint32_t *k = given[i];
    const toi_pair pair = {k[1], k[2]};
    const bool edges = k[0] == TOI_EDGE_EDGE;
    toi_stencil_keys_add(keys, (uint32_t)(i % threads),
                         toi_stencil_key_make((toi_kind)k[0], pair, edges ? (k[1] + k[2]) % 16 : 1));
  }
}

/* Random keys, many of them equal but for those of two edges. */
static void make_keys(uint64_t *random, uint32_t (*given)[3], counts *all) {
  memset(all, 0, sizeof *all);
  for (size_t i = 0; i < ADDED; i++) {
    uint32_t *k = given[i];
    do {
      k[0] = (uint32_t)(test_random(random) % KINDS);
      k[1] = (uint32_t)(test_random(random) % (k[0] == TOI_VERTEX_VERTEX ? 3 : FIRSTS));
      k[2] = (uint32_t)(test_random(random) % SECONDS);
      if (k[0] == TOI_EDGE_EDGE && all->of[k[0]][k[1]][k[2]] && i > ADDED / 2)
        k[0] = TOI_VERTEX_EDGE;
    } while (k[0] == TOI_EDGE_EDGE && all->of[k[0]][k[1]][k[2]]);
    all->of[k[0]][k[1]][k[2]] += k[0] == TOI_EDGE_EDGE ? 1 + (k[1] + k[2]) % 16 : 1;
  }
}

/* Takes the next keys from `found` on and compares them; returns how many. */
static size_t check_pass(toi_stencil_keys *keys, counts *left, uint64_t *last) {
  toi_stencil_key next[97];
  size_t total = 0, count;
  while ((count = toi_stencil_keys_next(keys, next, 97)) > 0)
    for (size_t i = 0; i < count; i++, total++) {
      const toi_pair pair = toi_key_pair(next[i]);
      const toi_kind kind = toi_key_kind(next[i]);
      const uint64_t place = ((uint64_t)kind << 40) + ((uint64_t)pair.first << 20) + pair.second + 1;
      uint32_t *own = &left->of[kind][pair.first][pair.second];
      assert_true(place > *last);
      *last = place;
      assert_int_equal(toi_key_note(next[i]) + (kind == TOI_EDGE_EDGE), *own);
      *own = 0;
    }
  return total;
}

static void keys_come_in_order_with_their_numbers(void **state) {
  (void)state;
  uint64_t random = test_seed(51);
  static uint32_t given[ADDED][3];
  static counts all, left;
  unsigned most_passes = 0;
  for (uint32_t threads = 1; threads <= 4; threads++)
    for (size_t most = 1 << 20; most >= 64; most /= 8) {
      toi_context *context = test_context(threads);
      toi_stencil_keys keys;
      uint64_t last = 0;
      size_t found = 0, passes = 0;
      make_keys(&random, given, &all);
      left = all;
      assert_int_equal(toi_stencil_keys_make(context, &keys), TOI_OK);
      keys.most = most;
      do {
        add_all(&keys, (const uint32_t(*)[3])given, threads);
        assert_int_equal(toi_stencil_keys_sort(&keys), TOI_OK);
        const size_t own = check_pass(&keys, &left, &last);
        assert_true(own > 0);
        found += own;
        passes++;
      } while (toi_stencil_keys_again(&keys));
      size_t different = 0;
      for (size_t i = 0; i < sizeof all / sizeof(uint32_t); i++) {
        different += (&all.of[0][0][0])[i] > 0;
        assert_int_equal((&left.of[0][0][0])[i], 0);
      }
      assert_int_equal(found, different);
      assert_true(most > ADDED ? passes == 1 : most > 64 || passes > 1);
      most_passes = passes > most_passes ? (unsigned)passes : most_passes;
      toi_stencil_keys_end(&keys);
      toi_context_destroy(context);
    }
  printf("up to %u passes\n", most_passes);
}

/* What is thrown away is added again, with less memory, until there is no less. */
static void keys_shrink_to_a_least_size(void **state) {
  (void)state;
  uint64_t random = test_seed(52);
  static uint32_t given[ADDED][3];
  static counts all;
  toi_context *context = test_context(2);
  toi_stencil_keys keys;
  make_keys(&random, given, &all);
  const uint64_t before = toi_context_bytes(context);
  assert_int_equal(toi_stencil_keys_make(context, &keys), TOI_OK);
  const uint64_t least = toi_context_bytes(context);
  size_t times = 0;
  for (bool more = true; more; times++) {
    add_all(&keys, (const uint32_t(*)[3])given, 2);
    more = toi_stencil_keys_shrink(&keys);
  }
  assert_true(times > 2 && times < 20);
  assert_true(toi_context_bytes(context) <= least);
  toi_stencil_keys_end(&keys);
  assert_int_equal(toi_context_bytes(context), before);
  toi_context_destroy(context);
}

/* --- edges --- */

static void edges_are_found_by_their_vertices(void **state) {
  (void)state;
  uint64_t random = test_seed(53);
  enum { VERTICES = 60, MOST = 400 };
  for (uint64_t round = 0; round < test_count(300); round++) {
    uint32_t edges[MOST][2], first[VERTICES][VERTICES];
    toi_context *context = test_context(1);
    toi_mesh mesh = {.vertex_count = VERTICES, .edges = (const uint32_t(*)[2])edges};
    const uint32_t vertices = 1 + (uint32_t)(test_random(&random) % VERTICES);
    memset(first, 0xff, sizeof first);
    mesh.edge_count = test_random(&random) % MOST;
    for (uint32_t i = 0; i < mesh.edge_count; i++)
      for (int k = 0; k < 2; k++)
        edges[i][k] = round % 5 == 0 ? (k ? i * VERTICES / MOST : 0) : (uint32_t)(test_random(&random) % vertices);
    for (uint32_t i = (uint32_t)mesh.edge_count; i-- > 0;)
      first[edges[i][0]][edges[i][1]] = first[edges[i][1]][edges[i][0]] = i;
    toi_edge_index index;
    const uint64_t before = toi_context_bytes(context);
    assert_int_equal(toi_edge_index_make(context, &mesh, &index), TOI_OK);
    for (uint32_t a = 0; a < VERTICES; a++)
      for (uint32_t b = 0; b < VERTICES; b++)
        assert_int_equal(toi_edge_number(&index, a, b), first[a][b]);
    toi_edge_index_end(&index);
    assert_int_equal(toi_context_bytes(context), before);
    toi_context_destroy(context);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(keys_come_in_order_with_their_numbers),
      cmocka_unit_test(keys_shrink_to_a_least_size),
      cmocka_unit_test(edges_are_found_by_their_vertices),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
