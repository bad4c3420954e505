/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Frames and states in files.
 *
 * A state is a header, the positions and the velocities of all vertices as doubles of this machine, and a checksum of
 * all that. */

#include "files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "vector.h"

#define PATH_BYTES 4096

typedef struct header {
  char name[16];
  uint64_t one; /* 1: the order of bytes */
  uint64_t scene, vertices, frame;
} header;

static const char state_name[16] = "toi simulation 1";

bool files_directory(const char *path, sim_fault *fault) {
  struct stat found;
  if (mkdir(path, 0777) == 0 || (stat(path, &found) == 0 && S_ISDIR(found.st_mode)))
    return true;
  return refuse(fault, "%s: not a directory, and it cannot be made: %s", path, strerror(errno));
}

/* --- frames --- */

static bool write_mesh(const sim_world *s, const char *path, sim_fault *fault) {
  const toi_frame frame = {.vertices = s->x,
                           .scalar = TOI_FLOAT64,
                           .vertex_count = s->model.vertex_count,
                           .faces = s->model.faces,
                           .face_count = s->model.face_count};
  if (toi_frame_write(s->context, path, &frame) != TOI_OK)
    return refuse(fault, "%s", toi_context_error(s->context));
  return true;
}

bool files_write_frame(const sim_world *s, const char *directory, sim_fault *fault) {
  char path[PATH_BYTES];
  snprintf(path, sizeof path, "%s/frame-%05ld.ply", directory, s->frame);
  return write_mesh(s, path, fault);
}

bool files_write_iterate(const sim_world *s, const char *directory, const sim_progress *p, sim_fault *fault) {
  char path[PATH_BYTES];
  snprintf(path, sizeof path, "%s/iterate-%05ld-%05ld.ply", directory, p->frame, p->iterations);
  return write_mesh(s, path, fault);
}

/* --- states --- */

/* FNV-1a, eight bytes at a time: what is summed up are whole doubles. */
static uint64_t add_words(uint64_t sum, const void *bytes, size_t size) {
  for (size_t i = 0; i + 8 <= size; i += 8) {
    uint64_t word;
    memcpy(&word, (const char *)bytes + i, 8);
    sum = (sum ^ word) * 0x100000001b3;
  }
  return sum;
}

static uint64_t checksum(const header *h, const double (*x)[3], const double (*v)[3]) {
  const size_t bytes = (size_t)h->vertices * sizeof *x;
  return add_words(add_words(add_words(0xcbf29ce484222325, h, sizeof *h), x, bytes), v, bytes);
}

static header make_header(const sim_world *s) {
  header h = {.one = 1, .scene = s->scene.hash, .vertices = s->model.vertex_count, .frame = (uint64_t)s->frame};
  memcpy(h.name, state_name, sizeof h.name);
  return h;
}

bool files_write_state(const sim_world *s, const char *directory, sim_fault *fault) {
  char path[PATH_BYTES];
  snprintf(path, sizeof path, "%s/state.bin", directory);
  const header h = make_header(s);
  const uint64_t sum = checksum(&h, (const double(*)[3])s->x, (const double(*)[3])s->v);
  const size_t bytes = s->model.vertex_count * sizeof *s->x;
  const struct {
    const void *at;
    size_t size;
  } parts[] = {{&h, sizeof h}, {s->x, bytes}, {s->v, bytes}, {&sum, sizeof sum}};
  toi_output *output;
  toi_status status = toi_output_create(s->context, path, &output);
  for (size_t i = 0; status == TOI_OK && i < sizeof parts / sizeof *parts; i++)
    status = toi_output_append(output, parts[i].at, parts[i].size);
  if (status == TOI_OK)
    status = toi_output_commit(output);
  else
    toi_output_destroy(output);
  return status == TOI_OK || refuse(fault, "%s", toi_context_error(s->context));
}

bool files_has_state(const char *directory) {
  char path[PATH_BYTES];
  snprintf(path, sizeof path, "%s/state.bin", directory);
  return access(path, F_OK) == 0;
}

static bool all_finite(const double (*x)[3], size_t count) {
  bool finite = true;
  for (size_t i = 0; i < count; i++)
    finite = finite && isfinite(x[i][0]) && isfinite(x[i][1]) && isfinite(x[i][2]);
  return finite;
}

/* What is wrong with a state that was read; NULL if nothing is. */
static const char *wrong_with(const sim_world *s, const header *h, uint64_t sum) {
  const header expected = make_header(s);
  if (memcmp(h->name, expected.name, sizeof h->name) != 0 || h->one != 1)
    return "not a state of this program and this kind of machine";
  if (h->vertices != expected.vertices)
    return "positions of another number of vertices: another scene or resolution";
  if (h->scene != expected.scene)
    return "belongs to another scene file or resolution";
  // Not used yet: x and v of the file are in before and tried.
  const double(*x)[3] = (const double(*)[3])s->before, (*v)[3] = (const double(*)[3])s->tried;
  if (sum != checksum(h, x, v))
    return "damaged: the checksum is wrong";
  if (!all_finite(x, s->model.vertex_count) || !all_finite(v, s->model.vertex_count) || h->frame > 1000000000)
    return "a value that is not finite";
  return NULL;
}

bool files_read_state(sim_world *s, const char *directory, sim_fault *fault) {
  char path[PATH_BYTES];
  snprintf(path, sizeof path, "%s/state.bin", directory);
  FILE *file = fopen(path, "rb");
  if (file == NULL)
    return refuse(fault, "%s: %s; start without --resume", path, strerror(errno));
  header h = {0};
  uint64_t sum = 0;
  const size_t count = s->model.vertex_count;
  bool whole = fread(&h, sizeof h, 1, file) == 1;
  if (whole && h.vertices == count)
    whole = fread(s->before, sizeof *s->x, count, file) == count &&
            fread(s->tried, sizeof *s->v, count, file) == count && fread(&sum, sizeof sum, 1, file) == 1 &&
            fgetc(file) == EOF;
  fclose(file);
  const char *wrong = whole ? wrong_with(s, &h, sum) : "too short, or too long";
  if (wrong != NULL)
    return refuse(fault, "%s: %s; start again in an empty directory", path, wrong);
  memcpy(s->x, s->before, count * sizeof *s->x);
  memcpy(s->v, s->tried, count * sizeof *s->v);
  s->frame = (long)h.frame;
  return simulation_check(s, path, fault);
}
