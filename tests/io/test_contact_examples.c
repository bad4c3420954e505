/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The shipped scenes are answered as their notes say: the time of contact lies in the bracket, and each point told on
 * the set of contacts. */

#include "io/contact.h"

/* How far a point is from the contacts that the note describes. */
typedef double (*distance_to)(const double p[3]);

static double from(const double p[3], double x, double y, double z) {
  return hypot(hypot(p[0] - x, p[1] - y), p[2] - z);
}

static double two_spheres(const double p[3]) {
  return from(p, 1, 0, 0);
}

static double sphere_on_plane(const double p[3]) {
  return from(p, 0.5, 0, 0);
}

static double ball_on_can(const double p[3]) {
  return from(p, 0.4, 0.2, 1);
}

static double boxes(const double p[3]) {
  return from(p, 0.1 + 2 / 11.0, 0.2 - 2 / 11.0, 0.5);
}

static double peg_in_hole(const double p[3]) {
  return from(p, 0.5, 0, 0.5);
}

static double bolt_in_hole(const double p[3]) {
  return from(p, 0.6 * cos(0.03) + 0.5 * sin(0.03), 0, 0.25);
}

/* The line at half its height. */
static double rolling(const double p[3]) {
  return hypot(p[0] - 1.125, p[2] - 0.5) + fmax(0, fabs(p[1]) - 0.5);
}

static double plane_on_sphere(const double p[3]) {
  return from(p, 0, 0, 1);
}

static double ellipsoid_on_plane(const double p[3]) {
  return from(p, 0, -1.5 / sqrt(2.5), 0);
}

static double chebyshev(const double p[3]) {
  return from(p, 0, -1.44 / sqrt(2.92), 0);
}

static double torus_on_cone(const double p[3]) {
  return hypot(hypot(p[0], p[1]) - (1 - sqrt(2) / 8), p[2] - (1 + sqrt(2) / 8));
}

static double tori_crossed(const double p[3]) {
  return hypot(hypot(fabs(p[0]) - 5.0 / 3, p[1]), p[2] - sqrt(5) / 6);
}

static double tori_aligned(const double p[3]) {
  return hypot(hypot(p[0], p[1]) - 2, p[2] - 0.5);
}

static double tube_on_cushion(const double p[3]) {
  const double beyond = fabs(p[1]) > 1 ? fabs(p[1]) - 1 : 0;
  return hypot(hypot(p[0] - 0.3 * sin(p[1]), p[2] - 0.25), beyond);
}

/* Six squares: which half waves p is in, and how far from the flat part of both. */
static double flat_squares(const double p[3]) {
  const double pi = acos(-1), i = floor((p[0] - 0.4) / pi), j = floor((p[1] - 0.4) / pi);
  double away = fabs(p[2] - 0.25);
  const double cell[2] = {i, j};
  for (int k = 0; k < 2; k++) {
    const double x = p[k] - cell[k] * pi, lo = pi / 6 + 0.4, hi = 5 * pi / 6;
    away = fmax(away, fmax(lo - x, x - hi));
  }
  const bool flat = i >= 0 && i < 4 && j >= 0 && j < 3 && fmod(i + j, 2) == 0;
  return flat ? away : 1;
}

static double sphere_on_ellipsoid(const double p[3]) {
  return from(p, 1.6, 0.6, 0);
}

static double superquadrics(const double p[3]) {
  const double x = pow(3, -0.25);
  return from(p, x, x, x);
}

static double intersecting_spheres(const double p[3]) {
  return hypot(p[0] - 0.5, hypot(p[1], p[2]) - sqrt(0.75));
}

static double patch_on_waves(const double p[3]) {
  return from(p, -1, -1, 0.2 * sin(-3) * cos(-2));
}

/* Somewhere on the cone. */
static double teapot_on_cone(const double p[3]) {
  return fabs(p[2] + sqrt(p[0] * p[0] + p[1] * p[1] + 0.01));
}

/* On the line through the centres of nose and roller. */
static double cam(const double p[3]) {
  const double angle = acos(-1) / 2 - acos(3.61 / 3.74), x = 1.1 * cos(angle), y = 1.1 * sin(angle);
  return from(p, x - x * 4 / 7, y + (1.7 - y) * 4 / 7, 0);
}

static double crossed_cylinders(const double p[3]) {
  return from(p, 0, 0, 0);
}

static double arch(const double p[3]) {
  return from(p, 0.2, 0.1, sqrt(0.96));
}

static double lens(const double p[3]) {
  return from(p, sin(0.5) * cos(0.9) + 0.0, 0, 0);
}

static double drilled_ball(const double p[3]) {
  return hypot(hypot(p[0], p[1]) - 0.5, p[2]);
}

/* On the line of action, through the pitch point, in the middle of the width. */
static double gears(const double p[3]) {
  const double pressure = acos(-1) / 9;
  return hypot((p[0] - 10) * cos(pressure) - p[1] * sin(pressure), p[2]);
}

/* No closed form. */
static double anywhere(const double p[3]) {
  return isfinite(p[0] + p[1] + p[2]) ? 0 : 1;
}

