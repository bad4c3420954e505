/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The method `interval-queue` (Belgrod 2023, algorithm 3) in floats: one level of the intervals of many queries, a work
 * item each. The arithmetic is that of narrow/tight_inclusion_body.h, axis by axis, and so is the proof, with 2^-24 in
 * the place of 2^-53: see narrow/interval_device.c, which makes the rows.
 *
 * Corners and widths are whole numbers of halved widths, and exact. Times found are positive floats, whose bits have
 * their order: an atomic minimum keeps the least. A pass compares with the times of the passes before it, so that what
 * is found does not depend on the order of the work items. */

/* Of a row: p, a and b at the start, then at the end, x y z each; then these. base/device.h has the same. */
#define ROW 32
#define ROW_END 9
#define ROW_FILTER 18
#define ROW_REACH 21
#define ROW_KAPPA 24
#define ROW_BALL 27
#define ROW_TOLERANCE 28

#define WITH_TIME 1u
#define WITH_U 2u
#define WITH_V 4u
#define TRIANGLE 8u
#define NO_ZERO 16u

/* A corner in one parameter: the halvings of its width above, its number below. */
#define HALVINGS_SHIFT 24
#define MOST_HALVINGS 22

/* What is known of a query: the time found before this pass, and in it; checks before this pass, and in all. */
typedef struct known {
  uint before, now, checked, checks;
} known;

TOI_INLINE float width_of(uint corner) {
  return as_float((127 - (corner >> HALVINGS_SHIFT)) << 23);
}

TOI_INLINE float start_of(uint corner) {
  return (float)(corner & ((1u << HALVINGS_SHIFT) - 1)) * width_of(corner);
}

/* The first half; the second one's number is one more. */
TOI_INLINE uint half_of(uint corner) {
  const uint number = corner & ((1u << HALVINGS_SHIFT) - 1);
  return ((corner >> HALVINGS_SHIFT) + 1) << HALVINGS_SHIFT | 2 * number;
}

/* Sets the queue to the whole domains of queries [first, first + count). */
__kernel void begin_intervals(uint first, uint count, __global uint4 *queue, __global known *all, __global uint *sizes) {
  const uint i = (uint)get_global_id(0);
  if (i == 0)
    sizes[0] = sizes[1] = 0;
  if (i >= count)
    return;
  queue[i] = (uint4)(first + i, 0, 0, 0);
  const uint none = as_uint(INFINITY);
  all[first + i].before = all[first + i].now = none;
  all[first + i].checked = all[first + i].checks = 0;
}

/* Between two passes. */
__kernel void end_pass(uint first, uint count, __global known *all, __global uint *sizes) {
  const uint i = (uint)get_global_id(0);
  if (i == 0)
    sizes[0] = 0;
  if (i >= count)
    return;
  all[first + i].before = all[first + i].now;
  all[first + i].checked = all[first + i].checks;
}

/* The extent of F on one axis over an interval, at both times: centres and radii. */
typedef struct span {
  float c[2], r[2];
} span;

TOI_INLINE span span_of(__global const float *row, uint axis, const float t[2], const float centre[2],
                        const float radius[2]) {
  span s;
  TOI_UNROLL
  for (uint i = 0; i < 2; i++) {
    float x[3];
    TOI_UNROLL
    for (uint k = 0; k < 3; k++) {
      const float start = row[3 * k + axis];
      x[k] = start + t[i] * (row[ROW_END + 3 * k + axis] - start);
    }
    s.c[i] = (x[0] + centre[0] * x[1]) + centre[1] * x[2];
    s.r[i] = radius[0] * fabs(x[1]) + radius[1] * fabs(x[2]);
  }
  return s;
}

#define PRUNED 0
#define SPLIT 1
#define ACCEPTED 2

