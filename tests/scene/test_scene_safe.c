/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Answers of calls on whole meshes that fail: the safe ones on every path, whether something is wrong with the call,
 * memory is refused at any turn, or the caller's own function gives up. */

#include "scene/meshes.h"

/* All answers of a call, filled with what none of them may keep. */
typedef struct answers {
  toi_impact impact;
  toi_advance advance;
  toi_intersection intersection;
  toi_work work;
  double positions[64][3];
} answers;

typedef struct question {
  toi_context *context;
  const toi_mesh *mesh;
  const toi_options *options;
} question;

static toi_status give_up_collisions(void *user, const toi_collision *collisions, size_t count) {
  (void)user;
  (void)collisions;
  (void)count;
  return TOI_ERROR_FILE;
}

static toi_status give_up_close(void *user, const toi_proximal *pairs, size_t count) {
  (void)user;
  (void)pairs;
  (void)count;
  return TOI_ERROR_FILE;
}

static toi_status give_up_crossings(void *user, const toi_crossing *crossings, size_t count) {
  (void)user;
  (void)crossings;
  (void)count;
  return TOI_ERROR_FILE;
}

static toi_status give_up_pairs(void *user, toi_kind kind, const toi_pair *pairs, size_t count) {
  (void)user;
  (void)kind;
  (void)pairs;
  (void)count;
  return TOI_ERROR_FILE;
}

static bool is_unknown(const toi_hit *hit) {
  return hit->verdict == TOI_NEAR && hit->t_lo == 0 && hit->t_hi == 1 && hit->t_safe == 0;
}

static bool is_empty(const toi_work *work) {
  const toi_work none = {.passes = 0};
  return memcmp(work, &none, sizeof none) == 0;
}

/* --- the calls: each returns its status, and whether what it left is safe --- */

typedef toi_status (*asking)(const question *q, answers *a, bool *safe);

static toi_status ask_step(const question *q, answers *a, bool *safe) {
  const toi_status status = toi_step(q->context, q->mesh, q->options, &a->impact);
  *safe = is_unknown(&a->impact.hit);
  return status;
}

static toi_status ask_line_search(const question *q, answers *a, bool *safe) {
  const toi_status status = toi_line_search(q->context, q->mesh, q->options, a->positions, &a->advance);
  const toi_advance *got = &a->advance;
  *safe = is_unknown(&got->first.hit) && got->step == 0 && got->fraction == 0 && got->tries == 0;
  return status;
}

static toi_status ask_intersects(const question *q, answers *a, bool *safe) {
  const toi_status status = toi_mesh_intersects(q->context, q->mesh, q->options, &a->intersection);
  const toi_intersection *got = &a->intersection;
  *safe = got->found == 1 && got->crossing == 0 && got->pair.first == UINT32_MAX && got->pair.second == UINT32_MAX;
  return status;
}

static toi_status ask_collisions(const question *q, answers *a, bool *safe) {
  (void)a;
  *safe = true;
  return toi_collisions(q->context, q->mesh, q->options, give_up_collisions, NULL);
}

static toi_status ask_proximity(const question *q, answers *a, bool *safe) {
  (void)a;
  *safe = true;
  return toi_proximity(q->context, q->mesh, 1, q->options, give_up_close, NULL);
}

/* Half way through the step the two faces cross. */
static toi_status ask_crossings(const question *q, answers *a, bool *safe) {
  *safe = true;
  toi_mesh half = q->mesh ? *q->mesh : (toi_mesh){0};
  if (half.start != NULL) {
    const double *start = half.start, *end = half.end;
    for (size_t i = 0; i < 3 * half.vertex_count; i++)
      a->positions[i / 3][i % 3] = (start[i] + end[i]) / 2;
    half.start = a->positions;
  }
  return toi_mesh_crossings(q->context, q->mesh ? &half : NULL, q->options, give_up_crossings, NULL);
}

static toi_status ask_candidates(const question *q, answers *a, bool *safe) {
  (void)a;
  *safe = true;
  return toi_candidates(q->context, q->mesh, q->options, give_up_pairs, NULL);
}

static const struct {
  const char *name;
  asking ask;
} calls[] = {{"toi_step", ask_step},
             {"toi_line_search", ask_line_search},
             {"toi_mesh_intersects", ask_intersects},
             {"toi_collisions", ask_collisions},
             {"toi_proximity", ask_proximity},
             {"toi_mesh_crossings", ask_crossings},
             {"toi_candidates", ask_candidates}};

#define CALLS (sizeof calls / sizeof *calls)

/* The call fails, and what it leaves is safe. work: the options have one. */
static void expect_safe(size_t number, const question *q, toi_status expected, bool work, answers *a) {
  bool safe = false;
  memset(a, 0x5a, sizeof(*a));
  toi_mesh_options on_mesh = toi_default_mesh_options();
  toi_options options = {.size = 0};
  question own = *q;
  if (work) {
    options = *q->options;
    on_mesh.work = &a->work;
    options.on_mesh = &on_mesh;
    own.options = &options;
  }
  const toi_status status = calls[number].ask(&own, a, &safe);
  if (status != expected || !safe || (work && !is_empty(&a->work)))
    fail_msg("%s: status %d instead of %d, %s answer, %s work", calls[number].name, status, expected,
             safe ? "safe" : "unsafe", work && !is_empty(&a->work) ? "some" : "no");
}

