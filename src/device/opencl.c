/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* OpenCL itself: its devices listed and started. */

#include "base/device.h"

#ifdef TOI_OPENCL

#include "device/opencl.h"

#include <stdio.h>
#include <string.h>

/* Relaxed mathematics is not among them, and must never be: the bounds count roundings. */
#define BUILD_OPTIONS "-cl-std=CL1.2 -w"

#define PLATFORMS_MOST 16

size_t toi_opencl_places(const toi_opencl *cl, toi_opencl_place places[TOI_DEVICES_MOST], char *reason, size_t size) {
  cl_platform_id platforms[PLATFORMS_MOST];
  cl_uint platform_count = 0;
  size_t count = 0;
  if (cl->GetPlatformIDs(PLATFORMS_MOST, platforms, &platform_count) != CL_SUCCESS)
    platform_count = 0;
  for (cl_uint i = 0; i < platform_count && i < PLATFORMS_MOST; i++) {
    cl_device_id devices[TOI_DEVICES_MOST];
    cl_uint found = 0;
    if (cl->GetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, TOI_DEVICES_MOST, devices, &found) != CL_SUCCESS)
      continue;
    for (cl_uint j = 0; j < found && j < TOI_DEVICES_MOST && count < TOI_DEVICES_MOST; j++)
      places[count++] = (toi_opencl_place){platforms[i], devices[j]};
  }
  if (count == 0)
    snprintf(reason, size,
             "OpenCL is installed but has no device; install the driver of one, or pocl-opencl-icd for the "
             "CPU");
  return count;
}

static uint64_t number_of(const toi_opencl *cl, cl_device_id device, cl_device_info what) {
  cl_ulong value = 0;
  if (cl->GetDeviceInfo(device, what, sizeof value, &value, NULL) != CL_SUCCESS)
    return 0;
  return value;
}

static void text_of(const toi_opencl *cl, cl_device_id device, cl_device_info what, char *text, size_t size) {
  char whole[1024] = "";
  if (cl->GetDeviceInfo(device, what, sizeof whole - 1, whole, NULL) != CL_SUCCESS)
    whole[0] = '\0';
  snprintf(text, size, "%.*s", (int)size - 1, whole);
}

void toi_opencl_describe(const toi_opencl *cl, toi_opencl_place place, uint32_t number, toi_device_info *info) {
  *info = (toi_device_info){.number = number};
  cl_device_type type = 0;
  cl_uint units = 0;
  cl->GetDeviceInfo(place.device, CL_DEVICE_TYPE, sizeof type, &type, NULL);
  cl->GetDeviceInfo(place.device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL);
  info->kind = (type & CL_DEVICE_TYPE_GPU) != 0           ? TOI_DEVICE_GPU
               : (type & CL_DEVICE_TYPE_CPU) != 0         ? TOI_DEVICE_CPU
               : (type & CL_DEVICE_TYPE_ACCELERATOR) != 0 ? TOI_DEVICE_ACCELERATOR
                                                          : TOI_DEVICE_OTHER;
  info->units = units;
  info->memory = number_of(cl, place.device, CL_DEVICE_GLOBAL_MEM_SIZE);
  info->largest_buffer = number_of(cl, place.device, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
  text_of(cl, place.device, CL_DEVICE_NAME, info->name, sizeof info->name);
  text_of(cl, place.device, CL_DEVICE_VENDOR, info->vendor, sizeof info->vendor);
  text_of(cl, place.device, CL_DEVICE_VERSION, info->version, sizeof info->version);
  text_of(cl, place.device, CL_DRIVER_VERSION, info->driver, sizeof info->driver);
  char platform[1024] = "";
  if (cl->GetPlatformInfo(place.platform, CL_PLATFORM_NAME, sizeof platform - 1, platform, NULL) != CL_SUCCESS)
    platform[0] = '\0';
  snprintf(info->platform, sizeof info->platform, "%.*s", (int)sizeof info->platform - 1, platform);
}

const char *toi_opencl_words(cl_int code) {
  switch (code) {
  case CL_DEVICE_NOT_AVAILABLE:
    return "the device is not available";
  case CL_MEM_OBJECT_ALLOCATION_FAILURE:
    return "out of device memory";
  case CL_OUT_OF_RESOURCES:
    return "out of resources of the device";
  case CL_OUT_OF_HOST_MEMORY:
    return "out of memory";
  case CL_BUILD_PROGRAM_FAILURE:
    return "the kernels do not build";
  case CL_INVALID_BUFFER_SIZE:
    return "a buffer is larger than the device allows";
  default:
    return "the device failed";
  }
}

bool toi_device_worked(toi_device *device, const char *what, cl_int code) {
  if (code != CL_SUCCESS && device->failure[0] == '\0')
    snprintf(device->failure, sizeof device->failure, "%s (%s: error %d of OpenCL)", toi_opencl_words(code), what,
             (int)code);
  return code == CL_SUCCESS;
}

bool toi_device_reserve(toi_device *device, toi_device_buffer *buffer, size_t size) {
  if (buffer->size >= size)
    return true;
  toi_device_release(device, buffer);
  cl_int code;
  buffer->memory =
      device->cl.CreateBuffer(device->context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, size, NULL, &code);
  if (!toi_device_worked(device, "clCreateBuffer", code))
    return false;
  buffer->size = size;
  return true;
}

void toi_device_release(toi_device *device, toi_device_buffer *buffer) {
  if (buffer->size > 0)
    device->cl.ReleaseMemObject(buffer->memory);
  *buffer = (toi_device_buffer){.size = 0};
}

void toi_device_release_slabs(toi_device *device) {
  for (int i = 0; i < 2; i++) {
    toi_device_slab *slab = &device->slabs[i];
    toi_device_buffer *const all[] = {&slab->nodes, &slab->vertices, &slab->high,
                                      &slab->low,   &slab->offsets,  &slab->reaches};
    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++)
      toi_device_release(device, all[k]);
  }
}

