/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* What the bounds assume of the arithmetic, for the host to compare: see self_test.c. */

/* For each eight inputs a and b: a + b, a - b, a * b, the lesser, and the greater of each. */
__kernel void arithmetic(__global const float8 *a, __global const float8 *b, uint count, __global float8 *out) {
  const uint i = (uint)get_global_id(0);
  if (i >= count)
    return;
  out[5 * (size_t)i] = a[i] + b[i];
  out[5 * (size_t)i + 1] = a[i] - b[i];
  out[5 * (size_t)i + 2] = a[i] * b[i];
  out[5 * (size_t)i + 3] = least(a[i], b[i]);
  out[5 * (size_t)i + 4] = most(a[i], b[i]);
}

/* Bits of less, not greater, greater; and a * b + a, which may be rounded once or twice. */
__kernel void comparisons(__global const float8 *a, __global const float8 *b, uint count, __global int8 *out,
                          __global float8 *sums) {
  const uint i = (uint)get_global_id(0);
  if (i >= count)
    return;
  out[i] = ((a[i] < b[i]) & 1) | ((a[i] <= b[i]) & 2) | ((a[i] > b[i]) & 4) | (select((int8)(0), (int8)(8), a[i] != b[i]));
  sums[i] = a[i] * b[i] + a[i];
}

/* A sum, the number of wraps, and the least of the bits of positive floats. */
__kernel void atomics(__global const uint *values, uint count, volatile __global uint *out) {
  const uint i = (uint)get_global_id(0);
  if (i >= count)
    return;
  const uint before = atomic_add(out, values[i]);
  if (before + values[i] < before)
    atomic_inc(out + 1);
  atomic_min(out + 2, values[i] & 0x7fffffffu);
}
