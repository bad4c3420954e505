/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Stencils of the pairs that are close at one instant.
 *
 * The broad phase feeds every thread with candidates. Planes clear most of them; the rest are measured, decided as
 * toi_proximity() does, and reduced to their active features, of which only a key is kept (stencil_keys.h). In order,
 * each key becomes a stencil, on all threads.
 *
 * Claim: a stencil is a function of its features alone, and the same bits whichever pairs were reduced to it. Why: a
 * key has nothing but kind and numbers, and for two edges their regions, which have one pair; what is said about the
 * stencil is computed from the key. */

#include <float.h>
#include <math.h>
#include <string.h>

#include "narrow/distance_kernel.h"
#include "narrow/mesh.h"
#include "narrow/stencil.h"
#include "number/vector.h"
#include "scene/close.h"
#include "scene/edge_index.h"
#include "scene/half_spaces.h"
#include "scene/kept_scene.h"
#include "scene/requests.h"
#include "scene/stencil_keys.h"

#define LAYOUT TOI_LAYOUT(toi_stencil_options, mollifier)

static const toi_stencil_options defaults = {.size = sizeof(toi_stencil_options), .mollifier = 1e-3};

void toi_stencil_options_init(toi_stencil_options *options, size_t size) {
  toi_init_struct(LAYOUT, &defaults, options, size);
}

/* Stencils that are made at a time, on all threads, before the caller sees them; fewer where memory is small. */
#define MANY_STENCILS 2048
#define FEW_STENCILS 128
#define LARGE_BUDGET ((uint64_t)16 << 20)

typedef struct finder {
  toi_mesh_call call;
  toi_edge_index index; /* of the edges, where there are faces */
  toi_stencil_keys keys;
  toi_mesh given; /* as the caller laid it out */
  toi_stencil_options options;
  double distance;
  toi_stencil_visitor visit;
  void *user;
  toi_work work;
  size_t room; /* of the next two */
  toi_stencil_key *next;
  toi_stencil *stencils;
} finder;

/* --- points --- */

static void take_points(const finder *f, const uint32_t *vertices, const toi_features *features,
                        toi_stencil_points *points) {
  for (uint32_t i = 0; i < toi_kind_points(features->kind); i++)
    memcpy(points->x[i], f->call.points + (size_t)TOI_STILL_ROW * vertices[features->points[i]], sizeof points->x[i]);
}

static double rest_length_squared(const finder *f, const uint32_t edge[2]) {
  double ends[2][3], e[3];
  for (int k = 0; k < 2; k++)
    if (f->options.rest)
      toi_mesh_point(&f->given, f->options.rest, edge[k], ends[k]);
    else
      memcpy(ends[k], f->call.points + (size_t)TOI_STILL_ROW * edge[k], sizeof ends[k]);
  toi_minus(ends[1], ends[0], e);
  return toi_dot(e, e);
}

/* eps_x of two edges. */
static double threshold_of(const finder *f, toi_pair pair) {
  if (f->options.mollifier == 0)
    return 0;
  const uint32_t(*edges)[2] = f->call.asked.mesh.edges;
  const double lengths = rest_length_squared(f, edges[pair.first]) * rest_length_squared(f, edges[pair.second]);
  return toi_smaller(f->options.mollifier * lengths, DBL_MAX);
}

/* --- from pairs to keys --- */

/* The regions of two edges in a key's note. */
static uint32_t note_of(toi_regions regions) {
  return (uint32_t)regions.first.dimension | (uint32_t)regions.first.index << 1 |
         (uint32_t)regions.second.dimension << 2 | (uint32_t)regions.second.index << 3;
}

static toi_regions regions_of(uint32_t note) {
  return (toi_regions){{note & 1, note >> 1 & 1}, {note >> 2 & 1, note >> 3 & 1}};
}

/* The edge of a vertex-edge stencil; TOI_NO_EDGE if the mesh does not list that side of a face. */
static uint32_t edge_of(const finder *f, toi_kind kind, toi_pair pair, const uint32_t *vertices,
                        const toi_features *features) {
  if (kind != TOI_VERTEX_FACE)
    return features->swapped ? pair.first : pair.second;
  return toi_edge_number(&f->index, vertices[features->points[1]], vertices[features->points[2]]);
}

