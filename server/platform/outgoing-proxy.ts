import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { createRangeCheck, isAddressRange } from './address-range.ts';
import { isLoopbackHost } from './public-address.ts';

/** The HTTP proxies through which connections leave, by the scheme of their address. */
export interface OutgoingProxies {
  readonly https: URL | null;
  readonly http: URL | null;
  /** Hosts that are connected to directly, as `NO_PROXY` names them. */
  readonly except: readonly string[];
}

export const NO_PROXIES: OutgoingProxies = { https: null, http: null, except: [] };

let present = NO_PROXIES;
let isExceptedAddress = createRangeCheck([]);

/** Sets the proxies for all new connections of this process. */
export function setProxies(proxies: OutgoingProxies): void {
  present = proxies;
  isExceptedAddress = createRangeCheck(proxies.except.filter(isAddressRange));
}

/** Returns the proxy for an address; null where it is connected to directly, as everything on this computer is. */
export function proxyFor(url: URL): URL | null {
  const proxy = url.protocol === 'https:' ? present.https : present.http;
  if (proxy === null || isLoopbackHost(url.hostname)) return null;
  const host = hostOf(url).toLowerCase();
  if (isIP(host) !== 0 && isExceptedAddress(host)) return null;
  const port = url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port;
  return present.except.some((rule) => isExcepted(rule, host, port)) ? null : proxy;
}

/** Returns the host of an address, an IPv6 address without its brackets. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/u, '$1');

/** `*`, `example.com` with all below it, `.example.com`, `*.example.com`, each with or without `:port`. */
function isExcepted(rule: string, host: string, port: string): boolean {
  if (rule === '*') return true;
  const [, name = '', ofPort] = /^(.*?)(?::(\d+))?$/u.exec(rule.toLowerCase()) ?? [];
  if (ofPort !== undefined && ofPort !== port) return false;
  const bare = name.replace(/^\*?\./u, '');
  return bare !== '' && (host === bare || host.endsWith(`.${bare}`));
}

/** Beginning of the codes of errors about what a proxy answered; its status follows. */
export const PROXY_REFUSED = 'ERR_PROXY_';

interface TunnelOptions {
  readonly host: string;
  readonly port: number;
  /** Ends the attempt. */
  readonly signal: AbortSignal;
}

/**
 * Returns a connection to the host through the proxy, with nothing sent to the host. The caller destroys it. Rejects with
 * an error whose code begins with PROXY_REFUSED when the proxy answers with another status than 200.
 */
export async function openTunnel(proxy: URL, { host, port, signal }: TunnelOptions): Promise<Socket> {
  const target = `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
  const isSecure = proxy.protocol === 'https:';
  const connecting = httpRequest({
    method: 'CONNECT',
    host: hostOf(proxy),
    port: proxy.port === '' ? (isSecure ? 443 : 80) : Number(proxy.port),
    path: target,
    headers: { host: target, 'user-agent': 'Faxdesk', ...signIn(proxy) },
    agent: false,
    signal,
    ...(isSecure && {
      createConnection: (options: object) => connectTls({ ...options, ...secureOptions(proxy) }),
    }),
  });
  // Any other status comes as a usual response.
  connecting.on('response', (answer: IncomingMessage) => connecting.destroy(refused(answer.statusCode)));
  connecting.end();
  const [answer, socket, head] = (await once(connecting, 'connect', { signal })) as [
    IncomingMessage,
    Socket,
    Buffer,
  ];
  socket.on('error', () => undefined);
  if (answer.statusCode !== 200) {
    socket.destroy();
    throw refused(answer.statusCode);
  }
  if (head.length > 0) socket.unshift(head);
  return socket;
}

const secureOptions = (proxy: URL) => ({
  ...(isIP(hostOf(proxy)) === 0 ? { servername: hostOf(proxy) } : {}),
  rejectUnauthorized: true,
  minVersion: 'TLSv1.2' as const,
  ALPNProtocols: ['http/1.1'],
});

const refused = (status = 0): Error =>
  Object.assign(new Error(`The proxy answered ${status}.`), { code: `${PROXY_REFUSED}${status}` });

function signIn({ username, password }: URL): Record<string, string> {
  if (username === '') return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(pair).toString('base64')}` };
}
