/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* JSON as the commands print it: one object on one line, numbers with 17 digits. Running out of memory on the way ends
 * the process with a line: call json_start() first. */

#ifndef CLI_JSON_H
#define CLI_JSON_H

#include <jansson.h>
#include <toi/narrow.h>

void json_start(void);

/* A number, or null where it is no JSON number. */
json_t *json_number(double value);

/* A count, or null where it is not known. */
json_t *json_count(uint64_t value, bool known);

/* Any bytes as a string: those that are not UTF-8 become '?'. */
json_t *json_text(const char *text);

/* {"box":..., "sign":..., ...} */
json_t *json_levels(const uint64_t levels[TOI_LEVEL_COUNT]);

/* Prints and releases the object. */
void json_print(json_t *object);

#endif
