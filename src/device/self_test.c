/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The self-test of a device: whether its arithmetic is what the bounds of narrow/contact_filter_bounds.h assume.
 *
 * Claim: a device that passes rounds each of + - * of floats to nearest even, compares as the host does, and adds and
 * takes the least atomically, on all of the vectors below. Results and operands below 2^-126 may be taken as zero, a
 * product and a sum may be fused. Why it must be run: OpenCL lets an embedded profile round to zero, and a faulty
 * driver anything. */

#include "base/device.h"

#ifdef TOI_OPENCL

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "device/opencl.h"

/* Eight pairs of operands each. */
#define VECTORS 12544
#define FLOATS (VECTORS * TOI_DEVICE_LANES)
#define RESULTS 5

typedef struct vectors {
  float a[FLOATS], b[FLOATS];
  float results[RESULTS * FLOATS];
  float sums[FLOATS];
  int32_t signs[FLOATS];
} vectors;

static uint32_t bits_of(float x) {
  uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

static uint32_t next_random(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(*state >> 32);
}

/* Operands of any magnitude, of nearly the same one, with few bits (so that ties are met), below 2^-126, and zero. */
static float operand(uint64_t *random, uint32_t how) {
  uint32_t bits = next_random(random);
  if (how % 5 == 1)
    bits = (bits & 0x80ffffffu) | (100 + bits % 40) << 23;
  if (how % 5 == 2)
    bits &= 0xfffff000u | (bits & 1u);
  if (how % 5 == 3 && bits % 4 == 0)
    bits &= 0x807fffffu;
  if (how % 97 == 0)
    bits &= 0x80000000u;
  // Neither infinite nor NaN: no coordinate is.
  if ((bits >> 23 & 0xffu) == 0xffu)
    bits ^= 0x40000000u;
  float x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

static bool is_tiny(float x) {
  return fabsf(x) < 0x1p-126f;
}

static float flushed(float x) {
  return is_tiny(x) ? 0 : x;
}

/* Whether a result is the right one, or what flushing operands and results gives. Zeroes of both signs are the same. */
static bool is_right(float got, float kept, float with_flushed) {
  return bits_of(got) == bits_of(kept) || (got == 0 && is_tiny(kept)) || bits_of(got) == bits_of(with_flushed) ||
         (got == 0 && is_tiny(with_flushed));
}

static float lesser(float a, float b) {
  return a < b ? a : b;
}

static float greater_of(float a, float b) {
  return a > b ? a : b;
}

static int32_t signs_of(float a, float b) {
  return (a < b ? 1 : 0) | (a <= b ? 2 : 0) | (a > b ? 4 : 0) | (a != b ? 8 : 0);
}

/* The first vector at fault in words; NULL if there is none. */
static const char *compare(const vectors *v, bool *keeps, size_t *at) {
  static const char *const names[RESULTS] = {"a sum", "a difference", "a product", "the lesser", "the greater"};
  *keeps = true;
  for (size_t i = 0; i < FLOATS; i++) {
    const float a = v->a[i], b = v->b[i], x = flushed(a), y = flushed(b);
    const float kept[RESULTS] = {a + b, a - b, a * b, lesser(a, b), greater_of(a, b)};
    const float flat[RESULTS] = {x + y, x - y, x * y, lesser(x, y), greater_of(x, y)};
    const size_t group = i / TOI_DEVICE_LANES, lane = i % TOI_DEVICE_LANES;
    *at = i;
    for (size_t k = 0; k < RESULTS; k++)
      if (!is_right(v->results[(group * RESULTS + k) * TOI_DEVICE_LANES + lane], kept[k], flat[k]))
        return names[k];
    if (v->signs[i] != signs_of(a, b)) {
      *keeps = false;
      if (v->signs[i] != signs_of(x, y))
        return "a comparison";
    }
    const float once = fmaf(a, b, a), twice = kept[2] + a, flat_sum = flushed(flat[2]) + x;
    if (!is_right(v->sums[i], once, twice) && !is_right(v->sums[i], flat_sum, fmaf(x, y, x)))
      return "a product and a sum";
  }
  return NULL;
}

static bool test_arithmetic(toi_device *device, vectors *v, const toi_device_buffer buffers[4]) {
  const cl_uint count = VECTORS;
  cl_command_queue commands = device->slots[0].commands;
  const toi_opencl *cl = &device->cl;
  const toi_kernel_argument first[] = {{&buffers[0].memory, sizeof(cl_mem)},
                                       {&buffers[1].memory, sizeof(cl_mem)},
                                       {&count, sizeof count},
                                       {&buffers[2].memory, sizeof(cl_mem)}};
  const toi_kernel_argument second[] = {{&buffers[0].memory, sizeof(cl_mem)},
                                        {&buffers[1].memory, sizeof(cl_mem)},
                                        {&count, sizeof count},
                                        {&buffers[2].memory, sizeof(cl_mem)},
                                        {&buffers[3].memory, sizeof(cl_mem)}};
  return toi_device_worked(
             device, "clEnqueueWriteBuffer",
             cl->EnqueueWriteBuffer(commands, buffers[0].memory, CL_TRUE, 0, sizeof v->a, v->a, 0, NULL, NULL)) &&
         toi_device_worked(
             device, "clEnqueueWriteBuffer",
             cl->EnqueueWriteBuffer(commands, buffers[1].memory, CL_TRUE, 0, sizeof v->b, v->b, 0, NULL, NULL)) &&
         toi_device_arguments(device, TOI_KERNEL_ARITHMETIC, first, 4) &&
         toi_device_run(device, commands, TOI_KERNEL_ARITHMETIC, VECTORS) &&
         toi_device_worked(device, "clEnqueueReadBuffer",
                           cl->EnqueueReadBuffer(commands, buffers[2].memory, CL_TRUE, 0, sizeof v->results, v->results,
                                                 0, NULL, NULL)) &&
         toi_device_arguments(device, TOI_KERNEL_COMPARISONS, second, 5) &&
         toi_device_run(device, commands, TOI_KERNEL_COMPARISONS, VECTORS) &&
         toi_device_worked(device, "clEnqueueReadBuffer",
                           cl->EnqueueReadBuffer(commands, buffers[2].memory, CL_TRUE, 0, sizeof v->signs, v->signs, 0,
                                                 NULL, NULL)) &&
         toi_device_worked(
             device, "clEnqueueReadBuffer",
             cl->EnqueueReadBuffer(commands, buffers[3].memory, CL_TRUE, 0, sizeof v->sums, v->sums, 0, NULL, NULL));
}

/* All values of `a` added and the least of their bits taken, by as many work items at the same time. */
static bool test_atomics(toi_device *device, const vectors *v, const toi_device_buffer buffers[4], bool *right) {
  const cl_uint count = FLOATS;
  cl_uint out[3] = {0, 0, UINT32_MAX};
  uint64_t sum = 0;
  uint32_t least = UINT32_MAX;
  for (size_t i = 0; i < FLOATS; i++) {
    const uint32_t bits = bits_of(v->a[i]);
    sum += bits;
    least = (bits & 0x7fffffffu) < least ? bits & 0x7fffffffu : least;
  }
  cl_command_queue commands = device->slots[0].commands;
  const toi_opencl *cl = &device->cl;
  const toi_kernel_argument arguments[] = {
      {&buffers[0].memory, sizeof(cl_mem)}, {&count, sizeof count}, {&buffers[2].memory, sizeof(cl_mem)}};
  const bool ran =
      toi_device_worked(
          device, "clEnqueueWriteBuffer",
          cl->EnqueueWriteBuffer(commands, buffers[2].memory, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL)) &&
      toi_device_arguments(device, TOI_KERNEL_ATOMICS, arguments, 3) &&
      toi_device_run(device, commands, TOI_KERNEL_ATOMICS, FLOATS) &&
      toi_device_worked(device, "clEnqueueReadBuffer",
                        cl->EnqueueReadBuffer(commands, buffers[2].memory, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL));
  *right = ((uint64_t)out[1] << 32 | out[0]) == sum && out[2] == least;
  return ran;
}

static bool profile_is_full(toi_device *device) {
  char profile[64] = "";
  cl_device_fp_config floats = 0;
  device->cl.GetDeviceInfo(device->place.device, CL_DEVICE_PROFILE, sizeof profile - 1, profile, NULL);
  device->cl.GetDeviceInfo(device->place.device, CL_DEVICE_SINGLE_FP_CONFIG, sizeof floats, &floats, NULL);
  if (strcmp(profile, "FULL_PROFILE") != 0)
    snprintf(device->info.reason, sizeof device->info.reason, "its profile is %s; FULL_PROFILE is needed", profile);
  else if (!(floats & CL_FP_ROUND_TO_NEAREST))
    snprintf(device->info.reason, sizeof device->info.reason, "it does not round floats to nearest");
  return device->info.reason[0] == '\0';
}

static void test_with(toi_device *device, vectors *v, const toi_device_buffer buffers[4]) {
  char *reason = device->info.reason;
  uint64_t random = 0x243f6a8885a308d3u;
  for (size_t i = 0; i < FLOATS; i++) {
    v->a[i] = operand(&random, (uint32_t)i);
    v->b[i] = i % 7 == 0 ? v->a[i] : operand(&random, (uint32_t)(i / 3));
  }
  bool atomics = false;
  if (!test_arithmetic(device, v, buffers) || !test_atomics(device, v, buffers, &atomics)) {
    snprintf(reason, sizeof device->info.reason, "%s", device->failure);
    return;
  }
  size_t at = 0;
  const char *wrong = compare(v, &device->info.keeps_subnormals, &at);
  if (wrong)
    snprintf(reason, sizeof device->info.reason,
             "its arithmetic is not IEEE 754's: %s of %a and %a is wrong; no proof would hold on it", wrong,
             (double)v->a[at], (double)v->b[at]);
  else if (!atomics)
    snprintf(reason, sizeof device->info.reason, "its atomic operations lose concurrent writes");
}

bool toi_device_self_test(toi_context *context, toi_device *device) {
  if (!profile_is_full(device))
    return false;
  vectors *v = toi_allocate(context, sizeof *v);
  if (!v) {
    snprintf(device->info.reason, sizeof device->info.reason, "out of memory for its self-test");
    return false;
  }
  static const size_t sizes[4] = {sizeof v->a, sizeof v->b, sizeof v->results, sizeof v->sums};
  toi_device_buffer buffers[4] = {{.size = 0}};
  bool there = true;
  for (int i = 0; i < 4 && there; i++)
    there = toi_device_reserve(device, &buffers[i], sizes[i]);
  if (there)
    test_with(device, v, buffers);
  else
    snprintf(device->info.reason, sizeof device->info.reason, "%s", device->failure);
  for (int i = 0; i < 4; i++)
    toi_device_release(device, &buffers[i]);
  toi_free(context, v, sizeof *v);
  device->info.usable = device->info.reason[0] == '\0';
  return device->info.usable;
}

#endif
