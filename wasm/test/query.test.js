// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the libtoi authors

// Two primitives: answers, options, errors.

import assert from "node:assert/strict";
import test from "node:test";
import { end, load, start, toiError } from "./package.js";

const toi = await load();

test("a vertex falls onto a triangle", () => {
  const hit = toi.vertexFace(start, end);
  assert.equal(hit.verdict, "hit");
  assert.ok(hit.tLo <= 0.5 && 0.5 <= hit.tHi && hit.tHi - hit.tLo <= 2 ** -48);
  assert.ok(hit.tSafe < 0.5);
  assert.deepEqual([hit.u, hit.v], [0.25, 0.25]);
  assert.deepEqual(hit.normal, [0, 0, 1]);
  assert.equal(hit.touchingAtStart, false);
});

test("each kind of query", () => {
  assert.equal(toi.edgeEdge([-1, 0, 1, 1, 0, 1, 0, -1, 0, 0, 1, 0], [-1, 0, -1, 1, 0, -1, 0, -1, 0, 0, 1, 0]).verdict, "hit");
  assert.equal(toi.vertexEdge([0, 0, 1, -1, 0, 0, 1, 0, 0], [0, 0, -1, -1, 0, 0, 1, 0, 0]).u, 0.5);
  assert.equal(toi.vertexVertex([0, 0, 1, 0, 0, 0], [0, 0, 0.5, 0, 0, 0]).verdict, "miss");
  assert.equal(toi.vertexHalfSpace([0, 0, 1], [0, 0, -1], [0, 0, 1, 0]).tHi, 0.5);
  assert.equal(toi.query("vf", Float64Array.from(start), Float64Array.from(end)).verdict, "hit");
});

test("a miss has no parameters", () => {
  const hit = toi.vertexFace(start, start);
  assert.deepEqual([hit.verdict, hit.tLo, hit.tHi, hit.tSafe], ["miss", Infinity, Infinity, 1]);
  assert.ok(Number.isNaN(hit.u) && Number.isNaN(hit.v));
});

test("every method and option reaches the library", () => {
  for (const method of toi.methods()) assert.notEqual(toi.vertexFace(start, end, { method }).verdict, "miss");
  const exact = toi.vertexFace(start, end, { method: "exact" });
  assert.deepEqual([exact.tLo, exact.tHi, exact.level], [0.5, 0.5, "exact"]);
  assert.equal(toi.vertexFace(start, end, { tMax: 0.25 }).verdict, "miss");
  const within = toi.vertexFace(start, end, { minSeparation: 0.5, norm: "linf" });
  assert.ok(within.tLo <= 0.25 && 0.25 <= within.tHi);
  assert.equal(within.separation, 0.5);
  assert.equal(toi.vertexFace(start, end, { separationFraction: 0.5 }).separation, 0.5);
  const options = { method: "tight-inclusion", tolerance: 1e-3, maxChecks: 10, noZeroToi: true, sceneBound: [1, 1, 1], filter: "double" };
  assert.equal(toi.vertexFace(start, end, options).level, "search");
});

test("counters count by verdict and level", () => {
  const counters = toi.counters();
  toi.vertexFace(start, end, { counters });
  toi.vertexFace(start, start, { counters });
  assert.equal(counters.queries, 2);
  assert.deepEqual(counters.verdicts, { miss: 1, hit: 1, near: 0 });
  assert.equal(Object.values(counters.levels).reduce((a, b) => a + b), 2);
});

test("a batch gives the bits of single queries", () => {
  const queries = new Float64Array(24 * 50);
  for (let i = 0; i < 50; i++) {
    queries.set(start, 24 * i);
    queries.set(end, 24 * i + 12);
    queries[24 * i + 14] = -1 + i / 25;
  }
  const hits = toi.batch("vf", queries);
  assert.equal(hits.length, 50);
  const buffer = toi.queryBuffer("vf", 50);
  buffer.queries.set(queries);
  const viewed = buffer.batch();
  for (let i = 0; i < 50; i++) {
    const single = toi.vertexFace(queries.slice(24 * i, 24 * i + 12), queries.slice(24 * i + 12, 24 * i + 24));
    assert.deepEqual(hits.at(i), single);
    assert.deepEqual(viewed.at(i), single);
  }
  assert.deepEqual(Array.from(hits.column("tLo")), hits.toArray().map((hit) => hit.tLo));
  assert.deepEqual(Array.from(hits.column("point").slice(0, 3)), hits.at(0).point);
  assert.deepEqual([...new Set(hits.column("verdict"))].sort(), [0, 1]);
  assert.equal(hits.at(50), undefined);
  assert.throws(() => hits.column("hit.tLo"), toiError("input", /no field 'hit.tLo'/));
  const { numbers, hits: listed } = toi.batchHits("vf", queries);
  const wanted = hits.toArray().flatMap(({ verdict }, i) => (verdict === "miss" ? [] : [i]));
  assert.deepEqual(Array.from(numbers), wanted);
  assert.deepEqual(listed.toArray(), wanted.map((i) => hits.at(i)));
  buffer.free();
  assert.throws(() => buffer.batch(), toiError("input", /freed/));
});

