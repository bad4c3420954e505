/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Mesh files by their name's ending, and whether two of them are states of one mesh. */

#include "io/frame.h"

#include <string.h>

#include "base/internal.h"
#include "io/source.h"

/* Whether a name has an ending, optionally followed by .gz. */
static bool ends(const char *path, const char *plain, const char *compressed) {
  return toi_path_ends(path, plain) || toi_path_ends(path, compressed);
}

static TOI_APART toi_status read_frame(toi_context *context, const char *path, toi_frame *frame) {
  if (context == NULL || path == NULL || frame == NULL)
    return toi_fail(context, TOI_ERROR_INPUT, "toi_frame_read needs a context, a path and a place for its result");
  *frame = (toi_frame){0};
  // Decimal numbers are rounded on the way.
  toi_status status = TOI_OK;
  if (ends(path, ".ply", ".ply.gz"))
    status = toi_ply_read(context, path, frame);
  else if (ends(path, ".obj", ".obj.gz"))
    status = toi_obj_read(context, path, frame);
  else
    status = toi_fail(context, TOI_ERROR_OPTION,
                      "%s: meshes are read from .ply or .obj, optionally with .gz; "
                      "change the name",
                      path);
  return status;
}

toi_status toi_frame_read(toi_context *context, const char *path, toi_frame *frame) {
  TOI_CALL(context, read_frame(context, path, frame));
}

static TOI_APART void free_frame(toi_context *context, toi_frame *frame) {
  if (context == NULL || frame == NULL)
    return;
  toi_free(context, frame->vertices, frame->vertex_count * 3 * toi_scalar_bytes(frame->scalar));
  toi_free(context, frame->faces, frame->face_count * sizeof *frame->faces);
  toi_free(context, frame->loose, frame->loose_count * sizeof *frame->loose);
  *frame = (toi_frame){0};
}

void toi_frame_free(toi_context *context, toi_frame *frame) {
  TOI_CALL_VOID(NULL, free_frame(context, frame));
}

/* --- are they the same mesh? --- */

/* The first row in which two lists differ; `count` if they do not. */
static size_t first_difference(const void *a, const void *b, size_t size, size_t count) {
  if (count == 0 || memcmp(a, b, count * size) == 0)
    return count;
  size_t row = 0;
  while (memcmp((const char *)a + row * size, (const char *)b + row * size, size) == 0)
    row++;
  return row;
}

/* Two frames that are compared, by name. */
typedef struct couple {
  toi_context *context;
  const char *start_name, *end_name;
} couple;

static toi_status fail_count(const couple *c, size_t start, size_t end, const char *what) {
  return toi_fail(c->context, TOI_ERROR_INPUT, "%s has %zu %s, but %s has %zu; the frames of a step are one mesh",
                  c->start_name, start, what, c->end_name, end);
}

static toi_status match_faces(const couple *c, const toi_frame *start, const toi_frame *end) {
  const size_t row = first_difference(start->faces, end->faces, sizeof *start->faces, start->face_count);
  if (row == start->face_count)
    return TOI_OK;
  const uint32_t *a = start->faces[row], *b = end->faces[row];
  return toi_fail(c->context, TOI_ERROR_INPUT,
                  "face %zu is (%u, %u, %u) in %s, but (%u, %u, %u) in %s; the frames of a step are one mesh", row,
                  (unsigned)a[0], (unsigned)a[1], (unsigned)a[2], c->start_name, (unsigned)b[0], (unsigned)b[1],
                  (unsigned)b[2], c->end_name);
}

static toi_status match_loose(const couple *c, const toi_frame *start, const toi_frame *end) {
  const size_t row = first_difference(start->loose, end->loose, sizeof *start->loose, start->loose_count);
  if (row == start->loose_count)
    return TOI_OK;
  const uint32_t *a = start->loose[row], *b = end->loose[row];
  return toi_fail(c->context, TOI_ERROR_INPUT,
                  "loose edge %zu is (%u, %u) in %s, but (%u, %u) in %s; the frames of a step are one mesh", row,
                  (unsigned)a[0], (unsigned)a[1], c->start_name, (unsigned)b[0], (unsigned)b[1], c->end_name);
}

static TOI_APART toi_status match(toi_context *context, const toi_frame *start, const char *start_name,
                                  const toi_frame *end, const char *end_name) {
  if (context == NULL || start == NULL || end == NULL)
    return toi_fail(context, TOI_ERROR_INPUT, "toi_frames_match needs a context and two frames");
  const couple c = {context, start_name == NULL ? "the start" : start_name, end_name == NULL ? "the end" : end_name};
  if (start->vertex_count != end->vertex_count)
    return fail_count(&c, start->vertex_count, end->vertex_count, "vertices");
  if (start->face_count != end->face_count)
    return fail_count(&c, start->face_count, end->face_count, "faces");
  if (start->loose_count != end->loose_count)
    return fail_count(&c, start->loose_count, end->loose_count, "loose edges");
  if (start->scalar != end->scalar)
    return toi_fail(context, TOI_ERROR_INPUT, "%s has %s coordinates, but %s has %s; write both alike", c.start_name,
                    start->scalar == TOI_FLOAT32 ? "float" : "double", c.end_name,
                    end->scalar == TOI_FLOAT32 ? "float" : "double");
  const toi_status status = match_faces(&c, start, end);
  return status == TOI_OK ? match_loose(&c, start, end) : status;
}

toi_status toi_frames_match(toi_context *context, const toi_frame *start, const char *start_name, const toi_frame *end,
                            const char *end_name) {
  TOI_CALL(context, match(context, start, start_name, end, end_name));
}
