/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Meshes in a page: frames against the frame before, contacts in columns. */

#include "page_mesh.h"

#include <stdio.h>
#include <string.h>

#include "memory.h"
#include "session.h"

#define CHUNK_ROWS 8192
#define REALS 13

/* A contact, or a crossing, whose `behind` is in touching_at_start. */
typedef struct page_row {
  double reals[REALS]; /* t_lo, t_hi, t_safe, u, v, point, normal, separation, distance */
  uint32_t first, second;
  uint8_t kind, verdict, level, touching_at_start;
} page_row;

typedef struct page_rows {
  size_t count;
  bool crossings;
  page_row row[CHUNK_ROWS];
} page_rows;

/* --- connectivity and frames --- */

static toi_status indices(page_mesh *p, const char *tag, const uint32_t *first, size_t count, unsigned components) {
  const page_numbers numbers = {.base = first,
                                .count = count,
                                .stride = sizeof *first,
                                .width = 4,
                                .predictor = PAGE_BEFORE,
                                .components = components};
  const toi_status status = page_section(&p->page, tag, 0, page_array_bytes(&numbers));
  return status == TOI_OK ? page_array(&p->page, &numbers) : status;
}

toi_status page_mesh_connect(page_mesh *p, const stepping *s, const step_frame *frame) {
  if (!page_is_open(&p->page))
    return TOI_OK;
  const toi_frame *mesh = &frame->mesh;
  toi_status status = indices(p, "FACE", (const uint32_t *)mesh->faces, 3 * mesh->face_count, 3);
  if (status == TOI_OK)
    status = indices(p, "EDGE", (const uint32_t *)s->edges, 2 * s->edge_count, 2);
  if (status == TOI_OK && mesh->loose_count > 0)
    status = indices(p, "LOOS", (const uint32_t *)mesh->loose, 2 * mesh->loose_count, 2);
  return status;
}

toi_status page_mesh_frame(page_mesh *p, const step_frame *frame, const step_frame *before) {
  if (!page_is_open(&p->page))
    return TOI_OK;
  const unsigned width = frame->mesh.scalar == TOI_FLOAT32 ? 4 : 8;
  const page_numbers numbers = {.base = frame->mesh.vertices,
                                .count = 3 * frame->mesh.vertex_count,
                                .stride = width,
                                .width = width,
                                .predictor = before != NULL ? PAGE_REFERENCE : PAGE_BEFORE,
                                .components = 3,
                                .reference = before != NULL ? before->mesh.vertices : NULL};
  const uint32_t number = (uint32_t)json_array_size(p->frames);
  json_array_append_new(p->frames, json_text(frame->path));
  const toi_status status = page_section(&p->page, "VERT", number, page_array_bytes(&numbers));
  return status == TOI_OK ? page_array(&p->page, &numbers) : status;
}

/* --- contacts and crossings --- */

/* A column of the rows: where it is in a row, how wide, and how it is predicted. */
typedef struct column {
  size_t offset, reference;
  unsigned width;
  page_predictor predictor;
} column;

#define BYTES(field)                                                                                                   \
  { offsetof(page_row, field), 0, 1, PAGE_PLAIN }
#define INDEX(field)                                                                                                   \
  { offsetof(page_row, field), 0, 4, PAGE_BEFORE }
#define REAL(number)                                                                                                   \
  { offsetof(page_row, reals) + (number) * sizeof(double), 0, 8, PAGE_PLAIN }
/* Near t_lo. */
#define TIME(number)                                                                                                   \
  { offsetof(page_row, reals) + (number) * sizeof(double), offsetof(page_row, reals), 8, PAGE_REFERENCE }

static const column contact_columns[] = {BYTES(kind),  BYTES(verdict), BYTES(level), BYTES(touching_at_start),
                                         INDEX(first), INDEX(second),  REAL(0),      TIME(1),
                                         TIME(2),      REAL(3),        REAL(4),      REAL(5),
                                         REAL(6),      REAL(7),        REAL(8),      REAL(9),
                                         REAL(10),     REAL(11),       REAL(12)};
/* What short rows have: the page computes the others again from the pair, with the same bits. */
#define SHORT_COLUMNS 7
static const column crossing_columns[] = {BYTES(kind), BYTES(touching_at_start), INDEX(first), INDEX(second)};

