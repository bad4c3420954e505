/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* JSON files, value by value.
 *
 * Promise: memory is the feed's buffer and the toi_json, however long the file is; time is linear in it. Nothing is
 * skipped: every byte of the file is read as JSON or refused. */

#include "io/json.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/internal.h"
#include "io/array.h"
#include "io/character.h"
#include "io/decimal.h"
#include "io/tree.h"

#define SENTENCE_BYTES 1024
#define PATH_BYTES 512

/* --- failures --- */

void toi_text_append(char *to, size_t room, const char *format, ...) {
  const size_t used = strlen(to);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(to + used, room - used, format, arguments);
  va_end(arguments);
}

void toi_text_append_choices(char *to, size_t room, const char *const *names, size_t count) {
  for (size_t i = 0; i < count; i++)
    toi_text_append(to, room, "%s\"%s\"", i == 0 ? "" : i + 1 < count ? ", " : " or ", names[i]);
}

/* Such as a.points[7][2], and a field of that. */
static void write_path(const toi_json *json, const char *field, char path[PATH_BYTES]) {
  path[0] = '\0';
  for (size_t i = 0; i < json->depth; i++) {
    const toi_json_level *level = &json->levels[i];
    if (level->list)
      toi_text_append(path, PATH_BYTES, "[%zu]", level->index);
    else if (level->field != NULL) {
      char shown[TOI_SHOWN_BYTES];
      toi_word_show((toi_word){level->field, strlen(level->field)}, shown);
      toi_text_append(path, PATH_BYTES, "%s%s", path[0] == '\0' ? "" : ".", shown);
    }
  }
  if (field != NULL)
    toi_text_append(path, PATH_BYTES, "%s%s", path[0] == '\0' ? "" : ".", field);
}

size_t toi_json_column(const toi_json *json) {
  return json->node != NULL ? json->node->column : (size_t)(toi_feed_place(&json->feed) - json->feed.line_place) + 1;
}

/* The column of a field of the object of a tree that was read last; of anything else, where the reader is. */
static size_t column_of(const toi_json *json, const char *field) {
  if (json->node != NULL && field != NULL && json->node->kind == TOI_JSON_OBJECT)
    for (const toi_json_node *child = json->node->first; child != NULL; child = child->next)
      if (strcmp(child->name, field) == 0)
        return child->column;
  return toi_json_column(json);
}

static toi_status fail_at(const toi_json *json, const char *field, size_t line, const char *sentence) {
  char path[PATH_BYTES], column[32] = "";
  write_path(json, field, path);
  if (json->columns)
    snprintf(column, sizeof column, ":%zu", column_of(json, field));
  return toi_fail(json->context, TOI_ERROR_FORMAT, "%s:%zu%s: %s%s%s", json->feed.source.path, line, column, path,
                  path[0] == '\0' ? "" : ": ", sentence);
}

toi_status toi_json_fail(const toi_json *json, const char *format, ...) {
  char sentence[SENTENCE_BYTES];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(sentence, sizeof sentence, format, arguments);
  va_end(arguments);
  return fail_at(json, NULL, json->feed.line, sentence);
}

toi_status toi_json_fail_field(const toi_json *json, const char *field, size_t line, const char *format, ...) {
  char sentence[SENTENCE_BYTES];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(sentence, sizeof sentence, format, arguments);
  va_end(arguments);
  return fail_at(json, field, line, sentence);
}

/* --- bytes --- */

static inline const char *here(const toi_json *json) {
  return json->feed.bytes + json->feed.begin;
}

static inline bool at_end(const toi_json *json) {
  return json->feed.begin == json->feed.end && json->feed.ended;
}

static inline bool is_digit(char c) {
  return (unsigned char)(c - '0') < 10;
}

/* What separates words: a blank, a bracket, a comma, a colon, a quote. */
static bool is_mark(char c) {
  return c == '\0' || strchr(" \t\r\n,:[]{}\"", c) != NULL;
}

