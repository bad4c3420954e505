// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the libtoi authors

// Two pictures, pixel by pixel, in the browser itself.

/** The part of pixels of which a channel differs by more than 16 of 255; 1 where the sizes differ. */
export async function difference(context, a, b) {
  const page = await context.newPage();
  const part = await page.evaluate(
    async ([first, second]) => {
      const pixels = async (text) => {
        const image = new Image();
        image.src = `data:image/png;base64,${text}`;
        await image.decode();
        const canvas = new OffscreenCanvas(image.width, image.height);
        const draw = canvas.getContext("2d");
        draw.drawImage(image, 0, 0);
        return draw.getImageData(0, 0, image.width, image.height);
      };
      const [p, q] = [await pixels(first), await pixels(second)];
      if (p.width !== q.width || p.height !== q.height) return 1;
      let different = 0;
      for (let i = 0; i < p.data.length; i += 4)
        for (let k = 0; k < 3; k++)
          if (Math.abs(p.data[i + k] - q.data[i + k]) > 16) {
            different++;
            break;
          }
      return different / (p.width * p.height);
    },
    [a.toString("base64"), b.toString("base64")],
  );
  await page.close();
  return part;
}
