// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the libtoi authors

// Names of files.

/** Names in the order of their numbers: frame2 before frame10. */
export function byNumber(a: string, b: string): number {
  return a.localeCompare(b, "en", { numeric: true });
}