/* To the next byte that is no blank; in JSON Lines, that is not in the next line either. */
static inline toi_status skip_blank(toi_json *json) {
  toi_feed *feed = &json->feed;
  for (;;) {
    const char c = feed->bytes[feed->begin];
    if (c > ' ')
      return TOI_OK;
    if (feed->begin == feed->end) {
      const toi_status status = toi_feed_want(feed, 1);
      if (status != TOI_OK || feed->begin == feed->end)
        return status;
      continue;
    }
    if (c == '\n' && json->lines)
      return TOI_OK;
    if (c != ' ' && c != '\t' && c != '\r' && c != '\n')
      return TOI_OK;
    feed->begin++;
    if (c == '\n') {
      feed->line++;
      feed->line_place = toi_feed_place(feed);
    }
  }
}

/* The same, and the whole word that begins there is in the buffer. */
static inline toi_status skip_to_word(toi_json *json) {
  const toi_status status = skip_blank(json);
  return status == TOI_OK ? toi_feed_want(&json->feed, TOI_WORD_BYTES + 1) : status;
}

toi_status toi_json_misplaced(toi_json *json, const char *what) {
  if (json->node != NULL)
    return toi_json_fail(json, "%s where %s belongs", toi_json_kind_name(json->node->kind), what);
  const toi_status status = skip_to_word(json);
  if (status != TOI_OK)
    return status;
  const char *text = here(json);
  if (at_end(json))
    return toi_json_fail(json, "the file ends where %s belongs; restore it", what);
  if (*text == '\n')
    return toi_json_fail(json, "the line ends where %s belongs; write it whole, in one line", what);
  if (*text == '{' || *text == '[' || *text == '"')
    return toi_json_fail(json, "%s where %s belongs",
                         *text == '{'   ? "an object"
                         : *text == '[' ? "a list"
                                        : "a string",
                         what);
  size_t length = 1;
  while (length < TOI_WORD_BYTES && json->feed.begin + length < json->feed.end && !is_mark(*text) &&
         !is_mark(text[length]))
    length++;
  char shown[TOI_SHOWN_BYTES];
  toi_word_show((toi_word){text, length}, shown);
  return toi_json_fail(json, "\"%s\" where %s belongs", shown, what);
}

/* --- strings --- */

/* One character inside a string, as UTF-8. */
static toi_status next_character(toi_json *json, char to[4], size_t *length) {
  const toi_status status = toi_feed_want(&json->feed, TOI_CHARACTER_BYTES);
  if (status != TOI_OK)
    return status;
  const char *text = here(json);
  if (at_end(json))
    return toi_json_fail(json, "the file ends inside a string; restore it");
  if (*text == '\n')
    return toi_json_fail(json, "the line ends inside a string; end it with a quote, or write \\n");
  if ((unsigned char)*text < ' ')
    return toi_json_fail(json, "byte %d inside a string; write it as \\u%04x", *text, (unsigned)*text);
  const size_t size = toi_character_read(text, to, length);
  if (size == 0)
    return *text == '\\' ? toi_json_fail(json, "a backslash with no character after it; write \\\\ for a backslash")
                         : toi_json_fail(json, "a string that is not UTF-8; save the file as UTF-8");
  json->feed.begin += size;
  return TOI_OK;
}

/* Room for some more bytes and a zero. json->text does not grow. */
static toi_status reserve(toi_json *json, toi_json_text *to, size_t more) {
  if (more < to->room - to->length)
    return TOI_OK;
  if (to->bytes == json->text)
    return toi_json_fail(json, "a string of more than %d bytes; shorten it", TOI_JSON_TEXT);
  void *bytes = to->bytes;
  const toi_status status = toi_array_reserve(json->context, &bytes, &to->room, 1, toi_array_larger(to->room));
  to->bytes = bytes;
  return status;
}

