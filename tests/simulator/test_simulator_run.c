/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The simulator as its users run it: short runs of each scene, certified and checked; the same bits after an interrupt
 * and for any number of threads; what is wrong ends the run, and keeps what was reached. */

#include "simulator/worlds.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "simulator/files.h"

#define BUILT "'" TOI_BINARY_DIR "'"
#define SCENES "'" TOI_SOURCE_DIR "'/examples/simulator/scenes"

typedef struct ran {
  int code;
  char *out, *err;
} ran;

/* Runs a line of the shell. */
__attribute__((format(printf, 1, 2))) static ran run(const char *format, ...) {
  char words[4096], line[8192];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(words, sizeof words, format, arguments);
  va_end(arguments);
  snprintf(line, sizeof line, "(%s) >%s 2>%s", words, test_path("stdout"), test_path("stderr"));
  const int status = system(line);
  assert_true(WIFEXITED(status));
  return (ran){WEXITSTATUS(status), test_read_bytes(test_path("stdout"), NULL),
               test_read_bytes(test_path("stderr"), NULL)};
}

static void assert_ran(ran r, int code, const char *said) {
  if (r.code != code || (said != NULL && strstr(r.err, said) == NULL))
    fail_msg("exit %d, out \"%s\", err \"%s\"; expected exit %d and \"%s\"", r.code, r.out, r.err, code,
             said == NULL ? "" : said);
  free(r.out);
  free(r.err);
}

/* The number of a key in the last line of JSON. */
static double last_number(const char *lines, const char *key) {
  const char *last = lines;
  for (const char *at = lines; (at = strchr(at, '\n')) != NULL && at[1] != '\0';)
    last = ++at;
  json_t *object = json_loads(last, 0, NULL);
  const double number = json_number_value(json_object_get(object, key));
  json_decref(object);
  return number;
}

/* Three frames at low resolution: every state is checked, and the iterates pass `toi sequence` with these obstacles. */
static void short_run(const char *scene, double resolution, const char *obstacles) {
  ran r = run(BUILT "/simulator " SCENES "/%s.json --resolution %g --frames 3 --threads 2 --check --json --out %s "
                    "--iterates %s-iterates",
              scene, resolution, test_path(scene), test_path(scene));
  if (r.code != 0 || r.err[0] != '\0')
    fail_msg("%s: exit %d, %s", scene, r.code, r.err);
  assert_true(last_number(r.out, "frames") == 3);
  assert_true(last_number(r.out, "iterations") >= 3);
  free(r.out);
  free(r.err);
  if (system("test -x " BUILT "/toi") != 0)
    return;
  r = run(BUILT "/toi sequence %s-iterates %s --json --fail-on-hit", test_path(scene), obstacles);
  json_t *object = json_loads(r.out, 0, NULL);
  assert_int_equal(r.code, 0);
  assert_int_equal(json_integer_value(json_object_get(object, "impacts")), 0);
  json_decref(object);
  free(r.out);
  free(r.err);
}

static void cloth_over_ball(void **state) {
  (void)state;
  short_run("ball", 0.3, "");
}

static void cloth_through_rings(void **state) {
  (void)state;
  short_run("rings", 0.3, "");
}

static void twisted_rod(void **state) {
  (void)state;
  short_run("rod", 0.4, "");
}

/* It reaches the slope in the third frame. */
static void cloth_down_a_slope(void **state) {
  (void)state;
  short_run("slope", 0.3, "--half-space 0.5,0,1,0 --half-space=-1,0,0,-1");
}

static void assert_same_files(const char *a, const char *b) {
  assert_ran(run("diff -r %s %s", test_path(a), test_path(b)), 0, NULL);
}

/* Far enough for the cloth to touch. */
#define RUN BUILT "/simulator " SCENES "/ball.json --resolution 0.25 "

static void resumed_run_has_the_same_bits(void **state) {
  (void)state;
  assert_ran(run(RUN "--frames 8 --out %s --iterates %s", test_path("whole"), test_path("whole-i")), 0, NULL);
  assert_ran(run(RUN "--frames 5 --out %s --iterates %s", test_path("half"), test_path("half-i")), 0, NULL);
  assert_ran(run(RUN "--frames 8 --resume --out %s --iterates %s", test_path("half"), test_path("half-i")), 0, NULL);
  assert_same_files("whole", "half");
  assert_same_files("whole-i", "half-i");
  // As often as one likes; then there is nothing left to do.
  assert_ran(run(RUN "--frames 8 --resume --out %s", test_path("half")), 0, NULL);
  assert_same_files("whole", "half");
}

static void interrupted_run_has_the_same_bits(void **state) {
  (void)state;
  assert_ran(run(RUN "--frames 40 --out %s", test_path("alone")), 0, NULL);
  // Stopped by a signal as soon as the third frame is there, in the midst of a later one.
  const char *out = test_path("stopped");
  assert_ran(run(RUN "--frames 40 --out %s & while ! test -e %s/frame-00003.ply; do sleep 0.01; done; kill -INT $!; "
                     "wait $!",
                 out, out),
             2, "stopped; the state of frame");
  assert_ran(run(RUN "--frames 40 --resume --out %s", out), 0, NULL);
  assert_same_files("alone", "stopped");
}

static void threads_do_not_change_the_bits(void **state) {
  (void)state;
  assert_ran(run(RUN "--frames 6 --threads 1 --out %s", test_path("one")), 0, NULL);
  assert_ran(run(RUN "--frames 6 --threads 3 --out %s", test_path("three")), 0, NULL);
  assert_same_files("one", "three");
}

