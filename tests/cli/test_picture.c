/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* `toi step --picture` and `toi contact --picture`: the image inside is a whole PNG, nearer surfaces hide those behind
 * them, and the contact is marked as seen or hidden. */

#include "cli/base64.h"
#include "cli/inputs.h"

#include <math.h>

#define ZLIB_CONST
#include <zlib.h>

/* --- the image of a picture --- */

typedef struct image {
  uint32_t width, height;
  unsigned char *pixels; /* red, green, blue, opacity */
} image;

static uint32_t big_from(const unsigned char *bytes) {
  return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

/* Undoes the differences to the left. */
static void undo_rows(image *found, const unsigned char *rows) {
  for (uint32_t y = 0; y < found->height; y++) {
    const unsigned char *row = rows + y * (4 * (size_t)found->width + 1);
    assert_int_equal(row[0], 1);
    for (uint32_t i = 0; i < 4 * found->width; i++) {
      unsigned char *pixel = &found->pixels[4 * (size_t)y * found->width + i];
      *pixel = (unsigned char)(row[1 + i] + (i >= 4 ? pixel[-4] : 0));
    }
  }
}

/* The first image of a picture, every checksum checked. */
static image image_of(const char *path) {
  static const char before[] = "data:image/png;base64,";
  char *text = test_read_bytes(path, NULL);
  const char *begin = strstr(text, before);
  assert_non_null(begin);
  begin += strlen(before);
  const size_t length = strcspn(begin, "\"");
  unsigned char *bytes = malloc(length), *packed = malloc(length);
  const size_t size = from_base64(begin, length, bytes);
  size_t packed_size = 0;
  image found = {0};
  assert_memory_equal(bytes, "\x89PNG\r\n\x1a\n", 8);
  bool ended = false;
  for (size_t at = 8; at < size;) {
    const uint32_t count = big_from(bytes + at);
    const unsigned char *type = bytes + at + 4, *payload = type + 4;
    assert_int_equal(big_from(payload + count), crc32(0, type, count + 4));
    if (memcmp(type, "IHDR", 4) == 0) {
      found.width = big_from(payload);
      found.height = big_from(payload + 4);
    } else if (memcmp(type, "IDAT", 4) == 0) {
      memcpy(packed + packed_size, payload, count);
      packed_size += count;
    }
    ended = memcmp(type, "IEND", 4) == 0;
    at += count + 12;
  }
  assert_true(ended);
  uLongf room = (uLongf)found.height * (4 * found.width + 1);
  unsigned char *rows = malloc(room);
  found.pixels = malloc(4 * (size_t)found.width * found.height);
  assert_int_equal(uncompress(rows, &room, packed, packed_size), Z_OK);
  assert_int_equal(room, found.height * (4 * (size_t)found.width + 1));
  undo_rows(&found, rows);
  free(rows);
  free(packed);
  free(bytes);
  free(text);
  return found;
}

/* How many pixels are redder than blue, as the pair that touches is, and how many are drawn at all. */
static size_t red_pixels(const image *of, size_t *drawn) {
  size_t red = 0;
  *drawn = 0;
  for (size_t i = 0; i < (size_t)of->width * of->height; i++) {
    const unsigned char *pixel = &of->pixels[4 * i];
    *drawn += pixel[3] > 0;
    red += pixel[3] > 0 && pixel[0] > pixel[2];
  }
  return red;
}

/* --- steps --- */

/* A vertex falls onto a triangle, below a larger one that covers both. */
static const char *write_covered(const char *name, double z) {
  char text[1024];
  snprintf(text, sizeof text,
           "ply\nformat ascii 1.0\nelement vertex 7\nproperty double x\nproperty double y\nproperty double z\n"
           "element face 2\nproperty list uchar int vertex_indices\nend_header\n"
           "0 0 0\n1 0 0\n0 1 0\n-9 -9 2\n19 -9 2\n-9 19 2\n0.25 0.25 %.17g\n3 0 1 2\n3 3 4 5\n",
           z);
  return test_write_text(name, text);
}

static void nearer_faces_hide_those_behind(void **state) {
  (void)state;
  const char *start = write_covered("start.ply", 1), *end = write_covered("end.ply", -1), *picture = test_path("p.svg");
  for (int below = 0; below < 2; below++) {
    ran result = run("step %s %s --picture %s --eye=0,0,%d", start, end, picture, below ? -1 : 1);
    assert_int_equal(result.code, 0);
    ran_free(&result);
    image found = image_of(picture);
    size_t drawn;
    const size_t red = red_pixels(&found, &drawn);
    assert_true(drawn > 10000);
    if (below ? red < 20 : red > 0)
      fail_msg("%zu of %zu pixels are of the pair that touches, seen from %s", red, drawn, below ? "below" : "above");
    char *text = test_read_bytes(picture, NULL);
    assert_non_null(strstr(text, below ? "fill=\"#b3261e\" stroke=\"#b3261e\""
                                       : "fill=\"none\" stroke=\"#b3261e\" stroke-width=\"2\"/>"));
    assert_non_null(strstr(text, "hit, t = 0.5: vertex-face 6, 0"));
    free(text);
    free(found.pixels);
  }
}

static void every_kind_of_impact_is_drawn(void **state) {
  (void)state;
  write_inputs();
  const char *picture = test_path("p.svg");
  write_loose("loose0.ply", 0);
  write_loose("loose1.ply", 1);
  static const char *const lines[] = {"step @start.ply @end.ply", "step @start.ply @start.ply",
                                      "step @loose0.ply @loose1.ply",
                                      "step @start.ply @end.ply --half-space 0,0,1,0.5"};
  for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
    ran result = run("%s --picture %s", with_paths(lines[i]), picture);
    assert_int_equal(result.code, 0);
    ran_free(&result);
    char *text = test_read_bytes(picture, NULL);
    drop_images(text);
    assert_true(strncmp(text, "<svg", 4) == 0 && strcmp(text + strlen(text) - 7, "</svg>\n") == 0);
    assert_null(strstr(text, "nan"));
    free(text);
    image found = image_of(picture);
    size_t drawn;
    (void)red_pixels(&found, &drawn);
    assert_true(drawn > 100);
    free(found.pixels);
  }
}

