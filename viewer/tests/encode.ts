// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the libtoi authors

// The other side of src/container.ts, for tests: written from the description of the format, with big integers, so that
// the two do not share their arithmetic.

import { gzipSync } from "node:zlib";

export type Numbers = Uint8Array | Uint32Array | Float32Array | Float64Array;

/** Bit patterns of the elements. */
function patterns(a: Numbers): bigint[] {
  const view = new DataView(a.buffer, a.byteOffset, a.byteLength);
  const width = a.BYTES_PER_ELEMENT;
  return Array.from({ length: a.length }, (_, i) =>
    width === 8
      ? view.getBigUint64(8 * i, true)
      : width === 4
        ? BigInt(view.getUint32(4 * i, true))
        : BigInt(view.getUint8(i)),
  );
}

/** predictor 0: none; 1: `components` before; 2: the reference. */
export function encodeArray(a: Numbers, predictor = 0, components = 1, reference?: Numbers): Uint8Array {
  const width = a.BYTES_PER_ELEMENT;
  const bits = 8 * width;
  const x = patterns(a);
  const p = reference ? patterns(reference) : [];
  const coded = x.map((value, i) => {
    if (predictor === 0) return value;
    const predicted = predictor === 2 ? (p[i] as bigint) : i >= components ? (x[i - components] as bigint) : 0n;
    const d = BigInt.asIntN(bits, value - predicted);
    return BigInt.asUintN(bits, (d << 1n) ^ (d >> BigInt(bits - 1)));
  });
  const size = width * x.length;
  const out = new Uint8Array(16 + size + ((8 - (size % 8)) % 8));
  const view = new DataView(out.buffer);
  view.setUint8(0, width);
  view.setUint8(1, predictor);
  view.setUint16(2, components, true);
  view.setBigUint64(8, BigInt(x.length), true);
  coded.forEach((value, i) => {
    for (let plane = 0; plane < width; plane++)
      out[16 + plane * x.length + i] = Number((value >> BigInt(8 * plane)) & 255n);
  });
  return out;
}

export function join(...parts: Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts));
}

export function words(...values: number[]): Uint8Array {
  return new Uint8Array(Uint32Array.from(values).buffer);
}

export function section(tag: string, number: number, payload: Uint8Array): Uint8Array {
  const out = new Uint8Array(16 + payload.length + ((8 - (payload.length % 8)) % 8));
  const view = new DataView(out.buffer);
  for (let i = 0; i < 4; i++) out[i] = tag.charCodeAt(i);
  view.setUint32(4, number, true);
  view.setBigUint64(8, BigInt(payload.length), true);
  out.set(payload, 16);
  return out;
}

export function stream(sections: Uint8Array[], header: unknown): Uint8Array {
  const json = new TextEncoder().encode(JSON.stringify(header));
  return join(new TextEncoder().encode("TOIVIEW1"), ...sections, section("JSON", 0, json));
}

/** A page with data, as `toi view` writes it. */
export function pageWith(page: string, data: Uint8Array): string {
  const place = '<script id="toi-data" type="text/plain">';
  return page.replace(place, () => place + gzipSync(data).toString("base64"));
}
