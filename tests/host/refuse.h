/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The process's memory, refused at will. */

#ifndef TOI_TESTS_HOST_REFUSE_H
#define TOI_TESTS_HOST_REFUSE_H

#include <stdbool.h>
#include <stddef.h>

/* Counts requests from now on and refuses number `at`, from 1 (0: none), and if `after` all later ones as well. */
void refuse_from(size_t at, bool after);

/* Whether requests are counted and refused at present; the test's own are not. */
void refuse_arm(bool armed);

/* Requests that were counted, and those of them that were refused. */
size_t refuse_counted(void);
size_t refuse_refused(void);

/* Blocks that the whole process holds; 0 where that is not known. */
size_t refuse_blocks(void);

#endif
