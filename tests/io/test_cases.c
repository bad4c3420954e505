/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Files of cases: what is written comes back bit for bit; what is no case is refused with its line and its field,
 * however the file was damaged and whenever memory is refused. */

#include "io/surfaces.h"

#include <fenv.h>

#define CORNERS "[[0,0,0],[1,0,0],[0,1,0]]"
#define TRIANGLE "{\"type\":\"triangle\",\"degree\":1,\"points\":" CORNERS "}"
#define QUAD_POINTS "[[0,0,0],[0,1,0],[1,0,0],[1,1,0.5]]"
#define QUAD "{\"type\":\"quad\",\"degree\":[1,1],\"points\":" QUAD_POINTS "}"

static void read_fine(toi_context *context, const char *path, toi_case_set *set) {
  if (toi_cases_read(context, path, set) != TOI_OK)
    fail_msg("%s", toi_context_error(context));
}

/* --- reading --- */

static void every_form_of_a_case_is_understood(void **state) {
  static const char text[] =
      "\xef\xbb\xbf\r\n"
      "{\"a\":" TRIANGLE ",\"b\":" QUAD "}\r\n\r\n"
      " { \"comment\" : \"b first\", \"t_max\": 2.5e-1, \"b\": "
      "{\"weights\":[1,2,3,4e-1],\"degree\":1,\"name\":\"\\u00e4\","
      "\"velocities\":[[0,0,1],[0,0,2],[0,0,3],[-0,0,4]],\"points\":" QUAD_POINTS ",\"type\":\"quad\",\"error\":1e-9,"
      "\"velocity_error\":2},\t\"a\":{\"type\":\"triangle\",\"degree\":[1,1],\"points\":" CORNERS
      ",\"velocities\":null,\"weights\":null},\"name\":\"\"} \n"
      "{\"a\":{\"type\":\"quad\",\"degree\":[2,0],\"points\":" CORNERS "},"
      "\"b\":{\"type\":\"quad\",\"degree\":0,\"points\":[[1e-400,1,2]]},\"t_max\":1e300}";
  static const char *const names[] = {"a.jsonl", "a.jsonl.gz"};
  for (size_t n = 0; n < 2; n++) {
    toi_case_set set;
    read_fine(*state, test_write_text(names[n], text), &set);
    assert_int_equal(set.count, 3);
    const toi_patch_case *c = set.cases;
    assert_true(c[0].t_max == 1 && c[1].t_max == 0.25 && c[2].t_max == 1e300);
    assert_true(c[0].a->shape == TOI_PATCH_TRIANGLE && c[0].a->degree[0] == 1 && c[0].a->points[1][0] == 1);
    assert_true(c[0].b->shape == TOI_PATCH_QUAD && c[0].b->degree[1] == 1 && c[0].b->points[3][2] == 0.5);
    assert_true(c[0].a->velocities == NULL && c[0].a->weights == NULL && c[0].a->error == 0);
    assert_true(c[1].a->velocities == NULL && c[1].a->weights == NULL && c[1].a->points[2][1] == 1);
    assert_true(c[1].b->degree[0] == 1 && c[1].b->degree[1] == 1 && c[1].b->points[3][2] == 0.5);
    assert_true(c[1].b->velocities[2][2] == 3 && signbit(c[1].b->velocities[3][0]) && c[1].b->weights[3] == 0.4);
    assert_true(c[1].b->error == 1e-9 && c[1].b->velocity_error == 2);
    assert_true(c[2].a->degree[0] == 2 && c[2].a->degree[1] == 0 && c[2].a->points[2][1] == 1);
    assert_true(c[2].b->degree[0] == 0 && c[2].b->points[0][0] == 0 && c[2].b->points[0][2] == 2);
    for (size_t i = 0; i < 3; i++) {
      expect_sound(c[i].a);
      expect_sound(c[i].b);
    }
    toi_cases_free(*state, &set);
    assert_true(set.cases == NULL && set.owned == NULL && set.count == 0);
  }
}

