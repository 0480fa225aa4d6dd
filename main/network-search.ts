import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { isIPv4 } from 'node:net';
import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { Answer } from 'dns-packet';
import type { NetworkGateway } from './channels.ts';

// Finds gateways of the local network by DNS-SD. One question goes to the multicast address from a port of its own, so
// the answers come to that port alone, and nothing listens between two searches (RFC 6762, 5.1).

const SERVICE = '_faxdesk._tcp.local';
const PORT = 5353;
const GROUPS = { IPv4: '224.0.0.251', IPv6: 'ff02::fb' } as const;
/** The question is repeated, because a message can be lost. */
const ASKED_AT_MS = [0, 400];
const SEARCH_MS = 1_200;
/** Limits for what others send: more is ignored. */
const MAX_MESSAGES = 300;
const MAX_BYTES = 9_000;
const MAX_GATEWAYS = 30;
const MAX_SOCKETS = 32;
const MAX_NAME = 63;
const HOST_NAME = /^(?=.{1,253}$)(?!-)[a-z0-9-]{1,63}(?:\.(?!-)[a-z0-9-]{1,63})*$/iu;
const ROOT = /^[0-9a-f]{64}$/iu;

/** Returns the gateways that answer in the local network, by name. Takes about a second. Never rejects. */
export async function searchNetwork(): Promise<NetworkGateway[]> {
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
  const question = encode({ type: 'query', questions: [{ name: SERVICE, type: 'PTR' }] });
  let waited = 0;
  for (const at of ASKED_AT_MS) {
    await delay(at - waited);
    waited = at;
    for (const { socket, group } of sockets) socket.send(question, PORT, group, () => {});
  }
  await delay(SEARCH_MS - waited);
  for (const { socket } of sockets) socket.close();
  return gatewaysOf(
    sockets.map(({ records }) => records),
    outerAddresses(),
  );
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

/** Addresses of this computer in its networks: a gateway with one of them runs here, and is no other one. */
function outerAddresses(): string[] {
  const all = Object.values(networkInterfaces()).flatMap((infos) => infos ?? []);
  return all.filter(({ internal }) => !internal).map(({ address }) => address);
}

/** A gateway as it announces itself on one interface. */
interface Announced extends Pick<NetworkGateway, 'name' | 'root'> {
  readonly port: number;
  /** The host that its certificate names; undefined when it announces none. */
  readonly host: string | undefined;
  readonly addresses: readonly string[];
  /** Its host in the local network, such as `frontdesk.local`. */
  readonly target: string;
}

/**
 * Reads the gateways of other computers out of the records of all answers, of each interface apart: a name belongs to
 * one computer in one network, and to another one in the next. A gateway that answers on several interfaces is one; one
 * with an address of `own` is left out.
 */
export function gatewaysOf(
  interfaces: readonly (readonly Answer[])[],
  own: readonly string[],
): NetworkGateway[] {
  const announced = interfaces
    .flatMap(announcedIn)
    .filter(({ addresses }) => !addresses.some((address) => own.includes(address)));
  const gateways = Object.values(Object.groupBy(announced, keyOf)).map((parts = []) => mergeParts(parts));
  return gateways.toSorted((a, b) => a.name.localeCompare(b.name, 'en')).slice(0, MAX_GATEWAYS);
}

const keyOf = ({ name, root, addresses }: Announced) => JSON.stringify([name, root ?? addresses]);

function announcedIn(records: readonly Answer[]): Announced[] {
  const names = records.flatMap((record) =>
    record.type === 'PTR' && isSame(record.name, SERVICE) ? [record.data] : [],
  );
  return [...new Set(names.map((name) => name.toLowerCase()))]
    .slice(0, MAX_GATEWAYS)
    .flatMap((name) => announcedAs(name, records));
}

function announcedAs(name: string, records: readonly Answer[]): Announced[] {
  const own = records.filter((record) => isSame(record.name, name));
  const server = own.find((record) => record.type === 'SRV')?.data;
  const pointer = records
    .flatMap((record) => (record.type === 'PTR' ? record.data : []))
    .find((data) => isSame(data, name));
  if (server === undefined || pointer === undefined || !(server.port > 0)) return [];
  const facts = factsOf(own.flatMap((record) => (record.type === 'TXT' ? record.data : [])));
  const addresses = records
    .filter(({ name: host }) => isSame(host, server.target))
    .flatMap((record) => (record.type === 'A' || record.type === 'AAAA' ? [record.data] : []));
  const root = facts.get('root') ?? '';
  return [
    {
      name: plainName(pointer.slice(0, -SERVICE.length - 1)),
      root: ROOT.test(root) ? pairsOf(root) : null,
      port: server.port,
      host: facts.get('host'),
      addresses,
      target: server.target,
    },
  ];
}

function mergeParts(parts: readonly Announced[]): NetworkGateway {
  const [{ name, root }] = parts as readonly [Announced];
  const isReachable = (address: string) => isIPv4(address) || !/^fe[89ab]/iu.test(address);
  const addresses = parts.flatMap(({ port, addresses: all }) => all.map((host) => ({ host, port })));
  const origins = [
    ...parts,
    ...addresses.filter(({ host }) => isReachable(host)).toSorted((a, b) => ipv4First(a.host, b.host)),
    ...parts.map(({ target, port }) => ({ host: target, port })),
  ].flatMap(({ host, port }) => originsOf(host, port));
  return { name, addresses: [...new Set(origins)].slice(0, 8), root };
}

function originsOf(host: string | undefined, port: number): string[] {
  if (host === undefined || !(HOST_NAME.test(host) || host.includes(':'))) return [];
  const url = URL.parse(`https://${host.includes(':') ? `[${host}]` : host}:${port}`);
  return url === null ? [] : [url.origin];
}

const ipv4First = (a: string, b: string) => Number(isIPv4(b)) - Number(isIPv4(a));

/** A name comes from whoever answered: without characters that hide or turn around other text. */
function plainName(label: string): string {
  const text = label.replaceAll(/[\p{C}\u2028\u2029]+/gu, ' ').trim();
  return [...text].slice(0, MAX_NAME).join('') || 'Faxdesk';
}

function factsOf(all: readonly (string | Buffer)[]): Map<string, string> {
  return new Map(
    all.map((fact) => {
      const [key = '', ...value] = String(fact).split('=');
      return [key.toLowerCase(), value.join('=')];
    }),
  );
}

/** `AB:CD:…` as fingerprints are shown. */
function pairsOf(hex: string): string {
  return (hex.toUpperCase().match(/../gu) ?? []).join(':');
}

const isSame = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();
