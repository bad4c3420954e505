/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The kernels in one lane: the reference for the others, and the one for single queries whose magnitudes must be
 * brought into range first. */

#define TOI_LANES 1
#define TOI_KERNELS toi_kernels_scalar

#include "narrow/kernel_body.h"

/* The hull and exact corners of one query, each axis scaled by a power of two to a size in [1/2, 1). That is exact but
 * for underflow, which costs at most 2^-1075: far below the bounds' slack. */
TOI_INLINE void load_scaled(int n, const double *row, moving_hull *hull, double scale[AXES],
                            twofold exact[TIMES][3][AXES]) {
  twofold corner[TIMES][CORNERS][AXES];
  for (int time = 0; time < TIMES; time++)
    for (int k = 0; k < n; k++)
      for (int axis = 0; axis < AXES; axis++) {
        int first, second;
        corner_points(n, k, &first, &second);
        const double *points = row + 3 * point_count(n) * time + axis;
        twofold *c = &corner[time][k][axis];
        c->hi = difference_exact(points[3 * first], points[3 * second], &c->lo);
        hull->at[time][k][axis] = c->hi;
      }
  hull_box(n, every(0), hull);
  for (int axis = 0; axis < AXES; axis++) {
    scale[axis] = scale_of(hull->size[axis]);
    hull->size[axis] *= scale[axis];
    for (int time = 0; time < TIMES; time++)
      for (int k = 0; k < n; k++) {
        hull->at[time][k][axis] *= scale[axis];
        int role = k == last_corner(n) ? 2 : k;
        if (role < 3 && (k < 2 || role == 2))
          exact[time][role][axis] =
              (twofold){corner[time][k][axis].hi * scale[axis], corner[time][k][axis].lo * scale[axis]};
      }
  }
}

/* One copy of the search for all that ask for single queries. */
static __attribute__((noinline)) void search_one(const search *given, mask active, findings *found) {
  search s = *given;
  if (given->n == 3) {
    s.n = 3;
    search_run(&s, active, found);
  } else {
    s.n = 4;
    search_run(&s, active, found);
  }
}

/* The root search on one query, in any layout. */
TOI_INLINE void search_scaled(int n, const double *row, toi_scaled_answer *answer) {
  moving_hull hull;
  double scale[AXES];
  twofold exact[TIMES][3][AXES];
  load_scaled(n, row, &hull, scale, exact);
  mask finite = hull_finite(n, &hull);
  answer->projection_miss = (hull.apart & finite) || (projection_miss(n, &hull) & finite);
  answer->root.code = TOI_ROOT_OPEN;
  answer->root.guess = NAN;
  if (answer->projection_miss || n == 2)
    return;
  search s = {.n = n, .hull = &hull, .exact = (const twofold(*)[3][AXES])exact};
  findings found;
  search_one(&s, hull_in_range(&hull) & finite, &found);
  answer_lane(&found, 0, &answer->root);
  // A normal's component is an area of the two other axes: undo the scaling up to a common factor.
  double largest = fmax(scale[0], fmax(scale[1], scale[2]));
  for (int axis = 0; axis < AXES; axis++)
    answer->root.normal[axis] *= scale[axis] / largest;
}

void toi_kernel_scaled(int corner_count, const double *row, toi_scaled_answer *answer) {
  if (corner_count == 2)
    search_scaled(2, row, answer);
  else if (corner_count == 3)
    search_scaled(3, row, answer);
  else
    search_scaled(4, row, answer);
}

TOI_INLINE int start_in_plane(int n, const double *row, int axis, double *u, double *v) {
  moving_hull hull;
  double scale[AXES];
  twofold exact[TIMES][3][AXES];
  load_scaled(n, row, &hull, scale, exact);
  int i = (axis + 1) % 3, j = (axis + 2) % 3;
  if (!(in_range(hull.size[i]) & in_range(hull.size[j])))
    return 0;
  double area[CORNERS] = {0}, bound = hull.size[i] * hull.size[j] * TOI_BOUND_AREAS, sum = 0;
  int up = 0, down = 0;
  for (int k = 0; k < n; k++) {
    const real *p = hull.at[0][k], *q = hull.at[0][(k + 1) % n];
    area[k] = p[i] * q[j] - p[j] * q[i];
    sum += area[k];
    up += area[k] > bound;
    down += area[k] < -bound;
  }
  if (n == 4)
    sum *= 0.5;
  *u = clip_unit(area[n - 1] / sum);
  *v = clip_unit(area[0] / sum);
  return up && down ? -1 : up == n || down == n;
}

int toi_kernel_start_in_plane(int corner_count, const double *row, int axis, double *u, double *v) {
  return corner_count == 3 ? start_in_plane(3, row, axis, u, v) : start_in_plane(4, row, axis, u, v);
}

#include "narrow/kernel_explain.h"
