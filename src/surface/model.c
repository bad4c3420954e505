/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* First contact of models: one search over all pairs of patches that can touch, on the calling thread.
 *
 * The search is given the patches that occur in these pairs only, a few of many as a rule: what it prepares for a patch
 * takes more time and memory than its box. Numbers in answers are those of the models. */

#include "surface/model.h"

#include <assert.h>
#include <string.h>

/* The patches of a model that occur in pairs. */
typedef struct cast {
  const toi_model *model;
  toi_patch *patches;
  uint32_t *numbers; /* in the model; ascending */
  uint32_t *places;  /* of all patches of the model: where they are here; ABSENT: nowhere */
  size_t count;
  size_t bytes; /* of the block that begins with patches */
} cast;

#define ABSENT UINT32_MAX

typedef struct inquiry {
  toi_context *context;
  const toi_surface_question *question;
  toi_model_pairs found;
  cast a, b;
  cast *other; /* than a: b, or a again in self-contact */
} inquiry;

/* --- who takes part --- */

/* Nobody yet; false: no memory. */
static bool cast_make(toi_context *context, cast *made) {
  size_t count = made->model->patch_count;
  made->bytes = count * (sizeof(toi_patch) + 2 * sizeof(uint32_t));
  made->patches = toi_allocate(context, made->bytes);
  if (!made->patches)
    return false;
  made->numbers = (uint32_t *)(made->patches + count);
  made->places = made->numbers + count;
  for (size_t i = 0; i < count; i++)
    made->places[i] = ABSENT;
  return true;
}

/* Lists those that have a place, in order. */
static void cast_list(cast *made) {
  for (size_t i = 0; i < made->model->patch_count; i++) {
    if (made->places[i] == ABSENT)
      continue;
    made->places[i] = (uint32_t)made->count;
    made->numbers[made->count] = (uint32_t)i;
    made->patches[made->count++] = made->model->patches[i];
  }
}

/* Both casts; the numbers in the pairs become theirs. False: no memory. */
static bool cast_pairs(inquiry *q) {
  bool self = q->other == &q->a;
  if (!cast_make(q->context, &q->a) || (!self && !cast_make(q->context, &q->b)))
    return false;
  for (size_t i = 0; i < q->found.count; i++) {
    q->a.places[q->found.pairs[i].first] = 0;
    q->other->places[q->found.pairs[i].second] = 0;
  }
  cast_list(&q->a);
  if (!self)
    cast_list(&q->b);
  for (size_t i = 0; i < q->found.count; i++) {
    toi_pair *pair = &q->found.pairs[i];
    *pair = (toi_pair){q->a.places[pair->first], q->other->places[pair->second]};
  }
  return true;
}

/* --- asking --- */

/* A hit with the numbers that the models have. */
static void restore(const inquiry *q, toi_surface_hit *hit) {
  if (hit->verdict == TOI_MISS)
    return;
  assert(hit->patch_a < q->a.count && hit->patch_b < q->other->count);
  hit->patch_a = q->a.numbers[hit->patch_a];
  hit->patch_b = q->other->numbers[hit->patch_b];
}

static bool visit_restored(void *user, const toi_surface_hit *contact) {
  const inquiry *q = user;
  toi_surface_hit hit = *contact;
  restore(q, &hit);
  return q->question->visit(q->question->user, &hit);
}

static toi_status ask_pairs(inquiry *q, toi_surface_hit *hit) {
  if (q->found.count == 0) {
    *hit = toi_surface_miss(q->question->options->t_max);
    return TOI_OK;
  }
  if (!cast_pairs(q))
    return TOI_ERROR_MEMORY;
  toi_surface_question asked = *q->question;
  asked.pairs = (toi_patch_pairs){.a = q->a.patches,
                                  .b = q->other->patches,
                                  .a_count = q->a.count,
                                  .b_count = q->other->count,
                                  .pairs = q->found.pairs,
                                  .count = q->found.count};
  if (q->question->visit) {
    asked.visit = visit_restored;
    asked.user = q;
  }
  toi_status status = toi_surface_solve(q->context, &asked, hit);
  if (status == TOI_OK)
    restore(q, hit);
  return status;
}

