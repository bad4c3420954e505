/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* A JSON file as a tree.
 *
 * Promise: memory is a small multiple of what has arrived, and all of it goes with the tree; no path through the file
 * is deeper than TOI_JSON_DEPTH. */

#include "io/tree.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/internal.h"

#define SENTENCE_BYTES 1024
#define PATH_BYTES 512
#define CHUNK_BYTES ((size_t)16 << 10)

/* --- memory: chunks that do not move --- */

typedef struct toi_tree_chunk {
  struct toi_tree_chunk *next;
  size_t bytes, used; /* of all of it, this head among them */
} chunk;

static void *take(toi_tree *tree, size_t size) {
  const size_t unit = sizeof(max_align_t), head = (sizeof(chunk) + unit - 1) / unit * unit;
  if (size > SIZE_MAX / 4) {
    toi_fail(tree->context, TOI_ERROR_MEMORY, "%s does not fit in memory", tree->path);
    return NULL;
  }
  size = (size + unit - 1) / unit * unit;
  if (tree->chunks == NULL || size > tree->chunks->bytes - tree->chunks->used) {
    const size_t bytes = head + size > CHUNK_BYTES ? head + size : CHUNK_BYTES;
    chunk *fresh = toi_allocate(tree->context, bytes);
    if (fresh == NULL)
      return NULL;
    *fresh = (chunk){tree->chunks, bytes, head};
    tree->chunks = fresh;
  }
  void *memory = (char *)tree->chunks + tree->chunks->used;
  tree->chunks->used += size;
  return memory;
}

void toi_tree_free(toi_tree *tree) {
  while (tree->chunks != NULL) {
    chunk *next = tree->chunks->next;
    toi_free(tree->context, tree->chunks, tree->chunks->bytes);
    tree->chunks = next;
  }
  tree->root = NULL;
}

/* --- failures --- */

static void show(const char *text, char shown[TOI_SHOWN_BYTES]) {
  toi_word_show((toi_word){text, strlen(text)}, shown);
}

/* Such as bodies[1].shape. */
static void write_path(const toi_json_node *node, char path[PATH_BYTES]) {
  const toi_json_node *way[TOI_JSON_DEPTH + 1];
  size_t length = 0;
  for (; node->parent != NULL; node = node->parent)
    way[length++] = node;
  path[0] = '\0';
  while (length-- > 0) {
    char shown[TOI_SHOWN_BYTES];
    if (way[length]->name == NULL) {
      toi_text_append(path, PATH_BYTES, "[%zu]", way[length]->index);
      continue;
    }
    show(way[length]->name, shown);
    toi_text_append(path, PATH_BYTES, "%s%s", path[0] == '\0' ? "" : ".", shown);
  }
}

toi_status toi_tree_fail(const toi_tree *tree, const toi_json_node *node, const char *format, ...) {
  char sentence[SENTENCE_BYTES], path[PATH_BYTES];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(sentence, sizeof sentence, format, arguments);
  va_end(arguments);
  write_path(node, path);
  return toi_fail(tree->context, TOI_ERROR_FORMAT, "%s:%zu:%zu: %s%s%s", tree->path, node->line, node->column, path,
                  path[0] == '\0' ? "" : ": ", sentence);
}

toi_status toi_tree_fail_made(const toi_tree *tree, const toi_json_node *node, toi_status status) {
  if (status == TOI_OK || status == TOI_ERROR_MEMORY || status == TOI_ERROR_FORMAT)
    return status;
  return toi_tree_fail(tree, node, "%s", toi_context_error(tree->context));
}

const char *toi_json_kind_name(toi_json_kind kind) {
  static const char *const kinds[] = {
      [TOI_JSON_OBJECT] = "an object", [TOI_JSON_LIST] = "a list",        [TOI_JSON_STRING] = "a string",
      [TOI_JSON_NUMBER] = "a number",  [TOI_JSON_BOOL] = "true or false", [TOI_JSON_NULL] = "null"};
  return kinds[kind];
}

toi_status toi_tree_misplaced(const toi_tree *tree, const toi_json_node *node, const char *what) {
  return toi_tree_fail(tree, node, "%s where %s belongs", toi_json_kind_name(node->kind), what);
}

/* --- reading --- */

/* A tree that grows. */
typedef struct grower {
  toi_json json;
  toi_tree *tree;
  toi_json_text text; /* the last string */
} grower;

