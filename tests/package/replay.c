/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Answers to a file of queries as text, which must be the same on every platform, bit for bit:
 *   replay make FILE.bin        writes 10,000 queries: random, degenerate, of all magnitudes
 *   replay FILE.bin ANSWERS     answers them as vertex-face and as edge-edge, by `certified` with and without a
 *                               separation and by `exact`, and writes a line for each */

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <toi/toi.h>

#define QUERIES 10000
#define VALUES 24

static uint64_t state = 20261118;

static uint64_t draw(void) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state;
}

/* Small integers, where everything degenerates; doubles of one magnitude; floats; doubles of all magnitudes. */
static double coordinate(uint64_t style) {
  const double unit = (double)(draw() >> 11) * 0x1p-52 - 1;
  switch (style) {
  case 0:
    return (double)(draw() % 5) - 2;
  case 1:
    return (double)(float)unit;
  case 2:
    return ldexp(unit, (int)(draw() % 64) - 32);
  case 3:
    return ldexp(unit, (int)(draw() % 2090) - 1070);
  default:
    return unit;
  }
}

static void must(toi_status status, toi_context *context) {
  if (status == TOI_OK)
    return;
  fprintf(stderr, "replay: %s\n", toi_context_error(context));
  exit(1);
}

static void make(toi_context *context, const char *path) {
  static double queries[QUERIES * VALUES];
  for (size_t i = 0; i < QUERIES * VALUES; i++)
    queries[i] = coordinate(i / VALUES % 20);
  const toi_query_set set = {.queries = queries, .count = QUERIES};
  must(toi_queries_write(context, path, &set), context);
}

/* As bits, which all C libraries print alike. */
static void print_number(FILE *file, double value) {
  uint64_t bits = 0;
  if (isnan(value)) {
    fprintf(file, " nan");
    return;
  }
  memcpy(&bits, &value, sizeof bits);
  fprintf(file, " %" PRIx64, bits);
}

static void print_hit(FILE *file, const toi_hit *hit) {
  fprintf(file, "%d %d", hit->verdict, hit->touching_at_start);
  const double *const numbers[] = {&hit->t_lo,       &hit->t_hi,      &hit->t_safe,    &hit->u,
                                   &hit->v,          &hit->point[0],  &hit->point[1],  &hit->point[2],
                                   &hit->normal[0],  &hit->normal[1], &hit->normal[2], &hit->tolerance_reached,
                                   &hit->separation, &hit->distance};
  for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
    print_number(file, *numbers[i]);
  fprintf(file, "\n");
}

static void answer(toi_context *context, const toi_query_set *set, const toi_options *options, FILE *file) {
  toi_hit *hits = malloc(set->count * sizeof *hits);
  if (hits == NULL)
    exit(1);
  const toi_kind kinds[] = {TOI_VERTEX_FACE, TOI_EDGE_EDGE};
  for (size_t k = 0; k < 2; k++) {
    must(toi_batch(context, kinds[k], set->queries, set->count, options, hits), context);
    for (size_t i = 0; i < set->count; i++)
      print_hit(file, &hits[i]);
  }
  free(hits);
}

static void replay(toi_context *context, const char *path, const char *answers) {
  toi_query_set set;
  must(toi_queries_read(context, path, &set), context);
  FILE *file = fopen(answers, "wb");
  if (file == NULL)
    exit(1);
  toi_options options = toi_default_options();
  answer(context, &set, &options, file);
  options.method = "exact";
  answer(context, &set, &options, file);
  // Separations take long where magnitudes differ.
  options.method = "certified";
  options.min_separation = 0.0625;
  toi_query_set few = {.queries = set.queries, .count = set.count < 3 ? set.count : 3};
  answer(context, &few, &options, file);
  if (fclose(file) != 0)
    exit(1);
  toi_queries_free(context, &set);
}

int main(int argc, char **argv) {
  toi_context_options with = toi_default_context_options();
  with.threads = 2;
  toi_context *context;
  if (argc != 3 || toi_context_create(&with, &context) != TOI_OK)
    return 2;
  if (strcmp(argv[1], "make") == 0)
    make(context, argv[2]);
  else
    replay(context, argv[1], argv[2]);
  toi_context_destroy(context);
}
