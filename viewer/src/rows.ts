// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the libtoi authors

// Rows of a list and where to scroll for them. Browsers limit the height of an element, so beyond that height the scroll
// bar is mapped to rows in proportion.

export const LINE = 26;
export const TALLEST = 8_000_000;

/** The first row in view, and where it is drawn within the scrolled area. */
export function firstRow(scrollTop: number, viewHeight: number, count: number): { row: number; top: number } {
  const full = count * LINE;
  if (full <= TALLEST) {
    const row = Math.floor(scrollTop / LINE);
    return { row, top: row * LINE };
  }
  const part = Math.min(1, Math.max(0, scrollTop / (TALLEST - viewHeight)));
  const offset = part * (full - viewHeight);
  const row = Math.floor(offset / LINE);
  return { row, top: scrollTop - (offset - row * LINE) };
}

/** Where to scroll so that a row is in view. */
export function scrollFor(row: number, viewHeight: number, count: number): number {
  const full = count * LINE;
  const offset = row * LINE - viewHeight / 2 + LINE / 2;
  if (full <= TALLEST) return Math.max(0, offset);
  return Math.max(0, (offset / (full - viewHeight)) * (TALLEST - viewHeight));
}
