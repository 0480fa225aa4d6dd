import type { AuditOperation } from '../../../shared/audit-operations.ts';
import type { CredentialKind } from '../../../shared/credential-kinds.ts';
import type { AuditEvent, AuditSink } from '../../adapters/audit/port.ts';

/** Actor of an event, as histories and the security audit name them. */
export interface Actor {
  /** Null for what is no principal, such as the command line. */
  readonly id: string | null;
  readonly name: string;
  /** Kind of the credential used. */
  readonly credentialKind: CredentialKind;
  /** Version of the policy their permissions were read by; null when no permission was checked. */
  readonly policyVersion: number | null;
  /** Null outside of a request. */
  readonly requestId: string | null;
}

/** An event for later inquiries: actor, operation, target and outcome. */
export interface SecurityEvent {
  actor: { id: string | null; name: string };
  credentialKind: CredentialKind;
  /** Room and verb, e.g. `settings.change`. */
  operation: AuditOperation;
  target: { kind: string; id: string | null };
  outcome: 'done' | 'refused';
  policyVersion: number;
  requestId: string | null;
  /** Plain facts, never a secret. */
  details?: Record<string, unknown>;
}

/** A recorded event. */
export interface SecurityEntry extends Omit<Required<SecurityEvent>, 'credentialKind' | 'operation'> {
  id: string;
  /** May be a kind of another release that this release does not have. */
  credentialKind: string;
  /** May be an operation of another release that this release does not have. */
  operation: string;
  /** ISO 8601 UTC; of what is counted, the first time. */
  occurredAt: string;
  /** The same unless it is counted. */
  lastAt: string;
  /** Number of occurrences within the hour; 1 unless it is counted. */
  count: number;
  /** Its number in the chain of records. */
  seq: number;
  /** Lowercase hex SHA-256 of the record with the digest of the one before. */
  digest: string;
}

/** Configuration of the business audit trail. */
export interface AuditConfiguration {
  enabled: boolean;
  format: 'json' | 'text';
  /** Absolute path, or null for none. */
  file: string | null;
  syslog: boolean;
  syslogAddress: string | null;
}

/** Source of the audit configuration; the settings room implements it. */
export interface AuditConfigurationSource {
  current(): AuditConfiguration;
  /** Calls the listener after every change; the answer ends that. */
  onChange(listener: () => void): () => void;
}

/** Opens the sinks of a configuration. Throws when the configuration cannot work. */
export type OpenSinks = (configuration: AuditConfiguration) => AuditSink[];

/** Numbers the lines of the trail, each with the digest of the one before, from one start to the next. */
export interface AuditChain {
  /** The event as it is to be written in that format. */
  next(event: AuditEvent, format: AuditConfiguration['format']): AuditEvent;
  close(): void;
}

export interface AuditTrail {
  /** Never throws and never waits: the business must continue whatever the sinks do. */
  write(event: AuditEvent): void;
  /** Reasons why lines are not written, in full sentences. */
  problems(): string[];
  /** Delivers what is still held and lets go of files and sockets. */
  close(): Promise<void>;
}
