/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The method `interval-queue` on a device: levels of intervals, from one queue of fixed size to another.
 *
 * Promise: every query that is not `full` or behind `done` was searched to its end, and what was found of it is handed
 * on. Where a queue has no room its level is thrown away, with all before it, and half of the queries are begun again;
 * one query that fills a queue alone is `full`. */

#include "base/device.h"

#ifdef TOI_OPENCL

#include "device/opencl.h"

/* Queries of which rows are on the device at a time. */
#define MOST_ROWS ((size_t)1 << 17)
#define ROW_BYTES (TOI_DEVICE_ROW * sizeof(float))
#define KNOWN_BYTES (4 * sizeof(cl_uint)) /* `known` in intervals.cl */

/* Of a queue's size, what was found may take. */
#define FOUND_PART 4

typedef struct search_job {
  toi_context *context;
  toi_device *device;
  toi_device_search *search;
  size_t capacity, found_capacity; /* intervals */
  toi_device_box *found;           /* on the host */
  const toi_device_buffer *rows, *known, *list;
} search_job;

#define ARGUMENT(value)                                                                                                \
  { &(value), sizeof(value) }
#define BUFFER(buffer)                                                                                                 \
  { &(buffer)->memory, sizeof(cl_mem) }

static cl_command_queue commands_of(const search_job *job) {
  return job->device->slots[0].commands;
}

static bool read_back(search_job *job, const toi_device_buffer *from, size_t bytes, void *to) {
  return toi_device_worked(
      job->device, "clEnqueueReadBuffer",
      job->device->cl.EnqueueReadBuffer(commands_of(job), from->memory, CL_TRUE, 0, bytes, to, 0, NULL, NULL));
}

/* Queries [first, first + count) of the rows that are there. */
static bool begin(search_job *job, cl_uint first, cl_uint count) {
  const toi_device_slot *slots = job->device->slots;
  const toi_kernel_argument arguments[] = {ARGUMENT(first), ARGUMENT(count), BUFFER(&slots[0].pairs),
                                           BUFFER(job->known), BUFFER(&slots[0].counters)};
  return toi_device_arguments(job->device, TOI_KERNEL_BEGIN_INTERVALS, arguments, 5) &&
         toi_device_run(job->device, commands_of(job), TOI_KERNEL_BEGIN_INTERVALS, count);
}

/* One level of `size` intervals out of queue `now`; sizes[] of the next one and of what was found. */
static bool run_level(search_job *job, int now, cl_uint size, cl_uint sizes[2]) {
  const toi_device_slot *slots = job->device->slots;
  const cl_uint capacity = (cl_uint)job->capacity, found_capacity = (cl_uint)job->found_capacity;
  const cl_uint most_checks = job->search->most_checks, flags = job->search->flags;
  const toi_kernel_argument arguments[] = {BUFFER(job->rows),
                                           BUFFER(&slots[now].pairs),
                                           ARGUMENT(size),
                                           BUFFER(&slots[1 - now].pairs),
                                           ARGUMENT(capacity),
                                           BUFFER(job->list),
                                           ARGUMENT(found_capacity),
                                           BUFFER(job->known),
                                           ARGUMENT(most_checks),
                                           ARGUMENT(flags),
                                           BUFFER(&slots[0].counters)};
  return toi_device_arguments(job->device, TOI_KERNEL_EXAMINE_INTERVALS, arguments, 11) &&
         toi_device_run(job->device, commands_of(job), TOI_KERNEL_EXAMINE_INTERVALS, size) &&
         read_back(job, &slots[0].counters, 2 * sizeof(cl_uint), sizes);
}

static bool end_pass(search_job *job, cl_uint first, cl_uint count) {
  const toi_kernel_argument arguments[] = {ARGUMENT(first), ARGUMENT(count), BUFFER(job->known),
                                           BUFFER(&job->device->slots[0].counters)};
  return toi_device_arguments(job->device, TOI_KERNEL_END_PASS, arguments, 4) &&
         toi_device_run(job->device, commands_of(job), TOI_KERNEL_END_PASS, count);
}

