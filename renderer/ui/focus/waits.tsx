import { WAITS } from './places.ts';

/** In place of what is on its way and begins the screen. */
export function Waits() {
  return <span {...WAITS} hidden />;
}
