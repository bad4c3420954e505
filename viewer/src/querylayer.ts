// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the libtoi authors

// One query in the picture: the two primitives as they move, pale where they start and end, and a handle on each of
// their eight points.

import { BufferAttribute, BufferGeometry, LineSegments, Mesh, Points, type ShaderMaterial, type Vector3 } from "three";
import { BLUE } from "./marks";
import { frameOf } from "./meshlayer";
import type { PairKind } from "./query";
import { highlightMaterial, lineMaterial, pointMaterial } from "./shaders";
import type { Space, Stage } from "./stage";

const FIRST: [number, number, number] = [0.93, 0.52, 0.05];

export class QueryLayer {
  private objects: (Mesh | LineSegments | Points)[] = [];
  private handles: Vector3[] = [];

  constructor(private readonly space: Space) {}

  /** fresh: another query, looked at from where all of it is in view; else a point moved, and the view stays. */
  set(kind: PairKind, points: number[], contact: number[] | null, fresh: boolean): void {
    if (fresh) this.space.frame = frameOf([Float64Array.from(points)]);
    this.clear();
    this.handles = [];
    for (let p = 0; p < 8; p++)
      this.handles.push(
        this.space.place(points[3 * p] as number, points[3 * p + 1] as number, points[3 * p + 2] as number),
      );
    const first = kind === "vf" ? [0] : [0, 1];
    const second = kind === "vf" ? [1, 2, 3] : [2, 3];
    this.primitive(first, FIRST);
    this.primitive(second, BLUE);
    this.put(
      new LineSegments(
        this.geometry(
          [0, 1, 2, 3].flatMap((p) => [
            [p, p],
            [p + 4, p + 4],
          ]),
        ),
        lineMaterial([0.45, 0.5, 0.58], 0.9),
      ),
    );
    const place = contact ? this.space.place(contact[0] as number, contact[1] as number, contact[2] as number) : null;
    if (place) {
      const geometry = at([place, place], 1);
      const mark = new Points(geometry, pointMaterial([0.86, 0.12, 0.16], 12, true));
      mark.renderOrder = 2;
      this.put(mark);
    }
    this.space.draw();
  }

  /** The handle under the pointer: 0 to 3 at the start, 4 to 7 at the end; -1: none. */
  pick(stage: Stage, x: number, y: number): number {
    let best = -1;
    let bestAway = 16;
    this.handles.forEach((handle, i) => {
      const p = stage.project(handle);
      const away = Math.hypot(p.x - x, p.y - y);
      if (away < bestAway) {
        best = i;
        bestAway = away;
      }
    });
    return best;
  }

  handle(i: number): Vector3 {
    return this.handles[i] as Vector3;
  }

  private primitive(points: number[], color: [number, number, number]): void {
    const moving = points.map((p) => [p, p + 4]);
    const start = points.map((p) => [p, p]);
    const end = points.map((p) => [p + 4, p + 4]);
    if (points.length === 3) {
      const body = highlightMaterial(color);
      body.uniforms.strength!.value = 0.62;
      body.depthWrite = false;
      this.put(new Mesh(this.geometry(moving), body));
      for (const still of [start, end]) {
        const ghost = highlightMaterial(color);
        ghost.uniforms.strength!.value = 0.5;
        ghost.depthWrite = false;
        this.put(new Mesh(this.geometry(still, 2), ghost));
      }
    }
    const edges = (list: number[][]) =>
      list.flatMap((p, k) => (list.length === 2 && k === 1 ? [] : [p, list[(k + 1) % list.length] as number[]]));
    if (points.length > 1) {
      this.put(new LineSegments(this.geometry(edges(moving)), lineMaterial(color, 1)));
      this.put(new LineSegments(this.geometry([...edges(start), ...edges(end)]), lineMaterial(color, 0.5)));
    }
    this.put(new Points(this.geometry(moving), pointMaterial(color, 9, false)));
    const handles = new Points(this.geometry([...start, ...end], 2), pointMaterial(color, 13, true));
    handles.renderOrder = 1;
    this.put(handles);
  }

  /** Points that go from one handle to another; `since` 2 keeps them pale. */
  private geometry(pairs: number[][], since = 0): BufferGeometry {
    return at(
      pairs.flatMap(([a, b]) => [this.handles[a as number] as Vector3, this.handles[b as number] as Vector3]),
      pairs.length,
      since,
    );
  }

  private put(object: Mesh | LineSegments | Points): void {
    this.objects.push(object);
    this.space.add(object);
  }

  private clear(): void {
    for (const object of this.objects) {
      object.removeFromParent();
      object.geometry.dispose();
      (object.material as ShaderMaterial).dispose();
    }
    this.objects = [];
  }
}

/** Alternating starts and ends. */
function at(places: Vector3[], count: number, since = 0): BufferGeometry {
  const start = new Float32Array(3 * count);
  const end = new Float32Array(3 * count);
  for (let i = 0; i < count; i++) {
    (places[2 * i] as Vector3).toArray(start, 3 * i);
    (places[2 * i + 1] as Vector3).toArray(end, 3 * i);
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(start, 3));
  geometry.setAttribute("end", new BufferAttribute(end, 3));
  geometry.setAttribute("since", new BufferAttribute(new Float32Array(count).fill(since), 1));
  return geometry;
}
