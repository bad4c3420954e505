/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Half-spaces as obstacles of whole meshes, against every vertex with every half-space: the single calls are the
 * oracle, whose own test compares them with rational arithmetic. What a mesh without its half-spaces answers comes
 * first in every list. */

#include <gmp.h>
#include <stdio.h>

#include "narrow/exact_order.h"
#include "narrow/half_space.h"
#include "narrow/mesh.h"
#include "number/interval.h"
#include "scene/meshes.h"

enum { MOST_PLANES = 4, MOST_RECORDS = 1 << 14 };

typedef struct world {
  made_mesh *made;
  toi_half_space planes[MOST_PLANES];
  size_t plane_count;
  toi_mesh mesh; /* with the planes */
} world;

/* In [-1, 1). */
static double pick_unit(uint64_t *random) {
  return 2 * test_random_unit(random) - 1;
}

/* A bumpy cloth and some loose points, above some planes or through them; in lattice style all on multiples of 1/4.
 * Vertices are moved by up to `bumps` from where a flat cloth has them. */
static void world_make(world *w, uint64_t *random, bool lattice, double height, double bumps) {
  static const toi_half_space choices[] = {
      {{0, 0, 2}, 0}, {{0, 3, 4}, -1}, {{1, 0, 1}, -1.5}, {{-0.3, 0.1, 7}, -0.25}, {{1, 2, 2}, -1}};
  *w = (world){.made = made_new()};
  made_grid(w->made, 5, 0.5, (const double[3]){0, 0, height});
  for (int i = 0; i < 8; i++)
    made_vertex(w->made, pick_unit(random), pick_unit(random), height + 1 + test_random_unit(random));
  for (size_t i = 0; i < w->made->vertex_count; i++)
    for (int k = 0; k < 3; k++) {
      const double bump = bumps * pick_unit(random), way = k == 2 ? -2 * test_random_unit(random) : pick_unit(random);
      w->made->start[i][k] += bump;
      w->made->end[i][k] = w->made->start[i][k] + way;
      if (!lattice)
        continue;
      w->made->start[i][k] = round(4 * w->made->start[i][k]) / 4;
      w->made->end[i][k] = round(4 * w->made->end[i][k]) / 4;
    }
  made_finish(w->made);
  w->plane_count = 1 + test_random(random) % MOST_PLANES;
  for (size_t i = 0; i < w->plane_count; i++)
    w->planes[i] = choices[test_random(random) % (sizeof choices / sizeof choices[0])];
  w->mesh = made_as(w->made, TOI_FLOAT64);
  w->mesh.half_spaces = w->planes;
  w->mesh.half_space_count = w->plane_count;
}

static toi_mesh without_planes(const world *w) {
  toi_mesh bare = w->mesh;
  bare.half_space_count = 0;
  return bare;
}

static toi_options choose_options(uint64_t *random) {
  toi_options options = toi_default_options();
  options.norm = (toi_norm)(test_random(random) % 2);
  options.min_separation = test_random(random) % 2 ? 0x1p-6 * (double)(test_random(random) % 8) : 0;
  options.separation_fraction = test_random(random) % 2 ? 0.125 * (double)(test_random(random) % 4) : 0;
  return options;
}

static void must(toi_context *context, toi_status status) {
  if (status != TOI_OK)
    fail_msg("%s", toi_context_error(context));
}

/* The answer of a vertex and a plane by itself, with the thickness of the vertex. */
static toi_hit answer_alone(const world *w, const toi_options *options, toi_pair pair) {
  toi_options own = *options;
  toi_hit hit;
  own.on_mesh = NULL;
  own.min_separation += w->mesh.thickness ? w->mesh.thickness[pair.first] : 0;
  assert_int_equal(
      toi_vertex_half_space(w->made->start[pair.first], w->made->end[pair.first], &w->planes[pair.second], &own, &hit),
      TOI_OK);
  return hit;
}

/* --- records --- */

typedef struct records {
  size_t size, count;
  unsigned char *bytes;
} records;

static records records_make(size_t size) {
  records r = {.size = size, .bytes = malloc(size * MOST_RECORDS)};
  assert_non_null(r.bytes);
  return r;
}

static toi_status records_add(records *r, const void *added, size_t count) {
  assert_true(r->count + count <= MOST_RECORDS);
  memcpy(r->bytes + r->size * r->count, added, r->size * count);
  r->count += count;
  return TOI_OK;
}

static toi_status add_collisions(void *user, const toi_collision *added, size_t count) {
  return records_add(user, added, count);
}

static toi_status add_close(void *user, const toi_proximal *added, size_t count) {
  return records_add(user, added, count);
}

static toi_status add_stencils(void *user, const toi_stencil *added, size_t count) {
  return records_add(user, added, count);
}

