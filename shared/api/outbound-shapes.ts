import { z } from 'zod';
import { HEADER_OWN_FORMS } from '../header-line.ts';
import { FAX_HISTORY_KINDS } from '../history-kinds.ts';
import { LIMITS } from '../limits.ts';
import {
  ATTEMPT_PHASES,
  DELIVERED_BY,
  DELIVERY_STATES,
  type DeliveryState,
  DISPATCH_MODES,
  ERROR_CATEGORIES,
  STATUS_LABELS,
  UNREACHED,
  WAITS_FOR,
} from '../states/outbound.ts';
import { CALL_STAGES } from '../states/telephony.ts';
import { VISIBLE_RULE, VISIBLE_TEXT } from '../visible-text.ts';
import { ContactRef } from './contacts.ts';
import { AttemptCost, Money } from './routing-costs.ts';
import { AnyTime, BackendName, Id, OptionalTime, Time, Version } from './values.ts';

const Count = z.number().int().min(0);

const FaxDocument = z.strictObject({
  sha256: z.string().length(64).describe('of the prepared PDF, lowercase hex'),
  pages: Count,
  size_bytes: Count,
  media_type: z.string().describe('of what was submitted'),
  file_name: z.string(),
});

const FaxAttempt = z.strictObject({
  id: Id,
  number: Count,
  phase: z.enum(ATTEMPT_PHASES),
  provider_account: z.string(),
  submitted_at: OptionalTime,
  completed_at: OptionalTime,
  pages_sent: Count.nullable(),
  seconds: Count.nullable(),
  rate_bps: Count.nullable(),
  error_category: z.enum(ERROR_CATEGORIES).nullable(),
  unreached: z.enum(UNREACHED).nullable().describe('the number was busy or nobody answered'),
  failure_code: z
    .string()
    .nullable()
    .describe('what the provider calls the failure, e.g. "lineError 17"; null unless it told one'),
  cost: AttemptCost.nullable().describe('null before it begins, and where nothing is billed'),
});

const FaxProgress = z.strictObject({
  stage: z.enum(CALL_STAGES).describe('it rings, somebody answered, or pages are being sent'),
  page: Count.nullable().describe('the page that is being sent, from 1'),
  rate_bps: Count.nullable(),
});

export const FaxJob = z
  .strictObject({
    id: Id,
    to: z.string().describe('E.164'),
    status: z.enum(STATUS_LABELS).describe('compatibility label; judge delivery by delivery_state'),
    error: z.string().nullable(),
    pages: Count.nullable(),
    backend: BackendName,
    internal: z
      .boolean()
      .describe('it comes in here again without a call; `delivered_by` says so once it has'),
    route: z
      .strictObject({
        id: Id,
        name: z.string(),
        reason: z.string().describe('which rule chose it, in a sentence'),
      })
      .nullable()
      .describe('by which it leaves or left; null where the provider of the settings sends it'),
    provider_sid: z.string().nullable(),
    created_at: Time,
    updated_at: Time,
    delivery_state: z.enum(DELIVERY_STATES),
    dispatch_mode: z.enum(DISPATCH_MODES),
    delivery_version: Version,
    reconciliation_reason: z.string().nullable(),
    document: FaxDocument,
    attempt: FaxAttempt.nullable().describe('the newest one'),
    progress: FaxProgress.nullable().describe(
      'how far the call is, over the phone line; null where nobody can tell, and once it has ended',
    ),
    cost: Money.nullable().describe('of all its attempts; null while unknown, and where it is free'),
    free: z
      .boolean()
      .describe('it costs nothing: canceled, delivered here without a call, or never taken by a provider'),
    queue_only: z.boolean(),
    send_now: z.boolean(),
    urgent: z.boolean(),
    send_by_call: z.boolean(),
    resend_of: Id.nullable(),
    tried_again_as: Id.nullable().describe('the fax that tries a busy or unanswered number again'),
    automatic_tries: Count.describe('how many faxes before this one were tried again by themselves'),
    case_id: Id.nullable(),
    mailbox: z.string().nullable().describe('label of the one it was sent for'),
    created_by: z.strictObject({ id: Id, name: z.string() }),
    contact: ContactRef.nullable().describe('whose the number is; needs contacts:read'),
    delivered_by: z.enum(DELIVERED_BY).nullable(),
    decision: z
      .strictObject({ by: z.string(), note: z.string() })
      .nullable()
      .describe('who recorded the outcome after asking the recipient; null where the provider reported it'),
    ask_again_at: OptionalTime.describe(
      'of a fax that needs confirmation: the recipient could not be reached, and is to be asked at this time; null for now',
    ),
    send_at: OptionalTime.describe('not sent before it; null when it leaves at once'),
    waits_for: z
      .enum(WAITS_FOR)
      .nullable()
      .describe(
        'of a fax whose time has come: the telephone engine, which cannot be reached, a free line, or the end of another call to its number',
      ),
    held_reason: z
      .string()
      .nullable()
      .describe('why a spending limit holds it, in a sentence; null where none does'),
    arrival_warning: z
      .string()
      .nullable()
      .describe(
        'that the provider reported as delivered, or under way, what was to be sent again, in a sentence: it may arrive twice',
      ),
    together: z
      .strictObject({
        leaves_at: OptionalTime.describe(
          'when it leaves in one call with others; null when it waits for none',
        ),
        with: z
          .array(Id)
          .describe('those that leave or left in one call with it, as far as the caller sees them'),
      })
      .describe('of a number that sends faxes together'),
    clean_greys: z
      .boolean()
      .describe('grays were cleaned: the document is the black and white pages that are sent'),
    titles: z.array(z.string()).describe('one per file in order; empty when none were given'),
  })
  .meta({ id: 'FaxJob' });

