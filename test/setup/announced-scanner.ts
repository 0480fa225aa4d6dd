import { createSocket } from 'node:dgram';
import { type Answer, decode, encode } from 'dns-packet';

const PORT = 5353;
const GROUP = '224.0.0.251';
const LOOPBACK = '127.0.0.1';
const TYPE = '_uscan._tcp.local';

/** A scanner as it announces itself on the loopback interface: it answers whoever asks, from the port of responders. */
interface AnnouncedScanner {
  /** In front of the type; part of the records. */
  readonly name: string;
  readonly port: number;
  readonly facts?: readonly string[];
}

/** Returns the records of a scanner, as one message of it has them. */
export function scannerRecords(
  { name, port, facts = [] }: AnnouncedScanner,
  { type = TYPE, address = LOOPBACK }: { type?: string; address?: string } = {},
): Answer[] {
  const instance = `${name}.${type}`;
  const target = 'test-scanner.local';
  return [
    { type: 'PTR', name: type, ttl: 10, data: instance },
    { type: 'SRV', name: instance, ttl: 10, data: { target, port, priority: 0, weight: 0 } },
    { type: 'TXT', name: instance, ttl: 10, data: [...facts] },
    { type: 'A', name: target, ttl: 10, data: address },
  ];
}

/** Announces a scanner until it is closed. */
export async function announceScanner(scanner: AnnouncedScanner): Promise<{ close(): void }> {
  const socket = createSocket({ type: 'udp4', reuseAddr: true });
  await new Promise<void>((resolve) => socket.bind(PORT, resolve));
  socket.addMembership(GROUP, LOOPBACK);
  socket.setMulticastInterface(LOOPBACK);
  socket.on('message', (bytes, from) => {
    const { type, questions = [] } = decode(bytes);
    if (type !== 'query' || !questions.some(({ name }) => name === TYPE)) return;
    const [pointer, ...additionals] = scannerRecords(scanner);
    if (pointer)
      socket.send(encode({ type: 'response', answers: [pointer], additionals }), from.port, from.address);
  });
  return { close: () => void socket.close() };
}
