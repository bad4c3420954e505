/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* An explanation as a picture. On the left the cubic over the step: its Bernstein coefficients are the control points
 * of its own graph, so the curve is drawn exactly, with the coefficients and the roots. On the right the hull at one
 * moment in a projection: they touch then if 0, the cross, is in it. */

#include "explain.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#define WIDTH 760
#define HEIGHT 330
#define TOP 50
#define PLOT 240 /* height of both drawings */
#define LEFT 40
#define GRAPH 330 /* width of the cubic's */
#define RIGHT 470
#define HULL 240 /* width of the hull's */

/* What is appended, and how far that went. */
typedef struct drawing {
  output *out;
  toi_status status;
} drawing;

static void say(drawing *d, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void say(drawing *d, const char *format, ...) {
  char text[1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  if (d->status == TOI_OK)
    d->status = output_append_text(d->out, text);
}

double explain_moment(const explained *query) {
  const toi_explanation *e = &query->why;
  if (e->hit.verdict == TOI_HIT && e->separation > 0)
    return e->hit.t_hi;
  for (int i = 0; i < e->root_count; i++)
    if (e->roots[i].first)
      return e->roots[i].t_lo;
  return e->root_count > 0 ? e->roots[0].t_lo : (double)NAN;
}

/* --- the cubic --- */

static double graph_x(double t) {
  return LEFT + GRAPH * t;
}

static void draw_roots(drawing *d, const toi_explanation *e, double zero) {
  for (int i = 0; i < e->root_count; i++) {
    const toi_explained_root *root = &e->roots[i];
    say(d, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"5\" class=\"%s\"/>\n", graph_x(root->t_lo), zero,
        root->touching ? "contact" : "root");
    say(d, "<text x=\"%.2f\" y=\"%.2f\" class=\"small\">%.6g%s</text>\n", graph_x(root->t_lo) + 6, zero - 8, root->t_lo,
        root->multiplicity == 2   ? " (double)"
        : root->multiplicity == 3 ? " (triple)"
                                  : "");
  }
}

static void draw_cubic(drawing *d, const toi_explanation *e) {
  double lo = 0, hi = 0;
  for (int i = 0; i < 4; i++) {
    lo = fmin(lo, e->exact[i]);
    hi = fmax(hi, e->exact[i]);
  }
  const double range = hi > lo ? hi - lo : 1;
  double x[4], y[4];
  for (int i = 0; i < 4; i++) {
    x[i] = graph_x(i / 3.0);
    y[i] = TOP + PLOT * (hi - e->exact[i]) / range;
  }
  const double zero = TOP + PLOT * hi / range;
  say(d, "<path class=\"axis\" d=\"M%d %.2fH%d\"/>\n", LEFT, zero, LEFT + GRAPH);
  say(d, "<path class=\"polygon\" d=\"M%.2f %.2fL%.2f %.2fL%.2f %.2fL%.2f %.2f\"/>\n", x[0], y[0], x[1], y[1], x[2],
      y[2], x[3], y[3]);
  say(d, "<path class=\"cubic\" d=\"M%.2f %.2fC%.2f %.2f %.2f %.2f %.2f %.2f\"/>\n", x[0], y[0], x[1], y[1], x[2], y[2],
      x[3], y[3]);
  for (int i = 0; i < 4; i++) {
    const bool above = y[i] < TOP + PLOT / 2.0;
    const int shift = i == 1 ? 40 : i == 2 ? -40 : 0;
    say(d, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"3.5\" class=\"coefficient\"/>\n", x[i], y[i]);
    say(d, "<text x=\"%.2f\" y=\"%.2f\" class=\"small\" text-anchor=\"%s\">b%d = %.4g &#177; %.1g</text>\n",
        x[i] + shift, above ? y[i] - 8 : y[i] + 16, i % 2 == 0 ? "start" : "end", i, e->exact[i], e->bound[i]);
  }
  draw_roots(d, e, zero);
}

static void draw_graph(drawing *d, const explained *query) {
  const toi_explanation *e = &query->why;
  say(d, "<text x=\"%d\" y=\"28\">the cubic over the step</text>\n", LEFT);
  say(d, "<path class=\"frame\" d=\"M%d %dV%dM%d %dV%d\"/>\n", LEFT, TOP, TOP + PLOT, LEFT + GRAPH, TOP, TOP + PLOT);
  say(d, "<text x=\"%d\" y=\"%d\" class=\"small\">t = 0</text>\n", LEFT, TOP + PLOT + 34);
  say(d, "<text x=\"%d\" y=\"%d\" class=\"small\" text-anchor=\"end\">t = 1</text>\n", LEFT + GRAPH, TOP + PLOT + 34);
  if (e->cubic_defined && !e->cubic_zero && isfinite(e->exact[0] + e->exact[1] + e->exact[2] + e->exact[3])) {
    draw_cubic(d, e);
    return;
  }
  const double zero = TOP + PLOT / 2.0;
  say(d, "<path class=\"axis\" d=\"M%d %.2fH%d\"/>\n", LEFT, zero, LEFT + GRAPH);
  say(d, "<text x=\"%d\" y=\"%.2f\" class=\"small\">%s</text>\n", LEFT + 12, zero + 40,
      e->cubic_defined ? "0 at all times: times of the boundary instead" : "none for this kind: times of the boundary");
  draw_roots(d, e, zero);
}

/* --- the hull --- */

/* The corners at a time: differences of points, as toi/explain.h has them. */
static int corners_at(const explained *query, double t, double corner[4][3]) {
  static const int pairs[TOI_KIND_COUNT][4][2] = {
      {{0, 1}, {0, 2}, {0, 3}, {0, 0}}, {{0, 2}, {1, 2}, {1, 3}, {0, 3}}, {{0, 1}, {0, 2}, {0, 0}, {0, 0}}, {{0, 1}}};
  const int count = query->why.corner_count;
  for (int k = 0; k < count; k++)
    for (int axis = 0; axis < 3; axis++) {
      const int *own = pairs[query->kind][k];
      const double start = query->points[0][own[0]][axis] - query->points[0][own[1]][axis];
      const double end = query->points[1][own[0]][axis] - query->points[1][own[1]][axis];
      corner[k][axis] = (1 - t) * start + t * end;
    }
  return count;
}

/* The axis along which most of the hull is seen; the least, if it is the gap beside it that counts. */
static int viewing_axis(const double corner[4][3], int count, bool gap) {
  double best = -(double)INFINITY;
  int chosen = 2;
  for (int axis = 2; axis >= 0; axis--) {
    const int i = (axis + 1) % 3, j = (axis + 2) % 3;
    double area = 0, extent = 0;
    for (int k = 0; k < count; k++) {
      const double *p = corner[k], *q = corner[(k + 1) % count];
      area += p[i] * q[j] - p[j] * q[i];
      extent = fmax(extent, fabs(q[i] - p[i]) + fabs(q[j] - p[j]));
    }
    const double seen = fabs(area) > 0 ? fabs(area) : extent * DBL_MIN;
    if ((gap ? -seen : seen) > best) {
      best = gap ? -seen : seen;
      chosen = axis;
    }
  }
  return chosen;
}

/* Where a point of the projection is drawn: 0 and all corners fit. */
typedef struct frame {
  double centre[2], scale;
} frame;

static frame frame_of(const double (*corner)[3], int count, int axis, double reach) {
  const int plane[2] = {(axis + 1) % 3, (axis + 2) % 3};
  double lo[2] = {-reach, -reach}, hi[2] = {reach, reach}, size = 0;
  frame f;
  for (int i = 0; i < 2; i++) {
    for (int k = 0; k < count; k++) {
      lo[i] = fmin(lo[i], corner[k][plane[i]]);
      hi[i] = fmax(hi[i], corner[k][plane[i]]);
    }
    f.centre[i] = 0.5 * (lo[i] + hi[i]);
    size = fmax(size, hi[i] - lo[i]);
  }
  f.scale = size > 0 ? 0.8 * HULL / size : 1;
  return f;
}

static double frame_x(const frame *f, double x) {
  return RIGHT + HULL / 2.0 + f->scale * (x - f->centre[0]);
}

static double frame_y(const frame *f, double y) {
  return TOP + PLOT / 2.0 - f->scale * (y - f->centre[1]);
}

static void draw_hull(drawing *d, const explained *query) {
  static const char *const names[TOI_KIND_COUNT][4] = {
      {"v&#8722;f0", "v&#8722;f1", "v&#8722;f2", ""},
      {"ea0&#8722;eb0", "ea1&#8722;eb0", "ea1&#8722;eb1", "ea0&#8722;eb1"},
      {"v&#8722;e0", "v&#8722;e1", "", ""},
      {"a&#8722;b", "", "", ""}};
  static const char letters[] = "xyz";
  const double moment = explain_moment(query), t = isnan(moment) ? 0.5 : moment, reach = query->why.separation;
  double corner[4][3];
  const int count = corners_at(query, t, corner);
  const int axis = viewing_axis((const double(*)[3])corner, count, reach > 0), i = (axis + 1) % 3, j = (axis + 2) % 3;
  const frame f = frame_of((const double(*)[3])corner, count, axis, reach);
  say(d, "<text x=\"%d\" y=\"28\">the hull at t = %.6g, seen along %c</text>\n", RIGHT, t, letters[axis]);
  if (reach > 0)
    say(d, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"%.2f\" class=\"reach\"/>\n", frame_x(&f, 0), frame_y(&f, 0),
        f.scale * reach);
  say(d, "<path class=\"hull\" d=\"");
  for (int k = 0; k < count; k++)
    say(d, "%c%.2f %.2f", k ? 'L' : 'M', frame_x(&f, corner[k][i]), frame_y(&f, corner[k][j]));
  say(d, "Z\"/>\n");
  for (int k = 0; k < count; k++) {
    const double x = frame_x(&f, corner[k][i]), y = frame_y(&f, corner[k][j]);
    const bool right = x > RIGHT + HULL / 2.0;
    say(d, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"3\" class=\"coefficient\"/>\n", x, y);
    say(d, "<text x=\"%.2f\" y=\"%.2f\" class=\"small\" text-anchor=\"%s\">%s</text>\n", x + (right ? 6 : -6), y - 6,
        right ? "start" : "end", names[query->kind][k]);
  }
  const double x = frame_x(&f, 0), y = frame_y(&f, 0);
  say(d, "<path class=\"origin\" d=\"M%.2f %.2fH%.2fM%.2f %.2fV%.2f\"/>\n", x - 8, y, x + 8, x, y - 8, y + 8);
}

toi_status explain_draw(const explained *query, output *out) {
  drawing d = {.out = out, .status = TOI_OK};
  const toi_hit *hit = &query->why.hit;
  say(&d,
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" "
      "font-family=\"sans-serif\" font-size=\"14\">\n",
      WIDTH, HEIGHT, WIDTH, HEIGHT);
  say(&d, "<style>.axis{stroke:#888}.frame{stroke:#ccc}.polygon{stroke:#7a9cc6;stroke-dasharray:4 3;fill:none}"
          ".cubic{stroke:#1f4e8c;stroke-width:2;fill:none}.coefficient{fill:#1f4e8c}.contact{fill:#c0392b}"
          ".root{fill:#fff;stroke:#c0392b;stroke-width:2}.hull{fill:#dfe9f5;stroke:#1f4e8c;stroke-width:1.5}"
          ".reach{fill:none;stroke:#c0392b;stroke-dasharray:3 3}.origin{stroke:#c0392b;stroke-width:2}"
          ".small{font-size:11px}text{fill:#222}</style>\n");
  say(&d, "<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n", WIDTH, HEIGHT);
  draw_graph(&d, query);
  draw_hull(&d, query);
  say(&d, "<text x=\"%d\" y=\"%d\" class=\"small\" text-anchor=\"end\">%s, decided by %s</text>\n", WIDTH - 16,
      HEIGHT - 8, toi_verdict_name((toi_verdict)hit->verdict), toi_level_name((toi_level)hit->level));
  say(&d, "</svg>\n");
  return d.status;
}
