/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The JSON Schema of scenes says what the reader does: the same fields everywhere, and of scenes with one value left
 * out or replaced each refuses what the other does, as far as a schema can tell. */

#include "io/contact.h"
#include "io/schema.h"

static json_t *load(const char *path) {
  json_error_t error;
  json_t *loaded = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
  if (loaded == NULL)
    fail_msg("%s:%d: %s", path, error.line, error.text);
  return loaded;
}

static json_t *load_schema(void) {
  return load(TOI_SOURCE_DIR "/docs/contact-scene.schema.json");
}

static void the_shipped_scenes_fulfil_the_schema(void **state) {
  (void)state;
  json_t *root = load_schema();
  for (size_t i = 0; i < SHIPPED; i++) {
    char path[1024];
    json_t *scene = load(shipped_path(i, path));
    if (!schema_holds(&(schema){root}, root, scene))
      fail_msg("%s does not fulfil the schema", path);
    json_decref(scene);
  }
  json_decref(root);
}

/* --- the same fields --- */

/* For each object of the schema a scene with an unknown field in it, "?". */
static const struct {
  const char *name, *text;
} objects[] = {
    {"", "{\"?\":0}"},
    {"body", "{\"bodies\":[{\"?\":0},0]}"},
    {"shape", SHAPE("{\"?\":0}")},
    {"plane", SHAPE("{\"plane\":{\"?\":0}}")},
    {"sphere", SHAPE("{\"sphere\":{\"?\":0}}")},
    {"ellipsoid", SHAPE("{\"ellipsoid\":{\"?\":0}}")},
    {"cylinder", SHAPE("{\"cylinder\":{\"?\":0}}")},
    {"cone", SHAPE("{\"cone\":{\"?\":0}}")},
    {"torus", SHAPE("{\"torus\":{\"?\":0}}")},
    {"superquadric", SHAPE("{\"superquadric\":{\"?\":0}}")},
    {"bumpy_sphere", SHAPE("{\"bumpy-sphere\":{\"?\":0}}")},
    {"box", SHAPE("{\"box\":{\"?\":0}}")},
    {"radius_height", SHAPE("{\"capped-cylinder\":{\"?\":0}}")},
    {"prism", SHAPE("{\"prism\":{\"?\":0}}")},
    {"turned", SHAPE("{\"turned\":{\"?\":0}}")},
    {"parametric", SHAPE("{\"parametric\":{\"?\":0}}")},
    {"implicit", SHAPE("{\"implicit\":{\"?\":0}}")},
    {"revolution", SHAPE("{\"revolution\":{\"?\":0}}")},
    {"height_field", SHAPE("{\"height-field\":{\"?\":0}}")},
    {"patch", SHAPE("{\"patch\":{\"?\":0}}")},
    {"nurbs", SHAPE("{\"nurbs\":{\"?\":0}}")},
    {"model", SHAPE("{\"model\":{\"?\":0}}")},
    {"boolean", SHAPE("{\"boolean\":{\"?\":0}}")},
    {"faces", SHAPE("{\"faces\":{\"?\":0}}")},
    {"face", SHAPE("{\"faces\":{\"of\":[{\"?\":0}]}}")},
    {"operand", SHAPE("{\"boolean\":{\"operation\":\"union\",\"of\":[{\"?\":0}]}}")},
    {"hermite", SHAPE("{\"model\":{\"hermite\":{\"?\":0}}}")},
    {"step", MOTION("{\"?\":0}")},
    {"move", MOTION("{\"move\":{\"?\":0}}")},
    {"turn", MOTION("{\"turn\":{\"?\":0}}")},
    {"spin", MOTION("{\"spin\":{\"?\":0}}")},
    {"screw", MOTION("{\"screw\":{\"?\":0}}")},
    {"formula_step", MOTION("{\"formula\":{\"?\":0}}")},
    {"chebyshev", MOTION("{\"chebyshev\":{\"?\":0}}")},
    {"samples", MOTION("{\"samples\":{\"?\":0}}")},
};
#define OBJECTS (sizeof objects / sizeof objects[0])

