// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the libtoi authors

// Rigid bodies that turn, as `toi sweep --view` writes them: meshes in their own frames and a motion for every piece of
// time. Poses are computed here for the eye only; the answer is the one that came with the page.

import type { Sampled } from "libtoi";
import type { CurvedContact, CurvedSource } from "./curvedlayer";

/** x, y, z, then the quaternion w, x, y, z. */
export type Pose = number[];

export interface RigidMotion {
  law: "nlerp" | "slerp" | "screw";
  start: Pose;
  end: Pose;
}

export interface RigidScene {
  bodies: { name: string; vertices: number[]; faces: number[]; edges: number[] }[];
  times: number[];
  pieces: RigidMotion[][];
}

/** Pictures between two times of the scene. */
const KEYS_PER_PIECE = 24;
const MOST_KEYS = 240;

function at(list: number[], i: number): number {
  return list[i] as number;
}

function unit(q: number[]): number[] {
  const most = Math.max(...q.map(Math.abs));
  const scaled = q.map((x) => x / most);
  const length = Math.hypot(...scaled);
  return scaled.map((x) => x / length);
}

/** Where a body is at s in [0, 1] of its motion: the position, and a quaternion of length 1. */
export function poseAt(motion: RigidMotion, s: number): Pose {
  const [a, b] = [motion.start.slice(3), motion.end.slice(3)];
  const [p, q] = [unit(a), unit(b)];
  const dot = p.reduce((sum, x, i) => sum + x * at(q, i), 0);
  let [first, second] = [1 - s, s];
  if (motion.law === "nlerp") {
    first *= Math.hypot(...a);
    second *= Math.hypot(...b);
  } else if (Math.abs(dot) < 1 - 1e-15) {
    const angle = Math.acos(Math.abs(dot));
    [first, second] = [Math.sin((1 - s) * angle), Math.sin(s * angle)];
  }
  const side = dot < 0 ? -1 : 1;
  const turned = unit(p.map((x, i) => first * x + second * side * at(q, i)));
  const place = [0, 1, 2].map((k) => (1 - s) * at(motion.start, k) + s * at(motion.end, k));
  return [...place, ...turned];
}

function rotate(q: number[], v: number[]): number[] {
  const cross = (x: number[], y: number[]) => [
    at(x, 1) * at(y, 2) - at(x, 2) * at(y, 1),
    at(x, 2) * at(y, 0) - at(x, 0) * at(y, 2),
    at(x, 0) * at(y, 1) - at(x, 1) * at(y, 0),
  ];
  const axis = q.slice(1);
  const inner = cross(axis, v).map((x, i) => x + at(q, 0) * at(v, i));
  return v.map((x, i) => x + 2 * at(cross(axis, inner), i));
}

/** The piece of time, and where in it. */
export function pieceAt(scene: RigidScene, t: number): [number, number] {
  let piece = 0;
  while (piece + 1 < scene.pieces.length && at(scene.times, piece + 1) <= t) piece++;
  const [from, to] = [at(scene.times, piece), at(scene.times, piece + 1)];
  return [piece, Math.min(1, Math.max(0, (t - from) / (to - from)))];
}

/** Corners of a body's faces, each with its own, and of loose edges and points as faces without area. */
function cornersOf(body: RigidScene["bodies"][number]): Uint32Array {
  if (body.faces.length) return Uint32Array.from(body.faces);
  const lone = Array.from({ length: body.vertices.length / 3 }, (_, i) => [i, i, i]).flat();
  const lines: number[] = [];
  for (let i = 0; i + 1 < body.edges.length; i += 2)
    lines.push(at(body.edges, i), at(body.edges, i + 1), at(body.edges, i));
  return Uint32Array.from(lines.length ? lines : lone);
}

/** A body's faces at a time, shaded flat. */
function sampleAt(scene: RigidScene, corners: Uint32Array, body: number, t: number): Sampled {
  const [piece, s] = pieceAt(scene, t);
  const pose = poseAt((scene.pieces[piece] as RigidMotion[])[body] as RigidMotion, s);
  const vertices = (scene.bodies[body] as RigidScene["bodies"][number]).vertices;
  const quaternion = pose.slice(3);
  const placed = new Float64Array(vertices.length);
  for (let i = 0; i < vertices.length; i += 3)
    rotate(quaternion, vertices.slice(i, i + 3)).forEach((x, k) => {
      placed[i + k] = x + at(pose, k);
    });
  const positions = new Float32Array(3 * corners.length);
  const normals = new Float32Array(3 * corners.length);
  for (let c = 0; c < corners.length; c += 3) {
    for (let k = 0; k < 9; k++)
      positions[3 * c + k] = placed[3 * (corners[c + Math.floor(k / 3)] as number) + (k % 3)] as number;
    const side = (v: number) => [0, 1, 2].map((k) => at([...positions.subarray(3 * (c + v), 3 * (c + v) + 3)], k));
    const [p, q, r] = [side(0), side(1), side(2)];
    const [d, e] = [q.map((x, k) => x - at(p, k)), r.map((x, k) => x - at(p, k))];
    const n = [0, 1, 2].map((k) => at(d, (k + 1) % 3) * at(e, (k + 2) % 3) - at(d, (k + 2) % 3) * at(e, (k + 1) % 3));
    const length = Math.hypot(...n) || 1;
    for (let k = 0; k < 9; k++) normals[3 * c + k] = at(n, k % 3) / length;
  }
  return {
    positions,
    normals,
    indices: Uint32Array.from(corners, (_, i) => i),
    patches: new Uint32Array(corners.length / 3),
  };
}

export function rigidSource(text: Uint8Array, title: string): CurvedSource {
  const scene = JSON.parse(new TextDecoder().decode(text)) as RigidScene;
  const corners = scene.bodies.map(cornersOf);
  return {
    title,
    tMin: at(scene.times, 0),
    tMax: at(scene.times, scene.times.length - 1),
    keys: Math.min(MOST_KEYS, KEYS_PER_PIECE * scene.pieces.length),
    names: scene.bodies.map((body) => body.name),
    sample: (body, t) => sampleAt(scene, corners[body] as Uint32Array, body, t),
    free: () => {},
  };
}

// --- the answer, as `toi sweep --json --all` prints it ---

interface PrintedContact {
  a: string;
  b: string;
  kind: string;
  first: number;
  second: number;
  point: number[];
  normal: number[];
  toi: { lo: number; hi: number; safe: number };
  pairs: number;
}

export interface PrintedSweep {
  verdict: string;
  toi: { lo: number; hi: number; safe: number } | null;
  hits?: PrintedContact[];
  min_separation: number;
  bodies: number;
  pieces: number;
}

/** The first contact of each pair of bodies, by time. */
export function sweepContacts(printed: PrintedSweep): CurvedContact[] {
  return (printed.hits ?? []).map((hit) => ({
    label: `${hit.a} – ${hit.b}`,
    tLo: hit.toi.lo,
    tHi: hit.toi.hi,
    point: hit.point,
    normalA: hit.normal,
    normalB: [0, 0, 0],
    rows: [
      ["pair", `${hit.kind} ${hit.first}, ${hit.second}`],
      ["t_safe", hit.toi.safe],
      ["pairs of primitives", String(hit.pairs)],
    ],
    certificate: hit.kind,
  }));
}
