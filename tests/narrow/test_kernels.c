/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The kernels give the same bits in one lane, two and four, on every machine.
 *
 * Stands alone: no test framework and no GMP, so that it is also built for aarch64 and run under an emulator. Queries
 * are made from integers only and are the same everywhere; all answers go into one hash, and that hash is written
 * below. Two machines that pass have given the same bits. What the answers are worth is tested elsewhere
 * (test_bounds.c, test_certified.c), but for one thing: a query that is not finite must stay open. */

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/internal.h"
#include "narrow/kernel.h"

/* The hash of every answer to the queries below; a change of the kernels' arithmetic changes it, nothing else may. */
#define EXPECTED_HASH UINT64_C(0x688e61418cbb91e3)

#define QUERY_COUNT 200000
#define BLOCK_MOST 67
#define ROW 24

/* --- queries from integers --- */

/* SplitMix64. */
static uint64_t draw(uint64_t *state) {
  *state += UINT64_C(0x9e3779b97f4a7c15);
  uint64_t z = *state;
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

/* An integer in [lo, hi]. */
static int64_t between(uint64_t *state, int64_t lo, int64_t hi) {
  return lo + (int64_t)(draw(state) % (uint64_t)(hi - lo + 1));
}

static bool once_in(uint64_t *state, uint64_t of) {
  return draw(state) % of == 0;
}

/* Coordinates as integers; coordinate j counts units of 2^unit[j % 3]. Eight points of three: start, then end. */
typedef struct draft {
  int64_t at[ROW];
  int unit[3];
} draft;

static void fill(uint64_t *state, draft *d, int64_t limit, int unit) {
  for (int j = 0; j < ROW; j++)
    d->at[j] = between(state, -limit, limit);
  for (int axis = 0; axis < 3; axis++)
    d->unit[axis] = unit;
}

static void make_spread(uint64_t *state, int n, draft *d) {
  (void)n;
  fill(state, d, INT64_C(1) << 52, -52);
}

static void make_grid(uint64_t *state, int n, draft *d) {
  (void)n;
  fill(state, d, between(state, 1, 4), 0);
}

/* Every axis knows three values only. */
static void make_shared(uint64_t *state, int n, draft *d) {
  make_spread(state, n, d);
  for (int j = 3; j < ROW; j++)
    d->at[j] = d->at[3 * between(state, 0, 2) + j % 3];
}

/* Short motions, as broad phases hand them over. */
static void make_short(uint64_t *state, int n, draft *d) {
  (void)n;
  fill(state, d, 1 << 20, -20);
  for (int j = 0; j < ROW / 2; j++)
    d->at[j + 12] = d->at[j] + between(state, -(1 << 17), 1 << 17);
}

/* Small differences far from the origin. */
static void make_far(uint64_t *state, int n, draft *d) {
  make_short(state, n, d);
  for (int j = 0; j < ROW; j++)
    d->at[j] += INT64_C(1) << (20 + 14 * (j % 3));
}

/* They meet exactly, at t = m / 8: positions at the meeting, and velocities. */
static void make_meeting(uint64_t *state, int n, draft *d) {
  fill(state, d, 40, 0);
  int64_t at[12];
  for (int j = 0; j < 12; j++)
    at[j] = 4 * between(state, -9, 9);
  int64_t a = between(state, 0, 4), b = n == 3 ? between(state, 0, 4 - a) : 2;
  for (int axis = 0; axis < 3; axis++)
    if (n == 3)
      at[axis] = (at[3 + axis] * (4 - a - b) + at[6 + axis] * a + at[9 + axis] * b) / 4;
    else
      at[9 + axis] = 2 * ((at[axis] * (4 - a) + at[3 + axis] * a) / 4) - at[6 + axis];
  int64_t m = between(state, 0, 8);
  for (int j = 0; j < 12; j++) {
    int64_t velocity = between(state, -5, 5);
    d->at[j] = at[j] - velocity * m;
    d->at[j + 12] = at[j] + velocity * (8 - m);
  }
}

/* One axis on which nothing differs, or everything does by a constant. */
static void make_flat(uint64_t *state, int n, draft *d) {
  if (once_in(state, 2))
    make_grid(state, n, d);
  else
    make_spread(state, n, d);
  for (int j = 2; j < ROW; j += 3)
    d->at[j] = d->at[2];
}

typedef void (*maker)(uint64_t *state, int n, draft *d);
static const maker makers[] = {make_spread, make_grid, make_shared, make_short, make_far, make_meeting, make_flat};
#define MAKER_COUNT (sizeof(makers) / sizeof(makers[0]))

/* --- changes --- */

/* Some or all points at rest, copied coordinates, axes of other magnitudes. */
static void vary_draft(uint64_t *state, draft *d) {
  if (once_in(state, 8)) {
    bool all = once_in(state, 2);
    for (int j = 0; j < 12; j++)
      if (all || once_in(state, 2))
        d->at[j + 12] = d->at[j];
  }
  if (once_in(state, 8)) {
    int64_t from = between(state, 0, 7), to = between(state, 0, 7);
    memcpy(d->at + 3 * to, d->at + 3 * from, 3 * sizeof(int64_t));
  }
  if (once_in(state, 4))
    for (int axis = 0; axis < 3; axis++)
      d->unit[axis] += (int)between(state, -120, 120);
  if (once_in(state, 16)) {
    int shift = (int)between(state, -900, 800);
    d->unit[draw(state) % 3] += shift;
  }
}

static double from_bits(uint64_t bits) {
  double x;
  memcpy(&x, &bits, sizeof(x));
  return x;
}

static uint64_t to_bits(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof(bits));
  return bits;
}