/* A copy of the last string. */
static toi_status keep_text(grower *g, const char **text) {
  // The reader lets no zero byte through.
  assert(strlen(g->text.bytes) == g->text.length);
  char *copy = take(g->tree, g->text.length + 1);
  if (copy == NULL)
    return TOI_ERROR_MEMORY;
  memcpy(copy, g->text.bytes, g->text.length + 1);
  *text = copy;
  return TOI_OK;
}

static toi_status read_scalar(grower *g, toi_json_node *node) {
  toi_json *json = &g->json;
  toi_status status;
  bool null;
  switch (node->kind) {
  case TOI_JSON_STRING:
    status = toi_json_long_string(json, &g->text);
    return status == TOI_OK ? keep_text(g, &node->text) : status;
  case TOI_JSON_BOOL:
    return toi_json_bool(json, &node->truth);
  case TOI_JSON_NULL:
    status = toi_json_null(json, &null);
    return status == TOI_OK && !null ? toi_json_misplaced(json, "a value") : status;
  default: {
    const char c = json->feed.bytes[json->feed.begin];
    return c == '-' || (c >= '0' && c <= '9') ? toi_json_number(json, &node->number)
                                              : toi_json_misplaced(json, "a value");
  }
  }
}

/* The name of the value that comes next in an object, which has none of this name yet. */
static toi_status read_name(grower *g, const toi_json_node *object, const char **name) {
  toi_status status = toi_json_name(&g->json, &g->text);
  if (status == TOI_OK)
    status = keep_text(g, name);
  if (status != TOI_OK)
    return status;
  toi_json_called(&g->json, *name);
  for (const toi_json_node *other = object->first; other != NULL; other = other->next)
    if (strcmp(other->name, *name) == 0)
      return toi_json_fail(&g->json, "a duplicate of the field in line %zu; remove one of them", other->line);
  if (object->count == TOI_TREE_FIELDS)
    return toi_json_fail(&g->json, "more fields than the %d that an object may have", TOI_TREE_FIELDS);
  return TOI_OK;
}

/* Reads the value that comes next. Goes no deeper than the reader lets it. */
static toi_status read_value(grower *g, const toi_json_node *parent, toi_json_node **made) {
  toi_json_node *node = take(g->tree, sizeof *node);
  if (node == NULL)
    return TOI_ERROR_MEMORY;
  *node = (toi_json_node){.parent = parent, .index = parent == NULL ? 0 : parent->count};
  toi_status status = toi_json_peek(&g->json, &node->kind);
  node->line = toi_json_line(&g->json);
  node->column = toi_json_column(&g->json);
  *made = node;
  if (status != TOI_OK)
    return status;
  const bool list = node->kind == TOI_JSON_LIST;
  if (!list && node->kind != TOI_JSON_OBJECT)
    return read_scalar(g, node);
  status = list ? toi_json_list(&g->json, "a list") : toi_json_names(&g->json, "an object");
  for (toi_json_node **end = &node->first; toi_json_more(&g->json, &status); node->count++) {
    const char *name = NULL;
    toi_json_node *child = NULL;
    if (!list)
      status = read_name(g, node, &name);
    if (status == TOI_OK)
      status = read_value(g, node, &child);
    if (status != TOI_OK)
      break;
    child->name = name;
    *end = child;
    end = &child->next;
  }
  return status;
}

toi_status toi_tree_read(toi_tree *tree, toi_context *context, const char *path) {
  *tree = (toi_tree){.context = context, .path = path};
  grower *g = toi_allocate(context, sizeof *g);
  if (g == NULL)
    return TOI_ERROR_MEMORY;
  g->tree = tree;
  g->text = (toi_json_text){0};
  toi_status status = toi_json_open(&g->json, context, path, false);
  g->json.columns = true;
  if (status == TOI_OK) {
    toi_json_node *root = NULL;
    status = read_value(g, NULL, &root);
    if (status == TOI_OK)
      status = toi_json_end(&g->json);
    tree->root = root;
    toi_json_close(&g->json);
  }
  toi_free(context, g->text.bytes, g->text.room);
  toi_free(context, g, sizeof *g);
  if (status != TOI_OK)
    toi_tree_free(tree);
  return status;
}

/* --- values --- */

toi_status toi_tree_bool(const toi_tree *tree, const toi_json_node *node, bool *value) {
  *value = node->truth;
  return node->kind == TOI_JSON_BOOL ? TOI_OK : toi_tree_misplaced(tree, node, "true or false");
}

