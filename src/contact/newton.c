/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Interval Newton methods on boxes of unknowns.
 *
 * Let f be some of the equations, c the centre of a box X, and J an enclosure of their slopes over X. For every x in X
 * there is a matrix A in J with f(x) = f(c) + A (x - c): the mean value theorem, equation by equation; for terms with
 * kinks J holds the slopes of both sides, and the theorem holds for such hulls as well (Lebourg). So zeros of f in X
 * are solutions y = x - c of J y = -f(c), which linear.h encloses.
 *
 * Contact. The equations may be combined by any real matrix before: here they are turned so that the first goes along
 * the normal. That one alone tells when the surfaces are apart, and pins down the time.
 *
 * All. Beside contact, tangency: as many equations as unknowns, where that can be. The region X' is X with a tenth of
 * its width more on all sides, but not across real edges and the ends of time. If the solutions of the linear system
 * lie in X' - c then X' has exactly one zero (lemmas 10 and 11). */

#include "contact/newton.h"

#include "solve/vector.h"

/* A row of slopes whose largest middle is smaller than this part of its largest width is taken for noise. */
#define NOISE 0x1p-4

/* How much wider a region is than its box. */
#define WIDER 0.1

/* And by no less than this part of the domain: a box may have shrunk below what rounding lets a step tell. */
#define NARROWEST 0x1p-44

/* X'. */
static toi_box widened(const toi_problem *problem, const toi_columns *columns, const toi_box *box) {
  toi_box region = *box;
  for (size_t j = 0; j < columns->count; j++) {
    size_t i = columns->at[j];
    toi_interval domain = problem->domain.x[i], *x = &region.x[i];
    double more = WIDER * toi_interval_width(*x) + 0x1p-48 * toi_interval_magnitude(*x) +
                  NARROWEST * toi_interval_width(domain) + 0x1p-200;
    toi_interval wide = {x->lo - more, x->hi + more};
    x->lo = wide.lo < domain.lo && !toi_problem_is_seam(problem, i, false) ? domain.lo : wide.lo;
    x->hi = wide.hi > domain.hi && !toi_problem_is_seam(problem, i, true) ? domain.hi : wide.hi;
  }
  return region;
}

/* --- contact --- */

/* Three orthonormal rows, rounded, the first along a normal. */
static bool find_frame(const toi_system *system, double frame[3][3]) {
  for (int k = 0; k < 3; k++)
    frame[0][k] = toi_interval_midpoint(system->normal[1][k]);
  if (!toi_plain_unit3(frame[0])) {
    for (int k = 0; k < 3; k++)
      frame[0][k] = toi_interval_midpoint(system->normal[0][k]);
    if (!toi_plain_unit3(frame[0]))
      return false;
  }
  toi_plain_across3(frame[0], frame[1], frame[2]);
  return true;
}

/* Of two implicit surfaces: F1 + k F2, such that the gradients cancel where they are parallel. It is to them what the
 * normal's row is to parametric ones. Gives k; 0: there is none. */
static double cancelling(const toi_system *system) {
  double g[2][3], squares[2];
  for (int i = 0; i < 2; i++) {
    for (int k = 0; k < 3; k++)
      g[i][k] = toi_interval_midpoint(system->slope[i][k]);
    squares[i] = toi_dot(g[i], g[i]);
  }
  bool usable = squares[0] > 1e-200 && squares[1] > 1e-200 && squares[0] < 1e200 && squares[1] < 1e200;
  return !usable ? 0 : (toi_dot(g[0], g[1]) < 0 ? 1 : -1) * sqrt(squares[0] / squares[1]);
}

static size_t cancelling_row(const toi_system *system, const toi_system *centre, const toi_columns *columns,
                             toi_interval_row *matrix, toi_interval *b) {
  double k = cancelling(system);
  if (k == 0)
    return 0;
  toi_interval factor = toi_interval_point(k);
  b[2] = toi_interval_neg(toi_branchless_add(centre->value[0], toi_branchless_mul(factor, centre->value[1])));
  for (size_t j = 0; j < columns->count; j++) {
    size_t i = columns->at[j];
    matrix[2][j] = toi_branchless_add(system->slope[0][i], toi_branchless_mul(factor, system->slope[1][i]));
  }
  return 1;
}

