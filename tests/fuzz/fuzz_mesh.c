/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Tiny meshes, also ill-formed ones: every broad phase gives the same first impact, which is the first of the
 * collisions; crossings begin with the pair that toi_mesh_intersects() names; where the line search ends, nothing was
 * touched; and stencils account for all close pairs, and have derivatives. */

#include "fuzz/fuzz.h"

#include <toi/scene.h>

#include <math.h>
#include <string.h>

enum { VERTICES = 9, FACES = 6, EDGES = 8, HALF_SPACES = 2 };

typedef struct tiny {
  double start[VERTICES][3], end[VERTICES][3];
  uint32_t faces[FACES][3], edges[EDGES][2], bodies[VERTICES];
  uint8_t fixed[VERTICES];
  double thickness[VERTICES];
  toi_half_space half_spaces[HALF_SPACES];
  toi_mesh mesh;
} tiny;

static void draw_mesh(fuzz_bytes *bytes, tiny *t) {
  const uint8_t how = fuzz_byte(bytes);
  const fuzz_style style = (fuzz_style)(how % FUZZ_STYLES);
  const uint32_t vertices = 1 + fuzz_choice(bytes, VERTICES), faces = fuzz_choice(bytes, FACES + 1);
  // Now and then an index is out of range.
  const uint32_t range = vertices + ((how & 0xf0) == 0xf0);
  for (uint32_t i = 0; i < vertices; i++) {
    for (int k = 0; k < 3; k++) {
      t->start[i][k] = fuzz_double(bytes, style);
      t->end[i][k] = (how & 4) != 0 ? fuzz_double(bytes, style) : t->start[i][k] + fuzz_double(bytes, style);
    }
    t->bodies[i] = i / 3;
    t->fixed[i] = i % 4 == 1;
    t->thickness[i] = (double)i / 64;
  }
  for (uint32_t i = 0; i < faces; i++)
    for (int k = 0; k < 3; k++)
      t->faces[i][k] = fuzz_choice(bytes, range);
  t->mesh = (toi_mesh){.start = t->start,
                       .end = t->end,
                       .vertex_count = vertices,
                       .faces = (const uint32_t(*)[3])t->faces,
                       .face_count = faces,
                       .bodies = (how & 8) != 0 ? t->bodies : NULL,
                       .fixed = (how & 16) != 0 ? t->fixed : NULL,
                       .thickness = (how & 32) != 0 ? t->thickness : NULL};
  if (faces == 0 && (how & 64) != 0) {
    t->mesh.edge_count = 1 + fuzz_choice(bytes, EDGES);
    for (uint32_t i = 0; i < t->mesh.edge_count; i++)
      for (int k = 0; k < 2; k++)
        t->edges[i][k] = fuzz_choice(bytes, range);
    t->mesh.edges = (const uint32_t(*)[2])t->edges;
  }
  t->mesh.half_space_count = fuzz_choice(bytes, HALF_SPACES + 1);
  t->mesh.half_spaces = t->half_spaces;
  for (size_t i = 0; i < t->mesh.half_space_count; i++) {
    for (int k = 0; k < 3; k++)
      t->half_spaces[i].normal[k] = fuzz_double(bytes, style);
    t->half_spaces[i].offset = fuzz_double(bytes, style);
  }
}

typedef struct first_seen {
  size_t count;
  toi_collision earliest;
  toi_crossing crossing;
} first_seen;

static toi_status see_collisions(void *user, const toi_collision *collisions, size_t count) {
  first_seen *seen = user;
  for (size_t i = 0; i < count; i++)
    if (seen->count++ == 0 || collisions[i].hit.t_lo < seen->earliest.hit.t_lo)
      seen->earliest = collisions[i];
  return TOI_OK;
}

static toi_status see_crossings(void *user, const toi_crossing *crossings, size_t count) {
  first_seen *seen = user;
  if (seen->count == 0 && count > 0)
    seen->crossing = crossings[0];
  seen->count += count;
  return TOI_OK;
}

