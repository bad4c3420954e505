/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* As much of JSON Schema (draft 2020-12) as docs/contact-scene.schema.json uses. A keyword that is not known here fails
 * the test, so that nothing in the schema goes unchecked. */

#ifndef TOI_TESTS_IO_SCHEMA_H
#define TOI_TESTS_IO_SCHEMA_H

#include "support/support.h"

#include <jansson.h>
#include <string.h>

typedef struct schema {
  const json_t *root;
} schema;

static bool schema_holds(const schema *s, const json_t *rule, const json_t *value);

static inline const json_t *schema_referred(const schema *s, const char *reference) {
  static const char defs[] = "#/$defs/";
  assert_memory_equal(reference, defs, sizeof defs - 1);
  const json_t *found = json_object_get(json_object_get(s->root, "$defs"), reference + sizeof defs - 1);
  if (found == NULL)
    fail_msg("%s leads nowhere", reference);
  return found;
}

static inline bool schema_is_type(const char *type, const json_t *value) {
  static const char *const names[] = {"object", "array", "string", "number", "boolean", "null"};
  const bool is[] = {json_is_object(value), json_is_array(value),   json_is_string(value),
                     json_is_number(value), json_is_boolean(value), json_is_null(value)};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if (strcmp(type, names[i]) == 0)
      return is[i];
  fail_msg("the type %s is not known", type);
  return false;
}

/* The two patterns that there are. */
static inline bool schema_matches(const char *pattern, const char *text) {
  const bool line = strcmp(pattern, "^[^\\u0000-\\u001f\\u007f]*$") == 0;
  if (!line && strcmp(pattern, "^[A-Za-z_][A-Za-z0-9_]*$") != 0)
    fail_msg("the pattern %s is not known", pattern);
  if (line) {
    for (; *text != '\0'; text++)
      if ((unsigned char)*text < 0x20 || *text == 0x7f)
        return false;
    return true;
  }
  static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789";
  return *text != '\0' && strspn(text, letters) == strlen(text) && strchr("0123456789", *text) == NULL;
}

static inline bool schema_any(const schema *s, const json_t *rules, const json_t *value) {
  for (size_t i = 0; i < json_array_size(rules); i++)
    if (schema_holds(s, json_array_get(rules, i), value))
      return true;
  return false;
}

static inline bool schema_lists(const json_t *list, const json_t *value) {
  for (size_t i = 0; i < json_array_size(list); i++)
    if (json_equal(json_array_get(list, i), value))
      return true;
  return false;
}

/* Keywords about objects. */
static inline bool schema_holds_object(const schema *s, const json_t *rule, const json_t *value) {
  const json_t *properties = json_object_get(rule, "properties"), *names = json_object_get(rule, "propertyNames");
  const json_t *others = json_object_get(rule, "additionalProperties"), *required = json_object_get(rule, "required");
  const json_t *least = json_object_get(rule, "minProperties"), *most = json_object_get(rule, "maxProperties");
  const char *key;
  json_t *child;
  json_object_foreach((json_t *)(uintptr_t)value, key, child) {
    const json_t *own = json_object_get(properties, key);
    if (own != NULL ? !schema_holds(s, own, child) : others != NULL && !schema_holds(s, others, child))
      return false;
    json_t *name = json_string(key);
    const bool fine = names == NULL || schema_holds(s, names, name);
    json_decref(name);
    if (!fine)
      return false;
  }
  for (size_t i = 0; i < json_array_size(required); i++)
    if (json_object_get(value, json_string_value(json_array_get(required, i))) == NULL)
      return false;
  const size_t count = json_object_size(value);
  return (least == NULL || count >= (size_t)json_integer_value(least)) &&
         (most == NULL || count <= (size_t)json_integer_value(most));
}

static inline bool schema_holds_list(const schema *s, const json_t *rule, const json_t *value) {
  const json_t *items = json_object_get(rule, "items");
  const json_t *least = json_object_get(rule, "minItems"), *most = json_object_get(rule, "maxItems");
  const size_t count = json_array_size(value);
  for (size_t i = 0; i < count && items != NULL; i++)
    if (!schema_holds(s, items, json_array_get(value, i)))
      return false;
  return (least == NULL || count >= (size_t)json_integer_value(least)) &&
         (most == NULL || count <= (size_t)json_integer_value(most));
}

