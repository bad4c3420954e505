/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* A depth buffer, and what it holds as a PNG in base64, compressed row by row. */

#include "raster.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#define ZLIB_CONST
#include <zlib.h>

#include "base64.h"
#include "memory.h"

#define STEPS 96.0 /* of shade */

/* --- drawing --- */

bool raster_make(raster *r, int width, int height) {
  *r = (raster){.width = width, .height = height, .columns = width * RASTER_SAMPLES, .rows = height * RASTER_SAMPLES};
  const size_t count = (size_t)r->columns * (size_t)r->rows;
  r->depth = memory_allocate(count * sizeof *r->depth);
  r->colour = memory_zeroed(count, sizeof *r->colour);
  for (size_t i = 0; r->depth != NULL && i < count; i++)
    r->depth[i] = -INFINITY;
  return r->depth != NULL && r->colour != NULL;
}

void raster_free(raster *r) {
  memory_free(r->depth);
  memory_free(r->colour);
  *r = (raster){0};
}

static uint8_t shaded(uint8_t colour, double shade) {
  // In steps too small to be seen: the image packs better.
  const double value = colour * round(STEPS * (shade < 0 ? 0 : shade > 1 ? 1 : shade)) / STEPS;
  return (uint8_t)(value + 0.5);
}

void raster_sample(raster *r, int column, int row, const raster_corner *at, const uint8_t colour[3]) {
  const size_t i = (size_t)row * (size_t)r->columns + (size_t)column;
  if (!((float)at->nearness > r->depth[i]))
    return;
  r->depth[i] = (float)at->nearness;
  for (int k = 0; k < 3; k++)
    r->colour[i][k] = shaded(colour[k], at->shade);
}

static double least(double a, double b, double c) {
  return fmin(a, fmin(b, c));
}

static double largest(double a, double b, double c) {
  return fmax(a, fmax(b, c));
}

void raster_triangle(raster *r, const raster_corner corners[3], const uint8_t colour[3]) {
  raster_corner a = corners[0], b = corners[1], c = corners[2];
  raster_corner *const all[3] = {&a, &b, &c};
  for (int i = 0; i < 3; i++) {
    all[i]->x *= RASTER_SAMPLES;
    all[i]->y *= RASTER_SAMPLES;
    if (!isfinite(all[i]->x) || !isfinite(all[i]->y) || !isfinite(all[i]->nearness))
      return;
  }
  const double area = (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y);
  if (area == 0)
    return;
  const int left = (int)fmax(0, fmin(r->columns, ceil(least(a.x, b.x, c.x) - 0.5)));
  const int right = (int)fmin(r->columns - 1, fmax(-1, floor(largest(a.x, b.x, c.x) - 0.5)));
  const int top = (int)fmax(0, fmin(r->rows, ceil(least(a.y, b.y, c.y) - 0.5)));
  const int bottom = (int)fmin(r->rows - 1, fmax(-1, floor(largest(a.y, b.y, c.y) - 0.5)));
  for (int row = top; row <= bottom; row++)
    for (int column = left; column <= right; column++) {
      const double x = column + 0.5, y = row + 0.5;
      const double of_b = ((x - a.x) * (c.y - a.y) - (c.x - a.x) * (y - a.y)) / area;
      const double of_c = ((b.x - a.x) * (y - a.y) - (x - a.x) * (b.y - a.y)) / area;
      if (!(of_b >= 0 && of_c >= 0 && of_b + of_c <= 1))
        continue;
      const raster_corner at = {x, y, a.nearness + of_b * (b.nearness - a.nearness) + of_c * (c.nearness - a.nearness),
                                a.shade + of_b * (b.shade - a.shade) + of_c * (c.shade - a.shade)};
      raster_sample(r, column, row, &at, colour);
    }
}

void raster_line(raster *r, const raster_corner ends[2], const uint8_t colour[3]) {
  const double dx = RASTER_SAMPLES * (ends[1].x - ends[0].x), dy = RASTER_SAMPLES * (ends[1].y - ends[0].y);
  const double length = fmax(fabs(dx), fabs(dy));
  if (!isfinite(length) || !isfinite(ends[0].nearness + ends[1].nearness))
    return;
  // Of a line that is much longer than the picture, steps of more than a sample.
  const int steps = (int)fmin(length, 8.0 * (r->columns + r->rows)) + 1;
  for (int i = 0; i <= steps; i++) {
    const double s = (double)i / steps;
    const raster_corner at = {0, 0, ends[0].nearness + s * (ends[1].nearness - ends[0].nearness), ends[0].shade};
    const double x = RASTER_SAMPLES * ends[0].x + s * dx, y = RASTER_SAMPLES * ends[0].y + s * dy;
    for (int k = 0; k < RASTER_SAMPLES * RASTER_SAMPLES; k++) {
      const double column = floor(x + k % RASTER_SAMPLES), row = floor(y + (k >= RASTER_SAMPLES));
      if (column >= 0 && column < r->columns && row >= 0 && row < r->rows)
        raster_sample(r, (int)column, (int)row, &at, colour);
    }
  }
}

double raster_nearest(const raster *r, double x, double y) {
  const double column = floor(x * RASTER_SAMPLES), row = floor(y * RASTER_SAMPLES);
  if (!(column >= 0 && column < r->columns && row >= 0 && row < r->rows))
    return -(double)INFINITY;
  return (double)r->depth[(size_t)row * (size_t)r->columns + (size_t)column];
}

/* --- PNG --- */

