/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Pairs of patches that can touch: boxes of patches, and pairs whose boxes meet.
 *
 * They are found by the broad phase of meshes. The box of a patch is what a vertex sweeps that goes from the box's
 * lower to its upper corner; so the patches of a model are loose points of a mesh, and those of the model that they are
 * joined with are loose edges, both of whose ends are one such vertex. Every pair is found whose closed boxes meet, and
 * no other; time grows with patches and pairs. Boxes and the broad phase run on all threads.
 *
 * Memory: 60 bytes per patch, 32 per patch more for self-contact, 16 per pair, and the broad phase's own.
 */

#include "surface/model.h"

#include <pthread.h>
#include <string.h>

#include "broad/broad.h"

/* Patches that are checked and boxed by one task. */
#define PATCH_GRAIN 512

/* Pairs that are tried sooner than the broad phase is run. */
#define FEW_PAIRS 32768

/* Of both models together: vertices and corners are numbered in 32 bits. */
#define PATCHES_MOST TOI_NEIGHBOURS_MOST

/* A model's patches that may take part in a pair. */
typedef struct side {
  const toi_model *model;
  const char *name;
  toi_swept_box *boxes;
  uint32_t *numbers; /* of the patches that the boxes are of; ascending */
  size_t count;
} side;

typedef struct model_join {
  toi_context *context;
  const toi_surface_options *options;
  side a, b;                  /* b without a model: a with itself */
  toi_swept_box *boxes;       /* of both sides, those of a first */
  uint32_t *numbers;          /* likewise */
  toi_patch_corners *corners; /* of a's patches, where it is joined with itself */
  size_t total;               /* patches of both models */
  pthread_mutex_t lock;       /* of what is found */
  toi_model_pairs *found;
} model_join;

/* --- checks and boxes --- */

typedef struct box_job {
  const side *of;
  const toi_surface_options *options;
} box_job;

static toi_status box_patches(void *user, uint32_t thread, size_t begin, size_t end) {
  (void)thread;
  const box_job *job = user;
  for (size_t i = begin; i < end; i++) {
    const toi_patch *patch = &job->of->model->patches[i];
    toi_status status = toi_patch_check(NULL, patch, "");
    if (status != TOI_OK)
      return status;
    toi_patch_box(patch, job->options->t_max, job->options->min_separation, &job->of->boxes[i]);
    job->of->numbers[i] = (uint32_t)i;
  }
  return TOI_OK;
}

static toi_status box_side(const model_join *join, side *of) {
  box_job job = {of, join->options};
  of->count = of->model->patch_count;
  toi_status status = toi_parallel(join->context, of->count, PATCH_GRAIN, box_patches, &job);
  // The first patch that is not right, in a sentence.
  return status == TOI_OK ? TOI_OK : toi_model_check(join->context, of->model, of->name);
}

/* The box around all boxes of a side, which has one. */
static toi_swept_box box_around(const side *of) {
  toi_swept_box all = of->boxes[0];
  for (size_t i = 1; i < of->count; i++)
    for (int k = 0; k < 3; k++) {
      all.lo[k] = of->boxes[i].lo[k] < all.lo[k] ? of->boxes[i].lo[k] : all.lo[k];
      all.hi[k] = of->boxes[i].hi[k] > all.hi[k] ? of->boxes[i].hi[k] : all.hi[k];
    }
  return all;
}

/* Leaves out of a side what does not meet the box around the other. */
static void leave_out(side *of, const side *other) {
  if (other->count == 0) {
    of->count = 0;
    return;
  }
  toi_swept_box around = box_around(other);
  size_t kept = 0;
  for (size_t i = 0; i < of->count; i++) {
    of->boxes[kept] = of->boxes[i];
    of->numbers[kept] = of->numbers[i];
    kept += toi_patch_boxes_meet(&of->boxes[i], &around);
  }
  of->count = kept;
}

/* --- the join --- */

/* Makes room for some more pairs. */
static bool reserve(model_join *join, size_t more) {
  toi_model_pairs *found = join->found;
  if (found->count + more <= found->room)
    return true;
  size_t room = found->count + more > 2 * found->room ? found->count + more : 2 * found->room;
  toi_pair *pairs = toi_resize(join->context, found->pairs, found->room * sizeof(toi_pair), room * sizeof(toi_pair));
  if (!pairs)
    return false;
  found->pairs = pairs;
  found->room = room;
  return true;
}