static toi_status add_crossings(void *user, const toi_crossing *added, size_t count) {
  return records_add(user, added, count);
}

/* Both begin alike, and `more` may go on. */
static void assert_begins_with(const records *more, const records *first) {
  assert_true(more->count >= first->count);
  assert_memory_equal(more->bytes, first->bytes, first->count * first->size);
}

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

/* --- line searches, and scenes that are kept --- */

typedef struct answers {
  toi_advance advance;
  double placed[MADE_VERTICES][3], displacements[MADE_VERTICES];
  toi_impact impact;
  records close, stencils;
} answers;

static toi_options search_options(uint64_t *random) {
  toi_options options = choose_options(random);
  options.norm = TOI_NORM_L2;
  return options;
}

static void ask_all(toi_context *context, const world *w, toi_scene *scene, const toi_options *options, answers *a) {
  const toi_positions at = {.start = w->mesh.start, .end = w->mesh.end, .vertex_count = w->mesh.vertex_count};
  const double distance = 0.3;
  a->close.count = a->stencils.count = 0;
  if (scene) {
    must(context, toi_scene_proximity(context, scene, &at, distance, options, add_close, &a->close));
    must(context, toi_scene_stencils(context, scene, &at, distance, options, NULL, add_stencils, &a->stencils));
    must(context, toi_scene_safe_displacements(context, scene, &at, 0.01, 0.1, options, a->displacements));
    must(context, toi_scene_step(context, scene, &at, options, &a->impact));
    must(context, toi_scene_line_search(context, scene, &at, options, a->placed, &a->advance));
    return;
  }
  must(context, toi_proximity(context, &w->mesh, distance, options, add_close, &a->close));
  must(context, toi_stencils(context, &w->mesh, distance, options, NULL, add_stencils, &a->stencils));
  must(context, toi_safe_displacements(context, &w->mesh, 0.01, 0.1, options, a->displacements));
  must(context, toi_step(context, &w->mesh, options, &a->impact));
  must(context, toi_line_search(context, &w->mesh, options, a->placed, &a->advance));
}

static void assert_same(const answers *a, const answers *b, size_t vertices) {
  assert_int_equal(a->close.count, b->close.count);
  assert_int_equal(a->stencils.count, b->stencils.count);
  assert_begins_with(&a->close, &b->close);
  assert_begins_with(&a->stencils, &b->stencils);
  assert_memory_equal(&a->impact, &b->impact, sizeof a->impact);
  assert_memory_equal(&a->advance, &b->advance, sizeof a->advance);
  assert_memory_equal(a->placed, b->placed, vertices * sizeof a->placed[0]);
  assert_memory_equal(a->displacements, b->displacements, vertices * sizeof a->displacements[0]);
}

/* On the way to the positions every vertex keeps its distance of every plane; the step is long enough. */
static void check_safe(const world *w, const toi_options *options, const answers *a) {
  toi_options own = *options;
  own.separation_fraction = a->advance.fraction;
  for (uint32_t v = 0; v < w->mesh.vertex_count && a->advance.step > 0; v++)
    for (uint32_t h = 0; h < w->plane_count; h++) {
      toi_hit hit;
      assert_int_equal(toi_vertex_half_space(w->made->start[v], a->placed[v], &w->planes[h], &own, &hit), TOI_OK);
      assert_int_equal(hit.verdict, TOI_MISS);
    }
  const toi_hit *first = &a->impact.hit;
  assert_true(first->verdict == TOI_MISS ? a->advance.step == 1 : a->advance.step >= 0.99 * first->t_lo);
  assert_true((a->advance.step == 0) == (first->touching_at_start != 0));
}

/* From these positions all fall alike, but for a little. */
static void fall(world *w, uint64_t *random, const double (*from)[3], double way) {
  for (size_t v = 0; v < w->mesh.vertex_count; v++)
    for (int k = 0; k < 3; k++) {
      w->made->start[v][k] = from[v][k];
      w->made->end[v][k] = from[v][k] + way * (0.02 * pick_unit(random) - (k == 2));
    }
}

