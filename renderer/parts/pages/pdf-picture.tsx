import { useEffect, useRef, useState } from 'react';
import { PageProblem } from './page-image.tsx';
import type { PictureRequest } from './page-props.ts';
import styles from './page-viewer.module.css';
import type { PdfDocument } from './pdf-document.ts';

/** Width of a picture in the place of a page until that is drawn, in dots. */
const STRIP_WIDTH = 160;

/** One page of a PDF, drawn as sharp as the screen shows it and again when its place changes its size. */
export function PdfPicture({
  pdf,
  request,
  alt,
}: {
  pdf: PdfDocument;
  request: PictureRequest;
  alt: string;
}) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [tried, setTried] = useState(0);
  const [error, setError] = useState<unknown>(null);
  const { page, size } = request;
  const tell = useRef(request);
  tell.current = request;
  useEffect(() => {
    const element = canvas.current;
    if (!element) return;
    const drawing = keepDrawn(pdf, page, element, {
      width: size === 'strip' ? STRIP_WIDTH : null,
      onAspect: (aspect) => tell.current.onAspect(aspect),
      onDrawn: () => tell.current.onReady?.(),
    });
    drawing.failed.then((reason) => {
      setError(reason);
      tell.current.onReady?.();
    }, ignore);
    return drawing.stop;
  }, [pdf, page, size, tried]);
  const tryAgain = () => {
    setError(null);
    setTried(tried + 1);
  };
  if (error !== null) return <PageProblem request={request} error={error} tryAgain={tryAgain} />;
  return (
    <canvas
      ref={canvas}
      className={styles['picture']}
      {...(size === 'sheet' ? { role: 'img', 'aria-label': alt } : { 'aria-hidden': true })}
    />
  );
}

/** Draws the page into the canvas whenever its width on the screen changes, until it is stopped. */
function keepDrawn(
  pdf: PdfDocument,
  number: number,
  canvas: HTMLCanvasElement,
  on: {
    /** In dots; null for the width that it has on the screen. */
    readonly width: number | null;
    readonly onAspect: (aspect: number) => void;
    readonly onDrawn: () => void;
  },
): { stop: () => void; failed: Promise<unknown> } {
  const failure = Promise.withResolvers<unknown>();
  let running: { cancel: () => void } | null = null;
  let drawn = 0;
  let isStopped = false;
  const draw = async () => {
    const shown = Math.round(canvas.clientWidth * window.devicePixelRatio);
    const width = shown === 0 ? 0 : (on.width ?? shown);
    if (width === 0 || width === drawn) return;
    drawn = width;
    const page = await pdf.getPage(number);
    const { width: points, height } = page.getViewport({ scale: 1 });
    on.onAspect(points / height);
    if (isStopped) return;
    running?.cancel();
    // Drawn beside it, so that the old picture stays until the new one is whole.
    const fresh = document.createElement('canvas');
    const viewport = page.getViewport({ scale: width / points });
    fresh.width = width;
    fresh.height = Math.round(viewport.height);
    const task = page.render({ canvas: fresh, viewport });
    running = task;
    await task.promise;
    canvas.width = fresh.width;
    canvas.height = fresh.height;
    canvas.getContext('2d')?.drawImage(fresh, 0, 0);
    on.onDrawn();
  };
  const observer = new ResizeObserver(() => {
    draw().catch((error: unknown) => {
      if (!isStopped && !isCancelled(error)) failure.resolve(error);
    });
  });
  observer.observe(canvas);
  return {
    stop() {
      isStopped = true;
      observer.disconnect();
      running?.cancel();
    },
    failed: failure.promise,
  };
}

const isCancelled = (error: unknown) =>
  error instanceof Error && error.name === 'RenderingCancelledException';

function ignore(): void {}
