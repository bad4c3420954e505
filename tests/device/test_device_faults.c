/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Devices that fail: a wrapper around OpenCL, in the place of the library's own loader, makes a device round wrongly,
 * refuse memory, not build its kernels, lose atomics, vanish in the midst of a call, or not be there at all. Each is
 * answered by a clear sentence, and no answer changes. Needs a device of OpenCL; not compiled where its headers are
 * missing. */

#include "device/scenes.h"

#ifdef TOI_OPENCL

#include <dlfcn.h>

#include "device/opencl.h"

/* What is wrong with the device. */
typedef enum fault {
  NO_FAULT,
  NO_LIBRARY,
  NO_PLATFORM,
  ROUNDS_WRONGLY,
  LOSES_ATOMICS,
  EMBEDDED_PROFILE,
  BAD_SOURCE,
  NO_MEMORY,
  LITTLE_MEMORY,
  VANISHES
} fault;

/* The test's own state: the fault, the calls after which it shows, and the real functions. */
static struct {
  fault fault;
  int after, launches, reads;
  toi_opencl real;
} faulty;

static cl_int no_platforms(cl_uint room, cl_platform_id *platforms, cl_uint *count) {
  (void)room;
  (void)platforms;
  *count = 0;
  return CL_SUCCESS;
}

/* The last bit of one result; or the sum of the atomics. */
static cl_int wrong_read(cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset, size_t size, void *to,
                         cl_uint count, const cl_event *wait, cl_event *event) {
  const cl_int code = faulty.real.EnqueueReadBuffer(queue, buffer, blocking, offset, size, to, count, wait, event);
  faulty.reads++;
  uint32_t bits;
  if (faulty.fault == ROUNDS_WRONGLY && faulty.reads == 1) {
    // The sum of the first operands of a vector in the middle, which is neither zero nor tiny.
    unsigned char *at = (unsigned char *)to + size / 2;
    memcpy(&bits, at, sizeof bits);
    bits ^= 1;
    memcpy(at, &bits, sizeof bits);
  }
  if (faulty.fault == LOSES_ATOMICS && size == 3 * sizeof(cl_uint))
    ((cl_uint *)to)[0]--;
  return code;
}

static cl_int embedded(cl_device_id device, cl_device_info what, size_t size, void *to, size_t *length) {
  static const char profile[] = "EMBEDDED_PROFILE";
  if (what != CL_DEVICE_PROFILE)
    return faulty.real.GetDeviceInfo(device, what, size, to, length);
  memcpy(to, profile, sizeof profile);
  return CL_SUCCESS;
}

static cl_program bad_source(cl_context context, cl_uint count, const char **texts, const size_t *lengths,
                             cl_int *code) {
  (void)texts;
  const char *text = "__kernel void boxes(int a) { this is no kernel }";
  return faulty.real.CreateProgramWithSource(context, count, &text, lengths, code);
}

static cl_mem no_buffer(cl_context context, cl_mem_flags flags, size_t size, void *host, cl_int *code) {
  // The self-test's buffers are granted: it comes first.
  const size_t most = faulty.fault == LITTLE_MEMORY ? 600000 : 70000;
  if (faulty.launches >= 3 && size > most) {
    *code = CL_MEM_OBJECT_ALLOCATION_FAILURE;
    return NULL;
  }
  return faulty.real.CreateBuffer(context, flags, size, host, code);
}

static cl_int vanishing(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t *offset,
                        const size_t *items, const size_t *group, cl_uint count, const cl_event *wait,
                        cl_event *event) {
  if (faulty.launches++ >= faulty.after && faulty.fault == VANISHES)
    return CL_DEVICE_NOT_AVAILABLE;
  return faulty.real.EnqueueNDRangeKernel(queue, kernel, dimensions, offset, items, group, count, wait, event);
}

/* In the place of src/device/load.c. */
bool toi_opencl_load(toi_opencl *cl, char *reason, size_t size) {
  void *library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library || faulty.fault == NO_LIBRARY) {
    snprintf(reason, size, "OpenCL is not installed");
    return false;
  }