/* The equations of contact, at the centre and their slopes, by columns; turned where they are three, and with one more
 * where they are two. */
static size_t contact_rows(const toi_system *system, const toi_system *centre, const toi_columns *columns,
                           toi_interval_row *matrix, toi_interval *b) {
  double frame[3][3];
  bool turn = system->vector && find_frame(system, frame);
  for (size_t row = 0; row < system->contact; row++) {
    const toi_interval *f = centre->value;
    b[row] = toi_interval_neg(turn ? toi_combine3(frame[row], f[0], f[1], f[2]) : f[row]);
    for (size_t j = 0; j < columns->count; j++) {
      size_t i = columns->at[j];
      matrix[row][j] = turn ? toi_combine3(frame[row], system->slope[0][i], system->slope[1][i], system->slope[2][i])
                            : system->slope[row][i];
    }
  }
  return system->contact + (system->contact == 2 ? cancelling_row(system, centre, columns, matrix, b) : 0);
}

/* Whether each equation can hold at all. */
static bool rows_hold(size_t m, size_t n, toi_interval_row *matrix, const toi_interval *b, const toi_interval *y) {
  for (size_t row = 0; row < m; row++) {
    toi_interval sum = toi_interval_neg(b[row]);
    for (size_t j = 0; j < n; j++)
      sum = toi_branchless_add(sum, toi_branchless_mul(matrix[row][j], y[j]));
    if (sum.lo > 0 || sum.hi < 0)
      return false;
  }
  return true;
}

static void from_centre(const toi_columns *columns, const toi_box *box, const toi_box *centre, toi_interval *y) {
  for (size_t j = 0; j < columns->count; j++)
    y[j] = toi_branchless_sub(box->x[columns->at[j]], centre->x[columns->at[j]]);
}

/* Back to unknowns, and intersected with the box; false: nothing is left. */
static bool to_box(const toi_columns *columns, const toi_box *centre, const toi_interval *y, toi_box *box) {
  for (size_t j = 0; j < columns->count; j++) {
    size_t i = columns->at[j];
    if (!toi_interval_intersect(toi_branchless_add(y[j], centre->x[i]), box->x[i], &box->x[i]))
      return false;
  }
  return true;
}

/* What each equation of contact says about the time alone, its other unknowns taken as they are: N + G_t (t - c) = 0, N
 * the plain enclosure at the middle c of the time. Centred equations are wide where a surface has kinks, plain ones are
 * not: a clamped function keeps to its bounds. */
static toi_newton_end shrink_time(const toi_problem *problem, const toi_system *system, toi_box *box) {
  size_t t = toi_body_pair_time(problem->pair);
  if (problem->at_start || !(box->x[t].lo < box->x[t].hi))
    return TOI_NEWTON_SHRUNK;
  toi_box moment = *box;
  moment.x[t] = toi_interval_point(toi_interval_midpoint(box->x[t]));
  toi_system then;
  if (!toi_system_at(problem, &moment, TOI_SYSTEM_VALUES, &then))
    return TOI_NEWTON_FAILED;
  const toi_columns time = {1, {t}};
  toi_interval_row matrix[2 * TOI_EQUATIONS];
  toi_interval b[2 * TOI_EQUATIONS], y;
  size_t m = contact_rows(system, &then, &time, matrix, b);
  for (size_t row = 0; row < system->contact && system->vector; row++, m++) {
    matrix[m][0] = system->slope[row][t];
    b[m] = toi_interval_neg(then.value[row]);
  }
  from_centre(&time, box, &moment, &y);
  bool left = toi_linear_solve(m, 1, (const toi_interval_row *)matrix, b, &y) && to_box(&time, &moment, &y, box);
  return left ? TOI_NEWTON_SHRUNK : TOI_NEWTON_EMPTY;
}

