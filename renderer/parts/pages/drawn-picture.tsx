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

/** Part of the image's width from which on the browser makes it smaller by itself without a loss. */
const NEARLY = 0.75;

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
  const sized = new ResizeObserver(() => void draw(canvas, bitmap, signal).catch(() => undefined));
  signal.addEventListener('abort', () => {
    sized.disconnect();
    bitmap.close();
    canvas.width = 0;
    canvas.height = 0;
  });
  await draw(canvas, bitmap, signal);
  signal.throwIfAborted();
  canvas.dataset['drawn'] = '';
  sized.observe(canvas);
  return bitmap;
}

/** Draws the image in the dots of the screen that the canvas takes, where these are much fewer than its own. */
async function draw(canvas: HTMLCanvasElement, bitmap: ImageBitmap, signal: AbortSignal): Promise<void> {
  const size = drawnSize(canvas, bitmap);
  if ('drawn' in canvas.dataset && canvas.width === size.width && canvas.height === size.height) return;
  const isSmaller = size.width < bitmap.width;
  const options = { resizeWidth: size.width, resizeHeight: size.height, resizeQuality: 'high' } as const;
  const drawn = await createImageBitmap(bitmap, isSmaller ? options : {});
  // Shown in yet another size meanwhile, it is drawn once more.
  const isOld = 'drawn' in canvas.dataset && drawnSize(canvas, bitmap).width !== size.width;
  if (signal.aborted || isOld) return drawn.close();
  canvas.width = drawn.width;
  canvas.height = drawn.height;
  canvas.getContext('bitmaprenderer')?.transferFromImageBitmap(drawn);
}

function drawnSize({ clientWidth, clientHeight }: HTMLCanvasElement, { width, height }: ImageBitmap) {
  const dots = window.devicePixelRatio;
  const shown = { width: Math.round(clientWidth * dots), height: Math.round(clientHeight * dots) };
  return shown.width > 0 && shown.width < width * NEARLY ? shown : { width, height };
}
