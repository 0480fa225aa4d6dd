/** V.17, which every fax machine of the last decades speaks. */
const bitsPerSecond = 14_400;
/** Error correction frames add about 5 %. */
const framing = 1.05;
const dialSeconds = 15;
const setupSeconds = 12;
const betweenPagesSeconds = 4;
const endSeconds = 3.5;

/**
 * Estimates the duration of a call that carries pages of these numbers of coded bytes, from dialing to hanging up, in
 * seconds.
 */
export function callSeconds(pageBytes: number[]): number {
  const bytes = pageBytes.reduce((sum, page) => sum + page, 0);
  const between = betweenPagesSeconds * Math.max(pageBytes.length - 1, 0);
  return dialSeconds + setupSeconds + ((bytes * 8) / bitsPerSecond) * framing + between + endSeconds;
}

/** Returns the share of one page, with the pause before the next, in seconds. */
export function pageSeconds(bytes: number): number {
  return ((bytes * 8) / bitsPerSecond) * framing + betweenPagesSeconds;
}

/** A page of text, coded as it is sent. */
const TYPICAL_PAGE_BYTES = 40_000;

/** The same of so many ordinary pages, where nobody has looked at them. Whole seconds. */
export function typicalCallSeconds(pages: number): number {
  return Math.round(callSeconds(Array.from({ length: pages }, () => TYPICAL_PAGE_BYTES)));
}
