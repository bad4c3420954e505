/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* stencil.h: derivatives of two features, and the stencils of a mesh with theirs. */

#include "host/cases.h"

#include <string.h>

enum { KEPT = 64 };

static const size_t points_of[TOI_KIND_COUNT] = {4, 4, 3, 2};

/* The start of query `number` of a kind. */
static const double (*start_of(host_run *run, toi_kind kind, size_t number))[3] {
  return (const double(*)[3])(const void *)(host_queries(run->input, kind) + number * 2 * points_of[kind] * 3);
}

/* On failure all of them are 0. */
static void check_zeroes(host_run *run, double value, const double gradient[12], const double hessian[144], size_t n) {
  HOST_CHECK(run, value == 0);
  for (size_t i = 0; i < n; i++)
    HOST_CHECK(run, gradient[i] == 0);
  for (size_t i = 0; i < n * n; i++)
    HOST_CHECK(run, hessian[i] == 0);
}

static void derivatives(host_run *run) {
  for (size_t i = 0; i < HOST_QUERIES; i++) {
    const toi_kind kind = (toi_kind)(i % TOI_KIND_COUNT);
    const size_t n = 3 * points_of[kind];
    double squared, gradient[12], hessian[144];
    HOST_SPOIL(squared);
    HOST_SPOIL(gradient);
    HOST_SPOIL(hessian);
    toi_status status;
    HOST_CALL(run, status, toi_stencil_derivatives, (kind, start_of(run, kind, i), &squared, gradient, hessian));
    if (!host_status(run, status))
      check_zeroes(run, squared, gradient, hessian, n);
    HOST_BITS(run, squared);
    host_bits(run, "gradient", gradient, n * sizeof(double));
    host_bits(run, "hessian", hessian, n * n * sizeof(double));
  }
}

static void mollifier(host_run *run) {
  for (size_t i = 0; i < HOST_QUERIES; i++) {
    double value, gradient[12], hessian[144];
    HOST_SPOIL(value);
    HOST_SPOIL(gradient);
    HOST_SPOIL(hessian);
    toi_status status;
    HOST_CALL(run, status, toi_stencil_mollifier,
              (start_of(run, TOI_EDGE_EDGE, i), host_number(run->input, 1900), &value, gradient, hessian));
    if (!host_status(run, status))
      check_zeroes(run, value, gradient, hessian, 12);
    HOST_BITS(run, value);
    HOST_BITS(run, gradient);
    HOST_BITS(run, hessian);
  }
}

/* What a visitor received. */
typedef struct received {
  host_run *run;
  toi_stencil kept[KEPT];
  size_t count;
} received;

static toi_status receive(void *user, const toi_stencil *stencils, size_t count) {
  received *all = user;
  host_called(all->run, HOST_RECEIVES);
  for (size_t i = 0; i < count; i++) {
    host_bits(all->run, "stencil", &stencils[i], sizeof stencils[i]);
    memcpy(&all->kept[(all->count + i) % KEPT], &stencils[i], sizeof stencils[i]);
  }
  all->count += count;
  return TOI_OK;
}

/* The last stencils that came, at the end of the step. */
static void derive_kept(host_run *run, const toi_mesh *mesh, const received *all) {
  static double squared[KEPT], gradients[KEPT][12], hessians[KEPT][144];
  static double mollifiers[KEPT], slopes[KEPT][12], bends[KEPT][144];
  const size_t count = all->count < KEPT ? all->count : KEPT;
  toi_stencil_arrays arrays;
  HOST_DO(run, toi_stencil_arrays_init, (&arrays, sizeof arrays));
  arrays.squared = squared;
  arrays.gradients = gradients;
  arrays.hessians = hessians;
  arrays.mollifiers = mollifiers;
  arrays.mollifier_gradients = slopes;
  arrays.mollifier_hessians = bends;
  memset(gradients, 0, sizeof gradients);
  memset(hessians, 0, sizeof hessians);
  memset(slopes, 0, sizeof slopes);
  memset(bends, 0, sizeof bends);
  toi_status status;
  HOST_CALL(run, status, toi_stencil_batch, (run->context, mesh, all->kept, count, &arrays));
  if (!host_context_status(run, status))
    for (size_t i = 0; i < count; i++)
      HOST_CHECK(run, squared[i] == 0 && gradients[i][0] == 0 && hessians[i][0] == 0 && mollifiers[i] == 0);
  host_bits(run, "squared", squared, count * sizeof squared[0]);
  host_bits(run, "gradients", gradients, count * sizeof gradients[0]);
  host_bits(run, "hessians", hessians, count * sizeof hessians[0]);
  host_bits(run, "mollifiers", mollifiers, count * sizeof mollifiers[0]);
  host_bits(run, "slopes", slopes, count * sizeof slopes[0]);
  host_bits(run, "bends", bends, count * sizeof bends[0]);
}

/* The sheets at rest and apart, with and without the end as their rest. */
static void stencils(host_run *run) {
  static received all;
  for (size_t way = 0; way < 2; way++) {
    toi_mesh mesh = host_mesh_of(run->input)->mesh;
    toi_options options;
    toi_stencil_options own;
    HOST_DO(run, toi_options_init, (&options, sizeof options));
    HOST_DO(run, toi_stencil_options_init, (&own, sizeof own));
    own.rest = way == 1 ? mesh.end : NULL;
    all = (received){.run = run};
    toi_status status;
    HOST_CALL(run, status, toi_stencils,
              (run->context, &mesh, host_number(run->input, 60 + 30 * (int)way), &options, &own, receive, &all));
    if (!host_context_status(run, status))
      continue;
    HOST_CHECK(run, all.count > 0);
    HOST_BITS(run, all.count);
    derive_kept(run, &mesh, &all);
    mesh.start = mesh.end;
    derive_kept(run, &mesh, &all);
  }
}

static toi_status end_at_once(void *user, const toi_stencil *all, size_t count) {
  (void)all, (void)count;
  host_called(user, HOST_RECEIVES);
  return TOI_ERROR_UNSUPPORTED;
}

static void ended_by_visitor(host_run *run) {
  const toi_mesh mesh = host_mesh_of(run->input)->mesh;
  toi_options options;
  HOST_DO(run, toi_options_init, (&options, sizeof options));
  toi_status status;
  HOST_CALL(run, status, toi_stencils,
            (run->context, &mesh, host_number(run->input, 60), &options, NULL, end_at_once, run));
  host_status(run, status);
}

const host_case host_stencil_cases[] = {{"toi_stencil_derivatives", derivatives, HOST_FIGURES},
                                        {"toi_stencil_mollifier", mollifier, HOST_FIGURES},
                                        {"toi_stencils", stencils, HOST_FIGURES},
                                        {"toi_stencils, ended", ended_by_visitor, HOST_FIGURES},
                                        {NULL, NULL, 0}};
