/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Slabs: some blocks of one side of a join, with all that a kernel reads of them, so that a scene of any size goes
 * through a device of any size. Coordinates lie block by block, one float8 for each coordinate, and are read without a
 * gather. */

#include "base/device.h"

#ifdef TOI_OPENCL

#include <math.h>
#include <string.h>

#include "device/join.h"

#define LANES TOI_DEVICE_LANES
#define ROW 8 /* floats from one vertex to the next: narrow/float_mesh.h */
#define FILL_GRAIN 512

size_t toi_slab_shape(toi_slab *slab, size_t blocks) {
  size_t size = blocks, all = 0;
  slab->levels = 0;
  do {
    slab->sizes[slab->levels] = (uint32_t)size;
    slab->offsets[slab->levels++] = (uint32_t)all;
    all += size;
    size = (size + LANES - 1) / LANES;
  } while (slab->sizes[slab->levels - 1] > 1 || slab->levels < 2);
  return all;
}

static size_t node_bytes(size_t blocks) {
  toi_slab shape;
  return toi_slab_shape(&shape, blocks) * 6 * LANES * sizeof(float);
}

uint64_t toi_slab_bytes(const toi_device_join *join, const toi_device_side *side, size_t blocks) {
  const uint64_t vertices = (uint64_t)blocks * side->points * LANES * sizeof(uint32_t);
  const uint64_t coordinates = join->floats.high ? vertices * 6 * (join->floats.low ? 2 : 1) : 0;
  return node_bytes(blocks) + vertices + coordinates + (join->sweep ? (uint64_t)blocks * sizeof(float) : 0);
}

bool toi_slab_reserve(toi_join_job *job, const toi_device_side *side, toi_device_slab *slab, size_t blocks) {
  const size_t vertices = blocks * side->points * LANES * sizeof(uint32_t);
  const bool filter = job->join->floats.high != NULL;
  return toi_device_reserve(job->device, &slab->nodes, node_bytes(blocks)) &&
         toi_device_reserve(job->device, &slab->vertices, vertices) &&
         toi_device_reserve(job->device, &slab->offsets, TOI_SLAB_LEVELS * sizeof(uint32_t)) &&
         (!job->join->sweep || toi_device_reserve(job->device, &slab->reaches, blocks * sizeof(float))) &&
         (!filter || toi_device_reserve(job->device, &slab->high, 6 * vertices)) &&
         (!job->join->floats.low || toi_device_reserve(job->device, &slab->low, 6 * vertices));
}

/* --- what a slab is filled with --- */

typedef struct filling {
  const toi_device_side *side;
  size_t first;
  const float *rows;
  float *to;
} filling;

static toi_status fill_task(void *user, uint32_t thread, size_t begin, size_t end) {
  (void)thread;
  const filling *job = user;
  const toi_device_side *side = job->side;
  for (size_t block = begin; block < end; block++)
    for (size_t i = 0; i < side->points; i++) {
      const size_t at = (job->first + block) * side->points + i;
      float *to = job->to + (block * side->points + i) * 6 * LANES;
      for (size_t lane = 0; lane < LANES; lane++) {
        const bool there = (job->first + block) * LANES + lane < side->count;
        const float *row = job->rows + ROW * (size_t)side->vertices[at * LANES + lane];
        for (size_t k = 0; k < 6; k++)
          to[k * LANES + lane] = there ? row[k] : NAN;
      }
    }
  return TOI_OK;
}

/* Coordinates of the slab's vertices, written where the device reads them. */
static bool fill(toi_join_job *job, const toi_device_side *side, const toi_slab *slab, const float *rows,
                 const toi_device_buffer *buffer) {
  toi_device *device = job->device;
  cl_command_queue commands = device->slots[0].commands;
  const size_t bytes = slab->count * side->points * 6 * LANES * sizeof(float);
  cl_int code;
  float *to =
      device->cl.EnqueueMapBuffer(commands, buffer->memory, CL_TRUE, CL_MAP_WRITE, 0, bytes, 0, NULL, NULL, &code);
  if (!toi_device_worked(device, "clEnqueueMapBuffer", code))
    return false;
  filling all = {side, slab->first, rows, to};
  const toi_status status = toi_parallel(job->context, slab->count, FILL_GRAIN, fill_task, &all);
  return toi_device_worked(device, "clEnqueueUnmapMemObject",
                           device->cl.EnqueueUnmapMemObject(commands, buffer->memory, to, 0, NULL, NULL)) &&
         status == TOI_OK;
}

