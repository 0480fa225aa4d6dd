import type { z } from 'zod';
import type { PrintedCover } from '../../../shared/api/covers.ts';
import { type Backend, DIRECT_BACKEND, INTERNAL_BACKEND } from '../../../shared/backends.ts';
import type { AttemptPhase, DeliveryState } from '../../../shared/states/outbound.ts';
import type { FaxAttemptTable, FaxJobTable } from '../../db/schema/outbound.ts';
import type { Actor } from '../access/service.ts';
import type { ContactName } from '../contacts/types.ts';
import type { CostRow } from '../routing/types.ts';
import type { AnsweredFax, ChosenStep } from './port.ts';
import type { CallProgress, HeaderLine } from './transport-port.ts';

export type { Actor };
export type JobRow = FaxJobTable;
export type AttemptRow = FaxAttemptTable;

/** The hours that a fax waits for: the columns of its row. */
export type HoursWait = Pick<JobRow, 'hours_at' | 'hours_reason'>;

/** True when a fax goes to an own number without a call, even before it is delivered. */
export const isInternal = ({ account_id }: Pick<JobRow, 'account_id'>): boolean =>
  account_id === INTERNAL_BACKEND;

/** True while a fax goes, or after it went, directly to the installation of a partner. */
export const isDirect = ({ account_id }: Pick<JobRow, 'account_id'>): boolean =>
  account_id.startsWith(`${DIRECT_BACKEND}:`);

/** Delivery route and the rule that chose it; all null where no route did. */
export type TakenRoute = Pick<JobRow, 'route_id' | 'route_name' | 'route_reason'>;

/** Columns of a job that may change besides its state, version and time. */
export type JobFacts = Partial<
  Pick<
    JobRow,
    | 'reconciliation_reason'
    | 'error'
    | 'backend'
    | 'account_id'
    | 'route_id'
    | 'route_name'
    | 'route_reason'
    | 'provider_sid'
    | 'pages'
    | 'delivered_by'
    | 'decided_by_name'
    | 'decided_note'
    | 'ask_again_at'
    | 'send_at'
    | 'send_by'
    | 'send_when'
    | 'hours_at'
    | 'hours_reason'
    | 'waits_for'
    | 'held_reason'
    | 'arrival_warning'
    | 'arrival_proved'
    | 'over_limit'
    | 'together_at'
  >
>;

/** Columns of an attempt that may change. */
export type AttemptFacts = Partial<
  Omit<AttemptRow, 'id' | 'job_id' | 'number' | 'step' | 'transport' | 'provider_account' | 'callback_url'>
> & { readonly phase?: AttemptPhase };

/** A job with its newest attempt and the label of its mailbox. */
export interface FaxRecord {
  readonly job: JobRow;
  readonly attempt: AttemptRow | null;
  /** Progress of its call; null unless one is under way and its progress is known. */
  readonly progress: CallProgress | null;
  /** Its label. */
  readonly mailbox: string | null;
  /** The fax that this one sends again; null also where the caller may not see that one. */
  readonly resendOf: string | null;
  /** The received fax that it answers; null also where the caller may not read that one. */
  readonly answers: AnsweredFax | null;
  /** The newer fax that tries the number again; null also where the caller may not see it. */
  readonly triedAgainAs: string | null;
  /** Contact of the number; null also where the caller may not see contacts. */
  readonly contact: ContactName | null;
  /** The faxes that leave or left with it in one call, those that the caller may see. */
  readonly together: readonly string[];
  /** The open legal holds that cover it. */
  readonly legalHolds: readonly { readonly id: string; readonly name: string }[];
  /** Costs of its attempts, in their order. */
  readonly costs: readonly CostRow[];
}

/** Fields of a fax that decide who may see it. */
export type SentFaxAccess = Pick<JobRow, 'created_by' | 'mailbox_id' | 'test'>;

