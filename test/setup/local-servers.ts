import type { AddressInfo, Server, Socket } from 'node:net';
import type { LookupAll } from '../../server/platform/http-connection.ts';

/** Listens on a free port of this computer; `cleanup` gets what ends the server with its connections. */
export async function listenLocally(server: Server, cleanup: (end: () => unknown) => void): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => sockets.add(socket));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  cleanup(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** A name server that answers these addresses, one list for each question, and counts the questions. */
export function nameServer(...answers: string[][]): LookupAll & { asked: number } {
  const lookup = Object.assign(
    ((_name, _options, callback) => {
      const found = answers[Math.min(lookup.asked, answers.length - 1)] ?? [];
      lookup.asked += 1;
      callback(
        null,
        found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      );
    }) as LookupAll,
    { asked: 0 },
  );
  return lookup;
}
