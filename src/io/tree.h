/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* A JSON file as a tree, for forms in which what comes first may depend on what comes later: names that are defined
 * behind their use, and fields that decide how others are read. Each value knows its line and its place, so that the
 * sentences are those of json.h: "scene.json:12:9: bodies[1].shape.parametric.z: ...". */

#ifndef TOI_IO_TREE_H
#define TOI_IO_TREE_H

#include "io/json.h"

/* The most fields of one object. */
#define TOI_TREE_FIELDS 1000

typedef struct toi_json_node {
  const struct toi_json_node *parent; /* NULL: the whole file */
  struct toi_json_node *first, *next; /* the values in it, and the one behind it */
  size_t count;                       /* of the values in it */
  size_t index;                       /* in its parent */
  const char *name;                   /* in an object, else NULL */
  size_t line, column;                /* where it begins, both from 1 */
  toi_json_kind kind;
  const char *text; /* of a string */
  double number;
  bool truth;
} toi_json_node;

/* "an object", "a number" and so on. */
const char *toi_json_kind_name(toi_json_kind kind);

typedef struct toi_tree {
  toi_context *context;
  const char *path; /* the caller's */
  const toi_json_node *root;
  struct toi_tree_chunk *chunks;
} toi_tree;

/* Reads a file; to be freed only if that succeeded. Numbers are rounded once: call it in the default floating-point
 * mode. */
toi_status toi_tree_read(toi_tree *tree, toi_context *context, const char *path);
void toi_tree_free(toi_tree *tree);

/* "FILE:LINE:COLUMN: PATH: sentence". */
toi_status toi_tree_fail(const toi_tree *tree, const toi_json_node *node, const char *format, ...) TOI_PRINTF(3, 4);

/* A failure of a call that was made for this value becomes one of the file; other statuses stay as they are. */
toi_status toi_tree_fail_made(const toi_tree *tree, const toi_json_node *node, toi_status status);

/* "... where WHAT belongs". */
toi_status toi_tree_misplaced(const toi_tree *tree, const toi_json_node *node, const char *what);

/* --- values --- */

toi_status toi_tree_bool(const toi_tree *tree, const toi_json_node *node, bool *value);
toi_status toi_tree_string(const toi_tree *tree, const toi_json_node *node, const char **text);

/* One of these strings, by its number. */
toi_status toi_tree_choice(const toi_tree *tree, const toi_json_node *node, const char *const *names, size_t count,
                           size_t *number);

/* Fails unless it is a list of exactly this many values; what: such as "a list of 3 numbers". */
toi_status toi_tree_list(const toi_tree *tree, const toi_json_node *node, size_t count, const char *what);

typedef struct toi_tree_field {
  const char *name;
  bool needed;
} toi_tree_field;

typedef struct toi_tree_form {
  const char *what; /* such as "a body" */
  const toi_tree_field *fields;
  size_t count;
} toi_tree_form;

/* The values of an object's fields; NULL for those that are not there. */
toi_status toi_tree_object(const toi_tree *tree, const toi_json_node *node, const toi_tree_form *form,
                           const toi_json_node **values);

/* Scenes of two commands have "bodies". Fails if one of them has such a field: the scene is the other command's. */
toi_status toi_tree_other_scene(const toi_tree *tree, const char *const *fields, size_t count, const char *command);

/* Fails unless an object has one field, and that is of the form; *number: which one. Its value is node->first. */
toi_status toi_tree_single(const toi_tree *tree, const toi_json_node *node, const toi_tree_form *form, size_t *number);

#endif
