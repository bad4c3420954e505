/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The figures as a picture: a line for each set and question, a dot for each method, time on a logarithmic scale. */

#include "bench.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "name.h"

#define WIDTH 760
#define LEFT 230  /* where the scale begins */
#define RIGHT 730 /* where it ends */
#define TOP 60
#define LINE 30 /* from one set to the next */
#define KEY 20  /* from one line of the key to the next */
#define KEYS 3  /* methods on a line of the key */
#define LABEL 32
#define NAME 96

static const char *const colours[] = {"#0a7d3c", "#1c7ed6", "#b3261e", "#8a6d00", "#6741d9",
                                      "#c2255c", "#0b7285", "#5c940d", "#495057", "#e8590c"};
enum { COLOURS = sizeof colours / sizeof colours[0] };

/* What is drawn, on which scale, and how far that went. */
typedef struct plot {
  const bench_result *result;
  size_t questions, methods; /* entry q * methods + m asks question q of method m */
  int first, last;           /* powers of ten at the ends, in nanoseconds */
  output *out;
  toi_status status;
} plot;

static void say(plot *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void say(plot *p, const char *format, ...) {
  char text[1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  if (p->status == TOI_OK)
    p->status = output_append_text(p->out, text);
}

static double mean_of(const plot *p, size_t set, size_t number) {
  const tally *t = &p->result->tallies[set * p->result->contest->count + number];
  return t->queries > 0 ? mean_ns(t->seconds, t->queries) : (double)NAN;
}

/* Whole powers of ten around all times. */
static void find_scale(plot *p) {
  double least = INFINITY, most = 0;
  for (size_t i = 0; i < p->result->sets->count * p->result->contest->count; i++) {
    const double ns = mean_of(p, i / p->result->contest->count, i % p->result->contest->count);
    if (ns > 0 && isfinite(ns)) {
      least = fmin(least, ns);
      most = fmax(most, ns);
    }
  }
  p->first = isfinite(least) ? (int)floor(log10(least)) : 0;
  p->last = isfinite(least) ? (int)ceil(log10(most)) : 1;
  p->last = p->last > p->first ? p->last : p->first + 1;
}

static double place(const plot *p, double ns) {
  return LEFT + (RIGHT - LEFT) * (log10(ns) - p->first) / (p->last - p->first);
}

/* A name as text of XML. */
static const char *escaped(const char *name, char text[NAME]) {
  char shown[LABEL];
  name_write(name, shown, sizeof shown);
  size_t to = 0;
  for (const char *c = shown; *c != '\0'; c++) {
    const char *entity = *c == '<' ? "&lt;" : *c == '&' ? "&amp;" : NULL;
    to += (size_t)snprintf(text + to, NAME - to, entity != NULL ? "%s" : "%.1s", entity != NULL ? entity : c);
    if (to >= NAME - 8)
      break;
  }
  return text;
}

static void draw_scale(plot *p, int bottom) {
  static const char *const units[] = {"ns", "µs", "ms", "s"};
  for (int power = p->first; power <= p->last; power++) {
    const double x = place(p, pow(10, power));
    const int unit = power < 0 ? 0 : power / 3 > 3 ? 3 : power / 3;
    say(p, "<path d=\"M%.1f %dV%d\" stroke=\"#ddd\"/>", x, TOP - 14, bottom);
    say(p, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\" fill=\"#555\">%g %s</text>\n", x, bottom + 16,
        pow(10, power - 3 * unit), units[unit]);
  }
}

/* One set under one question: its name, and the methods' times, the first method last, so that it is on top. */
static void draw_line(plot *p, size_t set, size_t question, int y) {
  char text[NAME], separation[CELL] = "";
  const entry *entries = &p->result->contest->entries[question * p->methods];
  if (p->result->separations)
    bench_separation(separation, &entries->options);
  say(p, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s%s%s</text>", LEFT - 10, y + 4,
      escaped(p->result->sets->items[set].name, text), separation[0] != '\0' ? ", " : "", separation);
  say(p, "<path d=\"M%d %dH%d\" stroke=\"#eee\"/>\n", LEFT, y, RIGHT);
  for (size_t m = p->methods; m-- > 0;) {
    const double ns = mean_of(p, set, question * p->methods + m);
    if (ns > 0 && isfinite(ns))
      say(p, "<circle cx=\"%.1f\" cy=\"%d\" r=\"%d\" fill=\"%s\"><title>%s: %.3g ns</title></circle>\n", place(p, ns),
          y, m == 0 ? 7 : 5, colours[m % COLOURS], escaped(entries[m].options.method, text), ns);
  }
}

static void draw_key(plot *p, int y) {
  for (size_t m = 0; m < p->methods; m++) {
    char text[NAME];
    const int x = 20 + (int)(m % KEYS) * 240, line = y + (int)(m / KEYS) * KEY;
    say(p, "<circle cx=\"%d\" cy=\"%d\" r=\"%d\" fill=\"%s\"/>", x + 6, line - 4, m == 0 ? 7 : 5, colours[m % COLOURS]);
    say(p, "<text x=\"%d\" y=\"%d\">%s</text>\n", x + 20, line,
        escaped(p->result->contest->entries[m].options.method, text));
  }
}

toi_status bench_draw(const bench_result *result, size_t questions, output *out) {
  plot p = {.result = result, .questions = questions, .methods = result->contest->count / questions, .out = out};
  const int lines = (int)(result->sets->count * questions), bottom = TOP + LINE * lines - 10;
  const int height = bottom + 44 + KEY * (int)((p.methods + KEYS - 1) / KEYS);
  find_scale(&p);
  say(&p,
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"12\">\n",
      WIDTH, height);
  say(&p, "<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n", WIDTH, height);
  say(&p, "<text x=\"20\" y=\"24\" font-size=\"15\" font-weight=\"bold\">%s</text>\n",
      "Mean time per query, one thread, logarithmic scale");
  draw_scale(&p, bottom);
  for (int i = 0; i < lines; i++)
    draw_line(&p, (size_t)i / questions, (size_t)i % questions, TOP + LINE * i);
  draw_key(&p, bottom + 44);
  say(&p, "</svg>\n");
  return p.status;
}
