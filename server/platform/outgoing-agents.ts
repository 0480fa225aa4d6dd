import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import { openTunnel, proxyFor } from './outgoing-proxy.ts';

type Connected = (error: Error | null, stream: Duplex) => void;

interface Target {
  readonly host?: string;
  readonly port?: number | string;
  readonly servername?: string;
}

/** A proxy that has not answered by then will not. */
const CONNECTING_MS = 30_000;

/** Agents for a library with requests of its own: their connections leave through the proxies, where there are any. */
export function createOutgoingAgents(): { httpAgent: HttpAgent; httpsAgent: HttpsAgent } {
  return {
    httpAgent: new ProxiedHttp({ keepAlive: true }),
    httpsAgent: new ProxiedHttps({ keepAlive: true }),
  };
}

class ProxiedHttp extends HttpAgent {
  override createConnection(options: Target & object, connected?: Connected): Duplex | null | undefined {
    const tunnel = tunnelTo('http:', options);
    if (tunnel === null || connected === undefined) return super.createConnection(options, connected);
    tunnel.then((socket) => connected(null, socket), failTo(connected));
    return undefined;
  }
}

class ProxiedHttps extends HttpsAgent {
  override createConnection(options: Target & object, connected?: Connected): Duplex | null | undefined {
    const tunnel = tunnelTo('https:', options);
    if (tunnel === null || connected === undefined) return super.createConnection(options, connected);
    const { host = '', servername = isIP(host) === 0 ? host : '' } = options;
    tunnel.then(
      (socket) => connected(null, connectTls({ socket, servername, minVersion: 'TLSv1.2' })),
      failTo(connected),
    );
    return undefined;
  }
}

/** Null where the target is connected to directly. */
function tunnelTo(protocol: string, { host = '', port = '' }: Target) {
  const url = URL.parse(`${protocol}//${isIP(host) === 6 ? `[${host}]` : host}:${port}`);
  const proxy = url && proxyFor(url);
  if (proxy === null) return null;
  return openTunnel(proxy, { host, port: Number(port), signal: AbortSignal.timeout(CONNECTING_MS) });
}

const failTo = (connected: Connected) => (error: unknown) => {
  const reason = error instanceof Error ? error : new Error(String(error));
  // The callback of the platform takes no stream beside an error.
  connected(reason, undefined as never);
};
