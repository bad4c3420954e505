/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* A mesh as a PLY file in which each patch of crossings has a colour: of its faces, those beside its edges, and all
 * their vertices. What touches is yellow, the rest grey. */

#ifndef CLI_COLOUR_H
#define CLI_COLOUR_H

#include "output.h"
#include "patches.h"

/* The colour of a patch, or of PATCH_TOUCHES or PATCH_NONE: red, green, blue. */
void patch_colour(uint32_t number, uint8_t colour[3]);

/* Appends the file. frame is what the patches' mesh was made of. Fails with TOI_ERROR_MEMORY, or as the output does. */
toi_status colour_append(output *out, const toi_frame *frame, const patches *p);

#endif
