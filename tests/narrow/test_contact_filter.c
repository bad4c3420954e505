/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The contact filter: what touches stays open, in every number of lanes and with subnormal numbers flushed; and it
 * settles nearly all that the filter in doubles does.
 *
 * Oracles: pairs that touch by construction, planted queries, the truth of the data sets, and the method `exact`, all
 * of which may be believed everywhere. TOI_TEST_SCALE=200 makes 20 million planted queries and 20 million touching
 * pairs (script/filter-runs). */

#include "narrow/data_sets.h"
#include "narrow/filter_block.h"
#include "narrow/touching_pairs.h"
#include "planted/planted.h"

static toi_context *context;

static void expect_open(const filter_block *b, size_t i, const bool open[2][BLOCK_PAIRS], const char *what) {
  if (open[0][i] && open[1][i])
    return;
  test_print_query(b->kind, b->queries[i]);
  fail_msg("%s is settled%s", what, open[0][i] ? " where subnormal numbers are flushed" : "");
}

/* --- pairs that touch --- */

/* Scenes of small pairs in much space (wide), or of pairs whose coordinates are floats. */
static touching_scene draw_scene(uint64_t *state, bool wide) {
  touching_scene s = {.state = state, .kind = (toi_kind)(test_random(state) % 2)};
  s.exponent = (int)(test_random(state) % 200) - 100;
  if (!wide) {
    s.bits = 6 + (int)(test_random(state) % 11);
    s.spread = test_random(state) % 2 ? 20 : 0;
    return s;
  }
  // Extents of at most 2^(bits + 6), a thousandth of 2^spread.
  s.bits = 4 + (int)(test_random(state) % 20);
  s.spread = s.bits + 16 + (int)(test_random(state) % (uint64_t)(33 - s.bits));
  s.shift = test_random(state) % 3 == 0 && s.spread < 46 ? s.spread + 5 : 0;
  return s;
}

static void check_touching(uint64_t seed, bool wide) {
  uint64_t state = test_seed(seed), rounds = test_count(50000 / BLOCK_PAIRS);
  static filter_block b;
  bool open[2][BLOCK_PAIRS];
  for (uint64_t round = 0; round < rounds; round++) {
    const touching_scene scene = draw_scene(&state, wide);
    b.kind = scene.kind;
    b.count = BLOCK_PAIRS;
    for (size_t i = 0; i < b.count; i++)
      touching_make(&scene, b.queries[i]);
    filter_block_lay_out(&b);
    assert_true(filter_block_run(context, &b, open));
    for (size_t i = 0; i < b.count; i++)
      expect_open(&b, i, (const bool(*)[BLOCK_PAIRS])open, "a pair that touches");
  }
  print_message("%zu pairs that touch stay open\n", (size_t)(rounds * BLOCK_PAIRS));
}

static void small_pairs_in_a_large_scene_stay_open(void **unused) {
  (void)unused;
  check_touching(1901, true);
}

static void touching_pairs_of_floats_stay_open(void **unused) {
  (void)unused;
  check_touching(1902, false);
}

/* The generator makes what it says, by `exact`; and moved apart by a quarter of their extent, most are settled. */
static void touching_pairs_touch_and_moved_apart_are_settled(void **unused) {
  (void)unused;
  uint64_t state = test_seed(1903);
  static filter_block b;
  bool open[2][BLOCK_PAIRS];
  size_t settled = 0, asked = 0;
  for (uint64_t round = 0; round < test_count_from(40, 4); round++) {
    const touching_scene scene = draw_scene(&state, round % 2);
    toi_options options = toi_default_options();
    options.method = "exact";
    b.kind = scene.kind;
    b.count = BLOCK_PAIRS;
    for (size_t i = 0; i < b.count; i++) {
      toi_hit hit;
      touching_make(&scene, b.queries[i]);
      const double(*points)[3] = (const double(*)[3])b.queries[i];
      assert_int_equal(toi_query(b.kind, points, points + 4, &options, &hit), TOI_OK);
      assert_int_equal(hit.verdict, TOI_HIT);
      for (int time = 0; time < 2; time++)
        b.queries[i][12 * time + (int)(i % 3)] += ldexp(1, scene.bits + 4 + scene.exponent);
      if (b.kind == TOI_EDGE_EDGE)
        for (int time = 0; time < 2; time++)
          b.queries[i][12 * time + 3 + (int)(i % 3)] += ldexp(1, scene.bits + 4 + scene.exponent);
    }
    filter_block_lay_out(&b);
    assert_true(filter_block_run(context, &b, open));
    for (size_t i = 0; i < b.count; i++)
      settled += !open[0][i];
    asked += b.count;
  }
  print_message("%zu of %zu pairs that were moved apart are settled\n", settled, asked);
  assert_true(settled > asked / 4);
}

