/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Mesh files in parts: read in slices, dealt out along a curve through space, and dealt out again by measured weight.
 *
 * Vertices go where the curve is cut; a face goes to the owner of its first corner. How a mesh is dealt out decides
 * time and memory, and no answer. */

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <toi/io.h>

#include "cluster/call.h"
#include "cluster/directory.h"

#define VERTEX_WORDS 7 /* number, start, end */
#define FACE_WORDS 4   /* number, corners */
#define EDGE_WORDS 2
#define KEY_BITS 60

/* What a rank holds while a mesh is dealt out. */
typedef struct dealing {
  toi_cluster *cluster;
  toi_words vertices, faces, edges;
  uint64_t *keys;   /* of vertices */
  double *weights;  /* likewise; NULL: all weigh the same */
  int *destination; /* likewise */
} dealing;

static toi_status no_memory(toi_cluster *cluster) {
  return toi_cluster_fail(cluster, TOI_ERROR_MEMORY, "out of memory for a part of the mesh; use more ranks");
}

static size_t vertex_count(const dealing *d) {
  return d->vertices.count / VERTEX_WORDS;
}

/* --- reading --- */

/* What a rank reads of the two files; the end is that of the start where only one state is asked about. */
typedef struct slices {
  toi_frame_slice start, end;
  bool both;
} slices;

static toi_status read_slices(toi_cluster *cluster, const char *start, const char *end, slices *s) {
  const uint32_t part = (uint32_t)cluster->rank, parts = (uint32_t)cluster->ranks;
  s->both = end != NULL;
  toi_status status = toi_frame_slice_read(cluster->context, start, part, parts, &s->start);
  if (status == TOI_OK && s->both)
    status = toi_frame_slice_read(cluster->context, end, part, parts, &s->end);
  return toi_agree(cluster, toi_cluster_fail_context(cluster, status));
}

static void free_slices(const toi_cluster *cluster, slices *s) {
  toi_frame_free(cluster->context, &s->start.frame);
  toi_frame_free(cluster->context, &s->end.frame);
}

/* Other formats: the first rank reads them, and deals out from there. */
static toi_status read_whole(toi_cluster *cluster, const char *start, const char *end, slices *s) {
  toi_status status = TOI_OK;
  if (cluster->rank == 0) {
    status = toi_frame_read(cluster->context, start, &s->start.frame);
    if (status == TOI_OK && s->both)
      status = toi_frame_read(cluster->context, end, &s->end.frame);
    if (status == TOI_OK && s->both)
      status = toi_frames_match(cluster->context, &s->start.frame, start, &s->end.frame, end);
  }
  s->start.vertex_count = s->start.frame.vertex_count;
  s->start.face_count = s->start.frame.face_count;
  return toi_agree(cluster, toi_cluster_fail_context(cluster, status));
}

/* The two frames are one mesh; counts are those of the whole files. */
static toi_status match(toi_cluster *cluster, const char *start, const char *end, const slices *s) {
  const toi_frame *a = &s->start.frame, *b = &s->end.frame;
  if (!s->both)
    return TOI_OK;
  if (s->start.vertex_count != s->end.vertex_count || s->start.face_count != s->end.face_count)
    return toi_cluster_fail(cluster, TOI_ERROR_INPUT,
                            "%s has %" PRIu64 " vertices and %" PRIu64 " faces, but %s has %" PRIu64 " and %" PRIu64
                            "; the frames of a step are one mesh",
                            start, s->start.vertex_count, s->start.face_count, end, s->end.vertex_count,
                            s->end.face_count);
  if (a->scalar != b->scalar)
    return toi_cluster_fail(cluster, TOI_ERROR_INPUT, "%s has %s coordinates, but %s has %s; write both alike", start,
                            a->scalar == TOI_FLOAT32 ? "float" : "double", end,
                            b->scalar == TOI_FLOAT32 ? "float" : "double");
  for (size_t i = 0; i < a->face_count; i++)
    if (memcmp(a->faces[i], b->faces[i], sizeof a->faces[i]) != 0)
      return toi_cluster_fail(cluster, TOI_ERROR_INPUT,
                              "face %" PRIu64 " of %s has other vertices in %s; the frames of a step are one mesh",
                              s->start.first_face + i, start, end);
  return TOI_OK;
}

static double coordinate(const toi_frame *frame, size_t at) {
  return frame->scalar == TOI_FLOAT32 ? (double)((const float *)frame->vertices)[at]
                                      : ((const double *)frame->vertices)[at];
}

