/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Steps that are safe: random steps of meshes that do not intersect, each looked at pair by pair.
 *
 * Two oracles, which may be believed everywhere, since both see every pair of the mesh and no box: the method
 * `certified` for all pairs, and the method `exact` for all of them in every eighth round and always for those that
 * decide the first time. */

#include <float.h>
#include <stdio.h>

#include "narrow/mesh.h"
#include "scene/meshes.h"

typedef struct outing {
  made_mesh *m;
  toi_mesh mesh;
  toi_options options;
  toi_mesh_options on_mesh;
  double placed[MADE_VERTICES][3];       /* what was written, in doubles */
  float narrow_placed[MADE_VERTICES][3]; /* and where it was, for floats */
  toi_advance advance;
} outing;

/* What the rounds of a test came to. */
typedef struct tally {
  size_t rounds, free_steps, lowered, tries;
  double least; /* of step / first time */
} tally;

/* --- the oracle --- */

/* The first time at which a pair of the mesh is within the separation of the options: [*lo, *hi]; INFINITY: none. */
static void first_time(toi_context *context, const toi_mesh *mesh, const toi_options *options, double *lo, double *hi) {
  all_pairs all = pairs_of(mesh, options);
  *lo = *hi = INFINITY;
  for (int kind = 0; kind < TOI_KIND_COUNT; kind++) {
    size_t count = all.count[kind];
    toi_hit *hits = malloc((count + 1) * sizeof(*hits));
    assert_non_null(hits);
    if (toi_batch_indexed(context, (toi_kind)kind, mesh, all.pairs[kind], count, options, hits) != TOI_OK)
      fail_msg("%s", toi_context_error(context));
    toi_options exactly = *options;
    exactly.method = "exact";
    for (size_t i = 0; i < count; i++) {
      if (hits[i].verdict == TOI_MISS || hits[i].t_lo > *hi)
        continue;
      toi_hit hit;
      assert_int_equal(toi_batch_indexed(context, (toi_kind)kind, mesh, &all.pairs[kind][i], 1, &exactly, &hit),
                       TOI_OK);
      assert_int_equal(hit.verdict, TOI_HIT);
      *lo = hit.t_lo < *lo ? hit.t_lo : *lo;
      *hi = hit.t_hi < *hi ? hit.t_hi : *hi;
    }
    free(hits);
  }
  pairs_free(&all);
}

/* Whether a state of the mesh intersects itself. */
static bool intersects(toi_context *context, const toi_mesh *mesh, const void *state) {
  toi_mesh at = *mesh;
  toi_options options = toi_default_options();
  toi_intersection found;
  at.start = state;
  if (toi_mesh_intersects(context, &at, &options, &found) != TOI_OK)
    fail_msg("%s", toi_context_error(context));
  return found.found;
}

static void print_mesh(const outing *r) {
  for (size_t i = 0; i < r->mesh.vertex_count; i++)
    print_error("%a %a %a  %a %a %a  %a %a %a\n", r->m->start[i][0], r->m->start[i][1], r->m->start[i][2],
                r->m->end[i][0], r->m->end[i][1], r->m->end[i][2], r->placed[i][0], r->placed[i][1], r->placed[i][2]);
  print_error("step %a, fraction %g, asked %g, t_max %g, first [%a, %a], tries %u\n", r->advance.step,
              r->advance.fraction, r->options.separation_fraction, r->options.t_max, r->advance.first.hit.t_lo,
              r->advance.first.hit.t_hi, r->advance.tries);
}

static void complain(const outing *r, const char *what) {
  print_mesh(r);
  fail_msg("%s", what);
}