/* What becomes of an interval whose widths, 0 where the query has no such parameter, are given. */
TOI_INLINE int judge(__global const float *row, uint4 at, const float width[3], uint flags) {
  const float start = start_of(at.y), t[2] = {start, start + width[0]};
  const float radius[2] = {0.5f * width[1], 0.5f * width[2]};
  const float centre[2] = {start_of(at.z) + radius[0], start_of(at.w) + radius[1]};
  const float ball = row[ROW_BALL], tolerance = row[ROW_TOLERANCE];
  float gaps = 0, distances = 0;
  bool within = true, narrow = true;
  for (uint axis = 0; axis < 3; axis++) {
    const span s = span_of(row, axis, t, centre, radius);
    const float reach = row[ROW_REACH + axis], filter = row[ROW_FILTER + axis];
    const float limit[2] = {s.r[0] + reach, s.r[1] + reach};
    if ((s.c[0] > limit[0] && s.c[1] > limit[1]) || (s.c[0] < -limit[0] && s.c[1] < -limit[1]))
      return PRUNED;
    const float lo = fmin(s.c[0] - s.r[0], s.c[1] - s.r[1]), hi = fmax(s.c[0] + s.r[0], s.c[1] + s.r[1]);
    const float far = fmax(hi, -lo), gap = fmax(fmax(lo, -hi) - filter, 0.0f), inner = fmax(far - filter, 0.0f);
    gaps += gap * gap;
    distances += inner * inner;
    within &= far <= reach;
    narrow &= hi - lo <= tolerance;
  }
  if (ball > 0 && gaps > ball)
    return PRUNED;
  if (ball > 0 ? distances <= ball : within)
    return ACCEPTED;
  bool fine = true;
  for (uint i = 0; i < 3; i++)
    fine &= row[ROW_KAPPA + i] * width[i] <= tolerance;
  return (fine || narrow) && !(flags & NO_ZERO && (at.y << (32 - HALVINGS_SHIFT)) == 0) ? ACCEPTED : SPLIT;
}

/* The parameter with the largest kappa times width that can be halved still; 3 if there is none. */
TOI_INLINE uint split_of(__global const float *row, uint4 at, const float width[3]) {
  const uint corners[3] = {at.y, at.z, at.w};
  uint split = 3;
  float largest = 0;
  for (uint i = 0; i < 3; i++) {
    const float cost = row[ROW_KAPPA + i] * width[i];
    if (cost > largest && corners[i] >> HALVINGS_SHIFT < MOST_HALVINGS) {
      largest = cost;
      split = i;
    }
  }
  return split;
}

/* Writes one or two intervals to a list of fixed capacity, or counts on. */
TOI_INLINE void append(__global uint4 *list, uint capacity, volatile __global uint *size, uint count, uint4 first,
                       uint4 second) {
  const uint place = atomic_add(size, count);
  if (place < capacity)
    list[place] = first;
  if (count == 2 && place + 1 < capacity)
    list[place + 1] = second;
}

/* One level. sizes: of the next level, and of what was found. */
__kernel void examine_intervals(__global const float *rows, __global const uint4 *queue, uint count,
                                __global uint4 *next, uint capacity, __global uint4 *found, uint found_capacity,
                                volatile __global known *all, uint most_checks, uint flags,
                                volatile __global uint *sizes) {
  const uint i = (uint)get_global_id(0);
  if (i >= count)
    return;
  const uint4 at = queue[i];
  volatile __global known *own = all + at.x;
  const float start = start_of(at.y);
  if (start >= as_float(own->before))
    return;
  __global const float *row = rows + (size_t)at.x * ROW;
  const float width[3] = {flags & WITH_TIME ? width_of(at.y) : 0, flags & WITH_U ? width_of(at.z) : 0,
                          flags & WITH_V ? width_of(at.w) : 0};
  const bool spent = own->checked >= most_checks;
  if (!spent)
    atomic_inc(&own->checks);
  const uint split = split_of(row, at, width);
  int fate = spent ? ACCEPTED : judge(row, at, width, flags);
  if (fate == PRUNED)
    return;
  if (fate == ACCEPTED || split == 3) {
    atomic_min(&own->now, as_uint(start));
    append(found, found_capacity, sizes + 1, 1, at, at);
    return;
  }
  uint4 first = at;
  if (split == 0)
    first.y = half_of(at.y);
  else if (split == 1)
    first.z = half_of(at.z);
  else
    first.w = half_of(at.w);
  uint4 second = first;
  if (split == 0)
    second.y++;
  else if (split == 1)
    second.z++;
  else
    second.w++;
  // Outside the triangle nothing is asked.
  const bool both = split == 0 || !(flags & TRIANGLE) || start_of(second.z) + start_of(second.w) <= 1;
  append(next, capacity, sizes, both ? 2 : 1, first, second);
}
