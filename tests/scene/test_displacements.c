/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* How far vertices may move: against all pairs from the definition, in rationals of GMP, which may be believed
 * everywhere; and by moving them just so far in all directions, and asking whether any pair came too close. */

#include <float.h>
#include <gmp.h>
#include <stdio.h>

#include "narrow/mesh.h"
#include "scene/meshes.h"

/* --- the oracle --- */

/* Whether half of (distance - t) of the pair's points is at least x: distance >= 2 x + t, x >= 0; and 0 always is. */
static bool allows(toi_kind kind, const double *points, toi_norm norm, double t, double x) {
  static char text[1u << 16];
  size_t size = sizeof text;
  mpq_t distance, sum, term;
  if (x == 0)
    return true;
  mpq_inits(distance, sum, term, NULL);
  assert_int_equal(toi_distance_rational(kind, (const double(*)[3])points, norm, text, &size), TOI_OK);
  assert_int_equal(mpq_set_str(distance, text, 16), 0);
  mpq_set_d(sum, x);
  mpq_add(sum, sum, sum);
  mpq_set_d(term, t);
  mpq_add(sum, sum, term);
  if (norm == TOI_NORM_L2)
    mpq_mul(sum, sum, sum);
  const bool enough = mpq_cmp(distance, sum) >= 0;
  mpq_clears(distance, sum, term, NULL);
  return enough;
}

/* A question, and its answer. */
typedef struct asking {
  toi_mesh mesh;
  toi_options options;
  toi_mesh_options on_mesh;
  double min_distance, radius;
  double found[MADE_VERTICES];
} asking;

/* Thicknesses add up without rounding. */
static double thickness_of(const toi_mesh *mesh, const uint32_t *vertices, uint32_t count) {
  double most = 0;
  for (uint32_t i = 0; mesh->thickness && i < count; i++)
    most = fmax(most, mesh->thickness[vertices[i]]);
  return most;
}

/* Every pair allows what its vertices were given, and one of each vertex nothing more. */
static void check(const asking *a) {
  static bool tight[MADE_VERTICES];
  all_pairs all = pairs_of(&a->mesh, &a->options);
  for (size_t v = 0; v < a->mesh.vertex_count; v++) {
    tight[v] = a->found[v] == a->radius;
    assert_true(a->found[v] >= 0 && a->found[v] <= a->radius);
  }
  for (int kind = 0; kind < TOI_KIND_COUNT; kind++)
    for (size_t i = 0; i < all.count[kind]; i++) {
      double query[24];
      uint32_t v[4];
      const uint32_t count = pair_points(&a->mesh, (toi_kind)kind, all.pairs[kind][i], v);
      const uint32_t firsts = kind == TOI_EDGE_EDGE ? 2 : 1;
      const double t =
          a->min_distance + thickness_of(&a->mesh, v, firsts) + thickness_of(&a->mesh, v + firsts, count - firsts);
      toi_mesh still = a->mesh;
      still.end = still.start;
      toi_pair_query((toi_kind)kind, &still, all.pairs[kind][i], query);
      for (uint32_t k = 0; k < count; k++) {
        if (!allows((toi_kind)kind, query, a->options.norm, t, a->found[v[k]]))
          fail_msg("vertex %u may not move by %a", v[k], a->found[v[k]]);
        tight[v[k]] = tight[v[k]] || !allows((toi_kind)kind, query, a->options.norm, t, nextafter(a->found[v[k]], 1e9));
      }
    }
  for (size_t v = 0; v < a->mesh.vertex_count; v++)
    if (!tight[v])
      fail_msg("vertex %zu may move by more than %a", v, a->found[v]);
  pairs_free(&all);
}

static void ask(toi_context *context, asking *a) {
  memset(a->found, 0xff, sizeof a->found);
  if (toi_safe_displacements(context, &a->mesh, a->min_distance, a->radius, &a->options, a->found) != TOI_OK)
    fail_msg("%s", toi_context_error(context));
}

/* --- meshes --- */

static double between(uint64_t *random, double lo, double hi) {
  return lo + (hi - lo) * test_random_unit(random);
}