static const struct {
  const char *name;
  toi_verdict verdict;
  double t;         /* of the contact */
  size_t least;     /* points told, at least */
  distance_to away; /* NULL: there are none */
  bool slow;
} expected[SHIPPED] = {
    {"arch", TOI_HIT, 1.5303061543300932, 1, arch, false},
    {"ball-in-socket", TOI_MISS, 0, 0, NULL, false},
    {"ball-on-can", TOI_HIT, 0.5, 1, ball_on_can, false},
    {"bolt-in-hole", TOI_HIT, 0.63177771675299643, 1, bolt_in_hole, false},
    {"boxes", TOI_HIT, 219.0 / 440, 1, boxes, false},
    {"bumpy-spheres", TOI_HIT, 0.58465740731274, 1, anywhere, true},
    {"cam", TOI_HIT, 0.73556620958838471, 1, cam, false},
    {"chebyshev", TOI_HIT, 0.5, 1, chebyshev, false},
    {"crossed-cylinders", TOI_HIT, 0.38762756430420553, 1, crossed_cylinders, false},
    {"drilled-ball", TOI_HIT, 0.56698729810778065, 8, drilled_ball, false},
    {"ellipsoid-on-plane", TOI_HIT, 0.5, 1, ellipsoid_on_plane, false},
    {"flat-squares", TOI_HIT, 0.5, 6, flat_squares, true},
    {"gears", TOI_HIT, 0.5, 2, gears, true},
    {"intersecting-spheres", TOI_HIT, 0, 4, intersecting_spheres, false},
    {"lens", TOI_HIT, 0.62445307444867771, 1, lens, false},
    {"near-miss", TOI_MISS, 0, 0, NULL, false},
    {"patch-on-waves", TOI_HIT, 0.98825467101447, 1, patch_on_waves, false},
    {"peg-in-hole", TOI_HIT, 0.69424879136401119, 1, peg_in_hole, false},
    {"plane-on-sphere", TOI_HIT, 0.5, 1, plane_on_sphere, false},
    {"rolling", TOI_HIT, 0.79056941504209483, 5, rolling, false},
    {"shaft-in-bore", TOI_MISS, 0, 0, NULL, false},
    {"sphere-on-ellipsoid", TOI_HIT, 0.5, 1, sphere_on_ellipsoid, false},
    {"sphere-on-plane", TOI_HIT, 0.5, 1, sphere_on_plane, false},
    {"superquadrics", TOI_HIT, 0.48032862869681485, 1, superquadrics, false},
    {"teapot-on-cone", TOI_HIT, 0.616960725572752, 1, teapot_on_cone, false},
    {"teapots", TOI_HIT, 0.53445222532009, 1, anywhere, true},
    {"tori-aligned", TOI_HIT, 0.5, 60, tori_aligned, true},
    {"tori-crossed", TOI_HIT, 0.76393202250021030, 2, tori_crossed, false},
    {"torus-on-cone", TOI_HIT, 0.64644660940672624, 25, torus_on_cone, true},
    {"tube-on-cushion", TOI_HIT, 0.5, 5, tube_on_cushion, false},
    {"two-spheres", TOI_HIT, 0.5, 1, two_spheres, false},
};

typedef struct checked {
  size_t example;
  double tolerance;
} checked;

static toi_status check_contact(void *user, const toi_contact_point *contact) {
  const checked *c = user;
  const double away = expected[c->example].away(contact->point);
  // What touches later by dt does so beside the first contacts, where surfaces are at most twice the root of dt away.
  const double beside = 2 * sqrt(fmax(contact->t_hi - expected[c->example].t, 0));
  if (!(away <= contact->error + fmax(c->tolerance, beside)))
    fail_msg("%s: (%.17g, %.17g, %.17g) is %g away from the contacts", expected[c->example].name, contact->point[0],
             contact->point[1], contact->point[2], away);
  return TOI_OK;
}

/* Of a scene that says so contacts at the start are tracked, and asked is what comes next. */
static toi_status ask(toi_context *context, const toi_contact_scene *scene, toi_contact_visitor visit, checked *c,
                      toi_contact_answer *answer) {
  if (scene->track_delta == 0)
    return toi_contact(context, scene->bodies, scene->count, scene->options, answer, visit, c);
  toi_track tracks[2];
  toi_track_scene from = {.size = sizeof from, .bodies = scene->bodies, .body_count = scene->count, .tracks = tracks};
  const toi_track_contacts touching = {
      .size = sizeof touching, .room = 2, .delta = scene->track_delta, .margin = scene->track_margin};
  toi_track_answer next;
  toi_status status = toi_track_rest(context, &from, scene->options, &touching, &from.track_count);
  if (status == TOI_OK)
    status = toi_track_step(context, &from, scene->options, &next, visit, c);
  *answer =
      (toi_contact_answer){.verdict = next.verdict, .t_lo = next.t_lo, .t_hi = next.t_hi, .contacts = next.contacts};
  return status;
}

static void notes_of_the_shipped_scenes_hold(void **state) {
  for (size_t i = 0; i < SHIPPED; i++) {
    assert_string_equal(expected[i].name, shipped[i]);
    if (expected[i].slow && TEST_SANITIZED)
      continue;
    char path[1024];
    toi_contact_scene scene;
    toi_contact_answer answer;
    scene_fine(*state, shipped_path(i, path), &scene);
    checked c = {i, 10 * scene.options->tolerance};
    if (ask(*state, &scene, expected[i].away == NULL ? NULL : check_contact, &c, &answer) != TOI_OK)
      fail_msg("%s", toi_context_error(*state));
    // The decimal is within an ulp or two of the time that is meant, or what is known of it.
    const double off = expected[i].away == anywhere ? 1e-13 : 4e-16;
    if (answer.verdict != expected[i].verdict || answer.contacts < expected[i].least ||
        (answer.verdict == TOI_HIT && !(answer.t_lo <= expected[i].t + off && answer.t_hi >= expected[i].t - off)))
      fail_msg("%s: verdict %d, [%.17g, %.17g], %zu contacts", shipped[i], (int)answer.verdict, answer.t_lo,
               answer.t_hi, answer.contacts);
    toi_contact_scene_free(*state, &scene);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(notes_of_the_shipped_scenes_hold),
  };
  return cmocka_run_group_tests(tests, test_context_make, test_context_remove);
}
