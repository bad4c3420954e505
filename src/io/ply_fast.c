/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Binary rows of one size, on all threads: each reads its own part of the file and puts it in its place.
 *
 * Vertices without lists have one size; faces have one while all have as many corners as the first, which nearly all
 * files do. Promise: rows before *row are read as one by one they would be. What is not as expected, faults included,
 * is left to toi_ply_read_rows(): it goes on where the first chunk begins that has any. */

#include <assert.h>
#include <stdatomic.h>
#include <string.h>

#include "base/internal.h"
#include "io/ply.h"

/* A chunk stays in the cache between being read and being looked at. */
#define CHUNK_BYTES ((size_t)256 << 10)

/* Faces of more corners are read one by one. */
#define MOST_CORNERS 16

typedef struct job {
  toi_ply *ply;
  uint64_t offset; /* of the first row in the file */
  size_t row_bytes;
  size_t at[3]; /* where x, y and z are in a row; of faces, at[0] is the list */
  toi_ply_type type, count_type;
  size_t corners;
  bool swap;
  atomic_size_t failed; /* the first row of a chunk that was not as expected */
} job;

static size_t smaller(size_t a, size_t b) {
  return a < b ? a : b;
}

static toi_status refuse(job *j, size_t begin) {
  size_t failed = atomic_load_explicit(&j->failed, memory_order_relaxed);
  while (begin < failed && !atomic_compare_exchange_weak(&j->failed, &failed, begin))
    ;
  return TOI_ERROR_FORMAT;
}

/* --- vertices --- */

/* An exponent of all ones carries into the sign; no branch, so that it vectorises. */
static bool floats_finite(const char *values, size_t count) {
  uint32_t carry = 0;
  for (size_t i = 0; i < count; i++)
    carry |= (toi_load32(values + i * 4, false) & 0x7f800000u) + 0x00800000u;
  return carry >> 31 == 0;
}

static bool doubles_finite(const char *values, size_t count) {
  uint64_t carry = 0;
  for (size_t i = 0; i < count; i++)
    carry |= (toi_load64(values + i * 8, false) & UINT64_C(0x7ff0000000000000)) + UINT64_C(0x0010000000000000);
  return carry >> 63 == 0;
}

static inline void copy_floats(const job *j, const char *from, char *to, size_t rows, bool swap) {
  for (size_t i = 0; i < rows; i++, from += j->row_bytes, to += 12)
    for (size_t k = 0; k < 3; k++) {
      const uint32_t bits = toi_load32(from + j->at[k], swap);
      memcpy(to + 4 * k, &bits, sizeof bits);
    }
}

static inline void copy_doubles(const job *j, const char *from, char *to, size_t rows, bool swap) {
  for (size_t i = 0; i < rows; i++, from += j->row_bytes, to += 24)
    for (size_t k = 0; k < 3; k++) {
      const uint64_t bits = toi_load64(from + j->at[k], swap);
      memcpy(to + 8 * k, &bits, sizeof bits);
    }
}

/* From rows as they are in the file to coordinates; both may be the same place if a row is nothing else. */
static void copy_points(const job *j, const char *from, char *to, size_t rows) {
  if (j->type == TOI_PLY_FLOAT32 && j->swap)
    copy_floats(j, from, to, rows, true);
  else if (j->type == TOI_PLY_FLOAT32)
    copy_floats(j, from, to, rows, false);
  else if (j->swap)
    copy_doubles(j, from, to, rows, true);
  else
    copy_doubles(j, from, to, rows, false);
}

/* Rows [begin, end) of the file to `from`, where there is room. */
static toi_status fetch_rows(job *j, size_t begin, size_t end, char *from) {
  if (from == NULL)
    return TOI_ERROR_MEMORY;
  const size_t size = (end - begin) * j->row_bytes;
  size_t got;
  const toi_status status =
      toi_source_read_at(&j->ply->feed.source, j->offset + (uint64_t)begin * j->row_bytes, from, size, &got);
  return status == TOI_OK && got < size ? refuse(j, begin) : status;
}

static toi_status read_points(void *user, uint32_t thread, size_t begin, size_t end) {
  job *j = user;
  const size_t scalar = toi_ply_bytes(j->type);
  char *to = (char *)j->ply->maker.frame.vertices + begin * 3 * scalar;

  // Rows that are three coordinates in order go to their place at once.
  const bool bare = j->row_bytes == 3 * scalar && j->at[1] == scalar && j->at[2] == 2 * scalar;
  char *from = bare ? to : toi_scratch(j->ply->context, thread, CHUNK_BYTES);
  const toi_status status = fetch_rows(j, begin, end, from);
  if (status != TOI_OK)
    return status;
  if (!bare || j->swap)
    copy_points(j, from, to, end - begin);
  const size_t values = 3 * (end - begin);
  const bool finite = j->type == TOI_PLY_FLOAT32 ? floats_finite(to, values) : doubles_finite(to, values);
  return finite ? TOI_OK : refuse(j, begin);
}

/* Whether x, y and z are all floats or all doubles. */
static bool plan_points(job *j, const toi_ply_element *element) {
  size_t at = 0;
  toi_ply_type types[3] = {TOI_PLY_NO_TYPE};
  for (size_t i = 0; i < element->property_count; i++) {
    const toi_ply_property *property = &element->properties[i];
    if (property->role >= TOI_PLY_X && property->role <= TOI_PLY_Z) {
      j->at[property->role - TOI_PLY_X] = at;
      types[property->role - TOI_PLY_X] = (toi_ply_type)property->type;
    }
    at += toi_ply_bytes((toi_ply_type)property->type);
  }
  j->type = types[0];
  j->row_bytes = element->row_bytes;
  return types[0] == types[1] && types[0] == types[2] && (types[0] == TOI_PLY_FLOAT32 || types[0] == TOI_PLY_FLOAT64);
}

