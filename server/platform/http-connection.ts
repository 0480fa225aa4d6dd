import { type LookupAddress, type LookupAllOptions, lookup } from 'node:dns';
import { once } from 'node:events';
import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { errorCode } from './errors.ts';
import { hostOf, openTunnel, proxyFor } from './outgoing-proxy.ts';

interface ConnectionOptions {
  /** Ends the attempt; the promise then rejects. */
  readonly signal: AbortSignal;
  /**
   * Restricts connections to addresses for which it returns true, checked after the DNS lookup; no restriction when
   * left out.
   */
  readonly allowAddress?: (ip: string) => boolean;
  /** Trusted roots in PEM instead of the system's. */
  readonly ca?: string;
  /** Looks host names up; that of the system when left out. */
  readonly lookup?: LookupAll;
}

/** Lookup of all addresses of a name, as `dns.lookup` does it. */
export type LookupAll = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, found: LookupAddress[]) => void,
) => void;

/**
 * A connected socket to the host of `url` (TLS finished for https), with nothing sent over it; through the proxy where there
 * is one. The caller destroys it.
 */
export async function openSocket(url: URL, options: ConnectionOptions): Promise<Socket> {
  options.signal.throwIfAborted();
  const host = hostOf(url);
  if (isIP(host) !== 0 && options.allowAddress?.(host) === false) throw addressRefused();
  const secure = url.protocol === 'https:';
  if (!secure && url.protocol !== 'http:') throw new Error(`The scheme ${url.protocol} is not supported.`);
  const port = url.port === '' ? (secure ? 443 : 80) : Number(url.port);
  const proxy = proxyFor(url);
  if (proxy !== null) await checkName(host, options);
  const tunnel = proxy && (await openTunnel(proxy, { host, port, signal: options.signal }));
  if (tunnel !== null && !secure) return tunnel;
  const target = tunnel === null ? { host, port, lookup: guardedLookup(options) } : { socket: tunnel };
  const socket = secure
    ? connectTls({ ...target, ...tlsOptions(host, options.ca) })
    : connectTcp({ host, port, lookup: guardedLookup(options) });
  // A socket without this listener would end the process when it fails between two owners.
  socket.on('error', () => undefined);
  try {
    await once(socket, secure ? 'secureConnect' : 'connect', { signal: options.signal });
    return socket;
  } catch (error) {
    socket.destroy();
    tunnel?.destroy();
    throw error;
  }
}

/**
 * Refuses a host whose addresses are not allowed before a proxy is sent its name. In a network without names of the
 * internet only the proxy can look them up: then it decides.
 */
async function checkName(host: string, options: ConnectionOptions): Promise<void> {
  const guarded = guardedLookup(options);
  if (guarded === undefined || isIP(host) !== 0) return;
  const error = await new Promise<Error | null>((resolve) => guarded(host, { all: true }, resolve));
  if (errorCode(error) === ADDRESS_REFUSED) throw error;
}

/** Code of the error for a host without an allowed address. */
export const ADDRESS_REFUSED = 'ERR_ADDRESS_REFUSED';

const addressRefused = () =>
  Object.assign(new Error('The address of the host is not allowed.'), { code: ADDRESS_REFUSED });

function tlsOptions(host: string, ca: string | undefined) {
  return {
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ...(ca === undefined ? {} : { ca }),
    // Also where NODE_TLS_REJECT_UNAUTHORIZED turns the check off for others.
    rejectUnauthorized: true,
    minVersion: 'TLSv1.2' as const,
    ALPNProtocols: ['http/1.1'],
  };
}

/** Node's lookup, with refused addresses left out, so that the address checked is the address connected to. */
function guardedLookup({
  allowAddress: allow,
  lookup: lookUp = lookup,
}: ConnectionOptions): LookupFunction | undefined {
  if (allow === undefined) return undefined;
  return (hostname, options, callback) => {
    const all: LookupAllOptions = { ...(options as LookupAllOptions), all: true };
    lookUp(hostname, all, (error, found) => {
      const allowed: LookupAddress[] = (found ?? []).filter((entry) => allow(entry.address));
      const first = allowed[0];
      if (error) callback(error, []);
      else if (first === undefined) callback(addressRefused(), []);
      else if (options.all === true) callback(null, allowed);
      else callback(null, first.address, first.family);
    });
  };
}
