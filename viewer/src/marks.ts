// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the libtoi authors

// What is marked on a mesh: colliding primitives, contact points with normals, crossings, and the pair that is chosen
// with its trajectories. Buffers are made anew when the marked set changes, never when the time does.

import { BufferAttribute, BufferGeometry, LineSegments, Mesh, type Object3D, Points, type ShaderMaterial } from "three";
import { type Collisions, HALF_SPACE } from "./collisions";
import type { Crossings } from "./container";
import { MARKED as AMBER, CROSSED as RED, type MeshLayer, type MeshModel } from "./meshlayer";
import { highlightMaterial, lineMaterial, pointMaterial } from "./shaders";
import type { Space } from "./stage";
import { around, CROWD } from "./window";

type Color = [number, number, number];
export const BLUE: Color = [0.15, 0.5, 0.95];
/** Normals and points grow smaller as they grow many. */
const NORMAL_LENGTH = 0.08;
function crowding(count: number): number {
  return count < 60 ? 1 : count < 600 ? 0.6 : 0.3;
}

/** Vertices of a pair, first primitive and second. */
export function pairVertices(model: MeshModel, kind: number, first: number, second: number): [number[], number[]] {
  const edge = (e: number) => [model.edges[2 * e] as number, model.edges[2 * e + 1] as number];
  const face = (f: number) => [0, 1, 2].map((k) => model.faces[3 * f + k] as number);
  if (kind === 0) return [[first], face(second)];
  if (kind === 1) return [edge(first), edge(second)];
  if (kind === 2) return [[first], edge(second)];
  if (kind === 3) return [[first], [second]];
  if (kind === 8) return [edge(first), face(second)];
  return [[first], []];
}

/** Points, lines and triangles that are filled vertex by vertex. */
class Build {
  readonly start: number[] = [];
  readonly end: number[] = [];
  readonly since: number[] = [];

  constructor(
    private readonly space: Space,
    private readonly model: MeshModel,
    private readonly step: number,
  ) {}

  vertex(v: number, since: number): void {
    const last = this.model.frames.length - 1;
    const a = this.model.frames[Math.min(this.step, last)] as Float32Array;
    const b = this.model.frames[Math.min(this.step + 1, last)] as Float32Array;
    this.push(this.start, a, v);
    this.push(this.end, b, v);
    this.since.push(since);
  }

  /** The same place at all times. */
  fixed(x: number, y: number, z: number, since: number): void {
    const p = this.space.place(x, y, z);
    this.start.push(p.x, p.y, p.z);
    this.end.push(p.x, p.y, p.z);
    this.since.push(since);
  }

  /** From where a vertex starts to where it ends, drawn at rest. */
  trajectory(v: number): void {
    const last = this.model.frames.length - 1;
    for (const frame of [this.step, this.step + 1]) {
      const p = this.model.frames[Math.min(frame, last)] as Float32Array;
      this.push(this.start, p, v);
      this.push(this.end, p, v);
      this.since.push(0);
    }
  }

  private push(to: number[], from: Float32Array, v: number): void {
    const p = this.space.place(from[3 * v] as number, from[3 * v + 1] as number, from[3 * v + 2] as number);
    to.push(p.x, p.y, p.z);
  }

  geometry(): BufferGeometry {
    const g = new BufferGeometry();
    g.setAttribute("position", new BufferAttribute(new Float32Array(this.start), 3));
    g.setAttribute("end", new BufferAttribute(new Float32Array(this.end), 3));
    g.setAttribute("since", new BufferAttribute(new Float32Array(this.since), 1));
    return g;
  }
}

export interface Shown {
  colliding: boolean;
  contacts: boolean;
  normals: boolean;
  trajectories: boolean;
  crossings: boolean;
}

export class Marks {
  private objects: { object: Mesh | LineSegments | Points; role: keyof Shown }[] = [];
  private chosen: (Mesh | LineSegments | Points)[] = [];
  private times: number[] = [];
  private windowed: { geometry: BufferGeometry; per: number }[] = [];
  private t = 0;
  private shown: Shown = { colliding: true, contacts: true, normals: true, trajectories: false, crossings: true };

  constructor(
    private readonly space: Space,
    private readonly model: MeshModel,
    private readonly layer: MeshLayer,
  ) {}