#define LOAD(name)                                                                                                     \
  void *symbol_##name = dlsym(library, "cl" #name);                                                                    \
  memcpy(&cl->name, &symbol_##name, sizeof symbol_##name);                                                             \
  if (!symbol_##name)                                                                                                  \
    return false;
  TOI_OPENCL_CALLS(LOAD)
#undef LOAD
  faulty.real = *cl;
  faulty.launches = faulty.reads = 0;
  cl->EnqueueNDRangeKernel = vanishing;
  if (faulty.fault == NO_PLATFORM)
    cl->GetPlatformIDs = no_platforms;
  if (faulty.fault == ROUNDS_WRONGLY || faulty.fault == LOSES_ATOMICS)
    cl->EnqueueReadBuffer = wrong_read;
  if (faulty.fault == EMBEDDED_PROFILE)
    cl->GetDeviceInfo = embedded;
  if (faulty.fault == BAD_SOURCE)
    cl->CreateProgramWithSource = bad_source;
  if (faulty.fault == NO_MEMORY || faulty.fault == LITTLE_MEMORY)
    cl->CreateBuffer = no_buffer;
  return true;
}

/* --- devices that cannot be used --- */

/* Refused by name, with these words; with "auto" the CPU works alone, and says why. */
static void assert_refused(fault wrong, const char *words) {
  faulty.fault = wrong;
  toi_context *context = context_on("0", 1, 0, 0);
  assert_int_equal(toi_context_device(context, NULL), TOI_ERROR_DEVICE);
  if (!strstr(toi_context_error(context), words))
    fail_msg("'%s' says nothing of '%s'", toi_context_error(context), words);
  toi_context_destroy(context);
  context = context_on("auto", 1, 0, 0);
  toi_device_info info;
  assert_int_equal(toi_context_device(context, &info), TOI_OK);
  assert_false(info.usable);
  if (!strstr(toi_context_warning(context), words))
    fail_msg("'%s' says nothing of '%s'", toi_context_warning(context), words);
  toi_context_destroy(context);
  faulty.fault = NO_FAULT;
}

static void devices_that_cannot_be_used_are_refused(void **state) {
  (void)state;
  need_device();
  assert_refused(NO_LIBRARY, "OpenCL is not installed");
  assert_refused(NO_PLATFORM, "has no device");
  assert_refused(ROUNDS_WRONGLY, "is wrong; no proof would hold on it");
  assert_refused(LOSES_ATOMICS, "atomics");
  assert_refused(EMBEDDED_PROFILE, "FULL_PROFILE is needed");
  assert_refused(BAD_SOURCE, "the kernels do not build");
}

/* --- devices that fail in the midst --- */

static outcome collisions_with(toi_context *context, const toi_mesh *mesh, const char *broad) {
  outcome all = {.sum = 0xcbf29ce484222325u};
  toi_options options = toi_default_options();
  toi_mesh_options on_mesh = toi_default_mesh_options();
  toi_work work;
  options.on_mesh = &on_mesh;
  on_mesh.work = &work;
  on_mesh.broad = broad;
  if (toi_collisions(context, mesh, &options, add_collisions, &all) != TOI_OK)
    fail_msg("toi_collisions: %s", toi_context_error(context));
  for (int kind = 0; kind < TOI_KIND_COUNT; kind++)
    all.candidates += work.candidates[kind];
  return all;
}

/* Kernels are refused after 3, 4, ... launches, in each phase of a join: every candidate and every collision is there
 * once. Small lists and slabs make it many launches. */
static void a_device_that_vanishes_loses_nothing(void **state) {
  (void)state;
  need_device();
  drape scene;
  assert_true(drape_make(20, 3, &scene));
  const toi_mesh mesh = mesh_of_drape(&scene);
  toi_context *cpu = context_on(NULL, 2, 0, 0);
  const outcome expected = collisions_with(cpu, &mesh, NULL);
  toi_context_destroy(cpu);
  int warned = 0;
  for (int after = 3, rounds = (int)test_count_from(24, 6); rounds > 0; rounds--, after += 1 + after / 3) {
    faulty.fault = VANISHES;
    faulty.after = after;
    toi_context *context = context_on("0", 2, 1 << 20, 8192);
    const char *broad = rounds % 2 ? "bvh" : "sweep";
    const outcome found = collisions_with(context, &mesh, broad);
    assert_int_equal(found.candidates, expected.candidates);
    assert_int_equal(found.hits, expected.hits);
    assert_true(found.sum == expected.sum);
    const bool lost = toi_context_warning(context)[0] != '\0';
    warned += lost;
    if (lost)
      assert_non_null(strstr(toi_context_warning(context), "not available"));
    // The next call works on the CPU alone, without a word.
    const outcome again = collisions_with(context, &mesh, broad);
    assert_true(again.sum == expected.sum);
    if (lost)
      assert_string_equal(toi_context_warning(context), "");
    toi_context_destroy(context);
  }
  assert_true(warned > 3);
  faulty.fault = NO_FAULT;
  drape_free(&scene);
}

static void a_device_without_memory_leaves_the_work_to_the_cpu(void **state) {
  (void)state;
  need_device();
  drape scene;
  assert_true(drape_make(32, 3, &scene));
  const toi_mesh mesh = mesh_of_drape(&scene);
  toi_context *cpu = context_on(NULL, 2, 0, 0);
  const outcome expected = collisions_with(cpu, &mesh, NULL);
  toi_context_destroy(cpu);
  for (int i = 0; i < 2; i++) {
    faulty.fault = i == 0 ? NO_MEMORY : LITTLE_MEMORY;
    toi_context *context = context_on("0", 2, 0, 65536);
    const outcome found = collisions_with(context, &mesh, NULL);
    assert_true(found.sum == expected.sum && found.candidates == expected.candidates);
    // With a little memory the scene goes through in parts.
    if (i == 0)
      assert_non_null(strstr(toi_context_warning(context), "out of device memory"));
    else
      assert_string_equal(toi_context_warning(context), "");
    toi_context_destroy(context);
  }
  faulty.fault = NO_FAULT;
  drape_free(&scene);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(devices_that_cannot_be_used_are_refused),
      cmocka_unit_test(a_device_that_vanishes_loses_nothing),
      cmocka_unit_test(a_device_without_memory_leaves_the_work_to_the_cpu),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

/* Without OpenCL there is no device, and that is said. */
static void a_library_without_opencl_says_so(void **state) {
  (void)state;
  toi_context *context = context_on("0", 1, 0, 0);
  assert_int_equal(toi_context_device(context, NULL), TOI_ERROR_DEVICE);
  assert_non_null(strstr(toi_context_error(context), "built without OpenCL"));
  size_t count;
  assert_int_equal(toi_device_count(context, &count), TOI_OK);
  assert_int_equal(count, 0);
  assert_non_null(strstr(toi_context_warning(context), "built without OpenCL"));
  toi_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_library_without_opencl_says_so)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
