// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the libtoi authors

// What the playground offers: single queries (the five situations of docs/learn.md first), small meshes that are made
// here, and the scenes of examples/contact, which the build puts in.

import contactScenes from "virtual:scenes";
import type { MeshModel } from "./meshlayer";

export interface QueryExample {
  id: string;
  title: string;
  kind: "vf" | "ee";
  points: number[];
  note: string;
  options?: Record<string, string>;
}

const FACE = [0, 0, 0, 1, 0, 0, 0, 1, 0];

export const QUERY_EXAMPLES: QueryExample[] = [
  {
    id: "falls",
    title: "A vertex falls on a triangle",
    kind: "vf",
    points: [0.25, 0.25, 1, ...FACE, 0.25, 0.25, -1, ...FACE],
    note: "The simple case: one simple root, inside.",
  },
  {
    id: "double-root",
    title: "Double root: the vertex touches and turns back",
    kind: "vf",
    points: [0, 0.25, 0, 0, 0, -0.25, 1, 0, 0.75, 0, 1, -0.25, 1, 0.25, 0, 0, 0, -0.25, 1, 0, -0.25, 0, 1, -0.25],
    note: "The face tilts as the vertex passes: it touches at t = 0.5 and never crosses, so the cubic has a double root.",
  },
  {
    id: "sliding",
    title: "Coplanar: the vertex slides in the plane of the face",
    kind: "vf",
    points: [2, 0.25, 0, ...FACE, 0.5, 0.25, 0, ...FACE],
    note: "All points stay in one plane, so the cubic is zero at all times and decides nothing.",
  },
  {
    id: "corner",
    title: "Corner: the vertex falls exactly onto a corner",
    kind: "vf",
    points: [0, 0, 1, ...FACE, 0, 0, -1, ...FACE],
    note: "Touching counts, but two areas are 0, so rounding could decide either way.",
  },
  {
    id: "false-alarm",
    title: "False alarm: the vertex passes at a distance of 1e-8",
    kind: "vf",
    points: [0.50000001, 0.50000001, 1, ...FACE, 0.50000001, 0.50000001, -1, ...FACE],
    note: "A miss, next to the long side of the face. A method that stops at a tolerance answers near: see the tab Methods.",
  },
  {
    id: "early",
    title: "Early: edges that meet at a grazing angle",
    kind: "ee",
    points: [-1, 0, 0.01, 1, 0, 0.01, 0, -1, 0, 0, 1, 0.001, -1, 0, -0.01, 1, 0, -0.01, 0, -1, 0, 0, 1, 0.001],
    note: "A hit. Methods with a tolerance report a time before the proved one: see the tab Methods.",
  },
  {
    id: "separation",
    title: "Minimum separation: within 0.25",
    kind: "vf",
    points: [0.25, 0.25, 1, ...FACE, 0.25, 0.25, -1, ...FACE],
    note: "Contact means a distance of at most 0.25: the first time at this distance is found and proved like contact.",
    options: { minSeparation: "0.25" },
  },
];

/** Small meshes, by name. */
export const MESH_EXAMPLES: { id: string; title: string; make: () => MeshModel }[] = [
  { id: "triangles", title: "A triangle falls on a triangle", make: triangles },
  { id: "cloth", title: "A cloth falls over a ball", make: cloth },
  { id: "crossed", title: "A sheet that crosses itself", make: crossed },
];

export const SCENE_EXAMPLES: { name: string; title: string; text: string }[] = contactScenes;

function model(title: string, frames: number[][], faces: number[]): MeshModel {
  return {
    title,
    frames: frames.map((frame) => Float64Array.from(frame)),
    frameNames: frames.map((_, i) => (i ? "end" : "start")),
    faces: Uint32Array.from(faces),
    edges: new Uint32Array(0),
    loose: new Uint32Array(0),
    halfSpaces: [],
  };
}

