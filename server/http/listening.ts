import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { Server as TlsServer } from 'node:tls';
import { refuseBrokenRequests } from './broken-requests.ts';
import type { Connections } from './connections.ts';

/** A caller that sends its headers more slowly than this only holds a line. */
const HEADERS_MS = 20_000;
/** The largest upload the settings allow, on a slow line. */
const REQUEST_MS = 30 * 60_000;

/**
 * Callers that connect at once wait in the system until they are accepted; one that it turns away tries again a second
 * later.
 */
const BACKLOG = 4096;

/** The lines of each server, with the number of answers under way on them. */
const openSockets = new WeakMap<Server, Map<Socket, number>>();

/** Of an answer of which the caller takes nothing for so long nobody waits for the rest. */
const ANSWER_MS = 120_000;

export type { Connections } from './connections.ts';

/**
 * Options of a server: the interval in ms for finding headers that take too long. Requests without a Host header are refused
 * by the app, in the form of every refusal.
 */
export const SERVER_OPTIONS = { connectionsCheckingInterval: 1_000, requireHostHeader: false } as const;

/** Only suites that authenticate what they encrypt: none with CBC, and each connection with keys of its own. */
export const TLS_PROTOCOL = {
  minVersion: 'TLSv1.2',
  ciphers: [
    'TLS_AES_256_GCM_SHA384',
    'TLS_CHACHA20_POLY1305_SHA256',
    'TLS_AES_128_GCM_SHA256',
    'ECDHE-ECDSA-AES256-GCM-SHA384',
    'ECDHE-RSA-AES256-GCM-SHA384',
    'ECDHE-ECDSA-CHACHA20-POLY1305',
    'ECDHE-RSA-CHACHA20-POLY1305',
    'ECDHE-ECDSA-AES128-GCM-SHA256',
    'ECDHE-RSA-AES128-GCM-SHA256',
  ].join(':'),
} as const;

/** Starts listening; its connections count among the others. Rejects with the system's error, e.g. `EADDRINUSE`. */
export function listen(
  server: Server,
  { host, port, connections }: { host: string; port: number; connections: Connections },
): Promise<void> {
  server.headersTimeout = HEADERS_MS;
  server.requestTimeout = REQUEST_MS;
  trackSockets(server);
  connections.watch(server);
  endStalledAnswers(server);
  refuseBrokenRequests(server);
  server.prependListener('request', replaceUnparsableAddress);
  // An expectation that nobody fulfills is ignored; Node would refuse it in a form of its own.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port, backlog: BACKLOG }, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/** Gives a request whose address cannot be parsed one that nothing has: Express would answer it in a form of its own. */
function replaceUnparsableAddress(request: IncomingMessage): void {
  const { url = '' } = request;
  if (!url.startsWith('/') && url !== '*' && !URL.canParse(url)) request.url = '/no-address';
}

/** Answers under way are finished, at most `graceMs`; connections that only wait are closed at once. */
export function stopListening(server: Server, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const hurry = setTimeout(() => server.closeAllConnections(), graceMs);
    server.close(() => {
      clearTimeout(hurry);
      resolve();
    });
    for (const [socket, answers] of openSockets.get(server) ?? []) if (answers === 0) socket.destroy();
  });
}

/** Node counts what the system takes of an answer, so that a slow download goes on for as long as it takes. */
function endStalledAnswers(server: Server): void {
  server.timeout = ANSWER_MS;
  server.on('timeout', (socket: Socket) => {
    const answers = openSockets.get(server)?.get(socket) ?? 0;
    // An answer that is still being made, and a stream that has nothing to say, wait for us.
    if (answers === 0 || socket.writableLength > 0) socket.destroy();
  });
}

/**
 * Node closes neither a line on which nothing was asked yet, as browsers open in advance, nor soon a line whose last
 * answer ends after the server was closed.
 */
function trackSockets(server: Server): void {
  const open = new Map<Socket, number>();
  openSockets.set(server, open);
  const watch = (socket: Socket) => {
    open.set(socket, 0);
    socket.once('close', () => open.delete(socket));
  };
  server.on('connection', watch);
  // Requests over TLS come on a line of their own, which takes the place of the one of the network below it.
  if (server instanceof TlsServer)
    server.on('secureConnection', (line: Socket) => {
      const below = [...open.keys()].find(
        (each) => each.remotePort === line.remotePort && each.remoteAddress === line.remoteAddress,
      );
      if (below) open.delete(below);
      watch(line);
    });
  server.on('request', ({ socket }, response) => {
    open.set(socket, (open.get(socket) ?? 0) + 1);
    response.once('close', () => {
      if (!open.has(socket)) return;
      const left = (open.get(socket) ?? 1) - 1;
      open.set(socket, left);
      if (left === 0 && !server.listening) socket.destroySoon();
    });
  });
}

/** The port it really listens on, or null before that. */
export function portOf(server: Server): number | null {
  return boundTo(server)?.port ?? null;
}

/** Returns the address and port that a server listens on; null while it does not. */
export function boundTo(server: Server): { address: string; port: number } | null {
  const bound = server.address();
  return typeof bound === 'object' && bound !== null ? { address: bound.address, port: bound.port } : null;
}
