/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Standard output: whether what was printed got there. */

#ifndef CLI_STANDARD_H
#define CLI_STANDARD_H

#include <stdbool.h>
#include <stddef.h>

/* Call it first. A standard stream that is closed stays unusable: no file that is opened later takes its place. A
 * reader that goes away no longer ends the process at once, so that unfinished files are removed. */
void standard_start(void);

/* Writes bytes behind what was printed so far; false if that fails. */
bool standard_write(const void *bytes, size_t size);

/* Sends off what was printed so far; false if that fails. */
bool standard_flush(void);

/* Whether something did not get there. */
bool standard_failed(void);

/* Whether that was because nobody reads it any longer, as in `toi ... | head -1`: no message is due then. */
bool standard_abandoned(void);

/* Prints that standard output cannot be written, unless it was abandoned; returns EXIT_BAD. Only the first call prints.
 */
int standard_fail(void);

/* Sends off what was printed. Returns the exit code; does not return if standard output was abandoned: the process ends
 * as by the signal then. */
int standard_finish(int result);

#endif
