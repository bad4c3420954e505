// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the libtoi authors

// Draws what toi.explain() says about one query: every number here is the library's. The graph of a cubic in Bernstein
// form is the Bezier curve of its coefficients, so the curve is drawn from them as they are; pixels are the only
// arithmetic.

import type { Explanation, ExplainedRoot, Level } from "libtoi";
import { brief } from "./number";
import { el, exact, facts, svg } from "./ui";

const SEGMENTS: Record<string, string[]> = { vf: ["f0 f1", "f1 f2", "f2 f0"], ee: ["1", "2", "3", "4"] };
const AXES = ["x", "y", "z"] as const;
const LEVELS: Level[] = ["box", "sign", "projection", "root", "reduction", "plane", "exact", "search"];

/** One sentence: which argument decided. */
export function why(x: Explanation, kind: string): string {
  const pair = kind === "vf" ? "the vertex and the plane of the face" : "the lines of the two edges";
  const { level, verdict } = x.hit;
  if (level === "box") {
    const axis = AXES[x.boxApart.findIndex(Boolean)];
    if (verdict === "miss")
      return axis
        ? `Along ${axis} the two stay strictly apart during the whole step, so they never touch.`
        : "The boxes of the motion are apart, so the two never touch.";
  }
  if (level === "sign") return `The cubic has one proved sign on the whole step: ${pair} never meet.`;
  if (level === "projection")
    return "Each half of the step is excluded: by areas of opposite sign in a projection, or by the cubic's sign.";
  if (level === "root")
    return verdict === "hit"
      ? "A root of the cubic is bracketed, no earlier one exists, and at that time the contact lies inside both primitives: proved in floating point."
      : "At every root of the cubic the point of coincidence lies outside a primitive: proved in floating point.";
  if (level === "reduction")
    return `Exact comparisons leave ${REDUCTIONS[x.reduced] ?? "a smaller problem"}, which decides.`;
  if (level === "plane")
    return "Planes that turn with the motion keep the two farther apart than the separation, piece by piece of the step.";
  if (level === "exact")
    return x.cubicZero
      ? "The four points stay in one plane at all times, so the cubic decides nothing: integers decide in the plane."
      : "Floating point could not prove a sign, so integer arithmetic decides: the sign of a polynomial at an algebraic number.";
  return "The method's own search ended here; it proves what it excludes, and answers near otherwise.";
}

const REDUCTIONS: Record<string, string> = {
  all: "the problem as it is",
  none: "nothing that could touch",
  corner: "one corner",
  segment: "one segment",
  plane: "a problem in a plane",
};

/** The levels in order, with what each of them said. */
export function cascade(x: Explanation): HTMLElement {
  const list = el("ol", { class: "cascade", "aria-label": "Levels of the cascade" });
  for (const level of LEVELS) {
    const outcome = x.outcomes[level];
    if (!outcome || outcome === "absent") continue;
    const text = outcome === "open" ? "passed on" : outcome === "skipped" ? "not reached" : outcome;
    list.append(el("li", { class: outcome }, el("b", {}, level), el("span", {}, text)));
  }
  return list;
}

