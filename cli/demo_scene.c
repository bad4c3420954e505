/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* `toi demo`: the first impact and all collisions of a cloth that falls over a ball and through rings.
 *
 * Two calls must agree, or the answer is wrong: the first impact is one of the collisions, and none of them is over
 * before it. The hash is over the bits of every answer, so that runs, threads and machines can be compared. */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "demo.h"
#include "memory.h"
#include "name.h"
#include "options.h"
#include "planted/random.h"
#include "progress.h"
#include "scenes/drape.h"
#include "session.h"
#include "step_picture.h"
#include "step_report.h"
#include "stepping.h"

#define HASH_START UINT64_C(0xcbf29ce484222325)
#define HASH_FACTOR UINT64_C(0x100000001b3)

typedef struct scene_demo {
  const demo_options *options;
  drape scene;
  step_options step_options;
  stepping stepping;
  step_frame start, end; /* views of the scene */
  toi_mesh mesh;
  step_answer answer;
  double all_ms;

  /* What the collisions come to. */
  uint64_t between[DRAPE_PARTS][DRAPE_PARTS]; /* by the parts they are of, the smaller number first */
  uint64_t early;                             /* collisions that are over before the first impact */
  bool first_seen;
  uint64_t hash;
} scene_demo;

/* --- collisions --- */

static void hash_word(uint64_t *hash, uint64_t word) {
  *hash = planted_mix(*hash ^ word) * HASH_FACTOR;
}

static void hash_doubles(uint64_t *hash, const double *values, size_t count) {
  for (size_t i = 0; i < count; i++) {
    uint64_t bits;
    memcpy(&bits, &values[i], sizeof bits);
    hash_word(hash, bits);
  }
}

static void hash_answer(uint64_t *hash, toi_kind kind, toi_pair pair, const toi_hit *hit) {
  hash_word(hash, (uint64_t)kind << 8 | hit->verdict);
  hash_word(hash, (uint64_t)pair.first << 32 | pair.second);
  hash_doubles(hash, (const double[]){hit->t_lo, hit->t_hi, hit->t_safe}, 3);
  hash_doubles(hash, hit->point, 3);
  hash_doubles(hash, hit->normal, 3);
}

/* A vertex of a pair's first (0) or second (1) primitive. */
static uint32_t vertex_of(const toi_mesh *mesh, toi_kind kind, toi_pair pair, int which) {
  const uint32_t number = which == 0 ? pair.first : pair.second;
  if (kind == TOI_EDGE_EDGE || (kind == TOI_VERTEX_EDGE && which == 1))
    return mesh->edges[number][0];
  return kind == TOI_VERTEX_FACE && which == 1 ? mesh->faces[number][0] : number;
}

static int part_of(const scene_demo *d, toi_kind kind, toi_pair pair, int which) {
  return drape_part_of(&d->scene, vertex_of(&d->mesh, kind, pair, which));
}

static toi_status take_collisions(void *user, const toi_collision *collisions, size_t count) {
  scene_demo *d = user;
  const toi_impact *first = &d->answer.impact;
  for (size_t i = 0; i < count; i++) {
    const toi_collision *c = &collisions[i];
    const int a = part_of(d, c->kind, c->pair, 0), b = part_of(d, c->kind, c->pair, 1);
    d->between[a < b ? a : b][a < b ? b : a]++;
    d->early += c->hit.t_hi < first->hit.t_lo;
    d->first_seen |=
        c->kind == first->kind && c->pair.first == first->pair.first && c->pair.second == first->pair.second;
    hash_answer(&d->hash, c->kind, c->pair, &c->hit);
  }
  return TOI_OK;
}

static bool is_right(const scene_demo *d) {
  return d->early == 0 && d->first_seen == (d->answer.impact.hit.verdict != TOI_MISS);
}

/* --- the report --- */

static void print_parts(const scene_demo *d) {
  size_t edges[DRAPE_PARTS] = {0};
  for (size_t i = 0; i < d->mesh.edge_count; i++)
    edges[drape_part_of(&d->scene, d->mesh.edges[i][0])]++;
  printf("%-18s %14s %14s %14s\n", "part", "vertices", "edges", "faces");
  for (int part = 0; part < DRAPE_PARTS; part++) {
    printf("%-18s %14zu %14zu %14zu\n", drape_part_name(part),
           d->scene.vertex_begin[part + 1] - d->scene.vertex_begin[part], edges[part],
           d->scene.face_begin[part + 1] - d->scene.face_begin[part]);
  }
  printf("%-18s %14zu %14zu %14zu\n", "all", d->mesh.vertex_count, d->mesh.edge_count, d->mesh.face_count);
}