/* Frames as words. */
static toi_status take_slices(dealing *d, const slices *s) {
  const toi_frame *a = &s->start.frame, *b = s->both ? &s->end.frame : a;
  uint64_t *vertices = toi_words_add(&d->vertices, VERTEX_WORDS * a->vertex_count);
  uint64_t *faces = toi_words_add(&d->faces, FACE_WORDS * a->face_count);
  uint64_t *edges = toi_words_add(&d->edges, EDGE_WORDS * a->loose_count);
  if ((vertices == NULL && a->vertex_count > 0) || (faces == NULL && a->face_count > 0) ||
      (edges == NULL && a->loose_count > 0))
    return no_memory(d->cluster);
  for (size_t i = 0; i < a->vertex_count; i++) {
    double at[6];
    for (size_t k = 0; k < 3; k++) {
      at[k] = coordinate(a, 3 * i + k);
      at[3 + k] = coordinate(b, 3 * i + k);
    }
    vertices[VERTEX_WORDS * i] = s->start.first_vertex + i;
    memcpy(vertices + VERTEX_WORDS * i + 1, at, sizeof at);
  }
  for (size_t i = 0; i < a->face_count; i++) {
    faces[FACE_WORDS * i] = s->start.first_face + i;
    for (size_t k = 0; k < 3; k++)
      faces[FACE_WORDS * i + 1 + k] = a->faces[i][k];
  }
  for (size_t i = 0; i < a->loose_count; i++)
    for (size_t k = 0; k < 2; k++)
      edges[EDGE_WORDS * i + k] = a->loose[i][k];
  return TOI_OK;
}

/* --- where the curve is cut --- */

static void middle_of(const dealing *d, size_t i, double at[3]) {
  double both[6];
  memcpy(both, d->vertices.at + VERTEX_WORDS * i + 1, sizeof both);
  for (int k = 0; k < 3; k++)
    at[k] = both[k] / 2 + both[3 + k] / 2;
}

static toi_status make_keys(dealing *d) {
  toi_box grid = toi_box_empty();
  double at[3];
  for (size_t i = 0; i < vertex_count(d); i++) {
    middle_of(d, i, at);
    const toi_box own = {{at[0], at[1], at[2]}, {at[0], at[1], at[2]}};
    toi_box_join(&grid, &own);
  }
  MPI_Allreduce(MPI_IN_PLACE, grid.lo, 3, MPI_DOUBLE, MPI_MIN, d->cluster->comm);
  MPI_Allreduce(MPI_IN_PLACE, grid.hi, 3, MPI_DOUBLE, MPI_MAX, d->cluster->comm);
  d->keys = toi_cluster_allocate(d->cluster, vertex_count(d), sizeof *d->keys);
  d->destination = toi_cluster_allocate(d->cluster, vertex_count(d), sizeof *d->destination);
  for (size_t i = 0; d->keys != NULL && i < vertex_count(d); i++) {
    middle_of(d, i, at);
    d->keys[i] = toi_hilbert_key(&grid, at);
  }
  return toi_agree(d->cluster, d->keys != NULL && d->destination != NULL ? TOI_OK : TOI_ERROR_MEMORY);
}

static double weight_of(const dealing *d, size_t i) {
  return d->weights != NULL ? d->weights[i] : 1;
}

/* Own keys in order, and the weight of all that come before each. */
typedef struct scale {
  uint64_t *keys;
  double *before; /* one more than keys */
  size_t count;
} scale;

static toi_status make_scale(const dealing *d, scale *s) {
  const size_t count = vertex_count(d);
  s->count = count;
  s->keys = toi_cluster_allocate(d->cluster, 2 * count, sizeof *s->keys);
  s->before = toi_cluster_allocate(d->cluster, count + 1, sizeof *s->before);
  if (s->keys == NULL || s->before == NULL || count >= UINT32_MAX)
    return TOI_ERROR_MEMORY;
  for (size_t i = 0; i < count; i++) {
    s->keys[2 * i] = d->keys[i];
    s->keys[2 * i + 1] = i;
  }
  if (!toi_sort_rows(s->keys, count))
    return TOI_ERROR_MEMORY;
  for (size_t i = 0; i < count; i++) {
    s->before[i + 1] = s->before[i] + weight_of(d, (size_t)s->keys[2 * i + 1]);
    s->keys[i] = s->keys[2 * i];
  }
  return TOI_OK;
}