/* The reader lists its fields: those, in this order, are the schema's. */
static void expect_fields(const json_t *rule, const char *listed) {
  char wanted[1024] = "";
  const char *key;
  json_t *child;
  json_object_foreach(json_object_get(rule, "properties"), key, child) {
    const size_t used = strlen(wanted);
    snprintf(wanted + used, sizeof wanted - used, "%s%s", used == 0 ? "" : ", ", key);
  }
  assert_string_equal(listed, wanted);
}

static void reader_and_schema_know_the_same_fields(void **state) {
  static const char before[] = "its fields are ";
  json_t *root = load_schema();
  const json_t *defs = json_object_get(root, "$defs");
  for (size_t i = 0; i < OBJECTS; i++) {
    toi_contact_scene scene;
    assert_int_equal(toi_contact_scene_read(*state, test_write_text("fields.json", objects[i].text), &scene),
                     TOI_ERROR_FORMAT);
    const char *listed = strstr(toi_context_error(*state), before);
    if (listed == NULL)
      fail_msg("%s: %s", objects[i].name, toi_context_error(*state));
    const json_t *rule = i == 0 ? root : json_object_get(defs, objects[i].name);
    assert_true(json_is_false(json_object_get(rule, "additionalProperties")));
    expect_fields(rule, listed + sizeof before - 1);
  }
  // Every object of the schema is among them, but for names, which are free.
  const char *key;
  json_t *rule;
  size_t counted = 1;
  json_object_foreach((json_t *)(uintptr_t)defs, key, rule) counted += json_object_get(rule, "properties") != NULL;
  assert_int_equal(counted, OBJECTS);
  json_decref(root);
}

/* --- the same refusals --- */

