/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* A part of a binary PLY file whose rows have one size each: vertices, and faces of as many corners as the first.
 *
 * Claim: if all parts of a file can be read so, they are the frame that toi_frame_read() gives. Why: every face of a
 * part is checked to have as many corners as the first face of the file; the parts together are all rows, one behind
 * the other from the first, so each stands where it was read; and the file ends behind them. */

#include <string.h>

#include "base/internal.h"
#include "io/ply.h"

typedef struct slicing {
  toi_ply *ply;
  uint32_t part, parts;
  toi_frame_slice *slice;
  uint64_t place; /* of the next element in the file */
} slicing;

static toi_status not_sliceable(const slicing *s, const char *why) {
  return toi_fail(s->ply->context, TOI_ERROR_UNSUPPORTED, "%s: %s; it is read as a whole", s->ply->path, why);
}

/* The bytes of a row: of faces, of those that are like the first. 0: rows differ. */
static toi_status row_bytes(const slicing *s, const toi_ply_element *element, size_t *bytes, size_t *corners) {
  *bytes = element->row_bytes;
  *corners = 0;
  if (element->kind != TOI_PLY_FACE || element->count == 0)
    return TOI_OK;
  size_t at = 0;
  const toi_ply_property *list = element->properties;
  for (; list->role != TOI_PLY_CORNERS; list++)
    at += toi_ply_bytes((toi_ply_type)list->type);
  char row[sizeof(uint32_t)];
  size_t got;
  const size_t size = toi_ply_bytes((toi_ply_type)list->count_type);
  const toi_status status = toi_source_read_at(&s->ply->feed.source, s->place + at, row, size, &got);
  if (status != TOI_OK)
    return status;
  if (got < size)
    return not_sliceable(s, "the file ends before its faces");
  const int64_t count = toi_ply_load(row, (toi_ply_type)list->count_type, toi_ply_swapped(s->ply));
  if (count < 3 || count > UINT16_MAX)
    return not_sliceable(s, "its first face is invalid");
  *corners = (size_t)count;
  *bytes += *corners * toi_ply_bytes((toi_ply_type)list->type);
  return TOI_OK;
}

/* The rows of this part. */
static toi_status read_rows(slicing *s, const toi_ply_element *element, uint64_t begin, uint64_t end, size_t bytes,
                            size_t corners) {
  toi_ply_element own = *element;
  own.count = end - begin;
  uint64_t row = 0;
  toi_feed_seek(&s->ply->feed, s->place + begin * bytes);
  const toi_status status = own.count > 0 ? toi_ply_read_fast(s->ply, &own, &row) : TOI_OK;
  // The reader takes the corners of the part's first face for those of all.
  const bool others = corners > 0 && s->ply->maker.frame.face_count != row * (corners - 2);
  if (status == TOI_OK && (row < own.count || others))
    return not_sliceable(s, "a row of another size, or a number that is not as it must be");
  return status;
}

static toi_status read_element(slicing *s, const toi_ply_element *element) {
  const bool faces = element->kind == TOI_PLY_FACE, vertices = element->kind == TOI_PLY_VERTEX;
  if (element->kind == TOI_PLY_EDGE && element->count > 0)
    return not_sliceable(s, "it has loose edges");
  if (element->lists != (faces ? 1 : 0))
    return not_sliceable(s, "its rows have lists");
  size_t bytes, corners;
  toi_status status = row_bytes(s, element, &bytes, &corners);
  if (status != TOI_OK)
    return status;
  const uint64_t size = s->ply->feed.source.size;
  if (bytes > 0 && element->count > (size - s->place) / bytes)
    return not_sliceable(s, "the file ends before its last row");
  if (faces || vertices) {
    const uint64_t each = element->count / s->parts, rest = element->count % s->parts;
    const uint64_t begin = s->part * each + (s->part < rest ? s->part : rest);
    status = read_rows(s, element, begin, begin + each + (s->part < rest), bytes, corners);
    const uint64_t fan = corners > 0 ? corners - 2 : 1;
    *(faces ? &s->slice->first_face : &s->slice->first_vertex) = begin * (faces ? fan : 1);
    *(faces ? &s->slice->face_count : &s->slice->vertex_count) = element->count * (faces ? fan : 1);
  }
  s->place += element->count * bytes;
  return status;
}

static toi_status read_slice(slicing *s) {
  toi_ply *ply = s->ply;
  toi_status status = toi_ply_read_header(ply);
  if (status != TOI_OK)
    return status;
  if (ply->format == TOI_PLY_ASCII || !toi_feed_seekable(&ply->feed))
    return not_sliceable(s, "not a binary PLY file, or compressed");
  s->place = toi_feed_place(&ply->feed);
  for (size_t i = 0; status == TOI_OK && i < ply->element_count; i++)
    status = read_element(s, &ply->elements[i]);
  if (status == TOI_OK && s->place != ply->feed.source.size)
    return not_sliceable(s, "the file continues after its last row");
  return status == TOI_OK ? toi_maker_finish(&ply->maker, &s->slice->frame) : status;
}

static TOI_APART toi_status slice_read(toi_context *context, const char *path, uint32_t part, uint32_t parts,
                                       toi_frame_slice *slice) {
  if (context == NULL || path == NULL || slice == NULL)
    return toi_fail(context, TOI_ERROR_INPUT,
                    "toi_frame_slice_read needs a context, a path and a place for its result");
  *slice = (toi_frame_slice){0};
  if (part >= parts)
    return toi_fail(context, TOI_ERROR_INPUT, "part %u of %u; parts are numbered from 0", (unsigned)part,
                    (unsigned)parts);
  if (!toi_path_ends(path, ".ply"))
    return toi_fail(context, TOI_ERROR_UNSUPPORTED, "%s: not a .ply file; it is read as a whole", path);
  toi_ply *ply = toi_allocate(context, sizeof *ply);
  if (ply == NULL)
    return TOI_ERROR_MEMORY;
  *ply = (toi_ply){.context = context, .path = path, .maker = {.context = context, .path = path}};
  slicing s = {.ply = ply, .part = part, .parts = parts, .slice = slice};
  toi_status status = toi_feed_open(&ply->feed, context, path);
  if (status == TOI_OK) {
    status = read_slice(&s);
    toi_maker_discard(&ply->maker);
    toi_feed_close(&ply->feed);
  }
  toi_free(context, ply, sizeof *ply);
  if (status != TOI_OK)
    *slice = (toi_frame_slice){0};
  return status;
}

toi_status toi_frame_slice_read(toi_context *context, const char *path, uint32_t part, uint32_t parts,
                                toi_frame_slice *slice) {
  TOI_CALL(context, slice_read(context, path, part, parts, slice));
}
