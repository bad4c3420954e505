// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the libtoi authors

// A mesh in motion: one buffer of positions at the start of a step, one at its end, drawn in one call; wireframe and
// loose edges share the buffers.

import { BufferAttribute, BufferGeometry, DynamicDrawUsage, LineSegments, Mesh, Points, Vector3 } from "three";
import { clock, lineMaterial, pointMaterial, surfaceMaterial } from "./shaders";
import type { Frame, Space } from "./stage";

export interface MeshModel {
  title: string;
  frames: (Float32Array | Float64Array)[];
  frameNames: string[];
  faces: Uint32Array;
  edges: Uint32Array;
  loose: Uint32Array;
  halfSpaces: number[][];
}

/** What collides. */
export const MARKED: [number, number, number] = [0.96, 0.6, 0.12];
export const CROSSED: [number, number, number] = [0.88, 0.15, 0.18];
/** A time that is never reached. */
const NEVER = 1e30;

/** Muted, so that what collides stands out. */
const TINTS = [
  [0.62, 0.69, 0.78],
  [0.72, 0.7, 0.62],
  [0.58, 0.72, 0.68],
  [0.74, 0.64, 0.7],
  [0.66, 0.66, 0.8],
  [0.68, 0.74, 0.6],
  [0.78, 0.69, 0.62],
  [0.6, 0.68, 0.72],
] as const;

export class MeshLayer {
  private readonly surface: Mesh;
  private readonly wires: LineSegments;
  private readonly looseEdges: LineSegments;
  private readonly loosePoints: Points;
  private readonly start: BufferAttribute;
  private readonly end: BufferAttribute;
  private readonly since: BufferAttribute;
  private readonly crossed: BufferAttribute;
  private step = -1;

  constructor(
    readonly space: Space,
    readonly model: MeshModel,
  ) {
    space.frame = frameOf(model.frames);
    space.up = upAxis(model.frames);
    const count = (model.frames[0] as Float32Array).length / 3;
    this.start = new BufferAttribute(new Float32Array(3 * count), 3).setUsage(DynamicDrawUsage);
    this.end = new BufferAttribute(new Float32Array(3 * count), 3).setUsage(DynamicDrawUsage);
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", this.start);
    geometry.setAttribute("end", this.end);
    geometry.setAttribute("tint", new BufferAttribute(tints(model.faces, count), 3, true));
    this.since = new BufferAttribute(new Float32Array(count).fill(NEVER), 1).setUsage(DynamicDrawUsage);
    this.crossed = new BufferAttribute(new Uint8Array(count), 1, true).setUsage(DynamicDrawUsage);
    geometry.setAttribute("since", this.since);
    geometry.setAttribute("crossed", this.crossed);
    geometry.setIndex(new BufferAttribute(model.faces, 1));
    this.surface = new Mesh(geometry, surfaceMaterial(MARKED, CROSSED));
    this.wires = new LineSegments(this.sharing(model.edges), lineMaterial([0.08, 0.1, 0.14], 0.35));
    this.wires.visible = false;
    this.looseEdges = new LineSegments(this.sharing(model.loose), lineMaterial([0.25, 0.45, 0.7], 1));
    const loose = loosePoints(model, count);
    const points = this.sharing(loose);
    points.setAttribute("since", new BufferAttribute(new Float32Array(count), 1));
    this.loosePoints = new Points(points, pointMaterial([0.25, 0.45, 0.7], 6, false));
    this.loosePoints.visible = loose.length > 0;
    space.add(this.surface, this.wires, this.looseEdges, this.loosePoints);
    this.setStep(0);
  }

  setStep(step: number): void {
    if (step === this.step) return;
    this.step = step;
    const last = this.model.frames.length - 1;
    this.upload(this.start, Math.min(step, last));
    this.upload(this.end, Math.min(step + 1, last));
  }

  /** After a vertex moved in the model. */
  vertexMoved(frame: number, vertex: number): void {
    const attribute = frame === this.step ? this.start : frame === this.step + 1 ? this.end : null;
    if (!attribute) return;
    const p = this.model.frames[frame] as Float32Array;
    const v = this.space.place(p[3 * vertex] as number, p[3 * vertex + 1] as number, p[3 * vertex + 2] as number);
    attribute.setXYZ(vertex, v.x, v.y, v.z);
    attribute.needsUpdate = true;
    this.space.draw();
  }

  show(what: { surface: boolean; wires: boolean; shading: boolean; colliding: boolean; crossings: boolean }): void {
    this.surface.visible = what.surface;
    const { uniforms } = this.surface.material as ReturnType<typeof surfaceMaterial>;
    uniforms.marking!.value = what.colliding ? 1 : 0;
    uniforms.crossing!.value = what.crossings ? 1 : 0;
    uniforms.lit!.value = what.shading ? 1 : 0;
    this.wires.visible = what.wires;
    this.space.draw();
  }

  /** From when on vertices are coloured on the surface itself, and which of them are crossed: it costs nothing to draw. */
  colour(since: Map<number, number>, crossed: Set<number>): void {
    (this.since.array as Float32Array).fill(NEVER);
    for (const [vertex, t] of since) this.since.setX(vertex, t);
    (this.crossed.array as Uint8Array).fill(0);
    for (const vertex of crossed) (this.crossed.array as Uint8Array)[vertex] = 255;
    this.since.needsUpdate = true;
    this.crossed.needsUpdate = true;
    this.space.draw();
  }

  setWireColor(color: [number, number, number], opacity: number): void {
    const uniforms = (this.wires.material as ReturnType<typeof lineMaterial>).uniforms;
    uniforms.color!.value = color;
    uniforms.opacity!.value = opacity;
  }

