// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the libtoi authors

// Modules that the build makes.

declare module "virtual:worker" {
  const source: string;
  export default source;
}

declare module "virtual:scenes" {
  const scenes: { name: string; title: string; text: string }[];
  export default scenes;
}
