/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Half-spaces as obstacles of whole meshes, against every vertex with every half-space: the single calls are the
 * oracle, whose own test compares them with rational arithmetic. What a mesh without its half-spaces answers comes
 * first in every list. */

#include <gmp.h>

#include "narrow/exact_order.h"
#include "narrow/mesh.h"
#include "number/interval.h"
#include "scene/half_space_worlds.h"

/* --- steps and collisions --- */

static toi_timed timed_of(const world *w, const toi_impact *impact, toi_norm norm, double query[24]) {
  if (impact->kind == TOI_VERTEX_HALF_SPACE) {
    memcpy(query, w->made->start[impact->pair.first], 3 * sizeof(double));
    memcpy(query + 3, w->made->end[impact->pair.first], 3 * sizeof(double));
    memcpy(query + 6, &w->planes[impact->pair.second], 4 * sizeof(double));
  } else {
    toi_pair_query(impact->kind, &w->mesh, impact->pair, query);
  }
  return (toi_timed){impact->kind, norm, query, impact->hit.separation, impact->hit.t_lo, impact->hit.t_hi};
}

/* The earlier impact replaces the best; of two at the same time, the one that was there. */
static void offer(const world *w, toi_norm norm, toi_impact *best, const toi_impact *other) {
  double queries[2][24];
  int order;
  if (other->hit.verdict == TOI_MISS)
    return;
  if (best->hit.verdict == TOI_MISS) {
    *best = *other;
    return;
  }
  const toi_timed a = timed_of(w, other, norm, queries[0]), b = timed_of(w, best, norm, queries[1]);
  assert_int_equal(toi_exact_order(NULL, 0, &a, &b, &order), TOI_OK);
  if (order < 0)
    *best = *other;
}

static void check_steps(toi_context *context, const world *w, const toi_options *options) {
  const toi_mesh bare = without_planes(w);
  toi_impact best, found;
  records first = records_make(sizeof(toi_collision)), all = records_make(sizeof(toi_collision));
  must(context, toi_step(context, &bare, options, &best));
  must(context, toi_collisions(context, &bare, options, add_collisions, &first));
  must(context, toi_step(context, &w->mesh, options, &found));
  must(context, toi_collisions(context, &w->mesh, options, add_collisions, &all));
  assert_begins_with(&all, &first);
  size_t next = first.count;
  for (uint32_t v = 0; v < w->mesh.vertex_count; v++)
    for (uint32_t h = 0; h < w->plane_count; h++) {
      const toi_impact own = {
          .kind = TOI_VERTEX_HALF_SPACE, .pair = {v, h}, .hit = answer_alone(w, options, (toi_pair){v, h})};
      offer(w, options->norm, &best, &own);
      if (own.hit.verdict == TOI_MISS)
        continue;
      assert_true(next < all.count);
      const toi_collision *collision = &((const toi_collision *)(const void *)all.bytes)[next++];
      assert_int_equal(collision->kind, TOI_VERTEX_HALF_SPACE);
      assert_true(collision->pair.first == v && collision->pair.second == h);
      assert_memory_equal(&collision->hit, &own.hit, sizeof own.hit);
      assert_memory_equal(collision->first, w->made->end[v], sizeof collision->first);
      assert_memory_equal(collision->second, own.hit.point, sizeof collision->second);
    }
  assert_int_equal(next, all.count);
  assert_int_equal(found.hit.verdict, best.hit.verdict);
  if (best.hit.verdict != TOI_MISS) {
    assert_int_equal(found.kind, best.kind);
    assert_true(found.pair.first == best.pair.first && found.pair.second == best.pair.second);
    assert_memory_equal(&found.hit, &best.hit, sizeof best.hit);
  }
  free(first.bytes);
  free(all.bytes);
}

static void steps_and_collisions_are_those_of_every_vertex(void **state) {
  (void)state;
  uint64_t random = test_seed(81);
  toi_context *one = test_context(1), *two = test_context(2);
  for (uint64_t i = 0; i < test_count_from(60, 8); i++) {
    world w;
    world_make(&w, &random, i % 3 == 0, i % 2 ? 0.5 : 1.5, 0.5);
    if (i % 4 == 1) {
      for (size_t v = 0; v < w.made->vertex_count; v++)
        w.made->thickness[v] = 0x1p-7 * (double)(test_random(&random) % 4);
      w.mesh.thickness = w.made->thickness;
    }
    const toi_options options = choose_options(&random);
    check_steps(i % 2 ? one : two, &w, &options);
    free(w.made);
  }
  toi_context_destroy(one);
  toi_context_destroy(two);
}