/* Two faces that cross: something to find for every call. */
static toi_mesh make_mesh(made_mesh *m) {
  made_vertex(m, -1, -1, 0);
  made_vertex(m, 2, -1, 0);
  made_vertex(m, -1, 2, 0);
  made_vertex(m, 0, 0, 1);
  made_vertex(m, 0, 1, 2);
  made_vertex(m, 1, 0, 2);
  for (uint32_t i = 3; i < 6; i++)
    m->end[i][2] -= 3;
  made_face(m, 0, 1, 2);
  made_face(m, 3, 4, 5);
  made_finish(m);
  return made_as(m, TOI_FLOAT64);
}

static void bad_calls_leave_the_safe_answer(void **state) {
  (void)state;
  made_mesh *m = made_new();
  const toi_mesh mesh = make_mesh(m);
  toi_mesh narrow = mesh, odd = mesh, later = mesh, pointless = mesh, nowhere = mesh;
  narrow.stride = 1;
  odd.scalar = (toi_scalar)5;
  later.size = sizeof later + 8;
  pointless.start = NULL;
  const uint32_t faces[1][3] = {{0, 1, 9}};
  nowhere.faces = faces;
  nowhere.face_count = 1;
  toi_options good = toi_default_options(), far = good, unset = {.size = 0}, newer = good, rootless = good;
  far.t_max = 2;
  newer.size = sizeof newer + 8;
  rootless.method = "guesswork";
  toi_context *context = test_context(2);
  answers *a = malloc(sizeof *a);
  assert_non_null(a);
  for (size_t i = 0; i < CALLS; i++) {
    expect_safe(i, &(question){NULL, &mesh, &good}, TOI_ERROR_INPUT, false, a);
    expect_safe(i, &(question){context, NULL, &good}, TOI_ERROR_INPUT, true, a);
    expect_safe(i, &(question){context, &narrow, &good}, TOI_ERROR_INPUT, true, a);
    expect_safe(i, &(question){context, &odd, &good}, TOI_ERROR_INPUT, true, a);
    expect_safe(i, &(question){context, &later, &good}, TOI_ERROR_OPTION, true, a);
    expect_safe(i, &(question){context, &pointless, &good}, TOI_ERROR_INPUT, true, a);
    expect_safe(i, &(question){context, &nowhere, &good}, TOI_ERROR_INPUT, true, a);
    expect_safe(i, &(question){context, &mesh, NULL}, TOI_ERROR_OPTION, false, a);
    expect_safe(i, &(question){context, &mesh, &unset}, TOI_ERROR_OPTION, false, a);
    expect_safe(i, &(question){context, &mesh, &newer}, TOI_ERROR_OPTION, false, a);
    expect_safe(i, &(question){context, &mesh, &far}, TOI_ERROR_OPTION, true, a);
  }
  // Those that ask the narrow phase need a method, and those with visitors end as the visitor says.
  expect_safe(0, &(question){context, &mesh, &rootless}, TOI_ERROR_UNSUPPORTED, true, a);
  expect_safe(1, &(question){context, &mesh, &rootless}, TOI_ERROR_UNSUPPORTED, true, a);
  for (size_t i = 3; i < CALLS; i++)
    expect_safe(i, &(question){context, &mesh, &good}, TOI_ERROR_FILE, true, a);
  free(a);
  toi_context_destroy(context);
  free(m);
}

static void options_of_meshes_that_were_never_set_are_refused(void **state) {
  (void)state;
  made_mesh *m = made_new();
  const toi_mesh mesh = make_mesh(m);
  toi_context *context = test_context(1);
  const toi_mesh_options unset = {.size = 0}, newer = {.size = sizeof newer + 8}, cut = {.size = 3};
  const toi_mesh_options *const wrong[] = {&unset, &newer, &cut};
  answers *a = malloc(sizeof *a);
  assert_non_null(a);
  for (size_t i = 0; i < 3; i++)
    for (size_t k = 0; k < CALLS; k++) {
      toi_options options = toi_default_options();
      options.on_mesh = wrong[i];
      expect_safe(k, &(question){context, &mesh, &options}, TOI_ERROR_OPTION, false, a);
      assert_non_null(strstr(toi_context_error(context), "toi_mesh_options"));
    }
  free(a);
  toi_context_destroy(context);
  free(m);
}

/* From the first request for memory to the last one. */
static void refused_memory_leaves_the_safe_answer(void **state) {
  (void)state;
  made_mesh *m = made_new();
  const toi_mesh mesh = make_mesh(m);
  const toi_options options = toi_default_options();
  answers *a = malloc(sizeof *a);
  assert_non_null(a);
  size_t refusals = 0;
  for (size_t i = 0; i < 3; i++)
    for (size_t refuse = 1;; refuse++) {
      test_allocator allocator = {0};
      toi_context *context = test_context_on(&allocator);
      allocator.refuse_at = allocator.calls + refuse;
      allocator.refuse_after = true;
      bool safe;
      memset(a, 0x5a, sizeof(*a));
      const question q = {context, &mesh, &options};
      const toi_status status = calls[i].ask(&q, a, &safe);
      toi_context_destroy(context);
      assert_int_equal(allocator.blocks, 0);
      if (status == TOI_OK)
        break;
      assert_int_equal(status, TOI_ERROR_MEMORY);
      assert_true(safe);
      refusals++;
    }
  assert_true(refusals > 10);
  free(a);
  free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bad_calls_leave_the_safe_answer),
      cmocka_unit_test(options_of_meshes_that_were_never_set_are_refused),
      cmocka_unit_test(refused_memory_leaves_the_safe_answer),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
