/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Swept boxes of turning bodies: where a point of one body is, seen from another, computed in numbers of 113 bits from
 * the law itself, is never left out of the piece that it is in; and the slack is needed: with a quarter of it points
 * are left out. Both kernels give the same bits. */

#include <stdlib.h>

#include "broad/swept_table.h"
#include "narrow/rotating_cases.h"

#if defined(__x86_64__)
__extension__ typedef __float128 wide;
#else
typedef long double wide; /* of 113 bits there */
#endif

enum { POINTS = 24 };

/* --- the law, in wide numbers --- */

/* A body that turns at a constant rate, by the textbook's formulas, in numbers of 64 bits: far finer than the slack. */
static void steady_pose(const toi_moving_body *body, wide t, wide q[4], wide position[3]) {
  long double p[2][4], dot = 0, sine = 0, axis[3], across[3], along = 0, centre[3], arm[3], turned[3];
  for (int k = 0; k < 2; k++) {
    const double *from = k == 0 ? body->start.quaternion : body->end.quaternion;
    long double square = 0;
    for (int i = 0; i < 4; i++)
      square += (long double)from[i] * (long double)from[i];
    for (int i = 0; i < 4; i++)
      p[k][i] = (long double)from[i] / sqrtl(square);
  }
  for (int i = 0; i < 4; i++)
    dot += p[0][i] * p[1][i];
  // The vector of p1 p0'.
  for (int i = 0; i < 3; i++) {
    const int y = (i + 1) % 3, z = (i + 2) % 3;
    axis[i] = p[0][0] * p[1][i + 1] - p[1][0] * p[0][i + 1] + p[0][y + 1] * p[1][z + 1] - p[0][z + 1] * p[1][y + 1];
    sine += axis[i] * axis[i];
  }
  sine = sqrtl(sine);
  const long double phi = atan2l(sine, dot), s = (long double)t;
  for (int i = 0; i < 4; i++)
    q[i] = (wide)(sine > 0 ? (sinl((1 - s) * phi) * p[0][i] + sinl(s * phi) * p[1][i]) / sinl(phi) : p[0][i]);
  for (int i = 0; i < 3; i++)
    position[i] = (1 - t) * (wide)body->start.position[i] + t * (wide)body->end.position[i];
  if (body->law != TOI_LAW_SCREW || !(sine > 0))
    return;
  for (int i = 0; i < 3; i++) {
    axis[i] /= sine;
    along += axis[i] * ((long double)body->end.position[i] - (long double)body->start.position[i]);
  }
  for (int i = 0; i < 3; i++)
    across[i] = (long double)body->end.position[i] - (long double)body->start.position[i] - along * axis[i];
  // Both ends are on a circle about the centre.
  for (int i = 0; i < 3; i++) {
    const int y = (i + 1) % 3, z = (i + 2) % 3;
    const long double side = axis[y] * across[z] - axis[z] * across[y];
    centre[i] = (long double)body->start.position[i] + 0.5L * (across[i] + dot / sine * side);
    arm[i] = (long double)body->start.position[i] - centre[i];
  }
  for (int i = 0; i < 3; i++) {
    const int y = (i + 1) % 3, z = (i + 2) % 3;
    turned[i] = axis[y] * arm[z] - axis[z] * arm[y];
  }
  for (int i = 0; i < 3; i++)
    position[i] = (wide)(centre[i] + cosl(2 * s * phi) * arm[i] + sinl(2 * s * phi) * turned[i] + s * along * axis[i]);
}

/* R p + position, times nothing: the division is by |q|^2. */
static void place(const toi_moving_body *body, wide t, const double p[3], bool back, const wide from[3], wide out[3]) {
  wide q[4], n = 0, v[3], inner[3], position[3];
  for (int i = 0; i < 4; i++)
    q[i] = (1 - t) * (wide)body->start.quaternion[i] + t * (wide)body->end.quaternion[i];
  for (int i = 0; i < 3; i++)
    position[i] = (1 - t) * (wide)body->start.position[i] + t * (wide)body->end.position[i];
  if (body->law != TOI_LAW_NLERP)
    steady_pose(body, t, q, position);
  for (int i = 0; i < 4; i++)
    n += q[i] * q[i];
  for (int i = 0; i < 3; i++)
    v[i] = back ? from[i] - position[i] : (wide)p[i];
  // Back: by the conjugate.
  for (int i = 1; i < 4 && back; i++)
    q[i] = -q[i];
  for (int i = 0; i < 3; i++) {
    const int y = (i + 1) % 3, z = (i + 2) % 3;
    inner[i] = q[y + 1] * v[z] - q[z + 1] * v[y] + q[0] * v[i];
  }
  for (int i = 0; i < 3; i++) {
    const int y = (i + 1) % 3, z = (i + 2) % 3;
    out[i] = v[i] + 2 * (q[y + 1] * inner[z] - q[z + 1] * inner[y]) / n + (back ? 0 : position[i]);
  }
}

