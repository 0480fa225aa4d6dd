import { useLayoutEffect } from 'react';
import { holdKeysForDialog } from './held-keys.ts';
import { WAITS } from './places.ts';

/** In place of what is on its way and begins the screen. */
export function Waits() {
  return <span {...WAITS} hidden />;
}

/** In place of a dialog that loads: no key acts on the screen below, and what is typed meanwhile goes into its field. */
export function WaitsForDialog() {
  useLayoutEffect(() => {
    const release = holdKeysForDialog();
    // The dialog puts the focus into its field with the frame in which it is drawn.
    return () => void requestAnimationFrame(() => requestAnimationFrame(release));
  }, []);
  return <div role="dialog" hidden />;
}
