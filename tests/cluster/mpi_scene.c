/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Random meshes dealt out in many ways: the cluster's answers are those of the library on the whole mesh, bit by bit.
 * The oracle is toi/scene.h on rank 0, which tests of its own compare with exact arithmetic. Run under mpirun by
 * test_cluster.sh.
 *   mpi_scene [ROUNDS [SEED]] */

#include "mesh_parts.h"

#include <math.h>

#define SIZE 240

/* --- meshes --- */

/* Small triangles, loose edges and loose points, biased to coordinates that coincide. */
static double place(uint64_t *state, double spread) {
  const double x = (next_unit(state) - 0.5) * spread;
  return next_random(state) % 3 == 0 ? round(4 * x) / 4 : x;
}

static void scatter(whole_mesh *w, uint64_t *state, double spread) {
  w->start = calloc(w->vertex_count, sizeof *w->start);
  w->end = calloc(w->vertex_count, sizeof *w->end);
  const double speed = next_random(state) % 4 == 0 ? 0 : 1;
  for (size_t i = 0; i < w->vertex_count; i++)
    for (int k = 0; k < 3; k++) {
      // Triangles of neighbours in number: the first vertex of three anywhere, the others near it.
      w->start[i][k] = i % 3 == 0 ? place(state, spread) : w->start[i - i % 3][k] + place(state, 1);
      w->end[i][k] = w->start[i][k] + speed * place(state, 1);
    }
}

static whole_mesh make_mesh(toi_context *context, uint64_t seed) {
  uint64_t state = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
  whole_mesh w = {.vertex_count = seed % 7 == 0 ? 3 + seed % 5 : SIZE};
  scatter(&w, &state, seed % 3 == 0 ? 2 : 6);
  w.faces = calloc(w.vertex_count, sizeof *w.faces);
  w.loose = calloc(w.vertex_count, sizeof *w.loose);
  for (uint32_t i = 0; i + 3 <= w.vertex_count; i += 3) {
    const uint64_t what = next_random(&state) % 8;
    uint32_t face[3] = {i, i + 1, i + 2};
    if (what == 0)
      face[1] = face[0];
    if (what == 1)
      face[2] = face[1] = face[0];
    if (what < 6 || w.vertex_count < SIZE)
      memcpy(w.faces[w.face_count++], face, sizeof face);
    if (what == 6)
      memcpy(w.loose[w.loose_count++], face, sizeof w.loose[0]);
    // Strips: neighbours share an edge.
    const uint32_t next[3] = {i + 2, i + 1, i + 3};
    if (what > 2 && i + 4 <= w.vertex_count && what != 7)
      memcpy(w.faces[w.face_count++], next, sizeof next);
  }
  CHECK(toi_mesh_edges(context, (const uint32_t(*)[3])w.faces, w.face_count, (const uint32_t(*)[2])w.loose,
                       w.loose_count, &w.edges, &w.edge_count) == TOI_OK,
        "edges: %s", toi_context_error(context));
  if (seed % 4 == 1) {
    w.bodies = calloc(w.vertex_count, sizeof *w.bodies);
    w.fixed = calloc(w.vertex_count, 1);
    for (size_t i = 0; i < w.vertex_count; i++) {
      w.bodies[i] = (uint32_t)(i / 12 % 3);
      w.fixed[i] = i % 5 == 0;
    }
  }
  if (seed % 4 == 2) {
    w.thickness = calloc(w.vertex_count, sizeof *w.thickness);
    for (size_t i = 0; i < w.vertex_count; i++)
      w.thickness[i] = i % 11 == 0 ? 0.25 : 0;
  }
  if (seed % 5 == 0) {
    w.half_spaces[0] = (toi_half_space){{0, 0, 1}, -1.5};
    w.half_space_count = 1;
  }
  return w;
}

static void mesh_free(toi_context *context, whole_mesh *w) {
  toi_mesh_edges_free(context, w->edges, w->edge_count);
  free(w->start);
  free(w->end);
  free(w->faces);
  free(w->loose);
  free(w->bodies);
  free(w->fixed);
  free(w->thickness);
}

/* --- the library's answers --- */

static toi_status keep_serial(void *user, const toi_collision *collisions, size_t count) {
  for (size_t i = 0; i < count; i++) {
    toi_cluster_collision c = {.hit = collisions[i].hit,
                               .kind = collisions[i].kind,
                               .pair = {collisions[i].pair.first, collisions[i].pair.second}};
    memcpy(c.first, collisions[i].first, sizeof c.first);
    memcpy(c.second, collisions[i].second, sizeof c.second);
    records_add(user, &c);
  }
  return TOI_OK;
}

