/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Every technique of the search switched off, every order and every Newton method: the answer stays right. What was
 * proved with all of them may be `near` without some, but nothing touches before its t_lo; and what misses never hits.
 */

#include "contact/program.h"
#include "contact/scenes.h"

#define VARIANTS 12

/* The options of variant k, and what it is called. */
static const char *vary(int k, toi_contact_options *options) {
  static const char *const names[VARIANTS] = {"upper",       "race",          "Krawczyk",     "no Newton",
                                              "no tangency", "no mean value", "no spheres",   "no guesses",
                                              "no polish",   "incoming off",  "no clearance", "bare"};
  bool bare = k == 11;
  options->order = k == 0 ? TOI_CONTACT_UPPER : k == 1 ? TOI_CONTACT_RACE : TOI_CONTACT_LOWER;
  options->newton = k == 2 ? TOI_NEWTON_KRAWCZYK : k == 3 || bare ? TOI_NEWTON_NONE : TOI_NEWTON_LINEAR;
  options->tangency = k != 4 && !bare;
  options->mean_value = k != 5 && !bare;
  options->spheres = k != 6 && !bare;
  options->guesses = k != 7 && !bare;
  options->polish = k != 8 && !bare;
  options->clearance = k != 10 && !bare;
  options->incoming = k == 9 ? TOI_INCOMING_OFF : TOI_INCOMING_AUTO;
  return names[k];
}

static const scene some_scenes[] = {
    {"two spheres", two_spheres},
    {"two parametric spheres", two_parametric_spheres},
    {"sphere falls on plane", sphere_falls_on_plane},
    {"tori crossed", tori_crossed},
    {"parametric sphere on implicit ellipsoid", parametric_sphere_on_implicit_ellipsoid},
};
#define SOME (sizeof some_scenes / sizeof *some_scenes)

/* Coarse, so that mere splitting ends too. */
static void run(const scene *what, int k, bool miss, truth *known) {
  stage s = {.context = context, .miss = miss, .gap = 0.05};
  toi_contact_options options = toi_default_contact_options();
  options.tolerance = 0.02;
  options.spacing = 0.5;
  options.max_boxes = 300000;
  const char *name = vary(k, &options);
  what->build(&s, known);
  ask(&s, &options, &got);
  tell(what->name, &s, &got);
  print_message("    %s\n", name);
  clear(&s);
}

static void hits_stay_whatever_is_switched_off(void **state) {
  (void)state;
  for (size_t i = 0; i < SOME; i++)
    for (int k = 0; k < VARIANTS; k++) {
      truth known;
      run(&some_scenes[i], k, false, &known);
      const toi_contact_answer *a = &got.answer;
      if (a->verdict == TOI_MISS || a->t_lo > known.t + known.rounding ||
          (a->verdict == TOI_HIT && a->t_hi < known.t - known.rounding))
        fail_msg("%s from %.17g to %.17g", toi_verdict_name(a->verdict), a->t_lo, a->t_hi);
      // With Newton's method and all that it needs, it is proved.
      if (k < 3 || (k > 4 && k < 10))
        assert_int_equal(a->verdict, TOI_HIT);
    }
}

static void misses_stay_whatever_is_switched_off(void **state) {
  (void)state;
  for (size_t i = 0; i < SOME; i++)
    for (int k = 0; k < VARIANTS; k++) {
      truth known;
      run(&some_scenes[i], k, true, &known);
      if (got.answer.verdict == TOI_HIT)
        fail_msg("hit from %.17g to %.17g", got.answer.t_lo, got.answer.t_hi);
      if (k < 3 || (k > 4 && k < 10))
        assert_int_equal(got.answer.verdict, TOI_MISS);
    }
}

/* Techniques are there to be used: a caller who says nothing has them all. */
static void all_techniques_are_on_if_not_said(void **state) {
  (void)state;
  toi_contact_options options = toi_default_contact_options();
  assert_true(options.t_max == 1 && options.tolerance > 0 && options.simultaneity > 0 && options.spacing > 0);
  assert_true(options.tangency && options.mean_value && options.spheres && options.guesses && options.polish);
  assert_true(options.clearance);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_techniques_are_on_if_not_said),
      cmocka_unit_test(hits_stay_whatever_is_switched_off),
      cmocka_unit_test(misses_stay_whatever_is_switched_off),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
