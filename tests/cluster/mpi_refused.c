/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* What is wrong on one rank fails on all with one status and one sentence, which names the rank; the next call works.
 * With one rank, what takes two is left out. Run under mpirun by test_cluster_refused.sh. */

#include "mesh_parts.h"

/* Two triangles, one above the other, that meet halfway; vertices and faces in blocks. */
static const uint64_t faces[2][3] = {{0, 1, 2}, {3, 4, 5}};

typedef struct small_part {
  uint64_t vertices[8];
  double start[8][3], end[8][3];
  toi_cluster_part part;
  toi_positions positions;
} small_part;

static small_part *make_part(void) {
  small_part *p = calloc(1, sizeof *p);
  const int rank = world_rank(), ranks = world_size();
  toi_cluster_part_init(&p->part, sizeof p->part);
  toi_positions_init(&p->positions, sizeof p->positions);
  for (uint64_t v = 0; v < 6; v++) {
    if ((int)(v / 3) % ranks != rank)
      continue;
    const size_t n = p->part.vertex_count++;
    p->vertices[n] = v;
    p->start[n][0] = v % 3 == 1;
    p->start[n][1] = v % 3 == 2;
    p->start[n][2] = v < 3 ? 0 : 1 + 0.25 * (double)(v % 3);
    memcpy(p->end[n], p->start[n], sizeof p->end[n]);
    p->end[n][2] = v < 3 ? 0 : -1;
  }
  p->part.vertices = p->vertices;
  p->part.faces = faces + (rank == 1 ? 1 : 0);
  p->part.face_count = ranks == 1 ? 2 : rank < 2;
  p->positions.start = p->start;
  p->positions.end = p->end;
  p->positions.vertex_count = p->part.vertex_count;
  return p;
}

/* The status and the words of the sentence, on every rank. */
static void expect(const toi_cluster *cluster, const char *what, toi_status status, toi_status expected,
                   const char *words) {
  CHECK(status == expected, "%s: rank %d: status %d instead of %d: %s", what, world_rank(), status, expected,
        toi_cluster_error(cluster));
  CHECK(strstr(toi_cluster_error(cluster), words) != NULL, "%s: rank %d says \"%s\", not \"%s\"", what, world_rank(),
        toi_cluster_error(cluster), words);
}

static void expect_fine(toi_cluster *cluster, const small_part *p) {
  toi_cluster_impact impact;
  CHECK(toi_cluster_mesh(cluster, &p->part) == TOI_OK, "%s", toi_cluster_error(cluster));
  CHECK(toi_cluster_step(cluster, &p->positions, NULL, &impact) == TOI_OK, "%s", toi_cluster_error(cluster));
  CHECK(impact.hit.verdict == TOI_HIT && impact.hit.t_lo == 0.5 && toi_cluster_error(cluster)[0] == '\0',
        "the triangles touch at %g", impact.hit.t_lo);
}

/* --- meshes --- */

static void vertices_of_two_ranks_are_refused(toi_cluster *cluster) {
  small_part *p = make_part();
  if (world_rank() == 1)
    p->vertices[0] = 2;
  if (world_size() > 1)
    expect(cluster, "twice", toi_cluster_mesh(cluster, &p->part), TOI_ERROR_INPUT,
           "vertex 2 is given by rank 0 and by rank 1");
  free(p);
}

static void faces_without_owner_are_refused(toi_cluster *cluster) {
  small_part *p = make_part();
  static const uint64_t lost[1][3] = {{3, 4, 77}};
  const int rank = world_size() > 1 ? 1 : 0;
  if (world_rank() == rank) {
    p->part.faces = lost;
    p->part.face_count = 1;
  }
  char words[80];
  snprintf(words, sizeof words, "rank %d: its face 0 has vertex 77, which no rank owns", rank);
  expect(cluster, "without owner", toi_cluster_mesh(cluster, &p->part), TOI_ERROR_INPUT, words);
  free(p);
}

static void faces_of_one_number_are_refused(toi_cluster *cluster) {
  small_part *p = make_part();
  static const uint64_t numbers[2] = {9, 9};
  p->part.face_numbers = numbers;
  expect(cluster, "one number", toi_cluster_mesh(cluster, &p->part), TOI_ERROR_INPUT,
         world_size() > 1 ? "face 9 is given by rank 0 and by rank 1" : "two faces have the number 9");
  free(p);
}

