import type { ProviderAccount } from '../../adapters/providers/port.ts';
import type { FaxAttemptTable, FaxJobTable } from '../../db/schema/outbound.ts';
import type { Actor } from '../access/service.ts';

export type { Actor };
export type JobRow = FaxJobTable;
export type AttemptRow = FaxAttemptTable;

/** A job with its newest attempt and the label of its mailbox. */
export interface FaxRecord {
  readonly job: JobRow;
  readonly attempt: AttemptRow | null;
  readonly mailbox: string | null;
}

/** What of all sent faxes is visible: those one person sent, and those of mailboxes. */
export interface SentScope {
  readonly personId: string;
  readonly mailboxIds: readonly string[];
}

/**
 * What a fax captures at acceptance, sealed in its row. Later setting changes do not reach it: neither another account
 * nor another address.
 */
export interface CapturedRoute {
  readonly account: ProviderAccount;
  readonly traits: { readonly polls: boolean; readonly callbacks: boolean };
  readonly headerText: string;
  /** Without a trailing slash; null when the provider cannot reach this gateway. */
  readonly publicUrl: string | null;
  readonly linkMinutes: number;
  readonly configuration: { readonly revisionId: string; readonly generation: number };
}

const NOBODY = { credentialKind: 'none', policyVersion: null, requestId: null } as const;
export const SYSTEM: Actor = { id: 'system', name: 'Faxdesk', ...NOBODY };
export const PROVIDER: Actor = { id: 'provider', name: 'Provider', ...NOBODY };