/* The same of a tree. */
static toi_status copy_string(toi_json *json, const char *text, toi_json_text *to) {
  const size_t length = strlen(text);
  toi_status status = TOI_OK;
  while (status == TOI_OK && to != NULL && length >= to->room - to->length)
    status = reserve(json, to, length);
  if (status != TOI_OK || to == NULL)
    return status;
  memcpy(to->bytes + to->length, text, length + 1);
  to->length += length;
  return TOI_OK;
}

/* A string; to NULL: nowhere. */
static toi_status read_string(toi_json *json, const char *what, toi_json_text *to) {
  if (json->node != NULL)
    return json->node->kind == TOI_JSON_STRING ? copy_string(json, json->node->text, to)
                                               : toi_json_misplaced(json, what);
  toi_status status = skip_blank(json);
  if (status == TOI_OK && *here(json) != '"')
    return toi_json_misplaced(json, what);
  json->feed.begin += status == TOI_OK;
  if (status == TOI_OK && to != NULL)
    status = reserve(json, to, 0);
  while (status == TOI_OK) {
    status = toi_feed_want(&json->feed, 1);
    if (status == TOI_OK && *here(json) == '"')
      break;
    char bytes[4];
    size_t length = 0;
    if (status == TOI_OK)
      status = next_character(json, bytes, &length);
    if (status == TOI_OK && to != NULL)
      status = reserve(json, to, length);
    if (status != TOI_OK || to == NULL)
      continue;
    memcpy(to->bytes + to->length, bytes, length);
    to->length += length;
  }
  if (status != TOI_OK)
    return status;
  json->feed.begin++;
  if (to != NULL)
    to->bytes[to->length] = '\0';
  return TOI_OK;
}

/* Into json->text. */
static toi_status read_short(toi_json *json, const char *what) {
  toi_json_text text = {json->text, 0, sizeof json->text};
  return read_string(json, what, &text);
}

toi_status toi_json_string(toi_json *json) {
  return read_short(json, "a string");
}

toi_status toi_json_long_string(toi_json *json, toi_json_text *text) {
  text->length = 0;
  return read_string(json, "a string", text);
}

toi_status toi_json_remark(toi_json *json, void *user) {
  (void)user;
  return read_string(json, "a string", NULL);
}

toi_status toi_json_choice(toi_json *json, const char *const *names, size_t count, size_t *number) {
  const toi_status status = read_short(json, "a string");
  if (status != TOI_OK)
    return status;
  for (*number = 0; *number < count; ++*number)
    if (strcmp(json->text, names[*number]) == 0)
      return TOI_OK;
  char all[SENTENCE_BYTES / 2] = "", shown[TOI_SHOWN_BYTES];
  toi_text_append_choices(all, sizeof all, names, count);
  toi_word_show((toi_word){json->text, strlen(json->text)}, shown);
  return toi_json_fail(json, "must be %s, not \"%s\"", all, shown);
}

/* --- numbers and words --- */

/* As toi_decimal_read(), without the forms that JSON has not: a leading plus or zero, a bare point. */
static const char *scan_number(const char *text, double *value) {
  const char *digits = text + (*text == '-'), *point = digits;
  while (is_digit(*point))
    point++;
  if (point == digits || (*digits == '0' && point > digits + 1) || (*point == '.' && !is_digit(point[1])))
    return NULL;
  return toi_decimal_read(text, TOI_FLOAT64, value);
}

toi_status toi_json_number(toi_json *json, double *value) {
  if (json->node != NULL) {
    *value = json->node->number;
    return json->node->kind == TOI_JSON_NUMBER ? TOI_OK : toi_json_misplaced(json, "a number");
  }
  const toi_status status = skip_to_word(json);
  if (status != TOI_OK)
    return status;
  const char *text = here(json), *end = scan_number(text, value);
  if (end == NULL || end - text > TOI_WORD_BYTES || (*end != ',' && *end != ']' && !is_mark(*end)))
    return toi_json_misplaced(json, "a number");
  if (!isfinite(*value)) {
    char shown[TOI_SHOWN_BYTES];
    toi_word_show((toi_word){text, (size_t)(end - text)}, shown);
    return toi_json_fail(json, "%s is beyond the largest double; numbers must be finite", shown);
  }
  json->feed.begin += (size_t)(end - text);
  return TOI_OK;
}

