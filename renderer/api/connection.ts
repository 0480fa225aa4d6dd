/** Way in which changes reach this page: as they happen, by polling every few seconds, or not at the moment. */
export type Connection = 'connecting' | 'live' | 'polling' | 'lost';

/** The connection of this window to the gateway. */
export interface ConnectionState {
  readonly connection: Connection;
  /** Time of the last sign of life while it is lost, in epoch ms; else null. */
  readonly lostSince: number | null;
}

/** Time in ms without a sign of life after which the gateway is not connected. */
const SILENCE_MS = 5_000;
/** A timer later than this, in ms, did not run while the page or the computer was asleep. */
const MAX_LATE_MS = 500;
/** Time in ms that a page has, once it is awake, to receive what waited for it. */
const AWAKE_MS = 1_000;

const CONNECTING: ConnectionState = { connection: 'connecting', lostSince: null };
let state = CONNECTING;
let lastSignAt = 0;
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();
const reconnectListeners = new Set<(wasLost: boolean) => void>();

export const connectionState = (): ConnectionState => state;

/** Begins to wait for signs of life, until the returned function is called. */
export function watchConnection(): () => void {
  recordSignOfLife();
  return () => {
    clearTimeout(timer);
    setState(CONNECTING);
  };
}

/**
 * Records how the gateway is connected. Each call with `live` or `polling` is a sign of life. `lostSince` is the time of
 * the last one that another window had, in epoch ms.
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
 * Calls the listener whenever the way to the gateway was broken and is not any more; `wasLost` is false when it only
 * changed. Returns: stop listening.
 */
export function onReconnect(listener: (wasLost: boolean) => void): () => void {
  reconnectListeners.add(listener);
  return () => reconnectListeners.delete(listener);
}

/** Calls the listener whenever the connection changed. Returns: stop listening. */
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
  expectSign(SILENCE_MS);
}

function expectSign(withinMs: number): void {
  clearTimeout(timer);
  const dueAt = performance.now() + withinMs;
  timer = setTimeout(() => {
    // Signs that came meanwhile are delivered only after this timer.
    if (performance.now() - dueAt > MAX_LATE_MS) expectSign(AWAKE_MS);
    else recordConnection('lost');
  }, withinMs);
}
