/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Models of the equations of contact, evaluated as they are written. */

#ifndef TOI_TESTS_CONTACT_MODELS_H
#define TOI_TESTS_CONTACT_MODELS_H

#include "contact/clearance.h"

/* The polynomial at y, without its rest. */
static inline long double equation_model_at(const toi_equation_model *g, const long double y[TOI_UNKNOWNS]) {
  long double sum = g->value;
  for (size_t a = 0; a < TOI_UNKNOWNS; a++) {
    sum += g->slope[a] * y[a];
    for (size_t b = a; b < TOI_UNKNOWNS; b++) {
      sum += g->second[a][b] * y[a] * y[b];
      for (size_t c = b; c < TOI_UNKNOWNS; c++)
        sum += g->third[a][b][c] * y[a] * y[b] * y[c];
    }
  }
  return sum;
}

#endif
