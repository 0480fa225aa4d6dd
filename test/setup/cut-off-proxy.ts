import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** TCP proxy to a server whose connections can be cut or frozen, as by a network failure. */
export interface CutOffProxy {
  readonly port: number;
  /** Closes every connection and accepts no new ones. */
  cut(): Promise<void>;
  /** Accepts connections again, and resumes those that were frozen. */
  open(): Promise<void>;
  /** Keeps connections open but forwards nothing, in either direction. */
  freeze(): void;
  close(): Promise<void>;
}

/** Receives the bytes of a connection as they arrive. */
export interface Listener {
  toTarget(bytes: Buffer): void;
  toClient(bytes: Buffer): void;
}

/** Starts a proxy. `listen` is called for each connection. */
export async function startCutOffProxy(
  target: { host: string; port: number },
  listen?: () => Listener,
): Promise<CutOffProxy> {
  const pairs = new Set<readonly [Socket, Socket]>();
  let isFrozen = false;
  const connectPair = (client: Socket): void => {
    const server = connect(target.port, target.host);
    const pair = [client, server] as const;
    pairs.add(pair);
    const end = () => {
      pairs.delete(pair);
      for (const socket of pair) socket.destroy();
    };
    for (const socket of pair) socket.on('error', end).on('close', end);
    const listener = listen?.();
    client.on('data', (bytes) => {
      listener?.toTarget(bytes);
      server.write(bytes);
    });
    server.on('data', (bytes) => {
      listener?.toClient(bytes);
      client.write(bytes);
    });
    if (isFrozen) for (const socket of pair) socket.pause();
  };
  let listening = await open(connectPair, 0);
  const { port } = listening.address() as AddressInfo;
  const stop = async (): Promise<void> => {
    for (const pair of pairs) for (const socket of pair) socket.destroy();
    if (!listening.listening) return;
    listening.close();
    await once(listening, 'close');
  };
  return {
    port,
    cut: stop,
    async open() {
      isFrozen = false;
      for (const pair of pairs) for (const socket of pair) socket.resume();
      if (!listening.listening) listening = await open(connectPair, port);
    },
    freeze() {
      isFrozen = true;
      for (const pair of pairs) for (const socket of pair) socket.pause();
    },
    close: stop,
  };
}

async function open(onSocket: (socket: Socket) => void, port: number): Promise<Server> {
  const server = createServer(onSocket).listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