#define CASE(a) "{\"a\":" a ",\"b\":" QUAD "}\n"
#define PATCH(fields) CASE("{\"type\":\"quad\",\"degree\":1,\"points\":" QUAD_POINTS fields "}")
#define KNOWN "type, degree, points, velocities, weights, error, velocity_error, name, comment"

static const struct {
  const char *text, *wanted;
} refused[] = {
    {"", ": a file without cases; give it one per line"},
    {"\n \r\n", ": a file without cases; give it one per line"},
    {CASE(QUAD) "7\n", ":2: \"7\" where a case belongs"},
    {"{\"a\":" QUAD "}\n", ":1: a case needs the field \"b\"; add it"},
    {"{\"b\":" QUAD "}\n", ":1: a case needs the field \"a\"; add it"},
    {"\n{\"a\":" QUAD ",\"b\":" QUAD ",\"a\":" QUAD "}\n", ":2: a: a duplicate of the field in line 2; "
                                                           "remove one of them"},
    {"{\"c\":1}\n", ":1: unknown field 'c' for a case; its fields are a, b, t_max, name, comment"},
    {"{\"a\":" QUAD ",\"b\":" QUAD ",\"t_max\":-1}\n", ":1: t_max: must be 0 or greater, not -1"},
    {"{\"a\":" QUAD ",\"b\":" QUAD ",\"t_max\":1e309}\n", ":1: t_max: 1e309 is beyond the largest double; "
                                                          "numbers must be finite"},
    {CASE(QUAD) CASE(QUAD) "{\"a\":" QUAD ",\"b\":\n" QUAD "}\n",
     ":3: b: the line ends where a patch belongs; write it whole, in one line"},
    {CASE(QUAD) "{\"a\":" QUAD ",\"b\":" QUAD, ":2: the file ends where a comma or } belongs; restore it"},
    {CASE("{\"degree\":1,\"points\":" QUAD_POINTS "}"), ":1: a: a patch needs the field \"type\"; add it"},
    {CASE("{\"type\":\"quad\",\"points\":" QUAD_POINTS "}"), ":1: a: a patch needs the field \"degree\"; add it"},
    {CASE("{\"type\":\"quad\",\"degree\":1}"), ":1: a: a patch needs the field \"points\"; add it"},
    {CASE("{\"type\":\"Quad\"}"), ":1: a.type: must be \"quad\" or \"triangle\", not \"Quad\""},
    {CASE("{\"degree\":10}"), ":1: a.degree: must be a whole number from 0 to 9, not 10"},
    {CASE("{\"degree\":[3,-1]}"), ":1: a.degree[1]: must be a whole number from 0 to 9, not -1"},
    {CASE("{\"degree\":[1,1,1]}"), ":1: a.degree[2]: a third degree; there is one in u and one in v"},
    {CASE("{\"degree\":[1]}"), ":1: a.degree: 1 degrees in a list; write [m, n], or one number for both"},
    {CASE("{\"degree\":\"1\"}"), ":1: a.degree: a string where a number belongs"},
    {CASE("{\"type\":\"triangle\",\"degree\":[1,2],\"points\":[]}"),
     ":1: a.degree: [1, 2], but a triangle has one degree; write it as a number"},
    {CASE("{\"type\":\"triangle\",\"degree\":2,\"points\":" CORNERS "}"),
     ":1: a.points: 3 control points, but a triangle of degree 2 has 6; correct one of them"},
    {CASE("{\"points\":" CORNERS ",\"type\":\"quad\",\"degree\":1}"),
     ":1: a.points: 3 control points, but a quad of degree [1, 1] has 4; correct one of them"},
    {CASE("{\"type\":\"quad\",\"degree\":1,\"points\":[]}"),
     ":1: a.points: 0 control points, but a quad of degree [1, 1] has 4; correct one of them"},
    {CASE("{\"points\":[[0,0,0],[0,0]]}"), ":1: a.points[1]: 2 numbers where 3 belong; add what is missing"},
    {CASE("{\"points\":[[0,0,0],[0,0,0,1]]}"),
     ":1: a.points[1][3]: more values than the 3 that belong here; remove the rest"},
    {CASE("{\"points\":[0,0,0]}"), ":1: a.points[0]: \"0\" where a list of 3 numbers belongs"},
    {CASE("{\"points\":null}"), ":1: a.points: \"null\" where a list of [x, y, z] belongs"},
    {CASE("{\"points\":[[0,0,0],[0,NaN,0]]}"), ":1: a.points[1][1]: \"NaN\" where a number belongs"},
    {CASE("{\"points\":[[0,0,0],[0,0,-1e999]]}"),
     ":1: a.points[1][2]: -1e999 is beyond the largest double; numbers must be finite"},
    {PATCH(",\"velocities\":" CORNERS),
     ":1: a.velocities: 3 velocities, but a quad of degree [1, 1] has 4; correct one of them"},
    {PATCH(",\"velocities\":7"), ":1: a.velocities: \"7\" where a list of [x, y, z] belongs"},
    {PATCH(",\"weights\":[1,1,1,1,1]"),
     ":1: a.weights: 5 weights, but a quad of degree [1, 1] has 4; correct one of them"},
    {PATCH(",\"weights\":[1,1,0,1]"), ":1: a.weights[2]: must be greater than 0, not 0"},
    {PATCH(",\"weights\":[1,1,1,-0.5]"), ":1: a.weights[3]: must be greater than 0, not -0.5"},
    {PATCH(",\"weights\":[1e-400,1,1,1]"), ":1: a.weights[0]: must be greater than 0, not 0"},
    {PATCH(",\"weights\":[[1,1,1,1],[2,2,2,2]]"),
     ":1: a.weights[0]: a list where a weight belongs; weights are numbers and cannot move"},
    {PATCH(",\"weight_velocities\":[0,0,0,0]"),
     ":1: a.weight_velocities: weights cannot move; leave this field out if they do not"},
    {PATCH(",\"error\":-1e-9"),
     ":1: a.error: must not be negative, as -1.0000000000000001e-09 is: it bounds a distance"},
    {PATCH(",\"velocity_error\":\"\""), ":1: a.velocity_error: a string where a number belongs"},
    {PATCH(",\"velocity\":[0,0,1]"), ":1: a: unknown field 'velocity' for a patch; its fields are " KNOWN},
    {PATCH(",\"domain\":[0,1,0,1]"), ":1: a: unknown field 'domain' for a patch; its fields are " KNOWN},
    {PATCH(",\"name\":7"), ":1: a.name: \"7\" where a string belongs"},
};

