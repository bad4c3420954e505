// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the libtoi authors

// The time: a slider, play, the steps of a sequence, and the histogram of impact times above the slider on the same
// axis. Dragging across the histogram brushes an interval; its ends can be typed as well.

import { histogram } from "./collisions";
import { brief, grouped, parseNumber } from "./number";
import { byId, el, exact, svg } from "./ui";

const BINS = 100;
const HEIGHT = 46;
const PLAY_MS = 4000;

const ICONS = {
  play: "M4 2.5v11l9.5-5.5z",
  pause: "M3.5 2.5h3v11h-3zM9.5 2.5h3v11h-3z",
  previous: "M3 2.5h2v11H3zM13 2.5v11L5.5 8z",
  next: "M11 2.5h2v11h-2zM3 2.5v11L10.5 8z",
};

function icon(name: keyof typeof ICONS): SVGElement {
  return svg(
    "svg",
    { viewBox: "0 0 16 16", width: 14, height: 14, "aria-hidden": "true" },
    svg("path", { d: ICONS[name], fill: "currentColor" }),
  );
}

export class Timeline {
  t = 0;
  tMin = 0;
  tMax = 1;
  step = 0;
  brush: [number, number] | null = null;
  onTime: (t: number) => void = () => {};
  onStep: (step: number) => void = () => {};
  onBrush: (brush: [number, number] | null) => void = () => {};
  onJump: (direction: 1 | -1) => void = () => {};
  private times: Float64Array = new Float64Array(0);
  private steps = 1;
  private playing = 0;
  private readonly slider = el("input", {
    type: "range",
    min: 0,
    max: 1,
    step: "any",
    value: 0,
    "aria-label": "Time t",
  });
  private readonly play = el(
    "button",
    { type: "button", class: "icon", "aria-label": "Play", title: "Play (space)" },
    icon("play"),
  );
  private readonly previous = el(
    "button",
    { type: "button", class: "icon contact-jump", title: "Previous contact (,)", "aria-label": "Previous contact" },
    icon("previous"),
  );
  private readonly next = el(
    "button",
    { type: "button", class: "icon contact-jump", title: "Next contact (.)", "aria-label": "Next contact" },
    icon("next"),
  );
  private readonly stepSelect = el("select", { "aria-label": "Step of the sequence", hidden: true });
  private readonly picture = svg("svg", {
    class: "histogram",
    "aria-hidden": "true",
    viewBox: `0 0 ${BINS} ${HEIGHT}`,
    preserveAspectRatio: "none",
  });
  private readonly bars = svg("g");
  private readonly selection = svg("rect", {
    y: 0,
    height: HEIGHT,
    fill: "var(--accent)",
    opacity: 0.16,
    visibility: "hidden",
  });
  private readonly head = svg("rect", { y: 0, width: 0.25, height: HEIGHT, fill: "var(--text)" });
  private readonly readout = el("div", { class: "readout" });
  private readonly from = el("input", { type: "text", "aria-label": "Brush from time", size: 8, inputmode: "decimal" });
  private readonly to = el("input", { type: "text", "aria-label": "Brush to time", size: 8, inputmode: "decimal" });
  private readonly brushRow: HTMLElement;

  constructor() {
    const host = byId("transport");
    this.picture.append(this.bars, this.selection, this.head);
    const clear = el("button", { type: "button", onclick: () => this.setBrush(null) }, "All times");
    this.brushRow = el("div", { class: "row soft", hidden: true }, "contacts from", this.from, "to", this.to, clear);
    for (const input of [this.from, this.to]) {
      input.style.width = "9em";
      input.addEventListener("change", () => this.typed());
    }
    host.append(
      el("div", { class: "buttons" }, this.previous, this.play, this.next, this.stepSelect),
      el("div", { class: "track" }, this.picture, this.slider),
      this.readout,
      this.brushRow,
    );
    this.brushRow.style.gridColumn = "1 / -1";
    this.slider.addEventListener("input", () => this.setTime(Number(this.slider.value), true));
    this.play.addEventListener("click", () => this.toggle());
    this.previous.addEventListener("click", () => this.onJump(-1));
    this.next.addEventListener("click", () => this.onJump(1));
    this.stepSelect.addEventListener("change", () => this.setStep(Number(this.stepSelect.value), true));
    this.brushing();
    this.setTime(0, false);
  }

  /** Frames of a sequence give steps; a single frame gives none, and no time. */
  setSteps(names: string[], tMax: number, tMin = 0): void {
    this.steps = Math.max(1, names.length - 1);
    this.tMin = tMin;
    this.tMax = tMax;
    this.slider.min = String(tMin);
    this.slider.max = String(tMax);
    this.stepSelect.hidden = names.length < 3;
    this.stepSelect.replaceChildren(
      ...names.slice(0, -1).map((name, k) => el("option", { value: k }, `${k}: ${name} → ${names[k + 1] ?? ""}`)),
    );
    byId("transport").hidden = names.length < 2;
    this.step = 0;
    this.stop();
    this.setBrush(null, false);
    this.setTime(tMin, false);
  }

