/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* A page being written: sections into zlib, what it gives into base64, that into the output between the two halves of
 * the viewer. */

#include "page.h"

#include <stdio.h>
#include <string.h>
#define ZLIB_CONST
#include <zlib.h>

#include "base64.h"
#include "memory.h"
#include "name.h"
#include "options.h"
#include "page_viewer.h"
#include "session.h"

#define MAGIC "TOIVIEW1"
#define SECTION_HEAD 16
#define ARRAY_HEAD 16
#define WORD 8 /* sections and arrays are padded to this */

#define PACKED_SIZE 32768

typedef struct pen {
  z_stream zip;
  unsigned char packed[PACKED_SIZE];
  base64 text;
} pen;

static void *zip_allocate(void *user, uInt count, uInt size) {
  (void)user;
  return memory_zeroed(count, size);
}

static void zip_free(void *user, void *memory) {
  (void)user;
  memory_free(memory);
}

/* Compresses what zlib has been given; flush: Z_NO_FLUSH, or Z_FINISH at the end. */
static toi_status compress_input(page *p, int flush) {
  pen *own = p->pen;
  for (;;) {
    const int code = deflate(&own->zip, flush);
    const size_t ready = PACKED_SIZE - own->zip.avail_out;
    const bool finished = code == Z_STREAM_END;
    if (ready == PACKED_SIZE || finished) {
      const toi_status status = base64_append(&own->text, own->packed, ready);
      if (status != TOI_OK || finished)
        return status == TOI_OK ? base64_finish(&own->text) : status;
      own->zip.next_out = own->packed;
      own->zip.avail_out = PACKED_SIZE;
    } else {
      // There is room left: it has taken all that there was.
      return TOI_OK;
    }
  }
}

/* --- sections --- */

toi_status page_append(page *p, const void *bytes, size_t size) {
  const unsigned char *next = bytes;
  toi_status status = TOI_OK;
  while (size > 0 && status == TOI_OK) {
    const uInt piece = size < 1u << 30 ? (uInt)size : 1u << 30;
    p->pen->zip.next_in = next;
    p->pen->zip.avail_in = piece;
    status = compress_input(p, Z_NO_FLUSH);
    next += piece;
    size -= piece;
  }
  return status;
}

/* Little-endian, whatever the machine's order. */
static void put_number(unsigned char *to, uint64_t value, int bytes) {
  for (int i = 0; i < bytes; i++)
    to[i] = (unsigned char)(value >> (8 * i));
}

toi_status page_section(page *p, const char *tag, uint32_t number, uint64_t bytes) {
  unsigned char head[SECTION_HEAD];
  memcpy(head, tag, 4);
  put_number(head + 4, number, 4);
  put_number(head + 8, bytes, 8);
  return page_append(p, head, sizeof head);
}

toi_status page_pad(page *p, uint64_t bytes) {
  static const unsigned char zeros[WORD] = {0};
  return page_append(p, zeros, (size_t)((WORD - bytes % WORD) % WORD));
}

toi_status page_file(page *p, uint32_t number, const void *bytes, size_t size) {
  toi_status status = page_section(p, "FILE", number, size);
  if (status == TOI_OK)
    status = page_append(p, bytes, size);
  return status == TOI_OK ? page_pad(p, size) : status;
}

/* --- arrays --- */

uint64_t page_array_bytes(const page_numbers *numbers) {
  const uint64_t planes = (uint64_t)numbers->width * numbers->count;
  return ARRAY_HEAD + planes + (WORD - planes % WORD) % WORD;
}

static uint64_t number_at(const page_numbers *a, const void *base, size_t i) {
  const unsigned char *at = (const unsigned char *)base + i * a->stride;
  uint32_t word;
  uint64_t value;
  switch (a->width) {
  case 1:
    return *at;
  case 4:
    memcpy(&word, at, sizeof word);
    return word;
  default:
    memcpy(&value, at, sizeof value);
    return value;
  }
}

/* What is written of a number: its difference to the prediction modulo 2^bits, with the sign in the lowest bit. */
static uint64_t residual(const page_numbers *a, size_t i) {
  const uint64_t x = number_at(a, a->base, i);
  uint64_t predicted = 0;
  if (a->predictor == PAGE_PLAIN)
    return x;
  if (a->predictor == PAGE_REFERENCE)
    predicted = number_at(a, a->reference, i);
  else if (i >= a->components)
    predicted = number_at(a, a->base, i - a->components);
  const uint64_t mask = UINT64_MAX >> (64 - 8 * a->width), difference = (x - predicted) & mask;
  const uint64_t sign = difference >> (8 * a->width - 1);
  return ((difference << 1) ^ (0 - sign)) & mask;
}

