/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* A mesh in parts as one binary PLY file.
 *
 * Rows of the file are cut into blocks of one size, one for each rank; vertices and faces go to the rank of their row,
 * which writes its block at once. */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cluster/call.h"
#include "cluster/shared_file.h"

#define ROW_WORDS 4 /* a number, then three coordinates or corners */

typedef struct writing {
  toi_cluster *cluster;
  const toi_positions *positions;
  toi_shared_file file;
  uint64_t offset; /* behind what is written */
} writing;

/* Least byte first, on every machine. */
static void store(char *to, uint64_t bits, size_t size) {
  for (size_t i = 0; i < size; i++)
    to[i] = (char)(bits >> (8 * i) & 0xff);
}

/* --- rows to the ranks of their blocks --- */

static uint64_t block_of(const writing *w, uint64_t count) {
  return count / (uint64_t)w->cluster->ranks + 1;
}

static bool post_row(toi_mail *mail, int rank, const uint64_t row[ROW_WORDS]) {
  uint64_t *words = toi_words_add(&mail->out[rank], ROW_WORDS);
  if (words != NULL)
    memcpy(words, row, ROW_WORDS * sizeof *row);
  return words != NULL;
}

static toi_status post_vertices(const writing *w, toi_mail *mail) {
  const toi_cluster_topology *t = &w->cluster->topology;
  const uint64_t block = block_of(w, t->counts.vertices);
  bool fits = true;
  for (size_t i = 0; i < t->vertex_count && fits; i++) {
    uint64_t row[ROW_WORDS] = {t->vertices[i]};
    if (row[0] >= t->counts.vertices)
      return toi_cluster_fail(w->cluster, TOI_ERROR_INPUT,
                              "vertex %" PRIu64 " of %" PRIu64 "; files number them from 0, without gaps", row[0],
                              t->counts.vertices);
    for (size_t k = 0; k < 3; k++)
      memcpy(&row[1 + k], (const char *)w->positions->start + toi_position_offset(w->positions, t->given[i], k),
             w->positions->scalar == TOI_FLOAT32 ? sizeof(float) : sizeof(double));
    fits = post_row(mail, (int)(row[0] / block), row);
  }
  return fits ? TOI_OK : toi_cluster_fail(w->cluster, TOI_ERROR_MEMORY, "out of memory for vertices; use more ranks");
}

static toi_status post_faces(const writing *w, toi_mail *mail) {
  const toi_cluster_topology *t = &w->cluster->topology;
  const uint64_t block = block_of(w, t->counts.faces);
  bool fits = true;
  for (size_t i = 0; i < t->face_count && fits; i++) {
    uint64_t row[ROW_WORDS] = {t->face_numbers[i]};
    if (row[0] >= t->counts.faces)
      return toi_cluster_fail(w->cluster, TOI_ERROR_INPUT,
                              "face %" PRIu64 " of %" PRIu64 "; files number them from 0, without gaps", row[0],
                              t->counts.faces);
    for (size_t k = 0; k < 3; k++)
      row[1 + k] = toi_global_vertex(t, t->faces[i][k]);
    fits = post_row(mail, (int)(row[0] / block), row);
  }
  return fits ? TOI_OK : toi_cluster_fail(w->cluster, TOI_ERROR_MEMORY, "out of memory for faces; use more ranks");
}

/* --- blocks --- */

static uint64_t bits_of(const writing *w, const uint64_t *word) {
  uint32_t narrow;
  memcpy(&narrow, word, sizeof narrow);
  return w->positions->scalar == TOI_FLOAT32 ? narrow : *word;
}

/* The rows of this rank's block, `bytes` each; every row comes once. */
static toi_status write_block(writing *w, const toi_mail *mail, uint64_t count, bool faces, size_t bytes) {
  const uint64_t block = block_of(w, count), first = block * (uint64_t)w->cluster->rank;
  const uint64_t rows = first >= count ? 0 : count - first < block ? count - first : block;
  const size_t came = mail->in_begin[mail->ranks] / ROW_WORDS;
  if (came != rows)
    return toi_cluster_fail(w->cluster, TOI_ERROR_INPUT, "%zu rows of %" PRIu64 "; files number them without gaps",
                            came, rows);
  char *text = toi_cluster_allocate(w->cluster, (size_t)rows, bytes);
  if (text == NULL)
    return TOI_ERROR_MEMORY;
  const size_t size = faces ? sizeof(uint32_t) : bytes / 3;
  for (size_t i = 0; i < came; i++) {
    const uint64_t *row = mail->in + ROW_WORDS * i;
    char *to = text + (row[0] - first) * bytes;
    if (faces)
      *to++ = 3;
    for (size_t k = 0; k < 3; k++)
      store(to + k * size, faces ? row[1 + k] : bits_of(w, row + 1 + k), size);
  }
  const toi_status status = toi_shared_file_write(&w->file, text, rows * bytes, w->offset + first * bytes);
  free(text);
  return status;
}