static void lines_that_are_no_case_are_refused(void **state) {
  static const char *const names[] = {"bad.jsonl", "bad.jsonl.gz"};
  for (size_t i = 0; i < 2 * sizeof refused / sizeof refused[0]; i++) {
    const char *path = test_write_text(names[i % 2], refused[i / 2].text);
    toi_case_set set = {.count = 77};
    const uint64_t before = toi_context_bytes(*state);
    const toi_status status = toi_cases_read(*state, path, &set);
    expect_sentence(*state, status, path, refused[i / 2].wanted);
    assert_true(set.count == 0 && set.cases == NULL && set.owned == NULL);
    assert_int_equal(toi_context_bytes(*state), before);
  }
}

/* The 101st is one too many, whatever the degree will be. */
static void more_points_than_any_patch_has_are_refused(void **state) {
  static const char *const lists[][3] = {{"points", "[0,0,0]", "control points"},
                                         {"velocities", "[0,0,0]", "control points"},
                                         {"weights", "1", "weights"}};
  for (size_t k = 0; k < 3; k++) {
    char text[2048], wanted[128];
    size_t size = (size_t)sprintf(text, "{\"a\":{\"%s\":[", lists[k][0]);
    for (size_t i = 0; i <= MOST_POINTS; i++)
      size += (size_t)sprintf(text + size, "%s%s", i > 0 ? "," : "", lists[k][1]);
    sprintf(wanted, ":1: a.%s[100]: more than the 100 %s of the largest patch; split the surface", lists[k][0],
            lists[k][2]);
    const char *path = test_write_text("many.jsonl", text);
    toi_case_set set;
    expect_sentence(*state, toi_cases_read(*state, path, &set), path, wanted);
  }
}

