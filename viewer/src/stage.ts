// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the libtoi authors

// The canvas: a camera, a scene, and frames drawn only when something changed. Where there is no WebGL the stage says
// so in one line, and everything else of the page works on.

import { ColorManagement, Group, type Object3D, PerspectiveCamera, Scene, Vector3, WebGLRenderer } from "three";
import { Orbit, type UpAxis } from "./orbit";
import { clock } from "./shaders";

ColorManagement.enabled = false;

/** Coordinates as drawn: recentred in double precision and scaled to a ball of radius 1, so that floats suffice for
 * the eye wherever and however large the scene is. */
export interface Frame {
  centre: [number, number, number];
  scale: number;
}

/** One of the things the stage can show, with its own coordinates and its own view of them. */
export class Space {
  readonly group = new Group();
  frame: Frame = { centre: [0, 0, 0], scale: 1 };
  up: UpAxis = "y";
  camera: number[] | null = null;
  /** Room around the ball that holds all of it. */
  margin = 1;

  constructor(readonly stage: Stage) {
    this.group.visible = false;
    stage.scene.add(this.group);
  }

  /** From coordinates of the data to those of the picture. */
  place(x: number, y: number, z: number): Vector3 {
    const { centre, scale } = this.frame;
    return new Vector3((x - centre[0]) * scale, (y - centre[1]) * scale, (z - centre[2]) * scale);
  }

  /** And back. */
  unplace(v: Vector3): [number, number, number] {
    const { centre, scale } = this.frame;
    return [v.x / scale + centre[0], v.y / scale + centre[1], v.z / scale + centre[2]];
  }

  add(...objects: Object3D[]): void {
    for (const object of objects) {
      object.frustumCulled = false;
      this.group.add(object);
    }
  }

  draw(): void {
    this.stage.draw();
  }
}

export class Stage {
  readonly canvas: HTMLCanvasElement;
  readonly camera = new PerspectiveCamera(38, 1, 0.01, 10);
  readonly scene = new Scene();
  readonly orbit: Orbit;
  space: Space | null = null;
  onCamera: () => void = () => {};
  /** Frames drawn so far. */
  drawn = 0;
  private renderer: WebGLRenderer | null = null;
  private asked = false;
  private lost = false;

  constructor(private readonly host: HTMLElement) {
    this.canvas = document.createElement("canvas");
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute("role", "application");
    this.canvas.setAttribute(
      "aria-label",
      "Three-dimensional view. Arrow keys rotate, plus and minus zoom, F fits, space plays.",
    );
    host.prepend(this.canvas);
    this.orbit = new Orbit(this.camera, this.canvas, () => {
      this.onCamera();
      this.draw();
    });
    try {
      this.begin();
    } catch {
      this.canvas.hidden = true;
      host.classList.add("without-webgl");
    }
    new ResizeObserver(() => this.resize()).observe(host);
    this.resize();
  }

  get available(): boolean {
    return this.renderer !== null;
  }

  /** Shows one space; its camera is as it was left. */
  show(space: Space): void {
    if (this.space === space) return;
    if (this.space) {
      this.space.group.visible = false;
      this.space.camera = this.orbit.numbers();
    }
    this.space = space;
    space.group.visible = true;
    this.orbit.up = space.up;
    if (space.camera) this.orbit.restore(space.camera);
    else this.fit(false);
    this.draw();
  }

  setTime(t: number): void {
    clock.t.value = t;
    this.draw();
  }

  setBackground(color: number): void {
    this.renderer?.setClearColor(color);
    this.draw();
  }

  /** The whole scene in view. */
  fit(fly = true): void {
    const narrow = Math.min(1, this.camera.aspect);
    const margin = 0.98 * (this.space?.margin ?? 1);
    const distance = margin / Math.sin((this.camera.fov * Math.PI) / 360) / narrow;
    if (fly) this.orbit.fly(new Vector3(), distance);
    else {
      this.orbit.view.target.set(0, 0, 0);
      this.orbit.view.distance = distance;
      this.draw();
    }
  }

  draw(): void {
    if (this.asked || !this.renderer) return;
    this.asked = true;
    requestAnimationFrame((now) => {
      this.asked = false;
      this.drawNow(now);
    });
  }

  /** Draws at once; with `finish`, returns when the pixels are there. */
  drawNow(now: number, finish = false): void {
    if (!this.renderer || this.lost) return;
    const underway = this.orbit.place(now);
    this.renderer.render(this.scene, this.camera);
    if (finish) {
      const gl = this.renderer.getContext();
      gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
    }
    this.drawn++;
    if (underway) this.draw();
  }

  /** Where a drawn point is on the canvas, in CSS pixels; depth in [-1, 1]. */
  project(v: Vector3): { x: number; y: number; depth: number } {
    const p = v.clone().project(this.camera);
    return { x: ((p.x + 1) / 2) * this.canvas.clientWidth, y: ((1 - p.y) / 2) * this.canvas.clientHeight, depth: p.z };
  }

  /** The point under the pointer in the plane through `through` that faces the camera. */
  under(clientX: number, clientY: number, through: Vector3): Vector3 {
    const box = this.canvas.getBoundingClientRect();
    const depth = through.clone().project(this.camera).z;
    const x = ((clientX - box.left) / box.width) * 2 - 1;
    return new Vector3(x, 1 - ((clientY - box.top) / box.height) * 2, depth).unproject(this.camera);
  }

  private begin(): void {
    const software = rendersInSoftware();
    this.renderer = new WebGLRenderer({
      canvas: this.canvas,
      antialias: !software,
      powerPreference: "high-performance",
    });
    clock.pixelRatio.value = software ? 1 : Math.min(devicePixelRatio || 1, 2);
    this.renderer.setPixelRatio(clock.pixelRatio.value);
    this.canvas.addEventListener("webglcontextlost", (event) => {
      event.preventDefault();
      this.lost = true;
    });
    this.canvas.addEventListener("webglcontextrestored", () => {
      this.lost = false;
      this.draw();
    });
  }

  private resize(): void {
    const width = this.host.clientWidth || 1;
    const height = this.host.clientHeight || 1;
    this.camera.aspect = width / height;
    this.renderer?.setSize(width, height, false);
    this.draw();
  }
}

/** Whether triangles are drawn by the processor: then no pixel is drawn four times over. */
function rendersInSoftware(): boolean {
  const gl = document.createElement("canvas").getContext("webgl2");
  if (!gl) throw new Error("no WebGL");
  const info = gl.getExtension("WEBGL_debug_renderer_info");
  const name = String(gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER));
  gl.getExtension("WEBGL_lose_context")?.loseContext();
  return /swiftshader|llvmpipe|software/i.test(name);
}
