/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Sorting a level whose boxes did not come in order: heap sort, in place. */

#include "search/search.h"

void toi_search_sort(unsigned char *items, size_t size, size_t count, unsigned char *spare) {
  for (size_t i = count / 2; i-- > 0;) {
    memcpy(spare, items + i * size, size);
    toi_heap_sink(items, size, count, i, spare);
  }
  // The smallest goes behind the rest, again and again: that leaves them in falling order.
  for (size_t left = count; left-- > 1;) {
    memcpy(spare, items + left * size, size);
    memcpy(items + left * size, items, size);
    toi_heap_sink(items, size, left, 0, spare);
  }
  for (size_t i = 0; i < count / 2; i++) {
    unsigned char *a = items + i * size, *b = items + (count - 1 - i) * size;
    memcpy(spare, a, size);
    memcpy(a, b, size);
    memcpy(b, spare, size);
  }
}
