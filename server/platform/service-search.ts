import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { Answer } from 'dns-packet';

/** A record of an answer. */
export type ServiceRecord = Answer;

// Finds services of the local network by DNS-SD. One question goes to the multicast address from a port of its own, so
// the answers come to that port alone, and nothing listens between two searches (RFC 6762, 5.1).

const PORT = 5353;
const GROUPS = { IPv4: '224.0.0.251', IPv6: 'ff02::fb' } as const;
/** The question is repeated, because a message can be lost. */
const ASKED_AT_MS = [0, 400];
const SEARCH_MS = 1_200;
/** Limits for what others send: more is ignored. */
const MAX_MESSAGES = 300;
const MAX_BYTES = 9_000;
const MAX_SERVICES = 30;
const MAX_SOCKETS = 32;
const MAX_NAME = 63;

/**
 * Returns the records of all who answer in the local network for services of these types, such as `_faxdesk._tcp.local`;
 * those of each network interface apart. Takes about a second. Never rejects.
 */
export async function searchServices(types: readonly string[]): Promise<ServiceRecord[][]> {
  const { decode, encode } = await import('dns-packet');
  let messages = 0;
  const readInto =
    (records: Answer[]) =>
    (bytes: Buffer, { port }: RemoteInfo) => {
      messages += 1;
      if (port !== PORT || messages > MAX_MESSAGES || bytes.length > MAX_BYTES) return;
      try {
        const { type, answers = [], additionals = [] } = decode(bytes);
        if (type === 'response') records.push(...answers, ...additionals);
      } catch {
        // Ignored, like any message that is no answer.
      }
    };
  const opened = await Promise.all(
    ownAddresses().map(async (own) => {
      const records: Answer[] = [];
      const socket = await openSocket(own, readInto(records)).catch(() => null);
      return socket && { ...socket, records };
    }),
  );
  const sockets = opened.filter((socket) => socket !== null);
  const questions = types.map((name) => ({ name, type: 'PTR' as const }));
  const question = encode({ type: 'query', questions });
  let waited = 0;
  for (const at of ASKED_AT_MS) {
    await delay(at - waited);
    waited = at;
    for (const { socket, group } of sockets) socket.send(question, PORT, group, () => {});
  }
  await delay(SEARCH_MS - waited);
  for (const { socket } of sockets) socket.close();
  return sockets.map(({ records }) => records);
}

type OwnAddress = NetworkInterfaceInfo & { readonly zone: string };

/** Multicast of IPv6 goes out from link-local addresses. */
function ownAddresses(): OwnAddress[] {
  const all = Object.entries(networkInterfaces()).flatMap(([name, infos = []]) =>
    infos.map((info) => {
      const scope = info.family === 'IPv6' ? info.scopeid : 0;
      return { ...info, zone: process.platform === 'win32' ? String(scope) : name };
    }),
  );
  return all
    .filter(({ family, address }) => family === 'IPv4' || /^fe[89ab]/iu.test(address) || address === '::1')
    .slice(0, MAX_SOCKETS);
}

async function openSocket(
  { family, address, zone }: OwnAddress,
  read: (bytes: Buffer, from: RemoteInfo) => void,
): Promise<{ socket: Socket; group: string }> {
  const isIpv4 = family === 'IPv4';
  const socket = createSocket({ type: isIpv4 ? 'udp4' : 'udp6' });
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once('error', reject);
      socket.bind({ address: isIpv4 ? address : `${address}%${zone}`, port: 0 }, resolve);
    });
    socket.setMulticastTTL(255);
    socket.setMulticastInterface(isIpv4 ? address : `::%${zone}`);
  } catch (error) {
    socket.close();
    throw error;
  }
  socket.on('error', () => {});
  socket.on('message', read);
  return { socket, group: isIpv4 ? GROUPS.IPv4 : `${GROUPS.IPv6}%${zone}` };
}

/** A service as it announces itself on one interface. */
export interface FoundService {
  /** Name for people; without characters that hide or turn around other text. */
  readonly name: string;
  readonly port: number;
  /** Keys, in small letters, with their values. */
  readonly facts: ReadonlyMap<string, string>;
  readonly addresses: readonly string[];
  /** Its host in the local network, such as `frontdesk.local`. */
  readonly target: string;
}

/** Returns the services of a type out of the records of one interface, 30 at most. */
export function servicesIn(records: readonly Answer[], type: string): FoundService[] {
  const names = records.flatMap((record) =>
    record.type === 'PTR' && isSame(record.name, type) ? [record.data] : [],
  );
  return [...new Set(names.map((name) => name.toLowerCase()))]
    .slice(0, MAX_SERVICES)
    .flatMap((name) => serviceNamed(name, type, records));
}

function serviceNamed(name: string, type: string, records: readonly Answer[]): FoundService[] {
  const own = records.filter((record) => isSame(record.name, name));
  const server = own.find((record) => record.type === 'SRV')?.data;
  const pointer = records
    .flatMap((record) => (record.type === 'PTR' ? record.data : []))
    .find((data) => isSame(data, name));
  if (server === undefined || pointer === undefined || !(server.port > 0)) return [];
  const addresses = records
    .filter(({ name: host }) => isSame(host, server.target))
    .flatMap((record) => (record.type === 'A' || record.type === 'AAAA' ? [record.data] : []));
  return [
    {
      name: plainText(pointer.slice(0, -type.length - 1)),
      port: server.port,
      facts: factsOf(own.flatMap((record) => (record.type === 'TXT' ? record.data : []))),
      addresses,
      target: server.target,
    },
  ];
}

/** A text comes from any computer that answers: without characters that hide or turn around other text, 63 at most. */
export function plainText(text: string): string {
  const plain = text.replaceAll(/[\p{C}\u2028\u2029]+/gu, ' ').trim();
  return [...plain].slice(0, MAX_NAME).join('');
}

function factsOf(all: readonly (string | Buffer)[]): Map<string, string> {
  return new Map(
    all.map((fact) => {
      const [key = '', ...value] = String(fact).split('=');
      return [key.toLowerCase(), value.join('=')];
    }),
  );
}

const isSame = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();