/* Two points meet, and one of them the ground, at the same time. */
static void two_vertices_come_before_the_ground(void **state) {
  (void)state;
  const double start[2][3] = {{0, 0, 1}, {0, 0, -1}}, end[2][3] = {{0, 0, -1}, {0, 0, 1}};
  const toi_half_space ground = {{0, 0, 1}, 0}, below = {{0, 0, 3}, 0x1p-53};
  toi_context *context = test_context(1);
  toi_mesh mesh = {.start = start, .end = end, .vertex_count = 2, .half_spaces = &ground, .half_space_count = 1};
  const uint64_t second = 2;
  const uint8_t fixed[2] = {0, 1};
  toi_options options = toi_default_options();
  toi_impact impact;
  // The second point is behind the ground.
  must(context, toi_step(context, &mesh, &options, &impact));
  assert_true(impact.kind == TOI_VERTEX_HALF_SPACE && impact.pair.first == 1 && impact.hit.touching_at_start);
  mesh.fixed = fixed;
  must(context, toi_step(context, &mesh, &options, &impact));
  assert_true(impact.kind == TOI_VERTEX_VERTEX && impact.hit.t_lo == 0.5 && impact.hit.t_hi == 0.5);
  mesh.half_spaces = &below;
  must(context, toi_step(context, &mesh, &options, &impact));
  assert_true(impact.kind == TOI_VERTEX_HALF_SPACE && impact.hit.t_hi <= 0.5 && impact.hit.t_lo < 0.5);
  mesh.fixed = NULL;
  mesh.skipped = &second;
  must(context, toi_step(context, &mesh, &options, &impact));
  assert_true(impact.kind == TOI_VERTEX_HALF_SPACE && impact.pair.first == 0);
  toi_context_destroy(context);
}

/* --- one instant --- */

/* -1, 0, 1 as the distance of a vertex and a plane is <, =, > x >= 0; in fractions. */
static int compare_alone(const double x[3], const toi_half_space *plane, toi_norm norm, double bound) {
  mpq_t height, size, term;
  mpq_inits(height, size, term, NULL);
  mpq_set_d(height, -plane->offset);
  for (int k = 0; k < 3; k++) {
    mpq_t factor;
    mpq_init(factor);
    mpq_set_d(term, plane->normal[k]);
    mpq_set_d(factor, x[k]);
    mpq_mul(factor, factor, term);
    mpq_add(height, height, factor);
    mpq_abs(term, term);
    if (norm == TOI_NORM_L2)
      mpq_mul(term, term, term);
    mpq_add(size, size, term);
    mpq_clear(factor);
  }
  mpq_set_d(term, bound);
  int order = -1;
  if (mpq_sgn(height) <= 0) {
    order = bound > 0 ? -1 : 0;
  } else {
    if (norm == TOI_NORM_L2) {
      mpq_mul(height, height, height);
      mpq_mul(term, term, term);
    }
    mpq_mul(term, term, size);
    order = mpq_cmp(height, term);
  }
  mpq_clears(height, size, term, NULL);
  return (order > 0) - (order < 0);
}

static size_t check_close(toi_context *context, const world *w, double distance, const toi_options *options) {
  const toi_mesh bare = without_planes(w);
  records first = records_make(sizeof(toi_proximal)), all = records_make(sizeof(toi_proximal));
  must(context, toi_proximity(context, &bare, distance, options, add_close, &first));
  must(context, toi_proximity(context, &w->mesh, distance, options, add_close, &all));
  assert_begins_with(&all, &first);
  size_t next = first.count, exactly = 0;
  for (uint32_t v = 0; v < w->mesh.vertex_count; v++)
    for (uint32_t h = 0; h < w->plane_count; h++) {
      const double reach = distance + (w->mesh.thickness ? w->mesh.thickness[v] : 0);
      const int order = compare_alone(w->made->start[v], &w->planes[h], options->norm, reach);
      exactly += order == 0;
      if (order > 0)
        continue;
      assert_true(next < all.count);
      const toi_proximal *found = &((const toi_proximal *)(const void *)all.bytes)[next++];
      toi_distance own;
      assert_int_equal(toi_half_space_distance(w->made->start[v], &w->planes[h], options->norm, &own), TOI_OK);
      assert_true(found->kind == TOI_VERTEX_HALF_SPACE && found->pair.first == v && found->pair.second == h);
      assert_memory_equal(&found->distance, &own, sizeof own);
    }
  assert_int_equal(next, all.count);
  free(first.bytes);
  free(all.bytes);
  return exactly;
}

