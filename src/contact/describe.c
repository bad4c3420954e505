/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* What was found, as the caller receives it: where a contact is in the world, and contacts in order. */

#include "contact/question.h"
#include "solve/vector.h"

static void to_world(const toi_motion_jet *m, const double a[3], bool shift, double b[3]) {
  for (int i = 0; i < 3; i++) {
    b[i] = shift ? toi_interval_midpoint(m->translation[0][i]) : 0;
    for (int j = 0; j < 3; j++)
      b[i] += toi_interval_midpoint(m->rotation[0][i][j]) * a[j];
  }
}

/* What rounding took across a seam comes back. */
static double inside(double x, toi_interval domain) {
  return x < domain.lo ? domain.lo : x > domain.hi ? domain.hi : x;
}

/* How far the place, carried along by the second body while the contact's time is not known better, gets from the
 * point. */
static double world_error(const toi_body_surface *surface, const toi_found_contact *found, const double point[3]) {
  toi_motion_jet m;
  toi_body_surface_motion(surface, (toi_interval){found->t_lo, found->t_hi}, 0, &m);
  toi_interval place[3], gap[3];
  for (int k = 0; k < 3; k++)
    place[k] = toi_interval_point(found->place[k]);
  toi_times3((const toi_interval(*)[3])m.rotation[0], place, gap);
  for (int k = 0; k < 3; k++)
    gap[k] = toi_interval_sub(toi_interval_add(gap[k], m.translation[0][k]), toi_interval_point(point[k]));
  return toi_length3(gap).hi;
}

/* Where a contact is, in the world: doubles; `error` is that of the place, and what the motion adds. */
bool toi_contact_describe(const toi_question *q, const toi_contact_search *run, const toi_found_contact *found,
                          toi_contact_point *point) {
  const toi_problem *problem = &run->problems[found->problem];
  const toi_body_pair *pair = problem->pair;
  toi_box middle = toi_box_centre(problem, &found->box);
  toi_system system;
  if (!toi_system_at(problem, &middle, TOI_SYSTEM_SLOPES, &system))
    return false;
  toi_motion_jet m;
  toi_body_surface_motion(pair->surface[1], middle.x[toi_body_pair_time(pair)], 0, &m);
  bool swapped = pair->body[0] > pair->body[1];
  *point = (toi_contact_point){.a = pair->body[swapped],
                               .b = pair->body[!swapped],
                               .certificate =
                                   toi_contact_search_is_unique(run, found) ? TOI_CONTACT_UNIQUE : TOI_CONTACT_SINGULAR,
                               .proved = found->proved,
                               .patch_a = pair->surface[swapped]->piece,
                               .patch_b = pair->surface[!swapped]->piece,
                               .t_lo = found->t_lo,
                               .t_hi = found->t_hi,
                               .error = found->error};
  to_world(&m, found->place, true, point->point);
  // Adding 0 makes one zero of both.
  point->error = toi_sum_up(point->error, world_error(pair->surface[1], found, point->point)) + 0.0;
  for (int side = 0; side < 2; side++) {
    double normal[3];
    bool second = side != swapped;
    for (int k = 0; k < 3; k++)
      normal[k] = toi_interval_midpoint(system.normal[side][k]);
    toi_plain_unit3(normal);
    to_world(&m, normal, false, second ? point->normal_b : point->normal_a);
    double *parameters = second ? point->parameters_b : point->parameters_a;
    bool implicit = pair->surface[side]->shape->implicit;
    for (size_t i = 0; i < 2; i++)
      parameters[i] = implicit ? NAN : inside(middle.x[2 * (size_t)side + i].lo, pair->surface[side]->shape->domain[i]);
  }
  if (!found->proved && point->error < q->options->tolerance)
    point->error = q->options->tolerance;
  return true;
}

/* By bodies, then by time, then by place. */
static bool is_before(const toi_contact_point *x, const toi_contact_point *y) {
  const double keys[2][6] = {{x->a, x->b, x->t_lo, x->point[0], x->point[1], x->point[2]},
                             {y->a, y->b, y->t_lo, y->point[0], y->point[1], y->point[2]}};
  int k = 0;
  while (k < 5 && keys[0][k] == keys[1][k])
    k++;
  return keys[0][k] < keys[1][k];
}

/* Shell's sort: in place, and there are a few thousand of them at most. */
static void sort_points(toi_contact_point *points, size_t count) {
  size_t gap = 1;
  while (gap < count / 3)
    gap = 3 * gap + 1;
  for (; gap > 0; gap /= 3)
    for (size_t i = gap; i < count; i++) {
      toi_contact_point now = points[i];
      size_t at = i;
      for (; at >= gap && is_before(&now, &points[at - gap]); at -= gap)
        points[at] = points[at - gap];
      points[at] = now;
    }
}

static TOI_APART void listen(toi_context *context, toi_listener *who, const toi_contact_point *point) {
  const toi_callback callback = toi_callback_begin(context, 0);
  who->status = who->visit(who->user, point);
  toi_callback_end(callback);
}

void toi_contact_report(toi_context *context, toi_listener *who, toi_contact_point *points, size_t count) {
  sort_points(points, count);
  for (size_t i = 0; i < count && who->visit != NULL && who->status == TOI_OK; i++)
    listen(context, who, &points[i]);
}

/* What a search reports, in the world, to whoever asked. */
toi_status toi_question_report(const toi_question *q, const toi_contact_search *run, toi_listener *who,
                               size_t *reported) {
  toi_contact_point *points = run->points;
  size_t count = 0;
  bool fine = true;
  for (size_t i = 0; i < run->contact_count && fine; i++)
    if (toi_contact_search_reports(run, &run->contacts[i]))
      fine = toi_contact_describe(q, run, &run->contacts[i], &points[count++]);
  if (fine)
    toi_contact_report(q->context, who, points, count);
  *reported = count;
  return fine ? TOI_OK : TOI_ERROR_CALLBACK;
}
