/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

#include "cluster/shared_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static toi_status fail_errno(toi_shared_file *file) {
  return toi_cluster_fail(file->cluster, TOI_ERROR_FILE, "%s: cannot be written: %s; check the folder and its space",
                          file->path, strerror(errno));
}

/* On the first rank: a new file beside the one that shall be. A link stays one, and what it leads to is replaced. */
static toi_status make_file(toi_shared_file *file, const char *path) {
  struct stat facts;
  char *target = realpath(path, NULL);
  if (target == NULL && (errno != ENOENT || lstat(path, &facts) == 0))
    return fail_errno(file);
  const size_t length = strlen(target != NULL ? target : path);
  if (length >= TOI_SHARED_PATH - 64) {
    free(target);
    errno = ENAMETOOLONG;
    return fail_errno(file);
  }
  memcpy(file->path, target != NULL ? target : path, length + 1);
  free(target);
  if (stat(file->path, &facts) == 0 && !S_ISREG(facts.st_mode))
    return toi_cluster_fail(file->cluster, TOI_ERROR_FILE, "%s: not a file that can be replaced; name another",
                            file->path);
  snprintf(file->temporary, sizeof file->temporary, "%.4000s.%ld.part", file->path, (long)getpid());
  file->file = open(file->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file->file >= 0)
    return TOI_OK;
  const toi_status status = fail_errno(file);
  file->temporary[0] = '\0'; // another's
  return status;
}

static toi_status open_file(toi_shared_file *file) {
  file->file = open(file->temporary, O_WRONLY | O_CLOEXEC);
  return file->file >= 0 ? TOI_OK : fail_errno(file);
}

/* Where a signal's handler finds the name. */
static void remember(toi_cluster *cluster, const char *old, char *name) {
  for (size_t i = 0; i < TOI_CLUSTER_FILES; i++)
    if (cluster->unfinished[i] == old) {
      cluster->unfinished[i] = name;
      return;
    }
}

void toi_cluster_remove_files(const toi_cluster *cluster) {
  for (size_t i = 0; cluster != NULL && i < TOI_CLUSTER_FILES; i++)
    if (cluster->unfinished[i] != NULL && cluster->unfinished[i][0] != '\0')
      (void)unlink(cluster->unfinished[i]);
}

toi_status toi_shared_file_create(toi_shared_file *file, toi_cluster *cluster, const char *path) {
  *file = (toi_shared_file){.cluster = cluster, .file = -1};
  snprintf(file->path, sizeof file->path, "%s", path);
  remember(cluster, NULL, file->temporary);
  toi_status status = toi_agree(cluster, cluster->rank == 0 ? make_file(file, path) : TOI_OK);
  if (status != TOI_OK)
    return status;
  MPI_Bcast(file->path, TOI_SHARED_PATH, MPI_CHAR, 0, cluster->comm);
  MPI_Bcast(file->temporary, TOI_SHARED_PATH, MPI_CHAR, 0, cluster->comm);
  return toi_agree(cluster, cluster->rank == 0 ? TOI_OK : open_file(file));
}

toi_status toi_shared_file_write(toi_shared_file *file, const void *bytes, uint64_t size, uint64_t offset) {
  const char *from = bytes;
  while (size > 0) {
    const size_t piece = size < ((uint64_t)1 << 30) ? (size_t)size : (size_t)1 << 30;
    const ssize_t written = pwrite(file->file, from, piece, (off_t)offset);
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      return fail_errno(file);
    from += written;
    size -= (uint64_t)written;
    offset += (uint64_t)written;
  }
  return TOI_OK;
}

toi_status toi_shared_file_close(toi_shared_file *file) {
  toi_status status = fsync(file->file) == 0 ? TOI_OK : fail_errno(file);
  if (close(file->file) != 0 && status == TOI_OK)
    status = fail_errno(file);
  file->file = -1;
  return toi_agree(file->cluster, status);
}

toi_status toi_shared_file_commit(toi_shared_file *file) {
  const bool fine = file->cluster->rank != 0 || rename(file->temporary, file->path) == 0;
  const toi_status status = toi_agree(file->cluster, fine ? TOI_OK : fail_errno(file));
  if (status == TOI_OK)
    file->temporary[0] = '\0';
  return status;
}

void toi_shared_file_discard(toi_shared_file *file) {
  if (file->cluster != NULL)
    remember(file->cluster, file->temporary, NULL);
  if (file->file >= 0)
    (void)close(file->file);
  file->file = -1;
  if (file->cluster != NULL && file->cluster->rank == 0 && file->temporary[0] != '\0')
    (void)unlink(file->temporary);
  file->temporary[0] = '\0';
}
