// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the libtoi authors

import assert from "node:assert/strict";
import test from "node:test";
import { gzipSync } from "node:zlib";
import { fromBase64, inflate, readContents } from "../src/container";
import { encodeArray, join, pageWith, section, stream, words } from "./encode";

const HEADER = { format: "toi-view", version: 1, toi: "0", view: "step", title: "a -> b" };
const A = Float64Array.of(0, -0, 1.5, 5e-324, -1e308, 0.1, 1 / 3, -7, 2 ** -1074, 1e300, -1, 3);
const B = A.map((x) => x * 1.0000001 - 0.25);

function bits(a: Float64Array | Float32Array): number[] {
  return [...new Uint8Array(a.buffer, a.byteOffset, a.byteLength)];
}

test("frames_come_back_to_the_bit", () => {
  for (const make of [(x: Float64Array) => x, (x: Float64Array) => Float32Array.from(x)]) {
    const [a, b] = [make(A), make(B)];
    const data = stream(
      [section("VERT", 0, encodeArray(a, 1, 3)), section("VERT", 1, encodeArray(b, 2, 3, a))],
      HEADER,
    );
    const { frames } = readContents(data);
    assert.deepEqual(bits(frames[0] as Float64Array), bits(a));
    assert.deepEqual(bits(frames[1] as Float64Array), bits(b));
  }
});

test("random_arrays_come_back_by_every_predictor", () => {
  let seed = 1;
  const random = () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return seed;
  };
  for (let round = 0; round < 50; round++) {
    const faces = Uint32Array.from({ length: 3 * (round + 1) }, () => (round % 2 ? random() : random() % 100));
    const data = stream(
      [
        section("FACE", 0, encodeArray(faces, round % 3 ? 1 : 0, 3)),
        section("EDGE", 0, encodeArray(faces.slice(0, 2), 1, 2)),
      ],
      HEADER,
    );
    assert.deepEqual(readContents(data).faces, faces);
  }
});

function contacts(rows: number, step: number, short: boolean, at: number): Uint8Array {
  const bytes = (x: number) => encodeArray(new Uint8Array(rows).fill(x));
  const t = Float64Array.from({ length: rows }, (_, i) => (i + at) / 7);
  const number = Uint32Array.from({ length: rows }, (_, i) => i * 3 + at);
  const head = [
    words(rows, step),
    bytes(1),
    bytes(1),
    bytes(3),
    bytes(0),
    encodeArray(number, 1),
    encodeArray(number, 1),
    encodeArray(t),
  ];
  if (short) return join(...head);
  const more = t.map((x) => x + 1e-16);
  return join(
    ...head,
    encodeArray(more, 2, 1, t),
    encodeArray(t, 2, 1, t),
    ...Array.from({ length: 10 }, (_, k) => encodeArray(t.map((x) => x + k))),
  );
}

test("chunks_of_contacts_are_joined_by_step", () => {
  const data = stream(
    [
      section("CONT", 0, contacts(3, 0, false, 0)),
      section("CONT", 1, contacts(2, 0, false, 3)),
      section("CONT", 2, contacts(1, 4, false, 0)),
    ],
    HEADER,
  );
  const { contacts: found } = readContents(data);
  assert.deepEqual([...found.keys()], [0, 4]);
  const c = found.get(0);
  assert.ok(c?.complete);
  assert.deepEqual(
    [...(c?.tLo ?? [])],
    [0, 1, 2, 3, 4].map((i) => i / 7),
  );
  assert.deepEqual([...(c?.first ?? [])], [0, 3, 6, 3, 6]);
  assert.equal(c?.point[3 * 4], 4 / 7 + 2);
  assert.equal(c?.normal[3 * 4 + 2], 4 / 7 + 7);
});

test("short_rows_say_that_they_are_short", () => {
  const { contacts: found } = readContents(stream([section("PAIR", 0, contacts(5, 1, true, 0))], HEADER));
  assert.equal(found.get(1)?.complete, false);
  assert.equal(found.get(1)?.tLo[4], 4 / 7);
});

test("crossings_files_and_unknown_sections", () => {
  const cros = join(
    words(2, 0),
    encodeArray(Uint8Array.of(8, 1)),
    encodeArray(Uint8Array.of(0, 0)),
    encodeArray(Uint32Array.of(5, 6)),
    encodeArray(Uint32Array.of(7, 8)),
  );
  const file = new TextEncoder().encode('{"title": "<script>"}');
  const found = readContents(
    stream([section("????", 0, words(1, 2, 3)), section("CROS", 0, cros), section("FILE", 0, file)], HEADER),
  );
  assert.deepEqual([...(found.crossings.get(0)?.first ?? [])], [5, 6]);
  assert.deepEqual(found.files[0], file);
});

test("damaged_data_are_refused_with_a_sentence", () => {
  const data = stream([section("VERT", 0, encodeArray(A, 1, 3)), section("CONT", 0, contacts(3, 0, false, 0))], HEADER);
  assert.throws(() => readContents(data.slice(0, 4)), /known format/);
  for (let cut = 9; cut < data.length - 8; cut += 7)
    assert.throws(() => readContents(data.slice(0, cut)), Error, `cut at ${cut}`);
  assert.throws(() => readContents(stream([], { ...HEADER, version: 2 })), /version 2/);
  assert.throws(() => readContents(stream([], { ...HEADER, format: "x" })), /no header/);
  assert.throws(() => readContents(stream([section("VERT", 0, encodeArray(B, 2, 3, A))], HEADER)), /not there/);
});

test("a_page_holds_its_data_as_base64_of_gzip", async () => {
  const data = stream([section("VERT", 0, encodeArray(A, 1, 3))], {
    ...HEADER,
    title: "</script><script>alert(1)</script>",
  });
  const page = pageWith('<script id="toi-data" type="text/plain"></script>', data);
  const text = /plain">([^<]*)<\/script>$/.exec(page)?.[1] ?? "";
  assert.equal(text, gzipSync(data).toString("base64"));
  assert.equal(readContents(await inflate(fromBase64(text))).header.title, "</script><script>alert(1)</script>");
});
