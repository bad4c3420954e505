/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* A mesh in a depth buffer (raster.h), which costs a few bytes per sample whatever the mesh has; markers are drawn over
 * it as lines. */

#include "step_picture.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "paper.h"
#include "raster.h"
#include "session.h"

#define WIDTH 760
#define HEIGHT 560
#define MARGIN 24
#define CAPTION 28
#define INSET 230
/* The pair that touches takes this part of the second view. */
#define CLOSE 0.4
/* A point on a surface counts as seen if it is within this part of the scene of what is nearest. */
#define SEEN 1e-3

static const uint8_t body_colours[][3] = {{150, 175, 214}, {226, 184, 130}, {150, 199, 170},
                                          {199, 160, 190}, {190, 190, 160}, {160, 195, 205}};
enum { COLOURS = sizeof body_colours / sizeof body_colours[0] };
static const uint8_t pair_colour[3] = {224, 122, 95}, line_colour[3] = {70, 90, 130};

typedef struct shot {
  const toi_mesh *mesh;
  const toi_impact *impact; /* a miss: nothing is marked */
  double t;
  const uint32_t *groups;
  paper paper; /* of the view being drawn */
  double light[3];
  output *out;
  toi_status status;
} shot;

static void put(shot *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(shot *s, const char *format, ...) {
  char text[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  if (s->status == TOI_OK)
    s->status = output_append_text(s->out, text);
}

bool picture_eye(const char *text, double from[3]) {
  for (int k = 0; k < 3; k++) {
    char *end;
    from[k] = strtod(text, &end);
    if (end == text || *end != (k < 2 ? ',' : '\0') || !isfinite(from[k]))
      return false;
    text = end + 1;
  }
  return from[0] != 0 || from[1] != 0 || from[2] != 0;
}

/* --- the mesh --- */

static double coordinate(const toi_mesh *mesh, const void *state, size_t i) {
  return mesh->scalar == TOI_FLOAT32 ? (double)((const float *)state)[i] : ((const double *)state)[i];
}

static void vertex_at(const shot *s, uint32_t vertex, double at[3]) {
  for (size_t k = 0; k < 3; k++) {
    const size_t i = 3 * (size_t)vertex + k;
    at[k] = (1 - s->t) * coordinate(s->mesh, s->mesh->start, i) + s->t * coordinate(s->mesh, s->mesh->end, i);
  }
}

/* The vertices of the pair that touches first; their number. */
static int pair_vertices(const shot *s, uint32_t vertices[4]) {
  const toi_mesh *m = s->mesh;
  const toi_pair pair = s->impact->pair;
  int count = 0;
  const bool edges = s->impact->kind == TOI_EDGE_EDGE;
  vertices[count++] = edges ? m->edges[pair.first][0] : pair.first;
  if (edges)
    vertices[count++] = m->edges[pair.first][1];
  if (s->impact->kind == TOI_VERTEX_FACE)
    for (int k = 0; k < 3; k++)
      vertices[count++] = m->faces[pair.second][k];
  if (edges || s->impact->kind == TOI_VERTEX_EDGE)
    for (int k = 0; k < 2; k++)
      vertices[count++] = m->edges[pair.second][k];
  if (s->impact->kind == TOI_VERTEX_VERTEX)
    vertices[count++] = pair.second;
  return count;
}

/* --- views --- */

static raster_corner corner_of(const shot *s, const double at[3]) {
  raster_corner corner = {.shade = 1};
  double pixel[2];
  paper_project(&s->paper, at, pixel, &corner.nearness);
  corner.x = pixel[0];
  corner.y = pixel[1];
  return corner;
}

/* Both sides of a face are lit alike: a mesh need not be oriented. */
static double shade_of(const shot *s, const double a[3], const double b[3], const double c[3]) {
  double normal[3], length = 0, lit = 0;
  for (int k = 0; k < 3; k++) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    normal[k] = (b[i] - a[i]) * (c[j] - a[j]) - (b[j] - a[j]) * (c[i] - a[i]);
    length += normal[k] * normal[k];
    lit += normal[k] * s->light[k];
  }
  return length > 0 ? 0.45 + 0.55 * fabs(lit) / sqrt(length) : 0.45;
}

static void draw_faces(const shot *s, raster *r) {
  const bool marked = s->impact->hit.verdict != TOI_MISS && s->impact->kind == TOI_VERTEX_FACE;
  for (size_t i = 0; i < s->mesh->face_count; i++) {
    double at[3][3];
    raster_corner corners[3];
    for (int k = 0; k < 3; k++)
      vertex_at(s, s->mesh->faces[i][k], at[k]);
    const double shade = shade_of(s, at[0], at[1], at[2]);
    for (int k = 0; k < 3; k++) {
      corners[k] = corner_of(s, at[k]);
      corners[k].shade = shade;
    }
    const uint8_t *own = body_colours[s->groups != NULL ? s->groups[i] % COLOURS : 0];
    raster_triangle(r, corners, marked && s->impact->pair.second == i ? pair_colour : own);
  }
}

/* Edges: all of them close by, where each is seen; else those that the faces do not show. */
static void draw_edges(const shot *s, raster *r, bool all) {
  const double lift = 1e-4 * s->paper.size;
  if (!all && s->mesh->face_count > 0)
    return;
  for (size_t i = 0; i < s->mesh->edge_count; i++) {
    raster_corner ends[2];
    for (int k = 0; k < 2; k++) {
      double at[3];
      vertex_at(s, s->mesh->edges[i][k], at);
      ends[k] = corner_of(s, at);
      ends[k].nearness += lift;
    }
    raster_line(r, ends, line_colour);
  }
}

/* Lines of the pair that touches, over everything, and the contact with its normal. */
static void put_marks(shot *s, const raster *r, int left, int top) {
  const toi_hit *hit = &s->impact->hit;
  if (hit->verdict == TOI_MISS)
    return;
  uint32_t vertices[4];
  const int count = pair_vertices(s, vertices);
  double x[4], y[4];
  for (int i = 0; i < count; i++) {
    double at[3];
    vertex_at(s, vertices[i], at);
    const raster_corner corner = corner_of(s, at);
    x[i] = left + corner.x;
    y[i] = top + corner.y;
  }
  const int split = s->impact->kind == TOI_EDGE_EDGE ? 2 : 1;
  put(s, "<path fill=\"none\" stroke=\"#b3261e\" stroke-width=\"1.5\" d=\"");
  for (int i = 0; i < count; i++)
    put(s, "%c%.2f %.2f", i == 0 || i == split ? 'M' : 'L', x[i], y[i]);
  put(s, "%s\"/>\n", s->impact->kind == TOI_VERTEX_FACE ? "Z" : "");
  const raster_corner at = corner_of(s, hit->point);
  const bool seen = raster_nearest(r, at.x, at.y) <= at.nearness + SEEN * s->paper.size;
  double tip[3];
  for (int k = 0; k < 3; k++)
    tip[k] = hit->point[k] + 30 / s->paper.scale * hit->normal[k];
  const raster_corner end = corner_of(s, tip);
  put(s, "<path stroke=\"#b3261e\" stroke-width=\"2\" d=\"M%.2f %.2fL%.2f %.2f\"/>\n", left + at.x, top + at.y,
      left + end.x, top + end.y);
  put(s, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"5\" fill=\"%s\" stroke=\"#b3261e\" stroke-width=\"2\"/>\n", left + at.x,
      top + at.y, seen ? "#b3261e" : "none");
}

/* A view of this size, at this place of the picture. */
static int put_view(shot *s, int left, int top, bool close) {
  raster r;
  int result =
      raster_make(&r, s->paper.width, s->paper.height) ? EXIT_DONE : memory_fail("the picture", "leave --picture out");
  if (result == EXIT_DONE) {
    draw_faces(s, &r);
    draw_edges(s, &r, close);
    if (s->status == TOI_OK)
      s->status = raster_append(&r, s->out, left, top);
    if (s->status == TOI_ERROR_MEMORY)
      result = memory_fail("the picture", "leave --picture out");
    put(s, "<svg x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\">\n", left, top, s->paper.width, s->paper.height);
    put_marks(s, &r, 0, 0);
    put(s, "</svg>\n");
  }
  raster_free(&r);
  return result;
}

/* What is to be seen, in the directions of the paper. */
typedef struct window {
  double lo[2], hi[2];
} window;

static void widen(const shot *s, window *w, uint32_t vertex) {
  double at[3];
  vertex_at(s, vertex, at);
  const double place[2] = {paper_dot(s->paper.right, at), paper_dot(s->paper.up, at)};
  for (int k = 0; k < 2; k++) {
    w->lo[k] = fmin(w->lo[k], place[k]);
    w->hi[k] = fmax(w->hi[k], place[k]);
  }
}

/* The paper shows the window, with a margin; false if it is empty or infinite. */
static bool fit(paper *p, const window *w, int width, int height, double margin) {
  const double size[2] = {w->hi[0] - w->lo[0], w->hi[1] - w->lo[1]};
  const double extent = hypot(size[0], size[1]);
  if (!(extent > 0 && isfinite(extent)))
    return false;
  p->size = fmax(p->size, extent);
  p->width = width;
  p->height = height;
  p->scale =
      fmin((width - 2 * margin) / fmax(size[0], 1e-9 * extent), (height - 2 * margin) / fmax(size[1], 1e-9 * extent));
  p->x_lo = 0.5 * (w->lo[0] + w->hi[0]) - 0.5 * width / p->scale;
  p->y_hi = 0.5 * (w->lo[1] + w->hi[1]) + 0.5 * height / p->scale;
  return isfinite(p->scale) && p->scale > 0;
}

static int put_views(shot *s) {
  const window empty = {{(double)INFINITY, (double)INFINITY}, {-(double)INFINITY, -(double)INFINITY}};
  window all = empty, near = empty;
  for (size_t i = 0; i < s->mesh->vertex_count; i++)
    widen(s, &all, (uint32_t)i);
  if (!fit(&s->paper, &all, WIDTH, HEIGHT, MARGIN))
    return cli_fail("nothing to draw: the mesh has no extent; leave --picture out");
  int result = put_view(s, 0, 0, false);
  if (result != EXIT_DONE || s->impact->hit.verdict == TOI_MISS)
    return result;
  uint32_t vertices[4];
  const int count = pair_vertices(s, vertices);
  for (int i = 0; i < count; i++)
    widen(s, &near, vertices[i]);
  if (!fit(&s->paper, &near, INSET, INSET, (1 - CLOSE) / 2 * INSET))
    return EXIT_DONE;
  const int left = WIDTH, top = MARGIN;
  put(s, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"white\" stroke=\"#888\"/>\n", left, top, INSET,
      INSET);
  return put_view(s, left, top, true);
}

int picture_draw(const toi_context *context, const picture *of, const double from[3], output *out) {
  const bool miss = of->impact->hit.verdict == TOI_MISS;
  shot s = {.mesh = of->mesh, .impact = of->impact, .t = of->t, .groups = of->groups, .out = out};
  paper_look(&s.paper, from);
  for (int k = 0; k < 3; k++)
    s.light[k] = (s.paper.towards[k] + 0.5 * s.paper.up[k] - 0.4 * s.paper.right[k]) / sqrt(1.41);
  const int width = miss ? WIDTH : WIDTH + INSET + MARGIN;
  put(&s, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\">\n", width,
      HEIGHT + CAPTION, width, HEIGHT + CAPTION);
  put(&s, "<rect width=\"%d\" height=\"%d\" fill=\"white\"/>\n", width, HEIGHT + CAPTION);
  const int result = put_views(&s);
  put(&s, "<text x=\"%d\" y=\"%d\" font-family=\"sans-serif\" font-size=\"13\">%s</text>\n</svg>\n", MARGIN,
      HEIGHT + CAPTION - 9, of->caption);
  if (result != EXIT_DONE)
    return result;
  return s.status == TOI_OK ? EXIT_DONE : session_fail(context, s.status, NULL);
}

int step_draw(const stepping *asked, const toi_mesh *mesh, const toi_impact *impact, const double from[3],
              output *out) {
  const toi_hit *hit = &impact->hit;
  const bool miss = hit->verdict == TOI_MISS;
  // Obstacles are not drawn: a vertex that meets one is marked by itself.
  toi_impact shown = *impact;
  if (impact->kind == TOI_VERTEX_HALF_SPACE && !miss) {
    shown.kind = TOI_VERTEX_VERTEX;
    shown.pair.second = shown.pair.first;
  }
  char caption[128], pair[64] = "";
  if (!miss)
    snprintf(pair, sizeof pair, ": %s %u, %u", toi_kind_name(impact->kind), impact->pair.first, impact->pair.second);
  const double t = miss ? hit->t_safe : hit->t_lo;
  snprintf(caption, sizeof caption, "%s, t = %.9g%s", toi_verdict_name((toi_verdict)hit->verdict), t, pair);
  const picture of = {.mesh = mesh, .impact = &shown, .t = t, .caption = caption};
  return picture_draw(asked->context, &of, from, out);
}
