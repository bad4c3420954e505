/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Rigid bodies on paths of several pieces: each piece is asked as a step of its own.
 *
 * Times within a piece are mapped to those of the path with outward rounding: from + s (to - from), computed with three
 * roundings, none of which errs by more than 4 u (|from| + |to|). */

#include <math.h>
#include <string.h>

#include "broad/broad.h"
#include "narrow/method.h"
#include "scene/rigid_step.h"

#define LAYOUT TOI_LAYOUT(toi_rigid_path, piece_count)

/* --- the caller's path --- */

static toi_status take_path(toi_context *context, const toi_rigid_path *given, toi_rigid_path *path) {
  *path = (toi_rigid_path){0};
  const toi_status status = toi_take_description(context, LAYOUT, given, path);
  if (status != TOI_OK)
    return status;
  if (path->piece_count == 0 || path->times == NULL || (path->count > 0 && path->bodies == NULL))
    return toi_fail(context, TOI_ERROR_INPUT,
                    "the path has no pieces, or its times or bodies are NULL; give one more time than pieces, and a "
                    "motion of each body for each piece");
  for (size_t k = 0; k <= path->piece_count; k++)
    if (!isfinite(path->times[k]) || (k > 0 && !(path->times[k] > path->times[k - 1])))
      return toi_fail(context, TOI_ERROR_INPUT,
                      "time %zu of the path is %.17g; times must be finite, each greater than the one before", k,
                      path->times[k]);
  return TOI_OK;
}

/* --- time --- */

static bool is_unit(const double range[2]) {
  return range[0] == 0 && range[1] == 1;
}

static double time_below(const double range[2], double s) {
  if (s <= 0)
    return range[0];
  if (is_unit(range))
    return s;
  const double t = range[0] + s * (range[1] - range[0]);
  return fmax(range[0], t - 0x1p-51 * (fabs(range[0]) + fabs(range[1])));
}

static double time_above(const double range[2], double s) {
  if (s <= 0)
    return range[0];
  if (is_unit(range))
    return s;
  const double t = range[0] + s * (range[1] - range[0]);
  return fmin(range[1], t + 0x1p-51 * (fabs(range[0]) + fabs(range[1])));
}

static toi_rigid_contact contact_of(const toi_rigid_path *path, size_t piece, const toi_rigid_impact *impact) {
  const double *range = path->times + piece;
  return (toi_rigid_contact){.impact = *impact,
                             .piece = piece,
                             .t_lo = time_below(range, impact->hit.t_lo),
                             .t_hi = time_above(range, impact->hit.t_hi),
                             .t_safe = time_below(range, impact->hit.t_safe),
                             .pairs = 1};
}

/* --- pieces --- */

/* A path under way. */
typedef struct walk {
  toi_rigid_scene *scene;
  toi_rigid_path path;
  toi_options options; /* with progress of its own */
  toi_mesh_options on_mesh;
  bool (*progress)(void *user, double done); /* of the caller */
  void *progress_user;
  size_t piece; /* at work */

  /* Contacts of two bodies each, in the order of their numbers. */
  toi_rigid_contact *contacts;
  size_t count, room;
  bool refused; /* no memory for a contact */
} walk;

static TOI_APART void add_pieces(const walk *w, double *done) {
  *done = ((double)w->piece + *done) / (double)w->path.piece_count;
}

/* The caller's function runs in the caller's floating-point state; what is computed for it does not. */
static bool show_progress(void *user, double done) {
  const walk *w = user;
  const toi_float_mode mode = toi_float_mode_enter();
  add_pieces(w, &done);
  toi_float_mode_leave(mode);
  return w->progress == NULL || w->progress(w->progress_user, done);
}

