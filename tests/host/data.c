/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Numbers, meshes and queries for the cases, made once in the default state, so that the cases need not compute. */

#include "host/data.h"

#include <math.h>
#include <string.h>

static double numbers[HOST_INPUT_COUNT][2 * HOST_REACH + 1];

enum { SIDE = 4, LOOSE = 4, VERTICES = 2 * SIDE * SIDE + LOOSE, FACES = 4 * (SIDE - 1) * (SIDE - 1) };

static host_mesh meshes[HOST_INPUT_COUNT];
static double starts[HOST_INPUT_COUNT][VERTICES][3], ends[HOST_INPUT_COUNT][VERTICES][3];
static double tangled[HOST_INPUT_COUNT][VERTICES][3];
static double thickness[HOST_INPUT_COUNT][VERTICES];
static uint32_t faces[FACES][3];
static uint32_t edges[3 * FACES][2];
static size_t edge_count;
static double queries[HOST_INPUT_COUNT][TOI_KIND_COUNT][HOST_QUERIES][2][4][3];

/* Sevenths have all their bits; 2^1009 times 2047 stays below 2^1020, as a thickness must. */
static double make_number(host_input input, int k) {
  switch (input) {
  case HOST_SUBNORMAL:
    return ldexp(k, -1074);
  case HOST_HUGE:
    return ldexp(k, 1009);
  case HOST_SPREAD:
    return k % 8 == 5 || k % 8 == -3 ? ldexp(k, -1074) : k % 64 == 33 ? ldexp(k, 1009) : k / 7.0;
  case HOST_REFUSED:
    return k > 100 && k % 16 == 5 ? NAN : k < -100 && k % 16 == -7 ? -INFINITY : k / 7.0;
  default:
    return k / 7.0;
  }
}

double host_number(host_input input, int k) {
  return numbers[input][k + HOST_REACH];
}

void host_point(host_input input, const int at[3], double point[3]) {
  for (int axis = 0; axis < 3; axis++)
    memcpy(&point[axis], &numbers[input][at[axis] + HOST_REACH], sizeof point[axis]);
}

/* A sheet of SIDE x SIDE vertices with uneven heights; the upper one is turned by a quarter and falls. */
static void make_sheets(host_input input) {
  for (int sheet = 0; sheet < 2; sheet++)
    for (int i = 0; i < SIDE; i++)
      for (int j = 0; j < SIDE; j++) {
        const int vertex = sheet * SIDE * SIDE + i * SIDE + j, bump = (i * 37 + j * 53 + sheet * 7) % 23 - 11;
        const int x = sheet == 0 ? 64 * i : 64 * j + 13, y = sheet == 0 ? 64 * j : 64 * i - 21;
        const int from[3] = {x, y, bump + 80 * sheet};
        const int to[3] = {x + 3 * sheet, y - 5 * sheet, bump + 80 * sheet - 140 * sheet};
        host_point(input, from, starts[input][vertex]);
        host_point(input, input == HOST_RESTING ? from : to, ends[input][vertex]);
        host_point(input, (const int[]){x, y, bump + 4 * sheet}, tangled[input][vertex]);
        thickness[input][vertex] = host_number(input, 1 + vertex % 3);
      }
}

/* A loose edge and two loose points below the lower sheet, which rise. */
static void make_loose(host_input input) {
  static const int from[LOOSE][3] = {{30, 41, -90}, {200, 90, -80}, {77, 130, -60}, {190, 201, -70}};
  static const int to[LOOSE][3] = {{30, 41, 60}, {200, 95, 50}, {79, 130, 40}, {-190, 201, 101}};
  for (int i = 0; i < LOOSE; i++) {
    const int vertex = 2 * SIDE * SIDE + i;
    host_point(input, from[i], starts[input][vertex]);
    host_point(input, from[i], tangled[input][vertex]);
    host_point(input, input == HOST_RESTING ? from[i] : to[i], ends[input][vertex]);
    thickness[input][vertex] = host_number(input, 2);
  }
}