/* The positions are those of the step, up to a unit or two in the last place, and not beyond the way. */
static void check_positions(const outing *r) {
  double unit = r->mesh.scalar == TOI_FLOAT32 ? 0x1p-22 : 0x1p-51;
  for (size_t i = 0; i < r->mesh.vertex_count; i++)
    for (int k = 0; k < 3; k++) {
      double x0 = r->m->start[i][k], x1 = r->m->end[i][k], at = x0 + r->advance.step * (x1 - x0), y = r->placed[i][k];
      if (!(y >= fmin(x0, x1) && y <= fmax(x0, x1)) || fabs(y - at) > unit * fmax(fabs(x0), fabs(x1)) + DBL_TRUE_MIN)
        complain(r, "a position is not that of the step");
    }
}

/* Everything that is promised of a step; nothing touches at the start. */
static void check_outing(toi_context *context, outing *r, bool exactly, tally *t) {
  const toi_advance *advance = &r->advance;
  toi_options options = r->options;
  double lo, hi;
  options.method = exactly ? "exact" : "certified";
  first_time(context, &r->mesh, &options, &lo, &hi);
  const toi_hit *first = &advance->first.hit;
  if (isinf(lo) ? first->verdict != TOI_MISS : first->t_lo != lo || first->t_hi != hi)
    complain(r, "the first time is not that of all pairs");
  double most = isinf(lo) ? options.t_max : lo;
  if (!(advance->step > 0 && advance->step <= most && advance->step >= 0.99 * most))
    complain(r, "the step is not as long as it may be");
  if (isinf(lo) && options.t_max == 1 && advance->step != 1)
    complain(r, "nothing is in the way, but the step is not the whole");
  if (!(advance->fraction <= options.separation_fraction && advance->tries > 0))
    complain(r, "the fraction is more than was asked for");
  check_positions(r);
  // The motion to what was written.
  toi_mesh moved = r->mesh;
  moved.end = r->mesh.scalar == TOI_FLOAT32 ? (const void *)r->narrow_placed : (const void *)r->placed;
  options.t_max = 1;
  options.separation_fraction = advance->fraction;
  first_time(context, &moved, &options, &lo, &hi);
  if (!isinf(lo))
    complain(r, "a pair comes too close on the way to the positions");
  if (intersects(context, &moved, moved.end))
    complain(r, "the positions intersect");
  t->rounds++;
  t->free_steps += first->verdict == TOI_MISS;
  t->lowered += advance->fraction < r->options.separation_fraction;
  t->tries += advance->tries;
  t->least = fmin(t->least, advance->step / most);
}

/* Asks for the step of the round's mesh. */
static void search(toi_context *context, outing *r) {
  bool narrow = r->mesh.scalar == TOI_FLOAT32;
  void *positions = narrow ? (void *)r->narrow_placed : (void *)r->placed;
  if (toi_line_search(context, &r->mesh, &r->options, positions, &r->advance) != TOI_OK)
    fail_msg("%s", toi_context_error(context));
  for (size_t i = 0; narrow && i < r->mesh.vertex_count; i++)
    for (int k = 0; k < 3; k++)
      r->placed[i][k] = (double)r->narrow_placed[i][k];
}

/* --- meshes that do not intersect, and where they want to go --- */

static double between(uint64_t *random, double lo, double hi) {
  return lo + (hi - lo) * test_random_unit(random);
}

/* The vertices from `first` on go this way, each a little differently. */
static void push(made_mesh *m, size_t first, const double way[3], double noise, uint64_t *random) {
  for (size_t i = first; i < m->vertex_count; i++)
    for (int k = 0; k < 3; k++)
      m->end[i][k] = m->start[i][k] + way[k] + between(random, -noise, noise);
}

/* A cloth above a ball falls on it. */
static void make_cloth(made_mesh *m, uint64_t *random) {
  double gap = ldexp(1, -(int)(test_random(random) % 40));
  made_ball(m, 2 + (uint32_t)(test_random(random) % 2), 1, (const double[]){0, 0, 0});
  push(m, 0, (const double[]){between(random, -1, 1) * gap, 0, between(random, -1, 2) * gap}, 0, random);
  size_t cloth = m->vertex_count;
  made_grid(m, 3, 0.5, (const double[]){between(random, -0.1, 0.1), between(random, -0.1, 0.1), 1 + gap});
  push(m, cloth, (const double[]){0, 0, -between(random, 0, 3) * gap}, between(random, 0, 1) * gap, random);
}

