/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* A complete plug-in: a naive method that looks at the step at 65 instants and reports a hit where the signed volume of
 * the four points changes sign and the contact lies inside the primitives, both judged in plain floating point.
 *
 * It is here to show the interface, and what methods of this kind do: it misses contacts between two instants, contacts
 * that do not change the sign, and whatever its rounding errors hide. Its promise says so.
 *
 *   cc -shared -fPIC sampling.c -o sampling.so $(pkg-config --cflags toi) -lm
 *   toi query queries/ --method all --plugin sampling.so */

#include <math.h>
#include <stdlib.h>
#include <toi/plugin.h>

#define INSTANTS 64

/* What one thread keeps: here the points at one instant, to show where such things belong. */
typedef struct state {
  double points[4][3];
} state;

static void *state_create(void) {
  return calloc(1, sizeof(state));
}

static void state_destroy(void *memory) {
  free(memory);
}

static void subtract(const double a[3], const double b[3], double difference[3]) {
  for (int i = 0; i < 3; i++)
    difference[i] = a[i] - b[i];
}

static double dot(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double product[3]) {
  product[0] = a[1] * b[2] - a[2] * b[1];
  product[1] = a[2] * b[0] - a[0] * b[2];
  product[2] = a[0] * b[1] - a[1] * b[0];
}

/* With first + u d1 + v d2 the nearest place to the target, in the plane of d1 and d2: u, v, and the signed volume. */
static double solve(const double d1[3], const double d2[3], const double to_target[3], double uv[2]) {
  double normal[3], helper[3];
  cross(d1, d2, normal);
  double size = dot(normal, normal);
  cross(to_target, d2, helper);
  uv[0] = dot(helper, normal) / size;
  cross(d1, to_target, helper);
  uv[1] = dot(helper, normal) / size;
  return dot(normal, to_target);
}

/* The signed volume at time t; sets u, v and whether they lie inside the primitives. */
static double volume_at(state *s, const toi_plugin_question *q, double t, double uv[2], bool *inside) {
  for (int i = 0; i < 4; i++)
    for (int axis = 0; axis < 3; axis++)
      s->points[i][axis] = (1 - t) * q->start[i][axis] + t * q->end[i][axis];
  double d1[3], d2[3], to_target[3], volume;
  if (q->kind == TOI_VERTEX_FACE) {
    subtract(s->points[2], s->points[1], d1);
    subtract(s->points[3], s->points[1], d2);
    subtract(s->points[0], s->points[1], to_target);
    volume = solve(d1, d2, to_target, uv);
    *inside = uv[0] >= 0 && uv[1] >= 0 && uv[0] + uv[1] <= 1;
  } else {
    // ea0 + u (ea1 - ea0) = eb0 + v (eb1 - eb0)
    subtract(s->points[1], s->points[0], d1);
    subtract(s->points[2], s->points[3], d2);
    subtract(s->points[2], s->points[0], to_target);
    volume = solve(d1, d2, to_target, uv);
    *inside = uv[0] >= 0 && uv[0] <= 1 && uv[1] >= 0 && uv[1] <= 1;
  }
  return volume;
}

static int answer_question(void *memory, const toi_plugin_question *q, toi_plugin_answer *answer) {
  if ((q->kind != TOI_VERTEX_FACE && q->kind != TOI_EDGE_EDGE) || q->min_separation > 0)
    return 1;
  double uv[2], before = 0;
  for (int i = 0; i <= INSTANTS; i++) {
    double t = q->t_max * i / INSTANTS;
    bool inside;
    double volume = volume_at(memory, q, t, uv, &inside);
    if (inside && (volume == 0 || (i > 0 && before * volume < 0))) {
      double t_lo = i > 0 && volume != 0 ? q->t_max * (i - 1) / INSTANTS : t;
      *answer = (toi_plugin_answer){.verdict = TOI_HIT, .t_lo = t_lo, .t_hi = t, .u = uv[0], .v = uv[1]};
      return 0;
    }
    before = volume;
  }
  *answer = (toi_plugin_answer){.verdict = TOI_MISS, .t_lo = INFINITY, .t_hi = INFINITY, .u = NAN, .v = NAN};
  return 0;
}

TOI_API const toi_plugin_method *toi_plugin_entry(void) {
  static const toi_plugin_method method = {
      .version = TOI_PLUGIN_VERSION,
      .name = "sampling",
      .promise = "None: looks at 65 instants in floating point, misses contacts and may report false ones. The "
                 "tolerance is not used.",
      .create = state_create,
      .destroy = state_destroy,
      .answer = answer_question};
  return &method;
}
