/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* `toi step` as its users see it: what it prints and writes about two frames of a mesh, and what it refuses. */

#include "cli/meshes.h"

#include <sys/stat.h>
#include <unistd.h>

static void assert_nothing(const json_t *object) {
  assert_text(object, "verdict", "miss");
  assert_true(json_is_null(json_object_get(object, "toi")));
  assert_true(json_is_null(json_object_get(object, "first")));
}

/* --- answers --- */

static void a_corner_lands_on_a_face(void **state) {
  (void)state;
  const char *start = write_triangles("start.ply", 1), *end = write_triangles("end.ply", -1);
  json_t *object = assert_json(run("step %s %s --json --threads 2", start, end), 0);
  assert_count(object, "vertices", 6);
  assert_count(object, "edges", 6);
  assert_count(object, "faces", 2);
  assert_count(object, "threads", 2);
  assert_text(object, "verdict", "hit");
  assert_time(object, 0.5);
  assert_first(object, "vf", 3, 0);
  assert_int_equal(json_object_size(json_object_get(object, "candidates")), TOI_KIND_COUNT);
  assert_null(json_object_get(object, "hits"));
  static const char *const times[] = {"load", "broad", "narrow", "total"};
  for (size_t i = 0; i < sizeof times / sizeof times[0]; i++)
    assert_true(number_at(json_object_get(object, "ms"), times[i]) >= 0);
  assert_true(number_at(object, "peak_bytes") > 100000);
  const json_t *point = json_object_get(json_object_get(object, "first"), "point");
  assert_true(json_number_value(json_array_get(point, 0)) == 0.25);
  assert_true(json_number_value(json_array_get(point, 2)) == 0);
  json_decref(object);

  object = assert_json(run("step --all --json %s %s", start, end), 0);
  assert_time(object, 0.5);
  assert_kinds(object, "candidates", (const long long[]){1, 2, 0, 0});
  assert_kinds(object, "hits", (const long long[]){1, 0, 0, 0});
  json_decref(object);
}

static void the_table_says_what_and_when(void **state) {
  (void)state;
  const char *start = write_triangles("start.ply", 1), *end = write_triangles("end.ply", -1);
  ran result = run("step %s %s --all", start, end);
  assert_int_equal(result.code, 0);
  assert_string_equal(result.err, "");
  static const char *const said[] = {"6 vertices, 6 edges, 2 faces",
                                     "verdict            hit",
                                     "vertex 3 with face 0",
                                     "t = 0.5, exactly",
                                     "(0.25, 0.25, 0)",
                                     "(0, 0, 1)",
                                     "candidates ",
                                     "colliding ",
                                     "peak memory"};
  for (size_t i = 0; i < sizeof said / sizeof said[0]; i++)
    if (strstr(result.out, said[i]) == NULL)
      fail_msg("\"%s\" is not in\n%s", said[i], result.out);
  ran_free(&result);
  result = run("step %s %s", start, start);
  assert_int_equal(result.code, 0);
  assert_non_null(strstr(result.out, "verdict            miss"));
  ran_free(&result);
}

static void a_hit_is_a_finding_where_asked(void **state) {
  (void)state;
  const char *start = write_triangles("start.ply", 1), *end = write_triangles("end.ply", -1);
  const char *above = write_triangles("above.ply", 0.5);
  json_decref(assert_json(run("step %s %s --json --fail-on-hit", start, end), 1));
  json_t *object = assert_json(run("step %s %s --json --fail-on-hit --all", start, above), 0);
  assert_nothing(object);
  assert_kinds(object, "hits", (const long long[]){0, 0, 0, 0});
  json_decref(object);
}

static void the_question_can_be_changed(void **state) {
  (void)state;
  const char *start = write_triangles("start.ply", 1), *end = write_triangles("end.ply", -1);
  static const struct {
    const char *words;
    double time;    /* 2: never */
    long long a, b; /* the vertex and the face; with linf, another pair is as early and comes first */
  } cases[] = {
      {"--t-max 0.5", 0.5, 3, 0},
      {"--t-max 0.4375", 2, 0, 0},
      {"--min-separation 0.25", 0.375, 3, 0},
      {"--min-separation 0.25 --norm linf", 0.375, 0, 1},
      {"--min-separation 1", 0, 3, 0},
      {"--separation-fraction 0.5", 0.25, 3, 0},
      {"--method exact", 0.5, 3, 0},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    json_t *object = assert_json(run("step %s %s --json %s", start, end, cases[i].words), 0);
    if (cases[i].time > 1) {
      assert_nothing(object);
    } else {
      assert_time(object, cases[i].time);
      assert_first(object, "vf", cases[i].a, cases[i].b);
    }
    json_decref(object);
  }
}

