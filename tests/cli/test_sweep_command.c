/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* `toi sweep` as its users see it: what it prints about scenes of rigid bodies, against closed forms and poses sampled
 * densely, and what it refuses. */

#include "cli/inputs.h"
#include "cli/running.h"

#include <math.h>
#include <toi/io.h>

static double at(const json_t *object, const char *key) {
  const json_t *value = json_object_get(object, key);
  assert_true(json_is_number(value));
  return json_number_value(value);
}

static json_t *sweep_example(const char *name, const char *options, int code) {
  return assert_json(run("sweep '%s/examples/sweep/%s.json' --json %s", TOI_SOURCE_DIR, name, options), code);
}

static void a_door_jams_8_degrees_before_its_stop(void **state) {
  (void)state;
  json_t *object = sweep_example("door", "--all --free door --fail-on-hit", 1);
  assert_text(object, "verdict", "hit");
  const json_t *first = json_object_get(object, "first"), *freed = json_object_get(object, "free");
  assert_text(first, "a", "chest");
  assert_text(first, "b", "door");
  assert_text(first, "kind", "vertex-face");
  // The chest's corner is written with six digits.
  const double angle = at(freed, "to") * 180 / M_PI;
  if (!(fabs(angle - 102) < 1e-4))
    fail_msg("the door opens to %.9g degrees", angle);
  assert_true(at(freed, "from") == 0);
  assert_true(json_is_null(json_object_get(freed, "below")));
  // Under nlerp it is at that angle when tan of half of it is t sin / (1 - t + t cos).
  const json_t *toi = json_object_get(object, "toi");
  const double t = at(toi, "lo"), half = 0.5 * 1.919862;
  assert_true(fabs(2 * atan2(t * sin(half), 1 - t + t * cos(half)) - at(freed, "to")) < 1e-12);
  assert_true(at(toi, "safe") <= at(toi, "lo") && at(toi, "lo") <= at(toi, "hi"));
  assert_int_equal(json_array_size(json_object_get(object, "hits")), 1);
  json_decref(object);
}

static void shipped_scenes_are_answered(void **state) {
  (void)state;
  static const struct {
    const char *name, *verdict;
  } scenes[] = {{"gears", "miss"}, {"gears-loose", "hit"}, {"chain", "hit"}, {"arm", "miss"}, {"door", "hit"}};
  for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; i++) {
    json_t *object = sweep_example(scenes[i].name, "--threads 2", 0);
    assert_text(object, "verdict", scenes[i].verdict);
    json_decref(object);
    ran table = run("sweep '%s/examples/sweep/%s.json' --all", TOI_SOURCE_DIR, scenes[i].name);
    assert_int_equal(table.code, 0);
    assert_non_null(strstr(table.out, scenes[i].verdict));
    ran_free(&table);
  }
}

/* --- closed forms --- */

#define TRIANGLE "{\"vertices\":[[-1,-1,0],[1,-1,0],[0,1,0]],\"faces\":[[0,1,2]]}"
#define POINT(z) "{\"vertices\":[[0,0," z "]]}"
#define TWO(a, b) "{\"bodies\":[{\"name\":\"a\"," a "},{\"name\":\"b\"," b "}]}"

static json_t *sweep_text(const char *text, const char *options) {
  return assert_json(run("sweep %s --json %s", test_write_text("scene.json", text), options), 0);
}

static void times_are_the_scenes_own(void **state) {
  (void)state;
  // From z = 3 at t = 10 to 1 at 12, then to -1 at 20: through 0 at 16.
  json_t *object = sweep_text(
      TWO("\"mesh\":" TRIANGLE,
          "\"mesh\":" POINT("0") ",\"path\":[{\"t\":10,\"position\":[0,0,3]},{\"t\":12,\"position\":[0,0,1]},"
                                 "{\"t\":20,\"position\":[0,0,-1]}]"),
      "");
  const json_t *toi = json_object_get(object, "toi"), *time = json_object_get(object, "time");
  assert_text(object, "verdict", "hit");
  assert_true(at(toi, "lo") <= 16 && at(toi, "hi") >= 16 && at(toi, "hi") - at(toi, "lo") < 1e-13);
  assert_true(at(toi, "safe") <= 16);
  assert_true(json_number_value(json_array_get(time, 0)) == 10 && json_number_value(json_array_get(time, 1)) == 20);
  json_decref(object);
}

