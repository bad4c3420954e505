/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Prints a hash of many exact answers, which must not depend on how the library computes with integers:
 * `exact_bits FILE.csv`, where FILE is written and read again. Coordinates are small integers, where everything
 * degenerates; doubles of one magnitude; doubles of all magnitudes. */

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <toi/toi.h>

#define QUERIES 400 /* of each kind and style */

static uint64_t hash = UINT64_C(1469598103934665603), state = 20260901;

static void take(const void *bytes, size_t count) {
  const unsigned char *at = bytes;
  for (size_t i = 0; i < count; i++)
    hash = (hash ^ at[i]) * UINT64_C(1099511628211);
}

static void check(toi_status status, toi_context *context) {
  if (status != TOI_OK) {
    printf("%s\n", toi_context_error(context));
    exit(1);
  }
}

static uint64_t draw(void) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state;
}

static double coordinate(int style) {
  const double unit = (double)(draw() >> 11) * 0x1p-52 - 1;
  if (style == 0)
    return (double)(draw() % 5) - 2;
  return style == 1 ? unit : ldexp(unit, (int)(draw() % 2090) - 1070);
}

static void ask(toi_context *context, toi_kind kind, int style, uint64_t verdicts[3]) {
  static double queries[QUERIES * 24];
  static toi_hit hits[QUERIES];
  const size_t values = 6 * (size_t)toi_kind_points(kind);
  for (size_t i = 0; i < QUERIES * values; i++)
    queries[i] = i % values >= values / 2 && draw() % 2 ? -queries[i - values / 2] : coordinate(style);
  toi_options options = toi_default_options();
  options.method = "exact";
  // Separations take long where magnitudes differ.
  for (int separated = 0; separated < (style < 2 ? 2 : 1); separated++) {
    options.min_separation = separated ? 0.125 : 0;
    check(toi_batch(context, kind, queries, QUERIES, &options, hits), context);
    take(hits, sizeof hits);
    for (size_t i = 0; i < QUERIES; i++)
      verdicts[hits[i].verdict]++;
  }
  options.min_separation = 0;
  for (size_t i = 0; i < QUERIES; i += 16) {
    toi_proof *proof = NULL;
    const double *start = queries + i * values;
    check(toi_prove(context, kind, start, start + values / 2, &options, TOI_PROOF_CERTIFICATE, &proof), context);
    take(proof->certificate, strlen(proof->certificate));
    toi_proof_free(context, proof);
  }
}

/* Fractions of up to a thousand digits, in both directions. */
static void read_back(toi_context *context, const char *path) {
  static double queries[64 * 24];
  for (size_t i = 0; i < sizeof queries / sizeof queries[0]; i++)
    queries[i] = coordinate(2);
  const toi_query_set written = {.queries = queries, .count = 64};
  check(toi_queries_write(context, path, &written), context);
  toi_query_set set = {0};
  check(toi_queries_read(context, path, &set), context);
  if (set.count != 64 || memcmp(set.queries, queries, sizeof queries) != 0) {
    printf("%s: not what was written\n", path);
    exit(1);
  }
  toi_queries_free(context, &set);
  FILE *file = fopen(path, "rb");
  for (int c = file == NULL ? EOF : fgetc(file); c != EOF; c = fgetc(file))
    take(&(unsigned char){(unsigned char)c}, 1);
  if (file != NULL)
    fclose(file);
}

int main(int argc, char **argv) {
  toi_context *context;
  if (argc != 2 || toi_context_create(NULL, &context) != TOI_OK)
    return 2;
  uint64_t verdicts[3] = {0};
  for (int kind = TOI_VERTEX_FACE; kind <= TOI_VERTEX_VERTEX; kind++)
    for (int style = 0; style < 3; style++)
      ask(context, (toi_kind)kind, style, verdicts);
  read_back(context, argv[1]);
  printf("%" PRIu64 " %" PRIu64 " %" PRIu64 " %016" PRIx64 "\n", verdicts[0], verdicts[1], verdicts[2], hash);
  toi_context_destroy(context);
}