/** The coplanarity cubic: curve, coefficients with their error bounds, roots, and the bracket of the answer. */
export function cubicFigure(x: Explanation): HTMLElement {
  const figure = el("figure", { class: "cubic" });
  if (!x.cubicDefined || x.coefficient.some((b) => !Number.isFinite(b))) {
    figure.append(
      el(
        "p",
        { class: "soft" },
        "No cubic in floating point: the coordinates are beyond its range, and integers are used.",
      ),
    );
    return figure;
  }
  const width = 460;
  const height = 210;
  const left = 14;
  const right = width - 14;
  const middle = height / 2 - 6;
  const reach = Math.max(...x.coefficient.map((b, i) => Math.abs(b) + (x.bound[i] as number) + (x.limit[i] as number)));
  const px = (t: number) => left + (right - left) * Math.min(1, Math.max(0, t));
  const py = (b: number) => (reach > 0 ? middle - (b / reach) * (middle - 16) : middle);
  const picture = svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": cubicLabel(x) });
  picture.append(
    svg("line", { x1: left, x2: right, y1: middle, y2: middle, stroke: "var(--soft)", "stroke-width": 1 }),
  );
  for (const t of [0, 0.25, 0.5, 0.75, 1]) {
    picture.append(
      svg("line", { x1: px(t), x2: px(t), y1: 12, y2: height - 26, stroke: "var(--grid)" }),
      svg(
        "text",
        { x: px(t), y: height - 10, "text-anchor": t === 0 ? "start" : t === 1 ? "end" : "middle" },
        t === 0.5 ? "t = 0.5" : String(t),
      ),
    );
  }
  if (x.hit.verdict !== "miss")
    picture.append(
      svg("rect", {
        x: px(x.hit.tLo) - 1.5,
        width: Math.max(3, px(x.hit.tHi) - px(x.hit.tLo)),
        y: 12,
        height: height - 38,
        fill: "var(--hit)",
        opacity: 0.35,
      }),
    );
  const limit = Math.max(...x.limit);
  if (limit > 0)
    picture.append(
      svg("rect", {
        x: left,
        width: right - left,
        y: py(limit),
        height: py(-limit) - py(limit),
        fill: "var(--near)",
        opacity: 0.12,
      }),
    );
  const at = x.coefficient.map((b, i) => [px(i / 3), py(b)] as const);
  picture.append(
    svg("polyline", {
      points: at.map((p) => p.join(",")).join(" "),
      fill: "none",
      stroke: "var(--soft)",
      "stroke-dasharray": "4 4",
    }),
    svg("path", {
      d: `M${at[0]} C${at[1]} ${at[2]} ${at[3]}`,
      fill: "none",
      stroke: "var(--curve)",
      "stroke-width": 2.5,
    }),
  );
  at.forEach(([cx, cy], i) => {
    const bar = py((x.coefficient[i] as number) - (x.bound[i] as number));
    const top = py((x.coefficient[i] as number) + (x.bound[i] as number));
    picture.append(
      svg("line", { x1: cx, x2: cx, y1: top, y2: bar, stroke: "var(--text)", "stroke-width": 5, opacity: 0.3 }),
      svg("circle", { cx, cy, r: 4, fill: "var(--paper)", stroke: "var(--text)", "stroke-width": 1.5 }),
      svg(
        "text",
        { x: cx + (i === 3 ? -7 : 7), y: cy + (cy < 30 ? 16 : -7), "text-anchor": i === 3 ? "end" : "start" },
        `b${i}`,
      ),
    );
  });
  for (const root of x.roots) {
    if (root.source !== "cubic") continue;
    picture.append(
      svg(
        "circle",
        {
          cx: px(root.tLo),
          cy: middle,
          r: 5.5,
          fill: root.touching ? "var(--hit)" : "var(--paper)",
          stroke: root.touching ? "var(--hit)" : "var(--soft)",
          "stroke-width": 2,
        },
        svg("title", {}, `root at ${root.tLo}${root.multiplicity > 1 ? `, multiplicity ${root.multiplicity}` : ""}`),
      ),
    );
  }
  figure.append(
    picture,
    el(
      "figcaption",
      {},
      "The coplanarity cubic on the step, with its Bernstein coefficients. Grey bars: proved error bounds, if they are wide enough to see. Filled root: contact.",
    ),
  );
  return figure;
}

function cubicLabel(x: Explanation): string {
  const signs = x.coefficientSign
    .map((s, i) => `b${i} ${s > 0 ? "positive" : s < 0 ? "negative" : "of unproved sign"}`)
    .join(", ");
  return `Graph of the cubic: ${signs}; ${x.roots.length} times examined`;
}

export function coefficientTable(x: Explanation): HTMLElement {
  const table = el(
    "table",
    {},
    el(
      "thead",
      {},
      el("tr", {}, ...["", "coefficient", "± proved bound", "sign"].map((h) => el("th", { scope: "col" }, h))),
    ),
  );
  const body = el("tbody");
  x.coefficient.forEach((b, i) => {
    const sign = x.coefficientSign[i] as number;
    body.append(
      el(
        "tr",
        {},
        el("th", { scope: "row" }, `b${i}`),
        el("td", {}, exact(b, `coefficient ${i}`)),
        el("td", {}, exact(x.bound[i] as number, `bound of coefficient ${i}`, true)),
        el("td", {}, sign > 0 ? "+ proved" : sign < 0 ? "− proved" : "open"),
      ),
    );
  });
  table.append(body);
  return el("div", { class: "scroll-x" }, table);
}

const SOURCES: Record<string, string> = {
  cubic: "root of the cubic",
  start: "t = 0",
  area: "an area vanishes",
  corner: "a corner passes 0",
};

/** Each time that was examined: the inside test, drawn in the parameters of the primitives. */
export function rootFigures(x: Explanation, kind: "vf" | "ee"): HTMLElement {
  if (!x.roots.length)
    return el(
      "p",
      { class: "soft" },
      x.cubicZero
        ? "No time to examine."
        : "The cubic has no root in [0, 1]: the points are never coplanar during the step.",
    );
  return el("div", { class: "roots" }, ...x.roots.map((root, i) => rootCard(root, i, kind)));
}