static void joints_slide_and_turn(void **state) {
  (void)state;
  json_t *object =
      sweep_text(TWO("\"mesh\":" TRIANGLE,
                     "\"mesh\":" POINT("2") ",\"joint\":{\"type\":\"prismatic\",\"axis\":[0,0,-2],\"limits\":[-1,"
                                            "4],\"path\":[[0,0],[1,1]]}"),
                 "--free b");
  assert_text(object, "verdict", "miss");
  assert_true(fabs(at(json_object_get(object, "free"), "to") - 2) < 1e-12);
  assert_true(at(json_object_get(object, "free"), "from") == -1);
  json_decref(object);
  // A point 2 from the axis turns about x, a quarter and more, into the plane z = 0, where the triangle is.
  object = sweep_text(
      TWO("\"mesh\":{\"vertices\":[[-9,-9,0],[9,-9,0],[0,9,0]],\"faces\":[[0,1,2]]}",
          "\"mesh\":" POINT(
              "2") ",\"joint\":{\"type\":\"revolute\",\"axis\":[1,0,0],\"limits\":[-2,2],\"path\":[[0,0],[1,0]"
                   "]}"),
      "--free b");
  assert_true(fabs(at(json_object_get(object, "free"), "to") - M_PI / 2) < 1e-12);
  assert_true(fabs(at(json_object_get(object, "free"), "from") + M_PI / 2) < 1e-12);
  json_decref(object);
}

static void clearances_are_bracketed(void **state) {
  (void)state;
  // A point at height 2 and more on its way: 1.5 above the plane at the closest, at t = 3 of 1 to 5.
  json_t *object = sweep_text(TWO("\"mesh\":" TRIANGLE,
                                  "\"mesh\":" POINT("0") ",\"path\":[{\"t\":1,\"position\":[0,0,2]},{\"t\":3,"
                                                         "\"position\":[0,0,1.5]},{\"t\":5,\"position\":[0,0,4]}]"),
                              "--clearance");
  const json_t *clearance = json_object_get(object, "clearance"), *closest = json_object_get(clearance, "closest");
  assert_text(object, "verdict", "miss");
  assert_true(at(clearance, "lo") <= 1.5 && at(clearance, "hi") >= 1.5 - 1e-12);
  assert_true(at(clearance, "hi") - at(clearance, "lo") < 1e-5);
  assert_text(closest, "kind", "vertex-face");
  assert_true(fabs(at(json_object_get(closest, "toi"), "lo") - 3) < 1e-3);
  json_decref(object);
  // Of what touches it is 0.
  object = sweep_example("door", "--clearance", 0);
  assert_true(at(json_object_get(object, "clearance"), "hi") == 0);
  json_decref(object);
}

#define WIDE "{\"vertices\":[[-9,-9,0],[9,-9,0],[0,9,0]],\"faces\":[[0,1,2]]}"

static void check_time(const char *text, const char *options, double time, double slack) {
  json_t *object = sweep_text(text, options);
  const json_t *toi = json_object_get(object, "toi");
  assert_text(object, "verdict", "hit");
  if (!(at(toi, "lo") <= time + slack && at(toi, "hi") >= time - slack && at(toi, "hi") - at(toi, "lo") < 1e-9))
    fail_msg("from %.17g to %.17g, not at %.17g", at(toi, "lo"), at(toi, "hi"), time);
  json_decref(object);
}

