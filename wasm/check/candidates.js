// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the libtoi authors

// Candidates of a step as queries: what a simulator asks the narrow phase about.

import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

const kinds = { vf: "vertex-face", ee: "edge-edge" };

// The two frames of a scene as a mesh.
export async function readScene(toi, folder) {
  const names = readdirSync(folder).filter((name) => name.endsWith(".ply")).sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
  const [start, end] = names.slice(0, 2).map((name) => new Uint8Array(readFileSync(path.join(folder, name))));
  return toi.readStep(start, names[0], end, names[1]);
}

// At most `most` candidates of one kind, evenly spread over all of them: 24 numbers each.
export function candidateQueries(toi, mesh, kind, most) {
  const pairs = toi.candidates(mesh, { kinds: [kind] })[kinds[kind]] ?? new Uint32Array(0);
  const all = pairs.length / 2;
  const count = Math.min(all, most);
  const { start, end, faces, edges } = mesh;
  const queries = new Float64Array(24 * count);
  for (let i = 0; i < count; i++) {
    const [a, b] = pairs.subarray(2 * Math.floor((i * all) / count));
    const points =
      kind === "vf" ? [a, ...faces.subarray(3 * b, 3 * b + 3)] : [edges[2 * a], edges[2 * a + 1], edges[2 * b], edges[2 * b + 1]];
    for (const [k, point] of points.entries()) {
      queries.set(start.subarray(3 * point, 3 * point + 3), 24 * i + 3 * k);
      queries.set(end.subarray(3 * point, 3 * point + 3), 24 * i + 12 + 3 * k);
    }
  }
  return queries;
}
