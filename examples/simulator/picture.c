/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Draws a frame as SVG: shaded triangles, those behind first, hidden ones left out. The piece of the mesh that holds
 * vertex 0, the cloth, has another colour than the rest.
 *
 *   picture FRAME.ply PICTURE.svg [FROM_X FROM_Y FROM_Z]
 */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <toi/toi.h>

#include "common.h"
#include "vector.h"

#define SIZE 640  /* units of the longer side */
#define CELLS 960 /* pixels per side of the buffer that finds what is visible */
#define SHADES 12

typedef struct drawing {
  toi_frame frame;
  double (*at)[3]; /* of each vertex: right and down in units of the picture, and towards the viewer */
  double size[2];  /* of the picture */
  bool *cloth;     /* of each vertex */
  size_t *order;   /* faces, those behind first */
  bool *visible;
} drawing;

/* --- the view --- */

static void unit(double a[3]) {
  const double length = norm(a);
  for (int k = 0; k < 3; k++)
    a[k] /= length;
}

static void vertex_of(const toi_frame *f, size_t i, double x[3]) {
  for (size_t k = 0; k < 3; k++)
    x[k] =
        f->scalar == TOI_FLOAT64 ? ((const double *)f->vertices)[3 * i + k] : ((const float *)f->vertices)[3 * i + k];
}

/* A parallel projection from the direction `from`, scaled to fill the picture. */
static void project(drawing *d, const double from[3]) {
  const double up[3] = {0, 0, 1};
  double forward[3] = {from[0], from[1], from[2]}, right[3], top[3], lo[2] = {INFINITY, INFINITY};
  double hi[2] = {-INFINITY, -INFINITY}, x[3];
  unit(forward);
  cross(up, forward, right);
  unit(right);
  cross(forward, right, top);
  for (size_t i = 0; i < d->frame.vertex_count; i++) {
    vertex_of(&d->frame, i, x);
    const double at[3] = {dot(x, right), -dot(x, top), dot(x, forward)};
    memcpy(d->at[i], at, sizeof at);
    for (int k = 0; k < 2; k++) {
      lo[k] = fmin(lo[k], at[k]);
      hi[k] = fmax(hi[k], at[k]);
    }
  }
  const double scale = (SIZE - 4) / fmax(hi[0] - lo[0], hi[1] - lo[1]);
  for (size_t i = 0; i < d->frame.vertex_count; i++) {
    for (int k = 0; k < 2; k++)
      d->at[i][k] = 2 + scale * (d->at[i][k] - lo[k]);
    d->at[i][2] *= scale;
  }
  for (int k = 0; k < 2; k++)
    d->size[k] = 4 + scale * (hi[k] - lo[k]);
}

/* The piece of vertex 0: passes over the faces until no vertex joins it any more. */
static void find_cloth(drawing *d) {
  bool more = true;
  d->cloth[0] = true;
  while (more) {
    more = false;
    for (size_t i = 0; i < d->frame.face_count; i++) {
      const uint32_t *v = d->frame.faces[i];
      const bool any = d->cloth[v[0]] || d->cloth[v[1]] || d->cloth[v[2]];
      for (int k = 0; any && k < 3; k++) {
        more = more || !d->cloth[v[k]];
        d->cloth[v[k]] = true;
      }
    }
  }
}

/* --- what is visible --- */

static double twice_area(const double a[3], const double b[3], double x, double y) {
  return (b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]);
}

/* The cells that the triangle covers in front of what is there already. */
static void cover(const drawing *d, size_t face, double *depth, uint32_t *owner) {
  const uint32_t *v = d->frame.faces[face];
  const double *a = d->at[v[0]], *b = d->at[v[1]], *c = d->at[v[2]], ratio = (double)CELLS / SIZE;
  const double whole = twice_area(a, b, c[0], c[1]);
  const int x0 = (int)(fmin(a[0], fmin(b[0], c[0])) * ratio), x1 = (int)(fmax(a[0], fmax(b[0], c[0])) * ratio);
  const int y0 = (int)(fmin(a[1], fmin(b[1], c[1])) * ratio), y1 = (int)(fmax(a[1], fmax(b[1], c[1])) * ratio);
  for (int y = y0; y <= y1 && y < CELLS; y++)
    for (int x = x0; x <= x1 && x < CELLS; x++) {
      const double px = (x + 0.5) / ratio, py = (y + 0.5) / ratio;
      const double u = twice_area(b, c, px, py) / whole, w = twice_area(c, a, px, py) / whole;
      if (!(u >= 0 && w >= 0 && u + w <= 1))
        continue;
      const double z = u * a[2] + w * b[2] + (1 - u - w) * c[2];
      const size_t cell = (size_t)y * CELLS + (size_t)x;
      if (z > depth[cell]) {
        depth[cell] = z;
        owner[cell] = (uint32_t)face + 1;
      }
    }
}

static void find_visible(drawing *d) {
  const size_t cells = (size_t)CELLS * CELLS;
  double *depth = take(cells, sizeof *depth);
  uint32_t *owner = take(cells, sizeof *owner);
  for (size_t i = 0; i < cells; i++)
    depth[i] = -INFINITY;
  for (size_t i = 0; i < d->frame.face_count; i++)
    cover(d, i, depth, owner);
  for (size_t i = 0; i < cells; i++)
    if (owner[i] > 0)
      d->visible[owner[i] - 1] = true;
  free(depth);
  free(owner);
}

/* --- drawing --- */