/* Triangles, edges and points at random, on a lattice so that distances are the same, or not. */
static void make_any(made_mesh *m, uint64_t *random, bool lattice) {
  memset(m, 0, sizeof *m);
  const double unit = lattice ? 0.25 : 1;
  for (int i = 0; i < 14; i++) {
    uint32_t v[3], corners = 1 + (uint32_t)(test_random(random) % 3);
    double at[3] = {between(random, 0, 4), between(random, 0, 4), between(random, 0, 4)};
    for (uint32_t k = 0; k < corners; k++) {
      double x[3];
      for (int axis = 0; axis < 3; axis++) {
        x[axis] = at[axis] + between(random, -0.7, 0.7);
        x[axis] = lattice ? unit * floor(x[axis] / unit) : x[axis];
      }
      v[k] = made_vertex(m, x[0], x[1], x[2]);
      m->thickness[v[k]] = (double)(test_random(random) % 3) / 16;
      m->fixed[v[k]] = test_random(random) % 3 == 0;
      m->bodies[v[k]] = i % 5 == 0 ? TOI_NO_BODY : (uint32_t)(i % 4);
    }
    if (corners == 2)
      made_edge(m, v[0], v[1]);
    if (corners == 3)
      made_face(m, v[0], v[1], v[2]);
  }
  made_finish(m);
}

static bool odd_sum(void *user, toi_kind kind, uint32_t first, uint32_t second) {
  (void)user;
  return ((unsigned)kind + first + second) % 2 == 1;
}

static asking *asking_new(void) {
  asking *a = calloc(1, sizeof *a);
  assert_non_null(a);
  a->options = toi_default_options();
  a->on_mesh = toi_default_mesh_options();
  a->options.on_mesh = &a->on_mesh;
  return a;
}

static void vary(asking *a, made_mesh *m, uint64_t number) {
  static const double distances[] = {0, 0.125, 0.25, 0.3, 1e-9}, radii[] = {0.5, 0.1, 4, 1e-3, 0};
  static const char *const broads[] = {NULL, "bvh", "sweep", "brute"};
  a->mesh = made_as(m, number & 1 ? TOI_FLOAT32 : TOI_FLOAT64);
  a->options.norm = number & 2 ? TOI_NORM_LINF : TOI_NORM_L2;
  a->mesh.end = number & 4 ? NULL : a->mesh.end;
  a->mesh.thickness = number & 8 ? m->thickness : NULL;
  a->mesh.fixed = (number & 48) == 48 ? m->fixed : NULL;
  a->mesh.bodies = (number & 192) == 192 ? m->bodies : NULL;
  a->on_mesh.may_collide = (number >> 8 & 7) == 7 ? odd_sum : NULL;
  a->on_mesh.kinds = (number >> 11 & 7) == 7 ? TOI_KINDS_VERTEX_FACE | TOI_KINDS_VERTEX_VERTEX : 0;
  a->on_mesh.broad = broads[number >> 14 & 3];
  a->min_distance = distances[(number >> 16) % 5];
  a->radius = radii[(number >> 24) % 5];
  if (a->mesh.thickness)
    a->min_distance = ldexp(floor(ldexp(a->min_distance, 4)), -4);
}

/* --- tests --- */

static void numbers_are_those_of_all_pairs(void **state) {
  (void)state;
  uint64_t random = test_seed(1501);
  made_mesh *m = made_new();
  asking *a = asking_new();
  toi_context *context = test_context(2);
  size_t capped = 0, zero = 0, other = 0;
  for (uint64_t round = 0; round < test_count_from(150, 8); round++) {
    make_any(m, &random, round % 2);
    vary(a, m, test_random(&random));
    ask(context, a);
    check(a);
    for (size_t v = 0; v < a->mesh.vertex_count; v++) {
      capped += a->found[v] == a->radius;
      zero += a->found[v] == 0;
      other += a->found[v] > 0 && a->found[v] < a->radius;
    }
  }
  printf("%zu numbers are the radius, %zu are 0, %zu between\n", capped, zero, other);
  assert_true(capped > 0 && zero > 0 && other > capped / 4);
  toi_context_destroy(context);
  free(a);
  free(m);
}

/* The vector of length `length` in a random direction; along an axis, now and then. */
static void draw_vector(uint64_t *random, double length, double u[3]) {
  double square = 0;
  for (int k = 0; k < 3; k++) {
    u[k] = test_random(random) % 4 == 0 ? 0 : between(random, -1, 1);
    square += u[k] * u[k];
  }
  for (int k = 0; k < 3; k++)
    u[k] = square > 0 ? u[k] / sqrt(square) * length : 0;
}