/* Balls in a row, corners opposite to each other a small gap apart, run into each other. */
static void make_pile(made_mesh *m, uint64_t *random) {
  const double pi = 3.14159265358979323846;
  double gap = ldexp(1, -(int)(test_random(random) % 45)), at[3] = {between(random, -9, 9), 0.1, 0.2};
  for (int i = 0; i < 3; i++) {
    size_t first = m->vertex_count;
    made_ball(m, 2, 1, at);
    push(m, first, (const double[]){(1 - i) * between(random, 0, 2) * gap, between(random, -1, 1), 0}, gap / 8, random);
    at[0] += 2 * sin(pi / 3) + gap;
    at[1] += between(random, -gap, gap);
  }
}

/* A triangle, edge or point in each cell of a lattice; they fly about. */
static void make_cells(made_mesh *m, uint64_t *random) {
  for (int cell = 0; cell < 18; cell++) {
    int layer = cell / 9, row = cell / 3 % 3;
    double at[3] = {cell % 3, row, layer};
    uint32_t v[3], corners = 1 + (uint32_t)(test_random(random) % 3);
    size_t first = m->vertex_count;
    for (uint32_t i = 0; i < corners; i++)
      v[i] = made_vertex(m, at[0] + between(random, 0.01, 0.99), at[1] + between(random, 0.01, 0.99),
                         at[2] + between(random, 0.01, 0.99));
    if (corners == 2)
      made_edge(m, v[0], v[1]);
    if (corners == 3)
      made_face(m, v[0], v[1], v[2]);
    double far = between(random, 0, 1);
    push(m, first, (const double[]){between(random, -far, far), between(random, -far, far), 0}, far / 4, random);
  }
}

static void make_any(made_mesh *m, uint64_t *random) {
  m->vertex_count = m->face_count = m->edge_count = 0;
  switch (test_random(random) % 3) {
  case 0:
    make_cloth(m, random);
    break;
  case 1:
    make_pile(m, random);
    break;
  default:
    make_cells(m, random);
  }
  made_finish(m);
  for (size_t i = 0; i < m->vertex_count; i++) {
    m->fixed[i] = test_random(random) % 5 == 0;
    if (m->fixed[i])
      memcpy(m->end[i], m->start[i], sizeof(m->end[i]));
  }
}

static outing *outing_new(void) {
  outing *r = calloc(1, sizeof(*r));
  assert_non_null(r);
  r->m = made_new();
  r->options = toi_default_options();
  r->on_mesh = toi_default_mesh_options();
  r->options.on_mesh = &r->on_mesh;
  return r;
}

static void outing_free(outing *r) {
  free(r->m);
  free(r);
}

/* --- tests --- */

static void random_steps_are_safe_and_long(void **state) {
  (void)state;
  static const double fractions[] = {0, 0.2, 0.9, 0.5};
  static const char *const broads[] = {NULL, "bvh", "sweep", "brute"};
  uint64_t random = test_seed(21), count = test_count(300);
  outing *r = outing_new();
  toi_context *context = test_context(2);
  tally t = {.least = 1};
  while (t.rounds < count) {
    make_any(r->m, &random);
    bool narrow = test_random(&random) % 4 == 0;
    r->mesh = made_as(r->m, narrow ? TOI_FLOAT32 : TOI_FLOAT64);
    r->mesh.fixed = test_random(&random) % 2 ? r->m->fixed : NULL;
    r->options.separation_fraction = fractions[test_random(&random) % 4];
    r->options.norm = test_random(&random) % 4 ? TOI_NORM_L2 : TOI_NORM_LINF;
    r->options.t_max = test_random(&random) % 4 ? 1 : between(&random, 0.01, 1);
    r->on_mesh.broad = broads[test_random(&random) % 4];
    // Floats may meet where the doubles that they come from did not.
    bool meets = intersects(context, &r->mesh, r->mesh.start);
    assert_true(!meets || narrow);
    if (meets)
      continue;
    search(context, r);
    check_outing(context, r, t.rounds % 8 == 0, &t);
  }
  printf("%zu steps, %zu of them free, fraction lowered in %zu, %.3f tries a step, shortest %.6f of the first time\n",
         t.rounds, t.free_steps, t.lowered, (double)t.tries / (double)t.rounds, t.least);
  assert_true(t.free_steps > 0 && t.free_steps < t.rounds);
  toi_context_destroy(context);
  outing_free(r);
}

