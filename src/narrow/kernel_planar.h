/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Part of kernel_body.h: segments that stay in an axis plane, as parallelograms in general position (kernel.h). Each
 * lane may come from another kind of query, with another plane, so lanes are filled one by one; the search is the one
 * of kernel_root.h. */

/* The power of two that brings `size` into [1/2, 1); 1 for 0. At most 2^1000, so that it is a double: the smallest
 * subnormal still becomes 2^-74, well within range. */
static double scale_of(double size) {
  uint64_t bits;
  memcpy(&bits, &size, sizeof(bits));
  int exponent = (int)(bits >> 52 & 0x7ff) - 1022;
  if (exponent < -1000 || exponent > 1000) {
    exponent = 0;
    if (size > 0 && size < INFINITY)
      (void)frexp(size, &exponent);
    return size > 0 ? ldexp(1, exponent < -1000 ? 1000 : -exponent) : 1;
  }
  bits = (uint64_t)(1023 - exponent) << 52;
  double scale;
  memcpy(&scale, &bits, sizeof(scale));
  return scale;
}

/* A group of segments as columns: hull, exact corners, and the powers of two that scaled each axis. */
typedef struct planar_group {
  double at[TIMES][CORNERS][AXES][TOI_LANES];
  double low[TIMES][CORNERS][AXES][TOI_LANES];
  double scale[AXES][TOI_LANES];
} planar_group;

/* One segment's corners on one axis, exactly, scaled to a size in [1/2, 1). Corners 3 and 2 are corners 0 and 1 on the
 * other side of the plane. */
static void fill_axis(const toi_planar *planar, int axis, unsigned j, planar_group *group) {
  bool flat = axis == planar->axis;
  double high[TIMES][2], low[TIMES][2], size = flat;
  for (int time = 0; time < TIMES; time++)
    for (int end = 0; end < 2; end++) {
      const double *points = planar->row + 3 * planar->points * time + axis;
      double a = points[3 * planar->first[end]], b = points[3 * planar->second[end]];
      double d = a - b, back = a - d;
      high[time][end] = flat ? -1 : d;
      low[time][end] = flat ? 0 : (a - (d + back)) + (back - b);
      size = fabs(d) > size ? fabs(d) : size;
    }
  double scale = scale_of(size);
  group->scale[axis][j] = scale;
  for (int time = 0; time < TIMES; time++)
    for (int end = 0; end < 2; end++) {
      double value = high[time][end] * scale;
      group->at[time][end][axis][j] = value;
      group->at[time][3 - end][axis][j] = flat ? -value : value;
      group->low[time][end][axis][j] = group->low[time][3 - end][axis][j] = low[time][end] * scale;
    }
}

TOI_INLINE real column_of(const double values[TOI_LANES]) {
  real column;
  memcpy(&column, values, sizeof(column));
  return column;
}

static void load_planar(const planar_group *group, moving_hull *hull, twofold exact[TIMES][3][AXES]) {
  for (int axis = 0; axis < AXES; axis++)
    for (int time = 0; time < TIMES; time++) {
      for (int k = 0; k < CORNERS; k++)
        hull->at[time][k][axis] = column_of(group->at[time][k][axis]);
      for (int role = 0; role < 3; role++) {
        int k = role < 2 ? role : last_corner(CORNERS);
        exact[time][role][axis] = (twofold){column_of(group->at[time][k][axis]), column_of(group->low[time][k][axis])};
      }
    }
  hull_box(CORNERS, every(0), hull);
}

static void planar(const toi_planar *segments, size_t count, toi_root_answer *answers) {
  for (size_t i = 0; i < count; i += TOI_LANES) {
    planar_group group;
    for (unsigned j = 0; j < TOI_LANES; j++) {
      const toi_planar *segment = &segments[i + j < count ? i + j : count - 1];
      for (int axis = 0; axis < AXES; axis++)
        fill_axis(segment, axis, j, &group);
    }
    moving_hull hull;
    twofold exact[TIMES][3][AXES];
    load_planar(&group, &hull, exact);
    mask usable = hull_finite(CORNERS, &hull) & hull_in_range(&hull);
    unsigned misses = bits_of(hull.apart & usable);
    search s = {.n = CORNERS, .hull = &hull, .exact = (const twofold(*)[3][AXES])exact};
    findings found;
    search_run(&s, usable, &found);
    for (unsigned j = 0; j < TOI_LANES && i + j < count; j++) {
      toi_root_answer *answer = &answers[i + j];
      answer_lane(&found, j, answer);
      if (misses >> j & 1)
        answer->code = TOI_ROOT_MISS;
      // A normal's component is an area of the two other axes: undo the scaling up to a common factor.
      double largest = fmax(group.scale[0][j], fmax(group.scale[1][j], group.scale[2][j]));
      for (int axis = 0; axis < AXES; axis++)
        answer->normal[axis] *= group.scale[axis][j] / largest;
    }
  }
}