/* Neighbouring doubles in some places, subnormal numbers in others. */
static void vary_query(uint64_t *state, double query[ROW]) {
  if (once_in(state, 4))
    for (int64_t i = between(state, 1, 4); i > 0; i--) {
      uint64_t j = draw(state) % ROW;
      if (query[j] != 0)
        query[j] = from_bits(to_bits(query[j]) + draw(state) % 5 - 2);
    }
  if (once_in(state, 16)) {
    uint64_t axis = draw(state) % 3;
    bool all = once_in(state, 2);
    for (uint64_t j = axis; j < ROW; j += 3)
      if (all || once_in(state, 4)) {
        uint64_t sign = draw(state) & (UINT64_C(1) << 63), digits = draw(state);
        query[j] = from_bits(sign | digits >> (12 + draw(state) % 52));
      }
  }
}

/* True if the query is not finite. */
static bool make_query(uint64_t *state, int n, double query[ROW]) {
  draft d;
  makers[draw(state) % MAKER_COUNT](state, n, &d);
  vary_draft(state, &d);
  for (int j = 0; j < ROW; j++)
    query[j] = ldexp((double)d.at[j], d.unit[j % 3]);
  vary_query(state, query);
  if (!once_in(state, 16))
    return false;
  static const double poison[] = {NAN, INFINITY, -INFINITY};
  double bad = poison[draw(state) % 3];
  query[draw(state) % ROW] = bad;
  return true;
}

/* 0, a part of the first coordinate, of any size, or any double. */
static double make_separation(uint64_t *state, const double query[ROW]) {
  uint64_t which = draw(state) % 8;
  // One draw after the other: arguments have no order.
  double significand = (double)(draw(state) >> 11);
  double part = ldexp(significand, -53 - (int)(draw(state) % 60));
  if (which == 0)
    return 0;
  if (which == 1)
    return from_bits(draw(state) % (UINT64_C(2046) << 52));
  return isfinite(query[0]) ? fabs(query[0]) * part : part;
}

/* --- answers --- */

typedef struct block {
  int n;
  size_t count;
  double queries[BLOCK_MOST * ROW], separation[BLOCK_MOST];
  bool poisoned[BLOCK_MOST];
} block;

#define APART_KERNELS 4