/* Keeps a pair of boxes as one of patches, unless they are neighbours. There is room. */
static inline void keep(model_join *join, size_t first, size_t second) {
  bool self = !join->b.model;
  if (self && toi_patch_corners_shared(&join->corners[first], &join->corners[second]))
    return;
  toi_pair pair = {join->a.numbers[first], self ? join->a.numbers[second] : join->b.numbers[second]};
  join->found->pairs[join->found->count++] = pair;
}

/* A toi_pairs_consumer; threads call it at the same time. */
static toi_status keep_pairs(void *user, uint32_t thread, toi_join_kind kind, const toi_pair *pairs, size_t count) {
  (void)thread;
  (void)kind;
  model_join *join = user;
  pthread_mutex_lock(&join->lock);
  bool room = reserve(join, count);
  for (size_t i = 0; i < count && room; i++)
    keep(join, pairs[i].first, pairs[i].second);
  pthread_mutex_unlock(&join->lock);
  return room ? TOI_OK : TOI_ERROR_MEMORY;
}

/* Every pair, tried: where there are few, that is sooner done than a tree is made. */
static toi_status try_all(model_join *join) {
  bool self = !join->b.model;
  const side *other = self ? &join->a : &join->b;
  for (size_t i = 0; i < join->a.count; i++) {
    if (!reserve(join, other->count))
      return TOI_ERROR_MEMORY;
    for (size_t j = self ? i + 1 : 0; j < other->count; j++)
      if (toi_patch_boxes_meet(&join->a.boxes[i], &other->boxes[j]))
        keep(join, i, j);
  }
  return TOI_OK;
}

/* All pairs whose boxes meet, in any order. The boxes of both sides lie one after another. */
static toi_status run_broad(model_join *join) {
  bool self = !join->b.model;
  size_t edges_size = (join->b.count + 1) * sizeof(uint32_t[2]);
  uint32_t(*edges)[2] = toi_allocate(join->context, edges_size);
  if (!edges)
    return TOI_ERROR_MEMORY;
  for (size_t i = 0; i < join->b.count; i++)
    edges[i][0] = edges[i][1] = (uint32_t)(join->a.count + i);
  toi_mesh mesh = {.start = join->boxes[0].lo,
                   .end = join->boxes[0].hi,
                   .scalar = TOI_FLOAT64,
                   .stride = sizeof(toi_swept_box),
                   .vertex_count = join->a.count + join->b.count,
                   .edges = (const uint32_t(*)[2])edges,
                   .edge_count = join->b.count};
  toi_mesh_options options = toi_default_mesh_options();
  toi_broad_question question = {.mesh = &mesh,
                                 .options = &options,
                                 .t_max = 1,
                                 .kinds = 1u << (self ? TOI_JOIN_VERTEX_VERTEX : TOI_JOIN_VERTEX_EDGE),
                                 .first_end = UINT32_MAX,
                                 .consume = keep_pairs,
                                 .user = join};
  toi_status status = toi_broad_run(join->context, &question);
  toi_free(join->context, edges, edges_size);
  return status;
}

/* Puts pairs in the order of one of their numbers, which are below `most`, and leaves equal ones as they are. counts
 * has most + 1 places. */
static void sort_by(const toi_pair *from, toi_pair *to, size_t count, size_t *counts, bool second, size_t most) {
  memset(counts, 0, (most + 1) * sizeof(*counts));
  for (size_t i = 0; i < count; i++)
    counts[(second ? from[i].second : from[i].first) + 1]++;
  for (size_t i = 0; i < most; i++)
    counts[i + 1] += counts[i];
  for (size_t i = 0; i < count; i++)
    to[counts[second ? from[i].second : from[i].first]++] = from[i];
}

