/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The header of a PLY file: lines of words up to `end_header`.
 *
 * Promise: what it leaves behind makes a mesh: one element `vertex` with x, y and z, at most one `face` with a list of
 * corners, at most one `edge` with vertex1 and vertex2. Nothing is allocated for what it says. */

#include "io/ply.h"

#include <stdio.h>
#include <string.h>

#include "base/internal.h"

typedef enum keyword { FORMAT, ELEMENT, PROPERTY, COMMENT, END, UNKNOWN } keyword;

static bool is(toi_word word, const char *text) {
  return word.length == strlen(text) && memcmp(word.text, text, word.length) == 0;
}

static toi_status fail_word(const toi_ply *ply, toi_word word, const char *what) {
  char shown[TOI_SHOWN_BYTES];
  toi_word_show(word, shown);
  return toi_fail(ply->context, TOI_ERROR_FORMAT, "%s:%zu: \"%s\" %s", ply->path, ply->feed.line, shown, what);
}

static toi_status fail_line(const toi_ply *ply, const char *what) {
  return toi_fail(ply->context, TOI_ERROR_FORMAT, "%s:%zu: %s", ply->path, ply->feed.line, what);
}

/* --- the lines --- */

static toi_status read_format(toi_ply *ply) {
  static const char *const names[] = {
      [TOI_PLY_ASCII] = "ascii", [TOI_PLY_LITTLE] = "binary_little_endian", [TOI_PLY_BIG] = "binary_big_endian"};
  if (ply->format != TOI_PLY_NONE)
    return fail_line(ply, "a second format; keep one");
  toi_word word = {0};
  toi_status status = toi_feed_word(&ply->feed, &word);
  if (status != TOI_OK)
    return status;
  for (unsigned i = TOI_PLY_ASCII; i <= TOI_PLY_BIG; i++)
    if (is(word, names[i]))
      ply->format = (toi_ply_format)i;
  if (ply->format == TOI_PLY_NONE)
    return fail_word(ply, word, "is not a format; use ascii, binary_little_endian or binary_big_endian");
  status = toi_feed_word(&ply->feed, &word);
  if (status == TOI_OK && !is(word, "1.0"))
    return fail_word(ply, word, "is not a supported version; use 1.0");
  return status;
}

static toi_ply_type type_of(toi_word word) {
  static const char *const names[TOI_PLY_TYPES][2] = {
      [TOI_PLY_INT8] = {"char", "int8"},        [TOI_PLY_UINT8] = {"uchar", "uint8"},
      [TOI_PLY_INT16] = {"short", "int16"},     [TOI_PLY_UINT16] = {"ushort", "uint16"},
      [TOI_PLY_INT32] = {"int", "int32"},       [TOI_PLY_UINT32] = {"uint", "uint32"},
      [TOI_PLY_FLOAT32] = {"float", "float32"}, [TOI_PLY_FLOAT64] = {"double", "float64"}};
  for (unsigned i = TOI_PLY_INT8; i < TOI_PLY_TYPES; i++)
    if (is(word, names[i][0]) || is(word, names[i][1]))
      return (toi_ply_type)i;
  return TOI_PLY_NO_TYPE;
}

/* A count of rows: digits, below 2^63. */
static bool count_of(toi_word word, uint64_t *count) {
  *count = 0;
  for (size_t i = 0; i < word.length; i++) {
    const char c = word.text[i];
    if (c < '0' || c > '9' || *count > (uint64_t)INT64_MAX / 10 - 1)
      return false;
    *count = *count * 10 + (uint64_t)(c - '0');
  }
  return word.length > 0;
}

static toi_status read_element(toi_ply *ply) {
  if (ply->element_count == TOI_PLY_ELEMENTS)
    return fail_line(ply, "more elements than any mesh has; this is not a mesh");
  toi_ply_element *element = &ply->elements[ply->element_count++];
  *element = (toi_ply_element){.line = ply->feed.line, .properties = ply->properties + ply->property_count};
  toi_word word = {0};
  toi_status status = toi_feed_word(&ply->feed, &word);
  if (status != TOI_OK)
    return status;
  if (word.length == 0)
    return fail_line(ply, "an element without a name; write `element NAME COUNT`");
  element->kind = is(word, "vertex") ? TOI_PLY_VERTEX
                  : is(word, "face") ? TOI_PLY_FACE
                  : is(word, "edge") ? TOI_PLY_EDGE
                                     : TOI_PLY_OTHER;
  char shown[TOI_SHOWN_BYTES];
  toi_word_show(word, shown);
  snprintf(element->name, sizeof element->name, "%.*s", (int)sizeof element->name - 1, shown);
  status = toi_feed_word(&ply->feed, &word);
  if (status == TOI_OK && !count_of(word, &element->count))
    return fail_word(ply, word, "is not a number of rows; write `element NAME COUNT`");
  return status;
}