static page_numbers numbers_of(const page_rows *rows, const column *own) {
  const char *row = (const char *)&rows->row[0];
  return (page_numbers){.base = row + own->offset,
                        .count = rows->count,
                        .stride = sizeof(page_row),
                        .width = own->width,
                        .predictor = own->predictor,
                        .components = 1,
                        .reference = row + own->reference};
}

toi_status page_mesh_flush(page_mesh *p) {
  page_rows *rows = p->rows;
  if (rows == NULL || rows->count == 0)
    return TOI_OK;
  const bool crossings = rows->crossings, brief = !crossings && p->pairs_suffice && p->contact_chunks > 0;
  const column *columns = crossings ? crossing_columns : contact_columns;
  const size_t count = crossings ? sizeof crossing_columns / sizeof crossing_columns[0]
                       : brief   ? SHORT_COLUMNS
                                 : sizeof contact_columns / sizeof contact_columns[0];
  const uint32_t head[2] = {(uint32_t)rows->count, p->step};
  uint64_t bytes = sizeof head;
  for (size_t i = 0; i < count; i++) {
    const page_numbers numbers = numbers_of(rows, &columns[i]);
    bytes += page_array_bytes(&numbers);
  }
  uint32_t *chunks = crossings ? &p->crossing_chunks : &p->contact_chunks;
  toi_status status = page_section(&p->page, crossings ? "CROS" : brief ? "PAIR" : "CONT", (*chunks)++, bytes);
  for (size_t i = 0; status == TOI_OK && i < 2; i++) {
    const unsigned char little[4] = {(unsigned char)head[i], (unsigned char)(head[i] >> 8),
                                     (unsigned char)(head[i] >> 16), (unsigned char)(head[i] >> 24)};
    status = page_append(&p->page, little, sizeof little);
  }
  for (size_t i = 0; status == TOI_OK && i < count; i++) {
    const page_numbers numbers = numbers_of(rows, &columns[i]);
    status = page_array(&p->page, &numbers);
  }
  rows->count = 0;
  return status;
}

/* Room for a row of this sort; NULL, with the status, if what was there cannot be written. */
static page_row *next_row(page_mesh *p, bool crossings, toi_status *status) {
  *status = TOI_OK;
  if (p->rows->count == CHUNK_ROWS || (p->rows->count > 0 && p->rows->crossings != crossings))
    *status = page_mesh_flush(p);
  p->rows->crossings = crossings;
  return *status == TOI_OK ? &p->rows->row[p->rows->count++] : NULL;
}

toi_status page_mesh_contacts(page_mesh *p, const toi_collision *collisions, size_t count) {
  for (size_t i = 0; page_is_open(&p->page) && i < count; i++) {
    const toi_hit *hit = &collisions[i].hit;
    toi_status status;
    page_row *row = next_row(p, false, &status);
    if (row == NULL)
      return status;
    *row = (page_row){.reals = {hit->t_lo, hit->t_hi, hit->t_safe, hit->u, hit->v, hit->point[0], hit->point[1],
                                hit->point[2], hit->normal[0], hit->normal[1], hit->normal[2], hit->separation,
                                hit->distance},
                      .first = collisions[i].pair.first,
                      .second = collisions[i].pair.second,
                      .kind = (uint8_t)collisions[i].kind,
                      .verdict = hit->verdict,
                      .level = hit->level,
                      .touching_at_start = hit->touching_at_start};
    p->contacts++;
  }
  return TOI_OK;
}

toi_status page_mesh_crossings(page_mesh *p, const toi_crossing *crossings, size_t count) {
  for (size_t i = 0; page_is_open(&p->page) && i < count; i++) {
    toi_status status;
    page_row *row = next_row(p, true, &status);
    if (row == NULL)
      return status;
    *row = (page_row){.first = crossings[i].pair.first,
                      .second = crossings[i].pair.second,
                      .kind = (uint8_t)(crossings[i].crossing ? TOI_EDGE_FACE : crossings[i].kind),
                      .touching_at_start = crossings[i].behind};
    p->crossings++;
  }
  return TOI_OK;
}

/* --- beginning and end --- */

/* Answers of these methods are a function of the coordinates and the separation alone, which the page has. */
static bool pairs_suffice(const toi_options *asked) {
  return asked->method == NULL || strcmp(asked->method, "certified") == 0 || strcmp(asked->method, "exact") == 0;
}

