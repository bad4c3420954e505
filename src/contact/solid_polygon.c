/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Whether points are the corners of a polygon, and which way it runs. All signs are proved by intervals: what rounding
 * does not let one tell is refused. */

#include "contact/solid.h"

/* The side of the line through a and b on which c lies: 1 left; 0: it cannot be told. */
static int side_of(const double a[2], const double b[2], const double c[2]) {
  const toi_interval from[2] = {toi_interval_point(a[0]), toi_interval_point(a[1])};
  toi_interval d[2][2];
  for (int k = 0; k < 2; k++) {
    d[0][k] = toi_interval_sub(toi_interval_point(b[k]), from[k]);
    d[1][k] = toi_interval_sub(toi_interval_point(c[k]), from[k]);
  }
  return toi_interval_sign(toi_interval_sub(toi_interval_mul(d[0][0], d[1][1]), toi_interval_mul(d[0][1], d[1][0])));
}

static bool are_boxes_apart(const double a[2], const double b[2], const double c[2], const double d[2]) {
  for (int k = 0; k < 2; k++)
    if (fmax(a[k], b[k]) < fmin(c[k], d[k]) || fmin(a[k], b[k]) > fmax(c[k], d[k]))
      return true;
  return false;
}

/* Two sides that share no corner, by a line that has one of them on one side. */
static bool are_apart(const double a[2], const double b[2], const double c[2], const double d[2]) {
  if (are_boxes_apart(a, b, c, d))
    return true;
  const int first[2] = {side_of(a, b, c), side_of(a, b, d)}, second[2] = {side_of(c, d, a), side_of(c, d, b)};
  return (first[0] != 0 && first[0] == first[1]) || (second[0] != 0 && second[0] == second[1]);
}

static toi_status check_turns(toi_context *context, const char *what, const double (*points)[2], size_t count) {
  for (size_t i = 0; i < count; i++) {
    const double *a = points[i], *b = points[(i + 1) % count], *c = points[(i + 2) % count];
    if (a[0] == b[0] && a[1] == b[1])
      return toi_fail(context, TOI_ERROR_INPUT, "the %s has the point (%.9g, %.9g) twice in a row; remove one", what,
                      a[0], a[1]);
    if ((b[0] != c[0] || b[1] != c[1]) && side_of(a, b, c) == 0)
      return toi_fail(context, TOI_ERROR_INPUT,
                      "the %s goes straight on, or back, at the point (%.9g, %.9g); remove it", what, b[0], b[1]);
  }
  return TOI_OK;
}

toi_status toi_polygon_check(toi_context *context, const char *what, const double (*points)[2], size_t count,
                             bool *backwards) {
  if (count < 3)
    return toi_fail(context, TOI_ERROR_INPUT, "the %s has %zu corners; it needs 3 at least", what, count);
  const toi_status status = check_turns(context, what, points, count);
  if (status != TOI_OK)
    return status;
  for (size_t i = 0; i < count; i++)
    for (size_t j = i + 2; j < count; j++) {
      const double *a = points[i], *b = points[i + 1], *c = points[j], *d = points[(j + 1) % count];
      if ((j + 1) % count != i && !are_apart(a, b, c, d))
        return toi_fail(context, TOI_ERROR_INPUT,
                        "the %s meets itself between (%.9g, %.9g) and (%.9g, %.9g); its sides may meet at its corners "
                        "only",
                        what, a[0], a[1], b[0], b[1]);
    }
  // The lowest corner, of several the first from the left, is one of the hull: it turns the way that all of it runs.
  size_t lowest = 0;
  for (size_t i = 1; i < count; i++)
    if (points[i][1] < points[lowest][1] || (points[i][1] == points[lowest][1] && points[i][0] < points[lowest][0]))
      lowest = i;
  *backwards = side_of(points[(lowest + count - 1) % count], points[lowest], points[(lowest + 1) % count]) < 0;
  return TOI_OK;
}
