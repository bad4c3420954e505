/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Making the tree of a body: halves by the middle of the primitives along the longest axis.
 *
 * Claim: the box of a node holds every point of its primitives, (p - centre) / 2^exponent, as real numbers. Why: ends
 * are rounded outward in the difference, exact in the scaling (down to subnormal numbers, which are rounded outward
 * too), and rounded outward to floats; centre c and half extent h of [lo, hi] fulfil c - h <= lo and hi <= c + h as
 * real numbers, since h is the larger of hi - c and c - lo, rounded up. A centre that moves adds the distance to h.
 *
 * Claim: |n . (x - c)| / 128 is at most the thickness for every point x of the primitives. Why: their corners in floats
 * are off by 2^-24 and 2^-53, since |x| <= 1; components of n / 128 are below 1; and the sums in doubles are off by
 * less than 2^-48: 3 (2^-24 + 2^-53) + 2^-48 in all, less than SLAB_ERROR, which is added before the code is chosen.
 * What overflows has an infinite thickness. */

#include "broad/body_tree.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "number/interval.h"

#define SLAB_ERROR 0x1p-22
#define FARTHEST_MOVE 0x1p-4 /* of a box's centre, of its largest half extent */
#define SLAB_LEAST (-30)     /* the exponent of the smallest thickness */

typedef struct maker {
  const toi_body_primitives *of;
  toi_body_tree *tree;
} maker;

static float float_down(double x) {
  const float nearest = (float)x;
  return (double)nearest > x ? nextafterf(nearest, -INFINITY) : nearest;
}

static float float_up(double x) {
  return -float_down(-x);
}

/* At least the distance of every corner from a place. */
static double farthest(const toi_body_primitives *of, const double from[3]) {
  double most = 0;
  for (size_t i = 0; i < of->count; i++)
    for (int c = 0; c < 3; c++) {
      const double *p = of->vertices[of->corners[i][c]];
      double square = 0;
      for (int axis = 0; axis < 3; axis++) {
        const double away = p[axis] >= from[axis] ? toi_sum_up(p[axis], -from[axis]) : toi_sum_up(from[axis], -p[axis]);
        square = toi_sum_up(square, toi_product_up(away, away));
      }
      most = square > most ? square : most;
    }
  return toi_sqrt_up(most);
}

/* Centre and scale, from the box of all corners. */
static void place(const toi_body_primitives *of, toi_body_tree *tree) {
  const double origin[3] = {0, 0, 0};
  double lo[3] = {INFINITY, INFINITY, INFINITY}, hi[3] = {-INFINITY, -INFINITY, -INFINITY}, most = 0;
  for (size_t i = 0; i < of->count; i++)
    for (int c = 0; c < 3; c++)
      for (int axis = 0; axis < 3; axis++) {
        const double p = of->vertices[of->corners[i][c]][axis];
        lo[axis] = p < lo[axis] ? p : lo[axis];
        hi[axis] = p > hi[axis] ? p : hi[axis];
      }
  for (int axis = 0; axis < 3; axis++) {
    tree->centre[axis] = 0.5 * lo[axis] + 0.5 * hi[axis];
    // Rounded up: the unit is at least every coordinate.
    const double half = toi_sum_up(0.5 * hi[axis], -0.5 * lo[axis]);
    const double own = toi_sum_up(half, fabs(tree->centre[axis]) * 0x1p-50);
    most = own > most ? own : most;
  }
  (void)frexp(most, &tree->exponent);
  if (most == 0)
    tree->exponent = -1000;
  // Rounded up beyond the largest double, its unit is 2^1024.
  if (isinf(most))
    tree->exponent = DBL_MAX_EXP;
  tree->radius = farthest(of, tree->centre);
  tree->reach = farthest(of, origin);
}

static double local_down(const toi_body_tree *tree, double p, int axis) {
  return toi_scale_down(toi_sum_down(p, -tree->centre[axis]), -tree->exponent);
}

