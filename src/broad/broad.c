/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* One run of a broad phase: boxes, joins kind by kind, pairs through the rules to the consumer. */

#include "broad/broad.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/platform.h"
#include "broad/cache.h"
#include "broad/device_join.h"
#include "broad/rules.h"
#include "narrow/mesh.h"
#include "number/interval.h"

#define PROGRESS_NS 50000000u

/* A sink on its own cache line. */
typedef struct thread_sink {
  toi_sink sink;
  uint64_t consumer_ns;
  uint64_t handed_on;
  char padding[64 - sizeof(toi_sink) - 2 * sizeof(uint64_t)];
} thread_sink;

struct toi_run {
  toi_context *context;
  const toi_broad_question *question;
  const toi_broad_method *method;
  toi_mesh mesh; /* the question's */
  toi_boxer boxer;
  toi_broad_cache *cache;
  toi_box_set sets[2 * TOI_PRIMITIVE_COUNT]; /* all primitives of a sort, then the loose ones */
  thread_sink *sinks;
  bool rules;
  bool cleared; /* what earlier joins left was given back */
  unsigned kinds_done, kinds_asked;
  uint64_t last_progress;
};

/* --- what joins call --- */

toi_sink *toi_join_sink(const toi_join *join, uint32_t thread) {
  return &join->run->sinks[thread].sink;
}

/* Hands on what is in a sink, on thread `thread`, its own or another. */
static toi_status empty_sink(const toi_join *join, thread_sink *own, uint32_t thread) {
  const toi_run *run = join->run;
  const toi_broad_question *question = run->question;
  size_t count = own->sink.count;
  own->sink.count = 0;
  if (join->done)
    count = toi_keep_undone(join, own->sink.pairs, count);
  if (run->rules)
    count = toi_keep_allowed(join, question, own->sink.pairs, count);
  if (count == 0)
    return TOI_OK;
  own->handed_on += count;
  uint64_t begin = toi_clock();
  toi_status status = question->consume(question->user, thread, join->kind, own->sink.pairs, count);
  own->consumer_ns += toi_clock() - begin;
  return status;
}

toi_status toi_sink_flush(const toi_join *join, uint32_t thread) {
  return empty_sink(join, &join->run->sinks[thread], thread);
}

const toi_float_mesh *toi_join_floats(const toi_join *join) {
  return join->run->rules ? NULL : join->run->question->floats;
}

const _Atomic double *toi_join_limit(const toi_join *join) {
  return join->run->question->limit;
}

void toi_join_settle(const toi_join *join, const toi_device_counts *counts) {
  const toi_broad_question *question = join->run->question;
  join->run->sinks[0].handed_on += counts->by_box + counts->by_sign + counts->by_projection;
  if (question->settled)
    question->settled(question->user, join->kind, counts);
}

toi_status toi_join_progress(const toi_join *join, uint32_t thread, size_t done, size_t total) {
  toi_run *run = join->run;
  const toi_broad_question *question = run->question;
  const toi_mesh_options *options = question->options;
  if (thread != 0 || !options->progress)
    return TOI_OK;
  uint64_t now = toi_clock();
  if (now - run->last_progress < PROGRESS_NS)
    return TOI_OK;
  run->last_progress = now;
  double part = (run->kinds_done + (double)done / (double)total) / run->kinds_asked;
  double whole = question->done_before + question->done_share * part;
  if (toi_progress_made(run->context, options->progress, options->progress_user, whole))
    return TOI_OK;
  if (question->stopped)
    *question->stopped = true;
  return TOI_ERROR_CANCELLED;
}

bool toi_join_touches(const toi_join *join, uint32_t first, uint32_t second) {
  toi_swept_box a, b;
  toi_box_of(join->boxer, join->a.primitive, first, &a);
  toi_box_of(join->boxer, join->b.primitive, second, &b);
  for (int k = 0; k < 3; k++)
    if (a.lo[k] > b.hi[k] || b.lo[k] > a.hi[k])
      return false;
  return true;
}