static void make_faces(void) {
  size_t face = 0;
  for (uint32_t sheet = 0; sheet < 2; sheet++)
    for (uint32_t i = 0; i + 1 < SIDE; i++)
      for (uint32_t j = 0; j + 1 < SIDE; j++) {
        const uint32_t at = sheet * SIDE * SIDE + i * SIDE + j;
        const uint32_t corners[2][3] = {{at, at + SIDE, at + 1}, {at + 1, at + SIDE, at + SIDE + 1}};
        memcpy(faces[face], corners, sizeof corners);
        face += 2;
      }
}

/* As the library numbers them, and a loose one. */
static void add_edge(uint32_t a, uint32_t b) {
  const uint32_t lo = a < b ? a : b, hi = a < b ? b : a;
  for (size_t i = 0; i < edge_count; i++)
    if (edges[i][0] == lo && edges[i][1] == hi)
      return;
  edges[edge_count][0] = lo;
  edges[edge_count++][1] = hi;
}

static toi_half_space floors[HOST_INPUT_COUNT];

static void make_mesh(host_input input) {
  make_sheets(input);
  make_loose(input);
  host_mesh *made = &meshes[input];
  floors[input] = (toi_half_space){{0, 0, 1}, host_number(input, -100)};
  made->mesh = (toi_mesh){.start = starts[input],
                          .end = ends[input],
                          .vertex_count = VERTICES,
                          .edges = (const uint32_t(*)[2])edges,
                          .edge_count = edge_count,
                          .faces = (const uint32_t(*)[3])faces,
                          .face_count = FACES,
                          .thickness = thickness[input],
                          .half_spaces = &floors[input],
                          .half_space_count = 1};
  made->tangled = tangled[input];
  for (uint32_t i = 0; i < sizeof made->pairs / sizeof made->pairs[0]; i++)
    made->pairs[i] = (toi_pair){SIDE * SIDE + i % (SIDE * SIDE), i % (FACES / 2)};
  made->pair_count = sizeof made->pairs / sizeof made->pairs[0];
}

const host_mesh *host_mesh_of(host_input input) {
  return &meshes[input];
}

/* Primitives of about the same place that move about their own size: a good part of them touches. */
static void make_queries(host_input input, toi_kind kind) {
  static const size_t points[TOI_KIND_COUNT] = {4, 4, 3, 2};
  uint64_t random = 17 + (uint64_t)kind;
  for (size_t query = 0; query < HOST_QUERIES; query++) {
    double *to = &queries[input][kind][0][0][0][0] + query * 2 * points[kind] * 3;
    for (size_t i = 0; i < points[kind]; i++) {
      int from[3], move[3];
      for (int axis = 0; axis < 3; axis++) {
        random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        from[axis] = (int)(random >> 40 & 255) - 128;
        move[axis] = from[axis] + (input == HOST_RESTING ? 0 : (int)(random >> 50 & 511) - 256);
      }
      host_point(input, from, to + 3 * i);
      host_point(input, move, to + 3 * (points[kind] + i));
    }
  }
}

const double *host_queries(host_input input, toi_kind kind) {
  return &queries[input][kind][0][0][0][0];
}

void host_data_make(void) {
  make_faces();
  edge_count = 0;
  for (size_t face = 0; face < FACES; face++)
    for (size_t i = 0; i < 3; i++)
      add_edge(faces[face][i], faces[face][(i + 1) % 3]);
  add_edge(2 * SIDE * SIDE, 2 * SIDE * SIDE + 1);
  for (int input = 0; input < HOST_INPUT_COUNT; input++) {
    for (int k = -HOST_REACH; k <= HOST_REACH; k++)
      numbers[input][k + HOST_REACH] = make_number((host_input)input, k);
    make_mesh((host_input)input);
    for (int kind = 0; kind < TOI_KIND_COUNT; kind++)
      make_queries((host_input)input, (toi_kind)kind);
    host_files_make((host_input)input);
  }
}
