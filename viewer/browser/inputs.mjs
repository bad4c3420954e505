// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the libtoi authors

// Small files for the browser tests.

/** An ascii PLY mesh. */
export function ply(vertices, faces) {
  const rows = [
    "ply",
    "format ascii 1.0",
    `element vertex ${vertices.length}`,
    "property double x",
    "property double y",
    "property double z",
    `element face ${faces.length}`,
    "property list uchar uint vertex_indices",
    "end_header",
    ...vertices.map((v) => v.join(" ")),
    ...faces.map((f) => `${f.length} ${f.join(" ")}`),
  ];
  return `${rows.join("\n")}\n`;
}

const REST = [
  [0, 0, 0],
  [1, 0, 0],
  [0, 1, 0],
];
const FACES = [
  [0, 1, 2],
  [3, 4, 5],
];

/** A triangle falls onto one at rest: vertex 3 meets face 0 at t = 0.5. */
export const START = ply([...REST, [0.25, 0.25, 1], [0.5, 0.25, 3], [0.25, 0.5, 3]], FACES);
export const END = ply([...REST, [0.25, 0.25, -1], [0.5, 0.25, 1], [0.25, 0.5, 1]], FACES);
/** And goes on. */
export const LATER = ply([...REST, [0.25, 0.25, -2], [0.5, 0.25, 0.5], [0.25, 0.5, 0.5]], FACES);

export const SCENE = JSON.stringify({
  title: "Two balls",
  t_max: 2,
  bodies: [
    { name: "<b>left</b>", shape: { sphere: { radius: 1 } } },
    { name: "right", shape: { sphere: { radius: 1 } }, motion: [{ move: { shift: [4, 0, 0], velocity: [-2, 0, 0] } }] },
  ],
});

/** Files that are refused: name and content. */
export const BAD = [
  ["cut.ply", START.slice(0, START.length - 20)],
  ["nan.ply", START.replace("0.25 0.25 1", "0.25 nan 1")],
  ["index.ply", START.replace("3 3 4 5", "3 3 4 9")],
  ["empty.ply", ""],
  ["word.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 x\n"],
  ["range.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 7\n"],
];

/** A point falls through a triangle at t = 11. */
export const SWEEP = JSON.stringify({
  bodies: [
    {
      name: "table",
      mesh: {
        vertices: [
          [-1, -1, 0],
          [1, -1, 0],
          [0, 1, 0],
        ],
        faces: [[0, 1, 2]],
      },
    },
    {
      name: "pin",
      mesh: {
        vertices: [
          [0, 0, 0],
          [0, 0, 1],
        ],
        edges: [[0, 1]],
      },
      path: [
        { t: 10, position: [0, 0, 1] },
        { t: 12, position: [0, 0, -1], quaternion: [1, 0, 0, 1] },
      ],
    },
  ],
});