static void loose_points_and_edges_take_part(void **state) {
  (void)state;
  const char *start = write_loose("start.ply", 0), *end = write_loose("end.ply", 1);
  const char *hits = test_path("loose.json");
  json_t *object = assert_json(run("step %s %s --json --hits %s", start, end, hits), 0);
  assert_count(object, "edges", 1);
  assert_count(object, "faces", 0);
  assert_time(object, 0.5);
  assert_first(object, "ve", 4, 0);
  assert_kinds(object, "hits", (const long long[]){0, 0, 1, 1});
  json_decref(object);
  object = json_load_file(hits, 0, NULL);
  json_t *expected = json_loads("{\"vf\":[],\"ee\":[],\"ve\":[[4,0]],\"vv\":[[0,1]]}", 0, NULL);
  assert_true(json_equal(object, expected));
  json_decref(object);
  json_decref(expected);
}

/* --- files --- */

static void pairs_are_written_in_order(void **state) {
  (void)state;
  const char *start = write_triangles("start.ply", 1), *end = write_triangles("end.ply", -1);
  const char *candidates = test_path("candidates.json"), *hits = test_path("hits.json");
  json_t *object = assert_json(run("step %s %s --json --candidates %s --hits %s", start, end, candidates, hits), 0);
  assert_kinds(object, "hits", (const long long[]){1, 0, 0, 0});
  json_decref(object);
  char *text = test_read_bytes(candidates, NULL);
  assert_string_equal(text, "{\"vf\":[[3,0]],\n\"ee\":[[2,3],[2,4]],\n\"ve\":[],\n\"vv\":[]}\n");
  free(text);
  text = test_read_bytes(hits, NULL);
  assert_string_equal(text, "{\"vf\":[[3,0]],\n\"ee\":[],\n\"ve\":[],\n\"vv\":[]}\n");
  free(text);

  // Candidates alone: all are counted then.
  object = assert_json(run("step %s %s --json --candidates %s", start, end, candidates), 0);
  assert_kinds(object, "candidates", (const long long[]){1, 2, 0, 0});
  assert_null(json_object_get(object, "hits"));
  json_decref(object);
}

static void files_that_must_not_be_written_are_not(void **state) {
  (void)state;
  const char *start = write_triangles("start.ply", 1), *end = write_triangles("end.ply", -1);
  char *before = test_read_bytes(start, NULL);
  assert_fails(run("step %s %s --hits %s", start, end, start), "would be replaced");
  assert_fails(run("step %s %s --candidates %s", start, end, end), "would be replaced");
  assert_fails(run("step %s %s --candidates x --hits x", start, end), "name the same file");
  assert_fails(run("step %s %s --hits %s", start, end, test_path("nowhere/hits.json")), "cannot be written");
  const char *hits = test_path("kept.json");
  test_write_text("kept.json", "kept");
  assert_fails(run("step %s %s --hits %s --candidates /dev/full", start, end, hits), "/dev/full");
  char *kept = test_read_bytes(hits, NULL), *after = test_read_bytes(start, NULL);
  assert_string_equal(kept, "kept");
  assert_string_equal(before, after);
  free(kept);
  free(before);
  free(after);
}

/* --- bad input --- */