static void laws_turn_at_a_constant_rate(void **state) {
  (void)state;
  // A point 2 above the axis turns by 12 radians in 10 seconds, almost twice around: in the plane after a quarter.
  const char *turns = TWO("\"mesh\":" WIDE,
                          "\"mesh\":" POINT("2") ",\"law\":\"slerp\",\"joint\":{\"type\":\"revolute\",\"axis\":[1,0,0],"
                                                 "\"path\":[[0,0],[10,12]]}");
  check_time(turns, "", M_PI / 2 / 1.2, 1e-14);
  check_time(turns, "--min-separation 0.5", acos(0.25) / 1.2, 1e-11);
  // By 2 radians in 3 seconds about x.
  check_time(TWO("\"mesh\":" WIDE,
                 "\"mesh\":" POINT("2") ",\"law\":\"slerp\",\"path\":[{\"t\":0},{\"t\":3,\"quaternion\":["
                                        "0.5403023058681398,0.8414709848078965,0,0]}]"),
             "", M_PI / 2 / 2 * 3, 1e-14);
  // Half a turn on a helix about the line y = 1, z = 0 along x: from (0, 0, 1/2) it is at z = cos w / 2 - sin w.
  check_time(TWO("\"mesh\":" TRIANGLE,
                 "\"mesh\":" POINT("0.5") ",\"law\":\"screw\",\"path\":[{\"t\":0},{\"t\":1,\"position\":[1,2,0],"
                                          "\"quaternion\":[0,1,0,0]}]"),
             "", atan(0.5) / M_PI, 1e-14);
}

static void fixed_bodies_and_ignored_ones_may_overlap(void **state) {
  (void)state;
  const char *text =
      "{\"bodies\":[{\"name\":\"a\",\"mesh\":" TRIANGLE "},{\"name\":\"b\",\"mesh\":" TRIANGLE
      "},{\"name\":\"c\",\"mesh\":" POINT("0") ",\"path\":[{\"t\":0,\"position\":[0,0,1]},{\"t\":1,"
                                               "\"position\":[0,0,-1]}]}],\"ignore\":[[\"c\",\"a\"],[\"b\",\"c\"]]}";
  json_t *object = sweep_text(text, "--all");
  assert_text(object, "verdict", "miss");
  json_decref(object);
}

/* --- against poses sampled densely --- */

/* The chain of the arm, evaluated apart from the library: both joints by nlerp between their waypoints, half angles by
 * the tangent. */
static void chains_go_as_their_links_do(void **state) {
  (void)state;
  toi_context *context = test_context(1);
  toi_sweep_scene scene;
  assert_int_equal(toi_sweep_scene_read(context, TOI_SOURCE_DIR "/examples/sweep/arm.json", &scene), TOI_OK);
  for (size_t k = 0; k < scene.piece_count; k++)
    for (int i = 0; i <= 8; i++) {
      const double s = i / 8.0, t = (1 - s) * scene.times[k] + s * scene.times[k + 1];
      const double a = t < 2 ? -1.2 + 2 * atan2(t / 2 * sin(0.9), 1 - t / 2 + t / 2 * cos(0.9))
                             : 0.6 + 2 * atan2((t - 2) * sin(0.3), 3 - t + (t - 2) * cos(0.3));
      const double b = t < 1   ? 1.6 + 2 * atan2(t * sin(0.3), 1 - t + t * cos(0.3))
                       : t < 2 ? 2.2
                               : 2.2 + 2 * atan2((t - 2) * sin(-0.85), 3 - t + (t - 2) * cos(0.85));
      const double tip[2] = {cos(a) + 0.9 * cos(a + b), sin(a) + 0.9 * sin(a + b)};
      toi_pose pose;
      assert_int_equal(toi_moving_body_at(&scene.motions[k * scene.count + 2], s, &pose), TOI_OK);
      const double angle = 2 * atan2(pose.quaternion[3], pose.quaternion[0]);
      const double off =
          hypot(pose.position[0] + 0.9 * cos(angle) - tip[0], pose.position[1] + 0.9 * sin(angle) - tip[1]);
      assert_true(off < 1e-14);
    }
  toi_sweep_scene_free(context, &scene);
  toi_context_destroy(context);
}

/* Angle of a joint that goes from one value to another, at s. */
static double joint_at(double from, double to, double s, bool slerp) {
  const double half = 0.5 * (to - from);
  return slerp ? from + s * (to - from) : from + 2 * atan2(s * sin(half), 1 - s + s * cos(half));
}

