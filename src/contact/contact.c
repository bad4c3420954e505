/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* First contact of many bodies.
 *
 * Order of work: shapes and motions are checked; pairs of bodies whose boxes and balls never meet are left out; then it
 * is asked whether any pair intersects at t = 0, where surfaces may cross without being tangential; and if none does,
 * when they first touch. */

#include "contact/crowd.h"
#include "contact/inside.h"

const char *toi_contact_certificate_name(toi_contact_certificate certificate) {
  return certificate == TOI_CONTACT_UNIQUE ? "unique" : certificate == TOI_CONTACT_SINGULAR ? "singular" : NULL;
}

const char *toi_contact_end_name(toi_contact_end end) {
  static const char *const names[] = {"done", "boxes", "seconds", "memory"};
  return (size_t)end < sizeof names / sizeof *names ? names[end] : NULL;
}

typedef toi_question question;

/* What a search found, and what the one at the start left open if it proved no contact: that is reported if nothing
 * else is. Both may be the same. */
static toi_status conclude(const question *q, const toi_contact_search *start, const toi_contact_search *run,
                           toi_listener *who, toi_contact_answer *answer) {
  const toi_contact_outcome first = toi_question_outcome(start), then = toi_question_outcome(run);
  toi_question_conclude(q, &first, &then, answer);
  return toi_question_report(q, first.earliest == 0 && answer->verdict == TOI_NEAR ? start : run, who,
                             &answer->contacts);
}

/* First whether they intersect at t = 0. */
static toi_status ask_both(question *q, toi_listener *who, toi_contact_answer *answer) {
  toi_contact_search start;
  toi_status status = toi_question_search(q, true, &start);
  if (status == TOI_OK && start.bound == 0) {
    answer->verdict = TOI_HIT;
    answer->touching_at_start = true;
    answer->end = start.end;
    status = toi_question_report(q, &start, who, &answer->contacts);
  } else if (status == TOI_OK && q->options->t_max == 0) {
    status = conclude(q, &start, &start, who, answer);
  } else if (status == TOI_OK) {
    // When they first touch, as they are not known to do so at the start.
    toi_contact_search run;
    status = toi_question_search(q, false, &run);
    if (status == TOI_OK)
      status = conclude(q, &start, &run, who, answer);
    toi_question_search_end(&run);
  }
  toi_question_search_end(&start);
  return status;
}

static toi_status ask(question *q, toi_listener *who, toi_contact_answer *answer) {
  toi_status status = toi_question_begin(q);
  answer->pairs = q->count * (q->count - 1) / 2;
  if (status == TOI_OK && q->crowd)
    return toi_crowd_ask(q, who, answer);
  if (status == TOI_OK)
    status = toi_question_pairs(q);
  if (status != TOI_OK)
    return status;
  answer->culled = q->culled;
  status = ask_both(q, who, answer);
  answer->boxes = q->boxes;
  return status;
}

static TOI_APART toi_status first_contact(toi_context *context, const toi_body *bodies, size_t count,
                                          const toi_contact_options *options, toi_contact_answer *answer,
                                          toi_contact_visitor visit, void *user) {
  // What an answer is until there is a better one.
  const toi_contact_answer unknown = {
      .verdict = TOI_NEAR, .t_hi = INFINITY, .tolerance_reached = INFINITY, .inside_at_start = TOI_INSIDE_UNKNOWN};
  if (answer != NULL)
    *answer = unknown;
  if (context == NULL || answer == NULL || (bodies == NULL && count > 0))
    return toi_fail(context, TOI_ERROR_INPUT, "context, bodies or answer is NULL; give all of them");
  toi_contact_options taken;
  question q;
  toi_status status = toi_question_take(context, bodies, count, options, &taken, &q);
  if (status != TOI_OK)
    return status;
  toi_listener who = {visit, user, TOI_OK};
  *answer = (toi_contact_answer){.end = TOI_CONTACT_DONE};
  status = ask(&q, &who, answer);
  // Surfaces that are apart at the start are known to be so: nothing was found then, nor left open.
  const bool apart = !answer->touching_at_start && answer->t_lo > 0;
  if (status == TOI_OK)
    status = toi_inside_at_start(&q, apart, &answer->inside_at_start);
  status = toi_question_end(&q, status);
  if (status != TOI_OK)
    *answer = unknown;
  answer->seconds = toi_question_elapsed(&q);
  return status == TOI_OK ? who.status : status;
}

toi_status toi_contact(toi_context *context, const toi_body *bodies, size_t count, const toi_contact_options *options,
                       toi_contact_answer *answer, toi_contact_visitor visit, void *user) {
  TOI_CALL(context, first_contact(context, bodies, count, options, answer, visit, user));
}