/* Weights in front of each cut, and of all, on all ranks. A cut is the first key behind it. */
static void weigh(const dealing *d, const scale *s, const uint64_t *cuts, size_t count, double *sums) {
  for (size_t i = 0; i <= count; i++) {
    size_t low = 0, high = s->count;
    while (i < count && low < high) {
      const size_t middle = low + (high - low) / 2;
      if (s->keys[middle] < cuts[i])
        low = middle + 1;
      else
        high = middle;
    }
    sums[i] = s->before[i < count ? low : s->count];
  }
  MPI_Allreduce(MPI_IN_PLACE, sums, (int)(count + 1), MPI_DOUBLE, MPI_SUM, d->cluster->comm);
}

/* Cuts by bisection of keys: every rank makes the same ones, as sums are the same on all. */
static toi_status cut(dealing *d) {
  const size_t count = (size_t)d->cluster->ranks - 1;
  uint64_t *cuts = toi_cluster_allocate(d->cluster, count, sizeof *cuts);
  double *sums = toi_cluster_allocate(d->cluster, count + 1, sizeof *sums);
  scale s = {0};
  toi_status status = cuts != NULL && sums != NULL ? make_scale(d, &s) : TOI_ERROR_MEMORY;
  status = toi_agree(d->cluster, status);
  for (int bit = KEY_BITS - 1; status == TOI_OK && bit >= 0; bit--) {
    for (size_t i = 0; i < count; i++)
      cuts[i] |= (uint64_t)1 << bit;
    weigh(d, &s, cuts, count, sums);
    MPI_Bcast(sums, (int)(count + 1), MPI_DOUBLE, 0, d->cluster->comm);
    for (size_t i = 0; i < count; i++)
      if (sums[i] > sums[count] * (double)(i + 1) / (double)(count + 1))
        cuts[i] &= ~((uint64_t)1 << bit);
  }
  for (size_t i = 0; status == TOI_OK && i < vertex_count(d); i++) {
    size_t low = 0, high = count;
    while (low < high) {
      const size_t middle = low + (high - low) / 2;
      if (cuts[middle] <= d->keys[i])
        low = middle + 1;
      else
        high = middle;
    }
    d->destination[i] = (int)low;
  }
  free(s.keys);
  free(s.before);
  free(cuts);
  free(sums);
  return status;
}

/* --- sending --- */

/* Rows to ranks; in their place what came. */
static toi_status send_rows(dealing *d, toi_words *rows, size_t each, const int *destination, toi_status status) {
  toi_mail mail = {0};
  if (status == TOI_OK)
    status = toi_mail_begin(d->cluster, &mail);
  for (size_t i = 0; status == TOI_OK && i < rows->count / each; i++) {
    uint64_t *words = toi_words_add(&mail.out[destination[i]], each);
    if (words == NULL)
      status = no_memory(d->cluster);
    else
      memcpy(words, rows->at + each * i, each * sizeof *words);
  }
  toi_words_free(rows);
  status = toi_agree(d->cluster, status);
  if (status == TOI_OK)
    status = toi_mail_exchange(d->cluster, &mail, TOI_OK);
  if (status == TOI_OK) {
    *rows = (toi_words){mail.in, mail.in_begin[mail.ranks], mail.in_begin[mail.ranks]};
    mail.in = NULL;
  }
  toi_mail_end(&mail);
  return status;
}

/* Rows go to the owner of the vertex in this column. */
static toi_status send_after_vertices(dealing *d, const toi_directory *directory, toi_words *rows, size_t each,
                                      size_t column) {
  const size_t count = rows->count / each;
  uint64_t *numbers = toi_cluster_allocate(d->cluster, count, sizeof *numbers);
  int *owners = toi_cluster_allocate(d->cluster, count, sizeof *owners);
  int *destination = toi_cluster_allocate(d->cluster, count, sizeof *destination);
  toi_number_map map = {0};
  toi_status status = numbers && owners && destination ? TOI_OK : TOI_ERROR_MEMORY;
  size_t asked = 0;
  for (size_t i = 0; status == TOI_OK && i < count; i++)
    numbers[asked++] = rows->at[each * i + column];
  if (status == TOI_OK) {
    asked = toi_sort_unique(numbers, asked);
    status = toi_number_map_make(d->cluster, numbers, asked, &map);
  }
  status = toi_agree(d->cluster, status);
  if (status == TOI_OK)
    status = toi_directory_find(d->cluster, directory, numbers, asked, owners);
  for (size_t i = 0; status == TOI_OK && i < count; i++) {
    const int owner = owners[toi_number_map_find(&map, rows->at[each * i + column])];
    // Who names a vertex that is not there stays with its reader, and is found when the mesh is taken.
    destination[i] = owner >= 0 ? owner : d->cluster->rank;
  }
  if (status == TOI_OK)
    status = send_rows(d, rows, each, destination, status);
  toi_number_map_free(&map);
  free(numbers);
  free(owners);
  free(destination);
  return status;
}