typedef struct kind_pair {
  uint64_t kind, first, second;
} kind_pair;

static toi_status keep_serial_pairs(void *user, toi_kind kind, const toi_pair *pairs, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const kind_pair p = {(uint64_t)kind, pairs[i].first, pairs[i].second};
    records_add(user, &p);
  }
  return TOI_OK;
}

/* --- the cluster's --- */

static toi_status keep(void *user, const toi_cluster_collision *collisions, size_t count) {
  for (size_t i = 0; i < count; i++)
    records_add(user, &collisions[i]);
  return TOI_OK;
}

static toi_status keep_pairs(void *user, toi_kind kind, const toi_cluster_pair *pairs, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const kind_pair p = {(uint64_t)kind, pairs[i].first, pairs[i].second};
    records_add(user, &p);
  }
  return TOI_OK;
}

static toi_status keep_serial_close(void *user, const toi_proximal *pairs, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const toi_cluster_proximal p = {
        .distance = pairs[i].distance, .kind = pairs[i].kind, .pair = {pairs[i].pair.first, pairs[i].pair.second}};
    records_add(user, &p);
  }
  return TOI_OK;
}

static toi_status keep_close(void *user, const toi_cluster_proximal *pairs, size_t count) {
  for (size_t i = 0; i < count; i++)
    records_add(user, &pairs[i]);
  return TOI_OK;
}

/* --- comparing --- */

static int compare_pairs(const void *a, const void *b) {
  const kind_pair *x = a, *y = b;
  if (x->kind != y->kind)
    return x->kind < y->kind ? -1 : 1;
  if (x->first != y->first)
    return x->first < y->first ? -1 : 1;
  return (x->second > y->second) - (x->second < y->second);
}

static int compare_collisions(const void *a, const void *b) {
  const toi_cluster_collision *x = a, *y = b;
  const kind_pair p = {(uint64_t)x->kind, x->pair.first, x->pair.second};
  const kind_pair q = {(uint64_t)y->kind, y->pair.first, y->pair.second};
  return compare_pairs(&p, &q);
}

static int compare_close(const void *a, const void *b) {
  const toi_cluster_proximal *x = a, *y = b;
  const kind_pair p = {(uint64_t)x->kind, x->pair.first, x->pair.second};
  const kind_pair q = {(uint64_t)y->kind, y->pair.first, y->pair.second};
  return compare_pairs(&p, &q);
}

/* The verdict's level may differ where a miss is proved; of hits everything is the same. */
static bool same_hit(const toi_hit *a, const toi_hit *b) {
  return memcmp(a, b, sizeof *a) == 0;
}

/* What line searches met, so that a test that meets nothing is noticed. */
static uint64_t tries, cut;

typedef struct job {
  const char *name;
  toi_context *context;
  toi_cluster *cluster;
  const whole_mesh *whole;
  const rank_part *part;
  toi_options options;
} job;

static void check_step(const job *j) {
  const toi_positions positions = positions_of(j->part);
  toi_cluster_impact impact;
  CHECK(toi_cluster_step(j->cluster, &positions, &j->options, &impact) == TOI_OK, "%s: %s", j->name,
        toi_cluster_error(j->cluster));
  const toi_mesh mesh = mesh_of(j->whole);
  toi_impact serial;
  CHECK(toi_step(j->context, &mesh, &j->options, &serial) == TOI_OK, "%s: %s", j->name, toi_context_error(j->context));
  CHECK(same_hit(&serial.hit, &impact.hit), "%s: rank %d: %s at %a, %s at %a on one machine", j->name, world_rank(),
        toi_verdict_name(impact.hit.verdict), impact.hit.t_lo, toi_verdict_name(serial.hit.verdict), serial.hit.t_lo);
  if (serial.hit.verdict != TOI_MISS)
    CHECK(impact.kind == serial.kind && impact.pair.first == serial.pair.first &&
              impact.pair.second == serial.pair.second,
          "%s: pair %d %zu %zu, %d %u %u on one machine", j->name, impact.kind, (size_t)impact.pair.first,
          (size_t)impact.pair.second, serial.kind, serial.pair.first, serial.pair.second);
}

