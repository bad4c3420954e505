/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The second-order proof around a contact, on surfaces all of whose contacts are known.
 *
 * Two graphs over one plane, seen through any linear map, approach such that the points over (x, y) meet at the time
 * START + p(x, y), p a polynomial. The proof is asked about contacts that are a least one, the higher of two, on sides,
 * or no least one at all, with pieces that hold much of the patches. Whatever it says, no point that both pieces hold
 * may meet before its t_lo. */

#include <math.h>

#include "surface/cases.h"
#include "surface/prove.h"

#define START 0.5
#define T_MAX 8.0
#define TERMS 6 /* powers 0 to 5 of x and y */

typedef struct polynomial {
  double c[TERMS][TERMS]; /* of x^i y^j */
} polynomial;

static double value(const polynomial *p, double x, double y) {
  double sum = 0;
  for (int i = TERMS; i-- > 0;) {
    double row = 0;
    for (int j = TERMS; j-- > 0;)
      row = row * y + p->c[i][j];
    sum = sum * x + row;
  }
  return sum;
}

static polynomial product(const polynomial *a, const polynomial *b) {
  polynomial r = {{{0}}};
  for (int i = 0; i < TERMS; i++)
    for (int j = 0; j < TERMS; j++)
      for (int k = 0; i + k < TERMS; k++)
        for (int l = 0; j + l < TERMS; l++)
          r.c[i + k][j + l] += a->c[i][j] * b->c[k][l];
  return r;
}

static void add(polynomial *a, const polynomial *b, double factor) {
  for (int i = 0; i < TERMS; i++)
    for (int j = 0; j < TERMS; j++)
      a->c[i][j] += factor * b->c[i][j];
}

static polynomial linear(double x, double y, double one) {
  polynomial p = {{{one, y}, {x}}};
  return p;
}

/* --- patches --- */

static double choose(int n, int k) {
  double r = 1;
  for (int i = 0; i < k; i++)
    r = r * (n - i) / (i + 1);
  return r;
}

/* How a patch lies over the plane. */
typedef struct layout {
  int degree;
  bool quad, swapped; /* u goes along y */
  bool wide;          /* over x from -1 to 1 */
  double ratio[2];    /* of neighbouring weights along u and v; they change parameters only */
  double map[3][3];
} layout;

/* The coefficient that goes with control point (i, j). */
static double coefficient(const polynomial *p, const layout *l, int i, int j) {
  double sum = 0;
  for (int k = 0; k <= i; k++)
    for (int m = 0; m <= j; m++) {
      double part = choose(i, k) * choose(j, m);
      part /= l->quad ? choose(l->degree, k) * choose(l->degree, m) : choose(l->degree, k + m) * choose(k + m, k);
      sum += p->c[k][m] * part;
    }
  return sum;
}

/* p(2 x - 1, y). */
static polynomial widened(const polynomial *p) {
  polynomial r = {{{0}}}, power = linear(0, 0, 1), step = linear(2, 0, -1);
  for (int i = 0; i < TERMS; i++) {
    polynomial row = {{{0}}};
    memcpy(row.c[0], p->c[i], sizeof(row.c[0]));
    row = product(&row, &power);
    add(&r, &row, 1);
    power = product(&power, &step);
  }
  return r;
}

static void make_graph(const layout *l, const polynomial *height, const polynomial *speed, test_patch *p) {
  int n = l->degree;
  polynomial z = l->wide ? widened(height) : *height, v_z = l->wide ? widened(speed) : *speed;
  patch_make(p, l->quad ? TOI_PATCH_QUAD : TOI_PATCH_TRIANGLE, (uint32_t)n, (uint32_t)n);
  if (l->ratio[0] != 1 || l->ratio[1] != 1)
    p->patch.weights = p->weights;
  size_t at = 0;
  for (int outer = 0; outer <= n; outer++)
    for (int inner = 0; inner <= (l->quad ? n : n - outer); inner++, at++) {
      int u = l->quad ? outer : inner, v = l->quad ? inner : outer, i = l->swapped ? v : u, j = l->swapped ? u : v;
      double flat[3] = {l->wide ? 2.0 * i / n - 1 : (double)i / n, (double)j / n, coefficient(&z, l, i, j)};
      for (int k = 0; k < 3; k++) {
        p->points[at][k] = l->map[k][0] * flat[0] + l->map[k][1] * flat[1] + l->map[k][2] * flat[2];
        p->velocities[at][k] = l->map[k][2] * coefficient(&v_z, l, i, j);
      }
      p->weights[at] = pow(l->ratio[0], u) * pow(l->ratio[1], v);
    }
}

