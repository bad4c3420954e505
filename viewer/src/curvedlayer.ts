// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the libtoi authors

// Curved bodies in motion, for the eye only: the library samples them at equal times, and the picture goes straight from
// one sample to the next. Where two samples have different triangles, as deforming implicit surfaces may, the nearer one
// is shown. Nothing is decided with these triangles.

import type { Sampled } from "libtoi";
import { BufferAttribute, BufferGeometry, LineSegments, Mesh, Points, type ShaderMaterial } from "three";
import { BLUE } from "./marks";
import { clock, lineMaterial, pointMaterial, smoothMaterial } from "./shaders";
import type { Space } from "./stage";

export interface CurvedSource {
  title: string;
  tMax: number;
  /** 0 where it is not said. */
  tMin?: number;
  /** How many pictures the time is cut into; 24 where it is not said. */
  keys?: number;
  names: string[];
  sample(body: number, t: number, bounds?: number[]): Sampled;
  free(): void;
}

export interface CurvedContact {
  label: string;
  tLo: number;
  tHi: number;
  point: number[];
  normalA: number[];
  normalB: number[];
  rows: [string, string | number][];
  certificate: string;
}

const COLORS: [number, number, number][] = [
  [0.42, 0.58, 0.82],
  [0.85, 0.62, 0.36],
  [0.45, 0.7, 0.58],
  [0.74, 0.52, 0.68],
  [0.66, 0.66, 0.5],
];
const KEYS = 24;
const NORMAL_LENGTH = 0.22;

export class CurvedLayer {
  private readonly meshes: { mesh: Mesh; wires: LineSegments; key: string }[] = [];
  private readonly cache = new Map<string, Sampled>();
  private readonly unbounded = new Set<number>();
  private bounds: number[] = [-1, -1, -1, 1, 1, 1];
  private marks: (Points | LineSegments)[] = [];
  private readonly keys: number;
  private readonly begin: number;

  constructor(
    readonly space: Space,
    readonly source: CurvedSource,
  ) {
    space.up = "z";
    this.begin = source.tMin ?? 0;
    this.keys = source.tMax > this.begin ? (source.keys ?? KEYS) : 0;
    this.measure();
    source.names.forEach((_, body) => {
      const geometry = new BufferGeometry();
      const mesh = new Mesh(geometry, smoothMaterial(COLORS[body % COLORS.length] as [number, number, number]));
      const wires = new LineSegments(new BufferGeometry(), lineMaterial([0.1, 0.12, 0.16], 0.3));
      wires.visible = false;
      this.meshes.push({ mesh, wires, key: "" });
      space.add(mesh, wires);
    });
    this.setTime(this.begin);
  }

  /** Time in the scene's own unit. */
  setTime(t: number): void {
    const at = this.keys ? ((t - this.begin) / (this.source.tMax - this.begin)) * this.keys : 0;
    const key = Math.min(Math.max(0, this.keys - 1), Math.floor(at));
    let part = at - key;
    for (const [body, shown] of this.meshes.entries()) {
      const a = this.sampled(body, key);
      const b = this.keys ? this.sampled(body, key + 1) : a;
      const same = a.indices.length === b.indices.length && a.positions.length === b.positions.length;
      const wanted = same ? `${key}` : `${key}${part < 0.5 ? "a" : "b"}`;
      if (shown.key === wanted) continue;
      shown.key = wanted;
      if (same) this.fill(shown, a, b);
      else this.fill(shown, part < 0.5 ? a : b, part < 0.5 ? a : b);
    }
    if (!this.keys) part = 0;
    clock.t.value = part;
    this.space.draw();
  }

  show(what: { surface: boolean; wires: boolean; shading: boolean; contacts: boolean; normals: boolean }): void {
    for (const { mesh, wires } of this.meshes) {
      mesh.visible = what.surface;
      wires.visible = what.wires;
      (mesh.material as ShaderMaterial).uniforms.lit!.value = what.shading ? 1 : 0;
    }
    for (const mark of this.marks) mark.visible = mark instanceof Points ? what.contacts : what.normals;
    this.space.draw();
  }

  mark(contacts: CurvedContact[], chosen: number): void {
    for (const mark of this.marks) dispose(mark);
    this.marks = [];
    const all = contacts.map((contact) => contact.point);
    if (all.length) {
      const lines: number[][] = [];
      for (const { point, normalA, normalB } of contacts)
        for (const normal of [normalA, normalB]) {
          const length = NORMAL_LENGTH / this.space.frame.scale;
          lines.push(
            point,
            point.map((x, k) => x + length * (normal[k] as number)),
          );
        }
      this.marks.push(
        new LineSegments(this.still(lines), over(lineMaterial([0.85, 0.14, 0.16], 0.9))),
        new Points(this.still(all), pointMaterial([0.88, 0.15, 0.18], contacts.length > 40 ? 6 : 10, true)),
      );
    }
    const picked = contacts[chosen];
    if (picked) this.marks.push(new Points(this.still([picked.point]), pointMaterial(BLUE, 14, true)));
    this.space.add(...this.marks);
    this.space.draw();
  }

