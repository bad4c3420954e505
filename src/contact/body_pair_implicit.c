/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The equations of two implicit surfaces, in the coordinates x of the first body: F1(x, t) = 0 and
 * F2(w, t) = 0 with w = M x + D. With g1 = F1' and g2 = M^T F2', tangency is g1 x g2 = 0: three equations, of which two
 * follow from each other wherever a gradient is not zero.
 *
 * Incoming: a surface F = 0 moves along its gradient with the speed -F_t / |F'|. The sum of both, times both lengths,
 * is not negative where they approach. */

#include "contact/body_pair.h"
#include "solve/vector.h"

/* Both functions of x and t, the second one's place w = M x + D, and M. */
static const toi_motion_jet *compose(const toi_problem *problem, const toi_box *box, unsigned order, toi_interval w[3],
                                     toi_field f[2]) {
  const toi_body_pair *pair = problem->pair;
  const toi_interval t = box->x[3];
  const toi_motion_jet *m = toi_body_pair_motion(pair, t, order);
  toi_times3(m->rotation[0], box->x, w);
  toi_add3(w, m->translation[0], w);
  toi_field second;
  if (!toi_field_at(pair->surface[0], box->x, t, order, &f[0]) || !toi_field_at(pair->surface[1], w, t, order, &second))
    return NULL;
  toi_seen_place place;
  toi_see_place(m, box->x, order, &place);
  toi_field_along(&second, &place.jet, order, &f[1]);
  return m;
}

static void tangency(const toi_field f[2], toi_system_order order, toi_system *system) {
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
  toi_interval w[3];
  toi_field f[2];
  const toi_motion_jet *m = compose(problem, box, (unsigned)order, w, f);
  if (m == NULL)
    return false;
  system->contact = 2;
  system->tangency = 0;
  memcpy(system->place, w, sizeof w);
  for (int i = 0; i < 2; i++)
    system->value[i] = f[i].value;
  if (order == TOI_SYSTEM_VALUES)
    return true;
  memcpy(system->own, box->x, sizeof system->own);

  for (int i = 0; i < 2; i++) {
    memcpy(system->slope[i], f[i].slope, sizeof f[i].slope);
    // As the second body sees them.
    toi_times3(m->rotation[0], f[i].slope, system->normal[i]);
  }
  if (!problem->at_start)
    tangency(f, order, system);
  if (problem->pair->incoming) {
    toi_interval sum = toi_interval_add(toi_interval_mul(f[0].slope[3], toi_length3(f[1].slope)),
                                        toi_interval_mul(f[1].slope[3], toi_length3(f[0].slope)));
    system->incoming[0] = toi_interval_neg(sum);
    system->incoming[1] = toi_interval_neg(toi_dot3(f[0].slope, f[1].slope));
  }
  return true;
}

bool toi_expand_implicit(const toi_problem *problem, const toi_box *box, unsigned order, toi_expansion *e) {
  toi_interval w[3];
  toi_field f[2];
  if (compose(problem, box, order, w, f) == NULL)
    return false;
  e->m = 2;
  for (size_t k = 0; k < 2; k++)
    toi_expansion_row(&f[k], 4, order, k, e);
  return true;
}
