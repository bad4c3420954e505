/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Bodies in a host that rounds upwards, flushes subnormal numbers to zero or traps every exception: the same contacts;
 * and whose floating-point state the caller's own functions see. */

#include "contact/stage.h"
#include "support/host_state.h"

static const uint64_t states[] = {HOST_DEFAULT, HOST_FLUSHING, HOST_TRAPPING, HOST_UPWARD, HOST_FLAGGED};
#define STATES (sizeof states / sizeof *states)

enum { CONTACTS = 64 };

/* What was answered, and what the caller's functions saw. */
typedef struct heard {
  toi_status status;
  toi_contact_answer answer;
  toi_contact_point contacts[CONTACTS];
  size_t count;
  uint64_t expected; /* the host's state */
  unsigned visits, progresses, encloses, strange;
} heard;

static toi_status visit(void *user, const toi_contact_point *contact) {
  heard *h = user;
  h->visits++;
  h->strange += host_state_get() != h->expected;
  if (h->count < CONTACTS)
    h->contacts[h->count++] = *contact;
  return TOI_OK;
}

static bool progress(void *user, double done) {
  heard *h = user;
  const uint64_t surface = host_state_get();
  // In a trapping state, looking at a NaN would end the process.
  h->strange += surface != h->expected || !(done >= 0 && done <= 1);
  h->progresses++;
  return true;
}

/* A plane z = 0 of the caller's own, which leaves the flushing state behind. */
static bool own_plane(void *user, const toi_interval *box, unsigned order, toi_interval *jet) {
  heard *h = user;
  const uint64_t control = HOST_DEFAULT | HOST_FLUSHING | HOST_UPWARD;
  h->strange += (host_state_get() & control) != HOST_DEFAULT;
  h->encloses++;
  const size_t size = (size_t)TOI_JET_SIZE(4, order);
  for (size_t i = 0; i < size; i++)
    jet[i] = (toi_interval){0, 0};
  jet[0] = box[2];
  if (order > 0)
    jet[3] = (toi_interval){1, 1};
  host_state_set(HOST_FLUSHING);
  return true;
}

/* A turning egg and a ball fall on the plane, the egg first; all calls in the host's state. */
static void drop(toi_context *context, heard *h) {
  const toi_implicit under = {.bounds = {{-8, 8}, {-8, 8}, {-8, 8}}, .solid = true};
  toi_shape *shapes[3] = {NULL};
  toi_motion *motions[3] = {NULL};
  toi_body bodies[3];
  toi_contact_options options = toi_default_contact_options();
  toi_status status = toi_shape_own(context, own_plane, h, NULL, &under, &shapes[0]);
  if (status == TOI_OK)
    status = toi_shape_library(context, TOI_SHAPE_ELLIPSOID, TOI_SHAPE_FORM_PARAMETRIC, (double[]){0.5, 0.3, 0.7},
                               &shapes[1]);
  if (status == TOI_OK)
    status = toi_shape_library(context, TOI_SHAPE_SPHERE, TOI_SHAPE_FORM_DEFAULT, (double[]){0.5}, &shapes[2]);
  for (int i = 0; i < 3 && status == TOI_OK; i++)
    status = toi_motion_create(context, &motions[i]);
  if (status == TOI_OK)
    status = toi_motion_turn(motions[1], (double[]){1, 2, 0.1}, NULL, 0.1, 1.7);
  if (status == TOI_OK)
    status = toi_motion_move(motions[1], (double[]){2, 0, 1.5}, (double[]){0x1p-1070, 0, -2});
  if (status == TOI_OK)
    status = toi_motion_move(motions[2], (double[]){-2, 0, 3}, (double[]){0.1, 0, -2});
  for (int i = 0; i < 3; i++)
    bodies[i] = (toi_body){.size = sizeof *bodies, .shape = shapes[i], .motion = motions[i]};
  options.guesses = options.tangency = false; // so that it takes long enough to be told how far it is
  options.progress = progress;
  options.progress_user = h;
  if (status == TOI_OK)
    status = toi_contact(context, bodies, 3, &options, &h->answer, visit, h);
  h->status = status;
  for (int i = 0; i < 3; i++) {
    toi_motion_destroy(motions[i]);
    toi_shape_destroy(shapes[i]);
  }
}

static void contacts_are_the_same_in_every_host(void **state) {
  (void)state;
  toi_context *context = test_context(1);
  static heard all[STATES];
  for (size_t i = 0; i < STATES; i++) {
    heard *h = &all[i];
    const uint64_t before = host_state_get();
    h->expected = HOST_STATES_SET ? states[i] : before;
    host_state_set(states[i]);
    drop(context, h);
    const uint64_t after = host_state_get();
    host_state_set(before);
    assert_int_equal(h->status, TOI_OK);
    if (HOST_STATES_SET)
      assert_int_equal(after, states[i]);
    assert_true(h->visits > 0 && h->progresses > 0 && h->encloses > 0);
    assert_int_equal(h->strange, 0);
    h->answer.seconds = 0;
    assert_memory_equal(&h->answer, &all[0].answer, sizeof h->answer);
    assert_int_equal(h->count, all[0].count);
    assert_memory_equal(h->contacts, all[0].contacts, sizeof h->contacts);
  }
  assert_int_equal(all[0].answer.verdict, TOI_HIT);
  toi_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(contacts_are_the_same_in_every_host),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