/* When the tip of an arm of lengths 1 and 0.5 is as far as the wall at x = 1.2, by bisection. */
static double tip_meets_wall(bool slerp) {
  double lo = 0, hi = 1;
  for (int i = 0; i < 60; i++) {
    const double s = 0.5 * (lo + hi), a = joint_at(1.5, 0, s, slerp), b = joint_at(-0.5, 0.7, s, slerp);
    *(cos(a) + 0.5 * cos(a + b) < 1.2 ? &lo : &hi) = s;
  }
  return lo;
}

#define WALL "{\"vertices\":[[1.2,-9,-9],[1.2,9,-9],[1.2,0,9]],\"faces\":[[0,1,2]]}"
#define ARM(law)                                                                                                       \
  "{\"bodies\":[{\"name\":\"wall\",\"mesh\":" WALL "},{\"name\":\"upper\",\"law\":\"" law                              \
  "\",\"mesh\":{\"vertices\":[[-1,0,0]]},\"joint\":{\"type\":\"revolute\",\"axis\":[0,0,1],\"path\":[[0,1.5],[2,0]]}}" \
  ",{\"name\":\"fore\",\"parent\":\"upper\",\"law\":\"" law "\",\"mesh\":{\"vertices\":[[0.5,0,0]]},\"joint\":{"       \
  "\"type\":\"revolute\",\"axis\":[0,0,2],\"origin\":[1,0,0],\"limits\":[-1.75,1.75],\"path\":[[0,-0.5],[2,0.7]]}}]}"

static void contacts_of_chains_are_proved(void **state) {
  (void)state;
  const char *arms[] = {ARM("nlerp"), ARM("slerp")};
  for (int slerp = 0; slerp < 2; slerp++) {
    json_t *object = sweep_text(arms[slerp], "--all");
    const json_t *toi = json_object_get(object, "toi"),
                 *point = json_object_get(json_object_get(object, "first"), "point");
    const double time = 2 * tip_meets_wall(slerp == 1);
    assert_text(object, "verdict", "hit");
    if (!(at(toi, "lo") <= time + 1e-14 && at(toi, "hi") >= time - 1e-14 && at(toi, "hi") - at(toi, "lo") <= 0x1p-44))
      fail_msg("from %.17g to %.17g, not at %.17g", at(toi, "lo"), at(toi, "hi"), time);
    assert_true(fabs(json_number_value(json_array_get(point, 0)) - 1.2) < 1e-12);
    assert_int_equal(json_array_size(json_object_get(object, "hits")), 1);
    json_decref(object);
  }
  json_t *object = sweep_text(ARM("nlerp"), "--free fore --min-separation 0.75");
  const json_t *freed = json_object_get(object, "free");
  // Within 0.75 of the wall once cos(1.5 + b) = 2 (0.45 - cos 1.5).
  assert_true(fabs(at(freed, "from") - (acos(2 * (0.45 - cos(1.5))) - 1.5)) < 1e-10);
  assert_true(at(freed, "to") == 1.75);
  json_decref(object);
}

static void motions_are_followed(void **state) {
  (void)state;
#define FOLLOWS(mesh, motion)                                                                                          \
  "{\"time\":[0,3],\"bodies\":[{\"name\":\"a\",\"mesh\":" WIDE "},{\"name\":\"b\",\"mesh\":" mesh                      \
  ",\"motion\":" motion "}]}"
  check_time(FOLLOWS(POINT("0"), "[{\"move\":{\"shift\":[0,0,2],\"velocity\":[0,0,-1]}}]"), "", 2, 1e-14);
  check_time(FOLLOWS(POINT("2"), "{\"turn\":{\"axis\":[1,0,0],\"rate\":1.2}}"), "", M_PI / 2 / 1.2, 1e-14);
  check_time(FOLLOWS(POINT("0"), "{\"formula\":{\"translation\":[\"0\",\"sin(t)\",\"2 - t^2\"]}}"), "", sqrt(2), 1e-14);
  check_time(FOLLOWS(POINT("0"), "{\"formula\":{\"translation\":[\"0\",\"0\",\"exp(-t) - 0.25\"]}}"),
             "--min-separation 0.125", -log(0.375), 1e-11);
  // 2 - t as a Chebyshev series of [0, 4]: -2 T1.
  check_time(FOLLOWS(POINT("0"), "{\"chebyshev\":{\"from\":0,\"to\":4,\"translation\":[[0,0],[0,0],[0,-2]]}}"), "", 2,
             1e-14);
  check_time(FOLLOWS("{\"vertices\":[[0,0,2],[1,0,2]],\"edges\":[[0,1]]}",
                     "[{\"spin\":{\"rate\":[0.6,0,0]}},{\"move\":{\"velocity\":[0,1,0]}}]"),
             "", M_PI / 1.2, 1e-14);
}

