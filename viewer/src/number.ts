// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the libtoi authors

// Numbers as text and back, exactly: 17 significant digits, C99 hex floats, and a reader of both. A text that is not
// a finite double is refused with a sentence; nothing is rounded silently but decimal digits beyond the double.

/** As C's "%.17g": enough digits to give the same double back. */
export function digits17(x: number): string {
  if (!Number.isFinite(x)) return special(x);
  if (x === 0) return Object.is(x, -0) ? "-0" : "0";
  const [mantissa, exponentText] = x.toExponential(16).split("e") as [string, string];
  const exponent = Number(exponentText);
  if (exponent < -4 || exponent >= 17) return `${trim(mantissa)}e${exponent < 0 ? "-" : "+"}${pad(Math.abs(exponent))}`;
  return trim(x.toFixed(Math.max(0, Math.min(100, 16 - exponent))));
}

/** As C's "%a". */
export function hexFloat(x: number): string {
  if (!Number.isFinite(x)) return special(x);
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, x);
  const high = view.getUint32(0);
  const sign = high >>> 31 ? "-" : "";
  const biased = (high >>> 20) & 0x7ff;
  const fraction = (
    (high & 0xfffff).toString(16).padStart(5, "0") + view.getUint32(4).toString(16).padStart(8, "0")
  ).replace(/0+$/, "");
  if (biased === 0 && fraction === "") return `${sign}0x0p+0`;
  const exponent = biased === 0 ? -1022 : biased - 1023;
  return `${sign}0x${biased === 0 ? 0 : 1}${fraction && `.${fraction}`}p${exponent < 0 ? "-" : "+"}${Math.abs(exponent)}`;
}

/** For the eye: few digits. The exact number is beside it, or one click away. */
export function brief(x: number, digits = 6): string {
  if (!Number.isFinite(x)) return special(x);
  if (x === 0) return "0";
  const size = Math.abs(x);
  if (size >= 1e-4 && size < 1e7) return trim(x.toPrecision(digits));
  const [mantissa, exponent] = x.toExponential(Math.min(3, digits - 1)).split("e") as [string, string];
  return `${trim(mantissa)}e${exponent.replace("+", "")}`;
}

/** A finite double from decimal or hex text; throws an Error that says what is wrong. */
export function parseNumber(text: string): number {
  const trimmed = text.trim().replace("\u2212", "-");
  if (trimmed === "") throw new Error("a number is missing");
  if (/^[+-]?0x/i.test(trimmed)) return parseHex(trimmed);
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(trimmed)) throw new Error(`'${trimmed}' is not a number`);
  const value = Number(trimmed);
  if (!Number.isFinite(value)) throw new Error(`'${trimmed}' is too large for a double`);
  return value;
}

function parseHex(text: string): number {
  const match = /^([+-]?)0x([0-9a-f]*)\.?([0-9a-f]*)(?:p([+-]?\d+))?$/i.exec(text);
  const digits = match ? `${match[2]}${match[3]}` : "";
  if (!match || digits === "") throw new Error(`'${text}' is not a hex float`);
  const fraction = match[3] ?? "";
  const integer = BigInt(`0x${digits}`);
  if (integer === 0n) return match[1] === "-" ? -0 : 0;
  const power = Number(match[4] ?? "0") - 4 * fraction.length;
  const value = scaled(integer, power);
  if (value === null) throw new Error(`'${text}' is not a double: too many digits, or out of range`);
  return match[1] === "-" ? -value : value;
}

/** integer * 2^power if it is a double, else null. */
function scaled(integer: bigint, power: number): number | null {
  let odd = integer;
  let exponent = power;
  while ((odd & 1n) === 0n) {
    odd >>= 1n;
    exponent++;
  }
  if (odd >= 1n << 53n || exponent < -1074) return null;
  // In two factors, so that neither over- nor underflows before the product does.
  const half = Math.trunc(exponent / 2);
  if (Math.abs(exponent) > 2200) return null;
  const value = Number(odd) * 2 ** half * 2 ** (exponent - half);
  return Number.isFinite(value) && value !== 0 ? value : null;
}

/** 12345678 as 12,345,678. */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ",");
}

function special(x: number): string {
  return Number.isNaN(x) ? "nan" : x > 0 ? "inf" : "-inf";
}

function trim(decimal: string): string {
  return decimal.includes(".") ? decimal.replace(/\.?0+$/, "") : decimal;
}

function pad(exponent: number): string {
  return String(exponent).padStart(2, "0");
}
