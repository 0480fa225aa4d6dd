import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { Server as TlsServer } from 'node:tls';
import { refuseBrokenRequests } from './broken-requests.ts';

/** A caller that sends its headers more slowly than this only holds a line. */
const HEADERS_MS = 20_000;
/** The largest upload the settings allow, on a slow line. */
const REQUEST_MS = 30 * 60_000;

/** The lines of each server, with the number of answers under way on them. */
const lines = new WeakMap<Server, Map<Socket, number>>();

/** Starts listening. Rejects with the system's error, e.g. `EADDRINUSE`. */
export function listen(server: Server, { host, port }: { host: string; port: number }): Promise<void> {
  server.headersTimeout = HEADERS_MS;
  server.requestTimeout = REQUEST_MS;
  watchLines(server);
  refuseBrokenRequests(server);
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/** Answers under way are finished, at most `graceMs`; connections that only wait are closed at once. */
export function stopListening(server: Server, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const hurry = setTimeout(() => server.closeAllConnections(), graceMs);
    server.close(() => {
      clearTimeout(hurry);
      resolve();
    });
    for (const [socket, answers] of lines.get(server) ?? []) if (answers === 0) socket.destroy();
  });
}

/**
 * Node closes neither a line on which nothing was asked yet, as browsers open in advance, nor soon a line whose last
 * answer ends after the server was closed.
 */
function watchLines(server: Server): void {
  const open = new Map<Socket, number>();
  lines.set(server, open);
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
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : null;
}
