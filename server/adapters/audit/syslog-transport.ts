import type { AuditProblem } from './port.ts';

/** One way to bring syslog messages to a daemon. Sending never throws and never waits. */
export interface SyslogTransport {
  send(message: string): void;
  close(): Promise<void>;
}

export interface TransportOptions {
  onError: AuditProblem;
  /** Pause before a lost connection is tried again, milliseconds. */
  retryMs: number;
  /** Maximum wait of `close` for held messages, in ms. */
  closeMs: number;
  /** Messages held while there is no connection; of more, the oldest are lost. */
  maxBuffered: number;
}
