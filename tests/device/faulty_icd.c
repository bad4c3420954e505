/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* A driver of OpenCL for tests, which has the devices of another driver, with a fault. The loader of the system finds
 * it by OCL_ICD_VENDORS; so whole programs run with it, `toi` among them.
 *
 * TOI_ICD_DRIVER is the other driver's library. TOI_ICD_FAULT is the fault, and where it has a number, behind a colon:
 *
 *   vanishes:N   every call of a queue after the first N fails
 *   rounds       a result of the self-test's arithmetic is wrong by a unit in the last place
 *   atomics      so is the sum of its atomics
 *   flushes      numbers below 2^-126 are taken as zero
 *   memory:N     buffers of more than N bytes are refused, after the self-test's three kernels
 *   source       the kernels do not build
 *   profile      its profile is an embedded one
 *
 * It counts from where the variable was changed: what stands behind a second colon is not read.
 * Functions are replaced in the other driver's own table, which all its objects point to. Queues are used by one thread
 * at a time. */

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <CL/cl_icd.h>
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* The table as it was; the fault, and since it is there calls of queues, kernels, and results that were changed. */
static cl_icd_dispatch real;
static bool replaced;
static char present[64];
static long long calls, kernels, changed;

/* Whether this is the fault; *number is what stands behind it. */
static bool is_fault(const char *name, long long *number) {
  const char *fault = getenv("TOI_ICD_FAULT");
  const size_t length = strlen(name);
  if (fault == NULL)
    return false;
  if (strncmp(present, fault, sizeof present - 1) != 0) {
    strncpy(present, fault, sizeof present - 1);
    calls = kernels = changed = 0;
  }
  if (strncmp(fault, name, length) != 0)
    return false;
  *number = fault[length] == ':' ? strtoll(fault + length + 1, NULL, 10) : 0;
  return true;
}

static bool has_vanished(void) {
  long long after;
  return is_fault("vanishes", &after) && calls++ >= after;
}

/* --- queues --- */

static cl_int CL_API_CALL enqueue_kernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                         const size_t *offset, const size_t *items, const size_t *group, cl_uint count,
                                         const cl_event *wait, cl_event *event) {
  if (has_vanished())
    return CL_DEVICE_NOT_AVAILABLE;
  kernels++;
  return real.clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, items, group, count, wait, event);
}

/* In the first large read, of sums, differences and products, or in the three numbers of the atomics. */
static void change(size_t size, void *to) {
  long long unused;
  const bool rounds = is_fault("rounds", &unused) && size > 100000,
             atomics = is_fault("atomics", &unused) && size == 12;
  if ((!rounds && !atomics) || changed++ > 0)
    return;
  uint32_t bits;
  unsigned char *at = (unsigned char *)to + (rounds ? size / 8 * 4 : 0);
  memcpy(&bits, at, sizeof bits);
  bits ^= 1;
  memcpy(at, &bits, sizeof bits);
}

static cl_int CL_API_CALL enqueue_read(cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset,
                                       size_t size, void *to, cl_uint count, const cl_event *wait, cl_event *event) {
  if (has_vanished())
    return CL_OUT_OF_RESOURCES;
  const cl_int code = real.clEnqueueReadBuffer(queue, buffer, blocking, offset, size, to, count, wait, event);
  if (code == CL_SUCCESS)
    change(size, to);
  return code;
}

static cl_int CL_API_CALL enqueue_write(cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset,
                                        size_t size, const void *from, cl_uint count, const cl_event *wait,
                                        cl_event *event) {
  if (has_vanished())
    return CL_OUT_OF_RESOURCES;
  return real.clEnqueueWriteBuffer(queue, buffer, blocking, offset, size, from, count, wait, event);
}

static void *CL_API_CALL enqueue_map(cl_command_queue queue, cl_mem buffer, cl_bool blocking, cl_map_flags flags,
                                     size_t offset, size_t size, cl_uint count, const cl_event *wait, cl_event *event,
                                     cl_int *code) {
  if (has_vanished()) {
    *code = CL_MAP_FAILURE;
    return NULL;
  }
  return real.clEnqueueMapBuffer(queue, buffer, blocking, flags, offset, size, count, wait, event, code);
}

static cl_int CL_API_CALL enqueue_unmap(cl_command_queue queue, cl_mem memory, void *mapped, cl_uint count,
                                        const cl_event *wait, cl_event *event) {
  const cl_int code = real.clEnqueueUnmapMemObject(queue, memory, mapped, count, wait, event);
  return has_vanished() ? CL_OUT_OF_RESOURCES : code;
}

static cl_int CL_API_CALL flush(cl_command_queue queue) {
  return has_vanished() ? CL_OUT_OF_RESOURCES : real.clFlush(queue);
}

static cl_int CL_API_CALL finish(cl_command_queue queue) {
  // What is under way ends all the same: its memory may be given back afterwards.
  const cl_int code = real.clFinish(queue);
  return has_vanished() ? CL_OUT_OF_RESOURCES : code;
}

/* --- buffers, programs, descriptions --- */