/* Point p of body 0 at t in the coordinates of the tree of body 1. */
static void seen(const toi_moving_body body[2], const toi_body_tree *tree, const double p[3], wide t, wide out[3]) {
  wide world[3];
  place(&body[0], t, p, false, NULL, world);
  place(&body[1], t, NULL, true, world, out);
  wide unit = 1;
  for (int e = tree->exponent; e > 0; e--)
    unit *= 2;
  for (int e = tree->exponent; e < 0; e++)
    unit /= 2;
  for (int i = 0; i < 3; i++)
    out[i] = (out[i] - (wide)tree->centre[i]) / unit;
}

/* --- a pair of bodies --- */

typedef struct pair {
  toi_moving_body body[2];
  double points[2][POINTS][3];
  uint32_t corners[2][POINTS][3];
  toi_body_tree tree[2];
  toi_body_samples samples[2];
  toi_swept_table table;
} pair;

/* Any law; a screw that hardly turns has its centre far away, where the formulas of this test see little. */
static toi_law law_of(const toi_moving_body *body, uint64_t *state) {
  const double *a = body->start.quaternion, *b = body->end.quaternion;
  double dot = 0, square[2] = {0, 0};
  for (int i = 0; i < 4; i++) {
    dot += a[i] * b[i];
    square[0] += a[i] * a[i];
    square[1] += b[i] * b[i];
  }
  const toi_law law = (toi_law)(test_random(state) % 3);
  const double cosine = dot / sqrt(square[0]) / sqrt(square[1]);
  return law == TOI_LAW_SCREW && !(cosine < 0.9999) ? TOI_LAW_SLERP : law;
}

static void make_pair(toi_context *context, uint64_t *state, pair *p) {
  const rotating_case of = case_random(state, (int)(test_random(state) % CASE_STYLES), TOI_VERTEX_FACE);
  const double away = test_random(state) % 3 == 0 ? 100 : 0, scale = test_random(state) % 4 == 0 ? 1e-3 : 1;
  const bool faces = test_random(state) % 2 == 0, flat = test_random(state) % 2 == 0;
  for (int i = 0; i < 2; i++) {
    p->body[i] = of.body[i];
    toi_shorter_way(&p->body[i]);
    p->body[i].law = law_of(&p->body[i], state);
    for (uint32_t k = 0; k < POINTS; k++) {
      double at[3] = {case_between(state, -1, 1), case_between(state, -1, 1), case_between(state, -1, 1)};
      at[2] = flat ? 0.3 * at[0] - 0.2 * at[1] + 1e-3 * at[2] : at[2];
      for (uint32_t axis = 0; axis < 3; axis++) {
        p->points[i][k][axis] = (away * (i == 0) + at[axis]) * (i == 0 ? scale : 1);
        p->corners[i][k][axis] = faces ? (k + axis) % POINTS : k;
      }
    }
    const toi_body_primitives primitives = {(const double(*)[3])p->points[i], POINTS,
                                            (const uint32_t(*)[3])p->corners[i], POINTS};
    assert_int_equal(toi_body_tree_make(context, &primitives, &p->tree[i]), TOI_OK);
    toi_body_samples_make(&p->body[i], &p->samples[i]);
  }
  const toi_body_samples *const samples[2] = {&p->samples[0], &p->samples[1]};
  const toi_body_tree *const trees[2] = {&p->tree[0], &p->tree[1]};
  toi_swept_table_make(samples, trees, 0, &p->table);
}

static void free_pair(toi_context *context, pair *p) {
  for (int i = 0; i < 2; i++)
    toi_body_tree_free(context, &p->tree[i]);
}

