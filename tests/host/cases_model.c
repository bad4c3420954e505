/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* surface.h: models, how they are made and asked. */

#include "host/cases.h"
#include "host/models.h"

void host_record_model(host_run *run, const toi_model *model) {
  host_bits(run, "patch_count", &model->patch_count, sizeof model->patch_count);
  for (size_t i = 0; i < model->patch_count; i++) {
    const toi_patch *patch = toi_model_patch(model, i);
    size_t points;
    HOST_CALL(run, points, toi_patch_points, (patch->shape, patch->degree));
    host_bits(run, "points", patch->points, points * sizeof patch->points[0]);
    if (patch->velocities != NULL)
      host_bits(run, "velocities", patch->velocities, points * sizeof patch->velocities[0]);
    if (patch->weights != NULL)
      host_bits(run, "weights", patch->weights, points * sizeof patch->weights[0]);
    host_bits(run, "error", &patch->error, sizeof patch->error);
    host_bits(run, "velocity_error", &patch->velocity_error, sizeof patch->velocity_error);
    if (model->domains != NULL)
      host_bits(run, "domain", model->domains[i], sizeof model->domains[i]);
  }
}

bool host_model_made(host_run *run, toi_status status, const toi_model *model) {
  if (host_context_status(run, status)) {
    host_record_model(run, model);
    return true;
  }
  HOST_CHECK(run, model->patches == NULL && model->patch_count == 0 && model->owned == NULL);
  return false;
}

static void shapes(host_run *run) {
  toi_model models[5];
  HOST_SPOIL(models);
  const double large = host_number(run->input, 117), small = host_number(run->input, 33);
  toi_status status;
  HOST_CALL(run, status, toi_model_sphere, (run->context, large, &models[0]));
  host_model_made(run, status, &models[0]);
  HOST_CALL(run, status, toi_model_cylinder, (run->context, small, large, &models[1]));
  host_model_made(run, status, &models[1]);
  HOST_CALL(run, status, toi_model_torus, (run->context, large, small, &models[2]));
  host_model_made(run, status, &models[2]);
  HOST_CALL(run, status, toi_model_teapot, (run->context, &models[3]));
  host_model_made(run, status, &models[3]);
  const char *name;
  HOST_CALL(run, name, toi_model_name, (3));
  HOST_CALL(run, status, toi_model_named, (run->context, name, &models[4]));
  host_model_made(run, status, &models[4]);
  for (int i = 0; i < 5; i++)
    HOST_DO(run, toi_model_free, (run->context, &models[i]));
}

/* Knots and weights that round. */
static void from_nurbs(host_run *run) {
  static const double u_knots[] = {0, 0, 0, 0.3, 1, 1, 1}, v_knots[] = {0, 0.1, 0.5, 1.1, 1.3};
  double points[16][3], velocities[16][3], weights[16];
  for (int i = 0; i < 16; i++) {
    host_point(run->input, (const int[]){50 * (i / 4), 40 * (i % 4), i * 31 % 23}, points[i]);
    host_point(run->input, (const int[]){i % 3, -i, run->input == HOST_RESTING ? 0 : 117}, velocities[i]);
    weights[i] = i % 3 == 0 ? 1 : 1.1;
  }
  const toi_nurbs nurbs = {.degree = {2, 2},
                           .count = {4, 4},
                           .knots = {u_knots, v_knots},
                           .knot_count = {7, 5},
                           .periodic = {false, true},
                           .points = (const double(*)[3])points,
                           .velocities = (const double(*)[3])velocities,
                           .weights = weights};
  toi_model model;
  HOST_SPOIL(model);
  toi_status status;
  HOST_CALL(run, status, toi_model_from_nurbs, (run->context, &nurbs, &model));
  host_model_made(run, status, &model);
  HOST_DO(run, toi_model_free, (run->context, &model));
}

static void from_hermite(host_run *run) {
  double corners[4][4][3], velocities[4][4][3];
  for (int i = 0; i < 16; i++) {
    host_point(run->input, (const int[]){i * 7 % 5 * 40, i * 11 % 13 * 9, 117 - i}, corners[i / 4][i % 4]);
    host_point(run->input, (const int[]){i, 3 - i, -9}, velocities[i / 4][i % 4]);
  }
  toi_model model;
  HOST_SPOIL(model);
  toi_status status;
  HOST_CALL(run, status, toi_model_from_hermite,
            (run->context, (const double(*)[4][3])corners, (const double(*)[4][3])velocities, &model));
  host_model_made(run, status, &model);
  HOST_DO(run, toi_model_free, (run->context, &model));
}

/* A cylinder and a copy at a distance that it makes in half the time; both empty if one is refused. */
static bool make_two(host_run *run, toi_model models[2], bool moving) {
  double shift[3], velocity[3];
  host_point(run->input, (const int[]){141, 21, 3}, shift);
  host_point(run->input, (const int[]){run->input == HOST_RESTING ? 0 : -117, -5, 0}, velocity);
  models[0] = models[1] = (toi_model){0};
  toi_status status;
  HOST_CALL(run, status, toi_model_cylinder,
            (run->context, host_number(run->input, 50), host_number(run->input, 60), &models[0]));
  if (!host_context_status(run, status))
    return false;
  HOST_SPOIL(models[1]);
  HOST_CALL(run, status, toi_model_moved, (run->context, &models[0], shift, moving ? velocity : NULL, &models[1]));
  if (host_model_made(run, status, &models[1]))
    return true;
  HOST_DO(run, toi_model_free, (run->context, &models[0]));
  return false;
}