/* The largest double that is not above distance - T, or 0. */
static void check_displacements(toi_context *context, const world *w, double least, const toi_options *options) {
  const toi_mesh bare = without_planes(w);
  const double radius = 0.75;
  double alone[MADE_VERTICES], found[MADE_VERTICES];
  must(context, toi_safe_displacements(context, &bare, least, radius, options, alone));
  must(context, toi_safe_displacements(context, &w->mesh, least, radius, options, found));
  for (uint32_t v = 0; v < w->mesh.vertex_count; v++) {
    const double t = least + (w->mesh.thickness ? w->mesh.thickness[v] : 0);
    bool attained = found[v] == alone[v];
    for (uint32_t h = 0; h < w->plane_count; h++) {
      // Doubles on the lattice: T + r is exact, or r is next to it.
      const int at = compare_alone(w->made->start[v], &w->planes[h], options->norm, t);
      assert_true(at > 0
                      ? compare_alone(w->made->start[v], &w->planes[h], options->norm, toi_sum_down(t, found[v])) >= 0
                      : found[v] == 0);
      attained = attained || at <= 0 ||
                 compare_alone(w->made->start[v], &w->planes[h], options->norm,
                               toi_next_up(toi_sum_up(t, toi_next_up(found[v])))) <= 0;
    }
    assert_true(attained && found[v] <= alone[v]);
  }
}

static void close_vertices_and_displacements_are_exact(void **state) {
  (void)state;
  uint64_t random = test_seed(82);
  toi_context *one = test_context(1), *two = test_context(2);
  size_t exactly = 0;
  for (uint64_t i = 0; i < test_count_from(60, 20); i++) {
    world w;
    world_make(&w, &random, i % 4 != 0, i % 2 ? 0.25 : 1, 0.5);
    if (i % 3 == 1) {
      for (size_t v = 0; v < w.made->vertex_count; v++)
        w.made->thickness[v] = 0.125 * (double)(test_random(&random) % 3);
      w.mesh.thickness = w.made->thickness;
    }
    toi_options options = toi_default_options();
    options.norm = (toi_norm)(i / 2 % 2);
    exactly += check_close(i % 2 ? one : two, &w, 0.25 * (double)(test_random(&random) % 4), &options);
    check_displacements(i % 2 ? one : two, &w, 0.125 * (double)(test_random(&random) % 3), &options);
    free(w.made);
  }
  assert_true(exactly > 0);
  toi_context_destroy(one);
  toi_context_destroy(two);
}

static double length(const double a[3]) {
  return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
}

/* A stencil of a vertex and a plane, and its derivatives. */
static void check_stencil(const world *w, const toi_stencil *s, double squared, const double *gradient,
                          const double *hessian) {
  const toi_half_space *plane = &w->planes[s->pair.second];
  const double *x = w->made->start[s->pair.first], size = length(plane->normal);
  double h = -plane->offset;
  for (int k = 0; k < 3; k++)
    h += plane->normal[k] * x[k];
  h /= size;
  assert_true(s->vertex_count == 1 && s->vertices[0] == s->pair.first && s->multiplicity == 1 && s->weights[0] == 1);
  assert_true(fabs(sqrt(s->distance_squared) - fmax(h, 0)) < 1e-13);
  assert_true(fabs(squared - h * h) < 1e-13);
  for (int i = 0; i < 3; i++) {
    const double n = plane->normal[i] / size;
    assert_true(fabs(s->normal[i] - n) < 1e-15 && fabs(gradient[i] - 2 * h * n) < 1e-13);
    assert_true(s->first[i] == x[i] && fabs(s->second[i] - (x[i] - fmax(h, 0) * n)) < 1e-13);
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    const double cross = s->tangents[0][j] * s->tangents[1][k] - s->tangents[0][k] * s->tangents[1][j];
    assert_true(fabs(cross - n) < 1e-14);
    for (int m = 0; m < 3; m++)
      assert_true(fabs(hessian[3 * i + m] - 2 * n * plane->normal[m] / size) < 1e-14);
  }
}