#define CHUNK 16384
#define PIXEL 4

typedef struct png {
  base64 text;
  z_stream zip;
  unsigned char packed[CHUNK];
} png;

static void *png_allocate(void *user, uInt count, uInt size) {
  (void)user;
  return memory_zeroed(count, size);
}

static void png_release(void *user, void *memory) {
  (void)user;
  memory_free(memory);
}

static void put_big(unsigned char *to, uint32_t value) {
  for (int i = 0; i < 4; i++)
    to[i] = (unsigned char)(value >> (24 - 8 * i));
}

static toi_status put_chunk(png *p, const char *type, const unsigned char *bytes, size_t size) {
  unsigned char head[8], sum[4];
  put_big(head, (uint32_t)size);
  memcpy(head + 4, type, 4);
  uLong crc = crc32(0, head + 4, 4);
  if (size > 0)
    crc = crc32(crc, bytes, (uInt)size);
  put_big(sum, (uint32_t)crc);
  toi_status status = base64_append(&p->text, head, sizeof head);
  if (status == TOI_OK)
    status = base64_append(&p->text, bytes, size);
  return status == TOI_OK ? base64_append(&p->text, sum, sizeof sum) : status;
}

static toi_status put_pixels(png *p, int flush) {
  for (;;) {
    const int code = deflate(&p->zip, flush);
    const size_t ready = CHUNK - p->zip.avail_out;
    if (ready < CHUNK && code != Z_STREAM_END)
      return TOI_OK;
    const toi_status status = put_chunk(p, "IDAT", p->packed, ready);
    p->zip.next_out = p->packed;
    p->zip.avail_out = CHUNK;
    if (status != TOI_OK || code == Z_STREAM_END)
      return status;
  }
}

/* One pixel: the mean of its samples, and how many of them there are. */
static void mix_pixel(const raster *r, int x, int y, unsigned char pixel[PIXEL]) {
  unsigned sum[3] = {0}, count = 0;
  for (int k = 0; k < RASTER_SAMPLES * RASTER_SAMPLES; k++) {
    const size_t row = (size_t)(y * RASTER_SAMPLES + k / RASTER_SAMPLES);
    const size_t i = row * (size_t)r->columns + (size_t)(x * RASTER_SAMPLES + k % RASTER_SAMPLES);
    if (!isfinite(r->depth[i]))
      continue;
    count++;
    for (int c = 0; c < 3; c++)
      sum[c] += r->colour[i][c];
  }
  for (int c = 0; c < 3; c++)
    pixel[c] = (unsigned char)(count > 0 ? (sum[c] + count / 2) / count : 0);
  pixel[3] = (unsigned char)(255 * count / (RASTER_SAMPLES * RASTER_SAMPLES));
}

/* A row of pixels, each as the difference to the one on its left. */
static toi_status put_rows(const raster *r, png *p, unsigned char *row) {
  toi_status status = TOI_OK;
  const size_t size = 1 + (size_t)PIXEL * (size_t)r->width;
  for (int y = 0; y < r->height && status == TOI_OK; y++) {
    unsigned char before[PIXEL] = {0};
    row[0] = 1;
    for (int x = 0; x < r->width; x++) {
      unsigned char pixel[PIXEL];
      mix_pixel(r, x, y, pixel);
      for (int c = 0; c < PIXEL; c++)
        row[1 + PIXEL * x + c] = (unsigned char)(pixel[c] - before[c]);
      memcpy(before, pixel, PIXEL);
    }
    p->zip.next_in = row;
    p->zip.avail_in = (uInt)size;
    status = put_pixels(p, y + 1 < r->height ? Z_NO_FLUSH : Z_FINISH);
  }
  return status;
}

static toi_status put_png(const raster *r, png *p, unsigned char *row) {
  static const unsigned char magic[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
  unsigned char head[13] = {0};
  put_big(head, (uint32_t)r->width);
  put_big(head + 4, (uint32_t)r->height);
  head[8] = 8; // bits
  head[9] = 6; // red, green, blue, opacity
  toi_status status = base64_append(&p->text, magic, sizeof magic);
  if (status == TOI_OK)
    status = put_chunk(p, "IHDR", head, sizeof head);
  if (status == TOI_OK)
    status = put_rows(r, p, row);
  if (status == TOI_OK)
    status = put_chunk(p, "IEND", head, 0);
  return status == TOI_OK ? base64_finish(&p->text) : status;
}

toi_status raster_append(const raster *r, output *out, int x, int y) {
  png *p = memory_zeroed(1, sizeof *p);
  unsigned char *row = memory_allocate(1 + (size_t)PIXEL * (size_t)r->width);
  toi_status status = TOI_ERROR_MEMORY;
  if (p != NULL && row != NULL) {
    p->text.out = out;
    p->zip.zalloc = png_allocate;
    p->zip.zfree = png_release;
    p->zip.next_out = p->packed;
    p->zip.avail_out = CHUNK;
    if (deflateInit(&p->zip, Z_BEST_COMPRESSION) == Z_OK) {
      char text[160];
      snprintf(text, sizeof text, "<image x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" href=\"data:image/png;base64,",
               x, y, r->width, r->height);
      status = output_append_text(out, text);
      if (status == TOI_OK)
        status = put_png(r, p, row);
      if (status == TOI_OK)
        status = output_append_text(out, "\"/>\n");
      deflateEnd(&p->zip);
    }
  }
  memory_free(row);
  memory_free(p);
  return status;
}