/* --- what is refused --- */

static void bad_scenes_are_refused(void **state) {
  (void)state;
#define REST "\"mesh\":" TRIANGLE
#define MOVES(path) "\"mesh\":" POINT("0") ",\"path\":" path
#define TURNS(joint) "\"mesh\":" POINT("0") ",\"joint\":{\"type\":\"revolute\",\"axis\":[0,0,1]," joint "}"
  static const struct {
    const char *text, *sentence;
  } scenes[] = {
      {TWO(REST, MOVES("[{\"t\":0,\"quaternion\":[0,0,0,0]},{\"t\":1}]")), "zero quaternion"},
      {TWO(REST, MOVES("[{\"t\":0,\"position\":[0,0,1e999]},{\"t\":1}]")), "scene.json:1"},
      {TWO(REST, MOVES("[{\"t\":0,\"position\":[0,NaN,0]},{\"t\":1}]")), "scene.json:1"},
      {TWO(REST, MOVES("[{\"t\":1},{\"t\":0}]")), "waypoint 1 is at t = 0, not after 1"},
      {TWO(REST, MOVES("[{\"t\":1},{\"t\":1}]")), "order of their times"},
      {TWO(REST, MOVES("[]")), "a list of waypoints"},
      {TWO(REST, "\"mesh\":{\"vertices\":[]},\"path\":[{\"t\":0},{\"t\":1}]"), "no primitives"},
      {TWO(REST, "\"mesh\":{\"vertices\":[[0,0,0]],\"faces\":[[0,0,1]]},\"path\":[{\"t\":0},{\"t\":1}]"),
       "names vertex 1"},
      {TWO(REST, "\"parent\":\"b\"," TURNS("\"path\":[[0,0],[1,1]]")), "its own parent"},
      {TWO("\"parent\":\"b\"," REST, "\"parent\":\"a\"," TURNS("\"path\":[[0,0],[1,1]]")), "form a loop"},
      {TWO(REST, "\"parent\":\"c\"," TURNS("\"path\":[[0,0],[1,1]]")), "no body 'c'"},
      {TWO(REST, TURNS("\"path\":[[0,0],[1,3.3]]")), "less than 180 degrees: add a waypoint"},
      {TWO(REST, TURNS("\"path\":[[1,0],[0,1]]")), "order of their times"},
      {TWO(REST, TURNS("\"limits\":[0,1],\"path\":[[0,0],[1,1.5]]")), "outside of the joint's limits"},
      {TWO(REST, TURNS("\"limits\":[1,0],\"path\":[[0,0],[1,1]]")), "smaller one first"},
      {TWO(REST, "\"mesh\":" POINT("0") ",\"joint\":{\"type\":\"revolute\",\"axis\":[0,0,0],\"path\":[[0,0]]}"),
       "must have a direction"},
      {TWO(REST, "\"mesh\":" POINT("0") ",\"joint\":{\"type\":\"screw\",\"axis\":[0,0,1],\"path\":[[0,0]]}"),
       "needs its pitch"},
      {TWO(REST, "\"path\":[{\"t\":0}]," TURNS("\"path\":[[0,0],[1,1]]")), "a path or a joint, not both"},
      {TWO(REST, "\"law\":\"lerp\"," MOVES("[{\"t\":0},{\"t\":1}]")), "must be \"nlerp\", \"slerp\" or \"screw\""},
      {TWO(REST, "\"law\":\"screw\"," TURNS("\"path\":[[0,0],[1,1]]")), "a joint turns by nlerp or slerp"},
      {TWO(REST, "\"law\":\"slerp\"," TURNS("\"path\":[[0,0],[1,1e9]]")), "at most 250000"},
      {TWO(REST, REST), "nothing moves"},
      {"{\"bodies\":[{\"name\":\"a\"," REST "}]}", "from 2 to"},
      {"{\"bodies\":[{\"name\":\"a\"," REST "},{\"name\":\"a\"," MOVES("[{\"t\":0},{\"t\":1}]") "}]}",
       "already has this name"},
      {"{\"time\":[1,0],\"bodies\":[{\"name\":\"a\"," REST "},{\"name\":\"b\"," MOVES("[{\"t\":0},{\"t\":1}]") "}]}",
       "the earlier time first"},
      {TWO(REST, "\"mesh\":" POINT("0") ",\"motion\":{\"move\":{\"velocity\":[0,0,1]}}"), "\"time\": [from, to]"},
      {TWO(REST, "\"law\":\"slerp\",\"mesh\":" POINT("0") ",\"motion\":[]"), "a body that follows a motion has no law"},
      {TWO("\"parent\":\"b\"," REST, "\"mesh\":" POINT("0") ",\"motion\":[]"), "carries nothing"},
      {"{\"time\":[0,2],\"bodies\":[{\"name\":\"a\"," REST "},{\"name\":\"b\",\"mesh\":" POINT(
           "0") ",\"motion\":{\"formula\":{\"translation\":[\"0\",\"0\",\"1/(t-1)\"]}}}]}",
       "divides by a number that may be 0"},
      {"{\"time\":[0,2],\"bodies\":[{\"name\":\"a\"," REST "},{\"name\":\"b\",\"mesh\":" POINT(
           "0") ",\"motion\":{\"chebyshev\":{\"from\":0,\"to\":1,\"translation\":[[0],[0],[1]]}}}]}",
       "its series are given over [0, 1]"},
      {"{\"bodies\":[{\"name\":\"a\"," REST
       "},{\"name\":\"b\"," MOVES("[{\"t\":0},{\"t\":1}]") "}],\"ignore\":[[\"a\",\"z\"]]}",
       "no body 'z'"},
      {"{\"bodies\":[{\"name\":\"a\",\"mesh\":\"nowhere.ply\"},{\"name\":\"b\"," MOVES("[{\"t\":0},{\"t\":1}]") "}]}",
       "nowhere.ply"},
      {"{\"bodies\":", "scene.json"},
  };
  for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; i++)
    assert_fails(run("sweep %s", test_write_text("scene.json", scenes[i].text)), scenes[i].sentence);
}