bool toi_join_adjacent(const toi_join *join, uint32_t first, uint32_t second) {
  const uint32_t *a = toi_primitive_vertices(join->boxer->mesh, join->a.primitive, &first);
  const uint32_t *b = toi_primitive_vertices(join->boxer->mesh, join->b.primitive, &second);
  for (size_t i = 0; i < toi_primitive_points(join->a.primitive); i++)
    for (size_t j = 0; j < toi_primitive_points(join->b.primitive); j++)
      if (a[i] == b[j])
        return true;
  return false;
}

/* --- the run --- */

static const toi_broad_method *const methods[] = {&toi_broad_auto, &toi_broad_bvh, &toi_broad_sweep, &toi_broad_brute};
#define METHOD_COUNT (sizeof(methods) / sizeof(methods[0]))

static const toi_broad_method *find_method(const char *name) {
  for (size_t i = 0; name && i < METHOD_COUNT; i++)
    if (strcmp(name, methods[i]->name) == 0)
      return methods[i];
  return name ? NULL : &toi_broad_auto;
}

const char *toi_broad_name(size_t number) {
  return number < METHOD_COUNT ? methods[number]->name : NULL;
}

const char *toi_broad_promise(const char *name) {
  const toi_broad_method *method = name ? find_method(name) : NULL;
  return method ? method->promise : NULL;
}

/* The set of all primitives of a sort. Rows are listed where the broad phase wants them, or where they are not those
 * of the vertices. */
static toi_status make_set(toi_run *run, toi_primitive primitive) {
  const toi_mesh *mesh = &run->mesh;
  toi_box_set *set = &run->sets[primitive];
  *set = (toi_box_set){.primitive = primitive,
                       .count = toi_primitive_count(mesh, primitive),
                       .vertex_rows = run->sets[TOI_PRIMITIVE_VERTEX].rows,
                       .vertex_count = mesh->vertex_count,
                       .indices = primitive == TOI_PRIMITIVE_EDGE ? (const uint32_t *)mesh->edges
                                                                  : (const uint32_t *)mesh->faces};
  if (primitive != TOI_PRIMITIVE_VERTEX && run->method->on_the_way && !toi_mesh_is_thick(mesh))
    return TOI_OK;
  toi_box_row *rows =
      toi_buffer_reserve(run->context, &run->cache->rows[primitive], (set->count + 1) * sizeof(toi_box_row));
  if (!rows)
    return TOI_ERROR_MEMORY;
  toi_status status = primitive == TOI_PRIMITIVE_VERTEX ? toi_vertex_rows(run->context, &run->boxer, rows)
                                                        : toi_list_rows(run->context, &run->boxer, set, rows);
  set->rows = rows;
  return status;
}

static bool asked(const toi_run *run, toi_join_kind kind) {
  return run->question->kinds >> kind & 1;
}

/* The set of some loose primitives; the numbers become its own. */
static toi_status make_loose_set(toi_run *run, toi_primitive primitive, const uint32_t *numbers, size_t count) {
  size_t rows_size = count * sizeof(toi_box_row);
  char *memory = toi_buffer_reserve(run->context, &run->cache->loose[primitive], rows_size + count * sizeof(uint32_t));
  if (!memory)
    return TOI_ERROR_MEMORY;
  toi_box_row *rows = (toi_box_row *)memory;
  for (size_t i = 0; i < count; i++) {
    toi_box_row made;
    memcpy(rows[i], toi_set_row(&run->sets[primitive], numbers[i], made), sizeof(made));
  }
  memcpy(memory + rows_size, numbers, count * sizeof(uint32_t));
  run->sets[TOI_PRIMITIVE_COUNT + primitive] = (toi_box_set){
      .primitive = primitive, .count = count, .rows = rows, .numbers = (const uint32_t *)(memory + rows_size)};
  return TOI_OK;
}

