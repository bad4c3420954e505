/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* `toi line-search` on several ranks: each has the positions of its own vertices, and writes its part of the mesh. */

#include <string.h>

#include "line_report.h"
#include "memory.h"
#include "output.h"
#include "platform.h"
#include "progress.h"
#include "ranks_mesh.h"
#include "spread.h"

typedef struct ranks_line {
  ranks_mesh mesh;
  void *placed;
  line_facts facts;
} ranks_line;

static int check_out(const step_options *o) {
  for (int i = 0; i < 2; i++)
    if (o->out != NULL && files_same(o->out, o->paths[i]))
      return cli_fail("%s: holds a mesh and would be replaced; write to another file", o->out);
  return EXIT_DONE;
}

static int search(ranks_line *l) {
  ranks_mesh *m = &l->mesh;
  l->placed = memory_zeroed(m->positions.vertex_count + 1, 3 * sizeof(double));
  const int result = spread_agree(l->placed == NULL ? memory_fail("the positions", "start more ranks") : EXIT_DONE);
  if (result != EXIT_DONE)
    return result;
  m->stepping.doing = "looking for the largest step";
  const double begin = clock_seconds();
  toi_cluster_advance a;
  const toi_status status = m->mpi->line_search(m->cluster, &m->positions, &m->stepping.asked, l->placed, &a);
  l->facts = (line_facts){.options = &m->options,
                          .stepping = &m->stepping,
                          .vertices = (size_t)m->counts.vertices,
                          .edges = (size_t)m->counts.edges,
                          .faces = (size_t)m->counts.faces,
                          .ms = 1e3 * (clock_seconds() - begin)};
  l->facts.advance = (toi_advance){.step = a.step,
                                   .fraction = a.fraction,
                                   .first = {.hit = a.first.hit,
                                             .kind = a.first.kind,
                                             .pair = {(uint32_t)a.first.pair.first, (uint32_t)a.first.pair.second}},
                                   .tries = a.tries};
  return status == TOI_OK ? EXIT_DONE : ranks_mesh_fail(m, status);
}

static int write_mesh(ranks_line *l) {
  ranks_mesh *m = &l->mesh;
  if (m->options.out == NULL)
    return EXIT_DONE;
  toi_positions reached = m->positions;
  reached.start = l->placed;
  reached.stride = reached.component_stride = 0;
  const toi_status status = m->mpi->frames_write(m->cluster, m->options.out, &reached);
  return status == TOI_OK ? EXIT_DONE : ranks_mesh_fail(m, status);
}

static int report(const ranks_line *l) {
  bool table = false;
  const int result = outputs_finish(l->mesh.stepping.context, NULL, 0,
                                    l->mesh.options.json ? line_search_json(&l->facts) : NULL, &table);
  if (table)
    line_search_print(&l->facts);
  return result;
}

static int run(ranks_line *l) {
  ranks_mesh *m = &l->mesh;
  int result = spread_agree(check_out(&m->options));
  if (result == EXIT_DONE)
    result = ranks_mesh_open(m);
  if (result == EXIT_DONE)
    result = ranks_mesh_load(m, m->options.paths[0], m->options.paths[1], false);
  if (result == EXIT_DONE)
    result = search(l);
  if (result == EXIT_DONE)
    result = write_mesh(l);
  return result == EXIT_DONE ? spread_agree(ranks_mesh_first(m) ? report(l) : EXIT_DONE) : result;
}

int ranks_line_search(const ranks_library *mpi, int argc, char **argv) {
  ranks_line l = {.mesh = {.mpi = mpi, .began = clock_seconds()}};
  const parse_result parsed = line_search_options_parse(argc, argv, &l.mesh.options);
  if (parsed != PARSE_FINE)
    return parsed == PARSE_HELP ? EXIT_DONE : EXIT_BAD;
  progress_start();
  const int result = run(&l);
  memory_free(l.placed);
  ranks_mesh_close(&l.mesh);
  return result;
}