toi_newton_end toi_newton_contact(const toi_problem *problem, const toi_system *system, bool linear, toi_box *box) {
  toi_columns columns = toi_problem_columns(problem);
  toi_box centre = toi_box_centre(problem, box);
  toi_system at_centre;
  if (!toi_system_at(problem, &centre, TOI_SYSTEM_VALUES, &at_centre))
    return TOI_NEWTON_FAILED;
  toi_interval_row matrix[TOI_EQUATIONS];
  toi_interval b[TOI_EQUATIONS], y[TOI_UNKNOWNS];
  size_t m = contact_rows(system, &at_centre, &columns, matrix, b);
  from_centre(&columns, box, &centre, y);
  if (!rows_hold(m, columns.count, matrix, b, y))
    return TOI_NEWTON_EMPTY;
  if (!linear)
    return TOI_NEWTON_SHRUNK;
  if (!toi_linear_solve(m, columns.count, (const toi_interval_row *)matrix, b, y) || !to_box(&columns, &centre, y, box))
    return TOI_NEWTON_EMPTY;
  return shrink_time(problem, system, box);
}

/* --- all equations --- */

/* Rows for a square system: those of contact, and as many of tangency as it takes; 0: there are too few or too many. Of
 * the gradients' cross product, the two whose third component of the first gradient is the largest: the others follow
 * from them there. */
static size_t square_rows(const toi_problem *problem, const toi_system *system, size_t n, size_t rows[TOI_UNKNOWNS]) {
  size_t contact = system->contact, need = n - contact;
  if (contact > n || need > system->tangency)
    return 0;
  for (size_t i = 0; i < n; i++)
    rows[i] = i;
  if (toi_body_pair_in_space(problem->pair) && contact == 2) {
    size_t largest = 0;
    for (size_t k = 1; k < 3; k++)
      if (fabs(toi_interval_midpoint(system->slope[0][k])) > fabs(toi_interval_midpoint(system->slope[0][largest])))
        largest = k;
    rows[2] = 2 + (largest + 1) % 3;
    rows[3] = 2 + (largest + 2) % 3;
  }
  return n;
}

/* Some rows of a system, by columns. */
static void pick_rows(const toi_system *system, const size_t *rows, size_t m, const toi_columns *columns,
                      toi_interval_row *matrix) {
  for (size_t row = 0; row < m; row++)
    for (size_t j = 0; j < columns->count; j++)
      matrix[row][j] = system->slope[rows[row]][columns->at[j]];
}

/* The square system over a region: y encloses x - c of every zero in it. False: nothing can be said. */
static bool square_step(toi_contact_newton method, size_t n, toi_interval_row *matrix, const toi_interval *f,
                        const toi_interval *region, toi_interval *y, bool *proves) {
  if (method == TOI_NEWTON_LINEAR) {
    toi_interval b[TOI_UNKNOWNS];
    for (size_t i = 0; i < n; i++)
      b[i] = toi_interval_neg(f[i]);
    *proves = true;
    return toi_linear_enclose(n, (const toi_interval_row *)matrix, b, y);
  }
  toi_row middle[TOI_UNKNOWNS] = {{0}}, inverse[TOI_UNKNOWNS] = {{0}};
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++)
      middle[i][j] = toi_interval_midpoint(matrix[i][j]);
  if (!toi_linear_inverse(n, (const toi_row *)middle, inverse))
    return false;
  const double centre[TOI_UNKNOWNS] = {0};
  toi_linear_krawczyk(n, (const toi_interval_row *)matrix, f, (const toi_row *)inverse, centre, region, y, proves);
  return true;
}

/* What the equations over a region, and at its centre, say: y holds every zero of the region, from the centre on. */
typedef struct newton_step {
  toi_columns columns;
  toi_box region, centre;
  toi_system over, at;
  toi_interval whole[TOI_UNKNOWNS]; /* the region */
  toi_interval y[TOI_UNKNOWNS];     /* what is left of it */
  bool square, inside;              /* the square system was solved; and its solutions lie in the region */
} newton_step;

