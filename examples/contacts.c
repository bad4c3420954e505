/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* A ring is lowered on the teapot: prints a picture of the first moment of contact, as SVG, and where they touch. The
 * picture in docs/surfaces.md is made so: contacts >docs/surfaces.svg
 *
 * Lines are drawn where u or v is a third of a patch; those that face away from the eye are pale. */

#include <math.h>
#include <stdio.h>
#include <toi/toi.h>

#define LINES 3     /* of each parameter, a patch */
#define SEGMENTS 8  /* of a line */
#define SCALE 105.0 /* pixels a unit */
#define WIDTH 760
#define HEIGHT 440

/* The eye looks down along (0, cos, -sin) of this angle. */
static const double eye_cos = 0.88, eye_sin = 0.47;

/* A point of the world on the paper. */
static void project(const double p[3], double *x, double *y) {
  *x = WIDTH / 2.0 - 20 + SCALE * p[0];
  *y = HEIGHT - 75 - SCALE * (eye_cos * p[2] + eye_sin * p[1]);
}

/* One line, broken where it turns away from the eye or towards it. */
static toi_status draw_line(toi_context *context, const toi_patch *patch, double along, bool in_u, double t) {
  bool faced = false;
  for (int i = 0; i <= SEGMENTS; i++) {
    const double s = (double)i / SEGMENTS, u = in_u ? s : along, v = in_u ? along : s;
    double point[3], normal[3], x, y;
    toi_status status = toi_patch_point(context, patch, u, v, t, point, normal);
    if (status != TOI_OK)
      return status;
    project(point, &x, &y);
    const bool faces = eye_sin * normal[2] - eye_cos * normal[1] > 0;
    if (i > 0)
      printf(" %.1f,%.1f", x, y);
    if (i > 0 && i < SEGMENTS && faces != faced)
      printf("\"/>\n");
    if (i == 0 || (i < SEGMENTS && faces != faced))
      printf("<polyline%s points=\"%.1f,%.1f", faces ? "" : " opacity=\"0.3\"", x, y);
    faced = faces;
  }
  printf("\"/>\n");
  return TOI_OK;
}

static toi_status draw_model(toi_context *context, const toi_model *model, double t, const char *colour) {
  toi_status status = TOI_OK;
  printf("<g fill=\"none\" stroke=\"%s\" stroke-width=\"0.8\">\n", colour);
  for (size_t i = 0; i < model->patch_count; i++)
    for (int k = 0; k < LINES && status == TOI_OK; k++) {
      const double along = (double)k / LINES;
      status = draw_line(context, toi_model_patch(model, i), along, true, t);
      if (status == TOI_OK)
        status = draw_line(context, toi_model_patch(model, i), along, false, t);
    }
  printf("</g>\n");
  return status;
}

/* The contact as a dot, and its place where it does not disturb the picture. */
static toi_status draw_contact(void *user, const toi_surface_hit *contact) {
  double x, y;
  (void)user;
  project(contact->point, &x, &y);
  printf("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\" fill=\"#b3261e\"/>\n", x, y);
  const double *p = contact->point;
  fprintf(stderr, "%s by t = %.9f at (%.6f, %.6f, %.6f)\n", toi_verdict_name((toi_verdict)contact->verdict),
          contact->t_hi, p[0], p[1], p[2]);
  return TOI_OK;
}

static toi_status draw(toi_context *context, toi_model *teapot, toi_model *ring, toi_model *moving) {
  static const double shift[3] = {0, 0, 4}, velocity[3] = {0, 0, -4};
  toi_surface_options options = toi_default_surface_options();
  options.simultaneity = 1e-3;
  options.spacing = 0.25;
  toi_surface_hit first = {.verdict = TOI_NEAR};
  toi_status status = toi_model_teapot(context, teapot);
  if (status == TOI_OK)
    status = toi_model_torus(context, 1.45, 0.2, ring);
  if (status == TOI_OK)
    status = toi_model_moved(context, ring, shift, velocity, moving);
  if (status == TOI_OK)
    status = toi_model_pair(context, teapot, moving, &options, &first);
  if (status != TOI_OK || first.verdict == TOI_MISS)
    return status;
  printf("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\">\n<rect width=\"%d\" height=\"%d\" "
         "fill=\"white\"/>\n",
         WIDTH, HEIGHT, WIDTH, HEIGHT);
  status = draw_model(context, teapot, first.t_hi, "#8a6d00");
  if (status == TOI_OK)
    status = draw_model(context, moving, first.t_hi, "#3b5bdb");
  if (status == TOI_OK)
    status = toi_model_contacts(context, teapot, moving, &options, &first, draw_contact, NULL);
  printf("</svg>\n");
  return status;
}

int main(void) {
  toi_context *context;
  toi_model teapot = {0}, ring = {0}, moving = {0};
  if (toi_context_create(NULL, &context) != TOI_OK)
    return 1;
  toi_status status = draw(context, &teapot, &ring, &moving);
  if (status != TOI_OK)
    fprintf(stderr, "%s: %s\n", toi_status_text(status), toi_context_error(context));
  toi_model_free(context, &moving);
  toi_model_free(context, &ring);
  toi_model_free(context, &teapot);
  toi_context_destroy(context);
  return status != TOI_OK;
}
