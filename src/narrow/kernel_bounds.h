/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The error bounds of the kernels: claim, bound, why. tests/narrow/test_bounds.c compares each with exact arithmetic.
 *
 * Notation. u = 2^-53. A corner coordinate is c = x - y, computed as ĉ = c (1 + d), |d| <= u: subtraction neither
 * underflows nor, in range, overflows. X, Y, Z are the largest |ĉ| on each axis over the corners and both times;
 * V = XYZ. A term that passes k roundings is off by at most k u (1 + k u) of its size; the last factor is covered by
 * rounding each constant up, as is the rounding of V itself (3 u) and underflow: kernels are used only where every axis
 * in play has 2^-100 <= X <= 2^100, so that an underflowing product loses at most 2^-1075 * 2^100 < 2^-600 u V.
 *
 * Corners of F used by the cubic: A, B, C. f(t) = det(A, B, C) at time t, a cubic with Bernstein coefficients
 * b0, b1, b2, b3; B1 = 3 b1 and B2 = 3 b2 are what is computed.
 *
 * SIGN_END: b0 (and b3) is a sum of 6 terms of size <= V. Roundings a term: 3 (corners) + 1 (product) + 1 (difference,
 *   cross product) + 1 (product) + 2 (sums, dot product) = 8. Bound 6 * 8 = 48 u V.
 * SIGN_MID: B1 is a sum of 18 terms, with 2 further sums: 18 * 10 = 180 u V.
 *
 * HALVES: coefficients of a half of [0, 1], times 24, e.g. on the left
 *     24 b0,  12 b0 + 4 B1,  6 b0 + 4 B1 + 2 B2,  3 (b0 + B1 + B2 + b3).
 *   With |b| <= 6 V and |B| <= 18 V the last is the worst: inherited 3 (48 + 180 + 180 + 48) = 1368, its three sums
 *   3 (24 + 42 + 48) = 342, the product 144; together 1854 u V. (Third: 288 + 720 + 360, product 36, sums 108 + 144:
 * 1656.)
 *
 * AREAS: an area A(t) = p(t) x q(t) in a projection with axes X, Y has Bernstein coefficients A0, A1, A2; M = 2 A1 is
 * what is computed. A0: 2 terms, 2 + 1 + 1 roundings: 8 u XY. M: 4 terms, 5 roundings: 20 u XY. Coefficients of a half,
 * times 4: 4 A0, 2 A0 + M, A0 + M + A2; the last inherits 8 + 20 + 8 and adds sums 6 + 8: 50 u XY.
 *
 * GAP: coefficients of f on [s, e] inside [0, 1] by the blossom. b1 = B1 * (1/3): 60 + 12 u V. Each of three levels of
 *   interpolation (1-s) x + s y has 3 roundings on values <= 6 V: 18 u V a level. Together 72 + 54 = 126 u V.
 *
 * SLOPE: f'(x) from Bernstein coefficients B1 - 3 b0, B2 - B1, 3 b3 - B2: the middle one inherits 360 and rounds 36
 *   (values <= 36 V), the outer ones inherit 324 and round 18 + 36: 396 u V at most. Two levels of interpolation with 3
 *   roundings on 36 V add 216. Together 612 u V.
 * CURVE: |f''| <= 2 max of the differences of these three: each is off by 396 + 378 and rounds 72, so twice the larger
 *   is off by 1692 u V; adding this bound to it rounds once more on 144 V. Together 1836 u V.
 *
 * POINT_AREA: an area at time x from corner positions p = c0 + x (c1 - c0). The position is off by u X (corner c0)
 *   + 2 u X (corners of c1 - c0) + 2 u X (difference) + 2 u X (product) + u X (sum), and likewise Y: 8 u each. The
 *   area, 2 terms of 2 factors, then product and difference: 2 (16 + 2) = 36 u XY. The ends of a zone, x -+ d, are
 *   rounded and may lie u / 2 further from x, where an area may have moved by 8 u / 2 XY more: 40 u XY.
 * AREA_DRIFT: |A'| <= |p' x q| + |p x q'| <= 8 XY, as |p'| <= 2 X: within distance d of x an area moves by at most
 *   8 d XY.
 *
 * TWOFOLD: f(x) in twofold arithmetic (number/twofold.h: a sum is off by 3 u^2 (|a| + |b|), a product by 8 u^2 |ab|).
 *   Position c0 + x (c1 - c0): 6 u^2 X (difference) + 16 (product, of size <= 2 X) + 9 (sum) = 31 u^2 X. Component of a
 * cross product: 2 (8 + 2 * 31) + 6 = 146 u^2 XY. Dot product with the third corner: 3 (8 * 2 + 146 + 31 * 2) + 12 + 18
 * = 702 u^2 V. */

#ifndef TOI_NARROW_KERNEL_BOUNDS_H
#define TOI_NARROW_KERNEL_BOUNDS_H

#define TOI_U 0x1p-53

#define TOI_BOUND_SIGN_END (49 * TOI_U)
#define TOI_BOUND_SIGN_MID (182 * TOI_U)
#define TOI_BOUND_HALVES (1880 * TOI_U)
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
