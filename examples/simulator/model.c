/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Builds the mesh of a scene: the cloth first, then the obstacles; then masses, triangles, hinges and grips. */

#include "model.h"

#include <stdlib.h>
#include <string.h>

#include "vector.h"

static const double pi = 3.14159265358979323846;

/* --- meshes --- */

typedef struct builder {
  double (*x)[3];
  size_t vertex_count, vertex_room;
  uint32_t (*faces)[3];
  size_t face_count, face_room;
} builder;

static void add_vertex(builder *b, double x, double y, double z) {
  b->x = grow(b->x, &b->vertex_room, b->vertex_count + 1, sizeof *b->x);
  double *to = b->x[b->vertex_count++];
  to[0] = x;
  to[1] = y;
  to[2] = z;
}

static void add_face(builder *b, size_t i, size_t j, size_t k) {
  b->faces = grow(b->faces, &b->face_room, b->face_count + 1, sizeof *b->faces);
  const uint32_t face[3] = {(uint32_t)i, (uint32_t)j, (uint32_t)k};
  memcpy(b->faces[b->face_count++], face, sizeof face);
}

/* Two triangles for the square i, j, k, l, in turn; the diagonals alternate. */
static void add_square(builder *b, const size_t at[4], bool odd) {
  add_face(b, at[0], at[1], at[odd ? 3 : 2]);
  add_face(b, at[odd ? 1 : 0], at[2], at[3]);
}

static void add_sheet(builder *b, const sim_cloth *c) {
  const size_t m = (size_t)c->cells[0], n = (size_t)c->cells[1];
  for (size_t i = 0; i <= m; i++)
    for (size_t j = 0; j <= n; j++)
      add_vertex(b, c->at[0] + c->size[0] * ((double)i / (double)m - 0.5),
                 c->at[1] + c->size[1] * ((double)j / (double)n - 0.5), c->at[2]);
  for (size_t i = 0; i < m; i++)
    for (size_t j = 0; j < n; j++) {
      const size_t at = i * (n + 1) + j, square[4] = {at, at + n + 1, at + n + 2, at + 1};
      add_square(b, square, (i + j) % 2 == 1);
    }
}

/* A grid that closes on itself around, and along too if `closed`: `along` times `around` points from `first` on. */
static void add_grid(builder *b, size_t first, size_t along, size_t around, bool closed) {
  for (size_t i = 0; i + (closed ? 0 : 1) < along; i++)
    for (size_t j = 0; j < around; j++) {
      const size_t this_row = first + i * around, next_row = first + (i + 1) % along * around;
      const size_t next = (j + 1) % around;
      const size_t square[4] = {this_row + j, next_row + j, next_row + next, this_row + next};
      add_square(b, square, (i + j) % 2 == 1);
    }
}

static void add_tube(builder *b, const sim_cloth *c) {
  const size_t along = (size_t)c->cells[0], around = (size_t)c->cells[1], first = b->vertex_count;
  for (size_t i = 0; i <= along; i++)
    for (size_t j = 0; j < around; j++) {
      const double turn = 2 * pi * (double)j / (double)around;
      add_vertex(b, c->at[0] + c->size[0] * ((double)i / (double)along - 0.5), c->at[1] + c->size[1] * cos(turn),
                 c->at[2] + c->size[1] * sin(turn));
    }
  add_grid(b, first, along + 1, around, false);
}

static void add_ball(builder *b, const sim_obstacle *o) {
  const size_t circles = (size_t)o->cells[0], around = (size_t)o->cells[1], first = b->vertex_count;
  for (size_t i = 0; i < circles; i++)
    for (size_t j = 0; j < around; j++) {
      const double latitude = pi * ((double)(i + 1) / (double)(circles + 1) - 0.5);
      const double longitude = 2 * pi * (double)j / (double)around;
      add_vertex(b, o->at[0] + o->radius * cos(latitude) * cos(longitude),
                 o->at[1] + o->radius * cos(latitude) * sin(longitude), o->at[2] + o->radius * sin(latitude));
    }
  add_grid(b, first, circles, around, false);
  const size_t south = b->vertex_count, north = south + 1, last = south - around;
  add_vertex(b, o->at[0], o->at[1], o->at[2] - o->radius);
  add_vertex(b, o->at[0], o->at[1], o->at[2] + o->radius);
  for (size_t j = 0; j < around; j++) {
    const size_t next = (j + 1) % around;
    add_face(b, south, first + j, first + next);
    add_face(b, north, last + next, last + j);
  }
}

static void add_ring(builder *b, const sim_obstacle *o) {
  const size_t along = (size_t)o->cells[0], around = (size_t)o->cells[1], first = b->vertex_count;
  for (size_t i = 0; i < along; i++)
    for (size_t j = 0; j < around; j++) {
      const double a = 2 * pi * (double)i / (double)along, c = 2 * pi * (double)j / (double)around;
      const double out = o->radius + o->tube - o->tube * cos(c);
      add_vertex(b, o->at[0] + out * cos(a), o->at[1] + out * sin(a), o->at[2] + o->tube * sin(c));
    }
  add_grid(b, first, along, around, true);
}

/* --- what is known at rest --- */