/* All forms, the fields that are not needed among them. */
static const char *const varied[] = {
    SCENE(
        "\"t_max\":2,\"tolerance\":1,\"simultaneity\":1,\"spacing\":1,\"incoming\":\"on\",\"max_boxes\":5,"
        "\"max_seconds\":7,\"title\":\"a\",\"note\":\"b\",\"$schema\":\"c\",\"constants\":{\"k\":1,\"m\":\"k\"},",
        BODY("{\"plane\":{}}", ",\"note\":\"n\",\"motion\":[{\"move\":{\"shift\":[1,\"t\",2],\"velocity\":[1,2,3]}}]")),
    SCENE("", BODY("{\"parametric\":{\"let\":{\"a\":1},\"x\":\"u\",\"y\":\"v\",\"z\":\"a\",\"u\":[0,1],\"v\":[0,1],"
                   "\"seams\":[],\"closed\":false,\"solid\":false}}",
                   ",\"motion\":{\"turn\":{\"axis\":[1,0,0],\"through\":[0,0,0],\"angle\":\"t\",\"rate\":1}}")),
    SCENE("", BODY("{\"implicit\":{\"let\":{\"a\":1},\"f\":\"x\",\"bounds\":[[0,1],[0,1],[0,1]],\"solid\":false}}",
                   ",\"motion\":[{\"screw\":{\"axis\":[1,0,0],\"through\":[0,0,0],\"angle\":1,\"rate\":1,\"shift\":1,"
                   "\"speed\":1}}]")),
    SCENE("",
          BODY("{\"revolution\":{\"let\":{\"a\":1},\"radius\":\"v + a\",\"height\":\"v\",\"v\":[0,1],\"seams\":[\"u\"],"
               "\"closed\":false,\"solid\":false}}",
               ",\"motion\":[{\"formula\":{\"let\":{\"a\":1},\"quaternion\":[\"a\",0,0,\"t\"],\"translation\":[0,0,"
               "\"t\"]}}]")),
    SCENE("", BODY("{\"height-field\":{\"let\":{\"a\":1},\"z\":\"a\",\"u\":[0,1],\"v\":[0,1]}}",
                   ",\"motion\":[{\"chebyshev\":{\"from\":0,\"to\":1,\"quaternion\":[[1],[0],[0],[0]],\"translation\":"
                   "[[1],[0],[0]]}}]")),
    SCENE(
        "",
        BODY("{\"plane\":{\"size\":[1,2],\"form\":\"parametric\"}}",
             ",\"motion\":[{\"samples\":{\"from\":0,\"to\":1,\"quaternion\":[[1,1],[0,0],[0,0],[0,0]],\"translation\":"
             "[[1,1],[0,0],[0,0]],\"derivative_bound\":1}}]")),
    SHAPE("{\"ellipsoid\":{\"half_axes\":[1,2,3],\"form\":\"parametric\"}}"),
    SCENE("", BODY("{\"patch\":{\"type\":\"quad\",\"degree\":[1,1],\"points\":[[0,0,0],[0,1,0],[1,0,0],[1,1,0]],"
                   "\"velocities\":[[0,0,0],[0,0,0],[0,0,0],[0,0,1]],\"weights\":[1,1,1,2],\"error\":0.5,"
                   "\"velocity_error\":0.5,\"name\":\"n\",\"comment\":\"c\",\"domain\":[0,1,0,1]}}",
                   ",\"motion\":[{\"spin\":{\"rate\":[0,1,2],\"through\":[1,2,3]}}]")),
    SHAPE("{\"nurbs\":{\"degree\":1,\"knots\":[[0,0,1,1],[0,0,1,1]],\"points\":[[[0,0,0],[0,1,0]],[[1,0,0],[1,1,0]]],"
          "\"velocities\":[[[0,0,0],[0,1,0]],[[1,0,0],[1,1,0]]],\"weights\":[[1,1],[1,2]],\"periodic\":[false,false],"
          "\"name\":\"n\",\"comment\":\"c\"}}"),
    SHAPE("{\"model\":{\"shape\":\"cylinder\",\"radius\":1,\"height\":2,\"scale\":2,\"shift\":[1,2,3],"
          "\"velocity\":[1,2,3],\"name\":\"n\",\"comment\":\"c\"}}"),
    SHAPE("{\"model\":{\"patches\":[{\"type\":\"triangle\",\"degree\":1,\"points\":[[0,0,0],[0,1,0],[1,0,0]]}]}}"),
    "{\"min_separation\":1,\"bodies\":[" BODY(
        "{\"model\":\"sphere\"}", ",\"motion\":[{\"move\":{\"shift\":[1,2,3]}},{\"spin\":{\"rate\":[0,0,1]}},{\"move\":"
                                  "{\"velocity\":[1,2,3]}}]") ",{\"name\":\"b\",\"shape\":{\"model\":\"torus\"}}]}",
    SHAPE("{\"cylinder\":{\"radius\":1,\"height\":2,\"form\":\"parametric\"}}"),
    SHAPE("{\"cone\":{\"radius\":1,\"height\":2,\"form\":\"parametric\"}}"),
    SHAPE("{\"torus\":{\"ring_radius\":2,\"tube_radius\":1,\"form\":\"parametric\"}}"),
    SHAPE("{\"superquadric\":{\"half_axes\":[1,2,3],\"exponents\":[1,1],\"form\":\"implicit\"}}"),
    SHAPE("{\"bumpy-sphere\":{\"radius\":1,\"bump\":0.1,\"waves\":[6,8],\"form\":\"parametric\"}}"),
};

/* What only the reader sees: it refuses these, and the schema need not. */
static bool is_beyond_schemas(const char *sentence) {
  static const char *const parts[] = {"unknown name",
                                      "must be less than",
                                      "all have the same",
                                      "whole number",
                                      "this name",
                                      "value is not known",
                                      "column",
                                      "it needs",
                                      "the ring must be larger",
                                      "even whole number",
                                      "model.shape: a "};
  for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
    if (strstr(sentence, parts[i]) != NULL)
      return true;
  return false;
}

/* What reader and schema say in the same way. */
static bool is_structural(const char *sentence) {
  static const char *const parts[] = {"belongs",         "needs the field",     "unknown field", "has one field",
                                      "must be \"",      "greater than 0",      "by nothing",    "no size",
                                      "or greater",      "must be from",        "a scene has",   "empty",
                                      "give \"closed\"", "a name that formulas"};
  for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
    if (strstr(sentence, parts[i]) != NULL)
      return true;
  return false;
}

typedef struct agreement {
  toi_context *context;
  const json_t *schema, *whole;
  size_t tried, refused;
} agreement;

