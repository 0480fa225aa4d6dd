import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import type { DecodedPacket, Packet } from 'dns-packet';
import type { Link } from './links.ts';

export const PORT = 5353;
const GROUPS = { 4: '224.0.0.251', 6: 'ff02::fb' } as const;
/** Receivers may check it; routers pass these addresses on to no other network anyway (RFC 6762, 11). */
const HOPS = 255;
/** RFC 6762, 17. */
const MAX_BYTES = 9_000;
/** Messages that are read within a second; more are dropped, so that a flood costs no more than reading it. */
const MAX_PER_SECOND = 200;

/** Socket for multicast DNS on one link. */
export interface LinkSocket {
  /** Sends a message to everyone on the link, or to one program there. Errors are ignored: the next one is tried anyway. */
  send(packet: Packet, to?: { readonly address: string; readonly port: number }): Promise<void>;
  close(): void;
}

/** Receives messages of neighbors on the link, in whole and well formed. */
type OnMessage = (packet: DecodedPacket, from: RemoteInfo) => void;

/** Opens a socket that shares the port with other programs of this computer. Rejects with the error of the system. */
export async function openLinkSocket(link: Link, onMessage: OnMessage): Promise<LinkSocket> {
  // Bundled into one file with everything else, the announcer would load it at the start.
  const { decode, encode } = await import('dns-packet');
  const socket = createSocket({
    type: `udp${link.family}`,
    reuseAddr: true,
    ...(link.family === 6 ? { ipv6Only: true } : {}),
  });
  try {
    await bind(socket);
    socket.setMulticastTTL(HOPS);
    // Other programs on this computer ask as well.
    socket.setMulticastLoopback(true);
    socket.setMulticastInterface(link.member);
    socket.addMembership(GROUPS[link.family], link.member);
  } catch (error) {
    socket.close();
    throw error;
  }
  // An interface that goes away is found by the next update.
  socket.on('error', () => {});
  socket.on(
    'message',
    boundedReader(link, (bytes) => decode(bytes), onMessage),
  );
  return {
    send: (packet, to = { address: GROUPS[link.family], port: PORT }) =>
      sendFrom(socket, () => encode(packet), to),
    close: () => void socket.close(),
  };
}

function bind(socket: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.bind(PORT, () => {
      socket.off('error', reject);
      resolve();
    });
  });
}

function sendFrom(
  socket: Socket,
  encoded: () => Buffer,
  { address, port }: { address: string; port: number },
): Promise<void> {
  return new Promise((resolve) => {
    try {
      socket.send(encoded(), port, address, () => resolve());
    } catch {
      resolve();
    }
  });
}

/** Drops packets that do not come from the link, are too large, cannot be read or come too fast. */
function boundedReader(link: Link, decode: (bytes: Buffer) => DecodedPacket, onMessage: OnMessage) {
  let second = 0;
  let count = 0;
  return (bytes: Buffer, from: RemoteInfo) => {
    const now = Math.floor(performance.now() / 1_000);
    if (now !== second) [second, count] = [now, 0];
    count += 1;
    if (count > MAX_PER_SECOND || bytes.length > MAX_BYTES || !link.isNeighbor(from.address)) return;
    let packet: DecodedPacket;
    try {
      packet = decode(bytes);
    } catch {
      return;
    }
    onMessage(packet, from);
  };
}