static void calls_without_what_they_need_are_refused(void **state) {
  toi_case_set set = {0};
  const char *path = test_path("nothing.jsonl");
  assert_int_equal(toi_cases_read(NULL, path, &set), TOI_ERROR_INPUT);
  assert_int_equal(toi_cases_read(*state, NULL, &set), TOI_ERROR_INPUT);
  assert_int_equal(toi_cases_read(*state, path, NULL), TOI_ERROR_INPUT);
  assert_int_equal(toi_cases_read(*state, path, &set), TOI_ERROR_FILE);
  assert_int_equal(toi_cases_write(*state, path, NULL), TOI_ERROR_INPUT);
  assert_int_equal(toi_cases_write(*state, path, &set), TOI_ERROR_INPUT);
  toi_cases_free(*state, NULL);
  toi_cases_free(NULL, &set);
  toi_cases_free(*state, &set);
}

/* --- there and back --- */

typedef struct random_cases {
  random_patch *patches;
  toi_case_set set;
} random_cases;

static random_cases cases_make(uint64_t *seed, size_t count) {
  random_cases made = {.patches = malloc(2 * count * sizeof *made.patches),
                       .set = {.cases = malloc(count * sizeof(toi_patch_case)), .count = count}};
  assert_true(made.patches != NULL && made.set.cases != NULL);
  for (size_t i = 0; i < count; i++) {
    random_patch *a = &made.patches[2 * i];
    patch_make(seed, a);
    patch_make(seed, a + 1);
    const double t_max = fabs(test_random_extreme(seed, 0));
    made.set.cases[i] =
        (toi_patch_case){.size = sizeof(toi_patch_case), .a = &a->patch, .b = &a[1].patch, .t_max = t_max};
  }
  return made;
}

static void cases_release(random_cases *made) {
  free(made->patches);
  free(made->set.cases);
}

static void expect_cases(const toi_case_set *a, const toi_case_set *b) {
  assert_int_equal(a->count, b->count);
  for (size_t i = 0; i < a->count; i++) {
    expect_patch(a->cases[i].a, b->cases[i].a);
    expect_patch(a->cases[i].b, b->cases[i].b);
    expect_bits(&a->cases[i].t_max, &b->cases[i].t_max, 1);
  }
}

static void what_is_written_comes_back_bit_for_bit(void **state) {
  uint64_t seed = test_seed(0x5eed0602);
  random_cases made = cases_make(&seed, test_count(400));
  static const char *const names[] = {"back.jsonl", "back.jsonl.gz"};
  static const int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
  for (size_t i = 0; i < 8; i++) {
    toi_case_set set;
    fesetround(modes[i / 2]);
    const toi_status written = toi_cases_write(*state, test_path(names[i % 2]), &made.set);
    const toi_status read = written == TOI_OK ? toi_cases_read(*state, test_path(names[i % 2]), &set) : written;
    fesetround(FE_TONEAREST);
    if (read != TOI_OK)
      fail_msg("%s", toi_context_error(*state));
    expect_cases(&made.set, &set);
    toi_cases_free(*state, &set);
  }
  cases_release(&made);
}

static void cases_that_could_not_be_read_are_not_written(void **state) {
  uint64_t seed = test_seed(0x5eed0603);
  random_cases made = cases_make(&seed, 3);
  const char *path = test_path("refused.jsonl");
  const size_t files = test_count_files();
  static const double wrong[] = {-1, (double)INFINITY, (double)NAN};
  for (size_t i = 0; i < 3; i++) {
    made.set.cases[1].t_max = wrong[i];
    assert_int_equal(toi_cases_write(*state, path, &made.set), TOI_ERROR_INPUT);
    assert_non_null(strstr(toi_context_error(*state), "case 1: t_max is "));
  }
  made.set.cases[1].t_max = 1;
  made.patches[5].points[0][2] = (double)NAN;
  assert_int_equal(toi_cases_write(*state, path, &made.set), TOI_ERROR_INPUT);
  assert_non_null(strstr(toi_context_error(*state), "case 2, the second patch"));
  assert_int_equal(test_count_files(), files);
  cases_release(&made);
}

