/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Primitives of turning bodies: under nlerp `certified` says what `exact` says, and swapping a pair of edges changes
 * nothing; under slerp and screw, and with a separation, contacts at the start are those of `exact`, brackets are in
 * order, and a larger separation is reached no later. */

#include "fuzz/fuzz.h"

#include <math.h>
#include <string.h>

#include <toi/rigid.h>

typedef struct question {
  toi_moving_body body[2];
  toi_kind kind;
  double points[4][3];
  toi_options options;
} question;

static void draw_pose(fuzz_bytes *bytes, fuzz_style style, toi_pose *pose) {
  for (int i = 0; i < 3; i++)
    pose->position[i] = fuzz_double(bytes, style);
  for (int i = 0; i < 4; i++)
    pose->quaternion[i] = fuzz_double(bytes, style);
}

static question draw(fuzz_bytes *bytes) {
  question q = {.kind = (toi_kind)fuzz_choice(bytes, TOI_KIND_COUNT), .options = toi_default_options()};
  const uint8_t how = fuzz_byte(bytes);
  const fuzz_style style = (fuzz_style)(how % FUZZ_STYLES);
  q.options.t_max = (how & 0x20) != 0 ? fuzz_part(bytes) : 1;
  for (int b = 0; b < 2; b++) {
    toi_moving_body_init(&q.body[b], sizeof q.body[b]);
    q.body[b].law = (toi_law)((how & 0x10) != 0 ? fuzz_choice(bytes, 4) : 0);
    draw_pose(bytes, style, &q.body[b].start);
    q.body[b].end = q.body[b].start;
    if ((how & (b ? 0x40 : 0)) == 0)
      draw_pose(bytes, style, &q.body[b].end);
  }
  for (int i = 0; i < 12; i++)
    q.points[i / 3][i % 3] = fuzz_double(bytes, style);
  // They often touch somewhere.
  if ((how & 0x80) != 0)
    memcpy(q.points[q.kind == TOI_EDGE_EDGE ? 2 : 1], q.points[0], sizeof q.points[0]);
  q.options.min_separation = (how & 0x0c) == 0x0c ? fabs(fuzz_double(bytes, style)) : 0;
  return q;
}

static toi_status ask(toi_context *context, const question *q, const char *method, toi_hit *hit) {
  toi_moving_pair *pair;
  toi_options options = q->options;
  options.method = method;
  toi_status status = toi_moving_pair_create(context, &q->body[0], &q->body[1], &pair);
  if (status != TOI_OK) {
    FUZZ_CHECK(pair == NULL && toi_context_error(context)[0] != '\0');
    return status;
  }
  status = toi_moving_pair_query(pair, q->kind, (const double(*)[3])q->points, &options, hit);
  if (status != TOI_OK)
    FUZZ_CHECK(hit->verdict == TOI_NEAR && hit->t_lo == 0 && hit->t_safe == 0);
  toi_moving_pair_destroy(pair);
  return status;
}

static void check_order(const toi_hit *hit, double t_max) {
  if (hit->verdict == TOI_MISS) {
    FUZZ_CHECK(isinf(hit->t_lo) && hit->t_safe == t_max && !hit->touching_at_start);
    return;
  }
  FUZZ_CHECK(hit->t_lo >= 0 && hit->t_lo <= hit->t_hi && hit->t_hi <= 1 && hit->t_lo <= t_max);
  FUZZ_CHECK(hit->t_safe >= 0 && hit->t_safe <= hit->t_lo);
  FUZZ_CHECK(hit->verdict != TOI_HIT || hit->t_hi <= t_max || hit->t_lo <= t_max);
  FUZZ_CHECK(!hit->touching_at_start || hit->t_hi == 0);
}

/* Both answers are right, so their brackets meet. */
static void check_exact(toi_context *context, const question *q, const toi_hit *hit) {
  toi_hit exact;
  FUZZ_CHECK(ask(context, q, "exact", &exact) == TOI_OK);
  FUZZ_CHECK(exact.verdict != TOI_NEAR && hit->verdict == exact.verdict);
  FUZZ_CHECK(hit->touching_at_start == exact.touching_at_start);
  if (exact.verdict != TOI_HIT)
    return;
  FUZZ_CHECK(hit->t_lo <= exact.t_lo && exact.t_hi <= hit->t_hi && hit->t_hi - hit->t_lo <= 0x1p-48);
  FUZZ_CHECK(exact.t_hi == exact.t_lo || exact.t_hi == nextafter(exact.t_lo, 2));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz_bytes bytes = {.at = data, .left = size};
  const question q = draw(&bytes);
  toi_context_options options = toi_default_context_options();
  options.threads = 1;
  toi_context *context;
  FUZZ_CHECK(toi_context_create(&options, &context) == TOI_OK);
  toi_hit hit, start;
  if (ask(context, &q, NULL, &hit) == TOI_OK) {
    const bool rational = q.body[0].law == TOI_LAW_NLERP && q.body[1].law == TOI_LAW_NLERP;
    question still = q;
    check_order(&hit, q.options.t_max);
    if (rational && q.options.min_separation == 0)
      check_exact(context, &q, &hit);
    // Laws do not matter at the start.
    still.body[0].law = still.body[1].law = TOI_LAW_NLERP;
    still.options.t_max = still.options.min_separation = 0;
    FUZZ_CHECK(ask(context, &still, "exact", &start) == TOI_OK);
    FUZZ_CHECK(!start.touching_at_start || hit.verdict != TOI_MISS);
    if (q.options.min_separation == 0)
      FUZZ_CHECK(hit.touching_at_start == start.touching_at_start);
    // A contact is one within any distance.
    still = q;
    still.options.min_separation = 0;
    FUZZ_CHECK(ask(context, &still, NULL, &start) == TOI_OK);
    FUZZ_CHECK(start.verdict != TOI_HIT || hit.verdict != TOI_MISS);
    FUZZ_CHECK(start.verdict != TOI_HIT || hit.t_lo <= start.t_hi);
  }
  toi_context_destroy(context);
  return 0;
}