toi_status page_array(page *p, const page_numbers *numbers) {
  unsigned char buffer[4096] = {0};
  buffer[0] = (unsigned char)numbers->width;
  buffer[1] = (unsigned char)numbers->predictor;
  put_number(buffer + 2, numbers->components, 2);
  put_number(buffer + 8, numbers->count, 8);
  toi_status status = page_append(p, buffer, ARRAY_HEAD);
  for (unsigned plane = 0; plane < numbers->width; plane++)
    for (size_t i = 0; status == TOI_OK && i < numbers->count;) {
      size_t filled = 0;
      while (filled < sizeof buffer && i < numbers->count)
        buffer[filled++] = (unsigned char)(residual(numbers, i++) >> (8 * plane));
      status = page_append(p, buffer, filled);
    }
  return status == TOI_OK ? page_pad(p, (uint64_t)numbers->width * numbers->count) : status;
}

/* --- beginning and end --- */

int page_open(page *p, const toi_context *context, output *out, const char *viewer) {
  *p = (page){.out = out};
  if (out == NULL || !output_is_open(out))
    return EXIT_DONE;
  int result = page_viewer_read(viewer, p);
  if (result != EXIT_DONE)
    return result;
  pen *own = memory_zeroed(1, sizeof *own);
  if (own == NULL)
    return memory_fail("the page", "close other programs");
  own->text.out = out;
  own->zip.zalloc = zip_allocate;
  own->zip.zfree = zip_free;
  enum { GZIP = 16, WINDOW = 15, LEVEL = 9, MEMORY_LEVEL = 9 };
  if (deflateInit2(&own->zip, LEVEL, Z_DEFLATED, WINDOW + GZIP, MEMORY_LEVEL, Z_DEFAULT_STRATEGY) != Z_OK) {
    memory_free(own);
    return memory_fail("the page", "close other programs");
  }
  own->zip.next_out = own->packed;
  own->zip.avail_out = PACKED_SIZE;
  p->pen = own;
  toi_status status = output_append(out, p->viewer, p->place);
  if (status == TOI_OK)
    status = page_append(p, MAGIC, sizeof MAGIC - 1);
  return status == TOI_OK ? EXIT_DONE : session_fail(context, status, NULL);
}

void page_close(page *p) {
  if (p->pen != NULL)
    deflateEnd(&p->pen->zip);
  memory_free(p->pen);
  memory_free(p->viewer);
  *p = (page){0};
}

/* Whether a field of an answer tells of the run, not of the scene. */
static bool of_the_run(const char *key) {
  const size_t length = strlen(key);
  return strcmp(key, "ms") == 0 || (length > 3 && strcmp(key + length - 3, "_ms") == 0) ||
         strncmp(key, "ms_per_", 7) == 0 || strcmp(key, "peak_bytes") == 0 || strcmp(key, "threads") == 0;
}

json_t *page_answer(json_t *answer) {
  const char *key;
  json_t *value;
  void *next;
  size_t i;
  json_object_foreach_safe(answer, next, key, value) {
    if (of_the_run(key))
      json_object_del(answer, key);
    else
      page_answer(value);
  }
  json_array_foreach(answer, i, value) {
    page_answer(value);
  }
  return answer;
}

json_t *page_header(const char *view, const char *title) {
  json_t *header = json_object();
  json_object_set_new(header, "format", json_text("toi-view"));
  json_object_set_new(header, "version", json_count(1, true));
  json_object_set_new(header, "toi", json_text(toi_version()));
  json_object_set_new(header, "view", json_text(view));
  json_object_set_new(header, "title", json_text(title));
  return header;
}

int page_finish(page *p, const toi_context *context, json_t *header) {
  char *text = json_finish(header);
  if (text == NULL)
    return EXIT_BAD;
  const size_t size = strlen(text);
  toi_status status = page_section(p, "JSON", 0, size);
  if (status == TOI_OK)
    status = page_append(p, text, size);
  if (status == TOI_OK)
    status = page_pad(p, size);
  memory_free(text);
  p->pen->zip.avail_in = 0;
  if (status == TOI_OK)
    status = compress_input(p, Z_FINISH);
  if (status == TOI_OK)
    status = output_append(p->out, p->viewer + p->place, p->size - p->place);
  return status == TOI_OK ? EXIT_DONE : session_fail(context, status, NULL);
}

void page_print(const char *path) {
  if (path == NULL)
    return;
  printf("\nopen ");
  name_print(path);
  printf(" in a browser to look at it\n");
}