/* The least distance of two primitives of the mesh at the start, rounded down. */
static double least_distance(const outing *r) {
  all_pairs all = pairs_of(&r->mesh, &r->options);
  double least = INFINITY;
  for (int kind = 0; kind < TOI_KIND_COUNT; kind++)
    for (size_t i = 0; i < all.count[kind]; i++) {
      double query[24], own = 0;
      toi_pair_query((toi_kind)kind, &r->mesh, all.pairs[kind][i], query);
      assert_int_equal(toi_distance_part((toi_kind)kind, (const double(*)[3])query, r->options.norm, 1, &own), TOI_OK);
      least = fmin(least, own);
    }
  pairs_free(&all);
  return least;
}

/* d = d_min + F (d0 - d_min): d_min from a small part of the least distance to all of it. Where it is all of it, they
 * touch at the start, and there is no step. */
static void random_steps_keep_a_separation_and_a_fraction(void **state) {
  (void)state;
  static const double fractions[] = {0.2, 0.9, 0.5, 0x1p-20}, parts[] = {0.5, 0.1, 0.9, 1e-3, 1};
  static const char *const broads[] = {NULL, "bvh", "sweep", "brute"};
  uint64_t random = test_seed(25), count = test_count_from(300, 40);
  outing *r = outing_new();
  toi_context *context = test_context(2);
  tally t = {.least = 1};
  size_t touching = 0;
  while (t.rounds < count) {
    make_any(r->m, &random);
    r->mesh = made_as(r->m, test_random(&random) % 4 ? TOI_FLOAT64 : TOI_FLOAT32);
    r->mesh.fixed = test_random(&random) % 2 ? r->m->fixed : NULL;
    r->options.separation_fraction = fractions[test_random(&random) % 4];
    r->options.norm = test_random(&random) % 4 ? TOI_NORM_L2 : TOI_NORM_LINF;
    r->options.t_max = test_random(&random) % 4 ? 1 : between(&random, 0.01, 1);
    r->on_mesh.broad = broads[test_random(&random) % 4];
    const double least = least_distance(r), part = parts[test_random(&random) % 5];
    r->options.min_separation = least * part;
    // Beyond d_min the mesh's numbers have some digits left.
    if (part < 1 && !(least * (1 - part) > (r->mesh.scalar == TOI_FLOAT32 ? 0x1p-15 : 0x1p-42)))
      continue;
    search(context, r);
    if (part < 1) {
      check_outing(context, r, t.rounds % 8 == 0, &t);
      continue;
    }
    // The least distance is rounded down: d_min is below it by a unit, or is it.
    touching += r->advance.step == 0;
    if (r->advance.step == 0 && !(r->advance.first.hit.touching_at_start && r->advance.fraction == 0))
      complain(r, "no step, though nothing touches");
  }
  printf(
      "%zu steps, %zu of them free, fraction lowered in %zu, %.3f tries a step, shortest %.6f of the first time, %zu "
      "touching\n",
      t.rounds, t.free_steps, t.lowered, (double)t.tries / (double)t.rounds, t.least, touching);
  assert_true(t.free_steps > 0 && t.free_steps < t.rounds && touching > 0);
  toi_context_destroy(context);
  outing_free(r);
}