static void bad_words_get_a_line(void **state) {
  (void)state;
  write_inputs();
  assert_fails(run("%s", with_paths("step @start.ply @end.ply --eye 1,2,3")), "give --picture too");
  assert_fails(run("%s", with_paths("step @start.ply @end.ply --picture @p --eye 0,0,0")),
               "--eye must be three numbers");
  assert_fails(run("%s", with_paths("step @start.ply @end.ply --picture @end.ply")), "would be replaced");
  assert_fails(run("%s", with_paths("step @start.ply @end.ply --picture /dev/full")), "No space left");
  assert_fails(run("%s", with_paths("step @start.ply @end.ply --picture @p --memory 4M")), "memory");
  test_write_text("point.obj", "v 0 0 0\n");
  assert_fails(run("%s", with_paths("step @point.obj @point.obj --picture @p")), "no extent");
}

/* --- surfaces --- */

/* The sphere that is in front, seen along the line of their centres, hides the other one; the outline is round. */
static void assert_round(const char *scene) {
  const char *picture = test_path("p.svg");
  ran result = run("contact %s --picture %s --eye=-2,-4,-4", scene, picture);
  assert_int_equal(result.code, 0);
  ran_free(&result);
  image found = image_of(picture);
  // Both are of radius 1 and one behind the other: a disc, whose area is pi / 4 of its box, but for its half-covered
  // rim.
  uint32_t left = found.width, right = 0, top = found.height, bottom = 0;
  double area = 0;
  for (uint32_t y = 0; y < found.height; y++)
    for (uint32_t x = 0; x < found.width; x++) {
      const unsigned char opacity = found.pixels[4 * ((size_t)y * found.width + x) + 3];
      area += opacity / 255.0;
      if (opacity == 0)
        continue;
      left = x < left ? x : left;
      right = x > right ? x : right;
      top = y < top ? y : top;
      bottom = y > bottom ? y : bottom;
    }
  const double width = right - left, height = bottom - top, pi = 3.14159265358979;
  if (!(fabs(width - height) <= 2 && fabs(area / (width * height) - pi / 4) < 0.01))
    fail_msg("%g by %g pixels, area %g", width, height, area);
  free(found.pixels);
}

#define IMPLICIT "{\"sphere\":{\"radius\":1,\"form\":\"implicit\"}}"

static void spheres_are_shaded_and_round(void **state) {
  (void)state;
  write_inputs();
  assert_round(test_path("spheres.json"));
  assert_round(test_write_text(
      "implicit.json", "{\"bodies\":[{\"name\":\"a\",\"shape\":" IMPLICIT "},{\"name\":\"b\",\"shape\":" IMPLICIT
                       ",\"motion\":{\"move\":{\"shift\":[2,4,4],\"velocity\":[-2,-4,-4]}}}]}"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nearer_faces_hide_those_behind),
      cmocka_unit_test(every_kind_of_impact_is_drawn),
      cmocka_unit_test(bad_words_get_a_line),
      cmocka_unit_test(spheres_are_shaded_and_round),
  };
  return cmocka_run_group_tests(tests, test_directory_make, test_directory_remove);
}