/* The pairs come in an order that depends on threads and on earlier calls; they leave in one that does not. */
static toi_status sort_pairs(model_join *join) {
  toi_model_pairs *found = join->found;
  size_t most_a = join->a.model->patch_count, most_b = join->b.model ? join->b.model->patch_count : most_a;
  size_t most = most_a > most_b ? most_a : most_b;
  size_t counts_size = (most + 1) * sizeof(size_t), pairs_size = found->count * sizeof(toi_pair);
  char *memory = found->count < 2 ? NULL : toi_allocate(join->context, counts_size + pairs_size);
  if (!memory)
    return found->count < 2 ? TOI_OK : TOI_ERROR_MEMORY;
  size_t *counts = (size_t *)memory;
  toi_pair *spare = (toi_pair *)(memory + counts_size);
  sort_by(found->pairs, spare, found->count, counts, true, most_b);
  sort_by(spare, found->pairs, found->count, counts, false, most_a);
  toi_free(join->context, memory, counts_size + pairs_size);
  return TOI_OK;
}

/* --- the whole --- */

static toi_status check_models(toi_context *context, const toi_model *a, const toi_model *b) {
  if (a->patch_count > PATCHES_MOST || (b && b->patch_count > PATCHES_MOST - a->patch_count))
    return toi_fail(context, TOI_ERROR_INPUT, "%zu and %zu patches are too many: at most 2^29", a->patch_count,
                    b ? b->patch_count : 0);
  return TOI_OK;
}

/* Boxes of what can meet anything of the other side; then the pairs. */
static toi_status join_sides(model_join *join) {
  toi_status status = box_side(join, &join->a);
  if (status == TOI_OK && join->b.model)
    status = box_side(join, &join->b);
  if (status != TOI_OK)
    return status;
  if (!join->b.model)
    status = toi_patch_corners_number(join->context, join->a.model->patches, join->total, join->corners);
  else {
    leave_out(&join->a, &join->b);
    leave_out(&join->b, &join->a);
    memmove(join->boxes + join->a.count, join->b.boxes, join->b.count * sizeof(toi_swept_box));
    join->b.boxes = join->boxes + join->a.count;
  }
  if (status != TOI_OK || join->a.count == 0)
    return status;
  size_t others = join->b.model ? join->b.count : join->a.count / 2;
  if (others <= FEW_PAIRS / join->a.count)
    return try_all(join);
  status = run_broad(join);
  return status == TOI_OK ? sort_pairs(join) : status;
}

/* The memory of a join, in one block; the boxes first, as they are aligned most. */
static toi_status run_join(model_join *join) {
  size_t corners_size = join->b.model ? 0 : join->total * sizeof(toi_patch_corners);
  size_t size = join->total * (sizeof(toi_swept_box) + sizeof(uint32_t)) + corners_size;
  char *memory = toi_allocate(join->context, size);
  if (!memory)
    return TOI_ERROR_MEMORY;
  join->boxes = (toi_swept_box *)memory;
  join->numbers = (uint32_t *)(join->boxes + join->total);
  join->corners = (toi_patch_corners *)(join->numbers + join->total);
  join->a.boxes = join->boxes;
  join->a.numbers = join->numbers;
  join->b.boxes = join->boxes + join->a.model->patch_count;
  join->b.numbers = join->numbers + join->a.model->patch_count;
  toi_status status = join_sides(join);
  toi_free(join->context, memory, size);
  return status;
}

toi_status toi_model_pairs_find(toi_context *context, const toi_model *a, const toi_model *b,
                                const toi_surface_options *options, toi_model_pairs *found) {
  *found = (toi_model_pairs){0};
  toi_status status = check_models(context, a, b);
  if (status != TOI_OK)
    return status;
  model_join join = {.context = context,
                     .options = options,
                     .a = {.model = a, .name = b ? "the first model" : "the model"},
                     .b = {.model = b, .name = "the second model"},
                     .total = a->patch_count + (b ? b->patch_count : 0),
                     .found = found};
  if (pthread_mutex_init(&join.lock, NULL) != 0)
    return toi_fail(context, TOI_ERROR_MEMORY, "the system refused a lock");
  status = run_join(&join);
  pthread_mutex_destroy(&join.lock);
  return status;
}

void toi_model_pairs_free(toi_context *context, toi_model_pairs *found) {
  toi_free(context, found->pairs, found->room * sizeof(toi_pair));
  *found = (toi_model_pairs){0};
}