static bool write_buffer(toi_device *device, const toi_device_buffer *buffer, size_t bytes, const void *from) {
  return toi_device_worked(
      device, "clEnqueueWriteBuffer",
      device->cl.EnqueueWriteBuffer(device->slots[0].commands, buffer->memory, CL_TRUE, 0, bytes, from, 0, NULL, NULL));
}

/* Boxes around the coordinates, made on the device. */
static bool make_boxes(toi_join_job *job, const toi_device_side *side, const toi_slab *slab) {
  const cl_uint points = side->points, count = (cl_uint)slab->count;
  const toi_kernel_argument arguments[] = {{&slab->buffers->high.memory, sizeof(cl_mem)},
                                           {&points, sizeof points},
                                           {&count, sizeof count},
                                           {&slab->buffers->nodes.memory, sizeof(cl_mem)}};
  return toi_device_arguments(job->device, TOI_KERNEL_BOXES, arguments, 4) &&
         toi_device_run(job->device, job->device->slots[0].commands, TOI_KERNEL_BOXES, slab->count);
}

/* The levels above the blocks. */
static bool refit(toi_join_job *job, const toi_slab *slab) {
  bool fine = true;
  for (uint32_t level = 1; level < slab->levels && fine; level++) {
    const cl_uint places = slab->sizes[level] * LANES;
    const toi_kernel_argument arguments[] = {{&slab->buffers->nodes.memory, sizeof(cl_mem)},
                                             {&slab->offsets[level - 1], sizeof(cl_uint)},
                                             {&slab->sizes[level - 1], sizeof(cl_uint)},
                                             {&slab->offsets[level], sizeof(cl_uint)},
                                             {&places, sizeof places}};
    fine = toi_device_arguments(job->device, TOI_KERNEL_REFIT, arguments, 5) &&
           toi_device_run(job->device, job->device->slots[0].commands, TOI_KERNEL_REFIT, places);
  }
  return fine;
}

/* For each block the highest end of the blocks up to it, along the axis of the sweep. */
static bool write_reaches(toi_join_job *job, const toi_device_side *side, const toi_slab *slab) {
  toi_device *device = job->device;
  cl_command_queue commands = device->slots[0].commands;
  const toi_device_buffer *buffer = &slab->buffers->reaches;
  cl_int code;
  float *to = device->cl.EnqueueMapBuffer(commands, buffer->memory, CL_TRUE, CL_MAP_WRITE, 0,
                                          slab->count * sizeof(float), 0, NULL, NULL, &code);
  if (!toi_device_worked(device, "clEnqueueMapBuffer", code))
    return false;
  float most = -INFINITY;
  for (size_t block = 0; block < slab->count; block++) {
    const float *minus_hi = side->boxes + ((slab->first + block) * 6 + 3 + job->join->axis) * LANES;
    for (size_t lane = 0; lane < LANES; lane++)
      most = -minus_hi[lane] > most ? -minus_hi[lane] : most;
    to[block] = most;
  }
  return toi_device_worked(device, "clEnqueueUnmapMemObject",
                           device->cl.EnqueueUnmapMemObject(commands, buffer->memory, to, 0, NULL, NULL));
}

bool toi_slab_load(toi_join_job *job, const toi_device_side *side, toi_slab *slab, size_t first, size_t count) {
  toi_device *device = job->device;
  toi_device_slab *to = slab->buffers;
  const toi_device_floats *floats = &job->join->floats;
  slab->first = first;
  slab->count = count;
  toi_slab_shape(slab, count);
  const size_t vertices = side->points * LANES;
  if (!write_buffer(device, &to->vertices, count * vertices * sizeof(uint32_t), side->vertices + first * vertices) ||
      !write_buffer(device, &to->offsets, sizeof slab->offsets, slab->offsets) ||
      (floats->high && !fill(job, side, slab, floats->high, &to->high)) ||
      (floats->low && !fill(job, side, slab, floats->low, &to->low)))
    return false;
  const bool boxes = job->join->of_points ? make_boxes(job, side, slab)
                                          : write_buffer(device, &to->nodes, count * 6 * LANES * sizeof(float),
                                                         side->boxes + first * 6 * LANES);
  return boxes && (!job->join->sweep || write_reaches(job, side, slab)) && refit(job, slab) &&
         toi_device_worked(device, "clFinish", device->cl.Finish(device->slots[0].commands));
}

#endif
