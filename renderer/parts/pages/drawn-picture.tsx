import { useEffect, useRef } from 'react';
import { loadPicture } from './load-picture.ts';
import styles from './page-viewer.module.css';

/** An image as it is drawn on a canvas. */
interface DrawnPictureProps {
  readonly src: string;
  readonly alt: string;
  /** It is loaded while an earlier one is shown. */
  readonly isAhead: boolean;
  /** Called with its size in pixels once it is on the screen. */
  readonly onDrawn: (width: number, height: number) => void;
  /** It could not be loaded or decoded. */
  readonly onError: () => void;
}

/**
 * Draws an image on a canvas, as large as it is shown: browsers leave out lines where they make a canvas smaller, so that a
 * 140 reads like a 412. The browser keeps the pixels of an `<img>` for as long as it likes, 4 to 17 MB for each page that was
 * ever in view; those of a canvas are released with it.
 */
export function DrawnPicture({ src, alt, isAhead, onDrawn, onError }: DrawnPictureProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const on = useRef({ onDrawn, onError });
  on.current = { onDrawn, onError };
  useEffect(() => {
    const element = canvas.current;
    if (!element) return;
    const abort = new AbortController();
    drawWhileShown(element, src, abort.signal).then(
      ({ width, height }) => on.current.onDrawn(width, height),
      () => {
        if (!abort.signal.aborted) on.current.onError();
      },
    );
    return () => abort.abort();
  }, [src]);
  return (
    <canvas
      ref={canvas}
      className={styles['picture']}
      role="img"
      aria-label={alt}
      data-src={src}
      data-ahead={isAhead || undefined}
    />
  );
}

/**
 * Loads the image and draws it, again whenever it is shown in another size, until the signal aborts. Resolves with the image
 * once it is drawn. Sets `data-drawn` on the canvas when it shows it.
 */
async function drawWhileShown(
  canvas: HTMLCanvasElement,
  src: string,
  signal: AbortSignal,
): Promise<ImageBitmap> {
  const bitmap = await loadPicture(src, signal);
  if (signal.aborted) bitmap.close();
  signal.throwIfAborted();
  draw(canvas, bitmap);
  canvas.dataset['drawn'] = '';
  const sized = new ResizeObserver(() => draw(canvas, bitmap));
  sized.observe(canvas);
  signal.addEventListener('abort', () => {
    sized.disconnect();
    bitmap.close();
    canvas.width = 0;
    canvas.height = 0;
  });
  return bitmap;
}

/** Draws the image in the dots of the screen that the canvas takes, and never in more than its own. */
function draw(canvas: HTMLCanvasElement, bitmap: ImageBitmap): void {
  const dots = window.devicePixelRatio;
  const width = Math.min(bitmap.width, Math.round(canvas.clientWidth * dots)) || bitmap.width;
  const height = Math.min(bitmap.height, Math.round(canvas.clientHeight * dots)) || bitmap.height;
  if ('drawn' in canvas.dataset && canvas.width === width && canvas.height === height) return;
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d', { alpha: false });
  if (!context) throw new Error('The picture cannot be drawn.');
  context.imageSmoothingQuality = 'high';
  context.drawImage(bitmap, 0, 0, width, height);
}