/* In order on each rank, and together those of one machine. */
static void check_collisions(const job *j) {
  const toi_positions positions = positions_of(j->part);
  record_list own = {.size = sizeof(toi_cluster_collision)}, serial = own;
  CHECK(toi_cluster_collisions(j->cluster, &positions, &j->options, false, keep, &own) == TOI_OK, "%s: %s", j->name,
        toi_cluster_error(j->cluster));
  for (size_t i = 1; i < own.count; i++)
    CHECK(compare_collisions(own.at + (i - 1) * own.size, own.at + i * own.size) < 0, "%s: out of order", j->name);
  record_list all = records_gather(&own);
  if (world_rank() == 0) {
    const toi_mesh mesh = mesh_of(j->whole);
    CHECK(toi_collisions(j->context, &mesh, &j->options, keep_serial, &serial) == TOI_OK, "%s",
          toi_context_error(j->context));
    qsort(all.at, all.count, all.size, compare_collisions);
    CHECK(all.count == serial.count, "%s: %zu collisions, %zu on one machine", j->name, all.count, serial.count);
    for (size_t i = 0; i < all.count; i++) {
      const toi_cluster_collision *a = (const void *)(all.at + i * all.size);
      const toi_cluster_collision *b = (const void *)(serial.at + i * all.size);
      CHECK(compare_collisions(a, b) == 0 && same_hit(&a->hit, &b->hit) && a->decided == 1 &&
                memcmp(a->first, b->first, sizeof a->first) == 0 && memcmp(a->second, b->second, sizeof a->second) == 0,
            "%s: collision %zu differs", j->name, i);
    }
  }
  free(own.at);
  free(all.at);
  free(serial.at);
}

static bool owns(const job *j, uint64_t vertex) {
  for (size_t i = 0; i < j->part->part.vertex_count; i++)
    if (j->part->vertices[i] == vertex)
      return true;
  return false;
}

/* To owners: every rank has, beside what it decided, exactly those that have a vertex of it. */
static void check_owners(const job *j) {
  const toi_positions positions = positions_of(j->part);
  record_list decided = {.size = sizeof(toi_cluster_collision)}, known = decided;
  CHECK(toi_cluster_collisions(j->cluster, &positions, &j->options, false, keep, &decided) == TOI_OK, "%s: %s", j->name,
        toi_cluster_error(j->cluster));
  CHECK(toi_cluster_collisions(j->cluster, &positions, &j->options, true, keep, &known) == TOI_OK, "%s: %s", j->name,
        toi_cluster_error(j->cluster));
  record_list all = records_gather(&decided);
  int count = (int)all.count;
  MPI_Bcast(&count, 1, MPI_INT, 0, MPI_COMM_WORLD);
  all.count = (size_t)count;
  all.at = realloc(all.at, all.count * all.size + 1);
  MPI_Bcast(all.at, (int)(all.count * all.size), MPI_BYTE, 0, MPI_COMM_WORLD);
  qsort(all.at, all.count, all.size, compare_collisions);
  size_t next = 0;
  for (size_t i = 0; i < all.count; i++) {
    const toi_cluster_collision *c = (const void *)(all.at + i * all.size);
    const size_t points = c->kind == TOI_VERTEX_HALF_SPACE ? 1 : toi_kind_points(c->kind);
    bool due = false, mine = false;
    for (size_t k = 0; k < points; k++)
      due = due || owns(j, c->vertices[k]);
    for (size_t k = 0; k < decided.count && !mine; k++)
      mine = compare_collisions(c, decided.at + k * decided.size) == 0;
    if (!due && !mine)
      continue;
    CHECK(next < known.count, "%s: a collision of an owner is missing", j->name);
    const toi_cluster_collision *k = (const void *)(known.at + next++ * known.size);
    CHECK(compare_collisions(c, k) == 0 && same_hit(&c->hit, &k->hit) && k->decided == mine,
          "%s: collision %zu of an owner differs", j->name, next - 1);
  }
  const toi_cluster_work work = toi_cluster_last_work(j->cluster);
  uint64_t hits = 0;
  for (int kind = 0; kind < TOI_COUNTERS; kind++)
    hits += work.hits[kind];
  CHECK(hits == decided.count, "%s: %zu hits counted, %zu came", j->name, (size_t)hits, decided.count);
  CHECK(next == known.count, "%s: %zu collisions too many for an owner", j->name, known.count - next);
  free(decided.at);
  free(known.at);
  free(all.at);
}

