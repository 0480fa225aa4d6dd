/** Pixels of a fax line at 204 per inch: A4, Letter and Legal share them. */
export const faxWidth = 1728;
/** Lines at 196 per inch that fit on A4 without the receiver splitting the page. */
export const paperLines = 2286;
/** A page of ten sheets; longer ones are refused. */
export const maxLines = 10 * paperLines;

const dotsPerPoint = 204 / 72;
const linesPerPoint = 196 / 72;

/** Position of a page on a raster of `lines` lines: `width` by `height` pixels, from `left` and `top`. */
export interface Placement {
  lines: number;
  left: number;
  top: number;
  width: number;
  height: number;
  /** Size on the raster in relation to the true size. */
  scale: number;
  /** Turned by a quarter, to the right; left out for a page that is not. */
  isTurned?: boolean;
}

/**
 * Fits a page of `widthPt` by `heightPt` points to the fax raster (204 x 196 per inch). A page wider than the raster
 * is made smaller; a narrower one fills the width as far as it still fits on one sheet. A4 loses 0.3 % of its size so
 * that it stays within 2,286 lines.
 */
export function placePage(widthPt: number, heightPt: number): Placement {
  const fitWidth = faxWidth / (widthPt * dotsPerPoint);
  const fitHeight = paperLines / (heightPt * linesPerPoint);
  const scale = Math.min(fitWidth, fitHeight >= 0.98 ? fitHeight : 1);
  const width = Math.min(faxWidth, Math.max(1, Math.round(widthPt * dotsPerPoint * scale)));
  const height = Math.max(1, Math.round(heightPt * linesPerPoint * scale));
  return { lines: height, left: (faxWidth - width) >> 1, top: 0, width, height, scale };
}

/** The same page made smaller so that its first `top` lines stay free. */
export function belowTop(placement: Placement, top: number): Placement {
  const { lines } = placement;
  const share = Math.max(lines - top, 1) / lines;
  const width = Math.max(1, Math.round(placement.width * share));
  const height = Math.max(1, lines - top);
  return { lines, left: (faxWidth - width) >> 1, top, width, height, scale: placement.scale * share };
}
