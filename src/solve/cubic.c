/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

#include "solve/cubic.h"

#include <math.h>
#include <string.h>

#define NONE TOI_TERM_NONE

const uint8_t toi_term_exponent[TOI_CUBIC_TERMS][3] = {
    {0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {2, 0, 0}, {1, 1, 0}, {1, 0, 1}, {0, 2, 0}, {0, 1, 1}, {0, 0, 2},
    {3, 0, 0}, {2, 1, 0}, {2, 0, 1}, {1, 2, 0}, {1, 1, 1}, {1, 0, 2}, {0, 3, 0}, {0, 2, 1}, {0, 1, 2}, {0, 0, 3}};

const uint8_t toi_term_times[TOI_QUADRIC_TERMS][3] = {{1, 2, 3},    {4, 5, 6},    {5, 7, 8},    {6, 8, 9},
                                                      {10, 11, 12}, {11, 13, 14}, {12, 14, 15}, {13, 16, 17},
                                                      {14, 17, 18}, {15, 18, 19}};

const uint8_t toi_term_over[TOI_CUBIC_TERMS][3] = {
    {NONE, NONE, NONE}, {0, NONE, NONE}, {NONE, 0, NONE}, {NONE, NONE, 0}, {1, NONE, NONE},
    {2, 1, NONE},       {3, NONE, 1},    {NONE, 2, NONE}, {NONE, 3, 2},    {NONE, NONE, 3},
    {4, NONE, NONE},    {5, 4, NONE},    {6, NONE, 4},    {7, 5, NONE},    {8, 6, 5},
    {9, NONE, 6},       {NONE, 7, NONE}, {NONE, 8, 7},    {NONE, 9, 8},    {NONE, NONE, 9}};

void toi_cubic_along(const toi_cubic *f, const toi_affine *field, toi_cubic *derivative) {
  memset(derivative, 0, sizeof(*derivative));
  for (int m = 1; m < TOI_CUBIC_TERMS; m++) {
    if (f->term[m] == 0)
      continue;
    for (int k = 0; k < 3; k++) {
      const uint8_t over = toi_term_over[m][k];
      if (over == NONE)
        continue;
      const double factor = f->term[m] * toi_term_exponent[m][k];
      derivative->term[over] += factor * field->shift[k];
      for (int l = 0; l < 3; l++)
        derivative->term[toi_term_times[over][l]] += factor * field->matrix[k][l];
    }
  }
}

void toi_cubic_monomials(const double at[3], double monomials[TOI_CUBIC_TERMS]) {
  monomials[0] = 1;
  for (int m = 0; m < TOI_QUADRIC_TERMS; m++)
    for (int k = 0; k < 3; k++)
      monomials[toi_term_times[m][k]] = monomials[m] * at[k];
}

double toi_cubic_most(const toi_cubic *f, const double monomials[TOI_CUBIC_TERMS]) {
  double sum = 0;
  for (int m = 0; m < TOI_CUBIC_TERMS; m++)
    sum += fabs(f->term[m]) * monomials[m];
  return sum;
}

double toi_cubic_slope_most(const toi_cubic *f, const double monomials[TOI_CUBIC_TERMS]) {
  double square = 0;
  for (int k = 0; k < 3; k++) {
    double sum = 0;
    for (int m = 1; m < TOI_CUBIC_TERMS; m++)
      if (toi_term_over[m][k] != NONE)
        sum += fabs(f->term[m]) * toi_term_exponent[m][k] * monomials[toi_term_over[m][k]];
    square += sum * sum;
  }
  return sqrt(square);
}