/* The key of the stencil that a close pair is reduced to. */
static toi_status key_of(const finder *f, toi_kind kind, toi_pair pair, const toi_distance *distance,
                         toi_stencil_key *key) {
  const toi_features whole = {.kind = kind, .points = {0, 1, 2, 3}};
  uint32_t vertices[4] = {0};
  toi_stencil_points points;
  toi_pair_vertices(kind, &f->call.asked.mesh, pair, vertices);
  take_points(f, vertices, &whole, &points);
  const toi_regions given = {distance->on_first, distance->on_second};
  const toi_regions regions = toi_regions_with_extent(kind, &points, given);
  if (kind == TOI_EDGE_EDGE && toi_edges_cross_squared(&points) < threshold_of(f, pair)) {
    *key = toi_stencil_key_make(TOI_EDGE_EDGE, pair, note_of(regions));
    return TOI_OK;
  }
  const toi_features features = toi_features_of(kind, regions);
  const uint32_t a = vertices[features.points[0]], b = vertices[features.points[1]];
  switch (features.kind) {
  case TOI_VERTEX_FACE:
    *key = toi_stencil_key_make(TOI_VERTEX_FACE, pair, 1);
    return TOI_OK;
  case TOI_EDGE_EDGE:
    *key = toi_stencil_key_make(TOI_EDGE_EDGE, pair, note_of(regions));
    return TOI_OK;
  case TOI_VERTEX_EDGE: {
    const uint32_t edge = edge_of(f, kind, pair, vertices, &features);
    *key = toi_stencil_key_make(TOI_VERTEX_EDGE, (toi_pair){a, edge}, 1);
    return edge == TOI_NO_EDGE ? TOI_ERROR_INPUT : TOI_OK;
  }
  default:
    *key = toi_stencil_key_make(TOI_VERTEX_VERTEX, (toi_pair){a < b ? a : b, a < b ? b : a}, 1);
    return TOI_OK;
  }
}

/* At most TOI_DISTANCE_PAIRS that no plane cleared. */
static toi_status add_close(finder *f, uint32_t thread, toi_kind kind, const toi_pair *pairs, size_t count) {
  const toi_pair_instants at = {toi_mesh_call_points(&f->call), kind, TOI_NORM_L2, f->call.context, thread};
  toi_distance distances[TOI_DISTANCE_PAIRS];
  toi_status status = toi_pair_distances(&at, pairs, count, distances, sizeof distances[0]);
  for (size_t i = 0; i < count && status == TOI_OK; i++) {
    const double reach = toi_close_reach(&f->call.asked.mesh, f->distance, kind, pairs[i]);
    bool close = false;
    toi_stencil_key key = {0, 0};
    status = toi_close_decide(&at, pairs[i], reach, &distances[i], &close);
    if (status == TOI_OK && close)
      status = key_of(f, kind, pairs[i], &distances[i], &key);
    if (status == TOI_OK && close)
      toi_stencil_keys_add(&f->keys, thread, key);
  }
  return status;
}

/* Vertices and half-spaces are their own stencils. */
static toi_status add_half_spaces(finder *f, uint32_t thread, const toi_pair *pairs, size_t count) {
  toi_status status = TOI_OK;
  for (size_t i = 0; i < count && status == TOI_OK; i++) {
    toi_distance distance;
    bool close = false;
    status = toi_half_space_close(&f->call, thread, pairs[i], f->distance, &distance, &close);
    if (status == TOI_OK && close)
      toi_stencil_keys_add(&f->keys, thread, toi_stencil_key_make(TOI_VERTEX_HALF_SPACE, pairs[i], 1));
  }
  return status;
}

static toi_status keep_close(void *user, uint32_t thread, toi_join_kind join, const toi_pair *pairs, size_t count) {
  finder *f = user;
  const toi_plane_question question = {.separation = f->distance, .norm = TOI_NORM_L2};
  toi_pair open[TOI_FILTER_PAIRS];
  toi_status status = TOI_OK;
  if (join == TOI_JOIN_VERTEX_HALF_SPACE)
    return add_half_spaces(f, thread, pairs, count);
  for (size_t begin = 0; begin < count && status == TOI_OK; begin += TOI_FILTER_PAIRS) {
    const size_t size = count - begin < TOI_FILTER_PAIRS ? count - begin : TOI_FILTER_PAIRS;
    const size_t left = toi_mesh_call_filter(&f->call, thread, (toi_kind)join, &question, pairs + begin, size, open);
    for (size_t i = 0; i < left && status == TOI_OK; i += TOI_DISTANCE_PAIRS)
      status =
          add_close(f, thread, (toi_kind)join, open + i, left - i < TOI_DISTANCE_PAIRS ? left - i : TOI_DISTANCE_PAIRS);
  }
  return status;
}

