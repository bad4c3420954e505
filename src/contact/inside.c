/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Points in solids, for callers and for bodies that may start inside each other.
 *
 * Claim: yes means that the point lies in the solid, no that it does not. Why: the sign of F is that of an enclosure;
 * for rays see inside_rays.c; beyond the box around a closed surface there is nothing of its solid. */

#include "contact/inside.h"
#include "contact/boolean.h"

#include "solve/vector.h"

const char *toi_inside_name(toi_inside inside) {
  static const char *const names[] = {"no", "yes", "unknown"};
  return (size_t)inside < sizeof names / sizeof *names ? names[inside] : NULL;
}

static toi_inside by_sign(const toi_shape *shape, const toi_interval place[3], toi_interval t) {
  const toi_interval box[4] = {place[0], place[1], place[2], t};
  toi_interval value;
  if (!toi_shape_jets(shape, box, 0, &value) || toi_interval_sign(value) == 0)
    return TOI_INSIDE_UNKNOWN;
  return value.hi < 0 ? TOI_INSIDE_YES : TOI_INSIDE_NO;
}

toi_inside toi_inside_place(const toi_body_surface *surfaces, size_t count, const toi_interval place[3],
                            toi_interval t) {
  if (count == 0 || !surfaces[0].shape->solid)
    return TOI_INSIDE_UNKNOWN;
  if (surfaces[0].shape->implicit)
    return by_sign(surfaces[0].shape, place, t);
  bool beyond = true;
  for (size_t i = 0; i < count && beyond; i++) {
    beyond = false;
    for (int k = 0; k < 3; k++)
      beyond = beyond || place[k].lo > surfaces[i].bounds[k].hi || place[k].hi < surfaces[i].bounds[k].lo;
  }
  if (beyond && count == 1)
    return TOI_INSIDE_NO;
  return surfaces[0].shape->joints != NULL || (count == 1 && surfaces[0].shape->edges == 0)
             ? toi_inside_by_rays(surfaces, count, place, t)
             : TOI_INSIDE_UNKNOWN;
}

/* --- for callers --- */

static toi_status check_question(toi_context *context, const toi_body *body, double t, const double point[3]) {
  if (body->shape == NULL)
    return toi_fail(context, TOI_ERROR_INPUT, "the body has no shape");
  if (!(t >= 0 && t <= DBL_MAX))
    return toi_fail(context, TOI_ERROR_INPUT, "t is %g; it must be finite and not negative", t);
  if (!isfinite(point[0]) || !isfinite(point[1]) || !isfinite(point[2]))
    return toi_fail(context, TOI_ERROR_INPUT, "(%g, %g, %g): give finite numbers", point[0], point[1], point[2]);
  if (!toi_shape_piece(body->shape, 0)->solid)
    return toi_fail(context, TOI_ERROR_INPUT, "the shape is not a solid, so it has no inside");
  return body->motion == NULL ? TOI_OK : toi_motion_check(context, body->motion, t, "motion");
}

/* All surfaces of the body, checked. */
static toi_status take_surfaces(const toi_body *body, double t, size_t count, toi_body_surface *surfaces) {
  toi_status status = TOI_OK;
  for (size_t i = 0; i < count && status == TOI_OK; i++) {
    const toi_shape *shape = toi_shape_piece(body->shape, i);
    surfaces[i] = (toi_body_surface){.shape = shape, .given = shape, .motion = body->motion, .piece = (uint32_t)i};
    status = toi_shape_check(shape, t, "shape", surfaces[i].bounds, surfaces[i].centre, &surfaces[i].radius);
  }
  return status;
}

static TOI_APART toi_status point_inside(toi_context *context, const toi_body *body, double t, const double point[3],
                                         toi_inside *inside) {
  if (inside != NULL)
    *inside = TOI_INSIDE_UNKNOWN;
  if (context == NULL || body == NULL || point == NULL || inside == NULL)
    return toi_fail(context, TOI_ERROR_INPUT, "context, body, point or inside is NULL; give all of them");
  toi_body taken = {0};
  toi_motion_jet m;
  toi_interval away[3], place[3];
  toi_status status = toi_take_description(context, TOI_LAYOUT(toi_body, motion), body, &taken);
  if (status == TOI_OK)
    status = check_question(context, &taken, t, point);
  if (status != TOI_OK)
    return status;
  const size_t count = toi_shape_pieces(taken.shape);
  toi_body_surface *surfaces = toi_allocate(context, count * sizeof *surfaces);
  if (surfaces == NULL)
    return TOI_ERROR_MEMORY;
  toi_motion_jet_at(taken.motion, toi_interval_point(t), 0, &m);
  for (int k = 0; k < 3; k++)
    away[k] = toi_interval_sub(toi_interval_point(point[k]), m.translation[0][k]);
  toi_transposed3((const toi_interval(*)[3])m.rotation[0], away, place);
  status = take_surfaces(&taken, t, count, surfaces);
  if (status == TOI_OK)
    *inside = toi_inside_place(surfaces, count, place, toi_interval_point(t));
  toi_free(context, surfaces, count * sizeof *surfaces);
  return status;
}

toi_status toi_contact_inside(toi_context *context, const toi_body *body, double t, const double point[3],
                              toi_inside *inside) {
  TOI_CALL(context, point_inside(context, body, t, point, inside));
}
