/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The equations of two implicit surfaces, in the coordinates x of the first body: F1(x, t) = 0 and
 * F2(w, t) = 0 with w = M x + D. With g1 = F1' and g2 = M^T F2', tangency is g1 x g2 = 0: three equations, of which two
 * follow from each other wherever a gradient is not zero.
 *
 * Incoming: a surface F = 0 moves along its gradient with the speed -F_t / |F'|. The sum of both, times both lengths,
 * is not negative where they approach. */

#include "contact/couple.h"
#include "solve/vector.h"

/* A function of x, y, z, t: value, slopes by x, y, z, t, second derivatives [i][j], i in x, y, z, j in x, y, z, t, and
 * the one by t twice. */
typedef struct field {
  toi_interval value;
  toi_interval slope[4];
  toi_interval second[3][4];
  toi_interval by_time_twice;
} field;

static bool fetch(toi_seen *seen, const toi_interval place[3], toi_interval t, unsigned order, field *f) {
  static const int packed[3][4] = {{5, 6, 7, 8}, {6, 9, 10, 11}, {7, 10, 12, 13}};
  toi_interval box[4] = {place[0], place[1], place[2], t}, jet[TOI_JET4];
  if (!toi_seen_ask(seen, box, order, jet))
    return false;
  f->value = jet[0];
  if (order >= 1)
    memcpy(f->slope, jet + 1, sizeof f->slope);
  for (int i = 0; i < 3 && order >= 2; i++)
    for (int j = 0; j < 4; j++)
      f->second[i][j] = jet[packed[i][j]];
  if (order >= 2)
    f->by_time_twice = jet[14];
  return true;
}

/* The second derivative of F2(M x + D, t) by t, from F2 as a function of w and t. With w_t = M' x + D' and
 * w_tt = M'' x + D'' it is w_t F2'' w_t + F2' w_tt + 2 F2'_t w_t + F2_tt. */
static toi_interval seen_time_twice(const toi_motion_jet *m, const toi_interval x[3], const field *f) {
  toi_interval speed[3], bend[3], curved[3];
  toi_times3(m->rotation[1], x, speed);
  toi_add3(speed, m->translation[1], speed);
  toi_times3(m->rotation[2], x, bend);
  toi_add3(bend, m->translation[2], bend);
  for (int i = 0; i < 3; i++) {
    toi_interval twice = toi_interval_mul(toi_interval_point(2), f->second[i][3]);
    curved[i] = toi_interval_add(toi_dot3(f->second[i], speed), twice);
  }
  toi_interval moved = toi_interval_add(toi_dot3(curved, speed), toi_dot3(f->slope, bend));
  return toi_interval_add(moved, f->by_time_twice);
}

/* F2(M x + D, t) as a function of x and t, from F2 as a function of w and t. */
static void seen_from_first(const toi_motion_jet *m, const toi_interval x[3], unsigned order, field *f) {
  toi_interval gradient[3], speed[3];
  memcpy(gradient, f->slope, sizeof gradient);
  // w_t = M' x + D'
  toi_times3(m->rotation[1], x, speed);
  toi_add3(speed, m->translation[1], speed);
  toi_transposed3(m->rotation[0], gradient, f->slope);
  f->slope[3] = toi_interval_add(f->slope[3], toi_dot3(gradient, speed));
  if (order < 2)
    return;

  toi_interval curved[3][3], by_time[3];
  for (int i = 0; i < 3; i++) {
    // Row i of F2'' M, and of F2'' w_t + F2'_t.
    toi_transposed3(m->rotation[0], f->second[i], curved[i]);
    by_time[i] = toi_interval_add(toi_dot3(f->second[i], speed), f->second[i][3]);
  }
  toi_interval turned[3], turning[3];
  toi_transposed3(m->rotation[0], by_time, turned);
  toi_transposed3(m->rotation[1], gradient, turning);
  for (int j = 0; j < 3; j++) {
    toi_interval column[3] = {curved[0][j], curved[1][j], curved[2][j]}, product[3];
    toi_transposed3(m->rotation[0], column, product);
    for (int i = 0; i < 3; i++)
      f->second[i][j] = product[i];
  }
  for (int i = 0; i < 3; i++)
    f->second[i][3] = toi_interval_add(turned[i], turning[i]);
}

