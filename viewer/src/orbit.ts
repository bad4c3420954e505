// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the libtoi authors

// The camera turns about a target, by mouse, touch and keyboard. Everything is a function of five numbers and an up
// axis, so that a link can restore it.

import { type PerspectiveCamera, Vector3 } from "three";

export type UpAxis = "y" | "z";

interface View {
  target: Vector3;
  distance: number;
  yaw: number;
  pitch: number;
}

const CLOSEST = 1e-4;
const FARTHEST = 50;
const PITCH_LIMIT = Math.PI / 2 - 0.01;
const FLIGHT_MS = 450;

export class Orbit {
  readonly view: View = { target: new Vector3(), distance: 3, yaw: 0.6, pitch: 0.35 };
  up: UpAxis = "y";
  private flight: { from: View; to: View; began: number } | null = null;
  private pointers = new Map<number, { x: number; y: number }>();
  /** Asked first when a pointer goes down; true: the drag is not the camera's. */
  intercept: (event: PointerEvent) => boolean = () => false;

  constructor(
    private readonly camera: PerspectiveCamera,
    private readonly element: HTMLElement,
    private readonly changed: () => void,
  ) {
    element.addEventListener("pointerdown", (e) => this.down(e));
    element.addEventListener("pointermove", (e) => this.move(e));
    for (const name of ["pointerup", "pointercancel"] as const)
      element.addEventListener(name, (e) => this.pointers.delete(e.pointerId));
    element.addEventListener("contextmenu", (e) => e.preventDefault());
    element.addEventListener("wheel", (e) => this.wheel(e), { passive: false });
  }

  /** Position and target, six numbers. */
  numbers(): number[] {
    return [...this.camera.position.toArray(), ...this.view.target.toArray()];
  }

  restore(numbers: number[]): void {
    const position = new Vector3().fromArray(numbers);
    this.view.target.fromArray(numbers, 3);
    const arm = this.swap(position.sub(this.view.target));
    this.view.distance = clamp(arm.length(), CLOSEST, FARTHEST);
    this.view.pitch = clamp(Math.asin(clamp(arm.y / (arm.length() || 1), -1, 1)), -PITCH_LIMIT, PITCH_LIMIT);
    this.view.yaw = Math.atan2(arm.x, arm.z);
    this.flight = null;
    this.changed();
  }

  turn(yaw: number, pitch: number): void {
    this.flight = null;
    this.view.yaw += yaw;
    this.view.pitch = clamp(this.view.pitch + pitch, -PITCH_LIMIT, PITCH_LIMIT);
    this.changed();
  }

  zoom(factor: number): void {
    this.flight = null;
    this.view.distance = clamp(this.view.distance * factor, CLOSEST, FARTHEST);
    this.changed();
  }

  /** Moves the target by pixels across the view. */
  pan(x: number, y: number): void {
    this.flight = null;
    const perPixel =
      (2 * this.view.distance * Math.tan((this.camera.fov * Math.PI) / 360)) / (this.element.clientHeight || 1);
    const right = new Vector3().setFromMatrixColumn(this.camera.matrix, 0);
    const above = new Vector3().setFromMatrixColumn(this.camera.matrix, 1);
    this.view.target.addScaledVector(right, -x * perPixel).addScaledVector(above, y * perPixel);
    this.changed();
  }

  /** Flies to a target, or is there at once where motion is not wanted. */
  fly(target: Vector3, distance: number, direction?: Vector3): void {
    const to: View = { ...this.view, target: target.clone(), distance: clamp(distance, CLOSEST, FARTHEST) };
    if (direction && direction.lengthSq() > 0) {
      const arm = this.swap(direction.clone().normalize());
      to.yaw = Math.atan2(arm.x, arm.z);
      to.pitch = clamp(Math.asin(clamp(arm.y, -1, 1)), -1.2, 1.2);
      while (to.yaw - this.view.yaw > Math.PI) to.yaw -= 2 * Math.PI;
      while (to.yaw - this.view.yaw < -Math.PI) to.yaw += 2 * Math.PI;
    }
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) {
      Object.assign(this.view, to);
    } else {
      this.flight = { from: { ...this.view, target: this.view.target.clone() }, to, began: performance.now() };
    }
    this.changed();
  }

  /** Places the camera; true while it is under way and wants another frame. */
  place(now: number): boolean {
    const view = this.view;
    if (this.flight) {
      const { from, to, began } = this.flight;
      const part = clamp((now - began) / FLIGHT_MS, 0, 1);
      const s = part * part * (3 - 2 * part);
      view.target.lerpVectors(from.target, to.target, s);
      view.distance = Math.exp(mix(Math.log(from.distance), Math.log(to.distance), s));
      view.yaw = mix(from.yaw, to.yaw, s);
      view.pitch = mix(from.pitch, to.pitch, s);
      if (part === 1) this.flight = null;
    }
    const flat = Math.cos(view.pitch);
    const arm = new Vector3(flat * Math.sin(view.yaw), Math.sin(view.pitch), flat * Math.cos(view.yaw));
    this.camera.up.set(0, this.up === "y" ? 1 : 0, this.up === "z" ? 1 : 0);
    this.camera.position.copy(view.target).addScaledVector(this.unswap(arm), view.distance);
    this.camera.near = view.distance * 0.02;
    this.camera.far = view.distance + 6;
    this.camera.lookAt(view.target);
    this.camera.updateProjectionMatrix();
    this.camera.updateMatrixWorld();
    return this.flight !== null;
  }

  private swap(v: Vector3): Vector3 {
    return this.up === "y" ? v : new Vector3(v.y, v.z, v.x);
  }

  private unswap(v: Vector3): Vector3 {
    return this.up === "y" ? v : new Vector3(v.z, v.x, v.y);
  }

  private down(event: PointerEvent): void {
    if (this.pointers.size === 0 && this.intercept(event)) return;
    this.element.setPointerCapture(event.pointerId);
    this.pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  }

  private move(event: PointerEvent): void {
    const last = this.pointers.get(event.pointerId);
    if (!last) return;
    const dx = event.clientX - last.x;
    const dy = event.clientY - last.y;
    if (this.pointers.size === 1) {
      if (event.buttons & 6 || event.shiftKey) this.pan(dx, dy);
      else this.turn(-dx * 0.008, dy * 0.008);
    } else {
      const other = [...this.pointers].find(([id]) => id !== event.pointerId)?.[1];
      if (other) {
        const before = Math.hypot(last.x - other.x, last.y - other.y);
        const after = Math.hypot(event.clientX - other.x, event.clientY - other.y);
        if (before > 0 && after > 0) this.zoom(before / after);
        this.pan(dx / 2, dy / 2);
      }
    }
    this.pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  }

  private wheel(event: WheelEvent): void {
    event.preventDefault();
    this.zoom(Math.exp(clamp(event.deltaY, -200, 200) * 0.0018));
  }
}

function clamp(x: number, lo: number, hi: number): number {
  return Math.min(hi, Math.max(lo, x));
}

function mix(a: number, b: number, s: number): number {
  return a + (b - a) * s;
}