/* What a property means to us, by its name, in an element of this kind. */
static toi_ply_role role_of(toi_ply_kind kind, bool list, toi_word word) {
  static const struct {
    toi_ply_kind kind;
    bool list;
    const char *name;
    toi_ply_role role;
  } roles[] = {{TOI_PLY_VERTEX, false, "x", TOI_PLY_X},
               {TOI_PLY_VERTEX, false, "y", TOI_PLY_Y},
               {TOI_PLY_VERTEX, false, "z", TOI_PLY_Z},
               {TOI_PLY_FACE, true, "vertex_indices", TOI_PLY_CORNERS},
               {TOI_PLY_FACE, true, "vertex_index", TOI_PLY_CORNERS},
               {TOI_PLY_EDGE, false, "vertex1", TOI_PLY_VERTEX1},
               {TOI_PLY_EDGE, false, "vertex2", TOI_PLY_VERTEX2}};
  for (size_t i = 0; i < sizeof roles / sizeof roles[0]; i++)
    if (roles[i].kind == kind && roles[i].list == list && is(word, roles[i].name))
      return roles[i].role;
  return TOI_PLY_SKIPPED;
}

static bool is_float(toi_ply_type type) {
  return type == TOI_PLY_FLOAT32 || type == TOI_PLY_FLOAT64;
}

/* The types of a property, up to its name. */
static toi_status read_types(toi_ply *ply, toi_ply_property *property, toi_word *name) {
  toi_word word = {0};
  toi_status status = toi_feed_word(&ply->feed, &word);
  if (status != TOI_OK)
    return status;
  if (is(word, "list")) {
    status = toi_feed_word(&ply->feed, &word);
    if (status != TOI_OK)
      return status;
    const toi_ply_type count_type = type_of(word);
    if (count_type == TOI_PLY_NO_TYPE || is_float(count_type))
      return fail_word(ply, word, "does not count a list; write an integer type such as uchar");
    property->count_type = (uint8_t)count_type;
    status = toi_feed_word(&ply->feed, &word);
    if (status != TOI_OK)
      return status;
  }
  property->type = (uint8_t)type_of(word);
  if (property->type == TOI_PLY_NO_TYPE)
    return fail_word(ply, word, "is not a type; use char, uchar, short, ushort, int, uint, float or double");
  status = toi_feed_word(&ply->feed, name);
  return status == TOI_OK && name->length == 0 ? fail_line(ply, "a property without a name; give it one") : status;
}

static toi_status read_property(toi_ply *ply) {
  if (ply->element_count == 0)
    return fail_line(ply, "a property before the first element; put it after one");
  if (ply->property_count == TOI_PLY_PROPERTIES)
    return fail_line(ply, "more properties than any mesh has; this is not a mesh");
  toi_ply_element *element = &ply->elements[ply->element_count - 1];
  toi_ply_property *property = &ply->properties[ply->property_count];
  *property = (toi_ply_property){0};
  toi_word name = {0};
  const toi_status status = read_types(ply, property, &name);
  if (status != TOI_OK)
    return status;

  const bool list = property->count_type != TOI_PLY_NO_TYPE;
  const toi_ply_type type = (toi_ply_type)property->type;
  const toi_ply_role role = role_of(element->kind, list, name);
  if (role != TOI_PLY_SKIPPED && (element->roles >> role & 1) != 0)
    return fail_word(ply, name, "is a duplicate property of this element; keep one");
  if (role >= TOI_PLY_CORNERS && is_float(type))
    return fail_word(ply, name, "holds vertex numbers; give it an integer type such as int");
  property->role = (uint8_t)role;
  element->roles |= 1u << role;
  element->lists += list;
  element->row_bytes += toi_ply_bytes(list ? (toi_ply_type)property->count_type : type);
  element->property_count++;
  ply->property_count++;
  return TOI_OK;
}

static toi_status read_line(toi_ply *ply, toi_word word, bool *ended) {
  if (is(word, "comment") || is(word, "obj_info"))
    return TOI_OK;
  toi_status status = TOI_OK;
  if (is(word, "format"))
    status = read_format(ply);
  else if (is(word, "element"))
    status = read_element(ply);
  else if (is(word, "property"))
    status = read_property(ply);
  else if (is(word, "end_header"))
    *ended = true;
  else
    return fail_word(ply, word, "does not belong in a PLY header; remove the line");
  if (status == TOI_OK)
    status = toi_feed_word(&ply->feed, &word);
  if (status == TOI_OK && word.length > 0)
    return fail_word(ply, word, "is left over at the end of the line; remove it");
  return status;
}

