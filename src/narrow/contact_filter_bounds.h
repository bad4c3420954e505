/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The error bounds of the contact filter, which computes in floats: claim, bound, why.
 *
 * Letters. u = 2^-24. c is a coordinate of a corner of F (kernel_body.h), in the units of the float mesh; r, of its
 * axis, is one of the mesh (float_mesh.h). k = 1 for corners made of high floats alone, 2 for those of high and low
 * ones. What is computed is ĉ = (c + e)(1 + d) with |e| < r and |d| <= k u (1 + 4 u):
 * - high alone: c + e is the difference of two rounded coordinates; it is rounded once.
 * - high and low: with h and l the exact differences of the high and of the low floats, ĉ is computed as h + l, each
 *   rounded and their sum rounded.
 *   - Rounding l changes it by at most 2 u G, G the largest low float of the axis: r has room for it, so that c + e is
 *     h + l with this error.
 *   - Rounding h changes it by at most u |h|. Either h is exact, as Sterbenz says of two numbers of one sign of which
 *     one is at most twice the other. Or |h| is at least half of the larger number, |l| is at most 4 u |h|, and the
 *     change is at most u (1 + 5 u) |h + l|.
 *   - The sum is rounded once.
 * X, Y, Z are the largest |ĉ| of an axis over the corners and both ends of the step, each plus r; V = XYZ.
 *
 * Claim 1 (box). If every ĉ of an axis is above r, every c is above 0. Why: c + e > r / (1 + d), and r is the bound of
 * |e| times more than 1 + 4 u, plus 2^-100. With r = 0 all of e is 0, and a rounded difference has the sign of the
 * exact one.
 *
 * Claim 2 (quantities). A computed coefficient or area is off from that of the exact corners by at most
 *     6 D + END u V            b0 and b3
 *     18 D + MID u V           B1 = 3 b1 and B2 = 3 b2
 *     144 D + HALVES u V       coefficients on a half of [0, 1], times 24
 *     8 D' + AREAS u XY        areas on a half, times 4
 * with D = XYZ - (X - rx)(Y - ry)(Z - rz), D' = XY - (X - rx)(Y - ry). Why: in two parts.
 * - From the computed quantity to that of the corners c + e: the roundings, counted as in kernel_bounds.h, with k
 *   instead of one for a corner. In u V and u XY:
 *                                            k = 1                       k = 2
 *     END      6 terms, 3 k + 5              48                          66
 *     MID      18 terms, 3 k + 7             180                         234
 *     HALVES   24 b0                         24 * 48 + 144       = 1296  24 * 66 + 144         = 1728
 *              12 b0 + 4 B1                  576 + 720 + 216     = 1512  792 + 936 + 216       = 1944
 *              6 b0 + 4 B1 + 2 B2            288 + 1080 + 288    = 1656  396 + 1404 + 288      = 2088
 *              3 (b0 + B1 + B2 + b3)         1368 + 144 + 342    = 1854  1800 + 144 + 342      = 2286
 *     AREAS    4 A0                          4 * 2 * 4           = 32    4 * 2 * 6             = 48
 *              2 A0 + M                      16 + 20 + 8         = 44    24 + 28 + 8           = 60
 *              A0 + M + A2                   8 + 20 + 8 + 14     = 50    12 + 28 + 12 + 14     = 66
 * - From there to the exact corners: a product of one coordinate of each axis changes by at most D where each of them
 *   changes by at most its r. b0 has 6 such products, B1 has 18; the coefficients on a half have 24 * 6 = 12 * 6 + 4 *
 *   18 = 6 * 6 + 4 * 18 + 2 * 18 = 3 (6 + 18 + 18 + 6) = 144. Areas, of two coordinates: 4 * 2 = 2 * 2 + 4 = 2 + 4 + 2
 *   = 8.
 * A product and a sum that are fused skip a rounding: every count above holds for them too.
 *
 * Claim 3 (part of a step). With t a float in [0, 1], ĉ(t) computed as ĉ0 + t (ĉ1 - ĉ0), and X > TOI_FLOAT_RANGE_LO: if
 * every ĉ0 and every ĉ(t) of an axis is above r + PART u X, nothing touches in [0, t]; likewise below. Why: a corner's
 * c is linear in time, and so on [0, t] above 0 if it is at both ends. At 0 by claim 1. At t, the three operations
 * change (1 - t) ĉ0 + t ĉ1 by 2 u X, 2 u X and u X, up to second order. That is a mean of c0 + e0 and c1 + e1, changed
 * by max |d| X <= 2 u X (1 + 4 u): in all 7 u X, and the mean of e0 and e1 is below r. One u X more is for the second
 * order, the rounding of r + PART u X, and underflow, as below.
 *
 * The constants are rounded up, for all that is of second order, for the roundings of D, V and their multiples, all of
 * them sums and products of numbers that are not negative (OUTWARD for those of D, which is taken as
 * (rx Y + X ry) Z + XY rz and so is not below the above), and for underflow:
 *
 * Range. No coordinate of the mesh is above TOI_FLOAT_RANGE_HI = 2^30 in magnitude, so that no number here exceeds
 * 24 * 6 * 2^94 < 2^102: nothing overflows. Every axis of a projection, and all three for the cubic, must have X >
 * TOI_FLOAT_RANGE_LO = 2^-28. Then results and operands below 2^-126 may be taken as zero, as some machines do:
 * - in a coordinate or corner this changes it by at most 2^-124 <= 2^-96 X;
 * - in a product of two, or a sum of them, by 2^-126 <= 2^-70 XY;
 * - in one of three, or a sum of them, by 2^-126 <= 2^-18 u V. In HALVES there are fewer than 50 of these, each at most
 *   24 times: together below 2^-7 u V.
 * Each constant has 1 u V, or 1 u XY, to spare beyond that. For claim 1: the rounding to zero is monotone, so that what
 * is above 0 with r = 0 was so before; with r > 0 the 2^-100 in it is more than four times 2^-124.
 *
 * tests/narrow/test_contact_filter.c compares with exact arithmetic, also with subnormal numbers flushed. */