/* A vertex a few units in the last place above a face, pushed through it: the step is positive, and what is written
 * does not touch. */
static void a_few_ulps_apart_the_step_is_positive_and_safe(void **state) {
  (void)state;
  static const double fractions[] = {0, 0.2, 0.9};
  uint64_t random = test_seed(22);
  outing *r = outing_new();
  toi_context *context = test_context(1);
  size_t long_enough = 0, moved = 0, rounds = (size_t)test_count(300);
  for (size_t i = 0; i < rounds; i++) {
    made_mesh *m = r->m;
    m->vertex_count = m->face_count = m->edge_count = 0;
    double height = between(&random, 0.5, 2), above = height;
    for (uint64_t k = 0; k < 1 + test_random(&random) % 4; k++)
      above = nextafter(above, INFINITY);
    made_vertex(m, between(&random, 0.1, 0.3), between(&random, 0.1, 0.3), above);
    for (int k = 0; k < 3; k++)
      made_vertex(m, k == 1, k == 2, height);
    made_face(m, 1, 2, 3);
    made_finish(m);
    push(m, 0, (const double[]){0, 0, 0}, test_random(&random) % 2 ? 1 : 0, &random);
    m->end[0][2] -= between(&random, 0, 1);
    r->mesh = made_as(m, TOI_FLOAT64);
    r->options.separation_fraction = fractions[i % 3];
    search(context, r);
    if (!(r->advance.step > 0 && r->advance.step <= 1))
      complain(r, "nothing touches, but there is no step");
    toi_mesh after = r->mesh;
    toi_options options = r->options;
    double lo, hi;
    after.end = r->placed;
    options.separation_fraction = r->advance.fraction;
    first_time(context, &after, &options, &lo, &hi);
    if (!isinf(lo))
      complain(r, "a pair comes too close on the way to the positions");
    double most = r->advance.first.hit.verdict == TOI_MISS ? 1 : r->advance.first.hit.t_lo;
    long_enough += r->advance.step >= 0.99 * most;
    moved += memcmp(r->placed, m->start, 4 * sizeof(r->placed[0])) != 0;
  }
  printf("%zu of %zu steps as long as they may be, %zu that move\n", long_enough, rounds, moved);
  assert_true(long_enough == rounds && moved > 0);
  toi_context_destroy(context);
  outing_free(r);
}

/* Points in a row, a few units in the last place apart, that fly along it and close up: rounded, the row is uneven, and
 * the fraction cannot be kept everywhere. */
static void a_row_of_points_ulps_apart_lowers_the_fraction(void **state) {
  (void)state;
  uint64_t random = test_seed(24);
  outing *r = outing_new();
  toi_context *context = test_context(1);
  tally t = {.least = 1};
  for (uint64_t i = 0; i < test_count_from(100, 8); i++) {
    uint64_t points = 4 + test_random(&random) % 12, gap = 3 + test_random(&random) % 3, flight = test_random(&random);
    made_mesh *m = r->m;
    m->vertex_count = 0;
    for (uint64_t k = 0; k < points; k++) {
      made_vertex(m, 0, 0, 1 + (double)(k * gap) * 0x1p-52);
      m->end[k][2] += ldexp((double)(flight % 1000), -12) - (double)(2 * k) * 0x1p-52;
    }
    r->mesh = made_as(m, TOI_FLOAT64);
    r->options.separation_fraction = 0.9;
    search(context, r);
    check_outing(context, r, i % 8 == 0, &t);
  }
  printf("%zu steps, fraction lowered in %zu, shortest %.6f of the first time\n", t.rounds, t.lowered, t.least);
  assert_true(t.lowered > 0 && t.lowered < t.rounds);
  toi_context_destroy(context);
  outing_free(r);
}

/* A vertex above a face, pushed through it. */
static void make_drop(made_mesh *m, double height) {
  made_vertex(m, 0.25, 0.25, height);
  for (int k = 0; k < 3; k++)
    made_vertex(m, k == 1, k == 2, 0);
  made_face(m, 1, 2, 3);
  made_finish(m);
  m->end[0][2] = -1;
}