/* Whether |y - x| < r, exactly. */
static bool is_shorter(const double x[3], const double y[3], double r) {
  mpq_t sum, term, other;
  mpq_inits(sum, term, other, NULL);
  for (int k = 0; k < 3; k++) {
    mpq_set_d(term, y[k]);
    mpq_set_d(other, x[k]);
    mpq_sub(term, term, other);
    mpq_mul(term, term, term);
    mpq_add(sum, sum, term);
  }
  mpq_set_d(term, r);
  mpq_mul(term, term, term);
  const bool shorter = mpq_cmp(sum, term) < 0;
  mpq_clears(sum, term, other, NULL);
  return shorter;
}

/* Vertices that go all but as far as they may, towards each other above all, keep every pair beyond the distance. */
static void displacements_below_them_keep_every_pair_apart(void **state) {
  (void)state;
  uint64_t random = test_seed(1502);
  made_mesh *m = made_new();
  asking *a = asking_new();
  toi_context *context = test_context(1);
  size_t moved = 0, asked = 0;
  double nearest = INFINITY;
  for (uint64_t round = 0; round < test_count(200); round++) {
    make_any(m, &random, false);
    vary(a, m, test_random(&random) & ~UINT64_C(5));
    ask(context, a);
    for (size_t v = 0; v < m->vertex_count; v++) {
      double u[3];
      draw_vector(&random, a->found[v], u);
      // As long as it may be, in doubles.
      for (int tries = 0; tries < 1000; tries++) {
        const double factor = tries < 999 ? 1 - tries * 0x1p-48 : 0;
        for (int k = 0; k < 3; k++)
          m->end[v][k] = m->start[v][k] + factor * u[k];
        if (a->found[v] == 0 || is_shorter(m->start[v], m->end[v], a->found[v]))
          break;
      }
      moved += memcmp(m->end[v], m->start[v], sizeof m->end[v]) != 0;
    }
    // Pairs that were beyond the distance stay so on the whole way.
    all_pairs all = pairs_of(&a->mesh, &a->options);
    for (int kind = 0; kind < TOI_KIND_COUNT; kind++)
      for (size_t i = 0; i < all.count[kind]; i++) {
        uint32_t v[4];
        const uint32_t count = pair_points(&a->mesh, (toi_kind)kind, all.pairs[kind][i], v);
        const uint32_t firsts = kind == TOI_EDGE_EDGE ? 2 : 1;
        toi_options options = toi_default_options();
        options.norm = a->options.norm;
        options.min_separation =
            a->min_distance + thickness_of(&a->mesh, v, firsts) + thickness_of(&a->mesh, v + firsts, count - firsts);
        toi_hit hit;
        const toi_status status =
            toi_batch_indexed(context, (toi_kind)kind, &a->mesh, &all.pairs[kind][i], 1, &options, &hit);
        assert_int_equal(status, TOI_OK);
        asked++;
        if (hit.verdict != TOI_MISS && !hit.touching_at_start)
          fail_msg("%s %u %u comes within %a", toi_kind_name((toi_kind)kind), all.pairs[kind][i].first,
                   all.pairs[kind][i].second, options.min_separation);
        nearest = fmin(nearest, hit.verdict == TOI_MISS ? 1 : INFINITY);
      }
    pairs_free(&all);
  }
  printf("%zu vertices moved, %zu pairs\n", moved, asked);
  assert_true(moved > 0 && asked > 0 && nearest == 1);
  toi_context_destroy(context);
  free(a);
  free(m);
}

