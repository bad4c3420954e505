/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* distance.h and proof.h: what is asked about two primitives besides their first contact. */

#include "host/cases.h"

#include <math.h>
#include <string.h>

/* The start of query `number` of a kind. */
static const double (*start_of(host_run *run, toi_kind kind, size_t number))[3] {
  static const size_t points[TOI_KIND_COUNT] = {4, 4, 3, 2};
  return (const double(*)[3])(const void *)(host_queries(run->input, kind) + number * 2 * points[kind] * 3);
}

static void distance_fast(host_run *run) {
  for (size_t i = 0; i < HOST_QUERIES; i++) {
    const toi_kind kind = (toi_kind)(i % TOI_KIND_COUNT);
    toi_distance distance;
    HOST_SPOIL(distance);
    toi_status status;
    HOST_CALL(run, status, toi_distance_fast,
              (kind, start_of(run, kind, i), i % 3 == 0 ? TOI_NORM_LINF : TOI_NORM_L2, &distance));
    if (!host_status(run, status))
      HOST_CHECK(run, distance.lo == 0 && distance.hi == INFINITY);
    HOST_BITS(run, distance);
  }
}

/* All points of a kind, one after the other: those of the starts. */
static void distance_batch(host_run *run) {
  for (size_t way = 0; way < 2 * TOI_KIND_COUNT; way++) {
    static const size_t points[TOI_KIND_COUNT] = {4, 4, 3, 2};
    const toi_kind kind = (toi_kind)(way % TOI_KIND_COUNT);
    double packed[HOST_QUERIES * 12];
    for (size_t i = 0; i < HOST_QUERIES; i++)
      memcpy(packed + i * 3 * points[kind], start_of(run, kind, i), 3 * points[kind] * sizeof(double));
    toi_distance distances[HOST_QUERIES];
    HOST_SPOIL(distances);
    toi_status status;
    HOST_CALL(run, status, toi_distance_batch,
              (run->context, kind, packed, HOST_QUERIES, way % 2 == 0 ? TOI_NORM_LINF : TOI_NORM_L2, distances));
    if (!host_context_status(run, status))
      HOST_CHECK(run, distances[0].lo == 0 && distances[HOST_QUERIES - 1].hi == INFINITY);
    HOST_BITS(run, distances);
  }
}

static void distance_batch_indexed(host_run *run) {
  const host_mesh *data = host_mesh_of(run->input);
  for (int norm = 0; norm < 2; norm++) {
    toi_distance distances[sizeof data->pairs / sizeof data->pairs[0]];
    HOST_SPOIL(distances);
    toi_status status;
    HOST_CALL(run, status, toi_distance_batch_indexed,
              (run->context, TOI_VERTEX_FACE, &data->mesh, data->pairs, data->pair_count, (toi_norm)norm, distances));
    if (!host_context_status(run, status))
      HOST_CHECK(run, distances[0].lo == 0 && distances[data->pair_count - 1].hi == INFINITY);
    host_bits(run, "distances", distances, data->pair_count * sizeof distances[0]);
  }
}

static void half_space_distance(host_run *run) {
  for (size_t i = 0; i < HOST_QUERIES; i++) {
    const double(*points)[3] = start_of(run, TOI_VERTEX_VERTEX, i);
    toi_half_space half_space = {.offset = host_number(run->input, 9)};
    memcpy(half_space.normal, points[1], sizeof half_space.normal);
    toi_distance distance;
    HOST_SPOIL(distance);
    toi_status status;
    HOST_CALL(run, status, toi_half_space_distance,
              (points[0], &half_space, i % 3 == 0 ? TOI_NORM_LINF : TOI_NORM_L2, &distance));
    if (!host_status(run, status))
      HOST_CHECK(run, distance.lo == 0 && distance.hi == INFINITY);
    HOST_BITS(run, distance);
  }
}

static void distance_rational(host_run *run) {
  for (size_t i = 0; i < HOST_QUERIES; i++) {
    const toi_kind kind = (toi_kind)(i % TOI_KIND_COUNT);
    char text[4096] = "?";
    size_t size = sizeof text;
    toi_status status;
    HOST_CALL(run, status, toi_distance_rational,
              (kind, start_of(run, kind, i), i % 3 == 0 ? TOI_NORM_LINF : TOI_NORM_L2, text, &size));
    if (!host_status(run, status))
      HOST_CHECK(run, text[0] == '\0' && size == 0);
    host_text(run, "distance", text);
  }
}

static void distance_part(host_run *run) {
  for (size_t i = 0; i < HOST_QUERIES; i++) {
    const toi_kind kind = (toi_kind)(i % TOI_KIND_COUNT);
    double part;
    HOST_SPOIL(part);
    toi_status status;
    HOST_CALL(run, status, toi_distance_part,
              (kind, start_of(run, kind, i), i % 3 == 0 ? TOI_NORM_LINF : TOI_NORM_L2, 0.7, &part));
    if (!host_status(run, status))
      HOST_CHECK(run, part == 0);
    HOST_BITS(run, part);
  }
}

static void prove_one(host_run *run, toi_kind kind, size_t number, bool separated) {
  static const size_t points[TOI_KIND_COUNT] = {4, 4, 3, 2};
  toi_options options;
  HOST_DO(run, toi_options_init, (&options, sizeof options));
  if (separated)
    options.min_separation = host_number(run->input, 9);
  const double *start = &start_of(run, kind, number)[0][0];
  toi_proof *proof = host_nowhere();
  toi_status status;
  HOST_CALL(run, status, toi_prove,
            (run->context, kind, start, start + 3 * points[kind], &options, TOI_PROOF_CERTIFICATE, &proof));
  if (!host_context_status(run, status)) {
    HOST_CHECK(run, proof == NULL);
    return;
  }
  HOST_BITS(run, proof->hit);
  HOST_BITS(run, proof->contact_times);
  HOST_BITS(run, proof->degree);
  host_text(run, "polynomial", proof->polynomial);
  host_text(run, "lo", proof->lo);
  host_text(run, "hi", proof->hi);
  host_text(run, "certificate", proof->certificate);
  HOST_DO(run, toi_proof_free, (run->context, proof));
}

/* Of the spread queries edge-edge 2, 12 and 14 touch, at times whose polynomials have a thousand digits. */
static void prove(host_run *run) {
  static const size_t numbers[] = {2, 12, 14, 7};
  for (int kind = 0; kind < TOI_KIND_COUNT; kind++)
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
      prove_one(run, (toi_kind)kind, numbers[i], i == 3);
}

const host_case host_distance_cases[] = {{"toi_distance_fast", distance_fast, HOST_FIGURES},
                                         {"toi_distance_batch", distance_batch, HOST_FIGURES},
                                         {"toi_distance_batch_indexed", distance_batch_indexed, HOST_FIGURES},
                                         {"toi_half_space_distance", half_space_distance, HOST_FIGURES},
                                         {"toi_distance_rational", distance_rational, HOST_FIGURES},
                                         {"toi_distance_part", distance_part, HOST_FIGURES},
                                         {"toi_prove", prove, HOST_FIGURES},
                                         {NULL, NULL, 0}};