static void touching_now_there_is_no_step(void **state) {
  (void)state;
  outing *r = outing_new();
  toi_context *context = test_context(1);
  make_drop(r->m, 0);
  r->mesh = made_as(r->m, TOI_FLOAT64);
  for (int i = 0; i < 2; i++) {
    r->options.separation_fraction = i * 0.2;
    memset(r->placed, 0xff, sizeof(r->placed));
    search(context, r);
    assert_true(r->advance.step == 0 && r->advance.fraction == 0 && r->advance.tries == 0);
    assert_true(r->advance.first.hit.touching_at_start && r->advance.first.kind == TOI_VERTEX_FACE);
    assert_memory_equal(r->placed, r->m->start, 4 * sizeof(r->placed[0]));
  }
  toi_context_destroy(context);
  outing_free(r);
}

/* From height 1 to -1: within p of the distance at t = (1 - p) / 2. */
static void drop_stops_just_before_the_fraction(void **state) {
  (void)state;
  outing *r = outing_new();
  toi_context *context = test_context(1);
  make_drop(r->m, 1);
  for (int scalar = 0; scalar < 2; scalar++)
    for (int i = 0; i < 4; i++) {
      r->mesh = made_as(r->m, (toi_scalar)scalar);
      r->options.separation_fraction = i * 0.25;
      search(context, r);
      double t = (1 - i * 0.25) / 2;
      assert_true(r->advance.first.hit.t_lo <= t && t <= r->advance.first.hit.t_hi);
      assert_true(r->advance.step < t && r->advance.step > 0.9999 * t);
      assert_true(r->advance.fraction == i * 0.25 && r->placed[0][2] > i * 0.25);
    }
  toi_context_destroy(context);
  outing_free(r);
}

static void whole_way_is_the_end_bit_by_bit_and_t_max_ends_it(void **state) {
  (void)state;
  outing *r = outing_new();
  toi_context *context = test_context(1);
  make_drop(r->m, 1);
  for (int k = 0; k < 3; k++)
    r->m->end[0][k] = 0.1 * (k + 1);
  r->mesh = made_as(r->m, TOI_FLOAT64);
  search(context, r);
  assert_true(r->advance.step == 1 && r->advance.tries == 1 && r->advance.first.hit.verdict == TOI_MISS);
  assert_memory_equal(r->placed, r->m->end, 4 * sizeof(r->placed[0]));
  static const double ends[] = {0, 0x1p-40, 0.3, 0x1.fffffffffffffp-1};
  for (size_t i = 0; i < 4; i++) {
    r->options.t_max = ends[i];
    search(context, r);
    assert_true(r->advance.step == ends[i] && r->advance.first.hit.verdict == TOI_MISS);
    check_positions(r);
  }
  assert_true(r->placed[0][2] < 1);
  toi_context_destroy(context);
  outing_free(r);
}

/* With a thickness the distance counts from there: from 1 to the thickness 0.25, and a fifth of the way left. */
static void thickness_is_kept_free(void **state) {
  (void)state;
  outing *r = outing_new();
  toi_context *context = test_context(1);
  make_drop(r->m, 1);
  r->mesh = made_as(r->m, TOI_FLOAT64);
  r->mesh.thickness = r->m->thickness;
  r->m->thickness[0] = 0.125;
  r->m->thickness[2] = 0.125;
  search(context, r);
  assert_true(r->placed[0][2] > 0.25 && r->placed[0][2] < 0.26);
  r->options.separation_fraction = 0.2;
  search(context, r);
  assert_true(r->placed[0][2] > 0.25 + 0.2 * 0.75 && r->placed[0][2] < 0.41);
  r->m->thickness[0] = 2;
  search(context, r);
  assert_true(r->advance.step == 0);
  toi_context_destroy(context);
  outing_free(r);
}

