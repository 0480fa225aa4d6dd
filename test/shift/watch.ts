import { setTimeout as pause } from 'node:timers/promises';
import { differenceOf } from './expected.ts';
import type { ShiftWindow } from './shift-window.ts';

/** Time after which a window has to show what the gateway has, and after the network came back. */
const BOUND_MS = 10_000;
const AGAIN_MS = 250;
const EACH_MS = 2_500;

/** Result of watching a window. */
export interface Watched {
  looks: number;
  /** Looks at which the window was as the gateway at once. */
  alike: number;
  /** Longest time until it was, in ms. */
  slowestMs: number;
  /** Longest time after the network came back. */
  caughtUpMs: number;
}

/** Compares a window with the gateway every few seconds until the signal aborts. Complaints are sentences. */
export async function watchWindow(
  window: ShiftWindow,
  complaints: string[],
  signal: AbortSignal,
): Promise<Watched> {
  const watched: Watched = { looks: 0, alike: 0, slowestMs: 0, caughtUpMs: 0 };
  const { mark } = await window.look();
  let wasConnected = true;
  while (!signal.aborted) {
    await pause(EACH_MS, undefined, { signal }).catch(() => undefined);
    const isBack = window.isConnected && !wasConnected;
    wasConnected = window.isConnected;
    const shown = await window.look();
    if (shown.mark !== mark) complaints.push(`${window.name} was loaded again`);
    for (const text of shown.foreign)
      window.leaks.push(`${window.name} shows to ${window.person?.login ?? 'nobody'}: ${text}`);
    if (window.isConnected && window.person !== null) await compare(window, { watched, complaints, isBack });
  }
  return watched;
}

/** Looks until the window is as the gateway says; a window that changes meanwhile has its time again. */
async function compare(
  window: ShiftWindow,
  { watched, complaints, isBack }: { watched: Watched; complaints: string[]; isBack: boolean },
): Promise<void> {
  let since = isBack ? window.changedAt : performance.now();
  let changedAt = window.changedAt;
  watched.looks += 1;
  for (let looks = 1; ; looks += 1) {
    const { person } = window;
    if (person === null || !window.isConnected) return;
    const shown = await window.look();
    const difference = await differenceOf(shown, person);
    if (window.person !== person) return;
    const elapsed = performance.now() - since;
    if (difference === null) {
      if (looks === 1) watched.alike += 1;
      if (isBack) watched.caughtUpMs = Math.max(watched.caughtUpMs, elapsed);
      else if (looks > 1) watched.slowestMs = Math.max(watched.slowestMs, elapsed);
      return;
    }
    if (changedAt !== window.changedAt) {
      changedAt = window.changedAt;
      since = performance.now();
    } else if (elapsed > BOUND_MS) {
      complaints.push(
        `${window.name} (${person.login}) differs for ${Math.round(elapsed)} ms: ${difference}`,
      );
      return;
    }
    await pause(AGAIN_MS);
  }
}