static void bad_usage_ends_with_one_line(void **state) {
  (void)state;
  static const struct {
    const char *words, *sentence;
  } cases[] = {
      {"", "needs two meshes, START and END, but got 0"},
      {"FILE", "START and END, but got 1"},
      {"FILE FILE FILE", "START and END, but got 3"},
      {"FILE FILE --views x.html", "unknown option '--views' for toi step"},
      {"FILE FILE --broad best", "--broad best: unknown broad phase"},
      {"FILE FILE --filter half", "--filter half: unknown filter; give float or double"},
      {"FILE FILE --method best", "--method best: unknown method"},
      {"FILE FILE --memory lots", "--memory lots: not a size"},
      {"FILE FILE --memory 0", "--memory 0: not a size"},
      {"FILE FILE --memory -1M", "--memory -1M: not a size"},
      {"FILE FILE --memory 64MB", "--memory 64MB: not a size"},
      {"FILE FILE --memory '64 '", "not a size"},
      {"FILE FILE --memory 1e30", "--memory 1e30: not a size"},
      {"FILE FILE --memory nan", "--memory nan: not a size"},
      {"FILE FILE --memory 1000", "1000"},
      {"FILE FILE --min-separation -1", "--min-separation must be finite and not negative"},
      {"FILE FILE --separation-fraction 1", "--separation-fraction must lie in [0, 1)"},
      {"FILE FILE --separation-fraction 0.5 --min-separation 1", "exclude each other"},
      {"FILE FILE --norm l3", "--norm must be l2 or linf"},
      {"FILE FILE --t-max 2", "--t-max must lie in [0, 1]"},
      {"FILE FILE --threads 5000", "--threads 5000"},
      {"FILE nowhere.ply", "nowhere.ply"},
      {"nowhere.ply FILE", "nowhere.ply"},
      {"FILE .", "."},
  };
  const char *file = write_triangles("usage.ply", 1);
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char words[4096] = "";
    for (const char *at = cases[i].words; *at != '\0';) {
      bool named = strncmp(at, "FILE", 4) == 0;
      size_t used = strlen(words);
      snprintf(words + used, sizeof words - used, named ? "%s" : "%.1s", named ? file : at);
      at += named ? 4 : 1;
    }
    assert_fails(run("step %s", words), cases[i].sentence);
  }
}

static void bad_meshes_are_named(void **state) {
  (void)state;
  const char *start = write_triangles("start.ply", 1);
  char *whole = test_read_bytes(start, NULL);
  size_t size = strlen(whole);
  assert_fails(run("step %s %s", start, test_write_bytes("cut.ply", whole, size - 8)), "cut.ply");
  assert_fails(run("step %s %s", test_write_bytes("head.ply", whole, 60), start), "head.ply");

  char *at = strstr(whole, "0.25 0.25 1");
  memcpy(at, "nan ", 4);
  assert_fails(run("step %s %s", start, test_write_text("nan.ply", whole)), "nan.ply");
  memcpy(at, "0.25", 4);
  at = strstr(whole, "3 3 4 5");
  memcpy(at, "3 3 4 9", 7);
  assert_fails(run("step %s %s", test_write_text("index.ply", whole), start), "index.ply");
  memcpy(at, "3 3 5 4", 7);
  assert_fails(run("step %s %s", start, test_write_text("other.ply", whole)), "other.ply");
  memcpy(at, "3 3 4 5", 7);
  at = strstr(whole, "vertex 6");
  memcpy(at, "vertex 5", 8);
  assert_fails(run("step %s %s", start, test_write_text("fewer.ply", whole)), "fewer.ply");
  at = strstr(whole, "vertex 5");
  memcpy(at, "vertex 6", 8);
  while ((at = strstr(whole, "double")) != NULL)
    memcpy(at, "float ", 6);
  assert_fails(run("step %s %s", start, test_write_text("narrow.ply", whole)), "narrow.ply");
  free(whole);
  const char *empty = test_write_text("empty.ply", "ply\nformat ascii 1.0\nelement vertex 0\nproperty float x\n"
                                                   "property float y\nproperty float z\nend_header\n");
  assert_fails(run("step %s %s", empty, empty), "empty.ply");
  assert_fails(run("step %s %s", start, test_write_text("mesh.stl", "solid\n")), "mesh.stl");
}

/* Reading does not end by itself: asked to stop, toi must do so without being killed, which would give 137. On a busy
 * machine it may be asked before it listens, and then says nothing: it gets more time to start. */