static void stencils_have_derivatives(void **state) {
  (void)state;
  uint64_t random = test_seed(83);
  toi_context *context = test_context(2);
  size_t seen = 0;
  for (uint64_t i = 0; i < test_count_from(30, 5); i++) {
    world w;
    world_make(&w, &random, false, 0.5, 0.5);
    const toi_mesh bare = without_planes(&w);
    const toi_options options = toi_default_options();
    records first = records_make(sizeof(toi_stencil)), all = records_make(sizeof(toi_stencil));
    must(context, toi_stencils(context, &bare, 0.4, &options, NULL, add_stencils, &first));
    must(context, toi_stencils(context, &w.mesh, 0.4, &options, NULL, add_stencils, &all));
    assert_begins_with(&all, &first);
    toi_stencil *stencils = (toi_stencil *)(void *)all.bytes;
    toi_stencil_arrays arrays = {.squared = calloc(all.count + 1, sizeof(double)),
                                 .gradients = calloc(all.count + 1, 12 * sizeof(double)),
                                 .hessians = calloc(all.count + 1, 144 * sizeof(double)),
                                 .mollifiers = calloc(all.count + 1, sizeof(double))};
    must(context, toi_stencil_batch(context, &w.mesh, stencils, all.count, &arrays));
    for (size_t k = first.count; k < all.count; k++, seen++) {
      assert_int_equal(stencils[k].kind, TOI_VERTEX_HALF_SPACE);
      check_stencil(&w, &stencils[k], arrays.squared[k], arrays.gradients[k], arrays.hessians[k]);
      assert_true(arrays.mollifiers[k] == 1);
    }
    // A half-space that the mesh does not have.
    if (all.count > first.count)
      assert_int_equal(toi_stencil_batch(context, &bare, stencils, all.count, &arrays), TOI_ERROR_INPUT);
    assert_true(all.count == first.count || arrays.squared[all.count - 1] == 0);
    free(arrays.squared);
    free(arrays.gradients);
    free(arrays.hessians);
    free(arrays.mollifiers);
    free(first.bytes);
    free(all.bytes);
    free(w.made);
  }
  assert_true(seen > 0);
  toi_context_destroy(context);
}

static void vertices_behind_are_intersections(void **state) {
  (void)state;
  uint64_t random = test_seed(84);
  toi_context *context = test_context(2);
  size_t behind = 0, on = 0;
  for (uint64_t i = 0; i < test_count_from(60, 20); i++) {
    world w;
    world_make(&w, &random, true, i % 2 ? 0 : 4, 0.5);
    const toi_mesh bare = without_planes(&w);
    const toi_options options = toi_default_options();
    toi_intersection before, after;
    records first = records_make(sizeof(toi_crossing)), all = records_make(sizeof(toi_crossing));
    must(context, toi_mesh_intersects(context, &bare, &options, &before));
    must(context, toi_mesh_intersects(context, &w.mesh, &options, &after));
    must(context, toi_mesh_crossings(context, &bare, &options, add_crossings, &first));
    must(context, toi_mesh_crossings(context, &w.mesh, &options, add_crossings, &all));
    assert_begins_with(&all, &first);
    size_t next = first.count;
    const toi_crossing *crossings = (const toi_crossing *)(const void *)all.bytes;
    for (uint32_t v = 0; v < w.mesh.vertex_count; v++)
      for (uint32_t h = 0; h < w.plane_count; h++) {
        const double *n = w.planes[h].normal;
        const toi_half_space flipped = {{-n[0], -n[1], -n[2]}, -w.planes[h].offset};
        if (compare_alone(w.made->start[v], &w.planes[h], TOI_NORM_L2, 0) > 0)
          continue;
        assert_true(next < all.count);
        const toi_crossing *found = &crossings[next++];
        const bool strictly = compare_alone(w.made->start[v], &flipped, TOI_NORM_L2, 0) > 0;
        assert_true(found->kind == TOI_VERTEX_HALF_SPACE && !found->crossing && found->behind == strictly);
        assert_true(found->pair.first == v && found->pair.second == h);
        behind += strictly;
        on += !strictly;
      }
    assert_int_equal(next, all.count);
    assert_int_equal(after.found, all.count > 0);
    if (before.found)
      assert_memory_equal(&before, &after, sizeof after);
    else if (after.found)
      assert_true(after.kind == TOI_VERTEX_HALF_SPACE && after.pair.first == crossings[0].pair.first &&
                  after.pair.second == crossings[0].pair.second && after.behind == crossings[0].behind);
    free(first.bytes);
    free(all.bytes);
    free(w.made);
  }
  assert_true(behind > 0 && on > 0);
  toi_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(steps_and_collisions_are_those_of_every_vertex),
      cmocka_unit_test(two_vertices_come_before_the_ground),
      cmocka_unit_test(close_vertices_and_displacements_are_exact),
      cmocka_unit_test(stencils_have_derivatives),
      cmocka_unit_test(vertices_behind_are_intersections),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