static void check_candidates(const job *j) {
  const toi_positions positions = positions_of(j->part);
  record_list own = {.size = sizeof(kind_pair)}, serial = own;
  CHECK(toi_cluster_candidates(j->cluster, &positions, &j->options, keep_pairs, &own) == TOI_OK, "%s: %s", j->name,
        toi_cluster_error(j->cluster));
  record_list all = records_gather(&own);
  if (world_rank() == 0) {
    const toi_mesh mesh = mesh_of(j->whole);
    CHECK(toi_candidates(j->context, &mesh, &j->options, keep_serial_pairs, &serial) == TOI_OK, "%s",
          toi_context_error(j->context));
    qsort(all.at, all.count, all.size, compare_pairs);
    if (serial.count > 0)
      qsort(serial.at, serial.count, serial.size, compare_pairs);
    CHECK(all.count == serial.count && (all.count == 0 || memcmp(all.at, serial.at, all.count * all.size) == 0),
          "%s: %zu candidates, %zu on one machine", j->name, all.count, serial.count);
  }
  free(own.at);
  free(all.at);
  free(serial.at);
}

/* To owners every copy goes to whom a vertex belongs; the others are counted. */
static void check_proximity(const job *j, bool to_owners) {
  const toi_positions positions = positions_of(j->part);
  const double distance = j->options.min_separation > 0 ? 0.25 : 0.1;
  record_list own = {.size = sizeof(toi_cluster_proximal)}, serial = own;
  CHECK(toi_cluster_proximity(j->cluster, &positions, distance, &j->options, to_owners, keep_close, &own) == TOI_OK,
        "%s: %s", j->name, toi_cluster_error(j->cluster));
  size_t decided = 0;
  for (size_t i = 0; i < own.count; i++) {
    toi_cluster_proximal *p = (void *)(own.at + i * own.size);
    CHECK(i == 0 || compare_close(own.at + (i - 1) * own.size, p) < 0, "%s: close pairs out of order", j->name);
    bool mine = false;
    for (size_t k = 0; k < (p->kind == TOI_VERTEX_HALF_SPACE ? 1 : toi_kind_points(p->kind)); k++)
      mine = mine || owns(j, p->vertices[k]);
    CHECK(p->decided || mine, "%s: a pair that is nothing to this rank", j->name);
    if (p->decided)
      memmove(own.at + decided++ * own.size, p, own.size);
  }
  CHECK(to_owners || decided == own.count, "%s: a copy that nobody asked for", j->name);
  own.count = decided;
  record_list all = records_gather(&own);
  if (world_rank() == 0) {
    const toi_mesh mesh = mesh_of(j->whole);
    CHECK(toi_proximity(j->context, &mesh, distance, &j->options, keep_serial_close, &serial) == TOI_OK, "%s",
          toi_context_error(j->context));
    qsort(all.at, all.count, all.size, compare_close);
    CHECK(all.count == serial.count, "%s: %zu close pairs, %zu on one machine", j->name, all.count, serial.count);
    for (size_t i = 0; i < all.count; i++) {
      const toi_cluster_proximal *a = (const void *)(all.at + i * all.size);
      const toi_cluster_proximal *b = (const void *)(serial.at + i * all.size);
      CHECK(compare_close(a, b) == 0 && memcmp(&a->distance, &b->distance, sizeof a->distance) == 0,
            "%s: close pair %zu differs", j->name, i);
    }
  }
  free(own.at);
  free(all.at);
  free(serial.at);
}

