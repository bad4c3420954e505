// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the libtoi authors

// What can go wrong, in the library's own words.

// By toi_status.
export const statuses = ["ok", "input", "option", "unsupported", "memory", "file", "format", "plugin", "cancelled", "callback"];
export const CANCELLED = statuses.indexOf("cancelled");
export const CALLBACK = statuses.indexOf("callback");

export class ToiError extends Error {
  constructor(status, message) {
    super(message);
    this.name = "ToiError";
    this.status = status;
  }
}

export function inputError(message) {
  return new ToiError("input", message);
}

export function optionError(message) {
  return new ToiError("option", message);
}