test("a proof is exact and has a certificate", () => {
  const proof = toi.prove("vf", start, end);
  assert.deepEqual(proof.polynomial, [-1n, 2n]);
  assert.deepEqual([proof.lo, proof.hi, proof.contactTimes], ["1/2", "1/2", 1]);
  assert.match(proof.certificate, /^toi-certificate 1\n[^]*\nqed\n$/);
  assert.equal(toi.prove("vf", start, end, { certificate: false }).certificate, "");
  assert.equal(toi.prove("vv", [0, 0, 0, 0, 0, 0], [1, 0, 0, 1, 0, 0]).contactTimes, Infinity);
});

test("an explanation agrees with the answer", () => {
  const why = toi.explain("vf", start, end);
  assert.deepEqual(why.hit, toi.vertexFace(start, end));
  assert.deepEqual(why.exact, [1, 1 / 3, -1 / 3, -1]);
  why.coefficient.forEach((c, i) => assert.ok(Math.abs(c - why.exact[i]) <= why.bound[i]));
  assert.deepEqual(why.coefficientSign, [1, 1, -1, -1]);
  assert.equal(why.outcomes[why.hit.level], "hit");
  assert.equal(why.roots.length, 1);
  const [root] = why.roots;
  assert.deepEqual([root.tLo, root.u, root.v, root.touching, root.source, root.first], [0.5, 0.25, 0.25, true, "cubic", true]);
  assert.deepEqual([why.cubicDefined, why.cubicZero, why.reduced, why.cornerCount], [true, false, "not-asked", 3]);
  assert.ok(why.pieces.length >= 1 && why.pieces[0].area.length === 12);
  assert.throws(() => toi.explain("vf", [NaN, ...start.slice(1)], end), toiError("input", /^query 0: coordinate x of v/));
});

test("distances are enclosed, and say where", () => {
  const distance = toi.distanceFast("vf", start);
  assert.ok(distance.lo <= 1 && 1 <= distance.hi);
  assert.deepEqual(distance.second, [0.25, 0.25, 0]);
  assert.deepEqual(distance.onSecond, { dimension: 2, index: 0 });
});

test("errors say what the library says", () => {
  const bad = [...start];
  bad[4] = NaN;
  assert.throws(() => toi.vertexFace(bad, end), toiError("input", /^query 0: coordinate y of f0 at t = 0 is nan; it must be finite$/));
  assert.throws(() => toi.vertexFace(start, end, { tMax: 2 }), toiError("option", /^t_max is 2; it must lie in \[0, 1\]$/));
  assert.throws(() => toi.vertexFace(start, end, { method: "guess" }), toiError("unsupported", /unknown method 'guess'/));
  assert.throws(() => toi.vertexFace(start, end, { tmax: 1 }), toiError("option", /^unknown option 'tmax'$/));
  assert.throws(() => toi.vertexFace(start, end, { norm: "l1" }), toiError("option", /norm is one of l2, linf/));
  assert.throws(() => toi.vertexFace(start, end, { broad: "bvh" }), toiError("option", /unknown option 'broad'/));
  assert.throws(() => toi.vertexFace(start.slice(1), end), toiError("input", /start has 12 numbers, not 11/));
  assert.throws(() => toi.query("xx", start, end), toiError("input", /unknown kind 'xx'/));
  assert.throws(() => toi.batch("vf", new Float64Array(23)), toiError("input", /24 numbers each/));
});

test("names and defaults are the library's", () => {
  assert.ok(toi.methods().includes("certified") && toi.broads().includes("auto"));
  assert.match(toi.methodPromise("certified"), /\w/);
  assert.equal(toi.methodPromise("guess"), null);
  assert.deepEqual([toi.defaults().tolerance, toi.defaults().norm], [1e-6, "l2"]);
  assert.deepEqual(["vf", "ee", "ve", "vv"].map((kind) => toi.kindPoints(kind)), [4, 4, 3, 2]);
});
