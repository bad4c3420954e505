/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* First contact of models: one search over all pairs of patches that can touch, on the calling thread. It prepares the
 * patches that occur in these pairs only, a few of many as a rule. */

#include "surface/model.h"

#include <string.h>

/* b may be a. */
static toi_status ask_pairs(toi_context *context, const toi_model *a, const toi_model *b, const toi_model_pairs *found,
                            const toi_surface_question *question, toi_surface_hit *hit) {
  const size_t count = a->patch_count + b->patch_count, second = a->patches == b->patches ? 0 : a->patch_count;
  bool *used = toi_allocate(context, count * sizeof(*used));
  if (used == NULL)
    return TOI_ERROR_MEMORY;
  memset(used, 0, count * sizeof(*used));
  for (size_t i = 0; i < found->count; i++)
    used[found->pairs[i].first] = used[second + found->pairs[i].second] = true;
  toi_surface_question asked = *question;
  asked.pairs = (toi_patch_pairs){.a = a->patches,
                                  .b = b->patches,
                                  .a_count = a->patch_count,
                                  .b_count = b->patch_count,
                                  .pairs = found->pairs,
                                  .count = found->count,
                                  .used = used};
  const toi_status status = toi_surface_solve(context, &asked, hit);
  toi_free(context, used, count * sizeof(*used));
  return status;
}

toi_status toi_model_ask(toi_context *context, const toi_model *a, const toi_model *b,
                         const toi_surface_question *question, toi_surface_hit *hit) {
  toi_model_pairs found;
  toi_status status = toi_model_pairs_find(context, a, b, question->options, &found);
  if (status == TOI_OK && found.count > 0)
    status = ask_pairs(context, a, b ? b : a, &found, question, hit);
  else if (status == TOI_OK)
    *hit = toi_surface_miss(question->options->t_max);
  toi_model_pairs_free(context, &found);
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
  TOI_CALL(context, first_of_models(context, a, b, options, hit));
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
    return toi_fail(context, TOI_ERROR_INPUT, "visit is NULL; without a visitor call toi_model_pair()");
  }
  const toi_status status = ask(context, a, b, &question, first);
  return status == TOI_OK ? who.status : status;
}

toi_status toi_model_contacts(toi_context *context, const toi_model *a, const toi_model *b,
                              const toi_surface_options *options, toi_surface_hit *first, toi_model_visitor visit,
                              void *user) {
  TOI_CALL(context, contacts_of_models(context, a, b, options, first, visit, user));
}
