/** Least difference between ink and paper, of 255 greys. */
const LEAST_CONTRAST = 50;
/** Greys around the middle between ink and paper that stay grey. */
const SOFT = 30;
/** Pixels around the ink that stay. */
const MARGIN = 4;
/** A darker pixel is ink. */
const INK_BELOW = 128;

/** Returns grey pixels as ink on white, without the tint of the paper; null where there is no ink. */
export function inkOnWhite(pixels: Uint8Array): Uint8Array | null {
  const counts = Array.from({ length: 256 }, () => 0);
  for (const pixel of pixels) counts[pixel] = (counts[pixel] ?? 0) + 1;
  const { middle, contrast } = middleOf(counts, pixels.length);
  if (contrast < LEAST_CONTRAST) return null;
  const ramp = Uint8Array.from(counts, (_, grey) =>
    Math.round(Math.min(Math.max((grey - middle + SOFT) / (2 * SOFT), 0), 1) * 255),
  );
  return pixels.map((pixel) => ramp[pixel] ?? 255);
}

/** Returns the grey that best separates dark from light pixels, by Otsu, and how far apart their means are. */
function middleOf(counts: readonly number[], all: number): { middle: number; contrast: number } {
  const sum = counts.reduce((total, count, grey) => total + count * grey, 0);
  let best = { middle: 128, contrast: 0, spread: -1 };
  let [dark, darkSum] = [0, 0];
  for (const [grey, count] of counts.entries()) {
    dark += count;
    darkSum += count * grey;
    if (dark === 0 || dark === all) continue;
    const contrast = (sum - darkSum) / (all - dark) - darkSum / dark;
    const spread = dark * (all - dark) * contrast ** 2;
    if (spread > best.spread) best = { middle: darkSum / dark + contrast / 2, contrast, spread };
  }
  return best;
}

/** Returns the part of the picture that has ink, with a margin; null where there is none. */
export function inkBox(pixels: Uint8Array, width: number, height: number) {
  let [left, top, right, bottom] = [width, height, -1, -1];
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      if ((pixels[y * width + x] ?? 255) >= INK_BELOW) continue;
      left = Math.min(left, x);
      right = Math.max(right, x);
      top = Math.min(top, y);
      bottom = y;
    }
  if (right < 0) return null;
  const [from, upper] = [Math.max(left - MARGIN, 0), Math.max(top - MARGIN, 0)];
  return {
    left: from,
    top: upper,
    width: Math.min(right + MARGIN + 1, width) - from,
    height: Math.min(bottom + MARGIN + 1, height) - upper,
  };
}
