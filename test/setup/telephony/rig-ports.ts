import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { freePort } from '../free-port.ts';

/** The ports of one engine; ranges with both ends included. */
export interface RigPorts {
  readonly manager: number;
  readonly sip: number;
  readonly rtp: readonly [number, number];
  readonly udptl: readonly [number, number];
}

/** Chooses ports that are free now. Ranges are random: an engine skips ports in use. */
export async function choosePorts(): Promise<RigPorts> {
  // Below the ephemeral ports that the system assigns.
  const base = 10_000 + 200 * Math.floor(Math.random() * 100);
  return {
    manager: await freePort(),
    sip: await freeUdpPort(),
    rtp: [base, base + 99],
    udptl: [base + 100, base + 199],
  };
}

async function freeUdpPort(): Promise<number> {
  const socket = createSocket('udp4').bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const { port } = socket.address();
  socket.close();
  await once(socket, 'close');
  return port;
}