toi_status toi_model_ask(toi_context *context, const toi_model *a, const toi_model *b,
                         const toi_surface_question *question, toi_surface_hit *hit) {
  inquiry q = {.context = context, .question = question, .a = {.model = a}, .b = {.model = b}};
  q.other = b ? &q.b : &q.a;
  toi_status status = toi_model_pairs_find(context, a, b, question->options, &q.found);
  if (status == TOI_OK)
    status = ask_pairs(&q, hit);
  toi_free(context, q.b.patches, q.b.bytes);
  toi_free(context, q.a.patches, q.a.bytes);
  toi_model_pairs_free(context, &q.found);
  return status;
}

/* First contact and, with somebody to visit, all of its moment. */
static toi_status ask(toi_context *context, const toi_model *a, const toi_model *b,
                      const toi_surface_question *question, toi_surface_hit *hit) {
  toi_surface_options options;
  toi_status status = toi_surface_begin(context, question->options, &options, hit);
  if (status != TOI_OK)
    return status;
  toi_surface_question asked = *question;
  asked.options = &options;
  toi_taken_model first, second = {0};
  status = toi_model_take(context, a, b ? "the first model" : "the model", &first);
  if (status == TOI_OK && b)
    status = toi_model_take(context, b, "the second model", &second);
  if (status == TOI_OK)
    status = toi_model_ask(context, &first.model, b ? &second.model : NULL, &asked, hit);
  toi_model_give_back(context, &first);
  toi_model_give_back(context, &second);
  return toi_surface_end_call(context, status, "these models", hit);
}

static TOI_APART toi_status first_of_models(toi_context *context, const toi_model *a, const toi_model *b,
                                            const toi_surface_options *options, toi_surface_hit *hit) {
  toi_surface_question question = {.options = options};
  return ask(context, a, b, &question, hit);
}

toi_status toi_model_pair(toi_context *context, const toi_model *a, const toi_model *b,
                          const toi_surface_options *options, toi_surface_hit *hit) {
  toi_call call;
  toi_call_begin(&call, context);
  const toi_status status = first_of_models(context, a, b, options, hit);
  toi_call_end(&call);
  return status;
}

/* The caller's visitor, and what it said last. */
typedef struct listener {
  toi_context *context;
  toi_model_visitor visit;
  void *user;
  toi_status status;
} listener;

static TOI_APART bool listen(void *user, const toi_surface_hit *contact) {
  listener *who = user;
  const toi_callback callback = toi_callback_begin(who->context, 0);
  who->status = who->visit(who->user, contact);
  toi_callback_end(callback);
  return who->status == TOI_OK;
}

static TOI_APART toi_status contacts_of_models(toi_context *context, const toi_model *a, const toi_model *b,
                                               const toi_surface_options *options, toi_surface_hit *first,
                                               toi_model_visitor visit, void *user) {
  listener who = {context, visit, user, TOI_OK};
  toi_surface_question question = {.options = options, .visit = listen, .user = &who};
  if (context && !visit) {
    if (first)
      *first = toi_surface_near();
    return toi_fail(context, TOI_ERROR_INPUT, "visit is NULL; without it ask toi_model_pair()");
  }
  const toi_status status = ask(context, a, b, &question, first);
  return status == TOI_OK ? who.status : status;
}

toi_status toi_model_contacts(toi_context *context, const toi_model *a, const toi_model *b,
                              const toi_surface_options *options, toi_surface_hit *first, toi_model_visitor visit,
                              void *user) {
  toi_call call;
  toi_call_begin(&call, context);
  const toi_status status = contacts_of_models(context, a, b, options, first, visit, user);
  toi_call_end(&call);
  return status;
}