/* One place more than there are queries, to see that nobody writes there. */
typedef struct answers {
  uint8_t codes[BLOCK_MOST + 1], miss[BLOCK_MOST + 1];
  uint8_t apart[APART_KERNELS][BLOCK_MOST + 1]; /* with separations: filter, projections, planes to balls, to cubes */
  toi_root_answer roots[BLOCK_MOST + 1];
} answers;

#define UNTOUCHED 0xa5

/* Rows in order, or backwards: the answers come in the order of the queries. */
static void ask(const toi_kernels *kernels, const block *b, bool backwards, answers *out) {
  uint32_t numbers[BLOCK_MOST];
  for (size_t i = 0; i < b->count; i++)
    numbers[i] = (uint32_t)(backwards ? b->count - 1 - i : i);
  toi_rows rows = {b->queries, ROW, numbers, b->count};
  memset(out, UNTOUCHED, sizeof(*out));
  answers raw = *out;
  kernels->filter(b->n, b->queries, b->count, out->codes);
  kernels->projection(b->n, &rows, raw.miss);
  kernels->root(b->n, &rows, raw.roots);
  kernels->filter_separated(b->n, b->queries, b->separation, b->count, out->apart[0]);
  kernels->projection_separated(b->n, &rows, b->separation, raw.apart[1]);
  kernels->planes(b->n, &rows, b->separation, 0, raw.apart[2]);
  kernels->planes(b->n, &rows, b->separation, 1, raw.apart[3]);
  for (size_t i = 0; i <= b->count; i++) {
    size_t number = i < b->count ? numbers[i] : i;
    for (int which = 1; which < APART_KERNELS; which++)
      out->apart[which][number] = raw.apart[which][i];
    out->miss[number] = raw.miss[i];
    out->roots[number] = raw.roots[i];
  }
}

/* The numbers of an answer, in the order of the struct. */
#define ROOT_NUMBERS 8
static void root_numbers(const toi_root_answer *root, double numbers[ROOT_NUMBERS]) {
  const double all[ROOT_NUMBERS] = {root->t_lo, root->t_hi,      root->guess,     root->u,
                                    root->v,    root->normal[0], root->normal[1], root->normal[2]};
  memcpy(numbers, all, sizeof(all));
}

static bool same_root(const toi_root_answer *a, const toi_root_answer *b) {
  double x[ROOT_NUMBERS], y[ROOT_NUMBERS];
  root_numbers(a, x);
  root_numbers(b, y);
  return a->code == b->code && memcmp(x, y, sizeof(x)) == 0;
}

static void print_query(const char *what, int n, const double *query) {
  fprintf(stderr, "%s, %s:\n", what, n == 3 ? "vertex-face" : "edge-edge");
  for (int i = 0; i < ROW; i += 3)
    fprintf(stderr, "%a %a %a\n", query[i], query[i + 1], query[i + 2]);
}

static bool same_apart(const answers *a, const answers *b, size_t i) {
  for (int which = 0; which < APART_KERNELS; which++)
    if (a->apart[which][i] != b->apart[which][i])
      return false;
  return true;
}

static bool same_answers(const char *name, const block *b, const answers *expected, const answers *found) {
  for (size_t i = 0; i < b->count; i++)
    if (found->codes[i] != expected->codes[i] || found->miss[i] != expected->miss[i] ||
        !same_root(&found->roots[i], &expected->roots[i]) || !same_apart(found, expected, i)) {
      print_query(name, b->n, b->queries + ROW * i);
      return false;
    }
  bool within = true;
  for (int which = 0; which < APART_KERNELS; which++)
    within = within && found->apart[which][b->count] == UNTOUCHED;
  const unsigned char *beyond = (const unsigned char *)&found->roots[b->count];
  if (!within || found->codes[b->count] != UNTOUCHED || found->miss[b->count] != UNTOUCHED || beyond[0] != UNTOUCHED) {
    fprintf(stderr, "%s writes beyond %zu answers\n", name, b->count);
    return false;
  }
  return true;
}

/* --- the hash, and what was seen --- */