static toi_status begin(walk *w, const toi_rigid_path *path, const toi_options *options) {
  toi_context *context = w->scene->context;
  toi_status status = toi_options_take(context, options, &w->options);
  if (status == TOI_OK)
    status = toi_mesh_options_take(context, w->options.on_mesh, &w->on_mesh);
  if (status == TOI_OK)
    status = take_path(context, path, &w->path);
  if (status != TOI_OK)
    return status;
  if (w->options.t_max != 1)
    return toi_fail(context, TOI_ERROR_OPTION, "t_max is %g; on a path it must be 1: leave pieces out instead",
                    w->options.t_max);
  w->progress = w->on_mesh.progress;
  w->progress_user = w->on_mesh.progress_user;
  w->on_mesh.progress = show_progress;
  w->on_mesh.progress_user = w;
  w->options.on_mesh = &w->on_mesh;
  return TOI_OK;
}

static const toi_moving_body *bodies_of(const walk *w) {
  const size_t stride = w->path.count > 0 ? toi_moving_body_stride(w->path.bodies) : 0;
  return (const toi_moving_body *)(const void *)((const char *)w->path.bodies + w->piece * w->path.count * stride);
}

static toi_status step_piece(const walk *w, toi_rigid_impact *impact) {
  toi_rigid_call call;
  toi_status status = toi_rigid_call_begin(&call, w->scene, bodies_of(w), w->path.count, &w->options);
  if (status == TOI_OK)
    status = toi_rigid_step_of_call(&call, impact);
  toi_rigid_call_end(&call);
  return status;
}

static TOI_APART toi_status find_first(toi_rigid_scene *scene, const toi_rigid_path *path, const toi_options *options,
                                       toi_rigid_contact *first) {
  walk w = {.scene = scene};
  toi_status status = begin(&w, path, options);
  if (status != TOI_OK)
    return status;
  first->t_lo = first->t_hi = first->t_safe = w.path.times[0];
  for (w.piece = 0; w.piece < w.path.piece_count && status == TOI_OK; w.piece++) {
    toi_rigid_impact impact;
    status = step_piece(&w, &impact);
    if (status == TOI_OK && impact.hit.verdict != TOI_MISS) {
      *first = contact_of(&w.path, w.piece, &impact);
      return TOI_OK;
    }
    if (status == TOI_OK && w.piece + 1 == w.path.piece_count)
      *first = (toi_rigid_contact){.impact = impact,
                                   .piece = w.path.piece_count,
                                   .t_lo = (double)INFINITY,
                                   .t_hi = (double)INFINITY,
                                   .t_safe = w.path.times[w.path.piece_count]};
  }
  return status;
}

toi_status toi_rigid_scene_path_step(toi_rigid_scene *scene, const toi_rigid_path *path, const toi_options *options,
                                     toi_rigid_contact *first) {
  if (first == NULL)
    return TOI_ERROR_INPUT;
  *first = (toi_rigid_contact){.impact = toi_rigid_impact_unknown()};
  if (scene == NULL)
    return TOI_ERROR_INPUT;
  TOI_CALL(scene->context, find_first(scene, path, options, first));
}

/* --- all contacts --- */

/* Of two bodies, the smaller number first. */
static int compare_bodies(const toi_rigid_impact *a, const toi_rigid_impact *b) {
  for (int k = 0; k < 2; k++) {
    const bool x = (a->bodies[0] < a->bodies[1]) == (k == 0), y = (b->bodies[0] < b->bodies[1]) == (k == 0);
    const uint32_t first = a->bodies[!x], second = b->bodies[!y];
    if (first != second)
      return first < second ? -1 : 1;
  }
  return 0;
}

/* Where the contact of these two bodies is, or belongs. */
static size_t place_of(const walk *w, const toi_rigid_impact *impact) {
  size_t lo = 0, hi = w->count;
  while (lo < hi) {
    const size_t middle = lo + (hi - lo) / 2;
    if (compare_bodies(&w->contacts[middle].impact, impact) < 0)
      lo = middle + 1;
    else
      hi = middle;
  }
  return lo;
}

