/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The driver of faulty_icd.c in the place of the system's, for this process and those that it starts. */

#ifndef TESTS_DEVICE_FAULTS_H
#define TESTS_DEVICE_FAULTS_H

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "support/support.h"

/* Before OpenCL is loaded. */
static inline void use_faulty_driver(void) {
  if (setenv("OCL_ICD_VENDORS", TOI_FAULTY_VENDORS, 1) != 0)
    exit(1);
}

/* Sets the fault; what the driver counts begins anew. */
static inline void set_fault(const char *format, ...) {
  static int changes;
  char fault[48], numbered[64];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(fault, sizeof fault, format, arguments);
  va_end(arguments);
  snprintf(numbered, sizeof numbered, "%s:%d", fault, changes++);
  assert_int_equal(setenv("TOI_ICD_FAULT", numbered, 1), 0);
}

#endif
