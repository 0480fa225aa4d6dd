import type { Connection } from './connection.ts';
import { ROUTES } from './routes.ts';

/** An event of `/console/events`. A message without a name only has the position. */
interface StreamEvent {
  readonly kind: string | null;
  readonly id: string | null;
  readonly data: unknown;
}

/** The gateway sends a sign of life about every two seconds. */
const SILENCE_MS = 10_000;

/** Reads the events of the gateway until the signal is aborted, the stream ends or nothing comes any more. */
export async function* readEvents(
  connection: Connection,
  { after, signal }: { readonly after: string | undefined; readonly signal: AbortSignal },
): AsyncGenerator<StreamEvent, void> {
  const open = new AbortController();
  const stop = () => open.abort(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  try {
    const stream = await connection.open(ROUTES.events, {
      query: { after },
      signal: open.signal,
      retries: 0,
    });
    const reader = stream.getReader();
    const decoder = new TextDecoder();
    for (let text = ''; ; ) {
      const silence = setTimeout(() => open.abort(new Error('No event arrived for a while.')), SILENCE_MS);
      const { done, value } = await reader.read().finally(() => clearTimeout(silence));
      if (done) return;
      text += decoder.decode(value, { stream: true });
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      yield* blocks.map(parseBlock);
    }
  } finally {
    signal.removeEventListener('abort', stop);
    open.abort(new Error('The events are no longer read.'));
  }
}

function parseBlock(block: string): StreamEvent {
  const fields = new Map(
    block.split('\n').map((line) => {
      const at = line.indexOf(':');
      return [line.slice(0, at), line.slice(at + 1).trimStart()] as const;
    }),
  );
  const data: unknown = JSON.parse(fields.get('data') ?? 'null');
  return { kind: fields.get('event') ?? null, id: fields.get('id') ?? null, data };
}
