import { createSocket, type Socket } from 'node:dgram';
import { type Answer, decode, encode, type Packet, type RecordType } from 'dns-packet';
import { vi } from 'vitest';

const PORT = 5353;
const GROUP = '224.0.0.251';
const LOOPBACK = '127.0.0.1';
const ANSWERED_MS = 400;

/** Listens to multicast DNS on the loopback interface, as another computer listens in its network. */
export interface LoopbackListener {
  /** Records of answers so far, those that are taken back with a time of 0. */
  readonly heard: Answer[];
  send(packet: Packet | Buffer): Promise<void>;
  close(): void;
}

export async function listenOnLoopback(): Promise<LoopbackListener> {
  const socket = createSocket({ type: 'udp4', reuseAddr: true });
  await new Promise<void>((resolve) => socket.bind(PORT, resolve));
  socket.addMembership(GROUP, LOOPBACK);
  socket.setMulticastInterface(LOOPBACK);
  const heard: Answer[] = [];
  socket.on('message', (bytes) => heard.push(...answersIn(bytes)));
  return { heard, send: (packet) => sendTo(socket, packet), close: () => void socket.close() };
}

function sendTo(socket: Socket, packet: Packet | Buffer): Promise<void> {
  const bytes = Buffer.isBuffer(packet) ? packet : encode(packet);
  return new Promise((resolve, reject) => {
    socket.send(bytes, PORT, GROUP, (error) => (error === null ? resolve() : reject(error)));
  });
}

function answersIn(bytes: Buffer): Answer[] {
  try {
    const { type, answers = [], additionals = [] } = decode(bytes);
    return type === 'response' ? [...answers, ...additionals] : [];
  } catch {
    return [];
  }
}

/** Sends a message from a port of its own, as a program does that is no responder. */
export async function sendFromOwnPort(packet: Packet): Promise<void> {
  const socket = createSocket('udp4');
  await new Promise<void>((resolve) => socket.bind({ address: LOOPBACK, port: 0 }, resolve));
  socket.setMulticastInterface(LOOPBACK);
  await sendTo(socket, packet);
  socket.close();
}

/** Asks once for a name on the loopback interface, as a program without a responder of its own asks. */
export async function askLoopback(name: string, type = 'PTR'): Promise<Answer[]> {
  const socket = createSocket('udp4');
  await new Promise<void>((resolve) => socket.bind({ address: LOOPBACK, port: 0 }, resolve));
  socket.setMulticastInterface(LOOPBACK);
  const heard: Answer[] = [];
  socket.on('message', (bytes) => heard.push(...answersIn(bytes)));
  await sendTo(socket, { type: 'query', id: 7, questions: [{ name, type: type as RecordType }] });
  await new Promise((resolve) => setTimeout(resolve, ANSWERED_MS));
  socket.close();
  return heard;
}

/** Asks until the answer fits; the names are found a second after they are announced. */
export function untilAnswered<T>(name: string, read: (records: Answer[]) => T): Promise<T> {
  return vi.waitFor(async () => read(await askLoopback(name)), { timeout: 20_000, interval: 100 });
}
