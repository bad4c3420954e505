/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Fitting a separator: a local frame along the principal directions of both pieces, and least squares. Nothing here is
 * proved or needs to be; the operations are those of IEEE 754 in a fixed order, so that answers are the same bits
 * everywhere.
 *
 * F = z + sum a_m y^m is to be +c on the first piece and -c on the second, the a_m and c unknown, at points of both at
 * the start, middle and end of the span. Where the pieces are almost flat, or parts of cylinders, some monomials are
 * sums of others on all samples: columns that add nothing are left out. */

#include <math.h>
#include <string.h>

#include "number/trigonometry.h"
#include "surface/separator.h"

/* Frames of larger or smaller pieces are not made: bounds of underflow count on it. */
#define SCALE_MOST 200

#define JACOBI_SWEEPS 8

/* Columns whose square falls below this part of it are sums of others. */
#define DEPENDENT 1e-13

/* Unknowns: F's terms but z, those of degree three only in x and y; and c. */
#define QUADRIC_UNKNOWNS 10
#define UNKNOWNS 14
static const uint8_t unknown_term[UNKNOWNS - 1] = {0, 1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 13, 16};

static double dot(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* --- samples --- */

/* Bernstein polynomials of a degree at the sample lines. */
static void basis_at_lines(uint32_t degree, double basis[TOI_SAMPLE_LINES][TOI_PATCH_DEGREE_MOST + 1]) {
  for (int line = 0; line < TOI_SAMPLE_LINES; line++) {
    const double t = (double)line / (TOI_SAMPLE_LINES - 1);
    double *b = basis[line];
    b[0] = 1;
    for (uint32_t n = 1; n <= degree; n++) {
      b[n] = t * b[n - 1];
      for (uint32_t i = n - 1; i > 0; i--)
        b[i] = (1 - t) * b[i] + t * b[i - 1];
      b[0] *= 1 - t;
    }
  }
}

/* Homogeneous rows at the sample points of a quad: a row is x y z, their velocities, or the weight. */
static size_t sample_quad(const toi_root *root, const double *rows, int row_count, double at[TOI_SAMPLES][7]) {
  const uint32_t m = root->patch->degree[0], n = root->patch->degree[1];
  double along_u[TOI_SAMPLE_LINES][TOI_PATCH_DEGREE_MOST + 1], along_v[TOI_SAMPLE_LINES][TOI_PATCH_DEGREE_MOST + 1];
  basis_at_lines(m, along_u);
  basis_at_lines(n, along_v);
  for (int row = 0; row < row_count; row++) {
    const double *net = rows + (size_t)row * root->stride;
    double line[TOI_PATCH_DEGREE_MOST + 1][TOI_SAMPLE_LINES];
    for (uint32_t i = 0; i <= m; i++)
      for (int j = 0; j < TOI_SAMPLE_LINES; j++) {
        line[i][j] = 0;
        for (uint32_t k = 0; k <= n; k++)
          line[i][j] += along_v[j][k] * net[i * (n + 1) + k];
      }
    for (int i = 0; i < TOI_SAMPLE_LINES; i++)
      for (int j = 0; j < TOI_SAMPLE_LINES; j++) {
        double sum = 0;
        for (uint32_t k = 0; k <= m; k++)
          sum += along_u[i][k] * line[k][j];
        at[i * TOI_SAMPLE_LINES + j][row] = sum;
      }
  }
  return TOI_SAMPLES;
}

/* Of a triangle: by averaging its control points down, row by row. */
static size_t sample_triangle(const toi_root *root, const double *rows, int row_count, double at[TOI_SAMPLES][7]) {
  const size_t n = root->patch->degree[0];
  size_t count = 0;
  for (int i = 0; i < TOI_SAMPLE_LINES; i++)
    for (int j = 0; i + j < TOI_SAMPLE_LINES; j++, count++) {
      const double u = (double)i / (TOI_SAMPLE_LINES - 1), v = (double)j / (TOI_SAMPLE_LINES - 1), w = 1 - u - v;
      for (int row = 0; row < row_count; row++) {
        double net[TOI_NET_POINTS];
        memcpy(net, rows + (size_t)row * root->stride, root->count * sizeof(double));
        for (size_t left = n; left > 0; left--)
          for (size_t b = 0; b < left; b++)
            for (size_t a = 0; a + b < left; a++)
              net[toi_net_index(root->patch, a, b)] = w * net[toi_net_index(root->patch, a, b)] +
                                                      u * net[toi_net_index(root->patch, a + 1, b)] +
                                                      v * net[toi_net_index(root->patch, a, b + 1)];
        at[count][row] = net[0];
      }
    }
  return count;
}

/* Points of a piece at times, in the forest's frame: from its net. */
static void place_samples(const toi_piece *piece, const double *times, int time_count, size_t *count,
                          double to[3][TOI_SAMPLES][3]) {
  const toi_root *root = piece->root;
  const double *rows = piece->net + (root->rational ? TOI_NET_ROWS * root->stride : 0);
  const int row_count = root->rational ? 7 : 6;
  double at[TOI_SAMPLES][7];
  *count = root->patch->shape == TOI_PATCH_QUAD ? sample_quad(root, rows, row_count, at)
                                                : sample_triangle(root, rows, row_count, at);
  for (int time = 0; time < time_count; time++)
    for (size_t i = 0; i < *count; i++)
      for (int k = 0; k < 3; k++)
        to[time][i][k] = (at[i][k] + times[time] * at[i][k + 3]) / (root->rational ? at[i][6] : 1);
}

/* Turns points about a centre by the spin's angle in a time. */
static void turn_samples(const toi_turn *turn, double time, size_t count, double from[TOI_SAMPLES][3],
                         double to[TOI_SAMPLES][3]) {
  const double speed = sqrt(dot(turn->spin, turn->spin));
  const toi_sine_cosine by = toi_sin_cos(speed * time);
  for (size_t i = 0; i < count; i++) {
    double d[3], n[3];
    for (int k = 0; k < 3; k++) {
      d[k] = from[i][k] - turn->centre[k];
      n[k] = turn->spin[k] / speed;
    }
    const double along = dot(n, d);
    for (int k = 0; k < 3; k++) {
      const int a = (k + 1) % 3, b = (k + 2) % 3;
      to[i][k] = turn->centre[k] + n[k] * along + by.cos * (d[k] - n[k] * along) + by.sin * (n[a] * d[b] - n[b] * d[a]);
    }
  }
}

static bool is_moving(const toi_piece *piece) {
  const double *v = piece->net + (size_t)3 * piece->root->stride;
  for (size_t i = 0; i < (size_t)3 * piece->root->stride; i++)
    if (v[i] != 0)
      return true;
  return false;
}

/* The middle of the span first. */
static void sample_side(const toi_separator_question *q, int side, toi_separator_samples *samples) {
  const double middle = q->turn ? 0.5 * q->times.lo + 0.5 * q->times.hi : q->at;
  const double times[3] = {middle, q->times.lo, q->times.hi};
  const toi_piece *piece = q->piece[side];
  double(*to)[TOI_SAMPLES][3] = samples->at[side];
  const bool turns = q->turn && q->turn[side].turns;
  const bool moves = q->times.lo < q->times.hi && (turns || is_moving(piece));
  samples->times[side] = moves ? 3 : 1;
  if (!turns) {
    place_samples(piece, times, samples->times[side], &samples->count[side], to);
    return;
  }
  double at_once[3][TOI_SAMPLES][3];
  place_samples(piece, &q->at, 1, &samples->count[side], at_once);
  for (int i = 0; i < samples->times[side]; i++)
    turn_samples(&q->turn[side], times[i] - q->at, samples->count[side], at_once[0], to[i]);
}

/* --- the frame --- */

/* Turns rows and columns p and q of a symmetric matrix so that their common entry vanishes, and axes with them. */
static void jacobi_turn(double m[3][3], double axes[3][3], int p, int q) {
  if (m[p][q] == 0)
    return;
  const double part = (m[q][q] - m[p][p]) / (2 * m[p][q]);
  const double t = (part >= 0 ? 1 : -1) / (fabs(part) + sqrt(part * part + 1));
  const double c = 1 / sqrt(t * t + 1), s = t * c;
  for (int k = 0; k < 3; k++) {
    const double a = m[k][p], b = m[k][q];
    m[k][p] = c * a - s * b;
    m[k][q] = s * a + c * b;
  }
  for (int k = 0; k < 3; k++) {
    const double a = m[p][k], b = m[q][k], x = axes[p][k], y = axes[q][k];
    m[p][k] = c * a - s * b;
    m[q][k] = s * a + c * b;
    axes[p][k] = c * x - s * y;
    axes[q][k] = s * x + c * y;
  }
}

/* Rows, made orthonormal to the last places: twice is enough. */
static void orthonormalise(double axes[3][3]) {
  for (int i = 0; i < 3; i++)
    for (int round = 0; round < 2; round++) {
      for (int j = 0; j < i; j++) {
        const double part = dot(axes[i], axes[j]);
        for (int k = 0; k < 3; k++)
          axes[i][k] -= part * axes[j][k];
      }
      const double length = sqrt(dot(axes[i], axes[i]));
      for (int k = 0; k < 3; k++)
        axes[i][k] /= length;
    }
}

/* Principal directions of a symmetric matrix, the one of the least extent last. */
static void principal_axes(double m[3][3], double axes[3][3]) {
  double e[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (int sweep = 0; sweep < JACOBI_SWEEPS; sweep++) {
    jacobi_turn(m, e, 0, 1);
    jacobi_turn(m, e, 0, 2);
    jacobi_turn(m, e, 1, 2);
  }
  int least = 0;
  for (int k = 1; k < 3; k++)
    least = m[k][k] < m[least][least] ? k : least;
  for (int k = 0; k < 3; k++)
    memcpy(axes[k], e[(least + 1 + k) % 3], sizeof(axes[k]));
  orthonormalise(axes);
}

static bool make_frame(const toi_separator_samples *samples, toi_separator_frame *frame) {
  double sum[2][3] = {{0}}, moments[3][3] = {{0}}, far = 0;
  for (int side = 0; side < 2; side++)
    for (size_t i = 0; i < samples->count[side]; i++)
      for (int k = 0; k < 3; k++)
        sum[side][k] += samples->at[side][0][i][k] / (double)samples->count[side];
  for (int k = 0; k < 3; k++)
    frame->origin[k] = 0.5 * sum[0][k] + 0.5 * sum[1][k];
  for (int side = 0; side < 2; side++)
    for (size_t i = 0; i < samples->count[side]; i++) {
      double d[3];
      for (int k = 0; k < 3; k++)
        d[k] = samples->at[side][0][i][k] - frame->origin[k];
      const double square = dot(d, d);
      far = square > far ? square : far;
      for (int k = 0; k < 3; k++)
        for (int l = 0; l < 3; l++)
          moments[k][l] += d[k] * d[l];
    }
  if (!(far > 0x1p-400) || !(far < 0x1p400))
    return false;
  int exponent;
  frexp(sqrt(far), &exponent);
  assert(exponent >= -SCALE_MOST && exponent <= SCALE_MOST);
  frame->scale = ldexp(1, -exponent);
  for (int k = 0; k < 3; k++)
    for (int l = 0; l < 3; l++)
      moments[k][l] /= far;
  principal_axes(moments, frame->axes);
  return true;
}

bool toi_separator_look(const toi_separator_question *question, toi_separator_frame *frame,
                        toi_separator_samples *samples) {
  sample_side(question, 0, samples);
  sample_side(question, 1, samples);
  if (!make_frame(samples, frame))
    return false;
  for (int side = 0; side < 2; side++)
    for (int time = 0; time < samples->times[side]; time++)
      for (size_t i = 0; i < samples->count[side]; i++) {
        double *x = samples->at[side][time][i], d[3];
        for (int k = 0; k < 3; k++)
          d[k] = (x[k] - frame->origin[k]) * frame->scale;
        for (int k = 0; k < 3; k++)
          x[k] = dot(frame->axes[k], d);
      }
  return true;
}

/* --- least squares --- */

typedef struct normal_equations {
  int size;
  double matrix[UNKNOWNS][UNKNOWNS + 1]; /* the last column: the right side */
} normal_equations;

static void add_sample(normal_equations *n, const double y[3], double sign, double weight) {
  double monomials[TOI_CUBIC_TERMS], row[UNKNOWNS + 1];
  toi_cubic_monomials(y, monomials);
  for (int i = 0; i + 1 < n->size; i++)
    row[i] = monomials[unknown_term[i]];
  row[n->size - 1] = -sign;
  row[n->size] = -y[2];
  for (int i = 0; i < n->size; i++) {
    const double factor = weight * row[i];
    for (int j = i; j <= n->size; j++)
      n->matrix[i][j] += factor * row[j];
  }
}

/* Gaussian elimination of a positive semidefinite matrix, of which the upper triangle is there, the largest diagonal
 * entry first, rows and columns scaled to ones on the diagonal. Unknowns that are left out are zero. */
static void solve(normal_equations *n, double solution[UNKNOWNS]) {
  double scale[UNKNOWNS];
  int order[UNKNOWNS] = {0}, done = 0;
  bool used[UNKNOWNS] = {false};
  for (int i = 0; i < n->size; i++) {
    scale[i] = n->matrix[i][i] > 0 ? 1 / sqrt(n->matrix[i][i]) : 0;
    solution[i] = 0;
  }
  for (int i = 0; i < n->size; i++) {
    for (int j = i; j < n->size; j++)
      n->matrix[j][i] = n->matrix[i][j] = n->matrix[i][j] * scale[i] * scale[j];
    n->matrix[i][n->size] *= scale[i];
  }
  for (; done < n->size; done++) {
    int best = -1;
    for (int i = 0; i < n->size; i++)
      if (!used[i] && n->matrix[i][i] > (best < 0 ? DEPENDENT : n->matrix[best][best]))
        best = i;
    if (best < 0)
      break;
    used[best] = true;
    order[done] = best;
    const double *pivot = n->matrix[best];
    for (int i = 0; i < n->size; i++) {
      const double factor = used[i] ? 0 : n->matrix[i][best] / pivot[best];
      for (int j = 0; j <= n->size && factor != 0; j++)
        n->matrix[i][j] -= factor * pivot[j];
    }
  }
  while (done-- > 0) {
    const int i = order[done];
    double rest = n->matrix[i][n->size];
    for (int j = 0; j < n->size; j++)
      rest -= j == i ? 0 : n->matrix[i][j] * solution[j];
    solution[i] = rest / n->matrix[i][i];
  }
  for (int i = 0; i < n->size; i++)
    solution[i] *= scale[i];
}

void toi_separator_fit(const toi_separator_samples *samples, int degree, toi_cubic *f) {
  normal_equations n = {.size = degree == 3 ? UNKNOWNS : QUADRIC_UNKNOWNS};
  for (int side = 0; side < 2; side++) {
    const double points = (double)samples->count[side] * samples->times[side];
    for (int time = 0; time < samples->times[side]; time++)
      for (size_t i = 0; i < samples->count[side]; i++)
        add_sample(&n, samples->at[side][time][i], side == 0 ? 1 : -1, 1 / points);
  }
  double solution[UNKNOWNS];
  solve(&n, solution);
  const double sign = solution[n.size - 1] < 0 ? -1 : 1;
  memset(f, 0, sizeof(*f));
  f->term[3] = sign;
  for (int i = 0; i + 1 < n.size; i++)
    f->term[unknown_term[i]] = sign * solution[i];
}
