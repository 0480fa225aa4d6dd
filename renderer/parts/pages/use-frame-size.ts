import { type RefObject, useLayoutEffect, useState } from 'react';

/** Returns the size of the frame without its scrollbars, in px; null until it is drawn. */
export function useFrameSize(
  frame: RefObject<HTMLElement | null>,
): { readonly width: number; readonly height: number } | null {
  const [size, setSize] = useState<{ width: number; height: number } | null>(null);
  useLayoutEffect(() => {
    const element = frame.current;
    if (!element) return;
    const measure = () =>
      setSize((before) => {
        const { clientWidth: width, clientHeight: height } = element;
        return before?.width === width && before.height === height ? before : { width, height };
      });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [frame]);
  return size;
}
