/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Calls on whole meshes in every floating-point state of the caller: the same bits as in the default state, the state
 * and its flags as they were, visitors in the caller's state, the caller's rules in the default one. */

#include <stdatomic.h>

#include "scene/meshes.h"
#include "support/float_state.h"

/* --- meshes --- */

/* Coordinates are small whole numbers of `unit`: with the smallest double all arithmetic is on subnormal numbers, with
 * a huge one differences and products overflow. */
static void make_lattice(made_mesh *m, uint64_t *random, double unit, bool moves) {
  memset(m, 0, sizeof *m);
  for (int i = 0; i < 30; i++) {
    const uint32_t v = made_vertex(m, 0, 0, 0);
    for (int k = 0; k < 3; k++) {
      m->start[v][k] = unit * (double)(test_random(random) % 16);
      m->end[v][k] = moves ? unit * (double)(test_random(random) % 16) : m->start[v][k];
    }
  }
  for (uint32_t i = 0; i < 18; i += 3)
    made_face(m, i, i + 1, i + 2);
  made_edge(m, 18, 19);
  made_edge(m, 20, 21);
  made_finish(m);
}

/* --- what a call gave --- */

/* Every byte of every answer, and what was seen on the way. */
typedef struct record {
  unsigned char *bytes;
  size_t count, room;
  uint64_t visitor; /* control bits in the visitor; all must be alike */
  bool differed;
} record;

static void keep(record *r, const void *bytes, size_t count) {
  if (r->count + count > r->room) {
    r->room = 2 * (r->count + count);
    r->bytes = realloc(r->bytes, r->room);
    assert_non_null(r->bytes);
  }
  memcpy(r->bytes + r->count, bytes, count);
  r->count += count;
}

static void note_state(record *r) {
  const uint64_t state = test_float_control(test_float_get());
  r->differed = r->differed || (r->visitor != 0 && r->visitor != state + 1);
  r->visitor = state + 1;
}

static toi_status keep_collisions(void *user, const toi_collision *collisions, size_t count) {
  note_state(user);
  keep(user, collisions, count * sizeof *collisions);
  return TOI_OK;
}

static toi_status keep_close(void *user, const toi_proximal *pairs, size_t count) {
  note_state(user);
  keep(user, pairs, count * sizeof *pairs);
  return TOI_OK;
}

static toi_status keep_crossings(void *user, const toi_crossing *crossings, size_t count) {
  note_state(user);
  keep(user, crossings, count * sizeof *crossings);
  return TOI_OK;
}

/* --- the calls --- */

typedef struct question {
  toi_context *context;
  toi_mesh mesh;
  toi_options options;
  double distance;
  double (*positions)[3];
} question;

typedef toi_status (*asking)(const question *q, record *r);

static toi_status ask_step(const question *q, record *r) {
  toi_impact impact;
  const toi_status status = toi_step(q->context, &q->mesh, &q->options, &impact);
  keep(r, &impact, sizeof impact);
  return status;
}

static toi_status ask_collisions(const question *q, record *r) {
  return toi_collisions(q->context, &q->mesh, &q->options, keep_collisions, r);
}

static toi_status ask_proximity(const question *q, record *r) {
  return toi_proximity(q->context, &q->mesh, q->distance, &q->options, keep_close, r);
}

static toi_status ask_line_search(const question *q, record *r) {
  toi_advance advance;
  const toi_status status = toi_line_search(q->context, &q->mesh, &q->options, q->positions, &advance);
  keep(r, &advance, sizeof advance);
  keep(r, q->positions, q->mesh.vertex_count * sizeof *q->positions);
  return status;
}

static toi_status ask_intersects(const question *q, record *r) {
  toi_intersection intersection;
  const toi_status status = toi_mesh_intersects(q->context, &q->mesh, &q->options, &intersection);
  keep(r, &intersection, sizeof intersection);
  return status;
}

static toi_status ask_crossings(const question *q, record *r) {
  return toi_mesh_crossings(q->context, &q->mesh, &q->options, keep_crossings, r);
}

static toi_status ask_check(const question *q, record *r) {
  (void)r;
  return toi_mesh_check(q->context, &q->mesh);
}

static const struct {
  const char *name;
  asking ask;
} calls[] = {{"toi_step", ask_step},
             {"toi_collisions", ask_collisions},
             {"toi_proximity", ask_proximity},
             {"toi_line_search", ask_line_search},
             {"toi_mesh_intersects", ask_intersects},
             {"toi_mesh_crossings", ask_crossings},
             {"toi_mesh_check", ask_check}};

/* One call in one state, compared with that in the default state. */
static void check_call(size_t number, const question *q, unsigned state, const record *expected) {
  record found = {0};
  const uint64_t before = test_float_enter(state);
  const toi_status status = calls[number].ask(q, &found);
  const uint64_t after = test_float_leave();
  if (status != TOI_OK || after != before || found.count != expected->count ||
      (found.count > 0 && memcmp(found.bytes, expected->bytes, found.count) != 0))
    fail_msg("%s in state %u: status %d, state %#llx after %#llx, %zu bytes of %zu", calls[number].name, state, status,
             (unsigned long long)after, (unsigned long long)before, found.count, expected->count);
  if (found.visitor != 0)
    assert_true(!found.differed && found.visitor == test_float_control(before) + 1);
  free(found.bytes);
}

