/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Boxes of vertices, edges and faces.
 *
 * Claim: the box of a vertex holds x(t) = x0 + t (x1 - x0) for all t in [0, t_max]. Bound: for 0 < t_max < 1 the
 * rounded x0 + t (x1 - x0) is off by at most 8 u M + 2^-1073, u = 2^-53, M the larger of |x0| and |x1|. Why: with
 * d = x1 - x0, |d| <= 2 M, the rounded difference is off by 2 u M, the product by 2 u M (1 + u) + 2^-1075, the sum by
 * u M (1 + 8 u); together less than 6 u M + 2^-1075, and subtracting the bound itself rounds by u M (1 + 16 u) at most.
 * As x(t) stays between x0 and x1, the result is clamped to that; it replaces what overflow makes of it, too.
 *
 * Growth by r > 0: one double further out than the rounded x -+ r, which is off by half a unit in its last place. */

#include "broad/boxes.h"

#include <math.h>

#include "narrow/mesh.h"
#include "number/interval.h"
#include "number/vector.h"

#define VERTEX_GRAIN 4096

/* The next double; infinity stays. */
static double beyond(double x) {
  return x < INFINITY ? toi_next_up(x) : x;
}

/* An upper bound of x(t_max) - x0 in the Euclidean norm. Claim: 2^-48 = 32 u covers the roundings. Why: a difference is
 * off by u, its quotient by the largest by 3 u, the square by 7 u, the sum of three by 9 u, its root by 6 u, and three
 * products by 3 u: below 16 u with all second orders. Quotients too small for their squares lose nothing beside the
 * sum, which is 1 at least, and what underflows at the end is less than one double. */
static double way(const double start[3], const double end[3], double t_max) {
  double d[3], most = 0;
  for (int k = 0; k < 3; k++) {
    d[k] = fabs(end[k] - start[k]);
    most = toi_larger(most, d[k]);
  }
  if (most == 0 || isinf(most))
    return most;
  double sum = 0;
  for (int k = 0; k < 3; k++)
    sum += d[k] / most * (d[k] / most);
  return beyond(most * sqrt(sum) * t_max * (1 + 0x1p-48));
}

/* The lowest and highest position of one coordinate. */
static void sweep_coordinate(double x0, double x1, double t_max, double *lo, double *hi) {
  double least = toi_smaller(x0, x1), most = toi_larger(x0, x1);
  *lo = least;
  *hi = most;
  if (t_max == 1)
    return;
  double at = x0 + t_max * (x1 - x0);
  double error = 0x1p-50 * toi_larger(-least, most) + 0x1p-1073;
  if (x1 >= x0)
    *hi = toi_smaller(most, toi_larger(x0, at + error));
  else
    *lo = toi_larger(least, toi_smaller(x0, at - error));
}

/* x - r, rounded down. */
static double lower_by(double x, double r) {
  return r > 0 && x - r > -INFINITY ? toi_next_down(x - r) : x - r;
}

static void grow(toi_swept_box *box, double r) {
  for (int k = 0; k < 3; k++) {
    box->lo[k] = lower_by(box->lo[k], r);
    box->hi[k] = -lower_by(-box->hi[k], r);
  }
}

/* All of it but the thickness. Returns whether the vertex is finite. */
static bool vertex_box(const toi_boxer *boxer, size_t number, toi_swept_box *box) {
  const toi_mesh *mesh = boxer->mesh;
  double start[3], end[3], sum = 0;
  toi_mesh_point(mesh, mesh->start, number, start);
  if (boxer->t_max > 0)
    toi_mesh_point(mesh, mesh->end, number, end);
  else
    memcpy(end, start, sizeof(end));
  for (int k = 0; k < 3; k++) {
    sweep_coordinate(start[k], end[k], boxer->t_max, &box->lo[k], &box->hi[k]);
    // Zero, unless one of them is infinite or no number.
    sum += 0 * start[k] + 0 * end[k];
  }
  if (boxer->radius > 0)
    grow(box, boxer->radius);
  if (boxer->reach > 0)
    grow(box, beyond(boxer->reach * way(start, end, boxer->t_max)));
  return sum == 0;
}

double toi_thickness_of(const toi_mesh *mesh, toi_primitive primitive, uint32_t number) {
  const uint32_t *vertices = toi_primitive_vertices(mesh, primitive, &number);
  return toi_mesh_thickest(mesh, vertices, toi_primitive_points(primitive));
}

void toi_box_of(const toi_boxer *boxer, toi_primitive primitive, uint32_t number, toi_swept_box *box) {
  const uint32_t *vertices = toi_primitive_vertices(boxer->mesh, primitive, &number);
  vertex_box(boxer, vertices[0], box);
  for (size_t i = 1; i < toi_primitive_points(primitive); i++) {
    toi_swept_box next;
    vertex_box(boxer, vertices[i], &next);
    for (int k = 0; k < 3; k++) {
      box->lo[k] = toi_smaller(box->lo[k], next.lo[k]);
      box->hi[k] = toi_larger(box->hi[k], next.hi[k]);
    }
  }
  if (toi_mesh_is_thick(boxer->mesh))
    grow(box, toi_thickness_of(boxer->mesh, primitive, number));
}

