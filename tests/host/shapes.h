/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Shapes, for the cases that make and those that move them. */

#ifndef TOI_TESTS_HOST_SHAPES_H
#define TOI_TESTS_HOST_SHAPES_H

#include "host/host.h"

/* The status of a call that made a shape; whether there is one. */
bool host_shape_made(host_run *run, toi_status status, toi_shape *shape);

/* The plane z = 0 as a shape's own function; user is the run. */
bool host_enclose_plane(void *user, const toi_interval *box, unsigned order, toi_interval *jets);

#endif