/* Two points head on: each may go half of what lies beyond, and no bit more. */
static void two_points_share_what_lies_between(void **state) {
  (void)state;
  made_mesh *m = made_new();
  asking *a = asking_new();
  toi_context *context = test_context(1);
  made_vertex(m, 0, 0, 0);
  made_vertex(m, 3, 4, 0);
  a->mesh = made_as(m, TOI_FLOAT64);
  static const struct {
    double min_distance, radius, l2, linf;
  } cases[] = {{0, 10, 2.5, 2}, {1, 10, 2, 1.5}, {4, 10, 0.5, 0}, {5, 10, 0, 0},
               {6, 10, 0, 0},   {0, 2, 2, 2},    {1, 0, 0, 0},    {0, 2.25, 2.25, 2}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    for (int norm = 0; norm < 2; norm++) {
      a->min_distance = cases[i].min_distance;
      a->radius = cases[i].radius;
      a->options.norm = (toi_norm)norm;
      ask(context, a);
      assert_true(a->found[0] == (norm ? cases[i].linf : cases[i].l2) && a->found[1] == a->found[0]);
    }
  toi_context_destroy(context);
  free(a);
  free(m);
}

static void same_numbers_for_any_threads_and_from_a_scene(void **state) {
  (void)state;
  uint64_t random = test_seed(1503);
  made_mesh *m = made_new();
  asking *a = asking_new();
  made_grid(m, 12, 0.1, (const double[3]){0, 0, 0});
  made_grid(m, 12, 0.11, (const double[3]){0.02, 0.03, 0.02});
  for (size_t i = 0; i < m->vertex_count; i++)
    m->start[i][2] += between(&random, 0, 0.01);
  made_finish(m);
  a->mesh = made_as(m, TOI_FLOAT64);
  a->min_distance = 1e-3;
  a->radius = 0.02;
  static double first[MADE_VERTICES];
  for (uint32_t threads = 1; threads <= 5; threads += 2)
    for (size_t broad = 0; toi_broad_name(broad); broad++) {
      toi_context *context = test_context(threads);
      a->on_mesh.broad = toi_broad_name(broad);
      ask(context, a);
      if (threads == 1 && broad == 0)
        memcpy(first, a->found, sizeof first);
      assert_memory_equal(first, a->found, a->mesh.vertex_count * sizeof(double));
      // The lists of near pairs, from the second round on.
      const toi_topology topology = {.vertex_count = a->mesh.vertex_count,
                                     .edges = a->mesh.edges,
                                     .edge_count = a->mesh.edge_count,
                                     .faces = a->mesh.faces,
                                     .face_count = a->mesh.face_count};
      const toi_positions at = {.start = a->mesh.start, .vertex_count = a->mesh.vertex_count};
      toi_scene *scene;
      assert_int_equal(toi_scene_create(context, &topology, &scene), TOI_OK);
      for (int round = 0; round < 3; round++) {
        memset(a->found, 0xff, sizeof a->found);
        assert_int_equal(
            toi_scene_safe_displacements(context, scene, &at, a->min_distance, a->radius, &a->options, a->found),
            TOI_OK);
        assert_memory_equal(first, a->found, a->mesh.vertex_count * sizeof(double));
      }
      toi_scene_destroy(scene);
      toi_context_destroy(context);
    }
  free(a);
  free(m);
}

static void bad_calls_are_refused(void **state) {
  (void)state;
  made_mesh *m = made_new();
  asking *a = asking_new();
  toi_context *context = test_context(1);
  made_vertex(m, 0, 0, 0);
  made_vertex(m, 3, 4, 0);
  a->mesh = made_as(m, TOI_FLOAT64);
  double found[2] = {7, 7};
  static const double bad[] = {-1, NAN, INFINITY, 0x1.1p1020};
  for (int i = 0; i < 4; i++) {
    assert_int_equal(toi_safe_displacements(context, &a->mesh, bad[i], 1, &a->options, found), TOI_ERROR_INPUT);
    assert_non_null(strstr(toi_context_error(context), "min_distance is "));
    assert_int_equal(toi_safe_displacements(context, &a->mesh, 1, bad[i], &a->options, found), TOI_ERROR_INPUT);
    assert_non_null(strstr(toi_context_error(context), "radius is "));
  }
  assert_int_equal(toi_safe_displacements(context, &a->mesh, 0, 1, &a->options, NULL), TOI_ERROR_INPUT);
  assert_int_equal(toi_safe_displacements(NULL, &a->mesh, 0, 1, &a->options, found), TOI_ERROR_INPUT);
  assert_int_equal(toi_safe_displacements(context, NULL, 0, 1, &a->options, found), TOI_ERROR_INPUT);
  assert_true(found[0] == 7 && found[1] == 7);
  m->start[1][1] = NAN;
  assert_int_equal(toi_safe_displacements(context, &a->mesh, 0, 1, &a->options, found), TOI_ERROR_INPUT);
  assert_non_null(strstr(toi_context_error(context), "vertex 1: y"));
  assert_true(found[0] == 0 && found[1] == 0);
  // As far as numbers go.
  m->start[1][1] = DBL_MAX;
  assert_int_equal(toi_safe_displacements(context, &a->mesh, 0, 0x1p1020, &a->options, found), TOI_OK);
  assert_true(found[0] == 0x1p1020);
  a->mesh.vertex_count = 0;
  assert_int_equal(toi_safe_displacements(context, &a->mesh, 0, 1, &a->options, NULL), TOI_OK);
  toi_context_destroy(context);
  free(a);
  free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(numbers_are_those_of_all_pairs),
      cmocka_unit_test(displacements_below_them_keep_every_pair_apart),
      cmocka_unit_test(two_points_share_what_lies_between),
      cmocka_unit_test(same_numbers_for_any_threads_and_from_a_scene),
      cmocka_unit_test(bad_calls_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
