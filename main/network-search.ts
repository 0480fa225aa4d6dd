import { isIPv4 } from 'node:net';
import { networkInterfaces } from 'node:os';
import { type ServiceRecord, searchServices, servicesIn } from '../server/network-search.ts';
import type { NetworkGateway } from './channels.ts';
import { findGateway } from './other-gateway.ts';

const SERVICE = '_faxdesk._tcp.local';
const MAX_GATEWAYS = 30;
/** Default of `HTTPS_PORT`. */
const USUAL_PORT = 8443;
const THIS_COMPUTER = 'This computer';
const HOST_NAME = /^(?=.{1,253}$)(?!-)[a-z0-9-]{1,63}(?:\.(?!-)[a-z0-9-]{1,63})*$/iu;
const ROOT = /^[0-9a-f]{64}$/iu;

/** Returns the gateways that answer in the local network, by name. Takes about a second. Never rejects. */
export async function searchNetwork(): Promise<NetworkGateway[]> {
  return gatewaysOf(await searchServices([SERVICE]), outerAddresses());
}

/**
 * Returns them with those of this computer, for an account that has none: a gateway that serves the whole computer is announced like
 * others, or answers at the usual port. Never rejects.
 */
export async function searchWithThisComputer(port = USUAL_PORT): Promise<NetworkGateway[]> {
  const [records, here] = await Promise.all([
    searchServices([SERVICE]),
    findGateway(`https://localhost:${port}`),
  ]);
  const gateways = gatewaysOf(records, []);
  if (!here.found || gateways.some(({ root }) => root === here.fingerprint)) return gateways;
  return [{ name: THIS_COMPUTER, addresses: [here.address], root: here.fingerprint }, ...gateways];
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
  interfaces: readonly (readonly ServiceRecord[])[],
  own: readonly string[],
): NetworkGateway[] {
  const announced = interfaces
    .flatMap(announcedIn)
    .filter(({ addresses }) => !addresses.some((address) => own.includes(address)));
  const gateways = Object.values(Object.groupBy(announced, keyOf)).map((parts = []) => mergeParts(parts));
  return gateways.toSorted((a, b) => a.name.localeCompare(b.name, 'en')).slice(0, MAX_GATEWAYS);
}

const keyOf = ({ name, root, addresses }: Announced) => JSON.stringify([name, root ?? addresses]);

function announcedIn(records: readonly ServiceRecord[]): Announced[] {
  return servicesIn(records, SERVICE).map(({ name, facts, ...place }) => {
    const root = facts.get('root') ?? '';
    return {
      ...place,
      name: name || 'Faxdesk',
      root: ROOT.test(root) ? pairsOf(root) : null,
      host: facts.get('host'),
    };
  });
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

/** `AB:CD:…` as fingerprints are shown. */
function pairsOf(hex: string): string {
  return (hex.toUpperCase().match(/../gu) ?? []).join(':');
}
