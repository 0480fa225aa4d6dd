import type { Seal } from '../../platform/seal.ts';
import { openChainEndFile } from './chain-end-file.ts';
import { createFileSink } from './file-sink.ts';
import type { AuditFormat } from './format.ts';
import { chainEvent } from './line-chain.ts';
import { createLogSink } from './log-sink.ts';
import type { AuditEvent, AuditProblem, AuditSink } from './port.ts';
import { defaultSyslogAddress, parseSyslogAddress } from './syslog-address.ts';
import { createSyslogSink } from './syslog-sink.ts';

export { parseSyslogAddress };

/** The chain of audit lines, whose end is kept in `path`, sealed. */
export function createAuditChain(path: string, seal: Seal) {
  const kept = openChainEndFile(path, seal);
  let end = kept.read();
  return {
    next(event: AuditEvent, format: AuditFormat): AuditEvent {
      const line = chainEvent(event, format, end);
      end = { seq: line.seq, digest: line.digest };
      kept.write(end);
      return line;
    },
    close: () => kept.close(),
  };
}

/** The settings AUDIT_LOG_ENABLED, _FORMAT, _FILE, _SYSLOG and _SYSLOG_ADDRESS, typed. */
interface AuditSinkSettings {
  enabled: boolean;
  format: AuditFormat;
  /** Path of the audit file, null for none. */
  file: string | null;
  syslog: boolean;
  /** As `parseSyslogAddress` reads it; null for the operating system's own daemon. */
  syslogAddress: string | null;
}

/**
 * The sinks that the settings ask for: none when auditing is off, the gateway's log when neither a file nor syslog is
 * named. Throws `SyslogAddressError` on a wrong address.
 */
export function createAuditSinks(
  settings: AuditSinkSettings,
  edges: {
    log: (event: AuditEvent) => void;
    onError: AuditProblem;
    mayWrite?: (file: string) => boolean;
  },
): AuditSink[] {
  if (!settings.enabled) return [];
  const { format, file, syslog, syslogAddress } = settings;
  const { onError, mayWrite = () => true } = edges;
  const sinks: AuditSink[] = [];
  if (file !== null)
    sinks.push(createFileSink({ path: file, format, onError, mayWrite: () => mayWrite(file) }));
  if (syslog) {
    const address =
      syslogAddress === null ? defaultSyslogAddress(process.platform) : parseSyslogAddress(syslogAddress);
    sinks.push(createSyslogSink({ address, format, onError }));
  }
  return sinks.length > 0 ? sinks : [createLogSink(edges.log)];
}
