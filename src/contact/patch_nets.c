/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The control points of a patch and of its derivatives by u, v, uu, uv, vv, homogeneous if it is rational: X = w p,
 * V = w velocity, w.
 *
 * Claim: each true control point is within net.error of the one that is kept, in every coordinate. Let u = 2^-53.
 *
 * Given. Control points err by `error` (positions) and `velocity_error`; X = fl(w p) by
 *   u |X| + |X| f + error (1 + f),
 * weights, scaled by a power of two below 1, by f. Here f = 2 error / D, D the largest extent of the control points
 * along an axis: a model cut from a NURBS surface has error >= gamma(4 n + 6) R, R at least the length of every control
 * point, so D <= 2 R and f >= gamma(n), which is how far its weights are off (nurbs.c); moving a model by a shift adds
 * to its error at least half of what it adds to D, and scaling it changes both alike, so f stays large enough. Others
 * have exact weights.
 *
 * Triangles. Row k, of degree n - k in s, is raised to degree n: each point a mean with factors
 * C(n-k, j) C(k, i-j) / C(n, i), whole numbers but for one quotient. At most 10 terms round 11 times: RAISED u M.
 *
 * Differences. d (b - a), d a degree: 2 d e from arguments that err by e, and 4 d u M from rounding.
 *
 * TOI_MIDRAD_OUTWARD covers the rounding of these bounds, TOI_MIDRAD_LEAST what underflow can do. What overflows has an
 * infinite magnitude, which patch_jets.c makes an infinite error. */

#include "contact/patch_nets.h"
#include "solve/midrad.h"

#define RAISED (16 * TOI_UNIT)

static const int first_row[TOI_NET_GROUPS] = {0, 3, 6}, group_rows[TOI_NET_GROUPS] = {3, 3, 1};

static size_t points_of(const uint32_t degree[2]) {
  return (size_t)(degree[0] + 1) * (degree[1] + 1);
}

static bool has_row(const toi_patch_nets *nets, int row) {
  return row < 3 || (row < 6 ? nets->moving : nets->rational);
}

/* --- making --- */

static void measure(toi_net *n) {
  for (int g = 0; g < TOI_NET_GROUPS; g++) {
    n->magnitude[g] = 0;
    for (int row = first_row[g]; row < first_row[g] + group_rows[g] && n->rows[row] != NULL; row++)
      for (size_t i = 0; i < points_of(n->degree); i++)
        n->magnitude[g] = fmax(n->magnitude[g], fabs(n->rows[row][i]));
  }
}

static double binomial(uint32_t n, uint32_t k) {
  double value = 1;
  for (uint32_t i = 0; i < k; i++)
    value = value * (n - i) / (i + 1);
  return value;
}

/* Row k of a triangle's points as a curve of degree n: its point number i. */
static double raised(const double *points, uint32_t n, uint32_t k, uint32_t i) {
  double sum = 0;
  for (uint32_t j = 0; j <= n - k; j++)
    if (j <= i && i - j <= k)
      sum += binomial(n - k, j) * binomial(k, i - j) / binomial(n, i) * points[j];
  return sum;
}

/* A row of the patch's own order into one of a quad's. */
static void lay_row(const toi_patch *patch, const double *given, toi_net *n, int row) {
  const uint32_t degree = patch->degree[0];
  if (patch->shape == TOI_PATCH_QUAD) {
    memcpy(n->rows[row], given, points_of(n->degree) * sizeof *given);
    return;
  }
  for (uint32_t k = 0; k <= degree; k++)
    for (uint32_t i = 0; i <= degree; i++)
      n->rows[row][i * (degree + 1) + k] = raised(given + toi_net_index(patch, 0, k), degree, k, i);
}

static double largest_extent(const toi_patch *patch, size_t count) {
  double extent = 0;
  for (int k = 0; k < 3; k++)
    for (size_t i = 0; i < count; i++)
      extent = fmax(extent, fabs(patch->points[i][k] - patch->points[0][k]));
  return extent;
}

/* All rows of the patch itself, and their errors. */
static void lay_patch(const toi_patch *patch, toi_patch_nets *nets) {
  toi_net *n = &nets->nets[TOI_NET_AS_IS];
  const size_t count = toi_patch_points(patch->shape, patch->degree);
  double row[TOI_NET_POINTS] = {0}, most = 0;
  for (size_t i = 0; i < count && nets->rational; i++)
    most = fmax(most, patch->weights[i]);
  int exponent = 0;
  (void)frexp(most, &exponent);
  for (int k = 0; k < TOI_NETS_ROWS; k++) {
    if (!has_row(nets, k))
      continue;
    for (size_t i = 0; i < count; i++) {
      const double weight = nets->rational ? ldexp(patch->weights[i], -exponent) : 1;
      row[i] = k == 6 ? weight : weight * (k < 3 ? patch->points[i][k] : patch->velocities[i][k - 3]);
    }
    lay_row(patch, row, n, k);
  }
  measure(n);
  const double given[TOI_NET_GROUPS] = {patch->error, patch->velocity_error, 0};
  // The extent from the first point is at least half of D.
  const double fraction = patch->error > 0 && nets->rational ? 2 * patch->error / largest_extent(patch, count) : 0;
  for (int g = 0; g < TOI_NET_GROUPS; g++) {
    const double raising = patch->shape == TOI_PATCH_TRIANGLE ? RAISED * n->magnitude[g] : 0;
    const double product = nets->rational && g != TOI_NET_WEIGHT ? TOI_UNIT * n->magnitude[g] : 0;
    n->error[g] = (given[g] * (1 + fraction) + n->magnitude[g] * fraction + product + raising) * TOI_MIDRAD_OUTWARD;
  }
}

