/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Which vertices can reach a half-space.
 *
 * A vertex and a half-space are a candidate if the vertex' box, grown by twice the radius, since the half-space has no
 * box to grow, reaches it: if the least value of n . x - c over the box is not proved to be positive.
 *
 * Claim: others stay farther away than the separation. Why: the box holds the cube of half-width T + reach w around
 * every position in [0, t_max], T the separation and the thickness, w the displacement. If n . x > c on it, the plane
 * is farther away than T + reach w in the maximum norm, and so in the Euclidean. With a fraction F the distance d at a
 * time of contact has d - T <= F (d0 - T) and d0 - d <= w, hence d - T <= F w / (1 - F) <= reach w.
 *
 * Claim: the least value is not below s - (ERROR m + FLOOR), s and m the sums of the products and of their magnitudes,
 * c included, in doubles; the derivation is that of narrow/half_space.c, whose constants these are. Where m is not
 * finite, the pair is a candidate. */

#include <float.h>
#include <math.h>
#include <stdatomic.h>

#include "base/platform.h"
#include "broad/broad.h"
#include "broad/rules.h"

#define ERROR 0x1p-50
#define FLOOR 0x1p-1070

#define VERTEX_GRAIN 4096

/* Pairs that are handed on at a time. */
#define MANY 512

typedef struct half_space_run {
  const toi_broad_question *question;
  toi_boxer boxer;
  atomic_uint_fast64_t handed_on, consumer_ns;
} half_space_run;

/* The candidates that a thread found. */
typedef struct found_pairs {
  uint32_t thread;
  size_t count;
  toi_pair pairs[MANY];
} found_pairs;

static toi_status hand_on(half_space_run *run, found_pairs *found) {
  const toi_broad_question *question = run->question;
  const uint64_t begin = toi_clock();
  const size_t count = found->count;
  found->count = 0;
  const toi_status status =
      question->consume(question->user, found->thread, TOI_JOIN_VERTEX_HALF_SPACE, found->pairs, count);
  atomic_fetch_add_explicit(&run->handed_on, count, memory_order_relaxed);
  atomic_fetch_add_explicit(&run->consumer_ns, toi_clock() - begin, memory_order_relaxed);
  return status;
}

static bool reaches(const toi_swept_box *box, const toi_half_space *half_space) {
  double sum = 0, magnitudes = 0;
  for (int k = 0; k < 3; k++) {
    const double n = half_space->normal[k], product = n == 0 ? 0 : n * (n > 0 ? box->lo[k] : box->hi[k]);
    sum += product;
    magnitudes += fabs(product);
  }
  sum -= half_space->offset;
  magnitudes += fabs(half_space->offset);
  return !(sum > ERROR * magnitudes + FLOOR && magnitudes <= DBL_MAX);
}

/* Whether the rules of the mesh let a vertex meet half-spaces at all. */
static bool takes_part(const toi_broad_question *question, uint32_t vertex) {
  const toi_mesh *mesh = question->mesh;
  if (vertex < question->first_begin || vertex >= question->first_end)
    return false;
  if (mesh->fixed && mesh->fixed[vertex])
    return false;
  return !mesh->skipped || !(mesh->skipped[vertex / 64] >> vertex % 64 & 1);
}

static toi_status meet_vertices(void *user, uint32_t thread, size_t begin, size_t end) {
  half_space_run *run = user;
  const toi_mesh *mesh = run->question->mesh;
  found_pairs found = {.thread = thread};
  toi_status status = TOI_OK;
  for (size_t i = begin; i < end && status == TOI_OK; i++) {
    toi_swept_box box;
    if (!takes_part(run->question, (uint32_t)i))
      continue;
    toi_box_of(&run->boxer, TOI_PRIMITIVE_VERTEX, (uint32_t)i, &box);
    for (size_t h = 0; h < mesh->half_space_count && status == TOI_OK; h++) {
      if (!reaches(&box, &mesh->half_spaces[h]) ||
          !toi_may_collide(run->question->options, TOI_VERTEX_HALF_SPACE, (uint32_t)i, (uint32_t)h))
        continue;
      found.pairs[found.count++] = (toi_pair){(uint32_t)i, (uint32_t)h};
      if (found.count == MANY)
        status = hand_on(run, &found);
    }
  }
  return status == TOI_OK && found.count > 0 ? hand_on(run, &found) : status;
}

toi_status toi_half_space_candidates(toi_context *context, const toi_broad_question *question) {
  const toi_mesh *mesh = question->mesh;
  if (!(question->kinds >> TOI_JOIN_VERTEX_HALF_SPACE & 1) || mesh->half_space_count == 0)
    return TOI_OK;
  const uint64_t begin = toi_clock();
  half_space_run run = {
      .question = question,
      .boxer = {.mesh = mesh, .t_max = question->t_max, .radius = 2 * question->radius, .reach = question->reach}};
  const toi_status status = toi_parallel(context, mesh->vertex_count, VERTEX_GRAIN, meet_vertices, &run);
  toi_work *work = question->options->work;
  if (work) {
    const uint64_t all = toi_clock() - begin;
    uint64_t consumers = run.consumer_ns / toi_context_threads(context);
    consumers = consumers < all ? consumers : all;
    work->candidates[TOI_VERTEX_HALF_SPACE] += run.handed_on;
    work->narrow_ns += consumers;
    work->broad_ns += all - consumers;
  }
  return status;
}
