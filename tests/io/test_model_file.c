/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Files of models: every form gives the model that its maker gives; what is written comes back bit for bit; what is no
 * model is refused with its line and its field, however the file was damaged and whenever memory is refused. */

#include "io/surfaces.h"

#define QUAD_POINTS "[[0,0,0],[0,1,0],[1,0,0],[1,1,0.5]]"
#define QUAD "{\"type\":\"quad\",\"degree\":1,\"points\":" QUAD_POINTS "}"
#define ROWS "[[[0,0,0],[0,1,0]],\n[[1,0,0],[1,1,1]],\n[[2,0,0],[2,1,0]]]"
#define KNOTS "[[0,0,0.5,1,1],[0,0,1,1]]"
#define NURBS "{\"degree\":[1,1],\"knots\":" KNOTS ",\"points\":" ROWS "}"
#define CORNER(x, y) "[[" x "," y ",0],[1,0,0.5],[0,1,0],[0,0,1]]"
#define CORNERS "[" CORNER("0", "0") "," CORNER("0", "1") "," CORNER("1", "0") "," CORNER("1", "1") "]"

static void read_fine(toi_context *context, const char *path, toi_model *model) {
  if (toi_model_read(context, path, model) != TOI_OK)
    fail_msg("%s", toi_context_error(context));
}

static void read_text(toi_context *context, const char *text, toi_model *model) {
  read_fine(context, test_write_text("model.json", text), model);
}

static void expect_model(const toi_model *a, const toi_model *b) {
  assert_int_equal(a->patch_count, b->patch_count);
  for (size_t i = 0; i < a->patch_count; i++)
    expect_patch(&a->patches[i], &b->patches[i]);
  assert_int_equal(a->domains == NULL, b->domains == NULL);
  if (a->domains != NULL)
    expect_bits(a->domains[0], b->domains[0], 4 * a->patch_count);
}

/* The model that a text describes is this one, which is freed. */
static void expect_text(toi_context *context, const char *text, toi_status status, toi_model *wanted) {
  assert_int_equal(status, TOI_OK);
  toi_model model;
  read_text(context, text, &model);
  expect_model(wanted, &model);
  toi_model_free(context, &model);
  toi_model_free(context, wanted);
}

/* --- reading --- */

static void shapes_are_those_of_their_makers(void **state) {
  toi_model wanted;
  expect_text(*state, "\xef\xbb\xbf{\"shape\":\"teapot\"}", toi_model_teapot(*state, &wanted), &wanted);
  expect_text(*state, "{\r\n\"radius\":0.3,\r\n\"shape\":\"sphere\"}", toi_model_sphere(*state, 0.3, &wanted), &wanted);
  expect_text(*state, "{\"shape\":\"cylinder\",\"radius\":0.7,\"height\":3e-1,\"name\":\"\"}",
              toi_model_cylinder(*state, 0.7, 0.3, &wanted), &wanted);
  expect_text(*state, "{\"shape\":\"torus\",\"ring_radius\":2,\"tube_radius\":0.1}",
              toi_model_torus(*state, 2, 0.1, &wanted), &wanted);
}

static void nurbs_are_cut_at_their_knots(void **state) {
  static const double points[][3] = {{0, 0, 0}, {0, 1, 0}, {1, 0, 0}, {1, 1, 1}, {2, 0, 0}, {2, 1, 0}};
  static const double velocities[][3] = {{0, 0, 1}, {0, 0, 2}, {0, 0, 3}, {0, 0, 4}, {0, 0, 5}, {0, 0, 6}};
  static const double weights[] = {1, 2, 3, 4, 5, 6}, u[] = {0, 0, 0.5, 1, 1}, v[] = {0, 0, 1, 1},
                      cycle[] = {0, 1, 2, 4};
  toi_nurbs nurbs = {.degree = {1, 1}, .count = {3, 2}, .knots = {u, v}, .knot_count = {5, 4}, .points = points};
  toi_model wanted;
  expect_text(*state, "{\"nurbs\":" NURBS "}", toi_model_from_nurbs(*state, &nurbs, &wanted), &wanted);
  nurbs.velocities = velocities;
  nurbs.weights = weights;
  expect_text(*state,
              "{\"comment\":\"\",\"nurbs\":{\"weights\":[[1,2],[3,4],[5,6]],\"velocities\":[[[0,0,1],[0,0,2]],"
              "[[0,0,3],[0,0,4]],[[0,0,5],[0,0,6]]],\"periodic\":false,\"points\":" ROWS ",\"knots\":" KNOTS
              ",\"degree\":1,\"name\":\"n\"}}",
              toi_model_from_nurbs(*state, &nurbs, &wanted), &wanted);
  nurbs.velocities = NULL;
  nurbs.weights = NULL;
  nurbs.periodic[0] = true;
  nurbs.knots[0] = cycle;
  nurbs.knot_count[0] = 4;
  expect_text(*state,
              "{\"nurbs\":{\"degree\":[1,1],\"periodic\":[true,false],\"knots\":[[0,1,2,4],[0,0,1,1]],\"weights\":null,"
              "\"velocities\":null,\"points\":" ROWS "}}",
              toi_model_from_nurbs(*state, &nurbs, &wanted), &wanted);
}