  private get length(): number {
    return this.tMax - this.tMin;
  }

  setTimes(times: Float64Array): void {
    this.times = times;
    const counts = histogram(times, BINS, this.tMin, this.tMax);
    const most = Math.max(1, ...counts);
    this.bars.replaceChildren();
    counts.forEach((count, bin) => {
      if (!count) return;
      const height = Math.max(2, Math.sqrt(count / most) * (HEIGHT - 4));
      const bar = svg("rect", { x: bin + 0.08, width: 0.84, y: HEIGHT - height, height, fill: "var(--bar)" });
      bar.append(
        svg(
          "title",
          {},
          `${grouped(count)} contacts from ${brief(this.tMin + (bin / BINS) * this.length)} to ${brief(this.tMin + ((bin + 1) / BINS) * this.length)}`,
        ),
      );
      this.bars.append(bar);
    });
    this.previous.disabled = this.next.disabled = times.length === 0;
    this.brushRow.hidden = times.length === 0;
    this.showBrush();
  }

  setTime(t: number, tell: boolean): void {
    this.t = Math.min(this.tMax, Math.max(this.tMin, t));
    this.slider.value = String(this.t);
    this.slider.setAttribute("aria-valuetext", `t = ${brief(this.t)}`);
    this.head.setAttribute("x", String(((this.t - this.tMin) / (this.length || 1)) * BINS - 0.12));
    this.readout.replaceChildren(el("span", { class: "soft" }, "t = "), exact(this.t, "time", true));
    if (tell) this.onTime(this.t);
  }

  setStep(step: number, tell: boolean): void {
    this.step = Math.min(this.steps - 1, Math.max(0, step));
    this.stepSelect.value = String(this.step);
    if (tell) this.onStep(this.step);
  }

  setBrush(brush: [number, number] | null, tell = true): void {
    this.brush = brush;
    this.showBrush();
    if (tell) this.onBrush(brush);
  }

  toggle(): void {
    if (this.playing) this.stop();
    else this.run();
  }

  private run(): void {
    let last = performance.now();
    if (this.t >= this.tMax && this.step === this.steps - 1) {
      this.setStep(0, true);
      this.setTime(this.tMin, true);
    }
    const tick = (now: number) => {
      const t = this.t + ((now - last) / PLAY_MS) * this.length;
      last = now;
      if (t < this.tMax) this.setTime(t, true);
      else if (this.step < this.steps - 1) {
        this.setStep(this.step + 1, true);
        this.setTime(this.tMin, true);
      } else {
        this.setTime(this.tMax, true);
        this.stop();
        return;
      }
      this.playing = requestAnimationFrame(tick);
    };
    this.playing = requestAnimationFrame(tick);
    this.play.replaceChildren(icon("pause"));
    this.play.setAttribute("aria-label", "Pause");
  }

  stop(): void {
    cancelAnimationFrame(this.playing);
    this.playing = 0;
    this.play.replaceChildren(icon("play"));
    this.play.setAttribute("aria-label", "Play");
  }

  private typed(): void {
    try {
      const from = parseNumber(this.from.value);
      const to = parseNumber(this.to.value);
      this.setBrush(from <= to ? [from, to] : [to, from]);
    } catch {
      this.showBrush();
    }
  }

  private brushing(): void {
    let began: number | null = null;
    const at = (event: PointerEvent) => {
      const box = this.picture.getBoundingClientRect();
      return this.tMin + Math.min(1, Math.max(0, (event.clientX - box.left) / box.width)) * this.length;
    };
    this.picture.addEventListener("pointerdown", (event) => {
      if (!this.times.length) return;
      this.picture.setPointerCapture(event.pointerId);
      began = at(event);
    });
    this.picture.addEventListener("pointermove", (event) => {
      if (began === null) return;
      const t = at(event);
      this.brush = [Math.min(began, t), Math.max(began, t)];
      this.showBrush();
    });
    this.picture.addEventListener("pointerup", (event) => {
      if (began === null) return;
      const wide = Math.abs(at(event) - began) > this.length / 300;
      if (!wide) this.setTime(at(event), true);
      began = null;
      this.setBrush(wide ? this.brush : null);
    });
    this.picture.addEventListener("pointercancel", () => {
      began = null;
    });
  }

  private showBrush(): void {
    const [from, to] = this.brush ?? [this.tMin, this.tMax];
    const scale = BINS / (this.length || 1);
    this.selection.setAttribute("visibility", this.brush ? "visible" : "hidden");
    this.selection.setAttribute("x", String((from - this.tMin) * scale));
    this.selection.setAttribute("width", String(Math.max(0.2, (to - from) * scale)));
    this.from.value = String(from);
    this.to.value = String(to);
  }
}