static void check_question(const question *q) {
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
    record expected = {0};
    assert_int_equal(calls[i].ask(q, &expected), TOI_OK);
    for (unsigned state = 0; state < TEST_FLOAT_STATES; state++)
      check_call(i, q, state, &expected);
    free(expected.bytes);
  }
}

/* Separations of an odd number of units: half of it is a subnormal number more that flushing takes away. */
static void check_meshes(double unit, bool moves, uint64_t seed) {
  uint64_t random = test_seed(seed);
  made_mesh *m = made_new();
  question q = {.positions = calloc(MADE_VERTICES, sizeof *q.positions)};
  for (uint64_t i = 0; i < test_count(6); i++) {
    make_lattice(m, &random, unit, moves);
    q.context = test_context(i % 2 ? 1 : 3);
    q.mesh = made_as(m, TOI_FLOAT64);
    q.options = toi_default_options();
    q.options.min_separation = i % 3 == 0 ? unit : 0;
    q.options.separation_fraction = i % 3 == 1 ? 0.25 : 0;
    q.distance = (i % 2 ? 1 : 3) * unit;
    check_question(&q);
    toi_context_destroy(q.context);
  }
  free(q.positions);
  free(m);
}

static void subnormal_meshes_in_every_state(void **state) {
  (void)state;
  check_meshes(0x1p-1074, true, 71);
}

static void ordinary_meshes_in_every_state(void **state) {
  (void)state;
  check_meshes(0.1, true, 72);
}

static void resting_meshes_in_every_state(void **state) {
  (void)state;
  check_meshes(0.1, false, 73);
  check_meshes(0x1p-1074, false, 74);
}

static void huge_meshes_in_every_state(void **state) {
  (void)state;
  check_meshes(0x1p1019, true, 75);
}

/* --- functions of the caller's --- */

/* In the default state, on every thread, although it leaves another one behind. */
static bool rule(void *user, toi_kind kind, uint32_t first, uint32_t second) {
  atomic_uint *const wrong = user;
  if (test_float_control(test_float_get()) != TEST_FLOAT_DEFAULT)
    atomic_fetch_add(wrong, 1);
  test_float_set(test_float_state(3 + 8 * (first % 4)));
  return (first + second + (unsigned)kind) % 3 != 0;
}

static void rules_of_the_caller_run_in_the_default_state(void **state) {
  (void)state;
  uint64_t random = test_seed(76);
  made_mesh *m = made_new();
  make_lattice(m, &random, 0x1p-1074, true);
  for (uint32_t threads = 1; threads <= 3; threads += 2) {
    atomic_uint wrong = 0;
    toi_mesh_options on_mesh = toi_default_mesh_options();
    on_mesh.may_collide = rule;
    on_mesh.may_collide_user = &wrong;
    question q = {.positions = calloc(MADE_VERTICES, sizeof *q.positions), .distance = 0x3p-1074};
    q.context = test_context(threads);
    q.mesh = made_as(m, TOI_FLOAT64);
    q.options = toi_default_options();
    q.options.on_mesh = &on_mesh;
    q.options.min_separation = 0x1p-1074;
    check_question(&q);
    assert_int_equal(atomic_load(&wrong), 0);
    toi_context_destroy(q.context);
    free(q.positions);
  }
  free(m);
}

/* A visitor may change the caller's state: that is what is there after the call. */
static toi_status change_state(void *user, const toi_proximal *pairs, size_t count) {
  (void)pairs;
  (void)count;
  test_float_set(*(const uint64_t *)user);
  return TOI_OK;
}

static void what_a_visitor_leaves_is_the_callers_state(void **state) {
  (void)state;
  made_mesh *m = made_new();
  made_vertex(m, 0, 0, 0);
  made_vertex(m, 1, 0, 0);
  const toi_mesh mesh = made_as(m, TOI_FLOAT64);
  const toi_options options = toi_default_options();
  toi_context *context = test_context(1);
  uint64_t wanted = test_float_enter(17);
  test_float_leave();
  const toi_status status = toi_proximity(context, &mesh, 2, &options, change_state, &wanted);
  assert_true(test_float_leave() == wanted);
  assert_int_equal(status, TOI_OK);
  toi_context_destroy(context);
  free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(subnormal_meshes_in_every_state),
      cmocka_unit_test(ordinary_meshes_in_every_state),
      cmocka_unit_test(resting_meshes_in_every_state),
      cmocka_unit_test(huge_meshes_in_every_state),
      cmocka_unit_test(rules_of_the_caller_run_in_the_default_state),
      cmocka_unit_test(what_a_visitor_leaves_is_the_callers_state),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