static void assert_stops(const char *start, const char *end) {
  char *said = NULL;
  static const char *const patience[] = {"0.5", "2", "8"};
  for (size_t i = 0; i < 3 && (!said || !*said); i++) {
    char line[4096];
    snprintf(line, sizeof line, "timeout -k 10 %s %s step %s %s 2>%s", patience[i], TOI, start, end,
             test_path("stderr"));
    const int status = system(line);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 124);
    free(said);
    said = test_read_bytes(test_path("stderr"), NULL);
  }
  assert_string_equal(said, "toi: stopped; nothing was written\n");
  free(said);
}

static void what_is_no_file_is_not_waited_for(void **state) {
  (void)state;
  const char *start = write_triangles("start.ply", 1), *pipe = test_path("pipe.ply");
  assert_fails(run("step %s %s", start, test_path("")), "a directory");
  unlink(pipe);
  assert_int_equal(mkfifo(pipe, 0600), 0);
  assert_stops(start, pipe);
  const char *endless = test_path("endless.obj");
  unlink(endless);
  assert_int_equal(symlink("/dev/zero", endless), 0);
  assert_fails(run("step %s %s", start, endless), "endless.obj:1: a line of more than 16777216 bytes");
}

/* --- memory --- */

/* Large triangles about one plane, which cut each other in every way. */
static const char *write_thicket(const char *name, int count, uint64_t seed) {
  static const double corners[3][2] = {{-50, -50}, {50, -50}, {0, 50}};
  const size_t capacity = 4096 + 256 * (size_t)count;
  char *text = malloc(capacity);
  assert_non_null(text);
  size_t used = (size_t)snprintf(text, capacity,
                                 "ply\nformat ascii 1.0\nelement vertex %d\nproperty double x\nproperty double y\n"
                                 "property double z\nelement face %d\nproperty list uchar int vertex_indices\n"
                                 "end_header\n",
                                 3 * count, count);
  for (int i = 0; i < 3 * count; i++) {
    const double x = corners[i % 3][0] + test_random_unit(&seed), y = corners[i % 3][1] + test_random_unit(&seed);
    used += (size_t)snprintf(text + used, capacity - used, "%.9g %.9g %.9g\n", x, y, test_random_unit(&seed));
  }
  for (int i = 0; i < count; i++)
    used += (size_t)snprintf(text + used, capacity - used, "3 %d %d %d\n", 3 * i, 3 * i + 1, 3 * i + 2);
  const char *path = test_write_bytes(name, text, used);
  free(text);
  return path;
}

/* The collisions take several times the budget, so that it is filled again and again. */
static void the_kernel_counts_no_more_than_the_budget(void **state) {
  (void)state;
  const bool slow = TEST_SANITIZED || TEST_EMULATED;
  const int count = slow ? 100 : 700;
  const char *start = write_thicket("thicket0.ply", count, 1), *end = write_thicket("thicket1.ply", count, 2);
  json_t *whole = assert_json(run("step %s %s --all --json", start, end), 0);
  json_t *within = assert_json(run("step %s %s --all --json --memory 8M --threads 2", start, end), 0);
  assert_true(json_equal(json_object_get(whole, "hits"), json_object_get(within, "hits")));
  assert_true(json_equal(json_object_get(whole, "first"), json_object_get(within, "first")));
  // Five megabytes for the program, its libraries and the small mesh; sanitizers and emulators have their own.
  if (!slow) {
    assert_true(number_at(json_object_get(whole, "hits"), "ee") > 100000);
    assert_true(number_at(within, "peak_bytes") < (8 + 5) * 1048576.0);
  }
  json_decref(whole);
  json_decref(within);
}

/* --- the same answer always --- */

/* What must not change: everything but times, memory and the numbers of threads and of pairs looked at. */
static json_t *assert_canonical(json_t *object) {
  static const char *const passing[] = {"ms", "peak_bytes", "threads", "broad"};
  for (size_t i = 0; i < sizeof passing / sizeof passing[0]; i++)
    assert_int_equal(json_object_del(object, passing[i]), 0);
  return object;
}