/* --- from keys to stencils --- */

/* Kind, numbers, vertices, regions: what its key says. */
static void begin_stencil(const finder *f, toi_stencil_key key, toi_stencil *stencil) {
  static const toi_region wholes[TOI_KIND_COUNT][2] = {{{0, 0}, {2, 0}}, {{1, 0}, {1, 0}}, {{0, 0}, {1, 0}}};
  const toi_kind kind = toi_key_kind(key);
  *stencil = (toi_stencil){.kind = kind,
                           .pair = toi_key_pair(key),
                           .vertex_count = toi_kind_points(kind),
                           .multiplicity = toi_key_note(key),
                           .on_first = wholes[kind][0],
                           .on_second = wholes[kind][1]};
  toi_pair_vertices(kind, &f->call.asked.mesh, stencil->pair, stencil->vertices);
  if (kind != TOI_EDGE_EDGE)
    return;
  const toi_regions regions = regions_of(toi_key_note(key));
  stencil->multiplicity = 1;
  stencil->on_first = regions.first;
  stencil->on_second = regions.second;
  stencil->mollifier_threshold = threshold_of(f, stencil->pair);
}

/* The rest, from the place of its features. */
static void end_stencil(const toi_features *features, const toi_stencil_place *place, toi_stencil *stencil) {
  const bool swapped = features->swapped;
  stencil->distance_squared = place->squared;
  for (uint32_t i = 0; i < toi_kind_points(features->kind); i++)
    stencil->weights[features->points[i]] = swapped ? -place->weights[i] : place->weights[i];
  memcpy(stencil->first, swapped ? place->second : place->first, sizeof stencil->first);
  memcpy(stencil->second, swapped ? place->first : place->second, sizeof stencil->second);
  for (int axis = 0; axis < 3; axis++)
    stencil->normal[axis] = swapped ? 0 - place->normal[axis] : place->normal[axis];
  // The other way round, the basis is right-handed with its tangents exchanged.
  memcpy(stencil->tangents[0], place->tangents[swapped], sizeof stencil->tangents[0]);
  memcpy(stencil->tangents[1], place->tangents[!swapped], sizeof stencil->tangents[1]);
}

/* The square of a distance that doubles do not tell well enough. */
static toi_status square_exactly(const finder *f, uint32_t thread, toi_kind kind, const toi_stencil_points *points,
                                 toi_stencil_place *place) {
  double packed[12], part;
  for (uint32_t i = 0; i < toi_kind_points(kind); i++)
    memcpy(packed + (size_t)3 * i, points->x[i], 3 * sizeof(double));
  const toi_instant instant = {kind, packed, TOI_NORM_L2, f->call.context, thread};
  const toi_share whole = {.factor = 1};
  const toi_status status = toi_instant_share(&instant, &whole, &part);
  if (status != TOI_OK)
    return status;
  place->squared = part * part;
  if (part == 0) {
    memset(place->normal, 0, sizeof place->normal);
    memset(place->tangents, 0, sizeof place->tangents);
  }
  return TOI_OK;
}

/* At most TOI_STENCIL_BLOCK stencils that are being made. */
typedef struct making {
  toi_stencil *stencils;
  size_t count;
  toi_features features[TOI_STENCIL_BLOCK];
} making;

/* Those with features of one kind. */
static toi_status make_kind(const finder *f, uint32_t thread, toi_kind kind, const making *all) {
  toi_stencil_points points[TOI_STENCIL_BLOCK];
  toi_stencil_place places[TOI_STENCIL_BLOCK];
  size_t numbers[TOI_STENCIL_BLOCK], count = 0;
  bool close[TOI_STENCIL_BLOCK];
  for (size_t i = 0; i < all->count; i++) {
    if (all->features[i].kind != kind)
      continue;
    take_points(f, all->stencils[i].vertices, &all->features[i], &points[count]);
    numbers[count++] = i;
  }
  toi_status status = TOI_OK;
  if (count > 0)
    toi_stencil_locate(kind, points, count, places, close);
  for (size_t i = 0; i < count && status == TOI_OK; i++) {
    if (close[i])
      status = square_exactly(f, thread, kind, &points[i], &places[i]);
    end_stencil(&all->features[numbers[i]], &places[i], &all->stencils[numbers[i]]);
  }
  return status;
}