static toi_status deal(dealing *d) {
  toi_status status = make_keys(d);
  if (status == TOI_OK)
    status = cut(d);
  // Keys and weights go before the largest message: what is left of them is where each row goes.
  free(d->keys);
  free(d->weights);
  d->keys = NULL;
  d->weights = NULL;
  if (status == TOI_OK)
    status = send_rows(d, &d->vertices, VERTEX_WORDS, d->destination, TOI_OK);
  free(d->destination);
  d->destination = NULL;
  uint64_t *numbers = NULL;
  if (status == TOI_OK) {
    numbers = toi_cluster_allocate(d->cluster, vertex_count(d), sizeof *numbers);
    for (size_t i = 0; numbers != NULL && i < vertex_count(d); i++)
      numbers[i] = d->vertices.at[VERTEX_WORDS * i];
    if (numbers != NULL)
      (void)toi_sort_unique(numbers, vertex_count(d));
    status = toi_agree(d->cluster, numbers == NULL ? TOI_ERROR_MEMORY : TOI_OK);
  }
  toi_directory directory = {0};
  if (status == TOI_OK)
    status = toi_directory_make(d->cluster, "vertex", numbers, vertex_count(d), &directory);
  if (status == TOI_OK)
    status = send_after_vertices(d, &directory, &d->faces, FACE_WORDS, 1);
  if (status == TOI_OK)
    status = send_after_vertices(d, &directory, &d->edges, EDGE_WORDS, 0);
  toi_directory_free(&directory);
  free(numbers);
  return status;
}

/* --- the mesh --- */

static size_t scalar_size(const toi_cluster_frames *frames) {
  return frames->scalar == TOI_FLOAT32 ? sizeof(float) : sizeof(double);
}

/* Numbers are those of the file again: what was a float is one. */
static void put_numbers(const toi_cluster_frames *frames, void *array, size_t vertex, const uint64_t *words) {
  double at[3];
  memcpy(at, words, sizeof at);
  for (size_t k = 0; k < 3; k++)
    if (frames->scalar == TOI_FLOAT32)
      ((float *)array)[3 * vertex + k] = (float)at[k];
    else
      ((double *)array)[3 * vertex + k] = at[k];
}

static void get_numbers(const toi_cluster_frames *frames, const void *array, size_t vertex, uint64_t *words) {
  double at[3];
  for (size_t k = 0; k < 3; k++)
    at[k] = frames->scalar == TOI_FLOAT32 ? (double)((const float *)array)[3 * vertex + k]
                                          : ((const double *)array)[3 * vertex + k];
  memcpy(words, at, sizeof at);
}

/* From words, which are not needed any more. */
static toi_status fill_frames(dealing *d, toi_cluster_frames *frames) {
  const size_t count = vertex_count(d);
  frames->vertices = toi_cluster_allocate(d->cluster, count, sizeof *frames->vertices);
  frames->start = toi_cluster_allocate(d->cluster, count, 3 * scalar_size(frames));
  frames->end = toi_cluster_allocate(d->cluster, count, 3 * scalar_size(frames));
  frames->vertex_count = count;
  if (frames->vertices == NULL || frames->start == NULL || frames->end == NULL)
    return TOI_ERROR_MEMORY;
  fenv_t mode;
  toi_plain_mode_enter(&mode);
  for (size_t i = 0; i < count; i++) {
    const uint64_t *row = d->vertices.at + VERTEX_WORDS * i;
    frames->vertices[i] = row[0];
    put_numbers(frames, frames->start, i, row + 1);
    put_numbers(frames, frames->end, i, row + 4);
  }
  toi_plain_mode_leave(&mode);
  toi_words_free(&d->vertices);
  return TOI_OK;
}