static void hash_number(uint64_t *hash, uint64_t x) {
  for (int i = 0; i < 64; i += 8)
    *hash = (*hash ^ (x >> i & 0xff)) * UINT64_C(0x100000001b3);
}

static void hash_root(uint64_t *hash, const toi_root_answer *root) {
  double numbers[ROOT_NUMBERS];
  root_numbers(root, numbers);
  hash_number(hash, (uint64_t)root->code);
  for (int i = 0; i < ROOT_NUMBERS; i++)
    hash_number(hash, to_bits(numbers[i]));
}

typedef struct tally {
  uint64_t hash;
  uint64_t codes[3], misses, roots[3], scaled[4], poisoned, apart[APART_KERNELS], not_apart[APART_KERNELS];
} tally;

/* An answer of the kernels for one query out of range: only what it defines. */
static void hash_scaled(tally *t, const toi_scaled_answer *answer) {
  t->scaled[answer->projection_miss ? 3 : answer->root.code]++;
  hash_number(&t->hash, (uint64_t)answer->projection_miss);
  hash_number(&t->hash, (uint64_t)answer->root.code);
  hash_number(&t->hash, to_bits(answer->root.guess));
  if (answer->root.code == TOI_ROOT_HIT)
    hash_root(&t->hash, &answer->root);
}

/* The kernels of one lane for single queries; what they promise holds for finite queries only. */
static void ask_scaled(int n, const double *query, tally *t) {
  toi_scaled_answer answer;
  toi_kernel_scaled(n, query, &answer);
  hash_scaled(t, &answer);
  toi_kernel_scaled(2, query, &answer);
  hash_scaled(t, &answer);
  for (int axis = 0; axis < 3; axis++) {
    double u = 0, v = 0;
    int side = toi_kernel_start_in_plane(n, query, axis, &u, &v);
    hash_number(&t->hash, (uint64_t)(int64_t)side);
    hash_number(&t->hash, side > 0 ? to_bits(u) ^ to_bits(v) << 1 : 0);
    toi_planar planar = {query, 4, {0, n == 4}, {1 + (n == 4), 2}, axis};
    toi_kernels_scalar.planar(&planar, 1, &answer.root);
    answer.projection_miss = 0;
    hash_scaled(t, &answer);
  }
}

/* What is not finite must stay open at every level. */
static bool stays_open(const block *b, const answers *a, size_t i) {
  if (!b->poisoned[i])
    return true;
  bool apart = a->apart[0][i] != TOI_FILTER_OPEN || a->apart[1][i] || a->apart[2][i] || a->apart[3][i];
  if (a->codes[i] == TOI_FILTER_OPEN && a->miss[i] == 0 && a->roots[i].code == TOI_ROOT_OPEN && !apart)
    return true;
  print_query("settled though not finite", b->n, b->queries + ROW * i);
  return false;
}

/* The answers with separations. */
static void take_apart(const answers *a, size_t i, tally *t) {
  for (int which = 0; which < APART_KERNELS; which++) {
    uint8_t answer = a->apart[which][i];
    bool apart = which == 0 ? answer != TOI_FILTER_OPEN : answer != 0;
    hash_number(&t->hash, answer);
    t->apart[which] += apart;
    t->not_apart[which] += !apart;
  }
}

static bool take(const block *b, const answers *a, tally *t) {
  for (size_t i = 0; i < b->count; i++) {
    if (!stays_open(b, a, i))
      return false;
    hash_number(&t->hash, a->codes[i]);
    hash_number(&t->hash, a->miss[i]);
    hash_root(&t->hash, &a->roots[i]);
    take_apart(a, i, t);
    t->codes[a->codes[i]]++;
    t->misses += a->miss[i];
    t->roots[a->roots[i].code]++;
    t->poisoned += b->poisoned[i];
    if (!b->poisoned[i] && i % 4 == 0)
      ask_scaled(b->n, b->queries + ROW * i, t);
  }
  return true;
}

/* --- the run --- */

