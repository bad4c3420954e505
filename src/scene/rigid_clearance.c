/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* How close bodies come over a step: a bracket of the least distance, by asking about contact within distances.
 *
 * Claim: the least distance d of all pairs that are asked about fulfils lo <= d, and d <= hi unless hi is infinite.
 * Why: every lo comes from a miss, which proves that nothing comes within it, and every hi from a hit, which proves
 * that something does. Between them distances are tried in turn until they are close enough, or until what is near can
 * be proved neither. */

#include <math.h>

#include "narrow/method.h"
#include "scene/rigid_step.h"

/* From a distance that is reached, an eighth is tried until one is not; then means. */
#define PART 0.125
enum { MOST_TRIES = 400 };

/* Whether something comes within the distance. */
static toi_status ask(const toi_rigid_call *call, double distance, toi_rigid_impact *impact) {
  toi_rigid_call within = *call;
  within.options.min_separation = distance;
  return toi_rigid_step_of_call(&within, impact);
}

static double between(double lo, double hi) {
  return lo > 0 ? lo + 0.5 * (hi - lo) : PART * hi;
}

static toi_status close_in(const toi_rigid_call *call, toi_rigid_clearance *c) {
  const double tolerance = call->options.tolerance;
  toi_status status = TOI_OK;
  while (status == TOI_OK && c->hi - c->lo > tolerance * c->hi && c->tries < MOST_TRIES) {
    const double middle = between(c->lo, c->hi);
    toi_rigid_impact impact = toi_rigid_impact_unknown();
    if (!(middle > c->lo && middle < c->hi))
      break;
    status = ask(call, middle, &impact);
    c->tries++;
    if (status != TOI_OK || impact.hit.verdict == TOI_NEAR)
      break;
    if (impact.hit.verdict == TOI_MISS) {
      c->lo = middle;
    } else {
      c->hi = middle;
      c->closest = impact;
    }
  }
  return status;
}

static toi_status clearance_of_call(const toi_rigid_call *call, double most, toi_rigid_clearance *c) {
  toi_status status = ask(call, 0, &c->closest);
  c->tries = 1;
  if (status != TOI_OK)
    return status;
  if (c->closest.hit.verdict == TOI_HIT) {
    c->hi = 0;
    return TOI_OK;
  }
  status = ask(call, most, &c->closest);
  c->tries = 2;
  if (status != TOI_OK || c->closest.hit.verdict == TOI_NEAR)
    return status;
  if (c->closest.hit.verdict == TOI_MISS) {
    c->lo = most;
    return TOI_OK;
  }
  c->hi = most;
  return close_in(call, c);
}

static TOI_APART toi_status find_clearance(toi_rigid_scene *scene, const toi_moving_body *bodies, size_t count,
                                           double most, const toi_options *options, toi_rigid_clearance *clearance) {
  toi_rigid_call call;
  toi_status status = toi_rigid_call_begin(&call, scene, bodies, count, options);
  const bool taken = status == TOI_OK;
  if (taken && !(most > 0 && most < INFINITY))
    status = toi_fail(scene->context, TOI_ERROR_OPTION, "most is %g; it must be positive and finite", most);
  else if (taken && call.options.min_separation > 0)
    status = toi_fail(scene->context, TOI_ERROR_OPTION, "min_separation is %g, but a clearance needs none; set it to 0",
                      call.options.min_separation);
  toi_rigid_clearance found = {.hi = INFINITY, .closest = toi_rigid_impact_unknown()};
  if (status == TOI_OK)
    status = clearance_of_call(&call, most, &found);
  if (status == TOI_OK)
    *clearance = found;
  toi_rigid_call_end(&call);
  return status;
}

toi_status toi_rigid_scene_clearance(toi_rigid_scene *scene, const toi_moving_body *bodies, size_t count, double most,
                                     const toi_options *options, toi_rigid_clearance *clearance) {
  if (clearance == NULL)
    return TOI_ERROR_INPUT;
  *clearance = (toi_rigid_clearance){.hi = (double)INFINITY, .closest = toi_rigid_impact_unknown()};
  if (scene == NULL)
    return TOI_ERROR_INPUT;
  TOI_CALL(scene->context, find_clearance(scene, bodies, count, most, options, clearance));
}