static cl_mem CL_API_CALL create_buffer(cl_context context, cl_mem_flags flags, size_t size, void *host, cl_int *code) {
  long long most;
  if (is_fault("memory", &most) && kernels >= 3 && size > (size_t)most) {
    *code = CL_MEM_OBJECT_ALLOCATION_FAILURE;
    return NULL;
  }
  return real.clCreateBuffer(context, flags, size, host, code);
}

static cl_program CL_API_CALL create_program(cl_context context, cl_uint count, const char **texts,
                                             const size_t *lengths, cl_int *code) {
  long long unused;
  const char *wrong = "__kernel void boxes(int a) { this is no kernel }";
  if (!is_fault("source", &unused))
    return real.clCreateProgramWithSource(context, count, texts, lengths, code);
  return real.clCreateProgramWithSource(context, 1, &wrong, NULL, code);
}

static cl_int CL_API_CALL build_program(cl_program program, cl_uint count, const cl_device_id *devices,
                                        const char *options, void(CL_CALLBACK *notify)(cl_program program, void *user),
                                        void *user) {
  long long unused;
  char more[512] = "";
  if (is_fault("flushes", &unused)) {
    strncat(more, options, sizeof more / 2);
    strncat(more, " -cl-denorms-are-zero", sizeof more / 2 - 1);
    options = more;
  }
  return real.clBuildProgram(program, count, devices, options, notify, user);
}

static cl_int CL_API_CALL device_info(cl_device_id device, cl_device_info what, size_t size, void *to, size_t *length) {
  static const char profile[] = "EMBEDDED_PROFILE";
  long long unused;
  if (what != CL_DEVICE_PROFILE || !is_fault("profile", &unused) || size < sizeof profile)
    return real.clGetDeviceInfo(device, what, size, to, length);
  memcpy(to, profile, sizeof profile);
  return CL_SUCCESS;
}

/* --- the driver --- */

/* The table may be constant. */
static bool replace(cl_icd_dispatch *table) {
  const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), begin = (uintptr_t)table / page * page;
  if (mprotect((void *)begin, (uintptr_t)(table + 1) - begin, PROT_READ | PROT_WRITE) != 0)
    return false;
  real = *table;
  table->clEnqueueNDRangeKernel = enqueue_kernel;
  table->clEnqueueReadBuffer = enqueue_read;
  table->clEnqueueWriteBuffer = enqueue_write;
  table->clEnqueueMapBuffer = enqueue_map;
  table->clEnqueueUnmapMemObject = enqueue_unmap;
  table->clFlush = flush;
  table->clFinish = finish;
  table->clCreateBuffer = create_buffer;
  table->clCreateProgramWithSource = create_program;
  table->clBuildProgram = build_program;
  table->clGetDeviceInfo = device_info;
  return true;
}

/* A function of the other driver's, by its name. */
static void *driver_function(const char *name) {
  const char *driver = getenv("TOI_ICD_DRIVER");
  void *library = dlopen(driver != NULL ? driver : "libpocl.so.2", RTLD_NOW | RTLD_LOCAL);
  void *(CL_API_CALL * ask)(const char *name) = NULL;
  void *symbol = library != NULL ? dlsym(library, "clGetExtensionFunctionAddress") : NULL;
  memcpy(&ask, &symbol, sizeof ask);
  return ask != NULL ? ask(name) : NULL;
}

/* Parameters are named as in the headers. */
cl_int CL_API_CALL clIcdGetPlatformIDsKHR(cl_uint num_entries, cl_platform_id *platforms, cl_uint *num_platforms) {
  cl_int(CL_API_CALL * ask)(cl_uint room, cl_platform_id * platforms, cl_uint * count) = NULL;
  void *symbol = driver_function("clIcdGetPlatformIDsKHR");
  memcpy(&ask, &symbol, sizeof ask);
  if (ask == NULL)
    return CL_PLATFORM_NOT_FOUND_KHR;
  const cl_int code = ask(num_entries, platforms, num_platforms);
  if (code != CL_SUCCESS || platforms == NULL || num_entries == 0 || replaced)
    return code;
  // Every object begins with a pointer to the table.
  cl_icd_dispatch *table;
  memcpy((void *)&table, platforms[0], sizeof(void *));
  replaced = replace(table);
  return replaced ? CL_SUCCESS : CL_OUT_OF_RESOURCES;
}

void *CL_API_CALL clGetExtensionFunctionAddress(const char *func_name) {
  void *symbol = NULL;
  if (strcmp(func_name, "clIcdGetPlatformIDsKHR") != 0)
    return driver_function(func_name);
  cl_int(CL_API_CALL * own)(cl_uint, cl_platform_id *, cl_uint *) = clIcdGetPlatformIDsKHR;
  memcpy(&symbol, &own, sizeof symbol);
  return symbol;
}

cl_int CL_API_CALL clGetPlatformInfo(cl_platform_id platform, cl_platform_info param_name, size_t param_value_size,
                                     void *param_value, size_t *param_value_size_ret) {
  if (!replaced)
    return CL_INVALID_PLATFORM;
  return real.clGetPlatformInfo(platform, param_name, param_value_size, param_value, param_value_size_ret);
}
