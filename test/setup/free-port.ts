import { once } from 'node:events';
import { createServer } from 'node:net';

const LOWEST = 20_000;
const COUNT = 12_000;

/**
 * Returns a free port of 127.0.0.1 below those that the system gives to outgoing connections and to listeners that take any
 * port: one of these could take it before its server does, or while that is stopped.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = LOWEST + Math.floor(Math.random() * COUNT);
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}
