/** Slot of Node's `fetch` for what opens and keeps its connections. */
const SLOT = Symbol.for('undici.globalDispatcher.1');
type Dispatcher = { constructor: new (options: { pipelining: number }) => Dispatcher };
const slot = globalThis as unknown as Record<symbol, Dispatcher | undefined>;
let isDone = false;

/**
 * Has `fetch` open a connection for each request from now on. A kept one may be closed at the moment it is used again: by a
 * gateway that was busy for the seconds after which it closes idle ones, or that ended and whose port another one has.
 */
export async function keepNoConnections(): Promise<void> {
  if (isDone) return;
  isDone = true;
  // Node fills the slot when it is first used.
  await fetch('data:,');
  const before = slot[SLOT];
  if (before === undefined) throw new Error('this Node keeps connections in another place');
  slot[SLOT] = new before.constructor({ pipelining: 0 });
}
