/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The demonstrations, of a scene and of queries: what they are asked for, what is counted, and how that is shown. */

#ifndef CLI_DEMO_H
#define CLI_DEMO_H

#include <toi/narrow.h>

#include "json.h"
#include "scenes/drape.h"

/* Wrong answers that are named one by one. */
#define DEMO_WRONG_SHOWN 10

/* The classes of queries to choose from, by number from 0. */
typedef struct demo_catalog {
  uint32_t (*count)(void);
  const char *(*name)(uint32_t number);
  const char *(*description)(uint32_t number);
  bool (*has)(uint32_t number, toi_kind kind);
  bool (*is_degenerate)(uint32_t number);
} demo_catalog;

typedef struct demo_options {
  uint64_t seed, threads, memory;
  bool json;

  /* The scene. */
  uint64_t size;
  const char *write; /* the directory for its frames */

  /* Queries. */
  uint64_t count;
  const char *out, *certificates;
  bool queries, grazing;
  const demo_catalog *catalog; /* the classes, found by demo_queries() */
} demo_options;

/* Each returns the exit code. */
int demo_scene(const demo_options *options);
int demo_queries(const demo_options *options);

/* Prints the scene at a time, in characters. False, with nothing printed, if there is no memory for it. */
bool demo_picture(const drape *scene, double t);

/* One class of queries, all kinds of it together. */
typedef struct demo_class {
  uint64_t queries, hits, wrong;
  uint64_t near;                    /* answers of `certified` that leave it open */
  uint64_t levels[TOI_LEVEL_COUNT]; /* by which `certified` settled them */
  double seconds, exact_seconds;    /* of `certified` and `exact` */
} demo_class;

/* A query that was answered wrongly, by the numbers that make it again. */
typedef struct demo_wrong {
  uint32_t number; /* of its class */
  toi_kind kind;
  uint64_t index;
  double separation;
  const char *method; /* whose answer it is */
} demo_wrong;

typedef struct demo_result {
  demo_class *classes; /* as many as the catalog has */
  demo_class total;
  demo_wrong wrong[DEMO_WRONG_SHOWN];
  uint32_t threads;
} demo_result;

void demo_queries_table(const demo_options *options, const demo_result *result);
json_t *demo_queries_json(const demo_options *options, const demo_result *result);

#endif
