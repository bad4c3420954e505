// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the libtoi authors

// Methods side by side: on the query of the editor, and on all colliding pairs of the scene. `certified` and `exact`
// prove their answers, so they are the truth that the others are compared with.

import type { Hit, QueryKind, QueryOptions, Toi } from "libtoi";
import { type Collisions, KINDS } from "./collisions";
import { meshWorker, sentence } from "./engine";
import { judge, WIDTH } from "./judge";
import { grouped } from "./number";
import type { MeshModel } from "./meshlayer";
import { pairVertices } from "./marks";
import { badge, el, errorBox, exact } from "./ui";

export interface Compared {
  method: string;
  hit: Hit | null;
  error?: string;
  note: string;
}

export function compare(toi: Toi, kind: "vf" | "ee", points: number[], options: QueryOptions): Compared[] {
  const ask = (method: string) => toi.query(kind, points.slice(0, 12), points.slice(12), { ...options, method });
  let truth: Hit | null = null;
  return toi
    .methods()
    .map((method) => {
      try {
        const hit = ask(method);
        if (method === "exact" || (method === "certified" && !truth)) truth = hit;
        return { method, hit, note: "" };
      } catch (error) {
        return { method, hit: null, error: sentence(error), note: "" };
      }
    })
    .map((row) => ({ ...row, note: row.hit && truth ? judge(truth, row.hit) : "" }));
}

export class MethodsPanel {
  private readonly table = el("div", { class: "scroll-x" });
  private readonly scene = el("div", {}, el("p", { class: "soft" }, "No scene with colliding pairs is open."));

  constructor(readonly host: HTMLElement) {
    host.append(
      el(
        "div",
        { class: "card" },
        el("h2", {}, "The query in the editor, with every method"),
        this.table,
        el(
          "p",
          { class: "soft" },
          "near: not refuted and not proved. Early: the lower end of the bracket is before the proved time of impact, so a simulator that steps to it stops too soon.",
        ),
      ),
      el("div", { class: "card" }, el("h2", {}, "All colliding pairs of the scene"), this.scene),
    );
  }

  showQuery(rows: Compared[]): void {
    const head = el(
      "tr",
      {},
      ...["method", "verdict", "t_lo", "t_hi", "against the proof"].map((h) => el("th", { scope: "col" }, h)),
    );
    const body = rows.map((row) =>
      el(
        "tr",
        {},
        el("th", { scope: "row" }, row.method),
        el("td", {}, row.hit ? badge(row.hit.verdict) : ""),
        el("td", {}, row.hit ? exact(row.hit.tLo, `${row.method} t_lo`, true) : ""),
        el("td", {}, row.hit ? exact(row.hit.tHi, `${row.method} t_hi`, true) : ""),
        el("td", {}, row.error ?? row.note),
      ),
    );
    this.table.replaceChildren(el("table", {}, el("thead", {}, head), el("tbody", {}, ...body)));
  }

  /** Counts over the pairs of a step; asked for by a button, since it takes a while on large scenes. */
  offerScene(model: MeshModel, step: number, c: Collisions | null, options: QueryOptions, methods: string[]): void {
    if (!c?.count) {
      this.scene.replaceChildren(el("p", { class: "soft" }, "No colliding pairs yet: find all collisions first."));
      return;
    }
    const limit = Math.min(c.count, 20000);
    const button = el("button", { type: "button" }, `Compare on ${grouped(limit)} pairs`);
    button.addEventListener("click", async () => {
      button.disabled = true;
      try {
        await this.runScene(model, step, c, limit, options, methods);
      } catch (error) {
        this.scene.append(errorBox(sentence(error)));
      }
      button.disabled = false;
    });
    this.scene.replaceChildren(el("div", { class: "row" }, button));
  }

  private async runScene(
    model: MeshModel,
    step: number,
    c: Collisions,
    limit: number,
    options: QueryOptions,
    methods: string[],
  ): Promise<void> {
    const worker = await meshWorker();
    const body = el("tbody");
    const table = el(
      "table",
      {},
      el(
        "thead",
        {},
        el("tr", {}, ...["method", "near", "early", "earliest by", "missed"].map((h) => el("th", { scope: "col" }, h))),
      ),
      body,
    );
    this.scene.querySelector(".scroll-x")?.remove();
    this.scene.append(el("div", { class: "scroll-x" }, table));
    const groups = grouping(model, step, c, limit);
    const truth = await Promise.all(
      groups.map((g) => worker.run("batch", [g.kind, g.queries, { ...options, method: "exact" }])),
    );
    for (const method of methods) {
      const tally = { near: 0, early: 0, most: 0, missed: 0 };
      for (const [k, group] of groups.entries()) {
        const hits = await worker.run("batch", [group.kind, group.queries, { ...options, method }]);
        const [lo, proved] = [hits.column("tLo"), truth[k]!.column("tLo")];
        const [verdict, provedVerdict] = [hits.column("verdict"), truth[k]!.column("verdict")];
        for (let i = 0; i < lo.length; i++) {
          if (verdict[i] === 2) tally.near++;
          if (provedVerdict[i] === 1 && verdict[i] === 0) tally.missed++;
          const early = (proved[i] as number) - (lo[i] as number);
          if (verdict[i] !== 0 && early > WIDTH) {
            tally.early++;
            tally.most = Math.max(tally.most, early);
          }
        }
      }
      body.append(
        el(
          "tr",
          {},
          el("th", { scope: "row" }, method),
          el("td", {}, grouped(tally.near)),
          el("td", {}, grouped(tally.early)),
          el("td", {}, tally.most ? exact(tally.most, `${method} earliest by`, true) : "–"),
          el("td", {}, grouped(tally.missed)),
        ),
      );
    }
  }
}

/** The coordinates of the pairs, by kind. */
function grouping(model: MeshModel, step: number, c: Collisions, limit: number) {
  const lists = KINDS.map(() => [] as number[]);
  const frames = [model.frames[step], model.frames[Math.min(step + 1, model.frames.length - 1)]] as Float32Array[];
  for (let i = 0; i < limit; i++) {
    const kind = c.kind[i] as number;
    const list = lists[kind];
    if (!list) continue;
    const vertices = pairVertices(model, kind, c.first[i] as number, c.second[i] as number).flat();
    for (const frame of frames)
      for (const v of vertices) for (let k = 0; k < 3; k++) list.push(frame[3 * v + k] as number);
  }
  return lists.flatMap((list, kind) =>
    list.length ? [{ kind: KINDS[kind] as QueryKind, queries: Float64Array.from(list) }] : [],
  );
}
