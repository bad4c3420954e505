// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the libtoi authors

// One answer beside the proved one.

import type { Hit } from "libtoi";
import { brief } from "./number";

/** `certified` brackets are up to this wide: below it nobody is early. */
export const WIDTH = 2 ** -48;

/** What a method's answer is worth beside the proved one. */
export function judge(truth: Hit, hit: Hit): string {
  const notes: string[] = [];
  if (hit.verdict === "near")
    notes.push(truth.verdict === "miss" ? "near: false alarm, nothing touches" : "near: contact not proved");
  if (hit.verdict === "hit" && truth.verdict === "miss") notes.push("false alarm");
  if (hit.verdict === "miss" && truth.verdict === "hit") notes.push("MISSED a contact");
  if (truth.verdict === "hit" && hit.verdict !== "miss" && truth.tLo - hit.tLo > WIDTH)
    notes.push(`early by ${brief(truth.tLo - hit.tLo)}`);
  return notes.join("; ") || "agrees";
}