/* Whether pairs of a kind are those of loose primitives. */
static bool asked_of_loose(const toi_run *run, toi_join_kind kind) {
  return asked(run, kind) && !(run->question->every >> kind & 1);
}

static toi_status make_loose_sets(toi_run *run) {
  if (!asked_of_loose(run, TOI_JOIN_VERTEX_EDGE) && !asked_of_loose(run, TOI_JOIN_VERTEX_VERTEX))
    return TOI_OK;
  uint32_t *numbers;
  size_t count;
  toi_status status = toi_loose_points(run->context, &run->mesh, &numbers, &count);
  if (status != TOI_OK || count == 0)
    return status;
  status = make_loose_set(run, TOI_PRIMITIVE_VERTEX, numbers, count);
  toi_free(run->context, numbers, count * sizeof(uint32_t));
  if (status != TOI_OK || run->mesh.edge_count == 0 || !asked_of_loose(run, TOI_JOIN_VERTEX_EDGE))
    return status;
  status = toi_loose_edges(run->context, &run->mesh, &numbers, &count);
  if (status != TOI_OK || count == 0)
    return status;
  status = make_loose_set(run, TOI_PRIMITIVE_EDGE, numbers, count);
  toi_free(run->context, numbers, count * sizeof(uint32_t));
  return status;
}

static toi_status make_boxes(toi_run *run) {
  toi_status status = make_set(run, TOI_PRIMITIVE_VERTEX);
  bool edges = asked(run, TOI_JOIN_EDGE_EDGE) || asked(run, TOI_JOIN_VERTEX_EDGE) || asked(run, TOI_JOIN_EDGE_FACE);
  bool faces = asked(run, TOI_JOIN_VERTEX_FACE) || asked(run, TOI_JOIN_EDGE_FACE) || asked(run, TOI_JOIN_FACE_FACE);
  if (status == TOI_OK && edges)
    status = make_set(run, TOI_PRIMITIVE_EDGE);
  if (status == TOI_OK && faces)
    status = make_set(run, TOI_PRIMITIVE_FACE);
  return status == TOI_OK ? make_loose_sets(run) : status;
}

static toi_status make_sinks(toi_run *run) {
  uint32_t threads = toi_context_threads(run->context);
  size_t pairs = TOI_SINK_PAIRS + TOI_SINK_SLACK;
  size_t own_size = threads * sizeof(thread_sink);
  char *memory = toi_buffer_reserve(run->context, &run->cache->sinks, own_size + threads * pairs * sizeof(toi_pair));
  if (!memory)
    return TOI_ERROR_MEMORY;
  run->sinks = (thread_sink *)memory;
  memset(run->sinks, 0, own_size);
  for (uint32_t i = 0; i < threads; i++)
    run->sinks[i].sink.pairs = (toi_pair *)(memory + own_size) + i * pairs;
  return TOI_OK;
}