static void hermite_patches_have_four_corners(void **state) {
  double corners[4][4][3];
  for (int c = 0; c < 4; c++) {
    const double corner[4][3] = {{c < 2 ? 0 : 1, c % 2, 0}, {1, 0, 0.5}, {0, 1, 0}, {0, 0, 1}};
    memcpy(corners[c], corner, sizeof corner);
  }
  toi_model wanted;
  expect_text(*state, "{\"hermite\":{\"corners\":" CORNERS "}}",
              toi_model_from_hermite(*state, (const double(*)[4][3])corners, NULL, &wanted), &wanted);
  expect_text(*state, "{\"hermite\":{\"velocities\":" CORNERS ",\"corners\":" CORNERS ",\"comment\":\"\"}}",
              toi_model_from_hermite(*state, (const double(*)[4][3])corners, (const double(*)[4][3])corners, &wanted),
              &wanted);
}

/* Several of a kind follow each other; where some patches say what they were cut from, the others are whole. */
static void lists_are_one_model(void **state) {
  toi_model model;
  read_text(*state,
            "{\"patches\":[" QUAD ",{\"type\":\"triangle\",\"degree\":0,\"points\":[[1,2,3]],\"velocities\":[[4,5,6]]},"
            "{\"weights\":[1,2,3,4],\"type\":\"quad\",\"degree\":[3,0],\"points\":" QUAD_POINTS
            ",\"domain\":[0,0.5,-1,7]}]}",
            &model);
  assert_int_equal(model.patch_count, 3);
  assert_true(model.patches[0].points[3][2] == 0.5 && model.patches[0].velocities == NULL);
  assert_true(model.patches[1].points[0][2] == 3 && model.patches[1].velocities[0][0] == 4);
  assert_true(model.patches[2].points[3][2] == 0.5 && model.patches[2].weights[3] == 4);
  static const double domains[3][4] = {{0, 1, 0, 1}, {0, 1, 0, 1}, {0, 0.5, -1, 7}};
  assert_memory_equal(model.domains, domains, sizeof domains);
  toi_model_free(*state, &model);
  read_text(*state, "{\"patches\":[" QUAD "," QUAD "]}", &model);
  assert_true(model.patch_count == 2 && model.domains == NULL);
  toi_model_free(*state, &model);
  read_text(*state, "{\"nurbs\":[" NURBS ",\n" NURBS "]}", &model);
  assert_int_equal(model.patch_count, 4);
  expect_patch(&model.patches[1], &model.patches[3]);
  assert_memory_equal(model.domains[1], model.domains[3], sizeof model.domains[1]);
  toi_model_free(*state, &model);
  read_text(*state, "{\"hermite\":[{\"corners\":" CORNERS "},{\"corners\":" CORNERS "},{\"corners\":" CORNERS "}]}",
            &model);
  assert_int_equal(model.patch_count, 3);
  toi_model_free(*state, &model);
}

