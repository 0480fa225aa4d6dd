import type { Zoom } from './zoom.tsx';

/** Fine resolution: 1728 dots at 204 dpi by the lines of a letter sheet at 196 dpi. */
const DEFAULT_ASPECT = 8.47 / 11;
/** Between the pages and around them, in px. */
export const GAP = 16;
/** A sheet of letter paper on the screen, in px: 8.5 inches of 96. */
const PAPER_WIDTH = 816;

/** Place of a page on the track that the frame scrolls, in px. */
interface PageBox {
  readonly page: number;
  readonly top: number;
  readonly left: number;
  readonly width: number;
  readonly height: number;
}

export interface PageLayout {
  /** In order; a single one where one page is shown at a time. */
  readonly boxes: readonly PageBox[];
  readonly width: number;
  readonly height: number;
}

interface FrameSize {
  readonly width: number;
  readonly height: number;
}

/** Returns the places of the pages, below each other. */
export function layOutPages(of: {
  readonly pages: readonly number[];
  /** Width divided by height of a page as it came. */
  readonly aspects: ReadonlyMap<number, number>;
  readonly turnsOf: (page: number) => number;
  readonly zoom: Zoom;
  readonly frame: FrameSize;
}): PageLayout {
  // A page whose picture is not here yet is as long as the others.
  const usual = of.aspects.get(1) ?? [...of.aspects.values()][0] ?? DEFAULT_ASPECT;
  const sizes = of.pages.map((page) => {
    const aspect = of.aspects.get(page) ?? usual;
    return { page, ...sizeOf(of.turnsOf(page) % 2 === 1 ? 1 / aspect : aspect, aspect, of) };
  });
  const width = Math.max(of.frame.width, ...sizes.map((size) => size.width + 2 * GAP));
  let top = GAP;
  const boxes = sizes.map((size) => {
    const box = { ...size, top, left: (width - size.width) / 2 };
    top += size.height + GAP;
    return box;
  });
  return { boxes, width, height: Math.max(top, of.frame.height) };
}

function sizeOf(shown: number, aspect: number, { zoom, frame }: { zoom: Zoom; frame: FrameSize }) {
  const [wide, high] = [Math.max(frame.width - 2 * GAP, 1), Math.max(frame.height - 2 * GAP, 1)];
  const isTurned = shown !== aspect;
  const width =
    zoom === 'width'
      ? wide
      : zoom === 'page'
        ? Math.min(wide, high * shown)
        : (PAPER_WIDTH * zoom) / (isTurned ? aspect : 1);
  return { width, height: width / shown };
}

/** Returns the scale of a page as it is shown: 1 is the size of its paper. */
export function scaleOf(box: Pick<PageBox, 'width' | 'height'>, turns: number): number {
  return (turns % 2 === 1 ? box.height : box.width) / PAPER_WIDTH;
}

/** Returns the last box that begins at or above a line of the track; the first one when none does. */
export function boxAt({ boxes }: PageLayout, y: number): PageBox | undefined {
  let [low, high] = [0, boxes.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((boxes[middle]?.top ?? 0) <= y) low = middle;
    else high = middle - 1;
  }
  return boxes[low];
}
