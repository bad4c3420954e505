/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Pairs of patches whose time of contact is known at every place.
 *
 * The one patch is a graph, z = g(x, y) + t over a square, the other any patch inside the square's prism whose points
 * move upwards and downwards only. A point of it then meets the graph at a single time, by a formula. */

#ifndef TOI_TESTS_SURFACE_GRAPHS_H
#define TOI_TESTS_SURFACE_GRAPHS_H

#include "surface/dense.h"

/* The graph is on side `graph`, the other patch on the other one. */
typedef struct graph_case {
  test_case c;
  int graph;
  double tilt; /* of a bilinear graph's weights: that of u = 1 beside that of u = 0; 0: it has none */
} graph_case;

static inline test_patch *graph_of(graph_case *g) {
  return g->graph == 0 ? &g->c.a : &g->c.b;
}

static inline test_patch *other_of(graph_case *g) {
  return g->graph == 0 ? &g->c.b : &g->c.a;
}

/* --- making them --- */

/* Over [-2, 2] x [-2, 2], going up with speed 1 from z = -1; `bend` is the size of its waves. Degrees 1, 2 and 4: x and
 * y are then exactly linear. */
static inline void make_graph(test_patch *p, uint32_t degree, double bend, uint64_t *seed) {
  patch_make(p, TOI_PATCH_QUAD, degree, degree);
  for (uint32_t i = 0; i <= degree; i++)
    for (uint32_t j = 0; j <= degree; j++) {
      double *x = p->points[i * (degree + 1) + j];
      x[0] = 4.0 * i / degree - 2;
      x[1] = 4.0 * j / degree - 2;
      x[2] = -1 + bend * random_between(seed, -1, 1);
      p->velocities[i * (degree + 1) + j][2] = 1;
    }
}

/* A bowl of the other patch, its lowest place somewhere around its middle, or a saddle. */
static inline void make_bowl(test_patch *p, bool saddle, uint64_t *seed) {
  size_t count = patch_count(p);
  uint32_t m = p->patch.degree[0], n = p->patch.shape == TOI_PATCH_QUAD ? p->patch.degree[1] : m;
  double x0 = random_between(seed, -0.8, 0.8), y0 = random_between(seed, -0.8, 0.8);
  double noise = random_below(seed, 2) ? 0.25 : 0.02, pull = random_below(seed, 2) ? 0.2 : 0;
  for (size_t i = 0; i < count; i++) {
    double x, y, *point = p->points[i];
    if (p->patch.shape == TOI_PATCH_QUAD) {
      size_t row = i / (n + 1);
      x = m ? 2.0 * (double)row / m - 1 : 0;
      y = n ? 2.0 * (double)(i % (n + 1)) / n - 1 : 0;
    } else {
      size_t b = 0, a = i;
      for (; a > m - b; b++)
        a -= m - b + 1;
      x = 2.0 * (double)a / m - 1;
      y = 2.0 * (double)b / m - 1;
    }
    point[0] = x + random_between(seed, -noise, noise);
    point[1] = y + random_between(seed, -noise, noise);
    point[2] = (x - x0) * (x - x0) + (saddle ? -1 : 1) * (y - y0) * (y - y0) + random_between(seed, -noise, noise);
    p->velocities[i][0] = p->velocities[i][1] = 0;
    p->velocities[i][2] = random_between(seed, -pull, pull);
  }
}

static inline void random_graph_case(uint64_t *seed, graph_case *g) {
  g->graph = (int)random_below(seed, 2);
  g->tilt = 0;
  g->c.t_max = 6;
  make_graph(graph_of(g), 1u << random_below(seed, 3), random_below(seed, 3) ? 0.3 : 0, seed);
  test_patch *other = other_of(g);
  if (random_below(seed, 2))
    patch_make(other, TOI_PATCH_QUAD, 1 + random_below(seed, 4), 1 + random_below(seed, 4));
  else
    patch_make(other, TOI_PATCH_TRIANGLE, 1 + random_below(seed, 4), 0);
  make_bowl(other, random_below(seed, 4) == 0, seed);
  if (random_below(seed, 2)) {
    double span = random_below(seed, 2) ? 3 : 0.5;
    other->patch.weights = other->weights;
    for (size_t i = 0; i < patch_count(other); i++)
      other->weights[i] = exp2(random_between(seed, -span, span));
  }
}

/* --- the time of contact at a place --- */

/* When the other patch's point at uv meets the graph, and where on it. */
static inline double time_at(graph_case *g, const double uv[2], double on_graph[2]) {
  dense_point s, under;
  dense_evaluate(&other_of(g)->patch, uv[0], uv[1], &s);
  for (int k = 0; k < 2; k++)
    on_graph[k] = (s.value[k] + 2) / 4;
  if (g->tilt > 0)
    on_graph[0] = on_graph[0] / (g->tilt * (1 - on_graph[0]) + on_graph[0]);
  dense_evaluate(&graph_of(g)->patch, on_graph[0], on_graph[1], &under);
  return (s.value[2] - under.value[2]) / (1 - s.value[5]);
}

#endif