int page_mesh_open(page_mesh *p, const stepping *s, output *out, const char *viewer) {
  *p = (page_mesh){.rows = NULL};
  const int result = page_open(&p->page, s->context, out, viewer);
  if (result != EXIT_DONE || !page_is_open(&p->page))
    return result;
  p->pairs_suffice = pairs_suffice(&s->asked);
  p->frames = json_array();
  p->rows = memory_zeroed(1, sizeof *p->rows);
  return p->rows != NULL ? EXIT_DONE : memory_fail("the page", "close other programs");
}

void page_mesh_close(page_mesh *p) {
  page_close(&p->page);
  memory_free(p->rows);
  json_decref(p->frames);
  *p = (page_mesh){.rows = NULL};
}

static json_t *half_spaces_list(const step_options *o) {
  json_t *list = json_array();
  for (size_t i = 0; i < o->half_space_texts.count; i++) {
    json_t *one = json_array();
    for (int k = 0; k < 3; k++)
      json_array_append_new(one, json_number(o->half_spaces[i].normal[k]));
    json_array_append_new(one, json_number(o->half_spaces[i].offset));
    json_array_append_new(list, one);
  }
  return list;
}

static json_t *options_json(const toi_options *asked) {
  json_t *object = json_object();
  json_object_set_new(object, "method", json_text(asked->method != NULL ? asked->method : toi_method_name(0)));
  json_object_set_new(object, "t_max", json_number(asked->t_max));
  json_object_set_new(object, "min_separation", json_number(asked->min_separation));
  json_object_set_new(object, "separation_fraction", json_number(asked->separation_fraction));
  json_object_set_new(object, "norm", json_text(asked->norm == TOI_NORM_LINF ? "linf" : "l2"));
  json_object_set_new(object, "tolerance", json_number(asked->tolerance));
  return object;
}

static json_t *mesh_json(const page_mesh *p, const stepping *s, const step_frame *frame) {
  json_t *object = json_object();
  json_object_set_new(object, "scalar", json_text(frame->mesh.scalar == TOI_FLOAT32 ? "float32" : "float64"));
  json_object_set_new(object, "vertices", json_count(frame->mesh.vertex_count, true));
  json_object_set_new(object, "edges", json_count(s->edge_count, true));
  json_object_set_new(object, "faces", json_count(frame->mesh.face_count, true));
  json_object_set_new(object, "loose", json_count(frame->mesh.loose_count, true));
  json_object_set(object, "frames", p->frames);
  json_object_set_new(object, "half_spaces", half_spaces_list(s->options));
  return object;
}

static json_t *count_json(uint64_t count, const char *key, json_t *value) {
  json_t *object = json_object();
  json_object_set_new(object, "count", json_count(count, true));
  json_object_set_new(object, key, value);
  return object;
}

/* The first frame's name, and the last one's if there is another. */
static void title_of(const page_mesh *p, char *title, size_t size) {
  const size_t count = json_array_size(p->frames);
  const char *first = json_string_value(json_array_get(p->frames, 0));
  const char *last = json_string_value(json_array_get(p->frames, count - 1));
  if (count > 1)
    snprintf(title, size, "%s -> %s", first != NULL ? first : "", last != NULL ? last : "");
  else
    snprintf(title, size, "%s", first != NULL ? first : "");
}

int page_mesh_finish(page_mesh *p, const stepping *s, const step_frame *frame, const char *view, json_t *answer) {
  const toi_status status = page_mesh_flush(p);
  if (status != TOI_OK) {
    json_decref(answer);
    return session_fail(s->context, status, NULL);
  }
  char title[1024];
  title_of(p, title, sizeof title);
  json_t *header = page_header(view, title), *examined = json_array();
  if (!s->options->no_start_check)
    json_array_append_new(examined, json_count(0, true));
  json_object_set_new(header, "options", options_json(&s->asked));
  json_object_set_new(header, "mesh", mesh_json(p, s, frame));
  json_object_set_new(header, "answer", page_answer(answer));
  json_object_set_new(header, "contacts", count_json(p->contacts, "every", json_true()));
  json_object_set_new(header, "crossings", count_json(p->crossings, "frames", examined));
  return page_finish(&p->page, s->context, header);
}