static void line_searches_are_safe_and_kept_scenes_the_same(void **state) {
  (void)state;
  uint64_t random = test_seed(85);
  toi_context *one = test_context(1), *two = test_context(2);
  answers *fresh = calloc(2, sizeof *fresh), *kept = fresh + 1;
  size_t limited = 0;
  assert_non_null(fresh);
  for (int i = 0; i < 2; i++) {
    fresh[i].close = records_make(sizeof(toi_proximal));
    fresh[i].stencils = records_make(sizeof(toi_stencil));
  }
  for (uint64_t i = 0; i < test_count_from(12, 3); i++) {
    world w;
    toi_scene *scene;
    world_make(&w, &random, false, 2.5, 0.05);
    const toi_topology topology = {.vertex_count = w.mesh.vertex_count,
                                   .faces = w.mesh.faces,
                                   .face_count = w.mesh.face_count,
                                   .half_spaces = w.planes,
                                   .half_space_count = w.plane_count};
    must(two, toi_scene_create(two, &topology, &scene));
    fall(&w, &random, (const double(*)[3])w.made->start, 1);
    for (int round = 0; round < 8; round++) {
      const toi_options options = search_options(&random);
      ask_all(one, &w, NULL, &options, fresh);
      ask_all(two, &w, scene, &options, kept);
      assert_same(fresh, kept, w.mesh.vertex_count);
      check_safe(&w, &options, fresh);
      limited += fresh->advance.first.kind == TOI_VERTEX_HALF_SPACE;
      fall(&w, &random, (const double(*)[3])fresh->placed, round % 3 == 2 ? 1 : 0x1p-8);
    }
    toi_scene_destroy(scene);
    free(w.made);
  }
  assert_true(limited > 0);
  for (int i = 0; i < 2; i++) {
    free(fresh[i].close.bytes);
    free(fresh[i].stencils.bytes);
  }
  free(fresh);
  toi_context_destroy(one);
  toi_context_destroy(two);
}

/* A vertex a few units of the last place above a slope cannot go far, but stays above. */
static void a_vertex_just_above_a_slope_is_rounded_away(void **state) {
  (void)state;
  uint64_t random = test_seed(86);
  toi_context *context = test_context(1);
  for (uint64_t i = 0; i < test_count(300); i++) {
    double start[1][3], end[1][3], placed[1][3], h = 0;
    toi_half_space plane = {{pick_unit(&random), pick_unit(&random), 1}, 0};
    for (int k = 0; k < 3; k++) {
      start[0][k] = pick_unit(&random);
      end[0][k] = start[0][k] + (k == 2 ? -0.5 : 0.5 * pick_unit(&random));
      h += start[0][k] * plane.normal[k];
    }
    plane.offset = h - 0x1p-50 * (double)(1 + test_random(&random) % 8);
    toi_mesh mesh = {.start = start, .end = end, .vertex_count = 1, .half_spaces = &plane, .half_space_count = 1};
    toi_options options = toi_default_options();
    toi_advance advance;
    toi_hit hit;
    options.separation_fraction = 0.5;
    must(context, toi_line_search(context, &mesh, &options, placed, &advance));
    assert_true(advance.step > 0);
    options.separation_fraction = advance.fraction;
    assert_int_equal(toi_vertex_half_space(start[0], placed[0], &plane, &options, &hit), TOI_OK);
    assert_int_equal(hit.verdict, TOI_MISS);
  }
  toi_context_destroy(context);
}

/* --- rules, faults, memory --- */

static bool only_even(void *user, toi_kind kind, uint32_t first, uint32_t second) {
  (void)user;
  (void)second;
  return kind == TOI_VERTEX_HALF_SPACE && first % 2 == 0;
}

typedef struct counted {
  size_t of_kind[TOI_COUNTERS];
  bool even;
} counted;

static toi_status count_pairs(void *user, toi_kind kind, const toi_pair *pairs, size_t count) {
  counted *c = user;
  c->of_kind[kind] += count;
  for (size_t i = 0; i < count && kind == TOI_VERTEX_HALF_SPACE; i++)
    c->even = c->even && pairs[i].first % 2 == 0;
  return TOI_OK;
}

static void rules_choose_the_pairs(void **state) {
  (void)state;
  uint64_t random = test_seed(87);
  toi_context *context = test_context(2);
  world w;
  world_make(&w, &random, false, 0, 0.5);
  toi_work work;
  toi_mesh_options on_mesh = toi_default_mesh_options();
  toi_options options = toi_default_options();
  options.on_mesh = &on_mesh;
  on_mesh.work = &work;
  counted every = {.even = true}, even = {.even = true}, none = {.even = true}, bare = {.even = true};
  must(context, toi_candidates(context, &w.mesh, &options, count_pairs, &every));
  assert_true(every.of_kind[TOI_VERTEX_HALF_SPACE] > 1 && every.of_kind[TOI_VERTEX_FACE] > 0 && !every.even);
  assert_int_equal(work.candidates[TOI_VERTEX_HALF_SPACE], every.of_kind[TOI_VERTEX_HALF_SPACE]);
  on_mesh.may_collide = only_even;
  must(context, toi_candidates(context, &w.mesh, &options, count_pairs, &even));
  assert_true(even.even && even.of_kind[TOI_VERTEX_HALF_SPACE] > 0 && even.of_kind[TOI_VERTEX_FACE] == 0);
  on_mesh.may_collide = NULL;
  on_mesh.kinds = TOI_KINDS_VERTEX_FACE;
  must(context, toi_candidates(context, &w.mesh, &options, count_pairs, &none));
  assert_true(none.of_kind[TOI_VERTEX_HALF_SPACE] == 0 && none.of_kind[TOI_VERTEX_FACE] > 0);
  on_mesh.kinds = TOI_KINDS_VERTEX_HALF_SPACE;
  must(context, toi_candidates(context, &w.mesh, &options, count_pairs, &bare));
  assert_int_equal(bare.of_kind[TOI_VERTEX_HALF_SPACE], every.of_kind[TOI_VERTEX_HALF_SPACE]);
  assert_int_equal(bare.of_kind[TOI_VERTEX_FACE], 0);
  free(w.made);
  toi_context_destroy(context);
}

