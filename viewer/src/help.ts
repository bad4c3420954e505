// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the libtoi authors

// What the reader may want to know, in the page itself: it has no network to look elsewhere.

import { el, facts } from "./ui";

export function help(): HTMLElement[] {
  return [
    el(
      "div",
      { class: "card" },
      el("h2", {}, "What the words mean"),
      facts([
        ["hit", "proved: they touch, first at a time in [t_lo, t_hi]"],
        ["miss", "proved: nothing touches"],
        ["near", "neither proved nor refuted; nothing touches before t_lo"],
        ["t_safe", "strictly before contact: step no further than this"],
        ["level", "the step of the cascade that decided, from box (cheapest) to exact (integers)"],
        ["unique", "a contact that is proved to be the only one nearby"],
        ["singular", "a sample of a curve or region of contact, or a contact that only grazes"],
      ]),
    ),
    el(
      "div",
      { class: "card" },
      el("h2", {}, "Keys"),
      facts([
        ["Space", "play and pause"],
        [", and .", "previous and next contact"],
        ["F", "all in view"],
        ["W", "wireframe"],
        ["Arrows, + −", "in the picture: turn and zoom; in the list: choose"],
        ["?", "this panel"],
      ]),
      el(
        "p",
        { class: "soft" },
        "Mouse: drag to rotate, right button or shift to pan, wheel to zoom. Touch: one finger rotates, two pan and zoom. Drag across the histogram above the slider to choose an interval of time.",
      ),
    ),
    el(
      "div",
      { class: "card" },
      el("h2", {}, "Numbers"),
      el(
        "p",
        {},
        "Every number is the library's, exact to the bit: 17 digits give the same double back, and 0x shows the bits themselves. Click a number to copy it. Positions are drawn in single precision; the picture decides nothing.",
      ),
      el("p", { class: "soft" }, "The page loads nothing and sends nothing: its own policy forbids it."),
    ),
  ];
}