toi_status toi_json_number_above(toi_json *json, double above, double *value) {
  const toi_status status = toi_json_number(json, value);
  if (status == TOI_OK && !(*value > above))
    return toi_json_fail(json, "must be greater than %.17g, not %.17g", above, *value);
  return status;
}

toi_status toi_json_number_from(toi_json *json, double least, double *value) {
  const toi_status status = toi_json_number(json, value);
  if (status == TOI_OK && !(*value >= least))
    return toi_json_fail(json, "must be %.17g or greater, not %.17g", least, *value);
  return status;
}

toi_status toi_json_numbers(toi_json *json, double *values, size_t count) {
  toi_json_kind kind;
  toi_status status = toi_json_peek(json, &kind);
  if (status == TOI_OK && kind != TOI_JSON_LIST) {
    char what[48];
    snprintf(what, sizeof what, "a list of %zu numbers", count);
    return toi_json_misplaced(json, what);
  }
  if (status == TOI_OK)
    status = toi_json_list(json, "a list");
  size_t got = 0;
  while (toi_json_more(json, &status)) {
    if (got == count)
      return toi_json_fail(json, "more values than the %zu that belong here; remove the rest", count);
    status = toi_json_number(json, &values[got++]);
  }
  if (status == TOI_OK && got < count)
    return toi_json_fail(json, "%zu numbers where %zu belong; add what is missing", got, count);
  return status;
}

toi_status toi_json_integer(toi_json *json, uint32_t least, uint32_t most, uint32_t *value) {
  double number = 0;
  const toi_status status = toi_json_number(json, &number);
  if (status != TOI_OK)
    return status;
  if (!(number >= least && number <= most) || number != floor(number))
    return toi_json_fail(json, "must be a whole number from %u to %u, not %.17g", (unsigned)least, (unsigned)most,
                         number);
  *value = (uint32_t)number;
  return TOI_OK;
}

/* Whether this word comes next, and reads it; the buffer holds it whole. */
static bool accept_word(toi_json *json, const char *word) {
  const size_t length = strlen(word);
  if (toi_feed_unread(&json->feed) < length || memcmp(here(json), word, length) != 0 || !is_mark(here(json)[length]))
    return false;
  json->feed.begin += length;
  return true;
}

toi_status toi_json_bool(toi_json *json, bool *value) {
  if (json->node != NULL) {
    *value = json->node->truth;
    return json->node->kind == TOI_JSON_BOOL ? TOI_OK : toi_json_misplaced(json, "true or false");
  }
  const toi_status status = skip_to_word(json);
  if (status != TOI_OK)
    return status;
  *value = accept_word(json, "true");
  return *value || accept_word(json, "false") ? TOI_OK : toi_json_misplaced(json, "true or false");
}

toi_status toi_json_null(toi_json *json, bool *null) {
  if (json->node != NULL) {
    *null = json->node->kind == TOI_JSON_NULL;
    return TOI_OK;
  }
  const toi_status status = skip_to_word(json);
  *null = status == TOI_OK && accept_word(json, "null");
  return status;
}

toi_status toi_json_peek(toi_json *json, toi_json_kind *kind) {
  if (json->node != NULL) {
    *kind = json->node->kind;
    return TOI_OK;
  }
  const toi_status status = skip_blank(json);
  const char c = *here(json);
  *kind = c == '{'               ? TOI_JSON_OBJECT
          : c == '['             ? TOI_JSON_LIST
          : c == '"'             ? TOI_JSON_STRING
          : c == 't' || c == 'f' ? TOI_JSON_BOOL
          : c == 'n'             ? TOI_JSON_NULL
                                 : TOI_JSON_NUMBER;
  return status;
}