static double local_up(const toi_body_tree *tree, double p, int axis) {
  return toi_scale_up(toi_sum_up(p, -tree->centre[axis]), -tree->exponent);
}

static void make_box(const float lo[3], const float hi[3], float box[6]) {
  for (int axis = 0; axis < 3; axis++) {
    const float c = 0.5f * lo[axis] + 0.5f * hi[axis];
    const double up = (double)hi[axis] - (double)c, down = (double)c - (double)lo[axis];
    box[axis] = c;
    box[3 + axis] = float_up(up > down ? up : down);
  }
}

/* The box of some leaves, from their primitives. */
static void bound_range(const maker *m, size_t begin, size_t end, float lo[3], float hi[3]) {
  for (int axis = 0; axis < 3; axis++) {
    double low = INFINITY, high = -INFINITY;
    for (size_t i = begin; i < end; i++)
      for (int c = 0; c < 3; c++) {
        const double p = m->of->vertices[m->of->corners[m->tree->order[i]][c]][axis];
        low = p < low ? p : low;
        high = p > high ? p : high;
      }
    lo[axis] = float_down(local_down(m->tree, low, axis));
    hi[axis] = float_up(local_up(m->tree, high, axis));
  }
}

static double middle(const toi_body_primitives *of, uint32_t primitive, int axis) {
  const uint32_t *c = of->corners[primitive];
  const double a = of->vertices[c[0]][axis], b = of->vertices[c[1]][axis], d = of->vertices[c[2]][axis];
  const double low = a < b ? a : b, high = a < b ? b : a;
  return 0.5 * (low < d ? low : d) + 0.5 * (high > d ? high : d);
}

/* Whether primitive a stands before b along the axis. Equal ones by number: the order is one for all machines. */
static bool before(const toi_body_primitives *of, uint32_t a, uint32_t b, int axis) {
  const double x = middle(of, a, axis), y = middle(of, b, axis);
  return x < y || (x == y && a < b);
}

/* order[kth] gets whom it would have if [begin, end) were sorted; smaller ones before it. */
static void select_middle(const toi_body_primitives *of, uint32_t *order, size_t begin, size_t end, size_t kth,
                          int axis) {
  while (end - begin > 1) {
    const uint32_t pivot = order[begin + (end - begin) / 2];
    size_t i = begin, j = end - 1;
    for (;;) {
      while (before(of, order[i], pivot, axis))
        i++;
      while (before(of, pivot, order[j], axis))
        j--;
      if (i >= j)
        break;
      const uint32_t held = order[i];
      order[i++] = order[j];
      order[j--] = held;
    }
    // [begin, j] <= pivot <= [j + 1, end): numbers differ, so both parts are smaller than the whole.
    const size_t cut = j + 1 < end ? j + 1 : end - 1;
    if (kth < cut)
      end = cut;
    else
      begin = cut;
  }
}

float toi_slab_thickness(uint8_t thin) {
  // The float's own bits: ldexpf is a call, and takes as long as the rest of a test.
  const uint32_t exponent = (uint32_t)(127 + SLAB_LEAST + (thin >> 3)), mantissa = (uint32_t)(thin & 7) << 20;
  const uint32_t bits = thin == UINT8_MAX ? UINT32_C(255) << 23 : exponent << 23 | mantissa;
  float thickness;
  memcpy(&thickness, &bits, sizeof thickness);
  return thickness;
}

/* The smallest code whose thickness is at least that. */
static uint8_t code_of(double thickness) {
  int code = 0, step = 128;
  for (; step > 0; step /= 2)
    if (code + step - 1 < UINT8_MAX && (double)toi_slab_thickness((uint8_t)(code + step - 1)) < thickness)
      code += step;
  return !(thickness < INFINITY) ? UINT8_MAX : (uint8_t)code;
}

