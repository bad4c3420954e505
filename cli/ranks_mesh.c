/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

#include "ranks_mesh.h"

#include <string.h>

#include "options.h"
#include "platform.h"
#include "session.h"
#include "spread.h"

/* A launcher ends ranks by a signal when one of them was killed: files that have not appeared are removed then. A
 * process has one set of signals, so this file keeps state. */
static const ranks_library *library;
static toi_cluster *volatile writing;

static void on_end(int number) {
  (void)number;
  library->remove_files(writing);
  platform_end("", 0, EXIT_BAD);
}

bool ranks_mesh_first(const ranks_mesh *m) {
  return m->mpi->rank(m->cluster) == 0;
}

int ranks_mesh_fail(const ranks_mesh *m, toi_status status) {
  const char *sentence = m->mpi->error(m->cluster);
  if (status == TOI_ERROR_CANCELLED)
    return spread_fail("stopped; nothing was written");
  return spread_fail(sentence[0] != '\0' ? sentence : toi_status_text(status));
}

int ranks_mesh_refuse(const ranks_refusal *refusals, size_t count) {
  int result = EXIT_DONE;
  for (size_t i = 0; result == EXIT_DONE && i < count; i++)
    if (refusals[i].given != NULL)
      result = cli_fail("%s does not work with several ranks; run toi without mpirun", refusals[i].name);
  return spread_agree(result);
}

int ranks_mesh_open(ranks_mesh *m) {
  const int result = spread_agree(stepping_open(&m->stepping, &m->options));
  if (result != EXIT_DONE)
    return result;
  const toi_status status = m->mpi->create(m->stepping.context, NULL, &m->cluster);
  if (status != TOI_OK)
    return spread_fail(toi_status_text(status));
  library = m->mpi;
  writing = m->cluster;
  platform_on_end(on_end);
  return EXIT_DONE;
}

static int check_lists(const ranks_mesh *m, const char *const paths[RANKS_LISTS]) {
  for (int i = 0; i < RANKS_LISTS; i++) {
    if (paths[i] == NULL)
      continue;
    if (strcmp(paths[i], "-") == 0)
      return cli_fail("several ranks cannot write a list to standard output; name a file");
    for (int k = 0; k < m->options.path_count; k++)
      if (files_same(paths[i], m->options.paths[k]))
        return cli_fail("%s: holds a mesh and would be replaced; write to another file", paths[i]);
  }
  if (paths[0] != NULL && paths[1] != NULL && (strcmp(paths[0], paths[1]) == 0 || files_same(paths[0], paths[1])))
    return cli_fail("--candidates and --hits name the same file; give two");
  return EXIT_DONE;
}

int ranks_mesh_lists(ranks_mesh *m, const char *const paths[RANKS_LISTS]) {
  const int result = spread_agree(check_lists(m, paths));
  toi_status status = TOI_OK;
  for (int i = 0; result == EXIT_DONE && i < RANKS_LISTS && status == TOI_OK; i++) {
    if (paths[i] == NULL)
      continue;
    status = m->mpi->list_create(m->cluster, paths[i], m->options.half_space_texts.count > 0, &m->lists[i]);
  }
  if (result != EXIT_DONE)
    return result;
  return status == TOI_OK ? EXIT_DONE : ranks_mesh_fail(m, status);
}

int ranks_mesh_load(ranks_mesh *m, const char *start, const char *end, bool weighed) {
  toi_cluster_part extra;
  m->mpi->part_init(&extra, sizeof extra);
  extra.half_spaces = m->options.half_spaces;
  extra.half_space_count = m->options.half_space_texts.count;
  m->stepping.doing = "reading";
  const toi_status status =
      m->mpi->read(m->cluster, start, end, &extra, weighed ? &m->stepping.asked : NULL, &m->frames);
  if (status != TOI_OK)
    return ranks_mesh_fail(m, status);
  m->positions = m->mpi->frames_positions(&m->frames);
  m->counts = m->mpi->count(m->cluster);
  return EXIT_DONE;
}

int ranks_mesh_write(ranks_mesh *m) {
  toi_status status = TOI_OK;
  for (int i = 0; i < RANKS_LISTS && status == TOI_OK; i++)
    if (m->lists[i] != NULL)
      status = m->mpi->list_write(m->lists[i]);
  for (int i = 0; i < RANKS_LISTS && status == TOI_OK; i++)
    if (m->lists[i] != NULL) {
      status = m->mpi->list_commit(m->lists[i]);
      m->lists[i] = NULL;
    }
  return status == TOI_OK ? EXIT_DONE : ranks_mesh_fail(m, status);
}

void ranks_mesh_close(ranks_mesh *m) {
  for (int i = 0; i < RANKS_LISTS; i++)
    m->mpi->list_destroy(m->lists[i]);
  m->mpi->frames_free(&m->frames);
  writing = NULL;
  m->mpi->destroy(m->cluster);
  stepping_close(&m->stepping);
}
