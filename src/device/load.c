/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Loads OpenCL. In a file of its own, so that a test can put a faulty one in its place. */

#include "base/device.h"

#ifdef TOI_OPENCL

#include <stdio.h>

#include "base/platform.h"
#include "device/opencl.h"

bool toi_opencl_load(toi_opencl *cl, char *reason, size_t size) {
  static const char *const files[] = {"libOpenCL.so.1", "libOpenCL.so"};
  void *library = NULL;
  for (size_t i = 0; i < sizeof files / sizeof files[0] && !library; i++)
    library = toi_library_open(files[i]);
  if (!library) {
    snprintf(reason, size,
             "OpenCL is not installed: libOpenCL.so.1 cannot be loaded (on Debian: apt-get install "
             "ocl-icd-libopencl1 and the driver of the device, or pocl-opencl-icd for the CPU)");
    return false;
  }
#define LOAD(name)                                                                                                     \
  if (!toi_library_find(library, "cl" #name, &cl->name)) {                                                             \
    snprintf(reason, size, "libOpenCL.so has no function cl" #name "; OpenCL 1.2 or later is needed");                 \
    return false;                                                                                                      \
  }
  TOI_OPENCL_CALLS(LOAD)
#undef LOAD
  return true;
}

#endif
