/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* What the module adds to the library's own functions: files from memory, functions of the host, and where the fields
 * of structs are. Sees include/toi only. */

#ifndef TOI_WASM_WEB_H
#define TOI_WASM_WEB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TOI_WEB_EXPORT(name) __attribute__((export_name(#name)))
#define TOI_WEB_IMPORT(name) __attribute__((import_module("host"), import_name(#name)))

/* --- functions of the host; lib/instance.js has them --- */

/* Some answers of the call under way, and what they are of, such as a kind of pairs. 0 goes on; else a toi_status. */
TOI_WEB_IMPORT(visit) int toi_web_visit(const void *answers, size_t count, int of);
TOI_WEB_IMPORT(progress) bool toi_web_progress(double done);
TOI_WEB_IMPORT(mayCollide) bool toi_web_may_collide(int kind, uint32_t first, uint32_t second);
TOI_WEB_IMPORT(now) double toi_web_now(void); /* milliseconds of a clock that does not go back */

/* The functions above as the library takes them. */
bool toi_web_watch(void *user, double done);

/* --- files.c --- */

typedef enum toi_web_gzip {
  TOI_WEB_GZIP_FINE = 0, /* or not compressed */
  TOI_WEB_GZIP_CUT,      /* the compressed data ended early */
  TOI_WEB_GZIP_DAMAGED
} toi_web_gzip;

/* name and bytes stay where they are until the files are removed. False: there are too many. */
bool toi_web_file_add(const char *name, const void *bytes, size_t size, toi_web_gzip gzip);
void toi_web_files_remove(void);

/* --- layouts: where the fields of a struct are, so that the host reads and writes them by name --- */

typedef struct toi_web_field {
  const char *name; /* as in C; the host knows it in camel case */
  const char *type; /* "f64", "u32", "verdict", ..., or the name of another layout */
  uint32_t offset;
  uint32_t count; /* 1, or the numbers of an array */
} toi_web_field;

typedef struct toi_web_layout {
  const char *name; /* without the prefix; NULL ends a list */
  uint32_t size;
  uint32_t field_count;
  const toi_web_field *fields;
} toi_web_layout;

#define TOI_WEB_FIELD(of, member, kind)                                                                                \
  { .name = #member, .type = (kind), .offset = (uint32_t)offsetof(of, member), .count = 1 }
#define TOI_WEB_ARRAY(of, member, kind, number)                                                                        \
  { .name = #member, .type = (kind), .offset = (uint32_t)offsetof(of, member), .count = (number) }
#define TOI_WEB_LAYOUT(of, list)                                                                                       \
  { .name = #of, .size = (uint32_t)sizeof(of), .field_count = sizeof(list) / sizeof((list)[0]), .fields = (list) }

/* The layouts of this module. */
const toi_web_layout *toi_web_layouts(void);

#endif