static void models_are_shifted_and_moved(void **state) {
  static const double shift[3] = {1, 0.1, -2}, velocity[3] = {0, 0, -0.5}, none[3] = {0};
  toi_model sphere, wanted;
  assert_int_equal(toi_model_sphere(*state, 1, &sphere), TOI_OK);
  expect_text(*state, "{\"shift\":[1,0.1,-2],\"velocity\":[0,0,-0.5],\"shape\":\"sphere\",\"radius\":1}",
              toi_model_moved(*state, &sphere, shift, velocity, &wanted), &wanted);
  expect_text(*state, "{\"shape\":\"sphere\",\"radius\":1,\"shift\":[1,0.1,-2]}",
              toi_model_moved(*state, &sphere, shift, none, &wanted), &wanted);
  expect_text(*state, "{\"shape\":\"sphere\",\"radius\":1,\"velocity\":[0,0,-0.5]}",
              toi_model_moved(*state, &sphere, none, velocity, &wanted), &wanted);
  toi_model_free(*state, &sphere);
}

/* Twice everything is exact, but for zeros; other factors round within the error. */
static void models_are_scaled(void **state) {
  toi_model wanted, model;
  expect_text(*state, "{\"shape\":\"sphere\",\"radius\":0.15,\"scale\":2}", toi_model_sphere(*state, 0.3, &wanted),
              &wanted);
  read_text(*state, "{\"shape\":\"teapot\",\"scale\":0.1,\"shift\":[0,0,1]}", &model);
  assert_int_equal(toi_model_teapot(*state, &wanted), TOI_OK);
  for (size_t i = 0; i < wanted.patch_count; i++)
    for (size_t k = 0; k < 48; k++) {
      const double exact = wanted.patches[i].points[k / 3][k % 3] * 0.1 + (k % 3 == 2);
      assert_true(fabs(model.patches[i].points[k / 3][k % 3] - exact) < 1e-15);
    }
  assert_true(model.patches[0].error > 0 && model.patches[0].error < 1e-15);
  toi_model_free(*state, &model);
  toi_model_free(*state, &wanted);
}

/* --- refusals --- */

#define MODEL_FIELDS                                                                                                   \
  "patches, nurbs, hermite, shape, scale, shift, velocity, radius, height, ring_radius, tube_radius, name, "           \
  "comment"
#define SPHERE "\"shape\":\"sphere\",\"radius\":1"

