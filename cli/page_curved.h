/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Curved scenes in a page (page.h): the files that an answer was made of, as text, with the answer. */

#ifndef CLI_PAGE_CURVED_H
#define CLI_PAGE_CURVED_H

#include <toi/surface.h>

#include "page.h"

typedef struct page_curved {
  page page;
  const toi_context *context;
  json_t *files; /* {"name":...,"role":...} of each section so far */
} page_curved;

/* As page_open; close it in every case. Each of the others returns EXIT_DONE, or EXIT_BAD after its line, and does
 * nothing if there is no page. */
int page_curved_open(page_curved *p, const toi_context *context, output *out, const char *viewer);
void page_curved_close(page_curved *p);

/* A file, uncompressed if it is gzipped. */
int page_curved_path(page_curved *p, const char *path, const char *name, const char *role);

/* A scene with the model files that it names. */
int page_curved_scene(page_curved *p, const char *path);

/* A text made of JSON, which is released. */
int page_curved_text(page_curved *p, json_t *text, const char *name, const char *role);

/* A model as {"patches": [...]}. */
int page_curved_model(page_curved *p, const toi_model *model, const char *name, const char *role);

/* Of an open page: the header, with the answer and `more` fields (an object, or NULL), both released, and the end. */
int page_curved_finish(page_curved *p, const char *view, json_t *answer, json_t *more);

#endif
