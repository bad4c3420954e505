/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* What narrow/contact_filter_core_body.h asks for, in OpenCL C: eight lanes of floats. */

#pragma OPENCL FP_CONTRACT OFF

#define TOI_INLINE static inline
#define TOI_UNROLL _Pragma("unroll")

typedef float8 real;
typedef int8 mask;

#define less(a, b) ((a) < (b))
#define greater(a, b) ((a) > (b))
#define every(x) ((float8)(x))

/* Names that the language has taken. */
#define cross filter_cross
#define dot filter_dot

TOI_INLINE real least(real a, real b) {
  return select(b, a, a < b);
}

TOI_INLINE real most(real a, real b) {
  return select(b, a, a > b);
}