/* d_min counts from there too: with 0.25 and a fifth of the rest; within d_min at the start there is no step. */
static void a_separation_is_kept_free_beside_the_fraction(void **state) {
  (void)state;
  outing *r = outing_new();
  toi_context *context = test_context(1);
  make_drop(r->m, 1);
  r->mesh = made_as(r->m, TOI_FLOAT64);
  r->options.min_separation = 0.25;
  r->options.separation_fraction = 0.2;
  search(context, r);
  assert_true(r->placed[0][2] > 0.25 + 0.2 * 0.75 && r->placed[0][2] < 0.41 && r->advance.fraction == 0.2);
  assert_true(r->advance.first.hit.separation <= 0.4 && r->advance.first.hit.separation > 0.4 - 0x1p-50);
  r->options.min_separation = 1;
  search(context, r);
  assert_true(r->advance.step == 0 && r->advance.first.hit.touching_at_start);
  assert_true(r->advance.first.hit.separation == 1);
  r->options.min_separation = nextafter(1, 0);
  search(context, r);
  assert_true(r->advance.step > 0);
  toi_context_destroy(context);
  outing_free(r);
}

/* What is not among the kinds is not in the way. */
static void only_the_kinds_asked_for_are_in_the_way(void **state) {
  (void)state;
  outing *r = outing_new();
  toi_context *context = test_context(1);
  make_drop(r->m, 1);
  r->mesh = made_as(r->m, TOI_FLOAT64);
  for (uint32_t kinds = 0; kinds < 1u << TOI_KIND_COUNT; kinds++) {
    r->on_mesh.kinds = kinds;
    search(context, r);
    const bool stops = kinds == 0 || (kinds & TOI_KINDS_VERTEX_FACE);
    assert_true(stops ? r->advance.step < 0.5 && r->advance.first.kind == TOI_VERTEX_FACE : r->advance.step == 1);
  }
  toi_context_destroy(context);
  outing_free(r);
}

/* Contact in 2^-1100 of the way, and a way that is no double. */
static void extreme_ways_are_stepped_on(void **state) {
  (void)state;
  outing *r = outing_new();
  toi_context *context = test_context(1);
  made_vertex(r->m, 0, 0, 0x1p-1074);
  made_vertex(r->m, 0, 0, 0);
  r->m->end[0][2] = -0x1p100;
  made_finish(r->m);
  r->mesh = made_as(r->m, TOI_FLOAT64);
  search(context, r);
  assert_true(r->advance.step > 0 && r->placed[0][2] == 0x1p-1074);
  r->m->start[0][2] = DBL_MAX;
  r->m->end[0][2] = -DBL_MAX;
  search(context, r);
  assert_true(r->advance.step > 0.495 && r->advance.step < 0.5);
  assert_true(r->placed[0][2] > 0 && r->placed[0][2] < 0x1p1020);
  toi_context_destroy(context);
  outing_free(r);
}

static bool stop_late(void *user, double done) {
  double *last = user;
  assert_true(done >= *last && done <= 1);
  *last = done;
  return false;
}

