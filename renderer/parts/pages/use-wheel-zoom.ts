import { useEffect, useRef } from 'react';
import type { Reader } from './reader.ts';
import { MAX_ZOOM, MIN_ZOOM, type Zoom } from './zoom.tsx';

/** Zoom of one px of the wheel; a pinch on a touchpad is reported as a wheel with Ctrl. */
const PER_PX = 0.0025;

/** Zooms by the wheel with Ctrl, and by a pinch, at the pointer. */
export function useWheelZoom(on: {
  readonly reader: Reader;
  readonly onZoom: (zoom: Zoom) => void;
  readonly holdAt: (x: number, y: number) => void;
}): void {
  const latest = useRef(on);
  latest.current = on;
  const { frame } = on.reader;
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const onWheel = (event: WheelEvent) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      const { reader, onZoom, holdAt } = latest.current;
      const { left, top } = element.getBoundingClientRect();
      const zoom = reader.scale.current * Math.exp(-event.deltaY * PER_PX);
      holdAt(event.clientX - left, event.clientY - top);
      onZoom(Math.min(Math.max(zoom, MIN_ZOOM), MAX_ZOOM));
    };
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  }, [frame]);
}