/* All pairs of one kind, and the last ones out of every sink. Adds to *handed_on. */
static toi_status run_join(toi_run *run, toi_join_kind kind, uint64_t *handed_on) {
  static const struct {
    int a, b;
  } sides[TOI_BOX_JOIN_COUNT] = {
      {TOI_PRIMITIVE_VERTEX, TOI_PRIMITIVE_FACE},
      {TOI_PRIMITIVE_EDGE, TOI_PRIMITIVE_EDGE},
      {TOI_PRIMITIVE_COUNT + TOI_PRIMITIVE_VERTEX, TOI_PRIMITIVE_COUNT + TOI_PRIMITIVE_EDGE},
      {TOI_PRIMITIVE_COUNT + TOI_PRIMITIVE_VERTEX, TOI_PRIMITIVE_COUNT + TOI_PRIMITIVE_VERTEX},
      {TOI_PRIMITIVE_EDGE, TOI_PRIMITIVE_FACE},
      {TOI_PRIMITIVE_FACE, TOI_PRIMITIVE_FACE}};
  const int sets = run->question->every >> kind & 1 ? TOI_PRIMITIVE_COUNT : 2 * TOI_PRIMITIVE_COUNT;
  toi_join join = {.kind = kind,
                   .boxer = &run->boxer,
                   .a = run->sets[sides[kind].a % sets],
                   .b = run->sets[sides[kind].b % sets],
                   .self = sides[kind].a == sides[kind].b,
                   .run = run};
  if (join.a.count == 0 || join.b.count == 0)
    return TOI_OK;
  toi_status status = run->method->join(run->context, &join);
  for (uint32_t i = 0; i < toi_context_threads(run->context) && status == TOI_OK; i++)
    status = empty_sink(&join, &run->sinks[i], 0);
  toi_work *work = run->question->options->work;
  for (uint32_t i = 0; i < toi_context_threads(run->context); i++) {
    if (work)
      work->candidates[toi_join_public(kind)] += run->sinks[i].handed_on;
    *handed_on += run->sinks[i].handed_on;
    run->sinks[i].handed_on = 0;
  }
  return status;
}

static toi_status prepare(toi_run *run) {
  toi_status status = make_boxes(run);
  return status == TOI_OK ? make_sinks(run) : status;
}

/* Memory ran out, and what earlier joins left may be the reason: without it, once more. */
static bool starts_over(toi_run *run, toi_status *status) {
  if (*status != TOI_ERROR_MEMORY || run->cleared)
    return false;
  run->cleared = true;
  run->sinks = NULL;
  toi_broad_cache_clear(run->context, run->cache);
  toi_clear_error(run->context);
  *status = prepare(run);
  return *status == TOI_OK;
}

static toi_status run_joins(toi_run *run) {
  toi_status status = prepare(run);
  starts_over(run, &status);
  for (unsigned kind = 0; kind < TOI_BOX_JOIN_COUNT; kind++)
    run->kinds_asked += asked(run, (toi_join_kind)kind);
  for (unsigned kind = 0; kind < TOI_BOX_JOIN_COUNT && status == TOI_OK; kind++)
    if (asked(run, (toi_join_kind)kind)) {
      uint64_t handed_on = 0;
      status = run_join(run, (toi_join_kind)kind, &handed_on);
      if (handed_on == 0 && starts_over(run, &status))
        status = run_join(run, (toi_join_kind)kind, &handed_on);
      run->cleared = run->cleared && status != TOI_OK;
      run->kinds_done++;
    }
  return status;
}

/* The time of the run, shared out between the phases as the threads spent it. */
static void add_times(const toi_run *run, uint64_t begin) {
  toi_work *work = run->question->options->work;
  if (!work)
    return;
  uint64_t all = toi_clock() - begin, consumers = 0;
  for (uint32_t i = 0; run->sinks && i < toi_context_threads(run->context); i++)
    consumers += run->sinks[i].consumer_ns;
  consumers /= toi_context_threads(run->context);
  consumers = consumers < all ? consumers : all;
  work->narrow_ns += consumers;
  work->broad_ns += all - consumers;
  work->passes++;
}

/* What the boxes and trees of a mesh take: rows of 32 bytes for vertices; an order; and for the trees of one join at a
 * time 24 of a box, with the levels above 8/7 times that, and numbers. */