function triangles(): MeshModel {
  const rest = [0, 0, 0, 1, 0, 0, 0, 0, 1];
  return model(
    "A triangle falls on a triangle",
    [
      [...rest, 0.25, 1, 0.25, 0.75, 1.5, 0.25, 0.25, 1.5, 0.75],
      [...rest, 0.25, -1, 0.25, 0.75, -0.5, 0.25, 0.25, -0.5, 0.75],
    ],
    [0, 2, 1, 3, 4, 5],
  );
}

/** A grid of n by n squares in the plane y = 0, side 2. */
function grid(n: number, height: (x: number, z: number) => number): { points: number[]; faces: number[] } {
  const points: number[] = [];
  const faces: number[] = [];
  for (let i = 0; i <= n; i++)
    for (let j = 0; j <= n; j++) {
      const x = (2 * i) / n - 1;
      const z = (2 * j) / n - 1;
      points.push(x, height(x, z), z);
    }
  for (let i = 0; i < n; i++)
    for (let j = 0; j < n; j++) {
      const a = i * (n + 1) + j;
      const b = a + n + 1;
      faces.push(a, a + 1, b, b, a + 1, b + 1);
    }
  return { points, faces };
}

/** A ball of rings, radius r about the origin. */
function ball(rings: number, around: number, r: number): { points: number[]; faces: number[] } {
  const points: number[] = [0, r, 0];
  const faces: number[] = [];
  for (let i = 1; i < rings; i++)
    for (let j = 0; j < around; j++) {
      const a = (Math.PI * i) / rings;
      const b = (2 * Math.PI * (j + (i % 2) / 2)) / around;
      points.push(r * Math.sin(a) * Math.cos(b), r * Math.cos(a), r * Math.sin(a) * Math.sin(b));
    }
  points.push(0, -r, 0);
  const at = (i: number, j: number) => 1 + (i - 1) * around + (j % around);
  const last = points.length / 3 - 1;
  for (let j = 0; j < around; j++) {
    faces.push(0, at(1, j + 1), at(1, j), last, at(rings - 1, j), at(rings - 1, j + 1));
    for (let i = 1; i < rings - 1; i++)
      if (i % 2 === 0) faces.push(at(i, j), at(i, j + 1), at(i + 1, j), at(i, j + 1), at(i + 1, j + 1), at(i + 1, j));
      else faces.push(at(i, j), at(i, j + 1), at(i + 1, j + 1), at(i, j), at(i + 1, j + 1), at(i + 1, j));
  }
  return { points, faces };
}

function cloth(): MeshModel {
  const wave = (x: number, z: number) => 0.72 + 0.02 * Math.sin(5 * x) * Math.cos(4 * z);
  const sheet = grid(36, wave);
  const sphere = ball(24, 36, 0.6);
  const offset = sheet.points.length / 3;
  const falling = sheet.points.map((y, i) => {
    if (i % 3 !== 1) return y;
    const r = Math.hypot(sheet.points[i - 1] as number, sheet.points[i + 1] as number);
    return y - 0.35 - 0.32 * r * r;
  });
  return model(
    "A cloth falls over a ball",
    [
      [...sheet.points, ...sphere.points],
      [...falling, ...sphere.points],
    ],
    [...sheet.faces, ...sphere.faces.map((v) => v + offset)],
  );
}

function crossed(): MeshModel {
  const flat = grid(24, () => 0);
  // Right of x = -0.2 the sheet rolls up on a circle, and goes on straight, down through itself.
  const radius = 0.16;
  const most = 1.25 * Math.PI;
  const rolled = (x: number): [number, number] => {
    const along = x + 0.2;
    if (along <= 0) return [x, 0];
    const turn = Math.min(most, along / radius);
    const rest = along - turn * radius;
    return [
      -0.2 + radius * Math.sin(turn) + rest * Math.cos(turn),
      radius * (1 - Math.cos(turn)) + rest * Math.sin(turn),
    ];
  };
  const bent = flat.points.map((value, i) =>
    i % 3 === 2 ? value : (rolled(flat.points[i - (i % 3)] as number)[i % 3] as number),
  );
  return model("A sheet that crosses itself", [bent], flat.faces);
}
