/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Paths of rigid bodies: the answers are those of asking piece after piece, in the path's own time; and what is
 * refused.
 */

#include <stdlib.h>

#include "scene/rigid_cases.h"

enum { PIECES = 3 };

static const double times[PIECES + 1] = {-2, 1, 1.5, 4};

static toi_rigid_path path_of(const toi_moving_body *bodies, size_t count) {
  return (toi_rigid_path){
      .size = sizeof(toi_rigid_path), .times = times, .bodies = bodies, .count = count, .piece_count = PIECES};
}

/* The same bodies, on other ways in each piece. */
static void draw(toi_context *context, uint64_t *state, int style, rigid_case *c, toi_moving_body *bodies) {
  rigid_random(context, state, style, c);
  for (size_t k = 0; k < PIECES; k++)
    for (size_t i = 0; i < c->count; i++) {
      bodies[k * c->count + i] = c->body[i];
      if (!c->fixed[i] && k > 0)
        case_poses(state, CASE_RANDOM, &bodies[k * c->count + i]);
    }
}

typedef struct answers {
  toi_rigid_contact at[64];
  size_t count;
} answers;

static toi_status keep(void *user, const toi_rigid_contact *contacts, size_t count) {
  answers *all = user;
  assert_true(all->count + count <= 64);
  memcpy(all->at + all->count, contacts, count * sizeof *contacts);
  all->count += count;
  return TOI_OK;
}

/* Times of a contact are those of its piece, mapped. */
static void check_times(const toi_rigid_contact *contact) {
  const toi_hit *hit = &contact->impact.hit;
  const double from = times[contact->piece], h = times[contact->piece + 1] - from;
  assert_true(contact->t_lo <= from + hit->t_lo * h && contact->t_lo >= from);
  assert_true(contact->t_hi >= from + hit->t_hi * h && contact->t_hi <= from + h);
  assert_true(fabs(contact->t_lo - (from + hit->t_lo * h)) < 1e-14 &&
              fabs(contact->t_hi - (from + hit->t_hi * h)) < 1e-14);
  assert_true(contact->t_safe <= contact->t_lo && contact->t_safe >= from);
}

static bool same_bodies(const toi_rigid_impact *a, const toi_rigid_impact *b) {
  return (a->bodies[0] == b->bodies[0] && a->bodies[1] == b->bodies[1]) ||
         (a->bodies[0] == b->bodies[1] && a->bodies[1] == b->bodies[0]);
}

/* Each two bodies: in the first piece in which they touch, from the least t_lo, with the number of pairs. */
static void check_contacts(const answers *all, const rigid_list pieces[PIECES]) {
  for (size_t i = 0; i < all->count; i++) {
    const toi_rigid_contact *contact = &all->at[i];
    uint64_t pairs = 0;
    double least = INFINITY;
    check_times(contact);
    assert_true(i == 0 || all->at[i - 1].t_lo <= contact->t_lo);
    for (size_t k = 0; k <= contact->piece; k++)
      for (size_t j = 0; j < pieces[k].count; j++)
        if (same_bodies(&pieces[k].at[j], &contact->impact)) {
          assert_int_equal(k, contact->piece);
          pairs++;
          least = fmin(least, pieces[k].at[j].hit.t_lo);
        }
    assert_int_equal(pairs, contact->pairs);
    assert_true(least == contact->impact.hit.t_lo);
  }
}

