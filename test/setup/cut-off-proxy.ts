import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A line to a server on this computer that can be cut and held, as a network or the server itself would. */
export interface CutOffProxy {
  readonly port: number;
  /** Ends every connection and lets nobody in. */
  cut(): Promise<void>;
  /** Lets people in, whatever was before; what was held goes on. */
  open(): Promise<void>;
  /** Keeps connections and brings nothing through any more, in either direction. */
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
  const join = (near: Socket): void => {
    const far = connect(target.port, target.host);
    const pair = [near, far] as const;
    pairs.add(pair);
    const end = () => {
      pairs.delete(pair);
      for (const socket of pair) socket.destroy();
    };
    for (const socket of pair) socket.on('error', end).on('close', end);
    const listener = listen?.();
    near.on('data', (bytes) => {
      listener?.toTarget(bytes);
      far.write(bytes);
    });
    far.on('data', (bytes) => {
      listener?.toClient(bytes);
      near.write(bytes);
    });
    if (isFrozen) for (const socket of pair) socket.pause();
  };
  let server = await open(join, 0);
  const { port } = server.address() as AddressInfo;
  const stop = async (): Promise<void> => {
    for (const pair of pairs) for (const socket of pair) socket.destroy();
    if (!server.listening) return;
    server.close();
    await once(server, 'close');
  };
  return {
    port,
    cut: stop,
    async open() {
      isFrozen = false;
      for (const pair of pairs) for (const socket of pair) socket.resume();
      if (!server.listening) server = await open(join, port);
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