function rootCard(root: ExplainedRoot, index: number, kind: "vf" | "ee"): HTMLElement {
  const state = root.first ? "first contact" : root.touching ? "contact" : "outside";
  const areas =
    root.axis < 0
      ? "the corners lie on a line"
      : root.areaSign
          .slice(0, kind === "vf" ? 3 : 4)
          .map((s, k) => `${SEGMENTS[kind]?.[k] ?? k}: ${s > 0 ? "+" : s < 0 ? "−" : "0"}`)
          .join(", ");
  const rows: [string, Node | string][] = [
    [
      "time",
      el(
        "span",
        {},
        exact(root.tLo, "root from"),
        root.tLo === root.tHi ? " exactly" : el("span", {}, " … ", exact(root.tHi, "root to")),
      ),
    ],
    [
      "why this time",
      `${SOURCES[root.source] ?? root.source}${root.multiplicity > 1 ? `, multiplicity ${root.multiplicity}` : ""}`,
    ],
    ["u, v", el("span", {}, exact(root.u, "u"), ", ", exact(root.v, "v"))],
    ["signs of areas", root.axis < 0 ? areas : `${areas} (seen along ${AXES[root.axis]})`],
  ];
  return el(
    "div",
    { class: "card" },
    el(
      "div",
      { class: "row between" },
      el("h3", {}, `Time ${index + 1}`),
      el("span", { class: `badge ${root.touching ? "hit" : "miss"}` }, state),
    ),
    el("div", { class: "row root-row" }, insideFigure(root, kind), facts(rows)),
  );
}

/** The parameters (u, v) of a root against the triangle or the square in which they must lie. */
function insideFigure(root: ExplainedRoot, kind: "vf" | "ee"): Element {
  const size = 120;
  const px = (u: number) => 30 + 60 * Math.min(1.45, Math.max(-0.45, u));
  const py = (v: number) => size - px(v);
  const known = Number.isFinite(root.u) && Number.isFinite(root.v);
  const beyond = known && (Math.abs(root.u - 0.5) > 0.95 || Math.abs(root.v - 0.5) > 0.95);
  const label = known
    ? `u = ${brief(root.u)}, v = ${brief(root.v)}: ${root.touching ? "inside" : "outside"}`
    : "no parameters: no area at this time";
  const picture = svg("svg", {
    viewBox: `0 0 ${size} ${size}`,
    width: size,
    height: size,
    role: "img",
    "aria-label": label,
    class: "inside",
  });
  const corners =
    kind === "vf"
      ? [
          [0, 0],
          [1, 0],
          [0, 1],
        ]
      : [
          [0, 0],
          [1, 0],
          [1, 1],
          [0, 1],
        ];
  picture.append(
    svg("polygon", {
      points: corners.map(([u, v]) => `${px(u as number)},${py(v as number)}`).join(" "),
      fill: "var(--tint)",
      stroke: "var(--accent)",
    }),
    svg("text", { x: px(1) - 4, y: py(0) + 14 }, "u"),
    svg("text", { x: px(0) - 14, y: py(1) + 6 }, "v"),
  );
  if (known)
    picture.append(
      svg("circle", {
        cx: px(root.u),
        cy: py(root.v),
        r: 5,
        fill: root.touching ? "var(--hit)" : "var(--soft)",
        stroke: "var(--paper)",
        "stroke-width": 1.5,
      }),
      ...(beyond ? [svg("text", { x: 4, y: 12 }, "far outside")] : []),
    );
  else picture.append(svg("text", { x: 4, y: 12 }, "no area"));
  return picture;
}

/** The corners' extent on each axis: zero outside it means apart. */
export function boxFigure(x: Explanation): Element {
  const width = 460;
  const picture = svg("svg", {
    viewBox: `0 0 ${width} 78`,
    role: "img",
    "aria-label": `Extents of the differences: ${AXES.map((a, k) => `${a} ${x.boxApart[k] ? "apart from 0" : "contains 0"}`).join(", ")}`,
  });
  AXES.forEach((axis, k) => {
    const lo = x.boxLo[k] as number;
    const hi = x.boxHi[k] as number;
    const reach = Math.max(Math.abs(lo), Math.abs(hi), x.separation) || 1;
    const px = (value: number) => 30 + ((value / reach + 1) / 2) * (width - 60);
    const y = 12 + 24 * k;
    picture.append(
      svg("text", { x: 8, y: y + 8 }, axis),
      svg("line", { x1: 30, x2: width - 30, y1: y + 4, y2: y + 4, stroke: "var(--grid)" }),
      svg("rect", {
        x: px(lo),
        width: Math.max(2, px(hi) - px(lo)),
        y,
        height: 9,
        rx: 3,
        fill: x.boxApart[k] ? "var(--miss)" : "var(--bar)",
      }),
      svg("line", { x1: px(0), x2: px(0), y1: y - 4, y2: y + 13, stroke: "var(--text)", "stroke-width": 1.5 }),
    );
  });
  return picture;
}