/* The same status and the same impact from every broad phase. */
static toi_status check_step(toi_context *context, const toi_mesh *mesh, toi_options *options, toi_impact *impact) {
  toi_status first = TOI_OK;
  toi_mesh_options on_mesh = toi_default_mesh_options();
  options->on_mesh = &on_mesh;
  const char *name;
  for (size_t i = 0; (name = toi_broad_name(i)) != NULL; i++) {
    toi_impact other;
    on_mesh.broad = name;
    const toi_status status = toi_step(context, mesh, options, &other);
    if (status != TOI_OK) {
      fuzz_refused(context, status);
      FUZZ_CHECK(other.hit.verdict == TOI_NEAR && other.hit.t_lo == 0 && other.hit.t_safe == 0);
    }
    if (i == 0) {
      first = status;
      *impact = other;
    }
    FUZZ_CHECK(status == first && other.hit.verdict == impact->hit.verdict);
    FUZZ_CHECK(other.hit.t_lo == impact->hit.t_lo && other.hit.t_hi == impact->hit.t_hi);
    FUZZ_CHECK(other.kind == impact->kind && other.pair.first == impact->pair.first &&
               other.pair.second == impact->pair.second);
  }
  options->on_mesh = NULL;
  return first;
}

static void check_crossings(toi_context *context, const toi_mesh *mesh, const toi_options *options) {
  toi_intersection found;
  first_seen seen = {0};
  toi_status status = toi_mesh_intersects(context, mesh, options, &found);
  if (status != TOI_OK) {
    fuzz_refused(context, status);
    FUZZ_CHECK(found.found);
    return;
  }
  status = toi_mesh_crossings(context, mesh, options, see_crossings, &seen);
  FUZZ_CHECK(status == TOI_OK && found.found == (seen.count > 0));
  if (seen.count > 0)
    FUZZ_CHECK(found.crossing == seen.crossing.crossing && found.kind == seen.crossing.kind &&
               found.pair.first == seen.crossing.pair.first && found.pair.second == seen.crossing.pair.second);
}

/* The positions that the line search writes can be walked to in a straight line. */
static void check_line_search(toi_context *context, const toi_mesh *mesh, const toi_options *options) {
  double positions[VERTICES][3];
  toi_advance advance;
  const toi_status status = toi_line_search(context, mesh, options, positions, &advance);
  if (status != TOI_OK) {
    fuzz_refused(context, status);
    FUZZ_CHECK(advance.step == 0);
    return;
  }
  FUZZ_CHECK(advance.step >= 0 && advance.step <= options->t_max);
  if (advance.step > 0) {
    toi_mesh walked = *mesh;
    walked.end = positions;
    toi_options whole = toi_default_options();
    toi_impact impact;
    FUZZ_CHECK(toi_step(context, &walked, &whole, &impact) == TOI_OK);
    FUZZ_CHECK(mesh->thickness != NULL || impact.hit.verdict == TOI_MISS);
  }
}

/* A sum of what a visitor sees, in order. */
static toi_status sum_close(void *user, const toi_proximal *pairs, size_t count) {
  uint64_t *sum = user;
  for (size_t i = 0; i < count; i++)
    *sum = *sum * 31 + ((uint64_t)pairs[i].pair.first << 32 | pairs[i].pair.second) + (uint64_t)pairs[i].kind;
  return TOI_OK;
}

/* What came of the stencils of a mesh. */
typedef struct stencil_sum {
  toi_context *context; /* of its own: the other one is at work */
  const toi_mesh *mesh;
  uint64_t pairs, last;
} stencil_sum;

/* In order, all numbers finite, and with derivatives where they were found. */
static toi_status sum_stencils(void *user, const toi_stencil *stencils, size_t count) {
  stencil_sum *sum = user;
  for (size_t i = 0; i < count; i++) {
    const toi_stencil *s = &stencils[i];
    const uint64_t place = 1 + ((uint64_t)s->kind << 40) + ((uint64_t)s->pair.first << 20) + s->pair.second;
    double squared, gradient[1][12], hessian[1][144], all = s->distance_squared + s->mollifier_threshold;
    const toi_stencil_arrays arrays = {.squared = &squared, .gradients = gradient, .hessians = hessian};
    FUZZ_CHECK(place > sum->last && s->multiplicity > 0);
    sum->last = place;
    sum->pairs += s->multiplicity;
    const toi_status status = toi_stencil_batch(sum->context, sum->mesh, s, 1, &arrays);
    // A vertex may be so far behind a plane that the square overflows.
    FUZZ_CHECK(status == TOI_OK || (s->kind == TOI_VERTEX_HALF_SPACE && s->distance_squared == 0));
    if (status != TOI_OK)
      continue;
    for (uint32_t k = 0; k < 3 * s->vertex_count; k++)
      all += s->weights[k / 3] + s->normal[k % 3] + s->tangents[k % 2][k % 3] + 0 * gradient[0][k];
    for (uint32_t k = 0; k < 9 * s->vertex_count * s->vertex_count; k++)
      all += 0 * hessian[0][k];
    FUZZ_CHECK(isfinite(all) && squared >= 0);
  }
  return TOI_OK;
}