static toi_newton_end step_over(const toi_problem *problem, toi_contact_newton method, newton_step *step) {
  step->columns = toi_problem_columns(problem);
  step->centre = toi_box_centre(problem, &step->region);
  step->square = step->inside = false;
  if (!toi_system_at(problem, &step->region, TOI_SYSTEM_ALL, &step->over) ||
      !toi_system_at(problem, &step->centre, TOI_SYSTEM_SLOPES, &step->at))
    return TOI_NEWTON_FAILED;
  size_t n = step->columns.count, rows[TOI_UNKNOWNS];
  from_centre(&step->columns, &step->region, &step->centre, step->whole);
  memcpy(step->y, step->whole, sizeof step->y);
  if (square_rows(problem, &step->over, n, rows) == 0)
    return TOI_NEWTON_SHRUNK;

  toi_interval_row matrix[TOI_UNKNOWNS];
  toi_interval f[TOI_UNKNOWNS], y[TOI_UNKNOWNS];
  bool proves = false;
  pick_rows(&step->over, rows, n, &step->columns, matrix);
  for (size_t i = 0; i < n; i++)
    f[i] = step->at.value[rows[i]];
  step->square = square_step(method, n, matrix, f, step->whole, y, &proves);
  if (!step->square)
    return TOI_NEWTON_SHRUNK;
  step->inside = proves;
  for (size_t j = 0; j < n; j++) {
    step->inside &= toi_interval_surrounds(step->whole[j], y[j]);
    if (!toi_interval_intersect(step->whole[j], y[j], &step->y[j]))
      return TOI_NEWTON_EMPTY;
  }
  return TOI_NEWTON_SHRUNK;
}

/* Combinations of equations in which as few unknowns as possible matter: by Gauss and Jordan on the middle of the
 * matrix, unknowns measured by their widths, as far as pivots are not small beside the largest. Contact along curves
 * and over regions has fewer of them than unknowns: the others are then known as functions of those along the curve.
 * Gives their number; combination[i] holds the factors. */
static size_t find_combinations(size_t m, size_t n, toi_interval_row *matrix, const toi_interval *x,
                                double combination[][TOI_EQUATIONS]) {
  double a[TOI_EQUATIONS][TOI_UNKNOWNS] = {{0}}, c[TOI_EQUATIONS][TOI_EQUATIONS] = {{0}};
  bool used[TOI_UNKNOWNS] = {false};
  for (size_t i = 0; i < m; i++) {
    double size = 0, noise = 0;
    for (size_t j = 0; j < n; j++) {
      a[i][j] = toi_interval_midpoint(matrix[i][j]) * toi_interval_width(x[j]);
      size = fmax(size, fabs(a[i][j]));
      noise = fmax(noise, toi_interval_width(matrix[i][j]) * toi_interval_width(x[j]));
    }
    // A row that is mere width tells no unknown from another.
    bool usable = size > 1e-200 && size < 1e200 && size > NOISE * noise;
    c[i][i] = usable ? 1 / size : 0;
    for (size_t j = 0; j < n; j++)
      a[i][j] = usable ? a[i][j] / size : 0;
  }
  size_t rank = 0;
  for (; rank < m && rank < n; rank++) {
    size_t row = rank, column = n;
    double most = 1e-3;
    for (size_t i = rank; i < m; i++)
      for (size_t j = 0; j < n; j++)
        if (!used[j] && fabs(a[i][j]) > most) {
          most = fabs(a[i][j]);
          row = i;
          column = j;
        }
    if (column == n)
      break;
    used[column] = true;
    for (size_t j = 0; j < TOI_EQUATIONS; j++) {
      double swap = c[row][j];
      c[row][j] = c[rank][j];
      c[rank][j] = swap / a[row][column];
    }
    double pivot = a[row][column];
    for (size_t j = 0; j < n; j++) {
      double swap = a[row][j];
      a[row][j] = a[rank][j];
      a[rank][j] = swap / pivot;
    }
    for (size_t i = 0; i < m; i++) {
      double factor = a[i][column];
      if (i == rank || factor == 0)
        continue;
      for (size_t j = 0; j < n; j++)
        a[i][j] -= factor * a[rank][j];
      for (size_t j = 0; j < m; j++)
        c[i][j] -= factor * c[rank][j];
    }
  }
  memcpy(combination, c, rank * sizeof c[0]);
  return rank;
}

/* Row by row once more, in those combinations. Every solution of some equations solves their combinations. */
static bool solve_combinations(size_t m, size_t n, toi_interval_row *matrix, const toi_interval *b, toi_interval *x) {
  double combination[TOI_EQUATIONS][TOI_EQUATIONS];
  size_t rank = find_combinations(m, n, matrix, x, combination);
  toi_interval_row rows[TOI_EQUATIONS];
  toi_interval right[TOI_EQUATIONS];
  for (size_t i = 0; i < rank; i++) {
    right[i] = toi_interval_point(0);
    for (size_t j = 0; j < n; j++)
      rows[i][j] = toi_interval_point(0);
    for (size_t k = 0; k < m; k++) {
      toi_interval factor = toi_interval_point(combination[i][k]);
      if (combination[i][k] == 0)
        continue;
      right[i] = toi_branchless_add(right[i], toi_branchless_mul(factor, b[k]));
      for (size_t j = 0; j < n; j++)
        rows[i][j] = toi_branchless_add(rows[i][j], toi_branchless_mul(factor, matrix[k][j]));
    }
  }
  return rank == 0 || toi_linear_solve(rank, n, (const toi_interval_row *)rows, right, x);
}