static toi_status write_rows(writing *w, bool faces) {
  const toi_cluster_topology *t = &w->cluster->topology;
  const uint64_t count = faces ? t->counts.faces : t->counts.vertices;
  const size_t scalar = w->positions->scalar == TOI_FLOAT32 ? sizeof(float) : sizeof(double);
  const size_t bytes = faces ? 1 + 3 * sizeof(uint32_t) : 3 * scalar;
  toi_mail mail;
  toi_status status = toi_mail_begin(w->cluster, &mail);
  if (status == TOI_OK)
    status = faces ? post_faces(w, &mail) : post_vertices(w, &mail);
  status = toi_mail_exchange(w->cluster, &mail, status);
  if (status == TOI_OK)
    status = toi_agree(w->cluster, write_block(w, &mail, count, faces, bytes));
  toi_mail_end(&mail);
  w->offset += count * bytes;
  return status;
}

/* --- for callers --- */

static toi_status write_header(writing *w) {
  const toi_cluster_counts *counts = &w->cluster->topology.counts;
  const char *scalar = w->positions->scalar == TOI_FLOAT32 ? "float" : "double";
  char header[512];
  const int length =
      snprintf(header, sizeof header,
               "ply\nformat binary_little_endian 1.0\nelement vertex %" PRIu64
               "\nproperty %s x\nproperty %s y\nproperty %s z\nelement face %" PRIu64
               "\nproperty list uchar %s vertex_indices\nend_header\n",
               counts->vertices, scalar, scalar, scalar, counts->faces, counts->vertices <= INT32_MAX ? "int" : "uint");
  w->offset = (uint64_t)length;
  return toi_agree(w->cluster,
                   w->cluster->rank == 0 ? toi_shared_file_write(&w->file, header, (uint64_t)length, 0) : TOI_OK);
}

static toi_status check(toi_cluster *cluster, const toi_cluster_question *question, const char *path) {
  const toi_status status = toi_cluster_question_check(cluster, question);
  const toi_cluster_topology *t = &cluster->topology;
  const size_t length = strlen(path);
  if (status == TOI_OK && (length < 4 || strcmp(path + length - 4, ".ply") != 0))
    return toi_cluster_fail(cluster, TOI_ERROR_OPTION, "%s: several ranks write .ply files only; change the name",
                            path);
  for (size_t i = 0; status == TOI_OK && i < t->edge_count; i++)
    if (t->edge_loose[i])
      return toi_cluster_fail(cluster, TOI_ERROR_UNSUPPORTED,
                              "%s: the mesh has loose edges, which several ranks do not write; use one", path);
  if (status == TOI_OK && t->counts.vertices > UINT32_MAX)
    return toi_cluster_fail(cluster, TOI_ERROR_UNSUPPORTED, "%s: %" PRIu64 " vertices; files name fewer than 2^32",
                            path, t->counts.vertices);
  return status;
}

toi_status toi_cluster_frames_write(toi_cluster *cluster, const char *path, const toi_positions *positions) {
  const toi_cluster_question question = {.name = "write", .positions = positions};
  uint64_t digest = toi_digest_options(NULL, "write");
  digest = toi_digest(digest, path, strlen(path) + 1);
  digest = positions != NULL ? toi_digest(digest, &positions->scalar, sizeof positions->scalar) : digest;
  toi_status status = toi_cluster_meet(cluster, check(cluster, &question, path), digest);
  if (status != TOI_OK)
    return status;
  writing *w = toi_cluster_allocate(cluster, 1, sizeof *w);
  status = toi_agree(cluster, w == NULL ? TOI_ERROR_MEMORY : TOI_OK);
  if (status != TOI_OK) {
    free(w);
    return status;
  }
  *w = (writing){.cluster = cluster, .positions = positions};
  status = toi_shared_file_create(&w->file, cluster, path);
  if (status == TOI_OK)
    status = write_header(w);
  if (status == TOI_OK)
    status = write_rows(w, false);
  if (status == TOI_OK)
    status = write_rows(w, true);
  if (status == TOI_OK)
    status = toi_shared_file_close(&w->file);
  if (status == TOI_OK)
    status = toi_shared_file_commit(&w->file);
  toi_shared_file_discard(&w->file);
  free(w);
  return status;
}
