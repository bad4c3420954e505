/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Files for the cases that read. */

#ifndef TOI_TESTS_HOST_DATA_H
#define TOI_TESTS_HOST_DATA_H

#include "host/host.h"

/* Writes the files of an input into the test's directory, from the numbers, meshes and queries that it has. */
void host_files_make(host_input input);

#endif