/* --- made queries --- */

/* Brings a query to a size of up to 2^exponent; false if that would round. */
static bool resize(double query[24], int exponent) {
  double most = 0;
  for (int j = 0; j < 24; j++)
    most = fmax(most, fabs(query[j]));
  const int shift = most > 0 ? exponent - ilogb(most) : 0;
  bool exact = true;
  for (int j = 0; j < 24; j++) {
    const double scaled = ldexp(query[j], shift);
    exact = exact && ldexp(scaled, -shift) == query[j];
    query[j] = scaled;
  }
  return exact;
}

static void planted_contacts_stay_open(void **unused) {
  (void)unused;
  const uint64_t seed = test_seed(1904);
  static filter_block b;
  bool open[2][BLOCK_PAIRS], hit[BLOCK_PAIRS];
  size_t hits = 0, meshes = 0, settled = 0;
  uint64_t rounds = test_count(200000 / BLOCK_PAIRS), made = 0;
  for (uint64_t round = 0; round < rounds; round++) {
    b.kind = (toi_kind)(round % 2);
    // By itself a query has all digits of its mesh; with others it is small among them.
    b.count = round % 4 < 2 ? 1 + round % 3 : BLOCK_PAIRS;
    for (size_t i = 0; i < b.count; made++) {
      planted_query query;
      planted_mixed(b.kind, seed, made, &query);
      memcpy(b.queries[i], query.points, sizeof query.points);
      hit[i] = query.hit;
      i += resize(b.queries[i], (int)(made % 12)) ? 1 : 0;
    }
    filter_block_lay_out(&b);
    if (!filter_block_run(context, &b, open))
      continue;
    meshes++;
    for (size_t i = 0; i < b.count; i++) {
      hits += hit[i];
      settled += !open[0][i];
      if (hit[i])
        expect_open(&b, i, (const bool(*)[BLOCK_PAIRS])open, "a planted contact");
    }
  }
  print_message("%zu queries in %zu meshes, %zu contacts, %zu settled\n", (size_t)made, meshes, hits, settled);
  assert_true(hits > 0 && settled > 0 && meshes > rounds / 2);
}

/* --- data --- */

typedef struct data_tally {
  size_t queries, hits, settled;
} data_tally;

static void check_data(void *user, const data_set *set) {
  data_tally *tally = user;
  static filter_block b;
  bool open[2][BLOCK_PAIRS];
  b.kind = set->file->kind;
  for (size_t first = 0; first < set->queries.count; first += BLOCK_PAIRS) {
    b.count = set->queries.count - first < BLOCK_PAIRS ? set->queries.count - first : BLOCK_PAIRS;
    memcpy(b.queries, set->queries.queries + 24 * first, b.count * sizeof b.queries[0]);
    filter_block_lay_out(&b);
    assert_true(filter_block_run(context, &b, open));
    for (size_t i = 0; i < b.count; i++) {
      tally->hits += set->truth.hit[first + i];
      tally->settled += !open[0][i];
      if (set->truth.hit[first + i])
        expect_open(&b, i, (const bool(*)[BLOCK_PAIRS])open, set->file->queries);
    }
    tally->queries += b.count;
  }
}

static void contacts_of_the_data_sets_stay_open(void **unused) {
  (void)unused;
  data_tally tally = {0};
  const size_t files = data_visit(check_data, &tally);
  if (files == 0)
    skip();
  print_message("%zu files, %zu queries, %zu contacts, %zu settled\n", files, tally.queries, tally.hits, tally.settled);
  assert_true(tally.hits > 0 && tally.settled > 0);
}

