/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Draws what Sphinx leaves as \( ... \) and \[ ... \]. */
document.addEventListener("DOMContentLoaded", () => {
  for (const place of document.querySelectorAll(".math")) {
    const text = place.textContent.trim();
    katex.render(text.slice(2, -2), place, { displayMode: text.startsWith("\\["), throwOnError: false });
  }
});