/* Positions as doubles, or, in other rounds, as floats. */
static void check_line_search(const job *j, uint64_t seed) {
  toi_positions positions = positions_of(j->part);
  const size_t own = j->part->part.vertex_count, all = j->whole->vertex_count;
  const bool narrow = seed % 2 == 1;
  const size_t scalar = narrow ? sizeof(float) : sizeof(double);
  toi_mesh mesh = mesh_of(j->whole);
  char *rows[6];
  for (int i = 0; i < 6; i++)
    rows[i] = calloc(3 * (i < 3 ? own : all) + 1, scalar);
  for (int state = 0; state < 2; state++)
    for (size_t i = 0; i < 3 * (own + all); i++) {
      const double *from = i < 3 * own ? (const double *)(state ? positions.end : positions.start) + i
                                       : (const double *)(state ? mesh.end : mesh.start) + (i - 3 * own);
      char *to = i < 3 * own ? rows[state] + scalar * i : rows[3 + state] + scalar * (i - 3 * own);
      const float rounded = (float)*from;
      memcpy(to, narrow ? (const void *)&rounded : (const void *)from, scalar);
    }
  positions.start = rows[0];
  positions.end = rows[1];
  mesh.start = rows[3];
  mesh.end = rows[4];
  positions.scalar = mesh.scalar = narrow ? TOI_FLOAT32 : TOI_FLOAT64;
  toi_options options = j->options;
  options.separation_fraction = seed % 3 == 0 ? 0.25 : options.separation_fraction;
  toi_cluster_advance advance;
  toi_advance serial;
  CHECK(toi_cluster_line_search(j->cluster, &positions, &options, rows[2], &advance) == TOI_OK, "%s: %s", j->name,
        toi_cluster_error(j->cluster));
  CHECK(toi_line_search(j->context, &mesh, &options, rows[5], &serial) == TOI_OK, "%s: %s", j->name,
        toi_context_error(j->context));
  CHECK(advance.step == serial.step && advance.fraction == serial.fraction && advance.tries == serial.tries &&
            same_hit(&advance.first.hit, &serial.first.hit),
        "%s: step %a, fraction %g, %u tries; %a, %g, %u on one machine", j->name, advance.step, advance.fraction,
        advance.tries, serial.step, serial.fraction, serial.tries);
  for (size_t i = 0; i < own; i++)
    CHECK(memcmp(rows[2] + 3 * scalar * i, rows[5] + 3 * scalar * j->part->vertices[i], 3 * scalar) == 0,
          "%s: vertex %zu is placed elsewhere", j->name, (size_t)j->part->vertices[i]);
  tries += advance.tries;
  cut += advance.step > 0 && advance.step < options.t_max;
  for (int i = 0; i < 6; i++)
    free(rows[i]);
}

/* --- all of it --- */

static toi_options options_of(uint64_t seed) {
  toi_options options = toi_default_options();
  if (seed % 3 == 1)
    options.min_separation = 0.125;
  if (seed % 6 == 2)
    options.separation_fraction = 0.5;
  if (seed % 5 == 1)
    options.t_max = 0.75;
  if (seed % 8 == 5) {
    options.method = "tight-inclusion";
    options.max_checks = 1000;
  }
  return options;
}

static void run_round(toi_context *context, uint64_t seed) {
  whole_mesh whole = make_mesh(context, seed);
  toi_cluster *cluster;
  CHECK(toi_cluster_create(context, NULL, &cluster) == TOI_OK, "no cluster");
  CHECK(toi_cluster_rank(cluster) == world_rank() && toi_cluster_ranks(cluster) == world_size(), "another rank");
  for (int how = 0; how < DEALINGS; how++) {
    rank_part *part = part_of(&whole, (dealing)how, seed);
    char name[64];
    snprintf(name, sizeof name, "seed %zu, dealing %d, %d ranks", (size_t)seed, how, world_size());
    CHECK(toi_cluster_mesh(cluster, &part->part) == TOI_OK, "%s: %s", name, toi_cluster_error(cluster));
    const toi_cluster_counts counts = toi_cluster_count(cluster);
    CHECK(counts.vertices == whole.vertex_count && counts.edges == whole.edge_count && counts.faces == whole.face_count,
          "%s: counts differ", name);
    const job j = {name, context, cluster, &whole, part, options_of(seed)};
    check_candidates(&j);
    check_step(&j);
    check_collisions(&j);
    check_proximity(&j, how == AT_RANDOM);
    check_line_search(&j, seed + (uint64_t)how);
    if (how == AT_RANDOM)
      check_owners(&j);
    part_free(part);
  }
  toi_cluster_destroy(cluster);
  mesh_free(context, &whole);
}

int main(int argc, char **argv) {
  CHECK(toi_cluster_begin() == TOI_OK, "no MPI");
  const uint64_t rounds = argc > 1 ? strtoull(argv[1], NULL, 10) : 20;
  const uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
  toi_context_options options = toi_default_context_options();
  options.threads = 1 + (uint32_t)world_rank() % 2;
  toi_context *context;
  CHECK(toi_context_create(&options, &context) == TOI_OK, "no context");
  for (uint64_t i = 0; i < rounds; i++)
    run_round(context, seed + i);
  if (world_rank() == 0)
    printf("%zu meshes from seed %zu, %d ranks: the same answers; %zu of their line searches cut the step, %zu tries\n",
           (size_t)rounds, (size_t)seed, world_size(), (size_t)cut, (size_t)tries);
  toi_context_destroy(context);
  toi_cluster_end();
  return 0;
}