/* The parameters of the point over (x, y), on the grid that proofs of triangles keep to. */
static void parameters(const layout *l, double x, double y, double uv[2]) {
  x = l->wide ? 0.5 * (x + 1) : x;
  double place[2] = {l->swapped ? y : x, l->swapped ? x : y};
  double rest = 1 - place[0] - place[1], whole = rest + place[0] / l->ratio[0] + place[1] / l->ratio[1];
  for (int k = 0; k < 2; k++) {
    double part = place[k] / l->ratio[k];
    uv[k] = l->quad ? part / (1 - place[k] + part) : rint(part / whole * 0x1p52) * 0x1p-52;
  }
  if (!l->quad && rest == 0)
    uv[0] = 1 - uv[1];
}

static void place_of(const layout *l, const double uv[2], double *x, double *y) {
  double place[2], whole = 1 - uv[0] - uv[1] + uv[0] * l->ratio[0] + uv[1] * l->ratio[1];
  for (int k = 0; k < 2; k++)
    place[k] = uv[k] * l->ratio[k] / (l->quad ? 1 - uv[k] + uv[k] * l->ratio[k] : whole);
  *x = place[l->swapped];
  *y = place[!l->swapped];
}

/* --- pieces --- */

/* At least -margin: a piece holds the place. */
static double inside(const toi_piece *piece, const double uv[2]) {
  const double(*c)[2] = piece->corner;
  if (piece->root->patch->shape == TOI_PATCH_QUAD)
    return fmin(fmin(uv[0] - c[0][0], c[1][0] - uv[0]), fmin(uv[1] - c[0][1], c[1][1] - uv[1]));
  double whole = (c[1][0] - c[0][0]) * (c[2][1] - c[0][1]) - (c[1][1] - c[0][1]) * (c[2][0] - c[0][0]), least = 1;
  for (int i = 0; i < 3; i++) {
    const double *p = c[i], *q = c[(i + 1) % 3];
    least = fmin(least, ((q[0] - p[0]) * (uv[1] - p[1]) - (q[1] - p[1]) * (uv[0] - p[0])) / whole);
  }
  return least;
}

static toi_piece *descend(toi_forest *forest, toi_piece *piece, const double uv[2], uint32_t levels) {
  for (uint32_t i = 0; i < levels && toi_piece_split(forest, piece, 0); i++)
    piece = inside(piece->child[0], uv) >= inside(piece->child[1], uv) ? piece->child[0] : piece->child[1];
  return piece;
}

static void random_place(uint64_t *state, const toi_piece *piece, double uv[2]) {
  double s = test_random_unit(state), r = test_random_unit(state);
  bool quad = piece->root->patch->shape == TOI_PATCH_QUAD;
  if (!quad && s + r > 1) {
    s = 1 - s;
    r = 1 - r;
  }
  const double(*c)[2] = piece->corner;
  for (int k = 0; k < 2; k++)
    uv[k] = quad ? c[0][k] + (k == 0 ? s : r) * (c[1][k] - c[0][k])
                 : c[0][k] + s * (c[1][k] - c[0][k]) + r * (c[2][k] - c[0][k]);
}

/* --- one question --- */

typedef struct question {
  layout side[2];
  polynomial time; /* less START */
  double least[2]; /* where it may be least */
  double place[2]; /* of the contact asked about */
} question;

static double random_fraction(uint64_t *state) {
  return (double)random_below(state, 257) / 256;
}

static layout random_layout(uint64_t *state, double map[3][3], bool weighted) {
  layout l = {.quad = random_below(state, 2), .swapped = random_below(state, 2), .ratio = {1, 1}};
  memcpy(l.map, map, sizeof(l.map));
  for (int k = 0; k < 2 && weighted; k++)
    l.ratio[k] = exp2((double)random_below(state, 5) - 2);
  return l;
}

/* A least time at one place; for some a second, higher one. */
static void random_question(uint64_t *state, question *q) {
  double map[3][3];
  for (int i = 0; i < 9; i++)
    map[i / 3][i % 3] = random_between(state, -1, 1) + (i % 4 == 0 ? 2 : 0);
  for (int i = 0; i < 2; i++)
    q->side[i] = random_layout(state, map, random_below(state, 2));
  q->side[1].wide = q->side[1].quad && random_below(state, 2);
  double x = random_fraction(state), y = random_fraction(state), other;
  if (random_below(state, 4) == 0)
    x = 0;
  if (random_below(state, 8) == 0)
    y = 0;
  if (x + y > 1) {
    x = 1 - x;
    y = 1 - y;
  }
  other = (1 - y) * random_fraction(state);
  polynomial dx = linear(1, 0, -x), dy = linear(0, 1, -y), far = linear(1, 0, -other);
  polynomial xx = product(&dx, &dx), yy = product(&dy, &dy), xy = product(&dx, &dy);
  bool two = random_below(state, 2);
  q->side[0].degree = q->side[1].degree = two ? 5 : 3;
  if (two) {
    far = product(&far, &far);
    xx = product(&xx, &far);
  }
  memset(&q->time, 0, sizeof(q->time));
  // Off a side, the time may fall again.
  bool falls = x == 0 && !two && random_below(state, 2);
  add(&q->time, &xx, falls ? random_between(state, -0.2, 0) : random_between(state, 0, two ? 16 : 2));
  add(&q->time, &yy, random_between(state, 0.5, 2));
  add(&q->time, &xy, two ? 0 : falls ? random_between(state, -0.2, 0.2) : random_between(state, -0.5, 0.5));
  add(&q->time, &dx,
      (other > x ? 1 : -1) * (x == 0 || (two && random_below(state, 2)) ? exp2(random_between(state, -20, 0)) : 0));
  add(&q->time, &dy, y == 0 ? exp2(random_between(state, -20, 0)) : 0);
  q->least[0] = q->place[0] = x;
  q->least[1] = q->place[1] = y;
  switch (random_below(state, 8)) {
  case 0:
    q->place[0] = other;
    break;
  case 1:
    q->place[0] = fmin(x + exp2(-random_between(state, 1, 30)), 1 - y);
    break;
  case 2:
    q->place[0] = (1 - y) * test_random_unit(state);
    break;
  default:
    break;
  }
}