/* Only the first piece in which two bodies touch counts. False: no memory. */
static TOI_APART bool keep(walk *w, const toi_rigid_impact *impact) {
  const toi_rigid_contact found = contact_of(&w->path, w->piece, impact);
  const size_t place = place_of(w, impact);
  if (place < w->count && compare_bodies(&w->contacts[place].impact, impact) == 0) {
    toi_rigid_contact *known = &w->contacts[place];
    if (known->piece != w->piece)
      return true;
    const uint64_t pairs = known->pairs + 1;
    if (found.t_lo < known->t_lo)
      *known = found;
    known->pairs = pairs;
    return true;
  }
  toi_rigid_contact *grown = toi_grow(w->scene->context, w->contacts, w->count, &w->room, sizeof *grown, 16);
  if (grown == NULL)
    return false;
  w->contacts = grown;
  memmove(grown + place + 1, grown + place, (w->count - place) * sizeof *grown);
  grown[place] = found;
  w->count++;
  return true;
}

/* Visitors run in the caller's floating-point state; what they call here does not. */
static toi_status keep_all(void *user, const toi_rigid_impact *impacts, size_t count) {
  walk *w = user;
  const toi_float_mode mode = toi_float_mode_enter();
  for (size_t i = 0; i < count && !w->refused; i++)
    w->refused = !keep(w, &impacts[i]);
  toi_float_mode_leave(mode);
  return w->refused ? TOI_ERROR_MEMORY : TOI_OK;
}

static bool comes_first(const toi_rigid_contact *a, const toi_rigid_contact *b) {
  return a->t_lo != b->t_lo ? a->t_lo < b->t_lo : compare_bodies(&a->impact, &b->impact) < 0;
}

static void sift(toi_rigid_contact *heap, size_t at, size_t count) {
  for (size_t child = 2 * at + 1; child < count; child = 2 * at + 1) {
    child += child + 1 < count && comes_first(&heap[child], &heap[child + 1]);
    if (!comes_first(&heap[at], &heap[child]))
      return;
    const toi_rigid_contact held = heap[at];
    heap[at] = heap[child];
    heap[child] = held;
    at = child;
  }
}

/* By time: heap sort. */
static void sort(toi_rigid_contact *heap, size_t count) {
  for (size_t i = count / 2; i > 0; i--)
    sift(heap, i - 1, count);
  for (size_t end = count; end > 1; end--) {
    const toi_rigid_contact held = heap[0];
    heap[0] = heap[end - 1];
    heap[end - 1] = held;
    sift(heap, 0, end - 1);
  }
}

static toi_status walk_all(walk *w) {
  toi_status status = TOI_OK;
  for (w->piece = 0; w->piece < w->path.piece_count && status == TOI_OK; w->piece++) {
    toi_rigid_call call;
    status = toi_rigid_call_begin(&call, w->scene, bodies_of(w), w->path.count, &w->options);
    if (status == TOI_OK)
      status = toi_rigid_collisions_of_call(&call, keep_all, w);
    toi_rigid_call_end(&call);
  }
  return status;
}

static TOI_APART toi_status find_all(toi_rigid_scene *scene, const toi_rigid_path *path, const toi_options *options,
                                     toi_rigid_contact_visitor visit, void *user) {
  walk w = {.scene = scene};
  if (visit == NULL)
    return toi_fail(scene->context, TOI_ERROR_INPUT, "visit is NULL; give a function that takes the contacts");
  toi_status status = begin(&w, path, options);
  if (status == TOI_OK)
    status = walk_all(&w);
  if (status == TOI_OK && w.count > 0) {
    sort(w.contacts, w.count);
    const toi_callback callback = toi_callback_begin(scene->context, 0);
    status = visit(user, w.contacts, w.count);
    toi_callback_end(callback);
  }
  if (w.contacts != NULL)
    toi_free(scene->context, w.contacts, w.room * sizeof *w.contacts);
  return status;
}

toi_status toi_rigid_scene_path_contacts(toi_rigid_scene *scene, const toi_rigid_path *path, const toi_options *options,
                                         toi_rigid_contact_visitor visit, void *user) {
  if (scene == NULL)
    return TOI_ERROR_INPUT;
  TOI_CALL(scene->context, find_all(scene, path, options, visit, user));
}