static const struct {
  const char *text, *wanted;
} refused[] = {
    {"", ":1: the file ends where a model belongs; restore it"},
    {"[]", ":1: a list where a model belongs"},
    {"{}", ":1: an empty model; give it patches, nurbs, hermite or shape"},
    {"{\n\"shift\":[0,0,0]}", ":2: an empty model; give it patches, nurbs, hermite or shape"},
    {"{" SPHERE "} 1", ":1: \"1\" where the end of the file belongs"},
    {"{\"size\":2}", ":1: unknown field 'size' for a model; its fields are " MODEL_FIELDS},
    {"{" SPHERE ",\n\"patches\":[" QUAD "]}",
     ":1: shape: the model already has \"patches\"; give one of them, and the other its own file"},
    {"{\"shape\":\"cube\"}", ":1: shape: must be \"teapot\", \"sphere\", \"cylinder\" or \"torus\", not \"cube\""},
    {"{\n\"shape\":\"sphere\"}", ":2: shape: a sphere needs the field \"radius\"; add it"},
    {"{\"shape\":\"torus\",\"ring_radius\":1}", ":1: shape: a torus needs the field \"tube_radius\"; add it"},
    {"{" SPHERE ",\n\"height\":1}", ":2: height: a sphere has no height; remove it"},
    {"{\"shape\":\"teapot\",\"radius\":1}", ":1: radius: a teapot has no radius; remove it"},
    {"{\"patches\":[" QUAD "],\"radius\":1}", ":1: radius: a model without a shape has no radius; remove it"},
    {"{\"shape\":\"sphere\",\"radius\":-1}", ":1: radius: must be greater than 0, not -1"},
    {"{\"shape\":\"torus\",\"ring_radius\":1.7e308,\n\"tube_radius\":1.7e308}",
     ":1: shape: ring_radius 1.7e+308 and tube_radius 1.7e+308: their sum is not finite"},
    {"{" SPHERE ",\"shift\":[1,2]}", ":1: shift: 2 numbers where 3 belong; add what is missing"},
    {"{" SPHERE ",\"scale\":0}", ":1: scale: must be greater than 0, not 0"},
    {"{\"shape\":\"sphere\",\"radius\":1e300,\n\"scale\":1e300}",
     ":2: scale: patch 0 of the model overflows; make it smaller"},
    {"{\"patches\":[]}", ":1: a model without patches; give it one at least"},
    {"{\"nurbs\":[]}", ":1: a model without patches; give it one at least"},
    {"{\"patches\":" QUAD "}", ":1: patches: an object where a list of patches belongs"},
    {"{\"patches\":[" QUAD ",\n{\"type\":\"quad\",\"degree\":1,\n\"points\":[[0,0,0]]}]}",
     ":3: patches[1].points: 1 control points, but a quad of degree [1, 1] has 4; correct one of them"},
    {"{\"patches\":[" QUAD ",\n\n" QUAD ",7]}", ":3: patches[2]: \"7\" where a patch belongs"},
    {"{\"patches\":[{\"domain\":[0,1,2]}]}", ":1: patches[0].domain: 3 numbers where 4 belong; add what is missing"},
    {"{\"nurbs\":[" NURBS ",\n{\"degree\":1}]}", ":4: nurbs[1]: a NURBS surface needs the field \"points\"; add it"},
    {"{\"nurbs\":{\"degree\":0}}", ":1: nurbs.degree: must be a whole number from 1 to 9, not 0"},
    {"{\"nurbs\":{\"knots\":[[0,0,\n1,0.5]]}}",
     ":2: nurbs.knots[0][3]: 0.5 is below the knot before it, 1; knots must not decrease"},
    {"{\"nurbs\":{\"knots\":[[0,0,1,1]]}}", ":1: nurbs.knots: 1 lists of knots where two belong: in u, and in v"},
    {"{\"nurbs\":{\"knots\":[[],[],[]]}}", ":1: nurbs.knots[2]: a third list of knots; there is one in u and one in v"},
    {"{\"nurbs\":{\"knots\":[0,0,1,1]}}", ":1: nurbs.knots[0]: \"0\" where a list of knots belongs"},
    {"{\"nurbs\":{\"periodic\":[true]}}", ":1: nurbs.periodic: 1 values where two belong: in u, and in v"},
    {"{\"nurbs\":{\"periodic\":[true,false,true]}}",
     ":1: nurbs.periodic[2]: a third value where two belong: in u, and in v"},
    {"{\"nurbs\":{\"periodic\":0}}", ":1: nurbs.periodic: \"0\" where true or false belongs"},
    {"{\"nurbs\":{\"points\":[[[0,0,0],[0,1,0]],\n[[1,0,0]]]}}",
     ":2: nurbs.points[1]: a row of 1, but the first has 2; all have the same"},
    {"{\"nurbs\":{\"points\":[[0,0,0]]}}", ":1: nurbs.points[0][0]: \"0\" where a list of 3 numbers belongs"},
    {"{\"nurbs\":{\"degree\":1,\"knots\":" KNOTS ",\n\"points\":[]}}",
     ":2: nurbs.points: no control points; give them as rows in u"},
    {"{\"nurbs\":{\"degree\":1,\"knots\":" KNOTS ",\"points\":" ROWS ",\n\"weights\":[[1,1],[1,1]]}}",
     ":4: nurbs.weights: 2 rows of 2, but there are 3 rows of 2 control points; give one to each"},
    {"{\"nurbs\":{\"degree\":1,\"knots\":" KNOTS ",\"points\":" ROWS ",\"velocities\":[]}}",
     ":3: nurbs.velocities: 0 rows of 0, but there are 3 rows of 2 control points; give one to each"},
    {"{\"nurbs\":{\"weights\":[[1,1],[1,-1]]}}", ":1: nurbs.weights[1][1]: must be greater than 0, not -1"},
    {"{\"nurbs\":{\"weight_velocities\":[]}}",
     ":1: nurbs.weight_velocities: weights cannot move; leave this field out if they do not"},
    {"{\n\"nurbs\":{\n\"degree\":2,\"knots\":" KNOTS ",\"points\":" ROWS "}}",
     ":2: nurbs: 5 knots in u; 3 control points of degree 2 take 6"},
    {"{\"hermite\":{}}", ":1: hermite: a Hermite patch needs the field \"corners\"; add it"},
    {"{\"hermite\":{\"corners\":[" CORNER("0", "0") "]}}", ":1: hermite.corners: 1 corners; a patch has four"},
    {"{\"hermite\":{\"corners\":[[[0,0,0]]]}}",
     ":1: hermite.corners[0]: 1 vectors; a corner has four: position, d/du, d/dv and d2/dudv"},
    {"{\"hermite\":{\"corners\":[[[0,0,0],[0,0,0],[0,0,0],[0,0,0],[0,0,0]]]}}",
     ":1: hermite.corners[0][4]: a fifth vector; a corner has position, d/du, d/dv and d2/dudv"},
    {"{\"hermite\":{\"corners\":[" CORNER("0", "0") "," CORNER("0", "0") "," CORNER("0", "0") "," CORNER("0",
                                                                                                         "0") ",[]]}}",
     ":1: hermite.corners[4]: a fifth corner; a patch has four"},
    {"{\"hermite\":[\n{\"corners\":[" CORNER("1.7e308", "0") "," CORNER("-1.7e308", "0") "," CORNER(
         "0", "0") ",\n[[1.7e308,0,0],[-1.7e308,0,0],[0,0,0],[0,0,0]]]}]}",
     ":2: hermite[0]: a control point overflows; positions or derivatives are too large"},
    {"{\"patches\":[{\"type\":\"quad\",\"degree\":0,\"points\":[[1.7e308,0,0]]}],\n\"shift\":[1.7e308,0,0]}",
     ":2: shift: patch 0 of the model overflows where it is moved to"},
};