export const FaxEvent = z.strictObject({
  kind: z.enum(FAX_HISTORY_KINDS),
  occurred_at: Time,
  actor: z.string(),
  text: z.string().describe('one sentence'),
});

const PreviewNote = z.strictObject({ kind: z.string(), page: Count, text: z.string() });

/** One page of a preview, as far as it is drawn. */
export const PreviewPageFacts = z.strictObject({
  page: Count,
  document: Count.describe('index in `documents`, from 0'),
  seconds: Count.describe('estimated time on the line of this page, as it is drawn'),
  grey: z.boolean().describe('much of the page is gray'),
  seconds_clean: Count.nullable().describe('of a gray page: its time with clean_greys'),
  seconds_with_greys: Count.nullable().describe('of a gray page: its time without clean_greys'),
});

export const PreviewDocument = z.strictObject({
  file_name: z.string(),
  pages: Count,
  media_type: z.string().describe('by content, never by name'),
});

/** The line on top of every page. */
export const PreviewHeaderLine = z.strictObject({
  text: z
    .string()
    .describe('on page 1, from left to right; words in brackets stand for what the provider prints itself'),
  has_recipient: z
    .boolean()
    .describe('the number of the recipient is in it: known, and there is room for it'),
  backend: BackendName.nullable().describe('the provider that prints it; null while none is chosen'),
  own_form: z.array(z.enum(HEADER_OWN_FORMS)).describe('what the provider prints in a form of its own'),
});

export const FaxPreview = z
  .strictObject({
    preview_id: Id,
    pages: Count,
    seconds: Count.nullable().describe('estimated time on the line; null until every page is drawn'),
    cost: z.null().describe('always null: `GET /routing/quote` says it for a number'),
    notes: z.array(PreviewNote),
    drawn: Count.describe('pages that are there; they come in order'),
    complete: z.boolean(),
    problem: z.string().nullable().describe('why the rest cannot be drawn; such a document cannot be sent'),
    clean_greys: z.boolean(),
    to: z.string().nullable().describe('E.164 of the recipient for whom it is drawn; null while not known'),
    documents: z.array(PreviewDocument).describe('the files in order'),
    document_sha256: z
      .string()
      .nullable()
      .describe('of the PDF that a fax of this preview stores; null until it is made'),
    page_facts: z.array(PreviewPageFacts),
    header: PreviewHeaderLine.nullable().describe(
      'null while neither organization nor number is set, and for a fax that is delivered without a call',
    ),
    expires_at: Time.describe('asking for this state puts it off'),
  })
  .meta({ id: 'FaxPreview' });

const StateCounts = z
  .strictObject(
    Object.fromEntries(DELIVERY_STATES.map((state) => [state, Count])) as Record<DeliveryState, typeof Count>,
  )
  .meta({ id: 'FaxStateCounts' });

export const FaxCounts = z
  .strictObject({
    all: StateCounts,
    mine: StateCounts.describe('those the caller submitted'),
    unseen_failed: Count.describe('of those that failed, the ones that the caller has not seen since'),
  })
  .meta({ id: 'FaxCounts' });

/** A number that faxes were sent to. */
export const FaxNumber = z
  .strictObject({
    to: z.string().describe('E.164'),
    last_used_at: Time,
    last_success_at: OptionalTime,
    uses: Count.describe('faxes accepted for it'),
    contact: ContactRef.nullable(),
  })
  .meta({ id: 'FaxNumber' });

export const NumberCheck = z
  .strictObject({
    to: z.string().nullable().describe('E.164; null when the text is no fax number'),
    display: z.string().nullable().describe('grouped for reading'),
    country: z.string().length(2).nullable().describe('ISO 3166; null when unknown'),
    problem: z.string().nullable().describe('one sentence when `to` is null'),
    internal: z
      .boolean()
      .describe('one of our own numbers: the fax comes in here without a call, unless it is sent by call'),
    first_time: z.boolean().describe('no fax was accepted for it before, and no contact has it'),
    contact: ContactRef.nullable().describe('whose the number is; needs contacts:read'),
    blocked: z.boolean().describe('no fax is accepted for it'),
    together_minutes: Count.describe(
      'how long a fax to it that is called waits for others that leave in one call; 0: it does not',
    ),
    last_success_at: OptionalTime,
    near: z
      .strictObject({ to: z.string(), last_success_at: Time })
      .nullable()
      .describe(
        'a number that faxes reached and that differs by one digit or by two neighbours swapped; null when faxes reached this one',
      ),
  })
  .meta({ id: 'FaxNumberCheck' });

const DecisionNote = z.string().trim().min(1).max(LIMITS.noteLength).regex(VISIBLE_TEXT, VISIBLE_RULE);

export const Reconciliation = z.union([
  z.strictObject({
    outcome: z.enum(['success', 'failed']),
    note: DecisionNote,
    pages_arrived: Count.optional().describe(
      'with `failed`: how many pages arrived, counted from the first; left out while nobody knows',
    ),
    delivery_version: Version,
  }),
  z.strictObject({
    outcome: z.literal('not_reached').describe('nobody was there to ask: the fax stays as it is'),
    note: DecisionNote.optional(),
    ask_again_at: AnyTime.optional().describe(
      `when the question comes back; left out: after ${LIMITS.askAgainMinutes} minutes`,
    ),
    delivery_version: Version,
  }),
  z.strictObject({ provider_sid: z.string().trim().min(1).max(100), delivery_version: Version }),
]);

export const CallbackAnswer = z.strictObject({ ok: z.literal(true), applied: z.boolean() });

export const Done = z.strictObject({ ok: z.literal(true) });
