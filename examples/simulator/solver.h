/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The sparse Cholesky factorisation, by CHOLMOD: ordered and analysed once per pattern, factorised in each iteration.
 */

#ifndef SIMULATOR_SOLVER_H
#define SIMULATOR_SOLVER_H

#include "system.h"

typedef struct sim_solver sim_solver;

sim_solver *solver_create(void);
void solver_destroy(sim_solver *s);

/* step = -matrix^-1 gradient. Fails if the matrix is not positive definite, or the step not finite. */
bool solver_solve(sim_solver *s, const sim_system *m, double *step, sim_fault *fault);

#endif