  /** Marks the pairs `which` of a step, the first of them apart, and the crossings of its first frame. */
  set(step: number, c: Collisions | null, which: Uint32Array, crossings: Crossings | null): void {
    this.clear();
    const since = c ? earliest(c, which) : null;
    const crowded = since !== null && which.length > CROWD;
    const crossed = crossings !== null && crossings.count > CROWD;
    this.layer.colour(
      crowded ? ofVertices(this.model, since) : new Map(),
      crossed ? ofCrossings(this.model, crossings) : new Set(),
    );
    if (since && !crowded) this.markPrimitives(step, since);
    if (c?.complete && which.length) this.markContacts(step, c, which);
    if (crossings && !crossed) this.markCrossings(step, crossings);
    this.show(this.shown);
  }

  show(shown: Shown): void {
    this.shown = { ...shown };
    for (const { object, role } of this.objects) object.visible = shown[role];
    this.space.draw();
  }

  setTime(t: number): void {
    this.t = t;
    const [from, to] = around(this.times, t);
    for (const { geometry, per } of this.windowed) geometry.setDrawRange(from * per, (to - from) * per);
  }

  /** The chosen pair: its primitives in blue, where its vertices come from and go to, contact and normal. */
  choose(step: number, c: Collisions | null, index: number): void {
    for (const object of this.chosen) dispose(object);
    this.chosen = [];
    if (c && index >= 0) {
      const [a, b] = pairVertices(
        this.model,
        c.kind[index] as number,
        c.first[index] as number,
        c.second[index] as number,
      );
      const faces = this.build(step);
      const lines = this.build(step);
      const points = this.build(step);
      const paths = this.build(step);
      for (const part of [a, b]) {
        if (part.length === 3) for (const v of part) faces.vertex(v, 0);
        part.forEach((v, k) => {
          if (part.length > 1 && (part.length > 2 || k === 0)) {
            lines.vertex(v, 0);
            lines.vertex(part[(k + 1) % part.length] as number, 0);
          }
          if (part.length === 1) points.vertex(v, 0);
          paths.trajectory(v);
        });
      }
      const place = [0, 1, 2].map((k) => c.point[3 * index + k] as number) as Color;
      const contact = this.build(step);
      contact.fixed(...place, 0);
      const normal = this.build(step);
      this.normal(normal, c, index, 2);
      this.chosen = [
        new Mesh(faces.geometry(), highlightMaterial(BLUE, { polygonOffsetFactor: -2, polygonOffsetUnits: -2 })),
        new LineSegments(lines.geometry(), overMaterial(BLUE, 1)),
        new LineSegments(paths.geometry(), overMaterial(BLUE, 0.55)),
        new Points(points.geometry(), pointMaterial(BLUE, 9, true)),
        new LineSegments(normal.geometry(), overMaterial(BLUE, 1)),
        new Points(contact.geometry(), pointMaterial(BLUE, 13, true)),
      ];
      for (const object of this.chosen) object.renderOrder = 2;
      this.space.add(...this.chosen);
    }
    this.space.draw();
  }

  dispose(): void {
    this.clear();
    for (const object of this.chosen) dispose(object);
    this.chosen = [];
  }

  private clear(): void {
    for (const { object } of this.objects) dispose(object);
    this.objects = [];
    this.windowed = [];
    this.times = [];
  }

  private build(step: number): Build {
    return new Build(this.space, this.model, step);
  }

  private put(role: keyof Shown, object: Mesh | LineSegments | Points): void {
    this.objects.push({ object, role });
    this.space.add(object);
  }

  private markPrimitives(step: number, since: Since): void {
    const faces = this.build(step);
    const edges = this.build(step);
    const vertices = this.build(step);
    for (const [face, t] of since.faces)
      for (let k = 0; k < 3; k++) faces.vertex(this.model.faces[3 * face + k] as number, t);
    for (const [edge, t] of since.edges)
      for (let k = 0; k < 2; k++) edges.vertex(this.model.edges[2 * edge + k] as number, t);
    for (const [vertex, t] of since.vertices) vertices.vertex(vertex, t);
    this.put("colliding", new Mesh(faces.geometry(), highlightMaterial(AMBER)));
    this.put("colliding", new LineSegments(edges.geometry(), highlightMaterial(AMBER, { depthWrite: false })));
    this.put("colliding", new Points(vertices.geometry(), pointMaterial(AMBER, 5, false)));
  }