static void texts_that_are_no_model_are_refused(void **state) {
  static const char *const names[] = {"bad.json", "bad.json.gz"};
  for (size_t i = 0; i < 2 * sizeof refused / sizeof refused[0]; i++) {
    const char *path = test_write_text(names[i % 2], refused[i / 2].text);
    toi_model model = {.patch_count = 77};
    const uint64_t before = toi_context_bytes(*state);
    const toi_status status = toi_model_read(*state, path, &model);
    expect_sentence(*state, status, path, refused[i / 2].wanted);
    assert_true(model.patch_count == 0 && model.patches == NULL && model.owned == NULL);
    // Makers may keep scratch.
    assert_true(toi_context_bytes(*state) <= before + (1 << 20));
  }
}

static void calls_without_what_they_need_are_refused(void **state) {
  toi_model model = {0};
  const char *path = test_path("nothing.json");
  assert_int_equal(toi_model_read(NULL, path, &model), TOI_ERROR_INPUT);
  assert_int_equal(toi_model_read(*state, NULL, &model), TOI_ERROR_INPUT);
  assert_int_equal(toi_model_read(*state, path, NULL), TOI_ERROR_INPUT);
  assert_int_equal(toi_model_read(*state, path, &model), TOI_ERROR_FILE);
  assert_int_equal(toi_model_write(*state, path, NULL), TOI_ERROR_INPUT);
  assert_int_equal(toi_model_write(*state, path, &model), TOI_ERROR_INPUT);
}

/* --- there and back --- */

static void expect_back(toi_context *context, const char *name, const toi_model *model) {
  const char *path = test_path(name);
  if (toi_model_write(context, path, model) != TOI_OK)
    fail_msg("%s", toi_context_error(context));
  toi_model back;
  read_fine(context, path, &back);
  expect_model(model, &back);
  toi_model_free(context, &back);
}

static void what_is_written_comes_back_bit_for_bit(void **state) {
  uint64_t seed = test_seed(0x5eed0610);
  const size_t count = test_count(300);
  random_patch *made = malloc(count * sizeof *made);
  toi_patch *patches = malloc(count * sizeof *patches);
  double(*domains)[4] = malloc(count * sizeof *domains);
  assert_true(made != NULL && patches != NULL && domains != NULL);
  for (size_t i = 0; i < count; i++) {
    patch_make(&seed, &made[i]);
    patches[i] = made[i].patch;
    for (size_t k = 0; k < 4; k++)
      domains[i][k] = test_random_extreme(&seed, 0);
  }
  toi_model model = {.patches = patches, .patch_count = count};
  expect_back(*state, "back.json", &model);
  model.domains = (const double(*)[4])domains;
  expect_back(*state, "back.json.gz", &model);

  // What could not be read is not written.
  const size_t files = test_count_files();
  domains[count - 1][3] = (double)INFINITY;
  assert_int_equal(toi_model_write(*state, test_path("not.json"), &model), TOI_ERROR_INPUT);
  assert_non_null(strstr(toi_context_error(*state), ": its domain is not finite"));
  made[0].points[0][0] = (double)NAN;
  assert_int_equal(toi_model_write(*state, test_path("not.json"), &model), TOI_ERROR_INPUT);
  assert_true(strncmp(toi_context_error(*state), "patch 0", 7) == 0);
  assert_int_equal(test_count_files(), files);
  free(made);
  free(patches);
  free(domains);
}