/* --- lists and objects --- */

static toi_status begin(toi_json *json, bool list, const char *what) {
  toi_json_kind kind;
  const toi_status status = toi_json_peek(json, &kind);
  if (status != TOI_OK)
    return status;
  if (kind != (list ? TOI_JSON_LIST : TOI_JSON_OBJECT))
    return toi_json_misplaced(json, what);
  if (json->depth == TOI_JSON_DEPTH)
    return toi_json_fail(json, "lists and objects are more than %d deep here; none needs to be", TOI_JSON_DEPTH);
  toi_json_level *level = &json->levels[json->depth++];
  *level = (toi_json_level){.list = list, .fresh = true, .node = json->node};
  if (json->node != NULL)
    level->next = json->node->first;
  else
    json->feed.begin++;
  return TOI_OK;
}

/* The same as toi_json_more() of a tree. After the last value the list or object is the one that was read last. */
static bool more_of_tree(toi_json *json, toi_json_level *level) {
  const toi_json_node *next = level->next;
  json->node = next != NULL ? next : level->node;
  json->feed.line = json->node->line;
  if (next == NULL) {
    json->depth--;
    return false;
  }
  level->next = next->next;
  level->index = next->index;
  return true;
}

toi_status toi_json_list(toi_json *json, const char *what) {
  return begin(json, true, what);
}

bool toi_json_more(toi_json *json, toi_status *status) {
  if (*status == TOI_OK && json->node == NULL)
    *status = skip_blank(json);
  if (*status != TOI_OK)
    return false;
  assert(json->depth > 0);
  toi_json_level *level = &json->levels[json->depth - 1];
  level->field = NULL;
  if (json->node != NULL)
    return more_of_tree(json, level);
  const char c = *here(json);
  if (c == (level->list ? ']' : '}')) {
    json->feed.begin++;
    json->depth--;
    return false;
  }
  if (level->fresh) {
    level->fresh = false;
    return true;
  }
  if (c != ',') {
    *status = toi_json_misplaced(json, level->list ? "a comma or ]" : "a comma or }");
    return false;
  }
  json->feed.begin++;
  level->index++;
  *status = skip_blank(json);
  return *status == TOI_OK;
}

static toi_status fail_unknown(const toi_json *json, const toi_json_form *form) {
  char all[SENTENCE_BYTES / 2] = "", shown[TOI_SHOWN_BYTES];
  for (size_t i = 0; i < form->count; i++)
    if (form->fields[i].refusal == NULL)
      toi_text_append(all, sizeof all, "%s%s", i == 0 ? "" : ", ", form->fields[i].name);
  toi_word_show((toi_word){json->text, strlen(json->text)}, shown);
  return toi_json_fail(json, "unknown field '%s' for %s; its fields are %s", shown, form->what, all);
}

static toi_status read_colon(toi_json *json) {
  if (json->node != NULL)
    return TOI_OK;
  const toi_status status = skip_blank(json);
  if (status == TOI_OK && *here(json) != ':')
    return toi_json_misplaced(json, "a colon");
  json->feed.begin += status == TOI_OK;
  return status == TOI_OK ? skip_blank(json) : status;
}

/* The name of a field, and the colon behind it; *number: which one it is. */
static toi_status read_name(toi_json *json, const toi_json_form *form, const size_t *lines, size_t *number) {
  toi_json_text name = {json->text, 0, sizeof json->text};
  const toi_status status = json->node != NULL ? copy_string(json, json->node->name, &name)
                                               : read_string(json, "the name of a field, in quotes,", &name);
  if (status != TOI_OK)
    return status;
  for (*number = 0; *number < form->count && strcmp(json->text, form->fields[*number].name) != 0;)
    ++*number;
  if (*number == form->count)
    return fail_unknown(json, form);
  const toi_json_field *field = &form->fields[*number];
  toi_json_called(json, field->name);
  if (field->refusal != NULL)
    return toi_json_fail(json, "%s", field->refusal);
  if (lines[*number] != 0)
    return toi_json_fail(json, "a duplicate of the field in line %zu; remove one of them", lines[*number]);
  return read_colon(json);
}

