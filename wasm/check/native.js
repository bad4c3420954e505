// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the libtoi authors

// The native library through a pipe: answers.c is the other end.

import { spawn } from "node:child_process";

const BATCH = 0;
const READ = 1;
const kinds = { vf: 0, ee: 1, ve: 2, vv: 3 };

export class Native {
  #process;
  #chunks = [];
  #held = 0;
  #waiting = null;

  constructor(program) {
    this.#process = spawn(program, { stdio: ["pipe", "pipe", "inherit"] });
    this.#process.stdout.on("data", (chunk) => {
      this.#chunks.push(chunk);
      this.#held += chunk.length;
      this.#wake();
    });
    this.#process.on("exit", (code) => code && this.#waiting?.reject(new Error(`${program} ended with ${code}`)));
  }

  #wake() {
    if (!this.#waiting || this.#held < this.#waiting.bytes) return;
    const { bytes, resolve } = this.#waiting;
    this.#waiting = null;
    const all = Buffer.concat(this.#chunks);
    this.#chunks = [all.subarray(bytes)];
    this.#held -= bytes;
    resolve(all.subarray(0, bytes));
  }

  #take(bytes) {
    return new Promise((resolve, reject) => {
      this.#waiting = { bytes, resolve, reject };
      this.#wake();
    });
  }

  async #ask(verb, kind, count, options, bytes) {
    const request = Buffer.alloc(80);
    request.writeUInt32LE(verb, 0);
    request.writeUInt32LE(kind, 4);
    request.writeUInt32LE(count, 8);
    request.writeUInt32LE(options.norm === "linf" ? 1 : 0, 12);
    request.writeDoubleLE(options.tolerance ?? 1e-6, 16);
    request.writeDoubleLE(options.tMax ?? 1, 24);
    request.writeDoubleLE(options.minSeparation ?? 0, 32);
    request.writeDoubleLE(options.separationFraction ?? 0, 40);
    request.write(options.method ?? "certified", 48, "latin1");
    this.#process.stdin.write(request);
    this.#process.stdin.write(bytes);
    const reply = await this.#take(16);
    const status = reply.readUInt32LE(0);
    const ns = reply.readDoubleLE(8);
    const answer = await this.#take(reply.readUInt32LE(4));
    if (status !== 0) throw new Error(`the native library returned status ${status}`);
    return { ns, bytes: answer };
  }

  // The bytes of all hits, and how long the call took.
  batch(kind, queries, count, options = {}) {
    return this.#ask(BATCH, kinds[kind], count, options, Buffer.from(queries.buffer, queries.byteOffset, queries.byteLength));
  }

  // The queries of a file, as bytes.
  read(path) {
    const bytes = Buffer.from(path);
    return this.#ask(READ, 0, bytes.length, {}, bytes);
  }

  end() {
    this.#process.stdin.end();
  }
}