static void examples_are_models_that_come_back(void **state) {
  static const struct {
    const char *name;
    size_t patches;
  } examples[] = {{"teapot.json", 32}, {"sphere.json", 8}, {"cylinder.json", 4}, {"torus.json", 16}, {"sail.json", 2},
                  {"tube.json", 6},    {"saddle.json", 1}, {"pair.json", 2},     {"shaft.json", 4},  {"bore.json", 4}};
  for (size_t i = 0; i < sizeof examples / sizeof examples[0]; i++) {
    char path[1024];
    snprintf(path, sizeof path, TOI_SOURCE_DIR "/examples/surfaces/%s", examples[i].name);
    toi_model model;
    read_fine(*state, path, &model);
    assert_int_equal(model.patch_count, examples[i].patches);
    for (size_t k = 0; k < model.patch_count; k++)
      expect_sound(&model.patches[k]);
    expect_back(*state, examples[i].name, &model);
    toi_model_free(*state, &model);
  }
  toi_case_set set;
  assert_int_equal(toi_cases_read(*state, TOI_SOURCE_DIR "/examples/surfaces/cases.jsonl", &set), TOI_OK);
  assert_int_equal(set.count, 3);
  toi_cases_free(*state, &set);
}

/* --- damage and refused memory --- */

static const char *const whole[] = {
    "{\"patches\":[" QUAD ",\n" QUAD "],\"velocity\":[0,0,1]}\n",
    "{\"nurbs\":[" NURBS ",\n{\"weights\":[[1,2],[3,4],[5,6]],\"degree\":1,\"knots\":" KNOTS ",\"points\":" ROWS
    "}]}\n",
    "{\"hermite\":{\"corners\":" CORNERS ",\"velocities\":" CORNERS "}}\n",
    "{\"shape\":\"torus\",\"ring_radius\":2,\"tube_radius\":0.25,\"scale\":3,\"shift\":[1,2,3]}\n",
    "{\"shape\":\"teapot\"}\n",
};
#define KINDS (sizeof whole / sizeof whole[0])

/* True if something could be read, and it makes sense. */
static bool read_damaged(toi_context *context, const char *path) {
  toi_model model;
  const toi_status status = toi_model_read(context, path, &model);
  if (status == TOI_OK) {
    for (size_t i = 0; i < model.patch_count; i++)
      expect_sound(&model.patches[i]);
    toi_model_free(context, &model);
  } else {
    assert_int_equal(status, TOI_ERROR_FORMAT);
    assert_true(strncmp(toi_context_error(context), path, strlen(path)) == 0);
  }
  assert_true(model.patches == NULL && model.owned == NULL);
  return status == TOI_OK;
}

static void damaged_files_are_read_or_refused(void **state) {
  uint64_t seed = test_seed(0x5eed0611);
  size_t fine = 0;
  const uint64_t rounds = test_count(20000);
  const uint64_t before = toi_context_bytes(*state);
  for (uint64_t round = 0; round < rounds; round++) {
    char text[1024];
    size_t size = strlen(whole[round % KINDS]);
    assert_true(size < sizeof text);
    memcpy(text, whole[round % KINDS], size);
    size = damage(text, size, &seed);
    fine += read_damaged(*state, write_new(round % 8 == 0 ? "d.json.gz" : "d.json", text, size));
  }
  print_message("%zu of %zu damaged files are models\n", fine, (size_t)rounds);
  assert_true(fine < rounds);
  assert_true(toi_context_bytes(*state) <= before + (1 << 20));
}

