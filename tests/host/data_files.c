/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Files for the cases that read: every format, with the numbers of each input. */

#include "host/data.h"

#include "support/files.h"
#include "support/support.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT = 1 << 17 };

static char text[TEXT];
static size_t length;

static void __attribute__((format(printf, 1, 2))) add(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int added = vsnprintf(text + length, TEXT - length, format, arguments);
  va_end(arguments);
  assert_true(added >= 0 && length + (size_t)added < TEXT);
  length += (size_t)added;
}

/* Writes what was added under the input's name, and begins anew. */
static void save(host_input input, const char *name) {
  test_write_bytes(strrchr(host_file(input, name), '/') + 1, text, length);
  length = 0;
}

const char *host_file(host_input input, const char *name) {
  char whole[64];
  snprintf(whole, sizeof whole, "%s-%s", host_input_name(input), name);
  return test_path(whole);
}

static void add_point(host_input input, int x, int y, int z) {
  add("[%.17g,%.17g,%.17g]", host_number(input, x), host_number(input, y), host_number(input, z));
}

static void make_queries(host_input input, toi_context *context) {
  static uint8_t truth[HOST_QUERIES] = {1, 0, 1};
  const toi_query_set set = {
      .queries = (double *)(uintptr_t)host_queries(input, TOI_VERTEX_FACE), .truth = truth, .count = HOST_QUERIES};
  if (input == HOST_REFUSED) {
    add("1,3,2,1,4,1\n");
    save(input, "queries.csv");
  } else
    assert_int_equal(toi_queries_write(context, host_file(input, "queries.csv"), &set), TOI_OK);
  size_t size;
  char *bytes = test_read_bytes(host_file(input, "queries.csv"), &size);
  test_write_bytes(strrchr(host_file(input, "queries.csv.gz"), '/') + 1, bytes, size);
  free(bytes);
  test_write_bytes(strrchr(host_file(input, "queries.bin"), '/') + 1, set.queries,
                   HOST_QUERIES * 24 * sizeof set.queries[0]);

  // Fractions far from their lowest terms, of about as many digits as there may be.
  for (int row = 0; row < 8; row++)
    for (int column = 0; column < 6; column++)
      add("%d%0*d%c", column % 2 == 0 ? row * 24 + column * 3 : 8, 1000 * (row % 2 + 1), 0, column < 5 ? ',' : '\n');
  save(input, "long.csv");
}

static void make_truth(host_input input) {
  add("[true,false,true]\n");
  save(input, "truth.json");
  static const char *const names[] = {"truth.csv", "truth.csv.gz"};
  for (size_t i = 0; i < 2; i++) {
    add("hit,toi_lo,toi_hi\n0,,\n1,%a,%a\n", fabs(host_number(input, 106)), fabs(host_number(input, 117)));
    add("1,0x0.0000000000001p-1022,0x1p-1022\n");
    save(input, names[i]);
  }
}

static void add_ply(host_input input, const char *scalar, const toi_mesh *mesh) {
  add("ply\nformat ascii 1.0\nelement vertex %zu\n", mesh->vertex_count);
  add("property %s x\nproperty %s y\nproperty %s z\n", scalar, scalar, scalar);
  add("element face %zu\nproperty list uchar int vertex_indices\nend_header\n", mesh->face_count);
  const double(*vertices)[3] = (const double(*)[3])mesh->end;
  const double scale = strcmp(scalar, "float") != 0 || input == HOST_ORDINARY ? 1
                       : input == HOST_HUGE                                   ? 0x1p-905
                       : input == HOST_SUBNORMAL                              ? 0x1p926
                                                                              : 1;
  for (size_t i = 0; i < mesh->vertex_count; i++)
    add("%.17g %.17g %.17g\n", vertices[i][0] * scale, vertices[i][1] * scale, vertices[i][2] * scale);
  for (size_t i = 0; i < mesh->face_count; i++)
    add("3 %u %u %u\n", mesh->faces[i][0], mesh->faces[i][1], mesh->faces[i][2]);
}