static inline bool schema_holds_scalar(const json_t *rule, const json_t *value) {
  const json_t *above = json_object_get(rule, "exclusiveMinimum"), *least = json_object_get(rule, "minimum");
  const json_t *below = json_object_get(rule, "exclusiveMaximum"), *most = json_object_get(rule, "maximum");
  const json_t *pattern = json_object_get(rule, "pattern"), *length = json_object_get(rule, "minLength");
  if (json_is_number(value))
    return (above == NULL || json_number_value(value) > json_number_value(above)) &&
           (least == NULL || json_number_value(value) >= json_number_value(least)) &&
           (below == NULL || json_number_value(value) < json_number_value(below)) &&
           (most == NULL || json_number_value(value) <= json_number_value(most));
  if (json_is_string(value))
    return (pattern == NULL || schema_matches(json_string_value(pattern), json_string_value(value))) &&
           (length == NULL || json_string_length(value) >= (size_t)json_integer_value(length));
  return true;
}

/* Keywords that put other rules together. */
static inline bool schema_holds_both(const schema *s, const json_t *rule, const json_t *value) {
  const json_t *any = json_object_get(rule, "anyOf"), *none = json_object_get(rule, "not");
  const json_t *condition = json_object_get(rule, "if"), *reference = json_object_get(rule, "$ref");
  if (reference != NULL && !schema_holds(s, schema_referred(s, json_string_value(reference)), value))
    return false;
  if ((any != NULL && !schema_any(s, any, value)) || (none != NULL && schema_holds(s, none, value)))
    return false;
  if (condition == NULL)
    return true;
  return schema_holds(s, json_object_get(rule, schema_holds(s, condition, value) ? "then" : "else"), value);
}

static inline void schema_expect_known(const json_t *rule) {
  static const char *const known[] = {"$schema",
                                      "$id",
                                      "title",
                                      "description",
                                      "default",
                                      "$defs",
                                      "$ref",
                                      "type",
                                      "enum",
                                      "const",
                                      "anyOf",
                                      "not",
                                      "if",
                                      "then",
                                      "else",
                                      "properties",
                                      "required",
                                      "additionalProperties",
                                      "items",
                                      "propertyNames",
                                      "minProperties",
                                      "pattern",
                                      "minItems",
                                      "maxItems",
                                      "minLength",
                                      "maxProperties",
                                      "minimum",
                                      "maximum",
                                      "exclusiveMaximum",
                                      "exclusiveMinimum"};
  const char *key;
  json_t *child;
  json_object_foreach((json_t *)(uintptr_t)rule, key, child) {
    bool found = false;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
      found = found || strcmp(key, known[i]) == 0;
    if (!found)
      fail_msg("the keyword %s is not known", key);
  }
}

static bool schema_holds(const schema *s, const json_t *rule, const json_t *value) {
  if (json_is_boolean(rule))
    return json_is_true(rule);
  assert_true(json_is_object(rule));
  schema_expect_known(rule);
  const json_t *type = json_object_get(rule, "type"), *list = json_object_get(rule, "enum");
  const json_t *constant = json_object_get(rule, "const");
  bool typed = type == NULL || (json_is_string(type) && schema_is_type(json_string_value(type), value));
  for (size_t i = 0; i < json_array_size(type); i++)
    typed = typed || schema_is_type(json_string_value(json_array_get(type, i)), value);
  if (!typed || (list != NULL && !schema_lists(list, value)) || (constant != NULL && !json_equal(constant, value)))
    return false;
  if (json_is_object(value) && !schema_holds_object(s, rule, value))
    return false;
  if (json_is_array(value) && !schema_holds_list(s, rule, value))
    return false;
  return schema_holds_scalar(rule, value) && schema_holds_both(s, rule, value);
}

#endif
