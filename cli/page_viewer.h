/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Where viewer.html is, and where in it the data goes. */

#ifndef CLI_PAGE_VIEWER_H
#define CLI_PAGE_VIEWER_H

#include "page.h"

/* Reads the viewer into p->viewer, p->size and p->place: the named one, or that which lies beside the command
 * (installed,
 * ../share/libtoi/viewer.html; in a build tree, ../viewer/viewer.html). Returns EXIT_DONE, or EXIT_BAD after its line.
 */
int page_viewer_read(const char *named, page *p);

#endif
