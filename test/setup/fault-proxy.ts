import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as it came to the proxy, whole. */
interface HeldRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Fault of a request on its way. */
export type Fault =
  /** Nothing. */
  | { readonly kind: 'pass' }
  /** The connection is closed before anything is read. */
  | { readonly kind: 'cut_before' }
  /** The target gets the first part of the body. */
  | { readonly kind: 'cut_during' }
  /** The target gets all of it, and its answer is lost. */
  | { readonly kind: 'lost_answer' }
  /** Nothing of it reaches the target now; it may be sent later by `deliverHeld`. */
  | { readonly kind: 'held' }
  /** The target gets it twice at the same time. */
  | { readonly kind: 'repeated' }
  /** A byte of the request is another one. `at` from 0 to 1. */
  | { readonly kind: 'tampered'; readonly at: number }
  /** A byte of the answer is another one. */
  | { readonly kind: 'tampered_answer'; readonly at: number }
  /** An answer that nobody signed. */
  | { readonly kind: 'unsigned'; readonly status: number }
  /** Something is done first; then comes the next fault, or none. */
  | { readonly kind: 'after'; readonly work: () => Promise<void>; readonly next?: Fault };

/** HTTP proxy in front of a gateway that has faults on demand. */
export interface FaultProxy {
  readonly url: string;
  /** Base address of the gateway behind it. */
  target: string;
  /** Returns the fault of a request by its method. Uploads are `POST`, questions are `GET`. */
  faultOf: (method: string) => Fault;
  /** Requests that came, in their order. */
  readonly requests: HeldRequest[];
  /** Uploads that were held back. */
  readonly held: HeldRequest[];
  /** Sends every held upload to the target now, and returns the statuses. */
  deliverHeld(): Promise<number[]>;
  /** Sends a request to the target. */
  forward(held: HeldRequest): Promise<{ readonly status: number; readonly body: Buffer }>;
  close(): Promise<void>;
}

export async function startFaultProxy(): Promise<FaultProxy> {
  const server = createServer((incoming, response) => {
    handle(proxy, incoming, response).catch(() => incoming.socket.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const proxy: FaultProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    target: '',
    faultOf: () => ({ kind: 'pass' }),
    requests: [],
    held: [],
    async deliverHeld() {
      const statuses: number[] = [];
      for (const each of proxy.held.splice(0)) statuses.push((await forward(proxy.target, each)).status);
      return statuses;
    },
    forward: (held) => forward(proxy.target, held),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return proxy;
}

async function handle(proxy: FaultProxy, incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = '', url: path = '', headers } = incoming;
  const fault = proxy.faultOf(method);
  if (fault.kind === 'cut_before') {
    incoming.socket.destroy();
    return;
  }
  const body = await bodyOf(incoming);
  const asked = { method, path, headers, body };
  proxy.requests.push(asked);
  const answer = await answerWith(proxy, asked, fault);
  if (answer === null) {
    incoming.socket.destroy();
    return;
  }
  response.writeHead(answer.status, { 'Content-Type': answer.headers['content-type'] ?? 'text/plain' });
  response.end(answer.body);
}

/** Null where the connection is cut. */
async function answerWith(proxy: FaultProxy, asked: HeldRequest, fault: Fault): Promise<Answer | null> {
  const { target } = proxy;
  switch (fault.kind) {
    case 'pass':
      return forward(target, asked);
    case 'after':
      await fault.work();
      return answerWith(proxy, asked, fault.next ?? { kind: 'pass' });
    case 'cut_during':
      await forwardPart(target, asked);
      return null;
    case 'lost_answer':
      await forward(target, asked);
      return null;
    case 'held':
      proxy.held.push(asked);
      return null;
    case 'repeated':
      return (await Promise.all([forward(target, asked), forward(target, asked)]))[1];
    case 'tampered':
      return forward(target, { ...asked, body: withOtherByte(asked.body, fault.at) });
    case 'tampered_answer': {
      const answer = await forward(target, asked);
      return { ...answer, body: withOtherByte(answer.body, fault.at) };
    }
    case 'unsigned':
      return { status: fault.status, headers: {}, body: Buffer.from('Not now.') };
    case 'cut_before':
      return null;
    default:
      return fault satisfies never;
  }
}

function withOtherByte(bytes: Buffer, at: number): Buffer {
  const other = Buffer.from(bytes);
  const place = Math.min(other.length - 1, Math.floor(at * other.length));
  if (place >= 0) other[place] = (other[place] ?? 0) ^ 1;
  return other;
}

async function bodyOf(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of stream) pieces.push(piece);
  return Buffer.concat(pieces);
}

const keptHeaders = ({ headers, body }: HeldRequest) => ({
  ...headers,
  'content-length': String(body.length),
});

async function forward(target: string, asked: HeldRequest): Promise<Answer> {
  const { method, path, body } = asked;
  const outgoing = request(`${target}${path}`, { method, headers: keptHeaders(asked), agent: false });
  outgoing.end(body);
  const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
  return { status: answer.statusCode ?? 0, headers: answer.headers, body: await bodyOf(answer) };
}

/** Sends the first two thirds and closes the connection. */
async function forwardPart(target: string, asked: HeldRequest): Promise<void> {
  const { method, path, body } = asked;
  const outgoing = request(`${target}${path}`, { method, headers: keptHeaders(asked), agent: false });
  const closed = once(outgoing, 'close');
  outgoing.on('error', () => undefined);
  outgoing.on('response', (answer) => answer.resume());
  await new Promise((resolve) => outgoing.write(body.subarray(0, (body.length * 2) / 3), resolve));
  outgoing.destroy();
  await closed;
}
