// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the libtoi authors

import assert from "node:assert/strict";
import test from "node:test";
import { brief, digits17, grouped, hexFloat, parseNumber } from "../src/number";

/** Doubles of every exponent, from their bits. */
function* doubles(count: number): Generator<number> {
  let seed = 0x2545f491;
  const view = new DataView(new ArrayBuffer(8));
  const next = () => {
    seed ^= seed << 13;
    seed ^= seed >>> 17;
    seed ^= seed << 5;
    return seed >>> 0;
  };
  for (let i = 0; i < count; ) {
    view.setUint32(0, next());
    view.setUint32(4, next());
    const x = view.getFloat64(0);
    if (!Number.isFinite(x)) continue;
    i++;
    yield x;
  }
}

const CORNERS = [
  0,
  -0,
  1,
  -1,
  0.1,
  0.5,
  1 / 3,
  5e-324,
  -5e-324,
  2.2250738585072014e-308,
  2.225073858507201e-308,
  1.7976931348623157e308,
  2 ** 53,
  1e16,
  123456789012345680,
  1e17,
  1e21,
  1e-4,
  1e-5,
  9.999999999999999e-5,
];

test("texts_give_the_same_double_back", () => {
  for (const x of [...CORNERS, ...doubles(20000)]) {
    assert.ok(Object.is(parseNumber(digits17(x)), x), `${x} as ${digits17(x)}`);
    assert.ok(Object.is(parseNumber(hexFloat(x)), x), `${x} as ${hexFloat(x)}`);
  }
});

test("numbers_read_as_c_prints_them", () => {
  assert.equal(digits17(0.1), "0.10000000000000001");
  assert.equal(digits17(0.5), "0.5");
  assert.equal(digits17(1e-5), "1.0000000000000001e-05");
  assert.equal(digits17(1e300), "1.0000000000000001e+300");
  assert.equal(digits17(1e16), "10000000000000000");
  assert.equal(digits17(1e17), "1e+17");
  assert.equal(digits17(0.0001), "0.0001");
  assert.equal(digits17(-0), "-0");
  assert.equal(hexFloat(0.5), "0x1p-1");
  assert.equal(hexFloat(-1.5), "-0x1.8p+0");
  assert.equal(hexFloat(0.1), "0x1.999999999999ap-4");
  assert.equal(hexFloat(5e-324), "0x0.0000000000001p-1022");
  assert.equal(hexFloat(Number.POSITIVE_INFINITY), "inf");
  assert.equal(hexFloat(Number.NaN), "nan");
});

test("hex_floats_that_are_no_doubles_are_refused", () => {
  assert.equal(parseNumber("0x10p-4"), 1);
  assert.equal(parseNumber("0x.8"), 0.5);
  assert.equal(parseNumber("-0x1.fffffffffffffp+1023"), -Number.MAX_VALUE);
  for (const text of ["0x1.00000000000001p0", "0x1p1024", "0x1p-1075", "0x1.8p-1074", "0xp1", "0x", "0x1p"])
    assert.throws(() => parseNumber(text), text);
});

test("what_is_no_number_is_refused_with_a_sentence", () => {
  for (const text of ["", " ", "nan", "inf", "1e999", "1,5", "1 2", "--1", "1e", "NaN", "Infinity", "<b>"])
    assert.throws(() => parseNumber(text), /missing|not a number|too large/, text);
  assert.equal(parseNumber(" \u22121.5e3 "), -1500);
});

test("brief_numbers_and_groups", () => {
  assert.equal(brief(0.3333333333), "0.333333");
  assert.equal(brief(1.5e-9), "1.5e-9");
  assert.equal(grouped(1234567), "1,234,567");
  assert.equal(grouped(12), "12");
});
