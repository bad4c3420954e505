/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* A PLY file being read: what its header says, and the two ways through its rows. */

#ifndef TOI_IO_PLY_H
#define TOI_IO_PLY_H

#include "io/feed.h"
#include "io/frame.h"

/* More elements or properties than any file has. */
#define TOI_PLY_ELEMENTS 64
#define TOI_PLY_PROPERTIES 1024
#define TOI_PLY_NAME 32

typedef enum toi_ply_format { TOI_PLY_NONE = 0, TOI_PLY_ASCII, TOI_PLY_LITTLE, TOI_PLY_BIG } toi_ply_format;

typedef enum toi_ply_type {
  TOI_PLY_NO_TYPE = 0,
  TOI_PLY_INT8,
  TOI_PLY_UINT8,
  TOI_PLY_INT16,
  TOI_PLY_UINT16,
  TOI_PLY_INT32,
  TOI_PLY_UINT32,
  TOI_PLY_FLOAT32,
  TOI_PLY_FLOAT64,
  TOI_PLY_TYPES
} toi_ply_type;

static inline size_t toi_ply_bytes(toi_ply_type type) {
  static const uint8_t bytes[TOI_PLY_TYPES] = {0, 1, 1, 2, 2, 4, 4, 4, 8};
  return bytes[type];
}

/* What a property is to us. */
typedef enum toi_ply_role {
  TOI_PLY_SKIPPED = 0,
  TOI_PLY_X,
  TOI_PLY_Y,
  TOI_PLY_Z,
  TOI_PLY_CORNERS, /* the list of a face's vertices */
  TOI_PLY_VERTEX1,
  TOI_PLY_VERTEX2
} toi_ply_role;

typedef struct toi_ply_property {
  uint8_t type;       /* toi_ply_type */
  uint8_t count_type; /* of a list; else TOI_PLY_NO_TYPE */
  uint8_t role;       /* toi_ply_role */
} toi_ply_property;

typedef enum toi_ply_kind { TOI_PLY_OTHER = 0, TOI_PLY_VERTEX, TOI_PLY_FACE, TOI_PLY_EDGE } toi_ply_kind;

typedef struct toi_ply_element {
  char name[TOI_PLY_NAME]; /* shortened */
  toi_ply_kind kind;
  uint64_t count;
  const toi_ply_property *properties;
  size_t property_count;
  size_t line;      /* of the header */
  size_t row_bytes; /* of a binary row without the members of its lists */
  size_t lists;
  unsigned roles; /* 1 << role of each property */
} toi_ply_element;

typedef struct toi_ply {
  toi_context *context;
  const char *path;
  toi_feed feed;
  toi_frame_maker maker;
  uint64_t vertex_count; /* as the header says; at most TOI_FRAME_MOST */
  toi_ply_format format;
  size_t element_count, property_count;
  toi_ply_element elements[TOI_PLY_ELEMENTS];
  toi_ply_property properties[TOI_PLY_PROPERTIES];
} toi_ply;

/* Reads the header and sees to it that the elements make a mesh; the feed stands behind it then. */
toi_status toi_ply_read_header(toi_ply *ply);

/* Reads the rows of an element from `row` on, where the feed stands: any format, any types, one by one; says what is
 * wrong with a row. */
toi_status toi_ply_read_rows(toi_ply *ply, const toi_ply_element *element, uint64_t row);

/* Reads binary rows that all have the same size, on all threads, and leaves the feed behind them. *row is the first
 * that was not read: the element's count, or where rows of another size, or faults, begin. */
toi_status toi_ply_read_fast(toi_ply *ply, const toi_ply_element *element, uint64_t *row);

/* Bytes of a binary row at least: a face has three corners. */
static inline size_t toi_ply_least_bytes(const toi_ply_element *element) {
  size_t bytes = element->row_bytes;
  for (size_t i = 0; i < element->property_count; i++)
    if (element->properties[i].role == TOI_PLY_CORNERS)
      bytes += 3 * toi_ply_bytes((toi_ply_type)element->properties[i].type);
  return bytes;
}

static inline bool toi_ply_swapped(const toi_ply *ply) {
  return (ply->format == TOI_PLY_BIG) != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
}

static inline uint16_t toi_load16(const char *from, bool swap) {
  uint16_t bits;
  __builtin_memcpy(&bits, from, sizeof bits);
  return swap ? __builtin_bswap16(bits) : bits;
}

static inline uint32_t toi_load32(const char *from, bool swap) {
  uint32_t bits;
  __builtin_memcpy(&bits, from, sizeof bits);
  return swap ? __builtin_bswap32(bits) : bits;
}

static inline uint64_t toi_load64(const char *from, bool swap) {
  uint64_t bits;
  __builtin_memcpy(&bits, from, sizeof bits);
  return swap ? __builtin_bswap64(bits) : bits;
}

/* An integer of a binary row; integer types only. */
static inline int64_t toi_ply_load(const char *from, toi_ply_type type, bool swap) {
  switch (type) {
  case TOI_PLY_INT8:
    return (int8_t)*from;
  case TOI_PLY_UINT8:
    return (uint8_t)*from;
  case TOI_PLY_INT16:
    return (int16_t)toi_load16(from, swap);
  case TOI_PLY_UINT16:
    return toi_load16(from, swap);
  case TOI_PLY_INT32:
    return (int32_t)toi_load32(from, swap);
  default:
    return toi_load32(from, swap);
  }
}

#endif
