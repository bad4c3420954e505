/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Devices: graphics cards and other processors, by OpenCL, that prove misses before the CPU processes a pair.
 *
 * The options of a context choose its device (toi/base.h): "cpu" or NULL uses none, "auto" the first that passes the
 * self-test, anything else is a number in the list or a part of a name. toi_step(), toi_collisions() and
 * toi_candidates() then find the pairs of a mesh on the device, and prove most misses there, in floats; the CPU answers
 * the rest. The other calls on meshes find their candidates there. All these answers are the same bits as without a
 * device. toi_batch() and toi_batch_indexed() run the method `interval-queue` on it, in floats: the promises are the
 * same, but its answers differ from those of the CPU.
 *
 * OpenCL is loaded when a device is requested; everything else works without it. A device allocates its own memory,
 * which the context's budget does not count; device_memory limits it. */

#ifndef TOI_DEVICE_H
#define TOI_DEVICE_H

#include <toi/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum toi_device_kind {
  TOI_DEVICE_OTHER = 0,
  TOI_DEVICE_CPU, /* the processor itself, through OpenCL */
  TOI_DEVICE_GPU,
  TOI_DEVICE_ACCELERATOR
} toi_device_kind;

/* OpenCL's description of a device. Texts are truncated if they do not fit. */
typedef struct toi_device_info {
  uint32_t number;         /* in the list, from 0 */
  toi_device_kind kind;    /* what it is */
  uint32_t units;          /* compute units */
  bool usable;             /* it passed the self-test; false if that was not run */
  bool keeps_subnormals;   /* found by the self-test; both kinds of device are usable */
  uint64_t memory;         /* bytes of global memory */
  uint64_t largest_buffer; /* bytes */
  char name[128], platform[128], vendor[128], version[128], driver[64];
  char reason[512];     /* why it is not usable; "" if it is, or if the self-test was not run */
  uint64_t reserved[8]; /* 0 */
} toi_device_info;

/* The number of devices. None at all is not an error: toi_context_warning() then says why. */
TOI_API TOI_MUST_USE toi_status toi_device_count(toi_context *context, size_t *count);

/* Describes device `number` of the list, after running the self-test on it if `test`: a device that fails it is
 * described, and info->reason says what was wrong. TOI_ERROR_DEVICE if there is no such device. */
TOI_API TOI_MUST_USE toi_status toi_device_describe(toi_context *context, size_t number, bool test,
                                                    toi_device_info *info);

/* The device of the context, which is made ready if necessary (that runs the self-test and builds the kernels, which
 * may take seconds). info->usable is false if the CPU works alone. Fails with TOI_ERROR_DEVICE if there is no such
 * device or it cannot be used: the calls above would fail in the same way. info may be NULL. */
TOI_API TOI_MUST_USE toi_status toi_context_device(toi_context *context, toi_device_info *info);

/* One sentence about a problem that did not affect an answer: a device that failed during a call, whose work the CPU
 * finished, or an empty list of devices. "" if there is none. Valid until the next call on this context. */
TOI_API const char *toi_context_warning(const toi_context *context);

#ifdef __cplusplus
}
#endif

#endif