/* A node that holds point k, from the root down as far as `depth`. */
static uint32_t number_of(const toi_body_tree *tree, uint32_t k, uint64_t depth) {
  toi_body_node node = toi_body_tree_root(tree);
  while (node.leaves > 1 && depth-- > 0) {
    toi_body_node child[2];
    bool first = false;
    toi_body_node_split(node, child);
    for (size_t i = (size_t)child[0].first * TOI_LEAF_PRIMITIVES;
         i < (size_t)child[1].first * TOI_LEAF_PRIMITIVES && i < tree->count; i++)
      first = first || tree->order[i] == k;
    node = child[first ? 0 : 1];
  }
  return node.number;
}

static const float *node_of(const toi_body_tree *tree, uint32_t k, uint64_t depth) {
  return tree->box[number_of(tree, k, depth)];
}

/* --- claims --- */

typedef struct counts {
  size_t asked, lost, lost_less, apart, turned;
  size_t layers_lost, layers_lost_less, layers_apart;
} counts;

/* With a part of the slack. */
static toi_swept_table less_slack(const toi_swept_table *table, float part) {
  toi_swept_table less = *table;
  for (int l = 0; l < TOI_GROUP; l++) {
    less.coarse.slack[l] *= part;
    for (int g = 0; g < TOI_GROUPS; g++)
      less.fine[g].slack[l] *= part;
  }
  return less;
}

/* The smallest code of a thickness that is at least that. */
static uint8_t thin_for(wide thickness) {
  uint8_t thin = 0;
  while (thin < UINT8_MAX && (wide)toi_slab_thickness(thin) < thickness)
    thin++;
  return thin;
}

/* A point of B at y in the slab of a node: just inside, across a direction of any sort. */
static void ask_layer(const pair *p, uint64_t *state, const wide y[3], uint32_t k, uint64_t bit, counts *tally) {
  toi_body_slab slab = {{0, 0, 0}, 0};
  float box[1][6] = {{0}};
  wide away = 0;
  for (int i = 0; i < 3; i++) {
    slab.n[i] = (int8_t)((int)(test_random(state) % 255) - 127);
    box[0][i] = (float)(y[i] + 0.1 * (test_random_unit(state) - 0.5));
    away += (wide)slab.n[i] / 128 * (y[i] - (wide)box[0][i]);
  }
  slab.thin = thin_for(away < 0 ? -away : away);
  const toi_body_tree other = {.box = box, .slab = &slab};
  const toi_body_tree *const tree[2] = {&p->tree[0], &other};
  const uint32_t node[2] = {number_of(&p->tree[0], k, test_random(state) % 8), 0};
  tally->layers_lost += (toi_swept_layers(&p->table, tree, node, true, UINT64_MAX) & bit) == 0;
  tally->layers_lost += (toi_swept_layers(&p->table, tree, node, false, bit) & bit) == 0;
  // Were A's slab half as thick.
  toi_body_slab half = p->tree[0].slab[node[0]];
  half.thin = half.thin > 8 && half.thin < UINT8_MAX ? half.thin - 8 : 0;
  const toi_body_tree own = {.box = &p->tree[0].box[node[0]], .slab = &half};
  const toi_body_tree *const thinner[2] = {&own, &other};
  tally->layers_lost_less += (toi_swept_layers(&p->table, thinner, (const uint32_t[]){0, 0}, true, bit) & bit) == 0;
  tally->layers_apart += toi_swept_layers(&p->table, tree, node, true, UINT64_MAX) != UINT64_MAX;
}