static void make_meshes(host_input input, toi_context *context) {
  static const char *const names[] = {"mesh.ply", "mesh.ply.gz", "mesh.obj", "mesh.obj.gz"};
  const toi_mesh *mesh = &host_mesh_of(input)->mesh;
  const toi_frame frame = {.vertices = (void *)(uintptr_t)mesh->start,
                           .scalar = TOI_FLOAT64,
                           .vertex_count = mesh->vertex_count,
                           .faces = (uint32_t(*)[3])(uintptr_t)mesh->faces,
                           .face_count = mesh->face_count};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if (input == HOST_REFUSED) {
      add("v 1 2 nan\n");
      save(input, names[i]);
    } else
      assert_int_equal(toi_frame_write(context, host_file(input, names[i]), &frame), TOI_OK);
  add_ply(input, "double", mesh);
  save(input, "ascii.ply");
  add_ply(input, "float", mesh);
  save(input, "float.ply");
}

static void add_patch(host_input input, int z, bool rational) {
  add("{\"type\":\"quad\",\"degree\":[1,1],\"points\":[");
  for (int i = 0; i < 4; i++) {
    add_point(input, 60 * (i / 2), 50 * (i % 2), z + i);
    add("%s", i < 3 ? "," : "],\"velocities\":[");
  }
  for (int i = 0; i < 4; i++) {
    add_point(input, i, 117, -i);
    add("%s", i < 3 ? "," : "]");
  }
  add("%s}", rational ? ",\"weights\":[1,0.7,1e-3,0.1]" : "");
}

static void make_models(host_input input) {
  for (int i = 0; i < 2; i++) {
    add("{\"a\":");
    add_patch(input, 0, i == 0);
    add(",\"b\":");
    add_patch(input, 50, i == 1);
    add(",\"t_max\":0.1}\n");
  }
  save(input, "cases.jsonl");
  add("{\"patches\":[");
  add_patch(input, 3, true);
  add("],\"scale\":0.1,\"shift\":");
  add_point(input, 1, 2, 117);
  add(",\"velocity\":");
  add_point(input, 1, -117, 3);
  add("}");
  save(input, "patches.json");
  add("{\"nurbs\":{\"degree\":[1,1],\"knots\":[[0,0,1,1],[0,0,0.3,1,1]],\"points\":[[");
  for (int i = 0; i < 6; i++) {
    add_point(input, 60 * (i / 3), 50 * (i % 3), 117 - i);
    add("%s", i == 5 ? "]]}}" : i == 2 ? "],[" : ",");
  }
  save(input, "nurbs.json");
  add("{\"shape\":\"torus\",\"ring_radius\":%.17g,\"tube_radius\":%.17g}", host_number(input, 117),
      host_number(input, 33));
  save(input, "torus.json.gz");
  add("{\"shape\":\"sphere\",\"radius\":%.17g,\"scale\":0.3}", host_number(input, 117));
  save(input, "sphere.json");
}

static void make_scene(host_input input) {
  add("{\"title\":\"one\",\"constants\":{\"h\":\"1/3\"},\"t_max\":\"h*2\",\"tolerance\":%.17g,\"bodies\":[",
      host_number(input, 1));
  add("{\"name\":\"floor\",\"shape\":{\"height-field\":{\"z\":\"0.1*u*v + h\",\"u\":[0,1],\"v\":[-1,2]}}},");
  add("{\"name\":\"ball\",\"shape\":{\"sphere\":{\"radius\":%.17g}},\"motion\":[{\"move\":{\"shift\":",
      host_number(input, 117));
  add_point(input, 1, 2, 200);
  add(",\"velocity\":");
  add_point(input, 0, -1, -117);
  add("}}]},{\"name\":\"part\",\"shape\":{\"model\":\"cylinder\"},\"motion\":{\"spin\":{\"rate\":");
  add_point(input, 3, -1, 117);
  add("}}},{\"name\":\"net\",\"shape\":{\"patch\":{\"type\":\"triangle\",\"degree\":1,\"points\":[");
  for (int i = 0; i < 3; i++) {
    add_point(input, 60 * (i / 2), 50 * (i % 2), 117 - i);
    add("%s", i == 2 ? "]}}}]}" : ",");
  }
  save(input, "scene.json");
  add("{\"a\":\"torus\",\"b\":{\"shape\":\"sphere\",\"radius\":%.17g},\"t_max\":2,\"motion_b\":{\"spin\":",
      host_number(input, 117));
  add_point(input, 3, -1, 117);
  add("}}");
  save(input, "models.json");
}

void host_files_make(host_input input) {
  toi_context *context = test_context(1);
  make_queries(input, context);
  make_truth(input);
  make_meshes(input, context);
  make_models(input);
  make_scene(input);
  toi_context_destroy(context);
}