/* The light comes from the upper left; both sides of a face are lit. */
static int shade_of(const drawing *d, size_t face) {
  const double light[3] = {-0.45, -0.6, 0.66};
  const uint32_t *v = d->frame.faces[face];
  double a[3], b[3], n[3];
  subtract(d->at[v[1]], d->at[v[0]], a);
  subtract(d->at[v[2]], d->at[v[0]], b);
  cross(a, b, n);
  const double length = norm(n), cosine = length > 0 ? dot(n, light) / length * (n[2] < 0 ? -1 : 1) : 0;
  const int shade = (int)(SHADES * (0.5 + 0.5 * cosine));
  return shade < 0 ? 0 : shade >= SHADES ? SHADES - 1 : shade;
}

typedef struct depth_key {
  double depth;
  size_t face;
} depth_key;

static int compare_depths(const void *a, const void *b) {
  const depth_key *p = a, *q = b;
  if (p->depth != q->depth)
    return p->depth < q->depth ? -1 : 1;
  return p->face < q->face ? -1 : p->face > q->face;
}

static size_t sort_faces(drawing *d) {
  depth_key *keys = take(d->frame.face_count, sizeof *keys);
  size_t count = 0;
  for (size_t i = 0; i < d->frame.face_count; i++) {
    const uint32_t *v = d->frame.faces[i];
    if (d->visible[i])
      keys[count++] = (depth_key){d->at[v[0]][2] + d->at[v[1]][2] + d->at[v[2]][2], i};
  }
  qsort(keys, count, sizeof *keys, compare_depths);
  for (size_t i = 0; i < count; i++)
    d->order[i] = keys[i].face;
  free(keys);
  return count;
}

/* A class for each shade of both colours, from dark to bright, with lines that close the gaps between triangles. */
static void write_style(const drawing *d, FILE *file) {
  static const int cloth[2][3] = {{30, 60, 110}, {190, 215, 245}}, other[2][3] = {{105, 80, 45}, {245, 220, 180}};
  fprintf(file, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\"><style>path{stroke-width:.6}",
          d->size[0], d->size[1]);
  for (int i = 0; i < 2 * SHADES; i++) {
    const int(*colour)[3] = i < SHADES ? cloth : other;
    const double part = (double)(i % SHADES) / (SHADES - 1);
    int c[3];
    for (int k = 0; k < 3; k++)
      c[k] = (int)lround(colour[0][k] + part * (colour[1][k] - colour[0][k]));
    fprintf(file, ".%c{fill:#%02x%02x%02x;stroke:#%02x%02x%02x}", 'a' + i, c[0], c[1], c[2], c[0], c[1], c[2]);
  }
  fprintf(file, "</style>\n");
}

/* Whole numbers, each corner from the one before. */
static void write_face(const drawing *d, size_t face, FILE *file) {
  long last[2] = {0, 0};
  for (int i = 0; i < 3; i++) {
    const double *at = d->at[d->frame.faces[face][i]];
    const long x = lround(at[0]), y = lround(at[1]);
    fprintf(file, "%s%ld%s%ld",
            i == 0        ? "M"
            : i == 1      ? "l"
            : x < last[0] ? ""
                          : " ",
            x - last[0], y < last[1] ? "" : " ", y - last[1]);
    last[0] = x;
    last[1] = y;
  }
  fputc('z', file);
}

static void draw(drawing *d, FILE *file) {
  write_style(d, file);
  const size_t count = sort_faces(d);
  int last = -1;
  for (size_t i = 0; i < count; i++) {
    const int colour = shade_of(d, d->order[i]) + (d->cloth[d->frame.faces[d->order[i]][0]] ? 0 : SHADES);
    if (colour != last)
      fprintf(file, "%s<path class=\"%c\" d=\"", last < 0 ? "" : "\"/>\n", 'a' + colour);
    last = colour;
    write_face(d, d->order[i], file);
  }
  fprintf(file, "%s</svg>\n", last < 0 ? "" : "\"/>\n");
}

int main(int count, char **arguments) {
  toi_context *context;
  drawing d = {0};
  if (count != 3 && count != 6) {
    fputs("usage: picture FRAME.ply PICTURE.svg [FROM_X FROM_Y FROM_Z]\n", stderr);
    return 2;
  }
  double from[3] = {1, -2, 1};
  for (int k = 0; count == 6 && k < 3; k++)
    from[k] = strtod(arguments[3 + k], NULL);
  if (toi_context_create(NULL, &context) != TOI_OK || toi_frame_read(context, arguments[1], &d.frame) != TOI_OK) {
    fprintf(stderr, "picture: %s\n", toi_context_error(context));
    toi_context_destroy(context);
    return 2;
  }
  d.at = take(d.frame.vertex_count, sizeof *d.at);
  d.cloth = take(d.frame.vertex_count, sizeof *d.cloth);
  d.order = take(d.frame.face_count, sizeof *d.order);
  d.visible = take(d.frame.face_count, sizeof *d.visible);
  project(&d, from);
  find_cloth(&d);
  find_visible(&d);
  FILE *file = fopen(arguments[2], "w");
  if (file != NULL)
    draw(&d, file);
  const bool fine = file != NULL && fclose(file) == 0;
  if (!fine)
    fprintf(stderr, "picture: %s cannot be written\n", arguments[2]);
  toi_frame_free(context, &d.frame);
  toi_context_destroy(context);
  free(d.at);
  free(d.cloth);
  free(d.order);
  free(d.visible);
  return fine ? 0 : 2;
}