/* All levels of some queries; *fits is false if a list had no room. Returns false if the device failed. */
static bool run_queries(search_job *job, size_t base, cl_uint first, cl_uint count, bool *fits) {
  *fits = true;
  if (!begin(job, first, count))
    return false;
  cl_uint sizes[2] = {count, 0};
  for (int now = 0; sizes[0] > 0; now = 1 - now) {
    if (!run_level(job, now, sizes[0], sizes))
      return false;
    *fits = sizes[0] <= job->capacity && sizes[1] <= job->found_capacity;
    if (!*fits)
      return true;
    if (sizes[0] > 0 && !end_pass(job, first, count))
      return false;
  }
  if (sizes[1] > 0 && !read_back(job, job->list, sizes[1] * sizeof *job->found, job->found))
    return false;
  for (size_t i = 0; i < sizes[1]; i++)
    job->found[i].query += (uint32_t)base;
  job->search->take(job->search->user, job->found, sizes[1]);
  return true;
}

/* Rows [base, base + count) of the search, which fit the device. */
static bool run_rows(search_job *job, size_t base, size_t count) {
  toi_device_search *search = job->search;
  const size_t most = count < job->capacity ? count : job->capacity;
  if (!toi_device_worked(job->device, "clEnqueueWriteBuffer",
                         job->device->cl.EnqueueWriteBuffer(commands_of(job), job->rows->memory, CL_TRUE, 0,
                                                            count * ROW_BYTES, search->rows + base * TOI_DEVICE_ROW, 0,
                                                            NULL, NULL)))
    return false;
  for (size_t first = 0, size = most; first < count;) {
    const size_t left = count - first, now = size < left ? size : left;
    bool fits;
    if (!run_queries(job, base, (cl_uint)first, (cl_uint)now, &fits))
      return false;
    if (!fits && now > 1) {
      size = now / 2;
      continue;
    }
    if (!fits)
      search->full(search->user, base + first);
    first += now;
    search->done = base + first;
    size = 2 * size < most ? 2 * size : most;
  }
  return true;
}

/* Rows that fit beside the queues. */
static size_t rows_of(const search_job *job) {
  const toi_device *device = job->device;
  const uint64_t lists = 2 * device->queue + job->found_capacity * sizeof(toi_device_box);
  const uint64_t left = device->memory > lists ? device->memory - lists : 0;
  uint64_t most = left / (ROW_BYTES + KNOWN_BYTES);
  if (most > device->info.largest_buffer / ROW_BYTES)
    most = device->info.largest_buffer / ROW_BYTES;
  if (most > MOST_ROWS)
    most = MOST_ROWS;
  return most < job->search->count ? (size_t)most : job->search->count;
}

/* Buffers for so many rows, in the places of a join's. */
static bool reserve(search_job *job, size_t rows) {
  toi_device *device = job->device;
  toi_device_slab *slab = &device->slabs[0];
  toi_device_slot *slots = device->slots;
  toi_device_release_slabs(device);
  job->rows = &slab->nodes;
  job->known = &slab->vertices;
  job->list = &slab->high;
  return toi_device_reserve(device, &slots[0].pairs, (size_t)device->queue) &&
         toi_device_reserve(device, &slots[1].pairs, (size_t)device->queue) &&
         toi_device_reserve(device, &slots[0].counters, TOI_COUNTER_BYTES) &&
         toi_device_reserve(device, &slab->nodes, rows * ROW_BYTES) &&
         toi_device_reserve(device, &slab->vertices, rows * KNOWN_BYTES) &&
         toi_device_reserve(device, &slab->high, job->found_capacity * sizeof(toi_device_box));
}

toi_status toi_device_search_run(toi_context *context, toi_device *device, toi_device_search *search) {
  search_job job = {.context = context, .device = device, .search = search};
  job.capacity = (size_t)device->queue / sizeof(toi_device_box);
  job.found_capacity = job.capacity / FOUND_PART;
  search->lost = false;
  search->done = 0;
  if (search->count == 0)
    return TOI_OK;
  device->failure[0] = '\0';
  const size_t bytes = job.found_capacity * sizeof(toi_device_box), rows = rows_of(&job);
  job.found = toi_allocate(context, bytes);
  if (!job.found)
    return TOI_ERROR_MEMORY;
  bool fine = rows > 0 && reserve(&job, rows);
  for (size_t base = 0; base < search->count && fine; base += rows)
    fine = run_rows(&job, base, rows < search->count - base ? rows : search->count - base);
  search->lost = !fine;
  if (!fine)
    toi_device_lose(context, device);
  toi_free(context, job.found, bytes);
  return TOI_OK;
}

#endif