/* All equations, as many as there are, row by row. */
static bool solve_rows(newton_step *step) {
  static const size_t every[TOI_EQUATIONS] = {0, 1, 2, 3, 4, 5, 6, 7};
  toi_interval_row matrix[TOI_EQUATIONS];
  toi_interval b[TOI_EQUATIONS];
  size_t m = step->over.contact + step->over.tangency;
  pick_rows(&step->over, every, m, &step->columns, matrix);
  for (size_t i = 0; i < m; i++)
    b[i] = toi_interval_neg(i < step->over.contact ? step->at.value[i] : toi_system_tangency(&step->at, i));
  size_t n = step->columns.count;
  return toi_linear_solve(m, n, (const toi_interval_row *)matrix, b, step->y) &&
         solve_combinations(m, n, matrix, b, step->y);
}

/* The region of a step that holds one zero, and where that is; false: nothing is left. */
static bool set_unique(const newton_step *step, toi_newton_region *unique) {
  unique->region = unique->root = step->region;
  return to_box(&step->columns, &step->centre, step->y, &unique->root);
}

toi_newton_end toi_newton_all(const toi_problem *problem, toi_contact_newton method, toi_box *box,
                              toi_newton_region *unique) {
  toi_columns columns = toi_problem_columns(problem);
  newton_step step = {.region = widened(problem, &columns, box)};
  toi_newton_end end = step_over(problem, method, &step);
  if (end != TOI_NEWTON_SHRUNK)
    return end;
  if (step.inside)
    return set_unique(&step, unique) ? TOI_NEWTON_UNIQUE : TOI_NEWTON_EMPTY;
  if (method == TOI_NEWTON_LINEAR && !solve_rows(&step))
    return TOI_NEWTON_EMPTY;
  return to_box(&step.columns, &step.centre, step.y, box) ? TOI_NEWTON_SHRUNK : TOI_NEWTON_EMPTY;
}

/* The zero stays where it is; only what encloses it shrinks, until it hardly does. */
bool toi_newton_polish(const toi_problem *problem, toi_newton_region *unique) {
  for (int round = 0; round < 8; round++) {
    newton_step step = {.region = unique->root};
    if (step_over(problem, TOI_NEWTON_LINEAR, &step) == TOI_NEWTON_FAILED)
      return false;
    double before = 0, after = 0;
    toi_box root = unique->root;
    if (!step.square || !to_box(&step.columns, &step.centre, step.y, &root))
      return true;
    for (size_t j = 0; j < step.columns.count; j++) {
      size_t i = step.columns.at[j];
      before += toi_interval_width(unique->root.x[i]);
      after += toi_interval_width(root.x[i]);
    }
    unique->root = root;
    if (!(after < 0.9 * before))
      return true;
  }
  return true;
}

bool toi_newton_isolate(const toi_problem *problem, toi_contact_newton method, const double x[TOI_UNKNOWNS],
                        const toi_box *around, toi_newton_region *unique) {
  toi_columns columns = toi_problem_columns(problem);
  for (int attempt = 0; attempt < 8; attempt++) {
    double size = ldexp(1, -2 * attempt);
    toi_box box = *around;
    for (size_t j = 0; j < columns.count; j++) {
      size_t i = columns.at[j];
      double half = 0.5 * size * toi_interval_width(around->x[i]) + 0x1p-40 * fabs(x[i]) +
                    256 * NARROWEST * toi_interval_width(problem->domain.x[i]) + 0x1p-60;
      box.x[i] = (toi_interval){x[i] - half, x[i] + half};
    }
    newton_step step = {.region = widened(problem, &columns, &box)};
    if (step_over(problem, method, &step) != TOI_NEWTON_SHRUNK)
      return false;
    if (step.inside)
      return set_unique(&step, unique);
  }
  return false;
}
