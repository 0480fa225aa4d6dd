import type { EditedPage } from '../../../shared/page-edits.ts';
import { t } from '../../texts/index.ts';
import { formatCount } from '../../ui/format.ts';

const SHOWN_TEXT = 30;

/** Names an item of a page by its kind and its number among those of its kind; null is the part that is sent. */
export function itemName({ marks }: EditedPage, index: number | null): string {
  const words = t.send.edit;
  if (index === null) return words.cropName;
  const mark = marks[index];
  if (!mark) return '';
  if (mark.kind === 'text') {
    const line = mark.text.replace(/\s+/gu, ' ');
    return words.textName(line.length > SHOWN_TEXT ? `${line.slice(0, SHOWN_TEXT)}…` : line);
  }
  const number = marks.slice(0, index + 1).filter(({ kind }) => kind === mark.kind).length;
  return words.markName[mark.kind](formatCount(number));
}

/** Names an item with its place and size. */
export function itemWords(page: EditedPage, index: number | null): string {
  return [itemName(page, index), ...placeOfItem(page, index)].join(', ');
}

function placeOfItem({ marks, crop }: EditedPage, index: number | null): readonly string[] {
  const words = t.send.edit;
  if (index === null) return crop === null ? [] : [placeWords(crop)];
  const mark = marks[index];
  if (!mark) return [];
  if (mark.kind !== 'text') return [placeWords(mark.box)];
  return [words.at(percent(mark.x), percent(mark.y)), words.inSize(mark.size)];
}

function placeWords({
  x,
  y,
  width,
  height,
}: {
  x: number;
  y: number;
  width: number;
  height: number;
}): string {
  const words = t.send.edit;
  return `${words.at(percent(x), percent(y))}, ${words.ofSize(percent(width), percent(height))}`;
}

const shares = new Intl.NumberFormat(navigator.language, { style: 'percent', maximumFractionDigits: 1 });
const percent = (share: number): string => shares.format(share);
