/** Channel by which changes reach this page: a live stream, a poll every few seconds, or none at the moment (`lost`). */
export type Connection = 'connecting' | 'live' | 'polling' | 'lost';

/** The connection of this window to the gateway. */
export interface ConnectionState {
  readonly connection: Connection;
  /** Time of the last sign of life while it is lost, in epoch ms; else null. */
  readonly lostSince: number | null;
}

/** Time in ms without a sign of life after which the gateway is not connected. */
const SILENCE_MS = 5_000;
/** Maximum delay of a timer in ms. A longer one means that the page or the computer was asleep. */
const MAX_LATE_MS = 500;
/** Time in ms after sleep in which the page receives the signs of life that were waiting. */
const WAKE_UP_MS = 1_000;

const CONNECTING: ConnectionState = { connection: 'connecting', lostSince: null };
let state = CONNECTING;
let lastSignAt = 0;
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();
const reconnectListeners = new Set<(wasLost: boolean) => void>();

export const connectionState = (): ConnectionState => state;

/** Begins to wait for signs of life. Returns a function that ends it. */
export function watchConnection(): () => void {
  recordSignOfLife();
  return () => {
    clearTimeout(timer);
    setState(CONNECTING);
  };
}

/**
 * Records the current connection. Each call with `live` or `polling` counts as a sign of life. `lostSince` is the time of
 * the last sign of life in another window, in epoch ms; null for that of this window.
 */
export function recordConnection(connection: Connection, lostSince: number | null = null): void {
  if (connection === 'connecting') return;
  if (connection === 'lost') {
    clearTimeout(timer);
    setState({ connection, lostSince: state.lostSince ?? lostSince ?? lastSignAt });
    return;
  }
  recordSignOfLife();
  setState({ connection, lostSince: null });
}

/**
 * Calls the listener each time the gateway is connected again: after a lost connection (`wasLost`), or when the
 * connection changed between `live` and `polling`. Returns a function that unsubscribes.
 */
export function onReconnect(listener: (wasLost: boolean) => void): () => void {
  reconnectListeners.add(listener);
  return () => reconnectListeners.delete(listener);
}

/** Calls the listener after each change of the connection. Returns a function that unsubscribes. */
export function onConnectionChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function setState(next: ConnectionState): void {
  const { connection } = state;
  if (next.connection === connection) return;
  state = next;
  for (const listener of listeners) listener();
  const isConnected = next.connection === 'live' || next.connection === 'polling';
  if (connection !== 'connecting' && isConnected)
    for (const listener of reconnectListeners) listener(connection === 'lost');
}

function recordSignOfLife(): void {
  lastSignAt = Date.now();
  startSilenceTimer(SILENCE_MS);
}

function startSilenceTimer(withinMs: number): void {
  clearTimeout(timer);
  const dueAt = performance.now() + withinMs;
  timer = setTimeout(() => {
    // After a sleep this timer runs before the signs of life that arrived meanwhile.
    if (performance.now() - dueAt > MAX_LATE_MS) startSilenceTimer(WAKE_UP_MS);
    else recordConnection('lost');
  }, withinMs);
}
