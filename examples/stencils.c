/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Two triangles close to each other: their contact stencils, and the energy, force and stiffness of a barrier that acts
 * on them, which is what a Newton iteration assembles. */

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <toi/toi.h>

enum { VERTICES = 6, MOST = 64 };
static const double reach = 0.25; /* the barrier acts below this distance */

typedef struct contacts {
  toi_stencil stencils[MOST];
  size_t count;
} contacts;

static toi_status keep(void *user, const toi_stencil *stencils, size_t count) {
  contacts *all = user;
  if (all->count + count > MOST)
    return TOI_ERROR_MEMORY;
  memcpy(all->stencils + all->count, stencils, count * sizeof *stencils);
  all->count += count;
  return TOI_OK;
}

/* b(s) = -(s - r)^2 ln(s / r) of the squared distance s, r the square of the reach, with two derivatives. */
static void barrier(double s, double b[3]) {
  const double r = reach * reach, d = s - r, l = log(s / r);
  b[0] = -d * d * l;
  b[1] = -2 * d * l - d * d / s;
  b[2] = -2 * l - 4 * d / s + d * d / (s * s);
}

/* Energy k m b(s) of each stencil, k its multiplicity and m its mollifier; force[v] gets minus the gradient. Returns
 * the trace of the Hessian: a real iteration would put all of it into its matrix. */
static double assemble(const contacts *all, const toi_stencil_arrays *a, double *energy, double force[VERTICES][3]) {
  double trace = 0;
  for (size_t i = 0; i < all->count; i++) {
    const toi_stencil *s = &all->stencils[i];
    const size_t n = (size_t)3 * s->vertex_count;
    const double k = s->multiplicity, m = a->mollifiers[i];
    double b[3];
    barrier(s->distance_squared, b);
    *energy += k * m * b[0];
    for (size_t j = 0; j < n; j++) {
      const double d = a->gradients[i][j], dm = a->mollifier_gradients[i][j];
      force[s->vertices[j / 3]][j % 3] -= k * (m * b[1] * d + dm * b[0]);
      trace += k * (m * (b[2] * d * d + b[1] * a->hessians[i][n * j + j]) + 2 * b[1] * d * dm +
                    b[0] * a->mollifier_hessians[i][n * j + j]);
    }
  }
  return trace;
}

static toi_status run(toi_context *context, const toi_mesh *mesh) {
  static double squared[MOST], gradients[MOST][12], hessians[MOST][144];
  static double mollifiers[MOST], slopes[MOST][12], bends[MOST][144];
  const toi_stencil_arrays arrays = {.squared = squared,
                                     .gradients = gradients,
                                     .hessians = hessians,
                                     .mollifiers = mollifiers,
                                     .mollifier_gradients = slopes,
                                     .mollifier_hessians = bends};
  static contacts all;
  const toi_options options = toi_default_options();
  toi_status status = toi_stencils(context, mesh, reach, &options, NULL, keep, &all);
  if (status == TOI_OK)
    status = toi_stencil_batch(context, mesh, all.stencils, all.count, &arrays);
  if (status != TOI_OK)
    return status;
  for (size_t i = 0; i < all.count; i++) {
    const toi_stencil *s = &all.stencils[i];
    printf("%-13s %u %u: %u of them at distance %.3f, mollifier %.3f\n", toi_kind_name(s->kind), s->pair.first,
           s->pair.second, s->multiplicity, sqrt(s->distance_squared), mollifiers[i]);
  }
  double energy = 0, force[VERTICES][3] = {{0}};
  const double trace = assemble(&all, &arrays, &energy, force);
  printf("energy %.3e, trace of the Hessian %.3f, force on the upper triangle %.3e\n", energy, trace,
         force[3][2] + force[4][2] + force[5][2]);
  return TOI_OK;
}

int main(void) {
  const double start[VERTICES][3] = {{0, 0, 0},       {1, 0, 0},         {0, 1, 0},
                                     {0.2, 0.2, 0.1}, {1.2, 0.21, 0.12}, {-0.1, 0.4, 0.2}};
  const uint32_t faces[2][3] = {{0, 1, 2}, {3, 4, 5}};
  const toi_mesh mesh = {.start = start, .vertex_count = VERTICES, .faces = faces, .face_count = 2};
  toi_context *context;
  if (toi_context_create(NULL, &context) != TOI_OK)
    return 1;
  const toi_status status = run(context, &mesh);
  if (status != TOI_OK)
    fprintf(stderr, "%s: %s\n", toi_status_text(status), toi_context_error(context));
  toi_context_destroy(context);
  return status != TOI_OK;
}
