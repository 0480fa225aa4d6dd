import type { PageBox } from '../../../shared/page-edits.ts';

/** Returns a box of the whole page in shares of the part that is left of it; null where nothing of it is left. */
export function onCutPage(box: PageBox, crop: PageBox | null): PageBox | null {
  if (crop === null) return box;
  const left = Math.max((box.x - crop.x) / crop.width, 0);
  const top = Math.max((box.y - crop.y) / crop.height, 0);
  const right = Math.min((box.x + box.width - crop.x) / crop.width, 1);
  const bottom = Math.min((box.y + box.height - crop.y) / crop.height, 1);
  if (right <= left || bottom <= top) return null;
  return { x: left, y: top, width: right - left, height: bottom - top };
}
