/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* What a long run tells the terminal, and what it hears from it. */

#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <stdbool.h>

#include "platform.h"

/* Starts the clock; from now on Ctrl-C is a request that progress_stopped() tells of, the second one ends the process.
 */
void progress_start(void);

/* Draws the bar at `done`, from 0 to 1: on a terminal only, not before a second has passed, and not too often. */
void progress_show(double done, const char *what);

/* Takes the bar away. */
void progress_clear(void);

/* Whether somebody asked to stop: clean up and leave. */
bool progress_stopped(void);

/* While this is true, Ctrl-C ends the process at once: for reading, which does not ask, before any file is begun. */
void progress_stop_at_once(bool at_once);

#endif
