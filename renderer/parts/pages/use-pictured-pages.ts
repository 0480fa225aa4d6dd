import { useCallback, useEffect, useRef, useState } from 'react';

/** Full drawings on either side of the current page. */
const AROUND = 2;
/** Pages that follow each other faster than this are passed while scrolling. */
const PASSED_MS = 250;
/** Small pictures that are requested at a time; the gateway draws them in groups. */
const AT_A_TIME = 4;
/** Pages in the direction of the scrolling that come before those that were passed. */
const AHEAD = 40;
/** Small pictures further away are not requested: a document that long is not scrolled through at once. */
const MAX_STRIPS = 600;

/** Returns whether a page gets its full drawing now. A page that is only passed while scrolling gets none. */
export function useFullPages(current: number): (page: number) => boolean {
  const [center, setCenter] = useState(current);
  const last = useRef(-Infinity);
  const isNear = (page: number) => Math.abs(page - center) <= AROUND;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another page moves the drawings.
  useEffect(() => {
    const isPassing = performance.now() - last.current < PASSED_MS;
    last.current = performance.now();
    // A page that was gone to is drawn at once, and those around one that is drawn when it is read.
    if (!isPassing && !isNear(current)) return setCenter(current);
    const timer = setTimeout(() => setCenter(current), PASSED_MS);
    return () => clearTimeout(timer);
  }, [current]);
  return isNear;
}

interface Strips {
  readonly has: (page: number) => boolean;
  /** Call when the small picture of a page is here, or cannot be had. */
  readonly onReady: (page: number) => void;
}

/**
 * Decides which pages show their small picture: one after the other all of them, those next to the current page first, so
 * that there is something to see wherever the person scrolls.
 */
export function useStrips(count: number, current: number, isOn: boolean): Strips {
  const asked = useRef(new Set<number>());
  const ready = useRef(new Set<number>());
  const [, redraw] = useState(0);
  const place = useRef({ count, current, way: 1 });
  if (place.current.current !== current) place.current.way = Math.sign(current - place.current.current);
  place.current = { ...place.current, count, current };
  const fill = useCallback(() => {
    const underway = [...asked.current].filter((page) => !ready.current.has(page)).length;
    const next = nearest(place.current, asked.current).slice(0, Math.max(0, AT_A_TIME - underway));
    if (next.length === 0) return;
    for (const page of next) asked.current.add(page);
    redraw((before) => before + 1);
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the current page decides which comes next.
  useEffect(() => {
    if (isOn) fill();
  }, [fill, isOn, count, current]);
  const onReady = useCallback(
    (page: number) => {
      if (ready.current.has(page)) return;
      ready.current.add(page);
      fill();
    },
    [fill],
  );
  return { has: (page) => asked.current.has(page), onReady };
}

/** Returns the pages without a small picture: those that the scrolling leads to, then the nearest. */
function nearest(
  { count, current, way }: { count: number; current: number; way: number },
  asked: ReadonlySet<number>,
): number[] {
  const pages = new Set<number>();
  if (asked.size >= MAX_STRIPS) return [];
  const add = (page: number) => {
    if (page >= 1 && page <= count && !asked.has(page)) pages.add(page);
  };
  for (let far = 0; far < AHEAD; far += 1) add(current + way * far);
  for (let far = 1; far < count && pages.size < AT_A_TIME; far += 1) {
    add(current + far);
    add(current - far);
  }
  return [...pages];
}
