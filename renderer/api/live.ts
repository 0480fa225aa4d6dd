import { useEffect } from 'react';
import { type Change, type ChangeStream, createChangeStream } from './change-stream.ts';
import { client } from './client.ts';
import {
  type ConnectionState,
  connectionState,
  onReconnect,
  recordConnection,
  watchConnection,
} from './connection.ts';

export type { Change } from './change-stream.ts';

type Listener = (change: Change) => void;
const listeners = new Set<Listener>();
let after: string | null = null;
/** Time for the answer with a position, in ms. Without one the stream begins with everything read again. */
const POSITION_TIMEOUT_MS = 2_000;

function notifyListeners(change: Change): void {
  for (const listener of listeners) listener(change);
}

/** Takes the position from which changes are followed. Called before the first data is read, which then need not be read again. */
export async function takePosition(signal: AbortSignal): Promise<void> {
  if (after !== null) return;
  try {
    const { next } = await client.console.changes({
      query: {},
      signal: AbortSignal.any([signal, AbortSignal.timeout(POSITION_TIMEOUT_MS)]),
    });
    after ??= next;
  } catch {
    // The stream has a position as well.
  }
}

/** Message from the window that holds the stream to the other windows of this browser. */
type LiveMessage =
  | { readonly change: Change }
  /** Repeated with every sign of life of the gateway. */
  | ConnectionState
  | { readonly after: string };

function applyMessage(message: LiveMessage): void {
  if ('change' in message) notifyListeners(message.change);
  else if ('connection' in message) recordConnection(message.connection, message.lostSince);
  else after = message.after;
}

const NAME = 'faxdesk.live';
const STATE_REQUEST = 'how is it?';

/**
 * Listens to changes until the returned function is called. Of several windows of one browser a single one holds the
 * stream, because a browser opens only six connections to a host; when it closes, the next goes on where it stood.
 */
export function openLive(): () => void {
  const others = new BroadcastChannel(NAME);
  const turn = new AbortController();
  const unwatch = watchConnection();
  // Not everything on the screen has an event of its own.
  const readEverything = (wasLost: boolean) => wasLost && notifyListeners({ kind: 'reset', id: null });
  const ends = [onReconnect(readEverything), unwatch];
  let stop: (() => void) | null = null;
  others.addEventListener('message', ({ data }) => {
    if (data !== STATE_REQUEST) return applyMessage(data as LiveMessage);
    if (stop === null) return;
    others.postMessage(connectionState() satisfies LiveMessage);
    if (after !== null) others.postMessage({ after } satisfies LiveMessage);
  });
  const holdStream = () =>
    new Promise<void>((done) => {
      // The turn may come just after the window stopped listening.
      if (turn.signal.aborted) return done();
      const stream = openStream(others, turn.signal);
      stop = () => {
        stream.close();
        done();
      };
    });
  if ('locks' in navigator) {
    navigator.locks.request(NAME, { signal: turn.signal }, holdStream).catch(() => undefined);
    others.postMessage(STATE_REQUEST);
  } else void holdStream();
  return () => {
    turn.abort();
    stop?.();
    others.close();
    for (const end of ends) end();
  };
}

function openStream(others: BroadcastChannel, signal: AbortSignal): ChangeStream {
  const publish = (message: LiveMessage) => {
    // A response to an earlier poll may still arrive after the window stopped listening.
    if (signal.aborted) return;
    applyMessage(message);
    others.postMessage(message);
  };
  const stream = createChangeStream(
    {
      change: (change) => publish({ change }),
      connection: (connection) => {
        if (signal.aborted) return;
        recordConnection(connection);
        others.postMessage(connectionState());
      },
      position: (next) => publish({ after: next }),
    },
    after,
  );
  stream.stream();
  return stream;
}

/** Calls the listener for every change while the component is there. Pass a stable function. */
export function useChanges(listener: Listener): void {
  useEffect(() => {
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  }, [listener]);
}
