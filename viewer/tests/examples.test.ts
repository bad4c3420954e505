// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the libtoi authors

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { QUERY_EXAMPLES } from "../src/examples";
import { decodeLink } from "../src/link";

test("the_situations_of_learn_md_are_among_the_examples", () => {
  const text = readFileSync("docs/learn.md", "utf8");
  const links = [...text.matchAll(/Playground:\s+`(#[^`]*)`/g)].map((match) => decodeLink(match[1] as string));
  assert.ok(links.length >= 5, `${links.length} links`);
  for (const { query, options } of links) {
    assert.ok(query, "a link without a query");
    const found = QUERY_EXAMPLES.find(
      (example) =>
        example.kind === query.kind &&
        String(example.points) === String(query.points) &&
        JSON.stringify(example.options ?? {}) === JSON.stringify(options ?? {}),
    );
    assert.ok(found, `no example has ${query.points}`);
  }
});
