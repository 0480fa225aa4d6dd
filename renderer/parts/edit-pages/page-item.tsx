import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';
import { EDIT_LIMITS, type EditedPage, type PageBox } from '../../../shared/page-edits.ts';
import { t } from '../../texts/index.ts';
import styles from './page-item.module.css';
import { type PageItem, withinPage } from './page-marks.ts';
import { fontSizeOf, PlacedPicture, placeOf, pointOf, Tick } from './page-picture.tsx';

/** Shares by which one press of an arrow key moves, and with Ctrl. */
const STEP = 0.01;
const FINE = 0.002;
const ARROWS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

interface PageItemProps {
  readonly item: PageItem;
  readonly page: EditedPage;
  readonly name: string;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
  /** Called at the end of a movement. */
  readonly onChange: (item: PageItem) => void;
  readonly onRemove: () => void;
  /** Called when a person leaves it with Escape. */
  readonly onLeave: () => void;
}

/**
 * One thing on the page. Arrows move it, with Shift they change its size, with Ctrl both are fine; Delete removes it. It is
 * dragged by mouse, and sized at its corner.
 */
export function PageItemBox(props: PageItemProps) {
  const { item, page, name, isChosen, onChoose, onRemove, onLeave } = props;
  const { moving, move, finish, cancel } = useMovement(props);
  const shown = moving ?? item;
  const onKeyDown = (event: KeyboardEvent) => {
    const arrow = ARROWS[event.key];
    if (arrow) move(shifted(shown, arrow, event));
    else if (event.key === 'Delete' || event.key === 'Backspace') onRemove();
    else if (event.key === 'Escape') {
      if (moving === null) onLeave();
      else cancel();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const drag = useDrag(shown, { onChoose, move, finish });
  const kind = shown.index === null ? 'crop' : shown.mark.kind;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a button element takes no arrow keys in some screen readers, and no drags.
    <div
      role="button"
      tabIndex={0}
      aria-label={name}
      aria-roledescription={t.send.edit.boxRole}
      aria-describedby="page-item-help"
      className={styles['item']}
      data-item={item.key}
      data-kind={kind}
      data-chosen={isChosen || undefined}
      data-moving={moving !== null || undefined}
      style={
        shown.index !== null && shown.mark.kind === 'text'
          ? { ...pointOf(shown.mark), fontSize: fontSizeOf(shown.mark.size, page) }
          : placeOf(boxOf(shown))
      }
      onFocus={onChoose}
      onBlur={finish}
      onKeyDown={onKeyDown}
      onKeyUp={({ key }) => {
        if (key in ARROWS) finish();
      }}
      {...drag.whole}
    >
      {kind === 'tick' && <Tick />}
      {shown.index !== null && 'picture' in shown.mark && <PlacedPicture id={shown.mark.picture} />}
      {shown.index !== null && shown.mark.kind === 'text' ? (
        shown.mark.text
      ) : (
        <span className={styles['corner']} {...drag.corner} />
      )}
    </div>
  );
}

/** Keeps where the item is while it moves; the page changes at the end of the movement alone. */
function useMovement({ item, onChange }: Pick<PageItemProps, 'item' | 'onChange'>) {
  const [moving, setMoving] = useState<PageItem | null>(null);
  // Events of one frame come before the next drawing.
  const last = useRef<PageItem | null>(null);
  const set = (next: PageItem | null) => {
    last.current = next;
    setMoving(next);
  };
  return {
    moving,
    move: (next: PageItem) => set(next),
    cancel: () => set(null),
    finish: () => {
      const next = last.current;
      if (next === null) return;
      set(null);
      if (JSON.stringify(next) !== JSON.stringify(item)) onChange(next);
    },
  };
}

/** Pointer handlers for moving the whole and for sizing at the corner. */
function useDrag(
  shown: PageItem,
  { onChoose, move, finish }: { onChoose: () => void; move: (item: PageItem) => void; finish: () => void },
) {
  const from = useRef<{ x: number; y: number; page: DOMRect; item: PageItem; isSize: boolean } | null>(null);
  const begin = (isSize: boolean) => (event: PointerEvent<HTMLElement>) => {
    const layer = event.currentTarget.closest('[data-page-layer]');
    if (event.button !== 0 || layer === null) return;
    event.stopPropagation();
    onChoose();
    event.currentTarget.setPointerCapture(event.pointerId);
    from.current = {
      x: event.clientX,
      y: event.clientY,
      page: layer.getBoundingClientRect(),
      item: shown,
      isSize,
    };
  };
  const moved = ({ clientX, clientY }: PointerEvent) => {
    if (from.current === null) return;
    const { x, y, page, item, isSize } = from.current;
    const by = [(clientX - x) / page.width, (clientY - y) / page.height] as const;
    move(isSize ? sized(item, by) : placed(item, by));
  };
  const end = () => {
    from.current = null;
    finish();
  };
  const handlers = { onPointerMove: moved, onPointerUp: end, onPointerCancel: end };
  return {
    whole: { ...handlers, onPointerDown: begin(false) },
    corner: { ...handlers, onPointerDown: begin(true) },
  };
}

function shifted(
  item: PageItem,
  [x, y]: readonly [number, number],
  { shiftKey, ctrlKey, metaKey }: { shiftKey: boolean; ctrlKey: boolean; metaKey: boolean },
): PageItem {
  const step = ctrlKey || metaKey ? FINE : STEP;
  return shiftKey ? sized(item, [x * step, y * step]) : placed(item, [x * step, y * step]);
}

function placed(item: PageItem, [x, y]: readonly [number, number]): PageItem {
  if (item.index !== null && item.mark.kind === 'text') {
    const at = withinPage({ x: item.mark.x + x, y: item.mark.y + y, width: 0.02, height: 0.01 });
    return { ...item, mark: { ...item.mark, x: at.x, y: at.y } };
  }
  const box = boxOf(item);
  return withBox(item, withinPage({ ...box, x: box.x + x, y: box.y + y }));
}

/** Makes an item larger or smaller; a text by a point for each step. */
function sized(item: PageItem, [x, y]: readonly [number, number]): PageItem {
  if (item.index !== null && item.mark.kind === 'text') {
    const { leastTextSize, mostTextSize } = EDIT_LIMITS;
    const size = Math.min(Math.max(item.mark.size + Math.sign(x + y), leastTextSize), mostTextSize);
    return { ...item, mark: { ...item.mark, size } };
  }
  const box = boxOf(item);
  const [width, height] = [Math.min(box.width + x, 1 - box.x), Math.min(box.height + y, 1 - box.y)];
  return withBox(item, withinPage({ ...box, width, height }));
}

function boxOf(item: PageItem): PageBox {
  if (item.index === null) return item.box;
  return item.mark.kind === 'text' ? { ...item.mark, width: 0, height: 0 } : item.mark.box;
}

function withBox(item: PageItem, box: PageBox): PageItem {
  if (item.index === null) return { ...item, box };
  return item.mark.kind === 'text' ? item : { ...item, mark: { ...item.mark, box } };
}
