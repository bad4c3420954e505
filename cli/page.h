/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* A page that shows an answer in a browser: viewer.html with the data inside, as `--view` and `toi view` write it.
 *
 * The data is a stream of sections, compressed and in base64 (docs/view-format.md), written piece by piece: what is in
 * memory at a time does not depend on its size. Numbers are kept exactly. All names are inside of the base64, so that
 * nothing of them is ever read as HTML. */

#ifndef CLI_PAGE_H
#define CLI_PAGE_H

#include "json.h"
#include "output.h"

typedef struct page {
  output *out;      /* NULL or not given: there is no page, and nothing below does anything */
  char *viewer;     /* the viewer's text */
  size_t size;      /* of it */
  size_t place;     /* where the data goes */
  struct pen *pen;  /* what compresses */
  uint32_t numbers; /* sections of contacts so far */
} page;

/* The rows that commands with a page have in their tables of options. */
#define PAGE_OPTIONS(view_path, viewer_path)                                                                           \
  {"--view", OPTION_TEXT, view_path, "FILE.html",                                                                      \
   "writes a page that shows the answer in a browser, with the data inside; implies --all where there is one"},        \
  {                                                                                                                    \
    "--viewer", OPTION_TEXT, viewer_path, "FILE",                                                                      \
        "viewer.html to use (default: the installed one, or that of the build tree)"                                   \
  }

/* Finds and reads the viewer (`viewer`: --viewer, or NULL) and begins the page in an output that is open, or was not
 * given. Returns EXIT_DONE, or EXIT_BAD after its line. Close the page in every case. */
int page_open(page *p, const toi_context *context, output *out, const char *viewer);
void page_close(page *p);

static inline bool page_is_open(const page *p) {
  return p->pen != NULL;
}

/* After TOI_ERROR_FILE, session_fail() knows what went wrong. */

/* The head of a section of so many bytes, which must follow; then, at its end, up to a multiple of 8. */
TOI_MUST_USE toi_status page_section(page *p, const char *tag, uint32_t number, uint64_t bytes);
TOI_MUST_USE toi_status page_append(page *p, const void *bytes, size_t size);
TOI_MUST_USE toi_status page_pad(page *p, uint64_t bytes);

/* Numbers at regular distances. */
typedef enum page_predictor { PAGE_PLAIN = 0, PAGE_BEFORE = 1, PAGE_REFERENCE = 2 } page_predictor;

typedef struct page_numbers {
  const void *base;
  size_t count, stride; /* in numbers, and in bytes from one to the next */
  unsigned width;       /* 1, 4 or 8 bytes each */
  page_predictor predictor;
  unsigned components;   /* what lies before a number is this many further up */
  const void *reference; /* of PAGE_REFERENCE, with the same stride */
} page_numbers;

/* Bytes of an array in a section, and the array. */
uint64_t page_array_bytes(const page_numbers *numbers);
TOI_MUST_USE toi_status page_array(page *p, const page_numbers *numbers);

/* A file as it is, in a section of its own. */
TOI_MUST_USE toi_status page_file(page *p, uint32_t number, const void *bytes, size_t size);

/* A command's answer as a page holds it: without times, memory and threads, so that the same input makes the same page.
 * Returns it. */
json_t *page_answer(json_t *answer);

/* The fields that the header of every page has. */
json_t *page_header(const char *view, const char *title);

/* The header, which is released, and the rest of the page. Returns EXIT_DONE, or EXIT_BAD after its line. */
int page_finish(page *p, const toi_context *context, json_t *header);

/* A line about the page; nothing if `path` is NULL. */
void page_print(const char *path);

#endif
