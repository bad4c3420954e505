/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The table of base/device.h: devices listed, chosen by name, opened and closed; or, in a library that was built
 * without OpenCL, a sentence that says so. */

#include "base/device.h"

#ifdef TOI_OPENCL

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "device/opencl.h"

#define DEFAULT_QUEUE ((uint64_t)16 << 20)
#define LEAST_QUEUE ((uint64_t)4 << 10)
#define LEAST_MEMORY ((uint64_t)1 << 20)

/* Starts a device and tests it. What it holds is to be given back in either case. */
static bool start(toi_context *context, toi_device *device) {
  if (!toi_device_start(device)) {
    snprintf(device->info.reason, sizeof device->info.reason, "%s", device->failure);
    return false;
  }
  return toi_device_self_test(context, device);
}

static void end(toi_context *context, toi_device *device) {
  toi_device_stop(device);
  toi_free(context, device, sizeof *device);
}

/* A device that is described and nothing else. */
static toi_device *make(toi_context *context, const toi_opencl *cl, toi_opencl_place place, uint32_t number) {
  toi_device *device = toi_allocate(context, sizeof *device);
  if (!device)
    return NULL;
  memset(device, 0, sizeof *device);
  device->cl = *cl;
  device->place = place;
  toi_opencl_describe(cl, place, number, &device->info);
  return device;
}

/* All devices; none, with a sentence, where OpenCL is not there. */
static size_t find(toi_opencl *cl, toi_opencl_place places[TOI_DEVICES_MOST], char *reason, size_t size) {
  return toi_opencl_load(cl, reason, size) ? toi_opencl_places(cl, places, reason, size) : 0;
}

static toi_status count_devices(toi_context *context, size_t *count) {
  toi_opencl cl;
  toi_opencl_place places[TOI_DEVICES_MOST];
  char reason[512] = "";
  *count = find(&cl, places, reason, sizeof reason);
  if (*count == 0)
    toi_warn(context, "%s", reason);
  return TOI_OK;
}

static toi_status describe(toi_context *context, size_t number, bool test, toi_device_info *about) {
  toi_opencl cl;
  toi_opencl_place places[TOI_DEVICES_MOST];
  char reason[512] = "";
  const size_t count = find(&cl, places, reason, sizeof reason);
  if (number >= count)
    return toi_fail(context, TOI_ERROR_DEVICE, "device %zu: %s", number,
                    count > 0 ? "there are fewer; toi_device_count() says how many" : reason);
  toi_device *device = make(context, &cl, places[number], (uint32_t)number);
  if (!device)
    return TOI_ERROR_MEMORY;
  if (test)
    start(context, device);
  *about = device->info;
  end(context, device);
  return TOI_OK;
}

/* --- the choice --- */

/* Whether the name is a number. */
static bool is_number(const char *name, size_t *number) {
  *number = 0;
  for (const char *at = name; *at != '\0'; at++) {
    if (*at < '0' || *at > '9' || *number > 1000)
      return false;
    *number = 10 * *number + (size_t)(*at - '0');
  }
  return true;
}

static bool holds(const char *text, const char *part) {
  const size_t length = strlen(part);
  for (; *text != '\0'; text++)
    if (strncasecmp(text, part, length) == 0)
      return true;
  return false;
}

/* Whether device i is the one that is asked for by number, or by a part of its name or its platform's. */
static bool is_asked_for(const char *name, const toi_device_info *info) {
  size_t number;
  if (is_number(name, &number))
    return number == info->number;
  return holds(info->name, name) || holds(info->platform, name);
}

static toi_status check_sizes(toi_context *context, const toi_device_request *request) {
  if (request->queue != 0 && (request->queue < LEAST_QUEUE || request->queue > (uint64_t)1 << 34))
    return toi_fail(context, TOI_ERROR_OPTION, "device_queue is %llu bytes; give 4 KiB to 16 GiB, or 0 for 16 MiB",
                    (unsigned long long)request->queue);
  if (request->memory != 0 && request->memory < LEAST_MEMORY)
    return toi_fail(context, TOI_ERROR_OPTION,
                    "device_memory is %llu bytes; give 1 MiB at least, or 0 for three quarters of what the device has",
                    (unsigned long long)request->memory);
  if (request->memory != 0 && request->queue > request->memory / 4)
    return toi_fail(context, TOI_ERROR_OPTION,
                    "device_queue is %llu bytes, of which there are two; give at most a quarter of device_memory, %llu",
                    (unsigned long long)request->queue, (unsigned long long)(request->memory / 4));
  return TOI_OK;
}

