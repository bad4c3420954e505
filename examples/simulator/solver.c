/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* CHOLMOD's supernodal factorisation. The order comes from the graph of blocks, which is nine times smaller than that
 * of the scalar matrix, by approximate minimum degree: nested dissection saves an eighth of the arithmetic but takes
 * longer than that to find, and contact changes the pattern in most iterations. */

#include "solver.h"

#include <cholmod.h>
#include <dlfcn.h>
#include <math.h>
#include <stdlib.h>

struct sim_solver {
  cholmod_common common;
  cholmod_factor *factor;
  cholmod_sparse *matrix; /* its values are the system's */
  cholmod_dense *solution, *work_y, *work_e;
  uint64_t generation; /* of the pattern that was analysed */
};

/* CHOLMOD's loops ask OpenMP for four threads, thousands of times per factorisation, whatever the machine has: waiting
 * for each other then takes longer than the work. With no level of parallel regions they run on this thread. */
static void work_alone(void) {
  void *program = dlopen(NULL, RTLD_LAZY);
  void (*set_levels)(int) = NULL;
  if (program != NULL)
    *(void **)&set_levels = dlsym(program, "omp_set_max_active_levels");
  if (set_levels != NULL)
    set_levels(0);
  if (program != NULL)
    dlclose(program);
}

sim_solver *solver_create(void) {
  sim_solver *s = take(1, sizeof *s);
  work_alone();
  cholmod_start(&s->common);
  s->common.print = 0;
  s->common.supernodal = CHOLMOD_SUPERNODAL;
  s->common.final_ll = 1;
  s->common.nmethods = 1;
  return s;
}

static void forget(sim_solver *s) {
  cholmod_free_factor(&s->factor, &s->common);
  if (s->matrix != NULL)
    s->matrix->x = NULL;
  cholmod_free_sparse(&s->matrix, &s->common);
  cholmod_free_dense(&s->solution, &s->common);
}

void solver_destroy(sim_solver *s) {
  if (s == NULL)
    return;
  forget(s);
  cholmod_free_dense(&s->work_y, &s->common);
  cholmod_free_dense(&s->work_e, &s->common);
  cholmod_finish(&s->common);
  free(s);
}

/* The pattern of blocks, as a matrix without values; `size` scalars per side of a block. */
static cholmod_sparse *pattern(sim_solver *s, const sim_system *m, size_t size) {
  const size_t n = m->count, blocks = m->column[n];
  cholmod_sparse *a =
      cholmod_allocate_sparse(size * n, size * n, size * size * blocks, 1, 1, -1, CHOLMOD_PATTERN, &s->common);
  if (a == NULL)
    return NULL;
  int *column = a->p, *row = a->i;
  size_t used = 0;
  for (size_t j = 0; j < n; j++)
    for (size_t c = 0; c < size; c++) {
      column[size * j + c] = (int)used;
      for (size_t k = m->column[j]; k < m->column[j + 1]; k++)
        for (size_t r = 0; r < size; r++)
          row[used++] = (int)(size * m->row[k] + r);
    }
  column[size * n] = (int)used;
  return a;
}

/* An order of the blocks' graph, for the scalars: NULL if CHOLMOD fails. */
static int *order(sim_solver *s, const sim_system *m) {
  cholmod_sparse *graph = pattern(s, m, 1);
  s->common.method[0].ordering = CHOLMOD_AMD;
  s->common.supernodal = CHOLMOD_SIMPLICIAL;
  cholmod_factor *f = graph == NULL ? NULL : cholmod_analyze(graph, &s->common);
  s->common.supernodal = CHOLMOD_SUPERNODAL;
  int *scalars = NULL;
  if (f != NULL) {
    const int *blocks = f->Perm;
    scalars = take(3 * m->count, sizeof *scalars);
    for (size_t i = 0; i < 3 * m->count; i++)
      scalars[i] = 3 * blocks[i / 3] + (int)(i % 3);
  }
  cholmod_free_factor(&f, &s->common);
  cholmod_free_sparse(&graph, &s->common);
  return scalars;
}

static bool analyse(sim_solver *s, const sim_system *m) {
  if (s->factor != NULL && s->generation == m->generation)
    return true;
  forget(s);
  int *scalars = order(s, m);
  s->matrix = pattern(s, m, 3);
  if (scalars != NULL && s->matrix != NULL) {
    s->matrix->x = m->value;
    s->matrix->xtype = CHOLMOD_REAL;
    s->common.method[0].ordering = CHOLMOD_GIVEN;
    s->factor = cholmod_analyze_p(s->matrix, scalars, NULL, 0, &s->common);
  }
  free(scalars);
  s->generation = m->generation;
  return s->factor != NULL;
}

bool solver_solve(sim_solver *s, const sim_system *m, double *step, sim_fault *fault) {
  if (9 * m->column[m->count] > INT32_MAX || !analyse(s, m))
    return refuse(fault, "CHOLMOD cannot analyse the matrix: out of memory, or too large");
  s->matrix->x = m->value;
  const bool factorised = cholmod_factorize(s->matrix, s->factor, &s->common) && s->common.status == CHOLMOD_OK;
  if (!factorised)
    return refuse(fault, "the matrix is not positive definite, or not finite, in column %zu",
                  s->factor->minor < s->factor->n ? s->factor->minor : 0);
  cholmod_dense right = {.nrow = 3 * m->count,
                         .ncol = 1,
                         .nzmax = 3 * m->count,
                         .d = 3 * m->count,
                         .x = m->gradient,
                         .xtype = CHOLMOD_REAL,
                         .dtype = CHOLMOD_DOUBLE};
  if (!cholmod_solve2(CHOLMOD_A, s->factor, &right, NULL, &s->solution, NULL, &s->work_y, &s->work_e, &s->common))
    return refuse(fault, "CHOLMOD cannot solve the system: out of memory");
  const double *solution = s->solution->x;
  for (size_t i = 0; i < 3 * m->count; i++) {
    step[i] = -solution[i];
    if (!isfinite(step[i]))
      return refuse(fault, "the step of vertex %zu is not finite", i / 3);
  }
  return true;
}
