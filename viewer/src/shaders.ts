// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the libtoi authors

// Everything drawn moves on straight lines: two positions per vertex and the time as a uniform, so that moving the
// slider uploads nothing. Colours are written as they are shown.

import { DoubleSide, ShaderMaterial, type ShaderMaterialParameters } from "three";

/** Shared by all materials: one number moves the whole scene. */
export const clock = { t: { value: 0 }, pixelRatio: { value: 1 } };

const MOVE = `
uniform float t;
attribute vec3 end;
vec3 moved() { return mix(position, end, t); }
`;

function material(vertex: string, fragment: string, parameters: ShaderMaterialParameters): ShaderMaterial {
  return new ShaderMaterial({
    vertexShader: MOVE + vertex,
    fragmentShader: fragment,
    ...parameters,
    uniforms: { t: clock.t, pixelRatio: clock.pixelRatio, ...parameters.uniforms },
  });
}

/** Flat shading from the derivatives of the position: no normals, no second copy of a vertex. A vertex turns into the
 * colour `marked` when the time reaches its `since`, and has the colour `bad` where it is `crossed`. */
export function surfaceMaterial(marked: [number, number, number], bad: [number, number, number]): ShaderMaterial {
  return material(
    `
    attribute vec3 tint;
    attribute float since;
    attribute float crossed;
    uniform vec3 marked;
    uniform vec3 bad;
    uniform float marking;
    uniform float crossing;
    varying vec3 place;
    varying vec3 shade;
    void main() {
      vec4 seen = modelViewMatrix * vec4(moved(), 1.0);
      place = seen.xyz;
      shade = mix(mix(tint, marked, marking * step(since, t)), bad, crossing * crossed);
      gl_Position = projectionMatrix * seen;
    }`,
    `
    uniform float lit;
    varying vec3 place;
    varying vec3 shade;
    void main() {
      vec3 n = normalize(cross(dFdx(place), dFdy(place)));
      float key = max(dot(n, vec3(0.37, 0.56, 0.742)), 0.0);
      float fill = max(dot(n, vec3(-0.62, -0.1, 0.778)), 0.0);
      float light = 0.38 + 0.55 * key + 0.2 * fill;
      gl_FragColor = vec4(shade * mix(1.0, light, lit), 1.0);
    }`,
    {
      side: DoubleSide,
      polygonOffset: true,
      polygonOffsetFactor: 1,
      polygonOffsetUnits: 1,
      uniforms: {
        lit: { value: 1 },
        marked: { value: marked },
        bad: { value: bad },
        marking: { value: 1 },
        crossing: { value: 1 },
      },
    },
  );
}

/** What is marked: a colour that comes on when the time reaches `since`. */
export function highlightMaterial(
  color: [number, number, number],
  parameters: ShaderMaterialParameters = {},
): ShaderMaterial {
  return material(
    `
    attribute float since;
    varying vec3 place;
    varying float on;
    void main() {
      vec4 seen = modelViewMatrix * vec4(moved(), 1.0);
      place = seen.xyz;
      on = step(since, t);
      gl_Position = projectionMatrix * seen;
    }`,
    `
    uniform vec3 color;
    uniform float lit;
    uniform float strength;
    varying vec3 place;
    varying float on;
    void main() {
      vec3 n = normalize(cross(dFdx(place), dFdy(place)));
      float light = mix(1.0, 0.55 + 0.5 * abs(n.z), lit);
      gl_FragColor = vec4(color * light, strength * mix(0.3, 1.0, on));
    }`,
    {
      side: DoubleSide,
      transparent: true,
      polygonOffset: true,
      polygonOffsetFactor: -0.5,
      polygonOffsetUnits: -1,
      ...parameters,
      uniforms: { color: { value: color }, lit: { value: 1 }, strength: { value: 1 } },
    },
  );
}

/** Lines of one colour; with `timed` they come when the time reaches `since`. */
export function lineMaterial(color: [number, number, number], opacity: number, timed = false): ShaderMaterial {
  return material(
    `
    ${timed ? "attribute float since;" : ""}
    void main() {
      vec4 seen = modelViewMatrix * vec4(moved(), 1.0);
      seen.xyz *= 0.9995;
      gl_Position = projectionMatrix * seen;
      ${timed ? "if (since > t) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);" : ""}
    }`,
    `
    uniform vec3 color;
    uniform float opacity;
    void main() { gl_FragColor = vec4(color, opacity); }`,
    { transparent: true, depthWrite: false, uniforms: { color: { value: color }, opacity: { value: opacity } } },
  );
}

/** Round points of a size in pixels, with a rim; paler before their time. */
export function pointMaterial(color: [number, number, number], size: number, over: boolean): ShaderMaterial {
  const rim = size > 6 ? 0.68 : 2;
  return material(
    `
    attribute float since;
    uniform float size;
    uniform float pixelRatio;
    varying float on;
    void main() {
      vec4 seen = modelViewMatrix * vec4(moved(), 1.0);
      seen.xyz *= 0.999;
      on = step(since, t);
      gl_PointSize = size * pixelRatio * mix(0.7, 1.0, on);
      gl_Position = projectionMatrix * seen;
    }`,
    `
    uniform vec3 color;
    uniform vec3 rim;
    uniform float inner;
    varying float on;
    void main() {
      float r = length(gl_PointCoord - 0.5) * 2.0;
      if (r > 1.0) discard;
      vec3 seen = r > inner ? rim : color;
      gl_FragColor = vec4(seen, mix(0.55, 1.0, on));
    }`,
    {
      transparent: true,
      depthTest: !over,
      depthWrite: false,
      uniforms: { color: { value: color }, rim: { value: [1, 1, 1] }, inner: { value: rim }, size: { value: size } },
    },
  );
}

/** Curved surfaces: normals come with the samples; where there is none, the triangle's own. */
export function smoothMaterial(color: [number, number, number]): ShaderMaterial {
  return material(
    `
    attribute vec3 endNormal;
    varying vec3 place;
    varying vec3 across;
    void main() {
      vec4 seen = modelViewMatrix * vec4(moved(), 1.0);
      place = seen.xyz;
      across = normalMatrix * mix(normal, endNormal, t);
      gl_Position = projectionMatrix * seen;
    }`,
    `
    uniform vec3 color;
    uniform float lit;
    varying vec3 place;
    varying vec3 across;
    void main() {
      vec3 n = dot(across, across) > 0.04 ? normalize(across) : normalize(cross(dFdx(place), dFdy(place)));
      if (dot(n, place) > 0.0) n = -n;
      float key = max(dot(n, vec3(0.37, 0.56, 0.742)), 0.0);
      float fill = max(dot(n, vec3(-0.62, -0.1, 0.778)), 0.0);
      float gleam = pow(max(dot(n, vec3(0.2, 0.32, 0.926)), 0.0), 40.0);
      vec3 seen = color * (0.36 + 0.58 * key + 0.18 * fill) + 0.16 * gleam;
      gl_FragColor = vec4(mix(color, seen, lit), 1.0);
    }`,
    { side: DoubleSide, uniforms: { color: { value: color }, lit: { value: 1 } } },
  );
}