/* What may be used of a device that was started. */
static void set_sizes(toi_device *device, const toi_device_request *request) {
  device->memory = request->memory ? request->memory : device->info.memory / 4 * 3;
  device->queue = request->queue ? request->queue : DEFAULT_QUEUE;
  if (device->queue > device->memory / 4)
    device->queue = device->memory / 4;
  if (device->queue > device->info.largest_buffer)
    device->queue = device->info.largest_buffer;
}

/* The first device of the list that will do. With "auto" those that do not work are skipped. */
static toi_status choose(toi_context *context, const toi_opencl *cl, const toi_device_request *request,
                         toi_device **device) {
  toi_opencl_place places[TOI_DEVICES_MOST];
  char reason[512] = "";
  const bool any = strcmp(request->name, "auto") == 0;
  const size_t count = toi_opencl_places(cl, places, reason, sizeof reason);
  for (size_t i = 0; i < count; i++) {
    toi_device *next = make(context, cl, places[i], (uint32_t)i);
    if (!next)
      return TOI_ERROR_MEMORY;
    if ((any || is_asked_for(request->name, &next->info)) && start(context, next)) {
      set_sizes(next, request);
      *device = next;
      return TOI_OK;
    }
    const bool refused = next->info.reason[0] != '\0';
    if (refused)
      snprintf(reason, sizeof reason, "device %zu (%.100s) cannot be used: %.360s", i, next->info.name,
               next->info.reason);
    end(context, next);
    if (refused && !any)
      return toi_fail(context, TOI_ERROR_DEVICE, "%s", reason);
  }
  if (any) {
    toi_warn(context, "no device can be used, the CPU works alone: %s", reason);
    return TOI_OK;
  }
  if (count == 0)
    return toi_fail(context, TOI_ERROR_DEVICE, "device '%s': %s", request->name, reason);
  return toi_fail(context, TOI_ERROR_DEVICE, "unknown device '%s'; toi devices lists them, %zu in all", request->name,
                  count);
}

static toi_status open_device(toi_context *context, const toi_device_request *request, toi_device **device) {
  toi_opencl cl;
  char reason[512] = "";
  *device = NULL;
  const toi_status status = check_sizes(context, request);
  if (status != TOI_OK)
    return status;
  if (toi_opencl_load(&cl, reason, sizeof reason))
    return choose(context, &cl, request, device);
  if (strcmp(request->name, "auto") != 0)
    return toi_fail(context, TOI_ERROR_DEVICE, "device '%s': %s", request->name, reason);
  toi_warn(context, "no device can be used, the CPU works alone: %s", reason);
  return TOI_OK;
}

static const toi_device_info *info(const toi_device *device) {
  return &device->info;
}

const toi_device_driver toi_device_driver_built = {
    count_devices, describe, open_device, end, info, toi_device_join_run, toi_device_search_run};

#else

#include <string.h>

#define WITHOUT                                                                                                        \
  "this library was built without OpenCL; build it with the OpenCL headers installed (on Debian: apt-get install "     \
  "opencl-headers)"

static toi_status count_devices(toi_context *context, size_t *count) {
  *count = 0;
  toi_warn(context, WITHOUT);
  return TOI_OK;
}

static toi_status describe(toi_context *context, size_t number, bool test, toi_device_info *about) {
  (void)test;
  (void)about;
  return toi_fail(context, TOI_ERROR_DEVICE, "device %zu: " WITHOUT, number);
}

static toi_status open_device(toi_context *context, const toi_device_request *request, toi_device **device) {
  *device = NULL;
  if (strcmp(request->name, "auto") != 0)
    return toi_fail(context, TOI_ERROR_DEVICE, "device '%s': " WITHOUT, request->name);
  toi_warn(context, "no device can be used, the CPU works alone: " WITHOUT);
  return TOI_OK;
}

static void end(toi_context *context, toi_device *device) {
  (void)context;
  (void)device;
}

static const toi_device_info *info(const toi_device *device) {
  (void)device;
  return NULL;
}

static toi_status join(toi_context *context, toi_device *device, toi_device_join *asked) {
  (void)context;
  (void)device;
  asked->lost = true;
  return TOI_OK;
}

static toi_status search(toi_context *context, toi_device *device, toi_device_search *asked) {
  (void)context;
  (void)device;
  asked->lost = true;
  asked->done = 0;
  return TOI_OK;
}

const toi_device_driver toi_device_driver_built = {count_devices, describe, open_device, end, info, join, search};

#endif
