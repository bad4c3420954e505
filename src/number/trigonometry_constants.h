/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The constants of trigonometry.c, apart so that a test can hold each of them against multiple-precision arithmetic. */

#ifndef TOI_NUMBER_TRIGONOMETRY_CONSTANTS_H
#define TOI_NUMBER_TRIGONOMETRY_CONSTANTS_H

/* pi/2 in parts: each is what the ones before leave, to 33 bits, the last to 53. */
static const double toi_pi_halves[4] = {0x1.921fb544p+0, 0x1.0b4611a6p-34, 0x1.3198a2ep-69, 0x1.b839a252049c1p-104};

static const double toi_two_over_pi = 0x1.45f306dc9c883p-1;

/* 1/n!, rounded, with the signs of the series: of the sine from n = 3, of the cosine from n = 4. */
static const double toi_sine_terms[8] = {-0x1.5555555555555p-3,  0x1.1111111111111p-7,   -0x1.a01a01a01a01ap-13,
                                         0x1.71de3a556c734p-19,  -0x1.ae64567f544e4p-26, 0x1.6124613a86d09p-33,
                                         -0x1.ae7f3e733b81fp-41, 0x1.952c77030ad4ap-49};
static const double toi_cosine_terms[7] = {0x1.5555555555555p-5,   -0x1.6c16c16c16c17p-10, 0x1.a01a01a01a01ap-16,
                                           -0x1.27e4fb7789f5cp-22, 0x1.1eed8eff8d898p-29,  -0x1.93974a8c07c9dp-37,
                                           0x1.ae7f3e733b81fp-45};

#endif