static void tangency(const field f[2], toi_system_order order, toi_system *system) {
  toi_cross3(f[0].slope, f[1].slope, system->value + 2);
  system->tangency = 3;
  for (int i = 0; i < 3; i++)
    system->size[2 + i] = toi_plain_size3(f[0].slope) * toi_plain_size3(f[1].slope);
  for (int j = 0; j < 4 && order == TOI_SYSTEM_ALL; j++) {
    toi_interval first[3], second[3], slope[3];
    for (int i = 0; i < 3; i++) {
      first[i] = f[0].second[i][j];
      second[i] = f[1].second[i][j];
    }
    toi_cross3_slope(f[0].slope, first, f[1].slope, second, slope);
    for (int i = 0; i < 3; i++)
      system->slope[2 + i][j] = slope[i];
  }
}

bool toi_system_implicit(const toi_problem *problem, const toi_box *box, toi_system_order order, toi_system *system) {
  const toi_couple *couple = problem->couple;
  unsigned orders = (unsigned)order;
  toi_interval t = box->x[3], w[3];
  const toi_motion_jet *m = toi_couple_motion(couple, t, orders);
  toi_times3(m->rotation[0], box->x, w);
  toi_add3(w, m->translation[0], w);
  field f[2];
  if (!fetch(couple->seen[0], box->x, t, orders, &f[0]) || !fetch(couple->seen[1], w, t, orders, &f[1]))
    return false;
  system->contact = 2;
  system->tangency = 0;
  memcpy(system->place, w, sizeof w);
  for (int i = 0; i < 2; i++)
    system->value[i] = f[i].value;
  if (order == TOI_SYSTEM_VALUES)
    return true;

  seen_from_first(m, box->x, orders, &f[1]);
  for (int i = 0; i < 2; i++) {
    memcpy(system->slope[i], f[i].slope, sizeof f[i].slope);
    // As the second body sees them.
    toi_times3(m->rotation[0], f[i].slope, system->normal[i]);
  }
  if (!problem->at_start)
    tangency(f, order, system);
  if (couple->incoming) {
    toi_interval sum = toi_interval_add(toi_interval_mul(f[0].slope[3], toi_length3(f[1].slope)),
                                        toi_interval_mul(f[1].slope[3], toi_length3(f[0].slope)));
    system->incoming[0] = toi_interval_neg(sum);
    system->incoming[1] = toi_interval_neg(toi_dot3(f[0].slope, f[1].slope));
  }
  return true;
}

bool toi_expand_implicit(const toi_problem *problem, const toi_box *box, unsigned order, toi_expansion *e) {
  const toi_couple *couple = problem->couple;
  toi_interval t = box->x[3], w[3];
  const toi_motion_jet *m = toi_couple_motion(couple, t, order);
  toi_times3(m->rotation[0], box->x, w);
  toi_add3(w, m->translation[0], w);
  field f[2];
  if (!fetch(couple->seen[0], box->x, t, order, &f[0]) || !fetch(couple->seen[1], w, t, order, &f[1]))
    return false;
  if (order == 2)
    f[1].by_time_twice = seen_time_twice(m, box->x, &f[1]);
  seen_from_first(m, box->x, order, &f[1]);
  e->m = 2;
  for (int k = 0; k < 2; k++) {
    e->value[k] = f[k].value;
    memcpy(e->slope[k], f[k].slope, sizeof f[k].slope);
    for (int i = 0; i < 3 && order == 2; i++) {
      memcpy(e->second[k][i], f[k].second[i], sizeof f[k].second[i]);
      e->second[k][3][i] = f[k].second[i][3];
    }
    if (order == 2)
      e->second[k][3][3] = f[k].by_time_twice;
  }
  return true;
}
