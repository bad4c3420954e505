// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the libtoi authors

// The page's side of a worker: calls in a queue, progress by messages, cancelling by ending the worker.
//
// Promise: every promise that run() gives ends. A worker that ends by itself, such as one that the browser refuses more
// memory, fails the call under way and no other; the next one starts a new worker.

import { ToiError } from "./error.js";
import { Records } from "./layout.js";

// A worker of the browser or of node, behind the same few functions.
async function begin(create, heard, failed) {
  if (create || typeof Worker !== "undefined") {
    const made = create ? await create() : new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    made.onmessage = ({ data }) => heard(data);
    made.onerror = (event) => failed(event?.message ?? "it cannot be started");
    made.onmessageerror = () => failed("a message could not be read");
    return made;
  }
  const threads = "node:worker_threads";
  const node = await import(threads);
  const made = new node.Worker(new URL("./worker.js", import.meta.url));
  made.on("message", heard);
  made.on("error", (error) => failed(error.message));
  made.on("exit", () => failed("it ended"));
  return made;
}

class ToiWorker {
  #options;
  #worker = null;
  #queue = [];
  #running = null;
  #ended = false;
  #next = 1;

  constructor(options) {
    this.#options = options;
  }

  run(job, args = [], { progress, signal } = {}) {
    return new Promise((resolve, reject) => {
      if (this.#ended) throw new ToiError("cancelled", "this worker was ended");
      if (signal?.aborted) throw new ToiError("cancelled", "cancelled before it began");
      const call = { id: this.#next++, job, args, progress, signal, resolve, reject };
      call.abort = () => this.#abort(call);
      signal?.addEventListener("abort", call.abort, { once: true });
      this.#queue.push(call);
      this.#go();
    });
  }

  end() {
    this.#ended = true;
    this.#stop();
    const calls = [this.#running, ...this.#queue.splice(0)].filter(Boolean);
    this.#running = null;
    for (const call of calls) this.#fail(call, new ToiError("cancelled", "this worker was ended"));
  }

  #stop() {
    const worker = this.#worker;
    this.#worker = null;
    worker?.then((made) => made.terminate(), () => {});
  }

  #fail(call, error) {
    call.signal?.removeEventListener("abort", call.abort);
    call.reject(error);
  }

  #abort(call) {
    if (call === this.#running) {
      this.#running = null;
      this.#stop();
    } else {
      this.#queue.splice(this.#queue.indexOf(call), 1);
    }
    this.#fail(call, new ToiError("cancelled", "cancelled"));
    this.#go();
  }

  // The worker, started where there is none; what an ended one says is not listened to.
  #started() {
    if (this.#worker) return this.#worker;
    const { create, ...setup } = this.#options;
    const worker = begin(
      create,
      (message) => worker === this.#worker && this.#hear(message),
      (reason) => worker === this.#worker && this.#lose(reason),
    ).then((made) => {
      made.postMessage({ setup });
      return made;
    });
    this.#worker = worker;
    return worker;
  }

  async #go() {
    if (this.#running || this.#queue.length === 0 || this.#ended) return;
    const call = this.#queue.shift();
    this.#running = call;
    try {
      const worker = await this.#started();
      if (this.#running === call) worker.postMessage({ id: call.id, job: call.job, args: call.args });
    } catch (error) {
      // A worker that cannot be made, or arguments that cannot be sent, such as functions.
      if (this.#running !== call) return;
      this.#running = null;
      this.#fail(call, new ToiError("input", `the worker cannot be asked: ${error.message}`));
      this.#go();
    }
  }

  #hear({ id, progress, result, filled, error }) {
    const call = this.#running;
    if (call?.id !== id) return;
    if (progress !== undefined) {
      call.progress?.(progress);
      return;
    }
    this.#running = null;
    if (error) {
      this.#fail(call, new ToiError(error.status, error.message));
    } else {
      call.signal?.removeEventListener("abort", call.abort);
      this.#fill(call.args, filled);
      call.resolve(result.records ? Records.received(result.records) : result.value);
    }
    this.#go();
  }

  // What the call counted, in the objects that were given for it.
  #fill(args, filled) {
    const options = args.find((one) => one && typeof one === "object" && (one.work || one.counters));
    for (const name of ["work", "counters"]) if (options?.[name] && filled?.[name]) Object.assign(options[name], filled[name]);
  }

  #lose(reason) {
    const call = this.#running;
    this.#running = null;
    this.#stop();
    if (call) this.#fail(call, new ToiError("memory", `the worker ended: ${reason}; ask for less at a time`));
    this.#go();
  }
}

export function startWorker(options = {}) {
  return new ToiWorker(options);
}