static bool make_triangles(const sim_scene *s, sim_model *m, sim_fault *fault) {
  m->triangles = take(m->cloth_faces, sizeof *m->triangles);
  m->mass = take(m->free_count, sizeof *m->mass);
  for (size_t i = 0; i < m->cloth_faces; i++) {
    sim_triangle *t = &m->triangles[i];
    memcpy(t->v, m->faces[i], sizeof t->v);
    if (!triangle_make(t, (const double(*)[3])m->start))
      return refuse(fault, "the cloth: triangle %zu has no area; give it a larger size or fewer cells", i);
    for (int k = 0; k < 3; k++)
      m->mass[t->v[k]] += s->cloth.density * t->area / 3;
  }
  return true;
}

/* A side of a triangle, by its vertices in order, with the direction in which the triangle goes around. */
typedef struct side {
  uint32_t lo, hi, opposite;
  bool forward;
} side;

static int compare_sides(const void *a, const void *b) {
  const side *p = a, *q = b;
  if (p->lo != q->lo)
    return p->lo < q->lo ? -1 : 1;
  if (p->hi != q->hi)
    return p->hi < q->hi ? -1 : 1;
  return (int)q->forward - (int)p->forward;
}

/* Each inner edge has two sides, one in each direction: the triangles of the cloth are oriented alike. */
static void make_hinges(const sim_scene *s, sim_model *m) {
  const size_t count = 3 * m->cloth_faces;
  side *sides = take(count, sizeof *sides);
  for (size_t i = 0; i < count; i++) {
    const uint32_t *face = m->faces[i / 3], a = face[i % 3], b = face[(i + 1) % 3];
    sides[i] = (side){a < b ? a : b, a < b ? b : a, face[(i + 2) % 3], a < b};
  }
  qsort(sides, count, sizeof *sides, compare_sides);
  m->hinges = take(count / 2 + 1, sizeof *m->hinges);
  for (size_t i = 0; i + 1 < count; i++) {
    const side *p = &sides[i], *q = &sides[i + 1];
    if (p->lo != q->lo || p->hi != q->hi)
      continue;
    sim_hinge *h = &m->hinges[m->hinge_count++];
    *h = (sim_hinge){.v = {p->lo, p->hi, p->opposite, q->opposite}};
    hinge_make(h, s->cloth.bend, (const double(*)[3])m->start);
  }
  free(sides);
}

static bool inside(const double box[2][3], const double x[3]) {
  bool in = true;
  for (int k = 0; k < 3; k++)
    in = in && x[k] >= box[0][k] && x[k] <= box[1][k];
  return in;
}

/* A vertex has one grip at most: that of the first box it is in. */
static bool make_grips(const sim_scene *s, sim_model *m, sim_fault *fault) {
  m->grips = take(m->free_count, sizeof *m->grips);
  size_t counts[SCENE_HELD] = {0};
  for (uint32_t i = 0; i < m->free_count; i++)
    for (uint32_t k = 0; k < s->held_count; k++)
      if (inside(s->held[k].box, m->start[i])) {
        m->grips[m->grip_count++] = (sim_grip){i, k};
        counts[k]++;
        break;
      }
  for (size_t k = 0; k < s->held_count; k++)
    if (counts[k] == 0)
      return refuse(fault, "held %zu: no vertex of the cloth starts in its box; enlarge it", k);
  return true;
}

/* The connectivity, given to libtoi once. Vertices of obstacles are fixed: pairs of these are skipped. */
static bool make_kept(toi_context *context, const sim_scene *s, sim_model *m, sim_fault *fault) {
  uint8_t *fixed = take(m->vertex_count, 1);
  memset(fixed + m->free_count, 1, m->vertex_count - m->free_count);
  const toi_topology topology = {.size = sizeof topology,
                                 .vertex_count = m->vertex_count,
                                 .faces = m->faces,
                                 .face_count = m->face_count,
                                 .fixed = fixed,
                                 .half_spaces = s->half_spaces,
                                 .half_space_count = s->half_space_count};
  const toi_status status = toi_scene_create(context, &topology, &m->kept);
  free(fixed);
  if (status != TOI_OK)
    return refuse(fault, "the mesh: %s", toi_context_error(context));
  toi_scene_edges(m->kept, &m->edges);
  return true;
}

bool model_make(toi_context *context, const sim_scene *s, sim_model *m, sim_fault *fault) {
  *m = (sim_model){0};
  builder b = {0};
  if (s->cloth.shape == SHAPE_SHEET)
    add_sheet(&b, &s->cloth);
  else
    add_tube(&b, &s->cloth);
  m->free_count = b.vertex_count;
  m->cloth_faces = b.face_count;
  for (size_t i = 0; i < s->obstacle_count; i++)
    if (s->obstacles[i].shape == SHAPE_BALL)
      add_ball(&b, &s->obstacles[i]);
    else
      add_ring(&b, &s->obstacles[i]);
  m->start = b.x;
  m->vertex_count = b.vertex_count;
  m->faces = b.faces;
  m->face_count = b.face_count;
  if (!make_kept(context, s, m, fault))
    return false;
  if (!make_triangles(s, m, fault) || !make_grips(s, m, fault))
    return false;
  make_hinges(s, m);
  return true;
}

void model_free(sim_model *m) {
  toi_scene_destroy(m->kept);
  free(m->start);
  free(m->faces);
  free(m->mass);
  free(m->triangles);
  free(m->hinges);
  free(m->grips);
  *m = (sim_model){0};
}

toi_positions model_positions(const sim_model *m, const double (*start)[3], const double (*end)[3]) {
  return (toi_positions){.size = sizeof(toi_positions), .start = start, .end = end, .vertex_count = m->vertex_count};
}