static void bad_calls_are_refused_and_change_nothing(void **state) {
  (void)state;
  outing *r = outing_new();
  toi_context *context = test_context(1);
  make_drop(r->m, 1);
  toi_mesh mesh = made_as(r->m, TOI_FLOAT64), bad = mesh;
  toi_options options = toi_default_options(), unset = {.size = 0};
  toi_mesh_options on_mesh = toi_default_mesh_options();
  options.on_mesh = &on_mesh;
  toi_advance advance;
  bad.faces = NULL;
  assert_int_equal(toi_line_search(NULL, &mesh, &options, r->placed, &advance), TOI_ERROR_INPUT);
  assert_int_equal(toi_line_search(context, NULL, &options, r->placed, &advance), TOI_ERROR_INPUT);
  assert_int_equal(toi_line_search(context, &mesh, &options, NULL, &advance), TOI_ERROR_INPUT);
  assert_int_equal(toi_line_search(context, &mesh, &options, r->placed, NULL), TOI_ERROR_INPUT);
  assert_int_equal(toi_line_search(context, &mesh, &options, r->m->start, &advance), TOI_ERROR_INPUT);
  assert_int_equal(toi_line_search(context, &mesh, &options, r->m->end, &advance), TOI_ERROR_INPUT);
  assert_int_equal(toi_line_search(context, &bad, &options, r->placed, &advance), TOI_ERROR_INPUT);
  assert_int_equal(toi_line_search(context, &mesh, &unset, r->placed, &advance), TOI_ERROR_OPTION);
  options.separation_fraction = 1;
  assert_int_equal(toi_line_search(context, &mesh, &options, r->placed, &advance), TOI_ERROR_OPTION);
  assert_true(advance.step == 0 && toi_context_error(context)[0] != 0);
  assert_true(r->placed[0][2] == 0);
  options.separation_fraction = 0;
  double last = 0;
  on_mesh.progress = stop_late;
  on_mesh.progress_user = &last;
  toi_status status = toi_line_search(context, &mesh, &options, r->placed, &advance);
  assert_true(status == TOI_OK || status == TOI_ERROR_CANCELLED);
  r->m->end[2][1] = NAN;
  on_mesh.progress = NULL;
  assert_int_equal(toi_line_search(context, &mesh, &options, r->placed, &advance), TOI_ERROR_INPUT);
  assert_non_null(strstr(toi_context_error(context), "vertex 2"));
  toi_context_destroy(context);
  outing_free(r);
}

/* The same bits for any number of threads and broad phase, floats with gaps between them among others. */
static void same_answer_for_any_threads_and_broad_phase(void **state) {
  (void)state;
  uint64_t random = test_seed(23);
  outing *r = outing_new();
  double(*first)[3] = calloc(MADE_VERTICES, sizeof(*first));
  for (int i = 0; i < 12; i++) {
    make_any(r->m, &random);
    r->mesh = made_as(r->m, TOI_FLOAT64);
    r->options.separation_fraction = 0.3 * (i % 3);
    toi_advance advance = {0};
    for (uint32_t threads = 1; threads <= 5; threads += 2)
      for (size_t broad = 0; toi_broad_name(broad); broad++) {
        toi_context *context = test_context(threads);
        r->on_mesh.broad = toi_broad_name(broad);
        search(context, r);
        if (threads == 1 && broad == 0) {
          advance = r->advance;
          memcpy(first, r->placed, sizeof(r->placed));
        }
        assert_memory_equal(first, r->placed, r->mesh.vertex_count * sizeof(*first));
        assert_true(advance.step == r->advance.step && advance.fraction == r->advance.fraction);
        assert_memory_equal(&advance.first.pair, &r->advance.first.pair, sizeof(toi_pair));
        toi_context_destroy(context);
      }
  }
  free(first);
  outing_free(r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_steps_are_safe_and_long),
      cmocka_unit_test(random_steps_keep_a_separation_and_a_fraction),
      cmocka_unit_test(a_few_ulps_apart_the_step_is_positive_and_safe),
      cmocka_unit_test(a_row_of_points_ulps_apart_lowers_the_fraction),
      cmocka_unit_test(touching_now_there_is_no_step),
      cmocka_unit_test(drop_stops_just_before_the_fraction),
      cmocka_unit_test(whole_way_is_the_end_bit_by_bit_and_t_max_ends_it),
      cmocka_unit_test(thickness_is_kept_free),
      cmocka_unit_test(a_separation_is_kept_free_beside_the_fraction),
      cmocka_unit_test(only_the_kinds_asked_for_are_in_the_way),
      cmocka_unit_test(extreme_ways_are_stepped_on),
      cmocka_unit_test(bad_calls_are_refused_and_change_nothing),
      cmocka_unit_test(same_answer_for_any_threads_and_broad_phase),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