static void print_between(const scene_demo *d) {
  const char *before = "";
  printf("%-18s ", "of these");
  for (int a = 0; a < DRAPE_PARTS; a++) {
    for (int b = a; b < DRAPE_PARTS; b++) {
      if (d->between[a][b] > 0) {
        printf("%s%llu %s with %s", before, (unsigned long long)d->between[a][b], drape_part_name(a),
               a == b ? "itself" : drape_part_name(b));
        before = ", ";
      }
    }
  }
  printf("%s\n", before[0] == '\0' ? "none" : "");
}

/* What to do next: three commands, with the files if they were written. */
static void print_advice(const char *directory) {
  static const char *const of_files[] = {"toi step %s/frame0.ply %s/frame1.ply --all",
                                         "toi view %s/frame0.ply %s/frame1.ply --out page.html",
                                         "toi check %s/frame1.ply"};
  printf("\nNext\n");
  if (directory == NULL) {
    printf("  toi demo --write scene   writes this scene, and a picture of its first impact\n"
           "  toi demo --queries       decides degenerate queries whose answers are known\n"
           "  toi --help               lists all commands\n");
    return;
  }
  char shown[NAME_BYTES];
  name_shown(directory, shown);
  for (size_t i = 0; i < sizeof of_files / sizeof of_files[0]; i++) {
    printf("  ");
    for (const char *c = of_files[i]; *c != '\0'; c++) {
      if (*c == '%' && c[1] == 's') {
        printf("%s", shown);
        c++;
      } else {
        putchar(*c);
      }
    }
    printf("\n");
  }
  printf("The first impact is drawn in %s/impact.svg.\n", shown);
}

static void print_table(const scene_demo *d) {
  const step_answer *a = &d->answer;
  uint64_t candidates = 0;
  for (int kind = 0; kind < TOI_KIND_COUNT; kind++)
    candidates += a->candidates[kind];
  const uint32_t threads = toi_context_threads(d->stepping.context);
  printf("A cloth falls over a ball and through three rings, in one fast step; %u thread%s.\n\n", threads,
         threads == 1 ? "" : "s");
  if (demo_picture(&d->scene, a->impact.hit.verdict == TOI_MISS ? 1 : a->impact.hit.t_lo))
    printf("\n");
  print_parts(d);
  printf("\n");
  print_impact(&a->impact);
  if (a->impact.hit.verdict != TOI_MISS) {
    printf("%-18s %s and %s\n", "between", drape_part_name(part_of(d, a->impact.kind, a->impact.pair, 0)),
           drape_part_name(part_of(d, a->impact.kind, a->impact.pair, 1)));
  }
  printf("\n");
  print_pairs(a);
  print_between(d);
  printf(
      "\nfirst impact %.2f ms; all collisions %.2f ms (broad %.2f, narrow %.2f): %.1f million candidates per second\n",
      a->first_ms, d->all_ms, a->broad_ms, a->narrow_ms, d->all_ms > 0 ? 1e-3 * (double)candidates / d->all_ms : 0);
  printf("Every verdict is proved, and the bits of all answers are the same for any number of threads: %016llx.\n",
         (unsigned long long)d->hash);
  if (!is_right(d))
    printf("WRONG: the first impact and the collisions disagree; please report this.\n");
  print_advice(d->options->write);
}

static json_t *scene_json(const scene_demo *d) {
  json_t *object = step_json(&d->stepping, &d->answer), *between = json_object();
  for (int a = 0; a < DRAPE_PARTS; a++) {
    for (int b = a; b < DRAPE_PARTS; b++) {
      char name[32];
      snprintf(name, sizeof name, "%s-%s", drape_part_name(a), drape_part_name(b));
      json_object_set_new(between, name, json_count(d->between[a][b], true));
    }
  }
  char hash[32];
  snprintf(hash, sizeof hash, "%016llx", (unsigned long long)d->hash);
  json_object_set_new(object, "between", between);
  json_object_set_new(object, "size", json_count(d->options->size, true));
  json_object_set_new(object, "seed", json_count(d->options->seed, true));
  json_object_set_new(object, "hash", json_text(hash));
  json_object_set_new(object, "right", json_boolean(is_right(d)));
  return object;
}

