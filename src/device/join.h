/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* A join under way on a device: which blocks are there, and how ranges of them are asked about. */

#ifndef TOI_DEVICE_JOIN_H
#define TOI_DEVICE_JOIN_H

#include "device/opencl.h"

#define TOI_SLAB_LEVELS 12

/* Blocks [first, first + count) of a side, on the device, and the levels of the tree above them. */
typedef struct toi_slab {
  toi_device_slab *buffers;
  size_t first, count;
  uint32_t levels, offsets[TOI_SLAB_LEVELS], sizes[TOI_SLAB_LEVELS];
} toi_slab;

/* A rectangle of blocks: query blocks [query, query + queries) with target blocks [target, target + targets), counted
 * from the first of their slabs. */
typedef struct toi_range {
  size_t query, queries, target, targets;
} toi_range;

typedef struct toi_join_job {
  toi_context *context;
  toi_device *device;
  toi_device_join *join;
  toi_slab query, target;
  size_t query_blocks, target_blocks; /* of a slab, at most */
  size_t capacity;                    /* pairs of a slot */
  toi_device_pair *sorted;            /* room for as many */
} toi_join_job;

/* How many levels a tree above so many blocks has, and where they begin; returns all nodes. */
size_t toi_slab_shape(toi_slab *slab, size_t blocks);

/* Bytes on the device of a slab of so many blocks. */
uint64_t toi_slab_bytes(const toi_device_join *join, const toi_device_side *side, size_t blocks);

/* Brings blocks [first, first + count) of a side to the device and makes their tree; false if a call failed. */
bool toi_slab_load(toi_join_job *job, const toi_device_side *side, toi_slab *slab, size_t first, size_t count);

/* Reserves the buffers of a slab for as many blocks. */
bool toi_slab_reserve(toi_join_job *job, const toi_device_side *side, toi_device_slab *slab, size_t blocks);

#endif
