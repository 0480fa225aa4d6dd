import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';

/** Relay between two engines for the first messages of a call, as the machines of carriers do it. */
interface SipRelay {
  readonly port: number;
  close(): void;
}

/**
 * Forwards messages to a port of this computer and returns their answers. As some carriers do, it requests the shortest
 * session timer, so that a call is refreshed every 45 seconds, and removes UPDATE from the methods that either side
 * supports, so that it is refreshed by an INVITE within the call.
 */
export async function startSipRelay(target: number): Promise<SipRelay> {
  const near = createSocket('udp4').bind(0, '127.0.0.1');
  await once(near, 'listening');
  const far = new Map<number, Socket>();
  const socketOf = (caller: number): Socket => {
    const known = far.get(caller);
    if (known) return known;
    const socket = createSocket('udp4').on('message', (answer) =>
      near.send(rewriteMessage(answer), caller, '127.0.0.1'),
    );
    far.set(caller, socket);
    return socket;
  };
  near.on('message', (message, { port }) =>
    socketOf(port).send(rewriteMessage(message), target, '127.0.0.1'),
  );
  return {
    port: near.address().port,
    close() {
      for (const socket of [near, ...far.values()]) socket.close();
    },
  };
}

function rewriteMessage(message: Buffer): Buffer {
  const text = message
    .toString('latin1')
    .replace(/^Session-Expires: \d+/mu, 'Session-Expires: 90')
    .replace(/^(Allow:.*)\bUPDATE, ?/mu, '$1');
  return Buffer.from(text, 'latin1');
}