static toi_status count_close(void *user, const toi_proximal *pairs, size_t count) {
  (void)pairs;
  *(uint64_t *)user += count;
  return TOI_OK;
}

static void check_stencils(toi_context *context, const toi_mesh *mesh, const toi_options *options) {
  stencil_sum sum = {.context = fuzz_context(), .mesh = mesh};
  uint64_t pairs = 0;
  const toi_status close = toi_proximity(context, mesh, 0.25, options, count_close, &pairs);
  const toi_status status = toi_stencils(context, mesh, 0.25, options, NULL, sum_stencils, &sum);
  FUZZ_CHECK(status == close || status == TOI_ERROR_MEMORY);
  FUZZ_CHECK(status != TOI_OK || pairs == sum.pairs);
  toi_context_destroy(sum.context);
}

/* A scene that is kept gives the pairs and the step of fresh calls, with lists of near pairs and without. */
static void check_scene(toi_context *context, const toi_mesh *mesh, const toi_options *options) {
  const toi_topology topology = {.vertex_count = mesh->vertex_count,
                                 .edges = mesh->edges,
                                 .edge_count = mesh->edge_count,
                                 .faces = mesh->faces,
                                 .face_count = mesh->face_count,
                                 .bodies = mesh->bodies,
                                 .fixed = mesh->fixed,
                                 .thickness = mesh->thickness,
                                 .half_spaces = mesh->half_spaces,
                                 .half_space_count = mesh->half_space_count};
  const toi_positions at = {.start = mesh->start, .end = mesh->end, .vertex_count = mesh->vertex_count};
  toi_scene *scene;
  if (toi_scene_create(context, &topology, &scene) != TOI_OK)
    return;
  uint64_t fresh = 0, kept = 0;
  double first[VERTICES][3], second[VERTICES][3];
  toi_advance advance, other;
  const toi_status close = toi_proximity(context, mesh, 0.25, options, sum_close, &fresh);
  const toi_status status = toi_line_search(context, mesh, options, first, &advance);
  for (int round = 0; round < 3; round++) {
    kept = 0;
    FUZZ_CHECK(toi_scene_proximity(context, scene, &at, 0.25, options, sum_close, &kept) == close);
    FUZZ_CHECK(close != TOI_OK || kept == fresh);
    FUZZ_CHECK(toi_scene_line_search(context, scene, &at, options, second, &other) == status);
    FUZZ_CHECK(other.step == advance.step && other.tries == advance.tries);
    FUZZ_CHECK(status != TOI_OK || fuzz_same(first[0], second[0], 3 * mesh->vertex_count));
  }
  toi_scene_destroy(scene);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz_bytes bytes = {.at = data, .left = size};
  toi_options options = toi_default_options();
  options.t_max = fuzz_part(&bytes);
  const uint8_t how = fuzz_byte(&bytes);
  if ((how & 3) == 1)
    options.min_separation = (how >> 2) / 32.0;
  tiny t;
  draw_mesh(&bytes, &t);

  toi_context *context = fuzz_context();
  const toi_status checked = toi_mesh_check(context, &t.mesh);
  if (checked != TOI_OK)
    fuzz_refused(context, checked);
  toi_impact impact;
  const toi_status status = check_step(context, &t.mesh, &options, &impact);
  // Two times that are nearly the same are compared in integers, which may take more than the context has.
  if (status == TOI_ERROR_MEMORY) {
    toi_context_destroy(context);
    return 0;
  }
  FUZZ_CHECK(status == TOI_OK || checked != TOI_OK);
  first_seen seen = {0};
  FUZZ_CHECK(toi_collisions(context, &t.mesh, &options, see_collisions, &seen) == status);
  if (status == TOI_OK) {
    FUZZ_CHECK((impact.hit.verdict == TOI_HIT) == (seen.count > 0) && impact.hit.verdict != TOI_NEAR);
    FUZZ_CHECK(seen.count == 0 || seen.earliest.hit.t_lo <= impact.hit.t_lo);
    check_line_search(context, &t.mesh, &options);
    check_scene(context, &t.mesh, &options);
    check_stencils(context, &t.mesh, &options);
  }
  check_crossings(context, &t.mesh, &options);
  toi_context_destroy(context);
  return 0;
}
