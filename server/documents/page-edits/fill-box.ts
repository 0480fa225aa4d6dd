import type { PageBox } from '../../../shared/page-edits.ts';
import type { Placement } from '../raster/page-geometry.ts';
import type { OneBitPage } from '../t4/one-bit-page.ts';

/** Dots by which a box is larger than it was drawn, so that no edge of a letter stays. */
const OVERLAP = 1;

/** Makes all dots of a box of the page black or white. */
export function fillBox(
  page: OneBitPage,
  { box, placement, isBlack }: { box: PageBox; placement: Placement; isBlack: boolean },
): void {
  const left = within(Math.floor(placement.left + box.x * placement.width) - OVERLAP, page.width);
  const right = within(
    Math.ceil(placement.left + (box.x + box.width) * placement.width) + OVERLAP,
    page.width,
  );
  const top = within(Math.floor(placement.top + box.y * placement.height) - OVERLAP, page.height);
  const bottom = within(
    Math.ceil(placement.top + (box.y + box.height) * placement.height) + OVERLAP,
    page.height,
  );
  for (let y = top; y < bottom; y++) fillRow(page, y, { left, right, isBlack });
}

function fillRow(
  { rows, stride }: OneBitPage,
  y: number,
  { left, right, isBlack }: { left: number; right: number; isBlack: boolean },
): void {
  const start = y * stride;
  for (let byte = left >> 3; byte < (right + 7) >> 3; byte++) {
    const from = Math.max(left - byte * 8, 0);
    const to = Math.min(right - byte * 8, 8);
    const bits = (0xff >> from) & (0xff << (8 - to)) & 0xff;
    const before = rows[start + byte] ?? 0;
    rows[start + byte] = isBlack ? before | bits : before & ~bits;
  }
}

const within = (value: number, most: number): number => Math.min(Math.max(value, 0), most);