/* --- meshes --- */

static void meshes_that_floats_do_not_hold_are_not_made(void **unused) {
  (void)unused;
  static const double faults[] = {NAN, INFINITY, 1e300, -0x1p40};
  static filter_block b = {.kind = TOI_VERTEX_FACE, .count = BLOCK_PAIRS};
  uint64_t state = test_seed(1905);
  toi_float_mesh mesh;
  for (size_t k = 0; k <= sizeof faults / sizeof faults[0]; k++) {
    for (size_t i = 0; i < b.count; i++)
      for (int j = 0; j < 24; j++)
        b.queries[i][j] = 1 + test_random_unit(&state);
    if (k > 0)
      b.queries[b.count / 2][13] = faults[k - 1];
    filter_block_lay_out(&b);
    const bool made = toi_float_mesh_make(context, &b.mesh, &mesh);
    assert_int_equal(made, k == 0);
    if (made)
      toi_float_mesh_free(context, &mesh);
    assert_string_equal(toi_context_error(context), "");
  }
}

/* Rows of any layout, rounded by either kernel: the same bits, and what is measured is what is lost. */
static void what_rounding_loses_is_measured(void **unused) {
  (void)unused;
  uint64_t state = test_seed(1906);
  static filter_block b = {.kind = TOI_VERTEX_FACE, .count = BLOCK_PAIRS};
  for (uint64_t round = 0; round < test_count_from(300, 20); round++) {
    const bool floats = round % 3 == 0;
    const double centre = round % 2 ? ldexp(1, (int)(round % 40)) : 0;
    for (size_t i = 0; i < b.count; i++)
      for (int j = 0; j < 24; j++) {
        const double x = 2 * test_random_unit(&state) - 1;
        b.queries[i][j] = floats ? (double)(float)x : centre + x;
      }
    filter_block_lay_out(&b);
    toi_float_mesh mesh;
    assert_true(toi_float_mesh_make(context, &b.mesh, &mesh));
    const toi_float_map map = toi_float_map_choose(&b.mesh);
    double coarse[3] = {0}, fine[3] = {0};
    for (size_t v = 0; v < b.mesh.vertex_count; v++)
      for (int j = 0; j < 6; j++) {
        const double x = j < 3 ? b.start[v][j] : b.end[v][j - 3];
        // Differences of doubles this close are exact, but for the last bit.
        const double y = (x - map.centre[j % 3]) * map.scale, f = (double)mesh.high[8 * v + (size_t)j];
        const double g = mesh.low ? (double)mesh.low[8 * v + (size_t)j] : 0;
        coarse[j % 3] = fmax(coarse[j % 3], fabs(y - f));
        fine[j % 3] = fmax(fine[j % 3], fabs(y - f - g));
      }
    for (int axis = 0; axis < 3; axis++) {
      assert_true((double)mesh.coarse[axis] >= 2 * coarse[axis] &&
                  (double)mesh.coarse[axis] <= 3 * coarse[axis] + 1e-14);
      assert_true((double)mesh.fine[axis] >= 2 * fine[axis] &&
                  (double)mesh.fine[axis] <= 0x1p-22 * coarse[axis] + 1e-14);
      assert_true(!floats || (mesh.coarse[axis] == 0 && mesh.fine[axis] == 0 && !mesh.low));
    }
    toi_float_mesh_free(context, &mesh);
  }
}

static int set_up(void **unused) {
  (void)unused;
  context = test_context(1);
  return 0;
}

static int tear_down(void **unused) {
  (void)unused;
  toi_context_destroy(context);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(small_pairs_in_a_large_scene_stay_open),
      cmocka_unit_test(touching_pairs_of_floats_stay_open),
      cmocka_unit_test(touching_pairs_touch_and_moved_apart_are_settled),
      cmocka_unit_test(planted_contacts_stay_open),
      cmocka_unit_test(contacts_of_the_data_sets_stay_open),
      cmocka_unit_test(meshes_that_floats_do_not_hold_are_not_made),
      cmocka_unit_test(what_rounding_loses_is_measured),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