static uint64_t bytes_needed(const toi_mesh *mesh, unsigned kinds) {
  uint64_t trees[TOI_PRIMITIVE_COUNT], orders = 0;
  for (toi_primitive i = 0; i < TOI_PRIMITIVE_COUNT; i++) {
    trees[i] = toi_primitive_count(mesh, i) * (28 + 4 + 4 * toi_primitive_points(i));
    orders += toi_primitive_count(mesh, i) * sizeof(uint32_t);
  }
  const bool with_faces = kinds >> TOI_JOIN_EDGE_FACE & 1;
  uint64_t edges = trees[TOI_PRIMITIVE_EDGE] + (with_faces ? trees[TOI_PRIMITIVE_FACE] : 0);
  uint64_t faces = trees[TOI_PRIMITIVE_VERTEX] + trees[TOI_PRIMITIVE_FACE];
  return mesh->vertex_count * sizeof(toi_box_row) + orders + (faces > edges ? faces : edges);
}

/* Memory ran out, with nothing left of earlier joins. If the budget cannot do, the sentence says what it would take. */
static toi_status explain_memory(const toi_run *run) {
  toi_broad_cache_clear(run->context, run->cache);
  uint64_t budget = toi_budget(run->context),
           needed = toi_context_bytes(run->context) + bytes_needed(&run->mesh, run->question->kinds);
  if (budget > needed + needed / 4)
    return TOI_ERROR_MEMORY;
  return toi_fail(run->context, TOI_ERROR_MEMORY,
                  "the memory budget of %" PRIu64 " bytes is too small for a mesh of %zu vertices, %zu edges and %zu "
                  "faces: about %" PRIu64 " are needed; raise memory_budget",
                  budget, run->mesh.vertex_count, run->mesh.edge_count, run->mesh.face_count, needed + needed / 4);
}

toi_status toi_broad_run(toi_context *context, const toi_broad_question *question) {
  uint64_t begin = toi_clock();
  toi_run run = {.context = context, .question = question, .mesh = *question->mesh};
  run.method = find_method(question->options->broad);
  if (!run.method)
    return toi_fail(context, TOI_ERROR_UNSUPPORTED, "unknown broad phase '%s'; toi_broad_name() lists them",
                    question->options->broad);
  run.cache = toi_broad_cache_of(context);
  if (!run.cache)
    return TOI_ERROR_MEMORY;
  run.last_progress = begin;
  run.rules = toi_has_rules(question);
  toi_status status = TOI_OK;
  run.boxer =
      (toi_boxer){.mesh = &run.mesh, .t_max = question->t_max, .radius = question->radius, .reach = question->reach};
  toi_broad_cache_begin(run.cache);
  if (run.mesh.vertex_count > 0)
    status = run_joins(&run);
  toi_broad_cache_end(run.cache);
  add_times(&run, begin);
  if (status == TOI_OK)
    status = toi_half_space_candidates(context, question);
  if (status == TOI_ERROR_MEMORY && run.cleared)
    return explain_memory(&run);
  if (status == TOI_ERROR_CANCELLED)
    return toi_fail(context, status, "stopped by the progress callback");
  return status;
}

toi_status toi_broad_ask(toi_context *context, const toi_mesh_request *request, double t_max,
                         toi_broad_question *question) {
  const double fraction = request->options.separation_fraction, d = request->options.min_separation;
  if (fraction >= 1)
    return toi_fail(context, TOI_ERROR_OPTION, "separation_fraction is %g; for whole meshes it must be below 1",
                    fraction);
  if (d > 0x1p1020 && toi_mesh_is_thick(&request->mesh))
    return toi_fail(context, TOI_ERROR_OPTION, "min_separation is %g; with thickness it must be at most 2^1020", d);
  *question = (toi_broad_question){.mesh = &request->mesh,
                                   .options = &request->on_mesh,
                                   .t_max = t_max,
                                   .radius = d > 0 ? toi_next_up(d / 2) : 0,
                                   // F / (1 - F), two roundings, from above.
                                   .reach = fraction > 0 ? toi_next_up(fraction / (1 - fraction) * (1 + 0x1p-51)) : 0,
                                   .kinds = request->kinds,
                                   .every = request->every,
                                   .done_before = request->done_before,
                                   .done_share = request->done_share,
                                   .first_end = UINT32_MAX};
  return TOI_OK;
}