typedef struct named_kernels {
  const char *name;
  const toi_kernels *kernels;
} named_kernels;

static bool run_block(const block *b, tally *t) {
  named_kernels wide[2] = {{"two lanes differ from one", &toi_kernels_two}, {NULL, NULL}};
#if defined(__x86_64__)
  if (toi_simd_best() == TOI_SIMD_AVX2)
    wide[1] = (named_kernels){"four lanes differ from one", &toi_kernels_avx2};
#endif
  answers expected, found;
  ask(&toi_kernels_scalar, b, false, &expected);
  for (size_t i = 0; i < 2 && wide[i].name; i++)
    for (int backwards = 0; backwards < 2; backwards++) {
      ask(wide[i].kernels, b, backwards, &found);
      if (!same_answers(wide[i].name, b, &expected, &found))
        return false;
    }
  return take(b, &expected, t);
}

static bool run(int n, uint64_t seed, tally *t) {
  uint64_t state = seed, separations = ~seed;
  static block b;
  b.n = n;
  for (size_t done = 0; done < QUERY_COUNT / 2; done += b.count) {
    b.count = (size_t)between(&state, 1, BLOCK_MOST);
    for (size_t i = 0; i < b.count; i++) {
      b.poisoned[i] = make_query(&state, n, b.queries + ROW * i);
      b.separation[i] = make_separation(&separations, b.queries + ROW * i);
    }
    if (!run_block(&b, t))
      return false;
  }
  return true;
}

/* A run in which some answer hardly occurs proves little. */
static bool saw_everything(const tally *t) {
  const uint64_t seen[] = {t->codes[0], t->codes[1], t->codes[2],  t->misses,    t->roots[0],  t->roots[1],
                           t->roots[2], t->poisoned, t->scaled[0], t->scaled[1], t->scaled[2], t->scaled[3]};
  for (size_t i = 0; i < sizeof(seen) / sizeof(seen[0]); i++)
    if (seen[i] < QUERY_COUNT / 200) {
      fprintf(stderr, "answer %zu was given %" PRIu64 " times only\n", i, seen[i]);
      return false;
    }
  for (int which = 0; which < APART_KERNELS; which++)
    if (t->apart[which] < QUERY_COUNT / 200 || t->not_apart[which] < QUERY_COUNT / 200) {
      fprintf(stderr, "kernel %d with separations says the same of all\n", which);
      return false;
    }
  return true;
}

int main(void) {
  tally t = {.hash = UINT64_C(0xcbf29ce484222325)};
  if (!run(3, 1, &t) || !run(4, 2, &t))
    return 1;
  printf("filter: %" PRIu64 " box, %" PRIu64 " sign, %" PRIu64 " open; projection: %" PRIu64 " miss; root: %" PRIu64
         " open, %" PRIu64 " miss, %" PRIu64 " hit; not finite: %" PRIu64 "\n",
         t.codes[TOI_FILTER_BOX], t.codes[TOI_FILTER_SIGN], t.codes[TOI_FILTER_OPEN], t.misses, t.roots[TOI_ROOT_OPEN],
         t.roots[TOI_ROOT_MISS], t.roots[TOI_ROOT_HIT], t.poisoned);
  printf("scaled: %" PRIu64 " open, %" PRIu64 " miss, %" PRIu64 " hit, %" PRIu64 " projection; hash 0x%016" PRIx64 "\n",
         t.scaled[0], t.scaled[1], t.scaled[2], t.scaled[3], t.hash);
  printf("with separations: %" PRIu64 " by the filter, %" PRIu64 " by projections, %" PRIu64 " and %" PRIu64
         " by planes\n",
         t.apart[0], t.apart[1], t.apart[2], t.apart[3]);
  if (!saw_everything(&t))
    return 1;
  if (t.hash != EXPECTED_HASH) {
    fprintf(stderr, "the hash is not 0x%016" PRIx64 ": the kernels' bits have changed\n", EXPECTED_HASH);
    return 1;
  }
  return 0;
}
