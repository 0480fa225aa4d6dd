import { type PointerEvent, type Ref, useEffect, useRef } from 'react';
import { t } from '../../texts/signatures.ts';
import styles from './signatures.module.css';

const words = t.signatures;
/** Pixels that are drawn on, whatever the size on the screen. */
const WIDTH = 1200;
const HEIGHT = 400;
const PEN = 7;

interface DrawingPadProps {
  readonly canvas: Ref<HTMLCanvasElement>;
  /** Picture that is shown in place of a drawing; null while a person draws. */
  readonly chosen: { readonly name: string; readonly picture: Blob } | null;
  /** Called after each stroke. */
  readonly onStroke: () => void;
}

/** A white area to draw on with mouse, finger or pen, which shows a chosen picture as well. */
export function DrawingPad({ canvas, chosen, onStroke }: DrawingPadProps) {
  const own = useRef<HTMLCanvasElement | null>(null);
  const pen = usePen(onStroke);
  useEffect(() => {
    if (own.current) clearPad(own.current);
    if (own.current && chosen) void showPicture(own.current, chosen.picture);
  }, [chosen]);
  return (
    <canvas
      ref={(element) => {
        own.current = element;
        if (typeof canvas === 'function') canvas(element);
        else if (canvas) canvas.current = element;
      }}
      role="img"
      aria-label={chosen ? words.chosenPad(chosen.name) : words.pad}
      className={styles['pad']}
      data-chosen={chosen === null ? undefined : ''}
      width={WIDTH}
      height={HEIGHT}
      {...(chosen === null ? pen : {})}
    />
  );
}

/** Empties the area. */
export function clearPad(canvas: HTMLCanvasElement): void {
  const context = canvas.getContext('2d');
  if (!context) return;
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
}

async function showPicture(canvas: HTMLCanvasElement, picture: Blob): Promise<void> {
  const shown = await createImageBitmap(picture);
  const scale = Math.min(canvas.width / shown.width, canvas.height / shown.height);
  const [width, height] = [shown.width * scale, shown.height * scale];
  canvas
    .getContext('2d')
    ?.drawImage(shown, (canvas.width - width) / 2, (canvas.height - height) / 2, width, height);
  shown.close();
}

type Canvas = PointerEvent<HTMLCanvasElement>;

function usePen(onStroke: () => void) {
  const last = useRef<readonly [number, number] | null>(null);
  const drawTo = (canvas: HTMLCanvasElement, to: readonly [number, number]) => {
    const context = canvas.getContext('2d');
    const from = last.current;
    if (!context || !from) return;
    context.strokeStyle = '#000';
    context.lineWidth = PEN;
    context.lineCap = 'round';
    context.beginPath();
    context.moveTo(...from);
    context.lineTo(...to);
    context.stroke();
    last.current = to;
  };
  const end = () => {
    if (last.current !== null) onStroke();
    last.current = null;
  };
  return {
    onPointerDown: (event: Canvas) => {
      if (event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      last.current = pointOf(event.currentTarget, event);
      drawTo(event.currentTarget, last.current);
    },
    onPointerMove: (event: Canvas) => {
      if (last.current === null) return;
      const { currentTarget: canvas, nativeEvent } = event;
      const passed = nativeEvent.getCoalescedEvents?.() ?? [];
      for (const point of passed.length > 0 ? passed : [nativeEvent]) drawTo(canvas, pointOf(canvas, point));
    },
    onPointerUp: end,
    onPointerCancel: end,
  };
}

function pointOf(
  canvas: HTMLCanvasElement,
  { clientX, clientY }: { clientX: number; clientY: number },
): readonly [number, number] {
  const { left, top, width, height } = canvas.getBoundingClientRect();
  return [((clientX - left) / width) * canvas.width, ((clientY - top) / height) * canvas.height];
}