/* --- questions --- */

static void coordinates_that_are_not_finite_name_the_rank(toi_cluster *cluster) {
  small_part *p = make_part();
  const int rank = world_size() > 1 ? 1 : 0;
  CHECK(toi_cluster_mesh(cluster, &p->part) == TOI_OK, "%s", toi_cluster_error(cluster));
  if (world_rank() == rank)
    p->end[1][2] = strtod("nan", NULL);
  char words[80];
  snprintf(words, sizeof words, "rank %d: vertex %d: z at the end is not finite", rank, rank == 1 ? 4 : 1);
  toi_cluster_impact impact;
  expect(cluster, "nan", toi_cluster_step(cluster, &p->positions, NULL, &impact), TOI_ERROR_INPUT, words);
  CHECK(impact.hit.verdict == TOI_NEAR && impact.hit.t_lo == 0, "no safe answer");
  free(p);
}

static void options_that_differ_are_refused(toi_cluster *cluster) {
  small_part *p = make_part();
  CHECK(toi_cluster_mesh(cluster, &p->part) == TOI_OK, "%s", toi_cluster_error(cluster));
  toi_options options = toi_default_options();
  options.t_max = world_rank() == 1 ? 0.5 : 1;
  toi_cluster_impact impact;
  if (world_size() > 1)
    expect(cluster, "options", toi_cluster_step(cluster, &p->positions, &options, &impact), TOI_ERROR_OPTION,
           "rank 1: does not make the same call as rank 0");
  free(p);
}

static void line_searches_without_end_are_refused(toi_cluster *cluster) {
  small_part *p = make_part();
  CHECK(toi_cluster_mesh(cluster, &p->part) == TOI_OK, "%s", toi_cluster_error(cluster));
  const int rank = world_size() > 1 ? 1 : 0;
  double placed[8][3];
  toi_cluster_advance advance;
  if (world_rank() == rank)
    p->positions.end = NULL;
  char words[80];
  snprintf(words, sizeof words, "rank %d: positions are NULL", rank);
  expect(cluster, "no end", toi_cluster_line_search(cluster, &p->positions, NULL, placed, &advance), TOI_ERROR_INPUT,
         words);
  CHECK(advance.step == 0 && advance.first.hit.verdict == TOI_NEAR, "no safe answer");
  p->positions.end = p->end;
  // Floats on one rank, doubles on the others: they would round differently.
  if (world_size() > 1) {
    p->positions.scalar = world_rank() == 1 ? TOI_FLOAT32 : TOI_FLOAT64;
    expect(cluster, "scalars", toi_cluster_line_search(cluster, &p->positions, NULL, placed, &advance),
           TOI_ERROR_OPTION, "rank 1: does not make the same call as rank 0");
  }
  free(p);
}

static toi_status refuse_close(void *user, const toi_cluster_proximal *pairs, size_t count) {
  (void)pairs;
  CHECK(count > 0, "a visit without pairs");
  ++*(int *)user;
  return TOI_ERROR_CALLBACK;
}