/* --- sizes --- */

/* A line of megabytes, by numbers of a thousand digits and a long comment, and short ones around it. */
static void lines_longer_than_the_buffer_are_read(void **state) {
  const size_t most = 4 << 20;
  char *text = malloc(most);
  assert_non_null(text);
  size_t size = (size_t)sprintf(text, CASE(QUAD) "{\"comment\":\"");
  memset(text + size, '-', 600 << 10);
  size += 600 << 10;
  size += (size_t)sprintf(text + size, "\",\"b\":" QUAD ",\"a\":{\"type\":\"quad\",\"degree\":9,\"points\":[");
  for (int i = 0; i < 100; i++)
    size += (size_t)sprintf(text + size, "%s[%d.%0*d,%d.%0*d1,%d]", i > 0 ? "," : "", i, 1000 * (i % 4), 0, i,
                            900 * (i % 5), 0, i);
  size += (size_t)sprintf(text + size, "]}}\n" CASE(TRIANGLE));
  assert_true(size < most);
  toi_case_set set;
  read_fine(*state, test_write_bytes("long.jsonl", text, size), &set);
  free(text);
  assert_int_equal(set.count, 3);
  for (int i = 0; i < 100; i++)
    for (int k = 0; k < 3; k++) {
      const double tenth = k == 1 && i % 5 == 0 ? i + 0.01 : i;
      assert_true(set.cases[1].a->points[i][k] == tenth);
    }
  assert_true(set.cases[2].a->points[1][0] == 1);
  toi_cases_free(*state, &set);
}

static void a_budget_too_small_is_an_error_that_says_so(void **state) {
  (void)state;
  uint64_t seed = test_seed(0x5eed0604);
  random_cases made = cases_make(&seed, 300);
  toi_context *writer = test_context(1);
  const char *path = test_path("budget.jsonl");
  assert_int_equal(toi_cases_write(writer, path, &made.set), TOI_OK);
  toi_context_destroy(writer);
  size_t fine = 0;
  for (uint64_t budget = 280 << 10; fine == 0; budget += 60 << 10) {
    toi_context_options options = toi_default_context_options();
    options.memory_budget = budget;
    options.threads = 1;
    toi_context *context;
    assert_int_equal(toi_context_create(&options, &context), TOI_OK);
    const uint64_t before = toi_context_bytes(context);
    toi_case_set set;
    const toi_status status = toi_cases_read(context, path, &set);
    fine += status == TOI_OK;
    if (status == TOI_OK) {
      expect_cases(&made.set, &set);
      toi_cases_free(context, &set);
    } else {
      assert_int_equal(status, TOI_ERROR_MEMORY);
      assert_non_null(strstr(toi_context_error(context), "raise memory_budget"));
      assert_true(set.cases == NULL && set.owned == NULL);
    }
    assert_int_equal(toi_context_bytes(context), before);
    toi_context_destroy(context);
    assert_true(budget < 8 << 20);
  }
  cases_release(&made);
}

/* --- damage --- */

/* True if something could be read, and it makes sense. */
static bool read_damaged(toi_context *context, const char *path) {
  const uint64_t before = toi_context_bytes(context);
  toi_case_set set;
  const toi_status status = toi_cases_read(context, path, &set);
  if (status == TOI_OK) {
    for (size_t i = 0; i < set.count; i++) {
      expect_sound(set.cases[i].a);
      expect_sound(set.cases[i].b);
      assert_true(set.cases[i].t_max >= 0 && isfinite(set.cases[i].t_max));
    }
    toi_cases_free(context, &set);
  } else {
    assert_int_equal(status, TOI_ERROR_FORMAT);
    assert_true(strncmp(toi_context_error(context), path, strlen(path)) == 0);
  }
  assert_true(set.cases == NULL && set.owned == NULL);
  assert_int_equal(toi_context_bytes(context), before);
  return status == TOI_OK;
}