  dispose(): void {
    for (const { mesh, wires } of this.meshes) {
      dispose(mesh);
      dispose(wires);
    }
    for (const mark of this.marks) dispose(mark);
    this.space.group.removeFromParent();
    this.source.free();
  }

  /** The box of what is bounded, at three times; what is not is drawn as far as a little beyond it. */
  private measure(): void {
    const lo = [Infinity, Infinity, Infinity];
    const hi = [-Infinity, -Infinity, -Infinity];
    for (const t of [0, this.keys >> 2, this.keys >> 1, (3 * this.keys) >> 2, this.keys])
      this.source.names.forEach((_, body) => {
        const { positions } = this.sampled(body, t);
        for (let i = 0; i < positions.length; i++) {
          lo[i % 3] = Math.min(lo[i % 3] as number, positions[i] as number);
          hi[i % 3] = Math.max(hi[i % 3] as number, positions[i] as number);
        }
      });
    if (!Number.isFinite(lo[0] as number)) return;
    const centre = lo.map((x, k) => (x + (hi[k] as number)) / 2) as [number, number, number];
    const half = Math.max(...lo.map((x, k) => ((hi[k] as number) - x) / 2));
    this.space.frame = { centre, scale: 1 / (Math.hypot(...lo.map((x, k) => ((hi[k] as number) - x) / 2)) || 1) };
    this.bounds = [...centre.map((x) => x - 1.15 * half), ...centre.map((x) => x + 1.15 * half)];
    for (const body of this.unbounded)
      for (const key of [...this.cache.keys()]) if (key.startsWith(`${body}:`)) this.cache.delete(key);
  }

  private sampled(body: number, key: number): Sampled {
    const name = `${body}:${key}`;
    const known = this.cache.get(name);
    if (known) return known;
    const t = this.keys ? this.begin + ((this.source.tMax - this.begin) * key) / this.keys : this.begin;
    let sample: Sampled;
    try {
      sample = this.source.sample(body, t, this.unbounded.has(body) ? this.bounds : undefined);
    } catch (error) {
      if (this.unbounded.has(body)) throw error;
      this.unbounded.add(body);
      sample = {
        positions: new Float32Array(0),
        normals: new Float32Array(0),
        indices: new Uint32Array(0),
        patches: new Uint32Array(0),
      };
    }
    this.cache.set(name, sample);
    return sample;
  }

  private fill(shown: { mesh: Mesh; wires: LineSegments }, a: Sampled, b: Sampled): void {
    shown.mesh.geometry.dispose();
    shown.wires.geometry.dispose();
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(this.placed(a.positions), 3));
    geometry.setAttribute("end", new BufferAttribute(this.placed(b.positions), 3));
    geometry.setAttribute("normal", new BufferAttribute(a.normals, 3));
    geometry.setAttribute("endNormal", new BufferAttribute(b.normals, 3));
    const wires = geometry.clone();
    geometry.setIndex(new BufferAttribute(a.indices, 1));
    wires.setIndex(new BufferAttribute(edgesOf(a.indices), 1));
    shown.mesh.geometry = geometry;
    shown.wires.geometry = wires;
  }

  private placed(positions: Float32Array): Float32Array {
    const { centre, scale } = this.space.frame;
    const out = new Float32Array(positions.length);
    for (let i = 0; i < out.length; i++) out[i] = ((positions[i] as number) - (centre[i % 3] as number)) * scale;
    return out;
  }

  private still(points: number[][]): BufferGeometry {
    const places = points.flatMap((p) => this.space.place(p[0] as number, p[1] as number, p[2] as number).toArray());
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(new Float32Array(places), 3));
    geometry.setAttribute("end", new BufferAttribute(new Float32Array(places), 3));
    geometry.setAttribute("since", new BufferAttribute(new Float32Array(points.length), 1));
    return geometry;
  }
}

function edgesOf(triangles: Uint32Array): Uint32Array {
  const edges = new Uint32Array(2 * triangles.length);
  for (let i = 0; i < triangles.length; i += 3)
    for (let k = 0; k < 3; k++) {
      edges[2 * (i + k)] = triangles[i + k] as number;
      edges[2 * (i + k) + 1] = triangles[i + ((k + 1) % 3)] as number;
    }
  return edges;
}

function over(material: ShaderMaterial): ShaderMaterial {
  material.depthTest = false;
  return material;
}

function dispose(object: Mesh | Points | LineSegments): void {
  object.removeFromParent();
  object.geometry.dispose();
  (object.material as ShaderMaterial).dispose();
}