/* The words once more, from the frames and the cluster's mesh, which end. */
static toi_status take_back(dealing *d, toi_cluster_frames *frames) {
  const toi_cluster_topology *t = &d->cluster->topology;
  size_t loose = 0;
  for (size_t i = 0; i < t->edge_count; i++)
    loose += t->edge_loose[i];
  uint64_t *vertices = toi_words_add(&d->vertices, VERTEX_WORDS * frames->vertex_count);
  uint64_t *faces = toi_words_add(&d->faces, FACE_WORDS * t->face_count);
  uint64_t *edges = toi_words_add(&d->edges, EDGE_WORDS * loose);
  const bool fits = (vertices != NULL || frames->vertex_count == 0) && (faces != NULL || t->face_count == 0) &&
                    (edges != NULL || loose == 0);
  const toi_status status = toi_agree(d->cluster, fits ? TOI_OK : no_memory(d->cluster));
  if (status != TOI_OK)
    return status;
  fenv_t mode;
  toi_plain_mode_enter(&mode);
  for (size_t i = 0; i < frames->vertex_count; i++, vertices += VERTEX_WORDS) {
    vertices[0] = frames->vertices[i];
    get_numbers(frames, frames->start, i, vertices + 1);
    get_numbers(frames, frames->end, i, vertices + 4);
  }
  toi_plain_mode_leave(&mode);
  for (size_t i = 0; i < t->face_count; i++) {
    *faces++ = t->face_numbers[i];
    for (size_t k = 0; k < 3; k++)
      *faces++ = toi_global_vertex(t, t->faces[i][k]);
  }
  for (size_t i = 0; i < t->edge_count; i++)
    for (size_t k = 0; t->edge_loose[i] && k < 2; k++)
      *edges++ = toi_global_vertex(t, t->edges[i][k]);
  toi_cluster_topology_free(d->cluster);
  const toi_scalar scalar = frames->scalar;
  toi_cluster_frames_free(frames);
  frames->scalar = scalar;
  return TOI_OK;
}

static toi_status give_mesh(dealing *d, const toi_cluster_frames *frames, const toi_cluster_part *extra) {
  const size_t count = d->faces.count / FACE_WORDS;
  uint64_t *numbers = toi_cluster_allocate(d->cluster, count, sizeof *numbers);
  uint64_t(*faces)[3] = toi_cluster_allocate(d->cluster, count, sizeof *faces);
  toi_status status = toi_agree(d->cluster, numbers != NULL && faces != NULL ? TOI_OK : TOI_ERROR_MEMORY);
  for (size_t i = 0; status == TOI_OK && i < count; i++) {
    numbers[i] = d->faces.at[FACE_WORDS * i];
    memcpy(faces[i], d->faces.at + FACE_WORDS * i + 1, sizeof faces[i]);
  }
  toi_words_free(&d->faces);
  toi_cluster_part part = *extra;
  part.vertices = frames->vertices;
  part.vertex_count = frames->vertex_count;
  part.faces = (const uint64_t(*)[3])faces;
  part.face_numbers = numbers;
  part.face_count = count;
  part.edges = (const uint64_t(*)[2])d->edges.at;
  part.edge_count = d->edges.count / EDGE_WORDS;
  if (status == TOI_OK)
    status = toi_cluster_mesh(d->cluster, &part);
  toi_words_free(&d->edges);
  free(numbers);
  free(faces);
  return status;
}

static toi_status set_mesh(dealing *d, const toi_cluster_part *extra, toi_cluster_frames *frames) {
  const toi_status status = toi_agree(d->cluster, fill_frames(d, frames));
  return status == TOI_OK ? give_mesh(d, frames, extra) : status;
}

toi_positions toi_cluster_frames_positions(const toi_cluster_frames *frames) {
  toi_positions positions;
  toi_positions_init(&positions, sizeof positions);
  positions.start = frames->start;
  positions.end = frames->end;
  positions.scalar = frames->scalar;
  positions.vertex_count = frames->vertex_count;
  return positions;
}

void toi_cluster_frames_free(toi_cluster_frames *frames) {
  free(frames->vertices);
  free(frames->start);
  free(frames->end);
  *frames = (toi_cluster_frames){0};
}

/* --- measured weight --- */

/* What a vertex weighs for itself: so much of the mean of candidates. */
#define OWN_PART 0.1