/* Adds up the normals of faces, weighted by their areas. */
static void add_normals(const maker *m, size_t begin, size_t end, double sum[3]) {
  for (size_t i = begin; i < end; i++) {
    const uint32_t *c = m->of->corners[m->tree->order[i]];
    const float *a = m->tree->local[c[0]], *b = m->tree->local[c[1]], *d = m->tree->local[c[2]];
    for (int k = 0; k < 3; k++) {
      const int y = (k + 1) % 3, z = (k + 2) % 3;
      sum[k] += (double)(b[y] - a[y]) * (double)(d[z] - a[z]) - (double)(b[z] - a[z]) * (double)(d[y] - a[y]);
    }
  }
}

/* How far the corners reach across a direction from the box's centre, up and down. */
static void reach_across(const maker *m, size_t begin, size_t end, const int8_t n[3], const float box[6],
                         double reach[2]) {
  reach[0] = reach[1] = -INFINITY;
  for (size_t i = begin; i < end; i++)
    for (int c = 0; c < 3; c++) {
      const float *p = m->tree->local[m->of->corners[m->tree->order[i]][c]];
      double away = 0;
      for (int k = 0; k < 3; k++)
        away += n[k] / 128.0 * ((double)p[k] - (double)box[k]);
      reach[0] = !isfinite(away) ? INFINITY : fmax(reach[0], away);
      reach[1] = !isfinite(away) ? INFINITY : fmax(reach[1], -away);
    }
}

/* Moves the box's centre to the middle of what it reaches across n: a slab about it is then as thin as it can be. Where
 * faces curve, centre and middle are apart by half of what they curve. The box grows by as much as its centre moves, so
 * it does not move far. */
static void move_centre(const int8_t n[3], const double reach[2], float box[6]) {
  double square = 0, most = 0;
  for (int k = 0; k < 3; k++) {
    square += n[k] / 128.0 * (n[k] / 128.0);
    most = fmax(most, (double)box[3 + k]);
  }
  const double way = 0.5 * (reach[0] - reach[1]) / square;
  if (!(fabs(way) <= FARTHEST_MOVE * most))
    return;
  for (int k = 0; k < 3; k++) {
    const float moved = (float)((double)box[k] + way * (n[k] / 128.0));
    // The difference of two floats may be rounded: the sum is rounded up by more than that.
    box[3 + k] = float_up(((double)box[3 + k] + fabs((double)moved - (double)box[k])) * (1 + 0x1p-40));
    box[k] = moved;
  }
}

/* The slab across a sum of normals; across nothing, so that it separates nothing, where there is none. The box's centre
 * may move. */
static toi_body_slab slab_of(const maker *m, size_t begin, size_t end, const double normal[3], float box[6]) {
  const double largest = fmax(fabs(normal[0]), fmax(fabs(normal[1]), fabs(normal[2])));
  toi_body_slab slab = {{0, 0, 0}, UINT8_MAX};
  if (!(largest > 0 && largest < INFINITY))
    return slab;
  for (int k = 0; k < 3; k++)
    slab.n[k] = (int8_t)lrint(127 * (normal[k] / largest));
  double reach[2];
  reach_across(m, begin, end, slab.n, box, reach);
  move_centre(slab.n, reach, box);
  reach_across(m, begin, end, slab.n, box, reach);
  slab.thin = code_of(fmax(reach[0], reach[1]) + SLAB_ERROR);
  return slab;
}

