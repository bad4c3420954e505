// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the libtoi authors

// Names of files.

/** Names in the order of their numbers: frame2 before frame10. */
export function byNumber(a: string, b: string): number {
  return a.localeCompare(b, "en", { numeric: true });
}

/** The last part of a path. */
export function baseName(path: string): string {
  return path.split("/").pop() || path;
}

/** What a page is called: its first and its last frame. */
export function stepTitle(frames: string[]): string {
  const ends = frames.length > 1 ? [frames[0], frames[frames.length - 1]] : frames.slice(0, 1);
  return ends.map((name) => baseName(name ?? "")).join(" → ");
}
