/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Random flat triangles on a grid against two oracles. One is exact arithmetic at instants
 * (scene/intersection_oracle.h), which may be believed there and says nothing of what lies between. The other is the
 * search for curved patches, whose hits and misses are proved by other means and whose `near` says only that nothing
 * touches earlier. */

#include "scene/intersection_oracle.h"
#include "surface/duo.h"

/* Both triangles at a time whose product with each velocity is exact, as a mesh. */
typedef struct instant {
  double points[6][3];
  uint32_t edges[6][2], faces[2][3];
} instant;

static toi_mesh mesh_at(const duo *pair, double t, instant *at) {
  for (uint32_t i = 0; i < 6; i++) {
    for (uint32_t k = 0; k < 3; k++)
      at->points[i][k] = pair->points[i / 3][i % 3][k] + t * pair->velocities[i / 3][i % 3][k];
    at->faces[i / 3][i % 3] = i;
    at->edges[i][0] = i;
    at->edges[i][1] = i / 3 * 3 + (i + 1) % 3;
  }
  return (toi_mesh){.start = at->points,
                    .end = at->points,
                    .vertex_count = 6,
                    .edges = (const uint32_t(*)[2])at->edges,
                    .edge_count = 6,
                    .faces = (const uint32_t(*)[3])at->faces,
                    .face_count = 2};
}

/* Whether they touch, or are within d, at an instant: exactly. */
static bool within_at(const duo *pair, double t) {
  instant at;
  toi_mesh mesh = mesh_at(pair, t, &at);
  if (oracle_all(&mesh).found)
    return true;
  double d = pair->options.min_separation, query[24];
  for (uint32_t i = 0; i < 15 && d > 0; i++) {
    toi_kind kind = i < 6 ? TOI_VERTEX_FACE : TOI_EDGE_EDGE;
    toi_pair_query(kind, &mesh, i < 6 ? (toi_pair){i, i < 3} : (toi_pair){(i - 6) / 3, 3 + (i - 6) % 3}, query);
    if (oracle_within(kind, query, d, pair->options.norm, 0))
      return true;
  }
  return false;
}

/* At quarters of the time: not within before the bracket, and a hit if within. */
static void check_instants(const duo *pair, const toi_surface_hit *hit) {
  for (int i = 0; i <= 4; i++) {
    double t = pair->options.t_max * i / 4;
    bool within = within_at(pair, t);
    CHECK(!within || (hit->verdict == TOI_HIT && hit->t_lo <= t), pair);
    CHECK(i > 0 || within == (hit->touching_at_start != 0), pair);
    if (within)
      return;
  }
}

/* The search, to which models are left, proves the same, or is not done when its budget ends. True: it proved it. */
static bool check_search(toi_context *context, const duo *pair, const toi_surface_hit *hit) {
  toi_surface_options options = pair->options;
  options.max_checks = 2000;
  toi_model models[2] = {{.patches = &pair->patch[0], .patch_count = 1},
                         {.patches = &pair->patch[1], .patch_count = 1}};
  toi_surface_hit found;
  CHECK(toi_model_pair(context, &models[0], &models[1], &options, &found) == TOI_OK, pair);
  CHECK(found.end != TOI_SURFACE_EXACT, pair);
  if (found.verdict == TOI_NEAR) {
    CHECK(hit->verdict == TOI_MISS || hit->t_hi >= found.t_lo, pair);
    return false;
  }
  CHECK(hit->verdict == found.verdict, pair);
  CHECK(hit->verdict == TOI_MISS || (hit->t_lo <= found.t_hi && found.t_lo <= hit->t_hi), pair);
  return true;
}

static void run_random(uint64_t rounds, uint64_t *seed, bool separated) {
  toi_context *context = test_context(1);
  uint64_t hits = 0, starts = 0, proved = 0;
  for (uint64_t i = 0; i < rounds; i++) {
    duo pair = draw_duo(seed);
    if (separated) {
      pair.options.norm = (toi_norm)(i % 2);
      pair.options.min_separation = (double)(1 + test_random(seed) % 12) / 8;
    }
    toi_surface_hit hit = ask(&pair);
    check_instants(&pair, &hit);
    proved += check_search(context, &pair, &hit);
    hits += hit.verdict == TOI_HIT;
    starts += hit.touching_at_start;
  }
  print_message("%llu pairs, %llu hits, %llu of them at the start; the search proved %llu\n",
                (unsigned long long)rounds, (unsigned long long)hits, (unsigned long long)starts,
                (unsigned long long)proved);
  // All kinds of answers were seen.
  assert_true(rounds < 100 || (hits > rounds / 10 && rounds - hits > rounds / 10 && starts > rounds / 100 &&
                               starts < hits && proved > rounds / 2));
  toi_context_destroy(context);
}

static void random_triangles_on_a_grid_are_answered_as_by_both_oracles(void **state) {
  (void)state;
  uint64_t seed = test_seed(20261116);
  run_random(test_count(1000), &seed, false);
}

static void random_triangles_within_a_separation_are_answered_as_by_both_oracles(void **state) {
  (void)state;
  uint64_t seed = test_seed(20261117);
  run_random(test_count(500), &seed, true);
}

/* Coordinates of any magnitude: hit or miss, and what holds at the start is known. */
static void triangles_of_any_magnitude_are_answered(void **state) {
  (void)state;
  uint64_t seed = test_seed(20261118);
  toi_context *context = test_context(1);
  for (uint64_t i = 0; i < test_count(200); i++) {
    duo pair = duo_make((const double[2][3][3]){{{0}}});
    for (int j = 0; j < 18; j++)
      pair.points[j / 9][j / 3 % 3][j % 3] = test_random_extreme(&seed, (int)(i % 4));
    duo_point(&pair);
    if (!suits(&pair))
      continue;
    toi_surface_hit hit;
    CHECK(toi_patch_pair(context, &pair.patch[0], &pair.patch[1], &pair.options, &hit) == TOI_OK, &pair);
    CHECK(hit.end == TOI_SURFACE_EXACT && hit.verdict != TOI_NEAR, &pair);
    CHECK((hit.verdict == TOI_HIT) == within_at(&pair, 0), &pair);
    CHECK(hit.verdict == TOI_MISS || (hit.t_hi == 0 && hit.a[0] >= 0 && hit.b[1] <= 1), &pair);
  }
  toi_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_triangles_on_a_grid_are_answered_as_by_both_oracles),
      cmocka_unit_test(random_triangles_within_a_separation_are_answered_as_by_both_oracles),
      cmocka_unit_test(triangles_of_any_magnitude_are_answered),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
