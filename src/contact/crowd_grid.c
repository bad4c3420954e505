/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* A large surface beside many small bodies, as a bowl: boxes around its pieces tell which part of it a body can reach.
 *
 * Claim: a contact of the pair within the times has its parameters in the part. Why: at the contact the point of the
 * surface lies in the box around its piece, and in what encloses all of the other surface's bounds, as this one sees
 * them, over the times; so these boxes meet, and the part is the hull of all pieces whose boxes do. */

#include "contact/crowd.h"
#include "solve/vector.h"

/* Pieces of each parameter, and pairs from which on they are worth their time. */
#define SIDE 24
#define MANY 64

struct toi_crowd_grid {
  uint32_t surface; /* of the question */
  toi_interval u[SIDE], v[SIDE];
  toi_interval box[SIDE][SIDE][3];
};

static toi_interval piece_of(toi_interval x, int number) {
  const double low = (double)number / SIDE, high = (double)(number + 1) / SIDE;
  const double from = x.lo * (1 - low) + x.hi * low, to = x.lo * (1 - high) + x.hi * high;
  return (toi_interval){number == 0 ? x.lo : from, number == SIDE - 1 ? x.hi : to};
}

static bool has_grid(const toi_crowd *c, const toi_crowd_body *body) {
  const toi_shape *shape = c->q->surface[body->surface].shape;
  return body->degree >= MANY && body->count == 1 && !shape->implicit && !shape->deforming && shape->tape != NULL;
}

static void fill(const toi_shape *shape, toi_crowd_grid *grid) {
  for (int i = 0; i < SIDE; i++) {
    grid->u[i] = piece_of(shape->domain[0], i);
    grid->v[i] = piece_of(shape->domain[1], i);
  }
  for (int i = 0; i < SIDE; i++)
    for (int j = 0; j < SIDE; j++) {
      const toi_interval uvt[3] = {grid->u[i], grid->v[j], {0, 0}};
      if (!toi_shape_jets(shape, uvt, 0, grid->box[i][j]))
        for (int k = 0; k < 3; k++)
          grid->box[i][j][k] = toi_interval_whole();
    }
}

toi_status toi_crowd_grids(toi_crowd *c) {
  for (size_t i = 0; i < c->q->count; i++) {
    toi_crowd_body *body = &c->bodies[i];
    if (body->grid != NULL || !has_grid(c, body))
      continue;
    body->grid = toi_allocate(c->q->context, sizeof *body->grid);
    if (body->grid == NULL)
      return TOI_ERROR_MEMORY;
    fill(c->q->surface[body->surface].shape, body->grid);
  }
  return TOI_OK;
}

void toi_crowd_grid_end(toi_context *context, toi_crowd_grid *grid) {
  if (grid != NULL)
    toi_free(context, grid, sizeof *grid);
}

/* The other surface's bounds and ball over the times, as the surface of this side sees them. */
static void see_other(const toi_body_pair *pair, int side, toi_interval times, toi_interval seen[3]) {
  const toi_body_surface *other = pair->surface[1 - side];
  const toi_motion_jet *m = toi_body_pair_motion(pair, times, 0);
  toi_interval bounds[3], centre[3], ball[3];
  for (int k = 0; k < 3; k++) {
    bounds[k] = other->bounds[k];
    centre[k] = toi_interval_point(other->centre[k]);
    if (side == 0) {
      // s = M^T (p - D)
      bounds[k] = toi_interval_sub(bounds[k], m->translation[0][k]);
      centre[k] = toi_interval_sub(centre[k], m->translation[0][k]);
    }
  }
  if (side == 0) {
    toi_transposed3(m->rotation[0], bounds, seen);
    toi_transposed3(m->rotation[0], centre, ball);
  } else {
    toi_times3(m->rotation[0], bounds, seen);
    toi_times3(m->rotation[0], centre, ball);
    toi_add3(seen, m->translation[0], seen);
    toi_add3(ball, m->translation[0], ball);
  }
  const toi_interval around = {-other->radius, other->radius};
  for (int k = 0; k < 3 && other->radius <= DBL_MAX; k++)
    (void)toi_interval_intersect(seen[k], toi_interval_add(ball[k], around), &seen[k]);
}

static bool meets(const toi_interval a[3], const toi_interval b[3]) {
  for (int k = 0; k < 3; k++)
    if (a[k].lo > b[k].hi || a[k].hi < b[k].lo)
      return false;
  return true;
}

bool toi_crowd_grid_part(const toi_crowd_grid *grid, const toi_body_pair *pair, int side, toi_interval times,
                         toi_interval part[2]) {
  toi_interval seen[3];
  see_other(pair, side, times, seen);
  bool any = false;
  for (int i = 0; i < SIDE; i++)
    for (int j = 0; j < SIDE; j++)
      if (meets(grid->box[i][j], seen)) {
        part[0] = any ? toi_interval_hull(part[0], grid->u[i]) : grid->u[i];
        part[1] = any ? toi_interval_hull(part[1], grid->v[j]) : grid->v[j];
        any = true;
      }
  return any;
}