static void answers_depend_on_no_option_of_the_work(void **state) {
  (void)state;
  ran made = run("demo --size 24 --seed 5 --write %s --json", test_path("drape"));
  assert_int_equal(made.code, 0);
  ran_free(&made);
  const char *start = test_path("drape/frame0.ply"), *end = test_path("drape/frame1.ply");
  static const char *const words[] = {"--threads 1",
                                      "--threads 2",
                                      "--threads 3 --memory 16M",
                                      "--threads 2 --broad bvh",
                                      "--threads 1 --broad sweep --memory 16M",
                                      "--threads 2 --broad sweep",
                                      "--threads 2 --broad brute",
                                      "--filter float --threads 2",
                                      "--filter double --threads 1"};
  json_t *reference = NULL;
  char *pairs = NULL;
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
    const char *hits = test_path("same.json"), *candidates = test_path("same-candidates.json");
    json_t *object = assert_canonical(
        assert_json(run("step %s %s --json --hits %s --candidates %s %s", start, end, hits, candidates, words[i]), 0));
    char *first = test_read_bytes(hits, NULL), *second = test_read_bytes(candidates, NULL);
    char *both = malloc(strlen(first) + strlen(second) + 1);
    assert_non_null(both);
    strcat(strcpy(both, first), second);
    free(first);
    free(second);
    if (reference == NULL) {
      reference = object;
      pairs = both;
      continue;
    }
    assert_true(json_equal(object, reference));
    assert_string_equal(both, pairs);
    json_decref(object);
    free(both);
  }
  json_decref(reference);
  free(pairs);
}

/* --- real data --- */

static json_t *load(const char *path) {
  json_error_t error;
  json_t *value = json_load_file(path, 0, &error);
  if (value == NULL)
    fail_msg("%s: %s", path, error.text);
  return value;
}

static int compare_pairs(const void *a, const void *b) {
  const uint32_t *x = a, *y = b;
  return x[0] != y[0] ? (x[0] > y[0]) - (x[0] < y[0]) : (x[1] > y[1]) - (x[1] < y[1]);
}

/* Compares a list of pairs with those of a truth list that are true, sorted; what is first and second is known by the
 * numbers that their boxes begin with. */
static void assert_pairs_true(const json_t *found, const json_t *boxes, const json_t *truth,
                              const long long begins[2]) {
  assert_int_equal(json_array_size(boxes), json_array_size(truth));
  uint32_t(*pairs)[2] = calloc(json_array_size(boxes) + 1, sizeof *pairs);
  assert_non_null(pairs);
  size_t count = 0;
  for (size_t i = 0; i < json_array_size(boxes); i++) {
    const json_t *value = json_array_get(truth, i);
    if (json_is_true(value) || json_integer_value(value) == 1) {
      for (size_t k = 0; k < 2; k++) {
        const long long box = json_integer_value(json_array_get(json_array_get(boxes, i), k));
        pairs[count][k] = (uint32_t)(box - begins[k]);
      }
      if (begins[0] == begins[1] && pairs[count][0] > pairs[count][1]) {
        const uint32_t first = pairs[count][0];
        pairs[count][0] = pairs[count][1];
        pairs[count][1] = first;
      }
      count++;
    }
  }
  qsort(pairs, count, sizeof *pairs, compare_pairs);
  assert_int_equal(json_array_size(found), count);
  for (size_t i = 0; i < count; i++)
    for (size_t k = 0; k < 2; k++)
      assert_int_equal(json_integer_value(json_array_get(json_array_get(found, i), k)), pairs[i][k]);
  free(pairs);
}

typedef struct real_scene {
  const char *name, *start, *end;
  long long vertices, edges, faces, vf, ee;
  const char *truth; /* the number that truth lists begin with; NULL: there are none */
} real_scene;

static const real_scene scenes[] = {
    {"cloth-funnel", "227", "228", 9450, 27930, 18484, 7319, 33770, "227"},
    {"armadillo-rollers", "326", "327", 12135, 36363, 24242, 2031902, 5068080, "326"},
    {"rod-twist", "3036", "3037", 39940, 119796, 79864, 448270, 2041334, "3036"},
    {"cloth-ball", "cloth_ball92", "cloth_ball93", 46598, 138825, 92230, 1655541, 5197332, NULL},
    {"n-body-simulation", "balls16_18", "balls16_19", 73960, 219840, 146480, 9396388, 22366873, NULL},
};

