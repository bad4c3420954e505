// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the libtoi authors

// The same triangles as a page, drawn by three.js as its manual shows: one mesh that morphs from start to end, flat
// shaded, one light. What the viewer's drawing is held against.

import {
  AmbientLight,
  BufferAttribute,
  BufferGeometry,
  DirectionalLight,
  Float32BufferAttribute,
  Mesh,
  MeshLambertMaterial,
  PerspectiveCamera,
  Scene,
  WebGLRenderer,
} from "three";
import { fromBase64, inflate, readContents } from "../src/container";

async function begin() {
  const { frames, faces } = readContents(await inflate(fromBase64(document.getElementById("data").textContent)));
  const renderer = new WebGLRenderer({ antialias: false });
  renderer.setSize(innerWidth, innerHeight);
  document.body.append(renderer.domElement);
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new Float32BufferAttribute(frames[0], 3));
  geometry.morphAttributes.position = [new Float32BufferAttribute(frames[1], 3)];
  geometry.setIndex(new BufferAttribute(faces, 1));
  geometry.computeBoundingSphere();
  const { center, radius } = geometry.boundingSphere;
  const mesh = new Mesh(geometry, new MeshLambertMaterial({ color: 0x9fb0c7, flatShading: true }));
  mesh.morphTargetInfluences = [0];
  const scene = new Scene();
  const light = new DirectionalLight(0xffffff, 2);
  light.position.set(1, 2, 3);
  scene.add(mesh, light, new AmbientLight(0xffffff, 1));
  const camera = new PerspectiveCamera(38, innerWidth / innerHeight, radius / 50, radius * 8);
  camera.position.set(center.x + radius * 1.6, center.y + radius, center.z + radius * 2.2);
  camera.lookAt(center);
  const gl = renderer.getContext();
  window.toiMove = (t) => {
    mesh.morphTargetInfluences[0] = t;
    renderer.render(scene, camera);
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
  };
}

begin();
