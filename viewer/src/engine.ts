// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the libtoi authors

// The library in this tab. Its modules lie in the page, gzipped in base64. Single queries are answered at once, here;
// whole meshes and contact searches by a worker, which can be ended. Nothing is fetched.

import { type Curved, load, loadCurved, startWorker, type Toi, ToiError, type ToiWorker } from "libtoi";
import workerSource from "virtual:worker";
import { fromBase64, inflate } from "./container";
import { byId } from "./ui";

async function bytesOf(id: string): Promise<Uint8Array> {
  return inflate(fromBase64(byId(id).textContent ?? ""));
}

let core: Promise<WebAssembly.Module> | null = null;
let curvedModule: Promise<WebAssembly.Module> | null = null;
let toi: Promise<Toi> | null = null;
let curved: Promise<Curved> | null = null;
let worker: ToiWorker | null = null;
let curvedWorker: ToiWorker | null = null;

/** A compiled module is kept, so that worker and page compile it once; a failure is not. */
function compiled(id: string): Promise<WebAssembly.Module> {
  return bytesOf(id).then((bytes) => WebAssembly.compile(bytes as BufferSource));
}

function coreModule(): Promise<WebAssembly.Module> {
  core ??= compiled("toi-core");
  return core;
}

export function library(): Promise<Toi> {
  toi ??= coreModule().then((module) => load({ module }));
  return toi;
}

export function curvedLibrary(): Promise<Curved> {
  curvedModule ??= compiled("toi-curved");
  curved ??= curvedModule.then((module) => loadCurved({ module }));
  return curved;
}

function create(): Worker {
  const url = URL.createObjectURL(new Blob([workerSource], { type: "text/javascript" }));
  const made = new Worker(url);
  URL.revokeObjectURL(url);
  return made;
}

let memoryBudget = 0;

/** How much the library may hold in the worker, in bytes; 0: its default. Ends what is under way. */
export function setMemoryBudget(bytes: number): void {
  if (bytes === memoryBudget) return;
  memoryBudget = bytes;
  worker?.end();
  curvedWorker?.end();
  worker = curvedWorker = null;
}

/** The worker for meshes. */
export async function meshWorker(): Promise<ToiWorker> {
  const module = await coreModule();
  worker ??= startWorker({ create, module, memoryBudget });
  return worker;
}

/** The worker for curved surfaces. */
export async function contactWorker(): Promise<ToiWorker> {
  curvedModule ??= compiled("toi-curved");
  const [module, curvedReady] = [await coreModule(), await curvedModule];
  curvedWorker ??= startWorker({ create, module, curvedModule: curvedReady, memoryBudget });
  return curvedWorker;
}

/** What to show of a failure: the library's own sentence. */
export function sentence(error: unknown): string {
  if (error instanceof ToiError) return error.message;
  if (error instanceof RangeError || (error instanceof WebAssembly.RuntimeError && /memory/i.test(error.message)))
    return `out of memory in this tab: ${error.message}; use smaller meshes, or the command toi`;
  return error instanceof Error ? error.message : String(error);
}

export function cancelled(error: unknown): boolean {
  return error instanceof ToiError && error.status === "cancelled";
}