static void compare(agreement *a) {
  char *text = json_dumps(a->whole, JSON_COMPACT);
  assert_non_null(text);
  toi_contact_scene scene;
  const toi_status status = toi_contact_scene_read(a->context, write_new("varied.json", text, strlen(text)), &scene);
  const char *sentence = toi_context_error(a->context);
  const bool fulfils = schema_holds(&(schema){a->schema}, a->schema, a->whole);
  if (status == TOI_OK ? !fulfils : fulfils && is_structural(sentence) && !is_beyond_schemas(sentence))
    fail_msg("the schema %s, the reader says: %s\n%s", fulfils ? "holds" : "does not hold",
             status == TOI_OK ? "fine" : sentence, text);
  a->tried++;
  a->refused += status != TOI_OK;
  toi_contact_scene_free(a->context, &scene);
  free(text);
}

/* The value in a list or an object is left out, and replaced by others; then the same inside it. */
static void vary(agreement *a, json_t *parent) {
  static const char *const others[] = {"null", "true", "\"q\"",   "\"\"", "-1",       "0",
                                       "7",    "[]",   "[1,2,3]", "{}",   "{\"q\":1}"};
  const size_t count = json_is_object(parent) ? json_object_size(parent) : json_array_size(parent);
  for (size_t i = 0; i < count; i++) {
    void *at = json_is_object(parent) ? json_object_iter(parent) : NULL;
    for (size_t k = 0; k < i && at != NULL; k++)
      at = json_object_iter_next(parent, at);
    char key[64] = "";
    if (at != NULL)
      snprintf(key, sizeof key, "%s", json_object_iter_key(at));
    json_t *own = json_incref(at != NULL ? json_object_iter_value(at) : json_array_get(parent, i));
    for (size_t k = 0; k < sizeof others / sizeof others[0]; k++) {
      json_t *other = json_loads(others[k], JSON_DECODE_ANY, NULL);
      assert_int_equal(at != NULL ? json_object_set(parent, key, other) : json_array_set(parent, i, other), 0);
      json_decref(other);
      compare(a);
    }
    assert_int_equal(at != NULL ? json_object_set(parent, key, own) : json_array_set(parent, i, own), 0);
    if (json_is_object(own) || json_is_array(own))
      vary(a, own);
    json_decref(own);
  }
}

/* Each field left out, one at a time. */
static void leave_out(agreement *a, json_t *value) {
  if (json_is_array(value)) {
    for (size_t i = 0; i < json_array_size(value); i++)
      leave_out(a, json_array_get(value, i));
    return;
  }
  const size_t count = json_object_size(value);
  for (size_t i = 0; i < count; i++) {
    void *at = json_object_iter(value);
    for (size_t k = 0; k < i; k++)
      at = json_object_iter_next(value, at);
    leave_out(a, json_object_iter_value(at));
    json_t *without = json_copy(value);
    char key[64];
    snprintf(key, sizeof key, "%s", json_object_iter_key(at));
    json_object_del(without, key);
    // The object itself stays where it is: its contents are exchanged.
    json_t *kept = json_copy(value);
    json_object_clear(value);
    json_object_update(value, without);
    compare(a);
    json_object_clear(value);
    json_object_update(value, kept);
    json_decref(kept);
    json_decref(without);
  }
}

static void reader_and_schema_refuse_the_same(void **state) {
  json_t *root = load_schema();
  agreement a = {.context = *state, .schema = root};
  for (size_t i = 0; i < sizeof varied / sizeof varied[0]; i++) {
    json_t *scene = json_loads(varied[i], JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(scene);
    a.whole = scene;
    compare(&a);
    if (a.refused > 0)
      fail_msg("%s", toi_context_error(*state));
    vary(&a, scene);
    leave_out(&a, scene);
    print_message("%zu of %zu variations are refused\n", a.refused, a.tried);
    assert_true(a.refused > 20 && a.refused < a.tried);
    a.tried = a.refused = 0;
    json_decref(scene);
  }
  json_decref(root);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_shipped_scenes_fulfil_the_schema),
      cmocka_unit_test(reader_and_schema_know_the_same_fields),
      cmocka_unit_test(reader_and_schema_refuse_the_same),
  };
  return cmocka_run_group_tests(tests, test_context_make, test_context_remove);
}
