/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* `toi contact --picture`: the scene at its first contact as SVG, seen from far away. Bodies are shaded, hidden parts
 * hidden, as an image below the lines of their parameters, which are pale where they are hidden; dots are contacts:
 * full if proved, hollow if not.
 *
 * Coordinates are tenths of a pixel, each as the distance from the one before. */

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "contact_paper.h"
#include "memory.h"
#include "session.h"

#define UNITS 10.0 /* of a pixel */
#define WIDTH 760
#define HEIGHT_MAX 560
#define MARGIN 28
#define CAPTION 24
#define DEVIATION 2.0 /* in units: how far a line may be off what it stands for */
#define TEXT_BYTES 512

static const char *const colours[] = {"#3b5bdb", "#8a6d00", "#2b8a3e", "#9c36b5", "#0b7285", "#c2410c"};

#define COLOURS (sizeof colours / sizeof colours[0])

/* The same, pale, for the surfaces. */
static const uint8_t tints[][3] = {{204, 213, 246}, {236, 225, 186}, {200, 226, 206},
                                   {231, 205, 237}, {194, 221, 226}, {244, 210, 194}};

typedef struct picture {
  const contact_scene *scene;
  const contact_answer *answer;
  wires w;
  paper paper;
  depth_map depths;
  output *out;
  toi_status status;
} picture;

/* --- text --- */

