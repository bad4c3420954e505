/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* A PLY file as a whole: header, elements in their order, nothing behind them.
 *
 * Promise: a header that counts more rows than the file can hold is refused before anything is allocated for them; of a
 * compressed file, whose size is not known, memory grows with what arrives. */

#include "io/ply.h"

#include <inttypes.h>

#include "base/internal.h"

/* Whether the rest of the file can hold an element's rows at all. A text is read line by line without a look ahead. */
static toi_status check_size(const toi_ply *ply, const toi_ply_element *element) {
  const uint64_t rest = toi_feed_rest(&ply->feed);
  const size_t least = toi_ply_least_bytes(element);
  if (ply->format == TOI_PLY_ASCII || least == 0 || element->count <= rest / least)
    return TOI_OK;
  return toi_fail(ply->context, TOI_ERROR_FORMAT,
                  "%s: the header counts %" PRIu64
                  " rows of element %s, %zu bytes each at least, but the file has %" PRIu64
                  " bytes for them; it is truncated, restore its end",
                  ply->path, element->count, element->name, least, rest);
}

/* Rows of one size that are not used. */
static toi_status skip_element(toi_ply *ply, const toi_ply_element *element) {
  uint64_t left = 0;
  const uint64_t size = element->row_bytes > 0 && element->count > UINT64_MAX / element->row_bytes
                            ? UINT64_MAX
                            : element->count * element->row_bytes;
  const toi_status status = toi_feed_skip(&ply->feed, size, &left);
  if (status == TOI_OK && left > 0)
    return toi_fail(ply->context, TOI_ERROR_FORMAT,
                    "%s: the file ends in the rows of element %s; it is truncated, restore its end", ply->path,
                    element->name);
  return status;
}

static toi_status read_element(toi_ply *ply, const toi_ply_element *element) {
  toi_status status = check_size(ply, element);
  if (status != TOI_OK)
    return status;
  if (element->kind == TOI_PLY_OTHER && ply->format != TOI_PLY_ASCII && element->lists == 0)
    return skip_element(ply, element);
  uint64_t row;
  status = toi_ply_read_fast(ply, element, &row);
  return status == TOI_OK ? toi_ply_read_rows(ply, element, row) : status;
}

/* More than the header counts is as wrong as less; blanks do no harm. */
static toi_status check_end(toi_ply *ply) {
  bool found;
  const toi_status status = toi_feed_skip_blank(&ply->feed, &found);
  if (status != TOI_OK || !found)
    return status;
  return toi_fail(ply->context, TOI_ERROR_FORMAT,
                  "%s: the file continues after the last row that its header counts (byte %" PRIu64
                  "); correct the counts",
                  ply->path, toi_feed_place(&ply->feed));
}

static toi_status read_file(toi_ply *ply, toi_frame *frame) {
  toi_status status = toi_ply_read_header(ply);
  for (size_t i = 0; status == TOI_OK && i < ply->element_count; i++)
    status = read_element(ply, &ply->elements[i]);
  if (status == TOI_OK)
    status = check_end(ply);
  return status == TOI_OK ? toi_maker_finish(&ply->maker, frame) : status;
}

toi_status toi_ply_read(toi_context *context, const char *path, toi_frame *frame) {
  toi_ply *ply = toi_allocate(context, sizeof *ply);
  if (ply == NULL)
    return TOI_ERROR_MEMORY;
  *ply = (toi_ply){.context = context, .path = path, .maker = {.context = context, .path = path}};
  toi_status status = toi_feed_open(&ply->feed, context, path);
  if (status == TOI_OK) {
    status = read_file(ply, frame);
    toi_maker_discard(&ply->maker);
    toi_feed_close(&ply->feed);
  }
  toi_free(context, ply, sizeof *ply);
  return status;
}