/* The place is that of the value, in the file as it is written. */
static void what_is_refused_has_a_line_and_a_column(void **state) {
  (void)state;
#define HEAD "{\"bodies\":[{\"name\":\"a\"," REST "},\n {\"name\":\"b\",\"mesh\":" POINT("0") ",\n"
  static const struct {
    const char *text, *sentence;
  } scenes[] = {
      {HEAD "  \"path\":[{\"t\":0,\"quaternion\":[0,0,0,0]},{\"t\":1}]}]}",
       ":3:31: bodies[1].path[0].quaternion: the zero quaternion"},
      {HEAD "  \"path\":[{\"t\":0,\"position\":[0,NaN,0]},{\"t\":1}]}]}", ":3:32: bodies[1].path[0].position[1]"},
      {HEAD "  \"path\":[{\"t\":1},\n  {\"t\":0}]}]}", ":4:8: bodies[1].path[1].t: waypoint 1"},
      {HEAD "  \"parent\":\"b\"}]}", ":3:12: bodies[1].parent: the body is its own parent"},
      {HEAD "  \"parent\":\"c\"},\n{\"name\":\"c\",\"mesh\":" POINT("1") ",\n\"parent\":\"b\"}]}",
       ":3:12: bodies[1].parent: the parents of 'b' form a loop"},
      {HEAD "  \"joint\":{\"type\":\"revolute\",\"axis\":[0,0,1],\n\"path\":[[0,0],\n[1,3.3]]}}]}",
       ":5:4: bodies[1].joint.path[1][1]: the joint turns by 3.3 radians"},
      {"{\"bodies\":[{\"name\":\"a\"," REST "},\n{\"name\":\"b\",\n\"mesh\":{\"vertices\":[]},\"path\":[{\"t\":0},"
       "{\"t\":1}]}]}",
       ":3:20: bodies[1].mesh.vertices: the body has no primitives"},
  };
  for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; i++)
    assert_fails(run("sweep %s", test_write_text("scene.json", scenes[i].text)), scenes[i].sentence);
}

