/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The error bounds of the kernels: claim, bound, why. tests/narrow/test_bounds.c compares each with exact arithmetic.
 *
 * Notation. u = 2^-53. A corner coordinate is c = x - y, computed as ĉ = c (1 + d), |d| <= u: subtraction neither
 * underflows nor, in range, overflows. X, Y, Z are the largest |ĉ| on each axis over the corners and both times;
 * V = XYZ. A term that passes k roundings is off by at most k u (1 + k u) of its size. Rounding each constant up covers
 * - the last factor,
 * - the rounding of V itself (3 u), and
 * - underflow: kernels are used only where every axis in play has 2^-100 <= X <= 2^100, so that an underflowing product
 *   loses at most 2^-1075 * 2^100 < 2^-600 u V.
 *
 * Corners of F used by the cubic: A, B, C. f(t) = det(A, B, C) at time t, a cubic with Bernstein coefficients
 * b0, b1, b2, b3; B1 = 3 b1 and B2 = 3 b2 are what is computed. |b| <= 6 V and |B| <= 18 V.
 *
 * SIGN_END, the error of b0 and b3: 6 terms of size <= V, with roundings for each of
 *     3 corners + 1 product + 1 difference (cross product) + 1 product + 2 sums (dot product) = 8:   6 * 8 = 48 u V
 * SIGN_MID, of B1 and B2: 18 terms, with 2 further sums:                                          18 * 10 = 180 u V
 *
 * THIRD, of b1 and b2 themselves, for toi_explain: B / 3 inherits 60 and rounds on 6:              66 u V
 *
 * HALVES, of the coefficients of a half of [0, 1], times 24; on the left, in u V:
 *     coefficient              inherited                 products      sums            together
 *     24 b0                    24 * 48                   144           -               1296
 *     12 b0 + 4 B1             12 * 48 + 4 * 180         72            144             1512
 *     6 b0 + 4 B1 + 2 B2       6 * 48 + 6 * 180          36            108 + 144       1656
 *     3 (b0 + B1 + B2 + b3)    3 (48 + 360 + 48)         144           3 (24+42+48)    1854
 * HALF, of the same divided by 24, for toi_explain: inherits 1854 / 24 and rounds on 6:             84 u V
 *
 * AREAS: an area A(t) = p(t) x q(t) in a projection with axes X, Y has Bernstein coefficients A0, A1, A2; M = 2 A1 is
 * what is computed. |A| <= 2 XY and |M| <= 4 XY. In u XY:
 * - A0: 2 terms with 2 corners, a product, a difference:                            2 * 4 = 8
 * - M: 4 terms with a sum more:                                                     4 * 5 = 20
 * - 4 A0, on a half and times 4 as the next two:                                    4 * 8 = 32
 * - 2 A0 + M: inherits 16 + 20, and a sum on 8:                                             44
 * - A0 + M + A2: inherits 8 + 20 + 8, and sums on 6 and 8:                                  50
 *
 * GAP, of the coefficients of f on [s, e] inside [0, 1], by the blossom, in u V:
 * - b1 = B1 * (1/3): inherits 60; the factor and the product round on 6:                    72
 * - Each of three levels of interpolation (1-s) x + s y: 3 roundings on 6:             3 * 18 = 54
 * Together                                                                                 126
 *
 * SLOPE, of f'(x) from its Bernstein coefficients, which are at most 36 V, in u V:
 * - B2 - B1: inherits 360, a difference on 36:                                             396
 * - B1 - 3 b0 and 3 b3 - B2: inherit 180 + 144, a product on 18, a difference on 36:       378
 * - Two levels of interpolation with 3 roundings on 36:                               2 * 108 = 216
 * Together                                                                                 612
 * CURVE: |f''| is at most twice the larger of the two differences of these coefficients, in u V:
 * - Each inherits 396 + 378 and rounds on 72: 846; twice this:                            1692
 * - Adding the bound rounds on 144. Together                                              1836
 *
 * POINT_AREA, of an area at time x from corner positions p = c0 + x (c1 - c0):
 * - A position, in u X: corner c0 1, corners of c1 - c0 2, difference 2, product 2, sum 1:   8; and likewise in Y
 * - The area, in u XY: 2 terms of 2 such factors, with a product and a difference:    2 (16 + 2) = 36
 * - The ends of a zone, x -+ d, are rounded. Within [0, 1] they may lie u / 2 farther from x, where an area may have
 *   moved by 8 u / 2 more (AREA_DRIFT); beyond, they do not matter. Together                40
 * AREA_DRIFT: |A'| <= |p' x q| + |p x q'| <= 8 XY, as |p'| <= 2 X: within distance d of x an area moves by at most
 * 8 d XY.
 *
 * TWOFOLD: f(x) in twofold arithmetic (number/twofold.h: a sum is off by 3 u^2 (|a| + |b|), a product by 8 u^2 |ab|):
 * - Position c0 + x (c1 - c0), in u^2 X: difference 6, product (of size <= 2 X) 16, sum 9:   31
 * - Component of a cross product, in u^2 XY: 2 products, 2 (8 + 2 * 31), a difference 6:    146
 * - Dot product with the third corner, in u^2 V: 3 products of X and 2 YZ, 3 (16 + 146 + 2 * 31); a sum with 0, which
 *   is exact, and sums of 12 and 18:                                                        702 */

#ifndef TOI_NARROW_KERNEL_BOUNDS_H
#define TOI_NARROW_KERNEL_BOUNDS_H

#define TOI_U 0x1p-53

#define TOI_BOUND_SIGN_END (49 * TOI_U)
#define TOI_BOUND_SIGN_MID (182 * TOI_U)
#define TOI_BOUND_THIRD (68 * TOI_U)
#define TOI_BOUND_HALVES (1880 * TOI_U)
#define TOI_BOUND_HALF (86 * TOI_U)
#define TOI_BOUND_AREAS (52 * TOI_U)
#define TOI_BOUND_GAP (130 * TOI_U)
#define TOI_BOUND_SLOPE (660 * TOI_U)
#define TOI_BOUND_CURVE (1900 * TOI_U)
#define TOI_BOUND_POINT_AREA (42 * TOI_U)
#define TOI_BOUND_AREA_DRIFT 8.01
#define TOI_BOUND_TWOFOLD (720 * TOI_U * TOI_U)

/* Covers the few roundings of what a separation adds to a bound (kernel_separated.h). */
#define TOI_SEPARATED_OUTWARD (1 + 0x1p-48)

/* The magnitudes for which the bounds above hold. */
#define TOI_RANGE_LO 0x1p-100
#define TOI_RANGE_HI 0x1p100

/* Twofold values below these are taken as zero, which costs less than the slack in TOI_BOUND_TWOFOLD (u^2 X >= 2^-206,
 * u^2 XY >= 2^-306) and keeps every product that product_error() sees above 2^-960. */
#define TOI_FLUSH_POSITION 0x1p-230
#define TOI_FLUSH_CROSS 0x1p-340

#endif