void toi_device_lose(toi_context *context, toi_device *device) {
  char sentence[TOI_ERROR_SIZE];
  snprintf(sentence, sizeof sentence, "device '%s': %s; the CPU did the rest, and works alone in this context",
           device->info.name, device->failure[0] != '\0' ? device->failure : "it failed");
  toi_device_give_up(context, sentence);
}

bool toi_device_arguments(toi_device *device, toi_kernel kernel, const toi_kernel_argument *arguments, size_t count) {
  bool fine = true;
  for (size_t i = 0; i < count && fine; i++)
    fine = toi_device_worked(
        device, "clSetKernelArg",
        device->cl.SetKernelArg(device->kernels[kernel], (cl_uint)i, arguments[i].size, arguments[i].value));
  return fine;
}

bool toi_device_run(toi_device *device, cl_command_queue commands, toi_kernel kernel, size_t items) {
  const size_t whole = (items + device->group - 1) / device->group * device->group;
  return toi_device_worked(device, "clEnqueueNDRangeKernel",
                           device->cl.EnqueueNDRangeKernel(commands, device->kernels[kernel], 1, NULL, &whole,
                                                           &device->group, 0, NULL, NULL));
}

/* --- its life --- */

/* The first lines of what the compiler says, in one. */
static void note_log(toi_device *device) {
  char log[2048] = "";
  size_t length = 0;
  device->cl.GetProgramBuildInfo(device->program, device->place.device, CL_PROGRAM_BUILD_LOG, 0, NULL, &length);
  // A log that does not fit is not given at all.
  if (length >= sizeof log || device->cl.GetProgramBuildInfo(device->program, device->place.device,
                                                             CL_PROGRAM_BUILD_LOG, length, log, NULL) != CL_SUCCESS)
    snprintf(log, sizeof log, "(a log of %zu bytes)", length);
  for (char *at = log; *at != '\0'; at++)
    if ((unsigned char)*at < ' ')
      *at = ' ';
  for (size_t end = strlen(log); end > 0 && log[end - 1] == ' '; end--)
    log[end - 1] = '\0';
  snprintf(device->failure, sizeof device->failure, "the kernels do not build: %.*s",
           (int)(sizeof device->failure - 64), log[0] != '\0' ? log : "(no log)");
}

static bool build(toi_device *device) {
  cl_int code;
  const char *text = toi_kernel_text;
  device->program = device->cl.CreateProgramWithSource(device->context, 1, &text, NULL, &code);
  if (!toi_device_worked(device, "clCreateProgramWithSource", code)) {
    device->program = NULL;
    return false;
  }
  code = device->cl.BuildProgram(device->program, 1, &device->place.device, BUILD_OPTIONS, NULL, NULL);
  if (code != CL_SUCCESS) {
    note_log(device);
    return false;
  }
  static const char *const names[TOI_KERNEL_COUNT] = {
      "boxes",           "refit",           "join_vertex_face",  "join_edge_edge", "sweep_vertex_face",
      "sweep_edge_edge", "begin_intervals", "examine_intervals", "end_pass",       "arithmetic",
      "comparisons",     "atomics"};
  for (int i = 0; i < TOI_KERNEL_COUNT; i++) {
    device->kernels[i] = device->cl.CreateKernel(device->program, names[i], &code);
    if (!toi_device_worked(device, "clCreateKernel", code)) {
      device->kernels[i] = NULL;
      return false;
    }
  }
  return true;
}

bool toi_device_start(toi_device *device) {
  cl_int code;
  device->context = device->cl.CreateContext(NULL, 1, &device->place.device, NULL, NULL, &code);
  if (!toi_device_worked(device, "clCreateContext", code)) {
    device->context = NULL;
    return false;
  }
  for (int i = 0; i < TOI_DEVICE_SLOTS; i++) {
    device->slots[i].commands = device->cl.CreateCommandQueue(device->context, device->place.device, 0, &code);
    if (!toi_device_worked(device, "clCreateCommandQueue", code)) {
      device->slots[i].commands = NULL;
      return false;
    }
  }
  // Groups share a processor: few on one with few lanes, so that the work is spread evenly.
  size_t most = 1;
  device->cl.GetDeviceInfo(device->place.device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof most, &most, NULL);
  device->group = device->info.kind == TOI_DEVICE_CPU ? 4 : 64;
  device->group = device->group < most ? device->group : most;
  return build(device);
}

void toi_device_stop(toi_device *device) {
  const toi_opencl *cl = &device->cl;
  for (int i = 0; i < TOI_DEVICE_SLOTS; i++) {
    toi_device_slot *slot = &device->slots[i];
    if (slot->commands)
      cl->Finish(slot->commands);
    toi_device_release(device, &slot->pairs);
    toi_device_release(device, &slot->counters);
  }
  toi_device_release_slabs(device);
  toi_device_release(device, &device->limit);
  for (int i = 0; i < TOI_KERNEL_COUNT; i++)
    if (device->kernels[i])
      cl->ReleaseKernel(device->kernels[i]);
  if (device->program)
    cl->ReleaseProgram(device->program);
  for (int i = 0; i < TOI_DEVICE_SLOTS; i++)
    if (device->slots[i].commands)
      cl->ReleaseCommandQueue(device->slots[i].commands);
  if (device->context)
    cl->ReleaseContext(device->context);
}

#endif
