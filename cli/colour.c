/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Coloured meshes, binary little-endian PLY with uchar red, green, blue for vertices, faces and loose edges, as common
 * viewers read it. */

#include "colour.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "memory.h"

/* The longest row: a vertex of three doubles and a colour. */
#define ROW_BYTES 32
#define BLOCK_BYTES 8192

typedef struct colouring {
  output *out;
  const toi_frame *frame;
  const patches *patches;
  uint32_t *vertices; /* the number that colours each vertex */
  size_t used;
  unsigned char block[BLOCK_BYTES];
} colouring;

/* --- colours --- */

void patch_colour(uint32_t number, uint8_t colour[3]) {
  static const uint8_t grey[3] = {160, 160, 160}, yellow[3] = {250, 220, 60};
  if (number >= PATCH_TOUCHES) {
    memcpy(colour, number == PATCH_NONE ? grey : yellow, 3);
    return;
  }
  // Hues a golden section of the circle apart, red first: any few in a row are far from each other. A tenth of the
  // circle around yellow, which is at 1, is left out.
  const double golden = 0.6180339887498949, red = 4.7 / 5.4, turn = red + number * golden;
  const double hue = fmod(1.3 + 5.4 * (turn - floor(turn)), 6);
  for (int k = 0; k < 3; k++) {
    // How far around the circle the hue is from red, green or blue.
    const double away = fabs(hue - 2 * k), nearest = away > 3 ? 6 - away : away;
    const double part = nearest <= 1 ? 1 : nearest >= 2 ? 0 : 2 - nearest;
    colour[k] = (uint8_t)(40 + 190 * part);
  }
}

static uint32_t smaller(uint32_t a, uint32_t b) {
  return a < b ? a : b;
}

/* The number of an edge; edges are i < j, in the order of j, then of i. */
static uint32_t edge_number(const toi_mesh *mesh, uint32_t a, uint32_t b) {
  const uint32_t i = a < b ? a : b, j = a < b ? b : a;
  size_t begin = 0, end = mesh->edge_count;
  while (end - begin > 1) {
    const size_t middle = begin + (end - begin) / 2;
    const uint32_t *edge = mesh->edges[middle];
    if (edge[1] < j || (edge[1] == j && edge[0] <= i))
      begin = middle;
    else
      end = middle;
  }
  return (uint32_t)begin;
}

static uint32_t number_of_edge(const colouring *c, uint32_t a, uint32_t b) {
  return a == b ? PATCH_NONE : patches_of_edge(c->patches, edge_number(c->patches->mesh, a, b));
}

/* A face is of the first patch that it or one of its sides is of. */
static uint32_t number_of_face(const colouring *c, size_t face) {
  const uint32_t *corners = c->frame->faces[face];
  uint32_t number = patches_of_face(c->patches, (uint32_t)face);
  for (int k = 0; k < 3; k++)
    number = smaller(number, number_of_edge(c, corners[k], corners[(k + 1) % 3]));
  return number;
}

static void number_vertices(colouring *c) {
  const patches *p = c->patches;
  for (size_t i = 0; i < c->frame->vertex_count; i++)
    c->vertices[i] = p->touched[i] ? PATCH_TOUCHES : PATCH_NONE;
  for (uint32_t i = 0; i < p->mesh->edge_count; i++)
    for (int k = 0; k < 2; k++) {
      uint32_t *vertex = &c->vertices[p->mesh->edges[i][k]];
      *vertex = smaller(*vertex, patches_of_edge(p, i));
    }
  for (size_t i = 0; i < c->frame->face_count; i++) {
    const uint32_t number = number_of_face(c, i);
    for (int k = 0; k < 3; k++) {
      uint32_t *vertex = &c->vertices[c->frame->faces[i][k]];
      *vertex = smaller(*vertex, number);
    }
  }
}

/* --- rows --- */