static void half_spaces_that_are_none_are_refused(void **state) {
  (void)state;
  const double x[1][3] = {{0, 0, 1}};
  const toi_half_space bad[3] = {{{0, 0, 0}, 1}, {{0, NAN, 1}, 0}, {{0, 1, 0}, INFINITY}};
  toi_context *context = test_context(1);
  const toi_options options = toi_default_options();
  toi_impact impact;
  toi_scene *scene;
  for (int i = 0; i < 4; i++) {
    const toi_half_space *given = i < 3 ? &bad[i] : NULL;
    const toi_mesh mesh = {.start = x, .end = x, .vertex_count = 1, .half_spaces = given, .half_space_count = 1};
    const toi_topology topology = {.vertex_count = 1, .half_spaces = given, .half_space_count = 1};
    assert_int_equal(toi_step(context, &mesh, &options, &impact), TOI_ERROR_INPUT);
    assert_non_null(strstr(toi_context_error(context), "half"));
    assert_int_equal(impact.hit.verdict, TOI_NEAR);
    assert_int_equal(toi_scene_create(context, &topology, &scene), TOI_ERROR_INPUT);
    assert_non_null(strstr(toi_context_error(context), "half"));
    assert_null(scene);
  }
  toi_context_destroy(context);
}

static void every_allocation_may_be_refused(void **state) {
  (void)state;
  uint64_t random = test_seed(88);
  world w;
  world_make(&w, &random, false, 1, 0.5);
  const toi_options options = toi_default_options();
  records close = records_make(sizeof(toi_proximal));
  toi_status status = TOI_ERROR_MEMORY;
  for (size_t at = 1; status != TOI_OK; at++) {
    test_allocator allocator = {.refuse_at = 0};
    toi_context *context = test_context_on(&allocator);
    toi_impact impact;
    toi_scene *scene = NULL;
    double displacements[MADE_VERTICES];
    close.count = 0;
    allocator.refuse_at = allocator.calls + at;
    const toi_topology topology = {
        .vertex_count = w.mesh.vertex_count, .half_spaces = w.planes, .half_space_count = w.plane_count};
    const toi_positions start = {.start = w.mesh.start, .vertex_count = w.mesh.vertex_count};
    status = toi_step(context, &w.mesh, &options, &impact);
    if (status == TOI_OK)
      status = toi_safe_displacements(context, &w.mesh, 0, 1, &options, displacements);
    if (status == TOI_OK)
      status = toi_scene_create(context, &topology, &scene);
    if (status == TOI_OK)
      status = toi_scene_proximity(context, scene, &start, 1, &options, add_close, &close);
    assert_true(status == TOI_OK || status == TOI_ERROR_MEMORY);
    toi_scene_destroy(scene);
    toi_context_destroy(context);
    assert_true(allocator.blocks == 0 && allocator.wrong_sizes == 0);
    status = status == TOI_OK && allocator.calls >= allocator.refuse_at ? TOI_ERROR_MEMORY : status;
    assert_true(at < 10000);
  }
  assert_true(close.count > 0);
  free(close.bytes);
  free(w.made);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(steps_and_collisions_are_those_of_every_vertex),
      cmocka_unit_test(two_vertices_come_before_the_ground),
      cmocka_unit_test(close_vertices_and_displacements_are_exact),
      cmocka_unit_test(stencils_have_derivatives),
      cmocka_unit_test(vertices_behind_are_intersections),
      cmocka_unit_test(line_searches_are_safe_and_kept_scenes_the_same),
      cmocka_unit_test(a_vertex_just_above_a_slope_is_rounded_away),
      cmocka_unit_test(rules_choose_the_pairs),
      cmocka_unit_test(half_spaces_that_are_none_are_refused),
      cmocka_unit_test(every_allocation_may_be_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