static void assert_hits_true(const char *data, const real_scene *s, const char *hits_path) {
  json_t *hits = load(hits_path);
  static const char *const kinds[] = {"vf", "ee"};
  for (size_t kind = 0; kind < 2; kind++) {
    char path[4096];
    snprintf(path, sizeof path, "%s/scenes/%s/boxes/%s%s.json", data, s->name, s->truth, kinds[kind]);
    json_t *boxes = load(path);
    snprintf(path, sizeof path, "%s/scenes/%s/mma_bool/%s%s_mma_bool.json", data, s->name, s->truth, kinds[kind]);
    json_t *truth = load(path);
    const long long vf[2] = {0, s->vertices + s->edges}, ee[2] = {s->vertices, s->vertices};
    assert_pairs_true(json_object_get(hits, kinds[kind]), boxes, truth, kind == 0 ? vf : ee);
    json_decref(boxes);
    json_decref(truth);
  }
  json_decref(hits);
}

static void real_scenes_give_the_counts_and_collisions_known(void **state) {
  (void)state;
  const char *data = test_data_directory();
  if (data == NULL)
    skip();
  // The largest takes too long where everything is slow.
  const size_t count = TEST_SANITIZED || TEST_EMULATED ? 1 : sizeof scenes / sizeof scenes[0];
  for (size_t i = 0; i < count; i++) {
    const real_scene *s = &scenes[i];
    const char *hits = test_path("real-hits.json");
    json_t *object = assert_json(run("step %s/scenes/%s/frames/%s.ply %s/scenes/%s/frames/%s.ply --json --hits %s",
                                     data, s->name, s->start, data, s->name, s->end, hits),
                                 0);
    assert_count(object, "vertices", s->vertices);
    assert_count(object, "edges", s->edges);
    assert_count(object, "faces", s->faces);
    assert_kinds(object, "candidates", (const long long[]){s->vf, s->ee, 0, 0});
    json_decref(object);
    if (s->truth != NULL)
      assert_hits_true(data, s, hits);
  }
}

static void real_candidates_are_written_in_any_budget(void **state) {
  (void)state;
  const char *data = test_data_directory();
  if (data == NULL)
    skip();
  char *reference = NULL;
  static const char *const words[] = {"", "--broad sweep --threads 1", "--memory 24M", "--broad brute"};
  // Every pair of boxes takes too long where everything is slow.
  const size_t count = sizeof words / sizeof words[0] - (TEST_SANITIZED || TEST_EMULATED ? 1 : 0);
  for (size_t i = 0; i < count; i++) {
    const char *path = test_path("real-candidates.json");
    json_t *object = assert_json(run("step %s/scenes/cloth-funnel/frames/227.ply %s/scenes/cloth-funnel/frames/228.ply "
                                     "--json --candidates %s %s",
                                     data, data, path, words[i]),
                                 0);
    assert_kinds(object, "candidates", (const long long[]){7319, 33770, 0, 0});
    json_decref(object);
    char *text = test_read_bytes(path, NULL);
    if (reference == NULL) {
      reference = text;
      object = load(path);
      assert_int_equal(json_array_size(json_object_get(object, "vf")), 7319);
      assert_int_equal(json_array_size(json_object_get(object, "ee")), 33770);
      json_decref(object);
      continue;
    }
    assert_string_equal(text, reference);
    free(text);
  }
  free(reference);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_corner_lands_on_a_face),
      cmocka_unit_test(the_table_says_what_and_when),
      cmocka_unit_test(a_hit_is_a_finding_where_asked),
      cmocka_unit_test(the_question_can_be_changed),
      cmocka_unit_test(loose_points_and_edges_take_part),
      cmocka_unit_test(pairs_are_written_in_order),
      cmocka_unit_test(files_that_must_not_be_written_are_not),
      cmocka_unit_test(bad_usage_ends_with_one_line),
      cmocka_unit_test(bad_meshes_are_named),
      cmocka_unit_test(what_is_no_file_is_not_waited_for),
      cmocka_unit_test(the_kernel_counts_no_more_than_the_budget),
      cmocka_unit_test(answers_depend_on_no_option_of_the_work),
      cmocka_unit_test(real_scenes_give_the_counts_and_collisions_known),
      cmocka_unit_test(real_candidates_are_written_in_any_budget),
  };
  return cmocka_run_group_tests(tests, test_directory_make, test_directory_remove);
}