static void distances_that_are_not_numbers_are_refused(toi_cluster *cluster) {
  small_part *p = make_part();
  int visits = 0;
  CHECK(toi_cluster_mesh(cluster, &p->part) == TOI_OK, "%s", toi_cluster_error(cluster));
  expect(cluster, "distance", toi_cluster_proximity(cluster, &p->positions, -1, NULL, false, refuse_close, &visits),
         TOI_ERROR_INPUT, "rank 0: distance is -1");
  expect(cluster, "close", toi_cluster_proximity(cluster, &p->positions, 3, NULL, true, refuse_close, &visits),
         TOI_ERROR_CALLBACK, "rank ");
  MPI_Allreduce(MPI_IN_PLACE, &visits, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  CHECK(visits > 0, "nobody was visited");
  free(p);
}

/* Numbers of vertices and faces up to the largest there is. */
static void the_largest_numbers_work(toi_cluster *cluster) {
  small_part *p = make_part();
  uint64_t corners[2][3];
  for (int f = 0; f < 2; f++)
    for (int k = 0; k < 3; k++)
      corners[f][k] = UINT64_MAX - 5 + faces[f][k];
  for (size_t i = 0; i < p->part.vertex_count; i++)
    p->vertices[i] += UINT64_MAX - 5;
  const uint64_t numbers[2] = {world_rank() == 0 ? 7 : UINT64_MAX, UINT64_MAX};
  p->part.faces = (const uint64_t(*)[3])corners + (world_rank() == 1 ? 1 : 0);
  p->part.face_numbers = numbers;
  toi_cluster_impact impact;
  CHECK(toi_cluster_mesh(cluster, &p->part) == TOI_OK, "%s", toi_cluster_error(cluster));
  CHECK(toi_cluster_step(cluster, &p->positions, NULL, &impact) == TOI_OK, "%s", toi_cluster_error(cluster));
  CHECK(impact.hit.verdict == TOI_HIT && impact.hit.t_lo == 0.5, "the triangles touch at %g", impact.hit.t_lo);
  CHECK(impact.vertices[0] >= UINT64_MAX - 5, "vertex %zu", (size_t)impact.vertices[0]);
  free(p);
}

static toi_status refuse_here(void *user, const toi_cluster_collision *collisions, size_t count) {
  (void)user;
  (void)collisions;
  (void)count;
  return TOI_ERROR_CALLBACK;
}

static void visitors_that_give_up_end_all_ranks(toi_cluster *cluster) {
  small_part *p = make_part();
  CHECK(toi_cluster_mesh(cluster, &p->part) == TOI_OK, "%s", toi_cluster_error(cluster));
  expect(cluster, "visitor", toi_cluster_collisions(cluster, &p->positions, NULL, false, refuse_here, NULL),
         TOI_ERROR_CALLBACK, "rank ");
  free(p);
}

static void lists_in_no_folder_are_refused(toi_cluster *cluster) {
  toi_cluster_list *list;
  expect(cluster, "list", toi_cluster_list_create(cluster, "/no/such/folder/list.json", false, &list), TOI_ERROR_FILE,
         "cannot be written");
  CHECK(list == NULL, "a list after all");
}

/* With other_rank.so on the last rank: another version there, and files that cannot be opened. */
static void run_with_other_rank(toi_cluster *cluster) {
  small_part *p = make_part();
  toi_cluster_list *list;
  char words[80];
  snprintf(words, sizeof words, "rank %d: does not make the same call as rank 0", world_size() - 1);
  expect(cluster, "version", toi_cluster_mesh(cluster, &p->part), TOI_ERROR_OPTION, words);
  expect(cluster, "list", toi_cluster_list_create(cluster, "list.json", false, &list), TOI_ERROR_OPTION, words);
  free(p);
}

int main(int argc, char **argv) {
  static void (*const tests[])(toi_cluster * cluster) = {vertices_of_two_ranks_are_refused,
                                                         faces_without_owner_are_refused,
                                                         faces_of_one_number_are_refused,
                                                         coordinates_that_are_not_finite_name_the_rank,
                                                         options_that_differ_are_refused,
                                                         visitors_that_give_up_end_all_ranks,
                                                         lists_in_no_folder_are_refused,
                                                         line_searches_without_end_are_refused,
                                                         distances_that_are_not_numbers_are_refused,
                                                         the_largest_numbers_work};
  CHECK(toi_cluster_begin() == TOI_OK, "no MPI");
  toi_context_options options = toi_default_context_options();
  options.threads = 1;
  toi_context *context;
  toi_cluster *cluster;
  CHECK(toi_context_create(&options, &context) == TOI_OK, "no context");
  CHECK(toi_cluster_create(context, NULL, &cluster) == TOI_OK, "no cluster");
  const bool other = argc > 1 && strcmp(argv[1], "other") == 0;
  if (other)
    run_with_other_rank(cluster);
  small_part *fine = make_part();
  for (size_t i = 0; !other && i < sizeof tests / sizeof tests[0]; i++) {
    tests[i](cluster);
    expect_fine(cluster, fine);
  }
  free(fine);
  toi_cluster_destroy(cluster);
  toi_context_destroy(context);
  toi_cluster_end();
  return 0;
}