static void put(picture *p, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void put(picture *p, const char *format, ...) {
  char text[TEXT_BYTES];
  va_list arguments;
  va_start(arguments, format);
  const int length = vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  if (p->status == TOI_OK && length > 0)
    p->status = output_append_text(p->out, text);
}

/* A name with what has a meaning in SVG written out. */
static void put_name(picture *p, const char *name) {
  for (const char *c = name; *c != '\0'; c++)
    if (*c == '<' || *c == '&')
      put(p, "&#%d;", *c);
    else if ((unsigned char)*c >= ' ')
      put(p, "%c", *c);
}

/* --- the eye --- */

/* The paper is as large as what is drawn on it. */
static bool fit(paper *p, const wires *w) {
  double x_lo = (double)INFINITY, x_hi = -x_lo, y_lo = x_lo, y_hi = -x_lo;
  for (size_t i = 0; i < w->point_count; i++) {
    const double x = paper_dot(p->right, w->points[i].at), y = paper_dot(p->up, w->points[i].at);
    x_lo = fmin(x_lo, x);
    x_hi = fmax(x_hi, x);
    y_lo = fmin(y_lo, y);
    y_hi = fmax(y_hi, y);
  }
  const double width = x_hi - x_lo, height = y_hi - y_lo;
  p->size = hypot(width, height);
  if (!(width > 0 && height > 0 && isfinite(p->size)))
    return false;
  p->scale = fmin((WIDTH - 2 * MARGIN) / width, (HEIGHT_MAX - 2 * MARGIN) / height);
  p->x_lo = x_lo - (WIDTH / p->scale - width) / 2;
  p->y_hi = y_hi + MARGIN / p->scale;
  p->width = WIDTH;
  p->height = (int)ceil(height * p->scale) + 2 * MARGIN + CAPTION;
  return isfinite(p->scale);
}

/* In units of the file. */
static void project(const picture *p, const double at[3], double *x, double *y) {
  double pixel[2], nearness;
  paper_project(&p->paper, at, pixel, &nearness);
  *x = UNITS * pixel[0];
  *y = UNITS * pixel[1];
}

/* What faces away on a solid is hidden by the rest of it. False if memory ran out. */
static bool find_hidden(picture *p) {
  for (size_t i = 0; i < p->w.surface_count; i++)
    if (!depth_map_put(&p->depths, &p->w.surfaces[i], tints[p->w.surfaces[i].body % COLOURS]))
      return false;
  for (size_t i = 0; i < p->w.count; i++) {
    const wire *line = &p->w.lines[i];
    for (size_t k = line->first; k < line->first + line->count; k++) {
      wire_point *point = &p->w.points[k];
      const bool away = line->solid && paper_dot(p->paper.towards, point->normal) < 0;
      point->hidden = away || depth_map_hides(&p->depths, point->at);
    }
  }
  return true;
}

/* --- lines --- */

/* The part of a line from a point to the next. */
static bool is_hidden(const picture *p, size_t point) {
  return p->w.points[point].hidden && p->w.points[point + 1].hidden;
}

/* Whether all points between two lie close to the straight line from one to the other. */
static bool is_straight(const picture *p, size_t from, size_t to) {
  double x0, y0, x1, y1;
  project(p, p->w.points[from].at, &x0, &y0);
  project(p, p->w.points[to].at, &x1, &y1);
  const double dx = x1 - x0, dy = y1 - y0, length = hypot(dx, dy);
  for (size_t i = from + 1; i < to; i++) {
    double x, y;
    project(p, p->w.points[i].at, &x, &y);
    const double ahead = length > 0 ? ((x - x0) * dx + (y - y0) * dy) / length : 0;
    const double off = length > 0 ? fabs((x - x0) * dy - (y - y0) * dx) / length : hypot(x - x0, y - y0);
    if (off > DEVIATION || ahead < -DEVIATION || ahead > length + DEVIATION)
      return false;
  }
  return true;
}

/* A stretch, with as few points as it takes. */
static void put_stretch(picture *p, size_t from, size_t to) {
  double x, y;
  project(p, p->w.points[from].at, &x, &y);
  long last_x = lround(x), last_y = lround(y);
  put(p, "M%ld %ldl", last_x, last_y);
  for (size_t at = from; at < to;) {
    size_t next = at + 1;
    while (next < to && is_straight(p, at, next + 1))
      next++;
    project(p, p->w.points[next].at, &x, &y);
    const long here_x = lround(x), here_y = lround(y), dx = here_x - last_x, dy = here_y - last_y;
    put(p, at == from || dx < 0 ? "%ld" : " %ld", dx);
    put(p, dy < 0 ? "%ld" : " %ld", dy);
    last_x = here_x;
    last_y = here_y;
    at = next;
  }
}

/* The stretches of a line that are hidden, or those that are not. */
static void put_line(picture *p, const wire *line, bool hidden) {
  const size_t end = line->first + line->count;
  for (size_t from = line->first; from + 1 < end;) {
    size_t to = from + 1;
    const bool here = is_hidden(p, from);
    while (to + 1 < end && is_hidden(p, to) == here)
      to++;
    if (here == hidden)
      put_stretch(p, from, to);
    from = to;
  }
}

static void put_body(picture *p, uint32_t body, bool hidden) {
  put(p, "<path stroke=\"%s\"%s d=\"", colours[body % COLOURS], hidden ? " opacity=\".12\"" : "");
  for (size_t i = 0; i < p->w.count; i++)
    if (p->w.lines[i].body == body)
      put_line(p, &p->w.lines[i], hidden);
  put(p, "\"/>\n");
}

/* --- the whole --- */

static void put_contacts(picture *p) {
  for (size_t i = 0; i < p->answer->count; i++) {
    const toi_contact_point *c = &p->answer->contacts[i];
    double x, y;
    project(p, c->point, &x, &y);
    put(p, "<circle cx=\"%.0f\" cy=\"%.0f\" r=\"%d\" fill=\"%s\" stroke=\"#b3261e\"%s/>\n", x, y,
        c->certificate == TOI_CONTACT_UNIQUE ? 45 : 30, c->proved ? "#b3261e" : "white",
        depth_map_hides(&p->depths, c->point) ? " opacity=\".5\"" : "");
  }
}

static void put_caption(picture *p, double t) {
  const toi_contact_answer *found = &p->answer->found;
  put(p, "<text x=\"%d\" y=\"%d\" font-family=\"sans-serif\" font-size=\"13\">", MARGIN, p->paper.height - 10);
  for (size_t i = 0; i < p->scene->count && i < COLOURS; i++) {
    put(p, "<tspan fill=\"%s\">", colours[i]);
    put_name(p, p->scene->names[i]);
    put(p, "</tspan>&#160; ");
  }
  put(p, "%s, t = %.9g", toi_verdict_name(found->verdict), t);
  if (p->answer->count > 0)
    put(p, ", <tspan fill=\"#b3261e\">%zu contact%s</tspan>", p->answer->count, p->answer->count == 1 ? "" : "s");
  put(p, "</text>\n</svg>\n");
}

static void put_picture(picture *p, double t) {
  put(p, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\">\n", WIDTH, p->paper.height);
  put(p, "<rect width=\"%d\" height=\"%d\" fill=\"white\"/>\n", WIDTH, p->paper.height);
  if (p->status == TOI_OK)
    p->status = raster_append(&p->depths.image, p->out, 0, 0);
  put(p, "<g transform=\"scale(.1)\" fill=\"none\" stroke-width=\"7\">\n");
  for (int seen = 0; seen < 2; seen++)
    for (size_t i = 0; i < p->scene->count; i++)
      put_body(p, (uint32_t)i, seen == 0);
  put_contacts(p);
  put(p, "</g>\n");
  put_caption(p, t);
}

int contact_draw(const contact_scene *scene, const contact_answer *answer, const double from[3], output *out) {
  const toi_contact_answer *found = &answer->found;
  const double t = found->verdict == TOI_MISS ? found->t_safe : found->t_lo;
  picture p = {.scene = scene, .answer = answer, .out = out};
  int result = wires_make(scene, t, &p.w);
  if (result == EXIT_DONE) {
    paper_look(&p.paper, from);
    result = fit(&p.paper, &p.w) ? EXIT_DONE
                                 : cli_fail("%s: nothing to draw at t = %g; leave --picture out", scene->name, t);
  }
  if (result == EXIT_DONE && (!depth_map_make(&p.paper, p.w.surface_count, &p.depths) || !find_hidden(&p)))
    result = memory_fail("the picture", "leave --picture out");
  if (result == EXIT_DONE) {
    put_picture(&p, t);
    if (p.status == TOI_ERROR_MEMORY)
      result = memory_fail("the picture", "leave --picture out");
    else
      result = p.status == TOI_OK ? EXIT_DONE : session_fail(scene->context, p.status, NULL);
  }
  depth_map_free(&p.depths);
  wires_free(&p.w);
  return result;
}
