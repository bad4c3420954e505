/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* distance.h and proof.h: what is asked about two primitives besides their first contact. */

#include "host/cases.h"

#include <math.h>

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
                                         {"toi_distance_rational", distance_rational, HOST_FIGURES},
                                         {"toi_distance_part", distance_part, HOST_FIGURES},
                                         {"toi_prove", prove, HOST_FIGURES},
                                         {NULL, NULL, 0}};