static void put_bytes(colouring *c, uint64_t bits, int bytes) {
  for (int i = 0; i < bytes; i++)
    c->block[c->used++] = (unsigned char)(bits >> 8 * i);
}

static void put_colour(colouring *c, uint32_t number) {
  uint8_t colour[3];
  patch_colour(number, colour);
  for (int k = 0; k < 3; k++)
    put_bytes(c, colour[k], 1);
}

static void put_vertex(colouring *c, size_t row) {
  for (size_t k = 3 * row; k < 3 * row + 3; k++) {
    if (c->frame->scalar == TOI_FLOAT32) {
      uint32_t bits;
      memcpy(&bits, (const float *)c->frame->vertices + k, sizeof bits);
      put_bytes(c, bits, 4);
    } else {
      uint64_t bits;
      memcpy(&bits, (const double *)c->frame->vertices + k, sizeof bits);
      put_bytes(c, bits, 8);
    }
  }
  put_colour(c, c->vertices[row]);
}

static void put_face(colouring *c, size_t row) {
  put_bytes(c, 3, 1);
  for (int k = 0; k < 3; k++)
    put_bytes(c, c->frame->faces[row][k], 4);
  put_colour(c, number_of_face(c, row));
}

static void put_edge(colouring *c, size_t row) {
  const uint32_t *edge = c->frame->loose[row];
  for (int k = 0; k < 2; k++)
    put_bytes(c, edge[k], 4);
  put_colour(c, number_of_edge(c, edge[0], edge[1]));
}

static toi_status append_rows(colouring *c, size_t count, void (*put)(colouring *c, size_t row)) {
  toi_status status = TOI_OK;
  for (size_t row = 0; row < count && status == TOI_OK; row++) {
    put(c, row);
    if (c->used + ROW_BYTES <= BLOCK_BYTES && row + 1 < count)
      continue;
    status = output_append(c->out, c->block, c->used);
    c->used = 0;
  }
  return status;
}

#define COLOUR_PROPERTIES "property uchar red\nproperty uchar green\nproperty uchar blue\n"

static toi_status append_header(const colouring *c) {
  const toi_frame *frame = c->frame;
  const char *scalar = frame->scalar == TOI_FLOAT32 ? "float" : "double";
  const char *number = frame->vertex_count <= INT32_MAX ? "int" : "uint";
  char text[1024];
  int length = snprintf(text, sizeof text,
                        "ply\nformat binary_little_endian 1.0\ncomment a colour for each patch of crossings; yellow "
                        "touches, grey is free\nelement vertex %zu\nproperty %s x\nproperty %s y\nproperty %s z\n"
                        "%selement face %zu\nproperty list uchar %s vertex_indices\n%s",
                        frame->vertex_count, scalar, scalar, scalar, COLOUR_PROPERTIES, frame->face_count, number,
                        COLOUR_PROPERTIES);
  if (frame->loose_count > 0)
    length += snprintf(text + length, sizeof text - (size_t)length,
                       "element edge %zu\nproperty %s vertex1\nproperty %s vertex2\n%s", frame->loose_count, number,
                       number, COLOUR_PROPERTIES);
  length += snprintf(text + length, sizeof text - (size_t)length, "end_header\n");
  return output_append(c->out, text, (size_t)length);
}

toi_status colour_append(output *out, const toi_frame *frame, const patches *p) {
  colouring c = {.out = out, .frame = frame, .patches = p};
  c.vertices = memory_resize(NULL, frame->vertex_count, sizeof *c.vertices);
  if (c.vertices == NULL)
    return TOI_ERROR_MEMORY;
  number_vertices(&c);
  toi_status status = append_header(&c);
  if (status == TOI_OK)
    status = append_rows(&c, frame->vertex_count, put_vertex);
  if (status == TOI_OK)
    status = append_rows(&c, frame->face_count, put_face);
  if (status == TOI_OK)
    status = append_rows(&c, frame->loose_count, put_edge);
  memory_free(c.vertices);
  return status;
}