toi_status toi_json_names(toi_json *json, const char *what) {
  return begin(json, false, what);
}

toi_status toi_json_name(toi_json *json, toi_json_text *name) {
  name->length = 0;
  const toi_status status = read_string(json, "the name of a field, in quotes,", name);
  return status == TOI_OK ? read_colon(json) : status;
}

toi_status toi_json_object(toi_json *json, const toi_json_form *form, void *user, size_t *lines) {
  assert(form->count <= TOI_JSON_FIELDS);
  size_t own_lines[TOI_JSON_FIELDS] = {0}, number;
  toi_status status = begin(json, false, form->what);
  const size_t first_line = json->feed.line;
  while (toi_json_more(json, &status)) {
    status = read_name(json, form, own_lines, &number);
    if (status != TOI_OK)
      break;
    own_lines[number] = json->feed.line;
    status = form->fields[number].read(json, user);
  }
  for (size_t i = 0; i < form->count && status == TOI_OK; i++)
    if (form->fields[i].needed && own_lines[i] == 0)
      status = toi_json_fail_field(json, NULL, first_line, "%s needs the field \"%s\"; add it", form->what,
                                   form->fields[i].name);
  if (lines != NULL)
    memcpy(lines, own_lines, form->count * sizeof *lines);
  return status;
}

/* --- files --- */

toi_status toi_json_open(toi_json *json, toi_context *context, const char *path, bool lines) {
  json->context = context;
  json->lines = lines;
  json->columns = false;
  json->node = NULL;
  json->taken = json->depth = 0;
  json->text[0] = '\0';
  toi_status status = toi_feed_open(&json->feed, context, path);
  if (status != TOI_OK)
    return status;
  status = toi_feed_want(&json->feed, 3);
  if (status != TOI_OK)
    toi_feed_close(&json->feed);
  else if (toi_feed_unread(&json->feed) >= 3 && memcmp(here(json), "\xef\xbb\xbf", 3) == 0)
    json->feed.begin += 3;
  return status;
}

void toi_json_from_tree(toi_json *json, const toi_tree *tree, const toi_json_node *node) {
  *json = (toi_json){.context = tree->context, .columns = true, .node = node};
  json->feed.source.path = tree->path;
  json->feed.line = node->line;
  for (const toi_json_node *at = node; at->parent != NULL; at = at->parent)
    json->depth++;
  size_t depth = json->depth;
  for (const toi_json_node *at = node; at->parent != NULL; at = at->parent)
    json->levels[--depth] = (toi_json_level){.field = at->name, .index = at->index, .list = at->name == NULL};
}

void toi_json_close(toi_json *json) {
  toi_feed_close(&json->feed);
}

toi_status toi_json_end(toi_json *json) {
  assert(json->depth == 0);
  const toi_status status = skip_blank(json);
  return status == TOI_OK && !at_end(json) ? toi_json_misplaced(json, "the end of the file") : status;
}

toi_status toi_json_next_line(toi_json *json, bool *found) {
  assert(json->lines && json->depth == 0);
  toi_status status;
  for (;;) {
    status = skip_blank(json);
    *found = status == TOI_OK && !at_end(json);
    if (!*found || *here(json) != '\n')
      break;
    json->feed.begin++;
    json->feed.line++;
  }
  if (*found && json->feed.line == json->taken)
    return toi_json_misplaced(json, "the end of the line");
  json->taken = json->feed.line;
  return status;
}
