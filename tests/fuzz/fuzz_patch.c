/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Two patches from bytes, with few checks, in linear and in rigid motion: no method contradicts another, nor itself
 * when the patches change places, or when everything is a power of two smaller or larger. */

#include "fuzz/patches.h"
#include "surface/spin_motion.h"

#include <string.h>

enum { POINTS = 100 };

typedef struct drawn {
  double points[POINTS][3], velocities[POINTS][3], weights[POINTS];
  toi_patch patch;
} drawn;

static void draw(fuzz_bytes *bytes, drawn *d) {
  const uint8_t how = fuzz_byte(bytes);
  const fuzz_style style = (fuzz_style)(how % FUZZ_STYLES);
  d->patch = (toi_patch){.size = sizeof d->patch,
                         .shape = (how & 4) != 0 ? TOI_PATCH_TRIANGLE : TOI_PATCH_QUAD,
                         .degree = {fuzz_choice(bytes, 4), fuzz_choice(bytes, 4)},
                         .points = (const double(*)[3])d->points,
                         .velocities = (how & 8) != 0 ? (const double(*)[3])d->velocities : NULL,
                         .weights = (how & 16) != 0 ? d->weights : NULL,
                         .error = (how & 32) != 0 ? 0x1p-20 : 0,
                         .velocity_error = (how & 64) != 0 ? 0x1p-20 : 0};
  const size_t count = toi_patch_points(d->patch.shape, d->patch.degree);
  FUZZ_CHECK(count <= POINTS);
  for (size_t i = 0; i < count; i++) {
    for (int k = 0; k < 3; k++) {
      d->points[i][k] = fuzz_double(bytes, style);
      d->velocities[i][k] = (how & 8) != 0 ? fuzz_double(bytes, style) : 0;
    }
    d->weights[i] = (how & 16) != 0 ? fabs(fuzz_double(bytes, style)) + ((how & 128) != 0 ? 0 : 1) : 1;
  }
}

/* Both are about the same two patches. */
static void check_agree(const toi_surface_hit *a, const toi_surface_hit *b) {
  FUZZ_CHECK(a->verdict == TOI_NEAR || b->verdict == TOI_NEAR || a->verdict == b->verdict);
  if (b->verdict == TOI_HIT)
    FUZZ_CHECK(a->t_lo <= b->t_hi);
  if (a->verdict == TOI_HIT)
    FUZZ_CHECK(b->t_lo <= a->t_hi);
}

/* The whole question in another unit, 2^exponent times as large; false if that rounds. */
static bool rescale(double *x, size_t count, int exponent) {
  for (size_t i = 0; i < count; i++) {
    const double scaled = ldexp(x[i], exponent);
    if (!isfinite(scaled) || ldexp(scaled, -exponent) != x[i])
      return false;
    x[i] = scaled;
  }
  return true;
}

static bool rescale_patch(drawn *d, int exponent) {
  return rescale(d->points[0], sizeof d->points / sizeof(double), exponent) &&
         rescale(d->velocities[0], sizeof d->velocities / sizeof(double), exponent) &&
         rescale(&d->patch.error, 1, exponent) && rescale(&d->patch.velocity_error, 1, exponent);
}

/* The patches, the options and the motion of the first. */
typedef struct question {
  drawn a, b;
  toi_surface_options options;
  spin_motion motion;
} question;

static bool rescale_question(question *q, int exponent) {
  return rescale_patch(&q->a, exponent) && rescale_patch(&q->b, exponent) &&
         rescale(&q->options.tolerance, 1, exponent) && rescale(&q->options.min_separation, 1, exponent) &&
         rescale(q->motion.velocity, 3, exponent) && rescale(q->motion.centre, 3, exponent);
}

/* Keeps the promises, and agrees with the answer before it, which it becomes. */
static void check_answer(toi_context *context, toi_status status, const toi_surface_hit *hit, double t_max,
                         toi_surface_hit *last) {
  if (status != TOI_OK) {
    fuzz_refused(context, status);
    fuzz_surface_safe(hit);
    return;
  }
  fuzz_surface_hit(hit, t_max);
  check_agree(last, hit);
  *last = *hit;
}

/* Nothing is known yet: a near that contradicts nothing. */
static const toi_surface_hit nothing = {.verdict = TOI_NEAR};

static void ask_linear(toi_context *context, question *q, toi_surface_hit *last) {
  const char *name;
  for (size_t i = 0; (name = toi_surface_method_name(i / 2)) != NULL; i++) {
    toi_surface_hit hit;
    q->options.method = name;
    const toi_patch *a = i % 2 == 0 ? &q->a.patch : &q->b.patch, *b = i % 2 == 0 ? &q->b.patch : &q->a.patch;
    const toi_status status = toi_patch_pair(context, a, b, &q->options, &hit);
    check_answer(context, status, &hit, q->options.t_max, last);
  }
  q->options.method = NULL;
}

static void ask_rigid(toi_context *context, const question *q, toi_surface_hit *last) {
  toi_patch a = q->a.patch, b = q->b.patch;
  a.velocities = b.velocities = NULL;
  const toi_model first = {.patches = &a, .patch_count = 1}, second = {.patches = &b, .patch_count = 1};
  toi_surface_hit hit;
  const toi_status status = spin_pair(context, &first, &q->motion, &second, NULL, &q->options, &hit);
  check_answer(context, status, &hit, q->options.t_max, last);
}

static void draw_question(fuzz_bytes *bytes, question *q) {
  const uint8_t how = fuzz_byte(bytes);
  memset(q, 0, sizeof *q);
  q->options = fuzz_surface_options(fuzz_part(bytes) * ((how & 1) != 0 ? 1000 : 1));
  q->options.min_separation = (how & 2) != 0 ? (how >> 4) / 8.0 : 0;
  q->options.norm = (how & 4) != 0 ? TOI_NORM_LINF : TOI_NORM_L2;
  q->options.accept = (how & 8) != 0 ? TOI_ACCEPT_PARAMETER : TOI_ACCEPT_WORLD;
  q->options.tolerance = 0x1p-20;
  draw(bytes, &q->a);
  draw(bytes, &q->b);
  for (int k = 0; k < 3; k++) {
    q->motion.velocity[k] = fuzz_double(bytes, FUZZ_WHOLE);
    q->motion.spin[k] = fuzz_double(bytes, FUZZ_SIXTEENTHS);
    q->motion.centre[k] = fuzz_double(bytes, FUZZ_WHOLE);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz_bytes bytes = {.at = data, .left = size};
  question q;
  draw_question(&bytes, &q);
  const int exponent = 8 * ((int)fuzz_byte(&bytes) - 128);
  toi_context *context = fuzz_context();
  toi_surface_hit linear = nothing, rigid = nothing;
  ask_linear(context, &q, &linear);
  ask_rigid(context, &q, &rigid);
  // Parameters do not scale: there the tolerance means the same in both units.
  if (q.options.accept == TOI_ACCEPT_WORLD && rescale_question(&q, exponent)) {
    ask_linear(context, &q, &linear);
    ask_rigid(context, &q, &rigid);
  }
  toi_context_destroy(context);
  return 0;
}