/* The earliest time of points that both pieces hold, as far as a few tries tell. */
static double earliest(uint64_t *state, const question *q, const toi_piece *const pieces[2]) {
  double best = INFINITY;
  for (int i = 0; i < 400; i++) {
    double uv[2], x = q->least[0], y = q->least[1];
    if (i > 0) {
      random_place(state, pieces[0], uv);
      place_of(&q->side[0], uv, &x, &y);
    }
    if (i % 2 == 1)
      y = q->least[1];
    bool both = true;
    for (int k = 0; k < 2; k++) {
      parameters(&q->side[k], x, y, uv);
      both &= inside(pieces[k], uv) >= 0;
    }
    if (both)
      best = fmin(best, START + value(&q->time, x, y));
  }
  return best;
}

/* Whether the proof was given; it is wrong if something is earlier. */
static bool ask_isolation(uint64_t *state, const question *q, unsigned char *memory, size_t bytes) {
  test_case c = {.t_max = T_MAX};
  polynomial plain = {{{0}}}, moves = {{{0}}}, approach = linear(0, 0, 1), start = linear(0, 0, START), gap;
  approach.c[1][0] = random_between(state, 0, 1);
  plain.c[1][1] = random_between(state, -1, 1);
  plain.c[2][0] = random_between(state, -1, 1);
  moves.c[0][1] = random_between(state, -1, 1);
  gap = q->time;
  add(&gap, &start, 1);
  gap = product(&gap, &approach);
  make_graph(&q->side[0], &plain, &moves, &c.a);
  add(&plain, &gap, 1);
  add(&moves, &approach, -1);
  make_graph(&q->side[1], &plain, &moves, &c.b);

  toi_forest forest = toi_forest_make(memory, bytes, T_MAX, &c.a.patch, &c.b.patch);
  toi_moment at = {.t = START + value(&q->time, q->place[0], q->place[1])};
  const toi_piece *pieces[2];
  for (int i = 0; i < 2; i++) {
    parameters(&q->side[i], q->place[0], q->place[1], at.uv[i]);
    toi_piece *root = toi_piece_root(&forest, i == 0 ? &c.a.patch : &c.b.patch, 0);
    pieces[i] = descend(&forest, root, at.uv[i], random_below(state, 36));
  }
  toi_prover prover;
  toi_prover_make(pieces[0]->root, pieces[1]->root, 0, &prover);
  double t_lo, first = fmin(earliest(state, q, pieces), at.t);
  toi_interval times = {random_below(state, 4) ? first : 0, at.t};
  if (!toi_isolate(&prover, &at, pieces[0], pieces[1], times, &t_lo))
    return false;
  // Control points of these patches are rounded; so is the time.
  if (!(t_lo <= first + 1e-12)) {
    case_print(&c, NULL);
    fail_msg("contact at %a, another one at %a, nothing is said to be before %a", at.t, first, t_lo);
  }
  return at.t - t_lo < 1e-9;
}

static void nothing_meets_before_the_time_that_is_proved(void **state) {
  (void)state;
  uint64_t seed = test_seed(0x5eed0051), rounds = test_count(20000), proved = 0;
  size_t bytes = (size_t)4 << 20;
  unsigned char *memory = aligned_alloc(32, bytes);
  assert_non_null(memory);
  for (uint64_t i = 0; i < rounds; i++) {
    question q;
    random_question(&seed, &q);
    proved += ask_isolation(&seed, &q, memory, bytes);
  }
  print_message("%llu of %llu settled\n", (unsigned long long)proved, (unsigned long long)rounds);
  assert_true(proved > rounds / 100);
  free(memory);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_meets_before_the_time_that_is_proved)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
