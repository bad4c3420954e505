/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* OpenCL, loaded at run time: the entry points that the room uses, and a device as it is opened. */

#ifndef TOI_DEVICE_OPENCL_H
#define TOI_DEVICE_OPENCL_H

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include "base/device.h"

/* Every entry point, by its name without the prefix. */
#define TOI_OPENCL_CALLS(of)                                                                                           \
  of(GetPlatformIDs) of(GetPlatformInfo) of(GetDeviceIDs) of(GetDeviceInfo) of(CreateContext) of(ReleaseContext)       \
      of(CreateCommandQueue) of(ReleaseCommandQueue) of(CreateProgramWithSource) of(BuildProgram)                      \
          of(GetProgramBuildInfo) of(ReleaseProgram) of(CreateKernel) of(ReleaseKernel) of(SetKernelArg)               \
              of(CreateBuffer) of(ReleaseMemObject) of(EnqueueNDRangeKernel) of(EnqueueReadBuffer)                     \
                  of(EnqueueWriteBuffer) of(EnqueueMapBuffer) of(EnqueueUnmapMemObject) of(Flush) of(Finish)           \
                      of(WaitForEvents) of(ReleaseEvent)

typedef struct toi_opencl {
#define TOI_OPENCL_MEMBER(name) __typeof__(&cl##name) name; /* NOLINT(bugprone-macro-parentheses) */
  TOI_OPENCL_CALLS(TOI_OPENCL_MEMBER)
#undef TOI_OPENCL_MEMBER
} toi_opencl;

/* Loads the library of the system; false, with a sentence, if there is none. It stays loaded: implementations keep
 * threads of their own. */
bool toi_opencl_load(toi_opencl *cl, char *reason, size_t size);

/* A device of some platform. */
typedef struct toi_opencl_place {
  cl_platform_id platform;
  cl_device_id device;
} toi_opencl_place;

/* The most devices that are listed. */
#define TOI_DEVICES_MOST 64

/* All devices, platform by platform; returns how many, and a sentence if there are none. */
size_t toi_opencl_places(const toi_opencl *cl, toi_opencl_place places[TOI_DEVICES_MOST], char *reason, size_t size);

/* What OpenCL says of a device. */
void toi_opencl_describe(const toi_opencl *cl, toi_opencl_place place, uint32_t number, toi_device_info *info);

/* Kernels by number; the program is one. */
typedef enum toi_kernel {
  TOI_KERNEL_BOXES = 0,
  TOI_KERNEL_REFIT,
  TOI_KERNEL_VERTEX_FACE,
  TOI_KERNEL_EDGE_EDGE,
  TOI_KERNEL_SWEEP_VERTEX_FACE,
  TOI_KERNEL_SWEEP_EDGE_EDGE,
  TOI_KERNEL_BEGIN_INTERVALS,
  TOI_KERNEL_EXAMINE_INTERVALS,
  TOI_KERNEL_END_PASS,
  TOI_KERNEL_ARITHMETIC,
  TOI_KERNEL_COMPARISONS,
  TOI_KERNEL_ATOMICS,
  TOI_KERNEL_COUNT
} toi_kernel;

/* A buffer that grows and is kept. */
typedef struct toi_device_buffer {
  cl_mem memory;
  size_t size;
} toi_device_buffer;

/* Counters of a list: four of two words each in kernels.cl, two words in intervals.cl. */
#define TOI_COUNTER_WORDS 8
#define TOI_COUNTER_BYTES (TOI_COUNTER_WORDS * sizeof(cl_uint))

/* A list of pairs under way, with a command queue of its own, so that one is read while the other is filled. */
#define TOI_DEVICE_SLOTS 2
typedef struct toi_device_slot {
  cl_command_queue commands;
  toi_device_buffer pairs, counters;
} toi_device_slot;

/* Some blocks of one side of a join, on the device. */
typedef struct toi_device_slab {
  toi_device_buffer nodes, vertices, high, low, offsets, reaches;
} toi_device_slab;

struct toi_device {
  toi_opencl cl;
  toi_opencl_place place;
  toi_device_info info;
  cl_context context;
  cl_program program;
  cl_kernel kernels[TOI_KERNEL_COUNT];
  toi_device_slot slots[TOI_DEVICE_SLOTS];
  toi_device_slab slabs[2];
  toi_device_buffer limit; /* the earliest time proved: see kernels.cl */
  uint64_t memory, queue;  /* bytes that may be used, and of one slot's pairs */
  size_t group;            /* work items of a group */
  char failure[512];       /* the first call that failed, in words; "" if none did */
};

/* Whether a call succeeded; else notes what failed, unless something did before. */
bool toi_device_worked(toi_device *device, const char *what, cl_int code);

/* The words for an error of OpenCL, such as "out of device memory". */
const char *toi_opencl_words(cl_int code);

/* Queues, program and kernels; false if something failed. And the end of all. */
bool toi_device_start(toi_device *device);
void toi_device_stop(toi_device *device);

/* Runs the self-test; false, with the reason in info.reason, if the device breaks what the bounds assume or a call
 * failed. Needs memory of the context's. */
bool toi_device_self_test(toi_context *context, toi_device *device);

/* At least `size` bytes; false if there are none. The contents are not kept. */
bool toi_device_reserve(toi_device *device, toi_device_buffer *buffer, size_t size);
void toi_device_release(toi_device *device, toi_device_buffer *buffer);

/* Gives back what both slabs hold. */
void toi_device_release_slabs(toi_device *device);

/* The device failed in the midst of a call: the context's warning says so, and the CPU works alone from now on. */
void toi_device_lose(toi_context *context, toi_device *device);

/* Enqueues a kernel whose arguments are set, for this many work items. */
bool toi_device_run(toi_device *device, cl_command_queue commands, toi_kernel kernel, size_t items);

/* Sets all arguments of a kernel: pairs of a pointer and a size. */
typedef struct toi_kernel_argument {
  const void *value;
  size_t size;
} toi_kernel_argument;
bool toi_device_arguments(toi_device *device, toi_kernel kernel, const toi_kernel_argument *arguments, size_t count);

/* The join and the search of base/device.h. */
toi_status toi_device_join_run(toi_context *context, toi_device *device, toi_device_join *join);
toi_status toi_device_search_run(toi_context *context, toi_device *device, toi_device_search *search);

/* The text of the program, made by the build of prelude.cl, the files of the contact filter, and the kernels. */
extern const char toi_kernel_text[];

#endif