static toi_status measure(dealing *d, const toi_cluster_frames *frames, const toi_options *options) {
  const size_t count = frames->vertex_count;
  d->weights = toi_cluster_allocate(d->cluster, count, sizeof *d->weights);
  toi_status status = toi_agree(d->cluster, d->weights == NULL ? TOI_ERROR_MEMORY : TOI_OK);
  if (status != TOI_OK)
    return status;
  const toi_positions positions = toi_cluster_frames_positions(frames);
  status = toi_cluster_weigh(d->cluster, &positions, options, d->weights);
  double sums[2] = {0, (double)count};
  for (size_t i = 0; i < count; i++)
    sums[0] += d->weights[i];
  MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_DOUBLE, MPI_SUM, d->cluster->comm);
  for (size_t i = 0; i < count; i++)
    d->weights[i] += OWN_PART * sums[0] / sums[1] + 1e-3;
  return status;
}

/* --- for callers --- */

static void end_dealing(dealing *d) {
  toi_words_free(&d->vertices);
  toi_words_free(&d->faces);
  toi_words_free(&d->edges);
  free(d->keys);
  free(d->weights);
  free(d->destination);
}

static toi_status read_all(dealing *d, const char *start, const char *end, toi_cluster_frames *frames) {
  slices s = {.both = end != NULL};
  toi_status status = read_slices(d->cluster, start, end, &s);
  if (status == TOI_ERROR_UNSUPPORTED) {
    free_slices(d->cluster, &s);
    s.start = s.end = (toi_frame_slice){0};
    status = read_whole(d->cluster, start, end, &s);
  } else if (status == TOI_OK) {
    status = toi_agree(d->cluster, match(d->cluster, start, end, &s));
  }
  if (status == TOI_OK) {
    int scalar = (int)s.start.frame.scalar;
    MPI_Bcast(&scalar, 1, MPI_INT, 0, d->cluster->comm);
    frames->scalar = (toi_scalar)scalar;
    status = toi_agree(d->cluster, take_slices(d, &s));
  }
  free_slices(d->cluster, &s);
  return status;
}

/* Counts candidates, and deals out what the frames and the mesh are now. */
static toi_status deal_weighed(dealing *d, const toi_cluster_part *extra, const toi_options *options,
                               toi_cluster_frames *frames) {
  toi_status status = measure(d, frames, options);
  if (status == TOI_OK)
    status = take_back(d, frames);
  if (status == TOI_OK)
    status = deal(d);
  return status == TOI_OK ? set_mesh(d, extra, frames) : status;
}

/* The files and what is asked about them, as all ranks must say it. */
static uint64_t digest_of(const char *start, const char *end, const toi_options *weighed) {
  uint64_t digest = toi_digest_options(weighed, weighed != NULL ? "read and weigh" : "read");
  digest = toi_digest(digest, start, strlen(start) + 1);
  return end != NULL ? toi_digest(digest, end, strlen(end) + 1) : digest;
}

toi_status toi_cluster_read(toi_cluster *cluster, const char *start, const char *end, const toi_cluster_part *extra,
                            const toi_options *weighed, toi_cluster_frames *frames) {
  *frames = (toi_cluster_frames){0};
  dealing d = {.cluster = cluster};
  toi_status status = toi_cluster_meet(cluster, TOI_OK, digest_of(start, end, weighed));
  if (status == TOI_OK)
    status = read_all(&d, start, end, frames);
  if (status == TOI_OK)
    status = deal(&d);
  if (status == TOI_OK)
    status = set_mesh(&d, extra, frames);
  if (status == TOI_OK && weighed != NULL && cluster->ranks > 1)
    status = deal_weighed(&d, extra, weighed, frames);
  end_dealing(&d);
  if (status != TOI_OK)
    toi_cluster_frames_free(frames);
  return status;
}

toi_status toi_cluster_rebalance(toi_cluster *cluster, const toi_cluster_part *extra, const toi_options *options,
                                 toi_cluster_frames *frames) {
  dealing d = {.cluster = cluster};
  toi_status status = toi_cluster_meet(
      cluster,
      cluster->has_mesh ? TOI_OK
                        : toi_cluster_fail(cluster, TOI_ERROR_INPUT, "the cluster has no mesh; read one first"),
      toi_digest_options(options, "rebalance"));
  if (status != TOI_OK)
    return status;
  if (cluster->ranks > 1)
    status = deal_weighed(&d, extra, options, frames);
  end_dealing(&d);
  return status;
}