/* --- the map to floats --- */

/* The row of a box. Returns whether nothing was lost. */
static bool map_box(const toi_boxer *boxer, const toi_swept_box *box, toi_box_row row) {
  double inverse = 1 / boxer->map.scale;
  bool exact = true;
  for (int k = 0; k < 3; k++) {
    row[k] = (float)((box->lo[k] - boxer->map.centre[k]) * boxer->map.scale);
    row[4 + k] = -(float)((box->hi[k] - boxer->map.centre[k]) * boxer->map.scale);
    exact = exact && (double)row[k] * inverse + boxer->map.centre[k] == box->lo[k] &&
            -(double)row[4 + k] * inverse + boxer->map.centre[k] == box->hi[k];
  }
  row[3] = row[7] = 0;
  return exact;
}

/* --- rows --- */

typedef struct rows_job {
  const toi_boxer *boxer;
  const toi_box_set *set;
  toi_box_row *rows;
  uint8_t *exact; /* one for each chunk */
} rows_job;

static toi_status vertex_task(void *user, uint32_t thread, size_t begin, size_t end) {
  (void)thread;
  rows_job *job = user;
  bool exact = true, finite = true;
  bool thick = toi_mesh_is_thick(job->boxer->mesh);
  for (size_t i = begin; i < end; i++) {
    toi_swept_box box;
    finite = vertex_box(job->boxer, i, &box) && finite;
    if (thick)
      toi_box_of(job->boxer, TOI_PRIMITIVE_VERTEX, (uint32_t)i, &box);
    exact = map_box(job->boxer, &box, job->rows[i]) && exact;
  }
  job->exact[begin / VERTEX_GRAIN] = exact;
  return finite ? TOI_OK : TOI_ERROR_INPUT;
}

static toi_status name_bad_vertex(toi_context *context, const toi_boxer *boxer) {
  const toi_mesh *mesh = boxer->mesh;
  toi_status status = toi_mesh_finite(context, mesh, mesh->start, "start");
  // If it is not the start, the end was looked at, and is there.
  return status == TOI_OK ? toi_mesh_finite(context, mesh, mesh->end, "end") : status;
}

toi_status toi_vertex_rows(toi_context *context, toi_boxer *boxer, toi_box_row *rows) {
  size_t count = boxer->mesh->vertex_count;
  boxer->map = toi_float_map_choose(boxer->mesh);
  size_t chunks = count / VERTEX_GRAIN + 1;
  rows_job job = {.boxer = boxer, .rows = rows, .exact = toi_allocate(context, chunks)};
  if (!job.exact)
    return TOI_ERROR_MEMORY;
  toi_status status = toi_parallel(context, count, VERTEX_GRAIN, vertex_task, &job);
  // A centre other than 0 may round; and only what was mapped was looked at.
  boxer->exact = boxer->map.centre[0] == 0 && boxer->map.centre[1] == 0 && boxer->map.centre[2] == 0;
  for (size_t i = 0; i * VERTEX_GRAIN < count; i++)
    boxer->exact = boxer->exact && job.exact[i];
  toi_free(context, job.exact, chunks);
  // The boxes of thick primitives are not those of their vertices.
  if (toi_mesh_is_thick(boxer->mesh))
    boxer->exact = false;
  return status == TOI_ERROR_INPUT ? name_bad_vertex(context, boxer) : status;
}

static toi_status list_task(void *user, uint32_t thread, size_t begin, size_t end) {
  (void)thread;
  rows_job *job = user;
  bool thick = toi_mesh_is_thick(job->boxer->mesh);
  for (size_t i = begin; i < end; i++) {
    if (thick) {
      toi_swept_box box;
      toi_box_of(job->boxer, job->set->primitive, (uint32_t)i, &box);
      map_box(job->boxer, &box, job->rows[i]);
      continue;
    }
    toi_box_row made;
    memcpy(job->rows[i], toi_set_row(job->set, i, made), sizeof(made));
  }
  return TOI_OK;
}

toi_status toi_list_rows(toi_context *context, const toi_boxer *boxer, const toi_box_set *set, toi_box_row *rows) {
  rows_job job = {.boxer = boxer, .set = set, .rows = rows};
  return toi_parallel(context, set->count, VERTEX_GRAIN, list_task, &job);
}

size_t toi_primitive_count(const toi_mesh *mesh, toi_primitive primitive) {
  return primitive == TOI_PRIMITIVE_VERTEX ? mesh->vertex_count
         : primitive == TOI_PRIMITIVE_EDGE ? mesh->edge_count
                                           : mesh->face_count;
}

const char *toi_primitive_name(toi_primitive primitive) {
  static const char *const names[] = {"vertex", "edge", "face"};
  return names[primitive];
}