static void free_two(host_run *run, toi_model models[2]) {
  HOST_DO(run, toi_model_free, (run->context, &models[0]));
  HOST_DO(run, toi_model_free, (run->context, &models[1]));
}

static toi_surface_options options_of(host_run *run, bool separated) {
  toi_surface_options options;
  HOST_DO(run, toi_surface_options_init, (&options, sizeof options));
  options.max_checks = host_share(run, 60);
  options.tolerance = host_number(run->input, 1);
  options.min_separation = host_number(run->input, separated ? 5 : 0);
  options.spacing = host_number(run->input, 20);
  options.progress = host_progress;
  options.progress_user = run;
  return options;
}

static void record_answer(host_run *run, const toi_surface_hit *hit) {
  run->short_of_memory = run->short_of_memory || hit->end == TOI_SURFACE_MEMORY;
  host_bits(run, "hit", hit, sizeof *hit);
}

static void record_hit(host_run *run, toi_status status, const toi_surface_hit *hit) {
  if (!host_context_status(run, status))
    HOST_CHECK(run, hit->verdict == TOI_NEAR && hit->t_lo == 0 && hit->t_safe == 0);
  record_answer(run, hit);
}

static void model_pair(host_run *run) {
  toi_model models[2];
  if (!make_two(run, models, true))
    return;
  for (int way = 0; way < (int)host_share(run, 3); way++) {
    const toi_surface_options options = options_of(run, way == 1);
    toi_surface_hit hit;
    HOST_SPOIL(hit);
    toi_status status;
    HOST_CALL(run, status, toi_model_pair, (run->context, &models[0], way == 2 ? NULL : &models[1], &options, &hit));
    record_hit(run, status, &hit);
  }
  free_two(run, models);
}

static toi_status receive_contact(void *user, const toi_surface_hit *contact) {
  host_run *run = user;
  host_called(run, HOST_RECEIVES);
  host_bits(run, "contact", contact, sizeof *contact);
  return TOI_OK;
}

static toi_status stop_at_contact(void *user, const toi_surface_hit *contact) {
  (void)contact;
  host_called(user, HOST_RECEIVES);
  return TOI_ERROR_UNSUPPORTED;
}

static void model_contacts(host_run *run) {
  toi_model models[2];
  if (!make_two(run, models, true))
    return;
  toi_surface_options options = options_of(run, false);
  toi_surface_hit hit;
  HOST_SPOIL(hit);
  toi_status status;
  HOST_CALL(run, status, toi_model_contacts,
            (run->context, &models[0], &models[1], &options, &hit, receive_contact, run));
  record_hit(run, status, &hit);

  // Functions of the caller's own that end the call.
  HOST_SPOIL(hit);
  HOST_CALL(run, status, toi_model_contacts,
            (run->context, &models[0], &models[1], &options, &hit, stop_at_contact, run));
  host_status(run, status);
  record_answer(run, &hit);
  options.progress = host_cancel;
  HOST_SPOIL(hit);
  HOST_CALL(run, status, toi_model_pair, (run->context, &models[0], &models[1], &options, &hit));
  record_hit(run, status, &hit);
  free_two(run, models);
}

static void rigid_pair(host_run *run) {
  toi_model models[2];
  if (!make_two(run, models, false))
    return;
  double velocity[3], centre[3];
  host_point(run->input, (const int[]){run->input == HOST_RESTING ? 0 : 117, -5, 0}, velocity);
  host_point(run->input, (const int[]){1, 2, 3}, centre);
  const toi_surface_options options = options_of(run, false);
  toi_surface_hit hit;
  HOST_SPOIL(hit);
  toi_status status;
  toi_motion *motion = NULL;
  HOST_CALL(run, status, toi_motion_create, (run->context, &motion));
  if (host_context_status(run, status)) {
    HOST_CALL(run, status, toi_motion_spin, (motion, ((const double[]){0.1, 0.3, -0.2}), centre));
    host_context_status(run, status);
    HOST_CALL(run, status, toi_motion_move, (motion, NULL, velocity));
    host_context_status(run, status);
    HOST_CALL(run, status, toi_rigid_pair, (run->context, &models[0], motion, &models[1], NULL, &options, &hit));
    record_hit(run, status, &hit);
    HOST_DO(run, toi_motion_destroy, (motion));
  }
  free_two(run, models);
}

const host_case host_model_cases[] = {{"toi_model_sphere", shapes, HOST_FIGURES},
                                      {"toi_model_from_nurbs", from_nurbs, HOST_FIGURES},
                                      {"toi_model_from_hermite", from_hermite, HOST_FIGURES},
                                      {"toi_model_pair", model_pair, HOST_FIGURES},
                                      {"toi_model_contacts", model_contacts, HOST_FIGURES},
                                      {"toi_rigid_pair", rigid_pair, HOST_FIGURES},
                                      {NULL, NULL, 0}};