static toi_status make_task(void *user, uint32_t thread, size_t begin, size_t end) {
  const finder *f = user;
  making all = {.stencils = f->stencils + begin, .count = end - begin};
  unsigned kinds = 0;
  toi_status status = TOI_OK;
  for (size_t i = 0; i < all.count && status == TOI_OK; i++) {
    toi_stencil *own = &all.stencils[i];
    all.features[i].kind = TOI_VERTEX_HALF_SPACE;
    if (toi_key_kind(f->next[begin + i]) == TOI_VERTEX_HALF_SPACE) {
      status = toi_half_space_stencil(&f->call, thread, toi_key_pair(f->next[begin + i]), own);
      continue;
    }
    begin_stencil(f, f->next[begin + i], own);
    all.features[i] = toi_features_of(own->kind, (toi_regions){own->on_first, own->on_second});
    kinds |= 1u << all.features[i].kind;
  }
  for (int kind = 0; kind < TOI_KIND_COUNT && status == TOI_OK; kind++)
    if (kinds >> kind & 1)
      status = make_kind(f, thread, (toi_kind)kind, &all);
  return status;
}

/* All stencils of a pass, in order. */
static toi_status stream(finder *f) {
  toi_status status = toi_stencil_keys_sort(&f->keys);
  while (status == TOI_OK) {
    const size_t count = toi_stencil_keys_next(&f->keys, f->next, f->room);
    if (count == 0)
      break;
    status = toi_parallel(f->call.context, count, TOI_STENCIL_BLOCK, make_task, f);
    if (status != TOI_OK)
      break;
    const toi_callback callback = toi_callback_begin(f->call.context, 0);
    status = f->visit(f->user, f->stencils, count);
    toi_callback_end(callback);
  }
  return status;
}

/* --- the call --- */

/* One pass over all pairs. Its candidates are those of every pass: they are counted once. */
static toi_status run_pass(finder *f) {
  toi_work own = {.passes = 0};
  toi_mesh_options options = f->call.asked.on_mesh;
  options.work = &own;
  const toi_broad_question question = {.mesh = &f->call.asked.mesh,
                                       .options = &options,
                                       .radius = toi_close_radius(f->distance),
                                       .kinds = f->call.asked.kinds,
                                       .every = f->call.asked.every,
                                       .done_share = 1,
                                       .first_end = UINT32_MAX,
                                       .consume = keep_close,
                                       .user = f};
  const toi_status status = toi_mesh_call_run(&f->call, &question);
  f->work.broad_ns += own.broad_ns;
  f->work.narrow_ns += own.narrow_ns;
  f->work.passes += own.passes;
  memcpy(f->work.candidates, own.candidates, sizeof own.candidates);
  return status;
}

static toi_status run_passes(finder *f) {
  toi_status status;
  do {
    status = run_pass(f);
    while (status == TOI_ERROR_MEMORY && toi_stencil_keys_shrink(&f->keys)) {
      toi_clear_error(f->call.context);
      status = run_pass(f);
    }
    if (status == TOI_OK)
      status = stream(f);
  } while (status == TOI_OK && toi_stencil_keys_again(&f->keys));
  if (status == TOI_OK)
    toi_clear_error(f->call.context);
  return status;
}

/* The first face with a side that is not among the edges. */
static toi_status explain_missing(const finder *f) {
  const toi_mesh *mesh = &f->call.asked.mesh;
  for (size_t i = 0; i < mesh->face_count; i++)
    for (unsigned k = 0; k < 3; k++) {
      const uint32_t a = mesh->faces[i][k], b = mesh->faces[i][(k + 1) % 3];
      if (a != b && toi_edge_number(&f->index, a, b) == TOI_NO_EDGE)
        return toi_fail(f->call.context, TOI_ERROR_INPUT,
                        "face %zu has an edge of vertices %u and %u that is not among the mesh's edges; list them all "
                        "(toi_mesh_edges does)",
                        i, (unsigned)a, (unsigned)b);
    }
  return TOI_ERROR_INPUT;
}

