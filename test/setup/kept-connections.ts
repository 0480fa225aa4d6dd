/** Slot of Node's `fetch` for what opens and keeps its connections. */
const SLOT = Symbol.for('undici.globalDispatcher.1');
type Options = { pipelining?: number; keepAliveTimeout?: number; keepAliveMaxTimeout?: number };
type Dispatcher = { constructor: new (options: Options) => Dispatcher };
const slot = globalThis as unknown as Record<symbol, Dispatcher | undefined>;
/** Options of the process; its files of tests share them. */
const CURRENT = Symbol.for('faxdesk.kept-connections');
const current = globalThis as { [CURRENT]?: 'brief' | 'none' };

/** Much shorter than the five seconds of a gateway, so that this side always closes first. */
const KEPT_MS = 500;

/**
 * Has `fetch` keep idle connections for half a second from now on. By itself it counts its seconds by ticks, which come late in
 * a busy process: the gateway then closed first, at the moment when the connection was used again.
 */
export async function keepConnectionsBriefly(): Promise<void> {
  if (current[CURRENT] !== undefined) return;
  await replace({ keepAliveTimeout: KEPT_MS, keepAliveMaxTimeout: KEPT_MS });
  current[CURRENT] = 'brief';
}

/** Has `fetch` open a connection for each request from now on: a gateway that ended may leave its port to another one. */
export async function keepNoConnections(): Promise<void> {
  if (current[CURRENT] === 'none') return;
  await replace({ pipelining: 0 });
  current[CURRENT] = 'none';
}

async function replace(options: Options): Promise<void> {
  // Node fills the slot when it is first used.
  await fetch('data:,');
  const before = slot[SLOT];
  if (before === undefined) throw new Error('this Node keeps connections in another place');
  slot[SLOT] = new before.constructor(options);
}