/* --- beginning and end --- */

static step_frame frame_view(const drape *scene, float (*vertices)[3], const char *name) {
  return (step_frame){.path = name,
                      .mesh = {.vertices = vertices,
                               .scalar = TOI_FLOAT32,
                               .vertex_count = scene->vertex_count,
                               .faces = scene->faces,
                               .face_count = scene->face_count}};
}

static int make(scene_demo *d) {
  if (!drape_make((uint32_t)d->options->size, d->options->seed, &d->scene))
    return memory_fail("the scene", "give a smaller --size");
  d->start = frame_view(&d->scene, d->scene.start, "the start");
  d->end = frame_view(&d->scene, d->scene.end, "the end");
  int result = stepping_open(&d->stepping, &d->step_options);
  return result == EXIT_DONE ? stepping_join(&d->stepping, &d->start, &d->end, &d->mesh) : result;
}

static int write_frame(scene_demo *d, const char *name, const step_frame *frame) {
  size_t size = strlen(d->options->write) + strlen(name) + 2;
  char *path = memory_allocate(size);
  if (path == NULL)
    return memory_fail("a name", "close other programs");
  snprintf(path, size, "%s/%s", d->options->write, name);
  toi_status status = toi_frame_write(d->stepping.context, path, &frame->mesh);
  memory_free(path);
  return status == TOI_OK ? EXIT_DONE : session_fail(d->stepping.context, status, NULL);
}

static int write_picture(scene_demo *d) {
  static const double eye[3] = {1.4, -2.2, 1.1};
  const size_t size = strlen(d->options->write) + sizeof "/impact.svg";
  char *path = memory_allocate(size);
  if (path == NULL)
    return memory_fail("a name", "close other programs");
  snprintf(path, size, "%s/impact.svg", d->options->write);
  output drawn = {.option = "--write", .path = path};
  bool table = false;
  int result = output_open(d->stepping.context, &drawn);
  if (result == EXIT_DONE)
    result = step_draw(&d->stepping, &d->mesh, &d->answer.impact, eye, &drawn);
  if (result == EXIT_DONE)
    result = outputs_finish(d->stepping.context, &drawn, 1, NULL, &table);
  outputs_discard(&drawn, 1);
  memory_free(path);
  return result;
}

static int write_frames(scene_demo *d) {
  const char *directory = d->options->write;
  if (directory == NULL)
    return EXIT_DONE;
  if (!platform_make_folder(directory))
    return cli_fail("%s: cannot be made: %s; give another directory", directory, strerror(errno));
  int result = write_frame(d, "frame0.ply", &d->start);
  if (result == EXIT_DONE)
    result = write_frame(d, "frame1.ply", &d->end);
  return result == EXIT_DONE ? write_picture(d) : result;
}

static int ask(scene_demo *d) {
  stepping *s = &d->stepping;
  s->doing = "a cloth falls";
  s->visit = take_collisions;
  s->visit_user = d;
  double begin = clock_seconds();
  int result = stepping_ask(s, &d->mesh, NULL, &d->answer);
  d->answer.total_ms = 1e3 * (clock_seconds() - begin);
  d->all_ms = d->answer.total_ms - d->answer.first_ms;
  d->answer.peak_bytes = platform_peak_bytes();
  const toi_impact *first = &d->answer.impact;
  hash_answer(&d->hash, first->kind, first->pair, &first->hit);
  return result;
}

/* Frames are written once the report is there, whole. */
static int finish(scene_demo *d) {
  char *report = d->options->json ? json_finish(scene_json(d)) : NULL;
  if (d->options->json && report == NULL)
    return EXIT_BAD;
  const int result = write_frames(d);
  progress_clear();
  if (result != EXIT_DONE)
    memory_free(report);
  else if (report != NULL)
    json_say(report);
  else
    print_table(d);
  if (result != EXIT_DONE)
    return result;
  return is_right(d) ? EXIT_DONE : EXIT_FINDING;
}

int demo_scene(const demo_options *options) {
  scene_demo d = {.options = options, .hash = HASH_START};
  d.step_options =
      (step_options){.asked = question_default(), .threads = options->threads, .memory = options->memory, .all = true};
  int result = make(&d);
  if (result == EXIT_DONE)
    result = ask(&d);
  if (result == EXIT_DONE)
    result = finish(&d);
  stepping_close(&d.stepping);
  drape_free(&d.scene);
  return result;
}