/* --- faces --- */

/* One face's corners, as a fan. The number of corners and the type are known where it is put in line. */
static inline uint32_t copy_face(const job *j, const char *from, uint32_t (*to)[3], size_t corners, toi_ply_type type) {
  const size_t bytes = toi_ply_bytes(type);
  uint32_t corner[MOST_CORNERS], largest = 0;
  for (size_t k = 0; k < corners; k++) {
    // A negative number becomes one that is out of range.
    corner[k] = (uint32_t)toi_ply_load(from + k * bytes, type, j->swap);
    largest = corner[k] > largest ? corner[k] : largest;
  }
  for (size_t k = 0; k + 2 < corners; k++) {
    to[k][0] = corner[0];
    to[k][1] = corner[k + 1];
    to[k][2] = corner[k + 2];
  }
  return largest;
}

/* False if a count or a corner is not as expected. */
static bool copy_faces(const job *j, const char *from, uint32_t (*to)[3], size_t rows) {
  const size_t behind = j->at[0] + toi_ply_bytes(j->count_type), triangles = j->corners - 2;
  const bool usual = j->corners == 3 && j->type == TOI_PLY_INT32;
  uint32_t largest = 0;
  bool same = true;
  for (size_t i = 0; i < rows; i++, from += j->row_bytes, to += triangles) {
    same &= toi_ply_load(from + j->at[0], j->count_type, j->swap) == (int64_t)j->corners;
    const uint32_t corner = usual ? copy_face(j, from + behind, to, 3, TOI_PLY_INT32)
                                  : copy_face(j, from + behind, to, j->corners, j->type);
    largest = corner > largest ? corner : largest;
  }
  return same && largest < j->ply->vertex_count;
}

static toi_status read_faces(void *user, uint32_t thread, size_t begin, size_t end) {
  job *j = user;
  char *from = toi_scratch(j->ply->context, thread, CHUNK_BYTES);
  const toi_status status = fetch_rows(j, begin, end, from);
  if (status != TOI_OK)
    return status;
  if (!copy_faces(j, from, j->ply->maker.frame.faces + begin * (j->corners - 2), end - begin))
    return refuse(j, begin);
  return TOI_OK;
}

/* Looks at the first face; true if all may be like it. */
static bool plan_faces(job *j, const toi_ply_element *element) {
  size_t at = 0;
  for (size_t i = 0; element->properties[i].role != TOI_PLY_CORNERS; i++)
    at += toi_ply_bytes((toi_ply_type)element->properties[i].type);
  const toi_ply_property *list = element->properties;
  while (list->role != TOI_PLY_CORNERS)
    list++;
  j->at[0] = at;
  j->type = (toi_ply_type)list->type;
  j->count_type = (toi_ply_type)list->count_type;
  char row[sizeof(uint32_t)];
  size_t got;
  if (toi_source_read_at(&j->ply->feed.source, j->offset + at, row, toi_ply_bytes(j->count_type), &got) != TOI_OK ||
      got < toi_ply_bytes(j->count_type))
    return false;
  const int64_t corners = toi_ply_load(row, j->count_type, j->swap);
  if (corners < 3 || corners > MOST_CORNERS)
    return false;
  j->corners = (size_t)corners;
  j->row_bytes = element->row_bytes + j->corners * toi_ply_bytes(j->type);
  return true;
}

/* --- both --- */

/* Room for all rows, which the file is long enough for. */
static toi_status reserve(job *j, const toi_ply_element *element, bool *fits) {
  const uint64_t rest = toi_feed_rest(&j->ply->feed);
  const bool faces = element->kind == TOI_PLY_FACE;
  const size_t each = faces ? j->corners - 2 : 1;
  *fits = element->count <= rest / j->row_bytes && element->count <= TOI_FRAME_MOST / each;
  if (!*fits)
    return TOI_OK;
  return faces ? toi_maker_reserve_faces(&j->ply->maker, (size_t)element->count * each)
               : toi_maker_reserve_vertices(&j->ply->maker, (size_t)element->count);
}

toi_status toi_ply_read_fast(toi_ply *ply, const toi_ply_element *element, uint64_t *row) {
  *row = 0;
  const bool faces = element->kind == TOI_PLY_FACE;
  const bool plain = ply->format != TOI_PLY_ASCII && toi_feed_seekable(&ply->feed) && element->count > 0;
  if (!plain || element->lists != (faces ? 1 : 0) || (!faces && element->kind != TOI_PLY_VERTEX))
    return TOI_OK;
  job j = {.ply = ply, .offset = toi_feed_place(&ply->feed), .swap = toi_ply_swapped(ply)};
  atomic_init(&j.failed, SIZE_MAX);
  if (!(faces ? plan_faces(&j, element) : plan_points(&j, element)) || j.row_bytes > CHUNK_BYTES)
    return TOI_OK;
  bool fits;
  toi_status status = reserve(&j, element, &fits);
  if (status != TOI_OK || !fits)
    return status;

  const size_t count = (size_t)element->count;
  status = toi_parallel(ply->context, count, CHUNK_BYTES / j.row_bytes, faces ? read_faces : read_points, &j);
  if (status != TOI_OK && status != TOI_ERROR_FORMAT)
    return status;
  const size_t done = smaller(count, atomic_load(&j.failed));
  assert((done < count) == (status == TOI_ERROR_FORMAT));
  if (faces)
    ply->maker.frame.face_count = done * (j.corners - 2);
  else
    ply->maker.frame.vertex_count = done;
  toi_feed_seek(&ply->feed, j.offset + (uint64_t)done * j.row_bytes);
  *row = done;
  return TOI_OK;
}
