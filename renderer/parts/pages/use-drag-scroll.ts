import { type RefObject, useEffect } from 'react';

/** Moves the pages with the mouse: press on a page and drag. */
export function useDragScroll(frame: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    let at: { x: number; y: number } | null = null;
    const onDown = (event: PointerEvent) => {
      const target = event.target as Element;
      const isOnPage = target !== element && !target.closest('button, a, input');
      if (event.button !== 0 || event.pointerType !== 'mouse' || !isOnPage) return;
      at = { x: event.clientX, y: event.clientY };
      element.setPointerCapture(event.pointerId);
      element.dataset['dragged'] = '';
    };
    const onMove = (event: PointerEvent) => {
      if (!at) return;
      element.scrollBy({ left: at.x - event.clientX, top: at.y - event.clientY, behavior: 'instant' });
      at = { x: event.clientX, y: event.clientY };
    };
    const onUp = () => {
      at = null;
      delete element.dataset['dragged'];
    };
    const events = [
      ['pointerdown', onDown],
      ['pointermove', onMove],
      ['pointerup', onUp],
      ['pointercancel', onUp],
    ] as const;
    for (const [name, listener] of events) element.addEventListener(name, listener as EventListener);
    return () => {
      for (const [name, listener] of events) element.removeEventListener(name, listener as EventListener);
    };
  }, [frame]);
}