/* --- what they add up to --- */

static toi_status check_element(toi_ply *ply, toi_ply_element *element) {
  static const struct {
    unsigned roles;
    const char *needs;
  } needs[] = {[TOI_PLY_VERTEX] = {1u << TOI_PLY_X | 1u << TOI_PLY_Y | 1u << TOI_PLY_Z, "properties x, y and z"},
               [TOI_PLY_FACE] = {1u << TOI_PLY_CORNERS, "a list vertex_indices"},
               [TOI_PLY_EDGE] = {1u << TOI_PLY_VERTEX1 | 1u << TOI_PLY_VERTEX2, "properties vertex1 and vertex2"}};
  if (element->kind == TOI_PLY_OTHER)
    return TOI_OK;
  for (const toi_ply_element *other = ply->elements; other < element; other++)
    if (other->kind == element->kind)
      return toi_fail(ply->context, TOI_ERROR_FORMAT, "%s:%zu: a second element %s; keep one", ply->path, element->line,
                      element->name);
  if (element->count > TOI_FRAME_MOST)
    return toi_fail(ply->context, TOI_ERROR_FORMAT,
                    "%s:%zu: %llu rows of element %s; numbers of 32 bits name at most %zu", ply->path, element->line,
                    (unsigned long long)element->count, element->name, TOI_FRAME_MOST);
  const unsigned wanted = needs[element->kind].roles;
  if (element->count > 0 && (element->roles & wanted) != wanted)
    return toi_fail(ply->context, TOI_ERROR_FORMAT, "%s:%zu: element %s lacks %s; add what is missing", ply->path,
                    element->line, element->name, needs[element->kind].needs);
  return TOI_OK;
}

/* Floats, if all three coordinates fit them. */
static toi_scalar scalar_of(const toi_ply_element *element) {
  toi_scalar scalar = TOI_FLOAT32;
  for (size_t i = 0; i < element->property_count; i++) {
    const toi_ply_property *property = &element->properties[i];
    const bool coordinate = property->role >= TOI_PLY_X && property->role <= TOI_PLY_Z;
    const bool wide =
        property->type == TOI_PLY_FLOAT64 || property->type == TOI_PLY_INT32 || property->type == TOI_PLY_UINT32;
    if (coordinate && wide)
      scalar = TOI_FLOAT64;
  }
  return scalar;
}

static toi_status check_header(toi_ply *ply) {
  if (ply->format == TOI_PLY_NONE)
    return fail_line(ply, "the header ends without a format; add `format ascii 1.0` or a binary one");
  for (size_t i = 0; i < ply->element_count; i++) {
    const toi_status status = check_element(ply, &ply->elements[i]);
    if (status != TOI_OK)
      return status;
    if (ply->elements[i].kind == TOI_PLY_VERTEX) {
      ply->vertex_count = ply->elements[i].count;
      ply->maker.frame.scalar = scalar_of(&ply->elements[i]);
    }
  }
  if (ply->vertex_count == 0)
    return toi_fail(ply->context, TOI_ERROR_FORMAT, "%s: a mesh without vertices; give it some", ply->path);
  return TOI_OK;
}

toi_status toi_ply_read_header(toi_ply *ply) {
  toi_feed *feed = &ply->feed;
  toi_word word = {0};
  toi_status status = toi_feed_word(feed, &word);
  if (status == TOI_OK && !is(word, "ply"))
    return toi_fail(ply->context, TOI_ERROR_FORMAT, "%s: not a PLY file: its first line is not `ply`; check its name",
                    ply->path);
  bool ended = false, found = true;
  while (status == TOI_OK && !ended) {
    status = toi_feed_end_line(feed);
    // Behind end_header any byte may be data: only the lines before it are skipped when they are blank.
    if (status == TOI_OK)
      status = toi_feed_skip_blank(feed, &found);
    if (status == TOI_OK && !found)
      return toi_fail(ply->context, TOI_ERROR_FORMAT, "%s: the header ends early: no `end_header`; restore the file",
                      ply->path);
    if (status == TOI_OK)
      status = toi_feed_word(feed, &word);
    if (status == TOI_OK)
      status = read_line(ply, word, &ended);
  }
  if (status == TOI_OK)
    status = check_header(ply);
  return status == TOI_OK ? toi_feed_end_line(feed) : status;
}
