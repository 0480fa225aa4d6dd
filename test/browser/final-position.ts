import { isDeepStrictEqual } from 'node:util';
import type { Locator } from 'playwright';
import { expect } from 'vitest';

/** Ends after the page was drawn twice; for `evaluate`. */
const DRAWN = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))';

/** Returns the final position of an element: lists measure and scroll to their rows a frame after they are drawn. */
export async function finalPosition(of: Locator): ReturnType<Locator['boundingBox']> {
  let place = await of.boundingBox();
  await expect
    .poll(async () => {
      const before = place;
      await of.page().evaluate(DRAWN);
      place = await of.boundingBox();
      return isDeepStrictEqual(place, before);
    })
    .toBe(true);
  return place;
}