/** Choice of a list: without test faxes, with them, or test faxes only. */
export type TestFaxes = 'without' | 'with' | 'only';

/** The part of all sent faxes that is visible: those one person sent, and those of mailboxes. */
export interface SentScope {
  readonly personId: string;
  /** Restricts what that person sent to these mailboxes; null for all of it. */
  readonly ownMailboxIds: readonly string[] | null;
  readonly mailboxIds: readonly string[];
}

/** One step of a plan: transport, account, header line and addresses. */
export interface PlannedStep extends Omit<ChosenStep, 'callbackPath'> {
  readonly header: HeaderLine | null;
  /** The own number, E.164; null when it was not set. */
  readonly from: string | null;
  /** Public address below which the document is fetched; null when the transport cannot reach this gateway. */
  readonly documentBase: string | null;
  /** Public address of its callbacks, without the locators of the attempt; null when there are none. */
  readonly callbackBase: string | null;
  /** Lifetime of the document link, in minutes. */
  readonly linkMinutes: number;
}

/**
 * Plan that a fax captures at acceptance, sealed in its row. Later setting changes do not affect it: neither another
 * account nor another address. Each attempt carries out one step; the next is taken only when it is certain that no
 * page was transmitted.
 */
export interface Plan {
  readonly steps: readonly PlannedStep[];
  /** Provider displayed for the fax until a call begins. */
  readonly backend: Backend;
  readonly configuration: { readonly revisionId: string; readonly generation: number };
}

const NOBODY = { credentialKind: 'none', policyVersion: null, requestId: null } as const;
export const SYSTEM: Actor = { id: 'system', name: 'Faxdesk', ...NOBODY };
/** The provider of the fax; `record` writes the vendor's name. */
export const PROVIDER: Actor = { id: 'provider', name: 'Provider', ...NOBODY };

/** State of a sent fax. */
export interface SentOutcome {
  readonly state: DeliveryState;
  /** One sentence for a person: what went wrong, or why it is held; null for neither. */
  readonly error: string | null;
  /** Pages of the document. */
  readonly pages: number;
  /** Since when, ISO 8601 UTC. */
  readonly at: string;
}

/** Sent fax of an earlier release. */
export interface EarlierFax {
  readonly id: string;
  /** E.164, or as it was typed where that is no number. */
  readonly to: string;
  readonly toText: string;
  /** True when `to` is a number in E.164 form. */
  readonly isNumber: boolean;
  readonly fileName: string;
  /** As it was written. */
  readonly status: string;
  /** True when the status shows a success. */
  readonly isDelivered: boolean;
  readonly error: string | null;
  readonly pages: number | null;
  readonly backend: Backend;
  readonly providerId: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** The prepared PDF, stored under its name; null where it was not there. */
  readonly document: {
    readonly name: string;
    readonly sha256: string;
    readonly sizeBytes: number;
    readonly pages: number | null;
  } | null;
}

/** A document of a case packet. */
export interface PacketDocument {
  readonly title: string;
  /** Its own pages. */
  readonly pages: number;
  /** Number of its first own page in the fax, from 1; null for one that the index only names. */
  readonly first_page: number | null;
  /** SHA-256 of the PDF as it was handed over, lowercase hex. */
  readonly sha256: string;
  /** The fax that delivered it before, and when; null for one that is in this fax. */
  readonly named: { readonly fax_id: string; readonly sent_at: string } | null;
}

/** Returns the content of the cover page of a fax; null for none. */
export const coverOf = ({ cover }: Pick<JobRow, 'cover'>): z.infer<typeof PrintedCover> | null =>
  cover === null ? null : (JSON.parse(cover) as z.infer<typeof PrintedCover>);

/** Returns the documents of a case packet; none for other faxes. */
export const packetOf = ({ packet }: Pick<JobRow, 'packet'>): readonly PacketDocument[] =>
  packet === null ? [] : (JSON.parse(packet) as readonly PacketDocument[]);