  private markContacts(step: number, c: Collisions, which: Uint32Array): void {
    const contacts = this.build(step);
    const normals = this.build(step);
    const paths = this.build(step);
    const moved = new Set<number>();
    const crowd = crowding(which.length);
    for (const i of which) {
      const t = c.tLo[i] as number;
      contacts.fixed(c.point[3 * i] as number, c.point[3 * i + 1] as number, c.point[3 * i + 2] as number, t);
      this.normal(normals, c, i, crowd);
      for (const part of pairVertices(this.model, c.kind[i] as number, c.first[i] as number, c.second[i] as number))
        for (const v of part) moved.add(v);
    }
    for (const v of moved) paths.trajectory(v);
    const [points, arrows] = [contacts.geometry(), normals.geometry()];
    this.times = contacts.since;
    this.windowed = [
      { geometry: points, per: 1 },
      { geometry: arrows, per: 2 },
    ];
    this.setTime(this.t);
    this.put(
      "contacts",
      new Points(points, pointMaterial([0.55, 0.27, 0.02], crowd === 1 ? 9 : crowd > 0.5 ? 6 : 3, false)),
    );
    this.put("normals", new LineSegments(arrows, lineMaterial([0.45, 0.2, 0.02], 0.85, true)));
    this.put("trajectories", new LineSegments(paths.geometry(), lineMaterial([0.15, 0.5, 0.55], 0.7)));

    const first = this.build(step);
    const i = which[0] as number;
    first.fixed(c.point[3 * i] as number, c.point[3 * i + 1] as number, c.point[3 * i + 2] as number, 0);
    const object = new Points(first.geometry(), pointMaterial([0.95, 0.3, 0.08], 14, true));
    this.put("contacts", object);
  }

  private normal(build: Build, c: Collisions, i: number, length: number): void {
    const at = [0, 1, 2].map((k) => c.point[3 * i + k] as number);
    const n = [0, 1, 2].map((k) => c.normal[3 * i + k] as number);
    const size = (NORMAL_LENGTH * length) / this.space.frame.scale;
    build.fixed(at[0] as number, at[1] as number, at[2] as number, c.tLo[i] as number);
    build.fixed(
      (at[0] as number) + (n[0] as number) * size,
      (at[1] as number) + (n[1] as number) * size,
      (at[2] as number) + (n[2] as number) * size,
      c.tLo[i] as number,
    );
  }

  private markCrossings(step: number, crossings: Crossings): void {
    const faces = this.build(step);
    const edges = this.build(step);
    const points = this.build(step);
    for (let i = 0; i < crossings.count; i++) {
      const kind = crossings.kind[i] as number;
      for (const part of pairVertices(this.model, kind, crossings.first[i] as number, crossings.second[i] as number)) {
        const into = part.length === 3 ? faces : part.length === 2 ? edges : points;
        for (const v of part) into.vertex(v, 0);
      }
    }
    this.put("crossings", new Mesh(faces.geometry(), highlightMaterial(RED)));
    this.put("crossings", new LineSegments(edges.geometry(), overMaterial(RED, 1)));
    this.put("crossings", new Points(points.geometry(), pointMaterial(RED, 6, false)));
  }
}

interface Since {
  vertices: Map<number, number>;
  edges: Map<number, number>;
  faces: Map<number, number>;
}

function note(map: Map<number, number>, key: number, t: number): void {
  const known = map.get(key);
  if (known === undefined || t < known) map.set(key, t);
}

/** When each vertex of a colliding primitive is first part of one. */
function ofVertices(model: MeshModel, since: Since): Map<number, number> {
  const all = new Map(since.vertices);
  for (const [edge, t] of since.edges) for (let k = 0; k < 2; k++) note(all, model.edges[2 * edge + k] as number, t);
  for (const [face, t] of since.faces) for (let k = 0; k < 3; k++) note(all, model.faces[3 * face + k] as number, t);
  return all;
}

function ofCrossings(model: MeshModel, crossings: Crossings): Set<number> {
  const all = new Set<number>();
  for (let i = 0; i < crossings.count; i++) {
    const pair = [crossings.kind[i], crossings.first[i], crossings.second[i]] as [number, number, number];
    for (const part of pairVertices(model, ...pair)) for (const v of part) all.add(v);
  }
  return all;
}

/** When each primitive first collides. */
function earliest(c: Collisions, which: Uint32Array): Since {
  const since: Since = {
    vertices: new Map<number, number>(),
    edges: new Map<number, number>(),
    faces: new Map<number, number>(),
  };
  for (const i of which) {
    const kind = c.kind[i] as number;
    const t = c.tLo[i] as number;
    note(kind === 1 ? since.edges : since.vertices, c.first[i] as number, t);
    if (kind === HALF_SPACE) continue;
    note(kind === 0 ? since.faces : kind === 3 ? since.vertices : since.edges, c.second[i] as number, t);
  }
  return since;
}

function overMaterial(color: Color, opacity: number): ShaderMaterial {
  const material = lineMaterial(color, opacity);
  material.depthTest = false;
  return material;
}

function dispose(object: Mesh | LineSegments | Points): void {
  (object as Object3D).removeFromParent();
  object.geometry.dispose();
  (object.material as ShaderMaterial).dispose();
}