static toi_status run_with_keys(finder *f) {
  toi_context *context = f->call.context;
  toi_status status = toi_stencil_keys_make(context, &f->keys);
  if (status != TOI_OK)
    return status;
  f->room = toi_budget(context) < LARGE_BUDGET ? FEW_STENCILS : MANY_STENCILS;
  f->next = toi_allocate(context, f->room * sizeof *f->next);
  f->stencils = toi_allocate(context, f->room * sizeof *f->stencils);
  status = f->next && f->stencils ? run_passes(f) : TOI_ERROR_MEMORY;
  toi_free(context, f->stencils, f->room * sizeof *f->stencils);
  toi_free(context, f->next, f->room * sizeof *f->next);
  toi_stencil_keys_end(&f->keys);
  return status;
}

/* The index of the edges: a scene makes it once. */
static toi_status find_index(finder *f) {
  toi_scene *scene = f->call.asked.scene;
  toi_status status = TOI_OK;
  if (f->given.face_count == 0)
    return TOI_OK;
  if (!scene)
    return toi_edge_index_make(f->call.context, &f->call.asked.mesh, &f->index);
  if (!scene->index.begins)
    status = toi_edge_index_make(f->call.context, &scene->mesh, &scene->index);
  f->index = scene->index;
  return status;
}

/* What the caller gave is taken. */
static toi_status find_stencils(toi_context *context, const toi_mesh_request *request, finder *f) {
  toi_status status = toi_mesh_call_begin(&f->call, context, request, false);
  if (status != TOI_OK)
    return status;
  f->given = request->mesh;
  if (f->options.rest)
    status = toi_mesh_finite(context, &f->given, f->options.rest, "rest");
  if (status == TOI_OK)
    status = find_index(f);
  if (status == TOI_OK) {
    status = run_with_keys(f);
    // A coordinate that is not finite has left a sentence, a side that is missing has not.
    if (status == TOI_ERROR_INPUT && toi_context_error(context)[0] == '\0')
      status = explain_missing(f);
    if (!request->scene)
      toi_edge_index_end(&f->index);
  }
  if (request->on_mesh.work)
    *request->on_mesh.work = f->work;
  toi_mesh_call_end(&f->call);
  return status;
}

toi_status toi_stencils_of_request(toi_context *context, const toi_mesh_request *request,
                                   const toi_stencil_question *question) {
  finder f = {.distance = question->distance, .visit = question->visit, .user = question->user, .options = defaults};
  if (question->options) {
    const toi_status status = toi_take_options(context, LAYOUT, question->options, &f.options);
    if (status != TOI_OK)
      return status;
  }
  if (!f.visit)
    return toi_fail(context, TOI_ERROR_INPUT, "visit is NULL; give a function that takes the stencils");
  if (!(f.distance >= 0) || isinf(f.distance))
    return toi_fail(context, TOI_ERROR_INPUT, "distance is %g; it must be finite and not negative", f.distance);
  if (!(f.options.mollifier >= 0) || isinf(f.options.mollifier))
    return toi_fail(context, TOI_ERROR_OPTION, "mollifier is %g; it must be finite and not negative",
                    f.options.mollifier);
  if (request->options.norm != TOI_NORM_L2)
    return toi_fail(context, TOI_ERROR_UNSUPPORTED, "stencils have Euclidean distances; set norm to TOI_NORM_L2");
  return find_stencils(context, request, &f);
}

static TOI_APART toi_status take_and_find(toi_context *context, const toi_mesh *mesh, const toi_options *options,
                                          const toi_stencil_question *question) {
  toi_mesh_request request;
  const toi_status status = toi_mesh_request_take(context, mesh, options, &request);
  if (status != TOI_OK)
    return status;
  return toi_mesh_request_end(&request, toi_stencils_of_request(context, &request, question));
}

toi_status toi_stencils(toi_context *context, const toi_mesh *mesh, double distance, const toi_options *options,
                        const toi_stencil_options *stencil_options, toi_stencil_visitor visit, void *user) {
  const toi_stencil_question question = {distance, stencil_options, visit, user};
  toi_call call;
  toi_call_begin(&call, context);
  const toi_status status = take_and_find(context, mesh, options, &question);
  toi_call_end(&call);
  return status;
}