static void files_cut_anywhere_are_refused(void **state) {
  for (size_t kind = 0; kind < KINDS; kind++)
    for (size_t size = 0; size <= strlen(whole[kind]); size++)
      assert_true(read_damaged(*state, write_new("cut.json", whole[kind], size)) == (size + 1 >= strlen(whole[kind])));
}

static toi_status try_once(const char *path, const toi_model *written, size_t refuse) {
  test_allocator allocator = {0};
  toi_context *context = test_context_on(&allocator);
  const uint64_t before = toi_context_bytes(context);
  const size_t files = test_count_files();
  allocator.refuse_at = allocator.calls + refuse;
  toi_model model = {0};
  const toi_status status =
      written != NULL ? toi_model_write(context, path, written) : toi_model_read(context, path, &model);
  if (status != TOI_OK) {
    assert_true(model.patches == NULL && model.owned == NULL);
    assert_true(strlen(toi_context_error(context)) > 0);
  }
  toi_model_free(context, &model);
  assert_true(toi_context_bytes(context) <= before + (1 << 20));
  assert_int_equal(test_count_files(), files);
  toi_context_destroy(context);
  assert_int_equal(allocator.wrong_sizes, 0);
  assert_int_equal(allocator.blocks, 0);
  return status;
}

static void refused_memory_leaves_nothing_behind(void **state) {
  for (size_t kind = 0; kind < KINDS; kind++)
    for (size_t write = 0; write < 2; write++) {
      const char *path = test_write_text(kind % 2 == 0 ? "memory.json" : "memory.json.gz", whole[kind]);
      toi_model model;
      read_fine(*state, path, &model);
      toi_status status = TOI_ERROR_MEMORY;
      size_t refuse = 1;
      for (; status != TOI_OK; refuse++) {
        status = try_once(path, write == 1 ? &model : NULL, refuse);
        assert_true(status == TOI_OK || status == TOI_ERROR_MEMORY);
      }
      assert_true(refuse > 2);
      toi_model_free(*state, &model);
    }
}

static void a_budget_too_small_is_an_error_that_says_so(void **state) {
  toi_model model, back;
  assert_int_equal(toi_model_teapot(*state, &model), TOI_OK);
  const char *path = test_path("budget.json");
  assert_int_equal(toi_model_write(*state, path, &model), TOI_OK);
  size_t refusals = 0;
  toi_status status = TOI_ERROR_MEMORY;
  for (uint64_t budget = 270 << 10; status != TOI_OK; budget += 8 << 10) {
    toi_context_options options = toi_default_context_options();
    options.memory_budget = budget;
    options.threads = 1;
    toi_context *context;
    assert_int_equal(toi_context_create(&options, &context), TOI_OK);
    status = toi_model_read(context, path, &back);
    if (status == TOI_OK)
      expect_model(&model, &back);
    else
      assert_non_null(strstr(toi_context_error(context), "raise memory_budget"));
    refusals += status == TOI_ERROR_MEMORY;
    toi_model_free(context, &back);
    toi_context_destroy(context);
    assert_true(budget < 2 << 20);
  }
  assert_true(refusals > 3);
  toi_model_free(*state, &model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(shapes_are_those_of_their_makers),
      cmocka_unit_test(nurbs_are_cut_at_their_knots),
      cmocka_unit_test(hermite_patches_have_four_corners),
      cmocka_unit_test(lists_are_one_model),
      cmocka_unit_test(models_are_shifted_and_moved),
      cmocka_unit_test(models_are_scaled),
      cmocka_unit_test(texts_that_are_no_model_are_refused),
      cmocka_unit_test(calls_without_what_they_need_are_refused),
      cmocka_unit_test(what_is_written_comes_back_bit_for_bit),
      cmocka_unit_test(examples_are_models_that_come_back),
      cmocka_unit_test(damaged_files_are_read_or_refused),
      cmocka_unit_test(files_cut_anywhere_are_refused),
      cmocka_unit_test(refused_memory_leaves_nothing_behind),
      cmocka_unit_test(a_budget_too_small_is_an_error_that_says_so),
  };
  return cmocka_run_group_tests(tests, test_context_make, test_context_remove);
}
