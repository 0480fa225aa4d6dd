import { createServer } from 'node:http';
import { type AddressInfo, connect, type Server as TcpServer } from 'node:net';
import type { Duplex } from 'node:stream';
import { createServer as createTlsServer } from 'node:tls';
import { issueRoot, issueServer } from '../../server/adapters/certificates/issue.ts';

interface Options {
  /** Loopback port for each `host:port`; others are refused with 403. */
  readonly routes: Readonly<Record<string, number>>;
  /** `user:password` that the proxy requires. */
  readonly signIn?: string;
}

/** An HTTP proxy on the loopback interface that connects named hosts to ports of this computer. */
export async function startConnectProxy({ routes, signIn }: Options): Promise<ConnectProxy> {
  const targets: string[] = [];
  const sockets = new Set<Duplex>();
  const wanted = signIn === undefined ? undefined : `Basic ${Buffer.from(signIn).toString('base64')}`;
  const server = createServer((_request, response) => response.writeHead(400).end());
  server.on('connection', (socket) => sockets.add(socket));
  server.on('connect', (request, client, head) => {
    const target = request.url ?? '';
    targets.push(target);
    client.on('error', () => undefined);
    const port = routes[target];
    const refuse = (status: string) =>
      client.end(`HTTP/1.1 ${status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
    if (request.headers['proxy-authorization'] !== wanted) return refuse('407 Proxy Authentication Required');
    if (port === undefined) return refuse('403 Forbidden');
    const there = connect(port, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      there.write(head);
      there.pipe(client).pipe(there);
    });
    sockets.add(there);
    there.on('error', () => client.destroy());
    // Bytes that the client sent before it closed still go there.
    client.on('close', () => there.end());
  });
  await listening(server);
  return {
    port: portOf(server),
    targets: targets,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export interface ConnectProxy {
  readonly port: number;
  /** `host:port` of each request, in order. */
  readonly targets: readonly string[];
  close(): Promise<void>;
}

/**
 * Starts a TLS server that forwards to a port of this computer. Its certificate for `name` and the authority that issued
 * it are made for this server at `issuedMs` (epoch ms) and are valid for 90 days. `root` is the authority as PEM.
 */
export async function startTlsFront(
  name: string,
  port: number,
  issuedMs = Date.now(),
): Promise<{ port: number; root: string; close(): Promise<void> }> {
  const root = await issueRoot('Test authority', issuedMs);
  const { certificate, key } = await issueServer(root, [name], issuedMs);
  const sockets = new Set<Duplex>();
  const server = createTlsServer({ cert: certificate, key }, (client) => {
    const there = connect(port, '127.0.0.1');
    for (const socket of [client, there]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
    }
    there.pipe(client).pipe(there);
    // Bytes that the client sent before it closed still go there.
    client.on('close', () => there.end());
    there.on('close', () => client.destroy());
  });
  await listening(server);
  return {
    port: portOf(server),
    root: root.certificate,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const listening = (server: TcpServer) =>
  new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
const portOf = (server: TcpServer) => (server.address() as AddressInfo).port;