#ifndef TOI_NARROW_CONTACT_FILTER_BOUNDS_H
#define TOI_NARROW_CONTACT_FILTER_BOUNDS_H

#define TOI_FLOAT_U 0x1p-24f

/* Of corners made of high floats alone. */
#define TOI_COARSE_END (50 * TOI_FLOAT_U)
#define TOI_COARSE_MID (183 * TOI_FLOAT_U)
#define TOI_COARSE_HALVES (1860 * TOI_FLOAT_U)
#define TOI_COARSE_AREAS (52 * TOI_FLOAT_U)

/* Of corners made of high and low floats. */
#define TOI_FINE_END (68 * TOI_FLOAT_U)
#define TOI_FINE_MID (237 * TOI_FLOAT_U)
#define TOI_FINE_HALVES (2292 * TOI_FLOAT_U)
#define TOI_FINE_AREAS (68 * TOI_FLOAT_U)

/* Of both, on a part of a step. */
#define TOI_FLOAT_PART (8 * TOI_FLOAT_U)

/* Multiples of D and D'. */
#define TOI_FLOAT_OUTWARD (1 + 0x1p-16f)
#define TOI_CHANGE_END (6 * TOI_FLOAT_OUTWARD)
#define TOI_CHANGE_MID (18 * TOI_FLOAT_OUTWARD)
#define TOI_CHANGE_HALVES (144 * TOI_FLOAT_OUTWARD)
#define TOI_CHANGE_AREAS (8 * TOI_FLOAT_OUTWARD)

#define TOI_FLOAT_RANGE_LO 0x1p-28f
#define TOI_FLOAT_RANGE_HI 0x1p30f

#endif