static void paths_are_their_pieces(void **unused) {
  (void)unused;
  uint64_t state = test_seed(97);
  toi_context *context = test_context(2);
  static rigid_case c;
  static rigid_list pieces[PIECES];
  toi_moving_body bodies[PIECES * RIGID_BODIES];
  size_t hits = 0;
  for (uint64_t round = 0; round < test_count(40); round++) {
    draw(context, &state, (int)(round % CASE_STYLES), &c, bodies);
    toi_rigid_scene *scene = rigid_scene_of(context, &c);
    const toi_options options = toi_default_options();
    const toi_rigid_path path = path_of(bodies, c.count);
    toi_rigid_contact first;
    toi_rigid_impact impact;
    answers all = {.count = 0};
    assert_int_equal(toi_rigid_scene_path_step(scene, &path, &options, &first), TOI_OK);
    for (size_t k = 0; k < PIECES; k++) {
      const toi_moving_body *own = bodies + k * c.count;
      pieces[k].count = 0;
      assert_int_equal(toi_rigid_scene_collisions(scene, own, c.count, &options, rigid_keep, &pieces[k]), TOI_OK);
      assert_int_equal(toi_rigid_scene_step(scene, own, c.count, &options, &impact), TOI_OK);
      if (k < first.piece)
        assert_int_equal(impact.hit.verdict, TOI_MISS);
      else if (k == first.piece)
        assert_memory_equal(&impact, &first.impact, sizeof impact);
    }
    if (first.piece < PIECES)
      check_times(&first);
    else
      assert_true(first.impact.hit.verdict == TOI_MISS && isinf(first.t_lo) && first.t_safe == times[PIECES]);
    assert_int_equal(toi_rigid_scene_path_contacts(scene, &path, &options, keep, &all), TOI_OK);
    check_contacts(&all, pieces);
    assert_true((all.count > 0) == (first.piece < PIECES));
    hits += all.count > 0;
    toi_rigid_scene_destroy(scene);
  }
  assert_true(hits > 0);
  toi_context_destroy(context);
}

static bool half_way(void *user, double done) {
  *(double *)user = done;
  return done < 0.5;
}

static void bad_paths_are_refused(void **unused) {
  (void)unused;
  uint64_t state = 5;
  toi_context *context = test_context(1);
  static rigid_case c;
  toi_moving_body bodies[PIECES * RIGID_BODIES];
  draw(context, &state, CASE_RANDOM, &c, bodies);
  toi_rigid_scene *scene = rigid_scene_of(context, &c);
  toi_options options = toi_default_options();
  toi_rigid_contact first;
  static const double late[PIECES + 1] = {0, 2, 1, 3}, infinite[PIECES + 1] = {0, 1, 2, INFINITY};
  toi_rigid_path paths[4] = {path_of(bodies, c.count), path_of(bodies, c.count), path_of(bodies, c.count),
                             path_of(bodies, c.count + 1)};
  paths[0].times = late;
  paths[1].times = infinite;
  paths[2].piece_count = 0;
  static const char *const words[] = {"time 2 of the path is 1", "time 3 of the path is inf", "no pieces",
                                      "motions of"};
  for (size_t i = 0; i < 4; i++) {
    assert_int_equal(toi_rigid_scene_path_step(scene, &paths[i], &options, &first), TOI_ERROR_INPUT);
    assert_non_null(strstr(toi_context_error(context), words[i]));
    assert_int_equal(first.impact.hit.verdict, TOI_NEAR);
  }
  const toi_rigid_path path = path_of(bodies, c.count);
  answers all = {.count = 0};
  assert_int_equal(toi_rigid_scene_path_contacts(scene, &path, &options, NULL, NULL), TOI_ERROR_INPUT);
  options.t_max = 0.5;
  assert_int_equal(toi_rigid_scene_path_contacts(scene, &path, &options, keep, &all), TOI_ERROR_OPTION);
  options.t_max = 1;
  // Progress is that of the path, and can end it.
  double done = 0;
  toi_mesh_options on_mesh = toi_default_mesh_options();
  on_mesh.progress = half_way;
  on_mesh.progress_user = &done;
  options.on_mesh = &on_mesh;
  assert_int_equal(toi_rigid_scene_path_contacts(scene, &path, &options, keep, &all), TOI_ERROR_CANCELLED);
  assert_true(done >= 0.5 && done <= 1 && all.count == 0);
  toi_rigid_scene_destroy(scene);
  toi_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(paths_are_their_pieces),
      cmocka_unit_test(bad_paths_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