/* A NaN in the midst of a run: the state stays what it was, and says so. */
static void nan_keeps_the_state_before(void **state) {
  (void)state;
  sim_world w;
  sim_progress p;
  sim_fault fault;
  make_world(SMALL_SCENE, 2, &w);
  for (int i = 0; i < 3; i++)
    assert_true(newton_frame(&w, &p, &fault));
  const size_t bytes = w.model.vertex_count * sizeof *w.x;
  double(*x)[3] = take(1, bytes);
  memcpy(x, w.x, bytes);
  const double velocity = w.v[3][1];
  w.v[3][1] = NAN;
  assert_false(newton_frame(&w, &p, &fault));
  assert_non_null(strstr(fault.text, "not finite"));
  assert_int_equal(w.frame, 3);
  assert_memory_equal(x, w.x, bytes);
  // Without it the run goes on.
  w.v[3][1] = velocity;
  assert_true(newton_frame(&w, &p, &fault));
  assert_int_equal(w.frame, 4);
  free(x);
  simulation_free(&w);
}

/* Targets that leave the range of doubles end the program before it writes anything of the frame. */
static void targets_out_of_range_end_the_run(void **state) {
  (void)state;
  const char *scene = test_write_text(
      "far.json", "{\"title\": \"far\", \"step\": 0.01, \"cloth\": {\"shape\": \"sheet\", \"size\": [1, 1], "
                  "\"cells\": [4, 4], \"density\": 1, \"stretch\": 1, \"bend\": 1e-3},"
                  "\"held\": [{\"box\": [[-1, -1, -1], [1, 1, 1]], \"velocity\": [1e300, 0, 0]}],"
                  "\"contact\": {\"distance\": 1e-3, \"stiffness\": 1}}");
  const char *out = test_path("far");
  assert_ran(run(BUILT "/simulator %s --out %s", scene, out), 2, "simulator: frame 1: the energy is not finite");
  assert_ran(run("test -e %s/frame-00000.ply && ! test -e %s/frame-00001.ply", out, out), 0, NULL);
}

static void wrong_states_are_refused(void **state) {
  (void)state;
  const char *out = test_path("states");
  assert_ran(run(RUN "--frames 2 --out %s", out), 0, NULL);
  assert_ran(run(RUN "--frames 2 --out %s", out), 2, "has a state already: --resume goes on from it");
  assert_ran(run(BUILT "/simulator " SCENES "/ball.json --resolution 0.4 --frames 3 --resume --out %s", out), 2,
             "another number of vertices");
  assert_ran(run("cp -r %s %s-short; truncate -s -8 %s-short/state.bin; " RUN "--frames 3 --resume --out %s-short", out,
                 out, out, out),
             2, "too short");
  assert_ran(run("cp -r %s %s-bad; printf x | dd of=%s-bad/state.bin bs=1 seek=999 conv=notrunc; " RUN
                 "--frames 3 --resume --out %s-bad",
                 out, out, out, out),
             2, "damaged: the checksum is wrong");
  assert_ran(run("sed 's/0.27/0.28/' " SCENES "/ball.json >%s; " BUILT
                 "/simulator %s --resolution 0.25 --frames 3 --resume --out %s",
                 test_path("other.json"), test_path("other.json"), out),
             2, "belongs to another scene file");
  assert_ran(run(RUN "--resume --out %s", test_path("none")), 2, "start without --resume");
}

static void wrong_usage_is_refused(void **state) {
  (void)state;
  assert_ran(run(BUILT "/simulator"), 2, "a scene file is missing");
  assert_ran(run(BUILT "/simulator --frobnicate"), 2, "unknown option '--frobnicate'");
  assert_ran(run(BUILT "/simulator a b"), 2, "one scene at a time");
  assert_ran(run(RUN "--frames none"), 2, "--frames none: expected a whole number");
  assert_ran(run(RUN "--resolution 0"), 2, "--resolution 0: expected a number");
  assert_ran(run(RUN "--threads"), 2, "--threads needs a value");
  assert_ran(run(RUN "--resume"), 2, "--resume needs --out");
  assert_ran(run(RUN "--frames 1 --out /dev/null/x"), 2, "cannot be made");
  assert_ran(run(BUILT "/simulator --help"), 0, NULL);
}

/* A frame becomes a picture. */
static void picture_of_a_frame(void **state) {
  (void)state;
  const char *out = test_path("drawn");
  assert_ran(run(RUN "--frames 1 --out %s", out), 0, NULL);
  assert_ran(run(BUILT "/simulator-picture %s/frame-00001.ply %s.svg && grep -q '</svg>' %s.svg", out, out, out), 0,
             NULL);
  assert_ran(run(BUILT "/simulator-picture %s/none.ply %s.svg", out, out), 2, "none.ply");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cloth_over_ball),
      cmocka_unit_test(cloth_through_rings),
      cmocka_unit_test(twisted_rod),
      cmocka_unit_test(cloth_down_a_slope),
      cmocka_unit_test(resumed_run_has_the_same_bits),
      cmocka_unit_test(interrupted_run_has_the_same_bits),
      cmocka_unit_test(threads_do_not_change_the_bits),
      cmocka_unit_test(nan_keeps_the_state_before),
      cmocka_unit_test(targets_out_of_range_end_the_run),
      cmocka_unit_test(wrong_states_are_refused),
      cmocka_unit_test(wrong_usage_is_refused),
      cmocka_unit_test(picture_of_a_frame),
  };
  return cmocka_run_group_tests(tests, test_directory_make, test_directory_remove);
}