static void damaged_files_are_read_or_refused(void **state) {
  uint64_t seed = test_seed(0x5eed0605);
  static const char whole[] = CASE(QUAD)
      PATCH(",\"weights\":[1,2,3,4],\"velocities\":null,\"name\":\"\xc3\xa4\\n\"") "{\"t_max\":2e0,\"a\":" TRIANGLE
                                                                                   ",\"b\":" TRIANGLE "}\r\n\n";
  size_t fine = 0;
  const uint64_t rounds = test_count(20000);
  for (uint64_t round = 0; round < rounds; round++) {
    char text[sizeof whole];
    memcpy(text, whole, sizeof whole);
    const size_t size = damage(text, sizeof whole - 1, &seed);
    fine += read_damaged(*state, write_new(round % 8 == 0 ? "d.jsonl.gz" : "d.jsonl", text, size));
  }
  print_message("%zu of %zu damaged files are cases\n", fine, (size_t)rounds);
  assert_true(fine < rounds);
}

static void files_cut_anywhere_are_refused(void **state) {
  static const char whole[] = "\n" PATCH(",\"weights\":[1,2,3,4],\"comment\":\"\xc3\xa4\\u00e4\"");
  for (size_t size = 0; size < sizeof whole; size++) {
    const bool fine = read_damaged(*state, write_new("cut.jsonl", whole, size));
    assert_true(fine == (size >= sizeof whole - 2));
  }
}

/* --- refused memory --- */

static toi_status try_once(const char *path, const toi_case_set *written, size_t refuse) {
  test_allocator allocator = {0};
  toi_context *context = test_context_on(&allocator);
  const uint64_t before = toi_context_bytes(context);
  const size_t files = test_count_files();
  allocator.refuse_at = allocator.calls + refuse;
  toi_case_set set = {0};
  const toi_status status =
      written != NULL ? toi_cases_write(context, path, written) : toi_cases_read(context, path, &set);
  if (status != TOI_OK) {
    assert_true(set.cases == NULL && set.owned == NULL);
    assert_true(strlen(toi_context_error(context)) > 0);
  }
  toi_cases_free(context, &set);
  assert_int_equal(toi_context_bytes(context), before);
  assert_int_equal(test_count_files(), files);
  toi_context_destroy(context);
  assert_int_equal(allocator.wrong_sizes, 0);
  assert_int_equal(allocator.blocks, 0);
  return status;
}

static void refused_memory_leaves_nothing_behind(void **state) {
  uint64_t seed = test_seed(0x5eed0606);
  random_cases made = cases_make(&seed, 30);
  static const char *const names[] = {"memory.jsonl", "memory.jsonl.gz"};
  for (size_t i = 0; i < 2; i++) {
    const char *path = test_path(names[i]);
    assert_int_equal(toi_cases_write(*state, path, &made.set), TOI_OK);
    for (size_t write = 0; write < 2; write++) {
      toi_status status = TOI_ERROR_MEMORY;
      size_t refuse = 1;
      for (; status != TOI_OK; refuse++) {
        status = try_once(path, write == 1 ? &made.set : NULL, refuse);
        assert_true(status == TOI_OK || status == TOI_ERROR_MEMORY);
      }
      assert_true(refuse > 2);
    }
  }
  cases_release(&made);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_form_of_a_case_is_understood),
      cmocka_unit_test(lines_that_are_no_case_are_refused),
      cmocka_unit_test(more_points_than_any_patch_has_are_refused),
      cmocka_unit_test(calls_without_what_they_need_are_refused),
      cmocka_unit_test(what_is_written_comes_back_bit_for_bit),
      cmocka_unit_test(cases_that_could_not_be_read_are_not_written),
      cmocka_unit_test(lines_longer_than_the_buffer_are_read),
      cmocka_unit_test(a_budget_too_small_is_an_error_that_says_so),
      cmocka_unit_test(damaged_files_are_read_or_refused),
      cmocka_unit_test(files_cut_anywhere_are_refused),
      cmocka_unit_test(refused_memory_leaves_nothing_behind),
  };
  return cmocka_run_group_tests(tests, test_context_make, test_context_remove);
}