toi_status toi_tree_string(const toi_tree *tree, const toi_json_node *node, const char **text) {
  *text = node->text;
  return node->kind == TOI_JSON_STRING ? TOI_OK : toi_tree_misplaced(tree, node, "a string");
}

toi_status toi_tree_choice(const toi_tree *tree, const toi_json_node *node, const char *const *names, size_t count,
                           size_t *number) {
  const char *text;
  const toi_status status = toi_tree_string(tree, node, &text);
  if (status != TOI_OK)
    return status;
  for (*number = 0; *number < count; ++*number)
    if (strcmp(text, names[*number]) == 0)
      return TOI_OK;
  char all[SENTENCE_BYTES / 2] = "", shown[TOI_SHOWN_BYTES];
  toi_text_append_choices(all, sizeof all, names, count);
  show(text, shown);
  return toi_tree_fail(tree, node, "must be %s, not \"%s\"", all, shown);
}

toi_status toi_tree_list(const toi_tree *tree, const toi_json_node *node, size_t count, const char *what) {
  if (node->kind != TOI_JSON_LIST)
    return toi_tree_misplaced(tree, node, what);
  if (node->count != count)
    return toi_tree_fail(tree, node, "a list of %zu where %s belongs", node->count, what);
  return TOI_OK;
}

/* Which field of the form this is. */
static toi_status find_field(const toi_tree *tree, const toi_json_node *node, const toi_tree_form *form,
                             size_t *number) {
  for (*number = 0; *number < form->count; ++*number)
    if (strcmp(form->fields[*number].name, node->name) == 0)
      return TOI_OK;
  char all[SENTENCE_BYTES / 2] = "", shown[TOI_SHOWN_BYTES];
  for (size_t i = 0; i < form->count; i++)
    toi_text_append(all, sizeof all, "%s%s", i == 0 ? "" : ", ", form->fields[i].name);
  show(node->name, shown);
  return toi_tree_fail(tree, node, "unknown field '%s' for %s; its fields are %s", shown, form->what, all);
}

toi_status toi_tree_object(const toi_tree *tree, const toi_json_node *node, const toi_tree_form *form,
                           const toi_json_node **values) {
  if (node->kind != TOI_JSON_OBJECT)
    return toi_tree_misplaced(tree, node, form->what);
  for (size_t i = 0; i < form->count; i++)
    values[i] = NULL;
  for (const toi_json_node *child = node->first; child != NULL; child = child->next) {
    size_t number;
    const toi_status status = find_field(tree, child, form, &number);
    if (status != TOI_OK)
      return status;
    values[number] = child;
  }
  for (size_t i = 0; i < form->count; i++)
    if (form->fields[i].needed && values[i] == NULL)
      return toi_tree_fail(tree, node, "%s needs the field \"%s\"; add it", form->what, form->fields[i].name);
  return TOI_OK;
}

/* The first child of that name; NULL: there is none, or the node is no object. */
static const toi_json_node *child_of(const toi_json_node *node, const char *name) {
  const toi_json_node *child = node->kind == TOI_JSON_OBJECT ? node->first : NULL;
  while (child != NULL && strcmp(child->name, name) != 0)
    child = child->next;
  return child;
}

toi_status toi_tree_other_scene(const toi_tree *tree, const char *const *fields, size_t count, const char *command) {
  const toi_json_node *list = child_of(tree->root, "bodies");
  const toi_json_node *body = list != NULL && list->kind == TOI_JSON_LIST ? list->first : NULL;
  for (; body != NULL; body = body->next)
    for (size_t i = 0; i < count; i++) {
      const toi_json_node *found = child_of(body, fields[i]);
      if (found != NULL)
        return toi_tree_fail(tree, found, "a field of scenes of toi %s; run toi %s %s", command, command, tree->path);
    }
  return TOI_OK;
}

toi_status toi_tree_single(const toi_tree *tree, const toi_json_node *node, const toi_tree_form *form, size_t *number) {
  if (node->kind != TOI_JSON_OBJECT)
    return toi_tree_misplaced(tree, node, form->what);
  if (node->count == 1)
    return find_field(tree, node->first, form, number);
  char all[SENTENCE_BYTES / 2] = "";
  for (size_t i = 0; i < form->count; i++)
    toi_text_append(all, sizeof all, "%s%s", i == 0 ? "" : i + 1 < form->count ? ", " : " or ", form->fields[i].name);
  return toi_tree_fail(tree, node, "%s has one field, not %zu: %s", form->what, node->count, all);
}
