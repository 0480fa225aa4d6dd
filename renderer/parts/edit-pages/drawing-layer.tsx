import { type PointerEvent, useRef, useState } from 'react';
import type { EditedPage, PageBox } from '../../../shared/page-edits.ts';
import { t } from '../../texts/index.ts';
import styles from './drawing-layer.module.css';
import { itemWords } from './item-words.ts';
import { PageItemBox } from './page-item.tsx';
import { boxBetween, isPictureTool, itemsOf, type PageItem, type Tool } from './page-marks.ts';
import { PagePicture, placeOf, type UnchangedPages } from './page-picture.tsx';

/** Least width and height in pixels of the screen of a box that is drawn by mouse; less is a press. */
const LEAST_DRAG_PX = 4;

interface DrawingLayerProps {
  readonly page: EditedPage;
  readonly number: number;
  readonly unchanged: UnchangedPages;
  readonly tool: Tool;
  /** Width of the picture in pixels. */
  readonly width: number;
  /** Key of an item. */
  readonly chosen: string | null;
  readonly setChosen: (key: string) => void;
  readonly onAspect: (aspect: number) => void;
  /** Puts something of usual size at a point. */
  readonly place: (x: number, y: number) => void;
  /** Puts a box that was drawn. */
  readonly add: (box: PageBox) => void;
  readonly remove: (item: PageItem) => void;
  readonly onItem: (item: PageItem) => void;
  readonly onLeave: () => void;
}

/** The page with everything on it, where the mouse draws. */
export function DrawingLayer(props: DrawingLayerProps) {
  const { page, number, unchanged, tool, chosen, setChosen, onAspect, remove, onItem, onLeave } = props;
  const layer = useRef<HTMLDivElement>(null);
  const { drawn, handlers } = useDrawing(layer, props);
  return (
    <div
      role="application"
      aria-label={t.send.edit.pageLabel}
      className={styles['drawing']}
      data-page-layer
      data-tool={tool}
      {...handlers}
    >
      <PagePicture
        {...{ unchanged, number, onAspect }}
        turn={page.turn}
        width={props.width}
        layerRef={layer}
        alt={t.send.edit.pageAlt}
      >
        {itemsOf(page).map((item) => (
          <PageItemBox
            key={item.key}
            item={item}
            page={page}
            name={itemWords(page, item.index)}
            isChosen={chosen === item.key}
            onChoose={() => setChosen(item.key)}
            onChange={onItem}
            onRemove={() => remove(item)}
            onLeave={onLeave}
          />
        ))}
        {drawn && <span className={styles['drawn']} data-kind={tool} style={placeOf(drawn)} />}
      </PagePicture>
      <p id="page-item-help" hidden>
        {t.send.edit.boxHelp}
      </p>
    </div>
  );
}

type Point = readonly [number, number];

/** Draws a box from where the mouse goes down to where it goes up. */
function useDrawing(
  layer: { readonly current: HTMLDivElement | null },
  { tool, place, add }: Pick<DrawingLayerProps, 'tool' | 'place' | 'add'>,
) {
  const [drawn, setDrawn] = useState<PageBox | null>(null);
  const from = useRef<{ point: Point; x: number; y: number } | null>(null);
  const pointOf = ({ clientX, clientY }: PointerEvent): Point => {
    const { left, top, width, height } = layer.current?.getBoundingClientRect() ?? new DOMRect(0, 0, 1, 1);
    return [(clientX - left) / width, (clientY - top) / height];
  };
  const isDrag = ({ clientX, clientY }: PointerEvent) =>
    from.current !== null &&
    Math.abs(clientX - from.current.x) >= LEAST_DRAG_PX &&
    Math.abs(clientY - from.current.y) >= LEAST_DRAG_PX;
  const stop = () => {
    from.current = null;
    setDrawn(null);
  };
  const handlers = {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      from.current = { point: pointOf(event), x: event.clientX, y: event.clientY };
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      if (from.current === null || tool === 'text') return;
      setDrawn(isDrag(event) ? boxBetween(from.current.point, pointOf(event)) : null);
    },
    onPointerUp: (event: PointerEvent<HTMLElement>) => {
      const start = from.current?.point;
      if (start === undefined) return;
      const hasDrawn = isDrag(event);
      const end = pointOf(event);
      stop();
      if (hasDrawn && tool !== 'text') add(boxBetween(start, end));
      else if (tool === 'text' || tool === 'tick' || isPictureTool(tool)) place(end[0], end[1]);
    },
    onPointerCancel: stop,
  };
  return { drawn, handlers };
}