/* Order, boxes and slabs of a subtree; its normals are added to `sum`. Its depth is that of halvings: 32 at most. */
static void build(const maker *m, toi_body_node node, double sum[3]) { // NOLINT(misc-no-recursion)
  float lo[3], hi[3];
  double normal[3] = {0, 0, 0};
  const size_t begin = (size_t)node.first * TOI_LEAF_PRIMITIVES;
  size_t end = begin + (size_t)node.leaves * TOI_LEAF_PRIMITIVES;
  end = end < m->of->count ? end : m->of->count;
  bound_range(m, begin, end, lo, hi);
  make_box(lo, hi, m->tree->box[node.number]);
  if (node.leaves == 1) {
    add_normals(m, begin, end, normal);
  } else {
    int longest = 0;
    for (int axis = 1; axis < 3; axis++)
      if (hi[axis] - lo[axis] > hi[longest] - lo[longest])
        longest = axis;
    toi_body_node child[2];
    toi_body_node_split(node, child);
    select_middle(m->of, m->tree->order, begin, end, (size_t)child[1].first * TOI_LEAF_PRIMITIVES, longest);
    build(m, child[0], normal);
    build(m, child[1], normal);
  }
  m->tree->slab[node.number] = slab_of(m, begin, end, normal, m->tree->box[node.number]);
  for (int k = 0; k < 3; k++)
    sum[k] += normal[k];
}

toi_status toi_body_tree_make(toi_context *context, const toi_body_primitives *of, toi_body_tree *tree) {
  *tree = (toi_body_tree){.count = of->count, .vertex_count = of->vertex_count};
  tree->leaves = (of->count + TOI_LEAF_PRIMITIVES - 1) / TOI_LEAF_PRIMITIVES;
  tree->box = toi_allocate(context, (2 * tree->leaves - 1) * sizeof *tree->box);
  tree->slab = toi_allocate(context, (2 * tree->leaves - 1) * sizeof *tree->slab);
  tree->order = toi_allocate(context, of->count * sizeof *tree->order);
  tree->local = toi_allocate(context, of->vertex_count * sizeof *tree->local);
  if (tree->box == NULL || tree->slab == NULL || tree->order == NULL || tree->local == NULL) {
    toi_body_tree_free(context, tree);
    return TOI_ERROR_MEMORY;
  }
  place(of, tree);
  for (size_t i = 0; i < of->vertex_count; i++)
    for (int axis = 0; axis < 3; axis++)
      tree->local[i][axis] = (float)ldexp(of->vertices[i][axis] - tree->centre[axis], -tree->exponent);
  for (size_t i = 0; i < of->count; i++)
    tree->order[i] = (uint32_t)i;
  const maker m = {of, tree};
  double normal[3] = {0, 0, 0};
  build(&m, toi_body_tree_root(tree), normal);
  return TOI_OK;
}

void toi_body_tree_free(toi_context *context, toi_body_tree *tree) {
  if (tree->box != NULL)
    toi_free(context, tree->box, (2 * tree->leaves - 1) * sizeof *tree->box);
  if (tree->slab != NULL)
    toi_free(context, tree->slab, (2 * tree->leaves - 1) * sizeof *tree->slab);
  if (tree->order != NULL)
    toi_free(context, tree->order, tree->count * sizeof *tree->order);
  if (tree->local != NULL)
    toi_free(context, tree->local, tree->vertex_count * sizeof *tree->local);
  tree->box = NULL;
  tree->slab = NULL;
  tree->order = NULL;
  tree->local = NULL;
}

size_t toi_body_tree_bytes(const toi_body_tree *tree) {
  return (2 * tree->leaves - 1) * (sizeof *tree->box + sizeof *tree->slab) + tree->count * sizeof *tree->order +
         tree->vertex_count * sizeof *tree->local;
}

void toi_body_primitive_box(const toi_body_tree *tree, const uint32_t corners[3], float box[6]) {
  const float *a = tree->local[corners[0]], *b = tree->local[corners[1]], *c = tree->local[corners[2]];
  for (int axis = 0; axis < 3; axis++) {
    const float low = a[axis] < b[axis] ? a[axis] : b[axis], high = a[axis] < b[axis] ? b[axis] : a[axis];
    const float lo = low < c[axis] ? low : c[axis], hi = high > c[axis] ? high : c[axis];
    box[axis] = 0.5f * (lo + hi);
    box[3 + axis] = 0.5f * (hi - lo);
  }
}
