/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Sine and cosine of a twofold number, in lanes.
 *
 * Claim: for x in [0, 1.58] both are off by less than 64 u^2, u = 2^-53, of 1.
 * Why: with z = x^2 <= 2.5 they are x P(z) and Q(z), P and Q the Taylor series.
 * - What is left out is less than its first term: z^17 x / 35! < 0.1 u^2 and z^18 / 36! < 0.1 u^2.
 * - Terms from z^11 on, at most z^11 / 22! < 0.2 u in all with their tail, are added up in doubles: each step rounds
 *   twice, and what follows is shrunk by z / 500: less than 4 u of these, 0.8 u^2.
 * - Each of the 11 twofold steps rounds 8 + 3 (twofold.h) and the coefficient 1, of a partial sum that is at most the
 *   series with positive signs; the step of z^k is multiplied by z^k once more. Sum z^k / (2k)! (12 + z's own 8 k) is
 *   less than 12 cosh x + 4 x sinh x < 46, for P less; times x, and rounded by 8 more, less than 60.
 * Factors below TWOFOLD_LEAST count as 0, far less than u^2. */

#ifndef TOI_NUMBER_TWOFOLD_SINE_H
#define TOI_NUMBER_TWOFOLD_SINE_H

#include "number/twofold.h"

#define TOI_SINE_TWOFOLD 11 /* coefficients that are taken twofold */
#define TOI_SINE_TERMS 17
#define TOI_COSINE_TERMS 18

/* (-1)^k / (2k + 1)! and (-1)^k / (2k)!, hi + lo. */
static const double toi_twofold_sine_terms[17][2] = {{0x1.0000000000000p+0, 0x0.0p+0},
                                                     {-0x1.5555555555555p-3, -0x1.5555555555555p-57},
                                                     {0x1.1111111111111p-7, 0x1.1111111111111p-63},
                                                     {-0x1.a01a01a01a01ap-13, -0x1.a01a01a01a01ap-73},
                                                     {0x1.71de3a556c734p-19, -0x1.c154f8ddc6c00p-73},
                                                     {-0x1.ae64567f544e4p-26, 0x1.c062e06d1f209p-80},
                                                     {0x1.6124613a86d09p-33, 0x1.f28e0cc748ebep-87},
                                                     {-0x1.ae7f3e733b81fp-41, -0x1.1d8656b0ee8cbp-97},
                                                     {0x1.952c77030ad4ap-49, 0x1.ac981465ddc6cp-103},
                                                     {-0x1.2f49b46814157p-57, -0x1.2650f61dbdcb4p-112},
                                                     {0x1.71b8ef6dcf572p-66, -0x1.d043ae40c4647p-120},
                                                     {-0x1.761b41316381ap-75, 0x1.3423c7d91404fp-130},
                                                     {0x1.3f3ccdd165fa9p-84, -0x1.58ddadf344487p-139},
                                                     {-0x1.d1ab1c2dccea3p-94, -0x1.054d0c78aea14p-149},
                                                     {0x1.259f98b4358adp-103, 0x1.eaf8c39dd9bc5p-157},
                                                     {-0x1.434d2e783f5bcp-113, -0x1.0b87b91be9affp-167},
                                                     {0x1.3981254dd0d52p-123, -0x1.2b1f4c8015a2fp-177}};
static const double toi_twofold_cosine_terms[18][2] = {{0x1.0000000000000p+0, 0x0.0p+0},
                                                       {-0x1.0000000000000p-1, 0x0.0p+0},
                                                       {0x1.5555555555555p-5, 0x1.5555555555555p-59},
                                                       {-0x1.6c16c16c16c17p-10, 0x1.f49f49f49f49fp-65},
                                                       {0x1.a01a01a01a01ap-16, 0x1.a01a01a01a01ap-76},
                                                       {-0x1.27e4fb7789f5cp-22, -0x1.cbbc05b4fa99ap-76},
                                                       {0x1.1eed8eff8d898p-29, -0x1.2aec959e14c06p-83},
                                                       {-0x1.93974a8c07c9dp-37, -0x1.05d6f8a2efd1fp-92},
                                                       {0x1.ae7f3e733b81fp-45, 0x1.1d8656b0ee8cbp-101},
                                                       {-0x1.6827863b97d97p-53, -0x1.eec01221a8b0bp-107},
                                                       {0x1.e542ba4020225p-62, 0x1.ea72b4afe3c2fp-120},
                                                       {-0x1.0ce396db7f853p-70, 0x1.aebcdbd20331cp-124},
                                                       {0x1.f2cf01972f578p-80, -0x1.9ada5fcc1ab14p-135},
                                                       {-0x1.88e85fc6a4e5ap-89, 0x1.71c37ebd16540p-143},
                                                       {0x1.0a18a2635085dp-98, 0x1.b9e2e28e1aa54p-153},
                                                       {-0x1.3932c5047d60ep-108, -0x1.832b7b530a627p-162},
                                                       {0x1.434d2e783f5bcp-118, 0x1.0b87b91be9affp-172},
                                                       {-0x1.2710231c0fd7ap-128, -0x1.3f8a2b4af9d6bp-184}};

TOI_INLINE twofold twofold_series(const double terms[][2], int count, twofold z) {
  real tail = every(terms[count - 1][0]);
  for (int k = count - 2; k >= TOI_SINE_TWOFOLD; k--)
    tail = tail * z.hi + terms[k][0];
  twofold sum = twofold_of(tail);
  for (int k = TOI_SINE_TWOFOLD - 1; k >= 0; k--)
    sum = twofold_add((twofold){every(terms[k][0]), every(terms[k][1])}, twofold_product(z, sum));
  return sum;
}

TOI_INLINE void twofold_sin_cos(twofold x, twofold *sine, twofold *cosine) {
  const twofold z = twofold_product(x, x);
  *sine = twofold_product(x, twofold_series(toi_twofold_sine_terms, TOI_SINE_TERMS, z));
  *cosine = twofold_series(toi_twofold_cosine_terms, TOI_COSINE_TERMS, z);
}

#endif
