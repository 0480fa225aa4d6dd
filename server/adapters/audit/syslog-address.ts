import { isAbsolute } from 'node:path';

type Network = 'udp' | 'tcp' | 'tls';
export type SyslogAddress = { kind: Network; host: string; port: number } | { kind: 'unix'; path: string };

export class SyslogAddressError extends Error {
  override name = 'SyslogAddressError';
}

const SYSLOG_PORT = 514;
/** RFC 5425 section 4.1. */
const PORTS: Readonly<Record<string, number>> = { udp: SYSLOG_PORT, tcp: SYSLOG_PORT, tls: 6514 };

const isNetwork = (scheme: string): scheme is Network => scheme in PORTS;

/**
 * Parses `udp://host:port`, `tcp://host:port`, `tls://host:port`, `unix:///path`, a bare absolute path, or a bare
 * `host[:port]` for UDP. The port defaults to 514, that of TLS to 6514; an IPv6 host needs brackets. Throws {@link SyslogAddressError} on anything else.
 */
export function parseSyslogAddress(text: string): SyslogAddress {
  if (isAbsolute(text)) return { kind: 'unix', path: text };
  const [, scheme = 'udp', rest = ''] = /^(?:([a-z]+):\/\/)?(.*)$/i.exec(text.trim()) ?? [];
  if (scheme === 'unix' && isAbsolute(rest)) return { kind: 'unix', path: rest };
  const [, bracketed, plain, port] =
    /^(?:\[([0-9a-f:.]+)\]|([a-z0-9._-]+))(?::(\d{1,5}))?\/?$/i.exec(rest) ?? [];
  const host = bracketed ?? plain;
  const number = port === undefined ? (PORTS[scheme] ?? 0) : Number(port);
  if (isNetwork(scheme) && host !== undefined && number > 0 && number < 65_536)
    return { kind: scheme, host, port: number };
  throw new SyslogAddressError(
    `not a syslog address: ${text} (use tls://host:port, tcp://host:port, udp://host:port or unix:///dev/log)`,
  );
}

/** Returns the address of the operating system's own log daemon. */
export function defaultSyslogAddress(platform: NodeJS.Platform): SyslogAddress {
  if (platform === 'linux') return { kind: 'unix', path: '/dev/log' };
  if (platform === 'darwin') return { kind: 'unix', path: '/var/run/syslog' };
  return { kind: 'udp', host: '127.0.0.1', port: SYSLOG_PORT };
}