/* One point at one time: boxes around it on both sides, and triangles with it as a corner. */
static void ask_point(const pair *p, const toi_swept_table *less, uint64_t *state, counts *tally) {
  const uint32_t k = (uint32_t)(test_random(state) % POINTS);
  const int piece = (int)(test_random(state) % TOI_PIECES);
  const wide t = ((wide)piece + (wide)test_random_unit(state)) / TOI_PIECES;
  wide y[3];
  float at[3], there[6];
  seen(p->body, &p->tree[1], p->points[0][k], t, y);
  for (int i = 0; i < 3; i++) {
    at[i] = (float)y[i];
    there[i] = at[i];
    there[3 + i] = fabsf(at[i]) * 0x1p-23f + 0x1p-140f;
  }
  const uint64_t bit = UINT64_C(1) << piece, depth = test_random(state) % 8;
  float own[6];
  toi_body_primitive_box(&p->tree[0], p->corners[0][k], own);
  const float *node = node_of(&p->tree[0], k, depth);
  tally->asked++;
  tally->lost += (toi_swept_meets(&p->table, node, there, true, UINT64_MAX) & bit) == 0;
  tally->lost += (toi_swept_meets(&p->table, node, there, false, UINT64_MAX) & bit) == 0;
  tally->lost += (toi_swept_meets(&p->table, own, there, true, bit) & bit) == 0;
  tally->lost_less += (toi_swept_meets(less, own, there, true, bit) & bit) == 0;
  tally->lost_less += (toi_swept_meets(less, own, there, false, bit) & bit) == 0;
  // Triangles: the point and two others; there, the place thrice, off by as much as a vertex may be.
  const float *const a[3] = {p->tree[0].local[k], p->tree[0].local[(k + 1) % POINTS],
                             p->tree[0].local[(k + 2) % POINTS]};
  const float *const b[3] = {at, at, at};
  const float n[3] = {(float)case_between(state, -1, 1), (float)case_between(state, -1, 1), 1};
  tally->lost += (toi_swept_crosses(&p->table, a, b, n, UINT64_MAX) & bit) == 0;
  tally->apart += toi_swept_meets(&p->table, own, there, true, UINT64_MAX) != UINT64_MAX;
  ask_layer(p, state, y, k, bit, tally);
}

static void points_are_in_their_pieces(void **unused) {
  (void)unused;
  uint64_t state = test_seed(31);
  toi_context *context = test_context(1);
  static pair p;
  counts tally = {0};
  for (uint64_t round = 0; round < test_count(400); round++) {
    make_pair(context, &state, &p);
    const toi_swept_table less = less_slack(&p.table, 0.25f);
    for (int i = 0; i < 40; i++)
      ask_point(&p, &less, &state, &tally);
    free_pair(context, &p);
  }
  print_message("%zu points: %zu lost, %zu with a quarter of the slack, %zu apart in some piece\n", tally.asked,
                tally.lost, tally.lost_less, tally.apart);
  print_message("slabs: %zu lost, %zu if they were half as thick, %zu apart in some piece\n", tally.layers_lost,
                tally.layers_lost_less, tally.layers_apart);
  assert_int_equal(tally.lost, 0);
  assert_int_equal(tally.layers_lost, 0);
  assert_true(tally.layers_lost_less > 0 || tally.asked < 4000);
  assert_true(tally.layers_apart > tally.asked / 4);
  // The bound is no idle one, and separates something.
  assert_true(tally.lost_less > 0 || tally.asked < 4000);
  assert_true(tally.apart > tally.asked / 2);
  toi_context_destroy(context);
}

/* Every corner of every node, in doubles, which are exact enough beside what is allowed. */
static void slabs_hold_their_primitives(void **unused) {
  (void)unused;
  uint64_t state = test_seed(34);
  toi_context *context = test_context(1);
  static pair p;
  size_t thin = 0, nodes = 0;
  for (uint64_t round = 0; round < test_count(200); round++) {
    make_pair(context, &state, &p);
    for (uint32_t k = 0; k < POINTS; k++)
      for (uint64_t depth = 0; depth < 6; depth++) {
        const toi_body_tree *tree = &p.tree[round % 2];
        const uint32_t number = number_of(tree, k, depth);
        const toi_body_slab *slab = &tree->slab[number];
        const float *box = tree->box[number];
        const wide most = (wide)toi_slab_thickness(slab->thin);
        for (int c = 0; c < 3; c++) {
          const double *at = p.points[round % 2][p.corners[round % 2][k][c]];
          wide away = 0;
          for (int i = 0; i < 3; i++)
            away += (wide)slab->n[i] / 128 *
                    (((wide)at[i] - (wide)tree->centre[i]) / (wide)ldexp(1, tree->exponent) - (wide)box[i]);
          assert_true(away <= most && -away <= most);
        }
        nodes++;
        thin += toi_slab_thickness(slab->thin) < 0.05f;
      }
    free_pair(context, &p);
  }
  // Few rounds may have no flat ones.
  assert_true(thin > nodes / 10 || test_count(100) < 100);
  toi_context_destroy(context);
}