static void scenes_of_other_commands_get_a_hint(void **state) {
  (void)state;
  const char *examples = TOI_SOURCE_DIR "/examples";
  assert_fails(run("sweep '%s/contact/two-spheres.json'", examples), "run toi contact");
  assert_fails(run("contact '%s/sweep/door.json'", examples), "bodies[0].mesh: a field of scenes of toi sweep");
  assert_fails(run("surface '%s/sweep/chain.json'", examples), "run toi sweep");
}

/* Of the contact's mark: a circle in the first view and in the one close by. */
static size_t marks_of(const char *picture) {
  size_t marks = 0;
  for (const char *at = picture; (at = strstr(at, "<circle")) != NULL; at++)
    marks++;
  return marks;
}

static void pictures_mark_the_contact_at_its_time_alone(void **state) {
  (void)state;
  const char *examples = TOI_SOURCE_DIR "/examples/sweep", *path = test_path("picture.svg");
  static const struct {
    const char *words, *caption;
    size_t marks;
  } pictures[] = {{"door.json", "hit, t = 0.91763326", 2},
                  {"door.json --at 0.5 --eye 0,0,1", "t = 0.5", 0},
                  {"chain.json", "hit, t = 0.39031938", 2},
                  {"gears.json", "miss, t = 6", 0},
                  {"arm.json --at 1.5", "t = 1.5", 0}};
  for (size_t i = 0; i < sizeof pictures / sizeof pictures[0]; i++) {
    ran drawn = run("sweep --picture %s %s/%s", path, examples, pictures[i].words);
    assert_int_equal(drawn.code, 0);
    ran_free(&drawn);
    char *picture = test_read_bytes(path, NULL);
    assert_non_null(strstr(picture, pictures[i].caption));
    assert_non_null(strstr(picture, "data:image/png;base64,"));
    assert_int_equal(marks_of(picture), pictures[i].marks);
    free(picture);
  }
}

static void bad_words_are_refused(void **state) {
  (void)state;
  assert_fails(run("sweep"), "needs one scene");
  assert_fails(run("sweep a.json b.json"), "got 2 files");
  assert_fails(run("sweep nowhere.json"), "nowhere.json");
  const char *door = TOI_SOURCE_DIR "/examples/sweep/door.json";
  assert_fails(run("sweep '%s' --free chest", door), "has no joint");
  assert_fails(run("sweep '%s' --free nobody", door), "no such body");
  assert_fails(run("sweep '%s' --min-separation -1", door), "0 or greater");
  assert_fails(run("sweep '%s' --method cubic", door), "cubic");
  assert_fails(run("sweep '%s' --eye 1,0,0", door), "give --picture too");
  assert_fails(run("sweep '%s' --picture %s --eye 0,0,0", door, test_path("a.svg")), "three numbers");
  assert_fails(run("sweep '%s' --memory 1000", door), "memory");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_door_jams_8_degrees_before_its_stop),
      cmocka_unit_test(shipped_scenes_are_answered),
      cmocka_unit_test(times_are_the_scenes_own),
      cmocka_unit_test(joints_slide_and_turn),
      cmocka_unit_test(clearances_are_bracketed),
      cmocka_unit_test(laws_turn_at_a_constant_rate),
      cmocka_unit_test(fixed_bodies_and_ignored_ones_may_overlap),
      cmocka_unit_test(chains_go_as_their_links_do),
      cmocka_unit_test(contacts_of_chains_are_proved),
      cmocka_unit_test(motions_are_followed),
      cmocka_unit_test(bad_scenes_are_refused),
      cmocka_unit_test(pictures_mark_the_contact_at_its_time_alone),
      cmocka_unit_test(what_is_refused_has_a_line_and_a_column),
      cmocka_unit_test(scenes_of_other_commands_get_a_hint),
      cmocka_unit_test(bad_words_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
