import { isAbsolute } from 'node:path';

export type SyslogAddress =
  | { kind: 'udp' | 'tcp'; host: string; port: number }
  | { kind: 'unix'; path: string };

export class SyslogAddressError extends Error {
  override name = 'SyslogAddressError';
}

const SYSLOG_PORT = 514;

/**
 * Parses `udp://host:port`, `tcp://host:port`, `unix:///path`, a bare absolute path, or a bare `host[:port]` for UDP.
 * The port defaults to 514; an IPv6 host needs brackets. Throws {@link SyslogAddressError} on anything else.
 */
export function parseSyslogAddress(text: string): SyslogAddress {
  if (isAbsolute(text)) return { kind: 'unix', path: text };
  const [, scheme = 'udp', rest = ''] = /^(?:([a-z]+):\/\/)?(.*)$/i.exec(text.trim()) ?? [];
  if (scheme === 'unix' && isAbsolute(rest)) return { kind: 'unix', path: rest };
  const [, bracketed, plain, port] =
    /^(?:\[([0-9a-f:.]+)\]|([a-z0-9._-]+))(?::(\d{1,5}))?\/?$/i.exec(rest) ?? [];
  const host = bracketed ?? plain;
  const number = port === undefined ? SYSLOG_PORT : Number(port);
  if ((scheme === 'udp' || scheme === 'tcp') && host !== undefined && number > 0 && number < 65_536) {
    return { kind: scheme, host, port: number };
  }
  if (scheme.toLowerCase() === 'tls')
    throw new SyslogAddressError(
      `tls:// is not supported, so ${text} is no syslog address here (send by udp:// or tcp:// to a log program on this computer, such as rsyslog, that sends it on over TLS)`,
    );
  throw new SyslogAddressError(
    `not a syslog address: ${text} (use udp://host:port, tcp://host:port or unix:///dev/log)`,
  );
}

/** Returns the address of the operating system's own log daemon. */
export function defaultSyslogAddress(platform: NodeJS.Platform): SyslogAddress {
  if (platform === 'linux') return { kind: 'unix', path: '/dev/log' };
  if (platform === 'darwin') return { kind: 'unix', path: '/var/run/syslog' };
  return { kind: 'udp', host: '127.0.0.1', port: SYSLOG_PORT };
}
