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
 * Draws an image on a canvas. The browser keeps the pixels of an `<img>` for as long as it likes, 4 to 17 MB for each page
 * that was ever in view; those of a canvas are released with it.
 */
export function DrawnPicture({ src, alt, isAhead, onDrawn, onError }: DrawnPictureProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const on = useRef({ onDrawn, onError });
  on.current = { onDrawn, onError };
  useEffect(() => {
    const element = canvas.current;
    if (!element) return;
    const abort = new AbortController();
    drawInto(element, src, abort.signal).then(
      () => on.current.onDrawn(element.width, element.height),
      () => {
        if (!abort.signal.aborted) on.current.onError();
      },
    );
    return () => {
      abort.abort();
      element.width = 0;
      element.height = 0;
    };
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

/** Sets `data-drawn` on the canvas when it shows the image. */
async function drawInto(canvas: HTMLCanvasElement, src: string, signal: AbortSignal): Promise<void> {
  const bitmap = await loadPicture(src, signal);
  if (signal.aborted) bitmap.close();
  signal.throwIfAborted();
  canvas.width = bitmap.width;
  canvas.height = bitmap.height;
  canvas.getContext('bitmaprenderer')?.transferFromImageBitmap(bitmap);
  canvas.dataset['drawn'] = '';
}
