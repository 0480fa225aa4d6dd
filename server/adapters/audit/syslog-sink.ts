import { hostname } from 'node:os';
import { type AuditFormat, formatAuditEvent } from './format.ts';
import type { AuditEvent, AuditProblem, AuditSink } from './port.ts';
import type { SyslogAddress } from './syslog-address.ts';
import { createStreamTransport } from './syslog-stream.ts';
import type { SyslogTransport } from './syslog-transport.ts';
import { createUdpTransport } from './syslog-udp.ts';
import { createUnixTransport, type UnixOptions } from './syslog-unix.ts';

/** RFC 5424 section 6.2.1: facility 13 is "log audit"; severity 5 notice, 4 warning. */
const FACILITY = 13;
const NOTICE = 5;
const WARNING = 4;

const DEFAULTS = { retryMs: 2_000, closeMs: 2_000, maxBuffered: 2_000, loggerProgram: 'logger' };

/** Sends each event as an RFC 5424 message whose text is the formatted event. */
export function createSyslogSink(
  options: { address: SyslogAddress; format?: AuditFormat; onError: AuditProblem } & Partial<UnixOptions>,
): AuditSink {
  const { address, format = 'json', ...rest } = options;
  const transport = createTransport(address, { ...DEFAULTS, ...rest });
  return {
    write: (event) => transport.send(syslogMessage(event, format)),
    problem: () => null,
    close: () => transport.close(),
  };
}

function createTransport(address: SyslogAddress, options: UnixOptions): SyslogTransport {
  switch (address.kind) {
    case 'udp':
      return createUdpTransport(address, options);
    case 'tcp':
    case 'tls': {
      const { kind, host, port } = address;
      const name = `syslog at ${host}:${port}`;
      return createStreamTransport({ host, port, name, isEncrypted: kind === 'tls' }, 'octets', options);
    }
    case 'unix':
      return createUnixTransport(address.path, options);
    default:
      throw new Error(`no such syslog address: ${String(address satisfies never)}`);
  }
}

/** `<PRI>1 TIME HOST faxdesk PID EVENT - TEXT`; the text has no line ends, so it may be framed by them. */
export function syslogMessage(event: AuditEvent, format: AuditFormat): string {
  const priority = FACILITY * 8 + (event.event === 'job_failed' ? WARNING : NOTICE);
  const kind = event.event.replaceAll(/[^!-~]/g, '_').slice(0, 32) || '-';
  const host =
    hostname()
      .replaceAll(/[^!-~]/g, '_')
      .slice(0, 255) || '-';
  return `<${priority}>1 ${event.at} ${host} faxdesk ${process.pid} ${kind} - ${formatAuditEvent(event, format)}`;
}
