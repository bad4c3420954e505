/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* A cloth that falls on a wavy floor, made in parts: each rank makes its own rows of both grids, and no rank ever holds
 * more. Prints the first impact, and what each rank did.
 *   mpirun -n 4 example_cluster_step [TRIANGLES]    100000 if it is not given, up to 100 million and beyond */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <toi/cluster.h>

/* Two square grids of side + 1 by side + 1 vertices: the floor's numbers first, then the cloth's. */
typedef struct world {
  uint64_t side, row;  /* squares and vertices along an edge */
  uint64_t begin, end; /* this rank's rows of vertices, of both grids */
} world;

typedef struct part {
  uint64_t *vertices, (*faces)[3];
  double (*start)[3], (*end)[3];
  size_t vertex_count, face_count;
} part;

static void place(const world *w, int cloth, uint64_t i, uint64_t j, double start[3], double end[3]) {
  const double x = (double)i / (double)w->side, y = (double)j / (double)w->side;
  const double wave = 0.02 * sin(20 * x) * cos(17 * y);
  start[0] = end[0] = x + (cloth ? 0.3 / (double)w->side : 0);
  start[1] = end[1] = y + (cloth ? 0.4 / (double)w->side : 0);
  start[2] = cloth ? 0.05 + 0.01 * cos(5 * x + 3 * y) : wave;
  end[2] = cloth ? start[2] - 0.03 : wave;
}

static void add_square(const world *w, part *p, uint64_t first, uint64_t i, uint64_t j) {
  const uint64_t a = first + i * w->row + j, b = a + w->row;
  const uint64_t faces[2][3] = {{a, b, a + 1}, {b, b + 1, a + 1}};
  for (int f = 0; f < 2; f++)
    for (int k = 0; k < 3; k++)
      p->faces[p->face_count + (size_t)f][k] = faces[f][k];
  p->face_count += 2;
}

/* Own rows of vertices, and the squares that begin there: their other side may be the next rank's. */
static int make_part(const world *w, part *p) {
  const size_t rows = (size_t)(w->end - w->begin), room = 2 * rows * (size_t)w->row + 1;
  p->vertices = malloc(room * sizeof *p->vertices);
  p->start = malloc(room * sizeof *p->start);
  p->end = malloc(room * sizeof *p->end);
  p->faces = malloc(2 * room * sizeof *p->faces);
  if (!p->vertices || !p->start || !p->end || !p->faces)
    return 0;
  for (int cloth = 0; cloth < 2; cloth++) {
    const uint64_t first = cloth ? w->row * w->row : 0;
    for (uint64_t i = w->begin; i < w->end; i++)
      for (uint64_t j = 0; j < w->row; j++) {
        place(w, cloth, i, j, p->start[p->vertex_count], p->end[p->vertex_count]);
        p->vertices[p->vertex_count++] = first + i * w->row + j;
        if (i < w->side && j < w->side)
          add_square(w, p, first, i, j);
      }
  }
  return 1;
}

static toi_status count_own(void *user, const toi_cluster_collision *collisions, size_t count) {
  (void)collisions;
  *(size_t *)user += count;
  return TOI_OK;
}

static toi_status ask(toi_cluster *cluster, const part *p) {
  toi_cluster_part given;
  toi_cluster_part_init(&given, sizeof given);
  given.vertices = p->vertices;
  given.vertex_count = p->vertex_count;
  given.faces = (const uint64_t(*)[3])p->faces;
  given.face_count = p->face_count;
  toi_status status = toi_cluster_mesh(cluster, &given);
  if (status != TOI_OK)
    return status;
  const toi_cluster_counts counts = toi_cluster_count(cluster);
  toi_positions positions;
  toi_positions_init(&positions, sizeof positions);
  positions.start = p->start;
  positions.end = p->end;
  positions.vertex_count = p->vertex_count;

  toi_cluster_impact impact;
  status = toi_cluster_step(cluster, &positions, NULL, &impact);
  size_t collisions = 0;
  if (status == TOI_OK)
    status = toi_cluster_collisions(cluster, &positions, NULL, false, count_own, &collisions);
  if (status != TOI_OK)
    return status;
  const toi_cluster_work work = toi_cluster_last_work(cluster);
  uint64_t sums[3] = {collisions, work.candidates[TOI_VERTEX_FACE] + work.candidates[TOI_EDGE_EDGE], work.bytes_sent};
  double most[2] = {(double)sums[1], (double)work.halo_faces};
  toi_cluster_sum(cluster, sums, 3);
  toi_cluster_largest(cluster, most, 2);
  if (toi_cluster_rank(cluster) == 0)
    printf("%d ranks, %llu faces, %llu edges: %s at %.17g; %llu collisions among %llu candidates; busiest rank %.3f of "
           "the mean; at most %.0f faces of others on a rank; %.1f MB sent\n",
           toi_cluster_ranks(cluster), (unsigned long long)counts.faces, (unsigned long long)counts.edges,
           toi_verdict_name((toi_verdict)impact.hit.verdict), impact.hit.t_lo, (unsigned long long)sums[0],
           (unsigned long long)sums[1], most[0] * toi_cluster_ranks(cluster) / (double)(sums[1] > 0 ? sums[1] : 1),
           most[1], 1e-6 * (double)sums[2]);
  return TOI_OK;
}

static toi_status run(toi_cluster *cluster, double triangles) {
  world w = {.side = (uint64_t)fmax(1, sqrt(triangles / 4))};
  w.row = w.side + 1;
  const uint64_t rank = (uint64_t)toi_cluster_rank(cluster), ranks = (uint64_t)toi_cluster_ranks(cluster);
  w.begin = w.row * rank / ranks;
  w.end = w.row * (rank + 1) / ranks;
  part p = {0};
  const int made = make_part(&w, &p);
  // If one rank cannot, none goes on.
  toi_status status =
      toi_cluster_agree(cluster, made ? TOI_OK : TOI_ERROR_MEMORY, "no memory for its part; start more ranks");
  if (status == TOI_OK)
    status = ask(cluster, &p);
  free(p.vertices);
  free(p.start);
  free(p.end);
  free(p.faces);
  return status;
}

int main(int argc, char **argv) {
  const double triangles = argc > 1 ? strtod(argv[1], NULL) : 100000;
  toi_context_options options = toi_default_context_options();
  options.threads = 1;
  options.memory_budget = (uint64_t)8 << 30;
  toi_context *context = NULL;
  toi_cluster *cluster = NULL;
  toi_status status = toi_cluster_begin();
  if (status == TOI_OK)
    status = toi_context_create(&options, &context);
  if (status == TOI_OK)
    status = toi_cluster_create(context, NULL, &cluster);
  if (status == TOI_OK)
    status = run(cluster, triangles);
  if (status != TOI_OK && (cluster == NULL || toi_cluster_rank(cluster) == 0))
    fprintf(stderr, "%s\n", cluster != NULL ? toi_cluster_error(cluster) : toi_status_text(status));
  toi_cluster_destroy(cluster);
  toi_context_destroy(context);
  toi_cluster_end();
  return status == TOI_OK ? 0 : 1;
}
