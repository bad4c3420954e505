/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The report of `toi devices --report`. */

#ifndef CLI_DEVICE_REPORT_H
#define CLI_DEVICE_REPORT_H

#include <toi/device.h>

/* Prints what each device is, whether it passes the self-test, and how long all collisions of a generated scene take on
 * it and on the CPU; answers that differ fail with EXIT_BAD. */
int device_report(toi_context *context);

#endif