/* Differences along u (way 0) or v. */
static void derive(const toi_net *from, int way, toi_net *to) {
  const size_t wide = from->degree[1] + 1, step = way == 0 ? wide : 1;
  const uint32_t degree = from->degree[way];
  const size_t rows = to->degree[0] + 1, columns = to->degree[1] + 1;
  for (int row = 0; row < TOI_NETS_ROWS; row++)
    for (size_t i = 0; i < rows && from->rows[row] != NULL; i++)
      for (size_t j = 0; j < columns; j++) {
        const double *at = from->rows[row] + i * wide + j;
        to->rows[row][i * columns + j] = degree == 0 ? 0 : degree * (at[step] - at[0]);
      }
  measure(to);
  for (int g = 0; g < TOI_NET_GROUPS; g++)
    to->error[g] =
        degree == 0
            ? 0
            : 2 * degree * (from->error[g] + 2 * TOI_UNIT * from->magnitude[g]) * TOI_MIDRAD_OUTWARD + TOI_MIDRAD_LEAST;
}

/* Which net each derivative is made from, and along which parameter. */
static const struct {
  int from, way;
} origin[TOI_NETS] = {[TOI_NET_U] = {TOI_NET_AS_IS, 0},
                      [TOI_NET_V] = {TOI_NET_AS_IS, 1},
                      [TOI_NET_UU] = {TOI_NET_U, 0},
                      [TOI_NET_UV] = {TOI_NET_U, 1},
                      [TOI_NET_VV] = {TOI_NET_V, 1}};

static void set_degrees(const toi_patch *patch, toi_patch_nets *nets) {
  const bool quad = patch->shape == TOI_PATCH_QUAD;
  for (int i = TOI_NET_AS_IS; i < TOI_NETS; i++) {
    const uint32_t *from = nets->nets[origin[i].from].degree;
    uint32_t *degree = nets->nets[i].degree;
    degree[0] = i == TOI_NET_AS_IS ? patch->degree[0] : from[0];
    degree[1] = i == TOI_NET_AS_IS ? patch->degree[quad ? 1 : 0] : from[1];
    if (i != TOI_NET_AS_IS && degree[origin[i].way] > 0)
      degree[origin[i].way]--;
  }
}

/* Whether an edge is a single point: all its control points are the same, with the same velocities, whatever their
 * weights, and nothing else is meant. A triangle has such an edge where its square has two corners for one. */
static bool is_point(const toi_patch *patch, int way, bool last) {
  if (patch->shape == TOI_PATCH_TRIANGLE)
    return way == 1 && last;
  const size_t wide = patch->degree[1] + 1, along = way == 0 ? 1 : wide, across = way == 0 ? wide : 1;
  const size_t first = last ? patch->degree[way] * across : 0;
  bool same = patch->error == 0 && patch->velocity_error == 0;
  for (size_t i = 1; i <= patch->degree[1 - way]; i++)
    for (int k = 0; k < 3; k++) {
      const size_t at = first + i * along;
      same = same && patch->points[at][k] == patch->points[first][k];
      same = same && (patch->velocities == NULL || patch->velocities[at][k] == patch->velocities[first][k]);
    }
  return same;
}

toi_status toi_patch_nets_make(toi_context *context, const toi_patch *patch, toi_patch_nets **made) {
  toi_patch_nets draft = {.moving = patch->velocities != NULL, .rational = patch->weights != NULL};
  set_degrees(patch, &draft);
  size_t doubles = 0, rows = 0;
  for (int row = 0; row < TOI_NETS_ROWS; row++)
    rows += has_row(&draft, row);
  for (int i = 0; i < TOI_NETS; i++)
    doubles += rows * points_of(draft.nets[i].degree);
  draft.bytes = sizeof draft + doubles * sizeof(double);
  toi_patch_nets *nets = *made = toi_allocate(context, draft.bytes);
  if (nets == NULL)
    return TOI_ERROR_MEMORY;
  *nets = draft;
  double *next = (double *)(void *)(nets + 1);
  for (int i = 0; i < TOI_NETS; i++)
    for (int row = 0; row < TOI_NETS_ROWS; row++)
      if (has_row(nets, row)) {
        nets->nets[i].rows[row] = next;
        next += points_of(nets->nets[i].degree);
      }
  lay_patch(patch, nets);
  for (int i = TOI_NET_U; i < TOI_NETS; i++)
    derive(&nets->nets[origin[i].from], origin[i].way, &nets->nets[i]);
  for (int edge = 0; edge < 4; edge++)
    nets->collapsed |= (uint32_t)is_point(patch, edge / 2, edge % 2) << edge;
  return TOI_OK;
}

toi_status toi_patch_nets_copy(toi_context *context, const toi_patch_nets *nets, toi_patch_nets **copy) {
  toi_patch_nets *made = *copy = toi_allocate(context, nets->bytes);
  if (made == NULL)
    return TOI_ERROR_MEMORY;
  memcpy(made, nets, nets->bytes);
  // Rows are behind it, in the same block.
  double *to = (double *)(void *)(made + 1);
  const double *from = (const double *)(const void *)(nets + 1);
  for (int i = 0; i < TOI_NETS; i++)
    for (int row = 0; row < TOI_NETS_ROWS; row++)
      if (nets->nets[i].rows[row] != NULL)
        made->nets[i].rows[row] = to + (nets->nets[i].rows[row] - from);
  return TOI_OK;
}

void toi_patch_nets_destroy(toi_context *context, toi_patch_nets *nets) {
  if (nets != NULL)
    toi_free(context, nets, nets->bytes);
}