static void bodies_stay_in_the_boxes_of_their_paths(void **unused) {
  (void)unused;
  uint64_t state = test_seed(32);
  toi_context *context = test_context(1);
  static pair p;
  for (uint64_t round = 0; round < test_count(300); round++) {
    make_pair(context, &state, &p);
    const int begin = (int)(test_random(&state) % TOI_PIECES);
    const int end = begin + 1 + (int)(test_random(&state) % (uint64_t)(TOI_PIECES - begin));
    double box[6];
    toi_body_swept_box(&p.samples[0], &p.tree[0], begin, end, box);
    for (int i = 0; i < 40; i++) {
      const wide part = (wide)test_random_unit(&state);
      wide world[3];
      place(&p.body[0], ((1 - part) * begin + part * end) / TOI_PIECES, p.points[0][test_random(&state) % POINTS],
            false, NULL, world);
      for (int axis = 0; axis < 3; axis++)
        assert_true((wide)box[axis] <= world[axis] && world[axis] <= (wide)box[3 + axis]);
    }
    free_pair(context, &p);
  }
  toi_context_destroy(context);
}

static void kernels_give_the_same_bits(void **unused) {
  (void)unused;
  uint64_t state = test_seed(33);
  toi_context *context = test_context(1);
  static pair p;
  if (toi_simd_best() != TOI_SIMD_AVX2) {
    test_skip_reason("this machine has one kernel");
    skip();
  }
  for (uint64_t round = 0; round < test_count(200); round++) {
    make_pair(context, &state, &p);
    toi_swept_table plain = p.table;
    plain.wide = false;
    for (uint32_t i = 0; i < POINTS; i++)
      for (uint32_t j = 0; j < POINTS; j++) {
        const float *a = node_of(&p.tree[0], i, j % 6), *b = node_of(&p.tree[1], j, i % 6);
        const uint64_t mask = test_random(&state);
        assert_int_equal(toi_swept_meets(&p.table, a, b, i % 2, mask), toi_swept_meets(&plain, a, b, i % 2, mask));
        const toi_body_tree *const tree[2] = {&p.tree[0], &p.tree[1]};
        const uint32_t node[2] = {number_of(&p.tree[0], i, j % 6), number_of(&p.tree[1], j, i % 6)};
        assert_int_equal(toi_swept_layers(&p.table, tree, node, i % 2, mask),
                         toi_swept_layers(&plain, tree, node, i % 2, mask));
        const float *const x[3] = {a, a + 1, a + 2}, *const y[3] = {b, b + 1, b + 3};
        assert_int_equal(toi_swept_crosses(&p.table, x, y, a, mask), toi_swept_crosses(&plain, x, y, a, mask));
      }
    free_pair(context, &p);
  }
  toi_context_destroy(context);
}

/* Nothing is known of a body whose quaternions differ by hundreds of digits: nothing is apart, wherever it is. */
static void unknown_speeds_separate_nothing_but_boxes_hold(void **unused) {
  (void)unused;
  uint64_t state = 7;
  toi_context *context = test_context(1);
  static pair p;
  make_pair(context, &state, &p);
  p.body[0].law = TOI_LAW_NLERP;
  for (int k = 0; k < 4; k++) {
    p.body[0].start.quaternion[k] = ldexp(k == 0, -600);
    p.body[0].end.quaternion[k] = ldexp(k == 1, 600);
  }
  toi_body_samples_make(&p.body[0], &p.samples[0]);
  const toi_body_samples *const samples[2] = {&p.samples[0], &p.samples[1]};
  const toi_body_tree *const trees[2] = {&p.tree[0], &p.tree[1]};
  toi_swept_table_make(samples, trees, 0, &p.table);
  const float far[6] = {1e20f, 1e20f, 1e20f, 0, 0, 0};
  assert_true((toi_swept_meets(&p.table, p.tree[0].box[0], far, true, UINT64_MAX) & 1) != 0);
  double box[6];
  toi_body_swept_box(&p.samples[0], &p.tree[0], 0, TOI_PIECES, box);
  for (int axis = 0; axis < 3; axis++)
    assert_true(isfinite(box[axis]) && isfinite(box[3 + axis]) && box[axis] <= box[3 + axis]);
  free_pair(context, &p);
  toi_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(points_are_in_their_pieces),
      cmocka_unit_test(slabs_hold_their_primitives),
      cmocka_unit_test(bodies_stay_in_the_boxes_of_their_paths),
      cmocka_unit_test(kernels_give_the_same_bits),
      cmocka_unit_test(unknown_speeds_separate_nothing_but_boxes_hold),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
