/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* A file that all ranks write to at once.
 *
 * It has a temporary name in the same folder until everything is written: it appears whole or not at all. The first
 * rank makes it; all write to their own parts of it through the file system that they share, as each knows best what
 * went wrong there. */

#ifndef TOI_CLUSTER_SHARED_FILE_H
#define TOI_CLUSTER_SHARED_FILE_H

#include "cluster/internal.h"

#define TOI_SHARED_PATH 4096

typedef struct toi_shared_file {
  toi_cluster *cluster;
  char path[TOI_SHARED_PATH], temporary[TOI_SHARED_PATH];
  int file; /* -1: not open */
} toi_shared_file;

/* Collective. On failure it is to be discarded. */
toi_status toi_shared_file_create(toi_shared_file *file, toi_cluster *cluster, const char *path);

/* This rank's own part; not collective. */
toi_status toi_shared_file_write(toi_shared_file *file, const void *bytes, uint64_t size, uint64_t offset);

/* Everything is on the disk. Collective. */
toi_status toi_shared_file_close(toi_shared_file *file);

/* The file appears. Collective. */
toi_status toi_shared_file_commit(toi_shared_file *file);

/* Ends it without a file, if it has not appeared. */
void toi_shared_file_discard(toi_shared_file *file);

#endif
