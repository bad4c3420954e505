// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the libtoi authors

// Files that were dropped or opened: which of them make an input, and their contents through the library's readers, so
// that a bad file gets the library's own sentence.

import type { Frame } from "libtoi";
import type { CurvedInput } from "./curvedview";
import { library, meshWorker } from "./engine";
import type { MeshModel } from "./meshlayer";
import { byNumber } from "./names";

export type Input = { mesh: MeshModel } | { curved: CurvedInput };

const MESH = /\.(ply|obj)(\.gz)?$/i;
const SCENE = /\.json$/i;
const CASES = /\.jsonl$/i;

async function bytes(file: File): Promise<Uint8Array> {
  return new Uint8Array(await file.arrayBuffer());
}

export async function openFiles(files: File[]): Promise<Input> {
  const meshes = files.filter((file) => MESH.test(file.name)).sort((a, b) => byNumber(a.name, b.name));
  if (meshes.length) return { mesh: await openMeshes(meshes) };
  const cases = files.find((file) => CASES.test(file.name));
  if (cases) return { curved: { kind: "cases", name: cases.name, text: await bytes(cases), files: {} } };
  const scenes = files.filter((file) => SCENE.test(file.name));
  if (scenes.length) return { curved: await openScene(scenes) };
  throw new Error(
    `${files.map((file) => file.name).join(", ") || "nothing"}: not a mesh (.ply, .obj), a scene (.json) or cases (.jsonl); open one of these`,
  );
}

/** The scene is the one with bodies; the others are files that it names. */
async function openScene(files: File[]): Promise<CurvedInput> {
  const texts = await Promise.all(files.map(async (file) => ({ name: file.name, text: await bytes(file) })));
  const isScene = (text: Uint8Array) => new TextDecoder().decode(text).includes('"bodies"');
  const scene = texts.find(({ text }) => isScene(text)) ?? texts[0];
  if (!scene) throw new Error("no scene: open one .json file");
  const others = Object.fromEntries(texts.filter((x) => x !== scene).map((x) => [x.name, x.text]));
  return { kind: "contact", name: scene.name, text: scene.text, files: others };
}

async function openMeshes(files: File[]): Promise<MeshModel> {
  const worker = await meshWorker();
  const frames: Frame[] = [];
  for (const file of files) frames.push(await worker.run("readFrame", [await bytes(file), file.name]));
  const names = files.map((file) => file.name);
  return modelOf(frames, names);
}

/** Frames of one connectivity, in the words of `toi step`. */
export async function modelOf(frames: Frame[], names: string[]): Promise<MeshModel> {
  const first = frames[0] as Frame;
  frames.forEach((frame, i) => {
    if (frame.vertices.length !== first.vertices.length)
      throw new Error(
        `${names[i]}: ${frame.vertices.length / 3} vertices, but ${names[0]} has ${first.vertices.length / 3}; use two states of one mesh`,
      );
    if (!same(frame.faces, first.faces) || !same(frame.loose, first.loose))
      throw new Error(`${names[i]}: its faces or edges are not those of ${names[0]}; use two states of one mesh`);
  });
  const double = frames.some((frame) => frame.vertices instanceof Float64Array);
  const toi = await library();
  return {
    title: names.join(" → "),
    frames: frames.map((frame) => (double ? Float64Array.from(frame.vertices) : (frame.vertices as Float32Array))),
    frameNames: names,
    faces: first.faces,
    edges: toi.meshEdges(first.faces, first.loose),
    loose: first.loose,
    halfSpaces: [],
  };
}

function same(a: Uint32Array, b: Uint32Array): boolean {
  return a.length === b.length && a.every((x, i) => x === b[i]);
}
