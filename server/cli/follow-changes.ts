import { setTimeout as pause } from 'node:timers/promises';
import { consoleRoutes } from '../../shared/api/console.ts';
import { ApiError, type Client, UnreachableError } from '../../shared/client/index.ts';

/** Changes of sent faxes that arrived together. */
export interface FaxChanges {
  /** IDs of the faxes; null after a gap, when any fax may have changed. */
  readonly ids: readonly string[] | null;
}

interface FollowOptions {
  readonly signal: AbortSignal;
  /** Position to begin after. */
  readonly after: string;
  /** Called with false when the gateway stops answering, and with true when it answers again. */
  readonly onConnection: (isConnected: boolean) => void;
  /** Time between two polls, and before another attempt to connect, in ms. */
  readonly pollMs?: number;
  /** Time without a sign of life after which a stream counts as blocked, in ms. The gateway sends one every two seconds. */
  readonly silenceMs?: number;
}

const POLL_MS = 2_000;
const SILENCE_MS = 6_000;
const FAX_CHANGED = 'fax.changed';

class SilentStreamError extends Error {
  override name = 'SilentStreamError';
}

/**
 * Yields the changes of sent faxes as they happen, by the stream of events, or by polling where a proxy holds streams back.
 * Continues without a gap when the gateway was away. Ends with the signal; throws when the gateway refuses the caller.
 */
export async function* followFaxChanges(
  client: Client,
  { signal, after, onConnection, pollMs = POLL_MS, silenceMs = SILENCE_MS }: FollowOptions,
): AsyncGenerator<FaxChanges, void> {
  let position = after;
  let isPolling = false;
  while (!signal.aborted) {
    try {
      const batches = isPolling
        ? pollOnce(client, position, signal)
        : streamChanges(client, { after: position, signal, silenceMs });
      for await (const batch of batches) {
        onConnection(true);
        position = batch.position ?? position;
        if (batch.ids === null || batch.ids.length > 0) yield { ids: batch.ids };
      }
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof SilentStreamError) isPolling = true;
      else if (isWaitedFor(error)) onConnection(false);
      else throw error;
    }
    await pause(pollMs, undefined, { signal }).catch(() => undefined);
  }
}

interface Batch extends FaxChanges {
  /** Position after the changes; null when it is not known yet. */
  readonly position: string | null;
}

/** Returns true for errors that pass: the gateway is away, stops, or has too many streams. */
export function isWaitedFor(error: unknown): boolean {
  if (error instanceof UnreachableError) return true;
  return error instanceof ApiError && (error.status === 429 || error.status >= 500);
}

async function* pollOnce(client: Client, after: string, signal: AbortSignal): AsyncGenerator<Batch, void> {
  const { events, next, reset } = await client.console.changes({ query: { after }, signal });
  const ids = events.flatMap((event) => (event.kind === FAX_CHANGED ? [event.data.id] : []));
  yield { ids: reset ? null : [...new Set(ids)], position: next };
}

async function* streamChanges(
  client: Client,
  { after, signal, silenceMs }: { after: string; signal: AbortSignal; silenceMs: number },
): AsyncGenerator<Batch, void> {
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(), silenceMs);
  const read = createEventReader();
  try {
    const both = AbortSignal.any([signal, silence.signal]);
    for await (const bytes of client.stream(consoleRoutes.events, { query: { after }, signal: both })) {
      timer.refresh();
      yield read(bytes);
    }
  } catch (error) {
    if (silence.signal.aborted && !signal.aborted) throw new SilentStreamError();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** Returns a function that reads the next piece of a stream of server-sent events, which may end within an event. */
function createEventReader(): (bytes: Uint8Array) => Batch {
  const decoder = new TextDecoder();
  let rest = '';
  return (bytes) => {
    const blocks = (rest + decoder.decode(bytes, { stream: true })).split('\n\n');
    rest = blocks.pop() ?? '';
    const events = blocks.map(fieldsOf);
    const ids = events.flatMap(({ event, data }) => (event === FAX_CHANGED && data ? [idIn(data)] : []));
    const position = events.findLast(({ id }) => id !== undefined)?.id ?? null;
    return { ids: events.some(({ event }) => event === 'reset') ? null : [...new Set(ids)], position };
  };
}

function fieldsOf(block: string): Readonly<Record<string, string>> {
  const lines = block.split('\n').map((line) => /^(\w+): ?(.*)$/u.exec(line));
  return Object.fromEntries(lines.flatMap((match) => (match ? [[match[1] ?? '', match[2] ?? '']] : [])));
}

const idIn = (data: string) => (JSON.parse(data) as { id: string }).id;