  /** A vertex as it is drawn now. */
  drawn(vertex: number): Vector3 {
    const a = new Vector3().fromBufferAttribute(this.start, vertex);
    return a.lerp(new Vector3().fromBufferAttribute(this.end, vertex), clock.t.value);
  }

  /** The vertex nearest to a place on the canvas, at most `reach` pixels away; the one in front of several. */
  pick(x: number, y: number, reach: number): number {
    let best = -1;
    let bestScore = Number.POSITIVE_INFINITY;
    const v = new Vector3();
    const e = new Vector3();
    for (let i = 0; i < this.start.count; i++) {
      v.fromBufferAttribute(this.start, i).lerp(e.fromBufferAttribute(this.end, i), clock.t.value);
      const p = this.space.stage.project(v);
      if (p.depth < -1 || p.depth > 1) continue;
      const away = Math.hypot(p.x - x, p.y - y);
      const score = away / reach + p.depth * 20;
      if (away <= reach && score < bestScore) {
        best = i;
        bestScore = score;
      }
    }
    return best;
  }

  dispose(): void {
    for (const object of [this.surface, this.wires, this.looseEdges, this.loosePoints]) {
      object.removeFromParent();
      object.geometry.dispose();
      (object.material as ReturnType<typeof surfaceMaterial>).dispose();
    }
  }

  private upload(attribute: BufferAttribute, frame: number): void {
    const from = this.model.frames[frame] as Float32Array;
    const to = attribute.array as Float32Array;
    const { centre, scale } = this.space.frame;
    for (let i = 0; i < to.length; i += 3) {
      to[i] = ((from[i] as number) - centre[0]) * scale;
      to[i + 1] = ((from[i + 1] as number) - centre[1]) * scale;
      to[i + 2] = ((from[i + 2] as number) - centre[2]) * scale;
    }
    attribute.needsUpdate = true;
  }

  private sharing(index: Uint32Array): BufferGeometry {
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", this.start);
    geometry.setAttribute("end", this.end);
    geometry.setIndex(new BufferAttribute(index, 1));
    return geometry;
  }
}

/** All frames within a ball of radius 1 about the middle of their box; halved before they are added, since sums near the
 * ends of the doubles' range overflow. */
export function frameOf(frames: (Float32Array | Float64Array)[]): Frame {
  const lo = [Infinity, Infinity, Infinity];
  const hi = [-Infinity, -Infinity, -Infinity];
  for (const frame of frames)
    for (let i = 0; i < frame.length; i++) {
      const axis = i % 3;
      const x = frame[i] as number;
      if (x < (lo[axis] as number)) lo[axis] = x;
      if (x > (hi[axis] as number)) hi[axis] = x;
    }
  if (!Number.isFinite(lo[0] as number)) return { centre: [0, 0, 0], scale: 1 };
  const centre = lo.map((x, axis) => x / 2 + (hi[axis] as number) / 2) as [number, number, number];
  let radius = 0;
  for (const frame of frames)
    for (let i = 0; i < frame.length; i += 3)
      radius = Math.max(
        radius,
        Math.hypot(
          (frame[i] as number) - centre[0],
          (frame[i + 1] as number) - centre[1],
          (frame[i + 2] as number) - centre[2],
        ),
      );
  const scale = radius > 0 && Number.isFinite(1 / radius) ? 1 / radius : 1;
  return { centre, scale };
}

/** Which axis is up is not in a mesh: things fall, so it is the one along which vertices move most on the mean, y or z;
 * y where they do not. */
export function upAxis(frames: (Float32Array | Float64Array)[]): "y" | "z" {
  const [first, last] = [frames[0], frames[frames.length - 1]] as [Float32Array, Float32Array];
  let y = 0;
  let z = 0;
  for (let i = 0; i < first.length; i += 3) {
    y += (last[i + 1] as number) - (first[i + 1] as number);
    z += (last[i + 2] as number) - (first[i + 2] as number);
  }
  return z < 0 && -z > 2 * Math.abs(y) ? "z" : "y";
}

/** One tint per connected part. */
function tints(faces: Uint32Array, count: number): Uint8Array {
  const parent = new Uint32Array(count);
  for (let i = 0; i < count; i++) parent[i] = i;
  const find = (start: number): number => {
    let i = start;
    while (parent[i] !== i) {
      parent[i] = parent[parent[i] as number] as number;
      i = parent[i] as number;
    }
    return i;
  };
  for (let f = 0; f < faces.length; f += 3)
    for (let k = 1; k < 3; k++) {
      const a = find(faces[f] as number);
      const b = find(faces[f + k] as number);
      if (a !== b) parent[Math.max(a, b)] = Math.min(a, b);
    }
  const colors = new Uint8Array(3 * count);
  const number = new Map<number, number>();
  for (let i = 0; i < count; i++) {
    const root = find(i);
    if (!number.has(root)) number.set(root, number.size);
    const tint = TINTS[(number.get(root) as number) % TINTS.length] as readonly [number, number, number];
    for (let k = 0; k < 3; k++) colors[3 * i + k] = Math.round(255 * (tint[k] as number));
  }
  return colors;
}

function loosePoints(model: MeshModel, count: number): Uint32Array {
  const used = new Uint8Array(count);
  for (const i of model.faces) used[i] = 1;
  for (const i of model.loose) used[i] = 1;
  const out: number[] = [];
  for (let i = 0; i < count; i++) if (!used[i]) out.push(i);
  return Uint32Array.from(out);
}
