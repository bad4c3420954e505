/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* JSON files, value by value.
 *
 * A reader asks for what must come next, and is given it or a failure, whose sentence names the file, the line and the
 * field, as in "model.json:7: patches[3].points[12][2]: a string where a number belongs". An object is described by a
 * table of its fields, in any order; a list is walked:
 *
 *   toi_status status = toi_json_list(json, "a list of radii");
 *   while (toi_json_more(json, &status))
 *     status = toi_json_number(json, &radius);
 *   return status;
 *
 * Strict: RFC 8259, a byte order mark in front apart; a field twice, or one that is not in the table, is refused. */

#ifndef TOI_IO_JSON_H
#define TOI_IO_JSON_H

#include "base/internal.h"
#include "io/feed.h"

/* Lists and objects inside each other. */
#define TOI_JSON_DEPTH 32

/* The longest string that is read, in bytes; toi_json_long_string() takes longer ones. */
#define TOI_JSON_TEXT 1024

/* A list or an object that is being read. */
typedef struct toi_json_level {
  const char *field; /* of an object: the one that is being read, NULL between them */
  size_t index;      /* of a list: the value that is being read */
  bool list;
  bool fresh; /* nothing in it was read yet */
  /* of a tree: it, and the value in it that comes next */
  const struct toi_json_node *node, *next;
} toi_json_level;

typedef struct toi_json {
  toi_context *context;
  toi_feed feed;
  bool lines;                       /* JSON Lines: no value goes on in the next line */
  bool columns;                     /* sentences tell the column too */
  const struct toi_json_node *node; /* NULL, or the value of a tree that is read next, or was read last */
  size_t taken;                     /* of those: the last line that was gone to */
  size_t depth;
  toi_json_level levels[TOI_JSON_DEPTH];
  char text[TOI_JSON_TEXT + 1]; /* the last string, or name of a field */
} toi_json;

/* Opens a file; close it only if that succeeded. lines: it is JSON Lines. The readers of numbers must run in the
 * default floating-point mode. */
toi_status toi_json_open(toi_json *json, toi_context *context, const char *path, bool lines);
void toi_json_close(toi_json *json);

/* Reads a value of a tree, as if it were the file's next; there is nothing to close. Paths begin at the root. */
struct toi_tree;
void toi_json_from_tree(toi_json *json, const struct toi_tree *tree, const struct toi_json_node *node);

/* Fails unless nothing but blanks is left in the file. */
toi_status toi_json_end(toi_json *json);

/* JSON Lines: goes to the next line that has something; *found is false at the end of the file. */
toi_status toi_json_next_line(toi_json *json, bool *found);

/* The line of what is read next. */
static inline size_t toi_json_line(const toi_json *json) {
  return json->feed.line;
}

/* And its column, from 1, in bytes. */
size_t toi_json_column(const toi_json *json);

/* --- values --- */

typedef enum toi_json_kind {
  TOI_JSON_OBJECT,
  TOI_JSON_LIST,
  TOI_JSON_STRING,
  TOI_JSON_NUMBER, /* or something that is none */
  TOI_JSON_BOOL,
  TOI_JSON_NULL
} toi_json_kind;

/* What comes next. */
toi_status toi_json_peek(toi_json *json, toi_json_kind *kind);

/* A number, rounded once to the nearest double; beyond the largest it is refused. */
toi_status toi_json_number(toi_json *json, double *value);

/* A number that is greater than `above`, and one from `least` on. */
toi_status toi_json_number_above(toi_json *json, double above, double *value);
toi_status toi_json_number_from(toi_json *json, double least, double *value);

/* A list of exactly this many numbers. */
toi_status toi_json_numbers(toi_json *json, double *values, size_t count);

/* A whole number from `least` to `most`. */
toi_status toi_json_integer(toi_json *json, uint32_t least, uint32_t most, uint32_t *value);

toi_status toi_json_bool(toi_json *json, bool *value);

/* *null: null came next, and was read. Else nothing was. */
toi_status toi_json_null(toi_json *json, bool *null);

/* A string, in UTF-8, into json->text; longer ones than TOI_JSON_TEXT are refused. */
toi_status toi_json_string(toi_json *json);

/* A string of any length, which grows with what arrives; the caller frees `room` bytes. */
typedef struct toi_json_text {
  char *bytes; /* with a zero byte behind them */
  size_t length, room;
} toi_json_text;
toi_status toi_json_long_string(toi_json *json, toi_json_text *text);

/* One of these strings, by its number. */
toi_status toi_json_choice(toi_json *json, const char *const *names, size_t count, size_t *number);

/* A string of any length that nobody looks at. */
toi_status toi_json_remark(toi_json *json, void *user);

/* --- lists --- */

/* Begins a list; `what` is what must be there, such as "a list of numbers". */
toi_status toi_json_list(toi_json *json, const char *what);

/* Whether the list has one more value, to be read next. Not if *status is a failure; its end is read. */
bool toi_json_more(toi_json *json, toi_status *status);

/* --- objects --- */

typedef struct toi_json_field {
  const char *name;
  toi_status (*read)(toi_json *json, void *user); /* reads the value, whole */
  bool needed;
  const char *refusal; /* NULL, or why there is no such field, for one that somebody might expect */
} toi_json_field;

#define TOI_JSON_FIELDS 24

typedef struct toi_json_form {
  const char *what; /* such as "a patch" */
  const toi_json_field *fields;
  size_t count; /* at most TOI_JSON_FIELDS */
} toi_json_form;

/* Reads an object. lines: where each field of the form begins, 0 if it is not there; NULL: nobody asks. */
toi_status toi_json_object(toi_json *json, const toi_json_form *form, void *user, size_t *lines);

/* An object whose names are free: toi_json_more() says whether there is one more of them, toi_json_name() reads it, and
 * its value comes next. From toi_json_called() on, which keeps the pointer, it is part of the sentences. */
toi_status toi_json_names(toi_json *json, const char *what);
toi_status toi_json_name(toi_json *json, toi_json_text *name);
static inline void toi_json_called(toi_json *json, const char *name) {
  json->levels[json->depth - 1].field = name;
}

/* --- failures --- */

/* "FILE:LINE: PATH: sentence", of the value that is being read. */
toi_status toi_json_fail(const toi_json *json, const char *format, ...) TOI_PRINTF(2, 3);

/* The same of a field, in this line, of the object that was read last; field NULL: of the value itself. */
toi_status toi_json_fail_field(const toi_json *json, const char *field, size_t line, const char *format, ...)
    TOI_PRINTF(4, 5);

/* "... where WHAT belongs", of what comes next. */
toi_status toi_json_misplaced(toi_json *json, const char *what);

/* Appends to a text that is cut at its end. */
void toi_text_append(char *to, size_t room, const char *format, ...) TOI_PRINTF(3, 4);

/* Appends "a", "b" or "c". */
void toi_text_append_choices(char *to, size_t room, const char *const *names, size_t count);

#endif
