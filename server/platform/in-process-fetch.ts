import { createServer, type IncomingMessage, type RequestListener, request as startRequest } from 'node:http';
import { duplexPair, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/**
 * Creates a `fetch` whose requests go to a handler in this process, without a port. Their address is `address`. The host
 * of a URL has no effect.
 */
export function createInProcessFetch(handler: RequestListener, address: string): typeof fetch {
  const server = createServer(handler);
  return async (input, init) => {
    const request = new Request(input, init);
    const message = await send(request, () => {
      const [near, far] = duplexPair();
      server.emit('connection', Object.assign(far, { remoteAddress: address }));
      return near;
    });
    const { statusCode = 500 } = message;
    const isEmpty = statusCode === 204 || statusCode === 205 || statusCode === 304;
    if (isEmpty) message.resume();
    const body = isEmpty ? null : (Readable.toWeb(message) as ReadableStream<Uint8Array>);
    return new Response(body, { status: statusCode, headers: headersOf(message) });
  };
}

async function send(request: Request, createConnection: () => Readable): Promise<IncomingMessage> {
  const { pathname, search, host } = new URL(request.url);
  const outgoing = startRequest({
    createConnection: createConnection as never,
    method: request.method,
    path: pathname + search,
    headers: { ...Object.fromEntries(request.headers), host, connection: 'close' },
    signal: request.signal,
  });
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.once('response', resolve);
    outgoing.once('error', (cause) => reject(new TypeError('fetch failed', { cause })));
  });
  if (request.body === null) outgoing.end();
  // An answer that comes before the end of the body ends the upload.
  else pipeline(Readable.fromWeb(request.body as never), outgoing).catch(() => undefined);
  return answered;
}

function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers();
  for (let at = 0; at < rawHeaders.length; at += 2)
    headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '');
  return headers;
}
